//! The memory file of a node: a slot for each process.

use crate::busy::{self, Load, Track};
use crate::discovery::{self, FILE};
use crate::key::{DEVICES, Key};
use crate::mode::{self, ComputeMode};
use crate::process::Identity;
use guard::mapping::HostMapping;
use std::fs::File;
use std::os::fd::{AsRawFd, FromRawFd};
use std::os::unix::net::UnixDatagram;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering};

/// Processes that a node can have.
const SLOTS: usize = 4096;
/// What a file of this layout begins with.
const MAGIC: u64 = u64::from_le_bytes(*b"doppel05");

/// Nanoseconds from one close look at all processes to the next: `/proc` takes some microseconds for each.
const PAUSE: u64 = 20_000_000;

/// What a process has of a device.
#[repr(C, align(32))]
struct Held {
    /// Bytes of memory.
    bytes: AtomicU64,
    contexts: AtomicU32,
    /// Bytes of these that others may have, while the process is checkpointed.
    aside: AtomicU64,
}

impl Held {
    /// Bytes that others may not have.
    fn held(&self) -> u64 {
        self.bytes.load(Ordering::Acquire).saturating_sub(self.aside.load(Ordering::Acquire))
    }
}

/// What is known of a process.
#[repr(C, align(64))]
struct Slot {
    /// 0: nobody's.
    pid: AtomicU32,
    start: AtomicU64,
    devices: [Held; DEVICES],
}

#[repr(C, align(64))]
struct Head {
    magic: AtomicU64,
    /// Slots from here on were never used.
    end: AtomicU32,
    /// When a member last looked closely at which processes are there.
    looked: AtomicU64,
    /// What is kept of the devices' compute modes, as numbers: who joins puts it here, and who changes one.
    modes: [AtomicU8; DEVICES],
}

#[repr(C)]
struct Layout {
    head: Head,
    slots: [Slot; SLOTS],
    /// How busy each process keeps each device. Apart from the slots, which an allocation looks through.
    tracks: [[Tracks; DEVICES]; SLOTS],
}

/// One for each kind of work.
type Tracks = [Track; Load::COUNT];

const BYTES: usize = size_of::<Layout>();

impl Slot {
    fn identity(&self) -> Option<Identity> {
        let pid = self.pid.load(Ordering::Acquire);
        (pid != 0).then(|| Identity { pid, start: self.start.load(Ordering::Relaxed) })
    }

    /// Makes the slot nobody's.
    fn free(&self) {
        for held in &self.devices {
            held.bytes.store(0, Ordering::Relaxed);
            held.contexts.store(0, Ordering::Relaxed);
            held.aside.store(0, Ordering::Relaxed);
        }
        self.pid.store(0, Ordering::Release);
    }
}

/// The mapped file.
struct Registry {
    mapping: HostMapping,
    file: File,
}

impl Registry {
    /// A new node.
    fn create() -> Option<Registry> {
        // SAFETY: makes a new file; the descriptor is ours alone.
        let fd = unsafe { libc::memfd_create(FILE.as_ptr(), libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING) };
        if fd < 0 {
            return None;
        }
        // SAFETY: as above.
        let file = unsafe { File::from_raw_fd(fd) };
        file.set_len(BYTES as u64).ok()?;
        // SAFETY: a plain operation on our own descriptor. A file that shrinks would make those fail who look into it.
        if unsafe { libc::fcntl(fd, libc::F_ADD_SEALS, libc::F_SEAL_SHRINK | libc::F_SEAL_GROW | libc::F_SEAL_SEAL) }
            != 0
        {
            return None;
        }
        let registry = Registry::map(file)?;
        registry.layout().head.magic.store(MAGIC, Ordering::Release);
        Some(registry)
    }

    /// The node of a file.
    fn map(file: File) -> Option<Registry> {
        Some(Registry { mapping: HostMapping::file(file.as_raw_fd(), 0, BYTES)?, file })
    }

    #[inline]
    fn layout(&self) -> &Layout {
        // SAFETY: the mapping is that large and lives as long as `self`; every bit pattern is a `Layout`, of atomics alone; and
        // nobody can shrink the file.
        unsafe { &*(self.mapping.base() as *const Layout) }
    }

    /// Whether a file of this user is a node's, of this layout.
    fn is_node(file: &File) -> bool {
        use std::os::unix::fs::FileExt;
        let mut magic = [0; 8];
        // SAFETY: a plain query.
        let seals = unsafe { libc::fcntl(file.as_raw_fd(), libc::F_GET_SEALS) };
        seals >= 0
            && seals & libc::F_SEAL_SHRINK != 0
            && file.metadata().is_ok_and(|m| m.len() == BYTES as u64)
            && file.read_exact_at(&mut magic, 0).is_ok()
            && u64::from_ne_bytes(magic) == MAGIC
    }

    /// The node that has members.
    fn find(key: &Key) -> Option<Registry> {
        Registry::map(discovery::find(key, Registry::is_node)?)
    }

    /// Shows the compute modes of all devices to the members. Only who has the turn may.
    fn show_modes(&self, modes: [u8; DEVICES]) {
        self.layout().head.modes.iter().zip(modes).for_each(|(shown, mode)| shown.store(mode, Ordering::Release));
    }

    /// Slots that were ever used.
    #[inline]
    fn slots(&self) -> &[Slot] {
        let end = self.layout().head.end.load(Ordering::Acquire) as usize;
        &self.layout().slots[..end.min(SLOTS)]
    }

    /// Slots, and who had them, of processes that are gone: as `/proc` says it if `is_close`, else of those that `matters` says by
    /// their numbers alone.
    fn gone(&self, is_close: bool, matters: impl Fn(usize, &Slot) -> bool) -> Vec<(usize, Identity)> {
        let is_gone = |(index, slot): (usize, &Slot)| {
            let identity = slot.identity()?;
            let is_gone =
                if is_close { !identity.is_alive() } else { matters(index, slot) && !identity.may_be_alive() };
            is_gone.then_some((index, identity))
        };
        self.slots().iter().enumerate().filter_map(is_gone).collect()
    }

    /// Whether a slot still is the one of a process.
    fn is_of(&self, &(index, identity): &(usize, Identity)) -> bool {
        self.layout().slots[index].identity() == Some(identity)
    }

    /// Frees slots of processes that are gone. Only who has the turn may: a slot that is free gets a new owner at once.
    fn free(&self, turn: &discovery::Turn, gone: &[(usize, Identity)]) {
        let still = gone.iter().filter(|found| turn.is_had() && self.is_of(found));
        still.for_each(|&(index, _)| self.layout().slots[index].free());
    }

    /// Whether it is time to look closely at the processes again: once for all members.
    fn is_look_due(&self) -> bool {
        let (looked, now) = (&self.layout().head.looked, busy::now());
        let last = looked.load(Ordering::Relaxed);
        now.saturating_sub(last) >= PAUSE
            && looked.compare_exchange(last, now, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// Of the last second the share, in percent, in which kernels ran on a device, and in which kernels or copies did.
    fn busy(&self, device: usize) -> (u32, u32) {
        let alive = |(_, slot): &(usize, &Slot)| slot.identity().is_some_and(Identity::is_alive);
        let tracks = self.slots().iter().enumerate().filter(alive).map(|(i, _)| &self.layout().tracks[i][device]);
        let tracks: Vec<&Tracks> = tracks.collect();
        let kernels: Vec<&Track> = tracks.iter().map(|tracks| &tracks[Load::Kernels as usize]).collect();
        let all: Vec<&Track> = tracks.iter().flat_map(|tracks| tracks.iter()).collect();
        let now = busy::now();
        (busy::percent(&kernels, now), busy::percent(&all, now))
    }

    fn processes(&self, device: usize) -> Vec<Process> {
        let mut all = Vec::new();
        for slot in self.slots() {
            let held = &slot.devices[device];
            let (memory, contexts) = (held.held(), held.contexts.load(Ordering::Acquire));
            if let Some(identity) = slot.identity().filter(|i| (memory > 0 || contexts > 0) && i.is_alive()) {
                all.push(Process { pid: identity.pid, memory, contexts });
            }
        }
        all
    }
}

/// A process that uses a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Process {
    /// Its number.
    pub pid: u32,
    /// Bytes of the device's memory that it holds.
    pub memory: u64,
    /// Contexts that it has there.
    pub contexts: u32,
}

/// This process's place in a node.
pub struct Member {
    key: Key,
    registry: Registry,
    slot: usize,
    _socket: UnixDatagram,
}

impl Member {
    /// Joins a node, or begins it. `None`: this system has no way to that, or the node is full.
    pub fn join(key: Key) -> Option<Member> {
        let own = Identity::own()?;
        let turn = discovery::turn(&key);
        if !turn.is_had() {
            return None;
        }
        let registry = Registry::find(&key).or_else(Registry::create)?;
        registry.free(&turn, &registry.gone(registry.is_look_due(), |_, _| true));
        registry.show_modes(mode::read(&key));
        let is_own = |slot: &&Slot| slot.identity() == Some(own);
        // The names are read again only where there is something to free.
        if registry.slots().iter().any(|slot| is_own(&slot)) && !discovery::is_announced(&key, own.pid) {
            // What this process had before it became another program.
            registry.slots().iter().filter(is_own).for_each(Slot::free);
        }
        let layout = registry.layout();
        let index = layout.slots.iter().position(|slot| slot.identity().is_none())?;
        let slot = &layout.slots[index];
        slot.free();
        layout.tracks[index].iter().flatten().for_each(Track::clear);
        slot.start.store(own.start, Ordering::Relaxed);
        slot.pid.store(own.pid, Ordering::Release);
        layout.head.end.fetch_max(index as u32 + 1, Ordering::AcqRel);
        let Some(socket) = discovery::announce(&key, &registry.file) else {
            slot.free();
            return None;
        };
        Some(Member { key, registry, slot: index, _socket: socket })
    }

    /// What this process has of a device of the machine. `None` for a device beyond [`DEVICES`].
    pub fn share(&'static self, device: usize) -> Option<Share> {
        let layout = self.registry.layout();
        let held = layout.slots[self.slot].devices.get(device)?;
        Some(Share { member: self, held, tracks: &layout.tracks[self.slot][device], device })
    }
}

/// What this process has of a device, beside what others have.
#[derive(Clone, Copy)]
pub struct Share {
    member: &'static Member,
    held: &'static Held,
    tracks: &'static Tracks,
    device: usize,
}

impl Share {
    /// The bytes that this process holds: it counts them here.
    #[inline]
    pub fn bytes(&self) -> &'static AtomicU64 {
        &self.held.bytes
    }

    /// Bytes that other processes hold, or held when they ended.
    #[inline]
    pub fn others(&self) -> u64 {
        let all = self.member.registry.slots().iter().map(|slot| slot.devices[self.device].held());
        all.fold(0, u64::saturating_add).saturating_sub(self.held.held())
    }

    /// Lets others have so many of the bytes that this process holds.
    pub fn set_aside(&self, bytes: u64) {
        self.held.aside.store(bytes, Ordering::Release);
    }

    /// Takes off what processes held that are gone. True if there were such. One that has ended and that its parent has not asked
    /// about yet, and one whose number another process has by now, may count for [`PAUSE`] longer.
    #[cold]
    pub fn sweep(&self) -> bool {
        let registry = &self.member.registry;
        let holds = |slot: &Slot| slot.devices[self.device].bytes.load(Ordering::Acquire) != 0;
        let gone = registry.gone(registry.is_look_due(), |index, slot| index != self.member.slot && holds(slot));
        if gone.is_empty() {
            return false;
        }
        // Another member may have found them, too, and free them first.
        let turn = discovery::turn_while(&self.member.key, || gone.iter().any(|found| registry.is_of(found)));
        registry.free(&turn, &gone);
        true
    }

    /// The time that this process spends with a kind of work.
    #[inline]
    pub fn track(&self, load: Load) -> &'static Track {
        &self.tracks[load as usize]
    }

    /// The device's compute mode.
    pub fn compute_mode(&self) -> ComputeMode {
        let number = self.member.registry.layout().head.modes[self.device].load(Ordering::Acquire);
        ComputeMode::of(number.into()).unwrap_or_default()
    }

    /// Counts a context of this process, as far as the device's compute mode lets it be made. Otherwise the mode.
    pub fn claim_context(&self) -> Result<(), ComputeMode> {
        let mode = self.compute_mode();
        let made = match mode {
            ComputeMode::Default => {
                self.held.contexts.fetch_add(1, Ordering::AcqRel);
                true
            }
            ComputeMode::Prohibited => false,
            ComputeMode::ExclusiveProcess => self.claim_alone(),
        };
        made.then_some(()).ok_or(mode)
    }

    /// Counts a context if it is the only one that any process has there.
    fn claim_alone(&self) -> bool {
        // Of two processes that come at once one looks first.
        let turn = discovery::turn(&self.member.key);
        let registry = &self.member.registry;
        registry.free(&turn, &registry.gone(true, |_, _| true));
        let contexts = |slot: &Slot| slot.devices[self.device].contexts.load(Ordering::Acquire);
        let free = registry.slots().iter().all(|slot| contexts(slot) == 0);
        if free {
            self.held.contexts.fetch_add(1, Ordering::AcqRel);
        }
        free
    }

    /// Counts a context of this process no more.
    pub fn context_gone(&self) {
        let _ = self.held.contexts.fetch_update(Ordering::AcqRel, Ordering::Relaxed, |n| n.checked_sub(1));
    }
}

impl ComputeMode {
    /// Sets the mode of a device of a node, for contexts that are made from now on. False: the system has no place to keep it.
    pub fn set(self, key: &Key, device: usize) -> bool {
        let turn = discovery::turn(key);
        let Some(modes) = self.keep(key, device, &turn) else { return false };
        if let Some(registry) = Registry::find(key) {
            registry.show_modes(modes);
        }
        true
    }
}

/// Looks at a node without being of it.
pub struct Watcher {
    registry: Option<Registry>,
}

impl Watcher {
    /// The node as it is now. Without members there is nothing to see.
    pub fn new(key: &Key) -> Watcher {
        Watcher { registry: Registry::find(key) }
    }

    /// The processes that use a device of the machine.
    pub fn processes(&self, device: usize) -> Vec<Process> {
        let registry = self.registry.as_ref().filter(|_| device < DEVICES);
        registry.map_or(Vec::new(), |registry| registry.processes(device))
    }

    /// Of the last second the share, in percent, in which kernels ran on a device of the machine, and in which kernels or
    /// copies did.
    pub fn busy(&self, device: usize) -> (u32, u32) {
        let registry = self.registry.as_ref().filter(|_| device < DEVICES);
        registry.map_or((0, 0), |registry| registry.busy(device))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_who_has_the_turn_joins() {
        let key = Key::new(format!("turn {}", std::process::id()).as_bytes(), b"tests");
        let turn = discovery::turn(&key);
        assert!(turn.is_had() && !discovery::turn(&key).is_had());
        drop(turn);
        assert!(discovery::turn(&key).is_had());
        assert!(Registry::find(&key).is_none(), "no node is begun by looking");
    }

    #[test]
    fn names_and_machines_are_kept_apart() {
        assert!(Key::new(b"a", b"b") != Key::new(b"a", b"c") && Key::new(b"ab", b"") != Key::new(b"a", b"b"));
    }
}
