extern "C" __global__ void twice(int *values) { values[threadIdx.x] *= 2; }
