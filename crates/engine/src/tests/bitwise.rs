//! Bitwise operations that compiled code makes one of, shifts and sums by numbers that are known, choices of zero: interpreted and
//! compiled.

use super::same;

/// A body of random steps: nearly all write a register of their own, so that many results have one reader. The last ones are stored.
fn body(random: &mut impl FnMut(u32) -> u32, wide: bool) -> String {
    let (r, b, u) = if wide { ("%x", "b64", "u64") } else { ("%w", "b32", "u32") };
    let shifts = if wide { 64 } else { 32 };
    let mut text = ".reg .b32 %w<99>; .reg .b64 %x<99>; add.s64 %rd1, %mine, 512; ".to_owned();
    for n in 0..5 {
        text += &format!(
            "ld.global.u32 %w{n}, [%rd1+{}]; cvt.u64.u32 %x{n}, %w{n}; mul.lo.u64 %x{n}, %x{n}, 0x9E3779B97F4A7C15; ",
            64 * n
        );
    }
    text += "mov.u32 %w5, %ctaid.x; mov.u64 %x5, 0xFF00FF00FF; mov.u32 %w6, 0xFF00FF; cvt.u64.u32 %x6, %w5; ";
    for n in 7..40u32 {
        // Those just written are read more often.
        let mut from = || match random(3) {
            0 => random(7),
            _ => n - 1 - random(n.min(4)),
        };
        let (x, y, z) = (from(), from(), from());
        // Some overwrite what others read.
        let to = if random(9) == 0 { random(n) } else { n };
        let (by, number) = (random(shifts), random(256));
        text += &match random(if wide { 14 } else { 20 }) {
            0..3 => format!("and.{b} {r}{to}, {r}{x}, {r}{y}; "),
            3..5 => format!("or.{b} {r}{to}, {r}{x}, {r}{y}; "),
            5..8 => format!("xor.{b} {r}{to}, {r}{x}, {r}{y}; "),
            8..10 => format!("not.{b} {r}{to}, {r}{x}; "),
            10 => format!("setp.gt.{u} %p1, {r}{x}, {r}{y}; selp.{b} {r}{to}, {r}{z}, 0, %p1; "),
            11 => format!("shl.{b} {r}{to}, {r}{x}, {by}; shr.{u} {r}{to}, {r}{to}, {}; ", by / 2),
            12 => format!(
                "setp.gt.{u} %p2, {r}{x}, {r}{z}; @%p2 xor.{b} {r}{x}, {r}{x}, {r}{y}; and.{b} {r}{to}, {r}{x}, {r}{z}; "
            ),
            13 => format!(
                "add.{u} {r}{to}, {r}{x}, {r}{y}; st.global.u32 [%rd1+-512], %w{}; xor.{b} {r}{to}, {r}{to}, {r}{z}; ",
                random(5)
            ),
            14..17 => format!("lop3.b32 %w{to}, %w{x}, %w{y}, %w{z}, {number}; "),
            17 => format!("shf.l.wrap.b32 %w{to}, %w{x}, %w{x}, {by}; "),
            18 => format!("mad.lo.u32 %w{to}, %w{x}, {}, {number}; ", (2 << by.min(30)) + 1),
            _ => format!("setp.lt.s32 %p1, %w{x}, %w{y}; selp.b32 %w{to}, 0, %w{z}, %p1; "),
        };
        // A register that nothing wrote is one of the first.
        if to != n {
            text += &format!("mov.{b} {r}{n}, {r}{x}; ");
        }
    }
    let words = if wide { "cvt.u32.u64 %w39, %x39; cvt.u32.u64 %w38, %x38; " } else { "" };
    text + words + "st.global.u32 [%mine], %w39; st.global.u32 [%rd1], %w38;"
}

#[test]
fn bitwise_functions_are_the_same_in_both() {
    let mut state = 7u64;
    let mut random = |limit: u32| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % u64::from(limit)) as u32
    };
    for n in 0..if cfg!(debug_assertions) { 150 } else { 1500 } {
        same(&body(&mut random, n % 3 == 0), [32, 96, 17][n % 3]);
    }
}
