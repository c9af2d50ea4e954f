/* scalar_scheduler: turns and the unit's clock by hand; random inputs against the definition. */
#include "model/control/scalar_scheduler.h"
#include "tests/seed.h"

static struct scalar_scheduler scheduler;

static void begin(unsigned threads, unsigned divisor) {
    scalar_scheduler_init(&scheduler, &(struct scalar_scheduler_config){threads, divisor});
}

/* Steps cycle t. Returns the granted thread, -1 if none. */
static int step_at(uint64_t t, uint64_t ready) {
    scheduler.in.cycle = t & 7;
    scheduler.in.ready = ready;
    scalar_scheduler_eval(&scheduler);
    scalar_scheduler_clock(&scheduler);
    return scheduler.out.valid ? (int)scheduler.out.thread : -1;
}
static int step(uint64_t ready) {
    return step_at(0, ready);
}

static void threads_take_turns(void **state) {
    (void)state;
    begin(3, 1);
    assert_int_equal(step(7), 0);
    assert_int_equal(step(7), 1);
    assert_int_equal(step(7), 2);
    assert_int_equal(step(7), 0);
    assert_int_equal(step(1), 0); /* continues alone */
    assert_int_equal(step(0), -1);
    assert_int_equal(step(5), 2); /* the turn is still thread 1's, which is not ready */
    assert_int_equal(step(3), 0);
}

static void the_unit_works_in_multiples_of_the_divisor(void **state) {
    (void)state;
    for (unsigned divisor = 1; divisor <= 8; divisor *= 2) {
        begin(2, divisor);
        for (unsigned t = 0; t < 64; ++t)
            assert_int_equal(step_at(t, 3), t % divisor ? -1 : (int)(t / divisor % 2));
    }
    begin(2, 4);
    assert_int_equal(step_at(4, 3), 0);
    assert_int_equal(step_at(9, 3), -1);
    assert_int_equal(step_at(12, 3), 1);
}

static void random_inputs(void **state) {
    (void)state;
    struct seed s = seed_start();
    for (unsigned n = 0; n < 200; ++n) {
        const unsigned threads = 1 + seed_below(&s, 64), divisor = 1u << seed_below(&s, 4);
        const uint64_t all = threads == 64 ? ~UINT64_C(0) : (UINT64_C(1) << threads) - 1;
        unsigned last = threads - 1;
        begin(threads, divisor);
        for (unsigned t = 0; t < 200; ++t) {
            const uint64_t ready = seed_next(&s) & seed_next(&s) & all;
            int expected = -1;
            for (unsigned k = 1; t % divisor == 0 && expected < 0 && k <= threads; ++k)
                if (ready >> (last + k) % threads & 1) expected = (int)((last + k) % threads);
            assert_int_equal(step_at(t, ready), expected);
            assert_int_equal(scheduler.out.tick, t % divisor == 0);
            if (expected >= 0) last = (unsigned)expected;
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_take_turns),
        cmocka_unit_test(the_unit_works_in_multiples_of_the_divisor),
        cmocka_unit_test(random_inputs),
    };
    return cmocka_run_group_tests_name("scalar_scheduler", tests, NULL, NULL);
}
