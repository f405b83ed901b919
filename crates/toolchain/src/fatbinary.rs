//! `fatbinary`: packs PTX, machine code and containers into a fat binary.
//!
//! NVIDIA's does not take a container for machine code. What has none among its images is NVIDIA's to pack, where it is
//! installed.

use crate::options::{Known, Line, Takes, known, parse};
use container::Architecture;
use container::fat::{self, at, flag, kind};
use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// What a failure exits with.
pub const FAILURE: u8 = 1;

const ON_OFF: Takes = Takes::Nothing;
/// The options of release 13.5, and those of earlier ones that other compilers still give.
pub const OPTIONS: &[Known] = &[
    known("32", "32", ON_OFF),
    known("64", "64", ON_OFF),
    known("cicc-cmdline", "cicc-cmdline", Takes::Word),
    known("cmdline", "cmdline", Takes::Word),
    known("compress", "compress", Takes::Truth),
    known("compress-all", "compress-all", ON_OFF),
    known("compress-mode", "compress-mode", Takes::OneOf(&["default", "size", "speed", "balance", "none"])),
    known("concat", "concat", ON_OFF),
    known("create", "create", Takes::Word),
    known("cuda", "cuda", ON_OFF),
    known("debug", "g", ON_OFF),
    known("device-c", "c", ON_OFF),
    known("embedded-fatbin", "fatbin", Takes::Word),
    known("help", "h", ON_OFF),
    known("ident", "ident", Takes::Word),
    known("image", "image", Takes::Word),
    known("image2", "image2", Takes::Word),
    known("image3", "image3", Takes::Word),
    known("key", "key", Takes::Word),
    known("link", "link", ON_OFF),
    known("no-asm", "no-asm", ON_OFF),
    known("options-file", "optf", Takes::File),
    known("tileir-cmdline", "tileir-cmdline", Takes::Word),
    known("version", "V", ON_OFF),
];

/// What stands for a version where an entry is no PTX.
const ELF_VERSION: (u16, u16) = (8, 1);

/// An image.
struct Image {
    ptx: bool,
    architecture: Architecture,
    bytes: Vec<u8>,
}

/// What a command line asks for.
pub enum Request {
    /// Something that NVIDIA's program does as well, or alone can.
    Theirs,
    /// This.
    Ours(Line),
}

/// Decides who does the work: an image that is a container is ours, if `theirs` is there for others.
pub fn request(arguments: &[OsString], theirs: bool) -> Result<Request, String> {
    let line = parse(OPTIONS, arguments.to_vec());
    if !theirs {
        return line.map(Request::Ours);
    }
    // What it does not understand it says itself.
    let Ok(line) = line else { return Ok(Request::Theirs) };
    let files = ["image", "image2", "image3"].into_iter().flat_map(|name| line.values(name).map(specification));
    let containers =
        files.filter_map(|image| crate::read(image.file, crate::LARGEST)).any(|bytes| container::is_container(&bytes));
    Ok(if containers && !line.has("help") && !line.has("version") { Request::Ours(line) } else { Request::Theirs })
}

/// Runs the program on a command line: exit status.
pub fn run(line: &Line, out: &mut dyn Write, messages: &mut String) -> u8 {
    for (option, text) in
        [("help", help()), ("version", crate::version("fatbinary", "stand-in for the packer of images"))]
    {
        if line.has(option) {
            if crate::print(out, &text) {
                return 0;
            }
            messages.push_str("fatbinary fatal   : Output could not be written\n");
            return FAILURE;
        }
    }
    match pack(line) {
        Ok(()) => 0,
        Err(text) => {
            let _ = writeln!(messages, "fatbinary fatal   : {text}");
            FAILURE
        }
    }
}

fn pack(line: &Line) -> Result<(), String> {
    if !line.inputs.is_empty() {
        return Err(format!("Don't know what to do with '{}'", line.inputs[0].to_string_lossy()));
    }
    if line.has("32") {
        return Err("Only 64bit is supported".to_owned());
    }
    if line.has("image2") {
        return Err("images of several architectures (--image2) need NVIDIA's fatbinary".to_owned());
    }
    let new = line.values("image3").map(|value| image(&specification(value), "image3"));
    let old = line.values("image").map(|value| image(&old_specification(value), "image"));
    let mut images: Vec<Image> = old.chain(new).collect::<Result<_, String>>()?;
    if line.has("device-c") {
        as_text(&mut images);
    }
    let file = write(&images, line);
    for (option, bytes) in [("create", file.clone()), ("embedded-fatbin", embedded(&file, line).into_bytes())] {
        if let Some(name) = line.value(option) {
            std::fs::write(name, bytes)
                .map_err(|_| format!("Could not open output file '{}'", name.to_string_lossy()))?;
        }
    }
    Ok(())
}

/// Containers become PTX, once: that is what NVIDIA's linker of device code takes, too.
fn as_text(images: &mut Vec<Image>) {
    for image in images.iter_mut().filter(|image| !image.ptx) {
        if let Some(contents) = container::read(&image.bytes).filter(|contents| !contents.ptx.contains(&0)) {
            (image.ptx, image.bytes) = (true, contents.ptx);
        }
    }
    let mut known: Vec<(Architecture, Vec<u8>)> = Vec::new();
    images.retain(|image| {
        let own = (image.architecture, image.bytes.clone());
        let new = !image.ptx || !known.contains(&own);
        known.push(own);
        new
    });
}

/// A fat binary of one container in a file.
pub fn of_container(input: &OsStr, output: &Path) -> Result<(), String> {
    let name = input.to_string_lossy();
    let bytes = crate::read(input, crate::LARGEST).ok_or_else(|| format!("Could not open input file '{name}'"))?;
    of_bytes(bytes, output).map_err(|text| format!("'{name}' {text}"))
}

/// A fat binary of one container.
pub fn of_bytes(container: Vec<u8>, output: &Path) -> Result<(), String> {
    let contents = container::read(&container).ok_or("is no container")?;
    let image = Image { ptx: false, architecture: contents.architecture, bytes: container };
    let file = write(&[image], &Line::default());
    std::fs::write(output, file).map_err(|error| format!("cannot write {}: {error}", output.display()))
}

/// `kind=elf,sm=90,file=FILE`.
struct Specified<'a> {
    kind: Option<String>,
    sm: Option<String>,
    file: &'a OsStr,
}

fn specification(value: &OsStr) -> Specified<'_> {
    let mut found = Specified { kind: None, sm: None, file: OsStr::new("") };
    for word in value.as_bytes().split(|&b| b == b',') {
        let text = |rest: &[u8]| Some(String::from_utf8_lossy(rest).into_owned());
        match word {
            [b'k', b'i', b'n', b'd', b'=', rest @ ..] => found.kind = text(rest),
            [b's', b'm', b'=', rest @ ..] => found.sm = text(rest),
            [b'f', b'i', b'l', b'e', b'=', rest @ ..] => found.file = OsStr::from_bytes(rest),
            _ => {}
        }
    }
    found
}

/// `profile=sm_90,file=FILE`: the profile says the kind.
fn old_specification(value: &OsStr) -> Specified<'_> {
    let mut found = specification(value);
    let words = value.as_bytes().split(|&b| b == b',').filter_map(|word| word.strip_prefix(b"profile="));
    if let Some(profile) = words.map(String::from_utf8_lossy).next_back() {
        found.kind = Some(if profile.starts_with("compute_") { "ptx" } else { "elf" }.to_owned());
        found.sm = Some(profile.into_owned());
    }
    found
}

fn image(specified: &Specified<'_>, option: &str) -> Result<Image, String> {
    let ptx = match specified.kind.as_deref() {
        Some("ptx") => true,
        Some("elf") => false,
        Some(kind @ ("nvvm" | "host" | "tilecubin" | "tilebc")) => {
            return Err(format!("images of kind {kind} need NVIDIA's fatbinary"));
        }
        _ => return Err(format!("Missing or unknown kind in {option}")),
    };
    let name = specified.file.to_string_lossy();
    let bytes =
        crate::read(specified.file, crate::LARGEST).ok_or_else(|| format!("Could not open input file '{name}'"))?;
    let contents = if ptx { None } else { container::read(&bytes) };
    let architecture = match (&specified.sm, &contents) {
        (Some(sm), _) => sm.parse::<Architecture>().map_err(|()| format!("Missing or unknown sm in {option}"))?,
        (None, Some(contents)) => contents.architecture,
        (None, None) => return Err(format!("Missing sm in {option}")),
    };
    if !ptx && contents.is_none() && (container::is_container(&bytes) || !bytes.starts_with(b"\x7fELF")) {
        return Err(format!("'{name}' is neither machine code nor a container"));
    }
    if contents.is_some_and(|contents| contents.architecture != architecture) {
        return Err(format!("'{name}': elf arch does not match user-specified arch"));
    }
    if ptx && version(&bytes).is_none() {
        return Err(format!("'{name}': could not find ptx version"));
    }
    Ok(Image { ptx, architecture, bytes })
}

/// Minor and major version of a PTX text.
fn version(text: &[u8]) -> Option<(u16, u16)> {
    let text = String::from_utf8_lossy(text);
    let rest = &text[text.find(".version")? + ".version".len()..];
    let (major, minor) = rest.split_whitespace().next()?.split_once('.')?;
    Some((minor.parse().ok()?, major.parse().ok()?))
}

/// The fat binary.
fn write(images: &[Image], line: &Line) -> Vec<u8> {
    let text = |name| line.value(name).map(|value| value.as_bytes().to_vec()).unwrap_or_default();
    let (name, options) = (text("ident"), text("cmdline"));
    let mut entries = Vec::new();
    for image in images {
        let mut header = vec![0; fat::ENTRY];
        let mut payload = image.bytes.clone();
        if image.ptx {
            payload.truncate(payload.iter().position(|&b| b == 0).unwrap_or(payload.len()));
            payload.push(0);
        }
        payload.resize(payload.len().next_multiple_of(8), 0);
        let pad = |header: &mut Vec<u8>| header.resize(header.len().next_multiple_of(8), 0);
        let put = |header: &mut Vec<u8>, at: usize, bytes: &[u8]| header[at..at + bytes.len()].copy_from_slice(bytes);
        if !name.is_empty() {
            put(&mut header, at::NAME, &(fat::ENTRY as u32).to_le_bytes());
            put(&mut header, at::NAME + 4, &(name.len() as u32).to_le_bytes());
            header.extend_from_slice(&name);
            header.push(0);
            pad(&mut header);
        }
        if !options.is_empty() && image.ptx {
            let end = header.len() as u32;
            put(&mut header, at::OPTIONS, &end.to_le_bytes());
            header.extend_from_slice(&(end + 8).to_le_bytes());
            header.extend_from_slice(&(options.len() as u32).to_le_bytes());
            header.extend_from_slice(&options);
            header.push(0);
            pad(&mut header);
        }
        let suffix = match image.architecture.suffix {
            None => 0,
            Some('a') => flag::ALONE,
            Some(_) => flag::FAMILY,
        };
        let flags = flag::USUAL | suffix | if line.has("debug") { flag::DEBUG } else { 0 };
        let (minor, major) = if image.ptx { version(&image.bytes).unwrap_or_default() } else { ELF_VERSION };
        put(&mut header, at::KIND, &(if image.ptx { kind::PTX } else { kind::MACHINE_CODE }).to_le_bytes());
        put(&mut header, at::FORMAT, &0x0101u16.to_le_bytes());
        let size = header.len() as u32;
        put(&mut header, at::HEADER, &size.to_le_bytes());
        put(&mut header, at::PAYLOAD, &(payload.len() as u64).to_le_bytes());
        put(&mut header, at::VERSION, &minor.to_le_bytes());
        put(&mut header, at::VERSION + 2, &major.to_le_bytes());
        put(&mut header, at::ARCHITECTURE, &image.architecture.number.to_le_bytes());
        put(&mut header, at::FLAGS, &flags.to_le_bytes());
        entries.extend_from_slice(&header);
        entries.extend_from_slice(&payload);
    }
    let mut file = fat::MAGIC.to_le_bytes().to_vec();
    file.extend_from_slice(&1u16.to_le_bytes());
    file.extend_from_slice(&fat::HEADER.to_le_bytes());
    file.extend_from_slice(&(entries.len() as u64).to_le_bytes());
    file.extend_from_slice(&entries);
    file
}

/// A fat binary as a source that a program's stub includes.
fn embedded(file: &[u8], line: &Line) -> String {
    let relocatable = line.has("device-c") && !line.has("link");
    let section = if relocatable { "__nv_relfatbin" } else { ".nv_fatbin" };
    let mut text = String::from(
        "#ifndef __SKIP_INTERNAL_FATBINARY_HEADERS\n#include \"fatbinary_section.h\"\n#endif\n\
         #define __CUDAFATBINSECTION \".nvFatBinSegment\"\n",
    );
    let _ = writeln!(text, "#define __CUDAFATBINDATASECTION \"{section}\"");
    let _ = writeln!(text, "__asm__(\".pushsection {section}, \\\"a\\\"\\n.balign 8\\nfatbinData:\\n\"");
    for words in file.chunks(32) {
        let words: Vec<String> = words
            .chunks(8)
            .map(|bytes| {
                let mut word = [0; 8];
                word[..bytes.len()].copy_from_slice(bytes);
                format!("{:#018x}", u64::from_le_bytes(word))
            })
            .collect();
        let _ = writeln!(text, "\".quad {}\\n\"", words.join(","));
    }
    text.push_str("\".popsection\\n\");\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    let _ = writeln!(text, "extern const unsigned long long fatbinData[{}];", file.len().div_ceil(8));
    let (version, more) = if line.has("link") { (2, "(void **)__cudaPrelinkedFatbins") } else { (1, "0") };
    let name = if relocatable {
        text.push_str(
            "#undef __FATIDNAME_CORE\n#undef __FATIDNAME\n#define __FATIDNAME_CORE(x) __fatbinwrap##x\n\
             #define __FATIDNAME(x) __FATIDNAME_CORE(x)\n",
        );
        "extern const __fatBinC_Wrapper_t __FATIDNAME(__NV_MODULE_ID)"
    } else {
        "static const __fatBinC_Wrapper_t __fatDeviceText"
    };
    let _ = writeln!(
        text,
        "{name} __attribute__((aligned(8))) __attribute__((section(__CUDAFATBINSECTION))) =\n    {{ {:#x}, {version}, fatbinData, {more} }};",
        fat::WRAPPER
    );
    text.push_str("#ifdef __cplusplus\n}\n#endif\n#undef __CUDAFATBINDATASECTION\n#undef __CUDAFATBINSECTION\n");
    text
}

fn help() -> String {
    let mut text = "\nUsage  : fatbinary [options]\n\nOptions\n=======\n\n".to_owned();
    for option in OPTIONS {
        let value = if matches!(option.takes, Takes::Nothing) { "" } else { " <value>" };
        let _ = writeln!(text, "{:<50}(-{})", format!("--{}{value}", option.long), option.short);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use container::Contents;

    const TEXT: &str = ".version 8.3\n.target sm_90\n.address_size 64\n.visible .entry k() { ret; }\n";

    /// A folder with `k.ptx` and `k.cubin`, a container.
    fn folder(name: &str) -> std::path::PathBuf {
        let folder = std::env::temp_dir().join(format!("fatbinary-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("k.ptx"), TEXT).unwrap();
        let contents = Contents { ptx: TEXT.into(), architecture: "sm_90".parse().unwrap(), ..Contents::default() };
        std::fs::write(folder.join("k.cubin"), container::write(&contents)).unwrap();
        folder
    }

    fn call(folder: &Path, line: &str) -> (u8, String) {
        let words = line.replace('@', &format!("{}/", folder.display()));
        let arguments: Vec<OsString> = words.split(' ').map(OsString::from).collect();
        let mut messages = String::new();
        match request(&arguments, false) {
            Ok(Request::Ours(line)) => (run(&line, &mut Vec::new(), &mut messages), messages),
            Ok(Request::Theirs) => panic!("{line}"),
            Err(text) => (FAILURE, text),
        }
    }

    fn long(bytes: &[u8], at: usize) -> u64 {
        u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
    }

    #[test]
    fn images_are_packed() {
        let folder = folder("packed");
        let line =
            "-64 --create=@out --image3=kind=elf,sm=90,file=@k.cubin --image3=kind=ptx,sm=90a,file=@k.ptx --cmdline=-v";
        assert_eq!(call(&folder, line), (0, String::new()));
        let file = std::fs::read(folder.join("out")).unwrap();
        assert_eq!((file[..4].to_vec(), long(&file, 8) as usize), (fat::MAGIC.to_le_bytes().to_vec(), file.len() - 16));
        let cubin = &file[16..];
        assert_eq!((cubin[0], long(cubin, 4) as u32, cubin[28], long(cubin, 40)), (2, 64, 90, flag::USUAL));
        let contents = container::read(&cubin[64..]).unwrap();
        assert_eq!(contents.ptx, TEXT.as_bytes());
        let ptx = &cubin[64 + long(cubin, 8) as usize..];
        assert_eq!((ptx[0], &ptx[24..28], long(ptx, 40)), (1, &[3, 0, 8, 0][..], flag::USUAL | flag::ALONE));
        let header = long(ptx, 4) as u32 as usize;
        assert_eq!(&ptx[header..header + TEXT.len()], TEXT.as_bytes());
        assert_eq!(&ptx[72..75], b"-v\0");
        assert_eq!(ptx.len(), header + long(ptx, 8) as usize);
        // Code that is still to be linked.
        let line = "-c --create=@out --image3=kind=elf,sm=90,file=@k.cubin --image3=kind=ptx,sm=90,file=@k.ptx";
        assert_eq!(call(&folder, line), (0, String::new()));
        let file = std::fs::read(folder.join("out")).unwrap();
        assert_eq!((file[16], file.len()), (1, 16 + 64 + (TEXT.len() + 1).next_multiple_of(8)));
        // As clang names them.
        let old = "--cuda -64 --create @old --image=profile=sm_90,file=@k.cubin --image=profile=compute_90,file=@k.ptx";
        assert_eq!(call(&folder, old), (0, String::new()));
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn containers_are_ours_and_others_theirs() {
        let folder = folder("who");
        let ours = |line: &str| {
            let words = line.replace('@', &format!("{}/", folder.display()));
            let arguments: Vec<OsString> = words.split(' ').map(OsString::from).collect();
            matches!(request(&arguments, true), Ok(Request::Ours(_)))
        };
        assert!(ours("--create=@out --image3=kind=elf,sm=90,file=@k.cubin"));
        assert!(!ours("--create=@out --image3=kind=ptx,sm=90,file=@k.ptx"));
        assert!(!ours("--version") && !ours("--bogus") && !ours("--image3=kind=elf,sm=90,file=@none"));
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn what_is_wrong_is_said() {
        let folder = folder("wrong");
        std::fs::write(folder.join("other"), b"\x7fELFnot").unwrap();
        let damaged = std::fs::read(folder.join("k.cubin")).unwrap();
        std::fs::write(folder.join("damaged"), &damaged[..damaged.len() - 1]).unwrap();
        for (line, message) in [
            ("--create=@out --image3=kind=foo,sm=90,file=@k.ptx", "Missing or unknown kind in image3"),
            ("--create=@out --image3=kind=ptx,file=@k.ptx", "Missing sm in image3"),
            ("--create=@out --image3=kind=ptx,sm=90,file=@none", "Could not open input file"),
            ("--create=@out --image3=kind=elf,sm=90,file=@k.ptx", "is neither machine code nor a container"),
            ("--create=@out --image3=kind=elf,sm=90,file=@damaged", "is neither machine code nor a container"),
            ("--create=@out --image3=kind=elf,sm=80,file=@k.cubin", "does not match user-specified arch"),
            ("--create=@out --image3=kind=ptx,sm=90,file=@other", "could not find ptx version"),
            ("--create=@none/out --image3=kind=ptx,sm=90,file=@k.ptx", "Could not open output file"),
            ("--create=@out --image2=kind=host,file=@other", "need NVIDIA's fatbinary"),
            ("--create=@out @k.ptx", "Don't know what to do with"),
            ("--bogus", "Unknown option '-bogus'"),
        ] {
            let (rc, text) = call(&folder, line);
            assert!(rc == FAILURE && text.contains(message), "{line}: {text}");
        }
        assert_eq!(call(&folder, "--create=@out --image3=kind=elf,sm=90,file=@other"), (0, String::new()));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
