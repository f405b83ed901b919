// An instruction in pieces, and what its types say about words.
#include "number.h"
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    char line[512], text[512];
    const char *opcode, *modifiers[16], *types[6], *operands[24];
    int n_modifiers, n_types, n_operands;
} instruction;

static inline int same(const char *a, const char *b) { return !strcmp(a, b); }

static inline int is_type(const char *m) {
    static const char *all[] = { "pred", "b8", "u8", "s8", "b16", "u16", "s16", "b32", "u32", "s32", "b64", "u64", "s64", "f16", "bf16",
        "f16x2", "bf16x2", "f32", "f64", "u16x2", "s16x2", "tf32", "e4m3x2", "e5m2x2", "u2", "s2", "u4", "s4", "b128" };
    for (unsigned n = 0; n < sizeof all / sizeof *all; n++)
        if (same(m, all[n])) return 1;
    return 0;
}

static inline void parse(instruction *i, const char *line) {
    memset(i, 0, sizeof *i);
    snprintf(i->line, sizeof i->line, "%s", line);
    snprintf(i->text, sizeof i->text, "%s", line);
    char *rest = strchr(i->text, ' '), *end = strchr(i->text, ';');
    if (end) *end = 0;
    if (rest) *rest++ = 0;
    for (char *m = strtok(i->text, "."); m; m = strtok(NULL, ".")) {
        if (!i->opcode) { i->opcode = m; continue; }
        i->modifiers[i->n_modifiers++] = m;
        if (is_type(m) && i->n_types < 6) i->types[i->n_types++] = m;
    }
    for (char *o = rest ? strtok(rest, ", ") : NULL; o; o = strtok(NULL, ", ")) i->operands[i->n_operands++] = o;
}

static inline int has(const instruction *i, const char *m) {
    for (int n = 0; n < i->n_modifiers; n++)
        if (same(i->modifiers[n], m)) return 1;
    return 0;
}

static inline int width(const char *type) {
    if (same(type, "pred")) return 1;
    if (strstr(type, "x2")) return strstr(type, "e4m3") || strstr(type, "e5m2") ? 16 : 32;
    if (same(type, "bf16")) return 16;
    if (same(type, "tf32")) return 32;
    return atoi(type + 1);
}

static inline int is_signed(const char *type) { return type[0] == 's'; }
static inline int is_float(const char *type) { return type[0] == 'f' || type[0] == 't' || !strncmp(type, "bf", 2); }

static inline uint64_t mask(int bits) { return bits >= 64 ? ~0ull : (1ull << bits) - 1; }

static inline swide number_of(const char *type, uint64_t word) {
    int bits = width(type);
    word &= mask(bits);
    return is_signed(type) && word >> (bits - 1) & 1 ? (swide)word - ((swide)1 << bits) : (swide)word;
}

static inline swide least(const char *type) { return is_signed(type) ? -((swide)1 << (width(type) - 1)) : 0; }
static inline swide largest(const char *type) { return is_signed(type) ? ((swide)1 << (width(type) - 1)) - 1 : (swide)mask(width(type)); }

static inline swide into(const char *type, swide x) { return x < least(type) ? least(type) : x > largest(type) ? largest(type) : x; }

static inline enum mode mode_of(const instruction *i) {
    return has(i, "rz") ? TOWARDS_ZERO : has(i, "rm") ? DOWN : has(i, "rp") ? UP : has(i, "rna") ? AWAY : NEAREST;
}

static inline uint64_t flushed(const format *f, uint64_t bits) {
    uint64_t sign = bits & 1ull << (f->exponent + f->fraction), rest = bits & (mask(f->exponent + f->fraction));
    return rest >> f->fraction == 0 ? sign : bits;
}

// As [parse], unless it is the line that was parsed before.
static inline void understand(instruction *i, const char *line) {
    if (strcmp(i->line, line)) parse(i, line);
}
