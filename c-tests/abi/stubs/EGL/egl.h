/* The types of EGL that the CUDA headers use, for machines without its headers. */
#ifndef DOPPEL_STUB_EGL_H
#define DOPPEL_STUB_EGL_H
#include <stdint.h>
typedef int32_t EGLint;
typedef void *EGLImageKHR;
typedef void *EGLStreamKHR;
typedef void *EGLSyncKHR;
#endif
