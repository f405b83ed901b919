//! Surface instructions: `suld`, `sust`, `sured`.

pub mod lanes;

use crate::numeric::float;
use crate::numeric::float::{Float16, Half};
use crate::numeric::value::LANES;
use crate::operations::texture::images;
use crate::state::fault::Fault;
use crate::state::payload::DetailOf;
use crate::state::registers::{set_vector, vector};
use crate::state::step::Flow;
use crate::state::texture::source::Surface;
use crate::state::texture::texel::Numbers;
use crate::state::warp::{Step, Warp};
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// What happens outside of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outside {
    /// The kernel fails.
    Trap,
    /// The nearest place inside is meant.
    Clamp,
    /// Reads see zeros, writes are lost.
    Zero,
}

/// What is done with a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Load,
    Store,
    /// Values are converted to the surface's format.
    StoreFormatted,
    /// A reduction.
    Reduce(Reduction),
}

/// What a reduction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    Add,
    /// The smaller or the larger one, with a sign or without.
    Min(bool),
    Max(bool),
    And,
    Or,
}

/// A surface instruction.
pub struct Access {
    /// The register with the surface.
    pub surface: u32,
    /// Coordinates along the dimensions, and the layer.
    pub at: Vec<u32>,
    pub layer: Option<u32>,
    /// The first coordinate counts elements, not bytes.
    pub by_element: bool,
    pub outside: Outside,
    pub action: Action,
    /// Bytes of a value.
    pub bytes: usize,
    /// The values.
    pub registers: Vec<u32>,
}

impl Surface {
    /// The address of an access of `bytes` bytes; `None` where nothing is.
    fn place(&self, at: [i64; 3], bytes: usize, outside: Outside) -> Result<Option<usize>, Fault> {
        let [_, height, depth] = self.level.extent.map(|n| n as i64);
        let bytes = bytes as i64;
        // The last place of a row is a multiple of the size, too.
        let limits = [(self.row_bytes as i64 / bytes - 1) * bytes, height - 1, depth - 1];
        if at[0] % bytes != 0 {
            return Err(Fault::Misaligned);
        }
        let mut place = at;
        for (coordinate, limit) in place.iter_mut().zip(limits) {
            if (0..=limit).contains(coordinate) {
                continue;
            }
            match outside {
                Outside::Trap => return Err(Fault::IllegalAddress),
                Outside::Zero => return Ok(None),
                Outside::Clamp => *coordinate = (*coordinate).clamp(0, limit.max(0)),
            }
        }
        let [x, y, z] = place.map(|n| n as usize);
        Ok(self.level.address(x, y, z))
    }
}

/// A surface instruction, lane by lane.
///
/// # Safety
/// The contract of [`Execute`](crate::state::warp::Execute).
pub unsafe fn access(warp: &mut Warp, step: &Step) -> Flow {
    let Some(access) = warp.code().details.get(step.payload::<DetailOf<Access>>()) else { return Flow::Next };
    // SAFETY: the contract of `Execute`; what surfaces lead to is guarded, and nothing is owned meanwhile.
    unsafe {
        let handles = vector::<u64>(warp, access.surface);
        let mut values = [[0u64; LANES]; 4];
        if access.action != Action::Load {
            for (value, &register) in values.iter_mut().zip(&access.registers) {
                *value = if access.bytes == 8 {
                    vector::<u64>(warp, register)
                } else {
                    vector::<u32>(warp, register).map(u64::from)
                };
            }
        }
        let mut known: Option<(u64, Surface)> = None;
        for lane in 0..LANES {
            if warp.mask >> lane & 1 == 0 {
                continue;
            }
            let handle = handles[lane];
            if known.is_none_or(|k| k.0 != handle) {
                known = images(warp).surface(handle).map(|surface| (handle, surface));
            }
            // A surface that is not there has no places.
            let Some((_, surface)) = known else { continue };
            let mut at = [0i64; 3];
            for (axis, &register) in access.at.iter().enumerate().take(3) {
                at[axis] = i64::from(vector::<u32>(warp, register)[lane] as i32);
            }
            if let Some(register) = access.layer {
                // Layers have sixteen bits.
                at[2] = i64::from(vector::<u32>(warp, register)[lane] as u16);
            }
            // Reductions by elements count in their own sizes.
            let own = access.bytes * access.registers.len();
            let reduces = matches!(access.action, Action::Reduce(_));
            let bytes = if access.by_element && !reduces { surface.element_bytes } else { own };
            if access.by_element {
                at[0] *= bytes as i64;
            }
            let place = match surface.place(at, bytes, access.outside) {
                Ok(Some(place)) => place,
                Ok(None) => continue,
                Err(fault) => return Flow::Fault(fault),
            };
            match access.action {
                Action::Load => {
                    for (n, value) in values.iter_mut().enumerate().take(access.registers.len()) {
                        value[lane] = read(place + n * access.bytes, access.bytes);
                    }
                }
                Action::Store => {
                    for (n, value) in values.iter().enumerate().take(access.registers.len()) {
                        write(place + n * access.bytes, access.bytes, value[lane]);
                    }
                }
                Action::StoreFormatted => {
                    let own = values.map(|v| v[lane] as u32);
                    if let Err(fault) = surface.store(place, own, access.registers.len()) {
                        return Flow::Fault(fault);
                    }
                }
                Action::Reduce(reduction) => {
                    // Bits have the sign of the format.
                    let signed = surface.format.is_some_and(|f| f.signed);
                    let reduction = match reduction {
                        Reduction::Min(_) if access.by_element => Reduction::Min(signed),
                        Reduction::Max(_) if access.by_element => Reduction::Max(signed),
                        other => other,
                    };
                    reduce(place, access.bytes, reduction, values[0][lane]);
                }
            }
        }
        if access.action == Action::Load {
            for (value, &register) in values.iter().zip(&access.registers) {
                if access.bytes == 8 {
                    set_vector(warp, register, value);
                } else {
                    set_vector(warp, register, &value.map(|v| v as u32));
                }
            }
        }
    }
    Flow::Next
}

/// A word that may lie anywhere.
#[repr(C, packed)]
#[derive(Clone, Copy)]
struct Packed<T>(T);

unsafe fn read(at: usize, bytes: usize) -> u64 {
    // SAFETY: the step runs inside `guard::run`; rows of small elements need not be aligned to what a kernel accesses.
    unsafe {
        match bytes {
            1 => (at as *const u8).read_volatile().into(),
            2 => (at as *const Packed<u16>).read_volatile().0.into(),
            4 => (at as *const Packed<u32>).read_volatile().0.into(),
            _ => (at as *const Packed<u64>).read_volatile().0,
        }
    }
}

unsafe fn write(at: usize, bytes: usize, value: u64) {
    // SAFETY: as for `read`.
    unsafe {
        match bytes {
            1 => (at as *mut u8).write_volatile(value as u8),
            2 => (at as *mut Packed<u16>).write_volatile(Packed(value as u16)),
            4 => (at as *mut Packed<u32>).write_volatile(Packed(value as u32)),
            _ => (at as *mut Packed<u64>).write_volatile(Packed(value)),
        }
    }
}

impl Surface {
    /// Converts values to an element and stores it. Components that no value is given for become 0.
    unsafe fn store(&self, place: usize, values: [u32; 4], given: usize) -> Result<(), Fault> {
        let Some(format) = self.format else { return Err(Fault::IllegalInstruction) };
        if format.numbers == Numbers::Packed {
            let part =
                |n: usize, bits: u32| to_integer(f32::from_bits(values[n]), ((1 << bits) - 1) as f32, 0.0) << (10 * n);
            let word = part(0, 10) | part(1, 10) | part(2, 10) | part(3, 2);
            // SAFETY: as for `write`.
            unsafe { write(place, 4, word.into()) };
            return Ok(());
        }
        for (n, value) in values.into_iter().enumerate().take(format.channels) {
            let value = if n < given { value } else { 0 };
            let most = (1u64 << (format.bytes * 8 - usize::from(format.signed))) - 1;
            let bits = match format.numbers {
                Numbers::Half => half(value),
                Numbers::Single => value,
                Numbers::Integers if format.bytes == 4 => value,
                Numbers::Integers if format.signed => {
                    let most = most as i32;
                    (value as i32).clamp(-most - 1, most) as u32
                }
                Numbers::Integers => value.min(most as u32),
                Numbers::Signed => to_integer(f32::from_bits(value), most as f32, -(most as f32)),
                _ => to_integer(f32::from_bits(value), most as f32, 0.0),
            };
            // SAFETY: as for `write`.
            unsafe { write(place + n * format.bytes, format.bytes, bits.into()) };
        }
        Ok(())
    }
}

/// A number of at most 1 as an integer; NaN is 0. The device rounds up from a little above one half on.
fn to_integer(x: f32, most: f32, least: f32) -> u32 {
    let scaled = if x.is_nan() { 0.0 } else { (f64::from(x) * f64::from(most)).clamp(least.into(), most.into()) };
    let rounded = (scaled.abs() + 15.0 / 32.0).floor();
    if scaled < 0.0 { (-rounded) as i32 as u32 } else { rounded as u32 }
}

/// An f32 cut off to half precision; what is too large becomes the largest number.
fn half(bits: u32) -> u32 {
    let x = f32::from_bits(bits);
    if x.is_nan() {
        return bits >> 16 & 0x8000 | 0x7c00 | bits >> 13 & 0x3ff;
    }
    Float16::round::<{ float::ZERO }>(x.into()).0.into()
}

/// An atomic reduction in memory.
unsafe fn reduce(place: usize, bytes: usize, reduction: Reduction, value: u64) {
    let signed = |x: u64| if bytes == 8 { x as i64 } else { i64::from(x as u32 as i32) };
    let combine = |old: u64| match reduction {
        Reduction::Add => old.wrapping_add(value),
        Reduction::Min(true) => {
            if signed(old) <= signed(value) {
                old
            } else {
                value
            }
        }
        Reduction::Max(true) => {
            if signed(old) >= signed(value) {
                old
            } else {
                value
            }
        }
        Reduction::Min(false) => old.min(value),
        Reduction::Max(false) => old.max(value),
        Reduction::And => old & value,
        Reduction::Or => old | value,
    };
    // SAFETY: aligned, and the step runs inside `guard::run`.
    unsafe {
        if bytes == 8 {
            let _ = AtomicU64::from_ptr(place as *mut u64)
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |old| Some(combine(old)));
        } else {
            let _ = AtomicU32::from_ptr(place as *mut u32)
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |old| Some(combine(old.into()) as u32));
        }
    }
}
