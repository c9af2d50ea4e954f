/* crossbar and clock_crossing by cycles counted by hand (gpu-like.md §5). */
#include "model/memory/clock_crossing.h"
#include "model/memory/crossbar.h"
#include "sim/clock.h"
#include "sim/kernel.h"
#include "tests/seed.h"

static struct packet_pool pool;
static struct crossbar x;

static void start(unsigned sources, unsigned destinations) {
    packet_pool_init(&pool, 64);
    crossbar_init(&x, sources, destinations, 4, &pool);
}

static void end(void) {
    assert_int_equal(pool.taken, 0);
    crossbar_free(&x);
    packet_pool_free(&pool);
}

static uint32_t send(unsigned source, unsigned destination, unsigned flits, uint64_t cycle) {
    const uint32_t packet = packet_pool_take(&pool);
    crossbar_send(&x, source, destination, packet, flits, cycle);
    return packet;
}

/* Checks that the next packet for a destination is this one and is taken at the end of this cycle. */
static void expect(unsigned destination, uint32_t packet, uint64_t cycle) {
    assert_int_equal(crossbar_next(&x, destination), cycle);
    assert_int_equal(crossbar_take(&x, destination, cycle), packet);
    packet_pool_give_back(&pool, packet);
}

static void a_flit_takes_the_latency(void **state) {
    (void)state;
    start(2, 2);
    assert_int_equal(crossbar_next(&x, 0), UINT64_MAX);
    const uint32_t read = send(0, 1, 1, 10), write = send(1, 0, 3, 10);
    expect(1, read, 14);  /* sent in 10, there at the end of 14 */
    expect(0, write, 16); /* its flits: 14, 15, 16 */
    assert_int_equal(x.flits, 4);
    assert_int_equal(x.source_wait_cycles + x.destination_wait_cycles, 0);
    end();
}

static void a_source_sends_one_flit_a_cycle(void **state) {
    (void)state;
    start(2, 2);
    const uint32_t a = send(0, 0, 3, 10), b = send(0, 1, 1, 10), c = send(0, 1, 1, 20);
    expect(0, a, 16); /* sent in 10, 11, 12 */
    expect(1, b, 17); /* arrived in 13 */
    expect(1, c, 24);
    assert_int_equal(x.source_wait_cycles, 3);
    end();
}

static void a_destination_takes_one_flit_a_cycle(void **state) {
    (void)state;
    start(4, 1);
    const uint32_t late = send(3, 0, 2, 10), lower = send(1, 0, 1, 10), first = send(2, 0, 2, 9);
    const uint32_t last = send(0, 0, 1, 11);
    expect(0, first, 14); /* 13, 14 */
    expect(0, lower, 15); /* arrived in 14, the lower source goes first */
    expect(0, late, 17);  /* arrived in 14, 15; taken in 16, 17 */
    expect(0, last, 18);  /* arrived in 15 */
    assert_int_equal(x.destination_wait_cycles, 1 + 2 + 3);
    end();
}

static void what_is_not_taken_waits(void **state) {
    (void)state;
    start(2, 1);
    const uint32_t a = send(0, 0, 1, 10), b = send(1, 0, 2, 10);
    assert_int_equal(crossbar_arrival(&x, 0), 14);
    assert_int_equal(crossbar_take(&x, 0, 30), a); /* the slice had no room */
    packet_pool_give_back(&pool, a);
    expect(0, b, 32);
    end();
}

static void clocks_are_crossed_exactly(void **state) {
    (void)state;
    const struct clock_crossing half = clock_crossing_between(1300, 650);
    assert_int_equal(clock_crossing_after(half, 0), 1); /* ends in the middle of cycle 0 */
    assert_int_equal(clock_crossing_after(half, 1), 1); /* ends with it */
    assert_int_equal(clock_crossing_after(half, 2), 2);
    assert_int_equal(clock_crossing_ended(half, 3), 1);
    const struct clock_crossing twice = clock_crossing_between(650, 1300);
    assert_int_equal(clock_crossing_after(twice, 0), 2);
    assert_int_equal(clock_crossing_ended(twice, 3), 6);
    const struct clock_crossing same = clock_crossing_between(950, 950);
    assert_int_equal(clock_crossing_after(same, 41), 42);
    assert_int_equal(clock_crossing_ended(same, 42), 42);
}

/* The edges of sim/clock lie at whole picoseconds; those of clocks that have such periods
 * are where ours are. */
static void clocks_are_those_of_the_kernel(void **state) {
    (void)state;
    static const uint32_t mhz[] = {100, 125, 200, 250, 500, 1000, 2000, 2500};
    struct seed s = seed_start();
    struct kernel *k = kernel_create();
    const struct clock *clock[8];
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    for (unsigned n = 0; n < 8; ++n) clock[n] = clock_create(k, names[n], 1000000 / mhz[n], 1);
    for (unsigned run = 0; run < 2000; ++run) {
        const unsigned from = seed_below(&s, 8), to = seed_below(&s, 8);
        const struct clock_crossing c = clock_crossing_between(mhz[from], mhz[to]);
        const uint64_t cycle = seed_next(&s) >> 34, after = clock_crossing_after(c, cycle);
        const sim_time ends = clock_edge(clock[from], cycle + 1);
        assert_true(clock_edge(clock[to], after) >= ends);
        assert_true(clock_edge(clock[to], after - 1) < ends);
        const uint64_t ended = clock_crossing_ended(c, cycle);
        assert_true(clock_edge(clock[to], ended) <= clock_edge(clock[from], cycle));
        assert_true(clock_edge(clock[to], ended + 1) > clock_edge(clock[from], cycle));
    }
    kernel_destroy(k);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flit_takes_the_latency),
        cmocka_unit_test(a_source_sends_one_flit_a_cycle),
        cmocka_unit_test(a_destination_takes_one_flit_a_cycle),
        cmocka_unit_test(what_is_not_taken_waits),
        cmocka_unit_test(clocks_are_crossed_exactly),
        cmocka_unit_test(clocks_are_those_of_the_kernel),
    };
    return cmocka_run_group_tests_name("crossbar", tests, NULL, NULL);
}
