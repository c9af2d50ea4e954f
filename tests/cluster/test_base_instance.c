/*
 * The pipeline of the base machine is compiled twice (model/pipeline/base.c): where nobody looks it is the
 * instance that knows what this machine does not have, and where what instructions do is counted (--events)
 * the general one. Every benchmark gives the same statistics in both, and in the general one cycle by cycle:
 * each counter, histogram, cycle and cause.
 */
#include "tests/fixture.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Arguments of the benchmarks that have no --input, or whose inputs are larger. */
static const struct {
    const char *name, *arguments;
} own[] = {
    {"black_scholes", "--items 300 --each 2"},
    {"convolution", "--size 40 --radius 3"},
    {"hotspot", "--steps 1"},
    {"mandelbrot", "--size 48 --iterations 64 m.ppm"},
    {"math_function", "--function 1 --items 300 --calls 2"},
    {"matrix_vector", "--size 96"},
    {"path_finder", "--columns 700 --rows 9 --halo 4"},
    {"reduction", "--count 20000"},
    {"scalar_product", "--vectors 4 --length 300"},
    {"triad", "--count 3000"},
    {"vector_add", "--count 3000"},
    {"b_tree", "--input test"},
    {"backprop", "--input test"},
    {"bfs_frontier", "--input test"},
    {"cfd", "--input test"},
    {"dotproduct", "--input test"},
    {"dwthaar1d", "--input test"},
    {"fdtd3d", "--input test"},
    {"floyd_warshall", "--input test"},
    {"gaussian", "--input test"},
    {"hotspot_pyramid", "--input test"},
    {"jacobi", "--input test"},
    {"kmeans", "--input test"},
    {"lavamd", "--input test --particles 40"},
    {"lud", "--input test"},
    {"matrixmul", "--input test"},
    {"monte_carlo", "--input test"},
    {"nbody", "--input test"},
    {"nw", "--input test"},
    {"particlefilter", "--input test"},
    {"pathfinder", "--input test"},
    {"radix_pass", "--input test"},
    {"reduction_uint4", "--input test"},
    {"scan", "--input test"},
    {"sobel", "--input test"},
    {"spmv", "--input test"},
    {"srad", "--input test"},
    {"string_search", "--input test"},
};

static json_t *statistics_of(const char *program, const char *settings, const char *options) {
    struct spawned s = fixture_run(NULL, settings, options, program);
    if (s.status) fail_msg("%s %s: exit status %d:\n%s\n%s", program, options, s.status, s.out, s.err);
    spawn_free(&s);
    return fixture_statistics("s.json");
}

/* The entry of the other run's list that has the same scope and name. */
static const json_t *like(const json_t *list, const json_t *entry) {
    const char *scope = json_string_value(json_object_get(entry, "scope"));
    const char *name = json_string_value(json_object_get(entry, "name"));
    size_t i;
    json_t *other;
    json_array_foreach(list, i, other) {
        if (strcmp(json_string_value(json_object_get(other, "scope")), scope) == 0 &&
            strcmp(json_string_value(json_object_get(other, "name")), name) == 0)
            return other;
    }
    fail_msg("%s %s is in one of two statistics", scope, name);
    return NULL;
}

/* All that the first has, the second has; --events adds counters. */
static unsigned assert_same(const char *program, const json_t *a, const json_t *b, const char *how) {
    static const char *const lists[] = {"counters", "histograms"};
    unsigned compared = 0;
    for (unsigned n = 0; n < 2; n++) {
        size_t i;
        json_t *entry;
        json_array_foreach(json_object_get(a, lists[n]), i, entry) {
            const json_t *other = like(json_object_get(b, lists[n]), entry);
            if (!json_equal(entry, (json_t *)other)) {
                char *one = json_dumps(entry, 0), *two = json_dumps(other, 0);
                fail_msg("%s, %s:\n%s\n%s", program, how, one, two);
            }
            compared++;
        }
    }
    if (!json_equal(json_object_get(a, "totals"), json_object_get(b, "totals")))
        fail_msg("%s, %s: the totals differ", program, how);
    return compared;
}

static void same_in_both(const char *name, const char *arguments, const char *settings) {
    char *program = spawn_text("benchmarks/%s %s", name, arguments);
    json_t *base = statistics_of(program, settings, ""),
           *general = statistics_of(program, settings, "--events"),
           *clocked = statistics_of(program, settings, "--events --exact-steps");
    assert_true(assert_same(program, base, general, "--events") > 100);
    assert_same(program, general, clocked, "--exact-steps");
    json_decref(base);
    json_decref(general);
    json_decref(clocked);
    free(program);
}

static const char *arguments_of(const char *name) {
    for (unsigned n = 0; n < sizeof own / sizeof own[0]; n++)
        if (strcmp(own[n].name, name) == 0) return own[n].arguments;
    return "--input small";
}

static void every_benchmark(const char *settings) {
    char *folder = spawn_text("%s/benchmarks", spawn_build());
    DIR *d = opendir(folder);
    unsigned programs = 0;
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d)) != NULL;) {
        if (e->d_type != DT_REG || strchr(e->d_name, '.')) continue;
        same_in_both(e->d_name, arguments_of(e->d_name), settings);
        programs++;
    }
    closedir(d);
    free(folder);
    assert_true(programs >= 35);
}

static void every_benchmark_has_the_same_statistics_in_both(void **state) {
    (void)state;
    every_benchmark("cluster.local_memory=65536"); /* for nw */
}

/* Other orders of warps and threads, and clusters that take turns. */
static void so_it_has_on_other_machines(void **state) {
    static const char *const machine[] = {
        "simt.pc_policy=min_pc",
        "simt.pc_policy=first_ready simt.scheduler=greedy_oldest simt.lane_map=block",
        "cluster.count=3 cluster.lanes=2 cluster.threads_per_lane=128 l1d.size=32768",
        "simt.warp_size=16 tpm.write_ports=1 tpm.latency=3 simt.collectors=1 mem.dtlb_entries=2",
    };
    static const char *const program[][2] = {{"bfs", "--input small"},
                                             {"n_queens", "--input small"},
                                             {"mandelbrot", "--size 48 --iterations 64 m.ppm"}};
    (void)state;
    for (unsigned m = 0; m < sizeof machine / sizeof machine[0]; m++)
        for (unsigned p = 0; p < sizeof program / sizeof program[0]; p++)
            same_in_both(program[p][0], program[p][1], machine[m]);
    if (!getenv("LOCKSTEP_LONG")) return;
    for (unsigned m = 0; m < sizeof machine / sizeof machine[0]; m++) every_benchmark(machine[m]);
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(every_benchmark_has_the_same_statistics_in_both),
                                       TEST(so_it_has_on_other_machines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
