//! Products against plain models: layouts by the formulas of the manual, sums in wider types.

use super::Element::{self, *};
use super::layout::{Form, Key, Layout, Role};
use super::numbers::{Panel, Parts, Rows, Rules, dot};
use super::{Fragment, Product, Scratch, group, known, multiply, wide};
use crate::numeric::float;
use crate::numeric::float::{Float16, Half};
use crate::numeric::value::{SimdLevel, simd_level};
use crate::tests::run;

fn layout(role: Role, element: Element, rows: usize, columns: usize) -> std::sync::Arc<Layout> {
    Layout::of(Key { role, element, rows, columns, form: Form::Plain })
}

#[test]
fn fragments_hold_every_element_once() {
    let shapes = [
        (F16, 16, 8, 8),
        (F16, 16, 8, 16),
        (Tf32, 16, 8, 4),
        (F64, 8, 8, 4),
        (F64, 16, 8, 16),
        (E4m3, 16, 8, 32),
        (S8, 8, 8, 16),
        (S4, 16, 8, 64),
        (B1, 16, 8, 8),
        (F16, 32, 8, 16),
        (F16, 16, 256, 16),
    ];
    for (element, m, n, k) in shapes {
        for (role, element, rows, columns) in
            [(Role::A, element, m, k), (Role::B, element, k, n), (Role::C, F32, m, n), (Role::C, F16, m, n)]
        {
            for form in [Form::Plain, Form::Turned] {
                if form == Form::Turned && (m, n, k) != (16, 8, 16) {
                    continue;
                }
                let layout = Layout::of(Key { role, element, rows, columns, form });
                let count = rows * columns / 32;
                let mut seen = vec![0; rows * columns];
                for e in 0..count {
                    (0..32).for_each(|lane| seen[layout.index(e, lane)] += 1);
                }
                assert!(seen.iter().all(|&n| n == 1), "{role:?} {element:?} {rows} {columns} {form:?}");
            }
        }
    }
}

#[test]
fn lanes_hold_what_the_formulas_say() {
    for lane in 0..32 {
        let (group, member) = (lane >> 2, lane % 4);
        // m16n8k16 in half precision.
        let (a, b, c) = (layout(Role::A, F16, 16, 16), layout(Role::B, F16, 16, 8), layout(Role::C, F32, 16, 8));
        for i in 0..8 {
            let row = if i < 2 || (4..6).contains(&i) { group } else { group + 8 };
            let column = member * 2 + (i & 1) + if i < 4 { 0 } else { 8 };
            assert_eq!(a.index(i, lane), row * 16 + column);
        }
        for i in 0..4 {
            let row = member * 2 + (i & 1) + if i < 2 { 0 } else { 8 };
            assert_eq!(b.index(i, lane), row * 8 + group);
            assert_eq!(c.index(i, lane), (if i < 2 { group } else { group + 8 }) * 8 + member * 2 + (i & 1));
        }
        // m16n8k32 of bytes.
        let (a, b) = (layout(Role::A, S8, 16, 32), layout(Role::B, S8, 32, 8));
        for i in 0..16 {
            let row = if i < 4 || (8..12).contains(&i) { group } else { group + 8 };
            let column = member * 4 + (i & 3) + if i < 8 { 0 } else { 16 };
            assert_eq!(a.index(i, lane), row * 32 + column);
        }
        for i in 0..8 {
            assert_eq!(b.index(i, lane), (member * 4 + (i & 3) + if i < 4 { 0 } else { 16 }) * 8 + group);
        }
    }
}

/// One row times eight columns that are all the same.
fn sum(rules: Rules, element: Element, factors: &[(u64, u64)], c: u64) -> u64 {
    let (mut a, mut b) = (Rows::default(), Rows::default());
    a.reset(element, 1, factors.len());
    b.reset(element, factors.len(), 8);
    for (k, &(x, y)) in factors.iter().enumerate() {
        a.set(element, k, x);
        (0..8).for_each(|j| b.set(element, k * 8 + j, y));
    }
    let mut cells = [c; 8];
    dot(&rules, &a, 0, factors.len(), &Panel { rows: &b, columns: 8, first: 0, picks: None }, &mut cells);
    assert!(cells.iter().all(|&x| x == cells[0]));
    cells[0]
}

#[test]
fn sums_are_cut_off_below_the_highest_exponent() {
    let rules = Rules::Short { fraction: 25, half: false, narrow: false, parts: Parts::Whole };
    let bf = |x: f32| u64::from(x.to_bits() >> 16);
    let single = |bits: u64| f32::from_bits(bits as u32);
    // 2^-25 of the highest is kept, what is below is not, however much of it there is.
    let small = 2f32.powi(-13);
    let kept = sum(rules, Bf16, &[(bf(1.0), bf(1.0)), (bf(small), bf(small * 2.0)), (bf(small), bf(small * 2.0))], 0);
    assert_eq!(single(kept), 1.0, "rounded towards zero at the end");
    let four = [(bf(small), bf(small * 2.0)); 4];
    let kept = sum(rules, Bf16, &[&[(bf(1.0), bf(1.0))][..], &four].concat(), 0);
    assert_eq!(single(kept), 1.0 + 2f32.powi(-23));
    let lost = sum(rules, Bf16, &[&[(bf(1.0), bf(1.0))][..], &[(bf(small), bf(small)); 15]].concat(), 0);
    assert_eq!(single(lost), 1.0);
    assert_eq!(single(sum(rules, Bf16, &[(bf(3.0), bf(-5.0))], u64::from(20f32.to_bits()))), 5.0);
    // What is below the least number is a zero, and has no sign.
    let (tiny, half) =
        (bf(2f32.powi(-100)), Rules::Short { fraction: 25, half: true, narrow: false, parts: Parts::Whole });
    assert_eq!(sum(rules, Bf16, &[(tiny, bf(-2f32.powi(-100)))], 0x8000_0000), 0);
    assert_eq!(sum(half, Element::F16, &[(0x0001, 0x8001)], 0), 0);
    // Infinities and NaNs decide.
    let infinity = bf(f32::INFINITY);
    assert_eq!(single(sum(rules, Bf16, &[(infinity, bf(-2.0)), (bf(1.0), bf(1.0))], 0)), f32::NEG_INFINITY);
    assert_eq!(sum(rules, Bf16, &[(infinity, bf(0.0))], 0), 0x7fff_ffff);
    assert_eq!(sum(rules, Bf16, &[(infinity, bf(1.0))], u64::from(f32::NEG_INFINITY.to_bits())), 0x7fff_ffff);
}

#[test]
fn halves_of_singles_are_rounded_twice() {
    // 1 + 2^-11 + 2^-24: an f32 has no place for the last bit, and what is left is just between two halves.
    let half = |x: f32| u64::from(x.to_bits() >> 13 & 0x3ff | ((x.to_bits() >> 23) - 112) << 10);
    let factors = [
        (half(1.0), half(1.0)),
        (half(2f32.powi(-5)), half(2f32.powi(-6))),
        (half(2f32.powi(-12)), half(2f32.powi(-12))),
    ];
    let rules = |half| Rules::Short { fraction: 25, half, narrow: true, parts: Parts::Whole };
    assert_eq!(sum(rules(true), F16, &factors, 0), 0x3c01);
    assert_eq!(sum(rules(false), F16, &factors, 0), 0x3c00);
}

#[test]
fn halves_of_quads_are_added_in_pairs() {
    // 2^-24 is lost beside 1, and kept beside the accumulator that is taken away first.
    let (one, small) = (0x3c00, 1);
    let chain = |half, c| sum(Rules::Chain { half }, F16, &[(one, one), (0, 0), (small, one), (0, 0)], c);
    let minus = u64::from((-1f32).to_bits());
    assert_eq!(chain(false, minus), 0);
    assert_eq!(chain(true, minus), 1);
    // Zeros keep their sign where all are negative.
    assert_eq!(sum(Rules::Chain { half: true }, F16, &[(0x8000, one); 4], 1 << 31), 0x8000);
    assert_eq!(sum(Rules::Chain { half: false }, F16, &[(0x8000, one); 4], 1 << 31), 0);
}

#[test]
fn numbers_of_8_bits_are_halves_in_a_warp() {
    // 2^-9 is subnormal as it is, not as a half: what is cut off beside 2^-9 * 2^15 is further down.
    let mut rows = Rows::default();
    rows.reset(E4m3, 1, 2);
    rows.set(E4m3, 0, 1);
    rows.set(E4m3, 1, 0x38);
    let mut columns = Rows::default();
    columns.reset(E5m2, 2, 8);
    (0..8).for_each(|j| columns.set(E5m2, j, 0x78));
    (0..8).for_each(|j| columns.set(E5m2, 8 + j, 1));
    let rules = Rules::Short { fraction: 22, half: false, narrow: false, parts: Parts::Whole };
    let result = |a: &Rows| {
        let mut cells = [0; 8];
        dot(&rules, a, 0, 2, &Panel { rows: &columns, columns: 8, first: 0, picks: None }, &mut cells);
        f32::from_bits(cells[0] as u32)
    };
    assert_eq!(result(&rows), 64.0);
    rows.as_halves();
    assert_eq!(result(&rows), 64.0 + 2f32.powi(-16));
    // One of two numbers of 32 bits may be named by halves of both.
    let mut words = Rows::default();
    words.reset(Tf32, 2, 1);
    words.set(Tf32, 0, 0x3f80_4000);
    words.set(Tf32, 1, 0x4000_2000);
    words.mix_halves(Tf32, 2, 1);
    // Below the half of the first, above that of the second.
    let mixed = 2 + 0b1100;
    assert_eq!(words.bits(mixed), Some(0x4000_4000));
}

#[test]
fn integers_wrap_or_saturate() {
    let most = u64::from(i32::MAX as u32);
    assert_eq!(sum(Rules::Integer { saturate: true }, U8, &[(255, 255); 32], most), most);
    let wrapped = (i32::MAX).wrapping_add(255 * 255 * 32) as u32;
    assert_eq!(sum(Rules::Integer { saturate: false }, U8, &[(255, 255); 32], most), u64::from(wrapped));
    assert_eq!(sum(Rules::Integer { saturate: false }, S4, &[(0xf, 0x7), (0x8, 0x8)], 0), 57);
    assert_eq!(sum(Rules::Bits { and: false }, B1, &[(0xff, 0x0f)], 3), 7);
    let nan = sum(Rules::Double(0), F64, &[(f64::NAN.to_bits(), 0)], 0);
    assert!(f64::from_bits(nan).is_nan());
}

/// A kernel of one warp: every lane loads `inputs` words, the body computes `%d..`, and `outputs` words are stored.
fn warp(body: &str, inputs: usize, outputs: usize, data: &mut [u32]) {
    let stride = inputs.max(outputs) * 4;
    let load: String = (0..inputs).map(|i| format!("ld.global.b32 %a{i}, [%p+{}];\n", i * 4)).collect();
    let store: String = (0..outputs).map(|i| format!("st.global.b32 [%p+{}], %d{i};\n", i * 4)).collect();
    let text = format!(
        ".visible .entry k(.param .u64 a) {{ .reg .b32 %t, %a<32>, %d<20>; .reg .b64 %p, %o; .reg .f64 %w<24>;\n.shared .align 16 .b8 s[4096];\n\
         ld.param.u64 %p, [a]; mov.u32 %t, %tid.x; mul.wide.u32 %o, %t, {stride}; add.u64 %p, %p, %o;\n\
         {load}{body}\n{store}ret; }}\n"
    );
    run(&text, 1, 32, data).unwrap();
}

#[test]
fn a_product_is_that_of_plain_matrices() {
    // Small integers in half precision: every sum is exact.
    let half = |v: i32| [0xc000u32, 0xbc00, 0, 0x3c00, 0x4000][(v + 2) as usize];
    let entry = |seed: usize, at: usize| ((at * 7 + at / 5 * 3 + seed) % 5) as i32 - 2;
    let (a, b, c) = (layout(Role::A, F16, 16, 16), layout(Role::B, F16, 16, 8), layout(Role::C, F32, 16, 8));
    let mut data = vec![0u32; 32 * 10];
    for lane in 0..32 {
        let words = &mut data[lane * 10..][..10];
        for e in 0..8 {
            words[e / 2] |= half(entry(1, a.index(e, lane))) << (e % 2 * 16);
        }
        for e in 0..4 {
            words[4 + e / 2] |= half(entry(2, b.index(e, lane))) << (e % 2 * 16);
            words[6 + e] = (entry(3, c.index(e, lane)) as f32).to_bits();
        }
    }
    let body = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%d0,%d1,%d2,%d3}, {%a0,%a1,%a2,%a3}, {%a4,%a5}, \
                {%a6,%a7,%a8,%a9};";
    warp(body, 10, 4, &mut data);
    for lane in 0..32 {
        for e in 0..4 {
            let at = c.index(e, lane);
            let products = (0..16).map(|k| entry(1, at / 8 * 16 + k) * entry(2, k * 8 + at % 8));
            let expected = products.sum::<i32>() + entry(3, at);
            assert_eq!(f32::from_bits(data[lane * 10 + e]), expected as f32);
        }
    }
}

#[test]
fn matrices_come_from_memory_turned_or_not() {
    // Each lane writes a row of eight numbers, and takes its part of the matrix.
    let mut data: Vec<u32> = (0..32 * 4u32).map(|i| (i * 2) | ((i * 2 + 1) << 16)).collect();
    let body = "shl.b32 %t, %t, 4; mov.u32 %a10, s; add.u32 %t, %t, %a10; st.shared.v4.b32 [%t], {%a0,%a1,%a2,%a3}; bar.warp.sync -1;\n\
                ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%d0,%d1}, [%t]; ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%d2}, [%t];\n\
                movmatrix.sync.aligned.m8n8.trans.b16 %d3, %d2;";
    warp(body, 4, 4, &mut data);
    for lane in 0..32u32 {
        let (row, column) = (lane / 4, lane % 4 * 2);
        let words = &data[lane as usize * 4..][..4];
        let pair = |a: u32, b: u32| a | b << 16;
        assert_eq!(words[0], pair(column * 8 + row, column * 8 + 8 + row));
        assert_eq!(words[1], words[0] + pair(64, 64));
        assert_eq!(words[2], pair(row * 8 + column, row * 8 + column + 1));
        assert_eq!(words[3], words[0]);
    }
}

/// Bits of an element: any, without infinities and NaNs, near one, or tiny.
fn element_bits(element: Element, kind: u32, random: &mut impl FnMut() -> u32) -> u32 {
    let bits = random() & (u32::MAX >> (32 - element.bits().min(32)));
    // The exponent's field, and a number like one.
    let (field, one) = match element {
        F16 => (0x7c00, 0x3800),
        Bf16 => (0x7f80, 0x3f00),
        Tf32 | F32 => (0x7f80_0000, 0x3f00_0000),
        E4m3 => (0x78, 0x30),
        E5m2 => (0x7c, 0x38),
        _ => return bits,
    };
    match kind {
        0 => bits,
        1 if bits & field == field => bits & !field,
        1 => bits,
        2 => bits & !field | one,
        3 if random().is_multiple_of(3) => 0,
        _ => bits & !(field & field << 2),
    }
}

#[test]
fn sixteen_rows_at_once_give_what_they_give_one_by_one() {
    let mut state = 11u64;
    let mut random = move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 32) as u32 ^ (state >> 11) as u32
    };
    let short = |fraction, half, narrow, parts| Rules::Short { fraction, half, narrow, parts };
    let mut cases = Vec::new();
    for (half, narrow) in [(false, false), (true, false), (false, true)] {
        cases.push((F16, F16, 16, short(25, half, narrow, Parts::Whole)));
        for (a, b) in [(E4m3, E4m3), (E5m2, E4m3), (E4m3, E5m2), (E5m2, E5m2)] {
            cases.push((a, b, 32, short(25, half, narrow, Parts::Pairs)));
            cases.push((a, b, 32, short(13, half, narrow, Parts::Whole)));
        }
    }
    cases.push((Bf16, Bf16, 8, short(25, false, false, Parts::Whole)));
    cases.push((Tf32, Tf32, 8, short(25, false, false, Parts::Whole)));
    cases.push((Tf32, Tf32, 8, short(25, false, false, Parts::Runs(4))));
    for (a, b) in [(S8, S8), (U8, U8), (S8, U8), (U8, S8), (S4, U4), (U4, U4)] {
        cases.push((a, b, 32, Rules::Integer { saturate: false }));
        cases.push((a, b, 64, Rules::Integer { saturate: true }));
    }
    let mut compared = 0;
    for (a, b, depth, rules) in cases {
        for (rows, columns) in [(16, 8), (32, 8), (16, 40)] {
            for round in 0..24 {
                let nothing = |element| Fragment { element, registers: Vec::new(), layout: group::no_layout() };
                let (a, b, c, d) = (nothing(a), nothing(b), nothing(F32), nothing(F32));
                let product = Product {
                    rows,
                    columns,
                    depth,
                    b_columns: columns,
                    a,
                    b,
                    c,
                    d,
                    rules,
                    sparsity: None,
                    scales: None,
                    known: None,
                };
                if !wide::fits(&product) {
                    continue;
                }
                let (mut scratch, mut wide) = (Scratch::default(), wide::Wide::default());
                let (left, right) = (product.a.element, product.b.element);
                scratch.a.reset(left, rows, depth);
                scratch.b.reset(right, depth, columns);
                wide.a.reset(left, rows * depth);
                wide.b.reset(right, depth * columns);
                let negative = left.is_short_float() && round % 2 == 1;
                for k in 0..depth {
                    for i in 0..rows {
                        let bits = element_bits(left, round / 2 % 4, &mut random);
                        scratch.a.set(left, i * depth + k, bits.into());
                        wide.a.set(left, wide::place_of(left, rows, i, k), bits);
                    }
                    for j in 0..columns {
                        let bits = element_bits(right, round / 2 % 4, &mut random);
                        scratch.b.set(right, k * columns + j, bits.into());
                        wide.b.set(right, wide::place_of(right, columns, j, k), bits);
                    }
                }
                wide.clear(&product);
                scratch.c.resize(rows * columns, 0);
                for i in 0..rows {
                    for j in 0..columns {
                        let bits = element_bits(F32, (round / 8 + 1) % 4, &mut random);
                        // What is added to halves is a half.
                        let bits = match rules {
                            Rules::Short { half: true, .. } => Float16(bits as u16).to_f32().to_bits(),
                            Rules::Integer { .. } => random(),
                            _ => bits,
                        };
                        scratch.c[i * columns + j] = bits.into();
                        wide.c[j * rows + i] = bits;
                    }
                }
                if negative {
                    scratch.a.negate();
                }
                if let Rules::Short { parts: Parts::Pairs, .. } = rules {
                    scratch.a.as_halves();
                    scratch.b.as_halves();
                }
                multiply(&product, &mut scratch);
                // SAFETY: the machine has the instructions of what fits.
                unsafe { wide.multiply(&product, negative) };
                for i in 0..rows {
                    for j in 0..columns {
                        let (expected, got) = (scratch.c[i * columns + j] as u32, wide.c[j * rows + i]);
                        assert_eq!(
                            format!("{got:08x}"),
                            format!("{expected:08x}"),
                            "{left:?} {right:?} {rules:?}, round {round}, {rows} {columns}, row {i}, column {j}"
                        );
                        compared += 1;
                    }
                }
            }
        }
    }
    assert!(compared > 100_000 || simd_level() < SimdLevel::Avx512);
}

#[test]
fn eight_columns_at_once_give_what_they_give_one_by_one() {
    let mut state = 5u64;
    let mut random = move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        state ^ state >> 29
    };
    let special = [0, 1 << 63, 0x7ff0 << 48, 0xfff0 << 48, 0x7ff0_0000_0000_1234, 0xfff8_0000_0000_0007, 1];
    let mut double = move || match random() >> 60 {
        0 => special[(random() >> 40) as usize % special.len()],
        n if n < 8 => (random() & !(0x7ffu64 << 52)) | (1020 + (random() >> 61)) << 52,
        _ => random(),
    };
    for round in 0..400 {
        let depth = 4 + round % 3 * 4;
        let (mut a, mut b) = (Rows::default(), Rows::default());
        let element = if round % 4 == 0 { B1 } else { F64 };
        a.reset(element, 1, depth);
        b.reset(element, depth, 8);
        let left: Vec<u64> = (0..depth).map(|_| double()).collect();
        let right: Vec<u64> = (0..depth * 8).map(|_| double()).collect();
        left.iter().enumerate().for_each(|(at, &bits)| a.set(element, at, bits));
        right.iter().enumerate().for_each(|(at, &bits)| b.set(element, at, bits));
        let before: [u64; 8] = core::array::from_fn(|_| double());
        let mut cells = before;
        let and = round % 8 == 0;
        let rules = if element == B1 { Rules::Bits { and } } else { Rules::Double(float::NEAREST) };
        dot(&rules, &a, 0, depth, &Panel { rows: &b, columns: 8, first: 0, picks: None }, &mut cells);
        for j in 0..8 {
            let (mut bits, mut sum) = (before[j] as u32, f64::from_bits(before[j]));
            for k in 0..depth {
                let (x, y) = (left[k], right[k * 8 + j]);
                bits = bits.wrapping_add(if and { x as u32 & y as u32 } else { x as u32 ^ y as u32 }.count_ones());
                let (x, y) = (f64::from_bits(x), f64::from_bits(y));
                sum = match [y, sum, x].into_iter().find(|v| v.is_nan()) {
                    Some(nan) => f64::from_bits(nan.to_bits() | 1 << 51),
                    None => x.mul_add(y, sum),
                };
            }
            let expected = if element == B1 { bits.into() } else { sum.to_bits() };
            assert_eq!(format!("{:016x}", cells[j]), format!("{expected:016x}"), "{rules:?}, round {round}");
        }
    }
}

#[test]
fn matrices_go_to_memory_turned_or_not() {
    // Turned on the way out and on the way in is as it was; once is as `movmatrix` turns it.
    let mut data: Vec<u32> = (0..32 * 4u32).map(|i| i.wrapping_mul(0x9e37_79b9)).collect();
    let body = "shl.b32 %t, %t, 4; mov.u32 %a10, s; add.u32 %t, %t, %a10;\n\
                stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%t], {%a0,%a1}; bar.warp.sync -1;\n\
                ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%d0,%d1}, [%t];\n\
                ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%d2}, [%t]; bar.warp.sync -1;\n\
                movmatrix.sync.aligned.m8n8.trans.b16 %d2, %d2;\n\
                stmatrix.sync.aligned.m8n8.x1.shared.b16 [%t], {%a3}; bar.warp.sync -1;\n\
                ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%d3}, [%t];";
    let before = data.clone();
    warp(body, 4, 4, &mut data);
    for (new, old) in data.chunks(4).zip(before.chunks(4)) {
        assert_eq!(new, [old[0], old[1], old[0], old[3]]);
    }
}

#[test]
fn fragments_as_lanes_hold_them_give_what_rows_give_one_by_one() {
    let mut state = 3u64;
    let mut random = move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 32) as u32 ^ (state >> 11) as u32
    };
    let floats = Rules::Short { fraction: 25, half: false, narrow: false, parts: Parts::Whole };
    let mut forms = Vec::new();
    for (name, element, depths) in [("f16", F16, [8, 16]), ("bf16", Bf16, [8, 16]), ("tf32", Tf32, [4, 8])] {
        for depth in depths {
            let name = format!("mma.sync.aligned.m16n8k{depth}.row.col.f32.{name}.{name}.f32");
            forms.push((name, element, element, [16, 8, depth], floats));
        }
    }
    for (shape, name) in [([16, 16, 16], "m16n16k16"), ([32, 8, 16], "m32n8k16")] {
        let name = format!("wmma.mma.sync.aligned.row.col.{name}.f32.f32");
        forms.push((name, F16, F16, shape, floats));
    }
    for (a, b) in [(S8, S8), (S8, U8), (U8, S8), (U8, U8)] {
        for saturate in [false, true] {
            let names = format!("s32.{a:?}.{b:?}.s32").to_lowercase();
            let end = if saturate { "satfinite." } else { "" };
            for depth in [16, 32] {
                let name = format!("mma.sync.aligned.m16n8k{depth}.row.col.{end}{names}");
                forms.push((name, a, b, [16, 8, depth], Rules::Integer { saturate }));
            }
        }
    }
    for (name, left, right, [rows, columns, depth], rules) in forms {
        let whole = name.starts_with("wmma");
        let (a, b, c) = (
            layout(Role::A, left, rows, depth),
            layout(Role::B, right, depth, columns),
            layout(Role::C, if left.is_short_float() { F32 } else { S32 }, rows, columns),
        );
        // Factors of whole products have eight registers, whatever is in them.
        let registers = |own: usize| if whole { 8 } else { own };
        let [in_a, in_b, in_c] = [registers(a.registers), registers(b.registers), c.registers];
        let inputs = in_a + in_b + in_c;
        let list = |name: &str, from: usize, count: usize| {
            let all: Vec<String> = (from..from + count).map(|n| format!("%{name}{n}")).collect();
            format!("{{{}}}", all.join(","))
        };
        let body = format!(
            "{name} {}, {}, {}, {};",
            list("d", 0, in_c),
            list("a", 0, in_a),
            list("a", in_a, in_b),
            list("a", in_a + in_b, in_c)
        );
        for round in 0..180u32 {
            let (kind, kind_of_sum) = (round % 9, (round / 9 + 1) % 5);
            let mut data = vec![0u32; 32 * inputs];
            let mut scratch = Scratch::default();
            scratch.a.reset(left, rows, depth);
            scratch.b.reset(right, depth, columns);
            scratch.c.resize(rows * columns, 0);
            for lane in 0..32 {
                let words = &mut data[lane * inputs..][..inputs];
                let mut fill = |to: &mut [u32], element: Element, layout: &Layout, set: &mut dyn FnMut(usize, u32)| {
                    let per = element.per_register();
                    for e in 0..layout.registers * per {
                        let bits = match (element, kind) {
                            // The largest of all, and what is only next to it.
                            (F16, 4) => 0x7bff,
                            (Bf16, 4) => 0x3fff | random() << 15 & 0x8000,
                            (Tf32, 4) => 0x3fff_f000 | random(),
                            (S8 | U8, 4) => 0x80,
                            // Of one size, of a few, of few bits, and of few bits with some that are tiny.
                            (F16, 5) => random() & 0x83ff | 0x3800,
                            (Bf16, 5) => random() & 0x807f | 0x3f80,
                            (F16, 6) => random() & 0x87e0 | 0x3800,
                            (Bf16, 6) => random() & 0x81f0 | 0x3f00,
                            (F16, 7) if random().is_multiple_of(3) => 0,
                            (F16, 7) => random() & 0x8f80 | 0x3000,
                            (Bf16, 7) if random().is_multiple_of(3) => 0,
                            (Bf16, 7) => random() & 0x8070 | 0x3f80,
                            (F16, 8) => random() & 0x803f,
                            (Bf16, 8) => random() & 0x83c0 | 0x3e00,
                            _ => element_bits(element, kind, &mut random),
                        };
                        let bits = bits & (u32::MAX >> (32 - element.bits()));
                        to[e / per] |= bits << (e % per * element.bits());
                        set(layout.index(e, lane), bits);
                    }
                };
                fill(&mut words[..in_a], left, &a, &mut |at, bits| scratch.a.set(left, at, bits.into()));
                fill(&mut words[in_a..], right, &b, &mut |at, bits| scratch.b.set(right, at, bits.into()));
                for e in 0..in_c {
                    let bits = match rules {
                        Rules::Integer { .. } if round % 2 == 0 => random() & 1 | 0x7fff_fff0,
                        Rules::Integer { .. } => random(),
                        // Much larger or smaller than products, and as they are.
                        _ if kind_of_sum == 4 => random() & 0x8fff_ffff | 0x3800_0000,
                        _ => element_bits(F32, kind_of_sum, &mut random),
                    };
                    words[in_a + in_b + e] = bits;
                    scratch.c[c.index(e, lane)] = bits.into();
                }
            }
            warp(&body, inputs, in_c, &mut data);
            let nothing = |element| Fragment { element, registers: Vec::new(), layout: group::no_layout() };
            let (a, b, d) = (nothing(left), nothing(right), nothing(if left.is_short_float() { F32 } else { S32 }));
            let c_again = nothing(d.element);
            let product = Product {
                rows,
                columns,
                depth,
                b_columns: columns,
                a,
                b,
                c: c_again,
                d,
                rules,
                sparsity: None,
                scales: None,
                known: None,
            };
            multiply(&product, &mut scratch);
            for lane in 0..32 {
                for e in 0..in_c {
                    let (at, got) = (c.index(e, lane), data[lane * inputs + e]);
                    let expected = scratch.c[at] as u32;
                    assert_eq!(
                        format!("{got:08x}"),
                        format!("{expected:08x}"),
                        "{name}, round {round}, row {}, column {}",
                        at / columns,
                        at % columns
                    );
                }
            }
        }
    }
}

#[test]
fn doubles_as_lanes_hold_them_give_what_rows_give_one_by_one() {
    let mut state = 9u64;
    let mut random = move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        state ^ state >> 29
    };
    let modes =
        [("", float::NEAREST), (".rn", float::NEAREST), (".rm", float::DOWN), (".rp", float::UP), (".rz", float::ZERO)];
    for [rows, columns, depth] in [[8, 8, 4], [16, 8, 4], [16, 8, 8], [16, 8, 16]] {
        let key = |role, rows, columns| layout(role, F64, rows, columns);
        let (a, b, c) = (key(Role::A, rows, depth), key(Role::B, depth, columns), key(Role::C, rows, columns));
        let counts = [a.registers, b.registers, c.registers];
        let inputs: usize = counts.iter().sum();
        for (mode, rounding) in modes {
            let pairs = |to: &str, from: &str, n: usize| {
                format!("mov.b64 %{to}, {{%{from}{}, %{from}{}}};\n", 2 * n, 2 * n + 1)
            };
            let pack: String = (0..inputs).map(|n| pairs(&format!("w{n}"), "a", n)).collect();
            let list = |from: usize, count: usize| {
                let all: Vec<String> = (from..from + count).map(|n| format!("%w{n}")).collect();
                format!("{{{}}}", all.join(","))
            };
            let unpack: String =
                (0..counts[2]).map(|n| format!("mov.b64 {{%d{}, %d{}}}, %w{n};\n", 2 * n, 2 * n + 1)).collect();
            // The result takes the place of factors: it is written when all is read.
            let body = format!(
                "{pack}mma.sync.aligned.m{rows}n{columns}k{depth}.row.col{mode}.f64.f64.f64.f64 {}, {}, {}, {};\n{unpack}",
                list(0, counts[2]),
                list(0, counts[0]),
                list(counts[0], counts[1]),
                list(counts[0] + counts[1], counts[2]),
            );
            for round in 0..24 {
                let mut data = vec![0u32; 32 * 2 * inputs];
                let mut scratch = Scratch::default();
                scratch.a.reset(F64, rows, depth);
                scratch.b.reset(F64, depth, columns);
                scratch.c.resize(rows * columns, 0);
                for lane in 0..32 {
                    for n in 0..inputs {
                        let bits = match random() >> 59 {
                            // Infinities, NaNs and subnormal numbers, in a third of the rounds.
                            0 if round % 3 == 0 => {
                                [0x7ff0 << 48, 0xfff0 << 48, 0x7ff0_0000_0000_1234, 1][round / 3 % 4]
                            }
                            n if n < 24 => random() & !(0x7ffu64 << 52) | (1018 + (random() >> 60)) << 52,
                            _ => random() & !(1 << 62),
                        };
                        let words = &mut data[lane * 2 * inputs + 2 * n..][..2];
                        (words[0], words[1]) = (bits as u32, (bits >> 32) as u32);
                        if n < counts[0] {
                            scratch.a.set(F64, a.index(n, lane), bits);
                        } else if n < counts[0] + counts[1] {
                            scratch.b.set(F64, b.index(n - counts[0], lane), bits);
                        } else {
                            scratch.c[c.index(n - counts[0] - counts[1], lane)] = bits;
                        }
                    }
                }
                warp(&body, 2 * inputs, 2 * counts[2], &mut data);
                let nothing = || Fragment { element: F64, registers: Vec::new(), layout: group::no_layout() };
                let product = Product {
                    rows,
                    columns,
                    depth,
                    b_columns: columns,
                    a: nothing(),
                    b: nothing(),
                    c: nothing(),
                    d: nothing(),
                    rules: Rules::Double(rounding),
                    sparsity: None,
                    scales: None,
                    known: None,
                };
                assert!(matches!(known::known(&product), Some(known::Known::Doubles { .. })));
                multiply(&product, &mut scratch);
                for lane in 0..32 {
                    for e in 0..counts[2] {
                        let words = &data[lane * 2 * inputs + 2 * e..][..2];
                        let got = u64::from(words[1]) << 32 | u64::from(words[0]);
                        let expected = scratch.c[c.index(e, lane)];
                        assert_eq!(
                            format!("{got:016x}"),
                            format!("{expected:016x}"),
                            "m{rows}n{columns}k{depth}{mode}, round {round}, lane {lane}, register {e}"
                        );
                    }
                }
            }
        }
    }
}
