/* OpenGL renders a picture into a texture; a kernel samples it and writes what it made of it into another texture, through a
 * surface; OpenGL draws that one; what is on the canvas is compared with what the host makes of the picture. */
#include "surfaceless.h"

enum { WIDTH = 96, HEIGHT = 64 };

/* Each pixel: red and blue exchanged and inverted, of the pixel that lies opposite in its row. */
static const char kernel[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry process(.param .u64 picture, .param .u64 result)\n{\n"
    "    .reg .u64 %rd<3>;\n    .reg .u32 %r<20>;\n    .reg .b16 %h<5>;\n"
    "    ld.param.u64 %rd1, [picture];\n    ld.param.u64 %rd2, [result];\n"
    "    mov.u32 %r1, %ctaid.x;\n    mov.u32 %r2, %ntid.x;\n    mov.u32 %r3, %tid.x;\n    mad.lo.u32 %r4, %r1, %r2, %r3;\n"
    "    mov.u32 %r5, %ctaid.y;\n    sub.u32 %r6, 95, %r4;\n"
    "    tex.2d.v4.u32.s32 {%r7, %r8, %r9, %r10}, [%rd1, {%r6, %r5}];\n"
    "    sub.u32 %r11, 255, %r9;\n    sub.u32 %r12, 255, %r7;\n    shl.b32 %r13, %r4, 2;\n"
    "    cvt.u16.u32 %h1, %r11;\n    cvt.u16.u32 %h2, %r8;\n    cvt.u16.u32 %h3, %r12;\n    cvt.u16.u32 %h4, %r10;\n"
    "    sust.b.2d.v4.b8.trap [%rd2, {%r13, %r5}], {%h1, %h2, %h3, %h4};\n    ret;\n}\n";

int main(void)
{
    open_display();
    make_current(new_context(CORE, EGL_NO_CONTEXT));
    cuda_context();
    static const char whole[] = "#version 330\nvoid main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, "
                                "1.0); }\n";
    GLuint paint = program(whole, "#version 330\nout vec4 colour;\nvoid main() { ivec2 p = ivec2(gl_FragCoord.xy);\n"
                                  "colour = vec4(ivec4(p.x * 2, p.y * 3, (p.x * p.y) & 255, 255 - p.x)) / 255.0; }\n");
    GLuint show = program(whole, "#version 330\nuniform sampler2D picture;\nout vec4 colour;\n"
                                 "void main() { colour = texelFetch(picture, ivec2(gl_FragCoord.xy), 0); }\n");
    GLuint picture, result, last, array;
    glGenVertexArrays(1, &array);
    glBindVertexArray(array);
    GLuint onto_picture = canvas(WIDTH, HEIGHT, &picture);
    canvas(WIDTH, HEIGHT, &result);
    GLuint onto_last = canvas(WIDTH, HEIGHT, &last);

    CUmodule module;
    CUfunction process;
    CUgraphicsResource resources[2];
    OK(cuModuleLoadData(&module, kernel));
    OK(cuModuleGetFunction(&process, module, "process"));
    OK(cuGraphicsGLRegisterImage(&resources[0], picture, GL_TEXTURE_2D, CU_GRAPHICS_REGISTER_FLAGS_READ_ONLY));
    OK(cuGraphicsGLRegisterImage(&resources[1], result, GL_TEXTURE_2D,
                                 CU_GRAPHICS_REGISTER_FLAGS_SURFACE_LDST | CU_GRAPHICS_REGISTER_FLAGS_WRITE_DISCARD));

    glBindFramebuffer(GL_FRAMEBUFFER, onto_picture);
    glUseProgram(paint);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    gl_ok("painting");

    CUarray arrays[2];
    CUtexObject texture;
    CUsurfObject surface;
    OK(cuGraphicsMapResources(2, resources, NULL));
    for (int i = 0; i < 2; i++) OK(cuGraphicsSubResourceGetMappedArray(&arrays[i], resources[i], 0, 0));
    CUDA_RESOURCE_DESC what = { .resType = CU_RESOURCE_TYPE_ARRAY };
    CUDA_TEXTURE_DESC how = { .flags = CU_TRSF_READ_AS_INTEGER };
    what.res.array.hArray = arrays[0];
    OK(cuTexObjectCreate(&texture, &what, &how, NULL));
    what.res.array.hArray = arrays[1];
    OK(cuSurfObjectCreate(&surface, &what));
    void *arguments[] = { &texture, &surface };
    OK(cuLaunchKernel(process, WIDTH / 32, HEIGHT, 1, 32, 1, 1, 0, NULL, arguments, NULL));
    OK(cuGraphicsUnmapResources(2, resources, NULL));
    OK(cuTexObjectDestroy(texture));
    OK(cuSurfObjectDestroy(surface));

    static unsigned char seen[HEIGHT][WIDTH][4];
    glBindFramebuffer(GL_FRAMEBUFFER, onto_last);
    glUseProgram(show);
    glBindTexture(GL_TEXTURE_2D, result);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, seen);
    gl_ok("showing");
    int wrong = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            int from = WIDTH - 1 - x;
            unsigned char expected[4] = { (unsigned char)(255 - (from * y & 255)), (unsigned char)(y * 3),
                                          (unsigned char)(255 - from * 2), (unsigned char)(255 - from) };
            wrong += memcmp(seen[y][x], expected, 4) != 0;
        }
    printf("%d pixels wrong of %d\n", wrong, WIDTH * HEIGHT);
    for (int i = 0; i < 2; i++) OK(cuGraphicsUnregisterResource(resources[i]));
    return 0;
}
