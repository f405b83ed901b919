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

static volatile int ended;

static void CUDA_CB note_end(void *nothing) {
    (void)nothing;
    ended = 1;
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
    // The executable graph is there when the stream turns out to be none. It would hold what the graph holds.
    CUgraph graph;
    CUgraphExec exec;
    CUuserObject object;
    CUDA_GRAPH_INSTANTIATE_PARAMS params = {.flags = CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD, .hUploadStream = nowhere};
    OK(cuGraphCreate(&graph, 0));
    OK(cuUserObjectCreate(&object, NULL, note_end, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    OK(cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE));
    last = cuGraphInstantiateWithParams(&exec, graph, &params);
    OK(cuGraphDestroy(graph));
    for (int i = 0; i < 2000 && !ended; i++)
        usleep(1000);
    printf("%s, what the graph held is %s\n", name(last), ended ? "gone" : "left");
    OK(cuCtxDestroy(context));
    return 0;
}
