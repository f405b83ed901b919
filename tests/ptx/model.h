// What an instruction on registers should give (model.c).
#include <stdint.h>

// `in`: the words of the operands of thread k; `out`: the two words that its kernel writes. 0 if there is no model.
int model(const char *line, const uint64_t *in, uint64_t k, uint64_t *out);
int video(const char *line, const uint64_t *in, uint64_t *out);
int conversion(const char *line, const uint64_t *in, uint64_t *out);

// Gives the word that an array has for a thread.
typedef uint64_t reader(void *of, int array, uint64_t thread);

// The same for kernels of tests/ptx/kernels, which see the words of other threads, too. A file of models has one of these, and
// forms.c lists it.
typedef int kernel_model(const char *line, reader *read, void *of, uint64_t k, uint64_t *out);
kernel_model atomic, barrier, control, copies, memory, narrow, warp_wide;
