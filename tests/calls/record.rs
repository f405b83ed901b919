//! What the threads of a child are doing, in a file that outlives it: its last calls, and how far it came.

#![expect(clippy::disallowed_methods, reason = "memory of the test itself")]

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Threads that call, with the one that clears up.
pub const THREADS: usize = 9;
/// Words of a note: its number, the row of the function, the answer, then arguments.
const WORDS: usize = 19;
/// The answer of a call that has not returned.
const RUNNING: u64 = u64::MAX;

/// The words, shared with the parent.
#[derive(Clone, Copy)]
pub struct Record {
    words: &'static [AtomicU64],
    /// Calls of a thread that are kept.
    calls: usize,
}

impl Record {
    /// Maps the file, which keeps so many calls of a thread; with `make` it is made anew.
    pub fn open(path: &Path, make: bool, calls: usize) -> io::Result<Record> {
        let len = 1 + THREADS * (1 + calls * WORDS);
        let file = File::options().read(true).write(true).create(make).truncate(make).open(path)?;
        file.set_len((len * 8) as u64)?;
        let rights = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a fresh mapping of a file of this length, which lasts as long as the process.
        unsafe {
            let at = libc::mmap(std::ptr::null_mut(), len * 8, rights, libc::MAP_SHARED, file.as_raw_fd(), 0);
            if at == libc::MAP_FAILED {
                return Err(io::Error::last_os_error());
            }
            Ok(Record { words: std::slice::from_raw_parts(at.cast(), len), calls })
        }
    }

    /// Calls that were begun so far.
    pub fn total(&self) -> u64 {
        self.words[0].load(Relaxed)
    }

    /// Notes a call that is about to be made; the place is for [`end`](Self::end).
    pub fn begin(&self, thread: usize, function: usize, args: &[u64]) -> usize {
        let number = self.words[0].fetch_add(1, Relaxed) + 1;
        let base = 1 + thread * (1 + self.calls * WORDS);
        let turn = self.words[base].fetch_add(1, Relaxed) as usize;
        let at = base + 1 + turn % self.calls * WORDS;
        self.words[at].store(number, Relaxed);
        self.words[at + 1].store(function as u64, Relaxed);
        self.words[at + 2].store(RUNNING, Relaxed);
        for i in 0..WORDS - 3 {
            self.words[at + 3 + i].store(args.get(i).copied().unwrap_or(0), Relaxed);
        }
        at
    }

    /// Notes the answer.
    pub fn end(&self, at: usize, answer: u32) {
        self.words[at + 2].store(u64::from(answer), Relaxed);
    }

    /// The last calls of all threads, oldest first, as text.
    pub fn last(&self, most: usize, name: impl Fn(usize) -> (String, usize)) -> String {
        let mut notes = Vec::new();
        for thread in 0..THREADS {
            let base = 1 + thread * (1 + self.calls * WORDS);
            for call in 0..self.calls {
                let note = &self.words[base + 1 + call * WORDS..][..WORDS];
                let words: Vec<u64> = note.iter().map(|word| word.load(Relaxed)).collect();
                if words[0] != 0 {
                    notes.push((words, thread));
                }
            }
        }
        notes.sort();
        // Calls that have not returned are what one looks for, however old they are.
        let old = notes.len().saturating_sub(most);
        let shown = notes.iter().enumerate().filter(|(i, (words, _))| *i >= old || words[2] == RUNNING);
        let lines = shown.map(|(_, (words, thread))| {
            let (name, params) = name(words[1] as usize);
            let args: Vec<_> = words[3..].iter().take(params).map(|word| format!("{word:#x}")).collect();
            let answer = if words[2] == RUNNING { "has not returned".to_string() } else { words[2].to_string() };
            format!("{:>8} thread {thread}: {name}({}) = {answer}\n", words[0], args.join(", "))
        });
        lines.collect()
    }
}
