/* What a program that does next to nothing has resident: tables of the whole address space are not filled. */
#include "check.h"

/* MiB that are resident, without what a tool has the program use. */
static long resident(void)
{
    const char *preload = getenv("LD_PRELOAD");
    FILE *file = fopen("/proc/self/status", "r");
    char line[256];
    long kib = 0;
    while (file && fgets(line, sizeof line, file)) sscanf(line, "VmRSS: %ld", &kib);
    if (file) fclose(file);
    return preload && strstr(preload, "vgpreload") ? 0 : kib >> 10;
}

static long before;
static void show(const char *what, long limit)
{
    long more = resident() - before;
    if (more < limit) printf("%s: less than %ld MiB\n", what, limit);
    else printf("%s: %ld MiB\n", what, more);
}

int main(void)
{
    char device[64] = "";
    CUdeviceptr word, other, many[64];
    void *host;
    CUmodule module;
    CUfunction kernel;
    int value = 5, back = 0;
    before = resident();
    begin();
    OK(cuDeviceGetName(device, sizeof device, 0));
    if (strncmp(device, "Doppel", 6)) skip("a real driver has its own needs");
    show("a context", 40);
    OK(cuMemAlloc(&word, 4));
    OK(cuMemcpyHtoD(word, &value, 4));
    OK(cuMemcpyDtoH(&back, word, 4));
    printf("the word is %d\n", back);
    show("an allocation", 40);
    OK(cuModuleLoadData(&module, ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k() { ret; }\n"));
    OK(cuModuleGetFunction(&kernel, module, "k"));
    OK(cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL));
    OK(cuCtxSynchronize());
    show("a kernel", 40);
    OK(cuMemAllocManaged(&other, 4, CU_MEM_ATTACH_GLOBAL));
    OK(cuMemHostAlloc(&host, 4, 0));
    show("memory of other kinds", 60);
    /* What is allocated and not touched takes up next to nothing either. */
    for (int i = 0; i < 64; i++) OK(cuMemAlloc(&many[i], 64 << 20));
    show("4 GiB that nobody touches", 60);
    for (int i = 0; i < 64; i++) OK(cuMemFree(many[i]));
    OK(cuMemFreeHost(host));
    OK(cuMemFree(other));
    OK(cuMemFree(word));
    OK(cuModuleUnload(module));
    OK(cuDevicePrimaryCtxRelease(0));
    return 0;
}
