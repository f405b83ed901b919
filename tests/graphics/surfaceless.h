/* A context of OpenGL without a window: EGL's surfaceless platform, which Mesa has on the CPU. */
#pragma once
#define GL_GLEXT_PROTOTYPES
#define EGL_EGLEXT_PROTOTYPES
#include "../../c-tests/check.h"
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <cudaGL.h>

static EGLDisplay display;

/* Opens the display, or ends the program that cannot have one. */
static inline void open_display(void)
{
    display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    EGLint major, minor;
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, &major, &minor)) skip("EGL has no surfaceless platform here");
}

enum profile { CORE, COMPATIBLE, EMBEDDED };

/* A context that shares its objects with another one, or with none. */
static inline EGLContext new_context(enum profile profile, EGLContext other)
{
    static const EGLint core[] = { EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                   EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE };
    static const EGLint compatible[] = { EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3,
                                         EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT, EGL_NONE };
    static const EGLint embedded[] = { EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 0, EGL_NONE };
    const EGLint *const wanted[] = { core, compatible, embedded };
    eglBindAPI(profile == EMBEDDED ? EGL_OPENGL_ES_API : EGL_OPENGL_API);
    EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, other, wanted[profile]);
    if (context == EGL_NO_CONTEXT) {
        printf("FAILED eglCreateContext: %#x\n", (unsigned)eglGetError());
        exit(1);
    }
    return context;
}

static inline void make_current(EGLContext context)
{
    if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
        printf("FAILED eglMakeCurrent: %#x\n", (unsigned)eglGetError());
        exit(1);
    }
}

/* OpenGL must have no error. */
static inline void gl_ok(const char *what)
{
    GLenum error = glGetError();
    if (error) {
        printf("FAILED %s: OpenGL has the error %#x\n", what, error);
        exit(1);
    }
}

static inline GLuint shader(GLenum kind, const char *source)
{
    GLuint made = glCreateShader(kind);
    glShaderSource(made, 1, &source, NULL);
    glCompileShader(made);
    GLint fine = 0;
    glGetShaderiv(made, GL_COMPILE_STATUS, &fine);
    if (!fine) {
        char text[1024];
        glGetShaderInfoLog(made, sizeof text, NULL, text);
        printf("FAILED shader: %s\n", text);
        exit(1);
    }
    return made;
}

static inline GLuint program(const char *vertices, const char *fragments)
{
    GLuint made = glCreateProgram();
    glAttachShader(made, shader(GL_VERTEX_SHADER, vertices));
    glAttachShader(made, shader(GL_FRAGMENT_SHADER, fragments));
    glLinkProgram(made);
    gl_ok("program");
    return made;
}

/* A texture of bytes to draw into, and the framebuffer that does. */
static inline GLuint canvas(int width, int height, GLuint *texture)
{
    GLuint frame;
    glGenTextures(1, texture);
    glBindTexture(GL_TEXTURE_2D, *texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glGenFramebuffers(1, &frame);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, *texture, 0);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
        printf("FAILED framebuffer\n");
        exit(1);
    }
    glViewport(0, 0, width, height);
    return frame;
}

/* A context of the driver on the first device. */
static inline CUcontext cuda_context(void)
{
    CUdevice device;
    CUcontext context;
    OK(cuInit(0));
    OK(cuDeviceGet(&device, 0));
    OK(cuCtxCreate_v2(&context, 0, device));
    return context;
}
