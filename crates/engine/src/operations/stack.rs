//! What functions allocate on the stack of a thread: `alloca`, `stacksave`, `stackrestore`.
//!
//! A lane's local memory holds the variables of its calls from its beginning on. What `alloca` gives comes from the other
//! end, and goes downwards as on a device; a function gives back what it took when it returns.

use crate::numeric::value::LANES;
use crate::state::fault::Fault;
use crate::state::payload::payload;
use crate::state::registers::{set_vector, vector};
use crate::state::step::Flow;
use crate::state::warp::{Step, Warp};

payload! {
    /// What is done to a stack.
    pub struct Stack {
        /// What memory that is allocated is aligned to.
        pub align: i64,
        /// Operand and result have 64 bits.
        pub wide: bool,
    }
}

/// Lanes of the mask.
fn each(mask: u32) -> impl Iterator<Item = usize> {
    (0..LANES).filter(move |lane| mask >> lane & 1 != 0)
}

unsafe fn read(warp: &Warp, step: &Step) -> [u64; LANES] {
    // SAFETY: the contract of `Execute`.
    unsafe {
        if step.payload::<Stack>().wide {
            vector::<u64>(warp, step.from[0])
        } else {
            vector::<u32>(warp, step.from[0]).map(u64::from)
        }
    }
}

unsafe fn write(warp: &mut Warp, step: &Step, values: &[u64; LANES]) {
    // SAFETY: the contract of `Execute`.
    unsafe {
        if step.payload::<Stack>().wide {
            set_vector(warp, step.to[0], values);
        } else {
            set_vector(warp, step.to[0], &values.map(|value| value as u32));
        }
    }
}

/// `alloca`.
pub unsafe fn allocate(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        let sizes = read(warp, step);
        let align = step.payload::<Stack>().align as u64;
        let taken = warp.top().map_or(0, |frame| frame.base) + warp.code().local;
        let mut found = [0; LANES];
        for lane in each(warp.mask) {
            let top = warp.stride - warp.stack[lane];
            let at = top.checked_sub(sizes[lane]).map_or(0, |at| at & !(align - 1));
            if at < taken || sizes[lane] > top {
                return Flow::Fault(Fault::StackOverflow);
            }
            found[lane] = at;
            warp.stack[lane] = warp.stride - at;
        }
        warp.grown = true;
        (*warp.around).dirty = true;
        write(warp, step, &found);
    }
    Flow::Next
}

/// `stacksave`.
pub unsafe fn save(warp: &mut Warp, step: &Step) -> Flow {
    let stride = warp.stride;
    let tops = warp.stack.map(|used| stride - used);
    // SAFETY: the contract of `Execute`.
    unsafe { write(warp, step, &tops) };
    Flow::Next
}

/// `stackrestore`, and what a function does before it returns. What is no place in the stack empties it.
pub unsafe fn restore(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    let tops = unsafe { read(warp, step) };
    for lane in each(warp.mask) {
        warp.stack[lane] = warp.stride.saturating_sub(tops[lane]);
    }
    Flow::Next
}
