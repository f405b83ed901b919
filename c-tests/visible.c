/* CUDA_VISIBLE_DEVICES chooses and numbers devices; a device keeps its identity. Works with any number of devices. */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST 16
struct machine {
    CUresult init;
    int count;
    struct { CUuuid uuid; char bus[32]; size_t memory; int same_bus; } device[MOST];
};

/* What a process sees under a value of the variable; the driver reads it once, so each look is a process of its own. */
static struct machine look(const char *visible)
{
    struct machine m;
    int pipes[2];
    memset(&m, 0, sizeof m);
    if (pipe(pipes)) exit(2);
    fflush(stdout);
    if (!fork()) {
        if (visible) setenv("CUDA_VISIBLE_DEVICES", visible, 1);
        m.init = cuInit(0);
        if (!m.init) cuDeviceGetCount(&m.count);
        for (int i = 0; i < m.count && i < MOST; i++) {
            CUdevice found = -1;
            cuDeviceGetUuid_v2(&m.device[i].uuid, i);
            cuDeviceGetPCIBusId(m.device[i].bus, sizeof m.device[i].bus, i);
            cuDeviceTotalMem(&m.device[i].memory, i);
            cuDeviceGetByPCIBusId(&found, m.device[i].bus);
            m.device[i].same_bus = found == i;
        }
        _exit(write(pipes[1], &m, sizeof m) != sizeof m);
    }
    close(pipes[1]);
    if (read(pipes[0], &m, sizeof m) != sizeof m) exit(2);
    close(pipes[0]);
    wait(NULL);
    return m;
}

static int same(const struct machine *x, int i, const struct machine *y, int j)
{
    return !memcmp(&x->device[i].uuid, &y->device[j].uuid, sizeof(CUuuid)) && !strcmp(x->device[i].bus, y->device[j].bus)
        && x->device[i].memory == y->device[j].memory;
}

int main(void)
{
    char list[256] = "", uuid[64] = "GPU-";
    setenv("DOPPEL_DEVICES", "3", 0);
    unsetenv("CUDA_VISIBLE_DEVICES");
    struct machine all = look(NULL);
    int n = all.count < MOST ? all.count : MOST, ok = n > 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) ok = ok && (i == j) == !strcmp(all.device[i].bus, all.device[j].bus);
    printf("devices differ: %d\n", ok);

    for (int i = n - 1; i >= 0; i--) sprintf(list + strlen(list), "%d%s", i, i ? "," : "");
    struct machine reversed = look(list);
    ok = reversed.count == n;
    for (int i = 0; i < n; i++) ok = ok && same(&all, i, &reversed, n - 1 - i) && reversed.device[i].same_bus;
    printf("reversed, with their identities: %d\n", ok);

    sprintf(list, "%d", n - 1);
    struct machine last = look(list);
    printf("the last one alone: %d\n", last.count == 1 && same(&all, n - 1, &last, 0));

    for (int i = 0; i < 16; i++)
        sprintf(uuid + strlen(uuid), "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
                (unsigned char)all.device[n - 1].uuid.bytes[i]);
    last = look(uuid);
    printf("by its UUID: %d\n", last.count == 1 && same(&all, n - 1, &last, 0));

    sprintf(list, "0,%d", n);
    printf("the list ends at what there is not: %d\n", look(list).count == 1);
    printf("twice is an error: %d\n", look("0,0").init == CUDA_ERROR_INVALID_DEVICE);
    printf("an empty list is none: %d\n", look("").init == CUDA_ERROR_NO_DEVICE);
    printf("-1 is none: %d\n", look("-1").init == CUDA_ERROR_NO_DEVICE);
    return 0;
}
