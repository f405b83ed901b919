// Seeded mistakes, for tests/cudart/check.sh: "mistakes NAME" makes one. The comment behind a line says which check finds it there, and
// how its report begins; "anywhere" where the compiler's headers have the instruction.
#include <cooperative_groups.h>
#include <cstdio>
#include <cstring>
namespace cg = cooperative_groups;
typedef unsigned u32;
__device__ u32 sink, table[5];
#define SHARED(p) ((u32)__cvta_generic_to_shared(p))

/* ---- memory that is not there ---- */
__global__ void read_behind(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)
        out[0] = in[i]; // memcheck: invalid read of 4 bytes in global memory
}
__global__ void write_behind(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)
        out[i] = i; // memcheck: invalid write of 4 bytes in global memory
}
__global__ void read_before(const int *in, int *out, int n)
{
    out[threadIdx.x] = in[(int)threadIdx.x - n]; // memcheck: invalid read of 4 bytes in global memory
}
__global__ void misaligned(char *p, int n)
{
    *(int *)(p + n) = 1; // memcheck: misaligned write of 4 bytes in global memory
}
__global__ void freed(int *p)
{
    p[threadIdx.x] = 1; // memcheck: write of 4 bytes in freed memory
}
__global__ void host_pointer(int *p)
{
    *p = 1; // memcheck: invalid write of 4 bytes in global memory
}
__global__ void null_pointer(int *p)
{
    p[threadIdx.x] = 1; // memcheck: invalid write of 4 bytes in global memory
}
__global__ void shared_behind(int *out, int n)
{
    __shared__ int s[64];
    s[threadIdx.x + n] = 1; // memcheck: invalid write of 4 bytes in shared memory
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}
__global__ void dynamic_behind(int *out, int n)
{
    extern __shared__ int d[];
    d[threadIdx.x + n] = 1; // memcheck: invalid write of 4 bytes in shared memory
    __syncthreads();
    out[threadIdx.x] = d[threadIdx.x];
}
__global__ void local_behind(int *out, int n)
{
    int a[8];
    for (int i = 0; i < n; i++)
        a[i * 2 % 9] = i; // memcheck: invalid write of 4 bytes in local memory
    out[0] = a[n % 8];
}
__global__ void atomic_behind(u32 *p, int n)
{
    atomicAdd(p + n, 1); // anywhere: memcheck: invalid atomic access of 4 bytes in global memory
}
__global__ void heap_behind(int n)
{
    int *p = (int *)malloc(16);
    p[n] = 1; // memcheck: invalid write of 4 bytes in global memory
    free(p);
}
__global__ void variable_behind(int n)
{
    table[n] = 1; // memcheck: invalid write of 4 bytes in global memory
}

/* ---- memory that nobody wrote ---- */
__global__ void sum_of(const int *in, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] + 1; // never_written half_set half_copied stale other_buffer stream_ordered: initcheck: uninitialised read of 4 bytes in global memory
}
__global__ void fill(int *out, int n, int step)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i * step] = i;
}
__global__ void one_too_few(const int *in, int *out)
{
    out[threadIdx.x] = in[threadIdx.x]; // initcheck: uninitialised read of 4 bytes in global memory
}
__global__ void gaps(const int *in, int *out)
{
    out[threadIdx.x] = in[threadIdx.x * 2 + 1]; // initcheck: uninitialised read of 4 bytes in global memory
}
__global__ void vector_half(const float4 *in, float4 *out)
{
    out[threadIdx.x] = in[threadIdx.x]; // initcheck: uninitialised read of 8 bytes in global memory
}
__global__ void counter(u32 *c)
{
    atomicAdd(c, 1); // anywhere: initcheck: uninitialised atomic access of 4 bytes in global memory
}
__global__ void padding(const char *in, size_t pitch, char *out, int width)
{
    out[threadIdx.x] = in[threadIdx.x * pitch + width]; // initcheck: uninitialised read of 1 byte in global memory
}
struct pair { double a, b; };
__global__ void set_first(pair *p) { p[threadIdx.x].a = 1; }
__global__ void member(const pair *p, double *out)
{
    out[threadIdx.x] = p[threadIdx.x].b; // initcheck: uninitialised read of 8 bytes in global memory
}
__global__ void copy_in(const int *in, int *out)
{
    __shared__ __align__(16) int s[256];
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(SHARED(s + threadIdx.x * 4)), "l"(in + threadIdx.x * 4) : "memory"); // initcheck: uninitialised read of 8 bytes in global memory
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}

/* ---- accesses that nothing orders ---- */
__device__ int block_sum(int v, int *shared)
{
    shared[threadIdx.x] = v; // racecheck: no barrier between two accesses to shared memory
    __syncthreads();
    for (int step = blockDim.x / 2; step > 0; step /= 2) {
        if (threadIdx.x < step)
            shared[threadIdx.x] += shared[threadIdx.x + step];
        __syncthreads();
    }
    return shared[0];
}
__global__ void returns_first(int *out)
{
    __shared__ int shared[128];
    int a = block_sum(threadIdx.x, shared);
    int b = block_sum(a + threadIdx.x, shared);
    if (threadIdx.x == 0)
        out[blockIdx.x] = a + b;
}
__global__ void exchange(int *out)
{
    __shared__ int s[128];
    s[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = s[127 - threadIdx.x]; // racecheck: no barrier between two accesses to shared memory
}
__global__ void tree(int *out)
{
    __shared__ int s[128];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    for (int step = 64; step > 0; step /= 2)
        if (threadIdx.x < step)
            s[threadIdx.x] += s[threadIdx.x + step]; // racecheck: no barrier between two accesses to shared memory
    if (threadIdx.x == 0)
        out[0] = s[0];
}
__global__ void scan_in_place(int *out)
{
    __shared__ int s[128];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    for (int step = 32; step < 128; step *= 2) {
        if (threadIdx.x >= step)
            s[threadIdx.x] += s[threadIdx.x - step]; // racecheck: no barrier between two accesses to shared memory
        __syncthreads();
    }
    out[threadIdx.x] = s[threadIdx.x];
}
__global__ void one_barrier_a_round(int *out)
{
    __shared__ int s[128];
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        s[threadIdx.x] = i; // racecheck: no barrier between two accesses to shared memory
        __syncthreads();
        sum += s[127 - threadIdx.x];
    }
    out[threadIdx.x] = sum;
}
__global__ void plain_histogram(const int *in, int *out)
{
    __shared__ int bins[8];
    if (threadIdx.x < 8)
        bins[threadIdx.x] = 0;
    __syncthreads();
    bins[in[threadIdx.x] & 7]++; // racecheck: no barrier between two accesses to shared memory
    __syncthreads();
    if (threadIdx.x < 8)
        out[threadIdx.x] = bins[threadIdx.x];
}
__global__ void transpose(const int *in, int *out)
{
    __shared__ int tile[16][17];
    tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 16 + threadIdx.x];
    out[threadIdx.y * 16 + threadIdx.x] = tile[threadIdx.x][threadIdx.y]; // racecheck: no barrier between two accesses to shared memory
}
__global__ void warp_barrier(int *out)
{
    __shared__ int s[128];
    s[threadIdx.x] = threadIdx.x;
    __syncwarp();
    out[threadIdx.x] = s[threadIdx.x ^ 32]; // racecheck: no barrier between two accesses to shared memory
}
__global__ void two_warps_of_three(int *out)
{
    __shared__ int s[1];
    if (threadIdx.x == 0)
        s[0] = out[0];
    if (threadIdx.x < 64)
        asm volatile("bar.sync 1, 64;" ::: "memory");
    out[threadIdx.x + 1] = s[0]; // racecheck: no barrier between two accesses to shared memory
}
__global__ void copy_without_barrier(const int *in, int *out)
{
    __shared__ __align__(16) int s[128];
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(SHARED(s + threadIdx.x)), "l"(in + threadIdx.x) : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    out[threadIdx.x] = s[127 - threadIdx.x]; // racecheck: no barrier between two accesses to shared memory
}
__global__ void early_count(int *out)
{
    __shared__ u32 n;
    if (threadIdx.x == 0)
        n = out[0];
    __syncthreads();
    atomicAdd(&n, 1);
    out[threadIdx.x + 1] = n; // racecheck: no barrier between two accesses to shared memory
}
__global__ void neighbours(int *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    p[i] = i;
    __syncthreads();
    p[i + n] = p[(i + blockDim.x) % n]; // racecheck: nothing orders two accesses to global memory
}
__global__ void fenced_neighbours(int *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    p[i] = i;
    __threadfence();
    p[i + n] = p[(i + blockDim.x) % n]; // racecheck: nothing orders two accesses to global memory
}
__global__ void plain_sum(int *p)
{
    p[0] += threadIdx.x + 1; // racecheck: nothing orders two accesses to global memory
}
__global__ void last_writer(int *p)
{
    p[0] = blockIdx.x + 1; // racecheck: nothing orders two accesses to global memory
}
__global__ void stencil_in_place(int *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = p[(i + n / 2) % n];
    p[i] = v + i + 1; // racecheck: nothing orders two accesses to global memory
}
__global__ void counter_reset(u32 *c)
{
    if (threadIdx.x == 63)
        *c = 7; // racecheck: nothing orders two accesses to global memory
    atomicAdd(c, 1);
}
__global__ void other_warp(int *p)
{
    p[threadIdx.x] = threadIdx.x + 1;
    p[threadIdx.x + 128] = p[threadIdx.x ^ 64]; // racecheck: nothing orders two accesses to global memory
}
__global__ void block_results(int *p, int *out)
{
    if (threadIdx.x == 0)
        p[blockIdx.x] = blockIdx.x + 1;
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x < gridDim.x)
        out[threadIdx.x] = p[threadIdx.x]; // racecheck: nothing orders two accesses to global memory
}
__global__ void global_histogram(const int *in, int *bins)
{
    bins[in[threadIdx.x] & 7]++; // racecheck: nothing orders two accesses to global memory
}
__global__ void plain_flag(int *p, int *out)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        p[1] = 42;
        __threadfence();
        p[0] = 1;
    }
    if (p[0]) // racecheck: nothing orders two accesses to global memory
        out[blockIdx.x] = 1;
}

/* ---- barriers ---- */
__global__ void barrier_in_loop(const int *in, int *out, int n)
{
    __shared__ int s[64];
    s[threadIdx.x] = 0;
    __syncthreads();
    for (int b = 0; b < 16; b++) {
        int at = b * 64 + threadIdx.x;
        if (at < n) {
            s[threadIdx.x] += in[at];
            __syncthreads(); // synccheck: divergent threads of the block at a barrier
        }
    }
    if (threadIdx.x == 0)
        for (int i = 0; i < 64; i++)
            out[0] += s[i];
}
__global__ void barriers_within_warps(int *out)
{
    if (threadIdx.x & 1) {
        out[threadIdx.x] = 1;
        asm volatile("bar.sync 0;" ::: "memory"); // synccheck: divergent threads of a warp at a barrier of the block
    } else {
        out[threadIdx.x] = 2;
        asm volatile("bar.sync 0;" ::: "memory"); // synccheck: divergent threads of a warp at a barrier of the block
    }
    out[threadIdx.x] += out[threadIdx.x ^ 1];
}
__global__ void barriers_between_warps(int *out)
{
    if (threadIdx.x < 32) {
        out[threadIdx.x] = 1;
        asm volatile("bar.sync 0;" ::: "memory"); // synccheck: divergent threads of the block at a barrier
    } else {
        out[threadIdx.x] = 2;
        asm volatile("bar.sync 0;" ::: "memory"); // synccheck: divergent threads of the block at a barrier
    }
}
__global__ void outside_of_mask(int *out)
{
    __shared__ int s[32];
    u32 mask = __ballot_sync(0xffffffff, threadIdx.x < 16);
    if (threadIdx.x <= 16) {
        s[threadIdx.x] = threadIdx.x;
        __syncwarp(mask); // anywhere: synccheck: mask that does not name the thread itself
        out[threadIdx.x] = s[threadIdx.x ^ 1];
    }
}
__global__ void no_multiple(int n)
{
    asm volatile("bar.sync 1, %0;" ::"r"(n) : "memory"); // synccheck: number of threads that is no multiple of 32
}
__global__ void no_such_barrier(int n)
{
    asm volatile("bar.sync %0;" ::"r"(n) : "memory"); // synccheck: number of a barrier that is not there
}
__global__ void too_many()
{
    asm volatile("bar.sync 1, 256;" ::: "memory"); // synccheck: barrier of more threads than the block has
}
__global__ void one_warp_too_few()
{
    if (threadIdx.x >= 32)
        asm volatile("bar.sync 1, 128;" ::: "memory"); // synccheck: barrier that never opens
}
__global__ void disagree()
{
    if (threadIdx.x < 32)
        asm volatile("bar.sync 1, 128;" ::: "memory"); // synccheck: threads that do not agree on how many a barrier takes
    else
        asm volatile("bar.sync 1, 96;" ::: "memory"); // synccheck: threads that do not agree on how many a barrier takes
}
__global__ void shuffle_outside(int *out)
{
    if (threadIdx.x < 16)
        out[threadIdx.x] = __shfl_down_sync(0xffff0000, threadIdx.x, 1); // anywhere: synccheck: mask that does not name the thread itself
}
__global__ void shuffles_in_branches(int *out)
{
    int v;
    if (threadIdx.x < 16) {
        out[64] = 1;
        v = __shfl_sync(0xffffffff, threadIdx.x, 0); // anywhere: synccheck: threads of a mask at different instructions
    } else {
        out[65] = 1;
        v = __shfl_sync(0xffffffff, threadIdx.x + 7, 1); // anywhere: synccheck: threads of a mask at different instructions
    }
    out[threadIdx.x] = v;
}
__global__ void different_masks(u32 *out)
{
    u32 mask = threadIdx.x < 16 ? 0xffff : 0xffffffff;
    out[threadIdx.x] = __ballot_sync(mask, threadIdx.x & 1); // anywhere: synccheck: threads that name different masks
}
__global__ void tile_in_branches(int *out)
{
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    if (tile.thread_rank() < 8) {
        out[64] = 1;
        out[threadIdx.x] = tile.any(out[3]);
    } else {
        out[65] = 1;
        out[threadIdx.x] = tile.shfl(threadIdx.x, 9);
    }
} // anywhere: synccheck: threads of a mask at different instructions
__global__ void uninitialised(unsigned long long *out)
{
    __shared__ unsigned long long word;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(out[0]) : "r"(SHARED(&word)) : "memory"); // synccheck: mbarrier that is not initialised
}
__global__ void of_nobody(int n)
{
    __shared__ unsigned long long word;
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(SHARED(&word)), "r"(n) : "memory"); // synccheck: wrong count of an mbarrier
}
__global__ void arrive_too_often(unsigned long long *out)
{
    __shared__ unsigned long long word;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 2;" ::"r"(SHARED(&word)) : "memory");
        asm volatile("mbarrier.arrive.shared.b64 %0, [%1], 3;" : "=l"(out[0]) : "r"(SHARED(&word)) : "memory"); // synccheck: wrong count of arrivals at an mbarrier
    }
}
__global__ void invalidated(unsigned long long *out)
{
    __shared__ unsigned long long word;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(SHARED(&word)) : "memory");
        asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(SHARED(&word)) : "memory");
        asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(out[0]) : "r"(SHARED(&word)) : "memory"); // synccheck: mbarrier that is not initialised
    }
}

static int *memory(size_t n, bool set = true)
{
    int *p;
    cudaMalloc(&p, n * sizeof *p);
    if (set)
        cudaMemset(p, 0, n * sizeof *p);
    return p;
}

int main(int, char **argv)
{
    int *a = memory(1000), *b = memory(4096), own[4] = {};
    u32 *u = (u32 *)b;
    unsigned long long *w = (unsigned long long *)b;
#define CASE(name, ...) if (!strcmp(argv[1], #name)) { __VA_ARGS__; }
    CASE(read_behind, read_behind<<<4, 256>>>(a, b, 1000))
    CASE(write_behind, write_behind<<<4, 256>>>(a, 1000))
    CASE(read_before, read_before<<<1, 32>>>(a, b, 1))
    CASE(misaligned, misaligned<<<1, 1>>>((char *)a, 2))
    CASE(freed, cudaFree(a); freed<<<1, 32>>>(a))
    CASE(host_pointer, host_pointer<<<1, 1>>>(own))
    CASE(null_pointer, null_pointer<<<1, 32>>>(nullptr))
    CASE(shared_behind, shared_behind<<<1, 64>>>(b, 1))
    CASE(dynamic_behind, dynamic_behind<<<1, 64, 256>>>(b, 1))
    CASE(local_behind, local_behind<<<1, 1>>>(b, 7))
    CASE(atomic_behind, atomic_behind<<<1, 1>>>((u32 *)a, 1000))
    CASE(heap_behind, heap_behind<<<1, 1>>>(4))
    CASE(variable_behind, variable_behind<<<1, 1>>>(5))
    CASE(never_written, sum_of<<<2, 64>>>(memory(128, false), b))
    CASE(half_set, int *p = memory(128, false); cudaMemset(p, 0, 256); sum_of<<<2, 64>>>(p, b))
    CASE(half_copied, int *p = memory(128, false); cudaMemcpy(p, a, 256, cudaMemcpyDeviceToDevice); sum_of<<<2, 64>>>(p, b))
    CASE(stale, int *p = memory(128); cudaFree(p); p = memory(128, false); sum_of<<<2, 64>>>(p, b))
    CASE(other_buffer, int *p[2] = {memory(128, false), memory(128, false)}; fill<<<1, 128>>>(p[0], 128, 1); sum_of<<<1, 128>>>(p[1], b))
    CASE(stream_ordered, cudaDeviceSynchronize(); int *p; cudaMallocAsync(&p, 512, 0); sum_of<<<1, 128>>>(p, b))
    CASE(one_too_few, int *p = memory(128, false); fill<<<1, 128>>>(p, 127, 1); one_too_few<<<1, 128>>>(p, b))
    CASE(gaps, int *p = memory(128, false); fill<<<1, 128>>>(p, 64, 2); gaps<<<1, 32>>>(p, b))
    CASE(vector_half, int *p = memory(128, false); cudaMemset(p, 0, 24); vector_half<<<1, 32>>>((float4 *)p, (float4 *)b))
    CASE(counter, counter<<<1, 32>>>((u32 *)memory(1, false)))
    CASE(padding, char *p; size_t pitch; cudaMallocPitch(&p, &pitch, 100, 32); for (int i = 0; i < 32; i++) cudaMemset(p + i * pitch, 0, 100);
         padding<<<1, 32>>>(p, pitch, (char *)b, 100))
    CASE(member, pair *p = (pair *)memory(128, false); set_first<<<1, 32>>>(p); member<<<1, 32>>>(p, (double *)b))
    CASE(copy_in, int *p = memory(256, false); cudaMemset(p, 0, 1000); copy_in<<<1, 64>>>(p, b))
    CASE(returns_first, returns_first<<<2, 128>>>(b))
    CASE(exchange, exchange<<<1, 128>>>(b))
    CASE(tree, tree<<<1, 128>>>(b))
    CASE(scan_in_place, scan_in_place<<<1, 128>>>(b))
    CASE(one_barrier_a_round, one_barrier_a_round<<<1, 128>>>(b))
    CASE(plain_histogram, plain_histogram<<<1, 128>>>(a, b))
    CASE(transpose, transpose<<<1, dim3(16, 16)>>>(a, b))
    CASE(warp_barrier, warp_barrier<<<1, 128>>>(b))
    CASE(two_warps_of_three, two_warps_of_three<<<1, 96>>>(b))
    CASE(copy_without_barrier, copy_without_barrier<<<1, 128>>>(a, b))
    CASE(early_count, early_count<<<1, 128>>>(b))
    CASE(neighbours, neighbours<<<4, 128>>>(b, 512))
    CASE(fenced_neighbours, fenced_neighbours<<<4, 128>>>(b, 512))
    CASE(plain_sum, plain_sum<<<4, 128>>>(b))
    CASE(last_writer, last_writer<<<4, 32>>>(b))
    CASE(stencil_in_place, stencil_in_place<<<4, 128>>>(b, 512))
    CASE(counter_reset, counter_reset<<<4, 64>>>((u32 *)a))
    CASE(other_warp, other_warp<<<1, 128>>>(b))
    CASE(block_results, block_results<<<4, 64>>>(a, b))
    CASE(global_histogram, global_histogram<<<4, 128>>>(a, b))
    CASE(plain_flag, plain_flag<<<4, 32>>>(a, b))
    CASE(barrier_in_loop, barrier_in_loop<<<1, 64>>>(a, b, 16 * 64 - 40))
    CASE(barriers_within_warps, barriers_within_warps<<<1, 64>>>(b))
    CASE(barriers_between_warps, barriers_between_warps<<<1, 64>>>(b))
    CASE(outside_of_mask, outside_of_mask<<<1, 32>>>(b))
    CASE(no_multiple, no_multiple<<<1, 64>>>(40))
    CASE(no_such_barrier, no_such_barrier<<<1, 64>>>(16))
    CASE(too_many, too_many<<<1, 128>>>())
    CASE(one_warp_too_few, one_warp_too_few<<<1, 128>>>())
    CASE(disagree, disagree<<<1, 128>>>())
    CASE(shuffle_outside, shuffle_outside<<<1, 32>>>(b))
    CASE(shuffles_in_branches, shuffles_in_branches<<<1, 32>>>(b))
    CASE(different_masks, different_masks<<<1, 32>>>(u))
    CASE(tile_in_branches, tile_in_branches<<<1, 32>>>(b))
    CASE(uninitialised, uninitialised<<<1, 32>>>(w))
    CASE(of_nobody, of_nobody<<<1, 32>>>(0))
    CASE(arrive_too_often, arrive_too_often<<<1, 32>>>(w))
    CASE(invalidated, invalidated<<<1, 32>>>(w))
    puts(cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
