/* commit: launches of a design that end before their checker, and commits as large as they can be.
 * Links: $(LIBRARY_OBJECTS) */
#include "library/lockstep.h"
#include "tests/library/kernel_image.h"
#include "tests/fixture.h"

enum { ITEMS = 256, GROUP = 64 };

static const char *const modes[] = {"mode=mimd", "mode=simt simt.warp_size=16"};

static int compile(void **state) {
    (void)state;
    return kernel_image_make("library/examples/powers.cl");
}

static void must(bool good) {
    if (!good) fail_msg("%s", lockstep_error());
}

#define REFUSED(call, part)                                                                                  \
    do {                                                                                                     \
        assert_false(call);                                                                                  \
        assert_says(lockstep_error(), part);                                                                 \
    } while (0)

/* A launch of `powers` on a design of one core or warp. */
static struct lockstep_checker *begin(const char *settings, struct lockstep_machine **m) {
    static const struct lockstep_range range = {{ITEMS}, {GROUP}};
    const float exponent = 2;
    *m = lockstep_create(NULL, settings, kernel_image_path);
    must(*m != NULL);
    must(lockstep_kernel(*m, "powers") && lockstep_value(*m, &exponent, sizeof exponent));
    for (unsigned n = 0; n < 2; ++n) must(lockstep_pointer(*m, lockstep_buffer(*m, 4 * ITEMS, NULL)));
    struct lockstep_checker *c = lockstep_checker_create(*m, &range, 1);
    must(c != NULL);
    return c;
}

/* Each of seven commits keeps 52 rows: 50 registers without r15, of which the flags are four rows. All are
 * undone, so the registers have their first values. */
static void all_registers_are_skipped(void **state) {
    (void)state;
    enum { SKIPS = 7 };
    uint32_t value[50], before[50];
    struct lockstep_machine *m;
    struct lockstep_checker *c = begin(modes[0], &m);
    struct lockstep_committed all = {.mask = 1, .passed = 1, .kind = LOCKSTEP_SKIPPED, .values = value};
    all.destinations = ((UINT64_C(1) << 50) - 1) & ~(UINT64_C(1) << 15);
    for (unsigned k = 0; k < 50; ++k) before[k] = k == 15 ? 0 : lockstep_checker_register(c, 0, 0, k);
    for (unsigned n = 1; n <= SKIPS; ++n) {
        for (unsigned k = 0; k < 49; ++k) value[k] = n << 28 | k;
        all.pc = lockstep_checker_pc(c, 0, 0);
        must(lockstep_commit(c, &all, 1));
        assert_int_equal(lockstep_checker_register(c, 0, 0, LOCKSTEP_FPSCR), n << 28 | 48);
    }
    const struct lockstep_committed elsewhere = {.pc = 2, .mask = 1};
    REFUSED(lockstep_commit(c, &elsewhere, 1), "the PC is 0x00000002");
    assert_int_equal(lockstep_checker_rewind(c, SKIPS), SKIPS);
    for (unsigned k = 0; k < 50; ++k)
        if (k != 15) assert_int_equal(lockstep_checker_register(c, 0, 0, k), before[k]);
    lockstep_checker_destroy(c);
    lockstep_destroy(m);
}

/* Every function of a checker whose launch has ended. */
static void assert_closed(struct lockstep_checker *c) {
    static const struct lockstep_committed one = {.mask = 1};
    static const char has_ended[] = "the checker's launch has ended";
    struct lockstep_difference d;
    char text[64];
    REFUSED(lockstep_commit(c, &one, 1), has_ended);
    REFUSED(lockstep_checker_running(c), has_ended);
    REFUSED(lockstep_checker_end(c), has_ended);
    REFUSED(lockstep_checker_memory(c, 0, 0x10000, 4), has_ended);
    REFUSED(lockstep_checker_coprocessor(c, 0, 0, 0), has_ended);
    REFUSED(lockstep_checker_start(c, 0, (uint32_t[]){0, 0, 0}, 0), has_ended);
    REFUSED(lockstep_checker_difference(c, &d), has_ended);
    REFUSED(lockstep_checker_rewind(c, 1), has_ended);
    REFUSED(lockstep_checker_print(c, 1, text, sizeof text), has_ended);
    lockstep_checker_destroy(c);
}

/* The machine is destroyed before the checker, or its program goes on or ends. */
static void a_checker_outlives_its_launch(void **state) {
    (void)state;
    char *program = fixture_host("vector_add");
    int status;
    struct lockstep_machine *m;
    struct lockstep_checker *c = begin(modes[1], &m);
    lockstep_destroy(m);
    assert_closed(c);
    for (unsigned n = 0; n < 3; ++n) {
        m = lockstep_create(NULL, modes[n % 2], NULL);
        must(lockstep_program(m, (char *[]){program, NULL}));
        REFUSED(lockstep_buffer(m, 4, NULL), "a program runs");
        must(lockstep_program_launch(m));
        c = lockstep_checker_create(m, NULL, 1);
        must(c != NULL);
        if (n == 0) lockstep_program_launch(m);
        if (n < 2) REFUSED(lockstep_program_end(m, &status), "the design has not executed it");
        if (n == 2) lockstep_destroy(m);
        assert_closed(c);
        if (n < 2) lockstep_destroy(m);
    }
    m = lockstep_create(NULL, modes[0], NULL);
    assert_true(lockstep_buffer(m, 4, NULL) != 0);
    REFUSED(lockstep_program(m, (char *[]){program, NULL}), "the machine has buffers");
    lockstep_destroy(m);
    free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_registers_are_skipped),
        TEST(a_checker_outlives_its_launch),
    };
    return cmocka_run_group_tests(tests, compile, kernel_image_remove);
}
