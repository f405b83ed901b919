//! Steps in which lanes see each other, and steps about the warp itself.

use crate::numeric::value::{LANES, Level, level, pack, permute};
use crate::state::fiber::Hold;
use crate::state::registers::{predicate, set_lanes, set_predicate, set_vector, vector};
use crate::state::step::{Flow, Step, Trouble};
use crate::state::warp::{Arrival, Warp};

/// `shfl`: `number` is the mode (0 up, 1 down, 2 bfly, 3 idx); the second result says whether the source was in range.
pub unsafe fn shuffle(warp: &mut Warp, step: &Step) -> Flow {
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
    unsafe fn shuffle512(warp: &mut Warp, step: &Step) {
        // SAFETY: the same contract.
        unsafe { shuffle_body::<{ Level::Avx512 as u8 }>(warp, step) }
    }
    // SAFETY: the contract of `Execute`.
    unsafe {
        if !warp.together(step.from[3]) {
            return Flow::Held;
        }
        if level() == Level::Avx512 {
            shuffle512(warp, step);
        } else {
            shuffle_body::<{ Level::Plain as u8 }>(warp, step);
        }
    }
    Flow::Next
}

#[inline(always)]
unsafe fn shuffle_body<const LEVEL: u8>(warp: &mut Warp, step: &Step) {
    // SAFETY: the contract of `Execute`.
    unsafe {
        let a = vector::<u32>(warp, step.from[0]);
        let b = vector::<u32>(warp, step.from[1]);
        let c = vector::<u32>(warp, step.from[2]);
        let (mut from, mut inside) = ([0u32; LANES], [0i32; LANES]);
        macro_rules! sources {
            (|$own:ident, $by:ident, $most:ident, $least:ident, $segment:ident| $e:expr) => {
                for lane in 0..LANES {
                    let ($own, $by, $segment) = (lane as u32, b[lane] & 31, c[lane] >> 8 & 31);
                    let $most = $own & $segment | c[lane] & 31 & !$segment;
                    let $least = $own & $segment;
                    let (source, holds): (u32, bool) = $e;
                    from[lane] = if holds { source & 31 } else { $own };
                    inside[lane] = -i32::from(holds);
                    let _ = $least;
                }
            };
        }
        match step.number {
            0 => {
                sources!(|own, by, most, least, segment| (own.wrapping_sub(by), own as i32 - by as i32 >= most as i32))
            }
            1 => sources!(|own, by, most, least, segment| (own + by, own + by <= most)),
            2 => sources!(|own, by, most, least, segment| (own ^ by, own ^ by <= most)),
            _ => sources!(|own, by, most, least, segment| {
                let source = least | by & !segment;
                (source, source <= most)
            }),
        }
        let d = permute::<LEVEL>(&a, &from);
        set_lanes::<_, LEVEL>(warp, step.to[0], &d);
        if step.to[1] != u32::MAX {
            set_predicate(warp, step.to[1], pack::<LEVEL>(&inside));
        }
    }
}

/// `vote`: `number` is the mode (0 all, 1 any, 2 uni, 3 ballot), `value` negates the predicate.
pub unsafe fn vote(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        if !warp.together(step.from[2]) {
            return Flow::Held;
        }
        let p = predicate(warp, step.from[0]) ^ step.value as u32;
        let members = vector::<u32>(warp, step.from[1]);
        let here = warp.mask;
        let all_ones = |holds: bool| if holds { u32::MAX } else { 0 };
        let mut ballot = [0u32; LANES];
        let mut bits = 0;
        for lane in 0..LANES {
            let who = members[lane] & here;
            let yes = p & who;
            ballot[lane] = yes;
            let holds = match step.number {
                0 => yes == who,
                1 => yes != 0,
                _ => yes == who || yes == 0,
            };
            bits |= all_ones(holds) & 1 << lane;
        }
        if step.number == 3 {
            set_vector(warp, step.to[0], &ballot);
        } else {
            set_predicate(warp, step.to[0], bits);
        }
    }
    Flow::Next
}

/// `activemask`.
pub unsafe fn active_mask(warp: &mut Warp, step: &Step) -> Flow {
    let all = [warp.mask; LANES];
    // SAFETY: the contract of `Execute`.
    unsafe { set_vector(warp, step.to[0], &all) };
    Flow::Next
}

/// `match`: lanes of 64 bits if bit 0 of `number`; all lanes must agree if bit 1.
pub unsafe fn match_lanes(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        if !warp.together(step.from[1]) {
            return Flow::Held;
        }
        let values: [u64; LANES] = if step.number & 1 != 0 {
            vector::<u64>(warp, step.from[0])
        } else {
            vector::<u32>(warp, step.from[0]).map(u64::from)
        };
        let members = vector::<u32>(warp, step.from[1]);
        let here = warp.mask;
        let (mut d, mut bits) = ([0u32; LANES], 0);
        for lane in 0..LANES {
            let who = members[lane] & here;
            let same =
                (0..LANES).filter(|&l| who >> l & 1 != 0 && values[l] == values[lane]).fold(0, |m, l| m | 1 << l);
            let agree = same == who;
            d[lane] = if step.number & 2 == 0 || agree { same } else { 0 };
            bits |= u32::from(agree) << lane;
        }
        set_vector(warp, step.to[0], &d);
        if step.to[1] != u32::MAX {
            set_predicate(warp, step.to[1], bits);
        }
    }
    Flow::Next
}

/// `redux`: `number` is the operation.
pub unsafe fn reduce(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        if !warp.together(step.from[1]) {
            return Flow::Held;
        }
        let a = vector::<u32>(warp, step.from[0]);
        let members = vector::<u32>(warp, step.from[1]);
        let here = warp.mask;
        let mut d = [0u32; LANES];
        for lane in 0..LANES {
            let who = members[lane] & here;
            let values = (0..LANES).filter(|&l| who >> l & 1 != 0).map(|l| a[l]);
            d[lane] = values
                .reduce(|x, y| match step.number {
                    0 => x.wrapping_add(y),
                    1 => x.min(y),
                    2 => x.max(y),
                    3 => (x as i32).min(y as i32) as u32,
                    4 => (x as i32).max(y as i32) as u32,
                    5 => x & y,
                    6 => x | y,
                    _ => x ^ y,
                })
                .unwrap_or(0);
        }
        set_vector(warp, step.to[0], &d);
    }
    Flow::Next
}

/// `elect`: the lowest lane is the leader.
pub unsafe fn elect(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        if !warp.together(step.from[0]) {
            return Flow::Held;
        }
        let members = vector::<u32>(warp, step.from[0]);
        let (mut d, mut bits) = ([0u32; LANES], 0);
        for lane in 0..LANES {
            let leader = (members[lane] & warp.mask).trailing_zeros();
            d[lane] = leader;
            bits |= u32::from(leader == lane as u32) << lane;
        }
        if step.to[0] != u32::MAX {
            set_vector(warp, step.to[0], &d);
        }
        set_predicate(warp, step.to[1], bits);
    }
    Flow::Next
}

/// In the `number` of a barrier: its number and the threads are the constants `to[2]` and `to[3]`.
pub const KNOWN: u32 = 1 << 8;

/// A barrier of the block: its number in the first operand, the threads it expects in the second.
///
/// `number` without [`KNOWN`]: 0 waits, 1 arrives only, 2 counts the predicate of the third operand, 3 and, 4 or. `value` negates it.
pub unsafe fn barrier(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        let (id, threads, same) = if step.number & KNOWN != 0 {
            (step.to[2], step.to[3], u32::MAX)
        } else {
            let ids = vector::<u32>(warp, step.from[0]);
            let counts = vector::<u32>(warp, step.from[1]);
            let first = warp.mask.trailing_zeros() as usize & 31;
            let (id, threads) = (ids[first], counts[first]);
            (id, threads, (0..LANES).filter(|&l| (ids[l], counts[l]) == (id, threads)).fold(0, |all, l| all | 1 << l))
        };
        if id > 15 || threads % 32 != 0 {
            return Flow::Fault(Trouble::IllegalInstruction);
        }
        let kind = step.number & !KNOWN;
        if warp.mask & !same != 0 {
            // Lanes that go to another barrier do that on their own.
            let others = warp.mask & !same;
            warp.mask &= same;
            warp.park(others, Hold::Turn);
        }
        if kind >= 2 {
            warp.vote = (predicate(warp, step.from[2]) ^ step.value as u32) & warp.mask;
            warp.reduction = Some((kind as u8 - 2, step.to[0]));
        }
        warp.barrier = Arrival { barrier: id, threads, waits: kind != 1 };
    }
    warp.position += 1;
    Flow::Barrier
}

/// Predicate logic: `number` is the operation (0 and, 1 or, 2 xor, 3 not, 4 move); `value` bits 0 and 1 negate.
pub unsafe fn logic(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        let flip = |bit: i64| if step.value & bit != 0 { u32::MAX } else { 0 };
        let a = predicate(warp, step.from[0]) ^ flip(1);
        let b = predicate(warp, step.from[1]) ^ flip(2);
        let d = match step.number {
            0 => a & b,
            1 => a | b,
            2 => a ^ b,
            3 => !a,
            _ => a,
        };
        set_predicate(warp, step.to[0], d);
    }
    Flow::Next
}

/// `add.cc` and its relatives. `number`: bit 0 reads the carry, bit 1 writes it, bit 2 subtracts, bit 3 has 64 bits;
/// bits 4 and 5: 1 the product of two operands (low half), 2 its high half, is added to the third.
pub unsafe fn carry(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        let wide = step.number & 8 != 0;
        let read = |warp: &Warp, at: u32| -> [u64; LANES] {
            if wide { vector::<u64>(warp, at) } else { vector::<u32>(warp, at).map(u64::from) }
        };
        let mut a = read(warp, step.from[0]);
        let mut b = read(warp, step.from[1]);
        let bits = if wide { 64 } else { 32 };
        let limit = if wide { u64::MAX } else { 0xffff_ffff };
        let product = step.number >> 4 & 3;
        if product != 0 {
            let c = read(warp, step.from[2]);
            for lane in 0..LANES {
                let full = if step.value != 0 {
                    // Signed: only the high half differs.
                    let sign = |x: u64| if wide { i128::from(x as i64) } else { i128::from(x as u32 as i32) };
                    (sign(a[lane]) * sign(b[lane])) as u128
                } else {
                    u128::from(a[lane]) * u128::from(b[lane])
                };
                a[lane] = (if product == 1 { full } else { full >> bits }) as u64 & limit;
                b[lane] = c[lane];
            }
        }
        let flag = predicate(warp, step.from[3]);
        let (mut d, mut out) = ([0u64; LANES], 0u32);
        for lane in 0..LANES {
            let extra = if step.number & 1 != 0 { u128::from(flag >> lane & 1) } else { 0 };
            let (sum, over) = if step.number & 4 != 0 {
                // A difference adds the complement: the flag says that nothing was borrowed.
                let borrow = if step.number & 1 != 0 { 1 - extra } else { 0 };
                let less = u128::from(b[lane]) + borrow;
                (u128::from(a[lane]).wrapping_sub(less), u128::from(a[lane]) >= less)
            } else {
                let sum = u128::from(a[lane]) + u128::from(b[lane]) + extra;
                (sum, sum > u128::from(limit))
            };
            d[lane] = sum as u64 & limit;
            out |= u32::from(over) << lane;
        }
        if wide {
            set_vector(warp, step.to[0], &d);
        } else {
            set_vector(warp, step.to[0], &d.map(|x| x as u32));
        }
        if step.number & 2 != 0 {
            set_predicate(warp, step.from[3], out);
        }
    }
    Flow::Next
}

/// The clock registers. `number`: 0 the counter, 1 the time in nanoseconds; bit 1: upper half, bit 2: 64 bits.
pub unsafe fn clock(warp: &mut Warp, step: &Step) -> Flow {
    let value = if step.number & 1 == 0 {
        // SAFETY: reads the time stamp counter.
        unsafe { core::arch::x86_64::_rdtsc() }
    } else {
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |d| d.as_nanos() as u64)
    };
    // SAFETY: the contract of `Execute`.
    unsafe {
        if step.number & 4 != 0 {
            set_vector(warp, step.to[0], &[value; LANES]);
        } else {
            let half = if step.number & 2 != 0 { value >> 32 } else { value };
            set_vector(warp, step.to[0], &[half as u32; LANES]);
        }
    }
    Flow::Next
}

/// `bra`.
pub unsafe fn branch(warp: &mut Warp, step: &Step) -> Flow {
    warp.branch(step.number, step.meet, step.value)
}

/// `brx.idx`: positions are in table `number` of the function.
pub unsafe fn branch_table(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    let picks = unsafe { vector::<u32>(warp, step.from[0]) };
    let Some(table) = warp.code().tables.get(step.number as usize) else {
        return Flow::Fault(Trouble::IllegalTarget);
    };
    let here = warp.position;
    let mut ways: Vec<(u32, u32)> = Vec::new();
    let mut goes_back = false;
    for (lane, &pick) in picks.iter().enumerate() {
        if warp.mask >> lane & 1 == 0 {
            continue;
        }
        let Some(&to) = table.get(pick as usize) else { return Flow::Fault(Trouble::IllegalTarget) };
        goes_back |= to <= here;
        match ways.iter_mut().find(|w| w.0 == to) {
            Some(way) => way.1 |= 1 << lane,
            None => ways.push((to, 1 << lane)),
        }
    }
    let rest = warp.active & !warp.mask;
    if rest != 0 {
        ways.push((warp.position + 1, rest));
    }
    match ways.as_slice() {
        [(to, _)] => warp.position = *to,
        ways => warp.part(ways, step.meet),
    }
    if goes_back {
        return warp.jumped(step.value);
    }
    Flow::Jump
}

/// `ret`.
pub unsafe fn return_(warp: &mut Warp, _: &Step) -> Flow {
    warp.return_()
}

/// `exit`.
pub unsafe fn exit(warp: &mut Warp, _: &Step) -> Flow {
    warp.exit()
}

/// `trap`.
pub unsafe fn trap(_: &mut Warp, _: &Step) -> Flow {
    Flow::Fault(Trouble::Trap)
}

/// Any instruction that is not implemented.
pub unsafe fn not_implemented(_: &mut Warp, _: &Step) -> Flow {
    Flow::Fault(Trouble::IllegalInstruction)
}

/// `membar`, `fence`.
pub unsafe fn fence(_: &mut Warp, _: &Step) -> Flow {
    core::sync::atomic::fence(core::sync::atomic::Ordering::SeqCst);
    Flow::Next
}

/// Has no effect here: hints, and barriers among lanes that run together anyway.
pub unsafe fn nothing(_: &mut Warp, _: &Step) -> Flow {
    Flow::Next
}

/// `nanosleep`: others get their turn.
pub unsafe fn pause(warp: &mut Warp, _: &Step) -> Flow {
    warp.position += 1;
    warp.step_aside();
    Flow::Yield
}

/// A comparison of 16-bit floating point numbers. `value`: the format, the comparison from bit 8 on, the combination with the
/// third operand from bit 16 on, which `number` negates. The second result is for the upper numbers of pairs.
pub unsafe fn compare_halves(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        let a = vector::<u32>(warp, step.from[0]);
        let b = vector::<u32>(warp, step.from[1]);
        let (how, comparison) = (step.value & 0xff, step.value >> 8 & 15);
        let compare = |shift: u32| {
            let one = |lane: usize| {
                let (a, b) = ((a[lane] >> shift) as u16, (b[lane] >> shift) as u16);
                u32::from(crate::numeric::half::compare(how, comparison, a, b)) << lane
            };
            (0..LANES).map(one).fold(0, |all, bit| all | bit)
        };
        let (mut p, mut q) = (compare(0), compare(16));
        let combination = step.value >> 16 & 3;
        if combination != 0 {
            let c = predicate(warp, step.from[2]) ^ if step.number != 0 { u32::MAX } else { 0 };
            let combine = |x: u32| match combination {
                1 => x & c,
                2 => x | c,
                _ => x ^ c,
            };
            (p, q) = (combine(p), combine(q));
        }
        set_predicate(warp, step.to[0], p);
        if step.to[1] != u32::MAX {
            set_predicate(warp, step.to[1], q);
        }
    }
    Flow::Next
}
