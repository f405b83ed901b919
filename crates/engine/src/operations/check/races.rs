//! Tells [`Races`] of accesses, and the checker of what it finds.

use super::probe::{Area, Probe, checked};
use crate::numeric::value::LANES;
use crate::state::check::{Checked, Race, Side};
use crate::state::races::{Mark, Pair};
use crate::state::surroundings::Surroundings;
use crate::state::warp::{Code, Warp};

/// The lanes are about to make an access, whose bytes are there.
#[inline]
pub(super) fn note(warp: &Warp, probe: Probe, all: &[u64; LANES], bytes: &[u64; LANES], lanes: u32) {
    // SAFETY: a warp that runs has surroundings.
    if unsafe { !(*warp.around).races.is_null() } && probe.area != Area::Local {
        look(warp, probe, all, bytes, lanes);
    }
}

#[cold]
fn look(warp: &Warp, probe: Probe, all: &[u64; LANES], bytes: &[u64; LANES], lanes: u32) {
    // SAFETY: as above; the block owns both, and runs one warp at a time.
    let (around, races) = unsafe { (&*warp.around, &mut *(*warp.around).races) };
    let Some(checked) = checked(warp) else { return };
    let memory = around.shared as *const u8;
    if races.is_unsettled() {
        // SAFETY: the block's memory.
        unsafe { races.settle(memory) }.iter().for_each(|pair| tell(around, checked, pair));
    }
    let code: *const Code = warp.code();
    for lane in (0..LANES).filter(|&lane| lanes >> lane & 1 != 0) {
        let offset = match probe.area {
            Area::Shared => u64::from(all[lane] as u32),
            _ => all[lane].wrapping_sub(around.shared),
        };
        // Other blocks' memory, and what is not shared.
        if offset >= around.shared_bytes.into() || bytes[lane] > u64::from(around.shared_bytes) - offset {
            continue;
        }
        let thread = warp.index * LANES as u32 + lane as u32;
        let mark = Mark::new(thread, (warp.current_line(), warp.position), code.cast(), probe.strong);
        // SAFETY: the bytes are in the block's memory.
        let pair = unsafe { races.access(offset as usize, bytes[lane] as usize, probe.kind, mark, memory) };
        if let Some(pair) = pair {
            tell(around, checked, &pair);
        }
    }
}

/// A block has ended.
pub fn finish(around: &Surroundings) {
    // SAFETY: the block owns the one, and the launch keeps the other until all blocks are through.
    let (Some(races), Some(checked)) = (unsafe { (around.races.as_mut(), around.checked.as_ref()) }) else { return };
    // SAFETY: the block's memory.
    unsafe { races.settle(around.shared as *const u8) }.iter().for_each(|pair| tell(around, checked, pair));
}

fn tell(around: &Surroundings, checked: &Checked<'_>, pair: &Pair) {
    let side = |(kind, mark): (_, Mark)| {
        // SAFETY: `look` took it from the program, which outlives the block's turn.
        let code = unsafe { &*mark.code.cast::<Code>() };
        Side { kind, line: mark.line, source: code.source(mark.position), thread: around.thread(mark.thread) }
    };
    checked.checker.race(&Race {
        kernel: checked.kernel,
        offset: pair.offset as u64,
        bytes: pair.bytes as u64,
        now: side(pair.now),
        before: side(pair.before),
    });
}
