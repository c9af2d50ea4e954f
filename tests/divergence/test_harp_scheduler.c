/* harp_scheduler: the example of divergence.md §3; cycles of the tables by hand; random programs, in every
 * cycle of which each live thread is in exactly one place. */
#include "model/divergence/harp_scheduler.h"
#include "tests/divergence/example_program.h"
#include "tests/divergence/random_program.h"
#include "tests/panic.h"

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
    uint32_t number; /* of what was issued */
};

/* What is committed goes to `a` in the lanes of `mask`, else to `b`. */
static struct cycle cycle_to(uint64_t cycle, uint32_t a, uint64_t mask, uint32_t b, uint32_t meeting) {
    const struct regrouped_warp *committed, *issued;
    struct regrouped_outcome o = {.meeting = meeting};
    struct cycle c = {0};
    for (unsigned k = 0; k < REGROUPED_MAX_LANES; ++k) o.next[k] = mask >> k & 1 ? a : b;
    harp_scheduler_choose(&harp, cycle, &committed, &issued, &c.number);
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

/* Two warps part alike: their threads meet in the Ready-Lookup, wait at barriers of their own sets, and go
 * on. */
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
    assert_int_equal(harp.ready, 0);
    cycle_to(9, 0x104, 0xc, 0x200,
             0x300); /* and, C a cycle later, the other; 0x104 leaves the lookup meanwhile */
    assert_int_equal(harp.ready, 1);
    assert_int_equal(harp.barriers.used, 2);
    assert_int_equal(harp.ready_lookup.count, 2);
    assert_int_equal(harp.ready_lookup.counted.merged, 2);
    assert_int_equal(harp.ready_lookup.entry[1].warp.pc, 0x200); /* a merge makes it the youngest */
    assert_true(harp.ready_lookup.entry[1].warp.valid == 0xf);
    assert_true(harp.ready_lookup.entry[0].warp.valid == 0xc); /* at 0x104 */
}

/* An access: the threads meet in the Waiting-Lookup, and go on once all are done. */
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
    assert_int_equal(harp.ready, 1);
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

/* --- barriers --- */

static void barriers_are_shared_missed_and_freed(void **state) {
    (void)state;
    struct re_convergence_barriers b;
    struct regrouped_warp w = {.pc = 0x100, .group = 1, .valid = 0xf, .row = {0, 0, 2, 2}}, other = w;
    re_convergence_barriers_init(&b, 2, 1);
    re_convergence_barriers_reserve(&b, &w, 0x3, 0x300, -1);
    re_convergence_barriers_reserve(&b, &w, 0x7, 0x300, -1); /* lanes 0 and 1 have theirs */
    assert_int_equal(b.counted.reserved, 3);
    assert_int_equal(b.counted.shared, 2);
    assert_int_equal(b.used, 1);
    re_convergence_barriers_reserve(&b, &w, 0x8, 0x400, -1);
    assert_int_equal(b.counted.missed, 1);
    other.group = 2;
    re_convergence_barriers_reserve(&b, &other, 0x8, 0x300, -1); /* of another work-group */
    assert_int_equal(b.counted.missed, 2);
    assert_true(re_convergence_barriers_arrive(&b, &w, 0xb, 0x300) == 0x3);
    assert_int_equal(re_convergence_barriers_complete(&b), -1);
    re_convergence_barriers_exit(&b, &w, 0x4);
    assert_int_equal(re_convergence_barriers_complete(&b), 0);
    re_convergence_barriers_reserve(&b, &w, 0x8, 0x300, -1); /* complete: nobody joins */
    assert_int_equal(b.counted.missed, 3);
    const struct regrouped_warp fired = re_convergence_barriers_fire(&b, 0);
    assert_int_equal(fired.pc, 0x300);
    assert_true(fired.valid == 0x3);
    re_convergence_barriers_reserve(&b, &w, 0x8, 0x300, 0); /* freed in this cycle */
    assert_int_equal(b.counted.missed, 4);
    re_convergence_barriers_reserve(&b, &w, 0x8, 0x300, -1);
    assert_int_equal(b.used, 1);
    re_convergence_barriers_exit(&b, &w, 0x8);
    assert_int_equal(b.used, 0);
    assert_int_equal(re_convergence_barriers_complete(&b), -1);
    re_convergence_barriers_free(&b);
}

/* --- random programs --- */

enum { LANES = 4, MOST_ROWS = 12, CYCLES = 5000000 };

static struct {
    struct random_program p;
    struct random_thread thread[MOST_ROWS * LANES]; /* by row and lane; seed 0: none */
    uint64_t done[MOST_ROWS * LANES];               /* when the access of a thread is; 0: it has none */
    unsigned groups, size, rows;
    struct {
        uint32_t number;
        uint64_t due; /* of X */
    } memory[HARP_MAX_FIRST_LEVEL];
    unsigned accesses, waiting[3];
    uint64_t seen[MOST_ROWS]; /* lanes by row */
    unsigned placed;
} r;

static unsigned place_of(const struct regrouped_warp *w, unsigned lane) {
    return w->row[lane] * LANES + lane;
}

static void see(const struct regrouped_warp *w, uint64_t lanes, bool at_pc) {
    for (; lanes; lanes &= lanes - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(lanes);
        assert_true(!(r.seen[w->row[lane]] >> lane & 1));
        assert_true(!at_pc || r.thread[place_of(w, lane)].pc == w->pc);
        assert_int_equal(w->row[lane] / (r.rows / r.groups), w->group);
        r.seen[w->row[lane]] |= 1ull << lane;
        ++r.placed;
    }
}

/* Each thread that lives is in exactly one place. */
static void check_places(void) {
    unsigned live = 0;
    memset(r.seen, 0, sizeof r.seen);
    r.placed = 0;
    for (unsigned n = 0; n < harp.ready; ++n) {
        const struct regrouped_warp *w = &harp.second_level[(harp.first + n) % harp.cfg.threads];
        see(w, w->valid, true);
    }
    for (unsigned n = 0; n < harp.waits; ++n) see(&harp.waiting[n].warp, harp.waiting[n].warp.valid, true);
    for (unsigned n = 0; n < harp.in_first_level; ++n)
        see(&harp.first_level[n].warp.warp, harp.first_level[n].warp.warp.valid, true);
    for (unsigned n = 0; n < harp.ready_lookup.count; ++n)
        see(&harp.ready_lookup.entry[n].warp, harp.ready_lookup.entry[n].warp.valid, true);
    for (unsigned n = 0; n < harp.waiting_lookup.count; ++n)
        see(&harp.waiting_lookup.entry[n].warp, harp.waiting_lookup.entry[n].warp.valid, true);
    for (unsigned n = 0; n < harp.parks; ++n) see(&harp.parked[n].warp, harp.parked[n].warp.valid, true);
    for (unsigned n = 0; n < harp.in_stages; ++n)
        for (unsigned g = 0; g < harp.stage[n].count; ++g)
            see(&harp.stage[n].warp, harp.stage[n].groups[g].mask, false);
    for (unsigned n = 0; n < harp.cfg.sets * harp.cfg.ways; ++n)
        if (harp.barriers.barrier[n].warp.pc)
            see(&harp.barriers.barrier[n].warp, harp.barriers.barrier[n].reached, true);
    for (unsigned n = 0; n < r.rows * LANES; ++n) live += r.thread[n].pc != 0;
    assert_int_equal(r.placed, live);
}

static void begin_random(struct seed *seed) {
    memset(&r, 0, sizeof r);
    random_program_make(&r.p, seed, 4 + seed_below(seed, 9), seed_below(seed, 5) < 2);
    r.groups = 1 + seed_below(seed, 3);
    r.size = (unsigned[]){1, 4, 7, 12, 16}[seed_below(seed, 5)];
    const unsigned rows = (r.size + LANES - 1) / LANES;
    r.rows = r.groups * rows;
    begin((struct harp_config){.threads = r.groups * r.size,
                               .second_level = 512,
                               .first_level = (unsigned[]){1, 4, 16}[seed_below(seed, 3)],
                               .ready_lookup = (unsigned[]){1, 2, 8}[seed_below(seed, 3)],
                               .waiting_lookup = (unsigned[]){1, 2, 8}[seed_below(seed, 3)],
                               .sets = 1 + seed_below(seed, 2),
                               .ways = (unsigned[]){1, 2, 16}[seed_below(seed, 3)],
                               .barrier_stages = (unsigned[]){1, 1, 2, 4}[seed_below(seed, 4)]});
    for (unsigned g = 0; g < r.groups; ++g)
        for (unsigned row = 0; row < rows; ++row) {
            const unsigned count = r.size - row * LANES < LANES ? r.size - row * LANES : LANES;
            for (unsigned k = 0; k < count; ++k) {
                const unsigned place = (g * rows + row) * LANES + k;
                random_thread_begin(&r.thread[place], &r.p, place + 1);
            }
            start(r.p.start, g, (1ull << count) - 1, (uint16_t)(g * rows + row));
        }
}

static struct regrouped_outcome execute(const struct regrouped_warp *w) {
    struct regrouped_outcome o = {.meeting = random_program_meeting(&r.p, w->pc),
                                  .waits = random_program_at(&r.p, w->pc) == RANDOM_BARRIER};
    for (uint64_t rest = w->valid; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(rest);
        o.next[lane] = random_thread_step(&r.thread[place_of(w, lane)], &r.p);
        r.waiting[w->group] += o.waits;
    }
    return o;
}

/* The pipeline: X five cycles after S, C seven; accesses take from 1 to 60. */
static void tell(struct seed *seed, uint64_t cycle) {
    static const unsigned takes[] = {1, 1, 5, 40, 60};
    for (unsigned n = 0; n < r.accesses; ++n) {
        if (r.memory[n].due != cycle) continue;
        for (unsigned f = 0; f < harp.in_first_level; ++f) {
            const struct regrouped_warp *w = &harp.first_level[f].warp.warp;
            if (harp.first_level[f].number != r.memory[n].number) continue;
            for (uint64_t rest = w->valid; rest; rest &= rest - 1)
                r.done[place_of(w, (unsigned)__builtin_ctzll(rest))] = cycle + 1 + takes[seed_below(seed, 5)];
        }
        harp_scheduler_to_memory(&harp, r.memory[n].number);
        r.memory[n--] = r.memory[--r.accesses];
    }
    for (unsigned place = 0; place < r.rows * LANES; ++place) {
        if (!r.done[place] || r.done[place] > cycle) continue;
        harp_scheduler_done(&harp, place / LANES, place % LANES);
        r.done[place] = 0;
    }
}

static void open_barriers(void) {
    const unsigned each = r.rows / r.groups * LANES;
    for (unsigned g = 0; g < r.groups; ++g) {
        unsigned live = 0;
        for (unsigned n = 0; n < each; ++n) live += r.thread[g * each + n].pc != 0;
        if (!live || r.waiting[g] < live) continue;
        r.waiting[g] = 0;
        harp_scheduler_release(&harp, g);
    }
}

/* Does anybody live? */
static bool run_cycle(struct seed *seed, uint64_t cycle) {
    const struct regrouped_warp *committed, *issued;
    struct regrouped_outcome o = {.waits = false};
    uint32_t number = 0;
    open_barriers();
    tell(seed, cycle);
    harp_scheduler_choose(&harp, cycle, &committed, &issued, &number);
    if (issued && random_program_at(&r.p, issued->pc) == RANDOM_LOAD) {
        r.memory[r.accesses].number = number;
        r.memory[r.accesses++].due = cycle + 5;
    } else if (issued)
        harp_scheduler_due(&harp, number, cycle + 7);
    if (committed) o = execute(committed);
    harp_scheduler_step(&harp, cycle, &o);
    check_places();
    return r.placed;
}

static void every_thread_goes_its_own_way(void **state) {
    (void)state;
    struct seed seed = seed_start();
    uint64_t shared = 0, missed = 0, met = 0, memory = 0;
    for (unsigned program = 0; program < 2000; ++program) {
        uint64_t cycle = 0;
        begin_random(&seed);
        while (run_cycle(&seed, cycle)) {
            if (++cycle == CYCLES) fail_msg("program %u is stuck", program);
        }
        for (unsigned n = 0; n < r.rows * LANES; ++n)
            if (r.thread[n].seed)
                assert_true(r.thread[n].trace == random_thread_path(&r.p, r.thread[n].seed));
        assert_int_equal(harp.barriers.used, 0);
        shared += harp.barriers.counted.shared;
        missed += harp.barriers.counted.missed;
        met += harp.ready_lookup.counted.merged;
        memory += harp.waiting_lookup.counted.merged;
    }
    assert_true(shared > 1000 && missed > 1000 && met > 1000 && memory > 1000);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_of_the_specification),
        cmocka_unit_test(a_warp_alone_is_issued_every_nine_cycles),
        cmocka_unit_test(parted_threads_meet_in_tables),
        cmocka_unit_test(memory_waits_in_the_lookup),
        cmocka_unit_test(without_room_a_warp_waits_in_the_second_level),
        cmocka_unit_test(stages_take_time),
        cmocka_unit_test(barriers_are_shared_missed_and_freed),
        cmocka_unit_test(every_thread_goes_its_own_way),
        cmocka_unit_test(what_cannot_be_panics),
    };
    return cmocka_run_group_tests(tests, NULL, free_all);
}
