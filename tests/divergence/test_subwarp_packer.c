/* subwarp_packer: sub-warps by hand and of random masks; large warps on the example of divergence.md §3. */
#include "model/divergence/subwarp_packer.h"
#include "model/divergence/re_convergence_stack.h"
#include "tests/divergence/example_program.h"
#include "tests/seed.h"

static void every_lane_takes_its_lowest_row(void **state) {
    (void)state;
    assert_true(subwarp_packer_next(0x8421, 4) == 0x8421);
    assert_true(subwarp_packer_next(0x1111, 4) == 0x0001);
    assert_true(subwarp_packer_next(0x1110, 4) == 0x0010);
    assert_true(subwarp_packer_next(0x3c1, 4) == 0x0c1 + 0x200);
    assert_true(subwarp_packer_next(0xff, 1) == 1);
    assert_true(subwarp_packer_next(~0ull, 32) == 0xffffffff);
    assert_true(subwarp_packer_next(~0ull << 48, 16) == ~0ull << 48);
    assert_true(subwarp_packer_next(0x7ff, 5) == 0x1f);
    assert_true(subwarp_packer_next(1ull << 63, 5) == 1ull << 63);
    assert_true(subwarp_packer_next(0, 8) == 0);
}

static void there_are_as_many_as_the_fullest_lane_has_threads(void **state) {
    (void)state;
    struct seed seed = seed_start();
    for (unsigned n = 0; n < 100000; ++n) {
        const unsigned lanes = 1 + seed_below(&seed, 32);
        const uint64_t mask = seed_below(&seed, 2) ? seed_next(&seed) : seed_next(&seed) & seed_next(&seed);
        unsigned in_lane[32] = {0}, fullest = 0, rounds = 0;
        for (unsigned t = 0; t < 64; ++t)
            if (mask >> t & 1 && ++in_lane[t % lanes] > fullest) fullest = in_lane[t % lanes];
        for (uint64_t left = mask; left; ++rounds) {
            const uint64_t subwarp = (uint64_t)subwarp_packer_next(left, lanes);
            uint64_t taken = 0;
            assert_true(subwarp && !(subwarp & ~left));
            for (uint64_t rest = subwarp; rest; rest &= rest - 1) {
                const uint64_t lane = 1ull << __builtin_ctzll(rest) % lanes;
                assert_false(taken & lane);
                taken |= lane;
            }
            left &= ~subwarp;
        }
        assert_int_equal(rounds, fullest);
    }
}

/* A warp of eight threads in four lanes. */
static void the_example_of_the_specification(void **state) {
    (void)state;
    static struct re_convergence_stack stack;
    struct example x = {.length = 0};
    re_convergence_stack_init(&stack, 1, EXAMPLE_THREADS, 1);
    re_convergence_stack_start(&stack, 0, EXAMPLE_PC(A), 0xff);
    for (uint64_t mask; (mask = re_convergence_stack_mask(&stack, 0)) != 0;) {
        const uint32_t pc = re_convergence_stack_pc(&stack, 0);
        uint32_t next[EXAMPLE_THREADS] = {0};
        struct re_convergence_group groups[EXAMPLE_THREADS];
        for (uint64_t left = mask, subwarp; left; left &= ~subwarp) {
            subwarp = (uint64_t)subwarp_packer_next(left, EXAMPLE_LANES);
            example_issue(&x, pc, (unsigned)subwarp);
        }
        for (unsigned t = 0; t < EXAMPLE_THREADS; ++t)
            if (mask >> t & 1) next[t] = example_next(&x, pc, t);
        const unsigned count = re_convergence_groups(pc, mask, next, groups);
        if (pc == EXAMPLE_PC(H))
            re_convergence_stack_exit(&stack, 0, mask);
        else if (count > 1)
            assert_true(re_convergence_stack_diverge(&stack, 0, groups, count, example_meeting(pc)));
        else
            re_convergence_stack_jump(&stack, 0, groups[0].pc);
    }
    re_convergence_stack_free(&stack);
    assert_string_equal(x.said,
                        "A{0123} A{4567} B{0136} B{5} C{036} D{1} D{5} E{0136} E{5} F{247} G{0123} G{4567} "
                        "G{136} G{3} H{0123} H{4567}");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_lane_takes_its_lowest_row),
        cmocka_unit_test(there_are_as_many_as_the_fullest_lane_has_threads),
        cmocka_unit_test(the_example_of_the_specification),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
