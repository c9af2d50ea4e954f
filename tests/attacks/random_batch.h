/*
 * random_batch: random kernels (random_kernel.h), compiled together, with what they work on and the machine
 * that each is to run on, all from its seed; and what their memory holds afterwards, for comparison with that
 * of other ways to run them. Failures end the test with the kernel's source and how to repeat it.
 */
#ifndef TESTS_ATTACKS_RANDOM_BATCH_H
#define TESTS_ATTACKS_RANDOM_BATCH_H

#include "model/machine/machine.h"
#include "runtime/image.h"
#include "tests/attacks/random_expression.h"
#include "tests/attacks/random_kernel.h"

enum {
    RANDOM_BATCH = 25, /* kernels in one source file */
    RANDOM_ARGUMENTS = MEMORY_LOCAL_BASE - 0x1000,
    RANDOM_ARGUMENT_BYTES = 64,
    RANDOM_PARTS = 4
};

/* What a kernel sees and leaves behind: four buffers, in the order of its arguments. */
struct random_contents {
    uint32_t out[RANDOM_MOST_ITEMS * RANDOM_OUT_WORDS];
    uint32_t in[RANDOM_INPUT_WORDS], mid[RANDOM_MOST_ITEMS], counters[RANDOM_COUNTERS];
};
extern const struct random_part {
    const char *name;
    uint32_t base;
    size_t offset, size_bytes;
} random_parts[RANDOM_PARTS];
uint8_t *random_part_of(struct random_contents *c, unsigned part);

struct random_subject {
    uint64_t seed;
    struct random_kernel kernel;
    struct machine_config config; /* of the last machine that it ran on */
    uint8_t arguments[RANDOM_ARGUMENT_BYTES];
    struct random_contents before, after; /* after: on the machine in SIMT mode */
    bool differs;                         /* some other way left other contents */
    uint64_t scalar_instructions;         /* warp instructions that random_batch_run_on() has checked */
};

struct random_batch {
    unsigned count;
    struct random_subject subject[RANDOM_BATCH];
    char *source;
    struct image *image;
    struct machine_code code;
};

/* Kernels of the seeds from `seed`, compiled, and run on the machine in SIMT mode. */
struct random_batch *random_batch_make(uint64_t seed, unsigned count);
/* The same kernels, compiled with an option of the compiler's, and another (NULL: none). */
void random_batch_compile_again(struct random_batch *b, char *option, char *more);
void random_batch_free(struct random_batch *b);

/* Runs one on its machine; mode: further settings, with spaces between. */
void random_batch_run(const struct random_batch *b, struct random_subject *s, const char *mode,
                      struct random_contents *c);
/* Runs one on the machine given; `where`: what that is, for messages. With `checks`,
 * machine_set_check_places() is on; with kernel.scalarize, machine_set_check_scalar(), and the subject says
 * how many instructions were executed as scalars. */
void random_batch_run_on(const struct random_batch *b, struct random_subject *s,
                         const struct machine_config *config, bool checks, const char *where,
                         struct random_contents *c);
/* Is what another way left the same? If not, marks it and says so (`where` it was), if `say`. */
bool random_batch_same(struct random_subject *s, struct random_contents *other, const char *where, bool say);

#endif
