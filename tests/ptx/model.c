// What instructions on registers should give, one thread at a time: plain arithmetic on whole numbers and on exact fractions,
// after the manual and, where that is silent, after what an H200 was seen to do. Shares nothing with the interpreter.
#include "model.h"
#include "instruction.h"

static int compare(const instruction *i, int order, int floats) {
    int unordered = order == 2;
    static const struct { const char *name; int less, equal, greater, unordered; } all[] = { { "eq", 0, 1, 0, 0 }, { "ne", 1, 0, 1, 0 },
        { "lt", 1, 0, 0, 0 }, { "le", 1, 1, 0, 0 }, { "gt", 0, 0, 1, 0 }, { "ge", 0, 1, 1, 0 }, { "lo", 1, 0, 0, 0 }, { "ls", 1, 1, 0, 0 },
        { "hi", 0, 0, 1, 0 }, { "hs", 0, 1, 1, 0 }, { "equ", 0, 1, 0, 1 }, { "neu", 1, 0, 1, 1 }, { "ltu", 1, 0, 0, 1 }, { "leu", 1, 1, 0, 1 },
        { "gtu", 0, 0, 1, 1 }, { "geu", 0, 1, 1, 1 }, { "num", 1, 1, 1, 0 }, { "nan", 0, 0, 0, 1 } };
    (void)floats;
    for (unsigned n = 0; n < sizeof all / sizeof *all; n++)
        if (has(i, all[n].name)) return unordered ? all[n].unordered : order < 0 ? all[n].less : order == 0 ? all[n].equal : all[n].greater;
    return -1;
}

// ---- Whole numbers ----

static int add_in_halves(const instruction *i, const uint64_t *in, uint64_t *out) {
    const char *type = i->types[0], *half = type[0] == 'u' ? "u16" : "s16";
    uint64_t d = 0;
    for (int at = 0; at < 32; at += 16) {
        swide a = number_of(half, in[0] >> at), b = number_of(half, in[1] >> at), r = 0;
        if (same(i->opcode, "add")) r = a + b;
        else if (same(i->opcode, "min")) r = a < b ? a : b;
        else if (same(i->opcode, "max")) r = a > b ? a : b;
        else return 0;
        if (has(i, "relu") && r < 0) r = 0;
        d |= ((uint64_t)r & 0xffff) << at;
    }
    out[0] = d;
    return 1;
}

static int carries(const instruction *i, const uint64_t *in, uint64_t k, uint64_t *out) {
    const char *type = i->types[0];
    int bits = width(type), reads = same(i->opcode, "addc") || same(i->opcode, "subc") || same(i->opcode, "madc");
    wide carry = k >= 7, most = (wide)mask(bits) + 1, a = in[0] & mask(bits), b = in[1] & mask(bits), c = in[2] & mask(bits), r;
    if (!strncmp(i->opcode, "mad", 3)) {
        swide p = number_of(type, in[0]) * number_of(type, in[1]);
        wide part = has(i, "hi") ? (wide)(p >> bits) : (wide)p;
        if (bits == 64 && !is_signed(type)) {
            wide q = (wide)(uint64_t)in[0] * (uint64_t)in[1];
            part = has(i, "hi") ? q >> 64 : q;
        }
        a = part & mask(bits);
        b = c;
    } else if (!strncmp(i->opcode, "sub", 3)) {
        // The flag says that nothing is borrowed: the second operand's complement is added.
        b = ~b & mask(bits);
        if (!reads) carry = 1;
    }
    if (!reads && strncmp(i->opcode, "sub", 3) != 0) carry = 0;
    r = a + b + carry;
    out[0] = (uint64_t)(r & (most - 1));
    out[1] = has(i, "cc") ? r >> bits & 1 : k >= 7;
    return 1;
}

static int integers(const instruction *i, const uint64_t *in, uint64_t *out) {
    const char *op = i->opcode, *type = i->types[i->n_types - 1];
    int bits = width(type);
    uint64_t most = mask(bits), x = in[0] & most;
    swide a = number_of(type, in[0]), b = number_of(type, in[1]), c = number_of(type, in[2]), r = 0;
    if (strstr(type, "16x2")) return add_in_halves(i, in, out);
    if (same(op, "add") || same(op, "sub")) {
        r = same(op, "add") ? a + b : a - b;
        if (has(i, "sat")) r = into(type, r);
    } else if (same(op, "mul") || same(op, "mad")) {
        wide high = !is_signed(type) ? ((wide)(uint64_t)a * (uint64_t)b) >> bits : (wide)((a * b) >> bits);
        wide low = (wide)a * (wide)b;
        if (has(i, "wide")) {
            bits *= 2;
            r = (swide)low + (same(op, "mad") ? (swide)in[2] : 0);
        } else {
            r = has(i, "hi") ? (swide)high : (swide)low;
            if (has(i, "hi") && is_signed(type)) r = (a * b) >> bits;
            if (same(op, "mad")) r += c;
            if (has(i, "sat")) r = into(type, r);
        }
        out[0] = (uint64_t)r & mask(bits);
        return 1;
    } else if (same(op, "mul24") || same(op, "mad24")) {
        swide p = 1;
        for (int n = 0; n < 2; n++) {
            swide f = in[n] & 0xffffff;
            p *= is_signed(type) && f >> 23 & 1 ? f - 0x1000000 : f;
        }
        r = has(i, "hi") ? p >> 16 : p;
        r = is_signed(type) ? (int32_t)r : (swide)(uint32_t)r;
        if (same(op, "mad24")) r += c;
        if (has(i, "sat")) r = into(type, r);
    } else if (same(op, "sad")) r = (a > b ? a - b : b - a) + c;
    else if (same(op, "div")) r = b ? a / b : -1;
    else if (same(op, "rem")) r = b ? a % b : -1;
    else if (same(op, "min")) r = a < b ? a : b;
    else if (same(op, "max")) r = a > b ? a : b;
    else if (same(op, "abs")) r = a < 0 ? -a : a;
    else if (same(op, "neg")) r = -a;
    else if (same(op, "not")) r = ~a;
    else if (same(op, "cnot")) r = x == 0;
    else if (same(op, "and")) r = a & b;
    else if (same(op, "or")) r = a | b;
    else if (same(op, "xor")) r = a ^ b;
    else if (same(op, "popc")) {
        for (int n = 0; n < bits; n++) r += x >> n & 1;
        bits = 32;
    } else if (same(op, "clz")) {
        while (r < bits && !(x >> (bits - 1 - r) & 1)) r++;
        bits = 32;
    } else if (same(op, "bfind")) {
        uint64_t y = a < 0 ? ~x & most : x;
        r = bits - 1;
        while (r >= 0 && !(y >> r & 1)) r--;
        if (has(i, "shiftamt") && r >= 0) r = bits - 1 - r;
        bits = 32;
    } else if (same(op, "brev")) {
        for (int n = 0; n < bits; n++) r |= (swide)(x >> n & 1) << (bits - 1 - n);
    } else if (same(op, "bfe")) {
        // Of words of 64 bits, all bits of place and length count.
        int64_t at = in[1] & (bits == 64 ? 0xffffffff : 0xff), count = in[2] & (bits == 64 ? 0xffffffff : 0xff);
        // Bits from beyond are those of the sign: the last one of the field or of the word.
        int64_t last = at + count - 1 < bits - 1 ? at + count - 1 : bits - 1;
        int sign = is_signed(type) && count ? x >> last & 1 : 0;
        for (int64_t n = 0; n < bits; n++) r |= (swide)(n < count && at + n < bits ? x >> (at + n) & 1 : (uint64_t)sign) << n;
    } else if (same(op, "bfi")) {
        int64_t at = in[2] & (bits == 64 ? 0xffffffff : 0xff), count = in[3] & (bits == 64 ? 0xffffffff : 0xff);
        r = in[1] & most;
        for (int64_t n = 0; n < count && at + n < bits; n++) r = (r & ~((swide)1 << (at + n))) | (swide)(x >> n & 1) << (at + n);
    } else if (same(op, "szext")) {
        uint32_t n = in[1];
        if (has(i, "wrap")) n &= 31;
        if (n >= 32) r = x;
        else {
            r = x & mask(n);
            if (is_signed(type) && n && x >> (n - 1) & 1) r |= ~mask(n);
        }
    } else if (same(op, "bmsk")) {
        uint64_t at = in[0] & 0xffffffff, count = in[1] & 0xffffffff;
        if (has(i, "wrap")) at &= 31, count &= 31;
        for (uint64_t n = 0; n < 32; n++) r |= (swide)(n >= at && n < at + count) << n;
    } else if (same(op, "shl")) {
        uint32_t n = in[1];
        r = n >= (uint32_t)bits ? 0 : (swide)(x << n);
    } else if (same(op, "shr")) {
        uint32_t n = in[1];
        r = a >> (n > 64 ? 64 : n);
    } else if (same(op, "shf")) {
        uint64_t both = (in[1] & 0xffffffff) << 32 | (in[0] & 0xffffffff);
        uint32_t n = in[2];
        n = has(i, "wrap") ? n & 31 : n > 32 ? 32 : n;
        r = has(i, "l") ? (swide)((wide)both << n >> 32) : (swide)(both >> n);
    } else if (same(op, "fns")) {
        uint32_t base = in[1];
        int32_t offset = in[2];
        r = 0xffffffff;
        if (offset == INT32_MIN) r = 0;
        else if (offset == 0) { if (base < 32 && x >> base & 1) r = base; }
        else if (base < 32) {
            int step = offset > 0 ? 1 : -1, left = offset > 0 ? offset : -offset;
            for (int n = base; n >= 0 && n < 32; n += step)
                if (x >> n & 1 && --left == 0) { r = n; break; }
        }
    } else if (same(op, "prmt")) {
        uint64_t both = (in[1] & 0xffffffff) << 32 | (in[0] & 0xffffffff);
        int s = in[2] & 3, fixed[4] = { -1, -1, -1, -1 };
        for (int n = 0; n < 4; n++) {
            if (has(i, "f4e")) fixed[n] = s + n;
            else if (has(i, "b4e")) fixed[n] = (s - n) & 7;
            else if (has(i, "rc8")) fixed[n] = s;
            else if (has(i, "ecl")) fixed[n] = n > s ? n : s;
            else if (has(i, "ecr")) fixed[n] = n < s ? n : s;
            else if (has(i, "rc16")) fixed[n] = (s & 1) * 2 + (n & 1);
            int pick = fixed[n] >= 0 ? fixed[n] : (int)(in[2] >> (4 * n) & 15);
            uint64_t byte = both >> ((pick & 7) * 8) & 0xff;
            if (pick & 8) byte = byte >> 7 ? 0xff : 0;
            r |= (swide)byte << (8 * n);
        }
    } else if (same(op, "dp4a") || same(op, "dp2a")) {
        // The types are those of the two factors, the sum's is signed if one of them is.
        const char *ta = i->types[0][0] == 'u' ? "u8" : "s8", *tb = i->types[1][0] == 'u' ? "u8" : "s8";
        r = (swide)(in[2] & 0xffffffff);
        if (same(op, "dp4a"))
            for (int n = 0; n < 4; n++) r += number_of(ta, in[0] >> (8 * n)) * number_of(tb, in[1] >> (8 * n));
        else
            for (int n = 0; n < 2; n++)
                r += number_of(ta[0] == 'u' ? "u16" : "s16", in[0] >> (16 * n)) * number_of(tb, in[1] >> (8 * (n + (has(i, "hi") ? 2 : 0))));
        bits = 32;
    } else return 0;
    if (has(i, "relu") && r < 0) r = 0;
    out[0] = (uint64_t)r & mask(bits);
    return 1;
}

static int look_up(const instruction *i, const uint64_t *in, uint64_t *out) {
    int table = atoi(i->operands[4]), pair = has(i, "or") || has(i, "and");
    uint32_t d = 0;
    for (int n = 0; n < 32; n++) {
        int row = (in[0] >> n & 1) << 2 | (in[1] >> n & 1) << 1 | (in[2] >> n & 1);
        d |= (uint32_t)(table >> row & 1) << n;
    }
    out[0] = d;
    if (pair) out[1] = has(i, "or") ? d != 0 || in[3] & 1 : d != 0 && in[3] & 1;
    return 1;
}

// ---- Floating point ----

static uint64_t canonical(const format *f) { return f->name[0] == 'f' && f->exponent == 8 ? 0x7fffffff : f->exponent == 11 ? 0xfff8000000000000 : 0x7fff; }

// The double that is no number and comes through: the second operand's, the third's, the first's. Of divisions, the first.
static int payload(const uint64_t *in, int count, int divides, uint64_t *out) {
    static const int orders[2][3] = { { 1, 2, 0 }, { 0, 1, 2 } };
    for (int n = 0; n < 3; n++) {
        int which = orders[divides][n];
        if (which >= count || read_number(format_of("f64"), in[which]).kind != NONE) continue;
        *out = in[which] | 1ull << 51;
        return 1;
    }
    return 0;
}

static number larger(number a, number b, int max) {
    int o = order(a, b);
    // Zeros are ordered by their signs.
    if (o == 0 && a.kind == ZERO) o = b.sign - a.sign;
    return (max ? o >= 0 : o <= 0) ? a : b;
}

// One number of f16, bf16, f32 or f64.
static int one_float(const instruction *i, const format *f, const uint64_t *given, uint64_t *out) {
    const char *op = i->opcode;
    enum mode mode = mode_of(i);
    int ftz = has(i, "ftz"), bits = f->exponent + f->fraction + 1, doubles = f->exponent == 11, count = 0;
    uint64_t in[3], sign_bit = 1ull << (bits - 1), none = canonical(f);
    if (doubles) ftz = 0; // a reciprocal does not flush
    for (int n = 0; n < 3; n++) {
        in[n] = given[n] & mask(bits);
        if (ftz) in[n] = flushed(f, in[n]);
    }
    number a = read_number(f, in[0]), b = read_number(f, in[1]), c = read_number(f, in[2]), r;
    if (same(op, "abs") || same(op, "neg")) {
        uint64_t d = same(op, "abs") ? in[0] & ~sign_bit : in[0] ^ sign_bit;
        if (a.kind == NONE) d = doubles ? in[0] | 1ull << 51 : none;
        *out = d;
        return 1;
    }
    if (same(op, "copysign")) {
        *out = (in[1] & ~sign_bit) | (in[0] & sign_bit);
        return 1;
    }
    if (same(op, "min") || same(op, "max")) {
        uint64_t sign = 0;
        if (has(i, "xorsign")) {
            sign = (in[0] ^ in[1]) & sign_bit;
            in[0] &= ~sign_bit, in[1] &= ~sign_bit;
            a.sign = b.sign = 0;
        }
        if (doubles && a.kind == NONE && b.kind == NONE) { *out = in[1] | 1ull << 51; return 1; }
        if (has(i, "NaN") ? a.kind == NONE || b.kind == NONE : a.kind == NONE && b.kind == NONE) { *out = none; return 1; }
        r = a.kind == NONE ? b : b.kind == NONE ? a : larger(a, b, same(op, "max"));
        *out = write_number(f, r, NEAREST, 0, none, NULL) | sign;
        return 1;
    }
    int tiny = 0;
    if (same(op, "add")) r = sum(a, b, mode), count = 2;
    else if (same(op, "sub")) { b.sign = !b.sign; r = sum(a, b, mode), count = 2; }
    else if (same(op, "mul")) r = product(a, b), count = 2;
    // A factor that is out of bounds counts as nothing at all.
    else if (has(i, "oob") && ((in[0] & 0x7fff) == 0x7ff7 || (in[1] & 0x7fff) == 0x7ff7)) { *out = 0; return 1; }
    else if (same(op, "fma") || same(op, "mad")) r = sum(product(a, b), c, mode), count = 3;
    else if (same(op, "div")) r = quotient(a, b), count = 2;
    else if (same(op, "rcp")) r = quotient(whole_number(1), a), count = 1;
    else if (same(op, "sqrt")) r = root(a), count = 1;
    else return 0;
    if (has(i, "sat")) {
        if (r.kind == NONE || r.sign) r = whole_number(0);
        else if (order(r, whole_number(1)) > 0) r = whole_number(1);
    }
    if (has(i, "relu") && r.kind != NONE && r.sign) r = whole_number(0);
    if (doubles && r.kind == NONE && payload(given, count, same(op, "div"), out)) return 1;
    *out = write_number(f, r, mode, 0, none, &tiny);
    if (ftz && (tiny || flushed(f, *out) != *out)) *out &= sign_bit;
    return 1;
}

static int floats(const instruction *i, const uint64_t *in, uint64_t *out) {
    const char *type = i->types[i->n_types - 1];
    const format *f = format_of(type);
    if (!f || has(i, "approx") || has(i, "full")) return 0;
    if (!strstr(type, "x2")) return one_float(i, f, in, out);
    uint64_t low, high, upper[3] = { in[0] >> 16, in[1] >> 16, in[2] >> 16 };
    if (!one_float(i, f, in, &low) || !one_float(i, f, upper, &high)) return 0;
    out[0] = low | high << 16;
    return 1;
}

static int test_property(const instruction *i, const uint64_t *in, uint64_t *out) {
    const format *f = format_of(i->types[0]);
    uint64_t bits = in[0] & mask(width(i->types[0]));
    number x = read_number(f, bits);
    int subnormal = x.kind == FINITE && flushed(f, bits) != bits;
    out[0] = has(i, "finite") ? x.kind == ZERO || x.kind == FINITE : has(i, "infinite") ? x.kind == INFINITE : has(i, "number") ? x.kind != NONE
        : has(i, "notanumber") ? x.kind == NONE : has(i, "subnormal") ? subnormal : /* normal; so is zero */ x.kind == ZERO || (x.kind == FINITE && !subnormal);
    return 1;
}

// ---- Comparisons ----

static int order_of(const instruction *i, const char *type, uint64_t a, uint64_t b) {
    if (!is_float(type)) {
        swide x = number_of(type, a), y = number_of(type, b);
        return (x > y) - (x < y);
    }
    const format *f = format_of(type);
    int bits = f->exponent + f->fraction + 1;
    a &= mask(bits), b &= mask(bits);
    if (has(i, "ftz")) a = flushed(f, a), b = flushed(f, b);
    return order(read_number(f, a), read_number(f, b));
}

static int combine(const instruction *i, int r, uint64_t p) {
    p &= 1;
    return has(i, "and") ? r && p : has(i, "or") ? r || p : has(i, "xor") ? r ^ (int)p : r;
}

static int comparisons(const instruction *i, const uint64_t *in, uint64_t *out) {
    const char *type = i->types[i->n_types - 1];
    int pairs = strstr(type, "x2") != NULL, low = compare(i, order_of(i, type, in[0], in[1]), 0);
    int high = pairs ? compare(i, order_of(i, type, in[0] >> 16, in[1] >> 16), 0) : !low;
    if (same(i->opcode, "setp")) {
        out[0] = combine(i, low, in[2]);
        if (i->operands[0][2] && strchr(i->operands[0], '|')) out[1] = combine(i, high, in[2]);
        return 1;
    }
    const char *to = i->types[0];
    low = combine(i, low, in[2]);
    if (pairs) {
        uint64_t one = same(to, "f16x2") ? 0x3c00 : same(to, "bf16x2") ? 0x3f80 : 0xffff;
        out[0] = (low ? one : 0) | (combine(i, high, in[2]) ? one << 16 : 0);
    } else {
        uint64_t one = same(to, "f32") ? 0x3f800000 : same(to, "f16") ? 0x3c00 : same(to, "bf16") ? 0x3f80 : mask(width(to));
        out[0] = low ? one : 0;
    }
    return 1;
}

static int choices(const instruction *i, const uint64_t *in, uint64_t *out) {
    uint64_t most = mask(width(i->types[0]));
    int first = in[2] & 1;
    if (same(i->opcode, "slct")) {
        if (same(i->types[1], "s32")) first = (int32_t)in[2] >= 0;
        else {
            uint64_t c = in[2] & 0xffffffff;
            number x = read_number(format_of("f32"), has(i, "ftz") ? flushed(format_of("f32"), c) : c);
            first = x.kind == ZERO || (x.kind != NONE && !x.sign);
        }
    }
    out[0] = in[first ? 0 : 1] & most;
    return 1;
}

int model(const char *line, const uint64_t *in, uint64_t k, uint64_t *out) {
    static instruction i;
    understand(&i, line);
    const char *op = i.opcode, *type = i.n_types ? i.types[i.n_types - 1] : "";
    out[0] = out[1] = 0;
    if (op[0] == 'v') return video(line, in, out);
    if (same(op, "cvt")) return conversion(line, in, out);
    if (has(&i, "cc") || same(op, "addc") || same(op, "subc") || same(op, "madc")) return carries(&i, in, k, out);
    if (same(op, "setp") || same(op, "set")) return comparisons(&i, in, out);
    if (same(op, "selp") || same(op, "slct")) return choices(&i, in, out);
    if (same(op, "testp")) return test_property(&i, in, out);
    if (same(op, "lop3")) return look_up(&i, in, out);
    return is_float(type) ? floats(&i, in, out) : integers(&i, in, out);
}
