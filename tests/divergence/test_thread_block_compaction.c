/* thread_block_compaction: formation of warps by hand; the example of divergence.md; random programs, those
 * of one row compared with a re-convergence stack. */
#include "model/divergence/re_convergence_stack.h"
#include "model/divergence/thread_block_compaction.h"
#include "tests/divergence/example_program.h"
#include "tests/divergence/random_program.h"
#include "tests/divergence/regrouped_known.h"
#include "tests/panic.h"

#include <string.h>

static struct thread_block_compaction tbc;
static struct re_convergence_stack stack;

static void begin(unsigned rows, unsigned width, unsigned groups, unsigned calls) {
    thread_block_compaction_free(&tbc);
    thread_block_compaction_init(&tbc, rows, width, groups, calls);
}

static void start(uint32_t pc, uint32_t group, uint64_t lanes, uint16_t row) {
    struct regrouped_warp w = {.pc = pc, .group = group, .valid = lanes, .in_row = true};
    for (unsigned k = 0; k < REGROUPED_MAX_LANES; ++k) w.row[k] = row;
    thread_block_compaction_start(&tbc, &w);
}

static void form_all(void) {
    while (thread_block_compaction_forms(&tbc)) thread_block_compaction_form(&tbc);
}

/* Executes a warp, which must be ready with these lanes at this PC: lanes of `mask` continue at a, others at
 * b. */
static void run(unsigned n, uint32_t pc, uint64_t lanes, uint64_t mask, uint32_t a, uint32_t b,
                enum compaction_kind kind, uint32_t meeting) {
    struct regrouped_outcome o = {.meeting = meeting};
    assert_true(tbc.ready >> n & 1);
    const struct regrouped_warp *w = thread_block_compaction_issue(&tbc, n);
    assert_int_equal(w->pc, pc);
    assert_true(w->valid == lanes);
    for (unsigned k = 0; k < REGROUPED_MAX_LANES; ++k) o.next[k] = mask >> k & 1 ? a : b;
    assert_true(thread_block_compaction_commit(&tbc, n, &o, kind));
}

static void wait_at(unsigned n, uint32_t pc) {
    struct regrouped_outcome o = {.waits = true};
    assert_true(tbc.ready >> n & 1);
    assert_int_equal(thread_block_compaction_issue(&tbc, n)->pc, pc);
    for (unsigned k = 0; k < REGROUPED_MAX_LANES; ++k) o.next[k] = pc + 4;
    assert_true(thread_block_compaction_commit(&tbc, n, &o, COMPACTION_STRAIGHT));
}

static void one_warp_is_formed_a_cycle_the_oldest_top_first(void **state) {
    (void)state;
    begin(5, 4, 2, 0);
    start(0x100, 1, 0xf, 0);
    start(0x100, 1, 0xf, 1);
    start(0x100, 0, 0xf, 2);
    start(0x100, 0, 0xf, 3);
    start(0x100, 0, 0x1, 4);
    static const uint64_t ready[] = {0x1, 0x3, 0x7, 0xf, 0x1f};
    for (unsigned n = 0; n < 5; ++n) {
        assert_true(thread_block_compaction_forms(&tbc));
        thread_block_compaction_form(&tbc);
        assert_true(tbc.ready == ready[n]);
    }
    assert_false(thread_block_compaction_forms(&tbc));
    assert_int_equal(tbc.counted.formed, 5);
}

/* Two warps part; all threads that go one way are compacted, lane by lane, when the second has arrived. */
static void threads_are_compacted_when_all_warps_have_arrived(void **state) {
    (void)state;
    begin(2, 4, 1, 0);
    start(0x100, 0, 0xf, 0);
    start(0x100, 0, 0xf, 1);
    form_all();
    run(0, 0x100, 0xf, 0xf, 0x104, 0, COMPACTION_STRAIGHT, 0); /* alone */
    run(0, 0x104, 0xf, 0x3, 0x108, 0x200, COMPACTION_PARTS, 0x300);
    assert_true(tbc.ready == 0x2 && !thread_block_compaction_forms(&tbc));
    run(1, 0x100, 0xf, 0xf, 0x104, 0, COMPACTION_STRAIGHT, 0);
    run(1, 0x104, 0xf, 0xe, 0x108, 0x200, COMPACTION_PARTS, 0x300);
    form_all(); /* row 0 has lanes 0 and 1 at 0x108, row 1 lanes 1, 2 and 3 */
    assert_true(tbc.ready == 0x3);
    assert_true(tbc.warp[0].warp.row[0] == 0 && tbc.warp[0].warp.row[1] == 0);
    assert_true(tbc.warp[0].warp.row[2] == 1 && tbc.warp[0].warp.row[3] == 1);
    run(1, 0x108, 0x2, 0x2, 0x300, 0, COMPACTION_STRAIGHT, 0); /* has met the others and waits */
    assert_true(tbc.ready == 0x1);
    run(0, 0x108, 0xf, 0xf, 0x300, 0, COMPACTION_STRAIGHT, 0);
    form_all(); /* the other side: lanes 2 and 3 of row 0, lane 0 of row 1 */
    run(0, 0x200, 0xd, 0xd, 0x300, 0, COMPACTION_STRAIGHT, 0);
    form_all();
    run(0, 0x300, 0xf, 0, 0, 0, COMPACTION_STRAIGHT, 0);
    run(1, 0x300, 0xf, 0, 0, 0, COMPACTION_STRAIGHT, 0);
    assert_int_equal(tbc.block[0].top, -1);
    assert_int_equal(tbc.counted.divergences, 1);
    assert_int_equal(tbc.counted.deepest, 3);
}

/* A uniform branch keeps the warps, without a cycle for formation. */
static void warps_stay_where_nobody_parts(void **state) {
    (void)state;
    begin(2, 4, 1, 0);
    start(0x100, 0, 0xf, 0);
    start(0x100, 0, 0x3, 1);
    form_all();
    run(0, 0x100, 0xf, 0xf, 0x200, 0, COMPACTION_PARTS, 0x300);
    run(1, 0x100, 0x3, 0x3, 0x200, 0, COMPACTION_PARTS, 0x300);
    assert_false(thread_block_compaction_forms(&tbc));
    run(0, 0x200, 0xf, 0, 0, 0, COMPACTION_STRAIGHT, 0);
    run(1, 0x200, 0x3, 0, 0, 0, COMPACTION_STRAIGHT, 0);
    assert_int_equal(tbc.counted.formed, 2);
}

/* A conditional call returns to the place of the other threads; a call beyond the limit is refused. */
static void calls_return_to_the_instruction_behind(void **state) {
    (void)state;
    begin(1, 4, 1, 1);
    start(0x100, 0, 0xf, 0);
    form_all();
    run(0, 0x100, 0xf, 0x6, 0x800, 0x104, COMPACTION_CALLS, 0x104);
    form_all();
    run(0, 0x800, 0x6, 0x2, 0x900, 0x804, COMPACTION_PARTS, 0); /* parts for good: until the return */
    form_all();
    run(0, 0x804, 0x4, 0x4, 0x104, 0, COMPACTION_PARTS, 0);
    form_all();
    struct regrouped_outcome o = {.next = {0, 0xa00}};
    assert_true(thread_block_compaction_issue(&tbc, 0)->pc == 0x900);
    assert_false(thread_block_compaction_commit(&tbc, 0, &o, COMPACTION_CALLS));
    begin(1, 4, 1, 1);
    start(0x100, 0, 0xf, 0);
    form_all();
    run(0, 0x100, 0xf, 0xf, 0x800, 0, COMPACTION_CALLS, 0x104);
    form_all();
    run(0, 0x800, 0xf, 0xf, 0x104, 0, COMPACTION_PARTS, 0);
    form_all();
    run(0, 0x104, 0xf, 0xf, 0x800, 0, COMPACTION_CALLS, 0x108); /* there is room for one again */
}

/* if (a) return; …; barrier: waiting threads let entries below become the top. */
static void who_waits_at_a_barrier_lets_others_up(void **state) {
    (void)state;
    begin(2, 4, 1, 0);
    start(0x100, 0, 0xf, 0);
    start(0x100, 0, 0xf, 1);
    form_all();
    run(0, 0x100, 0xf, 0x3, 0x104, 0x200, COMPACTION_PARTS, 0);
    run(1, 0x100, 0xf, 0xc, 0x104, 0x200, COMPACTION_PARTS, 0);
    form_all();
    wait_at(0, 0x104); /* all threads of 0x104 form one warp */
    assert_int_equal(tbc.counted.moves, 1);
    form_all();
    run(0, 0x200, 0xf, 0xf, 0x104, 0, COMPACTION_STRAIGHT, 0);
    wait_at(0, 0x104);
    assert_true(tbc.ready == 0 && !thread_block_compaction_forms(&tbc));
    thread_block_compaction_release(&tbc, 0);
    run(0, 0x108, 0xf, 0, 0, 0, COMPACTION_STRAIGHT, 0);
    form_all(); /* threads of the lower entry are behind the barrier */
    run(0, 0x108, 0xf, 0, 0, 0, COMPACTION_STRAIGHT, 0);
    assert_int_equal(tbc.block[0].top, -1);
}

/* Threads that have reached the re-convergence point wait for threads at a barrier: no entry can become the
 * top. */
static void who_waits_where_threads_meet_stays_there(void **state) {
    (void)state;
    begin(1, 4, 1, 0);
    start(0x100, 0, 0xf, 0);
    form_all();
    run(0, 0x100, 0xf, 0x3, 0x104, 0x300, COMPACTION_PARTS, 0x300);
    form_all();
    wait_at(0, 0x104);
    assert_true(tbc.ready == 0 && !thread_block_compaction_forms(&tbc));
    assert_int_equal(tbc.counted.moves, 0);
}

/* Warps arrive at a barrier one by one and are unchanged after it. */
static void a_barrier_is_arrived_at_warp_by_warp(void **state) {
    (void)state;
    begin(2, 4, 1, 0);
    start(0x100, 0, 0xf, 0);
    start(0x100, 0, 0x1, 1);
    form_all();
    wait_at(1, 0x100);
    assert_true(tbc.ready == 0x1);
    wait_at(0, 0x100);
    assert_true(tbc.ready == 0);
    thread_block_compaction_release(&tbc, 0);
    assert_true(tbc.ready == 0x3 && !thread_block_compaction_forms(&tbc));
    run(1, 0x104, 0x1, 0, 0, 0, COMPACTION_STRAIGHT, 0);
    run(0, 0x104, 0xf, 0, 0, 0, COMPACTION_STRAIGHT, 0);
}

/* --- the example of divergence.md §3: row r has threads 4 · r and on --- */

static void the_example_of_the_specification(void **state) {
    (void)state;
    struct example x = {.length = 0};
    begin(2, EXAMPLE_LANES, 1, 0);
    for (uint16_t row = 0; row < 2; ++row) start(EXAMPLE_PC(A), 0, 0xf, row);
    for (form_all(); tbc.ready; form_all()) {
        const unsigned n = (unsigned)__builtin_ctzll(tbc.ready);
        const struct regrouped_warp w = *thread_block_compaction_issue(&tbc, n);
        struct regrouped_outcome o = {.meeting = example_meeting(w.pc)};
        unsigned threads = 0;
        for (unsigned k = 0; k < EXAMPLE_LANES; ++k) {
            if (!(w.valid >> k & 1)) continue;
            threads |= 1u << (EXAMPLE_LANES * w.row[k] + k);
            o.next[k] = example_next(&x, w.pc, EXAMPLE_LANES * w.row[k] + k);
        }
        example_issue(&x, w.pc, threads);
        assert_true(
            thread_block_compaction_commit(&tbc, n, &o, o.meeting ? COMPACTION_PARTS : COMPACTION_STRAIGHT));
    }
    assert_string_equal(x.said, "A{0123} A{4567} B{0136} B{5} C{036} D{1} D{5} E{0136} E{5} F{247} G{0123} "
                                "G{4567} G{136} G{3} H{0123} H{4567}");
}

/* --- random programs --- */

enum { MOST_ROWS = 12, IN_FLIGHT = 6, CALLS = 4 };

static struct {
    struct random_program p;
    struct random_thread thread[MOST_ROWS * 64]; /* indices: row and lane; seed 0: no thread */
    unsigned groups, size, rows, width;
    struct {
        unsigned warp, due;
    } flight[IN_FLIGHT];
    unsigned flights, waiting[3];
    unsigned passed[MOST_ROWS * 64]; /* barriers, by each thread */
} r;

/* Checks that every live thread is in exactly one warp of its work-group at its PC, in an entry below, or
 * unformed. */
static void check_places(void) {
    unsigned live = 0, own = 0;
    for (unsigned n = 0; n < r.rows; ++n) {
        const struct regrouped_warp *w = &tbc.warp[n].warp;
        if (tbc.warp[n].state == COMPACTION_FREE) continue;
        assert_true(w->valid != 0 && regrouped_row_is_right(w));
        assert_int_equal(n / (r.rows / r.groups), w->group);
        for (uint64_t rest = w->valid; rest; rest &= rest - 1) {
            const unsigned lane = (unsigned)__builtin_ctzll(rest), place = w->row[lane] * r.width + lane;
            assert_int_equal(tbc.thread[place].entry, tbc.block[w->group].top);
            assert_false(tbc.unformed[w->row[lane]] >> lane & 1);
            assert_int_equal(w->row[lane] / (r.rows / r.groups), w->group);
            if (tbc.warp[n].state != COMPACTION_ARRIVED) assert_int_equal(r.thread[place].pc, w->pc);
        }
    }
    for (unsigned n = 0; n < r.rows * r.width; ++n) {
        assert_int_equal(tbc.thread[n].entry >= 0, r.thread[n].seed && r.thread[n].pc);
        live += r.thread[n].seed && r.thread[n].pc;
    }
    for (unsigned g = 0; g < r.groups; ++g)
        for (int e = tbc.block[g].top; e >= 0; e = tbc.entry[e].below) own += tbc.entry[e].own;
    assert_int_equal(own, live);
}

static void begin_random(struct seed *seed) {
    memset(&r, 0, sizeof r);
    random_program_make(&r.p, seed, 4 + seed_below(seed, 9), seed_below(seed, 2));
    r.groups = 1 + seed_below(seed, 3);
    r.width = (unsigned[]){4, 4, 64}[seed_below(seed, 3)];
    r.size = (unsigned[]){1, 4, 7, 12, 16}[seed_below(seed, 5)];
    const unsigned rows = (r.size + r.width - 1) / r.width;
    r.rows = r.groups * rows;
    begin(r.rows, r.width, r.groups, CALLS);
    for (unsigned g = 0; g < r.groups; ++g)
        for (unsigned row = 0; row < rows; ++row) {
            const unsigned count = r.size - row * r.width < r.width ? r.size - row * r.width : r.width;
            for (unsigned k = 0; k < count; ++k) {
                const unsigned place = (g * rows + row) * r.width + k;
                random_thread_begin(&r.thread[place], &r.p, place + 1);
            }
            start(r.p.start, g, (1ull << count) - 1, (uint16_t)(g * rows + row));
        }
    if (rows > 1) return;
    re_convergence_stack_free(&stack);
    re_convergence_stack_init(&stack, r.groups, r.width, CALLS);
    for (unsigned g = 0; g < r.groups; ++g)
        re_convergence_stack_start(&stack, g, r.p.start, (1ull << r.size) - 1);
}

/* Checks, when a thread continues, that no live thread of its work-group is before a barrier that the thread
 * has passed. */
static void check_barriers(unsigned group, unsigned place) {
    const unsigned each = r.rows / r.groups * r.width;
    for (unsigned n = group * each; n < (group + 1) * each; ++n)
        assert_true(!r.thread[n].pc || r.passed[n] >= r.passed[place]);
}

static enum compaction_kind kind_at(uint32_t pc) {
    switch (random_program_at(&r.p, pc)) {
    case RANDOM_CALL:
    case RANDOM_CONDITIONAL_CALL: return COMPACTION_CALLS;
    case RANDOM_BRANCH:
    case RANDOM_LOOP:
    case RANDOM_ALIKE_BRANCH:
    case RANDOM_ALIKE_LOOP:
    case RANDOM_CONDITIONAL_RETURN:
    case RANDOM_CONDITIONAL_END: return COMPACTION_PARTS;
    default: return COMPACTION_STRAIGHT;
    }
}

/* Commits the same instruction on the reference stack of a work-group of one row. */
static void commit_stack(const struct regrouped_warp *w, const struct regrouped_outcome *o) {
    struct re_convergence_group groups[64];
    const uint64_t ended = w->valid & ~regrouped_living(w, o);
    assert_true(re_convergence_stack_pc(&stack, w->group) == w->pc);
    assert_true(re_convergence_stack_mask(&stack, w->group) == w->valid);
    const unsigned count = re_convergence_groups(w->pc, w->valid & ~ended, o->next, groups);
    for (unsigned n = 0; n < count; ++n)
        groups[n].call = kind_at(w->pc) == COMPACTION_CALLS && groups[n].pc != w->pc + 4;
    if (ended) re_convergence_stack_exit(&stack, w->group, ended);
    if (count > 1)
        assert_true(re_convergence_stack_diverge(&stack, w->group, groups, count, o->meeting));
    else if (count && groups[0].call)
        assert_true(re_convergence_stack_call(&stack, w->group, groups[0].pc, w->pc + 4));
    else if (count)
        re_convergence_stack_jump(&stack, w->group, groups[0].pc);
}

/* Checks that no warp of the work-group is ready: all threads of the top wait. */
static void stack_waits(unsigned group) {
    uint64_t ready = 0;
    for (unsigned k = 0; k < r.width; ++k) {
        const struct random_thread *t = &r.thread[group * r.width + k];
        if (t->pc && r.passed[group * r.width + k] == 0) ready |= 1ull << k;
    }
    re_convergence_stack_barrier(&stack, group, ready);
}

static void commit(unsigned n) {
    const struct regrouped_warp w = tbc.warp[n].warp;
    struct regrouped_outcome o = {.meeting = random_program_meeting(&r.p, w.pc),
                                  .waits = random_program_at(&r.p, w.pc) == RANDOM_BARRIER};
    for (uint64_t rest = w.valid; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(rest), place = w.row[lane] * r.width + lane;
        check_barriers(w.group, place);
        o.next[lane] = random_thread_step(&r.thread[place], &r.p);
        r.waiting[w.group] += o.waits;
        r.passed[place] += o.waits;
    }
    if (r.rows == r.groups) commit_stack(&w, &o);
    if (r.rows == r.groups) stack_waits(w.group);
    regrouped_say_together(&w, &o);
    assert_true(thread_block_compaction_commit(&tbc, n, &o, kind_at(w.pc)));
}

static void open_barriers(void) {
    const unsigned each = r.rows / r.groups * r.width;
    for (unsigned g = 0; g < r.groups; ++g) {
        unsigned live = 0;
        for (unsigned n = 0; n < each; ++n) live += r.thread[g * each + n].pc != 0;
        if (!live || r.waiting[g] < live) continue;
        r.waiting[g] = 0;
        memset(&r.passed[g * each], 0, each * sizeof r.passed[0]);
        thread_block_compaction_release(&tbc, g);
        if (r.rows == r.groups) stack_waits(g);
    }
}

static bool run_cycle(struct seed *seed) {
    thread_block_compaction_form(&tbc);
    if (r.flights < IN_FLIGHT && tbc.ready && seed_below(seed, 4)) {
        unsigned n = seed_below(seed, 64);
        while (!(tbc.ready >> n & 1)) n = (n + 1) % 64;
        thread_block_compaction_issue(&tbc, n);
        r.flight[r.flights].warp = n;
        r.flight[r.flights++].due = 1 + seed_below(seed, 6);
    }
    for (unsigned n = 0; n < r.flights; ++n) {
        if (--r.flight[n].due) continue;
        const unsigned done = r.flight[n].warp;
        r.flight[n--] = r.flight[--r.flights];
        commit(done);
    }
    open_barriers();
    check_places();
    for (unsigned n = 0; n < r.rows * r.width; ++n)
        if (r.thread[n].pc) return true;
    return false;
}

static void every_thread_goes_its_own_way(void **state) {
    (void)state;
    struct seed seed = seed_start();
    uint64_t divergences = 0, moves = 0;
    for (unsigned program = 0; program < 2000; ++program) {
        uint64_t cycle = 0;
        begin_random(&seed);
        while (run_cycle(&seed))
            if (++cycle == 1000000) fail_msg("program %u is stuck", program);
        for (unsigned n = 0; n < r.rows * r.width; ++n)
            if (r.thread[n].seed)
                assert_true(r.thread[n].trace == random_thread_path(&r.p, r.thread[n].seed));
        divergences += tbc.counted.divergences;
        moves += tbc.counted.moves;
        for (unsigned g = 0; g < r.groups; ++g) assert_int_equal(tbc.block[g].top, -1);
    }
    print_message("%llu divergences, %llu moves\n", (unsigned long long)divergences,
                  (unsigned long long)moves);
    assert_true(divergences > 10000 && moves > 100);
}

static void init_with(void *sizes) {
    const unsigned *n = sizes;
    struct thread_block_compaction c;
    thread_block_compaction_init(&c, n[0], n[1], n[2], n[3]);
}

static void what_cannot_be_panics(void **state) {
    (void)state;
    static unsigned sizes[][4] = {{0, 4, 1, 0}, {65, 4, 1, 0}, {1, 0, 1, 0}, {1, 65, 1, 0}, {1, 4, 0, 0}};
    for (unsigned n = 0; n < 5; ++n) assert_true(panics(init_with, sizes[n]));
}

static int free_all(void **state) {
    (void)state;
    thread_block_compaction_free(&tbc);
    re_convergence_stack_free(&stack);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_warp_is_formed_a_cycle_the_oldest_top_first),
        cmocka_unit_test(threads_are_compacted_when_all_warps_have_arrived),
        cmocka_unit_test(warps_stay_where_nobody_parts),
        cmocka_unit_test(calls_return_to_the_instruction_behind),
        cmocka_unit_test(who_waits_at_a_barrier_lets_others_up),
        cmocka_unit_test(who_waits_where_threads_meet_stays_there),
        cmocka_unit_test(a_barrier_is_arrived_at_warp_by_warp),
        cmocka_unit_test(the_example_of_the_specification),
        cmocka_unit_test(every_thread_goes_its_own_way),
        cmocka_unit_test(what_cannot_be_panics),
    };
    return cmocka_run_group_tests(tests, NULL, free_all);
}
