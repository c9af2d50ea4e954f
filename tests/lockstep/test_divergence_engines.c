/* OpenCL programs on fermi-like with every engine of simt.divergence: their results are right. With
 * --exact-steps, which also checks that every thread is in one place, all counters are equal. Without
 * divergence (divergence.md §4) all engines fill the lanes, and none more than the oracle. */
#include "tests/spawn.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const char *const engines[] = {"sbr", "lwm", "dwf", "harp", "oracle", "tbc", "pc"};
enum { ENGINES = sizeof engines / sizeof engines[0] };

static char *folder;

/* Returns the PC policy that engine pc needs. Other engines refuse one: --quiet, which changes no result. */
static char *policy_of(const char *engine) {
    return strncmp(engine, "pc", 2) == 0 ? "--set=simt.pc_policy=min_pc" : "--quiet";
}

/* Returns the statistics of a run. `engine`: its name, possibly with a blank and one more option. */
static json_t *run(const char *engine, const char *benchmark, bool exact) {
    char *command = spawn_text("%s/lockstep", spawn_build());
    char *config = spawn_text("%s/configs/fermi-like.yaml", spawn_source());
    char *few = "--set=cluster.count=2";
    char *policy = policy_of(engine);
    const int name = (int)strcspn(engine, " ");
    char *set = spawn_text("--set=simt.divergence=%.*s", name, engine);
    char *other = engine[name] ? (char *)engine + name + 1 : few;
    char *program = spawn_text("%s/%s", spawn_build(), benchmark);
    char *stats = spawn_text("%s/stats.json", folder);
    char *argv[] = {command, "run", "--config", config, "--stats", stats, few,
                    other,   set,   policy,     "--",   program,   NULL};
    char *exactly[] = {command, "run", "--exact-steps", "--config", config,  "--stats", stats, few,
                       other,   set,   policy,          "--",       program, NULL};
    struct spawned s = spawn("/", exact ? exactly : argv);
    if (s.status || !strstr(s.out, "PASS")) fail_msg("%s with %s: %s%s", benchmark, engine, s.out, s.err);
    spawn_free(&s);
    json_t *j = json_load_file(stats, 0, NULL);
    assert_non_null(j);
    free(command);
    free(config);
    free(set);
    free(program);
    free(stats);
    return j;
}

/* Returns the sum of a counter over all clusters; `part` of each: "", or such as ".harp0". */
static double sum(const json_t *j, const char *part, const char *name) {
    double total = 0;
    size_t n;
    json_t *c;
    json_array_foreach(json_object_get(j, "counters"), n, c) {
        const char *scope = json_string_value(json_object_get(c, "scope"));
        const size_t cluster = strcspn(scope, ".");
        if (strncmp(scope, "cluster", 7) == 0 && strcmp(scope + cluster, part) == 0 &&
            strcmp(json_string_value(json_object_get(c, "name")), name) == 0)
            total += json_number_value(json_object_get(c, "value"));
    }
    return total;
}

static double activity(const json_t *j) {
    return sum(j, "", "thread_instructions") / (16 * sum(j, "", "active_rounds"));
}

static void results_are_right_and_steps_exact(void **state) {
    (void)state;
    for (unsigned n = 0; n < ENGINES; ++n) {
        char *engine = spawn_text("%s --idle", engines[n]);
        json_t *a = run(engine, "benchmarks/bfs", false), *b = run(engine, "benchmarks/bfs", true);
        if (!json_equal(json_object_get(a, "counters"), json_object_get(b, "counters")))
            fail_msg("%s: --exact-steps counts something else", engines[n]);
        assert_true(sum(a, ".idle", "threads") > 0);
        assert_true(sum(a, ".idle", "threads") == sum(a, ".idle", "dependent") + sum(a, ".idle", "ready") +
                                                      sum(a, ".idle", "barrier") + sum(a, ".idle", "parted"));
        assert_true(sum(a, ".idle", "parted") == sum(a, ".idle", "inactive") + sum(a, ".idle", "meeting"));
        json_decref(a);
        json_decref(b);
        free(engine);
    }
}

static void without_divergence_all_lanes_are_active(void **state) {
    (void)state;
    double rounds = 0;
    for (unsigned n = 0; n < ENGINES; ++n) {
        json_t *j = run(engines[n], "benchmarks/vector_add", false);
        assert_true(activity(j) == 1);
        if (n) assert_true(sum(j, "", "active_rounds") == rounds);
        rounds = sum(j, "", "active_rounds");
        print_message("%s: %.0f rounds, all lanes active, no barrier, nobody merged\n", engines[n], rounds);
        assert_true(sum(j, ".harp0", "reserved") == 0);
        assert_true(sum(j, ".harp0", "ready_merged") == 0);
        json_decref(j);
    }
}

static void nobody_fills_more_than_the_oracle(void **state) {
    (void)state;
    static const char *const programs[] = {"benchmarks/n_queens", "benchmarks/bfs", "tests/hosts/divergence"};
    for (unsigned p = 0; p < sizeof programs / sizeof programs[0]; ++p) {
        json_t *j = run("oracle", programs[p], false);
        const double most = sum(j, ".oracle", "executions") / (16 * sum(j, ".oracle", "issues"));
        double of[ENGINES];
        json_decref(j);
        for (unsigned n = 0; n < ENGINES; ++n) {
            j = run(engines[n], programs[p], false);
            of[n] = activity(j);
            if (of[n] > most)
                fail_msg("%s: %s fills %f, the oracle %f", programs[p], engines[n], of[n], most);
            json_decref(j);
        }
        print_message(
            "%s: lanes active sbr %.1f %%, lwm %.1f %%, dwf %.1f %%, harp %.1f %%, tbc %.1f %%, the oracle "
            "%.1f %%\n",
            programs[p], 100 * of[0], 100 * of[1], 100 * of[2], 100 * of[3], 100 * of[5], 100 * most);
        if (of[1] < of[0]) fail_msg("%s: lwm fills %f, sbr %f", programs[p], of[1], of[0]);
        if (of[5] < of[0]) fail_msg("%s: tbc fills %f, sbr %f", programs[p], of[5], of[0]);
    }
}

/* Waves show the engine's tables, and a run stopped with threads in them names table and entry. */
static void tables_are_shown_and_told(void **state) {
    (void)state;
    static const char *const tables[] = {"stack", "stack", "pool", "ready_lookup", "stack", "warps", "pcs"};
    char *command = spawn_text("%s/lockstep", spawn_build());
    char *config = spawn_text("%s/configs/fermi-like.yaml", spawn_source());
    char *program = spawn_text("%s/benchmarks/n_queens", spawn_build());
    char *waves = spawn_text("%s/w.vcd", folder), *trace = spawn_text("--trace=%s", waves);
    for (unsigned n = 0; n < ENGINES; ++n) {
        char *set = spawn_text("--set=simt.divergence=%s", engines[n]),
             *declared = spawn_text(" %s ", tables[n]);
        char *entry = spawn_text(", %s[", n == 3 ? "first_level" : tables[n]);
        struct spawned s = spawn("/", (char *[]){command, "run", "--config", config, "--set=cluster.count=1",
                                                 policy_of(engines[n]), set, "--max-cycles=9000",
                                                 "--trace-cycles=8000:9000", trace, "--", program, NULL});
        char *text = spawn_read(waves);
        if (!strstr(text, declared) || !strstr(text, "]\\0400x"))
            fail_msg("%s: no table %s in the waves", engines[n], tables[n]);
        if (s.status != 120 || !strstr(s.err, entry))
            fail_msg("%s: no '%s' in: %s", engines[n], entry, s.err);
        free(text);
        free(set);
        free(declared);
        free(entry);
        spawn_free(&s);
    }
    free(command);
    free(config);
    free(program);
    free(waves);
    free(trace);
}

/* A lock whose holder waits, after the loop, for spinning threads: the run is stopped, and the message names
 * entry and table. */
static void spinning_is_told(void **state) {
    (void)state;
    static const struct {
        const char *engine, *says[2];
    } cases[] = {{"sbr", {"1 thread  waiting to meet those they parted from", ", stack[0], pc"}},
                 {"lwm", {"1 thread  waiting to meet those they parted from", ", stack[0], pc"}},
                 {"tbc", {"1 thread  waiting to meet those they parted from", ", stack[0], pc"}},
                 {"harp", {"waiting to meet those they parted from", ", barriers["}}};
    char *command = spawn_text("%s/lockstep", spawn_build());
    char *config = spawn_text("%s/configs/fermi-like.yaml", spawn_source());
    char *program = spawn_text("%s/tests/hosts/spin_locks", spawn_build());
    for (unsigned n = 0; n < sizeof cases / sizeof cases[0]; ++n) {
        char *set = spawn_text("--set=simt.divergence=%s", cases[n].engine);
        struct spawned s =
            spawn("/", (char *[]){command, "run", "--config", config, "--set=cluster.count=1", set,
                                  "--max-cycles=20000", "--", program, "every_work_item", "2", NULL});
        assert_int_equal(s.status, 120);
        for (unsigned k = 0; k < 2; ++k)
            if (!strstr(s.err, cases[n].says[k]))
                fail_msg("%s: no '%s' in: %s", cases[n].engine, cases[n].says[k], s.err);
        free(set);
        spawn_free(&s);
    }
    free(command);
    free(config);
    free(program);
}

/* 32 work-groups of a warp each count under a lock that they take and release by exchanges. The release gets
 * its turn; it did not within three million cycles when LDREX of a part of a warp took the turns of the
 * others. */
static void contenders_of_many_warps_end(void **state) {
    (void)state;
    char *command = spawn_text("%s/lockstep", spawn_build());
    char *config = spawn_text("%s/configs/fermi-like.yaml", spawn_source());
    char *program = spawn_text("%s/tests/hosts/spin_locks", spawn_build());
    static const char *const regrouping[] = {"lwm", "dwf", "tbc", "harp"};
    for (unsigned n = 0; n < sizeof regrouping / sizeof regrouping[0]; ++n) {
        char *set = spawn_text("--set=simt.divergence=%s", regrouping[n]);
        struct spawned s =
            spawn("/", (char *[]){command, "run", "--quiet", "--config", config, set, "--max-cycles=400000",
                                  "--", program, "one_of_a_warp", "1", "32", NULL});
        if (s.status || !strstr(s.out, "counted 32 of 32")) fail_msg("%s: %s%s", regrouping[n], s.out, s.err);
        free(set);
        spawn_free(&s);
    }
    free(command);
    free(config);
    free(program);
}

/* Acceptance test 6: with fewer barriers, more threads miss. */
static void more_barriers_miss_less(void **state) {
    (void)state;
    static const char *const settings[] = {"harp --set=harp.barriers=16", "harp --set=harp.barriers=32",
                                           "harp"};
    double missed[3];
    for (unsigned n = 0; n < 3; ++n) {
        json_t *j = run(settings[n], "benchmarks/mandelbrot", false);
        missed[n] = sum(j, ".harp0", "missed") + sum(j, ".harp1", "missed");
        json_decref(j);
    }
    print_message("meetings missed with 16, 32, 128 barriers: %.0f, %.0f, %.0f\n", missed[0], missed[1],
                  missed[2]);
    assert_true(missed[0] > missed[1] && missed[2] == 0);
}

static int make_folder(void **state) {
    (void)state;
    folder = spawn_folder();
    return 0;
}

static int remove_folder(void **state) {
    (void)state;
    spawn_remove_folder(folder);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(results_are_right_and_steps_exact),
                                       cmocka_unit_test(without_divergence_all_lanes_are_active),
                                       cmocka_unit_test(nobody_fills_more_than_the_oracle),
                                       cmocka_unit_test(tables_are_shown_and_told),
                                       cmocka_unit_test(spinning_is_told),
                                       cmocka_unit_test(contenders_of_many_warps_end),
                                       cmocka_unit_test(more_barriers_miss_less)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
