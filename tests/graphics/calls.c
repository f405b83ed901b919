/* What can be shared with OpenGL, how its contents go to arrays and memory and back, what is refused, and that nothing of OpenGL's
 * state changes by it. */
#include "surfaceless.h"
#include <pthread.h>

static unsigned char host[1 << 16], back[1 << 16];

/* Bytes that differ from call to call and make numbers that are finite in every format. */
static void fill(unsigned char *at, size_t bytes, unsigned seed)
{
    for (size_t i = 0; i < bytes; i++) at[i] = (unsigned char)((i * 7 + seed * 31 + (i >> 8)) & 0x3f);
}

/* Copies a mapped array of two dimensions to the host, or from there. */
static void copy_array(CUarray array, size_t row, size_t rows, unsigned char *at, int out)
{
    CUDA_MEMCPY2D copy = { .WidthInBytes = row, .Height = rows };
    copy.srcMemoryType = out ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_HOST;
    copy.dstMemoryType = out ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_ARRAY;
    copy.srcArray = copy.dstArray = array;
    copy.srcHost = copy.dstHost = at;
    copy.srcPitch = copy.dstPitch = row;
    OK(cuMemcpy2D_v2(&copy));
}

static void copy_volume(CUarray array, size_t row, size_t rows, size_t slices, unsigned char *at, int out)
{
    CUDA_MEMCPY3D copy = { .WidthInBytes = row, .Height = rows, .Depth = slices };
    copy.srcMemoryType = out ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_HOST;
    copy.dstMemoryType = out ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_ARRAY;
    copy.srcArray = copy.dstArray = array;
    copy.srcHost = copy.dstHost = at;
    copy.srcPitch = copy.dstPitch = row;
    copy.srcHeight = copy.dstHeight = rows;
    OK(cuMemcpy3D_v2(&copy));
}

/* All formats that the manual names: the number, how OpenGL takes it, components, and what the array is. */
struct format { GLenum internal, format, type; unsigned channels, cu; };
#define SIZES(r, r16, f16, f32, i8, u8, i16, u16, i32, u32, base, whole, n)                                                                \
    { r, base, GL_UNSIGNED_BYTE, n, CU_AD_FORMAT_UNSIGNED_INT8 }, { r16, base, GL_UNSIGNED_SHORT, n, CU_AD_FORMAT_UNSIGNED_INT16 },      \
        { f16, base, GL_HALF_FLOAT, n, CU_AD_FORMAT_HALF }, { f32, base, GL_FLOAT, n, CU_AD_FORMAT_FLOAT },                              \
        { i8, whole, GL_BYTE, n, CU_AD_FORMAT_SIGNED_INT8 }, { u8, whole, GL_UNSIGNED_BYTE, n, CU_AD_FORMAT_UNSIGNED_INT8 },             \
        { i16, whole, GL_SHORT, n, CU_AD_FORMAT_SIGNED_INT16 }, { u16, whole, GL_UNSIGNED_SHORT, n, CU_AD_FORMAT_UNSIGNED_INT16 },       \
        { i32, whole, GL_INT, n, CU_AD_FORMAT_SIGNED_INT32 }, { u32, whole, GL_UNSIGNED_INT, n, CU_AD_FORMAT_UNSIGNED_INT32 }
static const struct format formats[] = {
    SIZES(GL_R8, GL_R16, GL_R16F, GL_R32F, GL_R8I, GL_R8UI, GL_R16I, GL_R16UI, GL_R32I, GL_R32UI, GL_RED, GL_RED_INTEGER, 1),
    SIZES(GL_RG8, GL_RG16, GL_RG16F, GL_RG32F, GL_RG8I, GL_RG8UI, GL_RG16I, GL_RG16UI, GL_RG32I, GL_RG32UI, GL_RG, GL_RG_INTEGER, 2),
    SIZES(GL_RGBA8, GL_RGBA16, GL_RGBA16F, GL_RGBA32F, GL_RGBA8I, GL_RGBA8UI, GL_RGBA16I, GL_RGBA16UI, GL_RGBA32I, GL_RGBA32UI, GL_RGBA,
          GL_RGBA_INTEGER, 4),
    SIZES(GL_LUMINANCE8, GL_LUMINANCE16, GL_LUMINANCE16F_ARB, GL_LUMINANCE32F_ARB, GL_LUMINANCE8I_EXT, GL_LUMINANCE8UI_EXT,
          GL_LUMINANCE16I_EXT, GL_LUMINANCE16UI_EXT, GL_LUMINANCE32I_EXT, GL_LUMINANCE32UI_EXT, GL_LUMINANCE, GL_LUMINANCE_INTEGER_EXT, 1),
    SIZES(GL_ALPHA8, GL_ALPHA16, GL_ALPHA16F_ARB, GL_ALPHA32F_ARB, GL_ALPHA8I_EXT, GL_ALPHA8UI_EXT, GL_ALPHA16I_EXT, GL_ALPHA16UI_EXT,
          GL_ALPHA32I_EXT, GL_ALPHA32UI_EXT, GL_ALPHA, GL_ALPHA_INTEGER_EXT, 1),
    SIZES(GL_LUMINANCE8_ALPHA8, GL_LUMINANCE16_ALPHA16, GL_LUMINANCE_ALPHA16F_ARB, GL_LUMINANCE_ALPHA32F_ARB, GL_LUMINANCE_ALPHA8I_EXT,
          GL_LUMINANCE_ALPHA8UI_EXT, GL_LUMINANCE_ALPHA16I_EXT, GL_LUMINANCE_ALPHA16UI_EXT, GL_LUMINANCE_ALPHA32I_EXT,
          GL_LUMINANCE_ALPHA32UI_EXT, GL_LUMINANCE_ALPHA, GL_LUMINANCE_ALPHA_INTEGER_EXT, 2),
    SIZES(GL_INTENSITY8, GL_INTENSITY16, GL_INTENSITY16F_ARB, GL_INTENSITY32F_ARB, GL_INTENSITY8I_EXT, GL_INTENSITY8UI_EXT,
          GL_INTENSITY16I_EXT, GL_INTENSITY16UI_EXT, GL_INTENSITY32I_EXT, GL_INTENSITY32UI_EXT, GL_RED, GL_RED_INTEGER, 1),
    { GL_RED, GL_RED, GL_UNSIGNED_BYTE, 1, CU_AD_FORMAT_UNSIGNED_INT8 },
    { GL_RG, GL_RG, GL_UNSIGNED_BYTE, 2, CU_AD_FORMAT_UNSIGNED_INT8 },
    { GL_RGBA, GL_RGBA, GL_UNSIGNED_BYTE, 4, CU_AD_FORMAT_UNSIGNED_INT8 },
    { GL_LUMINANCE, GL_LUMINANCE, GL_UNSIGNED_BYTE, 1, CU_AD_FORMAT_UNSIGNED_INT8 },
    { GL_ALPHA, GL_ALPHA, GL_UNSIGNED_BYTE, 1, CU_AD_FORMAT_UNSIGNED_INT8 },
    { GL_LUMINANCE_ALPHA, GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE, 2, CU_AD_FORMAT_UNSIGNED_INT8 },
    { GL_INTENSITY, GL_RED, GL_UNSIGNED_BYTE, 1, CU_AD_FORMAT_UNSIGNED_INT8 },
    { GL_SRGB8_ALPHA8, GL_RGBA, GL_UNSIGNED_BYTE, 4, CU_AD_FORMAT_UNSIGNED_INT8 },
    { GL_STENCIL_INDEX8, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, 1, CU_AD_FORMAT_UNSIGNED_INT8 },
};

static size_t type_bytes(GLenum type)
{
    return type == GL_BYTE || type == GL_UNSIGNED_BYTE ? 1 : type == GL_FLOAT || type == GL_INT || type == GL_UNSIGNED_INT ? 4 : 2;
}

static void all_formats(void)
{
    enum { W = 5, H = 3 };
    int right = 0, wrong = 0, number = sizeof formats / sizeof *formats;
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    for (int i = 0; i < number; i++) {
        const struct format *f = &formats[i];
        size_t pixel = f->channels * type_bytes(f->type), bytes = pixel * W * H;
        GLuint texture;
        glGenTextures(1, &texture);
        glBindTexture(GL_TEXTURE_2D, texture);
        fill(host, bytes, (unsigned)i);
        glTexImage2D(GL_TEXTURE_2D, 0, (GLint)f->internal, W, H, 0, f->format, f->type, host);
        gl_ok("a format");
        CUgraphicsResource resource;
        CUarray array;
        CUDA_ARRAY_DESCRIPTOR shape;
        OK(cuGraphicsGLRegisterImage(&resource, texture, GL_TEXTURE_2D, 0));
        OK(cuGraphicsMapResources(1, &resource, NULL));
        OK(cuGraphicsSubResourceGetMappedArray(&array, resource, 0, 0));
        OK(cuArrayGetDescriptor_v2(&shape, array));
        int fine = shape.Width == W && shape.Height == H && shape.NumChannels == f->channels && shape.Format == f->cu;
        memset(back, 0xee, bytes);
        copy_array(array, pixel * W, H, back, 1);
        fine &= memcmp(host, back, bytes) == 0;
        fill(host, bytes, (unsigned)i + 100);
        copy_array(array, pixel * W, H, host, 0);
        OK(cuGraphicsUnmapResources(1, &resource, NULL));
        memset(back, 0xee, bytes);
        glGetTexImage(GL_TEXTURE_2D, 0, f->format, f->type, back);
        fine &= memcmp(host, back, bytes) == 0;
        if (!fine) printf("wrong: format %#x\n", f->internal);
        *(fine ? &right : &wrong) += 1;
        OK(cuGraphicsUnregisterResource(resource));
        glDeleteTextures(1, &texture);
        gl_ok("a format's way");
    }
    printf("formats: %d right, %d wrong\n", right, wrong);
    static const GLenum others[] = { GL_RGB8, GL_RGB16F, GL_DEPTH_COMPONENT24, GL_RGB10_A2, GL_RGBA8_SNORM };
    for (int i = 0; i < 5; i++) {
        GLuint texture;
        CUgraphicsResource resource;
        glGenTextures(1, &texture);
        glBindTexture(GL_TEXTURE_2D, texture);
        glTexStorage2D(GL_TEXTURE_2D, 1, others[i], 4, 4);
        printf("format %#x: %s\n", others[i], name(cuGraphicsGLRegisterImage(&resource, texture, GL_TEXTURE_2D, 0)));
        glDeleteTextures(1, &texture);
    }
}

/* A texture with levels and layers: each is another pattern, seen through arrays of both kinds, and changed. */
static void target(const char *what, GLenum target, int w, int h, int d, int levels, unsigned flags)
{
    GLuint texture;
    int layered = target == GL_TEXTURE_2D_ARRAY || target == GL_TEXTURE_CUBE_MAP, wrong = 0, parts = 0;
    glGenTextures(1, &texture);
    glBindTexture(target, texture);
    if (target == GL_TEXTURE_2D_ARRAY || target == GL_TEXTURE_3D) glTexStorage3D(target, levels, GL_RG8, w, h, d);
    else glTexStorage2D(target, levels, GL_RG8, w, h);
    for (int level = 0; level < levels; level++) {
        int lw = w >> level ? w >> level : 1, lh = h >> level ? h >> level : 1;
        int ld = target == GL_TEXTURE_3D ? d >> level ? d >> level : 1 : d;
        size_t slice = 2 * (size_t)lw * (size_t)lh;
        for (int z = 0; z < ld; z++) {
            fill(host, slice, (unsigned)(level * 16 + z));
            if (target == GL_TEXTURE_CUBE_MAP)
                glTexSubImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + (unsigned)z, level, 0, 0, lw, lh, GL_RG, GL_UNSIGNED_BYTE, host);
            else if (d > 1) glTexSubImage3D(target, level, 0, 0, z, lw, lh, 1, GL_RG, GL_UNSIGNED_BYTE, host);
            else glTexSubImage2D(target, level, 0, 0, lw, lh, GL_RG, GL_UNSIGNED_BYTE, host);
        }
    }
    gl_ok(what);
    CUgraphicsResource resource;
    CUmipmappedArray whole;
    CUresult answer = cuGraphicsGLRegisterImage(&resource, texture, target, flags);
    if (answer) {
        printf("%s: %s\n", what, name(answer));
        glDeleteTextures(1, &texture);
        return;
    }
    OK(cuGraphicsMapResources(1, &resource, NULL));
    OK(cuGraphicsResourceGetMappedMipmappedArray(&whole, resource));
    CUDA_ARRAY3D_DESCRIPTOR shape;
    CUarray first;
    OK(cuMipmappedArrayGetLevel(&first, whole, 0));
    OK(cuArray3DGetDescriptor_v2(&shape, first));
    for (int level = 0; level < levels; level++) {
        int lw = w >> level ? w >> level : 1, lh = h >> level ? h >> level : 1;
        int ld = target == GL_TEXTURE_3D ? d >> level ? d >> level : 1 : d;
        size_t row = 2 * (size_t)lw, slice = row * (size_t)lh;
        CUarray array;
        if (target == GL_TEXTURE_3D) {
            OK(cuGraphicsSubResourceGetMappedArray(&array, resource, 0, (unsigned)level));
            copy_volume(array, row, (size_t)lh, (size_t)ld, back, 1);
            for (int z = 0; z < ld; z++, parts++) {
                fill(host, slice, (unsigned)(level * 16 + z));
                wrong += memcmp(host, back + (size_t)z * slice, slice) != 0;
                fill(host + 4096 + (size_t)z * slice, slice, (unsigned)(level * 16 + z + 200));
            }
            copy_volume(array, row, (size_t)lh, (size_t)ld, host + 4096, 0);
            continue;
        }
        for (int z = 0; z < ld; z++, parts++) {
            OK(cuGraphicsSubResourceGetMappedArray(&array, resource, (unsigned)z, (unsigned)level));
            copy_array(array, row, (size_t)lh, back, 1);
            fill(host, slice, (unsigned)(level * 16 + z));
            wrong += memcmp(host, back, slice) != 0;
            fill(host, slice, (unsigned)(level * 16 + z + 200));
            copy_array(array, row, (size_t)lh, host, 0);
        }
    }
    CUarray none;
    CUresult beyond_layer = cuGraphicsSubResourceGetMappedArray(&none, resource, layered ? (unsigned)d : 1, 0);
    CUresult beyond_level = cuGraphicsSubResourceGetMappedArray(&none, resource, 0, (unsigned)levels);
    CUresult destroyed = cuArrayDestroy(first), destroyed_all = cuMipmappedArrayDestroy(whole);
    OK(cuGraphicsUnmapResources(1, &resource, NULL));
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    for (int level = 0; level < levels; level++) {
        int lw = w >> level ? w >> level : 1, lh = h >> level ? h >> level : 1;
        int ld = target == GL_TEXTURE_3D ? d >> level ? d >> level : 1 : d;
        size_t slice = 2 * (size_t)lw * (size_t)lh;
        glGetTextureImage(texture, level, GL_RG, GL_UNSIGNED_BYTE, sizeof back, back);
        for (int z = 0; z < ld; z++) {
            fill(host, slice, (unsigned)(level * 16 + z + 200));
            wrong += memcmp(host, back + (size_t)z * slice, slice) != 0;
        }
    }
    OK(cuGraphicsUnregisterResource(resource));
    glDeleteTextures(1, &texture);
    gl_ok(what);
    printf("%s: %zu x %zu x %zu, flags %#x, %d parts, %d wrong; beyond: %s %s; destroyed: %s %s\n", what, shape.Width, shape.Height, shape.Depth,
           shape.Flags, parts, wrong, name(beyond_layer), name(beyond_level), name(destroyed), name(destroyed_all));
}

static void renderbuffer(void)
{
    GLuint frame, buffer;
    glGenFramebuffers(1, &frame);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glGenRenderbuffers(1, &buffer);
    glBindRenderbuffer(GL_RENDERBUFFER, buffer);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 6, 5);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, buffer);
    glClearColor(1, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    CUgraphicsResource resource;
    CUarray array;
    OK(cuGraphicsGLRegisterImage(&resource, buffer, GL_RENDERBUFFER, CU_GRAPHICS_REGISTER_FLAGS_NONE));
    OK(cuGraphicsMapResources(1, &resource, NULL));
    OK(cuGraphicsSubResourceGetMappedArray(&array, resource, 0, 0));
    copy_array(array, 24, 5, back, 1);
    int wrong = 0;
    for (int i = 0; i < 30; i++) wrong += memcmp(back + 4 * i, "\377\0\0\377", 4) != 0;
    fill(host, 120, 9);
    copy_array(array, 24, 5, host, 0);
    OK(cuGraphicsUnmapResources(1, &resource, NULL));
    glReadPixels(0, 0, 6, 5, GL_RGBA, GL_UNSIGNED_BYTE, back);
    wrong += memcmp(host, back, 120) != 0;
    OK(cuGraphicsUnregisterResource(resource));
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, 4, GL_RGBA8, 6, 5);
    printf("renderbuffer: %d wrong; with samples: %s\n", wrong, name(cuGraphicsGLRegisterImage(&resource, buffer, GL_RENDERBUFFER, 0)));
    glDeleteRenderbuffers(1, &buffer);
    glDeleteFramebuffers(1, &frame);
    gl_ok("renderbuffer");
}

/* Everything that copies could touch has unusual values before and the same after, an error of the program's is still there, and
 * the pixels are right nevertheless. */
static void states(void)
{
    static const GLenum stores[] = { GL_PACK_SWAP_BYTES, GL_PACK_LSB_FIRST, GL_PACK_ROW_LENGTH, GL_PACK_SKIP_ROWS, GL_PACK_SKIP_PIXELS,
                                     GL_PACK_IMAGE_HEIGHT, GL_PACK_SKIP_IMAGES, GL_PACK_ALIGNMENT, GL_UNPACK_SWAP_BYTES,
                                     GL_UNPACK_LSB_FIRST, GL_UNPACK_ROW_LENGTH, GL_UNPACK_SKIP_ROWS, GL_UNPACK_SKIP_PIXELS,
                                     GL_UNPACK_IMAGE_HEIGHT, GL_UNPACK_SKIP_IMAGES, GL_UNPACK_ALIGNMENT };
    static const GLenum transfers[] = { GL_MAP_COLOR, GL_RED_SCALE, GL_RED_BIAS, GL_GREEN_SCALE, GL_GREEN_BIAS, GL_BLUE_SCALE, GL_BLUE_BIAS,
                                        GL_ALPHA_SCALE, GL_ALPHA_BIAS };
    static const GLenum bindings[] = { GL_PIXEL_PACK_BUFFER_BINDING, GL_PIXEL_UNPACK_BUFFER_BINDING, GL_COPY_READ_BUFFER_BINDING,
                                       GL_COPY_WRITE_BUFFER_BINDING, GL_ARRAY_BUFFER_BINDING, GL_TEXTURE_BINDING_2D, GL_ACTIVE_TEXTURE,
                                       GL_READ_FRAMEBUFFER_BINDING, GL_DRAW_FRAMEBUFFER_BINDING, GL_RENDERBUFFER_BINDING };
    enum { STORES = sizeof stores / sizeof *stores, TRANSFERS = sizeof transfers / sizeof *transfers,
           BINDINGS = sizeof bindings / sizeof *bindings };
    GLuint texture, render, buffers[6];
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    fill(host, 64, 3);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA16, 4, 2, 0, GL_RGBA, GL_UNSIGNED_SHORT, host);
    glGenRenderbuffers(1, &render);
    glBindRenderbuffer(GL_RENDERBUFFER, render);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 4, 4);
    glGenBuffers(6, buffers);
    static const GLenum places[] = { GL_PIXEL_PACK_BUFFER, GL_PIXEL_UNPACK_BUFFER, GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER,
                                     GL_ARRAY_BUFFER };
    for (int i = 0; i < 5; i++) {
        glBindBuffer(places[i], buffers[i]);
        glBufferData(places[i], 256, NULL, GL_STATIC_DRAW);
    }
    glActiveTexture(GL_TEXTURE3);
    CUgraphicsResource all[3];
    OK(cuGraphicsGLRegisterImage(&all[0], texture, GL_TEXTURE_2D, 0));
    OK(cuGraphicsGLRegisterImage(&all[1], render, GL_RENDERBUFFER, 0));
    OK(cuGraphicsGLRegisterBuffer(&all[2], buffers[4], 0));
    for (int i = 0; i < STORES; i++) glPixelStorei(stores[i], stores[i] == GL_PACK_ALIGNMENT || stores[i] == GL_UNPACK_ALIGNMENT ? 8 : i % 8 < 2 ? 1 : i + 3);
    for (int i = 0; i < TRANSFERS; i++) glPixelTransferf(transfers[i], i == 0 ? 1.0f : 0.25f);
    GLint stored[STORES], bound[BINDINGS];
    for (int i = 0; i < STORES; i++) glGetIntegerv(stores[i], &stored[i]);
    for (int i = 0; i < BINDINGS; i++) glGetIntegerv(bindings[i], &bound[i]);
    gl_ok("states");
    glEnable(0xdead);
    CUarray array;
    OK(cuGraphicsMapResources(3, all, NULL));
    OK(cuGraphicsSubResourceGetMappedArray(&array, all[0], 0, 0));
    copy_array(array, 32, 2, back, 1);
    int wrong = memcmp(host, back, 64) != 0;
    fill(host, 64, 77);
    copy_array(array, 32, 2, host, 0);
    OK(cuGraphicsUnmapResources(3, all, NULL));
    for (int i = 0; i < 3; i++) OK(cuGraphicsUnregisterResource(all[i]));
    printf("states: the program's error is %#x", glGetError());
    printf(", then %#x\n", glGetError());
    for (int i = 0; i < STORES; i++) {
        GLint now;
        glGetIntegerv(stores[i], &now);
        if (now != stored[i]) printf("changed: %#x from %d to %d\n", stores[i], stored[i], now);
    }
    for (int i = 0; i < BINDINGS; i++) {
        GLint now;
        glGetIntegerv(bindings[i], &now);
        if (now != bound[i]) printf("changed: %#x from %d to %d\n", bindings[i], bound[i], now);
    }
    for (int i = 0; i < TRANSFERS; i++) {
        GLfloat now;
        glGetFloatv(transfers[i], &now);
        if (now != (i == 0 ? 1.0f : 0.25f)) printf("changed: %#x to %g\n", transfers[i], (double)now);
        glPixelTransferf(transfers[i], i % 2 && i ? 1.0f : 0.0f);
    }
    for (int i = 0; i < STORES; i++) glPixelStorei(stores[i], stores[i] == GL_PACK_ALIGNMENT || stores[i] == GL_UNPACK_ALIGNMENT ? 1 : 0);
    for (int i = 0; i < 5; i++) glBindBuffer(places[i], 0);
    glActiveTexture(GL_TEXTURE0);
    glGetTextureImage(texture, 0, GL_RGBA, GL_UNSIGNED_SHORT, sizeof back, back);
    wrong += memcmp(host, back, 64) != 0;
    printf("states: %d wrong\n", wrong);
    glDeleteTextures(1, &texture);
    glDeleteRenderbuffers(1, &render);
    glDeleteBuffers(6, buffers);
    gl_ok("states");
}

/* A texture that is shared by the name of another kind: the last layer is read and written. */
static void unnamed(const char *what, GLenum target, int w, int h, int d)
{
    GLuint texture;
    CUgraphicsResource resource;
    size_t row = 2 * (size_t)w, slice = row * (size_t)h, all = slice * (size_t)d;
    glGenTextures(1, &texture);
    glBindTexture(target, texture);
    fill(host, all, 1);
    if (target == GL_TEXTURE_1D) {
        glTexStorage1D(target, 1, GL_RG8, w);
        glTexSubImage1D(target, 0, 0, w, GL_RG, GL_UNSIGNED_BYTE, host);
    } else if (d == 1) {
        glTexStorage2D(target, 1, GL_RG8, w, h);
        glTexSubImage2D(target, 0, 0, 0, w, h, GL_RG, GL_UNSIGNED_BYTE, host);
    } else {
        glTexStorage3D(target, 1, GL_RG8, w, h, d);
        glTexSubImage3D(target, 0, 0, 0, 0, w, h, d, GL_RG, GL_UNSIGNED_BYTE, host);
    }
    printf("%s\n", what);
    SHOW(cuGraphicsGLRegisterImage(&resource, texture, target, 0));
    SHOW(cuGraphicsGLRegisterImage(&resource, texture, GL_TEXTURE_2D, 0));
    OK(cuGraphicsMapResources(1, &resource, NULL));
    CUarray array;
    CUDA_ARRAY3D_DESCRIPTOR is;
    OK(cuGraphicsSubResourceGetMappedArray(&array, resource, (unsigned)d - 1, 0));
    OK(cuArray3DGetDescriptor_v2(&is, array));
    CUDA_MEMCPY2D copy = { .srcMemoryType = CU_MEMORYTYPE_ARRAY, .srcArray = array, .dstMemoryType = CU_MEMORYTYPE_HOST, .dstHost = back,
                           .dstPitch = row, .WidthInBytes = row, .Height = (size_t)h };
    OK(cuMemcpy2D_v2(&copy));
    printf("%zu x %zu, %s\n", is.Width, is.Height, memcmp(back, host + all - slice, slice) ? "wrong" : "right");
    CUDA_MEMCPY2D put = { .srcMemoryType = CU_MEMORYTYPE_HOST, .srcHost = host + all - slice, .srcPitch = row,
                          .dstMemoryType = CU_MEMORYTYPE_ARRAY, .dstArray = array, .WidthInBytes = row, .Height = (size_t)h };
    memset(host + all - slice, 0x77, slice);
    OK(cuMemcpy2D_v2(&put));
    OK(cuGraphicsUnmapResources(1, &resource, NULL));
    glGetTexImage(target, 0, GL_RG, GL_UNSIGNED_BYTE, back);
    printf("written: %s\n", memcmp(back, host, all) ? "wrong" : "right");
    OK(cuGraphicsUnregisterResource(resource));
    glDeleteTextures(1, &texture);
    gl_ok(what);
}

static GLuint new_buffer(size_t bytes, unsigned seed)
{
    GLuint made;
    glGenBuffers(1, &made);
    glBindBuffer(GL_COPY_READ_BUFFER, made);
    fill(host, bytes, seed);
    glBufferData(GL_COPY_READ_BUFFER, (GLsizeiptr)bytes, host, GL_DYNAMIC_DRAW);
    glBindBuffer(GL_COPY_READ_BUFFER, 0);
    return made;
}

/* The bytes of a mapped buffer are those of the seed, or not. */
static const char *seen(CUdeviceptr at, size_t bytes, unsigned seed)
{
    fill(host, bytes, seed);
    OK(cuMemcpyDtoH_v2(back, at, bytes));
    return memcmp(host, back, bytes) ? "wrong" : "right";
}

static const char *holds(GLuint buffer, size_t bytes, unsigned seed)
{
    fill(host, bytes, seed);
    memset(back, 0xee, bytes);
    glBindBuffer(GL_COPY_READ_BUFFER, buffer);
    void *at = glMapBufferRange(GL_COPY_READ_BUFFER, 0, (GLsizeiptr)bytes, GL_MAP_READ_BIT);
    memcpy(back, at, bytes);
    glUnmapBuffer(GL_COPY_READ_BUFFER);
    glBindBuffer(GL_COPY_READ_BUFFER, 0);
    return memcmp(host, back, bytes) ? "wrong" : "right";
}

static void put(CUdeviceptr at, size_t bytes, unsigned seed)
{
    fill(host, bytes, seed);
    OK(cuMemcpyHtoD_v2(at, host, bytes));
}

static void buffers(void)
{
    enum { BYTES = 1001 };
    GLuint buffer = new_buffer(BYTES, 1);
    CUgraphicsResource resource;
    CUdeviceptr at;
    size_t size;
    SHOW(cuGraphicsGLRegisterBuffer(&resource, 4711, 0));
    SHOW(cuGraphicsGLRegisterBuffer(&resource, 0, 0));
    SHOW(cuGraphicsGLRegisterBuffer(&resource, buffer, 3));
    SHOW(cuGraphicsGLRegisterBuffer(&resource, buffer, 0));
    CUgraphicsResource twice[] = { resource, resource };
    SHOW(cuGraphicsResourceGetMappedPointer_v2(&at, &size, resource));
    SHOW(cuGraphicsUnmapResources(1, &resource, NULL));
    SHOW(cuGraphicsMapResources(2, twice, NULL));
    SHOW(cuGraphicsMapResources(1, &resource, NULL));
    SHOW(cuGraphicsMapResources(1, &resource, NULL));
    SHOW(cuGraphicsResourceSetMapFlags_v2(resource, 0));
    CUarray array;
    CUmipmappedArray levels;
    SHOW(cuGraphicsSubResourceGetMappedArray(&array, resource, 0, 0));
    SHOW(cuGraphicsResourceGetMappedMipmappedArray(&levels, resource));
    SHOW(cuGraphicsResourceGetMappedPointer_v2(&at, &size, resource));
    printf("%zu bytes, %s\n", size, seen(at, BYTES, 1));
    SHOW(cuMemFree_v2(at));
    SHOW(cuMemFreeAsync(at, NULL));
    CUipcMemHandle handle;
    SHOW(cuIpcGetMemHandle(&handle, at));
    put(at, BYTES, 2);
    SHOW(cuGraphicsUnmapResources(1, &resource, NULL));
    printf("written: %s\n", holds(buffer, BYTES, 2));
    SHOW(cuGraphicsResourceSetMapFlags_v2(resource, 3));
    SHOW(cuGraphicsResourceSetMapFlags_v2(resource, CU_GRAPHICS_MAP_RESOURCE_FLAGS_READ_ONLY));
    OK(cuGraphicsMapResources(1, &resource, NULL));
    printf("mapped to be read: %s\n", seen(at, BYTES, 2));
    put(at, BYTES, 3);
    OK(cuGraphicsUnmapResources(1, &resource, NULL));
    printf("not written: %s\n", holds(buffer, BYTES, 2));
    OK(cuGraphicsResourceSetMapFlags_v2(resource, CU_GRAPHICS_MAP_RESOURCE_FLAGS_WRITE_DISCARD));
    OK(cuGraphicsMapResources(1, &resource, NULL));
    put(at, BYTES, 4);
    OK(cuGraphicsUnmapResources(1, &resource, NULL));
    printf("mapped to be written: %s\n", holds(buffer, BYTES, 4));

    /* What OpenGL no longer has as it was. */
    OK(cuGraphicsResourceSetMapFlags_v2(resource, 0));
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    fill(host, BYTES, 7);
    glBufferSubData(GL_ARRAY_BUFFER, 0, BYTES, host);
    glMapBufferRange(GL_ARRAY_BUFFER, 0, 8, GL_MAP_READ_BIT);
    SHOW(cuGraphicsMapResources(1, &resource, NULL));
    SHOW(cuGraphicsUnmapResources(1, &resource, NULL));
    glUnmapBuffer(GL_ARRAY_BUFFER);
    OK(cuMemsetD8_v2(at, 0xa5, 3));
    OK(cuMemsetD8_v2(at + 3, 0x5a, 3));
    SHOW(cuGraphicsUnmapResources(1, &resource, NULL));
    memset(host, 0xa5, 3);
    memset(host + 3, 0x5a, 3);
    glGetBufferSubData(GL_ARRAY_BUFFER, 0, BYTES, back);
    printf("what was written, and else what OpenGL has: %s\n", memcmp(host, back, BYTES) ? "wrong" : "right");
    glBufferData(GL_ARRAY_BUFFER, 10, NULL, GL_STATIC_DRAW);
    SHOW(cuGraphicsMapResources(1, &resource, NULL));
    OK(cuGraphicsResourceGetMappedPointer_v2(&at, &size, resource));
    printf("of what was there: %zu bytes\n", size);
    SHOW(cuGraphicsUnmapResources(1, &resource, NULL));
    glBufferData(GL_ARRAY_BUFFER, BYTES, NULL, GL_STATIC_DRAW);
    SHOW(cuGraphicsMapResources(1, &resource, NULL));
    glDeleteBuffers(1, &buffer);
    SHOW(cuGraphicsUnmapResources(1, &resource, NULL));
    SHOW(cuGraphicsUnregisterResource(resource));
    SHOW(cuGraphicsUnregisterResource(resource));
    SHOW(cuMemcpyDtoH_v2(back, at, 8));

    /* One that is mapped is not unregistered. */
    buffer = new_buffer(BYTES, 5);
    OK(cuGraphicsGLRegisterBuffer(&resource, buffer, 0));
    OK(cuGraphicsMapResources(1, &resource, NULL));
    OK(cuGraphicsResourceGetMappedPointer_v2(&at, &size, resource));
    put(at, BYTES, 6);
    SHOW(cuGraphicsUnregisterResource(resource));
    OK(cuGraphicsUnmapResources(1, &resource, NULL));
    printf("still shared: %s\n", holds(buffer, BYTES, 6));
    SHOW(cuGraphicsUnregisterResource(resource));

    /* Storage that the host cannot write. */
    GLuint fixed;
    glCreateBuffers(1, &fixed);
    fill(host, BYTES, 7);
    glNamedBufferStorage(fixed, BYTES, host, GL_MAP_READ_BIT);
    OK(cuGraphicsGLRegisterBuffer(&resource, fixed, 0));
    OK(cuGraphicsMapResources(1, &resource, NULL));
    OK(cuGraphicsResourceGetMappedPointer_v2(&at, &size, resource));
    printf("fixed storage: %s", seen(at, BYTES, 7));
    put(at, BYTES, 8);
    OK(cuGraphicsUnmapResources(1, &resource, NULL));
    printf(" %s\n", holds(fixed, BYTES, 8));
    OK(cuGraphicsUnregisterResource(resource));

    /* A capture, and a stream that is none. */
    CUstream stream;
    CUgraph graph = NULL;
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuGraphicsGLRegisterBuffer(&resource, buffer, 0));
    SHOW(cuGraphicsMapResources(1, &resource, (CUstream)back));
    OK(cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    SHOW(cuGraphicsMapResources(1, &resource, stream));
    SHOW(cuStreamEndCapture(stream, &graph));
    SHOW(cuGraphicsMapResources(1, &resource, stream));
    SHOW(cuGraphicsUnmapResources(1, &resource, stream));
    OK(cuGraphicsUnregisterResource(resource));
    OK(cuStreamDestroy_v2(stream));
    glDeleteBuffers(1, &buffer);
    glDeleteBuffers(1, &fixed);
    gl_ok("buffers");
}

static void old_functions(void)
{
    enum { BYTES = 512 };
    GLuint buffer = new_buffer(BYTES, 1);
    CUdeviceptr at;
    size_t size;
    SHOW(cuGLInit());
    SHOW(cuGLMapBufferObject_v2(&at, &size, buffer));
    SHOW(cuGLRegisterBufferObject(4711));
    SHOW(cuGLRegisterBufferObject(buffer));
    SHOW(cuGLRegisterBufferObject(buffer));
    SHOW(cuGLSetBufferObjectMapFlags(buffer, 3));
    SHOW(cuGLSetBufferObjectMapFlags(buffer, 0));
    SHOW(cuGLUnmapBufferObject(buffer));
    SHOW(cuGLMapBufferObject_v2(&at, &size, buffer));
    printf("%zu bytes, %s\n", size, seen(at, BYTES, 1));
    SHOW(cuGLMapBufferObject_v2(&at, &size, buffer));
    SHOW(cuGLUnmapBufferObject(buffer));
    SHOW(cuGLMapBufferObjectAsync_v2(&at, &size, buffer, NULL));
    put(at, BYTES, 2);
    SHOW(cuGLUnmapBufferObjectAsync(buffer, NULL));
    printf("written: %s\n", holds(buffer, BYTES, 2));
    SHOW(cuGLUnregisterBufferObject(buffer));
    SHOW(cuGLUnregisterBufferObject(buffer));
    /* One that is mapped stays, without its name. */
    SHOW(cuGLRegisterBufferObject(buffer));
    OK(cuGLMapBufferObject_v2(&at, &size, buffer));
    put(at, 512, 6);
    SHOW(cuGLUnregisterBufferObject(buffer));
    SHOW(cuGLUnregisterBufferObject(buffer));
    printf("what was written is OpenGL's: %s\n", holds(buffer, 512, 6));
    CUcontext context;
    SHOW(cuGLCtxCreate_v2(&context, 0, 0));
    SHOW(cuCtxDestroy_v2(context));
    glDeleteBuffers(1, &buffer);
}

static CUgraphicsResource of_all;
static CUcontext cuda;
static EGLContext sharing;

static void *without_context(void *unused)
{
    (void)unused;
    OK(cuCtxSetCurrent(cuda));
    CUgraphicsResource other;
    printf("a thread without OpenGL\n");
    SHOW(cuGraphicsMapResources(1, &of_all, NULL));
    SHOW(cuGraphicsGLRegisterBuffer(&other, 1, 0));
    eglBindAPI(EGL_OPENGL_API);
    make_current(sharing);
    printf("with a context that shares\n");
    SHOW(cuGraphicsMapResources(1, &of_all, NULL));
    SHOW(cuGraphicsUnmapResources(1, &of_all, NULL));
    make_current(EGL_NO_CONTEXT);
    eglReleaseThread();
    return NULL;
}

static void contexts(EGLContext own)
{
    enum { BYTES = 64 };
    GLuint buffer = new_buffer(BYTES, 1);
    OK(cuGraphicsGLRegisterBuffer(&of_all, buffer, 0));
    sharing = new_context(CORE, own);
    pthread_t thread;
    pthread_create(&thread, NULL, without_context, NULL);
    pthread_join(thread, NULL);
    eglBindAPI(EGL_OPENGL_API);
    EGLContext stranger = new_context(CORE, EGL_NO_CONTEXT);
    make_current(stranger);
    GLuint same = new_buffer(BYTES, 2);
    printf("with a context that does not share%s\n", same == buffer ? ", and has a buffer of the same name" : "");
    CUdeviceptr at;
    size_t size;
    SHOW(cuGraphicsMapResources(1, &of_all, NULL));
    OK(cuGraphicsResourceGetMappedPointer_v2(&at, &size, of_all));
    printf("what the buffer holds: %s\n", seen(at, BYTES, 1));
    put(at, BYTES, 4);
    SHOW(cuGraphicsUnmapResources(1, &of_all, NULL));
    printf("still current: %d; the stranger's: %s\n", eglGetCurrentContext() == stranger, holds(same, BYTES, 2));
    make_current(own);
    printf("written: %s\n", holds(buffer, BYTES, 4));

    printf("OpenGL ES\n");
    EGLContext embedded = new_context(EMBEDDED, EGL_NO_CONTEXT);
    make_current(embedded);
    GLuint small = new_buffer(BYTES, 3);
    glBindBuffer(GL_COPY_WRITE_BUFFER, small);
    CUgraphicsResource resource, image;
    SHOW(cuGraphicsGLRegisterBuffer(&resource, small, 0));
    SHOW(cuGraphicsMapResources(1, &resource, NULL));
    OK(cuGraphicsResourceGetMappedPointer_v2(&at, &size, resource));
    printf("%zu bytes, %s\n", size, seen(at, BYTES, 3));
    put(at, BYTES, 4);
    SHOW(cuGraphicsUnmapResources(1, &resource, NULL));
    GLint bound;
    glGetIntegerv(GL_COPY_WRITE_BUFFER_BINDING, &bound);
    printf("written: %s; still bound: %d\n", holds(small, BYTES, 4), bound == (GLint)small);
    SHOW(cuGraphicsGLRegisterImage(&image, 1, GL_TEXTURE_2D, 0));

    printf("the end of OpenGL's context\n");
    OK(cuGraphicsMapResources(1, &resource, NULL));
    make_current(EGL_NO_CONTEXT);
    eglDestroyContext(display, embedded);
    SHOW(cuGraphicsUnmapResources(1, &resource, NULL));
    SHOW(cuGraphicsUnregisterResource(resource));
    eglBindAPI(EGL_OPENGL_API);
    make_current(own);

    /* What knows a group of contexts by an address has to notice when somebody else has it. */
    printf("a context in the memory of one that has ended\n");
    enum { ENDED = 16 };
    EGLContext ended[ENDED];
    CUgraphicsResource theirs[ENDED];
    for (int i = 0; i < ENDED; i++) {
        make_current(ended[i] = new_context(CORE, EGL_NO_CONTEXT));
        OK(cuGraphicsGLRegisterBuffer(&theirs[i], new_buffer(BYTES, 5), 0));
    }
    EGLContext later = new_context(CORE, EGL_NO_CONTEXT);
    make_current(later);
    new_buffer(BYTES, 6);
    for (int i = 0; i < ENDED; i++) eglDestroyContext(display, ended[i]);
    static GLsync fences[4096];
    for (int i = 0; i < 4096; i++) fences[i] = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    int refused = 0;
    for (int i = 0; i < ENDED; i++) {
        refused += cuGraphicsMapResources(1, &theirs[i], NULL) == CUDA_ERROR_INVALID_GRAPHICS_CONTEXT;
        OK(cuGraphicsUnregisterResource(theirs[i]));
    }
    printf("%d of %d refused\n", refused, ENDED);
    for (int i = 0; i < 4096; i++) glDeleteSync(fences[i]);
    make_current(EGL_NO_CONTEXT);
    eglDestroyContext(display, later);
    make_current(own);

    printf("the end of the driver's context\n");
    CUcontext other;
    OK(cuCtxCreate_v2(&other, 0, 0));
    SHOW(cuGraphicsMapResources(1, &of_all, NULL));
    OK(cuGraphicsGLRegisterBuffer(&resource, buffer, 0));
    OK(cuGraphicsMapResources(1, &resource, NULL));
    SHOW(cuCtxDestroy_v2(other));
    OK(cuCtxSetCurrent(cuda));
    SHOW(cuGraphicsUnmapResources(1, &resource, NULL));
    SHOW(cuGraphicsUnregisterResource(resource));
    SHOW(cuGraphicsUnregisterResource(of_all));
    glDeleteBuffers(1, &buffer);
    gl_ok("contexts");
}

int main(void)
{
    limit_time(60);
    cuda = cuda_context();
    CUgraphicsResource resource;
    CUdevice device;
    unsigned count;
    printf("before there is a context of OpenGL\n");
    SHOW(cuGraphicsGLRegisterBuffer(&resource, 1, 0));
    SHOW(cuGLGetDevices(&count, &device, 1, CU_GL_DEVICE_LIST_ALL));
    open_display();
    SHOW(cuGLInit());
    EGLContext own = new_context(COMPATIBLE, EGL_NO_CONTEXT);
    make_current(own);
    SHOW(cuGLGetDevices(&count, &device, 1, CU_GL_DEVICE_LIST_ALL));
    SHOW(cuGLGetDevices(&count, &device, 1, (CUGLDeviceList)4));
    printf("-- formats\n");
    all_formats();
    printf("-- images\n");
    target("2D", GL_TEXTURE_2D, 13, 6, 1, 4, CU_GRAPHICS_REGISTER_FLAGS_TEXTURE_GATHER);
    target("rectangle", GL_TEXTURE_RECTANGLE, 13, 6, 1, 1, CU_GRAPHICS_REGISTER_FLAGS_SURFACE_LDST);
    target("array", GL_TEXTURE_2D_ARRAY, 9, 4, 5, 3, 0);
    target("cube", GL_TEXTURE_CUBE_MAP, 8, 8, 6, 4, 0);
    target("3D", GL_TEXTURE_3D, 8, 6, 4, 3, CU_GRAPHICS_REGISTER_FLAGS_SURFACE_LDST);
    target("3D, gather", GL_TEXTURE_3D, 8, 6, 4, 3, CU_GRAPHICS_REGISTER_FLAGS_TEXTURE_GATHER);
    unnamed("1D", GL_TEXTURE_1D, 8, 1, 1);
    unnamed("1D array", GL_TEXTURE_1D_ARRAY, 8, 3, 1);
    unnamed("array of cubes", GL_TEXTURE_CUBE_MAP_ARRAY, 4, 4, 12);
    GLuint texture;
    glGenTextures(1, &texture);
    SHOW(cuGraphicsGLRegisterImage(&resource, texture, GL_TEXTURE_2D, 0));
    glBindTexture(GL_TEXTURE_2D, texture);
    SHOW(cuGraphicsGLRegisterImage(&resource, texture, GL_TEXTURE_2D, 0));
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_R8, 4, 4);
    SHOW(cuGraphicsGLRegisterImage(&resource, texture, GL_TEXTURE_3D, 0));
    SHOW(cuGraphicsGLRegisterImage(&resource, texture, GL_TEXTURE_1D, 0));
    SHOW(cuGraphicsGLRegisterImage(&resource, texture, GL_TEXTURE_2D, 16));
    SHOW(cuGraphicsGLRegisterImage(&resource, texture, GL_TEXTURE_2D, 0));
    CUdeviceptr at;
    size_t size;
    OK(cuGraphicsMapResources(1, &resource, NULL));
    SHOW(cuGraphicsResourceGetMappedPointer_v2(&at, &size, resource));
    SHOW(cuGraphicsUnregisterResource(resource));
    OK(cuGraphicsUnmapResources(1, &resource, NULL));
    SHOW(cuGraphicsUnregisterResource(resource));
    glDeleteTextures(1, &texture);
    gl_ok("images");
    renderbuffer();
    printf("-- states\n");
    states();
    printf("-- buffers\n");
    buffers();
    printf("-- older functions\n");
    old_functions();
    printf("-- contexts\n");
    contexts(own);
    return 0;
}
