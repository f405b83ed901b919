// What an instruction on registers should give (model.c).
#include <stdint.h>

// `in`: the words of the operands of thread k; `out`: the two words that its kernel writes. 0 if there is no model.
int model(const char *line, const uint64_t *in, uint64_t k, uint64_t *out);
int video(const char *line, const uint64_t *in, uint64_t *out);
int conversion(const char *line, const uint64_t *in, uint64_t *out);
