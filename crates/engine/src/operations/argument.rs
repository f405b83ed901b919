//! Where the arguments and results of a call of the system lie.

use crate::state::program::ArgumentPlace;
use crate::state::warp::Warp;

/// Where a value that a call passes lies in this process.
pub fn place_of(warp: &Warp, place: ArgumentPlace, lane: usize) -> u64 {
    match place {
        ArgumentPlace::Local(at) => warp.local_of(lane) + warp.top().map_or(0, |f| f.base) + at,
        ArgumentPlace::Lane(at, wide) => warp.frame as u64 + u64::from(at) + lane as u64 * if wide { 8 } else { 4 },
    }
}
