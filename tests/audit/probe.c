/* Opens libraries and prints who they are. Words:
 *   NAME        dlopen
 *   linked      what this program is linked with
 *   again:NAME  opened twice, and asked for with RTLD_NOLOAD: whether that is one library
 *   apart:NAME  dlmopen, into a namespace of its own
 *   thread:NAME from a thread with the smallest stack
 *   errno:NAME  after an error of the system
 *   many:FOLDER all libraries in a folder, lib0.so to lib999.so */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void tell(const char *name, void *library)
{
    if (!library) {
        printf("%s: not found\n", name);
        return;
    }
    const char *(*who)(void) = (const char *(*)(void))dlsym(library, "who");
    const char *(*where)(void) = (const char *(*)(void))dlsym(library, "where");
    const char *(*real)(void) = (const char *(*)(void))dlsym(library, "real");
    const char *(*asks)(const char *) = (const char *(*)(const char *))dlsym(library, "asks");
    Dl_info info = { 0 };
    if (who) dladdr((void *)who, &info);
    printf("%s: %s", name, who ? who() : "no who");
    if (getenv("PROBE_PATH")) printf(" as %s", info.dli_fname);
    if (where && where()[0]) printf(" over %s, %s", where(), real());
    if (asks && getenv("PROBE_ASKS")) printf(", asks: %s", asks(getenv("PROBE_ASKS")));
    printf("\n");
}

static void *in_thread(void *name)
{
    tell(name, dlopen(name, RTLD_NOW));
    return NULL;
}

#ifdef LINKED
const char *LINKED(void);
#endif

int main(int argc, char **argv)
{
    for (int n = 1; n < argc; n++) {
        char *colon = strchr(argv[n], ':'), *name = colon ? colon + 1 : argv[n];
        if (!strcmp(argv[n], "linked")) {
#ifdef LINKED
            printf("linked: %s\n", LINKED());
#endif
        } else if (!strncmp(argv[n], "again:", 6)) {
            void *first = dlopen(name, RTLD_NOW), *second = dlopen(name, RTLD_NOW), *third = dlopen(name, RTLD_NOW | RTLD_NOLOAD);
            printf("%s: %s\n", name, first && first == second && first == third ? "one" : "several");
        } else if (!strncmp(argv[n], "apart:", 6)) {
            tell(name, dlmopen(LM_ID_NEWLM, name, RTLD_NOW));
        } else if (!strncmp(argv[n], "thread:", 7)) {
            pthread_attr_t attributes;
            pthread_t thread;
            pthread_attr_init(&attributes);
            pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN + 16384);
            pthread_create(&thread, &attributes, in_thread, name);
            pthread_join(thread, NULL);
        } else if (!strncmp(argv[n], "errno:", 6)) {
            /* The loader knows the folders by now, and looks at an errno of its own. */
            dlopen("libnothing.so", RTLD_NOW);
            dlopen("/dev/null/libnothing.so", RTLD_NOW);
            tell(name, dlopen(name, RTLD_NOW));
        } else if (!strncmp(argv[n], "many:", 5)) {
            int count = 0;
            for (int i = 0; i < 1000; i++) {
                char path[4096];
                snprintf(path, sizeof path, "%s/lib%d.so", name, i);
                void *library = dlopen(path, RTLD_NOW);
                const char *(*who)(void) = library ? (const char *(*)(void))dlsym(library, "who") : NULL;
                count += who && !strcmp(who(), "theirs");
            }
            printf("%d\n", count);
        } else {
            tell(name, dlopen(name, RTLD_NOW));
        }
    }
    return 0;
}
