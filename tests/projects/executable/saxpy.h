// y = a * x + y on the device; false if that fails.
bool saxpy(int n, float a, const float *x, float *y);
