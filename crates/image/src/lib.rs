//! Images of device code that programs pass: PTX text, fat binaries, and containers, which stand for machine code.

pub mod bounds;
pub mod object;

use bounds::{FREELY_UNPACKED, LARGEST_IMAGE, MOST_TEXT_OF_BYTE};
use container::fat::{self, at, flag, kind};
use container::{Architecture, Contents};
use error::{Error, Result, refuse};
use settings::log;
use std::collections::BTreeSet;

/// The first bytes of machine code and of containers.
const ELF: [u8; 4] = *b"\x7fELF";
/// `e_machine` of machine code.
pub const DEVICE: u16 = 190;

/// What an image holds for this device.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Image {
    /// PTX modules that suit the device.
    pub modules: Vec<String>,
    /// Most registers of a thread, if the linker was told.
    pub most_registers: Option<u32>,
    /// A container, which stands for machine code: nothing is compiled that options could be for.
    pub is_compiled: bool,
    /// Architectures of machine code in the image, which does not run here.
    machine_code: BTreeSet<u32>,
    /// Architectures of PTX that does not suit the device.
    unsuited: BTreeSet<u32>,
}

pub fn word(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at + 4).and_then(|b| b.try_into().ok()).map(u32::from_le_bytes)
}

pub fn half(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..at + 2).and_then(|b| b.try_into().ok()).map(u16::from_le_bytes)
}

pub fn long(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..at + 8).and_then(|b| b.try_into().ok()).map(u64::from_le_bytes)
}

/// Text of a module: up to the first NUL. The bytes become the text: there is no second copy of what may be large.
fn text(mut bytes: Vec<u8>) -> String {
    bytes.truncate(bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len()));
    // Comments may hold anything.
    String::from_utf8(bytes).unwrap_or_else(|wrong| String::from_utf8_lossy(wrong.as_bytes()).into_owned())
}

/// True for text that begins as PTX does, behind blanks and comments.
pub fn is_ptx(text: &str) -> bool {
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        if let Some(comment) = rest.strip_prefix("//") {
            rest = comment.split_once('\n').map_or("", |(_, rest)| rest);
        } else if let Some(comment) = rest.strip_prefix("/*") {
            rest = comment.split_once("*/").map_or("", |(_, rest)| rest);
        } else {
            return rest.starts_with(".version");
        }
    }
}

/// Memory of the program that an image may lie in.
#[derive(Clone, Copy)]
struct Source {
    /// Nothing of the image lies at or behind this address.
    end: usize,
}

impl Source {
    fn bytes(self, address: usize, length: usize) -> Result<Vec<u8>> {
        let inside = address.checked_add(length).is_some_and(|end| end <= self.end);
        if inside { guard::read_vec(address, length) } else { Err(Error::INVALID_VALUE) }
    }
}

/// Reads the image at an address of the program, for a device of compute capability `capability` (90 for 9.0).
pub fn read(address: usize, capability: u32) -> Result<Image> {
    let found = read_from(Source { end: usize::MAX }, address, capability);
    found.and_then(|image| chosen(image, capability)).map_err(|error| match error {
        error if error == Error::INVALID_VALUE => refuse!(error, "image {:#x} is not memory that can be read", address),
        error if error == Error::INVALID_IMAGE => {
            refuse!(error, "image {:#x} is neither PTX nor a fat binary, or is damaged", address)
        }
        error if error == Error::NO_BINARY_FOR_GPU => {
            refuse!(error, "image {:#x} has no PTX that suits the device", address)
        }
        error => error,
    })
}

/// What an image holds, also if nothing of it suits.
fn read_from(source: Source, address: usize, capability: u32) -> Result<Image> {
    let invalid = |_| Error::INVALID_IMAGE;
    // The shortest image is an empty string.
    let first = source.bytes(address, 1).map_err(|_| Error::INVALID_VALUE)?;
    let magic = match first.first() {
        Some(0xb1 | 0x50 | 0x7f) => source.bytes(address, 4).map_err(invalid)?,
        _ => Vec::new(),
    };
    match word(&magic, 0) {
        Some(fat::WRAPPER) => {
            let wrapper = source.bytes(address, 24).map_err(invalid)?;
            let version = word(&wrapper, 4).unwrap_or(0);
            let pointer = |at| long(&wrapper, at).unwrap_or(0) as usize;
            let mut image = Image::default();
            fat_binary(source, pointer(8), capability, &mut image)?;
            if version == 2 && pointer(16) != 0 {
                // Parts of a program that was compiled in pieces.
                for slot in 0..4096 {
                    let part = source.bytes(pointer(16).wrapping_add(slot * 8), 8).map_err(invalid)?;
                    match long(&part, 0) {
                        Some(0) | None => break,
                        Some(part) => fat_binary(source, part as usize, capability, &mut image)?,
                    }
                }
            }
            Ok(image)
        }
        Some(fat::MAGIC) => {
            let mut image = Image::default();
            fat_binary(source, address, capability, &mut image)?;
            Ok(image)
        }
        Some(magic) if magic.to_le_bytes() == ELF => elf(source, address, capability),
        _ => {
            let bytes = guard::read_string(address, LARGEST_IMAGE).map_err(|_| Error::INVALID_IMAGE)?;
            let text = Some(text(bytes)).filter(|t| is_ptx(t)).ok_or(Error::INVALID_IMAGE)?;
            Ok(Image { modules: vec![text], ..Image::default() })
        }
    }
}

/// The same for an image of known length.
pub fn of_bytes(bytes: &[u8], capability: u32) -> Result<Image> {
    contents(bytes, capability).and_then(|image| chosen(image, capability))
}

/// What an image of known length holds, also if nothing of it suits: it may be one of several.
fn contents(bytes: &[u8], capability: u32) -> Result<Image> {
    let mut copy = Vec::new();
    copy.try_reserve_exact(bytes.len() + 64).map_err(|_| Error::OUT_OF_MEMORY)?;
    copy.extend_from_slice(bytes);
    // Text need not end in NUL.
    copy.extend_from_slice(&[0; 64]);
    let address = copy.as_ptr() as usize;
    read_from(Source { end: address + copy.len() }, address, capability)
}

fn chosen(image: Image, capability: u32) -> Result<Image> {
    if image.modules.is_empty() { Err(refuse(&image, capability)) } else { Ok(image) }
}

/// Refuses an image of which nothing suits the device. The log says once how to build it.
fn refuse(image: &Image, capability: u32) -> Error {
    let advice = advice(image, capability);
    log::once!(log::warn!("{advice}"));
    log::debug!("{advice}");
    Error::NO_BINARY_FOR_GPU
}

/// A file of machine code alone, which compilers and linkers at run time make.
fn refuse_machine_code(capability: u32) -> Error {
    log::once!(log::warn!(
        "kernels cannot run: a module is machine code alone (a cubin): `doppel run` makes the program's compilers and linkers give what runs; {}",
        no_ptx(capability)
    ));
    Error::NO_BINARY_FOR_GPU
}

/// Advice for an image without suitable PTX.
pub fn no_ptx(capability: u32) -> String {
    format!(
        "machine code does not run here; load PTX for compute_{capability}: from NVRTC with \
         --gpu-architecture=compute_{capability} and nvrtcGetPTX, from nvcc with \
         -gencode arch=compute_{capability},code=compute_{capability}"
    )
}

/// What an image contains that cannot run, and how to build one that can.
fn advice(image: &Image, capability: u32) -> String {
    format!(
        "kernels cannot run: this program's device code holds {}; rebuild it with PTX that a device of compute capability {}.{} can take: \
         nvcc -gencode arch=compute_{capability},code=compute_{capability}",
        image.unusable(),
        capability / 10,
        capability % 10
    )
}

/// Reads an ELF file: a container, or machine code, which cannot run here.
fn elf(source: Source, address: usize, capability: u32) -> Result<Image> {
    let header = source.bytes(address, container::HEADER).map_err(|_| Error::INVALID_IMAGE)?;
    if !container::is_container(&header) {
        let machine_code = half(&header, 18) == Some(DEVICE);
        return Err(if machine_code { refuse_machine_code(capability) } else { Error::INVALID_IMAGE });
    }
    let length = container::length(&header).filter(|&length| length <= LARGEST_IMAGE).ok_or(Error::INVALID_IMAGE)?;
    let bytes = source.bytes(address, length).map_err(|_| Error::INVALID_IMAGE)?;
    let contents = container::read(&bytes).ok_or(Error::INVALID_IMAGE)?;
    let architecture = contents.architecture;
    if !architecture.suits(capability) {
        log::once!(log::warn!("kernels cannot run: a module was made for {architecture}, the device is {capability}"));
        return Err(Error::NO_BINARY_FOR_GPU);
    }
    let mut image = Image::default();
    image.take(contents, capability);
    Ok(image)
}

impl Image {
    /// There is device code in it that cannot run.
    fn has_unusable(&self) -> bool {
        !self.machine_code.is_empty() || !self.unsuited.is_empty()
    }

    /// What is in it that cannot run, in words.
    fn unusable(&self) -> String {
        let list = |prefix: &str, list: &BTreeSet<u32>| {
            list.iter().map(|a| format!("{prefix}{a}")).collect::<Vec<_>>().join(", ")
        };
        let (machine_code, unsuited) = (list("sm_", &self.machine_code), list("compute_", &self.unsuited));
        match (machine_code.is_empty(), unsuited.is_empty()) {
            (true, true) => "nothing but machine code".to_owned(),
            (false, true) => format!("nothing but machine code ({machine_code})"),
            (true, false) => format!("PTX for {unsuited} only"),
            (false, false) => format!("machine code ({machine_code}) and PTX for {unsuited} only"),
        }
    }

    /// Adds what another image holds.
    fn add(&mut self, other: Image) {
        self.modules.extend(other.modules);
        self.machine_code.extend(other.machine_code);
        self.unsuited.extend(other.unsuited);
    }

    /// Adds what a container holds that suits the device.
    fn take(&mut self, contents: Contents, capability: u32) {
        if !contents.architecture.runs_as_machine_code(capability) {
            let architecture = contents.architecture;
            log::once!(log::warn!(
                "a module was made for {architecture}: it runs here, but a GPU of {capability} would refuse it"
            ));
        }
        let modules = contents.ptx.split(|&b| b == 0).filter(|module| !module.is_empty());
        self.modules.extend(modules.map(|module| text(module.to_vec())));
        self.most_registers = contents.most_registers.or(self.most_registers);
        self.is_compiled = true;
    }
}

/// Adds the PTX that suits best out of a fat binary at an address.
fn fat_binary(source: Source, address: usize, capability: u32, image: &mut Image) -> Result<()> {
    let invalid = |_| Error::INVALID_IMAGE;
    let header = source.bytes(address, usize::from(fat::HEADER)).map_err(invalid)?;
    if word(&header, 0) != Some(fat::MAGIC) {
        return Err(Error::INVALID_IMAGE);
    }
    let start = half(&header, 6).unwrap_or(fat::HEADER) as usize;
    let size = long(&header, 8).unwrap_or(0) as usize;
    if size > LARGEST_IMAGE {
        return Err(Error::INVALID_IMAGE);
    }
    let mut at = address.wrapping_add(start);
    let mut left = size;
    let mut best: Option<Candidate> = None;
    let mut hidden = Vec::new();
    while left >= fat::ENTRY {
        // An entry that is not chosen may be huge: only its header is read.
        let entry = source.bytes(at, fat::ENTRY).map_err(invalid)?;
        let header = word(&entry, at::HEADER).unwrap_or(0) as usize;
        let payload = long(&entry, at::PAYLOAD).unwrap_or(0) as usize;
        let length = header.checked_add(payload).filter(|&n| header >= fat::ENTRY && n <= left);
        let length = length.ok_or(Error::INVALID_IMAGE)?;
        let architecture = word(&entry, at::ARCHITECTURE).unwrap_or(0);
        let kind = half(&entry, at::KIND);
        let entry = Entry { header: entry, at: at.wrapping_add(header), payload };
        let mut offer = |rank, what| {
            let new = Candidate { rank, what };
            best = best.take().filter(|best| best.rank >= rank).or(Some(new));
        };
        match kind {
            Some(kind::PTX) if suits(&entry.header, architecture, capability) => {
                offer((Preference::Text, architecture), Found::Text(entry));
            }
            Some(kind::PTX) => drop(image.unsuited.insert(architecture)),
            Some(kind::MACHINE_CODE) => {
                match entry.container(source)?.filter(|contents| contents.architecture.suits(capability)) {
                    Some(contents) => offer(rank(contents.architecture, capability), Found::Container(contents)),
                    None if entry.may_hide_container() => hidden.push(entry),
                    None => {}
                }
                image.machine_code.insert(architecture);
            }
            Some(kind::SEVERAL) => drop(image.machine_code.insert(architecture)),
            _ => {}
        }
        at = at.wrapping_add(length);
        left -= length;
    }
    if best.is_none() {
        for entry in hidden {
            let contents = entry.hidden_container(source)?;
            if let Some(contents) = contents.filter(|contents| contents.architecture.suits(capability)) {
                let new = Candidate { rank: rank(contents.architecture, capability), what: Found::Container(contents) };
                best = best.filter(|best| best.rank >= new.rank).or(Some(new));
            }
        }
    }
    match best.map(|best| best.what) {
        Some(Found::Text(entry)) => image.modules.push(text(entry.unpacked(source)?)),
        Some(Found::Container(contents)) => image.take(contents, capability),
        None => {}
    }
    if image.modules.iter().map(String::len).sum::<usize>() > LARGEST_IMAGE {
        return Err(Error::INVALID_IMAGE);
    }
    Ok(())
}

/// What a real driver would rather take. A container for an earlier major version is something that it would refuse.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Preference {
    EarlierContainer,
    Text,
    Container,
}

/// A container's place among what suits.
fn rank(architecture: Architecture, capability: u32) -> (Preference, u32) {
    let fits = architecture.runs_as_machine_code(capability);
    (if fits { Preference::Container } else { Preference::EarlierContainer }, architecture.number)
}

/// What suits best so far.
struct Candidate {
    rank: (Preference, u32),
    what: Found,
}

enum Found {
    Text(Entry),
    Container(Contents),
}

/// An entry of a fat binary.
struct Entry {
    header: Vec<u8>,
    /// Address of the payload, and its bytes.
    at: usize,
    payload: usize,
}

impl Entry {
    fn flags(&self) -> u64 {
        long(&self.header, at::FLAGS).unwrap_or(0)
    }

    /// The payload, decompressed.
    fn unpacked(&self, source: Source) -> Result<Vec<u8>> {
        unpack(&self.header, source.bytes(self.at, self.payload).map_err(|_| Error::INVALID_IMAGE)?)
    }

    /// The container that it holds, as far as its first bytes show one.
    fn container(&self, source: Source) -> Result<Option<Contents>> {
        let first = source.bytes(self.at, self.payload.min(container::HEADER)).map_err(|_| Error::INVALID_IMAGE)?;
        let packed = self.flags() & flag::LZ4 != 0 && container::is_packed_container(&first);
        if !packed && !container::is_container(&first) {
            return Ok(None);
        }
        container::read(&self.unpacked(source)?).map(Some).ok_or(Error::INVALID_IMAGE)
    }

    /// Packed so that the first bytes show nothing.
    fn may_hide_container(&self) -> bool {
        self.flags() & flag::ZSTD != 0
    }

    /// The container that is hidden in it.
    fn hidden_container(&self, source: Source) -> Result<Option<Contents>> {
        use std::io::Read;
        /// One block of zstd, its headers before it.
        const BLOCK: usize = (1 << 17) + 64;
        let packed = source.bytes(self.at, self.payload.min(BLOCK)).map_err(|_| Error::INVALID_IMAGE)?;
        let mut first = [0; container::HEADER];
        let decoder = ruzstd::decoding::StreamingDecoder::new(&packed[..]);
        let shown = decoder.is_ok_and(|mut decoder| decoder.read_exact(&mut first).is_ok());
        if !shown || !container::is_container(&first) {
            return Ok(None);
        }
        container::read(&self.unpacked(source)?).map(Some).ok_or(Error::INVALID_IMAGE)
    }
}

/// Whether PTX for an architecture can be compiled for a device.
fn suits(entry: &[u8], architecture: u32, capability: u32) -> bool {
    let flags = long(entry, at::FLAGS).unwrap_or(0);
    if flags & flag::ALONE != 0 {
        architecture == capability
    } else {
        architecture <= capability && (flags & flag::FAMILY == 0 || architecture / 10 == capability / 10)
    }
}

/// The payload of an entry, decompressed.
///
/// An implausible ratio of compression is refused before anything is unpacked: a few kilobytes can stand for any number
/// of gigabytes.
fn unpack(entry: &[u8], payload: Vec<u8>) -> Result<Vec<u8>> {
    let flags = long(entry, at::FLAGS).unwrap_or(0);
    let packed = word(entry, at::PACKED).unwrap_or(0) as usize;
    let size = long(entry, at::UNPACKED).unwrap_or(0) as usize;
    if flags & (flag::LZ4 | flag::ZSTD) == 0 {
        return Ok(payload);
    }
    let packed = payload.get(..packed).filter(|_| size <= LARGEST_IMAGE).ok_or(Error::INVALID_IMAGE)?;
    if size > FREELY_UNPACKED && size / MOST_TEXT_OF_BYTE > packed.len() {
        log::warn!("device code is refused: {} bytes that say to stand for {size}", packed.len());
        return Err(Error::INVALID_IMAGE);
    }
    let mut bytes = Vec::new();
    if flags & flag::LZ4 != 0 {
        /// No byte of LZ4 stands for more.
        const MOST_OF_A_BYTE: usize = 255;
        if size > packed.len() * MOST_OF_A_BYTE {
            return Err(Error::INVALID_IMAGE);
        }
        bytes.try_reserve_exact(size).map_err(|_| Error::OUT_OF_MEMORY)?;
        bytes.resize(size, 0);
        let length = lz4_flex::block::decompress_into(packed, &mut bytes).map_err(|_| Error::INVALID_IMAGE)?;
        bytes.truncate(length);
    } else {
        use std::io::Read;
        let mut decoder = ruzstd::decoding::StreamingDecoder::new(packed).map_err(|_| Error::INVALID_IMAGE)?;
        // Piece by piece, so that an image that claims a large size does not make us allocate it.
        const PIECE: usize = 1 << 16;
        let mut piece = vec![0; size.min(PIECE)];
        while bytes.len() < size {
            let wanted = piece.len().min(size - bytes.len());
            let count = decoder.read(&mut piece[..wanted]).map_err(|_| Error::INVALID_IMAGE)?;
            if count == 0 {
                break;
            }
            if bytes.capacity() - bytes.len() < count {
                let more = bytes.len().max(PIECE).min(size - bytes.len());
                bytes.try_reserve_exact(more).map_err(|_| Error::OUT_OF_MEMORY)?;
            }
            bytes.extend_from_slice(&piece[..count]);
        }
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "// comment\n.version 8.0\n.target sm_80\n.address_size 64\n";

    fn entry(kind: u16, architecture: u32, flags: u64, payload: &[u8], size: usize) -> Vec<u8> {
        let mut e = vec![0u8; 64];
        e[..2].copy_from_slice(&kind.to_le_bytes());
        e[4] = 64;
        let padded = payload.len().next_multiple_of(8);
        e[8..16].copy_from_slice(&(padded as u64).to_le_bytes());
        e[16..20].copy_from_slice(&(payload.len() as u32).to_le_bytes());
        e[28..32].copy_from_slice(&architecture.to_le_bytes());
        e[40..48].copy_from_slice(&flags.to_le_bytes());
        e[56..64].copy_from_slice(&(size as u64).to_le_bytes());
        e.extend_from_slice(payload);
        e.resize(64 + padded, 0);
        e
    }

    fn fat(entries: &[Vec<u8>]) -> Vec<u8> {
        let body = entries.concat();
        let mut all = fat::MAGIC.to_le_bytes().to_vec();
        all.extend_from_slice(&[1, 0, 16, 0]);
        all.extend_from_slice(&(body.len() as u64).to_le_bytes());
        all.extend_from_slice(&body);
        all
    }

    /// A container.
    fn made(architecture: &str, ptx: &str) -> Vec<u8> {
        let architecture = architecture.parse().unwrap();
        container::write(&Contents { ptx: ptx.into(), architecture, most_registers: Some(40), ..Contents::default() })
    }

    #[test]
    fn text_and_containers() {
        assert_eq!(of_bytes(TEXT.as_bytes(), 90).unwrap().modules, [TEXT]);
        for bad in ["", "hello", "\x7fELF", "P\u{1}"] {
            assert_eq!(of_bytes(bad.as_bytes(), 90), Err(Error::INVALID_IMAGE), "{bad}");
        }
        let both = format!("{TEXT}\0{TEXT}");
        assert_eq!(of_bytes(&made("sm_90", &both), 90).unwrap().modules, [TEXT, TEXT]);
        assert_eq!(read(0x1_0000, 90), Err(Error::INVALID_VALUE));
    }

    #[test]
    fn machine_code_alone_is_told_from_fat_binaries() {
        let mut cubin = made("sm_90", TEXT);
        cubin[18..20].copy_from_slice(&DEVICE.to_le_bytes());
        assert_eq!(of_bytes(&cubin, 90), Err(Error::NO_BINARY_FOR_GPU));
        assert!(no_ptx(90).contains("--gpu-architecture=compute_90 and nvrtcGetPTX"));
    }

    #[test]
    fn the_message_names_what_does_not_suit() {
        let mut image = Image::default();
        assert!(advice(&image, 90).contains("nothing but machine code;"));
        image.machine_code.extend([90, 75]);
        assert!(advice(&image, 90).contains("nothing but machine code (sm_75, sm_90);"));
        image.unsuited.insert(120);
        let text = advice(&image, 90);
        assert!(text.contains("machine code (sm_75, sm_90) and PTX for compute_120 only;"));
        assert!(text.ends_with("compute capability 9.0 can take: nvcc -gencode arch=compute_90,code=compute_90"));
    }

    #[test]
    fn containers_suit_as_their_text_does() {
        for (architecture, capability, suits) in [
            ("sm_90", 90, true),
            ("sm_80", 90, true),
            ("sm_90", 120, true),
            ("sm_100", 90, false),
            ("sm_90a", 100, false),
        ] {
            let image = of_bytes(&made(architecture, TEXT), capability);
            assert_eq!(image.as_ref().ok().and_then(|image| image.most_registers), suits.then_some(40));
            assert!(suits || image == Err(Error::NO_BINARY_FOR_GPU), "{architecture} {capability}");
        }
        let whole = made("sm_90", TEXT);
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            assert!(of_bytes(&damaged, 90).is_err());
            // The last bytes are zeros, as is what lies behind a file.
            assert!(of_bytes(&whole[..at.min(whole.len() - 16)], 90).is_err());
        }
    }

    #[test]
    fn containers_in_fat_binaries() {
        let own = |architecture: &str| made(architecture, &format!("{TEXT}// {architecture}"));
        let cubin = |number, file: &[u8]| entry(2, number, 0x11, file, 0);
        let packed = |number, flag, packed: &[u8], size| entry(2, number, 0x11 | flag, packed, size);
        let text = |number| entry(1, number, 0x11, TEXT.as_bytes(), 0);
        let chosen = |entries: &[Vec<u8>]| {
            of_bytes(&fat(entries), 90).map(|image| image.modules[0].rsplit(' ').next().unwrap().to_owned())
        };
        let nothing = || TEXT.rsplit(' ').next().unwrap().to_owned();
        assert_eq!(chosen(&[cubin(90, &own("sm_90"))]), Ok("sm_90".into()));
        // As the real driver has it: machine code of the major version before text, the newest of each.
        assert_eq!(chosen(&[cubin(90, &own("sm_90")), text(90)]), Ok("sm_90".into()));
        assert_eq!(chosen(&[text(80), cubin(80, &own("sm_80"))]), Ok(nothing()));
        assert_eq!(chosen(&[cubin(80, &own("sm_80")), cubin(75, &own("sm_75"))]), Ok("sm_80".into()));
        assert_eq!(chosen(&[cubin(100, &own("sm_100"))]), Err(Error::NO_BINARY_FOR_GPU));
        assert_eq!(chosen(&[cubin(90, &[1; 80]), cubin(90, &own("sm_90"))]), Ok("sm_90".into()));
        // Packed ones.
        let file = own("sm_90");
        let lz4 = lz4_flex::block::compress(&file);
        assert_eq!(chosen(&[packed(90, flag::LZ4, &lz4, file.len()), text(90)]), Ok("sm_90".into()));
        let mut zstd = b"\x28\xb5\x2f\xfd\x00\x50".to_vec();
        zstd.extend_from_slice(&((file.len() as u32) << 3 | 1).to_le_bytes()[..3]);
        zstd.extend_from_slice(&file);
        assert_eq!(chosen(&[packed(90, flag::ZSTD, &zstd, file.len())]), Ok("sm_90".into()));
        assert_eq!(chosen(&[packed(90, flag::ZSTD, &zstd[..50], file.len())]), Err(Error::NO_BINARY_FOR_GPU));
    }

    /// A frame of zstd: the text, and blanks behind it, many of them in few bytes.
    fn packed(blanks: usize) -> Vec<u8> {
        let mut frame = b"\x28\xb5\x2f\xfd\x00\x50".to_vec();
        frame.extend_from_slice(&((TEXT.len() as u32) << 3).to_le_bytes()[..3]);
        frame.extend_from_slice(TEXT.as_bytes());
        let blocks = blanks >> 17;
        for block in 0..blocks {
            frame.extend_from_slice(&(131_072 << 3 | 2 | u32::from(block + 1 == blocks)).to_le_bytes()[..3]);
            frame.push(b' ');
        }
        frame
    }

    #[test]
    fn packed_text_takes_no_more_memory_than_it_claims() {
        const ZSTD: u64 = 0x8011;
        let of = |real: usize, claimed: usize| {
            of_bytes(&fat(&[entry(1, 80, ZSTD, &packed(real), claimed)]), 90).map(|image| image.modules[0].len())
        };
        let whole = TEXT.len() + (1 << 20);
        assert_eq!(of(1 << 20, whole), Ok(whole));
        // Unpacking ends at the claimed size, and fails if there is less.
        assert_eq!(of(1 << 20, TEXT.len()), Ok(TEXT.len()));
        assert_eq!(of(1 << 20, 2 << 20), Ok(whole));
        // No text is packed so well.
        assert_eq!(of(1 << 20, 1 << 30), Err(Error::INVALID_IMAGE));
        assert_eq!(of(1 << 30, 1 << 30), Err(Error::INVALID_IMAGE));
    }

    #[test]
    fn fat_binaries() {
        let other = TEXT.replace("80", "75");
        let packed = lz4_flex::block::compress(TEXT.as_bytes());
        let newer = TEXT.replace("80", "120");
        let all = fat(&[
            entry(2, 90, 0x11, &[1; 40], 0),
            entry(1, 75, 0x11, other.as_bytes(), 0),
            entry(1, 80, 0x2011, &packed, TEXT.len()),
            entry(1, 120, 0x11, newer.as_bytes(), 0),
        ]);
        let image = of_bytes(&all, 90).unwrap();
        assert_eq!(image.modules, [TEXT]);
        assert_eq!(image.machine_code, BTreeSet::from([90]));
        assert_eq!(image.unsuited, BTreeSet::from([120]));
        assert_eq!(of_bytes(&fat(&[entry(2, 90, 0x11, &[1; 40], 0)]), 90), Err(Error::NO_BINARY_FOR_GPU));
        // Code for one architecture or family alone.
        for (flags, architecture, suits) in [
            (0x10_0011, 90, true),
            (0x10_0011, 80, false),
            (0x20_0011, 90, true),
            (0x20_0011, 89, false),
            (0x11, 89, true),
            (0x11, 100, false),
        ] {
            let image = of_bytes(&fat(&[entry(1, architecture, flags, TEXT.as_bytes(), 0)]), 90);
            assert_eq!(image.is_ok(), suits, "{flags:#x} {architecture}");
        }
        // Text for 12.0 and nothing else, as libraries carry it: for all later devices, for its family, for it alone.
        for (flags, suits) in
            [(0x11, [false, true, true]), (0x20_0011, [false, true, true]), (0x10_0011, [false, true, false])]
        {
            for (capability, suits) in [100, 120, 121].into_iter().zip(suits) {
                let image = of_bytes(&fat(&[entry(1, 120, flags, TEXT.as_bytes(), 0)]), capability);
                assert_eq!(image.is_ok(), suits, "{flags:#x} {capability}");
                assert!(suits || image == Err(Error::NO_BINARY_FOR_GPU));
            }
        }
        // Damaged ones.
        for at in 0..all.len() {
            let mut damaged = all.clone();
            damaged[at] ^= 0xff;
            let _ = of_bytes(&damaged, 90);
            let _ = of_bytes(&all[..at], 90);
        }
    }
}
