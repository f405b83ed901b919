//! Tells the checker of what is written to global memory, and asks it whether what is read was written before.

use super::finding::finding;
use super::probe::{Area, Probe, checked};
use crate::numeric::value::LANES;
use crate::state::check::{AccessKind, AccessTarget, Checked};
use crate::state::warp::Warp;

/// Bytes of an access that are looked at as one: if any of them was written they count as written, as a structure has holes.
const PIECE: u64 = 8;

/// The lanes are about to make an access, whose bytes are there.
#[inline]
pub(super) fn note(warp: &Warp, probe: Probe, all: &[u64; LANES], bytes: &[u64; LANES], lanes: u32) {
    if let Some(checked) = checked(warp).filter(|checked| checked.wanted.unwritten && probe.area == Area::Plain) {
        look(warp, checked, probe, all, bytes, lanes);
    }
}

#[cold]
fn look(warp: &Warp, checked: &Checked<'_>, probe: Probe, all: &[u64; LANES], bytes: &[u64; LANES], lanes: u32) {
    let checker = checked.checker;
    let on = |lane: &usize| lanes >> lane & 1 != 0 && bytes[*lane] != 0;
    if probe.kind != AccessKind::Write {
        // Nothing tells the parts of one access from each other but their size.
        let pieces =
            |lane: usize| (0..bytes[lane]).step_by(PIECE as usize).map(move |at| (at, PIECE.min(bytes[lane] - at)));
        let wrong = (0..LANES).filter(on).filter_map(|lane| {
            pieces(lane)
                .find(|&(at, size)| checker.is_unwritten(all[lane] + at, size))
                .map(|(at, _)| (lane, all[lane] + at))
        });
        let wrong: Vec<(usize, u64)> = wrong.collect();
        if let Some(&(lane, address)) = wrong.first() {
            let size = bytes[lane] - (address - all[lane]);
            let thread = (lane, wrong.len() as u32);
            checker.unwritten(&finding(
                warp,
                checked,
                probe.kind,
                (address, size.min(PIECE)),
                AccessTarget::Memory,
                thread,
            ));
        }
    }
    if probe.kind != AccessKind::Read {
        // Mostly the lanes write one range.
        let (mut start, mut end) = (0, 0);
        for lane in (0..LANES).filter(on) {
            if all[lane] != end {
                if end > start {
                    checker.writes(start, end - start);
                }
                start = all[lane];
            }
            end = all[lane].saturating_add(bytes[lane]);
        }
        if end > start {
            checker.writes(start, end - start);
        }
    }
}
