/* Latencies of the memory system, every cycle counted by hand: L2s on a bus, memory behind it, several
 * clusters with a directory. Default values (Table 2 and config --describe): an L2 look-up takes 8 cycles. A
 * request occupies the bus for 4. A snoop is answered 8 cycles after the request's turn. Memory answers 200
 * cycles after the line's transfer begins, which takes 4. A crossing to or from the directory takes 10, its
 * look-up 8.
 *
 * A request in cycle t of an idle machine: L2 t … t + 7, bus from t + 8. */
#include "tests/memory/coherence_fixture.h"

#include "model/memory/page_walk.h"

static struct coherence c;

#define LINE 6u
#define T    1000u

/* L2s of 2 sets of 4 ways: nothing is evicted but on purpose. */
static void new_machine(unsigned clusters, unsigned lanes) {
    coherence_init(&c, clusters, lanes, 4, NULL, NULL);
}

/* Returns the cycle at whose end the data are ready. */
static uint64_t request(unsigned core, uint32_t line, bool store, uint64_t t) {
    uint64_t done;
    assert_true(private_l2_access(&c.l2[core], line * 64, store, t, &done));
    return done;
}
static uint64_t load(unsigned core, uint32_t line, uint64_t t) {
    return request(core, line, false, t);
}
static uint64_t store(unsigned core, uint32_t line, uint64_t t) {
    return request(core, line, true, t);
}

/* --- one cluster --- */

static void hit_and_miss(void **state) {
    (void)state;
    new_machine(1, 4);
    assert_int_equal(load(0, LINE, 0), 8 + 200 - 1); /* bus and memory in cycle 8 */
    assert_int_equal(load(0, LINE, T), T + 7);
    assert_int_equal(store(0, LINE, T + 1), T + 8); /* exclusive: no request */
    assert_int_equal(coherence_state(&c, 0, LINE), MOESI_M);
    assert_int_equal(c.bus[0].requests, 1);
    coherence_free(&c);
}

static void a_snoop_hit_takes_8_cycles_more_than_a_hit(void **state) {
    (void)state;
    new_machine(1, 4);
    store(2, LINE, 0);
    assert_int_equal(load(0, LINE, T), T + 8 + 8 - 1); /* core 2 owns it, dirty */
    assert_int_equal(coherence_state(&c, 2, LINE), MOESI_O);
    assert_int_equal(coherence_state(&c, 0, LINE), MOESI_S);
    assert_int_equal(store(1, LINE, T + 100), T + 115); /* invalidates both */
    assert_int_equal(coherence_state(&c, 2, LINE), MOESI_I);
    assert_int_equal(coherence_state(&c, 0, LINE), MOESI_I);
    assert_int_equal(c.memory.reads, 1);
    coherence_free(&c);
}

static void an_upgrade_takes_as_long(void **state) {
    (void)state;
    new_machine(1, 4);
    load(0, LINE, 0);
    load(1, LINE, T);
    assert_int_equal(coherence_state(&c, 0, LINE), MOESI_S);
    assert_int_equal(store(0, LINE, T + 100), T + 100 + 8 + 8 - 1);
    assert_int_equal(coherence_state(&c, 0, LINE), MOESI_M);
    assert_int_equal(coherence_state(&c, 1, LINE), MOESI_I);
    assert_int_equal(c.l2[0].upgrades, 1);
    coherence_free(&c);
}

/* Two L2s look up in the same cycle; the second has the bus 4 cycles later, and its line's transfer begins
 * then. */
static void requests_take_turns_on_the_bus(void **state) {
    (void)state;
    new_machine(1, 4);
    assert_int_equal(load(0, LINE, 0), 207);
    assert_int_equal(load(1, LINE + 1, 0), 211);
    assert_int_equal(load(2, LINE + 2, 2), 215);  /* looked up in 9, bus in 16 */
    assert_int_equal(load(3, LINE + 3, 12), 219); /* looked up when the bus is free */
    assert_int_equal(c.bus[0].wait_cycles, 4 + 6);
    coherence_free(&c);
}

/* The second L2 waits for the line of the first, which arrives in 208: 8 cycles more. */
static void a_line_on_its_way_is_passed_on_when_it_has_come(void **state) {
    (void)state;
    new_machine(1, 4);
    assert_int_equal(load(0, LINE, 0), 207);
    assert_int_equal(load(1, LINE, 50), 215);
    assert_int_equal(c.memory.reads, 1);
    coherence_free(&c);
}

/* Core 1 is promised the line while it is in transit to core 0, whose later stores still go into it. */
static void stores_join_a_miss_whose_line_is_promised(void **state) {
    (void)state;
    new_machine(1, 4);
    assert_int_equal(store(0, LINE, 0), 207);
    assert_int_equal(store(1, LINE, 10), 215);
    assert_int_equal(store(0, LINE, 20), 207);
    assert_int_equal(c.l2[0].joined, 1);
    assert_int_equal(store(0, LINE, 208), 208 + 15); /* the line has left and must return */
    assert_int_equal(c.l2[0].joined, 1);
    coherence_free(&c);
}

/* One way: core 0's modified line is evicted by another line of its set. Its turn on the bus and at memory
 * comes after that of the new line: 1012. A line that another core requests waits: looked up by 1011, bus in
 * 1016; the transfer of the write-back ended in 1015. */
static void a_write_back_takes_a_turn_and_nobody_waits_for_it(void **state) {
    (void)state;
    coherence_init(&c, 1, 2, 1, NULL, NULL);
    store(0, 2, 0);
    assert_int_equal(load(0, 4, T), T + 207);
    assert_int_equal(c.memory.writes, 1);
    assert_int_equal(load(1, 7, T + 4), T + 16 + 199);
    assert_int_equal(load(0, 2, T + 500), T + 707); /* from memory again */
    coherence_free(&c);
}

/* At 1 byte a cycle a line is transferred in 64: each miss waits for the one before. */
static void memory_has_a_bandwidth(void **state) {
    (void)state;
    new_machine(1, 4);
    c.memory.transfer_cycles = 64;
    assert_int_equal(load(0, 0, 0), 207);
    assert_int_equal(load(1, 1, 0), 8 + 64 + 199);
    assert_int_equal(load(2, 2, 100), 8 + 128 + 199);
    assert_int_equal(c.memory.wait_cycles, (8 + 64 - 12) + (136 - 108));
    coherence_free(&c);
}

/* Four registers: the fifth miss is refused until the first line arrives at the end of 207. Hits proceed. */
static void full_miss_registers_let_hits_pass(void **state) {
    (void)state;
    uint64_t done;
    new_machine(1, 2);
    load(0, 20, 0); /* long there */
    for (uint32_t n = 0; n < 4; ++n) load(0, n, T + 10 * n);
    assert_false(private_l2_access(&c.l2[0], 5 * 64, false, T + 50, &done));
    assert_int_equal(done, T + 208);
    assert_int_equal(load(0, 20, T + 51), T + 58);
    assert_int_equal(load(0, 3, T + 52), T + 30 + 207); /* joins its line's miss */
    assert_false(private_l2_access(&c.l2[0], 5 * 64, false, T + 207, &done));
    assert_int_equal(load(0, 5, T + 208), T + 415);
    assert_int_equal(c.l2[0].refused, 2);
    coherence_free(&c);
}

/* Even lines lie in bank 0, odd ones in bank 1; a bank takes one request a cycle. */
static void a_bank_takes_one_request_a_cycle(void **state) {
    (void)state;
    new_machine(1, 1);
    c.l2[0].bank_mask = 1;
    for (uint32_t line = 0; line < 3; ++line) load(0, line, 300 * line);
    assert_int_equal(load(0, 0, T), T + 7);
    assert_int_equal(load(0, 1, T), T + 7);
    assert_int_equal(load(0, 2, T), T + 8); /* bank 0 again */
    assert_int_equal(load(0, 0, T), T + 9);
    assert_int_equal(load(0, 1, T + 1), T + 8);
    assert_int_equal(c.l2[0].port_wait_cycles, 1 + 2);
    c.l2[0].ports = 2;
    c.l2[0].bank_mask = 0;
    assert_int_equal(load(0, 0, T + 100), T + 107);
    assert_int_equal(load(0, 1, T + 100), T + 107);
    assert_int_equal(load(0, 2, T + 100), T + 108);
    coherence_free(&c);
}

/* A request in an earlier cycle than the latest one may find the port free. */
static void ports_are_taken_by_the_cycle(void **state) {
    (void)state;
    new_machine(1, 1);
    load(0, 1, 0);
    assert_int_equal(load(0, 1, T + 5), T + 12);
    assert_int_equal(load(0, 1, T + 3), T + 10);
    assert_int_equal(load(0, 1, T + 3), T + 11);
    assert_int_equal(load(0, 1, T + 3), T + 13); /* 3, 4 and 5 are taken */
    coherence_free(&c);
}

/* --- address translation --- */

static struct page_walkers walkers;

static uint64_t walked(uint32_t address, uint64_t t) {
    return page_walkers_take(&walkers, address, t).end - t;
}

static void a_page_walk_reads_two_descriptors(void **state) {
    (void)state;
    new_machine(1, 1);
    c.memory.version = NULL; /* versions are not kept for so many lines */
    page_walkers_init(&walkers, &c.config, &c.l2[0]);
    assert_int_equal(walked(0x60001000, T), 20); /* Table 2's penalty */
    c.config.mem.page_walk = PAGE_WALK_MEMORY;
    assert_int_equal(walked(0x60001000, 2 * T), 208 + 208);
    assert_int_equal(walked(0x60001000, 3 * T), 8 + 8);
    assert_int_equal(walked(0x6000f000, 4 * T), 8 + 8); /* 16 descriptors a line */
    assert_int_equal(walked(0x60010000, 5 * T), 8 + 208);
    coherence_free(&c);
}

/* --- lines that the host writes between launches --- */

/* Dirty, shared with a neighbour and another cluster, or private lines are all dropped; memory writes
 * nothing, and the next load comes from memory. */
static void nobody_keeps_what_the_host_writes(void **state) {
    (void)state;
    new_machine(2, 2);
    store(0, LINE, 0);
    load(1, LINE, T);
    load(2, LINE, 2 * T);
    load(3, LINE + 1, 3 * T);
    load(3, LINE + 3, 4 * T);
    for (unsigned k = 0; k < 2; ++k) snoop_bus_overwrite(&c.bus[k], LINE, LINE + 1);
    for (unsigned core = 0; core < 4; ++core) {
        assert_int_equal(coherence_state(&c, core, LINE), MOESI_I);
        assert_int_equal(coherence_state(&c, core, LINE + 1), MOESI_I);
        assert_int_equal(c.l2[core].overwritten, 1);
    }
    assert_int_equal(coherence_state(&c, 3, LINE + 3), MOESI_E);
    assert_null(directory_find(&c.directory, LINE));
    assert_null(directory_find(&c.directory, LINE + 1));
    assert_int_equal(c.memory.writes, 0);
    const uint64_t reads = c.memory.reads;
    load(1, LINE, 5 * T);
    assert_int_equal(c.memory.reads, reads + 1);
    assert_int_equal(coherence_state(&c, 1, LINE), MOESI_E);
    /* More lines than an L2 has places: the places are searched instead. */
    for (unsigned k = 0; k < 2; ++k) snoop_bus_overwrite(&c.bus[k], 0, 1u << 26);
    assert_int_equal(coherence_state(&c, 1, LINE), MOESI_I);
    assert_int_equal(coherence_state(&c, 3, LINE + 3), MOESI_I);
    assert_null(directory_find(&c.directory, LINE + 3));
    coherence_free(&c);
}

/* --- L1D: write-through, write buffer --- */

static void a_finite_write_buffer_makes_stores_wait(void **state) {
    (void)state;
    new_machine(1, 1);
    struct l1d *l = &c.l1d[0];
    l->entries = 2;
    /* Four lines occupy the four miss registers until 208, 212 and so on. A store leaves the buffer when
     * the L2 accepts it, one in each cycle after the L1D's latency of 1 */
    for (uint32_t n = 0; n < 4; ++n) assert_int_equal(l1d_store(l, n * 64, T + n), 0);
    assert_int_equal(l1d_store(l, 4 * 64, T + 4), 0);            /* enters in 1004; the L2 takes it in 1209 */
    assert_int_equal(l1d_store(l, 5 * 64, T + 5), 0);            /* enters in 1005; accepted when the next
                                                                  * line arrives */
    assert_int_equal(l1d_store(l, 0, T + 6), T + 210 - (T + 6)); /* the first entry is free in 1210 */
    assert_int_equal(l->full_cycles, 204);
    coherence_free(&c);
}

static void a_load_hits_what_was_loaded_and_stores_do_not_allocate(void **state) {
    (void)state;
    new_machine(1, 2);
    struct l1d *l = &c.l1d[0];
    assert_int_equal(l1d_store(l, LINE * 64, 0), 0);
    assert_int_equal(l1d_load(l, LINE * 64, T), T + 1 + 8); /* L1D T, L2 T + 1 … T + 8 */
    assert_int_equal(l1d_load(l, LINE * 64, T + 9), 0);
    l1d_store(&c.l1d[1], LINE * 64, T + 20); /* takes it from the L1D as well */
    assert_int_equal(l1d_load(l, LINE * 64, T + 100), T + 101 + 16);
    coherence_free(&c);
}

/* --- several clusters --- */

/* L2 0–7, bus 8, neighbours have answered by 15, crossing 16–25, look-up 26–33, memory from 34, crossing
 * back. */
static void a_miss_of_all_clusters(void **state) {
    (void)state;
    new_machine(2, 2);
    assert_int_equal(load(0, LINE, 0), 8 + 8 + 10 + 8 + 200 + 10 - 1);
    assert_int_equal(coherence_state(&c, 0, LINE), MOESI_E);
    assert_int_equal(directory_find(&c.directory, LINE)->state, DIRECTORY_X);
    assert_int_equal(load(1, LINE, T), T + 15); /* a neighbour: as in one cluster */
    assert_int_equal(c.directory.requests, 1);
    coherence_free(&c);
}

/* Asked by the directory, the owner's cluster takes its bus in T + 44 and sends the line
 * when it has snooped. */
static void a_line_of_another_cluster(void **state) {
    (void)state;
    new_machine(2, 2);
    store(0, LINE, 0);
    assert_int_equal(load(2, LINE, T), T + 8 + 8 + 10 + 8 + 10 + 8 + 10 - 1);
    assert_int_equal(coherence_state(&c, 0, LINE), MOESI_O);
    assert_int_equal(directory_find(&c.directory, LINE)->state, DIRECTORY_O);
    assert_int_equal(store(3, LINE, T + 100), T + 100 + 61); /* upgrade: invalidated there as fast */
    assert_int_equal(coherence_state(&c, 0, LINE), MOESI_I);
    assert_int_equal(directory_find(&c.directory, LINE)->state, DIRECTORY_X);
    assert_int_equal(store(2, LINE, T + 200), T + 215); /* the neighbour's is the only copy */
    assert_int_equal(c.directory.forwards, 1);
    assert_int_equal(c.directory.invalidations, 1);
    coherence_free(&c);
}

/* No other cluster has the line: the directory's permission is enough, a crossing in each direction. */
static void an_upgrade_that_only_the_directory_sees(void **state) {
    (void)state;
    new_machine(2, 2);
    load(0, LINE, 0);
    load(1, LINE, T);
    assert_int_equal(store(0, LINE, T + 100), T + 100 + 8 + 8 + 10 + 8 + 10 - 1);
    assert_int_equal(c.directory.invalidations, 0);
    coherence_free(&c);
}

/* Two look-ups in one cycle: one waits for the other. */
static void look_ups_take_turns(void **state) {
    (void)state;
    new_machine(4, 1);
    assert_int_equal(load(0, LINE, 0), 243);
    assert_int_equal(load(1, LINE + 1, 0), 243 + 4); /* a cycle later at the directory, 4 at the memory */
    assert_int_equal(c.directory.wait_cycles, 1);
    assert_int_equal(c.memory.wait_cycles, 3);
    coherence_free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hit_and_miss),
        cmocka_unit_test(a_snoop_hit_takes_8_cycles_more_than_a_hit),
        cmocka_unit_test(an_upgrade_takes_as_long),
        cmocka_unit_test(requests_take_turns_on_the_bus),
        cmocka_unit_test(a_line_on_its_way_is_passed_on_when_it_has_come),
        cmocka_unit_test(stores_join_a_miss_whose_line_is_promised),
        cmocka_unit_test(a_write_back_takes_a_turn_and_nobody_waits_for_it),
        cmocka_unit_test(memory_has_a_bandwidth),
        cmocka_unit_test(full_miss_registers_let_hits_pass),
        cmocka_unit_test(a_bank_takes_one_request_a_cycle),
        cmocka_unit_test(ports_are_taken_by_the_cycle),
        cmocka_unit_test(a_page_walk_reads_two_descriptors),
        cmocka_unit_test(nobody_keeps_what_the_host_writes),
        cmocka_unit_test(a_finite_write_buffer_makes_stores_wait),
        cmocka_unit_test(a_load_hits_what_was_loaded_and_stores_do_not_allocate),
        cmocka_unit_test(a_miss_of_all_clusters),
        cmocka_unit_test(a_line_of_another_cluster),
        cmocka_unit_test(an_upgrade_that_only_the_directory_sees),
        cmocka_unit_test(look_ups_take_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
