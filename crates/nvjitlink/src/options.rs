//! The options of a link.

use crate::api::{Code, INCOMPATIBLE_OPTIONS, MISSING_ARCH, UNRECOGNIZED_ARCH, UNRECOGNIZED_OPTION};
use container::Architecture;

/// What the options mean to us.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// As the program gave them.
    pub given: Vec<Vec<u8>>,
    /// `-arch`.
    pub architecture: Architecture,
    /// `-maxrregcount`.
    pub most_registers: Option<u32>,
    /// `-lto`.
    pub optimise: bool,
    /// `-ptx`.
    pub text: bool,
    /// `-r`.
    pub relocatable: bool,
    /// `-verbose`.
    pub verbose: bool,
    /// `-time`.
    pub time: bool,
    /// `-Xptxas`, for the assembler.
    pub assembler: Vec<Vec<u8>>,
}

/// Options without a value.
const FLAGS: &[&[u8]] = &[
    b"-lto",
    b"-ptx",
    b"-verbose",
    b"-time",
    b"-g",
    b"-lineinfo",
    b"-optimize-unused-variables",
    b"-no-cache",
    #[cfg(nvjitlink = "13")]
    b"-r",
    #[cfg(nvjitlink = "13")]
    b"-nvvm-latest",
];
/// Options with one.
const VALUES: &[&[u8]] = &[
    b"-arch=",
    b"-maxrregcount=",
    b"-ftz=",
    b"-prec-div=",
    b"-prec-sqrt=",
    b"-fma=",
    b"-kernels-used=",
    b"-variables-used=",
    b"-Xptxas=",
    b"-Xnvvm=",
    b"-split-compile=",
    b"-split-compile-extended=",
    b"-jump-table-density=",
    b"-Ofc=",
    b"-O",
];

/// Architectures that release 12 knew.
#[cfg(nvjitlink = "13")]
const OLD: &[u32] = &[50, 52, 53, 60, 61, 62, 70, 72];

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The number that text begins with, as C reads it.
fn number(value: &[u8]) -> Option<u32> {
    let digits = value.iter().take_while(|b| b.is_ascii_digit()).count();
    str::from_utf8(&value[..digits]).ok()?.parse().ok()
}

/// The architecture that a value begins with: what stands behind it does not count.
fn architecture(value: &[u8]) -> Option<(Architecture, bool)> {
    let value = str::from_utf8(value).ok()?;
    let (rest, is_virtual) = match value.strip_prefix("compute_") {
        Some(rest) => (rest, true),
        None => match value.strip_prefix("lto_") {
            Some(rest) => (rest, cfg!(nvjitlink = "12")),
            None => (value.strip_prefix("sm_")?, false),
        },
    };
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let end = digits + usize::from(matches!(rest.as_bytes().get(digits), Some(b'a' | b'f')));
    Some((rest[..end].parse().ok()?, is_virtual))
}

impl Options {
    /// Reads options; with an error comes what the log says.
    pub fn read(given: Vec<Vec<u8>>) -> (Options, Result<(), (Code, String)>) {
        let mut options = Options { given: given.clone(), ..Options::default() };
        let result = options.take(&given);
        (options, result)
    }

    fn take(&mut self, given: &[Vec<u8>]) -> Result<(), (Code, String)> {
        let (mut found, mut debug, mut level) = (None, false, None);
        for option in given {
            let unknown = || (UNRECOGNIZED_OPTION, format!("unrecognized option: {}\n", text(option)));
            if FLAGS.contains(&option.as_slice()) {
                match option.as_slice() {
                    b"-lto" => self.optimise = true,
                    b"-ptx" => self.text = true,
                    b"-r" => self.relocatable = true,
                    b"-verbose" => self.verbose = true,
                    b"-time" => self.time = true,
                    b"-g" => debug = true,
                    _ => {}
                }
                continue;
            }
            let name = VALUES.iter().find(|name| option.starts_with(name)).ok_or_else(unknown)?;
            let value = &option[name.len()..];
            match *name {
                b"-arch=" => {
                    let missing = || {
                        let message = format!("missing option value ({})", text(option));
                        (UNRECOGNIZED_OPTION, format!("ERROR NVJITLINK_ERROR_UNRECOGNIZED_OPTION: {message}\n"))
                    };
                    found = Some(architecture(value).ok_or_else(missing)?);
                }
                b"-maxrregcount=" => self.most_registers = number(value).filter(|&n| n > 0),
                b"-Xptxas=" => self.assembler.push(value.to_vec()),
                b"-O" if value.is_empty() => return Err(unknown()),
                b"-O" if value == b"0" || value == b"3" => level = Some(value),
                b"-O" => {
                    let message = format!("unsupported value of -O: {}. Only 0 and 3 are supported.\n", text(value));
                    return Err((UNRECOGNIZED_OPTION, message));
                }
                b"-Ofc=" if ![&b"0"[..], b"min", b"mid", b"max"].contains(&value) => {
                    let message = "Only 0, min, mid, and max are supported.";
                    let message = format!("unsupported value of --Ofast-compile (-Ofc): {}. {message}\n", text(value));
                    return Err((UNRECOGNIZED_OPTION, message));
                }
                _ => {}
            }
        }
        let (architecture, is_virtual) = found.ok_or((MISSING_ARCH, String::new()))?;
        self.architecture = architecture;
        let name = format!("(compute_{})", architecture.number);
        #[cfg(nvjitlink = "13")]
        if OLD.contains(&architecture.number) {
            let message = format!("ERROR NVJITLINK_ERROR_UNSUPPORTED_ARCH: unsupported architecture {name}\n");
            return Err((crate::api::UNSUPPORTED_ARCH, message));
        }
        if !toolchain::ptxas::exists(&format!("compute_{}", architecture.number)) {
            let message = format!("ERROR NVJITLINK_ERROR_UNRECOGNIZED_ARCH: unrecognized architecture {name}\n");
            let message = if cfg!(nvjitlink = "12") { "ERROR 1: Start\n".to_owned() } else { message };
            return Err((UNRECOGNIZED_ARCH, message));
        }
        let clash = |message: &str| Err((INCOMPATIBLE_OPTIONS, format!("ERROR: {message}\n")));
        match () {
            () if self.text && !self.optimise => clash("-ptx requires -lto"),
            () if is_virtual && !self.text => clash("virtual arch requires -ptx"),
            () if cfg!(nvjitlink = "13") && debug && level == Some(b"3") => {
                clash("optimized debugging not supported; use -O0 with -g")
            }
            () => Ok(()),
        }
    }
}
