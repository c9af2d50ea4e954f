/* The dual-mode paper's benchmarks with barriers. Each has the barrier statements of the paper's Table 4 and
 * checks itself against C. They run at size test on the base machine in SIMT and in MIMD mode with both
 * coalescers, which must print the same, and on PoCL. They also run at other sizes and with other seeds. A
 * kernel with one changed constant fails the check. */
#include "tests/lockstep/benchmark_checks.h"
#include "tests/pocl.h"

#include <stdlib.h>
#include <string.h>

enum { CHANGES = 5 };

/* A change of a kernel: a text that occurs once, its replacement, and an option with its word with which this
 * kernel runs, or NULL. */
enum { FROM, TO, OPTION, WORD, PARTS };

static const struct program {
    const char *name;
    unsigned barriers;   /* statements, in Table 4 */
    const char *setting; /* setting of the machine that the program needs; NULL: none */
    const char *changes[CHANGES][PARTS];
} programs[] = {
    {"backprop",
     6,
     NULL,
     {{"rate = 0.3f", "rate = 0.25f"},
      {"momentum = 0.3f", "momentum = 0.2f"},
      {"step <= WIDE", "step < WIDE"}}},
    {"b_tree",
     5,
     NULL,
     {{"ahead[query] = node->next[slot]", "ahead[query] = node->next[0]"},
      {"first[query] + 1", "first[query] + 2"}}},
    {"dwthaar1d", 3, NULL, {{"half_root = 0.70710678f", "half_root = 0.7071f"}}},
    {"fdtd3d",
     2,
     NULL,
     {{"weight[0] * current", "weight[1] * current"}, {"i = 1; i <= RADIUS", "i = 2; i <= RADIUS"}}},
    {"hotspot_pyramid", 3, NULL, {{"ambient = 80.0f", "ambient = 81.0f"}, {"2.0f * own", "2.5f * own"}}},
    {"lud",
     6,
     NULL,
     {{"i < TILE - 1", "i < TILE - 2"},
      {"for (int i = 1; i < TILE; i++)", "for (int i = 2; i < TILE; i++)"},
      {"sum = 0.0f", "sum = 1.0f"}}},
    {"matrixmul",
     2,
     NULL,
     {{"float sum = 0.0f;\n\n    for (int at_a", "float sum = 1.0f;\n\n    for (int at_a"},
      {"float sum = 0.0f;\n\n    for (int k", "float sum = 1.0f;\n\n    for (int k", "--local", "off"}}},
    {"nbody", 2, NULL, {{"pull * 0.5f", "pull * 0.75f"}, {"1.0f / sqrt", "1.5f / sqrt"}}},
    {"nw",
     12,
     "cluster.local_memory=65536",
     {{"    }\n    barrier(CLK_LOCAL_MEM_FENCE);\n\n    for (int m = TILE - 2;",
       "    }\n    barrier(CLK_LOCAL_MEM_FENCE);\n\n    for (int m = TILE - 3;"},
      {"last + 1 - blocks", "last - blocks"}}},
    {"particlefilter",
     10,
     NULL,
     {{"5.0f * gaussian", "5.1f * gaussian"},
      {"/ 50.0f", "/ 51.0f"},
      {"int group = 0", "int group = 1"},
      {"1.0f / (float)particles * uniform", "0.5f / (float)particles * uniform"},
      {"drawn = k;", "drawn = k / 2;"}}},
    {"pathfinder", 3, NULL, {{"min(x + 1, most)", "min(x + 2, most)"}, {"valid && x >= step + 1", "valid"}}},
    {"reduction_uint4",
     4,
     NULL,
     {{"input[i] + input[i + GROUP]", "input[i] + input[i + 1]"},
      {"[i + GROUP] : (uint4)0", "[i + GROUP] : (uint4)1"}}},
};
enum { PROGRAMS = sizeof programs / sizeof *programs };

static void every_mode_says_the_same(void **state) {
    (void)state;
    for (size_t p = 0; p < PROGRAMS; p++)
        benchmark_says_the_same(programs[p].setting, (char *[]){(char *)programs[p].name, NULL});
}

static void passes_on_pocl(void **state) {
    (void)state;
    struct pocl pocl;
    if (!pocl_start(&pocl)) skip();
    pocl_end(&pocl);
    for (size_t p = 0; p < PROGRAMS; p++) {
        char *const name = (char *)programs[p].name;
        free(benchmark_passed(NULL, (char *[]){name, NULL}));
        free(benchmark_passed(NULL, (char *[]){name, "--input", "small", NULL}));
    }
}

static void barriers_are_those_of_table_4(void **state) {
    (void)state;
    for (size_t p = 0; p < PROGRAMS; p++) {
        char *text = benchmark_kernels(programs[p].name);
        unsigned barriers = 0;
        for (const char *at = text; (at = strstr(at, "barrier(")) != NULL; at++) barriers++;
        if (barriers != programs[p].barriers)
            fail_msg("%s: %u barriers, Table 4 has %u", programs[p].name, barriers, programs[p].barriers);
        free(text);
    }
}

/* Returns the row of a program. words: a program and its arguments. */
static const struct program *program_of(char *const words[]) {
    for (size_t p = 0; p < PROGRAMS; p++)
        if (strcmp(programs[p].name, words[0]) == 0) return &programs[p];
    fail_msg("%s is no program of the table", words[0]);
    return NULL;
}

static void other_sizes(void **state) {
    (void)state;
    static char *const runs[][BENCHMARK_WORDS] = {
        {"backprop", "--inputs", "16", "--seed", "7"},
        {"b_tree", "--keys", "1", "--finds", "3", "--ranges", "1"},
        {"b_tree", "--keys", "64", "--finds", "9", "--ranges", "2"},
        {"b_tree", "--keys", "4097", "--finds", "33", "--ranges", "5"},
        {"dwthaar1d", "--log2-length", "1"},
        {"dwthaar1d", "--log2-length", "9"},
        {"dwthaar1d", "--log2-length", "10"},
        {"fdtd3d", "--width", "1", "--height", "1"},
        {"fdtd3d", "--width", "33", "--height", "9", "--steps", "3"},
        {"hotspot_pyramid", "--size", "1", "--steps", "1"},
        {"hotspot_pyramid", "--size", "37", "--steps", "5", "--pyramid", "3"},
        {"hotspot_pyramid", "--size", "21", "--steps", "8", "--pyramid", "7"},
        {"lud", "--size", "16"},
        {"lud", "--size", "32", "--seed", "2"},
        {"matrixmul", "--local", "off"},
        {"matrixmul", "--inner", "1", "--rows", "1", "--columns", "2"},
        {"nbody", "--bodies", "32", "--steps", "1", "--seed", "9"},
        {"nw", "--letters", "64", "--penalty", "1"},
        {"nw", "--letters", "128", "--seed", "5"},
        {"particlefilter", "--particles", "129", "--frames", "2", "--seed", "4"},
        {"pathfinder", "--columns", "1", "--rows", "1"},
        {"pathfinder", "--columns", "300", "--rows", "9", "--pyramid", "127"},
        {"pathfinder", "--columns", "5", "--rows", "70", "--pyramid", "1"},
        {"reduction_uint4", "--elements", "1024"},
        {"reduction_uint4", "--elements", "263168", "--seed", "3"},
    };
    for (size_t n = 0; n < sizeof runs / sizeof *runs; n++) {
        const char *const settings[BENCHMARK_SETTINGS] = {"mode=simt", program_of(runs[n])->setting};
        free(benchmark_passed(settings, runs[n]));
    }
}

static void a_changed_constant_fails(void **state) {
    (void)state;
    for (size_t n = 0; n < PROGRAMS * CHANGES; n++) {
        const struct program *p = &programs[n / CHANGES];
        const char *const *c = p->changes[n % CHANGES];
        if (!c[FROM]) continue;
        char *const words[] = {(char *)p->name, (char *)c[OPTION], (char *)c[WORD], NULL};
        benchmark_fails_with(p->setting, c[FROM], c[TO], words);
    }
}

static void wrong_options_are_named(void **state) {
    (void)state;
    static const struct {
        char *words[BENCHMARK_WORDS];
        const char *says;
    } wrong[] = {
        {{"backprop", "--inputs", "17"}, "--inputs 17 is no multiple of 16"},
        {{"lud", "--size", "40"}, "--size 40 is no multiple of 16"},
        {{"matrixmul", "--input", "large"}, "input: 'large' is not test, small or full"},
        {{"matrixmul", "--local", "maybe"}, "local: 'maybe' is none of on, off"},
        {{"nbody", "--bodies", "33"}, "--bodies 33 is no multiple of 32"},
        {{"nw", "--letters", "65"}, "--letters 65 is no multiple of 64"},
        {{"particlefilter", "--frames", "1"}, "--frames 1 leaves no frame"},
        {{"particlefilter", "--particles", "1", "--seed", "3"}, "choose another seed"},
        {{"reduction_uint4", "--elements", "1"}, "--elements 1 is no multiple of 1024"},
    };
    for (size_t n = 0; n < sizeof wrong / sizeof *wrong; n++)
        benchmark_refuses(wrong[n].says, wrong[n].words);
}

static void help_tells_words_and_inputs(void **state) {
    (void)state;
    struct spawned s = benchmark_run(NULL, (char *[]){"matrixmul", "--help", NULL});
    assert_status(&s, 0);
    assert_says(s.out, "full: --inner 5 --rows 10 --columns 5\n");
    assert_says(s.out, "--local WORD      tiles in local memory: on, off; default on\n");
    spawn_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(every_mode_says_the_same),      TEST(passes_on_pocl),
        TEST(barriers_are_those_of_table_4), TEST(other_sizes),
        TEST(a_changed_constant_fails),      TEST(wrong_options_are_named),
        TEST(help_tells_words_and_inputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
