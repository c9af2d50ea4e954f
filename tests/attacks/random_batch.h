/* random_batch: random kernels (random_kernel.h), compiled together, each with its buffers and its machine,
 * all from the seed. The batch also gives the contents of memory after a launch, for comparison with other
 * ways to run the kernels. Failures end the test with the kernel's source and the command that repeats it. */
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

/* Contents of a kernel's buffers before or after a launch: four buffers, in the order of its arguments. */
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
    struct machine_config config; /* configuration of the latest machine */
    uint8_t arguments[RANDOM_ARGUMENT_BYTES];
    struct random_contents before, after; /* after: on the machine in SIMT mode */
    bool differs;                         /* another way to run the kernel had other results */
    bool exact;                           /* random_batch_run_on() visits every cycle */
    uint64_t cycles;                      /* cycles of the latest launch */
    uint64_t scalar_instructions;         /* number of warp instructions that random_batch_run_on() has
                                           * checked */
};

struct random_batch {
    unsigned count;
    struct random_subject subject[RANDOM_BATCH];
    char *source;
    struct image *image;
    struct machine_code code;
};

/* Compiles kernels of the seeds from `seed` on and runs them on the machine in SIMT mode. */
struct random_batch *random_batch_make(uint64_t seed, unsigned count);
/* Compiles the same kernels with an option of the compiler, and another one (NULL: none). */
void random_batch_compile_again(struct random_batch *b, char *option, char *more);
void random_batch_free(struct random_batch *b);

/* Runs a kernel on its machine. mode: further settings, separated by blanks. */
void random_batch_run(const struct random_batch *b, struct random_subject *s, const char *mode,
                      struct random_contents *c);
/* Runs a kernel on a given machine. `where` describes it in messages. With `checks`,
 * machine_set_check_places() is on, and with kernel.scalarize also machine_set_check_scalar(); the subject
 * then has the number of scalar instructions. */
void random_batch_run_on(const struct random_batch *b, struct random_subject *s,
                         const struct machine_config *config, bool checks, const char *where,
                         struct random_contents *c);
/* Returns whether another way to run the kernel left the same contents. Otherwise marks the kernel and, with
 * `say`, prints a message with `where`. */
bool random_batch_same(struct random_subject *s, struct random_contents *other, const char *where, bool say);

#endif
