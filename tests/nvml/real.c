/* A stand-in for the real library: one device, and a function that ours refuses. */
int nvmlInit_v2(void) { return 0; }
int nvmlDeviceGetCount_v2(unsigned *count) { *count = 42; return 0; }
int nvmlDeviceGetFanSpeed(void *device, unsigned *speed) { *speed = 77; return device ? 0 : 5; }
