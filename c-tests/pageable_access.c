/* A device profile with which kernels use all of the program's memory. */
#include "check.h"

enum { THREADS = 32 };
static const char code[] = ".version 7.8\n.target sm_80\n.address_size 64\n"
    ".visible .entry add(.param .u64 p) { .reg .u64 %a, %p; .reg .u32 %t, %v; ld.param.u64 %p, [p]; mov.u32 %t, %tid.x; mul.wide.u32 %a, %t, 4; add.u64 %a, %a, %p;\n"
    "ld.global.u32 %v, [%a]; add.u32 %v, %v, %t; st.global.u32 [%a], %v; ret; }\n";

int main(void)
{
    char path[] = "/tmp/doppel-profile-XXXXXX", device[64] = "";
    int able = 0;
    FILE *profile = fdopen(mkstemp(path), "w");
    fprintf(profile, "base = \"doppel\"\n[attributes]\nPAGEABLE_MEMORY_ACCESS = 1\n");
    fclose(profile);
    setenv("DOPPEL_DEVICES", path, 1);
    CUresult r = cuInit(0);
    unlink(path);
    OK(r);
    OK(cuDeviceGetName(device, sizeof device, 0));
    if (strncmp(device, "Doppel", 6)) skip("a real device is what it is");
    begin();
    OK(cuDeviceGetAttribute(&able, CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS, 0));
    printf("able: %d\n", able);
    CUmodule module;
    CUfunction f;
    OK(cuModuleLoadData(&module, code));
    OK(cuModuleGetFunction(&f, module, "add"));
    unsigned here[THREADS] = {0}, *heap = calloc(THREADS, sizeof *heap), *null = NULL;
    unsigned *all[] = {here, heap};
    for (int i = 0; i < 2; i++) {
        all[i][31] = 100;
        OK(cuLaunchKernel(f, 1, 1, 1, THREADS, 1, 1, 0, NULL, (void *[]){&all[i]}, NULL));
        r = cuCtxSynchronize();
        printf("%s: %s, %u\n", i ? "heap" : "stack", name(r), all[i][31]);
    }
    free(heap);
    OK(cuLaunchKernel(f, 1, 1, 1, THREADS, 1, 1, 0, NULL, (void *[]){&null}, NULL));
    printf("null: %s\n", name(cuCtxSynchronize()));
    return 0;
}
