/* re_convergence_stack: which threads run where after each commit, by hand and against the definition. */
#include "model/divergence/re_convergence_stack.h"
#include "tests/divergence/example_program.h"
#include "tests/panic.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static struct re_convergence_stack stack;

static void begin(unsigned warps, unsigned warp_size, unsigned calls) {
    re_convergence_stack_free(&stack);
    re_convergence_stack_init(&stack, warps, warp_size, calls);
}

/* Warp 0 with eight threads at 0x100. */
static void eight_threads(void) {
    begin(1, 8, 2);
    re_convergence_stack_start(&stack, 0, 0x100, 0xff);
}

static void assert_top(uint32_t pc, uint64_t mask, unsigned depth) {
    assert_int_equal(re_convergence_stack_pc(&stack, 0), pc);
    assert_true(re_convergence_stack_mask(&stack, 0) == mask);
    assert_int_equal(re_convergence_stack_depth(&stack, 0), depth);
}

static void assert_entry(unsigned n, uint32_t pc, uint32_t rpc, uint64_t mask, bool call) {
    const struct re_convergence_entry e = re_convergence_stack_entry(&stack, 0, n);
    assert_int_equal(e.pc, pc);
    assert_int_equal(e.rpc, rpc);
    assert_true(e.mask == mask);
    assert_int_equal(e.call, call);
}

/* Diverges warp 0 into two groups; `second` may be a call. */
static bool part(uint32_t pc, uint64_t mask, uint32_t second_pc, uint64_t second_mask, bool call,
                 uint32_t meeting) {
    const struct re_convergence_group groups[] = {{mask, pc, false}, {second_mask, second_pc, call}};
    return re_convergence_stack_diverge(&stack, 0, groups, 2, meeting);
}

/* --- one group --- */

static void a_warp_begins_and_goes_on(void **state) {
    (void)state;
    eight_threads();
    assert_top(0x100, 0xff, 1);
    assert_entry(0, 0x100, 0, 0xff, false);
    re_convergence_stack_advance(&stack, 0);
    assert_top(0x104, 0xff, 1);
    re_convergence_stack_jump(&stack, 0, 0x80);
    assert_top(0x80, 0xff, 1);
    re_convergence_stack_start(&stack, 0, 0x200, 0);
    assert_top(0, 0, 0);
}

static void warps_have_stacks_of_their_own(void **state) {
    (void)state;
    begin(128, 64, 1);
    for (unsigned w = 0; w < 128; ++w) re_convergence_stack_start(&stack, w, 0x100 + 4 * w, ~0ull);
    for (unsigned w = 1; w < 128; w += 2) {
        const struct re_convergence_group groups[] = {{1, 0x1000, false}, {~1ull, 0x2000, false}};
        assert_true(re_convergence_stack_diverge(&stack, w, groups, 2, 0x3000));
    }
    for (unsigned w = 0; w < 128; ++w) {
        assert_int_equal(re_convergence_stack_pc(&stack, w), w % 2 ? 0x1000 : 0x100 + 4 * w);
        assert_int_equal(re_convergence_stack_depth(&stack, w), w % 2 ? 3 : 1);
    }
}

static void a_call_comes_back(void **state) {
    (void)state;
    eight_threads();
    assert_true(re_convergence_stack_call(&stack, 0, 0x400, 0x104));
    assert_top(0x400, 0xff, 2);
    assert_entry(0, 0x104, 0, 0xff, false);
    assert_entry(1, 0x400, 0x104, 0xff, true);
    re_convergence_stack_advance(&stack, 0);
    re_convergence_stack_jump(&stack, 0, 0x500); /* a tail call */
    assert_top(0x500, 0xff, 2);
    re_convergence_stack_jump(&stack, 0, 0x104);
    assert_top(0x104, 0xff, 1);
}

/* The call is the last instruction before the meeting: the return ends two entries. */
static void a_return_to_a_meeting_pops_both(void **state) {
    (void)state;
    eight_threads();
    assert_true(part(0x104, 0x0f, 0x200, 0xf0, false, 0x108));
    assert_true(re_convergence_stack_call(&stack, 0, 0x400, 0x108));
    assert_top(0x400, 0x0f, 4);
    re_convergence_stack_jump(&stack, 0, 0x108);
    assert_top(0x200, 0xf0, 2);
}

static void too_many_calls_are_refused(void **state) {
    (void)state;
    eight_threads();
    assert_true(re_convergence_stack_call(&stack, 0, 0x400, 0x104));
    assert_true(re_convergence_stack_call(&stack, 0, 0x500, 0x404));
    assert_false(re_convergence_stack_call(&stack, 0, 0x600, 0x504));
    assert_top(0x500, 0xff, 3);
    assert_false(part(0x504, 0x0f, 0x600, 0xf0, true, 0x504));
    assert_top(0x500, 0xff, 3);
    re_convergence_stack_jump(&stack, 0, 0x404);
    assert_true(part(0x408, 0x0f, 0x600, 0xf0, true, 0x408)); /* one call has returned */
    assert_top(0x600, 0xf0, 3);
}

/* --- threads part and meet --- */

static void two_sides_meet(void **state) {
    (void)state;
    eight_threads();
    assert_true(part(0x104, 0x0f, 0x200, 0xf0, false, 0x300));
    assert_top(0x104, 0x0f, 3); /* fall-through first */
    assert_entry(0, 0x300, 0, 0xff, false);
    assert_entry(1, 0x200, 0x300, 0xf0, false);
    assert_entry(2, 0x104, 0x300, 0x0f, false);
    re_convergence_stack_jump(&stack, 0, 0x300);
    assert_top(0x200, 0xf0, 2);
    re_convergence_stack_jump(&stack, 0, 0x300);
    assert_top(0x300, 0xff, 1);
}

/* A statement without else: threads at the re-convergence point wait in the entry below. The same with
 * `advance`. */
static void who_stands_at_the_meeting_is_not_pushed(void **state) {
    (void)state;
    eight_threads();
    assert_true(part(0x104, 0x0f, 0x108, 0xf0, false, 0x108));
    assert_top(0x104, 0x0f, 2);
    re_convergence_stack_advance(&stack, 0);
    assert_top(0x108, 0xff, 1);
}

static void a_table_has_many_groups(void **state) {
    (void)state;
    eight_threads();
    const struct re_convergence_group groups[] = {
        {0x03, 0x104, false}, {0x0c, 0x80, false}, {0x10, 0x200, false}, {0xe0, 0x300, false}};
    assert_true(re_convergence_stack_diverge(&stack, 0, groups, 4, 0x200));
    assert_top(0x104, 0x03, 4);
    assert_entry(0, 0x200, 0, 0xff, false);
    assert_entry(1, 0x300, 0x200, 0xe0, false);
    assert_entry(2, 0x80, 0x200, 0x0c, false);
    assert_int_equal(stack.counted.divergences, 1);
    assert_int_equal(stack.counted.groups, 4);
    assert_int_equal(stack.counted.deepest, 4);
}

/* Iterations of a loop need no further entries: the entry that waits at its end exists already. */
static void a_loop_leaves_its_threads_at_the_end(void **state) {
    (void)state;
    eight_threads();
    for (unsigned left = 7; left; --left) {
        assert_true(part(0x104, 1ull << left, 0x80, (1ull << left) - 1, false, 0x104));
        assert_top(0x80, (1ull << left) - 1, 2);
        assert_entry(0, 0x104, 0, 0xff, false);
        re_convergence_stack_jump(&stack, 0, 0x100);
    }
    re_convergence_stack_advance(&stack, 0);
    assert_top(0x104, 0xff, 1);
}

/* Nested statements with the same end share an entry; others do not. */
static void nested_statements_share_a_meeting(void **state) {
    (void)state;
    eight_threads();
    assert_true(part(0x104, 0x0f, 0x200, 0xf0, false, 0x300));
    assert_true(part(0x108, 0x03, 0x180, 0x0c, false, 0x300));
    assert_top(0x108, 0x03, 4);
    assert_entry(2, 0x180, 0x300, 0x0c, false);
    assert_true(part(0x10c, 0x01, 0x140, 0x02, false, 0x150));
    assert_top(0x10c, 0x01, 6);
    assert_entry(3, 0x150, 0x300, 0x03, false);
    assert_entry(4, 0x140, 0x150, 0x02, false);
}

/* Divergence in the entry of a call keeps that entry, at which threads return. */
static void threads_that_return_meet_behind_the_call(void **state) {
    (void)state;
    eight_threads();
    assert_true(re_convergence_stack_call(&stack, 0, 0x400, 0x104));
    assert_true(part(0x404, 0x0f, 0x104, 0xf0, false, 0)); /* bxne lr */
    assert_top(0x404, 0x0f, 3);
    assert_entry(0, 0x104, 0, 0xff, false);
    assert_entry(1, 0x104, 0x104, 0xff, true);
    assert_entry(2, 0x404, 0x104, 0x0f, false);
    assert_true(part(0x408, 0x03, 0x104, 0x0c, false, 0)); /* the call is below */
    assert_top(0x408, 0x03, 3);
    assert_entry(2, 0x408, 0x104, 0x03, false);
    assert_true(re_convergence_stack_call(&stack, 0, 0x500, 0x40c));
    assert_true(part(0x504, 0x01, 0x520, 0x02, false, 0)); /* now the innermost call is another one */
    assert_top(0x504, 0x01, 6);
    assert_entry(2, 0x40c, 0x104, 0x03, false);
    assert_entry(3, 0x40c, 0x40c, 0x03, true);
    assert_entry(4, 0x520, 0x40c, 0x02, false);
    assert_entry(5, 0x504, 0x40c, 0x01, false);
    eight_threads();
    assert_true(re_convergence_stack_call(&stack, 0, 0x400, 0x104));
    assert_true(part(0x404, 0x0f, 0x104, 0xf0, false, 0));
    re_convergence_stack_jump(&stack, 0, 0x104);
    assert_top(0x104, 0xff, 1);
}

static void without_a_meeting_groups_go_their_ways(void **state) {
    (void)state;
    eight_threads();
    assert_true(part(0x104, 0x0f, 0x200, 0xf0, false, 0));
    assert_top(0x104, 0x0f, 2);
    assert_entry(0, 0x200, 0, 0xf0, false);
    re_convergence_stack_jump(&stack, 0, 0x200);
    assert_top(0x200, 0x0f, 2);
    re_convergence_stack_exit(&stack, 0, 0x0f);
    assert_top(0x200, 0xf0, 1);
}

/* blgt h */
static void some_threads_call(void **state) {
    (void)state;
    eight_threads();
    assert_true(part(0x104, 0x0f, 0x400, 0xf0, true, 0x104));
    assert_top(0x400, 0xf0, 2);
    assert_entry(0, 0x104, 0, 0xff, false);
    assert_entry(1, 0x400, 0x104, 0xf0, true);
    assert_true(part(0x404, 0x30, 0x104, 0xc0, false, 0)); /* some of these return immediately */
    assert_top(0x404, 0x30, 3);
    re_convergence_stack_jump(&stack, 0, 0x104);
    assert_top(0x104, 0xff, 1);
}

/* The same as the last instruction before the re-convergence point of the enclosing statement. */
static void some_threads_call_before_a_meeting(void **state) {
    (void)state;
    eight_threads();
    assert_true(part(0x104, 0x0f, 0x108, 0xf0, false, 0x108));
    assert_true(part(0x108, 0x03, 0x400, 0x0c, true, 0x108));
    assert_top(0x400, 0x0c, 2);
    assert_entry(0, 0x108, 0, 0xff, false);
    assert_entry(1, 0x400, 0x108, 0x0c, true);
    re_convergence_stack_jump(&stack, 0, 0x108);
    assert_top(0x108, 0xff, 1);
}

static void groups_are_in_order(void **state) {
    (void)state;
    const uint32_t next[64] = {
        [0] = 0x300, [1] = 0x104, [2] = 0x80, [5] = 0x300, [6] = 0x104, [9] = 0x200, [63] = 0x80};
    struct re_convergence_group g[64];
    assert_int_equal(re_convergence_groups(0x100, 0x8000000000000267, next, g), 4);
    static const struct re_convergence_group wanted[] = {
        {0x42, 0x104, false}, {0x8000000000000004, 0x80, false}, {0x200, 0x200, false}, {0x21, 0x300, false}};
    for (unsigned n = 0; n < 4; ++n) {
        assert_int_equal(g[n].pc, wanted[n].pc);
        assert_true(g[n].mask == wanted[n].mask);
        assert_false(g[n].call);
    }
    assert_int_equal(re_convergence_groups(0x100, 0x21, next, g), 1);
    assert_int_equal(re_convergence_groups(0x100, 0, next, g), 0);
}

/* --- ends --- */

static void nobody_waits_for_threads_that_ended(void **state) {
    (void)state;
    eight_threads();
    assert_true(part(0x104, 0x0f, 0x200, 0xf0, false, 0x300));
    re_convergence_stack_exit(&stack, 0, 0x0f);
    assert_top(0x200, 0xf0, 2);
    assert_entry(0, 0x300, 0, 0xf0, false);
    re_convergence_stack_exit(&stack, 0, 0xf0);
    assert_top(0, 0, 0);
}

/* Threads of the top may exit while others of it continue. */
static void some_of_the_top_end(void **state) {
    (void)state;
    eight_threads();
    re_convergence_stack_exit(&stack, 0, 0x81);
    assert_top(0x100, 0x7e, 1);
    assert_true(part(0x104, 0x0e, 0x200, 0x70, false, 0x300));
    assert_top(0x104, 0x0e, 3);
}

/* --- barriers --- */

/* if (a) { if (b) return; x } else y; barrier: without a re-convergence point before the barrier, one side
 * arrives while the other is below. */
static void at_a_barrier_who_can_run_comes_up(void **state) {
    (void)state;
    eight_threads();
    assert_true(part(0x104, 0x0f, 0x200, 0xf0, false, 0));
    re_convergence_stack_jump(&stack, 0, 0x200); /* arrives at the barrier */
    assert_true(re_convergence_stack_barrier(&stack, 0, 0xf0));
    assert_top(0x200, 0xf0, 2);
    assert_entry(0, 0x200, 0, 0x0f, false);
    assert_false(re_convergence_stack_barrier(&stack, 0, 0)); /* all wait */
    assert_top(0x200, 0xf0, 2);
    assert_int_equal(stack.counted.moves, 1);
}

/* An entry whose threads wait in an entry above stays; the order of entries does not change otherwise. */
static void the_highest_of_those_that_can_run_comes_up(void **state) {
    (void)state;
    eight_threads();
    assert_true(part(0x104, 0x3f, 0x200, 0xc0, false, 0));     /* 0: 0x200 {6, 7} */
    assert_true(part(0x108, 0x0f, 0x180, 0x30, false, 0));     /* 1: 0x180 {4, 5} */
    assert_true(part(0x10c, 0x03, 0x140, 0x0c, false, 0x150)); /* 2, 3: 0x150 {0–3}, 0x140 {2, 3} */
    assert_top(0x10c, 0x03, 5);
    assert_true(re_convergence_stack_barrier(&stack, 0, 0xfc));
    assert_top(0x140, 0x0c, 5);
    assert_true(re_convergence_stack_barrier(&stack, 0, 0xf0));
    assert_top(0x180, 0x30, 5);
    assert_entry(0, 0x200, 0, 0xc0, false);
    assert_entry(1, 0x150, 0, 0x0f, false);
    assert_entry(2, 0x10c, 0x150, 0x03, false);
    assert_entry(3, 0x140, 0x150, 0x0c, false);
    assert_true(re_convergence_stack_barrier(&stack, 0, 0xc0));
    assert_top(0x200, 0xc0, 5);
    assert_true(re_convergence_stack_barrier(&stack, 0, 0xc0)); /* no entry moves, since the top can run */
    assert_top(0x200, 0xc0, 5);
    assert_int_equal(stack.counted.moves, 3);
}

/* Threads have returned to the end of their call's entry, while others of the call, in an entry that was
 * moved up, have exited. The entry that becomes the top is done and is removed, and the one
 * below continues. */
static void what_comes_up_at_its_meeting_is_removed(void **state) {
    (void)state;
    eight_threads();
    assert_true(part(0x104, 0x0f, 0x200, 0xf0, false, 0)); /* 0: 0x200 {4–7} */
    assert_true(re_convergence_stack_call(&stack, 0, 0x400, 0x108));
    assert_true(part(0x404, 0x03, 0x108, 0x0c, false, 0)); /* 1: 0x108 {0–3}; 2: the call; 3: 0x404 {0, 1} */
    assert_true(re_convergence_stack_barrier(&stack, 0, 0xfc)); /* not the call's entry, which shares
                                                                 * {0, 1} */
    assert_top(0x200, 0xf0, 4);
    assert_true(part(0x204, 0x30, 0x280, 0xc0, false, 0)); /* the call below is not of these threads */
    assert_top(0x204, 0x30, 5);
    assert_entry(4, 0x204, 0, 0x30, false);
    re_convergence_stack_jump(&stack, 0, 0x404);
    assert_entry(2, 0x404, 0x108, 0x03, false);
    re_convergence_stack_exit(&stack, 0, 0x03); /* as an early exit would, if {0, 1} were at the top */
    assert_true(re_convergence_stack_barrier(&stack, 0, 0x0c));
    assert_top(0x108, 0x0c, 4);
}

/* --- the example of divergence.md §3 --- */

static void example_commit(struct example *x, unsigned warp) {
    const uint32_t pc = re_convergence_stack_pc(&stack, warp);
    const uint64_t mask = re_convergence_stack_mask(&stack, warp);
    uint32_t next[EXAMPLE_LANES] = {0};
    struct re_convergence_group groups[EXAMPLE_LANES];
    for (unsigned t = 0; t < EXAMPLE_LANES; ++t)
        if (mask >> t & 1) next[t] = example_next(x, pc, EXAMPLE_LANES * warp + t);
    const unsigned count = re_convergence_groups(pc, mask, next, groups);
    example_issue(x, pc, (unsigned)mask << EXAMPLE_LANES * warp);
    if (pc == EXAMPLE_PC(H))
        re_convergence_stack_exit(&stack, warp, mask);
    else if (count > 1)
        assert_true(re_convergence_stack_diverge(&stack, warp, groups, count, example_meeting(pc)));
    else
        re_convergence_stack_jump(&stack, warp, groups[0].pc);
}

static void the_example_of_the_specification(void **state) {
    (void)state;
    struct example x = {.length = 0};
    unsigned last = 1;
    begin(2, EXAMPLE_LANES, 0);
    for (unsigned w = 0; w < 2; ++w) re_convergence_stack_start(&stack, w, EXAMPLE_PC(A), 0xf);
    while (re_convergence_stack_mask(&stack, 0) || re_convergence_stack_mask(&stack, 1)) {
        if (re_convergence_stack_mask(&stack, !last)) last = !last;
        example_commit(&x, last);
    }
    assert_string_equal(x.said,
                        "A{0123} A{4567} B{013} B{56} C{03} C{6} D{1} D{5} E{013} E{56} F{2} F{47} G{0123} "
                        "G{4567} G{13} G{6} G{3} H{4567} H{0123}");
}

/* --- impossible operations --- */

static void init_with(void *sizes) {
    const unsigned *n = sizes;
    struct re_convergence_stack s;
    re_convergence_stack_init(&s, n[0], n[1], 16);
}

static void part_with(void *context) {
    const struct re_convergence_group *g = context;
    re_convergence_stack_diverge(&stack, 0, g, g[1].mask ? 2 : 1, 0x300);
}

static void what_cannot_be_panics(void **state) {
    (void)state;
    static unsigned sizes[][2] = {{0, 32}, {129, 32}, {1, 0}, {1, 129}};
    for (unsigned n = 0; n < 4; ++n) assert_true(panics(init_with, sizes[n]));
    assert_false(panics(init_with, (unsigned[]){128, 128}));
    assert_false(panics(init_with, (unsigned[]){1, 1}));
    eight_threads();
    assert_false(
        panics(part_with, (struct re_convergence_group[]){{0x0f, 0x104, false}, {0xf0, 0x200, false}}));
    assert_true(
        panics(part_with, (struct re_convergence_group[]){{0x1f, 0x104, false}, {0xf0, 0x200, false}}));
    assert_true(
        panics(part_with, (struct re_convergence_group[]){{0x07, 0x104, false}, {0xf0, 0x200, false}}));
    assert_true(panics(part_with, (struct re_convergence_group[]){{0xff, 0x104, false}, {0, 0x200, false}}));
}

static int free_stack(void **state) {
    (void)state;
    re_convergence_stack_free(&stack);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warp_begins_and_goes_on),
        cmocka_unit_test(warps_have_stacks_of_their_own),
        cmocka_unit_test(a_call_comes_back),
        cmocka_unit_test(a_return_to_a_meeting_pops_both),
        cmocka_unit_test(too_many_calls_are_refused),
        cmocka_unit_test(two_sides_meet),
        cmocka_unit_test(who_stands_at_the_meeting_is_not_pushed),
        cmocka_unit_test(a_table_has_many_groups),
        cmocka_unit_test(a_loop_leaves_its_threads_at_the_end),
        cmocka_unit_test(nested_statements_share_a_meeting),
        cmocka_unit_test(threads_that_return_meet_behind_the_call),
        cmocka_unit_test(without_a_meeting_groups_go_their_ways),
        cmocka_unit_test(some_threads_call),
        cmocka_unit_test(some_threads_call_before_a_meeting),
        cmocka_unit_test(groups_are_in_order),
        cmocka_unit_test(nobody_waits_for_threads_that_ended),
        cmocka_unit_test(some_of_the_top_end),
        cmocka_unit_test(at_a_barrier_who_can_run_comes_up),
        cmocka_unit_test(the_highest_of_those_that_can_run_comes_up),
        cmocka_unit_test(what_comes_up_at_its_meeting_is_removed),
        cmocka_unit_test(the_example_of_the_specification),
        cmocka_unit_test(what_cannot_be_panics),
    };
    return cmocka_run_group_tests(tests, NULL, free_stack);
}
