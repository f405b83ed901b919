//! Records: what a program asked of the driver, in a file that can be asked again of any device.
//!
//! A file is a frame of LZ4, with checksums, of events. Each is a length of 4 bytes and the event in postcard's form; the first is
//! [`Event::Begin`], the last [`Event::End`]. Handles and addresses that come out of calls are objects with numbers; where they go
//! in again, the number stands in their place. Bytes are contents with numbers, too, and each content is in the file once.

#![forbid(unsafe_code)]

pub mod signature;

use lz4_flex::frame::{BlockSize, FrameDecoder, FrameEncoder, FrameInfo};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use std::cell::Cell;
use std::io::{self, Chain, Read, Write};

/// Version of the events. Each version has what the ones before it have.
pub const VERSION: u32 = 2;
/// Where the emulated device has the addresses of functions.
pub const CODE: core::ops::Range<u64> = 0x7fff_0000_0000_0000..0x7fff_0010_0000_0000;
/// No event takes more bytes: contents come in pieces.
const LARGEST_EVENT: usize = 64 << 20;
/// Bytes of a content in one event.
pub const PIECE: usize = 4 << 20;
/// Memory in memory in memory: more levels than there are in any structure of the driver's.
const DEEPEST: usize = 8;

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Event {
    /// The record of a program begins.
    Begin {
        /// [`VERSION`].
        version: u32,
        /// The program's name.
        program: String,
    },
    /// The next bytes of the content that is being put together; with `last` it has the next number.
    Content {
        /// The bytes.
        bytes: Vec<u8>,
        /// These are the last ones.
        last: bool,
    },
    /// A function, which gets the next number.
    Function {
        /// Its exported name.
        name: String,
    },
    /// A call.
    Call(Call),
    /// The recorder has waited for a stream, or for the context where there is none.
    Wait {
        /// On which thread.
        thread: u32,
        /// The stream.
        stream: Argument,
    },
    /// The program has written into an object of the host's memory.
    Written {
        /// The object.
        object: u32,
        /// Where in it.
        offset: u64,
        /// What is there now.
        data: Data,
    },
    /// The device has written into an object of the host's memory.
    Expected {
        /// The object.
        object: u32,
        /// Where in it.
        offset: u64,
        /// What is there now.
        data: Data,
    },
    /// An object of the host's memory is not needed any more.
    Dropped {
        /// The object.
        object: u32,
    },
    /// Something that cannot be replayed, or not for certain.
    Remark {
        /// What, for people.
        text: String,
    },
    /// The program has ended.
    End {
        /// Words in copied data that were taken for addresses.
        found: u64,
    },
}

/// A call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Call {
    /// The thread, numbered from 0 in the order in which they came.
    pub thread: u32,
    /// The number of the function.
    pub function: u32,
    /// What it answered.
    pub code: u32,
    /// It is not asked again.
    pub skipped: bool,
    /// The arguments.
    pub arguments: Vec<Argument>,
}

/// An argument, or a word of memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Argument {
    /// This number.
    Word(u64),
    /// An object, or an address so many bytes behind the beginning of one.
    Object {
        /// Its number.
        id: u32,
        /// Bytes.
        offset: u64,
    },
    /// The address of memory.
    Memory(#[serde(deserialize_with = "shallow")] Memory),
    /// A function that does nothing.
    Function,
    /// The bits of a `float`, which goes another way than numbers.
    Float(u32),
    /// A handle, but of nothing that is known.
    Wild(u64),
    /// The address of a function of the device's, as a kernel has told it.
    Code(u64),
}

/// Memory of the program's, as a call finds it and leaves it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// Bytes.
    pub len: u64,
    /// It stays, as an object with this number.
    pub keep: Option<u32>,
    /// What is in it before the call.
    pub before: Option<Data>,
    /// What the call has left in it.
    pub after: Option<Data>,
    /// Parts of it say something about the machine or the moment: differences there are none of the results.
    pub loose: bool,
}

/// Contents of memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Data {
    /// The number of the content.
    pub content: u32,
    /// Words of it that are something else, in the order of their places.
    pub words: Vec<(u64, Value)>,
}

/// What a word of memory is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Value {
    /// As an argument.
    Is(Argument),
    /// What comes out here is an object from now on.
    New(u32),
    /// Nothing that can be compared.
    Any,
    /// So many bytes, not a word, between the fields of a structure or behind them: they may be anything.
    Gap(u8),
    /// The address of memory of the driver's, in which this is.
    Leads(#[serde(deserialize_with = "deep")] Data),
}

impl Value {
    /// How many bytes it takes.
    pub fn size(&self) -> usize {
        match self {
            Value::Gap(len) => usize::from(*len),
            _ => 8,
        }
    }
}

/// Why a file cannot be read, or not to its end.
#[derive(Debug, PartialEq, Eq)]
pub enum Damage {
    /// It is none.
    NoRecord,
    /// Of another version.
    Version(u32),
    /// It ends before the program did.
    Short,
    /// What is wrong.
    Damaged(String),
}

impl core::fmt::Display for Damage {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Damage::NoRecord => write!(f, "is no record of a program's calls"),
            Damage::Version(version) => write!(f, "is of version {version}; this program reads 1 to {VERSION}"),
            Damage::Short => write!(f, "ends before the program did"),
            Damage::Damaged(what) => write!(f, "is damaged: {what}"),
        }
    }
}

/// Writes a record.
pub struct Writer<W: Write> {
    frame: FrameEncoder<W>,
}

impl<W: Write> Writer<W> {
    /// Begins a file.
    pub fn new(out: W) -> Self {
        let info = FrameInfo::new().block_size(BlockSize::Max256KB).block_checksums(true).content_checksum(true);
        Writer { frame: FrameEncoder::with_frame_info(info, out) }
    }

    /// Writes an event.
    pub fn put(&mut self, event: &Event) -> io::Result<()> {
        let bytes = postcard::to_stdvec(event).map_err(io::Error::other)?;
        self.frame.write_all(&(bytes.len() as u32).to_le_bytes())?;
        self.frame.write_all(&bytes)
    }

    /// Everything so far is in the file afterwards.
    pub fn flush(&mut self) -> io::Result<()> {
        self.frame.flush()
    }

    /// Ends the file.
    pub fn end(self) -> io::Result<W> {
        self.frame.finish().map_err(io::Error::other)
    }
}

/// Reads a record.
pub struct Reader<R: Read> {
    frame: FrameDecoder<Chain<&'static [u8], R>>,
    ended: bool,
}

impl<R: Read> Reader<R> {
    /// Begins with a file, and reads the name of its program.
    pub fn open(mut file: R) -> Result<(Reader<R>, String), Damage> {
        const MAGIC: &[u8] = &[0x04, 0x22, 0x4d, 0x18];
        let mut first = [0; MAGIC.len()];
        if file.read_exact(&mut first).is_err() || first != MAGIC {
            return Err(Damage::NoRecord);
        }
        let mut reader = Reader { frame: FrameDecoder::new(MAGIC.chain(file)), ended: false };
        match reader.next() {
            Ok(Some(Event::Begin { version: 1..=VERSION, program })) => Ok((reader, program)),
            Ok(Some(Event::Begin { version, .. })) => Err(Damage::Version(version)),
            Ok(_) => Err(Damage::NoRecord),
            Err(damage) => Err(damage),
        }
    }

    /// The next event; none behind the last.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Result<Option<Event>, Damage> {
        if self.ended {
            return Ok(None);
        }
        let mut len = [0; 4];
        self.fill(&mut len)?;
        let len = u32::from_le_bytes(len) as usize;
        if len > LARGEST_EVENT {
            return Err(Damage::Damaged(format!("an event of {len} bytes")));
        }
        let mut bytes = Vec::new();
        let read = (&mut self.frame).take(len as u64).read_to_end(&mut bytes);
        read.map_err(|why| damage(&why))?;
        if bytes.len() < len {
            return Err(Damage::Short);
        }
        let event = decode(&bytes)?;
        self.ended = matches!(event, Event::End { .. });
        Ok(Some(event))
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), Damage> {
        self.frame.read_exact(bytes).map_err(|why| damage(&why))
    }
}

fn damage(why: &io::Error) -> Damage {
    match why.kind() {
        io::ErrorKind::UnexpectedEof => Damage::Short,
        _ => Damage::Damaged(why.to_string()),
    }
}

/// An event of these bytes.
pub fn decode(bytes: &[u8]) -> Result<Event, Damage> {
    LEVEL.set(0);
    postcard::from_bytes(bytes).map_err(|why| Damage::Damaged(why.to_string()))
}

thread_local! {
    /// How deep in memory the reader is.
    static LEVEL: Cell<usize> = const { Cell::new(0) };
}

/// Memory in memory: what reads it calls itself, and a file must not say how often.
fn shallow<'de, D: Deserializer<'de>>(from: D) -> Result<Memory, D::Error> {
    inner(from)
}

/// The same for memory of the driver's.
fn deep<'de, D: Deserializer<'de>>(from: D) -> Result<Data, D::Error> {
    inner(from)
}

fn inner<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<T, D::Error> {
    let level = LEVEL.get();
    if level == DEEPEST {
        return Err(D::Error::custom("memory in memory without end"));
    }
    LEVEL.set(level + 1);
    let found = T::deserialize(from);
    LEVEL.set(level);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events() -> Vec<Event> {
        let word = |at, id| (at, Value::Is(Argument::Object { id, offset: 8 }));
        let data =
            Data { content: 0, words: vec![word(0, 1), (8, Value::New(2)), (16, Value::Any), (24, Value::Gap(4))] };
        let leads = Data { content: 0, words: vec![(0, Value::Leads(data.clone()))] };
        let memory = Memory { len: 24, keep: Some(7), before: Some(data.clone()), after: None, loose: true };
        let plain = [Argument::Word(1 << 60), Argument::Memory(memory), Argument::Function];
        let arguments = plain.into_iter().chain([Argument::Wild(0x10000), Argument::Code(24)]).collect();
        vec![
            Event::Begin { version: VERSION, program: "a".into() },
            Event::Content { bytes: (0..100_000u32).map(|i| (i.wrapping_mul(i) >> 3) as u8).collect(), last: true },
            Event::Function { name: "cuInit".into() },
            Event::Call(Call { thread: 0, function: 0, code: 1, skipped: false, arguments }),
            Event::Wait { thread: 0, stream: Argument::Word(1) },
            Event::Written { object: 1, offset: 3, data: leads },
            Event::Expected { object: 1, offset: 3, data },
            Event::Remark { text: "b".into() },
            Event::End { found: 3 },
        ]
    }

    fn file() -> Vec<u8> {
        let mut writer = Writer::new(Vec::new());
        events().iter().for_each(|event| writer.put(event).unwrap());
        writer.end().unwrap()
    }

    fn read(file: &[u8]) -> (Vec<Event>, Option<Damage>) {
        let mut found = Vec::new();
        let (mut reader, program) = match Reader::open(file) {
            Ok(opened) => opened,
            Err(damage) => return (found, Some(damage)),
        };
        found.push(Event::Begin { version: VERSION, program });
        loop {
            match reader.next() {
                Ok(Some(event)) => found.push(event),
                Ok(None) => return (found, None),
                Err(damage) => return (found, Some(damage)),
            }
        }
    }

    #[test]
    fn what_is_written_is_read() {
        assert_eq!(read(&file()), (events(), None));
    }

    #[test]
    fn records_of_earlier_versions_are_read_and_later_ones_refused() {
        let of = |version| {
            let mut writer = Writer::new(Vec::new());
            writer.put(&Event::Begin { version, program: "a".into() }).unwrap();
            writer.put(&Event::End { found: 0 }).unwrap();
            Reader::open(writer.end().unwrap().as_slice()).map(|(_, program)| program)
        };
        assert_eq!((of(1), of(VERSION)), (Ok("a".into()), Ok("a".into())));
        assert_eq!((of(0), of(VERSION + 1)), (Err(Damage::Version(0)), Err(Damage::Version(VERSION + 1))));
    }

    #[test]
    fn what_was_flushed_is_read_after_a_crash() {
        let mut out = Vec::new();
        let mut writer = Writer::new(&mut out);
        events()[..4].iter().for_each(|event| writer.put(event).unwrap());
        writer.flush().unwrap();
        core::mem::forget(writer);
        assert_eq!(read(&out), (events()[..4].to_vec(), Some(Damage::Short)));
    }

    #[test]
    fn a_file_that_is_cut_off_says_so() {
        let whole = file();
        // The last 8 bytes are the end of the frame, behind all events.
        for len in (0..whole.len() - 8).step_by(97).chain(whole.len() - 40..whole.len() - 8) {
            let (found, damage) = read(&whole[..len]);
            assert!(damage.is_some() && events().starts_with(&found), "{len}");
        }
    }

    #[test]
    fn a_changed_bit_is_found() {
        let whole = file();
        for bit in (0..whole.len() * 8).step_by(131) {
            let mut changed = whole.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            let (found, damage) = read(&changed);
            // What stands in front of the damage is whole; the frame's own end is not looked at.
            let same = found == events();
            assert!(events().starts_with(&found) && (damage.is_some() || same), "{bit}");
        }
    }

    #[test]
    fn events_without_sense_are_refused() {
        let mut seed = 7u64;
        let mut random = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) as usize
        };
        for event in events().iter().filter(|event| !matches!(event, Event::Content { .. })) {
            let whole = postcard::to_stdvec(event).unwrap();
            for _ in 0..2000 {
                let mut bytes = whole.clone();
                for _ in 0..1 + random() % 3 {
                    let at = random() % bytes.len();
                    bytes[at] = random() as u8;
                }
                bytes.truncate(1 + random() % bytes.len());
                let _ = decode(&bytes);
            }
        }
        // Memory in memory, as deep as the file is long.
        let mut argument = Argument::Word(1);
        for _ in 0..500 {
            let data = Data { content: 0, words: vec![(0, Value::Is(argument))] };
            argument = Argument::Memory(Memory { len: 8, before: Some(data), ..Memory::default() });
        }
        let call = Call { thread: 0, function: 0, code: 0, skipped: false, arguments: vec![argument] };
        assert!(matches!(decode(&postcard::to_stdvec(&Event::Call(call)).unwrap()), Err(Damage::Damaged(_))));
    }
}
