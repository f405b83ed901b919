//! Asynchronous copies, barriers that count bytes, clusters.

use super::*;
use crate::operations::tensor::descriptor::{Columns, Descriptor, Order};

/// Words that a kernel with this body leaves, from words that count up.
fn words(body: &str, grid: u32, block: u32, cluster: u32, count: u32) -> Vec<u32> {
    let mut words: Vec<u32> = (0..count).collect();
    let mut launch = launch(&kernel(body), grid, block, &[words.as_mut_ptr() as u64]);
    launch.cluster = (cluster > 0).then_some([cluster, 1, 1]);
    launch.run().unwrap();
    words
}

#[test]
fn small_copies_fill_up_with_zeros() {
    let body = ".shared .align 16 .b8 s[64]; mov.u32 %r1, s; setp.eq.u32 %p1, 0, 0; mov.u32 %r9, 77;
        st.shared.v4.u32 [s+48], {%r9, %r9, %r9, %r9};
        cp.async.ca.shared.global [%r1], [%out+16], 16; cp.async.cg.shared::cta.global.L2::128B [%r1+16], [%out+32], 16, 5;
        cp.async.ca.shared.global [%r1+32], [%out+48], 4; cp.async.ca.shared.global [%r1+40], [%out+64], 8;
        cp.async.cg.shared.global [%r1+48], [%out], 16, %p1;
        cp.async.commit_group; cp.async.wait_group 0; cp.async.wait_all;
        ld.shared.v4.u32 {%r2,%r3,%r4,%r5}, [s]; st.global.v4.u32 [%out+128], {%r2,%r3,%r4,%r5};
        ld.shared.v4.u32 {%r2,%r3,%r4,%r5}, [s+16]; st.global.v4.u32 [%out+144], {%r2,%r3,%r4,%r5};
        ld.shared.v4.u32 {%r2,%r3,%r4,%r5}, [s+32]; st.global.v4.u32 [%out+160], {%r2,%r3,%r4,%r5};
        ld.shared.v4.u32 {%r2,%r3,%r4,%r5}, [s+48]; st.global.v4.u32 [%out+176], {%r2,%r3,%r4,%r5};";
    let words = words(body, 1, 1, 0, 48);
    assert_eq!(words[32..36], [4, 5, 6, 7]);
    assert_eq!(words[36..40], [8, 9, 0, 0], "four bytes of 8, one of 9, zeros");
    assert_eq!((words[40], words[42], words[43]), (12, 16, 17));
    assert_eq!(words[44..48], [0; 4], "an ignored source is zeros");
    let misaligned = kernel(".shared .align 16 .b8 s[64]; cp.async.cg.shared.global [s], [%out+4], 16;");
    assert!(run(&misaligned, 1, 1, &mut [0; 16]).is_err());
}

#[test]
fn a_bulk_copy_completes_its_barrier() {
    let body = ".shared .align 16 .b8 s[256]; .shared .align 8 .b64 bar; setp.ne.u32 %p1, %t, 0; mov.u32 %r1, bar;
        @!%p1 mbarrier.init.shared.b64 [%r1], 1; bar.sync 0; @%p1 bra W;
        mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r1], 256;
        cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%out], 256, [bar];
        W: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r1], 0; @!%p2 bra W;
        mov.u32 %r2, s; mad.lo.u32 %r2, %t, 4, %r2; ld.shared.u32 %r3, [%r2]; add.u32 %r3, %r3, 1000; st.shared.u32 [%r2], %r3;
        fence.proxy.async.shared::cta; bar.sync 0; @%p1 ret;
        add.s64 %rd1, %out, 256;
        cp.async.bulk.global.shared::cta.bulk_group [%rd1], [s], 256; cp.async.bulk.commit_group;
        cp.async.bulk.wait_group.read 0;
        cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%out], [s], 256;";
    let words = words(body, 1, 64, 0, 128);
    for n in 0..64 {
        assert_eq!(words[64 + n as usize], 1000 + n);
        assert_eq!(words[n as usize], 1000 + 2 * n);
    }
}

/// As the assembler makes it for a device of capability 9.0: a copy like any other.
#[test]
fn bytes_that_a_bulk_copy_ignores_come_all_the_same() {
    let body =
        ".shared .align 16 .b8 s[64]; .shared .align 8 .b64 bar; mov.u32 %r1, bar; mov.u32 %r2, s; mov.u32 %r9, 5;
        mbarrier.init.shared.b64 [%r1], 1; mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r1], 48;
        cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.ignore_oob [%r2], [%out], 48, %r9, 7, [%r1];
        W: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r1], 0; @!%p2 bra W;
        ld.shared.v4.u32 {%r2,%r3,%r4,%r5}, [s]; st.global.v4.u32 [%out+64], {%r2,%r3,%r4,%r5};
        ld.shared.v4.u32 {%r2,%r3,%r4,%r5}, [s+32]; st.global.v4.u32 [%out+80], {%r2,%r3,%r4,%r5};";
    assert_eq!(words(body, 1, 1, 0, 24)[16..], [0, 1, 2, 3, 8, 9, 10, 11]);
}

#[test]
fn barriers_count_arrivals_of_each_phase() {
    // Two warps meet in four phases, by state and by parity; what they add is seen behind each.
    let body = ".shared .align 8 .b64 bar; .shared .u32 sum; setp.ne.u32 %p1, %t, 0;
        @!%p1 mbarrier.init.shared.b64 [bar], 64; @!%p1 st.shared.u32 [sum], 0; bar.sync 0; mov.u32 %r1, 0;
        L: atom.shared.add.u32 %r2, [sum], 1; mbarrier.arrive.shared.b64 %rd1, [bar];
        A: mbarrier.test_wait.shared.b64 %p2, [bar], %rd1; @!%p2 bra A;
        ld.shared.u32 %r3, [sum]; add.u32 %r5, %r5, %r3;
        mbarrier.arrive.shared.b64 _, [bar];
        B: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 1; @!%p2 bra B;
        add.u32 %r1, %r1, 1; setp.lt.u32 %p3, %r1, 4; @%p3 bra L;
        mbarrier.pending_count.b64 %r6, %rd1; setp.eq.u32 %p4, %r6, 0; @%p4 mov.u32 %r5, 0; st.global.u32 [%mine], %r5;";
    assert_eq!(words(body, 1, 64, 0, 64), [64 + 128 + 192 + 256; 64]);
}

#[test]
fn arrivals_of_copies_and_drops() {
    let body = ".shared .align 16 .b8 s[64]; .shared .align 8 .b64 bar; setp.ne.u32 %p1, %t, 0;
        @!%p1 mbarrier.init.shared.b64 [bar], 32; bar.sync 0;
        cp.async.ca.shared.global [s], [%out], 4; cp.async.mbarrier.arrive.shared.b64 [bar];
        mbarrier.test_wait.parity.shared.b64 %p2, [bar], 0; selp.u32 %r1, 1, 0, %p2;
        cp.async.mbarrier.arrive.noinc.shared.b64 [bar];
        W: mbarrier.test_wait.parity.shared.b64 %p2, [bar], 0; @!%p2 bra W;
        setp.gt.u32 %p3, %t, 15; @%p3 mbarrier.arrive_drop.shared.b64 %rd1, [bar];
        @!%p3 mbarrier.arrive.shared.b64 %rd1, [bar];
        X: mbarrier.test_wait.parity.shared.b64 %p2, [bar], 1; @!%p2 bra X;
        @%p3 bra D; mbarrier.arrive.shared.b64 %rd1, [bar];
        Y: mbarrier.test_wait.parity.shared.b64 %p2, [bar], 0; @!%p2 bra Y;
        D: st.global.u32 [%mine], %r1;";
    assert_eq!(words(body, 1, 32, 0, 32), [0; 32]);
}

#[test]
fn blocks_of_a_cluster_read_each_other() {
    let body = ".shared .u32 s; mov.u32 %r1, %cluster_ctarank; mov.u32 %r2, %cluster_nctarank; mov.u32 %r3, %ctaid.x;
        add.u32 %r4, %r3, 100; st.shared.u32 [s], %r4; barrier.cluster.arrive; barrier.cluster.wait;
        add.u32 %r5, %r1, 1; rem.u32 %r5, %r5, %r2; mapa.shared::cluster.u32 %r6, s, %r5;
        ld.shared::cluster.u32 %r7, [%r6];
        mov.u32 %r8, s; cvt.u64.u32 %rd1, %r8; cvta.shared.u64 %rd1, %rd1; mapa.u64 %rd2, %rd1, %r5; ld.u32 %r9, [%rd2];
        getctarank.shared::cluster.u32 %r10, %r6; getctarank.u64 %r11, %rd2; getctarank.shared::cluster.u32 %r12, %r8;
        atom.shared::cluster.add.u32 %r13, [%r6], 0;
        isspacep.shared::cluster %p1, %rd2; isspacep.shared::cta %p2, %rd2; selp.u32 %r14, 10, 0, %p1; selp.u32 %r15, 1, 0, %p2;
        add.u32 %r14, %r14, %r15;
        cvta.to.shared::cluster.u64 %rd3, %rd2; cvt.u32.u64 %r16, %rd3; sub.u32 %r16, %r16, %r6;
        mov.u32 %r17, %clusterid.x; mov.u32 %r18, %nclusterid.x; mov.pred %p3, %is_explicit_cluster; selp.u32 %r19, 1, 0, %p3;
        mul.wide.u32 %rd4, %r3, 64; add.s64 %rd4, %out, %rd4;
        st.global.v4.u32 [%rd4], {%r7, %r9, %r10, %r11}; st.global.v4.u32 [%rd4+16], {%r12, %r13, %r14, %r16};
        st.global.v4.u32 [%rd4+32], {%r17, %r18, %r19, %r1};
        barrier.cluster.arrive.release; barrier.cluster.wait.acquire;";
    let got = words(body, 12, 40, 4, 12 * 16);
    for block in 0..12u32 {
        let (rank, cluster) = (block % 4, block / 4);
        let next = (rank + 1) % 4;
        let value = cluster * 4 + next + 100;
        let expected = [value, value, next, next, rank, value, 10, 0, cluster, 3, 1, rank];
        assert_eq!(got[block as usize * 16..][..12], expected, "block {block}");
    }
    // Without clusters each block is its own.
    let got = words(body, 2, 40, 0, 2 * 16);
    assert_eq!(got[16..28], [101, 101, 0, 0, 0, 101, 11, 0, 1, 2, 0, 0]);
}

#[test]
fn blocks_send_to_each_other() {
    // Every block sends to the next one, which waits for the bytes; the first one sends to all.
    let body = ".shared .align 16 .b8 s[64]; .shared .align 8 .b64 bar; mov.u32 %r1, %cluster_ctarank;
        setp.ne.u32 %p1, %t, 0; @%p1 bra G; mbarrier.init.shared.b64 [bar], 1; fence.mbarrier_init.release.cluster;
        mbarrier.arrive.expect_tx.shared.b64 _, [bar], 40;
        G: barrier.cluster.arrive; barrier.cluster.wait; @%p1 bra W;
        xor.b32 %r2, %r1, 1; mapa.shared::cluster.u32 %r3, s, %r2; mapa.shared::cluster.u32 %r4, bar, %r2;
        add.u32 %r5, %r1, 50; st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r3+32], %r5, [%r4];
        st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%r3+16], {%r5, %r1, %r5, %r1}, [%r4];
        red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r3+32], 7, [%r4];
        setp.ne.u32 %p2, %r1, 0; @%p2 bra W; mov.u16 %h, 3;
        cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [s], [%out], 16, [bar], %h;
        W: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0; @!%p2 bra W; @%p1 bra E;
        mul.wide.u32 %rd4, %r1, 64; add.s64 %rd4, %out, %rd4;
        ld.shared.v4.u32 {%r6,%r7,%r8,%r9}, [s]; st.global.v4.u32 [%rd4+128], {%r6,%r7,%r8,%r9};
        ld.shared.v4.u32 {%r6,%r7,%r8,%r9}, [s+16]; st.global.v4.u32 [%rd4+144], {%r6,%r7,%r8,%r9};
        ld.shared.u32 %r6, [s+32]; st.global.u32 [%rd4+160], %r6;
        E: barrier.cluster.arrive; barrier.cluster.wait;";
    let got = words(&format!(".reg .b16 %h;\n{body}"), 2, 32, 2, 80);
    for rank in 0..2u32 {
        let other = rank ^ 1;
        let expected = [0, 1, 2, 3, other + 50, other, other + 50, other, other + 57];
        assert_eq!(got[32 + rank as usize * 16..][..9], expected, "rank {rank}");
    }
}

/// A tensor of 10 rows of 20 words each, with room for 24, of which a box of 16 by 6 is moved.
fn descriptor(address: u64, swizzle: u32) -> Vec<u64> {
    let descriptor = Descriptor {
        address,
        ty: 2,
        rank: 2,
        interleave: 0,
        swizzle,
        nan: false,
        size: [20, 10, 0, 0, 0],
        stride: [0, 96, 0, 0, 0],
        extent: [16, 6, 1, 1, 1],
        step: [1; 5],
        columns: None,
    };
    descriptor.pack().to_vec()
}

#[test]
fn boxes_of_tensors_come_and_go() {
    let body = ".shared .align 1024 .b8 s[384]; .shared .align 8 .b64 bar; ld.param.u64 %rd1, [a+8];
        mbarrier.init.shared.b64 [bar], 1; mbarrier.arrive.expect_tx.shared.b64 _, [bar], 384;
        mov.u32 %r1, 8; mov.s32 %r2, -2;
        cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [s], [%rd1, {%r1, %r2}], [bar];
        W: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0; @!%p2 bra W;
        add.s64 %rd2, %out, 960; mov.u32 %r3, s; mov.u32 %r4, 0;
        L: add.u32 %r5, %r3, %r4; ld.shared.u32 %r6, [%r5]; cvt.u64.u32 %rd3, %r4; add.s64 %rd4, %rd2, %rd3;
        st.global.u32 [%rd4], %r6; add.u32 %r4, %r4, 4; setp.lt.u32 %p1, %r4, 384; @%p1 bra L;
        mov.u32 %r7, 12; mov.u32 %r8, 7;
        cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%rd1, {%r7, %r8}], [s]; cp.async.bulk.commit_group;
        cp.async.bulk.wait_group 0; cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%rd1, {%r7, %r8}], [s];
        prefetch.tensormap [%rd1]; cp.async.bulk.prefetch.tensor.2d.L2.global [%rd1, {%r7, %r8}];";
    for swizzle in [0, 2] {
        let mut words: Vec<u32> = (0..240).chain([7; 96]).collect();
        let map = descriptor(words.as_ptr() as u64, swizzle);
        let text = kernel(body).replace("(.param .u64 a)", "(.param .align 8 .b8 a[16])");
        launch(&text, 1, 1, &[words.as_mut_ptr() as u64, map.as_ptr() as u64]).run().unwrap();
        // The box as the model has it: from column 8 and row -2 on.
        let value = |x: usize, y: i32| {
            let (x, y) = (x + 8, y - 2);
            if x < 20 && (0..10).contains(&y) { y as u32 * 24 + x as u32 } else { 0 }
        };
        for y in 0..6 {
            for x in 0..16 {
                let byte = y * 64 + x * 4;
                let byte = if swizzle == 2 { byte ^ (byte >> 7 & 3) << 4 } else { byte };
                assert_eq!(words[240 + byte / 4], value(x, y as i32), "{x} {y} swizzle {swizzle}");
            }
        }
        // Written and added at column 12, row 7: what is outside of the tensor stays as it was.
        for row in 0..10u32 {
            for column in 0..24u32 {
                let inside = row >= 7 && (12..20).contains(&column);
                let expected = if inside { 2 * value(column as usize - 12, row as i32 - 7) } else { row * 24 + column };
                assert_eq!(words[(row * 24 + column) as usize], expected, "{column} {row}");
            }
        }
    }
}

/// Pixels along the width, of which each batch has four; the halo comes last. Of a device of capability 10.0 nobody could be asked.
#[test]
fn columns_go_along_the_width() {
    const BATCHES: i32 = 80;
    let body = |name: &str, bytes: u32| {
        format!(
            ".shared .align 1024 .b8 s[4096]; .shared .align 8 .b64 bar; ld.param.u64 %rd1, [a+8]; .reg .b16 %h, %g;
            mbarrier.init.shared.b64 [bar], 1; mbarrier.arrive.expect_tx.shared.b64 _, [bar], {bytes};
            ld.global.u16 %h, [%out]; ld.global.u16 %g, [%out+2]; ld.global.u32 %r1, [%out+4]; ld.global.u32 %r2, [%out+8]; mov.u32 %r3, 0;
            cp.async.bulk.tensor.3d.shared::cta.global.{name}.mbarrier::complete_tx::bytes [s], [%rd1, {{%r3, %r1, %r2}}], [bar], {{%h, %g}};
            W: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0; @!%p2 bra W;
            mov.u32 %r3, s; mov.u32 %r4, 0;
            L: add.u32 %r5, %r3, %r4; ld.shared.u32 %r6, [%r5]; cvt.u64.u32 %rd3, %r4; add.s64 %rd4, %out, %rd3;
            st.global.u32 [%rd4+16], %r6; add.u32 %r4, %r4, 4; setp.lt.u32 %p1, %r4, {bytes}; @%p1 bra L;"
        )
    };
    let tensor: Vec<u32> = (1000..1000 + BATCHES as u32 * 16).collect();
    // (order, pixels, step, corners, halo, offset, width and batch of the first pixel)
    let cases = [
        (Order::Width, 5, 1, (0, 0), 2, 0, (1, 3)),
        (Order::Width, 9, 2, (-1, 0), 1, 1, (-1, 2)),
        (Order::Width, 6, 3, (-1, -1), 0, 2, (-4, 70)),
        (Order::Width128, 1, 1, (0, 0), 2, 1, (3, 7)),
        (Order::Width128, 1, 2, (-1, 0), 0, 0, (0, 60)),
    ];
    for (order, pixels, step, (low, upper), halo, offset, (width, batch)) in cases {
        let corner = |place| [place, 0, 0];
        let columns = Columns { lower: corner(low), upper: corner(upper), channels: 4, pixels, order };
        let map = Descriptor {
            address: tensor.as_ptr() as u64,
            ty: 2,
            rank: 3,
            interleave: 0,
            swizzle: 0,
            nan: false,
            size: [4, 4, BATCHES as u64, 0, 0],
            stride: [0, 16, 64, 0, 0],
            extent: [1; 5],
            step: [1, step, 1, 1, 1],
            columns: Some(columns),
        };
        // The way of all pixels that could be in it, one after the other.
        let mut way = vec![];
        let (mut w, mut n) = (width, batch);
        for _ in 0..200 {
            way.push((w + offset as i32, n));
            w += step as i32;
            if w > 3 + i32::from(upper) {
                (w, n) = (low.into(), n + 1);
            }
        }
        let taken: Vec<(i32, i32)> = if order == Order::Width {
            way[..usize::from(pixels) + halo].to_vec()
        } else {
            let behind = (0..halo).flat_map(|n| [32, 64, 96, 128].map(|group| way[group + n]));
            way[..128].iter().copied().chain(behind).collect()
        };
        let bytes = taken.len() as u32 * 16;
        let mut words = vec![0u32; 4 + taken.len() * 4];
        (words[0], words[1], words[2]) = (halo as u32 | offset << 16, width as u32, batch as u32);
        let map = map.pack();
        let name = if order == Order::Width { "im2col::w" } else { "im2col::w::128" };
        let text = kernel(&body(name, bytes)).replace("(.param .u64 a)", "(.param .align 8 .b8 a[16])");
        let text = format!(".version 8.6\n.target sm_100a\n.address_size 64\n{text}");
        launch(&text, 1, 1, &[words.as_mut_ptr() as u64, map.as_ptr() as u64]).run().unwrap();
        for (row, (w, n)) in taken.iter().enumerate() {
            let inside = (0..4).contains(w) && (0..BATCHES).contains(n);
            let expected = if inside { 1000 + (n * 16 + w * 4) as u32 } else { 0 };
            assert_eq!(words[4 + row * 4], expected, "{order:?}: pixel {row} at {w}, {n}");
        }
    }
}

#[test]
fn descriptors_change_in_kernels() {
    let body = ".shared .align 128 .b8 m[128]; ld.param.u64 %rd1, [a+8]; mov.u32 %r1, m;
        cp.async.bulk.commit_group; mov.u32 %r2, 0;
        L: cvt.u64.u32 %rd2, %r2; add.s64 %rd3, %rd1, %rd2; ld.global.u64 %rd4, [%rd3]; add.u32 %r3, %r1, %r2;
        st.shared.u64 [%r3], %rd4; add.u32 %r2, %r2, 8; setp.lt.u32 %p1, %r2, 128; @%p1 bra L;
        tensormap.replace.tile.global_address.shared::cta.b1024.b64 [m], %out;
        tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [m], 1, 3;
        tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [m], 0, 160;
        tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [m], 0, 4;
        tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%rd1], [m], 128;
        fence.proxy.tensormap::generic.acquire.gpu [%rd1], 128;";
    let mut map = descriptor(4096, 0);
    let text = kernel(body).replace("(.param .u64 a)", "(.param .align 8 .b8 a[16])");
    launch(&text, 1, 1, &[1 << 20, map.as_mut_ptr() as u64]).run().unwrap();
    let words: [u64; 16] = map.try_into().unwrap();
    let found = Descriptor::unpack(&words).unwrap();
    assert_eq!((found.address, found.size[1], found.stride[1], found.extent[0]), (1 << 20, 3, 160, 4));
}

/// A device has room behind a small array, and does not mind what is there.
#[test]
fn fields_of_no_tensor_map() {
    let mut words = [0u32; 4];
    let text = super::kernel(
        ".shared .align 4 .b8 s[4]; mov.u32 %r1, s; tensormap.replace.tile.rank.shared::cta.b1024.b32 [%r1], 2;
         mov.u32 %r2, 7; st.shared.u32 [s], %r2; ld.shared.u32 %r3, [s]; st.global.u32 [%out], %r3;",
    );
    super::run(&text, 1, 1, &mut words).unwrap();
    assert_eq!(words[0], 7);
}
