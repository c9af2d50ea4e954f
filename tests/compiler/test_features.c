/* features: properties of a kernel's code in an image for both modes, counted by hand. */
#include "tests/compiler/compiler_image.h"

#define ARGUMENTS "(__global float *a, __global float *b, int n)"
#define N_OFFSET  8 /* offset of n in the argument block */

static struct image *image;

/* Returns the kernel k of a source. */
static const struct image_kernel *kernel_of(const char *source) {
    image_free(image);
    expect_success(compile_text(source, "--line-bytes 64"));
    image = load(run_path("image"));
    const struct image_kernel *k = image_find(image, "k");
    assert_non_null(k);
    return k;
}

static const struct image_features *row(const struct image_kernel *k, unsigned trips) {
    for (size_t n = 0; n < k->feature_count; n++)
        if (k->features[n].trip_count == trips) return &k->features[n];
    fail_msg("no row with %u arguments", trips);
    return NULL;
}

static void assert_count(const struct image_features *f, enum kernel_count count, double expected) {
    if (f->count[count] != expected) fail_msg("count %d is %g, not %g", count, f->count[count], expected);
}

static void accesses_have_classes(void **state) {
    (void)state;
    const struct image_features *f = row(kernel_of("kernel void k" ARGUMENTS "{\n"
                                                   "    int i = get_global_id(0);\n"
                                                   "    b[i] = a[i] + a[n] + a[32 * i] + a[(int)a[i + 1]];\n"
                                                   "}\n"),
                                         0);
    assert_int_equal(image_find(image, "k")->feature_count, 1);
    assert_count(f, KERNEL_COUNT_UNIFORM, 4); /* three arguments, a[n] */
    assert_count(f, KERNEL_COUNT_UNIT, 3);
    assert_count(f, KERNEL_COUNT_STRIDED, 1);
    assert_count(f, KERNEL_COUNT_GATHER, 1);
    assert_count(f, KERNEL_COUNT_LOADS, 8);
    assert_count(f, KERNEL_COUNT_BARRIERS, 0);
    assert_count(f, KERNEL_COUNT_DIVERGENT, 0);
    assert_count(f, KERNEL_COUNT_COLUMNS, 0);
    assert_count(f, KERNEL_COUNT_CALLS, 0);
}

/* Numbers of iterations: an argument, a constant, and unknown. */
static void loops_have_turns(void **state) {
    (void)state;
    const struct image_kernel *k =
        kernel_of("kernel void k" ARGUMENTS "{\n"
                  "    for (int i = 0; i < n; i++) barrier(CLK_GLOBAL_MEM_FENCE);\n"
                  "    for (int i = 3; i < 103; i += 10) barrier(CLK_GLOBAL_MEM_FENCE);\n"
                  "    for (uint s = get_local_size(0); s > 0; s /= 2) barrier(CLK_GLOBAL_MEM_FENCE);\n"
                  "}\n");
    assert_count(row(k, 0), KERNEL_COUNT_BARRIERS, 10 + FEATURES_TRIPS);
    assert_count(row(k, 1), KERNEL_COUNT_BARRIERS, 1);
    assert_int_equal(row(k, 1)->trips[0], N_OFFSET);
}

static void nested_loops_multiply(void **state) {
    (void)state;
    const struct image_kernel *k = kernel_of("kernel void k" ARGUMENTS "{\n"
                                             "    for (int i = 0; i < n; i++)\n"
                                             "        for (int j = 0; j < n; j += 4)\n"
                                             "            barrier(CLK_GLOBAL_MEM_FENCE);\n"
                                             "}\n");
    const struct image_features *f = row(k, 2);
    assert_count(f, KERNEL_COUNT_BARRIERS, 0.25);
    assert_int_equal(f->trips[0], N_OFFSET);
    assert_int_equal(f->trips[1], N_OFFSET);
}

/* In a loop down a column, neighbours access adjacent words; in one along a row, words a row apart. */
static void loops_go_down_columns_or_along_rows(void **state) {
    (void)state;
    static const char *const address[] = {"j * n + i", "i * n + j"};
    for (unsigned rows = 0; rows < 2; rows++) {
        char source[400];
        snprintf(source, sizeof source,
                 "kernel void k" ARGUMENTS "{\n"
                 "    int i = get_global_id(0);\n"
                 "    float s = 0;\n"
                 "    for (int j = 0; j < n; j++) s += a[%s];\n"
                 "    b[i] = s;\n"
                 "}\n",
                 address[rows]);
        const struct image_features *f = row(kernel_of(source), 1);
        assert_count(f, KERNEL_COUNT_LOADS, 1);
        assert_count(f, KERNEL_COUNT_UNIT, !rows);
        assert_count(f, KERNEL_COUNT_STRIDED, rows);
        assert_count(f, KERNEL_COUNT_COLUMNS, !rows);
        assert_count(f, KERNEL_COUNT_ROWS, rows);
    }
}

/* A branch counts half. It is divergent only if its condition differs within a work-group. */
static void conditions_are_divergent_or_not(void **state) {
    (void)state;
    static const char *const condition[] = {"n > 3", "a[i] > 3"};
    for (unsigned varies = 0; varies < 2; varies++) {
        char source[300];
        snprintf(source, sizeof source,
                 "kernel void k" ARGUMENTS "{\n"
                 "    int i = get_global_id(0);\n"
                 "    if (%s) b[i] = 1;\n"
                 "}\n",
                 condition[varies]);
        const struct image_features *f = row(kernel_of(source), 0);
        assert_count(f, KERNEL_COUNT_UNIT, 0.5 + varies);
        assert_int_equal(f->count[KERNEL_COUNT_DIVERGENT] > 0, varies);
        assert_true(f->count[KERNEL_COUNT_DIVERGENT] < f->count[KERNEL_COUNT_INSTRUCTIONS]);
    }
}

static void calls_of_the_library_are_counted(void **state) {
    (void)state;
    const struct image_features *f = row(kernel_of("float two(float x) { return exp(x) + native_log(x); }\n"
                                                   "kernel void k" ARGUMENTS "{\n"
                                                   "    int i = get_global_id(0);\n"
                                                   "    b[i] = two(a[i]) + sqrt(a[n]);\n"
                                                   "}\n"),
                                         0);
    assert_true(f->count[KERNEL_COUNT_CALLS] > 0);
}

/* Only an image for both modes has features, and those are the same each time. */
static void images_for_both_modes_have_features(void **state) {
    (void)state;
    static const char source[] = "kernel void k" ARGUMENTS "{ b[get_global_id(0)] = exp(a[n]); }\n";
    static const char *const modes[] = {"--mode simt", "--mode mimd"};
    for (unsigned m = 0; m < 2; m++) {
        expect_success(compile_text(source, modes[m]));
        struct image *i = load(run_path("image"));
        assert_int_equal(image_find(i, "k")->feature_count, 0);
        image_free(i);
    }
    const struct image_features first = *row(kernel_of(source), 0);
    assert_memory_equal(&first, row(kernel_of(source), 0), sizeof first);
}

static int end(void **state) {
    image_free(image);
    return run_teardown(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accesses_have_classes),
        cmocka_unit_test(loops_have_turns),
        cmocka_unit_test(nested_loops_multiply),
        cmocka_unit_test(loops_go_down_columns_or_along_rows),
        cmocka_unit_test(conditions_are_divergent_or_not),
        cmocka_unit_test(calls_of_the_library_are_counted),
        cmocka_unit_test(images_for_both_modes_have_features),
    };
    return cmocka_run_group_tests(tests, run_setup, end);
}
