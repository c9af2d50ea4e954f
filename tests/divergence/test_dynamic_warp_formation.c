/* dynamic_warp_formation: formation of warps by hand; the example of divergence.md; random programs. */
#include "model/divergence/dynamic_warp_formation.h"
#include "tests/divergence/example_program.h"
#include "tests/divergence/random_program.h"
#include "tests/divergence/regrouped_known.h"
#include "tests/panic.h"

#include <string.h>

static struct dynamic_warp_formation formation;

static void begin(unsigned threads, unsigned lut) {
    dynamic_warp_formation_free(&formation);
    dynamic_warp_formation_init(&formation, threads, lut);
}

static void start(uint32_t pc, uint32_t group, uint64_t lanes, uint16_t row) {
    struct regrouped_warp w = {.pc = pc, .group = group, .valid = lanes, .in_row = true};
    for (unsigned k = 0; k < REGROUPED_MAX_LANES; ++k) w.row[k] = row;
    dynamic_warp_formation_start(&formation, &w);
}

/* Issues the next warp, which must be this one, and commits it: lanes of `mask` continue at `a`, the others
 * at `b`. */
static void run(uint32_t pc, uint64_t lanes, uint64_t mask, uint32_t a, uint32_t b) {
    const int n = dynamic_warp_formation_select(&formation);
    struct regrouped_outcome o = {.waits = false};
    assert_true(n >= 0);
    const struct regrouped_warp *w = dynamic_warp_formation_warp(&formation, (unsigned)n);
    assert_int_equal(w->pc, pc);
    assert_true(w->valid == lanes);
    for (unsigned k = 0; k < REGROUPED_MAX_LANES; ++k) o.next[k] = mask >> k & 1 ? a : b;
    dynamic_warp_formation_commit(&formation, (unsigned)n, &o);
}

static void threads_at_one_pc_share_a_warp(void **state) {
    (void)state;
    begin(8, 16);
    start(0x100, 0, 0xf, 0);
    start(0x100, 0, 0xf, 1);
    run(0x100, 0xf, 0x3, 0x200, 0x300);
    run(0x100, 0xf, 0xc, 0x200, 0x300); /* the previous PC is kept; lanes are free */
    const int n = dynamic_warp_formation_select(&formation);
    const struct regrouped_warp *w = dynamic_warp_formation_warp(&formation, (unsigned)n);
    assert_int_equal(w->pc, 0x200);
    assert_true(w->valid == 0xf);
    for (unsigned k = 0; k < 4; ++k) assert_int_equal(w->row[k], k < 2 ? 0 : 1);
    assert_int_equal(formation.counted.joined, 4);
    assert_int_equal(formation.counted.formed, 2);
}

static void a_lane_that_is_taken_makes_a_warp_which_others_join(void **state) {
    (void)state;
    begin(12, 16);
    for (uint16_t row = 0; row < 3; ++row) start(0x100, 0, row == 2 ? 0x2 : 0xf, row);
    run(0x100, 0xf, 0x3, 0x200, 0x300);
    run(0x100, 0xf, 0x1, 0x200, 0x300); /* 0x200: lane 0 is occupied; 0x300: lanes 2 and 3 */
    assert_int_equal(formation.counted.taken, 3);
    run(0x100, 0x2, 0x2, 0x200, 0); /* joins the youngest at 0x200, not the one with lanes 0 and 1 */
    run(0x300, 0xe, 0, 0, 0);
    run(0x300, 0xc, 0, 0, 0);
    run(0x200, 0x3, 0, 0, 0);
    run(0x200, 0x3, 0, 0, 0);
    assert_int_equal(dynamic_warp_formation_select(&formation), -1);
}

static void an_issued_warp_is_joined_by_nobody(void **state) {
    (void)state;
    begin(8, 16);
    start(0x100, 0, 0x1, 0);
    start(0x104, 0, 0x2, 0);
    run(0x100, 0x1, 0x1, 0x200, 0); /* found in the table from now on */
    run(0x104, 0x2, 0x2, 0x1fc, 0);
    formation.pc = 0x200;
    const int n = dynamic_warp_formation_select(&formation);
    assert_true(dynamic_warp_formation_warp(&formation, (unsigned)n)->valid == 0x1);
    run(0x1fc, 0x2, 0x2, 0x200, 0);
    run(0x200, 0x2, 0x2, 0, 0);
}

static void work_groups_do_not_mix(void **state) {
    (void)state;
    begin(8, 16);
    start(0x100, 0, 0x1, 0);
    start(0x100, 1, 0x2, 1);
    run(0x100, 0x1, 0x1, 0x200, 0);
    run(0x100, 0x2, 0x2, 0x200, 0);
    run(0x200, 0x1, 0x1, 0, 0);
    run(0x200, 0x2, 0x2, 0, 0);
}

static void most_threads_go_first_then_the_smaller_pc(void **state) {
    (void)state;
    begin(16, 16);
    start(0x300, 0, 0x7, 0);
    start(0x200, 0, 0x3, 0);
    start(0x200, 0, 0x1, 1);
    start(0x100, 0, 0x3, 1);
    run(0x200, 0x3, 0x3, 0, 0); /* three threads as at 0x300 */
    run(0x200, 0x1, 0x1, 0, 0); /* joins the warp, which is kept */
    run(0x300, 0x7, 0x7, 0, 0);
    run(0x100, 0x3, 0x3, 0, 0);
}

/* Five PCs in one set: the least recently used is evicted. */
static void the_table_forgets(void **state) {
    (void)state;
    begin(16, 4);
    for (unsigned n = 0; n < 5; ++n) {
        start(0x1000 + 4 * n, 0, 0x1, (uint16_t)n);
        formation.pc = 0x1000 + 4 * n;
        run(0x1000 + 4 * n, 0x1, 0x1, 0x100 * (n + 1), 0);
    }
    assert_int_equal(formation.counted.lost, 1);
    for (unsigned n = 0; n < 2; ++n) { /* 0x100 and 0x200 */
        start(0x2000, 0, 0x2, 9);
        formation.pc = 0x2000;
        run(0x2000, 0x2, 0x2, 0x100 * (n + 1), 0);
    }
    assert_int_equal(formation.counted.lost, 3); /* 0x100 was unknown: 0x200 went for it; so it was, too */
    assert_int_equal(formation.counted.joined, 0);
}

static void a_barrier_keeps_warps_as_they_are(void **state) {
    (void)state;
    begin(8, 16);
    start(0x100, 0, 0x3, 0);
    start(0x200, 0, 0xc, 0);
    start(0x300, 1, 0x3, 1);
    struct regrouped_outcome o = {.waits = true};
    const uint32_t order[] = {0x200, 0x100};
    for (unsigned n = 0; n < 2; ++n) {
        formation.pc = order[n];
        const int w = dynamic_warp_formation_select(&formation);
        for (unsigned k = 0; k < 4; ++k) o.next[k] = 0x400;
        dynamic_warp_formation_commit(&formation, (unsigned)w, &o);
    }
    run(0x300, 0x3, 0x3, 0x400, 0);
    run(0x400, 0x3, 0x3, 0, 0); /* first of the other work-group */
    assert_int_equal(dynamic_warp_formation_select(&formation), -1);
    dynamic_warp_formation_release(&formation, 1);
    assert_int_equal(dynamic_warp_formation_select(&formation), -1);
    dynamic_warp_formation_release(&formation, 0);
    run(0x400, 0xc, 0xc, 0, 0); /* the first warp formed */
    run(0x400, 0x3, 0x3, 0, 0);
}

/* --- the example of divergence.md §3: row r has threads 4 · r and on --- */

static void the_example_of_the_specification(void **state) {
    (void)state;
    struct example x = {.length = 0};
    int n;
    begin(EXAMPLE_THREADS, 256);
    for (uint16_t row = 0; row < 2; ++row) start(EXAMPLE_PC(A), 0, 0xf, row);
    while ((n = dynamic_warp_formation_select(&formation)) >= 0) {
        const struct regrouped_warp w = *dynamic_warp_formation_warp(&formation, (unsigned)n);
        struct regrouped_outcome o = {.meeting = example_meeting(w.pc)};
        unsigned threads = 0;
        for (unsigned k = 0; k < EXAMPLE_LANES; ++k) {
            if (!(w.valid >> k & 1)) continue;
            threads |= 1u << (EXAMPLE_LANES * w.row[k] + k);
            o.next[k] = example_next(&x, w.pc, EXAMPLE_LANES * w.row[k] + k);
        }
        example_issue(&x, w.pc, threads);
        dynamic_warp_formation_commit(&formation, (unsigned)n, &o);
    }
    assert_string_equal(x.said,
                        "A{0123} A{4567} B{0136} B{5} C{036} E{036} F{247} G{036} G{247} G{36} G{3} H{027} "
                        "H{346} D{1} D{5} E{1} E{5} G{1} G{5} G{1} H{5} H{1}");
}

/* --- random programs --- */

enum { LANES = 4, MOST_THREADS = 48, MOST_ROWS = MOST_THREADS, IN_FLIGHT = 6 };

static struct {
    struct random_program p;
    struct random_thread thread[MOST_ROWS * LANES]; /* indices: row and lane; seed 0: no thread */
    unsigned groups, size, rows;
    struct {
        unsigned warp, due;
    } flight[IN_FLIGHT];
    unsigned flights, waiting[3];
    unsigned passed[MOST_ROWS * LANES]; /* barriers, by each thread */
} r;

static struct random_thread *thread_of(const struct regrouped_warp *w, unsigned lane) {
    return &r.thread[w->row[lane] * LANES + lane];
}

/* Checks that every live thread is in exactly one warp of its work-group, at its PC. */
static void check_places(void) {
    uint64_t seen[MOST_ROWS] = {0};
    unsigned live = 0, placed = 0;
    for (unsigned n = 0; n < formation.cfg.threads; ++n) {
        const struct regrouped_warp *w = &formation.pool[n].warp;
        if (formation.pool[n].state == WARP_FORMATION_FREE) continue;
        assert_true(regrouped_row_is_right(w));
        for (uint64_t rest = w->valid; rest; rest &= rest - 1) {
            const unsigned lane = (unsigned)__builtin_ctzll(rest);
            assert_true(!(seen[w->row[lane]] >> lane & 1));
            assert_int_equal(thread_of(w, lane)->pc, w->pc);
            assert_int_equal(w->row[lane] / (r.rows / r.groups), w->group);
            seen[w->row[lane]] |= 1ull << lane;
            ++placed;
        }
        assert_true(w->valid != 0);
    }
    for (unsigned n = 0; n < r.rows * LANES; ++n) live += r.thread[n].seed && r.thread[n].pc;
    assert_int_equal(placed, live);
    for (unsigned n = 0; n < formation.table.cfg.sets * WARP_FORMATION_WAYS; ++n) {
        const struct warp_formation_entry *e = &formation.table.entry[n];
        if (!e->pc) continue;
        assert_int_equal(formation.pool[e->warp].state, WARP_FORMATION_READY);
        assert_int_equal(formation.pool[e->warp].warp.pc, e->pc);
        assert_int_equal(formation.pool[e->warp].warp.group, e->group);
    }
}

static void begin_random(struct seed *seed) {
    memset(&r, 0, sizeof r);
    random_program_make(&r.p, seed, 4 + seed_below(seed, 9), seed_below(seed, 2));
    r.groups = 1 + seed_below(seed, 3);
    r.size = (unsigned[]){1, 4, 7, 12, 16}[seed_below(seed, 5)];
    const unsigned rows = (r.size + LANES - 1) / LANES;
    r.rows = r.groups * rows;
    begin(r.groups * r.size, (unsigned[]){4, 8, 256}[seed_below(seed, 3)]);
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

/* Checks, when a thread continues, that no live thread of its work-group is before a barrier that the thread
 * has passed. */
static void check_barriers(const struct regrouped_warp *w, unsigned place) {
    const unsigned each = r.rows / r.groups * LANES, first = w->group * each;
    for (unsigned n = first; n < first + each; ++n)
        assert_true(!r.thread[n].pc || r.passed[n] >= r.passed[place]);
}

static void commit(unsigned n) {
    const struct regrouped_warp w = *dynamic_warp_formation_warp(&formation, n);
    struct regrouped_outcome o = {.meeting = random_program_meeting(&r.p, w.pc),
                                  .waits = random_program_at(&r.p, w.pc) == RANDOM_BARRIER};
    for (uint64_t rest = w.valid; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(rest);
        check_barriers(&w, w.row[lane] * LANES + lane);
        o.next[lane] = random_thread_step(thread_of(&w, lane), &r.p);
        r.waiting[w.group] += o.waits;
        r.passed[w.row[lane] * LANES + lane] += o.waits;
    }
    regrouped_say_together(&w, &o);
    dynamic_warp_formation_commit(&formation, n, &o);
}

static void open_barriers(void) {
    const unsigned each = r.rows / r.groups * LANES;
    for (unsigned g = 0; g < r.groups; ++g) {
        unsigned live = 0;
        for (unsigned n = 0; n < each; ++n) live += r.thread[g * each + n].pc != 0;
        if (!live || r.waiting[g] < live) continue;
        r.waiting[g] = 0;
        dynamic_warp_formation_release(&formation, g);
    }
}

static void every_thread_goes_its_own_way(void **state) {
    (void)state;
    struct seed seed = seed_start();
    uint64_t joined = 0, lost = 0;
    for (unsigned program = 0; program < 2000; ++program) {
        begin_random(&seed);
        for (;;) {
            const int issued = r.flights < IN_FLIGHT && seed_below(&seed, 4)
                                   ? dynamic_warp_formation_select(&formation)
                                   : -1;
            if (issued >= 0) {
                r.flight[r.flights].warp = (unsigned)issued;
                r.flight[r.flights++].due = 1 + seed_below(&seed, 6);
            }
            for (unsigned n = 0; n < r.flights; ++n) {
                if (--r.flight[n].due) continue;
                const unsigned done = r.flight[n].warp;
                r.flight[n--] = r.flight[--r.flights];
                commit(done);
            }
            open_barriers();
            check_places();
            bool live = false;
            for (unsigned n = 0; n < r.rows * LANES; ++n) live |= r.thread[n].pc != 0;
            if (!live) break;
        }
        for (unsigned n = 0; n < r.rows * LANES; ++n)
            if (r.thread[n].seed)
                assert_true(r.thread[n].trace == random_thread_path(&r.p, r.thread[n].seed));
        joined += formation.counted.joined;
        lost += formation.counted.lost;
    }
    assert_true(joined > 10000 && lost > 100);
}

static void init_with(void *sizes) {
    const unsigned *n = sizes;
    struct dynamic_warp_formation f;
    dynamic_warp_formation_init(&f, n[0], n[1]);
}

static void what_cannot_be_panics(void **state) {
    (void)state;
    static unsigned sizes[][2] = {{0, 256}, {8, 0}, {8, 6}, {8, 12}};
    for (unsigned n = 0; n < 4; ++n) assert_true(panics(init_with, sizes[n]));
    assert_false(panics(init_with, (unsigned[]){1, 4}));
}

static int free_all(void **state) {
    (void)state;
    dynamic_warp_formation_free(&formation);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_at_one_pc_share_a_warp),
        cmocka_unit_test(a_lane_that_is_taken_makes_a_warp_which_others_join),
        cmocka_unit_test(an_issued_warp_is_joined_by_nobody),
        cmocka_unit_test(work_groups_do_not_mix),
        cmocka_unit_test(most_threads_go_first_then_the_smaller_pc),
        cmocka_unit_test(the_table_forgets),
        cmocka_unit_test(a_barrier_keeps_warps_as_they_are),
        cmocka_unit_test(the_example_of_the_specification),
        cmocka_unit_test(every_thread_goes_its_own_way),
        cmocka_unit_test(what_cannot_be_panics),
    };
    return cmocka_run_group_tests(tests, NULL, free_all);
}
