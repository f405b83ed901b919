//! Sampling by the rules of the manual, on textures in the test's memory.

use super::cube;
use super::sample::{Coordinate, Detail, Request};
use super::source::{Backing, MOST_LEVELS, MipLevel, Sampling, Stack, TextureSource};
use super::texel::Format;

const NORMALIZED: u32 = 2;

/// A texture of singles.
fn source(values: &[f32], extent: [usize; 3], mode: u32, filter: u32, flags: u32) -> TextureSource {
    let row = extent[0] * 4;
    let backing = Backing::At(values.as_ptr() as usize);
    let level = MipLevel { extent, backing, row, slice: row * extent[1] };
    let border = [9.0; 4];
    TextureSource {
        levels: [level; MOST_LEVELS],
        count: 1,
        layers: (0, 1),
        stack: Stack::None,
        flat: extent[2] == 1,
        format: Format::of(0x20, 1, flags).unwrap(),
        sampling: Sampling { address_modes: [mode; 3], filter, flags, border, ..Sampling::default() },
        linear: false,
        bound: false,
        leveled: false,
    }
}

/// A sample at a place, of the first level.
fn request(place: &[f32]) -> Request {
    let mut request = Request {
        at: [Coordinate::Real(0.0); 3],
        dimensions: place.len(),
        offset: [0; 3],
        layer: 0,
        missing: false,
        cube: false,
        level: Detail::Real(0.0),
        stretch: None,
        raw_offset: 0,
        clamps: false,
        gather: None,
    };
    for (to, &x) in request.at.iter_mut().zip(place) {
        *to = Coordinate::Real(x);
    }
    request
}

fn at(source: &TextureSource, place: &[f32]) -> f32 {
    let request = request(place);
    // SAFETY: the texture lies in the test's memory.
    f32::from_bits(unsafe { source.sample(&request) }[0])
}

#[test]
fn memory_of_less_than_an_element_is_nothing() {
    let address = [1.0f32; 4].as_ptr() as usize;
    let (format, sampling) = (Format::of(0x20, 1, 0).unwrap(), Sampling::default());
    let row = TextureSource::of_run(address, 2, format, sampling);
    for source in [row, TextureSource::of_rows(address, [0, 4], 512, format, sampling)] {
        assert_eq!(at(&source, &[0.5, 0.5]), 0.0);
        assert_eq!(at(&source, &[0.5]), 0.0);
    }
}

#[test]
fn coordinates_outside_follow_the_mode() {
    let values = [1.0, 2.0, 3.0, 4.0];
    let points = |mode, places: [f32; 6]| {
        let source = source(&values, [4, 1, 1], mode, 0, NORMALIZED);
        places.map(|x| at(&source, &[x, 0.0]))
    };
    let places = [-0.25, -0.05, 0.3, 0.999, 1.05, 1.3];
    assert_eq!(points(0, places), [4.0, 4.0, 2.0, 4.0, 1.0, 2.0]);
    assert_eq!(points(1, places), [1.0, 1.0, 2.0, 4.0, 4.0, 4.0]);
    assert_eq!(points(2, places), [1.0, 1.0, 2.0, 4.0, 4.0, 3.0]);
    assert_eq!(points(3, places), [9.0, 9.0, 2.0, 4.0, 9.0, 9.0]);
    // Only parts of the extent can wrap around.
    let plain = source(&values, [4, 1, 1], 0, 0, 0);
    assert_eq!([-1.0, 0.5, 5.5, f32::NAN, f32::INFINITY].map(|x| at(&plain, &[x, 0.0])), [1.0, 1.0, 4.0, 1.0, 4.0]);
}

#[test]
fn mixtures_have_fractions_of_eight_bits() {
    let values = [0.0, 256.0];
    let source = source(&values, [2, 1, 1], 1, 1, 0);
    for n in 0..=256 {
        // Between two 256ths: the nearest.
        let x = 0.5 + n as f32 / 256.0;
        assert_eq!(at(&source, &[x, 0.5]), n as f32);
        assert_eq!(at(&source, &[x + 0.4 / 256.0, 0.5]), n.min(256) as f32);
    }
    // Weights always make up one, whatever is rounded.
    let ones = [1.0; 8];
    let cube = self::source(&ones, [2, 2, 2], 1, 1, 0);
    for n in 0..1000u32 {
        let place = [7, 13, 29].map(|k| 0.5 + (n * k % 257) as f32 / 256.0);
        assert_eq!(at(&cube, &place), 1.0, "{place:?}");
        assert_eq!(at(&self::source(&ones, [2, 2, 1], 1, 1, 0), &place[..2]), 1.0);
    }
}

#[test]
fn levels_are_chosen_and_mixed() {
    let (one, two) = ([1.0f32; 4], [3.0f32; 1]);
    let mut source = source(&one, [2, 2, 1], 1, 0, NORMALIZED);
    source.levels[1] = MipLevel { extent: [1; 3], backing: Backing::At(two.as_ptr() as usize), row: 4, slice: 4 };
    source.count = 2;
    source.sampling.level_clamp = [0.0, 10.0];
    let level = |source: &TextureSource, level: f32| {
        let request = Request { level: Detail::Real(level), ..request(&[0.5, 0.5]) };
        // SAFETY: the texture lies in the test's memory.
        f32::from_bits(unsafe { source.sample(&request) }[0])
    };
    assert_eq!([-3.0, 0.49999997, 0.5, 0.6, 7.0].map(|l| level(&source, l)), [1.0, 1.0, 3.0, 3.0, 3.0]);
    source.sampling.level_filter = 1;
    assert_eq!([0.25, 0.5, 1.0].map(|l| level(&source, l)), [1.5, 2.0, 3.0]);
    source.sampling.level_bias = 0.25;
    assert_eq!(level(&source, 0.25), 2.0);
    source.sampling.level_clamp = [0.0, 0.25];
    assert_eq!(level(&source, 5.0), 1.5);
    // The lower end wins; a bias has eight bits, cut off.
    source.sampling.level_clamp = [1.0, 0.25];
    assert_eq!(level(&source, 0.0), 3.0);
    (source.sampling.level_clamp, source.sampling.level_bias) = ([0.0, 10.0], -0.7);
    assert_eq!(level(&source, 1.5), 1.0 + 2.0 * 205.0 / 256.0);
}

#[test]
fn formats_stand_for_what_the_manual_says() {
    let result = |format, raw| f32::from_bits(Format::of(format, 1, 0).unwrap().result(0, raw));
    assert_eq!((result(0x01, 255), result(0x01, 0)), (1.0, 0.0));
    assert_eq!((result(0x08, -128i32 as u32), result(0x08, 127)), (-1.0, 1.0));
    assert_eq!(result(0x02, 0xffff), 1.0);
    assert_eq!(result(0x10, 0x3c00), 1.0);
    let integers = Format::of(0x08, 1, 1).unwrap();
    assert_eq!(integers.result(0, -5i32 as u32), -5i32 as u32);
    assert_eq!(integers.result(1, 7), 0, "components that are not there are 0");
    assert!(Format::of(0xb0, 3, 0).is_none(), "frames of videos cannot be read");
    let bytes = Format::of(0x01, 1, 0).unwrap();
    assert_eq!(f32::from_bits(bytes.blend(0, &[[0; 4], [255, 0, 0, 0]], &[0, 256])), 1.0);
    assert_eq!(bytes.border([0.25, 0.0, 0.0, 0.0])[0], 64);
}

#[test]
fn faces_of_a_cube_meet() {
    assert_eq!(cube::face([2.0, 0.0, 0.0]), (0, 0.5, 0.5));
    assert_eq!(cube::face([0.0, -3.0, 0.0]), (3, 0.5, 0.5));
    assert_eq!(cube::face([-1.0, 0.5, -2.0]).0, 5);
    let size = 8;
    for face in 0..6 {
        for along in 0..size {
            for (x, y) in [(-1, along), (size, along), (along, -1), (along, size)] {
                // Over the edge and back again is where it began.
                let (other, ox, oy) = cube::neighbour(face, x, y, size).unwrap();
                assert_ne!(other, face);
                let inside = (x.clamp(0, size - 1), y.clamp(0, size - 1));
                let steps = [(ox - 1, oy), (ox + 1, oy), (ox, oy - 1), (ox, oy + 1)];
                let back = steps.iter().filter_map(|&(x, y)| cube::neighbour(other, x, y, size));
                assert!(back.into_iter().any(|b| b == (face, inside.0, inside.1)), "{face} {x} {y}");
            }
        }
        assert_eq!(cube::neighbour(face, -1, -1, size), None);
    }
}

#[test]
fn lengths_and_logarithms_are_the_devices() {
    // Entries recorded on an H200; the first and the last are not what rounding gives.
    for (index, expected) in
        [(0, 0), (1, 2), (2, 4), (61, 79), (86, 107), (115, 137), (170, 188), (254, 255), (255, 255)]
    {
        let level = super::level::logarithm(4.0 * (1.0 + f64::from(index) / 256.0));
        assert_eq!(level, 2.0 + expected as f32 / 256.0, "{index}");
    }
    assert_eq!(super::level::length([-8.0, 32.0, 4.0]), 32.0 + 2.75 + 1.0);
    let values = [0.0; 4];
    let source = source(&values, [2, 2, 1], 0, 0, NORMALIZED);
    // Two that are two elements long; of their sum eleven sixteenths count.
    let level = super::level::moves(&source, None, [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]).level();
    assert_eq!((level * 256.0).floor() / 256.0, super::level::logarithm(2.75));
}

#[test]
fn parts_of_an_extent_have_21_bits() {
    let values: [f32; 13] = core::array::from_fn(|n| n as f32);
    let source = source(&values, [13, 1, 1], 1, 0, NORMALIZED);
    // The singles nearest to a 13th and ten of them are a little more, on the device less.
    assert_eq!([0x3d9d_89d9, 0x3f44_ec4f].map(|x| at(&source, &[f32::from_bits(x), 0.0])), [0.0, 9.0]);
}

#[test]
fn mixtures_are_lined_up_with_the_largest() {
    // Recorded: a colour and another one, 256ths of the second, the mixture.
    let srgb = Format::of(0x01, 1, 0x10).unwrap();
    let mixed = |format: &Format, a: u32, b: u32, part: i32| {
        f32::from_bits(format.blend(0, &[[a, 0, 0, 0], [b, 0, 0, 0]], &[256 - part, part]))
    };
    assert_eq!(mixed(&srgb, 16, 200, 1), 0.006_149_292);
    assert_eq!(mixed(&srgb, 16, 200, 64), 0.147_460_94);
    // Halves: fourteen bits behind the point of the largest.
    let half = Format::of(0x10, 1, 0).unwrap();
    assert_eq!(mixed(&half, 0x3c00, 0x0002, 128), 0.5);
    // The least number of eight bits counts in mixtures, alone it is -1.
    let signed = Format::of(0x08, 1, 0).unwrap();
    assert_eq!(mixed(&signed, -128i32 as u32, 32, 128), -12384.0 / 32767.0);
    assert_eq!(mixed(&signed, -128i32 as u32, 0, 0), -1.0);
}

/// Levels in 256ths that an H100 takes for gradients of directions, numbers by their bits, of a cube with sides of 64 elements: at
/// least one leaves the face.
#[test]
fn levels_of_cubes_beyond_an_edge_are_the_devices() {
    let face = vec![0.0; 64 * 64];
    let source = source(&face, [64, 64, 1], 1, 1, NORMALIZED);
    for (direction, first, second, expected) in [
        (
            [0x3f2689bd, 0x3e8617b0, 0xbf800000],
            [0xbea74fa7, 0xbdf346e7, 0x3ca53a2d],
            [0x3e8ca479, 0x3ea8dcac, 0x3e9f798d],
            1165,
        ),
        (
            [0x3f56ae9d, 0x3f4f6150, 0x3f19c0ef],
            [0x3ccd035b, 0xbd9dc981, 0x3dead470],
            [0xbe0dfab1, 0x3db2da03, 0xbbed9144],
            800,
        ),
        (
            [0xbeff85fd, 0x3f620556, 0xbf800000],
            [0xbe1f7a18, 0x3ec42cfc, 0x3eb8f1d6],
            [0x3e1ebbae, 0x3cfa299c, 0x3e9951f0],
            1102,
        ),
        (
            [0x3f71ab18, 0xbf71fa01, 0x3f701c24],
            [0xbdc81bad, 0x3ce53891, 0x3cbd39e0],
            [0xbcd42b38, 0x3ce7cb75, 0x3cd724fd],
            544,
        ),
        (
            [0xbe76c443, 0x3d52a66f, 0x3e75d0fc],
            [0xbd02b099, 0x3db86db5, 0x3deb5526],
            [0xbd83a971, 0xbdb9b88b, 0x3d048553],
            920,
        ),
        (
            [0xbf800000, 0xbf2f5380, 0xbf64bdb1],
            [0xbdd12fac, 0x3d7868df, 0xbe764757],
            [0x3d8f9a3f, 0xbcefe246, 0xbd3ca2bc],
            649,
        ),
        (
            [0xbf800000, 0xbf7b01bb, 0x3f10c643],
            [0x3d0d1fca, 0xbc3fae84, 0xbaa20f1e],
            [0xbdafcb7a, 0xbd81d93e, 0x3db1a24b],
            154,
        ),
        (
            [0xbf65d9cc, 0x3f3d4916, 0x3f38f8e8],
            [0x3eb223e7, 0xbd0a7002, 0x3b56ca04],
            [0x3dfdede1, 0x3dbbbaaa, 0x3db50c7f],
            1015,
        ),
        (
            [0x3f601562, 0xbe7b622f, 0x3f6a9a83],
            [0x3e084fb5, 0xbd3d3a2b, 0xbe033eae],
            [0x00000000, 0x00000000, 0x00000000],
            796,
        ),
        (
            [0x3f61ca06, 0xbf18867f, 0x3f29c131],
            [0xbe517b47, 0x3e391d5c, 0x3ca3ace0],
            [0x00000000, 0x00000000, 0x00000000],
            808,
        ),
        (
            [0x3e832f14, 0xbf20e6a7, 0x3f1a7c50],
            [0x3d8096aa, 0x3c3a62be, 0x3d64af7a],
            [0x00000000, 0x00000000, 0x00000000],
            525,
        ),
        (
            [0x3f053252, 0x3eaef28e, 0xbf0c9c90],
            [0xbd6649f2, 0x3e8b5cae, 0x3d990c7c],
            [0x00000000, 0x00000000, 0x00000000],
            1131,
        ),
        (
            [0x3f5ae81c, 0x3e96a3ab, 0xbf5aad1c],
            [0xbea57ba1, 0x3eb339e4, 0x3eb3c693],
            [0x00000000, 0x00000000, 0x00000000],
            1242,
        ),
        (
            [0x3f08c6f2, 0x3ef7279d, 0x3f21881d],
            [0x3ec1fe79, 0x3e6c3c13, 0xbe34cee1],
            [0x00000000, 0x00000000, 0x00000000],
            1126,
        ),
        (
            [0x3f04780f, 0xbf6574f5, 0x3f32ac44],
            [0x3dcc02e9, 0x3e05ef1d, 0x3ecacc49],
            [0x00000000, 0x00000000, 0x00000000],
            1042,
        ),
        (
            [0x3f3fa251, 0x3e546f5b, 0xbf6e0b9d],
            [0xbdeb6242, 0x3edc7b12, 0x3ea3bccf],
            [0x00000000, 0x00000000, 0x00000000],
            1234,
        ),
    ] {
        let [direction, first, second] = [direction, first, second].map(|bits: [u32; 3]| bits.map(f32::from_bits));
        let level = super::level::moves(&source, Some(direction), first, second).level();
        assert_eq!((level * 256.0).round(), expected as f32, "{direction:?} {first:?} {second:?}");
    }
}

/// Levels in 256ths that an H100 takes for gradients of directions, of a cube with sides of 256 elements.
#[test]
#[expect(clippy::excessive_precision, reason = "as they were recorded")]
fn levels_of_cubes_are_the_devices() {
    let face = vec![0.0; 256 * 256];
    let source = source(&face, [256, 256, 1], 1, 1, NORMALIZED);
    let level = |direction: [f32; 3], first: [f32; 3], second: [f32; 3]| {
        (super::level::moves(&source, Some(direction), first, second).level() * 256.0).round()
    };
    let one = [
        // Inside of a face: along it, and towards it.
        ([1.0, -0.888_888_9, -0.888_888_9], [0.0, -0.031, 0.0], 509.0),
        ([1.333_333_4, 2.0, -0.888_888_9], [-0.031, 0.0, 0.0], 253.0),
        ([-2.0, -1.333_333_3, -3.0], [0.0, -0.11, 0.0], 571.0),
        ([1.333_333_4, -0.666_666_7, -3.0], [0.0, 0.0, 0.11], 344.0),
        ([-0.75, -0.666_666_7, -0.333_333_34], [0.0, 0.031, 0.0], 615.0),
        // Anywhere, and over an edge.
        ([0.2014989257, 0.8713669181, 0.4348399341], [-0.0372714922, -0.0481151193, -0.0225723013], 524.0),
        ([-0.5122069120, 0.1878387183, -0.3379949927], [0.0190458260, -0.0384156778, -0.0081959963], 851.0),
        ([0.3809075058, 0.0931788832, 0.2482231408], [0.3394307196, 0.0063638398, -0.1239119098], 1547.0),
        ([0.1927276850, -0.3498271108, -0.2778188586], [0.0878161117, 0.1339539289, -0.0063517997], 1601.0),
        ([-0.5946428180, 0.1201469228, 0.3273007572], [0.2835967243, 0.2633582652, -0.2343748212], 1824.0),
        ([-0.3271427453, -0.0712727681, 0.4032883346], [0.0459247492, 0.0408480726, 0.0296571236], 1194.0),
    ];
    for (direction, by, expected) in one {
        assert_eq!(level(direction, by, [0.0; 3]), expected, "{direction:?} {by:?}");
        assert_eq!(level(direction, [0.0; 3], by), expected, "{direction:?} {by:?}");
    }
    let (first, second) = ([-0.0551526882, 0.0650051981, 0.0579449870], [-0.0377040654, 0.0255940259, -0.0226488542]);
    assert_eq!(level([-0.9353791475, -0.9550077319, 0.1500276327], first, second), 1066.0);
    // The face on the other side.
    assert_eq!(level([-0.089, 0.016, -0.027], [0.278, 0.132, 0.203], [0.0; 3]), f32::INFINITY);
}

/// Levels, biases, largest anisotropies, and the levels that an H100 takes, in 256ths.
#[test]
fn levels_are_mixed_less_where_several_samples_may_be_taken() {
    for (level, bias, anisotropy, expected) in [
        (896, 0, 1, 896),
        (518, -77, 1, 441),
        (1018, 40, 1, 1058),
        (624, 64, 1, 688),
        (1073, 77, 1, 1150),
        (965, 300, 1, 1265),
        (1232, 0, 2, 1273),
        (1105, 0, 2, 1082),
        (285, -77, 2, 249),
        (996, -77, 2, 931),
        (604, 40, 2, 647),
        (1189, 40, 2, 1268),
        (309, 64, 2, 367),
        (504, 64, 2, 531),
        (373, 77, 2, 482),
        (812, 77, 2, 885),
        (914, 300, 2, 1244),
        (596, 300, 2, 895),
        (926, 0, 4, 950),
        (1205, 0, 4, 1246),
        (472, -77, 4, 404),
        (735, -77, 4, 673),
        (284, 40, 4, 280),
        (606, 40, 4, 652),
        (896, 64, 4, 1007),
        (764, 64, 4, 776),
        (553, 77, 4, 622),
        (877, 77, 4, 997),
        (542, 300, 4, 801),
        (342, 300, 4, 643),
        (393, 0, 16, 402),
        (898, 0, 16, 900),
        (961, -77, 16, 872),
        (743, -77, 16, 692),
        (346, 40, 16, 388),
        (349, 40, 16, 394),
        (257, 64, 16, 258),
        (1145, 64, 16, 1266),
        (1093, 77, 16, 1188),
        (258, 77, 16, 286),
        (385, 300, 16, 730),
        (1063, 300, 16, 1318),
    ] {
        let found = super::level::optimised(level, f64::from(bias), anisotropy);
        assert_eq!(found, expected, "{level} {bias} {anisotropy}");
    }
    // What an H200 makes of biases with a fraction: the bias without one that gives the same for all levels.
    for (bias, anisotropy, same) in [
        (25.6, 2, 25),
        (-76.8, 2, -77),
        (-332.8, 2, -333),
        (25.6, 4, 25),
        (-76.8, 4, -77),
        (-332.8, 4, -333),
        (25.6, 16, 26),
        (179.2, 16, 179),
        (614.4, 16, 614),
        (-76.8, 16, -76),
        (-332.8, 16, -332),
    ] {
        for level in -300..1600 {
            let [found, expected] =
                [bias, f64::from(same)].map(|bias| super::level::optimised(level, bias, anisotropy));
            assert_eq!(found, expected, "{level} {bias} {anisotropy}");
        }
    }
}

/// Levels in 256ths that an H100 takes where places are longer in one direction: the kind of texture (rows of 256 elements, planes of
/// 256 by 128, cubes of 128), the largest anisotropy, the level, the place and its gradients by their bits.
#[test]
fn levels_of_long_places_are_the_devices() {
    let elements = vec![0.0; 256 * 128];
    let recorded = "
        1d 2 317 3eaab8f0 3ca0680f 3a9843d2
        1d 2 373 3f1e4818 3a5343ec bcb11a4f
        1d 2 594 3f303170 3b940b45 3d264fde
        1d 4 80 3f17720e 3ca7f6f2 39b91776
        1d 4 134 3f2666a0 3cb6d5e9 3a7f2ab0
        1d 4 720 3f2ea53a 3dcc5342 bc2ec760
        1d 16 4 3f14f7f8 3a880328 3d991239
        1d 16 26 3f0a147a bd4b8426 3d7f6560
        1d 16 160 3eec5bf8 bd6c00f1 3d9d5b31
        2d 2 54 3ec8f753 3ec633f6 bb1e6daa bc90c34a 3b38d916 bb9d8d9f
        2d 2 316 3ef0ef23 3eaf4290 baaff84e 3b443d24 3c441e68 bcfc384c
        2d 2 683 3ec14994 3eff43f4 3c878d1d 3dac2aab 3b3c1189 3b2be18b
        2d 4 417 3eadb5c7 3f212ff0 3bcd9e0e bc972f20 bd0bb71e 3d8e54b3
        2d 4 983 3f0613ce 3f172489 bd0e441e 3d980cad bd0da376 bd9febae
        2d 4 683 3f29dbe8 3f03ca24 bafc65bd 3c1e98f6 bd905e4a be0e5049
        2d 16 460 3f0d9ff2 3eef6b82 bb214840 bd00a06c bd13a3fa bd192e09
        2d 16 72 3f033aab 3effe1ca ba62a2bc bc61d741 3c0d42ba 3c31852f
        2d 16 40 3f27617c 3ec86f6f bd82daed bdafd8aa 3a977a66 ba597de5
        cube 2 365 bec9b9fa bf800000 3e894b8a bb6ee64b 3c3b7e22 bb71f1ad bcba9c99 3db055ec 3d111b23
        cube 2 961 3f800000 3ee85f26 beaadde0 bddbccf6 3d991e5f 3e795e95 3cf17f46 beb15068 bd1ee0ec
        cube 2 449 3eb4fca6 bf800000 3eb71092 3d74d989 3d8b2c76 3a957d39 bc164da7 3c0d0fbb 3c0d768f
        cube 4 331 3f800000 3f2aede1 bf19aceb bd41a170 3be0667c bd0e2094 3da1fd62 3cbaa850 3de41208
        cube 4 227 bdb140c0 3e484820 bf800000 bd203b54 bd67c6c3 3d75ae8b bd6cbcd2 bd729476 3d9d155f
        cube 4 336 bc4514c0 bf800000 3f477b53 3d4c8363 bc860836 3c6040d1 bdc6a91d be867a38 3d0fc776
        cube 16 2 3e21f0d4 befea3aa bf800000 3a0a069a 3c1fef8e bbf06237 3e03849c bdd0671a 3e37e2db
        cube 16 170 becfea10 bf193aa0 bf800000 bb0b25e2 bbcb47e3 bb925006 3d70609c 3e8cefc0 be5f3a96
        cube 16 326 bed2e603 bf800000 bf3f7922 3a0c20a9 3dbbab5d 3d5dd099 3cfd5c45 3d8fbb4b bd906004
    ";
    for row in recorded.lines().filter(|row| !row.trim().is_empty()) {
        let words: Vec<&str> = row.split_whitespace().collect();
        let (kind, anisotropy, expected) = (words[0], words[1].parse().unwrap(), words[2].parse::<i64>().unwrap());
        let numbers: Vec<f32> =
            words[3..].iter().map(|bits| f32::from_bits(u32::from_str_radix(bits, 16).unwrap())).collect();
        let axes = numbers.len() / 3;
        let [at, first, second]: [[f32; 3]; 3] =
            [0, 1, 2].map(|n| core::array::from_fn(|axis| if axis < axes { numbers[n * axes + axis] } else { 0.0 }));
        let extent = match kind {
            "1d" => [256, 1, 1],
            "2d" => [256, 128, 1],
            _ => [128, 128, 1],
        };
        let source = source(&elements, extent, 1, 1, NORMALIZED);
        let moves = super::level::moves(&source, (kind == "cube").then_some(at), first, second);
        let shape = super::stretch::Shape::of(&moves, anisotropy);
        let level = shape.map_or_else(|| moves.level(), |shape| super::level::logarithm(shape.short));
        let found = super::level::optimised((level * 256.0).floor() as i64, 0.0, anisotropy);
        assert!((found - expected).abs() <= 3, "{kind} {anisotropy} {first:?} {second:?}: {found}, {expected}");
    }
}

/// Several samples of integers are added up, too. Recorded on an H200: the largest anisotropy, the place and its gradients by their bits, and the result.
#[test]
fn integers_of_long_places_are_the_mean_of_several() {
    let elements: Vec<u32> = (0..64 * 64).map(|n| (n / 64) << 8 | (n % 64)).collect();
    let values: Vec<f32> = elements.iter().map(|&n| f32::from_bits(n)).collect();
    let mut source = source(&values, [64, 64, 1], 0, 0, NORMALIZED | 1);
    source.format = Format::of(3, 1, 1).unwrap();
    for (anisotropy, bits, expected) in [
        (2, [0x3f371406, 0x3f3c762a, 0xba57f71d, 0x39993f1e, 0xbc1782e0, 0xbcd5850f], 0x2ead),
        (2, [0x3dec4ce8, 0x3f056ff5, 0xbba92246, 0x3a9dab85, 0x3bcd4dc2, 0x3cdc3b21], 0x2087),
        (2, [0x3e918a78, 0x3e98211a, 0xbaf704de, 0x38d90d3f, 0x3a9d9863, 0x3cb35a8b], 0x1292),
        (2, [0x3f06f742, 0x3f481832, 0xbb43f82c, 0xbc5b0e43, 0xbcd4b4d8, 0x3bbe4a0f], 0x31a1),
        (2, [0x3ef9919c, 0x3f47908e, 0xbc12fddd, 0xbc8d4e6e, 0xba26ed41, 0x38a6dee3], 0x319f),
        (2, [0x3f54ab5c, 0x3f5ec3d7, 0x3b4393ee, 0xbcb1491b, 0xbc190753, 0x3c1f64be], 0x37b5),
        (4, [0x3f22d872, 0x3f2132b2, 0x3b3e3917, 0xbc20b8a3, 0x3c82883a, 0xbd23e6cc], 0x27a8),
        (4, [0x3ef60c18, 0x3f34c0c8, 0xbd2e2b72, 0x3c9f21af, 0x3b9a339d, 0x3c28c61d], 0x2c9e),
        (4, [0x3f6f9367, 0x3f290c68, 0xba64ae69, 0x3a1fe394, 0xbcc07aaa, 0xbd09a58f], 0x29db),
        (4, [0x3f5e85e0, 0x3f48952d, 0x3b007dcd, 0xba96a365, 0x3ca3787f, 0x3d0b6fed], 0x31b7),
        (16, [0x3f119d75, 0x3f2110ee, 0xba36ec62, 0xba02e3e5, 0x3cad089f, 0xbcf1d1fc], 0x27b7),
        (16, [0x3f3146ec, 0x3e6f8d30, 0xbd5cfa05, 0x3d52b7d1, 0xbbd008da, 0xbbfafd31], 0xeab),
        (16, [0x3f6b2e8c, 0x3f61cb92, 0x3c2da5cb, 0x3cfcf6fc, 0x3bd5e0b1, 0xbb12d0fa], 0x37c6),
        (16, [0x3dfb3ea0, 0x3f2ff448, 0xbbb5b5cc, 0x3ca85461, 0xb715e392, 0xbbec3885], 0x2b87),
    ] {
        let [x, y, px, py, qx, qy] = bits.map(f32::from_bits);
        let moves = super::level::moves(&source, None, [px, py, 0.0], [qx, qy, 0.0]);
        let shape = super::stretch::Shape::of(&moves, anisotropy).unwrap();
        assert!(shape.stretch.is_some());
        let request = Request { stretch: shape.stretch, ..request(&[x, y]) };
        // SAFETY: the texture lies in the test's memory.
        assert_eq!(unsafe { source.sample(&request) }[0], expected, "{anisotropy} {x} {y}");
    }
}
