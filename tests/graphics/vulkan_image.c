/* Vulkan clears an image and copies pixels into it; a kernel reads them by a texture and writes through a surface; Vulkan reads them
 * back. An image that is laid out otherwise is refused. */
#include "headless.h"

enum { WIDTH = 64, HEIGHT = 48 };

/* Each pixel is inverted where its column is odd. */
static const char kernel[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry odd(.param .u64 picture, .param .u64 result)\n{\n"
    "    .reg .u64 %rd<3>;\n    .reg .u32 %r<12>;\n"
    "    ld.param.u64 %rd1, [picture];\n    ld.param.u64 %rd2, [result];\n"
    "    mov.u32 %r1, %tid.x;\n    mov.u32 %r2, %ctaid.x;\n    and.b32 %r3, %r1, 1;\n    neg.s32 %r4, %r3;\n"
    "    tex.2d.v4.u32.s32 {%r5, %r6, %r7, %r8}, [%rd1, {%r1, %r2}];\n"
    "    xor.b32 %r9, %r5, %r4;\n    shl.b32 %r10, %r1, 2;\n"
    "    sust.b.2d.b32.trap [%rd2, {%r10, %r2}], {%r9};\n    ret;\n}\n";

static void turn(VkImage image, VkImageLayout from, VkImageLayout to)
{
    VkImageMemoryBarrier barrier = { .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
                                     .oldLayout = from,
                                     .newLayout = to,
                                     .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                     .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                     .image = image,
                                     .subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 } };
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
}

static VkImage new_image(unsigned width, unsigned height, VkDeviceMemory *memory, VkDeviceSize *size)
{
    VkExternalMemoryImageCreateInfo others = { .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO,
                                               .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT };
    VkImageCreateInfo info = { .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                               .pNext = &others,
                               .imageType = VK_IMAGE_TYPE_2D,
                               .format = VK_FORMAT_R32_UINT,
                               .extent = { width, height, 1 },
                               .mipLevels = 1,
                               .arrayLayers = 1,
                               .samples = VK_SAMPLE_COUNT_1_BIT,
                               .tiling = VK_IMAGE_TILING_OPTIMAL,
                               .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT };
    VkImage made;
    VK(vkCreateImage(device, &info, NULL, &made));
    VkMemoryRequirements need;
    vkGetImageMemoryRequirements(device, made, &need);
    *memory = allocate(need, 1);
    *size = need.size;
    VK(vkBindImageMemory(device, made, *memory, 0));
    return made;
}

static CUresult mapped(CUmipmappedArray *whole, CUexternalMemory memory, unsigned width, unsigned height)
{
    CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC desc = { .numLevels = 1 };
    desc.arrayDesc.Width = width;
    desc.arrayDesc.Height = height;
    desc.arrayDesc.Format = CU_AD_FORMAT_UNSIGNED_INT32;
    desc.arrayDesc.NumChannels = 1;
    desc.arrayDesc.Flags = CUDA_ARRAY3D_SURFACE_LDST;
    return cuExternalMemoryGetMappedMipmappedArray(whole, memory, &desc);
}

int main(void)
{
    open_device();
    CUcontext context;
    CUmodule module;
    CUfunction odd;
    OK(cuInit(0));
    OK(cuCtxCreate_v2(&context, 0, 0));
    OK(cuModuleLoadData(&module, kernel));
    OK(cuModuleGetFunction(&odd, module, "odd"));

    VkDeviceMemory memory, host_memory;
    VkDeviceSize size;
    VkImage image = new_image(WIDTH, HEIGHT, &memory, &size);
    VkBuffer host = new_buffer(WIDTH * HEIGHT * 4, 0, &host_memory, NULL);
    unsigned *pixels;
    VK(vkMapMemory(device, host_memory, 0, VK_WHOLE_SIZE, 0, (void **)&pixels));
    for (unsigned i = 0; i < WIDTH * HEIGHT; i++) pixels[i] = i * 2654435761u;

    CUexternalMemory external = imported(exported(memory), size);
    CUmipmappedArray whole;
    CUarray array;
    OK(mapped(&whole, external, WIDTH, HEIGHT));
    OK(cuMipmappedArrayGetLevel(&array, whole, 0));

    VkBufferImageCopy all = { .imageSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 }, .imageExtent = { WIDTH, HEIGHT, 1 } };
    record();
    turn(image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
    vkCmdCopyBufferToImage(commands, host, image, VK_IMAGE_LAYOUT_GENERAL, 1, &all);
    submit();
    static unsigned seen[WIDTH * HEIGHT];
    CUDA_MEMCPY2D copy = { .srcMemoryType = CU_MEMORYTYPE_ARRAY, .srcArray = array, .dstMemoryType = CU_MEMORYTYPE_HOST, .dstHost = seen,
                           .dstPitch = WIDTH * 4, .WidthInBytes = WIDTH * 4, .Height = HEIGHT };
    OK(cuMemcpy2D_v2(&copy));
    int wrong = 0;
    for (unsigned i = 0; i < WIDTH * HEIGHT; i++) wrong += seen[i] != i * 2654435761u;
    printf("Vulkan wrote, the driver reads: %d of %d pixels wrong\n", wrong, WIDTH * HEIGHT);

    CUtexObject texture;
    CUsurfObject surface;
    CUDA_RESOURCE_DESC what = { .resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = array };
    CUDA_TEXTURE_DESC how = { .flags = CU_TRSF_READ_AS_INTEGER };
    OK(cuTexObjectCreate(&texture, &what, &how, NULL));
    OK(cuSurfObjectCreate(&surface, &what));
    void *arguments[] = { &texture, &surface };
    OK(cuLaunchKernel(odd, HEIGHT, 1, 1, WIDTH, 1, 1, 0, NULL, arguments, NULL));
    OK(cuCtxSynchronize());
    record();
    turn(image, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL);
    vkCmdCopyImageToBuffer(commands, image, VK_IMAGE_LAYOUT_GENERAL, host, 1, &all);
    submit();
    wrong = 0;
    for (unsigned i = 0; i < WIDTH * HEIGHT; i++) wrong += pixels[i] != (i % 2 ? ~(i * 2654435761u) : i * 2654435761u);
    printf("a kernel wrote, Vulkan reads: %d of %d pixels wrong\n", wrong, WIDTH * HEIGHT);

    VkClearColorValue colour = { .uint32 = { 77 } };
    VkImageSubresourceRange range = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 };
    record();
    vkCmdClearColorImage(commands, image, VK_IMAGE_LAYOUT_GENERAL, &colour, 1, &range);
    submit();
    OK(cuMemcpy2D_v2(&copy));
    wrong = 0;
    for (unsigned i = 0; i < WIDTH * HEIGHT; i++) wrong += seen[i] != 77;
    printf("Vulkan cleared: %d of %d pixels wrong\n", wrong, WIDTH * HEIGHT);
    OK(cuTexObjectDestroy(texture));
    OK(cuSurfObjectDestroy(surface));
    OK(cuMipmappedArrayDestroy(whole));
    OK(cuDestroyExternalMemory(external));

    VkDeviceMemory odd_memory;
    new_image(WIDTH + 1, HEIGHT + 1, &odd_memory, &size);
    external = imported(exported(odd_memory), size);
    printf("rows with gaps: %s\n", name(mapped(&whole, external, WIDTH + 1, HEIGHT + 1)));
    OK(cuDestroyExternalMemory(external));
    return 0;
}
