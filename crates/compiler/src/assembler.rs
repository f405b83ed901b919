//! Machine instructions in a row: a thin layer over the assembler library, which keeps the first error for the end.

use crate::avx2::{self, Input};
use crate::encode::{Bytes, Draft, Memory, NUMBERS, Stream};
use crate::map::Set;
use core::hash::{BuildHasherDefault, Hasher};
use iced_x86::{Code, IcedError, Instruction, Register};
use std::collections::HashMap;

/// What the machine's vectors can do. Code is written for the first; a pass over the instructions ([`crate::avx2`]) makes code
/// for the second of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// 512 bits, and masks.
    Avx512,
    /// 256 bits.
    Avx2,
}

/// Bytes of a line of the cache.
pub const LINE: i32 = 64;

impl Level {
    /// General registers that the code may not use, from the end of those that are handed out.
    pub fn reserved(self) -> usize {
        match self {
            Level::Avx512 => 0,
            Level::Avx2 => avx2::RESERVED,
        }
    }
}

/// A place that is jumped to: the address that jumps have until the code is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Label(u32);

/// Why code could not be made.
#[derive(Debug)]
pub enum Failure {
    /// An instruction has no encoding, or a jump no target.
    Encoding(String),
    /// There is no rule for an instruction at this level.
    NoRule(String),
}

/// A register or memory.
#[derive(Clone, Copy, Debug)]
pub enum Operand {
    Register(Register),
    Memory(Memory),
}

impl From<Register> for Operand {
    #[inline]
    fn from(register: Register) -> Operand {
        Operand::Register(register)
    }
}

impl From<Memory> for Operand {
    #[inline]
    fn from(memory: Memory) -> Operand {
        Operand::Memory(memory)
    }
}

/// Memory at an offset from a register.
#[inline]
pub fn at(base: Register, offset: i64) -> Memory {
    Memory { base, index: Register::None, scale: 1, broadcasts: false, offset }
}

/// The same, one element for all lanes.
#[inline]
pub fn broadcast(base: Register, offset: i64) -> Memory {
    Memory { broadcasts: true, ..at(base, offset) }
}

/// Memory at base, index and offset.
#[inline]
pub fn indexed(base: Register, index: Register, offset: i64) -> Memory {
    indexed_by(base, index, 1, offset)
}

/// Memory at base, index times 1, 2, 4 or 8, and offset.
#[inline]
pub fn indexed_by(base: Register, index: Register, scale: u8, offset: i64) -> Memory {
    Memory { index, scale, ..at(base, offset) }
}

/// How an instruction writes its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mask {
    /// Lanes that are written; `None` for all.
    pub register: Register,
    /// Others become zero.
    pub zero: bool,
}

impl Mask {
    pub const ALL: Mask = Mask { register: Register::None, zero: false };

    pub fn of(register: Register) -> Mask {
        Mask { register, zero: false }
    }

    pub fn zeroing(register: Register) -> Mask {
        Mask { register, zero: true }
    }
}

/// Constants of the code, at addresses that do not change while it is made.
pub struct Constants {
    /// Lines that are taken, and the rest of the last piece. Pieces stay where they are.
    pieces: Vec<Box<[Line]>>,
    /// Lines by what they hold.
    known: HashMap<[u8; 64], usize, BuildHasherDefault<Words>>,
    /// The one that was asked for last: often the next one is the same.
    last: Option<([u8; 64], u64)>,
}

/// Hashes lines, word by word. Whoever makes lines collide finds at most [`Constants::LINES`] of them.
#[derive(Default)]
struct Words(u64);

impl Hasher for Words {
    fn write(&mut self, bytes: &[u8]) {
        let (words, _) = bytes.as_chunks();
        for word in words {
            self.write_u64(u64::from_le_bytes(*word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_usize(&mut self, _: usize) {
        // All lines are of one length.
    }

    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }
}

#[repr(C, align(64))]
#[derive(Clone, Copy)]
struct Line([u8; 64]);

impl Constants {
    /// Lines of 64 bytes; a kernel with more does without native code.
    const LINES: usize = 512;
    /// Of these, how many are made at once: most kernels have few.
    const PIECE: usize = 16;

    pub fn new() -> Constants {
        Constants { pieces: Vec::new(), known: HashMap::default(), last: None }
    }

    /// The address of the line that was asked for last.
    pub fn last(&self) -> Option<u64> {
        self.last.as_ref().map(|&(_, address)| address)
    }

    /// The address of a line. None when all are taken.
    pub fn line(&mut self, bytes: [u8; 64]) -> Option<u64> {
        if let Some((last, address)) = &self.last
            && *last == bytes
        {
            return Some(*address);
        }
        let next = self.known.len();
        let index = *self.known.entry(bytes).or_insert(next);
        if index >= Constants::LINES {
            // However often it is asked for.
            return None;
        }
        let (piece, line) = (index / Constants::PIECE, index % Constants::PIECE);
        if piece == self.pieces.len() {
            self.pieces.push(vec![Line([0; 64]); Constants::PIECE].into_boxed_slice());
        }
        let place = &mut self.pieces[piece][line];
        place.0 = bytes;
        let address = &raw const *place as u64;
        self.last = Some((bytes, address));
        Some(address)
    }
}

/// Collects instructions.
pub struct Assembler {
    level: Level,
    /// What has been encoded; and the last instruction of it, if it may still be changed, with the place where it begins.
    stream: Stream,
    last: Option<(Draft, usize)>,
    /// Instructions that a pass still changes.
    code: Vec<Instruction>,
    count: usize,
    labels: u32,
    /// Where the code that is seldom run begins.
    cold: usize,
    /// Places that are jumped to by their addresses.
    exposed: Set<u64>,
    /// The predicate, by its offset in the frame, whose lanes are in `k5` and `k6`.
    held: Option<u32>,
    error: Option<IcedError>,
}

/// What came out.
pub struct Assembled {
    bytes: Bytes,
    /// Offsets by label.
    offsets: Vec<u32>,
}

impl Assembled {
    /// A label that has no place.
    pub const NOWHERE: u32 = u32::MAX;

    pub fn new(bytes: Bytes, offsets: Vec<u32>) -> Assembled {
        Assembled { bytes, offsets }
    }

    pub fn bytes(&self) -> &[u8] {
        self.bytes.all()
    }

    /// The offset of a label.
    pub fn offset(&self, label: &Label) -> Option<u64> {
        let offset = *self.offsets.get(label.0 as usize)?;
        (offset != Assembled::NOWHERE).then_some(offset.into())
    }
}

macro_rules! jumps {
    ($($name:ident $code:ident),*) => {$(
        pub fn $name(&mut self, label: Label) {
            self.jump(Code::$code, label);
        }
    )*};
}

impl Assembler {
    /// For so many steps, about.
    pub fn new(level: Level, steps: usize) -> Assembler {
        let (bytes, instructions) = match level {
            Level::Avx512 => (128, 0),
            Level::Avx2 => (320, 16),
        };
        Assembler {
            level,
            stream: Stream::with_capacity(bytes * (steps + 16), steps + 64),
            last: None,
            code: Vec::with_capacity(instructions * (steps + 16)),
            count: 0,
            labels: 0,
            cold: usize::MAX,
            exposed: Set::default(),
            held: None,
            error: None,
        }
    }

    pub fn level(&self) -> Level {
        self.level
    }

    pub fn label(&mut self) -> Label {
        self.labels += 1;
        Label(self.labels)
    }

    pub fn place(&mut self, label: Label) {
        match self.level {
            Level::Avx512 => {
                self.last = None;
                self.stream.place(label.0);
            }
            Level::Avx2 => {
                // Labels stand before an instruction each: here before one without bytes.
                let mut here = Instruction::with(Code::Zero_bytes);
                here.set_ip(label.0.into());
                self.code.push(here);
            }
        }
        // Whoever jumps here has other things in the registers.
        self.held = None;
    }

    /// Notes a place of the code that nothing jumps to. Not with AVX2, where instructions stand for others.
    pub fn mark(&mut self) -> Label {
        debug_assert!(self.level == Level::Avx512);
        let label = self.label();
        self.last = None;
        self.stream.place(label.0);
        label
    }

    /// Places a label that is jumped to by its address.
    pub fn place_exposed(&mut self, label: Label) {
        if self.level == Level::Avx2 {
            self.exposed.insert(label.0.into());
        }
        self.place(label);
    }

    fn jump(&mut self, code: Code, label: Label) {
        match self.level {
            Level::Avx512 => {
                self.count += 1;
                self.last = None;
                self.stream.jump(code, label.0);
            }
            Level::Avx2 => self.add_instruction(Instruction::with_branch(code, label.0.into())),
        }
    }

    /// What follows is seldom run.
    pub fn rest_is_cold(&mut self) {
        self.cold = self.code.len();
    }

    /// Takes `own` bytes of the stack, a multiple of 8, from the beginning of a line of the cache on, and what the level needs
    /// above them. A vector that lies in two lines is slow to fetch from, lane by lane, behind the store. Changes `rax`.
    pub fn take_stack(&mut self, own: i32) {
        let more = if self.level == Level::Avx2 { avx2::STATE + avx2::ALIGN } else { 0 };
        self.op2(Code::Mov_r64_rm64, Register::RAX, Register::RSP);
        self.op2i(Code::Sub_rm64_imm32, Register::RSP, own + 8 + more);
        self.op2i(Code::And_rm64_imm32, Register::RSP, -LINE);
        self.op2(Code::Mov_rm64_r64, at(Register::RSP, own.into()), Register::RAX);
        if self.level == Level::Avx2 {
            self.op2(Code::Lea_r64_m, avx2::BASE, at(Register::RSP, i64::from(own + 8 + avx2::ALIGN - 1)));
            self.op2i(Code::And_rm64_imm32, avx2::BASE, -avx2::ALIGN);
        }
    }

    /// Gives it back.
    pub fn give_stack(&mut self, own: i32) {
        self.op2(Code::Mov_r64_rm64, Register::RSP, at(Register::RSP, own.into()));
    }

    jumps! {
        call Call_rel32_64, jmp Jmp_rel32_64, je Je_rel32_64, jne Jne_rel32_64, jb Jb_rel32_64, jo Jo_rel32_64, jae Jae_rel32_64,
        ja Ja_rel32_64, jbe Jbe_rel32_64, jl Jl_rel32_64, jge Jge_rel32_64, jg Jg_rel32_64, jle Jle_rel32_64
    }

    /// Instructions so far.
    pub fn instructions(&self) -> usize {
        self.count
    }

    /// The predicate whose lanes are in `k5` and `k6`.
    pub fn held(&self) -> Option<u32> {
        self.held
    }

    /// Says which one it is from here on, as long as nothing is written to the two.
    pub fn hold(&mut self, predicate: Option<u32>) {
        self.held = predicate;
    }

    /// Makes the last instruction, which writes all of `from`, write the lanes of a mask of another register instead. False if
    /// it is none that can.
    pub fn redirect(&mut self, from: Register, to: Register, mask: Mask) -> bool {
        let Some((last, start)) = self.last else { return false };
        let plain = last.mask.register == Register::None && last.first() == from;
        if !plain {
            return false;
        }
        let changed = last.writing(to).with_mask(mask);
        self.stream.retract(start);
        self.put(&changed);
        self.last = Some((changed, start));
        true
    }

    /// Encodes an instruction: by one copy of the code for it, which is in the cache.
    #[inline(never)]
    fn put(&mut self, draft: &Draft) {
        self.stream.put(draft);
    }

    fn add(&mut self, draft: &Draft) {
        match self.level {
            Level::Avx512 => {
                self.note(draft.first());
                let start = self.stream.length();
                self.stream.put(draft);
                // Others are not copied: whoever asks for the last one wants such. Behind the encoding: the processor waits for what
                // was just written field by field when it is read in larger pieces.
                match is_write_only(draft.code) {
                    true => self.keep(draft, start),
                    false => self.last = None,
                }
            }
            Level::Avx2 => self.add_made(draft),
        }
    }

    #[inline(never)]
    fn add_made(&mut self, draft: &Draft) {
        self.add_instruction(draft.to_instruction());
    }

    /// Takes note of the last instruction, which may be changed.
    #[inline(never)]
    fn keep(&mut self, draft: &Draft, start: usize) {
        self.last = Some((*draft, start));
    }

    fn add_instruction(&mut self, instruction: Result<Instruction, IcedError>) {
        match instruction {
            Ok(instruction) => {
                self.note(instruction.op0_register());
                self.code.push(instruction);
            }
            Err(error) => {
                self.error.get_or_insert(error);
            }
        }
    }

    /// Takes note of an instruction that writes a register, or something else.
    #[inline]
    fn note(&mut self, written: Register) {
        if matches!(written, Register::K5 | Register::K6) {
            self.held = None;
        }
        self.count += 1;
    }

    pub fn op0(&mut self, code: Code) {
        self.add(&Draft::new(code, &[]));
    }

    pub fn op1(&mut self, code: Code, a: impl Into<Operand>) {
        self.add(&Draft::new(code, &[a.into()]));
    }

    /// A number alone.
    pub fn op1i(&mut self, code: Code, number: u32) {
        self.add(&Draft::new(code, &[]).number(0, number.into()));
    }

    /// Two operands, of which one may be memory.
    pub fn op2(&mut self, code: Code, a: impl Into<Operand>, b: impl Into<Operand>) {
        self.add(&Draft::new(code, &[a.into(), b.into()]));
    }

    pub fn masked2(&mut self, code: Code, a: impl Into<Operand>, b: impl Into<Operand>, mask: Mask) {
        self.add(&Draft::new(code, &[a.into(), b.into()]).with_mask(mask));
    }

    /// The same, as one step for all cores.
    pub fn locked2(&mut self, code: Code, a: Memory, b: Register) {
        self.add(&Draft::new(code, &[a.into(), b.into()]).locked());
    }

    /// The same with one operand.
    pub fn locked1(&mut self, code: Code, a: Memory) {
        self.add(&Draft::new(code, &[a.into()]).locked());
    }

    /// The second operand is a number.
    pub fn op2i(&mut self, code: Code, a: impl Into<Operand>, b: i32) {
        self.add(&Draft::new(code, &[a.into()]).number(1, b.into()));
    }

    pub fn op3(&mut self, code: Code, d: Register, a: Register, b: impl Into<Operand>) {
        self.add(&Draft::new(code, &[d.into(), a.into(), b.into()]));
    }

    /// Three operands, a mask, and a rounding mode as the control word counts them (0 for the one that is set).
    pub fn masked3(&mut self, code: Code, d: Register, a: Register, b: impl Into<Operand>, mask: Mask, rounding: u8) {
        self.add(&Draft::new(code, &[d.into(), a.into(), b.into()]).with_mask(mask).rounding(rounding));
    }

    /// Two operands and a rounding mode.
    pub fn masked3_of2(&mut self, code: Code, d: Register, a: Register, rounding: u8) {
        self.add(&Draft::new(code, &[d.into(), a.into()]).rounding(rounding));
    }

    /// Two operands and a number.
    pub fn op3i(&mut self, code: Code, d: impl Into<Operand>, a: impl Into<Operand>, number: i32, mask: Mask) {
        self.add(&Draft::new(code, &[d.into(), a.into()]).number(2, number.into()).with_mask(mask));
    }

    /// Three operands and a number.
    pub fn op4i(&mut self, code: Code, d: Register, a: Register, b: impl Into<Operand>, number: i32, mask: Mask) {
        self.add(&Draft::new(code, &[d.into(), a.into(), b.into()]).number(3, number.into()).with_mask(mask));
    }

    /// Loads all of a vector. The instruction is not changed later.
    pub fn load(&mut self, to: Register, base: Register, offset: i64) {
        const OPCODE: u8 = 0x6f;
        if !self.put_move(OPCODE, to, base, offset) {
            self.op2(Code::EVEX_Vmovdqu32_zmm_k1z_zmmm512, to, at(base, offset));
        }
    }

    /// Stores all of a vector.
    pub fn store(&mut self, base: Register, offset: i64, from: Register) {
        const OPCODE: u8 = 0x7f;
        if !self.put_move(OPCODE, from, base, offset) {
            self.op2(Code::EVEX_Vmovdqu32_zmmm512_k1z_zmm, at(base, offset), from);
        }
    }

    /// A quarter of all code are such moves, which have a shorter way. False where there is none.
    #[inline]
    fn put_move(&mut self, opcode: u8, register: Register, base: Register, offset: i64) -> bool {
        let [register, base] = [register, base].map(|register| NUMBERS[register as usize]);
        let done = self.level == Level::Avx512 && self.stream.put_move(opcode, register, base, offset);
        if done {
            self.last = None;
            self.count += 1;
        }
        done
    }

    /// `mov`, of 64 bits.
    pub fn number(&mut self, to: Register, number: u64) {
        if self.level == Level::Avx512 {
            self.stream.put_number(NUMBERS[to as usize], number);
            self.last = None;
            self.count += 1;
            return;
        }
        let (code, to) = match u32::try_from(number) {
            Ok(_) => (Code::Mov_r32_imm32, narrow(to)),
            Err(_) => (Code::Mov_r64_imm64, to),
        };
        self.add(&Draft::new(code, &[to.into()]).number(1, number as i64));
    }

    /// All of it as bytes.
    pub fn assemble(self) -> Result<Assembled, Failure> {
        if let Some(error) = self.error {
            return Err(Failure::Encoding(error.to_string()));
        }
        let mut stream = self.stream;
        if self.level == Level::Avx2 {
            let next_label = u64::from(self.labels) + 1;
            let input = Input { code: &self.code, cold: self.cold, exposed: &self.exposed, next_label };
            avx2::legalise(&input, &mut stream).map_err(Failure::NoRule)?;
        }
        stream.finish().map_err(Failure::Encoding)
    }
}

/// Instructions that write their first operand, lane by lane of 32 bits, and do not read it.
const WRITE_ONLY: [Code; 13] = [
    Code::EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32,
    Code::EVEX_Vpsubd_zmm_k1z_zmm_zmmm512b32,
    Code::EVEX_Vpmulld_zmm_k1z_zmm_zmmm512b32,
    Code::EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32,
    Code::EVEX_Vpord_zmm_k1z_zmm_zmmm512b32,
    Code::EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32,
    Code::EVEX_Vpslld_zmm_k1z_zmmm512b32_imm8,
    Code::EVEX_Vpsrld_zmm_k1z_zmmm512b32_imm8,
    Code::EVEX_Vpsrad_zmm_k1z_zmmm512b32_imm8,
    Code::EVEX_Vaddps_zmm_k1z_zmm_zmmm512b32_er,
    Code::EVEX_Vsubps_zmm_k1z_zmm_zmmm512b32_er,
    Code::EVEX_Vmulps_zmm_k1z_zmm_zmmm512b32_er,
    Code::EVEX_Vmovdqu32_zmm_k1z_zmmm512,
];

#[inline]
fn is_write_only(code: Code) -> bool {
    const MOST: usize = {
        let (mut most, mut n) = (0, 0);
        while n < WRITE_ONLY.len() {
            if WRITE_ONLY[n] as usize > most {
                most = WRITE_ONLY[n] as usize;
            }
            n += 1;
        }
        most
    };
    // Asked for each instruction.
    static KNOWN: [bool; MOST + 1] = {
        let (mut known, mut n) = ([false; MOST + 1], 0);
        while n < WRITE_ONLY.len() {
            known[WRITE_ONLY[n] as usize] = true;
            n += 1;
        }
        known
    };
    KNOWN.get(code as usize) == Some(&true)
}

/// The lower half of a general register.
pub fn narrow(register: Register) -> Register {
    if (Register::RAX..=Register::R15).contains(&register) {
        Register::EAX + (register as u32 - Register::RAX as u32)
    } else {
        register
    }
}

/// The whole of a general register.
pub fn full(register: Register) -> Register {
    if (Register::EAX..=Register::R15D).contains(&register) {
        Register::RAX + (register as u32 - Register::EAX as u32)
    } else {
        register
    }
}
