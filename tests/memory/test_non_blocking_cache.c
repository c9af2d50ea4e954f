/* non_blocking_cache and its port by cycles counted by hand (gpu-like.md §4); random requests compared with a
 * plain model: every miss is answered exactly once. */
#include "model/memory/non_blocking_cache.h"
#include "model/replacement/replacement_kind.h"
#include "tests/seed.h"

#include <string.h>

static struct cluster_port port;
static struct non_blocking_cache cache;
static uint64_t done;
static const uint32_t *waiting;

static void start(unsigned sets, unsigned ways, unsigned latency, unsigned mshrs, unsigned requests) {
    const struct machine_cache_config lines = {sets * ways * 64, ways, 64, latency, REPLACEMENT_lru};
    const struct machine_mshr_config misses = {mshrs, requests};
    cluster_port_init(&port, 3, 8, mshrs, mshrs);
    non_blocking_cache_init(&cache, &lines, &misses, &port, 1, 1);
}

static void end(void) {
    non_blocking_cache_free(&cache);
    cluster_port_free(&port);
}

static enum cache_result request(unsigned kind, uint32_t address, unsigned bytes, uint32_t tag,
                                 uint64_t cycle) {
    const struct cache_request r = {
        .address = address, .bytes = (uint16_t)bytes, .kind = (uint8_t)kind, .tag = tag};
    const enum cache_result told = non_blocking_cache_outlook(&cache, &r, cycle);
    const enum cache_result result = non_blocking_cache_request(&cache, &r, cycle, &done);
    assert_int_equal(told, result);
    return result;
}

static enum cache_result load(uint32_t address, uint32_t tag, uint64_t cycle) {
    return request(CACHE_LOAD, address, 4, tag, cycle);
}

/* Returns the next packet of the queue, as the memory takes it. */
static struct memory_packet packet(void) {
    assert_true(port.count > 0);
    const struct memory_packet p = port.packet[port.first];
    port.first = (port.first + 1) & port.mask;
    --port.count;
    return p;
}

static unsigned answer(uint32_t tag, uint64_t cycle) {
    const struct memory_answer a = {.cycle = cycle, .tag = tag, .kind = ANSWER_DATA, .source = 1};
    return non_blocking_cache_fill(&cache, &a, &waiting);
}

static void a_miss_asks_for_the_line_and_others_join(void **state) {
    (void)state;
    start(8, 4, 4, 32, 8);
    assert_int_equal(load(0x1044, 7, 10), CACHE_MISS);
    assert_int_equal(load(0x1078, 8, 11), CACHE_MISS);
    assert_int_equal(port.count, 1);
    const struct memory_packet p = packet();
    assert_int_equal(p.cycle, 13); /* looked up in 10 to 13 */
    assert_int_equal(p.address, 0x1040);
    assert_int_equal(p.bytes, 64);
    assert_int_equal(p.moved, 64);
    assert_int_equal(p.kind, PACKET_READ);
    assert_int_equal(p.source, 1);
    assert_int_equal(p.cluster, 3);
    assert_int_equal(answer(p.tag, 300), 2);
    assert_int_equal(waiting[0], 7);
    assert_int_equal(waiting[1], 8);
    assert_int_equal(load(0x1040, 9, 301), CACHE_HIT);
    assert_int_equal(done, 304);
    assert_int_equal(load(0x1080, 9, 302), CACHE_MISS); /* the next line */
    assert_int_equal(cache.accesses, 4);
    assert_int_equal(cache.misses, 2);
    assert_int_equal(cache.merged, 1);
    end();
}

static enum cache_result load_ahead(uint32_t address, uint64_t cycle) {
    const struct cache_request r = {.address = address, .bytes = 4, .kind = CACHE_LOAD, .ahead = true};
    return non_blocking_cache_request(&cache, &r, cycle, &done);
}

/* Scalar threads fetch four lines. SIMT threads access one after its arrival, one in flight, one after its
 * eviction, and one after a store has dropped it. */
static void what_is_fetched_ahead_is_useful_once(void **state) {
    (void)state;
    start(1, 4, 1, 8, 8);
    assert_int_equal(load_ahead(0x1000, 0), CACHE_MISS);
    assert_true(port.packet[port.first].ahead);
    assert_int_equal(load_ahead(0x2000, 1), CACHE_MISS);
    assert_int_equal(load_ahead(0x3000, 2), CACHE_MISS);
    assert_int_equal(load_ahead(0x3004, 3), CACHE_MISS); /* joins */
    assert_int_equal(load(0x2000, 0, 4), CACHE_MISS);    /* joins, and so does */
    assert_int_equal(load(0x2010, 0, 5), CACHE_MISS);
    for (unsigned n = 0; n < 3; ++n) answer(packet().tag, 20 + n);
    assert_int_equal(load(0x2004, 0, 30), CACHE_HIT);
    assert_int_equal(load_ahead(0x1004, 31), CACHE_HIT);
    assert_int_equal(load(0x1000, 0, 32), CACHE_HIT);
    assert_int_equal(load(0x1008, 0, 33), CACHE_HIT);
    assert_int_equal(cache.ahead, 3);
    assert_int_equal(cache.ahead_useful, 2);
    assert_int_equal(cache.ahead_late, 1);
    for (unsigned n = 0; n < 4; ++n) { /* the set has four lines: 0x3000 is evicted, too */
        assert_int_equal(load(0x4000 + 0x1000 * n, 0, 40 + n), CACHE_MISS);
        assert_false(port.packet[port.first].ahead);
        answer(packet().tag, 50 + n);
    }
    assert_int_equal(load(0x3000, 0, 60), CACHE_MISS);
    answer(packet().tag, 70);
    assert_int_equal(load(0x3000, 0, 71), CACHE_HIT);
    for (unsigned n = 0; n < 8; ++n) cluster_port_free_place(&port, 71);
    assert_int_equal(load_ahead(0x8000, 72), CACHE_MISS);
    answer(packet().tag, 80);
    request(CACHE_STORE, 0x8000, 4, 0, 81);
    packet();
    assert_int_equal(load(0x8000, 0, 82), CACHE_MISS);
    answer(packet().tag, 90);
    assert_int_equal(cache.ahead, 4);
    assert_int_equal(cache.ahead_useful, 2);
    end();
}

static void what_has_no_register_is_refused(void **state) {
    (void)state;
    start(8, 4, 1, 2, 3);
    assert_int_equal(load(0x1000, 0, 5), CACHE_MISS);
    assert_int_equal(load(0x2000, 1, 6), CACHE_MISS);
    assert_int_equal(load(0x3000, 2, 7), CACHE_NO_MSHR);
    assert_int_equal(load(0x1004, 3, 8), CACHE_MISS);
    assert_int_equal(load(0x1008, 4, 9), CACHE_MISS); /* three wait: the first and two more */
    assert_int_equal(load(0x100c, 5, 10), CACHE_NO_MERGE);
    assert_int_equal(cache.accesses, 4); /* refusals do not count */
    assert_int_equal(cache.refused_mshr, 1);
    assert_int_equal(cache.refused_merge, 1);
    const uint32_t tag = packet().tag;
    assert_int_equal(answer(tag, 20), 3);
    assert_int_equal(load(0x3000, 2, 21), CACHE_MISS);
    end();
}

static void the_injection_queue_has_eight_places(void **state) {
    (void)state;
    start(8, 4, 1, 32, 8);
    for (unsigned n = 0; n < 8; ++n) assert_int_equal(request(CACHE_STORE, 64 * n, 64, n, n), CACHE_HIT);
    assert_int_equal(done, 7);
    assert_int_equal(load(0x1000, 0, 8), CACHE_NO_ROOM);
    cluster_port_free_place(&port, 9); /* free at the end of 9 */
    assert_int_equal(load(0x1000, 0, 9), CACHE_NO_ROOM);
    assert_int_equal(load(0x1000, 0, 10), CACHE_MISS);
    assert_int_equal(load(0x2000, 0, 11), CACHE_NO_ROOM);
    assert_int_equal(load(0x1004, 0, 11), CACHE_MISS); /* joins: no packet */
    assert_int_equal(cache.refused_room, 3);
    end();
}

static void packets_are_in_the_order_of_their_cycles(void **state) {
    (void)state;
    start(8, 4, 4, 32, 8);
    struct non_blocking_cache instructions;
    const struct machine_cache_config lines = {4096, 4, 64, 1, REPLACEMENT_lru};
    const struct machine_mshr_config misses = {2, 32};
    non_blocking_cache_init(&instructions, &lines, &misses, &port, 0, 1);
    const struct cache_request fetch = {.address = 0x9000, .bytes = 8, .kind = CACHE_LOAD};
    assert_int_equal(load(0x1000, 0, 10), CACHE_MISS); /* there at the end of 13 */
    assert_int_equal(non_blocking_cache_request(&instructions, &fetch, 11, &done),
                     CACHE_MISS); /* end of 11 */
    assert_int_equal(load(0x2000, 0, 12), CACHE_MISS);
    assert_int_equal(packet().address, 0x9000);
    assert_int_equal(packet().address, 0x1000);
    assert_int_equal(packet().address, 0x2000);
    non_blocking_cache_free(&instructions);
    end();
}

static void stores_go_through_and_drop_the_line(void **state) {
    (void)state;
    start(8, 4, 4, 32, 8);
    assert_int_equal(load(0x1000, 0, 0), CACHE_MISS);
    answer(packet().tag, 50);
    assert_int_equal(load(0x1000, 0, 51), CACHE_HIT);
    const uint64_t written[1] = {0xf0};
    const struct cache_request s = {
        .address = 0x1020, .bytes = 32, .kind = CACHE_STORE, .tag = 77, .written = written};
    assert_int_equal(non_blocking_cache_request(&cache, &s, 52, &done), CACHE_HIT);
    assert_int_equal(done, 52);
    const struct memory_packet p = packet();
    assert_int_equal(p.kind, PACKET_WRITE);
    assert_int_equal(p.cycle, 55);
    assert_int_equal(p.tag, 77);
    assert_int_equal(p.written[0], 0xf0);
    assert_int_equal(load(0x1000, 1, 53), CACHE_MISS);
    /* A store to a line in flight: the waiting load is answered, later loads miss again; the line is not
     * cached. */
    assert_int_equal(request(CACHE_STORE, 0x1000, 4, 0, 54), CACHE_HIT);
    assert_int_equal(load(0x1000, 2, 55), CACHE_MISS);
    const uint32_t first = packet().tag, second = (packet(), packet().tag);
    assert_int_not_equal(first, second);
    assert_int_equal(answer(first, 100), 1);
    assert_int_equal(waiting[0], 1);
    assert_int_equal(load(0x1000, 3, 101), CACHE_MISS); /* joins the second */
    assert_int_equal(answer(second, 102), 2);
    assert_int_equal(load(0x1000, 4, 103), CACHE_HIT);
    end();
}

static void private_stores_stay(void **state) {
    (void)state;
    start(1, 2, 4, 32, 8);
    assert_int_equal(request(CACHE_PRIVATE_STORE, 0x1000, 32, 0, 0), CACHE_HIT);
    assert_int_equal(port.count, 0);
    assert_int_equal(request(CACHE_LOAD, 0x1000, 32, 0, 1), CACHE_HIT);  /* these bytes are valid */
    assert_int_equal(request(CACHE_LOAD, 0x1010, 32, 9, 2), CACHE_MISS); /* not those behind them */
    assert_int_equal(answer(packet().tag, 50), 1);
    assert_int_equal(request(CACHE_LOAD, 0x1000, 64, 0, 51), CACHE_HIT);
    assert_int_equal(request(CACHE_PRIVATE_STORE, 0x2000, 64, 0, 52), CACHE_HIT);
    /* Two ways: 0x1000 is evicted with the written piece; then 0x2000, whole, by an arriving line. */
    assert_int_equal(request(CACHE_PRIVATE_STORE, 0x3000, 4, 0, 53), CACHE_HIT);
    struct memory_packet p = packet();
    assert_int_equal(p.kind, PACKET_WRITE_BACK);
    assert_int_equal(p.address, 0x1000);
    assert_int_equal(p.bytes, 64);
    assert_int_equal(p.moved, 32);
    assert_int_equal(p.written[0], 0xffffffff);
    assert_int_equal(p.cycle, 56);
    assert_int_equal(load(0x4000, 0, 54), CACHE_MISS);
    assert_int_equal(answer(packet().tag, 90), 1);
    p = packet();
    assert_int_equal(p.kind, PACKET_WRITE_BACK);
    assert_int_equal(p.address, 0x2000);
    assert_int_equal(p.moved, 64);
    assert_int_equal(p.cycle, 91);
    assert_int_equal(cache.writebacks, 2);
    end();
}

static void a_private_store_may_need_a_place_in_the_queue(void **state) {
    (void)state;
    start(1, 1, 1, 32, 8);
    assert_int_equal(request(CACHE_PRIVATE_STORE, 0x1000, 4, 0, 0), CACHE_HIT);
    for (unsigned n = 0; n < 8; ++n) request(CACHE_STORE, 0x8000, 4, 0, 1 + n);
    assert_int_equal(request(CACHE_PRIVATE_STORE, 0x1004, 4, 0, 9), CACHE_HIT);
    assert_int_equal(request(CACHE_PRIVATE_STORE, 0x2000, 4, 0, 9), CACHE_NO_ROOM);
    cluster_port_free_place(&port, 9);
    assert_int_equal(request(CACHE_PRIVATE_STORE, 0x2000, 4, 0, 10), CACHE_HIT);
    end();
}

static void kept_stores_are_written_at_the_end(void **state) {
    (void)state;
    start(2, 2, 4, 32, 8);
    assert_int_equal(request(CACHE_KEPT_STORE, 0x1000, 4, 0, 0), CACHE_HIT);
    assert_int_equal(request(CACHE_KEPT_STORE, 0x1004, 4, 0, 1), CACHE_HIT);
    assert_int_equal(request(CACHE_PRIVATE_STORE, 0x2000, 4, 0, 2), CACHE_HIT);
    assert_int_equal(request(CACHE_KEPT_STORE, 0x1040, 64, 0, 3), CACHE_HIT);
    assert_int_equal(port.count, 0);
    non_blocking_cache_write_back(&cache, 10); /* one per cycle, set by set; private memory never */
    non_blocking_cache_write_back(&cache, 11);
    non_blocking_cache_write_back(&cache, 12);
    assert_int_equal(port.count, 2);
    struct memory_packet p = packet();
    assert_int_equal(p.kind, PACKET_WRITE_BACK);
    assert_int_equal(p.address, 0x1000);
    assert_int_equal(p.moved, 32);
    assert_int_equal(p.written[0], 0xff);
    assert_int_equal(p.cycle, 10);
    p = packet();
    assert_int_equal(p.address, 0x1040);
    assert_int_equal(p.moved, 64);
    assert_int_equal(p.cycle, 11);
    assert_int_equal(cache.written_at_end, 2);
    assert_false(cluster_port_drained(&port, 12));
    cluster_port_free_place(&port, 20);
    cluster_port_free_place(&port, 30);
    assert_false(cluster_port_drained(&port, 30)); /* a place is free after the cycle at whose end its packet
                                                    * leaves */
    assert_true(cluster_port_drained(&port, 31));
    end();
}

static void a_full_queue_delays_the_end(void **state) {
    (void)state;
    start(1, 1, 1, 32, 8);
    for (unsigned n = 0; n < 8; ++n) request(CACHE_STORE, 0x8000, 4, 0, 1 + n);
    assert_int_equal(request(CACHE_KEPT_STORE, 0x1000, 4, 0, 9), CACHE_HIT);
    cluster_port_free_place(&port, 20);
    non_blocking_cache_write_back(&cache, 20);
    assert_int_equal(cache.written_at_end, 0);
    non_blocking_cache_write_back(&cache, 21);
    assert_int_equal(cache.written_at_end, 1);
    end();
}

/* A kept line is written when it is evicted, and not again at the end. */
static void a_kept_line_that_goes_is_written(void **state) {
    (void)state;
    start(1, 1, 4, 32, 8);
    assert_int_equal(request(CACHE_KEPT_STORE, 0x1000, 4, 0, 0), CACHE_HIT);
    assert_int_equal(request(CACHE_KEPT_STORE, 0x2000, 4, 0, 1), CACHE_HIT);
    assert_int_equal(packet().address, 0x1000);
    non_blocking_cache_write_back(&cache, 10);
    assert_int_equal(packet().address, 0x2000);
    non_blocking_cache_write_back(&cache, 11);
    assert_int_equal(port.count, 0);
    assert_int_equal(cache.writebacks, 2);
    assert_int_equal(cache.written_at_end, 1);
    end();
}

/* The L2 has the kept stores before it executes the exclusive access. */
static void exclusives_follow_what_was_kept(void **state) {
    (void)state;
    start(8, 4, 4, 2, 8);
    assert_int_equal(request(CACHE_KEPT_STORE, 0x1000, 4, 0, 0), CACHE_HIT);
    assert_int_equal(request(CACHE_EXCLUSIVE_STORE, 0x1004, 4, 5, 1), CACHE_MISS);
    struct memory_packet p = packet();
    assert_int_equal(p.kind, PACKET_WRITE_BACK);
    assert_int_equal(p.cycle, 4);
    p = packet();
    assert_int_equal(p.kind, PACKET_EXCHANGE);
    assert_int_equal(p.cycle, 4);
    assert_int_equal(load(0x1000, 6, 2), CACHE_MISS); /* the line is not here any more */
    non_blocking_cache_write_back(&cache, 10);
    assert_int_equal(cache.written_at_end, 0);
    end();
}

static void exclusives_go_past_the_cache(void **state) {
    (void)state;
    start(8, 4, 4, 2, 8);
    assert_int_equal(load(0x1000, 0, 0), CACHE_MISS);
    answer(packet().tag, 50);
    assert_int_equal(request(CACHE_EXCLUSIVE_LOAD, 0x1004, 4, 5, 51), CACHE_MISS);
    struct memory_packet p = packet();
    assert_int_equal(p.kind, PACKET_READ);
    assert_int_equal(p.address, 0x1004);
    assert_int_equal(p.bytes, 4);
    assert_int_equal(request(CACHE_EXCLUSIVE_STORE, 0x1004, 4, 6, 52), CACHE_MISS);
    const struct memory_packet q = packet();
    assert_int_equal(q.kind, PACKET_EXCHANGE);
    assert_int_equal(request(CACHE_EXCLUSIVE_STORE, 0x1004, 4, 7, 53), CACHE_NO_MSHR);
    assert_int_equal(answer(q.tag, 60), 1);
    assert_int_equal(waiting[0], 6);
    assert_int_equal(answer(p.tag, 61), 1);
    assert_int_equal(waiting[0], 5);
    assert_int_equal(load(0x1000, 0, 62), CACHE_MISS); /* the line was dropped */
    end();
}

static void the_least_recently_used_line_of_a_set_goes(void **state) {
    (void)state;
    start(3, 2, 1, 32, 8); /* set = line mod 3 */
    static const uint32_t lines[] = {0, 3, 0, 6};
    for (unsigned n = 0; n < 4; ++n)
        if (load(64 * lines[n], 0, 10 * n) == CACHE_MISS) answer(packet().tag, 10 * n + 5);
    assert_int_equal(load(0, 0, 40), CACHE_HIT);
    assert_int_equal(load(64 * 6, 0, 41), CACHE_HIT);
    assert_int_equal(load(64 * 3, 0, 42), CACHE_MISS);
    answer(packet().tag, 50);
    non_blocking_cache_invalidate(&cache);
    assert_int_equal(load(0, 0, 60), CACHE_MISS);
    end();
}

static void answers_come_in_the_order_of_their_cycles(void **state) {
    (void)state;
    start(8, 4, 1, 4, 8);
    assert_int_equal(cluster_port_next(&port), UINT64_MAX);
    cluster_port_deliver(&port, (struct memory_answer){.cycle = 20, .tag = 1, .kind = ANSWER_DATA});
    cluster_port_deliver(&port, (struct memory_answer){.cycle = 15, .tag = 2, .kind = ANSWER_TAKEN});
    cluster_port_deliver(&port, (struct memory_answer){.cycle = 20, .tag = 3, .kind = ANSWER_TAKEN});
    struct memory_answer a;
    assert_int_equal(cluster_port_next(&port), 15);
    assert_false(cluster_port_answer(&port, 14, &a));
    assert_true(cluster_port_answer(&port, 15, &a));
    assert_int_equal(a.tag, 2);
    assert_false(cluster_port_answer(&port, 19, &a));
    assert_true(cluster_port_answer(&port, 25, &a));
    assert_int_equal(a.tag, 1);
    assert_true(cluster_port_answer(&port, 25, &a));
    assert_int_equal(a.tag, 3);
    assert_false(cluster_port_answer(&port, UINT64_MAX - 1, &a));
    end();
}

/* --- random --- */

#define MOST_TAGS 100000

/* The memory answers in any order, some cycles later. Every miss is answered exactly once. A loaded line hits
 * in the next load unless a store or another line came in between. */
static void everyone_who_missed_is_answered_once(void **state) {
    (void)state;
    struct seed s = seed_start();
    static uint8_t missed[MOST_TAGS], answered[MOST_TAGS];
    start(4, 3, 4, 5, 3);
    uint32_t open[64], opened = 0;
    unsigned refused = 0;
    for (uint32_t tag = 0; tag < MOST_TAGS; ++tag) {
        const uint64_t cycle = 2 * (uint64_t)tag;
        const unsigned kind = seed_below(&s, 5);
        const uint32_t address = (kind == CACHE_PRIVATE_STORE ? 0x10000 : 0) + 4 * seed_below(&s, 1024);
        const enum cache_result r = request(kind, address, 4, tag, cycle);
        missed[tag] = r == CACHE_MISS;
        refused += r > CACHE_MISS;
        while (port.count) {
            const struct memory_packet p = packet();
            assert_in_range(p.cycle + 1, cycle, cycle + 4); /* the last answer was of the cycle before last */
            if (p.kind == PACKET_READ || p.kind == PACKET_EXCHANGE) open[opened++] = p.tag;
            cluster_port_free_place(&port, cycle + seed_below(&s, 3));
        }
        if (!opened || seed_below(&s, 3)) continue;
        const unsigned n = seed_below(&s, opened);
        const unsigned count = answer(open[n], cycle);
        open[n] = open[--opened];
        for (unsigned w = 0; w < count; ++w) ++answered[waiting[w]];
    }
    while (opened) {
        const unsigned count = answer(open[--opened], 2 * MOST_TAGS);
        for (unsigned w = 0; w < count; ++w) ++answered[waiting[w]];
    }
    assert_memory_equal(missed, answered, sizeof missed);
    assert_int_equal(cache.outstanding, 0);
    assert_true(refused > 100);
    end();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_miss_asks_for_the_line_and_others_join),
        cmocka_unit_test(what_is_fetched_ahead_is_useful_once),
        cmocka_unit_test(what_has_no_register_is_refused),
        cmocka_unit_test(the_injection_queue_has_eight_places),
        cmocka_unit_test(packets_are_in_the_order_of_their_cycles),
        cmocka_unit_test(stores_go_through_and_drop_the_line),
        cmocka_unit_test(private_stores_stay),
        cmocka_unit_test(a_private_store_may_need_a_place_in_the_queue),
        cmocka_unit_test(kept_stores_are_written_at_the_end),
        cmocka_unit_test(a_full_queue_delays_the_end),
        cmocka_unit_test(a_kept_line_that_goes_is_written),
        cmocka_unit_test(exclusives_follow_what_was_kept),
        cmocka_unit_test(exclusives_go_past_the_cache),
        cmocka_unit_test(the_least_recently_used_line_of_a_set_goes),
        cmocka_unit_test(answers_come_in_the_order_of_their_cycles),
        cmocka_unit_test(everyone_who_missed_is_answered_once),
    };
    return cmocka_run_group_tests_name("non_blocking_cache", tests, NULL, NULL);
}
