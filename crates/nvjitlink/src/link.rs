//! A link: what was added, and what comes of it.

use crate::JITLINK;
use crate::api::{
    Code, INCORRECT_TYPE, INTERNAL, INVALID_INPUT, LTO_NOT_ENABLED, NULL, PTX_COMPILE, SUCCESS, UNRECOGNIZED_ARCH,
    UNRECOGNIZED_INPUT,
};
use crate::input::{ANY, Kind, holds_intermediate};
use crate::keep;
use crate::options::Options;
use crate::original::{Original, Outcome};
use container::Contents;
use core::ffi::c_int;
use error::Error;
use image::Image;
use real::Gate;
use settings::log;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::os::unix::ffi::OsStrExt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use toolchain::inside::Assembler;
use toolchain::ptxas::is_of_device;

/// `nvJitLinkHandle`.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct Handle(pub usize);

/// A link that several threads may have.
pub struct Shared(Mutex<Link>);

impl Shared {
    /// The link, alone.
    pub fn lock(&self) -> MutexGuard<'_, Link> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Links {
    all: BTreeMap<usize, Arc<Shared>>,
    /// The next handle: none is given twice.
    next: usize,
}

static LINKS: Gate<Links> = Gate::new(Links { all: BTreeMap::new(), next: 0x10_0000 });

/// Enters a link.
pub fn insert(link: Link) -> Handle {
    LINKS.with(|links| {
        let handle = links.next;
        links.next += 16;
        links.all.insert(handle, Arc::new(Shared(Mutex::new(link))));
        Handle(handle)
    })
}

/// The link of a handle.
pub fn find(handle: Handle) -> Result<Arc<Shared>, Code> {
    if handle == Handle(0) {
        return Err(NULL);
    }
    LINKS.with(|links| links.all.get(&handle.0).cloned()).ok_or(INVALID_INPUT)
}

/// Ends a link.
pub fn remove(handle: Handle) -> Result<(), Code> {
    find(handle)?;
    drop(LINKS.with(|links| links.all.remove(&handle.0)));
    Ok(())
}

/// PTX of an input.
struct Input {
    name: String,
    texts: Vec<String>,
}

/// What the real library has to see.
struct Intermediate {
    kind: Kind,
    data: Vec<u8>,
    name: Option<Vec<u8>>,
}

/// A name that code uses and no input defines.
struct Lost {
    name: String,
    /// It is declared as a function.
    function: bool,
    /// The input that uses it.
    input: String,
}

/// A link.
pub struct Link {
    options: Options,
    /// The options were refused.
    refused: bool,
    inputs: Vec<Input>,
    intermediate: Vec<Intermediate>,
    most_registers: Option<u32>,
    errors: String,
    remarks: String,
    start: Instant,
    complete: bool,
    cubin: Option<Vec<u8>>,
    text: Option<Vec<u8>>,
    put_together: Option<Vec<u8>>,
}

/// A log with its NUL, or nothing.
fn log_of(text: &str) -> Vec<u8> {
    if text.is_empty() { Vec::new() } else { [text.as_bytes(), b"\0"].concat() }
}

/// Bytes up to their NUL.
fn line(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

impl Link {
    /// Begins a link. Where the options are wrong there is one, too, whose log says so.
    pub fn create(given: Vec<Vec<u8>>) -> (Link, Result<(), Code>) {
        let (options, ours) = Options::read(given);
        // The real library may know more options. It is not asked about those that we know: opening it takes time. An
        // architecture that it does not know leaves that of release 12 broken.
        let mut remarks = String::new();
        let certain = match &ours {
            Ok(()) => !options.optimise,
            Err((code, _)) => cfg!(nvjitlink = "12") && *code == UNRECOGNIZED_ARCH,
        };
        let verdict = match (!certain).then(|| Original::create(&options.given)).flatten() {
            Some((real, SUCCESS)) => {
                remarks = line(&real.remarks());
                Ok(())
            }
            Some((real, code)) => Err((code, line(&real.outcome(code).errors))),
            None => ours,
        };
        let mut link = Link {
            most_registers: options.most_registers,
            options,
            refused: verdict.is_err(),
            inputs: Vec::new(),
            intermediate: Vec::new(),
            errors: String::new(),
            remarks,
            start: Instant::now(),
            complete: false,
            cubin: None,
            text: None,
            put_together: None,
        };
        let result = verdict.map_err(|(code, text)| {
            link.errors = text;
            code
        });
        (link, result)
    }

    /// The error log.
    pub fn errors(&self) -> Vec<u8> {
        log_of(&self.errors)
    }

    /// The information log.
    pub fn remarks(&self) -> Vec<u8> {
        log_of(&self.remarks)
    }

    fn fail<T>(&mut self, code: Code, text: &str) -> Result<T, Code> {
        self.errors.push_str(text);
        self.errors.push('\n');
        Err(code)
    }

    /// Adds a file.
    pub fn add_file(&mut self, kind: c_int, name: Vec<u8>) -> Result<(), Code> {
        match std::fs::read(std::ffi::OsStr::from_bytes(&name)) {
            Ok(data) => self.add(kind, data, Some(name)),
            Err(_) => self.fail(INVALID_INPUT, &format!("no such file: {}", line(&name))),
        }
    }

    /// Adds an input. Its own errors are said at once; symbols that it lacks may come with others.
    pub fn add(&mut self, number: c_int, data: Vec<u8>, name: Option<Vec<u8>>) -> Result<(), Code> {
        let called = name.as_deref().map_or_else(|| "(null)".to_owned(), line);
        if self.refused {
            return Err(INVALID_INPUT);
        }
        if self.complete {
            return self.fail(INTERNAL, &format!("ERROR 1: empty elfw when adding cubin{called}"));
        }
        if data.is_empty() {
            return Err(INVALID_INPUT);
        }
        let found = Kind::of_bytes(&data);
        let kind = match (Kind::of_number(number), found) {
            (None, _) if number != ANY => {
                return self.fail(INCORRECT_TYPE, &format!("unsupported input type: {called}"));
            }
            (None, None) => return self.fail(UNRECOGNIZED_INPUT, &format!("unrecognized input type: {called}")),
            (None, Some(kind)) => kind,
            (Some(said), found) if found != Some(said) => {
                let text = format!("ERROR 1: bad input: does not match type NVJITLINK_INPUT_{}{called}", said.name());
                return self.fail(INCORRECT_TYPE, &text);
            }
            (Some(said), _) => said,
        };
        if cfg!(nvjitlink = "13") {
            self.note_time("nvJitLink time until Add_Cubin");
        }
        match kind {
            Kind::Intermediate => self.add_intermediate(kind, data, name),
            Kind::Text => {
                let end = data.iter().position(|&b| b == 0).unwrap_or(data.len());
                let text = String::from_utf8_lossy(&data[..end]).into_owned();
                self.add_texts(called, vec![text])
            }
            Kind::Index => Err(INCORRECT_TYPE),
            Kind::MachineCode | Kind::FatBinary => {
                if self.options.optimise && kind == Kind::FatBinary && holds_intermediate(&data) {
                    return self.add_intermediate(kind, data, name);
                }
                let image = image::of_bytes(&data, self.options.architecture.number);
                self.add_image(image, called, kind == Kind::FatBinary && image::long(&data, 8) == Some(0))
            }
            Kind::Object | Kind::Library => {
                if self.options.optimise && holds_intermediate(&data) {
                    return self.add_intermediate(kind, data, name);
                }
                match image::object::read(&data, self.options.architecture.number) {
                    // An object without device code adds nothing.
                    Err(error) if error == Error::NO_BINARY_FOR_GPU && !holds_device_code(&data) => Ok(()),
                    image => self.add_image(image, called, false),
                }
            }
        }
    }

    fn add_intermediate(&mut self, kind: Kind, data: Vec<u8>, name: Option<Vec<u8>>) -> Result<(), Code> {
        if !self.options.optimise {
            let text = if cfg!(nvjitlink = "12") {
                "ERROR 1: TODO: nvvm input without LTO"
            } else {
                "ERROR 1: LTO-IR input cannot be used without LTO enabled (-lto)"
            };
            return self.fail(LTO_NOT_ENABLED, text);
        }
        self.intermediate.push(Intermediate { kind, data, name });
        Ok(())
    }

    fn add_image(&mut self, image: error::Result<Image>, name: String, is_empty: bool) -> Result<(), Code> {
        match image {
            Ok(image) => {
                self.most_registers = self.most_registers.or(image.most_registers);
                self.add_texts(name, image.modules)
            }
            Err(error) if error == Error::NO_BINARY_FOR_GPU && !is_empty => {
                let text = image::no_ptx(self.options.architecture.number);
                self.fail(INVALID_INPUT, &format!("error   : '{name}': {text}"))
            }
            Err(_) => self.fail(INVALID_INPUT, &format!("ERROR 3: bad input: {name}")),
        }
    }

    fn add_texts(&mut self, name: String, texts: Vec<String>) -> Result<(), Code> {
        for text in &texts {
            self.assemble(text, &name)?;
        }
        self.inputs.push(Input { name, texts });
        Ok(())
    }

    /// Asks the assembler about a text.
    fn assemble(&mut self, text: &str, name: &str) -> Result<(), Code> {
        let mut options = self.options.assembler.clone();
        if self.options.verbose {
            options.push(b"-v".to_vec());
        }
        let assembler = Assembler { architecture: self.options.architecture.to_string(), relocatable: true, options };
        let (fine, said) = assembler.check(text.as_bytes());
        if fine {
            self.remarks.push_str(&said);
            return Ok(());
        }
        self.errors.push_str(&said);
        self.fail(PTX_COMPILE, &format!("ERROR NVJITLINK_ERROR_PTX_COMPILE: JIT the PTX ({name})"))
    }

    fn note_time(&mut self, what: &str) {
        if self.options.time {
            let elapsed = self.start.elapsed().as_secs_f64() * 1e3;
            self.remarks.push_str(&format!("{what}: {elapsed:.6}\n"));
        }
    }

    /// Links what was added.
    pub fn complete(&mut self) -> Result<(), Code> {
        self.note_time("nvJitLink time until Complete");
        self.start = Instant::now();
        let result = self.link();
        self.note_time("nvJitLinkComplete time to finish");
        result
    }

    fn link(&mut self) -> Result<(), Code> {
        if self.refused || self.complete {
            return Err(if self.refused { INVALID_INPUT } else { INTERNAL });
        }
        if self.options.optimise {
            if self.options.text && (self.options.relocatable || !self.inputs.is_empty()) {
                return self.fail(INCORRECT_TYPE, "ERROR: -ptx requires that all inputs have LTOIR");
            }
            self.optimise()?;
            if self.options.text {
                self.complete = true;
                return Ok(());
            }
        }
        self.complete = true;
        let lost = self.undefined();
        let texts = self.without_second_definitions();
        self.cubin = Some(container::write(&Contents {
            ptx: ptx::link::join(texts).into_bytes(),
            architecture: self.options.architecture,
            most_registers: self.most_registers,
            name: self.inputs.first().map(|input| input.name.clone()).unwrap_or_default(),
            maker: format!("nvJitLink {}", if cfg!(nvjitlink = "12") { 12 } else { 13 }),
        }));
        if lost.is_empty() || self.options.relocatable {
            return Ok(());
        }
        for Lost { name, input, .. } in lost {
            self.errors.push_str(&format!("error   : Undefined reference to '{name}' in '{input}'\n"));
        }
        let last = if cfg!(nvjitlink = "12") { "ERROR 9: finish" } else { "ERROR 9: complete" };
        self.fail(INTERNAL, last)
    }

    /// Has the real library make PTX of the inputs that it alone understands.
    fn optimise(&mut self) -> Result<(), Code> {
        let mut options = self.options.given.clone();
        // It makes no relocatable PTX; what the others have is not known to it in either case.
        options.retain(|option| option != b"-r");
        if !self.options.text {
            options.push(b"-ptx".to_vec());
        }
        // What PTX calls of that code.
        let lost = self.undefined().into_iter().filter(|lost| lost.function);
        let mut wanted: Vec<String> = lost.map(|lost| lost.name).collect();
        let keeper = if wanted.is_empty() || self.intermediate.is_empty() {
            None
        } else {
            keep::kernel(&wanted, &self.options.architecture.to_string())
        };
        let mut outcome = self.run_original(&options, keeper.as_deref());
        // The kernel that keeps functions may be newer than the real library understands.
        if keeper.is_some() && outcome.as_ref().is_some_and(|outcome| outcome.code != SUCCESS) {
            outcome = self.run_original(&options, None);
            wanted.clear();
        }
        let Some(outcome) = outcome else {
            let missing = &JITLINK.found().missing;
            let text = format!("error   : code for link time optimisation cannot be linked: {missing}");
            return self.fail(INTERNAL, &text);
        };
        self.errors.push_str(&line(&outcome.errors));
        self.remarks.push_str(&line(&outcome.remarks));
        if outcome.code != SUCCESS {
            return Err(outcome.code);
        }
        self.put_together = Some(outcome.intermediate);
        if self.options.text {
            self.text = Some(outcome.text);
            return Ok(());
        }
        let text = keep::published(&line(&outcome.text), &wanted);
        // With nothing else in the link the program is whole.
        if self.inputs.is_empty() && !self.options.relocatable {
            let assembler = Assembler {
                architecture: self.options.architecture.to_string(),
                relocatable: false,
                options: self.options.assembler.clone(),
            };
            let (fine, said) = assembler.check(text.as_bytes());
            if !fine {
                self.errors.push_str(&said);
                return self.fail(PTX_COMPILE, "ERROR NVJITLINK_ERROR_PTX_COMPILE: JIT the PTX (ltoPtx)");
            }
        }
        self.add_texts("ltoPtx".to_owned(), vec![text])
    }

    /// What the real library makes of the inputs that it alone understands, and of a kernel that keeps functions. `None`:
    /// there is no real library.
    fn run_original(&self, options: &[Vec<u8>], keeper: Option<&[u8]>) -> Option<Outcome> {
        let mut options = options.to_vec();
        const USED: &str = "-kernels-used=";
        if keeper.is_some() && options.iter().any(|option| option.starts_with(USED.as_bytes())) {
            options.push(format!("{USED}{}", keep::KEEPER).into_bytes());
        }
        let (real, mut code) = Original::create(&options)?;
        let mut add = |kind: Kind, data: &[u8], name: Option<&[u8]>| {
            if code == SUCCESS {
                code = real.add(kind.number(), data, name);
            }
        };
        self.intermediate.iter().for_each(|input| add(input.kind, &input.data, input.name.as_deref()));
        if let Some(keeper) = keeper {
            add(Kind::Intermediate, keeper, Some(keep::KEEPER.as_bytes()));
        }
        if code == SUCCESS {
            code = real.complete();
        }
        Some(real.outcome(code))
    }

    /// Names that code uses and no input defines.
    fn undefined(&self) -> Vec<Lost> {
        let modules: Vec<(&str, ptx::Module<'_>)> = self
            .inputs
            .iter()
            .flat_map(|input| input.texts.iter().map(|text| (input.name.as_str(), text)))
            .filter_map(|(name, text)| Some((name, ptx::parse(text).ok()?)))
            .collect();
        let defined: HashSet<&str> = modules.iter().flat_map(|(_, module)| ptx::link::visible(module)).collect();
        let mut lost = Vec::new();
        for (input, module) in &modules {
            let provided = |name: &str| defined.contains(name) || is_of_device(name);
            let found = ptx::link::undefined(module, provided);
            lost.extend(found.iter().map(|missing| Lost {
                name: missing.name.to_owned(),
                function: missing.function,
                input: (*input).to_owned(),
            }));
        }
        lost
    }

    /// The texts. As with the real library the first definition of a name holds, and nobody but a log hears of others: their
    /// names are changed.
    fn without_second_definitions(&self) -> Vec<String> {
        let mut first: HashMap<String, &str> = HashMap::new();
        let mut texts = Vec::new();
        for input in &self.inputs {
            for text in &input.texts {
                let mut again = HashSet::new();
                if let Ok(module) = ptx::parse(text) {
                    for name in ptx::link::definitions(&module) {
                        match first.get(name) {
                            Some(before) => {
                                log::warn!(
                                    "Multiple definition of '{name}' in '{}', first defined in '{before}'",
                                    input.name
                                );
                                again.insert(name);
                            }
                            None => drop(first.insert(name.to_owned(), &input.name)),
                        }
                    }
                }
                texts.push(ptx::link::renamed(text, &again, texts.len()));
            }
        }
        texts
    }

    /// What stands for machine code.
    pub fn cubin(&self) -> Result<&[u8], Code> {
        self.cubin.as_deref().ok_or(INTERNAL)
    }

    /// The PTX of a link that makes it.
    pub fn text(&self) -> Result<&[u8], Code> {
        if !self.options.text || self.refused {
            return Err(INVALID_INPUT);
        }
        self.text.as_deref().ok_or(INTERNAL)
    }

    /// The code for link time optimisation that was put together.
    #[cfg_attr(nvjitlink = "12", allow(dead_code))]
    pub fn intermediate(&self) -> Result<&[u8], Code> {
        if !self.options.optimise || self.refused {
            return Err(INVALID_INPUT);
        }
        self.put_together.as_deref().ok_or(INTERNAL)
    }
}

/// Whether an object has device code at all.
fn holds_device_code(bytes: &[u8]) -> bool {
    bytes.windows(4).any(|four| four == container::fat::MAGIC.to_le_bytes())
}
