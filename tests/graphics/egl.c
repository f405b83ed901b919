/* EGL's images and streams where EGL draws on the CPU. That display has no streams, so that there is none to connect to, and lets nobody
 * have the memory of an image, which programs use without mapping it: both are refused. Should the display be able to do more one
 * day, the first lines differ. */
#include "surfaceless.h"
#include <cudaEGL.h>

static int has(const char *extension)
{
    const char *at = eglQueryString(display, EGL_EXTENSIONS);
    size_t length = strlen(extension);
    while ((at = strstr(at, extension)) && at[length] != ' ' && at[length]) at += length;
    return at != NULL;
}

static void images(void)
{
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 64, 32, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl_ok("texture");
    EGLImage image = eglCreateImage(display, eglGetCurrentContext(), EGL_GL_TEXTURE_2D, (EGLClientBuffer)(uintptr_t)texture, NULL);
    printf("an image: %d\n", image != EGL_NO_IMAGE);
    CUgraphicsResource resource = NULL;
    CUeglFrame frame;
    for (unsigned flags = 0; flags < 4; flags++) SHOW(cuGraphicsEGLRegisterImage(&resource, image, flags));
    SHOW(cuGraphicsEGLRegisterImage(NULL, image, 0));
    printf("a resource: %d\n", resource != NULL);
    /* What is no image of EGL has no frame, mapped or not. */
    OK(cuGraphicsGLRegisterImage(&resource, texture, GL_TEXTURE_2D, 0));
    SHOW(cuGraphicsResourceGetMappedEglFrame(&frame, resource, 0, 0));
    OK(cuGraphicsMapResources(1, &resource, NULL));
    SHOW(cuGraphicsResourceGetMappedEglFrame(&frame, resource, 0, 0));
    OK(cuGraphicsUnmapResources(1, &resource, NULL));
    OK(cuGraphicsUnregisterResource(resource));
    SHOW(cuGraphicsResourceGetMappedEglFrame(&frame, resource, 0, 0));
    eglDestroyImage(display, image);
    glDeleteTextures(1, &texture);
}

static void streams(void)
{
    CUeglStreamConnection connection = NULL;
    CUgraphicsResource resource = NULL;
    CUstream stream = NULL;
    CUeglFrame frame = { .width = 64, .height = 64, .planeCount = 1, .numChannels = 4, .frameType = CU_EGL_FRAME_TYPE_PITCH };
    /* Not made by EGL: nothing is looked for at this address. */
    EGLStreamKHR none = (EGLStreamKHR)(uintptr_t)16;
    SHOW(cuEGLStreamConsumerConnect(&connection, EGL_NO_STREAM_KHR));
    SHOW(cuEGLStreamConsumerConnect(&connection, none));
    SHOW(cuEGLStreamConsumerConnectWithFlags(&connection, none, CU_EGL_RESOURCE_LOCATION_VIDMEM));
    SHOW(cuEGLStreamProducerConnect(&connection, none, 64, 64));
    printf("a connection: %d\n", connection != NULL);
    SHOW(cuEGLStreamConsumerAcquireFrame(&connection, &resource, &stream, 1000));
    SHOW(cuEGLStreamConsumerReleaseFrame(&connection, resource, &stream));
    SHOW(cuEGLStreamProducerPresentFrame(&connection, frame, &stream));
    SHOW(cuEGLStreamProducerReturnFrame(&connection, &frame, &stream));
    SHOW(cuEGLStreamConsumerDisconnect(&connection));
    SHOW(cuEGLStreamProducerDisconnect(&connection));
}

static void synchronisation(void)
{
    EGLSync sync = eglCreateSync(display, EGL_SYNC_FENCE, NULL);
    CUevent event;
    printf("a fence: %d\n", sync != EGL_NO_SYNC);
    SHOW(cuEventCreateFromEGLSync(&event, sync, CU_EVENT_DEFAULT));
    SHOW(cuEventCreateFromEGLSync(&event, sync, 64));
    eglDestroySync(display, sync);
}

int main(void)
{
    limit_time(60);
    cuda_context();
    open_display();
    printf("images: %d, their memory: %d\n", has("EGL_KHR_image_base"), has("EGL_MESA_image_dma_buf_export"));
    printf("streams: %d, a function that makes one: %d\n", has("EGL_KHR_stream"), eglGetProcAddress("eglCreateStreamKHR") != NULL);
    make_current(new_context(COMPATIBLE, EGL_NO_CONTEXT));
    printf("-- images\n");
    images();
    printf("-- streams\n");
    streams();
    printf("-- synchronisation\n");
    synchronisation();
    return 0;
}
