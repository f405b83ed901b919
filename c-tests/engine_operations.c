/* Kernels of one instruction each give the same bits, compiled and interpreted: plain, under a guard, where lanes have
 * parted, and with operands that one number stands for. Operands are random, with many that are special in floating point or at the ends of integers. */
#include "check.h"

#define LANES 1024
#define BLOCK 64
#define VARIANTS 4

/* A result: r 32 bits, l 64, h 16, f f32, d f64, p predicate, m nothing (it writes to memory). In capitals: lanes exchange
 * values, so that all have to come. */
struct instruction {
    char result;
    const char *text;
};
/* Operands: r1 to r3 of 32 bits, l1 to l3, h1 to h3, f1 to f3, d1 to d3, p1 and p2; addresses ia (bytes), ib, ic, oa, ob. */
static const struct instruction instructions[] = {
#define F32(m) \
    {'f', "add" m ".f32 f0, f1, f2;"}, {'f', "sub" m ".f32 f0, f1, f2;"}, {'f', "mul" m ".f32 f0, f1, f2;"}, \
    {'f', "fma.rn" m ".f32 f0, f1, f2, f3;"}, {'f', "fma.rm" m ".f32 f0, f1, f2, f3;"}, {'f', "fma.rp" m ".f32 f0, f1, f2, f3;"}, \
    {'f', "add.rz" m ".f32 f0, f1, f2;"}, {'f', "mul.rp" m ".f32 f0, f1, f2;"}, {'f', "sub.rm" m ".f32 f0, f1, f2;"}, \
    {'f', "add" m ".sat.f32 f0, f1, f2;"}, {'f', "mul" m ".sat.f32 f0, f1, f2;"}, {'f', "fma.rn" m ".sat.f32 f0, f1, f2, f3;"}, \
    {'f', "min" m ".f32 f0, f1, f2;"}, {'f', "max" m ".f32 f0, f1, f2;"}, {'f', "neg" m ".f32 f0, f1;"}, {'f', "abs" m ".f32 f0, f1;"}, \
    {'f', "div.rn" m ".f32 f0, f1, f2;"}, {'f', "div.rz" m ".f32 f0, f1, f2;"}, {'f', "div.approx" m ".f32 f0, f1, f2;"}, \
    {'f', "div.full" m ".f32 f0, f1, f2;"}, {'f', "sqrt.rn" m ".f32 f0, f1;"}, {'f', "sqrt.approx" m ".f32 f0, f1;"}, \
    {'f', "rcp.rn" m ".f32 f0, f1;"}, {'f', "rcp.approx" m ".f32 f0, f1;"}, {'f', "rsqrt.approx" m ".f32 f0, f1;"}, \
    {'f', "ex2.approx" m ".f32 f0, f1;"}, \
    {'p', "setp.lt" m ".f32 p0, f1, f2;"}, {'p', "setp.eq" m ".f32 p0, f1, f2;"}, {'p', "setp.neu" m ".f32 p0, f1, f2;"}, \
    {'p', "setp.geu" m ".f32 p0, f1, f2;"}, {'p', "setp.ne" m ".f32 p0, f1, f2;"}, {'p', "setp.nan" m ".f32 p0, f1, f2;"}, \
    {'p', "setp.gt.and" m ".f32 p0, f1, f2, p1;"}, \
    {'f', "cvt.rni" m ".f32.f32 f0, f1;"}, {'f', "cvt.rmi" m ".f32.f32 f0, f1;"}, {'f', "cvt.rpi" m ".f32.f32 f0, f1;"}, \
    {'f', "cvt.rzi" m ".f32.f32 f0, f1;"}, {'f', "cvt.rni" m ".sat.f32.f32 f0, f1;"}, {'f', "cvt" m ".sat.f32.f32 f0, f1;"}, \
    {'f', "cvt" m ".f32.f32 f0, f1;"}, {'d', "cvt" m ".f64.f32 d0, f1;"}, {'f', "cvt.rn" m ".f32.f64 f0, d1;"}, \
    {'f', "cvt.rp" m ".f32.f64 f0, d1;"}, {'f', "cvt.rz" m ".f32.f64 f0, d1;"}, {'f', "cvt.rn" m ".sat.f32.f64 f0, d1;"}, \
    {'r', "cvt.rzi" m ".s32.f32 r0, f1;"}, {'r', "cvt.rni" m ".s32.f32 r0, f1;"}, {'r', "cvt.rpi" m ".u32.f32 r0, f1;"}, \
    {'r', "cvt.rmi" m ".s32.f32 r0, f1;"}, {'r', "cvt.rzi" m ".u32.f32 r0, f1;"}, {'h', "cvt.rzi" m ".u16.f32 h0, f1;"}, \
    {'h', "cvt.rni" m ".s16.f32 h0, f1;"}, {'h', "cvt.rpi" m ".s8.f32 h0, f1;"}, {'r', "cvt.rni" m ".u8.f32 r0, f1;"}, \
    {'l', "cvt.rzi" m ".s64.f32 l0, f1;"}, {'l', "cvt.rpi" m ".s64.f32 l0, f1;"}, {'l', "cvt.rzi" m ".u64.f32 l0, f1;"}, \
    {'l', "cvt.rmi" m ".u64.f32 l0, f1;"}, {'f', "cvt.rn" m ".f32.s32 f0, r1;"}, {'f', "cvt.rn" m ".f32.u32 f0, r1;"},
    F32("") F32(".ftz")
    {'f', "{ .reg .f32 x; fma.rn.ftz.f32 x, f1, f2, f3; add.ftz.f32 x, x, f1; mul.f32 x, x, f2; mul.ftz.f32 f0, x, f3; }"},
    {'d', "{ .reg .f32 x; .reg .f64 y; mul.ftz.f32 x, f1, f2; cvt.f64.f32 y, x; fma.rn.f64 y, y, d1, d2; cvt.rn.f32.f64 x, y;"
          " add.ftz.f32 x, x, f3; mul.ftz.f32 x, x, f3; mul.ftz.f32 x, x, f1; ex2.approx.f32 x, x; cvt.f64.f32 d0, x; }"},
    {'f', "{ .reg .pred q; .reg .f32 x; setp.lt.ftz.f32 q, f1, f2; mov.f32 x, f3; @q bra over%=; mul.f32 x, f1, 0f20000000;"
          " mul.f32 x, x, 0f00800000; over%=: mul.ftz.f32 f0, x, f2; mul.ftz.f32 f0, f0, f3; add.f32 f0, f0, x; }"},
    {'f', "{ .reg .pred q; .reg .f32 x; .reg .b32 y; setp.ne.u32 q, r3, r3; add.f32 x, f1, f2; add.f32 x, x, f2; add.f32 x, x, f1; mul.ftz.f32 f0, f1, f2;"
          " mov.b32 y, r3; @q bfe.u32 y, r1, r2, r3; mul.f32 x, x, 0f3f800001; add.f32 x, x, f3; mul.f32 x, x, 0f20000000; add.f32 f0, f0, x; }"},
    {'f', "copysign.f32 f0, f1, f2;"}, {'d', "copysign.f64 d0, d1, d2;"},
    {'f', "min.NaN.f32 f0, f1, f2;"}, {'f', "fma.rn.f32 f0, f1, 0f3FC00000, 0fBF800000;"},
    {'d', "add.f64 d0, d1, d2;"}, {'d', "sub.f64 d0, d1, d2;"}, {'d', "mul.f64 d0, d1, d2;"}, {'d', "add.rp.f64 d0, d1, d2;"},
    {'d', "sub.rm.f64 d0, d1, d2;"}, {'d', "mul.rz.f64 d0, d1, d2;"}, {'d', "fma.rn.f64 d0, d1, d2, d3;"},
    {'d', "fma.rm.f64 d0, d1, d2, d3;"}, {'d', "fma.rz.f64 d0, d1, d2, d3;"}, {'d', "fma.rn.f64 d0, d1, d2, d1;"},
    {'d', "min.f64 d0, d1, d2;"}, {'d', "max.f64 d0, d1, d2;"}, {'d', "neg.f64 d0, d1;"}, {'d', "abs.f64 d0, d1;"},
    {'d', "div.rn.f64 d0, d1, d2;"}, {'d', "div.rp.f64 d0, d1, d2;"}, {'d', "sqrt.rn.f64 d0, d1;"}, {'d', "sqrt.rm.f64 d0, d1;"},
    {'d', "rcp.rn.f64 d0, d1;"}, {'d', "rcp.rz.f64 d0, d1;"}, {'d', "rsqrt.approx.f64 d0, d1;"},
    {'d', "rcp.approx.ftz.f64 d0, d1;"}, {'p', "setp.lt.f64 p0, d1, d2;"}, {'p', "setp.equ.f64 p0, d1, d2;"},
    {'p', "setp.neu.f64 p0, d1, d2;"}, {'d', "selp.f64 d0, d1, d2, p1;"}, {'d', "mov.f64 d0, d1;"},
    {'d', "cvt.rni.f64.f64 d0, d1;"}, {'d', "cvt.rmi.f64.f64 d0, d1;"}, {'d', "cvt.rzi.f64.f64 d0, d1;"},
    {'d', "cvt.sat.f64.f64 d0, d1;"}, {'r', "cvt.rzi.s32.f64 r0, d1;"}, {'r', "cvt.rni.s32.f64 r0, d1;"},
    {'r', "cvt.rzi.u32.f64 r0, d1;"}, {'r', "cvt.rpi.u32.f64 r0, d1;"}, {'l', "cvt.rzi.s64.f64 l0, d1;"},
    {'l', "cvt.rmi.s64.f64 l0, d1;"}, {'l', "cvt.rzi.u64.f64 l0, d1;"}, {'l', "cvt.rni.u64.f64 l0, d1;"},
    {'h', "cvt.rzi.u16.f64 h0, d1;"}, {'d', "cvt.rn.f64.s32 d0, r1;"}, {'d', "cvt.rn.f64.u32 d0, r1;"},
    {'d', "cvt.rn.f64.s64 d0, l1;"}, {'d', "cvt.rn.f64.u64 d0, l1;"}, {'d', "cvt.rp.f64.u64 d0, l1;"},
    {'d', "cvt.rz.f64.s64 d0, l1;"}, {'d', "cvt.rn.f64.u16 d0, h1;"}, {'f', "cvt.rn.f32.s64 f0, l1;"},
    {'f', "cvt.rm.f32.u64 f0, l1;"}, {'f', "cvt.rn.f32.u64 f0, l1;"}, {'f', "cvt.rz.f32.s32 f0, r1;"},
    {'f', "cvt.rp.f32.u32 f0, r1;"}, {'f', "cvt.rn.f32.u16 f0, h1;"}, {'f', "cvt.rn.f32.s16 f0, h1;"},
    {'f', "cvt.rn.f32.u8 f0, r1;"}, {'f', "cvt.rn.f32.s8 f0, r1;"}, {'f', "cvt.rn.sat.f32.s32 f0, r1;"},
    {'f', "cvt.f32.f16 f0, h1;"}, {'h', "cvt.rn.f16.f32 h0, f1;"}, {'h', "cvt.rz.f16.f32 h0, f1;"},
    {'f', "cvt.f32.bf16 f0, h1;"}, {'h', "cvt.rn.bf16.f32 h0, f1;"}, {'h', "cvt.rz.bf16.f32 h0, f1;"},
    {'r', "cvt.rn.f16x2.f32 r0, f1, f2;"}, {'r', "cvt.rz.f16x2.f32 r0, f1, f2;"}, {'r', "cvt.rn.bf16x2.f32 r0, f1, f2;"},
    {'r', "cvt.rz.bf16x2.f32 r0, f1, f2;"}, {'h', "cvt.rn.f16.f64 h0, d1;"}, {'d', "cvt.f64.f16 d0, h1;"},
    {'h', "add.f16 h0, h1, h2;"}, {'r', "fma.rn.f16x2 r0, r1, r2, r3;"},
    {'h', "add.u16 h0, h1, h2;"}, {'h', "sub.s16 h0, h1, h2;"}, {'h', "mul.lo.u16 h0, h1, h2;"}, {'h', "mul.hi.s16 h0, h1, h2;"},
    {'r', "mul.wide.u16 r0, h1, h2;"}, {'r', "mul.wide.s16 r0, h1, h2;"}, {'h', "mad.lo.s16 h0, h1, h2, h3;"},
    {'h', "min.u16 h0, h1, h2;"}, {'h', "max.s16 h0, h1, h2;"}, {'h', "min.s16 h0, h1, h2;"}, {'h', "max.u16 h0, h1, h2;"},
    {'h', "neg.s16 h0, h1;"}, {'h', "abs.s16 h0, h1;"}, {'h', "and.b16 h0, h1, h2;"}, {'h', "or.b16 h0, h1, h2;"},
    {'h', "xor.b16 h0, h1, h2;"}, {'h', "not.b16 h0, h1;"}, {'h', "shl.b16 h0, h1, r2;"}, {'h', "shr.u16 h0, h1, r2;"},
    {'h', "shr.s16 h0, h1, r2;"}, {'h', "shr.s16 h0, h1, 3;"}, {'h', "shr.u16 h0, h1, 9;"}, {'h', "shl.b16 h0, h1, 5;"},
    {'h', "shr.s16 h0, h1, 17;"}, {'h', "mov.u16 h0, h1;"}, {'h', "mov.b16 h0, 77;"}, {'h', "selp.b16 h0, h1, h2, p1;"},
    {'h', "div.u16 h0, h1, h2;"}, {'h', "rem.s16 h0, h1, h2;"}, {'p', "setp.lt.u16 p0, h1, h2;"}, {'p', "setp.ge.s16 p0, h1, h2;"},
    {'p', "setp.eq.b16 p0, h1, h2;"}, {'p', "setp.ne.s16 p0, h1, -3;"}, {'p', "setp.lt.xor.s16 p0|p3, h1, h2, p1;"},
    {'r', "cvt.u32.u16 r0, h1;"}, {'r', "cvt.s32.s16 r0, h1;"}, {'r', "cvt.s32.u16 r0, h1;"}, {'r', "cvt.u32.s16 r0, h1;"},
    {'h', "cvt.u16.u32 h0, r1;"}, {'h', "cvt.s16.s32 h0, r1;"}, {'h', "cvt.u8.u32 h0, r1;"}, {'r', "cvt.s32.s8 r0, h1;"},
    {'r', "cvt.s8.s32 r0, r1;"}, {'r', "cvt.u32.u8 r0, h1;"}, {'h', "cvt.s16.s8 h0, h1;"}, {'l', "cvt.u64.u16 l0, h1;"},
    {'l', "cvt.s64.s16 l0, h1;"}, {'l', "cvt.s64.s8 l0, h1;"}, {'l', "cvt.u64.u8 l0, r1;"}, {'h', "cvt.u16.u64 h0, l1;"},
    {'h', "cvt.s16.s64 h0, l1;"}, {'r', "cvt.u8.u64 r0, l1;"}, {'l', "cvt.s64.s32 l0, r1;"}, {'r', "cvt.u32.u64 r0, l1;"},
    {'r', "cvt.sat.u8.s32 r0, r1;"}, {'r', "cvt.sat.s8.s32 r0, r1;"}, {'h', "cvt.sat.u16.u32 h0, r1;"},
    {'r', "cvt.sat.u32.s32 r0, r1;"}, {'r', "cvt.sat.s32.u32 r0, r1;"}, {'h', "cvt.sat.s16.u32 h0, r1;"},
    {'h', "cvt.sat.u8.s16 h0, h1;"}, {'r', "cvt.sat.s32.s64 r0, l1;"}, {'r', "cvt.sat.u16.s8 r0, r1;"},
    {'r', "popc.b32 r0, r1;"}, {'r', "popc.b64 r0, l1;"}, {'r', "clz.b32 r0, r1;"}, {'r', "clz.b64 r0, l1;"},
    {'r', "brev.b32 r0, r1;"}, {'l', "brev.b64 l0, l1;"}, {'r', "bfind.u32 r0, r1;"}, {'r', "bfind.s32 r0, r1;"}, {'r', "bfind.shiftamt.u32 r0, r1;"}, {'r', "bfind.u64 r0, l1;"}, {'r', "bfe.u32 r0, r1, 5, 9;"},
    {'r', "bfe.s32 r0, r1, 5, 9;"}, {'r', "bfe.s32 r0, r1, 28, 9;"}, {'r', "bfe.u32 r0, r1, 28, 9;"}, {'r', "bfe.s32 r0, r1, 40, 2;"},
    {'r', "bfe.u32 r0, r1, 40, 2;"}, {'r', "bfe.s32 r0, r1, 3, 0;"}, {'r', "bfe.u32 r0, r1, 0, 32;"}, {'r', "bfe.s32 r0, r1, 0, 64;"},
    {'l', "bfe.u64 l0, l1, 13, 40;"}, {'l', "bfe.s64 l0, l1, 50, 40;"}, {'l', "bfe.s64 l0, l1, 70, 3;"}, {'r', "bfe.u32 r0, r1, r2, r3;"},
    {'r', "bfi.b32 r0, r1, r2, 5, 9;"}, {'r', "bfi.b32 r0, r1, r2, 28, 9;"}, {'r', "bfi.b32 r0, r1, r2, 40, 2;"},
    {'r', "bfi.b32 r0, r1, r2, 3, 0;"}, {'r', "bfi.b32 r0, r1, r2, 0, 33;"}, {'r', "bfi.b32 r0, r1, r2, r3, 4;"},
    {'l', "bfi.b64 l0, l1, l2, 9, 30;"}, {'r', "prmt.b32 r0, r1, r2, 0x5410;"}, {'r', "prmt.b32 r0, r1, r2, 0x3210;"},
    {'r', "prmt.b32 r0, r1, r2, 0x7654;"}, {'r', "prmt.b32 r0, r1, r2, 0x0123;"}, {'r', "prmt.b32 r0, r1, r2, 0x6240;"},
    {'r', "prmt.b32 r0, r1, r2, 0x9a10;"}, {'r', "prmt.b32 r0, r1, r2, r3;"}, {'r', "prmt.b32.b4e r0, r1, r2, r3;"},
    {'r', "shf.l.wrap.b32 r0, r1, r2, 7;"}, {'r', "shf.r.wrap.b32 r0, r1, r2, 7;"}, {'r', "shf.l.clamp.b32 r0, r1, r2, 40;"},
    {'r', "shf.r.clamp.b32 r0, r1, r2, 40;"}, {'r', "shf.l.wrap.b32 r0, r1, r2, 32;"}, {'r', "shf.r.wrap.b32 r0, r1, r2, r3;"},
    {'r', "shf.l.wrap.b32 r0, r1, r2, r3;"}, {'r', "shf.l.clamp.b32 r0, r1, r2, r3;"}, {'r', "shf.r.clamp.b32 r0, r1, r2, r3;"},
    {'r', "mul.hi.u32 r0, r1, r2;"}, {'r', "mul.hi.s32 r0, r1, r2;"}, {'r', "mad.hi.u32 r0, r1, r2, r3;"}, {'r', "sad.s32 r0, r1, r2, r3;"},
    {'r', "div.u32 r0, r1, r2;"}, {'r', "div.s32 r0, r1, r2;"}, {'r', "rem.u32 r0, r1, r2;"}, {'r', "rem.s32 r0, r1, r2;"},
    {'r', "div.u32 r0, r1, 10;"}, {'r', "rem.s32 r0, r1, -7;"}, {'l', "div.u64 l0, l1, l2;"}, {'l', "rem.s64 l0, l1, l2;"},
    {'r', "set.lt.u32.f32 r0, f1, f2;"}, {'r', "set.ge.u32.s32 r0, r1, r2;"}, {'r', "slct.s32.s32 r0, r1, r2, r3;"},
    {'f', "slct.f32.f32 f0, f1, f2, f3;"}, {'l', "slct.b64.s32 l0, l1, l2, r3;"}, {'d', "slct.f64.f32 d0, d1, d2, f3;"},
    {'f', "slct.ftz.f32.f32 f0, f1, f2, f3;"}, {'r', "mul24.lo.u32 r0, r1, r2;"}, {'r', "mul24.hi.s32 r0, r1, r2;"},
    {'r', "mul24.lo.s32 r0, r1, r2;"}, {'r', "mad24.lo.u32 r0, r1, r2, r3;"}, {'r', "sad.u32 r0, r1, r2, r3;"}, {'h', "sad.s16 h0, h1, h2, h3;"},
    {'h', "div.s16 h0, h1, h2;"}, {'h', "rem.u16 h0, h1, h2;"}, {'r', "min.s32 r0, r1, r2;"}, {'f', "slct.f32.s32 f0, f1, f2, r3;"}, {'r', "mad24.lo.s32 r0, r1, r2, r3;"},
    {'l', "shl.b64 l0, l1, r2;"}, {'l', "shr.u64 l0, l1, r2;"}, {'l', "shr.s64 l0, l1, r2;"}, {'r', "shl.b32 r0, r1, r2;"},
    {'r', "shr.s32 r0, r1, r2;"}, {'r', "shr.u32 r0, r1, r2;"}, {'l', "mul.wide.u32 l0, r1, r2;"}, {'l', "mad.wide.s32 l0, r1, r2, l3;"},
    {'l', "mul.lo.u64 l0, l1, l2;"}, {'l', "mul.hi.u64 l0, l1, l2;"}, {'l', "mad.lo.s64 l0, l1, l2, l3;"}, {'l', "abs.s64 l0, l1;"},
    {'l', "min.s64 l0, l1, l2;"}, {'l', "max.u64 l0, l1, l2;"}, {'r', "add.sat.s32 r0, r1, r2;"}, {'r', "lop3.b32 r0, r1, r2, r3, 0x96;"},
    {'r', "dp4a.s32.u32 r0, r1, r2, r3;"}, {'r', "cnot.b32 r0, r1;"}, {'r', "selp.b32 r0, r1, r2, !p1;"}, {'l', "selp.b64 l0, l1, l2, p1;"},
    {'p', "setp.lt.s64 p0, l1, l2;"}, {'p', "setp.hi.u32 p0, r1, r2;"}, {'p', "and.pred p0, p1, p2;"}, {'p', "xor.pred p0, p1, p2;"},
    {'r', "ld.global.u8 r0, [ia];"}, {'r', "ld.global.s8 r0, [ia+3];"}, {'h', "ld.global.u16 h0, [ib];"}, {'r', "ld.global.s16 r0, [ib+2];"},
    {'h', "ld.global.u8 h0, [ic];"}, {'r', "ld.global.s16 r0, [ic];"}, {'l', "ld.global.u8 l0, [ia];"}, {'r', "ld.global.u8 r0, [iu];"},
    {'h', "ld.global.s8 h0, [iu+1];"}, {'r', "ld.global.u16 r0, [iu+2];"},
    {'m', "st.global.u8 [oa], r1;"}, {'m', "st.global.u16 [ob], h1;"}, {'m', "st.global.u8 [oa], h2;"}, {'m', "st.global.u8 [oc], r1;"},
    {'m', "st.global.s8 [oc+1], h1;"}, {'m', "st.global.u16 [oc+2], r1;"},
    {'R', "shfl.sync.idx.b32 r0, r1, 5, 31, -1;"}, {'R', "shfl.sync.idx.b32 r0, r1, r2, 31, -1;"}, {'R', "shfl.sync.up.b32 r0, r1, 3, 0, -1;"},
    {'R', "shfl.sync.down.b32 r0|p0, r1, 4, 31, -1;"}, {'R', "shfl.sync.bfly.b32 r0, r1, 16, 31, -1;"}, {'R', "shfl.sync.bfly.b32 r0|p0, r1, r2, 0x1807, -1;"},
    {'R', "shfl.sync.down.b32 r0|p0, r1, r2, 0x181f, -1;"}, {'R', "shfl.sync.up.b32 r0|p0, r1, r2, 0x1800, -1;"}, {'R', "shfl.sync.idx.b32 r0|p0, r1, r2, 0x1c1f, -1;"},
    {'P', "shfl.sync.idx.b32 r0|p0, r1, r2, 9, -1;"}, {'P', "shfl.sync.up.b32 r0|p0, r1, 9, 0x1800, -1;"}, {'P', "shfl.sync.down.b32 r0|p0, r1, 9, 17, -1;"},
    {'P', "shfl.sync.down.b32 r0|p0, r1, r2, 17, -1;"}, {'R', "shfl.sync.idx.b32 r0|p0, r1, r2, r3, -1;"}, {'F', "shfl.sync.bfly.b32 f0, f1, 1, 31, -1;"},
    {'R', "shfl.sync.idx.b32 r1, r1, 7, 31, -1; mov.b32 r0, r1;"}, {'F', "add.f32 f0, f1, f2; shfl.sync.bfly.b32 f0, f0, 2, 31, -1;"},
    {'R', "{ .reg .b32 a, b, c; mov.u32 a, 2; mov.u32 b, 31; mov.u32 c, -1; shfl.sync.down.b32 r0|p0, r1, a, b, c; }"},
    {'P', "{ .reg .b32 c; mov.u32 c, -1; vote.sync.any.pred p0, p1, c; }"}, {'R', "{ .reg .b32 c; mov.u32 c, -1; redux.sync.add.s32 r0, r1, c; }"},
    {'r', "{ .reg .b32 a, b; mov.u32 a, 3; mov.u32 b, 11; bfe.s32 r0, r1, a, b; }"}, {'r', "{ .reg .b32 a; mov.u32 a, 0x3254; prmt.b32 r0, r1, r2, a; }"},
    {'R', "vote.sync.ballot.b32 r0, p1, -1;"}, {'R', "vote.sync.ballot.b32 r0, !p1, 0x00ff00ff; and.b32 r0, r0, 0xff00ff;"}, {'P', "vote.sync.all.pred p0, p1, -1;"},
    {'P', "vote.sync.any.pred p0, p1, -1;"}, {'P', "vote.sync.uni.pred p0, !p1, -1;"}, {'P', "{ .reg .pred q; setp.ne.u32 q, r1, r1; vote.sync.uni.pred p0, q, -1; }"},
    {'P', "{ .reg .pred q; setp.eq.u32 q, r1, r1; vote.sync.all.pred p0, q, -1; }"}, {'P', "{ .reg .pred q; setp.ne.u32 q, r1, r1; vote.sync.any.pred p0, q, -1; }"},
    {'R', "redux.sync.add.u32 r0, r1, -1;"}, {'R', "redux.sync.min.u32 r0, r1, -1;"}, {'R', "redux.sync.max.u32 r0, r1, -1;"},
    {'R', "redux.sync.min.s32 r0, r1, -1;"}, {'R', "redux.sync.max.s32 r0, r1, -1;"}, {'R', "redux.sync.and.b32 r0, r1, -1;"},
    {'R', "redux.sync.or.b32 r0, r1, -1;"}, {'R', "redux.sync.xor.b32 r0, r1, -1;"}, {'R', "match.any.sync.b32 r0, r1, -1;"},
    {'r', "activemask.b32 r0;"}, {'R', "activemask.b32 r0;"},
};
#define COUNT ((int)(sizeof instructions / sizeof *instructions))

static unsigned long long state = 88172645463325252ull;
static unsigned long long next(void)
{
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state * 2685821657736338717ull;
}

static unsigned word(void)
{
    static const unsigned special[] = {
        0, 0x80000000, 1, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000, 0x00800001, 0x3f800000, 0xbf800000,
        0x3f7fffff, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0xffc12345, 0x7fffffff, 0xffffffff,
        0x4f000000, 0x4effffff, 0xcf000000, 0x4f800000, 0x5f000000, 0xdf000000, 0x5f800000, 0x3f000000, 0xbf000000, 0x3fc00000,
        0x40200000, 0xbe99999a, 0x7e800000, 0x7e800001, 0xfe900000, 0x20000000, 0x1f800000, 0x00ff0080, 0x80007f80, 0x7bff7c01,
        0x7c00fc00, 0x7e00ff80, 0x00008000, 0x0000ffff, 0x00007fff, 0x33000000, 0x387fe000, 0x477fefff, 0x477ff000, 0xfffffff9, 10,
        31, 32, 63, 64, 7,
    };
    unsigned long long x = next();
    switch (x >> 61) {
    case 0: case 1: case 2: return special[x % (sizeof special / sizeof *special)];
    case 3: return (x & 0x807fffff) | (110 + (x >> 32) % 34) << 23; /* About one. */
    case 4: return (x & 0x807fffff) | ((x >> 32) % 40) << 23;       /* Small. */
    case 5: return x % 300 - 150;
    default: return (unsigned)x;
    }
}

static unsigned long long pair(void)
{
    static const unsigned long long special[] = {
        0, 1ull << 63, 1, 0x8000000000000001, 0x000fffffffffffff, 0x0010000000000000, 0x3ff0000000000000, 0xbff0000000000000,
        0x7fefffffffffffff, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0xfff8000000000123, 0x7ff0000000000001,
        0xfff4000000000077, 0x7fffffffffffffff, 0xffffffffffffffff, 0x41dfffffffc00000, 0x41e0000000000000, 0xc1e0000000000000,
        0xc1e0000000200000, 0x41f0000000000000, 0x43e0000000000000, 0xc3e0000000000000, 0x43f0000000000000, 0x3fe0000000000000,
        0x3fdfffffffffffff, 0xbfefffffffffffff, 0x380fffffffffffff, 0x380ffffff0000000, 0x380fffffe0000000, 0x36a0000000000000,
        0x369fffffffffffff, 0x47efffffefffffff, 0x47effffff0000000, 10, 0x100000000, 0x7fffffff, 0x80000000,
    };
    unsigned long long x = next();
    switch (x >> 61) {
    case 0: case 1: case 2: return special[(x & 0xffffff) % (sizeof special / sizeof *special)];
    case 3: case 4: return (x & 0x800fffffffffffff) | (1023 - 40 + next() % 110) << 52;
    case 5: return (x & 0x800fffffffffffff) | (next() % 60 + 860) << 52;
    case 6: return next() % 4000 - 2000;
    default: return next();
    }
}

static char *source;
static size_t length, room;
#define ADD(...) (length += snprintf(source + length, room - length, __VA_ARGS__))

/* The instruction, with a number of its own for labels. */
static void add_text(const char *text, int number)
{
    const char *at;
    while ((at = strstr(text, "%="))) {
        ADD("%.*s%d", (int)(at - text), text, number);
        text = at + 2;
    }
    ADD("%s\n", text);
}

static void add_kernel(int n, int variant)
{
    char result = instructions[n].result;
    int apart = result >= 'a';
    if (result < 'a') result += 'a' - 'A';
    ADD(".visible .entry k%d_%d(.param .u64 w, .param .u64 v, .param .u64 o) {\n"
        ".reg .b32 r<4>, t<4>, e<4>, s<4>, c0, c1; .reg .b64 l<4>, x, x0, y0, v0, v1, v2, xa, xb, xc, y, yb, yc, ia, ib, ic, iu, oa, ob, oc, g; .reg .b16 h<4>; .reg .f32 f<4>; .reg .f64 d<4>; .reg .pred p<4>;\n"
        ".reg .b16 z;\n"
        "mov.u32 c0, %%ctaid.x; mov.u32 c1, %%ntid.x; mov.u32 t2, %%tid.x; mad.lo.s32 t0, c0, c1, t2; mul.wide.u32 g, t0, 1;\n"
        "ld.param.u64 x0, [w]; cvta.to.global.u64 x, x0; mov.u64 iu, x; mul.wide.u32 xb, t0, 2; add.u64 ia, x, g; add.u64 ib, x, xb;\n"
        "ld.param.u64 y0, [o]; cvta.to.global.u64 y, y0; add.u64 oa, y, g; mul.wide.u32 yb, t0, 2; add.u64 ob, y, yb; mul.wide.u32 yc, t0, 8; add.u64 oc, y, yc;\n"
        "mul.wide.u32 xc, t0, 12; add.u64 ic, x, xc; ld.global.u32 e1, [ic]; ld.global.u32 e2, [ic+4]; ld.global.u32 r3, [ic+8];\n"
        "ld.param.u64 v0, [v]; cvta.to.global.u64 v1, v0; mul.wide.u32 v2, t0, 24; add.u64 xa, v1, v2; ld.global.u64 l3, [xa+16];\n"
        "mov.b32 f3, r3; mov.b64 d3, l3; mov.b32 {z, h3}, r3;\n"
        "and.b32 t1, e1, 4; setp.ne.u32 p1, t1, 0; and.b32 t1, e2, 1; setp.ne.u32 p2, t1, 0;\n"
        "mov.b32 r0, 0x1234; mov.b64 l0, 0x12345678; mov.b16 h0, 0x4321; mov.f32 f0, 0f40000000; mov.f64 d0, 0d4000000000000000; setp.ne.u32 p0, t0, t0;\n"
        "mul.lo.u32 t1, t0, 0x9e3779b1; shr.u32 t1, t1, 20; and.b32 t1, t1, 1; setp.ne.u32 p3, t1, 0;\n",
        n, variant);
    if (variant == 3)
        ADD("mov.u32 s1, %%tid.x; mov.u32 s2, %%ctaid.x; add.u32 r2, s2, 3; mul.lo.u32 r1, s1, -5; cvt.u16.u32 h1, r1; cvt.u16.u32 h2, r2;\n"
            "cvt.u64.u32 l1, s1; cvt.s64.s32 l2, r2; mov.b32 f1, r1; cvt.rn.f32.s32 f2, r2; cvt.rn.f64.s32 d1, r1; mov.b64 d2, l2;\n");
    else
        ADD("mov.u32 r1, e1; mov.u32 r2, e2; ld.global.u64 l1, [xa]; ld.global.u64 l2, [xa+8]; mov.b32 f1, r1; mov.b32 f2, r2;\n"
            "mov.b64 d1, l1; mov.b64 d2, l2; mov.b32 {h1, z}, r1; mov.b32 {h2, z}, r2;\n");
    if (variant == 1 && apart && instructions[n].text[0] != '{') ADD("@p3 ");
    if (variant == 2 && apart) ADD("@p3 bra past;\n");
    if (variant == 2 && !apart) ADD("add.u32 r1, r1, 1; setp.lt.u32 p1, r1, r2;\n");
    add_text(instructions[n].text, 0);
    if (variant == 2 && apart) ADD("past:\n");
    switch (result) {
    case 'r': ADD("cvt.u64.u32 l0, r0;"); break;
    case 'h': ADD("cvt.u64.u16 l0, h0;"); break;
    case 'f': ADD("mov.b32 r0, f0; cvt.u64.u32 l0, r0;"); break;
    case 'd': ADD("mov.b64 l0, d0;"); break;
    case 'p': ADD("selp.b64 l0, 1, 0, p0;"); break;
    }
    if (result != 'm') ADD("st.global.u64 [oc], l0;");
    ADD("ret; }\n");
}

static int child(void)
{
    static unsigned words[LANES * 3];
    static unsigned long long pairs[LANES * 3], out[LANES];
    CUcontext context;
    CUdevice device;
    CUmodule module;
    CUdeviceptr w, v, o;
    for (int n = 0; n < LANES * 3; n++) words[n] = word();
    for (int n = 0; n < LANES * 3; n++) pairs[n] = pair();
    room = 4096ul * COUNT * VARIANTS;
    source = malloc(room);
    ADD(".version 8.0\n.target sm_90\n.address_size 64\n");
    for (int n = 0; n < COUNT; n++)
        for (int variant = 0; variant < VARIANTS; variant++) add_kernel(n, variant);
    OK(cuInit(0));
    OK(cuDeviceGet(&device, 0));
    OK(cuCtxCreate(&context, NULL, 0, device));
    OK(cuModuleLoadData(&module, source));
    OK(cuMemAlloc(&w, sizeof words));
    OK(cuMemAlloc(&v, sizeof pairs));
    OK(cuMemAlloc(&o, sizeof out + 16));
    OK(cuMemcpyHtoD(w, words, sizeof words));
    OK(cuMemcpyHtoD(v, pairs, sizeof pairs));
    for (int n = 0; n < COUNT * VARIANTS; n++) {
        char name[32];
        CUfunction f;
        void *arguments[] = {&w, &v, &o};
        snprintf(name, sizeof name, "k%d_%d", n / VARIANTS, n % VARIANTS);
        OK(cuModuleGetFunction(&f, module, name));
        OK(cuMemsetD8(o, 0xa5, sizeof out));
        OK(cuLaunchKernel(f, LANES / BLOCK, 1, 1, BLOCK, 1, 1, 0, 0, arguments, 0));
        OK(cuMemcpyDtoH(out, o, sizeof out));
        for (size_t done = 0; done < sizeof out;) {
            ssize_t some = write(3, (char *)out + done, sizeof out - done);
            if (some <= 0) return 1;
            done += some;
        }
    }
    return 0;
}

/* What a process with that engine finds, with that of the machine's instructions. */
static unsigned long long *results(const char *program, const char *engine, const char *cpu)
{
    size_t size = sizeof(unsigned long long) * LANES * COUNT * VARIANTS, done = 0;
    char *all = malloc(size);
    int ends[2];
    if (pipe(ends)) exit(1);
    pid_t pid = fork();
    if (pid == 0) {
        setenv("DOPPEL_ENGINE", engine, 1);
        setenv("DOPPEL_CPU", cpu, 1);
        dup2(ends[1], 3);
        if (ends[0] != 3) close(ends[0]);
        if (ends[1] != 3) close(ends[1]);
        execl(program, program, "child", (char *)0);
        _exit(127);
    }
    close(ends[1]);
    while (done < size) {
        ssize_t some = read(ends[0], all + done, size - done);
        if (some <= 0) break;
        done += some;
    }
    close(ends[0]);
    int status;
    waitpid(pid, &status, 0);
    if (status || done < size) {
        printf("%s: ended with %#x after %zu of %zu bytes\n", engine, status, done, size);
        exit(1);
    }
    return (unsigned long long *)all;
}

int main(int count, char **arguments)
{
    if (count > 1) return child();
    unsigned long long *a = results(arguments[0], "interpret", "auto");
    int wrong = 0;
    for (int level = 0; level < 2; level++) {
        const char *cpu = level ? "avx2" : "auto";
        unsigned long long *b = results(arguments[0], "compile", cpu);
        for (int n = 0; n < COUNT * VARIANTS; n++) {
            int lanes = 0, first = -1;
            for (int lane = 0; lane < LANES; lane++)
                if (a[n * LANES + lane] != b[n * LANES + lane]) {
                    if (first < 0) first = lane;
                    lanes++;
                }
            if (lanes)
                printf("%s (variant %d, %s): %d lanes differ, first %d: interpreted %llx, compiled %llx\n",
                       instructions[n / VARIANTS].text, n % VARIANTS, cpu, lanes, first, a[n * LANES + first], b[n * LANES + first]);
            wrong += lanes > 0;
        }
        free(b);
    }
    free(a);
    printf("kernels whose results differ: %d\n", wrong);
    return wrong > 0;
}
