/* Containers, which our tools give in place of machine code: every door that takes a cubin takes one, alone, in a fat binary and in a link. */
#include "check.h"
#include <fcntl.h>
#include <stdint.h>

#define TEXT(target, number) \
    ".version 7.0\n.target " target "\n.address_size 64\n" \
    ".visible .entry k(.param .u64 out) {\n" \
    "  .reg .b64 %o; .reg .b32 %r;\n" \
    "  ld.param.u64 %o, [out]; mov.u32 %r, " number "; st.global.u32 [%o], %r; ret;\n}\n"

static CUdeviceptr out;

static size_t put(unsigned char *to, uint64_t value, int bytes)
{
    for (int n = 0; n < bytes; n++) to[n] = (unsigned char)(value >> 8 * n);
    return (size_t)bytes;
}

/* The file's checksum: by words, the one at `place` standing for zero. */
static uint64_t sum(const unsigned char *bytes, size_t length, uint64_t sum)
{
    for (size_t at = 0; at < length; at += 8) {
        uint64_t word = 0;
        for (size_t n = 0; n < 8 && at + n < length; n++) word |= (uint64_t)bytes[at + n] << 8 * n;
        sum = (sum ^ word) * 0x100000001b3;
        sum = sum << 29 | sum >> 35;
    }
    return sum;
}

/* Writes a container, byte by byte as crates/container describes it: its length. */
static size_t container(unsigned char *file, int architecture, char suffix, const char *text)
{
    static const char names[] = "\0.note.doppel\0.ptx\0.shstrtab";
    size_t length = strlen(text), at = 64, note = at;
    memset(file, 0, 4096 + length);
    at += put(file + at, 7, 4) + put(file + at + 4, 32, 4) + put(file + at + 8, 1, 4);
    memcpy(file + at, "Doppel\0", 8);
    at += 8;
    put(file + at, 1, 4);
    put(file + at + 4, (uint64_t)architecture, 4);
    put(file + at + 8, (uint64_t)suffix, 4);
    size_t place = at + 16;
    at += 32;
    size_t note_end = at, ptx = (at + 7) / 8 * 8;
    memcpy(file + ptx, text, length);
    size_t strings = ptx + length + 1;
    memcpy(file + strings, names, sizeof names);
    size_t table = (strings + sizeof names + 7) / 8 * 8;
    uint64_t sections[3][4] = { { 1, 7, note, note_end - note }, { 14, 1, ptx, length }, { 19, 3, strings, sizeof names } };
    at = table + 64;
    for (int n = 0; n < 3; n++, at += 64) {
        put(file + at, sections[n][0], 4);
        put(file + at + 4, sections[n][1], 4);
        put(file + at + 24, sections[n][2], 8);
        put(file + at + 32, sections[n][3], 8);
        put(file + at + 48, 1, 8);
    }
    memcpy(file, "\177ELF\2\1\1\377\1Doppel", 16);
    put(file + 16, 2, 2);
    put(file + 18, 0xd0bb, 2);
    put(file + 20, 1, 4);
    put(file + 40, table, 8);
    put(file + 52, 64, 2);
    put(file + 58, 64, 2);
    put(file + 60, 4, 2);
    put(file + 62, 3, 2);
    put(file + place, sum(file + place + 8, at - place - 8, sum(file, place, 0xcbf29ce484222325 ^ at)), 8);
    return at;
}

/* A fat binary with entries of machine code. */
static size_t fat(unsigned char *to, int entries, const int *architectures, unsigned char (*files)[8192], const size_t *lengths)
{
    size_t at = 16;
    for (int n = 0; n < entries; n++) {
        size_t padded = (lengths[n] + 7) / 8 * 8;
        memset(to + at, 0, 64 + padded);
        put(to + at, 2, 2);
        put(to + at + 4, 64, 4);
        put(to + at + 8, padded, 8);
        put(to + at + 28, (uint64_t)architectures[n], 4);
        put(to + at + 40, 0x11, 8);
        memcpy(to + at + 64, files[n], lengths[n]);
        at += 64 + padded;
    }
    put(to, 0xba55ed50, 4);
    put(to + 4, 1, 2);
    put(to + 6, 16, 2);
    put(to + 8, at - 16, 8);
    return at;
}

static void run(const char *what, CUresult loaded, CUfunction function)
{
    unsigned got = 0;
    void *arguments[] = { &out };
    printf("%s: %s", what, name(loaded));
    if (!loaded) {
        CUresult r = cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL);
        cuMemcpyDtoH(&got, out, sizeof got);
        printf(", %s, %u", name(r), got);
    }
    printf("\n");
}

static void of_module(const char *what, CUresult loaded, CUmodule module)
{
    CUfunction function = NULL;
    if (!loaded) loaded = cuModuleGetFunction(&function, module, "k");
    run(what, loaded, function);
    if (module) cuModuleUnload(module);
}

static void of_library(const char *what, CUresult loaded, CUlibrary library)
{
    CUkernel kernel = NULL;
    if (!loaded) loaded = cuLibraryGetKernel(&kernel, library, "k");
    run(what, loaded, (CUfunction)kernel);
    if (library) cuLibraryUnload(library);
}

static void of_link(const char *what, CUjitInputType type, void *data, size_t size, const char *path)
{
    CUlinkState link = NULL;
    CUmodule module = NULL;
    void *image = NULL;
    size_t length = 0;
    OK(cuLinkCreate(0, NULL, NULL, &link));
    CUresult r = path ? cuLinkAddFile(link, type, path, 0, NULL, NULL) : cuLinkAddData(link, type, data, size, "input", 0, NULL, NULL);
    if (!r) r = cuLinkComplete(link, &image, &length);
    if (!r) r = cuModuleLoadData(&module, image);
    of_module(what, r, module);
    cuLinkDestroy(link);
}

int main(void)
{
    static unsigned char files[3][8192], whole[32768];
    size_t lengths[3];
    CUmodule module = NULL;
    CUlibrary library = NULL;
    char path[] = "/tmp/doppel-container-XXXXXX";
    int major = 0, minor = 0;

    begin();
    char device[64] = "";
    cuDeviceGetName(device, sizeof device, 0);
    if (strncmp(device, "Doppel", 6)) skip("a real driver takes no containers");
    OK(cuMemAlloc(&out, 4));
    cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0);
    cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0);
    int own = major * 10 + minor;

    lengths[0] = container(files[0], own, 0, TEXT("sm_70", "1"));
    int file = mkstemp(path);
    if (file < 0 || write(file, files[0], lengths[0]) != (ssize_t)lengths[0]) return 1;
    close(file);

    printf("-- alone\n");
    CUresult r = cuModuleLoad(&module, path);
    of_module("cuModuleLoad", r, module);
    r = cuModuleLoadData(&module, files[0]);
    of_module("cuModuleLoadData", r, module);
    r = cuModuleLoadDataEx(&module, files[0], 0, NULL, NULL);
    of_module("cuModuleLoadDataEx", r, module);
    r = cuModuleLoadFatBinary(&module, files[0]);
    of_module("cuModuleLoadFatBinary", r, module);
    r = cuLibraryLoadData(&library, files[0], NULL, NULL, 0, NULL, NULL, 0);
    of_library("cuLibraryLoadData", r, library);
    r = cuLibraryLoadFromFile(&library, path, NULL, NULL, 0, NULL, NULL, 0);
    of_library("cuLibraryLoadFromFile", r, library);
    of_link("cuLinkAddData, cubin", CU_JIT_INPUT_CUBIN, files[0], lengths[0], NULL);
    of_link("cuLinkAddData, object", CU_JIT_INPUT_OBJECT, files[0], lengths[0], NULL);
    of_link("cuLinkAddFile, cubin", CU_JIT_INPUT_CUBIN, NULL, 0, path);
    of_link("cuLinkAddData, cut off", CU_JIT_INPUT_CUBIN, files[0], lengths[0] - 70, NULL);

    printf("-- in a fat binary\n");
    int architectures[3] = { own, 70, 990 };
    lengths[1] = container(files[1], 70, 0, TEXT("sm_70", "2"));
    lengths[2] = container(files[2], 990, 0, TEXT("sm_70", "3"));
    size_t length = fat(whole, 3, architectures, files, lengths);
    r = cuModuleLoadData(&module, whole);
    of_module("cuModuleLoadData", r, module);
    r = cuModuleLoadFatBinary(&module, whole);
    of_module("cuModuleLoadFatBinary", r, module);
    r = cuLibraryLoadData(&library, whole, NULL, NULL, 0, NULL, NULL, 0);
    of_library("cuLibraryLoadData", r, library);
    of_link("cuLinkAddData, fat binary", CU_JIT_INPUT_FATBINARY, whole, length, NULL);
    fat(whole, 1, architectures + 2, files + 2, lengths + 2);
    module = NULL;
    r = cuModuleLoadData(&module, whole);
    of_module("for a later device alone", r, module);

    printf("-- other architectures\n");
    static const struct {
        int architecture;
        char suffix;
        const char *what;
    } others[] = { { 70, 0, "earlier" }, { 990, 0, "later" }, { 70, 'a', "another alone" }, { 70, 'f', "another family" } };
    for (int n = 0; n < 4; n++) {
        module = NULL;
        container(files[1], others[n].architecture, others[n].suffix, TEXT("sm_70", "4"));
        r = cuModuleLoadData(&module, files[1]);
        of_module(others[n].what, r, module);
    }

    printf("-- damaged\n");
    int taken = 0;
    for (size_t at = 0; at < lengths[0]; at++) {
        files[0][at] ^= 0x10;
        module = NULL;
        if (!cuModuleLoadData(&module, files[0])) taken++;
        files[0][at] ^= 0x10;
    }
    printf("loaded: %d\n", taken);
    container(files[1], own, 0, ".version 7.0\n.target sm_70\n.address_size 64\n.entry k( {}\n");
    printf("wrong text: %s\n", name(cuModuleLoadData(&module, files[1])));
    unlink(path);
    return 0;
}
