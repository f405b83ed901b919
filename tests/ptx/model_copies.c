// Asynchronous copies and reductions, as the kernels of kernels/copies.py and `red.async` of kernels/atomic.py use them.
#include "kernel.h"

// Bytes of the first array from the thread's word on, or of the pair of words that it belongs to.
static void begin(const thread *t, unsigned char *cell) {
    for (int n = 0; n < 4; n++) put(cell + 8 * n, 8, word_of(t, 0, (t->k + n) % THREADS));
}

static void both(const unsigned char *cell, uint64_t *out) {
    fold(&out[0], get(cell, 8));
    fold(&out[1], get(cell + 8, 8));
}

// Copies of a thread: of `size` bytes the first `from` are the source's, the others zeros.
static int pieces(const instruction *i, const thread *t, uint64_t *out) {
    unsigned char cell[32], pair[16];
    begin(t, cell);
    for (int n = 0; n < 2; n++) put(pair + 8 * n, 8, word_of(t, 0, (t->k & ~1ull) + n));
    if (has(i, "mbarrier") || has(i, "commit_group") || has(i, "wait_group") || has(i, "wait_all")) {
        both(pair, out);
        if (has(i, "wait_group")) fold(&out[0], get(pair, 8));
        return 1;
    }
    for (int size = 16; size >= (has(i, "cg") ? 16 : 4); size /= 2) {
        int limited = (int)(t->k & 31) < size ? (int)(t->k & 31) : size, sources[4] = { limited, size, 0, t->k & 1 ? 0 : size };
        for (int n = 0; n < (has(i, "L2::cache_hint") ? 3 : 4); n++) {
            memset(cell + 16 - size, 0, size);
            memcpy(cell + 16 - size, pair, sources[n]);
            both(cell, out);
        }
    }
    return 1;
}

// A word that one is reduced into: a number, or several. Unlike those of atomic operations, sums in global memory keep subnormal
// singles.
static uint64_t reduced(const instruction *i, uint64_t old, uint64_t new, int shared) {
    const char *type = i->types[i->n_types - 1];
    int bits = width(type);
    uint64_t word = 0;
    shared |= same(type, "f32");
    for (int at = 0; at < 64; at += bits) word |= changed(i, type, old >> at & mask(bits), new >> at & mask(bits), 0, shared) << at;
    return word;
}

// Copies of a block: all words of the first array, or all but the last two, to where words of the second one are.
static int blocks(const instruction *i, const thread *t, uint64_t *out) {
    int copied = has(i, "commit_group") || has(i, "wait_group") || t->k % BLOCK < 126;
    int there = has(i, "shared::cluster") && has(i, "shared::cta");
    uint64_t old = own(t, 1), new = word_of(t, 0, there ? partner(t->k) : t->k);
    out[0] = has(i, "prefetch") || !copied ? old : has(i, "reduce") ? reduced(i, old, new, there) : new;
    return 1;
}

int copies(const char *line, reader *read, void *of, uint64_t k, uint64_t *out) {
    static instruction all;
    const instruction *i = &all;
    understand(&all, line);
    thread t = { read, of, k };
    out[0] = out[1] = 0;
    if (same(i->opcode, "red") && has(i, "async")) {
        const char *type = i->types[i->n_types - 1];
        uint64_t most = mask(width(type)), old = own(&t, 1), b = word_of(&t, 0, partner(k)) & most;
        out[0] = (old & ~most) | changed(i, type, old & most, b, 0, 1);
        out[1] = old;
        return 1;
    }
    if (!same(i->opcode, "cp") || has(i, "tensor")) return 0;
    return has(i, "bulk") ? blocks(i, &t, out) : pieces(i, &t, out);
}
