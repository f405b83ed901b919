//! Looks at barriers and collective instructions in front of them: at their arguments, and at who takes part.

use crate::numeric::value::LANES;
use crate::operations::asynchronous::lanes;
use crate::operations::collective::Barrier;
use crate::operations::mbarrier::{Action, Change, Word, WordPlace};
use crate::operations::memory::translate;
use crate::state::barriers::{Barriers, Coming, Site, Wrong};
use crate::state::check::Misuse;
use crate::state::fiber::Hold;
use crate::state::registers::vector;
use crate::state::step::Flow;
use crate::state::surroundings::Surroundings;
use crate::state::warp::{Code, Step, Warp};

/// Does something with what the warp's block notes of its barriers.
fn noted<R>(warp: &Warp, f: impl FnOnce(&mut Barriers) -> R) -> Option<R> {
    // SAFETY: a warp that runs has surroundings; the block owns it, and runs one warp at a time.
    unsafe { (*warp.around).barriers.as_mut() }.map(f)
}

fn site(warp: &Warp) -> Site {
    let code: *const Code = warp.code();
    Site { line: warp.current_line(), position: warp.position, code: code.cast() }
}

fn bits(lanes: impl Iterator<Item = usize>) -> u32 {
    lanes.fold(0, |all, lane| all | 1 << lane)
}

/// A barrier of the block.
///
/// # Safety
/// The contract of [`Execute`](crate::state::warp::Execute), for all functions here.
pub unsafe fn barrier(warp: &mut Warp, step: &Step) -> Flow {
    let Barrier { known, number, threads, aligned, .. } = step.payload();
    let (ids, counts) = match known {
        true => ([number; LANES], [threads; LANES]),
        // SAFETY: the contract of `Execute`.
        false => unsafe { (vector::<u32>(warp, step.from[0]), vector::<u32>(warp, step.from[1])) },
    };
    let mut left = warp.mask;
    while left != 0 {
        let first = left.trailing_zeros() as usize;
        let same = |&l: &usize| left >> l & 1 != 0 && (ids[l], counts[l]) == (ids[first], counts[first]);
        let lanes = bits((0..LANES).filter(same));
        left &= !lanes;
        let (barrier, count) = (ids[first], counts[first]);
        let coming = Coming { barrier, count, warp: warp.index, lanes, aligned, site: site(warp) };
        if let Some(wrong) = noted(warp, |noted| noted.come(coming)).flatten() {
            // SAFETY: a warp that runs has surroundings.
            misused(unsafe { &*warp.around }, wrong);
        }
    }
    Flow::Next
}

/// An instruction for the lanes of a mask: the mask in the first operand; where results otherwise are, whether lanes may come to
/// another instruction of its kind.
#[inline(never)]
pub unsafe fn members(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    let members = unsafe { vector::<u32>(warp, step.from[0]) };
    let (here, anywhere) = (warp.mask, step.to[0] != 0);
    let outside = bits(lanes(warp).filter(|&lane| members[lane] >> lane & 1 == 0));
    if outside != 0 {
        let mask = members[outside.trailing_zeros() as usize & 31];
        say(warp, "mask that does not name the thread itself", format!("the mask is {mask:#010x}"), outside);
        return Flow::Next;
    }
    // Lanes that name each other.
    let differs = |a: usize, b: usize| members[a] >> b & 1 != 0 && members[a] != members[b];
    if let Some((a, b)) = lanes(warp).find_map(|a| lanes(warp).find(|&b| differs(a, b)).map(|b| (a, b))) {
        let more = format!("the mask is {:#010x} for lane {a}, and {:#010x} for lane {b}", members[a], members[b]);
        say(warp, "threads that name different masks", more, 1 << a | 1 << b);
        return Flow::Next;
    }
    // Who waits for these at another place.
    let function = |frames: &[crate::state::frame::Frame]| frames.last().map(|frame| frame.function);
    let mut told = None;
    for fiber in &warp.parked {
        let Hold::Lanes(theirs) = fiber.hold else { continue };
        let mine = lanes(warp).find(|&lane| members[lane] & fiber.active != 0).map(|lane| members[lane]);
        let Some(mine) = mine.filter(|_| theirs & here != 0) else { continue };
        let same = fiber.position == warp.position + 1 && function(&fiber.frames) == function(&warp.frames);
        let code = function(&fiber.frames).and_then(|f| warp.program().functions.get(f as usize));
        let line = code.and_then(|code| code.lines.get(fiber.position as usize)).copied().unwrap_or(0);
        if mine != theirs {
            let more = format!("the mask is {mine:#010x}, and {theirs:#010x} for those that wait at PTX line {line}");
            told = Some(("threads that name different masks", more));
        } else if !(same || anywhere && code.is_some_and(|code| is_barrier(code, fiber.position))) {
            let more = format!("others of the mask {mine:#010x} wait at PTX line {line}");
            told = Some(("threads of a mask at different instructions", more));
        }
    }
    if let Some((what, more)) = told {
        say(warp, what, more, here);
    }
    Flow::Next
}

/// Whether a step is one of `bar.warp.sync`: the one in front of it says so.
fn is_barrier(code: &Code, position: u32) -> bool {
    let before = (position as usize).checked_sub(1).and_then(|at| code.steps.get(at));
    before.is_some_and(|step| step.execute as usize == members as *const () as usize && step.to[0] != 0)
}

/// The offset of a word in the block's own shared memory.
fn own_offset(warp: &Warp, address: u64, shared: bool) -> Option<u64> {
    // SAFETY: a warp that runs has surroundings.
    let around = unsafe { &*warp.around };
    let offset = if shared { address & 0xffff_ffff } else { address.wrapping_sub(around.shared) };
    (offset < around.shared_bytes.into()).then_some(offset)
}

/// Lanes of the mask whose word was never initialised.
fn missing(warp: &Warp, addresses: &[u64; LANES], shared: bool) -> u32 {
    let never = |&lane: &usize| {
        let offset = own_offset(warp, addresses[lane], shared);
        offset.is_some_and(|offset| noted(warp, |noted| !noted.is_counting(offset)) == Some(true))
    };
    bits(lanes(warp).filter(never))
}

const NEVER: &str = "mbarrier that is not initialised";

/// A word of a barrier that counts is used.
pub unsafe fn counting(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    let addresses = unsafe { vector::<u64>(warp, step.from[0]) };
    let WordPlace { shared } = step.payload();
    let never = missing(warp, &addresses, shared);
    if never != 0 {
        let offset = own_offset(warp, addresses[never.trailing_zeros() as usize & 31], shared).unwrap_or(0);
        say(warp, NEVER, format!("at offset {offset:#x} in shared memory"), never);
    }
    Flow::Next
}

/// A word is changed, as a [`Change`] says.
pub unsafe fn change(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    let (addresses, counts) = unsafe { (vector::<u64>(warp, step.from[0]), vector::<u32>(warp, step.from[1])) };
    let Change { place: WordPlace { shared }, action } = step.payload();
    match action {
        Action::Initialise => {
            let wrong = bits(lanes(warp).filter(|&lane| !(1..1 << 20).contains(&counts[lane])));
            for lane in lanes(warp) {
                if let Some(offset) = own_offset(warp, addresses[lane], shared) {
                    noted(warp, |noted| noted.set_counting(offset, true));
                }
            }
            if wrong != 0 {
                let more = format!("{}; it is 1 to {}", counts[wrong.trailing_zeros() as usize & 31], (1 << 20) - 1);
                say(warp, "wrong count of an mbarrier", more, wrong);
            }
            return Flow::Next;
        }
        Action::Arrive | Action::Drop => {
            for lane in lanes(warp) {
                // SAFETY: the bytes were looked at, and the step runs inside of `guard::run`.
                let word = unsafe {
                    translate(warp, lane, addresses[lane], 8, shared).map(|at| (at as *const u64).read_unaligned())
                };
                let Ok(word) = word else { continue };
                let pending = Word::unpack(word).pending();
                let known = own_offset(warp, addresses[lane], shared)
                    .is_some_and(|offset| noted(warp, |noted| noted.is_counting(offset)) == Some(true));
                if known && u64::from(counts[lane]) > pending || counts[lane] == 0 {
                    let more = format!("{} arrive, and {pending} are waited for", counts[lane]);
                    say(warp, "wrong count of arrivals at an mbarrier", more, 1 << lane);
                    break;
                }
            }
        }
        _ => {}
    }
    // SAFETY: the contract of this function.
    let flow = unsafe { counting(warp, step) };
    if action == Action::Invalidate {
        for lane in lanes(warp) {
            if let Some(offset) = own_offset(warp, addresses[lane], shared) {
                noted(warp, |noted| noted.set_counting(offset, false));
            }
        }
    }
    flow
}

#[cold]
fn say(warp: &Warp, what: &'static str, more: String, lanes: u32) {
    let wrong = Wrong { what, more, site: site(warp), warp: warp.index, lanes };
    // SAFETY: a warp that runs has surroundings.
    misused(unsafe { &*warp.around }, wrong);
}

/// Tells the checker of what is wrong, once for a line.
#[cold]
pub fn misused(around: &Surroundings, wrong: Wrong) {
    // SAFETY: the block owns the one, and the launch keeps the other until all blocks are through.
    let (Some(noted), Some(checked)) = (unsafe { (around.barriers.as_mut(), around.checked.as_ref()) }) else { return };
    let Wrong { what, more, site, warp, lanes } = wrong;
    if !noted.is_new(site.line, what) {
        return;
    }
    // SAFETY: it was taken from the program, which outlives the launch.
    let code = unsafe { &*site.code.cast::<Code>() };
    checked.checker.misuse(&Misuse {
        kernel: checked.kernel,
        function: &code.name,
        source: code.source(site.position),
        line: site.line,
        what,
        more,
        thread: around.thread(warp * LANES as u32 + (lanes.trailing_zeros() & 31)),
        threads: lanes.count_ones(),
    });
}
