//! `doppel core FILE`: what a core dump of a kernel says.

use crate::arguments::CoreQuery;
use crate::{Failure, print, print_json};
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::fmt::Write;
use std::io::Read;

/// Lines of source above and below the one that is meant.
const AROUND: usize = 2;

/// Threads of a warp.
const WARP: u64 = 32;

/// A line of the dump, by its words.
type Words<'a> = Vec<&'a str>;

/// A function that the threads of a warp were in.
struct Frame<'a> {
    words: Words<'a>,
    registers: Vec<Words<'a>>,
}

/// Threads of a warp.
struct Warp<'a> {
    words: Words<'a>,
    frames: Vec<Frame<'a>>,
}

/// The word behind a name.
fn after<'a>(words: &[&'a str], name: &str) -> Option<&'a str> {
    let at = words.iter().position(|word| *word == name)?;
    words.get(at + 1).copied()
}

fn number(word: Option<&str>) -> u64 {
    let word = word.unwrap_or("0");
    match word.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).unwrap_or(0),
        None => word.parse().unwrap_or(0),
    }
}

/// What the text of a dump says.
struct Core<'a> {
    lines: Vec<Words<'a>>,
    warps: Vec<Warp<'a>>,
}

impl<'a> Core<'a> {
    /// What the sections of a dump say.
    fn read(sections: &'a [dump::Section]) -> Result<Core<'a>, String> {
        let text = find(sections, dump::CORE).and_then(|section| std::str::from_utf8(&section.bytes).ok());
        let core = Core::parse(text.ok_or("it has no description")?);
        if number(core.line("core").first().copied()) != u64::from(dump::VERSION) {
            return Err(format!("its description has version {}, not {}", core.word("core", 0), dump::VERSION));
        }
        Ok(core)
    }

    fn parse(text: &'a str) -> Core<'a> {
        let mut core = Core { lines: Vec::new(), warps: Vec::new() };
        for line in text.lines() {
            let words: Words<'a> = line.split('\t').collect();
            match (words[0], core.warps.last_mut()) {
                ("warp", _) => core.warps.push(Warp { words, frames: Vec::new() }),
                ("frame", Some(warp)) => warp.frames.push(Frame { words, registers: Vec::new() }),
                ("register", Some(warp)) => {
                    if let Some(frame) = warp.frames.last_mut() {
                        frame.registers.push(words);
                    }
                }
                _ => core.lines.push(words),
            }
        }
        core
    }

    fn line(&self, name: &str) -> &[&'a str] {
        self.lines.iter().find(|words| words[0] == name).map_or(&[], |words| &words[1..])
    }

    fn word(&self, name: &str, at: usize) -> &'a str {
        self.line(name).get(at).copied().unwrap_or("?")
    }

    fn three(&self, name: &str) -> [u64; 3] {
        [0, 1, 2].map(|at| number(self.line(name).get(at).copied()))
    }

    /// The number of the thread that went wrong, in its block.
    fn thread(&self) -> u64 {
        let of = |words: &[&str]| {
            let at = words.iter().position(|word| *word == "thread")? + 1;
            Some([0, 1, 2].map(|axis| number(words.get(at + axis).copied())))
        };
        let found =
            self.lines.iter().filter(|words| matches!(words[0], "access" | "thread")).find_map(|words| of(words));
        let ([x, y, z], [across, down, _]) = (found.unwrap_or([0; 3]), self.three("threads"));
        x + across * (y + down * z)
    }

    /// The thread that is asked for: its number in the block, and its place.
    fn place(&self, query: &CoreQuery) -> Result<(u64, [u64; 3]), String> {
        let at = query.thread.unwrap_or_else(|| self.thread());
        let [across, down, deep] = self.three("threads");
        if at >= across * down * deep {
            return Err(format!("a block has {} threads, and no thread {at}", across * down * deep));
        }
        Ok((at, [at % across.max(1), at / across.max(1) % down.max(1), at / (across * down).max(1)]))
    }

    /// The threads among which a thread is, if it has not ended.
    fn warp_of(&self, at: u64) -> Option<&Warp<'a>> {
        let here = |warp: &&Warp<'_>| {
            number(warp.words.get(1).copied()) == at / WARP
                && number(after(&warp.words, "active")) >> (at % WARP) & 1 != 0
        };
        // A part of a warp that is marked counts before others.
        let marked = self.warps.iter().find(|warp| here(warp) && warp.went_wrong());
        marked.or_else(|| self.warps.iter().find(here))
    }
}

impl<'a> Warp<'a> {
    fn went_wrong(&self) -> bool {
        self.words.last() == Some(&"here")
    }
}

impl<'a> Frame<'a> {
    /// The line of PTX.
    fn line(&self) -> u64 {
        number(after(&self.words, "line"))
    }

    fn source(&self) -> Option<(&'a str, u64)> {
        let at = self.words.iter().position(|word| *word == "source")?;
        Some((self.words.get(at + 1)?, number(self.words.get(at + 2).copied())))
    }

    /// Names, types and values of a lane's registers.
    fn registers(&self, lane: usize) -> impl Iterator<Item = (&'a str, &'a str, u64)> {
        self.registers.iter().map(move |register| {
            // A single value is that of all lanes.
            let bits = register.get(3 + lane).or_else(|| register.get(3).filter(|_| register.len() == 4));
            (*register.get(1).unwrap_or(&"?"), *register.get(2).unwrap_or(&"?"), number(bits.copied()))
        })
    }
}

fn find<'s>(sections: &'s [dump::Section], name: &str) -> Option<&'s dump::Section> {
    sections.iter().find(|section| section.name == name)
}

/// The sections that are memory, with their names.
fn memory(sections: &[dump::Section]) -> impl Iterator<Item = (&str, &dump::Section)> {
    let memory = sections.iter().filter(|section| section.name != dump::CORE && section.name != dump::PTX);
    memory.map(|section| (section.name.strip_prefix(".doppel.").unwrap_or(&section.name), section))
}

fn list([x, y, z]: [u64; 3]) -> String {
    format!("({x}, {y}, {z})")
}

/// A line of a text with those around it.
fn excerpt(text: &str, line: usize, to: &mut String) {
    let first = line.saturating_sub(AROUND).max(1);
    for (number, content) in text.lines().enumerate().map(|(at, content)| (at + 1, content)) {
        if (first..=line + AROUND).contains(&number) {
            let mark = if number == line { '>' } else { ' ' };
            let _ = writeln!(to, "  {mark} {number:>5}  {content}");
        }
    }
}

/// A value as the register's type has it.
fn value(ty: &str, bits: u64) -> String {
    match ty {
        "pred" => (if bits != 0 { "true" } else { "false" }).to_owned(),
        "f32" => format!("{bits:#x}  {}", f32::from_bits(bits as u32)),
        "f64" => format!("{bits:#x}  {}", f64::from_bits(bits)),
        "s32" => format!("{bits:#x}  {}", bits as u32 as i32),
        "s64" => format!("{bits:#x}  {}", bits as i64),
        _ => format!("{bits:#x}  {bits}"),
    }
}

/// Bytes in rows of sixteen.
fn rows(address: u64, bytes: &[u8], to: &mut String) {
    /// Rows that are shown.
    const MOST: usize = 64;
    for (at, row) in bytes.chunks(16).enumerate().take(MOST) {
        let hex: Vec<String> = row.iter().map(|byte| format!("{byte:02x}")).collect();
        let _ = writeln!(to, "  {:#014x}  {}", address + 16 * at as u64, hex.join(" "));
    }
    if bytes.len() > 16 * MOST {
        let _ = writeln!(to, "  ... {} bytes in all", bytes.len());
    }
}

/// What is shown of a dump.
fn shown(sections: &[dump::Section], query: &CoreQuery) -> Result<String, String> {
    let core = Core::read(sections)?;
    let mut to = String::new();
    let _ = writeln!(to, "process {} ({})", core.word("process", 0), core.word("process", 1));
    let _ = writeln!(
        to,
        "device {} ({}), context {}",
        core.word("device", 0),
        core.word("device", 1),
        core.word("context", 0)
    );
    let _ = writeln!(
        to,
        "kernel {}, grid {} of {} blocks of {} threads",
        core.word("kernel", 0),
        core.word("kernel", 2),
        list(core.three("blocks")),
        list(core.three("threads"))
    );
    let _ = writeln!(to, "{} ({}): {}", core.word("fault", 2), core.word("fault", 1), core.word("fault", 0));
    let (at, place) = core.place(query)?;
    let _ = writeln!(to, "block {}, thread {} (number {at})", list(core.three("block")), list(place));
    if let [instruction, space, bytes, address, ..] = core.line("access") {
        let _ = writeln!(to, "{instruction}: {bytes} bytes of {space} memory at {address}");
    }
    match core.warp_of(at) {
        None => to.push_str("the thread has ended\n"),
        Some(warp) => {
            for (depth, frame) in warp.frames.iter().enumerate() {
                let name = frame.words.get(1).unwrap_or(&"?");
                let (line, source) = (frame.line(), frame.source());
                let _ = match source {
                    Some((file, source)) => writeln!(to, "#{depth} {name} at {file}:{source} (PTX line {line})"),
                    None => writeln!(to, "#{depth} {name} at PTX line {line}"),
                };
                let read = source.and_then(|(file, line)| Some((std::fs::read_to_string(file).ok()?, line)));
                let ptx = || Some((String::from_utf8(find(sections, dump::PTX)?.bytes.clone()).ok()?, line));
                if let Some((text, line)) = read.or_else(ptx) {
                    excerpt(&text, line as usize, &mut to);
                }
                for (name, ty, bits) in frame.registers((at % WARP) as usize) {
                    let _ = writeln!(to, "  {name:<12} {ty:<5} {}", value(ty, bits));
                }
            }
        }
    }
    let _ = writeln!(to, "warps of the block that have not ended:");
    for warp in &core.warps {
        let frame = warp.frames.first().map_or(&[][..], |frame| &frame.words);
        let _ = writeln!(
            to,
            "  warp {:>2}  threads {}  {} at PTX line {}{}",
            warp.words.get(1).unwrap_or(&"?"),
            after(&warp.words, "active").unwrap_or("?"),
            frame.get(1).unwrap_or(&"?"),
            after(frame, "line").unwrap_or("?"),
            if warp.went_wrong() { "  <- went wrong" } else { "" }
        );
    }
    let _ = writeln!(to, "memory:");
    for (name, section) in memory(sections) {
        let _ = writeln!(to, "  {name:<10} {:>10} bytes at {:#x}", section.bytes.len(), section.address);
        if query.memory && section.name != dump::GLOBAL {
            rows(section.address, &section.bytes, &mut to);
        }
    }
    Ok(to)
}

/// The same for programs.
fn described(sections: &[dump::Section], query: &CoreQuery) -> Result<Value, String> {
    let core = Core::read(sections)?;
    let (at, place) = core.place(query)?;
    let frames = core.warp_of(at).map(|warp| {
        let frames = warp.frames.iter().map(|frame| {
            let registers = frame.registers((at % WARP) as usize);
            let registers = registers.map(|(name, ty, bits)| json!({ "name": name, "type": ty, "bits": bits }));
            json!({
                "function": frame.words.get(1),
                "ptx_line": frame.line(),
                "source": frame.source().map(|(file, line)| json!({ "file": file, "line": line })),
                "registers": registers.collect::<Vec<_>>(),
            })
        });
        frames.collect::<Vec<_>>()
    });
    let warps = core.warps.iter().map(|warp| {
        let frame = warp.frames.first();
        json!({
            "warp": number(warp.words.get(1).copied()),
            "threads": after(&warp.words, "active"),
            "function": frame.and_then(|frame| frame.words.get(1)),
            "ptx_line": frame.map(Frame::line),
            "went_wrong": warp.went_wrong(),
        })
    });
    let memory = memory(sections).map(|(name, section)| {
        let mut described = json!({ "name": name, "address": section.address, "bytes": section.bytes.len() });
        if query.memory && section.name != dump::GLOBAL {
            described["contents"] = section.bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>().into();
        }
        described
    });
    let access = match core.line("access") {
        [instruction, space, bytes, address, ..] => json!({
            "instruction": instruction, "space": space, "bytes": number(Some(bytes)), "address": number(Some(address)),
        }),
        _ => Value::Null,
    };
    Ok(json!({
        "process": number(core.line("process").first().copied()),
        "program": core.word("process", 1),
        "device": number(core.line("device").first().copied()),
        "device_name": core.word("device", 1),
        "kernel": core.word("kernel", 0),
        "blocks": core.three("blocks"),
        "threads": core.three("threads"),
        "error": core.word("fault", 2),
        "code": number(core.line("fault").get(1).copied()),
        "fault": core.word("fault", 0),
        "block": core.three("block"),
        "thread": place,
        "access": access,
        // None of a thread that has ended.
        "frames": frames,
        "warps": warps.collect::<Vec<_>>(),
        "memory": memory.collect::<Vec<_>>(),
    }))
}

/// Reads a file, of which nothing but the beginning is looked at where it is no ELF file: there are devices that have no end.
fn read(file: &OsStr) -> std::io::Result<Vec<u8>> {
    const MAGIC: &[u8] = b"\x7fELF";
    let (mut from, mut bytes) = (std::fs::File::open(file)?, Vec::new());
    from.by_ref().take(MAGIC.len() as u64).read_to_end(&mut bytes)?;
    if bytes == MAGIC {
        from.read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// Shows a dump.
pub fn show(query: &CoreQuery) -> Result<u8, Failure> {
    let name = query.file.to_string_lossy();
    let file = read(&query.file).map_err(|error| Failure::new(format!("{name}: {error}")))?;
    let sections = dump::read(&file).ok_or_else(|| Failure::new(format!("{name} is no core dump of Doppel's")))?;
    let refused = |problem| Failure::new(format!("{name}: {problem}"));
    if query.json {
        print_json(&described(&sections, query).map_err(refused)?)?;
    } else {
        print(&shown(&sections, query).map_err(refused)?)?;
    }
    Ok(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sections() -> Vec<dump::Section> {
        let text = "core\t1\nprocess\t7\t/bin/p\ndevice\t0\tH200\ncontext\t0x10\nfault\tIllegalAddress\t700\tCUDA_ERROR_ILLEGAL_ADDRESS\n\
                    kernel\tk\tgrid\t3\nblocks\t2\t1\t1\nthreads\t64\t1\t1\nblock\t1\t0\t0\nline\t2\n\
                    access\tst.global.u32\tglobal\t4\t0x18\tthread\t37\t0\t0\n\
                    warp\t0\talive\t0xffffffff\tactive\t0xffffffff\tfaulty\t0x0\nframe\tk\tline\t1\tlocal\t0\t0\nregister\t%r1\tu32\t0x1\n\
                    warp\t1\talive\t0xffffffff\tactive\t0x20\tfaulty\t0x20\there\nframe\tk\tline\t2\tlocal\t0\t0\tsource\t/no/such.cu\t20\n\
                    register\t%r1\tu32\t0x25\nregister\t%f1\tf32\t0x3fc00000\n";
        let section =
            |name: &str, address, bytes: &[u8]| dump::Section { name: name.to_owned(), address, bytes: bytes.to_vec() };
        vec![
            section(dump::CORE, 0, text.as_bytes()),
            section(dump::PTX, 0, b"first\nsecond\nthird\n"),
            section(dump::SHARED, 0x1000, &[0xab; 4]),
        ]
    }

    #[test]
    fn the_thread_that_went_wrong_is_shown() {
        let query = CoreQuery { memory: true, ..CoreQuery::default() };
        let text = shown(&sections(), &query).unwrap();
        for part in [
            "kernel k, grid 3 of (2, 1, 1) blocks of (64, 1, 1) threads",
            "CUDA_ERROR_ILLEGAL_ADDRESS (700)",
            "block (1, 0, 0), thread (37, 0, 0) (number 37)",
            "st.global.u32: 4 bytes of global memory at 0x18",
            "#0 k at /no/such.cu:20 (PTX line 2)",
            "  >     2  second",
            "%f1          f32   0x3fc00000  1.5",
            "%r1          u32   0x25  37",
            "went wrong",
            "ab ab ab ab",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
    }

    #[test]
    fn programs_get_the_same() {
        let query = CoreQuery { memory: true, ..CoreQuery::default() };
        let value = described(&sections(), &query).unwrap();
        assert_eq!((value["code"].as_u64(), value["error"].as_str()), (Some(700), Some("CUDA_ERROR_ILLEGAL_ADDRESS")));
        assert_eq!(value["thread"], json!([37, 0, 0]));
        assert_eq!(value["access"]["address"], 0x18);
        assert_eq!(value["frames"][0]["source"], json!({ "file": "/no/such.cu", "line": 20 }));
        assert_eq!(value["frames"][0]["registers"][1], json!({ "name": "%f1", "type": "f32", "bits": 0x3fc0_0000 }));
        assert_eq!(value["warps"].as_array().map(|warps| warps.len()), Some(2));
        assert_eq!(value["memory"][0]["contents"], "abababab");
        let ended = CoreQuery { thread: Some(38), ..CoreQuery::default() };
        assert!(described(&sections(), &ended).unwrap()["frames"].is_null());
        assert!(described(&sections(), &CoreQuery { thread: Some(64), ..CoreQuery::default() }).is_err());
    }

    #[test]
    fn another_thread_is_shown_and_none_that_is_not_there() {
        let thread = |number| CoreQuery { thread: Some(number), ..CoreQuery::default() };
        assert!(shown(&sections(), &thread(3)).unwrap().contains("%r1          u32   0x1  1"));
        assert!(shown(&sections(), &thread(38)).unwrap().contains("the thread has ended"));
        assert!(shown(&sections(), &thread(64)).is_err());
        assert!(shown(&sections()[1..], &thread(0)).is_err());
    }
}
