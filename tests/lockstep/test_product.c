/* Every command and option on every machine of configs/ with every engine: each run ends as documented, or is
 * refused with a message; none ends with an internal error or a signal. `make test` runs a random part of the
 * product, `explain` with each engine, and the waves of each configuration with and without --exact-steps,
 * which must be equal. LOCKSTEP_LONG=1 (`make test-long`) runs the whole product.
 *
 * Verilog (--rtl) and synthesis are left out: they take minutes for each machine, and have their
 * own tests. */
#include "sim/error.h"
#include "tests/fixture.h"
#include "tests/seed.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 48, MOST_MACHINES = 64, SOME_RUNS = 40 };

/* Below build/: barriers and local memory; scalar kernels; threads that part; work-groups of one work-item.
 */
static const char *const programs[] = {"tests/hosts/own_reduction", "benchmarks/segmentation",
                                       "benchmarks/mandelbrot --size 16 m.ppm"};
enum { PROGRAMS = sizeof programs / sizeof *programs };

/* Settings for each machine. Those that a machine refuses are skipped. */
static const char *const variations[] = {
    "",
    "mode=mimd",
    "simt.pc_policy=min_pc",
    "simt.divergence=sbr",
    "simt.divergence=lwm",
    "simt.divergence=dwf",
    "simt.divergence=harp",
    "simt.divergence=oracle",
    "simt.divergence=tbc",
    "simt.divergence=pc simt.pc_policy=min_pc",
    "simt.mitigation=skip",
    "simt.mitigation=slp",
    "simt.mitigation=dpe",
    "simt.mitigation=alt",
    "uniform.storage=token uniform.intra=on uniform.inter=on",
    "uniform.storage=srf uniform.intra=on uniform.inter=on",
    "kernel.scalarize=wide lanes.scalar_unit=on",
    "kernel.scalarize=convergent",
    "kernel.scalar=prefetch",
    "kernel.scalar=extract",
    "kernel.scalar=divergence",
};
enum { VARIATIONS = sizeof variations / sizeof *variations };

/* A command and its options: words before the machine's. */
static const char *const commands[] = {
    "config",
    "run --stats s.json",
    "run --exact-steps --stats s.csv",
    "run --stats s.txt --max-cycles 1500",
    "run --trace t.fst",
    "run --trace t.vcd --exact-steps --trace-cycles 0:500",
    "run --events --stats s.json",
    "run --events --exact-steps --stats s.json",
    "run --redundancy --stats s.json",
    "run --idle --stats s.json",
    "run --threads 2",
    "run --check-levels",
    "run --check-memory",
    "run --check-races",
    "run --check-uniform",
    "run --check-scalar",
    "run --tolerate-outside",
    "run --inject alu=2,register=1,seed=3",
    "run --inject irb=1,srf=1",
    "explain",
    "explain --json",
    "explain --exact-steps",
    "explain --events --redundancy",
    "explain --threads 2",
    "explain --max-cycles 1500",
    "energy",
    "energy --json --exact-steps",
    "compare --set cluster.clock_mhz=500,600",
    "compare --json --set cluster.clock_mhz=500,600 --exact-steps",
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static char *machine[MOST_MACHINES]; /* names in configs/ */
static unsigned machines;

static int find_machines(void **state) {
    (void)state;
    char *folder = spawn_text("%s/configs", spawn_source());
    DIR *d = opendir(folder);
    assert_non_null(d);
    for (const struct dirent *f; (f = readdir(d)) && machines < MOST_MACHINES;) {
        const size_t length = strlen(f->d_name);
        if (length > 5 && strcmp(f->d_name + length - 5, ".yaml") == 0)
            machine[machines++] = strndup(f->d_name, length - 5);
    }
    closedir(d);
    free(folder);
    return machines >= 16 ? 0 : -1;
}

/* Runs a command on a machine with a variation of it. */
static struct spawned call_with(const char *command, const char *name, const char *variation,
                                const char *program) {
    char *words = strdup(command), *sets = strdup(variation), *rest;
    char *config = spawn_text("--config=%s/configs/%s.yaml", spawn_source(), name);
    char *path = spawn_text("%s/%s", spawn_build(), program), *argv[MOST_WORDS] = {fixture_command};
    unsigned n = 1;
    for (char *w = strtok_r(words, " ", &rest); w; w = strtok_r(NULL, " ", &rest)) argv[n++] = w;
    argv[n++] = config;
    for (char *w = strtok_r(sets, " ", &rest); w; w = strtok_r(NULL, " ", &rest)) {
        argv[n++] = "--set";
        argv[n++] = w;
    }
    if (strcmp(command, "config") != 0) {
        argv[n++] = "--";
        for (char *w = strtok_r(path, " ", &rest); w; w = strtok_r(NULL, " ", &rest)) argv[n++] = w;
    }
    struct spawned s = spawn(fixture_folder, argv);
    free(words);
    free(sets);
    free(config);
    free(path);
    return s;
}

static struct spawned call(const char *command, const char *name, const char *variation) {
    return call_with(command, name, variation, programs[0]);
}

static bool is_machine(const char *name, const char *variation) {
    struct spawned s = call("config", name, variation);
    const bool is = s.status == 0;
    spawn_free(&s);
    return is;
}

/* Returns whether a run ends well. If it is refused, a message explains which settings contradict each other,
 * and nothing has run. */
static bool ends_well(const struct spawned *s, const char *command) {
    if (s->status == EXIT_USER) return strncmp(s->err, "lockstep", 8) == 0 && !strstr(s->out, "PASS");
    if (s->status == EXIT_PROGRAM_FAULT) return strstr(command, "--max-cycles") != NULL;
    return s->status == 0;
}

static void check(unsigned m, unsigned v, unsigned c) {
    struct spawned s = call(commands[c], machine[m], variations[v]);
    if (!ends_well(&s, commands[c]))
        fail_msg("lockstep %s, machine %s, %s: status %d: %s", commands[c], machine[m], variations[v],
                 s.status, s.err);
    spawn_free(&s);
}

/* With each engine, on a machine that accepts all: `explain` has the same sums with exact steps. */
static void test_explain_with_each_engine(void **state) {
    (void)state;
    for (unsigned v = 0; v < VARIATIONS; v++) {
        if (!is_machine("fermi-like", variations[v])) continue;
        struct spawned fast = call("explain --quiet", "fermi-like", variations[v]),
                       exact = call("explain --quiet --exact-steps", "fermi-like", variations[v]);
        if (fast.status) fail_msg("%s: %s", variations[v], fast.err);
        assert_status(&exact, 0);
        assert_string_equal(fast.out, exact.out);
        spawn_free(&fast);
        spawn_free(&exact);
    }
}

static void test_product(void **state) {
    (void)state;
    const bool whole = getenv("LOCKSTEP_LONG") != NULL;
    unsigned runs = 0, known = 0;
    if (whole) {
        for (unsigned m = 0; m < machines; m++)
            for (unsigned v = 0; v < VARIATIONS; v++) {
                if (!is_machine(machine[m], variations[v])) continue;
                known++;
                for (unsigned c = 0; c < COMMANDS; c++, runs++) check(m, v, c);
            }
    } else {
        struct seed seed = seed_start();
        while (runs < SOME_RUNS) {
            const unsigned m = seed_below(&seed, machines), v = seed_below(&seed, VARIATIONS);
            if (!is_machine(machine[m], variations[v])) continue;
            known++;
            check(m, v, seed_below(&seed, COMMANDS));
            runs++;
        }
    }
    print_message("%u runs, %u machines\n", runs, known);
}

/* Compares waves of the first cycles, with and without skipped cycles. */
static void same_waves(const char *name, const char *variation, const char *program) {
    struct spawned fast = call_with("run --trace f.fst --trace-cycles 0:20000", name, variation, program),
                   exact = call_with("run --exact-steps --trace e.fst --trace-cycles 0:20000", name,
                                     variation, program);
    assert_int_equal(fast.status, exact.status);
    if (fast.status) fail_msg("%s, %s, %s: %s", program, name, variation, fast.err);
    struct spawned cmp = spawn(fixture_folder, (char *[]){"cmp", "f.fst", "e.fst", NULL});
    if (cmp.status) fail_msg("waves of %s on %s, %s, differ with --exact-steps", program, name, variation);
    spawn_free(&cmp);
    spawn_free(&fast);
    spawn_free(&exact);
}

/* Every configuration; in the long form with every variation and program. Scalar units always, whose threads
 * wait for events that only time brings. */
static void test_waves(void **state) {
    (void)state;
    const bool whole = getenv("LOCKSTEP_LONG") != NULL;
    static const char *const scalars[] = {"kernel.scalar=prefetch", "kernel.scalar=extract",
                                          "kernel.scalar=divergence"};
    for (size_t n = 0; n < sizeof scalars / sizeof *scalars; n++)
        same_waves("gt640-scalar", scalars[n], "benchmarks/segmentation");
    for (unsigned m = 0; m < machines; m++)
        for (unsigned v = 0; v < (whole ? VARIATIONS : 1); v++)
            for (unsigned p = 0; p < (whole ? PROGRAMS : 1) && is_machine(machine[m], variations[v]); p++)
                same_waves(machine[m], variations[v], programs[p]);
}

static int free_machines(void **state) {
    (void)state;
    while (machines > 0) free(machine[--machines]);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(test_explain_with_each_engine), TEST(test_product),
                                       TEST(test_waves)};
    return cmocka_run_group_tests(tests, find_machines, free_machines);
}
