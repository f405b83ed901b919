// Cooperative groups: the block, tiles of warps, coalesced threads, the whole grid.
#include "check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

__global__ void tiles(const int *in, int *out)
{
    cg::thread_block block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    auto eight = cg::tiled_partition<8>(warp);
    int v = in[block.thread_rank()], *o = out + block.thread_rank() * 8;
    o[0] = cg::reduce(warp, v, cg::plus<int>());
    o[1] = cg::reduce(eight, v, cg::greater<int>());
    o[2] = cg::inclusive_scan(eight, v & 255);
    o[3] = cg::exclusive_scan(warp, v & 255);
    o[4] = eight.shfl(v, 3) + eight.shfl_xor(v, 1) + eight.meta_group_rank() * 1000 + warp.meta_group_size();
    o[5] = eight.ballot(v & 1) + eight.any(v > 100) + eight.all(v > 0);
    if (v & 1) {
        auto some = cg::coalesced_threads();
        o[6] = some.size() * 100 + some.thread_rank();
        o[7] = cg::reduce(some, 1, cg::plus<int>());
    } else {
        auto same = cg::labeled_partition(cg::coalesced_threads(), v & 6);
        o[6] = same.size();
        o[7] = same.shfl(v, 0);
    }
    block.sync();
}

// Each step needs all blocks' results of the one before.
__global__ void steps(unsigned *a, unsigned *b, int n, int count)
{
    cg::grid_group grid = cg::this_grid();
    for (int s = 0; s < count; s++) {
        for (unsigned i = grid.thread_rank(); i < n; i += grid.size()) b[i] = a[(i + 1) % n] * 3 + a[(i + 7919) % n];
        grid.sync();
        unsigned *t = a;
        a = b;
        b = t;
    }
}

__global__ void alone(unsigned *a) { if (cg::this_grid().is_valid()) *a = 1; else *a = 2; }

int main()
{
    int n = 96;
    std::vector<int> in(n), w(8 * n);
    for (auto &v : in) v = (int)(next() & 0xffff) + 1;
    for (int t = 0; t < n; t++) {
        int *o = &w[8 * t], wb = t / 32 * 32, eb = t / 8 * 8, m = 0;
        for (int k = 0; k < 32; k++) o[0] += in[wb + k];
        for (int k = 0; k < 8; k++) m = std::max(m, in[eb + k]);
        o[1] = m;
        for (int k = eb; k <= t; k++) o[2] += in[k] & 255;
        for (int k = wb; k < t; k++) o[3] += in[k] & 255;
        o[4] = in[eb + 3] + in[t ^ 1] + (t % 32 / 8) * 1000 + 3;
        int ballot = 0, any = 0, all = 1;
        for (int k = 0; k < 8; k++) ballot |= (in[eb + k] & 1) << k, any |= in[eb + k] > 100, all &= in[eb + k] > 0;
        o[5] = ballot + any + all;
        int size = 0, rank = 0, first = -1;
        for (int k = wb; k < wb + 32; k++) {
            bool mine = in[t] & 1 ? in[k] & 1 : !(in[k] & 1) && (in[k] & 6) == (in[t] & 6);
            if (!mine) continue;
            if (first < 0) first = in[k];
            size++, rank += k < t;
        }
        o[6] = in[t] & 1 ? size * 100 + rank : size;
        o[7] = in[t] & 1 ? size : first;
    }
    Device<int> d(in), out(8 * n);
    tiles<<<1, n>>>(d, out);
    LAUNCHED();
    exact("tiles", out.get(), w);

    int has = 0;
    MUST(cudaDeviceGetAttribute(&has, cudaDevAttrCooperativeLaunch, 0));
    printf("cooperative launches: %d\n", has);
    int size = 20000, count = 9, blocks = 12;
    std::vector<unsigned> a(size), b(size);
    for (auto &v : a) v = next();
    Device<unsigned> da(a), db(size);
    unsigned *pa = da, *pb = db;
    void *args[] = {&pa, &pb, &size, &count};
    MUST(cudaLaunchCooperativeKernel((void *)steps, dim3(blocks), dim3(128), args));
    for (int s = 0; s < count; s++) {
        for (int i = 0; i < size; i++) b[i] = a[(i + 1) % size] * 3 + a[(i + 7919) % size];
        a.swap(b);
    }
    exact("grid", db.get(), a);
    Device<unsigned> one(1);
    alone<<<1, 1>>>(one);
    LAUNCHED();
    printf("without: %u\n", one.get()[0]);
    SAY(cudaLaunchCooperativeKernel((void *)steps, dim3(1 << 20), dim3(128), args));
    SAY(cudaGetLastError());
    return 0;
}
