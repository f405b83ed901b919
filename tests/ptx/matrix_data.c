// What kernels of matrix instructions read: numbers of eight kinds, one for each block of 128 threads, in turns.
#include "matrix.h"
#include "number.h"
#include <stdio.h>
#include <stdlib.h>

static uint64_t scramble(uint64_t x) {
    static uint64_t seed = 0;
    if (!seed) seed = 0x9e3779b97f4a7c15 * (getenv("SEED") ? 2 * strtoull(getenv("SEED"), NULL, 0) + 1 : 1);
    x += seed;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

enum { EDGES, SPECIALS, ANY, CLOSE, PAIRS, SMALL, WIDE, LARGE };

// A floating point number: factor (roles 0 and 1) or accumulator (2). Of pairs, the second one is the first, negated on the left.
static uint64_t real(const format *f, int role, int kind, uint64_t h, int second) {
    uint64_t sign = h & 1, fraction = (h >> 8 ^ h << 20) & ((1ull << f->fraction) - 1), r = h >> 40;
    int bias = (1 << (f->exponent - 1)) - 1, most = (1 << f->exponent) - 1, top = f->finite ? most : most - 1, exponent = bias;
    int span = f->exponent < 5 ? 3 : f->exponent == 5 ? 10 : 20;
    uint64_t one = (uint64_t)bias << f->fraction, infinite = (uint64_t)most << f->fraction, bits;
    switch (kind) {
    case EDGES: {
        uint64_t largest = f->finite ? infinite + (1ull << f->fraction) - 2 : infinite - 1;
        uint64_t all[] = { 0, 0, 1, (1ull << f->fraction) - 1, 1ull << f->fraction, one, one, one + 1, one - 1, one + (1ull << f->fraction),
            one - (1ull << f->fraction), one + (1ull << (f->fraction - 1)), one, r % 8 ? one : largest, one + 2, one - 2 };
        return sign << (f->exponent + f->fraction) | all[h >> 4 & 15];
    }
    case SPECIALS:
        bits = (h >> 4) % 3 ? one + ((h >> 4) % 4 << (f->fraction - 1)) : 0;
        if ((h >> 16) % 40 == 0) bits = f->finite ? infinite + (1ull << f->fraction) - 1 : infinite + (r % 2 ? 0 : r % 4 ? 1ull << (f->fraction - 1) : r % 8 ? 1 : fraction);
        return sign << (f->exponent + f->fraction) | bits;
    case ANY:
        bits = h >> 3 & ((1ull << (f->exponent + f->fraction)) - 1);
        if (bits >> f->fraction == (uint64_t)most && r % 16) bits &= ~(1ull << (f->exponent + f->fraction - 1));
        return sign << (f->exponent + f->fraction) | bits;
    case CLOSE: exponent = role == 2 ? bias - 3 + (int)(r % 12) : bias - 2 + (int)(r % 5); break;
    case PAIRS:
        if (role == 2) {
            if (r % 4 == 0) return 0;
            exponent = bias - 30 + (int)(r % 34);
            break;
        }
        exponent = r % 4 ? bias - 1 + (int)(r % 3) : bias - (f->exponent == 4 ? 5 : f->exponent == 5 ? 8 : 12);
        if (second && role == 0) sign ^= 1, fraction ^= r % 8 == 5;
        break;
    case SMALL:
        exponent = r % 16 && !(role == 1 && r % 2) ? (int)(r % 3) : bias + (int)(r % 3);
        if (role == 2) exponent = r % 3 == 0 ? bias - 28 + (int)(r / 3 % 8) : (int)(r % 3) - 1;
        break;
    case WIDE: exponent = bias - span + (int)(r % (2 * span + 1)); break;
    default: exponent = role == 2 ? top - (int)(r % 3) : bias + (top - bias) / 2 - 1 + (int)(r % 4); break;
    }
    if (exponent < 0) return sign << (f->exponent + f->fraction);
    if (exponent > top) exponent = top;
    bits = (uint64_t)exponent << f->fraction | fraction;
    if (f->finite && bits == infinite + (1ull << f->fraction) - 1) bits--;
    return sign << (f->exponent + f->fraction) | bits;
}

static uint64_t whole(int bits, int is_signed, int role, int kind, uint64_t h, int second) {
    uint64_t all = bits == 32 ? 0xffffffff : (1ull << bits) - 1, least = is_signed ? 1ull << (bits - 1) : 0, most = is_signed ? least - 1 : all;
    uint64_t edges[] = { least, most, 0, 1, all, most - 1, least + 1, most };
    if (kind == EDGES) return edges[h & 7];
    if (kind == SPECIALS) return role == 2 ? (h & 1 ? most - (h >> 8 & 0xffff) : least + (h >> 8 & 0xffff)) & all : role == 1 || h & 0x70 ? most : least;
    if (kind == LARGE) return role == 2 ? (h & 1 ? most - (h >> 8 & 0xfffff) : least + (h >> 8 & 0xfffff)) & all : role == 1 && !(h & 0x30) ? most : least;
    if (kind == CLOSE) return (h % 5 - 2) & all;
    if (kind == PAIRS && role == 0 && second) return -(h >> 8) & all;
    return h >> 8 & all;
}

static const struct { const char *name; int bits, kind; } TYPES[] = { { "f16", 16, 'r' }, { "bf16", 16, 'r' }, { "tf32", 32, 't' }, { "f32", 32, 'r' }, { "f64", 64, 'r' },
    { "e4m3", 8, 'r' }, { "e5m2", 8, 'r' }, { "s8", 8, 's' }, { "u8", 8, 'u' }, { "s4", 4, 's' }, { "u4", 4, 'u' }, { "s32", 32, 's' }, { "b1", 32, 'b' },
    { "meta4", 4, '4' }, { "meta2", 4, '2' }, { "meta", 4, 'a' }, { "bits", 64, '*' } };

// All numbers of 8 bits on either side: rows of the left factor in their first columns, columns of the right one in their first rows.
static uint64_t alone(const char *type, uint64_t i) {
    uint64_t lane = i % 32, warp = i / 32, group = lane / 4;
    if (!strcmp(type, "columnsg")) {
        uint64_t m = i % 128 + i / 1024 * 128 - 1024;
        return i >= 8192 && m < 512 && m % 2 == 0 ? m / 2 : 0;
    }
    if (lane % 4) return 0;
    if (!strcmp(type, "rows16")) return warp % 16 * 16 + group + ((warp % 16 * 16 + group + 8) << 32);
    if (!strcmp(type, "columns16")) return warp / 16 % 32 * 8 + group;
    if (!strcmp(type, "rows8")) return warp % 32 * 8 + group;
    if (!strcmp(type, "columns8")) return warp / 32 % 32 * 8 + group;
    if (!strcmp(type, "rowsg")) return (warp * 16 + group + ((warp * 16 + group + 8) << 32)) & 0x000000ff000000ff;
    return 0;
}

uint64_t matrix_word(const char *type, int role, uint64_t i) {
    static const uint8_t two[] = { 4, 8, 9, 12, 13, 14 };
    for (unsigned t = 0; t < sizeof TYPES / sizeof *TYPES; t++) {
        if (strcmp(type, TYPES[t].name)) continue;
        int bits = TYPES[t].bits, kind = i / 128 % 8;
        uint64_t word = 0;
        for (int e = 0; e < 64 / bits; e++) {
            // Neighbours are two elements of a word, or of two words.
            int second = kind == PAIRS && role < 2 ? (bits < 32 ? e & 1 : i & 1) : 0;
            uint64_t h = scramble((bits < 32 ? i : i - second) * 1024 + (bits < 32 ? e - second : e) * 16 + role * 4 + t * 0x100000000), x = 0;
            switch (TYPES[t].kind) {
            case 'r': x = real(format_of(type), role, kind, h, second); break;
            // Bits below the fraction have no meaning.
            case 't': x = real(format_of(type), role, kind, h, second) << 13 | (kind == ANY || kind == LARGE ? h >> 17 & 0x1fff : 0); break;
            case 's': x = whole(bits, 1, role, kind, h, second); break;
            case 'u': x = whole(bits, 0, role, kind, h, second); break;
            case 'b': x = kind == EDGES ? (h & 1 ? 0xffffffff : 0) : h & 0xffffffff; break;
            case '4': x = two[h % 6]; break;
            case '2': x = h & 1 ? 4 : 14; break;
            case 'a': x = h & 15; break;
            default: x = h; break;
            }
            word |= x << e * bits % 64;
        }
        return word;
    }
    return alone(type, i);
}

const uint64_t *matrix_pool(const char *type, int role) {
    static struct { char type[16]; int role; uint64_t *words; } kept[64];
    int n = 0;
    while (kept[n].words && (strcmp(kept[n].type, type) || kept[n].role != role)) n++;
    if (!kept[n].words) {
        if (n == 63) exit(fprintf(stderr, "too many types\n"));
        snprintf(kept[n].type, sizeof kept[n].type, "%s", type);
        kept[n].role = role;
        kept[n].words = malloc(MATRIX_POOL * 8);
        for (uint64_t i = 0; i < MATRIX_POOL; i++) kept[n].words[i] = matrix_word(type, role, i);
    }
    return kept[n].words;
}

void matrix_parse(matrix_form *f, const char *line, char types[][16]) {
    static const char *const known[] = { "f16", "bf16", "tf32", "f32", "f64", "e4m3", "e5m2", "s8", "u8", "s4", "u4", "s32", "b1" };
    memset(f, 0, sizeof *f);
    snprintf(f->line, sizeof f->line, "%s", line);
    char text[256], *operands = strchr(f->line, ' ');
    snprintf(text, sizeof text, "%s", line);
    text[strcspn(text, " ;")] = 0;
    for (char *p = strtok(text, "."); p && f->parts < 16; p = strtok(NULL, ".")) {
        char *part = f->part[f->parts++];
        snprintf(part, sizeof f->part[0], "%s", p);
        if (part[0] == 'm') sscanf(part, "m%dn%dk%d", &f->m, &f->n, &f->k);
        if (!strcmp(part, "sp") || !strcmp(part, "sp::ordered_metadata")) f->sparse = 1;
        for (unsigned t = 0; t < sizeof known / sizeof *known; t++)
            if (!strcmp(part, known[t]) && f->n_types < 4) f->types[f->n_types++] = known[t];
    }
    snprintf(f->opcode, sizeof f->opcode, "%s", f->part[0]);
    f->step = sscanf(types[4], "%dx%dx%d", &f->threads, &f->words, &f->first) == 3 ? 2 : 1;
    // Numbers behind the metadata and behind the predicate.
    char *selector = operands ? strstr(operands, "%r") : NULL, *behind = operands ? strstr(operands, "%p0") : NULL;
    if (f->sparse && selector) sscanf(strchr(selector, ','), ", %d", &f->selector);
    if (!behind) return;
    int number[4], count = sscanf(behind, "%%p0, %d, %d, %d, %d", &number[0], &number[1], &number[2], &number[3]);
    for (int n = 0; n < count && n < 2; n++) f->signs[n] = number[n] < 0;
    if (count == 3) f->turned[1] = number[2];
    if (count == 4) f->turned[0] = number[2], f->turned[1] = number[3];
}

void matrix_descriptors(const matrix_form *f, int sweep, int block, uint64_t out[2]) {
    int bits = !strcmp(f->types[1], "b1") ? 1 : strstr("f16 bf16", f->types[1]) ? 16 : !strcmp(f->types[1], "tf32") ? 32 : 8;
    for (int which = 0; which < 2; which++) {
        int count = which ? f->n : f->m, bytes = f->k * bits / 8 / (!which && f->sparse ? 2 : 1), depth = bytes / 2;
        uint64_t swizzle = which ? (block / 4 * 2 + block) % 4 : block % 4, start = 0, lead = 16, stride;
        int width = swizzle == 0 ? 16 : 256 >> swizzle, later = block >= 4;
        if (sweep) swizzle = 0, lead = 8192, stride = 128;
        else if (!f->turned[which] && swizzle) {
            stride = later ? 1024 : 8 * width;
            start = later && width == 128 ? 32 : 0;
        } else if (!f->turned[which]) {
            lead = later ? 128 * (count / 8) : 128;
            stride = later ? 128 : 128 * (bytes / 16);
        } else if (swizzle) {
            int across = width / 2;
            lead = later ? 8 * width : 8 * width * (depth / 8);
            stride = later ? 8 * width * ((count + across - 1) / across) : 8 * width;
        } else {
            lead = later ? 128 * (count / 8) : 128;
            stride = later ? 128 : 128 * (depth / 8);
        }
        // The pattern of a swizzle may be late.
        uint64_t late = later && swizzle ? block - 3 - which : 0;
        out[which] = start >> 4 | lead >> 4 << 16 | stride >> 4 << 32 | late << 49 | swizzle << 62;
    }
}
