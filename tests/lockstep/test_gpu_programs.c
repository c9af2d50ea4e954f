/* Every OpenCL program that runs on the base machine runs on each GPU-like machine (gpu-like.md §1):
 * benchmarks check their results against C, host programs their own. --exact-steps, a second run, and a trace
 * of some cycles give the same counters; `lockstep explain` accounts for every cycle; --check-uniform finds
 * nothing where the machine can have uniform values. `make test` runs one program for each machine,
 * LOCKSTEP_LONG=1 (`make test-long`) all of them on all; with LOCKSTEP_PROGRAMS=A:B those from number A up to
 * B. */
#include "sim/error.h"
#include "tests/fixture.h"
#include "tests/lockstep/gpu_programs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* `lockstep COMMAND --config MACHINE OPTIONS -- PROGRAM`; it must end well. */
static void run(const char *command, const char *machine, const struct program *p,
                const char *const *options) {
    char *config = spawn_text("%s/configs/%s.yaml", spawn_source(), machine);
    char *path = spawn_text("%s/%s", spawn_build(), p->path);
    char *argv[24] = {fixture_command, (char *)command, "--config", config};
    unsigned n = 4;
    while (*options) argv[n++] = (char *)*options++;
    argv[n++] = "--";
    argv[n++] = path;
    for (unsigned k = 0; p->arguments[k]; ++k) argv[n++] = (char *)p->arguments[k];
    struct spawned s = spawn(fixture_folder, argv);
    const bool reports = strcmp(command, "run") == 0; /* otherwise the program's output is not printed */
    if (s.status || (reports && is_benchmark(p) && !strstr(s.out, "PASS")))
        fail_msg("%s of %s on %s: status %d\n%s%s", command, p->path, machine, s.status, s.out, s.err);
    spawn_free(&s);
    free(config);
    free(path);
}

/* Checks that two runs have the same counters: one of them with exact steps or a trace. */
static void assert_same(const char *machine, const struct program *p, const char *what, const char *file) {
    json_t *plain = fixture_statistics("plain.json"), *other = fixture_statistics(file);
    static const char *const parts[] = {"totals", "counters"};
    for (unsigned n = 0; n < 2; ++n)
        if (!json_equal(json_object_get(plain, parts[n]), json_object_get(other, parts[n])))
            fail_msg("%s on %s: %s changes the %s", p->path, machine, what, parts[n]);
    json_decref(plain);
    json_decref(other);
}

/* Returns whether runs of a program are equal: threads of a host program start at any time. */
static bool repeats(const struct program *p) {
    return !strstr(p->path, "threads") && !strstr(p->path, "forks") && !strstr(p->path, "waiting");
}

static void run_all_ways(const char *machine, const struct program *p) {
    const bool uniform = strcmp(machine, "fermi-like") != 0 && strcmp(machine, "gt640-like") != 0;
    const char *const plain[] = {"--quiet", "--stats", "plain.json", NULL};
    const char *const exact[] = {"--quiet", "--exact-steps", "--stats", "exact.json", NULL};
    const char *const traced[] = {"--quiet", "--stats",        "traced.json", "--trace",
                                  "w.fst",   "--trace-cycles", "300:700",     NULL};
    const char *const again[] = {"--quiet", "--stats", "again.json", NULL};
    const char *const checked[] = {"--quiet", "--check-uniform",  "--set", "uniform.storage=token",
                                   "--set",   "uniform.intra=on", "--set", "uniform.inter=on",
                                   NULL};
    static const char *const lanes[] = {"lanes.scalar_unit=on", "lanes.kind=temporal",
                                        "lanes.kind=spatio_temporal", "scalar.mode=gcn"};
    const char *const none[] = {"--quiet", NULL};
    run("run", machine, p, plain);
    run("run", machine, p, exact);
    run("run", machine, p, traced);
    run("run", machine, p, again);
    if (repeats(p)) {
        assert_same(machine, p, "--exact-steps", "exact.json");
        assert_same(machine, p, "a trace", "traced.json");
        assert_same(machine, p, "a second run", "again.json");
    }
    run("explain", machine, p, none);
    if (uniform) run("run", machine, p, checked);
    for (unsigned n = 0; n < 4 && strcmp(machine, "stsimt-30x8") == 0; ++n) {
        const char *const scalars[] = {
            "--quiet", "--check-scalar", "--set", "kernel.scalarize=wide",
            "--set",   lanes[n],         "--set", n == 2 ? "lanes.group=4" : lanes[n],
            NULL};
        run("run", machine, p, scalars);
    }
}

static void programs_run_on_every_machine(void **state) {
    (void)state;
    const bool all = getenv("LOCKSTEP_LONG") != NULL;
    const char *range = getenv("LOCKSTEP_PROGRAMS");
    unsigned first = 0, end = PROGRAMS, count = 0;
    if (range) assert_int_equal(sscanf(range, "%u:%u", &first, &end), 2);
    for (unsigned n = first; n < end && n < PROGRAMS; ++n)
        for (unsigned m = 0; m < MACHINES; ++m) {
            if (!all && n != m) continue; /* the first programs, each on one machine */
            run_all_ways(machines[m], &programs[n]);
            ++count;
        }
    print_message("%u programs on machines: results right; exact steps, traces, second runs the same\n",
                  count);
    assert_true(count > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(programs_run_on_every_machine)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
