/*
 * OpenGL's objects with a context that is current: EGL without a window, on the first device that has OpenGL. Where there is none (or
 * no header of it when this was built), the area has one case that is skipped.
 */
#include "common.h"
#if defined __has_include
#if __has_include(<EGL/egl.h>) && __has_include(<GL/glext.h>)
#define HAVE_GL 1
#endif
#endif
#ifdef HAVE_GL
#define EGL_NO_X11 1
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <cudaGL.h>
#include <dlfcn.h>

#define FE(r, n, ...) static r (*n##_) (__VA_ARGS__);
FE(EGLBoolean, eglInitialize, EGLDisplay, EGLint *, EGLint *) FE(EGLBoolean, eglBindAPI, EGLenum) FE(EGLContext, eglCreateContext, EGLDisplay, EGLConfig, EGLContext, const EGLint *)
FE(EGLBoolean, eglMakeCurrent, EGLDisplay, EGLSurface, EGLSurface, EGLContext) FE(EGLBoolean, eglDestroyContext, EGLDisplay, EGLContext) FE(void *, eglGetProcAddress, const char *)
FE(EGLDisplay, eglGetPlatformDisplayEXT, EGLenum, void *, const EGLint *) FE(EGLBoolean, eglQueryDevicesEXT, EGLint, EGLDeviceEXT *, EGLint *) FE(EGLBoolean, eglReleaseThread, void)
#define GLS(X) X(void, glGenBuffers, GLsizei, GLuint *) X(void, glDeleteBuffers, GLsizei, const GLuint *) X(void, glBindBuffer, GLenum, GLuint) X(void, glBufferData, GLenum, GLsizeiptr, const void *, GLenum) \
    X(void, glGetBufferSubData, GLenum, GLintptr, GLsizeiptr, void *) X(void *, glMapBufferRange, GLenum, GLintptr, GLsizeiptr, GLbitfield) X(GLboolean, glUnmapBuffer, GLenum) \
    X(void, glGenTextures, GLsizei, GLuint *) X(void, glDeleteTextures, GLsizei, const GLuint *) X(void, glBindTexture, GLenum, GLuint) X(void, glTexParameteri, GLenum, GLenum, GLint) \
    X(void, glTexImage2D, GLenum, GLint, GLint, GLsizei, GLsizei, GLint, GLenum, GLenum, const void *) X(void, glTexStorage1D, GLenum, GLsizei, GLenum, GLsizei) X(void, glTexStorage2D, GLenum, GLsizei, GLenum, GLsizei, GLsizei) \
    X(void, glTexStorage3D, GLenum, GLsizei, GLenum, GLsizei, GLsizei, GLsizei) X(void, glTexStorage2DMultisample, GLenum, GLsizei, GLenum, GLsizei, GLsizei, GLboolean) X(void, glGenRenderbuffers, GLsizei, GLuint *) X(void, glBindRenderbuffer, GLenum, GLuint) \
    X(void, glRenderbufferStorage, GLenum, GLenum, GLsizei, GLsizei) X(void, glRenderbufferStorageMultisample, GLenum, GLsizei, GLenum, GLsizei, GLsizei) X(void, glDeleteRenderbuffers, GLsizei, const GLuint *) X(GLenum, glGetError, void) X(void, glFinish, void) \
    X(void, glBufferStorage, GLenum, GLsizeiptr, const void *, GLbitfield) X(void, glGetTexImage, GLenum, GLint, GLenum, GLenum, void *) X(const GLubyte *, glGetString, GLenum) X(void, glTexBuffer, GLenum, GLenum, GLuint) X(void, glGenerateMipmap, GLenum)
#define X(r, n, ...) static r (*n##_)(__VA_ARGS__);
GLS(X)
#undef X
#define CU(X) X(cuGLGetDevices_v2) X(cuGraphicsGLRegisterBuffer) X(cuGraphicsGLRegisterImage) X(cuGLCtxCreate_v2) X(cuGLInit) X(cuGLRegisterBufferObject) X(cuGLUnregisterBufferObject) \
    X(cuGLMapBufferObject_v2) X(cuGLUnmapBufferObject) X(cuGLSetBufferObjectMapFlags) X(cuGLMapBufferObjectAsync_v2) X(cuGLUnmapBufferObjectAsync) X(cuGraphicsMapResources) X(cuGraphicsUnmapResources) X(cuGraphicsUnregisterResource) \
    X(cuGraphicsSubResourceGetMappedArray) X(cuGraphicsResourceGetMappedMipmappedArray) X(cuGraphicsResourceGetMappedPointer_v2) X(cuGraphicsResourceSetMapFlags_v2)
#undef cuGraphicsMapResources
#undef cuGraphicsUnmapResources
#undef cuGLMapBufferObject_v2
#undef cuGLMapBufferObjectAsync_v2
#define X(n) static __typeof__(&n) n##_;
CU(X)
#undef X

static EGLDisplay dpy;
static EGLContext own;
static EGLContext new_gl(EGLContext with, int kind)
{
    static const EGLint at[][7] = { { EGL_CONTEXT_MAJOR_VERSION, 4, EGL_CONTEXT_MINOR_VERSION, 5, EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT, EGL_NONE }, { EGL_CONTEXT_MAJOR_VERSION, 4, EGL_CONTEXT_MINOR_VERSION, 5, EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE }, { EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 0, EGL_NONE } };
    eglBindAPI_(kind == 2 ? EGL_OPENGL_ES_API : EGL_OPENGL_API);
    return eglCreateContext_(dpy, (EGLConfig)0, with, at[kind]);
}
static void current(EGLContext c) { eglMakeCurrent_(dpy, EGL_NO_SURFACE, EGL_NO_SURFACE, c); }
static bool load_gl(void)
{
    void *l = dlopen("libEGL.so.1", RTLD_NOW | RTLD_GLOBAL);
    if (!l) return false;
    *(void **)&eglGetProcAddress_ = dlsym(l, "eglGetProcAddress");
#define E(n) *(void **)&n##_ = dlsym(l, #n); if (!n##_) *(void **)&n##_ = eglGetProcAddress_(#n)
    E(eglInitialize); E(eglBindAPI); E(eglCreateContext); E(eglMakeCurrent); E(eglDestroyContext); E(eglGetPlatformDisplayEXT); E(eglQueryDevicesEXT); E(eglReleaseThread);
#define X(r, n, ...) *(void **)&n##_ = eglGetProcAddress_(#n);
    GLS(X)
#undef X
#define X(n) *(void **)&n##_ = drv_sym(#n);
    CU(X)
#undef X
    return true;
}
static bool open_gl(bool make)
{
    if (!load_gl()) return false;
    EGLDeviceEXT all[8]; EGLint n = 0, a, b;
    if (eglQueryDevicesEXT_ && eglGetPlatformDisplayEXT_) eglQueryDevicesEXT_(8, all, &n);
    for (int i = 0; i < n && own == EGL_NO_CONTEXT; i++) {
        dpy = eglGetPlatformDisplayEXT_(EGL_PLATFORM_DEVICE_EXT, all[i], NULL);
        if (dpy != EGL_NO_DISPLAY && eglInitialize_(dpy, &a, &b)) own = new_gl(EGL_NO_CONTEXT, 0);
    }
    if (own == EGL_NO_CONTEXT) return false;
    if (make) current(own);
    return true;
}
#define CG(fn, args, ...) ret_set((pre_call(#fn, __VA_ARGS__), fn##_ args))
static unsigned char bytes[1 << 16], back[1 << 16];
static GLuint buffer(size_t n, unsigned seed)
{
    GLuint b = 0; fill_pat(bytes, sizeof bytes, seed);
    glGenBuffers_(1, &b); glBindBuffer_(GL_ARRAY_BUFFER, b); glBufferData_(GL_ARRAY_BUFFER, (GLsizeiptr)n, bytes, GL_STATIC_DRAW);
    return b;
}
static void o_gl(const char *k, GLuint b, size_t n, unsigned seed) { fill_pat(bytes, sizeof bytes, seed); memset(back, 0, n); glBindBuffer_(GL_ARRAY_BUFFER, b); glGetBufferSubData_(GL_ARRAY_BUFFER, 0, (GLsizeiptr)n, back); o_match(k, back, bytes, n); }
#define NOGL if (!open_gl(true)) { CASE("none") case_skip("no OpenGL"); return; }
enum { N = 4096 };

static void g_before(void)
{
    if (!load_gl()) { CASE("none") case_skip("no OpenGL"); return; }
    CUgraphicsResource r; CUdevice d[4]; unsigned c; CUcontext x;
#define SOME(tag) \
    CASE(tag "_devices") { POISON(c); CG(cuGLGetDevices_v2, (&c, d, 4, CU_GL_DEVICE_LIST_ALL), "all"); o_u32("count", &c); } \
    CASE(tag "_init") CG(cuGLInit, (), "no arguments"); \
    CASE(tag "_buffer") { POISON(r); CG(cuGraphicsGLRegisterBuffer, (&r, 1, 0), "buffer 1"); o_handle("r", &r); } \
    CASE(tag "_image") { POISON(r); CG(cuGraphicsGLRegisterImage, (&r, 1, GL_TEXTURE_2D, 0), "texture 1"); o_handle("r", &r); } \
    CASE(tag "_ctx") { POISON(x); CUresult q = CG(cuGLCtxCreate_v2, (&x, 0, 0), "flags 0"); o_handle("x", &x); if (!q) { D.cuCtxDestroy(x); D.cuCtxSetCurrent(G.ctx); } } \
    CASE(tag "_old") CG(cuGLRegisterBufferObject, (1), "buffer 1")
    SOME("library");
    if (!open_gl(false)) return;
    SOME("display");
    current(own);
    SOME("current");
    current(EGL_NO_CONTEXT);
    SOME("released");
}
static void g_devices(void)
{
    NOGL
    CUdevice d[4]; unsigned c;
    for (int l = 0; l <= 5; l++) for (unsigned n = 0; n < 3; n++) CASE("list_%d_%u", l, n) { POISON(c); POISON(d); CG(cuGLGetDevices_v2, (&c, d, n, (CUGLDeviceList)l), "list %d, room %u", l, n); o_u32("count", &c); o_i32("d", &d[0]); }
    CASE("null_count") { POISON(d); CG(cuGLGetDevices_v2, (NULL, d, 4, CU_GL_DEVICE_LIST_ALL), "count NULL"); o_i32("d", &d[0]); }
    CASE("null_list") { POISON(c); CG(cuGLGetDevices_v2, (&c, NULL, 4, CU_GL_DEVICE_LIST_ALL), "devices NULL"); o_u32("count", &c); }
    CASE("init") CG(cuGLInit, (), "no arguments");
    static const unsigned fl[] = { 0, 1, 4, 8, 0x10, 0xfff00 };
    for (int i = 0; i < NELEM(fl); i++) CASE("ctx_%x", fl[i]) { CUcontext x; POISON(x); CUresult q = CG(cuGLCtxCreate_v2, (&x, fl[i], 0), "flags %#x", fl[i]); o_handle("x", &x); if (!q) { unsigned f; POISON(f); D.cuCtxGetFlags(&f); o_u32("flags", &f); D.cuCtxDestroy(x); } D.cuCtxSetCurrent(G.ctx); }
    CASE("ctx_null") CG(cuGLCtxCreate_v2, (NULL, 0, 0), "NULL");
    CASE("ctx_dev") { CUcontext x; POISON(x); CG(cuGLCtxCreate_v2, (&x, 0, 9), "device 9"); o_handle("x", &x); }
}
static void g_buffers(void)
{
    NOGL
    CUgraphicsResource r, r2; CUdeviceptr p, p2; size_t n; CUarray a; CUmipmappedArray mm; GLuint b; CUstream st;
    static const unsigned names[] = { 0, 4711, 0xffffffffu };
    for (int i = 0; i < 3; i++) CASE("name_%u", names[i]) { POISON(r); CG(cuGraphicsGLRegisterBuffer, (&r, names[i], 0), "no buffer"); o_handle("r", &r); }
    CASE("never_bound") { GLuint k; glGenBuffers_(1, &k); POISON(r); CG(cuGraphicsGLRegisterBuffer, (&r, k, 0), "a name alone"); o_handle("r", &r); }
    CASE("no_storage") { GLuint k; glGenBuffers_(1, &k); glBindBuffer_(GL_ARRAY_BUFFER, k); POISON(r); CUresult q = CG(cuGraphicsGLRegisterBuffer, (&r, k, 0), "bound, without storage"); o_handle("r", &r); if (!q) { o_ret("map", cuGraphicsMapResources_(1, &r, NULL)); POISON(p); POISON(n); o_ret("ptr", cuGraphicsResourceGetMappedPointer_v2_(&p, &n, r)); o_u64("n", &n); o_ret("unregister", cuGraphicsUnregisterResource_(r)); } }
    CASE("null") { b = buffer(N, 1); CG(cuGraphicsGLRegisterBuffer, (NULL, b, 0), "NULL"); }
    for (unsigned f = 0; f <= 16; f++) CASE("flags_%u", f) { b = buffer(N, 1); POISON(r); CUresult q = CG(cuGraphicsGLRegisterBuffer, (&r, b, f), "flags %u", f); o_handle("r", &r); if (!q) { o_ret("map", cuGraphicsMapResources_(1, &r, NULL)); POISON(p); POISON(n); o_ret("ptr", cuGraphicsResourceGetMappedPointer_v2_(&p, &n, r)); o_u64("n", &n); if (f != 2) o_dmatch("data", p, bytes, N); o_ret("unmap", cuGraphicsUnmapResources_(1, &r, NULL)); o_ret("unregister", cuGraphicsUnregisterResource_(r)); } glDeleteBuffers_(1, &b); }
    static const unsigned ff[] = { 32, 0x100, 0x80000000u };
    for (int i = 0; i < 3; i++) CASE("flags_%x", ff[i]) { b = buffer(N, 1); POISON(r); CG(cuGraphicsGLRegisterBuffer, (&r, b, ff[i]), "flags"); o_handle("r", &r); }
    static const unsigned sz[] = { 1, 3, 255, 1001, 4096, 65536 };
    for (int i = 0; i < NELEM(sz); i++) CASE("size_%u", sz[i]) { b = buffer(sz[i], 2); r = NULL; CG(cuGraphicsGLRegisterBuffer, (&r, b, 0), "%u bytes", sz[i]); OK(cuGraphicsMapResources_(1, &r, NULL)); POISON(p); POISON(n); o_ret("ptr", cuGraphicsResourceGetMappedPointer_v2_(&p, &n, r)); o_u64("n", &n); o_dmatch("data", p, bytes, sz[i]); CUdeviceptr ba; size_t bs; POISON(ba); POISON(bs); o_ret("range", D.cuMemGetAddressRange(&ba, &bs, p)); o_bool("base", ba == p); o_u64("range_size", &bs); fill_pat(bytes, sizeof bytes, 5); o_ret("put", D.cuMemcpyHtoD(p, bytes, sz[i])); o_ret("past", D.cuMemsetD8(p + sz[i], 0, 1)); o_ret("unmap", cuGraphicsUnmapResources_(1, &r, NULL)); o_gl("written", b, sz[i], 5); o_ret("unregister", cuGraphicsUnregisterResource_(r)); glDeleteBuffers_(1, &b); }
#define REG() b = buffer(N, 1); r = NULL; OK(cuGraphicsGLRegisterBuffer_(&r, b, 0))
#define END() o_ret("unregister", cuGraphicsUnregisterResource_(r)); glDeleteBuffers_(1, &b)
#define MAP() OK(cuGraphicsMapResources_(1, &r, NULL))
    CASE("twice") { REG(); POISON(r2); CUresult q = CG(cuGraphicsGLRegisterBuffer, (&r2, b, 0), "registered already"); o_handle("r2", &r2); if (!q) { MAP(); o_ret("map2", cuGraphicsMapResources_(1, &r2, NULL)); p = p2 = 0; o_ret("ptr", cuGraphicsResourceGetMappedPointer_v2_(&p, &n, r)); o_ret("ptr2", cuGraphicsResourceGetMappedPointer_v2_(&p2, &n, r2)); o_bool("same", p == p2); o_ret("unmap2", cuGraphicsUnmapResources_(1, &r2, NULL)); o_ret("unmap", cuGraphicsUnmapResources_(1, &r, NULL)); o_ret("u2", cuGraphicsUnregisterResource_(r2)); } END(); }
    CASE("ptr_unmapped") { REG(); POISON(p); POISON(n); CG(cuGraphicsResourceGetMappedPointer_v2, (&p, &n, r), "not mapped"); o_touch("p", &p, 8); END(); }
    CASE("array_unmapped") { REG(); POISON(a); CG(cuGraphicsSubResourceGetMappedArray, (&a, r, 0, 0), "not mapped"); o_handle("a", &a); END(); }
    CASE("unmap_unmapped") { REG(); CG(cuGraphicsUnmapResources, (1, &r, NULL), "not mapped"); END(); }
    CASE("map_twice") { REG(); MAP(); CG(cuGraphicsMapResources, (1, &r, NULL), "mapped already"); o_ret("unmap", cuGraphicsUnmapResources_(1, &r, NULL)); o_ret("unmap_again", cuGraphicsUnmapResources_(1, &r, NULL)); END(); }
    CASE("unmap_twice") { REG(); MAP(); OK(cuGraphicsUnmapResources_(1, &r, NULL)); CG(cuGraphicsUnmapResources, (1, &r, NULL), "second time"); END(); }
    CASE("list_same") { REG(); CUgraphicsResource l[2] = { r, r }; CG(cuGraphicsMapResources, (2, l, NULL), "the same one twice"); o_ret("unmap", cuGraphicsUnmapResources_(1, &r, NULL)); o_ret("unmap2", cuGraphicsUnmapResources_(1, &r, NULL)); END(); }
    CASE("list_half_mapped") { REG(); GLuint b2 = buffer(N, 2); OK(cuGraphicsGLRegisterBuffer_(&r2, b2, 0)); OK(cuGraphicsMapResources_(1, &r2, NULL)); CUgraphicsResource l[2] = { r, r2 }; CG(cuGraphicsMapResources, (2, l, NULL), "the second is mapped"); o_ret("unmap_first", cuGraphicsUnmapResources_(1, &r, NULL)); o_ret("unmap_second", cuGraphicsUnmapResources_(1, &r2, NULL)); o_ret("u2", cuGraphicsUnregisterResource_(r2)); END(); }
    CASE("unlist_half_mapped") { REG(); GLuint b2 = buffer(N, 2); OK(cuGraphicsGLRegisterBuffer_(&r2, b2, 0)); OK(cuGraphicsMapResources_(1, &r, NULL)); CUgraphicsResource l[2] = { r, r2 }; CG(cuGraphicsUnmapResources, (2, l, NULL), "the second is not mapped"); o_ret("unmap_first", cuGraphicsUnmapResources_(1, &r, NULL)); o_ret("u2", cuGraphicsUnregisterResource_(r2)); END(); }
    CASE("count_0") { REG(); CG(cuGraphicsMapResources, (0, &r, NULL), "count 0"); o_ret("unmap", cuGraphicsUnmapResources_(0, &r, NULL)); END(); }
    CASE("no_list") CG(cuGraphicsMapResources, (1, NULL, NULL), "list NULL");
    CASE("list_null") { case_isolate(); r = NULL; CG(cuGraphicsMapResources, (1, &r, NULL), "a resource is NULL"); }
    CASE("as_array") { REG(); MAP(); POISON(a); CG(cuGraphicsSubResourceGetMappedArray, (&a, r, 0, 0), "a buffer"); o_handle("a", &a); POISON(mm); o_ret("mip", cuGraphicsResourceGetMappedMipmappedArray_(&mm, r)); o_ret("unmap", cuGraphicsUnmapResources_(1, &r, NULL)); END(); }
    CASE("ptr_nulls") { REG(); MAP(); POISON(p); CG(cuGraphicsResourceGetMappedPointer_v2, (&p, NULL, r), "size NULL"); o_touch("p", &p, 8); POISON(n); o_ret("ptr", cuGraphicsResourceGetMappedPointer_v2_(NULL, &n, r)); o_u64("n", &n); o_ret("both", cuGraphicsResourceGetMappedPointer_v2_(NULL, NULL, r)); END(); }
    CASE("unregister_mapped") { REG(); MAP(); p = 0; OK(cuGraphicsResourceGetMappedPointer_v2_(&p, &n, r)); fill_pat(bytes, sizeof bytes, 6); D.cuMemcpyHtoD(p, bytes, N); CG(cuGraphicsUnregisterResource, (r), "while mapped"); o_gl("written", b, N, 6); POISON(n); o_ret("range", D.cuMemGetAddressRange(&p2, &n, p)); }
    CASE("unregister_twice") { case_isolate(); REG(); OK(cuGraphicsUnregisterResource_(r)); CG(cuGraphicsUnregisterResource, (r), "twice"); }
    CASE("map_dead") { case_isolate(); REG(); OK(cuGraphicsUnregisterResource_(r)); CG(cuGraphicsMapResources, (1, &r, NULL), "unregistered"); }
    CASE("ptr_after_unmap") { REG(); MAP(); p = 0; OK(cuGraphicsResourceGetMappedPointer_v2_(&p, &n, r)); OK(cuGraphicsUnmapResources_(1, &r, NULL)); CALL(cuMemcpyDtoH, (back, p, 8), "memory of a resource that is unmapped"); CUdeviceptr ba; size_t bs; o_ret("range", D.cuMemGetAddressRange(&ba, &bs, p)); unsigned mt = 0; o_ret("type", D.cuPointerGetAttribute(&mt, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p)); END(); }
    CASE("same_address") { REG(); MAP(); p = p2 = 0; OK(cuGraphicsResourceGetMappedPointer_v2_(&p, &n, r)); OK(cuGraphicsUnmapResources_(1, &r, NULL)); CG(cuGraphicsMapResources, (1, &r, NULL), "again"); OK(cuGraphicsResourceGetMappedPointer_v2_(&p2, &n, r)); o_bool("same", p == p2); OK(cuGraphicsUnmapResources_(1, &r, NULL)); END(); }
    CASE("free") { REG(); MAP(); p = 0; OK(cuGraphicsResourceGetMappedPointer_v2_(&p, &n, r)); CALL(cuMemFree, (p), "memory of a resource"); o_ret("async", D.cuMemFreeAsync(p, NULL)); CUipcMemHandle ih; o_ret("ipc", D.cuIpcGetMemHandle(&ih, p)); unsigned mt = 0; o_ret("type_ret", D.cuPointerGetAttribute(&mt, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p)); o_int("type", mt); CUcontext cx = NULL; o_ret("ctx_ret", D.cuPointerGetAttribute(&cx, CU_POINTER_ATTRIBUTE_CONTEXT, p)); o_bool("own", cx == G.ctx); unsigned id = 0; o_ret("legacy_ret", D.cuPointerGetAttribute(&id, CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE, p)); o_int("legacy", id & 1); o_ret("unmap", cuGraphicsUnmapResources_(1, &r, NULL)); END(); }
    for (unsigned f = 0; f <= 4; f++) CASE("map_flags_%u", f) { REG(); CG(cuGraphicsResourceSetMapFlags_v2, (r, f), "flags %u", f); MAP(); o_ret("mapped", cuGraphicsResourceSetMapFlags_v2_(r, 0)); o_ret("mapped_bad", cuGraphicsResourceSetMapFlags_v2_(r, 9)); p = 0; OK(cuGraphicsResourceGetMappedPointer_v2_(&p, &n, r)); if (f != 2) o_dmatch("data", p, bytes, N); o_ret("unmap", cuGraphicsUnmapResources_(1, &r, NULL)); END(); }
    for (unsigned f = 0; f <= 2; f++) for (unsigned k = 0; k <= 2; k++) CASE("registered_%u_mapped_%u", f, k) { b = buffer(N, 1); r = NULL; OK(cuGraphicsGLRegisterBuffer_(&r, b, f)); CG(cuGraphicsResourceSetMapFlags_v2, (r, k), "flags %u", k); MAP(); o_ret("unmap", cuGraphicsUnmapResources_(1, &r, NULL)); END(); }
    CASE("host_mapped") { REG(); glBindBuffer_(GL_ARRAY_BUFFER, b); glMapBufferRange_(GL_ARRAY_BUFFER, 0, 8, GL_MAP_READ_BIT); CUresult q = CG(cuGraphicsMapResources, (1, &r, NULL), "OpenGL has it mapped"); glUnmapBuffer_(GL_ARRAY_BUFFER); if (q) o_ret("map", cuGraphicsMapResources_(1, &r, NULL)); o_ret("unmap", cuGraphicsUnmapResources_(1, &r, NULL)); END(); }
    CASE("register_host_mapped") { b = buffer(N, 1); glMapBufferRange_(GL_ARRAY_BUFFER, 0, 8, GL_MAP_READ_BIT); POISON(r); CUresult q = CG(cuGraphicsGLRegisterBuffer, (&r, b, 0), "OpenGL has it mapped"); if (!q) o_ret("unregister", cuGraphicsUnregisterResource_(r)); glUnmapBuffer_(GL_ARRAY_BUFFER); }
    CASE("other_storage") { REG(); glBindBuffer_(GL_ARRAY_BUFFER, b); glBufferData_(GL_ARRAY_BUFFER, 10, NULL, GL_STATIC_DRAW); CUresult q = CG(cuGraphicsMapResources, (1, &r, NULL), "glBufferData since"); if (!q) { POISON(n); p = 0; o_ret("ptr", cuGraphicsResourceGetMappedPointer_v2_(&p, &n, r)); o_u64("n", &n); o_ret("unmap", cuGraphicsUnmapResources_(1, &r, NULL)); } END(); }
    CASE("other_storage_same_size") { REG(); glBindBuffer_(GL_ARRAY_BUFFER, b); glBufferData_(GL_ARRAY_BUFFER, N, NULL, GL_STATIC_DRAW); CUresult q = CG(cuGraphicsMapResources, (1, &r, NULL), "glBufferData since"); if (!q) o_ret("unmap", cuGraphicsUnmapResources_(1, &r, NULL)); END(); }
    CASE("deleted") { REG(); glDeleteBuffers_(1, &b); CUresult q = CG(cuGraphicsMapResources, (1, &r, NULL), "deleted in OpenGL"); if (!q) o_ret("unmap", cuGraphicsUnmapResources_(1, &r, NULL)); o_ret("unregister", cuGraphicsUnregisterResource_(r)); }
    CASE("deleted_mapped") { REG(); MAP(); glDeleteBuffers_(1, &b); CG(cuGraphicsUnmapResources, (1, &r, NULL), "deleted in OpenGL while mapped"); o_ret("unregister", cuGraphicsUnregisterResource_(r)); }
    CASE("stream_garbage") { case_isolate(); REG(); CG(cuGraphicsMapResources, (1, &r, (CUstream)(void *)back), "stream of zeroes"); }
    CASE("stream_other") { REG(); st = mkstream(1); CUstream s2 = mkstream(1); CG(cuGraphicsMapResources, (1, &r, st), "mapped in one stream"); o_ret("unmap", cuGraphicsUnmapResources_(1, &r, s2)); END(); D.cuStreamDestroy(st); D.cuStreamDestroy(s2); }
    CASE("stream_legacy") { REG(); CG(cuGraphicsMapResources, (1, &r, (CUstream)1), "legacy"); o_ret("unmap", cuGraphicsUnmapResources_(1, &r, (CUstream)2)); END(); }
    for (int m = 0; m < 3; m++) {
        CASE("capture_map_%d", m) { REG(); st = mkstream(1); OK(D.cuStreamBeginCapture(st, (CUstreamCaptureMode)m)); CG(cuGraphicsMapResources, (1, &r, st), "during a capture"); CUgraph g = NULL; o_ret("end", D.cuStreamEndCapture(st, &g)); o_ret("unmap", cuGraphicsUnmapResources_(1, &r, NULL)); D.cuStreamDestroy(st); END(); }
        CASE("capture_other_%d", m) { REG(); st = mkstream(1); OK(D.cuStreamBeginCapture(st, (CUstreamCaptureMode)m)); CUstream s2 = NULL; CG(cuGraphicsMapResources, (1, &r, s2), "another stream's capture"); POISON(p); o_ret("ptr", cuGraphicsResourceGetMappedPointer_v2_(&p, &n, r)); o_ret("unmap", cuGraphicsUnmapResources_(1, &r, s2)); GLuint b2 = buffer(16, 1); POISON(r2); CUresult q; o_ret("register", q = cuGraphicsGLRegisterBuffer_(&r2, b2, 0)); if (!q) o_ret("unregister2", cuGraphicsUnregisterResource_(r2)); CUgraph g = NULL; o_ret("end", D.cuStreamEndCapture(st, &g)); D.cuStreamDestroy(st); END(); }
    }
    CASE("ctx_other") { REG(); CUcontext c = NULL; OK(DL.cuCtxCreate_v2(&c, 0, 0)); CUresult q = CG(cuGraphicsMapResources, (1, &r, NULL), "another context is current"); if (!q) { p = 0; o_ret("ptr", cuGraphicsResourceGetMappedPointer_v2_(&p, &n, r)); o_ret("unmap", cuGraphicsUnmapResources_(1, &r, NULL)); } o_ret("unregister", cuGraphicsUnregisterResource_(r)); D.cuCtxDestroy(c); D.cuCtxSetCurrent(G.ctx); }
    CASE("ctx_none") { REG(); D.cuCtxSetCurrent(NULL); CUresult q = CG(cuGraphicsMapResources, (1, &r, NULL), "no context is current"); if (!q) o_ret("unmap", cuGraphicsUnmapResources_(1, &r, NULL)); POISON(r2); o_ret("register", cuGraphicsGLRegisterBuffer_(&r2, b, 0)); o_ret("unregister", cuGraphicsUnregisterResource_(r)); D.cuCtxSetCurrent(G.ctx); }
    CASE("ctx_gone") { case_isolate(); CUcontext c = NULL; OK(DL.cuCtxCreate_v2(&c, 0, 0)); REG(); MAP(); o_ret("destroy", D.cuCtxDestroy(c)); D.cuCtxSetCurrent(G.ctx); CG(cuGraphicsUnmapResources, (1, &r, NULL), "the context is gone"); }
    CASE("ctx_gone_unregister") { case_isolate(); CUcontext c = NULL; OK(DL.cuCtxCreate_v2(&c, 0, 0)); REG(); o_ret("destroy", D.cuCtxDestroy(c)); D.cuCtxSetCurrent(G.ctx); CG(cuGraphicsUnregisterResource, (r), "the context is gone"); }
    CASE("gl_none") { REG(); current(EGL_NO_CONTEXT); CUresult q = CG(cuGraphicsMapResources, (1, &r, NULL), "no context of OpenGL is current"); if (!q) o_ret("unmap", cuGraphicsUnmapResources_(1, &r, NULL)); POISON(r2); o_ret("register", cuGraphicsGLRegisterBuffer_(&r2, b, 0)); o_ret("unregister", cuGraphicsUnregisterResource_(r)); current(own); }
    CASE("gl_none_unmap") { REG(); MAP(); current(EGL_NO_CONTEXT); CG(cuGraphicsUnmapResources, (1, &r, NULL), "no context of OpenGL is current"); o_ret("unregister", cuGraphicsUnregisterResource_(r)); current(own); }
    CASE("gl_share") { REG(); EGLContext c = new_gl(own, 1); current(c); CUresult q = CG(cuGraphicsMapResources, (1, &r, NULL), "a context of OpenGL that shares"); if (!q) o_ret("unmap", cuGraphicsUnmapResources_(1, &r, NULL)); POISON(r2); q = cuGraphicsGLRegisterBuffer_(&r2, b, 0); o_ret("register", q); if (!q) o_ret("u2", cuGraphicsUnregisterResource_(r2)); current(own); eglDestroyContext_(dpy, c); END(); }
    CASE("gl_other") { REG(); EGLContext c = new_gl(EGL_NO_CONTEXT, 1); current(c); CUresult q = CG(cuGraphicsMapResources, (1, &r, NULL), "a context of OpenGL that does not share"); if (!q) o_ret("unmap", cuGraphicsUnmapResources_(1, &r, NULL)); POISON(r2); q = cuGraphicsGLRegisterBuffer_(&r2, b, 0); o_ret("register", q); if (!q) o_ret("u2", cuGraphicsUnregisterResource_(r2)); current(own); eglDestroyContext_(dpy, c); END(); }
    CASE("gl_other_unmap") { REG(); MAP(); EGLContext c = new_gl(EGL_NO_CONTEXT, 1); current(c); CG(cuGraphicsUnmapResources, (1, &r, NULL), "a context of OpenGL that does not share"); o_ret("unregister", cuGraphicsUnregisterResource_(r)); current(own); eglDestroyContext_(dpy, c); }
    CASE("gl_gone") { case_isolate(); EGLContext c = new_gl(EGL_NO_CONTEXT, 1); current(c); REG(); MAP(); current(EGL_NO_CONTEXT); eglDestroyContext_(dpy, c); CG(cuGraphicsUnmapResources, (1, &r, NULL), "the context of OpenGL is gone"); o_ret("unregister", cuGraphicsUnregisterResource_(r)); }
    CASE("gl_es") { case_isolate(); EGLContext c = new_gl(EGL_NO_CONTEXT, 2); current(c); REG(); CG(cuGraphicsMapResources, (1, &r, NULL), "OpenGL ES"); p = 0; POISON(n); o_ret("ptr", cuGraphicsResourceGetMappedPointer_v2_(&p, &n, r)); o_u64("n", &n); o_dmatch("data", p, bytes, N); o_ret("unmap", cuGraphicsUnmapResources_(1, &r, NULL)); END(); current(own); }
    CASE("fixed") { b = 0; fill_pat(bytes, sizeof bytes, 7); glGenBuffers_(1, &b); glBindBuffer_(GL_ARRAY_BUFFER, b); glBufferStorage_(GL_ARRAY_BUFFER, N, bytes, GL_MAP_READ_BIT); r = NULL; CG(cuGraphicsGLRegisterBuffer, (&r, b, 0), "storage that cannot change"); MAP(); p = 0; OK(cuGraphicsResourceGetMappedPointer_v2_(&p, &n, r)); o_dmatch("data", p, bytes, N); fill_pat(bytes, sizeof bytes, 8); D.cuMemcpyHtoD(p, bytes, N); OK(cuGraphicsUnmapResources_(1, &r, NULL)); o_gl("written", b, N, 8); END(); }
    CASE("read_only_written") { b = buffer(N, 1); r = NULL; OK(cuGraphicsGLRegisterBuffer_(&r, b, 1)); MAP(); p = 0; OK(cuGraphicsResourceGetMappedPointer_v2_(&p, &n, r)); fill_pat(bytes, sizeof bytes, 8); ret_set(D.cuMemcpyHtoD(p, bytes, N)); OK(cuGraphicsUnmapResources_(1, &r, NULL)); memset(back, 0, N); glGetBufferSubData_(GL_ARRAY_BUFFER, 0, N, back); o_bool("dev:arrived", !memcmp(back, bytes, N)); END(); }
}
static void g_old(void)
{
    NOGL
    GLuint b; CUdeviceptr p; size_t n;
    static const char *const what[] = { "none", "registered", "mapped" };
    for (int s = 0; s < 3; s++) {
#define ST() b = buffer(N, 1); if (s) OK(cuGLRegisterBufferObject_(b)); if (s > 1) OK(cuGLMapBufferObject_v2_(&p, &n, b))
        CASE("%s_register", what[s]) { ST(); CG(cuGLRegisterBufferObject, (b), "%s", what[s]); o_ret("end", cuGLUnregisterBufferObject_(b)); o_ret("end2", cuGLUnregisterBufferObject_(b)); }
        CASE("%s_unregister", what[s]) { ST(); CG(cuGLUnregisterBufferObject, (b), "%s", what[s]); o_ret("end", cuGLUnregisterBufferObject_(b)); }
        CASE("%s_map", what[s]) { ST(); POISON(p); POISON(n); CG(cuGLMapBufferObject_v2, (&p, &n, b), "%s", what[s]); o_touch("p", &p, 8); o_u64("n", &n); o_ret("unmap", cuGLUnmapBufferObject_(b)); o_ret("end", cuGLUnregisterBufferObject_(b)); }
        CASE("%s_map_async", what[s]) { ST(); POISON(p); POISON(n); CG(cuGLMapBufferObjectAsync_v2, (&p, &n, b, NULL), "%s", what[s]); o_u64("n", &n); o_ret("unmap", cuGLUnmapBufferObjectAsync_(b, NULL)); o_ret("end", cuGLUnregisterBufferObject_(b)); }
        CASE("%s_map_nulls", what[s]) { ST(); CG(cuGLMapBufferObject_v2, (NULL, NULL, b), "%s", what[s]); o_ret("unmap", cuGLUnmapBufferObject_(b)); o_ret("end", cuGLUnregisterBufferObject_(b)); }
        CASE("%s_map_size", what[s]) { ST(); POISON(n); CG(cuGLMapBufferObject_v2, (NULL, &n, b), "%s", what[s]); o_u64("n", &n); o_ret("unmap", cuGLUnmapBufferObject_(b)); o_ret("end", cuGLUnregisterBufferObject_(b)); }
        CASE("%s_unmap", what[s]) { ST(); CG(cuGLUnmapBufferObject, (b), "%s", what[s]); o_ret("again", cuGLUnmapBufferObject_(b)); o_ret("end", cuGLUnregisterBufferObject_(b)); }
        for (unsigned f = 0; f <= 4; f++) CASE("%s_flags_%u", what[s], f) { ST(); CG(cuGLSetBufferObjectMapFlags, (b, f), "%s", what[s]); o_ret("end", cuGLUnregisterBufferObject_(b)); }
        CASE("%s_new", what[s]) { ST(); CUgraphicsResource r; POISON(r); CUresult q = CG(cuGraphicsGLRegisterBuffer, (&r, b, 0), "%s", what[s]); if (!q) { o_ret("map", cuGraphicsMapResources_(1, &r, NULL)); o_ret("unmap", cuGraphicsUnmapResources_(1, &r, NULL)); o_ret("unregister", cuGraphicsUnregisterResource_(r)); } o_ret("end", cuGLUnregisterBufferObject_(b)); }
    }
    static const unsigned names[] = { 0, 4711 };
    for (int i = 0; i < 2; i++) { CASE("register_%u", names[i]) CG(cuGLRegisterBufferObject, (names[i]), "no buffer"); CASE("map_%u", names[i]) { POISON(p); CG(cuGLMapBufferObject_v2, (&p, &n, names[i]), "no buffer"); } CASE("unmap_%u", names[i]) CG(cuGLUnmapBufferObject, (names[i]), "no buffer"); CASE("unregister_%u", names[i]) CG(cuGLUnregisterBufferObject, (names[i]), "no buffer"); CASE("flags_%u", names[i]) CG(cuGLSetBufferObjectMapFlags, (names[i], 0), "no buffer"); }
}
static void g_formats(void)
{
    NOGL
    static const unsigned f[] = { GL_R8, GL_RG8, GL_RGB8, GL_RGBA8, GL_R8_SNORM, GL_RG8_SNORM, GL_RGBA8_SNORM, GL_R8I, GL_RG8I, GL_RGB8I, GL_RGBA8I, GL_R8UI, GL_RG8UI, GL_RGBA8UI, GL_R16, GL_RG16, GL_RGB16, GL_RGBA16, GL_R16_SNORM, GL_RG16_SNORM, GL_RGBA16_SNORM, GL_R16I, GL_RG16I, GL_RGBA16I, GL_R16UI, GL_RG16UI, GL_RGBA16UI, GL_R16F, GL_RG16F, GL_RGB16F, GL_RGBA16F, GL_R32I, GL_RG32I, GL_RGB32I, GL_RGBA32I, GL_R32UI, GL_RG32UI, GL_RGBA32UI, GL_R32F, GL_RG32F, GL_RGB32F, GL_RGBA32F, GL_SRGB8, GL_SRGB8_ALPHA8, GL_RGB10_A2, GL_RGB10_A2UI, GL_R11F_G11F_B10F, GL_RGB9_E5, GL_RGB565, GL_RGB5_A1, GL_RGBA4, GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT32F, GL_DEPTH24_STENCIL8, GL_DEPTH32F_STENCIL8, GL_STENCIL_INDEX8, GL_COMPRESSED_RGB_S3TC_DXT1_EXT, GL_COMPRESSED_RGBA_S3TC_DXT5_EXT, GL_COMPRESSED_RED_RGTC1, GL_COMPRESSED_RG_RGTC2, GL_COMPRESSED_RGBA_BPTC_UNORM, GL_COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT, GL_ALPHA8, GL_LUMINANCE8, GL_LUMINANCE8_ALPHA8, GL_INTENSITY8, GL_ALPHA16, GL_LUMINANCE16, GL_ALPHA32F_ARB, GL_LUMINANCE32F_ARB, GL_INTENSITY32F_ARB, GL_ALPHA16F_ARB, GL_LUMINANCE16F_ARB, GL_LUMINANCE_ALPHA32F_ARB, GL_R3_G3_B2, GL_RGBA2, GL_RGBA12, GL_RGB4 };
    for (int fl = 0; fl < 2; fl++) for (int i = 0; i < NELEM(f); i++) CASE("%x_%d", f[i], fl) {
        GLuint t = 0; while (glGetError_()) { } glGenTextures_(1, &t); glBindTexture_(GL_TEXTURE_2D, t); glTexStorage2D_(GL_TEXTURE_2D, 1, f[i], 64, 32); if (glGetError_()) { glGetError_(); glTexImage2D_(GL_TEXTURE_2D, 0, (GLint)f[i], 64, 32, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL); glTexParameteri_(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0); } o_hex("dev:gl", glGetError_());
        CUgraphicsResource r; POISON(r); CUresult q = CG(cuGraphicsGLRegisterImage, (&r, t, GL_TEXTURE_2D, fl ? 4 : 0), "format %#x, flags %d", f[i], fl * 4); o_handle("r", &r);
        if (!q) { CUarray a; POISON(a); OK(cuGraphicsMapResources_(1, &r, NULL)); o_ret("array", cuGraphicsSubResourceGetMappedArray_(&a, r, 0, 0)); CUDA_ARRAY3D_DESCRIPTOR d; memset(&d, 0, sizeof d); o_ret("desc", D.cuArray3DGetDescriptor(&d, a)); o_str("is", "%zu x %zu x %zu, format %#x, %u channels, flags %#x", d.Width, d.Height, d.Depth, d.Format, d.NumChannels, d.Flags); o_ret("unmap", cuGraphicsUnmapResources_(1, &r, NULL)); o_ret("unregister", cuGraphicsUnregisterResource_(r)); }
        glDeleteTextures_(1, &t);
    }
}
static GLuint image(GLenum target, GLenum format, int levels, int w, int h, int d)
{
    GLuint t = 0; glGenTextures_(1, &t); glBindTexture_(target, t);
    if (target == GL_TEXTURE_1D) glTexStorage1D_(target, levels, format, w);
    else if (target == GL_TEXTURE_2D_MULTISAMPLE) glTexStorage2DMultisample_(target, 4, format, w, h, 1);
    else if (target == GL_TEXTURE_3D || target == GL_TEXTURE_2D_ARRAY || target == GL_TEXTURE_CUBE_MAP_ARRAY) glTexStorage3D_(target, levels, format, w, h, d);
    else glTexStorage2D_(target, levels, format, w, h);
    return t;
}
static void g_images(void)
{
    NOGL
    CUgraphicsResource r; CUarray a, a2; CUmipmappedArray mm; GLuint t; CUdeviceptr p; size_t n;
    static const struct { const char *n; GLenum t; int l, w, h, d; } im[] = { { "1d", GL_TEXTURE_1D, 3, 16, 1, 1 }, { "1d_array", GL_TEXTURE_1D_ARRAY, 1, 16, 4, 1 }, { "2d", GL_TEXTURE_2D, 1, 13, 6, 1 }, { "2d_levels", GL_TEXTURE_2D, 4, 13, 6, 1 }, { "rectangle", GL_TEXTURE_RECTANGLE, 1, 13, 6, 1 }, { "array", GL_TEXTURE_2D_ARRAY, 3, 9, 4, 5 }, { "cube", GL_TEXTURE_CUBE_MAP, 4, 8, 8, 1 }, { "cube_array", GL_TEXTURE_CUBE_MAP_ARRAY, 2, 8, 8, 12 }, { "3d", GL_TEXTURE_3D, 3, 8, 6, 4 }, { "ms", GL_TEXTURE_2D_MULTISAMPLE, 1, 8, 8, 1 } };
    for (int i = 0; i < NELEM(im); i++) {
        for (unsigned f = 0; f <= 16; f++) CASE("%s_flags_%u", im[i].n, f) { t = image(im[i].t, GL_R32F, im[i].l, im[i].w, im[i].h, im[i].d); POISON(r); CUresult q = CG(cuGraphicsGLRegisterImage, (&r, t, im[i].t, f), "%s, flags %u", im[i].n, f); o_handle("r", &r);
            if (!q) { o_ret("map", cuGraphicsMapResources_(1, &r, NULL)); POISON(a); o_ret("array", cuGraphicsSubResourceGetMappedArray_(&a, r, 0, 0)); CUDA_ARRAY3D_DESCRIPTOR d; memset(&d, 0, sizeof d); o_ret("desc", D.cuArray3DGetDescriptor(&d, a)); o_str("is", "%zu x %zu x %zu, format %#x, %u channels, flags %#x", d.Width, d.Height, d.Depth, d.Format, d.NumChannels, d.Flags); POISON(mm); CUresult k = cuGraphicsResourceGetMappedMipmappedArray_(&mm, r); o_ret("mip", k); if (!k) { POISON(a2); o_ret("level0", D.cuMipmappedArrayGetLevel(&a2, mm, 0)); memset(&d, 0, sizeof d); o_ret("desc0", D.cuArray3DGetDescriptor(&d, a2)); o_str("is0", "%zu x %zu x %zu, flags %#x", d.Width, d.Height, d.Depth, d.Flags); o_ret("beyond", D.cuMipmappedArrayGetLevel(&a2, mm, (unsigned)im[i].l)); } CUsurfObject so = 0; CUDA_RESOURCE_DESC rd; memset(&rd, 0, sizeof rd); rd.res.array.hArray = a; k = D.cuSurfObjectCreate(&so, &rd); o_ret("surface", k); if (!k) D.cuSurfObjectDestroy(so); o_ret("unmap", cuGraphicsUnmapResources_(1, &r, NULL)); o_ret("unregister", cuGraphicsUnregisterResource_(r)); }
            glDeleteTextures_(1, &t); }
        for (int k = 0; k < NELEM(im); k++) if (k != i) CASE("%s_as_%s", im[i].n, im[k].n) { t = image(im[i].t, GL_R32F, im[i].l, im[i].w, im[i].h, im[i].d); POISON(r); CUresult q = CG(cuGraphicsGLRegisterImage, (&r, t, im[k].t, 0), "%s as %s", im[i].n, im[k].n); o_handle("r", &r); if (!q) o_ret("unregister", cuGraphicsUnregisterResource_(r)); glDeleteTextures_(1, &t); }
        CASE("%s_parts", im[i].n) { t = image(im[i].t, GL_R32F, im[i].l, im[i].w, im[i].h, im[i].d); r = NULL; CUresult q = CG(cuGraphicsGLRegisterImage, (&r, t, im[i].t, 0), "%s", im[i].n); if (!q) { OK(cuGraphicsMapResources_(1, &r, NULL)); for (unsigned l = 0; l < 5; l++) for (unsigned k = 0; k < 14; k += (k == 1 ? 3 : k == 4 ? 1 : k == 6 ? 5 : 1)) { char key[24]; POISON(a); CUresult z = cuGraphicsSubResourceGetMappedArray_(&a, r, k, l); snprintf(key, sizeof key, "i%ul%u", k, l); o_ret(key, z); if (!z) { CUDA_ARRAY3D_DESCRIPTOR d; memset(&d, 0, sizeof d); D.cuArray3DGetDescriptor(&d, a); snprintf(key, sizeof key, "d%ul%u", k, l); o_str(key, "%zux%zux%zu %#x", d.Width, d.Height, d.Depth, d.Flags); } } o_ret("unmap", cuGraphicsUnmapResources_(1, &r, NULL)); o_ret("unregister", cuGraphicsUnregisterResource_(r)); } glDeleteTextures_(1, &t); }
    }
#define REGI() t = image(GL_TEXTURE_2D, GL_RGBA8, 3, 16, 8, 1); r = NULL; OK(cuGraphicsGLRegisterImage_(&r, t, GL_TEXTURE_2D, 0))
    CASE("name_0") { POISON(r); CG(cuGraphicsGLRegisterImage, (&r, 0, GL_TEXTURE_2D, 0), "0"); o_handle("r", &r); }
    CASE("name_4711") { POISON(r); CG(cuGraphicsGLRegisterImage, (&r, 4711, GL_TEXTURE_2D, 0), "4711"); o_handle("r", &r); }
    CASE("name_alone") { glGenTextures_(1, &t); POISON(r); CG(cuGraphicsGLRegisterImage, (&r, t, GL_TEXTURE_2D, 0), "a name alone"); o_handle("r", &r); }
    CASE("no_storage") { glGenTextures_(1, &t); glBindTexture_(GL_TEXTURE_2D, t); POISON(r); CG(cuGraphicsGLRegisterImage, (&r, t, GL_TEXTURE_2D, 0), "without storage"); o_handle("r", &r); }
    CASE("incomplete") { glGenTextures_(1, &t); glBindTexture_(GL_TEXTURE_2D, t); glTexImage2D_(GL_TEXTURE_2D, 0, GL_RGBA8, 16, 8, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL); POISON(r); CUresult q = CG(cuGraphicsGLRegisterImage, (&r, t, GL_TEXTURE_2D, 0), "not all levels"); o_handle("r", &r); if (!q) { OK(cuGraphicsMapResources_(1, &r, NULL)); POISON(a); o_ret("l0", cuGraphicsSubResourceGetMappedArray_(&a, r, 0, 0)); POISON(a); o_ret("l1", cuGraphicsSubResourceGetMappedArray_(&a, r, 0, 1)); o_ret("unregister", cuGraphicsUnregisterResource_(r)); } }
    CASE("mutable") { glGenTextures_(1, &t); glBindTexture_(GL_TEXTURE_2D, t); glTexImage2D_(GL_TEXTURE_2D, 0, GL_RGBA8, 16, 8, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL); glTexParameteri_(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0); r = NULL; CUresult q = CG(cuGraphicsGLRegisterImage, (&r, t, GL_TEXTURE_2D, 0), "glTexImage2D"); if (!q) { glTexImage2D_(GL_TEXTURE_2D, 0, GL_RGBA8, 32, 8, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL); CUresult z = cuGraphicsMapResources_(1, &r, NULL); o_ret("map_other_size", z); if (!z) { POISON(a); CUDA_ARRAY3D_DESCRIPTOR d; memset(&d, 0, sizeof d); o_ret("array", cuGraphicsSubResourceGetMappedArray_(&a, r, 0, 0)); D.cuArray3DGetDescriptor(&d, a); o_int("w", (long long)d.Width); o_ret("unmap", cuGraphicsUnmapResources_(1, &r, NULL)); } o_ret("unregister", cuGraphicsUnregisterResource_(r)); } }
    CASE("levels_mipmapped") { glGenTextures_(1, &t); glBindTexture_(GL_TEXTURE_2D, t); glTexImage2D_(GL_TEXTURE_2D, 0, GL_RGBA8, 16, 8, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL); glGenerateMipmap_(GL_TEXTURE_2D); r = NULL; CUresult q = CG(cuGraphicsGLRegisterImage, (&r, t, GL_TEXTURE_2D, 0), "all levels"); if (!q) { OK(cuGraphicsMapResources_(1, &r, NULL)); for (unsigned l = 0; l < 7; l++) { char k[8]; snprintf(k, sizeof k, "l%u", l); POISON(a); o_ret(k, cuGraphicsSubResourceGetMappedArray_(&a, r, 0, l)); } o_ret("unregister", cuGraphicsUnregisterResource_(r)); } }
    static const unsigned tg[] = { 0, 0x1234, GL_TEXTURE_BUFFER, GL_TEXTURE_CUBE_MAP_POSITIVE_X, GL_RENDERBUFFER, GL_PROXY_TEXTURE_2D };
    for (int i = 0; i < NELEM(tg); i++) CASE("target_%x", tg[i]) { t = image(GL_TEXTURE_2D, GL_RGBA8, 1, 16, 8, 1); POISON(r); CG(cuGraphicsGLRegisterImage, (&r, t, tg[i], 0), "target %#x", tg[i]); o_handle("r", &r); }
    CASE("texture_buffer") { GLuint b = buffer(N, 1); glGenTextures_(1, &t); glBindTexture_(GL_TEXTURE_BUFFER, t); glTexBuffer_(GL_TEXTURE_BUFFER, GL_R32F, b); POISON(r); CG(cuGraphicsGLRegisterImage, (&r, t, GL_TEXTURE_BUFFER, 0), "a buffer's texture"); o_handle("r", &r); }
    CASE("null") { t = image(GL_TEXTURE_2D, GL_RGBA8, 1, 16, 8, 1); CG(cuGraphicsGLRegisterImage, (NULL, t, GL_TEXTURE_2D, 0), "NULL"); }
    CASE("flags_100") { t = image(GL_TEXTURE_2D, GL_RGBA8, 1, 16, 8, 1); POISON(r); CG(cuGraphicsGLRegisterImage, (&r, t, GL_TEXTURE_2D, 0x100), "flags 0x100"); o_handle("r", &r); }
    CASE("twice") { REGI(); CUgraphicsResource r2; POISON(r2); CUresult q = CG(cuGraphicsGLRegisterImage, (&r2, t, GL_TEXTURE_2D, 0), "registered already"); if (!q) o_ret("u2", cuGraphicsUnregisterResource_(r2)); o_ret("unregister", cuGraphicsUnregisterResource_(r)); }
    CASE("as_pointer") { REGI(); OK(cuGraphicsMapResources_(1, &r, NULL)); POISON(p); POISON(n); CG(cuGraphicsResourceGetMappedPointer_v2, (&p, &n, r), "an image"); o_touch("p", &p, 8); o_ret("unregister", cuGraphicsUnregisterResource_(r)); }
    CASE("as_pointer_unmapped") { REGI(); POISON(p); CG(cuGraphicsResourceGetMappedPointer_v2, (&p, &n, r), "not mapped"); POISON(a); o_ret("array", cuGraphicsSubResourceGetMappedArray_(&a, r, 0, 0)); o_ret("beyond", cuGraphicsSubResourceGetMappedArray_(&a, r, 9, 9)); POISON(mm); o_ret("mip", cuGraphicsResourceGetMappedMipmappedArray_(&mm, r)); o_ret("unregister", cuGraphicsUnregisterResource_(r)); }
    CASE("array_nulls") { REGI(); OK(cuGraphicsMapResources_(1, &r, NULL)); CG(cuGraphicsSubResourceGetMappedArray, (NULL, r, 0, 0), "NULL"); o_ret("mip", cuGraphicsResourceGetMappedMipmappedArray_(NULL, r)); o_ret("unregister", cuGraphicsUnregisterResource_(r)); }
    CASE("array_destroy") { REGI(); OK(cuGraphicsMapResources_(1, &r, NULL)); a = NULL; OK(cuGraphicsSubResourceGetMappedArray_(&a, r, 0, 0)); CALL(cuArrayDestroy, (a), "an image's"); mm = NULL; o_ret("mip", cuGraphicsResourceGetMappedMipmappedArray_(&mm, r)); if (mm) o_ret("mip_destroy", D.cuMipmappedArrayDestroy(mm)); o_ret("unregister", cuGraphicsUnregisterResource_(r)); }
    CASE("array_same") { REGI(); OK(cuGraphicsMapResources_(1, &r, NULL)); a = a2 = NULL; OK(cuGraphicsSubResourceGetMappedArray_(&a, r, 0, 0)); CG(cuGraphicsSubResourceGetMappedArray, (&a2, r, 0, 0), "asked twice"); o_bool("same", a == a2); OK(cuGraphicsUnmapResources_(1, &r, NULL)); OK(cuGraphicsMapResources_(1, &r, NULL)); a2 = NULL; OK(cuGraphicsSubResourceGetMappedArray_(&a2, r, 0, 0)); o_bool("dev:same_later", a == a2); o_ret("unregister", cuGraphicsUnregisterResource_(r)); }
    CASE("written") { REGI(); OK(cuGraphicsMapResources_(1, &r, NULL)); a = NULL; OK(cuGraphicsSubResourceGetMappedArray_(&a, r, 0, 1)); fill_pat(bytes, 8 * 4 * 4, 3); CUDA_MEMCPY2D c; memset(&c, 0, sizeof c); c.srcMemoryType = CU_MEMORYTYPE_HOST; c.srcHost = bytes; c.srcPitch = 32; c.dstMemoryType = CU_MEMORYTYPE_ARRAY; c.dstArray = a; c.WidthInBytes = 32; c.Height = 4; CALL(cuMemcpy2D, (&c), "to level 1"); OK(cuGraphicsUnmapResources_(1, &r, NULL)); memset(back, 0, 128); glBindTexture_(GL_TEXTURE_2D, t); glGetTexImage_(GL_TEXTURE_2D, 1, GL_RGBA, GL_UNSIGNED_BYTE, back); o_match("seen", back, bytes, 128); o_ret("unregister", cuGraphicsUnregisterResource_(r)); }
    CASE("deleted") { REGI(); glDeleteTextures_(1, &t); CUresult q = CG(cuGraphicsMapResources, (1, &r, NULL), "deleted in OpenGL"); if (!q) o_ret("unmap", cuGraphicsUnmapResources_(1, &r, NULL)); o_ret("unregister", cuGraphicsUnregisterResource_(r)); }
    for (unsigned f = 0; f <= 4; f++) CASE("map_flags_%u", f) { REGI(); CG(cuGraphicsResourceSetMapFlags_v2, (r, f), "flags %u", f); o_ret("unregister", cuGraphicsUnregisterResource_(r)); }
    for (int s = 0; s < 3; s++) CASE("renderbuffer_%d", s) { GLuint b; glGenRenderbuffers_(1, &b); glBindRenderbuffer_(GL_RENDERBUFFER, b); if (s == 1) glRenderbufferStorageMultisample_(GL_RENDERBUFFER, 4, GL_RGBA8, 16, 8); else if (s == 0) glRenderbufferStorage_(GL_RENDERBUFFER, GL_RGBA8, 16, 8); POISON(r); CUresult q = CG(cuGraphicsGLRegisterImage, (&r, b, GL_RENDERBUFFER, 0), "renderbuffer %d", s); o_handle("r", &r); if (!q) { OK(cuGraphicsMapResources_(1, &r, NULL)); POISON(a); o_ret("array", cuGraphicsSubResourceGetMappedArray_(&a, r, 0, 0)); CUDA_ARRAY3D_DESCRIPTOR d; memset(&d, 0, sizeof d); D.cuArray3DGetDescriptor(&d, a); o_str("is", "%zu x %zu x %zu, format %#x, %u channels, flags %#x", d.Width, d.Height, d.Depth, d.Format, d.NumChannels, d.Flags); POISON(a); o_ret("beyond", cuGraphicsSubResourceGetMappedArray_(&a, r, 0, 1)); POISON(mm); o_ret("mip", cuGraphicsResourceGetMappedMipmappedArray_(&mm, r)); o_ret("unregister", cuGraphicsUnregisterResource_(r)); } glDeleteRenderbuffers_(1, &b); }
}
/* Images and streams of EGL, made from what OpenGL has. */
struct frame { union { CUarray array[3]; void *pitch[3]; } p; unsigned width, height, depth, pitch, planes, channels, type, color, format; };
static void o_frame(const char *k, const struct frame *f) { o_str(k, "%u x %u x %u, pitch %u, planes %u, channels %u, type %u, color %u, format %#x", f->width, f->height, f->depth, f->pitch, f->planes, f->channels, f->type, f->color, f->format); }
static void g_egl(void)
{
    NOGL
    typedef CUresult (*f3)(uintptr_t, uintptr_t, uintptr_t);
    typedef CUresult (*f4)(uintptr_t, uintptr_t, uintptr_t, uintptr_t);
#define U(x) ((uintptr_t)(x))
#define SYM(n) f4 n = (f4)drv_sym(#n)
    SYM(cuGraphicsEGLRegisterImage); SYM(cuGraphicsResourceGetMappedEglFrame); SYM(cuEGLStreamConsumerConnect); SYM(cuEGLStreamConsumerConnectWithFlags); SYM(cuEGLStreamConsumerDisconnect); SYM(cuEGLStreamConsumerAcquireFrame); SYM(cuEGLStreamConsumerReleaseFrame); SYM(cuEGLStreamProducerConnect); SYM(cuEGLStreamProducerDisconnect); SYM(cuEGLStreamProducerReturnFrame);
    CUresult (*present)(uintptr_t, struct frame, uintptr_t) = (CUresult (*)(uintptr_t, struct frame, uintptr_t))drv_sym("cuEGLStreamProducerPresentFrame");
    EGLImage (*create_image)(EGLDisplay, EGLContext, EGLenum, EGLClientBuffer, const EGLint *) = (EGLImage (*)(EGLDisplay, EGLContext, EGLenum, EGLClientBuffer, const EGLint *))eglGetProcAddress_("eglCreateImageKHR");
    EGLBoolean (*destroy_image)(EGLDisplay, EGLImage) = (EGLBoolean (*)(EGLDisplay, EGLImage))eglGetProcAddress_("eglDestroyImageKHR");
    void *(*create_stream)(EGLDisplay, const EGLint *) = (void *(*)(EGLDisplay, const EGLint *))eglGetProcAddress_("eglCreateStreamKHR");
    EGLBoolean (*destroy_stream)(EGLDisplay, void *) = (EGLBoolean (*)(EGLDisplay, void *))eglGetProcAddress_("eglDestroyStreamKHR");
    const char *(*query)(EGLDisplay, EGLint) = (const char *(*)(EGLDisplay, EGLint))eglGetProcAddress_("eglQueryString");
    const char *ext = query ? query(dpy, EGL_EXTENSIONS) : "";
    CASE("extensions") { o_str("dev:vendor", "%s", query ? query(dpy, EGL_VENDOR) : ""); o_bool("dev:image", strstr(ext, "EGL_KHR_image") != NULL); o_bool("dev:stream", strstr(ext, "EGL_KHR_stream") != NULL); o_bool("dev:cuda", strstr(ext, "cuda") != NULL); o_str("dev:gl", "%s", glGetString_(GL_VERSION)); o_str("dev:ext", "%.1500s", ext); }
    CUgraphicsResource r; struct frame f; GLuint t;
    for (unsigned fl = 0; fl <= 4; fl++) for (int l = 0; l < 2; l++) CASE("image_%u_%d", fl, l) {
        t = image(GL_TEXTURE_2D, GL_RGBA8, l ? 3 : 1, 64, 32, 1); EGLImage im = create_image ? create_image(dpy, own, EGL_GL_TEXTURE_2D_KHR, (EGLClientBuffer)(uintptr_t)t, NULL) : NULL; o_bool("dev:made", im != NULL); if (!im) { case_skip("no image"); continue; }
        POISON(r); CUresult q = ret_set((pre_call("cuGraphicsEGLRegisterImage", "flags %u", fl), cuGraphicsEGLRegisterImage(U(&r), U(im), fl, 0))); o_handle("r", &r);
        if (!q) { memset(&f, 0xa5, sizeof f); o_ret("frame", cuGraphicsResourceGetMappedEglFrame(U(&f), U(r), 0, 0)); o_frame("is", &f); o_ret("frame_1", cuGraphicsResourceGetMappedEglFrame(U(&f), U(r), 1, 0)); o_ret("level_1", cuGraphicsResourceGetMappedEglFrame(U(&f), U(r), 0, 1)); CUarray a; POISON(a); o_ret("array", cuGraphicsSubResourceGetMappedArray_(&a, r, 0, 0)); CUmipmappedArray mm; POISON(mm); o_ret("mip", cuGraphicsResourceGetMappedMipmappedArray_(&mm, r)); o_ret("map", cuGraphicsMapResources_(1, &r, NULL)); o_ret("unmap", cuGraphicsUnmapResources_(1, &r, NULL)); o_ret("unregister", cuGraphicsUnregisterResource_(r)); }
        if (im) destroy_image(dpy, im);
        glDeleteTextures_(1, &t);
    }
    CASE("image_of_buffer") { CUgraphicsResource g; GLuint b = buffer(N, 1); g = NULL; OK(cuGraphicsGLRegisterBuffer_(&g, b, 0)); memset(&f, 0xa5, sizeof f); ret_set((pre_call("cuGraphicsResourceGetMappedEglFrame", "OpenGL's buffer"), cuGraphicsResourceGetMappedEglFrame(U(&f), U(g), 0, 0))); OK(cuGraphicsMapResources_(1, &g, NULL)); o_ret("mapped", cuGraphicsResourceGetMappedEglFrame(U(&f), U(g), 0, 0)); o_ret("null", cuGraphicsResourceGetMappedEglFrame(0, U(g), 0, 0)); OK(cuGraphicsUnregisterResource_(g)); }
    CASE("frame_of_texture") { CUgraphicsResource g = NULL; t = image(GL_TEXTURE_2D, GL_RGBA8, 1, 64, 32, 1); OK(cuGraphicsGLRegisterImage_(&g, t, GL_TEXTURE_2D, 0)); memset(&f, 0xa5, sizeof f); ret_set((pre_call("cuGraphicsResourceGetMappedEglFrame", "OpenGL's texture"), cuGraphicsResourceGetMappedEglFrame(U(&f), U(g), 0, 0))); OK(cuGraphicsMapResources_(1, &g, NULL)); memset(&f, 0xa5, sizeof f); CUresult q = cuGraphicsResourceGetMappedEglFrame(U(&f), U(g), 0, 0); o_ret("mapped", q); if (!q) o_frame("is", &f); o_ret("beyond", cuGraphicsResourceGetMappedEglFrame(U(&f), U(g), 9, 9)); OK(cuGraphicsUnregisterResource_(g)); }
    uintptr_t con, pro, st; void *es;
#define STREAM() es = create_stream && strstr(ext, "EGL_KHR_stream") ? create_stream(dpy, NULL) : NULL; if (!es) { case_skip("no stream"); continue; }
    CASE("consumer") { STREAM(); POISON(con); CUresult q = ret_set((pre_call("cuEGLStreamConsumerConnect", "fresh"), cuEGLStreamConsumerConnect(U(&con), U(es), 0, 0))); o_handle("con", &con); if (!q) { uintptr_t c2; POISON(c2); o_ret("again", cuEGLStreamConsumerConnect(U(&c2), U(es), 0, 0)); r = NULL; st = 0; o_ret("acquire", cuEGLStreamConsumerAcquireFrame(U(&con), U(&r), U(&st), 1000)); o_ret("release", cuEGLStreamConsumerReleaseFrame(U(&con), U(r), U(&st), 0)); o_ret("end", cuEGLStreamConsumerDisconnect(U(&con), 0, 0, 0)); } destroy_stream(dpy, es); }
    for (unsigned fl = 0; fl <= 3; fl++) CASE("consumer_flags_%u", fl) { STREAM(); POISON(con); CUresult q = ret_set((pre_call("cuEGLStreamConsumerConnectWithFlags", "%u", fl), cuEGLStreamConsumerConnectWithFlags(U(&con), U(es), fl, 0))); o_handle("con", &con); if (!q) o_ret("end", cuEGLStreamConsumerDisconnect(U(&con), 0, 0, 0)); destroy_stream(dpy, es); }
    CASE("producer_alone") { STREAM(); POISON(pro); CUresult q = ret_set((pre_call("cuEGLStreamProducerConnect", "no consumer"), cuEGLStreamProducerConnect(U(&pro), U(es), 64, 64))); o_handle("pro", &pro); if (!q) o_ret("end", cuEGLStreamProducerDisconnect(U(&pro), 0, 0, 0)); destroy_stream(dpy, es); }
    static const int dims[][2] = { { 64, 64 }, { 0, 0 }, { -1, 64 } };
    for (int d = 0; d < 3; d++) CASE("both_%d", d) {
        STREAM(); con = pro = 0; POISON(pro); o_ret("consumer", cuEGLStreamConsumerConnect(U(&con), U(es), 0, 0));
        CUresult q = ret_set((pre_call("cuEGLStreamProducerConnect", "%d x %d", dims[d][0], dims[d][1]), cuEGLStreamProducerConnect(U(&pro), U(es), U((intptr_t)dims[d][0]), U((intptr_t)dims[d][1])))); o_handle("pro", &pro);
        if (!q) {
            CUdeviceptr m = dpat(64 * 64 * 4, 3); st = 0; memset(&f, 0, sizeof f); f.p.pitch[0] = (void *)(uintptr_t)m; f.width = f.height = 64; f.depth = 1; f.pitch = 256; f.planes = 1; f.channels = 4; f.type = 1; f.color = 8 /* ARGB */; f.format = CU_AD_FORMAT_UNSIGNED_INT8;
            o_ret("return_first", cuEGLStreamProducerReturnFrame(U(&pro), U(&f), U(&st), 0));
            CUresult z = present(U(&pro), f, U(&st)); o_ret("present", z);
            if (!z) { r = NULL; z = cuEGLStreamConsumerAcquireFrame(U(&con), U(&r), U(&st), 100000); o_ret("acquire", z); if (!z) { struct frame g; memset(&g, 0xa5, sizeof g); o_ret("frame", cuGraphicsResourceGetMappedEglFrame(U(&g), U(r), 0, 0)); o_frame("is", &g); if (g.type == 1) o_dhash("data", (CUdeviceptr)(uintptr_t)g.p.pitch[0], 64); o_ret("acquire2", cuEGLStreamConsumerAcquireFrame(U(&con), U(&r), U(&st), 1000)); o_ret("release", cuEGLStreamConsumerReleaseFrame(U(&con), U(r), U(&st), 0)); o_ret("release2", cuEGLStreamConsumerReleaseFrame(U(&con), U(r), U(&st), 0)); } struct frame g; memset(&g, 0, sizeof g); z = cuEGLStreamProducerReturnFrame(U(&pro), U(&g), U(&st), 0); o_ret("return", z); if (!z) o_bool("same", g.p.pitch[0] == f.p.pitch[0]); }
            o_ret("end_producer", cuEGLStreamProducerDisconnect(U(&pro), 0, 0, 0)); dfree(m);
        }
        o_ret("end_consumer", cuEGLStreamConsumerDisconnect(U(&con), 0, 0, 0)); destroy_stream(dpy, es);
    }
    (void)(f3)0;
}
const group_t opengl_groups[] = { { "before", g_before, G_CTX, 0, 0 }, { "devices", g_devices, G_CTX, 0, 0 }, { "buffers", g_buffers, G_CTX, 0, 0 }, { "old", g_old, G_CTX, 0, 0 }, { "formats", g_formats, G_CTX, 0, 0 }, { "images", g_images, G_CTX, 0, 0 }, { "egl", g_egl, G_CTX, 0, 0 }, { NULL, NULL, 0, 0, 0 } };
#else
static void g_none(void) { CASE("none") case_skip("built without OpenGL's headers"); }
const group_t opengl_groups[] = { { "none", g_none, G_RAW, 0, 0 }, { NULL, NULL, 0, 0, 0 } };
#endif
const area_t area_opengl = { "opengl", opengl_groups, 0, "OpenGL's buffers and images" };
