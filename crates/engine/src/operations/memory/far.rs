//! Stores to addresses that are not where nearly all memory is, lane by lane: to a multicast address they come to all devices.

use super::{Plain, Window, addresses_apart};
use crate::numeric::value::LANES;
use crate::operations::team::{Team, write};
use crate::state::fault::Fault;
use crate::state::step::Flow;
use crate::state::warp::{Step, Warp};

/// What each lane stores.
#[derive(Clone, Copy)]
pub struct Stored {
    /// Values, in the step's operands behind the address.
    pub count: u8,
    /// Bytes of one in memory, and of a lane.
    pub bytes: u8,
    pub lane: u8,
}

/// What is left of a store, for these lanes: the first one goes somewhere else.
#[cold]
#[inline(never)]
pub unsafe fn store(warp: &mut Warp, step: &Step, mut left: u32, what: Stored) -> Flow {
    let Stored { count, bytes, lane: size } = what;
    let whole = usize::from(count) * usize::from(bytes);
    let mut team = Team::new(true);
    // SAFETY: the contract of `Execute`; the services vouch for what replicas are, and all pages may fault.
    unsafe {
        let addresses = addresses_apart(warp, step);
        while left != 0 {
            let lane = left.trailing_zeros() as usize & (LANES - 1);
            left &= left - 1;
            let address = addresses[lane];
            if address & (whole - 1) as u64 != 0 {
                return Flow::Fault(Fault::Misaligned);
            }
            let value = |n: u8| {
                let all = warp.frame.add(step.from[usize::from(n) + 1] as usize);
                if size == 8 { *all.cast::<u64>().add(lane) } else { (*all.cast::<u32>().add(lane)).into() }
            };
            let put = |at: u64| (0..count).for_each(|n| write(at + u64::from(n * bytes), bytes, value(n)));
            match Plain::translate(warp, lane, address, whole) {
                Ok(at) => put(at),
                Err(_) => match team.places(warp, address, whole as u64) {
                    Ok(places) => places.for_each(put),
                    Err(fault) => return Flow::Fault(fault),
                },
            }
        }
    }
    Flow::Next
}
