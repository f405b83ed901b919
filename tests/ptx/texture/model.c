// What texture instructions should give: the manual's formulas, in whole numbers and fractions of 256, and what was found on an
// H200 where the manual is silent. Shares nothing with the library.
#include "texture.h"
#include <math.h>

enum { WRAP, CLAMP, MIRROR, BORDER };
// Instead of the number of an element: the border, and a place where nothing is.
static const int64_t outside = INT64_MIN, nothing = INT64_MIN + 1;

static float single(uint32_t bits) {
    float x;
    memcpy(&x, &bits, 4);
    return x;
}

static uint32_t bits_of(float x) {
    uint32_t bits;
    memcpy(&bits, &x, 4);
    return bits;
}

// To the nearest number with `fraction` bits behind the first, in a format whose least normal exponent is `low`; ties to the even one,
// or away from zero.
static double rounded(double x, int fraction, int low, int away) {
    if (x == 0 || !isfinite(x)) return x;
    int exponent = ilogb(x);
    if (exponent < low) exponent = low;
    double scaled = ldexp(x, fraction - exponent);
    return ldexp(away ? trunc(scaled + copysign(0.5, scaled)) : nearbyint(scaled), exponent - fraction);
}

static uint16_t half_bits(double x) {
    uint16_t sign = signbit(x) ? 0x8000 : 0;
    if (isnan(x)) return 0x7fff;
    x = rounded(fabs(x), 10, -14, 0);
    if (x >= 65536) return sign | 0x7c00;
    if (x < 0x1p-14) return sign | (uint16_t)ldexp(x, 24);
    int exponent = ilogb(x);
    return sign | (uint16_t)((exponent + 15) << 10) | (uint16_t)(ldexp(x, 10 - exponent) - 1024);
}

// The number that an address mode makes of the number of an element.
static int64_t address(int64_t number, int extent, int mode) {
    int64_t n = extent;
    switch (mode) {
    case WRAP: return (number % n + n) % n;
    case MIRROR: number = (number % (2 * n) + 2 * n) % (2 * n); return number < n ? number : 2 * n - 1 - number;
    case BORDER: return number >= 0 && number < n ? number : outside;
    default: return number < 0 ? 0 : number >= n ? n - 1 : number;
    }
}

// Two neighbours along an axis, and how many 256ths the second counts.
struct pair { int64_t number[2]; int weight; };
enum mixing { NEAREST, MIXED, GATHERED };

static struct pair along(double x, int extent, int offset, int mode, int normalized, enum mixing mixing) {
    struct pair p;
    // Only parts of an extent can repeat. What is subnormal or no number is 0.
    if (!normalized && mode != BORDER) mode = CLAMP;
    if (isnan(x) || fabs(x) < 0x1p-126) x = 0;
    // Parts of the extent have 21 bits behind the point, what is below is cut off.
    if (normalized) x = ldexp(floor(ldexp(mode == WRAP || mode == MIRROR ? fmod(x, 2) : x, 21)), -21) * extent;
    if (isnan(x)) x = 0;
    x = x > 1e9 ? 1e9 : x < -1e9 ? -1e9 : x;
    if (mixing == NEAREST) {
        int64_t n = (int64_t)floor(x) + offset;
        p.number[0] = p.number[1] = address(n, extent, mode), p.weight = 0;
        return p;
    }
    // In 256ths, to the nearest.
    int64_t fixed = (int64_t)floor(256 * x + 0.5) - 128 + 256 * (int64_t)offset, last = 256 * (int64_t)(extent - 1);
    if (mode == CLAMP && mixing == MIXED) fixed = fixed < 0 ? 0 : fixed > last ? last : fixed;
    p.weight = (int)(fixed & 255);
    p.number[0] = address(fixed >> 8, extent, mode), p.number[1] = address((fixed >> 8) + 1, extent, mode);
    return p;
}

// An element: integers or the bits of floating point; or the border's colour (1), or what is missing at a cube's corner (2).
struct texel { int64_t raw[4]; int border; };

static int curved(const struct texture *t, const struct format *f, int c) {
    return t->srgb && f->kind == UNSIGNED && f->bits == 8 && (f->channels == 1 || c < f->channels - 1);
}

static struct texel fetch(const struct texture *t, const struct format *f, const struct level *l, int64_t x, int64_t y, int64_t z) {
    struct texel e = { { 0 }, 0 };
    if (x == nothing || y == nothing || z == nothing) return e;
    if (x == outside || y == outside || z == outside) {
        e.border = 1;
        return e;
    }
    element_of(f, t->format, l->bytes + (size_t)z * l->slice + (size_t)(y / f->side) * l->row + (size_t)(x / f->side) * (size_t)f->size,
        (int)(x % f->side), (int)(y % f->side), e.raw);
    return e;
}

static int64_t most(const struct format *f, int c) {
    if (f->kind == PACKED) return c == 3 ? 3 : 1023;
    return f->kind == SIGNED ? ((int64_t)1 << (f->bits - 1)) - 1 : ((int64_t)1 << f->bits) - 1;
}

// The linear values of sRGB: eight bits, in steps that grow with the code, as a device gave them.
static const uint8_t curve[256] = {
    0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 66, 72, 78, 85, 92, 99, 107, 115, 123, 131, 140, 150, 159, 169, 180, 190,
    201, 213, 224, 118, 125, 131, 138, 145, 152, 159, 166, 174, 182, 190, 198, 206, 215, 224, 233, 121, 126, 131, 136, 141, 146,
    151, 156, 162, 168, 173, 179, 185, 191, 197, 204, 105, 108, 112, 115, 118, 122, 125, 129, 133, 136, 140, 144, 148, 152, 156,
    160, 164, 169, 173, 177, 182, 186, 191, 195, 200, 205, 209, 214, 219, 224, 229, 234, 120, 122, 125, 128, 130, 133, 136, 139,
    142, 145, 148, 151, 154, 157, 160, 163, 166, 169, 172, 176, 179, 182, 186, 189, 192, 196, 199, 203, 206, 210, 214, 217, 221,
    225, 229, 232, 236, 240, 244, 248, 126, 128, 130, 132, 134, 136, 138, 141, 143, 145, 147, 149, 152, 154, 156, 158, 161, 163,
    165, 168, 170, 173, 175, 178, 180, 182, 185, 188, 190, 193, 195, 198, 200, 203, 206, 209, 211, 214, 217, 219, 222, 225, 228,
    231, 234, 237, 240, 242, 123, 124, 126, 127, 129, 130, 132, 133, 135, 137, 138, 140, 141, 143, 145, 146, 148, 150, 151, 153,
    155, 156, 158, 160, 161, 163, 165, 167, 169, 170, 172, 174, 176, 178, 179, 181, 183, 185, 187, 189, 191, 193, 195, 197, 199,
    201, 203, 205, 207, 209, 211, 213, 215, 217, 219, 221, 223, 225, 227, 229, 232, 234, 236, 238, 120, 121, 122, 123, 125, 126,
    127, 128,
};

static int step_of(int64_t code) { return code < 32 ? -14 : code < 48 ? -13 : code < 64 ? -12 : code < 96 ? -11 : code < 136 ? -10 : code < 184 ? -9 : code < 248 ? -8 : -7; }

static double linear(int64_t code) { return ldexp(curve[code], step_of(code)); }

// A component of an element as a whole number on the scale that mixtures are made in: 16 bits without a sign, the element's with one. For
// the border, its colour on that scale.
static int64_t whole(const struct texture *t, const struct format *f, struct texel e, int c) {
    float b = t->border[c];
    double unit = b > 0 ? b < 1 ? b : 1 : 0, both = b > -1 ? b < 1 ? b : 1 : isnan(b) ? 0 : -1;
    switch (f->kind) {
    case UNSIGNED:
        if (e.border) return (int64_t)floor(unit * (double)most(f, c) + 0.5) * (f->bits == 8 ? 257 : 1);
        return f->bits == 8 ? e.raw[c] * 257 : e.raw[c];
    case PACKED:
        if (e.border) return c == 3 ? (int64_t)floor(unit * 65535 + 0.5) : ((int64_t)floor(unit * 65535 + 0.5) * 1023 + 32767) / 65535;
        return c == 3 ? e.raw[c] * 21845 : e.raw[c] << 6 | e.raw[c] >> 4;
    case SIGNED: return e.border ? (int64_t)floor(both * (double)most(f, c) + 0.5) : e.raw[c];
    case WHOLE: case WHOLE_SIGNED: {
        uint32_t raw = bits_of(b);
        if (!e.border) return e.raw[c];
        if (f->kind == WHOLE) return raw & (uint32_t)most(f, c);
        return f->bits == 8 ? (int8_t)raw : f->bits == 16 ? (int16_t)raw : (int32_t)raw;
    }
    default: return 0;
    }
}

static double real(const struct texture *t, const struct format *f, struct texel e, int c) {
    if (f->kind == UNSIGNED) return e.border ? t->border[c] > 0 ? fmin(t->border[c], 1) : 0 : linear(e.raw[c]);
    if (!e.border) return f->kind == HALF ? half_value((uint16_t)e.raw[c]) : single((uint32_t)e.raw[c]);
    if (f->kind == SINGLE) return t->border[c];
    // Cut off to halves.
    double x = t->border[c];
    if (!isfinite(x) || fabs(x) < 0x1p-14) return ldexp(trunc(ldexp(x, 24)), -24);
    if (fabs(x) > 65504) return copysign(65504, x);
    int exponent = ilogb(x);
    return ldexp(trunc(ldexp(x, 10 - exponent)), exponent - 10);
}

// One component of a single element.
static uint32_t alone(const struct texture *t, const struct format *f, struct texel e, int c) {
    if (c >= f->channels) return c == 3 && f->opaque ? bits_of(1) : 0;
    switch (f->kind) {
    case WHOLE: case WHOLE_SIGNED: return (uint32_t)whole(t, f, e, c);
    case SINGLE: return e.border ? bits_of(t->border[c]) : (uint32_t)e.raw[c];
    case SIGNED: return bits_of((float)fmax((double)whole(t, f, e, c) / (double)most(f, c), -1));
    case HALF: return bits_of((float)real(t, f, e, c));
    case PACKED:
        if (e.border) return bits_of((float)((double)whole(t, f, e, c) / (c == 3 ? 65535 : 1023)));
        return bits_of((float)((double)e.raw[c] / (double)most(f, c)));
    case UNSIGNED:
        if (curved(t, f, c)) return bits_of((float)real(t, f, e, c));
        return bits_of((float)((double)whole(t, f, e, c) / 65535));
    }
    return 0;
}

// One component of a mixture.
static uint32_t mixture(const struct texture *t, const struct format *f, const struct texel *e, const int *weight, int count, int c) {
    if (c >= f->channels) return c == 3 && f->opaque ? bits_of(1) : 0;
    int64_t sum = 0;
    int reals = f->kind == HALF || f->kind == SINGLE || curved(t, f, c);
    for (int n = 0; n < count; n++) {
        if (!weight[n]) continue;
        if (!reals) {
            int64_t x = whole(t, f, e[n], c);
            if (f->kind == PACKED && e[n].border) x = (int64_t)floor((t->border[c] > 0 ? fmin(t->border[c], 1) : 0) * 65535 + 0.5);
            sum += weight[n] * x;
        }
    }
    if (reals) {
        // Four at a time are lined up with the largest of them, and cut off some bits behind the point of that one; added exactly.
        double x = 0;
        for (int group = 0; group < count; group += 4) {
            int top = -2000, end = group + 4 < count ? group + 4 : count;
            for (int n = group; n < end; n++) {
                double v = real(t, f, e[n], c);
                int at = v == 0 || !isfinite(v) ? -2000 : ilogb(v) - (f->kind == SINGLE ? 27 : f->kind == HALF ? 14 : 7);
                if (f->kind == UNSIGNED && !e[n].border) at = v == 0 ? -2000 : step_of(e[n].raw[c]);
                if (weight[n] && at > top) top = at;
            }
            for (int n = group; n < end; n++) {
                double v = real(t, f, e[n], c);
                if (weight[n]) x += weight[n] * (isfinite(v) ? ldexp(trunc(ldexp(v, -top)), top) : v);
            }
        }
        if (f->kind == SINGLE) return bits_of((float)rounded(x / 256, 23, -126, 1));
        return bits_of((float)rounded(x / 256, 10, -14, 1));
    }
    switch (f->kind) {
    case UNSIGNED: case PACKED: return bits_of((float)((double)((sum + 128) >> 8) / 65535));
    case SIGNED: {
        // 258 and a 128th of a step for each of eight bits; the least number counts until all is mixed.
        double x = floor((double)sum * (f->bits == 8 ? 33025.0 / 128 : 1) / 256 + 0.5);
        return bits_of((float)(fmax(x, -32767) / 32767));
    }
    default: return (uint32_t)(sum + (f->bits < 32 ? 128 : 0) >> 8);
    }
}

// Weights of two, four or eight elements, which add up to `all`; bit 0 of the number is the first axis. They are parted along the last
// axis first, then along the first one, then along the second: halves go to the next one along the first.
static int weights_of(const struct pair *p, int dimensions, int all, int *weight) {
    int parts[2] = { all, 0 };
    if (dimensions == 3) parts[1] = (all * p[2].weight + 127) >> 8, parts[0] -= parts[1];
    for (int z = 0; z < (dimensions == 3 ? 2 : 1); z++) {
        int next = (parts[z] * p[0].weight + 128) >> 8, columns[2] = { parts[z] - next, next };
        for (int x = 0; x < 2; x++) {
            int upper = dimensions > 1 ? (columns[x] * p[1].weight + 127 + x) >> 8 : 0;
            if (dimensions > 1) weight[4 * z + 2 + x] = upper;
            weight[4 * z + x] = columns[x] - upper;
        }
    }
    return 1 << dimensions;
}

// Which face a direction meets, and where: parts of its sides.
static int face_of(const float *v, double *s, double *t) {
    // Scaled by the reciprocal of the longest part; what is no number then is 0.
    float reciprocal = 1 / fmaxf(fmaxf(fabsf(v[0]), fabsf(v[1])), fabsf(v[2])), d[3];
    for (int k = 0; k < 3; k++) d[k] = v[k] * reciprocal, d[k] = isnan(d[k]) ? 0 : d[k];
    float x = d[0], y = d[1], z = d[2], a = fabsf(x), b = fabsf(y), c = fabsf(z);
    int face = c >= a && c >= b ? z < 0 ? 5 : 4 : b >= a ? y < 0 ? 3 : 2 : x < 0 ? 1 : 0;
    const float right[6] = { -z, z, x, x, x, -x }, down[6] = { -y, -y, z, -z, -y, -y };
    *s = right[face] * 0.5 + 0.5, *t = down[face] * 0.5 + 0.5;
    return face;
}

// The element across one edge of a face; corners have none.
static int across(int face, int64_t *x, int64_t *y, int size) {
    int in_x = *x >= 0 && *x < size, in_y = *y >= 0 && *y < size;
    if (in_x && in_y) return face;
    if (!in_x && !in_y) return -1;
    // Directions of faces: the middle, to the right, down.
    static const int frame[6][3][3] = {
        { { 1, 0, 0 }, { 0, 0, -1 }, { 0, -1, 0 } }, { { -1, 0, 0 }, { 0, 0, 1 }, { 0, -1, 0 } }, { { 0, 1, 0 }, { 1, 0, 0 }, { 0, 0, 1 } },
        { { 0, -1, 0 }, { 1, 0, 0 }, { 0, 0, -1 } }, { { 0, 0, 1 }, { 1, 0, 0 }, { 0, -1, 0 } }, { { 0, 0, -1 }, { -1, 0, 0 }, { 0, -1, 0 } },
    };
    // The element in whole steps of half an element from the cube's middle, folded over the edge: the axis across the edge becomes the
    // new middle, the old middle the way inwards.
    int64_t right = 2 * *x + 1 - size, down = 2 * *y + 1 - size;
    int toward = in_y ? right < 0 ? -1 : 1 : down < 0 ? -1 : 1, across_x = in_y;
    int64_t place[3];
    for (int k = 0; k < 3; k++) {
        // On the new face the element touches the edge.
        place[k] = frame[face][0][k] * (int64_t)(size - 1) + (across_x ? frame[face][2][k] * down : frame[face][1][k] * right);
        place[k] += frame[face][across_x ? 1 : 2][k] * toward * (int64_t)size;
    }
    for (int other = 0; other < 6; other++) {
        int same = 1;
        for (int k = 0; k < 3; k++) same &= frame[other][0][k] == frame[face][across_x ? 1 : 2][k] * toward;
        if (!same) continue;
        int64_t u = 0, v = 0;
        for (int k = 0; k < 3; k++) u += frame[other][1][k] * place[k], v += frame[other][2][k] * place[k];
        *x = (u + size - 1) / 2, *y = (v + size - 1) / 2;
        return other;
    }
    return -1;
}

// The elements around a place in a level, and their weights, which add up to `whole_weight`. Returns how many.
static int around(const struct texture *t, const struct format *f, const struct instruction *i, enum way way, const uint32_t *place, const struct level *l,
    enum mixing mixing, int whole_weight, struct texel *e, int *weight) {
    int dimensions = i->dimensions, extent[3] = { l->w, l->h ? l->h : 1, l->d ? l->d : 1 }, offset[3] = { 0 };
    int layers = i->layered ? l->d / (i->cube ? 6 : 1) : 1;
    int64_t layer = i->layered ? place[4] : 0;
    struct pair p[3] = { { { 0, 0 }, 0 }, { { 0, 0 }, 0 }, { { 0, 0 }, 0 } };
    // Memory has no offsets.
    if (t->resource == LINEAR) way = PLAIN;
    if (way == LOW) for (int k = 0; k < 3; k++) offset[k] = -8;
    if (way == HIGH) for (int k = 0; k < 3; k++) offset[k] = 7;
    if (way == REGISTERS) for (int k = 0; k < 3; k++) offset[k] = i->gather >= 0 ? (int)(place[12 + k] & 63) - (place[12 + k] & 32 ? 64 : 0) : (int)(place[12 + k] & 15) - (place[12 + k] & 8 ? 16 : 0);
    int outside_layer = layer >= layers;
    if (outside_layer) layer = layers - 1;
    if (i->cube) {
        float v[3] = { single(place[0]), single(place[1]), single(place[2]) };
        double s[2];
        int face = face_of(v, &s[0], &s[1]), size = l->w;
        if (!t->seamless) {
            for (int k = 0; k < 2; k++) p[k] = along(s[k], size, 0, t->mode[k], 1, mixing);
            int count = mixing == NEAREST ? 1 : 4;
            for (int n = 0; n < count; n++) e[n] = fetch(t, f, l, p[0].number[n & 1], p[1].number[n >> 1], layer * 6 + face);
            return mixing == NEAREST ? weight[0] = whole_weight : weights_of(p, 2, whole_weight, weight), count;
        }
        int64_t first[2];
        for (int k = 0; k < 2; k++) {
            int64_t fixed = mixing == NEAREST ? (int64_t)floor(s[k] * size) * 256 : (int64_t)floor(s[k] * size * 256 + 0.5) - 128;
            first[k] = fixed >> 8, p[k].weight = (int)(fixed & 255);
            if (mixing == NEAREST && first[k] >= size) first[k] = size - 1;
        }
        if (mixing == NEAREST) return weight[0] = whole_weight, e[0] = fetch(t, f, l, first[0], first[1], layer * 6 + face), 1;
        weights_of(p, 2, whole_weight, weight);
        int left_out = -1;
        for (int n = 0; n < 4; n++) {
            int64_t x = first[0] + (n & 1), y = first[1] + (n >> 1);
            int other = across(face, &x, &y, size);
            if (other < 0) left_out = n;
            else e[n] = fetch(t, f, l, x, y, layer * 6 + other);
        }
        if (left_out >= 0) {
            // Three faces leave an element out: the others get its weight.
            e[left_out].border = 2;
            int all = weight[left_out], third = (all * 85 + 128) >> 8;
            weight[left_out] = 0, weight[left_out ^ 3] += all - 2 * third, weight[left_out ^ 1] += third, weight[left_out ^ 2] += third;
        }
        return 4;
    }
    int rows = 0;
    if (dimensions == 1 && !i->layered && !i->whole && t->mode[1] == BORDER) {
        // A row with its border above and below; the next four bits of the offset count along it.
        uint32_t bits = way == LOW ? (uint32_t)-8 : way == HIGH ? 7 : way == REGISTERS ? place[12] : 0;
        rows = 1, dimensions = 2, offset[1] = (int)(bits >> 4 & 15) - (bits & 128 ? 16 : 0);
    }
    for (int k = 0; k < dimensions; k++) {
        if (i->whole) {
            int64_t n = (int64_t)(int32_t)place[k] + offset[k];
            // With a level, numbers outside mean the nearest element, else nothing.
            if (i->level) n = n < 0 ? 0 : n >= extent[k] ? extent[k] - 1 : n;
            p[k].number[0] = p[k].number[1] = n >= 0 && n < extent[k] ? n : nothing;
        } else
            p[k] = along(rows && k ? 0 : single(place[k]), extent[k], offset[k], t->mode[k], t->normalized || t->resource == MIPMAPS, mixing);
    }
    // Integers read what lies in memory, parts of the extent rows of arrays.
    if (i->dimensions == 1 && !i->layered && i->whole != (t->resource == LINEAR)) p[0].number[0] = p[0].number[1] = nothing;
    // Elements have one sample, and only the first layer has elements then.
    if (i->samples && (place[5] != 0 || (i->layered && place[4] != 0))) p[0].number[0] = p[0].number[1] = nothing;
    if (i->whole && outside_layer && !i->level) p[0].number[0] = p[0].number[1] = nothing;
    int count = mixing == NEAREST ? 1 : 1 << dimensions;
    for (int n = 0; n < count; n++) {
        int64_t z = i->layered ? layer : dimensions == 3 ? p[2].number[n >> 2] : 0;
        e[n] = fetch(t, f, l, p[0].number[n & 1], dimensions > 1 ? p[1].number[n >> 1 & 1] : 0, z);
    }
    if (count == 1) weight[0] = whole_weight;
    else weights_of(p, dimensions, whole_weight, weight);
    return count;
}

// What a texture gives between two levels: all elements of both are mixed at once.
static void between(const struct texture *t, const struct format *f, const struct instruction *i, enum way way, const uint32_t *place, int level, int fraction, uint32_t *out) {
    struct texel e[16];
    int weight[16];
    enum mixing mixing = t->linear && !i->whole && t->resource != LINEAR ? MIXED : NEAREST;
    int count = around(t, f, i, way, place, &t->levels[level], mixing, 256 - fraction, e, weight);
    if (fraction) count += around(t, f, i, way, place, &t->levels[level + 1], mixing, fraction, e + count, weight + count);
    for (int c = 0; c < 4; c++) out[c] = count == 1 ? alone(t, f, e[0], c) : mixture(t, f, e, weight, count, c);
}

// Nine bits behind the first.
static double nine_bits(double x) {
    return single(bits_of((float)x) & ~0x3fffu);
}

// The length of a vector as the device has it: the longest part, 11/32 of the next and a quarter of the least, with twelve bits behind
// the first of the longest.
static double length_of(const double *v) {
    double all[3] = { fabs(v[0]), fabs(v[1]), fabs(v[2]) };
    for (int pass = 0; pass < 2; pass++)
        for (int n = 0; n < 2; n++)
            if (all[n] < all[n + 1]) {
                double a = all[n];
                all[n] = all[n + 1], all[n + 1] = a;
            }
    if (!(all[0] > 0) || isinf(all[0])) return all[0];
    int step = ilogb(all[0]) - 12;
    return all[0] + ldexp(floor(ldexp(all[1] * 11 / 32, -step) + 0.5) + floor(ldexp(all[2] / 4, -step)), step);
}

// The level for two gradients: the logarithm of the longest of the two and of 11/16 of their sum and difference, looked up by the eight
// bits behind the first. In 4 places of 100 the device's is another, by at most two 256ths.
static double level_for(const struct texture *t, const struct instruction *i, const uint32_t *place) {
    int extent[3] = { t->levels[0].w, t->levels[0].h, t->levels[0].d };
    double p[3] = { 0 }, q[3] = { 0 }, sum[3], difference[3];
    for (int k = 0; k < i->dimensions; k++) {
        p[k] = nine_bits(single(place[6 + k]) * (float)extent[k]), q[k] = nine_bits(single(place[9 + k]) * (float)extent[k]);
        if (isnan(p[k])) p[k] = 0;
        if (isnan(q[k])) q[k] = 0;
    }
    for (int k = 0; k < 3; k++) sum[k] = nine_bits(p[k] + q[k]), difference[k] = nine_bits(p[k] - q[k]);
    double longest = fmax(fmax(length_of(p), length_of(q)), fmax(length_of(sum), length_of(difference)) * 11 / 16);
    if (!(longest > 0)) return -INFINITY;
    if (isinf(longest)) return INFINITY;
    int exponent = ilogb(longest), index = (int)floor((ldexp(longest, -exponent) - 1) * 256);
    double table = index ? fmin(floor(256 * log2(1 + (index + 0.47) / 256) + 0.5), 255) : 0;
    return exponent + table / 256;
}

double model_fetch(const struct texture *t, const struct instruction *instruction, enum way way, const uint32_t *place, int shift, uint32_t *out) {
    struct instruction own = *instruction, *i = &own;
    // With gradients, numbers of elements are taken for the bits of real coordinates.
    if (i->grad) own.whole = 0;
    struct format f;
    if (!format_of(t->format, t->channels, t->integers, &f)) exit(fprintf(stderr, "no model of format %x\n", t->format));
    memset(out, 0, 16);
    if (i->grad && instruction->whole && i->dimensions == 1 && !i->layered) return 0;
    if (i->gather >= 0) {
        static const int order[] = { 2, 3, 1, 0 };
        struct texel e[8];
        int weight[8], count = around(t, &f, i, way, place, &t->levels[0], GATHERED, 256, e, weight);
        for (int n = 0; n < 4; n++) {
            // As mixtures of one, or of the three around a corner, of which the opposite one counts 86 256ths.
            static const int all[] = { 256 }, thirds[] = { 86, 85, 85 };
            int k = count == 4 ? order[n] : 0;
            struct texel three[] = { e[k ^ 3], e[k ^ 1], e[k ^ 2] };
            out[n] = e[k].border == 2 ? mixture(t, &f, three, thirds, 3, i->gather) : mixture(t, &f, &e[k], all, 1, i->gather);
        }
        return t->seamless && f.kind == SIGNED && f.bits == 8 ? 0x1.02p-15 : 0;
    }
    int near = 0, fraction = 0;
    if (i->whole) {
        // Numbers of elements go with numbers of levels, whatever the texture says about levels.
        int64_t level = i->level ? (int32_t)place[5] : 0;
        if (t->resource != LINEAR && (level < 0 || level >= t->count)) return 0;
        near = t->resource == LINEAR ? 0 : (int)level;
    } else if (t->count > 1) {
        double level = i->base ? -INFINITY : !i->level ? i->grad ? level_for(t, i, place) : 0 : single(place[5]);
        if (isnan(level)) level = 0;
        // In 256ths.
        level = fmin(fmax(floor(fmin(fmax(level, -1000), 1000) * 256) + trunc(t->bias * 256), -1e6), 1e6) / 256;
        // Not known; all levels are tried.
        if (i->grad && i->dimensions == 3) level = 0;
        level = fmin(fmax(fmax(fmin(level + shift / 256.0, t->most), t->least), 0), t->count - 1);
        if (t->mix_levels) near = (int)floor(level * 256) >> 8, fraction = (int)floor(level * 256) & 255;
        else near = (int)floor(level + 0.5);
    }
    between(t, &f, i, way, place, near, fraction, out);
    if (i->halves)
        for (int c = 0; c < 4; c++) out[c] = half_bits(single(out[c]));
    if (i->words == 2) out[0] |= out[1] << 16, out[1] = out[2] | out[3] << 16, out[2] = out[3] = 0;
    // Mixtures of eight bits with a sign are off by one of 32767 steps in one place of sixty.
    return t->linear && !i->whole && f.kind == SIGNED && f.bits == 8 ? (i->halves ? 0x1p-11 : 0x1.02p-15) : 0;
}

int model_query(const struct texture *t, const struct instruction *i, uint32_t level, uint32_t *out) {
    const char *q = i->question;
    int surface = i->opcode[0] == 's', layered = t->array_flags & 1, cube = t->array_flags & 4;
    *out = 0;
    if (!i->level) level = 0;
    if (level >= (uint32_t)t->count) return 1;
    const struct level *l = &t->levels[level];
    int stacked = layered || cube, rows = layered && !cube && !t->h;
    if (!strcmp(q, "width")) *out = (uint32_t)l->w;
    else if (!strcmp(q, "height")) *out = (uint32_t)(rows ? t->d : l->h ? l->h : t->resource != LINEAR && !surface);
    else if (!strcmp(q, "depth")) {
        if (!stacked) *out = surface ? (uint32_t)l->d : (uint32_t)(t->d ? l->d : 0);
        else if (rows) *out = 0;
        else if (!cube || surface) *out = (uint32_t)t->d;
        else *out = layered ? (uint32_t)t->d / 6 : 0;
    } else if (!strcmp(q, "array_size")) *out = stacked ? (uint32_t)t->d : surface ? 0 : 1;
    else if (!strcmp(q, "num_mipmap_levels")) *out = (uint32_t)t->count;
    else if (!strcmp(q, "num_samples")) *out = 1;
    else return 0;
    return 1;
}
