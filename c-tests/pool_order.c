/* Memory of a pool that is freed while work on it is pending in a stream that only the rules of the legacy stream order before the
 * free: until that work is done, the memory is nobody else's and stays where it is. */
#include "check.h"

#define BYTES (1 << 20)

static CUmemoryPool pool;
static CUdeviceptr result;
static CUstream other;
static volatile unsigned *word;

/* Copies from memory of the pool in a stream that is held, and frees the memory in another one meanwhile. */
static void free_while_held(const char *what, CUstream used, CUstream freed)
{
    CUdeviceptr memory, again;
    unsigned char *found = malloc(BYTES);
    *word = 0;
    OK(cuMemsetD8(result, 0, BYTES));
    OK(cuMemAllocFromPoolAsync(&memory, BYTES, pool, used));
    OK(cuMemsetD8Async(memory, 7, BYTES, used));
    OK(cuStreamSynchronize(used));
    OK(cuStreamWaitValue32(used, (CUdeviceptr)(uintptr_t)word, 1, CU_STREAM_WAIT_VALUE_EQ));
    OK(cuMemcpyAsync(result, memory, BYTES, used));
    OK(cuMemFreeAsync(memory, freed));
    OK(cuMemPoolTrimTo(pool, 0));
    OK(cuMemAllocFromPoolAsync(&again, BYTES, pool, other));
    printf("%s: %s\n", what, again == memory ? "somebody else has the memory" : "the memory is in use");
    OK(cuMemsetD8Async(again, 9, BYTES, other));
    OK(cuMemFreeAsync(again, other));
    OK(cuStreamSynchronize(other));
    *word = 1;
    SHOW(cuCtxSynchronize());
    OK(cuMemcpyDtoH(found, result, BYTES));
    int right = 0;
    for (int i = 0; i < BYTES; i++) right += found[i] == 7;
    printf("%d of %d bytes are right\n", right, BYTES);
    free(found);
}

int main(void)
{
    limit_time(60);
    CUdevice device;
    CUcontext context;
    CUstream blocking;
    CUmemPoolProps props;
    OK(cuInit(0));
    OK(cuDeviceGet(&device, 0));
    OK(cuDevicePrimaryCtxRetain(&context, device));
    OK(cuCtxSetCurrent(context));
    memset(&props, 0, sizeof props);
    props.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    props.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    props.location.id = device;
    OK(cuMemPoolCreate(&pool, &props));
    /* The other stream must not be made to wait for the memory: it is waited for before the others go on. */
    int no = 0;
    OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES, &no));
    OK(cuStreamCreate(&blocking, CU_STREAM_DEFAULT));
    OK(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
    OK(cuMemAlloc(&result, BYTES));
    OK(cuMemAllocHost((void **)&word, sizeof *word));
    free_while_held("used in a blocking stream, freed in the legacy stream", blocking, CU_STREAM_LEGACY);
    free_while_held("used in the legacy stream, freed in a blocking stream", CU_STREAM_LEGACY, blocking);
    OK(cuMemPoolDestroy(pool));
    return 0;
}
