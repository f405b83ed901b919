/*
 * The profiler control of the CUDA driver API as Doppel provides it.
 * Written by doppel-header from the declarations in src/abi. Do not edit.
 */

#if !defined(DOPPEL_CUDA_PROFILER_H) && !defined(CUDA_PROFILER_H)
#define DOPPEL_CUDA_PROFILER_H
#define CUDA_PROFILER_H

#include "cuda.h"

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** Output formats of the old command-line profiler. */
typedef enum CUoutput_mode_enum {
    CU_OUT_KEY_VALUE_PAIR = 0,
    CU_OUT_CSV = 1
} CUoutput_mode;

/* Profiler Control */

/**
 * Configures the old command-line profiler, which was withdrawn.
 *
 * @param configFile path of its configuration, ends in NUL.
 * @param outputFile path of its output, ends in NUL.
 * @param outputMode format of its output.
 *
 * Errors: CUDA_ERROR_NOT_SUPPORTED, always, as the real driver answers.
 *
 * Manual: Profiler Control (deprecated).
 */
CUresult CUDAAPI cuProfilerInitialize(const char *configFile, const char *outputFile, CUoutput_mode outputMode);

/**
 * Starts the collection of a profiler that is attached.
 *
 * No profiler attaches to this driver: nothing to do.
 *
 * Errors: CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a capture forbids the call.
 *
 * Manual: Profiler Control.
 */
CUresult CUDAAPI cuProfilerStart(void);

/**
 * Ends the collection of a profiler that is attached.
 *
 * No profiler attaches to this driver: nothing to do.
 *
 * Errors: CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a capture forbids the call.
 *
 * Manual: Profiler Control.
 */
CUresult CUDAAPI cuProfilerStop(void);

#ifdef __cplusplus
}
#endif

#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#endif /* DOPPEL_CUDA_PROFILER_H */
