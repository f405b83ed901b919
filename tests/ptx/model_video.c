// The video instructions, with what an H200 does where it leaves the manual.
#include "model.h"
#include "instruction.h"

// What a selector (`b0` to `b3`, `h0`, `h1`) takes of a word.
static void place(const char *operand, int *at, int *bits) {
    const char *dot = strchr(operand, '.');
    *at = 0, *bits = 32;
    if (!dot) return;
    *bits = dot[1] == 'b' ? 8 : 16;
    *at = (dot[2] - '0') * *bits;
}

static swide piece(uint64_t word, int at, int bits, int is_signed_) {
    swide raw = word >> at & mask(bits);
    return is_signed_ && raw >> (bits - 1) & 1 ? raw - ((swide)1 << bits) : raw;
}

static int comparison(const instruction *i, swide a, swide b) {
    return has(i, "eq") ? a == b : has(i, "ne") ? a != b : has(i, "lt") ? a < b : has(i, "le") ? a <= b : has(i, "gt") ? a > b : a >= b;
}

static int operation(const instruction *i, const char *stem, swide a, swide b, swide *r) {
    if (same(stem, "vadd")) *r = a + b;
    else if (same(stem, "vsub")) *r = a - b;
    else if (same(stem, "vabsdiff")) *r = a > b ? a - b : b - a;
    else if (same(stem, "vmin")) *r = a < b ? a : b;
    else if (same(stem, "vmax")) *r = a > b ? a : b;
    else if (same(stem, "vset")) *r = comparison(i, a, b);
    else if (same(stem, "vavrg")) { // halves away from zero
        swide s = a + b;
        *r = s >= 0 ? (s + 1) / 2 : -((-s + 1) / 2);
    } else return 0;
    return 1;
}

static uint64_t clamped(swide x, swide low, swide high) { return (uint64_t)(x < low ? low : x > high ? high : x); }

static int multiply_add(const instruction *i, const uint64_t *in, uint64_t *out) {
    swide f[2];
    int turned = 0;
    for (int n = 0; n < 2; n++) {
        const char *o = i->operands[1 + n];
        int at, bits;
        if (*o == '-') turned ^= 1, o++;
        place(o, &at, &bits);
        f[n] = piece(in[n], at, bits, is_signed(i->types[1 + n]) || bits == 32); // whole words count as signed
    }
    int minus = i->operands[3][0] == '-', shift = has(i, "shr7") ? 7 : has(i, "shr15") ? 15 : 0;
    swide r = f[0] * f[1] * (turned ? -1 : 1) + (swide)(int32_t)in[2] * (minus ? -1 : 1) + has(i, "po");
    int keeps_sign = is_signed(i->types[1]) || is_signed(i->types[2]) || turned || minus;
    r >>= shift;
    if (has(i, "sat")) {
        if (keeps_sign) r = (int32_t)clamped(r, INT32_MIN, INT32_MAX);
        else r = r < 0 ? (shift ? UINT32_MAX : 0) : r > UINT32_MAX ? UINT32_MAX : r;
    }
    out[0] = (uint32_t)r;
    return 1;
}

static int on_pieces(const instruction *i, const char *stem, int halves, const uint64_t *in, uint64_t *out) {
    int bits = halves ? 16 : 8, count = halves ? 2 : 4, vset = same(stem, "vset");
    const char *to = i->types[0], *ta = i->types[vset ? 0 : 1], *tb = i->types[vset ? 1 : 2];
    uint64_t both = (in[1] & 0xffffffff) << 32 | (in[0] & 0xffffffff), d = in[2] & 0xffffffff;
    const char *wanted = strchr(i->operands[0], '.');
    for (int n = 0; n < count; n++) {
        char digit = '0' + n;
        if (wanted && !strchr(wanted + 2, digit)) continue;
        swide f[2], r;
        for (int k = 0; k < 2; k++) {
            // Digits of a selector: that of the uppermost place first.
            const char *s = strchr(i->operands[1 + k], '.');
            int pick = s ? s[2 + count - 1 - n] - '0' : n + k * count;
            f[k] = piece(both >> (pick * bits), 0, bits, is_signed(k ? tb : ta));
        }
        if (!operation(i, stem, f[0], f[1], &r)) return 0;
        if (has(i, "sat")) {
            swide top = is_signed(to) ? ((swide)1 << (bits - 1)) - 1 : (swide)mask(bits), low = is_signed(to) ? -top - 1 : 0;
            r = r < low ? low : r > top ? top : r;
        }
        if (has(i, "add")) d = (uint32_t)(d + (uint64_t)r);
        else d = (d & ~(mask(bits) << (n * bits))) | ((uint64_t)r & mask(bits)) << (n * bits);
    }
    out[0] = d;
    return 1;
}

int video(const char *line, const uint64_t *in, uint64_t *out) {
    static instruction all;
    instruction *i = &all;
    understand(i, line);
    char stem[16];
    snprintf(stem, sizeof stem, "%s", i->opcode);
    char *last = stem + strlen(stem) - 1;
    if (same(stem, "vmad")) return multiply_add(i, in, out);
    if (*last == '2' || *last == '4') {
        int halves = *last == '2';
        *last = 0;
        return on_pieces(i, stem, halves, in, out);
    }
    int vset = same(stem, "vset"), shift = same(stem, "vshl") || same(stem, "vshr"), sums = same(stem, "vadd") || same(stem, "vsub"), at, bits;
    const char *to = i->types[0];
    place(i->operands[1], &at, &bits);
    swide a = piece(in[0], at, bits, is_signed(i->types[vset ? 0 : 1])), r;
    place(i->operands[2], &at, &bits);
    swide b = piece(in[1], at, bits, is_signed(i->types[vset ? 1 : 2]));
    place(i->operands[0], &at, &bits);
    if (shift) {
        swide n = has(i, "clamp") ? (b > 32 ? 32 : b) : b & 31;
        r = same(stem, "vshl") ? a * ((swide)1 << n) : a >> n;
    } else if (!operation(i, stem, a, b, &r)) return 0;
    if (has(i, "sat")) {
        if (shift) { // of 34 bits
            r &= ((swide)1 << 34) - 1;
            if (r >> 33) r -= (swide)1 << 34;
            r = is_signed(to) ? (r < INT32_MIN ? INT32_MIN : r > INT32_MAX ? INT32_MAX : r) : r < 0 ? 0 : r > UINT32_MAX ? UINT32_MAX : r;
        } else if (bits < 32) { // what is negative counts as too large
            swide top = is_signed(to) ? (1 << (bits - 1)) - 1 : (1 << bits) - 1;
            if (r < 0 || r > top) r = top;
        } else if (is_signed(to)) r = r < INT32_MIN ? INT32_MIN : r > INT32_MAX ? INT32_MAX : r;
        else if (r < 0) r = 0; // what is too large wraps
    }
    uint32_t word = (uint32_t)r, c = (uint32_t)in[2];
    int min = has(i, "min"), max = has(i, "max");
    if (i->n_operands == 3) out[0] = word;
    else if (has(i, "add")) out[0] = word + c;
    else if (min || max) {
        // 64 bits are compared; sums and saturated shifts have only 32 bits by then.
        int64_t x = sums || (shift && has(i, "sat")) ? (int32_t)word : (int64_t)r;
        int more = is_signed(to) ? x > (int32_t)c : (uint64_t)x > c;
        out[0] = more == max ? word : c;
    } else if (bits == 32) out[0] = word;
    else {
        // Into the upper half goes that of the result; elsewhere its lowest bits.
        uint32_t m = (uint32_t)(mask(bits) << at), moved = bits == 16 && at == 16 ? word : word << at;
        out[0] = (c & ~m) | (moved & m);
    }
    return 1;
}
