//! What we write may go into a pipe. A program must not wait for a reader that never comes, nor end because one has gone.

use core::time::Duration;
use std::fs::{File, OpenOptions};
use std::io::{Error, ErrorKind, Result, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::Path;
use std::time::Instant;

/// How long a pipe may be without a reader before nothing is written to it.
const PATIENCE: Duration = Duration::from_secs(10);

/// Opens a file to write it, makes it where there is none, and leaves what is in it. `read`: files that are no pipes can be read and
/// mapped, too. Of a pipe it waits for a reader, as opening does, but not for ever.
///
/// # Errors
/// The system's, and [`ErrorKind::TimedOut`]: nobody reads the pipe.
pub fn open(path: &Path, read: bool) -> Result<File> {
    open_within(path, read, PATIENCE)
}

fn open_within(path: &Path, read: bool, patience: Duration) -> Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    if !std::fs::metadata(path).is_ok_and(|data| data.file_type().is_fifo()) {
        return options.read(read).open(path);
    }
    // One that is open for reading, too, would have a reader for ever: us.
    options.custom_flags(libc::O_NONBLOCK);
    let begin = Instant::now();
    let file = loop {
        match options.open(path) {
            Err(why) if why.raw_os_error() == Some(libc::ENXIO) => {
                if begin.elapsed() > patience {
                    return Err(Error::new(ErrorKind::TimedOut, "nobody reads this pipe"));
                }
                std::thread::sleep(Duration::from_millis(5));
            }
            opened => break opened?,
        }
    };
    // SAFETY: works on a descriptor of ours.
    let waits = unsafe {
        let flags = libc::fcntl(file.as_raw_fd(), libc::F_GETFL);
        flags >= 0 && libc::fcntl(file.as_raw_fd(), libc::F_SETFL, flags & !libc::O_NONBLOCK) == 0
    };
    if waits { Ok(file) } else { Err(Error::last_os_error()) }
}

/// Writes as `write` does. To a pipe whose reader has gone that is an error alone, and not a signal, by which programs end.
pub fn without_signal<R>(write: impl FnOnce() -> R) -> R {
    // SAFETY: sets of signals are plain data, which the calls fill in; what they change is the calling thread's, and changed back.
    unsafe {
        let mut pipe: libc::sigset_t = core::mem::zeroed();
        let (mut waiting, mut before) = (pipe, pipe);
        libc::sigemptyset(&mut pipe);
        libc::sigaddset(&mut pipe, libc::SIGPIPE);
        let blocked = libc::pthread_sigmask(libc::SIG_BLOCK, &pipe, &mut before) == 0;
        // The program's own, which it holds back.
        let known = !blocked || libc::sigpending(&mut waiting) != 0 || libc::sigismember(&waiting, libc::SIGPIPE) == 1;
        let result = write();
        if !known && libc::sigpending(&mut waiting) == 0 && libc::sigismember(&waiting, libc::SIGPIPE) == 1 {
            let now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
            let _ = libc::sigtimedwait(&pipe, core::ptr::null_mut(), &now);
        }
        if blocked {
            libc::pthread_sigmask(libc::SIG_SETMASK, &before, core::ptr::null_mut());
        }
        result
    }
}

/// A file that is written [`without_signal`].
#[derive(Debug)]
pub struct Quiet(pub File);

impl Write for Quiet {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        without_signal(|| self.0.write(bytes))
    }

    fn flush(&mut self) -> Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;
    use std::os::fd::FromRawFd;

    fn fifo(name: &str) -> std::path::PathBuf {
        let path = std::env::temp_dir().join(format!("doppel-{name}-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let text = std::ffi::CString::new(path.to_str().unwrap()).unwrap();
        // SAFETY: the name ends in NUL.
        assert_eq!(unsafe { libc::mkfifo(text.as_ptr(), 0o600) }, 0);
        path
    }

    #[test]
    fn a_reader_that_comes_late_gets_all() {
        let path = fifo("late");
        let read = std::thread::spawn({
            let path = path.clone();
            move || {
                std::thread::sleep(Duration::from_millis(100));
                let mut text = String::new();
                File::open(path).unwrap().read_to_string(&mut text).unwrap();
                text
            }
        });
        let mut file = open(&path, true).unwrap();
        // More than a pipe holds: it waits for the reader.
        let text = "line\n".repeat(100_000);
        file.write_all(text.as_bytes()).unwrap();
        drop(file);
        assert_eq!(read.join().unwrap(), text);
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_pipe_that_nobody_reads_is_an_error() {
        let path = fifo("unread");
        let why = open_within(&path, true, Duration::from_millis(20)).unwrap_err();
        assert_eq!(why.kind(), ErrorKind::TimedOut);
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_reader_that_has_gone_is_an_error() {
        let mut ends = [0; 2];
        // SAFETY: fills in `ends`, which are ours then; Rust's programs ignore the signal, C's do not.
        let (mut file, before) = unsafe {
            assert_eq!(libc::pipe(ends.as_mut_ptr()), 0);
            libc::close(ends[0]);
            (Quiet(File::from_raw_fd(ends[1])), libc::signal(libc::SIGPIPE, libc::SIG_DFL))
        };
        for _ in 0..3 {
            assert_eq!(file.write(b"line\n").unwrap_err().kind(), ErrorKind::BrokenPipe);
        }
        assert_eq!(crate::log::put_to(ends[1], b"line\n").unwrap_err().kind(), ErrorKind::BrokenPipe);
        // SAFETY: as before.
        unsafe {
            // One that the program holds back stays.
            let (mut pipe, mut old, mut waiting): (libc::sigset_t, libc::sigset_t, libc::sigset_t) =
                core::mem::zeroed();
            libc::sigemptyset(&mut pipe);
            libc::sigaddset(&mut pipe, libc::SIGPIPE);
            libc::pthread_sigmask(libc::SIG_BLOCK, &pipe, &mut old);
            libc::raise(libc::SIGPIPE);
            file.write(b"line\n").unwrap_err();
            libc::sigpending(&mut waiting);
            assert_eq!(libc::sigismember(&waiting, libc::SIGPIPE), 1);
            libc::sigtimedwait(&pipe, core::ptr::null_mut(), &libc::timespec { tv_sec: 0, tv_nsec: 0 });
            libc::pthread_sigmask(libc::SIG_SETMASK, &old, core::ptr::null_mut());
            libc::signal(libc::SIGPIPE, before);
        }
    }
}
