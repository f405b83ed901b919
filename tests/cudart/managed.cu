// Managed memory: attaching with all refusals, what is known about addresses, host memory.
#include "say.h"

static void tell(const char *name, const void *p)
{
    struct cudaPointerAttributes a;
    memset(&a, 0xff, sizeof a);
    cudaError_t e = cudaPointerGetAttributes(&a, p);
    printf("%s: %s type %d device %d %s %s\n", name, cudaGetErrorName(e), (int)a.type, a.device,
           a.devicePointer == p ? "same" : a.devicePointer ? "another" : "none",
           a.hostPointer == p ? "same" : a.hostPointer ? "another" : "none");
}

int main(void)
{
    cudaStream_t stream;
    MUST(cudaStreamCreate(&stream));
    char *m, *g, *d, *h, *r, *pageable = (char *)malloc(1 << 16);
    MUST(cudaMallocManaged((void **)&m, 4096, cudaMemAttachGlobal));
    MUST(cudaMallocManaged((void **)&g, 4096, cudaMemAttachHost));
    MUST(cudaMalloc((void **)&d, 4096));
    MUST(cudaHostAlloc((void **)&h, 4096, cudaHostAllocMapped | cudaHostAllocPortable));
    r = (char *)aligned_alloc(4096, 8192);
    SAY(cudaHostRegister(r, 8192, cudaHostRegisterDefault));

    puts("attach");
    SAY(cudaStreamAttachMemAsync(stream, m, 0, cudaMemAttachSingle));
    SAY(cudaStreamAttachMemAsync(stream, m, 4096, cudaMemAttachSingle));
    SAY(cudaStreamAttachMemAsync(stream, m, 4096, cudaMemAttachHost));
    SAY(cudaStreamAttachMemAsync(stream, m, 0, cudaMemAttachGlobal));
    SAY(cudaStreamAttachMemAsync(stream, m, 100, cudaMemAttachSingle));
    SAY(cudaStreamAttachMemAsync(stream, m + 8, 0, cudaMemAttachSingle));
    SAY(cudaStreamAttachMemAsync(stream, m, 0, 3));
    SAY(cudaStreamAttachMemAsync(stream, m, 0, 8));
    SAY(cudaStreamAttachMemAsync(0, m, 0, cudaMemAttachSingle));
    SAY(cudaStreamAttachMemAsync(cudaStreamLegacy, m, 0, cudaMemAttachSingle));
    SAY(cudaStreamAttachMemAsync(cudaStreamPerThread, m, 0, cudaMemAttachSingle));
    SAY(cudaStreamAttachMemAsync(0, m, 0, cudaMemAttachGlobal));
    SAY(cudaStreamAttachMemAsync(stream, NULL, 0, cudaMemAttachSingle));
    SAY(cudaStreamAttachMemAsync(stream, d, 0, cudaMemAttachSingle));
    SAY(cudaStreamAttachMemAsync(stream, h, 0, cudaMemAttachSingle));
    SAY(cudaStreamSynchronize(stream));
    printf("last: %s\n", cudaGetErrorName(cudaGetLastError()));
    memset(m, 7, 4096);
    MUST(cudaMemcpyAsync(d, m, 4096, cudaMemcpyDefault, stream));
    MUST(cudaMemsetAsync(m, 1, 4096, stream));
    MUST(cudaMemcpyAsync(h, d, 4096, cudaMemcpyDefault, stream));
    MUST(cudaStreamSynchronize(stream));
    printf("%d %d\n", m[4095], h[4095]);

    puts("addresses");
    tell("managed", m);
    tell("managed, host", g);
    tell("device", d);
    tell("inside device", d + 100);
    tell("pinned", h);
    tell("registered", r);
    tell("pageable", pageable);
    SAY(cudaPointerGetAttributes(NULL, d));

    puts("host memory");
    void *p;
    unsigned flags;
    SAY(cudaHostGetDevicePointer(&p, h, 0));
    printf("%s\n", p == h ? "same" : "another");
    SAY(cudaHostGetDevicePointer(&p, h, 1));
    SAY(cudaHostGetDevicePointer(&p, pageable, 0));
    SAY(cudaHostGetFlags(&flags, h));
    printf("%u\n", flags);
    SAY(cudaHostGetFlags(&flags, pageable));
    SAY(cudaHostRegister(r, 8192, cudaHostRegisterDefault));
    SAY(cudaHostUnregister(r));
    SAY(cudaHostUnregister(r));
    SAY(cudaFreeHost(h));
    SAY(cudaFreeHost(NULL));

    puts("allocation");
    SAY(cudaMallocManaged((void **)&g, 0, cudaMemAttachGlobal));
    SAY(cudaMallocManaged((void **)&g, 16, 0));
    SAY(cudaMallocManaged((void **)&g, 16, cudaMemAttachSingle));
    SAY(cudaMallocManaged(NULL, 16, cudaMemAttachGlobal));
    SAY(cudaMalloc(NULL, 16));
    SAY(cudaMalloc((void **)&g, 0));
    SAY(cudaMalloc((void **)&g, (size_t)1 << 60));
    SAY(cudaFree(NULL));
    SAY(cudaFree(d));
    SAY(cudaFree(d));
    SAY(cudaFree(m));
    printf("last: %s\n", cudaGetErrorName(cudaGetLastError()));
    MUST(cudaStreamDestroy(stream));
    free(pageable), free(r);
    return 0;
}
