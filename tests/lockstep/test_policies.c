/* policies: every combination of a PC policy and a scheduler has the right results in the benchmarks. The
 * cycles are the same with stepping, and with Verilog compared with the models or in their place: block by
 * block and the whole co-processor. `make test` runs every policy and scheduler once, and the whole
 * co-processor of one pair (others: test_rtl_coprocessor), LOCKSTEP_LONG=1 (`make test-long`) all pairs and
 * the benchmarks' own inputs. */
#include "tests/fixture.h"

#include <stdlib.h>
#include <string.h>

#define GRID  32
#define FLOAT 3000

static const char *const policies[] = {"ics_first", "min_pc", "first_ready"};
static const char *const schedulers[] = {"round_robin", "greedy_oldest", "two_level", "pipelined"};
static char *const one_cluster[][5] = {{NULL},
                                       {"--exact-steps", NULL},
                                       {"--rtl", "check,simt_coprocessor=check", NULL},
                                       {"--rtl", "drive,simt_coprocessor=drive", NULL}};
static char *const two_clusters[][5] = {
    {"--set", "cluster.count=2", NULL},
    {"--set", "cluster.count=2", "--exact-steps", NULL},
    {"--set", "cluster.count=2", "--rtl", "check,simt_coprocessor=check", NULL},
    {"--set", "cluster.count=2", "--rtl", "drive,simt_coprocessor=drive", NULL}};
static char *const (*ways)[5] = one_cluster;

static bool is_long(void) {
    const char *l = getenv("LOCKSTEP_LONG");
    return l && *l && strcmp(l, "0") != 0;
}

/* Writes a grid of values for hotspot: `base` with a warm corner. Returns its path. */
static char *grid(const char *name, double base) {
    char *text = NULL, *path;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (int y = 0; y < GRID; y++)
        for (int x = 0; x < GRID; x++)
            fprintf(out, "%g%c", base * (1 + 0.01 * (x * y % 7)), x == GRID - 1 ? '\n' : ' ');
    fclose(out);
    path = fixture_file(name, text, 0644);
    free(text);
    return path;
}

static char *floats(const char *name) {
    char *path = fixture_path(name);
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    for (int n = 0; n < FLOAT; n++) fwrite(&(float){(float)(n % 97) / 8}, sizeof(float), 1, out);
    fclose(out);
    return path;
}

static struct spawned run(char *const benchmark[], const char *policy, const char *scheduler,
                          char *const way[], const char *statistics) {
    char *program = spawn_text("%s/benchmarks/%s", spawn_build(), benchmark[0]);
    char *pc = spawn_text("simt.pc_policy=%s", policy), *warp = spawn_text("simt.scheduler=%s", scheduler);
    char *argv[24] = {fixture_command, "run", "--set", pc, "--set", warp, "--stats", (char *)statistics};
    unsigned n = 8;
    while (*way) argv[n++] = *way++;
    argv[n++] = "--";
    argv[n++] = program;
    while (*++benchmark) argv[n++] = *benchmark;
    struct spawned s = spawn(fixture_folder, argv);
    free(program);
    free(pc);
    free(warp);
    return s;
}

static void assert_same_simulation(const char *what, const char *policy, const char *scheduler) {
    json_t *first = fixture_statistics("way0.json"), *second = fixture_statistics("way.json");
    if (!json_equal(json_object_get(first, "totals"), json_object_get(second, "totals")) ||
        !json_equal(json_object_get(first, "counters"), json_object_get(second, "counters")))
        fail_msg("%s with %s: the figures of %s are others", policy, scheduler, what);
    json_decref(first);
    json_decref(second);
}

/* The benchmarks check their results themselves. Without `whole` the last word of a way is that of its
 * blocks. */
static void assert_right(char *const benchmark[], const char *policy, const char *scheduler, bool whole) {
    for (unsigned w = 0; w < 4; w++) {
        char *way[5] = {NULL};
        unsigned words = 0;
        for (; ways[w][words]; words++) way[words] = ways[w][words];
        if (w >= 2 && !whole) way[words - 1] = w == 2 ? "check" : "drive";
        struct spawned s = run(benchmark, policy, scheduler, way, w ? "way.json" : "way0.json");
        if (s.status != 0)
            fail_msg("%s with %s and %s %s: exit status %d\n%s%s", benchmark[0], policy, scheduler,
                     *ways[w] ? *ways[w] : "", s.status, s.out, s.err);
        if (w) assert_same_simulation(*ways[w], policy, scheduler);
        spawn_free(&s);
    }
}

static void every_pair(char *const benchmark[]) {
    for (unsigned p = 0; p < 3; p++)
        for (unsigned s = 0; s < sizeof schedulers / sizeof *schedulers; s++)
            if (is_long() || s % 3 == p)
                assert_right(benchmark, policies[p], schedulers[s], is_long() || p == 0);
}

static void hotspot(void **state) {
    (void)state;
    char *temperature = grid("temperature.txt", 323), *power = grid("power.txt", 0.001);
    if (is_long())
        every_pair((char *[]){"hotspot", NULL});
    else
        every_pair((char *[]){"hotspot", "--steps", "2", temperature, power, NULL});
    free(temperature);
    free(power);
}

static void mandelbrot(void **state) {
    (void)state;
    every_pair((char *[]){"mandelbrot", "--size", is_long() ? "128" : "32", NULL});
}

static void reduction(void **state) {
    (void)state;
    char *path = floats("floats.bin");
    if (is_long())
        every_pair((char *[]){"reduction", NULL});
    else
        every_pair((char *[]){"reduction", path, NULL});
    free(path);
}

static void the_others(void **state) {
    (void)state;
    every_pair(is_long() ? (char *[]){"vector_add", "--count", "40000", NULL}
                         : (char *[]){"vector_add", "--count", "4000", NULL});
    every_pair((char *[]){"convolution", "--size", "32", "--radius", is_long() ? "8" : "2", NULL});
    every_pair((char *[]){"scalar_product", "--vectors", "4", "--length", is_long() ? "4096" : "512", NULL});
    every_pair((char *[]){"path_finder", "--columns", "1000", "--rows", is_long() ? "64" : "8", "--halo", "4",
                          NULL});
}

static void with_two_clusters(void **state) {
    (void)state;
    ways = two_clusters;
    every_pair((char *[]){"mandelbrot", "--size", "32", NULL});
    every_pair((char *[]){"path_finder", "--columns", "1000", "--rows", "8", "--halo", "4", NULL});
    ways = one_cluster;
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(hotspot), TEST(mandelbrot), TEST(reduction), TEST(the_others),
                                       TEST(with_two_clusters)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
