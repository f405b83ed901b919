/* Vulkan without a window: a device on the CPU, memory that others can import, commands that run at once. */
#pragma once
#include "../../c-tests/check.h"
#include <vulkan/vulkan.h>

static VkDevice device;
static VkQueue queue;
static VkCommandBuffer commands;
static VkPhysicalDeviceMemoryProperties memories;

#define VK(call) vk(call, #call)
static inline void vk(VkResult r, const char *what)
{
    if (r) {
        printf("FAILED %s: %d\n", what, r);
        exit(1);
    }
}

/* Opens the first device on the CPU, or ends the program that cannot have one. */
static inline void open_device(void)
{
    VkApplicationInfo application = { .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_1 };
    VkInstanceCreateInfo instance_info = { .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &application };
    VkInstance instance;
    if (vkCreateInstance(&instance_info, NULL, &instance)) skip("Vulkan has no driver here");
    VkPhysicalDevice all[8], physical = VK_NULL_HANDLE;
    uint32_t number = 8;
    vkEnumeratePhysicalDevices(instance, &number, all);
    for (uint32_t i = 0; i < number; i++) {
        VkPhysicalDeviceProperties properties;
        vkGetPhysicalDeviceProperties(all[i], &properties);
        if (properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU) physical = all[i];
    }
    if (!physical) skip("Vulkan has no device on the CPU here");
    vkGetPhysicalDeviceMemoryProperties(physical, &memories);
    float priority = 1;
    const char *extension = VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME;
    VkDeviceQueueCreateInfo queue_info = { .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority };
    VkDeviceCreateInfo device_info = { .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                       .queueCreateInfoCount = 1,
                                       .pQueueCreateInfos = &queue_info,
                                       .enabledExtensionCount = 1,
                                       .ppEnabledExtensionNames = &extension };
    if (vkCreateDevice(physical, &device_info, NULL, &device)) skip("Vulkan exports no memory here");
    vkGetDeviceQueue(device, 0, 0, &queue);
    VkCommandPool pool;
    VkCommandPoolCreateInfo pool_info = { .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT };
    VK(vkCreateCommandPool(device, &pool_info, NULL, &pool));
    VkCommandBufferAllocateInfo buffer_info = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandPool = pool, .commandBufferCount = 1 };
    VK(vkAllocateCommandBuffers(device, &buffer_info, &commands));
    VkPhysicalDeviceExternalSemaphoreInfo semaphore = { .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_SEMAPHORE_INFO,
                                                        .handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT };
    VkExternalSemaphoreProperties offered = { .sType = VK_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_PROPERTIES };
    vkGetPhysicalDeviceExternalSemaphoreProperties(physical, &semaphore, &offered);
    /* The day on which it does, there is something to build. */
    if (offered.externalSemaphoreFeatures) printf("Vulkan exports semaphores\n");
}

static inline void record(void)
{
    VkCommandBufferBeginInfo info = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO };
    VK(vkBeginCommandBuffer(commands, &info));
}

/* Runs what was recorded and waits for it. */
static inline void submit(void)
{
    VkSubmitInfo info = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands };
    VK(vkEndCommandBuffer(commands));
    VK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
    VK(vkQueueWaitIdle(queue));
}

/* Memory for something, which others can import or the host can see. */
static inline VkDeviceMemory allocate(VkMemoryRequirements need, int exported)
{
    VkExportMemoryAllocateInfo others = { .sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO,
                                          .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT };
    VkMemoryAllocateInfo info = { .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .pNext = exported ? &others : NULL, .allocationSize = need.size };
    VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    for (uint32_t i = 0; i < memories.memoryTypeCount; i++)
        if (need.memoryTypeBits & 1u << i && (memories.memoryTypes[i].propertyFlags & wanted) == wanted) {
            VkDeviceMemory made;
            info.memoryTypeIndex = i;
            VK(vkAllocateMemory(device, &info, NULL, &made));
            return made;
        }
    skip("Vulkan has no memory that the host sees here");
    return VK_NULL_HANDLE;
}

static inline VkBuffer new_buffer(VkDeviceSize bytes, int exported, VkDeviceMemory *memory, VkDeviceSize *size)
{
    VkExternalMemoryBufferCreateInfo others = { .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO,
                                                .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT };
    VkBufferCreateInfo info = { .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                .pNext = exported ? &others : NULL,
                                .size = bytes,
                                .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT };
    VkBuffer made;
    VK(vkCreateBuffer(device, &info, NULL, &made));
    VkMemoryRequirements need;
    vkGetBufferMemoryRequirements(device, made, &need);
    *memory = allocate(need, exported);
    if (size) *size = need.size;
    VK(vkBindBufferMemory(device, made, *memory, 0));
    return made;
}

static inline int exported(VkDeviceMemory memory)
{
    PFN_vkGetMemoryFdKHR get = (PFN_vkGetMemoryFdKHR)vkGetDeviceProcAddr(device, "vkGetMemoryFdKHR");
    VkMemoryGetFdInfoKHR info = { .sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR,
                                  .memory = memory,
                                  .handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT };
    int fd = -1;
    VK(get(device, &info, &fd));
    return fd;
}

/* The memory as the driver has it. */
static inline CUexternalMemory imported(int fd, VkDeviceSize size)
{
    CUDA_EXTERNAL_MEMORY_HANDLE_DESC desc = { .type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD, .handle.fd = fd, .size = size };
    CUexternalMemory made;
    OK(cuImportExternalMemory(&made, &desc));
    return made;
}
