// A result that cannot be written is an error before anything is made: what nobody can name would stay for good.
#include "check.h"
#include <dirent.h>
#include <sys/mman.h>

static int descriptors(void) {
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

int main(void) {
    CUcontext context;
    char device[64];
    OK(cuInit(0));
    OK(cuDeviceGetName(device, sizeof device, 0));
    if (strncmp(device, "Doppel", 6)) skip("a real driver crashes");
    OK(cuCtxCreate_v2(&context, 0, 0));
    void *nowhere = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int before = descriptors();
    CUresult last = CUDA_SUCCESS;
    // Events that other processes may open have a descriptor each.
    for (int i = 0; i < 50; i++)
        last = cuEventCreate(nowhere, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING);
    printf("%s, descriptors left: %d\n", name(last), descriptors() - before);
    size_t before_memory, after, total;
    OK(cuMemGetInfo(&before_memory, &total));
    for (int i = 0; i < 50; i++)
        last = cuMemAlloc(nowhere, 4 << 20);
    OK(cuMemGetInfo(&after, &total));
    printf("%s, memory left: %zu\n", name(last), before_memory - after);
    OK(cuCtxDestroy(context));
    return 0;
}
