// Preloaded: writes the PTX that a program loads to the file that PTX_LOG names.
#define _GNU_SOURCE
#include "../../cuda.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void keep(const void *image) {
    // Other images than text begin with bytes that no text has.
    const char *name = getenv("PTX_LOG"), *text = image;
    FILE *log = name && text && strstr(text, ".version") ? fopen(name, "a") : NULL;
    if (!log) return;
    fprintf(log, "%s\n", text);
    fclose(log);
}

CUresult cuModuleLoadData(CUmodule *module, const void *image) {
    keep(image);
    CUresult (*next)(CUmodule *, const void *) = dlsym(RTLD_NEXT, "cuModuleLoadData");
    return next(module, image);
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned n, CUjit_option *options, void **values) {
    keep(image);
    CUresult (*next)(CUmodule *, const void *, unsigned, CUjit_option *, void **) = dlsym(RTLD_NEXT, "cuModuleLoadDataEx");
    return next(module, image, n, options, values);
}
