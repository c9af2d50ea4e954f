/* OpenCL programs on Lockstep's GPU-like machines: results are right, --exact-steps changes nothing, and
 * programs that are not built for these machines are refused. */
#include "tests/spawn.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const char *const machines[] = {"gtx285-like",   "gtx285-like-16",       "stsimt-30x8",
                                       "temporal-30x8", "spatio-temporal-30x8", "gt640-like",
                                       "fermi-like"};

/* At least two work-groups for each SM, in a quarter of the cycles of the program's own input. */
static const char some_work[] = "reduction --count 16384";

/* Runs a benchmark with its arguments on a machine, with options or NULL; statistics go to a file. */
static struct spawned run(const char *machine, const char *options, const char *stats,
                          const char *benchmark) {
    char *command = spawn_text("%s/lockstep", spawn_build());
    char *config = spawn_text("%s/configs/%s.yaml", spawn_source(), machine);
    char *program = spawn_text("%s/benchmarks/%s", spawn_build(), benchmark);
    char *argv[14] = {command, "run", "--config", config, "--stats", (char *)stats};
    unsigned n = 6;
    char *words = strdup(options ? options : "");
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) argv[n++] = word;
    argv[n++] = "--";
    for (char *word = strtok(program, " "); word; word = strtok(NULL, " ")) argv[n++] = word;
    struct spawned s = spawn("/", argv);
    free(words);
    free(command);
    free(config);
    free(program);
    return s;
}

static void results_are_right(void **state) {
    (void)state;
    static const char *const benchmarks[] = {"reduction", "path_finder", "math_function", "n_queens", "bfs",
                                             "histogram", "fft"};
    char *folder = spawn_folder(), *stats = spawn_text("%s/stats.json", folder);
    for (unsigned m = 0; m < sizeof machines / sizeof *machines; ++m)
        for (unsigned b = 0; b < sizeof benchmarks / sizeof *benchmarks; ++b) {
            struct spawned s = run(machines[m], NULL, stats, benchmarks[b]);
            if (s.status || !strstr(s.out, "PASS"))
                fail_msg("%s on %s: %s%s", benchmarks[b], machines[m], s.out, s.err);
            spawn_free(&s);
        }
    free(stats);
    spawn_remove_folder(folder);
}

/* Reads statistics, without host times and command line. */
static json_t *read_statistics(const char *path) {
    json_t *j = json_load_file(path, 0, NULL);
    assert_non_null(j);
    json_object_del(j, "host");
    json_object_del(j, "command");
    return j;
}

static void exact_steps_change_nothing(void **state) {
    (void)state;
    static const char *const sets[] = {"--set=ldst.overlap=off", "--set=ldst.overlap=on"};
    char *folder = spawn_folder(), *skipping = spawn_text("%s/a.json", folder),
         *exact = spawn_text("%s/b.json", folder);
    for (unsigned n = 0; n < 2 * sizeof machines / sizeof *machines; ++n) {
        const char *machine = machines[n / 2];
        struct spawned a = run(machine, sets[n % 2], skipping, some_work);
        char *options = spawn_text("--exact-steps %s", sets[n % 2]);
        struct spawned b = run(machine, options, exact, some_work);
        free(options);
        json_t *x = read_statistics(skipping), *y = read_statistics(exact);
        assert_true(json_object_size(x) > 3);
        if (!json_equal(json_object_get(x, "counters"), json_object_get(y, "counters")) ||
            !json_equal(json_object_get(x, "totals"), json_object_get(y, "totals")))
            fail_msg("%s, %s: --exact-steps counts something else", machine, sets[n % 2]);
        json_decref(x);
        json_decref(y);
        spawn_free(&a);
        spawn_free(&b);
    }
    free(skipping);
    free(exact);
    spawn_remove_folder(folder);
}

/* A traced cycle is stepped alone, those between windows are not. */
static void waves_change_nothing(void **state) {
    (void)state;
    char *folder = spawn_folder(), *plain = spawn_text("%s/a.json", folder),
         *traced = spawn_text("%s/b.json", folder), *waves = spawn_text("%s/w.vcd", folder),
         *trace = spawn_text("--trace=%s", waves);
    static const char *const some[] = {"gtx285-like", "fermi-like"};
    for (unsigned m = 0; m < 2; ++m) {
        struct spawned a = run(some[m], NULL, plain, some_work), b = run(some[m], trace, traced, some_work);
        assert_int_equal(b.status, 0);
        json_t *x = read_statistics(plain), *y = read_statistics(traced);
        if (!json_equal(json_object_get(x, "counters"), json_object_get(y, "counters")))
            fail_msg("%s: waves change what is counted", some[m]);
        json_decref(x);
        json_decref(y);
        char *text = spawn_read(waves);
        assert_non_null(strstr(text, "$scope module cluster15 $end"));
        assert_non_null(strstr(text, "$scope module scheduler0 $end"));
        assert_non_null(strstr(text, " stack_depth "));
        assert_non_null(strstr(text, "sreduction ")); /* the kernel's name, a string */
        free(text);
        spawn_free(&a);
        spawn_free(&b);
    }
    free(plain);
    free(traced);
    free(waves);
    free(trace);
    spawn_remove_folder(folder);
}

/* Work-items of several SMs meet at atomic operations: their order does not depend on windows of a trace. */
static void waves_change_no_race(void **state) {
    (void)state;
    char *command = spawn_text("%s/lockstep", spawn_build());
    char *config = spawn_text("%s/configs/gtx285-like.yaml", spawn_source());
    char *host = spawn_text("%s/tests/hosts/any_machine", spawn_build());
    char *folder = spawn_folder(), *stats = spawn_text("%s/s.json", folder);
    char *trace = spawn_text("--trace=%s/w.vcd", folder);
    json_t *first = NULL;
    for (unsigned n = 0; n < 2; ++n) {
        char *argv[] = {command,
                        "run",
                        "--config",
                        config,
                        "--stats",
                        stats,
                        "--quiet",
                        n ? trace : "--quiet",
                        n ? "--trace-cycles=105:2003" : "--quiet",
                        n ? "--trace-cycles=2005:2005" : "--quiet",
                        "--",
                        host,
                        NULL};
        struct spawned s = spawn("/", argv);
        if (s.status) fail_msg("%s", s.err);
        json_t *j = read_statistics(stats);
        assert_true(!first || json_equal(json_object_get(first, "counters"), json_object_get(j, "counters")));
        if (n) json_decref(j);
        if (!n) first = j;
        spawn_free(&s);
    }
    json_decref(first);
    free(command);
    free(config);
    free(host);
    free(stats);
    free(trace);
    spawn_remove_folder(folder);
}

/* Every cycle has an instruction, and the sum is right: `lockstep explain` checks that. */
static void explained(void **state) {
    (void)state;
    static const char *const some[] = {"gtx285-like", "fermi-like"};
    for (unsigned m = 0; m < 2; ++m) {
        char *command = spawn_text("%s/lockstep", spawn_build());
        char *config = spawn_text("%s/configs/%s.yaml", spawn_source(), some[m]);
        char *program = spawn_text("%s/benchmarks/reduction", spawn_build());
        struct spawned s =
            spawn("/", (char *[]){command, "explain", "--config", config, "--", program, NULL});
        if (s.status || !strstr(s.out, "barrier(CLK_LOCAL_MEM_FENCE);") || !strstr(s.out, "schedulers"))
            fail_msg("%s: %s%s", some[m], s.out, s.err);
        spawn_free(&s);
        free(command);
        free(config);
        free(program);
    }
}

/* Returns the sum of a counter over all scopes whose last part begins with `part` (NULL: clusters). */
static json_int_t count_of(const json_t *statistics, const char *part, const char *name) {
    const json_t *c;
    json_int_t sum = 0;
    size_t i;
    json_array_foreach(json_object_get(statistics, "counters"), i, c) {
        const char *dot = strchr(json_string_value(json_object_get(c, "scope")), '.');
        if (strcmp(json_string_value(json_object_get(c, "name")), name) != 0) continue;
        if (part ? dot && strncmp(dot + 1, part, strlen(part)) == 0 : !dot)
            sum += json_integer_value(json_object_get(c, "value"));
    }
    return sum;
}

/* Returns the number after a label of the report; -1 if there is none. */
static json_int_t reported(const char *report, const char *label) {
    const char *at = strstr(report, label);
    json_int_t n = at ? 0 : -1;
    for (at += at ? strlen(label) : 0; at && *at != '\n'; ++at)
        if (*at >= '0' && *at <= '9') n = 10 * n + *at - '0';
    return n;
}

static void the_report_tells_of_the_l2(void **state) {
    (void)state;
    static const char *const names[][2] = {
        {"L2 reads", "reads"}, {"L2 writes", "writes"}, {"L2 read misses", "misses"}};
    char *folder = spawn_folder(), *stats = spawn_text("%s/stats.json", folder);
    struct spawned s = run("gtx285-like", NULL, stats, "reduction");
    json_t *j = read_statistics(stats);
    const json_t *c;
    size_t i;
    assert_int_equal(s.status, 0);
    for (unsigned n = 0; n < 3; ++n) {
        json_int_t count = -1;
        json_array_foreach(json_object_get(j, "counters"), i, c) {
            if (!strcmp(json_string_value(json_object_get(c, "scope")), "l2") &&
                !strcmp(json_string_value(json_object_get(c, "name")), names[n][1]))
                count = json_integer_value(json_object_get(c, "value"));
        }
        assert_true(count > 0);
        assert_int_equal(reported(s.err, names[n][0]), count);
    }
    /* A share is that of all clusters. */
    char share[80];
    const double misses = (double)reported(s.err, "L1I misses");
    snprintf(share, sizeof share, "%.2f %%\n", 100 * misses / (double)reported(s.err, "L1I accesses"));
    const char *line = strstr(s.err, "L1I miss ratio");
    assert_non_null(line);
    const char *number = line + strlen("L1I miss ratio") + strspn(line + strlen("L1I miss ratio"), " ");
    assert_int_equal(strncmp(number, share, strlen(share)), 0);
    json_decref(j);
    spawn_free(&s);
    spawn_remove_folder(folder);
    free(stats);
}

/* Each lane group has counters, whose sums are those of the cluster; the report counts no instruction twice;
 * rounds are skipped, and groups wait for the issue. */
static void lane_groups_are_counted(void **state) {
    (void)state;
    char *folder = spawn_folder(), *stats = spawn_text("%s/stats.json", folder);
    struct spawned s = run("temporal-30x8", NULL, stats, "reduction");
    json_t *j = read_statistics(stats);
    char *text = json_dumps(j, 0), said[32];
    const json_int_t issued = count_of(j, "lane_group", "issued");
    assert_int_equal(s.status, 0);
    assert_int_equal(issued, count_of(j, NULL, "warp_instructions"));
    assert_int_equal(count_of(j, "lane_group", "executed"),
                     count_of(j, NULL, "thread_instructions") - count_of(j, NULL, "condition_failed"));
    snprintf(said, sizeof said, " %lld,%03lld\n", issued / 1000, issued % 1000);
    assert_true(issued > 1000 && issued < 1000000);
    const char *line = strstr(s.err, "  warp instructions");
    assert_non_null(line);
    assert_ptr_equal(strstr(line, said), strchr(line, '\n') + 1 - strlen(said));
    assert_non_null(strstr(text, "lane_group7"));
    assert_null(strstr(text, "lane_group8"));
    assert_non_null(strstr(text, "conflicts_3"));
    assert_non_null(strstr(text, "skipped"));
    free(text);
    json_decref(j);
    spawn_free(&s);
    free(stats);
    spawn_remove_folder(folder);
}

/* With scalars, results are right, every scalar register equals the threads' values, and --exact-steps and
 * waves change nothing. */
static void scalars_are_what_threads_have(void **state) {
    (void)state;
    static const char *const rules[] = {"--set=kernel.scalarize=wide", "--set=kernel.scalarize=convergent"};
    static const char *const benchmarks[] = {"reduction", "histogram", "n_queens"};
    char *folder = spawn_folder(), *skipping = spawn_text("%s/a.json", folder),
         *exact = spawn_text("%s/b.json", folder);
    char *program = spawn_text("%s/benchmarks", spawn_build()),
         *command = spawn_text("%s/lockstep", spawn_build());
    for (unsigned n = 0; n < 3; ++n) {
        char *config = spawn_text("%s/configs/%s.yaml", spawn_source(), machines[2 + n]);
        char *benchmark = spawn_text("%s/%s", program, benchmarks[n]);
        char *argv[] = {command,
                        "run",
                        "--config",
                        config,
                        "--check-scalar",
                        (char *)rules[n % 2],
                        "--stats",
                        skipping,
                        n == 0 ? "--set=lanes.scalar_unit=on" : "--check-scalar",
                        "--",
                        benchmark,
                        n == 0 ? "--count" : NULL,
                        "16384",
                        NULL};
        struct spawned a = spawn("/", argv);
        if (a.status || !strstr(a.out, "PASS"))
            fail_msg("%s on %s: %s%s", benchmarks[n], machines[2 + n], a.out, a.err);
        argv[4] = "--exact-steps";
        argv[7] = exact;
        struct spawned b = spawn("/", argv);
        json_t *x = read_statistics(skipping), *y = read_statistics(exact);
        assert_true(json_equal(json_object_get(x, "counters"), json_object_get(y, "counters")));
        assert_true(count_of(x, "lanes", "scalar") > 0);
        json_decref(x);
        json_decref(y);
        spawn_free(&a);
        spawn_free(&b);
        free(config);
        free(benchmark);
    }
    free(skipping);
    free(exact);
    free(program);
    free(command);
    spawn_remove_folder(folder);
}

/* Returns whether a variable of a scope takes a value. A VCD has both: "$var wire 2 3 form [1:0] $end", "b1
 * 3". */
static bool takes(const char *vcd, const char *scope, const char *variable, const char *value) {
    char *head = spawn_text("$scope module %s $end", scope), *name = spawn_text(" %s ", variable), id[16];
    const char *from = strstr(vcd, head), *at = from ? strstr(from, name) : NULL;
    assert_non_null(at);
    while (at[-1] != ' ') --at;
    assert_int_equal(sscanf(at, "%15s", id), 1);
    char *change = spawn_text("\nb%s %s\n", value, id);
    const bool found = strstr(vcd, change) != NULL;
    free(head);
    free(name);
    free(change);
    return found;
}

/* Two groups of four lanes: a round is one of eight, and an instruction without threads in the last seven
 * skips these; scalars are named. */
static void lane_groups_are_in_waves(void **state) {
    (void)state;
    char *folder = spawn_folder(), *waves = spawn_text("%s/w.vcd", folder),
         *config = spawn_text("%s/configs/spatio-temporal-30x8.yaml", spawn_source()),
         *command = spawn_text("%s/lockstep", spawn_build()),
         *program = spawn_text("%s/benchmarks/reduction", spawn_build());
    struct spawned s = spawn(folder, (char *[]){command, "run", "--config", config, "--trace", waves,
                                                "--trace-cycles", "0:3000", "--set", "kernel.scalarize=wide",
                                                "--set", "cluster.count=2", "--", program, NULL});
    if (s.status) fail_msg("%s", s.err);
    char *text = spawn_read(waves);
    assert_non_null(strstr(text, "$scope module lane_group1 $end"));
    assert_null(strstr(text, "$scope module lane_group2 $end"));
    assert_non_null(strstr(text, "form: 0 vector, 1 scalar"));
    assert_non_null(strstr(text, "local_round: 0 none, 1 served, 2 waits"));
    assert_true(takes(text, "lane_group1", "reads", "1"));
    assert_true(takes(text, "lane_group0", "local", "1"));
    assert_true(takes(text, "sp0", "round", "111"));
    assert_true(takes(text, "sp0", "skipped", "11111110"));
    assert_true(takes(text, "sp0", "form", "1"));
    free(text);
    spawn_free(&s);
    free(waves);
    free(config);
    free(command);
    free(program);
    spawn_remove_folder(folder);
}

/* Runs a kernel in which each of 64 work-items fills a private array of `words` words, and adds up some of
 * them. */
static struct spawned run_with_arrays(const char *machine, unsigned words) {
    char *command = spawn_text("%s/lockstep", spawn_build());
    char *config = spawn_text("%s/configs/%s.yaml", spawn_source(), machine);
    char *program = spawn_text("%s/tests/hosts/run_source", spawn_build());
    char *source =
        spawn_text("kernel void f(global int *out) { volatile int a[%u]; int i = get_global_id(0), s = 0; "
                   "for (int k = 0; k < 99; k++) a[(k * 37) %% %u] = i + k; "
                   "for (int k = 0; k < 99; k++) s += a[(k * 37) %% %u]; "
                   "if (s != 99 * i + 4851) for (;;) out[0]++; }",
                   words, words, words);
    struct spawned s = spawn("/", (char *[]){command, "run", "--max-cycles=3000000", "--config", config, "--",
                                             program, source, NULL});
    free(command);
    free(config);
    free(program);
    free(source);
    return s;
}

/* If private memory is too small for all resident threads, fewer work-groups are resident. */
static void large_private_arrays_leave_room_for_fewer_work_groups(void **state) {
    (void)state;
    static const char *const of[] = {"gtx285-like", "fermi-like", "temporal-30x8", "gt640-scalar"};
    for (unsigned n = 0; n < sizeof of / sizeof *of; ++n) {
        struct spawned s = run_with_arrays(of[n], 4096);
        if (s.status || !strstr(s.out, "the kernel came back")) fail_msg("%s: %s%s", of[n], s.out, s.err);
        spawn_free(&s);
    }
    struct spawned s = run_with_arrays("gtx285-like", 1 << 20);
    assert_int_not_equal(s.status, 120);
    assert_non_null(
        strstr(s.err, "kernel 'f' needs 8388608 bytes of private memory for each of 960 work-items"));
    assert_non_null(strstr(s.err, "(-5)"));
    spawn_free(&s);
}

static void what_is_not_built_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *option, *says;
    } cases[] = {{"--set=mode=mimd", "vrf"},
                 {"--set=simt.divergence=pc", "vrf"},
                 {"--check-scalar", "kernel.scalarize is off: there are none"}};
    char *folder = spawn_folder(), *stats = spawn_text("%s/stats.json", folder);
    for (unsigned n = 0; n < sizeof cases / sizeof *cases; ++n) {
        struct spawned s = run("gtx285-like", cases[n].option, stats, "reduction");
        assert_int_equal(s.status, 125);
        assert_non_null(strstr(s.err, cases[n].says));
        spawn_free(&s);
    }
    free(stats);
    spawn_remove_folder(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_right),
        cmocka_unit_test(exact_steps_change_nothing),
        cmocka_unit_test(waves_change_nothing),
        cmocka_unit_test(waves_change_no_race),
        cmocka_unit_test(explained),
        cmocka_unit_test(the_report_tells_of_the_l2),
        cmocka_unit_test(lane_groups_are_counted),
        cmocka_unit_test(lane_groups_are_in_waves),
        cmocka_unit_test(scalars_are_what_threads_have),
        cmocka_unit_test(large_private_arrays_leave_room_for_fewer_work_groups),
        cmocka_unit_test(what_is_not_built_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
