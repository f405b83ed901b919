/* External semaphores: words of memory files that two processes share. One gives its work, the other waits for it in the order of
   its streams, and the other way round. */
#include "check.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/mman.h>

static CUdeviceptr shared_memory, own;
static CUstream stream;
static CUexternalSemaphore there, back, flag;

static CUexternalSemaphore import(int fd, int type)
{
    CUexternalSemaphore s = NULL;
    CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC d;
    memset(&d, 0, sizeof d);
    d.type = (CUexternalSemaphoreHandleType)type;
    d.handle.fd = dup(fd);
    CUresult r = cuImportExternalSemaphore(&s, &d);
    if (r == CUDA_ERROR_UNKNOWN) skip("the driver knows no semaphores in memory files");
    OK(r);
    return s;
}

static void begin_alone(void)
{
    limit_time(60);
    begin();
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
}

static void begin_shared(int memory, const int *words)
{
    CUexternalMemory m;
    CUDA_EXTERNAL_MEMORY_HANDLE_DESC d;
    CUDA_EXTERNAL_MEMORY_BUFFER_DESC b;
    begin_alone();
    there = import(words[0], CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD);
    back = import(words[1], CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD);
    flag = import(words[2], CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD);
    memset(&d, 0, sizeof d), memset(&b, 0, sizeof b);
    d.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD;
    d.handle.fd = dup(memory);
    d.size = b.size = 1 << 20;
    OK(cuImportExternalMemory(&m, &d));
    OK(cuExternalMemoryGetMappedBuffer(&shared_memory, m, &b));
    OK(cuDestroyExternalMemory(m));
    OK(cuMemAlloc(&own, 1 << 20));
}

static CUresult give(CUexternalSemaphore s, unsigned long long value)
{
    CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS p;
    memset(&p, 0, sizeof p);
    p.params.fence.value = value;
    return cuSignalExternalSemaphoresAsync(&s, &p, 1, stream);
}

static CUresult await(CUexternalSemaphore s, unsigned long long value)
{
    CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS p;
    memset(&p, 0, sizeof p);
    p.params.fence.value = value;
    return cuWaitExternalSemaphoresAsync(&s, &p, 1, stream);
}

enum { TURNS = 20 };

/* The other process adds one to what it is given, turn by turn. */
static int other(int memory, const int *words)
{
    begin_shared(memory, words);
    for (unsigned i = 1; i <= TURNS; i++) {
        OK(await(there, i));
        OK(cuMemcpyDtoDAsync(own, shared_memory, 1 << 20, stream));
        OK(cuMemsetD8Async(own, (unsigned char)(100 + i), 1000, stream));
        OK(cuMemcpyDtoDAsync(shared_memory, own, 1 << 20, stream));
        OK(give(back, i));
    }
    /* The flag is taken by one wait: the second one needs another signal. */
    OK(await(flag, 0));
    OK(give(back, 1000));
    OK(await(flag, 0));
    OK(give(back, 1001));
    OK(cuStreamSynchronize(stream));
    OK(cuDestroyExternalSemaphore(there));
    return 0;
}

static void graph(void)
{
    CUgraph g;
    CUgraphExec x;
    CUgraphNode n, m;
    size_t count = 0;
    CUgraphNodeType type;
    CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS s;
    CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS w;
    CUDA_EXT_SEM_SIGNAL_NODE_PARAMS sn = { &flag, &s, 1 }, seen;
    CUDA_EXT_SEM_WAIT_NODE_PARAMS wn = { &back, &w, 1 };
    memset(&s, 0, sizeof s), memset(&w, 0, sizeof w);
    w.params.fence.value = 1000;
    printf("-- in a graph\n");
    OK(cuGraphCreate(&g, 0));
    SHOW(cuGraphAddExternalSemaphoresSignalNode(&n, g, NULL, 0, &sn));
    SHOW(cuGraphAddExternalSemaphoresWaitNode(&m, g, &n, 1, &wn));
    memset(&seen, 0, sizeof seen);
    SHOW(cuGraphExternalSemaphoresSignalNodeGetParams(n, &seen));
    printf("%u, %s, %s arrays\n", seen.numExtSems, seen.extSemArray && *seen.extSemArray == flag ? "the semaphore" : "another", seen.paramsArray == &s ? "the program's" : "its own");
    OK(cuGraphInstantiate(&x, g, 0));
    w.params.fence.value = 1 << 30;
    SHOW(cuGraphLaunch(x, stream));
    SHOW(cuStreamSynchronize(stream));
    OK(cuGraphExecDestroy(x));
    OK(cuGraphDestroy(g));
    printf("-- in a capture\n");
    OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    SHOW(give(flag, 0));
    SHOW(await(back, 1001));
    OK(cuStreamEndCapture(stream, &g));
    OK(cuGraphGetNodes(g, NULL, &count));
    CUgraphNode nodes[4];
    OK(cuGraphGetNodes(g, nodes, &count));
    for (size_t i = 0; i < count; i++) {
        OK(cuGraphNodeGetType(nodes[i], &type));
        printf("node of type %d\n", (int)type);
    }
    OK(cuGraphInstantiate(&x, g, 0));
    SHOW(cuGraphLaunch(x, stream));
    SHOW(cuStreamSynchronize(stream));
    OK(cuGraphExecDestroy(x));
    OK(cuGraphDestroy(g));
}

static int word_file(void)
{
    int fd = memfd_create("semaphore", MFD_ALLOW_SEALING);
    if (fd < 0 || ftruncate(fd, 8)) exit(1);
    return fd;
}

static void wrong(int word)
{
    CUexternalSemaphore s = (CUexternalSemaphore)&word;
    CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC d;
    CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS p;
    int pipes[2], empty = memfd_create("empty", 0), sealed = word_file();
    printf("-- what is wrong\n");
    if (pipe(pipes) || empty < 0) exit(1);
    memset(&d, 0, sizeof d);
    d.type = CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD;
    d.handle.fd = pipes[0];
    SHOW(cuImportExternalSemaphore(&s, &d));
    d.handle.fd = empty;
    SHOW(cuImportExternalSemaphore(&s, &d));
    d.type = CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD;
    SHOW(cuImportExternalSemaphore(&s, &d));
    if (fcntl(sealed, F_ADD_SEALS, F_SEAL_WRITE)) exit(1);
    d.handle.fd = sealed;
    SHOW(cuImportExternalSemaphore(&s, &d));
    d.handle.fd = eventfd(0, 0);
    SHOW(cuImportExternalSemaphore(&s, &d));
    d.handle.fd = -1;
    SHOW(cuImportExternalSemaphore(&s, &d));
    d.handle.fd = word;
    d.flags = 1;
    SHOW(cuImportExternalSemaphore(&s, &d));
    d.flags = 0;
    SHOW(cuImportExternalSemaphore(NULL, &d));
    memset(&p, 0, sizeof p);
    p.flags = 1;
    SHOW(cuSignalExternalSemaphoresAsync(&flag, &p, 1, stream));
    s = (CUexternalSemaphore)&word;
    SHOW(cuSignalExternalSemaphoresAsync(&s, &p, 1, stream));
    SHOW(cuDestroyExternalSemaphore(s));
    SHOW(cuDestroyExternalSemaphore(there));
    SHOW(cuDestroyExternalSemaphore(there));
    SHOW(give(there, 1));
    SHOW(cuDestroyExternalSemaphore(back));
    SHOW(cuDestroyExternalSemaphore(flag));
}

static unsigned long long word_of(int fd)
{
    unsigned long long v = 0;
    if (pread(fd, &v, sizeof v, 0) != (ssize_t)sizeof v) exit(1);
    return v;
}

static void write_word(int fd, unsigned long long v)
{
    if (pwrite(fd, &v, sizeof v, 0) != (ssize_t)sizeof v) exit(1);
}

/* Values have no sign, and a signal sets the word. */
static void values(void)
{
    begin_alone();
    int fd = word_file();
    CUexternalSemaphore s = import(fd, CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD);
    SHOW(await(s, 0));
    SHOW(cuStreamSynchronize(stream));
    SHOW(await(s, ~0ull));
    usleep(400000);
    SHOW(cuStreamQuery(stream));
    write_word(fd, ~0ull - 1);
    usleep(50000);
    SHOW(cuStreamQuery(stream));
    write_word(fd, ~0ull);
    SHOW(cuStreamSynchronize(stream));
    SHOW(give(s, 5));
    SHOW(cuStreamSynchronize(stream));
    printf("the word is %llu\n", word_of(fd));
    OK(cuDestroyExternalSemaphore(s));
    s = import(fd, CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD);
    write_word(fd, 1ull << 63);
    SHOW(await(s, 0));
    SHOW(cuStreamSynchronize(stream));
    printf("the word is %llu\n", word_of(fd));
    SHOW(give(s, 7));
    SHOW(cuStreamSynchronize(stream));
    printf("the word is %llu\n", word_of(fd));
}

/* Work that is queued goes on with semaphores that were destroyed, and with streams that were. */
static void destroyed(void)
{
    begin_alone();
    int fd = word_file(), other_fd = word_file();
    CUexternalSemaphore s = import(fd, CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD);
    OK(await(s, 1));
    OK(give(s, 2));
    SHOW(cuDestroyExternalSemaphore(s));
    SHOW(cuStreamDestroy(stream));
    /* It may not get the place of the first. */
    s = import(other_fd, CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD);
    write_word(fd, 1);
    SHOW(cuCtxSynchronize());
    printf("the words are %llu and %llu\n", word_of(fd), word_of(other_fd));
}

/* A graph does not signal one that was destroyed before the launch. */
static void destroyed_in_a_graph(void)
{
    begin_alone();
    int fd = word_file();
    CUexternalSemaphore s = import(fd, CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD);
    CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS params;
    memset(&params, 0, sizeof params);
    params.params.fence.value = 3;
    CUDA_EXT_SEM_SIGNAL_NODE_PARAMS node = { &s, &params, 1 };
    CUgraph graph;
    CUgraphNode made;
    CUgraphExec exec;
    OK(cuGraphCreate(&graph, 0));
    OK(cuGraphAddExternalSemaphoresSignalNode(&made, graph, NULL, 0, &node));
    OK(cuGraphInstantiate(&exec, graph, 0));
    SHOW(cuDestroyExternalSemaphore(s));
    SHOW(cuGraphLaunch(exec, stream));
    SHOW(cuStreamSynchronize(stream));
    printf("the word is %llu\n", word_of(fd));
}

/* A file that is cut while it is used fails the work, nothing else. */
static void cut(void)
{
    begin_alone();
    int fd = word_file();
    CUexternalSemaphore s = import(fd, CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD);
    OK(await(s, 1));
    if (ftruncate(fd, 0)) exit(1);
    SHOW(cuStreamSynchronize(stream));
    SHOW(cuDestroyExternalSemaphore(s));
}

/* The same for a signal. */
static void cut_before_signal(void)
{
    begin_alone();
    int fd = word_file();
    CUexternalSemaphore s = import(fd, CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD);
    if (ftruncate(fd, 0)) exit(1);
    OK(give(s, 1));
    SHOW(cuStreamSynchronize(stream));
}

/* What never comes holds up neither the stream's end nor the context's nor the process's. */
static void never(void)
{
    begin_alone();
    CUstream first = stream;
    CUexternalSemaphore s = import(word_file(), CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD);
    OK(await(s, 1));
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(await(s, 2));
    SHOW(cuStreamDestroy(first));
    SHOW(cuStreamQuery(stream));
    SHOW(cuDevicePrimaryCtxReset(0));
    SHOW(cuDestroyExternalSemaphore(s));
}

static void never_at_exit(void)
{
    begin_alone();
    CUexternalSemaphore s = import(word_file(), CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD);
    SHOW(await(s, 0));
    fflush(stdout);
    exit(0);
}

static CUresult CUDA_CB changed(void *data, CUgraphNode node, const CUgraphNodeParams *was, const CUgraphNodeParams *is, CUgraphRecaptureStatus status)
{
    (void)data; (void)node;
    int waits = is->type == CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT;
    printf("  a node of type %d does something else, status %d: %llu, now %llu, %s semaphore\n", (int)is->type, (int)status,
           waits ? was->extSemWait.paramsArray[0].params.fence.value : was->extSemSignal.paramsArray[0].params.fence.value,
           waits ? is->extSemWait.paramsArray[0].params.fence.value : is->extSemSignal.paramsArray[0].params.fence.value,
           was->extSemWait.extSemArray[0] == is->extSemWait.extSemArray[0] ? "the same" : "another");
    return CUDA_SUCCESS;
}

static CUgraph over(CUgraph graph, CUexternalSemaphore s, unsigned long long signal, unsigned long long wait, int swapped)
{
    CUresult (*again)(CUstream, CUstreamCaptureMode, CUgraph, CUgraphRecaptureCallback, void *);
    CUgraph same = NULL;
    *(void **)&again = dlsym(RTLD_DEFAULT, "cuStreamBeginRecaptureToGraph");
    printf("captured again, %llu and %llu\n", signal, wait);
    OK(again(stream, CU_STREAM_CAPTURE_MODE_RELAXED, graph, changed, NULL));
    CUresult first = swapped ? await(s, wait) : give(s, signal);
    CUresult second = swapped ? give(s, signal) : await(s, wait);
    CUresult end = cuStreamEndCapture(stream, &same);
    printf("  %s, %s, end %s, %s\n", name(first), name(second), name(end), same == graph ? "the same graph" : "no graph");
    return same;
}

static void recaptured(void)
{
    begin_alone();
    CUgraph g;
    CUgraphExec x;
    int fd = word_file(), other_fd = word_file();
    CUexternalSemaphore s = import(fd, CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD), t = import(other_fd, CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD);
    OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    OK(give(s, 4));
    OK(await(s, 3));
    OK(cuStreamEndCapture(stream, &g));
    over(g, s, 4, 3, 0);
    over(g, s, 6, 5, 0);
    OK(cuGraphInstantiate(&x, g, 0));
    OK(cuGraphLaunch(x, stream));
    OK(cuStreamSynchronize(stream));
    printf("the words are %llu and %llu\n", word_of(fd), word_of(other_fd));
    OK(cuGraphExecDestroy(x));
    over(g, t, 8, 5, 0);
    OK(cuGraphInstantiate(&x, g, 0));
    OK(cuGraphLaunch(x, stream));
    OK(cuStreamSynchronize(stream));
    printf("the words are %llu and %llu\n", word_of(fd), word_of(other_fd));
    OK(cuGraphExecDestroy(x));
    over(g, t, 8, 5, 1);
    OK(cuGraphDestroy(g));
}

int main(void)
{
    int status = 0, bad = 0, words[3], memory = memfd_create("memory", 0);
    static unsigned char v[2000];
    for (int i = 0; i < 3; i++) {
        words[i] = memfd_create("semaphore", 0);
        if (words[i] < 0 || ftruncate(words[i], 8)) return 1;
    }
    if (memory < 0 || ftruncate(memory, 1 << 20)) return 1;
    apart("values", values);
    apart("destroyed while work is queued", destroyed);
    apart("destroyed before a graph's launch", destroyed_in_a_graph);
    apart("a file that is cut", cut);
    apart("a file that is cut before a signal", cut_before_signal);
    apart("captured again", recaptured);
    apart("a wait for ever", never);
    apart("a wait for ever at exit", never_at_exit);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) _exit(other(memory, words));
    begin_shared(memory, words);
    printf("-- turn by turn\n");
    for (unsigned i = 1; i <= TURNS; i++) {
        OK(cuMemsetD8Async(shared_memory, (unsigned char)i, 1 << 20, stream));
        OK(give(there, i));
        OK(await(back, i));
        OK(cuMemcpyDtoHAsync(v, shared_memory, sizeof v, stream));
        OK(cuStreamSynchronize(stream));
        bad += v[0] != 100 + i || v[999] != 100 + i || v[1000] != i || v[1999] != i;
    }
    printf("%d of %d turns wrong\n", bad, TURNS);
    graph();
    if (waitpid(child, &status, 0) != child || status) printf("the other process: status %x\n", status);
    wrong(words[0]);
    cuDevicePrimaryCtxRelease(0);
    return 0;
}
