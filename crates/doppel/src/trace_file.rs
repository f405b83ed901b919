//! Traces, line by line as text has them.

use crate::Failure;
use crate::trace_json::Events;
use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read};

/// A call.
pub struct Call<'a> {
    /// The thread's number.
    pub thread: u32,
    /// Nanoseconds since the trace began.
    pub start: u64,
    /// The function.
    pub name: &'a str,
    /// All arguments.
    pub arguments: &'a str,
    /// The kernel of a launch.
    pub kernel: Option<&'a str>,
    /// The answer.
    pub result: &'a str,
    /// Nanoseconds.
    pub duration: u64,
}

/// Something that a device has done.
pub struct Work<'a> {
    /// The stream, as calls show it.
    pub stream: &'a str,
    /// Nanoseconds since the trace began.
    pub start: u64,
    /// What it is.
    pub what: &'a str,
    /// Nanoseconds.
    pub duration: u64,
    /// The thread and the start of the call that queued it.
    pub by: (u32, u64),
}

/// A line.
pub enum Line<'a> {
    /// A call.
    Call(Call<'a>),
    /// What a device has done.
    Work(Work<'a>),
    /// A function of the program's, in the stack of the call before.
    Frame(&'a str),
    /// A remark, or nothing: a process that was killed leaves empty lines.
    Remark,
    /// Half a line, or one of another file.
    Unknown,
}

impl<'a> Line<'a> {
    /// Reads a line.
    pub fn parse(line: &'a str) -> Line<'a> {
        if line.is_empty() || line.starts_with('#') {
            Line::Remark
        } else if let Some(frame) = line.strip_prefix("    at ") {
            Line::Frame(frame)
        } else if let Some(call) = Call::parse(line) {
            Line::Call(call)
        } else {
            Work::parse(line).map_or(Line::Unknown, Line::Work)
        }
    }
}

impl<'a> Call<'a> {
    /// `THREAD START NAME(ARGUMENTS) = RESULT <DURATION>`.
    fn parse(line: &'a str) -> Option<Call<'a>> {
        let mut words = line.splitn(3, ' ');
        let thread = words.next()?.parse().ok()?;
        let start = nanoseconds(words.next()?)?;
        let (name, rest) = words.next()?.split_once('(')?;
        let (rest, end) = rest.rsplit_once(") = ")?;
        let (result, duration) = end.split_once(" <")?;
        let (arguments, kernel) = match rest.rsplit_once(" -> ") {
            Some((arguments, launch)) => (arguments, launch.split('(').next()),
            None => (rest, None),
        };
        let duration = nanoseconds(duration.strip_suffix('>')?)?;
        Some(Call { thread, start, name, arguments, kernel, result, duration })
    }

    /// The value of a parameter.
    pub fn argument(&self, name: &str) -> Option<&'a str> {
        let mut rest = self.arguments;
        loop {
            let at = rest.find(name)?;
            let before = &rest[..at];
            rest = &rest[at + name.len()..];
            if (before.is_empty() || before.ends_with(", "))
                && let Some(value) = rest.strip_prefix('=')
            {
                return Some(value.split(", ").next().unwrap_or(value));
            }
        }
    }

    /// The same, a number.
    pub fn number(&self, name: &str) -> Option<u64> {
        number(self.argument(name)?)
    }
}

impl<'a> Work<'a> {
    /// `STREAM START WHAT <DURATION> by THREAD at START`.
    fn parse(line: &'a str) -> Option<Work<'a>> {
        let (stream, rest) = line.split_once(' ')?;
        let (start, rest) = rest.split_once(' ')?;
        let (what, rest) = rest.rsplit_once(" <")?;
        let (duration, by) = rest.split_once("> by ")?;
        let (thread, at) = by.split_once(" at ")?;
        let by = (thread.parse().ok()?, nanoseconds(at)?);
        Some(Work { stream, start: nanoseconds(start)?, what, duration: nanoseconds(duration)?, by })
    }

    /// The kernel's name.
    pub fn kernel(&self) -> Option<&'a str> {
        self.what.strip_prefix("kernel ")?.split(" grid=").next()
    }
}

fn number(text: &str) -> Option<u64> {
    let text = text.trim_start_matches('[').trim_end_matches(']');
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// `1.000000001` as nanoseconds.
fn nanoseconds(text: &str) -> Option<u64> {
    let (seconds, rest) = text.split_once('.')?;
    let rest: u64 = rest.parse().ok().filter(|_| rest.len() == 9)?;
    seconds.parse::<u64>().ok()?.checked_mul(1_000_000_000)?.checked_add(rest)
}

/// Nanoseconds as people say them.
pub fn time(nanoseconds: u64) -> String {
    let n = nanoseconds as f64;
    match nanoseconds {
        0..1_000 => format!("{nanoseconds} ns"),
        1_000..1_000_000 => format!("{:.2} us", n / 1e3),
        1_000_000..1_000_000_000 => format!("{:.2} ms", n / 1e6),
        _ => format!("{:.2} s", n / 1e9),
    }
}

/// What a person says of a file that cannot be read.
pub fn failed(file: &OsStr) -> impl Fn(std::io::Error) -> Failure {
    move |why| Failure::new(format!("{}: {why}", file.to_string_lossy()))
}

/// Bytes of a line: many times what the longest one of ours has.
const LONGEST: u64 = 64 << 20;

/// Gives each line of a file to `take`, and says whether there was a call.
pub fn each_line(file: &OsStr, mut take: impl FnMut(Line)) -> Result<(), Failure> {
    let mut reader = BufReader::new(std::fs::File::open(file).map_err(failed(file))?);
    let mut events = reader.fill_buf().map_err(failed(file))?.starts_with(b"[").then(Events::default);
    let mut calls = 0u64;
    let mut take = |line: &str| {
        let line = Line::parse(line);
        calls += u64::from(matches!(line, Line::Call(_)));
        take(line);
    };
    let mut line = Vec::new();
    loop {
        line.clear();
        if (&mut reader).take(LONGEST).read_until(b'\n', &mut line).map_err(failed(file))? == 0 {
            break;
        }
        if line.last() == Some(&b'\n') {
            line.pop();
        } else if line.len() as u64 == LONGEST {
            return Err(Failure::new(format!("{} is no trace: a line in it has no end", file.to_string_lossy())));
        }
        let line = String::from_utf8_lossy(&line);
        match &mut events {
            Some(events) => events.lines(&line).lines().for_each(&mut take),
            None => take(&line),
        }
    }
    match calls {
        0 => Err(Failure::new(format!("{} has no calls as DOPPEL_TRACE writes them", file.to_string_lossy()))),
        _ => Ok(()),
    }
}
