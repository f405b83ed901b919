//! What random kernels found (`crates/xtask/src/random`): the interpreter and an H200 had other bits.

use super::{kernel, run};

/// Runs code for one thread that leaves words at `%out`.
fn words<const N: usize>(code: &str) -> [u32; N] {
    let mut words = [0; N];
    run(&kernel(&format!(".reg .f32 %f<9>; .reg .f64 %d<9>; .reg .b16 %h<9>; {code}")), 1, 1, &mut words).unwrap();
    words
}

#[test]
fn additions_to_shared_memory_quiet_what_is_no_number() {
    // In shared memory, directly and by a generic address, the old one before the new one; global memory keeps the bits.
    for (old, new, sum) in [
        ("7ff0000000000001", "3ff0000000000000", [1, 0x7ff8_0000u32]),
        ("3ff0000000000000", "7ff0000000000001", [1, 0x7ff8_0000]),
        ("fff8000000000123", "7ff0000000000001", [0x123, 0xfff8_0000]),
    ] {
        let found = words::<8>(&format!(
            ".shared .align 8 .b8 cell[8]; mov.u64 %rd1, cell; cvta.shared.u64 %rd2, %rd1; mov.b64 %d1, 0x{new};
             mov.b64 %rd3, 0x{old}; st.shared.b64 [cell], %rd3; red.shared.add.f64 [cell], %d1;
             ld.shared.b64 %rd4, [cell]; st.global.b64 [%out], %rd4;
             st.shared.b64 [cell], %rd3; atom.add.f64 %d2, [%rd2], %d1; ld.shared.b64 %rd4, [cell]; st.global.b64 [%out+8], %rd4;
             st.global.b64 [%out+16], %rd3; red.global.add.f64 [%out+16], %d1;"
        ));
        assert_eq!([&found[..2], &found[2..4]], [&sum; 2], "{old} {new}");
        assert_eq!(found[4..6], [1, 0x7ff0_0000], "{old} {new}");
    }
}

#[test]
fn sums_that_are_subnormal_after_rounding_are_flushed() {
    // The least normal number, less a little: towards zero it is subnormal, and gone.
    let found = words::<1>(
        "mov.b32 %f1, 0f80800000; mov.b32 %f2, 0f00800000; mad.rz.ftz.f32 %f3, %f1, %f2, %f2; st.global.f32 [%out], %f3;",
    );
    assert_eq!(found, [0]);
}

#[test]
fn halves_are_flushed_if_they_stay_subnormal_with_eleven_bits() {
    // 2^-14 - 2^-28 rounds to 2^-14 whatever the least exponent is; 2^-14 - 2^-25 does not.
    let found = words::<2>(
        "mov.b16 %h1, 0x8400; mov.b16 %h2, 0x0400; mov.b16 %h3, 0x3bff; mov.b16 %h4, 0;
         fma.rn.ftz.relu.f16 %h5, %h1, %h2, %h2; fma.rn.ftz.f16 %h6, %h2, %h3, %h4;
         cvt.u32.u16 %r1, %h5; cvt.u32.u16 %r2, %h6; st.global.u32 [%out], %r1; st.global.u32 [%out+4], %r2;",
    );
    assert_eq!(found, [0x400, 0]);
}

#[test]
fn branches_behind_comparisons_of_halves_are_taken() {
    for (comparison, taken) in [
        ("setp.eq.f16x2 %p1, %r1, %r1;", 1),
        ("setp.ne.f16x2 %p1, %r1, %r1;", 0),
        ("setp.num.bf16x2 %p1, %r1, %r1;", 1),
        ("setp.le.ftz.f16 %p1, %h1, %h1;", 1),
        ("setp.gt.f16 %p1, %h1, %h1;", 0),
    ] {
        let found = words::<1>(&format!(
            "mov.b32 %r1, 0x3c003c00; mov.b16 %h1, 0x3c00; mov.u32 %r2, 1; {comparison} @%p1 bra E; mov.u32 %r2, 0;
             E: st.global.u32 [%out], %r2;"
        ));
        assert_eq!(found, [taken], "{comparison}");
    }
}
