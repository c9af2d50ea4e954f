/* Programs with scalar kernels (docs/scalar-unit.md): results, counts that follow from the programs, exact
 * steps, waves, refusals and diagnoses. */
#include "tests/fixture.h"
#include "tests/pocl.h"

#include <stdlib.h>
#include <string.h>

/* Runs a program of tests/hosts, with more settings, separated by blanks, and one more option; NULL: none. */
static struct spawned run_host(const char *host, const char *machine, const char *set, const char *option,
                               const char *kernel, const char *count) {
    char *program = spawn_text("tests/hosts/%s %s %s", host, kernel, count);
    struct spawned s = fixture_run(machine, set ? set : "", option ? option : "", program);
    free(program);
    return s;
}

static struct spawned run_on(const char *machine, const char *set, const char *option, const char *kernel,
                             const char *count) {
    return run_host("scalar_kernels", machine, set, option, kernel, count);
}

static void run(const char *set, const char *option, const char *kernel, const char *count) {
    struct spawned s = run_on("gt640-scalar", set, option, kernel, count);
    if (s.status || !strstr(s.out, "PASS")) fail_msg("%s, %s: %s%s", kernel, set ? set : "", s.out, s.err);
    spawn_free(&s);
}

/* Reads statistics, without host times and command line. */
static json_t *read_statistics(void) {
    json_t *j = fixture_statistics("s.json");
    assert_non_null(j);
    json_object_del(j, "host");
    json_object_del(j, "command");
    return j;
}

/* Returns a counter of one SM. */
static json_int_t counter(unsigned cluster, const char *scope, const char *name) {
    json_t *j = read_statistics(), *row;
    char *full = spawn_text("cluster%u%s", cluster, scope);
    json_int_t value = -1;
    size_t n;
    json_array_foreach(json_object_get(j, "counters"), n, row) {
        if (strcmp(json_string_value(json_object_get(row, "scope")), full) == 0 &&
            strcmp(json_string_value(json_object_get(row, "name")), name) == 0)
            value = json_integer_value(json_object_get(row, "value"));
    }
    if (value < 0) fail_msg("no counter %s.%s", full, name);
    free(full);
    json_decref(j);
    return value;
}

static json_int_t of_both(const char *scope, const char *name) {
    return counter(0, scope, name) + counter(1, scope, name);
}

static json_int_t cycles_of_launch(void) {
    json_t *j = read_statistics();
    const json_int_t cycles =
        json_integer_value(json_object_get(json_array_get(json_object_get(j, "launches"), 0), "cycles"));
    json_decref(j);
    return cycles;
}

static const char *const causes[] = {"busy", "occupied", "dependency", "memory", "fetch", "barrier", "empty"};
enum { CAUSES = sizeof causes / sizeof *causes };

/* Five barriers of the work-items and one with the scalar thread, in each group of 128,
 * of a million numbers, too. */
static void a_reduction_meets_its_scalar_thread_once(void **state) {
    (void)state;
    static const struct {
        const char *count;
        json_int_t groups;
    } sizes[] = {{"4096", 32}, {"1048576", 8192}};
    for (unsigned n = 0; n < 2; n++) {
        run(NULL, NULL, "reduction", sizes[n].count);
        const json_int_t groups = sizes[n].groups, barriers = of_both("", "barriers");
        assert_int_equal(barriers, groups * (5 + 1));
        assert_int_equal(of_both("", "barrier_arrivals"), barriers * 128); /* no scalar threads */
        assert_int_equal(of_both(".scalar", "threads"), groups);
        assert_int_equal(of_both(".scalar", "stores"), groups);
        assert_int_equal(of_both(".scalar", "local_accesses"), groups * 4);
        print_message("%s numbers: %lld barriers of %lld work-groups\n", sizes[n].count, barriers, groups);
    }
}

/* 6.2: 2 SMXs hold 16 work-groups each; each scalar thread loads the two lines of the group 32 later, those
 * of the last 32 groups return immediately. */
static void a_copy_is_fetched_ahead_line_by_line(void **state) {
    (void)state;
    run(NULL, NULL, "copy", "1048576");
    assert_int_equal(of_both(".scalar", "l1d_accesses"), 8160 * 2);
    assert_int_equal(of_both(".scalar", "l1d_misses"), 8160 * 2);
    /* Each SM fetches lines for work-groups of both. */
    const json_int_t fetched = of_both(".scalar", "prefetches"),
                     useful = of_both(".scalar", "prefetches_useful"),
                     late = of_both(".scalar", "prefetches_late");
    assert_true(fetched > 8160 && fetched <= 8160 * 2);
    assert_true(useful > fetched / 4 && useful < fetched && late > 0 && late < useful);
    run(NULL, NULL, "copy", "4096");
    assert_int_equal(of_both(".scalar", "l1d_accesses"), 0);
    assert_int_equal(of_both(".scalar", "prefetches"), 0);
}

/* The scalar thread of every work-group except the last 32 notes a number; in each cycle of each of 4
 * schedulers, an instruction of 32 threads or none issues. */
static void numbers_and_activity_are_counted(void **state) {
    (void)state;
    run(NULL, NULL, "copy", "16384");
    json_t *j = read_statistics(), *row;
    json_int_t noted = 0, issued = 0, idle = 0;
    size_t n;
    json_array_foreach(json_object_get(j, "histograms"), n, row) {
        const char *name = json_string_value(json_object_get(row, "name"));
        const json_int_t total = json_integer_value(json_object_get(row, "total"));
        if (strcmp(name, "noted") == 0) noted += total;
        if (strcmp(name, "issue_threads")) continue;
        assert_int_equal(total, 4 * cycles_of_launch());
        const json_t *first = json_array_get(json_object_get(row, "buckets"), 0);
        assert_int_equal(json_integer_value(json_object_get(first, "from")), 0);
        idle += json_integer_value(json_object_get(first, "count"));
        issued += total;
    }
    json_decref(j);
    issued -= idle;
    assert_int_equal(noted, 16384 / 128 - 32);
    assert_int_equal(issued, of_both(".cycles", "issue SP") + of_both(".cycles", "issue LDST"));
}

/* `explain`: the cycles of the scalar units by line and cause, and those without thread. */
static void an_explanation_accounts_scalar_cycles(void **state) {
    (void)state;
    char *command = spawn_text("%s/lockstep", spawn_build()),
         *program = spawn_text("%s/tests/hosts/scalar_kernels", spawn_build()),
         *config = spawn_text("%s/configs/gt640-scalar.yaml", spawn_source());
    char *argv[] = {command, "explain", "--config", config, "--json", "--", program, "mixture", "1024", NULL};
    struct spawned s = spawn(fixture_folder, argv);
    const char *from = strchr(s.out, '{');
    json_t *j = from ? json_loads(from, JSON_DISABLE_EOF_CHECK, NULL) : NULL;
    if (s.status || !j) fail_msg("%s%s", s.out, s.err);
    json_t *kernel = json_array_get(json_object_get(j, "kernels"), 0), *line, *cycles;
    json_int_t lines = 0, all = 0;
    size_t n;
    const char *cause;
    json_array_foreach(json_object_get(kernel, "lines"), n, line) {
        json_object_foreach(json_object_get(line, "scalar_cycles_by_cause"), cause, cycles) {
            lines += json_integer_value(cycles);
        }
    }
    json_object_foreach(json_object_get(kernel, "scalar_cycles_by_cause"), cause, cycles) {
        all += json_integer_value(cycles);
    }
    assert_int_equal(json_integer_value(json_object_get(kernel, "scalar_units")), 12);
    assert_int_equal(all, 12 * json_integer_value(json_object_get(kernel, "cycles")));
    cycles = json_object_get(json_object_get(kernel, "scalar_cycles_by_cause"), "empty");
    assert_int_equal(lines + json_integer_value(cycles), all);
    json_decref(j);
    spawn_free(&s);
    argv[4] = "--events";
    s = spawn(fixture_folder, argv);
    assert_non_null(strstr(s.out, "kernel mixture, its scalar threads: 12 units' own cycles"));
    spawn_free(&s);
    free(command);
    free(program);
    free(config);
}

static void results_are_right_at_every_clock(void **state) {
    (void)state;
    static const char *const divisors[] = {"scalar.clock_divisor=1", "scalar.clock_divisor=2",
                                           "scalar.clock_divisor=4", "scalar.clock_divisor=8",
                                           "scalar.units=1",         "scalar.registers=48"};
    static const char *const kernels[] = {"reduction", "compaction", "mixture"};
    for (unsigned d = 0; d < sizeof divisors / sizeof *divisors; ++d)
        for (unsigned k = 0; k < sizeof kernels / sizeof *kernels; ++k)
            run(divisors[d], NULL, kernels[k], "4096");
}

static void exact_steps_change_nothing(void **state) {
    (void)state;
    static const char *const kernels[] = {"reduction", "compaction", "mixture", "copy", "singles"};
    for (unsigned k = 0; k < sizeof kernels / sizeof *kernels; ++k) {
        const char *set = k == 4  ? "scalar.share_groups=on"
                          : k % 2 ? "scalar.clock_divisor=4"
                                  : "scalar.units=2";
        run(set, NULL, kernels[k], "4096");
        json_t *skipping = read_statistics();
        run(set, "--exact-steps", kernels[k], "4096");
        json_t *exact = read_statistics();
        assert_true(json_object_size(exact) > 3);
        if (!json_equal(skipping, exact)) fail_msg("%s: statistics differ", kernels[k]);
        json_decref(skipping);
        json_decref(exact);
    }
}

/* Half of the work-groups of one work-item each, the odd ones, run on scalar units: fewer cycles. */
static void single_work_items_are_shared_out(void **state) {
    (void)state;
    run(NULL, NULL, "singles", "64");
    const json_int_t alone = cycles_of_launch();
    assert_int_equal(of_both(".scalar", "threads"), 0);
    run("scalar.share_groups=on", NULL, "singles", "64");
    assert_int_equal(of_both(".scalar", "shared_groups"), 32);
    assert_int_equal(of_both("", "work_items"), 64);
    assert_true(cycles_of_launch() != alone);
    run("scalar.share_groups=on", NULL, "reduction", "4096"); /* not shared: the kernel has a scalar kernel */
    assert_int_equal(of_both(".scalar", "shared_groups"), 0);
}

/* gcn with one unit has the cycles of the scalar unit of spatial lanes; exact steps change nothing, and
 * scalars are correct. */
static void gcn_is_a_scalar_unit_of_the_lanes(void **state) {
    (void)state;
    static const char *const programs[][3] = {{"scalar_kernels", "singles", "64"},
                                              {"scalar_partners", "forks", "1024"},
                                              {"scalar_partners", "corners", "1024"}};
    static const char *const runs[][3] = {
        {"gt640-gcn", "scalar.units=1", "--set=scalar.registers=4096"},
        {"gt640-like", "lanes.scalar_unit=on", "--set=kernel.scalarize=wide"},
        {"gt640-gcn", NULL, "--check-scalar"},
        {"gt640-gcn", NULL, "--exact-steps"}};
    for (unsigned p = 0; p < 3; ++p) {
        json_t *counters[4];
        for (unsigned n = 0; n < 4; ++n) {
            struct spawned s =
                run_host(programs[p][0], runs[n][0], runs[n][1], runs[n][2], programs[p][1], programs[p][2]);
            if (s.status || !strstr(s.out, "PASS")) fail_msg("%s: %s%s", runs[n][0], s.out, s.err);
            spawn_free(&s);
            assert_true(of_both(".lanes", "scalar") > 64);
            json_t *j = read_statistics();
            counters[n] = json_incref(json_object_get(j, "counters"));
            json_decref(j);
        }
        assert_true(json_equal(counters[0], counters[1]));
        assert_true(json_equal(counters[2], counters[3]));
        assert_false(json_equal(counters[0], counters[2]));
        for (unsigned n = 0; n < 4; ++n) json_decref(counters[n]);
    }
}

/* The same with barrel issue: results are right, scalars are correct, exact steps change nothing. */
static void barrels_have_scalar_units(void **state) {
    (void)state;
    static const char *const programs[][3] = {{"scalar_kernels", "singles", "64"},
                                              {"scalar_partners", "forks", "1024"},
                                              {"scalar_partners", "corners", "1024"}};
    static const char *const sets[] = {
        "cluster.count=2 kernel.scalarize=wide scalar.mode=gcn scalar.registers=8192 scalar.units=1",
        "cluster.count=2 kernel.scalarize=wide lanes.scalar_unit=on simt.divergence=oracle"};
    for (unsigned p = 0; p < 3; ++p)
        for (unsigned n = 0; n < 2; ++n) {
            json_t *counters[2];
            for (unsigned exact = 0; exact < 2; ++exact) {
                struct spawned s =
                    run_host(programs[p][0], "fermi-like", sets[n],
                             exact ? "--exact-steps" : "--check-scalar", programs[p][1], programs[p][2]);
                if (s.status || !strstr(s.out, "PASS")) fail_msg("%s: %s%s", sets[n], s.out, s.err);
                spawn_free(&s);
                json_t *j = read_statistics();
                counters[exact] = json_incref(json_object_get(j, "counters"));
                json_decref(j);
            }
            assert_true(of_both(".lanes", "scalar") > 64);
            assert_true(json_equal(counters[0], counters[1]));
            json_decref(counters[0]);
            json_decref(counters[1]);
        }
}

/* Scalar threads together with uniform values in warps, with either issue: both are independent. */
static void uniform_values_go_with_scalar_threads(void **state) {
    (void)state;
#define BARREL "scalar.mode=own cluster.count=2 cluster.schedulers=1 cluster.sp_groups=1 cluster.threads=768 "
    static const char *const runs[][2] = {
        {"gtx285-like", "scalar.mode=own uniform.storage=token uniform.intra=on uniform.inter=on"},
        {"gtx285-like", "scalar.mode=own uniform.storage=srf uniform.inter=on"},
        {"fermi-like", BARREL "uniform.storage=token uniform.intra=on uniform.inter=on"},
        {"fermi-like", BARREL "simt.divergence=oracle uniform.storage=srf uniform.intra=on"},
        {"fermi-like", BARREL
         "simt.divergence=pc simt.pc_policy=min_pc uniform.storage=srf uniform.intra=on uniform.inter=on"},
    };
    for (unsigned n = 0; n < sizeof runs / sizeof *runs; ++n) {
        json_t *counters[2];
        for (unsigned exact = 0; exact < 2; ++exact) {
            struct spawned s = run_on(runs[n][0], runs[n][1], exact ? "--exact-steps" : "--check-uniform",
                                      n % 2 ? "reduction" : "compaction", "4096");
            if (s.status || !strstr(s.out, "PASS")) fail_msg("%s: %s%s", runs[n][1], s.out, s.err);
            spawn_free(&s);
            json_t *j = read_statistics();
            counters[exact] = json_incref(json_object_get(j, "counters"));
            json_decref(j);
        }
        assert_true(of_both(".uniform", n % 2 ? "uniform" : "scalar") > 0);
        assert_true(json_equal(counters[0], counters[1]));
        json_decref(counters[0]);
        json_decref(counters[1]);
    }
}

/* With each engine of barrel issue, and with lanes that execute warps: results are right, a scalar thread ran
 * for each of 8 work-groups, every cycle of the 6 units has a cause, and exact steps change nothing. */
static void scalar_threads_go_with_all_issues_and_lanes(void **state) {
    (void)state;
    static const char *const machines[][2] = {
        {"fermi-like", "simt.divergence=sbr"},    {"fermi-like", "simt.divergence=pc simt.pc_policy=min_pc"},
        {"fermi-like", "simt.divergence=oracle"}, {"fermi-like", "simt.divergence=lwm"},
        {"fermi-like", "simt.divergence=dwf"},    {"fermi-like", "simt.divergence=harp"},
        {"fermi-like", "simt.divergence=tbc"},    {"temporal-30x8", NULL},
        {"spatio-temporal-30x8", NULL},
    };
    for (size_t m = 0; m < sizeof machines / sizeof *machines; ++m)
        for (unsigned kernel = 0; kernel < 2; ++kernel) {
            char *set = spawn_text("%s %s", "scalar.mode=own cluster.count=2",
                                   machines[m][1] ? machines[m][1] : "scalar.units=6");
            json_t *counters[2];
            for (unsigned exact = 0; exact < 2; ++exact) {
                struct spawned s = run_on(machines[m][0], set, exact ? "--exact-steps" : NULL,
                                          kernel ? "mixture" : "reduction", "1024");
                if (s.status || !strstr(s.out, "PASS"))
                    fail_msg("%s, %s: %s%s", machines[m][0], set, s.out, s.err);
                spawn_free(&s);
                json_t *j = read_statistics();
                counters[exact] = json_incref(json_object_get(j, "counters"));
                json_decref(j);
            }
            if (!json_equal(counters[0], counters[1])) fail_msg("%s, %s: exact", machines[m][0], set);
            assert_int_equal(of_both(".scalar", "threads"), 8);
            json_int_t sum = 0;
            for (unsigned n = 0; n < CAUSES; ++n) sum += counter(0, ".scalar.cycles", causes[n]);
            assert_int_equal(sum, 6 * cycles_of_launch());
            json_decref(counters[0]);
            json_decref(counters[1]);
            free(set);
        }
}

/* Every cycle of a unit has one cause. */
static void causes_add_up(void **state) {
    (void)state;
    static const char *const sets[] = {NULL, "scalar.clock_divisor=2 cluster.groups=4"};
    for (unsigned way = 0; way < 2; ++way) {
        run(sets[way], NULL, "mixture", "4096");
        const json_int_t each = (cycles_of_launch() + way) / (1 + way);
        json_int_t sum = 0;
        for (unsigned n = 0; n < CAUSES; ++n) sum += counter(0, ".scalar.cycles", causes[n]);
        assert_int_equal(sum, 6 * each);
        for (unsigned unit = 0; unit < 6; ++unit) {
            char *scope = spawn_text(".scalar.unit%u", unit);
            sum = 0;
            for (unsigned n = 0; n < CAUSES; ++n) sum += counter(0, scope, causes[n]);
            assert_int_equal(sum, each);
            assert_int_equal(counter(0, scope, "busy") > 0, unit < (way ? 4 : 6)); /* 16 slots, or 4 */
            free(scope);
        }
    }
}

static void expect_failure(const char *machine, const char *set, const char *kernel, int status,
                           const char *says) {
    struct spawned s = run_on(machine, set, NULL, kernel, "256");
    if (s.status != status || !strstr(s.err, says))
        fail_msg("%s on %s: status %d, %s", kernel, machine, s.status, s.err);
    spawn_free(&s);
}

static void machines_without_scalar_threads_refuse_or_leave_them_out(void **state) {
    (void)state;
    expect_failure("gt640-like", NULL, "reduction", 125,
                   "kernel 'reduction' waits for its scalar kernel reduction_scalar at lockstep_sync(1)");
    expect_failure("dual-mode-4", NULL, "reduction", 125, "set scalar.mode to own on a GPU-like machine");
    expect_failure("dual-mode-4", "mode=mimd", "reduction", 125, "set scalar.mode to own");
    expect_failure("dual-mode-4", "mode=mimd", "alone", 125, "set scalar.mode to own");
    expect_failure("dual-mode-4", "scalar.mode=own", "copy", 125, "scalar units need contexts: vrf");
    expect_failure("gt640-gcn", NULL, "copy", 125, "run no scalar kernels: set scalar.mode to own");
    expect_failure("gt640-like", NULL, "outside", 125,
                   "the scalar kernel 'outside_scalar' of kernel 'outside' stores, but this machine runs no "
                   "scalar kernels: set scalar.mode to own");
    expect_failure("dual-mode-4", "mode=mimd", "outside", 125,
                   "set scalar.mode to own on a GPU-like machine");
    struct spawned s = run_on("gt640-like", NULL, NULL, "copy", "4096");
    assert_int_equal(s.status, 0);
    spawn_free(&s);
    s = run_on("dual-mode-4", "mode=mimd", NULL, "copy", "4096");
    assert_int_equal(s.status, 0);
    spawn_free(&s);
}

static void mistakes_are_diagnosed(void **state) {
    (void)state;
    expect_failure("gt640-scalar", NULL, "alone", 120,
                   "no kernel of its program is LOCKSTEP_SCALAR_OF(alone)");
    expect_failure("gt640-scalar", NULL, "outside", 120,
                   "the scalar thread ('outside_scalar') of work-group");
    expect_failure("gt640-scalar", NULL, "unmet", 120,
                   "the first time, kernel 'unmet', the scalar thread ('unmet_scalar') of work-group (");
    expect_failure("gt640-scalar", NULL, "stuck", 120, "waiting for the SIMT threads at lockstep_sync(1)");
}

static void waves_show_the_units(void **state) {
    (void)state;
    char *wave = spawn_text("--trace=%s/scalar.fst", fixture_folder),
         *name = spawn_text("%s/scalar.fst", fixture_folder);
    run(NULL, wave, "reduction", "1024");
    char *const argv[] = {"fst2vcd", name, NULL};
    struct spawned s = spawn(fixture_folder, argv);
    assert_int_equal(s.status, 0);
    assert_non_null(strstr(s.out, "$scope module scalar0 $end"));
    assert_non_null(strstr(s.out, "$scope module scalar_thread15 $end"));
    spawn_free(&s);
    free(wave);
    free(name);
}

/* A warp whose threads wait at a barrier just before the re-convergence point with the others: an error of
 * the program, but they execute all their instructions. */
static void who_waits_is_not_taken_along(void **state) {
    (void)state;
    for (unsigned exact = 0; exact < 2; exact++) {
        struct spawned s = run_on("gt640-scalar", NULL, exact ? "--exact-steps" : NULL, "some", "1024");
        assert_int_equal(s.status, 120);
        if (!strstr(s.out, "PASS")) fail_msg("%s%s", s.out, s.err);
        assert_non_null(strstr(
            s.err, "8 barriers opened although work-items of the work-group or its scalar thread had ended"));
        spawn_free(&s);
    }
}

/* A work-group of sums arrives at a barrier with the scalar thread 14 times: once for a row of declarations,
 * four times in each of three iterations, once at its end. It arrives nine times at a barrier of its own. For
 * a work-group of corners, both numbers are two. Memory afterwards is the same, also for kernels whose
 * work-items' work is reassigned. */
static void made_partners_do_the_same(void **state) {
    (void)state;
    static const struct {
        const char *set, *kernel;
        json_int_t threads, barriers; /* −1: not counted by hand */
    } made[] = {
        {"kernel.scalar=off", "sums", 0, 9 * 8},
        {"kernel.scalar=extract", "sums", 8, (1 + 4 * 3 + 1 + 9) * 8},
        {"kernel.scalar=extract", "corners", 8, 4 * 8},
        {"kernel.scalar=extract scalar.clock_divisor=4", "sums", 8, (1 + 4 * 3 + 1 + 9) * 8},
        {"kernel.scalar=divergence", "steps", 8, -1},
        {"kernel.scalar=divergence", "sums", 0, 9 * 8},
        {"kernel.scalar=prefetch", "steps", 8, 0},
    };
    for (size_t n = 0; n < sizeof made / sizeof *made; n++)
        for (unsigned exact = 0; exact < (n == 1 || n == 4 ? 2 : 1); exact++) {
            struct spawned s = run_host("scalar_partners", "gt640-scalar", made[n].set,
                                        exact ? "--exact-steps" : NULL, made[n].kernel, "1024");
            if (s.status || !strstr(s.out, "PASS")) fail_msg("%s: %s%s", made[n].set, s.out, s.err);
            spawn_free(&s);
            assert_int_equal(of_both(".scalar", "threads"), made[n].threads);
            if (made[n].barriers >= 0) assert_int_equal(of_both("", "barriers"), made[n].barriers);
            print_message("%s %s: %lld cycles\n", made[n].set, made[n].kernel, cycles_of_launch());
        }
}

/* Work-items that part in a turn meet again before its end: remapped, it takes fewer cycles. */
static void turns_stay_together(void **state) {
    (void)state;
    json_int_t cycles[2];
    for (unsigned n = 0; n < 2; n++) {
        struct spawned s = run_host("scalar_partners", "gt640-scalar", n ? "kernel.scalar=divergence" : NULL,
                                    NULL, "forks", "2048");
        if (s.status || !strstr(s.out, "PASS")) fail_msg("%s%s", s.out, s.err);
        spawn_free(&s);
        cycles[n] = cycles_of_launch();
    }
    print_message("forks: %lld cycles, remapped %lld\n", cycles[0], cycles[1]);
    assert_true(cycles[1] < cycles[0]);
}

/* The benchmarks' kernels for Figs. 13 and 15, on a machine that remaps their loops. */
static void helped_benchmarks_are_right(void **state) {
    (void)state;
    static const char *const helped[][3] = {{"laplace3d", "--size", "35"},
                                            {"ray_tracing", "--balls", "5"},
                                            {"n_queens", "--size", "8"},
                                            {"mandelbrot", "--size", "40"},
                                            {"fft", "--sines", "2"}};
    for (size_t n = 0; n < sizeof helped / sizeof *helped; n++) {
        const char *name = helped[n][0];
        char *command = spawn_text("%s/lockstep", spawn_build()),
             *config = spawn_text("%s/configs/gt640-scalar.yaml", spawn_source()),
             *program = spawn_text("%s/benchmarks/%s", spawn_build(), name),
             *kernel = spawn_text("%s/benchmarks/%s/%s_scalar.cl", spawn_source(), name, name);
        struct spawned s =
            spawn(fixture_folder, (char *[]){command, "run", "--config", config, "--stats", "s.json", "--set",
                                             "kernel.scalar=divergence", "--", program, "--kernel", kernel,
                                             (char *)helped[n][1], (char *)helped[n][2], NULL});
        if (s.status || !strstr(s.out, "PASS")) fail_msg("%s: %s%s", name, s.out, s.err);
        assert_true(of_both(".scalar", "threads") > 0);
        spawn_free(&s);
        free(command);
        free(config);
        free(program);
        free(kernel);
    }
}

/* On other implementations, a scalar kernel is an ordinary one that the host does not launch, and all
 * declarations of the header exist. */
static const char elsewhere[] =
    "#include <lockstep_scalar.h>\n"
    "__kernel void k(__global int *out) {\n"
    "    LOCKSTEP_SHARED __local int s[4];\n"
    "    s[get_local_id(0)] = 1 + get_local_id(0);\n"
    "    lockstep_sync(0);\n"
    "    lockstep_sync(1);\n"
    "    out[get_global_id(0)] = LOCKSTEP_SCALAR ? 99 : s[3 - get_local_id(0)];\n"
    "}\n"
    "LOCKSTEP_SCALAR_OF(k) __kernel void k_scalar(__global int *out) {\n"
    "    LOCKSTEP_SHARED __local int s[4];\n"
    "    lockstep_sync(1);\n"
    "    s[0] = (int)lockstep_clock();\n"
    "    lockstep_note(lockstep_groups_in_flight());\n"
    "    out[0] = 99;\n"
    "}\n"
    "__kernel void l(__global const float *in, __global float *out) { out[0] = in[0]; }\n"
    "LOCKSTEP_PREFETCH_OF(l) __kernel void l_scalar(__global const float *in, __global float *out) {\n"
    "    __asm__ volatile(\"\" ::\"r\"(in[0]));\n"
    "}\n";

static void other_platforms_leave_them_out(void **state) {
    (void)state;
    struct pocl pocl;
    if (!pocl_start(&pocl)) skip();
    char *folder = spawn_text(" -I%s/runtime/device", spawn_source());
    cl_program program = pocl_build(&pocl, "lockstep_scalar.h", elsewhere, folder);
    cl_int status, found[4];
    cl_kernel kernel = clCreateKernel(program, "k", &status);
    POCL_OK(status);
    cl_mem out = clCreateBuffer(pocl.context, CL_MEM_READ_WRITE, sizeof found, NULL, &status);
    POCL_OK(status);
    POCL_OK(clSetKernelArg(kernel, 0, sizeof out, &out));
    POCL_OK(clEnqueueNDRangeKernel(pocl.queue, kernel, 1, NULL, &(size_t){4}, &(size_t){4}, 0, NULL, NULL));
    POCL_OK(clEnqueueReadBuffer(pocl.queue, out, CL_TRUE, 0, sizeof found, found, 0, NULL, NULL));
    for (int n = 0; n < 4; n++) assert_int_equal(found[n], 4 - n);
    POCL_OK(clReleaseMemObject(out));
    POCL_OK(clReleaseKernel(kernel));
    POCL_OK(clReleaseProgram(program));
    pocl_end(&pocl);
    free(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(made_partners_do_the_same),
        cmocka_unit_test(who_waits_is_not_taken_along),
        cmocka_unit_test(a_reduction_meets_its_scalar_thread_once),
        cmocka_unit_test(a_copy_is_fetched_ahead_line_by_line),
        cmocka_unit_test(numbers_and_activity_are_counted),
        cmocka_unit_test(an_explanation_accounts_scalar_cycles),
        cmocka_unit_test(results_are_right_at_every_clock),
        cmocka_unit_test(exact_steps_change_nothing),
        cmocka_unit_test(single_work_items_are_shared_out),
        cmocka_unit_test(gcn_is_a_scalar_unit_of_the_lanes),
        cmocka_unit_test(barrels_have_scalar_units),
        cmocka_unit_test(uniform_values_go_with_scalar_threads),
        cmocka_unit_test(causes_add_up),
        cmocka_unit_test(scalar_threads_go_with_all_issues_and_lanes),
        cmocka_unit_test(machines_without_scalar_threads_refuse_or_leave_them_out),
        cmocka_unit_test(mistakes_are_diagnosed),
        cmocka_unit_test(waves_show_the_units),
        cmocka_unit_test(turns_stay_together),
        cmocka_unit_test(helped_benchmarks_are_right),
        cmocka_unit_test(other_platforms_leave_them_out),
    };
    return cmocka_run_group_tests_name("scalar_kernels", tests, fixture_begin, fixture_end);
}
