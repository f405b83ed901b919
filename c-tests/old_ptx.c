/* PTX of the first years, as programs of then still carry it: no size of addresses, parameters declared inside of kernels,
 * arithmetic without a word on rounding, textures as variables of their own. What it gives is what an H200 gives. */
#include "check.h"

/* Each thread i reads a[i] and a[i + 32], and stores at b[i]. */
#define INDEX "mov.u16 w, %tid.x;\nmul.wide.u16 i, w, 4;\ncvt.u64.u32 d, i;\nadd.u64 q0, q0, d;\nadd.u64 q1, q1, d;\n" \
              "ld.global.f32 f0, [q0];\nld.global.f32 f1, [q0+128];\n"
#define REGISTERS ".reg .u16 w;\n.reg .u32 i;\n.reg .u64 d, q0, q1;\n.reg .f32 f0, f1, f2;\n.reg .f64 g0, g1;\n.reg .pred p;\n"
#define LOAD "ld.param.u64 q0, [a];\nld.param.u64 q1, [b];\n"
#define INSIDE(code) ".entry k\n{\n" REGISTERS ".param .u64 a;\n.param .u64 b;\n" LOAD INDEX code "st.global.f32 [q1], f2;\nexit;\n}\n"
#define LISTED(code) ".entry k (.param .u64 a, .param .u64 b)\n{\n" REGISTERS LOAD INDEX code "st.global.f32 [q1], f2;\nexit;\n}\n"
#define V(version, target) ".version " version "\n.target " target "\n"

static const struct {
    const char *what, *text;
} cases[] = {
    { "mad, 1.0", V("1.0", "sm_10") INSIDE("mad.f32 f2, f0, f1, f1;\n") },
    { "mad, 1.4", V("1.4", "sm_10, map_f64_to_f32") LISTED("mad.f32 f2, f0, f1, f1;\n") },
    { "mad, 2.0", V("2.0", "sm_20") LISTED("mad.f32 f2, f0, f1, f1;\n") },
    { "mad, 3.1", V("3.1", "sm_30") ".address_size 64\n" LISTED("mad.f32 f2, f0, f1, f1;\n") },
    { "mad, 3.2", V("3.2", "sm_30") ".address_size 64\n" LISTED("mad.f32 f2, f0, f1, f1;\n") },
    { "add, sm_13", V("2.0", "sm_13") LISTED("add.f32 f2, f0, f1;\n") },
    { "add, sm_20", V("2.0", "sm_20") LISTED("add.f32 f2, f0, f1;\n") },
    { "compare, sm_13", V("1.4", "sm_13") LISTED("setp.gt.f32 p, f0, 0f00000000;\nselp.f32 f2, 0f3F800000, 0f00000000, p;\n") },
    { "compare, sm_20", V("2.0", "sm_20") LISTED("setp.gt.f32 p, f0, 0f00000000;\nselp.f32 f2, 0f3F800000, 0f00000000, p;\n") },
    { "divide by a power of two, 1.3", V("1.3", "sm_13") INSIDE("div.f32 f2, f0, 0f40000000;\n") },
    { "doubles, 1.3", V("1.3", "sm_13") INSIDE("cvt.f64.f32 g0, f0;\ncvt.f64.f32 g1, f1;\ndiv.f64 g0, g0, g1;\nsqrt.f64 g0, g0;\ncvt.rn.f32.f64 f2, g0;\n") },
    { "doubles, 1.4", V("1.4", "sm_13") LISTED("div.f64 g0, g0, g1;\n") },
    { "singles to doubles, 1.4", V("1.4", "sm_13") LISTED("cvt.f64.f32 g0, f0;\nmul.rn.f64 g0, g0, 0d4170000000000000;\ncvt.rn.f32.f64 f2, g0;\n") },
    { "singles to doubles, 1.5", V("1.5", "sm_13") LISTED("cvt.f64.f32 g0, f0;\nmul.rn.f64 g0, g0, 0d4170000000000000;\ncvt.rn.f32.f64 f2, g0;\n") },
    { "a bank of constants", V("1.4", "sm_13") ".const[0] .f32 c = 2.5;\n" LISTED("ld.const[0].f32 f2, [c];\n") },
    { "two results", V("1.4", "sm_13") ".func (.reg .f32 x, .reg .f32 y) f (.reg .f32 z)\n{ mov.f32 x, z; neg.f32 y, z; ret; }\n" LISTED("call (f0, f2), f, (f1);\n") },
    { "lines of a preprocessor and for a debugger", V("1.4", "sm_13") "# 1 \"a.cu\"\n@@DWARF .section .debug_info, \"\", @progbits\n@@DWARF .4byte 1\n" LISTED("mov.f32 f2, f1;\n") },
    { "a texture", V("1.4", "sm_13") ".tex .u32 t;\n" LISTED("mov.f32 f2, f1;\n") },
    { "a texture, 1.5", V("1.5", "sm_13") ".tex .u32 t;\n" LISTED("mov.f32 f2, f1;\n") },
    { "shared memory, 1.4", V("1.4", "sm_10, map_f64_to_f32") ".file 1 \"a.cu\"\n.shared .align 4 .b8 tile[128];\n"
      LISTED(".loc 1 7 0\nmov.u64 q0, tile;\nadd.u64 q0, q0, d;\nst.shared.f32 [q0+0], f1;\nbar.sync 0;\nmul24.lo.u32 i, i, i;\nld.shared.f32 f2, [q0+0];\n") },
    { "no size, 8.0", V("8.0", "sm_90") LISTED("mov.f32 f2, f1;\n") },
    { "32 bits", V("2.3", "sm_20") ".address_size 32\n" LISTED("mov.f32 f2, f1;\n") },
    { "addresses of 32 bits", V("1.4", "sm_13") ".entry k (.param .u32 a)\n{ .reg .u32 r, s; ld.param.u32 r, [a]; ld.global.u32 s, [r]; exit; }\n" },
    { "a version without", V("1.6", "sm_13") INSIDE("") },
    { "a target without", V("2.0", "sm_14") LISTED("") },
    { "a newer target", V("1.4", "sm_20") LISTED("") },
};

int main(void)
{
    static const unsigned in[64] = { 0x3f800000, 0x3f800001, 0x00000001, 0x00400000, 0x80400000, 0x00800000, 0x7f800000, 0x40490fdb,
        [32] = 0x40000000, 0x3f800001, 0x00000001, 0x00400000, 0x3f800000, 0x3f000000, 0x3f800000, 0x402df854 };
    CUdeviceptr a, b;
    begin();
    OK(cuMemAlloc(&a, sizeof in));
    OK(cuMemAlloc(&b, 128));
    OK(cuMemcpyHtoD(a, in, sizeof in));
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        CUmodule module;
        CUfunction f;
        unsigned out[8];
        char log[2000] = "";
        CUjit_option options[] = { CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES };
        void *values[] = { log, (void *)sizeof log };
        CUresult r = cuModuleLoadDataEx(&module, cases[i].text, 2, options, values);
        printf("%s: %s", cases[i].what, name(r));
        if (!r) {
            OK(cuMemsetD8(b, 0, 128));
            OK(cuModuleGetFunction(&f, module, "k"));
            OK(cuLaunchKernel(f, 1, 1, 1, 8, 1, 1, 0, NULL, (void *[]){ &a, &b }, NULL));
            OK(cuMemcpyDtoH(out, b, sizeof out));
            for (int j = 0; j < 8; j++) printf(" %08x", out[j]);
            OK(cuModuleUnload(module));
        }
        printf("\n");
    }
    return 0;
}
