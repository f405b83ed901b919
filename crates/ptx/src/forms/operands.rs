//! A form of an instruction, and whether operands are what it wants.

use crate::forms::target::Own;
use crate::instruction::{Instruction, Operand, Special};
use crate::modifier::{Modifier, TypeClass};
use crate::module::Body;
use crate::opcode::Opcode;
use crate::types::Type;

/// Alternatives of which an instruction has one.
#[derive(Clone, Debug)]
pub struct Group {
    /// The modifiers.
    pub any_of: Vec<Modifier<'static>>,
    /// It may have none.
    pub optional: bool,
    /// Nothing comes before it but what does in the form.
    pub placed: bool,
    /// Takes whatever is there, as often as it is there.
    pub open: bool,
}

impl Group {
    pub(super) fn holds(&self, modifier: Modifier<'_>) -> bool {
        self.any_of.iter().any(|&m| match (m, modifier) {
            (Modifier::Shape([m, 0, 0]), Modifier::Shape([rows, ..])) => m == rows,
            _ => m == modifier,
        })
    }

    /// True where the alternatives are types.
    pub(super) fn of_types(&self) -> bool {
        self.any_of.iter().any(|m| m.class().is_some())
    }
}

/// A form of an instruction.
#[derive(Clone, Debug)]
pub struct Form {
    /// The name.
    pub opcode: Opcode,
    /// The group of instructions, an index into [`GROUPS`].
    pub group: usize,
    /// Its modifiers.
    pub modifiers: Vec<Group>,
    /// Its operands.
    pub operands: Operands,
    /// The oldest target.
    pub target: u32,
    /// Needs the own features of one of these targets, if there are any.
    pub own: Vec<Own>,
    /// Not for this target and later ones.
    pub before: u32,
    /// The oldest version, times ten.
    pub version: u32,
}

/// The operands of a form.
#[derive(Clone, Debug)]
pub struct Operands {
    /// As the table has them.
    pub text: &'static str,
    /// The lowering checks them.
    free: bool,
    /// Results, then sources.
    all: Vec<Word>,
}

/// What a table's word for an operand says.
#[derive(Clone, Debug)]
struct Word {
    what: What,
    /// The second one of two results in one operand.
    second: Option<What>,
    /// May be left out; the second one, if there is one.
    optional: bool,
    /// A register may be wider.
    relaxed: bool,
    result: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Any,
    Immediate,
    Label,
    Address,
    Policy,
    /// A register of which a selector may take a part.
    Part,
    /// A vector of elements of the last type.
    Vector,
    /// Of the last type of the modifiers.
    Last,
    /// Of the n-th type.
    Nth(usize),
    /// A vector of four of the last type.
    Four,
    /// Of a type twice as wide as the last one.
    Wide,
    /// Of this type.
    Type(Modifier<'static>),
}

impl Operands {
    /// Reads what a line of a table says.
    pub(super) fn read(text: &'static str) -> Operands {
        let (results, sources) = text.split_once('=').unwrap_or(("", text));
        let results = results.split_whitespace().map(|word| Word::read(word, true));
        let all = results.chain(sources.split_whitespace().map(|word| Word::read(word, false))).collect();
        Operands { text, free: text == "*", all }
    }
}

impl Word {
    fn read(text: &'static str, result: bool) -> Word {
        let name = text.trim_end_matches('?');
        let (first, second) = name.split_once('|').map_or((name, None), |(first, second)| (first, Some(second)));
        let what = |name: &'static str| match name.trim_end_matches('+') {
            "any" => What::Any,
            "imm" => What::Immediate,
            "label" => What::Label,
            "[]" => What::Address,
            "policy" => What::Policy,
            "part" => What::Part,
            "v" => What::Vector,
            "four" => What::Four,
            "t" => What::Last,
            "t1" => What::Nth(0),
            "t2" => What::Nth(1),
            "w" => What::Wide,
            "p" => What::Type(Modifier::Pred),
            other => What::Type(Modifier::parse(other)),
        };
        Word {
            what: what(first),
            second: second.map(what),
            optional: text.ends_with('?'),
            relaxed: first.ends_with('+'),
            result,
        }
    }
}

/// Twice as wide.
fn wider(ty: Modifier<'_>) -> Modifier<'static> {
    match ty {
        Modifier::U16 => Modifier::U32,
        Modifier::S16 => Modifier::S32,
        Modifier::U32 => Modifier::U64,
        _ => Modifier::S64,
    }
}

fn class_of(ty: Type) -> TypeClass {
    match ty {
        Type::Pred => TypeClass::Predicate,
        _ if ty.is_float() => TypeClass::Float,
        Type::U8 | Type::U16 | Type::U32 | Type::U64 | Type::S8 | Type::S16 | Type::S32 | Type::S64 => {
            TypeClass::Integer
        }
        _ => TypeClass::Bits,
    }
}

/// What an operand has to be.
#[derive(Clone, Copy)]
struct Wanted {
    class: TypeClass,
    bits: u32,
    /// Registers may be wider.
    relaxed: bool,
    result: bool,
}

/// Whether an operand is of a type.
fn fits(operand: &Operand<'_>, wanted: Wanted, body: &Body<'_>) -> bool {
    let Wanted { class, bits, relaxed, result } = wanted;
    match operand {
        Operand::Register(register) => {
            let own = body.registers[*register as usize];
            let width = if own == Type::Pred { 1 } else { own.bytes() as u32 * 8 };
            let wide_enough = if relaxed { width >= bits } else { width == bits };
            let same = match (class, class_of(own)) {
                (TypeClass::Predicate, other) | (other, TypeClass::Predicate) => {
                    other == TypeClass::Predicate && class == other
                }
                (TypeClass::Bits, _) | (_, TypeClass::Bits) => true,
                (a, b) => a == b,
            };
            // A table's integers are never wider than said where a float is meant, and the other way round.
            wide_enough && same
        }
        Operand::Nothing => result,
        _ if result => false,
        Operand::Not(_) => class == TypeClass::Predicate,
        Operand::Integer(_) => class != TypeClass::Float || bits == 16,
        Operand::F32(_) => class == TypeClass::Float && bits <= 32 || class == TypeClass::Bits && bits == 32,
        Operand::F64(_) => class == TypeClass::Float || class == TypeClass::Bits && bits == 64,
        _ => false,
    }
}

/// Checks the operands of an instruction against a form.
pub fn check(form: &Form, types: &[Modifier<'_>], i: &Instruction<'_>, body: &Body<'_>) -> Result<(), String> {
    if form.operands.free {
        return Ok(());
    }
    let mismatch = || Err(format!("Arguments mismatch for instruction '{}'", i.opcode));
    let mut operands = i.operands.iter();
    for word in &form.operands.all {
        let Some(operand) = operands.next() else {
            // A hint needs the policy that it names.
            let needed = word.what == What::Policy && i.has(Modifier::L2CacheHint);
            if word.optional && word.second.is_none() && !needed {
                continue;
            }
            return mismatch();
        };
        if !word.suits(operand, types, i, body) {
            let number = i.operands.len() - operands.len() - 1;
            return match operand {
                _ if word.what == What::Immediate => {
                    Err(format!("Argument {number} of instruction '{}': must be an immediate", i.opcode))
                }
                Operand::Integer(_) | Operand::F32(_) | Operand::F64(_) if word.result => {
                    Err(format!("Result register required for instruction '{}'", i.opcode))
                }
                Operand::Special(_) => {
                    Err(format!("Special register argument not allowed for instruction '{}'", i.opcode))
                }
                Operand::Local(..) | Operand::Symbol(..) if !word.result => {
                    Err(format!("Argument {number} of instruction '{}': must be register", i.opcode))
                }
                _ => mismatch(),
            };
        }
    }
    if operands.next().is_some() || i.opcode == Opcode::Mov && !moves(types, i, body) {
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
        Opcode::Bfe | Opcode::Bfi => {
            let first = i.operands.len() - 2;
            (first..first + 2).find_map(|n| range(n, number(n)?, 0xff))
        }
        Opcode::Pmevent => range(0, number(0)?, if i.has(Modifier::Mask) { 0xffff } else { 15 }),
        Opcode::Applypriority | Opcode::Discard => number(1).filter(|&n| n != 128).map(|value| {
            format!("Argument 2 of instruction '{}': unexpected value '{value}', expected to be 128", i.opcode)
        }),
        Opcode::Alloca => match number(2)? {
            n if n > 1 << 23 => Some("Alignment value too large, exceeds 2^23".to_owned()),
            n if n <= 0 || n & (n - 1) != 0 => Some("Alignment must be a power of two".to_owned()),
            _ => None,
        },
        Opcode::Createpolicy if i.has(Modifier::Fractional) => {
            let value = match i.operands.get(1)? {
                Operand::F32(bits) => f64::from(f32::from_bits(*bits)),
                Operand::F64(bits) => f64::from_bits(*bits),
                _ => return None,
            };
            let fits = value > 0.0 && value <= 1.0;
            let what = "Argument 2 of instruction 'createpolicy.fractional'";
            let range = "expected to be in range (0.000000 .. 1.000000]";
            (!fits).then(|| format!("{what}: value '{value:.6}' out of range, {range}"))
        }
        Opcode::Ld | Opcode::St | Opcode::Ldu | Opcode::Atom | Opcode::Red if !i.has(Modifier::Local) => {
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
fn special_fits(special: Special, class: TypeClass, bits: u32) -> bool {
    match (special.is_predicate(), class) {
        (true, class) => class == TypeClass::Predicate,
        (_, TypeClass::Predicate | TypeClass::Float) => false,
        _ if special == Special::GridId => true,
        _ if special.is_wide() => bits == 64,
        _ => bits <= 32,
    }
}

/// Whether the operands of a `mov` fit each other.
fn moves(types: &[Modifier<'_>], i: &Instruction<'_>, body: &Body<'_>) -> bool {
    let [to, from] = i.operands.as_slice() else { return false };
    let Some((class, bits)) = types.last().and_then(|ty| ty.class()) else { return false };
    let one = |operand: &Operand<'_>, result: bool| match operand {
        Operand::Special(special) => !result && special_fits(*special, class, bits),
        Operand::Local(..) | Operand::Symbol(..) => !result && matches!(class, TypeClass::Bits | TypeClass::Integer),
        other => fits(other, Wanted { class, bits, relaxed: false, result }, body),
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
            Operand::Integer(_) | Operand::F32(_) | Operand::F64(_) => !result,
            _ => false,
        };
        class == TypeClass::Bits && matches!(count, 2 | 4) && width >= 8 && all.iter().all(part)
    };
    let each = |all: &[Operand<'_>], result: bool, count: usize| {
        all.len() == count && all.iter().all(|o| one(o, result) && (result || *o != Operand::Nothing))
    };
    match (elements(&i.modifiers), to, from) {
        (Some(count), Operand::Vector(to), Operand::Vector(from)) => each(to, true, count) && each(from, false, count),
        (Some(_), ..) => false,
        (None, Operand::Vector(all), from) => parts(all, true) && one(from, false),
        (None, to, Operand::Vector(all)) => one(to, true) && parts(all, false),
        (None, to, from) => one(to, true) && one(from, false),
    }
}

/// How many elements a vector has.
fn elements(modifiers: &[Modifier<'_>]) -> Option<usize> {
    modifiers.iter().find_map(|m| match m {
        Modifier::V2 => Some(2),
        Modifier::V4 => Some(4),
        Modifier::V8 => Some(8),
        _ => None,
    })
}

impl Word {
    fn suits(&self, operand: &Operand<'_>, types: &[Modifier<'_>], i: &Instruction<'_>, body: &Body<'_>) -> bool {
        match (self.second, operand) {
            (None, operand) => self.one(self.what, operand, types, i, body),
            (Some(second), Operand::Pair(a, b)) => {
                self.one(self.what, a, types, i, body) && self.one(second, b, types, i, body)
            }
            (Some(_), operand) => self.optional && self.one(self.what, operand, types, i, body),
        }
    }

    fn one(
        &self,
        what: What,
        operand: &Operand<'_>,
        types: &[Modifier<'_>],
        i: &Instruction<'_>,
        body: &Body<'_>,
    ) -> bool {
        let (relaxed, result) = (self.relaxed, self.result);
        let last = types.last().copied();
        let wanted = |ty: Option<Modifier<'_>>| {
            ty.and_then(Modifier::class).map(|(class, bits)| Wanted { class, bits, relaxed, result })
        };
        let ty = match what {
            What::Any => return true,
            What::Immediate => return matches!(operand, Operand::Integer(_)),
            What::Label => return matches!(operand, Operand::Label(_)),
            What::Address => return matches!(operand, Operand::Address(..)),
            What::Policy => {
                let policy = Wanted { class: TypeClass::Bits, bits: 64, relaxed: false, result: false };
                return i.has(Modifier::L2CacheHint) && fits(operand, policy, body);
            }
            What::Part => {
                return match operand {
                    Operand::Part(register, _) => body.registers[*register as usize].bytes() == 4,
                    Operand::Negative(inner) => i.opcode == Opcode::Vmad && self.one(what, inner, types, i, body),
                    other => fits(other, Wanted { class: TypeClass::Integer, bits: 32, relaxed, result }, body),
                };
            }
            What::Vector => {
                let Some(element) = wanted(last) else { return false };
                return match (elements(&i.modifiers), operand) {
                    (count, Operand::Vector(all)) => {
                        all.len() == count.unwrap_or(1) && all.iter().all(|o| fits(o, element, body))
                    }
                    (None, other) => fits(other, element, body),
                    _ => false,
                };
            }
            What::Four => {
                let Some(element) = wanted(last) else { return false };
                return matches!(operand, Operand::Vector(all) if all.len() == 4 && all.iter().all(|o| fits(o, element, body)));
            }
            What::Last => last,
            What::Nth(n) => types.get(n).copied(),
            What::Wide => last.map(wider),
            What::Type(ty) => Some(ty),
        };
        let Some(wanted) = wanted(ty) else { return false };
        match operand {
            Operand::Special(special) if i.opcode == Opcode::Cvt => special_fits(*special, wanted.class, wanted.bits),
            _ => fits(operand, wanted, body),
        }
    }
}

/// Operands for an instruction of a form, out of the registers of the tests.
pub fn example(form: &Form, modifiers: &[Modifier<'static>]) -> Option<String> {
    fn typed(ty: Option<Modifier<'_>>, number: usize, strict: bool) -> Option<String> {
        let ty = ty?;
        Some(match ty.class()? {
            (TypeClass::Predicate, _) => format!("%p{number}"),
            (_, 8) if strict => format!("%b{number}"),
            (TypeClass::Float, 32) if ty == Modifier::F32 => format!("%f{number}"),
            (_, 8 | 16) => format!("%h{number}"),
            (_, 32) => format!("%r{number}"),
            (TypeClass::Float, 64) => format!("%d{number}"),
            (_, 64) => format!("%rd{number}"),
            _ => format!("%q{number}"),
        })
    }
    // Targets that only exist in other places: parameters of functions, lists of labels.
    if form.operands.free || modifiers.contains(&Modifier::ParamFunc) || form.opcode == Opcode::Brx {
        return None;
    }
    let types = types(modifiers);
    let last = types.last().copied();
    let register = |number: usize| typed(last, number, form.opcode == Opcode::Multimem);
    // A register, or a vector of as many as the modifiers say.
    let vector = |number: usize, stride: usize| match elements(modifiers) {
        Some(count) => {
            let list: Vec<String> = (0..count).filter_map(|n| register(number * stride + n)).collect();
            Some(format!("{{{}}}", list.join(", ")))
        }
        None => register(number),
    };
    let takes_address = matches!(form.opcode, Opcode::Isspacep | Opcode::Istypep);
    let mut all = Vec::new();
    for (number, word) in form.operands.all.iter().enumerate() {
        let one = |what: What| match what {
            What::Any if form.opcode == Opcode::Mov => vector(number, 4),
            What::Any if word.result => Some(format!("%p{number}")),
            What::Any if takes_address || matches!(last, None | Some(Modifier::U64)) => Some(format!("%rd{number}")),
            What::Any => (last == Some(Modifier::U32)).then(|| format!("%r{number}")),
            What::Immediate => {
                let value = match form.opcode {
                    Opcode::Applypriority | Opcode::Discard | Opcode::Fence => "128",
                    Opcode::Setmaxnreg => "64",
                    _ => "1",
                };
                Some(value.to_owned())
            }
            What::Label => Some("L".to_owned()),
            What::Address => Some("[%rd1]".to_owned()),
            What::Policy => modifiers.contains(&Modifier::L2CacheHint).then(|| format!("%rd{number}")),
            What::Part => Some(format!("%r{number}")),
            What::Vector => vector(if elements(modifiers).is_some() { 0 } else { number }, 1),
            What::Four => {
                let all: Option<Vec<String>> = (1..5).map(register).collect();
                Some(format!("{{{}}}", all?.join(", ")))
            }
            What::Last => register(number),
            What::Nth(n) => typed(types.get(n).copied(), number, !word.relaxed),
            What::Wide => typed(last.map(wider), number, false),
            What::Type(ty) => typed(Some(ty), number, false),
        };
        all.push(match (word.second, one(word.what)) {
            (Some(second), first) => format!("{}|{}", first?, one(second)?.replace(char::is_numeric, "7")),
            (None, Some(text)) => text,
            (None, None) if word.what == What::Policy => continue,
            (None, None) => return None,
        });
    }
    Some(all.join(", "))
}

fn types(modifiers: &[Modifier<'static>]) -> Vec<Modifier<'static>> {
    modifiers.iter().copied().filter(|m| m.class().is_some()).collect()
}

/// The operands that an instruction of a form takes, for kernels made by tests: what each is called in the tables, with the
/// types filled in, results first, and how many results there are. Elements of vectors count alone.
pub fn slots(form: &Form, modifiers: &[Modifier<'static>]) -> Option<(Vec<String>, usize)> {
    if form.operands.free {
        return None;
    }
    let types = types(modifiers);
    let name = |ty: Option<Modifier<'_>>| ty.map_or(String::new(), |ty| ty.to_string());
    let last = types.last().copied();
    let mut all = Vec::new();
    let mut results = 0;
    for word in form.operands.all.iter().filter(|word| word.what != What::Policy) {
        for what in [word.what].into_iter().chain(word.second) {
            let (slot, count) = match what {
                // Registers of 8 bits come into memory by detours only.
                What::Nth(n) if !word.relaxed && matches!(types.get(n), Some(Modifier::U8 | Modifier::S8)) => {
                    return None;
                }
                What::Nth(n) => (name(types.get(n).copied()), 1),
                What::Last => (name(last), 1),
                What::Vector => (name(last), elements(modifiers).unwrap_or(1)),
                What::Four => (name(last), 4),
                What::Wide => (name(last.map(wider)), 1),
                What::Type(ty) => (name(Some(ty)), 1),
                What::Part => ("b32".to_owned(), 1),
                What::Immediate => ("imm".to_owned(), 1),
                What::Any => ("any".to_owned(), 1),
                What::Address => ("[]".to_owned(), 1),
                What::Label => ("label".to_owned(), 1),
                What::Policy => continue,
            };
            results += if word.result { count } else { 0 };
            all.extend(core::iter::repeat_n(slot, count));
        }
    }
    Some((all, results))
}
