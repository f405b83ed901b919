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

use iced_x86::{Code, Encoder, IcedError, Instruction, OpKind, Register, RoundingControl};

/// How an instruction is encoded.
#[derive(Clone, Copy)]
struct Row {
    kind: Kind,
    /// The table of opcodes (0 to 3: one byte, `0f`, `0f38`, `0f3a`), and the prefix (0 to 3: none, `66`, `f3`, `f2`).
    map: u8,
    prefix: u8,
    /// 64 bits; bits of the length of a vector.
    wide: u8,
    length: u8,
    opcode: u8,
    /// What stands in place of a register in the byte behind the opcode.
    digit: Option<u8>,
    /// The numbers of operands: in that byte's register, in the prefix, in that byte's memory or other register, and as part of the
    /// opcode or of a byte at the end.
    register: u8,
    second: u8,
    memory: u8,
    inside: u8,
    last: u8,
    /// A number behind all, and its bytes.
    number: u8,
    number_bytes: u8,
    /// What short offsets count, without and with one element for all lanes.
    unit: u8,
    element: u8,
    /// The prefix of a vector instruction that names no registers: bits of registers are turned in it.
    start: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Prefixes and opcode.
    Plain,
    Vex,
    Evex,
}

/// No such operand.
const NONE: u8 = 7;
/// The number of a register that only the library knows how to encode.
const OTHER: u8 = 0x80;
/// A byte register that needs a prefix.
const PREFIXED: u8 = 0x40;

/// The numbers of registers.
pub static NUMBERS: [u8; 256] = numbers();

const fn numbers() -> [u8; 256] {
    let mut numbers = [OTHER; 256];
    numbers[Register::None as usize] = 0;
    let families = [
        (Register::AL, 4, 0),
        (Register::SPL, 4, PREFIXED | 4),
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
    length: u8,
    opcode: u8,
    digit: Option<u8>,
    operands: &str,
    unit: u8,
    element: u8,
) -> (Code, Row) {
    let (register, second, memory, inside, last) = (NONE, NONE, NONE, NONE, NONE);
    let mut row = Row {
        kind,
        map,
        prefix,
        wide,
        length,
        opcode,
        digit,
        register,
        second,
        memory,
        inside,
        last,
        number: NONE,
        number_bytes: 0,
        unit,
        element,
        start: match kind {
            Kind::Plain => 0,
            Kind::Vex => u32::from_le_bytes([0xc4, 0xe0 | map, wide << 7 | 0x78 | (length & 1) << 2 | prefix, 0]),
            Kind::Evex => u32::from_le_bytes([0x62, 0xf0 | map, wide << 7 | 0x7c | prefix, 0x08]),
        },
    };
    let (operands, mut n) = (operands.as_bytes(), 0);
    while n < operands.len() {
        let own = n as u8;
        match operands[n] {
            b'r' => row.register = own,
            b'v' => row.second = own,
            b'm' => row.memory = own,
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
    (code, row)
}

/// No less than the longest instruction.
const LONGEST: usize = 16;

/// Room for the bytes of an instruction, with more behind them for numbers that are written whole.
type Room = [u8; 2 * LONGEST];

/// The first bytes of an instruction, of which there are eight at most: lock, prefixes, opcode, and what says where operands are.
#[derive(Default)]
struct Head {
    bytes: u64,
    bits: u32,
}

impl Head {
    #[inline]
    fn put(&mut self, bytes: u32, count: u32) {
        self.bytes |= u64::from(bytes) << (self.bits & 63);
        self.bits += 8 * count;
    }
}

/// Memory, or a register in its place.
struct Place {
    /// The byte behind the opcode without its register; the byte behind that; the offset and its bytes.
    mode: u8,
    scaled: Option<u8>,
    offset: i32,
    offset_bytes: u8,
    /// The highest bits of what it names: of the base or register, of the index or register, and of a vector that is the index.
    base: u8,
    index: u8,
    index_of_vectors: u8,
}

/// What an instruction names, in whatever form it is at hand.
pub trait Parts {
    fn code(&self) -> Code;
    /// The memory that an operand is; none for other operands.
    fn memory(&self, operand: u32) -> Option<Memory>;
    /// The numbers of registers by operand, as [`NUMBERS`] has them; 0 for other operands, and for [`NONE`].
    fn numbers(&self) -> [u8; 8];
    /// The number that an operand is: at least its lowest bytes, as many as are given.
    fn number(&self, operand: u32, bytes: u8) -> u64;
    /// What goes beyond operands.
    fn extras(&self) -> Extras;
    /// The same in the library's form, unless that is none.
    fn instruction(&self) -> Result<Instruction, IcedError>;
}

/// Memory by its registers, the scale of the index, and an offset. The encoding asks [`Extras`] whether one element is for all lanes.
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
    pub broadcasts: bool,
    pub rounding: RoundingControl,
    pub quiet: bool,
}

impl Extras {
    pub const NONE: Extras = Extras {
        locks: false,
        mask: Register::None,
        zeroes: false,
        broadcasts: false,
        rounding: RoundingControl::None,
        quiet: false,
    };
}

impl Parts for Instruction {
    #[inline]
    fn code(&self) -> Code {
        Instruction::code(self)
    }

    #[inline]
    fn numbers(&self) -> [u8; 8] {
        let of = |register: Register| NUMBERS[register as usize];
        let last = of(self.op3_register());
        [of(self.op0_register()), of(self.op1_register()), of(self.op2_register()), last, last, 0, 0, 0]
    }

    #[inline]
    fn memory(&self, operand: u32) -> Option<Memory> {
        (self.op_kind(operand) == OpKind::Memory).then(|| Memory {
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
            broadcasts: self.is_broadcast(),
            rounding: self.rounding_control(),
            quiet: self.suppress_all_exceptions(),
        }
    }

    fn instruction(&self) -> Result<Instruction, IcedError> {
        Ok(*self)
    }
}

/// The bytes of an instruction, behind others. It jumps nowhere.
pub fn encode(i: &impl Parts, out: &mut Vec<u8>) -> Result<(), IcedError> {
    // Where it stays: bytes written one after the other are slow to be read back as a whole.
    let start = out.len();
    out.extend_from_slice(&[0; 2 * LONGEST]);
    let length = out[start..].first_chunk_mut().and_then(|room| encoded(i, room));
    out.truncate(start + length.unwrap_or(0));
    if length.is_none() {
        let mut encoder = Encoder::new(64);
        encoder.encode(&i.instruction()?, 0)?;
        out.extend_from_slice(&encoder.take_buffer());
        return Ok(());
    }
    #[cfg(debug_assertions)]
    check(&i.instruction()?, &out[start..])?;
    Ok(())
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

/// Bits of registers in the prefix of a vector instruction.
#[inline]
fn vector_bits(highs: u8, second: u8) -> u32 {
    u32::from(highs) << 8 | u32::from((second & 15) << 3) << 16
}

/// Writes an instruction, and says how long it is. None where that is left to the library.
#[inline]
fn encoded(i: &impl Parts, bytes: &mut Room) -> Option<usize> {
    let row = match *OF_CODE.get(i.code() as usize)? {
        0 => return None,
        n => &rows::ROWS[usize::from(n) - 1].1,
    };
    let numbers = i.numbers();
    let of = |operand: u8| numbers[usize::from(operand & 7)];
    let (register, second, inside) = (of(row.register), of(row.second), of(row.inside));
    let broadcasts = row.kind == Kind::Evex && i.extras().broadcasts;
    let place = place(i, row, of(row.memory), broadcasts)?;
    if (register | second | inside) & OTHER != 0 {
        return None;
    }
    let mut head = Head::default();
    let own = row.digit.unwrap_or(register & 7);
    let high = register >> 3 & 1;
    let opcode = u32::from(row.opcode);
    match row.kind {
        Kind::Plain => {
            if i.extras().locks {
                head.put(0xf0, 1);
            }
            if row.prefix != 0 {
                head.put([0, 0x66, 0xf3, 0xf2][usize::from(row.prefix & 3)], 1);
            }
            let prefixed = (register | inside | place.mode_of_byte(row, of(row.memory))) & PREFIXED;
            let base = place.base | inside >> 3 & 1;
            let rex = row.wide << 3 | high << 2 | place.index << 1 | base;
            if rex != 0 || prefixed != 0 {
                head.put(u32::from(0x40 | rex), 1);
            }
            match row.map {
                0 => {}
                1 => head.put(0x0f, 1),
                2 => head.put(0x380f, 2),
                _ => head.put(0x3a0f, 2),
            }
            head.put(opcode | u32::from(inside & 7), 1);
        }
        Kind::Vex => {
            let prefix = row.start ^ vector_bits(high << 7 | place.index << 6 | place.base << 5, second);
            if row.map == 1 && row.wide == 0 && place.index == 0 && place.base == 0 {
                let last = prefix >> 16 & 0x7f | u32::from((high ^ 1) << 7);
                head.put(opcode << 16 | last << 8 | 0xc5, 3);
            } else {
                head.put(opcode << 24 | prefix, 4);
            }
        }
        Kind::Evex => {
            // With a rounding mode, and without exceptions, vectors are as long as can be: the bits say the mode.
            let extras = i.extras();
            let (special, length) = match extras.rounding {
                RoundingControl::None if extras.quiet => (true, 0),
                RoundingControl::None => (false, row.length),
                mode => (true, mode as u8 - RoundingControl::RoundToNearest as u8),
            };
            let highs = high << 7 | place.index << 6 | place.base << 5 | register & 16;
            let second_high = second >> 4 & 1 | place.index_of_vectors;
            let mask = NUMBERS[extras.mask as usize] & 7;
            let rest = u8::from(extras.zeroes) << 7 | length << 5 | u8::from(special || broadcasts) << 4 | mask;
            let prefix = row.start ^ vector_bits(highs, second) ^ u32::from(second_high << 3 | rest) << 24;
            head.put(prefix, 4);
            head.put(opcode, 1);
        }
    }
    if row.memory != NONE || row.digit.is_some() {
        head.put(u32::from(place.mode | own << 3), 1);
        if let Some(scaled) = place.scaled {
            head.put(scaled.into(), 1);
        }
    }
    bytes[..8].copy_from_slice(&head.bytes.to_le_bytes());
    // Numbers are written whole; what is beyond their bytes is written over, or left out.
    let mut length = (head.bits / 8) as usize;
    bytes[length & 15..][..4].copy_from_slice(&place.offset.to_le_bytes());
    length += usize::from(place.offset_bytes);
    if row.last != NONE {
        bytes[length & 15] = of(row.last) << 4;
        length += 1;
    }
    if row.number != NONE {
        let number = i.number(row.number.into(), row.number_bytes);
        bytes[length & 15..][..8].copy_from_slice(&number.to_le_bytes());
        length += usize::from(row.number_bytes);
    }
    Some(length)
}

impl Place {
    const NOTHING: Place =
        Place { mode: 0, scaled: None, offset: 0, offset_bytes: 0, base: 0, index: 0, index_of_vectors: 0 };

    /// The number of a byte register that stands for memory, which may need a prefix.
    #[inline]
    fn mode_of_byte(&self, row: &Row, number: u8) -> u8 {
        if row.memory != NONE && self.mode >= 0xc0 { number } else { 0 }
    }
}

/// Memory as an instruction names it, or the register in its place, by its number. None for what is left to the library.
#[inline]
fn place(i: &impl Parts, row: &Row, register: u8, broadcasts: bool) -> Option<Place> {
    if row.memory == NONE {
        return Some(Place::NOTHING);
    }
    let Some(Memory { base, index, scale, offset, .. }) = i.memory(row.memory.into()) else {
        let more =
            Place { mode: 0xc0 | register & 7, base: register >> 3 & 1, index: register >> 4 & 1, ..Place::NOTHING };
        return (register & OTHER == 0).then_some(more);
    };
    let is_general = |register: Register| (Register::RAX..=Register::R15).contains(&register);
    let vector = (Register::XMM0..=Register::ZMM31).contains(&index);
    let known =
        (base == Register::None || is_general(base)) && (index == Register::None || is_general(index) || vector);
    // Without base and index it is a place in the lower half of memory, which kernels do not name.
    if !known || base == Register::None && index == Register::None || index == Register::RSP {
        return None;
    }
    let offset = i32::try_from(offset).ok()?;
    let (base_number, index_number) = (NUMBERS[base as usize], NUMBERS[index as usize]);
    let mut place = Place {
        base: base_number >> 3 & 1,
        index: index_number >> 3 & 1,
        index_of_vectors: index_number >> 4 & 1,
        offset,
        ..Place::NOTHING
    };
    let scale = (scale.trailing_zeros() as u8) << 6;
    let mut low = base_number & 7;
    if index != Register::None {
        place.scaled = Some(scale | (index_number & 7) << 3 | if base == Register::None { 5 } else { low });
        low = 4;
    } else if low == 4 {
        place.scaled = Some(0x24);
    }
    if base == Register::None {
        (place.mode, place.offset_bytes) = (low, 4);
        return Some(place);
    }
    let unit = match row.kind {
        Kind::Evex if broadcasts => i32::from(row.element),
        Kind::Evex => i32::from(row.unit),
        _ => 1,
    };
    // Units are powers of two.
    let shift = unit.trailing_zeros() & 31;
    if offset == 0 && base_number & 7 != 5 {
        place.mode = low;
    } else if offset & (unit - 1) == 0 && i8::try_from(offset >> shift).is_ok() {
        (place.mode, place.offset_bytes, place.offset) = (0x40 | low, 1, offset >> shift);
    } else {
        (place.mode, place.offset_bytes) = (0x80 | low, 4);
    }
    Some(place)
}
