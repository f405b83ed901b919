// Elements of textures as numbers.
#include "texture.h"
#include <math.h>

int format_of(unsigned number, unsigned channels, int integers, struct format *f) {
    static const struct { unsigned number; enum kind kind; int bits; } plain[] = {
        { 0x01, UNSIGNED, 8 }, { 0x02, UNSIGNED, 16 }, { 0x03, WHOLE, 32 }, { 0x08, SIGNED, 8 }, { 0x09, SIGNED, 16 },
        { 0x0a, WHOLE_SIGNED, 32 }, { 0x10, HALF, 16 }, { 0x20, SINGLE, 32 },
    };
    memset(f, 0, sizeof *f);
    f->side = 1;
    for (size_t n = 0; n < sizeof plain / sizeof *plain; n++) {
        if (plain[n].number != number) continue;
        f->kind = plain[n].kind, f->bits = plain[n].bits, f->channels = (int)channels;
        if (integers && f->kind == UNSIGNED) f->kind = WHOLE;
        if (integers && f->kind == SIGNED) f->kind = WHOLE_SIGNED;
        f->size = f->bits / 8 * f->channels;
        return 1;
    }
    // Normalised ones: 8 and 16 bits without a sign, then with one; one, two and four components each.
    if (number >= 0xc0 && number <= 0xcb) {
        unsigned n = number - 0xc0;
        f->kind = n < 6 ? UNSIGNED : SIGNED, f->bits = n / 3 % 2 ? 16 : 8, f->channels = 1 << n % 3;
        f->size = f->bits / 8 * f->channels;
        return 1;
    }
    if (number == 0x50) return f->kind = PACKED, f->bits = 10, f->channels = 4, f->size = 4, 1;
    // Blocks: BC1 to BC3, plain and in sRGB; BC4 and BC5 without and with a sign.
    if (number < 0x91 || number > 0x9a) return 0;
    f->side = 4, f->opaque = 1;
    f->size = number < 0x93 || number == 0x97 || number == 0x98 ? 8 : 16;
    if (number < 0x97) f->kind = UNSIGNED, f->bits = 8, f->channels = 4;
    else f->kind = number % 2 ? UNSIGNED : SIGNED, f->bits = 16, f->channels = number < 0x99 ? 1 : 2;
    return 1;
}

double half_value(uint16_t bits) {
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double x = exponent == 31 ? fraction ? NAN : INFINITY : exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24);
    return bits & 0x8000 ? -x : x;
}

static uint64_t word(const uint8_t *at, int bytes) {
    uint64_t x = 0;
    for (int n = 0; n < bytes; n++) x |= (uint64_t)at[n] << 8 * n;
    return x;
}

// Three components of 5, 6 and 5 bits of a block at a place. What is between two colours is the device's own: in fives and
// in eights for green. `four`: there is no colour that is nothing.
static void color(const uint8_t *block, int place, int four, int64_t *out) {
    int ends[2] = { (int)word(block, 2), (int)word(block + 2, 2) };
    int code = (int)(word(block + 4, 4) >> 2 * place & 3);
    int r[2], g[2], b[2];
    for (int n = 0; n < 2; n++) {
        r[n] = ends[n] >> 11, b[n] = ends[n] & 31;
        int six = ends[n] >> 5 & 63;
        g[n] = six << 2 | six >> 4;
    }
    out[3] = 255;
    if (code < 2) {
        out[0] = r[code] << 3 | r[code] >> 2, out[1] = g[code], out[2] = b[code] << 3 | b[code] >> 2;
        return;
    }
    if (!four && ends[0] <= ends[1]) {
        if (code == 3) {
            out[0] = out[1] = out[2] = out[3] = 0;
            return;
        }
        // The middle: 33/8 of the sum of fives; 128 256ths of the way, and a quarter of the way more.
        int way = g[1] - g[0];
        out[0] = (r[0] + r[1]) * 33 / 8, out[2] = (b[0] + b[1]) * 33 / 8;
        out[1] = (256 * g[0] + 128 * way + way / 4 + 128) / 256;
        return;
    }
    int near = code == 2 ? 0 : 1, far = 1 - near, way = g[far] - g[near];
    out[0] = (2 * r[near] + r[far]) * 22 / 8, out[2] = (2 * b[near] + b[far]) * 22 / 8;
    out[1] = (256 * g[near] + 80 * way + way / 4 + 128) / 256;
}

// Parts of 2048 that the second end of BC3's alpha counts, by the code.
static int64_t alpha(const uint8_t *block, int place) {
    static const int eight[] = { 0, 2048, 289, 578, 892, 1156, 1470, 1759 }, six[] = { 0, 2048, 385, 770, 1278, 1663, -1, -1 };
    int first = block[0], second = block[1], code = (int)(word(block + 2, 6) >> 3 * place & 7);
    int part = (first > second ? eight : six)[code];
    if (part < 0) return code == 6 ? 0 : 255;
    return (first * (2048 - part) + second * part + 1024) >> 11;
}

// A value of BC4 and BC5, of 16 bits: an end of 257 or 258 steps for each of its eight bits, and steps towards the other one.
static int64_t value(const uint8_t *block, int place, int has_sign) {
    int code = (int)(word(block + 2, 6) >> 3 * place & 7);
    int a = has_sign ? (int8_t)block[0] : block[0], b = has_sign ? (int8_t)block[1] : block[1];
    int eight = a > b;
    if (a < -127) a = -127;
    if (b < -127) b = -127;
    if (!eight && code > 5) return has_sign ? code == 6 ? -32767 : 32767 : code == 6 ? 0 : 65535;
    int from_second = eight ? code == 1 || code == 4 || code == 6 || code == 7 : code == 1 || code == 4 || code == 5;
    int of_eight[] = { 0, 0, 36, 72, 144, 144, 72, 36 }, of_six[] = { 0, 0, 48, 96, 96, 48 };
    int steps = eight ? of_eight[code] : of_six[code], near = from_second ? b : a, far = from_second ? a : b;
    int whole = has_sign ? near * 258 + near / 64 : near * 257;
    return whole + (far - near) * steps;
}

void element_of(const struct format *f, unsigned number, const uint8_t *at, int column, int row, int64_t *out) {
    int place = row * 4 + column;
    out[0] = out[1] = out[2] = out[3] = 0;
    switch (number) {
    case 0x91: case 0x92: color(at, place, 0, out); return;
    case 0x93: case 0x94: color(at + 8, place, 1, out), out[3] = (int64_t)(word(at, 8) >> 4 * place & 15) * 17; return;
    case 0x95: case 0x96: color(at + 8, place, 1, out), out[3] = alpha(at, place); return;
    case 0x97: case 0x98: out[0] = value(at, place, number == 0x98); return;
    case 0x99: case 0x9a: out[0] = value(at, place, number == 0x9a), out[1] = value(at + 8, place, number == 0x9a); return;
    case 0x50: {
        uint64_t x = word(at, 4);
        for (int n = 0; n < 3; n++) out[n] = (int64_t)(x >> 10 * n & 1023);
        out[3] = (int64_t)(x >> 30);
        return;
    }
    }
    for (int n = 0; n < f->channels; n++) {
        uint64_t x = word(at + n * f->bits / 8, f->bits / 8);
        int has_sign = f->kind == SIGNED || f->kind == WHOLE_SIGNED;
        out[n] = has_sign && x >> (f->bits - 1) ? (int64_t)x - ((int64_t)1 << f->bits) : (int64_t)x;
    }
}
