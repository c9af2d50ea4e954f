/* thread_descriptor_table: every legal transition of a thread's state, every illegal one refused, priorities.
 */
#include "model/thread_descriptor_table.h"
#include "tests/panic.h"
#include "tests/seed.h"

#include <string.h>

static struct thread_descriptor_table table;

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
    memset(w->n, 0xff, sizeof w->n); /* what an earlier work-group left */
    memset(w->c, 0xff, sizeof w->c);
    memset(w->v, 0xff, sizeof w->v);
    memset(w->q, 0xff, sizeof w->q);
    memset(w->ge, 0xff, sizeof w->ge);
    memset(w->fpscr, 0xff, sizeof w->fpscr);
    tdt_start(&table, 3, 5, 0x8000, 1023u << 20 | 512u << 10 | 7u, 0x50004000);
    assert_int_equal(w->ready, 1u << 5);
    assert_int_equal(w->execution | w->barrier, 0);
    assert_int_equal(tdt_live(w), 1u << 5);
    assert_int_equal(w->pc[5], 0x8000);
    assert_int_equal(w->local_id[0][5], 7);
    assert_int_equal(w->local_id[1][5], 512);
    assert_int_equal(w->local_id[2][5], 1023);
    assert_int_equal(w->stack_top[5], 0x50004000);
    assert_int_equal(w->priority[0], 1u << 5);
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
    assert_int_equal(w->priority[0], 1);
    assert_int_equal(w->priority[2], 0);
    assert_int_equal(w->level[0], 0);
}

static void one_pc_holds_only_while_all_start_at_the_same(void **state) {
    (void)state;
    struct warp_descriptors *w = new_table(1, 32, 8);
    tdt_start(&table, 0, 4, 0x8000, 0, 0);
    assert_true(w->one_pc);
    tdt_start(&table, 0, 2, 0x8000, 0, 0);
    assert_true(w->one_pc);
    tdt_start(&table, 0, 3, 0x8004, 0, 0);
    assert_false(w->one_pc);
    tdt_start(&table, 0, 1, 0x8000, 0, 0);
    assert_false(w->one_pc);
}

/* --- transitions -----------------------------------------------------------------------------------------
 */

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
    assert_true(panics(init_with, &(struct sizes){65, 32, 8}));
    assert_true(panics(init_with, &(struct sizes){0, 32, 8}));
    assert_true(panics(init_with, &(struct sizes){1, 65, 8}));
    assert_true(panics(init_with, &(struct sizes){1, 32, 17}));
    assert_true(panics(init_with, &(struct sizes){1, 32, 0}));
}

/* --- priorities ------------------------------------------------------------------------------------------
 */

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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_started_thread_is_ready_with_its_first_values),
        cmocka_unit_test(the_mask_of_a_warp_has_a_bit_a_thread),
        cmocka_unit_test(a_restarted_thread_has_left_its_old_level),
        cmocka_unit_test(one_pc_holds_only_while_all_start_at_the_same),
        cmocka_unit_test(every_transition_is_made_or_refused),
        cmocka_unit_test(one_thread_in_the_wrong_state_refuses_all),
        cmocka_unit_test(sizes_that_cannot_be_are_refused),
        cmocka_unit_test(states_agree_with_a_naive_table),
        cmocka_unit_test(raise_and_lower_move_the_one_hot_level),
        cmocka_unit_test(levels_beyond_the_last_share_its_bit),
        cmocka_unit_test(a_level_outside_its_eight_bits_is_refused),
        cmocka_unit_test(priorities_agree_with_a_naive_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
