//! Loads and stores.

use super::lanes::{LANES, set_vector, vector};
use super::step::{Execute, Flow, Step, Trouble};
use super::warp::Warp;
use crate::ptx::{Space, Type};

/// Where an address leads.
pub trait Window {
    /// The address in this process of an access of `bytes` bytes.
    unsafe fn reach(warp: &Warp, lane: usize, address: u64, bytes: usize) -> Result<u64, Trouble>;
}

/// Addresses as they are.
pub struct Plain;
/// Offsets into the block's shared memory.
pub struct Shared;
/// Offsets into the lane's local memory.
pub struct Local;

impl Window for Plain {
    #[inline(always)]
    unsafe fn reach(_: &Warp, _: usize, address: u64, _: usize) -> Result<u64, Trouble> {
        Ok(address)
    }
}

impl Window for Shared {
    #[inline(always)]
    unsafe fn reach(warp: &Warp, _: usize, address: u64, bytes: usize) -> Result<u64, Trouble> {
        // SAFETY: a warp that runs has surroundings.
        let around = unsafe { &*warp.around };
        let offset = u64::from(address as u32);
        if offset + bytes as u64 > u64::from(around.shared_bytes) {
            return Err(Trouble::IllegalAddress);
        }
        Ok(around.shared + offset)
    }
}

impl Window for Local {
    #[inline(always)]
    unsafe fn reach(warp: &Warp, lane: usize, address: u64, bytes: usize) -> Result<u64, Trouble> {
        if address.saturating_add(bytes as u64) > warp.stride {
            return Err(Trouble::IllegalAddress);
        }
        Ok(warp.local_of(lane) + address)
    }
}

/// How a value lies in memory and in a lane.
pub trait Memory: Copy {
    type Lane: Copy + Default;
    fn widen(self) -> Self::Lane;
    fn cut(lane: Self::Lane) -> Self;
}
/// The same type, in lanes of 32 or of 64 bits.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct In32<T>(T);
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct In64<T>(T);

macro_rules! memory {
    ($($t:ty, $w:ident, $lane:ty, |$x:ident| $e:expr;)*) => {$(
        impl Memory for $w<$t> {
            type Lane = $lane;
            #[inline(always)]
            fn widen(self) -> $lane { let $x = self.0; $e }
            #[inline(always)]
            fn cut(lane: $lane) -> Self { $w(lane as $t) }
        }
    )*};
}
memory! {
    u8, In32, u32, |x| u32::from(x);
    i8, In32, u32, |x| x as i32 as u32;
    u16, In32, u32, |x| u32::from(x);
    i16, In32, u32, |x| x as i32 as u32;
    u32, In32, u32, |x| x;
    u8, In64, u64, |x| u64::from(x);
    i8, In64, u64, |x| x as i64 as u64;
    u16, In64, u64, |x| u64::from(x);
    i16, In64, u64, |x| x as i64 as u64;
    u32, In64, u64, |x| u64::from(x);
    i32, In64, u64, |x| x as i64 as u64;
    u64, In64, u64, |x| x;
}

/// The addresses of all lanes: a register of 64 or 32 bits and an offset. `number` bit 0 says 32 bits.
#[inline(always)]
pub unsafe fn addresses(warp: &Warp, step: &Step) -> [u64; LANES] {
    // SAFETY: the contract of `Execute`.
    unsafe {
        if step.number & 1 == 0 {
            let mut all = vector::<u64>(warp, step.from[0]);
            for address in &mut all {
                *address = address.wrapping_add(step.value as u64);
            }
            all
        } else {
            let narrow = vector::<u32>(warp, step.from[0]);
            narrow.map(|a| u64::from(a.wrapping_add(step.value as u32)))
        }
    }
}

unsafe fn load<M: Memory, W: Window, const N: usize>(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`; what an address leads to is guarded.
    unsafe {
        let addresses = addresses(warp, step);
        let size = size_of::<M>();
        let mut results = [[M::Lane::default(); LANES]; N];
        for lane in 0..LANES {
            if warp.mask >> lane & 1 == 0 {
                continue;
            }
            if addresses[lane] & (size * N - 1) as u64 != 0 {
                return Flow::Fault(Trouble::Misaligned);
            }
            let at = match W::reach(warp, lane, addresses[lane], size * N) {
                Ok(at) => at as *const M,
                Err(trouble) => return Flow::Fault(trouble),
            };
            for (n, result) in results.iter_mut().enumerate() {
                result[lane] = at.add(n).read_volatile().widen();
            }
        }
        for (n, result) in results.iter().enumerate() {
            if step.to[n] != u32::MAX {
                set_vector(warp, step.to[n], result);
            }
        }
    }
    Flow::Next
}

unsafe fn store<M: Memory, W: Window, const N: usize>(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`; what an address leads to is guarded.
    unsafe {
        let addresses = addresses(warp, step);
        let size = size_of::<M>();
        let mut values = [[M::Lane::default(); LANES]; N];
        for (n, value) in values.iter_mut().enumerate() {
            *value = vector::<M::Lane>(warp, step.from[n + 1]);
        }
        for lane in 0..LANES {
            if warp.mask >> lane & 1 == 0 {
                continue;
            }
            if addresses[lane] & (size * N - 1) as u64 != 0 {
                return Flow::Fault(Trouble::Misaligned);
            }
            let at = match W::reach(warp, lane, addresses[lane], size * N) {
                Ok(at) => at as *mut M,
                Err(trouble) => return Flow::Fault(trouble),
            };
            for (n, value) in values.iter().enumerate() {
                at.add(n).write_volatile(M::cut(value[lane]));
            }
        }
    }
    Flow::Next
}

macro_rules! pick {
    ($f:ident, $space:expr, $ty:expr, $wide:expr, $count:expr) => {{
        macro_rules! count {
            ($m:ty, $w:ty) => {
                match $count {
                    1 => Some($f::<$m, $w, 1> as Execute),
                    2 => Some($f::<$m, $w, 2> as Execute),
                    4 => Some($f::<$m, $w, 4> as Execute),
                    _ => None,
                }
            };
        }
        macro_rules! ty {
            ($w:ty) => {
                match ($ty.bytes(), $ty.is_signed(), $wide) {
                    (1, false, false) => count!(In32<u8>, $w),
                    (1, true, false) => count!(In32<i8>, $w),
                    (2, false, false) => count!(In32<u16>, $w),
                    (2, true, false) => count!(In32<i16>, $w),
                    (4, _, false) => count!(In32<u32>, $w),
                    (1, false, true) => count!(In64<u8>, $w),
                    (1, true, true) => count!(In64<i8>, $w),
                    (2, false, true) => count!(In64<u16>, $w),
                    (2, true, true) => count!(In64<i16>, $w),
                    (4, false, true) => count!(In64<u32>, $w),
                    (4, true, true) => count!(In64<i32>, $w),
                    (8, _, true) => count!(In64<u64>, $w),
                    _ => None,
                }
            };
        }
        match $space {
            Space::Shared => ty!(Shared),
            Space::Local => ty!(Local),
            _ => ty!(Plain),
        }
    }};
}

/// A load of `count` elements into registers whose lanes have 64 bits if `wide`.
pub fn load_of(space: Space, ty: Type, wide: bool, count: usize) -> Option<Execute> {
    pick!(load, space, ty, wide, count)
}

/// A store of `count` elements.
pub fn store_of(space: Space, ty: Type, wide: bool, count: usize) -> Option<Execute> {
    pick!(store, space, ty, wide, count)
}

/// An address of shared memory as a generic one.
pub unsafe fn shared_to_generic(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        let base = (*warp.around).shared;
        let offsets = addresses(warp, step);
        set_vector(warp, step.to[0], &offsets.map(|o| base.wrapping_add(o)));
    }
    Flow::Next
}

/// A generic address as one of shared memory.
pub unsafe fn generic_to_shared(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        let base = (*warp.around).shared;
        let offsets = addresses(warp, step);
        set_vector(warp, step.to[0], &offsets.map(|o| o.wrapping_sub(base)));
    }
    Flow::Next
}

/// An address of local memory as a generic one.
pub unsafe fn local_to_generic(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        let mut all = addresses(warp, step);
        for (lane, address) in all.iter_mut().enumerate() {
            *address = address.wrapping_add(warp.local_of(lane));
        }
        set_vector(warp, step.to[0], &all);
    }
    Flow::Next
}

/// A generic address as one of local memory.
pub unsafe fn generic_to_local(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        let mut all = addresses(warp, step);
        for (lane, address) in all.iter_mut().enumerate() {
            *address = address.wrapping_sub(warp.local_of(lane));
        }
        set_vector(warp, step.to[0], &all);
    }
    Flow::Next
}

/// `isspacep`: `flip` of the step is not used; `number` bits 1 and up say which space.
pub unsafe fn is_space(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`.
    unsafe {
        let all = addresses(warp, step);
        let (shared, bytes) = ((*warp.around).shared, u64::from((*warp.around).shared_bytes));
        let mut bits = 0;
        for (lane, &address) in all.iter().enumerate() {
            let in_shared = address.wrapping_sub(shared) < bytes.max(1);
            let in_local = address.wrapping_sub(warp.local_of(lane)) < warp.stride;
            let holds = match step.number >> 1 {
                0 => in_shared,
                1 => in_local,
                2 => !in_shared && !in_local,
                _ => false,
            };
            bits |= u32::from(holds) << lane;
        }
        super::lanes::set_predicate(warp, step.to[0], bits);
    }
    Flow::Next
}
