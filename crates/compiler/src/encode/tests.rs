//! The table and what is encoded by it, beside the library.

use super::{Bytes, Draft, Kind, LONGEST, Row, encode, encode_move, encode_number, encoded, rows};
use crate::assembler::{Operand, at};
use iced_x86::{
    Code, Decoder, DecoderOptions, Encoder, EncodingKind, Formatter, GasFormatter, Instruction, MandatoryPrefix,
    MemoryOperand, OpCodeOperandKind, OpKind, Register, RoundingControl,
};
use std::collections::BTreeMap;
use std::fmt::Write;

/// A row as text, out of what the library knows of an instruction. None for jumps and what is no instruction.
fn row_of(code: Code) -> Option<String> {
    let info = code.op_code();
    let kind = match info.encoding() {
        EncodingKind::Legacy => "Plain",
        EncodingKind::VEX => "Vex",
        EncodingKind::EVEX => "Evex",
        _ => return None,
    };
    let mut operands = String::new();
    for &kind in info.op_kinds() {
        use OpCodeOperandKind::{
            al, cl, eax, imm8, imm8_const_1, imm8sex16, imm8sex32, imm8sex64, imm16, imm32, imm32sex64, imm64, mem,
            rax, xmm_is4, ymm_is4,
        };
        let name = format!("{kind:?}");
        operands.push(match kind {
            imm8 | imm8sex16 | imm8sex32 | imm8sex64 => 'b',
            imm16 => 'w',
            imm32 | imm32sex64 => 'd',
            imm64 => 'q',
            cl | al | eax | rax | imm8_const_1 => 'f',
            xmm_is4 | ymm_is4 => 's',
            mem => 'm',
            _ if name.starts_with("mem_vsib") || name.ends_with("_or_mem") || name.ends_with("_rm") => 'm',
            _ if name.ends_with("_reg") => 'r',
            _ if name.ends_with("_vvvv") => 'v',
            _ if name.ends_with("_opcode") => 'o',
            _ => return None,
        });
    }
    if matches!(code, Code::Zero_bytes | Code::INVALID)
        || !info.mode64()
        || info.op_code_len() != 1
        || info.rm_group_index() >= 0
    {
        return None;
    }
    let plain = info.encoding() == EncodingKind::Legacy;
    let mut prefix = match info.mandatory_prefix() {
        MandatoryPrefix::None | MandatoryPrefix::PNP => 0,
        MandatoryPrefix::P66 => 1,
        MandatoryPrefix::PF3 => 2,
        MandatoryPrefix::PF2 => 3,
    };
    if plain && info.operand_size() == 16 {
        prefix = 1;
    }
    let wide = if plain {
        u32::from(info.operand_size() == 64 && !info.default_op_size64() && !info.force_op_size64())
    } else {
        info.w()
    };
    let tuple = format!("{:?}", info.tuple_type());
    let mut sizes = tuple.trim_start_matches('N').split('b').map(|size| size.parse::<u32>().unwrap_or(1));
    let unit = sizes.next().unwrap_or(1);
    let element = sizes.next().unwrap_or(unit);
    let digit = u32::try_from(info.group_index()).ok();
    Some(format!(
        "row(Code::{code:?}, Kind::{kind}, {}, {prefix}, {wide}, {}, {:#04x}, {digit:?}, \"{operands}\", {unit}, {element}),",
        info.table() as u32,
        info.l(),
        info.op_code()
    ))
}

/// Instructions by their names in the library.
fn codes() -> BTreeMap<String, Code> {
    Code::values().map(|code| (format!("{code:?}"), code)).collect()
}

/// Those that the compiler's sources name.
fn named() -> Vec<Code> {
    let (codes, mut named, mut folders) =
        (codes(), Vec::new(), vec![concat!(env!("CARGO_MANIFEST_DIR"), "/src").into()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir::<std::path::PathBuf>(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.file_name().is_some_and(|name| name != "rows.rs" && name != "tests.rs") {
                let text = std::fs::read_to_string(path).unwrap();
                let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
                named.extend(
                    words.filter(|word| word.contains('_') || word.len() > 2).filter_map(|word| codes.get(word)),
                );
            }
        }
    }
    named.sort_unstable_by_key(|&code| code as u32);
    named.dedup();
    named
}

/// The file of rows.
fn file() -> String {
    let mut text = "//! The rows of the table: `DOPPEL_WRITE=1 cargo test -p doppel-compiler rows_are_what` writes them, as the library\n\
        //! describes the instructions that the compiler's sources name.\n\n\
        use super::{Kind, Row, row};\nuse iced_x86::Code;\n\n\
        #[rustfmt::skip]\npub static ROWS: &[(Code, Row)] = &[\n"
        .to_owned();
    named().into_iter().filter_map(row_of).for_each(|row| writeln!(text, "    {row}").unwrap());
    text + "];\n"
}

#[test]
fn rows_are_what_the_library_says() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/encode/rows.rs");
    if std::env::var_os("DOPPEL_WRITE").is_some() {
        std::fs::write(path, file()).unwrap();
    }
    let (there, meant) = (std::fs::read_to_string(path).unwrap(), file());
    let wrong: Vec<&str> = there.lines().filter(|&line| !meant.lines().any(|other| other == line)).collect();
    assert!(wrong.is_empty(), "{path}: its head says how it is written: {wrong:?}");
    // What has no row takes longer, nothing else: a few are no reason to stop.
    let missing: Vec<&str> = meant.lines().filter(|&line| !there.lines().any(|other| other == line)).collect();
    assert!(missing.len() <= 8, "{path}: its head says how it is written: {missing:?} are missing");
}

/// Numbers that look like chance.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as u32 % most
    }
}

/// A register for an operand.
fn register(kind: OpCodeOperandKind, evex: bool, chance: &mut Chance) -> Register {
    let name = format!("{kind:?}");
    let vectors = if evex { 32 } else { 16 };
    match name.split('_').next().unwrap() {
        "r8" => [Register::AL, Register::CL, Register::DL, Register::SIL, Register::R9L, Register::AH]
            [chance.below(6) as usize],
        "r16" => Register::AX + chance.below(16),
        "r32" => Register::EAX + chance.below(16),
        "r64" => Register::RAX + chance.below(16),
        "xmm" => Register::XMM0 + chance.below(vectors),
        "ymm" => Register::YMM0 + chance.below(vectors),
        "zmm" => Register::ZMM0 + chance.below(vectors),
        "k" => Register::K0 + chance.below(8),
        "cl" => Register::CL,
        "al" => Register::AL,
        "eax" => Register::EAX,
        "rax" => Register::RAX,
        other => panic!("{other}"),
    }
}

/// An instruction with operands by chance. None where the library refuses them.
fn instruction(code: Code, chance: &mut Chance) -> Option<Instruction> {
    let info = code.op_code();
    let evex = info.encoding() == EncodingKind::EVEX;
    let mut i = Instruction::default();
    i.set_code(code);
    let mut memory = false;
    for (n, &kind) in info.op_kinds().iter().enumerate() {
        use OpCodeOperandKind::{imm8, imm8sex32, imm8sex64, imm16, imm32, imm32sex64, imm64, mem};
        let n = n as u32;
        let name = format!("{kind:?}");
        let vectors = name.starts_with("mem_vsib");
        if kind == mem || vectors || name.ends_with("_or_mem") && chance.below(2) == 0 {
            memory = true;
            i.set_op_kind(n, OpKind::Memory);
            let base = if vectors && chance.below(3) == 0 { Register::None } else { Register::RAX + chance.below(16) };
            let index = match name.as_bytes().last() {
                Some(b'x') if vectors => Register::XMM0 + chance.below(if evex { 32 } else { 16 }),
                Some(b'y') if vectors => Register::YMM0 + chance.below(if evex { 32 } else { 16 }),
                Some(b'z') if vectors => Register::ZMM0 + chance.below(32),
                _ if chance.below(2) == 0 => Register::None,
                _ => [Register::RAX, Register::RBP, Register::R12, Register::R13, Register::RDI]
                    [chance.below(5) as usize],
            };
            let offset = match chance.below(4) {
                0 => 0,
                1 => i64::from(chance.below(256)) - 128,
                2 => 8 * (i64::from(chance.below(4096)) - 2048),
                _ => i64::from(chance.below(1 << 30)) - (1 << 29),
            };
            let scale = if index == Register::None { 1 } else { 1 << chance.below(4) };
            let size = if base == Register::None { 8 } else { 1 };
            let place = MemoryOperand::new(base, index, scale, offset, size, false, Register::None);
            i.set_memory_base(place.base);
            i.set_memory_index(place.index);
            i.set_memory_index_scale(place.scale);
            i.set_memory_displ_size(place.displ_size);
            i.set_memory_displacement64(place.displacement as u64);
        } else if name.starts_with("imm") {
            let number = i64::from(chance.below(1 << 30));
            match kind {
                imm8 => {
                    i.set_op_kind(n, OpKind::Immediate8);
                    i.set_immediate8(number as u8);
                }
                imm8sex32 => {
                    i.set_op_kind(n, OpKind::Immediate8to32);
                    i.set_immediate8to32((number as i8).into());
                }
                imm8sex64 => {
                    i.set_op_kind(n, OpKind::Immediate8to64);
                    i.set_immediate8to64((number as i8).into());
                }
                imm16 => {
                    i.set_op_kind(n, OpKind::Immediate16);
                    i.set_immediate16(number as u16);
                }
                imm32 => {
                    i.set_op_kind(n, OpKind::Immediate32);
                    i.set_immediate32(number as u32);
                }
                imm32sex64 => {
                    i.set_op_kind(n, OpKind::Immediate32to64);
                    i.set_immediate32to64(number - (1 << 29));
                }
                imm64 => {
                    i.set_op_kind(n, OpKind::Immediate64);
                    i.set_immediate64((number as u64) << 20 | 5);
                }
                _ => return None,
            }
        } else {
            i.set_op_kind(n, OpKind::Register);
            i.set_op_register(n, register(kind, evex, chance));
        }
    }
    if info.can_use_op_mask_register() && (info.require_op_mask_register() || chance.below(2) == 0) {
        i.set_op_mask(Register::K1 + chance.below(7));
        i.set_zeroing_masking(info.can_use_zeroing_masking() && chance.below(2) == 0);
    }
    if memory && info.can_broadcast() && chance.below(2) == 0 {
        i.set_is_broadcast(true);
    }
    if !memory && info.can_use_rounding_control() && chance.below(2) == 0 {
        let all = [
            RoundingControl::RoundToNearest,
            RoundingControl::RoundDown,
            RoundingControl::RoundUp,
            RoundingControl::RoundTowardZero,
        ];
        i.set_rounding_control(all[chance.below(4) as usize]);
    } else if !memory && info.can_suppress_all_exceptions() && chance.below(2) == 0 {
        i.set_suppress_all_exceptions(true);
    }
    if memory && info.can_use_lock_prefix() && chance.below(2) == 0 {
        i.set_has_lock_prefix(true);
    }
    Encoder::new(64).encode(&i, 0).is_ok().then_some(i)
}

/// An instruction as the disassembler shows it.
fn shown(i: &Instruction) -> String {
    let (mut formatter, mut text) = (GasFormatter::new(), String::new());
    formatter.format(i, &mut text);
    text
}

#[test]
fn every_encoding_is_read_as_what_was_meant() {
    let mut chance = Chance(1);
    for &(code, Row { kind, .. }) in rows::ROWS {
        let (mut tried, mut ours) = (0, 0);
        for _ in 0..300 {
            let Some(i) = instruction(code, &mut chance) else { continue };
            tried += 1;
            ours += usize::from(encoded(&i, &mut [0; 2 * LONGEST]).is_some());
            let mut bytes = Bytes::default();
            bytes.skip(1);
            encode(&i, &mut bytes).unwrap();
            let bytes = bytes.all().to_vec();
            let mut theirs = Encoder::new(64);
            theirs.encode(&i, 0).unwrap();
            let theirs = theirs.take_buffer();
            assert!(bytes.len() - 1 <= theirs.len(), "{}: {bytes:02x?}, {theirs:02x?}", shown(&i));
            let mut decoder = Decoder::with_ip(64, &bytes[1..], 0, DecoderOptions::NONE);
            let read = decoder.decode();
            let meant = Decoder::with_ip(64, &theirs, 0, DecoderOptions::NONE).decode();
            assert_eq!(decoder.position(), bytes.len() - 1, "{}", shown(&i));
            assert_eq!((shown(&read), read.code()), (shown(&meant), meant.code()), "{bytes:02x?}, {theirs:02x?}");
        }
        assert!(tried > 30 && 2 * ours > tried, "{code:?}: {ours} of {tried}");
        assert!(kind != Kind::Evex || ours == tried, "{code:?}: {ours} of {tried}");
    }
}

/// Instructions in a long row keep their places, as from the library's encoder. With DOPPEL_MEASURE set, nanoseconds that an
/// instruction takes are printed: here, by that encoder, and by the library's encoder of blocks.
#[test]
fn instructions_of_a_long_row_follow_each_other() {
    use iced_x86::{BlockEncoder, BlockEncoderOptions, InstructionBlock};
    let mut chance = Chance(1);
    let all: Vec<Instruction> = (0..20)
        .flat_map(|_| rows::ROWS.iter().filter_map(|&(code, _)| instruction(code, &mut chance)).collect::<Vec<_>>())
        .collect();
    let ours = || {
        let mut out = Bytes::default();
        all.iter().for_each(|i| encode(i, &mut out).unwrap());
        out.all().to_vec()
    };
    let library = || {
        let mut encoder = Encoder::new(64);
        all.iter().for_each(|i| assert!(encoder.encode(i, 0).unwrap() > 0));
        encoder.take_buffer()
    };
    let names = |bytes: Vec<u8>| {
        let mut decoder = iced_x86::Decoder::new(64, &bytes, iced_x86::DecoderOptions::NONE);
        decoder.iter().map(|i| i.mnemonic()).collect::<Vec<_>>()
    };
    let (mine, theirs) = (names(ours()), names(library()));
    assert_eq!(mine.len(), all.len());
    assert_eq!(mine.iter().zip(&theirs).position(|(a, b)| a != b), None);
    if std::env::var_os("DOPPEL_MEASURE").is_none() {
        return;
    }
    let blocks = || {
        let block = InstructionBlock::new(&all, 0);
        BlockEncoder::encode(64, block, BlockEncoderOptions::NONE).unwrap().code_buffer
    };
    let best = |run: &dyn Fn() -> Vec<u8>| {
        let times = (0..20).map(|_| {
            let start = std::time::Instant::now();
            std::hint::black_box(run());
            start.elapsed()
        });
        times.min().unwrap().as_secs_f64() * 1e9 / all.len() as f64
    };
    let (ours, library, blocks) = (best(&ours), best(&library), best(&blocks));
    println!(
        "{} instructions: {ours:.1} ns each, by the library {library:.1} ns, in a block {blocks:.1} ns",
        all.len()
    );
}

/// What has a shorter way is the same there.
#[test]
fn moves_and_numbers_are_what_any_instruction_is() {
    let by_row = |draft: &Draft| {
        let mut bytes = Bytes::default();
        encode(draft, &mut bytes).unwrap();
        bytes.all().to_vec()
    };
    let mut short = 0;
    for (zmm, base) in (0..32u32).flat_map(|zmm| (0..16u32).map(move |base| (zmm, base))) {
        let [register, place] = [Register::ZMM0 + zmm, Register::RAX + base];
        for offset in [0, 64, -64, 8, 127 * 64, 128 * 64, -128 * 64, -129 * 64, 1 << 20, 1 << 33] {
            let memory = Operand::Memory(at(place, offset));
            let ways = [
                (0x6f, Draft::new(Code::EVEX_Vmovdqu32_zmm_k1z_zmmm512, &[register.into(), memory])),
                (0x7f, Draft::new(Code::EVEX_Vmovdqu32_zmmm512_k1z_zmm, &[memory, register.into()])),
            ];
            for (opcode, draft) in ways {
                let mut bytes = Bytes::default();
                if encode_move(opcode, zmm as u8, base as u8, offset, &mut bytes) {
                    assert_eq!(bytes.all(), by_row(&draft), "{register:?} {place:?} {offset}");
                    short += 1;
                }
            }
        }
    }
    assert!(short > 32 * 14 * 8 * 2, "{short}");
    for register in 0..16u32 {
        for number in [0, 1, 0x1234_5678, u64::from(u32::MAX), 1 << 32, u64::MAX] {
            let (code, to) = match u32::try_from(number) {
                Ok(_) => (Code::Mov_r32_imm32, Register::EAX + register),
                Err(_) => (Code::Mov_r64_imm64, Register::RAX + register),
            };
            let mut bytes = Bytes::default();
            encode_number(register as u8, number, &mut bytes);
            assert_eq!(
                bytes.all(),
                by_row(&Draft::new(code, &[to.into()]).number(1, number as i64)),
                "{to:?} {number}"
            );
        }
    }
}
