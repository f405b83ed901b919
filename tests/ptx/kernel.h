// What the models of kernels (tests/ptx/kernels) have in common.
#include "model.h"
#include "instruction.h"

#define BLOCK 128
#define THREADS 4096

// Mixes a register into a word of the result.
static inline void fold(uint64_t *word, uint64_t x) { *word = *word * 0x9E3779B97F4A7C15ull + x; }

// A thread, and where the words of all threads are read.
typedef struct { reader *read; void *of; uint64_t k; } thread;

static inline uint64_t word_of(const thread *t, int array, uint64_t k) { return t->read(t->of, array, k); }
static inline uint64_t own(const thread *t, int array) { return t->read(t->of, array, t->k); }

// The thread of the same number in the other block of a cluster of two.
static inline uint64_t partner(uint64_t k) { return k ^ BLOCK; }

// Little-endian numbers of up to 8 bytes.
static inline uint64_t get(const unsigned char *bytes, int size) {
    uint64_t x = 0;
    for (int n = 0; n < size; n++) x |= (uint64_t)bytes[n] << (8 * n);
    return x;
}

static inline void put(unsigned char *bytes, int size, uint64_t x) {
    for (int n = 0; n < size; n++) bytes[n] = x >> (8 * n);
}

// The new value of a cell with an atomic operation (model_atomic.c).
uint64_t changed(const instruction *i, const char *type, uint64_t a, uint64_t b, uint64_t c, int shared);
