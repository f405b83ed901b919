/* Makes another copy of our own library, on which this one depends, a real driver for forward mode: the copy emulates a device,
 * and knows nothing of what stands in front of it. */
#include <dlfcn.h>
#include <stdlib.h>

__attribute__((constructor)) static void on_load(void)
{
    setenv("DOPPEL_MODE", "cpu", 1);
    unsetenv("DOPPEL_MEMORY_LIMIT");
    unsetenv("DOPPEL_TRACE");
    unsetenv("DOPPEL_FAULT");
    unsetenv("DOPPEL_RECORD");
}

/* Who stands in front reads this one when this library is loaded already. */
int cuInit(unsigned flags)
{
    unsetenv("DOPPEL_CHECK");
    int (*inner)(unsigned) = (int (*)(unsigned))dlsym(RTLD_NEXT, "cuInit");
    return inner(flags);
}
