struct Shape { int kind; float a, b; };
// In other units of compilation.
__device__ float area(const Shape &shape);
extern __device__ float scale;
void set_scale(float value);
