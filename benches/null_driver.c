/* A driver that does nothing, and has what launches need: what it costs to reach it through forward mode is what forward mode
 * costs, and what a trace of its calls costs is all the trace's. A kernel's name ends in its number of parameters, which have 8
 * and 4 bytes by turns. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { SUCCESS, INVALID_VALUE };
static struct kernel {
    char name[256];
    size_t parameters;
} kernels[64];
static char context, module, stream;

int cuInit(unsigned flags) { (void)flags; return SUCCESS; }
int cuDriverGetVersion(int *v) { *v = 13000; return SUCCESS; }
int cuGetErrorName(int error, const char **name) { *name = error ? "an error" : "CUDA_SUCCESS"; return SUCCESS; }
int cuDeviceGet(int *d, int n) { *d = n; return SUCCESS; }
int cuCtxGetDevice(int *d) { *d = 0; return SUCCESS; }
int cuDevicePrimaryCtxRetain(void **c, int d) { (void)d; *c = &context; return SUCCESS; }
int cuDevicePrimaryCtxGetState(int d, unsigned *flags, int *active) { (void)d; *flags = 0; *active = 1; return SUCCESS; }
int cuProfilerStart(void) { return SUCCESS; }
int cuProfilerStop(void) { return SUCCESS; }
int cuCtxSetCurrent(void *c) { (void)c; return SUCCESS; }
int cuCtxGetCurrent(void **c) { *c = &context; return SUCCESS; }
int cuCtxSynchronize(void) { return SUCCESS; }
int cuDeviceGetAttribute(int *n, int a, int d) { (void)a; (void)d; *n = 32; return SUCCESS; }
int cuPointerGetAttribute(void *v, int a, unsigned long long p) { (void)a; (void)p; *(unsigned *)v = 2; return SUCCESS; }
int cuStreamCreate(void **s, unsigned flags) { (void)flags; *s = &stream; return SUCCESS; }
int cuStreamDestroy_v2(void *s) { (void)s; return SUCCESS; }
int cuStreamQuery(void *s) { (void)s; return SUCCESS; }
int cuMemAlloc_v2(unsigned long long *p, size_t n) { (void)n; *p = 0x7f0000000000; return SUCCESS; }
int cuMemFree_v2(unsigned long long p) { (void)p; return SUCCESS; }
int cuModuleLoadData(void **m, const void *image) { (void)image; *m = &module; return SUCCESS; }
int cuModuleGetFunction(void **f, void *m, const char *name)
{
    (void)m;
    for (struct kernel *k = kernels; k < kernels + sizeof kernels / sizeof *kernels; k++) {
        if (*k->name) continue;
        size_t len = strlen(name), digits = 0;
        if (len >= sizeof k->name) return INVALID_VALUE;
        memcpy(k->name, name, len + 1);
        while (digits < len && name[len - digits - 1] >= '0' && name[len - digits - 1] <= '9') digits++;
        k->parameters = strtoul(name + len - digits, NULL, 10);
        *f = k;
        return SUCCESS;
    }
    return INVALID_VALUE;
}
/* All functions are of one module. The next ones get the same handles. */
int cuModuleUnload(void *m)
{
    (void)m;
    memset(kernels, 0, sizeof kernels);
    return SUCCESS;
}
int cuKernelGetName(const char **name, void *k) { (void)name; (void)k; return INVALID_VALUE; }
int cuKernelGetParamInfo(void *k, size_t i, size_t *offset, size_t *size)
{
    (void)k, (void)i, (void)offset, (void)size;
    return INVALID_VALUE;
}
int cuFuncGetName(const char **name, void *f) { *name = ((struct kernel *)f)->name; return SUCCESS; }
int cuFuncGetParamInfo(void *f, size_t i, size_t *offset, size_t *size)
{
    if (i >= ((struct kernel *)f)->parameters) return INVALID_VALUE;
    *offset = 8 * i;
    *size = i % 2 ? 4 : 8;
    return SUCCESS;
}
int cuLaunchKernel(void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, void *s,
                   void **parameters, void **extra)
{
    (void)f, (void)gx, (void)gy, (void)gz, (void)bx, (void)by, (void)bz, (void)shared, (void)s, (void)parameters, (void)extra;
    return SUCCESS;
}
int cuLaunchKernelEx(const void *config, void *f, void **parameters, void **extra)
{
    (void)config, (void)f, (void)parameters, (void)extra;
    return SUCCESS;
}
