// Control flow and special registers, as the kernels of kernels/control.py and kernels/special.py use them.
#include "kernel.h"
#include "../../cuda.h"

static uint32_t step(uint32_t x) { return x * 3 + 1; }

static void branch(const instruction *i, uint32_t x, uint64_t *out) {
    uint32_t turns = has(i, "uni") ? 10 : x & 15;
    for (uint32_t n = 0; n < turns; n++) x = has(i, "uni") || x & 1 ? step(x) : x >> 1;
    fold(&out[0], x);
    fold(&out[1], turns);
}

static void table(const instruction *i, const thread *t, uint32_t x, uint64_t *out) {
    switch ((has(i, "uni") ? t->k / BLOCK : t->k) & 3) {
    case 0: x = step(x); break;
    case 2: x += 77; break;
    default: x = (x >> 3) + 77;
    }
    fold(&out[0], x);
}

static uint32_t callee(uint32_t a, uint64_t b) { return a * 5 + (uint32_t)b; }

// Calls itself down to a multiple of eight.
static uint32_t sum_down(uint32_t a) { return a & 7 ? a + sum_down(a - 1) : a; }

static void call(const instruction *i, const thread *t, uint32_t x, uint64_t *out) {
    uint64_t y = own(t, 1);
    fold(&out[0], callee(x, y));
    fold(&out[0], sum_down(x));
    fold(&out[0], has(i, "uni") || t->k % 2 == 0 ? callee(x, y) : sum_down(x));
}

// What a special register is in a grid of 32 blocks, or in clusters of two; 0 if it is not one.
static int special(const char *name, const thread *t, int pairs, uint64_t *value) {
    static const struct { const char *name; uint64_t other; } vectors[] = { { "%tid", 0 }, { "%ntid", 1 }, { "%ctaid", 0 }, { "%nctaid", 1 },
        { "%clusterid", 0 }, { "%nclusterid", 1 }, { "%cluster_ctaid", 0 }, { "%cluster_nctaid", 1 } };
    uint64_t block = t->k / BLOCK, lane = t->k % 32;
    const uint64_t first[] = { t->k % BLOCK, BLOCK, block, THREADS / BLOCK, block / 2, THREADS / BLOCK / 2, block % 2, 2 };
    for (unsigned n = 0; n < sizeof vectors / sizeof *vectors; n++) {
        size_t length = strlen(vectors[n].name);
        if (strncmp(name, vectors[n].name, length) || name[length] != '.') continue;
        // The fourth component is nothing.
        *value = name[length + 1] == 'x' ? first[n] : name[length + 1] == 'w' ? 0 : vectors[n].other;
        return 1;
    }
    static const char *nothing[] = { "%envreg", "%pm", "%dynamic_smem_size", "%current_graph_exec" };
    for (unsigned n = 0; n < sizeof nothing / sizeof *nothing; n++)
        if (!strncmp(name, nothing[n], strlen(nothing[n]))) return *value = 0, 1;
    static const char *holds[] = { "%smid", "%nsmid", "%warpid", "%clock", "%clock_hi", "%clock64", "%globaltimer", "%globaltimer_lo", "%globaltimer_hi", "%gridid" };
    for (unsigned n = 0; n < sizeof holds / sizeof *holds; n++)
        if (same(name, holds[n])) return *value = 1, 1;
    if (same(name, "%laneid")) *value = lane;
    else if (same(name, "%nwarpid")) *value = 64;
    // Shared memory of the kernel, and what the system keeps.
    else if (same(name, "%total_smem_size")) *value = 8192;
    else if (same(name, "%aggr_smem_size")) *value = 8192 + 1024;
    else if (same(name, "%lanemask_eq")) *value = 1ull << lane;
    else if (same(name, "%lanemask_lt")) *value = (1ull << lane) - 1;
    else if (same(name, "%lanemask_le")) *value = (2ull << lane) - 1;
    else if (same(name, "%lanemask_ge")) *value = 0xffffffff & ~((1ull << lane) - 1);
    else if (same(name, "%lanemask_gt")) *value = 0xffffffff & ~((2ull << lane) - 1);
    else if (same(name, "%cluster_ctarank")) *value = block % 2;
    else if (same(name, "%cluster_nctarank")) *value = 2;
    else if (same(name, "%is_explicit_cluster")) *value = pairs;
    else return 0;
    return 1;
}

static int moved(const instruction *i, const thread *t, uint64_t *out) {
    const char *name = i->operands[i->n_operands - 1];
    uint64_t value;
    if (name[0] != '%') return 0;
    if (has(i, "v4")) {
        char part[32];
        for (int n = 0; n < 4; n++) {
            snprintf(part, sizeof part, "%.24s.%c", name, "xyzw"[n]);
            if (!special(part, t, 0, &value)) return 0;
            if (n == 0) fold(&out[0], value);
            fold(&out[1], value);
        }
        return 1;
    }
    if (!special(name, t, same(i->operands[0], "%p0"), &value)) return 0;
    fold(&out[0], value);
    return 1;
}

int control(const char *line, reader *read, void *of, uint64_t k, uint64_t *out) {
    static instruction all;
    instruction *i = &all;
    understand(i, line);
    thread one = { read, of, k }, *t = &one;
    const char *op = i->opcode;
    uint64_t word = own(t, 0);
    uint32_t x = word;
    out[0] = out[1] = 0;
    if (same(op, "bra")) branch(i, x, out);
    else if (same(op, "brx")) table(i, t, x, out);
    else if (same(op, "call")) call(i, t, x, out);
    else if (same(op, "ret")) fold(&out[0], !has(i, "uni") && x > 0x7fffffff ? x : ~x);
    // Odd threads have left, with what was there before.
    else if (same(op, "exit")) out[0] = k % 2 ? word : ~word, out[1] = k % 2 ? word : 0;
    // A kernel that ends with an error has that for a result.
    else if (same(op, "trap") || same(op, "brkpt")) out[0] = out[1] = CUDA_ERROR_LAUNCH_FAILED;
    else if (same(op, "nanosleep") || same(op, "pmevent") || same(op, "griddepcontrol") || same(op, "setmaxnreg")) out[0] = word;
    else if (same(op, "mov")) return moved(i, t, out);
    else return 0;
    return 1;
}
