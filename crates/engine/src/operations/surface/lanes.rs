//! Loads and stores of surfaces for all lanes at once: one surface, elements as they are, nothing that goes wrong. The rest
//! [`access`](super::access) does, lane by lane.

#![allow(clippy::needless_range_loop)] // Lanes of all vectors go by the same number.

use super::{Access, Action, Outside};
use crate::numeric::value::{LANES, SimdLevel, simd_level};
use crate::operations::texture::images;
use crate::state::payload::DetailOf;
use crate::state::registers::{set_vector, vector};
use crate::state::step::Flow;
use crate::state::texture::lanes::elements::{NOTHING, gather};
use crate::state::texture::source::{Backing, Surface};
use crate::state::warp::{Step, Warp};

/// A surface instruction.
///
/// # Safety
/// The contract of [`Execute`](crate::state::warp::Execute).
pub unsafe fn access(warp: &mut Warp, step: &Step) -> Flow {
    let Some(access) = warp.code().details.get(step.payload::<DetailOf<Access>>()) else { return Flow::Next };
    // SAFETY: the same contract.
    unsafe { if access.at_once(warp) { Flow::Next } else { super::access(warp, step) } }
}

/// Where lanes access a surface.
struct Places {
    /// Coordinates, the first one in bytes.
    at: [[i32; LANES]; 3],
    /// The last place along each dimension.
    limits: [i32; 3],
    base: i64,
    row: i64,
    slice: i64,
    outside: Outside,
    bytes: usize,
    /// Lanes that access it.
    mask: u32,
}

impl Access {
    /// Accesses a surface for all lanes. False when nothing was done: when lanes have to be looked at one by one.
    unsafe fn at_once(&self, warp: &mut Warp) -> bool {
        let bytes = self.bytes * self.registers.len();
        let mask = warp.mask;
        if self.by_element
            || !matches!(self.action, Action::Load | Action::Store)
            || !bytes.is_power_of_two()
            || mask == 0
        {
            return false;
        }
        // SAFETY: the contract of `Execute`; a warp that runs has surroundings, which its block alone uses.
        unsafe {
            let handles = vector::<u64>(warp, self.surface);
            let handle = handles[mask.trailing_zeros() as usize];
            if handles.iter().enumerate().any(|(lane, &other)| other != handle && mask >> lane & 1 != 0) {
                return false;
            }
            let surfaces = &mut (*warp.around).surfaces;
            if surfaces.find(handle).is_none()
                && let Some(surface) = images(warp).surface(handle)
                && matches!(surface.level.backing, Backing::At(_))
            {
                surfaces.keep(handle, surface);
            }
            let Some(surface) = surfaces.find(handle) else { return false };
            let Some(places) = self.places(warp, surface, bytes) else { return false };
            let mut address = [0; LANES];
            let fine = match simd_level() {
                SimdLevel::Plain => places.addresses(&mut address),
                SimdLevel::Avx2 => places.addresses_avx2(&mut address),
                SimdLevel::Avx512 => places.addresses_avx512(&mut address),
            };
            if !fine {
                return false;
            }
            match self.action {
                Action::Load => self.load(warp, &address, bytes),
                _ => self.store(warp, &address, bytes),
            }
        }
        true
    }

    /// Where an access of `bytes` bytes is. `None` for surfaces whose elements are not aligned to that, or that are too large.
    unsafe fn places(&self, warp: &Warp, surface: &Surface, bytes: usize) -> Option<Places> {
        let level = &surface.level;
        let Backing::At(base) = level.backing else { return None };
        if [base, level.row, level.slice].iter().any(|n| !n.is_multiple_of(bytes)) {
            return None;
        }
        let mut at = [[0; LANES]; 3];
        // SAFETY: the contract of `Execute`.
        unsafe {
            for (to, &from) in at.iter_mut().zip(&self.at) {
                *to = vector::<u32>(warp, from).map(|n| n as i32);
            }
            if let Some(register) = self.layer {
                // Layers have sixteen bits.
                at[2] = vector::<u32>(warp, register).map(|n| i32::from(n as u16));
            }
        }
        let last = |n: usize| i32::try_from(n).ok().map(|n| n - 1);
        let columns = i32::try_from(surface.row_bytes / bytes).ok().filter(|&n| n > 0)?;
        Some(Places {
            at,
            limits: [(columns - 1).checked_mul(bytes as i32)?, last(level.extent[1])?, last(level.extent[2])?],
            base: base as i64,
            row: i64::try_from(level.row).ok()?,
            slice: i64::try_from(level.slice).ok()?,
            outside: self.outside,
            bytes,
            mask: warp.mask,
        })
    }

    /// Where there is nothing, zeros are read.
    unsafe fn load(&self, warp: &mut Warp, address: &[i64; LANES], bytes: usize) {
        let mut words = [[0; LANES]; 4];
        // SAFETY: places of the surface, and of a constant; the step runs inside `guard::run`.
        unsafe {
            gather(address, bytes, words.as_mut_ptr().cast(), LANES);
            for (n, &register) in self.registers.iter().enumerate() {
                match self.bytes {
                    8 => {
                        let pair: [u64; LANES] = core::array::from_fn(|lane| {
                            u64::from(words[2 * n][lane]) | u64::from(words[2 * n + 1][lane]) << 32
                        });
                        set_vector(warp, register, &pair);
                    }
                    4 => set_vector(warp, register, &words[n]),
                    narrow => {
                        let (word, shift) = (n * narrow / 4, n * narrow % 4 * 8);
                        let most = (1u32 << (narrow * 8)) - 1;
                        set_vector(warp, register, &words[word].map(|word| word >> shift & most));
                    }
                }
            }
        }
    }

    /// Where there is nothing, nothing is written.
    unsafe fn store(&self, warp: &Warp, address: &[i64; LANES], bytes: usize) {
        let mut words = [[0u32; LANES]; 4];
        // SAFETY: places of the surface, aligned to the size of an access; the step runs inside `guard::run`.
        unsafe {
            for (n, &register) in self.registers.iter().enumerate() {
                match self.bytes {
                    8 => {
                        let all = vector::<u64>(warp, register);
                        words[2 * n] = all.map(|word| word as u32);
                        words[2 * n + 1] = all.map(|word| (word >> 32) as u32);
                    }
                    4 => words[n] = vector::<u32>(warp, register),
                    narrow => {
                        let (word, shift) = (n * narrow / 4, n * narrow % 4 * 8);
                        let most = (1u32 << (narrow * 8)) - 1;
                        let all = vector::<u32>(warp, register);
                        for lane in 0..LANES {
                            words[word][lane] |= (all[lane] & most) << shift;
                        }
                    }
                }
            }
            // In the order of the lanes: of several at one place the last one stays.
            for lane in (0..LANES).filter(|&lane| warp.mask >> lane & 1 != 0) {
                let at = address[lane];
                if at == &raw const NOTHING as i64 {
                    continue;
                }
                match bytes {
                    1 => (at as *mut u8).write_volatile(words[0][lane] as u8),
                    2 => (at as *mut u16).write_volatile(words[0][lane] as u16),
                    _ => {
                        for (n, word) in words.iter().enumerate().take(bytes / 4) {
                            (at as *mut u32).add(n).write_volatile(word[lane]);
                        }
                    }
                }
            }
        }
    }
}

impl Places {
    #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
    unsafe fn addresses_avx2(&self, to: &mut [i64; LANES]) -> bool {
        self.addresses(to)
    }

    #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
    unsafe fn addresses_avx512(&self, to: &mut [i64; LANES]) -> bool {
        self.addresses(to)
    }

    /// The address for each lane, that of [`NOTHING`] where there is nothing. False if some lane goes wrong.
    #[inline(always)]
    fn addresses(&self, to: &mut [i64; LANES]) -> bool {
        let nothing = &raw const NOTHING as i64;
        let [width, height, depth] = self.limits;
        let (odd, traps) = (self.bytes as i32 - 1, i32::from(self.outside == Outside::Trap));
        let clamps = self.outside == Outside::Clamp;
        let mut wrong = 0;
        for lane in 0..LANES {
            let active = (self.mask >> lane & 1) as i32;
            let [x, y, z] = [self.at[0][lane], self.at[1][lane], self.at[2][lane]];
            let beyond = |n: i32, most: i32| i32::from(n < 0) | i32::from(n > most);
            let outside = beyond(x, width) | beyond(y, height) | beyond(z, depth);
            wrong |= active & (i32::from(x & odd != 0) | outside & traps);
            let inside = |n: i32, most: i32| {
                i64::from(if n < 0 {
                    0
                } else if n > most {
                    most
                } else {
                    n
                })
            };
            let (x, y, z) = (inside(x, width), inside(y, height), inside(z, depth));
            let place = self
                .base
                .wrapping_add(x)
                .wrapping_add(y.wrapping_mul(self.row))
                .wrapping_add(z.wrapping_mul(self.slice));
            let none = active == 0 || outside != 0 && !clamps;
            to[lane] = if none { nothing } else { place };
        }
        wrong == 0
    }
}
