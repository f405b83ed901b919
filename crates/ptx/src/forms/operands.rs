//! Whether operands are what a form wants.

use super::Form;
use crate::instruction::Special;
use crate::{Body, Instruction, Operand, Type};

/// What kind of number a type is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Class {
    Bits,
    Integer,
    Float,
    Predicate,
}

/// Kind and bits of a type that a modifier or a table names.
fn kind(name: &str) -> Option<(Class, u32)> {
    let (class, bits) = match name {
        "pred" => return Some((Class::Predicate, 1)),
        "f16x2" => return Some((Class::Float, 32)),
        // Registers of these are plain bits.
        "bf16x2" | "tf32" | "u16x2" | "s16x2" | "u8x4" | "s8x4" => return Some((Class::Bits, 32)),
        "bf16" | "e4m3x2" | "e5m2x2" | "e2m3x2" | "e3m2x2" | "ue8m0x2" | "s2f6x2" => return Some((Class::Bits, 16)),
        "e4m3x4" | "e5m2x4" | "e2m3x4" | "e3m2x4" => return Some((Class::Bits, 32)),
        "e2m1x2" | "e4m3" | "e5m2" | "e2m3" | "e3m2" | "e2m1" | "ue8m0" | "ue4m3" => return Some((Class::Bits, 8)),
        "e2m1x4" => return Some((Class::Bits, 16)),
        "f32x2" | "texref" | "samplerref" | "surfref" => return Some((Class::Bits, 64)),
        "b8x16" | "b6x16_p32" | "b4x16_p64" | "b1024" => return Some((Class::Bits, 128)),
        _ => (name.chars().next()?, name.get(1..)?.parse().ok()?),
    };
    let class = match class {
        'b' => Class::Bits,
        'u' | 's' => Class::Integer,
        'f' => Class::Float,
        _ => return None,
    };
    Some((class, bits))
}

/// True for modifiers that are types.
pub fn is_type(modifier: &str) -> bool {
    kind(modifier).is_some()
}

/// Twice as wide.
fn wider(name: &str) -> &'static str {
    match name {
        "u16" => "u32",
        "s16" => "s32",
        "u32" => "u64",
        _ => "s64",
    }
}

fn class_of(ty: Type) -> Class {
    match ty {
        Type::Pred => Class::Predicate,
        _ if ty.is_float() => Class::Float,
        Type::U8 | Type::U16 | Type::U32 | Type::U64 | Type::S8 | Type::S16 | Type::S32 | Type::S64 => Class::Integer,
        _ => Class::Bits,
    }
}

/// What a table's word for an operand says.
struct Shape<'t> {
    /// The type's name.
    name: &'t str,
    /// Registers may be wider.
    relaxed: bool,
    result: bool,
}

/// Whether an operand is of a type.
fn fits(operand: &Operand<'_>, shape: &Shape<'_>, body: &Body<'_>) -> bool {
    let Some((class, bits)) = kind(shape.name) else { return false };
    match operand {
        Operand::Register(register) => {
            let own = body.registers[*register as usize];
            let width = if own == Type::Pred { 1 } else { own.bytes() as u32 * 8 };
            let wide_enough = if shape.relaxed { width >= bits } else { width == bits };
            let same = match (class, class_of(own)) {
                (Class::Predicate, other) | (other, Class::Predicate) => other == Class::Predicate && class == other,
                (Class::Bits, _) | (_, Class::Bits) => true,
                (a, b) => a == b,
            };
            // A table's integers are never wider than said where a float is meant, and the other way round.
            wide_enough && same
        }
        Operand::Nothing => shape.result,
        _ if shape.result => false,
        Operand::Not(_) => class == Class::Predicate,
        Operand::Integer(_) => class != Class::Float || bits == 16,
        Operand::Single(_) => class == Class::Float && bits <= 32 || class == Class::Bits && bits == 32,
        Operand::Double(_) => class == Class::Float || class == Class::Bits && bits == 64,
        _ => false,
    }
}

/// Checks the operands of an instruction against a form.
pub fn check(form: &Form, types: &[&str], i: &Instruction<'_>, body: &Body<'_>) -> Result<(), String> {
    if form.operands == "*" {
        return Ok(());
    }
    let mismatch = || Err(format!("Arguments mismatch for instruction '{}'", i.opcode));
    let (results, sources) = form.operands.split_once('=').unwrap_or(("", form.operands));
    let words = results.split_whitespace().map(|w| (w, true)).chain(sources.split_whitespace().map(|w| (w, false)));
    let mut operands = i.operands.iter();
    for (word, result) in words {
        let Some(operand) = operands.next() else {
            // A hint needs the policy that it names.
            if word.ends_with('?') && !word.contains('|') && !(word == "policy?" && i.has("L2::cache_hint")) {
                continue;
            }
            return mismatch();
        };
        if !suits(word, result, operand, types, i, body) {
            let number = i.operands.len() - operands.len() - 1;
            return match operand {
                _ if word.starts_with("imm") => {
                    Err(format!("Argument {number} of instruction '{}': must be an immediate", i.opcode))
                }
                Operand::Integer(_) | Operand::Single(_) | Operand::Double(_) if result => {
                    Err(format!("Result register required for instruction '{}'", i.opcode))
                }
                Operand::Special(_) => {
                    Err(format!("Special register argument not allowed for instruction '{}'", i.opcode))
                }
                Operand::Local(..) | Operand::Symbol(..) if !result => {
                    Err(format!("Argument {number} of instruction '{}': must be register", i.opcode))
                }
                _ => mismatch(),
            };
        }
    }
    if operands.next().is_some() || i.opcode == "mov" && !moves(types, i, body) {
        return mismatch();
    }
    limits(i, body).map_or(Ok(()), Err)
}

/// What the numbers of an instruction may be beyond what the table says.
fn limits(i: &Instruction<'_>, body: &Body<'_>) -> Option<String> {
    let number = |n: usize| match i.operands.get(n) {
        Some(Operand::Integer(value)) => Some(*value as i64),
        _ => None,
    };
    let range = |n: usize, value: i64, most: i64| {
        let what = format!("Argument {n} of instruction '{}': value '{value}' out of range", i.opcode);
        (!(0..=most).contains(&value)).then(|| format!("{what}, expected to be in range [0..{most}]"))
    };
    match i.opcode {
        "bfe" | "bfi" => {
            let first = i.operands.len() - 2;
            (first..first + 2).find_map(|n| range(n, number(n)?, 0xff))
        }
        "pmevent" => range(0, number(0)?, if i.has("mask") { 0xffff } else { 15 }),
        "applypriority" | "discard" => number(1).filter(|&n| n != 128).map(|value| {
            format!("Argument 2 of instruction '{}': unexpected value '{value}', expected to be 128", i.opcode)
        }),
        "alloca" => match number(2)? {
            n if n > 1 << 23 => Some("Alignment value too large, exceeds 2^23".to_owned()),
            n if n <= 0 || n & (n - 1) != 0 => Some("Alignment must be a power of two".to_owned()),
            _ => None,
        },
        "createpolicy" if i.has("fractional") => {
            let value = match i.operands.get(1)? {
                Operand::Single(bits) => f64::from(f32::from_bits(*bits)),
                Operand::Double(bits) => f64::from_bits(*bits),
                _ => return None,
            };
            let fits = value > 0.0 && value <= 1.0;
            let what = "Argument 2 of instruction 'createpolicy.fractional'";
            let range = "expected to be in range (0.000000 .. 1.000000]";
            (!fits).then(|| format!("{what}: value '{value:.6}' out of range, {range}"))
        }
        "ld" | "st" | "ldu" | "atom" | "red" if !i.has("local") => {
            let absolute =
                |o: &Operand<'_>| matches!(o, Operand::Address(base, _) if matches!(**base, Operand::Integer(_)));
            let found = i.operands.iter().take(2).any(absolute);
            found.then(|| "Immediate addresses allowed only for .local state space".to_owned())
        }
        _ => None,
    }
    .or_else(|| i.operands.iter().find_map(|o| mixed(o, body)))
}

/// Registers of an access may be wider than its type, but those of a vector have one width.
fn mixed(operand: &Operand<'_>, body: &Body<'_>) -> Option<String> {
    let Operand::Vector(all) = operand else { return None };
    let mut widths = all.iter().filter_map(|o| match o {
        Operand::Register(register) => Some(body.registers[*register as usize].bytes()),
        _ => None,
    });
    let first = widths.next()?;
    widths.any(|w| w != first).then(|| "Incompatible elements of vector expression".to_owned())
}

/// Whether a special register can be read as so many bits.
fn special_fits(special: Special, class: Class, bits: u32) -> bool {
    match (special.is_predicate(), class) {
        (true, class) => class == Class::Predicate,
        (_, Class::Predicate | Class::Float) => false,
        _ if special == Special::GridId => true,
        _ if special.is_wide() => bits == 64,
        _ => bits <= 32,
    }
}

/// Whether the operands of a `mov` fit each other.
fn moves(types: &[&str], i: &Instruction<'_>, body: &Body<'_>) -> bool {
    let [to, from] = i.operands.as_slice() else { return false };
    let Some(&name) = types.last() else { return false };
    let Some((class, bits)) = kind(name) else { return false };
    let one = |operand: &Operand<'_>, result: bool| match operand {
        Operand::Special(special) => !result && special_fits(*special, class, bits),
        Operand::Local(..) | Operand::Symbol(..) => !result && matches!(class, Class::Bits | Class::Integer),
        other => fits(other, &Shape { name, relaxed: false, result }, body),
    };
    // Parts of a value of plain bits, all of one size.
    let parts = |all: &[Operand<'_>], result: bool| {
        let count = all.len() as u32;
        let width = bits / count.max(1);
        let part = |operand: &Operand<'_>| match operand {
            Operand::Register(register) => {
                let own = body.registers[*register as usize];
                own != Type::Pred && own.bytes() as u32 * 8 == width
            }
            Operand::Nothing => result,
            Operand::Integer(_) | Operand::Single(_) | Operand::Double(_) => !result,
            _ => false,
        };
        class == Class::Bits && matches!(count, 2 | 4) && width >= 8 && all.iter().all(part)
    };
    let elements = |all: &[Operand<'_>], result: bool, count: usize| {
        all.len() == count && all.iter().all(|o| one(o, result) && (result || *o != Operand::Nothing))
    };
    match (["v2", "v4"].iter().position(|v| i.has(v)), to, from) {
        (Some(n), Operand::Vector(to), Operand::Vector(from)) => {
            elements(to, true, 2 << n) && elements(from, false, 2 << n)
        }
        (Some(_), ..) => false,
        (None, Operand::Vector(all), from) => parts(all, true) && one(from, false),
        (None, to, Operand::Vector(all)) => one(to, true) && parts(all, false),
        (None, to, from) => one(to, true) && one(from, false),
    }
}

fn suits(
    word: &str,
    result: bool,
    operand: &Operand<'_>,
    types: &[&str],
    i: &Instruction<'_>,
    body: &Body<'_>,
) -> bool {
    let optional = word.ends_with('?');
    let word = word.trim_end_matches('?');
    if let Some((first, second)) = word.split_once('|') {
        return match operand {
            Operand::Pair(a, b) => suits(first, result, a, types, i, body) && suits(second, result, b, types, i, body),
            other => optional && suits(first, result, other, types, i, body),
        };
    }
    let relaxed = word.ends_with('+');
    let last = types.last().copied().unwrap_or("");
    let name = match word.trim_end_matches('+') {
        "any" => return true,
        "imm" => return matches!(operand, Operand::Integer(_)),
        "label" => return matches!(operand, Operand::Label(_)),
        "[]" => return matches!(operand, Operand::Address(..)),
        "policy" => {
            let policy = Shape { name: "b64", relaxed: false, result: false };
            return i.has("L2::cache_hint") && fits(operand, &policy, body);
        }
        "part" => {
            return match operand {
                Operand::Part(register, _) => body.registers[*register as usize].bytes() == 4,
                Operand::Negative(inner) => i.opcode == "vmad" && suits("part", result, inner, types, i, body),
                other => fits(other, &Shape { name: "u32", relaxed, result }, body),
            };
        }
        "p" => "pred",
        "t" => last,
        "t1" => types.first().copied().unwrap_or(""),
        "t2" => types.get(1).copied().unwrap_or(""),
        "w" => wider(last),
        "v" => {
            let count = ["v2", "v4", "v8"].iter().position(|v| i.has(v)).map(|n| 2usize << n);
            let shape = Shape { name: last, relaxed, result };
            return match (count, operand) {
                (Some(count), Operand::Vector(all)) => all.len() == count && all.iter().all(|o| fits(o, &shape, body)),
                (None, Operand::Vector(all)) => all.len() == 1 && fits(&all[0], &shape, body),
                (None, other) => fits(other, &shape, body),
                _ => false,
            };
        }
        other => other,
    };
    if let Operand::Special(special) = operand
        && i.opcode == "cvt"
    {
        return kind(name).is_some_and(|(class, bits)| special_fits(*special, class, bits));
    }
    fits(operand, &Shape { name, relaxed, result }, body)
}

/// Operands for an instruction of a form, out of the registers of the tests.
pub fn example(form: &Form, types: &[&str], modifiers: &[&str]) -> Option<String> {
    fn register(name: &str, number: usize) -> Option<String> {
        typed(name, number, false)
    }
    fn typed(name: &str, number: usize, strict: bool) -> Option<String> {
        let (class, bits) = kind(name)?;
        Some(match (class, bits) {
            (Class::Predicate, _) => format!("%p{number}"),
            (_, 8) if strict => format!("%b{number}"),
            (Class::Float, 32) if name == "f32" => format!("%f{number}"),
            (_, 8 | 16) => format!("%h{number}"),
            (_, 32) => format!("%r{number}"),
            (Class::Float, 64) => format!("%d{number}"),
            (_, 64) => format!("%rd{number}"),
            _ => format!("%q{number}"),
        })
    }
    // Targets that only exist in other places: parameters of functions, lists of labels.
    if form.operands == "*" || modifiers.contains(&"param::func") || form.opcode == "brx" {
        return None;
    }
    let (results, sources) = form.operands.split_once('=')?;
    let mut all = Vec::new();
    let last = types.last().copied().unwrap_or("");
    for (number, word) in results.split_whitespace().chain(sources.split_whitespace()).enumerate() {
        let first = number < results.split_whitespace().count();
        let one = |word: &str| -> Option<String> {
            Some(match word.trim_end_matches('?').trim_end_matches('+') {
                "any" if form.opcode == "mov" => {
                    let count = modifiers.iter().find_map(|m| m.strip_prefix('v')?.parse().ok());
                    match count {
                        Some(count) => {
                            let list: Vec<String> = (0..count).filter_map(|n| register(last, number * 4 + n)).collect();
                            format!("{{{}}}", list.join(", "))
                        }
                        None => register(last, number)?,
                    }
                }
                "any" if first => format!("%p{number}"),
                "any" if last.is_empty() || last == "u64" || operands_need_address(form) => format!("%rd{number}"),
                "any" if last == "u32" => format!("%r{number}"),
                "any" => return None,
                "imm" => match form.opcode {
                    "applypriority" | "discard" | "fence" => "128".to_owned(),
                    "setmaxnreg" => "64".to_owned(),
                    _ => "1".to_owned(),
                },
                "label" => "L".to_owned(),
                "[]" => "[%rd1]".to_owned(),
                "policy" if modifiers.contains(&"L2::cache_hint") => format!("%rd{number}"),
                "policy" => return None,
                "part" if first || number == 3 => format!("%r{number}"),
                "part" => format!("%r{number}"),
                "p" => format!("%p{number}"),
                "t" => register(last, number)?,
                "t1" => typed(types.first()?, number, !word.ends_with('+'))?,
                "t2" => typed(types.get(1)?, number, !word.ends_with('+'))?,
                "w" => register(wider(last), number)?,
                "v" => {
                    let count = modifiers.iter().find_map(|m| m.strip_prefix('v')?.parse().ok());
                    match count {
                        Some(count) => {
                            let list: Vec<String> = (0..count).filter_map(|n| register(last, n)).collect();
                            format!("{{{}}}", list.join(", "))
                        }
                        None => register(last, number)?,
                    }
                }
                other => register(other, number)?,
            })
        };
        let text = match word.split_once('|') {
            Some((a, b)) => format!("{}|{}", one(a)?, one(b)?.replace(char::is_numeric, "7")),
            None => match one(word) {
                Some(text) => text,
                None if word == "policy?" => continue,
                None => return None,
            },
        };
        all.push(text);
    }
    Some(all.join(", "))
}

fn operands_need_address(form: &Form) -> bool {
    matches!(form.opcode, "isspacep" | "istypep")
}

/// The operands that an instruction of a form takes, for kernels made by tests: what each is called in the tables, with the
/// types filled in, results first, and how many results there are. Elements of vectors count alone.
pub fn slots(form: &Form, types: &[&str], modifiers: &[&str]) -> Option<(Vec<String>, usize)> {
    let (results, sources) = form.operands.split_once('=')?;
    let last = types.last().copied().unwrap_or("");
    let count = modifiers.iter().find_map(|m| m.strip_prefix('v')?.parse().ok()).unwrap_or(1);
    // Registers of 8 bits come into memory by detours only.
    let narrow = |word: &str, ty: Option<&&str>| {
        form.operands.split_whitespace().any(|w| w == word) && matches!(ty, Some(&("u8" | "s8")))
    };
    if narrow("t1", types.first()) || narrow("t2", types.get(1)) {
        return None;
    }
    let name = |word: &str| -> Vec<String> {
        let all = |name: &str| vec![name.to_owned()];
        match word.trim_end_matches('?').trim_end_matches('+') {
            "t" => all(last),
            "t1" => all(types.first().unwrap_or(&"")),
            "t2" => all(types.get(1).unwrap_or(&"")),
            "w" => all(wider(last)),
            "p" => all("pred"),
            "part" => all("b32"),
            "v" => vec![last.to_owned(); count],
            other => all(other),
        }
    };
    let expand = |text: &str| -> Vec<String> {
        text.split_whitespace().filter(|w| *w != "policy?").flat_map(|w| w.split('|')).flat_map(name).collect()
    };
    let (mut all, sources) = (expand(results), expand(sources));
    let results = all.len();
    all.extend(sources);
    Some((all, results))
}
