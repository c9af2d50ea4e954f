/* Prefetching scalar kernels (kernel.scalar: prefetch) change only cycles: benchmarks have the same results
 * with them, with sizes that no work-group divides, with wrong addresses, and on machines that leave them
 * out. */
#include "tests/fixture.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS = 6 };

/* Results of a run: cycles of its launches, and sums of the scalar units' counters. */
struct figures {
    json_int_t cycles, threads, accesses, outside;
};

static json_int_t sum(const json_t *all, const char *name) {
    json_int_t total = 0;
    const json_t *row;
    size_t n;
    json_array_foreach(json_object_get(all, "counters"), n, row) {
        const char *scope = json_string_value(json_object_get(row, "scope"));
        if (strlen(scope) > 7 && !strcmp(scope + strlen(scope) - 7, ".scalar") &&
            !strcmp(json_string_value(json_object_get(row, "name")), name))
            total += json_integer_value(json_object_get(row, "value"));
    }
    return total;
}

static struct figures read_figures(void) {
    json_t *all = fixture_statistics("stats.json"), *launch;
    struct figures f = {0};
    size_t n;
    assert_non_null(all);
    json_array_foreach(json_object_get(all, "launches"), n, launch) {
        f.cycles += json_integer_value(json_object_get(launch, "cycles"));
    }
    f.threads = sum(all, "threads");
    f.accesses = sum(all, "l1d_accesses");
    f.outside = sum(all, "outside");
    json_decref(all);
    return f;
}

/* Runs a benchmark with arguments `words` on gt640-scalar with two settings; it must pass. */
static struct figures run(const char *first, const char *second, const char *const words[WORDS]) {
    char *command = spawn_text("%s/lockstep", spawn_build()),
         *config = spawn_text("%s/configs/gt640-scalar.yaml", spawn_source()),
         *program = spawn_text("%s/benchmarks/%s", spawn_build(), words[0]);
    char *argv[24] = {command, "run",         "--config", config,         "--stats", "stats.json", "--quiet",
                      "--set", (char *)first, "--set",    (char *)second, "--",      program};
    for (unsigned n = 1; n < WORDS && words[n]; n++) argv[12 + n] = (char *)words[n];
    struct spawned s = spawn(fixture_folder, argv);
    if (s.status || !strstr(s.out, "PASS")) fail_msg("%s: %s%s", words[0], s.out, s.err);
    spawn_free(&s);
    free(command);
    free(config);
    free(program);
    return read_figures();
}

static const char off[] = "kernel.scalar=off", ahead[] = "kernel.scalar=prefetch",
                  one[] = "scalar.clock_divisor=1";

static void results_stay(void **state) {
    (void)state;
    static const struct {
        const char *words[WORDS];
        bool sends; /* the kernel has loads beyond the first ones of each work-item */
        json_int_t outside;
    } runs[] = {
        {{"memory_copy"}, true, 0},
        /* 33 groups: the one after the 32 in flight has 5 elements of 128 in the buffer; the second line has
         * none */
        {{"memory_copy", "--count", "4101"}, true, 1},
        /* the last of 40 groups of 256 has 16 elements: three lines of each vector are outside */
        {{"vector_add", "--count", "10000"}, true, 6},
        {{"scalar_product"}, true, 0},
        {{"histogram"}, true, 0},
        {{"histogram", "--bins", "2"}, true, 0},
        /* the last of 36 turns of 256 has 41 elements: three of its lines are outside */
        {{"reduction", "--groups=7", "--count=9001"}, true, 3},
        {{"fft"}, false, 0},
        {{"matrix_multiply", "--size", "37"}, true, -1},
        {{"bfs"}, false, 0},
        {{"dwt_haar"}, false, 0},
        /* four tiles after the 16 in flight, from row 48 on: rows 50 to 63 are outside */
        {{"matrix_transpose", "--rows", "50", "--columns", "67"}, true, 56},
    };
    for (size_t n = 0; n < sizeof runs / sizeof *runs; n++) {
        const struct figures without = run(off, one, runs[n].words), with = run(ahead, one, runs[n].words);
        assert_int_equal(without.threads, 0);
        assert_true(with.threads > 0);
        if ((with.accesses > 0) != runs[n].sends) fail_msg("%s: %lld", runs[n].words[0], with.accesses);
        if (runs[n].outside >= 0 && with.outside != runs[n].outside)
            fail_msg("%s: %lld loads outside", runs[n].words[0], with.outside);
        assert_true(with.cycles != without.cycles);
    }
}

/* 8160 groups of 8192 load two lines (scalar-unit.md §2.1). */
static void a_copy_of_a_million(void **state) {
    (void)state;
    const struct figures f = run(ahead, one, (const char *[WORDS]){"memory_copy", "--input", "large"});
    assert_int_equal(f.accesses, 16320);
    assert_int_equal(f.outside, 0);
}

/* Writes a benchmark's kernel with its scalar kernel to a file of the folder. Returns its path. */
static char *made(const char *benchmark, const char *name, const char *option) {
    char *source = spawn_text("%s/benchmarks/%s/%s.cl", spawn_source(), benchmark, benchmark),
         *compiler = spawn_text("%s/lockstep-cc", spawn_build()),
         *path = spawn_text("%s/%s", fixture_folder, name);
    char *const words[] = {compiler,
                           "--no-cache",
                           "--emit=scalar-kernel",
                           "--scalar=prefetch",
                           "--line-bytes=256",
                           "-o",
                           path,
                           (char *)option,
                           source,
                           NULL};
    struct spawned s = spawn(fixture_folder, words);
    if (s.status) fail_msg("%s", s.err);
    spawn_free(&s);
    free(compiler);
    free(source);
    return path;
}

/* In each of 64 groups, 128 iterations of two lines. If no load counts as a hit, every second iteration is
 * loaded. If all do, loaded iterations are 0, 3, 7, 12, 18, 25, 33, 42, 52, 63, 75, 88, 102 and 117, and the
 * next step is 16 long. */
static void turns_are_skipped(void **state) {
    (void)state;
    static const struct {
        const char *option;
        json_int_t turns, step;
    } runs[] = {{"--options=-DSTRIDED -lockstep-prefetch-latency=1", 64, 2},
                {"--options=-DSTRIDED -lockstep-prefetch-latency=1000000", 14, 16}};
    for (unsigned n = 0; n < 2; n++) {
        char *path = made("reduction", "turns.cl", runs[n].option);
        const char *const words[WORDS] = {"reduction",       "--groups=64", "--group-size=128",
                                          "--count=1048576", "--kernel",    path};
        const struct figures f = run(off, one, words);
        /* A second launch adds the groups' sums: one iteration of a group, whose second line is outside. */
        assert_int_equal(f.accesses, 64 * 2 * runs[n].turns + 1);
        assert_int_equal(f.outside, 1);
        json_t *all = fixture_statistics("stats.json"), *row, *bucket;
        json_int_t noted = 0;
        size_t k, b;
        json_array_foreach(json_object_get(all, "histograms"), k, row) {
            if (strcmp(json_string_value(json_object_get(row, "name")), "noted") != 0) continue;
            json_array_foreach(json_object_get(row, "buckets"), b, bucket) {
                if (json_integer_value(json_object_get(bucket, "from")) == runs[n].step)
                    noted += json_integer_value(json_object_get(bucket, "count"));
            }
        }
        assert_int_equal(noted, n ? 64 : 65);
        json_decref(all);
        free(path);
    }
}

static void a_slower_unit_gains_no_more(void **state) {
    (void)state;
    static const char *const divisors[] = {"scalar.clock_divisor=1", "scalar.clock_divisor=2",
                                           "scalar.clock_divisor=4", "scalar.clock_divisor=8"};
    json_int_t before = 0;
    for (unsigned n = 0; n < 4; n++) {
        const struct figures f =
            run(ahead, divisors[n], (const char *[WORDS]){"memory_copy", "--input", "medium"});
        print_message("%s: %lld cycles\n", divisors[n], f.cycles);
        assert_true(f.cycles >= before);
        before = f.cycles;
    }
}

static void print(const char *what, struct figures without, struct figures with) {
    print_message("%s: %lld cycles without, %lld with: %+.1f %%\n", what, without.cycles, with.cycles,
                  100.0 * (double)without.cycles / (double)with.cycles - 100);
}

/* A copy limited by latency on eight work-groups of an SM gains from hits in the L1D and the L2. A matrix by
 * rows, with 256 lines in each iteration, loses little. */
static void who_gains(void **state) {
    (void)state;
    static const char eight[] = "cluster.groups=8";
    const char *const copy[WORDS] = {"memory_copy", "--input", "medium"},
                      *const rows[WORDS] = {"matrix_vector", "--access", "1", "--size", "256"},
                      *const columns[WORDS] = {"matrix_vector", "--access", "2", "--size", "256"};
    struct figures without = run(off, eight, copy), with = run(ahead, eight, copy);
    print("memory_copy", without, with);
    assert_true(with.cycles * 10 < without.cycles * 9);
    without = run(off, one, columns);
    with = run(ahead, one, columns);
    print("matrix_vector by columns", without, with);
    assert_true(with.cycles < without.cycles);
    without = run(off, one, rows);
    with = run(ahead, one, rows);
    print("matrix_vector by rows", without, with);
    assert_true(with.cycles * 10 < without.cycles * 11);
}

/* The partner's text with other addresses: anywhere, in other work-groups' data, outside. */
static void wrong_addresses_change_cycles_only(void **state) {
    (void)state;
    static const char *const wrong[] = {"from[k * i]", "from[~k]   ", "from[k<<20]", "from[0]    "};
    char *path = made("memory_copy", "wrong.cl", "--options=-w");
    char *text = spawn_read(path), *load = strstr(text, "from[k + i]");
    const char *const with[WORDS] = {"memory_copy", "--count", "30000", "--kernel", path};
    assert_non_null(load);
    spawn_write(path, text);
    const struct figures right = run(off, one, with);
    assert_true(right.threads > 0);
    for (unsigned n = 0; n < sizeof wrong / sizeof *wrong; n++) {
        memcpy(load, wrong[n], strlen(wrong[n]));
        spawn_write(path, text);
        const struct figures f = run(off, one, with);
        assert_true(f.cycles != right.cycles);
        assert_true(n == 3 || f.outside > 0);
    }
    free(text);
    free(path);
}

/* Without scalar units, a kernel with a prefetching partner runs without it. */
static void machines_that_leave_them_out(void **state) {
    (void)state;
    char *path = made("memory_copy", "ahead.cl", "--options=-w");
    const char *const with[WORDS] = {"memory_copy", "--kernel", path};
    const struct figures f = run("scalar.mode=off", one, with);
    assert_int_equal(f.threads, 0);
    char *command = spawn_text("%s/lockstep", spawn_build()),
         *program = spawn_text("%s/benchmarks/memory_copy", spawn_build());
    char *const mimd[] = {command, "run", "--set", "mode=mimd", "--", program, "--kernel", path, NULL};
    struct spawned s = spawn(fixture_folder, mimd);
    assert_int_equal(s.status, 0);
    spawn_free(&s);
    char *const refused[] = {command, "run", "--set", (char *)ahead, "--", program, NULL};
    s = spawn(fixture_folder, refused);
    assert_int_equal(s.status, 125);
    assert_non_null(strstr(s.err, "kernel.scalar is prefetch, but scalar.mode is off"));
    spawn_free(&s);
    free(command);
    free(program);
    free(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_stay),
        cmocka_unit_test(a_copy_of_a_million),
        cmocka_unit_test(turns_are_skipped),
        cmocka_unit_test(a_slower_unit_gains_no_more),
        cmocka_unit_test(who_gains),
        cmocka_unit_test(wrong_addresses_change_cycles_only),
        cmocka_unit_test(machines_that_leave_them_out),
    };
    return cmocka_run_group_tests_name("loading_ahead", tests, fixture_begin, fixture_end);
}
