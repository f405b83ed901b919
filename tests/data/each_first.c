/* Loaded in front of a program: before it begins, or before its first cuInit where $EACH_FIRST_AT says so, every function whose name
 * is a line of $EACH_FIRST_NAMES is called with zeros. Rules by which the first call of each fails let none of these calls reach a driver; one that answers anything else than
 * $EACH_FIRST_ERROR ends the program. What the program does then is to be as if there had been no such calls. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int function(long, long, long, long, long, long, long, long, long, long, long, long);

static function *real(const char *name) { return (function *)dlsym(RTLD_NEXT, name); }

static void each(void)
{
    const char *names = getenv("EACH_FIRST_NAMES"), *error = getenv("EACH_FIRST_ERROR");
    FILE *file = names ? fopen(names, "r") : 0;
    char line[128];
    int expected = error ? atoi(error) : 0, asked = 0;
    if (!file || !expected) abort();
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        function *f = real(line);
        if (!f) continue;
        int code = f(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        if (code != expected) {
            fprintf(stderr, "%s answers %d\n", line, code);
            abort();
        }
        asked++;
    }
    fclose(file);
    if (asked < 600) {
        fprintf(stderr, "only %d functions\n", asked);
        abort();
    }
}

static void once(void)
{
    static int done;
    if (!done++) each();
}

__attribute__((constructor)) static void begin(void)
{
    /* Others, such as the shell that starts the program, have nothing to do with it. */
    if (real("cuDriverGetVersion") && !getenv("EACH_FIRST_AT")) once();
}

int cuInit(unsigned flags)
{
    once();
    return real("cuInit")(flags, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}
