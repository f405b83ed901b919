// What the test of texture and surface instructions and its models share: textures as data, and what is asked of them.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES = 256, WORDS = 16, LEVELS = 8 };

// A level of an array: bytes as the program gave them, rows and slices close together.
struct level {
    int w, h, d;
    const uint8_t *bytes;
    size_t row, slice;
};

enum resource { ARRAY, MIPMAPS, LINEAR, PITCHED };

// A texture or surface, as the program described it; h and d are 0 where there is no such dimension.
struct texture {
    enum resource resource;
    unsigned format, channels, array_flags;
    int w, h, d, count;
    struct level levels[LEVELS];
    int mode[3], linear, normalized, integers, srgb, seamless, mix_levels, anisotropy;
    float bias, least, most, border[4];
};

// An instruction in pieces.
struct instruction {
    const char *text;
    char opcode[16];
    // Dimensions of the coordinates; 0 if it has no geometry.
    int dimensions, layered, cube, samples;
    int whole, halves, words, base, level, grad, gather;
    // Of surfaces: bytes of a value and how many there are; what is done outside, by elements, what a reduction does.
    int bytes, count, by_element;
    char outside, type, operation[8], question[32];
};

// How an instruction is written: what stands behind its coordinates.
enum way { PLAIN, LOW, HIGH, REGISTERS, COMPARED, RESIDENT, WAYS };

int parse_instruction(struct instruction *i, const char *text);

// What textures give (model.c): a place is words, what comes out 4 words. Levels that come from gradients are `shift` 256ths higher.
// Gives by how much the device is known to be off at most, 0 where bits have to be alike.
double model_fetch(const struct texture *t, const struct instruction *i, enum way way, const uint32_t *place, int shift, uint32_t *out);
// 0 if there is no such question.
int model_query(const struct texture *t, const struct instruction *i, uint32_t level, uint32_t *out);
// A surface instruction at a place (surfaces.c), on the bytes of the first level. Returns what goes wrong: 0, 'o' outside, 'm' misaligned.
int model_surface(struct texture *t, const struct instruction *i, const uint32_t *place, uint64_t *out);

// Formats (formats.c).
enum kind { UNSIGNED, SIGNED, WHOLE, WHOLE_SIGNED, HALF, SINGLE, PACKED };
struct format {
    enum kind kind;
    // Bits of a component, components, bytes of an element or block, elements along a block's side.
    int bits, channels, size, side, opaque;
};
int format_of(unsigned number, unsigned channels, int integers, struct format *f);
double half_value(uint16_t bits);
// The components of an element: integers as they lie there, sign extended; bits of halves and singles.
void element_of(const struct format *f, unsigned number, const uint8_t *at, int column, int row, int64_t *out);
