//! `nvcc`: NVIDIA's, with options that make what it builds run here.
//!
//! [`plan`] looks at a command line and says what to do; nothing of it runs anything. A program gets the shared runtime,
//! which is ours when it runs, and PTX beside machine code. Files of machine code (`-cubin`) become containers: NVIDIA's
//! compiler makes the PTX, and our `ptxas` what is written.

use crate::options::{self, words};
use container::Architecture;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// Options with a value that matter here, or whose value must not be taken for something else: long and short names. The
/// short ones of [`ATTACHED`] have it behind them.
const VALUED: &[(&str, &str)] = &[
    ("Ofast-compile", "Ofc"),
    ("Werror", "Werror"),
    ("apply-controls", "apply-controls"),
    ("archive-options", "Xarchive"),
    ("archiver-binary", "arbin"),
    ("brief-diagnostics", "brief-diag"),
    ("compiler-bindir", "ccbin"),
    ("compiler-options", "Xcompiler"),
    ("compress-mode", "compress-mode"),
    ("cudadevrt", "cudadevrt"),
    ("cudafe-options", "Xcudafe"),
    ("cudart", "cudart"),
    ("default-stream", "default-stream"),
    ("define-macro", "D"),
    ("dependency-drive-prefix", "ddp"),
    ("dependency-output", "MF"),
    ("dependency-target-name", "MT"),
    ("device-entity-has-hidden-visibility", "device-entity-has-hidden-visibility"),
    ("device-stack-protector", "device-stack-protector"),
    ("diag-error", "diag-error"),
    ("diag-suppress", "diag-suppress"),
    ("diag-warn", "diag-warn"),
    ("dopt", "dopt"),
    ("drive-prefix", "dp"),
    ("entries", "e"),
    ("fdevice-sanitize", "fdevice-sanitize"),
    ("fdevice-time-trace", "fdevice-time-trace"),
    ("fdevice-time-trace-granularity", "fdevice-time-trace-granularity"),
    ("fmad", "fmad"),
    ("fmax-errors", "fmax-errors"),
    ("frandom-seed", "frandom-seed"),
    ("ftemplate-backtrace-limit", "ftemplate-backtrace-limit"),
    ("ftemplate-depth", "ftemplate-depth"),
    ("ftz", "ftz"),
    ("generate-code", "gencode"),
    ("gpu-architecture", "arch"),
    ("gpu-code", "code"),
    ("host-linker-script", "hls"),
    ("include-path", "I"),
    ("input-drive-prefix", "idp"),
    ("jump-table-density", "jtd"),
    ("keep-dir", "keep-dir"),
    ("libdevice-directory", "ldir"),
    ("library", "l"),
    ("library-path", "L"),
    ("linker-options", "Xlinker"),
    ("machine", "m"),
    ("maxrregcount", "maxrregcount"),
    ("nvlink-options", "Xnvlink"),
    ("nvprune-options", "Xnvprune"),
    ("optimization-info", "opt-info"),
    ("optimize", "O"),
    ("options-file", "optf"),
    ("output-directory", "odir"),
    ("output-file", "o"),
    ("pre-include", "include"),
    ("prec-div", "prec-div"),
    ("prec-sqrt", "prec-sqrt"),
    ("ptxas-options", "Xptxas"),
    ("relocatable-device-code", "rdc"),
    ("run-args", "run-args"),
    ("split-compile", "split-compile"),
    ("split-compile-extended", "split-compile-extended"),
    ("static-global-template-stub", "static-global-template-stub"),
    ("std", "std"),
    ("stdlib", "stdlib"),
    ("system-include", "isystem"),
    ("target-directory", "target-dir"),
    ("threads", "t"),
    ("tile-preview", "tile-preview"),
    ("tileiras-options", "Xtileiras"),
    ("time", "time"),
    ("undefine-macro", "U"),
    ("x", "x"),
];
/// Short names with their value right behind them; some can do without.
const ATTACHED: [&str; 8] = ["D", "I", "L", "O", "U", "l", "m", "t"];
/// Options without value that matter here.
const FLAGS: &[(&str, &str)] = &[
    ("compile", "c"),
    ("cubin", "cubin"),
    ("cuda", "cuda"),
    ("device-c", "dc"),
    ("device-debug", "G"),
    ("device-link", "dlink"),
    ("device-w", "dw"),
    ("dlink-time-opt", "dlto"),
    ("dryrun", "dryrun"),
    ("fatbin", "fatbin"),
    ("generate-dependencies", "M"),
    ("generate-dependencies-with-compile", "MD"),
    ("generate-line-info", "lineinfo"),
    ("generate-nonsystem-dependencies", "MM"),
    ("generate-nonsystem-dependencies-with-compile", "MMD"),
    ("help", "h"),
    ("lib", "lib"),
    ("list-gpu-arch", "arch-ls"),
    ("list-gpu-code", "code-ls"),
    ("ltoir", "ltoir"),
    ("optix-ir", "optix-ir"),
    ("preprocess", "E"),
    ("ptx", "ptx"),
    ("relocatable-link", "r"),
    ("resource-usage", "res-usage"),
    ("tilebc", "tilebc"),
    ("tilecubin", "tilecubin"),
    ("tilefatbin", "tilefatbin"),
    ("version", "V"),
];
/// Jobs that make no code for a device, or code in another form that stays as it is.
const UNTOUCHED: [&str; 13] = [
    "help",
    "list-gpu-arch",
    "list-gpu-code",
    "preprocess",
    "generate-dependencies",
    "generate-nonsystem-dependencies",
    "ptx",
    "optix-ir",
    "ltoir",
    "tilebc",
    "tilecubin",
    "tilefatbin",
    "relocatable-link",
];
/// Jobs that end before the host's linker.
const NOT_LINKED: [&str; 7] = ["compile", "device-c", "device-w", "device-link", "lib", "fatbin", "cuda"];

/// A piece of a command line.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Piece {
    /// As it stands there.
    words: Vec<OsString>,
    /// The option's long name; empty for an input, and for an option that does not matter.
    name: &'static str,
    /// The option's value, or the input.
    value: OsString,
    /// It is an input.
    input: bool,
}

/// Takes a command line apart. Files of options are read where they are named; one that cannot be read stays.
fn pieces(arguments: &[OsString], depth: u32) -> Vec<Piece> {
    const DEEPEST: u32 = 16;
    let mut all = Vec::new();
    let mut left = arguments.iter();
    while let Some(word) = left.next() {
        let bytes = word.as_bytes();
        if bytes.len() < 2 || bytes[0] != b'-' {
            all.push(Piece { words: vec![word.clone()], name: "", value: word.clone(), input: true });
            continue;
        }
        let mut piece = Piece { words: vec![word.clone()], name: "", value: OsString::new(), input: false };
        let equals = bytes.iter().position(|&b| b == b'=');
        let name = &bytes[..equals.unwrap_or(bytes.len())];
        let named = |(long, short): &&(&'static str, &str)| match name.strip_prefix(b"--") {
            Some(name) => name == long.as_bytes(),
            None => &name[1..] == short.as_bytes(),
        };
        let attached = || ATTACHED.iter().find(|short| bytes[1..].starts_with(short.as_bytes()) && bytes.len() > 2);
        if let Some((long, short)) = VALUED.iter().find(named) {
            piece.name = long;
            match equals {
                Some(at) => piece.value = OsStr::from_bytes(&bytes[at + 1..]).to_owned(),
                None if *short == "O" && name.len() == 2 => {}
                None => {
                    if let Some(next) = left.next() {
                        piece.words.push(next.clone());
                        piece.value = next.clone();
                    }
                }
            }
        } else if let Some((long, _)) = FLAGS.iter().find(named) {
            piece.name = long;
        } else if let Some(short) = attached().filter(|_| !bytes.starts_with(b"--")) {
            piece.name = VALUED.iter().find(|(_, known)| known == short).map_or("", |(long, _)| long);
            piece.value = OsStr::from_bytes(&bytes[1 + short.len()..]).to_owned();
        }
        if piece.name == "options-file" && depth < DEEPEST {
            let files = piece
                .value
                .as_bytes()
                .split(|&b| b == b',')
                .map(|file| crate::read(OsStr::from_bytes(file), options::LARGEST_FILE));
            if let Some(texts) = files.collect::<Option<Vec<_>>>() {
                all.extend(texts.iter().flat_map(|text| pieces(&words(text), depth + 1)));
                continue;
            }
        }
        all.push(piece);
    }
    all
}

/// What is known of the tool chain.
#[derive(Clone, Debug, Default)]
pub struct Toolkit {
    /// `NVCC_PREPEND_FLAGS` and `NVCC_APPEND_FLAGS`, which NVIDIA's compiler reads by itself.
    pub prepended: Vec<OsString>,
    pub appended: Vec<OsString>,
    /// Virtual architectures, as `--list-gpu-arch` prints them.
    pub architectures: Vec<String>,
    /// The device that is there.
    pub native: Option<Architecture>,
    /// The folder of our libraries, if the tool chain has none to link to.
    pub libraries: Option<PathBuf>,
}

/// What to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Plan {
    /// Run NVIDIA's compiler in our place.
    Run(Vec<OsString>),
    /// Print its version and add ours.
    Version(Vec<OsString>),
    /// Make containers.
    Containers(Vec<Job>),
    /// Make fat binaries of containers that are there: input and output.
    FatBinaries(Vec<(OsString, PathBuf)>),
    /// Link device code into a file of its own.
    Link(Link),
    /// Run NVIDIA's compiler with the PTX of containers in their place.
    Unpack(Vec<Word>),
}

/// A word of a command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// As it is.
    Plain(OsString),
    /// A container, whose PTX is to be in a file with another extension.
    Container(OsString),
}

/// Writes the PTX of the containers among the words into files below `folder`: the command line that names these.
///
/// Errors: a container cannot be read, or a file not written; the text says which.
pub fn unpack(words: &[Word], folder: &Path) -> Result<Vec<OsString>, String> {
    let one = |(index, word): (usize, &Word)| {
        let file = match word {
            Word::Plain(word) => return Ok(word.clone()),
            Word::Container(file) => file,
        };
        let name = file.to_string_lossy();
        let bytes = crate::read(file, crate::LARGEST).ok_or_else(|| format!("cannot read {name}"))?;
        let contents = container::read(&bytes).ok_or_else(|| format!("{name} is damaged"))?;
        // Files of one name in different folders stay apart.
        let place = folder.join(index.to_string());
        let text = place.join(Path::new(file).with_extension("ptx").file_name().unwrap_or(OsStr::new("code.ptx")));
        let written = std::fs::create_dir(&place).and_then(|()| std::fs::write(&text, contents.ptx));
        written.map_err(|error| format!("cannot write {}: {error}", text.display()))?;
        Ok(text.into_os_string())
    };
    words.iter().enumerate().map(one).collect()
}

/// Device code that becomes one container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Objects, archives, containers, fat binaries and PTX.
    pub inputs: Vec<OsString>,
    /// The compute capability, as a number.
    pub capability: u32,
    /// What our `ptxas` is told.
    pub options: Vec<OsString>,
    /// The file to write.
    pub output: PathBuf,
    /// It is a fat binary with the container.
    pub fat: bool,
}

impl Link {
    /// The inputs' PTX; why there is none.
    pub fn texts(&self) -> Result<Vec<crate::ptxas::Input>, String> {
        let mut all = Vec::new();
        for file in &self.inputs {
            let name = file.to_string_lossy().into_owned();
            let bytes = crate::read(file, crate::LARGEST).ok_or_else(|| format!("cannot read {name}"))?;
            let object = image::object::is_object(&bytes);
            let read = if object { image::object::read } else { image::of_bytes };
            let found = read(&bytes, self.capability);
            let found = found.map_err(|_| format!("{name} has no PTX for sm_{}", self.capability))?;
            let input = |text: String| crate::ptxas::Input { name: name.clone(), text: Some(text.into_bytes()) };
            all.extend(found.modules.into_iter().map(input));
        }
        Ok(all)
    }
}

/// One container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// PTX that is there, or what makes it of NVIDIA's compiler: the name of the output is still to be added, behind `-o`.
    pub source: Source,
    /// What our `ptxas` is told.
    pub options: Vec<OsString>,
    /// The file to write.
    pub output: PathBuf,
}

/// Where PTX comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A file.
    File(OsString),
    /// The compiler with these arguments.
    Compiler(Vec<OsString>),
}

/// A plan, and what to warn of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planned {
    pub plan: Plan,
    pub warnings: Vec<String>,
}

/// Says what to do for a command line. The tool chain is asked only where that is needed.
pub fn plan(arguments: &[OsString], toolkit: &mut dyn FnMut() -> Toolkit) -> Planned {
    let run = |arguments: Vec<OsString>| Planned { plan: Plan::Run(arguments), warnings: Vec::new() };
    let own = pieces(arguments, 0);
    if own.iter().any(|p| p.name == "version") {
        return Planned { plan: Plan::Version(arguments.to_vec()), warnings: Vec::new() };
    }
    if own.is_empty() {
        return run(arguments.to_vec());
    }
    let toolkit = toolkit();
    let mut all = pieces(&toolkit.prepended, 0);
    all.extend(own.iter().cloned());
    all.extend(pieces(&toolkit.appended, 0));
    let line = Line { all };
    if UNTOUCHED.iter().any(|job| line.has(job)) {
        return run(arguments.to_vec());
    }
    if line.has("device-link")
        && !line.has("dryrun")
        && let Some(link) = line.link(&toolkit)
    {
        return Planned { plan: Plan::Link(link), warnings: Vec::new() };
    }
    if line.has("cubin") {
        let planned = (!line.has("dryrun")).then(|| line.containers(&own, &toolkit)).flatten();
        return planned.unwrap_or_else(|| run(arguments.to_vec()));
    }
    if line.has("fatbin")
        && let Some(files) = line.fat_binaries()
    {
        return Planned { plan: Plan::FatBinaries(files), warnings: Vec::new() };
    }
    let mut warnings = Vec::new();
    let mut new: Vec<OsString> = own.iter().flat_map(|piece| line.in_place(piece, &toolkit)).collect();
    for architecture in line.missing_ptx(&toolkit) {
        new.push(format!("-gencode=arch={architecture},code={architecture}").into());
    }
    // NVIDIA's linker takes no container, and its compiler takes one here alone.
    if line.has("device-link") && !line.has("dryrun") && line.inputs().any(|input| is_container(input)) {
        let containers: Vec<OsString> = line.inputs().filter(|input| is_container(input)).cloned().collect();
        let word = |word| if containers.contains(&word) { Word::Container(word) } else { Word::Plain(word) };
        return Planned { plan: Plan::Unpack(new.into_iter().map(word).collect()), warnings };
    }
    if !NOT_LINKED.iter().any(|job| line.has(job)) {
        let runtime = line.last("cudart").map(|value| value.to_string_lossy().into_owned());
        match runtime.as_deref() {
            None => new.push("-cudart=shared".into()),
            Some("static") if !line.finds_our_static_library() => warnings.push(
                "-cudart static links NVIDIA's runtime into the program, which then starts on NVIDIA's driver alone; leave it \
                 out, or put -L with Doppel's libraries in front"
                    .to_owned(),
            ),
            _ => {}
        }
        if runtime.as_deref() != Some("static")
            && let Some(folder) = &toolkit.libraries
        {
            new.extend(["-L".into(), folder.clone().into_os_string()]);
        }
    }
    Planned { plan: Plan::Run(new), warnings }
}

/// A command line with what the environment adds.
struct Line {
    all: Vec<Piece>,
}

impl Line {
    fn has(&self, name: &str) -> bool {
        self.all.iter().any(|piece| piece.name == name)
    }

    fn values<'s>(&'s self, name: &'s str) -> impl DoubleEndedIterator<Item = &'s OsStr> {
        self.all.iter().filter(move |piece| piece.name == name).map(|piece| piece.value.as_os_str())
    }

    fn last<'s>(&'s self, name: &'s str) -> Option<&'s OsStr> {
        self.values(name).next_back()
    }

    fn inputs(&self) -> impl Iterator<Item = &OsString> {
        self.all.iter().filter(|piece| piece.input).map(|piece| &piece.value)
    }

    /// A piece as NVIDIA's compiler gets it: the device that is there gets a name, since `native` leaves out PTX.
    fn in_place(&self, piece: &Piece, toolkit: &Toolkit) -> Vec<OsString> {
        match (piece.name, toolkit.native) {
            ("gpu-architecture", Some(native)) if piece.value == "native" => vec![format!("-arch={native}").into()],
            _ => piece.words.clone(),
        }
    }

    /// The virtual architecture and the codes of each `-gencode` and of `-arch` with `-code`.
    fn generated(&self) -> Vec<(String, Vec<String>)> {
        let mut all: Vec<_> =
            self.values("generate-code").map(|value| specification(&value.to_string_lossy())).collect();
        let codes: Vec<String> = self.values("gpu-code").flat_map(|codes| list(&codes.to_string_lossy())).collect();
        if let Some(architecture) = self.last("gpu-architecture").filter(|_| !codes.is_empty()) {
            all.push((architecture.to_string_lossy().into_owned(), codes));
        }
        all
    }

    /// Virtual architectures whose PTX would be left out.
    fn missing_ptx(&self, toolkit: &Toolkit) -> BTreeSet<String> {
        // It keeps PTX, and takes no such option.
        if self.has("dlink-time-opt") {
            return BTreeSet::new();
        }
        let generated = self.generated();
        let there: Vec<&String> = generated.iter().flat_map(|(_, codes)| codes).collect();
        let compiled = generated.iter().filter(|(_, codes)| codes.iter().any(|code| !code.starts_with("compute_")));
        let mut missing: BTreeSet<String> = compiled.map(|(architecture, _)| architecture.clone()).collect();
        let every = self.last("gpu-architecture").map(|value| value.to_string_lossy());
        if matches!(every.as_deref(), Some("all" | "all-major")) {
            // PTX of the newest is there, which no older device takes.
            let mut known: Vec<Architecture> = toolkit.architectures.iter().filter_map(|a| a.parse().ok()).collect();
            known.sort_by_key(|a| a.number);
            let oldest = known.first().map(|a| a.number);
            let wanted = known
                .iter()
                .filter(|a| every.as_deref() == Some("all") || a.number % 10 == 0 || Some(a.number) == oldest);
            let mut wanted: Vec<_> = wanted.map(|a| format!("compute_{}", a.number)).collect();
            wanted.pop();
            missing.extend(wanted);
        }
        missing.retain(|architecture| architecture.starts_with("compute_") && !there.contains(&architecture));
        missing
    }

    /// A folder that the program's author names has our `libcudart_static.a`.
    fn finds_our_static_library(&self) -> bool {
        let ours = |folder: &OsStr| {
            Path::new(folder).join("libcudart_static.a").is_file() && Path::new(folder).join("libcuda.so.1").is_file()
        };
        self.values("library-path").any(ours)
    }

    /// Where an input's result goes.
    fn output(&self, input: &OsStr, extension: &str) -> PathBuf {
        if let Some(named) = self.last("output-file") {
            return named.into();
        }
        let name = Path::new(input).with_extension(extension);
        let name = Path::new(name.file_name().unwrap_or(name.as_os_str()));
        self.last("output-directory").map_or_else(|| name.to_owned(), |folder| Path::new(folder).join(name))
    }

    /// The device that code is made for, if it is one.
    fn one_code(&self, toolkit: &Toolkit) -> Option<String> {
        let mut codes: Vec<String> = self.generated().into_iter().flat_map(|(_, codes)| codes).collect();
        codes.retain(|code| !code.starts_with("compute_"));
        codes.sort();
        codes.dedup();
        Some(
            match (codes.as_slice(), self.last("gpu-architecture").map(|value| value.to_string_lossy().into_owned())) {
                ([code], _) => code.clone(),
                ([], None) => crate::ptxas::DEFAULT.to_owned(),
                ([], Some(native)) if native == "native" => toolkit.native?.to_string(),
                ([], Some(named)) => named.parse::<Architecture>().ok()?.to_string(),
                _ => return None,
            },
        )
    }

    /// A link of device code alone whose result is loaded: NVIDIA's linker would leave out its PTX.
    fn link(&self, toolkit: &Toolkit) -> Option<Link> {
        let fat = self.has("fatbin");
        if !fat && !self.has("cubin") || self.has("dlink-time-opt") || self.has("x") {
            return None;
        }
        let code = self.one_code(toolkit)?;
        let mut inputs: Vec<OsString> = self.inputs().cloned().collect();
        let sources =
            |input: &OsString| Path::new(input).extension().is_some_and(|e| e == "cu" || e == "cpp" || e == "c");
        if inputs.is_empty() || inputs.iter().any(sources) {
            return None;
        }
        for library in self.values("library").flat_map(|names| list(&names.to_string_lossy())) {
            let files = self.values("library-path").map(|folder| Path::new(folder).join(format!("lib{library}.a")));
            inputs.extend(files.into_iter().find(|file| file.is_file()).map(PathBuf::into_os_string));
        }
        let extension = if fat { "fatbin" } else { "cubin" };
        let output = self.last("output-file").map_or_else(|| format!("a_dlink.{extension}").into(), PathBuf::from);
        let capability = code.parse::<Architecture>().ok()?.number;
        Some(Link { inputs, capability, options: vec![format!("--gpu-name={code}").into()], output, fat })
    }

    /// One container for each input; nothing if NVIDIA's compiler should say what is wrong.
    fn containers(&self, own: &[Piece], toolkit: &Toolkit) -> Option<Planned> {
        let inputs: Vec<&OsString> = self.inputs().collect();
        let extensions = [OsStr::new("cu"), OsStr::new("gpu"), OsStr::new("ptx")];
        let known =
            |input: &&OsString| Path::new(input).extension().is_some_and(|e| extensions.contains(&e)) || self.has("x");
        if inputs.is_empty() || !inputs.iter().all(known) || inputs.len() > 1 && self.has("output-file") {
            return None;
        }
        let code = self.one_code(toolkit)?;
        let mut options: Vec<OsString> = vec![format!("--gpu-name={code}").into()];
        for value in self.values("ptxas-options") {
            options.extend(value.as_bytes().split(|&b| b == b',').map(|word| OsStr::from_bytes(word).to_owned()));
        }
        if let Some(most) = self.last("maxrregcount") {
            options.extend(["-maxrregcount".into(), most.to_owned()]);
        }
        let relocatable = self.last("relocatable-device-code").is_some_and(|value| value == "true");
        for (wanted, option) in [
            (self.has("resource-usage") && !options.iter().any(|o| o == "-v" || o == "--verbose"), "-v"),
            (relocatable || self.has("device-c"), "-c"),
            (self.has("generate-line-info") && !self.has("device-debug"), "-lineinfo"),
        ] {
            options.extend(wanted.then(|| option.into()));
        }
        let jobs = inputs.into_iter().map(|input| {
            let output = self.output(input, "cubin");
            let source = if Path::new(input).extension() == Some(OsStr::new("ptx")) {
                Source::File(input.clone())
            } else {
                Source::Compiler(self.to_ptx(own, input, &output, toolkit))
            };
            Job { source, options: options.clone(), output }
        });
        Some(Planned { plan: Plan::Containers(jobs.collect()), warnings: Vec::new() })
    }

    /// The arguments that make PTX of one input.
    fn to_ptx(&self, own: &[Piece], input: &OsString, output: &Path, toolkit: &Toolkit) -> Vec<OsString> {
        let gone = ["cubin", "output-file", "output-directory", "compile", "resource-usage"];
        let kept = own.iter().filter(|piece| !gone.contains(&piece.name) && (!piece.input || piece.value == *input));
        let mut arguments: Vec<OsString> = kept.flat_map(|piece| self.in_place(piece, toolkit)).collect();
        let dependencies = ["generate-dependencies-with-compile", "generate-nonsystem-dependencies-with-compile"];
        if dependencies.iter().any(|name| self.has(name)) {
            if !self.has("dependency-output") {
                arguments.extend(["-MF".into(), output.with_extension("d").into_os_string()]);
            }
            // The compiler itself writes to a place of ours.
            if !self.has("dependency-target-name") {
                arguments.extend(["-MT".into(), output.as_os_str().to_owned()]);
            }
        }
        arguments.push("-ptx".into());
        arguments
    }

    /// Fat binaries of nothing but containers.
    fn fat_binaries(&self) -> Option<Vec<(OsString, PathBuf)>> {
        let inputs: Vec<&OsString> = self.inputs().collect();
        let all = !inputs.is_empty()
            && inputs.iter().all(|input| is_container(input))
            && (inputs.len() == 1 || !self.has("output-file"));
        all.then(|| inputs.into_iter().map(|input| (input.clone(), self.output(input, "fatbin"))).collect())
    }
}

/// Whether a file is a container.
fn is_container(file: &OsStr) -> bool {
    use std::io::Read;
    let mut header = [0; container::HEADER];
    std::fs::File::open(file).and_then(|mut file| file.read_exact(&mut header)).is_ok()
        && container::is_container(&header)
}

/// `arch=compute_90,code=[sm_90,compute_90]`, in either order.
fn specification(text: &str) -> (String, Vec<String>) {
    let text = text.replace(['"', '\'', '[', ']', '\\', '{', '}'], "");
    let (mut architecture, mut codes, mut in_code) = (String::new(), Vec::new(), false);
    for word in text.split(',') {
        if let Some(value) = word.strip_prefix("arch=") {
            (architecture, in_code) = (value.to_owned(), false);
        } else if let Some(value) = word.strip_prefix("code=") {
            codes.push(value.to_owned());
            in_code = true;
        } else if in_code {
            codes.push(word.to_owned());
        }
    }
    (architecture, codes)
}

fn list(text: &str) -> Vec<String> {
    text.replace(['"', '\'', '[', ']'], "").split(',').map(str::to_owned).collect()
}

/// The words of `NVCC_PREPEND_FLAGS` and its like.
pub fn flags(name: &str) -> Vec<OsString> {
    options::words(&std::env::var_os(name).map(OsString::into_vec).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn toolkit() -> Toolkit {
        Toolkit {
            architectures: ["compute_75", "compute_80", "compute_86", "compute_90", "compute_120"]
                .map(String::from)
                .to_vec(),
            native: "sm_90".parse().ok(),
            ..Toolkit::default()
        }
    }

    fn planned(line: &str) -> Planned {
        let arguments: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        plan(&arguments, &mut toolkit)
    }

    /// What is added to a command line.
    fn added(line: &str) -> String {
        let Plan::Run(new) = planned(line).plan else { panic!("{line}: {:?}", planned(line)) };
        let new = new.into_iter().map(|word| word.into_string().unwrap()).collect::<Vec<_>>().join(" ");
        new.strip_prefix(line).unwrap_or_else(|| panic!("{line}: {new}")).trim().to_owned()
    }

    #[test]
    fn device_code_that_is_linked_for_itself() {
        for (line, inputs, output, fat) in [
            ("-dlink -cubin -arch=sm_90 a.o b.cubin -o x.cubin", &["a.o", "b.cubin"][..], "x.cubin", false),
            ("-dlink -fatbin -gencode arch=compute_90,code=sm_90 a.a -lnowhere", &["a.a"], "a_dlink.fatbin", true),
        ] {
            let Plan::Link(link) = planned(line).plan else { panic!("{line}") };
            assert_eq!((link.capability, link.fat, link.output.as_path()), (90, fat, Path::new(output)), "{line}");
            assert_eq!(link.inputs, inputs, "{line}");
            assert!(link.texts().is_err());
        }
        for line in
            ["-dlink a.o -o b.o", "-dlink -cubin a.cu", "-dlink -cubin -dlto a.o", "-dlink -cubin -arch=all a.o"]
        {
            assert!(!matches!(planned(line).plan, Plan::Link(_)), "{line}");
        }
    }

    #[test]
    fn containers_that_are_linked_for_a_host_are_unpacked() {
        let folder = std::env::temp_dir().join(format!("nvcc-unpack-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("to")).unwrap();
        let file = folder.join("x.cubin");
        let ptx = ".version 8.0\n.target sm_90\n.address_size 64\n";
        let mut messages = crate::ptxas::Messages::default();
        let options = options::parse(crate::ptxas::OPTIONS, vec!["-arch=sm_90".into()]).unwrap();
        let input = crate::ptxas::Input { name: "x.ptx".into(), text: Some(ptx.into()) };
        let made = crate::ptxas::assemble(&options, &[input], &mut messages).unwrap_or_else(|_| panic!());
        std::fs::write(&file, made.unwrap()).unwrap();
        let name = file.to_str().unwrap();
        let Plan::Unpack(words) = planned(&format!("-dlink -arch=sm_90 a.o {name} -o x.o")).plan else { panic!() };
        let plain = |word: &str| Word::Plain(word.into());
        let expected = ["-dlink", "-arch=sm_90", "a.o"].map(plain).into_iter();
        let expected = expected.chain([Word::Container(file.clone().into())]).chain(["-o", "x.o"].map(plain));
        assert_eq!(words, expected.collect::<Vec<_>>());
        let line = unpack(&words, &folder.join("to")).unwrap();
        assert!(Path::new(&line[3]).ends_with("x.ptx"), "{line:?}");
        assert!(std::fs::read_to_string(&line[3]).unwrap().contains(".target sm_90"));
        assert!(unpack(&[Word::Container(folder.join("none").into())], &folder).is_err());
        // What NVIDIA's compiler does not take it says itself.
        assert!(matches!(planned(&format!("{name} -o app")).plan, Plan::Run(_)));
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn programs_get_the_shared_runtime() {
        for line in [
            "a.cu",
            "a.o b.o -o a",
            "-shared a.cu -o a.so",
            "-O2 -DX=1 -Iinclude a.cu -lm",
            "-arch=sm_90 a.cu",
            "-run a.cu",
        ] {
            assert_eq!(added(line), "-cudart=shared", "{line}");
        }
        for line in [
            "-cudart shared a.cu",
            "--cudart=none a.cu",
            "-c a.cu",
            "-dc a.cu",
            "-lib a.cu -o a.a",
            "-E a.cu",
            "-ptx a.cu",
            "-M a.cu",
            "-dlink a.o -o b.o",
            "-fatbin a.cu",
            "--help",
        ] {
            assert_eq!(added(line), "", "{line}");
        }
    }

    #[test]
    fn a_static_runtime_is_the_choice_of_who_asks_for_it() {
        let planned = planned("-cudart static a.cu");
        assert!(planned.warnings[0].contains("NVIDIA's driver alone"));
        assert_eq!(added("--cudart=static a.cu"), "");
        assert!(super::tests::planned("-cudart static -c a.cu").warnings.is_empty());
    }

    #[test]
    fn what_the_environment_adds_counts() {
        let with = |prepended: &str, appended: &str| {
            let split = |text: &str| text.split_whitespace().map(OsString::from).collect::<Vec<_>>();
            plan(&["a.cu".into()], &mut || Toolkit {
                prepended: split(prepended),
                appended: split(appended),
                ..toolkit()
            })
            .plan
        };
        assert_eq!(with("", "-cudart shared"), Plan::Run(vec!["a.cu".into()]));
        let ptx = "-gencode=arch=compute_80,code=compute_80".into();
        assert_eq!(with("-gencode arch=compute_80,code=sm_80", "-cudart none"), Plan::Run(vec!["a.cu".into(), ptx]));
    }

    #[test]
    fn machine_code_gets_ptx_beside_it() {
        let ptx = |n: &str| format!("-gencode=arch=compute_{n},code=compute_{n}");
        for (line, missing) in [
            ("-gencode arch=compute_90,code=sm_90", &["90"][..]),
            ("--generate-code=arch=compute_90a,code=[sm_90a]", &["90a"]),
            ("-gencode code=sm_90,arch=compute_80", &["80"]),
            ("-gencode arch=compute_80,code=sm_80 -gencode=arch=compute_90,code=sm_90", &["80", "90"]),
            ("-gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=\"sm_90,compute_90\"", &["80"]),
            ("-gencode arch=compute_90,code=[sm_90,compute_90]", &[]),
            ("-gencode arch=compute_90,code=sm_90 -gencode arch=compute_90,code=compute_90", &[]),
            ("-arch compute_90 -code sm_90", &["90"]),
            ("-arch=compute_90 -code=sm_90,compute_90", &[]),
            ("-arch=sm_90", &[]),
            ("-arch=compute_90", &[]),
            ("-arch=all", &["75", "80", "86", "90"]),
            ("-arch=all-major", &["75", "80", "90"]),
            ("-gencode arch=compute_90,code=lto_90 -rdc=true", &["90"]),
            ("-arch=sm_90 -dlto -rdc=true", &[]),
            ("-gencode nonsense", &[]),
        ] {
            for job in ["-c", "-dc", "-fatbin", "-lib", "-dlink"] {
                let wanted: Vec<_> = missing.iter().map(|n| ptx(n)).collect();
                assert_eq!(added(&format!("{line} {job} a.cu")), wanted.join(" "), "{line} {job}");
            }
        }
        assert_eq!(added("-ptx -gencode arch=compute_90,code=sm_90 a.cu"), "");
        let Plan::Run(new) = planned("-arch=native -c a.cu").plan else { panic!() };
        assert_eq!(new, ["-arch=sm_90", "-c", "a.cu"]);
    }

    #[test]
    fn machine_code_alone_becomes_a_container() {
        let job = |line: &str| match planned(line).plan {
            Plan::Containers(mut jobs) => jobs.remove(0),
            other => panic!("{line}: {other:?}"),
        };
        let one = job("--cubin -arch sm_90 -Iinclude kernel.cu -Xptxas -v,-O1 -maxrregcount=32 -res-usage");
        assert_eq!(one.output, Path::new("kernel.cubin"));
        assert_eq!(one.options, ["--gpu-name=sm_90", "-v", "-O1", "-maxrregcount", "32"]);
        let Source::Compiler(arguments) = one.source else { panic!() };
        assert_eq!(
            arguments.join(OsStr::new(" ")),
            "-arch sm_90 -Iinclude kernel.cu -Xptxas -v,-O1 -maxrregcount=32 -ptx"
        );
        let two = job("-cubin -o out/x.cubin -gencode arch=compute_80,code=sm_86 -rdc=true -MD k.cu");
        assert_eq!(
            (two.output.to_str(), two.options.join(OsStr::new(" "))),
            (Some("out/x.cubin"), "--gpu-name=sm_86 -c".into())
        );
        let Source::Compiler(arguments) = two.source else { panic!() };
        assert_eq!(
            arguments.join(OsStr::new(" ")),
            "-gencode arch=compute_80,code=sm_86 -rdc=true -MD k.cu -MF out/x.d -MT out/x.cubin -ptx"
        );
        assert_eq!(job("-cubin k.ptx -arch=sm_90").source, Source::File("k.ptx".into()));
        assert_eq!(job("-cubin k.cu").options, ["--gpu-name=sm_75"]);
        assert_eq!(job("-cubin dir/k.cu -odir out").output, Path::new("out/k.cubin"));
        let Plan::Containers(jobs) = planned("-cubin a.cu b.cu -arch=native").plan else { panic!() };
        assert_eq!((jobs.len(), &jobs[1].output), (2, &PathBuf::from("b.cubin")));
        // What NVIDIA's compiler refuses.
        for line in [
            "-cubin a.cu b.cu -o c.cubin",
            "-cubin",
            "-cubin a.o",
            "--dryrun -cubin a.cu",
            "-cubin a.cu -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90",
        ] {
            assert_eq!(added(line), "", "{line}");
        }
    }

    #[test]
    fn files_of_options_are_read() {
        let file = std::env::temp_dir().join(format!("nvcc-{}", std::process::id()));
        std::fs::write(&file, "-gencode arch=compute_90,code=sm_90 -c \"a b.cu\"").unwrap();
        let Plan::Run(new) = planned(&format!("--options-file {}", file.display())).plan else { panic!() };
        assert_eq!(new.last().unwrap(), "-gencode=arch=compute_90,code=compute_90");
        assert!(new.iter().any(|word| word == "a b.cu"));
        std::fs::remove_file(&file).unwrap();
        assert_eq!(added("-optf /nowhere/file a.cu"), "-cudart=shared");
    }

    #[test]
    fn versions() {
        assert!(matches!(planned("--version").plan, Plan::Version(_)));
        assert!(matches!(planned("-V").plan, Plan::Version(_)));
        assert_eq!(planned("").plan, Plan::Run(Vec::new()));
    }
}
