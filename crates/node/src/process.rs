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
        Some(Identity { pid, start: start(pid)? })
    }

    /// Whether the process runs. One that has ended holds nothing any more, also before its parent has asked how.
    pub fn is_alive(self) -> bool {
        start(self.pid) == Some(self.start)
    }
}

/// When the process with a number was started; `None` if there is none, or it has ended.
fn start(pid: u32) -> Option<u64> {
    let text = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
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
        assert!(own.is_alive());
        assert!(!Identity { start: own.start + 1, ..own }.is_alive(), "another process with this number");
        let mut child = Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        let identity = Identity { pid: child.id(), start: start(child.id()).unwrap() };
        assert!(identity.is_alive() && identity.start >= own.start);
        child.kill().unwrap();
        // It stays as a zombie until it is waited for.
        while identity.is_alive() {
            std::thread::yield_now();
        }
        child.wait().unwrap();
        assert!(!identity.is_alive());
    }
}
