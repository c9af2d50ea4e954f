#include "sim/histogram.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "tests/panic.h"

static void test_linear(void **state) {
    (void)state;
    struct histogram h;
    histogram_init_linear(&h, 10, 5, 3); /* –14, 15–19, 20– */
    assert_int_equal(h.total, 0);
    assert_true(h.min == UINT64_MAX);
    static const uint64_t values[] = {14, 15, 19, 20, 0, 1000, 10};
    uint64_t sum = 0;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        histogram_add(&h, values[i]);
        sum += values[i];
    }
    assert_int_equal(h.bucket[0], 3);
    assert_int_equal(h.bucket[1], 2);
    assert_int_equal(h.bucket[2], 2);
    assert_int_equal(h.total, 7);
    assert_int_equal(h.sum, sum);
    assert_int_equal(h.min, 0);
    assert_int_equal(h.max, 1000);
    assert_int_equal(histogram_from(&h, 0), 0);
    assert_int_equal(histogram_to(&h, 0), 14);
    assert_int_equal(histogram_from(&h, 1), 15);
    assert_int_equal(histogram_to(&h, 1), 19);
    assert_int_equal(histogram_from(&h, 2), 20);
    assert_int_equal(histogram_to(&h, 2), UINT64_MAX);
}

static void test_width_one(void **state) {
    (void)state;
    struct histogram h;
    histogram_init_linear(&h, 1, 1, 4);
    for (uint64_t v = 0; v < 7; v++) histogram_add(&h, v);
    static const uint64_t expected[] = {2, 1, 1, 3}; /* 0 and 1, 2, 3, 4 and more */
    for (unsigned n = 0; n < 4; n++) assert_int_equal(h.bucket[n], expected[n]);
    assert_int_equal(histogram_to(&h, 0), 1);
    assert_int_equal(histogram_from(&h, 3), 4);
}

static void test_powers(void **state) {
    (void)state;
    struct histogram h;
    histogram_init_powers(&h, 65);
    static const uint64_t values[] = {0, 1, 2, 3, 4, 7, 8, UINT64_C(1) << 63, UINT64_MAX};
    static const unsigned bucket[] = {0, 1, 2, 2, 3, 3, 4, 64, 64};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        assert_int_equal(histogram_bucket(&h, values[i]), bucket[i]);
        assert_true(values[i] >= histogram_from(&h, bucket[i]) && values[i] <= histogram_to(&h, bucket[i]));
        histogram_add(&h, values[i]);
    }
    assert_int_equal(h.max, UINT64_MAX);
    histogram_init_powers(&h, 3);
    histogram_add(&h, 100);
    assert_int_equal(h.bucket[2], 1);
    assert_int_equal(h.min, 100);
    assert_int_equal(histogram_to(&h, 2), UINT64_MAX);
    histogram_init_powers(&h, 1);
    histogram_add(&h, 100);
    assert_int_equal(h.bucket[0], 1);
}

/* The buckets do not overlap and leave nothing out. */
static void test_buckets_are_a_partition(void **state) {
    (void)state;
    struct histogram h;
    for (unsigned shape = 0; shape < 4; shape++) {
        if (shape == 0) histogram_init_powers(&h, 12);
        if (shape > 0) histogram_init_linear(&h, shape * 3, shape, 12);
        for (unsigned n = 0; n + 1 < 12; n++)
            assert_int_equal(histogram_to(&h, n) + 1, histogram_from(&h, n + 1));
        for (uint64_t v = 0; v < 5000; v++) {
            const unsigned n = histogram_bucket(&h, v);
            assert_true(v >= histogram_from(&h, n) && v <= histogram_to(&h, n));
        }
    }
}

static void no_width(void *context) {
    (void)context;
    struct histogram h;
    histogram_init_linear(&h, 0, 0, 4);
}
static void no_buckets(void *context) {
    (void)context;
    struct histogram h;
    histogram_init_powers(&h, 0);
}
static void too_many(void *context) {
    (void)context;
    struct histogram h;
    histogram_init_linear(&h, 0, 1, HISTOGRAM_MAX_BUCKETS + 1);
}
static void of_another(void *context) {
    (void)context;
    struct histogram h, other;
    histogram_init_linear(&h, 0, 1, 4);
    histogram_init_linear(&other, 0, 1, 2);
    histogram_add(&other, 1);
    other.total = 5;
    histogram_subtract(&h, &other);
}

static void test_misuse_is_a_panic(void **state) {
    (void)state;
    assert_true(panics(no_width, NULL));
    assert_true(panics(no_buckets, NULL));
    assert_true(panics(too_many, NULL));
    assert_true(panics(of_another, NULL));
}

static void test_counts_are_summed_up(void **state) {
    (void)state;
    static const uint64_t values[] = {4, 1, 6, 4, 4};
    struct histogram h, added;
    histogram_init_counts(&h, 1, 6);
    histogram_init_linear(&added, 1, 1, 6);
    histogram_sum_up(&h);
    assert_int_equal(h.total, 0);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        histogram_count(&h, values[i]);
        histogram_add(&added, values[i]);
    }
    histogram_sum_up(&h);
    assert_int_equal(h.total, 5);
    assert_int_equal(h.sum, 19);
    assert_int_equal(h.min, 1);
    assert_int_equal(h.max, 6);
    assert_memory_equal(h.bucket, added.bucket, 6 * sizeof h.bucket[0]);
    histogram_sum_up(&added); /* nothing, of another kind */
    assert_int_equal(added.sum, 19);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear),
        cmocka_unit_test(test_width_one),
        cmocka_unit_test(test_powers),
        cmocka_unit_test(test_buckets_are_a_partition),
        cmocka_unit_test(test_counts_are_summed_up),
        cmocka_unit_test(test_misuse_is_a_panic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
