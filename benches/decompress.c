/* Batches of compressed buffers, beside the best C library of each format, on one thread and on one for each core. Which
 * libraries there are, the build says: HAVE_LZ4, HAVE_SNAPPY, HAVE_LIBDEFLATE. */
#include "bench.h"
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>
#ifdef HAVE_LZ4
#include <lz4.h>
#include <lz4hc.h>
#endif
#ifdef HAVE_SNAPPY
#include <snappy-c.h>
#endif
#ifdef HAVE_LIBDEFLATE
#include <libdeflate.h>
#endif

#define CHUNKS 64
#define CHUNK_BYTES ((size_t)256 << 10)

static unsigned char *plain, *packed, *unpacked;
static size_t packed_at[CHUNKS], packed_bytes[CHUNKS];
static CUdeviceptr device_packed, device_unpacked;
static CUmemDecompressParams params[CHUNKS];
static CUdeviceptr actual;
static CUstream stream;
static int format, chunks;

static size_t pack(int i, unsigned char *to, size_t room, int level)
{
    const char *from = (char *)plain + (size_t)i * CHUNK_BYTES;
    switch (format) {
#ifdef HAVE_LZ4
    case CU_MEM_DECOMPRESS_ALGORITHM_LZ4:
        return (size_t)(level ? LZ4_compress_HC(from, (char *)to, (int)CHUNK_BYTES, (int)room, 9)
                              : LZ4_compress_default(from, (char *)to, (int)CHUNK_BYTES, (int)room));
#endif
#ifdef HAVE_SNAPPY
    case CU_MEM_DECOMPRESS_ALGORITHM_SNAPPY:
        if (snappy_compress(from, CHUNK_BYTES, (char *)to, &room)) return 0;
        return room;
#endif
#ifdef HAVE_LIBDEFLATE
    case CU_MEM_DECOMPRESS_ALGORITHM_DEFLATE: {
        struct libdeflate_compressor *c = libdeflate_alloc_compressor(level ? 9 : 6);
        size_t n = libdeflate_deflate_compress(c, from, CHUNK_BYTES, to, room);
        libdeflate_free_compressor(c);
        return n;
    }
#endif
    default: (void)i, (void)to, (void)room, (void)level, (void)from; return 0;
    }
}

/* The chunks, by as many threads as call this. */
static atomic_int next_chunk;
static void *unpack_chunks(void *data)
{
    (void)data;
#ifdef HAVE_LIBDEFLATE
    static _Thread_local struct libdeflate_decompressor *inflater;
    if (!inflater) inflater = libdeflate_alloc_decompressor();
#endif
    for (int i; (i = atomic_fetch_add(&next_chunk, 1)) < chunks;) {
        char *to = (char *)unpacked + (size_t)i * CHUNK_BYTES;
        const char *from = (char *)packed + packed_at[i];
        size_t n = CHUNK_BYTES;
        switch (format) {
#ifdef HAVE_LZ4
        case CU_MEM_DECOMPRESS_ALGORITHM_LZ4: n = (size_t)LZ4_decompress_safe(from, to, (int)packed_bytes[i], (int)CHUNK_BYTES); break;
#endif
#ifdef HAVE_SNAPPY
        case CU_MEM_DECOMPRESS_ALGORITHM_SNAPPY: snappy_uncompress(from, packed_bytes[i], to, &n); break;
#endif
#ifdef HAVE_LIBDEFLATE
        case CU_MEM_DECOMPRESS_ALGORITHM_DEFLATE: libdeflate_deflate_decompress(inflater, from, packed_bytes[i], to, CHUNK_BYTES, &n); break;
#endif
        default: (void)from; break;
        }
        if (n != CHUNK_BYTES) {
            fprintf(stderr, "bench: the library unpacked %zu bytes\n", n);
            exit(1);
        }
    }
    return NULL;
}
static void library(void *data)
{
    atomic_store(&next_chunk, 0);
    unpack_chunks(data);
}

/* The threads wait at a barrier between batches: starting them is not what is measured. */
static pthread_barrier_t begin, end;
static void *worker(void *data)
{
    for (;;) {
        pthread_barrier_wait(&begin);
        unpack_chunks(data);
        pthread_barrier_wait(&end);
    }
    return NULL;
}
static void library_on_all_cores(void *data)
{
    atomic_store(&next_chunk, 0);
    pthread_barrier_wait(&begin);
    unpack_chunks(data);
    pthread_barrier_wait(&end);
}

static void ours(void *data)
{
    (void)data;
    size_t wrong;
    OK(cuMemBatchDecompressAsync(params, (size_t)chunks, 0, &wrong, stream));
    OK(cuStreamSynchronize(stream));
}

static void measure(const char *name, const char *what, int algorithm, int level)
{
    format = algorithm;
    size_t at = 0, all = 0;
    for (int i = 0; i < CHUNKS; i++) {
        packed_at[i] = at;
        packed_bytes[i] = pack(i, packed + at, 2 * CHUNK_BYTES, level);
        if (!packed_bytes[i]) {
            printf("%-12s %-22s no library to compare with\n", name, what);
            return;
        }
        all += packed_bytes[i];
        at += (packed_bytes[i] + 127) / 128 * 128;
    }
    OK(cuMemcpyHtoD(device_packed, packed, at));
    for (int i = 0; i < CHUNKS; i++) {
        memset(&params[i], 0, sizeof params[i]);
        /* The engine takes Snappy's elements without the length in front of them. */
        size_t skip = 0;
        if (algorithm == CU_MEM_DECOMPRESS_ALGORITHM_SNAPPY)
            while (packed[packed_at[i] + skip++] & 128) continue;
        params[i].srcNumBytes = packed_bytes[i] - skip;
        params[i].dstNumBytes = CHUNK_BYTES;
        params[i].dstActBytes = (cuuint32_t *)(uintptr_t)(actual + 4 * (CUdeviceptr)i);
        params[i].src = (void *)(uintptr_t)(device_packed + packed_at[i] + skip);
        params[i].dst = (void *)(uintptr_t)(device_unpacked + (size_t)i * CHUNK_BYTES);
        params[i].algo = (CUmemDecompressAlgorithm)algorithm;
    }
    size_t wrong;
    if (cuMemBatchDecompressAsync(params, 1, 0, &wrong, stream) == CUDA_ERROR_NOT_SUPPORTED) {
        printf("%-12s %-22s not there yet\n", name, what);
        return;
    }
    for (chunks = 1; chunks <= CHUNKS; chunks *= CHUNKS) {
        double peer, us;
        duel(chunks == 1 ? 16 : 1, library, ours, NULL, &peer, &us);
        double bytes = (double)chunks * (double)CHUNK_BYTES;
        printf("%-12s %-22s %3d chunks, ratio %4.2f: %8.3f %8.3f %6.2f", name, what, chunks,
               (double)all / (double)(CHUNKS * CHUNK_BYTES), bytes / peer, bytes / us, peer / us);
        if (chunks > 1) {
            duel(1, library_on_all_cores, ours, NULL, &peer, &us);
            printf("   on all cores %8.3f %8.3f %6.2f", bytes / peer, bytes / us, peer / us);
        }
        printf("\n");
    }
    unsigned char *back = malloc(CHUNKS * CHUNK_BYTES);
    OK(cuMemcpyDtoH(back, device_unpacked, CHUNKS * CHUNK_BYTES));
    if (memcmp(back, plain, CHUNKS * CHUNK_BYTES)) {
        fprintf(stderr, "bench: %s: wrong bytes\n", name);
        exit(1);
    }
    free(back);
}

/* Fills `plain` from files, over and over. */
static void load(char **files, int n)
{
    size_t have = 0;
    while (have < CHUNKS * CHUNK_BYTES) {
        size_t before = have;
        for (int i = 0; i < n && have < CHUNKS * CHUNK_BYTES; i++) {
            FILE *f = fopen(files[i], "rb");
            if (!f) continue;
            have += fread(plain + have, 1, CHUNKS * CHUNK_BYTES - have, f);
            fclose(f);
        }
        if (have == before) {
            fprintf(stderr, "bench: nothing to compress\n");
            exit(1);
        }
    }
}

/* decompress TEXT... -- BINARY... */
int main(int argc, char **argv)
{
    start();
    plain = malloc(CHUNKS * CHUNK_BYTES);
    OK(cuMemAllocHost((void **)&packed, 2 * CHUNKS * CHUNK_BYTES));
    OK(cuMemAllocHost((void **)&unpacked, CHUNKS * CHUNK_BYTES));
    OK(cuMemAlloc(&device_packed, 2 * CHUNKS * CHUNK_BYTES));
    OK(cuMemAlloc(&device_unpacked, CHUNKS * CHUNK_BYTES));
    OK(cuMemAlloc(&actual, CHUNKS * 4));
    memset(unpacked, 1, CHUNKS * CHUNK_BYTES);
    OK(cuMemsetD8(device_unpacked, 1, CHUNKS * CHUNK_BYTES));
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    /* As many as cuMemBatchDecompressAsync uses. */
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (cores > 8) cores = 8;
    pthread_barrier_init(&begin, NULL, (unsigned)cores);
    pthread_barrier_init(&end, NULL, (unsigned)cores);
    for (long i = 1; i < cores; i++) {
        pthread_t t;
        if (pthread_create(&t, NULL, worker, NULL)) exit(1);
    }
    int split = 1;
    while (split < argc && strcmp(argv[split], "--")) split++;
    printf("\ndecompression: GB/s of unpacked bytes: the C library in one thread, cuMemBatchDecompressAsync, and the ratio\n");
    for (int binary = 0; binary < 2; binary++) {
        const char *what = binary ? "machine code" : "source text";
        if (binary && split + 1 < argc) load(argv + split + 1, argc - split - 1);
        else load(argv + 1, split - 1);
        measure("LZ4", what, CU_MEM_DECOMPRESS_ALGORITHM_LZ4, 0);
        measure("LZ4 (HC)", what, CU_MEM_DECOMPRESS_ALGORITHM_LZ4, 1);
        measure("Snappy", what, CU_MEM_DECOMPRESS_ALGORITHM_SNAPPY, 0);
        measure("Deflate", what, CU_MEM_DECOMPRESS_ALGORITHM_DEFLATE, 0);
        measure("Deflate (9)", what, CU_MEM_DECOMPRESS_ALGORITHM_DEFLATE, 1);
    }
    /* Bytes without structure: what is stored, not packed. */
    uint64_t x = 88172645463325252ull;
    for (size_t i = 0; i < CHUNKS * CHUNK_BYTES; i += 8) {
        x ^= x << 13; x ^= x >> 7; x ^= x << 17;
        memcpy(plain + i, &x, 8);
    }
    measure("LZ4", "noise", CU_MEM_DECOMPRESS_ALGORITHM_LZ4, 0);
    measure("Snappy", "noise", CU_MEM_DECOMPRESS_ALGORITHM_SNAPPY, 0);
    measure("Deflate", "noise", CU_MEM_DECOMPRESS_ALGORITHM_DEFLATE, 0);
    return 0;
}
