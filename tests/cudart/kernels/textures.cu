// Textures and surfaces: linear memory, arrays of one to three dimensions, layers, cubes, filters, addressing.
#include "check.h"

__global__ void linear(cudaTextureObject_t t, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tex1Dfetch<float>(t, i);
}
__global__ void plane(cudaTextureObject_t t, float *out, int w, int h, float scale, float shift)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) out[y * w + x] = tex2D<float>(t, x * scale + shift, y * scale + shift);
}
__global__ void bytes(cudaTextureObject_t t, float4 *out, int w)
{
    out[threadIdx.x] = tex2D<float4>(t, (threadIdx.x + 0.5f) / w, 0.5f);
}
__global__ void volume(cudaTextureObject_t t, int *out, int w, int h)
{
    int z = blockIdx.x;
    out[(z * h + threadIdx.y) * w + threadIdx.x] = tex3D<int>(t, threadIdx.x, threadIdx.y, z);
}
__global__ void layers(cudaTextureObject_t t, float *out, int w)
{
    out[blockIdx.x * w + threadIdx.x] = tex2DLayered<float>(t, threadIdx.x + 0.5f, 0.5f, blockIdx.x);
}
__global__ void surface(cudaSurfaceObject_t s, cudaSurfaceObject_t d, int w, int h)
{
    int x = threadIdx.x, y = blockIdx.x;
    float v;
    surf2Dread(&v, s, x * 4, y);
    surf2Dwrite(v * 2 + 1, d, (w - 1 - x) * 4, y);
}

int main()
{
    int w = 24, h = 10, d = 3;
    std::vector<float> a(w * h), want(w * h);
    for (auto &v : a) v = next() % 1000;
    {
        Device<float> p(a), out(w * h);
        cudaResourceDesc r = {};
        r.resType = cudaResourceTypeLinear;
        r.res.linear.devPtr = p;
        r.res.linear.desc = cudaCreateChannelDesc<float>();
        r.res.linear.sizeInBytes = w * h * 4;
        cudaTextureDesc t = {};
        cudaTextureObject_t o;
        MUST(cudaCreateTextureObject(&o, &r, &t, nullptr));
        linear<<<2, 128>>>(o, out, w * h);
        LAUNCHED();
        exact("linear", out.get(), a);
        MUST(cudaDestroyTextureObject(o));
    }
    cudaArray_t array, other;
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
    MUST(cudaMallocArray(&array, &f, w, h, cudaArraySurfaceLoadStore));
    MUST(cudaMallocArray(&other, &f, w, h, cudaArraySurfaceLoadStore));
    MUST(cudaMemcpy2DToArray(array, 0, 0, a.data(), w * 4, w * 4, h, cudaMemcpyHostToDevice));
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = array;
    for (int filter = 0; filter < 2; filter++)
        for (auto mode : {cudaAddressModeClamp, cudaAddressModeBorder}) {
            cudaTextureDesc t = {};
            t.filterMode = filter ? cudaFilterModeLinear : cudaFilterModePoint;
            t.addressMode[0] = t.addressMode[1] = mode;
            cudaTextureObject_t o;
            MUST(cudaCreateTextureObject(&o, &r, &t, nullptr));
            Device<float> out(w * h);
            float scale = 1.25f, shift = filter ? -1.5f : -1.25f;
            plane<<<dim3(2, 2), dim3(16, 8)>>>(o, out, w, h, scale, shift);
            LAUNCHED();
            auto at = [&](int x, int y) {
                if (mode == cudaAddressModeBorder && (x < 0 || y < 0 || x >= w || y >= h)) return 0.0f;
                x = x < 0 ? 0 : x >= w ? w - 1 : x, y = y < 0 ? 0 : y >= h ? h - 1 : y;
                return a[y * w + x];
            };
            for (int y = 0; y < h; y++)
                for (int x = 0; x < w; x++) {
                    float u = x * scale + shift, v = y * scale + shift;
                    if (!filter) {
                        want[y * w + x] = at((int)floorf(u), (int)floorf(v));
                    } else {
                        u -= 0.5f, v -= 0.5f;
                        int i = (int)floorf(u), j = (int)floorf(v);
                        float p = floorf((u - i) * 256 + 0.5f) / 256, q = floorf((v - j) * 256 + 0.5f) / 256;
                        want[y * w + x] = (1 - p) * (1 - q) * at(i, j) + p * (1 - q) * at(i + 1, j) +
                            (1 - p) * q * at(i, j + 1) + p * q * at(i + 1, j + 1);
                    }
                }
            if (filter) close("filtered", out.get(), want, 1e-2);
            else exact("nearest", out.get(), want);
            MUST(cudaDestroyTextureObject(o));
        }
    {
        cudaSurfaceObject_t s, t;
        MUST(cudaCreateSurfaceObject(&s, &r));
        r.res.array.array = other;
        MUST(cudaCreateSurfaceObject(&t, &r));
        surface<<<h, w>>>(s, t, w, h);
        LAUNCHED();
        std::vector<float> b(w * h);
        MUST(cudaMemcpy2DFromArray(b.data(), w * 4, other, 0, 0, w * 4, h, cudaMemcpyDeviceToHost));
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++) want[y * w + w - 1 - x] = a[y * w + x] * 2 + 1;
        exact("surface", b, want);
    }
    {
        std::vector<unsigned char> c(4 * 16);
        for (auto &v : c) v = (unsigned char)next();
        cudaArray_t small;
        cudaChannelFormatDesc u = cudaCreateChannelDesc<uchar4>();
        MUST(cudaMallocArray(&small, &u, 16, 1));
        MUST(cudaMemcpy2DToArray(small, 0, 0, c.data(), 64, 64, 1, cudaMemcpyHostToDevice));
        r.res.array.array = small;
        cudaTextureDesc t = {};
        t.readMode = cudaReadModeNormalizedFloat;
        t.normalizedCoords = 1;
        t.addressMode[0] = t.addressMode[1] = cudaAddressModeWrap;
        cudaTextureObject_t o;
        MUST(cudaCreateTextureObject(&o, &r, &t, nullptr));
        Device<float4> out(32);
        bytes<<<1, 32>>>(o, out, 16);
        LAUNCHED();
        std::vector<float> got(128), w2(128);
        MUST(cudaMemcpy(got.data(), out, 512, cudaMemcpyDeviceToHost));
        for (int i = 0; i < 128; i++) w2[i] = c[i % 64] / 255.0f;
        close("normalised", got, w2, 1e-6);
    }
    {
        std::vector<int> v(w * h * d);
        for (auto &x : v) x = (int)next();
        cudaArray_t cube;
        cudaChannelFormatDesc i = cudaCreateChannelDesc<int>();
        MUST(cudaMalloc3DArray(&cube, &i, make_cudaExtent(w, h, d)));
        cudaMemcpy3DParms p = {};
        p.srcPtr = make_cudaPitchedPtr(v.data(), w * 4, w, h);
        p.dstArray = cube;
        p.extent = make_cudaExtent(w, h, d);
        p.kind = cudaMemcpyHostToDevice;
        MUST(cudaMemcpy3D(&p));
        r.res.array.array = cube;
        cudaTextureDesc t = {};
        cudaTextureObject_t o;
        MUST(cudaCreateTextureObject(&o, &r, &t, nullptr));
        Device<int> out(w * h * d);
        volume<<<d, dim3(w, h)>>>(o, out, w, h);
        LAUNCHED();
        exact("volume", out.get(), v);
    }
    {
        std::vector<float> v(w * d);
        for (auto &x : v) x = next();
        cudaArray_t stack;
        MUST(cudaMalloc3DArray(&stack, &f, make_cudaExtent(w, 1, d), cudaArrayLayered));
        cudaMemcpy3DParms p = {};
        p.srcPtr = make_cudaPitchedPtr(v.data(), w * 4, w, 1);
        p.dstArray = stack;
        p.extent = make_cudaExtent(w, 1, d);
        p.kind = cudaMemcpyHostToDevice;
        MUST(cudaMemcpy3D(&p));
        r.res.array.array = stack;
        cudaTextureDesc t = {};
        cudaTextureObject_t o;
        MUST(cudaCreateTextureObject(&o, &r, &t, nullptr));
        Device<float> out(w * d);
        layers<<<d, w>>>(o, out, w);
        LAUNCHED();
        exact("layers", out.get(), v);
    }
    return 0;
}
