/*
 * Recorded cycles: each of ten benchmarks takes on each GPU-like machine, and on the one with uniform values,
 * the cycles that it took when it was recorded (small inputs), and passes. tests/golden/gpu_cycles.txt has a
 * line a run: machine, benchmark, cycles. A change that is meant to change them is recorded by
 * GOLDEN=update build/tests/test_gpu_golden and shows in the commit. LOCKSTEP_LONG=1 (`make test-long`) runs
 * the large inputs on gtx285-like, too.
 */
#include "tests/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RECORD "tests/golden/gpu_cycles.txt"

static const char *const machines[] = {"gtx285-like", "gtx285-like-16", "stsimt-30x8",
                                       "fermi-like",  "gt640-like",     "uniform"};
static const char *const benchmarks[] = {
    "n_queens",        "bfs", "needleman_wunsch", "laplace3d", "ray_tracing",
    "matrix_multiply", "fft", "matrix_transpose", "dwt_haar",  "histogram"};

/* `uniform`: gtx285-like with tokens and a reuse buffer. */
static json_int_t cycles_of(const char *machine, const char *benchmark, char *input) {
    const bool uniform = strcmp(machine, "uniform") == 0;
    char *config = spawn_text("%s/configs/%s.yaml", spawn_source(), uniform ? machines[0] : machine);
    char *program = spawn_text("%s/benchmarks/%s", spawn_build(), benchmark);
    char *argv[20] = {fixture_command, "run", "--stats", "s.json", "--config", config};
    char *const set[] = {"--set", "uniform.storage=token", "--set", "uniform.intra=on",
                         "--set", "uniform.inter=on"};
    unsigned n = 6;
    for (unsigned k = 0; uniform && k < 6; ++k) argv[n++] = set[k];
    argv[n++] = "--";
    argv[n++] = program;
    argv[n++] = "--input";
    argv[n++] = input;
    struct spawned s = spawn(fixture_folder, argv);
    if (s.status || !strstr(s.out, "PASS"))
        fail_msg("%s, %s on %s: %s%s", benchmark, input, machine, s.out, s.err);
    json_t *statistics = fixture_statistics("s.json");
    const json_int_t cycles = fixture_number(json_object_get(statistics, "totals"), "cycles");
    json_decref(statistics);
    spawn_free(&s);
    free(config);
    free(program);
    return cycles;
}

static void cycles_are_those_recorded(void **state) {
    (void)state;
    const char *golden = getenv("GOLDEN");
    const bool update = golden && strcmp(golden, "update") == 0;
    char *path = spawn_text("%s/" RECORD, spawn_source()), *recorded = update ? NULL : spawn_read(path);
    FILE *out = update ? fopen(path, "w") : NULL;
    unsigned different = 0;
    assert_true(recorded || out);
    for (unsigned m = 0; m < sizeof machines / sizeof *machines; ++m)
        for (unsigned b = 0; b < sizeof benchmarks / sizeof *benchmarks; ++b) {
            const json_int_t cycles = cycles_of(machines[m], benchmarks[b], "small");
            char *line = spawn_text("%s %s %lld\n", machines[m], benchmarks[b], (long long)cycles);
            if (out) fputs(line, out);
            if (recorded && !strstr(recorded, line)) {
                print_error("not recorded: %s", line);
                ++different;
            }
            free(line);
        }
    if (out) fclose(out);
    free(recorded);
    free(path);
    assert_int_equal(different, 0);
}

static void large_inputs_pass(void **state) {
    (void)state;
    for (unsigned b = 0; getenv("LOCKSTEP_LONG") && b < sizeof benchmarks / sizeof *benchmarks; ++b)
        assert_true(cycles_of("gtx285-like", benchmarks[b], "large") > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(cycles_are_those_recorded), TEST(large_inputs_pass)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
