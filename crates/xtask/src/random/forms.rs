//! Single instructions of every form that `tests/ptx/random-forms.txt` lists. That file is a copy of the forms of the
//! crate's table (`crates/ptx/src/forms`), so that kernels stay what they were when the table grows: what a device gave for them
//! is recorded.

use super::Random;
use ptx::Opcode;
use ptx::forms::{GROUPS, table};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Where the copy is.
pub const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/ptx/random-forms.txt");
const TEXT: &str = include_str!("../../../../tests/ptx/random-forms.txt");

/// Groups of the table that instructions are drawn from, one at a time; how many of a hundred. What moves, branches and
/// waits is in kernels as parts of patterns.
const DRAWN: [(&str, usize); 8] = [
    ("integer arithmetic", 22),
    ("logic and shifts", 14),
    ("comparison and selection", 16),
    ("floating point", 16),
    ("half precision", 10),
    ("conversion", 14),
    ("video", 8),
    // In chains and on memory of the thread's own.
    ("extended precision", 0),
];

/// Instructions that are not drawn.
struct LeftOut {
    opcodes: &'static [&'static str],
    /// Modifiers that it has.
    with: &'static [&'static str],
    /// One of these, if there are any.
    one_of: &'static [&'static str],
    /// Modifiers that it has not.
    without: &'static [&'static str],
}

const fn all(opcodes: &'static [&'static str]) -> LeftOut {
    LeftOut { opcodes, with: &[], one_of: &[], without: &[] }
}

const LEFT_OUT: &[(LeftOut, &str)] = &[
    (LeftOut { with: &["approx"], ..all(&[]) }, "approximate: only bounds are promised"),
    (LeftOut { with: &["full"], ..all(&["div"]) }, "approximate"),
    (
        LeftOut {
            one_of: &["f32", "f64", "f16", "f16x2", "bf16", "bf16x2"],
            without: &["rn", "rz", "rm", "rp"],
            ..all(&["add", "sub", "mul"])
        },
        "without a rounding: the assembler may join it with its neighbours",
    ),
    (
        LeftOut { with: &["bf16"], one_of: &["u8", "s8"], ..all(&["cvt"]) },
        "they take registers of 8 bits, which kernels have not",
    ),
];

/// Why an instruction is not drawn.
pub fn left_out(opcode: &str, modifiers: &[&str]) -> Option<&'static str> {
    let has = |m: &&str| modifiers.contains(m);
    LEFT_OUT
        .iter()
        .find(|(l, _)| {
            (l.opcodes.is_empty() || l.opcodes.contains(&opcode))
                && l.with.iter().all(has)
                && (l.one_of.is_empty() || l.one_of.iter().any(has))
                && !l.without.iter().any(has)
        })
        .map(|l| l.1)
}

/// A form, as the file has it.
pub struct Form {
    opcode: String,
    /// Alternatives, and whether it may have none.
    modifiers: Vec<(Vec<String>, bool)>,
    results: Vec<String>,
    sources: Vec<String>,
}

/// The lines of the file, from the table.
pub fn lines() -> Vec<String> {
    let mut lines = Vec::new();
    for form in table().forms() {
        let group = GROUPS[form.group].0;
        let drawn = DRAWN.iter().any(|d| d.0 == group) || group == "atomics";
        // Of one H200, and with operands that the table describes.
        let several = form.opcode == Opcode::Multimem;
        if !drawn
            || several
            || form.target > 90
            || form.version > 86
            || form.before < u32::MAX
            || form.operands.text == "*"
        {
            continue;
        }
        let mut line = format!("{} :", form.opcode);
        for group in &form.modifiers {
            let any_of: Vec<String> = group.any_of.iter().map(|modifier| modifier.to_string()).collect();
            let _ = write!(line, " {}{}", any_of.join("|"), if group.optional { "?" } else { "" });
        }
        lines.push(format!("{group} : {line} : {}", form.operands.text));
    }
    lines
}

/// What is drawn.
pub struct Forms {
    /// Of each group the forms of each opcode.
    groups: BTreeMap<String, BTreeMap<String, Vec<Form>>>,
}

/// An instruction, with `{}` where its operands come.
pub struct Drawn {
    /// Name and modifiers.
    pub name: String,
    opcode: String,
    modifiers: Vec<String>,
    /// Types of results; an element `|` joins its neighbours.
    pub results: Vec<String>,
    /// Types of sources.
    pub sources: Vec<String>,
}

impl Forms {
    /// Reads the file.
    pub fn read() -> Forms {
        let form = |line: &str| {
            let parts: Vec<&str> = line.split(" :").collect();
            let [group, opcode, modifiers, operands] = parts[..] else { panic!("bad line: {line}") };
            let (results, sources) = operands.split_once('=').unwrap();
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
            let modifiers = modifiers
                .split_whitespace()
                .map(|word| (word.trim_end_matches('?').split('|').map(str::to_owned).collect(), word.ends_with('?')));
            let opcode = opcode.trim().to_owned();
            let (results, sources) = (words(results), words(sources));
            (group.to_owned(), Form { opcode, modifiers: modifiers.collect(), results, sources })
        };
        let mut groups: BTreeMap<String, BTreeMap<String, Vec<Form>>> = BTreeMap::new();
        for (group, form) in TEXT.lines().map(form) {
            groups.entry(group).or_default().entry(form.opcode.clone()).or_default().push(form);
        }
        Forms { groups }
    }

    /// An instruction of one of the groups that are drawn.
    pub fn draw(&self, random: &mut Random) -> Drawn {
        let mut at = random.below(100);
        let group = DRAWN
            .iter()
            .find(|d| {
                d.1 > at || {
                    at -= d.1;
                    false
                }
            })
            .unwrap()
            .0;
        self.of(group, random, |_| true)
    }

    /// An instruction of a group.
    pub fn of(&self, group: &str, random: &mut Random, wanted: impl Fn(&Drawn) -> bool) -> Drawn {
        let opcodes: Vec<&Vec<Form>> = self.groups[group].values().collect();
        loop {
            let same = *random.pick(&opcodes);
            if let Some(drawn) = random.pick(same).one(random).filter(&wanted) {
                return drawn;
            }
        }
    }
}

impl Form {
    fn one(&self, random: &mut Random) -> Option<Drawn> {
        let mut modifiers: Vec<String> = Vec::new();
        for (all, optional) in &self.modifiers {
            if !optional || random.below(5) < 2 {
                modifiers.push(random.pick(all).clone());
            }
        }
        let plain: Vec<&str> = modifiers.iter().map(String::as_str).collect();
        if left_out(&self.opcode, &plain).is_some() {
            return None;
        }
        let types: Vec<&str> = plain.iter().copied().filter(|m| is_type(m)).collect();
        let last = types.last().copied().unwrap_or("");
        let count = plain.iter().find_map(|m| m.strip_prefix('v')?.parse().ok()).unwrap_or(1);
        let mut expand = |words: &[String]| -> Vec<String> {
            let mut list = Vec::new();
            for word in words {
                let pair: Vec<&str> = word.split('|').collect();
                let optional = pair.len() == 2 && pair[1].ends_with('?');
                let taken = if optional && random.below(2) == 0 { 1 } else { pair.len() };
                for (n, part) in pair[..taken].iter().enumerate() {
                    if n > 0 {
                        list.push("|".to_owned());
                    }
                    let (part, wide) = (part.trim_end_matches('?'), part.contains('+'));
                    let name = match part.trim_end_matches('+') {
                        "t" => last,
                        "t1" => types[0],
                        "t2" => types[1],
                        "w" => match last {
                            "u16" => "u32",
                            "s16" => "s32",
                            "u32" => "u64",
                            _ => "s64",
                        },
                        "p" => "pred",
                        "policy" => continue,
                        "v" => last,
                        // Where the instruction does not name its type, registers of floats do not do.
                        "b32" => "i32",
                        other => other,
                    };
                    let times = if part == "v" { count } else { 1 };
                    for _ in 0..times {
                        list.push(format!("{name}{}", if wide { "+" } else { "" }));
                    }
                }
            }
            list
        };
        let (results, sources) = (expand(&self.results), expand(&self.sources));
        let mut name = self.opcode.clone();
        for modifier in &modifiers {
            let _ = write!(name, ".{modifier}");
        }
        Some(Drawn { name, opcode: self.opcode.clone(), modifiers, results, sources })
    }
}

/// Gives a zero of which the optimiser does not know.
pub const HIDDEN: &str = "ld.volatile.global.u32 %tr8, [nothing];";

/// True for modifiers that are types.
pub fn is_type(name: &str) -> bool {
    matches!(name, "pred" | "tf32" | "bf16" | "bf16x2" | "e4m3x2" | "e5m2x2" | "f32x2" | "u16x2" | "s16x2" | "f16x2")
        || name.strip_prefix(['b', 'u', 's', 'f']).is_some_and(|n| n.parse::<u32>().is_ok())
}

/// Bytes of a type in a register; 0 for a predicate.
pub fn bytes(ty: &str) -> usize {
    match ty {
        "pred" => 0,
        "b8" | "u8" | "s8" => 1,
        "bf16" | "e4m3x2" | "e5m2x2" => 2,
        _ if ty.ends_with("64") || ty == "f32x2" => 8,
        _ if ty.ends_with("16") => 2,
        _ => 4,
    }
}

impl Drawn {
    /// Whether it may have a guard. The assembler of driver 580 makes several instructions of some, and not all of these
    /// keep the guard; that of others changes what becomes of the bits of what is no number.
    pub fn guards(&self) -> bool {
        let float = ["f32", "f64", "f16", "f16x2", "bf16", "bf16x2"].iter().any(|ty| self.has(ty));
        match self.opcode.as_str() {
            "testp" | "set" => false,
            "neg" | "abs" => !float,
            _ => true,
        }
    }

    /// True for what the assembler calls functions for. With a guard in a jump table's piece the optimiser crashes.
    pub fn called(&self) -> bool {
        matches!(self.opcode.as_str(), "div" | "sqrt" | "rcp")
            && self.has("f64")
            && ["rz", "rm", "rp"].iter().any(|r| self.has(r))
    }

    /// True when a modifier is there.
    pub fn has(&self, modifier: &str) -> bool {
        self.modifiers.iter().any(|m| m == modifier)
    }

    /// The instruction with operands of a function: anything in its registers.
    pub fn line(&self, guard: &str, random: &mut Random) -> String {
        let mut results: Vec<String> = Vec::new();
        let mut joined = String::new();
        for word in &self.results {
            if word == "|" {
                joined.push('|');
                continue;
            }
            let mut name = result(word, random);
            // Two results are two registers.
            while results.contains(&name) {
                name = result(word, random);
            }
            if !joined.is_empty() && !joined.ends_with('|') {
                joined.push_str(", ");
            }
            joined += &name;
            results.push(name);
        }
        let mut immediates = 0;
        let video = self.opcode.starts_with('v') && self.opcode != "vote";
        let mut sources = Vec::new();
        for (n, word) in self.sources.iter().enumerate() {
            let constant = self.sources.len() > immediates + 1 && random.below(7) == 0 && !video;
            let text = match (word.as_str(), constant) {
                ("imm", _) => random.below(256).to_string(),
                ("pred", _) if matches!(self.opcode.as_str(), "set" | "setp") && random.below(3) == 0 => {
                    format!("!{}", register("pred", random))
                }
                ("part", _) => register("i32", random),
                // Places of bits that there are.
                ("u32", true) if matches!(self.opcode.as_str(), "bfe" | "bfi") && n + 2 >= self.sources.len() => {
                    immediates += 1;
                    random
                        .below(if self.has("b64") || self.has("u64") || self.has("s64") { 64 } else { 32 })
                        .to_string()
                }
                // For words of 16 bits the assembler cuts them off.
                ("u32", true) if matches!(self.opcode.as_str(), "shl" | "shr") => {
                    immediates += 1;
                    random.below(70).to_string()
                }
                (word, true) => match immediate(word, random) {
                    Some(text) => {
                        immediates += 1;
                        text
                    }
                    None => register(word, random),
                },
                (word, false) => register(word, random),
            };
            sources.push(text);
            if video && n < 2 {
                let last = sources.last_mut().unwrap();
                *last += &self.selector(random);
            }
        }
        if video {
            joined += &self.place(random);
        }
        // The assembler takes the lesser of a number and itself to be that, also where it is no number.
        while matches!(self.opcode.as_str(), "min" | "max") && sources[0] == sources[1] {
            sources[1] = register(&self.sources[1], random);
        }
        // Of a register that counts, the assembler remembers whether it held a number.
        let mut before = String::new();
        if matches!(self.name.as_str(), "shr.b64" | "shr.u64" | "shr.s64" | "shl.b64") && sources[1].starts_with('%') {
            before = format!("and.b32 %tr0, {}, 255; ", sources[1]);
            sources[1] = "%tr0".to_owned();
        }
        // Of `(a + b) - a` the optimiser makes `b`, also where the difference saturates; and a signed byte is converted as one
        // though it is read as an unsigned word.
        let hides = self.name.ends_with("sat.s32") && matches!(self.opcode.as_str(), "add" | "sub")
            || self.opcode == "cvt" && self.modifiers.iter().rev().take(2).eq(["u32", "bf16"]);
        if hides && let Some(source) = sources.first_mut().filter(|s| s.starts_with("%r")) {
            before += &format!("{HIDDEN} xor.b32 %tr7, {source}, %tr8; ");
            *source = "%tr7".to_owned();
        }
        let mut behind = self.settled(&joined);
        if self.tests() {
            before += HIDDEN;
            for (n, name) in results.iter().enumerate().filter(|(_, name)| name.starts_with("%p")) {
                let own = format!("%tp{}", n + 2);
                if !guard.is_empty() {
                    before += &format!(" setp.eq.and.u32 {own}, %tr8, 0, {name};");
                }
                joined = joined.replace(name.as_str(), &own);
                behind += &format!(" setp.eq.and.u32 {name}, %tr8, 0, {own};");
            }
            before.push(' ');
        }
        format!("{before}{guard}{} {joined}, {};{behind}", self.name, sources.join(", "))
    }

    /// True for what gives predicates out of predicates, or two of them. These go through a comparison with a zero of which
    /// the optimiser does not know. It was to keep it from moving an instruction behind the change of its guard
    /// (docs/PTX.md), and does not; it stays because the kernels that a device ran have it.
    fn tests(&self) -> bool {
        matches!(self.opcode.as_str(), "and" | "or" | "xor" | "not") && self.has("pred")
            || self.opcode == "testp"
            || self.opcode == "setp" && self.results.len() > 1
    }

    /// True for what leaves 16 bits of which the optimiser has its own idea. Of comparisons that give numbers it takes the
    /// result for a truth value where an integer is read, and for the number where one of the other type is; `neg` and `abs`
    /// of -32768 it widens to 32768; behind a saturated integer `cvt.sat.f32.f16` does not saturate.
    fn misread(&self) -> bool {
        match self.opcode.as_str() {
            "set" => matches!(self.modifiers.iter().rev().nth(1).map(String::as_str), Some("f16" | "bf16")),
            "neg" | "abs" => self.has("s16"),
            "cvt" => {
                self.has("sat")
                    && matches!(
                        self.modifiers.iter().rev().nth(1).map(String::as_str),
                        Some("u16" | "s16" | "u8" | "s8")
                    )
            }
            _ => false,
        }
    }

    /// What makes a result that is no number a certain one, if it is not: which of several comes out depends on how the
    /// assembler orders them, and it may do signs along with what comes behind.
    fn settled(&self, d: &str) -> String {
        if self.misread() && d.starts_with("%h") {
            return format!(" {HIDDEN} cvt.u16.u32 %th0, %tr8; xor.b16 {d}, {d}, %th0;");
        }
        let doubles = self.results == ["f64"] && self.sources.iter().filter(|s| *s == "f64").count() > 1;
        // Nor is it certain that a conversion of numbers to their own type does anything.
        let sign = matches!(self.opcode.as_str(), "neg" | "abs")
            || matches!(self.name.as_str(), "cvt.f32.f32" | "cvt.f64.f64");
        match self.modifiers.last().map_or("", String::as_str) {
            "f64" if doubles || sign => {
                format!(" setp.nan.f64 %tp1, {d}, {d}; selp.b64 {d}, 0x7ff8000000000000, {d}, %tp1;")
            }
            "f32" if sign => format!(" setp.nan.f32 %tp1, {d}, {d}; selp.b32 {d}, 0x7fffffff, {d}, %tp1;"),
            ty @ ("f16" | "bf16") if sign => format!(" setp.nan.{ty} %tp1, {d}, {d}; selp.b16 {d}, 0x7fff, {d}, %tp1;"),
            ty @ ("f16x2" | "bf16x2") if sign => {
                let ty = ty.trim_end_matches("x2");
                let half = |h: &str| format!(" setp.nan.{ty} %tp1, {h}, {h}; selp.b16 {h}, 0x7fff, {h}, %tp1;");
                format!(" mov.b32 {{%th0, %th1}}, {d};{}{} mov.b32 {d}, {{%th0, %th1}};", half("%th0"), half("%th1"))
            }
            _ => String::new(),
        }
    }

    fn selector(&self, random: &mut Random) -> String {
        let digits = |n: usize, most: usize, random: &mut Random| -> String {
            (0..n).map(|_| char::from(b'0' + random.below(most) as u8)).collect()
        };
        if self.opcode.ends_with('2') {
            format!(".h{}", digits(2, 4, random))
        } else if self.opcode.ends_with('4') {
            match digits(4, 8, random).as_str() {
                // The assembler takes it for a type.
                "1024" => ".b1023".to_owned(),
                digits => format!(".b{digits}"),
            }
        } else {
            (*random.pick(&["", ".b0", ".b1", ".b2", ".b3", ".h0", ".h1"])).to_owned()
        }
    }

    /// What part of a video instruction's result is written.
    fn place(&self, random: &mut Random) -> String {
        let text = if self.opcode.ends_with('2') {
            *random.pick(&["", ".h0", ".h1"])
        } else if self.opcode.ends_with('4') {
            *random.pick(&["", ".b1", ".b30", ".b210"])
        } else if self.opcode != "vmad" && self.sources.len() == 3 && !["add", "min", "max"].iter().any(|m| self.has(m))
        {
            *random.pick(&[".b0", ".b1", ".b2", ".b3", ".h0", ".h1"])
        } else {
            ""
        };
        text.to_owned()
    }
}

/// How many registers of each kind a function computes with.
pub const REGISTERS: [(&str, &str, usize); 6] =
    [("p", "pred", 6), ("h", "b16", 8), ("r", "b32", 14), ("x", "b64", 8), ("f", "f32", 10), ("d", "f64", 8)];

/// One of the registers of a kind.
pub fn any(kind: &str, random: &mut Random) -> String {
    let count = REGISTERS.iter().find(|r| r.0 == kind).unwrap().2;
    format!("%{kind}{}", random.below(count))
}

/// A register for a type; `+` behind it: or a wider one.
pub fn register(ty: &str, random: &mut Random) -> String {
    let name = ty.trim_end_matches('+');
    let integer = name.strip_prefix(['u', 's', 'b']).is_some_and(|n| n.parse::<u32>().is_ok());
    if ty.ends_with('+') && integer && bytes(name) < 8 && random.below(4) == 0 {
        let kinds = if bytes(name) < 4 { &["r", "x"][..] } else { &["x"][..] };
        let kind = *random.pick(kinds);
        return any(kind, random);
    }
    let kind = match (name, bytes(name)) {
        (_, 0) => "p",
        ("f32", _) => {
            if random.below(6) == 0 {
                "r"
            } else {
                "f"
            }
        }
        ("f64", _) => {
            if random.below(6) == 0 {
                "x"
            } else {
                "d"
            }
        }
        ("b32", _) if random.below(6) == 0 => "f",
        ("b64", _) => {
            if random.below(6) == 0 {
                "d"
            } else {
                "x"
            }
        }
        (_, 1 | 2) => "h",
        (_, 8) => "x",
        _ => "r",
    };
    any(kind, random)
}

/// A register for a result: numbers go to registers of their types. The assembler of driver 580 remembers what was put into
/// others, and makes an integer of it where it is used as one: of a register that `cvt.f32.f16` wrote, `st.u16` stores the
/// number as an integer.
pub fn result(ty: &str, random: &mut Random) -> String {
    match ty {
        "f32" => any("f", random),
        "f64" => any("d", random),
        "f32+" => {
            let name = register(ty, random);
            name.strip_prefix("%r").map(|n| format!("%f{}", &n[n.len() - 1..])).unwrap_or(name)
        }
        "f64+" => register(ty, random).replace("%x", "%d"),
        _ => register(ty, random),
    }
}

/// A number of a type, at an edge or anywhere.
fn immediate(ty: &str, random: &mut Random) -> Option<String> {
    const SINGLES: [u32; 14] = [
        0,
        0x8000_0000,
        1,
        0x007f_ffff,
        0x0080_0000,
        0x3f80_0000,
        0xbf80_0000,
        0x3f00_0000,
        0x4000_0000,
        0x4b00_0000,
        0x4f00_0000,
        0x7f7f_ffff,
        0x7f80_0000,
        0x3eaa_aaab,
    ];
    const DOUBLES: [u64; 12] = [
        0,
        1 << 63,
        1,
        0x0010_0000_0000_0000,
        0x3ff0_0000_0000_0000,
        0xbff0_0000_0000_0000,
        0x3fe0_0000_0000_0000,
        0x4000_0000_0000_0000,
        0x41e0_0000_0000_0000,
        0x7fef_ffff_ffff_ffff,
        0x7ff0_0000_0000_0000,
        0x3fd5_5555_5555_5555,
    ];
    let word = match random.below(4) {
        0 => random.next(),
        1 => random.next() % 64,
        2 => (1u64 << random.below(64)).wrapping_sub(random.next() % 3),
        _ => (random.next() % 64).wrapping_mul(u64::MAX),
    };
    Some(match ty.trim_end_matches('+') {
        "f32" => format!("0f{:08X}", random.pick(&SINGLES)),
        "f64" => format!("0d{:016X}", random.pick(&DOUBLES)),
        "u16" | "b16" => format!("{}", word as u16),
        "s16" => format!("{}", word as i16),
        "u32" | "b32" | "i32" => format!("{}", word as u32),
        "s32" => format!("{}", word as i32),
        "u64" | "b64" => format!("{word:#x}"),
        "s64" => format!("{}", (word as i64).max(-i64::MAX)),
        _ => return None,
    })
}
