//! Sampling for all lanes of a warp at once, for the usual kinds of textures: one level of elements that are not compressed.
//! What else there is, and lanes whose mixture is no number, [`TextureSource::sample`] does; it also says what is right.
//!
//! The way is the same for all: numbers of elements along each dimension ([`axis`]), their addresses, their words
//! ([`texels`]), mixtures by component ([`mix`]). Each part is a loop over lanes for each kind, which the compiler vectorises.

#![allow(clippy::needless_range_loop)] // Lanes of all vectors go by the same number.

mod axis;
pub mod elements;
mod mix;
pub mod plan;
#[cfg(test)]
mod tests;
mod texels;

use super::sample::BORDER;
use crate::numeric::value::{LANES, SimdLevel, simd_level};
use axis::{Along, Axis};
use core::mem::MaybeUninit;
use plan::{Kind, Places, Plan};
use texels::Texels;

impl Plan {
    /// Samples: four components, as the bits of singles or integers. Gives the lanes that are still to be done one by one.
    ///
    /// # Safety
    /// Inside of [`guard::run`].
    pub unsafe fn sample(&self, places: &Places, results: &mut [[u32; LANES]; 4]) -> u32 {
        // SAFETY: the same contract; the level is that of the machine.
        unsafe { self.sample_at(simd_level(), places, results) }
    }

    /// [`Plan::sample`] with the instructions of a level that the machine has.
    unsafe fn sample_at(&self, level: SimdLevel, places: &Places, results: &mut [[u32; LANES]; 4]) -> u32 {
        let layered = self.is_layered(places);
        let rows = places.dimensions == 1 && !layered;
        // Rows have rules of their own, and mixtures of words do not fit in one.
        let odd = rows && (places.whole != self.linear || !places.whole && self.modes[1] == BORDER);
        if odd || self.kind == Kind::Word && self.blends && !places.whole || !(1..=3).contains(&places.dimensions) {
            return places.mask;
        }
        // SAFETY: the same contract.
        unsafe {
            match level {
                SimdLevel::Plain => self.sample_plain(places, results),
                SimdLevel::Avx2 => self.sample_avx2(places, results),
                SimdLevel::Avx512 => self.sample_avx512(places, results),
            }
        }
    }

    unsafe fn sample_plain(&self, places: &Places, results: &mut [[u32; LANES]; 4]) -> u32 {
        // SAFETY: the same contract.
        unsafe { self.sample_lanes(places, results) }
    }

    #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
    unsafe fn sample_avx2(&self, places: &Places, results: &mut [[u32; LANES]; 4]) -> u32 {
        // SAFETY: the same contract.
        unsafe { self.sample_lanes(places, results) }
    }

    #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
    unsafe fn sample_avx512(&self, places: &Places, results: &mut [[u32; LANES]; 4]) -> u32 {
        // SAFETY: the same contract.
        unsafe { self.sample_lanes(places, results) }
    }

    #[inline(always)]
    unsafe fn sample_lanes(&self, places: &Places, results: &mut [[u32; LANES]; 4]) -> u32 {
        let blends = self.blends && !places.whole;
        let mut axes = [Axis::FIRST; 3];
        for (n, axis) in axes.iter_mut().enumerate().take(places.dimensions) {
            let offset = places.offset.as_ref().filter(|_| !self.linear).map(|all| &all[n]);
            let along = Along { at: &places.at[n], offset, extent: self.extent[n] };
            if places.whole {
                along.numbers(places.clamps, axis);
            } else {
                along.places(self.modes[n], self.normalized, blends, axis);
            }
        }
        let count = if blends { 1 << places.dimensions } else { 1 };
        let mut texels = MaybeUninit::<Texels>::uninit();
        // SAFETY: the same contract; numbers of elements are inside of the level, or negative. What is mixed has been read.
        unsafe {
            self.read(places, &axes, count, texels.as_mut_ptr());
            match count {
                1 => self.alone(texels.as_ptr(), results),
                2 => self.mix::<2>(texels.as_ptr(), &mix::weights_of_row(&axes), results),
                4 => self.mix::<4>(texels.as_ptr(), &mix::weights_of_plane(&axes), results),
                _ => self.mix::<8>(texels.as_ptr(), &mix::weights_of_space(&axes), results),
            }
        }
    }
}
