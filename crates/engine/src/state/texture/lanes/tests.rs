//! All lanes at once give the bits that they give one by one.

use super::plan::Places;
use crate::numeric::value::{LANES, SimdLevel, simd_level};
use crate::state::texture::sample::{Coordinate, Detail, Request};
use crate::state::texture::source::{Backing, MipLevel, Sampling, TextureSource};
use crate::state::texture::texel::Format;

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn word(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 32) as u32 ^ (self.0 >> 13) as u32
    }

    fn below(&mut self, n: u32) -> u32 {
        self.word() % n
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u32) as usize]
    }

    /// A place along a dimension: ends, middles, ties of 256ths, whatever bits there are.
    fn place(&mut self, extent: usize, normalized: bool) -> u32 {
        let odd =
            [0.0, -0.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e-40, -1e-40, 3e38, -3e38, 1e9, -2147483648.0];
        let x = match self.below(8) {
            0 => self.one_of(&odd),
            1 => f32::from_bits(self.word()),
            2 => (self.below(16 * extent as u32 + 1) as f32 - 6.0 * extent as f32) / 2.0,
            3 => (self.below(1024 * extent as u32) as f32 - 256.0) / 512.0,
            _ => (f64::from(self.word()) / f64::from(u32::MAX) * 3.0 - 1.0) as f32 * extent as f32,
        };
        let x = if normalized { x / extent as f32 } else { x };
        let near = [0u32, 0, 1, u32::MAX];
        x.to_bits().wrapping_add(self.one_of(&near))
    }

    /// The number of an element in or around a dimension.
    fn number(&mut self, extent: usize) -> u32 {
        let edges = [0, 1, -1, extent as i32, extent as i32 - 1, i32::MAX, i32::MIN, 65536];
        if self.below(4) == 0 { self.one_of(&edges) as u32 } else { self.below(2 * extent as u32).wrapping_sub(2) }
    }
}

/// Formats by their numbers in the API, with the flags that make a difference.
const FORMATS: [(u32, u32); 15] = [
    (0x01, 0),
    (0x01, 1),
    (0x01, 0x10),
    (0x02, 0),
    (0x02, 1),
    (0x08, 0),
    (0x08, 1),
    (0x09, 0),
    (0x09, 1),
    (0x03, 0),
    (0x0a, 0),
    (0x10, 0),
    (0x20, 0),
    (0x50, 0),
    (0x91, 0),
];

/// Bytes of elements: any, numbers near each other, or few bits.
fn contents(random: &mut Random, format: u32, bytes: usize) -> Vec<u32> {
    let kind = random.below(4);
    let mut all: Vec<u32> = (0..bytes.div_ceil(4) + 8).map(|_| random.word()).collect();
    for word in &mut all {
        match (format, kind) {
            (0x20, 0) => *word = *word & 0x83ff_ffff | 0x3c00_0000,
            (0x20, 1) => *word = (*word & 0xff) << 15 | 0x3f80_0000,
            (0x10, 0 | 1) => *word = *word & 0x9fff_9fff | 0x2000_2000,
            (0x10, 2) => *word &= 0x8fff_8fff,
            _ => {}
        }
    }
    all
}

fn source(random: &mut Random, memory: &mut Vec<u32>) -> TextureSource {
    let (number, flags) = random.one_of(&FORMATS);
    let channels = random.one_of(&[1, 2, 4]);
    let format = Format::of(number, channels, flags).unwrap();
    let normalized = random.below(2) * 2;
    let sampling = Sampling {
        address_modes: core::array::from_fn(|_| random.below(4)),
        filter: random.below(4).min(1),
        flags: flags | normalized,
        border: core::array::from_fn(|_| random.one_of(&[0.0, 1.0, -1.0, 0.3, 7.5, f32::NAN, -0.6])),
        ..Sampling::default()
    };
    let shape = random.below(6);
    let extent: [usize; 3] =
        core::array::from_fn(|n| if shape as usize % 3 >= n { random.below(9) as usize + 1 } else { 1 });
    let bytes = format.element_bytes();
    let (row, rows) = (extent[0] * bytes + random.below(2) as usize * bytes * 3, extent[1] * extent[2]);
    *memory = contents(random, number, row * rows);
    // Elements of sixteen bytes may lie at multiples of sixteen alone.
    let base = (memory.as_ptr() as usize).next_multiple_of(16);
    if shape == 3 && format.compression.is_none() {
        return TextureSource::of_run(base, extent[0] * bytes, format, sampling);
    }
    let mut source = TextureSource::new(format, sampling);
    source.levels[0] = MipLevel { extent, backing: Backing::At(base), row, slice: row * extent[1] };
    source.flat = extent[2] == 1;
    if shape == 5 {
        source.layers = (0, extent[2]);
        if extent[2] > 2 && random.below(2) == 0 {
            source.layers = (1, extent[2] - 2);
        }
    }
    source
}

fn places(random: &mut Random, source: &TextureSource) -> Places {
    let dimensions = random.below(3) as usize + 1;
    let whole = if source.linear { random.below(4) != 0 } else { random.below(3) == 0 };
    let extent = source.levels[0].extent;
    let normalized = source.normalized();
    let at = core::array::from_fn(|n| {
        core::array::from_fn(|_| if whole { random.number(extent[n]) } else { random.place(extent[n], normalized) })
    });
    let offset = (random.below(3) == 0)
        .then(|| core::array::from_fn(|_| core::array::from_fn(|_| random.below(64) as i32 - 32)));
    let layer = (random.below(2) == 0).then(|| core::array::from_fn(|_| random.one_of(&[0, 1, 2, 5, 70000, u32::MAX])));
    let masks = [u32::MAX, u32::MAX, random.word(), 1 << random.below(32)];
    Places { at, dimensions, whole, offset, layer, clamps: random.below(2) == 0, mask: random.one_of(&masks) }
}

/// The same for one lane.
fn request(places: &Places, lane: usize) -> Request {
    let coordinate = |bits: u32| {
        if places.whole { Coordinate::Whole(bits as i32) } else { Coordinate::Real(f32::from_bits(bits)) }
    };
    Request {
        at: places.at.map(|all| coordinate(all[lane])),
        dimensions: places.dimensions,
        offset: places.offset.map_or([0; 3], |all| all.map(|of| of[lane])),
        layer: places.layer.map_or(0, |all| all[lane]),
        missing: false,
        cube: false,
        level: if places.whole { Detail::Whole(0) } else { Detail::Real(0.0) },
        stretch: None,
        raw_offset: places.offset.map_or(0, |all| all[0][lane] as u32),
        clamps: places.clamps,
        gather: None,
    }
}

#[test]
fn all_lanes_at_once_give_what_they_give_one_by_one() {
    let mut random = Random(13);
    let mut memory = Vec::new();
    let (mut asked, mut done) = (0, 0);
    for round in 0..4000 {
        let source = source(&mut random, &mut memory);
        let Some(plan) = source.plan() else { continue };
        for _ in 0..4 {
            let places = places(&mut random, &source);
            let mut results = [[0; LANES]; 4];
            let level = random.one_of(&[SimdLevel::Plain, SimdLevel::Avx2, SimdLevel::Avx512]).min(simd_level());
            // SAFETY: the texture lies in the test's memory; the machine has the level.
            let left = unsafe { plan.sample_at(level, &places, &mut results) };
            asked += places.mask.count_ones();
            for lane in (0..LANES).filter(|lane| places.mask & !left & 1 << lane != 0) {
                // SAFETY: as above.
                let expected = unsafe { source.sample(&request(&places, lane)) };
                let got = results.map(|all| all[lane]);
                let place = places.at.map(|all| f32::from_bits(all[lane]));
                assert_eq!(
                    got.map(|x| format!("{x:08x}")),
                    expected.map(|x| format!("{x:08x}")),
                    "round {round}, lane {lane}: {:?} {:?}, extent {:?}, layers {:?}, {} dimensions, whole {}, {place:?}",
                    source.format,
                    source.sampling,
                    source.levels[0].extent,
                    source.layers,
                    places.dimensions,
                    places.whole
                );
                done += 1;
            }
        }
    }
    assert!(done * 4 > asked * 3, "of {asked} lanes only {done} were sampled at once");
}

#[test]
fn unusual_textures_have_no_plan() {
    let plain = Format::of(0x20, 1, 0).unwrap();
    let words = [0u32; 64];
    let of = |format| {
        let mut source = TextureSource::new(format, Sampling::default());
        let (extent, backing) = ([4, 4, 1], Backing::At((words.as_ptr() as usize).next_multiple_of(16)));
        source.levels[0] = MipLevel { extent, backing, row: 16, slice: 64 };
        source
    };
    assert!(of(plain).plan().is_some());
    assert!(of(Format::of(0x91, 1, 0).unwrap()).plan().is_none());
    assert!(TextureSource { count: 2, ..of(plain) }.plan().is_none());
    let mut missing = of(plain);
    missing.levels[0].backing = Backing::Missing;
    assert!(missing.plan().is_none());
}
