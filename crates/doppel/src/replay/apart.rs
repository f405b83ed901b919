//! A replay in a process of its own: what a file makes a driver do must not end the one that tells of it, nor take all memory.

use crate::Failure;
use core::ffi::c_int;
use core::sync::atomic::{AtomicU64, Ordering};
use core::time::Duration;
use memmap2::{MmapOptions, MmapRaw};
use std::fs::File;
use std::os::fd::FromRawFd;
use std::time::Instant;

/// How often the process is looked at.
const EVERY: Duration = Duration::from_millis(20);

/// Calls that have been begun, where both processes see them.
pub struct Progress(MmapRaw);

impl Progress {
    pub fn new() -> Result<Progress, Failure> {
        let shared = || {
            // SAFETY: the name ends in NUL.
            let descriptor = unsafe { libc::memfd_create(c"calls".as_ptr(), libc::MFD_CLOEXEC) };
            if descriptor < 0 {
                return Err(std::io::Error::last_os_error());
            }
            // SAFETY: it has just been made, and is nobody else's.
            let file = unsafe { File::from_raw_fd(descriptor) };
            file.set_len(size_of::<AtomicU64>() as u64)?;
            MmapOptions::new().len(size_of::<AtomicU64>()).map_raw(&file)
        };
        shared().map(Progress).map_err(|why| Failure::new(format!("no memory for two processes: {why}")))
    }

    fn count(&self) -> &AtomicU64 {
        // SAFETY: a page of its own, which both processes use as this alone.
        unsafe { &*self.0.as_ptr().cast::<AtomicU64>() }
    }

    pub fn next(&self) {
        self.count().fetch_add(1, Ordering::Relaxed);
    }

    fn calls(&self) -> u64 {
        self.count().load(Ordering::Relaxed)
    }
}

/// How the other process ended.
#[derive(Debug, PartialEq)]
pub enum End {
    Status(u8),
    /// A signal, in the call with this number.
    Signal(c_int, u64),
    /// It took more memory than this, and was ended, in the call with this number.
    Memory(u64, u64),
    /// A call took longer than this, and the process was ended, in the call with this number.
    Time(Duration, u64),
}

/// Goes on in another process, in which nothing is returned; this one waits for its end. The process has at most so many bytes, or
/// three quarters of what is free, and so much time for a call; none stands for as much as it takes.
pub fn run(progress: &Progress, limit: Option<u64>, patience: Option<Duration>) -> Result<Option<End>, Failure> {
    let limit = limit.unwrap_or_else(|| free_memory() / 4 * 3);
    // SAFETY: asks for a number.
    let parent = unsafe { libc::getpid() };
    // SAFETY: no other thread runs yet, and no library is open.
    let child = unsafe { libc::fork() };
    match child {
        -1 => return Err(Failure::new(format!("no process for the replay: {}", std::io::Error::last_os_error()))),
        0 => {
            // It does not outlive those who wait for it.
            // SAFETY: changes this process alone.
            unsafe {
                libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
                if libc::getppid() != parent {
                    libc::_exit(1);
                }
            }
            // If memory gets short all the same, it is the first to go. Where the file cannot be written, nothing is lost.
            let _ = std::fs::write("/proc/self/oom_score_adj", "1000");
            return Ok(None);
        }
        _ => {}
    }
    let statistics = format!("/proc/{child}/statm");
    let mut pause = Duration::from_millis(1);
    let (mut status, mut ended) = (0, None);
    let (mut calls, mut since) = (0, Instant::now());
    loop {
        // Once it has been told to end, its end is all there is to wait for.
        let options = if ended.is_some() { 0 } else { libc::WNOHANG };
        // SAFETY: waits for the child that has been made above.
        match unsafe { libc::waitpid(child, &raw mut status, options) } {
            0 => {}
            n if n > 0 => break,
            _ => {
                let why = std::io::Error::last_os_error();
                if why.kind() != std::io::ErrorKind::Interrupted {
                    return Err(Failure::new(format!("the replay cannot be waited for: {why}")));
                }
                continue;
            }
        }
        if progress.calls() != calls {
            (calls, since) = (progress.calls(), Instant::now());
        }
        ended = if resident(&statistics) > limit {
            Some(End::Memory(limit, calls))
        } else {
            patience.filter(|patience| since.elapsed() > *patience).map(|patience| End::Time(patience, calls))
        };
        if ended.is_some() {
            // SAFETY: the child, which has not been waited for yet.
            unsafe { libc::kill(child, libc::SIGKILL) };
            continue;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(EVERY);
    }
    Ok(Some(if !libc::WIFSIGNALED(status) {
        End::Status(u8::try_from(libc::WEXITSTATUS(status)).unwrap_or(1))
    } else {
        ended.unwrap_or(End::Signal(libc::WTERMSIG(status), progress.calls()))
    }))
}

/// Bytes that a process has in memory; 0 if nobody says.
fn resident(statistics: &str) -> u64 {
    // SAFETY: asks for a number.
    let page = u64::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096);
    let text = std::fs::read_to_string(statistics).unwrap_or_default();
    text.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0) * page
}

/// Bytes of memory that are free.
fn free_memory() -> u64 {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes.map_or(u64::MAX, |kilobytes| kilobytes.saturating_mul(1024))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_known() {
        assert!(resident("/proc/self/statm") > 1 << 16 && resident("/nowhere") == 0);
        assert!((1 << 20..u64::MAX).contains(&free_memory()));
    }
}
