//! Addresses of elements, and their words.

use super::axis::Axis;
use super::elements::{NOTHING, gather};
use super::plan::{Places, Plan};
use crate::numeric::value::LANES;
use crate::state::texture::sample::BORDER;

/// The words of elements: of up to four words the first, of up to eight elements around a place.
pub type Texels = [[[u32; LANES]; 8]; 4];

impl Plan {
    /// Reads the first words of `count` elements for each lane: as many as an element has.
    ///
    /// # Safety
    /// Inside of [`guard::run`], with numbers of elements that are inside of the level or negative.
    #[inline(always)]
    pub(super) unsafe fn read(&self, places: &Places, axes: &[Axis; 3], count: usize, to: *mut Texels) {
        let dimensions = places.dimensions;
        let layered = self.is_layered(places);
        let mut slices = [self.base as i64; LANES];
        // Lanes that have nothing to read.
        let mut none = [0i32; LANES];
        if places.mask != u32::MAX {
            for lane in 0..LANES {
                none[lane] = (places.mask >> lane & 1) as i32 - 1;
            }
        }
        if layered {
            let layers = places.layer.unwrap_or([0; LANES]);
            let (first, count) = self.layers;
            for lane in 0..LANES {
                let layer = i64::from(layers[lane]);
                let nearest = if layer < count { layer } else { count - 1 };
                // Along three dimensions a coordinate says which slice it is.
                let slice = if dimensions < 3 { first + nearest } else { 0 };
                slices[lane] = slices[lane].wrapping_add(slice.wrapping_mul(self.slice as i64));
                // Numbers of elements are in no layer that is not there.
                let missing = places.whole && !places.clamps && layer >= count;
                none[lane] |= -i32::from(missing);
            }
        }
        // Outside is the border's colour, or nothing where numbers end.
        let outside = if places.whole { &raw const NOTHING } else { &raw const self.border } as i64;
        let bordered = !places.whole && self.modes[..dimensions].contains(&BORDER);
        let checks = places.whole || bordered || places.mask != u32::MAX;
        for corner in 0..count {
            let pick = |n: usize| if corner >> n & 1 == 0 { &axes[n].near } else { &axes[n].far };
            let (x, y, z) = (pick(0), pick(1), pick(2));
            let mut address = slices;
            let bytes = self.bytes as u64;
            for lane in 0..LANES {
                address[lane] = address[lane].wrapping_add((u64::from(x[lane] as u32) * bytes) as i64);
            }
            if dimensions > 1 {
                let row = u64::from(self.row);
                for lane in 0..LANES {
                    address[lane] = address[lane].wrapping_add(u64::from(y[lane] as u32).wrapping_mul(row) as i64);
                }
            }
            if dimensions > 2 {
                for lane in 0..LANES {
                    address[lane] = address[lane].wrapping_add(i64::from(z[lane]).wrapping_mul(self.slice as i64));
                }
            }
            if checks {
                for lane in 0..LANES {
                    // Numbers along dimensions that are not there are 0.
                    let beyond = x[lane] | y[lane] | z[lane] | none[lane];
                    address[lane] = if beyond < 0 { outside } else { address[lane] };
                }
            }
            // SAFETY: addresses of elements, which are aligned to their size; words that there are places for.
            unsafe { gather(&address, self.bytes, to.cast::<u32>().add(corner * LANES), 8 * LANES) };
        }
    }
}
