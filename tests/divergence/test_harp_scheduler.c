/* harp_scheduler: the example of divergence.md §3; cycles of the tables by hand; random programs, with each
 * live thread in exactly one place in every cycle. */
#include "model/divergence/harp_scheduler_cycle.h"
#include "tests/divergence/example_program.h"
#include "tests/panic.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

static struct harp_scheduler harp;

static const struct harp_config papers = {.threads = 768,
                                          .second_level = 512,
                                          .first_level = 16,
                                          .ready_lookup = 8,
                                          .waiting_lookup = 8,
                                          .sets = 8,
                                          .ways = 16,
                                          .barrier_stages = 1};

static void begin(struct harp_config c) {
    harp_scheduler_free(&harp);
    harp_scheduler_init(&harp, &c);
}

static void start(uint32_t pc, uint32_t group, uint64_t lanes, uint16_t row) {
    struct regrouped_warp w = {.pc = pc, .group = group, .valid = lanes};
    for (unsigned k = 0; k < REGROUPED_MAX_LANES; ++k) w.row[k] = row;
    harp_scheduler_start(&harp, &w);
}

/* --- the example: one transition into the Second-Level after each commit --- */

static void the_example_of_the_specification(void **state) {
    (void)state;
    struct example x = {.length = 0};
    struct harp_config c = papers;
    struct regrouped_warp w;
    c.sets = 2;
    begin(c);
    for (uint16_t row = 0; row < 2; ++row) start(EXAMPLE_PC(A), 0, 0xf, row);
    for (unsigned step = 0; step < 100; ++step) {
        if (harp_scheduler_take(&harp, &w)) {
            struct regrouped_outcome o = {.meeting = example_meeting(w.pc)};
            unsigned threads = 0;
            for (unsigned k = 0; k < EXAMPLE_LANES; ++k) {
                if (!(w.valid >> k & 1)) continue;
                threads |= 1u << (EXAMPLE_LANES * w.row[k] + k);
                o.next[k] = example_next(&x, w.pc, EXAMPLE_LANES * w.row[k] + k);
            }
            example_issue(&x, w.pc, threads);
            harp_scheduler_commit(&harp, &w, &o, 0, -1);
            harp_scheduler_settle(&harp, 0);
        }
        harp_scheduler_transfer(&harp);
    }
    assert_string_equal(x.said,
                        "A{0123} A{4567} B{013} B{56} F{247} D{1} C{036} D{5} E{013} E{56} G{0123} G{4567} "
                        "G{13} G{6} G{3} H{4567} H{0123}");
    assert_int_equal(harp.barriers.used, 0);
}

/* --- cycles by hand --- */

struct cycle {
    uint32_t committed, issued; /* PCs; 0: none */
    uint64_t committed_lanes, issued_lanes;
    uint32_t number; /* number of the issued warp */
};

/* Runs a cycle. Lanes of `mask` of the committed warp continue at `a`, the others at `b`. */
static struct cycle cycle_to(uint64_t cycle, uint32_t a, uint64_t mask, uint32_t b, uint32_t meeting) {
    const struct regrouped_warp *committed, *issued;
    struct regrouped_outcome o = {.meeting = meeting};
    struct cycle c = {0};
    for (unsigned k = 0; k < REGROUPED_MAX_LANES; ++k) o.next[k] = mask >> k & 1 ? a : b;
    harp_scheduler_choose(&harp, cycle, true, &committed, &issued, &c.number);
    if (committed) c.committed = committed->pc, c.committed_lanes = committed->valid;
    if (issued) c.issued = issued->pc, c.issued_lanes = issued->valid;
    harp_scheduler_step(&harp, cycle, &o);
    return c;
}

/* Alone a warp is issued every 9 cycles: S 0, C 7, SL → FL in 8, S 9. */
static void a_warp_alone_is_issued_every_nine_cycles(void **state) {
    (void)state;
    begin(papers);
    start(0x100, 0, 0xffff, 0);
    uint64_t last = 0;
    for (uint64_t t = 0; t < 60; ++t) {
        const struct cycle c = cycle_to(t, 0x100 + 4 * (uint32_t)t, ~0ull, 0, 0);
        if (!c.issued) continue;
        assert_int_equal(t, last ? last + 9 : 1);
        harp_scheduler_due(&harp, c.number, t + 7);
        last = t;
    }
    assert_int_equal(last, 55);
    assert_int_equal(harp.ready_lookup.counted.most, 0);
    assert_int_equal(harp.barriers.counted.reserved, 0);
}

/* Two warps diverge equally. Their threads merge in the Ready-Lookup, wait at barriers in their own sets, and
 * continue. */
static void parted_threads_meet_in_tables(void **state) {
    (void)state;
    begin(papers);
    start(0x100, 0, 0xf, 0);
    start(0x100, 0, 0xf, 1);
    cycle_to(0, 0, 0, 0, 0);
    struct cycle c = cycle_to(1, 0, 0, 0, 0);
    harp_scheduler_due(&harp, c.number, 8);
    c = cycle_to(2, 0, 0, 0, 0);
    harp_scheduler_due(&harp, c.number, 8);
    for (uint64_t t = 3; t < 8; ++t) assert_int_equal(cycle_to(t, 0, 0, 0, 0).committed, 0);
    assert_int_equal(cycle_to(8, 0x104, 0x3, 0x200, 0x300).committed, 0x100); /* the older one */
    assert_int_equal(harp.ready_lookup.count, 2);
    assert_int_equal(harp.barriers.used, 1);
    assert_int_equal(harp.second_level.count, 0);
    cycle_to(9, 0x104, 0xc, 0x200, 0x300); /* the other warp a cycle later, while 0x104 leaves the lookup */
    assert_int_equal(harp.second_level.count, 1);
    assert_int_equal(harp.barriers.used, 2);
    assert_int_equal(harp.ready_lookup.count, 2);
    assert_int_equal(harp.ready_lookup.counted.merged, 2);
    assert_int_equal(harp.ready_lookup.entry[1].warp.pc, 0x200); /* a merge makes it the youngest */
    assert_true(harp.ready_lookup.entry[1].warp.valid == 0xf);
    assert_true(harp.ready_lookup.entry[0].warp.valid == 0xc); /* waits at 0x104 */
}

/* Memory accesses: threads merge in the Waiting-Lookup and continue after all have completed. */
static void memory_waits_in_the_lookup(void **state) {
    (void)state;
    begin(papers);
    start(0x100, 0, 0x3, 0);
    start(0x100, 0, 0xc, 1);
    cycle_to(0, 0, 0, 0, 0);
    const uint32_t first = cycle_to(1, 0, 0, 0, 0).number, second = cycle_to(2, 0, 0, 0, 0).number;
    harp_scheduler_to_memory(&harp, first);
    cycle_to(3, 0, 0, 0, 0);
    harp_scheduler_to_memory(&harp, second);
    cycle_to(4, 0, 0, 0, 0);
    assert_int_equal(harp.in_first_level, 0);
    assert_int_equal(harp.waiting_lookup.count, 1);
    for (unsigned k = 0; k < 4; ++k) {
        assert_int_equal(cycle_to(5 + k, 0x104, ~0ull, 0, 0).committed, 0);
        harp_scheduler_done(&harp, k / 2, k);
    }
    const struct cycle c = cycle_to(9, 0x104, ~0ull, 0, 0);
    assert_int_equal(c.committed, 0x100);
    assert_true(c.committed_lanes == 0xf);
    assert_int_equal(harp.second_level.count, 1);
}

/* The Waiting-Lookup is full: the warp waits in the Second-Level. */
static void without_room_a_warp_waits_in_the_second_level(void **state) {
    (void)state;
    struct harp_config one = papers;
    one.waiting_lookup = 1;
    begin(one);
    start(0x100, 0, 0x1, 0);
    start(0x200, 0, 0x1, 1);
    cycle_to(0, 0, 0, 0, 0);
    for (uint64_t t = 1; t < 3; ++t) harp_scheduler_to_memory(&harp, cycle_to(t, 0, 0, 0, 0).number);
    cycle_to(3, 0, 0, 0, 0);
    assert_int_equal(harp.waiting_lookup.count, 1);
    assert_int_equal(harp.waits, 1);
    assert_int_equal(harp.waiting_lookup.counted.full, 1);
    assert_int_equal(harp.counted.most_second_level, 2);
    for (uint16_t row = 2; row < 4; ++row) start(0x300, 0, 0x1, row); /* waiting warps count, too */
    assert_int_equal(harp.counted.most_second_level, 3);
    harp.second_level.count = 0;
    harp_scheduler_done(&harp, 1, 0);
    assert_int_equal(cycle_to(4, 0x204, ~0ull, 0, 0).committed, 0x200);
    harp_scheduler_done(&harp, 0, 0);
    assert_int_equal(cycle_to(5, 0x104, ~0ull, 0, 0).committed, 0x100);
    assert_int_equal(harp.waits, 0);
}

/* With s stages groups arrive s − 1 cycles after the commit. */
static void stages_take_time(void **state) {
    (void)state;
    struct harp_config four = papers;
    four.barrier_stages = 4;
    begin(four);
    start(0x100, 0, 0x3, 0);
    cycle_to(0, 0, 0, 0, 0);
    harp_scheduler_due(&harp, cycle_to(1, 0, 0, 0, 0).number, 2);
    assert_int_equal(cycle_to(2, 0x104, 0x1, 0x200, 0).committed, 0x100);
    for (uint64_t t = 3; t < 5; ++t) {
        cycle_to(t, 0, 0, 0, 0);
        assert_int_equal(harp.ready_lookup.count, 0);
    }
    cycle_to(5, 0, 0, 0, 0);
    assert_int_equal(harp.ready_lookup.count, 2);
}

/* Commits the warp issued first among all warps, in any place, that can be committed. */
static void the_oldest_is_committed(void **state) {
    (void)state;
    begin(papers);
    for (uint16_t row = 0; row < 4; ++row) start(0x100 * (row + 1u), 0, 0x1, row);
    uint32_t number[4];
    cycle_to(0, 0, 0, 0, 0);
    for (uint64_t t = 1; t < 5; ++t) number[t - 1] = cycle_to(t, 0, 0, 0, 0).number;
    harp_scheduler_to_memory(&harp, number[1]);
    harp_scheduler_to_memory(&harp, number[3]);
    cycle_to(5, 0, 0, 0, 0);
    harp_scheduler_due(&harp, number[2], 9);
    harp_scheduler_done(&harp, 3, 0);
    assert_int_equal(cycle_to(8, 0, 0, 0, 0).committed, 0x400); /* the second of the lookup */
    harp_scheduler_done(&harp, 1, 0);
    assert_int_equal(cycle_to(9, 0, 0, 0, 0).committed, 0x200); /* the lookup's was issued before */
    harp_scheduler_due(&harp, number[0], 20);
    assert_int_equal(cycle_to(10, 0, 0, 0, 0).committed, 0x300); /* the second of the First-Level */
    assert_int_equal(cycle_to(11, 0, 0, 0, 0).committed, 0);
    assert_int_equal(cycle_to(20, 0, 0, 0, 0).committed, 0x100);
}

/* A warp of two threads, one an iteration ahead of the other, diverges at a condition that is uniform in each
 * iteration. It would reconverge at 0x200, directly after the work-group barrier that only one of them
 * reaches: the other does not wait for it there. */
static void nobody_waits_for_who_waits_at_a_barrier(void **state) {
    (void)state;
    const struct regrouped_warp w = {.pc = 0x100, .valid = 0x7}, stops = {.pc = 0x1fc, .valid = 0x1},
                                others = {.pc = 0x180, .valid = 0x6};
    const struct regrouped_outcome parts = {.next = {0x1fc, 0x180, 0x180}, .meeting = 0x200},
                                   waits = {.next = {0x200}, .waits = true},
                                   meet = {.next = {[1] = 0x200, [2] = 0x200}};
    begin(papers);
    harp_scheduler_commit(&harp, &w, &parts, 0, -1);
    harp_scheduler_settle(&harp, 0);
    while (harp.ready_lookup.count) warp_lookup_take(&harp.ready_lookup, 0);
    assert_true(harp.barriers.barrier[0].warp.valid == 0x7);
    harp_scheduler_commit(&harp, &others, &meet, 0, -1);
    harp_scheduler_settle(&harp, 0);
    assert_int_equal(re_convergence_barriers_complete(&harp.barriers), -1);
    harp_scheduler_commit(&harp, &stops, &waits, 0, -1);
    assert_int_equal(re_convergence_barriers_complete(&harp.barriers), 0);
    cycle_to(0, 0, 0, 0, 0);
    assert_int_equal(harp.second_level.count, 1);
    assert_true(second_level_at(&harp.second_level, 0)->valid == 0x6);
    assert_int_equal(harp.barriers.used, 0);
}

/* When the barrier of a work-group opens, its warps and no others are ready in the next cycle. */
static void a_barrier_opens_for_its_work_group(void **state) {
    (void)state;
    const struct regrouped_warp waits = {.pc = 0x1fc, .valid = 0x1};
    const struct regrouped_outcome stops = {.next = {0x200}, .waits = true};
    begin(papers);
    harp_scheduler_commit(&harp, &waits, &stops, 0, -1);
    assert_int_equal(harp.parked.count, 1);
    cycle_to(0, 0, 0, 0, 0);
    assert_int_equal(harp.parked.count, 1);
    harp_scheduler_release(&harp, 1);
    cycle_to(1, 0, 0, 0, 0);
    assert_int_equal(harp.parked.count, 1);
    harp_scheduler_release(&harp, 0);
    cycle_to(2, 0, 0, 0, 0);
    assert_int_equal(harp.parked.count, 0);
    assert_int_equal(harp.second_level.count, 1);
    assert_int_equal(second_level_at(&harp.second_level, 0)->pc, 0x200);
}

/* The oldest entry of the Ready-Lookup leaves only if fewer than two warps are ready; a complete barrier has
 * precedence. */
static void the_second_level_is_fed_when_it_runs_out(void **state) {
    (void)state;
    struct regrouped_warp w = {.pc = 0x100, .valid = 0xf};
    struct regrouped_outcome o = {.meeting = 0x300, .next = {0x104, 0x200, 0x300, 0x300}};
    begin(papers);
    for (uint16_t row = 1; row < 3; ++row) start(0x500, 0, 0x1, row);
    harp_scheduler_commit(&harp, &w, &o, 0, -1);
    harp_scheduler_settle(&harp, 0);
    assert_int_equal(harp.ready_lookup.count, 2);
    harp_scheduler_transfer(&harp);
    assert_int_equal(harp.ready_lookup.count, 2);
    harp_scheduler_take(&harp, &w);
    harp_scheduler_transfer(&harp);
    assert_int_equal(harp.ready_lookup.count, 1);
    assert_int_equal(harp.second_level.count, 2);
    for (unsigned n = 0; n < 2; ++n) harp_scheduler_take(&harp, &w);
    assert_int_equal(w.pc, 0x104);
    o.next[0] = 0x300;
    harp_scheduler_commit(&harp, &w, &o, 0, -1);
    harp_scheduler_settle(&harp, 0);
    assert_int_equal(harp.second_level.count, 0);
    w = (struct regrouped_warp){.pc = 0x200, .valid = 0x2};
    o.next[1] = 0;
    harp_scheduler_commit(&harp, &w, &o, 0, -1); /* the thread exits: the barrier waits for no other */
    harp_scheduler_settle(&harp, 0);
    harp_scheduler_transfer(&harp);
    assert_int_equal(harp.ready_lookup.count, 1);
    assert_true(harp_scheduler_take(&harp, &w));
    assert_int_equal(w.pc, 0x300);
    assert_true(w.valid == 0xd);
    assert_int_equal(harp.barriers.counted.completed, 1);
}

/* --- the order of a cycle: nothing can be left out or swapped --- */

/* A warp of the First-Level that can be committed from this cycle on: S was in the one before. */
static void ready_to_commit(uint32_t pc, uint64_t lanes, uint16_t row, uint64_t cycle) {
    start(pc, 0, lanes, row);
    cycle_to(cycle - 2, 0, 0, 0, 0);
    harp_scheduler_due(&harp, cycle_to(cycle - 1, 0, 0, 0, 0).number, cycle);
}

static void complete_barrier(uint32_t rpc) {
    const struct regrouped_warp w = {.pc = 0x100, .valid = 0x1};
    re_convergence_barriers_reserve(&harp.barriers, &w, 0x1, rpc, -1);
    re_convergence_barriers_arrive(&harp.barriers, &w, 0x1, rpc);
}

/* Order of arrival: a barrier's warp, the committed warp, warps released by a work-group barrier. */
static void warps_come_in_order(void **state) {
    (void)state;
    const struct regrouped_warp waits = {.pc = 0x1fc, .valid = 0x8, .row = {3, 3, 3, 3}};
    const struct regrouped_outcome stops = {.next = {[3] = 0x200}, .waits = true};
    struct regrouped_warp w;
    begin(papers);
    harp_scheduler_commit(&harp, &waits, &stops, 0, -1);
    ready_to_commit(0x500, 0x4, 2, 2);
    complete_barrier(0x300);
    harp_scheduler_release(&harp, 0);
    assert_int_equal(cycle_to(2, 0x504, ~0ull, 0, 0).committed, 0x500);
    static const uint32_t order[] = {0x300, 0x504, 0x200};
    for (unsigned n = 0; n < 3; ++n) {
        assert_true(harp_scheduler_take(&harp, &w));
        assert_int_equal(w.pc, order[n]);
    }
}

/* The oldest entry of the Ready-Lookup leaves before threads arrive that could have merged with it. */
static void who_leaves_is_joined_by_nobody(void **state) {
    (void)state;
    const struct issued_warp oldest = {.warp = {.pc = 0x700, .valid = 0x1}},
                             younger = {.warp = {.pc = 0x800, .valid = 0x1, .row = {1}}};
    struct regrouped_warp w;
    begin(papers);
    ready_to_commit(0x500, 0x6, 2, 2);
    warp_lookup_come(&harp.ready_lookup, &oldest);
    warp_lookup_come(&harp.ready_lookup, &younger);
    assert_int_equal(cycle_to(2, 0x700, 0x2, 0x900, 0).committed, 0x500);
    assert_true(harp_scheduler_take(&harp, &w));
    assert_int_equal(w.pc, 0x700);
    assert_true(w.valid == 0x1);
    assert_int_equal(harp.ready_lookup.count, 3);
    assert_int_equal(harp.ready_lookup.counted.merged, 0);
}

/* The way of a barrier that fires is free from the next cycle on. */
static void a_way_is_free_a_cycle_later(void **state) {
    (void)state;
    struct harp_config one = papers;
    one.sets = one.ways = 1;
    begin(one);
    ready_to_commit(0x500, 0x6, 2, 2);
    complete_barrier(0x300);
    assert_int_equal(cycle_to(2, 0x504, 0x2, 0x600, 0x700).committed, 0x500);
    assert_int_equal(harp.barriers.counted.completed, 1);
    assert_int_equal(harp.barriers.counted.missed, 2);
    assert_int_equal(harp.barriers.used, 0);
    begin(one);
    ready_to_commit(0x500, 0x6, 2, 3);
    complete_barrier(0x300);
    harp.first_level[harp.fl_slot[0]].due = 4;
    cycle_to(3, 0, 0, 0, 0);
    assert_int_equal(cycle_to(4, 0x504, 0x2, 0x600, 0x700).committed, 0x500);
    assert_int_equal(harp.barriers.counted.missed, 0);
    assert_int_equal(harp.barriers.used, 1);
}

/* A committed entry of the Waiting-Lookup is free for an arrival in the same cycle. */
static void a_committed_entry_makes_room(void **state) {
    (void)state;
    struct harp_config one = papers;
    one.waiting_lookup = 1;
    begin(one);
    start(0x100, 0, 0x1, 0);
    start(0x200, 0, 0x2, 1);
    cycle_to(0, 0, 0, 0, 0);
    const uint32_t first = cycle_to(1, 0, 0, 0, 0).number, second = cycle_to(2, 0, 0, 0, 0).number;
    harp_scheduler_to_memory(&harp, first);
    cycle_to(3, 0, 0, 0, 0);
    harp_scheduler_done(&harp, 0, 0);
    harp_scheduler_to_memory(&harp, second);
    assert_int_equal(cycle_to(4, 0x104, ~0ull, 0, 0).committed, 0x100);
    assert_int_equal(harp.waits, 0);
    assert_int_equal(harp.waiting_lookup.count, 1);
    assert_int_equal(harp.waiting_lookup.entry[0].warp.pc, 0x200);
}

/* A branch with a meeting after which all go the same way reserves nothing. */
static void who_does_not_part_reserves_nothing(void **state) {
    (void)state;
    const struct regrouped_warp w = {.pc = 0x100, .valid = 0x3};
    const struct regrouped_outcome o = {.next = {0x200, 0x200}, .meeting = 0x300};
    begin(papers);
    harp_scheduler_commit(&harp, &w, &o, 0, -1);
    assert_int_equal(harp.barriers.used, 0);
    harp_scheduler_settle(&harp, 0);
    assert_int_equal(harp.second_level.count, 1);
}

/* While A is occupied, no warp issues; then the oldest of the First-Level does. */
static void the_oldest_of_the_first_level_issues(void **state) {
    (void)state;
    const struct regrouped_warp *committed, *issued;
    const struct regrouped_outcome o = {.meeting = 0};
    uint32_t number;
    begin(papers);
    for (uint16_t row = 0; row < 3; ++row) start(0x100 * (row + 1u), 0, 0x1, row);
    for (uint64_t t = 0; t < 6; ++t) {
        harp_scheduler_choose(&harp, t, t >= 3, &committed, &issued, &number);
        if (t < 3)
            assert_null(issued);
        else
            assert_int_equal(issued->pc, 0x100 * (t - 2));
        harp_scheduler_step(&harp, t, &o);
    }
}

/* Exiting threads count as a group: the others have diverged from them. */
static void those_left_behind_have_parted(void **state) {
    (void)state;
    const struct regrouped_warp w = {.pc = 0x100, .valid = 0x3};
    const struct regrouped_outcome o = {.next = {0x104, 0}}, together = {.next = {0x104, 0x104}};
    begin(papers);
    harp_scheduler_commit(&harp, &w, &o, 0, -1);
    harp_scheduler_settle(&harp, 0);
    assert_int_equal(harp.ready_lookup.count, 1);
    assert_int_equal(harp.second_level.count, 0);
    harp_scheduler_commit(&harp, &w, &together, 0, -1);
    harp_scheduler_settle(&harp, 0);
    assert_int_equal(harp.ready_lookup.count, 1);
    assert_int_equal(harp.second_level.count, 1);
}

static void levels_have_room_for_so_many(void **state) {
    (void)state;
    struct harp_config small = papers;
    small.first_level = 2;
    small.second_level = 3;
    begin(small);
    for (uint16_t row = 0; row < 6; ++row) start(0x100, 0, 0x1, row);
    for (uint64_t t = 0; t < 6; ++t) cycle_to(t, 0, 0, 0, 0);
    assert_int_equal(harp.in_first_level, 2);
    assert_int_equal(harp.second_level.count, 4);
    assert_int_equal(harp.counted.most_first_level, 2);
    assert_int_equal(harp.counted.most_second_level, 6);
    assert_int_equal(harp.counted.over, 6); /* five, then four were there */
    for (unsigned n = 0; n < 2; ++n) harp_scheduler_due(&harp, n, 6);
    for (uint64_t t = 6; t < 9; ++t) cycle_to(t, 0, 0, 0, 0); /* both exit, two follow */
    assert_int_equal(harp.second_level.count, 2);
    assert_int_equal(harp.counted.over, 7);
    start(0x100, 0, 0x1, 0); /* three fit; the maximum stays six */
    harp.cfg.first_level = 0;
    cycle_to(9, 0, 0, 0, 0);
    assert_int_equal(harp.second_level.count, 3);
    assert_int_equal(harp.counted.over, 7);
    assert_int_equal(harp.counted.most_second_level, 6);
}

static void init_with(void *config) {
    struct harp_scheduler h;
    harp_scheduler_init(&h, config);
}

static void what_cannot_be_panics(void **state) {
    (void)state;
    struct harp_config c = papers;
    assert_false(panics(init_with, &c));
    c.first_level = 65;
    assert_true(panics(init_with, &c));
    c = papers;
    c.barrier_stages = 5;
    assert_true(panics(init_with, &c));
    c = papers;
    c.ready_lookup = 0;
    assert_true(panics(init_with, &c));
    c = papers;
    c.sets = 0;
    assert_true(panics(init_with, &c));
}

static int free_all(void **state) {
    (void)state;
    harp_scheduler_free(&harp);
    return 0;
}

/* --- clock by clock --- */

static struct harp_scheduler_cycle ports;
static struct {
    unsigned clocks;
    char did[64]; /* a letter for each clock */
    uint32_t ready_pc[64], met[64];
} seen;

static void see(void *context) {
    const struct harp_scheduler_cycle *c = context;
    const unsigned n = seen.clocks++;
    assert_true(n < sizeof seen.did - 1);
    seen.did[n] = c->in.start     ? 's'
                  : c->in.due     ? 'd'
                  : c->in.memory  ? 'm'
                  : c->in.done    ? 'a'
                  : c->in.release ? 'r'
                  : c->in.choose  ? 'c'
                  : c->in.step    ? 'S'
                  : c->out.busy   ? '+'
                                  : '?';
    seen.ready_pc[n] = c->out.ready ? c->out.ready_pc : 0;
    seen.met[n] = c->out.met;
}

static void begin_clocks(struct harp_config c) {
    begin(c);
    harp_scheduler_cycle_init(&ports, &harp, 4);
    ports.evaluated = see;
    ports.context = &ports;
    memset(&seen, 0, sizeof seen);
}

/* Each event takes a clock, and so do choice and departure; then each arriving group. */
static void a_cycle_is_some_clocks(void **state) {
    (void)state;
    begin_clocks(papers);
    start(0x100, 0, 0xf, 0);
    cycle_to(0, 0, 0, 0, 0); /* enters the First-Level */
    assert_int_equal(ports.q.fl_count, 1);
    assert_int_equal(ports.q.fl_mask[0], 0xf);
    const uint32_t number = cycle_to(1, 0, 0, 0, 0).number;
    assert_int_equal(ports.q.fl_issued, 1);
    harp_scheduler_due(&harp, number, 2);
    assert_int_equal(ports.q.fl_due, 1);
    cycle_to(2, 0x104, 0x3, 0x200, 0x104); /* two wait at 0x104, two go to 0x200 */
    assert_string_equal(seen.did, "scScSdcS++");
    assert_int_equal(seen.ready_pc[0], 0x100);
    assert_int_equal(seen.met[8], 0x3);
    assert_int_equal(seen.met[9], 0);
    assert_int_equal(ports.out.ready_count, 0);
    cycle_to(3, 0, 0, 0, 0); /* 0x200 leaves the Ready-Lookup */
    assert_string_equal(seen.did, "scScSdcS++cS");
    assert_int_equal(seen.ready_pc[11], 0x200);
    assert_int_equal(ports.out.ready_count, 1);
}

/* After a work-group barrier has opened, parked warps are examined one by one. */
static void who_is_parked_is_asked_one_by_one(void **state) {
    (void)state;
    const struct regrouped_warp *committed, *issued;
    struct regrouped_outcome waits = {.next = {0x104, 0x104, 0x104, 0x104}, .waits = true};
    uint32_t number;
    begin_clocks(papers);
    for (uint16_t row = 0; row < 3; ++row) start(0x100, row % 2, 0x1, row);
    for (uint64_t t = 0; harp.parked.count < 3; ++t) {
        harp_scheduler_choose(&harp, t, true, &committed, &issued, &number);
        harp_scheduler_step(&harp, t, &waits);
        if (issued) harp_scheduler_due(&harp, number, t + 1);
    }
    seen.clocks = 0;
    memset(seen.did, 0, sizeof seen.did);
    harp_scheduler_release(&harp, 1);
    assert_int_equal(ports.q.released, 2);
    cycle_to(100, 0, 0, 0, 0);
    assert_string_equal(seen.did, "rcS+++");
    assert_int_equal(seen.ready_pc[3], 0);
    assert_int_equal(seen.ready_pc[4], 0x104);
    assert_int_equal(seen.ready_pc[5], 0);
    assert_int_equal(harp.parked.count, 2);
    assert_int_equal(second_level_at(&harp.parked, 0)->row[0], 0);
    assert_int_equal(second_level_at(&harp.parked, 1)->row[0], 2);
    assert_int_equal(ports.q.released, 0);
}

/* A memory access takes a clock and enters a slot of the lookup, or waits outside. */
static void accesses_have_slots(void **state) {
    (void)state;
    struct harp_config one = papers;
    one.waiting_lookup = 1;
    begin_clocks(one);
    for (uint16_t row = 0; row < 3; ++row) start(0x100 * (row + 1u), 0, 0x1, row);
    cycle_to(0, 0, 0, 0, 0);
    uint32_t number[3];
    for (uint64_t t = 1; t < 4; ++t) number[t - 1] = cycle_to(t, 0, 0, 0, 0).number;
    for (unsigned n = 0; n < 3; ++n) harp_scheduler_to_memory(&harp, number[n]);
    seen.clocks = 0;
    memset(seen.did, 0, sizeof seen.did);
    cycle_to(4, 0, 0, 0, 0);
    assert_string_equal(seen.did, "cS+++");
    assert_int_equal(ports.q.slot_number[0], number[0]);
    assert_int_equal(ports.q.wait_pc[0], 0x200);
    assert_int_equal(ports.q.wait_pc[1], 0x300);
    harp_scheduler_done(&harp, 1, 0);
    assert_int_equal(ports.q.wait_ready[0], 1);
    assert_int_equal(cycle_to(5, 0x204, ~0ull, 0, 0).committed, 0x200);
    assert_int_equal(ports.q.wait_mask[0], 0); /* the other warp keeps its slot */
    assert_int_equal(ports.q.wait_pc[1], 0x300);
    assert_int_equal(ports.q.source, HARP_FROM_SECOND_LEVEL);
}

/* If the oldest threads of two entries of a lookup were issued together, the entry in the first slot is
 * committed, even if it is younger. */
static void of_equals_the_first_slot_is_committed(void **state) {
    (void)state;
    begin_clocks(papers);
    start(0x100, 0, 0x1, 0); /* number 0, in slot 0 */
    start(0x200, 0, 0x1, 1); /* 1, in slot 1 */
    start(0x200, 0, 0x3, 2); /* 2, whose lane 1 merges with number 1; the other is in slot 0 */
    cycle_to(0, 0, 0, 0, 0);
    uint32_t number[3];
    for (uint64_t t = 1; t < 4; ++t) number[t - 1] = cycle_to(t, 0, 0, 0, 0).number;
    harp.first_level[harp.fl_slot[1]].warp.number = 7; /* as if it had been issued after the third */
    harp_scheduler_to_memory(&harp, number[0]);
    cycle_to(4, 0, 0, 0, 0);
    harp_scheduler_to_memory(&harp, 7);
    cycle_to(5, 0, 0, 0, 0);
    harp_scheduler_done(&harp, 0, 0);
    assert_int_equal(cycle_to(6, 0x104, ~0ull, 0, 0).committed, 0x100);
    harp_scheduler_to_memory(&harp, number[2]);
    cycle_to(7, 0, 0, 0, 0);
    assert_int_equal(ports.q.slot_number[0], number[2]);
    assert_int_equal(ports.q.slot_number[1], number[2]);
    harp_scheduler_done(&harp, 1, 0);
    harp_scheduler_done(&harp, 2, 0);
    harp_scheduler_done(&harp, 2, 1);
    assert_true(cycle_to(8, 0x204, ~0ull, 0, 0).committed_lanes == 0x1);
    assert_true(cycle_to(9, 0x204, ~0ull, 0, 0).committed_lanes == 0x3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_of_the_specification),
        cmocka_unit_test(a_warp_alone_is_issued_every_nine_cycles),
        cmocka_unit_test(parted_threads_meet_in_tables),
        cmocka_unit_test(memory_waits_in_the_lookup),
        cmocka_unit_test(without_room_a_warp_waits_in_the_second_level),
        cmocka_unit_test(stages_take_time),
        cmocka_unit_test(the_oldest_is_committed),
        cmocka_unit_test(nobody_waits_for_who_waits_at_a_barrier),
        cmocka_unit_test(a_barrier_opens_for_its_work_group),
        cmocka_unit_test(the_second_level_is_fed_when_it_runs_out),
        cmocka_unit_test(warps_come_in_order),
        cmocka_unit_test(who_leaves_is_joined_by_nobody),
        cmocka_unit_test(a_way_is_free_a_cycle_later),
        cmocka_unit_test(a_committed_entry_makes_room),
        cmocka_unit_test(who_does_not_part_reserves_nothing),
        cmocka_unit_test(the_oldest_of_the_first_level_issues),
        cmocka_unit_test(those_left_behind_have_parted),
        cmocka_unit_test(levels_have_room_for_so_many),
        cmocka_unit_test(what_cannot_be_panics),
        cmocka_unit_test(a_cycle_is_some_clocks),
        cmocka_unit_test(who_is_parked_is_asked_one_by_one),
        cmocka_unit_test(accesses_have_slots),
        cmocka_unit_test(of_equals_the_first_slot_is_committed),
    };
    return cmocka_run_group_tests(tests, NULL, free_all);
}
