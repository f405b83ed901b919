// Conversions.
#include "kernel.h"

static uint64_t none_of(const char *type) {
    const format *f = format_of(type);
    return !strncmp(type, "tf32", 4) ? 0x3ffff : f->exponent == 11 ? 0x7fffffffffffffff : f->fraction == 23 ? 0x7fffffff : f->fraction > 3 ? 0x7fff : 0x7f;
}

static int rounds_to_whole(const instruction *i) { return has(i, "rni") || has(i, "rzi") || has(i, "rmi") || has(i, "rpi"); }

static enum mode whole_mode(const instruction *i) { return has(i, "rzi") ? TOWARDS_ZERO : has(i, "rmi") ? DOWN : has(i, "rpi") ? UP : NEAREST; }

// As a register of the type holds it.
static uint64_t held(const char *type, swide x) {
    int bits = width(type);
    uint64_t word = (uint64_t)x & mask(bits);
    if (bits == 8 && is_signed(type) && word >> 7) word |= 0xff00;
    return word;
}

static number limited(const instruction *i, number x) {
    if (has(i, "sat")) {
        if (x.kind == NONE || x.sign) return whole_number(0);
        if (order(x, whole_number(1)) > 0) return whole_number(1);
    }
    if (has(i, "relu") && x.kind != NONE && x.sign) return whole_number(0);
    return x;
}

// A number of one format as one of another.
static uint64_t reformat(const instruction *i, const char *to, const char *from, uint64_t bits) {
    const format *f = format_of(from), *t = format_of(to);
    bits &= mask(f->exponent + f->fraction + 1);
    int singles = has(i, "ftz");
    // On the way to half precision, nothing is flushed.
    if (singles && f->fraction == 23 && !same(to, "f16")) bits = flushed(f, bits);
    number x = read_number(f, bits);
    uint64_t none = none_of(to);
    int moved = !has(i, "sat") && !has(i, "relu") && !has(i, "satfinite");
    // As a tf32, it is cut off where that is not rounded to even.
    if (x.kind == NONE && has(i, "rna")) return (bits >> 13) - has(i, "satfinite");
    if (x.kind == NONE && moved && (t->fraction == 52 || f->fraction == 52 || (f == t && f->fraction == 23) || (t->fraction == 23 && f->fraction == 7 && !singles))) {
        // The payload comes along; singles that flush or round have but one.
        if (f == t) return f->fraction == 52 ? bits | (rounds_to_whole(i) ? 1ull << 51 : 0) : singles || rounds_to_whole(i) ? none : bits;
        if (f->fraction == 23 && singles) bits = 0x7fffffff;
        uint64_t sign = bits >> (f->exponent + f->fraction) & 1, payload = bits & mask(f->fraction);
        int up = t->fraction - f->fraction;
        payload = up >= 0 ? payload << up : payload >> -up;
        // A bf16 as a single is only moved.
        if (t->fraction != 23 || f->fraction != 7) payload |= 1ull << (t->fraction - 1);
        return sign << (t->exponent + t->fraction) | mask(t->exponent) << t->fraction | payload;
    }
    if (x.kind == FINITE && rounds_to_whole(i)) round_to(&x, 0, whole_mode(i));
    x = limited(i, x);
    uint64_t d = write_number(t, x, mode_of(i), has(i, "satfinite"), none, NULL);
    if (singles && t->fraction == 23) d = flushed(t, d);
    return d;
}

static int to_integer(const instruction *i, const char *to, const char *from, uint64_t bits, uint64_t *out) {
    const format *f = format_of(from);
    bits &= mask(f->exponent + f->fraction + 1);
    if (has(i, "ftz") && f->fraction == 23) bits = flushed(f, bits);
    number x = read_number(f, bits);
    swide r;
    if (x.kind == NONE) {
        // As zero, but as the least or largest number of the widest and the double's.
        int wide_ = width(to) == 64 || f->fraction == 52;
        *out = wide_ ? held(to, width(to) == 64 ? (swide)(1ull << 63) : is_signed(to) ? least(to) : (swide)1 << (width(to) - 1)) : 0;
        return 1;
    }
    if (x.kind == INFINITE) r = x.sign ? -((swide)1 << 100) : (swide)1 << 100;
    else {
        round_to(&x, 0, whole_mode(i));
        r = x.kind == ZERO ? 0 : x.exponent > 0 || x.digits >> 100 ? (swide)1 << 100 : (swide)x.digits;
        if (x.sign) r = -r;
    }
    *out = held(to, into(to, r));
    return 1;
}

static int packed(const instruction *i, const uint64_t *in, uint64_t *out) {
    const char *to = i->types[0];
    int bits = width(to), two = i->n_types == 2;
    uint64_t a = held(to, into(to, (int32_t)in[0])) & mask(bits), b = held(to, into(to, (int32_t)in[1])) & mask(bits);
    out[0] = (two ? 0 : in[2] << 2 * bits & 0xffffffff) | a << bits | b;
    return 1;
}

int conversion(const char *line, const uint64_t *in, uint64_t *out) {
    static instruction all;
    instruction *i = &all;
    understand(i, line);
    const char *to = i->types[0], *from = i->types[1];
    if (has(i, "pack")) return packed(i, in, out);
    if (strstr(to, "x2")) {
        char one[8], of[8];
        snprintf(one, sizeof one, "%.*s", (int)strlen(to) - 2, to);
        int bits = strstr(to, "e4m3") || strstr(to, "e5m2") ? 8 : 16;
        if (strstr(from, "x2")) {
            snprintf(of, sizeof of, "%.*s", (int)strlen(from) - 2, from);
            int step = strstr(from, "e4m3") || strstr(from, "e5m2") ? 8 : 16;
            out[0] = reformat(i, one, of, in[0]) | reformat(i, one, of, in[0] >> step) << bits;
        } else out[0] = reformat(i, one, from, in[1]) | reformat(i, one, from, in[0]) << bits;
        return 1;
    }
    if (is_float(to) && is_float(from)) {
        out[0] = reformat(i, to, from, in[0]) << (same(to, "tf32") ? 13 : 0);
        return 1;
    }
    if (is_float(from)) return to_integer(i, to, from, in[0], out);
    swide x = number_of(from, in[0]);
    if (is_float(to)) {
        number y = limited(i, whole_number(x));
        out[0] = write_number(format_of(to), y, mode_of(i), 0, none_of(to), NULL);
        return 1;
    }
    out[0] = held(to, has(i, "sat") ? into(to, x) : x);
    return 1;
}

// Of registers of 8 bits (kernels/convert.py): sixteen words a thread.
int narrow(const char *line, reader *read, void *of, uint64_t k, uint64_t *out) {
    static instruction all;
    (void)read, (void)of;
    understand(&all, line);
    if (!same(all.opcode, "cvt")) return 0;
    out[0] = out[1] = 0;
    for (uint64_t word = k * 16; word < k * 16 + 16; word++) {
        uint64_t one;
        conversion(line, &word, &one);
        fold(&out[0], one & mask(width(all.types[0])));
    }
    return 1;
}
