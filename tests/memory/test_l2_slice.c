/* l2_slice and dram_channel by cycles counted by hand (gpu-like.md §5), with equal clocks: one slice with
 * lines of 64 bytes, look-up 10, way 20; DRAM: ACT to RD 12, data 10 + 2 later; a line is two bursts, which
 * are 2 apart. */
#include "model/memory/l2_slice.h"
#include "sim/counter.h"
#include "tests/memory/gpu_fixture.h"

static const char *const small[] = {"cluster.clock_mhz=1000",
                                    "icnt.clock_mhz=1000",
                                    "dram.clock_mhz=1000",
                                    "cluster.count=4",
                                    "l1d.latency=1",
                                    "l2.size=1024",
                                    "l2.ways=2",
                                    "l2.latency=10",
                                    "l2.mshrs=2",
                                    "dram.channels=1",
                                    "dram.pipe=20",
                                    "dram.queue=16",
                                    NULL};

/* Cycles of a load at the L1D in cycle 0: sent in 1, taken in 5, looked up in 15, at the channel in 36. */
enum { TAKEN = 5, LOOKED_UP = 15, AT_CHANNEL = 36 };
/* ACT 36, RD 48 and 50, data complete in 61; flits of the reply sent in 62, 63, 64, there in 68. */
enum { MISS = 68 };
/* For a line in the L2: flits in 16, 17, 18. */
enum { HIT = 22 };

static struct partitioned_memory *memory;

static void start(const char *const more[]) {
    struct error e = {0};
    gpu_set(small);
    for (; *more; ++more)
        if (!config_set(&machine_config_table, &gpu_config, *more, &e)) fail_msg("%s", e.message);
    gpu_create();
    memory = gpu_memory;
}

static const char *const nothing[] = {NULL};

/* A packet past the caches: at the end of a cycle. */
static void packet(unsigned cluster, unsigned kind, uint32_t address, unsigned bytes, uint64_t cycle) {
    struct memory_packet p = {.address = address,
                              .bytes = (uint16_t)bytes,
                              .moved = (uint16_t)bytes,
                              .kind = (uint8_t)kind,
                              .tag = (uint32_t)cycle,
                              .cycle = cycle};
    memset(p.written, 0xff, sizeof p.written);
    cluster_port_send(partitioned_memory_port(memory, cluster), p);
}

/* Runs until nothing is on its way. */
static void drain(void) {
    for (uint64_t next; (next = partitioned_memory_next_event(memory)) != UINT64_MAX;)
        partitioned_memory_advance(memory, next + 1);
}

static void expect(unsigned cluster, uint32_t tag, enum answer_kind kind, uint64_t cycle) {
    const struct memory_answer a = gpu_answer(cluster);
    assert_int_equal(a.tag, tag);
    assert_int_equal(a.kind, kind);
    assert_int_equal(a.cycle, cycle);
}

static uint64_t counter(const char *scope, const char *name) {
    struct counter_registry *r = counter_registry_create();
    partitioned_memory_register(memory, r);
    partitioned_memory_count(memory);
    const struct counter *c = counter_find(r, scope, name);
    assert_non_null(c);
    const uint64_t value = *c->value;
    counter_registry_destroy(r);
    return value;
}

static void misses_merges_and_hits(void **state) {
    (void)state;
    start(nothing);
    packet(0, PACKET_READ, 0x1000, 64, 0);
    packet(1, PACKET_READ, 0x1000, 64, 9);
    packet(2, PACKET_READ, 0x1000, 64, 20); /* looked up in 35: merges */
    packet(3, PACKET_READ, 0x1000, 64, 100);
    expect(0, 0, ANSWER_DATA, MISS);
    expect(1, 9, ANSWER_DATA, MISS + 3); /* the port of the slice sends nine flits, three after three */
    expect(2, 20, ANSWER_DATA, MISS + 6);
    expect(3, 100, ANSWER_DATA, 100 + HIT);
    assert_int_equal(counter("l2", "reads"), 4);
    assert_int_equal(counter("l2", "misses"), 1);
    assert_int_equal(counter("l2", "merged"), 2);
    assert_int_equal(counter("dram", "bursts"), 2);
    assert_int_equal(counter("dram", "activates"), 1);
    assert_int_equal(counter("dram", "busy"), 15); /* 36 to 50 */
    assert_int_equal(counter("icnt", "requests"), 4);
    assert_int_equal(counter("icnt", "reply_flits"), 12);
    gpu_destroy();
}

static void look_up_decides_when_it_ends(void **state) {
    (void)state;
    start(nothing);
    packet(0, PACKET_READ, 0x1000, 64, 0); /* complete in 61: the line is in the L2 in 62 */
    packet(1, PACKET_READ, 0x1000, 64, 46);
    packet(2, PACKET_READ, 0x1000, 64, 47);
    expect(0, 0, ANSWER_DATA, MISS);
    expect(1, 46, ANSWER_DATA, MISS + 3); /* looked up in 61: merges, and its reply is the second */
    expect(2, 47, ANSWER_DATA, MISS + 6); /* looked up in 62: a hit, whose flits could be sent from 63 on */
    assert_int_equal(counter("l2", "merged"), 1);
    gpu_destroy();
}

static void places_and_stores(void **state) {
    (void)state;
    start(nothing);
    packet(0, PACKET_WRITE, 0x1000, 64, 0); /* three flits: sent in 1, 2, 3, taken in 7, known in 11 */
    struct cluster_port *p = partitioned_memory_port(memory, 0);
    for (unsigned n = 1; n < 8; ++n) packet(0, PACKET_READ, 0x1000 + 64 * n, 64, n);
    assert_false(cluster_port_has_room(p, 7));
    assert_int_equal(cluster_port_next_place(p), UINT64_MAX);
    expect(0, 0, ANSWER_TAKEN, 11);
    assert_int_equal(cluster_port_next_place(p), 11);
    assert_false(cluster_port_has_room(p, 11));
    assert_true(cluster_port_has_room(p, 12));
    gpu_destroy();
}

static void what_was_written_is_there_and_no_more(void **state) {
    (void)state;
    start(nothing);
    packet(0, PACKET_WRITE, 0x1010, 16, 0);
    packet(1, PACKET_READ, 0x1010, 16, 50);
    expect(1, 50, ANSWER_DATA, 50 + HIT - 2); /* a reply of one flit */
    drain();
    assert_int_equal(counter("dram", "reads"), 0);
    packet(2, PACKET_READ, 0x1000, 32, 1000);
    expect(2, 1000, ANSWER_DATA, 1000 + MISS - 1); /* two flits */
    packet(3, PACKET_EXCHANGE, 0x1020, 4, 2000);
    expect(3, 2000, ANSWER_DATA, 2000 + HIT - 2 + 1); /* two flits there, one back */
    assert_int_equal(counter("l2", "partial"), 1);
    assert_int_equal(counter("l2", "writes"), 2);
    gpu_destroy();
}

static void written_lines_go_to_the_channel(void **state) {
    (void)state;
    start(nothing); /* eight sets of two ways: lines 0, 8, 16 share one */
    packet(0, PACKET_WRITE, 0, 4, 0);
    packet(0, PACKET_WRITE, 64 * 8, 64, 10);
    packet(0, PACKET_WRITE, 64 * 16, 4, 20); /* drives out line 0: one burst of 32 bytes */
    drain();
    assert_int_equal(counter("l2", "writebacks"), 1);
    assert_int_equal(counter("dram", "writes"), 1);
    assert_int_equal(counter("dram", "bursts"), 1);
    packet(0, PACKET_READ, 64 * 24, 64, 1000); /* evicts line 8 when it arrives: two bursts */
    drain();
    assert_int_equal(counter("l2", "writebacks"), 2);
    assert_int_equal(counter("dram", "bursts"), 1 + 2 + 2);
    assert_int_equal(counter("dram", "bytes"), 5 * 32);
    assert_int_equal(counter("dram", "row_hits"), 2); /* all in one row */
    gpu_destroy();
}

static void without_a_register_the_slice_stops(void **state) {
    (void)state;
    start(nothing); /* two registers */
    packet(0, PACKET_READ, 0x1000, 64, 0);
    packet(1, PACKET_READ, 0x1040, 64, 1);
    packet(2, PACKET_READ, 0x1080, 64, 2); /* looked up in 17; the first register is free in 62 */
    packet(3, PACKET_READ, 0x1000, 64, 3); /* waits behind it; looked up in 63: a hit */
    expect(0, 0, ANSWER_DATA, MISS);
    /* RD 52 and 54, complete in 65: flits from 66 on. The flits of the hit were ready in 64 and go first: in
     * 65 to 67, behind the first reply; these in 68 to 70. */
    expect(1, 1, ANSWER_DATA, 74);
    expect(3, 3, ANSWER_DATA, 71);
    assert_int_equal(counter("l2", "stopped"), 62 - 17);
    /* At the channel in 83, its row is open: RD 83 and 85, complete in 96; sent in 97, 98, 99. */
    expect(2, 2, ANSWER_DATA, 103);
    gpu_destroy();
}

static void a_full_way_stops_the_slice(void **state) {
    (void)state;
    static const char *const more[] = {"l2.mshrs=64", "dram.pipe=1", "dram.queue=1", "l2.latency=1", NULL};
    start(more); /* the way holds 1 + 4 requests; queue and bank one each */
    for (unsigned n = 0; n < 12; ++n) packet(n % 4, PACKET_READ, 0x4000 * n, 64, n); /* rows of bank 0 */
    for (unsigned n = 0; n < 12; ++n) gpu_answer(n % 4);
    assert_int_equal(counter("dram", "activates"), 12);
    assert_true(counter("l2", "stopped") > 100);
    assert_int_equal(counter("l2", "misses"), 12);
    gpu_destroy();
}

static void addresses_go_to_slices_banks_and_rows(void **state) {
    (void)state;
    const struct l2_surroundings a = {.channels = 6};
    assert_int_equal(l2_slice_of(&a, 0x0ff), 0);
    assert_int_equal(l2_slice_of(&a, 0x100), 1);
    assert_int_equal(l2_slice_of(&a, 0x5ff), 5);
    assert_int_equal(l2_slice_of(&a, 0x600), 0);
    assert_int_equal(l2_slice_address(&a, 0x6ab), 0x1ab);
    static struct dram_channel c;
    gpu_set(small);
    dram_channel_init(&c, &gpu_config.dram, 4, 4);
    dram_channel_put(&c,
                     (struct dram_request){.cycle = 5, .address = 3 * 16384 + 2 * 2048 + 100, .bursts = 1});
    assert_int_equal(c.next, 5);
    dram_channel_step(&c);
    assert_int_equal(c.scheduler.q.open, 1u << 2);
    assert_int_equal(c.scheduler.bank_open[2], 3);
    assert_int_equal(c.next, 5 + 12);
    dram_channel_step(&c);
    assert_int_equal(dram_channel_answer(&c)->cycle, 5 + 12 + 10 + 2 - 1);
    assert_int_equal(c.next, UINT64_MAX);
    dram_channel_free(&c);
}

/* Random reads of one cluster from a large memory reach the rate of the channel's pins. */
static void a_stream_of_lines_saturates_the_channel(void **state) {
    (void)state;
    static const char *const more[] = {"l2.mshrs=32", NULL};
    start(more);
    const uint64_t cycles = 20000;
    uint32_t line = 0;
    unsigned answers = 0;
    struct memory_answer a;
    for (uint64_t cycle = 0; cycle < cycles; ++cycle) {
        for (unsigned n = 0; n < 4; ++n) {
            struct cluster_port *p = partitioned_memory_port(memory, n);
            while (cycle && cluster_port_answer(p, cycle - 1, &a)) ++answers;
            if (cluster_port_has_room(p, cycle) && p->data.count + answers + 120 > line)
                packet(n, PACKET_READ, 64 * line++, 64, cycle);
        }
        partitioned_memory_advance(memory, cycle + 1);
    }
    /* A line is two bursts of 2 cycles. */
    print_message("%u lines in %u cycles: %.1f %% of the bus\n", answers, (unsigned)cycles,
                  100.0 * 4 * answers / (double)cycles);
    assert_true(4 * answers >= cycles * 98 / 100);
    assert_true(4 * answers <= cycles);
    gpu_destroy();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(misses_merges_and_hits),
        cmocka_unit_test(look_up_decides_when_it_ends),
        cmocka_unit_test(places_and_stores),
        cmocka_unit_test(what_was_written_is_there_and_no_more),
        cmocka_unit_test(written_lines_go_to_the_channel),
        cmocka_unit_test(without_a_register_the_slice_stops),
        cmocka_unit_test(a_full_way_stops_the_slice),
        cmocka_unit_test(addresses_go_to_slices_banks_and_rows),
        cmocka_unit_test(a_stream_of_lines_saturates_the_channel),
    };
    return cmocka_run_group_tests_name("l2_slice", tests, NULL, NULL);
}
