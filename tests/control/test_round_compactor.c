/* round_compactor: rounds counted by hand (lanes.md §2); random masks compared with the definition; the block
 * outputs the rounds one by one. */
#include "model/control/round_compactor.h"
#include "tests/seed.h"

#include <stdbool.h>

static unsigned rounds(unsigned lanes, uint64_t active) {
    return (unsigned)__builtin_popcountll(round_compactor_rounds(lanes, active));
}

static void masks_of_the_specification(void **state) {
    (void)state;
    static const struct {
        uint32_t mask;
        unsigned rounds[4]; /* for 1, 2, 4, 8 lanes */
    } rows[] = {{0xf0f0f0f0, {16, 8, 4, 4}},
                {0x55555555, {16, 16, 8, 4}},
                {0x0000000f, {4, 2, 1, 1}},
                {0x3c3c3c3c, {16, 8, 8, 4}},
                {0, {1, 1, 1, 1}}};
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; ++n)
        for (unsigned k = 0; k < 4; ++k) assert_int_equal(rounds(1u << k, rows[n].mask), rows[n].rounds[k]);
    assert_int_equal(round_compactor_rounds(8, 0x00ff0100), 0x6);
    assert_int_equal(round_compactor_rounds(64, UINT64_C(1) << 63), 1);
    assert_int_equal(round_compactor_rounds(3, 0x48), 0x6); /* positions 3 and 6: rounds 1 and 2 */
}

static void a_round_remains_if_a_thread_is_in_it(void **state) {
    (void)state;
    struct seed s = seed_start();
    for (unsigned n = 0; n < 20000; ++n) {
        const unsigned lanes = 1 + seed_below(&s, 64);
        const uint64_t active = seed_next(&s) & seed_next(&s) & seed_next(&s);
        uint64_t expected = active ? 0 : 1;
        for (unsigned k = 0; k < 64; ++k) expected |= (active >> k & 1) << k / lanes;
        if (round_compactor_rounds(lanes, active) != expected)
            fail_msg("%u lanes, 0x%llx", lanes, (unsigned long long)active);
    }
}

static void the_block_gives_a_round_a_cycle(void **state) {
    (void)state;
    struct round_compactor r;
    round_compactor_init(&r, &(struct round_compactor_config){32, 4});
    round_compactor_eval(&r);
    assert_false(r.out.valid);
    r.in.load = true;
    r.in.active = 0x80000f01; /* rounds 0, 2 and 7 */
    r.in.take = true;
    static const struct {
        unsigned round, left;
        bool last;
    } expected[] = {{0, 0x85, false}, {2, 0x84, false}, {7, 0x80, true}};
    for (unsigned n = 0; n < 3; ++n) {
        round_compactor_eval(&r);
        assert_true(r.out.valid);
        assert_int_equal(r.out.round, expected[n].round);
        assert_int_equal(r.out.rounds, expected[n].left);
        assert_int_equal(r.out.last, expected[n].last);
        round_compactor_clock(&r);
        r.in.load = false;
    }
    round_compactor_eval(&r);
    assert_false(r.out.valid);
    r.in.load = true; /* without take, the round stays */
    r.in.take = false;
    round_compactor_eval(&r);
    round_compactor_clock(&r);
    r.in.load = false;
    round_compactor_eval(&r);
    assert_int_equal(r.out.rounds, 0x85);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masks_of_the_specification),
        cmocka_unit_test(a_round_remains_if_a_thread_is_in_it),
        cmocka_unit_test(the_block_gives_a_round_a_cycle),
    };
    return cmocka_run_group_tests_name("round_compactor", tests, NULL, NULL);
}
