/* Programs divided as OpenMP divides them (--model openmp): each passes its check against C on the base
 * machine's cores, on one and on seven, at other sizes, and on PoCL. A kernel with one changed constant fails
 * the check, and so does one that omits a core's part. */
#include "tests/lockstep/benchmark_checks.h"
#include "tests/pocl.h"

#include <stdlib.h>
#include <string.h>

/* A change of a kernel: a text that occurs once, and its replacement. */
enum { FROM, TO, PARTS };

static const struct program {
    char *words[BENCHMARK_WORDS];
    const char *change[PARTS];
} programs[] = {
    {{"b_tree"}, {"first[query] + 1", "first[query] + 2"}},
    {{"backprop"}, {"momentum = 0.3f", "momentum = 0.2f"}},
    {{"bfs_frontier"}, {"cost[node] + 1", "cost[node] + 2"}},
    {{"cfd"}, {"SMOOTHING 0.2f", "SMOOTHING 0.3f"}},
    {{"hotspot_pyramid"}, {"ambient = 80.0f", "ambient = 81.0f"}},
    {{"kmeans"}, {"sum / (float)count", "sum / (float)(count + 1)"}},
    {{"lavamd", "--side", "1"}, {"2.0f * potential", "2.1f * potential"}},
    {{"lud"}, {"sum = 0.0f", "sum = 1.0f"}},
    {{"nearest_neighbors"}, {"place[i].x - x", "place[i].x + x"}},
    {{"nw"}, {"min(diagonal, across - 1)", "min(diagonal, across - 2)"}},
    {{"particlefilter"}, {"100.0f", "101.0f"}},
    {{"pathfinder"}, {"columns - 1", "columns - 2"}},
    {{"srad"}, {"0.0625f", "0.0626f"}},
};
enum { PROGRAMS = sizeof programs / sizeof *programs };

/* Adds --model openmp to the words of a program. */
static void with_model(char *const words[], char *all[BENCHMARK_WORDS]) {
    unsigned count = 0;
    for (; words[count]; count++) all[count] = words[count];
    all[count++] = "--model";
    all[count++] = "openmp";
    all[count] = NULL;
}

static void pass_on(const char *const settings[BENCHMARK_SETTINGS], char *const words[]) {
    char *all[BENCHMARK_WORDS];
    with_model(words, all);
    free(benchmark_passed(settings, all));
}

static void pass_on_any_number_of_cores(void **state) {
    (void)state;
    for (size_t p = 0; p < PROGRAMS; p++)
        pass_on((const char *const[]){"mode=mimd", NULL, NULL}, programs[p].words);
    pass_on((const char *const[]){"mode=mimd", "cluster.lanes=1", NULL}, programs[5].words);
    pass_on((const char *const[]){"mode=mimd", "cluster.lanes=8", NULL}, programs[5].words);
    pass_on((const char *const[]){"mode=mimd", "cluster.lanes=8", NULL}, programs[9].words);
    pass_on((const char *const[]){"mode=mimd", "cluster.lanes=8", NULL}, programs[10].words);
}

/* Fewer iterations than cores, and numbers of them that cores do not divide. */
static void other_sizes(void **state) {
    (void)state;
    static char *const runs[][BENCHMARK_WORDS] = {
        {"b_tree", "--keys", "64", "--finds", "3", "--ranges", "1"},
        {"bfs_frontier", "--nodes", "3"},
        {"hotspot_pyramid", "--size", "37", "--steps", "3"},
        {"kmeans", "--points", "7", "--centres", "3"},
        {"lud", "--size", "16"},
        {"nearest_neighbors", "--places", "5"},
        {"nw", "--letters", "64", "--penalty", "1"},
        {"particlefilter", "--particles", "3", "--frames", "2", "--seed", "5"},
        {"pathfinder", "--columns", "3", "--rows", "9"},
        {"srad", "--rows", "5", "--columns", "7"},
    };
    for (size_t n = 0; n < sizeof runs / sizeof *runs; n++)
        pass_on((const char *const[]){"mode=mimd", NULL, NULL}, runs[n]);
}

static void passes_on_pocl(void **state) {
    (void)state;
    struct pocl pocl;
    if (!pocl_start(&pocl)) skip();
    pocl_end(&pocl);
    for (size_t p = 0; p < PROGRAMS; p++) pass_on(NULL, programs[p].words);
}

static void fails_with(const struct program *p, const char *from, const char *to) {
    char *all[BENCHMARK_WORDS];
    with_model(p->words, all);
    benchmark_fails_with("mode=mimd", from, to, all);
}

static void a_changed_constant_fails(void **state) {
    (void)state;
    for (size_t p = 0; p < PROGRAMS; p++)
        fails_with(&programs[p], programs[p].change[FROM], programs[p].change[TO]);
}

static void a_part_left_out_fails(void **state) {
    (void)state;
    for (size_t p = 0; p < PROGRAMS; p++)
        fails_with(&programs[p], "#define TO(n)   ((uint)(n)", "#define TO(n)   (((uint)(n) - 1)");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(pass_on_any_number_of_cores), TEST(other_sizes),           TEST(passes_on_pocl),
        TEST(a_changed_constant_fails),    TEST(a_part_left_out_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
