/* commit_bench: a launch of a kernel of tests/kernels/commit.cl on a design, for tests of the commit checker.
 */
#ifndef TESTS_LIBRARY_COMMIT_BENCH_H
#define TESTS_LIBRARY_COMMIT_BENCH_H

#include "tests/library/commit_design.h"
#include "tests/fixture.h"

enum { ITEMS = 192, GROUP = 64, UNITS = 5, OUT_BYTES = (128 + ITEMS) * 8 };

struct bench {
    struct lockstep_machine *machine;
    struct lockstep_checker *checker;
    struct exclusive_monitor monitor;
    struct design design;
    uint32_t *in, *out;
    uint32_t at_in, at_out;
};

/* The call fails, and the message has this part. */
#define REFUSED(call, part)                                                                                  \
    do {                                                                                                     \
        assert_false(call);                                                                                  \
        assert_says(lockstep_error(), part);                                                                 \
    } while (0)

extern const struct lockstep_range bench_range;
extern const char *const bench_modes[3];

/* Compiles the kernels: the set-up of a group of tests. */
int bench_compile(void **state);
/* Fails the test with the library's message if `good` is false. */
void must(bool good);
/* Prepares a launch of the kernel; begins it; ends it. */
void bench_prepare(struct bench *b, const char *settings, const char *kernel);
void bench_begin(struct bench *b, const char *settings, const char *kernel);
void bench_end(struct bench *b);
/* Runs the design. */
bool bench_run(struct bench *b);

/* Kind of the commit whose report by the design is changed. */
enum kind {
    ANY,
    ARITHMETIC,
    FLAGS,
    FPSCR,
    VFP,
    SEVERAL,
    LOAD,
    STORE,
    STORE_HALF,
    STORE_SEVERAL,
    CONDITIONAL,
    NOT_PASSED,
    PARTED,
    GROUP_TAKEN
};

bool bench_is_kind(const struct arm_instruction *i, const struct design_commit *t, enum kind kind);

/* Runs a core or a warp alone and records its reports in kept[], which the caller frees. */
enum { MOST = 4000 };
extern struct design_commit *kept;
extern size_t kept_count;
void bench_record(struct bench *b, const char *mode);

#endif
