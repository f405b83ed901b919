//! The file of a record. What fails is said once; the program goes on.

use record::{Event, VERSION, Writer};
use settings::{log, pipe};
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What a process that is killed loses at most.
const UNWRITTEN: Duration = Duration::from_millis(500);

/// So many calls are in the file as soon as they are made: processes that do not last long, such as children of a fork, often end by
/// `_exit`. Behind later calls that wait or give something back, such a process loses this at most.
const AT_ONCE: u32 = 256;
const UNWRITTEN_THEN: Duration = Duration::from_millis(10);

/// The file.
pub struct File {
    writer: Option<Writer<pipe::Quiet>>,
    flushed: Instant,
    /// Calls that are in the file at once.
    at_once: u32,
    contents: u32,
}

fn open(path: &Path) -> std::io::Result<Option<std::fs::File>> {
    let file = pipe::open(path, false)?;
    // SAFETY: works on a descriptor of ours.
    if unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) } != 0 {
        return Ok(None);
    }
    // A pipe has no length.
    let _ = file.set_len(0);
    Ok(Some(file))
}

impl File {
    /// The file of this process: with the process's number in its name where another one writes the one that is asked for.
    pub fn create(path: &Path) -> Option<File> {
        let name = path.to_string_lossy();
        let pid = std::process::id().to_string();
        let own = match (name.contains("%p"), path.extension()) {
            (true, _) => PathBuf::from(name.replace("%p", &pid)),
            (false, Some(end)) => path.with_extension(format!("{pid}.{}", end.to_string_lossy())),
            (false, None) => PathBuf::from(format!("{name}.{pid}")),
        };
        let first = if name.contains("%p") { own.as_path() } else { path };
        let opened = open(first).and_then(|file| file.map_or_else(|| open(&own), |file| Ok(Some(file))));
        let file = match opened {
            Ok(file) => file?,
            Err(why) => {
                log::error!("DOPPEL_RECORD: {} cannot be written: {why}", path.display());
                return None;
            }
        };
        let program = std::fs::read_link("/proc/self/exe").unwrap_or_default();
        let program = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut file =
            File { writer: Some(Writer::new(pipe::Quiet(file))), flushed: Instant::now(), at_once: 0, contents: 0 };
        file.put(&Event::Begin { version: VERSION, program });
        Some(file)
    }

    /// Writes an event.
    pub fn put(&mut self, event: &Event) {
        let Some(writer) = &mut self.writer else { return };
        let written = writer.put(event);
        self.check(written);
        if self.flushed.elapsed() > UNWRITTEN {
            self.flush();
        }
    }

    /// A call is over, behind which the program may be, too.
    pub fn over(&mut self, may_end: bool) {
        if self.at_once < AT_ONCE {
            self.at_once += 1;
            self.flush();
        } else if may_end && self.flushed.elapsed() >= UNWRITTEN_THEN {
            self.flush();
        }
    }

    /// Everything so far is in the file afterwards.
    pub fn flush(&mut self) {
        let Some(writer) = &mut self.writer else { return };
        let written = writer.flush();
        self.flushed = Instant::now();
        self.check(written);
    }

    fn check(&mut self, written: std::io::Result<()>) {
        if let Err(why) = written {
            log::error!("DOPPEL_RECORD: the rest is not recorded: {why}");
            // What it has not written yet would fail again.
            core::mem::forget(self.writer.take());
        }
    }

    /// Writes bytes, and gives them a number.
    pub fn content(&mut self, bytes: &[u8]) -> u32 {
        let pieces = bytes.len().div_ceil(record::PIECE).max(1);
        for piece in 0..pieces {
            let from = piece * record::PIECE;
            let bytes = bytes[from..bytes.len().min(from + record::PIECE)].to_vec();
            self.put(&Event::Content { bytes, last: piece + 1 == pieces });
        }
        self.contents += 1;
        self.contents - 1
    }

    /// Ends the file.
    pub fn end(mut self, found: u64) {
        self.put(&Event::End { found });
        if let Some(writer) = self.writer.take()
            && let Err(why) = writer.end()
        {
            log::error!("DOPPEL_RECORD: the end is not recorded: {why}");
        }
    }
}
