// CUB's device-wide algorithms.
#include "check.h"
#include <algorithm>
#include <cub/cub.cuh>

template <class F> static void twice(F f)
{
    size_t bytes = 0;
    MUST(f(nullptr, bytes));
    void *temp = nullptr;
    MUST(cudaMalloc(&temp, bytes ? bytes : 1));
    MUST(f(temp, bytes));
    MUST(cudaDeviceSynchronize());
    MUST(cudaFree(temp));
}

struct Even { __host__ __device__ bool operator()(unsigned v) const { return v % 2 == 0; } };

int main()
{
    int n = 30000;
    std::vector<unsigned> in(n), w(n);
    for (auto &v : in) v = next();
    Device<unsigned> d(in), out(n), one(1);
    twice([&](void *t, size_t &b) { return cub::DeviceReduce::Sum(t, b, d.p, one.p, n); });
    unsigned sum = 0;
    for (auto v : in) sum += v;
    exact("sum", one.get(), {sum});
    twice([&](void *t, size_t &b) { return cub::DeviceReduce::Max(t, b, d.p, one.p, n); });
    exact("max", one.get(), {*std::max_element(in.begin(), in.end())});
    twice([&](void *t, size_t &b) { return cub::DeviceScan::InclusiveSum(t, b, d.p, out.p, n); });
    sum = 0;
    for (int i = 0; i < n; i++) w[i] = sum += in[i];
    exact("inclusive sum", out.get(), w);
    twice([&](void *t, size_t &b) { return cub::DeviceScan::ExclusiveSum(t, b, d.p, out.p, n); });
    for (int i = 0; i < n; i++) w[i] -= in[i];
    exact("exclusive sum", out.get(), w);
    twice([&](void *t, size_t &b) { return cub::DeviceRadixSort::SortKeys(t, b, d.p, out.p, n); });
    w = in;
    std::sort(w.begin(), w.end());
    exact("sorted", out.get(), w);
    Device<int> count(1);
    twice([&](void *t, size_t &b) { return cub::DeviceSelect::If(t, b, d.p, out.p, count.p, n, Even()); });
    w.clear();
    for (auto v : in)
        if (v % 2 == 0) w.push_back(v);
    auto got = out.get();
    got.resize(count.get()[0]);
    exact("selected", got, w);
    std::vector<float> samples(n);
    std::vector<int> bins(32);
    for (int i = 0; i < n; i++) samples[i] = in[i] % 320 / 10.0f, bins[(int)samples[i]]++;
    Device<float> ds(samples);
    Device<int> db(32);
    twice([&](void *t, size_t &b) { return cub::DeviceHistogram::HistogramEven(t, b, ds.p, db.p, 33, 0.0f, 32.0f, n); });
    exact("histogram", db.get(), bins);
    return 0;
}
