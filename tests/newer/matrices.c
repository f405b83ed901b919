/* Matrices of compute capabilities 10.0 and 12.0: products of numbers of four to eight bits with and without scales, their moves
 * between registers and shared memory, and clusters that others take over. Which lane holds what is as the PTX manual draws it.
 *
 * Sums are compared where they are exact: what a device cuts off of others is not published. */
#include "newer.h"

static u32 in[1 << 16], out[1 << 16];

static const struct format *const formats[] = {&e4m3, &e5m2, &e2m3, &e3m2, &e2m1};

/* How an element lies in its byte. */
static u32 stored(const struct format *f, u32 bits)
{
    return f == &e2m1 ? bits << 2 : bits;
}

/* A number of a format that is not far from one. */
static u32 near_one(const struct format *f)
{
    for (;;) {
        u32 bits = draw() & ((1u << width(f)) - 1);
        double x = fabs(value(f, bits));
        if (x == 0 || (x >= 0.25 && x <= 4)) return bits;
    }
}

enum { M = 16, N = 8, MOST = 128 };
static double a[M][MOST], b[MOST][N], c[M][N];

struct product {
    int kind, sparse, half;
    const struct format *a, *b;
    int vector, scale_by_number;
    const char *name;
};

/* The rows that a lane holds of the left factor: register by register, elements of `bits` bits. */
static void place_a(int lane, int reg, int element, int bits, int *row, int *column)
{
    int per = 32 / bits;
    *row = lane / 4 + reg % 2 * 8;
    *column = lane % 4 * per + element + reg / 2 * 4 * per;
}
static void place_b(int lane, int reg, int element, int bits, int *row, int *column)
{
    int per = 32 / bits;
    *row = lane % 4 * per + element + reg * 4 * per;
    *column = lane / 4;
}

static void multiply(struct product p, int byte_a, int thread_a, int byte_b, int thread_b)
{
    char code[2000], what[300], scales[200] = "";
    int packed = p.kind == 2 || p.kind == 3, bits = packed ? 4 : 8, depth = packed ? 64 : 32;
    int k = p.sparse ? 2 * depth : depth, b_registers = k * N * bits / 32 / 32;
    static const char *const kinds[] = {"f8f6f4", "mxf8f6f4", "mxf4", "mxf4nvf4"};
    /* Words of each lane: four of A, up to four of B, four of C, metadata, scales of A and B. */
    enum { WORDS = 15 };
    memset(in, 0, sizeof in);
    memset(a, 0, sizeof a);
    static double kept[M][MOST];
    for (int lane = 0; lane < 32; lane++) {
        u32 *x = in + lane * WORDS;
        for (int r = 0; r < 4; r++)
            for (int e = 0; e < 32 / bits; e++) {
                int row, column;
                u32 number = near_one(p.a);
                place_a(lane, r, e, bits, &row, &column);
                kept[row][column] = value(p.a, number);
                x[r] |= (packed ? number : stored(p.a, number)) << (e * bits);
            }
        for (int r = 0; r < b_registers; r++)
            for (int e = 0; e < 32 / bits; e++) {
                int row, column;
                u32 number = near_one(p.b);
                place_b(lane, r, e, bits, &row, &column);
                b[row][column] = value(p.b, number);
                x[4 + r] |= (packed ? number : stored(p.b, number)) << (e * bits);
            }
        for (int r = 0; r < 4; r++) {
            double number = (double)(int)(draw() % 64) - 32;
            c[lane / 4 + r / 2 * 8][lane % 4 * 2 + r % 2] = number;
            if (p.half) x[8 + r / 2] |= nearest(&f16, number, 0) << r % 2 * 16;
            else x[8 + r] = bits_of((float)number);
        }
        for (int s = 0; s < 2; s++)
            for (int byte = 0; byte < 4; byte++)
                x[13 + s] |= (p.scale_by_number ? 0x28 + draw() % 0x20 : 123 + draw() % 9) << (8 * byte);
    }
    /* Which of four are kept: pairs of bits, the lower first. Numbers of four bits are kept in pairs of neighbours. */
    for (int row = 0; row < M; row++)
        for (int column = 0; column < depth; column++) {
            if (!p.sparse) {
                a[row][column] = kept[row][column];
                continue;
            }
            int together = packed ? 2 : 1, unit = column / together, group = unit / 2;
            static int codes[2];
            if (unit % 2 == 0 && column % together == 0) {
                codes[0] = (int)(draw() % 3);
                codes[1] = codes[0] + 1 + (int)(draw() % (unsigned)(3 - codes[0]));
            }
            int code = codes[unit % 2], at = unit * 2;
            a[row][(group * 4 + code) * together + column % together] = kept[row][column];
            /* 64 bits of a row: two lanes of a group of four have half of it each. */
            int lane = row % 8 * 4 + row / 8 + at / 32 * 2;
            if (column % together == 0) in[lane * WORDS + 12] |= (u32)code << at % 32;
        }
    double scale_a[M][4], scale_b[4][N];
    for (int j = 0; j < 4; j++) {
        for (int row = 0; row < M; row++) {
            u32 s = in[(row % 8 * 4 + thread_a * 2 + row / 8) * WORDS + 13] >> ((byte_a + j) % 4 * 8) & 255;
            scale_a[row][j] = !p.kind ? 1 : p.scale_by_number ? value(&e4m3, s & 127) : ldexp(1, (int)s - 127);
        }
        for (int column = 0; column < N; column++) {
            u32 s = in[(column * 4 + thread_b) * WORDS + 14] >> ((byte_b + j) % 4 * 8) & 255;
            scale_b[j][column] = !p.kind ? 1 : p.scale_by_number ? value(&e4m3, s & 127) : ldexp(1, (int)s - 127);
        }
    }
    int vector = p.vector ? p.vector : 1;
    if (p.kind) {
        snprintf(what, sizeof what, ".block_scale.scale_vec::%dX", p.vector);
        snprintf(scales, sizeof scales, ", %%r14, {%d, %d}, %%r15, {%d, %d}", byte_a, thread_a, byte_b, thread_b);
    } else what[0] = 0;
    char instruction[500];
    const char *sum = p.half ? "f16" : "f32";
    snprintf(instruction, sizeof instruction, "mma%s.sync.aligned.m16n8k%d.row.col.kind::%s%s.%s.%s.%s.%s%s", p.sparse ? ".sp::ordered_metadata" : "", k,
             kinds[p.kind], what, sum, p.a->name, p.b->name, sum, !p.kind ? "" : p.scale_by_number ? ".ue4m3" : ".ue8m0");
    snprintf(code, sizeof code, "mov.b32 %%r40, %%r13; mov.b32 %%r41, %%r9; mov.b32 %%r42, %%r10; mov.b32 %%r43, %%r11; mov.b32 %%r44, %%r12;\n%s {%s}, {%%r1, %%r2, %%r3, %%r4}, {%s}, {%s}%s%s;\n"
             "mov.b32 %%r11, %%r45; mov.b32 %%r12, %%r46; mov.b32 %%r13, %%r47; mov.b32 %%r14, %%r48;",
             instruction, p.half ? "%r45, %r46" : "%r45, %r46, %r47, %r48", b_registers == 4 ? "%r5, %r6, %r7, %r8" : "%r5, %r6",
             p.half ? "%r41, %r42" : "%r41, %r42, %r43, %r44", p.sparse ? ", %r40, 0" : "", scales);
    run("120a", "", code, WORDS, 4, in, out, 32);
    for (int lane = 0; lane < 32; lane++)
        for (int r = 0; r < 4; r++) {
            int row = lane / 4 + r / 2 * 8, column = lane % 4 * 2 + r % 2;
            double total = c[row][column];
            for (int at = 0; at < k; at++)
                total += a[row][at] * scale_a[row][at * vector / k] * b[at][column] * scale_b[at * vector / k][column];
            u32 found = p.half ? out[lane * 4 + r / 2] >> r % 2 * 16 & 0xffff : out[lane * 4 + r];
            u32 place[2] = {(u32)row, (u32)column};
            if (p.half) same(instruction, found, nearest(&f16, total, 0), place, 2);
            else if (!p.scale_by_number) same(instruction, found, bits_of((float)total + 0.0f), place, 2);
            else {
                /* Products with scales that are no powers of two may be longer than what is kept. */
                compared++;
                if (fabs(single(found) - total) > 1e-4 * fabs(total) + 1e-2 && wrong++ < 20)
                    printf("%s of %d %d: %g, not %g\n", instruction, row, column, single(found), total);
            }
        }
}

static void products(void)
{
    for (int sparse = 0; sparse < 2; sparse++) {
        for (int i = 0; i < 25; i++) {
            struct product p = {.kind = 0, .sparse = sparse, .half = 0, .a = formats[i / 5], .b = formats[i % 5]};
            multiply(p, 0, 0, 0, 0);
            p.half = 1;
            multiply(p, 0, 0, 0, 0);
            p.half = 0, p.kind = 1, p.vector = 1;
            multiply(p, i % 4, i % 2, (i + 2) % 4, i / 2 % 4);
        }
        for (int thread = 0; thread < 8; thread++) {
            struct product p = {.kind = 2, .sparse = sparse, .a = &e2m1, .b = &e2m1, .vector = 2};
            multiply(p, thread / 2 % 2 * 2, thread % 2, thread / 4 * 2, thread % 4);
            p.kind = 3;
            multiply(p, thread / 2 % 2 * 2, thread % 2, thread / 4 * 2, thread % 4);
            p.vector = 4;
            multiply(p, 0, thread % 2, 0, thread % 4);
            p.scale_by_number = 1;
            multiply(p, 0, thread % 2, 0, thread % 4);
        }
    }
    done("products");
}

/* What is no number, and scales that are none. */
static void no_numbers(void)
{
    for (int k = 0; k < 3; k++) {
        memset(in, 0, sizeof in);
        for (int lane = 0; lane < 32; lane++) {
            u32 *x = in + lane * 15;
            for (int r = 0; r < 8; r++) x[r] = 0x38383838;
            x[13] = x[14] = 0x7f7f7f7f;
        }
        if (k == 0) in[0] = 0x38387f38;
        if (k == 1) in[13] = 0x7f7f7fff;
        if (k == 2)
            for (int lane = 0; lane < 32; lane++) in[lane * 15 + 13] = 0xfefefefe, in[lane * 15 + 14] = 0xfefefefe;
        run("120a", "",
            "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.f32.e4m3.e4m3.f32.ue8m0 {%r45, %r46, %r47, %r48}, {%r1, %r2, %r3, %r4}, "
            "{%r5, %r6}, {%r9, %r10, %r11, %r12}, %r14, {0, 0}, %r15, {0, 0};\n"
            "mov.b32 %r11, %r45; mov.b32 %r12, %r46; mov.b32 %r13, %r47; mov.b32 %r14, %r48;",
            15, 4, in, out, 32);
        for (int lane = 0; lane < 32; lane++)
            for (int r = 0; r < 4; r++) {
                int row = lane / 4 + r / 2 * 8;
                u32 wanted = k == 2 ? 0x7f800000 : row == 0 ? 0x7fffffff : bits_of(32);
                same("no numbers", out[lane * 4 + r], wanted, (u32[]){(u32)k, (u32)row}, 2);
            }
    }
    done("what is no number");
}

/* Matrices of bytes out of shared memory: rows of 16 bytes, 48 apart. */
static void moves(void)
{
    static const struct { const char *name; int width, tall, count; } loads[] = {
        {"m16n16.x1.trans.shared.b8", 8, 1, 1},          {"m16n16.x2.trans.shared.b8", 8, 1, 2},
        {"m16n16.x1.trans.shared.b8x16.b6x16_p32", 6, 1, 1}, {"m16n16.x2.trans.shared.b8x16.b4x16_p64", 4, 1, 2},
        {"m8n16.x1.shared.b8x16.b6x16_p32", 6, 0, 1},    {"m8n16.x2.shared.b8x16.b4x16_p64", 4, 0, 2},
        {"m8n16.x4.shared.b8x16.b6x16_p32", 6, 0, 4},    {"m8n16.x4.shared.b8x16.b4x16_p64", 4, 0, 4},
    };
    const char *before = ".shared .align 16 .b8 cells[2048];\n";
    char code[1000];
    for (size_t l = 0; l < sizeof loads / sizeof *loads; l++) {
        int registers = loads[l].count * (loads[l].tall ? 2 : 1), height = loads[l].tall ? 16 : 8;
        static const char *const names[] = {"", "%r11", "%r11, %r12", "", "%r11, %r12, %r13, %r14"};
        for (int i = 0; i < 32 * 4; i++) in[i] = draw();
        snprintf(code, sizeof code,
                 "mov.u32 %%r40, cells; mad.lo.u32 %%r40, %%r52, 48, %%r40; st.shared.v4.b32 [%%r40], {%%r1, %%r2, %%r3, %%r4}; bar.warp.sync 0xffffffff;\n"
                 "ldmatrix.sync.aligned.%s {%s}, [%%r40];",
                 loads[l].name, names[registers]);
        run(l % 2 ? "120a" : "100f", before, code, 4, 4, in, out, 32);
        for (int lane = 0; lane < 32; lane++)
            for (int r = 0; r < registers; r++)
                for (int e = 0; e < 4; e++) {
                    int matrix = loads[l].tall ? r / 2 : r;
                    int row = loads[l].tall ? lane % 4 * 4 + e : lane / 4, column = loads[l].tall ? lane / 4 + r % 2 * 8 : lane % 4 * 4 + e;
                    const unsigned char *bytes = (unsigned char *)(in + (matrix * height + row) * 4);
                    u32 wanted = 0;
                    for (int bit = 0; bit < loads[l].width; bit++) {
                        int at = column * loads[l].width + bit;
                        wanted |= (u32)(bytes[at / 8] >> at % 8 & 1) << bit;
                    }
                    same(loads[l].name, out[lane * 4 + r] >> 8 * e & 255, wanted, (u32[]){(u32)lane, (u32)r, (u32)e}, 3);
                }
    }
    for (int count = 1; count <= 4; count *= 2) {
        static const char *const names[] = {"", "%r1", "%r1, %r2", "", "%r1, %r2, %r3, %r4"};
        for (int i = 0; i < 32 * 4; i++) in[i] = draw();
        snprintf(code, sizeof code,
                 "mov.u32 %%r40, cells; mad.lo.u32 %%r40, %%r52, 48, %%r40;\nstmatrix.sync.aligned.m16n8.x%d.trans.shared.b8 [%%r40], {%s};\n"
                 "bar.warp.sync 0xffffffff; ld.shared.v4.b32 {%%r11, %%r12, %%r13, %%r14}, [%%r40];",
                 count, names[count]);
        run("100a", before, code, 4, 4, in, out, 32);
        for (int lane = 0; lane < 32; lane++)
            for (int matrix = 0; matrix < count; matrix++)
                for (int e = 0; e < 4; e++) {
                    int row = lane / 4 + e / 2 * 8, column = lane % 4 * 2 + e % 2;
                    const unsigned char *line = (unsigned char *)(out + (matrix * 8 + column) * 4);
                    same("stmatrix.m16n8", line[row], in[lane * 4 + matrix] >> 8 * e & 255, (u32[]){(u32)lane, (u32)matrix, (u32)e}, 3);
                }
    }
    done("moves of bytes");
}

/* Each cluster is done once: by itself, or by one that has taken it over. */
static void launches(void)
{
    static const char text[] =
        ".visible .entry k(.param .u64 po, .param .u64 pt) %s {\n.shared .align 16 .b8 response[16]; .shared .align 8 .b64 ready;\n"
        ".reg .pred %%p<9>; .reg .b32 %%r<30>; .reg .b64 %%rd<9>; .reg .b128 %%q<2>;\n"
        "mov.u32 %%r1, %%tid.x; mov.u32 %%r2, %%ctaid.x; mov.u32 %%r3, %%ctaid.y; mov.u32 %%r4, %%ctaid.z; mov.u32 %%r20, 0;\n"
        "mov.u32 %%r10, ready; mov.u32 %%r11, response; mov.u32 %%r12, %%cluster_ctarank;\n"
        /* The same addresses, generic. */
        "cvt.u64.u32 %%rd5, %%r11; cvta.shared.u64 %%rd5, %%rd5; cvt.u64.u32 %%rd6, %%r10; cvta.shared.u64 %%rd6, %%rd6;\n"
        "setp.ne.u32 %%p1, %%r1, 0; @%%p1 bra READY;\nmbarrier.init.shared::cta.b64 [%%r10], 1; fence.mbarrier_init.release.cluster;\n"
        "READY: barrier.cluster.arrive; barrier.cluster.wait;\n"
        "AGAIN: @%%p1 bra WAIT;\n"
        /* The tile of this block. */
        "mov.u32 %%r5, %%nctaid.x; mov.u32 %%r6, %%nctaid.y; mad.lo.u32 %%r7, %%r4, %%r6, %%r3; mad.lo.u32 %%r7, %%r7, %%r5, %%r2;\n"
        "ld.param.u64 %%rd1, [po]; mad.wide.u32 %%rd1, %%r7, 4, %%rd1; red.global.add.u32 [%%rd1], 1;\n"
        "mbarrier.arrive.expect_tx.relaxed.cluster.shared::cta.b64 %%rd2, [%%r10], 16;\n"
        "setp.eq.u32 %%p2, %%r12, 0;\n@%%p2 clusterlaunchcontrol.try_cancel.async%s.mbarrier::complete_tx::bytes%s.b128 [%s], [%s];\n"
        "WAIT: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %%p3, [%%r10], %%r20;\n@!%%p3 bra WAIT;\nxor.b32 %%r20, %%r20, 1;\n"
        "ld.shared.b128 %%q0, [%%r11];\nclusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %%p4, %%q0;\n@!%%p4 bra END;\n"
        "clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%%r2, %%r3, %%r4, _}, %%q0;\n"
        "clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %%r13, %%q0; sub.u32 %%r13, %%r13, %%r2;\n"
        "clusterlaunchcontrol.query_cancel.get_first_ctaid::y.b32.b128 %%r14, %%q0; sub.u32 %%r14, %%r14, %%r3;\n"
        "clusterlaunchcontrol.query_cancel.get_first_ctaid::z.b32.b128 %%r15, %%q0; sub.u32 %%r15, %%r15, %%r4;\n"
        "or.b32 %%r13, %%r13, %%r14; or.b32 %%r13, %%r13, %%r15; setp.ne.u32 %%p5, %%r13, 0; @%%p5 trap;\n"
        "mov.u32 %%r16, %%cluster_ctaid.x; add.u32 %%r2, %%r2, %%r16;\n"
        "ld.param.u64 %%rd3, [pt]; @!%%p1 red.global.add.u32 [%%rd3], 1;\n"
        "fence.proxy.async.shared::cta; barrier.cluster.arrive; barrier.cluster.wait; bra AGAIN;\n"
        "END: barrier.cluster.arrive; barrier.cluster.wait; ret; }\n";
    char code[6000];
    for (int form = 0; form < 4; form++) {
        int together = form % 2 ? 2 : 1, generic = form / 2;
        CUfunction f;
        CUdeviceptr cells, taken;
        u32 count;
        enum { X = 200, Y = 7, Z = 3 };
        snprintf(code, sizeof code, text, form % 2 ? ".reqnctapercluster 2, 1, 1" : "", generic ? "" : ".shared::cta",
                 form % 2 ? ".multicast::cluster::all" : "", generic ? "%rd5" : "%r11", generic ? "%rd6" : "%r10");
        CUmodule module = module_for(form % 2 ? "100a" : "120", code);
        OK(cuModuleGetFunction(&f, module, "k"));
        OK(cuMemAlloc(&cells, X * Y * Z * 4));
        OK(cuMemAlloc(&taken, 4));
        OK(cuMemsetD32(cells, 0, X * Y * Z));
        OK(cuMemsetD32(taken, 0, 1));
        void *arguments[] = {&cells, &taken};
        OK(cuLaunchKernel(f, X, Y, Z, 64, 1, 1, 0, NULL, arguments, NULL));
        OK(cuMemcpyDtoH(out, cells, X * Y * Z * 4));
        OK(cuMemcpyDtoH(&count, taken, 4));
        for (u32 i = 0; i < X * Y * Z; i++) same("times that a block was done", out[i], 1, &i, 1);
        /* All but those that had begun. */
        if (count % together || count == 0 || count >= X * Y * Z) printf("%u blocks were taken over\n", count), wrong++;
        OK(cuModuleUnload(module));
    }
    done("clusters taken over");
}

/* Rows of a plane of 100 rows of 64 words, 32 words of each: gathered into shared memory, and scattered out of it. */
static void rows(void)
{
    static const char text[] =
        ".visible .entry k(.param .u64 po, .param .align 64 .b8 map[128], .param .align 4 .b8 place[20]) {\n"
        ".shared .align 1024 .b8 cells[512]; .shared .align 8 .b64 ready;\n"
        ".reg .pred %%p<9>; .reg .b32 %%r<30>; .reg .b64 %%rd<9>;\n"
        "mov.u32 %%r1, %%tid.x; mov.u32 %%r10, ready; mov.u32 %%r11, cells; mov.b64 %%rd1, map; cvta.param.u64 %%rd1, %%rd1;\n"
        "ld.param.b32 %%r2, [place]; ld.param.b32 %%r3, [place+4]; ld.param.b32 %%r4, [place+8]; ld.param.b32 %%r5, [place+12]; ld.param.b32 %%r6, [place+16];\n"
        "ld.param.u64 %%rd2, [po]; mad.wide.u32 %%rd2, %%r1, 4, %%rd2; mad.lo.u32 %%r12, %%r1, 4, %%r11; setp.ne.u32 %%p1, %%r1, 0;\n"
        "@%%p1 bra WAIT;\n%s\nWAIT: bar.sync 0;\n%s\nret; }\n";
    static const char gather[] =
        "mbarrier.init.shared::cta.b64 [%r10], 1; fence.mbarrier_init.release.cluster; mbarrier.arrive.expect_tx.shared.b64 _, [%r10], 512;\n"
        "cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4.mbarrier::complete_tx::bytes [%r11], [%rd1, {%r2, %r3, %r4, %r5, %r6}], [%r10];\n"
        "L: mbarrier.try_wait.parity.shared.b64 %p2, [%r10], 0; @!%p2 bra L;";
    static const char scatter[] =
        "ld.global.u32 %r13, [%rd2]; st.shared.u32 [%r12], %r13; fence.proxy.async.shared::cta; bar.sync 0; @%p1 bra DONE;\n"
        "cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group [%rd1, {%r2, %r3, %r4, %r5, %r6}], [%r11];\n"
        "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; DONE:";
    enum { WIDE = 64, HIGH = 100, BOX = 32 };
    static u32 plane[HIGH][WIDE], cells[4 * BOX];
    char code[4000];
    for (int form = 0; form < 4; form++) {
        int scatters = form / 2, swizzled = form % 2;
        snprintf(code, sizeof code, text, scatters ? "" : gather, scatters ? scatter : "ld.shared.u32 %r13, [%r12]; st.global.u32 [%rd2], %r13;");
        CUmodule module = module_for(scatters || swizzled ? "100a" : "120", code);
        CUfunction f;
        CUdeviceptr at, out_at;
        CUtensorMap map;
        OK(cuModuleGetFunction(&f, module, "k"));
        OK(cuMemAlloc(&at, sizeof plane));
        OK(cuMemAlloc(&out_at, sizeof cells));
        OK(cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_UINT32, 2, (void *)at, (cuuint64_t[]){WIDE, HIGH}, (cuuint64_t[]){WIDE * 4},
                                  (cuuint32_t[]){BOX, 1}, (cuuint32_t[]){1, 1}, CU_TENSOR_MAP_INTERLEAVE_NONE,
                                  swizzled ? CU_TENSOR_MAP_SWIZZLE_128B : CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                  CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
        for (int turn = 0; turn < 20; turn++) {
            int place[5] = {scatters ? (int)(draw() % 9) * 4 : ((int)(draw() % 24) - 4) * 4};
            for (int n = 1; n < 5; n++) place[n] = (int)(draw() % 25) * 4 + n - 1 + (!scatters && turn % 3 == 0 && n == 2 ? 200 : 0);
            for (int i = 0; i < HIGH * WIDE; i++) plane[i / WIDE][i % WIDE] = draw();
            for (int i = 0; i < 4 * BOX; i++) cells[i] = draw();
            OK(cuMemcpyHtoD(at, plane, sizeof plane));
            OK(cuMemcpyHtoD(out_at, cells, sizeof cells));
            void *arguments[] = {&out_at, &map, place};
            OK(cuLaunchKernel(f, 1, 1, 1, 4 * BOX, 1, 1, 0, NULL, arguments, NULL));
            static u32 after[HIGH][WIDE], held[4 * BOX];
            OK(cuMemcpyDtoH(after, at, sizeof after));
            OK(cuMemcpyDtoH(held, out_at, sizeof held));
            for (int n = 0; n < 4; n++)
                for (int j = 0; j < BOX; j++) {
                    int row = place[n + 1], column = place[0] + j, inside = row < HIGH && column >= 0 && column < WIDE;
                    /* Pieces of 16 bytes are exchanged by the row's number. */
                    int cell = n * BOX + (swizzled ? (j / 4 ^ n) * 4 + j % 4 : j);
                    u32 where[] = {(u32)n, (u32)j};
                    if (!scatters) same("gather4", held[cell], inside ? plane[row][column] : 0, where, 2);
                    else if (inside) {
                        same("scatter4", after[row][column], cells[cell], where, 2);
                        plane[row][column] = cells[cell];
                    }
                }
            for (int i = 0; i < HIGH * WIDE && scatters; i++) same("the rest", after[i / WIDE][i % WIDE], plane[i / WIDE][i % WIDE], (u32[]){(u32)i}, 1);
        }
        OK(cuModuleUnload(module));
    }
    done("rows of a plane");
}

int main(void)
{
    begin_newer();
    products();
    no_numbers();
    moves();
    rows();
    launches();
    return all_wrong != 0;
}
