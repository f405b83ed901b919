// What the programs of this folder and of kernels/ share: they print each call and its result, and compare data.
#pragma once
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAY(call) printf("%s: %s\n", #call, cudaGetErrorName(call))
#define MUST(call)                                                                                  \
    do {                                                                                            \
        cudaError_t must_error = (call);                                                            \
        if (must_error != cudaSuccess) {                                                            \
            printf("line %d: %s: %s\n", __LINE__, #call, cudaGetErrorName(must_error));             \
            exit(1);                                                                                \
        }                                                                                           \
    } while (0)
#define SAME(a, b, n) printf("line %d: %s\n", __LINE__, memcmp(a, b, n) == 0 ? "same" : "DIFFERENT")

static inline unsigned char *pattern(size_t n, unsigned seed)
{
    unsigned char *p = (unsigned char *)malloc(n);
    for (size_t i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        p[i] = (unsigned char)(seed >> 24);
    }
    return p;
}

// A function of the driver.
static inline void *entry(const char *name, unsigned version)
{
    void *function = NULL;
    enum cudaDriverEntryPointQueryResult result;
    MUST(cudaGetDriverEntryPointByVersion(name, &function, version, cudaEnableDefault, &result));
    if (!function) printf("no %s\n", name), exit(1);
    return function;
}
