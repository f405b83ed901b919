//! Each rule against the instruction that it stands for, on the same numbers; and what the lowering makes has a rule.

use super::rules::{Shape, has_small_lanes, row};
use crate::assembler::{Assembler, Level, Mask, Operand, at, broadcast, indexed, indexed_by};
use crate::encode::Memory;
use guard::mapping::{HostMapping, Rights, protect};
use iced_x86::Code::{self, *};
use iced_x86::{Decoder, DecoderOptions, EncodingKind, OpKind, Register};

/// What a program works on: registers, masks, and memory.
#[repr(C, align(64))]
#[derive(Clone, PartialEq)]
struct State {
    vectors: [[u32; 16]; 32],
    masks: [u32; 8],
    general: [u64; 4],
    room: [u32; 1024],
}

const MASKS: i64 = 2048;
const GENERAL: i64 = MASKS + 32;
const ROOM: i64 = GENERAL + 32;

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, limit: u64) -> u64 {
        (self.next() >> 32) % limit
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }

    fn zmm(&mut self) -> Register {
        let limit = if self.below(3) == 0 { 32 } else { 6 };
        Register::ZMM0 + self.below(limit) as u32
    }

    fn k(&mut self) -> Register {
        Register::K1 + self.below(7) as u32
    }

    fn mask(&mut self) -> Mask {
        match self.below(3) {
            0 => Mask::ALL,
            1 => Mask::of(self.k()),
            _ => Mask::zeroing(self.k()),
        }
    }

    /// Sixty-four bits that are likely to be a corner of something.
    fn bits(&mut self) -> u64 {
        let float = |random: &mut Random| {
            let exponents = [0, 0, 1, 0x7f, 0x80, 0x9d, 0x9e, 0x9f, 0xbd, 0xbe, 0xbf, 0xff];
            let exponent = random.pick(&exponents) as u32;
            let fraction = random.pick(&[0, 1, 0x40_0000, 0x7f_ffff, random.0 as u32 & 0x7f_ffff]);
            u64::from((random.below(2) as u32) << 31 | exponent << 23 | fraction)
        };
        match self.below(8) {
            0 => self.next(),
            1 => self.below(40),
            2 => self.pick(&[0, 1, u64::MAX, 1 << 63, 1 << 31, u64::MAX >> 1, 0x8000_0000_8000_0000, 0x7fff_ffff]),
            3 => self.next() >> self.below(64),
            4 | 5 => float(self) << 32 | float(self),
            6 => {
                let exponents = [0, 1, 0x3fe, 0x3ff, 0x41d, 0x41e, 0x41f, 0x43d, 0x43e, 0x43f, 0x7ff];
                let fraction = self.pick(&[0, 1, 1 << 51, (1 << 52) - 1, self.0 >> 12]);
                self.below(2) << 63 | self.pick(&exponents) << 52 | fraction
            }
            _ => f64::to_bits((self.next() as i64 >> self.below(63)) as f64 * 0.75),
        }
    }

    fn state(&mut self) -> State {
        let mut state =
            State { vectors: [[0; 16]; 32], masks: [0; 8], general: [0; 4], room: core::array::from_fn(|_| 0) };
        for lanes in state.vectors.iter_mut().flat_map(|vector| vector.chunks_exact_mut(2)) {
            let bits = self.bits();
            (lanes[0], lanes[1]) = (bits as u32, (bits >> 32) as u32);
        }
        for lanes in state.room.chunks_exact_mut(2) {
            let bits = self.bits();
            (lanes[0], lanes[1]) = (bits as u32, (bits >> 32) as u32);
        }
        state.masks = core::array::from_fn(|_| self.pick(&[0xffff, 0, 0x00ff, self.0 as u32 & 0xffff]));
        state.general = [0, self.bits(), self.bits(), 0];
        state
    }
}

/// The bytes of a function that loads everything, does something, and writes everything back.
fn assembled(level: Level, control: u32, work: &dyn Fn(&mut Assembler)) -> Result<Vec<u8>, String> {
    const SAVED: [Register; 6] =
        [Register::RBX, Register::RBP, Register::R12, Register::R13, Register::R14, Register::R15];
    let mut asm = Assembler::new(level, 0);
    SAVED.iter().for_each(|&register| asm.op1(Push_r64, register));
    asm.take_stack(72);
    asm.op2(Mov_r64_rm64, Register::RBX, Register::RDI);
    asm.op2i(Mov_rm32_imm32, at(Register::RSP, 0), control as i32);
    asm.op1(Ldmxcsr_m32, at(Register::RSP, 0));
    for n in 0..32 {
        asm.op2(EVEX_Vmovdqu32_zmm_k1z_zmmm512, Register::ZMM0 + n, at(Register::RBX, 64 * i64::from(n)));
    }
    for n in 1..8u32 {
        asm.op2(VEX_Kmovw_kr_km16, Register::K0 + n, at(Register::RBX, MASKS + 4 * i64::from(n)));
    }
    // A place in the room, and numbers.
    asm.op2(Lea_r64_m, Register::RAX, at(Register::RBX, ROOM + 1024));
    asm.op2(Mov_r64_rm64, Register::RCX, at(Register::RBX, GENERAL + 8));
    asm.op2(Lea_r64_m, Register::RDX, at(Register::RBX, ROOM + 2048));
    work(&mut asm);
    asm.op2(Mov_rm64_r64, at(Register::RBX, GENERAL + 8), Register::RCX);
    for n in 1..8u32 {
        asm.op2(VEX_Kmovw_r32_kr, Register::ECX, Register::K0 + n);
        asm.op2(Mov_rm32_r32, at(Register::RBX, MASKS + 4 * i64::from(n)), Register::ECX);
    }
    for n in 0..32 {
        asm.op2(EVEX_Vmovdqu32_zmmm512_k1z_zmm, at(Register::RBX, 64 * i64::from(n)), Register::ZMM0 + n);
    }
    asm.op2i(Mov_rm32_imm32, at(Register::RSP, 0), 0x1f80);
    asm.op1(Ldmxcsr_m32, at(Register::RSP, 0));
    asm.op0(VEX_Vzeroupper);
    asm.give_stack(72);
    SAVED.iter().rev().for_each(|&register| asm.op1(Pop_r64, register));
    asm.op0(Retnq);
    asm.assemble().map(|code| code.bytes().to_vec()).map_err(|failure| format!("{failure:?}"))
}

/// Whether an instruction has the prefix of AVX-512, or works on masks.
pub fn is_avx512(i: &iced_x86::Instruction) -> bool {
    let k = |op| i.op_kind(op) == OpKind::Register && i.op_register(op).is_k();
    i.encoding() == EncodingKind::EVEX || (0..i.op_count()).any(k)
}

fn run(bytes: &[u8], state: &mut State) {
    let memory = HostMapping::anonymous(bytes.len(), Rights::ReadWrite).unwrap();
    // SAFETY: code of ours in memory of ours, with a state that it may write all over.
    unsafe {
        core::ptr::copy_nonoverlapping(bytes.as_ptr(), memory.base() as *mut u8, bytes.len());
        assert!(protect(memory.base(), bytes.len(), Rights::ReadExecute));
        core::mem::transmute::<usize, extern "sysv64" fn(*mut State)>(memory.base())(state);
    }
}

/// What is different when the same inputs go through both; none if the machine cannot run the first.
fn difference(
    random: &mut Random,
    control: u32,
    prepare: &dyn Fn(&mut State),
    work: &dyn Fn(&mut Assembler),
) -> Option<String> {
    if crate::level() != Some(Level::Avx512) {
        return None;
    }
    let codes = match [Level::Avx512, Level::Avx2].map(|level| assembled(level, control, work)) {
        [Ok(wide), Ok(narrow)] => [wide, narrow],
        [Err(error), _] | [_, Err(error)] => return Some(error),
    };
    for i in Decoder::new(64, &codes[1], DecoderOptions::NONE).iter() {
        if is_avx512(&i) || i.is_invalid() {
            return Some(format!("{:?} is left", i.code()));
        }
    }
    for _ in 0..6 {
        let mut input = random.state();
        prepare(&mut input);
        let mut states = [input.clone(), input.clone()];
        for (code, state) in codes.iter().zip(&mut states) {
            run(code, state);
        }
        let [wide, narrow] = states;
        let inputs = || format!("inputs {:x?}, masks {:x?}", &input.vectors[..6], input.masks);
        if let Some(n) = (0..32).find(|&n| wide.vectors[n] != narrow.vectors[n]) {
            return Some(format!("zmm{n} {:x?}, not {:x?}: {}", narrow.vectors[n], wide.vectors[n], inputs()));
        }
        if wide.masks != narrow.masks {
            return Some(format!("masks {:x?}, not {:x?}: {}", narrow.masks, wide.masks, inputs()));
        }
        if wide.general != narrow.general {
            return Some(format!("rcx {:x?}, not {:x?}: {}", narrow.general, wide.general, inputs()));
        }
        if let Some(n) = (0..1024).find(|&n| wide.room[n] != narrow.room[n]) {
            return Some(format!("memory at {n}: {:x}, not {:x}: {}", narrow.room[n], wide.room[n], inputs()));
        }
    }
    None
}

/// The same of many, by name: fails with all that are different.
#[derive(Default)]
struct Differences(std::collections::BTreeMap<String, String>);

impl Differences {
    fn check(
        &mut self,
        name: &str,
        random: &mut Random,
        control: u32,
        prepare: &dyn Fn(&mut State),
        work: &dyn Fn(&mut Assembler),
    ) {
        if !self.0.contains_key(name)
            && let Some(how) = difference(random, control, prepare, work)
        {
            self.0.insert(name.to_owned(), how);
        }
    }
}

impl Drop for Differences {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            assert!(self.0.is_empty(), "{:#?}", self.0);
        }
    }
}

const NORMAL: u32 = 0x1f80;
const FLUSHING: u32 = 0x9fc0;

fn has(code: Code, what: &str) -> bool {
    format!("{code:?}").contains(what)
}

/// Memory of an operand: aligned or not, or one element.
fn memory(random: &mut Random, code: Code) -> Memory {
    let place = 4 * random.below(64) as i64;
    let broadcasts = has(code, "b32") || has(code, "b64");
    match random.below(3) {
        0 if broadcasts => broadcast(Register::RAX, place),
        1 => at(Register::RDX, 0),
        _ => at(Register::RAX, place),
    }
}

fn operand(random: &mut Random, code: Code) -> Operand {
    if random.below(3) == 0 { memory(random, code).into() } else { random.zmm().into() }
}

type Work = Box<dyn Fn(&mut Assembler)>;

/// An instruction of two operands and a result, with a mask and rounding.
fn three(code: Code, random: &mut Random, masked: bool) -> Work {
    let (d, a, mut b) = (random.zmm(), random.zmm(), operand(random, code));
    let mask = if masked { random.mask() } else { Mask::ALL };
    let mut rounding = 0;
    if has(code, "_er") && random.below(2) == 0 {
        rounding = random.below(4) as u8;
        b = random.zmm().into();
    }
    Box::new(move |asm| asm.masked3(code, d, a, b, mask, rounding))
}

fn number(code: Code, random: &mut Random, limit: u64) -> Work {
    let (d, a, mask) = (random.zmm(), operand(random, code), random.mask());
    let number = random.below(limit) as i32;
    Box::new(move |asm| asm.op3i(code, d, a, number, mask))
}

/// A row of the table.
fn of_row(code: Code, shape: Shape, random: &mut Random) -> Work {
    match shape {
        Shape::Two(_) | Shape::Fused => three(code, random, !has_small_lanes(code)),
        Shape::One => {
            let (d, a, mask, rounding) = (random.zmm(), random.zmm(), random.mask(), random.below(4) as u8);
            if has(code, "_er") && mask == Mask::ALL {
                return Box::new(move |asm| asm.masked3_of2(code, d, a, rounding));
            }
            Box::new(move |asm| asm.masked2(code, d, a, mask))
        }
        Shape::Number => number(code, random, 70),
        Shape::NumberOfAny => number(code, random, if has(code, "Vrndscale") { 16 } else { 256 }),
    }
}

fn rows() -> Vec<(Code, Shape)> {
    Code::values().filter_map(|code| row(code).map(|(_, _, shape)| (code, shape))).collect()
}

#[test]
fn rows_do_the_same() {
    let mut random = Random(0x1234_5678_9abc_def1);
    let rows = rows();
    assert!(rows.len() > 50);
    let mut all = Differences::default();
    for (code, shape) in rows {
        for n in 0..6 {
            let control = if n % 3 == 0 { FLUSHING } else { NORMAL };
            let work = of_row(code, shape, &mut random);
            all.check(&format!("{code:?}"), &mut random, control, &|_| {}, &work);
        }
    }
}

/// Instructions that are written out, by what operands they have.
fn compares() -> Vec<(Code, u64)> {
    vec![
        (EVEX_Vpcmpd_kr_k1_zmm_zmmm512b32_imm8, 8),
        (EVEX_Vpcmpud_kr_k1_zmm_zmmm512b32_imm8, 8),
        (EVEX_Vpcmpq_kr_k1_zmm_zmmm512b64_imm8, 8),
        (EVEX_Vpcmpuq_kr_k1_zmm_zmmm512b64_imm8, 8),
        (EVEX_Vcmpps_kr_k1_zmm_zmmm512b32_imm8_sae, 32),
        (EVEX_Vcmppd_kr_k1_zmm_zmmm512b64_imm8_sae, 32),
    ]
}

const TESTS: [Code; 4] = [
    EVEX_Vptestmd_kr_k1_zmm_zmmm512b32,
    EVEX_Vptestmq_kr_k1_zmm_zmmm512b64,
    EVEX_Vptestnmd_kr_k1_zmm_zmmm512b32,
    EVEX_Vptestnmq_kr_k1_zmm_zmmm512b64,
];

const THREES: [Code; 8] = [
    EVEX_Vpmullq_zmm_k1z_zmm_zmmm512b64,
    EVEX_Vpminsq_zmm_k1z_zmm_zmmm512b64,
    EVEX_Vpminuq_zmm_k1z_zmm_zmmm512b64,
    EVEX_Vpmaxsq_zmm_k1z_zmm_zmmm512b64,
    EVEX_Vpmaxuq_zmm_k1z_zmm_zmmm512b64,
    EVEX_Vpsravq_zmm_k1z_zmm_zmmm512b64,
    EVEX_Vpermi2d_zmm_k1z_zmm_zmmm512b32,
    EVEX_Vpermd_zmm_k1z_zmm_zmmm512b32,
];

const TWOS: [Code; 5] = [
    EVEX_Vpabsq_zmm_k1z_zmmm512b64,
    EVEX_Vpopcntd_zmm_k1z_zmmm512b32,
    EVEX_Vpopcntq_zmm_k1z_zmmm512b64,
    EVEX_Vplzcntd_zmm_k1z_zmmm512b32,
    EVEX_Vplzcntq_zmm_k1z_zmmm512b64,
];

const NUMBERS: [(Code, u64); 3] = [
    (EVEX_Vpsraq_zmm_k1z_zmmm512b64_imm8, 70),
    (EVEX_Vprold_zmm_k1z_zmmm512b32_imm8, 64),
    (EVEX_Vprord_zmm_k1z_zmmm512b32_imm8, 64),
];

const TO_WIDE: [Code; 9] = [
    EVEX_Vpmovzxdq_zmm_k1z_ymmm256,
    EVEX_Vpmovsxdq_zmm_k1z_ymmm256,
    EVEX_Vpmovzxwd_zmm_k1z_ymmm256,
    EVEX_Vpmovsxwd_zmm_k1z_ymmm256,
    EVEX_Vcvtph2ps_zmm_k1z_ymmm256_sae,
    EVEX_Vcvtps2pd_zmm_k1z_ymmm256b32_sae,
    EVEX_Vcvtdq2pd_zmm_k1z_ymmm256b32_er,
    EVEX_Vcvtudq2pd_zmm_k1z_ymmm256b32_er,
    EVEX_Vcvttps2qq_zmm_k1z_ymmm256b32_sae,
];

const TO_NARROW: [Code; 7] = [
    EVEX_Vcvtqq2ps_ymm_k1z_zmmm512b64_er,
    EVEX_Vcvtuqq2ps_ymm_k1z_zmmm512b64_er,
    EVEX_Vcvtpd2ps_ymm_k1z_zmmm512b64_er,
    EVEX_Vcvttpd2dq_ymm_k1z_zmmm512b64_sae,
    EVEX_Vcvttpd2udq_ymm_k1z_zmmm512b64_sae,
    EVEX_Vpmovqd_ymmm256_k1z_zmm,
    EVEX_Vpmovdw_ymmm256_k1z_zmm,
];

const CONVERT: [Code; 6] = [
    EVEX_Vcvttpd2qq_zmm_k1z_zmmm512b64_sae,
    EVEX_Vcvttpd2uqq_zmm_k1z_zmmm512b64_sae,
    EVEX_Vcvttps2udq_zmm_k1z_zmmm512b32_sae,
    EVEX_Vcvtudq2ps_zmm_k1z_zmmm512b32_er,
    EVEX_Vcvtqq2pd_zmm_k1z_zmmm512b64_er,
    EVEX_Vcvtuqq2pd_zmm_k1z_zmmm512b64_er,
];

fn ymm(register: Register) -> Register {
    Register::YMM0 + (register as u32 - Register::ZMM0 as u32)
}

fn xmm(register: Register) -> Register {
    Register::XMM0 + (register as u32 - Register::ZMM0 as u32)
}

/// Everything that is written out, but for accesses that have lanes of their own: a name, and the instruction.
fn written_out(random: &mut Random) -> Vec<(String, Work)> {
    let mut all: Vec<(String, Work)> = Vec::new();
    let mut add = |name: String, work: Work| all.push((name, work));
    for (code, limit) in compares() {
        for how in 0..limit as i32 {
            let (d, a, b) = (random.k(), random.zmm(), operand(random, code));
            let mask = if random.below(2) == 0 { Mask::ALL } else { Mask::of(random.k()) };
            add(format!("{code:?} {how}"), Box::new(move |asm| asm.op4i(code, d, a, b, how, mask)));
        }
    }
    for code in TESTS {
        let (d, a, b) = (random.k(), random.zmm(), operand(random, code));
        let mask = if random.below(2) == 0 { Mask::ALL } else { Mask::of(random.k()) };
        add(format!("{code:?}"), Box::new(move |asm| asm.masked3(code, d, a, b, mask, 0)));
    }
    for code in THREES {
        add(format!("{code:?}"), three(code, random, true));
    }
    for code in [EVEX_Vpblendmd_zmm_k1z_zmm_zmmm512b32, EVEX_Vpblendmq_zmm_k1z_zmm_zmmm512b64] {
        let (d, a, b, mask) = (random.zmm(), random.zmm(), operand(random, code), Mask::of(random.k()));
        add(format!("{code:?}"), Box::new(move |asm| asm.masked3(code, d, a, b, mask, 0)));
    }
    for code in TWOS {
        let (d, a, mask) = (random.zmm(), operand(random, code), random.mask());
        add(format!("{code:?}"), Box::new(move |asm| asm.masked2(code, d, a, mask)));
    }
    for (code, limit) in NUMBERS {
        add(format!("{code:?}"), number(code, random, limit));
    }
    for table in 0..256 {
        let code = EVEX_Vpternlogd_zmm_k1z_zmm_zmmm512b32_imm8;
        let (d, a, b, mask) = (random.zmm(), random.zmm(), operand(random, code), random.mask());
        add(format!("{code:?} {table:#x}"), Box::new(move |asm| asm.op4i(code, d, a, b, table, mask)));
    }
    for code in TO_WIDE.into_iter().chain([EVEX_Vcvttps2uqq_zmm_k1z_ymmm256b32_sae]) {
        let (d, a, mask) = (random.zmm(), ymm(random.zmm()), random.mask());
        add(format!("{code:?}"), Box::new(move |asm| asm.masked2(code, d, a, mask)));
        if !has(code, "zxwd") && !has(code, "sxwd") {
            let place = at(Register::RAX, 8 * random.below(9) as i64);
            add(format!("{code:?} memory"), Box::new(move |asm| asm.masked2(code, d, place, mask)));
        }
    }
    for code in TO_NARROW {
        let (d, a, rounding) = (ymm(random.zmm()), random.zmm(), random.below(4) as u8);
        let mask = if has(code, "Vpmovdw") { Mask::ALL } else { random.mask() };
        add(format!("{code:?}"), Box::new(move |asm| asm.masked2(code, d, a, mask)));
        if has(code, "_er") {
            add(format!("{code:?} {rounding}"), Box::new(move |asm| asm.masked3_of2(code, d, a, rounding)));
        }
    }
    for code in CONVERT {
        let (d, a, mask, rounding) = (random.zmm(), operand(random, code), random.mask(), random.below(4) as u8);
        add(format!("{code:?}"), Box::new(move |asm| asm.masked2(code, d, a, mask)));
        let a = random.zmm();
        if has(code, "_er") {
            add(format!("{code:?} {rounding}"), Box::new(move |asm| asm.masked3_of2(code, d, a, rounding)));
        }
    }
    for how in 0..4 {
        let code = EVEX_Vcvtps2ph_ymmm256_k1z_zmm_imm8_sae;
        let (d, a) = (ymm(random.zmm()), random.zmm());
        add(format!("{code:?} {how}"), Box::new(move |asm| asm.op3i(code, d, a, how, Mask::ALL)));
    }
    let (d, a, b, mask) = (random.zmm(), random.zmm(), random.zmm(), random.mask());
    for part in 0..4 {
        let code = EVEX_Vextracti32x4_xmmm128_k1z_zmm_imm8;
        add(format!("{code:?}"), Box::new(move |asm| asm.op3i(code, xmm(d), a, part, Mask::ALL)));
    }
    for part in 0..2 {
        let code = EVEX_Vextracti64x4_ymmm256_k1z_zmm_imm8;
        add(format!("{code:?}"), Box::new(move |asm| asm.op3i(code, ymm(d), a, part, Mask::ALL)));
        let code = EVEX_Vinserti64x4_zmm_k1z_zmm_ymmm256_imm8;
        add(format!("{code:?}"), Box::new(move |asm| asm.op4i(code, d, a, ymm(b), part, Mask::ALL)));
    }
    let place = at(Register::RAX, 4);
    for (code, from) in [
        (EVEX_Vpbroadcastd_zmm_k1z_r32, Operand::from(Register::ECX)),
        (EVEX_Vpbroadcastq_zmm_k1z_r64, Register::RCX.into()),
        (EVEX_Vpbroadcastd_zmm_k1z_xmmm32, xmm(a).into()),
        (EVEX_Vpbroadcastq_zmm_k1z_xmmm64, xmm(a).into()),
        (EVEX_Vpbroadcastd_zmm_k1z_xmmm32, place.into()),
        (EVEX_Vpbroadcastq_zmm_k1z_xmmm64, place.into()),
    ] {
        add(format!("{code:?}"), Box::new(move |asm| asm.masked2(code, d, from, mask)));
    }
    add("vmovd".into(), Box::new(move |asm| asm.op2(EVEX_Vmovd_rm32_xmm, Register::ECX, xmm(a))));
    add("vmovq".into(), Box::new(move |asm| asm.op2(EVEX_Vmovq_rm64_xmm, Register::RCX, xmm(a))));
    add("vmovd to memory".into(), Box::new(move |asm| asm.op2(EVEX_Vmovd_rm32_xmm, place, xmm(a))));
    add("vmovq to memory".into(), Box::new(move |asm| asm.op2(EVEX_Vmovq_rm64_xmm, place, xmm(a))));
    for code in [
        EVEX_Vmovdqa32_zmm_k1z_zmmm512,
        EVEX_Vmovdqu32_zmm_k1z_zmmm512,
        EVEX_Vmovdqa64_zmm_k1z_zmmm512,
        EVEX_Vmovdqu64_zmm_k1z_zmmm512,
    ] {
        let (d, a, mask) = (random.zmm(), random.zmm(), random.mask());
        add(format!("{code:?}"), Box::new(move |asm| asm.masked2(code, d, a, mask)));
        if has(code, "dqu") {
            let from = memory(random, EVEX_Vpshufb_zmm_k1z_zmm_zmmm512);
            add(format!("{code:?} memory"), Box::new(move |asm| asm.masked2(code, d, from, mask)));
        }
    }
    for code in [EVEX_Vmovdqa32_ymm_k1z_ymmm256, EVEX_Vmovdqu32_ymm_k1z_ymmm256] {
        let (d, a, mask) = (ymm(random.zmm()), ymm(random.zmm()), random.mask());
        add(format!("{code:?}"), Box::new(move |asm| asm.masked2(code, d, a, mask)));
    }
    for code in [EVEX_Vmovdqu32_zmmm512_k1z_zmm, EVEX_Vmovdqu64_zmmm512_k1z_zmm] {
        let (a, place) = (random.zmm(), at(Register::RAX, 4 * random.below(20) as i64));
        let mask = if random.below(3) == 0 { Mask::ALL } else { Mask::of(random.k()) };
        add(format!("{code:?}"), Box::new(move |asm| asm.masked2(code, place, a, mask)));
    }
    for code in [EVEX_Vpmovdb_xmmm128_k1z_zmm, EVEX_Vpmovdw_ymmm256_k1z_zmm] {
        let (a, place, mask) = (random.zmm(), at(Register::RAX, random.below(20) as i64), Mask::of(random.k()));
        add(format!("{code:?} memory"), Box::new(move |asm| asm.masked2(code, place, a, mask)));
    }
    for code in [
        EVEX_Vpmovzxbd_zmm_k1z_xmmm128,
        EVEX_Vpmovsxbd_zmm_k1z_xmmm128,
        EVEX_Vpmovzxwd_zmm_k1z_ymmm256,
        EVEX_Vpmovsxwd_zmm_k1z_ymmm256,
    ] {
        let (d, place) = (random.zmm(), at(Register::RAX, random.below(20) as i64));
        let mask = if random.below(3) == 0 { Mask::ALL } else { Mask::zeroing(random.k()) };
        add(format!("{code:?} memory"), Box::new(move |asm| asm.masked2(code, d, place, mask)));
    }
    let (k, l, m) = (random.k(), random.k(), random.k());
    for code in [
        VEX_Kandw_kr_kr_kr,
        VEX_Kandnw_kr_kr_kr,
        VEX_Korw_kr_kr_kr,
        VEX_Kxorw_kr_kr_kr,
        VEX_Kandb_kr_kr_kr,
        VEX_Korb_kr_kr_kr,
        VEX_Kunpckbw_kr_kr_kr,
    ] {
        add(format!("{code:?} {k:?} {l:?} {m:?}"), Box::new(move |asm| asm.op3(code, k, l, m)));
    }
    add("kmovw".into(), Box::new(move |asm| asm.op2(VEX_Kmovw_kr_km16, k, l)));
    add("kmovw memory".into(), Box::new(move |asm| asm.op2(VEX_Kmovw_kr_km16, k, at(Register::RAX, 2))));
    add("kmovb memory".into(), Box::new(move |asm| asm.op2(VEX_Kmovb_kr_km8, k, at(Register::RAX, 1))));
    add("kmovw ecx".into(), Box::new(move |asm| asm.op2(VEX_Kmovw_kr_r32, k, Register::ECX)));
    add("knotw".into(), Box::new(move |asm| asm.op2(VEX_Knotw_kr_kr, k, l)));
    add("kshiftrw".into(), Box::new(move |asm| asm.op3i(VEX_Kshiftrw_kr_kr_imm8, k, l, 8, Mask::ALL)));
    add(
        "kunpckwd".into(),
        Box::new(move |asm| {
            asm.op3(VEX_Kunpckwd_kr_kr_kr, k, l, m);
            asm.op2(VEX_Kmovd_r32_kr, Register::ECX, k);
            asm.op2(VEX_Kmovw_kr_km16, k, l);
        }),
    );
    for code in [VEX_Kortestw_kr_kr, VEX_Kortestb_kr_kr] {
        add(
            format!("{code:?}"),
            Box::new(move |asm| {
                let past = asm.label();
                asm.op2(code, k, l);
                asm.je(past);
                asm.op2i(Add_rm32_imm32, Register::ECX, 1);
                asm.place(past);
            }),
        );
    }
    all
}

#[test]
fn what_is_written_out_does_the_same() {
    let mut checks = Differences::default();
    for round in 1..3 {
        let mut random = Random(0x9e37_79b9_7f4a_7c15u64.wrapping_mul(round));
        let all = written_out(&mut random);
        for (name, work) in all {
            let control = if round % 2 == 0 { FLUSHING } else { NORMAL };
            checks.check(&name, &mut random, control, &|_| {}, &work);
        }
    }
}

#[test]
fn ranges_do_the_same() {
    // With subnormal numbers as they are: the lowering flushes the others itself.
    let (mut random, mut all) = (Random(77), Differences::default());
    for code in [EVEX_Vrangeps_zmm_k1z_zmm_zmmm512b32_imm8_sae, EVEX_Vrangepd_zmm_k1z_zmm_zmmm512b64_imm8_sae] {
        for n in 0..16 {
            let (d, a, b, mask) = (random.zmm(), random.zmm(), operand(&mut random, code), random.mask());
            let work = move |asm: &mut Assembler| asm.op4i(code, d, a, b, 4 + n % 2, mask);
            all.check(&format!("{code:?}"), &mut random, NORMAL, &|_| {}, &work);
        }
    }
}

/// Lanes that are not set would fault.
#[test]
fn lanes_by_addresses_do_the_same() {
    let (mut random, mut all) = (Random(99), Differences::default());
    let index = Register::ZMM3;
    let half = Register::YMM3;
    let base = |index| indexed(Register::RAX, index, 8);
    let bare = |index| indexed_by(Register::None, index, 1, 8);
    for n in 0..12 {
        let (k, d) = (random.k(), random.pick(&[Register::ZMM1, Register::ZMM2, Register::ZMM9]));
        let cases: Vec<(Code, Register, Memory, bool)> = vec![
            (EVEX_Vpgatherdd_zmm_k1_vm32z, d, base(index), true),
            (EVEX_Vpgatherqq_zmm_k1_vm64z, d, base(index), false),
            (EVEX_Vpgatherdq_zmm_k1_vm32y, d, base(half), true),
            (EVEX_Vpgatherqd_ymm_k1_vm64z, ymm(d), base(index), false),
            (EVEX_Vpgatherqq_zmm_k1_vm64z, d, bare(index), false),
            (EVEX_Vpscatterdd_vm32z_k1_zmm, d, base(index), true),
            (EVEX_Vpscatterqq_vm64z_k1_zmm, d, base(index), false),
            (EVEX_Vpscatterdq_vm32y_k1_zmm, d, base(half), true),
            (EVEX_Vpscatterqd_vm64z_k1_ymm, ymm(d), base(index), false),
            (EVEX_Vpscatterqd_vm64z_k1_ymm, ymm(d), bare(index), false),
        ];
        for (code, d, place, short) in cases {
            let far = place.base == Register::None;
            let seed = n * 31 + 7;
            let prepare = move |state: &mut State| {
                let mut random = Random(seed);
                let mask = state.masks[k as usize - Register::K0 as usize];
                for lane in 0..if short { 16 } else { 8 } {
                    let near = random.below(64) * 4;
                    let set = mask >> lane & 1 != 0;
                    if short {
                        let value = if set { near as i64 - 128 } else { random.next() as i64 };
                        state.vectors[3][lane] = value as u32;
                    } else {
                        let value = if set && !far { near } else { random.next() };
                        state.vectors[3][2 * lane] = value as u32;
                        state.vectors[3][2 * lane + 1] = (value >> 32) as u32;
                    }
                }
            };
            let work = move |asm: &mut Assembler| {
                if far {
                    // Addresses: lanes modulo the room, from `rax` on.
                    asm.op3i(EVEX_Vpsrlq_zmm_k1z_zmmm512b64_imm8, index, index, 57, Mask::ALL);
                    asm.op2(EVEX_Vpbroadcastq_zmm_k1z_r64, Register::ZMM4, Register::RAX);
                    asm.op3(EVEX_Vpaddq_zmm_k1z_zmm_zmmm512b64, index, index, Register::ZMM4);
                }
                let mask = Mask::of(k);
                if has(code, "gather") {
                    asm.masked2(code, d, place, mask);
                } else {
                    asm.masked2(code, place, d, mask);
                }
                if far {
                    // The stack and the state lie elsewhere each time.
                    let zero = EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32;
                    asm.op3(zero, Register::ZMM4, index, index);
                    asm.op3(zero, index, Register::ZMM4, Register::ZMM4);
                }
            };
            all.check(&format!("{code:?} {d:?} {k:?}"), &mut random, NORMAL, &prepare, &work);
        }
    }
}

/// Many instructions in a row, with jumps: registers are kept, stored and renamed as they should be.
#[test]
fn sequences_do_the_same() {
    let rows = rows();
    let mut all = Differences::default();
    for seed in 1..16 {
        let mut random = Random(seed * 0x1234_5678_9abd);
        let mut works: Vec<(String, Work)> = Vec::new();
        let others = written_out(&mut random);
        let mut others: Vec<_> = others.into_iter().map(Some).collect();
        for _ in 0..40 {
            if random.below(2) == 0 {
                let (code, shape) = random.pick(&rows);
                works.push((format!("{code:?}"), of_row(code, shape, &mut random)));
            } else {
                let n = random.below(others.len() as u64) as usize;
                works.extend(others[n].take());
            }
        }
        let names: Vec<&str> = works.iter().map(|(name, _)| &**name).collect();
        let work = |asm: &mut Assembler| {
            let mut late = Vec::new();
            for (n, (_, work)) in works.iter().enumerate() {
                work(asm);
                if n % 5 == 4 {
                    // Sometimes out to code behind the rest, and back.
                    let (out, back) = (asm.label(), asm.label());
                    asm.op2i(Test_rm32_imm32, Register::ECX, 1 << (n % 32));
                    asm.jne(out);
                    late.push((out, back));
                    if n % 2 == 0 {
                        work(asm);
                    }
                    asm.place(back);
                }
            }
            let end = asm.label();
            asm.jmp(end);
            asm.rest_is_cold();
            for (out, back) in late {
                asm.place(out);
                asm.op3(EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32, Register::ZMM2, Register::ZMM2, Register::ZMM1);
                asm.jmp(back);
            }
            asm.place(end);
        };
        all.check(&format!("{seed}: {names:?}"), &mut random, NORMAL, &|_| {}, &work);
    }
}
