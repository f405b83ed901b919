//! Steps once for each level of the machine: all give the same.

use super::*;
use crate::numeric::value::{SimdLevel, at_level, simd_level};
use crate::running::force_engine;
use settings::config::Engine;

/// Words that a thread begins with: numbers of all kinds as integers and as floating point.
fn words() -> Vec<u32> {
    #[rustfmt::skip]
    let odd: [u32; 32] = [
        0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x1_0000, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0x3f00_0000,
        0xbf00_0000, 0x3fc0_0000, 0xbfc0_0000, 0x4f7f_ffff, 0x4f80_0000, 0xcf00_0001, 0x7f80_0000, 0xff80_0000, 0x7fc0_0000,
        0xffc0_1234, 0x0000_0400, 0x8000_0001, 0x0080_0000, 0x477f_f000, 0x3380_0000, 0x4b00_0001, 0x42c8_4000, 0xc2f7_0000,
        0x4120_0001,
    ];
    odd.iter()
        .cycle()
        .zip(0u32..128)
        .map(|(word, n)| if n < 32 { *word } else { word.rotate_left(n / 5) ^ n })
        .collect()
}

/// What 64 threads, of which some are left out, leave of the words that each of them reads two of, by one level.
fn left_by(level: SimdLevel, body: &str) -> Vec<u32> {
    let body = format!(
        ".reg .b16 %h<6>; .reg .f32 %f<6>; .reg .f64 %d<6>;
         ld.global.u32 %r1, [%mine]; ld.global.u32 %r2, [%mine+256]; mov.b32 %f1, %r1; mov.b32 %f2, %r2;
         mov.b64 %rd1, {{%r1, %r2}}; mov.b64 %rd2, {{%r2, %t}}; mov.b64 %d1, %rd1; mov.b64 %d2, %rd2;
         mov.b32 {{%h1, %h2}}, %r1; mov.b32 {{%h3, %h4}}, %r2; mov.u64 %rd5, 7; mov.u32 %r5, 7; mov.b32 %f5, %r5; mov.b64 %d5, %rd5;
         mov.b32 {{%h5, _}}, %r5;
         setp.eq.u32 %p8, %t, 5; @%p8 bra E;
         {body}
         E: "
    );
    let mut words = words();
    words.resize(512, 0);
    at_level(level, || {
        let launch = launch(&kernel(&body), 1, 64, &[words.as_mut_ptr() as u64]);
        force_engine(Engine::Interpret, || launch.run()).unwrap_or_else(|e| panic!("{body}: {e:?}"));
    });
    words
}

/// Instructions with their results in registers of a width.
fn instructions() -> Vec<(String, &'static str)> {
    let integers = ["u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"];
    let (from, to) = (
        |ty: &str| match &ty[1..] {
            "64" => "%rd1",
            "16" => "%h1",
            _ => "%r1",
        },
        |ty: &str| match &ty[1..] {
            "64" => "%rd5",
            "16" => "%h5",
            _ => "%r5",
        },
    );
    let result = |ty: &str| match &ty[1..] {
        "64" => "b64 [%wide], %rd5",
        "16" => "b16 [%wide], %h5",
        _ => "b32 [%wide], %r5",
    };
    let mut all = Vec::new();
    for a in integers {
        for d in integers {
            all.push((format!("cvt.{d}.{a} {}, {};", to(d), from(a)), result(d)));
        }
        for mode in ["rn", "rz", "rm", "rp"] {
            all.push((format!("cvt.{mode}.f32.{a} %f5, {};", from(a)), "f32 [%wide], %f5"));
            all.push((format!("cvt.{mode}.f64.{a} %d5, {};", from(a)), "f64 [%wide], %d5"));
            for bent in ["", ".ftz", ".sat", ".ftz.sat"] {
                all.push((format!("cvt.{mode}i{bent}.{a}.f32 {}, %f1;", to(a)), result(a)));
            }
        }
    }
    for (a, d) in [("s64", "u8"), ("s32", "u16"), ("u64", "s32"), ("u32", "s8"), ("s64", "u64"), ("s16", "u32")] {
        all.push((format!("cvt.sat.{d}.{a} {}, {};", to(d), from(a)), result(d)));
    }
    for mode in ["rn", "rz", "rm", "rp"] {
        all.push((format!("cvt.{mode}.f16.f32 %h5, %f1;"), "b16 [%wide], %h5"));
        for operation in ["add", "sub", "mul"] {
            all.push((format!("{operation}.{mode}.f32 %f5, %f1, %f2;"), "f32 [%wide], %f5"));
            all.push((format!("{operation}.{mode}.ftz.f32 %f5, %f1, %f2;"), "f32 [%wide], %f5"));
            all.push((format!("{operation}.{mode}.f64 %d5, %d1, %d2;"), "f64 [%wide], %d5"));
        }
        all.push((format!("fma.{mode}.f32 %f5, %f1, %f2, %f1;"), "f32 [%wide], %f5"));
        all.push((format!("sqrt.{mode}.f32 %f5, %f1;"), "f32 [%wide], %f5"));
        all.push((
            format!("cvt.{mode}.bf16.f32 %h5, %f1;").replace("rm.", "rn.").replace("rp.", "rz."),
            "b16 [%wide], %h5",
        ));
    }
    for text in ["cvt.f64.f32 %d5, %f1;", "fma.rn.f64 %d5, %d1, %d2, %d1;", "min.f64 %d5, %d1, %d2;"] {
        all.push((text.to_owned(), "f64 [%wide], %d5"));
    }
    for text in [
        "cvt.f32.f16 %f5, %h1;",
        "max.f32 %f5, %f1, %f2;",
        "min.ftz.f32 %f5, %f1, %f2;",
        "abs.f32 %f5, %f1;",
        "neg.ftz.f32 %f5, %f1;",
        "add.sat.f32 %f5, %f1, %f2;",
        "ex2.approx.f32 %f5, %f1;",
    ] {
        all.push((text.to_owned(), "f32 [%wide], %f5"));
    }
    for text in [
        "mad.lo.u32 %r5, %r1, %r2, %t;",
        "mul.hi.s32 %r5, %r1, %r2;",
        "add.sat.s32 %r5, %r1, %r2;",
        "shl.b32 %r5, %r1, %t;",
        "shr.s32 %r5, %r1, %t;",
        "lop3.b32 %r5, %r1, %r2, %t, 0x96;",
        "prmt.b32 %r5, %r1, %r2, %t;",
        "bfe.s32 %r5, %r1, %t, 7;",
        "bfi.b32 %r5, %r1, %r2, %t, 9;",
        "popc.b32 %r5, %r1;",
        "clz.b32 %r5, %r1;",
        "brev.b32 %r5, %r1;",
        "sad.s32 %r5, %r1, %r2, %t;",
        "shf.l.wrap.b32 %r5, %r1, %r2, %t;",
        "add.u32 %r5, %t, 9; mad.lo.u32 %r5, %r5, 12, %r5;",
        "setp.lt.s32 %p1, %r1, %r2; selp.u32 %r5, %r1, %r2, %p1;",
        "setp.lt.and.u32 %p1|%p2, %r1, %r2, %p8; selp.u32 %r5, 1, 2, %p2;",
        "setp.gtu.f32 %p1, %f1, %f2; selp.u32 %r5, 1, 2, %p1;",
        "setp.neu.ftz.f32 %p1, %f1, %f2; selp.u32 %r5, 1, 2, %p1;",
        "setp.num.f64 %p1, %d1, %d2; selp.u32 %r5, 1, 2, %p1;",
        "setp.ge.u64 %p1, %rd1, %rd2; @%p1 mov.u32 %r5, 3;",
        "setp.gt.u32 %p1, %t, 17; @%p1 bra E;",
        ".local .align 8 .b8 l[16]; st.local.v2.u32 [l], {%r1, %r2}; ld.local.s16 %r5, [l+2];",
        ".local .align 8 .b8 l[16]; st.local.v2.u32 [l+8], {%r2, %t}; ld.local.v4.u8 {%r6, %r7, _, %r5}, [l+8];",
        ".local .align 8 .b8 l[256]; mov.u32 %r6, l; and.b32 %r7, %r1, 31; mad.lo.u32 %r6, %r7, 8, %r6;
         st.local.u64 [%r6], %rd1; @%p8 st.local.u8 [%r6+3], %r2; ld.local.u32 %r5, [%r6+4];",
        ".shared .align 8 .b8 s[512]; mov.u32 %r6, s; mad.lo.u32 %r6, %t, 8, %r6; st.shared.v2.u32 [%r6], {%r1, %r2};
         ld.shared.v2.s16 {%r7, %r5}, [%r6+4];",
        "mov.u32 %r5, %t; L: add.u32 %r5, %r5, 11; setp.lt.u32 %p1, %r5, 99; @%p1 bra L;",
    ] {
        all.push((text.to_owned(), "b32 [%wide], %r5"));
    }
    for text in ["mad.wide.s32 %rd5, %r1, %r2, %rd1;", "shr.s64 %rd5, %rd1, %t;", "mul.lo.u64 %rd5, %rd1, %rd2;"] {
        all.push((text.to_owned(), "b64 [%wide], %rd5"));
    }
    all
}

#[test]
fn all_levels_give_the_same() {
    // Levels that this machine does not have cannot be run.
    let levels: Vec<SimdLevel> =
        [SimdLevel::Avx2, SimdLevel::Avx512].into_iter().filter(|&level| level <= simd_level()).collect();
    for (text, result) in instructions() {
        let place = "mul.wide.u32 %rd20, %t, 8; add.u64 %rd20, %rd20, %out;";
        let body = format!("{text} {place} st.global.{};", result.replace("%wide", "%rd20+1024"));
        let plain = left_by(SimdLevel::Plain, &body);
        assert_ne!(plain[256..], [0; 256], "{text}");
        for &level in &levels {
            assert_eq!(plain, left_by(level, &body), "{text} {level:?}");
        }
    }
}
