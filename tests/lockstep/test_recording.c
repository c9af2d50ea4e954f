/* `lockstep run --record` and `lockstep waves`. */
#include "sim/error.h"
#include "tests/fixture.h"
#include "tests/sim/trace_summary.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* --- derived signals are those of --trace --- */

struct summary {
    struct signal {
        char name[80];
        uint64_t changes, hash;
    } signal[8000];
    unsigned count;
};

static void note(void *context, const char *scope, const char *name, uint64_t changes, uint64_t hash) {
    struct summary *s = context;
    struct signal *signal = &s->signal[s->count];
    if (s->count == sizeof s->signal / sizeof *s->signal) return;
    snprintf(signal->name, sizeof signal->name, "%s.%s", scope, name);
    signal->changes = changes;
    signal->hash = hash;
    ++s->count;
}

static struct summary trace, waves;

static void summarize(struct summary *s, const char *name) {
    char *path = fixture_path(name);
    s->count = 0;
    trace_summarize(path, note, s);
    free(path);
    assert_true(s->count > 0);
}

static const struct signal *find_signal(const struct summary *s, const char *name) {
    for (unsigned n = 0; n < s->count; ++n)
        if (strcmp(s->signal[n].name, name) == 0) return &s->signal[n];
    fail_msg("no signal %s", name);
    return NULL;
}

/* `now` shows the same as `waits_for`. */
static void assert_same(const char *name) {
    char twin[80];
    const char *dot = strrchr(name, '.');
    snprintf(twin, sizeof twin, "%.*s%s", (int)(dot - name), name,
             strcmp(dot, ".now") == 0 ? ".waits_for" : dot);
    const struct signal *a = find_signal(&trace, twin), *b = find_signal(&waves, name);
    if (a->changes != b->changes || a->hash != b->hash)
        fail_msg("%s: %lu changes in the waves of the run, %lu in those of its recording, or others", name,
                 (unsigned long)a->changes, (unsigned long)b->changes);
}

/* Records and traces a run. Every signal of both is equal, except signals that only waves have and, if not
 * `now`, what a warp with threads in several flights does. */
static void assert_derived_but(char *const argv[], unsigned warps, bool now) {
    static const char *const of_unit[] = {"cluster0.mode",       "cluster0.barrier_table.opens_o",
                                          "cluster0.kernel",     "cluster0.warp_scheduler.grant_o",
                                          "cluster0.fetch.warp", "cluster0.operand_collector.warp",
                                          "cluster0.fetch.pc",   "cluster0.dispatcher.queue"};
    char *line[24] = {fixture_command, "run", "--record", "t.lsr", "--trace", "t.fst"};
    for (unsigned n = 0; argv[n]; ++n) line[n + 6] = argv[n];
    struct spawned s = spawn(fixture_folder, line);
    assert_status(&s, 0);
    assert_says(s.err, "lockstep waves t.lsr");
    spawn_free(&s);
    s = LOCKSTEP("waves", "t.lsr", "--cycles", "0:99999999", "--level", "2", "--all", "-o", "w.fst");
    assert_status(&s, 0);
    assert_says(s.out, "gtkwave w.fst w.gtkw");
    spawn_free(&s);
    summarize(&trace, "t.fst");
    summarize(&waves, "w.fst");
    for (unsigned n = 0; n < sizeof of_unit / sizeof *of_unit; ++n) assert_same(of_unit[n]);
    assert_true(find_signal(&waves, "cluster0.warp_scheduler.grant_o")->changes > 1000);
    for (unsigned w = 0; w < warps; ++w) {
        char name[40];
        snprintf(name, sizeof name, "cluster0.warp%u.participating", w);
        assert_same(name);
        snprintf(name, sizeof name, "cluster0.warp%u.now", w);
        if (now) assert_same(name);
    }
}

static void assert_derived(char *const argv[], unsigned warps) {
    assert_derived_but(argv, warps, true);
}

static void test_waves_are_those_of_the_run(void **state) {
    (void)state;
    char *program = fixture_host("vector_add");
    assert_derived((char *[]){"--", program, NULL}, 16);
    free(program);
}

/* Waves look into the pipeline, so that other code computes the same; here with a barrier and in exact steps.
 */
static void test_waves_of_exact_steps(void **state) {
    (void)state;
    char *program = spawn_text("%s/benchmarks/reduction", spawn_build());
    assert_derived((char *[]){"--exact-steps", "--", program, NULL}, 16);
    free(program);
}

static void test_waves_of_a_two_level_scheduler(void **state) {
    (void)state;
    char *program = fixture_host("vector_add");
    assert_derived(
        (char *[]){"--set", "simt.scheduler=two_level", "--set", "simt.collectors=2", "--", program, NULL},
        16);
    free(program);
}

/* Threads that wait where others will meet them are not ready to run. */
static void test_waves_of_stacks(void **state) {
    (void)state;
    char *program = spawn_text("%s/benchmarks/dwt_haar", spawn_build());
    assert_derived((char *[]){"--set", "simt.divergence=sbr", "--", program, NULL}, 16);
    free(program);
}

/* A flight with threads of several warps has a record for each of them. */
static void test_waves_of_formed_warps(void **state) {
    (void)state;
    char *program = spawn_text("%s/benchmarks/dwt_haar", spawn_build());
    assert_derived_but((char *[]){"--set", "simt.divergence=dwf", "--", program, NULL}, 16, false);
    free(program);
    /* several flights of a warp wait for ports of the TPM */
    program = spawn_text("%s/benchmarks/histogram", spawn_build());
    assert_derived_but((char *[]){"--set", "simt.divergence=dwf", "--set", "cluster.count=2", "--", program,
                                  "--input", "small", NULL},
                       16, false);
    free(program);
}

/* On machines of other kinds: signals of work-groups and instructions are equal. */
static void assert_equal_in(char *const machine[], const char *host, const char *const names[],
                            unsigned least) {
    char *program = fixture_host(host),
         *line[24] = {fixture_command, "run", "--record", "t.lsr", "--trace", "t.fst"};
    unsigned n = 6;
    for (; *machine; ++machine) line[n++] = *machine;
    line[n++] = "--";
    line[n] = program;
    struct spawned s = spawn(fixture_folder, line);
    assert_status(&s, 0);
    spawn_free(&s);
    s = LOCKSTEP("waves", "t.lsr", "--cycles", "0:99999999", "--level", "2", "--all", "-o", "w.fst");
    assert_status(&s, 0);
    spawn_free(&s);
    summarize(&trace, "t.fst");
    summarize(&waves, "w.fst");
    for (; *names; ++names) {
        const struct signal *a = find_signal(&trace, *names), *b = find_signal(&waves, *names);
        assert_in_range(b->changes, least, a->changes + 1);
        assert_true(a->changes < b->changes + 2); /* one may have a first value that the other lacks */
    }
    free(program);
}

static void test_gpu_like_machine(void **state) {
    (void)state;
    assert_equal_in((char *[]){"--config", "gtx285-like", NULL}, "vector_add",
                    (const char *[]){"cluster0.warp0.in_flight", "cluster0.warp1.in_flight",
                                     "cluster1.work_groups", "cluster0.work_groups", "cluster0.scheduler0.pc",
                                     NULL},
                    3);
    assert_same("cluster0.scheduler0.warp");
    assert_same("cluster1.scheduler0.warp");
    assert_true(find_signal(&waves, "cluster0.scheduler0.warp")->changes > 1000);
    assert_true(find_signal(&waves, "cluster0.operand_collector.instructions")->changes > 100);
    assert_true(find_signal(&waves, "cluster0.units.instructions")->changes > 100);
    assert_true(find_signal(&waves, "cluster0.memory.instructions")->changes > 50);
}

static void test_several_schedulers(void **state) {
    (void)state;
    assert_equal_in((char *[]){"--config", "fermi-like", "--set", "cluster.count=1", NULL}, "vector_add",
                    (const char *[]){"cluster0.scheduler1.pc", "cluster0.work_groups", NULL}, 3);
    assert_same("cluster0.scheduler0.warp");
    assert_same("cluster0.scheduler1.warp");
}

/* A scheduler that issues two instructions in a cycle has no single warp. */
static void test_issue_width(void **state) {
    (void)state;
    char *program = fixture_host("vector_add");
    struct spawned s = LOCKSTEP("run", "--config", "gt640-like", "--record", "t.lsr", "--", program);
    assert_status(&s, 0);
    spawn_free(&s);
    s = LOCKSTEP("waves", "t.lsr", "--level", "2", "--scope", "cluster0.scheduler*", "-o", "w.fst");
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "no signal of level 2 has such a name");
    spawn_free(&s);
    free(program);
}

static void test_mimd_mode(void **state) {
    (void)state;
    assert_equal_in(
        (char *[]){"--mode", "mimd", NULL}, "vector_add",
        (const char *[]){"cluster0.core0.work_group", "cluster0.core3.work_group", "cluster0.mode", NULL}, 2);
}

/* A superscalar core issues instructions of two runs in the cycle of a branch. */
static void test_superscalar_cores(void **state) {
    (void)state;
    static char *const kinds[] = {"core.kind=in_order", "core.kind=out_of_order"};
    for (unsigned n = 0; n < 2; ++n) {
        assert_equal_in((char *[]){"--mode", "mimd", "--set", kinds[n], NULL}, "vector_add",
                        (const char *[]){"cluster0.core0.work_group", "cluster0.mode", NULL}, 2);
        assert_true(find_signal(&waves, "cluster0.core0.runs")->changes > 100);
        assert_true(find_signal(&waves, "cluster0.core0.state")->changes > 100);
    }
}

/* --- a recording changes nothing --- */

static void assert_counters_kept(char *option, char *value) {
    char *program = fixture_host("vector_add");
    struct spawned s = LOCKSTEP("run", option, value, "--stats", "a.csv", "--", program);
    assert_status(&s, 0);
    spawn_free(&s);
    s = LOCKSTEP("run", option, value, "--stats", "b.csv", "--record", "t.lsr", "--", program);
    assert_status(&s, 0);
    spawn_free(&s);
    s = spawn(fixture_folder, (char *[]){"cmp", "a.csv", "b.csv", NULL});
    assert_status(&s, 0);
    spawn_free(&s);
    free(program);
}

static void test_counters_are_the_same(void **state) {
    (void)state;
    assert_counters_kept("--mode", "simt");
    assert_counters_kept("--mode", "mimd");
    assert_counters_kept("--config", "gtx285-like");
    assert_counters_kept("--config", "dual-mode-32x4");
}

/* SMs on several host threads record the same as on one. */
static void test_threads(void **state) {
    (void)state;
    char *program = fixture_host("vector_add"), *threads[] = {"1", "4"}, *name[] = {"a.fst", "b.fst"};
    for (unsigned n = 0; n < 2; ++n) {
        struct spawned s = LOCKSTEP("run", "--config", "gtx285-like", "--threads", threads[n], "--record",
                                    "t.lsr", "--", program);
        assert_status(&s, 0);
        spawn_free(&s);
        s = LOCKSTEP("waves", "t.lsr", "-o", name[n]);
        assert_status(&s, 0);
        spawn_free(&s);
    }
    struct spawned s = spawn(fixture_folder, (char *[]){"cmp", "a.fst", "b.fst", NULL});
    assert_status(&s, 0);
    spawn_free(&s);
    free(program);
}

/* --- windows and scopes --- */

static void record(const char *host) {
    char *program = fixture_host(host);
    struct spawned s = LOCKSTEP("run", "--record", "t.lsr", "--", program);
    assert_status(&s, 0);
    spawn_free(&s);
    free(program);
}

static void assert_shows(char *const argv[], const char *cycles) {
    char *line[16] = {fixture_command, "waves", "t.lsr", "-o", "w.fst"};
    for (unsigned n = 0; argv[n]; ++n) line[n + 5] = argv[n];
    struct spawned s = spawn(fixture_folder, line);
    assert_status(&s, 0);
    assert_says(s.out, cycles);
    assert_readable("w.fst");
    assert_exists("w.gtkw", true);
    spawn_free(&s);
}

static void test_windows(void **state) {
    (void)state;
    record("vector_add");
    assert_shows((char *[]){NULL}, "w.fst: cycles ");
    assert_shows((char *[]){"--cycles", "10000:11000", NULL}, "w.fst: cycles 10,000 to 11,000");
    assert_shows((char *[]){"--launch", "0", NULL}, "w.fst: cycles 0 to 13,031");
    assert_shows((char *[]){"--work-group", "1", "--launch", "1", NULL}, "w.fst: cycles 13,9");
    assert_shows((char *[]){"--scope", "cluster0.warp3.*", "--level", "2", NULL}, ", 5 signals, ");
    assert_shows((char *[]){"--level", "0", NULL}, ", 4 signals, ");
    struct spawned s = LOCKSTEP("waves", "t.lsr", "-o", "w.vcd");
    assert_status(&s, 0);
    spawn_free(&s);
    s = LOCKSTEP("waves", "t.lsr");
    assert_status(&s, 0);
    assert_says(s.out, "open with: gtkwave t.fst t.gtkw");
    spawn_free(&s);
}

/* --- signals that only recordings have --- */

static void assert_waves_hold(const char *text) {
    struct spawned s = spawn(fixture_folder, (char *[]){"fst2vcd", "w.fst", NULL});
    assert_says(s.out, text);
    spawn_free(&s);
}

/* Checks whether a condition holds, and the output of the search. */
static void assert_when(char *condition, bool holds, const char *says) {
    struct spawned s = LOCKSTEP("waves", "t.lsr", "-o", "w.fst", "--when", condition);
    assert_status(&s, holds ? 0 : EXIT_USER);
    assert_says(s.err, says);
    spawn_free(&s);
}

static void record_on(char *option, char *value, char *program) {
    struct spawned s = LOCKSTEP("run", option, value, "--record", "t.lsr", "--", program);
    assert_status(&s, 0);
    spawn_free(&s);
}

/* Each cycle has its number, and a clock that rises at the beginning of the cycle. */
static void test_clock_and_cycle(void **state) {
    (void)state;
    record("vector_add");
    assert_shows((char *[]){"--cycles", "10000:10999", "--level", "2", NULL}, "w.fst: ");
    summarize(&waves, "w.fst");
    assert_int_equal(find_signal(&waves, ".cycle")->changes, 1000);
    assert_int_equal(find_signal(&waves, ".clock")->changes, 2000);
    assert_waves_hold("\n#10999000\n");
    assert_waves_hold("\n#10999500\n");
    assert_when("cycle == 12345", true, "first in cycle 12,345; it begins to hold 1 times");
    assert_when("cycle[0]", true, "first in cycle 1;");
    assert_when("clock", false, "no signal is called 'clock'");
}

/* Long windows have neither. */
static void test_long_windows_have_no_clock(void **state) {
    (void)state;
    char *program = spawn_text("%s/benchmarks/reduction", spawn_build());
    record_on("--mode", "simt", program);
    assert_shows((char *[]){"--cycles", "0:499999", "--scope", "c[ly]*[ck]*[ek]", "--level", "2", NULL},
                 " signals, ");
    assert_waves_hold(" cycle ");
    assert_shows((char *[]){"--cycles", "0:500000", "--level", "2", NULL}, ", 109 signals, ");
    struct spawned s =
        LOCKSTEP("waves", "t.lsr", "--cycles", "0:500000", "--level", "2", "--scope", "clock", "-o", "x.fst");
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "at most 500000 cycles");
    assert_exists("x.fst", false);
    spawn_free(&s);
    free(program);
}

/* Global ids in three dimensions and with offsets, on machines of both kinds. */
static void test_items(void **state) {
    (void)state;
    char *option[] = {"--mode", "--config"}, *value[] = {"simt", "gtx285-like"};
    char *program = fixture_host("three_d");
    for (unsigned n = 0; n < 2; ++n) {
        record_on(option[n], value[n], program);
        assert_shows((char *[]){"--cycles", "0:99999999", NULL}, "w.fst: ");
        assert_waves_hold("s(3,\\04050,\\040700)\\040to\\040(6,\\04052,\\040700) ");
        assert_waves_hold("s(7,\\04053,\\040704)\\040to\\040(10,\\04055,\\040704) ");
        assert_waves_hold("s(2,\\0404,\\0400)\\040to\\040(3,\\0405,\\0403) ");
        assert_waves_hold("s(100040,\\0400,\\0400)\\040to\\040(100059,\\0400,\\0400) ");
    }
    free(program);
    program = spawn_text("%s/benchmarks/reduction", spawn_build());
    record_on("--mode", "simt", program);
    assert_when("warp1.item == \"(32, 0, 0) to (63, 0, 0)\"", true, "begins to hold ");
    assert_when("warp0.item == \"(32, 0, 0) to (63, 0, 0)\"", false, "it never holds");
    free(program);
}

/* Engines that regroup threads move all of them out of their first warp. */
static void test_items_of_regrouped_warps(void **state) {
    (void)state;
    char *program = fixture_host("vector_add");
    struct spawned s = LOCKSTEP("run", "--config", "fermi-like", "--set", "simt.divergence=dwf", "--set",
                                "cluster.count=1", "--record", "t.lsr", "--", program);
    assert_status(&s, 0);
    spawn_free(&s);
    assert_when("cluster0.warp0.item != \"\"", false, "it never holds");
    free(program);
}

static void test_states_of_cores(void **state) {
    (void)state;
    char *program = spawn_text("%s/benchmarks/reduction", spawn_build());
    record_on("--mode", "mimd", program);
    assert_when("core0.state == \"runs\" && core0.runs == 1 && core0.work_group != \"\"", true, "first in");
    assert_when("core0.state == \"waits\"", true, "first in");
    assert_when("core0.state == \"start-up\" && core0.work_group == \"\"", true, "first in cycle 2");
    assert_when("core1.state == \"runs\" && (core1.runs == 0 || core1.work_group == \"\")", false, "never");
    assert_when("core1.state == \"waits\" && (core1.runs == 1 || core1.work_group == \"\")", false, "never");
    record_on("--mode", "simt", program);
    assert_when("core3.state == \"start-up\" && mode == \"start-up\"", true, "first in cycle 0;");
    assert_when("core3.state != \"idle\" && mode != \"start-up\"", false, "never");
    free(program);
}

/* --- the view --- */

/* Checks that each line of the view that names a signal names one of the waveform. Returns their number. */
static unsigned assert_signals_exist(const char *view) {
    unsigned signals = 0;
    summarize(&waves, "w.fst");
    char *text = strdup(view), *rest = text, *line;
    while ((line = strsep(&rest, "\n")) != NULL) {
        if (*line == '+') line = strchr(line, ' ') + 1;
        if (strncmp(line, "cluster", 7) != 0) continue;
        line[strcspn(line, "[")] = '\0';
        find_signal(&waves, line);
        ++signals;
    }
    free(text);
    return signals;
}

static uint64_t number_after(const char *text, const char *label) {
    const char *at = strstr(text, label);
    assert_non_null(at);
    return strtoull(at + strlen(label), NULL, 10);
}

/* Returns the number of times with a change within the view: 400 cycles at 1 GHz. */
static unsigned changes_on_screen(const char *view) {
    const uint64_t first = number_after(view, "[timestart] ");
    struct spawned s = spawn(fixture_folder, (char *[]){"fst2vcd", "w.fst", NULL});
    unsigned times = 0;
    for (const char *at = s.out; (at = strstr(at, "\n#")); at++) {
        const uint64_t time = strtoull(at + 2, NULL, 10);
        times += time >= first && time < first + 400000;
    }
    spawn_free(&s);
    return times;
}

static void assert_view(char *const argv[], unsigned signals) {
    assert_shows(argv, "w.fst: cycles ");
    char *path = fixture_path("w.gtkw"), *view = spawn_read(path);
    assert_int_equal(assert_signals_exist(view), signals);
    assert_true(changes_on_screen(view) >= 20);
    free(view);
    free(path);
}

static void test_views(void **state) {
    (void)state;
    record("vector_add");
    assert_view((char *[]){NULL}, 4 + 16 * 5 + 4 * 5);
    assert_view((char *[]){"--level", "2", NULL}, 9 + 16 * 5 + 4 * 5);
    assert_view((char *[]){"--launch", "1", NULL}, 4 + 16 * 5 + 4 * 5);
    char *path = fixture_path("now.filter"), *filter = spawn_read(path);
    assert_says(filter, "1011 ?goldenrod4?barrier\n");
    free(filter);
    free(path);
    path = fixture_path("w.gtkw");
    char *view = spawn_read(path);
    assert_says(view, "/now.filter\n+{warp3} cluster0.warp3.now[3:0]\n");
    free(view);
    free(path);
}

/* After a fault, the view opens at its end, after all activity in the waveform. */
static void test_view_of_a_fault(void **state) {
    (void)state;
    char *program = fixture_host("endless");
    struct spawned s = LOCKSTEP("run", "--record", "t.lsr", "--max-cycles", "50000", "--", program, "--one");
    assert_status(&s, EXIT_PROGRAM_FAULT);
    spawn_free(&s);
    assert_shows((char *[]){NULL}, "w.fst: cycles 30,000 to 49,999");
    char *path = fixture_path("w.gtkw"), *view = spawn_read(path);
    assert_int_equal(number_after(view, "[timestart] "), 49600000);
    assert_true(changes_on_screen(view) >= 20);
    free(view);
    free(path);
    free(program);
}

static void assert_refused(char *const argv[], const char *says) {
    char *line[16] = {fixture_command, "waves"};
    for (unsigned n = 0; argv[n]; ++n) line[n + 2] = argv[n];
    struct spawned s = spawn(fixture_folder, line);
    assert_status(&s, EXIT_USER);
    assert_says(s.err, says);
    assert_exists("w.fst", false);
    assert_exists("w.gtkw", false);
    spawn_free(&s);
}

static void test_wrong_words(void **state) {
    (void)state;
    record("vector_add");
    assert_refused((char *[]){"-o", "w.fst", NULL}, "no recording is given");
    assert_refused((char *[]){"none.lsr", NULL}, "none.lsr: No such file");
    assert_refused((char *[]){"t.lsr", "-o", "w.lxt", NULL}, "must end in .fst or .vcd");
    assert_refused((char *[]){"t.lsr", "-o", "w.fst", "--level", "4", NULL}, "levels are 0 to 3");
    assert_refused((char *[]){"t.lsr", "-o", "w.fst", "--cycles", "9:1", NULL}, "FIRST:LAST is needed");
    assert_refused((char *[]){"t.lsr", "-o", "w.fst", "--cycles", "99999999:999999999", NULL},
                   "t.lsr ends at cycle");
    assert_refused((char *[]){"t.lsr", "-o", "w.fst", "--launch", "1000", NULL}, "0 to ");
    assert_refused((char *[]){"t.lsr", "-o", "w.fst", "--launch", "x", NULL}, "a number, 0 or more");
    assert_refused((char *[]){"t.lsr", "-o", "w.fst", "--work-group", "9,9,9", NULL}, "no such work-group");
    assert_refused((char *[]){"t.lsr", "-o", "w.fst", "--work-group", "1,x", NULL}, "three numbers");
    assert_refused((char *[]){"t.lsr", "-o", "w.fst", "--cycles", "1:2", "--launch", "0", NULL},
                   "leave --launch");
    assert_refused((char *[]){"t.lsr", "-o", "w.fst", "--scope", "cluster0.warp3.nov", NULL},
                   "did you mean 'cluster0.warp3.now'?");
    char *program = fixture_host("vector_add");
    struct spawned s = LOCKSTEP("run", "--record", "t.fst", "--", program);
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "must end in .lsr");
    spawn_free(&s);
    free(program);
}

/* A waveform that GTKWave could hardly load is not written unasked. */
static void test_too_many_changes(void **state) {
    (void)state;
    char *program = spawn_text("%s/benchmarks/hotspot", spawn_build());
    struct spawned s = LOCKSTEP("run", "--record", "t.lsr", "--", program);
    assert_status(&s, 0);
    spawn_free(&s);
    assert_refused((char *[]){"t.lsr", "-o", "w.fst", "--cycles", "0:99999999", NULL}, "or add --all");
    struct stat file;
    char *path = fixture_path("t.lsr");
    assert_int_equal(stat(path, &file), 0);
    assert_in_range(file.st_size, 100000, 1667812); /* a byte a warp instruction */
    free(path);
    free(program);
}

/* --- files that are not whole --- */

static char *contents(const char *name, size_t *size) {
    char *path = fixture_path(name);
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    fseek(in, 0, SEEK_END);
    *size = (size_t)ftell(in);
    rewind(in);
    char *bytes = malloc(*size);
    assert_int_equal(fread(bytes, 1, *size, in), *size);
    fclose(in);
    free(path);
    return bytes;
}

static void put(const char *name, const char *bytes, size_t size) {
    char *path = fixture_path(name);
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    fwrite(bytes, 1, size, out);
    fclose(out);
    free(path);
}

static void test_damaged_files(void **state) {
    (void)state;
    size_t size;
    record("vector_add");
    char *bytes = contents("t.lsr", &size);
    put("half.lsr", bytes, size - size / 8);
    struct spawned s = LOCKSTEP("waves", "half.lsr", "-o", "half.fst");
    assert_status(&s, 0);
    assert_says(s.err, "the run was killed");
    spawn_free(&s);
    put("cut.lsr", bytes, 40);
    assert_refused((char *[]){"cut.lsr", "-o", "w.fst", NULL}, "it ends in its head");
    put("empty.lsr", bytes, 0);
    assert_refused((char *[]){"empty.lsr", "-o", "w.fst", NULL}, "it is no recording");
    bytes[size - 40] ^= 1; /* damages the index: the file is read without it */
    put("index.lsr", bytes, size);
    s = LOCKSTEP("waves", "index.lsr", "-o", "index.fst");
    assert_status(&s, 0);
    spawn_free(&s);
    bytes[size - 40] ^= 1;
    bytes[size / 2] ^= 1;
    put("flipped.lsr", bytes, size);
    assert_refused((char *[]){"flipped.lsr", "-o", "w.fst", "--cycles", "0:99999999", NULL}, "is damaged");
    bytes[8] = 77;
    put("later.lsr", bytes, size);
    assert_refused((char *[]){"later.lsr", "-o", "w.fst", NULL}, "version 77");
    free(bytes);
}

static off_t size_of(const char *name) {
    char *path = fixture_path(name);
    struct stat file;
    const off_t bytes = stat(path, &file) ? 0 : file.st_size;
    free(path);
    return bytes;
}

static void test_killed_run(void **state) {
    (void)state;
    char *program = fixture_host("endless");
    struct spawned s = spawn_start(
        fixture_folder, false, (char *[]){fixture_command, "run", "--record", "t.lsr", "--", program, NULL});
    char *part = spawn_text("t.lsr.%d.part", s.pid);
    for (int i = 0; i < 6000 && size_of(part) < 100000; i++)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    assert_true(size_of(part) >= 100000);
    kill(s.pid, SIGKILL);
    spawn_finish(&s);
    spawn_free(&s);
    s = LOCKSTEP("waves", part, "-o", "w.fst");
    assert_status(&s, 0);
    assert_says(s.err, "the run was killed");
    assert_readable("w.fst");
    spawn_free(&s);
    free(part);
    free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_waves_are_those_of_the_run),
        TEST(test_waves_of_exact_steps),
        TEST(test_waves_of_a_two_level_scheduler),
        TEST(test_waves_of_stacks),
        TEST(test_waves_of_formed_warps),
        TEST(test_gpu_like_machine),
        TEST(test_several_schedulers),
        TEST(test_issue_width),
        TEST(test_mimd_mode),
        TEST(test_superscalar_cores),
        TEST(test_threads),
        TEST(test_counters_are_the_same),
        TEST(test_windows),
        TEST(test_clock_and_cycle),
        TEST(test_long_windows_have_no_clock),
        TEST(test_items),
        TEST(test_items_of_regrouped_warps),
        TEST(test_states_of_cores),
        TEST(test_views),
        TEST(test_view_of_a_fault),
        TEST(test_wrong_words),
        TEST(test_too_many_changes),
        TEST(test_damaged_files),
        TEST(test_killed_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
