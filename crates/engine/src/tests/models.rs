//! Instructions against models that share nothing with the interpreter: arithmetic of the test's own, in wider types.

use super::{kernel, run};

/// Runs an instruction on registers `%r1` and `%r2` (and `%r3`) for each triple; gives what it leaves in `%r0`.
fn each(code: &str, inputs: &[[u32; 3]]) -> Vec<u32> {
    let count = inputs.len();
    let mut words: Vec<u32> = inputs.iter().flatten().copied().collect();
    words.resize(count * 4, 0);
    let text = kernel(&format!(
        ".reg .b16 %h<9>; .reg .f32 %f<9>; .reg .u32 %n, %i; mov.u32 %n, %ntid.x; mov.u32 %i, %ctaid.x; mad.lo.u32 %i, %i, %n, %t;\n\
         setp.ge.u32 %p0, %i, {count}; @%p0 ret;\n\
         mad.wide.u32 %rd0, %i, 12, %out; ld.global.u32 %r1, [%rd0]; ld.global.u32 %r2, [%rd0+4]; ld.global.u32 %r3, [%rd0+8];\n\
         {code}\n\
         mad.wide.u32 %rd0, %i, 4, %out; st.global.u32 [%rd0+{}], %r0;",
        count * 12
    ));
    run(&text, count.div_ceil(256) as u32, 256, &mut words).unwrap();
    words[count * 3..].to_vec()
}

/// Compares with a model over inputs.
fn check(code: &str, inputs: &[[u32; 3]], model: impl Fn(u32, u32, u32) -> u32) {
    for (found, &[a, b, c]) in each(code, inputs).into_iter().zip(inputs) {
        let wanted = model(a, b, c);
        assert!(found == wanted, "{code} of {a:#x} {b:#x} {c:#x}: {found:#x}, not {wanted:#x}");
    }
}

const EDGES: [u32; 24] = [
    0,
    1,
    2,
    3,
    7,
    8,
    15,
    16,
    31,
    32,
    33,
    63,
    64,
    127,
    128,
    255,
    0x7fff,
    0x8000,
    0xffff,
    0x12345678,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_fffe,
    0xffff_ffff,
];

/// All triples of edges.
fn triples() -> Vec<[u32; 3]> {
    let mut all = Vec::new();
    for a in EDGES {
        for b in EDGES {
            all.extend(EDGES.map(|c| [a, b, c]));
        }
    }
    all
}

/// Every 16-bit pattern.
fn halves() -> Vec<[u32; 3]> {
    (0..=0xffff).map(|a| [a, 0, 0]).collect()
}

/// A number of `bits` bits behind the point, least exponent `low`, as its digits say; `None` for what is no number.
fn value(bits: u32, fraction: u32, exponents: u32, low: i32) -> Option<f64> {
    let (e, f) = (bits >> fraction & ((1 << exponents) - 1), bits & ((1 << fraction) - 1));
    let sign = if bits >> (fraction + exponents) & 1 == 1 { -1.0 } else { 1.0 };
    if e == (1 << exponents) - 1 {
        return (f == 0).then_some(sign * f64::INFINITY);
    }
    let point = f64::from(1u32 << fraction);
    let magnitude = if e == 0 { f64::from(f) / point } else { (1.0 + f64::from(f) / point) * 2f64.powi(e as i32 - 1) };
    Some(sign * magnitude * 2f64.powi(low))
}

#[test]
fn sixteen_bits_to_singles_and_back() {
    for (ty, fraction, exponents, low) in [("f16", 10, 5, -14), ("bf16", 7, 8, -126)] {
        let up = format!("cvt.u16.u32 %h1, %r1; cvt.f32.{ty} %f1, %h1; mov.b32 %r0, %f1;");
        for (found, [bits, ..]) in each(&up, &halves()).into_iter().zip(halves()) {
            match value(bits, fraction, exponents, low) {
                Some(x) => assert_eq!(f64::from(f32::from_bits(found)).to_bits(), x.to_bits(), "{ty} {bits:#x}"),
                None => assert!(f32::from_bits(found).is_nan(), "{ty} {bits:#x}"),
            }
        }
        // The way back finds the nearest: that which lies between the middles to its neighbours.
        let down = format!("mov.b32 %f1, %r1; cvt.rn.{ty}.f32 %h1, %f1; cvt.u32.u16 %r0, %h1;");
        let largest = (((1u32 << exponents) - 1) << fraction) - 1;
        let inputs: Vec<[u32; 3]> = (0..largest)
            .flat_map(|bits| {
                let (a, b) = (value(bits, fraction, exponents, low), value(bits + 1, fraction, exponents, low));
                let middle = (a.unwrap() + b.unwrap()) / 2.0;
                let middle = (middle as f32).to_bits();
                [[middle, bits + (bits & 1), 0], [middle + 1, bits + 1, 0], [middle.saturating_sub(1), bits, 0]]
            })
            // Middles that an f32 does not hold say nothing.
            .filter(|[single, ..]| *single != 0)
            .collect();
        if ty == "f16" {
            check(&down, &inputs, |_, wanted, _| wanted);
        }
    }
}

#[test]
fn eight_bits() {
    let bytes: Vec<[u32; 3]> = (0..=0xffff).step_by(7).map(|a| [a, 0, 0]).chain((0..256).map(|a| [a, 0, 0])).collect();
    for (ty, fraction, exponents, low) in [("e4m3x2", 3, 4, -6), ("e5m2x2", 2, 5, -14)] {
        let code = format!("cvt.u16.u32 %h1, %r1; cvt.rn.f16x2.{ty} %r0, %h1;");
        let halves: Vec<u32> = (0..256)
            .map(|byte: u32| {
                let x = match (ty, byte & 0x7f) {
                    ("e4m3x2", 0x7f) => None,
                    // No infinity: one more exponent of numbers.
                    ("e4m3x2", 0x78..) => {
                        Some((1.0 + f64::from(byte & 7) / 8.0) * 256.0 * if byte > 0x7f { -1.0 } else { 1.0 })
                    }
                    _ => value(byte, fraction, exponents, low),
                };
                let Some(x) = x else { return 0x7fff };
                (0..=0xffffu32).find(|&h| value(h, 10, 5, -14).is_some_and(|v| v.to_bits() == x.to_bits())).unwrap()
            })
            .collect();
        check(&code, &bytes, |pair, _, _| halves[pair as usize & 0xff] | halves[pair as usize >> 8 & 0xff] << 16);
    }
}

#[test]
fn pieces_of_words() {
    let all = triples();
    let bits = |x: u32| (0..32).map(move |n| x >> n & 1 == 1);
    check("bmsk.clamp.b32 %r0, %r1, %r2;", &all, |a, b, _| {
        (0..32)
            .filter(|&n| n >= a.min(32) && u64::from(n) < u64::from(a.min(32)) + u64::from(b))
            .fold(0, |d, n| d | 1 << n)
    });
    check("bmsk.wrap.b32 %r0, %r1, %r2;", &all, |a, b, _| {
        (0..32).filter(|&n| n >= a % 32 && n < a % 32 + b % 32).fold(0, |d, n| d | 1 << n)
    });
    check("szext.clamp.u32 %r0, %r1, %r2;", &all, |a, b, _| {
        (0..32).filter(|&n| n < b && a >> n & 1 == 1).fold(0, |d, n| d | 1 << n)
    });
    check("fns.b32 %r0, %r1, %r2, %r3;", &all, |mask, base, offset| {
        let offset = offset as i32;
        let ones: Vec<u32> = (0..32).filter(|n| mask >> n & 1 == 1).collect();
        let found = match offset {
            i32::MIN => Some(0),
            0 => ones.contains(&base).then_some(base),
            1.. if base < 32 => ones.iter().copied().filter(|&n| n >= base).nth(offset as usize - 1),
            _ if base < 32 => ones.iter().rev().copied().filter(|&n| n <= base).nth(offset.unsigned_abs() as usize - 1),
            _ => None,
        };
        found.unwrap_or(u32::MAX)
    });
    check("popc.b32 %r0, %r1;", &all, |a, _, _| bits(a).filter(|b| *b).count() as u32);
    for (signed, name) in [(false, "u32"), (true, "s32")] {
        let wide = |x: u32| if signed { i64::from(x as i32) } else { i64::from(x) };
        check(&format!("mul.hi.{name} %r0, %r1, %r2;"), &all, |a, b, _| {
            ((i128::from(wide(a)) * i128::from(wide(b))) >> 32) as u32
        });
        check(&format!("sad.{name} %r0, %r1, %r2, %r3;"), &all, |a, b, c| {
            ((wide(a) - wide(b)).unsigned_abs() as u32).wrapping_add(c)
        });
    }
    check("mad.hi.sat.s32 %r0, %r1, %r2, %r3;", &all, |a, b, c| {
        let part = (i128::from(a as i32) * i128::from(b as i32)) >> 32;
        (part + i128::from(c as i32)).clamp(i128::from(i32::MIN), i128::from(i32::MAX)) as u32
    });
    check("dp4a.u32.s32 %r0, %r1, %r2, %r3;", &all, |a, b, c| {
        let (a, b) = (a.to_le_bytes(), b.to_le_bytes().map(|x| x as i8));
        (0..4).fold(c, |sum, n| sum.wrapping_add((i32::from(a[n]) * i32::from(b[n])) as u32))
    });
    check("dp2a.hi.s32.u32 %r0, %r1, %r2, %r3;", &all, |a, b, c| {
        let halves = [a as i16, (a >> 16) as i16];
        (0..2).fold(c, |sum, n| sum.wrapping_add((i32::from(halves[n]) * i32::from(b.to_le_bytes()[2 + n])) as u32))
    });
    check("slct.b32.s32 %r0, %r1, %r2, %r3;", &all, |a, b, c| if c >> 31 == 0 { a } else { b });
}

#[test]
fn video_instructions() {
    let all = triples();
    check("vadd.s32.u32.s32.sat %r0, %r1.b1, %r2.h1;", &all, |a, b, _| {
        (i64::from(a.to_le_bytes()[1]) + i64::from((b >> 16) as i16)) as i32 as u32
    });
    check("vsub.u32.u32.u32.sat %r0.h0, %r1, %r2, %r3;", &all, |a, b, c| {
        // The device takes a negative difference for a large one.
        c & 0xffff_0000 | a.checked_sub(b).unwrap_or(0xffff).min(0xffff)
    });
    check("vabsdiff.u32.s32.s32.max %r0, %r1.b3, %r2.b0, %r3;", &all, |a, b, c| {
        let (a, b) = (a.to_le_bytes()[3] as i8, b.to_le_bytes()[0] as i8);
        c.max(u32::from(a.abs_diff(b)))
    });
    check("vshr.s32.s32.u32.clamp %r0, %r1, %r2;", &all, |a, b, _| ((a as i32) >> b.min(31)) as u32);
    check("vset.s32.u32.lt.add %r0, %r1, %r2, %r3;", &all, |a, b, c| {
        c.wrapping_add(u32::from(i64::from(a as i32) < i64::from(b)))
    });
    check("vmad.s32.s32.s32.sat.shr15 %r0, %r1, %r2.h1, -%r3;", &all, |a, b, c| {
        let sum = i128::from(a as i32) * i128::from((b >> 16) as i16) - i128::from(c as i32);
        (sum >> 15).clamp(i128::from(i32::MIN), i128::from(i32::MAX)) as u32
    });
    check("vadd4.s32.s32.s32.sat %r0, %r1, %r2, %r3;", &all, |a, b, _| {
        let (a, b) = (a.to_le_bytes(), b.to_le_bytes());
        u32::from_le_bytes([0, 1, 2, 3].map(|n| (a[n] as i8).saturating_add(b[n] as i8) as u8))
    });
    check("vabsdiff2.u32.u32.u32.add %r0, %r1.h02, %r2, %r3;", &all, |a, b, c| {
        // Places: the lower one takes half 2 (of b), the upper one half 0 (of a).
        let (low, high) = (b as u16, a as u16);
        c.wrapping_add(u32::from(low.abs_diff(b as u16))).wrapping_add(u32::from(high.abs_diff((b >> 16) as u16)))
    });
}

/// Approximate functions stay within the manual's bounds.
#[test]
fn approximations() {
    let samples = |from: f32, to: f32| -> Vec<[u32; 3]> {
        (0..20_000u32).map(|n| [(from + (to - from) * n as f32 / 20_000.0).to_bits(), 0, 0]).collect()
    };
    let every_exponent: Vec<[u32; 3]> =
        (0..0x7f80u32).map(|n| [n << 16 | (n.wrapping_mul(40_503) & 0xffff), 0, 0]).collect();
    let far = |code: &str, inputs: &[[u32; 3]], exact: fn(f64) -> f64, relative: f64, absolute: f64| {
        let code = format!("mov.b32 %f1, %r1; {code} mov.b32 %r0, %f0;");
        for (found, &[x, ..]) in each(&code, inputs).into_iter().zip(inputs) {
            let (x, found) = (f64::from(f32::from_bits(x)), f64::from(f32::from_bits(found)));
            let exact = exact(x);
            let single = f64::from(exact as f32);
            if single.is_infinite() || single.is_nan() || single.abs() < f64::from(f32::MIN_POSITIVE) {
                continue;
            }
            let error = (found - exact).abs();
            assert!(error <= relative * exact.abs() + absolute, "{code} of {x:e}: {found:e}, not {exact:e}");
        }
    };
    let ulp = 2f64.powi(-23);
    far("sin.approx.f32 %f0, %f1;", &samples(-3.125, 3.125), f64::sin, 0.0, 2f64.powf(-20.5));
    far("cos.approx.f32 %f0, %f1;", &samples(-3.125, 3.125), f64::cos, 0.0, 2f64.powf(-20.5));
    far("ex2.approx.f32 %f0, %f1;", &samples(-120.0, 120.0), f64::exp2, 0.50002 * ulp, 0.0);
    far("lg2.approx.f32 %f0, %f1;", &samples(0.5, 2.0), f64::log2, 0.0, 2f64.powi(-22));
    far("lg2.approx.f32 %f0, %f1;", &samples(2.0, 1e6), f64::log2, 2f64.powi(-22), 0.0);
    far("rcp.approx.f32 %f0, %f1;", &every_exponent, |x| 1.0 / x, ulp, 0.0);
    far("rsqrt.approx.f32 %f0, %f1;", &every_exponent, |x| 1.0 / x.sqrt(), 2f64.powf(-22.9), 0.0);
    far("sqrt.approx.f32 %f0, %f1;", &every_exponent, f64::sqrt, ulp, 0.0);
    far("tanh.approx.f32 %f0, %f1;", &samples(-8.0, 8.0), f64::tanh, 2f64.powi(-11), 0.0);
    far("div.approx.f32 %f0, 0f40400000, %f1;", &samples(0.001, 1e6), |x| 3.0 / x, 2.0 * ulp, 0.0);
    far("div.full.f32 %f0, 0f40400000, %f1;", &samples(0.001, 1e6), |x| 3.0 / x, 2.0 * ulp, 0.0);
}

/// What an H200 gave where the way there shows: large angles, results cut off, halves of doubles.
#[test]
fn approximations_as_on_a_device() {
    let half = "cvt.u16.u32 %h1, %r1; OP %h2, %h1; cvt.u32.u16 %r0, %h2;";
    for (operation, input, wanted) in [
        ("ex2.approx.f16", 0x11c5, 0x3c00),
        ("ex2.approx.f16", 0x4c00, 0x7c00),
        ("ex2.approx.f16", 0x8001, 0x3c00),
        ("tanh.approx.f16", 0x1c08, 0x1c07),
        ("tanh.approx.bf16", 0x3b81, 0x3b80),
        ("ex2.approx.ftz.bf16", 0xc161, 0x3875),
        ("ex2.approx.ftz.bf16", 0xc2fd, 0),
    ] {
        check(&half.replace("OP", operation), &[[input, 0, 0]], |_, _, _| wanted);
    }
    let single = "mov.b32 %f1, %r1; OP %f0, %f1; mov.b32 %r0, %f0;";
    check(&single.replace("OP", "tanh.approx.f32"), &[[0x3b80_0000, 0, 0]], |a, _, _| a);
    check(&single.replace("OP", "sin.approx.f32"), &[[0x8000_0000, 0, 0]], |a, _, _| a);
    for (operation, wanted) in [("sin.approx.f32", 0x3e47_c5ba), ("cos.approx.f32", 0x3f7b_14be)] {
        let found = each(&single.replace("OP", operation), &[[0x49ba_4e7e, 0, 0]])[0];
        let error = (f32::from_bits(found) - f32::from_bits(wanted)).abs();
        assert!(error < 2f32.powi(-21), "{operation}: {found:#x}, not {wanted:#x}");
    }
    let double = ".reg .b64 %both; .reg .f64 %d<2>; mov.b64 %both, {%r2, %r1}; mov.b64 %d1, %both; OP %d0, %d1;\n\
                  mov.b64 %both, %d0; mov.b64 {%r3, %r0}, %both;";
    for (operation, wanted) in [
        ("rcp.approx.ftz.f64", [0x7ff0_0000, 0x8000_0000, 0]),
        ("rsqrt.approx.ftz.f64", [0x7ff0_0000, 0x7fff_ffff, 0x1ff0_0000]),
    ] {
        let inputs = [[0x000f_ffff, 0xffff_ffff, 0], [0xfff0_0000, 0x20, 1], [0x7fef_ffff, 0xffff_ffff, 2]];
        let code = double.replace("OP", operation);
        for (input, wanted) in inputs.into_iter().zip(wanted) {
            check(&code, &[input], |_, _, _| wanted);
        }
    }
}
