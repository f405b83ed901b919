/* Long random sequences of memory operations, checked against plain byte vectors.
 *
 *   model [seed=N] [ops=N] [threads=N] [rounds=N] [seconds=N] [streams=N] [every=1] [race=1]
 *         [strict=1] [real=1] [log=1] [only=LETTERS]
 *
 * Every allocation has a shadow: the bytes that it must hold once everything given so far is complete. Operations are
 * given to streams of all devices without waiting. Before an operation touches an allocation that another stream
 * touched last, the program orders the two as a CUDA program has to (an event, a wait for a word in memory, a
 * synchronisation, or nothing where the rules of the legacy default stream order them), so that the shadow is the one
 * legal result. Each thread has allocations of its own and takes part in a few shared ones.
 *
 *   streams=N   all threads share N streams instead of having some of their own
 *   every=1     look at what an operation touched right after it: finds the first wrong one of a failing seed
 *   race=1      leave the order out and do not look: a tool that finds data races must find some then
 *   strict=1    a function that is not implemented is a failure, not left out
 *   real=1      not ours: the devices' free memory depends on others, too
 *   only=...    letters of operations, see `ops` below
 *
 * Also checked: after everything is freed the devices' free memory, the open descriptors, the number of threads and, where
 * the program may have a /dev/shm of its own, the names in it are what they were. It runs on a real driver as well. */
#include <cuda.h>
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <time.h>
#include <unistd.h>

#define DEVICES 2
#define OBJECTS 14
#define SHARED 6
#define OWN_STREAMS 5
#define SLOTS 4
#define SLOT_BYTES 65536
#define WORDS 4096
#define LINES 400
#define LINE 200
#define CHUNK ((size_t)2 << 20)
#define MAX_CHUNKS 3

enum kind { DEVICE, PITCHED, PINNED, REGISTERED, MANAGED, POOL, VMM, ARRAY, PAGEABLE, KINDS };
static const char *const kind_names[] = { "device", "pitched", "pinned", "registered", "managed", "pool", "vmm", "array",
                                          "pageable" };
enum stream_kind { LEGACY, PER_THREAD, BLOCKING, NON_BLOCKING };

struct stream {
    CUstream h;
    int device;
    enum stream_kind kind;
    int number;
};

struct object {
    int live, id, shared;
    enum kind kind;
    int device;
    size_t size;
    unsigned char *shadow;
    struct stream *last; /* where the latest operation on it was given; NULL when the host knows that it is complete */
    uintptr_t address[2];
    int addresses;
    void *block; /* registered: what to free */
    CUarray array;
    size_t width, height, depth, element; /* of an array, in elements */
    CUmemGenericAllocationHandle handles[MAX_CHUNKS];
};

struct slot {
    unsigned char *bytes, *expected;
    size_t n;
    CUevent event;
    int busy, object;
};

struct thread {
    int number;
    uint64_t random;
    pthread_t id;
    struct object objects[OBJECTS];
    struct stream legacy[DEVICES], own_default[DEVICES], created[DEVICES][OWN_STREAMS];
    struct slot slots[SLOTS];
    CUdeviceptr words[DEVICES];
    int used_words[DEVICES];
    CUmemoryPool pool[DEVICES];
    int current;
    long op;
    char (*lines)[LINE];
    long line;
    int ended; /* its streams are gone */
};

static uint64_t seed = 1;
static long operations = 1500, thread_count = 3, rounds = 2, seconds = 0, shared_streams = 0, every = 0, race = 0, real = 0, strict = 0, log_all = 0;
static const char *only = NULL;
static int devices;
static CUcontext contexts[DEVICES];
static struct object shared[SHARED];
static struct stream common[64];
static pthread_mutex_t shared_lock = PTHREAD_MUTEX_INITIALIZER, report_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t capture_lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int next_id;
static atomic_long done_operations, unsupported_calls, verified_bytes;
static atomic_int waits_supported = 1;

static uint64_t draw(struct thread *t)
{
    uint64_t z = t->random += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}
/* 0 .. n-1 */
static size_t upto(struct thread *t, size_t n) { return n ? (size_t)(draw(t) % n) : 0; }
static int chance(struct thread *t, int percent) { return (int)upto(t, 100) < percent; }

static void note(struct thread *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *line = t->lines[t->line++ % LINES];
    int n = snprintf(line, LINE, "%ld: ", t->op);
    vsnprintf(line + n, (size_t)(LINE - n), format, args);
    va_end(args);
    if (log_all) fprintf(stderr, "[%d] %s\n", t->number, line);
}

static void fail(struct thread *t, const char *format, ...)
{
    pthread_mutex_lock(&report_lock);
    va_list args;
    va_start(args, format);
    fprintf(stderr, "model: FAILED: ");
    vfprintf(stderr, format, args);
    va_end(args);
    const char *schedule = getenv("DOPPEL_SCHEDULE");
    fprintf(stderr, "\nmodel: seed=%llu ops=%ld threads=%ld streams=%ld every=%ld, %d devices, schedule %s",
            (unsigned long long)seed, operations, thread_count, shared_streams, every, devices, schedule ? schedule : "default");
    if (t) {
        fprintf(stderr, ", thread %d, operation %ld; the latest of its log:\n", t->number, t->op);
        long from = t->line > LINES ? t->line - LINES : 0;
        if (t->line - from > 120) from = t->line - 120;
        for (long i = from; i < t->line; i++) fprintf(stderr, "  %s\n", t->lines[i % LINES]);
    } else {
        fprintf(stderr, "\n");
    }
    static char errors[4096];
    size_t size = sizeof errors;
    if (cuLogsDumpToMemory(NULL, errors, &size, 0) == CUDA_SUCCESS) fprintf(stderr, "the latest refused calls:\n%s", errors);
    fflush(NULL);
    _exit(1);
}

/* True when the call succeeded, false when the function is not there (yet); everything else ends the program. */
static int called(struct thread *t, CUresult r, const char *what)
{
    if (r == CUDA_SUCCESS) return 1;
    if (r == CUDA_ERROR_NOT_SUPPORTED && !strict) {
        if (atomic_fetch_add(&unsupported_calls, 1) < 12) fprintf(stderr, "model: not supported: %.60s\n", what);
        return 0;
    }
    const char *name = "?";
    cuGetErrorName(r, &name);
    fail(t, "%s: %s", what, name);
    return 0;
}
#define TRY(call) called(t, call, #call)
#define MUST(call)                                                                                                    \
    do {                                                                                                               \
        CUresult r_ = (call);                                                                                          \
        if (r_) {                                                                                                      \
            const char *n_ = "?";                                                                                      \
            cuGetErrorName(r_, &n_);                                                                                   \
            fail(t, "%s: %s", #call, n_);                                                                              \
        }                                                                                                              \
    } while (0)

static void use(struct thread *t, int device)
{
    if (t->current != device) MUST(cuCtxSetCurrent(contexts[device]));
    t->current = device;
}

/* ---- streams and their order ----------------------------------------------------- */

static struct stream *pick_stream(struct thread *t, int device, int may_be_own_default)
{
    if (device < 0) device = (int)upto(t, (size_t)devices);
    size_t k = upto(t, OWN_STREAMS + 2);
    if (k == 0 || t->ended) return &t->legacy[device];
    if (k == 1 && may_be_own_default) return &t->own_default[device];
    if (shared_streams) {
        for (;;) {
            struct stream *s = &common[upto(t, (size_t)shared_streams)];
            if (s->device == device) return s;
        }
    }
    return &t->created[device][k % OWN_STREAMS];
}

static int implied(const struct stream *later, const struct stream *earlier)
{
    if (later->device != earlier->device) return 0;
    if (later->kind == LEGACY) return earlier->kind != NON_BLOCKING;
    if (earlier->kind == LEGACY) return later->kind != NON_BLOCKING;
    return later->h == earlier->h && later->kind == earlier->kind;
}

static int same(const struct stream *a, const struct stream *b)
{
    return a->device == b->device && a->kind == b->kind && a->h == b->h;
}

/* Waits on the host until everything given to the stream is complete. */
static void synchronize(struct thread *t, struct stream *s)
{
    use(t, s->device);
    switch (upto(t, 4)) {
    case 0: {
        CUevent e;
        MUST(cuEventCreate(&e, chance(t, 50) ? CU_EVENT_DISABLE_TIMING : CU_EVENT_BLOCKING_SYNC));
        MUST(cuEventRecord(e, s->h));
        if (chance(t, 50)) {
            MUST(cuEventSynchronize(e));
        } else {
            CUresult r;
            while ((r = cuEventQuery(e)) == CUDA_ERROR_NOT_READY) sched_yield();
            MUST(r);
        }
        MUST(cuEventDestroy(e));
        break;
    }
    case 1: {
        CUresult r;
        while ((r = cuStreamQuery(s->h)) == CUDA_ERROR_NOT_READY) sched_yield();
        MUST(r);
        break;
    }
    case 2:
        /* A whole context cannot be waited for while one of its streams is captured. */
        if (!shared_streams && pthread_mutex_trylock(&capture_lock) == 0) {
            MUST(cuCtxSynchronize());
            pthread_mutex_unlock(&capture_lock);
            break;
        } /* fall through */
    default: MUST(cuStreamSynchronize(s->h));
    }
}

static void complete(struct thread *t, struct object *o)
{
    if (o->last) synchronize(t, o->last);
    o->last = NULL;
}

/* Has the next operation on `s` come after the latest one on the object. */
static void order(struct thread *t, struct stream *s, struct object *o)
{
    struct stream *before = o->last;
    if (!before || race || same(before, s)) return;
    if (implied(s, before) && chance(t, 80)) return;
    size_t how = upto(t, 10);
    if (how == 0) {
        note(t, "  synchronize stream %d for object %d", before->number, o->id);
        synchronize(t, before);
        return;
    }
    if (how < 3 && t->words[before->device] && t->used_words[before->device] < WORDS && atomic_load(&waits_supported)) {
        CUdeviceptr word = t->words[before->device] + 4 * (size_t)t->used_words[before->device]++;
        unsigned value = 1 + (unsigned)upto(t, 1000);
        use(t, before->device);
        CUresult r = cuStreamWriteValue32(before->h, word, value, 0);
        if (r == CUDA_SUCCESS) {
            note(t, "  stream %d waits for a word of stream %d for object %d", s->number, before->number, o->id);
            use(t, s->device);
            MUST(cuStreamWaitValue32(s->h, word, value, chance(t, 50) ? CU_STREAM_WAIT_VALUE_GEQ : CU_STREAM_WAIT_VALUE_EQ));
            return;
        }
        if (r != CUDA_ERROR_NOT_SUPPORTED) MUST(r);
        atomic_store(&waits_supported, 0);
    }
    note(t, "  stream %d waits for an event of stream %d for object %d", s->number, before->number, o->id);
    CUevent e;
    use(t, before->device);
    MUST(cuEventCreate(&e, chance(t, 50) ? CU_EVENT_DISABLE_TIMING : 0));
    MUST(cuEventRecord(e, before->h));
    use(t, s->device);
    MUST(cuStreamWaitEvent(s->h, e, 0));
    MUST(cuEventDestroy(e));
}

/* ---- objects --------------------------------------------------------------------- */

static int is_host(const struct object *o) { return o->kind == PINNED || o->kind == REGISTERED || o->kind == PAGEABLE; }
static int host_may_touch(const struct object *o) { return is_host(o) || o->kind == MANAGED; }
static int is_linear(const struct object *o) { return o->kind != ARRAY; }
static uintptr_t place(struct thread *t, const struct object *o, size_t offset)
{
    return o->address[o->addresses > 1 ? upto(t, (size_t)o->addresses) : 0] + offset;
}

static size_t pick_size(struct thread *t)
{
    switch (upto(t, 12)) {
    case 0: return 1 + upto(t, 16);
    case 1: case 2: case 3: return 1 + upto(t, 4096);
    case 4: return (size_t)(1 << 20) + upto(t, 2 << 20);
    default: return 1 + upto(t, 200000);
    }
}

static void compare(struct thread *t, const struct object *o, size_t offset, const unsigned char *found, const unsigned char *expected,
                    size_t n, const char *how)
{
    atomic_fetch_add(&verified_bytes, (long)n);
    if (race || !memcmp(found, expected, n)) return;
    size_t i = 0;
    while (found[i] == expected[i]) i++;
    size_t wrong = 0;
    for (size_t k = i; k < n; k++) wrong += found[k] != expected[k];
    fail(t, "object %d (%s, %zu bytes, device %d%s): byte %zu is %02x, expected %02x; %zu of the %zu bytes from %zu on differ (%s)", o->id,
         kind_names[o->kind], o->size, o->device, o->shared ? ", shared" : "", offset + i, found[i], expected[i], wrong, n, offset, how);
}

/* Copies all of an array into the host's memory. */
static CUDA_MEMCPY3D whole_array(const struct object *o, void *host, int read)
{
    CUDA_MEMCPY3D c;
    memset(&c, 0, sizeof c);
    c.WidthInBytes = o->width * o->element;
    c.Height = o->height ? o->height : 1;
    c.Depth = o->depth ? o->depth : 1;
    if (read) {
        c.srcMemoryType = CU_MEMORYTYPE_ARRAY, c.srcArray = o->array;
        c.dstMemoryType = CU_MEMORYTYPE_HOST, c.dstHost = host, c.dstPitch = c.WidthInBytes, c.dstHeight = c.Height;
    } else {
        c.dstMemoryType = CU_MEMORYTYPE_ARRAY, c.dstArray = o->array;
        c.srcMemoryType = CU_MEMORYTYPE_HOST, c.srcHost = host, c.srcPitch = c.WidthInBytes, c.srcHeight = c.Height;
    }
    return c;
}

/* Looks at the object now. */
static void verify(struct thread *t, struct object *o, int whole)
{
    size_t offset = 0, n = o->size;
    if (!whole && is_linear(o)) {
        offset = upto(t, o->size);
        n = 1 + upto(t, o->size - offset);
        if (n > 100000) n = 100000;
    }
    if (host_may_touch(o)) {
        complete(t, o);
        compare(t, o, offset, (unsigned char *)o->address[0] + offset, o->shadow + offset, n, "looked at by the host");
        return;
    }
    unsigned char *bytes = malloc(n);
    struct stream *legacy = &t->legacy[o->device];
    order(t, legacy, o);
    use(t, o->device);
    if (o->kind == ARRAY) {
        CUDA_MEMCPY3D c = whole_array(o, bytes, 1);
        MUST(cuMemcpy3D(&c));
    } else if (chance(t, 50)) {
        MUST(cuMemcpyDtoH(bytes, place(t, o, offset), n));
    } else {
        /* Into pageable memory even the asynchronous function returns when the bytes are there. */
        MUST(cuMemcpyDtoHAsync(bytes, place(t, o, offset), n, legacy->h));
    }
    compare(t, o, offset, bytes, o->shadow + offset, n, "copied to the host");
    free(bytes);
}

static void settle(struct thread *t, struct slot *slot)
{
    if (!slot->busy) return;
    slot->busy = 0;
    MUST(cuEventSynchronize(slot->event));
    MUST(cuEventDestroy(slot->event));
    if (!race && memcmp(slot->bytes, slot->expected, slot->n)) {
        size_t i = 0;
        while (slot->bytes[i] == slot->expected[i]) i++;
        fail(t, "object %d: byte %zu of a copy to pinned memory is %02x, expected %02x", slot->object, i, slot->bytes[i],
             slot->expected[i]);
    }
    atomic_fetch_add(&verified_bytes, (long)slot->n);
}

/* Gives a copy to a stream that will be looked at later. */
static void verify_later(struct thread *t, struct object *o)
{
    struct slot *slot = &t->slots[upto(t, SLOTS)];
    if (!is_linear(o) || o->kind == PAGEABLE || !slot->bytes) return;
    settle(t, slot);
    struct stream *s = pick_stream(t, chance(t, 80) ? o->device : -1, !o->shared);
    size_t offset = upto(t, o->size), n = 1 + upto(t, o->size - offset);
    if (n > SLOT_BYTES) n = SLOT_BYTES;
    order(t, s, o);
    use(t, s->device);
    note(t, "verify later: object %d + %zu, %zu bytes, stream %d", o->id, offset, n, s->number);
    memset(slot->bytes, 0xee, n);
    MUST(cuMemcpyAsync((CUdeviceptr)(uintptr_t)slot->bytes, place(t, o, offset), n, s->h));
    MUST(cuEventCreate(&slot->event, 0));
    MUST(cuEventRecord(slot->event, s->h));
    memcpy(slot->expected, o->shadow + offset, n);
    slot->n = n, slot->busy = 1, slot->object = o->id;
    o->last = s;
}

struct host_work {
    unsigned char *at, *expected;
    size_t n;
    int id;
    unsigned char fill;
};
static void CUDA_CB check_in_order(void *data)
{
    struct host_work *w = data;
    if (w->expected) {
        if (!race && memcmp(w->at, w->expected, w->n)) fail(NULL, "object %d is wrong when a host function looks at it", w->id);
        free(w->expected);
    } else {
        memset(w->at, w->fill, w->n);
    }
    free(w);
}
static void host_function(struct thread *t, struct object *o)
{
    if (!host_may_touch(o) || o->kind == PAGEABLE) return;
    struct stream *s = pick_stream(t, -1, !o->shared);
    struct host_work *w = malloc(sizeof *w);
    size_t offset = upto(t, o->size);
    w->n = 1 + upto(t, o->size - offset);
    w->at = (unsigned char *)o->address[0] + offset;
    w->id = o->id;
    w->fill = (unsigned char)draw(t);
    w->expected = NULL;
    int looks = chance(t, 50);
    if (looks) {
        w->expected = malloc(w->n);
        memcpy(w->expected, o->shadow + offset, w->n);
    }
    order(t, s, o);
    use(t, s->device);
    note(t, "host function on stream %d: object %d + %zu, %zu bytes, %s", s->number, o->id, offset, w->n, looks ? "looks" : "fills");
    unsigned char fill = w->fill;
    size_t n = w->n;
    if (!TRY(cuLaunchHostFunc(s->h, check_in_order, w))) {
        free(w->expected);
        free(w);
        return;
    }
    if (!looks) memset(o->shadow + offset, fill, n);
    o->last = s;
}

/* The host writes. */
static void host_write(struct thread *t, struct object *o)
{
    if (!host_may_touch(o)) return;
    complete(t, o);
    size_t offset = upto(t, o->size), n = 1 + upto(t, o->size - offset);
    if (n > 100000) n = 100000;
    note(t, "host writes object %d + %zu, %zu bytes", o->id, offset, n);
    unsigned char x = (unsigned char)draw(t);
    for (size_t i = 0; i < n; i++) o->shadow[offset + i] = (unsigned char)(x + i * 7);
    memcpy((unsigned char *)o->address[0] + offset, o->shadow + offset, n);
}

/* ---- fills ----------------------------------------------------------------------- */

static int fill(struct thread *t, struct object *o, int whole)
{
    if (!is_linear(o) || o->kind == PAGEABLE) return 0;
    int element = 1 << upto(t, 3);
    if (whole) element = 1;
    uint32_t value = (uint32_t)draw(t);
    size_t offset = 0, width = o->size, height = 1, pitch = 0;
    if (!whole) {
        offset = upto(t, o->size) / (size_t)element * (size_t)element;
        size_t left = (o->size - offset) / (size_t)element;
        if (!left) return 0;
        if (chance(t, 40)) {
            width = 1 + upto(t, left > 64 ? 64 : left);
            pitch = (width + upto(t, 32)) * (size_t)element;
            height = 1 + upto(t, ((o->size - offset) - width * (size_t)element) / pitch + 1);
            if (height > 500) height = 500;
        } else {
            width = 1 + upto(t, left);
        }
    }
    struct stream *s = pick_stream(t, o->device, !o->shared);
    int asynchronous = s->kind != LEGACY || chance(t, 50);
    order(t, s, o);
    use(t, s->device);
    CUdeviceptr d = place(t, o, offset);
    note(t, "fill object %d + %zu: %zu x %zu elements of %d, pitch %zu, %s stream %d", o->id, offset, width, height, element, pitch,
         asynchronous ? "async" : "sync", s->number);
    CUresult r;
    if (pitch) {
        if (asynchronous)
            r = element == 1   ? cuMemsetD2D8Async(d, pitch, (unsigned char)value, width, height, s->h)
                : element == 2 ? cuMemsetD2D16Async(d, pitch, (unsigned short)value, width, height, s->h)
                               : cuMemsetD2D32Async(d, pitch, value, width, height, s->h);
        else
            r = element == 1   ? cuMemsetD2D8(d, pitch, (unsigned char)value, width, height)
                : element == 2 ? cuMemsetD2D16(d, pitch, (unsigned short)value, width, height)
                               : cuMemsetD2D32(d, pitch, value, width, height);
    } else if (asynchronous) {
        r = element == 1   ? cuMemsetD8Async(d, (unsigned char)value, width, s->h)
            : element == 2 ? cuMemsetD16Async(d, (unsigned short)value, width, s->h)
                           : cuMemsetD32Async(d, value, width, s->h);
    } else {
        r = element == 1   ? cuMemsetD8(d, (unsigned char)value, width)
            : element == 2 ? cuMemsetD16(d, (unsigned short)value, width)
                           : cuMemsetD32(d, value, width);
    }
    if (!called(t, r, "cuMemset")) return 0;
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width * (size_t)element; x++)
            o->shadow[offset + y * pitch + x] = (unsigned char)(value >> 8 * (x % (size_t)element));
    o->last = s;
    return 1;
}

/* ---- copies ---------------------------------------------------------------------- */

/* After a copy was given: what the host may assume about the two sides. */
static void after_copy(struct object *dst, struct object *src, struct stream *s)
{
    src->last = dst->last = s;
    /* Pageable memory was read or written when the call returned. */
    if (src->kind == PAGEABLE) src->last = NULL;
    if (dst->kind == PAGEABLE) dst->last = NULL;
}

static int copy_stream(struct thread *t, struct object *dst, struct object *src, struct stream **s)
{
    int device = is_host(dst) ? src->device : dst->device;
    if (is_host(dst) && is_host(src)) device = (int)upto(t, (size_t)devices);
    *s = pick_stream(t, device, !(dst->shared || src->shared));
    return (*s)->kind != LEGACY || chance(t, 50); /* asynchronous? */
}

static void linear_copy(struct thread *t, struct object *dst, struct object *src)
{
    if (dst == src || !is_linear(dst) || !is_linear(src)) return;
    size_t from = upto(t, src->size), to = upto(t, dst->size);
    size_t most = src->size - from < dst->size - to ? src->size - from : dst->size - to;
    size_t n = 1 + upto(t, chance(t, 50) && most > 5000 ? 5000 : most);
    struct stream *s;
    int asynchronous = copy_stream(t, dst, src, &s);
    order(t, s, dst);
    order(t, s, src);
    use(t, s->device);
    uintptr_t d = place(t, dst, to), f = place(t, src, from);
    size_t how = upto(t, 3);
    const char *name = asynchronous ? "cuMemcpyAsync" : "cuMemcpy";
    CUresult r;
    int device_sides = !is_host(dst) && !is_host(src);
    if (how == 0 && is_host(src) && !is_host(dst)) {
        name = asynchronous ? "cuMemcpyHtoDAsync" : "cuMemcpyHtoD";
        r = asynchronous ? cuMemcpyHtoDAsync(d, (void *)f, n, s->h) : cuMemcpyHtoD(d, (void *)f, n);
    } else if (how == 0 && !is_host(src) && is_host(dst)) {
        name = asynchronous ? "cuMemcpyDtoHAsync" : "cuMemcpyDtoH";
        r = asynchronous ? cuMemcpyDtoHAsync((void *)d, f, n, s->h) : cuMemcpyDtoH((void *)d, f, n);
    } else if (how == 0 && device_sides) {
        name = asynchronous ? "cuMemcpyDtoDAsync" : "cuMemcpyDtoD";
        r = asynchronous ? cuMemcpyDtoDAsync(d, f, n, s->h) : cuMemcpyDtoD(d, f, n);
    } else if (how == 1 && device_sides && dst->kind != MANAGED && src->kind != MANAGED) {
        name = asynchronous ? "cuMemcpyPeerAsync" : "cuMemcpyPeer";
        CUcontext dc = contexts[dst->device], sc = contexts[src->device];
        if (!asynchronous && dst->device != src->device) {
            /* Not ordered by the legacy stream of the other context alone. */
            complete(t, dst);
            complete(t, src);
            use(t, s->device);
        }
        r = asynchronous ? cuMemcpyPeerAsync(d, dc, f, sc, n, s->h) : cuMemcpyPeer(d, dc, f, sc, n);
    } else {
        r = asynchronous ? cuMemcpyAsync(d, f, n, s->h) : cuMemcpy(d, f, n);
    }
    note(t, "%s: object %d + %zu from object %d + %zu, %zu bytes, stream %d", name, dst->id, to, src->id, from, n, s->number);
    if (!called(t, r, name)) return;
    memcpy(dst->shadow + to, src->shadow + from, n);
    after_copy(dst, src, s);
    if (src->kind == PAGEABLE) {
        /* The program may use it again at once. */
        memset((void *)f, 0x5a, n);
        memset(src->shadow + from, 0x5a, n);
    }
    if (dst->kind == PAGEABLE) compare(t, dst, to, (unsigned char *)d, dst->shadow + to, n, "after a copy to pageable memory");
}

/* One side of a box copy. */
struct side {
    struct object *o;
    size_t x, y, z, pitch, rows, offset;
};

static size_t side_start(const struct side *a, size_t y, size_t z)
{
    const struct object *o = a->o;
    if (o->kind == ARRAY) return (((a->z + z) * (o->height ? o->height : 1)) + a->y + y) * o->width * o->element + a->x;
    return a->offset + ((a->z + z) * a->rows + a->y + y) * a->pitch + a->x;
}

static int fit(struct thread *t, struct side *a, size_t w, size_t h, size_t d)
{
    struct object *o = a->o;
    if (o->kind == ARRAY) {
        size_t height = o->height ? o->height : 1, depth = o->depth ? o->depth : 1;
        if (w % o->element || w > o->width * o->element || h > height || d > depth) return 0;
        a->x = upto(t, (o->width * o->element - w) / o->element + 1) * o->element;
        a->y = upto(t, height - h + 1);
        a->z = upto(t, depth - d + 1);
        return 1;
    }
    a->x = chance(t, 50) ? upto(t, 20) : 0;
    a->y = chance(t, 30) ? upto(t, 3) : 0;
    a->z = d > 1 && chance(t, 30) ? upto(t, 2) : 0;
    a->pitch = w + a->x + (chance(t, 50) ? upto(t, 40) : 0);
    a->rows = h + a->y + (chance(t, 50) ? upto(t, 3) : 0);
    size_t end = ((a->z + d - 1) * a->rows + a->y + h - 1) * a->pitch + a->x + w;
    /* The whole last row has to be there for the strictest driver. */
    end += a->pitch - a->x - w;
    if (end > o->size) return 0;
    a->offset = upto(t, o->size - end + 1);
    return 1;
}

static void box_copy(struct thread *t, struct object *dst, struct object *src)
{
    if (dst == src) return;
    struct side to = { .o = dst }, from = { .o = src };
    size_t unit = 1;
    if (dst->kind == ARRAY) unit = dst->element;
    if (src->kind == ARRAY && src->element > unit) unit = src->element;
    size_t w = unit * (1 + upto(t, 300)), h = 1 + upto(t, 20), d = chance(t, 50) ? 1 + upto(t, 4) : 1;
    int flat = 0;
    for (int tries = 0;; tries++) {
        if (fit(t, &to, w, h, d) && fit(t, &from, w, h, d)) break;
        if (tries == 12) return;
        w = (w / unit + 1) / 2 * unit;
        h = (h + 1) / 2;
        if (tries > 3) d = 1;
    }
    flat = d == 1 && to.z == 0 && from.z == 0 && !(dst->kind == ARRAY && dst->depth) && !(src->kind == ARRAY && src->depth);
    struct stream *s;
    int asynchronous = copy_stream(t, dst, src, &s);
    order(t, s, dst);
    order(t, s, src);
    use(t, s->device);
    CUDA_MEMCPY3D c;
    memset(&c, 0, sizeof c);
    c.WidthInBytes = w, c.Height = h, c.Depth = d;
    c.srcXInBytes = from.x, c.srcY = from.y, c.srcZ = from.z, c.srcPitch = from.pitch, c.srcHeight = from.rows;
    c.dstXInBytes = to.x, c.dstY = to.y, c.dstZ = to.z, c.dstPitch = to.pitch, c.dstHeight = to.rows;
    if (src->kind == ARRAY) {
        c.srcMemoryType = CU_MEMORYTYPE_ARRAY, c.srcArray = src->array;
    } else {
        uintptr_t a = place(t, src, from.offset);
        c.srcMemoryType = chance(t, 40) ? CU_MEMORYTYPE_UNIFIED : is_host(src) ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
        if (c.srcMemoryType == CU_MEMORYTYPE_HOST) c.srcHost = (void *)a;
        else c.srcDevice = a;
    }
    if (dst->kind == ARRAY) {
        c.dstMemoryType = CU_MEMORYTYPE_ARRAY, c.dstArray = dst->array;
    } else {
        uintptr_t a = place(t, dst, to.offset);
        c.dstMemoryType = chance(t, 40) ? CU_MEMORYTYPE_UNIFIED : is_host(dst) ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
        if (c.dstMemoryType == CU_MEMORYTYPE_HOST) c.dstHost = (void *)a;
        else c.dstDevice = a;
    }
    CUresult r;
    const char *name;
    if (flat && chance(t, 70)) {
        CUDA_MEMCPY2D f;
        memset(&f, 0, sizeof f);
        f.srcXInBytes = from.x, f.srcY = from.y, f.srcMemoryType = c.srcMemoryType, f.srcHost = c.srcHost, f.srcDevice = c.srcDevice;
        f.srcArray = c.srcArray, f.srcPitch = from.pitch;
        f.dstXInBytes = to.x, f.dstY = to.y, f.dstMemoryType = c.dstMemoryType, f.dstHost = c.dstHost, f.dstDevice = c.dstDevice;
        f.dstArray = c.dstArray, f.dstPitch = to.pitch;
        f.WidthInBytes = w, f.Height = h;
        int unaligned = chance(t, 50);
        name = asynchronous ? "cuMemcpy2DAsync" : unaligned ? "cuMemcpy2DUnaligned" : "cuMemcpy2D";
        r = asynchronous ? cuMemcpy2DAsync(&f, s->h) : unaligned ? cuMemcpy2DUnaligned(&f) : cuMemcpy2D(&f);
    } else {
        name = asynchronous ? "cuMemcpy3DAsync" : "cuMemcpy3D";
        r = asynchronous ? cuMemcpy3DAsync(&c, s->h) : cuMemcpy3D(&c);
    }
    note(t, "%s: %zu x %zu x %zu, object %d + %zu (x %zu y %zu z %zu pitch %zu rows %zu) from object %d + %zu (x %zu y %zu z %zu pitch %zu rows %zu), stream %d",
         name, w, h, d, dst->id, to.offset, to.x, to.y, to.z, to.pitch, to.rows, src->id, from.offset, from.x, from.y, from.z, from.pitch,
         from.rows, s->number);
    if (!called(t, r, name)) return;
    for (size_t z = 0; z < d; z++)
        for (size_t y = 0; y < h; y++) memcpy(dst->shadow + side_start(&to, y, z), src->shadow + side_start(&from, y, z), w);
    after_copy(dst, src, s);
}

/* Copies between one-dimensional arrays and linear memory. */
static void row_copy(struct thread *t, struct object *dst, struct object *src)
{
    if (dst == src || (dst->kind != ARRAY && src->kind != ARRAY)) return;
    if ((dst->kind == ARRAY && dst->height) || (src->kind == ARRAY && src->height)) return;
    size_t unit = dst->kind == ARRAY ? dst->element : src->element;
    if (src->kind == ARRAY && src->element > unit) unit = src->element;
    size_t from = upto(t, src->size) / unit * unit, to = upto(t, dst->size) / unit * unit;
    size_t most = src->size - from < dst->size - to ? src->size - from : dst->size - to;
    if (most < unit) return;
    size_t n = (1 + upto(t, most / unit)) * unit;
    struct stream *s;
    int asynchronous = copy_stream(t, dst, src, &s);
    CUresult r;
    const char *name;
    if (dst->kind == ARRAY && src->kind == ARRAY) asynchronous = 0, s = &t->legacy[dst->device];
    else if (!is_host(dst) && !is_host(src)) asynchronous = 0, s = &t->legacy[dst->device];
    order(t, s, dst);
    order(t, s, src);
    use(t, s->device);
    if (dst->kind == ARRAY && src->kind == ARRAY) {
        name = "cuMemcpyAtoA";
        r = cuMemcpyAtoA(dst->array, to, src->array, from, n);
    } else if (dst->kind == ARRAY && is_host(src)) {
        name = "cuMemcpyHtoA";
        void *a = (void *)place(t, src, from);
        r = asynchronous ? cuMemcpyHtoAAsync(dst->array, to, a, n, s->h) : cuMemcpyHtoA(dst->array, to, a, n);
    } else if (dst->kind == ARRAY) {
        name = "cuMemcpyDtoA";
        r = cuMemcpyDtoA(dst->array, to, place(t, src, from), n);
    } else if (is_host(dst)) {
        name = "cuMemcpyAtoH";
        void *a = (void *)place(t, dst, to);
        r = asynchronous ? cuMemcpyAtoHAsync(a, src->array, from, n, s->h) : cuMemcpyAtoH(a, src->array, from, n);
    } else {
        name = "cuMemcpyAtoD";
        r = cuMemcpyAtoD(place(t, dst, to), src->array, from, n);
    }
    note(t, "%s%s: object %d + %zu from object %d + %zu, %zu bytes, stream %d", name, asynchronous ? "Async" : "", dst->id, to, src->id, from,
         n, s->number);
    if (!called(t, r, name)) return;
    memcpy(dst->shadow + to, src->shadow + from, n);
    after_copy(dst, src, s);
}

static struct object *any(struct thread *t)
{
    struct object *o = &t->objects[upto(t, OBJECTS)];
    return o->live ? o : NULL;
}

static void batch_copy(struct thread *t)
{
    struct object *dst[3], *src[3];
    CUdeviceptr to[3], from[3];
    size_t sizes[3], at[3], of[3], n = 0;
    for (int tries = 0; tries < 12 && n < 3; tries++) {
        struct object *a = any(t), *b = any(t);
        if (!a || !b || a == b || !is_linear(a) || !is_linear(b) || a->kind == PAGEABLE || b->kind == PAGEABLE) continue;
        int clash = 0;
        for (size_t i = 0; i < n; i++) clash |= dst[i] == a || dst[i] == b || src[i] == a;
        if (clash) continue;
        dst[n] = a, src[n] = b;
        at[n] = upto(t, a->size), of[n] = upto(t, b->size);
        sizes[n] = 1 + upto(t, a->size - at[n] < b->size - of[n] ? a->size - at[n] : b->size - of[n]);
        to[n] = place(t, a, at[n]), from[n] = place(t, b, of[n]);
        n++;
    }
    if (!n) return;
    struct stream *s;
    do s = pick_stream(t, dst[0]->device, 0);
    while (s->kind == LEGACY);
    for (size_t i = 0; i < n; i++) {
        order(t, s, dst[i]);
        order(t, s, src[i]);
    }
    use(t, s->device);
    CUmemcpyAttributes attributes;
    memset(&attributes, 0, sizeof attributes);
    attributes.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
    size_t first = 0;
    note(t, "batch of %zu copies, first object %d from object %d, stream %d", n, dst[0]->id, src[0]->id, s->number);
    if (!TRY(cuMemcpyBatchAsync(to, from, sizes, n, &attributes, &first, 1, s->h))) return;
    for (size_t i = 0; i < n; i++) {
        memcpy(dst[i]->shadow + at[i], src[i]->shadow + of[i], sizes[i]);
        after_copy(dst[i], src[i], s);
    }
}

/* A copy and a fill, captured once and launched a few times. */
static void graph(struct thread *t)
{
    struct object *a = any(t), *b = any(t);
    if (!a || !b || a == b || !is_linear(a) || !is_linear(b) || a->kind == PAGEABLE || b->kind == PAGEABLE) return;
    if (a->device != b->device || is_host(a)) return;
    size_t n = 1 + upto(t, a->size < b->size ? a->size : b->size), filled = 1 + upto(t, a->size);
    unsigned char value = (unsigned char)draw(t);
    struct stream *s = pick_stream(t, a->device, 1);
    order(t, s, a);
    order(t, s, b);
    use(t, s->device);
    CUstream capture;
    CUgraph g;
    CUgraphExec exec;
    MUST(cuStreamCreate(&capture, CU_STREAM_NON_BLOCKING));
    pthread_mutex_lock(&capture_lock);
    if (TRY(cuStreamBeginCapture(capture, CU_STREAM_CAPTURE_MODE_RELAXED))) {
        MUST(cuMemcpyAsync(b->address[0], a->address[0], n, capture));
        MUST(cuMemsetD8Async(a->address[0], value, filled, capture));
        MUST(cuStreamEndCapture(capture, &g));
        pthread_mutex_unlock(&capture_lock);
        if (TRY(cuGraphInstantiate(&exec, g, 0))) {
            size_t launches = 1 + upto(t, 3);
            note(t, "graph, %zu times: object %d from object %d, %zu bytes; then fill %zu bytes of %d; stream %d", launches, b->id, a->id, n,
                 a->id, filled, s->number);
            for (size_t i = 0; i < launches; i++) {
                MUST(cuGraphLaunch(exec, s->h));
                memcpy(b->shadow, a->shadow, n);
                memset(a->shadow, value, filled);
            }
            a->last = b->last = s;
            MUST(cuGraphExecDestroy(exec));
        }
        MUST(cuGraphDestroy(g));
    } else {
        pthread_mutex_unlock(&capture_lock);
    }
    MUST(cuStreamDestroy(capture));
}

/* ---- making and freeing ---------------------------------------------------------- */

static int map_chunk(struct thread *t, struct object *o, int view, size_t chunk)
{
    CUdeviceptr at = o->address[view] + chunk * CHUNK;
    if (!TRY(cuMemMap(at, CHUNK, 0, o->handles[chunk], 0))) return 0;
    CUmemAccessDesc access[DEVICES];
    memset(access, 0, sizeof access);
    for (int d = 0; d < devices; d++) {
        access[d].location.type = CU_MEM_LOCATION_TYPE_DEVICE;
        access[d].location.id = d;
        access[d].flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    }
    MUST(cuMemSetAccess(at, CHUNK, access, (size_t)devices));
    return 1;
}

static int make_vmm(struct thread *t, struct object *o)
{
    size_t chunks = 1 + upto(t, MAX_CHUNKS);
    o->size = chunks * CHUNK;
    CUmemAllocationProp prop;
    memset(&prop, 0, sizeof prop);
    prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    prop.location.id = o->device;
    if (chance(t, 30)) prop.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    o->addresses = 1 + chance(t, 50);
    for (int v = 0; v < o->addresses; v++) {
        CUdeviceptr p;
        if (!TRY(cuMemAddressReserve(&p, o->size, chance(t, 30) ? 16 * CHUNK : 0, 0, 0))) return 0;
        o->address[v] = p;
    }
    for (size_t i = 0; i < chunks; i++) {
        if (!TRY(cuMemCreate(&o->handles[i], CHUNK, &prop, 0))) return 0;
        for (int v = 0; v < o->addresses; v++)
            if (!map_chunk(t, o, v, i)) return 0;
    }
    return 1;
}

/* Exchanges the memory behind two chunks. */
static void remap(struct thread *t, struct object *o)
{
    size_t chunks = o->size / CHUNK;
    if (o->kind != VMM || chunks < 2) return;
    size_t a = upto(t, chunks), b = upto(t, chunks);
    if (a == b) return;
    complete(t, o);
    use(t, o->device);
    note(t, "exchange chunks %zu and %zu of object %d", a, b, o->id);
    CUmemGenericAllocationHandle h = o->handles[a];
    o->handles[a] = o->handles[b];
    o->handles[b] = h;
    for (int v = 0; v < o->addresses; v++) {
        MUST(cuMemUnmap(o->address[v] + a * CHUNK, CHUNK));
        MUST(cuMemUnmap(o->address[v] + b * CHUNK, CHUNK));
        map_chunk(t, o, v, a);
        map_chunk(t, o, v, b);
    }
    for (size_t i = 0; i < CHUNK; i++) {
        unsigned char x = o->shadow[a * CHUNK + i];
        o->shadow[a * CHUNK + i] = o->shadow[b * CHUNK + i];
        o->shadow[b * CHUNK + i] = x;
    }
}

static int make_array(struct thread *t, struct object *o)
{
    static const struct { CUarray_format format; size_t bytes; } formats[] = {
        { CU_AD_FORMAT_UNSIGNED_INT8, 1 }, { CU_AD_FORMAT_SIGNED_INT16, 2 }, { CU_AD_FORMAT_FLOAT, 4 }, { CU_AD_FORMAT_HALF, 2 },
        { CU_AD_FORMAT_UNSIGNED_INT32, 4 },
    };
    size_t f = upto(t, 5);
    unsigned channels = 1u << upto(t, 3);
    o->element = formats[f].bytes * channels;
    size_t dimensions = 1 + upto(t, 3);
    o->width = 1 + upto(t, dimensions == 1 ? 4000 : 200);
    o->height = dimensions > 1 ? 1 + upto(t, 60) : 0;
    o->depth = dimensions > 2 ? 1 + upto(t, 8) : 0;
    o->size = o->width * o->element * (o->height ? o->height : 1) * (o->depth ? o->depth : 1);
    if (dimensions < 3 && chance(t, 50)) {
        CUDA_ARRAY_DESCRIPTOR d = { o->width, o->height, formats[f].format, channels };
        return TRY(cuArrayCreate(&o->array, &d));
    }
    CUDA_ARRAY3D_DESCRIPTOR d = { o->width, o->height, o->depth, formats[f].format, channels, 0 };
    return TRY(cuArray3DCreate(&o->array, &d));
}

static void make(struct thread *t, struct object *o)
{
    int is_shared = o->shared;
    memset(o, 0, sizeof *o);
    o->shared = is_shared;
    o->id = atomic_fetch_add(&next_id, 1);
    o->kind = (enum kind)upto(t, KINDS);
    if (o->kind == VMM && chance(t, 60)) o->kind = DEVICE;
    o->device = (int)upto(t, (size_t)devices);
    o->size = pick_size(t);
    o->addresses = 1;
    use(t, o->device);
    CUdeviceptr d = 0;
    void *h = NULL;
    int ok = 0;
    struct stream *s = NULL;
    switch (o->kind) {
    case DEVICE: ok = TRY(cuMemAlloc(&d, o->size)); break;
    case PITCHED: {
        size_t pitch = 0, width = 1 + upto(t, 3000), height = 1 + upto(t, 100);
        ok = TRY(cuMemAllocPitch(&d, &pitch, width, height, 4u << upto(t, 3)));
        o->size = pitch * height;
        break;
    }
    case PINNED: {
        static const unsigned flags[] = { 0, CU_MEMHOSTALLOC_PORTABLE, CU_MEMHOSTALLOC_DEVICEMAP, CU_MEMHOSTALLOC_WRITECOMBINED };
        ok = chance(t, 50) ? TRY(cuMemHostAlloc(&h, o->size, flags[upto(t, 4)])) : TRY(cuMemAllocHost(&h, o->size));
        d = (CUdeviceptr)(uintptr_t)h;
        break;
    }
    case REGISTERED:
        o->block = aligned_alloc(4096, (o->size + 4095) / 4096 * 4096);
        ok = TRY(cuMemHostRegister(o->block, o->size, CU_MEMHOSTREGISTER_PORTABLE));
        d = (CUdeviceptr)(uintptr_t)o->block;
        break;
    case MANAGED: ok = TRY(cuMemAllocManaged(&d, o->size, CU_MEM_ATTACH_GLOBAL)); break;
    case POOL:
        s = pick_stream(t, o->device, !o->shared);
        ok = t->pool[o->device] && chance(t, 50) ? TRY(cuMemAllocFromPoolAsync(&d, o->size, t->pool[o->device], s->h))
                                                 : TRY(cuMemAllocAsync(&d, o->size, s->h));
        o->last = s;
        break;
    case VMM: ok = make_vmm(t, o); break;
    case ARRAY: ok = make_array(t, o); break;
    case PAGEABLE:
        o->block = malloc(o->size);
        d = (CUdeviceptr)(uintptr_t)o->block;
        ok = 1;
        break;
    default: break;
    }
    if (!ok) {
        if (o->kind == REGISTERED) free(o->block);
        return;
    }
    if (o->kind != VMM) o->address[0] = d;
    o->shadow = malloc(o->size);
    memset(o->shadow, 0, o->size);
    o->live = 1;
    note(t, "make object %d: %s, %zu bytes, device %d, stream %d, array %zu x %zu x %zu of %zu", o->id, kind_names[o->kind], o->size,
         o->device, s ? s->number : -1, o->width, o->height, o->depth, o->element);
    /* Memory holds anything at first. */
    if (o->kind == ARRAY) {
        for (size_t i = 0; i < o->size; i++) o->shadow[i] = (unsigned char)(i * 31 + (size_t)o->id);
        CUDA_MEMCPY3D c = whole_array(o, o->shadow, 0);
        use(t, o->device);
        o->last = &t->legacy[o->device];
        if (!TRY(cuMemcpy3D(&c))) {
            MUST(cuArrayDestroy(o->array));
            free(o->shadow);
            o->live = 0;
        }
    } else if (o->kind == PAGEABLE) {
        memset(o->block, 0, o->size);
    } else if (!fill(t, o, 1)) {
        fail(t, "a new object cannot be filled");
    }
}

static void destroy(struct thread *t, struct object *o)
{
    if (chance(t, 50)) verify(t, o, 1);
    note(t, "free object %d: %s", o->id, kind_names[o->kind]);
    use(t, o->device);
    switch (o->kind) {
    case DEVICE: case PITCHED:
        /* Waits for the work that uses the memory. */
        MUST(cuMemFree(o->address[0]));
        break;
    case MANAGED:
        complete(t, o);
        MUST(cuMemFree(o->address[0]));
        break;
    case PINNED:
        complete(t, o);
        MUST(cuMemFreeHost((void *)o->address[0]));
        break;
    case REGISTERED:
        complete(t, o);
        MUST(cuMemHostUnregister(o->block));
        free(o->block);
        break;
    case POOL:
        if (chance(t, 70)) {
            struct stream *s = pick_stream(t, o->device, !o->shared);
            order(t, s, o);
            use(t, s->device);
            MUST(cuMemFreeAsync(o->address[0], s->h));
            /* What streams still use stays. */
            if (t->pool[o->device] && !t->ended && chance(t, 40)) MUST(cuMemPoolTrimTo(t->pool[o->device], 0));
        } else {
            complete(t, o);
            use(t, o->device);
            MUST(cuMemFree(o->address[0]));
        }
        break;
    case VMM: {
        complete(t, o);
        int early = chance(t, 50);
        for (size_t i = 0; i < o->size / CHUNK && early; i++) MUST(cuMemRelease(o->handles[i]));
        for (int v = 0; v < o->addresses; v++) {
            MUST(cuMemUnmap(o->address[v], o->size));
            MUST(cuMemAddressFree(o->address[v], o->size));
        }
        for (size_t i = 0; i < o->size / CHUNK && !early; i++) MUST(cuMemRelease(o->handles[i]));
        break;
    }
    case ARRAY:
        complete(t, o);
        use(t, o->device);
        MUST(cuArrayDestroy(o->array));
        break;
    case PAGEABLE: free(o->block); break;
    default: break;
    }
    free(o->shadow);
    o->shadow = NULL;
    o->live = 0;
    o->last = NULL;
}

static void make_stream(struct thread *t, struct stream *s, int device, size_t k)
{
    use(t, device);
    s->device = device;
    s->kind = k % 2 ? NON_BLOCKING : BLOCKING;
    unsigned flags = k % 2 ? CU_STREAM_NON_BLOCKING : CU_STREAM_DEFAULT;
    if (k == 2) MUST(cuStreamCreateWithPriority(&s->h, flags, -1));
    else MUST(cuStreamCreate(&s->h, flags));
}

/* Destroys a stream that may have work, which runs on, and makes another. */
static void replace_stream(struct thread *t)
{
    if (shared_streams) return;
    int device = (int)upto(t, (size_t)devices);
    size_t k = upto(t, OWN_STREAMS);
    struct stream *s = &t->created[device][k];
    pthread_mutex_lock(&shared_lock);
    use(t, device);
    CUevent e;
    MUST(cuEventCreate(&e, 0));
    MUST(cuEventRecord(e, s->h));
    note(t, "destroy stream %d", s->number);
    MUST(cuStreamDestroy(s->h));
    if (chance(t, 50)) MUST(cuEventSynchronize(e));
    else MUST(cuStreamWaitEvent(t->legacy[device].h, e, 0));
    MUST(cuEventDestroy(e));
    struct stream *after = &t->legacy[device];
    for (int i = 0; i < OBJECTS; i++)
        if (t->objects[i].live && t->objects[i].last == s) t->objects[i].last = after;
    for (int i = 0; i < SHARED; i++)
        if (shared[i].live && shared[i].last == s) shared[i].last = after;
    make_stream(t, s, device, k);
    pthread_mutex_unlock(&shared_lock);
}

/* A thread that gives work to its own default stream and ends. */
struct brief {
    struct object *o;
    CUevent event;
    unsigned char value;
    CUresult result;
};
static void *brief_thread(void *data)
{
    struct brief *b = data;
    CUresult r = cuCtxSetCurrent(contexts[b->o->device]);
    if (!r) r = cuMemsetD8Async(b->o->address[0], b->value, b->o->size, CU_STREAM_PER_THREAD);
    if (!r) r = cuEventRecord(b->event, CU_STREAM_PER_THREAD);
    b->result = r;
    return NULL;
}
static void brief(struct thread *t, struct object *o)
{
    if (!is_linear(o) || is_host(o)) return;
    complete(t, o);
    use(t, o->device);
    struct brief b = { .o = o, .value = (unsigned char)draw(t) };
    MUST(cuEventCreate(&b.event, 0));
    pthread_t id;
    note(t, "a brief thread fills object %d", o->id);
    if (pthread_create(&id, NULL, brief_thread, &b)) fail(t, "pthread_create: %s", strerror(errno));
    pthread_join(id, NULL);
    MUST(b.result);
    memset(o->shadow, b.value, o->size);
    struct stream *s = pick_stream(t, o->device, !o->shared);
    if (chance(t, 50)) {
        MUST(cuEventSynchronize(b.event));
    } else {
        MUST(cuStreamWaitEvent(s->h, b.event, 0));
        o->last = s;
    }
    MUST(cuEventDestroy(b.event));
}

/* ---- the run --------------------------------------------------------------------- */

/*   a make/free   c linear copy   x box copy   r row copy   b batch   g graph   f fill   h host write   n host function
     v verify      l verify later  m remap      s replace a stream     t brief thread   S something with a shared object */
static const char ops[] = "aaacccccccxxxxxrbgffffhhnvvlllmstSSSS";

static int takes_part(const struct object *o) { return o && o->live; }

static void step(struct thread *t)
{
    char what = ops[upto(t, sizeof ops - 1)];
    if (only && !strchr(only, what) && what != 'a') return;
    struct object *o = any(t), *p = any(t);
    int lock = 0;
    if (what == 'S') {
        pthread_mutex_lock(&shared_lock);
        lock = 1;
        o = &shared[upto(t, SHARED)];
        if (chance(t, 50)) p = &shared[upto(t, SHARED)];
        what = "ccxffvlnaa"[upto(t, 10)];
    }
    switch (what) {
    case 'a': {
        struct object *x = lock ? o : &t->objects[upto(t, OBJECTS)];
        if (x->live) {
            if (!lock || chance(t, 20)) destroy(t, x);
        } else {
            make(t, x);
        }
        if (every && x->live) verify(t, x, 1);
        break;
    }
    case 'c': if (takes_part(o) && takes_part(p)) linear_copy(t, o, p); break;
    case 'x': if (takes_part(o) && takes_part(p)) box_copy(t, o, p); break;
    case 'r': if (takes_part(o) && takes_part(p)) row_copy(t, o, p); break;
    case 'b': batch_copy(t); break;
    case 'g': graph(t); break;
    case 'f': if (takes_part(o)) fill(t, o, 0); break;
    case 'h': if (takes_part(o)) host_write(t, o); break;
    case 'n': if (takes_part(o)) host_function(t, o); break;
    case 'v': if (takes_part(o)) { note(t, "verify object %d", o->id); verify(t, o, chance(t, 20)); } break;
    case 'l': if (takes_part(o)) verify_later(t, o); break;
    case 'm': if (takes_part(o)) remap(t, o); break;
    case 's': replace_stream(t); break;
    case 't': if (takes_part(o) && chance(t, 30)) brief(t, o); break;
    }
    if (every && what != 'a') {
        if (takes_part(o)) verify(t, o, 1);
        if (takes_part(p)) verify(t, p, 1);
    }
    if (lock) pthread_mutex_unlock(&shared_lock);
    atomic_fetch_add(&done_operations, 1);
}

static double now(void)
{
    struct timespec s;
    clock_gettime(CLOCK_MONOTONIC, &s);
    return (double)s.tv_sec + (double)s.tv_nsec / 1e9;
}
static double until;

/* Lets every device use the memory of a pool. */
static void grant(struct thread *t, CUmemoryPool pool)
{
    CUmemAccessDesc access[DEVICES];
    memset(access, 0, sizeof access);
    for (int d = 0; d < devices; d++) {
        access[d].location.type = CU_MEM_LOCATION_TYPE_DEVICE;
        access[d].location.id = d;
        access[d].flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    }
    MUST(cuMemPoolSetAccess(pool, access, (size_t)devices));
}

static void *run(void *data)
{
    struct thread *t = data;
    t->current = -1;
    t->lines = calloc(LINES, sizeof *t->lines);
    for (int d = 0; d < devices; d++) {
        use(t, d);
        t->legacy[d] = (struct stream){ chance(t, 50) ? NULL : CU_STREAM_LEGACY, d, LEGACY, d * 10 };
        t->legacy[d].h = CU_STREAM_LEGACY;
        t->own_default[d] = (struct stream){ CU_STREAM_PER_THREAD, d, PER_THREAD, d * 10 + 1 };
        for (size_t k = 0; k < OWN_STREAMS && !shared_streams; k++) {
            make_stream(t, &t->created[d][k], d, k);
            t->created[d][k].number = d * 10 + 2 + (int)k + 100 * t->number;
        }
        if (TRY(cuMemAlloc(&t->words[d], 4 * WORDS))) MUST(cuMemsetD8(t->words[d], 0, 4 * WORDS));
        t->used_words[d] = 0;
        CUmemPoolProps props;
        memset(&props, 0, sizeof props);
        props.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
        props.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
        props.location.id = d;
        if (!TRY(cuMemPoolCreate(&t->pool[d], &props))) t->pool[d] = NULL;
        else grant(t, t->pool[d]);
        pthread_mutex_lock(&capture_lock);
        MUST(cuCtxSynchronize());
        pthread_mutex_unlock(&capture_lock);
    }
    for (int i = 0; i < SLOTS; i++) {
        void *p = NULL;
        if (TRY(cuMemAllocHost(&p, SLOT_BYTES))) {
            t->slots[i].bytes = p;
            t->slots[i].expected = malloc(SLOT_BYTES);
        }
    }
    for (t->op = 0; t->op < operations; t->op++) {
        if (until > 0 && now() > until) break;
        step(t);
    }
    note(t, "the end");
    for (int i = 0; i < SLOTS; i++) {
        settle(t, &t->slots[i]);
        if (t->slots[i].bytes) MUST(cuMemFreeHost(t->slots[i].bytes));
        free(t->slots[i].expected);
    }
    for (int i = 0; i < OBJECTS; i++)
        if (t->objects[i].live) {
            verify(t, &t->objects[i], 1);
            destroy(t, &t->objects[i]);
        }
    /* Streams of other threads may still wait for words of this one, and shared objects for its streams. */
    pthread_mutex_lock(&shared_lock);
    pthread_mutex_lock(&capture_lock);
    for (int d = 0; d < devices; d++) {
        use(t, d);
        MUST(cuCtxSynchronize());
    }
    pthread_mutex_unlock(&capture_lock);
    for (int i = 0; i < SHARED; i++)
        if (shared[i].live && shared[i].last)
            for (int d = 0; d < devices; d++) {
                if (shared[i].last == &t->legacy[d] || shared[i].last == &t->own_default[d]) shared[i].last = NULL;
                for (int k = 0; k < OWN_STREAMS; k++)
                    if (shared[i].last == &t->created[d][k]) shared[i].last = NULL;
            }
    for (int d = 0; d < devices; d++) {
        use(t, d);
        for (int k = 0; k < OWN_STREAMS && !shared_streams; k++) MUST(cuStreamDestroy(t->created[d][k].h));
        if (t->words[d]) MUST(cuMemFree(t->words[d]));
        t->words[d] = 0;
        if (t->pool[d]) MUST(cuMemPoolDestroy(t->pool[d]));
    }
    t->ended = 1;
    pthread_mutex_unlock(&shared_lock);
    free(t->lines);
    t->lines = NULL;
    return NULL;
}

static long entries(const char *folder)
{
    DIR *d = opendir(folder);
    if (!d) return 0;
    long n = 0;
    while (readdir(d)) n++;
    closedir(d);
    return n;
}

struct resources {
    long descriptors, names, threads;
    size_t free[DEVICES];
};

static int own_names;

/* Gives the program a /dev/shm of its own, where it may: other programs come and go with theirs. Else names are not counted. */
static void take_names_apart(void)
{
    own_names = !unshare(CLONE_NEWNS) && !mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) &&
                !mount("none", "/dev/shm", "tmpfs", 0, NULL);
}

static struct resources take_stock(struct thread *t)
{
    struct resources r;
    memset(&r, 0, sizeof r);
    for (int d = 0; d < devices; d++) {
        size_t total;
        use(t, d);
        CUmemoryPool pool;
        if (cuDeviceGetDefaultMemPool(&pool, d) == CUDA_SUCCESS) cuMemPoolTrimTo(pool, 0);
        if (cuMemGetInfo(&r.free[d], &total)) r.free[d] = 0;
    }
    r.descriptors = entries("/proc/self/fd");
    if (own_names) r.names = entries("/dev/shm");
    r.threads = entries("/proc/self/task");
    return r;
}

static void one_round(struct thread *all, int round)
{
    memset(shared, 0, sizeof shared);
    for (int i = 0; i < SHARED; i++) shared[i].shared = 1;
    for (long i = 0; i < thread_count; i++) {
        struct thread *t = &all[i];
        memset(t, 0, sizeof *t);
        t->number = (int)i;
        t->random = seed * 0x9e3779b97f4a7c15ull + (uint64_t)i * 0xd1342543de82ef95ull + (uint64_t)round * 77;
    }
    for (long i = 1; i < thread_count; i++)
        if (pthread_create(&all[i].id, NULL, run, &all[i])) fail(NULL, "pthread_create: %s", strerror(errno));
    run(&all[0]);
    for (long i = 1; i < thread_count; i++) pthread_join(all[i].id, NULL);
    struct thread *t = &all[0];
    t->line = 0;
    t->lines = calloc(LINES, sizeof *t->lines);
    for (int i = 0; i < SHARED; i++)
        if (shared[i].live) {
            verify(t, &shared[i], 1);
            destroy(t, &shared[i]);
        }
    for (int d = 0; d < devices; d++) {
        use(t, d);
        MUST(cuCtxSynchronize());
    }
}

int main(int argc, char **argv)
{
    struct thread *t = NULL;
    for (int i = 1; i < argc; i++) {
        char *value = strchr(argv[i], '=');
        long n = value ? strtol(value + 1, NULL, 0) : 1;
        if (!strncmp(argv[i], "seed=", 5)) seed = strtoull(value + 1, NULL, 0);
        else if (!strncmp(argv[i], "ops=", 4)) operations = n;
        else if (!strncmp(argv[i], "threads=", 8)) thread_count = n;
        else if (!strncmp(argv[i], "rounds=", 7)) rounds = n;
        else if (!strncmp(argv[i], "seconds=", 8)) seconds = n;
        else if (!strncmp(argv[i], "streams=", 8)) shared_streams = n;
        else if (!strncmp(argv[i], "every=", 6)) every = n;
        else if (!strncmp(argv[i], "race=", 5)) race = n;
        else if (!strncmp(argv[i], "real=", 5)) real = n;
        else if (!strncmp(argv[i], "strict=", 7)) strict = n;
        else if (!strncmp(argv[i], "log=", 4)) log_all = n;
        else if (!strncmp(argv[i], "only=", 5)) only = value + 1;
        else {
            fprintf(stderr, "model: unknown argument %s\n", argv[i]);
            return 2;
        }
    }
    if (shared_streams > 64) shared_streams = 64;
    take_names_apart();
    MUST(cuInit(0));
    MUST(cuDeviceGetCount(&devices));
    if (devices > DEVICES) devices = DEVICES;
    for (int d = 0; d < devices; d++) MUST(cuDevicePrimaryCtxRetain(&contexts[d], d));
    for (int d = 0; d < devices; d++) {
        CUmemoryPool pool;
        MUST(cuDeviceGetDefaultMemPool(&pool, d));
        grant(t, pool);
        MUST(cuCtxSetCurrent(contexts[d]));
        for (int peer = 0; peer < devices; peer++)
            if (peer != d) MUST(cuCtxEnablePeerAccess(contexts[peer], 0));
    }
    if (shared_streams && shared_streams < devices) shared_streams = devices;
    struct thread *all = calloc((size_t)thread_count, sizeof *all);
    t = &all[0];
    t->current = -1;
    t->lines = calloc(LINES, sizeof *t->lines);
    for (long i = 0; i < shared_streams; i++) {
        make_stream(t, &common[i], (int)(i % devices), (size_t)(i / devices));
        common[i].number = 1000 + (int)i;
    }
    free(t->lines);
    struct resources before = { 0 };
    if (seconds) rounds = 1000000;
    double start = now();
    if (seconds) until = start + (double)seconds;
    int round = 0;
    for (; round < rounds; round++) {
        if (until > 0 && now() > until) break;
        one_round(all, round);
        t = &all[0];
        struct resources after = take_stock(t);
        if (round == 0) {
            before = after;
        } else {
            for (int d = 0; d < devices; d++)
                if (!real && after.free[d] != before.free[d])
                    fail(t, "device %d has %zd bytes less free after round %d", d, (ssize_t)(before.free[d] - after.free[d]), round);
            /* Some are opened at the first use of what needs them. */
            if (after.descriptors > before.descriptors + 4)
                fail(t, "%ld descriptors after round %d, %ld before", after.descriptors, round, before.descriptors);
            if (after.names != before.names) fail(t, "%ld names in /dev/shm after round %d, %ld before", after.names, round, before.names);
            if (after.threads > 80) fail(t, "%ld threads after round %d", after.threads, round);
        }
        free(t->lines);
        t->lines = NULL;
        t = NULL;
    }
    for (long i = 0; i < shared_streams; i++) MUST(cuStreamDestroy(common[i].h));
    for (int d = 0; d < devices; d++) {
        CUresult r = cuDevicePrimaryCtxRelease(d);
        if (r && r != CUDA_ERROR_NOT_SUPPORTED) MUST(r);
    }
    free(all);
    printf("model: seed %llu: %ld operations in %d rounds, %.1f MB looked at, %ld calls not supported, %.1f s\n", (unsigned long long)seed,
           atomic_load(&done_operations), round, (double)atomic_load(&verified_bytes) / 1e6, atomic_load(&unsupported_calls), now() - start);
    return 0;
}
