//! Steps in which lanes exchange values: shuffles, votes, reductions and barriers.

use crate::numeric::packed::Extreme;
use crate::numeric::value::{LANES, SimdLevel, pack, permute, simd_level};
use crate::state::fault::Fault;
use crate::state::fiber::{BarrierKind, Hold};
use crate::state::payload::payload;
use crate::state::registers::{predicate, set_lanes, set_predicate, set_vector, vector};
use crate::state::step::Flow;
use crate::state::warp::{Arrival, Step, Warp};

payload! {
    /// Which lane `shfl` takes a value from.
    pub enum ShuffleMode {
        Up,
        Down,
        Butterfly,
        Index,
    }
}

/// `shfl`, by a [`ShuffleMode`]; the second result says whether the source was in range.
pub unsafe fn shuffle(warp: &mut Warp, step: &Step) -> Flow {
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
    unsafe fn shuffle512(warp: &mut Warp, step: &Step) {
        // SAFETY: the same contract.
        unsafe { shuffle_body::<{ SimdLevel::Avx512 as u8 }>(warp, step) }
    }
    // SAFETY: the contract of `Execute`.
    unsafe {
        if !warp.together(step.from[3]) {
            return Flow::Held;
        }
        if simd_level() == SimdLevel::Avx512 {
            shuffle512(warp, step);
        } else {
            shuffle_body::<{ SimdLevel::Plain as u8 }>(warp, step);
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
        match step.payload() {
            ShuffleMode::Up => {
                sources!(|own, by, most, least, segment| (own.wrapping_sub(by), own as i32 - by as i32 >= most as i32))
            }
            ShuffleMode::Down => sources!(|own, by, most, least, segment| (own + by, own + by <= most)),
            ShuffleMode::Butterfly => sources!(|own, by, most, least, segment| (own ^ by, own ^ by <= most)),
            ShuffleMode::Index => sources!(|own, by, most, least, segment| {
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

payload! {
    /// What a vote asks.
    pub enum VoteMode {
        All,
        Any,
        Uniform,
        Ballot,
    }
}

payload! {
    /// A vote.
    pub struct Vote {
        pub mode: VoteMode,
        /// The predicate is negated.
        pub negated: bool,
    }
}

/// `vote`.
pub unsafe fn vote(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        if !warp.together(step.from[2]) {
            return Flow::Held;
        }
        let Vote { mode, negated } = step.payload();
        let p = predicate(warp, step.from[0]) ^ if negated { u32::MAX } else { 0 };
        let members = vector::<u32>(warp, step.from[1]);
        let here = warp.mask;
        let all_ones = |holds: bool| if holds { u32::MAX } else { 0 };
        let mut ballot = [0u32; LANES];
        let mut bits = 0;
        for lane in 0..LANES {
            let who = members[lane] & here;
            let yes = p & who;
            ballot[lane] = yes;
            let holds = match mode {
                VoteMode::All => yes == who,
                VoteMode::Any => yes != 0,
                VoteMode::Uniform | VoteMode::Ballot => yes == who || yes == 0,
            };
            bits |= all_ones(holds) & 1 << lane;
        }
        if mode == VoteMode::Ballot {
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

payload! {
    /// A `match`.
    pub struct Match {
        /// Of values of 64 bits.
        pub wide: bool,
        /// All lanes must agree.
        pub all: bool,
    }
}

/// `match`.
pub unsafe fn match_lanes(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        if !warp.together(step.from[1]) {
            return Flow::Held;
        }
        let Match { wide, all } = step.payload();
        let values: [u64; LANES] =
            if wide { vector::<u64>(warp, step.from[0]) } else { vector::<u32>(warp, step.from[0]).map(u64::from) };
        let members = vector::<u32>(warp, step.from[1]);
        let here = warp.mask;
        let (mut d, mut bits) = ([0u32; LANES], 0);
        for lane in 0..LANES {
            let who = members[lane] & here;
            let same =
                (0..LANES).filter(|&l| who >> l & 1 != 0 && values[l] == values[lane]).fold(0, |m, l| m | 1 << l);
            let agree = same == who;
            d[lane] = if !all || agree { same } else { 0 };
            bits |= u32::from(agree) << lane;
        }
        set_vector(warp, step.to[0], &d);
        if step.to[1] != u32::MAX {
            set_predicate(warp, step.to[1], bits);
        }
    }
    Flow::Next
}

payload! {
    /// What `redux` does to two values.
    pub enum Reduction {
        Add,
        Min,
        Max,
        SignedMin,
        SignedMax,
        And,
        Or,
        Xor,
    }
}

/// `redux`, by a [`Reduction`].
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
                .reduce(|x, y| match step.payload() {
                    Reduction::Add => x.wrapping_add(y),
                    Reduction::Min => x.min(y),
                    Reduction::Max => x.max(y),
                    Reduction::SignedMin => (x as i32).min(y as i32) as u32,
                    Reduction::SignedMax => (x as i32).max(y as i32) as u32,
                    Reduction::And => x & y,
                    Reduction::Or => x | y,
                    Reduction::Xor => x ^ y,
                })
                .unwrap_or(0);
        }
        set_vector(warp, step.to[0], &d);
    }
    Flow::Next
}

payload! {
    /// What `redux` does to singles: an [`Extreme`] as a number.
    pub struct SingleReduction {
        pub how: i64,
    }
}

/// `redux` of singles, by a [`SingleReduction`].
pub unsafe fn reduce_singles(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        if !warp.together(step.from[1]) {
            return Flow::Held;
        }
        let SingleReduction { how } = step.payload();
        let extreme = Extreme::decode(how);
        let a = vector::<u32>(warp, step.from[0]).map(f32::from_bits);
        let members = vector::<u32>(warp, step.from[1]);
        let here = warp.mask;
        let d: [u32; LANES] = core::array::from_fn(|lane| {
            let who = members[lane] & here;
            // One alone is treated as two of it.
            let values = (0..LANES).filter(|&l| who >> l & 1 != 0).map(|l| extreme.of(a[l], a[l]));
            values.reduce(|x, y| extreme.of(x, y)).unwrap_or(0.0).to_bits()
        });
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

payload! {
    /// A barrier of the block.
    pub struct Barrier {
        pub kind: BarrierKind,
        /// The predicate is negated.
        pub negated: bool,
        /// These two say which it is; otherwise the operands do.
        pub known: bool,
        /// Warps come as a whole.
        pub aligned: bool,
        pub number: u32,
        pub threads: u32,
    }
}

/// A barrier of the block: its number in the first operand, the threads it expects in the second.
pub unsafe fn barrier(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        let Barrier { kind, negated, known, number, threads, .. } = step.payload();
        let (id, threads, same) = if known {
            (number, threads, u32::MAX)
        } else {
            let ids = vector::<u32>(warp, step.from[0]);
            let counts = vector::<u32>(warp, step.from[1]);
            let first = warp.mask.trailing_zeros() as usize & 31;
            let (id, threads) = (ids[first], counts[first]);
            (id, threads, (0..LANES).filter(|&l| (ids[l], counts[l]) == (id, threads)).fold(0, |all, l| all | 1 << l))
        };
        if id > 15 || threads % 32 != 0 {
            return Flow::Fault(Fault::IllegalInstruction);
        }
        if warp.mask & !same != 0 {
            // Lanes that go to another barrier do that on their own.
            let others = warp.mask & !same;
            warp.mask &= same;
            warp.park(others, Hold::Turn);
        }
        if !matches!(kind, BarrierKind::Wait | BarrierKind::Arrive) {
            let flip = if negated { u32::MAX } else { 0 };
            warp.vote = (predicate(warp, step.from[2]) ^ flip) & warp.mask;
            warp.reduction = Some((kind, step.to[0]));
        }
        warp.barrier = Arrival { barrier: id, threads, waits: kind != BarrierKind::Arrive };
    }
    warp.position += 1;
    Flow::Barrier
}
