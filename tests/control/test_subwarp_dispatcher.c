/* subwarp_dispatcher: beats of rounds by cycle, counted by hand. */
#include "model/control/subwarp_dispatcher.h"
#include "tests/panic.h"
#include "tests/seed.h"

#include <string.h>

static struct subwarp_dispatcher d;

struct instruction {
    unsigned warp, rounds, beats, occupancy;
};

/* Steps a cycle with an instruction offered (NULL: none). */
static void cycle(const struct instruction *i, bool hold) {
    d.in = (struct subwarp_dispatcher_in){.hold = hold};
    if (i) d.in = (struct subwarp_dispatcher_in){true, i->warp, i->rounds, i->beats, i->occupancy, hold};
    subwarp_dispatcher_eval(&d);
    subwarp_dispatcher_clock(&d);
}

/* Checks the context and beat of the latest cycle, or that there was none. */
static void made(unsigned context, unsigned beat, bool last) {
    assert_true(d.out.valid && d.out.busy);
    assert_int_equal(d.out.context, context);
    assert_int_equal(d.out.beat, beat);
    assert_int_equal(d.out.last, last);
}

static void made_nothing(bool busy) {
    assert_false(d.out.valid || d.out.first || d.out.last);
    assert_int_equal(d.out.busy, busy);
    assert_int_equal(d.out.warp + d.out.context + d.out.beat, 0);
}

/* The base machine: 16 warps of 32 threads on 4 lanes, N_it 8. */
static void start(void) {
    subwarp_dispatcher_init(&d, 16, 32, 4);
}

static void a_round_a_cycle(void **state) {
    (void)state;
    const struct instruction add = {3, 8, 1, 1};
    start();
    cycle(NULL, false);
    made_nothing(false);
    assert_true(d.out.ready);
    for (unsigned v = 0; v < 8; ++v) {
        cycle(v ? NULL : &add, false);
        assert_int_equal(d.out.ready, v == 0);
        assert_int_equal(d.out.first, v == 0);
        assert_int_equal(d.out.warp, 3);
        made(3 * 8 + v, 0, v == 7);
    }
    cycle(NULL, false);
    assert_true(d.out.ready);
    made_nothing(false);
}

/* timing.md §4, example 2: the rounds of two warps without a gap, an instruction every 8 cycles. */
static void the_next_follows_without_a_gap(void **state) {
    (void)state;
    const struct instruction two[] = {{0, 8, 1, 1}, {15, 8, 1, 1}};
    start();
    for (unsigned t = 0; t < 64; ++t) {
        cycle(&two[t / 8 % 2], false);
        assert_int_equal(d.out.first, t % 8 == 0);
        made(t / 8 % 2 * 120 + t % 8, 0, t % 8 == 7);
    }
}

/* VDIV: a round every 14 cycles, and the next instruction 14 after the last. */
static void a_slow_class_has_a_round_every_occupancy(void **state) {
    (void)state;
    const struct instruction divide = {1, 8, 1, 14}, add = {2, 8, 1, 1};
    start();
    for (unsigned t = 0; t < 8 * 14; ++t) {
        cycle(t ? &add : &divide, false);
        if (t % 14)
            made_nothing(t < 7 * 14); /* the operands are needed up to the last round */
        else
            made(8 + t / 14, 0, t == 7 * 14);
        assert_int_equal(d.out.ready, t == 0);
    }
    cycle(&add, false);
    assert_true(d.out.first);
    made(16, 0, false);
}

/* LDM of three registers: three beats a round. */
static void a_multiple_access_has_beats(void **state) {
    (void)state;
    const struct instruction ldm = {0, 8, 3, 1};
    start();
    for (unsigned t = 0; t < 24; ++t) {
        cycle(&ldm, false);
        assert_int_equal(d.out.first, t == 0);
        made(t / 3, t % 3, t == 23);
    }
    cycle(&ldm, false);
    assert_true(d.out.first);
}

/* 2 rounds of 2 beats, 3 cycles each; the second and the last are held for two cycles each: 0 · 3 4 5 · 8 ·
 * 11 12 13. */
static void a_beat_that_is_held_is_made_again(void **state) {
    (void)state;
    static const char made_in[] = "0..111..2..333..";
    const struct instruction store = {5, 2, 2, 3};
    start();
    for (unsigned t = 0; t < 16; ++t) {
        const bool held = t == 3 || t == 4 || t == 11 || t == 12;
        cycle(t ? NULL : &store, held);
        if (made_in[t] == '.') {
            made_nothing(t < 13);
            continue;
        }
        const unsigned n = (unsigned)(made_in[t] - '0');
        made(5 * 8 + 6 + n / 2, n % 2, n == 3);
        assert_int_equal(d.out.first, t == 0);
    }
    cycle(&store, false);
    assert_true(d.out.first);
}

/* The context is output in the first cycle, even if the lanes hold its beat. */
static void a_held_first_round_is_still_taken(void **state) {
    (void)state;
    const struct instruction load = {4, 8, 1, 1}, other = {9, 8, 1, 1};
    start();
    cycle(&load, true);
    assert_true(d.out.ready && d.out.first);
    made(32, 0, false);
    cycle(&other, true);
    assert_false(d.out.ready || d.out.first);
    made(32, 0, false);
    cycle(&other, false);
    made(32, 0, false);
    cycle(&other, false);
    made(33, 0, false);
}

static void fewer_rounds_are_the_last_ones(void **state) {
    (void)state;
    start();
    for (unsigned n = 1; n <= 8; ++n) {
        const struct instruction i = {7, n, 1, 1};
        for (unsigned v = 8 - n; v < 8; ++v) {
            cycle(v == 8 - n ? &i : NULL, false);
            made(56 + v, 0, v == 7);
        }
    }
    const struct instruction uniform[] = {{0, 1, 1, 1},
                                          {1, 1, 1, 1}}; /* timing.md §4, example 3: one a cycle */
    for (unsigned t = 0; t < 10; ++t) {
        cycle(&uniform[t % 2], false);
        assert_true(d.out.first);
        made(t % 2 * 8 + 7, 0, true);
    }
}

static void one_round_and_one_warp_are_possible(void **state) {
    (void)state;
    const struct instruction i = {0, 1, 1, 1};
    subwarp_dispatcher_init(&d, 1, 4, 4);
    cycle(&i, false);
    made(0, 0, true);
    cycle(&i, false);
    assert_true(d.out.first);
    subwarp_dispatcher_init(&d, 64, 64, 1);
    const struct instruction last = {63, 64, 1, 1};
    for (unsigned v = 0; v < 64; ++v) {
        cycle(v ? NULL : &last, false);
        made(63 * 64 + v, 0, v == 63);
    }
}

static void a_reset_ends_it(void **state) {
    (void)state;
    const struct instruction slow = {7, 8, 2, 1000};
    start();
    cycle(&slow, false);
    cycle(NULL, false);
    made_nothing(true);
    d.in.valid = d.out.valid = true;
    subwarp_dispatcher_reset(&d);
    assert_false(d.in.valid || d.out.valid);
    cycle(&slow, false);
    assert_true(d.out.first);
    made(56, 0, false);
    assert_int_equal(d.cfg.rounds, 8);
}

/* A second evaluation with other inputs, as when the lanes answer, counts once. */
static void evaluated_twice_is_evaluated_once(void **state) {
    (void)state;
    const struct instruction i = {2, 8, 1, 1};
    start();
    d.in = (struct subwarp_dispatcher_in){true, 2, 8, 1, 1, true};
    subwarp_dispatcher_eval(&d);
    cycle(&i, false);
    made(16, 0, false);
    cycle(NULL, false);
    made(17, 0, false);
}

static void offer(void *instruction) {
    start();
    cycle(instruction, false);
}

static void init(void *sizes) {
    const unsigned *s = sizes;
    subwarp_dispatcher_init(&d, s[0], s[1], s[2]);
}

static void what_cannot_be_is_caught(void **state) {
    (void)state;
    static const struct instruction bad[] = {{16, 8, 1, 1}, {0, 0, 1, 1}, {0, 9, 1, 1},   {0, 8, 0, 1},
                                             {0, 8, 64, 1}, {0, 8, 1, 0}, {0, 8, 1, 1024}};
    static const struct instruction good[] = {{15, 8, 63, 1023}, {0, 1, 1, 1}};
    for (unsigned n = 0; n < sizeof bad / sizeof bad[0]; ++n) assert_true(panics(offer, (void *)&bad[n]));
    for (unsigned n = 0; n < 2; ++n) assert_false(panics(offer, (void *)&good[n]));
    static const unsigned wrong[][3] = {{0, 32, 4},   {129, 32, 4}, {16, 3, 1},  {16, 65, 1}, {16, 32, 0},
                                        {16, 33, 33}, {16, 34, 4},  {16, 30, 4}, {16, 4, 8}};
    static const unsigned right[][3] = {{1, 4, 1}, {64, 64, 16}, {5, 7, 7}, {1, 4, 4}};
    for (unsigned n = 0; n < sizeof wrong / sizeof wrong[0]; ++n) assert_true(panics(init, (void *)wrong[n]));
    for (unsigned n = 0; n < sizeof right / sizeof right[0]; ++n)
        assert_false(panics(init, (void *)right[n]));
}

/* Random instructions against a list of all beats of each. */
static void random_instructions_agree_with_a_list(void **state) {
    (void)state;
    struct seed s = seed_start();
    start();
    for (unsigned n = 0; n < 3000; ++n) {
        const struct instruction i = {seed_below(&s, 16), 1 + seed_below(&s, 8), 1 + seed_below(&s, 5),
                                      1 + seed_below(&s, 4)};
        const unsigned beats = i.rounds * i.beats;
        for (unsigned b = 0; b < beats; ++b) {
            bool held = true, first = b == 0;
            while (held) {
                held = seed_below(&s, 3) == 0;
                cycle(first ? &i : NULL, held);
                assert_int_equal(d.out.first, first);
                first = false;
                made(i.warp * 8 + 8 - i.rounds + b / i.beats, b % i.beats, b + 1 == beats);
            }
            for (unsigned w = 1; w < i.occupancy; ++w) {
                cycle(&i, seed_below(&s, 2));
                assert_false(d.out.ready);
                made_nothing(b + 1 < beats);
            }
        }
        for (unsigned idle = seed_below(&s, 3); idle; --idle) {
            cycle(NULL, seed_below(&s, 2));
            assert_true(d.out.ready);
            made_nothing(false);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_round_a_cycle),
        cmocka_unit_test(the_next_follows_without_a_gap),
        cmocka_unit_test(a_slow_class_has_a_round_every_occupancy),
        cmocka_unit_test(a_multiple_access_has_beats),
        cmocka_unit_test(a_beat_that_is_held_is_made_again),
        cmocka_unit_test(a_held_first_round_is_still_taken),
        cmocka_unit_test(fewer_rounds_are_the_last_ones),
        cmocka_unit_test(one_round_and_one_warp_are_possible),
        cmocka_unit_test(a_reset_ends_it),
        cmocka_unit_test(evaluated_twice_is_evaluated_once),
        cmocka_unit_test(what_cannot_be_is_caught),
        cmocka_unit_test(random_instructions_agree_with_a_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
