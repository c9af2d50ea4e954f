/* mode_choice: features of launches by hand, and that mode, expected time and reason agree. */
#include "runtime/mode_choice.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

static struct image_argument arguments[] = {
    {.type = "int*", .space = IMAGE_GLOBAL, .offset = 0, .size_bytes = 4},
    {.type = "int", .space = IMAGE_PRIVATE, .offset = 4, .size_bytes = 4},
};

static struct image_features rows[] = {
    {.count = {[KERNEL_COUNT_INSTRUCTIONS] = 10, [KERNEL_COUNT_UNIFORM] = 2, [KERNEL_COUNT_LOADS] = 2}},
    {.trips = {4},
     .trip_count = 1,
     .count = {[KERNEL_COUNT_INSTRUCTIONS] = 2,
               [KERNEL_COUNT_DIVERGENT] = 1,
               [KERNEL_COUNT_BARRIERS] = 0.5,
               [KERNEL_COUNT_UNIT] = 0.25,
               [KERNEL_COUNT_STRIDED] = 0.125,
               [KERNEL_COUNT_GATHER] = 0.25,
               [KERNEL_COUNT_LOADS] = 0.25,
               [KERNEL_COUNT_COLUMNS] = 0.125,
               [KERNEL_COUNT_ROWS] = 0.0625,
               [KERNEL_COUNT_CALLS] = 0.75}},
};

static const struct image_kernel kernel = {.name = "k",
                                           .argument_block_bytes = 8,
                                           .twin_item_bytes = 8,
                                           .arguments = arguments,
                                           .argument_count = 2,
                                           .features = rows,
                                           .feature_count = 2};

/* Chooses with the argument n, on four cores of one cluster, with 64 work-items in groups of 16. */
static struct machine_choice choose(int32_t n, const char *coalescing, struct machine_launch *l) {
    struct machine_config config;
    struct machine_choice choice;
    struct error e = {0};
    uint8_t block[8] = {0};
    memcpy(block + 4, &n, 4);
    config_defaults(&machine_config_table, &config);
    assert_true(config_set(&machine_config_table, &config, coalescing, &e));
    *l = (struct machine_launch){.kernel = "k", .global_size = {32, 2, 1}, .local_size = {8, 2, 1}};
    mode_choose(&kernel, block, &config, l, &choice);
    return choice;
}

static void assert_near(double a, double b) {
    if (fabs(a - b) > 1e-12) fail_msg("%.15g is not %.15g", a, b);
}

/* n = 8: 10 + 16 = 26 instructions. */
static void features_are_those_of_the_launch(void **state) {
    (void)state;
    struct machine_launch l;
    const struct machine_choice c = choose(8, "mimd.coalescing=modern", &l);
    assert_near(c.feature[MODE_FEATURE_BARRIERS], log2(1 + 1000 * 4 / 26.0));
    assert_near(c.feature[MODE_FEATURE_REPLICATED], log2(1 + 1000 * 2 * 4 / 26.0));
    assert_near(c.feature[MODE_FEATURE_DIVERGENT], 8 / 26.0);
    assert_near(c.feature[MODE_FEATURE_UNIFORM], 2 / 26.0);
    assert_near(c.feature[MODE_FEATURE_UNIT], 2 / 26.0);
    assert_near(c.feature[MODE_FEATURE_STRIDED], 1 / 26.0);
    assert_near(c.feature[MODE_FEATURE_GATHER], 2 / 26.0);
    assert_near(c.feature[MODE_FEATURE_COLUMNS], 1 / 4.0);
    assert_near(c.feature[MODE_FEATURE_ROWS], 0.5 / 4.0);
    assert_near(c.feature[MODE_FEATURE_LENGTH], log2(26));
    assert_near(c.feature[MODE_FEATURE_GROUPS], 0); /* 4 groups, 4 cores */
    assert_near(c.feature[MODE_FEATURE_FEW], 0);
    assert_near(c.feature[MODE_FEATURE_FILLED], 16 / 32.0); /* a group of 16, a warp of 32 */
    assert_near(c.feature[MODE_FEATURE_CALLS], log2(1 + 1000 * 6 / 26.0));
}

/* A loop count from an argument that cannot be one (negative, huge) is clamped. */
static void turns_are_kept_in_bounds(void **state) {
    (void)state;
    struct machine_launch l;
    assert_near(choose(-5, "mimd.coalescing=modern", &l).feature[MODE_FEATURE_LENGTH], log2(10 + 2));
    assert_near(choose(0, "mimd.coalescing=modern", &l).feature[MODE_FEATURE_LENGTH], log2(10 + 2));
    assert_near(choose(0x7fffffff, "mimd.coalescing=modern", &l).feature[MODE_FEATURE_LENGTH],
                log2(10 + 2.0 * FEATURES_TRIPS_MOST));
}

static void mode_gain_and_reason_agree(void **state) {
    (void)state;
    static const char *const coalescings[] = {"mimd.coalescing=modern", "mimd.coalescing=snucl"};
    for (unsigned n = 0; n < 2; n++)
        for (int32_t turns = 1; turns < 100000; turns *= 7) {
            struct machine_launch l;
            const struct machine_choice c = choose(turns, coalescings[n], &l);
            char start[80];
            assert_int_equal(l.mode, c.gain > 0 ? MODE_SIMT : MODE_MIMD);
            snprintf(start, sizeof start, "MIMD mode is expected to take %.2f times as long", exp(c.gain));
            assert_memory_equal(c.reason, start, strlen(start));
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(features_are_those_of_the_launch),
        cmocka_unit_test(turns_are_kept_in_bounds),
        cmocka_unit_test(mode_gain_and_reason_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
