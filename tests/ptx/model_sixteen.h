// What instructions with two operands of 16 bits should give (model_sixteen.c).
#include <stdint.h>

// Takes an instruction; 0 if there is no model of it.
int sixteen_form(const char *line);

// How many results it has.
int sixteen_results(void);

// Its results for sixteen first operands, one second and one third; `more`: second results.
void sixteen(const uint32_t *first, uint32_t second, uint32_t third, uint32_t *out, uint32_t *more);
