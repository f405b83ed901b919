/* An auditing library of somebody else. It says whom it hears of. */
#define _GNU_SOURCE
#include <link.h>
#include <stdio.h>
#include <string.h>

unsigned la_version(unsigned version) { return version < 2 ? version : 2; }

char *la_objsearch(const char *name, uintptr_t *cookie, unsigned flag)
{
    (void)cookie;
    if (flag == LA_SER_ORIG && strstr(name, "libcudart")) fprintf(stderr, "heard of %s\n", strrchr(name, '/') ? strrchr(name, '/') + 1 : name);
    return (char *)name;
}
