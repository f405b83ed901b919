//! Kernels that launch kernels.

use super::*;

const RUNTIME: &str = "
    .extern .func (.param .b64 r) __cudaCDP2GetParameterBufferV2 (.param .b64 f, .param .align 4 .b8 g[12], .param .align 4 .b8 b[12], .param .b32 s);
    .extern .func (.param .b32 r) __cudaCDP2LaunchDeviceV2 (.param .b64 p, .param .b64 s);
    .extern .func (.param .b32 r) __cudaCDP2Memset2DAsync (.param .b64 p, .param .b64 pitch, .param .b32 v, .param .b64 w, .param .b64 h, .param .b64 s);
    .extern .func (.param .b64 r) __cudaCDP2GetErrorName (.param .b32 e);
    .extern .func (.param .b32 r) __cudaCDP2GetLastError ();
    .extern .func (.param .b32 r) __cudaCDP2MemsetAsync_ptsz (.param .b64 p, .param .b32 v, .param .b64 n, .param .b64 s);\n";

/// A launch of `f` with a grid and a block of so many, an address and a number, into a stream.
fn launches(f: &str, grid: &str, block: &str, number: &str, stream: u32) -> String {
    format!(
        "{{ .reg .b64 %f, %buffer; .reg .pred %none; .param .b64 pf; .param .align 4 .b8 pg[12];
        .param .align 4 .b8 pb[12]; .param .b32 ps; .param .b64 po; .param .b64 pp; .param .b64 pt; .param .b32 pe;
        mov.u64 %f, {f}; st.param.b64 [pf], %f; mov.u32 %r20, {grid}; st.param.b32 [pg], %r20; st.param.b32 [pg+4], 1;
        st.param.b32 [pg+8], 1; mov.u32 %r20, {block}; st.param.b32 [pb], %r20; st.param.b32 [pb+4], 1;
        st.param.b32 [pb+8], 1; st.param.b32 [ps], 0;
        call (po), __cudaCDP2GetParameterBufferV2, (pf, pg, pb, ps); ld.param.b64 %buffer, [po];
        setp.eq.u64 %none, %buffer, 0; @%none bra NONE;
        st.u64 [%buffer], %out; mov.u32 %r20, {number}; st.u32 [%buffer+8], %r20;
        st.param.b64 [pp], %buffer; st.param.b64 [pt], {stream};
        call (pe), __cudaCDP2LaunchDeviceV2, (pp, pt); ld.param.b32 %r21, [pe];
        NONE: }}"
    )
}

/// A kernel with an address and a number.
fn entry(name: &str, body: &str) -> String {
    kernel(body).replace("entry k(.param .u64 a)", &format!("entry {name}(.param .u64 a, .param .u32 n)"))
}

#[test]
fn children_run_before_the_parent_counts_as_done() {
    let leaf = entry("leaf", "ld.param.u32 %r1, [n]; add.u32 %r1, %r1, %t; atom.global.add.u32 %r2, [%out], %r1;");
    let last = entry(
        "last",
        "ld.global.u32 %r1, [%out]; ld.param.u32 %r2, [n]; add.u32 %r1, %r1, %r2; st.global.u32 [%out+4], %r1;",
    );
    let first = "setp.ne.u32 %p1, %t, 0; @%p1 ret;".to_owned();
    let body = first
        + &launches("last", "1", "1", "1000", 3)
        + &launches("leaf", "2", "4", "10", 0)
        + &launches("leaf", "1", "2", "100", 4)
        + "st.global.u32 [%out+8], %r21;";
    let mut words = vec![0; 4];
    run(&format!("{RUNTIME}{leaf}{last}{}", kernel(&body)), 1, 32, &mut words).unwrap();
    // Two blocks of 10 + 11 + 12 + 13, and 100 + 101; the tail launch sees all of it.
    assert_eq!(words, [293, 1293, 0, 0]);
}

#[test]
fn grids_launch_themselves() {
    // Down to the deepest level allowed, and in a long chain of tail launches.
    let body = "ld.param.u32 %r1, [n]; atom.global.add.u32 %r2, [%out], 1; setp.eq.u32 %p1, %r1, 0; @%p1 ret;
        add.u32 %r3, %r1, -1;";
    for (number, stream, expected) in [(100, 0, 25), (5000, 3, 5001), (10, 4, 11)] {
        let text = RUNTIME.to_owned() + &entry("k", &(body.to_owned() + &launches("k", "1", "1", "%r3", stream)));
        let mut words = vec![0u32; 2];
        launch(&text, 1, 1, &[words.as_mut_ptr() as u64, number]).run().unwrap();
        assert_eq!(words[0], expected);
    }
}

#[test]
fn bad_launches_are_errors_of_the_thread() {
    let leaf = entry("leaf", "st.global.u32 [%out], 7;");
    let body = launches("leaf", "1", "1025", "0", 0)
        + "{ .param .b32 e; call (e), __cudaCDP2GetLastError; ld.param.b32 %r1, [e]; }
        { .param .b32 e; call (e), __cudaCDP2GetLastError; ld.param.b32 %r2, [e]; }
        st.global.v2.u32 [%out+8], {%r1, %r2};";
    let mut words = vec![0; 4];
    run(&format!("{RUNTIME}{leaf}{}", kernel(&body)), 1, 1, &mut words).unwrap();
    assert_eq!(words, [0, 0, 9, 0]);
}

#[test]
fn memory_is_set_in_order() {
    let leaf = entry("leaf", "ld.global.u32 %r1, [%out]; add.u32 %r1, %r1, 1; st.global.u32 [%out], %r1;");
    let body = launches("leaf", "1", "1", "0", 0)
        + "{ .param .b64 p; .param .b32 v; .param .b64 n; .param .b64 s; .param .b32 e; st.param.b64 [p], %out;
        st.param.b32 [v], 1; st.param.b64 [n], 4; st.param.b64 [s], 0;
        call (e), __cudaCDP2MemsetAsync_ptsz, (p, v, n, s); }"
        + &launches("leaf", "1", "1", "0", 0);
    let mut words = vec![5; 4];
    run(&format!("{RUNTIME}{leaf}{}", kernel(&body)), 1, 1, &mut words).unwrap();
    assert_eq!(words, [0x0101_0102, 5, 5, 5]);
}

#[test]
fn rows_are_set_and_errors_have_names() {
    let body =
        "{ .param .b64 p; .param .b64 pitch; .param .b32 v; .param .b64 w; .param .b64 h; .param .b64 s; .param .b32 e;
        st.param.b64 [p], %out; st.param.b64 [pitch], 8; st.param.b32 [v], 7; st.param.b64 [w], 3; st.param.b64 [h], 2;
        st.param.b64 [s], 0; call (e), __cudaCDP2Memset2DAsync, (p, pitch, v, w, h, s); ld.param.b32 %r1, [e]; }
        { .param .b64 p; .param .b64 pitch; .param .b32 v; .param .b64 w; .param .b64 h; .param .b64 s; .param .b32 e;
        st.param.b64 [p], %out; st.param.b64 [pitch], 2; st.param.b32 [v], 7; st.param.b64 [w], 3; st.param.b64 [h], 2;
        st.param.b64 [s], 0; call (e), __cudaCDP2Memset2DAsync, (p, pitch, v, w, h, s); ld.param.b32 %r2, [e]; }
        { .param .b64 n; .param .b32 e; st.param.b32 [e], 2; call (n), __cudaCDP2GetErrorName, (e);
        ld.param.b64 %rd1, [n]; ld.u8 %r3, [%rd1+9]; }
        st.global.v2.u32 [%out+16], {%r1, %r2}; st.global.u32 [%out+24], %r3;";
    let mut words = vec![u32::MAX; 7];
    run(&format!("{RUNTIME}{}", kernel(body)), 1, 1, &mut words).unwrap();
    assert_eq!(words, [0xff07_0707, u32::MAX, 0xff07_0707, u32::MAX, 0, 1, u32::from(b'M')]);
}
