// Kernels of matrix instructions (kernels/matrix.py): what they read, and what they should write.
#pragma once
#include <stdint.h>

enum { MATRIX_POOL = 65536 }; // words of an array

// What an instruction's name and operands say.
typedef struct {
    char line[256], opcode[24], part[16][24];
    int parts, m, n, k;
    const char *types[4];
    int n_types, sparse, selector, threads, words, first, step; // blocks: first + step n
    int signs[2], turned[2]; // of wgmma: factors negated, transposed
} matrix_form;

// Types of the arrays are those of the list, which ends with threads and words.
void matrix_parse(matrix_form *f, const char *line, char types[][16]);
// Word i of an array of a type; `role`: which of the arrays it is.
uint64_t matrix_word(const char *type, int role, uint64_t i);
// The same, kept.
const uint64_t *matrix_pool(const char *type, int role);
// Where the factors of a block's wgmma lie: descriptors, from the begin of the room of each.
void matrix_descriptors(const matrix_form *f, int sweep, int block, uint64_t out[2]);

// The product in the kernels of fences, commits and waits.
#define MATRIX_PLAIN "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 %d, %a, %x3, %p0, 1, 1, 0;"

// What all threads should write, `words` for each. 0 if there is no model.
int matrix_model(const char *line, char types[][16], uint32_t *out);
