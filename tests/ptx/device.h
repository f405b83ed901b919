// What the programs of this folder share: the first device, modules, files, the mixing of numbers.
#pragma once
#include "../../cuda.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))
#define LOG 8192

// A call that the rest needs; `name` is what was at hand.
#define DO(call) do { CUresult r = (call); if (r) { fprintf(stderr, "%s: %s: error %d\n", name, #call, r); exit(1); } } while (0)

static inline uint64_t mix(uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

// The text of a file.
static inline char *contents(const char *path) {
    FILE *file = fopen(path, "r");
    if (!file) exit((perror(path), 1));
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = calloc(1, size + 1);
    if (fread(text, 1, size, file) != (size_t)size) exit(1);
    fclose(file);
    return text;
}

// Makes the first device's primary context current.
static inline void begin(void) {
    const char *name = "start";
    CUdevice device;
    CUcontext context;
    DO(cuInit(0));
    DO(cuDeviceGet(&device, 0));
    DO(cuDevicePrimaryCtxRetain(&context, device));
    DO(cuCtxSetCurrent(context));
}

// Loads a module; errors are written to the log. The level of optimisation is `level` unless LEVEL is set.
static inline CUresult load(CUmodule *module, const char *text, int level, char log[LOG]) {
    CUjit_option options[] = { CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_OPTIMIZATION_LEVEL };
    void *values[] = { log, (void *)LOG, (void *)(uintptr_t)(getenv("LEVEL") ? atoi(getenv("LEVEL")) : level) };
    log[0] = 0;
    return cuModuleLoadDataEx(module, text, 3, options, values);
}
