//! Tells `perf` where compiled kernels are, in the files that it looks for. Without them nobody misses anything.

use guard::mapping::{HostMapping, Rights, protect};
use settings::config::JitMap;
use std::fs::File;
use std::io::Write;
use std::os::fd::AsRawFd;
use std::os::unix::fs::OpenOptionsExt;
use std::sync::{LazyLock, Mutex, PoisonError};

/// Writes down where a kernel's code is.
pub fn write(map: JitMap, name: &str, code: &[u8]) {
    match map {
        JitMap::Off => {}
        JitMap::Perf => {
            let path = format!("/tmp/perf-{}.map", std::process::id());
            if let Ok(mut file) = File::options().create(true).append(true).open(path) {
                // In one piece, as several threads may compile.
                let _ = file.write_all(format!("{:x} {:x} {name}\n", code.as_ptr() as usize, code.len()).as_bytes());
            }
        }
        JitMap::Jitdump => {
            static DUMP: LazyLock<Mutex<Option<Dump>>> = LazyLock::new(|| Mutex::new(Dump::create().ok()));
            let mut dump = DUMP.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(dump) = dump.as_mut().filter(|dump| dump.process == std::process::id()) {
                dump.add(name, code);
            }
        }
    }
}

/// A file of `perf`'s with names and code: "JITDUMP specification" in Linux's `tools/perf/Documentation`, version 1.
struct Dump {
    file: File,
    process: u32,
    /// Kernels in it.
    count: u64,
    _marker: Option<HostMapping>,
}

/// Nanoseconds of the clock that `perf record -k mono` uses.
fn now() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` has room for it.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

impl Dump {
    /// Bytes of the file's head.
    const HEAD: u32 = 40;

    /// The file of this process.
    fn create() -> std::io::Result<Dump> {
        let process = std::process::id();
        let path = format!("/tmp/jit-{process}.dump");
        // One of a process of this number that is gone.
        let _ = std::fs::remove_file(&path);
        let mut options = File::options();
        let mut file = options.read(true).append(true).create_new(true).mode(0o600).open(path)?;
        let mut head = Vec::new();
        // "JiTD"; version; bytes of this; x86-64; padding; process; time; flags.
        for word in [0x4a69_5444, 1, Dump::HEAD, 62, 0, process] {
            head.extend(u32::to_ne_bytes(word));
        }
        head.extend(now().to_ne_bytes());
        head.extend([0; 8]);
        file.write_all(&head)?;
        // A mapping that can be executed is what `perf` records, and finds the file by. Nothing reads it.
        let marker = HostMapping::file(file.as_raw_fd(), 0, 4096);
        if let Some(marker) = &marker {
            // SAFETY: memory of our own that nobody uses.
            unsafe { protect(marker.base(), marker.size(), Rights::ReadExecute) };
        }
        Ok(Dump { file, process, count: 0, _marker: marker })
    }

    /// Adds a kernel.
    fn add(&mut self, name: &str, code: &[u8]) {
        let (at, size) = (code.as_ptr() as u64, code.len() as u64);
        // SAFETY: asks for a number.
        let thread = unsafe { libc::gettid() } as u32;
        let name: Vec<u8> = name.bytes().take_while(|&byte| byte != 0).collect();
        let mut record = Vec::with_capacity(57 + name.len() + code.len());
        // Code that was loaded; bytes of all of this; time; process; thread.
        record.extend(0u32.to_ne_bytes());
        record.extend((57 + name.len() as u32 + code.len() as u32).to_ne_bytes());
        record.extend(now().to_ne_bytes());
        record.extend(self.process.to_ne_bytes());
        record.extend(thread.to_ne_bytes());
        for long in [at, at, size, self.count] {
            record.extend(long.to_ne_bytes());
        }
        record.extend(&name);
        record.push(0);
        record.extend(code);
        self.count += 1;
        let _ = self.file.write_all(&record);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dumps_hold_names_and_code() {
        let (code, other) = ([0x90u8, 0xc3], [0xc3u8; 9]);
        write(JitMap::Jitdump, "sums\0more", &code);
        write(JitMap::Jitdump, "k", &other);
        let path = format!("/tmp/jit-{}.dump", std::process::id());
        let file = std::fs::read(&path).unwrap();
        std::fs::remove_file(path).unwrap();
        let word = |at: usize| u32::from_ne_bytes(file[at..at + 4].try_into().unwrap());
        let long = |at: usize| u64::from_ne_bytes(file[at..at + 8].try_into().unwrap());
        assert_eq!([word(0), word(4), word(8), word(12), word(20)], [0x4a69_5444, 1, 40, 62, std::process::id()]);
        let mut at = 40;
        for (index, (name, code)) in [("sums", &code[..]), ("k", &other[..])].into_iter().enumerate() {
            let size = 57 + name.len() + code.len();
            assert_eq!([word(at), word(at + 4), word(at + 16)], [0, size as u32, std::process::id()]);
            let place = code.as_ptr() as u64;
            assert_eq!([24, 32, 40, 48].map(|more| long(at + more)), [place, place, code.len() as u64, index as u64]);
            assert_eq!(&file[at + 56..at + 56 + name.len()], name.as_bytes());
            assert_eq!(file[at + 56 + name.len()], 0);
            at += size;
            assert_eq!(&file[at - code.len()..at], code);
        }
        assert_eq!(at, file.len());
    }
}
