/* What is said when a module cannot be loaded: the error, the line of the text, the reason; nothing when all is well. */
#include <cuda.h>
#include <stdio.h>
#include <string.h>

static const char *name(CUresult r)
{
    const char *s = "?";
    cuGetErrorName(r, &s);
    return s;
}

#define HEAD ".version 7.8\n.target sm_90\n.address_size 64\n"
#define KERNEL ".visible .entry k()\n{\n.reg .b32 %r<4>; .reg .f32 %f<4>;\n"

static const struct {
    const char *what, *text, *line, *reason;
} cases[] = {
    { "a kernel", HEAD KERNEL "mov.b32 %r1, 1;\nret;\n}\n", "", "" },
    { "no instruction", HEAD KERNEL "mov.b32 %r1, 1;\nfoo.u32 %r1, %r2;\nret;\n}\n", "line 8;",
      "Not a name of any known instruction: 'foo'" },
    { "no such symbol", HEAD KERNEL "add.u32 %r1, %r2, %x;\nret;\n}\n", "line 7;", "Unknown symbol '%x'" },
    { "no such modifier", HEAD KERNEL "\nadd.foo.u32 %r1, %r2, %r3;\nret;\n}\n", "line 8;", "Unknown modifier '.foo'" },
    { "a modifier of others", HEAD KERNEL "add.relu.f32 %f1, %f2, %f3;\nret;\n}\n", "line 7;",
      "Illegal modifier '.relu' for instruction 'add'" },
    { "a register too few", HEAD KERNEL "add.u32 %r1, %r2;\nret;\n}\n", "line 7;",
      "Arguments mismatch for instruction 'add'" },
    { "a label twice", HEAD KERNEL "L:\nL:\nret;\n}\n", "line 8;", "Duplicate definition of label 'L'" },
    { "a variable twice", HEAD ".global .u32 v;\n.global .u32 v;\n", "line 5;", "Duplicate definition of variable 'v'" },
    { "no sentence", HEAD "\n\nthis is not code\n", "line 6;", "Parsing error near 'this': syntax error" },
    { "no end", HEAD KERNEL "ret;\n", "line 8;", "Parsing error near" },
    { "two mistakes, the second", HEAD KERNEL "foo;\nbogus %y;\nret;\n}\n", "line 8;", "Not a name of any known instruction: 'bogus'" },
    { "names come last", HEAD KERNEL "mov.u32 %x, 1;\nfoo;\nret;\n}\n", "line 7; error   : Unknown symbol '%x'\nptxas fatal",
      "line 8; error   : Not a name of any known instruction: 'foo'\nptxas application ptx input, line 7;" },
    { "another version", ".version 99.0\n.target sm_90\n.address_size 64\n", "line 1;", "Unsupported .version 99.0" },
};

int main(void)
{
    CUdevice d;
    CUcontext c;
    if (cuInit(0) || cuDeviceGet(&d, 0) || cuDevicePrimaryCtxRetain(&c, d) || cuCtxSetCurrent(c)) return 1;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        static char info[2048], error[2048];
        memset(info, 0, sizeof info);
        memset(error, 0, sizeof error);
        CUjit_option options[] = { CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_ERROR_LOG_BUFFER,
                                   CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES };
        void *values[] = { info, (void *)sizeof info, error, (void *)sizeof error };
        CUmodule m = NULL;
        CUresult r = cuModuleLoadDataEx(&m, cases[i].text, 4, options, values);
        printf("%s: %s, line %s, reason %s", cases[i].what, name(r), strstr(error, cases[i].line) ? "told" : "not told",
               strstr(error, cases[i].reason) ? "told" : "not told");
        printf(", %s\n", *error ? "errors" : "no errors");
        if (strstr(error, cases[i].line) == NULL || strstr(error, cases[i].reason) == NULL) printf("  %s\n", error);
        if (!r) cuModuleUnload(m);
    }
    return 0;
}
