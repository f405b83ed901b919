//! `multimem`: accesses of the memory that all devices of a team have behind a multicast address.
//!
//! Devices take their turns in their order, on every device and in every process that does it: sums of floating point numbers
//! come out the same everywhere.

use crate::numeric::float::{canonical, flush, max64, min64};
use crate::numeric::narrow_float::{Format, Narrowing};
use crate::numeric::value::LANES;
use crate::operations::asynchronous::{BulkCopy, Change, aligned, lanes};
use crate::operations::atomic::add64;
use crate::operations::memory::translate;
use crate::operations::team::{Team, write};
use crate::state::fault::Fault;
use crate::state::payload::payload;
use crate::state::registers::{set_vector, vector};
use crate::state::step::Flow;
use crate::state::warp::{Step, Warp};
use core::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering, fence};

payload! {
    /// What is done.
    pub enum Action {
        /// `ld_reduce`
        Load,
        /// `st`
        Store,
        /// `red`
        Change,
    }
}

payload! {
    /// How values are put together.
    pub enum Operation {
        Add,
        Min,
        Max,
        And,
        Or,
        Xor,
    }
}

payload! {
    /// What the values are.
    pub enum Element {
        Unsigned,
        Signed,
        F16,
        Bf16,
        F32,
        F64,
        E4m3,
        E5m2,
    }
}

payload! {
    /// What sums of numbers of at most 16 bits are kept in.
    pub enum Accumulator {
        /// The format of the values.
        Own,
        F16,
        F32,
    }
}

payload! {
    /// One register of an access.
    pub struct Multimem {
        pub action: Action,
        pub operation: Operation,
        pub element: Element,
        pub accumulator: Accumulator,
        /// Acquires or releases.
        pub orders: bool,
        /// Bytes of one value, and of the register, which may hold several.
        pub value: u8,
        pub word: u8,
        /// Where the register's bytes begin, and bytes of the access as a whole.
        pub at: u8,
        pub whole: u8,
    }
}

impl Element {
    /// The format of numbers of at most 16 bits.
    fn format(self) -> Option<Format> {
        match self {
            Element::F16 => Some(Format::F16),
            Element::Bf16 => Some(Format::Bf16),
            Element::E4m3 => Some(Format::E4m3),
            Element::E5m2 => Some(Format::E5m2),
            _ => None,
        }
    }
}

/// The bits of a number in a narrow format. The formats of eight bits have no infinity to go to.
fn rounded(x: f64, to: Format) -> u64 {
    let finite = matches!(to, Format::E4m3 | Format::E5m2);
    u64::from(Narrowing { to, from: Format::F32, relu: false, finite, up: false, random: 0 }.nearest(x))
}

impl Multimem {
    /// Whether memory is written.
    pub fn writes(self) -> bool {
        self.action != Action::Load
    }

    /// Puts words together, value by value: those of the devices, in order; or what is there and what comes to it.
    pub fn put_together(self, words: &[u64]) -> u64 {
        let bits = u32::from(self.value) * 8;
        let mask = u64::MAX >> (64 - bits.clamp(1, 64));
        let mut result = 0;
        for shift in (0..u32::from(self.word) * 8).step_by(bits.max(8) as usize) {
            result |= (self.values(words.iter().map(|word| word >> shift & mask)) & mask) << shift;
        }
        result
    }

    fn values(self, mut all: impl Iterator<Item = u64>) -> u64 {
        if let Some(format) = self.element.format() {
            return self.numbers(format, all.map(|bits| format.value(bits as u32)));
        }
        let first = all.next().unwrap_or(0);
        all.fold(first, |a, b| self.wide(a, b))
    }

    fn numbers(self, format: Format, mut all: impl Iterator<Item = f64>) -> u64 {
        let first = all.next().unwrap_or(0.0);
        let sum = |a: f64, b: f64| match self.accumulator {
            Accumulator::F32 => f64::from(a as f32 + b as f32),
            Accumulator::F16 => Format::F16.value(rounded(a + b, Format::F16) as u32),
            Accumulator::Own => format.value(rounded(a + b, format) as u32),
        };
        let result = all.fold(first, |a, b| match self.operation {
            Operation::Min => min64(a, b),
            Operation::Max => max64(a, b),
            _ => sum(a, b),
        });
        rounded(result, format)
    }

    /// Two values of 32 or 64 bits.
    fn wide(self, a: u64, b: u64) -> u64 {
        // Of numbers with a sign, as numbers without that order the same.
        let key = |x: u64| match (self.element, self.value) {
            (Element::Signed, 4) => u64::from(x as u32 ^ 1 << 31),
            (Element::Signed, _) => x ^ 1 << 63,
            _ => x,
        };
        match (self.operation, self.element) {
            (Operation::Add, Element::F32) => {
                // As `red` does in global memory, which flushes subnormal numbers.
                let flush = |x| if self.action == Action::Change { flush(x) } else { x };
                let number = |bits: u64| flush(f32::from_bits(bits as u32));
                flush(canonical(number(a) + number(b))).to_bits().into()
            }
            (Operation::Add, Element::F64) => add64(a, b),
            (Operation::Add, _) => a.wrapping_add(b),
            (Operation::Min, _) => {
                if key(b) < key(a) {
                    b
                } else {
                    a
                }
            }
            (Operation::Max, _) => {
                if key(b) > key(a) {
                    b
                } else {
                    a
                }
            }
            (Operation::And, _) => a & b,
            (Operation::Or, _) => a | b,
            (Operation::Xor, _) => a ^ b,
        }
    }
}

/// Reads a word that others may change.
unsafe fn read(at: u64, bytes: u8) -> u64 {
    // SAFETY: aligned memory of a device, as the caller has checked; guarded.
    unsafe {
        match bytes {
            1 => (at as *const u8).read_volatile().into(),
            2 => (at as *const u16).read_volatile().into(),
            4 => (at as *const u32).read_volatile().into(),
            _ => (at as *const u64).read_volatile(),
        }
    }
}

/// Changes a word, undivided.
unsafe fn update(at: u64, bytes: u8, change: impl Fn(u64) -> u64) {
    macro_rules! word {
        ($atomic:ty, $bits:ty) => {{
            // SAFETY: as for `read`.
            let word = unsafe { <$atomic>::from_ptr(at as *mut $bits) };
            let mut old = word.load(Ordering::Relaxed);
            while let Err(now) =
                word.compare_exchange_weak(old, change(old.into()) as $bits, Ordering::SeqCst, Ordering::Relaxed)
            {
                old = now;
            }
        }};
    }
    match bytes {
        2 => word!(AtomicU16, u16),
        4 => word!(AtomicU32, u32),
        _ => word!(AtomicU64, u64),
    }
}

/// One register of `multimem.ld_reduce`, `.st` and `.red`: address and value.
pub unsafe fn access(warp: &mut Warp, step: &Step) -> Flow {
    let how: Multimem = step.payload();
    let mut team = Team::new(how.writes());
    // SAFETY: the contract of `Execute`; the services vouch for what replicas are, and their pages may still fault.
    unsafe {
        let addresses = vector::<u64>(warp, step.from[0]);
        let given: [u64; LANES] = match (how.writes(), how.word) {
            (false, _) => [0; LANES],
            (true, 8) => vector::<u64>(warp, step.from[1]),
            (true, _) => vector::<u32>(warp, step.from[1]).map(u64::from),
        };
        let mut results = [0u64; LANES];
        if how.orders && how.writes() {
            fence(Ordering::SeqCst);
        }
        for lane in lanes(warp) {
            if addresses[lane] & u64::from(how.whole - 1) != 0 {
                return Flow::Fault(Fault::Misaligned);
            }
            let address = addresses[lane].wrapping_add(how.at.into());
            let places = match team.places(warp, address, how.word.into()) {
                Ok(places) => places,
                Err(fault) => return Flow::Fault(fault),
            };
            match how.action {
                Action::Store => places.for_each(|at| write(at, how.word, given[lane])),
                Action::Change => {
                    places.for_each(|at| update(at, how.word, |old| how.put_together(&[old, given[lane]])));
                }
                Action::Load => {
                    let (mut words, mut count) = ([0; MOST_DEVICES], 0);
                    for (word, at) in words.iter_mut().zip(places) {
                        *word = read(at, how.word);
                        count += 1;
                    }
                    results[lane] = how.put_together(&words[..count]);
                }
            }
        }
        if how.action == Action::Load {
            if how.orders {
                fence(Ordering::SeqCst);
            }
            match how.word {
                8 => set_vector(warp, step.to[0], &results),
                _ => set_vector(warp, step.to[0], &results.map(|word| word as u32)),
            }
        }
    }
    Flow::Next
}

/// Devices of a team: as many as a process can have.
pub const MOST_DEVICES: usize = 64;

/// `multimem.cp.async.bulk`: to, from, bytes, and a mask of bytes.
pub unsafe fn bulk(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the same contract.
    unsafe { spread(warp, step, None) }
}

/// `multimem.cp.reduce.async.bulk`: to, from, bytes.
pub unsafe fn reduce_bulk(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the same contract.
    unsafe { spread(warp, step, Some(Change::unpack(step.payload::<BulkCopy>().change))) }
}

unsafe fn spread(warp: &mut Warp, step: &Step, change: Option<Change>) -> Flow {
    let how: BulkCopy = step.payload();
    // SAFETY: as for `access`.
    unsafe {
        let (to, from) = (vector::<u64>(warp, step.from[0]), vector::<u64>(warp, step.from[1]));
        let (sizes, masks) = (vector::<u32>(warp, step.from[2]), vector::<u32>(warp, step.from[4]));
        let mut team = Team::new(true);
        for lane in lanes(warp) {
            let mut done = || {
                aligned(to[lane], from[lane], sizes[lane])?;
                let bytes = u64::from(sizes[lane]);
                let source = translate(warp, lane, from[lane], bytes as usize, how.from_shared)?;
                team.pieces(warp, to[lane], bytes, |to, at, length| match change {
                    Some(change) => change.apply_all(to, source + at, length as usize),
                    None => how.put(to, source, at, length, masks[lane]),
                })
            };
            if let Err(fault) = done() {
                return Flow::Fault(fault);
            }
        }
    }
    Flow::Next
}
