// Thrust's algorithms on device vectors.
#include "check.h"
#include <algorithm>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/unique.h>

struct Square { __host__ __device__ long long operator()(int v) const { return (long long)v * v; } };
struct Odd { __host__ __device__ bool operator()(int v) const { return v & 1; } };

int main()
{
    int n = 20000;
    std::vector<int> in(n);
    for (auto &v : in) v = (int)(next() % 100000);
    thrust::device_vector<int> d(in.begin(), in.end());
    auto host = [](const auto &v) {
        std::vector<int> h(v.size());
        thrust::copy(v.begin(), v.end(), h.begin());
        return h;
    };
    long long sum = 0, squares = 0;
    for (int v : in) sum += v, squares += (long long)v * v;
    printf("reduce %d\n", thrust::reduce(d.begin(), d.end(), 0ll) == sum);
    printf("transform_reduce %d\n", thrust::transform_reduce(d.begin(), d.end(), Square(), 0ll, thrust::plus<long long>()) == squares);
    thrust::device_vector<int> s = d;
    thrust::sort(s.begin(), s.end());
    std::vector<int> w = in;
    std::sort(w.begin(), w.end());
    exact("sort", host(s), w);
    s.erase(thrust::unique(s.begin(), s.end()), s.end());
    w.erase(std::unique(w.begin(), w.end()), w.end());
    exact("unique", host(s), w);
    thrust::device_vector<int> scan(n), odd(n);
    thrust::inclusive_scan(d.begin(), d.end(), scan.begin(), thrust::maximum<int>());
    w = in;
    for (int i = 1; i < n; i++) w[i] = std::max(w[i], w[i - 1]);
    exact("scan", host(scan), w);
    odd.erase(thrust::copy_if(d.begin(), d.end(), odd.begin(), Odd()), odd.end());
    w.clear();
    for (int v : in)
        if (v & 1) w.push_back(v);
    exact("copy_if", host(odd), w);
    thrust::device_vector<int> keys = d, values(n);
    for (auto &v : in) v %= 50;
    keys.assign(in.begin(), in.end());
    thrust::sequence(values.begin(), values.end());
    thrust::stable_sort_by_key(keys.begin(), keys.end(), values.begin());
    w.resize(n);
    for (int i = 0; i < n; i++) w[i] = i;
    std::stable_sort(w.begin(), w.end(), [&](int a, int b) { return in[a] < in[b]; });
    exact("sort_by_key", host(values), w);
    return 0;
}
