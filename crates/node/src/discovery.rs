//! How processes find the memory file of a node.
//!
//! Each member binds a socket whose name says which process it is and by which descriptor that process has the file. Names of
//! this kind belong to no file system: the system keeps them while the socket is open, and lists them in `/proc/net/unix`. Who
//! joins takes a name that only one process can have, so that two that find nobody do not both begin a node.

use crate::key::Key;
use std::fs::File;
use std::os::fd::AsRawFd;
use std::os::linux::fs::MetadataExt;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::time::{Duration, Instant};

/// What the link of a node's descriptor says.
const LINK: &str = "/memfd:doppel-node (deleted)";
/// The name of the file.
pub const FILE: &std::ffi::CStr = c"doppel-node";

/// The user who owns what this process makes.
pub fn user() -> u32 {
    // SAFETY: a plain query.
    unsafe { libc::geteuid() }
}

fn prefix(key: &Key) -> String {
    format!("doppel-node.{}.{:016x}.", user(), key.hash)
}

fn bind(name: &str) -> std::io::Result<UnixDatagram> {
    UnixDatagram::bind_addr(&SocketAddr::from_abstract_name(name)?)
}

/// The right to join a node, which one process has at a time.
pub struct Turn(Option<UnixDatagram>);

impl Turn {
    /// False when the system does not give it.
    pub fn is_had(&self) -> bool {
        self.0.is_some()
    }
}

/// Waits for the right to join. A process that stops while it has it keeps others waiting for a moment, not for ever.
pub fn turn(key: &Key) -> Turn {
    turn_while(key, || true)
}

/// The same, as long as `is_needed` says so.
pub fn turn_while(key: &Key, is_needed: impl Fn() -> bool) -> Turn {
    const PATIENCE: Duration = Duration::from_secs(5);
    const FIRST_PAUSE: Duration = Duration::from_micros(100);
    const LAST_PAUSE: Duration = Duration::from_millis(4);
    let (name, began) = (prefix(key) + "join", Instant::now());
    let mut pause = FIRST_PAUSE;
    while is_needed() {
        match bind(&name) {
            Ok(socket) => return Turn(Some(socket)),
            // Many that wait together ask more and more seldom, or they would keep the one that has it from going on.
            Err(e) if e.kind() == std::io::ErrorKind::AddrInUse && began.elapsed() < PATIENCE => {
                std::thread::sleep(pause);
                pause = (pause * 2).min(LAST_PAUSE);
            }
            Err(_) => break,
        }
    }
    Turn(None)
}

/// Says that this process has the file. Others find it until the socket is closed.
pub fn announce(key: &Key, file: &File) -> Option<UnixDatagram> {
    let name = format!("{}{}.{}", prefix(key), std::process::id(), file.as_raw_fd());
    bind(&name).ok()
}

/// What `pick` makes of the first member that it makes something of: processes with their descriptors.
fn member<R>(key: &Key, mut pick: impl FnMut(u32, u32) -> Option<R>) -> Option<R> {
    let list = std::fs::read("/proc/net/unix").ok()?;
    let mark = format!("@{}", prefix(key)).into_bytes();
    list.split(|&b| b == b'\n').find_map(|line| {
        let at = line.windows(mark.len()).position(|window| window == mark)?;
        let name = std::str::from_utf8(&line[at + mark.len()..]).ok()?;
        let (pid, fd) = name.split_once('.')?;
        pick(pid.parse().ok()?, fd.parse().ok()?)
    })
}

/// Whether a process says that it has the file.
pub fn is_announced(key: &Key, pid: u32) -> bool {
    member(key, |found, _| (found == pid).then_some(())).is_some()
}

/// The file of a node that has a member. `accept` says whether a file is one.
pub fn find(key: &Key, accept: impl Fn(&File) -> bool) -> Option<File> {
    member(key, |pid, fd| open(pid, fd).filter(&accept))
}

/// Opens the file that a process has, if it is a node's and this user's.
fn open(pid: u32, fd: u32) -> Option<File> {
    let path = format!("/proc/{pid}/fd/{fd}");
    // The number may mean anything by now, and a device may do something when it is opened.
    if std::fs::read_link(&path).ok()?.to_str() != Some(LINK) {
        return None;
    }
    let file =
        File::options().read(true).write(true).custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY).open(path).ok()?;
    (file.metadata().ok()?.st_uid() == user()).then_some(file)
}
