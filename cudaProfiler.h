/*
 * The profiler control of the CUDA driver API as Doppel provides it.
 * Written by doppel-header from the declarations in src/abi. Do not edit.
 */

#if !defined(DOPPEL_CUDA_PROFILER_H) && !defined(CUDA_PROFILER_H)
#define DOPPEL_CUDA_PROFILER_H
#define CUDA_PROFILER_H

#include "cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Output formats of the old command-line profiler. */
typedef enum CUoutput_mode_enum {
    CU_OUT_KEY_VALUE_PAIR = 0,
    CU_OUT_CSV = 1
} CUoutput_mode;

/* Profiler Control */

/** Configures the old command-line profiler (withdrawn; kept for its symbol). */
CUresult CUDAAPI cuProfilerInitialize(const char *configFile, const char *outputFile, CUoutput_mode outputMode);

/** Starts the collection of a profiler that is attached. No profiler attaches to this driver: nothing to do. */
CUresult CUDAAPI cuProfilerStart(void);

/** Ends the collection of a profiler that is attached. No profiler attaches to this driver: nothing to do. */
CUresult CUDAAPI cuProfilerStop(void);

#ifdef __cplusplus
}
#endif

#endif /* DOPPEL_CUDA_PROFILER_H */
