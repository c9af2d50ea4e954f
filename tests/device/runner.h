/* runner: runs functions of the device library (functions.def) on operands and returns their results.
 * Requests are collected; one qemu-arm process executes all of them.
 * Needs: $(DEVICE_TEST)/functions */
#ifndef TESTS_DEVICE_RUNNER_H
#define TESTS_DEVICE_RUNNER_H

#include "tests/device/types.h"

#include <stdbool.h>
#include <stddef.h>

enum function_id {
#define X(id, R, A, B, C, expression) ID_##id,
#include "tests/device/functions.def"
#undef X
    FUNCTION_COUNT
};

/* OpenCL's types, in functions.def by their names. */
enum kind {
    KIND_char,
    KIND_uchar,
    KIND_short,
    KIND_ushort,
    KIND_int,
    KIND_uint,
    KIND_long,
    KIND_ulong,
    KIND_float,
    KIND_double
};
extern const unsigned kind_bytes[];

struct function {
    const char *name;
    enum kind result, a, b, c;
};
extern const struct function functions[FUNCTION_COUNT];

/* Operands and results of one function; n of each. */
struct calls {
    unsigned n;
    void *a, *b, *c, *result;
};
extern struct calls calls[FUNCTION_COUNT];

/* Fills in operands: each special value (all combinations of the first operands), then random ones of all
 * magnitudes. */
void runner_operands(enum function_id id, unsigned n);
/* Executes all requests. Fails the test if that is not possible. */
void runner_run(void);
void runner_free(void);

uint64_t runner_random(void);
void runner_seed(void); /* seed of the environment variable SEED, or a fixed one, which is printed */

/* Returns the value of element i as a number, exact for every type. */
long double runner_value(const void *array, enum kind kind, unsigned i);
__int128 runner_integer(const void *array, enum kind kind, unsigned i);

#endif
