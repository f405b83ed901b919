//! Memory accesses of 128 bits. A register of so many bits is two vectors, the lower half first.

use crate::numeric::value::LANES;
use crate::operations::memory::{In64, Local, Plain, Shared, Window, addresses, store_rest};
use crate::state::fault::Fault;
use crate::state::step::Flow;
use crate::state::warp::{Execute, Step, Warp};
use core::arch::asm;
use core::arch::x86_64::{__m128i, _mm_load_si128, _mm_store_si128};
use ptx::Space;

/// A lane of a vector of the frame.
unsafe fn half(warp: &Warp, at: u32, lane: usize) -> *mut u64 {
    // SAFETY: the contract of `Execute`.
    unsafe { warp.frame.add(at as usize).cast::<u64>().add(lane) }
}

/// A value, out of two vectors.
unsafe fn get(warp: &Warp, at: [u32; 2], lane: usize) -> u128 {
    // SAFETY: the contract of `Execute`.
    unsafe { u128::from(*half(warp, at[0], lane)) | u128::from(*half(warp, at[1], lane)) << 64 }
}

unsafe fn set(warp: &Warp, at: [u32; 2], lane: usize, value: u128) {
    // SAFETY: the contract of `Execute`.
    unsafe {
        *half(warp, at[0], lane) = value as u64;
        *half(warp, at[1], lane) = (value >> 64) as u64;
    }
}

/// Does something at the address of each lane of the mask; `rest` gets the lanes that are left where that cannot be done.
#[inline(always)]
unsafe fn access<W: Window>(
    warp: &mut Warp,
    step: &Step,
    act: impl Fn(&Warp, usize, u64),
    rest: impl Fn(&mut Warp, u32, Fault) -> Flow,
) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        let all = addresses(warp, step);
        for lane in (0..LANES).filter(|lane| warp.mask >> lane & 1 != 0) {
            if all[lane] & 15 != 0 {
                return Flow::Fault(Fault::Misaligned);
            }
            match W::translate(warp, lane, all[lane], 16) {
                Ok(at) => act(warp, lane, at),
                Err(fault) => return rest(warp, warp.mask & u32::MAX << lane, fault),
            }
        }
    }
    Flow::Next
}

/// Nothing else is tried.
fn none(_: &mut Warp, _: u32, fault: Fault) -> Flow {
    Flow::Fault(fault)
}

unsafe fn load<W: Window>(warp: &mut Warp, step: &Step) -> Flow {
    let to = [step.to[0], step.to[1]];
    // SAFETY: the contract of `Execute`; what an address leads to is guarded. The processor reads 16 bytes at once.
    unsafe {
        let act = |warp: &Warp, lane, at| {
            let value: u128 = core::mem::transmute(_mm_load_si128(at as *const __m128i));
            if to[0] != u32::MAX {
                set(warp, to, lane, value);
            }
        };
        access::<W>(warp, step, act, none)
    }
}

unsafe fn store<W: Window>(warp: &mut Warp, step: &Step) -> Flow {
    let from = [step.from[1], step.from[2]];
    // SAFETY: the contract of `Execute`; what an address leads to is guarded. The processor writes 16 bytes at once.
    unsafe {
        let act = |warp: &Warp, lane, at| {
            _mm_store_si128(at as *mut __m128i, core::mem::transmute::<u128, __m128i>(get(warp, from, lane)));
        };
        // Elsewhere as two halves.
        access::<W>(warp, step, act, |warp, left, fault| store_rest::<In64<u64>, W, 2>(warp, step, left, fault))
    }
}

/// Replaces 16 bytes if they are `old`; gives what they were.
unsafe fn compare_exchange(at: u64, old: u128, new: u128) -> u128 {
    let (mut low, mut high) = (old as u64, (old >> 64) as u64);
    // SAFETY: the processor has the instruction, as `exchange_of` has asked; aligned, and guarded. The compiler keeps `rbx`
    // for itself and gets it back; after a fault it comes from where the guarded call began. Operands are in registers with
    // names, as one that the compiler chooses may be `rbx`.
    unsafe {
        asm!(
            "xchg rsi, rbx",
            "lock cmpxchg16b [rdi]",
            "mov rbx, rsi",
            inout("rsi") new as u64 => _,
            in("rdi") at,
            in("rcx") (new >> 64) as u64,
            inout("rax") low,
            inout("rdx") high,
            options(nostack),
        );
    }
    u128::from(low) | u128::from(high) << 64
}

/// `exch`, and with a value that it expects `cas`.
unsafe fn exchange<W: Window, const COMPARES: bool>(warp: &mut Warp, step: &Step) -> Flow {
    let (to, first, second) = ([step.to[0], step.to[1]], [step.from[1], step.from[2]], [step.from[3], step.from[4]]);
    // SAFETY: the contract of `Execute`; what an address leads to is guarded.
    unsafe {
        let act = |warp: &Warp, lane, at| {
            let (new, mut old) = match COMPARES {
                true => (get(warp, second, lane), get(warp, first, lane)),
                false => (get(warp, first, lane), 0),
            };
            loop {
                let found = compare_exchange(at, old, new);
                let done = COMPARES || found == old;
                old = found;
                if done {
                    break;
                }
            }
            if to[0] != u32::MAX {
                set(warp, to, lane, old);
            }
        };
        access::<W>(warp, step, act, none)
    }
}

macro_rules! pick {
    ($space:expr, $f:ident $(, $more:literal)?) => {
        match $space {
            Space::Shared => $f::<Shared $(, $more)?> as Execute,
            Space::Local => $f::<Local $(, $more)?> as Execute,
            _ => $f::<Plain $(, $more)?> as Execute,
        }
    };
}

/// A load of a register of 128 bits.
pub fn load_of(space: Space) -> Execute {
    pick!(space, load)
}

/// A store of one.
pub fn store_of(space: Space) -> Execute {
    pick!(space, store)
}

/// An exchange; `compares` for `cas`. `None` on a processor that cannot.
pub fn exchange_of(space: Space, compares: bool) -> Option<Execute> {
    if !std::arch::is_x86_feature_detected!("cmpxchg16b") {
        return None;
    }
    Some(if compares { pick!(space, exchange, true) } else { pick!(space, exchange, false) })
}
