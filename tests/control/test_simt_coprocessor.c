/* simt_coprocessor: timing.md's examples by its ports, cycles counted by hand. */
#include "model/control/simt_coprocessor.h"
#include "tests/panic.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define THUNK 0x8000
#define NEVER UINT64_MAX

static struct simt_coprocessor whole;
static struct warp_scheduler scheduler;
static struct warp_pc_arbiter arbiter;
static struct tdt_room room;
static struct thread_descriptor_table descriptors = {.warp = room.warp, .rows = room.row[0]};
static struct barrier_table barriers;
static struct subwarp_dispatcher dispatcher;

/* The rest of the machine: everything hits, every instruction has two sources and one read port. */
static uint64_t now, collected, commits[16];
static unsigned operation;
static bool fetched;

/* Base machine: 16 warps of 32 threads on 4 lanes, N_it 8; whole warps 0 … warps − 1 are started, outside
 * SIMT mode. */
static void start(unsigned warps) {
    const struct simt_coprocessor_blocks blocks = {&scheduler, &arbiter, &descriptors, &barriers,
                                                   &dispatcher};
    warp_scheduler_init(&scheduler, &scheduler_policy_round_robin, 16, 1);
    warp_pc_arbiter_init(&arbiter, PC_ICS_FIRST, 32, 8);
    thread_descriptor_table_init(&descriptors, 16, 32, 8);
    thread_descriptor_table_lanes(&descriptors, 4, false);
    barrier_table_init(&barriers, 1, false);
    subwarp_dispatcher_init(&dispatcher, 16, 32, 4);
    simt_coprocessor_init(&whole, &(struct simt_coprocessor_config){2, 2}, &blocks);
    for (unsigned j = 0; j < 8 * warps; ++j) {
        const uint32_t context[4] = {j, j, j, j}, pc[4] = {THUNK, THUNK, THUNK, THUNK};
        whole.in = (struct simt_coprocessor_in){.start = 15,
                                                .start_context = context,
                                                .start_pc = pc,
                                                .execute_target = descriptors.warp[0].next_pc};
        simt_coprocessor_eval(&whole);
        assert_false(whole.out.select || whole.out.fetch || whole.out.first || whole.out.done);
        simt_coprocessor_clock(&whole);
    }
    now = 0;
    collected = NEVER;
    fetched = true;
    operation = THREAD_NONE;
    for (unsigned w = 0; w < 16; ++w) commits[w] = NEVER;
}

/* Cycle `now` in SIMT mode, with all its outputs; X 1 cycle a round, W one after the last. */
static void eval(void) {
    whole.in = (struct simt_coprocessor_in){.simt = true,
                                            .start_context = descriptors.start_context,
                                            .start_pc = descriptors.start_pc,
                                            .execute_target = descriptors.warp[0].next_pc,
                                            .fetched = fetched,
                                            .rounds = 8,
                                            .beats = 1,
                                            .occupancy = 1,
                                            .execute_passed = 0xffffffff,
                                            .execute_operation = operation};
    whole.in.collect = whole.q.queue_count && !whole.q.o_valid && whole.q.waiting_count < 2;
    if (whole.in.collect) collected = now + 1;
    whole.in.collected = now == collected;
    for (unsigned w = 0; w < 16; ++w) whole.in.commit |= (uint64_t)(commits[w] == now) << w;
    simt_coprocessor_eval(&whole);
    if (whole.out.last) commits[whole.out.warp] = now + 1;
}

static void clock(void) {
    simt_coprocessor_clock(&whole);
    ++now;
}

/* Example 1: S 0 · A 1 · F 2 · D 3 · O 4–5 · X 6–13 · W 14 · C end of 14 · S again in 15. */
static void one_warp_has_an_instruction_every_15_cycles(void **state) {
    (void)state;
    start(1);
    for (unsigned n = 0; n < 3; ++n) {
        for (uint64_t at = 0; at < 15; ++at, clock()) {
            eval();
            assert_int_equal(whole.out.select, at == 0);
            assert_int_equal(whole.out.fetch, at == 1);
            assert_int_equal(whole.out.fetch_pc, at == 1 ? THUNK + 4 * n : 0);
            assert_int_equal(whole.out.fetch_threads, at == 1 ? 0xffffffff : 0);
            assert_int_equal(whole.q.f_valid, at == 2);
            assert_int_equal(whole.out.decode, at == 3);
            assert_int_equal(whole.in.collect, at == 4);
            assert_int_equal(whole.in.collected, at == 5);
            assert_int_equal(whole.out.first, at == 6);
            assert_int_equal(whole.out.valid, at >= 6 && at <= 13);
            assert_int_equal(whole.in.commit, at == 14);
            assert_int_equal(whole.out.runnable, at <= 1);
            assert_int_equal(whole.out.live, 32);
        }
    }
}

/* Example 2: rounds follow each other without a gap, one instruction every 8 cycles. The first is dispatched
 * in cycle 6; the second waits for it. */
static void two_warps_have_one_every_8_cycles(void **state) {
    (void)state;
    start(2);
    for (unsigned n = 0; n < 10; ++n) {
        for (; eval(), !whole.out.first; clock()) assert_true(now < 6 || whole.out.valid);
        assert_int_equal(now, 6 + 8 * n);
        assert_int_equal(whole.out.warp, n % 2);
        assert_int_equal(whole.out.context, n % 2 * 8);
        clock();
    }
}

/* All 16: up to cycle 13 warp 0 is in the lanes, and 1 and 2 have been collected (O 6–7 and 8–9) and have
 * both buffers. Warps 3 and 4 fill the queue. So 5 waits in F and 6 in A: seven have been selected. */
static void a_full_queue_holds_the_front_end(void **state) {
    (void)state;
    unsigned selected = 0;
    start(16);
    for (; now < 14; clock()) {
        eval();
        selected += whole.out.select;
    }
    assert_int_equal(whole.q.waiting_count, 2);
    assert_int_equal(whole.q.queue_count, 2);
    assert_true(whole.q.f_valid && !whole.q.d_valid && whole.q.a_valid);
    assert_int_equal(whole.q.f_warp, 5);
    assert_int_equal(whole.q.a_warp, 6);
    assert_int_equal(selected, 7);
}

/* An L1I miss of the first instruction blocks all others. */
static void a_miss_holds_f_and_a_and_s(void **state) {
    (void)state;
    start(3);
    fetched = false;
    for (; now < 20; clock()) {
        eval();
        assert_int_equal(whole.out.select, now < 2); /* warp 0, then warp 1 into A behind it */
        assert_false(whole.out.decode);
    }
    fetched = true;
    eval();
    assert_true(whole.out.fetch && whole.out.select);
    assert_int_equal(whole.out.fetch_warp, 1);
    assert_int_equal(whole.out.select_warp, 2);
    clock();
    eval();
    assert_true(whole.out.decode);
    assert_int_equal(whole.out.decode_warp, 0);
}

/* Warp 0 waits from its commit at the end of 14 on, warp 1 arrives at the end of 22: the barrier opens in
 * that cycle, releases at the end of 23, and warp 0 is selected in 24. */
static void a_barrier_opens_when_the_last_warp_commits(void **state) {
    (void)state;
    start(2);
    operation = THREAD_BARRIER;
    for (; now < 30; clock()) {
        eval();
        assert_int_equal(whole.out.arrive_count, now == 14 || now == 22 ? 32 : 0);
        assert_int_equal(whole.out.opens, now == 22);
        assert_int_equal(whole.out.release, now == 23);
        assert_int_equal(whole.out.select, now <= 1 || now == 24 || now == 25);
        assert_false(whole.out.deadlock || whole.out.exited || whole.out.done);
    }
}

/* Warp 1's exit is the last: done in its commit's cycle. */
static void the_last_exit_ends_it(void **state) {
    (void)state;
    start(2);
    operation = THREAD_EXIT;
    for (; now < 30; clock()) {
        eval();
        assert_int_equal(whole.out.exit_count, now == 14 || now == 22 ? 32 : 0);
        assert_int_equal(whole.out.live, now <= 14 ? 64 : now <= 22 ? 32 : 0);
        assert_int_equal(whole.out.done, now >= 22);
        assert_int_equal(whole.out.select, now <= 1);
        assert_false(whole.out.opens);
    }
}

static void eval_again(void *context) {
    (void)context;
    simt_coprocessor_eval(&whole);
}

/* Impossible inputs panic. */
static void impossible_inputs_panic(void **state) {
    (void)state;
    start(1);
    eval();
    assert_false(panics(eval_again, NULL));
    whole.in.collect = true; /* from an empty queue */
    assert_true(panics(eval_again, NULL));
    whole.in.collect = false;
    whole.in.collected = true; /* nothing is in O */
    assert_true(panics(eval_again, NULL));
    whole.in.collected = false;
    whole.in.commit = 1; /* nothing was executed */
    assert_true(panics(eval_again, NULL));
}

/* Between two edges the last inputs count. */
static void it_may_be_evaluated_again(void **state) {
    (void)state;
    start(3);
    for (; now < 2; clock()) eval();
    eval();
    assert_true(whole.out.fetch && whole.d.d_valid);
    whole.in.fetched = false;
    simt_coprocessor_eval(&whole);
    assert_false(whole.out.fetch || whole.d.d_valid);
    assert_true(whole.d.f_valid && whole.d.a_valid);
    assert_int_equal(whole.d.f_warp, 0);
    assert_int_equal(whole.d.a_warp, 1);
}

static void a_reset_empties_the_queues(void **state) {
    (void)state;
    start(16);
    for (; now < 14; clock()) eval();
    assert_int_equal(whole.now.queue[1], 4);
    assert_int_equal(whole.now.waiting[1], 2);
    simt_coprocessor_reset(&whole);
    for (unsigned n = 0; n < MACHINE_MAX_QUEUE; ++n)
        assert_int_equal(whole.now.queue[n] | whole.next.queue[n], 0);
    for (unsigned n = 0; n < MACHINE_MAX_COLLECTORS; ++n) assert_int_equal(whole.now.waiting[n], 0);
    assert_false(whole.q.simt || whole.q.a_valid || whole.q.f_valid || whole.q.d_valid || whole.q.o_valid);
    assert_int_equal(whole.q.queue_count + whole.q.waiting_count, 0);
}

static void init_with(void *context) {
    const struct simt_coprocessor_blocks blocks = whole.blocks;
    simt_coprocessor_init(&whole, context, &blocks);
}

static void sizes_have_ranges(void **state) {
    (void)state;
    start(1);
    assert_false(panics(init_with, &(struct simt_coprocessor_config){1, 16}));
    assert_false(panics(init_with, &(struct simt_coprocessor_config){16, 1}));
    assert_true(panics(init_with, &(struct simt_coprocessor_config){0, 2}));
    assert_true(panics(init_with, &(struct simt_coprocessor_config){17, 2}));
    assert_true(panics(init_with, &(struct simt_coprocessor_config){2, 0}));
    assert_true(panics(init_with, &(struct simt_coprocessor_config){2, 17}));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_warp_has_an_instruction_every_15_cycles),
        cmocka_unit_test(two_warps_have_one_every_8_cycles),
        cmocka_unit_test(a_full_queue_holds_the_front_end),
        cmocka_unit_test(a_miss_holds_f_and_a_and_s),
        cmocka_unit_test(a_barrier_opens_when_the_last_warp_commits),
        cmocka_unit_test(the_last_exit_ends_it),
        cmocka_unit_test(impossible_inputs_panic),
        cmocka_unit_test(it_may_be_evaluated_again),
        cmocka_unit_test(a_reset_empties_the_queues),
        cmocka_unit_test(sizes_have_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
