/* private_l2: cycles of hits, misses and merges by hand; miss registers; against a naive model in random
 * runs. */
#include "model/memory/private_l2.h"
#include "tests/panic.h"
#include "tests/seed.h"

#include <string.h>

static struct main_memory main_memory;
static struct snoop_bus bus;
static struct private_l2 l2;
static uint64_t done;

/* 8 ways of 64 bytes, hit 8 cycles, memory 200: Table 2 but for the size and the number of miss registers. */
static void new_l2(unsigned sets, unsigned ways, unsigned mshrs) {
    static struct machine_config c;
    config_defaults(&machine_config_table, &c);
    c.l2.size_bytes = sets * ways * c.l2.line_bytes;
    c.l2.ways = ways;
    c.mem.mshrs = mshrs;
    c.l2_ports = 4; /* no waiting for ports, bus or transfers, which have their own tests */
    c.snoop.occupancy_cycles = 1;
    c.mem.bandwidth_bytes = 64;
    main_memory_init(&main_memory, &c);
    snoop_bus_init(&bus, 0, &c, &main_memory, NULL);
    private_l2_init(&l2, &c, &bus);
}

static bool load(uint32_t address, uint64_t t) {
    return private_l2_access(&l2, address, false, t, &done);
}

static void a_miss_takes_208_cycles_and_a_hit_8(void **state) {
    (void)state;
    new_l2(512, 8, 8);
    assert_true(load(0x10000, 1000));
    assert_int_equal(done, 1000 + 8 + 200 - 1);
    assert_true(load(0x1003f, 1300));
    assert_int_equal(done, 1307);
    assert_true(load(0x10000, 1301));
    assert_int_equal(done, 1308);
    assert_int_equal(l2.tags.accesses, 3);
    assert_int_equal(l2.tags.misses, 1);
    private_l2_free(&l2);
}

static void a_store_allocates_and_is_written_back_when_evicted(void **state) {
    (void)state;
    new_l2(2, 1, 8);
    assert_true(private_l2_access(&l2, 0, true, 0, &done));
    assert_int_equal(done, 207);
    assert_true(load(0, 300));
    assert_int_equal(done, 307);
    assert_true(load(0x1000, 400)); /* evicts it */
    assert_int_equal(l2.writebacks, 1);
    assert_true(load(0x2000, 700));
    assert_int_equal(l2.writebacks, 1);
    assert_true(load(0x2000, 1000));
    assert_true(private_l2_access(&l2, 0x2000, true, 1001, &done)); /* made dirty by a hit */
    assert_true(load(0x1000, 1100));
    assert_int_equal(l2.writebacks, 2);
    private_l2_free(&l2);
}

static void a_request_to_a_line_on_its_way_waits_for_that_line(void **state) {
    (void)state;
    new_l2(512, 8, 2);
    assert_true(load(0x10000, 0)); /* there at the end of 207 */
    assert_true(load(0x20000, 0));
    for (uint64_t t = 1; t <= 200; ++t) { /* both miss registers are in use, none is needed */
        assert_true(load(0x10020, t));
        assert_int_equal(done, 207);
    }
    assert_true(load(0x10020, 201));
    assert_int_equal(done, 208); /* the L2's own latency is longer by then */
    assert_int_equal(l2.tags.misses, 2);
    assert_int_equal(l2.tags.accesses, 203);
    private_l2_free(&l2);
}

static void a_full_miss_file_refuses_until_a_line_is_there(void **state) {
    (void)state;
    new_l2(512, 8, 2);
    assert_true(load(0x10000, 10)); /* … 217 */
    assert_true(load(0x20000, 15)); /* … 222 */
    assert_false(load(0x30000, 20));
    assert_int_equal(done, 218);
    assert_int_equal(l2.tags.accesses, 2); /* nothing has happened */
    assert_int_equal(l2.tags.misses, 2);
    assert_int_equal(private_l2_refuses(&l2, 0x30000, 4, false, 20), 218);
    assert_int_equal(private_l2_refuses(&l2, 0x10000, 4, false, 20), 0);
    assert_false(load(0x30000, 217)); /* blocked at t − 1 */
    assert_int_equal(private_l2_refuses(&l2, 0x30000, 4, false, 218), 0);
    assert_true(load(0x30000, 218)); /* taken at t */
    assert_int_equal(done, 425);
    assert_false(load(0x40000, 219));
    assert_int_equal(done, 223);
    private_l2_free(&l2);
}

static void a_set_whose_ways_are_all_on_their_way_refuses(void **state) {
    (void)state;
    new_l2(4, 2, 8);
    assert_true(load(0x0000, 10));
    assert_true(load(0x1000, 12));
    assert_int_equal(private_l2_refuses(&l2, 0x2000, 4, false, 20), 218);
    assert_false(load(0x2000, 20));
    assert_int_equal(done, 218);
    assert_int_equal(private_l2_refuses(&l2, 0x2040, 4, false, 20), 0); /* another set */
    assert_int_equal(private_l2_refuses(&l2, 0x203f, 2, false, 20),
                     218); /* its first byte is still in this line */
    assert_false(load(0x2000, 217));
    assert_true(load(0x2000, 218));
    assert_true(load(0x1000, 219));
    assert_int_equal(done, 226); /* still in the cache: the other line was evicted */
    private_l2_free(&l2);
}

static void an_access_of_two_lines_needs_two_registers(void **state) {
    (void)state;
    new_l2(512, 8, 3);
    assert_true(load(0x10000, 0));
    assert_int_equal(private_l2_refuses(&l2, 0x2003e, 4, false, 1), 0);
    assert_true(load(0x30000, 1));
    assert_int_equal(private_l2_refuses(&l2, 0x2003e, 4, false, 2), 208);
    assert_int_equal(private_l2_refuses(&l2, 0x2003c, 4, false, 2), 0); /* one line */
    assert_int_equal(private_l2_refuses(&l2, 0x1003e, 4, false, 2), 0); /* the first is on its way already */
    assert_int_equal(private_l2_refuses(&l2, 0xffc0, 65, false, 2), 0);
    assert_int_equal(private_l2_refuses(&l2, 0xff80, 129, false, 2), 208);
    private_l2_free(&l2);
}

static void ask(void *size) {
    private_l2_refuses(&l2, 0x40000, *(unsigned *)size, false, 0);
}
static void an_access_that_can_never_be_taken_is_caught(void **state) {
    (void)state;
    new_l2(512, 8, 2);
    assert_false(panics(ask, &(unsigned){128}));
    assert_true(panics(ask, &(unsigned){129}));
    private_l2_free(&l2);
}

/* A fetch may reach the L2 a few cycles ahead of a data access that is computed after it. */
static void misses_that_come_out_of_order_leave_in_order(void **state) {
    (void)state;
    new_l2(512, 8, 2);
    assert_true(load(0x10000, 5)); /* … 212 */
    assert_true(load(0x20000, 2)); /* … 209 */
    assert_false(load(0x30000, 6));
    assert_int_equal(done, 210);
    assert_true(load(0x30000, 210));
    assert_false(load(0x40000, 211));
    assert_int_equal(done, 213);
    private_l2_free(&l2);
}

/* The ring of miss registers wraps many times. */
static void sixty_four_miss_registers_serve_again(void **state) {
    (void)state;
    new_l2(4096, 8, 64);
    for (uint32_t round = 0; round < 5; ++round) {
        for (uint32_t n = 0; n < 64; ++n) {
            assert_true(load(0x10000000 + (round * 64 + n) * 64, round * 1000 + n));
            assert_int_equal(done, round * 1000 + n + 207);
        }
        assert_false(load(0x20000000, round * 1000 + 64));
        assert_int_equal(done, round * 1000 + 208);
    }
    private_l2_free(&l2);
}

/* --- a naive L2: lines in order of use, misses as a list of times --- */

struct naive_l2 {
    unsigned sets, ways, mshrs;
    struct naive_set {
        unsigned count;
        struct naive_line {
            uint32_t line;
            uint64_t arrives; /* there at the end of this cycle */
            bool dirty;
        } line[16]; /* least recently used first */
    } set[8];
    uint64_t miss[4096]; /* ends of all misses so far */
    unsigned misses;
    uint64_t writebacks;
};

static void naive_touch(struct naive_set *s, unsigned at) {
    const struct naive_line l = s->line[at];
    memmove(&s->line[at], &s->line[at + 1], (s->count - at - 1) * sizeof l);
    s->line[s->count - 1] = l;
}

/* Returns the cycle for a retry; 0 if there is room. */
static uint64_t naive_make_room(struct naive_l2 *n, struct naive_set *s, uint64_t t) {
    unsigned in_flight = 0;
    uint64_t first = UINT64_MAX;
    for (unsigned m = 0; m < n->misses; ++m) {
        if (n->miss[m] < t) continue;
        ++in_flight;
        if (n->miss[m] < first) first = n->miss[m];
    }
    if (in_flight == n->mshrs) return first + 1;
    if (s->count < n->ways) return 0;
    for (unsigned at = 0; at < s->count; ++at) {
        if (s->line[at].arrives >= t) continue;
        n->writebacks += s->line[at].dirty;
        naive_touch(s, at);
        --s->count;
        return 0;
    }
    return first + 1;
}

static bool naive_access(struct naive_l2 *n, uint32_t address, bool store, uint64_t t, uint64_t *end) {
    const uint32_t line = address / 64;
    struct naive_set *s = &n->set[line % n->sets];
    unsigned at = 0;
    while (at < s->count && s->line[at].line != line) ++at;
    if (at < s->count) {
        naive_touch(s, at);
    } else {
        const uint64_t again = naive_make_room(n, s, t);
        if (again) {
            *end = again;
            return false;
        }
        s->line[s->count++] = (struct naive_line){line, t + 207, false};
        n->miss[n->misses++] = t + 207;
    }
    struct naive_line *l = &s->line[s->count - 1];
    l->dirty |= store;
    *end = l->arrives > t + 7 ? l->arrives : t + 7;
    return true;
}

/* Tries both lines of an access on a copy, in the cycle in which it begins. */
static uint64_t naive_refuses(const struct naive_l2 *n, uint32_t address, unsigned size, uint64_t t) {
    static struct naive_l2 copy;
    copy = *n;
    uint64_t end;
    for (uint32_t line = address / 64; line <= (address + size - 1) / 64; ++line)
        if (!naive_access(&copy, line * 64, false, t, &end)) return end;
    return 0;
}

static void random_runs_agree_with_the_naive_l2(void **state) {
    (void)state;
    struct seed s = seed_start();
    unsigned refusals = 0, merges = 0;
    for (int run = 0; run < 60; ++run) {
        static struct naive_l2 naive;
        memset(&naive, 0, sizeof naive);
        naive.sets = 2u << seed_below(&s, 3);
        naive.ways = 1u << seed_below(&s, 4);
        naive.mshrs = 2 + seed_below(&s, 15);
        new_l2(naive.sets, naive.ways, naive.mshrs);
        const unsigned span = naive.sets * naive.ways * 64 * 3, gap = 2 + seed_below(&s, 80);
        uint64_t t = 0;
        for (int n = 0; n < 1000; ++n) {
            t += 3 + seed_below(&s, gap); /* a write-back's turn on the bus delays no access */
            const unsigned size = 1u << seed_below(&s, 4);
            const uint32_t address = seed_below(&s, span);
            const bool store = seed_below(&s, 3) == 0;
            const uint64_t again = naive_refuses(&naive, address, size, t);
            assert_int_equal(private_l2_refuses(&l2, address, size, false, t), again);
            uint64_t expected;
            if (again) {
                ++refusals;
                if ((address + size - 1) / 64 != address / 64) continue;
                assert_false(private_l2_access(&l2, address, store, t, &done));
                assert_false(naive_access(&naive, address, store, t, &expected));
                assert_int_equal(done, expected);
                continue;
            }
            for (uint32_t line = address / 64; line <= (address + size - 1) / 64; ++line, t += 3) {
                assert_true(private_l2_access(&l2, line * 64, store, t, &done));
                assert_true(naive_access(&naive, line * 64, store, t, &expected));
                assert_int_equal(done, expected);
                merges += done > t + 7 && done < t + 207;
            }
            t -= 3;
            assert_int_equal(l2.tags.misses, naive.misses);
            assert_int_equal(l2.writebacks, naive.writebacks);
        }
        private_l2_free(&l2);
    }
    assert_true(refusals > 1000 && merges > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_miss_takes_208_cycles_and_a_hit_8),
        cmocka_unit_test(a_store_allocates_and_is_written_back_when_evicted),
        cmocka_unit_test(a_request_to_a_line_on_its_way_waits_for_that_line),
        cmocka_unit_test(a_full_miss_file_refuses_until_a_line_is_there),
        cmocka_unit_test(a_set_whose_ways_are_all_on_their_way_refuses),
        cmocka_unit_test(an_access_of_two_lines_needs_two_registers),
        cmocka_unit_test(an_access_that_can_never_be_taken_is_caught),
        cmocka_unit_test(misses_that_come_out_of_order_leave_in_order),
        cmocka_unit_test(sixty_four_miss_registers_serve_again),
        cmocka_unit_test(random_runs_agree_with_the_naive_l2),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
