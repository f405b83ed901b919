/* Loading PTX: a module of about a megabyte, functions as a compiler writes them, beside a copy of its text. */
#include "bench.h"

static char *text;
static size_t length;

static void add(const char *line)
{
    size_t n = strlen(line);
    memcpy(text + length, line, n + 1);
    length += n;
}

static void load(void *data)
{
    CUmodule module;
    (void)data;
    OK(cuModuleLoadData(&module, text));
    OK(cuModuleUnload(module));
}

static void copy(void *data)
{
    static char *other;
    (void)data;
    if (!other) other = malloc(length);
    memcpy(other, text, length);
    __asm__ volatile("" ::: "memory");
}

int main(void)
{
    double whole, plain;
    long instructions = 0;
    start();
    text = malloc(2 << 20);
    add(".version 8.0\n.target sm_80\n.address_size 64\n");
    for (int kernel = 0; length < 1000000; kernel++) {
        char line[256];
        snprintf(line, sizeof line, ".visible .entry kernel_%d(.param .u64 a, .param .u64 b, .param .u32 n)\n{\n", kernel);
        add(line);
        add("\t.reg .pred \t%p<200>;\n\t.reg .f32 \t%f<2000>;\n\t.reg .b32 \t%r<2000>;\n\t.reg .b64 \t%rd<2000>;\n"
            "\tld.param.u64 \t%rd1, [a];\n\tld.param.u64 \t%rd2, [b];\n\tld.param.u32 \t%r1, [n];\n"
            "\tcvta.to.global.u64 \t%rd3, %rd1;\n\tmov.u32 \t%r2, %ctaid.x;\n\tmov.u32 \t%r3, %ntid.x;\n"
            "\tmov.u32 \t%r4, %tid.x;\n\tmad.lo.s32 \t%r5, %r2, %r3, %r4;\n\tmov.f32 \t%f1, 0f00000000;\n");
        instructions += 10;
        for (int block = 1; block < 100; block++) {
            snprintf(line, sizeof line,
                     "\tsetp.ge.s32 \t%%p%d, %%r5, %%r1;\n\t@%%p%d bra \t$L__%d;\n\tmul.wide.s32 \t%%rd%d, %%r5, %d;\n", block,
                     block, block, 10 * block, block);
            add(line);
            snprintf(line, sizeof line,
                     "\tadd.s64 \t%%rd%d, %%rd3, %%rd%d;\n\tld.global.f32 \t%%f%d, [%%rd%d+%d];\n"
                     "\tfma.rn.f32 \t%%f1, %%f%d, 0f3F800000, %%f1;\n$L__%d:\n",
                     10 * block + 1, 10 * block, 10 * block, 10 * block + 1, 4 * block, 10 * block, block);
            add(line);
            instructions += 6;
        }
        add("\tadd.s64 \t%rd4, %rd3, 0;\n\tst.global.f32 \t[%rd4], %f1;\n\tret;\n}\n");
        instructions += 3;
    }
    duel(1, load, copy, NULL, &whole, &plain);
    printf("%-52s %10.1f ms %8.1f MB/s\n", "loading a module of PTX", whole / 1e6, (double)length * 1e3 / whole);
    printf("%-52s %10zu bytes %ld instructions\n", "", length, instructions);
    return 0;
}
