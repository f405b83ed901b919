// Loads, stores, cache control, moves and addresses, as the kernels of kernels/access.py use them. Memory is bytes; what only says
// how or when an access is made has no part in it.
#include "kernel.h"

// A type's bits, how many elements an access has, their bytes in all, and the widths of registers that are tried.
typedef struct { const char *type; int bits, count, size, ways[3], n_ways; } access;

static access access_of(const instruction *i) {
    access a = { i->types[i->n_types - 1], 0, 1, 0, { 0 }, 0 };
    a.bits = width(a.type);
    a.count = has(i, "v2") ? 2 : has(i, "v4") ? 4 : has(i, "v8") ? 8 : 1;
    a.size = a.bits / 8 * a.count;
    if (a.bits == 128 || a.type[0] == 'f') a.ways[a.n_ways++] = a.bits;
    else
        for (int bits = 16; bits <= 64; bits *= 2)
            if (bits >= a.bits) a.ways[a.n_ways++] = bits;
    return a;
}

enum space { GENERIC, GLOBAL, CONSTANT, PARAMETER, ARGUMENT, LOCAL, SHARED };

static enum space space_of(const instruction *i) {
    return has(i, "global") ? GLOBAL : has(i, "const") ? CONSTANT : has(i, "param") || has(i, "param::entry") ? PARAMETER
        : has(i, "param::func") ? ARGUMENT : has(i, "local") ? LOCAL : has(i, "shared") || has(i, "shared::cta") || has(i, "shared::cluster") ? SHARED : GENERIC;
}

// What a space has for a thread before the kernel stores anything: all words of the first array; bytes by a rule; the thread's
// words; or the words of the first array from the thread's own one on.
static void fetch(const thread *t, enum space space, uint32_t at, int size, unsigned char *to) {
    for (int n = 0; n < size; n++, at++) {
        uint64_t word = 0;
        if (space == CONSTANT) to[n] = at * 73 + 0x9d;
        else if (space == PARAMETER) to[n] = at * 37 + 11;
        else if (space == GLOBAL) word = word_of(t, 0, at / 8);
        else if (space == ARGUMENT) word = own(t, at / 8);
        else word = word_of(t, 0, (t->k + at / 8) % THREADS);
        if (space != CONSTANT && space != PARAMETER) to[n] = word >> at % 8 * 8;
    }
}

static void keep(const access *a, int way, const unsigned char *bytes, uint64_t *word) {
    if (a->bits == 128) {
        fold(word, get(bytes, 8));
        fold(word, get(bytes + 8, 8));
        return;
    }
    fold(word, (uint64_t)number_of(a->type, get(bytes, a->bits / 8)) & mask(way));
}

// What is at an address, in registers of each width, and all elements but the last; or only in the narrowest.
static void look(const access *a, const thread *t, enum space space, uint32_t at, int all, uint64_t *out) {
    unsigned char bytes[64];
    fetch(t, space, at, a->size, bytes);
    for (int w = 0; w < (all ? a->n_ways : 1); w++)
        for (int e = 0; e < a->count; e++) keep(a, a->ways[w], bytes + e * a->bits / 8, &out[0]);
    for (int e = 0; all && e < a->count - 1; e++) keep(a, a->ways[0], bytes + e * a->bits / 8, &out[1]);
}

static int of_caches(const instruction *i) {
    for (int n = 0; n < i->n_modifiers; n++)
        if (!strncmp(i->modifiers[n], "L1", 2) || !strncmp(i->modifiers[n], "L2", 2)) return 1;
    return 0;
}

static int load(const instruction *i, const thread *t, uint64_t *out) {
    access a = access_of(i);
    enum space space = space_of(i);
    // Each thread has a place of its own in what there is.
    uint32_t place = (uint32_t)t->k * a.size * 3;
#define PLACE(room) (place & ((room) - a.size))
    if (space == GENERIC) {
        look(&a, t, GLOBAL, PLACE(32768), 1, out);
        if (same(i->opcode, "ldu") || of_caches(i) || has(i, "mmio")) return 1;
        look(&a, t, SHARED, PLACE(32), 0, out);
        look(&a, t, LOCAL, PLACE(64), 0, out);
        if (!has(i, "relaxed") && !has(i, "acquire") && !has(i, "volatile")) look(&a, t, CONSTANT, PLACE(256), 0, out);
    } else if (space == GLOBAL) look(&a, t, space, PLACE(32768), 1, out);
    else if (space == CONSTANT) {
        look(&a, t, space, PLACE(256), 1, out);
        look(&a, t, space, a.size * 3, 0, out);
    } else if (space == PARAMETER) {
        look(&a, t, space, a.size * 3, 1, out);
        look(&a, t, space, PLACE(128), 0, out);
    } else if (space == ARGUMENT) look(&a, t, space, 16 - a.size, 1, out);
    else look(&a, t, space, PLACE(space == LOCAL ? 64 : 32), 1, out);
    return 1;
}

// Puts the elements of an access to memory: each the lower bits of a word, of 128 bits the word and its complement.
static void put_elements(const access *a, const thread *t, int first, unsigned char *to) {
    for (int e = 0; e < a->count; e++, to += a->bits / 8) {
        uint64_t word = own(t, (e + first) % 4);
        put(to, a->bits == 128 ? 8 : a->bits / 8, word);
        if (a->bits == 128) put(to + 8, 8, ~word);
    }
}

// From registers of each width, one before the other as far as there is room in 16 bytes.
static void put_all(const access *a, const thread *t, unsigned char *cell) {
    for (int n = 0; n < a->n_ways && (n + 1) * a->size <= 16; n++) put_elements(a, t, n, cell + 16 - (n + 1) * a->size);
}

static int store(const instruction *i, const thread *t, uint64_t *out) {
    access a = access_of(i);
    enum space space = space_of(i);
    unsigned char cell[16];
    int others = strstr(i->line, "// shared, local") != NULL;
    if (space == LOCAL || space == SHARED || others) fetch(t, SHARED, 0, 16, cell);
    else if (space == PARAMETER || space == ARGUMENT) memset(cell, (int)(own(t, 3) & 255), 16);
    else put(cell, 8, own(t, 3)), put(cell + 8, 8, ~own(t, 3));
    put_all(&a, t, cell);
    for (int n = 0; n < 2; n++) out[n] = get(cell + 8 * n, 8);
    // The same in the other memory.
    for (int n = 0; others && n < 2; n++) fold(&out[n], get(cell + 8 * n, 8));
    return 1;
}

// To the other block of the cluster: what the partner stores is found here.
static int store_there(const instruction *i, const thread *t, uint64_t *out) {
    access a = access_of(i);
    thread other = { t->read, t->of, partner(t->k) };
    unsigned char cell[16];
    fetch(t, SHARED, 0, 16, cell);
    put_elements(&a, &other, 0, cell);
    for (int n = 0; n < 2; n++) out[n] = get(cell + 8 * n, 8);
    return 1;
}

// ---- Moves ----

static int move(const instruction *i, const thread *t, uint64_t *out) {
    access a = access_of(i);
    uint64_t w[4], most = mask(a.bits);
    for (int n = 0; n < 4; n++) w[n] = own(t, n);
#define ALSO(x) fold(&out[1], x)
    for (int e = 0; e < a.count; e++) fold(&out[0], w[e] & most);
    if (a.bits == 128) {
        fold(&out[0], ~w[0]);
        for (int n = 0; n < 2; n++) ALSO(w[1]), ALSO(w[2]);
        return 1;
    }
    if (a.count > 1) { // the other way round
        for (int e = a.count - 1; e >= 0; e--) ALSO(w[e] & most);
        return 1;
    }
    uint64_t number = same(a.type, "f32") ? 0x3fc00000 : same(a.type, "f64") ? 0x3ff8000000000000 : (uint64_t)-3 & most;
    if (!same(a.type, "pred")) ALSO(number);
    else ALSO(1), ALSO(0);
    if (a.bits == 32 && a.type[0] != 'f') ALSO(t->k % BLOCK), ALSO(number);
    if (a.bits == 16 && a.type[0] != 'f') ALSO(BLOCK);
    // Halves put together and taken apart.
    uint64_t h1 = w[1] & 0xffff, h2 = w[2] & 0xffff;
    if (same(a.type, "b32")) {
        ALSO(h1 | h2 << 16);
        ALSO(w[0] & 0xffff), ALSO(w[0] >> 16 & 0xffff);
        ALSO(w[0] >> 16 & 0xffff);
        ALSO(w[0] & mask(32));
    }
    if (same(a.type, "b64")) {
        ALSO((w[1] & mask(32)) | w[2] << 32);
        ALSO(w[0] & mask(32)), ALSO(w[0] >> 32);
        ALSO(h1 | h2 << 16 | h2 << 32 | h1 << 48);
        for (int n = 0; n < 4; n++) ALSO(w[0] >> (16 * n) & 0xffff);
        ALSO(w[0] >> 32);
    }
    return 1;
}

// ---- Addresses ----

// Generic addresses of five spaces, and 8 bytes on. Parameters are in global memory, too; constants are not.
static int is_in_space(const instruction *i, uint64_t *out) {
    static const enum space spaces[5] = { GLOBAL, SHARED, LOCAL, CONSTANT, PARAMETER };
    for (int n = 0; n < 5; n++) {
        int inside = space_of(i) == spaces[n] || (space_of(i) == GLOBAL && spaces[n] == PARAMETER);
        fold(&out[0], inside);
        fold(&out[1], inside);
    }
    return 1;
}

// What is 16 bytes behind a variable, by its other address; of global ones, how far both are from each other.
static int other_address(const instruction *i, const thread *t, uint64_t *out) {
    enum space space = space_of(i);
    unsigned char bytes[8];
    if (space == CONSTANT || space == PARAMETER) {
        fetch(t, space, 16, 8, bytes);
        out[0] = get(bytes, 8);
    } else out[0] = space == GLOBAL ? 0 : space == LOCAL ? t->k * 8 : 77;
    return 1;
}

int memory(const char *line, reader *read, void *of, uint64_t k, uint64_t *out) {
    static instruction all;
    const instruction *i = &all;
    understand(&all, line);
    const char *op = i->opcode;
    thread t = { read, of, k };
    out[0] = out[1] = 0;
    if (same(op, "ld") || same(op, "ldu")) return load(i, &t, out);
    if (same(op, "st")) return has(i, "async") ? store_there(i, &t, out) : store(i, &t, out);
    if (same(op, "mov")) return move(i, &t, out);
    if (same(op, "isspacep")) return is_in_space(i, out);
    if (same(op, "istypep")) { // a texture, a surface; memory and nothing
        fold(&out[0], has(i, "texref"));
        fold(&out[0], has(i, "surfref"));
        return 1;
    }
    if (same(op, "cvta")) return other_address(i, &t, out);
    // What leaves memory as it is.
    if (same(op, "prefetch") || same(op, "prefetchu") || same(op, "applypriority") || same(op, "discard")) {
        out[0] = has(i, "local") ? word_of(&t, 0, (k + 1) % THREADS) : own(&t, 0);
        return 1;
    }
    if (same(op, "createpolicy")) {
        out[0] = own(&t, 0);
        if (has(i, "fractional")) out[1] = own(&t, 0);
        return 1;
    }
    // Of the other block of the cluster.
    if (same(op, "mapa")) out[0] = word_of(&t, 0, (partner(k) + 1) % THREADS);
    else if (same(op, "getctarank")) {
        fold(&out[0], ~(k / BLOCK) & 1);
        fold(&out[0], k / BLOCK & 1);
    } else if (same(op, "alloca") || same(op, "stacksave") || same(op, "stackrestore")) {
        // Two pieces, the first one aligned, and given again when it was given back.
        out[0] = own(&t, 0);
        out[1] = k * 8;
        fold(&out[0], 0);
        fold(&out[0], 1);
    } else return 0;
    return 1;
}
