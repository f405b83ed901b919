// Textures and surfaces that instructions are tried on, and places in and around them.
#pragma once
#include "../../../cuda.h"
#include "texture.h"

// What a setting is for: how places outside are found, formats, levels, memory.
enum purpose { ADDRESSES = 1, FORMATS = 2, MIPS = 4, MEMORY = 8 };

struct setting {
    struct texture t;
    enum purpose purpose;
    char title[192];
    CUtexObject object;
    CUsurfObject surface;
    CUarray array;
    // Places for real coordinates and for integers.
    uint32_t places[2][PLACES][WORDS];
};

struct settings {
    struct setting **all;
    int count;
};

void must(CUresult r, const char *what);
// Those for the geometry of an instruction, made once.
const struct settings *texture_settings(const struct instruction *i);
// Those of a surface instruction; places depend on the instruction and are made each time.
const struct settings *surface_settings(const struct instruction *i);
void surface_places(struct setting *s, const struct instruction *i);
// Brings the bytes of the first level there or back.
void copy_level(struct setting *s, int back, uint8_t *bytes);
