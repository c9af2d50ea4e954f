/* Random programs on harp_scheduler, with a pipeline in which accesses take from 1 to 60 cycles. In every
 * cycle, each live thread is in exactly one place. Every thread takes the path that it would take alone, and
 * no thread passes a barrier before its whole work-group has arrived. */
#include "model/divergence/harp_scheduler_cycle.h"
#include "tests/divergence/random_program.h"
#include "tests/divergence/regrouped_known.h"

#include <string.h>

static struct harp_scheduler harp;

enum { LANES = 4, MOST_ROWS = 12, CYCLES = 5000000 };

static struct {
    struct random_program p;
    struct random_thread thread[MOST_ROWS * LANES]; /* indices: row and lane; seed 0: no thread */
    uint64_t done[MOST_ROWS * LANES];               /* cycle in which the access of a thread completes; 0:
                                                     * none */
    unsigned groups, size, rows;
    struct {
        uint32_t number;
        uint64_t due; /* end of X or C */
        bool loads;
    } flight[HARP_MAX_FIRST_LEVEL];
    unsigned flights, waiting[3];
    unsigned passed[MOST_ROWS * LANES]; /* barriers, by each thread */
    uint64_t seen[MOST_ROWS];           /* lanes by row */
    unsigned placed;
} r;

static unsigned place_of(const struct regrouped_warp *w, unsigned lane) {
    return w->row[lane] * LANES + lane;
}

static void see(const struct regrouped_warp *w, uint64_t lanes, bool at_pc) {
    assert_true(regrouped_row_is_right(w));
    for (; lanes; lanes &= lanes - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(lanes);
        assert_true(!(r.seen[w->row[lane]] >> lane & 1));
        assert_true(!at_pc || r.thread[place_of(w, lane)].pc == w->pc);
        assert_int_equal(w->row[lane] / (r.rows / r.groups), w->group);
        r.seen[w->row[lane]] |= 1ull << lane;
        ++r.placed;
    }
}

/* Checks that each live thread is in exactly one place. */
static void check_places(void) {
    unsigned live = 0;
    memset(r.seen, 0, sizeof r.seen);
    r.placed = 0;
    for (unsigned n = 0; n < harp.second_level.count; ++n) {
        const struct regrouped_warp *w = second_level_at(&harp.second_level, n);
        see(w, w->valid, true);
    }
    for (unsigned n = 0; n < harp.waits; ++n) see(&harp.waiting[n].warp, harp.waiting[n].warp.valid, true);
    for (unsigned n = 0; n < harp.in_first_level; ++n)
        see(&harp.first_level[harp.fl_slot[n]].warp.warp, harp.first_level[harp.fl_slot[n]].warp.warp.valid,
            true);
    for (unsigned n = 0; n < harp.ready_lookup.count; ++n)
        see(&harp.ready_lookup.entry[n].warp, harp.ready_lookup.entry[n].warp.valid, true);
    for (unsigned n = 0; n < harp.waiting_lookup.count; ++n)
        see(&harp.waiting_lookup.entry[n].warp, harp.waiting_lookup.entry[n].warp.valid, true);
    for (unsigned n = 0; n < harp.parked.count; ++n) {
        const struct regrouped_warp *w = second_level_at(&harp.parked, n);
        see(w, w->valid, true);
    }
    for (unsigned n = 0; n < harp.in_stages; ++n)
        for (unsigned g = 0; g < harp.stage[n].count; ++g)
            see(&harp.stage[n].warp, (uint64_t)harp.stage[n].groups[g].mask, false);
    for (unsigned n = 0; n < harp.cfg.sets * harp.cfg.ways; ++n)
        if (harp.barriers.barrier[n].warp.pc)
            see(&harp.barriers.barrier[n].warp, harp.barriers.barrier[n].reached, true);
    for (unsigned n = 0; n < r.rows * LANES; ++n) live += r.thread[n].pc != 0;
    assert_int_equal(r.placed, live);
}

static void begin_random(struct seed *seed, struct harp_scheduler_cycle *ports) {
    memset(&r, 0, sizeof r);
    random_program_make(&r.p, seed, 4 + seed_below(seed, 9), seed_below(seed, 5) < 2);
    r.groups = 1 + seed_below(seed, 3);
    r.size = (unsigned[]){1, 4, 7, 12, 16}[seed_below(seed, 5)];
    const unsigned rows = (r.size + LANES - 1) / LANES;
    r.rows = r.groups * rows;
    const struct harp_config c = {.threads = r.groups * r.size,
                                  .second_level = 512,
                                  .first_level = (unsigned[]){1, 4, 16}[seed_below(seed, 3)],
                                  .ready_lookup = (unsigned[]){1, 2, 8}[seed_below(seed, 3)],
                                  .waiting_lookup = (unsigned[]){1, 2, 8}[seed_below(seed, 3)],
                                  .sets = 1 + seed_below(seed, 2),
                                  .ways = (unsigned[]){1, 2, 16}[seed_below(seed, 3)],
                                  .barrier_stages = (unsigned[]){1, 1, 2, 4}[seed_below(seed, 4)]};
    harp_scheduler_free(&harp);
    harp_scheduler_init(&harp, &c);
    if (ports) harp_scheduler_cycle_init(ports, &harp, LANES);
    for (unsigned g = 0; g < r.groups; ++g)
        for (unsigned row = 0; row < rows; ++row) {
            const unsigned count = r.size - row * LANES < LANES ? r.size - row * LANES : LANES;
            for (unsigned k = 0; k < count; ++k) {
                const unsigned place = (g * rows + row) * LANES + k;
                random_thread_begin(&r.thread[place], &r.p, place + 1);
            }
            struct regrouped_warp w = {
                .pc = r.p.start, .group = g, .valid = (1ull << count) - 1, .in_row = true};
            for (unsigned k = 0; k < count; ++k) w.row[k] = (uint16_t)(g * rows + row);
            harp_scheduler_start(&harp, &w);
        }
}

/* Checks, when a thread continues, that no live thread of its work-group is before a barrier that the thread
 * has passed. */
static void check_barriers(const struct regrouped_warp *w, unsigned lane) {
    const unsigned each = r.rows / r.groups * LANES, first = w->group * each;
    for (unsigned n = first; n < first + each; ++n)
        assert_true(!r.thread[n].pc || r.passed[n] >= r.passed[place_of(w, lane)]);
}

static struct regrouped_outcome execute(const struct regrouped_warp *w) {
    struct regrouped_outcome o = {.meeting = random_program_meeting(&r.p, w->pc),
                                  .waits = random_program_at(&r.p, w->pc) == RANDOM_BARRIER};
    for (uint64_t rest = w->valid; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(rest);
        check_barriers(w, lane);
        o.next[lane] = random_thread_step(&r.thread[place_of(w, lane)], &r.p);
        r.waiting[w->group] += o.waits;
        r.passed[place_of(w, lane)] += o.waits;
    }
    regrouped_say_together(w, &o);
    return o;
}

static void access_memory(struct seed *seed, uint32_t number, uint64_t cycle) {
    static const unsigned takes[] = {1, 1, 5, 40, 60};
    for (unsigned f = 0; f < harp.in_first_level; ++f) {
        const struct regrouped_warp *w = &harp.first_level[harp.fl_slot[f]].warp.warp;
        if (harp.first_level[harp.fl_slot[f]].warp.number != number) continue;
        for (uint64_t rest = w->valid; rest; rest &= rest - 1)
            r.done[place_of(w, (unsigned)__builtin_ctzll(rest))] = cycle + 1 + takes[seed_below(seed, 5)];
    }
    harp_scheduler_to_memory(&harp, number);
}

/* The pipeline: X five cycles after S, C seven; accesses take from 1 to 60. */
static void tell(struct seed *seed, uint64_t cycle) {
    for (unsigned n = 0; n < r.flights; ++n) {
        if (r.flight[n].due != cycle) continue;
        if (r.flight[n].loads)
            access_memory(seed, r.flight[n].number, cycle);
        else
            harp_scheduler_due(&harp, r.flight[n].number, cycle);
        r.flight[n--] = r.flight[--r.flights];
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

/* Runs a cycle. Returns whether a thread is live. */
static bool run_cycle(struct seed *seed, uint64_t cycle) {
    const struct regrouped_warp *committed, *issued;
    struct regrouped_outcome o = {.waits = false};
    uint32_t number = 0;
    open_barriers();
    tell(seed, cycle);
    harp_scheduler_choose(&harp, cycle, true, &committed, &issued, &number);
    if (issued) {
        const bool loads = random_program_at(&r.p, issued->pc) == RANDOM_LOAD;
        r.flight[r.flights].number = number;
        r.flight[r.flights].loads = loads;
        r.flight[r.flights++].due = cycle + (loads ? 5 : 7);
    }
    if (committed) o = execute(committed);
    harp_scheduler_step(&harp, cycle, &o);
    check_places();
    return r.placed;
}

/* Returns its cycles. */
static uint64_t run_program(struct seed *seed, struct harp_scheduler_cycle *ports) {
    uint64_t cycle = 0;
    begin_random(seed, ports);
    while (run_cycle(seed, cycle))
        if (++cycle == CYCLES) fail_msg("a program is stuck");
    return cycle;
}

static void every_thread_goes_its_own_way(void **state) {
    (void)state;
    struct seed seed = seed_start();
    uint64_t shared = 0, missed = 0, met = 0, memory = 0;
    for (unsigned program = 0; program < 2000; ++program) {
        run_program(&seed, NULL);
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

/* One that works clock by clock does the same in the same cycles. */
static void with_ports_it_is_the_same(void **state) {
    (void)state;
    struct seed seed = seed_start();
    static struct harp_scheduler_cycle ports;
    for (unsigned program = 0; program < 150; ++program) {
        struct seed again = seed;
        const uint64_t cycles = run_program(&seed, NULL);
        const struct harp_scheduler without = harp;
        assert_int_equal(run_program(&again, &ports), cycles);
        assert_memory_equal(&harp.counted, &without.counted, sizeof harp.counted);
        assert_memory_equal(&harp.barriers.counted, &without.barriers.counted,
                            sizeof without.barriers.counted);
        assert_memory_equal(&harp.ready_lookup.counted, &without.ready_lookup.counted,
                            sizeof without.ready_lookup.counted);
        assert_int_equal(harp.number, without.number);
        assert_int_equal(ports.q.number, without.number);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_thread_goes_its_own_way),
        cmocka_unit_test(with_ports_it_is_the_same),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    harp_scheduler_free(&harp);
    return failed;
}
