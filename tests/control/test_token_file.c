/* token_file: tokens are set and cleared by the rules, and the read ports have what an instruction needs. */
#include "model/control/token_file.h"
#include "tests/panic.h"
#include "tests/seed.h"

static struct token_file file;
static struct token_file_out out; /* outputs of the latest cycle */

#define NZCV  (1ull << 48)
#define FPSCR (3ull << 49)

static void cycle(void) {
    token_file_eval(&file);
    out = file.out;
    token_file_clock(&file);
}

static void start(void) {
    token_file_init(&file, 4, TOKEN_REGISTERS);
    file.in.start = true;
    file.in.start_warps = 15;
    cycle();
}

static void write_by(unsigned warp, uint64_t destinations, bool full, bool uniform, uint64_t broadcast) {
    file.in.write_warp = warp;
    file.in.write_destinations = destinations;
    file.in.write_full = full;
    file.in.write_uniform = uniform;
    file.in.write_broadcast = broadcast;
    cycle();
}

static uint64_t tokens_of(unsigned warp) {
    file.in.read_warp = warp;
    cycle();
    return out.tokens;
}

static void after_a_reset_nothing_is_uniform(void **state) {
    (void)state;
    start();
    token_file_reset(&file);
    for (unsigned w = 0; w < 4; ++w) assert_int_equal(tokens_of(w), 0);
}

static void a_work_group_begins_with_r0_and_the_states(void **state) {
    (void)state;
    start();
    for (unsigned w = 0; w < 4; ++w) assert_int_equal(tokens_of(w), 0x7000000000001);
    assert_int_equal(file.token[4], 0); /* there are four */
    write_by(2, 0x10, true, true, 0);
    file.in.start = true;
    file.in.start_warps = 15;
    cycle();
    assert_int_equal(tokens_of(2), 0x7000000000001);
}

/* Work-groups of other warps are in flight. */
static void a_start_is_of_its_warps_only(void **state) {
    (void)state;
    start();
    write_by(1, 0x30, true, true, 0);
    write_by(2, 0x30, true, true, 0);
    file.in.start = true;
    file.in.start_warps = 4;
    cycle();
    assert_int_equal(tokens_of(1), 0x7000000000031);
    assert_int_equal(tokens_of(2), 0x7000000000001);
}

static void a_uniform_write_under_a_full_mask_sets(void **state) {
    (void)state;
    start();
    write_by(1, 0x30, true, true, 0); /* r4, r5 */
    assert_int_equal(tokens_of(1), 0x7000000000031);
    assert_int_equal(tokens_of(0), 0x7000000000001);
}

static void any_other_write_clears(void **state) {
    (void)state;
    start();
    write_by(1, 0xf0, true, true, 0);
    write_by(1, 0x10, true, false, 0);
    assert_int_equal(tokens_of(1), 0x70000000000e1);
    write_by(1, 0x20, false, true, 0x20); /* only some threads */
    assert_int_equal(tokens_of(1), 0x70000000000c1);
    write_by(1, NZCV | 1, true, false, 0);
    assert_int_equal(tokens_of(1), FPSCR | 0xc0);
}

/* LDR r4, [r5], #4 with r5 not uniform but equal addresses: the loaded value is uniform, r5 is not. */
static void a_broadcast_load_sets_what_it_loads(void **state) {
    (void)state;
    start();
    write_by(3, 0x20, true, true, 0);
    write_by(3, 0x30, true, false, 0x10);
    assert_int_equal(tokens_of(3), 0x7000000000011);
    write_by(3, 0x10, false, false, 0x10);
    assert_int_equal(tokens_of(3), 0x7000000000001);
    write_by(3, 0x10, true, false, 0x30); /* r5 is no destination */
    assert_int_equal(tokens_of(3), 0x7000000000011);
}

static void read_by(unsigned warp, uint64_t sources, uint64_t destinations, bool full) {
    file.in.read_warp = warp;
    file.in.read_sources = sources;
    file.in.read_destinations = destinations;
    file.in.read_full = full;
    cycle();
}

static void uniform_is_what_has_only_uniform_sources(void **state) {
    (void)state;
    start();
    write_by(0, 6, true, true, 0);
    read_by(0, 6, 8, true);
    assert_true(out.uniform);
    assert_int_equal(out.copies, 0);
    read_by(0, 14, 8, true);
    assert_false(out.uniform);
    read_by(0, 0, 8, true);
    assert_true(out.uniform);
    read_by(1, 6, 8, true);
    assert_false(out.uniform);
    read_by(0, 6, 8, false);
    assert_false(out.uniform);
}

/* r1 and r2 are uniform: a write of r1 and r3 by some threads copies r1, whether it reads it or not. */
static void a_partial_write_needs_copies_of_what_is_uniform(void **state) {
    (void)state;
    start();
    write_by(0, 6, true, true, 0);
    read_by(0, 4, 10, false);
    assert_int_equal(out.copies, 2);
    read_by(0, 2, 10, false);
    assert_int_equal(out.copies, 2);
    read_by(0, 4, 10, true);
    assert_int_equal(out.copies, 0);
    read_by(1, 4, 10, false);
    assert_int_equal(out.copies, 0);
}

static void a_condition_needs_uniform_flags(void **state) {
    (void)state;
    start();
    write_by(0, 6, true, true, 0);
    file.in.read_conditional = true;
    read_by(0, 4, 2, true);
    assert_true(out.uniform);
    assert_int_equal(out.copies, 0);
    write_by(0, NZCV, true, false, 0);
    file.in.read_conditional = true;
    read_by(0, 4, 2, true);
    assert_false(out.uniform);
    assert_int_equal(out.copies, 2);
    file.in.read_conditional = true;
    file.in.read_fails = true; /* for the first thread: no information about the others */
    read_by(0, 4, 2, true);
    assert_int_equal(out.copies, 2);
}

static void what_fails_for_all_copies_nothing(void **state) {
    (void)state;
    start();
    write_by(0, 6, true, true, 0);
    file.in.read_conditional = file.in.read_fails = true;
    read_by(0, 4, 2, false);
    assert_int_equal(out.copies, 0);
    file.in.read_fails = true; /* no condition that could fail */
    read_by(0, 4, 2, false);
    assert_int_equal(out.copies, 2);
}

/* The write of a cycle is not seen by the reading in it. */
static void reading_is_before_writing(void **state) {
    (void)state;
    start();
    file.in.read_warp = 1;
    write_by(1, 2, true, true, 0);
    assert_int_equal(out.tokens, 0x7000000000001);
    assert_int_equal(tokens_of(1), 0x7000000000003);
}

/* A start in the cycle of a write wins. */
static void a_start_forgets_the_write_of_its_cycle(void **state) {
    (void)state;
    start();
    file.in.start = true;
    file.in.start_warps = 15;
    write_by(1, 3, true, false, 0);
    assert_int_equal(tokens_of(1), 0x7000000000001);
}

static void evaluating_twice_changes_nothing(void **state) {
    (void)state;
    start();
    file.in.write_destinations = 1;
    token_file_eval(&file);
    file.in.write_destinations = 2;
    file.in.write_full = file.in.write_uniform = true;
    cycle();
    assert_int_equal(tokens_of(0), 0x7000000000003);
}

static void init_with(void *sizes) {
    const unsigned *n = sizes;
    token_file_init(&file, n[0], n[1]);
}

static void evaluate(void *context) {
    (void)context;
    token_file_eval(&file);
}

static void what_cannot_be_panics(void **state) {
    (void)state;
    static unsigned sizes[][2] = {{0, 51}, {129, 51}, {1, 3}, {1, 65}};
    for (unsigned n = 0; n < 4; ++n) assert_true(panics(init_with, sizes[n]));
    assert_false(panics(init_with, (unsigned[]){64, 64}));
    assert_false(panics(init_with, (unsigned[]){1, 4}));
    uint32_t *const warps[] = {&file.in.read_warp, &file.in.write_warp};
    for (unsigned n = 0; n < 2; ++n) {
        start();
        *warps[n] = 3;
        assert_false(panics(evaluate, NULL));
        *warps[n] = 4;
        assert_true(panics(evaluate, NULL));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(after_a_reset_nothing_is_uniform),
        cmocka_unit_test(a_work_group_begins_with_r0_and_the_states),
        cmocka_unit_test(a_start_is_of_its_warps_only),
        cmocka_unit_test(a_uniform_write_under_a_full_mask_sets),
        cmocka_unit_test(any_other_write_clears),
        cmocka_unit_test(a_broadcast_load_sets_what_it_loads),
        cmocka_unit_test(uniform_is_what_has_only_uniform_sources),
        cmocka_unit_test(a_partial_write_needs_copies_of_what_is_uniform),
        cmocka_unit_test(a_condition_needs_uniform_flags),
        cmocka_unit_test(what_fails_for_all_copies_nothing),
        cmocka_unit_test(reading_is_before_writing),
        cmocka_unit_test(a_start_forgets_the_write_of_its_cycle),
        cmocka_unit_test(evaluating_twice_changes_nothing),
        cmocka_unit_test(what_cannot_be_panics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
