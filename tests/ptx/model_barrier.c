// Barriers of blocks, clusters and warps, those in memory, and fences, as the kernels of kernels/barrier.py use them.
#include "kernel.h"

// A barrier in memory: the phases that are complete, arrivals that a phase waits for, those and the bytes that this one still
// waits for. A state is what arriving saw.
typedef struct { uint64_t phase; int64_t expected, pending, bytes; } state;

static void may_complete(state *b) {
    if (b->pending || b->bytes) return;
    b->phase++;
    b->pending = b->expected;
}

static state begin(int64_t count) { return (state){ 0, count, count, 0 }; }

static state arrive(state *b, int count) {
    state before = *b;
    b->pending -= count;
    may_complete(b);
    return before;
}

static void complete_bytes(state *b, int bytes) {
    b->bytes -= bytes;
    may_complete(b);
}

static int is_over(const state *b, state seen) { return b->phase != seen.phase; }
static int parity_is_over(const state *b, int parity) { return (int)(b->phase & 1) != parity; }

static int in_memory(const instruction *i, const thread *t, uint64_t *out) {
    state b = begin(1), seen;
#define TEST(s) fold(&out[1], is_over(&b, s))
#define PENDING(s) fold(&out[0], (uint64_t)(s).pending)
    if (has(i, "init")) {
        b = begin((own(t, 0) & 0xffffe) + 1);
        seen = arrive(&b, 1);
        PENDING(seen);
        TEST(seen);
    } else if (has(i, "inval")) out[0] = own(t, 0);
    else if (has(i, "test_wait") || has(i, "try_wait")) {
        int parity = has(i, "parity");
#define ASK(s, p) fold(&out[0], parity ? parity_is_over(&b, p) : is_over(&b, s))
        b = begin(2);
        state first = arrive(&b, 1), second, third;
        ASK(first, 0);
        if (parity) ASK(first, 1);
        second = arrive(&b, 1);
        ASK(first, 0), ASK(second, 0);
        third = arrive(&b, 1);
        ASK(third, 1);
        arrive(&b, 1);
        ASK(third, 1);
        if (has(i, "try_wait")) ASK(third, 1);
    } else if (has(i, "arrive") || has(i, "arrive_drop")) {
        int expects = has(i, "expect_tx"), remote = has(i, "shared::cluster"), counts = has(i, "noComplete"), drop = has(i, "arrive_drop");
        b = begin(4);
        state first = arrive(&b, 1);
        PENDING(first);
        if (drop) b.expected--;
        if (expects) b.bytes += 16;
        seen = arrive(&b, 1);
        if (!remote) PENDING(seen);
        if (expects) complete_bytes(&b, 16);
        TEST(first);
        seen = arrive(&b, 1);
        PENDING(seen);
        TEST(first);
        int again = !expects && !counts;
        if (again && drop) b.expected--;
        seen = arrive(&b, 1);
        if (!again || !remote) PENDING(seen);
        TEST(first);
        // The next phase.
        for (int n = 0; n < 2; n++) {
            seen = arrive(&b, 1);
            PENDING(seen);
        }
        for (int n = 0; n < 1 + drop; n++) TEST(seen);
    } else if (has(i, "expect_tx") || has(i, "complete_tx")) {
        b.bytes += 48;
        seen = arrive(&b, 1);
        TEST(seen);
        complete_bytes(&b, 16);
        TEST(seen);
        complete_bytes(&b, 32);
        TEST(seen);
        PENDING(seen);
    } else if (has(i, "pending_count")) {
        b = begin((own(t, 0) & 0xffff0) + 3);
        seen = arrive(&b, 1);
        PENDING(seen);
        seen = arrive(&b, 2);
        PENDING(seen);
    } else return 0;
    return 1;
}

// What some threads of a block say together: how many, whether all or one.
static uint64_t together(const instruction *i, const thread *t, int which, int first, int count) {
    int said = 0;
    for (int m = first; m < first + count; m++) {
        uint64_t k = t->k / BLOCK * BLOCK + m;
        said += which == 0 ? (int)(word_of(t, 0, k) & 1) : which == 1 ? m != 77 : which == 2 ? m == 32 : m != 32;
    }
    return has(i, "popc") ? said : has(i, "and") ? said == count : said > 0;
}

static int of_block(const instruction *i, const thread *t, uint64_t *out) {
    int m = t->k % BLOCK;
    if (has(i, "warp")) { // all lanes, then those of one parity
        out[0] = word_of(t, 0, t->k ^ 31);
        out[1] = word_of(t, 0, t->k ^ 31 ^ 2);
    } else if (has(i, "red")) {
        for (int which = 0; which < 4; which++) fold(&out[0], together(i, t, which, 0, BLOCK));
        if (i->n_operands == 4) fold(&out[1], together(i, t, 0, m / 64 * 64, 64)); // with a number of threads: halves of the block
    } else if (has(i, "arrive") && !has(i, "cluster")) out[0] = m < 64 ? 0 : word_of(t, 0, t->k - 64); // half of the block waits
    else {
        uint64_t other = t->k ^ (strstr(i->line, "%r8") ? 63 : 127);
        out[0] = word_of(t, 0, other);
        out[1] = other * 8;
    }
    return 1;
}

int barrier(const char *line, reader *read, void *of, uint64_t k, uint64_t *out) {
    static instruction all;
    const instruction *i = &all;
    understand(&all, line);
    thread t = { read, of, k };
    out[0] = out[1] = 0;
    if (same(i->opcode, "mbarrier")) return in_memory(i, &t, out);
    if (same(i->opcode, "bar") || same(i->opcode, "barrier")) return of_block(i, &t, out);
    if (!same(i->opcode, "fence") && !same(i->opcode, "membar")) return 0;
    out[0] = word_of(&t, 0, k ^ 127); // what another thread has written before
    return 1;
}
