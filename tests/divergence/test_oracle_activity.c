/* oracle_activity: counts by hand; the example of divergence.md §3; never more issues than re-convergence
 * stacks and large warps have on random programs. */
#include "model/divergence/oracle_activity.h"
#include "model/divergence/re_convergence_stack.h"
#include "model/divergence/subwarp_packer.h"
#include "tests/divergence/example_program.h"
#include "tests/divergence/random_program.h"
#include "tests/panic.h"

static void a_work_group_takes_what_its_fullest_lane_takes(void **state) {
    (void)state;
    struct oracle_activity o;
    oracle_activity_init(&o, 3, 4, 2);
    for (unsigned n = 0; n < 3; ++n) oracle_activity_count(&o, 0, 1, 0x1);
    oracle_activity_count(&o, 0, 1, 0xe);
    oracle_activity_count(&o, 0, 2, 0xf);
    oracle_activity_count(&o, 1, 1, 0x8); /* executed by another work-group */
    assert_int_equal(oracle_activity_total(&o).issues, 0);
    oracle_activity_end(&o, 0);
    assert_int_equal(o.issues[0], 0);
    assert_int_equal(o.issues[1], 3);
    assert_int_equal(o.executions[1], 6);
    assert_int_equal(o.issues[2], 1);
    oracle_activity_end(&o, 1);
    assert_int_equal(o.issues[1], 4);
    oracle_activity_count(&o, 0, 0, 0x2); /* the next in its slot */
    oracle_activity_end(&o, 0);
    assert_int_equal(oracle_activity_total(&o).issues, 6);
    assert_int_equal(oracle_activity_total(&o).executions, 12);
    oracle_activity_free(&o);
}

static void the_example_of_the_specification(void **state) {
    (void)state;
    static const unsigned issues[] = {[EXAMPLE_A] = 2, [EXAMPLE_B] = 2, [EXAMPLE_C] = 1, [EXAMPLE_D] = 2,
                                      [EXAMPLE_E] = 2, [EXAMPLE_F] = 1, [EXAMPLE_G] = 4, [EXAMPLE_H] = 2};
    struct example x = {.length = 0};
    struct oracle_activity o;
    oracle_activity_init(&o, EXAMPLE_H + 1, EXAMPLE_LANES, 1);
    for (unsigned t = 0; t < EXAMPLE_THREADS; ++t)
        for (uint32_t pc = EXAMPLE_PC(A); pc; pc = example_next(&x, pc, t))
            oracle_activity_count(&o, 0, pc / 4, 1ull << t % EXAMPLE_LANES);
    oracle_activity_end(&o, 0);
    for (unsigned n = EXAMPLE_A; n <= EXAMPLE_H; ++n) assert_int_equal(o.issues[n], issues[n]);
    assert_int_equal(oracle_activity_total(&o).issues, 16);
    assert_int_equal(oracle_activity_total(&o).executions, 46);
    oracle_activity_free(&o);
}

/* --- random programs: 16 threads in 4 lanes --- */

enum { LANES = 4, THREADS = 16 };

static struct random_program program;
static struct random_thread thread[THREADS];

/* Returns the number of sub-warps of all instructions, with warps of `warp_size` threads. */
static uint64_t issues_of_stacks(unsigned warp_size, struct oracle_activity *o) {
    static struct re_convergence_stack stack;
    const unsigned warps = THREADS / warp_size;
    uint64_t issues = 0;
    re_convergence_stack_init(&stack, warps, warp_size, 2);
    for (unsigned k = 0; k < THREADS; ++k) random_thread_begin(&thread[k], &program, k);
    for (unsigned w = 0; w < warps; ++w) {
        re_convergence_stack_start(&stack, w, program.start, (1ull << warp_size) - 1);
        for (uint64_t mask; (mask = re_convergence_stack_mask(&stack, w)) != 0;) {
            const uint32_t pc = re_convergence_stack_pc(&stack, w);
            const enum random_operation operation = random_program_at(&program, pc);
            uint32_t next[THREADS];
            uint64_t ended = 0;
            struct re_convergence_group groups[THREADS];
            for (uint64_t left = mask, subwarp; left; left &= ~subwarp, ++issues) {
                subwarp = (uint64_t)subwarp_packer_next(left, LANES);
                for (uint64_t rest = subwarp; o && rest; rest &= rest - 1)
                    oracle_activity_count(o, 0, pc / 4, 1ull << __builtin_ctzll(rest) % LANES);
            }
            for (uint64_t rest = mask; rest; rest &= rest - 1) {
                const unsigned k = (unsigned)__builtin_ctzll(rest);
                next[k] = random_thread_step(&thread[w * warp_size + k], &program);
                if (!next[k]) ended |= 1ull << k;
            }
            const unsigned count = re_convergence_groups(pc, mask & ~ended, next, groups);
            for (unsigned n = 0; n < count; ++n)
                groups[n].call = operation == RANDOM_CALL ||
                                 (operation == RANDOM_CONDITIONAL_CALL && groups[n].pc != pc + 4);
            if (ended) re_convergence_stack_exit(&stack, w, ended);
            if (count > 1)
                assert_true(re_convergence_stack_diverge(&stack, w, groups, count,
                                                         random_program_meeting(&program, pc)));
            else if (count && groups[0].call)
                assert_true(re_convergence_stack_call(&stack, w, groups[0].pc, pc + 4));
            else if (count)
                re_convergence_stack_jump(&stack, w, groups[0].pc);
        }
    }
    re_convergence_stack_free(&stack);
    return issues;
}

static void no_engine_has_fewer_issues(void **state) {
    (void)state;
    struct seed seed = seed_start();
    uint64_t small = 0, large = 0, bound = 0;
    for (unsigned n = 0; n < 2000; ++n) {
        struct oracle_activity o;
        random_program_make(&program, &seed, 4 + seed_below(&seed, 9), false);
        oracle_activity_init(&o, RANDOM_PROGRAM_MAX + 1, LANES, 1);
        const uint64_t sbr = issues_of_stacks(LANES, &o), lwm = issues_of_stacks(THREADS, NULL);
        oracle_activity_end(&o, 0);
        const struct oracle_total total = oracle_activity_total(&o);
        oracle_activity_free(&o);
        uint64_t executions = 0;
        for (unsigned k = 0; k < THREADS; ++k)
            for (unsigned i = 0; i < RANDOM_PROGRAM_MAX; ++i) executions += thread[k].turns[i];
        assert_true(total.issues <= sbr && total.issues <= lwm);
        assert_true(total.executions % 256 == executions % 256);
        small += sbr;
        large += lwm;
        bound += total.issues;
    }
    print_message("issues: stacks %llu, large warps %llu, bound %llu\n", (unsigned long long)small,
                  (unsigned long long)large, (unsigned long long)bound);
    assert_true(bound < large && large < small);
}

static void init_with(void *sizes) {
    const unsigned *n = sizes;
    struct oracle_activity o;
    oracle_activity_init(&o, n[0], n[1], n[2]);
}

static void what_cannot_be_panics(void **state) {
    (void)state;
    static unsigned sizes[][3] = {{0, 4, 1}, {1, 0, 1}, {1, 65, 1}, {1, 4, 0}};
    for (unsigned n = 0; n < 4; ++n) assert_true(panics(init_with, sizes[n]));
    assert_false(panics(init_with, (unsigned[]){1, 64, 1}));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_work_group_takes_what_its_fullest_lane_takes),
        cmocka_unit_test(the_example_of_the_specification),
        cmocka_unit_test(no_engine_has_fewer_issues),
        cmocka_unit_test(what_cannot_be_panics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
