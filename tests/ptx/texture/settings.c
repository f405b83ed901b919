// Textures and surfaces that instructions are tried on, and places in and around them.
#include "settings.h"
#include <math.h>
#include <stdarg.h>

static uint64_t state;
static uint32_t next(void) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) ^ (uint32_t)(state >> 13 & 1) << 31;
}
static double unit(void) { return next() / 4294967296.0; }

void must(CUresult r, const char *what) {
    const char *s = "?";
    if (!r) return;
    cuGetErrorName(r, &s);
    fprintf(stderr, "%s: %s\n", what, s);
    exit(1);
}

static uint32_t bits_of(double x) {
    float f = (float)x;
    uint32_t u;
    memcpy(&u, &f, 4);
    return u;
}

// Contents: floating point has few bits, so that sums do not depend on their order.
static void fill(uint8_t *p, size_t bytes, unsigned format, unsigned seed) {
    state = seed;
    for (size_t i = 0; i < bytes; i++) p[i] = (uint8_t)next();
    for (size_t i = 0; format == 0x20 && i < bytes / 4; i++) {
        uint32_t v = bits_of((int)(next() % 512) / 64.0 - 4);
        memcpy(p + i * 4, &v, 4);
    }
    for (size_t i = 0; format == 0x10 && i < bytes / 2; i++) {
        _Float16 v = (_Float16)((int)(next() % 512) / 64.0 - 4);
        memcpy(p + i * 2, &v, 2);
    }
}

// A coordinate along an axis: edges first, then anything around.
static double coordinate(int n, int extent) {
    static const double edges[] = { 0, -0.0, 0.5, 1, 1.5, -0.5, -1, -1.5, 0.25, 0.75, 1e-40, -1e-40, 1e10, -1e10, INFINITY, -INFINITY, NAN, 3e38, 2147483648.0, 65536.5, -70000.25 };
    const int fixed = sizeof edges / sizeof *edges;
    if (n < fixed) return edges[n];
    // Whole and half elements at the far end, what lies next to them, and ties of 256ths.
    n -= fixed;
    if (n < 12) return extent + (n - 6) * 0.5;
    if (n < 24) return nextafterf((float)(extent * (n / 2 % 3) + (n - 18) / 6 * 0.5), n & 1 ? INFINITY : -INFINITY);
    if (n < 32) return (n * 37 % (extent * 256) + 0.5) / 256;
    if (n < 36) return (n % 2 ? -1.0 : 2.0) * extent + 0.125 * (n - 32);
    double x = (unit() * 4 - 1.5) * extent;
    if (n % 4 == 1) x = floor(x * 2 + 0.5) / 2;
    if (n % 4 == 2) x = floor(x * 512 + 0.5) / 512;
    return x;
}

static int32_t number(int n, int extent) {
    const int32_t edges[] = { 0, extent - 1, extent, -1, 1, extent + 1, -extent, 2 * extent, INT32_MAX, INT32_MIN, extent + 7, -8, -7, extent - 8, 65536, INT32_MAX - 7 };
    if (n < 16) return edges[n];
    return (int32_t)(next() % (unsigned)(4 * extent)) - extent;
}

static void places_of(struct setting *s, int dimensions, int cube) {
    static const float odd[] = { 0, -0.0f, 0.5f, 1, 1.5f, 2.25f, -1, -INFINITY, INFINITY, NAN, 1e10f, 0.00390625f, 0.001953125f, 0.998046875f, 0.49999997f, 0.50000006f, 2.5f, 3, 3.5f, 4, 1e-40f };
    struct texture *t = &s->t;
    int extent[3] = { t->w, t->h ? t->h : 1, t->d ? t->d : 1 }, layers = t->array_flags & 4 ? t->d / 6 : t->d ? t->d : 1;
    state = 4711 + (uint64_t)dimensions;
    for (int i = 0; i < PLACES; i++) {
        uint32_t *real = s->places[0][i], *whole = s->places[1][i];
        for (int k = 0; k < 3; k++) {
            // Each edge of one axis meets some of the others.
            int n = k == 0 ? i : (i * (k == 1 ? 7 : 11) + 3) % (i < 128 ? 80 : PLACES);
            double x = coordinate(n, extent[k]);
            real[k] = bits_of(t->normalized ? (float)x / (float)extent[k] : x);
            whole[k] = (uint32_t)number(k == 0 ? i : (i * (k == 1 ? 5 : 3) + k) % (i < 64 ? 16 : PLACES), extent[k]);
        }
        if (cube) {
            // Directions: middles, edges and corners of faces first, then anything.
            static const float ends[] = { 0, 1, -1, 0.5f, -0.5f, 2, -0.0f, 0.99999994f };
            for (int k = 0; k < 3; k++) {
                double x = unit() * 2 - 1;
                if (i < 128) x = ends[(i >> 2 * k | i << 1 >> 3 * k) & 7];
                else if (i < 160) x = floor(x * 8 + 0.5) / 8;
                real[k] = bits_of(x);
            }
            if (i == 250) real[0] = bits_of(INFINITY);
            if (i == 251) real[1] = bits_of(NAN);
            if (i == 252) real[0] = real[1] = real[2] = 0;
            if (i == 253) real[2] = bits_of(1e-40);
            if (i == 254) real[1] = bits_of(-INFINITY), real[2] = bits_of(3e38);
        }
        real[4] = whole[4] = i % 8 == 0 ? UINT32_MAX : i % 8 == 1 ? (uint32_t)layers : i % 64 == 2 ? 65536 : next() % (unsigned)layers;
        real[5] = i < 42 ? bits_of(odd[i % 21]) : bits_of(unit() * (t->count + 3) - 1.5);
        whole[5] = i < 8 ? (uint32_t)(i - 2) : i == 8 ? INT32_MAX : i == 9 ? (uint32_t)INT32_MIN : next() % 10 - 2;
        for (int k = 6; k < 12; k++) {
            double x = (unit() * 2 - 1) * pow(2, unit() * (t->count + 2)) / extent[k % 3];
            if (i % 4 == 1 && k >= 9) x = 0;
            if (i % 4 == 2 && k % 3) x = 0;
            if (i == 0 || (i == 1 && k == 6)) x = 0;
            if (i == 4) x = 1e20;
            if (i == 8 && k == 7) x = INFINITY;
            if (i == 12 && k == 7) x = NAN;
            if (i == 16) x = 1e-38;
            real[k] = whole[k] = bits_of(x);
        }
        for (int k = 12; k < 16; k++) real[k] = whole[k] = i < 4 ? i & 1 ? 7 : (uint32_t)-8 : i < 8 ? next() : next() % 16 - 8;
    }
}

static CUDA_ARRAY3D_DESCRIPTOR description(const struct texture *t) {
    CUDA_ARRAY3D_DESCRIPTOR d;
    memset(&d, 0, sizeof d);
    d.Width = (size_t)t->w, d.Height = (size_t)t->h, d.Depth = (size_t)t->d, d.Format = (CUarray_format)t->format, d.NumChannels = t->channels, d.Flags = t->array_flags;
    return d;
}

static void to_array(CUarray a, const struct level *l, const struct format *f, int back, uint8_t *bytes) {
    CUDA_MEMCPY3D c;
    memset(&c, 0, sizeof c);
    size_t rows = (size_t)((l->h ? l->h : 1) + f->side - 1) / (size_t)f->side, d = (size_t)(l->d ? l->d : 1);
    if (back) c.dstMemoryType = CU_MEMORYTYPE_HOST, c.dstHost = bytes, c.dstPitch = l->row, c.dstHeight = rows, c.srcMemoryType = CU_MEMORYTYPE_ARRAY, c.srcArray = a;
    else c.srcMemoryType = CU_MEMORYTYPE_HOST, c.srcHost = bytes, c.srcPitch = l->row, c.srcHeight = rows, c.dstMemoryType = CU_MEMORYTYPE_ARRAY, c.dstArray = a;
    c.WidthInBytes = l->row, c.Height = rows, c.Depth = d;
    must(cuMemcpy3D(&c), "copy of an array");
}

void copy_level(struct setting *s, int back, uint8_t *bytes) {
    struct format f;
    format_of(s->t.format, s->t.channels, 0, &f);
    to_array(s->array, &s->t.levels[0], &f, back, bytes);
}

static struct setting *add(struct settings *list, struct texture t, enum purpose purpose, int dimensions, int cube, int of_surface) {
    struct setting *s = calloc(1, sizeof *s);
    struct format f;
    CUDA_RESOURCE_DESC r;
    CUDA_TEXTURE_DESC d;
    memset(&r, 0, sizeof r), memset(&d, 0, sizeof d);
    format_of(t.format, t.channels, 0, &f);
    if (!t.count) t.count = 1;
    CUmipmappedArray mipmaps = NULL;
    CUDA_ARRAY3D_DESCRIPTOR shape = description(&t);
    if (t.resource == MIPMAPS) must(cuMipmappedArrayCreate(&mipmaps, &shape, (unsigned)t.count), "levels");
    for (int n = 0; n < t.count; n++) {
        struct level *l = &t.levels[n];
        int stacked = t.array_flags & 5;
        l->w = t.w >> n ? t.w >> n : 1, l->h = !t.h ? 0 : t.h >> n ? t.h >> n : 1, l->d = !t.d || stacked ? t.d : t.d >> n ? t.d >> n : 1;
        int rows = ((l->h ? l->h : 1) + f.side - 1) / f.side;
        l->row = (size_t)((l->w + f.side - 1) / f.side * f.size), l->slice = l->row * (size_t)rows;
        uint8_t *bytes = malloc(l->slice * (size_t)(l->d ? l->d : 1));
        fill(bytes, l->slice * (size_t)(l->d ? l->d : 1), t.format, t.format * 16 + t.channels + 1000 * (unsigned)n);
        l->bytes = bytes;
        if (t.resource == MIPMAPS) {
            must(cuMipmappedArrayGetLevel(&s->array, mipmaps, (unsigned)n), "level");
            to_array(s->array, l, &f, 0, bytes);
        } else if (t.resource == ARRAY) {
            must(cuArray3DCreate(&s->array, &shape), "array");
            to_array(s->array, l, &f, 0, bytes);
        } else {
            CUdeviceptr p;
            size_t pitch = t.resource == PITCHED ? 256 : l->row;
            must(cuMemAlloc(&p, pitch * (size_t)rows + 4096), "memory");
            must(cuMemsetD8(p, 0x77, pitch * (size_t)rows + 4096), "fill");
            for (int y = 0; y < rows; y++) must(cuMemcpyHtoD(p + (size_t)y * pitch, bytes + (size_t)y * l->row, l->row), "copy");
            if (t.resource == PITCHED) {
                r.resType = CU_RESOURCE_TYPE_PITCH2D, r.res.pitch2D.devPtr = p, r.res.pitch2D.format = (CUarray_format)t.format, r.res.pitch2D.numChannels = t.channels;
                r.res.pitch2D.width = (size_t)t.w, r.res.pitch2D.height = (size_t)t.h, r.res.pitch2D.pitchInBytes = pitch;
            } else {
                r.resType = CU_RESOURCE_TYPE_LINEAR, r.res.linear.devPtr = p, r.res.linear.format = (CUarray_format)t.format, r.res.linear.numChannels = t.channels;
                r.res.linear.sizeInBytes = l->row;
            }
        }
    }
    if (t.resource == MIPMAPS) r.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY, r.res.mipmap.hMipmappedArray = mipmaps;
    if (t.resource == ARRAY) r.resType = CU_RESOURCE_TYPE_ARRAY, r.res.array.hArray = s->array;
    t.border[0] = 0.25f, t.border[1] = -1.5f, t.border[2] = 3, t.border[3] = 0.7f;
    for (int k = 0; k < 3; k++) d.addressMode[k] = (CUaddress_mode)t.mode[k];
    memcpy(d.borderColor, t.border, sizeof t.border);
    d.filterMode = (CUfilter_mode)t.linear;
    d.flags = (t.integers ? CU_TRSF_READ_AS_INTEGER : 0) | (t.normalized ? CU_TRSF_NORMALIZED_COORDINATES : 0) | (t.srgb ? CU_TRSF_SRGB : 0) | (t.seamless ? CU_TRSF_SEAMLESS_CUBEMAP : 0);
    d.mipmapFilterMode = (CUfilter_mode)t.mix_levels, d.mipmapLevelBias = t.bias, d.minMipmapLevelClamp = t.least, d.maxMipmapLevelClamp = t.most, d.maxAnisotropy = (unsigned)t.anisotropy;
    s->t = t, s->purpose = purpose;
    snprintf(s->title, sizeof s->title, "%s %dx%dx%d format %x %d mode %d%d%d%s%s%s%s%s levels %d%s %g %g %g", (const char *[]){ "array", "levels", "linear", "pitched" }[t.resource],
        t.w, t.h, t.d, t.format, t.channels, t.mode[0], t.mode[1], t.mode[2], t.linear ? " linear" : "", t.normalized ? " normalized" : "", t.integers ? " integers" : "",
        t.srgb ? " srgb" : "", t.seamless ? " seamless" : "", t.count, t.mix_levels ? " mixed" : "", (double)t.bias, (double)t.least, (double)t.most);
    if (of_surface) must(cuSurfObjectCreate(&s->surface, &r), "surface");
    else {
        CUresult e = cuTexObjectCreate(&s->object, &r, &d, NULL);
        if (e) fprintf(stderr, "%s: %d\n", s->title, e);
        places_of(s, dimensions, cube);
    }
    list->all = realloc(list->all, sizeof *list->all * (size_t)(list->count + 1));
    list->all[list->count++] = s;
    return s;
}

static const struct { unsigned format, channels; int integers; } plain[] = {
    { 0x20, 1, 0 }, { 0x01, 4, 0 }, { 0x09, 2, 1 }, { 0x10, 4, 0 }, { 0x02, 1, 0 }, { 0x08, 2, 0 }, { 0x03, 4, 0 }, { 0x20, 4, 0 }, { 0x50, 4, 0 }, { 0xc4, 2, 0 },
    { 0xc8, 4, 0 }, { 0x0a, 2, 0 }, { 0x01, 1, 1 }, { 0x09, 4, 0 }, { 0x10, 1, 0 }, { 0x02, 2, 1 }, { 0xc9, 1, 0 },
};
enum { PLAINS = sizeof plain / sizeof *plain };

static int index_of(const struct instruction *i) {
    return i->samples ? 7 + i->layered : i->cube ? 5 + i->layered : i->layered ? 2 + i->dimensions : i->dimensions - 1;
}

static struct texture shape_of(const struct instruction *i, int levels) {
    struct texture t;
    memset(&t, 0, sizeof t);
    if (i->cube) t.w = t.h = levels ? 16 : 8, t.d = i->layered ? 18 : 6, t.array_flags = i->layered ? 5 : 4;
    else {
        t.w = levels ? 32 : i->dimensions == 1 ? 13 : i->dimensions == 2 ? 16 : 8;
        t.h = i->dimensions < 2 ? 0 : levels ? 16 : i->dimensions == 2 ? 11 : 5;
        t.d = i->layered ? 5 : i->dimensions < 3 ? 0 : levels ? 8 : 7;
        t.array_flags = i->layered ? 1 : 0;
    }
    return t;
}

const struct settings *texture_settings(const struct instruction *i) {
    static struct settings made[9];
    struct settings *list = &made[index_of(i)];
    if (list->count) return list;
    int n = 0;
    // Ways outside: each mode with each filter and both kinds of coordinates; singles, then another format each; modes that differ.
    for (int format = 0; format < 3; format++)
        for (int mode = 0; mode < 4; mode++)
            for (int linear = 0; linear < 2; linear++)
                for (int normalized = 0; normalized < 2; normalized++) {
                    struct texture t = shape_of(i, 0);
                    int p = format == 0 ? 0 : 1 + n++ % (PLAINS - 1);
                    t.format = plain[p].format, t.channels = plain[p].channels, t.integers = plain[p].integers;
                    for (int k = 0; k < 3; k++) t.mode[k] = format == 2 ? (mode + k * (1 + normalized)) % 4 : mode;
                    t.linear = linear, t.normalized = i->cube || normalized;
                    t.seamless = i->cube && normalized;
                    add(list, t, ADDRESSES, i->dimensions, i->cube, 0);
                }
    // Formats, near and mixed, with integers as such, and in sRGB.
    static const struct { unsigned format, channels; } all[] = {
        { 1, 1 }, { 1, 2 }, { 1, 4 }, { 8, 1 }, { 8, 2 }, { 8, 4 }, { 2, 1 }, { 2, 2 }, { 2, 4 }, { 9, 1 }, { 9, 2 }, { 9, 4 }, { 3, 1 }, { 3, 2 }, { 3, 4 }, { 10, 1 }, { 10, 2 }, { 10, 4 },
        { 0x10, 1 }, { 0x10, 2 }, { 0x10, 4 }, { 0x20, 1 }, { 0x20, 2 }, { 0x20, 4 }, { 0xc0, 1 }, { 0xc1, 2 }, { 0xc2, 4 }, { 0xc3, 1 }, { 0xc4, 2 }, { 0xc5, 4 }, { 0xc6, 1 }, { 0xc7, 2 },
        { 0xc8, 4 }, { 0xc9, 1 }, { 0xca, 2 }, { 0xcb, 4 }, { 0x50, 4 }, { 0x91, 4 }, { 0x92, 4 }, { 0x93, 4 }, { 0x94, 4 }, { 0x95, 4 }, { 0x96, 4 }, { 0x97, 1 }, { 0x98, 1 }, { 0x99, 2 }, { 0x9a, 2 },
    };
    for (size_t f = 0; f < sizeof all / sizeof *all; f++)
        for (int flags = 0; flags < 6; flags++) {
            struct texture t = shape_of(i, 0);
            int blocks = all[f].format >= 0x91 && all[f].format < 0xc0, in_srgb = blocks && all[f].format < 0x97 && all[f].format % 2 == 0;
            t.format = all[f].format, t.channels = all[f].channels, t.integers = flags % 3 == 1, t.srgb = flags % 3 == 2, t.linear = flags / 3;
            if (in_srgb != t.srgb && blocks) continue;
            if (!in_srgb && t.srgb && all[f].format != 1 && (all[f].format < 0xc0 || all[f].format > 0xc2)) continue;
            if (blocks && (i->dimensions == 1 || (i->dimensions == 3 && !i->cube) || t.integers)) continue;
            if (blocks && !i->cube) t.w = 16, t.h = 12;
            t.normalized = i->cube;
            for (int k = 0; k < 3; k++) t.mode[k] = flags / 3 ? 3 : 1;
            add(list, t, FORMATS, i->dimensions, i->cube, 0);
        }
    // Levels.
    for (int n = 0; n < 12; n++) {
        struct texture t = shape_of(i, 1);
        t.resource = MIPMAPS, t.count = i->dimensions == 3 ? 4 : 5;
        t.format = n < 8 ? 0x20 : plain[n - 7].format, t.channels = n < 8 ? 1 : plain[n - 7].channels, t.integers = n < 8 ? 0 : plain[n - 7].integers;
        t.mode[0] = t.mode[1] = t.mode[2] = n % 3 == 2 ? 3 : 1;
        t.linear = n & 1, t.mix_levels = n >> 1 & 1, t.normalized = i->cube || n != 5;
        t.least = n & 4 ? 0.6f : 0, t.most = n & 4 ? 2.3f : 100, t.bias = n & 4 ? -0.7f : 0;
        if (n == 7) t.least = 2, t.most = 1, t.bias = 20;
        add(list, t, MIPS, i->dimensions, i->cube, 0);
    }
    // Memory as it is, and rows of it.
    for (int n = 0; n < 16; n++) {
        struct texture t = shape_of(i, 0);
        if (i->cube || i->layered || i->dimensions == 3 || i->samples) continue;
        t.resource = i->dimensions == 1 ? LINEAR : PITCHED;
        t.format = n & 1 ? 1 : 0x20, t.channels = n & 1 ? 4 : n & 2 ? 2 : 1;
        t.linear = n >> 1 & 1, t.normalized = n >> 2 & 1, t.integers = n & 8 && n & 1;
        for (int k = 0; k < 3; k++) t.mode[k] = (n / 2 + n / 8) % 4;
        add(list, t, MEMORY, i->dimensions, 0, 0);
    }
    return list;
}

const struct settings *surface_settings(const struct instruction *i) {
    static struct settings made[5][3];
    static const struct { unsigned format, channels; } all[] = {
        { 1, 1 }, { 1, 2 }, { 1, 4 }, { 8, 1 }, { 8, 4 }, { 2, 1 }, { 2, 2 }, { 2, 4 }, { 9, 2 }, { 9, 4 }, { 3, 1 }, { 3, 2 }, { 3, 4 }, { 10, 1 }, { 10, 2 }, { 0x10, 1 }, { 0x10, 2 }, { 0x10, 4 }, { 0x20, 1 },
        { 0x20, 2 }, { 0x20, 4 }, { 0xc0, 1 }, { 0xc1, 2 }, { 0xc2, 4 }, { 0xc3, 1 }, { 0xc4, 2 }, { 0xc5, 4 }, { 0xc6, 1 }, { 0xc7, 2 }, { 0xc8, 4 }, { 0xc9, 1 }, { 0xca, 2 }, { 0xcb, 4 },
    };
    int kind = !i->by_element ? 0 : i->opcode[3] == 't' ? 1 : 2, count = (int)(sizeof all / sizeof *all);
    struct settings *list = &made[index_of(i)][kind];
    if (list->count) return list;
    for (int n = 0; n < count; n++) {
        struct texture t = shape_of(i, 0);
        t.format = all[n].format, t.channels = all[n].channels, t.array_flags |= CUDA_ARRAY3D_SURFACE_LDST;
        // Bytes do not care for formats; reductions by elements are about integers of 32 bits.
        if (kind == 0 && t.format != 1 && (t.format != 0x20 || t.channels != 4) && (t.format != 3 || t.channels != 2)) continue;
        if (kind == 0 && t.format == 1 && t.channels == 2) continue;
        if (kind == 2 && t.format != 3 && t.format != 10) continue;
        add(list, t, ADDRESSES, i->dimensions, 0, 1);
    }
    if (i->dimensions == 2 && i->layered) {
        struct texture t = shape_of(i, 0);
        t.format = kind ? 3 : 0x20, t.channels = kind ? 1 : 4, t.array_flags = CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_SURFACE_LDST;
        t.w = t.h = 6, t.d = 6;
        add(list, t, ADDRESSES, i->dimensions, 0, 1);
    }
    return list;
}

// A number of a step along an axis of so many: the ends, what lies next to them, far away, anything around.
static int64_t step(int n, int64_t count, int inside) {
    const int64_t edges[] = { 0, count - 1, -1, count, 1, count + 1, -2, 1 << 20, -(1 << 20) };
    int64_t x = n < 18 ? edges[n % 9] : (int64_t)(next() % (uint64_t)(count + 6)) - 3;
    if (!inside) return x;
    return count > 0 ? (x % count + count) % count : 0;
}

void surface_places(struct setting *s, const struct instruction *i) {
    struct texture *t = &s->t;
    struct format f;
    format_of(t->format, t->channels, 0, &f);
    int size = i->by_element && !*i->operation ? f.size : i->bytes * i->count, inside = i->outside == 't';
    int64_t columns = (int64_t)t->w * f.size / size;
    state = 99 + (uint64_t)i->bytes;
    for (int n = 0; n < PLACES; n++) {
        uint32_t *p = s->places[0][n];
        for (int k = 0; k < WORDS; k++) p[k] = next();
        // Numbers of sizes that make a difference, for stores that convert them.
        for (int k = 8; k < 12 && n % 2; k++) {
            float x = (float)(int)next() / (float)(1u << next() % 32);
            if (next() % 2) x = (float)(int)next() / 1.5e9f;
            memcpy(&p[k], &x, 4);
        }
        for (int k = 8; k < 12 && n % 4 == 2; k++) p[k] = (uint32_t)((int32_t)next() >> next() % 32);
        static const uint32_t odd[] = { 0x7f800000, 0xff800000, 0x7fc00000, 0x80000000, 0x3f800000, 0xbf800000, 0x7f7fffff, 0x00000001, 0x477fe000, 0x477ff000, 0x3f000000, 0x33800000 };
        for (int k = 8; k < 12 && n % 16 == 4; k++) p[k] = odd[(n / 16 + k) % 12];
        // Halves between two steps of a format go the device's own way, some 25ths off: none of these.
        int64_t most = f.kind == SIGNED ? ((int64_t)1 << (f.bits - 1)) - 1 : ((int64_t)1 << f.bits) - 1;
        for (int k = 8; k < 12 && (f.kind == SIGNED || f.kind == UNSIGNED); k++) {
            float v;
            memcpy(&v, &p[k], 4);
            double part = fabs((double)v * (double)most);
            part -= floor(part);
            if (!(fabs(v) < 1) || part < 0.4 || part > 0.6) continue;
            v = (float)((floor(fabs((double)v * (double)most)) + 0.25) / (double)most) * (v < 0 ? -1 : 1);
            memcpy(&p[k], &v, 4);
        }
        int64_t x = step(n, columns, inside);
        if (columns == 0 && inside) x = 0;
        p[0] = (uint32_t)(int32_t)(i->by_element ? x : x * size);
        p[1] = (uint32_t)(int32_t)step((n * 5 + 1) % PLACES, t->h ? t->h : 1, inside);
        p[2] = (uint32_t)(int32_t)step((n * 7 + 2) % PLACES, t->d ? t->d : 1, inside);
        p[3] = p[2];
    }
}
