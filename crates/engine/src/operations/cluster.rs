//! Instructions of clusters: their barrier, and addresses in the shared memory of their blocks.

use crate::numeric::value::LANES;
use crate::operations::asynchronous::{complete, targets};
use crate::operations::memory::translate;
use crate::state::cluster::RANK;
use crate::state::fault::Fault;
use crate::state::fiber::Hold;
use crate::state::payload::payload;
use crate::state::registers::{set_predicate, set_vector, vector};
use crate::state::step::Flow;
use crate::state::surroundings::Surroundings;
use crate::state::warp::{Step, Warp};
use ptx::instruction::Special;

fn surroundings<'w>(warp: &'w Warp) -> &'w Surroundings {
    // SAFETY: a warp that runs has surroundings.
    unsafe { &*warp.around }
}

/// `barrier.cluster.arrive`.
pub unsafe fn arrive(warp: &mut Warp, _: &Step) -> Flow {
    let cluster = surroundings(warp).cluster();
    let (phase, lanes) = (cluster.phase(), warp.mask);
    surroundings(warp).meet_cluster(warp.index as usize);
    cluster.arrived.set(cluster.arrived.get() + lanes.count_ones());
    warp.odd = if phase & 1 != 0 { warp.odd | lanes } else { warp.odd & !lanes };
    Flow::Next
}

/// `barrier.cluster.wait`: until the barrier has opened since each lane arrived.
pub unsafe fn wait(warp: &mut Warp, _: &Step) -> Flow {
    surroundings(warp).meet_cluster(warp.index as usize);
    let phase = surroundings(warp).cluster().phase();
    let same = if phase & 1 != 0 { warp.odd } else { !warp.odd };
    let lanes = warp.mask & same;
    if lanes == 0 {
        return Flow::Next;
    }
    warp.position += 1;
    warp.park(lanes, Hold::Cluster(phase));
    Flow::Held
}

payload! {
    /// How addresses in the shared memory of a cluster are meant.
    pub struct ClusterAddress {
        /// They are generic ones, with 64 bits; otherwise offsets with the rank of the block.
        pub generic: bool,
        /// Of `mapa`: the offset has 64 bits.
        pub wide: bool,
    }
}

/// `mapa`.
pub unsafe fn map(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        let addresses = vector::<u64>(warp, step.from[0]);
        let ranks = vector::<u32>(warp, step.from[1]);
        let around = surroundings(warp);
        let how: ClusterAddress = step.payload();
        let mapped: [u64; LANES] = core::array::from_fn(|lane| {
            let (address, rank) = (addresses[lane], ranks[lane]);
            if !how.generic {
                return address & ((1 << RANK) - 1) | u64::from(rank.wrapping_add(1)) << RANK & 0xffff_ffff;
            }
            let offset = around.cluster().find(address).map_or(0, |(_, offset)| offset);
            around.cluster().base(rank).map_or(0, |base| base + u64::from(offset))
        });
        if how.generic || how.wide {
            set_vector(warp, step.to[0], &mapped);
        } else {
            set_vector(warp, step.to[0], &mapped.map(|a| a as u32));
        }
    }
    Flow::Next
}

/// `getctarank`.
pub unsafe fn rank(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        let addresses = vector::<u64>(warp, step.from[0]);
        let around = surroundings(warp);
        let how: ClusterAddress = step.payload();
        let ranks: [u32; LANES] = addresses.map(|address| {
            if !how.generic {
                (address as u32 >> RANK).checked_sub(1).unwrap_or(around.rank)
            } else {
                around.cluster().find(address).map_or(around.rank, |(rank, _)| rank)
            }
        });
        set_vector(warp, step.to[0], &ranks);
    }
    Flow::Next
}

payload! {
    /// A conversion between generic addresses and those of the shared memory of a cluster.
    pub struct ClusterConversion {
        /// From generic ones.
        pub to_shared: bool,
    }
}

/// `cvta.shared::cluster` and `cvta.to.shared::cluster`.
pub unsafe fn convert(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        let addresses = vector::<u64>(warp, step.from[0]);
        let around = surroundings(warp);
        let how: ClusterConversion = step.payload();
        let converted: [u64; LANES] = addresses.map(|address| {
            if how.to_shared {
                return match around.cluster().find(address) {
                    Some((rank, offset)) => u64::from(rank + 1) << RANK | u64::from(offset),
                    None => address.wrapping_sub(around.shared),
                };
            }
            let rank = (address as u32 >> RANK).checked_sub(1).unwrap_or(around.rank);
            around.cluster().base(rank).map_or(0, |base| base + (address & ((1 << RANK) - 1)))
        });
        set_vector(warp, step.to[0], &converted);
    }
    Flow::Next
}

/// `isspacep.shared::cluster`.
pub unsafe fn is_shared(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        let addresses = vector::<u64>(warp, step.from[0]);
        let cluster = surroundings(warp).cluster();
        let bits = (0..LANES).filter(|&l| cluster.find(addresses[l]).is_some()).fold(0, |all, l| all | 1 << l);
        set_predicate(warp, step.to[0], bits);
    }
    Flow::Next
}

payload! {
    /// `clusterlaunchcontrol.try_cancel`.
    pub struct Cancellation {
        /// The addresses are those of shared memory.
        pub shared: bool,
        /// All blocks of the cluster get the response.
        pub multicast: bool,
    }
}

/// Bytes of the response: where the first block is, and whether there is one.
pub const RESPONSE: u64 = 16;

/// `clusterlaunchcontrol.try_cancel`: the response's address, the barrier's.
pub unsafe fn try_cancel(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`; what an address leads to is guarded.
    unsafe {
        let (to, barriers) = (vector::<u64>(warp, step.from[0]), vector::<u64>(warp, step.from[1]));
        let Cancellation { shared, multicast } = step.payload();
        for lane in (0..LANES).filter(|&l| warp.mask >> l & 1 != 0) {
            let around = surroundings(warp);
            // Both are in the block's own shared memory.
            let base = if shared { 0 } else { around.shared };
            let (to, barrier) = (to[lane].wrapping_sub(base), barriers[lane].wrapping_sub(base));
            let ranks = around.special(Special::ClusterNctarank) as u32;
            let blocks = multicast.then_some((1u32 << ranks.min(16)) - 1);
            if !to.is_multiple_of(RESPONSE) {
                return Flow::Fault(Fault::Misaligned);
            }
            let response = around.take_cluster().map_or([0; 4], |[x, y, z]| [x, y, z, 1]);
            let done = (|| {
                for target in targets(to, blocks) {
                    let at = translate(warp, lane, target, RESPONSE as usize, true)?;
                    (at as *mut [u32; 4]).write_volatile(response);
                }
                for barrier in targets(barrier, blocks) {
                    complete(warp, lane, barrier, RESPONSE as u32, true)?;
                }
                Ok(())
            })();
            if let Err(fault) = done {
                return Flow::Fault(fault);
            }
        }
    }
    Flow::Next
}

/// `clusterlaunchcontrol.query_cancel.is_canceled`, of the upper half of a response.
pub unsafe fn is_canceled(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        let upper = vector::<u64>(warp, step.from[0]);
        let bits = (0..LANES).fold(0, |bits, lane| bits | u32::from(upper[lane] >> 32 != 0) << lane);
        set_predicate(warp, step.to[0], bits);
    }
    Flow::Next
}
