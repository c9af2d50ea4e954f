/* srf_rename: allocation, refusal and release of scalar registers. */
#include "model/control/srf_rename.h"
#include "tests/panic.h"
#include "tests/seed.h"

static struct srf_rename srf;
static struct srf_rename_out out; /* outputs of the latest cycle */

#define STATES (7ull << 48)

static void cycle(void) {
    srf_rename_eval(&srf);
    out = srf.out;
    srf_rename_clock(&srf);
}

/* A work-group of all four warps: the last four registers are their r0. */
static void start(unsigned physical) {
    srf_rename_init(&srf, 4, TOKEN_REGISTERS, physical);
    srf.in.start = true;
    srf.in.start_warps = 15;
    cycle();
}

static void write_by(unsigned warp, uint64_t destinations, bool full, bool uniform, uint64_t broadcast) {
    srf.in.write_warp = warp;
    srf.in.write_destinations = destinations;
    srf.in.write_full = full;
    srf.in.write_uniform = uniform;
    srf.in.write_broadcast = broadcast;
    cycle();
}

static void uniform(unsigned warp, uint64_t destinations) {
    write_by(warp, destinations, true, true, 0);
}

static void vector(unsigned warp, uint64_t destinations) {
    write_by(warp, destinations, true, false, 0);
}

static unsigned free_ones(void) {
    unsigned count = 0;
    for (unsigned n = 0; n < SRF_RENAME_MAX_PHYSICAL / 32; ++n)
        count += (unsigned)__builtin_popcount(srf.free[n]);
    return count;
}

static void after_a_reset_all_is_free(void **state) {
    (void)state;
    start(40);
    srf_rename_reset(&srf);
    assert_int_equal(free_ones(), 40);
    assert_int_equal(srf.free[0], 0xffffffff);
    assert_int_equal(srf.free[1], 0xff);
    for (unsigned w = 0; w < 4; ++w) assert_int_equal(srf.valid[w], 0);
}

static void a_work_group_begins_with_r0_of_its_warps(void **state) {
    (void)state;
    start(128);
    for (unsigned w = 0; w < 4; ++w) assert_int_equal(srf_rename_scalar(&srf, w, 0), 127 - w);
    assert_int_equal(srf.valid[3], STATES | 1);
    assert_int_equal(free_ones(), 124);
}

static void release(unsigned warp) {
    srf.in.release = true;
    srf.in.release_warp = warp;
}

static void begin(uint64_t warps) {
    srf.in.start = true;
    srf.in.start_warps = warps;
    cycle();
}

/* Work-groups of other warps are in flight: warp 0 has r1, warp 3 all that it began with. */
static void a_start_leaves_other_warps(void **state) {
    (void)state;
    start(128);
    uniform(0, 2);
    release(1);
    cycle();
    release(3);
    begin(10); /* also of its own release */
    assert_int_equal(srf.valid[0], STATES | 3);
    assert_int_equal(srf_rename_scalar(&srf, 0, 1), 0);
    assert_int_equal(srf_rename_scalar(&srf, 1, 0), 126);
    assert_int_equal(srf.valid[3], STATES | 1);
    assert_int_equal(srf_rename_scalar(&srf, 3, 0), 124);
    assert_int_equal(free_ones(), 123);
    uniform(2, 8);
    begin(4); /* the warp holds registers */
    assert_int_equal(srf.valid[2], STATES | 9);
    assert_int_equal(free_ones(), 122);
}

/* The home register of warp 1 is taken by another row: warp 1 starts without. */
static void r0_is_mapped_if_its_register_is_free(void **state) {
    (void)state;
    start(5);
    uniform(0, 2); /* register 0, the last that is free */
    release(1);
    cycle();
    uniform(0, 4);
    assert_int_equal(out.target0, 3);
    begin(2);
    assert_int_equal(srf.valid[1], STATES);
    assert_int_equal(free_ones(), 0);
}

/* The write of the cycle takes it. */
static void the_write_of_the_cycle_is_before_a_start(void **state) {
    (void)state;
    start(5);
    uniform(0, 2);
    release(1);
    cycle();
    srf.in.start = true;
    srf.in.start_warps = 2;
    uniform(0, 4);
    assert_int_equal(srf.valid[1], STATES);
    assert_int_equal(srf.valid[0], STATES | 7);
    assert_int_equal(free_ones(), 0);
}

/* Warp 1's r0 is in register 0; after losing it, warp 1 restarts with its home register 3. */
static void what_a_start_replaces_is_free(void **state) {
    (void)state;
    start(5);
    vector(1, 1);
    uniform(1, 1);
    assert_int_equal(out.target0, 0);
    srf.in.start = true;
    srf.in.start_warps = 2;
    vector(1, 1);
    assert_int_equal(srf.valid[1], STATES | 1);
    assert_int_equal(srf_rename_scalar(&srf, 1, 0), 3);
    assert_int_equal(srf.free[0], 1);
}

/* Three registers: none is left for the last warp's r0; its state has bits of its own. */
static void r0_is_mapped_as_far_as_there_are_registers(void **state) {
    (void)state;
    start(3);
    assert_int_equal(srf_rename_scalar(&srf, 2, 0), 0);
    assert_int_equal(srf.valid[3], STATES);
    assert_int_equal(free_ones(), 0);
}

static void the_lowest_free_ones_are_taken(void **state) {
    (void)state;
    start(128);
    uniform(1, 1 << 5);
    assert_true(out.mapped);
    assert_int_equal(out.target0, 0);
    assert_int_equal(out.target1, 0);
    uniform(2, 1 << 7 | 1 << 3); /* the lower row gets the lower register */
    assert_int_equal(out.target0, 1);
    assert_int_equal(out.target1, 2);
    assert_int_equal(srf_rename_scalar(&srf, 2, 3), 1);
    assert_int_equal(srf_rename_scalar(&srf, 2, 7), 2);
    vector(1, 1 << 5);
    assert_false(out.mapped);
    assert_false(out.refused);
    assert_int_equal(srf_rename_scalar(&srf, 1, 5), -1);
    uniform(0, 1 << 9);
    assert_int_equal(out.target0, 0);
}

static void the_list_has_more_words_than_one(void **state) {
    (void)state;
    start(70);
    for (unsigned n = 0; n < 66; ++n) {
        uniform(n % 4, 1ull << (1 + n / 4));
        assert_int_equal(out.target0, n);
    }
    assert_int_equal(free_ones(), 0);
    uniform(3, 1ull << 40);
    assert_true(out.refused);
}

static void a_mapped_row_stays_where_it_is(void **state) {
    (void)state;
    start(128);
    uniform(1, 1 << 5);
    uniform(1, 1 << 5 | 1 << 6);
    assert_true(out.mapped);
    assert_int_equal(out.target0, 1);
    assert_int_equal(srf_rename_scalar(&srf, 1, 5), 0);
    assert_int_equal(srf_rename_scalar(&srf, 1, 6), 1);
    assert_int_equal(free_ones(), 122);
}

static void states_need_no_register(void **state) {
    (void)state;
    start(5);
    vector(1, 1ull << 48);
    assert_int_equal(srf.valid[1], (STATES & ~(1ull << 48)) | 1);
    uniform(1, 1ull << 48 | 1 << 4);
    assert_int_equal(srf.valid[1], STATES | 1 << 4 | 1);
    assert_int_equal(free_ones(), 0);
    vector(1, 1ull << 48);
    uniform(1, 1ull << 48);
    assert_true(out.mapped);
}

/* Five registers, one is free: two in one cycle are too many, and their previous mappings are lost. */
static void without_free_registers_it_falls_back(void **state) {
    (void)state;
    start(5);
    uniform(1, 1 << 4 | 1 << 5);
    assert_false(out.mapped);
    assert_true(out.refused);
    assert_int_equal(out.target0, 0);
    assert_int_equal(srf.valid[1], STATES | 1);
    uniform(1, 1 << 4);
    assert_true(out.mapped);
    assert_int_equal(out.target0, 0);
    uniform(1, 1ull << 48 | 1 << 4 | 1 << 5);
    assert_true(out.refused);
    assert_int_equal(srf.valid[1], (STATES & ~(1ull << 48)) | 1);
    assert_int_equal(free_ones(), 1);
}

static void more_than_two_at_once_are_refused(void **state) {
    (void)state;
    start(128);
    uniform(1, 7 << 4);
    assert_true(out.refused);
    assert_int_equal(free_ones(), 124);
    uniform(1, 3 << 4);
    uniform(1, 15 << 4); /* two of them are mapped */
    assert_true(out.mapped);
    assert_int_equal(free_ones(), 120);
}

static void a_partial_write_unmaps(void **state) {
    (void)state;
    start(128);
    uniform(0, 6);
    write_by(0, 2, false, true, 2);
    assert_false(out.refused);
    assert_int_equal(srf.valid[0], STATES | 5);
    assert_int_equal(free_ones(), 123);
}

/* LDR r4, [r5], #4 by all threads at one address: r4 is mapped, r5 is not any more. */
static void a_broadcast_load_maps_what_it_loads(void **state) {
    (void)state;
    start(128);
    uniform(0, 1 << 5);
    write_by(0, 3 << 4, true, false, 1 << 4);
    assert_true(out.mapped);
    assert_int_equal(out.target0, 1);
    assert_int_equal(srf.valid[0], STATES | 1 << 4 | 1);
    assert_true(srf.free[0] & 1);
    assert_false(srf.free[0] >> 1 & 1);
}

static void a_warp_that_ends_gives_all_back(void **state) {
    (void)state;
    start(128);
    uniform(2, 6);
    uniform(3, 6);
    srf.in.release = true;
    srf.in.release_warp = 2;
    cycle();
    assert_int_equal(srf.valid[2], 0);
    assert_int_equal(srf.valid[3], STATES | 7);
    assert_int_equal(free_ones(), 123);
    uniform(0, 2);
    assert_int_equal(out.target0, 0);
}

/* In the cycle of its last write: that is undone, too. */
static void a_release_is_after_the_write(void **state) {
    (void)state;
    start(128);
    srf.in.release = true;
    srf.in.release_warp = 2;
    uniform(2, 6);
    assert_true(out.mapped);
    assert_int_equal(srf.valid[2], 0);
    assert_int_equal(free_ones(), 125);
}

/* A register freed in a cycle is available from the next cycle on. */
static void what_is_freed_can_be_had_in_the_next_cycle(void **state) {
    (void)state;
    start(4);
    srf.in.release = true;
    srf.in.release_warp = 2;
    uniform(1, 2);
    assert_true(out.refused);
    uniform(1, 2);
    assert_true(out.mapped);
    assert_int_equal(out.target0, 1);
}

static void reading_is_that_of_the_warp_before_the_write(void **state) {
    (void)state;
    start(128);
    uniform(2, 6); /* registers 0 and 1 */
    srf.in.read_warp = 2;
    srf.in.read_sources = 6;
    srf.in.read_full = true;
    srf.in.read_row0 = 2;
    srf.in.read_row1 = 1;
    srf.in.read_row2 = 3;
    uniform(2, 8);
    assert_int_equal(out.tokens, STATES | 7);
    assert_true(out.uniform);
    assert_int_equal(out.scalar0, 1);
    assert_int_equal(out.scalar1, 0);
    assert_int_equal(out.scalar2, 0);
}

static void reading_says_what_is_to_be_copied(void **state) {
    (void)state;
    start(128);
    uniform(2, 6);
    srf.in.read_warp = 2;
    srf.in.read_destinations = 10;
    cycle();
    assert_false(out.uniform);
    assert_int_equal(out.copies, 2);
    srf.in.read_warp = 2;
    srf.in.read_destinations = 10;
    srf.in.read_conditional = srf.in.read_fails = true;
    cycle();
    assert_int_equal(out.copies, 0);
    vector(2, 1ull << 48);
    srf.in.read_warp = 2;
    srf.in.read_destinations = 10;
    srf.in.read_full = srf.in.read_conditional = srf.in.read_fails = true;
    cycle();
    assert_false(out.uniform);
    assert_int_equal(out.copies, 2);
}

/* Random writes, releases and starts: every register is free or in one place. */
static void none_is_lost_or_mapped_twice(void **state) {
    (void)state;
    struct seed seed = seed_start();
    start(50);
    for (unsigned n = 0; n < 20000; ++n) {
        srf.in.release = seed_below(&seed, 64) == 0;
        srf.in.release_warp = seed_below(&seed, 4);
        srf.in.start = seed_below(&seed, 4) == 0;
        srf.in.start_warps = seed_below(&seed, 16);
        write_by(seed_below(&seed, 4), 1ull << seed_below(&seed, 51) | 1ull << seed_below(&seed, 51), true,
                 seed_below(&seed, 3), 0);
        unsigned places[50] = {0};
        for (unsigned p = 0; p < 50; ++p) places[p] = srf.free[p / 32] >> p % 32 & 1;
        for (unsigned k = 0; k < 4 * ARM_REGISTERS; ++k) {
            const int p = srf_rename_scalar(&srf, k / ARM_REGISTERS, k % ARM_REGISTERS);
            if (p >= 0) ++places[p];
        }
        for (unsigned p = 0; p < 50; ++p) assert_int_equal(places[p], 1);
    }
}

static void init_with(void *sizes) {
    const unsigned *n = sizes;
    srf_rename_init(&srf, n[0], n[1], n[2]);
}

static void evaluate(void *context) {
    (void)context;
    srf_rename_eval(&srf);
}

static void what_cannot_be_panics(void **state) {
    (void)state;
    static unsigned sizes[][3] = {{0, 51, 128}, {129, 51, 128}, {1, 4, 128},
                                  {1, 65, 128}, {1, 51, 1},     {1, 51, 4097}};
    for (unsigned n = 0; n < 6; ++n) assert_true(panics(init_with, sizes[n]));
    assert_false(panics(init_with, (unsigned[]){64, 64, 4096}));
    assert_false(panics(init_with, (unsigned[]){1, 5, 2}));
    static const struct {
        uint32_t *input;
        unsigned below;
    } inputs[] = {{&srf.in.read_warp, 4},
                  {&srf.in.write_warp, 4},
                  {&srf.in.release_warp, 4},
                  {&srf.in.read_row0, ARM_REGISTERS},
                  {&srf.in.read_row1, ARM_REGISTERS},
                  {&srf.in.read_row2, ARM_REGISTERS}};
    for (unsigned n = 0; n < 6; ++n) {
        start(128);
        *inputs[n].input = inputs[n].below - 1;
        assert_false(panics(evaluate, NULL));
        *inputs[n].input = inputs[n].below;
        assert_true(panics(evaluate, NULL));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(after_a_reset_all_is_free),
        cmocka_unit_test(a_work_group_begins_with_r0_of_its_warps),
        cmocka_unit_test(a_start_leaves_other_warps),
        cmocka_unit_test(r0_is_mapped_if_its_register_is_free),
        cmocka_unit_test(the_write_of_the_cycle_is_before_a_start),
        cmocka_unit_test(what_a_start_replaces_is_free),
        cmocka_unit_test(r0_is_mapped_as_far_as_there_are_registers),
        cmocka_unit_test(the_lowest_free_ones_are_taken),
        cmocka_unit_test(the_list_has_more_words_than_one),
        cmocka_unit_test(a_mapped_row_stays_where_it_is),
        cmocka_unit_test(states_need_no_register),
        cmocka_unit_test(without_free_registers_it_falls_back),
        cmocka_unit_test(more_than_two_at_once_are_refused),
        cmocka_unit_test(a_partial_write_unmaps),
        cmocka_unit_test(a_broadcast_load_maps_what_it_loads),
        cmocka_unit_test(a_warp_that_ends_gives_all_back),
        cmocka_unit_test(a_release_is_after_the_write),
        cmocka_unit_test(what_is_freed_can_be_had_in_the_next_cycle),
        cmocka_unit_test(reading_is_that_of_the_warp_before_the_write),
        cmocka_unit_test(reading_says_what_is_to_be_copied),
        cmocka_unit_test(none_is_lost_or_mapped_twice),
        cmocka_unit_test(what_cannot_be_panics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
