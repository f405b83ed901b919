// What both parts know.
#pragma once
#include "check.h"

typedef int (*Function)(int);
extern __device__ int common;
extern __constant__ int table[4];
extern __managed__ int tally;
extern __device__ int there(int x);
extern __device__ int here(int x);
extern __device__ int use_twice_there(int x);
extern __device__ const char *name();
void launch_second(int *out);
