/* Vulkan fills a buffer, a kernel adds to each word, Vulkan copies what it finds there: the memory is one and the same. */
#include "headless.h"

enum { WORDS = 100000 };

/* Adds its number to each word. */
static const char kernel[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry add(.param .u64 at, .param .u32 words)\n{\n"
    "    .reg .u64 %rd<4>;\n    .reg .u32 %r<7>;\n    .reg .pred %p<2>;\n"
    "    ld.param.u64 %rd1, [at];\n    ld.param.u32 %r1, [words];\n"
    "    mov.u32 %r2, %ctaid.x;\n    mov.u32 %r3, %ntid.x;\n    mov.u32 %r4, %tid.x;\n    mad.lo.u32 %r5, %r2, %r3, %r4;\n"
    "    setp.ge.u32 %p1, %r5, %r1;\n    @%p1 ret;\n"
    "    mul.wide.u32 %rd2, %r5, 4;\n    add.u64 %rd3, %rd1, %rd2;\n"
    "    ld.global.u32 %r6, [%rd3];\n    add.u32 %r6, %r6, %r5;\n    st.global.u32 [%rd3], %r6;\n    ret;\n}\n";

int main(void)
{
    open_device();
    CUcontext context;
    CUmodule module;
    CUfunction add;
    OK(cuInit(0));
    OK(cuCtxCreate_v2(&context, 0, 0));
    OK(cuModuleLoadData(&module, kernel));
    OK(cuModuleGetFunction(&add, module, "add"));

    VkDeviceMemory memory, seen_memory;
    VkDeviceSize size;
    VkBuffer shared = new_buffer(WORDS * 4, 1, &memory, &size);
    VkBuffer seen = new_buffer(WORDS * 4, 0, &seen_memory, NULL);
    CUDA_EXTERNAL_MEMORY_HANDLE_DESC large = { .type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD, .handle.fd = exported(memory), .size = size + 4096 };
    CUexternalMemory external;
    SHOW(cuImportExternalMemory(&external, &large));
    close(large.handle.fd);
    external = imported(exported(memory), size);
    CUDA_EXTERNAL_MEMORY_BUFFER_DESC part = { .size = WORDS * 4 };
    CUdeviceptr at;
    OK(cuExternalMemoryGetMappedBuffer(&at, external, &part));
    OK(cuDestroyExternalMemory(external));

    for (unsigned round = 0; round < 2; round++) {
        record();
        vkCmdFillBuffer(commands, shared, 0, VK_WHOLE_SIZE, 0x1000u * (round + 1));
        submit();
        unsigned words = WORDS;
        void *arguments[] = { &at, &words };
        OK(cuLaunchKernel(add, (WORDS + 127) / 128, 1, 1, 128, 1, 1, 0, NULL, arguments, NULL));
        OK(cuCtxSynchronize());
        record();
        VkBufferCopy all = { .size = WORDS * 4 };
        vkCmdCopyBuffer(commands, shared, seen, 1, &all);
        submit();
        unsigned *found;
        int wrong = 0;
        VK(vkMapMemory(device, seen_memory, 0, VK_WHOLE_SIZE, 0, (void **)&found));
        for (unsigned i = 0; i < WORDS; i++) wrong += found[i] != 0x1000u * (round + 1) + i;
        vkUnmapMemory(device, seen_memory);
        printf("round %u: %d of %d words wrong\n", round, wrong, WORDS);
    }
    /* The mapping outlives Vulkan's own. */
    vkDestroyBuffer(device, shared, NULL);
    vkFreeMemory(device, memory, NULL);
    unsigned last;
    OK(cuMemcpyDtoH_v2(&last, at + (WORDS - 1) * 4, 4));
    printf("afterwards: %u\n", last - 0x2000);
    SHOW(cuMemFree_v2(at));

    /* Semaphores do not leave Mesa's driver for the CPU, and no descriptor passes for one. */
    int pipes[2];
    if (pipe(pipes)) return 1;
    CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC semaphore = { .type = CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD, .handle.fd = pipes[0] };
    CUexternalSemaphore none;
    SHOW(cuImportExternalSemaphore(&none, &semaphore));
    return 0;
}
