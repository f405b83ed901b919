//! What a step in front of an access knows of it.

use crate::state::check::{AccessKind, Checked};
use crate::state::warp::{Step, Warp};

/// How an address is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Area {
    /// An address of this process: any memory.
    Plain,
    /// An offset in shared memory.
    Shared,
    /// An offset in local memory.
    Local,
    /// A multicast address.
    Multicast,
}

/// What a step probes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Probe {
    pub area: Area,
    pub kind: AccessKind,
    /// Bytes, whose address is a multiple of a power of two.
    pub bytes: u32,
    pub align: u32,
    /// Others see it, and it them: volatile, relaxed and the like.
    pub strong: bool,
}

impl Probe {
    /// Makes a step one that probes. It has no results: what it probes stands there, and its payload is that of the access.
    pub fn tell(self, step: &mut Step) {
        step.to = [self.area as u32, self.kind as u32 | u32::from(self.strong) << 8, self.bytes, self.align];
    }

    /// What a step probes.
    pub(super) fn of(step: &Step) -> Probe {
        let [area, kind, bytes, align] = step.to;
        let area = [Area::Plain, Area::Shared, Area::Local, Area::Multicast][area.min(3) as usize];
        let strong = kind >> 8 != 0;
        let kind = [AccessKind::Read, AccessKind::Write, AccessKind::Atomic][(kind & 0xff).min(2) as usize];
        Probe { area, kind, bytes, align, strong }
    }
}

/// The check of the launch that a warp belongs to, if there is one.
pub(super) fn checked<'w>(warp: &'w Warp) -> Option<&'w Checked<'w>> {
    // SAFETY: a warp that runs has surroundings; the launch keeps the check until all warps are through.
    unsafe { (*warp.around).checked.as_ref() }
}
