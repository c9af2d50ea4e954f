/* thread_descriptor_table: every legal transition of a thread's state, every
 * illegal one refused, priorities. */
#include "model/control/thread_descriptor_table.h"
#include "tests/panic.h"
#include "tests/seed.h"

#include <string.h>

static struct tdt_room room;
static struct thread_descriptor_table table = {.warp = room.warp, .rows = room.row[0]};

static struct warp_descriptors *new_table(unsigned warps, unsigned warp_size, unsigned levels) {
    thread_descriptor_table_init(&table, warps, warp_size, levels);
    return &table.warp[0];
}

static void start_all(unsigned warp, unsigned threads, uint32_t pc) {
    for (unsigned k = 0; k < threads; ++k) tdt_start(&table, warp, k, pc, 0, 0);
}

static void a_started_thread_is_ready_with_its_first_values(void **state) {
    (void)state;
    new_table(16, 32, 8);
    struct warp_descriptors *w = &table.warp[3];
    memset(w->n, 0xff, 32 * sizeof *w->n); /* left by an earlier work-group */
    memset(w->c, 0xff, 32 * sizeof *w->c);
    memset(w->v, 0xff, 32 * sizeof *w->v);
    memset(w->q, 0xff, 32 * sizeof *w->q);
    memset(w->ge, 0xff, 32 * sizeof *w->ge);
    memset(w->fpscr, 0xff, 32 * sizeof *w->fpscr);
    tdt_start(&table, 3, 5, 0x8000, 1023u << 20 | 512u << 10 | 7u, 0x50004000);
    assert_int_equal(w->ready, 1u << 5);
    assert_int_equal(w->execution | w->barrier, 0);
    assert_int_equal(tdt_live(w), 1u << 5);
    assert_int_equal(w->pc[5], 0x8000);
    assert_int_equal(w->local_id[0][5], 7);
    assert_int_equal(w->local_id[1][5], 512);
    assert_int_equal(w->local_id[2][5], 1023);
    assert_int_equal(w->stack_top[5], 0x50004000);
    assert_int_equal(w->priority[0], 0xffffffff); /* idle threads, too */
    assert_int_equal(w->level[5], 0);
    assert_int_equal(w->n[5] >> 31, 0);
    assert_int_not_equal(w->z[5], 0); /* Z is set when the word is 0 */
    assert_int_equal(w->c[5] | w->v[5] >> 31 | w->q[5] | w->ge[5] | w->fpscr[5], 0);
    assert_int_equal(w->n[4], 0xffffffff); /* no other thread's */
    assert_int_equal(tdt_live(&table.warp[2]), 0);
}

static void the_mask_of_a_warp_has_a_bit_a_thread(void **state) {
    (void)state;
    new_table(1, 64, 8);
    assert_true(table.all == UINT64_MAX);
    new_table(1, 32, 8);
    assert_true(table.all == 0xffffffffu);
    new_table(1, 4, 8);
    assert_true(table.all == 0xf);
}

static void a_restarted_thread_has_left_its_old_level(void **state) {
    (void)state;
    struct warp_descriptors *w = new_table(1, 32, 8);
    unsigned position;
    tdt_start(&table, 0, 0, 0x8000, 0, 0);
    assert_true(tdt_priority(&table, 0, 1, PRIORITY_RAISE, 0, &position));
    assert_true(tdt_priority(&table, 0, 1, PRIORITY_RAISE, 0, &position));
    tdt_schedule(w, 1);
    tdt_exit(w, 1);
    tdt_start(&table, 0, 0, 0x8000, 0, 0);
    assert_int_equal(w->priority[0], 0xffffffff);
    assert_int_equal(w->priority[2], 0);
    assert_int_equal(w->level[0], 0);
}

/* --- threads that are together --- */

static void threads_together_have_one_pc_until_it_is_settled(void **state) {
    (void)state;
    struct warp_descriptors *w = new_table(1, 32, 8);
    start_all(0, 32, 0x8000);
    w->pc[5] = 0x8010;
    tdt_gather(&table, 0, 0xff & ~(1u << 5), 0x8004);
    assert_int_equal(w->pc[0], 0x8000); /* the row is unchanged */
    assert_int_equal(tdt_pc(w, 0), 0x8004);
    assert_int_equal(tdt_pc(w, 5), 0x8010);
    assert_int_equal(tdt_pc(w, 8), 0x8000);
    assert_int_equal(w->apart, 0x8010); /* the first of the PCs from 0x8004 on */
    w->together_pc += 8;
    tdt_gather(&table, 0, 1u << 8, 0x8000); /* other threads: the earlier ones have their words */
    assert_int_equal(w->pc[0], 0x800c);
    assert_int_equal(w->apart, 0x8000); /* threads 9 to 31, too */
    tdt_settle(&table, 0);
    assert_int_equal(w->together, 0);
    for (unsigned k = 0; k < 32; ++k)
        assert_int_equal(tdt_pc(w, k), k == 5 ? 0x8010 : k < 8 ? 0x800c : 0x8000);
}

/* Against a row that always has all. */
static void random_threads_together_have_the_pcs_of_a_row(void **state) {
    (void)state;
    struct seed s = seed_start();
    for (int n = 0; n < 2000; ++n) {
        static const unsigned sizes[] = {4, 8, 16, 32, 64};
        const unsigned size = sizes[seed_below(&s, 5)];
        uint32_t pc[TDT_MAX_WARP_SIZE] = {0};
        struct warp_descriptors *w = new_table(1, size, 8);
        for (unsigned k = 0; k < size; ++k)
            tdt_start(&table, 0, k, pc[k] = 0x8000 + 4 * seed_below(&s, 4), 0, 0);
        for (int step = 0; step < 20; ++step) {
            const uint32_t at = pc[seed_below(&s, size)];
            uint64_t threads = 0;
            uint32_t apart = UINT32_MAX;
            for (unsigned k = 0; k < size; ++k) threads |= (uint64_t)(pc[k] == at && seed_below(&s, 4)) << k;
            if (!threads) continue;
            for (unsigned k = 0; k < size; ++k)
                if (!(threads >> k & 1) && pc[k] >= at && pc[k] < apart) apart = pc[k];
            tdt_gather(&table, 0, threads, at);
            assert_int_equal(w->apart, apart);
            w->together_pc = at + 4 * seed_below(&s, 3);
            for (unsigned k = 0; k < size; ++k)
                if (threads >> k & 1) pc[k] = w->together_pc;
            if (seed_below(&s, 4) == 0) tdt_settle(&table, 0);
            for (unsigned k = 0; k < size; ++k) assert_int_equal(tdt_pc(w, k), pc[k]);
        }
    }
}

static void who_leads_is_asked_again_after_a_change(void **state) {
    (void)state;
    struct warp_descriptors *w = new_table(1, 32, 8);
    unsigned position;
    start_all(0, 32, 0x8000);
    tdt_gather(&table, 0, 0xf, 0x8000);
    w->leads = true;
    tdt_gather(&table, 0, 0xf, 0x8020); /* the same threads */
    assert_true(w->leads);
    tdt_schedule(w, 0xf);
    tdt_commit(w, 0xf);
    assert_true(w->leads);
    tdt_priority(&table, 0, 1u << 20, PRIORITY_RAISE, 0, &position);
    assert_false(w->leads);
    w->leads = true;
    tdt_schedule(w, 0x3);
    tdt_wait(w, 0x1);
    assert_false(w->leads);
    w->leads = true;
    tdt_exit(w, 0x2);
    assert_false(w->leads);
    w->leads = true;
    tdt_release(w, 0x1);
    assert_false(w->leads);
    w->leads = true;
    tdt_gather(&table, 0, 0x3, 0x8000);
    assert_false(w->leads);
}

/* --- transitions --- */

enum thread_state { IDLE, READY, EXECUTION, BARRIER, STATES };

static enum thread_state state_of(const struct warp_descriptors *w, unsigned k) {
    const uint64_t bit = 1ull << k;
    const int in = !!(w->ready & bit) + !!(w->execution & bit) + !!(w->barrier & bit);
    assert_true(in <= 1); /* one-hot */
    return w->ready & bit ? READY : w->execution & bit ? EXECUTION : w->barrier & bit ? BARRIER : IDLE;
}

enum transition { START, SCHEDULE, COMMIT, WAIT, RELEASE, EXIT, TRANSITIONS };
static const struct {
    enum thread_state from, to;
} legal[TRANSITIONS] = {
    [START] = {IDLE, READY},       [SCHEDULE] = {READY, EXECUTION}, [COMMIT] = {EXECUTION, READY},
    [WAIT] = {EXECUTION, BARRIER}, [RELEASE] = {BARRIER, READY},    [EXIT] = {EXECUTION, IDLE},
};

static void make(enum transition what, uint64_t threads) {
    struct warp_descriptors *w = &table.warp[0];
    switch (what) {
    case START:
        for (uint64_t rest = threads; rest; rest &= rest - 1)
            tdt_start(&table, 0, (unsigned)__builtin_ctzll(rest), 0x8000, 0, 0);
        break;
    case SCHEDULE: tdt_schedule(w, threads); break;
    case COMMIT: tdt_commit(w, threads); break;
    case WAIT: tdt_wait(w, threads); break;
    case RELEASE: tdt_release(w, threads); break;
    default: tdt_exit(w, threads); break;
    }
}

static void bring_to(enum thread_state to, uint64_t threads) {
    if (to == IDLE) return;
    make(START, threads);
    if (to == READY) return;
    make(SCHEDULE, threads);
    if (to == BARRIER) make(WAIT, threads);
}

struct attempt {
    enum transition what;
    uint64_t threads;
};
static void try_it(void *context) {
    const struct attempt *a = context;
    make(a->what, a->threads);
}

static void every_transition_is_made_or_refused(void **state) {
    (void)state;
    for (enum transition what = 0; what < TRANSITIONS; ++what)
        for (enum thread_state from = 0; from < STATES; ++from) {
            struct warp_descriptors *w = new_table(1, 32, 8);
            bring_to(from, 1u << 9);
            if (from == legal[what].from) {
                make(what, 1u << 9);
                assert_int_equal(state_of(w, 9), legal[what].to);
            } else {
                assert_true(panics(try_it, &(struct attempt){what, 1u << 9}));
            }
        }
}

static void one_thread_in_the_wrong_state_refuses_all(void **state) {
    (void)state;
    for (enum transition what = SCHEDULE; what < TRANSITIONS; ++what) {
        new_table(1, 32, 8);
        bring_to(legal[what].from, 0xff00);
        assert_false(panics(try_it, &(struct attempt){what, 0xff00}));
        assert_true(panics(try_it, &(struct attempt){what, 0x1ff00}));
    }
}

/* Random legal transitions of random sets of threads, against a state a thread. */
static void states_agree_with_a_naive_table(void **state) {
    (void)state;
    struct seed s = seed_start();
    struct warp_descriptors *w = new_table(1, 64, 8);
    enum thread_state naive[64] = {IDLE};
    for (int step = 0; step < 20000; ++step) {
        const enum transition what = seed_below(&s, TRANSITIONS);
        uint64_t threads = 0;
        for (unsigned k = 0; k < 64; ++k)
            if (naive[k] == legal[what].from && seed_below(&s, 2)) {
                threads |= 1ull << k;
                naive[k] = legal[what].to;
            }
        make(what, threads);
        for (unsigned k = 0; k < 64; ++k) assert_int_equal(state_of(w, k), naive[k]);
    }
}

struct sizes {
    unsigned warps, warp_size, levels;
};
static void init_with(void *context) {
    const struct sizes *z = context;
    thread_descriptor_table_init(&table, z->warps, z->warp_size, z->levels);
}

static void sizes_that_cannot_be_are_refused(void **state) {
    (void)state;
    assert_false(panics(init_with, &(struct sizes){64, 64, 16}));
    assert_false(panics(init_with, &(struct sizes){1, 1, 1}));
    assert_true(panics(init_with, &(struct sizes){129, 32, 8}));
    assert_true(panics(init_with, &(struct sizes){0, 32, 8}));
    assert_true(panics(init_with, &(struct sizes){1, 65, 8}));
    assert_true(panics(init_with, &(struct sizes){1, 32, 17}));
    assert_true(panics(init_with, &(struct sizes){1, 32, 0}));
}

/* --- priorities --- */

static void raise_and_lower_move_the_one_hot_level(void **state) {
    (void)state;
    struct warp_descriptors *w = new_table(1, 32, 8);
    unsigned position;
    start_all(0, 32, 0x8000);
    assert_true(tdt_priority(&table, 0, 0xf0, PRIORITY_RAISE, 0, &position));
    assert_int_equal(w->priority[0], 0xffffff0f);
    assert_int_equal(w->priority[1], 0xf0);
    assert_true(tdt_priority(&table, 0, 0x30, PRIORITY_RAISE, 0, &position));
    assert_true(tdt_priority(&table, 0, 0x30, PRIORITY_RAISE, 0, &position));
    assert_int_equal(w->priority[1], 0xc0);
    assert_int_equal(w->priority[3], 0x30);
    assert_int_equal(tdt_highest_level(&table, 0, 0xffffffff), 3);
    assert_int_equal(tdt_highest_level(&table, 0, 0xc1), 1);
    assert_int_equal(tdt_highest_level(&table, 0, 1), 0);
    assert_int_equal(tdt_highest_level(&table, 0, 0), 0);
    assert_true(tdt_priority(&table, 0, 0x10, PRIORITY_LOWER, 3, &position));
    assert_int_equal(w->priority[0], 0xffffff1f);
    assert_true(tdt_priority(&table, 0, 0xff, PRIORITY_OUTERMOST, 0, &position));
    assert_int_equal(w->priority[0], 0xffffffff);
    assert_int_equal(w->priority[1] | w->priority[3], 0);
}

/* Levels beyond the last are counted, so that a matching number of lowers returns to where it was. */
static void levels_beyond_the_last_share_its_bit(void **state) {
    (void)state;
    struct warp_descriptors *w = new_table(1, 32, 4);
    unsigned position;
    start_all(0, 1, 0x8000);
    for (int n = 0; n < 9; ++n) assert_true(tdt_priority(&table, 0, 1, PRIORITY_RAISE, 0, &position));
    assert_int_equal(w->level[0], 9);
    assert_int_equal(w->priority[3], 1);
    assert_true(tdt_priority(&table, 0, 1, PRIORITY_LOWER, 6, &position));
    assert_int_equal(w->priority[3], 1);
    assert_true(tdt_priority(&table, 0, 1, PRIORITY_LOWER, 1, &position));
    assert_int_equal(w->priority[3], 0);
    assert_int_equal(w->priority[2], 1);
}

static void a_level_outside_its_eight_bits_is_refused(void **state) {
    (void)state;
    struct warp_descriptors *w = new_table(1, 32, 8);
    unsigned position = 99;
    start_all(0, 32, 0x8000);
    for (int n = 0; n < 255; ++n) assert_true(tdt_priority(&table, 0, 1u << 6, PRIORITY_RAISE, 0, &position));
    assert_int_equal(w->level[6], 255);
    assert_false(tdt_priority(&table, 0, 1u << 6, PRIORITY_RAISE, 0, &position));
    assert_int_equal(position, 6);
    assert_int_equal(w->level[6], 255);
    assert_int_equal(w->priority[7], 1u << 6);
    assert_true(tdt_priority(&table, 0, 0xf, PRIORITY_RAISE, 0, &position));
    assert_true(tdt_priority(&table, 0, 0x5, PRIORITY_RAISE, 0, &position)); /* levels 2 1 2 1 0 … */
    assert_false(tdt_priority(&table, 0, 0xf, PRIORITY_LOWER, 2, &position));
    assert_int_equal(position, 1);
    assert_int_equal(w->level[1], 1);
    assert_int_equal(w->priority[1], 0xa);
}

static void priorities_agree_with_a_naive_table(void **state) {
    (void)state;
    struct seed s = seed_start();
    for (unsigned levels = 1; levels <= 16; ++levels) {
        struct warp_descriptors *w = new_table(1, 64, levels);
        unsigned naive[64] = {0};
        start_all(0, 64, 0x8000);
        for (int step = 0; step < 400; ++step) {
            const enum priority_operation op = seed_below(&s, 10) ? seed_below(&s, 2) : PRIORITY_OUTERMOST;
            const unsigned by = 1 + seed_below(&s, 3);
            uint64_t threads = seed_next(&s);
            for (unsigned k = 0; k < 64; ++k) {
                if (!(threads >> k & 1)) continue;
                if ((op == PRIORITY_LOWER && naive[k] < by) || (op == PRIORITY_RAISE && naive[k] == 255))
                    threads &= ~(1ull << k);
                else
                    naive[k] = op == PRIORITY_RAISE ? naive[k] + 1 : op == PRIORITY_LOWER ? naive[k] - by : 0;
            }
            unsigned position;
            assert_true(tdt_priority(&table, 0, threads, op, by, &position));
            for (unsigned k = 0; k < 64; ++k)
                for (unsigned level = 0; level < levels; ++level) {
                    const unsigned at = naive[k] < levels - 1 ? naive[k] : levels - 1;
                    assert_int_equal(w->priority[level] >> k & 1, level == at);
                }
        }
    }
}

/* --- by the ports --- */

static void cycle_of(void) {
    thread_descriptor_table_eval(&table);
    assert_false(table.out.illegal);
    thread_descriptor_table_clock(&table);
}

static void start_in_lane(unsigned lane, unsigned context, uint32_t pc) {
    table.in.start |= 1u << lane;
    table.start_context[lane] = context;
    table.start_pc[lane] = pc;
}

/* Threads 0 to 3 of warp 1, of two warps of four in two lanes, Ready at 0x8000; its row is read. */
static void start_four(bool cyclic) {
    new_table(2, 4, 8);
    thread_descriptor_table_lanes(&table, 2, cyclic);
    for (unsigned context = 2; context < 4; ++context) {
        start_in_lane(0, context, 0x8000);
        start_in_lane(1, context, 0x8000);
        cycle_of();
    }
    table.in.select = true;
    table.in.select_warp = 1;
    cycle_of();
}

static void schedule(uint64_t threads, uint32_t pc) {
    table.in.schedule = true;
    table.in.schedule_threads = threads;
    table.in.schedule_pc = pc;
}

static void run_operation(enum thread_operation operation, unsigned by, uint64_t passed) {
    static const uint32_t targets[4] = {0x100, 0x200, 0x300, 0x400};
    schedule(table.out.ready, table.out.pc[__builtin_ctzll(table.out.ready)]);
    cycle_of();
    table.in.execute = true;
    table.in.execute_warp = 1;
    table.in.execute_passed = passed;
    table.in.execute_target = targets;
    table.in.execute_operation = operation;
    table.in.execute_by = by;
    cycle_of();
    table.in.commit = 2;
    thread_descriptor_table_eval(&table);
}

/* Lane 1 starts context 3, round 1 of warp 1: thread 3 by blocks; lane 0's is thread 1, or cyclically 2. */
static void a_context_is_a_thread_by_its_lane(void **state) {
    (void)state;
    for (unsigned cyclic = 0; cyclic < 2; ++cyclic) {
        new_table(2, 4, 8);
        thread_descriptor_table_lanes(&table, 2, cyclic);
        start_in_lane(0, 3, 0x8000);
        start_in_lane(1, 3, 0x9000);
        assert_int_equal(table.out.live, 0);
        cycle_of();
        assert_int_equal(table.out.live, 2);
        assert_int_equal(table.warp[1].ready, cyclic ? 0xc : 0xa);
        assert_int_equal(table.warp[1].pc[3], 0x9000);
        assert_int_equal(table.warp[1].pc[cyclic ? 2 : 1], 0x8000);
        assert_int_equal(table.warp[0].ready, 0);
        assert_int_equal(table.out.runnable, 2);
    }
}

/* Selected in one cycle, read in the next; scheduled in one, not runnable in the next. */
static void a_row_is_read_in_the_cycle_after_it_is_selected(void **state) {
    (void)state;
    start_four(false);
    assert_int_equal(table.q.read, 1);
    assert_int_equal(table.out.ready, 0xf);
    assert_int_equal(table.out.priority[0], 0xf);
    assert_int_equal(table.out.pc[2], 0x8000);
    schedule(5, 0x8000);
    table.in.select = true;
    table.in.select_warp = 0;
    thread_descriptor_table_eval(&table);
    assert_int_equal(table.out.runnable, 2);
    assert_int_equal(table.out.ready, 0xf);
    assert_int_equal(table.written, 2);
    thread_descriptor_table_clock(&table);
    assert_int_equal(table.out.runnable, 0);
    assert_int_equal(table.out.ready, 0); /* threads of warp 0 */
    assert_int_equal(table.warp[1].execution, 5);
}

/* Threads 0 to 2: 0 and 2 pass and jump, 1 falls through; 3 was not scheduled. */
static void pcs_change_at_the_commit(void **state) {
    (void)state;
    static const uint32_t targets[4] = {0x100, 0x200, 0x300, 0x400};
    start_four(false);
    schedule(7, 0x8000);
    cycle_of();
    table.in.execute = true;
    table.in.execute_warp = 1;
    table.in.execute_passed = 5;
    table.in.execute_jumps = true;
    table.in.execute_target = targets;
    cycle_of();
    assert_int_equal(table.q.executed, 2);
    assert_int_equal(table.out.pc[0], 0x8000);
    table.in.commit = 2;
    cycle_of();
    assert_int_equal(table.q.executed, 0);
    assert_int_equal(table.out.pc[0], 0x100);
    assert_int_equal(table.out.pc[1], 0x8004);
    assert_int_equal(table.out.pc[2], 0x300);
    assert_int_equal(table.out.pc[3], 0x8000);
    assert_int_equal(table.out.ready, 0xf);
}

/* One round, one cycle of latency: executed and committed in one cycle. */
static void an_instruction_may_commit_in_the_cycle_in_which_it_is_executed(void **state) {
    (void)state;
    start_four(false);
    schedule(0xf, 0x8000);
    cycle_of();
    table.in.execute = true;
    table.in.execute_warp = 1;
    table.in.execute_passed = 0xc;
    table.in.execute_operation = THREAD_EXIT;
    table.in.commit = 2;
    thread_descriptor_table_eval(&table);
    assert_false(table.out.illegal);
    assert_int_equal(table.out.exit_count, 2);
    assert_int_equal(table.out.live, 4);
    thread_descriptor_table_clock(&table);
    assert_int_equal(table.out.live, 2);
    assert_int_equal(table.out.ready, 3);
    assert_int_equal(table.out.pc[0], 0x8004);
    assert_int_equal(table.q.executed, 0);
}

static void threads_arrive_at_a_barrier_with_the_commit_and_are_released(void **state) {
    (void)state;
    start_four(false);
    run_operation(THREAD_BARRIER, 0, 6);
    assert_int_equal(table.out.arrive_count, 2);
    assert_int_equal(table.out.arrive_pc, 0x8000);
    assert_int_equal(table.out.exit_count, 0);
    thread_descriptor_table_clock(&table);
    assert_int_equal(table.out.arrive_count, 0);
    assert_int_equal(table.warp[1].barrier, 6);
    assert_int_equal(table.out.ready, 9);
    assert_int_equal(table.out.live, 4);
    table.in.release = true;
    cycle_of();
    assert_int_equal(table.warp[1].barrier, 0);
    assert_int_equal(table.out.ready, 0xf);
}

static void levels_change_with_the_commit(void **state) {
    (void)state;
    start_four(false);
    run_operation(THREAD_RAISE, 0, 3);
    assert_int_equal(table.out.priority[1], 0);
    thread_descriptor_table_clock(&table);
    assert_int_equal(table.out.priority[0], 0xc);
    assert_int_equal(table.out.priority[1], 3);
    run_operation(THREAD_LOWER, 1, 6); /* thread 2 is at the outermost level */
    assert_true(table.out.overflow);
    thread_descriptor_table_clock(&table);
    assert_int_equal(table.out.priority[0], 0xe);
    assert_int_equal(table.out.priority[1], 1);
    run_operation(THREAD_EXIT, 0, 1);
    assert_false(table.out.overflow);
    thread_descriptor_table_clock(&table);
    assert_int_equal(table.out.priority[0], 0xf); /* an Idle thread is at the outermost level */
    assert_int_equal(table.out.live, 3);
}

static void clock_it(void *context) {
    thread_descriptor_table_clock(context);
}

static void expect_illegal(void) {
    thread_descriptor_table_eval(&table);
    assert_true(table.out.illegal);
    assert_true(panics(clock_it, &table));
}

static void what_is_not_legal_is_told(void **state) {
    (void)state;
    start_four(false);
    start_in_lane(0, 2, 0x8000); /* start of a live thread */
    expect_illegal();
    start_four(false);
    schedule(0, 0x8000); /* nobody */
    expect_illegal();
    start_four(false);
    table.in.commit = 2; /* nothing in flight */
    expect_illegal();
    start_four(false);
    table.in.commit = 1; /* commit of an idle warp */
    expect_illegal();
    start_four(false);
    table.in.execute = true; /* threads that are Ready */
    table.in.execute_warp = 1;
    expect_illegal();
    start_four(false);
    schedule(1, 0x8000);
    cycle_of();
    schedule(2, 0x8000); /* a second instruction of a warp */
    expect_illegal();
    start_four(false);
    schedule(1, 0x8000);
    cycle_of();
    table.in.execute = true;
    table.in.execute_warp = 1;
    table.in.execute_passed = 2; /* not one of its threads */
    expect_illegal();
    start_four(false);
    schedule(1, 0x8000);
    cycle_of();
    start_in_lane(0, 0, 0x8000); /* legal: a lane of the other warp */
    thread_descriptor_table_eval(&table);
    assert_false(table.out.illegal);
}

/* Inputs from the cluster stay at the ports, for a twin; changed rows are recorded. */
static void what_is_told_stands_at_the_ports(void **state) {
    (void)state;
    static const uint32_t targets[TDT_MAX_WARP_SIZE] = {0x100};
    new_table(4, 4, 8);
    assert_int_equal(table.lanes, 1);
    tdt_start(&table, 2, 0, 0x8000, 0, 0);
    tdt_schedule(&table.warp[2], 1);
    tdt_execute(&table, 2, 1, targets, true, THREAD_LOWER, 3);
    assert_true(table.in.execute && table.in.execute_jumps);
    assert_int_equal(table.in.execute_warp, 2);
    assert_int_equal(table.in.execute_passed, 1);
    assert_ptr_equal(table.in.execute_target, targets);
    assert_int_equal(table.in.execute_operation, THREAD_LOWER);
    assert_int_equal(table.in.execute_by, 3);
    thread_descriptor_table_note(&table);
    assert_int_equal(table.written, 1u << 2);
    table.in.commit = 1u << 3;
    start_in_lane(0, 1, 0x8000); /* a lane of warp 0 */
    thread_descriptor_table_note(&table);
    assert_int_equal(table.written, 0xd);
    assert_int_equal(table.d.executed, 1u << 2);
}

static void two_operations_do_not_commit_in_one_cycle(void **state) {
    (void)state;
    new_table(2, 4, 8);
    for (unsigned n = 0; n < 2; ++n) {
        tdt_start(&table, n, 0, 0x8000, 0, 0);
        tdt_schedule(&table.warp[n], 1);
        tdt_execute(&table, n, 1, table.warp[n].next_pc, false, THREAD_RAISE, 0);
    }
    thread_descriptor_table_edge(&table);
    table.q.executed = 3;
    table.in.commit = 3;
    expect_illegal();
    table.warp[1].operation = THREAD_NONE;
    thread_descriptor_table_eval(&table);
    assert_false(table.out.illegal);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_started_thread_is_ready_with_its_first_values),
        cmocka_unit_test(the_mask_of_a_warp_has_a_bit_a_thread),
        cmocka_unit_test(a_restarted_thread_has_left_its_old_level),
        cmocka_unit_test(threads_together_have_one_pc_until_it_is_settled),
        cmocka_unit_test(random_threads_together_have_the_pcs_of_a_row),
        cmocka_unit_test(who_leads_is_asked_again_after_a_change),
        cmocka_unit_test(every_transition_is_made_or_refused),
        cmocka_unit_test(one_thread_in_the_wrong_state_refuses_all),
        cmocka_unit_test(sizes_that_cannot_be_are_refused),
        cmocka_unit_test(states_agree_with_a_naive_table),
        cmocka_unit_test(raise_and_lower_move_the_one_hot_level),
        cmocka_unit_test(levels_beyond_the_last_share_its_bit),
        cmocka_unit_test(a_level_outside_its_eight_bits_is_refused),
        cmocka_unit_test(priorities_agree_with_a_naive_table),
        cmocka_unit_test(a_context_is_a_thread_by_its_lane),
        cmocka_unit_test(a_row_is_read_in_the_cycle_after_it_is_selected),
        cmocka_unit_test(pcs_change_at_the_commit),
        cmocka_unit_test(an_instruction_may_commit_in_the_cycle_in_which_it_is_executed),
        cmocka_unit_test(threads_arrive_at_a_barrier_with_the_commit_and_are_released),
        cmocka_unit_test(levels_change_with_the_commit),
        cmocka_unit_test(what_is_not_legal_is_told),
        cmocka_unit_test(what_is_told_stands_at_the_ports),
        cmocka_unit_test(two_operations_do_not_commit_in_one_cycle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
