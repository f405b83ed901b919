/* A C program asks libnvidia-ml.so.1 and the driver for the same things, and gets the same answers. */
#include "check.h"
#include <dlfcn.h>
#include <strings.h>

/* Of the interface as much as is asked here. */
typedef void *device;
struct pci { char legacy[16]; unsigned domain, bus, device, id, subsystem; char address[32]; };
struct memory { unsigned version; unsigned long long total, reserved, free, used; };
static void *library;

static void *function(const char *wanted)
{
    void *found = dlsym(library, wanted);
    if (!found) {
        printf("FAILED: no %s\n", wanted);
        exit(1);
    }
    return found;
}
#define CALL(name, types, ...) (((int (*) types)function(#name))(__VA_ARGS__))

static void same(const char *what, int is)
{
    if (!is) printf("FAILED: %s\n", what);
}

int main(void)
{
    library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
    if (!library) skip("there is no libnvidia-ml.so.1");
    int devices = 0;
    unsigned count = 77;
    printf("before nvmlInit: %d\n", CALL(nvmlDeviceGetCount_v2, (unsigned *), &count));
    printf("count untouched: %d\n", count == 77);
    printf("nvmlInit: %d\n", CALL(nvmlInit_v2, (void), ));
    OK(cuInit(0));
    OK(cuDeviceGetCount(&devices));
    CALL(nvmlDeviceGetCount_v2, (unsigned *), &count);
    same("count", (int)count == devices);
    for (int i = 0; i < devices; i++) {
        device d = NULL;
        same("handle", !CALL(nvmlDeviceGetHandleByIndex_v2, (unsigned, device *), i, &d));
        char name_here[96] = "", name_there[96] = "", bus[32] = "";
        CALL(nvmlDeviceGetName, (device, char *, unsigned), d, name_here, sizeof name_here);
        OK(cuDeviceGetName(name_there, sizeof name_there, i));
        same("name", !strcmp(name_here, name_there));
        struct pci pci;
        CALL(nvmlDeviceGetPciInfo_v3, (device, struct pci *), d, &pci);
        OK(cuDeviceGetPCIBusId(bus, sizeof bus, i));
        same("address", !strcasecmp(pci.legacy, bus));
        device by_address = NULL;
        CALL(nvmlDeviceGetHandleByPciBusId_v2, (const char *, device *), pci.address, &by_address);
        same("handle by address", by_address == d);
        struct memory memory = {.version = 2 << 24 | sizeof memory};
        size_t total = 0;
        CALL(nvmlDeviceGetMemoryInfo_v2, (device, struct memory *), d, &memory);
        OK(cuDeviceTotalMem(&total, i));
        same("memory", memory.total - memory.reserved == total && memory.free + memory.used == total);
        int major = 0, minor = 0, value = 0;
        CALL(nvmlDeviceGetCudaComputeCapability, (device, int *, int *), d, &major, &minor);
        OK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, i));
        same("compute capability", major == value);
        OK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, i));
        same("compute capability, minor", minor == value);
    }
    /* What is wrong is refused. */
    device none = (device)&count;
    char small[4];
    device first = NULL;
    CALL(nvmlDeviceGetHandleByIndex_v2, (unsigned, device *), 0, &first);
    printf("device 99: %d\n", CALL(nvmlDeviceGetHandleByIndex_v2, (unsigned, device *), 99, &none));
    printf("a stray handle: %d\n", CALL(nvmlDeviceGetName, (device, char *, unsigned), (device)&count, small, sizeof small));
    printf("a small buffer: %d\n", CALL(nvmlDeviceGetName, (device, char *, unsigned), first, small, sizeof small));
    printf("NULL: %d\n", CALL(nvmlDeviceGetName, (device, char *, unsigned), first, NULL, sizeof small));
    struct memory wrong = {.version = 1};
    printf("a wrong version: %d\n", CALL(nvmlDeviceGetMemoryInfo_v2, (device, struct memory *), first, &wrong));
    printf("no memory: %d\n", CALL(nvmlDeviceGetMemoryInfo, (device, void *), first, (void *)16));
    printf("nvmlShutdown: %d\n", CALL(nvmlShutdown, (void), ));
    printf("a handle of before: %d\n", CALL(nvmlDeviceGetName, (device, char *, unsigned), first, small, sizeof small));
    return 0;
}
