//! Tells [`Races`] of accesses, and the checker of what it finds.

use super::probe::{Area, Probe, checked};
use crate::numeric::value::LANES;
use crate::state::check::{AccessKind, Checked, Race, Side};
use crate::state::global_races::{GlobalAccess, Place};
use crate::state::races::{GlobalPair, Mark, Pair, Races};
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
    settle(around, checked, races);
    let code: *const Code = warp.code();
    let (line, own, grid) = (warp.current_line(), warp.index as usize, checked.global.as_deref());
    if let Some(grid) = grid {
        races.acquire(own, grid);
    }
    for lane in (0..LANES).filter(|&lane| lanes >> lane & 1 != 0) {
        let offset = match probe.area {
            Area::Shared => u64::from(all[lane] as u32),
            _ => all[lane].wrapping_sub(around.shared),
        };
        let thread = warp.index * LANES as u32 + lane as u32;
        if offset < around.shared_bytes.into() {
            if bytes[lane] <= u64::from(around.shared_bytes) - offset {
                let mark = Mark::new(thread, (line, warp.position), code.cast(), probe.strong);
                // SAFETY: the bytes are in the block's memory.
                let pair = unsafe { races.access(offset as usize, bytes[lane] as usize, probe.kind, mark, memory) };
                if let Some(pair) = pair {
                    tell(around, checked, &pair);
                }
            }
        } else if probe.area == Area::Plain
            && let Some(grid) = grid
            && checked.checker.has_races(all[lane])
        {
            let place = Place { line, position: warp.position, code: code as usize };
            let access = GlobalAccess {
                address: all[lane],
                bytes: bytes[lane],
                kind: probe.kind,
                thread: thread as u16,
                place: 0,
                strong: probe.strong,
            };
            // SAFETY: the bytes are there.
            if let Some(pair) = unsafe { races.access_global(grid, own, place, access) } {
                tell_global(around, checked, &pair);
            }
        }
    }
    if let Some(grid) = grid
        && (probe.strong || probe.kind == AccessKind::Atomic)
    {
        races.meet(own, grid);
    }
}

/// Looks at what came of writes over others.
fn settle(around: &Surroundings, checked: &Checked<'_>, races: &mut Races) {
    if !races.is_unsettled() {
        return;
    }
    // SAFETY: the block's memory.
    unsafe { races.settle(around.shared as *const u8) }.iter().for_each(|pair| tell(around, checked, pair));
    if let Some(grid) = checked.global.as_deref() {
        // SAFETY: they were there; and inside of `guard::run`.
        unsafe { races.settle_global(grid) }.iter().for_each(|pair| tell_global(around, checked, pair));
    }
}

/// A block has ended.
pub fn finish(around: &Surroundings) {
    // SAFETY: the block owns the one, and the launch keeps the other until all blocks are through.
    let (Some(races), Some(checked)) = (unsafe { (around.races.as_mut(), around.checked.as_ref()) }) else { return };
    settle(around, checked, races);
}

#[cold]
fn tell_global(around: &Surroundings, checked: &Checked<'_>, pair: &GlobalPair) {
    let side = |kind, place: Place, block: u32, thread: u16| {
        // SAFETY: `look` took it from the program, which outlives the launch.
        let code = unsafe { &*(place.code as *const Code) };
        let thread = around.thread_of(block.into(), thread.into());
        Side { kind, line: place.line, source: code.source(place.position), thread }
    };
    let GlobalPair { now, place, before } = *pair;
    checked.checker.race(&Race {
        kernel: checked.kernel,
        global: true,
        offset: now.address,
        bytes: now.bytes,
        now: side(now.kind, place, around.number() as u32, now.thread),
        before: side(before.kind, before.place, before.block, before.thread),
    });
}

fn tell(around: &Surroundings, checked: &Checked<'_>, pair: &Pair) {
    let side = |(kind, mark): (_, Mark)| {
        // SAFETY: `look` took it from the program, which outlives the block's turn.
        let code = unsafe { &*mark.code.cast::<Code>() };
        Side { kind, line: mark.line, source: code.source(mark.position), thread: around.thread(mark.thread) }
    };
    checked.checker.race(&Race {
        kernel: checked.kernel,
        global: false,
        offset: pair.offset as u64,
        bytes: pair.bytes as u64,
        now: side(pair.now),
        before: side(pair.before),
    });
}
