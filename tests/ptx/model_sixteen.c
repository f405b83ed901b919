// What instructions with two operands of 16 bits should give, quickly: sixteen first operands at a time, in plain integers and
// doubles. Doubles hold what halves add up to but for traces, which go into the last bit (rounding to odd), so that rounding once
// more is right. Shares nothing with the interpreter, nor with model.c but names of modifiers.
#include "model_sixteen.h"
#include "model.h"
#include "instruction.h"
#include <math.h>

enum opcode { ADD, SUB, MUL_LO, MUL_HI, MUL_WIDE, MAD_LO, MAD_HI, MAD_WIDE, SAD, DIV, REM, MIN, MAX, AND, OR, XOR, SHL, SHR, SELP, SLCT, SETP, SET, FMA, CAS, ALONE };
enum condition { EQ, NE, LT, LE, GT, GE, NUM, NAN_ };

static struct {
    enum opcode op;
    enum condition condition;
    int unordered, and, or, xor, is_signed, pairs, floats, brains, ftz, sat, relu, oob, nan, xorsign, results;
    int third_is_float, true_value;
    uint32_t one;
    uint16_t alone[65536]; // of instructions on one pair of halves
    int alone_bits;
} form;

static double values[2][65536];

static void fill_values(void) {
    if (values[0][0x3c00] == 1) return;
    for (int bits = 0; bits < 65536; bits++)
        for (int brain = 0; brain < 2; brain++) {
            int fraction = brain ? 7 : 10, most = brain ? 255 : 31, bias = brain ? 127 : 15;
            int e = bits >> fraction & most, f = bits & ((1 << fraction) - 1);
            double x = e == most ? (f ? NAN : INFINITY) : ldexp(e ? f + (1 << fraction) : f, (e ? e : 1) - bias - fraction);
            values[brain][bits] = bits >> 15 ? -x : x;
        }
}

static int find(const instruction *i, const char **names, int count) {
    for (int n = 0; n < count; n++)
        if (has(i, names[n])) return n;
    return -1;
}

int sixteen_form(const char *line) {
    static instruction i;
    memset(&form, 0, sizeof form);
    fill_values();
    parse(&i, line);
    const char *type = i.types[i.n_types - 1];
    if (same(i.opcode, "slct")) type = i.types[0], form.third_is_float = same(i.types[1], "f32");
    form.pairs = strstr(type, "x2") != NULL;
    form.floats = is_float(type), form.brains = type[0] == 'b' && form.floats, form.is_signed = is_signed(type);
    form.ftz = has(&i, "ftz"), form.sat = has(&i, "sat"), form.relu = has(&i, "relu"), form.oob = has(&i, "oob"), form.nan = has(&i, "NaN"), form.xorsign = has(&i, "xorsign");
    form.and = has(&i, "and"), form.or = has(&i, "or"), form.xor = has(&i, "xor");
    form.results = strchr(i.operands[0], '|') ? 2 : 1;
    static const char *opcodes[] = { "add", "sub", "mul", "mad", "sad", "div", "rem", "min", "max", "and", "or", "xor", "shl", "shr", "selp", "slct", "setp", "set", "fma" };
    static const enum opcode ops[] = { ADD, SUB, MUL_LO, MAD_LO, SAD, DIV, REM, MIN, MAX, AND, OR, XOR, SHL, SHR, SELP, SLCT, SETP, SET, FMA };
    int known = 0;
    if (i.n_operands == 2) {
        // One operand: each half for itself, by a table of what the other model gives.
        form.op = ALONE, known = 1;
        form.alone_bits = same(i.types[0], "e4m3x2") || same(i.types[0], "e5m2x2") ? 8 : 16;
        for (uint64_t half = 0; half < 65536; half++) {
            uint64_t in[5] = { half }, out[2];
            known &= model(line, in, 0, out);
            form.alone[half] = out[0] & mask(form.alone_bits);
        }
        return known;
    }
    // The result is what is in the cell.
    if (same(i.opcode, "atom")) form.op = has(&i, "add") ? ADD : CAS, known = has(&i, "add") || has(&i, "cas");
    for (unsigned n = 0; n < sizeof ops / sizeof *ops; n++)
        if (same(i.opcode, opcodes[n])) form.op = ops[n], known = 1;
    if (form.op == MUL_LO || form.op == MAD_LO) form.op += has(&i, "hi") ? 1 : has(&i, "wide") ? 2 : 0;
    if (form.op == SETP || form.op == SET) {
        static const char *names[] = { "eq", "ne", "lt", "le", "gt", "ge", "num", "nan", "lo", "ls", "hi", "hs", "equ", "neu", "ltu", "leu", "gtu", "geu" };
        int n = find(&i, names, 18);
        form.condition = n < 0 ? EQ : n < 8 ? n : n < 12 ? n - 8 + LT : n - 12;
        form.unordered = n >= 12 || form.condition == NAN_ || (form.condition == NE && !form.floats);
        const char *to = i.types[0];
        form.one = same(to, "f32") ? 0x3f800000 : !strncmp(to, "f16", 3) ? 0x3c00 : !strncmp(to, "bf16", 4) ? 0x3f80 : form.pairs || width(to) == 16 ? 0xffff : 0xffffffff;
        known &= n >= 0;
    }
    return known;
}

static inline double odd_sum(double a, double b) {
    double s = a + b, part = s - a, rest = (a - (s - part)) + (b - part);
    if (rest == 0 || !isfinite(s)) return s;
    uint64_t bits;
    memcpy(&bits, &s, 8);
    if (!(bits & 1)) bits += (rest > 0) == (s > 0) ? 1 : -1;
    memcpy(&s, &bits, 8);
    return s;
}

// To the nearest half, even if in the middle.
static inline uint32_t round_half(double x) {
    int brains = form.brains, fraction = brains ? 7 : 10, least = brains ? -126 : -14;
    uint32_t infinite = brains ? 0x7f80 : 0x7c00;
    uint64_t bits;
    memcpy(&bits, &x, 8);
    uint32_t sign = bits >> 63 << 15;
    if (x == 0) return sign;
    if (isinf(x)) return sign | infinite;
    int e = (int)(bits >> 52 & 0x7ff) - 1023, shift = 52 - fraction;
    uint64_t digits = (bits & 0xfffffffffffff) | 1ull << 52;
    if (e < least) {
        // Flushed if it is below the least normal number once it is rounded with exponents to spare.
        if (form.ftz && !(e == least - 1 && (digits + (1ull << (shift - 1))) >> 53)) return sign;
        shift += least - e;
        if (shift > 54) return sign;
    }
    uint64_t rounded = digits >> shift, gone = digits & ((1ull << shift) - 1), half = 1ull << (shift - 1);
    rounded += gone > half || (gone == half && rounded & 1);
    if (e >= least) rounded += (uint64_t)(e - least) << fraction;
    return sign | (rounded > infinite ? infinite : (uint32_t)rounded);
}

static inline uint32_t limited(double x) {
    if (isnan(x)) return form.sat ? 0 : 0x7fff;
    if (form.sat) x = signbit(x) ? 0 : x > 1 ? 1 : x;
    if (form.relu && signbit(x)) x = 0;
    return round_half(x);
}

static inline uint32_t flush(uint32_t half) { return form.ftz && !(half & (form.brains ? 0x7f80 : 0x7c00)) ? half & 0x8000 : half; }

static inline uint32_t float_one(uint32_t a, uint32_t b, uint32_t c) {
    const double *v = values[form.brains];
    a = flush(a), b = flush(b);
    switch (form.op) {
    case ADD: return limited(odd_sum(v[a], v[b]));
    case SUB: return limited(odd_sum(v[a], -v[b]));
    case MUL_LO: return limited(v[a] * v[b]);
    case FMA:
        if (form.oob && ((a & 0x7fff) == 0x7ff7 || (b & 0x7fff) == 0x7ff7)) return 0;
        return limited(odd_sum(v[a] * v[b], v[flush(c)]));
    default: { // minimum, maximum
        uint32_t sign = 0;
        if (form.xorsign) sign = (a ^ b) & 0x8000, a &= 0x7fff, b &= 0x7fff;
        int na = isnan(v[a]), nb = isnan(v[b]);
        if ((na && nb) || (form.nan && (na || nb))) return 0x7fff;
        uint32_t r = nb ? a : na ? b : v[a] == v[b] ? ((form.op == MAX) == (a >> 15) ? b : a) : ((form.op == MAX) == (v[a] > v[b]) ? a : b);
        return r | sign;
    }
    }
}

static inline int holds(int less, int equal, int greater) {
    int apart = !less && !equal && !greater;
    switch (form.condition) {
    case EQ: return equal || (apart && form.unordered);
    case NE: return less || greater || (apart && form.unordered);
    case LT: return less || (apart && form.unordered);
    case LE: return less || equal || (apart && form.unordered);
    case GT: return greater || (apart && form.unordered);
    case GE: return greater || equal || (apart && form.unordered);
    case NUM: return !apart;
    default: return apart;
    }
}

static inline int compare(uint32_t a, uint32_t b) {
    if (form.floats) {
        double x = values[form.brains][flush(a)], y = values[form.brains][flush(b)];
        return holds(x < y, x == y, x > y);
    }
    int x = form.is_signed ? (int16_t)a : (int)a, y = form.is_signed ? (int16_t)b : (int)b;
    return holds(x < y, x == y, x > y);
}

static inline int with_third(int r, uint32_t c) { return form.and ? r && c & 1 : form.or ? r || c & 1 : form.xor ? r != (int)(c & 1) : r; }

static inline uint32_t whole_one(uint32_t a, uint32_t b, uint32_t c) {
    int x = form.is_signed ? (int16_t)a : (int)a, y = form.is_signed ? (int16_t)b : (int)b, z = form.is_signed ? (int16_t)c : (int)(c & 0xffff);
    int64_t p = (int64_t)x * y, r;
    switch (form.op) {
    case ADD: r = x + y; break;
    case SUB: r = x - y; break;
    case MUL_LO: r = p; break;
    case MUL_HI: r = p >> 16; break;
    case MUL_WIDE: return (uint32_t)p;
    case MAD_LO: r = p + z; break;
    case MAD_HI: r = (p >> 16) + z; break;
    case MAD_WIDE: return (uint32_t)p + c;
    case SAD: r = (x > y ? x - y : y - x) + z; break;
    case DIV: r = y ? x / y : -1; break;
    case REM: r = y ? x % y : -1; break;
    case MIN: r = x < y ? x : y; break;
    case MAX: r = x > y ? x : y; break;
    case AND: r = x & y; break;
    case OR: r = x | y; break;
    case XOR: r = x ^ y; break;
    case SHL: r = b > 15 ? 0 : (int64_t)x << b; break;
    case CAS: r = x == y ? z : x; break;
    case SHR: r = x >> (b > 31 ? 31 : b); break;
    default: r = 0;
    }
    if (form.relu && r < 0) r = 0;
    return (uint32_t)r & 0xffff;
}

void sixteen(const uint32_t *first, uint32_t b, uint32_t c, uint32_t *out, uint32_t *more) {
    int chosen = c & 1;
    if (form.op == SLCT) {
        uint32_t magnitude = c & 0x7fffffff, flushed = form.ftz && magnitude < 0x800000 ? 0 : magnitude;
        chosen = form.third_is_float ? magnitude <= 0x7f800000 && (!(c >> 31) || !flushed) : !(c >> 31);
    }
    for (int n = 0; n < 16; n++) {
        uint32_t a = first[n];
        if (form.op == ALONE) out[n] = form.alone[a & 0xffff] | (uint32_t)form.alone[b & 0xffff] << form.alone_bits;
        else if (form.op == SELP || form.op == SLCT) out[n] = (chosen ? a : b) & 0xffff;
        else if (form.op == SETP || form.op == SET) {
            int low = compare(a & 0xffff, b & 0xffff), high = form.pairs ? compare(a >> 16, b >> 16) : !low;
            low = with_third(low, c), high = with_third(high, c);
            if (form.op == SETP) out[n] = low, more[n] = high;
            else out[n] = (low ? form.one : 0) | (form.pairs && high ? form.one << 16 : 0);
        } else if (form.floats) out[n] = float_one(a & 0xffff, b & 0xffff, c & 0xffff) | (form.pairs ? float_one(a >> 16, b >> 16, c >> 16) << 16 : 0);
        else out[n] = form.pairs ? whole_one(a & 0xffff, b & 0xffff, 0) | whole_one(a >> 16, b >> 16, 0) << 16 : whole_one(a, b, c);
    }
}

int sixteen_results(void) { return form.results; }
