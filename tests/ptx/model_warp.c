// Lanes of a warp that see each other, as the kernels of kernels/warp.py use them: all lanes, then the even and the odd ones for
// themselves, then the first twenty.
#include "kernel.h"

// The lane that a lane reads from, and whether that is one of its segment.
static int other(const instruction *i, int lane, uint32_t b, uint32_t c, int *inside) {
    int clamp = c & 31, segment = c >> 8 & 31, n = b & 31, last = (lane & segment) | (clamp & ~segment), j;
    if (has(i, "up")) j = lane - n, *inside = j >= last;
    else if (has(i, "down")) j = lane + n, *inside = j <= last;
    else if (has(i, "bfly")) j = lane ^ n, *inside = j <= last;
    else j = (lane & segment) | (n & ~segment), *inside = j <= last;
    return *inside ? j : lane;
}

static int shuffle(const instruction *i, const uint64_t warp[32][3], int lane, int part, uint64_t *out) {
    static const uint32_t pairs[6][2] = { { 1, 0x1f }, { 31, 0 }, { 16, 0x101f }, { 5, 0x1807 }, { 33, 0x1f }, { 0, 0x1f00 } };
    uint32_t b = warp[lane][1], c = warp[lane][2];
    if (part && has(i, "idx")) b = lane & 15, c = 0x1f;
    else if (part) b &= 2, c = has(i, "up") ? 0x1c00 : 0x1c1f;
    int inside, from = other(i, lane, b, c, &inside);
    fold(&out[0], (uint32_t)warp[from][0]);
    fold(&out[0], inside);
    fold(&out[1], (uint32_t)warp[from][0]);
    for (int n = 0; n < 6 && !part; n++) {
        from = other(i, lane, pairs[n][0], pairs[n][1], &inside);
        fold(&out[1], (uint32_t)warp[from][0]);
        fold(&out[1], inside);
    }
    return 1;
}

static int vote(const instruction *i, const uint64_t warp[32][3], uint32_t lanes, int first, uint64_t *out) {
    for (int which = 0; which < 5; which++) {
        uint32_t ballot = 0;
        for (int l = 0; l < 32; l++) {
            int data = warp[l][0] & 1, lower = first < 64, p[5] = { data, !data, l != 6, lower, !lower };
            if (lanes >> l & 1) ballot |= (uint32_t)p[which] << l;
        }
        fold(&out[0], has(i, "ballot") ? ballot : has(i, "all") ? ballot == lanes : has(i, "any") ? ballot != 0 : (uint64_t)(ballot == lanes || ballot == 0));
    }
    return 1;
}

static uint64_t to_match(const instruction *i, uint64_t word, int which) {
    uint64_t few = word & 3, all[4] = { word, few, few << 32, 77 };
    return all[which] & mask(width(i->types[0]));
}

static int match(const instruction *i, const uint64_t warp[32][3], uint32_t lanes, int lane, uint64_t *out) {
    for (int which = 0; which < 4; which++) {
        uint32_t alike = 0;
        for (int l = 0; l < 32; l++)
            if (lanes >> l & 1 && to_match(i, warp[l][0], which) == to_match(i, warp[lane][0], which)) alike |= 1u << l;
        if (has(i, "any")) fold(&out[0], alike);
        else {
            fold(&out[0], alike == lanes ? lanes : 0);
            fold(&out[0], alike == lanes);
        }
    }
    if (has(i, "all")) fold(&out[1], lanes);
    return 1;
}

static int reduce(const instruction *i, const uint64_t warp[32][3], uint32_t lanes, uint64_t *out) {
    const char *type = i->types[0];
    for (int which = 0; which < 3; which++) {
        swide r = 0;
        for (int l = 0, first = 1; l < 32; l++) {
            if (!(lanes >> l & 1)) continue;
            uint64_t word = which == 0 ? warp[l][0] : which == 1 ? ~warp[l][0] : warp[l][0] & 0xff;
            swide x = number_of(type, word);
            if (first) r = x;
            else if (has(i, "add")) r += x;
            else if (has(i, "min")) r = x < r ? x : r;
            else if (has(i, "max")) r = x > r ? x : r;
            else r = has(i, "and") ? r & x : has(i, "or") ? r | x : r ^ x;
            first = 0;
        }
        fold(&out[0], (uint32_t)r);
    }
    return 1;
}

int warp_wide(const char *line, reader *read, void *of, uint64_t k, uint64_t *out) {
    static instruction all;
    instruction *i = &all;
    understand(i, line);
    int lane = k % 32;
    uint64_t warp[32][3], first = k - lane;
    for (int l = 0; l < 32; l++)
        for (int n = 0; n < 3; n++) warp[l][n] = read(of, n, first + l);
    out[0] = out[1] = 0;
    if (same(i->opcode, "activemask")) {
        fold(&out[0], 0xffffffff);
        if (lane % 4 != 1) fold(&out[1], 0xdddddddd);
        return 1;
    }
    uint32_t sets[3] = { 0xffffffff, lane & 1 ? 0xaaaaaaaa : 0x55555555, 0xfffff };
    for (int part = 0; part < 3; part++) {
        uint32_t lanes = sets[part];
        if (!(lanes >> lane & 1)) continue;
        if (same(i->opcode, "shfl")) shuffle(i, warp, lane, part, out);
        else if (same(i->opcode, "vote")) vote(i, warp, lanes, first % 128, out);
        else if (same(i->opcode, "match")) match(i, warp, lanes, lane, out);
        else if (same(i->opcode, "redux")) reduce(i, warp, lanes, out);
        else if (same(i->opcode, "elect")) {
            int leader = 0;
            while (!(lanes >> leader & 1)) leader++;
            fold(&out[0], leader);
            fold(&out[0], lane == leader);
            fold(&out[1], lane == leader);
        } else return 0;
    }
    return 1;
}
