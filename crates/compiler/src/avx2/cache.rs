//! Machine registers as a cache of what is at home in memory, and instructions on what may be in either.

use super::{BASE, FREE, Pass, V};
use crate::assembler::at;
use crate::encode::{Extras, Memory, Parts};
use iced_x86::{Code, IcedError, Instruction, OpKind, Register};

pub const NONE: V = V::MAX;
/// Halves of registers from 0 on, then halves of masks, then what is worked out on the way, then memory, then constants.
pub const FIRST_MASK: V = 64;
pub const FIRST_TEMP: V = 80;
pub const TEMPS: usize = 72;
pub const FIRST_SLOT: V = FIRST_TEMP + TEMPS as V;
pub const FIRST_CONSTANT: V = 160;
pub const VECTORS: usize = FIRST_CONSTANT as usize + constant::COUNT;

#[derive(Clone, Copy)]
pub struct Phys {
    pub v: V,
    /// It is not at home.
    pub dirty: bool,
}

/// Registers by when they were used last, the one that was longest ago first: four bits each.
#[derive(Clone, Copy)]
pub struct Order(u64);

impl Order {
    pub const START: Order = Order(0xfedc_ba98_7654_3210);

    /// A register is used.
    #[inline]
    fn used(&mut self, n: usize) {
        const ONES: u64 = 0x1111_1111_1111_1111;
        // Its four bits are the lowest ones that become zero.
        let found = self.0 ^ (ONES * n as u64);
        let at = (found.wrapping_sub(ONES) & !found & ONES << 3).trailing_zeros() & 60;
        let later = self.0 >> at >> 4 << at;
        self.0 = self.0 & !(u64::MAX << at) | later | (n as u64) << 60;
    }

    /// The first one that is in none of a set.
    #[inline]
    fn first_without(self, set: u16) -> Option<usize> {
        (0..16).map(|place| (self.0 >> (4 * place) & 15) as usize).find(|n| set >> n & 1 == 0)
    }
}

#[repr(C, align(32))]
pub struct Line([u32; 8]);

const fn all32(bits: u32) -> Line {
    Line([bits; 8])
}

const fn all64(bits: u64) -> Line {
    let (low, high) = (bits as u32, (bits >> 32) as u32);
    Line([low, high, low, high, low, high, low, high])
}

macro_rules! constants {
    ($($name:ident = $line:expr;)*) => {
        /// Vectors that never change.
        pub mod constant {
            use super::{FIRST_CONSTANT, Line, V, all32, all64};
            #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
            enum Number { $($name,)* COUNT }
            $(pub const $name: V = FIRST_CONSTANT + Number::$name as V;)*
            pub const COUNT: usize = Number::COUNT as usize;
            pub static LINES: [Line; COUNT] = [$($line),*];
        }
    };
}

constants! {
    ZERO = all32(0);
    ONES = all32(u32::MAX);
    BITS_LOW = Line([1, 2, 4, 8, 16, 32, 64, 128]);
    BITS_HIGH = Line([1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15]);
    SIGN32 = all32(1 << 31);
    SIGN64 = all64(1 << 63);
    LOW8 = all32(0xff);
    LOW16 = all32(0xffff);
    LOW32 = all64(0xffff_ffff);
    NIBBLES = all32(0x0f0f_0f0f);
    // Ones of a nibble.
    COUNTS = Line([0x0201_0100, 0x0302_0201, 0x0302_0201, 0x0403_0302, 0x0201_0100, 0x0302_0201, 0x0302_0201, 0x0403_0302]);
    BYTES = all32(0x0101_0101);
    WORDS = all32(0x0001_0001);
    N32 = all32(32);
    N32_64 = all64(32);
    N158 = all32(158);
    QUIET32 = all32(1 << 22);
    QUIET64 = all64(1 << 51);
    // Powers of two as floating point numbers.
    F32_31 = all32(0x4f00_0000);
    F32_32 = all32(0x4f80_0000);
    F32_MINUS_1 = all32(0xbf80_0000);
    F32_23 = all32(0x4b00_0000);
    F32_39 = all32(0x5300_0000);
    F32_39_23 = all32(0x5300_0080);
    F64_31 = all64(0x41e0_0000_0000_0000);
    F64_32 = all64(0x41f0_0000_0000_0000);
    F64_63 = all64(0x43e0_0000_0000_0000);
    F64_64 = all64(0x43f0_0000_0000_0000);
    F64_MINUS_1 = all64(0xbff0_0000_0000_0000);
    F64_52 = all64(0x4330_0000_0000_0000);
    F64_84 = all64(0x4530_0000_0000_0000);
    F64_84_52 = all64(0x4530_0000_0010_0000);
    F64_84_63 = all64(0x4530_0000_8000_0000);
    F64_84_63_52 = all64(0x4530_0000_8010_0000);
    BYTES_IN_ORDER = Line([0, 4, 1, 5, 2, 6, 3, 7]);
}

/// An operand of an instruction.
#[derive(Clone, Copy)]
pub enum A {
    /// Written, read and written, read; as 256 bits or (`x`) the lower 128.
    W(V),
    Wx(V),
    U(V),
    Ux(V),
    R(V),
    Rx(V),
    /// Read, from memory if it is there.
    M(V),
    Mx(V),
    /// Memory.
    P(Memory),
    /// Memory by indices.
    Px(Memory, V, bool),
    /// A general register, or a vector register by its name.
    G(Register),
    I(u8),
}

/// Where something lies.
pub fn slot(v: V) -> Memory {
    at(BASE, 32 * i64::from(v))
}

pub fn moved(memory: Memory, by: i64) -> Memory {
    Memory { offset: memory.offset + by, ..memory }
}

pub fn y(n: usize) -> Register {
    use Register::*;
    const ALL: [Register; 16] =
        [YMM0, YMM1, YMM2, YMM3, YMM4, YMM5, YMM6, YMM7, YMM8, YMM9, YMM10, YMM11, YMM12, YMM13, YMM14, YMM15];
    ALL[n & 15]
}

pub fn x(n: usize) -> Register {
    use Register::*;
    const ALL: [Register; 16] =
        [XMM0, XMM1, XMM2, XMM3, XMM4, XMM5, XMM6, XMM7, XMM8, XMM9, XMM10, XMM11, XMM12, XMM13, XMM14, XMM15];
    ALL[n & 15]
}

pub enum Op {
    Reg(Register),
    Mem(Memory),
    Imm(u8),
}

pub fn build(code: Code, ops: &[Op]) -> Instruction {
    let mut i = Instruction::with(Code::Nopd);
    i.set_code(code);
    for (n, op) in (0..).zip(ops) {
        match *op {
            Op::Reg(register) => {
                i.set_op_kind(n, OpKind::Register);
                i.set_op_register(n, register);
            }
            Op::Mem(memory) => {
                i.set_op_kind(n, OpKind::Memory);
                i.set_memory_base(memory.base);
                i.set_memory_index(memory.index);
                i.set_memory_index_scale(memory.scale.into());
                i.set_memory_displ_size(if memory.base == Register::None { 8 } else { 1 });
                i.set_memory_displacement64(memory.offset as u64);
            }
            Op::Imm(number) => {
                i.set_op_kind(n, OpKind::Immediate8);
                i.set_immediate8(number);
            }
        }
    }
    i
}

pub fn store(n: usize, v: V) -> Instruction {
    build(Code::VEX_Vmovdqa_ymmm256_ymm, &[Op::Mem(slot(v)), Op::Reg(y(n))])
}

/// An instruction of this pass, as it is encoded.
struct Made<'o> {
    code: Code,
    ops: &'o [Op],
}

impl Parts for Made<'_> {
    #[inline]
    fn code(&self) -> Code {
        self.code
    }

    #[inline]
    fn register(&self, operand: u8) -> Register {
        match self.ops.get(usize::from(operand)) {
            Some(&Op::Reg(register)) => register,
            _ => Register::None,
        }
    }

    #[inline]
    fn memory(&self, operand: u32) -> Option<Memory> {
        let Some(Op::Mem(memory)) = self.ops.get(operand as usize) else { return None };
        Some(*memory)
    }

    #[inline]
    fn number(&self, operand: u32, _: u8) -> u64 {
        match self.ops.get(operand as usize) {
            Some(&Op::Imm(number)) => number.into(),
            _ => 0,
        }
    }

    #[inline]
    fn extras(&self) -> Extras {
        Extras::NONE
    }

    fn instruction(&self) -> Result<Instruction, IcedError> {
        Ok(build(self.code, self.ops))
    }
}

impl Pass<'_> {
    /// Somebody looks at it in this instruction or later.
    fn is_needed(&self, v: V) -> bool {
        if v < FIRST_TEMP {
            (self.live.before(self.at) | self.live.after(self.at)) >> v & 1 != 0
        } else {
            v < FIRST_SLOT && self.users[usize::from(v - FIRST_TEMP)] != 0
        }
    }

    pub fn is_cached(&self, v: V) -> bool {
        self.place[usize::from(v)] != u8::MAX
    }

    pub fn vacate(&mut self, n: usize) {
        let v = self.phys[n].v;
        if v != NONE {
            self.place[usize::from(v)] = u8::MAX;
        }
        self.phys[n] = Phys { v: NONE, dirty: false };
        self.free |= 1 << n;
    }

    /// Registers that hold something.
    pub fn held(&self) -> impl Iterator<Item = usize> + use<> {
        let mut held = !self.free;
        core::iter::from_fn(move || {
            let n = held.trailing_zeros() as usize;
            held &= held.wrapping_sub(1);
            (n < 16).then_some(n)
        })
    }

    fn drop_place(&mut self, v: V) {
        let n = self.place[usize::from(v)];
        if n != u8::MAX {
            self.vacate(usize::from(n));
        }
    }

    /// A register that is free, or becomes so.
    fn take(&mut self) -> usize {
        let free = self.free & !self.pinned;
        if free != 0 {
            return free.trailing_zeros() as usize;
        }
        let Some(n) = self.order.first_without(self.pinned) else {
            self.fail("too many operands");
            return 0;
        };
        let Phys { v, dirty } = self.phys[n];
        if dirty && self.is_needed(v) {
            self.store(n, v);
        }
        self.vacate(n);
        n
    }

    fn hold(&mut self, n: usize, v: V) {
        self.order.used(n);
        self.phys[n].v = v;
        self.place[usize::from(v)] = n as u8;
        self.pinned |= 1 << n;
        self.free &= !(1 << n);
    }

    /// Loads something into a register, whatever was there.
    pub fn load_into(&mut self, n: usize, v: V) {
        let own = || Op::Reg(y(n));
        match v {
            constant::ZERO => self.raw(Code::VEX_Vpxor_ymm_ymm_ymmm256, &[own(), own(), own()]),
            constant::ONES => self.raw(Code::VEX_Vpcmpeqd_ymm_ymm_ymmm256, &[own(), own(), own()]),
            _ => {
                let from = self.home(v);
                self.raw(Code::VEX_Vmovdqa_ymm_ymmm256, &[own(), Op::Mem(from)]);
            }
        }
    }

    fn store(&mut self, n: usize, v: V) {
        self.raw(Code::VEX_Vmovdqa_ymmm256_ymm, &[Op::Mem(slot(v)), Op::Reg(y(n))]);
    }

    /// Where it is at home; of a constant, its address is put into the free register.
    fn home(&mut self, v: V) -> Memory {
        if v < FIRST_CONSTANT {
            return slot(v);
        }
        let line = &raw const constant::LINES[usize::from(v - FIRST_CONSTANT)];
        match Instruction::with2(Code::Mov_r64_imm64, FREE, line as u64) {
            Ok(i) => self.out.put(&i),
            Err(_) => self.fail("an address"),
        }
        at(FREE, 0)
    }

    /// Its register; loaded if need be. Pinned until the next instruction.
    pub fn r(&mut self, v: V) -> usize {
        let n = self.place[usize::from(v)];
        if n != u8::MAX {
            self.hold(n.into(), v);
            return n.into();
        }
        let n = self.take();
        self.load_into(n, v);
        self.hold(n, v);
        n
    }

    /// A register to write it to.
    pub fn w(&mut self, v: V) -> usize {
        let n = match self.place[usize::from(v)] {
            u8::MAX => self.take(),
            n => n.into(),
        };
        self.hold(n, v);
        self.phys[n].dirty = true;
        n
    }

    /// An instruction.
    pub fn e(&mut self, code: Code, args: &[A]) {
        use A::*;
        let mut ops: [Op; 5] = [const { Op::Imm(0) }; 5];
        // Operands that are written, and those that stay in memory, have their turn when all others are in registers.
        let (mut written, mut in_memory) = (0u8, 0u8);
        for ((n, op), &arg) in ops.iter_mut().enumerate().zip(args) {
            *op = match arg {
                R(v) => Op::Reg(y(self.r(v))),
                Rx(v) => Op::Reg(x(self.r(v))),
                U(v) | Ux(v) => {
                    let n = self.r(v);
                    self.phys[n].dirty = true;
                    Op::Reg(if matches!(arg, U(_)) { y(n) } else { x(n) })
                }
                Px(memory, v, narrow) => {
                    let n = self.r(v);
                    Op::Mem(Memory { index: if narrow { x(n) } else { y(n) }, ..memory })
                }
                M(v) | Mx(v) if self.is_cached(v) || matches!(v, constant::ZERO | constant::ONES) => {
                    let n = self.r(v);
                    Op::Reg(if matches!(arg, M(_)) { y(n) } else { x(n) })
                }
                P(memory) => Op::Mem(memory),
                G(register) => Op::Reg(register),
                I(number) => Op::Imm(number),
                M(_) | Mx(_) => {
                    in_memory |= 1 << n;
                    continue;
                }
                W(_) | Wx(_) => {
                    written |= 1 << n;
                    continue;
                }
            };
        }
        while written != 0 {
            let n = written.trailing_zeros() as usize;
            written &= written - 1;
            match args[n] {
                W(v) => ops[n] = Op::Reg(y(self.w(v))),
                Wx(v) => ops[n] = Op::Reg(x(self.w(v))),
                _ => {}
            }
        }
        while in_memory != 0 {
            let n = in_memory.trailing_zeros() as usize;
            in_memory &= in_memory - 1;
            if let M(v) | Mx(v) = args[n] {
                ops[n] = Op::Mem(self.home(v));
            }
        }
        self.raw(code, &ops[..args.len()]);
        self.pinned = 0;
    }

    /// Registers are named; nothing is looked after.
    pub fn raw(&mut self, code: Code, ops: &[Op]) {
        self.out.put(&Made { code, ops });
    }

    /// Something to work out on the way, until this instruction ends or it is let go.
    pub fn t(&mut self) -> V {
        let n = self.idle.trailing_zeros() as usize;
        if n >= TEMPS {
            self.fail("too much at once");
            return FIRST_TEMP;
        }
        self.users[n] = 1;
        self.idle &= !(1 << n);
        let v = FIRST_TEMP + n as V;
        self.mine.push(v);
        v
    }

    pub fn is_temp(v: V) -> bool {
        (FIRST_TEMP..FIRST_SLOT).contains(&v)
    }

    /// One more user.
    pub fn share(&mut self, v: V) {
        if Self::is_temp(v) {
            self.users[usize::from(v - FIRST_TEMP)] += 1;
            self.idle &= !(1 << (v - FIRST_TEMP));
        }
    }

    /// One user less.
    pub fn drop_user(&mut self, v: V) {
        if Self::is_temp(v) {
            let users = &mut self.users[usize::from(v - FIRST_TEMP)];
            *users = users.saturating_sub(1);
            if *users == 0 {
                self.idle |= 1 << (v - FIRST_TEMP);
                self.drop_place(v);
            }
        }
    }

    /// Lets go what has been worked out from a point on.
    pub fn release(&mut self, from: usize) {
        while self.mine.len() > from {
            if let Some(v) = self.mine.pop() {
                self.drop_user(v);
            }
        }
    }

    /// The same, but for some of it.
    pub fn release_others(&mut self, from: usize, kept: &[V]) {
        for v in self.mine.split_off(from.min(self.mine.len())) {
            if kept.contains(&v) {
                self.mine.push(v);
            } else {
                self.drop_user(v);
            }
        }
    }

    /// A half of a register becomes something: without a move if nobody else needs that.
    pub fn assign(&mut self, d: V, from: V) {
        if d == from {
            return;
        }
        let own = Self::is_temp(from) && self.users[usize::from(from - FIRST_TEMP)] == 1 && self.mine.contains(&from);
        let last = from < FIRST_TEMP && self.live.after(self.at) >> from & 1 == 0 && !self.is_aliased(from);
        let n = self.place[usize::from(from)];
        if (own || last) && n != u8::MAX {
            self.drop_place(d);
            let n = usize::from(n);
            self.place[usize::from(from)] = u8::MAX;
            if own {
                self.users[usize::from(from - FIRST_TEMP)] = 0;
                self.idle |= 1 << (from - FIRST_TEMP);
                self.mine.retain(|&v| v != from);
            }
            self.hold(n, d);
            self.phys[n].dirty = true;
            self.pinned = 0;
            return;
        }
        match n {
            u8::MAX => {
                self.drop_place(d);
                let n = self.take();
                self.load_into(n, from);
                self.hold(n, d);
                self.phys[n].dirty = true;
                self.pinned = 0;
            }
            _ => self.e(Code::VEX_Vmovdqa_ymm_ymmm256, &[A::W(d), A::R(from)]),
        }
    }

    pub fn store_dirty(&mut self, live: u128) {
        for n in self.held() {
            let Phys { v, dirty } = self.phys[n];
            if dirty && v < FIRST_TEMP && live >> v & 1 != 0 {
                self.store(n, v);
                self.phys[n].dirty = false;
            }
        }
    }

    /// Where it is in memory, up to date.
    pub fn in_memory(&mut self, v: V) -> Memory {
        let n = self.place[usize::from(v)];
        if n != u8::MAX && v < FIRST_CONSTANT {
            let n = usize::from(n);
            if self.phys[n].dirty {
                self.store(n, v);
                self.phys[n].dirty = false;
            }
        }
        self.home(v)
    }
}

#[cfg(test)]
mod tests {
    use super::Order;

    #[test]
    fn the_register_of_longest_ago_comes_first() {
        let (mut order, mut plain): (Order, Vec<usize>) = (Order::START, (0..16).collect());
        let mut seed = 1u32;
        for _ in 0..10_000 {
            seed = seed.wrapping_mul(1664525).wrapping_add(1013904223);
            let (n, set) = ((seed >> 28) as usize, (seed >> 8) as u16);
            order.used(n);
            plain.retain(|&other| other != n);
            plain.push(n);
            assert_eq!(order.first_without(set), plain.iter().copied().find(|n| set >> n & 1 == 0));
        }
        assert_eq!(order.first_without(u16::MAX), None);
    }
}
