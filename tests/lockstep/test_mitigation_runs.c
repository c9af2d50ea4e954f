/* simt.mitigation: divergent programs have the right results with each value, in the same cycles with
 * stepping and with Verilog; with better filled lanes they take fewer rounds, and never more. */
#include "tests/fixture.h"

#include <stdlib.h>
#include <string.h>

static char *const machines[][8] = {
    {NULL},
    {"--set", "simt.mitigation=slp", NULL},
    {"--set", "simt.lane_map=balanced", NULL},
    {"--set", "simt.lane_map=balanced", "--set", "simt.mitigation=slp", NULL},
    {"--set", "simt.lane_map=balanced", "--set", "simt.mitigation=slp", "--set", "cluster.count=2", NULL},
    {"--set", "simt.lane_map=cyclic", "--set", "simt.mitigation=slp", "--set", "simt.pc_policy=min_pc", NULL},
    {"--set", "simt.mitigation=slp", "--set", "simt.slp=any", NULL},
    {"--set", "simt.mitigation=skip", NULL},
    {"--set", "simt.mitigation=skip", "--set", "simt.lane_map=balanced", "--set", "cluster.count=2", NULL},
    {"--set", "simt.mitigation=dpe", NULL},
    {"--set", "simt.mitigation=dpe", "--set", "simt.scheduler=two_level", "--set", "cluster.count=2", NULL},
    {"--set", "simt.mitigation=alt", "--set", "tpm.write_ports=2", "--set", "cluster.count=2", NULL},
};
enum {
    NONE,
    SLP,
    BALANCED,
    BALANCED_SLP,
    WHOLE = 6,
    ANY = 6,
    SKIP,
    BALANCED_SKIP,
    DPE,
    ALT = 11,
    MACHINES = sizeof machines / sizeof *machines
};
static char *const ways[][5] = {
    {NULL}, {"--exact-steps", NULL}, {"--rtl", "check,simt_coprocessor=check", NULL}};
static char *const parts[] = {"--rtl", "check", NULL}; /* for machines whose co-processor has no Verilog */
enum { BESIDE = 2, WAYS = sizeof ways / sizeof *ways, WORDS = 32 };
static const char *const programs[][5] = {
    {"n_queens", "--size", "5", NULL},
    {"mandelbrot", "--size", "16", NULL},
};

static void append(char *argv[WORDS], unsigned *n, char *const *words) {
    while (*words) argv[(*n)++] = *words++;
}

static void run(const char *const program[], char *const machine[], char *const way[], char *statistics) {
    char *argv[WORDS] = {fixture_command, "run", "--stats", statistics};
    char *path = spawn_text("%s/benchmarks/%s", spawn_build(), program[0]);
    unsigned n = 4;
    append(argv, &n, machine);
    append(argv, &n, way);
    append(argv, &n, (char *[]){"--", path, NULL});
    append(argv, &n, (char *const *)program + 1);
    struct spawned s = spawn(fixture_folder, argv);
    if (s.status != 0)
        fail_msg("%s %s %s: exit status %d\n%s%s", program[0], machine[1], way[0], s.status, s.out, s.err);
    spawn_free(&s);
    free(path);
}

static json_int_t executed(void) {
    json_t *s = fixture_statistics("way0.json");
    const json_int_t cycles =
        fixture_number(json_object_get(json_object_get(s, "totals"), "cycles_by_cause"), "execute");
    json_decref(s);
    return cycles;
}

static void assert_same(const char *what) {
    json_t *first = fixture_statistics("way0.json"), *second = fixture_statistics("way.json");
    if (!json_equal(json_object_get(first, "totals"), json_object_get(second, "totals")) ||
        !json_equal(json_object_get(first, "counters"), json_object_get(second, "counters")))
        fail_msg("%s: the figures are others", what);
    json_decref(first);
    json_decref(second);
}

static void every_way(void **state) {
    (void)state;
    for (unsigned p = 0; p < sizeof programs / sizeof *programs; p++) {
        json_int_t rounds[MACHINES];
        for (unsigned m = 0; m < MACHINES; m++)
            for (unsigned w = 0; w < WAYS; w++) {
                if (w == BESIDE && (p || m == NONE || m == BALANCED)) continue; /* one program suffices */
                run(programs[p], machines[m], w == BESIDE && m >= WHOLE ? parts : ways[w],
                    w ? "way.json" : "way0.json");
                if (w) assert_same(programs[p][0]);
                if (!w) rounds[m] = executed();
            }
        print_message("%s: rounds %lld, skip %lld, slp %lld, balanced slp %lld, any %lld\n", programs[p][0],
                      (long long)rounds[NONE], (long long)rounds[SKIP], (long long)rounds[SLP],
                      (long long)rounds[BALANCED_SLP], (long long)rounds[ANY]);
        assert_true(rounds[SKIP] < rounds[NONE] && rounds[SLP] <= rounds[SKIP]);
        assert_true(rounds[BALANCED_SLP] <= rounds[BALANCED_SKIP]);
        assert_true(rounds[ANY] < rounds[SLP]);
        assert_true(rounds[DPE] >= rounds[NONE]);
        assert_true(rounds[ALT] < rounds[NONE]);
        assert_int_equal(rounds[BALANCED], rounds[NONE]);
        assert_true(rounds[SLP] < rounds[NONE] && rounds[BALANCED_SLP] < rounds[NONE]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(every_way)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
