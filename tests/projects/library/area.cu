#include "shapes.h"

__device__ float area(const Shape &shape)
{
    return scale * (shape.kind == 0 ? shape.a * shape.b : 0.5f * shape.a * shape.b);
}
