/* miss_registers cycle by cycle: merging, allocation, waiting, and the requests that an answer releases
 * (gpu-like.md §4). test_rtl_gpu.c shows the same for the L1D of an SM in whole programs. */
#include "model/control/miss_registers.h"
#include "tests/panic.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct miss_registers r;

static void start(unsigned mshrs, unsigned merges) {
    miss_registers_init(&r, mshrs, merges);
    r.in.room = true;
}

static void fill(unsigned m) {
    r.in.fill = true;
    r.in.filled = m;
}

/* Returns the outputs of the cycle, after its edge. r.answered has the requests of an answer. */
static struct miss_registers_out edge(void) {
    miss_registers_eval(&r);
    miss_registers_write(&r);
    miss_registers_clock(&r);
    return r.out;
}

static struct miss_registers_out load(uint32_t line, uint32_t request) {
    r.in.load = true;
    r.in.line = line;
    r.in.request = request;
    return edge();
}

static struct miss_registers_out alone(uint32_t line, uint32_t request) {
    r.in.alone = true;
    r.in.line = line;
    r.in.request = request;
    return edge();
}

static struct miss_registers_out store(uint32_t line) {
    r.in.store = true;
    r.in.line = line;
    return edge();
}

static void assert_takes(struct miss_registers_out o, unsigned m) {
    assert_true(o.take && !o.join && !o.full && !o.crowded && !o.no_room);
    assert_int_equal(o.index, m);
}

static void assert_joins(struct miss_registers_out o, unsigned m) {
    assert_true(o.join && !o.take && !o.full && !o.crowded && !o.no_room);
    assert_int_equal(o.index, m);
}

static void assert_released(struct miss_registers_out o, uint32_t line, bool kept, unsigned count) {
    assert_int_equal(o.fill_line, line);
    assert_int_equal(o.keep, kept);
    assert_int_equal(o.count, count);
}

/* Three loads of line 5 and one of line 6: two registers, of three requests and one. */
static void loads_of_a_line_share_a_register(void **state) {
    (void)state;
    start(4, 3);
    assert_takes(load(5, 100), 0);
    assert_joins(load(5, 101), 0);
    assert_takes(load(6, 102), 1);
    assert_joins(load(5, 103), 0);
    assert_int_equal(r.q.taken, 3);
    assert_int_equal(r.q.count[0], 3);
    fill(0);
    assert_released(edge(), 5, true, 3);
    assert_int_equal(r.answered[0], 100);
    assert_int_equal(r.answered[1], 101);
    assert_int_equal(r.answered[2], 103);
    fill(1);
    assert_released(edge(), 6, true, 1);
    assert_int_equal(r.answered[0], 102);
    assert_int_equal(r.answered[1], 0);
    assert_int_equal(r.q.taken, 0);
    assert_released(edge(), 0, false, 0);
    assert_int_equal(r.answered[0], 0);
}

static void as_many_wait_as_may(void **state) {
    (void)state;
    start(2, 2);
    assert_takes(load(9, 1), 0);
    assert_joins(load(9, 2), 0);
    struct miss_registers_out o = load(9, 3);
    assert_true(o.crowded && !o.join && !o.take && !o.full && !o.no_room);
    assert_takes(load(8, 4), 1); /* another line has room */
    o = load(7, 5);
    assert_true(o.full && !o.take && !o.crowded && !o.no_room);
    assert_joins(load(8, 6), 1); /* no register is free, but merging needs none */
    assert_int_equal(r.q.count[0], 2);
}

/* The register of an answer is free in the same cycle, and its line has no register any more. */
static void an_answer_frees_its_register_at_once(void **state) {
    (void)state;
    start(2, 4);
    assert_takes(load(1, 11), 0);
    assert_takes(load(2, 12), 1);
    assert_true(load(3, 13).full);
    fill(1);
    struct miss_registers_out o = load(3, 13);
    assert_takes(o, 1);
    assert_released(o, 2, true, 1);
    assert_int_equal(r.answered[0], 12); /* the request that waited, not the new one */
    assert_int_equal(r.row[1].request[0], 13);
    fill(0);
    o = load(1, 14);
    assert_takes(o, 0);
    assert_released(o, 1, true, 1);
}

/* The lowest free register is allocated: with 0 and 2 of 0 to 3 free, 0, then 2. */
static void the_lowest_free_register_is_taken(void **state) {
    (void)state;
    start(4, 1);
    for (unsigned n = 0; n < 4; ++n) assert_takes(load(n, n), n);
    fill(2);
    edge();
    fill(0);
    edge();
    assert_takes(load(20, 20), 0);
    assert_takes(load(21, 21), 2);
    assert_true(load(22, 22).full);
}

/* A line overtaken by a store is delivered to the waiting requests but not cached; a later load
 * misses again. */
static void a_store_closes_the_register_of_its_line(void **state) {
    (void)state;
    start(4, 4);
    assert_takes(load(5, 1), 0);
    assert_takes(load(6, 2), 1);
    const struct miss_registers_out o = store(5);
    assert_false(o.take || o.join || o.full || o.crowded || o.no_room);
    assert_int_equal(r.q.open, 2);
    assert_takes(load(5, 3), 2);
    assert_joins(load(6, 4), 1);
    fill(0);
    assert_released(edge(), 5, false, 1);
    fill(2);
    assert_released(edge(), 5, true, 1);
}

/* An exclusive access allocates a register that no request merges into, and closes the register of its line,
 * unless it must wait. */
static void an_access_past_the_cache_is_alone(void **state) {
    (void)state;
    start(3, 4);
    assert_takes(load(5, 1), 0);
    assert_takes(alone(5, 2), 1);
    assert_takes(load(5, 3), 2);
    assert_true(alone(5, 4).full);
    assert_joins(load(5, 5), 2); /* still open */
    fill(1);
    assert_released(edge(), 5, false, 1);
    assert_int_equal(r.answered[0], 2);
    r.in.room = false;
    assert_true(alone(5, 4).no_room);
    assert_joins(load(5, 6), 2);
}

/* A miss without a place for its packet waits; a load that merges needs none. Full registers are reported
 * first. */
static void a_miss_needs_a_place_for_its_packet(void **state) {
    (void)state;
    start(1, 2);
    r.in.room = false;
    const struct miss_registers_out o = load(5, 1);
    assert_true(o.no_room && !o.take && !o.full);
    assert_int_equal(r.q.taken, 0);
    r.in.room = true;
    assert_takes(load(5, 1), 0);
    r.in.room = false;
    assert_joins(load(5, 2), 0);
    assert_true(load(6, 3).full);
    assert_false(r.out.no_room);
}

static void init(void *context) {
    const unsigned *size = context;
    miss_registers_init(&r, size[0], size[1]);
}

static void what_it_cannot_have_is_refused(void **state) {
    (void)state;
    assert_true(panics(init, (unsigned[]){0, 1}));
    assert_true(panics(init, (unsigned[]){65, 1}));
    assert_true(panics(init, (unsigned[]){1, 0}));
    assert_true(panics(init, (unsigned[]){1, 65}));
    assert_false(panics(init, (unsigned[]){64, 64}));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_of_a_line_share_a_register),
        cmocka_unit_test(as_many_wait_as_may),
        cmocka_unit_test(an_answer_frees_its_register_at_once),
        cmocka_unit_test(the_lowest_free_register_is_taken),
        cmocka_unit_test(a_store_closes_the_register_of_its_line),
        cmocka_unit_test(an_access_past_the_cache_is_alone),
        cmocka_unit_test(a_miss_needs_a_place_for_its_packet),
        cmocka_unit_test(what_it_cannot_have_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
