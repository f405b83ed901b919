//! Whether a process still is the one that it was.

/// A process by its number and when it was started, in ticks of the system's clock: numbers come again, pairs do not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    pub pid: u32,
    pub start: u64,
}

impl Identity {
    /// This process. `None` where the system has no `/proc`.
    pub fn own() -> Option<Identity> {
        let pid = std::process::id();
        Some(Identity { pid, start: start(&read(pid).ok()?)? })
    }

    /// The process with a number: `None` if it has ended and its parent has not asked how. An error: there is none.
    pub fn of(pid: u32) -> std::io::Result<Option<Identity>> {
        Ok(start(&read(pid)?).map(|start| Identity { pid, start }))
    }

    /// Whether the process runs. One that has ended holds nothing any more, also before its parent has asked how.
    pub fn is_alive(self) -> bool {
        match read(self.pid) {
            Ok(text) => start(&text) == Some(self.start),
            // Who cannot look, having no descriptor left, knows nothing.
            Err(error) => !is_absent(&error),
        }
    }

    /// False if no process has its number, which is asked quickly. One that has ended and waits for its parent still has it, and
    /// another process may have it by now.
    pub fn may_be_alive(self) -> bool {
        // SAFETY: a plain query: signal 0 is none.
        let result = unsafe { libc::kill(self.pid as i32, 0) };
        result == 0 || !is_absent(&std::io::Error::last_os_error())
    }
}

/// What the system says of the process with a number.
fn read(pid: u32) -> std::io::Result<Vec<u8>> {
    std::fs::read(format!("/proc/{pid}/stat"))
}

/// Whether an error says that there is no process of that number.
fn is_absent(error: &std::io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::ENOENT | libc::ESRCH))
}

/// When a process was started; `None` if it has ended.
fn start(text: &[u8]) -> Option<u64> {
    // The name of the program, in parentheses, may hold anything.
    let behind = text.iter().rposition(|&b| b == b')')? + 1;
    let mut words = text[behind..].split(|&b| b == b' ').filter(|word| !word.is_empty());
    if matches!(words.next()?, b"Z" | b"X" | b"x") {
        return None;
    }
    /// Fields between the state and the start.
    const BETWEEN: usize = 18;
    std::str::from_utf8(words.nth(BETWEEN)?).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    #[test]
    fn what_has_ended_is_not_alive() {
        let own = Identity::own().unwrap();
        assert!(own.is_alive() && own.may_be_alive());
        assert!(!Identity { start: own.start + 1, ..own }.is_alive(), "another process with this number");
        let mut child = Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        let identity = Identity { pid: child.id(), start: start(&read(child.id()).unwrap()).unwrap() };
        assert!(identity.is_alive() && identity.start >= own.start);
        child.kill().unwrap();
        // It stays as a zombie until it is waited for.
        while identity.is_alive() {
            std::thread::yield_now();
        }
        assert!(identity.may_be_alive(), "the number is still taken");
        child.wait().unwrap();
        assert!(!identity.is_alive() && !identity.may_be_alive());
    }
}
