#include "shapes.h"

__device__ float scale;

void set_scale(float value) { cudaMemcpyToSymbol(scale, &value, sizeof value); }
