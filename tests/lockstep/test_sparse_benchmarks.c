/* The dual-mode paper's benchmarks without barriers, and the programs that only train its predictor. Each
 * checks itself against C at size test on the base machine in SIMT and in MIMD mode with both coalescers. It
 * prints the same in all of them, and passes on PoCL. Odd sizes work, and a changed kernel fails: one change
 * of each program, all with LOCKSTEP_LONG=1. */
#include "tests/lockstep/benchmark_checks.h"
#include "tests/pocl.h"

#include <stdlib.h>
#include <string.h>

/* Programs with their arguments. */
static char *const programs[][BENCHMARK_WORDS] = {
    {"dotproduct"},
    {"bfs_frontier"},
    {"gaussian"},
    {"kmeans"},
    {"kmeans", "--swap", "off"},
    {"nearest_neighbors", "--group", "64"},
    {"bitonic_sort", "--group", "256"},
    {"black_scholes", "--input", "test", "--group", "64"},
    {"black_scholes", "--items", "1000", "--order", "sequential"},
    {"srad"},
    {"cfd"},
    {"lavamd", "--particles", "40"},
    {"scan"},
    {"spmv"},
    {"sobel"},
    {"floyd_warshall"},
    {"radix_pass"},
    {"string_search"},
    {"monte_carlo"},
    {"jacobi"},
};
enum { PROGRAMS = sizeof programs / sizeof *programs };

static void every_mode_says_the_same(void **state) {
    (void)state;
    for (size_t p = 0; p < PROGRAMS; p++) benchmark_says_the_same(NULL, programs[p]);
}

static void passes_on_pocl(void **state) {
    (void)state;
    struct pocl pocl;
    if (!pocl_start(&pocl)) skip();
    pocl_end(&pocl);
    for (size_t p = 0; p < PROGRAMS; p++) free(benchmark_passed(NULL, programs[p]));
}

static void odd_sizes(void **state) {
    (void)state;
    static char *const runs[][BENCHMARK_WORDS] = {
        {"dotproduct", "--products", "1"},
        {"dotproduct", "--products", "777", "--seed", "5"},
        {"bfs_frontier", "--nodes", "1", "--degree", "1"},
        {"bfs_frontier", "--nodes", "1001", "--degree", "9"},
        {"gaussian", "--size", "2"},
        {"gaussian", "--size", "37"},
        {"kmeans", "--points", "3", "--centres", "3", "--features", "1"},
        {"kmeans", "--points", "777", "--centres", "9", "--features", "5", "--iterations", "3", "--seed",
         "2"},
        {"nearest_neighbors", "--places", "65", "--group", "64"},
        {"bitonic_sort", "--log2-count", "1", "--group", "256"},
        {"black_scholes", "--items", "77", "--each", "3", "--group", "128", "--order", "sequential", "--seed",
         "2"},
        {"srad", "--rows", "1", "--columns", "300"},
        {"srad", "--rows", "37", "--columns", "5", "--iterations", "3", "--seed", "9"},
        {"cfd", "--cells", "1"},
        {"cfd", "--cells", "300", "--iterations", "3", "--seed", "9"},
        {"lavamd", "--side", "1", "--particles", "1"},
        {"lavamd", "--side", "3", "--particles", "9", "--seed", "9"},
        {"scan", "--count", "1"},
        {"scan", "--count", "70001", "--seed", "3"},
        {"spmv", "--rows", "1", "--mean", "1"},
        {"spmv", "--rows", "777", "--mean", "30", "--seed", "3"},
        {"sobel", "--width", "1", "--height", "1"},
        {"sobel", "--width", "37", "--height", "5", "--seed", "3"},
        {"floyd_warshall", "--nodes", "1"},
        {"floyd_warshall", "--nodes", "37", "--seed", "3"},
        {"radix_pass", "--keys", "1"},
        {"radix_pass", "--keys", "777", "--passes", "8", "--seed", "3"},
        {"string_search", "--places", "1", "--length", "1"},
        {"string_search", "--places", "777", "--length", "3", "--each", "5", "--seed", "3"},
        {"monte_carlo", "--options", "1", "--walks", "1"},
        {"monte_carlo", "--options", "300", "--walks", "3", "--seed", "3"},
        {"jacobi", "--width", "3", "--height", "3"},
        {"jacobi", "--width", "70", "--height", "9", "--each", "3", "--steps", "3", "--seed", "3"},
    };
    for (size_t n = 0; n < sizeof runs / sizeof *runs; n++) free(benchmark_passed(benchmark_simt, runs[n]));
}

static void a_changed_kernel_fails(void **state) {
    (void)state;
    static const struct {
        const char *from, *to;
        char *words[BENCHMARK_WORDS];
    } changes[] = {
        {"b[first + 3]", "b[first + 2]", {"dotproduct", "--products", "300"}},
        {"4 * i", "3 * i", {"dotproduct", "--products", "300"}},
        {"cost[node] + 1", "cost[node] + 2", {"bfs_frontier", "--nodes", "300"}},
        {"visited[node] = 1", "visited[node] = 2", {"bfs_frontier", "--nodes", "300"}},
        {"frontier[node] = 0", "frontier[node] = 1", {"bfs_frontier", "--nodes", "300"}},
        {"frontier[node] = 1", "frontier[node] = 0", {"bfs_frontier", "--nodes", "300"}},
        {"*more = 1", "*more = 0", {"bfs_frontier", "--nodes", "300"}},
        {"-= multiplier[row * size + step] * matrix",
         "+= multiplier[row * size + step] * matrix",
         {"gaussian"}},
        {"matrix[row * size + step] / matrix", "matrix[row * size + step] * matrix", {"gaussian"}},
        {"column == step", "column == 1", {"gaussian"}},
        {"distance += difference * difference", "distance += difference", {"kmeans", "--points", "300"}},
        {"c * features + f", "c * features", {"kmeans", "--points", "300"}},
        {"INFINITY", "1.0f", {"kmeans", "--points", "300"}},
        {"f * points + i]", "f * points]", {"kmeans", "--points", "300"}},
        {"(i) * features", "(i) * 2", {"kmeans", "--points", "300", "--swap", "off"}},
        {"place[i].y - y", "place[i].y + y", {"nearest_neighbors"}},
        {"keys[left] = down ? max", "keys[left] = down ? min", {"bitonic_sort"}},
        {">> stage & 1", ">> stage & 3", {"bitonic_sort"}},
        {"0.2316419f", "0.2416419f", {"black_scholes"}},
        {"0.31938153f", "0.32938153f", {"black_scholes"}},
        {"1.330274429f", "1.430274429f", {"black_scholes"}},
        {"0.39894228f", "0.39994228f", {"black_scholes"}},
        {"1.0f - tail", "1.1f - tail", {"black_scholes"}},
        {"get_global_id(0) * each", "get_global_id(0) * 2", {"black_scholes", "--order", "sequential"}},
        {"/ 255.0f", "/ 256.0f", {"srad", "--rows", "16"}},
        {"* 255.0f", "* 254.0f", {"srad", "--rows", "16"}},
        {"0.0625f", "0.0626f", {"srad", "--rows", "16"}},
        {"0.5f *", "0.6f *", {"srad", "--rows", "16"}},
        {"0.25f * laplacian", "0.2f * laplacian", {"srad", "--rows", "16"}},
        {"(1.0f + speckle)", "(1.1f + speckle)", {"srad", "--rows", "16"}},
        {"c = 1.0f;", "c = 2.0f;", {"srad", "--rows", "16"}},
        {"0.25f * lambda", "0.26f * lambda", {"srad", "--rows", "16"}},
        {"GAMMA     1.4f", "GAMMA     1.41f", {"cfd", "--cells", "400"}},
        {"SMOOTHING 0.2f", "SMOOTHING 0.201f", {"cfd", "--cells", "400"}},
        {"WING      (-1)", "WING      (-3)", {"cfd", "--cells", "400"}},
        {"FAR       (-2)", "FAR       (-3)", {"cfd", "--cells", "400"}},
        {"0.5f / (sqrt", "0.51f / (sqrt", {"cfd", "--cells", "400"}},
        {"0.5f * s->variable[0] * square", "0.51f * s->variable[0] * square", {"cfd", "--cells", "400"}},
        {"0.5f * (s->variable[0] * flow)", "0.51f * (s->variable[0] * flow)", {"cfd", "--cells", "400"}},
        {"0.5f * ((s", "0.51f * ((s", {"cfd", "--cells", "400"}},
        {"SMOOTHING * 0.5f", "SMOOTHING * 0.51f", {"cfd", "--cells", "400"}},
        {"2.0f * potential", "2.001f * potential", {"lavamd", "--particles", "20"}},
        {"square = own.w + other.w", "square = own.w + own.w", {"lavamd", "--particles", "20"}},
        {"q * potential", "q * strength", {"lavamd", "--particles", "20"}},
        {"own.y - other.y", "own.y - other.x", {"lavamd", "--particles", "20"}},
        {"float potential = exp(-decay",
         "float potential = exp(-1.0001f * decay",
         {"lavamd", "--particles", "20"}},
        {"distance *= 2", "distance *= 4", {"scan", "--count", "600"}},
        {"group > 0", "group > 1", {"scan", "--count", "600"}},
        {"group_sum[group - 1]", "group_sum[group]", {"scan", "--count", "600"}},
        {"local_id >= distance ?", "local_id > distance ?", {"scan", "--count", "600"}},
        {"float sum = 0.0f", "float sum = 1.0f", {"spmv", "--rows", "300"}},
        {"end = first[row + 1]", "end = first[row + 1] - 1", {"spmv", "--rows", "300"}},
        {"vector[column[e]]", "vector[column[e] / 2]", {"spmv", "--rows", "300"}},
        {"2 * (image", "3 * (image", {"sobel", "--height", "20"}},
        {"2 * (below", "3 * (below", {"sobel", "--height", "20"}},
        {"255u", "254u", {"sobel", "--height", "20"}},
        {"strength = 0", "strength = 1", {"sobel", "--height", "20"}},
        {"x < width - 1", "x < width - 2", {"sobel", "--height", "20"}},
        {"y > 0", "y > 1", {"sobel", "--height", "20"}},
        {"= longer;", "= longer + 1;", {"floyd_warshall", "--nodes", "20"}},
        {"over * nodes + to", "to * nodes + over", {"floyd_warshall", "--nodes", "20"}},
        {"from * nodes + over", "from * nodes + over / 2", {"floyd_warshall", "--nodes", "20"}},
        {"sorted[place] = key;", "sorted[place] = key + 1;", {"radix_pass", "--keys", "300"}},
        {"tally[local_id] = 0", "tally[local_id] = 1", {"radix_pass", "--keys", "300"}},
        {"atomic_inc(", "atomic_dec(", {"radix_pass", "--keys", "300"}},
        {"DIGITS 16", "DIGITS 8", {"radix_pass", "--keys", "300"}},
        {"other = 0", "other = 1", {"radix_pass", "--keys", "300"}},
        {"equal = 0", "equal = 1", {"string_search", "--places", "900"}},
        {"equal < length", "equal < length - 1", {"string_search", "--places", "900"}},
        {"pattern[equal]", "pattern[0]", {"string_search", "--places", "900"}},
        {"1664525u", "1664529u", {"monte_carlo", "--options", "64"}},
        {"1013904223u", "1013904227u", {"monte_carlo", "--options", "64"}},
        {"2654435761u", "2654435763u", {"monte_carlo", "--options", "64"}},
        {"6.2831853f", "6.2841853f", {"monte_carlo", "--options", "64"}},
        {"-2.0f", "-2.001f", {"monte_carlo", "--options", "64"}},
        {"sum = 0.0f", "sum = 0.01f", {"monte_carlo", "--options", "64"}},
        {"0.25f *", "0.26f *", {"jacobi", "--height", "20"}},
        {"- source[i]", "+ source[i]", {"jacobi", "--height", "20"}},
        {"width - 1)", "width - 2)", {"jacobi", "--height", "20"}},
        {"height - 1", "height - 2", {"jacobi", "--height", "20"}},
    };
    for (size_t n = 0; n < sizeof changes / sizeof *changes; n++) {
        const char *name = changes[n].words[0];
        if (n > 0 && strcmp(name, changes[n - 1].words[0]) == 0 && !getenv("LOCKSTEP_LONG")) continue;
        benchmark_fails_with(NULL, changes[n].from, changes[n].to, changes[n].words);
    }
}

static void wrong_options_are_named(void **state) {
    (void)state;
    static const struct {
        char *words[BENCHMARK_WORDS];
        const char *says;
    } wrong[] = {
        {{"dotproduct", "--input", "huge"}, "input: 'huge' is not test, small or full"},
        {{"dotproduct", "--products", "0"}, "products: '0' is no whole number from 1 to"},
        {{"gaussian", "--size", "1"}, "--size 1 leaves nothing to eliminate"},
        {{"kmeans", "--swap", "maybe"}, "swap: 'maybe' is none of on, off"},
        {{"kmeans", "--points", "4"}, "--centres 5 is more than --points 4"},
        {{"bitonic_sort", "--group", "48"}, "--group 48 is no power of two"},
        {{"black_scholes", "--order", "random"}, "order: 'random' is none of strided, sequential"},
        {{"jacobi", "--width", "2"}, "--width 2 --height 130: only the rim is left"},
    };
    for (size_t n = 0; n < sizeof wrong / sizeof *wrong; n++)
        benchmark_refuses(wrong[n].says, wrong[n].words);
}

static void help_tells_the_inputs(void **state) {
    (void)state;
    struct spawned s = benchmark_run(NULL, (char *[]){"dotproduct", "--help", NULL});
    assert_status(&s, 0);
    assert_says(s.out, "test: --products 32768; small: --products 262144; full: --products 1277952\n");
    spawn_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(every_mode_says_the_same), TEST(passes_on_pocl),          TEST(odd_sizes),
        TEST(a_changed_kernel_fails),   TEST(wrong_options_are_named), TEST(help_tells_the_inputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
