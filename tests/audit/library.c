/* A stand-in for a library of NVIDIA's, or for ours over one. WHO: what it says it is. */
#include <dlfcn.h>
#include <string.h>

const char *WHO_NAME(void) { return WHO; }

#ifdef OURS
/* What libraries of ours carry: the mark, and the place where the real one's path is written. */
__asm__(".pushsection .note.doppel, \"a\", @note\n.long 7, 4, 1\n.ascii \"Doppel\\0\\0\"\n.long 1\n.popsection");
char doppel_real_library[4096];

const char *where(void) { return doppel_real_library; }

/* What the real library says, opened by its path. */
const char *real(void)
{
    void *library = doppel_real_library[0] ? dlopen(doppel_real_library, RTLD_NOW | RTLD_LOCAL) : NULL;
    const char *(*says)(void) = library ? (const char *(*)(void))dlsym(library, "who") : NULL;
    return says ? says() : "nothing";
}

/* Who a library is that ours asks for by its name. */
const char *asks(const char *name)
{
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    const char *(*says)(void) = library ? (const char *(*)(void))dlsym(library, "who") : NULL;
    return says ? says() : "nothing";
}
#endif
