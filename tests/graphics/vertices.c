/* A kernel fills a buffer of vertices frame after frame; OpenGL draws them as points; what is on the canvas is compared with where
 * the points must be. The buffer goes to the kernel and back without a copy by the program. */
#include "surfaceless.h"

enum { SIDE = 64, POINTS = SIDE * SIDE / 4, FRAMES = 3 };

/* Vertex i of frame f, four floats: point (2 (i mod 32), 2 (i div 32)), moved by f pixels, in the middle of its pixel. */
static const char kernel[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry fill(.param .u64 at, .param .u32 frame)\n{\n"
    "    .reg .u64 %rd<4>;\n    .reg .u32 %r<9>;\n    .reg .f32 %f<8>;\n"
    "    ld.param.u64 %rd1, [at];\n    ld.param.u32 %r1, [frame];\n"
    "    mov.u32 %r2, %ctaid.x;\n    mov.u32 %r3, %ntid.x;\n    mov.u32 %r4, %tid.x;\n    mad.lo.u32 %r5, %r2, %r3, %r4;\n"
    "    and.b32 %r6, %r5, 31;\n    shr.u32 %r7, %r5, 5;\n"
    "    mad.lo.u32 %r6, %r6, 2, %r1;\n    shl.b32 %r7, %r7, 1;\n    and.b32 %r6, %r6, 63;\n"
    "    cvt.rn.f32.u32 %f1, %r6;\n    cvt.rn.f32.u32 %f2, %r7;\n"
    "    add.f32 %f1, %f1, 0f3F000000;\n    add.f32 %f2, %f2, 0f3F000000;\n"
    "    fma.rn.f32 %f1, %f1, 0f3D000000, 0fBF800000;\n    fma.rn.f32 %f2, %f2, 0f3D000000, 0fBF800000;\n"
    "    mov.f32 %f3, 0f00000000;\n    mov.f32 %f4, 0f3F800000;\n"
    "    mul.wide.u32 %rd2, %r5, 16;\n    add.u64 %rd3, %rd1, %rd2;\n"
    "    st.global.v4.f32 [%rd3], {%f1, %f2, %f3, %f4};\n    ret;\n}\n";

int main(void)
{
    open_display();
    make_current(new_context(CORE, EGL_NO_CONTEXT));
    cuda_context();
    CUdevice devices[4];
    unsigned count = 0;
    OK(cuGLGetDevices(&count, devices, 4, CU_GL_DEVICE_LIST_ALL));
    printf("devices: %u\n", count);

    GLuint points = program("#version 330\nlayout(location = 0) in vec4 at;\nvoid main() { gl_Position = at; gl_PointSize = 1.0; }\n",
                            "#version 330\nout vec4 colour;\nvoid main() { colour = vec4(1.0, 0.5, 0.0, 1.0); }\n");
    GLuint texture, array, buffer;
    canvas(SIDE, SIDE, &texture);
    glGenVertexArrays(1, &array);
    glBindVertexArray(array);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, POINTS * 16, NULL, GL_DYNAMIC_DRAW);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 16, NULL);
    gl_ok("buffer");

    CUmodule module;
    CUfunction fill;
    CUstream stream;
    CUgraphicsResource resource;
    OK(cuModuleLoadData(&module, kernel));
    OK(cuModuleGetFunction(&fill, module, "fill"));
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuGraphicsGLRegisterBuffer(&resource, buffer, CU_GRAPHICS_REGISTER_FLAGS_WRITE_DISCARD));
    static unsigned char seen[SIDE][SIDE][4];
    for (unsigned frame = 0; frame < FRAMES; frame++) {
        CUdeviceptr at;
        size_t size;
        OK(cuGraphicsMapResources(1, &resource, stream));
        OK(cuGraphicsResourceGetMappedPointer_v2(&at, &size, resource));
        void *arguments[] = { &at, &frame };
        OK(cuLaunchKernel(fill, POINTS / 128, 1, 1, 128, 1, 1, 0, stream, arguments, NULL));
        OK(cuGraphicsUnmapResources(1, &resource, stream));
        glClearColor(0, 0, 0, 0);
        glClear(GL_COLOR_BUFFER_BIT);
        glUseProgram(points);
        glDrawArrays(GL_POINTS, 0, POINTS);
        glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, seen);
        gl_ok("drawing");
        int right = 0, wrong = 0;
        for (unsigned y = 0; y < SIDE; y++)
            for (unsigned x = 0; x < SIDE; x++) {
                int expected = y % 2 == 0 && (x + SIDE - frame) % 2 == 0;
                int drawn = seen[y][x][0] == 255 && seen[y][x][3] == 255;
                *(expected == drawn ? &right : &wrong) += 1;
            }
        printf("frame %u: %zu bytes, %d pixels right, %d wrong\n", frame, size, right, wrong);
    }
    OK(cuGraphicsUnregisterResource(resource));
    return 0;
}
