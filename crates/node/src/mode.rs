//! Compute modes: how many contexts a device of a node may have.
//!
//! A mode that was set stays until another is set or the machine starts anew, as a device keeps it, also while no process uses the
//! device. So it is in a file in memory, one for each node of a user, which is there only while a mode is not the default. Members of
//! the node have a copy of it in the memory that they share ([`registry`](crate::registry)), and ask that.

use crate::discovery::Turn;
use crate::key::{DEVICES, Key};
use std::fs::File;
use std::io::{Read, Write};
use std::os::linux::fs::MetadataExt;
use std::os::unix::fs::OpenOptionsExt;

/// Where such files are: memory, gone when the machine stops.
const FOLDER: &str = "/dev/shm";

/// Who may have contexts on a device. The numbers are those of the interface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum ComputeMode {
    /// Everybody, as many as fit.
    #[default]
    Default = 0,
    /// Nobody.
    Prohibited = 2,
    /// One process, one.
    ExclusiveProcess = 3,
}

impl ComputeMode {
    /// The mode of a number.
    pub fn of(number: u32) -> Option<ComputeMode> {
        [ComputeMode::Default, ComputeMode::Prohibited, ComputeMode::ExclusiveProcess]
            .into_iter()
            .find(|&mode| mode as u32 == number)
    }

    /// The mode of a device of a node, for who is no member of it.
    pub fn get(key: &Key, device: usize) -> ComputeMode {
        let number = read(key).get(device).copied().unwrap_or(0);
        ComputeMode::of(number.into()).unwrap_or_default()
    }

    /// Keeps a mode; the modes of all devices now. `None`: the system has no place for it. Only who has the turn may: two that set
    /// modes of different devices at once do not undo each other.
    pub(crate) fn keep(self, key: &Key, device: usize, turn: &Turn) -> Option<[u8; DEVICES]> {
        let mut modes = read(key);
        *modes.get_mut(device).filter(|_| turn.is_had())? = self as u8;
        write(key, &modes).ok()?;
        Some(modes)
    }
}

fn path(key: &Key) -> String {
    format!("{FOLDER}/doppel-modes.{}.{:016x}", crate::discovery::user(), key.hash)
}

/// The file, if it is this user's.
fn open(path: &str, options: &mut std::fs::OpenOptions) -> std::io::Result<File> {
    let file = options.mode(0o600).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(path)?;
    let about = file.metadata()?;
    if about.is_file() && about.st_uid() == crate::discovery::user() {
        Ok(file)
    } else {
        Err(std::io::ErrorKind::PermissionDenied.into())
    }
}

/// The modes of all devices.
pub(crate) fn read(key: &Key) -> [u8; DEVICES] {
    let mut modes = [0; DEVICES];
    let file = open(&path(key), File::options().read(true));
    if file.and_then(|mut file| file.read_exact(&mut modes)).is_ok() { modes } else { [0; DEVICES] }
}

fn write(key: &Key, modes: &[u8; DEVICES]) -> std::io::Result<()> {
    let path = path(key);
    if *modes == [0; DEVICES] {
        return match std::fs::remove_file(path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        };
    }
    // One write of a few bytes: who reads sees all of it or what was there before.
    open(&path, File::options().write(true).create(true))?.write_all(modes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_stay_until_they_are_the_default() {
        let key = Key::new(format!("modes {}", std::process::id()).as_bytes(), b"tests");
        assert_eq!(ComputeMode::get(&key, 1), ComputeMode::Default);
        assert!(ComputeMode::Default.set(&key, 1) && !std::path::Path::new(&path(&key)).exists(), "nothing to keep");
        assert!(ComputeMode::Prohibited.set(&key, 1) && ComputeMode::ExclusiveProcess.set(&key, 2));
        let modes = [0, 1, 2].map(|device| ComputeMode::get(&key, device));
        assert_eq!(modes, [ComputeMode::Default, ComputeMode::Prohibited, ComputeMode::ExclusiveProcess]);
        let other = Key::new(b"another", b"tests");
        assert_eq!(ComputeMode::get(&other, 1), ComputeMode::Default);
        assert!(!ComputeMode::Prohibited.set(&key, DEVICES));
        assert!(ComputeMode::Default.set(&key, 1) && ComputeMode::Default.set(&key, 2));
        assert!(!std::path::Path::new(&path(&key)).exists(), "nothing is left");
    }

    #[test]
    fn what_is_not_ours_is_not_read() {
        let key = Key::new(format!("link {}", std::process::id()).as_bytes(), b"tests");
        std::os::unix::fs::symlink("/dev/zero", path(&key)).unwrap();
        let kept = ComputeMode::Prohibited.set(&key, 0);
        let mode = ComputeMode::get(&key, 0);
        std::fs::remove_file(path(&key)).unwrap();
        assert!(!kept && mode == ComputeMode::Default);
    }

    #[test]
    fn numbers() {
        assert_eq!([0, 1, 2, 3, 4].map(|number| ComputeMode::of(number).is_some()), [true, false, true, true, false]);
    }
}
