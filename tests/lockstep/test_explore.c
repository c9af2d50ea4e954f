/* `lockstep explore`: results, areas, failing points, mistakes in sweeps. */
#include "lockstep/explore/sweep.h"
#include "sim/error.h"
#include "tests/fake_tools.h"
#include "tests/lockstep/exploring.h"
#include "tests/seed.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* The trial of 24 points (eight machines, three programs) took 20 s of the processor. */
static void test_24_points(void **state) {
    (void)state;
    char *text = spawn_text("fields:\n  cluster.lanes: [2, 4]\n  simt.warp_size: [8, 16]\n"
                            "  simt.pc_policy: [ics_first, min_pc]\nprograms:\n"
                            "  - %s/benchmarks/reduction\n  - %s/benchmarks/vector_add\n"
                            "  - %s/benchmarks/mandelbrot --size 64 %%/m.ppm\narea: off\n",
                            spawn_build(), spawn_build(), spawn_build());
    char *path = fixture_file("sweep.yaml", text, 0644);
    struct rusage before, after;
    getrusage(RUSAGE_CHILDREN, &before);
    struct spawned s = LOCKSTEP("explore", "sweep.yaml", "--out", "x", "--quiet");
    getrusage(RUSAGE_CHILDREN, &after);
    if (s.status) fail_msg("%s", s.err);
    assert_says(s.out, "24 points, 24 complete");
    const long took =
        after.ru_utime.tv_sec + after.ru_stime.tv_sec - before.ru_utime.tv_sec - before.ru_stime.tv_sec;
    if (took > 20) fail_msg("%ld s", took);
    print_message("%ld s of the processor\n", took);
    spawn_free(&s);
    free(path);
    free(text);
}

/* The table below the front compares machines that differ in one field. */
static void test_effects(void **state) {
    (void)state;
    char *path = explore_sweep("");
    struct spawned s = LOCKSTEP("explore", "sweep.yaml", "--out", "x");
    assert_status(&s, 0);
    const char *at = strstr(s.out, "what each field does");
    double policy, latency;
    assert_non_null(at);
    assert_non_null(strstr(at, "simt.pc_policy  ics_first  1.000"));
    const char *min_pc = strstr(at, "min_pc "), *slow = strstr(at, "  200  ");
    assert_non_null(min_pc && slow ? at : NULL);
    assert_int_equal(sscanf(min_pc, "min_pc %lf", &policy), 1);
    assert_int_equal(sscanf(slow, " 200 %lf", &latency), 1);
    assert_true(policy > 0.9 && policy < 1.1 && latency > 1 && latency < 2);
    spawn_free(&s);
    free(path);
}

static void test_points_that_fail(void **state) {
    (void)state;
    char *text =
        spawn_text("fields:\n  simt.warp_size: [16, 32]\n  cluster.threads_per_lane: [128, 512]\nprograms:\n"
                   "  - %s/benchmarks/vector_add\n  - %s/benchmarks/vector_add --no-such-option\n"
                   "area: off\nconstraints: {n_tpo: 48}\nmemory_ns: 100\n",
                   spawn_build(), spawn_build());
    char *path = fixture_file("sweep.yaml", text, 0644);
    struct spawned s = LOCKSTEP("explore", "sweep.yaml", "--out", "x");
    assert_status(&s, 0);
    assert_says(s.out, "8 points, 2 complete");
    assert_says(s.out, "no machine has completed all programs");
    spawn_free(&s);
    char *csv = fixture_path("x/points.csv"), *rows = spawn_read(csv);
    assert_says(rows, ",failed,");
    assert_says(rows, "\"n_tpo is 16, at least 48 is wanted\"");
    assert_says(rows, "--set mem.latency=100");
    free(rows);
    free(csv);
    free(path);
    free(text);
}

/* A field of some machines is set in those only; the command lists them. */
static void test_field_of_some_machines(void **state) {
    (void)state;
    char *text = spawn_text("fields:\n  simt.scheduler: [round_robin, two_level]\n"
                            "  simt.active_warps: [2]\nprograms:\n  - %s/benchmarks/vector_add\narea: off\n",
                            spawn_build());
    char *path = fixture_file("sweep.yaml", text, 0644);
    struct spawned s = LOCKSTEP("explore", "sweep.yaml", "--out", "x");
    assert_status(&s, 0);
    assert_says(s.out, "2 points, 2 complete");
    assert_row("x/points.csv", "run --set simt.scheduler=round_robin -- ");
    assert_row("x/points.csv", "run --set simt.scheduler=two_level --set simt.active_warps=2 -- ");
    spawn_free(&s);
    free(path);
    free(text);
}

/* Machines refused for the same reason are separate rows. */
static void test_refused(void **state) {
    (void)state;
    char *path =
        fixture_file("sweep.yaml",
                     "fields:\n  cluster.lanes: [8]\n  simt.warp_size: [4]\n  mem.latency: [100, 200]\n"
                     "programs: [\"true\"]\narea: off\n",
                     0644);
    struct spawned s = LOCKSTEP("explore", "sweep.yaml", "--out", "x");
    assert_status(&s, 0);
    assert_says(s.out, "2 points, 0 complete");
    assert_row("x/points.csv", "0,true,8,4,100,refused,");
    assert_row("x/points.csv", "1,true,8,4,200,refused,");
    spawn_free(&s);
    free(path);
}

/* The largest L2 makes one of three small machines too large without Verilog, the next one with it: neither
 * runs. */
static void test_area_budget(void **state) {
    (void)state;
    char *text = spawn_text("fields:\n  simt.warp_size: [4]\n  cluster.threads_per_lane: [4]\n"
                            "  simt.priority_levels: [1]\n  l2.size: [32768, 131072, 262144]\n"
                            "programs:\n  - %s/tests/hosts/vector_add\nconstraints: {area_mm2: 6.98}\n",
                            spawn_build());
    char *path = fixture_file("sweep.yaml", text, 0644);
    char *tools = fake_tools(), *cache = fixture_cache("cache"),
         *argv[] = {"env", tools, cache, fixture_command, "explore", "sweep.yaml", "--out", "x", NULL};
    struct spawned s = spawn(fixture_folder, argv);
    if (s.status) fail_msg("%s", s.err);
    assert_says(s.out, "3 points, 1 complete");
    assert_row("x/points.csv", "\"7.003 mm2, at most 6.980 are wanted");
    assert_row("x/points.csv", "\"8.141 mm2 without its Verilog, at most 6.980 are wanted");
    spawn_free(&s);
    free(cache);
    free(tools);
    free(path);
    free(text);
}

/* --- areas --- */

/* Writes a sweep of two small machines with the same eleven blocks. */
static char *area_sweep(const char *more) {
    char *text = spawn_text("fields:\n  simt.warp_size: [4]\n  cluster.threads_per_lane: [4]\n"
                            "  simt.priority_levels: [1]\n  l2.size: [32768, 131072]\n"
                            "programs:\n  - %s/tests/hosts/vector_add\n%s",
                            spawn_build(), more);
    char *path = fixture_file("sweep.yaml", text, 0644);
    free(text);
    return path;
}

/* Starts `lockstep explore` of it in the background: a synthesis takes `seconds`, and leaves a line
 * in `log`. */
static struct spawned begin_areas(char *out, char *cache, char *seconds, char *jobs) {
    char *tools = fake_tools(), *kept = fixture_cache(cache),
         *log = spawn_text("FAKE_LOG=%s/log", fixture_folder),
         *sleeps = spawn_text("FAKE_SECONDS=%s", seconds);
    char *argv[] = {"env",   tools, kept,     log,  sleeps, fixture_command, "explore", "sweep.yaml",
                    "--out", out,   "--jobs", jobs, NULL};
    const struct spawned s = spawn_start(fixture_folder, false, argv);
    free(sleeps);
    free(log);
    free(kept);
    free(tools);
    return s;
}

static size_t position(const char *text, const char *part) {
    assert_says(text, part);
    return (size_t)(strstr(text, part) - text);
}

/* The programs do not wait for synthesis: the front is printed before, and again with the areas. Two workers
 * share the blocks. */
static void test_programs_first(void **state) {
    (void)state;
    char *path = area_sweep("");
    struct spawned s = begin_areas("x", "cache", "0.5", "2");
    spawn_finish(&s);
    if (s.status) fail_msg("%s", s.err);
    assert_says(s.err, "2 points of 2 configurations, 11 blocks to synthesise");
    assert_says(s.err, "block 11 of 11, ");
    const size_t first = position(s.out, "before synthesis: areas with >"),
                 all = position(s.out, "2 points, 2 complete");
    assert_true(first < all);
    assert_true(position(s.out, "> ") < all);
    assert_null(strstr(s.out + all, "> "));
    assert_int_equal(explore_lines("log"), 11);
    spawn_free(&s);
    free(path);
}

/* Killed ten times during runs and syntheses: the result has the same bytes, and few blocks are synthesised
 * again. */
static void test_killed_synthesis(void **state) {
    (void)state;
    struct seed seed = seed_start();
    char *path = area_sweep("");
    struct spawned s = begin_areas("whole", "whole-cache", "0", "2");
    spawn_finish(&s);
    if (s.status) fail_msg("%s", s.err);
    spawn_free(&s);
    for (unsigned n = 0; n < 10; n++) {
        s = begin_areas("killed", "killed-cache", "0.2", "2");
        explore_nap(200 + (long)seed_below(&seed, 600));
        kill(s.pid, SIGKILL);
        spawn_finish(&s);
        spawn_free(&s);
    }
    s = begin_areas("killed", "killed-cache", "0", "2");
    spawn_finish(&s);
    if (s.status) fail_msg("%s", s.err);
    spawn_free(&s);
    assert_same_file("whole/points.sqlite", "killed/points.sqlite");
    assert_same_file("whole/points.csv", "killed/points.csv");
    assert_same_file("whole/points.json", "killed/points.json");
    assert_true(explore_lines("log") <= 2 * 11 + 2 * 10);
    free(path);
}

static void test_stopped_synthesis(void **state) {
    (void)state;
    char *path = area_sweep("");
    struct spawned s = begin_areas("x", "cache", "0.3", "1");
    while (explore_lines("log") < 3) explore_nap(20);
    kill(s.pid, SIGINT);
    spawn_finish(&s);
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "stopped: 2 of 2 runs are in ");
    assert_says(s.err, ", 2 of 11 blocks are done");
    assert_says(s.err, "the same command goes on");
    spawn_free(&s);
    free(path);
}

/* The clock depends on the area, so synthesis comes first. */
static void test_period_of_area(void **state) {
    (void)state;
    char *path = area_sweep("period: area\n");
    struct spawned s = begin_areas("x", "cache", "0", "2");
    spawn_finish(&s);
    if (s.status) fail_msg("%s", s.err);
    assert_null(strstr(s.out, "before synthesis"));
    assert_says(s.out, "2 points, 2 complete");
    assert_row("x/points.csv", "--set cluster.clock_mhz=");
    spawn_free(&s);
    free(path);
}

/* --- failures of the computer, and damage --- */

/* Explores the sweep, with its first program started by another command; checks status and message. */
static void assert_explores_to(const char *first, int status, const char *part) {
    char *text = spawn_text("programs:\n  - sh -c \"%s; exec %s/benchmarks/vector_add\"\n"
                            "  - %s/benchmarks/vector_add\narea: off\n",
                            first, spawn_build(), spawn_build());
    char *path = fixture_file("sweep.yaml", text, 0644);
    struct spawned s = LOCKSTEP("explore", "sweep.yaml", "--out", "x", "--jobs", "1", "--quiet");
    if (s.status != status) fail_msg("status %d: %s", s.status, s.err);
    assert_says(s.status ? s.err : s.out, part);
    spawn_free(&s);
    free(path);
    free(text);
}

/* The first run of the program fails because of the host; the same command repeats it, and the result is the
 * same as without the failure. */
static void test_host_failures(void **state) {
    (void)state;
    static const struct {
        const char *first, *says;
    } hosts[] = {
        {"test -e %1$s/%2$u || { touch %1$s/%2$u; kill -KILL $$; }", "killed by signal 9 (Killed)"},
        {"test -e %1$s/%2$u || { touch %1$s/%2$u; kill -TERM $$; }", "killed by signal 15 (Terminated)"},
        {"test -e %1$s/%2$u || { touch %1$s/%2$u; exit 137; }", "killed by signal 9 (Killed)"},
        {"test -e %1$s/%2$u || { touch %1$s/%2$u; kill -INT $PPID; sleep 9; }", "interrupted by SIGINT"},
        {"test -e %1$s/%2$u || { touch %1$s/%2$u; kill -KILL $PPID; sleep 9; }",
         "killed by signal 9 (Killed)"},
    };
    for (unsigned n = 0; n < sizeof hosts / sizeof *hosts; n++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        char *first = spawn_text(hosts[n].first, fixture_folder, n);
#pragma GCC diagnostic pop
        assert_explores_to(first, EXIT_USER, hosts[n].says);
        assert_explores_to(first, 0, "2 points, 2 complete");
        free(first);
    }
}

/* Failures of the program itself are results, which do not run again. */
static void test_own_failures(void **state) {
    (void)state;
    static const char *const own[] = {"exit 125", "exit 3", "exec true", "kill -SEGV $$", "kill -ABRT $$"};
    for (unsigned n = 0; n < sizeof own / sizeof *own; n++) {
        char *first = spawn_text("echo run >>%s/runs%u; %s", fixture_folder, n, own[n]);
        char *runs = spawn_text("runs%u", n);
        for (unsigned k = 0; k < 2; k++) assert_explores_to(first, 0, "2 points, 1 complete");
        assert_int_equal(explore_lines(runs), 1);
        free(runs);
        free(first);
    }
}

/* Each damage destroys one of eight results; the same command repeats it and says so. */
static void test_damaged_results(void **state) {
    (void)state;
    static const struct damage {
        const char *how;
    } damages[] = {
        {": >$f"},
        {"head -c 200 $f >t; mv t $f"},
        {"echo '{}' >$f"},
        {"sed -i 's/\"cycles\": /\"cycles\": -/' $f"},
        {"sed -i 's/\"cycles\": ./\"cycles\": 7/' $f"},
        {"cp $(ls x/points/*.json | tail -n 1) $f"},
    };
    char *path = explore_sweep("");
    assert_explored(LOCKSTEP("explore", "sweep.yaml", "--out", "whole"));
    assert_explored(LOCKSTEP("explore", "sweep.yaml", "--out", "x"));
    for (size_t n = 0; n < sizeof damages / sizeof *damages; n++) {
        char *script = spawn_text("f=$(ls x/points/*.json | head -n 1); %s", damages[n].how);
        struct spawned s = spawn(fixture_folder, (char *[]){"sh", "-c", script, NULL});
        assert_status(&s, 0);
        spawn_free(&s);
        s = LOCKSTEP("explore", "sweep.yaml", "--out", "x");
        assert_says(s.err, ".json is damaged: it is removed, and the point runs again");
        assert_explored(s);
        assert_same_file("whole/points.sqlite", "x/points.sqlite");
        assert_same_file("whole/points.json", "x/points.json");
        free(script);
    }
    assert_int_equal(explore_lines("runs"), 16 + sizeof damages / sizeof *damages);
    free(path);
}

/* A killed exploration's database, by the number of a process that is no more. */
static void test_left_database(void **state) {
    (void)state;
    char *path = explore_sweep("");
    struct spawned gone = spawn(fixture_folder, (char *[]){"true", NULL});
    assert_explored(LOCKSTEP("explore", "sweep.yaml", "--out", "x"));
    char *left = spawn_text("x/points.sqlite.%d.part", gone.pid), *file = fixture_file(left, "", 0644);
    assert_explored(LOCKSTEP("explore", "sweep.yaml", "--out", "x"));
    assert_exists(left, false);
    free(file);
    free(left);
    spawn_free(&gone);
    free(path);
}

/* Each result is on the disk before it has its name, and then its name is. */
static void test_synced_results(void **state) {
    (void)state;
    if (access("/usr/bin/strace", X_OK) != 0) {
        print_message("strace is missing\n");
        skip();
    }
    char *path = fixture_file("sweep.yaml", "programs: [\"true\"]\narea: off\n", 0644);
    struct spawned s = spawn(fixture_folder, (char *[]){"strace", "-f", "-qq", "-y", "-o", "calls", "-e",
                                                        "trace=fsync,rename", fixture_command, "explore",
                                                        "sweep.yaml", "--out", "x", NULL});
    spawn_free(&s);
    s = spawn(fixture_folder,
              (char *[]){"sh", "-c",
                         "grep 'x/points[/>]' calls | sed 's/^[0-9]* *//; s/(.*//' | tr '\\n' ' '", NULL});
    assert_string_equal(s.out, "fsync rename fsync ");
    spawn_free(&s);
    free(path);
}

/* Constraints of the base machine alone do not apply to a GPU-like one. */
static void test_constraints_of_other_machines(void **state) {
    (void)state;
    char *text = spawn_text("machine: %s/configs/gtx285-like.yaml\nprograms:\n  - %s/benchmarks/vector_add\n"
                            "area: off\nconstraints: {n_tpo: 48}\n",
                            spawn_source(), spawn_build());
    char *path = fixture_file("sweep.yaml", text, 0644);
    struct spawned s = LOCKSTEP("explore", "sweep.yaml", "--out", "x");
    assert_status(&s, 0);
    assert_row("x/points.csv", "n_tpo is for machines with contexts: tpm");
    spawn_free(&s);
    free(path);
    free(text);
}

static void test_focus(void **state) {
    (void)state;
    char *text =
        spawn_text("fields:\n  mem.latency: [50, 100, 150, 200, 250, 300]\nprograms:\n"
                   "  - %s/benchmarks/vector_add\narea: off\nsample: {kind: random, points: 1, seed: 3}\n",
                   spawn_build());
    char *path = fixture_file("sweep.yaml", text, 0644);
    struct spawned s = LOCKSTEP("explore", "sweep.yaml", "--out", "x", "--focus", "pareto");
    assert_status(&s, 0);
    assert_says(s.out, "\n  50 "); /* the minimum has been reached */
    spawn_free(&s);
    free(path);
    free(text);
}

/* The search ends with the maximum number of runs in a larger space; a killed and repeated search chooses the
 * same machines. */
static void test_genetic(void **state) {
    (void)state;
    struct seed seed = seed_start();
    char *text =
        spawn_text("fields:\n  mem.latency: [50, 100, 150, 200, 250, 300]\n  simt.warp_size: [8, 16, 32]\n"
                   "  cluster.lanes: [2, 4]\nprograms:\n  - %s/benchmarks/mandelbrot --size 16 %%/m.ppm\n"
                   "area: off\nsample: {kind: genetic, points: 13, population: 4, seed: 2}\n",
                   spawn_build());
    char *path = fixture_file("sweep.yaml", text, 0644);
    const long begun = explore_milliseconds();
    struct spawned s = LOCKSTEP("explore", "sweep.yaml", "--out", "whole", "--quiet");
    const long took = explore_milliseconds() - begun;
    assert_status(&s, 0);
    assert_says(s.out, "13 points, 13 complete");
    spawn_free(&s);
    for (unsigned n = 0; n < 3; n++) {
        s = spawn_start(
            fixture_folder, false,
            (char *[]){fixture_command, "explore", "sweep.yaml", "--out", "killed", "--quiet", NULL});
        explore_nap((long)seed_below(&seed, (uint32_t)took / 2 + 1));
        kill(s.pid, SIGKILL);
        spawn_finish(&s);
        spawn_free(&s);
    }
    s = LOCKSTEP("explore", "sweep.yaml", "--out", "killed", "--quiet", "--jobs", "1");
    assert_status(&s, 0);
    spawn_free(&s);
    assert_same_file("whole/points.sqlite", "killed/points.sqlite");
    s = LOCKSTEP("explore", "sweep.yaml", "--out", "y", "--worker", "1/2");
    assert_status(&s, EXIT_USER);
    assert_says(s.err,
                "sweep.yaml: kind: genetic chooses machines by the results of those before: it goes with");
    spawn_free(&s);
    s = LOCKSTEP("report", "whole", "--searches");
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "this is not the whole of a space (13 points, ");
    spawn_free(&s);
    free(path);
    free(text);
}

/* --- the sweep's file --- */

static void assert_refused(const char *text, const char *part) {
    struct sweep s;
    struct error e = {0};
    char *path = fixture_file("bad.yaml", text, 0644);
    assert_false(sweep_read(&s, path, &e));
    assert_int_equal(e.status, EXIT_USER);
    assert_says(e.message, part);
    sweep_free(&s);
    free(path);
}

static void test_bad_sweeps(void **state) {
    (void)state;
    assert_refused("", "the file is empty");
    assert_refused("[", "this is not YAML");
    assert_refused("- a\n", "`name: value` is needed here");
    assert_refused("fields: {simt.warp_size: [8]}\n", "programs are missing");
    assert_refused("filds: {}\n", "1: there is no filds: there are machine, fields");
    assert_refused("fields:\n  simt.warp_siez: [8]\n", "bad.yaml:2: ");
    assert_refused("fields:\n  simt.warp_size: [8, 9]\n", "simt.warp_size");
    assert_refused("fields:\n  simt.warp_size: [8, 8]\n", "8 is given twice");
    assert_refused("fields:\n  simt.warp_size: []\n", "a value is needed");
    assert_refused(
        "fields:\n  lwm.threads: [128, 64]\nprograms: [a]\n",
        "bad.yaml: lwm.threads=64 does nothing here: it needs simt.divergence=lwm, and that is pc");
    assert_refused("area: off\narea: fast\n", "2: area is given twice");
    assert_refused("programs: a\n", "a list is needed");
    assert_refused("programs: [\"a 'b\"]\n", "a quote does not end");
    assert_refused("programs: [a, a]\n", "a is there twice");
    assert_refused("programs: [a]\narea: some\n", "'some' is none of off, fast, full");
    assert_refused("programs: [a]\narea: off\nperiod: area\n", "area is off, but period: area needs it");
    assert_refused("programs: [a]\narea: off\nconstraints: {area_mm2: 3}\n", "needs it");
    assert_refused("programs: [a]\nconstraints: {area: 3}\n", "there is no area: there are n_tpo, area_mm2");
    assert_refused("programs: [a]\nmemory_ns: soon\n", "a number from 1");
    assert_refused("programs: [a]\nsample: {kind: random}\n", "points are missing");
    assert_refused("programs: [a]\nsample: {points: 3}\n", "its kind is missing");
    assert_refused("programs: [a]\nsample: {kind: best}\n",
                   "'best' is none of random, latin_hypercube, genetic");
    assert_refused("programs: [a]\nsample: {kind: random, points: 3, population: 4}\n",
                   "bad.yaml: sample: population is for kind: genetic");
    assert_refused("programs: [a]\nsample: {kind: genetic, points: 3, population: 1}\n",
                   "2: population: a number");
    assert_refused("programs: [a]\nsample: {kind: genetic}\n", "points are missing");
}

static struct sweep sample(const char *how) {
    struct sweep s;
    struct error e = {0};
    char *text = spawn_text("programs: [a, b]\nfields:\n  mem.latency: [10, 20, 30, 40]\n"
                            "  simt.scheduler: [round_robin, greedy_oldest]\n  tpm.latency: [1, 2, 3, 4]\n%s",
                            how);
    char *path = fixture_file("sample.yaml", text, 0644);
    if (!sweep_read(&s, path, &e)) fail_msg("%s", e.message);
    free(path);
    free(text);
    return s;
}

static void test_combinations(void **state) {
    (void)state;
    struct sweep s = sample("");
    assert_int_equal(s.configuration_count, 32);
    char *last = sweep_assignment(&s, 1, 2), *first = sweep_assignment(&s, 31, 0);
    assert_string_equal(last, "tpm.latency=2");
    assert_string_equal(first, "mem.latency=40");
    assert_int_equal(sweep_with_value(&s, 31, 1, 0), 27);
    free(first);
    free(last);
    sweep_free(&s);
}

/* Each value of a field is as often in a Latin hypercube as any other. */
static void test_samples(void **state) {
    (void)state;
    struct sweep s = sample("sample: {kind: latin_hypercube, points: 8, seed: 7}\n"),
                 again = sample("sample: {kind: latin_hypercube, points: 8, seed: 7}\n");
    unsigned seen[4] = {0};
    assert_int_equal(s.configuration_count, again.configuration_count);
    assert_memory_equal(s.configurations, again.configurations,
                        s.configuration_count * sizeof *s.configurations);
    for (size_t n = 0; n < s.configuration_count; n++) seen[sweep_value(&s, s.configurations[n], 0)]++;
    assert_true(s.configuration_count >= 7); /* two may fall together */
    for (unsigned v = 0; v < 4; v++) assert_in_range(seen[v], 1, 2);
    sweep_free(&s);
    sweep_free(&again);
    s = sample("sample: {kind: random, points: 5, seed: 1}\n");
    assert_in_range(s.configuration_count, 1, 5);
    sweep_free(&s);
    s = sample("sample: {kind: random, points: 500}\n");
    assert_int_equal(s.configuration_count, 32);
    sweep_free(&s);
}

/* --- the command line --- */

static void assert_command_refused(struct spawned s, const char *part) {
    assert_status(&s, EXIT_USER);
    assert_says(s.err, part);
    assert_string_equal(s.out, "");
    spawn_free(&s);
}

static void test_mistakes(void **state) {
    (void)state;
    char *path = explore_sweep(""), *file = fixture_file("file", "", 0644);
    char *missing = fixture_file("missing.yaml", "programs: [./nowhere]\narea: off\n", 0644);
    assert_command_refused(LOCKSTEP("explore"), "which sweep?");
    assert_command_refused(LOCKSTEP("explore", "sweep.yaml"), "--out is missing");
    assert_command_refused(LOCKSTEP("explore", "nowhere.yaml", "--out", "x"), "nowhere.yaml cannot be read");
    assert_command_refused(LOCKSTEP("explore", "sweep.yaml", "--out", "file/x"), "Not a directory");
    assert_command_refused(LOCKSTEP("explore", "sweep.yaml", "--out", "x", "--jobs", "0"), "--jobs 0");
    assert_command_refused(LOCKSTEP("explore", "sweep.yaml", "--out", "x", "--worker", "3/2"),
                           "--worker 3/2");
    assert_command_refused(LOCKSTEP("explore", "sweep.yaml", "--out", "x", "--engine", "cloud"),
                           "--engine cloud");
    assert_command_refused(LOCKSTEP("explore", "sweep.yaml", "--out", "x", "--focus", "best"),
                           "there is pareto");
    assert_command_refused(LOCKSTEP("explore", "sweep.yaml", "--out", "x", "--sshlogin", "a"),
                           "--engine parallel");
    struct spawned s = LOCKSTEP("explore", "missing.yaml", "--out", "x");
    assert_status(&s, EXIT_NOT_FOUND);
    assert_says(s.err, "./nowhere: there is no such program");
    spawn_free(&s);
    assert_exists("x", false);
    assert_command_refused(LOCKSTEP("report"), "which exploration?");
    assert_command_refused(LOCKSTEP("report", "x"), "There are --html, --svg and --searches");
    assert_command_refused(LOCKSTEP("report", "x", "--html"), "is x the DIR of a `lockstep explore --out`");
    free(missing);
    free(file);
    free(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_24_points),
        TEST(test_effects),
        TEST(test_points_that_fail),
        TEST(test_field_of_some_machines),
        TEST(test_refused),
        TEST(test_area_budget),
        TEST(test_programs_first),
        TEST(test_killed_synthesis),
        TEST(test_stopped_synthesis),
        TEST(test_period_of_area),
        TEST(test_host_failures),
        TEST(test_own_failures),
        TEST(test_damaged_results),
        TEST(test_left_database),
        TEST(test_synced_results),
        TEST(test_constraints_of_other_machines),
        TEST(test_focus),
        TEST(test_genetic),
        TEST(test_bad_sweeps),
        TEST(test_combinations),
        TEST(test_samples),
        TEST(test_mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
