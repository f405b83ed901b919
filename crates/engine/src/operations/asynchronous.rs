//! Copies that a device does in the background. Here they are done at once, which is within what is promised: no program may
//! rely on them being late. What waits for them has nothing to wait for, except a barrier that counts bytes.

use crate::numeric::float::{Brain16, Float16, Half};
use crate::numeric::value::LANES;
use crate::operations::mbarrier::{self, WordPlace};
use crate::operations::memory::translate;
use crate::operations::team::Team;
use crate::state::fault::Fault;
use crate::state::payload::payload;
use crate::state::registers::{predicate, set_vector, vector};
use crate::state::step::Flow;
use crate::state::warp::{Step, Warp};
use ptx::AtomicOperation;
use ptx::Type;

/// Replaces an atomic word by what a function makes of it.
macro_rules! atomically {
    ($word:expr, $change:expr) => {{
        let (relaxed, all) = (core::sync::atomic::Ordering::Relaxed, core::sync::atomic::Ordering::SeqCst);
        let change = $change;
        let mut old = $word.load(relaxed);
        while let Err(now) = $word.compare_exchange_weak(old, change(old), all, relaxed) {
            old = now;
        }
    }};
}

payload! {
    /// `cp.async`.
    pub struct SmallCopy {
        /// Bytes in all; what the source lacks is zero.
        pub bytes: u8,
        /// The source is in shared memory.
        pub from_shared: bool,
        /// The fourth operand is a predicate that says to ignore the source.
        pub ignores: bool,
        /// The address of the destination has 32 bits.
        pub narrow: bool,
        /// What is added to the addresses of destination and source.
        pub offsets: [i32; 2],
    }
}

impl SmallCopy {
    /// The addresses of all lanes: of destination and source.
    ///
    /// # Safety
    /// The contract of [`Execute`](crate::state::warp::Execute).
    pub unsafe fn addresses(self, warp: &Warp, step: &Step) -> [[u64; LANES]; 2] {
        let [to, from] = self.offsets.map(i64::from);
        // SAFETY: the same contract.
        unsafe {
            let places = if self.narrow {
                vector::<u32>(warp, step.from[0]).map(u64::from)
            } else {
                vector::<u64>(warp, step.from[0])
            };
            let sources = vector::<u64>(warp, step.from[1]);
            [places.map(|at| at.wrapping_add_signed(to)), sources.map(|at| at.wrapping_add_signed(from))]
        }
    }
}

payload! {
    /// `cp.async.bulk` and `cp.reduce.async.bulk`.
    pub struct BulkCopy {
        /// Which operands are addresses of shared memory.
        pub to_shared: bool,
        pub from_shared: bool,
        pub barrier_shared: bool,
        /// There is a barrier that counts the bytes.
        pub counts: bool,
        /// The copy goes to several blocks of the cluster.
        pub multicast: bool,
        /// A mask says which bytes of each 16 are copied.
        pub masked: bool,
        /// Instead of a mask there is how many bytes at both ends nobody wants ([`ignored`]). They are copied all the same, as they are by
        /// what the assembler makes of it for a device of capability 9.0.
        pub ignores: bool,
        /// To the memory of all devices behind a multicast address.
        pub multimem: bool,
        /// What is done to what is there, if it is not replaced.
        pub change: PackedChange,
    }
}

impl BulkCopy {
    /// From shared memory to other, with nothing else.
    pub const OUT: BulkCopy = BulkCopy {
        to_shared: false,
        from_shared: true,
        barrier_shared: false,
        counts: false,
        multicast: false,
        masked: false,
        ignores: false,
        multimem: false,
        change: PackedChange { operation: 0, ty: 0 },
    };
}

payload! {
    /// `st.async` and `red.async`.
    pub struct AsynchronousStore {
        /// How many values.
        pub count: u8,
        pub change: PackedChange,
    }
}

payload! {
    /// `cp.async.mbarrier.arrive`.
    pub struct Arrival {
        pub place: WordPlace,
        /// The barrier counts on the arrival.
        pub counts: bool,
    }
}

payload! {
    /// A [`Change`], by its indices in lists.
    pub struct PackedChange {
        operation: u8,
        ty: u8,
    }
}

pub fn lanes(warp: &Warp) -> impl Iterator<Item = usize> + use<> {
    let mask = warp.mask;
    (0..LANES).filter(move |&lane| mask >> lane & 1 != 0)
}

/// `cp.async`: to, from, bytes of the source.
pub unsafe fn copy(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`; what an address leads to is guarded.
    unsafe {
        let how: SmallCopy = step.payload();
        let [to, from] = how.addresses(warp, step);
        let sizes = vector::<u32>(warp, step.from[2]);
        let SmallCopy { bytes, from_shared, ignores, .. } = how;
        let ignored = if ignores { predicate(warp, step.from[3]) } else { 0 };
        let bytes = bytes as usize;
        for lane in lanes(warp) {
            let size = if ignored >> lane & 1 != 0 { 0 } else { (sizes[lane] as usize).min(bytes) };
            if (to[lane] | from[lane]) & (bytes as u64 - 1) != 0 {
                return Flow::Fault(Fault::Misaligned);
            }
            let at = translate(warp, lane, to[lane], bytes, true);
            let source = translate(warp, lane, from[lane], size, from_shared);
            let (Ok(at), Ok(source)) = (at, source) else { return Flow::Fault(Fault::IllegalAddress) };
            let mut data = [0u8; 16];
            core::ptr::copy_nonoverlapping(source as *const u8, data.as_mut_ptr(), size);
            core::ptr::copy_nonoverlapping(data.as_ptr(), at as *mut u8, bytes);
        }
    }
    Flow::Next
}

/// Checks what bulk copies need: everything in pieces of 16 bytes.
pub fn aligned(to: u64, from: u64, bytes: u32) -> Result<(), Fault> {
    if (to | from | u64::from(bytes)).is_multiple_of(16) { Ok(()) } else { Err(Fault::Misaligned) }
}

impl AsynchronousStore {
    /// Bytes of all values.
    pub fn bytes(self) -> u64 {
        u64::from(self.count) * Change::unpack(self.change).ty.bytes() as u64
    }
}

/// The ranks that a multicast goes to: those of the mask; else the block that the address names.
pub fn targets(address: u64, mask: Option<u32>) -> impl Iterator<Item = u64> {
    let ranks = (0..16u64).filter(move |rank| mask.unwrap_or(1) >> rank & 1 != 0);
    ranks.map(move |rank| if mask.is_some() { (rank + 1) << 24 | address & 0xff_ffff } else { address })
}

impl BulkCopy {
    /// Writes `length` bytes that begin `at` bytes from the source, or those of them that the mask names.
    pub unsafe fn put(self, to: u64, source: u64, at: u64, length: u64, mask: u32) {
        let from = source + at;
        // SAFETY: both have been translated; what they lead to is guarded.
        unsafe {
            if !self.masked {
                core::ptr::copy(from as *const u8, to as *mut u8, length as usize);
                return;
            }
            for i in (0..length).filter(|i| mask >> ((at + i) % 16) & 1 != 0) {
                *((to + i) as *mut u8) = *((from + i) as *const u8);
            }
        }
    }
}

/// How many bytes at both ends of a copy nobody wants, fewer than 16, as one number.
pub unsafe fn ignored(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        let (left, right) = (vector::<u32>(warp, step.from[0]), vector::<u32>(warp, step.from[1]));
        let both: [u32; LANES] = core::array::from_fn(|lane| left[lane] & 15 | (right[lane] & 15) << 16);
        set_vector(warp, step.to[0], &both);
    }
    Flow::Next
}

/// `cp.async.bulk`: to, from, bytes, barrier, mask of blocks or of bytes, or how many are ignored.
pub unsafe fn bulk(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`; what an address leads to is guarded.
    unsafe {
        let (to, from) = (vector::<u64>(warp, step.from[0]), vector::<u64>(warp, step.from[1]));
        let sizes = vector::<u32>(warp, step.from[2]);
        let barriers = vector::<u64>(warp, step.from[3]);
        let masks = vector::<u32>(warp, step.from[4]);
        let how: BulkCopy = step.payload();
        for lane in lanes(warp) {
            let bytes = sizes[lane] as usize;
            let done = (|| {
                aligned(to[lane], from[lane], sizes[lane])?;
                let source = translate(warp, lane, from[lane], bytes, how.from_shared)?;
                let blocks = how.multicast.then_some(masks[lane] & 0xffff);
                for target in targets(to[lane], blocks) {
                    let put = |to, at, length| how.put(to, source, at, length, masks[lane]);
                    match translate(warp, lane, target, bytes, how.to_shared) {
                        Ok(at) => put(at, 0, bytes as u64),
                        Err(Fault::IllegalAddress) if !how.to_shared => {
                            Team::new(true).pieces(warp, target, bytes as u64, put)?;
                        }
                        Err(fault) => return Err(fault),
                    }
                }
                if how.counts {
                    for barrier in targets(barriers[lane], blocks) {
                        complete(warp, lane, barrier, sizes[lane], how.barrier_shared)?;
                    }
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

/// Tells a barrier of bytes that are there.
pub unsafe fn complete(warp: &Warp, lane: usize, barrier: u64, bytes: u32, shared: bool) -> Result<(), Fault> {
    if !barrier.is_multiple_of(8) {
        return Err(Fault::Misaligned);
    }
    // SAFETY: the step runs inside `guard::run`.
    unsafe {
        let at = translate(warp, lane, barrier, 8, shared)?;
        mbarrier::update(at, |word| word.complete(bytes));
    }
    Ok(())
}

/// `cp.reduce.async.bulk`: to, from, bytes, barrier.
pub unsafe fn reduce_bulk(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`; what an address leads to is guarded.
    unsafe {
        let (to, from) = (vector::<u64>(warp, step.from[0]), vector::<u64>(warp, step.from[1]));
        let sizes = vector::<u32>(warp, step.from[2]);
        let barriers = vector::<u64>(warp, step.from[3]);
        let how: BulkCopy = step.payload();
        let change = Change::unpack(how.change);
        for lane in lanes(warp) {
            let done = (|| {
                aligned(to[lane], from[lane], sizes[lane])?;
                let bytes = sizes[lane] as usize;
                let source = translate(warp, lane, from[lane], bytes, how.from_shared)?;
                let at = translate(warp, lane, to[lane], bytes, how.to_shared)?;
                change.apply_all(at, source, bytes);
                if how.counts {
                    complete(warp, lane, barriers[lane], sizes[lane], how.barrier_shared)?;
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

/// `st.async` and `red.async`: to, barrier, up to three values; a fourth is where results otherwise are.
pub unsafe fn store(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`; what an address leads to is guarded.
    unsafe {
        let to = vector::<u64>(warp, step.from[0]);
        let barriers = vector::<u64>(warp, step.from[1]);
        let AsynchronousStore { count, change } = step.payload();
        let (count, change) = (usize::from(count), Change::unpack(change));
        let size = change.ty.bytes();
        let places = [step.from[2], step.from[3], step.from[4], step.to[0]];
        for lane in lanes(warp) {
            let done = (|| {
                if !to[lane].is_multiple_of((size * count) as u64) {
                    return Err(Fault::Misaligned);
                }
                let at = translate(warp, lane, to[lane], size * count, true)?;
                for (n, &place) in places.iter().take(count).enumerate() {
                    let value = if size == 8 {
                        vector::<u64>(warp, place)[lane]
                    } else {
                        vector::<u32>(warp, place)[lane].into()
                    };
                    change.apply(at + (n * size) as u64, value);
                }
                complete(warp, lane, barriers[lane], (size * count) as u32, true)
            })();
            if let Err(fault) = done {
                return Flow::Fault(fault);
            }
        }
    }
    Flow::Next
}

/// `st.bulk`: where to, and how many bytes become zero.
pub unsafe fn fill(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`; what an address leads to is guarded.
    unsafe {
        let (to, sizes) = (vector::<u64>(warp, step.from[0]), vector::<u64>(warp, step.from[1]));
        let WordPlace { shared } = step.payload();
        for lane in lanes(warp) {
            if !to[lane].is_multiple_of(8) || !sizes[lane].is_multiple_of(8) {
                return Flow::Fault(Fault::Misaligned);
            }
            match translate(warp, lane, to[lane], sizes[lane] as usize, shared) {
                Ok(at) => core::ptr::write_bytes(at as *mut u8, 0, sizes[lane] as usize),
                Err(fault) => return Flow::Fault(fault),
            }
        }
    }
    Flow::Next
}

/// `cp.async.mbarrier.arrive`. Where the barrier does not count on the arrival, one that is added before and taken back now changes
/// nothing.
pub unsafe fn arrive(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`; what an address leads to is guarded.
    unsafe {
        let addresses = vector::<u64>(warp, step.from[0]);
        let Arrival { place, counts } = step.payload();
        for lane in lanes(warp) {
            if !addresses[lane].is_multiple_of(8) {
                return Flow::Fault(Fault::Misaligned);
            }
            match translate(warp, lane, addresses[lane], 8, place.shared) {
                Ok(at) if counts => _ = mbarrier::update(at, |word| word.arrive(1, false)),
                Ok(at) => _ = (at as *const u64).read_volatile(),
                Err(fault) => return Flow::Fault(fault),
            }
        }
    }
    Flow::Next
}

/// A change of a value in memory: an operation, or none for a store.
#[derive(Clone, Copy)]
pub struct Change {
    pub operation: Option<AtomicOperation>,
    pub ty: Type,
    /// Subnormal singles count as zeros.
    pub flushes: bool,
}

impl Change {
    const OPERATIONS: [AtomicOperation; 8] = [
        AtomicOperation::Add,
        AtomicOperation::Min,
        AtomicOperation::Max,
        AtomicOperation::And,
        AtomicOperation::Or,
        AtomicOperation::Xor,
        AtomicOperation::Increment,
        AtomicOperation::Decrement,
    ];
    const TYPES: [Type; 13] = [
        Type::B32,
        Type::B64,
        Type::U32,
        Type::U64,
        Type::S32,
        Type::S64,
        Type::F16,
        Type::Bf16,
        Type::F32,
        Type::F64,
        Type::B16,
        Type::B8,
        Type::U16,
    ];

    /// For the payload of a step; `None` for what there is not.
    pub fn pack(self) -> Option<PackedChange> {
        let operation = match self.operation {
            None => Change::OPERATIONS.len(),
            Some(operation) => Change::OPERATIONS.iter().position(|o| *o == operation)?,
        };
        let ty = Change::TYPES.iter().position(|ty| *ty == self.ty)?;
        let change = PackedChange { operation: operation as u8, ty: ty as u8 };
        let arithmetic = !matches!(self.ty, Type::B32 | Type::B64 | Type::B16 | Type::B8);
        let fits = match self.operation {
            None => true,
            Some(AtomicOperation::Add | AtomicOperation::Min | AtomicOperation::Max) => arithmetic,
            Some(AtomicOperation::And | AtomicOperation::Or | AtomicOperation::Xor) => !self.ty.is_float(),
            _ => self.ty == Type::U32,
        };
        fits.then_some(change)
    }

    pub fn unpack(change: PackedChange) -> Change {
        let operation = Change::OPERATIONS.get(usize::from(change.operation)).copied();
        let ty = Change::TYPES.get(usize::from(change.ty)).copied().unwrap_or(Type::B32);
        Change { operation, ty, flushes: false }
    }

    /// Changes the value at an address.
    unsafe fn apply(self, at: u64, b: u64) {
        // SAFETY: the step runs inside `guard::run`; the address is aligned.
        unsafe {
            match self.ty.bytes() {
                1 => (at as *mut u8).write_volatile(self.of(u64::from((at as *const u8).read_volatile()), b) as u8),
                2 => (at as *mut u16).write_volatile(self.of(u64::from((at as *const u16).read_volatile()), b) as u16),
                4 => {
                    let word = core::sync::atomic::AtomicU32::from_ptr(at as *mut u32);
                    atomically!(word, |old| self.of(u64::from(old), b) as u32);
                }
                _ => {
                    let word = core::sync::atomic::AtomicU64::from_ptr(at as *mut u64);
                    atomically!(word, |old| self.of(old, b));
                }
            }
        }
    }

    /// Changes values one behind the other.
    pub unsafe fn apply_all(self, to: u64, from: u64, bytes: usize) {
        let size = self.ty.bytes().max(1);
        for offset in (0..bytes).step_by(size) {
            let mut value = [0u8; 8];
            // SAFETY: as for `apply`.
            unsafe {
                core::ptr::copy_nonoverlapping((from + offset as u64) as *const u8, value.as_mut_ptr(), size);
                self.apply(to + offset as u64, u64::from_le_bytes(value));
            }
        }
    }

    /// The new value.
    fn of(self, a: u64, b: u64) -> u64 {
        use AtomicOperation::*;
        let Some(operation) = self.operation else { return b };
        let float = |a: f64, b: f64| match operation {
            Add => a + b,
            Min => crate::numeric::float::min64(a, b),
            _ => crate::numeric::float::max64(a, b),
        };
        match self.ty {
            Type::F16 => float_16::<Float16>(a, b, float),
            Type::Bf16 => float_16::<Brain16>(a, b, float),
            Type::F32 => {
                let flush = |x| if self.flushes { crate::numeric::float::flush(x) } else { x };
                let wide = |x: u64| f64::from(flush(f32::from_bits(x as u32)));
                u64::from(crate::numeric::float::canonical(flush(float(wide(a), wide(b)) as f32)).to_bits())
            }
            Type::F64 if operation == Add => crate::operations::atomic::add64(a, b),
            Type::F64 => float(f64::from_bits(a), f64::from_bits(b)).to_bits(),
            ty => {
                let bits = 64 - 8 * ty.bytes() as u32;
                let signed = ty.is_signed();
                let less = |a: u64, b: u64| {
                    if signed { ((a << bits) as i64) < ((b << bits) as i64) } else { (a << bits) < (b << bits) }
                };
                match operation {
                    Add => a.wrapping_add(b),
                    Min => {
                        if less(b, a) {
                            b
                        } else {
                            a
                        }
                    }
                    Max => {
                        if less(a, b) {
                            b
                        } else {
                            a
                        }
                    }
                    And => a & b,
                    Or => a | b,
                    Xor => a ^ b,
                    Increment => {
                        if a as u32 >= b as u32 {
                            0
                        } else {
                            a + 1
                        }
                    }
                    Decrement => {
                        if a == 0 || a as u32 > b as u32 {
                            b
                        } else {
                            a - 1
                        }
                    }
                    _ => b,
                }
            }
        }
    }
}

fn float_16<H: Half<Lane = u32>>(a: u64, b: u64, f: impl Fn(f64, f64) -> f64) -> u64 {
    let wide = |x: u64| f64::from(H::get(x as u32 & 0xffff).to_f32());
    u64::from(H::nearest(f(wide(a), wide(b))).put() & 0xffff)
}
