//! Registers of 128 bits, vectors of registers and special registers. Expected words are what an H200 gave.

use super::{Words, kernel, launch, run};

/// Stores registers of 32 bits one after the other.
fn store(names: &[&str]) -> String {
    names.iter().enumerate().map(|(n, name)| format!("st.global.b32 [%out+{}], {name};\n", n * 4)).collect()
}

#[test]
fn values_of_128_bits() {
    let mut words = Words([0u32; 64]);
    let text = kernel(
        ".reg .b128 %q<16>; .shared .align 16 .b8 s[64];
         mov.b128 %q1, {5, 6}; mov.b128 {%rd1, %rd2}, %q1; st.global.v2.u64 [%out], {%rd1, %rd2};
         mov.b128 %q2, 7; st.global.b128 [%out+16], %q2;
         mov.b128 %q3, -1; st.global.b128 [%out+32], %q3;
         mov.u64 %rd3, 0x1111111122222222; mov.u64 %rd4, 0x3333333344444444;
         mov.b128 %q5, {%rd3, %rd4}; st.global.b128 [%out+48], %q5;
         mov.b128 %q6, {5, 6}; st.global.b128 [%out+64], %q1;
         atom.global.cas.b128 %q7, [%out+64], %q6, %q5; st.global.b128 [%out+80], %q7;
         atom.exch.global.b128 %q8, [%out+64], %q2; st.global.b128 [%out+96], %q8;
         atom.global.cas.b128 %q8, [%out+64], %q6, %q5; st.global.b128 [%out+112], %q8;
         mov.u32 %r1, s; st.shared.b128 [s], %q5;
         atom.shared.exch.b128 %q9, [s], %q1; st.global.b128 [%out+128], %q9;
         atom.shared.cas.b128 %q10, [%r1], %q5, %q2; st.global.b128 [%out+144], %q10;
         ld.shared.b128 %q11, [s]; mov.b128 %q4, %q11; st.global.b128 [%out+160], %q4;
         ld.global.u32 %q12, [%out+48]; st.global.b128 [%out+176], %q12;
         ld.global.s32 %q13, [%out+32]; st.global.b128 [%out+192], %q13;
         mov.b128 %q14, {1, 2, 3, 4}; st.global.b128 [%out+208], %q14;
         mov.b128 {%r1, %r2, _, %r4}, %q5; st.global.v4.u32 [%out+224], {%r1, %r2, 9, %r4};
         { .param .align 16 .b128 p; st.param.b128 [p], %q14; ld.param.b128 %q15, [p]; }
         setp.eq.u32 %p1, %t, 1; @%p1 mov.b128 %q15, %q1; st.global.b64 [%out+240], %q15;",
    );
    run(&text, 1, 1, &mut words.0).unwrap();
    let pattern = [0x2222_2222, 0x1111_1111, 0x4444_4444, 0x3333_3333];
    let expected = [
        [5, 0, 6, 0],
        [7, 0, 0, 0],
        [!0, !0, 0, 0],
        pattern,
        [7, 0, 0, 0],
        [5, 0, 6, 0],
        pattern,
        [7, 0, 0, 0],
        pattern,
        [5, 0, 6, 0],
        [5, 0, 6, 0],
        [0x2222_2222, 0, 0, 0],
        [!0, !0, 0, 0],
        [1, 2, 3, 4],
        [0x2222_2222, 0x1111_1111, 9, 0x3333_3333],
        [1, 2, 0, 0],
    ];
    assert_eq!(words.0, expected.concat()[..]);
}

#[test]
fn accesses_of_128_bits_are_aligned() {
    use crate::state::fault::Fault;
    for access in ["ld.global.b128 %q, [%rd1];", "st.global.b128 [%rd1], %q;", "atom.global.exch.b128 %q, [%rd1], %q;"]
    {
        let mut words = Words([0; 64]);
        let text = kernel(&format!(".reg .b128 %q; mov.b128 %q, 5; add.u64 %rd1, %out, 8; {access}"));
        assert_eq!(run(&text, 1, 1, &mut words.0).unwrap_err().fault, Fault::Misaligned, "{access}");
    }
}

/// All threads of several blocks change one place: nothing is lost.
#[test]
fn exchanges_of_128_bits_are_atomic() {
    let mut words = Words([0; 64]);
    let text = kernel(
        ".reg .b128 %q<4>;
         ld.global.b128 %q1, [%out];
         AGAIN: mov.b128 {%rd1, %rd2}, %q1; add.u64 %rd1, %rd1, 1; sub.u64 %rd2, %rd2, 1; mov.b128 %q2, {%rd1, %rd2};
         atom.global.cas.b128 %q3, [%out], %q1, %q2;
         mov.b128 {%rd3, %rd4}, %q3; mov.b128 {%rd5, %rd6}, %q1; mov.b128 %q1, %q3;
         setp.ne.u64 %p1, %rd3, %rd5; @%p1 bra AGAIN;",
    );
    run(&text, 20, 64, &mut words.0).unwrap();
    assert_eq!(words.0[..4], [1280, 0, 1280u32.wrapping_neg(), !0]);
}

#[test]
fn vectors_of_registers() {
    let mut words = Words([0u32; 12]);
    let text = kernel(
        ".reg .v4 .u32 %v<3>; .reg .v2 .f32 %w; .reg .v4 .u32 %i;
         mov.v4.u32 %i, %tid; mov.u32 %v1.x, 10; mov.u32 %v1.y, 11; mov.u32 %v1.b, 12; mov.u32 %v1.a, %i.w;
         st.global.v4.u32 [%out], %v1; ld.global.v4.u32 %v2, [%out]; add.u32 %v2.x, %v2.y, %v2.z;
         st.global.v4.u32 [%out+16], %v2;
         mov.b64 %w, 0x3F80000040000000; st.global.v2.f32 [%out+32], {%w.y, %w.x}; mov.b64 %rd1, %w;
         st.global.u64 [%out+40], %rd1;",
    );
    run(&text, 1, 1, &mut words.0).unwrap();
    let one = 1f32.to_bits();
    let two = 2f32.to_bits();
    assert_eq!(words.0, [10, 11, 12, 0, 23, 11, 12, 0, one, two, two, one]);
}

#[test]
fn special_registers() {
    let names = [
        "nwarpid",
        "nsmid",
        "pm0",
        "envreg9",
        "tid.w",
        "ntid.w",
        "nctaid.w",
        "clusterid.x",
        "nclusterid.x",
        "cluster_ctarank",
        "cluster_nctarank",
        "reserved_smem_offset_cap",
        "total_smem_size",
        "dynamic_smem_size",
        "aggr_smem_size",
    ];
    let mut code = String::from(".shared .b8 s[132]; st.shared.b32 [s], %t;");
    for (n, name) in names.iter().enumerate() {
        code += &format!("mov.u32 %r{n}, %{name};\n");
    }
    let registers: Vec<String> = (0..names.len()).map(|n| format!("%r{n}")).collect();
    code += &store(&registers.iter().map(String::as_str).collect::<Vec<_>>());
    code += "mov.u64 %rd1, %current_graph_exec; st.global.u64 [%out+64], %rd1; mov.u64 %rd1, %pm7_64;
             st.global.u64 [%out+72], %rd1; mov.pred %p1, %is_explicit_cluster; selp.u32 %r1, 1, 2, %p1;
             st.global.u32 [%out+80], %r1; mov.u16 %h, %ntid.x; st.global.u16 [%out+84], %h;";
    let mut words = Words([0xeeee_eeeeu32; 22]);
    let mut launch = launch(&kernel(&format!(".reg .b16 %h; {code}")), 1, 32, &[words.0.as_mut_ptr() as u64]);
    launch.dynamic_shared = 100;
    launch.run().unwrap();
    assert_eq!(words.0[..15], [64, 132, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1024, 256, 100, 0x4e8]);
    assert_eq!(words.0[16..], [0, 0, 0, 0, 2, 0xeeee_0020]);
}

/// Libraries use what the system keeps of a block's shared memory: it is there, and apart from the kernel's own.
#[test]
fn reserved_shared_memory() {
    let code = ".extern .shared .b8 d[]; .shared .b32 s[4]; .func library () { .reg .b32 %a;
        mov.u32 %a, %reserved_smem_offset_1; st.shared.u32 [%a], 7; st.shared.u32 [%a+284], 8; ret; }";
    let body = "st.shared.u32 [s], 1; st.shared.u32 [s+12], 2; st.shared.u32 [d], 3; st.shared.u32 [d+60], 4;
        call library; ld.shared.u32 %r1, [s]; ld.shared.u32 %r2, [s+12]; ld.shared.u32 %r3, [d]; ld.shared.u32 %r4, [d+60];
        mov.u32 %r5, %reserved_smem_offset_1; ld.shared.u32 %r6, [%r5]; ld.shared.u32 %r7, [%r5+284];
        mov.u32 %r8, %reserved_smem_offset_begin; mov.u32 %r9, %reserved_smem_offset_end; sub.u32 %r8, %r9, %r8;";
    let body = body.to_owned() + &store(&["%r1", "%r2", "%r3", "%r4", "%r6", "%r7", "%r8", "%r8"]);
    let mut words = Words([0u32; 8]);
    let mut launch = launch(&(code.to_owned() + &kernel(&body)), 1, 1, &[words.0.as_mut_ptr() as u64]);
    launch.dynamic_shared = 64;
    launch.run().unwrap();
    assert_eq!(words.0, [1, 2, 3, 4, 7, 8, 1024, 1024]);
}

/// Shared memory ends with the last whole piece of 128 bytes.
#[test]
fn shared_memory_comes_in_pieces() {
    let mut words = Words([0u32; 4]);
    let at = |offset: u32| {
        kernel(&format!(
            ".shared .b8 s[4]; st.shared.b8 [s], 1; ld.shared.u32 %r1, [s+{offset}]; st.global.u32 [%out], %r1;"
        ))
    };
    run(&at(124), 1, 1, &mut words.0).unwrap();
    assert!(run(&at(128), 1, 1, &mut words.0).is_err());
}

#[test]
fn where_addresses_lead() {
    let mut words = Words([0u32; 8]);
    let text = ".const .align 4 .u32 c[2] = {1, 2};\n.visible .entry k(.param .u64 a) {
        .reg .pred %p; .reg .b32 %r; .reg .b64 %rd<9>;
        ld.param.u64 %rd1, [a]; mov.u64 %rd2, c; cvta.const.u64 %rd2, %rd2; mov.b64 %rd3, a; cvta.param.u64 %rd3, %rd3;
        isspacep.const %p, %rd2; selp.u32 %r, 1, 2, %p; st.global.u32 [%rd1], %r;
        isspacep.global %p, %rd2; selp.u32 %r, 1, 2, %p; st.global.u32 [%rd1+4], %r;
        isspacep.param::entry %p, %rd3; selp.u32 %r, 1, 2, %p; st.global.u32 [%rd1+8], %r;
        isspacep.global %p, %rd3; selp.u32 %r, 1, 2, %p; st.global.u32 [%rd1+12], %r;
        isspacep.const %p, %rd1; selp.u32 %r, 1, 2, %p; st.global.u32 [%rd1+16], %r;
        isspacep.param::entry %p, %rd1; selp.u32 %r, 1, 2, %p; st.global.u32 [%rd1+20], %r;
        ret; }";
    let module = ptx::parse(&format!("{}{text}", super::HEAD)).map(|_| ());
    module.unwrap();
    let constants = [1u32, 2];
    let addresses = [("c".to_owned(), constants.as_ptr() as u64)].into();
    let text = format!("{}{text}", super::HEAD);
    let module = ptx::parse(&text).unwrap();
    let program = crate::state::warp::Program::build(&module, &addresses).unwrap();
    let mut launch = launch(&kernel(""), 1, 1, &[words.0.as_mut_ptr() as u64]);
    launch.program = std::sync::Arc::new(program);
    launch.kernel = 0;
    launch.run().unwrap();
    assert_eq!(words.0[..6], [1, 2, 1, 1, 2, 2]);
}

/// Registers of 8 bits, and conversions of `bf16` that only they take.
#[test]
fn registers_of_8_bits() {
    let cases: [(u32, u32, u32); 9] = [
        (0x3fc0, 1, 1),
        (0x4300, 0x7f, 0x80),
        (0x4310, 0x7f, 0x90),
        (0x4380, 0x7f, 0xff),
        (0xbfc0, 0xff, 0),
        (0xc310, 0x80, 0),
        (0x7f80, 0x7f, 0xff),
        (0xff80, 0x80, 0),
        (0x7fff, 0, 0),
    ];
    for (bits, signed, unsigned) in cases {
        let mut words = Words([bits, 0x8100 | bits & 0xff, 0, 0, 0, 0]);
        let text = kernel(
            ".reg .b8 %b<4>; .reg .b16 %h<4>; ld.global.u16 %h1, [%out];
             cvt.rzi.s8.bf16 %b1, %h1; mov.b16 %h2, {%b1, 0}; cvt.u32.u16 %r1, %h2; st.global.u32 [%out+8], %r1;
             cvt.rzi.u8.bf16 %b2, %h1; mov.b16 %h2, {%b2, %b1}; cvt.u32.u16 %r1, %h2; st.global.u32 [%out+12], %r1;
             ld.global.u16 %h1, [%out+4]; mov.b16 {%b1, %b2}, %h1;
             cvt.rn.bf16.s8 %h2, %b2; cvt.rn.bf16.u8 %h3, %b2; mov.b32 %r1, {%h2, %h3}; st.global.u32 [%out+16], %r1;",
        );
        run(&text, 1, 1, &mut words.0).unwrap();
        assert_eq!(words.0[2..5], [signed, unsigned | signed << 8, 0x4301_c2fe], "{bits:x}");
    }
}

/// What stands for a number out of bounds makes the result zero, in each half apart.
#[test]
fn products_out_of_bounds() {
    for (ty, one, three) in [("f16", 0x3c00, 0x4200), ("bf16", 0x3f80, 0x4040)] {
        for (factor, expected) in [(0x7ff7, 0), (0xfff7, 0), (0x7ff6, 0x7fff), (0xffff, 0x7fff), (one, three)] {
            let mut words = Words([factor | one << 16, 0x4000_4000, one | one << 16, 0, 0]);
            let text = kernel(&format!(
                "ld.global.v2.u32 {{%r1, %r2}}, [%out]; ld.global.u32 %r3, [%out+8];
                 fma.rn.oob.{ty}x2 %r4, %r1, %r2, %r3; st.global.u32 [%out+12], %r4;
                 fma.rn.oob.relu.{ty}x2 %r4, %r2, %r1, %r3; st.global.u32 [%out+16], %r4;"
            ));
            run(&text, 1, 1, &mut words.0).unwrap();
            assert_eq!(words.0[3..], [expected | three << 16; 2], "{ty} {factor:x}");
        }
    }
}

/// The bits of policies, which have no effect, and what takes them.
#[test]
fn policies() {
    let cases = [
        ("fractional.L2::evict_last.b64 %rd1;", 0x14f0),
        ("fractional.L2::evict_last.L2::evict_first.b64 %rd1, 0.5;", 0x1570),
        ("fractional.L2::evict_normal.L2::evict_unchanged.b64 %rd1, 0.3;", 0x1640),
        ("fractional.L2::evict_first.b64 %rd1, 0.01;", 0x1200),
        ("fractional.L2::evict_unchanged.b64 %rd1, 0.99;", 0x10f0),
        ("range.global.L2::evict_last.b64 %rd1, [%rd2], 1048576, 4194304;", 0x1c32),
        ("cvt.L2.b64 %rd1, 0x12f0000000000000;", 0x12f0),
    ];
    for (policy, expected) in cases {
        let mut words = Words([0u32; 4]);
        let text = kernel(&format!(
            "mov.u64 %rd2, 0x7f1234567000; createpolicy.{policy}
             st.global.L2::cache_hint.b64 [%out], %rd1, %rd1; ld.global.L2::cache_hint.b32 %r1, [%out+4], %rd1;
             atom.global.add.L2::cache_hint.u32 %r2, [%out+8], %r1, %rd1;"
        ));
        run(&text, 1, 1, &mut words.0).unwrap();
        assert_eq!((words.0[1] >> 16, words.0[2]), (expected, words.0[1]), "{policy}");
    }
}

/// `.ftz` is nothing to doubles.
#[test]
fn reciprocals_of_subnormal_doubles() {
    let mut words = Words([0u32; 4]);
    let text = kernel(
        ".reg .f64 %d<3>; mov.b64 %rd1, 0x7fe1ccf385ebc8a0; mov.b64 %d1, %rd1; rcp.rz.ftz.f64 %d2, %d1;
         st.global.f64 [%out], %d2; mov.b64 %rd1, 1; mov.b64 %d1, %rd1; rcp.rm.ftz.f64 %d2, %d1; st.global.f64 [%out+8], %d2;",
    );
    run(&text, 1, 1, &mut words.0).unwrap();
    assert_eq!(words.0, [0x7819_e8d2, 0x0007_30d6, !0, 0x7fef_ffff]);
}
