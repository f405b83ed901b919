//! `ptxas`: checks PTX and writes a container with it.

use crate::options::{Attached, Known, Line, Takes, known, parse};
use crate::statistics;
use container::{Architecture, Contents};
use ptx::instruction::Operand;
use ptx::module::Linkage;
use ptx::{Module, Opcode};
use std::collections::HashSet;
use std::ffi::OsString;
use std::fs;
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::time::Instant;

/// What a failure exits with.
pub const FAILURE: u8 = 255;
/// What is written where nothing else is named.
const OUTPUT: &str = "elf.o";
/// What code is made for where nothing else is said.
pub(crate) const DEFAULT: &str = "sm_75";
/// Registers of a thread: what a bound is raised to, and above which it is none.
const LEAST_BOUND: i64 = 24;
const MOST_BOUND: i64 = 255;

const ON_OFF: Takes = Takes::Nothing;
/// The options of releases 12.9 to 13.5, and four that these take and do not list.
pub const OPTIONS: &[Known] = &[
    known("Ofast-compile", "Ofc", Takes::Word),
    known("abi-compile", "abi", Takes::Word),
    known("allow-expensive-optimizations", "allow-expensive-optimizations", Takes::Truth),
    known("apply-controls", "apply-controls", Takes::Word),
    known("cloning", "cloning", Takes::Word),
    known("compile-as-tools-patch", "astoolspatch", ON_OFF),
    known("compile-only", "c", ON_OFF),
    known("compiler-annotations", "annotate", ON_OFF),
    known("def-load-cache", "dlcm", Takes::Word),
    known("def-store-cache", "dscm", Takes::Word),
    known("device-debug", "g", ON_OFF),
    known("device-function-maxrregcount", "func-maxrregcount", Takes::Word),
    known("device-stack-protector", "device-stack-protector", Takes::Truth),
    known("disable-optimizer-constants", "disable-optimizer-consts", ON_OFF),
    known("disable-warnings", "w", ON_OFF),
    known("dont-merge-basicblocks", "no-bb-merge", ON_OFF),
    known("enable-func-clone-sc", "enable-func-clone-sc", Takes::Truth),
    known("entry", "e", Takes::List),
    known("extensible-whole-program", "ewp", ON_OFF),
    known("fmad", "fmad", Takes::Truth),
    known("force-load-cache", "flcm", Takes::Word),
    known("force-store-cache", "fscm", Takes::Word),
    known("g-tensor-memory-access-check", "g-tmem-access-check", ON_OFF),
    known("generate-line-info", "lineinfo", ON_OFF),
    known("gno-fabric-access-check", "gno-fabric-access-check", ON_OFF),
    known("gno-tensor-memory-access-check", "gno-tmem-access-check", ON_OFF),
    known("gpu-name", "arch", Takes::Architecture(exists)),
    known("help", "h", ON_OFF),
    known("input-as-string", "ias", Takes::Word),
    known("jobserver", "jobserver", ON_OFF),
    known("legacy-bar-warp-wide-behavior", "legacy-bar-warp-wide-behavior", ON_OFF),
    known("list-arch", "arch-ls", ON_OFF),
    known("list-version", "version-ls", ON_OFF),
    Known { attached: Attached::May, ..known("machine", "m", Takes::OneOf(&["64"])) },
    known("make-errors-visible-at-exit", "make-errors-visible-at-exit", ON_OFF),
    known("maxntid", "maxntid", Takes::List),
    known("maxrregcount", "maxrregcount", Takes::Word),
    known("minnctapersm", "minnctapersm", Takes::Number),
    Known { attached: Attached::Only, ..known("opt-level", "O", Takes::Number) },
    known("optimize-float-atomics", "opt-fp-atomics", ON_OFF),
    known("options-file", "optf", Takes::File),
    known("output-file", "o", Takes::Word),
    known("override-directive-values", "override-directive-values", ON_OFF),
    known("position-independent-code", "pic", Takes::Truth),
    known("preserve-relocs", "preserve-relocs", ON_OFF),
    known("regAllocOptLevel", "regAllocOptLevel", Takes::Number),
    known("register-usage-level", "regUsageLevel", Takes::Number),
    known("return-at-end", "ret-end", ON_OFF),
    known("sanitize", "sanitize", Takes::OneOf(&["memcheck", "threadsteer"])),
    known("sp-bounds-check", "sp-bounds-check", ON_OFF),
    known("split-compile", "split-compile", Takes::Number),
    known("suppress-async-bulk-multicast-advisory-warning", "suppress-async-bulk-multicast-advisory-warning", ON_OFF),
    known("suppress-debug-info", "suppress-debug-info", ON_OFF),
    known("suppress-double-demote-warning", "suppress-double-demote-warning", ON_OFF),
    known("suppress-position-independent-code-warning", "suppress-position-independent-code-warning", ON_OFF),
    known("suppress-sparse-mma-advisory-info", "suppress-sparse-mma-advisory-info", ON_OFF),
    known("suppress-stack-size-warning", "suppress-stack-size-warning", ON_OFF),
    known("uumn", "uumn", ON_OFF),
    known("verbose", "v", ON_OFF),
    known("verbose2", "v2", ON_OFF),
    known("version", "V", ON_OFF),
    known("warn-on-double-precision-use", "warn-double-usage", ON_OFF),
    known("warn-on-local-memory-usage", "warn-lmem-usage", ON_OFF),
    known("warn-on-spills", "warn-spills", ON_OFF),
    known("warning-as-error", "Werror", ON_OFF),
];

/// Architectures of releases 12.9 to 13.5.
const ARCHITECTURES: [u32; 22] =
    [50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 88, 89, 90, 100, 101, 103, 107, 110, 120, 121];
/// From here on there is code for one architecture alone, and from there on for a family.
const ALONE_FROM: u32 = 90;
const FAMILY_FROM: u32 = 100;

/// Whether an architecture exists.
pub fn exists(name: &str) -> bool {
    let prefixed = ["sm_", "compute_", "lto_"].iter().any(|prefix| name.starts_with(prefix));
    prefixed && name.parse::<Architecture>().is_ok_and(is_known)
}

fn is_known(architecture: Architecture) -> bool {
    let least = match architecture.suffix {
        None => 0,
        Some('a') => ALONE_FROM,
        Some(_) => FAMILY_FROM,
    };
    ARCHITECTURES.contains(&architecture.number) && architecture.number >= least
}

/// Whether no code is made for it.
fn is_virtual(name: &str) -> bool {
    !name.starts_with("sm_")
}

/// A text to assemble.
pub struct Input {
    /// The file, for messages.
    pub name: String,
    /// What it holds; nothing if it cannot be read.
    pub text: Option<Vec<u8>>,
}

/// What is said while a program works.
#[derive(Default)]
pub struct Messages {
    /// All of it.
    pub text: String,
    quiet: bool,
    strict: bool,
    failed: bool,
}

/// Something is wrong; the messages say what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused;

impl Messages {
    fn fatal(&mut self, text: &str) {
        self.failed = true;
        self.text.push_str(&format!("ptxas fatal   : {text}\n"));
    }

    fn warning(&mut self, text: &str) {
        match (self.strict, self.quiet) {
            (true, _) => {
                self.failed = true;
                self.text.push_str(&format!("ptxas error   : {text}\n"));
            }
            (false, false) => self.text.push_str(&format!("ptxas warning : {text}\n")),
            (false, true) => {}
        }
    }

    fn aborted(&mut self) {
        self.fatal("Ptx assembly aborted due to errors");
    }
}

/// Runs the program: exit status. Standard input is read for the input `-`.
pub fn run(arguments: Vec<OsString>, stdin: &mut dyn Read, out: &mut dyn Write, messages: &mut Messages) -> u8 {
    if arguments.is_empty() {
        return say(out, &help(), messages);
    }
    let line = match parse(OPTIONS, arguments) {
        Ok(line) => line,
        Err(text) => {
            messages.fatal(&text);
            return FAILURE;
        }
    };
    for (option, text) in [
        ("help", help()),
        ("version", crate::version("ptxas", "stand-in for the PTX optimizing assembler")),
        ("list-arch", ARCHITECTURES.map(|number| format!("{number}\n")).concat()),
        ("list-version", versions()),
    ] {
        if line.has(option) {
            return say(out, &text, messages);
        }
    }
    let mut inputs: Vec<_> = line.values("input-as-string").map(|text| string_input(text.as_bytes())).collect();
    inputs.extend(line.inputs.iter().map(|name| read(name, stdin)));
    if inputs.is_empty() {
        return say(out, &help(), messages);
    }
    let Ok(file) = assemble(&line, &inputs, messages) else { return FAILURE };
    let Some(file) = file else { return 0 };
    let to = line.value("output-file").map_or(OUTPUT.into(), |name| name.to_owned());
    if fs::write(&to, file).is_err() {
        messages.fatal(&format!("Output file '{}' could not be opened", to.to_string_lossy()));
        return FAILURE;
    }
    0
}

/// Prints what was asked for: exit status.
fn say(out: &mut dyn Write, text: &str, messages: &mut Messages) -> u8 {
    if crate::print(out, text) {
        return 0;
    }
    messages.fatal("Output could not be written");
    FAILURE
}

fn string_input(text: &[u8]) -> Input {
    Input { name: "<string>".to_owned(), text: Some(text.to_vec()) }
}

fn read(name: &OsString, stdin: &mut dyn Read) -> Input {
    let text = if name == "-" {
        let mut text = Vec::new();
        stdin.take(crate::LARGEST as u64 + 1).read_to_end(&mut text).ok().map(|_| text)
    } else {
        crate::read(name, crate::LARGEST)
    };
    let name = if name == "-" { "<stdin>".to_owned() } else { name.to_string_lossy().into_owned() };
    Input { name, text: text.filter(|text| text.len() <= crate::LARGEST) }
}

/// A container with the inputs; nothing where only checks are wanted. What is wrong is among the messages.
pub fn assemble(line: &Line, inputs: &[Input], messages: &mut Messages) -> Result<Option<Vec<u8>>, Refused> {
    messages.quiet = line.has("disable-warnings");
    messages.strict = line.has("warning-as-error");
    line.warnings.iter().for_each(|text| messages.warning(text));
    let name = line.text("gpu-name").unwrap_or_else(|| DEFAULT.to_owned());
    let architecture = name.parse::<Architecture>().unwrap_or_default();
    let most_registers = bound(line, &name, messages)?;
    check_values(line, messages)?;

    let start = Instant::now();
    let texts: Vec<_> = inputs.iter().map(|input| check_text(input, messages)).collect();
    if messages.failed {
        messages.aborted();
        return Err(Refused);
    }
    let text = ptx::link::join(texts.iter().map(|&text| text.to_owned()).collect());
    let module = match ptx::parse(&text) {
        Ok(module) => module,
        // Each is right: they do not fit together.
        Err(problem) => {
            let mut twice = defined_twice(inputs, &texts);
            if twice.is_empty() {
                twice = format!("ptxas {}; error   : {}\n", place(inputs.last(), problem.line), problem.message);
            }
            messages.text.push_str(&twice);
            messages.aborted();
            return Err(Refused);
        }
    };
    check_target(&module, architecture, messages)?;
    let relocatable = line.has("compile-only");
    check_names(&module, line, relocatable, messages)?;
    if line.has("verbose") || line.has("verbose2") {
        let wanted = statistics::Wanted {
            name: &name,
            number: architecture.number,
            relocatable,
            progress: line.has("verbose2"),
            most_registers,
            milliseconds: start.elapsed().as_secs_f64() * 1e3,
        };
        if !is_virtual(&name) {
            messages.text.push_str(&statistics::describe(&module, &wanted));
        }
    }
    if messages.failed {
        messages.aborted();
        return Err(Refused);
    }
    if is_virtual(&name) {
        return Ok(None);
    }
    let (major, minor) = crate::RELEASE;
    let name = inputs.first().map(|input| input.name.clone()).unwrap_or_default();
    let maker = format!("ptxas {major}.{minor}");
    Ok(Some(container::write(&Contents { ptx: text.into_bytes(), architecture, most_registers, name, maker })))
}

/// What is said of functions that an input defines and another one before it.
fn defined_twice(inputs: &[Input], texts: &[&str]) -> String {
    let mut known = HashSet::new();
    let mut said = String::new();
    for (input, module) in inputs.iter().zip(texts).filter_map(|(input, text)| Some((input, ptx::parse(text).ok()?))) {
        let names: HashSet<_> = ptx::link::definitions(&module).collect();
        for function in module.functions.iter().filter(|f| names.contains(f.name) && f.body.is_some()) {
            if !known.insert(function.name.to_owned()) {
                let (place, name) = (place(Some(input), function.position.line), function.name);
                said.push_str(&format!("ptxas {place}; error   : Duplicate definition of function '{name}'\n"));
            }
        }
    }
    said
}

/// `-maxrregcount`.
fn bound(line: &Line, architecture: &str, messages: &mut Messages) -> Result<Option<u32>, Refused> {
    let Some(text) = line.text("maxrregcount") else { return Ok(None) };
    match (text.as_str(), text.parse::<i64>()) {
        ("archmax", _) => Ok(Some(MOST_BOUND as u32)),
        ("archmin", _) => Ok(Some(LEAST_BOUND as u32)),
        (_, Ok(number)) if (0..LEAST_BOUND).contains(&number) => {
            messages.warning(&format!(
                "For profile {architecture} adjusting per thread register count of {number} to lower bound of {LEAST_BOUND}"
            ));
            Ok(Some(LEAST_BOUND as u32))
        }
        (_, Ok(number)) if (LEAST_BOUND..=MOST_BOUND + 1).contains(&number) => Ok(Some(number as u32)),
        (_, Ok(number)) => {
            messages.warning(&format!("Too big maxrregcount value specified {number}, will be ignored"));
            Ok(None)
        }
        _ => {
            messages.fatal(&format!("Invalid value '{text}' for option 'maxrregcount'"));
            Err(Refused)
        }
    }
}

/// Values that have no other use here.
fn check_values(line: &Line, messages: &mut Messages) -> Result<(), Refused> {
    if let Some(level) =
        line.text("Ofast-compile").filter(|level| !["0", "min", "mid", "max"].contains(&level.as_str()))
    {
        messages
            .fatal(&format!("Invalid value for --Ofast-compile/-Ofc ({level}), is not 'max', 'mid', 'min', or '0'"));
        return Err(Refused);
    }
    if let Some(level) = line.text("register-usage-level")
        && !level.parse::<u32>().is_ok_and(|level| level <= 10)
    {
        let text = format!("Value of RegUsageLevel ({level}) is out of valid range {{0..10}}, option will be ignored");
        messages.warning(&text);
    }
    if line.has("device-debug") && line.text("opt-level").is_some_and(|level| level != "0") {
        messages.fatal("Optimized debugging not supported");
        return Err(Refused);
    }
    for (option, what, words) in [
        ("def-load-cache", "load", &["ca", "cg", "cs", "lu", "cv"][..]),
        ("force-load-cache", "load", &["ca", "cg", "cs", "lu", "cv"]),
        ("def-store-cache", "store", &["wb", "cg", "cs", "wt"]),
        ("force-store-cache", "store", &["wb", "cg", "cs", "wt"]),
    ] {
        if let Some(word) = line.text(option).filter(|word| !words.contains(&word.as_str())) {
            messages
                .text
                .push_str(&format!("ptxas error   : Invalid default cache modifier on {what} specified: {word}\n"));
            messages.aborted();
            return Err(Refused);
        }
    }
    Ok(())
}

fn place(input: Option<&Input>, line: u32) -> String {
    format!("{}, line {line}", input.map_or("", |input| &input.name))
}

/// The text of an input, which is PTX.
fn check_text<'i>(input: &'i Input, messages: &mut Messages) -> &'i str {
    let Some(bytes) = &input.text else {
        messages.fatal(&format!("Input file '{}' could not be opened", input.name));
        return "";
    };
    // A text ends with its NUL.
    let bytes = &bytes[..bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len())];
    let Ok(text) = str::from_utf8(bytes) else {
        let good = bytes.utf8_chunks().next().map_or(0, |chunk| chunk.valid().len());
        let line = 1 + bytes[..good].iter().filter(|&&b| b == b'\n').count();
        messages.fatal(&format!("Unexpected non-ASCII character encountered on line {line}"));
        return "";
    };
    if let Err(problem) = ptx::parse(text) {
        messages.failed = true;
        let all = ptx::mistakes(text);
        for problem in if all.is_empty() { vec![problem] } else { all } {
            let kind = if problem.is_fatal() { "fatal  " } else { "error  " };
            let mut message = problem.message;
            if message.starts_with("Missing .version directive") {
                message.push_str(&format!(" '{}'", input.name));
            }
            messages.text.push_str(&format!("ptxas {}; {kind} : {message}\n", place(Some(input), problem.line)));
        }
    }
    text
}

fn check_target(module: &Module<'_>, wanted: Architecture, messages: &mut Messages) -> Result<(), Refused> {
    let own = Architecture { number: module.architecture, suffix: module.suffix };
    let fits = match own.suffix {
        Some('a') => own == wanted,
        Some(_) => own.suits(wanted.number) && wanted.suffix.is_some(),
        None => own.number <= wanted.number,
    };
    if !fits {
        messages.fatal(&match own.suffix {
            None => "SM version specified by .target is higher than default SM version assumed".to_owned(),
            Some(_) if own.number < wanted.number => {
                format!("Program with .target '{own}' cannot be compiled to future architecture")
            }
            Some(_) => format!("PTX with .target '{own}' cannot be compiled for architecture '{wanted}'"),
        });
        return Err(Refused);
    }
    if module.address_size != 64 {
        messages.warning(&format!(
            " 64 Bit host architecture (--machine) being used mismatches with .address_size of {} bits",
            module.address_size
        ));
        messages.fatal(&format!(
            " 32-Bit ABI (--machine 32 or 32-Bit addressing) is not supported on sm_{} or higher architectures.",
            wanted.number
        ));
        return Err(Refused);
    }
    Ok(())
}

/// What a device's runtime has, under any name of these or one that begins so.
pub fn is_of_device(name: &str) -> bool {
    ["vprintf", "malloc", "free", "__assertfail"].contains(&name)
        || name.starts_with("__cuda")
        || name.starts_with("cuda")
}

/// Kernels that are asked for are there; a whole program calls nothing that is not.
fn check_names(module: &Module<'_>, line: &Line, relocatable: bool, messages: &mut Messages) -> Result<(), Refused> {
    for entry in line.values("entry").map(|name| name.to_string_lossy()) {
        if !module.function(&entry).is_some_and(|f| f.entry) {
            messages.fatal(&format!("Unknown function {entry}"));
            return Err(Refused);
        }
    }
    if relocatable || line.has("extensible-whole-program") {
        return Ok(());
    }
    for variable in module.variables.iter().filter(|v| v.linkage == Linkage::Extern && v.space == ptx::Space::Global) {
        messages.warning(&format!(
            "Unresolved extern variable '{}' in whole program compilation, ignoring extern qualifier",
            variable.name
        ));
    }
    let calls = module.functions.iter().filter_map(|f| f.body.as_ref()).flat_map(|body| &body.instructions);
    let calls = calls.filter(|i| i.opcode == Opcode::Call).flat_map(|i| &i.operands);
    let missing = calls.filter_map(|operand| match operand {
        Operand::Symbol(name, _) => module.function(name).filter(|f| f.body.is_none()),
        _ => None,
    });
    let aliased = |name: &str| module.aliases.iter().any(|(alias, _)| *alias == name);
    if let Some(function) = missing.into_iter().find(|f| !is_of_device(f.name) && !aliased(f.name)) {
        messages.fatal(&format!("Unresolved extern function '{}'", function.name));
        return Err(Refused);
    }
    Ok(())
}

/// Versions of PTX up to the newest that is understood.
fn versions() -> String {
    let (major, minor) = ptx::NEWEST;
    let all = (1..=major).flat_map(|m| (0..10).map(move |n| (m, n))).filter(|&version| version <= (major, minor));
    all.filter(|&(m, n)| m >= 9 || n <= [5, 3, 2, 3, 1, 5, 8, 8][m as usize - 1])
        .map(|(m, n)| format!("{m}.{n}\n"))
        .collect()
}

fn help() -> String {
    let mut text = "\nUsage  : ptxas [options] <ptx file>,...\n\nOptions\n=======\n\n".to_owned();
    for option in OPTIONS {
        let value = match option.takes {
            Takes::Nothing => "",
            Takes::Word | Takes::Architecture(_) => " <value>",
            Takes::Number => " <N>",
            Takes::Truth => " <true|false>",
            Takes::OneOf(_) => " <name>",
            Takes::List => " <value>,...",
            Takes::File => " <file>,...",
        };
        text.push_str(&format!("{:<60}(-{})\n", format!("--{}{value}", option.long), option.short));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODULE: &str = ".version 8.0\n.target sm_80\n.address_size 64\n.global .align 4 .u32 g[10];\n\
        .visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<4>;\n.shared .align 4 .b8 s[512];\n.local .align 8 .b8 l[64];\n\
        mov.u32 %r1, s;\nst.shared.u32 [%r1], %r1;\nbar.sync 2;\nret;\n}\n";

    /// Runs `ptxas` on a text: exit status, messages, what it wrote.
    fn on(text: &str, options: &[&str]) -> (u8, String, Option<Contents>) {
        static NUMBER: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let output = std::env::temp_dir().join(format!("ptxas-{}-{number}", std::process::id()));
        let mut arguments: Vec<OsString> = options.iter().map(OsString::from).collect();
        arguments.extend(["-o".into(), output.clone().into_os_string(), "-".into()]);
        let mut messages = Messages::default();
        let rc = run(arguments, &mut text.as_bytes(), &mut Vec::new(), &mut messages);
        let written = fs::read(&output).ok();
        let _ = fs::remove_file(&output);
        (rc, messages.text, written.map(|file| container::read(&file).unwrap()))
    }

    #[test]
    fn a_container_is_written() {
        let (rc, messages, contents) =
            on(MODULE, &["-arch=sm_90a", "-maxrregcount", "40", "-lineinfo", "--fmad=false"]);
        assert_eq!((rc, messages.as_str()), (0, ""));
        let contents = contents.unwrap();
        assert_eq!(contents.ptx, MODULE.as_bytes());
        assert_eq!(contents.architecture, Architecture { number: 90, suffix: Some('a') });
        assert_eq!(contents.most_registers, Some(40));
    }

    #[test]
    fn architectures_without_code() {
        let (rc, messages, contents) = on(MODULE, &["-arch=compute_90", "-v"]);
        assert_eq!((rc, messages.as_str(), contents), (0, "", None));
    }

    #[test]
    fn numbers_of_a_module() {
        let (rc, text, _) = on(MODULE, &["-arch=sm_90", "-v"]);
        assert_eq!(rc, 0);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(
            lines[..4],
            [
                "ptxas info    : 40 bytes gmem",
                "ptxas info    : Compiling entry function 'k' for 'sm_90'",
                "ptxas info    : Function properties for k",
                "    64 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads",
            ]
        );
        let numbers = "registers, used 3 barriers, 64 bytes cumulative stack size, 512 bytes smem";
        assert!(lines[4].starts_with("ptxas info    : Used ") && lines[4].ends_with(numbers), "{}", lines[4]);
        assert!(lines[5].starts_with("ptxas info    : Compile time = "));
        let (_, text, _) = on(MODULE, &["-arch=sm_80", "-c", "--verbose"]);
        assert!(text.contains("used 3 barriers, 512 bytes smem, 360 bytes cmem[0]\n"), "{text}");
    }

    #[test]
    fn what_is_wrong_is_said() {
        let aborted = "ptxas fatal   : Ptx assembly aborted due to errors\n";
        for (from, to, options, message) in [
            (
                "bar.sync",
                "bar.snyc",
                &["-arch=sm_90"][..],
                "ptxas <stdin>, line 12; error   : Unknown modifier '.snyc'\n",
            ),
            ("mov.u32 %r1", "mov.u32 %q", &["-arch=sm_90"], "ptxas <stdin>, line 10; error   : Unknown symbol '%q'\n"),
            (".version 8.0", "", &["-arch=sm_90"], "fatal   : Missing .version directive at start of file '<stdin>'\n"),
            (
                ".version 8.0",
                ".version 9.9",
                &["-arch=sm_90"],
                "fatal   : Unsupported .version 9.9; current version is",
            ),
            (
                "",
                "",
                &[],
                "ptxas fatal   : SM version specified by .target is higher than default SM version assumed\n",
            ),
            (
                "sm_80",
                "sm_90a",
                &["-arch=sm_90"],
                "PTX with .target 'sm_90a' cannot be compiled for architecture 'sm_90'\n",
            ),
            (
                "sm_80",
                "sm_90a",
                &["-arch=sm_100"],
                "Program with .target 'sm_90a' cannot be compiled to future architecture\n",
            ),
            ("", "", &["-arch=sm_35"], "ptxas fatal   : Value 'sm_35' is not defined for option 'gpu-name'\n"),
            ("", "", &["-arch=sm_90", "-e", "none"], "ptxas fatal   : Unknown function none\n"),
            (
                "",
                "",
                &["-arch=sm_90", "-maxrregcount=x"],
                "ptxas fatal   : Invalid value 'x' for option 'maxrregcount'\n",
            ),
            (
                "",
                "",
                &["-arch=sm_90", "-dlcm=x"],
                "ptxas error   : Invalid default cache modifier on load specified: x\n",
            ),
            ("", "", &["-arch=sm_90", "--bogus"], "ptxas fatal   : Unknown option '-bogus'\n"),
            ("", "", &["-arch=sm_90", "-g", "-O2"], "ptxas fatal   : Optimized debugging not supported\n"),
            ("ret;", "call f; ret;", &["-arch=sm_90"], "error   : "),
            (
                "",
                "",
                &["-arch=sm_90", "-Werror", "-maxrregcount=999"],
                "ptxas error   : Too big maxrregcount value specified 999",
            ),
        ] {
            let (rc, messages, contents) = on(&MODULE.replacen(from, to, usize::from(!from.is_empty())), options);
            assert!(rc == FAILURE && contents.is_none() && messages.contains(message), "{to} {options:?}: {messages}");
            let parsed = messages.starts_with("ptxas <stdin>") || messages.starts_with("ptxas error");
            assert_eq!(messages.ends_with(aborted), parsed, "{messages}");
        }
        let (rc, messages, _) = on(MODULE, &["-arch=sm_90", "-maxrregcount=4"]);
        let warning =
            "ptxas warning : For profile sm_90 adjusting per thread register count of 4 to lower bound of 24\n";
        assert_eq!((rc, messages.as_str()), (0, warning));
        assert_eq!(on(MODULE, &["-arch=sm_90", "-maxrregcount=4", "-w"]).1, "");
    }

    #[test]
    fn functions_that_are_nowhere() {
        let text = MODULE.replacen(".visible", ".extern .func f();\n.visible", 1).replacen("ret;", "call f; ret;", 1);
        let (rc, messages, _) = on(&text, &["-arch=sm_90"]);
        assert_eq!((rc, messages.as_str()), (FAILURE, "ptxas fatal   : Unresolved extern function 'f'\n"));
        assert_eq!(on(&text, &["-arch=sm_90", "-c"]).0, 0);
        let of_device = text.replace("f()", "(.param .b32 r) vprintf(.param .b64 a, .param .b64 b)");
        let of_device =
            of_device.replace("call f;", "{ .param .b64 a; .param .b64 b; .param .b32 r; call (r), vprintf, (a, b); }");
        assert_eq!(on(&of_device, &["-arch=sm_90"]), (0, String::new(), on(&of_device, &["-arch=sm_90"]).2));
    }

    #[test]
    fn several_inputs_are_one_program() {
        let one =
            ".version 8.0\n.target sm_80\n.address_size 64\n.extern .func f();\n.visible .entry k() { call f; ret; }\n";
        let two = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .func f() { ret; }\n";
        let line = parse(OPTIONS, vec!["-arch=sm_90".into()]).unwrap();
        let input = |text: &str| Input { name: "x".into(), text: Some(text.into()) };
        let file = assemble(&line, &[input(one), input(two)], &mut Messages::default()).unwrap().unwrap();
        let text = String::from_utf8(container::read(&file).unwrap().ptx).unwrap();
        assert!(ptx::parse(&text).unwrap().function("f").unwrap().body.is_some());
        let mut messages = Messages::default();
        assert!(assemble(&line, &[input(two), input(two)], &mut messages).is_err());
        assert!(messages.text.contains("definition of"), "{}", messages.text);
    }

    #[test]
    fn questions_about_the_program() {
        let ask = |option: &str| {
            let mut out = Vec::new();
            let rc = run(vec![option.into()], &mut &[][..], &mut out, &mut Messages::default());
            (rc, String::from_utf8(out).unwrap())
        };
        let (rc, text) = ask("--version");
        assert!(rc == 0 && text.contains("release 13.5, V13.5") && text.contains(crate::MARK), "{text}");
        // What comes with a CUDA release is that release's PTX.
        let (major, minor) = crate::RELEASE;
        assert_eq!((major - 4, minor), ptx::NEWEST);
        assert!(ask("--list-version").1.ends_with(&format!("{}.{}\n", ptx::NEWEST.0, ptx::NEWEST.1)));
        assert!(ask("--help").1.contains("--gpu-name"));
    }
}
