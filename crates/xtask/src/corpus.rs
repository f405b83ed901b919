//! The kernels of any files, with what their code says of their parameters, for `tests/ptx/corpus.sh`.

use crate::{Failure, load};
use core::fmt::Write;
use ptx::instruction::Special;
use ptx::{Function, Instruction, Module, Opcode, Operand, Space, Type};
use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{Hash, Hasher};

/// The compute capability that modules are chosen for.
const CAPABILITY: u32 = 90;
/// A register may come from so many parameters; what comes from more is not looked at.
const MOST_ORIGINS: usize = 4;
/// Bytes of a parameter that are told; what is behind them is zero.
const MOST_SHOWN: usize = 512;
/// Turns around loops in which what is known of registers may still grow.
const MOST_PASSES: usize = 6;

/// Writes to a folder each module of the files that has kernels that the ones before it have not: `NAME.ptx`, its pieces with a NUL between
/// them, and `NAME.txt`, a line for each such kernel and for each variable.
pub fn write(folder: &str, files: &[&str]) -> Result<(), Failure> {
    let (mut known, mut written, mut kernels, mut refused) = (HashSet::new(), HashSet::new(), 0, 0);
    std::fs::create_dir_all(folder)?;
    for file in files {
        let bytes = std::fs::read(file)?;
        for text in modules(&bytes, &mut refused) {
            let mut hasher = DefaultHasher::new();
            text.hash(&mut hasher);
            if !written.insert(hasher.finish()) {
                continue;
            }
            let Ok(module) = ptx::parse(&text) else { continue };
            let list = describe(&module, &mut known);
            let count = list.lines().filter(|line| line.starts_with("kernel ")).count();
            if count > 0 {
                // Files of the same name lie in different folders.
                let stem = file.rsplit('/').next().and_then(|name| name.split('.').next()).unwrap_or("module");
                let stem: String = stem.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
                let name = format!("{folder}/{:04}-{stem}", written.len());
                std::fs::write(format!("{name}.ptx"), &text)?;
                std::fs::write(format!("{name}.txt"), list)?;
                kernels += count;
            }
        }
    }
    println!("{kernels} kernels; {refused} texts do not load");
    Ok(())
}

/// The modules of a file.
fn modules(bytes: &[u8], refused: &mut usize) -> Vec<String> {
    joined(texts(bytes), refused)
}

/// Modules, and the pieces of a program that was compiled in pieces as one.
fn joined(texts: Vec<String>, refused: &mut usize) -> Vec<String> {
    let (whole, pieces): (Vec<_>, Vec<_>) = texts.into_iter().partition(|text| load(text).is_ok());
    if pieces.is_empty() {
        return whole;
    }
    // They call each other, and what stands by itself.
    let all = ptx::link::join(pieces.iter().chain(&whole).cloned().collect());
    if load(&all).is_ok() && has_own_names(&all) {
        return vec![all];
    }
    *refused += pieces.len();
    whole
}

/// Whether no two kernels of a module have one name: such were no pieces of one program.
fn has_own_names(text: &str) -> bool {
    let Ok(module) = ptx::parse(text) else { return false };
    let mut names = HashSet::new();
    module.functions.iter().filter(|function| function.entry).all(|kernel| names.insert(kernel.name))
}

/// The PTX in a file: text, an image, an object or a program of the host, or a record of a program.
fn texts(bytes: &[u8]) -> Vec<String> {
    if let Ok((mut record, _)) = record::Reader::open(bytes) {
        let (mut found, mut content) = (Vec::new(), Vec::new());
        // What was recorded up to the end of a process that was killed counts, too.
        while let Ok(Some(event)) = record.next() {
            if let record::Event::Content { bytes, last } = event {
                content.extend_from_slice(&bytes);
                if last {
                    found.extend(image_texts(&content));
                    content.clear();
                }
            }
        }
        return found;
    }
    if image::object::is_object(bytes) {
        let mut found = image::object::read(bytes, CAPABILITY).map(|image| image.modules).unwrap_or_default();
        found.extend(constants(bytes));
        return found;
    }
    image_texts(bytes)
}

fn image_texts(bytes: &[u8]) -> Vec<String> {
    const FIRST: [&[u8]; 4] = [&[0x50, 0xed, 0x55, 0xba], b"\x7fELF", b".version", b"//"];
    let blank = bytes.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    if !FIRST.iter().any(|first| bytes[blank..].starts_with(first)) {
        return Vec::new();
    }
    image::of_bytes(bytes, CAPABILITY).map(|image| image.modules).unwrap_or_default()
}

/// Text that programs in C have as constants.
fn constants(bytes: &[u8]) -> Vec<String> {
    const FIRST: &[u8] = b".version ";
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = bytes[at..].windows(FIRST.len()).position(|window| window == FIRST) {
        let start = at + next;
        let length = bytes[start..].iter().position(|&byte| byte == 0).unwrap_or(bytes.len() - start);
        found.extend(core::str::from_utf8(&bytes[start..start + length]).ok().map(str::to_owned));
        at = start + length;
    }
    found
}

/// A line for each kernel that is not known yet, and for each variable of the module:
///
///     kernel NAME MOST_THREADS X Y Z (of .reqntid) X Y Z (of a cluster) FLAGS PARAMETER...
///     global NAME
///
/// A parameter is its size and, behind a colon, its words: a place and a [`Kind`]. Numbers are 0 where the kernel does not say them.
fn describe(module: &Module<'_>, known: &mut HashSet<u64>) -> String {
    let mut list = String::new();
    for kernel in module.functions.iter().filter(|function| function.entry && function.body.is_some()) {
        if !known.insert(identity(module, kernel)) {
            continue;
        }
        let most = kernel.most_threads.map_or(0, |[x, y, z]| x.saturating_mul(y).saturating_mul(z));
        let [x, y, z] = kernel.required_threads.unwrap_or_default();
        let [cx, cy, cz] = kernel.required_cluster.unwrap_or_default();
        let flags = flags(module, kernel);
        let _ = write!(list, "kernel {} {most} {x} {y} {z} {cx} {cy} {cz} {flags}", kernel.name);
        let words = Words::of(kernel);
        for (number, parameter) in kernel.parameters.iter().enumerate() {
            let _ = write!(list, " {}:{}", parameter.size, words.show(number, parameter.size));
        }
        list.push('\n');
    }
    for variable in &module.variables {
        if variable.space == Space::Global && !variable.ty.is_opaque() && variable.size > 0 {
            let _ = writeln!(list, "global {}", variable.name);
        }
    }
    list
}

/// The code of a kernel, whatever registers are called. What it calls counts by name.
fn identity(module: &Module<'_>, kernel: &Function<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    (module.version, module.architecture, kernel.name, kernel.required_threads, kernel.most_threads).hash(&mut hasher);
    for instruction in kernel.body.iter().flat_map(|body| &body.instructions) {
        format!("{:?} {:?} {:?}", instruction.full_name(), instruction.operands, instruction.guard).hash(&mut hasher);
    }
    hasher.finish()
}

/// Letters for what decides how a kernel is launched and compared:
///
/// - `c`: it asks for the grid of a cooperative launch; `x`: for its cluster
/// - `h`: it has shared memory; `s`: of a size that the launch says
/// - `k`: it asks for the time, or where and as what it runs
/// - `m`: it takes memory of the heap; `v`: it prints; `l`: it launches kernels
/// - `t`: it reads textures or surfaces
/// - `w`: lanes of a warp read registers of others
/// - `a`: it has atomic operations
fn flags(module: &Module<'_>, kernel: &Function<'_>) -> String {
    use Opcode::*;
    let mut flags = BTreeSet::new();
    let bodies = module.functions.iter().filter(|function| !function.entry || function.name == kernel.name);
    for instruction in bodies.filter_map(|function| function.body.as_ref()).flat_map(|body| &body.instructions) {
        match instruction.opcode {
            Atom | Red => _ = flags.insert('a'),
            Tex | Tld4 | Txq | Suld | Sust | Sured | Suq => _ = flags.insert('t'),
            Shfl | Mma | Wmma | Wgmma | Ldmatrix | Stmatrix | Movmatrix => _ = flags.insert('w'),
            _ => {}
        }
        let special = |operand: &Operand<'_>| match operand {
            Operand::Special(Special::Environment(_)) => Some('c'),
            Operand::Special(
                Special::ClusterId(_)
                | Special::NclusterId(_)
                | Special::ClusterCtaid(_)
                | Special::ClusterNctaid(_)
                | Special::ClusterCtarank
                | Special::ClusterNctarank,
            ) => Some('x'),
            Operand::Special(Special::SmId | Special::NsmId | Special::GridId) => Some('k'),
            Operand::Special(special) if special.is_clock() => Some('k'),
            _ => None,
        };
        flags.extend(instruction.operands.iter().filter_map(special));
        let mut symbol = |name: &str| match name {
            "malloc" | "free" => _ = flags.insert('m'),
            "vprintf" => _ = flags.insert('v'),
            "__assertfail" => {}
            _ if name.starts_with("cuda") || name.starts_with("__cuda") => _ = flags.insert('l'),
            _ => {}
        };
        instruction.operands.iter().for_each(|operand| operand.symbols(&mut symbol));
    }
    if module.variables.iter().any(|variable| variable.space == Space::Shared && variable.size == 0) {
        flags.insert('s');
    }
    let inner = module.functions.iter().filter_map(|function| function.body.as_ref()).flat_map(|body| &body.variables);
    if module.variables.iter().chain(inner).any(|variable| variable.space == Space::Shared) {
        flags.insert('h');
    }
    if flags.is_empty() { "-".into() } else { flags.into_iter().collect() }
}

/// A word of the parameters: which one, and where in it.
type Place = (usize, usize);

/// What a register may have come from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Origin {
    /// The word itself.
    Word(Place),
    /// Something was added to it.
    Beyond(Place),
    /// What lies where it leads to.
    Element(Place),
}

/// What is seen of a word, or of what lies where it leads to.
#[derive(Clone, Copy, Default)]
struct Seen {
    /// Bytes that are read at once.
    size: usize,
    address: bool,
    texture: bool,
    float: bool,
    integer: bool,
}

/// What is known of a kernel's parameters.
#[derive(Default)]
struct Words {
    words: BTreeMap<Place, Seen>,
    elements: BTreeMap<Place, Seen>,
}

impl Words {
    fn of(kernel: &Function<'_>) -> Words {
        let mut words = Words::default();
        let Some(body) = &kernel.body else { return words };
        let mut origins: HashMap<u32, BTreeSet<Origin>> = HashMap::new();
        // Registers that hold the address of a parameter.
        let mut places: HashMap<u32, Place> = HashMap::new();
        for _ in 0..MOST_PASSES {
            let before: usize = origins.values().map(BTreeSet::len).sum();
            body.instructions.iter().for_each(|instruction| words.step(kernel, instruction, &mut origins, &mut places));
            if before == origins.values().map(BTreeSet::len).sum::<usize>() {
                break;
            }
        }
        words
    }

    fn step(
        &mut self,
        kernel: &Function<'_>,
        instruction: &Instruction<'_>,
        origins: &mut HashMap<u32, BTreeSet<Origin>>,
        places: &mut HashMap<u32, Place>,
    ) {
        use Opcode::*;
        let (opcode, ty) = (instruction.opcode, instruction.types().last());
        let place = |operand: &Operand<'_>, places: &HashMap<u32, Place>| match *operand {
            Operand::Local(variable, offset) if (variable as usize) < kernel.parameters.len() => {
                Some((variable as usize, usize::try_from(offset).ok()?))
            }
            Operand::Register(register) => places.get(&register).copied(),
            _ => None,
        };
        // What is read or written where an address leads to.
        for operand in &instruction.operands {
            match operand {
                Operand::Address(base, offset) => {
                    if let (Some((number, at)), Ld) = (place(base, places), opcode) {
                        let at = usize::try_from(at as i64 + offset).unwrap_or(0);
                        let size = ty.map_or(0, Type::bytes);
                        for (lane, register) in registers(&instruction.operands[0]).into_iter().enumerate() {
                            let word = (number, at + lane * size);
                            self.words.entry(word).or_default().size = size;
                            origins.entry(register).or_default().insert(Origin::Word(word));
                        }
                    } else if let Operand::Register(register) = **base {
                        self.accessed(instruction, register, origins);
                    }
                }
                Operand::Indexed(all) => {
                    for origin in all.iter().flat_map(registers).filter_map(|register| origins.get(&register)).flatten()
                    {
                        if let Origin::Word(word) = origin {
                            self.words.entry(*word).or_default().texture |= ty.is_some();
                        }
                    }
                }
                _ => {}
            }
        }
        let (Some(Operand::Register(to)), sources) = (instruction.operands.first(), instruction.operands.get(1..))
        else {
            self.used(opcode, ty, instruction.operands.iter(), origins);
            return;
        };
        let sources = sources.unwrap_or_default();
        let from = |operand: &Operand<'_>, origins: &HashMap<u32, BTreeSet<Origin>>| match operand {
            Operand::Register(register) => origins.get(register).cloned().unwrap_or_default(),
            _ => BTreeSet::new(),
        };
        let beyond = |origin: Origin| match origin {
            Origin::Word(word) => Origin::Beyond(word),
            other => other,
        };
        let wide = ty.is_some_and(|ty| ty.bytes() == 8);
        let reached: BTreeSet<Origin> = match opcode {
            Mov | Cvta if sources.len() == 1 => {
                if let Some(at) = place(&sources[0], places) {
                    places.insert(*to, at);
                }
                from(&sources[0], origins)
            }
            Add | Sub => {
                if let (Some((number, at)), Some(Operand::Integer(more))) = (place(&sources[0], places), sources.get(1))
                {
                    places.insert(*to, (number, at.wrapping_add(*more as usize)));
                }
                if !wide {
                    self.used(opcode, ty, sources.iter(), origins);
                }
                let count = if opcode == Add { 2 } else { 1 };
                sources.iter().take(count).flat_map(|operand| from(operand, origins)).map(beyond).collect()
            }
            Mad => {
                self.used(Mul, ty, sources.iter().take(2), origins);
                sources
                    .last()
                    .map(|operand| from(operand, origins))
                    .unwrap_or_default()
                    .into_iter()
                    .map(beyond)
                    .collect()
            }
            Selp => sources.iter().take(2).flat_map(|operand| from(operand, origins)).collect(),
            _ => {
                self.used(opcode, ty, sources.iter(), origins);
                BTreeSet::new()
            }
        };
        if !reached.is_empty() {
            let all = origins.entry(*to).or_default();
            all.extend(reached);
            if all.len() > MOST_ORIGINS {
                *all = core::mem::take(all).into_iter().take(MOST_ORIGINS).collect();
            }
        }
    }

    /// An access to memory at a register.
    fn accessed(&mut self, instruction: &Instruction<'_>, register: u32, origins: &mut HashMap<u32, BTreeSet<Origin>>) {
        let ty = instruction.types().last();
        let Some(found) = origins.get(&register).cloned() else { return };
        for origin in found {
            match origin {
                Origin::Word(word) | Origin::Beyond(word) => {
                    self.words.entry(word).or_default().address = true;
                    let element = self.elements.entry(word).or_default();
                    element.size = element.size.max(ty.map_or(0, Type::bytes));
                    element.float |= ty.is_some_and(Type::is_float);
                    if matches!(instruction.opcode, Opcode::Ld | Opcode::Ldu | Opcode::Atom) {
                        for to in registers(&instruction.operands[0]) {
                            origins.entry(to).or_default().insert(Origin::Element(word));
                        }
                    }
                }
                Origin::Element(word) => self.elements.entry(word).or_default().address = true,
            }
        }
    }

    /// Operands that are numbers.
    fn used<'o, 'a: 'o>(
        &mut self,
        opcode: Opcode,
        ty: Option<Type>,
        operands: impl Iterator<Item = &'o Operand<'a>>,
        origins: &HashMap<u32, BTreeSet<Origin>>,
    ) {
        use Opcode::*;
        let float = ty.is_some_and(Type::is_float);
        let integer = !float && matches!(opcode, Mul | Mul24 | Shl | Shr | Div | Rem | Cvt | Add | Sub);
        for origin in operands.flat_map(registers).filter_map(|register| origins.get(&register)).flatten() {
            let seen = match origin {
                Origin::Word(word) => self.words.entry(*word).or_default(),
                Origin::Element(word) => self.elements.entry(*word).or_default(),
                Origin::Beyond(_) => continue,
            };
            seen.float |= float;
            seen.integer |= integer;
        }
    }

    /// The words of a parameter: a place and a letter. `b`: a byte, `h`: two, `i`: an integer, `f`: a float, `j`: an integer of 64 bits, `d`: a
    /// double, `t`: a texture or surface, `u`: 8 bytes of which nothing is known, `p`: an address. Behind the last one stands what lies there:
    /// `i`, `j`, `f`, `d`, `b`, `h` likewise, `p` for addresses, `n` for integers that are calculated with, `u` for anything.
    fn show(&self, number: usize, size: usize) -> String {
        let mut shown = String::new();
        let mut at = 0;
        while at < size.min(MOST_SHOWN) {
            let seen = self.words.get(&(number, at)).copied();
            let next = self.words.range((number, at + 1)..(number + 1, 0)).next().map_or(size, |((_, next), _)| *next);
            let room = next.min(size) - at;
            let seen = seen.unwrap_or_else(|| {
                let whole = [8, 4, 2].into_iter().find(|&bytes| at % bytes == 0 && room >= bytes).unwrap_or(1);
                Seen { size: whole, ..Seen::default() }
            });
            let letter = match seen.size {
                8 if seen.texture => "t".into(),
                8 if seen.float => "d".into(),
                8 if seen.integer => "j".into(),
                8 if seen.address => format!("p{}", self.element((number, at))),
                8 => "u".into(),
                4 if seen.float => "f".into(),
                4 => "i".into(),
                2 => "h".into(),
                1 => "b".into(),
                _ => String::new(),
            };
            if !letter.is_empty() {
                let _ = write!(shown, "{}{at}{letter}", if shown.is_empty() { "" } else { "," });
            }
            at += seen.size.max(1);
        }
        shown
    }

    fn element(&self, word: Place) -> char {
        let element = self.elements.get(&word).copied().unwrap_or_default();
        match element.size {
            8 if element.address => 'p',
            8 if element.float => 'd',
            8 if element.integer => 'j',
            4 if element.float => 'f',
            4 if element.integer => 'n',
            4 => 'i',
            2 => 'h',
            1 => 'b',
            _ => 'u',
        }
    }
}

/// The registers that an operand is, or is put together of.
fn registers(operand: &Operand<'_>) -> Vec<u32> {
    match operand {
        Operand::Register(register) => vec![*register],
        Operand::Vector(all) | Operand::List(all) => all.iter().flat_map(registers).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = ".version 8.0\n.target sm_90\n.address_size 64\n.global .align 4 .b32 sum;\n\
        .visible .entry k(.param .u64 a, .param .u32 n, .param .align 8 .b8 both[24], .param .b32 scale) .maxntid 128 {\n\
        .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<4>; .reg .pred %p;\n\
        ld.param.u64 %rd1, [a]; ld.param.u32 %r1, [n]; ld.param.v2.u64 {%rd2, %rd3}, [both]; ld.param.b32 %f1, [scale];\n\
        cvta.to.global.u64 %rd4, %rd1; mov.u32 %r2, %tid.x; setp.ge.u32 %p, %r2, %r1; @%p ret;\n\
        mul.wide.u32 %rd5, %r2, 4; add.s64 %rd6, %rd4, %rd5; ld.global.b32 %f2, [%rd6]; mul.f32 %f3, %f2, %f1;\n\
        shl.b64 %rd7, %rd3, 2; add.s64 %rd8, %rd2, %rd7; st.global.f32 [%rd8], %f3; atom.global.add.u32 %r3, [sum], 1; ret; }\n";

    #[test]
    fn code_says_what_parameters_are() {
        let (module, mut known) = (ptx::parse(TEXT).unwrap(), HashSet::new());
        // An address of floats, a number, a structure of an address, an index and eight bytes that nobody reads, a float.
        let line = "kernel k 128 0 0 0 0 0 0 a 8:0pf 4:0i 24:0pf,8j,16u 4:0f\nglobal sum\n";
        assert_eq!(describe(&module, &mut known), line);
        assert_eq!(describe(&module, &mut known), "global sum\n");
    }

    #[test]
    fn text_is_found_in_programs_and_pieces_belong_together() {
        let mut program = b"\x7fELF\x02\x01 and so on ".to_vec();
        program.extend_from_slice(TEXT.as_bytes());
        program.extend_from_slice(b"\0.version is what this is not\0");
        assert_eq!(constants(&program), [TEXT, ".version is what this is not"]);
        let head = ".version 8.0\n.target sm_90\n.address_size 64\n";
        let calls = format!("{head}.extern .func f;\n.visible .entry g() {{ call f; ret; }}\n");
        let called = format!("{head}.visible .func f {{ ret; }}\n");
        let mut refused = 0;
        assert_eq!(modules(TEXT.as_bytes(), &mut refused), [TEXT]);
        assert_eq!((joined(vec![calls.clone(), called.clone()], &mut refused).len(), refused), (1, 0));
        assert_eq!((joined(vec![calls.clone()], &mut refused).len(), refused), (0, 1));
        // Others with the same kernel are no pieces.
        let other = calls.replace("call f; ", "");
        assert_eq!(joined(vec![calls, called, other], &mut refused).len(), 2);
        assert!(texts(b"nothing of the kind").is_empty());
    }
}
