//! Machine instructions to bytes, by a table. The assembler library takes seven times as long for an instruction of a block, and
//! twice as long for one alone (a test prints it with DOPPEL_MEASURE), which is more than compiling a kernel may take; what it says is what the tests
//! hold the table and the code here against.
//! Instructions without a row, and operands that are seldom used, are left to the library.

mod draft;
mod rows;
mod stream;
#[cfg(test)]
mod tests;

pub use draft::Draft;
pub use stream::Stream;

use iced_x86::{Code, Encoder, IcedError, Instruction, OpKind, Register};
use std::sync::Mutex;

/// How an instruction is encoded.
#[derive(Clone, Copy)]
struct Row {
    /// The first bytes of an instruction that names no registers: bits of registers are turned in them. Of a plain instruction its
    /// opcode, with what stands before that in its table; of others, the prefix too. Then the byte that says where operands are, with what
    /// stands there in place of a register.
    start: u64,
    kind: Kind,
    /// Of a plain instruction: the prefix, if it has one, and bits of the opcode.
    prefix: u8,
    opcode_bits: u8,
    /// 64 bits.
    wide: u8,
    /// How many bytes these are.
    length: u8,
    /// Which operands are the register of the byte behind the opcode, the one in the prefix, that byte's memory or other register, and a
    /// part of the opcode or of a byte at the end.
    register: u8,
    second: u8,
    memory: u8,
    inside: u8,
    last: u8,
    /// The operand that is a number behind all, and its bytes.
    number: u8,
    number_bytes: u8,
    /// What short offsets count, without and with one element for all lanes, as powers of two.
    unit: u8,
    element: u8,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Prefixes and opcode.
    Plain,
    Vex,
    Evex,
}

/// No such operand: [`Parts::register`] says [`Register::None`].
const NONE: u8 = 7;
/// The number of a register that only the library knows how to encode.
const OTHER: u32 = 0x80;
/// A byte register that needs a prefix.
const PREFIXED: u32 = 0x40;

/// The numbers of registers.
pub static NUMBERS: [u8; 256] = numbers();

const fn numbers() -> [u8; 256] {
    let mut numbers = [OTHER as u8; 256];
    numbers[Register::None as usize] = 0;
    let families = [
        (Register::AL, 4, 0),
        (Register::SPL, 4, PREFIXED as u8 | 4),
        (Register::R8L, 8, 8),
        (Register::AX, 16, 0),
        (Register::EAX, 16, 0),
        (Register::RAX, 16, 0),
        (Register::XMM0, 32, 0),
        (Register::YMM0, 32, 0),
        (Register::ZMM0, 32, 0),
        (Register::K0, 8, 0),
    ];
    let mut family = 0;
    while family < families.len() {
        let (first, count, number) = families[family];
        let mut n = 0;
        while n < count {
            numbers[first as usize + n] = number + n as u8;
            n += 1;
        }
        family += 1;
    }
    numbers
}

/// The numbers of registers that are a base. Where there is none: a number that says so, of which the lower bits stand for none.
static BASES: [u8; 256] = {
    let mut numbers = named(&[(Register::RAX, 16)], 5);
    numbers[Register::RSP as usize] |= INDEXED as u8;
    numbers[Register::R12 as usize] |= INDEXED as u8;
    numbers
};

/// The same of those that are an index, which the stack's register is not.
static INDICES: [u8; 256] = {
    let families = [(Register::RAX, 16), (Register::XMM0, 32), (Register::YMM0, 32), (Register::ZMM0, 32)];
    let mut numbers = named(&families, 4);
    numbers[Register::RSP as usize] = OTHER as u8;
    numbers
};

/// Nobody: of a base or an index.
const NOBODY: u32 = 0x40;
/// A base whose number says that there is an index, which may be none.
const INDEXED: u32 = 0x20;

const fn named(families: &[(Register, usize)], nobody: u8) -> [u8; 256] {
    let mut numbers = [OTHER as u8; 256];
    numbers[Register::None as usize] = NOBODY as u8 | nobody;
    let mut family = 0;
    while family < families.len() {
        let (first, count) = families[family];
        let mut n = 0;
        while n < count {
            numbers[first as usize + n] = n as u8;
            n += 1;
        }
        family += 1;
    }
    numbers
}

/// Which row an instruction has, from 1 on; 0 for none.
static OF_CODE: [u16; CODES] = of_code();

const CODES: usize = {
    let (mut most, mut n) = (0, 0);
    while n < rows::ROWS.len() {
        let code = rows::ROWS[n].0 as usize;
        if code > most {
            most = code;
        }
        n += 1;
    }
    most + 1
};

const fn of_code() -> [u16; CODES] {
    let mut of = [0; CODES];
    let mut n = 0;
    while n < rows::ROWS.len() {
        of[rows::ROWS[n].0 as usize] = n as u16 + 1;
        n += 1;
    }
    of
}

/// A row of the table. Of operands a letter each: `r` the register, `v` the one in the prefix, `m` memory or the other register, `o` a
/// part of the opcode, `s` a part of the last byte; `b`, `w`, `d`, `q` numbers of 1, 2, 4 and 8 bytes; `f` is always the same.
#[expect(clippy::too_many_arguments)]
const fn row(
    code: Code,
    kind: Kind,
    map: u8,
    prefix: u8,
    wide: u8,
    vector: u8,
    opcode: u8,
    digit: Option<u8>,
    operands: &str,
    unit: u8,
    element: u8,
) -> (Code, Row) {
    let (register, second, memory, inside, last) = (NONE, NONE, NONE, NONE, NONE);
    let (digit, has_digit) = match digit {
        Some(digit) => (digit << 3, true),
        None => (0, false),
    };
    let (start, opcode_bits, length) = match kind {
        Kind::Plain => match map {
            0 => ([opcode, digit, 0, 0, 0, 0, 0, 0], 8, 1),
            1 => ([0x0f, opcode, digit, 0, 0, 0, 0, 0], 16, 2),
            2 => ([0x0f, 0x38, opcode, digit, 0, 0, 0, 0], 24, 3),
            _ => ([0x0f, 0x3a, opcode, digit, 0, 0, 0, 0], 24, 3),
        },
        Kind::Vex => ([0xc4, 0xe0 | map, wide << 7 | 0x78 | (vector & 1) << 2 | prefix, opcode, digit, 0, 0, 0], 8, 4),
        Kind::Evex => ([0x62, 0xf0 | map, wide << 7 | 0x7c | prefix, 0x08 | vector << 5, opcode, digit, 0, 0], 8, 5),
    };
    let mut row = Row {
        start: u64::from_le_bytes(start),
        kind,
        prefix: [0, 0x66, 0xf3, 0xf2][prefix as usize & 3],
        opcode_bits,
        wide: wide << 3,
        length: 0,
        register,
        second,
        memory,
        inside,
        last,
        number: NONE,
        number_bytes: 0,
        unit: 0,
        element: 0,
    };
    if let Kind::Evex = kind {
        (row.unit, row.element) = (unit.trailing_zeros() as u8, element.trailing_zeros() as u8);
    }
    let mut has_mode = has_digit || matches!(kind, Kind::Evex);
    let (operands, mut n) = (operands.as_bytes(), 0);
    while n < operands.len() {
        let own = n as u8;
        match operands[n] {
            b'r' => row.register = own,
            b'v' => row.second = own,
            b'm' => (row.memory, has_mode) = (own, true),
            b'o' => row.inside = own,
            b's' => row.last = own,
            b'b' => (row.number, row.number_bytes) = (own, 1),
            b'w' => (row.number, row.number_bytes) = (own, 2),
            b'd' => (row.number, row.number_bytes) = (own, 4),
            b'q' => (row.number, row.number_bytes) = (own, 8),
            _ => assert!(operands[n] == b'f'),
        }
        n += 1;
    }
    row.length = length + has_mode as u8;
    (code, row)
}

/// No less than the longest instruction.
const LONGEST: usize = 16;

/// Room for the bytes of an instruction, with more behind them for numbers that are written whole.
type Room = [u8; 2 * LONGEST];

/// What says so in [`Turned`], whose highest byte has such bits.
const STRANGE: u64 = (OTHER as u64) << 56;

/// What registers turn in the first bytes of an instruction with vectors, by the place that they are named in: the byte behind the opcode
/// comes after four bytes, or after five where there may be a mask. Of plain instructions: its prefix in the lowest byte, then that byte.
struct Turned {
    register: [u64; 256],
    in_place: [u64; 256],
}

/// By [`Kind`].
static TURNED: [Turned; 3] = [turned(Kind::Plain), turned(Kind::Vex), turned(Kind::Evex)];

/// What registers turn as the one in the prefix.
static SECOND: [u64; 256] = {
    let (mut second, mut n) = ([0; 256], 0);
    while n < 256 {
        let number = NUMBERS[n] as u64;
        second[n] = (number & 15) << 19 | (number >> 4 & 1) << 27 | (number & OTHER as u64) << 56;
        n += 1;
    }
    second
};

const fn turned(kind: Kind) -> Turned {
    let mut turned = Turned { register: [0; 256], in_place: [0; 256] };
    let mut register = 0;
    while register < 256 {
        let number = NUMBERS[register] as u64;
        let (low, high, higher) = (number & 7, number >> 3 & 1, number >> 4 & 1);
        let flags = (number & (OTHER | PREFIXED) as u64) << 56;
        let (as_register, in_place, mode) = match kind {
            Kind::Plain => (high << 2, high, 8),
            Kind::Vex => (high << 15 | higher << 12, (high | higher << 1) << 13, 32),
            Kind::Evex => (high << 15 | higher << 12, (high | higher << 1) << 13, 40),
        };
        turned.register[register] = flags | as_register | low << 3 << mode;
        turned.in_place[register] = flags | in_place | (0xc0 | low) << mode;
        register += 1;
    }
    turned
}

/// What an instruction names, in whatever form it is at hand.
pub trait Parts {
    fn code(&self) -> Code;
    /// The memory that an operand is; none for other operands.
    fn memory(&self, operand: u32) -> Option<Memory>;
    /// The register that an operand is; none for other operands, and for [`NONE`].
    fn register(&self, operand: u8) -> Register;
    /// The number that an operand is: at least its lowest bytes, as many as are given. Anything for none.
    fn number(&self, operand: u32, bytes: u8) -> u64;
    /// What goes beyond operands.
    fn extras(&self) -> Extras;
    /// The same in the library's form, unless that is none.
    fn instruction(&self) -> Result<Instruction, IcedError>;
}

/// Memory by its registers, the scale of the index, and an offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    pub base: Register,
    pub index: Register,
    /// 1, 2, 4 or 8.
    pub scale: u8,
    /// One element is for all lanes.
    pub broadcasts: bool,
    pub offset: i64,
}

/// What an instruction says beyond its operands.
pub struct Extras {
    pub locks: bool,
    pub mask: Register,
    pub zeroes: bool,
    /// The mode as these instructions have it, and one more; 0 for the one that is set.
    pub rounding: u8,
    pub quiet: bool,
}

impl Extras {
    pub const NONE: Extras = Extras { locks: false, mask: Register::None, zeroes: false, rounding: 0, quiet: false };
}

impl Parts for Instruction {
    #[inline]
    fn code(&self) -> Code {
        Instruction::code(self)
    }

    #[inline]
    fn register(&self, operand: u8) -> Register {
        if operand < 4 { self.op_register(operand.into()) } else { Register::None }
    }

    #[inline]
    fn memory(&self, operand: u32) -> Option<Memory> {
        let is_memory = operand < self.op_count() && self.op_kind(operand) == OpKind::Memory;
        is_memory.then(|| Memory {
            base: self.memory_base(),
            index: self.memory_index(),
            scale: self.memory_index_scale() as u8,
            broadcasts: self.is_broadcast(),
            offset: self.memory_displacement64() as i64,
        })
    }

    #[inline]
    fn number(&self, operand: u32, bytes: u8) -> u64 {
        match bytes {
            0 => 0,
            1 => self.immediate8().into(),
            2 => self.immediate16().into(),
            4 => self.immediate32().into(),
            _ => self.immediate(operand),
        }
    }

    #[inline]
    fn extras(&self) -> Extras {
        Extras {
            locks: self.has_lock_prefix(),
            mask: self.op_mask(),
            zeroes: self.zeroing_masking(),
            rounding: self.rounding_control() as u8,
            quiet: self.suppress_all_exceptions(),
        }
    }

    fn instruction(&self) -> Result<Instruction, IcedError> {
        Ok(*self)
    }
}

/// Bytes behind each other, with room for more.
#[derive(Default)]
pub struct Bytes {
    /// What is behind the end is of no meaning.
    room: Vec<u8>,
    end: usize,
}

/// Room that is not in use: the next code goes where the system has given memory already.
static SPARE: Mutex<Vec<u8>> = Mutex::new(Vec::new());

impl Bytes {
    /// The most that is kept.
    const MOST_SPARE: usize = 1 << 19;

    /// With room for so many.
    pub fn with_capacity(bytes: usize) -> Bytes {
        let spare = SPARE.try_lock().map(|mut spare| core::mem::take(&mut *spare)).unwrap_or_default();
        Bytes { room: if spare.len() < bytes { vec![0; bytes] } else { spare }, end: 0 }
    }

    /// How many there are.
    #[inline]
    pub fn length(&self) -> usize {
        self.end
    }

    /// Those behind a place go.
    pub fn truncate(&mut self, length: usize) {
        self.end = self.end.min(length);
    }

    /// So many at the end, of no meaning.
    pub fn skip(&mut self, count: usize) {
        if self.room.len() - self.end < count {
            self.grow(count);
        }
        self.end += count;
    }

    #[cold]
    fn grow(&mut self, count: usize) {
        self.room.resize(2 * self.room.len() + count.max(1 << 10), 0);
    }

    /// Where the next instruction goes.
    #[inline]
    fn room(&mut self) -> &mut Room {
        if self.room.len() - self.end < size_of::<Room>() {
            self.grow(size_of::<Room>());
        }
        match self.room.get_mut(self.end..).and_then(<[u8]>::first_chunk_mut) {
            Some(room) => room,
            None => unreachable!("there is room"),
        }
    }

    /// All of them.
    pub fn all(&self) -> &[u8] {
        &self.room[..self.end]
    }

    /// The same, to be changed.
    pub fn all_mut(&mut self) -> &mut [u8] {
        &mut self.room[..self.end]
    }
}

impl Drop for Bytes {
    fn drop(&mut self) {
        let Ok(mut spare) = SPARE.try_lock() else { return };
        if (spare.len() + 1..=Bytes::MOST_SPARE).contains(&self.room.len()) {
            *spare = core::mem::take(&mut self.room);
        }
    }
}

/// Puts an instruction behind others. It jumps nowhere.
#[inline]
pub fn encode(i: &impl Parts, out: &mut Bytes) -> Result<(), IcedError> {
    let start = out.end;
    let Some(length) = encoded(i, out.room()) else {
        return encode_by_library(i, out);
    };
    out.end = start + length;
    #[cfg(debug_assertions)]
    check(&i.instruction()?, &out.room[start..out.end])?;
    Ok(())
}

#[cold]
fn encode_by_library(i: &impl Parts, out: &mut Bytes) -> Result<(), IcedError> {
    let mut encoder = Encoder::new(64);
    encoder.encode(&i.instruction()?, 0)?;
    let bytes = encoder.take_buffer();
    let start = out.end;
    out.skip(bytes.len());
    out.room[start..out.end].copy_from_slice(&bytes);
    Ok(())
}

/// A move of all of a vector of 512 bits, by the opcode for its way, between a register and memory at an offset from another, by their
/// numbers. False where that takes more than this knows.
#[inline]
pub fn encode_move(opcode: u8, register: u8, base: u8, offset: i64, out: &mut Bytes) -> bool {
    let short = i8::try_from(offset >> 6).ok().filter(|_| offset & 63 == 0);
    let Ok(long) = i32::try_from(offset) else { return false };
    if base & 7 == 4 || offset == 0 && base & 7 != 5 {
        return false;
    }
    let room = out.room();
    let highs = 0xf1 ^ (register & 8) << 4 ^ register & 16 ^ (base & 8) << 2;
    let mode = if short.is_some() { 0x40 } else { 0x80 } | (register & 7) << 3 | base & 7;
    room[..8].copy_from_slice(&[0x62, highs, 0x7e, 0x48, opcode, mode, 0, 0]);
    room[6..10].copy_from_slice(&short.map_or(long, i32::from).to_le_bytes());
    out.end += if short.is_some() { 7 } else { 10 };
    true
}

/// A number in a general register, by its number: the shorter form clears the upper half.
#[inline]
pub fn encode_number(register: u8, number: u64, out: &mut Bytes) {
    let room = out.room();
    let (high, opcode) = (register >> 3 & 1, 0xb8 | register & 7);
    match u32::try_from(number) {
        Ok(number) => {
            // Without a prefix for the first eight.
            let start = usize::from(high ^ 1);
            let [a, b, c, d] = number.to_le_bytes();
            let bytes = [0x41, opcode, a, b, c, d, 0, 0];
            room[..8].copy_from_slice(&(u64::from_le_bytes(bytes) >> (8 * start)).to_le_bytes());
            out.end += 6 - start;
        }
        Err(_) => {
            room[..2].copy_from_slice(&[0x48 | high, opcode]);
            room[2..10].copy_from_slice(&number.to_le_bytes());
            out.end += 10;
        }
    }
}

/// What the library takes no exception to, and where nothing is shorter here, is the same there.
#[cfg(debug_assertions)]
fn check(i: &Instruction, bytes: &[u8]) -> Result<(), IcedError> {
    let mut encoder = Encoder::new(64);
    encoder.encode(i, 0)?;
    let theirs = encoder.take_buffer();
    let shorter = i.memory_displ_size() != 0 && bytes.len() < theirs.len();
    assert!(theirs == bytes || shorter, "{:?}: {bytes:02x?}, and not {theirs:02x?}", i.code());
    Ok(())
}

/// How an instruction names memory.
struct Place {
    /// The byte behind the opcode, without its register, and the one behind that, if there are that many bytes more.
    mode: u32,
    scaled_bytes: u32,
    /// The offset as it is written, and its bytes.
    written: i32,
    offset_bytes: u32,
    /// The fourth bits of base and index, and the fifth one of the index where the prefix of vectors has it.
    highs: u32,
    higher: u32,
}

impl Place {
    /// Memory at an offset that is counted in so many bytes where it is short, as a power of two. None where the library is asked.
    #[inline(always)]
    fn of(memory: &Memory, unit: u8) -> Option<Place> {
        let (base, index) = (u32::from(BASES[memory.base as usize]), u32::from(INDICES[memory.index as usize]));
        let offset = i32::try_from(memory.offset).ok()?;
        let short = offset >> (unit & 31);
        let fits = i32::from(short as i8) << (unit & 31) == offset;
        let low = base & 7;
        // How long the offset is: not at all, a byte, or all of it.
        let size = u32::from(offset != 0 || low == 5) << u32::from(!fits);
        let mut place = Place {
            mode: size << 6 | low,
            scaled_bytes: 0,
            written: if fits { short } else { offset },
            offset_bytes: size + (size & 2),
            highs: base >> 3 & 1,
            higher: 0,
        };
        // Most have no index, and a base that stands for itself.
        if (base & (OTHER | NOBODY | INDEXED), index) != (0, NOBODY | 4) {
            // Without base and index it is a place in the lower half of memory, which kernels do not name.
            if (base | index) & OTHER != 0 || base & index & NOBODY != 0 {
                return None;
            }
            let scaled = memory.scale.trailing_zeros() << 6 | (index & 7) << 3 | low;
            place.highs |= index >> 2 & 2;
            place.higher = (index & 16) << 23;
            place.mode = place.mode & 0xc0 | 4 | scaled << 8;
            place.scaled_bytes = 1;
            if base & NOBODY != 0 {
                // An offset of 32 bits, without a base.
                (place.mode, place.written, place.offset_bytes) = (4 | scaled << 8, offset, 4);
            }
        }
        Some(place)
    }
}

/// Writes the first bytes of an instruction, so many of which count, and the offset behind them; returns where it ends. Both are written
/// whole: what is beyond their bytes is written over, or left out.
#[inline(always)]
fn put_start(bytes: &mut Room, head: u64, length: usize, (offset, offset_bytes): (i32, usize)) -> usize {
    bytes[..8].copy_from_slice(&head.to_le_bytes());
    bytes[length & 15..][..4].copy_from_slice(&offset.to_le_bytes());
    length + offset_bytes
}

/// [`encoded`] for instructions that may have a mask: half of all.
#[inline(always)]
fn encoded_with_mask(row: &Row, i: &impl Parts, bytes: &mut Room) -> Option<usize> {
    let turned = &TURNED[Kind::Evex as usize];
    let register = |operand: u8| i.register(operand) as usize;
    let mut head = row.start ^ turned.register[register(row.register)] ^ SECOND[register(row.second)];
    let extras = i.extras();
    head ^= u64::from(NUMBERS[extras.mask as usize] & 7) << 24 | u64::from(extras.zeroes) << 31;
    let mut length = 6;
    let (mut written, mut offset_bytes) = (0, 0);
    if let Some(memory) = i.memory(row.memory.into()) {
        let place = Place::of(&memory, if memory.broadcasts { row.element } else { row.unit })?;
        head ^= u64::from(place.highs << 13 | place.higher) | u64::from(memory.broadcasts) << 28;
        head ^= u64::from(place.mode) << 40;
        length += place.scaled_bytes as usize;
        (written, offset_bytes) = (place.written, place.offset_bytes as usize);
    } else {
        head ^= turned.in_place[register(row.memory)];
    }
    if head & STRANGE != 0 {
        return None;
    }
    if extras.rounding != 0 || extras.quiet {
        // Vectors are as long as can be: the bits say the mode.
        head = head & !(3 << 29) | 1 << 28 | u64::from(extras.rounding.saturating_sub(1)) << 29;
    }
    length = put_start(bytes, head, length, (written, offset_bytes));
    bytes[length & 15] = i.number(row.number.into(), row.number_bytes) as u8;
    Some(length + usize::from(row.number_bytes))
}

/// [`encoded`] for others with vectors.
#[inline(always)]
fn encoded_with_vectors(row: &Row, i: &impl Parts, bytes: &mut Room) -> Option<usize> {
    let turned = &TURNED[Kind::Vex as usize];
    let register = |operand: u8| i.register(operand) as usize;
    let mut head = row.start ^ turned.register[register(row.register)] ^ SECOND[register(row.second)];
    let mut length = usize::from(row.length);
    let (mut written, mut offset_bytes) = (0, 0);
    if let Some(memory) = i.memory(row.memory.into()) {
        let place = Place::of(&memory, 0)?;
        head ^= u64::from(place.highs << 13 | place.higher) | u64::from(place.mode) << 32;
        length += place.scaled_bytes as usize;
        (written, offset_bytes) = (place.written, place.offset_bytes as usize);
    } else {
        head ^= turned.in_place[register(row.memory)];
    }
    if head & STRANGE != 0 {
        return None;
    }
    if head & 0x80_7f00 == 0x6100 {
        // What the longer prefix says beyond the shorter one is as that has it.
        head = 0xc5 | head >> 8 & 0x7f00 | head & 0x8000 | head >> 24 << 16;
        length -= 1;
    }
    length = put_start(bytes, head, length, (written, offset_bytes));
    if row.last != NONE {
        let number = NUMBERS[register(row.last)];
        if u32::from(number) & OTHER != 0 {
            return None;
        }
        bytes[length & 15] = number << 4;
        length += 1;
    }
    bytes[length & 15] = i.number(row.number.into(), row.number_bytes) as u8;
    Some(length + usize::from(row.number_bytes))
}

/// [`encoded`] for those without vectors.
#[inline(always)]
fn encoded_plainly(row: &Row, i: &impl Parts, bytes: &mut Room) -> Option<usize> {
    let turned = &TURNED[Kind::Plain as usize];
    let register = |operand: u8| i.register(operand) as usize;
    let own = turned.register[register(row.register)];
    let inside = turned.in_place[register(row.inside)];
    let mut all = own | inside;
    let (mut rex, mut mode) = (u32::from(row.wide) | own as u32 & 7 | inside as u32 & 1, own as u32 >> 8 & 0xff);
    let (mut written, mut offset_bytes, mut scaled_bytes) = (0, 0, 0);
    if let Some(memory) = i.memory(row.memory.into()) {
        let place = Place::of(&memory, 0)?;
        (written, offset_bytes, scaled_bytes) = (place.written, place.offset_bytes as usize, place.scaled_bytes);
        (rex, mode) = (rex | place.highs, mode | place.mode);
    } else {
        let other = turned.in_place[register(row.memory)];
        (rex, mode, all) = (rex | other as u32 & 1, mode | other as u32 >> 8 & 0xff, all | other);
    }
    if all & STRANGE != 0 {
        return None;
    }
    // The first bytes, of which there are eight at most: lock, prefixes, opcode, and what says where operands are.
    let opcode_bits = row.opcode_bits & 63;
    let mut head = row.start | (inside >> 8 & 7) << opcode_bits >> 8 | u64::from(mode) << opcode_bits;
    let mut length = usize::from(row.length) + scaled_bytes as usize;
    let has_prefix = u32::from(rex | (all >> 56) as u32 & PREFIXED != 0);
    head = head << (8 * has_prefix) | u64::from((0x40 | rex) * has_prefix);
    length += has_prefix as usize;
    let locks = i.extras().locks;
    if row.prefix != 0 || locks {
        for byte in [row.prefix, u8::from(locks) * 0xf0].into_iter().filter(|&byte| byte != 0) {
            (head, length) = (head << 8 | u64::from(byte), length + 1);
        }
    }
    length = put_start(bytes, head, length, (written, offset_bytes));
    let number = i.number(row.number.into(), row.number_bytes);
    bytes[length & 15..][..8].copy_from_slice(&number.to_le_bytes());
    Some(length + usize::from(row.number_bytes))
}

/// Writes an instruction, and says how long it is. None where that is left to the library.
#[inline]
fn encoded(i: &impl Parts, bytes: &mut Room) -> Option<usize> {
    let row = match *OF_CODE.get(i.code() as usize)? {
        0 => return None,
        n => &rows::ROWS[usize::from(n) - 1].1,
    };
    match row.kind {
        Kind::Evex => encoded_with_mask(row, i, bytes),
        Kind::Plain => encoded_plainly(row, i, bytes),
        Kind::Vex => encoded_with_vectors(row, i, bytes),
    }
}
