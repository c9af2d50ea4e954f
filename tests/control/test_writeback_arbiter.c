/* writeback_arbiter by cycles counted by hand from timing.md §W, §C: results of cycle t are written from t +
 * 1 on, oldest instruction first; an instruction commits with its last write, or with its last result.
 * test_operand_collector.c compares clusters with the block. */
#include "model/control/writeback_arbiter.h"
#include "tests/panic.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define W(n) warp_bit(n)

static struct writeback_arbiter a;

static void start(unsigned ports) {
    writeback_arbiter_init(&a, 16, ports);
}

/* Results that land in the next cycle. */
static void land(unsigned warp, unsigned lines, unsigned scalars) {
    a.in.land = true;
    a.in.warp = warp;
    a.in.lines = lines;
    a.in.scalars = scalars;
}

struct expected {
    warp_set write, commit, scalar;
    unsigned ports;
};

static void cycle(warp_set result, struct expected e) {
    a.in.result = result;
    writeback_arbiter_eval(&a);
    assert_true(a.out.write == e.write);
    assert_true(a.out.commit == e.commit);
    assert_true(a.out.scalar == e.scalar);
    assert_int_equal(a.out.ports, e.ports);
    writeback_arbiter_clock(&a);
    a.in.land = false;
}

static const struct expected nothing = {0};

static void a_result_is_written_in_the_cycle_after_it_is_there(void **state) {
    (void)state;
    start(1);
    land(5, 1, 0);
    cycle(0, nothing);
    cycle(0, nothing);
    cycle(W(5), nothing);
    assert_int_equal(a.q.there, W(5));
    cycle(0, (struct expected){.write = W(5), .commit = W(5), .ports = 1});
    assert_int_equal(a.q.landed | a.q.there, 0);
    cycle(W(5), nothing); /* nobody's */
    land(5, 1, 0);        /* a latency of one cycle */
    cycle(W(5), nothing);
    cycle(0, (struct expected){.write = W(5), .commit = W(5), .ports = 1});
}

static void what_writes_nothing_commits_with_its_result(void **state) {
    (void)state;
    start(1);
    land(0, 0, 0);
    cycle(W(0), (struct expected){.commit = W(0)});
    land(15, 0, 0);
    cycle(0, nothing);
    cycle(0, nothing);
    cycle(W(15), (struct expected){.commit = W(15)});
    cycle(0, nothing);
}

/* Five lines: through one port five cycles, through two three, through four two. */
static void lines_take_ports_times_cycles(void **state) {
    (void)state;
    for (unsigned ports = 1; ports <= 4; ports *= 2) {
        start(ports);
        land(2, 5, 0);
        cycle(W(2), nothing);
        for (unsigned left = 5; left;) {
            const unsigned lines = left < ports ? left : ports;
            left -= lines;
            cycle(0, (struct expected){.write = W(2), .ports = lines, .commit = left ? 0 : W(2)});
        }
        cycle(0, nothing);
    }
}

/* Warp 3 landed before warp 1, whose result comes first and does not wait for warp 3. If both have results,
 * warp 3 goes first, whatever its number. */
static void the_oldest_goes_first(void **state) {
    (void)state;
    start(1);
    land(3, 2, 0);
    cycle(0, nothing);
    land(1, 2, 0);
    cycle(W(1), nothing);
    cycle(W(3), (struct expected){.write = W(1), .ports = 1});
    cycle(0, (struct expected){.write = W(3), .ports = 1});
    cycle(0, (struct expected){.write = W(3), .ports = 1, .commit = W(3)});
    land(3, 1, 0); /* again, and now the younger one */
    cycle(W(3), (struct expected){.write = W(1), .ports = 1, .commit = W(1)});
    cycle(0, (struct expected){.write = W(3), .ports = 1, .commit = W(3)});
}

/* Three ports: warp 7 has two lines, warp 4 two, warp 9 one. 2 + 1, then 1 + 1. */
static void ports_that_the_oldest_leaves_are_the_next_ones(void **state) {
    (void)state;
    start(3);
    land(7, 2, 0);
    cycle(0, nothing);
    land(4, 2, 0);
    cycle(0, nothing);
    land(9, 1, 0);
    cycle(W(4) | W(7) | W(9), nothing);
    cycle(0, (struct expected){.write = W(7) | W(4), .ports = 3, .commit = W(7)});
    assert_int_equal(a.q.lines[4], 1);
    assert_int_equal(a.q.older[9], W(4));
    cycle(0, (struct expected){.write = W(4) | W(9), .ports = 2, .commit = W(4) | W(9)});
    cycle(0, nothing);
}

/* Lines and scalar registers have separate ports: two lines and one scalar take two cycles, one line and
 * three scalars three. The scalars of the older of two warps go first. */
static void scalars_have_a_port_of_their_own(void **state) {
    (void)state;
    start(1);
    land(0, 2, 1);
    cycle(W(0), nothing);
    cycle(0, (struct expected){.write = W(0), .ports = 1, .scalar = W(0)});
    cycle(0, (struct expected){.write = W(0), .ports = 1, .commit = W(0)});
    land(6, 1, 3);
    cycle(0, nothing);
    land(2, 1, 1);
    cycle(W(2) | W(6), nothing);
    cycle(0, (struct expected){.write = W(6), .ports = 1, .scalar = W(6)});
    cycle(0, (struct expected){.write = W(2), .ports = 1, .scalar = W(6)});
    cycle(0, (struct expected){.scalar = W(6), .commit = W(6)});
    cycle(0, (struct expected){.scalar = W(2), .commit = W(2)});
    cycle(0, nothing);
}

/* An instruction that lands without results commits in the same cycle as one that writes its last line. */
static void several_commit_in_one_cycle(void **state) {
    (void)state;
    start(1);
    land(8, 1, 0);
    cycle(W(8), nothing);
    land(9, 0, 0);
    cycle(W(9), (struct expected){.write = W(8), .ports = 1, .commit = W(8) | W(9)});
    cycle(0, nothing);
}

static void as_many_warps_as_there_can_be_keep_their_order(void **state) {
    (void)state;
    writeback_arbiter_init(&a, 128, 1);
    for (unsigned n = 128; n-- > 0;) {
        land(n, 1, 0);
        cycle(0, nothing);
    }
    cycle(warp_set_all(128), nothing);
    for (unsigned n = 128; n-- > 0;) cycle(0, (struct expected){.write = W(n), .ports = 1, .commit = W(n)});
    cycle(0, nothing);
}

static void init(void *context) {
    const unsigned *size = context;
    writeback_arbiter_init(&a, size[0], size[1]);
}

static void what_it_cannot_have_is_refused(void **state) {
    (void)state;
    assert_true(panics(init, (unsigned[]){0, 1}));
    assert_true(panics(init, (unsigned[]){129, 1}));
    assert_true(panics(init, (unsigned[]){1, 0}));
    assert_true(panics(init, (unsigned[]){1, 17}));
    assert_false(panics(init, (unsigned[]){128, 16}));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_result_is_written_in_the_cycle_after_it_is_there),
        cmocka_unit_test(what_writes_nothing_commits_with_its_result),
        cmocka_unit_test(lines_take_ports_times_cycles),
        cmocka_unit_test(the_oldest_goes_first),
        cmocka_unit_test(ports_that_the_oldest_leaves_are_the_next_ones),
        cmocka_unit_test(scalars_have_a_port_of_their_own),
        cmocka_unit_test(several_commit_in_one_cycle),
        cmocka_unit_test(as_many_warps_as_there_can_be_keep_their_order),
        cmocka_unit_test(what_it_cannot_have_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
