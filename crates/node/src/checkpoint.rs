//! Checkpoint requests from one process of a user to another.
//!
//! A process that serves them binds a socket whose name says which process it is, as members of a node do ([`crate::discovery`]),
//! and has a thread there. Both sides ask the system who the other one is: only processes of the same user, and of root, are answered, and
//! nobody answers for another process.

use crate::discovery::user;
use crate::process::Identity;
use std::io::{ErrorKind, Read, Write};
use std::os::fd::AsRawFd;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::time::Duration;

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// Which operation.
    pub operation: u32,
    /// Its argument.
    pub argument: u32,
}

/// The answer: a result code, and a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    pub code: u32,
    pub value: u32,
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// There is no process of that number.
    Process,
    /// It does not serve requests, or ended before it answered.
    Server,
}

fn address(pid: u32) -> Option<SocketAddr> {
    SocketAddr::from_abstract_name(format!("doppel-checkpoint.{}.{pid}", user())).ok()
}

/// The process and the user at the other end.
fn peer(stream: &UnixStream) -> Option<(u32, u32)> {
    let mut who = libc::ucred { pid: 0, uid: 0, gid: 0 };
    let mut size = size_of::<libc::ucred>() as libc::socklen_t;
    let to = (&raw mut who).cast();
    // SAFETY: writes at most `size` bytes to a variable of that size.
    let failed =
        unsafe { libc::getsockopt(stream.as_raw_fd(), libc::SOL_SOCKET, libc::SO_PEERCRED, to, &raw mut size) };
    (failed == 0).then_some((who.pid as u32, who.uid))
}

fn pair([a, b]: [u32; 2]) -> [u8; 8] {
    (u64::from(b) << 32 | u64::from(a)).to_le_bytes()
}

fn unpair(bytes: [u8; 8]) -> [u32; 2] {
    let word = u64::from_le_bytes(bytes);
    [word as u32, (word >> 32) as u32]
}

/// Where requests for this process come in.
pub struct Server(UnixListener);

impl Server {
    /// The place of this process. `None` if the system has none, or something else is there.
    pub fn new() -> Option<Server> {
        UnixListener::bind_addr(&address(std::process::id())?).ok().map(Server)
    }

    /// Answers requests, one after the other, for as long as the process lives.
    pub fn serve(&self, answer: impl Fn(Request) -> Answer) {
        /// Who connects and says nothing does not keep others waiting for longer.
        const PATIENCE: Duration = Duration::from_secs(1);
        while let Ok((mut stream, _)) = self.0.accept() {
            if !peer(&stream).is_some_and(|(_, uid)| uid == user() || uid == 0) {
                continue;
            }
            let _ = stream.set_read_timeout(Some(PATIENCE));
            let mut bytes = [0; 8];
            if stream.read_exact(&mut bytes).is_ok() {
                let [operation, argument] = unpair(bytes);
                let Answer { code, value } = answer(Request { operation, argument });
                let _ = stream.write_all(&pair([code, value]));
            }
        }
    }
}

/// Asks a process, and waits for its answer.
pub fn ask(pid: u32, request: Request) -> Result<Answer, Missing> {
    /// How often to look whether the process is still there.
    const LOOK: Duration = Duration::from_millis(200);
    let identity = match Identity::of(pid) {
        Ok(identity) => identity.ok_or(Missing::Server)?,
        Err(_) => return Err(Missing::Process),
    };
    let stream = address(pid).and_then(|address| UnixStream::connect_addr(&address).ok());
    let mut stream = stream.filter(|stream| peer(stream).is_some_and(|who| who.0 == pid)).ok_or(Missing::Server)?;
    let _ = stream.set_read_timeout(Some(LOOK));
    stream.write_all(&pair([request.operation, request.argument])).map_err(|_| Missing::Server)?;
    let mut bytes = [0; 8];
    let mut there = 0;
    while there < bytes.len() {
        match stream.read(&mut bytes[there..]) {
            Ok(0) => return Err(Missing::Server),
            Ok(count) => there += count,
            // A child that the process forked may have its socket, and does not answer.
            Err(error) if error.kind() == ErrorKind::WouldBlock && identity.is_alive() => {}
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => return Err(Missing::Server),
        }
    }
    let [code, value] = unpair(bytes);
    Ok(Answer { code, value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_does_not_serve_is_told_apart_from_who_is_not_there() {
        let request = Request { operation: 1, argument: 2 };
        assert_eq!(ask(u32::MAX, request), Err(Missing::Process));
        assert_eq!(ask(std::process::id(), request), Err(Missing::Server));
        let server = Server::new().unwrap();
        assert!(Server::new().is_none(), "one for each process");
        std::thread::spawn(move || {
            server.serve(|Request { operation, argument }| Answer { code: argument, value: operation });
        });
        assert_eq!(ask(std::process::id(), request), Ok(Answer { code: 2, value: 1 }));
    }
}
