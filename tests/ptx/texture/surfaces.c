// What surface instructions should do to the bytes of an array.
#include "texture.h"
#include <math.h>

static float single(uint32_t bits) {
    float x;
    memcpy(&x, &bits, 4);
    return x;
}

// A number as an integer of a normalised format; the device rounds up from 17/32 on.
static int64_t stepped(float x, int64_t most, int has_sign) {
    if (isnan(x)) return 0;
    double scaled = (double)x * (double)most, size;
    if (scaled > (double)most) scaled = (double)most;
    if (scaled < (has_sign ? -(double)most : 0)) scaled = has_sign ? -(double)most : 0;
    size = floor(fabs(scaled) + 15.0 / 32);
    return scaled < 0 ? -(int64_t)size : (int64_t)size;
}

// A single cut off to half precision: nothing becomes infinite that was not.
static uint16_t cut_off(uint32_t bits) {
    float x = single(bits);
    uint16_t sign = bits >> 16 & 0x8000;
    if (isnan(x)) return (uint16_t)(sign | 0x7c00 | (bits >> 13 & 0x3ff));
    if (isinf(x)) return sign | 0x7c00;
    double size = fabs(x);
    if (size >= 65536) return sign | 0x7bff;
    if (size < 0x1p-14) return sign | (uint16_t)ldexp(size, 24);
    int exponent = ilogb(size);
    return (uint16_t)(sign | (exponent + 15) << 10 | ((int)ldexp(size, 10 - exponent) - 1024));
}

static void put(uint8_t *at, uint64_t x, int bytes) {
    for (int n = 0; n < bytes; n++) at[n] = (uint8_t)(x >> 8 * n);
}

static uint64_t get(const uint8_t *at, int bytes) {
    uint64_t x = 0;
    for (int n = 0; n < bytes; n++) x |= (uint64_t)at[n] << 8 * n;
    return x;
}

static void store_element(const struct texture *t, uint8_t *at, const uint32_t *values, int given) {
    struct format f;
    format_of(t->format, t->channels, 1, &f);
    if (f.kind == PACKED) {
        uint64_t x = 0;
        for (int c = 0; c < 4; c++) x |= (uint64_t)stepped(single(c < given ? values[c] : 0), c == 3 ? 3 : 1023, 0) << 10 * c;
        put(at, x, 4);
        return;
    }
    for (int c = 0; c < f.channels; c++) {
        uint32_t v = c < given ? values[c] : 0;
        int64_t x = v, most = ((int64_t)1 << (f.bits - (f.kind == SIGNED || f.kind == WHOLE_SIGNED))) - 1;
        switch (f.kind) {
        case WHOLE: x = v > most ? most : v; break;
        case WHOLE_SIGNED: x = (int32_t)v > most ? most : (int32_t)v < -most - 1 ? -most - 1 : (int32_t)v; break;
        case HALF: x = cut_off(v); break;
        case UNSIGNED: case SIGNED: x = stepped(single(v), most, f.kind == SIGNED); break;
        default: break;
        }
        put(at + c * f.bits / 8, (uint64_t)x, f.bits / 8);
    }
}

int model_surface(struct texture *t, const struct instruction *i, const uint32_t *place, uint64_t *out) {
    struct format f;
    struct level *l = &t->levels[0];
    format_of(t->format, t->channels, 1, &f);
    // Reductions by elements count in their own sizes. A layer has 16 bits.
    int64_t size = i->by_element && !*i->operation ? f.size : i->bytes * i->count;
    int64_t at[3] = { (int32_t)place[0], i->dimensions > 1 ? (int32_t)place[1] : 0, i->dimensions > 2 ? (int32_t)place[2] : 0 };
    int64_t last[3] = { ((int64_t)l->w * f.size / size - 1) * size, (l->h ? l->h : 1) - 1, (l->d ? l->d : 1) - 1 };
    if (i->by_element) at[0] *= size;
    if (i->layered) at[2] = place[3] & 0xffff;
    for (int k = 0; k < 4; k++) out[k] = 0;
    if (at[0] % size) return 'm';
    for (int k = 0; k < 3; k++) {
        if (at[k] >= 0 && at[k] <= last[k]) continue;
        if (i->outside == 't') return 'o';
        if (i->outside == 'z') return 0;
        at[k] = at[k] < 0 || last[k] < 0 ? 0 : last[k];
    }
    uint8_t *to = (uint8_t *)l->bytes + (size_t)at[2] * l->slice + (size_t)at[1] * l->row + (size_t)at[0];
    if (!strcmp(i->opcode, "suld")) {
        for (int n = 0; n < i->count; n++) out[n] = get(to + n * i->bytes, i->bytes);
        return 0;
    }
    uint64_t values[4];
    for (int n = 0; n < 4; n++) values[n] = i->bytes == 8 ? place[8 + 2 * n] | (uint64_t)place[9 + 2 * n] << 32 : place[8 + n];
    if (!strcmp(i->opcode, "sust")) {
        uint32_t narrow[4] = { place[8], place[9], place[10], place[11] };
        if (i->by_element) store_element(t, to, narrow, i->count);
        else for (int n = 0; n < i->count; n++) put(to + n * i->bytes, values[n], i->bytes);
        return 0;
    }
    // By elements, numbers have a sign if the format's have one.
    int has_sign = i->by_element ? f.kind == WHOLE_SIGNED : i->type == 's';
    uint64_t old = get(to, i->bytes), own = values[0], both = i->bytes == 8 ? ~0ull : 0xffffffff;
    int64_t p = i->bytes == 8 ? (int64_t)old : (int32_t)old, q = i->bytes == 8 ? (int64_t)own : (int32_t)own;
    if (!strcmp(i->operation, "add")) old += own;
    else if (!strcmp(i->operation, "and")) old &= own;
    else if (!strcmp(i->operation, "or")) old |= own;
    else if (!strcmp(i->operation, "min")) old = has_sign ? (uint64_t)(p < q ? p : q) : old < own ? old : own;
    else old = has_sign ? (uint64_t)(p > q ? p : q) : old > own ? old : own;
    put(to, old & both, i->bytes);
    return 0;
}
