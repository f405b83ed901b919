// Atomic operations, as the kernels of kernels/atomic.py use them: on a cell of each thread, then of a block on one cell.
#include "kernel.h"

static uint64_t element(wide cell, int n, int bits) { return (uint64_t)(cell >> (n * bits)) & mask(bits); }

static uint64_t one_sum(const char *type, uint64_t a, uint64_t b, int shared, int exact) {
    const format *f = format_of(type);
    int singles = f->fraction == 23, doubles = f->fraction == 52;
    if (singles && !shared && !exact) a = flushed(f, a), b = flushed(f, b);
    number x = read_number(f, a), y = read_number(f, b);
    if (doubles && (x.kind == NONE || y.kind == NONE)) // in shared memory quiet and the old one first, else the new one as it is
        return shared ? (x.kind == NONE ? a : b) | 1ull << 51 : y.kind == NONE ? b : a;
    uint64_t d = write_number(f, sum(x, y, NEAREST), NEAREST, 0, doubles ? 0xfff8000000000000 : singles ? 0x7fffffff : 0x7fff, NULL);
    return singles && !shared && !exact ? flushed(f, d) : d;
}

static uint64_t one_extreme(const char *type, uint64_t a, uint64_t b, int max) {
    if (!is_float(type)) return (uint64_t)((number_of(type, a) < number_of(type, b)) == max ? number_of(type, b) : number_of(type, a)) & mask(width(type));
    const format *f = format_of(type);
    number x = read_number(f, a), y = read_number(f, b);
    if (x.kind == NONE && y.kind == NONE) return 0x7fff;
    if (x.kind == NONE || y.kind == NONE) return x.kind == NONE ? b : a;
    int o = order(x, y);
    if (o == 0 && x.kind == ZERO) o = y.sign - x.sign;
    return (max ? o >= 0 : o <= 0) ? a : b;
}

// The new value of an element. Pairs of halves are two.
uint64_t changed(const instruction *i, const char *type, uint64_t a, uint64_t b, uint64_t c, int shared) {
    if (strstr(type, "x2")) {
        char half[8];
        snprintf(half, sizeof half, "%.*s", (int)strlen(type) - 2, type);
        return changed(i, half, a & 0xffff, b & 0xffff, c, shared) | changed(i, half, a >> 16 & 0xffff, b >> 16 & 0xffff, c, shared) << 16;
    }
    uint64_t most = mask(width(type));
    if (has(i, "and")) return a & b;
    if (has(i, "or")) return a | b;
    if (has(i, "xor")) return a ^ b;
    if (has(i, "exch")) return b;
    if (has(i, "cas")) return a == b ? c : a;
    if (has(i, "inc")) return a >= b ? 0 : a + 1;
    if (has(i, "dec")) return a == 0 || a > b ? b : a - 1;
    if (has(i, "min") || has(i, "max")) return one_extreme(type, a, b, has(i, "max"));
    return is_float(type) ? one_sum(type, a, b, shared, has(i, "noftz")) : (a + b) & most;
}

// What a thread of a block adds to the block's cell.
static uint64_t common(const instruction *i, const char *type, uint64_t b, int thread) {
    const format *f = is_float(type) ? format_of(type) : NULL;
    if (f) {
        number small = whole_number(f->fraction >= 23 ? thread & 3 : thread & 1);
        uint64_t bits = write_number(f, small, NEAREST, 0, 0, NULL);
        return strstr(type, "x2") ? bits | bits << 16 : bits;
    }
    return has(i, "exch") ? 77 : has(i, "cas") ? 0 : has(i, "inc") || has(i, "dec") ? 100 : b;
}

// Of 128 bits: a word and its complement are exchanged, or put where another pair is found.
static int pair(const instruction *i, const thread *t, uint64_t *out) {
    int compares = has(i, "cas"), generic = !has(i, "global") && !has(i, "shared") && !has(i, "shared::cta") && !has(i, "shared::cluster");
    uint64_t a = own(t, 0), cell[2] = { own(t, 4), own(t, 4) * 0x9E3779B97F4A7C15 };
    if (compares && t->k & 1) cell[0] = a, cell[1] = ~a;
    uint64_t word = !compares ? a : cell[0] == a && cell[1] == ~a ? own(t, 1) : 0, found = !compares || (cell[0] == a && cell[1] == ~a);
    for (int n = 0; n < 2; n++) fold(&out[0], cell[n]);
    for (int n = 0; n < 2; n++) fold(&out[1], !found ? cell[n] : n ? ~word : word);
    // The block's cell: one thread finds what it looks for.
    if (compares) fold(&out[1], 1);
    for (int n = 0; n < 2; n++) fold(&out[1], n ? ~(compares ? 4711ull : 77ull) : compares ? 4711 : 77);
    if (generic && !has(i, "L2::cache_hint")) fold(&out[1], found ? word : cell[0]);
    return 1;
}

int atomic(const char *line, reader *read, void *of, uint64_t k, uint64_t *out) {
    static instruction all;
    instruction *i = &all;
    understand(i, line);
    const char *type = i->n_types ? i->types[i->n_types - 1] : "";
    if ((!same(i->opcode, "atom") && !same(i->opcode, "red")) || has(i, "async")) return 0;
    thread t = { read, of, k };
    out[0] = out[1] = 0;
    if (same(type, "b128")) return pair(i, &t, out);
    int bits = width(type), count = has(i, "v2") ? 2 : has(i, "v4") ? 4 : has(i, "v8") ? 8 : 1, wanted = has(i, "cas") ? 2 : count < 3 ? count : 3;
    int shared = has(i, "shared") || has(i, "shared::cta") || has(i, "shared::cluster"), generic = !shared && !has(i, "global"), gives = same(i->opcode, "atom");
    uint64_t words[3] = { 0 }, w4 = read(of, 4, k), w5 = w4 * 0x9E3779B97F4A7C15;
    for (int n = 0; n < wanted; n++) words[n] = read(of, n, k);
    if ((same(type, "f16") || same(type, "bf16")) && count > 1) w5 ^= words[0];
    if (has(i, "cas") && k & 1) w4 = words[0];
    wide cell = (wide)w5 << 64 | w4, next = cell;
    out[0] = out[1] = 0;
    for (int n = 0; n < count; n++) {
        uint64_t old = element(cell, n, bits), new = changed(i, type, old, words[n % wanted] & mask(bits), words[1] & mask(bits), shared);
        next = (next & ~((wide)mask(bits) << (n * bits))) | (wide)new << (n * bits);
        if (gives) fold(&out[0], old);
    }
    fold(&out[1], (uint64_t)next);
    fold(&out[1], (uint64_t)(next >> 64));
    // The block's cell is the same for all of its threads.
    static char last[512];
    static uint64_t last_block;
    static wide block;
    int known = !strcmp(last, line) && last_block == k / BLOCK, from_ones = !is_float(type) && (has(i, "and") || has(i, "exch") || has(i, "dec") || has(i, "min"));
    if (!known) {
        block = from_ones ? ~(wide)0 : 0;
        last_block = k / BLOCK;
        snprintf(last, sizeof last, "%s", line);
    }
    for (int thread = 0; !known && thread < BLOCK; thread++)
        for (int n = 0; n < count; n++) {
            uint64_t b = is_float(type) ? 0 : read(of, n % wanted, k / BLOCK * BLOCK + thread);
            uint64_t new = changed(i, type, element(block, n, bits), common(i, type, b, thread) & mask(bits), 4711, shared);
            block = (block & ~((wide)mask(bits) << (n * bits))) | (wide)new << (n * bits);
        }
    if (has(i, "cas") && gives) fold(&out[1], 1); // one thread finds what it looks for
    fold(&out[1], (uint64_t)block);
    fold(&out[1], (uint64_t)(block >> 64));
    if (generic && !has(i, "L2::cache_hint") && count == 1) {
        uint64_t new = changed(i, type, w4 & mask(bits), words[0] & mask(bits), words[1] & mask(bits), 1);
        fold(&out[1], bits == 64 ? new : (w4 & ~mask(bits)) | new);
    }
    return 1;
}
