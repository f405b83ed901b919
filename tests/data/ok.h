/* A call that has to succeed: the program ends if it does not. */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>

#define OK(call)                                                        \
    do {                                                                \
        CUresult code_ = (call);                                        \
        if (code_ != CUDA_SUCCESS) {                                    \
            printf("line %d: %s is %d\n", __LINE__, #call, (int)code_); \
            exit(1);                                                    \
        }                                                               \
    } while (0)
