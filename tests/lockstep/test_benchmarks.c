/* Golden runs: the benchmark programs on their real input must verify themselves and have exactly the cycles
 * and counts of tests/golden/NAME.txt. GOLDEN=update build/tests/test_benchmarks records an intended change
 * of the model. */
#include "model/machine/machine.h"
#include "tests/spawn.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Returns the figures of a run, one a line. */
static char *figures(json_t *statistics) {
    char *text;
    size_t size, i;
    FILE *out = open_memstream(&text, &size);
    json_t *totals = json_object_get(statistics, "totals"), *value, *counter;
    const char *name;
    fprintf(out, "launches %zu\n", json_array_size(json_object_get(statistics, "launches")));
    json_object_foreach(totals, name, value) {
        if (json_is_integer(value)) fprintf(out, "%s %lld\n", name, (long long)json_integer_value(value));
    }
    json_array_foreach(json_object_get(statistics, "counters"), i, counter) {
        fprintf(out, "%s %s %lld\n", json_string_value(json_object_get(counter, "scope")),
                json_string_value(json_object_get(counter, "name")),
                (long long)json_integer_value(json_object_get(counter, "value")));
    }
    fclose(out);
    return text;
}

static void assert_golden(const char *name, const char *found) {
    char *path = spawn_text("%s/tests/golden/%s.txt", spawn_source(), name);
    const char *mode = getenv("GOLDEN");
    if (mode && strcmp(mode, "update") == 0) spawn_write(path, found);
    char *golden = spawn_read(path);
    if (!golden) fail_msg("%s is missing", path);
    if (strcmp(golden, found) != 0) {
        const char *g = golden, *f = found;
        while (*g && *f) {
            size_t glen = strcspn(g, "\n"), flen = strcspn(f, "\n");
            if (glen != flen || memcmp(g, f, glen) != 0)
                print_error("golden: %.*s\nfound:  %.*s\n", (int)glen, g, (int)flen, f);
            g += glen + (g[glen] == '\n');
            f += flen + (f[flen] == '\n');
        }
        fail_msg("%s: the figures are not those of %s", name, path);
    }
    free(golden);
    free(path);
}

/* `golden`: the name of the file of its figures. */
static void assert_run(const char *name, const char *golden, const char *verdict, char *const arguments[]) {
    char *folder = spawn_folder();
    char *command = spawn_text("%s/lockstep", spawn_build()),
         *program = spawn_text("%s/benchmarks/%s", spawn_build(), name);
    char *argv[16] = {command, "run", "--stats", "s.json", "--", program};
    for (int i = 0; arguments[i]; i++) argv[6 + i] = arguments[i];
    struct spawned s = spawn(folder, argv);
    if (s.status) fail_msg("exit status %d:\n%s\n%s", s.status, s.out, s.err);
    if (!strstr(s.out, verdict)) fail_msg("'%s' is not in:\n%s", verdict, s.out);
    spawn_free(&s);
    char *path = spawn_text("%s/s.json", folder);
    json_t *statistics = json_load_file(path, 0, NULL);
    assert_non_null(statistics);
    char *found = figures(statistics);
    assert_golden(golden, found);
    free(found);
    json_decref(statistics);
    free(path);
    free(program);
    free(command);
    spawn_remove_folder(folder);
}

static void assert_benchmark(const char *name, const char *verdict, char *const arguments[]) {
    assert_run(name, name, verdict, arguments);
}

static void test_reduction(void **state) {
    (void)state;
    assert_benchmark("reduction", "reduction: PASS", (char *[]){NULL});
}

/* Work-groups that fill the base machine: all 16 warps at one barrier. */
static void test_reduction_of_large_groups(void **state) {
    (void)state;
    assert_run("reduction", "reduction_512", "reduction: PASS", (char *[]){"--group-size", "512", NULL});
}

static void test_hotspot(void **state) {
    (void)state;
    assert_benchmark("hotspot", "hotspot: PASS", (char *[]){"--steps", "4", NULL});
}

static void test_mandelbrot(void **state) {
    (void)state;
    assert_benchmark("mandelbrot", "mandelbrot: PASS",
                     (char *[]){"--size", "256", "--iterations", "256", "picture.ppm", NULL});
}

/* The other programs generate their input and print that in the same form. */
static void assert_made(const char *name) {
    char *verdict = spawn_text("%s: PASS", name);
    assert_benchmark(name, verdict, (char *[]){NULL});
    free(verdict);
}

static void test_vector_add(void **state) {
    (void)state;
    assert_made("vector_add");
}

static void test_convolution(void **state) {
    (void)state;
    assert_made("convolution");
}

static void test_scalar_product(void **state) {
    (void)state;
    assert_made("scalar_product");
}

static void test_path_finder(void **state) {
    (void)state;
    assert_made("path_finder");
}

static void test_matrix_vector(void **state) {
    (void)state;
    assert_benchmark("matrix_vector", "matrix_vector: PASS", (char *[]){"--size", "192", NULL});
}

static void test_triad(void **state) {
    (void)state;
    assert_benchmark("triad", "triad: PASS", (char *[]){"--count", "20000", NULL});
}

static void test_black_scholes(void **state) {
    (void)state;
    assert_benchmark("black_scholes", "black_scholes: PASS",
                     (char *[]){"--items", "1024", "--each", "2", NULL});
}

/* Sizes that no tile or work-group divides; all functions. */
static void test_odd_sizes(void **state) {
    (void)state;
    char *const *const runs[] = {
        (char *[]){"vector_add", "--count", "1", NULL},
        (char *[]){"vector_add", "--count", "1000", NULL},
        (char *[]){"convolution", "--size", "1", "--radius", "3", NULL},
        (char *[]){"convolution", "--size", "70", "--radius", "11", NULL},
        (char *[]){"scalar_product", "--vectors", "33", "--length", "1", NULL},
        (char *[]){"scalar_product", "--vectors", "1", "--length", "700", NULL},
        (char *[]){"matrix_vector", "--size", "1", NULL},
        (char *[]){"matrix_vector", "--size", "70", NULL},
        (char *[]){"triad", "--count", "257", NULL},
        (char *[]){"black_scholes", "--items", "77", "--each", "3", NULL},
        (char *[]){"math_function", "--function", "1", "--items", "300", "--calls", "3", NULL},
        (char *[]){"math_function", "--function", "2", "--arguments", "2", "--items", "77", NULL},
        (char *[]){"math_function", "--function", "3", "--bits", "64", "--items", "256", NULL},
        (char *[]){"math_function", "--function", "4", "--bits", "64", "--items", "100", NULL},
        (char *[]){"math_function", "--function", "5", "--items", "100", "--arguments", "2", NULL},
        (char *[]){"math_function", "--function", "6", "--items", "100", NULL},
        (char *[]){"math_function", "--function", "7", "--items", "100", NULL},
        (char *[]){"math_function", "--function", "8", "--bits", "64", "--items", "100", NULL},
        (char *[]){"path_finder", "--columns", "1", "--rows", "1", NULL},
        (char *[]){"path_finder", "--columns", "300", "--rows", "9", "--halo", "127", NULL},
        (char *[]){"path_finder", "--columns", "5", "--rows", "70", "--halo", "1", NULL},
    };
    char *command = spawn_text("%s/lockstep", spawn_build()), *folder = spawn_folder();
    for (size_t n = 0; n < sizeof runs / sizeof runs[0]; n++) {
        char *program = spawn_text("%s/benchmarks/%s", spawn_build(), runs[n][0]);
        char *argv[12] = {command, "run", "--", program};
        for (int i = 1; runs[n][i]; i++) argv[3 + i] = runs[n][i];
        struct spawned s = spawn(folder, argv);
        if (s.status)
            fail_msg("%s %s %s: exit status %d:\n%s\n%s", runs[n][0], runs[n][1], runs[n][2], s.status, s.out,
                     s.err);
        spawn_free(&s);
        free(program);
    }
    free(command);
    spawn_remove_folder(folder);
}

static void test_wrong_options(void **state) {
    (void)state;
    static const struct {
        char *option, *value;
        const char *says;
    } wrong[] = {{"--count", "0", "count: '0' is no whole number from 1 to"},
                 {"--count", "12x", "count: '12x' is no whole number from 1 to"},
                 {"--kernel", "nothing.cl", "cannot read nothing.cl"},
                 {"more", NULL, "'more' is no option"}};
    char *program = spawn_text("%s/benchmarks/vector_add", spawn_build()), *folder = spawn_folder();
    for (size_t n = 0; n < sizeof wrong / sizeof wrong[0]; n++) {
        struct spawned s = spawn(folder, (char *[]){program, wrong[n].option, wrong[n].value, NULL});
        assert_int_equal(s.status, 1);
        if (!strstr(s.err, wrong[n].says)) fail_msg("'%s' is not in:\n%s", wrong[n].says, s.err);
        spawn_free(&s);
    }
    free(program);
    spawn_remove_folder(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reduction),      cmocka_unit_test(test_reduction_of_large_groups),
        cmocka_unit_test(test_hotspot),        cmocka_unit_test(test_mandelbrot),
        cmocka_unit_test(test_vector_add),     cmocka_unit_test(test_convolution),
        cmocka_unit_test(test_scalar_product), cmocka_unit_test(test_path_finder),
        cmocka_unit_test(test_odd_sizes),      cmocka_unit_test(test_matrix_vector),
        cmocka_unit_test(test_triad),          cmocka_unit_test(test_black_scholes),
        cmocka_unit_test(test_wrong_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
