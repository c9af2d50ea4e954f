/* Waves with and without --exact-steps: the same bytes, whatever is skipped meanwhile; and a launch that is
 * stopped by its cycle limit stops in the same cycle. */
#include "sim/error.h"
#include "tests/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ARGUMENTS 48

static char **add(char **to, char *const more[]) {
    for (; *more; more++) *to++ = *more;
    *to = NULL;
    return to;
}

/* Returns the bytes of a file of the folder. */
static char *bytes_of(const char *name, size_t *size) {
    char *path = fixture_path(name);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    char *bytes = malloc(1 << 24);
    *size = fread(bytes, 1, 1 << 24, f);
    assert_in_range(*size, 1, (1 << 24) - 1);
    fclose(f);
    free(path);
    return bytes;
}

/* Runs with options and program, each ended by NULL. Returns the cycles of the first launch. */
static json_int_t same_waves(char *const options[], char *const program[], int status) {
    char *fast[MAX_ARGUMENTS] = {fixture_command, "run", "--trace", "fast.fst", "--stats", "fast.json", NULL};
    char *exact[MAX_ARGUMENTS] = {fixture_command, "run",     "--exact-steps", "--trace",
                                  "exact.fst",     "--stats", "exact.json",    NULL};
    add(add(add(fast + 6, options), (char *[]){"--", NULL}), program);
    add(add(add(exact + 7, options), (char *[]){"--", NULL}), program);
    struct spawned f = spawn(fixture_folder, fast), e = spawn(fixture_folder, exact);
    assert_status(&f, status);
    assert_status(&e, status);
    size_t size[2];
    char *wave[2] = {bytes_of("fast.fst", &size[0]), bytes_of("exact.fst", &size[1])};
    if (size[0] != size[1] || memcmp(wave[0], wave[1], size[0]) != 0)
        fail_msg("waves of %s (%s %s …) differ with --exact-steps", program[0], options[0] ? options[0] : "",
                 options[0] ? options[1] : "");
    json_t *s[2] = {fixture_statistics(status ? "fast.json.part" : "fast.json"),
                    fixture_statistics(status ? "exact.json.part" : "exact.json")};
    json_t *launch[2];
    for (unsigned n = 0; n < 2; n++) launch[n] = json_array_get(json_object_get(s[n], "launches"), 0);
    const json_int_t cycles = fixture_number(launch[0], "cycles");
    assert_int_equal(cycles, fixture_number(launch[1], "cycles"));
    assert_causes_add_up(launch[0]);
    assert_true(json_equal(json_object_get(launch[0], "cycles_by_cause"),
                           json_object_get(launch[1], "cycles_by_cause")));
    for (unsigned n = 0; n < 2; n++) {
        json_decref(s[n]);
        free(wave[n]);
    }
    spawn_free(&f);
    spawn_free(&e);
    return cycles;
}

static char *benchmark(const char *name) {
    return spawn_text("%s/benchmarks/%s", spawn_build(), name);
}

static char *const machines[][7] = {
    {NULL},
    {"--mode", "mimd", NULL},
    {"--set", "cluster.count=2", "--set", "tpm.read_ports=2", NULL},
    {"--set", "cluster.count=2", "--mode", "mimd", NULL},
    {"--set", "uniform.storage=token", "--set", "uniform.intra=on", NULL},
    {"--set", "simt.enter_cycles=50", "--set", "simt.scheduler=two_level", NULL},
    {"--set", "simt.arbitrate_cycles=5", "--set", "mem.dtlb_entries=2", "--set", "mem.mshrs=2", NULL},
    {"--set", "mem.page_walk=memory", "--set", "mem.dtlb_entries=1", "--set", "mem.walkers=2", NULL},
    {"--set", "cluster.count=2", "--set", "mem.tlb_miss=300", "--set", "mem.dtlb_entries=2", NULL},
};
enum { MACHINES = sizeof machines / sizeof machines[0] };

/* Every cycle of small runs. */
static void test_whole_runs(void **state) {
    (void)state;
    char *vectors = benchmark("vector_add"), *fractal = benchmark("mandelbrot");
    for (unsigned m = 0; m < MACHINES; m++) {
        same_waves(machines[m], (char *[]){vectors, "--count", "1000", NULL}, 0);
        same_waves(machines[m], (char *[]){fractal, "--size", "16", "--iterations", "20", "m.ppm", NULL}, 0);
    }
    free(vectors);
    free(fractal);
}

/* Many short windows of a divergent program; each opens while instructions are in flight. */
static void test_many_windows(void **state) {
    (void)state;
    char *program = benchmark("mandelbrot"), *options[MAX_ARGUMENTS], *windows[8];
    for (unsigned m = 0; m < 3; m++) {
        char **end =
            add(options, (char *[]){"--set", m == 1 ? "simt.pc_policy=min_pc" : "simt.priority_levels=8",
                                    "--set", m == 2 ? "cluster.count=2" : "cluster.count=1", NULL});
        for (unsigned n = 0; n < 8; n++) {
            windows[n] = spawn_text("%u:%u", 1500 + 3001 * n, 1500 + 3001 * n + 7 * (n % 3));
            end = add(end, (char *[]){"--trace-cycles", windows[n], NULL});
        }
        same_waves(options, (char *[]){program, "--size", "24", "--iterations", "64", "m.ppm", NULL}, 0);
        for (unsigned n = 0; n < 8; n++) free(windows[n]);
    }
    free(program);
}

/* Windows that open and close while much is skipped. */
static void test_windows(void **state) {
    (void)state;
    char *program = benchmark("convolution"), *options[MAX_ARGUMENTS];
    for (unsigned m = 0; m < MACHINES; m++) {
        add(add(options, machines[m]), (char *[]){"--trace-cycles", "100:150", "--trace-cycles", "1234:1300",
                                                  "--trace-cycles", "5000:5100", NULL});
        same_waves(options, (char *[]){program, "--size", "16", "--radius", "2", NULL}, 0);
    }
    free(program);
}

/* The first cycle that has a value in a window, in a stretch in which all cores wait for memory. */
static void test_a_window_begins_where_it_says(void **state) {
    (void)state;
    static const char *const modes[] = {"simt", "mimd"};
    char *program = benchmark("vector_add");
    for (unsigned m = 0; m < 2; m++) {
        struct spawned s = LOCKSTEP("run", "--mode", (char *)modes[m], "--set", "mem.latency=5000", "--trace",
                                    "t.fst", "--trace-cycles", "1000:1010", "--", program, "--count", "256");
        assert_status(&s, 0);
        assert_says(s.err, "it shows cycles 1,000 to 1,010");
        spawn_free(&s);
        s = spawn(fixture_folder, (char *[]){"fst2vcd", "t.fst", NULL});
        const char *first = strstr(s.out, "\n#");
        assert_non_null(first);
        assert_int_equal(strtoull(first + 2, NULL, 10), 1000000); /* picoseconds at 1 GHz */
        spawn_free(&s);
    }
    free(program);
}

/* Every limit stops at its exact cycle, whatever the launch is doing then, and every cycle has a cause. */
static void test_the_cycle_limit_is_exact(void **state) {
    (void)state;
    static const unsigned limits[] = {1, 2, 228, 777, 5001, 5002, 5003};
    char *program = benchmark("vector_add"), *options[MAX_ARGUMENTS];
    for (unsigned m = 0; m < MACHINES; m++)
        for (unsigned n = 0; n < sizeof limits / sizeof limits[0]; n++) {
            char *limit = spawn_text("%u", limits[n]);
            add(add(options, machines[m]), (char *[]){"--max-cycles", limit, NULL});
            assert_int_equal(
                same_waves(options, (char *[]){program, "--count", "2000", NULL}, EXIT_PROGRAM_FAULT),
                limits[n]);
            free(limit);
        }
    free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_whole_runs),
        TEST(test_windows),
        TEST(test_many_windows),
        TEST(test_a_window_begins_where_it_says),
        TEST(test_the_cycle_limit_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
