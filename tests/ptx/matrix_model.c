// Matrix instructions: which lane holds what, and what products add up to.
//
// Fragments are those of the manual; those of `wmma`, which it leaves open, are those of an H200. Sums are an H200's, too: of
// numbers of up to 32 bits the exact products and the accumulator, each cut off so many bits below the highest of their
// exponents, are added exactly, and the sum is rounded once.
#include "matrix.h"
#include "number.h"
#include <stdlib.h>

#define MOST 256 // rows, columns and depth
static uint64_t a[MOST * MOST], b[MOST * MOST], c[MOST * MOST], d[MOST * MOST]; // row after row
static int picks[64 * MOST]; // which row of b each stored element of a meets; of singles, which halves of two rows, two bits each

static const format *half_format, *single_format;

static int width_of(const char *type) {
    if (!strcmp(type, "b1")) return 32; // single bits come in words
    if (!strcmp(type, "bf16")) return 16;
    if (!strcmp(type, "tf32")) return 32;
    return !strcmp(type, "e4m3") || !strcmp(type, "e5m2") ? 8 : atoi(type + 1);
}

static int deep(const char *type, int k) { return !strcmp(type, "b1") ? k / 32 : k; }
static int has(const matrix_form *f, const char *part) {
    for (int n = 0; n < f->parts; n++)
        if (!strcmp(f->part[n], part)) return 1;
    return 0;
}

// A register of a thread, which comes from an array.
static uint64_t held(const uint64_t *words, int thread, int r, int wide) {
    if (wide) return words[(thread + 1024 * r) % MATRIX_POOL];
    return words[(thread + 1024 * (r / 2)) % MATRIX_POOL] >> r % 2 * 32 & 0xffffffff;
}

// Row and column of an element of a lane's fragment. `shape`: rows, columns of the matrix.
typedef struct { int row, column; } place;

// Left factor: groups of four lanes have a row, each some neighbours; eight rows below, then further along k, then 16 rows below.
static place in_left(int rows, int columns, int per, int element, int lane) {
    int r = element / per, below = rows >= 16 ? 2 : 1, beside = columns / (4 * per);
    return (place){ lane / 4 + r % below * 8 + r / (below * beside) * 16, r / below % beside * 4 * per + lane % 4 * per + element % per };
}

// Right factor: groups of four have a column; further along k, then eight columns beside.
static place in_right(int rows, int per, int element, int lane) {
    int r = element / per, along = rows / (4 * per);
    return (place){ r % along * 4 * per + lane % 4 * per + element % per, lane / 4 + r / along * 8 };
}

// Accumulator: blocks of eight by eight, below each other, then beside.
static place in_sum(int rows, int element, int lane) {
    int block = element / 2, below = rows / 8;
    return (place){ lane / 4 + block % below * 8, lane % 4 * 2 + element % 2 + block / below * 8 };
}

static place turned(place p) { return (place){ p.column, p.row }; }

// The fragment of role 'a', 'b' or 'c' of a matrix of rows by columns elements.
static place in_fragment(const matrix_form *f, char role, const char *type, int rows, int columns, int element, int lane) {
    int per = width_of(type) >= 32 ? 1 : 32 / width_of(type), narrow = f->m == 8 && f->n == 32;
    // 8 by 32 by 16: as the transposed product.
    if (narrow && role == 'a') return turned(in_right(columns, per, element, lane));
    if (narrow && role == 'b') return turned(in_left(columns, rows, per, element, lane));
    if (narrow) return turned(in_sum(columns, element, lane));
    if (role == 'a') return in_left(rows, columns, per, element, lane);
    if (role == 'b') return in_right(rows, per, element, lane);
    return in_sum(rows, element, lane);
}

// m8n8k4 of halves: four products, each of lanes 4 q to 4 q + 3 and 16 + 4 q to 16 + 4 q + 3.
static place in_quad(const matrix_form *f, char role, const char *type, int element, int lane) {
    int high = lane >= 16 ? 4 : 0, i = lane % 4;
    if (role == 'a') return !strcmp(f->part[4], "row") ? (place){ i + high, element } : (place){ element % 4 + high, i };
    if (role == 'b') return !strcmp(f->part[5], "col") ? (place){ element, i + high } : (place){ i, element % 4 + high };
    if (!strcmp(type, "f16")) return (place){ i + high, element };
    return (place){ (lane & 1) + (element & 2) + high, (element & 4) + (lane & 2) + (element & 1) };
}

static uint64_t element_of(int bits, uint64_t word, int element) {
    return bits == 64 ? word : word >> element * bits % 32 & (bits == 32 ? 0xffffffff : (1u << bits) - 1);
}

// Sums of numbers of up to 32 bits: digits * 2^(exponent - fraction); NEVER is the exponent of what is not there.
typedef struct { int64_t digits; int exponent, fraction, special; } part;
enum { NEVER = -100000, PLUS = 1, MINUS = 2, NAN_ = 4 };

// Rows of the left, columns of the right factor. Their numbers have one fraction.
typedef struct { int32_t digits[MOST], exponents[MOST]; uint8_t kinds[MOST]; int special; } line;

static part part_of(const char *type, uint64_t bits) {
    const format *f = format_of(type);
    if (!strcmp(type, "tf32")) bits >>= 13;
    number x = read_number(f, bits);
    part p = { 0, NEVER, f->fraction, 0 };
    if (x.kind == NONE) p.special = NAN_;
    if (x.kind == INFINITE) p.special = x.sign ? MINUS : PLUS;
    // Subnormal numbers have the least exponent.
    if (x.kind == FINITE) p.digits = x.sign ? -(int64_t)x.digits : (int64_t)x.digits, p.exponent = x.exponent + f->fraction;
    return p;
}

static void set(line *l, int k, const char *type, uint64_t bits, int negative, int as_halves) {
    part p = part_of(type, bits);
    // What is subnormal in e4m3 is not as a half.
    if (as_halves && p.exponent != NEVER)
        while (llabs(p.digits) < (int64_t)1 << p.fraction && p.exponent > -14) p.digits *= 2, p.exponent--;
    l->digits[k] = negative ? -p.digits : p.digits;
    l->exponents[k] = p.exponent;
    l->kinds[k] = negative && p.special == PLUS ? MINUS : negative && p.special == MINUS ? PLUS : p.special;
    l->special |= p.special != 0;
}

static int sign_of(int kind, int32_t digits) { return kind ? (kind == PLUS) - (kind == MINUS) : (digits > 0) - (digits < 0); }

static int special_product(int x, int32_t x_digits, int y, int32_t y_digits) {
    if ((x | y) & NAN_) return NAN_;
    if (!x && !y) return 0;
    int sign = sign_of(x, x_digits) * sign_of(y, y_digits);
    return sign > 0 ? PLUS : sign < 0 ? MINUS : NAN_;
}

// Times a power of two, cut off towards zero.
static inline int64_t shifted(int64_t digits, int up) {
    if (up >= 0) return (int64_t)((uint64_t)digits << up);
    if (up < -62) return 0;
    return (digits + (digits >> 63 & (((int64_t)1 << -up) - 1))) >> -up;
}

static uint64_t without_sign(uint64_t bits, uint64_t sign) { return bits == sign ? 0 : bits; }

// Adds products and a number, cut off `kept` bits below the highest exponent; the result has the bits of a single or a half.
// `fraction`: bits of the fractions of both factors. The products are those of `count` elements from `from` on.
static uint64_t add_up(const line *x, const line *y, int fraction, int from, int count, part z, int kept, int half) {
    int highest = z.exponent, special = z.special;
    for (int k = from; k < from + count; k++) {
        int e = x->exponents[k] + y->exponents[k];
        highest = e > highest ? e : highest;
    }
    if (x->special | y->special)
        for (int k = from; k < from + count; k++) special |= special_product(x->kinds[k], x->digits[k], y->kinds[k], y->digits[k]);
    const format *f = half ? half_format : single_format;
    uint64_t infinite = (uint64_t)((1 << f->exponent) - 1) << f->fraction;
    if (special & NAN_ || special == (PLUS | MINUS)) return half ? 0x7fff : 0x7fffffff;
    if (special) return infinite | (uint64_t)(special == MINUS) << (half ? 15 : 31);
    if (highest <= NEVER / 2) return 0;
    int64_t total = z.exponent == NEVER ? 0 : shifted(z.digits, z.exponent - z.fraction - highest + kept);
    int base = kept - fraction - highest;
    for (int k = from; k < from + count; k++) total += shifted((int64_t)x->digits[k] * y->digits[k], x->exponents[k] + y->exponents[k] + base);
    if (!total) return 0;
    number r = { FINITE, total < 0, total < 0 ? -(wide)total : (wide)total, highest - kept, 0 };
    // What is too small is zero, which has no sign.
    if (half) return without_sign(write_number(f, r, NEAREST, 0, 0x7fff, NULL), 0x8000);
    // Towards zero, but what is too large is infinite.
    if (r.exponent + length(r.digits) > 128) return infinite | (uint64_t)r.sign << 31;
    return without_sign(write_number(f, r, TOWARDS_ZERO, 0, 0, NULL), 0x80000000);
}

// An accumulator. Where the result has half precision, small ones have the exponent of subnormal halves.
static part accumulator(const char *type, uint64_t bits, int half) {
    part p = part_of(type, bits);
    if (half && p.exponent < -14 && p.exponent != NEVER) p.fraction += -14 - p.exponent, p.exponent = -14;
    return p;
}

// One element of a product of numbers of up to 32 bits.
static uint64_t short_sum(const matrix_form *f, const char *left, int half, const line *x, const line *y, int fraction, int depth, const char *add, uint64_t before) {
    int group = !strcmp(f->opcode, "wgmma"), bytes = width_of(left) == 8;
    if (bytes && group) { // few bits are kept
        uint64_t r = add_up(x, y, fraction, 0, depth, accumulator(add, before, half), 13, half);
        return half || (r & 0x7f800000) == 0x7f800000 ? r : r & 0xfffffc00;
    }
    if (bytes) { // of each four neighbours the first two, then the others on top, then the accumulator
        const format *result = half ? half_format : single_format;
        part first = { 0, NEVER, 0, 0 };
        uint64_t r = 0;
        for (int second = 0; second < 2; second++) {
            line u = { .special = x->special }, v = { .special = y->special };
            for (int k = 0; k < depth / 2; k++) {
                int from = k / 2 * 4 + second * 2 + k % 2;
                u.digits[k] = x->digits[from], u.exponents[k] = x->exponents[from], u.kinds[k] = x->kinds[from];
                v.digits[k] = y->digits[from], v.exponents[k] = y->exponents[from], v.kinds[k] = y->kinds[from];
            }
            r = add_up(&u, &v, fraction, 0, depth / 2, first, 25, half);
            first = accumulator(result->name, r, half);
        }
        return write_number(result, sum(read_number(result, r), read_number(format_of(add), before), NEAREST), NEAREST, 0, half ? 0x7fff : 0x7fffffff, NULL);
    }
    if (!strcmp(left, "tf32") && !strcmp(f->opcode, "wmma")) { // four at a time
        uint64_t r = before;
        for (int k = 0; k < depth; k += 4) r = add_up(x, y, fraction, k, 4, part_of("f32", r), 25, 0);
        return r;
    }
    if (half && !strcmp(add, "f32")) { // a single, which is rounded to a half
        uint64_t r = add_up(x, y, fraction, 0, depth, part_of(add, before), 25, 0);
        return write_number(half_format, read_number(single_format, r), NEAREST, 0, 0x7fff, NULL);
    }
    return add_up(x, y, fraction, 0, depth, accumulator(add, before, half), 25, half);
}

// Halves of m8n8k4 are multiplied and added in single precision, rounded each time: for results of that precision one after the
// other, then the accumulator; for halves the accumulator to the first two, then the sum of the others.
static uint64_t single(number x) { return write_number(single_format, x, NEAREST, 0, 0x7fffffff, NULL); }
static uint64_t add_product(number x, number y, uint64_t to) { return single(sum(product(x, y), read_number(single_format, to), NEAREST)); }
static uint64_t add_singles(uint64_t x, number y) { return single(sum(read_number(single_format, x), y, NEAREST)); }

static uint64_t chain(const number *x, const number *y, int half, number before) {
    if (!half) return add_singles(add_product(x[3], y[3], add_product(x[2], y[2], add_product(x[1], y[1], add_product(x[0], y[0], 0)))), before);
    uint64_t first = add_singles(add_product(x[1], y[1], single(product(x[0], y[0]))), before), other = add_product(x[3], y[3], single(product(x[2], y[2])));
    return write_number(half_format, read_number(single_format, add_singles(first, read_number(single_format, other))), NEAREST, 0, 0x7fff, NULL);
}

// Doubles: fused multiply-adds one after the other. What is no number goes on, of the right factor before the sum's before the left one's.
static uint64_t double_chain(const uint64_t *x, const uint64_t *y, int depth, enum mode mode, uint64_t r) {
    const format *f = format_of("f64");
    for (int k = 0; k < depth; k++) {
        number p = read_number(f, x[k]), q = read_number(f, y[k]), s = read_number(f, r);
        uint64_t quiet = 1ull << 51;
        if (q.kind == NONE) r = y[k] | quiet;
        else if (s.kind == NONE) r |= quiet;
        else if (p.kind == NONE) r = x[k] | quiet;
        else r = write_number(f, sum(product(p, q), s, mode), mode, 0, 0xfff8000000000000, NULL);
    }
    return r;
}

static int64_t integer_of(const char *type, uint64_t bits) {
    int n = width_of(type);
    return type[0] == 's' && bits >> (n - 1) & 1 ? (int64_t)bits - ((int64_t)1 << n) : (int64_t)bits;
}

// d = a b + c, with `depth` stored columns of a.
static void multiply(const matrix_form *f, const char *const types[4], int rows, int columns, int depth, int b_rows, int negative) {
    static line left_lines[64], right_lines[MOST];
    static number nx[16], ny[MOST];
    const char *to = types[0], *left = types[1], *right = types[2], *add = types[3];
    int integers = !strcmp(to, "s32"), doubles = !strcmp(to, "f64"), sparse = f->sparse, half = !strcmp(to, "f16");
    int chained = !strcmp(f->opcode, "mma") && f->m == 8 && f->k == 4 && !doubles, bits = !strcmp(left, "b1"), common = has(f, "and"), saturate = has(f, "satfinite"), halves = !strcmp(left, "tf32");
    int fraction = 0, as_halves = !strcmp(left, "e4m3") || !strcmp(right, "e4m3") ? !strcmp(f->opcode, "mma") : 0;
    half_format = format_of("f16"), single_format = format_of("f32");
    for (int i = 0; i < rows; i++) left_lines[i].special = 0;
    for (int j = 0; j < columns; j++) right_lines[j].special = 0;
    if (integers) {
        for (int n = 0; n < rows * depth; n++) left_lines[n / depth].digits[n % depth] = integer_of(left, a[n]);
        for (int n = 0; n < b_rows * columns; n++) right_lines[n % columns].digits[n / columns] = integer_of(right, b[n]);
    } else if (!doubles && !chained) {
        fraction = format_of(left)->fraction + format_of(right)->fraction;
        for (int n = 0; n < rows * depth; n++) set(&left_lines[n / depth], n % depth, left, a[n], negative, as_halves);
        for (int n = 0; n < b_rows * columns; n++) set(&right_lines[n % columns], n / columns, right, b[n], 0, as_halves);
    }
    enum mode mode = has(f, "rz") ? TOWARDS_ZERO : has(f, "rm") ? DOWN : has(f, "rp") ? UP : NEAREST;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            const int *pick = picks + i * depth;
            uint64_t before = c[i * columns + j], *after = &d[i * columns + j], x[64], y[64];
            const line *row = &left_lines[i], *column = &right_lines[j];
            line some;
            if (sparse) {
                some.special = column->special;
                for (int k = 0; k < depth && halves; k++) {
                    // Halves of two numbers of 32 bits, the lower one first.
                    uint64_t both = b[(pick[k] >> 4) * columns + j] | b[((pick[k] >> 4) + 1) * columns + j] << 32;
                    set(&some, k, right, (both >> (pick[k] & 3) * 16 & 0xffff) | (both >> (pick[k] >> 2 & 3) * 16 & 0xffff) << 16, 0, 0);
                }
                for (int k = 0; k < depth && !halves; k++) some.digits[k] = column->digits[pick[k]], some.exponents[k] = column->exponents[pick[k]], some.kinds[k] = column->kinds[pick[k]];
                column = &some;
            }
            if (integers) {
                int64_t total = (int32_t)before;
                for (int k = 0; k < depth; k++) {
                    int32_t p = row->digits[k], q = column->digits[k];
                    total += bits ? __builtin_popcount(common ? p & q : p ^ q) : (int64_t)p * q;
                }
                if (saturate) total = total > INT32_MAX ? INT32_MAX : total < INT32_MIN ? INT32_MIN : total;
                *after = (uint32_t)total;
            } else if (doubles) {
                for (int k = 0; k < depth; k++) x[k] = a[i * depth + k], y[k] = b[k * columns + j];
                *after = double_chain(x, y, depth, mode, before);
            } else if (chained) {
                for (int k = 0; k < depth; k++) nx[k] = read_number(format_of(left), a[i * depth + k]), ny[k] = read_number(format_of(right), b[k * columns + j]);
                *after = chain(nx, ny, half, read_number(format_of(add), before));
            } else {
                *after = short_sum(f, left, half, row, column, fraction, depth, add, before);
            }
        }
}

// Which row of b each stored element of the left factor meets. `thread`: the first of the warp.
static void read_metadata(const matrix_form *f, const char *array, const char *left, int thread, int stored) {
    int pairs = width_of(left) == 4, single = !strcmp(left, "tf32"), wide = width_of(left) >= 16;
    int bits = single ? 4 * stored : pairs ? stored : 2 * stored; // of a row
    const uint64_t *words = matrix_pool(array, 3);
    for (int row = 0; row < 16; row++)
        for (int q = 0; q < stored; q++) {
            int bit = single ? 4 * q : pairs ? q / 2 * 2 : 2 * q, lane = row % 8 * 4, upper = row / 8;
            if (bits == 16) lane += f->selector, bit += 16 * upper;                                        // both rows in one lane
            else if (bits == 32 && wide) lane += 2 * f->selector + bit / 16, bit = bit % 16 + 16 * upper; // in two
            else if (bits == 32) lane += 2 * f->selector + upper;                                          // a row in each of two
            else lane += upper + bit / 32 * 2, bit %= 32;                                                  // in four
            int code = held(words, thread + lane, 0, 0) >> bit & (single ? 15 : 3), *pick = &picks[row * stored + q];
            if (single) *pick = 2 * q << 4 | code;
            else if (pairs) *pick = (q / 4 * 4 + code) * 2 + q % 2;
            else *pick = q / 2 * 4 + code;
        }
}

// The places of a fragment's elements, made once for an instruction.
typedef struct { const uint64_t *words; int bits, per, elements, last, quad, at[32 * 128]; } map;

static void lay_out(map *to, const matrix_form *f, char role, const char *array, int which, const char *type, int rows, int columns, int quad) {
    to->words = matrix_pool(array, which);
    to->bits = width_of(type);
    to->per = to->bits >= 32 ? 1 : 32 / to->bits;
    to->elements = quad < 0 ? rows * columns / 32 : role == 'c' ? 8 : 4;
    to->quad = quad;
    // Arrays of all numbers of 8 bits fill the first registers alone.
    to->last = !strncmp(array, "rows", 4) ? 1 : !strncmp(array, "columns", 7) ? 0 : 127;
    for (int lane = 0; lane < 32; lane++)
        for (int e = 0; e < to->elements; e++) {
            place p = quad < 0 ? in_fragment(f, role, type, rows, columns, e, lane) : in_quad(f, role, type, e, lane);
            to->at[lane * to->elements + e] = p.row * columns + p.column;
        }
}

// Takes a matrix out of the fragments of a warp, or puts it there.
static void gather(const map *m, int thread, uint64_t *to) {
    for (int lane = 0; lane < 32; lane++)
        for (int e = 0; e < m->elements; e++) {
            if (m->quad >= 0 && lane % 16 / 4 != m->quad) continue;
            int r = e / m->per;
            uint64_t word = r > m->last ? 0 : held(m->words, thread + lane, r, m->bits == 64);
            to[m->at[lane * m->elements + e]] = element_of(m->bits, word, e % m->per);
        }
}

static void scatter(const map *m, int thread, int stride, uint32_t *out) {
    for (int lane = 0; lane < 32; lane++)
        for (int e = 0; e < m->elements; e++) {
            if (m->quad >= 0 && lane % 16 / 4 != m->quad) continue;
            uint64_t x = d[m->at[lane * m->elements + e]];
            uint32_t *words = out + (size_t)(thread + lane) * stride;
            if (m->bits == 64) words[2 * e] = (uint32_t)x, words[2 * e + 1] = x >> 32;
            else words[e / m->per] = (e % m->per ? words[e / m->per] : 0) | (uint32_t)x << e % m->per * m->bits;
        }
}

static map left_map, right_map, add_map, to_map;

static int warp_product(const matrix_form *f, char types[][16], uint32_t *out) {
    const char *t[4] = { f->types[0], f->types[1], f->types[2], f->types[3] };
    if (f->n_types == 2) t[1] = t[2] = "f16", t[3] = f->types[1];
    int quads = !strcmp(f->opcode, "mma") && f->m == 8 && f->k == 4 && !strcmp(t[1], "f16");
    int k = deep(t[1], f->k), stored = f->sparse ? k / 2 : k;
    for (int quad = quads ? 0 : -1; quad < (quads ? 4 : 0); quad++) {
        lay_out(&left_map, f, 'a', types[0], 0, t[1], f->m, stored, quad);
        lay_out(&right_map, f, 'b', types[1], 1, t[2], k, f->n, quad);
        lay_out(&add_map, f, 'c', !strcmp(types[2], "none") ? "zero" : types[2], 2, t[3], f->m, f->n, quad);
        lay_out(&to_map, f, 'c', "zero", 2, t[0], f->m, f->n, quad);
        for (int thread = 0; thread < f->threads; thread += 32) {
            gather(&left_map, thread, a);
            gather(&right_map, thread, b);
            gather(&add_map, thread, c);
            if (f->sparse) read_metadata(f, types[3], t[1], thread, stored);
            multiply(f, t, f->m, f->n, stored, k, 0);
            scatter(&to_map, thread, f->words, out);
        }
    }
    return 1;
}

// Shared memory of a block, filled from an array.
static unsigned char memory[40960 + 65536];
static void fill_memory(const char *array, int role, int block, int bytes) {
    const uint64_t *words = matrix_pool(array, role);
    for (int m = 0; m < bytes / 8; m++) memcpy(memory + 8 * m, &words[(128 * block + m % 128 + m / 128 * 1024) % MATRIX_POOL], 8);
}

static uint64_t in_memory(const unsigned char *from, uint64_t address, int bytes) {
    uint64_t x = 0;
    if (address + bytes <= sizeof memory) memcpy(&x, from + address, bytes);
    return x;
}

// Where an element lies: i along rows of the left or columns of the right factor, k along the sum.
static uint64_t described(uint64_t descriptor, uint64_t base, int i, int k, int bytes, int across_first) {
    uint64_t start = (descriptor & 0x3fff) << 4, lead = (descriptor >> 16 & 0x3fff) << 4, stride = (descriptor >> 32 & 0x3fff) << 4, at;
    int width = descriptor >> 62 ? 256 >> (descriptor >> 62) : 16, plain = width == 16;
    if (across_first) {
        int across = width / bytes;
        at = i / across * (plain ? stride : lead) + k / 8 * (plain ? lead : stride) + k % 8 * width + i % across * bytes;
    } else at = i / 8 * stride + i % 8 * width + k * bytes / width * lead + k * bytes % width;
    at += base + start;
    // Pieces of 16 bytes change places from one row of 128 bytes to the next, so many rows late.
    return at ^ (((at >> 7) - (descriptor >> 49 & 7)) & (width / 16 - 1)) << 4;
}

static int group_product(const matrix_form *f, char types[][16], uint32_t *out) {
    const char *t[4] = { f->types[0], f->types[1], f->types[2], f->types[0] };
    int k = deep(t[1], f->k), stored = f->sparse ? k / 2 : k, size = width_of(t[1]) / 8, sweep = !strcmp(types[0], "rowsg"), registers = strstr(f->line, "%x2") == NULL;
    if (registers) lay_out(&left_map, f, 'a', types[0], 0, t[1], 16, stored, -1);
    lay_out(&add_map, f, 'c', types[2], 2, t[3], 16, f->n, -1);
    lay_out(&to_map, f, 'c', "zero", 2, t[0], 16, f->n, -1);
    for (int n = 0; n < f->threads / 128; n++) {
        uint64_t descriptors[2];
        int block = f->first + f->step * n;
        matrix_descriptors(f, sweep, block, descriptors);
        fill_memory(types[1], 1, block, 40960);
        if (!registers) fill_memory(types[0], 0, block, 8192);
        for (int j = 0; j < f->n; j++)
            for (int l = 0; l < k; l++) b[l * f->n + j] = in_memory(memory, described(descriptors[1], 8192, j, l, size, f->turned[1]), size);
        for (int warp = 0; warp < 4; warp++) {
            int thread = 128 * block + 32 * warp;
            if (registers) gather(&left_map, thread, a);
            else
                for (int i = 0; i < 16; i++)
                    for (int l = 0; l < stored; l++) a[i * stored + l] = in_memory(memory, described(descriptors[0], 0, 16 * warp + i, l, size, f->turned[0]), size);
            if (block == 3 && !sweep) memset(c, 0, sizeof(uint64_t) * 16 * f->n);
            else gather(&add_map, thread, c);
            if (f->sparse) read_metadata(f, types[3], t[1], thread, stored);
            multiply(f, t, 16, f->n, stored, k, f->signs[0] ^ f->signs[1]);
            scatter(&to_map, 128 * n + 32 * warp, f->words, out);
        }
    }
    return 1;
}

// wmma.load and wmma.store.
static int whole_move(const matrix_form *f, char types[][16], uint32_t *out) {
    char role = f->part[2][0];
    const char *type = f->types[0];
    int stores = role == 'd', rows = role == 'b' ? f->k : f->m, columns = role == 'a' ? f->k : f->n, bits = !strcmp(type, "b1") ? 1 : width_of(type);
    int by_rows = has(f, "row"), shared = strstr(f->line, "%r3") || strstr(f->line, "// shared"), given = strstr(f->line, "%r2") != NULL;
    int per = bits >= 32 ? 1 : 32 / bits, elements = rows * columns / 32, registers = stores ? 0 : f->words;
    const uint64_t *words = matrix_pool(types[0], 0);
    if (stores) memset(out, 0, (size_t)f->threads * f->words * 4);
    for (int warp = 0; warp < f->threads / 32; warp++) {
        int lead = (by_rows ? columns : rows) + (given ? (warp % 4 + 1) * (128 / bits) : 0), thread = 32 * warp;
        const unsigned char *from = (const unsigned char *)matrix_pool("bits", 0) + 4096 * warp;
        unsigned char *to = (unsigned char *)(out + (size_t)thread * f->words);
        if (shared && warp % 4 == 0) fill_memory("bits", stores ? 3 : 0, warp / 4, 16384);
        if (shared) from = memory + warp % 4 * 4096;
        if (shared && stores) memcpy(to, from, 4096);
        for (int lane = 0; lane < 32; lane++)
            for (int e = 0; e < (stores ? elements : registers * 32 / bits); e++) {
                // Fragments with more registers than elements hold them again. Single bits come in words.
                int one = e % elements, word_rows = bits == 1 && role == 'b' ? rows / 32 : rows, word_columns = bits == 1 && role == 'a' ? columns / 32 : columns;
                place p = in_fragment(f, stores ? 'c' : role, type, word_rows, word_columns, bits == 1 ? one / 32 : one, lane);
                if (bits == 1 && role == 'a') p.column = p.column * 32 + one % 32;
                if (bits == 1 && role == 'b') p.row = p.row * 32 + one % 32;
                int64_t at = by_rows ? (int64_t)p.row * lead + p.column : (int64_t)p.column * lead + p.row;
                if (stores) {
                    uint64_t x = element_of(bits, held(words, thread + lane, e / per, bits == 64), e % per);
                    memcpy(to + at * bits / 8, &x, bits / 8);
                    continue;
                }
                uint64_t x = 0;
                memcpy(&x, from + at * bits / 8, bits < 8 ? 1 : bits / 8);
                if (bits < 8) x = x >> at * bits % 8 & ((1 << bits) - 1);
                uint32_t *held_words = out + (size_t)(thread + lane) * f->words;
                if (bits == 64) memcpy(&held_words[2 * e], &x, 8);
                else held_words[e / per] = (e % per ? held_words[e / per] : 0) | (uint32_t)x << e % per * bits;
            }
    }
    return 1;
}

// ldmatrix, stmatrix and movmatrix: matrices of 8 by 8 elements of 16 bits; a lane has two neighbours of a row.
static int small_move(const matrix_form *f, char types[][16], uint32_t *out) {
    int stores = !strcmp(f->opcode, "stmatrix"), moves = !strcmp(f->opcode, "movmatrix"), over = has(f, "trans");
    const uint64_t *words = matrix_pool(types[0], 0);
    int count = has(f, "x4") ? 4 : has(f, "x2") ? 2 : 1;
    for (int thread = 0; thread < f->threads; thread += 32) {
        int warp = thread / 32 % 4;
        if (!moves && warp == 0) fill_memory("bits", stores ? 3 : 0, thread / 128, 16384);
        for (int n = 0; n < count; n++)
            for (int lane = 0; lane < 32; lane++)
                for (int half = 0; half < 2; half++) {
                    int row = over ? lane % 4 * 2 + half : lane / 4, column = over ? lane / 4 : lane % 4 * 2 + half;
                    int at = ((n * 8 + row) * 13 % 32 + 32 * warp) * 48 + 2 * column;
                    uint16_t x;
                    if (stores) x = held(words, thread + lane, n, 0) >> 16 * half, memcpy(memory + at, &x, 2);
                    else {
                        if (moves) x = held(words, thread + row * 4 + column / 2, 0, 0) >> column % 2 * 16;
                        else memcpy(&x, memory + at, 2);
                        uint32_t *word = &out[(size_t)(thread + lane) * f->words + n];
                        *word = (half ? *word : 0) | (uint32_t)x << 16 * half;
                    }
                }
        if (stores && warp == 3) memcpy(out + (size_t)(thread - 96) * f->words, memory, 16384);
    }
    return 1;
}

int matrix_model(const char *line, char types[][16], uint32_t *out) {
    matrix_form f;
    matrix_parse(&f, line, types);
    if (!strcmp(f.opcode, "wgmma") && strcmp(f.part[1], "mma_async")) { // around a product
        return matrix_model(MATRIX_PLAIN, types, out);
    }
    if (!strcmp(f.opcode, "wgmma")) return group_product(&f, types, out);
    if (!strcmp(f.opcode, "mma") || (!strcmp(f.opcode, "wmma") && !strcmp(f.part[1], "mma"))) return warp_product(&f, types, out);
    if (!strcmp(f.opcode, "wmma")) return whole_move(&f, types, out);
    return strstr("ldmatrix stmatrix movmatrix", f.opcode) ? small_move(&f, types, out) : 0;
}
