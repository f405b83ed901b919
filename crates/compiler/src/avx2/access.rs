//! Moves between registers and memory, with masks: lanes that are not set touch no memory.

use super::cache::{A::*, Op, build, constant, moved, x, y};
use super::rules::half_of;
use super::{FREE, Pass, Stub, V, live};
use crate::encode::Memory;
use iced_x86::{Code, Code::*, Instruction, MemoryOperand, OpKind, Register};

fn narrow(register: Register) -> Register {
    crate::assembler::narrow(register)
}

impl Pass<'_> {
    fn move_in(&mut self, i: &Instruction, wide: bool) -> bool {
        let d = i.op0_register();
        let last = if d.is_zmm() { 2 } else { 1 };
        for half in 0..last {
            if !self.wants(i, half) {
                continue;
            }
            let from = self.mine.len();
            if i.op_kind(1) == OpKind::Register {
                self.result(i, half, wide, half_of(i.op1_register(), half));
            } else {
                let memory = moved(self.memory(i), 32 * half as i64);
                let d = half_of(d, half);
                // The lowering has constants at `rdx`: all of them are there.
                let known = memory.base == Register::RDX && memory.index == Register::None;
                let t = self.t();
                match self.mask_of(i, wide, half) {
                    None => self.e(VEX_Vmovdqu_ymm_ymmm256, &[W(t), P(memory)]),
                    Some(mask) if i.zeroing_masking() => {
                        self.e(VEX_Vpmaskmovd_ymm_ymm_m256, &[W(t), R(mask), P(memory)]);
                    }
                    Some(mask) if known => {
                        self.e(VEX_Vblendvps_ymm_ymm_ymmm256_ymm, &[W(t), R(d), P(memory), R(mask)]);
                    }
                    Some(mask) => {
                        self.e(VEX_Vpmaskmovd_ymm_ymm_m256, &[W(t), R(mask), P(memory)]);
                        let blended = self.blend(d, t, mask);
                        self.assign(d, blended);
                        self.release(from);
                        continue;
                    }
                }
                self.assign(d, t);
            }
            self.release(from);
        }
        if last == 1 && self.wants(i, 1) {
            self.assign(half_of(d, 1), constant::ZERO);
        }
        true
    }

    fn move_out(&mut self, i: &Instruction, wide: bool) -> bool {
        let memory = self.memory(i);
        let parts = [0, 1].map(|half| half_of(i.op1_register(), half));
        if i.op_mask() == Register::None {
            for (half, part) in parts.into_iter().enumerate() {
                self.e(VEX_Vmovdqu_ymmm256_ymm, &[P(moved(memory, 32 * half as i64)), R(part)]);
            }
            return true;
        }
        let masks = [0, 1].map(|half| self.part(i.op_mask(), wide, half));
        let store = |masks: [usize; 2], parts: [usize; 2]| {
            [0, 1].map(|half| {
                let at = Op::Mem(moved(memory, 32 * half as i64));
                build(VEX_Vpmaskmovd_m256_ymm_ymm, &[at, Op::Reg(y(masks[half])), Op::Reg(y(parts[half]))])
            })
        };
        if !self.flags_are_free() {
            let masks = masks.map(|mask| self.r(mask));
            let parts = parts.map(|part| self.r(part));
            store(masks, parts).iter().for_each(|i| self.out.put(i));
            return true;
        }
        // Mostly all lanes are set; stores with masks are slow on many machines.
        let all = self.o3(VEX_Vpand_ymm_ymm_ymmm256, masks[0], masks[1]);
        self.e(VEX_Vmovmskps_r32_ymm, &[G(narrow(FREE)), R(all)]);
        let masks = masks.map(|mask| self.r(mask));
        let parts = parts.map(|part| self.r(part));
        let (some, back) = (self.label(), self.label());
        self.compare_free(0xff);
        self.jump(Jne_rel32_64, some);
        for (half, &part) in parts.iter().enumerate() {
            let at = Op::Mem(moved(memory, 32 * half as i64));
            self.raw(VEX_Vmovdqu_ymmm256_ymm, &[at, Op::Reg(y(part))]);
        }
        self.put_label(back);
        self.stubs.push(Stub { label: some, code: store(masks, parts).to_vec(), back });
        true
    }

    fn compare_free(&mut self, number: i32) {
        match Instruction::with2(Cmp_rm32_imm32, narrow(FREE), number) {
            Ok(i) => self.out.put(&i),
            Err(_) => self.fail("a number"),
        }
    }

    fn jump(&mut self, code: Code, label: u64) {
        self.out.jump(code, label as u32);
    }

    /// Runs something for each lane of sixteen whose bit is set in the free register.
    fn lane_by_lane(&mut self, mut work: impl FnMut(&mut Self, usize) -> Instruction) -> Vec<Instruction> {
        let mut code = Vec::new();
        for lane in 0..16 {
            let past = self.label();
            match Instruction::with2(Bt_rm32_imm8, narrow(FREE), lane as i32) {
                Ok(test) => code.push(test),
                Err(_) => self.fail("a bit"),
            }
            match Instruction::with_branch(Jae_rel32_64, past) {
                Ok(jump) => code.push(jump),
                Err(_) => self.fail("a jump"),
            }
            code.push(work(self, lane));
            let mut here = Instruction::with(Zero_bytes);
            here.set_ip(past);
            code.push(here);
        }
        code
    }

    /// Bytes or words out of memory, made wider.
    fn load_narrow(&mut self, i: &Instruction, bytes: usize, code: Code) -> bool {
        let whole = i.op_mask() == Register::None;
        if !(whole || i.zeroing_masking() && self.flags_are_free()) {
            return false;
        }
        let memory = self.memory(i);
        if !whole {
            self.bits(i.op_mask(), narrow(FREE));
        }
        let raw = [self.t(), self.t()];
        let raw = [self.w(raw[0]), self.w(raw[1])].map(|n| (n, self.phys[n].v));
        let (some, back) = (self.label(), self.label());
        if !whole {
            self.compare_free(0xffff);
            self.jump(Jne_rel32_64, some);
        }
        for (n, &(register, _)) in raw.iter().enumerate().take(bytes) {
            self.raw(VEX_Vmovdqu_xmm_xmmm128, &[Op::Reg(x(register)), Op::Mem(moved(memory, 16 * n as i64))]);
        }
        if !whole {
            self.put_label(back);
            let mut slow: Vec<Instruction> = raw
                .iter()
                .map(|&(n, _)| build(VEX_Vpxor_xmm_xmm_xmmm128, &[Op::Reg(x(n)), Op::Reg(x(n)), Op::Reg(x(n))]))
                .collect();
            slow.extend(self.lane_by_lane(|_, lane| {
                let (code, of) = if bytes == 1 {
                    (VEX_Vpinsrb_xmm_xmm_r32m8_imm8, 16)
                } else {
                    (VEX_Vpinsrw_xmm_xmm_r32m16_imm8, 8)
                };
                let own = x(raw[lane / of].0);
                let at = moved(memory, (bytes * lane) as i64);
                build(code, &[Op::Reg(own), Op::Reg(own), Op::Mem(at), Op::Imm((lane % of) as u8)])
            }));
            self.stubs.push(Stub { label: some, code: slow, back });
        }
        self.pinned = 0;
        let parts = if bytes == 1 {
            let low = self.t();
            self.e(code, &[W(low), Rx(raw[0].1)]);
            let upper = self.o2i(VEX_Vpshufd_ymm_ymmm256_imm8, raw[0].1, 0x4e);
            let high = self.t();
            self.e(code, &[W(high), Rx(upper)]);
            [low, high]
        } else {
            raw.map(|(_, from)| {
                let t = self.t();
                self.e(code, &[W(t), Rx(from)]);
                t
            })
        };
        for (half, part) in parts.into_iter().enumerate() {
            if self.wants(i, half) {
                self.assign(half_of(i.op0_register(), half), part);
            }
        }
        true
    }

    /// Lanes of 32 bits cut off to bytes or words, into memory.
    fn store_narrow(&mut self, i: &Instruction, bytes: usize) -> bool {
        if i.op_mask() == Register::None || !self.flags_are_free() {
            return false;
        }
        let memory = self.memory(i);
        let from = [0, 1].map(|half| half_of(i.op1_register(), half));
        let (low, high) = if bytes == 2 {
            let words = self.words(from);
            let upper = self.upper(words);
            (words, upper)
        } else {
            let low = constant::LOW8;
            let cut = from.map(|v| self.o3(VEX_Vpand_ymm_ymm_ymmm256, v, low));
            let words = self.words(cut);
            let upper = self.upper(words);
            let t = self.t();
            self.e(VEX_Vpackuswb_xmm_xmm_xmmm128, &[Wx(t), Rx(words), Rx(upper)]);
            (t, t)
        };
        // Last: addresses of constants take the register, too.
        self.bits(i.op_mask(), narrow(FREE));
        let registers = [self.r(low), self.r(high)];
        let (some, back) = (self.label(), self.label());
        self.compare_free(0xffff);
        self.jump(Jne_rel32_64, some);
        for (n, &register) in registers.iter().enumerate().take(bytes) {
            self.raw(VEX_Vmovdqu_xmmm128_xmm, &[Op::Mem(moved(memory, 16 * n as i64)), Op::Reg(x(register))]);
        }
        self.put_label(back);
        let slow = self.lane_by_lane(|_, lane| {
            let (code, of) =
                if bytes == 1 { (VEX_Vpextrb_r32m8_xmm_imm8, 16) } else { (VEX_Vpextrw_r32m16_xmm_imm8, 8) };
            let at = moved(memory, (bytes * lane) as i64);
            build(code, &[Op::Mem(at), Op::Reg(x(registers[lane / of])), Op::Imm((lane % of) as u8)])
        });
        self.stubs.push(Stub { label: some, code: slow, back });
        true
    }

    /// A copy of a mask that the gather may clear.
    fn spent(&mut self, mask: V, upper: bool) -> V {
        if upper {
            return self.upper(mask);
        }
        let t = self.t();
        self.e(VEX_Vmovdqa_ymm_ymmm256, &[W(t), M(mask)]);
        t
    }

    fn gather(&mut self, i: &Instruction) -> bool {
        let k = i.op_mask();
        let memory = Memory { index: Register::None, ..self.memory(i) };
        let (d, index) = (i.op0_register(), i.memory_index());
        if self.flags_are_free() && (memory.base != Register::None || memory.scale == 1) {
            self.gather_one_by_one(i, memory);
            self.set_lanes(k, false, &[]);
            return true;
        }
        match i.code() {
            EVEX_Vpgatherdd_zmm_k1_vm32z | EVEX_Vpgatherqq_zmm_k1_vm64z => {
                let wide = i.code() == EVEX_Vpgatherqq_zmm_k1_vm64z;
                let code = if wide { VEX_Vpgatherqq_ymm_vm64y_ymm } else { VEX_Vpgatherdd_ymm_vm32y_ymm };
                for half in 0..2 {
                    let mask = self.part(k, wide, half);
                    let mask = self.spent(mask, false);
                    let own = half_of(d, half);
                    self.e(code, &[U(own), Px(memory, half_of(index, half), false), U(mask)]);
                }
            }
            EVEX_Vpgatherdq_zmm_k1_vm32y => {
                let whole = half_of(index, 0);
                for half in 0..2 {
                    let mask = self.part(k, true, half);
                    let mask = self.spent(mask, false);
                    let own = half_of(d, half);
                    let index = if half == 0 { whole } else { self.upper(whole) };
                    self.e(VEX_Vpgatherdq_ymm_vm32x_ymm, &[U(own), Px(memory, index, true), U(mask)]);
                }
            }
            EVEX_Vpgatherqd_ymm_k1_vm64z => {
                let own = half_of(d, 0);
                let mask = self.part(k, false, 0);
                let parts = [0, 1].map(|half| {
                    let mask = self.spent(mask, half == 1);
                    let t = if half == 1 {
                        self.upper(own)
                    } else {
                        let t = self.t();
                        self.e(VEX_Vmovdqa_xmm_xmmm128, &[Wx(t), Mx(own)]);
                        t
                    };
                    let place = Px(memory, half_of(index, half), false);
                    self.e(VEX_Vpgatherqd_xmm_vm64y_xmm, &[Ux(t), place, Ux(mask)]);
                    t
                });
                let t = self.join(parts[0], parts[1]);
                self.assign(own, t);
                if self.wants(i, 1) {
                    self.assign(half_of(d, 1), constant::ZERO);
                }
            }
            _ => return false,
        }
        self.set_lanes(k, false, &[]);
        true
    }

    /// A load for each lane, which takes less time than the machine's gather; where some lanes are not set, that one.
    fn gather_one_by_one(&mut self, i: &Instruction, memory: Memory) {
        // Bytes of indices and of values.
        let (step, bytes) = match i.code() {
            EVEX_Vpgatherdd_zmm_k1_vm32z => (4, 4),
            EVEX_Vpgatherdq_zmm_k1_vm32y => (4, 8),
            EVEX_Vpgatherqd_ymm_k1_vm64z => (8, 4),
            _ => (8, 8),
        };
        let (d, indices) = (i.op0_register(), i.memory_index());
        let parts = if i.code() == EVEX_Vpgatherqd_ymm_k1_vm64z { 1 } else { 2 };
        for part in 0..parts {
            let from = self.mine.len();
            let lanes = 32 / bytes;
            let own = half_of(d, part);
            let mask = self.part(i.op_mask(), bytes == 8, part);
            let places: Vec<Memory> = (0..lanes)
                .map(|lane| {
                    let at = (part * lanes + lane) * step;
                    let line = self.in_memory(half_of(indices, at / 32));
                    moved(line, (at % 32) as i64)
                })
                .collect();
            let temps = [self.t(), self.t(), self.t()];
            let (to, mask) = (self.r(own), self.r(mask));
            self.phys[to].dirty = true;
            let [spent, index, upper] = temps.map(|t| self.w(t));
            self.raw(VEX_Vmovmskps_r32_ymm, &[Op::Reg(narrow(FREE)), Op::Reg(y(mask))]);
            let (some, back) = (self.label(), self.label());
            self.compare_free(0xff);
            self.jump(Jne_rel32_64, some);
            let per = lanes / 2;
            for (lane, &place) in places.iter().enumerate() {
                let load = if step == 4 { Movsxd_r64_rm32 } else { Mov_r64_rm64 };
                self.raw(load, &[Op::Reg(FREE), Op::Mem(place)]);
                let element = if memory.base == Register::None {
                    Memory { base: FREE, ..memory }
                } else {
                    Memory { index: FREE, ..memory }
                };
                let (register, element) = (x(if lane < per { to } else { upper }), Op::Mem(element));
                match (bytes, lane % per) {
                    (4, 0) => self.raw(VEX_Vmovd_xmm_rm32, &[Op::Reg(register), element]),
                    (4, n) => {
                        let (old, n) = (Op::Reg(register), Op::Imm(n as u8));
                        self.raw(VEX_Vpinsrd_xmm_xmm_rm32_imm8, &[Op::Reg(register), old, element, n]);
                    }
                    (_, 0) => self.raw(VEX_Vmovq_xmm_xmmm64, &[Op::Reg(register), element]),
                    _ => self.raw(VEX_Vmovhps_xmm_xmm_m64, &[Op::Reg(register), Op::Reg(register), element]),
                }
            }
            let joined = |own: usize, upper: usize| [Op::Reg(y(own)), Op::Reg(y(own)), Op::Reg(x(upper)), Op::Imm(1)];
            self.raw(VEX_Vinserti128_ymm_ymm_xmmm128_imm8, &joined(to, upper));
            self.put_label(back);
            let mut slow = Vec::new();
            let vectors = |index: Register| Op::Mem(Memory { index, ..memory });
            if step == 8 && bytes == 4 {
                slow.push(build(VEX_Vextracti128_xmmm128_ymm_imm8, &[Op::Reg(x(upper)), Op::Reg(y(to)), Op::Imm(1)]));
                for (half, own) in [to, upper].into_iter().enumerate() {
                    let masks = [Op::Reg(x(spent)), Op::Reg(y(mask)), Op::Imm(half as u8)];
                    slow.push(build(VEX_Vextracti128_xmmm128_ymm_imm8, &masks));
                    slow.push(build(VEX_Vmovdqu_ymm_ymmm256, &[Op::Reg(y(index)), Op::Mem(places[4 * half])]));
                    let ops = [Op::Reg(x(own)), vectors(y(index)), Op::Reg(x(spent))];
                    slow.push(build(VEX_Vpgatherqd_xmm_vm64y_xmm, &ops));
                }
                slow.push(build(VEX_Vinserti128_ymm_ymm_xmmm128_imm8, &joined(to, upper)));
            } else {
                slow.push(build(VEX_Vmovdqa_ymm_ymmm256, &[Op::Reg(y(spent)), Op::Reg(y(mask))]));
                let (load, code, register) = match (step, bytes) {
                    (4, 4) => (VEX_Vmovdqu_ymm_ymmm256, VEX_Vpgatherdd_ymm_vm32y_ymm, y(index)),
                    (4, _) => (VEX_Vmovdqu_xmm_xmmm128, VEX_Vpgatherdq_ymm_vm32x_ymm, x(index)),
                    _ => (VEX_Vmovdqu_ymm_ymmm256, VEX_Vpgatherqq_ymm_vm64y_ymm, y(index)),
                };
                slow.push(build(load, &[Op::Reg(register), Op::Mem(places[0])]));
                slow.push(build(code, &[Op::Reg(y(to)), vectors(register), Op::Reg(y(spent))]));
            }
            self.stubs.push(Stub { label: some, code: slow, back });
            self.pinned = 0;
            self.release(from);
        }
        if parts == 1 && self.wants(i, 1) {
            self.assign(half_of(d, 1), constant::ZERO);
        }
    }

    /// Lane by lane, from the first on.
    fn scatter(&mut self, i: &Instruction) -> bool {
        // Lanes of indices and of values: their bytes.
        let (index, value) = match i.code() {
            EVEX_Vpscatterdd_vm32z_k1_zmm => (4, 4),
            EVEX_Vpscatterdq_vm32y_k1_zmm => (4, 8),
            EVEX_Vpscatterqd_vm64z_k1_ymm => (8, 4),
            EVEX_Vpscatterqq_vm64z_k1_zmm => (8, 8),
            _ => return false,
        };
        if !self.flags_are_free() {
            return false;
        }
        let lanes = if index.max(value) == 8 { 8 } else { 16 };
        let memory = self.memory(i);
        let base = Memory { index: Register::None, ..memory };
        let (k, indices, values) = (i.op_mask(), i.memory_index(), i.op1_register());
        self.bits(k, narrow(FREE));
        let t = self.t();
        let room = super::cache::slot(super::cache::FIRST_SLOT + 4);
        self.e(Mov_rm32_r32, &[P(room), G(narrow(FREE))]);
        let place = |pass: &mut Self, register: Register, bytes: usize, lane: usize| {
            let v = half_of(register, lane * bytes / 32);
            moved(pass.in_memory(v), (lane * bytes % 32) as i64)
        };
        for lane in 0..lanes {
            // Brought to memory before anything is jumped over.
            place(self, indices, index, lane);
            place(self, values, value, lane);
        }
        let n = self.w(t);
        for lane in 0..lanes {
            let past = self.label();
            match Instruction::with2(Bt_rm32_imm8, MemoryOperand::from(room), lane as i32) {
                Ok(test) => self.out.put(&test),
                Err(_) => self.fail("a bit"),
            }
            self.jump(Jae_rel32_64, past);
            let from = place(self, indices, index, lane);
            let load = if index == 4 { Movsxd_r64_rm32 } else { Mov_r64_rm64 };
            self.raw(load, &[Op::Reg(FREE), Op::Mem(from)]);
            let from = place(self, values, value, lane);
            let (load, store) = if value == 4 {
                (VEX_Vmovd_xmm_rm32, VEX_Vmovd_rm32_xmm)
            } else {
                (VEX_Vmovq_xmm_xmmm64, VEX_Vmovq_xmmm64_xmm)
            };
            self.raw(load, &[Op::Reg(x(n)), Op::Mem(from)]);
            let to = if base.base == Register::None {
                Memory { base: FREE, index: Register::None, ..base }
            } else {
                Memory { index: FREE, ..base }
            };
            if base.base == Register::None && memory.scale != 1 {
                self.fail("a scale");
            }
            self.raw(store, &[Op::Mem(to), Op::Reg(x(n))]);
            self.put_label(past);
        }
        self.set_lanes(k, false, &[]);
        true
    }

    pub fn access(&mut self, i: &Instruction) -> bool {
        match i.code() {
            EVEX_Vmovdqa32_zmm_k1z_zmmm512
            | EVEX_Vmovdqu32_zmm_k1z_zmmm512
            | EVEX_Vmovdqa32_ymm_k1z_ymmm256
            | EVEX_Vmovdqu32_ymm_k1z_ymmm256
            | EVEX_Vmovups_zmm_k1z_zmmm512
            | EVEX_Vmovaps_zmm_k1z_zmmm512 => self.move_in(i, false),
            EVEX_Vmovdqa64_zmm_k1z_zmmm512 | EVEX_Vmovdqu64_zmm_k1z_zmmm512 => self.move_in(i, true),
            EVEX_Vmovdqu32_zmmm512_k1z_zmm | EVEX_Vmovdqa32_zmmm512_k1z_zmm => self.move_out(i, false),
            EVEX_Vmovdqu64_zmmm512_k1z_zmm | EVEX_Vmovdqa64_zmmm512_k1z_zmm => self.move_out(i, true),
            EVEX_Vpmovzxbd_zmm_k1z_xmmm128 => self.load_narrow(i, 1, VEX_Vpmovzxbd_ymm_xmmm64),
            EVEX_Vpmovsxbd_zmm_k1z_xmmm128 => self.load_narrow(i, 1, VEX_Vpmovsxbd_ymm_xmmm64),
            EVEX_Vpmovzxwd_zmm_k1z_ymmm256 => self.load_narrow(i, 2, VEX_Vpmovzxwd_ymm_xmmm128),
            EVEX_Vpmovsxwd_zmm_k1z_ymmm256 => self.load_narrow(i, 2, VEX_Vpmovsxwd_ymm_xmmm128),
            EVEX_Vpmovdb_xmmm128_k1z_zmm if i.op_kind(0) == OpKind::Memory => self.store_narrow(i, 1),
            EVEX_Vpmovdw_ymmm256_k1z_zmm if i.op_kind(0) == OpKind::Memory => self.store_narrow(i, 2),
            code if live::is_gather(code) => self.gather(i),
            _ => self.scatter(i),
        }
    }
}
