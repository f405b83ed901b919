// What the kernel programs share. Each prints lines that depend on no device: results of exact arithmetic as a hash,
// others as a verdict on their distance from what the host computes.
#pragma once
#include "../say.h"
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>

// After <<<>>>.
#define LAUNCHED() MUST(cudaGetLastError())

static uint32_t seed = 12345;
static inline uint32_t next()
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

static inline float unit() { return next() / 16777216.0f; }

static inline uint64_t hash(const void *data, size_t bytes)
{
    const unsigned char *p = (const unsigned char *)data;
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < bytes; i++) h = (h ^ p[i]) * 1099511628211u;
    return h;
}

template <class T> struct Device {
    T *p = nullptr;
    size_t n;
    explicit Device(size_t n) : n(n) { MUST(cudaMalloc(&p, n * sizeof(T))); }
    explicit Device(const std::vector<T> &v) : Device(v.size()) { set(v); }
    ~Device() { cudaFree(p); }
    Device(const Device &) = delete;
    void set(const std::vector<T> &v) { MUST(cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice)); }
    void zero() { MUST(cudaMemset(p, 0, n * sizeof(T))); }
    std::vector<T> get() const
    {
        std::vector<T> v(n);
        MUST(cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost));
        return v;
    }
    operator T *() const { return p; }
};

// Everything is the same.
template <class T> static void exact(const char *what, const std::vector<T> &got, const std::vector<T> &wanted)
{
    size_t n = wanted.size(), i = 0;
    if (got.size() != n) printf("%s: %zu values instead of %zu\n", what, got.size(), n);
    while (i < n && memcmp(&got[i], &wanted[i], sizeof(T)) == 0) i++;
    if (i < n) printf("%s: WRONG at %zu: %.9g, not %.9g\n", what, i, (double)got[i], (double)wanted[i]);
    else printf("%s: %zu values, %016llx\n", what, n, (unsigned long long)hash(wanted.data(), n * sizeof(T)));
}

// No further apart than a multiple of the larger value, or of one.
template <class T> static void close(const char *what, const std::vector<T> &got, const std::vector<T> &wanted, double part)
{
    size_t n = wanted.size();
    double worst = 0;
    for (size_t i = 0; i < n; i++) {
        double g = (double)got[i], w = (double)wanted[i];
        double d = std::isnan(g) != std::isnan(w) ? INFINITY : std::isnan(w) || g == w ? 0 : std::fabs(g - w) / std::fmax(1, std::fabs(w));
        if (!(d <= part)) {
            printf("%s: WRONG at %zu: %.9g, not %.9g\n", what, i, g, w);
            return;
        }
        worst = std::fmax(worst, d);
    }
    printf("%s: %zu values within %g\n", what, n, part);
}

static inline void verdict(const char *what, bool good) { printf("%s: %s\n", what, good ? "ok" : "WRONG"); }
