// Floating point numbers as what they stand for: a whole number of up to 128 bits times a power of two, and whether a bit more.
#include <stdint.h>
#include <string.h>

typedef unsigned __int128 wide;
typedef __int128 swide;

enum kind { ZERO, FINITE, INFINITE, NONE };

// (-1)^sign * (digits + something below 1 if more) * 2^exponent
typedef struct { enum kind kind; int sign; wide digits; int exponent, more; } number;

// Bits of the exponent and of the fraction, and whether the largest exponent has numbers (e4m3: all but one).
typedef struct { const char *name; int exponent, fraction, finite; } format;

enum mode { NEAREST, TOWARDS_ZERO, DOWN, UP, AWAY };

static inline const format *format_of(const char *name) {
    static const format all[] = { { "f16", 5, 10, 0 }, { "bf16", 8, 7, 0 }, { "f32", 8, 23, 0 }, { "f64", 11, 52, 0 },
        { "tf32", 8, 10, 0 }, { "e4m3", 4, 3, 1 }, { "e5m2", 5, 2, 0 } };
    for (unsigned n = 0; n < sizeof all / sizeof *all; n++)
        if (!strncmp(name, all[n].name, strlen(all[n].name))) return &all[n];
    return NULL;
}

static inline int length(wide x) {
    int n = 0;
    while (x >> n && n < 128) n++;
    return n;
}

static inline number read_number(const format *f, uint64_t bits) {
    uint64_t most = (1ull << f->exponent) - 1, e = bits >> f->fraction & most, d = bits & ((1ull << f->fraction) - 1);
    number x = { FINITE, bits >> (f->exponent + f->fraction) & 1, d, 0, 0 };
    int least = 2 - (1 << (f->exponent - 1)) - f->fraction;
    if (f->finite ? e == most && d == (1ull << f->fraction) - 1 : e == most) {
        x.kind = !f->finite && d == 0 ? INFINITE : NONE;
        return x;
    }
    if (e) x.digits |= (wide)1 << f->fraction;
    x.exponent = least + (e ? (int)e - 1 : 0);
    if (!x.digits) x.kind = ZERO;
    return x;
}

static inline number whole_number(swide value) {
    number x = { value ? FINITE : ZERO, value < 0, value < 0 ? -(wide)value : (wide)value, 0, 0 };
    return x;
}

// Cuts n bits off, those that go leave a trace.
static inline void cut(number *x, int n) {
    if (n <= 0) return;
    wide gone = n > 127 ? x->digits : x->digits & (((wide)1 << n) - 1);
    x->more |= gone != 0;
    x->digits = n > 127 ? 0 : x->digits >> n;
    x->exponent += n;
}

// Rounds to multiples of 2^unit. An inexact number keeps only that it is one.
static inline int round_to(number *x, int unit, enum mode mode) {
    if (x->kind != FINITE) return 0;
    if (x->exponent > unit) {
        if (x->exponent - unit + length(x->digits) > 127) return 0; // far larger
        x->digits <<= x->exponent - unit;
        x->exponent = unit;
        return 0; // exact, or its rest is far below
    }
    int n = unit - x->exponent;
    wide half = n > 0 && n < 128 ? (wide)1 << (n - 1) : 0, gone = n > 127 ? x->digits : x->digits & (n > 0 ? ((wide)1 << n) - 1 : 0);
    int inexact = gone != 0 || x->more, odd = n < 128 ? x->digits >> n & 1 : 0, up = 0;
    if (mode == NEAREST) up = n > 127 ? 0 : half && (gone > half || (gone == half && (x->more || odd)));
    if (mode == AWAY) up = n > 127 ? 0 : half && gone >= half;
    if (mode == DOWN) up = inexact && x->sign;
    if (mode == UP) up = inexact && !x->sign;
    x->digits = (n > 127 ? 0 : x->digits >> n) + up;
    x->exponent = unit;
    x->more = 0;
    if (!x->digits) x->kind = ZERO;
    return inexact;
}

// The bits of a number, rounded. What overflows is infinite, or the largest number if rounded down or `finite`. `tiny`
// says whether the result would be subnormal with exponents to spare. No number is `none`.
static inline uint64_t write_number(const format *f, number x, enum mode mode, int finite, uint64_t none, int *tiny) {
    uint64_t sign = (uint64_t)x.sign << (f->exponent + f->fraction), most = (1ull << f->exponent) - 1;
    int bias = (1 << (f->exponent - 1)) - 1, least = 1 - bias - f->fraction;
    uint64_t largest = f->finite ? (most << f->fraction | ((1ull << f->fraction) - 2)) : ((most << f->fraction) - 1);
    uint64_t infinite = f->finite ? none : most << f->fraction;
    if (tiny) *tiny = 0;
    if (x.kind == NONE) return none;
    if (x.kind == ZERO) return sign;
    if (x.kind == INFINITE) return finite ? sign | largest : f->finite ? none : sign | infinite;
    int top = x.exponent + length(x.digits) - 1 - f->fraction;
    if (tiny) {
        number free = x;
        round_to(&free, top, mode);
        *tiny = free.exponent + length(free.digits) - 1 < 1 - bias;
    }
    round_to(&x, top < least ? least : top, mode);
    if (x.kind == ZERO) return sign;
    if (length(x.digits) > f->fraction + 1) cut(&x, 1);
    int e = x.exponent - least + 1;
    uint64_t digits = (uint64_t)x.digits, bits;
    if (!(digits >> f->fraction)) bits = digits; // subnormal
    else bits = (uint64_t)e << f->fraction | (digits & ((1ull << f->fraction) - 1));
    if (e > (int)most || bits > largest) {
        int inward = mode == TOWARDS_ZERO || (mode == DOWN && !x.sign) || (mode == UP && x.sign);
        return finite || inward ? sign | largest : f->finite ? none : sign | infinite;
    }
    return sign | bits;
}

static const number no_number = { NONE, 0, 0, 0, 0 };

static inline number product(number a, number b) {
    int sign = a.sign ^ b.sign;
    if (a.kind == NONE || b.kind == NONE) return no_number;
    if (a.kind == INFINITE || b.kind == INFINITE)
        return a.kind == ZERO || b.kind == ZERO ? no_number : (number){ INFINITE, sign, 0, 0, 0 };
    if (a.kind == ZERO || b.kind == ZERO) return (number){ ZERO, sign, 0, 0, 0 };
    return (number){ FINITE, sign, a.digits * b.digits, a.exponent + b.exponent, 0 };
}

// Exact but for a trace far below. Where all cancels, the sign is that of the rounding mode.
static inline number sum(number a, number b, enum mode mode) {
    if (a.kind == NONE || b.kind == NONE) return no_number;
    if (a.kind == INFINITE) return b.kind == INFINITE && a.sign != b.sign ? no_number : a;
    if (b.kind == INFINITE) return b;
    if (a.kind == ZERO && b.kind == ZERO) {
        a.sign = a.sign == b.sign ? a.sign : mode == DOWN;
        return a;
    }
    if (a.kind == ZERO) return b;
    if (b.kind == ZERO) return a;
    // Both with 125 digits; then the smaller one is moved.
    number *both[2] = { &a, &b };
    for (int n = 0; n < 2; n++) {
        int up = 125 - length(both[n]->digits);
        cut(both[n], -up);
        both[n]->digits <<= up > 0 ? up : 0;
        both[n]->exponent -= up > 0 ? up : 0;
    }
    if (a.exponent < b.exponent) { number t = a; a = b; b = t; }
    cut(&b, a.exponent - b.exponent);
    b.digits |= b.more; // a trace: far below what is looked at
    if (a.sign == b.sign) a.digits += b.digits;
    else if (a.digits >= b.digits) a.digits -= b.digits;
    else { a.digits = b.digits - a.digits; a.sign = b.sign; }
    if (!a.digits) return (number){ ZERO, mode == DOWN, 0, 0, 0 };
    return a;
}

static inline number quotient(number a, number b) {
    int sign = a.sign ^ b.sign;
    if (a.kind == NONE || b.kind == NONE || (a.kind == b.kind && a.kind != FINITE)) return no_number;
    if (a.kind == INFINITE || b.kind == ZERO) return (number){ INFINITE, sign, 0, 0, 0 };
    if (a.kind == ZERO || b.kind == INFINITE) return (number){ ZERO, sign, 0, 0, 0 };
    int up = 126 - length(a.digits);
    wide digits = a.digits << up;
    return (number){ FINITE, sign, digits / b.digits, a.exponent - up - b.exponent, digits % b.digits != 0 };
}

static inline number root(number x) {
    if (x.kind == ZERO || (x.kind == INFINITE && !x.sign)) return x;
    if (x.kind == NONE || x.sign) return no_number;
    int up = 126 - length(x.digits);
    up -= (x.exponent - up) & 1;
    wide digits = x.digits << up, r = 0;
    for (wide bit = (wide)1 << 63; bit; bit >>= 1)
        if ((r | bit) * (r | bit) <= digits) r |= bit;
    return (number){ FINITE, 0, r, (x.exponent - up) / 2, r * r != digits };
}

// -1, 0 or 1 as a is less than, equal to or greater than b; 2 if they cannot be compared.
static inline int order(number a, number b) {
    if (a.kind == NONE || b.kind == NONE) return 2;
    if (a.kind == INFINITE || b.kind == INFINITE) {
        int x = a.kind == INFINITE ? (a.sign ? -1 : 1) : 0, y = b.kind == INFINITE ? (b.sign ? -1 : 1) : 0;
        return (x > y) - (x < y);
    }
    b.sign = !b.sign;
    number d = sum(a, b, NEAREST);
    return d.kind == ZERO ? 0 : d.sign ? -1 : 1;
}
