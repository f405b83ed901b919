/* The error log: what refused calls leave in it, callbacks, marks, dumps to memory and files, and CUDA_LOG_FILE. */
#include "check.h"
#include <pthread.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int quiet, calls;

static void heard(void *data, CUlogLevel level, char *message, size_t length)
{
    calls++;
    if (!quiet) printf("  callback %ld, level %d, %s: %s\n", (long)data, level, strlen(message) == length ? "length right" : "WRONG", message);
}

static void calls_back(void *data, CUlogLevel level, char *message, size_t length)
{
    CUlogIterator mark = 0;
    int count = 0;
    (void)data, (void)level, (void)length;
    printf("  inside %s: current %s, count %s, refused %s\n", message, name(cuLogsCurrent(&mark, 0)), name(cuDeviceGetCount(&count)),
           name(cuDeviceGet(NULL, 0)));
}

static char text[40000];

/* What was dumped, without times and threads. */
static void show(const char *what, CUresult r, size_t size)
{
    printf("%s: %s, size %s\n", what, name(r), size == strlen(text) ? "right" : "WRONG");
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        int h, m, s, ms, n = 0;
        unsigned long thread;
        if (sscanf(line, "[%d:%d:%d.%d][%lu]%n", &h, &m, &s, &ms, &thread, &n) == 5 && n && thread == pthread_self()) line += n;
        printf("  %s\n", line);
    }
}

static size_t file_lines(const char *path)
{
    FILE *file = fopen(path, "r");
    size_t lines = 0;
    for (int c; file && (c = getc(file)) != EOF;) lines += c == '\n';
    if (file) fclose(file);
    return lines;
}

static void *elsewhere(void *unused)
{
    cuDeviceGet(NULL, 0);
    return unused;
}

int main(int argc, char **argv)
{
    if (argc == 2) {
        /* The child that writes a file. */
        OK(cuInit(0));
        SHOW(cuDeviceGet(NULL, 0));
        return 0;
    }
    CUlogIterator mark = 77, other = 77;
    CUlogsCallbackHandle one = NULL, two = NULL;
    size_t size;
    CUdevice device;

    printf("before cuInit\n");
    SHOW(cuLogsCurrent(&mark, 0));
    SHOW(cuLogsRegisterCallback(heard, (void *)1, &one));
    SHOW(cuDeviceGet(&device, 0));
    size = sizeof text;
    SHOW(cuLogsDumpToMemory(NULL, text, &size, 0));
    printf("mark %u, size %zu\n", mark, size);
    SHOW(cuInit(0));

    printf("callbacks\n");
    SHOW(cuLogsRegisterCallback(NULL, NULL, &two));
    SHOW(cuLogsRegisterCallback(heard, (void *)2, NULL));
    SHOW(cuLogsRegisterCallback(heard, (void *)1, &two));
    printf("a handle of its own: %s\n", one != two && two ? "yes" : "no");
    SHOW(cuDeviceGet(NULL, 0));
    SHOW(cuLogsUnregisterCallback(two));
    quiet = 1;
    SHOW(cuLogsUnregisterCallback(two));
    SHOW(cuLogsUnregisterCallback(NULL));
    SHOW(cuLogsUnregisterCallback((CUlogsCallbackHandle)&size));

    printf("marks\n");
    SHOW(cuLogsCurrent(NULL, 0));
    SHOW(cuLogsCurrent(&mark, 1));
    SHOW(cuDeviceGetAttribute(&device, 99999, 0));
    SHOW(cuLogsCurrent(&other, 0));
    printf("two messages: %s\n", other - mark == 2 ? "yes" : "no");
    SHOW(cuDeviceGetCount(&device));
    SHOW(cuLogsCurrent(&mark, 0));
    printf("success says nothing: %s\n", mark == other ? "yes" : "no");

    printf("dumps\n");
    mark -= 2;
    size = sizeof text;
    CUresult r = cuLogsDumpToMemory(&mark, text, &size, 0);
    show("two messages", r, size);
    printf("the mark is at the end: %s\n", mark == other ? "yes" : "no");
    text[0] = '#';
    size = sizeof text;
    SHOW(cuLogsDumpToMemory(&mark, text, &size, 0));
    printf("size %zu, buffer %s\n", size, text[0] == '#' ? "untouched" : "changed");
    SHOW(cuLogsDumpToMemory(&mark, NULL, &size, 0));
    SHOW(cuLogsDumpToMemory(&mark, text, NULL, 0));
    mark = other - 2;
    size = 10;
    text[0] = '#';
    SHOW(cuLogsDumpToMemory(&mark, text, &size, 0));
    printf("size %zu, mark %s, buffer %s\n", size, mark == other - 2 ? "stays" : "moved", text[0] == '#' ? "untouched" : "changed");
    size = 110;
    r = cuLogsDumpToMemory(&mark, text, &size, 0);
    show("the newest fits", r, size);
    SHOW(cuLogsCurrent(&other, 0));
    printf("the mark is at the end: %s\n", mark == other ? "yes" : "no");
    mark = other - 6;
    size = 200;
    r = cuLogsDumpToMemory(&mark, text, &size, 0);
    show("some are missing", r, size);
    other = 1000000;
    size = sizeof text;
    SHOW(cuLogsDumpToMemory(&other, text, &size, 0));
    printf("size %zu, mark %u\n", size, other);

    printf("files\n");
    char path[] = "/tmp/error_log_XXXXXX";
    int fd = mkstemp(path);
    if (fd < 0 || write(fd, "old\n", 4) != 4) return 1;
    close(fd);
    SHOW(cuLogsDumpToFile(NULL, NULL, 0));
    SHOW(cuLogsDumpToFile(NULL, "", 0));
    SHOW(cuLogsDumpToFile(NULL, "/none/there", 0));
    SHOW(cuLogsCurrent(&other, 0));
    mark = other - 3;
    SHOW(cuLogsDumpToFile(&mark, path, 0));
    printf("%zu lines, the mark is at the end: %s\n", file_lines(path), mark == other ? "yes" : "no");
    SHOW(cuLogsDumpToFile(&mark, path, 0));
    printf("%zu lines\n", file_lines(path));
    mark -= 3;
    SHOW(cuLogsDumpToFile(&mark, path, 0));
    printf("%zu lines\n", file_lines(path));
    mark += 1000;
    SHOW(cuLogsDumpToFile(&mark, path, 0));
    printf("%zu lines\n", file_lines(path));

    printf("threads\n");
    pthread_t thread;
    calls = 0;
    if (pthread_create(&thread, NULL, elsewhere, NULL) || pthread_join(thread, NULL)) return 1;
    printf("heard of: %s\n", calls >= 2 ? "yes" : "no");

    printf("a callback that calls the driver\n");
    SHOW(cuLogsRegisterCallback(calls_back, NULL, &two));
    SHOW(cuDeviceGetAttribute(&device, 99999, 0));
    SHOW(cuLogsUnregisterCallback(two));

    printf("more than there is room for\n");
    SHOW(cuLogsCurrent(&mark, 0));
    for (int i = 0; i < 3000; i++) cuDeviceGet(NULL, 0);
    size = sizeof text;
    SHOW(cuLogsDumpToMemory(&mark, text, &size, 0));
    printf("%s\n", size > 24000 && size <= 25700 && size == strlen(text) ? "what is kept" : "WRONG");
    SHOW(cuLogsCurrent(&other, 0));
    printf("the mark is at the end: %s\n", mark == other ? "yes" : "no");

    printf("CUDA_LOG_FILE\n");
    char command[600];
    unlink(path);
    fflush(stdout);
    snprintf(command, sizeof command, "echo old >%s; CUDA_LOG_FILE=%s %s child; cut -d']' -f3- <%s", path, path, argv[0], path);
    if (system(command)) return 1;
    snprintf(command, sizeof command, "CUDA_LOG_FILE=stdout %s child | cut -d']' -f3-", argv[0]);
    if (system(command)) return 1;
    unlink(path);
    SHOW(cuLogsUnregisterCallback(one));
    return 0;
}
