// Kernels in the shapes of well-known suites, which nothing was tuned for: benches/suites.c runs and checks them.
#include <cuda_fp16.h>
#define FULL 0xffffffffu

// Sums of values with equal keys that stand beside each other: within a warp by shuffles, then one addition for each run.
extern "C" __global__ void reduce_by_key(const int *keys, const int *values, int *sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
    int key = i < n ? keys[i] : -1, sum = i < n ? values[i] : 0;
    for (int d = 1; d < 32; d *= 2) {
        int other = __shfl_up_sync(FULL, sum, d), theirs = __shfl_up_sync(FULL, key, d);
        if (lane >= d && theirs == key) sum += other;
    }
    int next = __shfl_down_sync(FULL, key, 1);
    if (key >= 0 && (lane == 31 || next != key)) atomicAdd(&sums[key], sum);
}

// A warp for each row of a sparse matrix.
extern "C" __global__ void spmv(const int *rows, const int *columns, const float *values, const float *x, float *y, int n)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
    if (row >= n) return;
    float sum = 0;
    for (int i = rows[row] + lane; i < rows[row + 1]; i += 32) sum += values[i] * x[columns[i]];
    for (int d = 16; d; d /= 2) sum += __shfl_down_sync(FULL, sum, d);
    if (lane == 0) y[row] = sum;
}

// A level of a breadth-first search.
extern "C" __global__ void bfs(const int *rows, const int *columns, int *distance, int *more, int level, int n)
{
    int node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node >= n || distance[node] != level) return;
    for (int i = rows[node]; i < rows[node + 1]; i++) {
        int other = columns[i];
        if (distance[other] < 0) {
            distance[other] = level + 1;
            *more = 1;
        }
    }
}

// The best local alignment of a pair of sequences of 256: a block goes along the diagonals.
extern "C" __global__ void smith_waterman(const unsigned char *a, const unsigned char *b, int *scores)
{
    __shared__ int row[3][257], best[8];
    __shared__ unsigned char other[256];
    int t = threadIdx.x, top = 0;
    unsigned char own = a[blockIdx.x * 256 + t];
    other[t] = b[blockIdx.x * 256 + t];
    for (int i = 0; i < 3; i++) row[i][t + 1] = row[i][0] = 0;
    __syncthreads();
    for (int d = 0; d < 511; d++) {
        int j = d - t, *now = row[d % 3], *one = row[(d + 2) % 3], *two = row[(d + 1) % 3], score = 0;
        if (j >= 0 && j < 256) {
            // From the left, from above, and across; gaps cost 2.
            int left = j > 0 ? one[t + 1] : 0, above = one[t], across = j > 0 ? two[t] : 0;
            score = max(max(0, across + (own == other[j] ? 3 : -3)), max(left, above) - 2);
            top = max(top, score);
        }
        now[t + 1] = score;
        __syncthreads();
    }
    for (int d = 16; d; d /= 2) top = max(top, __shfl_xor_sync(FULL, top, d));
    if (t % 32 == 0) best[t / 32] = top;
    __syncthreads();
    if (t == 0) {
        for (int i = 1; i < 8; i++) top = max(top, best[i]);
        scores[blockIdx.x] = top;
    }
}

__constant__ unsigned rounds[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
    0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
    0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
    0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
    0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
    0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
__device__ __forceinline__ unsigned turn(unsigned x, int n) { return __funnelshift_r(x, x, n); }

// One block of SHA-256 for each thread.
extern "C" __global__ void sha256(const unsigned *messages, unsigned *digests, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned w[16], h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}, s[8];
    for (int k = 0; k < 16; k++) w[k] = messages[k * n + i];
    for (int k = 0; k < 8; k++) s[k] = h[k];
#pragma unroll
    for (int k = 0; k < 64; k++) {
        if (k >= 16) {
            unsigned x = w[(k + 1) & 15], y = w[(k + 14) & 15];
            w[k & 15] += w[(k + 9) & 15] + (turn(x, 7) ^ turn(x, 18) ^ x >> 3) + (turn(y, 17) ^ turn(y, 19) ^ y >> 10);
        }
        unsigned t1 = s[7] + (turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25)) + (s[4] & s[5] ^ ~s[4] & s[6]) + rounds[k] + w[k & 15];
        unsigned t2 = (turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22)) + (s[0] & s[1] ^ s[0] & s[2] ^ s[1] & s[2]);
        for (int m = 7; m > 0; m--) s[m] = s[m - 1];
        s[4] += t1;
        s[0] = t1 + t2;
    }
    for (int k = 0; k < 8; k++) digests[k * n + i] = h[k] + s[k];
}

__device__ __forceinline__ float2 times(float2 a, float2 b) { return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }

// Transforms of 1024 points, four at a time: 256 threads each.
extern "C" __global__ void fft(const float2 *in, float2 *out, const float2 *roots)
{
    __shared__ float2 buffer[2][1024];
    int t = threadIdx.x;
    for (int k = 0; k < 4; k++) buffer[0][t + 256 * k] = in[blockIdx.x * 1024 + t + 256 * k];
    __syncthreads();
    int from = 0;
    for (int length = 1; length < 1024; length *= 4, from ^= 1) {
        int k = t % length;
        float2 v[4];
        for (int m = 0; m < 4; m++) v[m] = times(buffer[from][t + 256 * m], roots[m * k * (256 / length)]);
        float2 a = make_float2(v[0].x + v[2].x, v[0].y + v[2].y), b = make_float2(v[0].x - v[2].x, v[0].y - v[2].y);
        float2 c = make_float2(v[1].x + v[3].x, v[1].y + v[3].y), d = make_float2(v[1].y - v[3].y, v[3].x - v[1].x);
        float2 *to = &buffer[from ^ 1][(t - k) * 4 + k];
        to[0] = make_float2(a.x + c.x, a.y + c.y);
        to[length] = make_float2(b.x + d.x, b.y + d.y);
        to[2 * length] = make_float2(a.x - c.x, a.y - c.y);
        to[3 * length] = make_float2(b.x - d.x, b.y - d.y);
        __syncthreads();
    }
    for (int k = 0; k < 4; k++) out[blockIdx.x * 1024 + t + 256 * k] = buffer[from][t + 256 * k];
}

__constant__ float filter[9] = {0.0625f, 0.125f, 0.0625f, 0.125f, 0.25f, 0.125f, 0.0625f, 0.125f, 0.0625f};

// A filter of 3 by 3, with a tile and its rim in shared memory.
extern "C" __global__ void convolution(const float *in, float *out, int width, int height)
{
    __shared__ float tile[10][34];
    int x0 = blockIdx.x * 32 - 1, y0 = blockIdx.y * 8 - 1;
    for (int i = threadIdx.y * 32 + threadIdx.x; i < 340; i += 256) {
        int x = min(max(x0 + i % 34, 0), width - 1), y = min(max(y0 + i / 34, 0), height - 1);
        tile[i / 34][i % 34] = in[y * width + x];
    }
    __syncthreads();
    int x = x0 + 1 + threadIdx.x, y = y0 + 1 + threadIdx.y;
    if (x >= width || y >= height) return;
    float sum = 0;
    for (int dy = 0; dy < 3; dy++)
        for (int dx = 0; dx < 3; dx++) sum += filter[dy * 3 + dx] * tile[threadIdx.y + dy][threadIdx.x + dx];
    out[y * width + x] = sum;
}

__device__ __forceinline__ void product(float d[4], const unsigned a[4], unsigned b0, unsigned b1)
{
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
__device__ __forceinline__ unsigned pack(float low, float high)
{
    __half2 h = __floats2half2_rn(low, high);
    return *(unsigned *)&h;
}

// Attention of one head: 16 queries a warp, 64 numbers each; keys eight by eight with a running softmax. `values` are transposed.
extern "C" __global__ void attention(const __half *queries, const __half *keys, const __half *values, float *out, int n)
{
    int lane = threadIdx.x & 31, group = lane / 4, part = lane % 4;
    int first = (blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32) * 16;
    size_t head = (size_t)blockIdx.y * n * 64;
    queries += head, keys += head, values += head, out += head;
    unsigned q[4][4];
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 4; i++)
            q[k][i] = *(const unsigned *)&queries[(first + group + i % 2 * 8) * 64 + k * 16 + part * 2 + i / 2 * 8];
    float sum[8][4] = {}, top[2] = {-1e30f, -1e30f}, total[2] = {0, 0};
    for (int at = 0; at < n; at += 16) {
        float s[2][4] = {};
        for (int half = 0; half < 2; half++)
            for (int k = 0; k < 4; k++) {
                const unsigned *b = (const unsigned *)&keys[(at + half * 8 + group) * 64 + k * 16 + part * 2];
                product(s[half], q[k], b[0], b[4]);
            }
        float scale[2];
        for (int r = 0; r < 2; r++) {
            float m = fmaxf(fmaxf(s[0][2 * r], s[0][2 * r + 1]), fmaxf(s[1][2 * r], s[1][2 * r + 1]));
            m = fmaxf(m, __shfl_xor_sync(FULL, m, 1));
            m = fmaxf(m, __shfl_xor_sync(FULL, m, 2));
            m = fmaxf(m, top[r]);
            scale[r] = exp2f((top[r] - m) * 0.18033688f);
            top[r] = m;
            float t = 0;
            for (int half = 0; half < 2; half++)
                for (int c = 0; c < 2; c++) t += s[half][2 * r + c] = exp2f((s[half][2 * r + c] - m) * 0.18033688f);
            t += __shfl_xor_sync(FULL, t, 1);
            t += __shfl_xor_sync(FULL, t, 2);
            total[r] = total[r] * scale[r] + t;
        }
        unsigned p[4] = {pack(s[0][0], s[0][1]), pack(s[0][2], s[0][3]), pack(s[1][0], s[1][1]), pack(s[1][2], s[1][3])};
        for (int d = 0; d < 8; d++) {
            for (int i = 0; i < 4; i++) sum[d][i] *= scale[i / 2];
            const unsigned *b = (const unsigned *)&values[(d * 8 + group) * n + at + part * 2];
            product(sum[d], p, b[0], b[4]);
        }
    }
    for (int d = 0; d < 8; d++)
        for (int i = 0; i < 4; i++) out[(first + group + i / 2 * 8) * 64 + d * 8 + part * 2 + i % 2] = sum[d][i] / total[i / 2];
}

__device__ float block_sum(float x)
{
    __shared__ float parts[8];
    for (int d = 16; d; d /= 2) x += __shfl_xor_sync(FULL, x, d);
    __syncthreads();
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = x;
    __syncthreads();
    x = parts[threadIdx.x % 8];
    for (int d = 4; d; d /= 2) x += __shfl_xor_sync(FULL, x, d);
    return x;
}

// Rows of 1024 to mean 0 and variance 1, then scaled and shifted: a block each.
extern "C" __global__ void layer_norm(const float4 *in, const float4 *scale, const float4 *shift, float4 *out)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    float4 x = in[i], a = scale[threadIdx.x], b = shift[threadIdx.x];
    float mean = block_sum(x.x + x.y + x.z + x.w) / 1024;
    x = make_float4(x.x - mean, x.y - mean, x.z - mean, x.w - mean);
    float r = rsqrtf(block_sum(x.x * x.x + x.y * x.y + x.z * x.z + x.w * x.w) / 1024 + 1e-5f);
    out[i] = make_float4(x.x * r * a.x + b.x, x.y * r * a.y + b.y, x.z * r * a.z + b.z, x.w * r * a.w + b.w);
}

// A pass of a radix sort by four bits: how often each digit occurs in a tile of 1024, where it begins, and the move there.
extern "C" __global__ void radix_count(const unsigned *keys, unsigned *counts, int shift)
{
    __shared__ unsigned bins[16];
    if (threadIdx.x < 16) bins[threadIdx.x] = 0;
    __syncthreads();
    for (int k = 0; k < 4; k++) atomicAdd(&bins[keys[blockIdx.x * 1024 + k * 256 + threadIdx.x] >> shift & 15], 1);
    __syncthreads();
    if (threadIdx.x < 16) counts[threadIdx.x * gridDim.x + blockIdx.x] = bins[threadIdx.x];
}
extern "C" __global__ void radix_scan(unsigned *counts, int n)
{
    __shared__ unsigned sums[32];
    unsigned before = 0;
    int lane = threadIdx.x & 31, warp = threadIdx.x / 32;
    for (int at = 0; at < n; at += 1024) {
        unsigned own = at + threadIdx.x < n ? counts[at + threadIdx.x] : 0, sum = own;
        for (int d = 1; d < 32; d *= 2) {
            unsigned other = __shfl_up_sync(FULL, sum, d);
            if (lane >= d) sum += other;
        }
        if (lane == 31) sums[warp] = sum;
        __syncthreads();
        if (warp == 0) {
            unsigned s = sums[lane];
            for (int d = 1; d < 32; d *= 2) {
                unsigned other = __shfl_up_sync(FULL, s, d);
                if (lane >= d) s += other;
            }
            sums[lane] = s;
        }
        __syncthreads();
        if (warp) sum += sums[warp - 1];
        if (at + threadIdx.x < n) counts[at + threadIdx.x] = before + sum - own;
        before += sums[31];
        __syncthreads();
    }
}
extern "C" __global__ void radix_move(const unsigned *keys, unsigned *out, const unsigned *starts, int shift)
{
    __shared__ unsigned counts[8][16];
    int lane = threadIdx.x & 31, warp = threadIdx.x / 32;
    if (threadIdx.x < 128) counts[threadIdx.x / 16][threadIdx.x % 16] = 0;
    __syncthreads();
    unsigned key[4], rank[4];
    for (int k = 0; k < 4; k++) {
        key[k] = keys[blockIdx.x * 1024 + warp * 128 + k * 32 + lane];
        unsigned digit = key[k] >> shift & 15, same = FULL;
        for (int bit = 0; bit < 4; bit++) {
            unsigned set = __ballot_sync(FULL, digit >> bit & 1);
            same &= digit >> bit & 1 ? set : ~set;
        }
        unsigned before = counts[warp][digit];
        rank[k] = before + __popc(same & (1u << lane) - 1);
        __syncwarp();
        if ((same >> lane) == 1) counts[warp][digit] = before + __popc(same);
        __syncwarp();
    }
    __syncthreads();
    if (threadIdx.x < 16) {
        unsigned sum = starts[threadIdx.x * gridDim.x + blockIdx.x];
        for (int w = 0; w < 8; w++) {
            unsigned own = counts[w][threadIdx.x];
            counts[w][threadIdx.x] = sum;
            sum += own;
        }
    }
    __syncthreads();
    for (int k = 0; k < 4; k++) out[counts[warp][key[k] >> shift & 15] + rank[k]] = key[k];
}
