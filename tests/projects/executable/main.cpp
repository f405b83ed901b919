#include "saxpy.h"
#include <cstdio>
#include <vector>

int main()
{
    std::vector<float> x(1000), y(1000);
    for (int i = 0; i < 1000; i++) x[i] = i, y[i] = 1;
    if (!saxpy(1000, 2, x.data(), y.data())) return puts("failed"), 1;
    for (int i = 0; i < 1000; i++)
        if (y[i] != 2 * i + 1) return puts("wrong"), 1;
    puts("done");
}
