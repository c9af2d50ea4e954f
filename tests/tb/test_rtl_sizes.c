/* rtl_sizes: every legal combination of a block's parameters is clean under `verilator -Wall`. Every other
 * combination fails with the reason, and the machine's configuration refuses it. Machines at the limits of
 * the ranges run with their Verilog compared. `make test` uses the limits and odd values between;
 * LOCKSTEP_LONG=1 (`make test-long`) every value of each parameter. */
#include "sim/error.h"
#include "tests/fixture.h"

#include <stdlib.h>
#include <string.h>

#define MOST_PARAMETERS 8

static bool is_long(void) {
    const char *l = getenv("LOCKSTEP_LONG");
    return l && *l && strcmp(l, "0") != 0;
}

/* Values of a parameter that are combined with those of the others; in the long form all up to `last`. */
struct values {
    const char *name;
    unsigned first, last;
    unsigned some[8]; /* ends with 0, unless 0 is first */
};

static const struct block {
    const char *module;
    struct values parameter[MOST_PARAMETERS];
    const char *illegal[16]; /* "NAME=VALUE … : reason" */
} blocks[] = {
    {"warp_scheduler",
     {{"WARPS", 1, 128, {1, 2, 5, 16, 64, 65, 127, 128}}},
     {"WARPS=0: WARPS must be 1 to 128", "WARPS=129: WARPS must be 1 to 128"}},
    {"greedy_oldest_scheduler",
     {{"WARPS", 1, 128, {1, 2, 5, 16, 64, 65, 127, 128}}},
     {"WARPS=0: WARPS must be 1 to 128", "WARPS=129: WARPS must be 1 to 128"}},
    {"pipelined_scheduler",
     {{"WARPS", 1, 128, {1, 2, 5, 16, 64, 65, 127, 128}}},
     {"WARPS=0: WARPS must be 1 to 128", "WARPS=129: WARPS must be 1 to 128"}},
    {"two_level_scheduler",
     {{"WARPS", 1, 128, {1, 2, 3, 16, 65, 128}}, {"ACTIVE", 1, 128, {1, 2, 3, 4, 16, 65, 128}}},
     {"WARPS=129: WARPS must be 1 to 128", "WARPS=8 ACTIVE=9: ACTIVE must be 1 to WARPS",
      "ACTIVE=0: ACTIVE must be 1 to WARPS"}},
    {"warp_pc_arbiter",
     {{"WARP_SIZE", 4, 64, {4, 5, 7, 32, 63, 64}}, {"LEVELS", 1, 16, {1, 2, 3, 8, 15, 16}}},
     {"WARP_SIZE=3: WARP_SIZE must be 4 to 64", "WARP_SIZE=65: WARP_SIZE must be 4 to 64",
      "LEVELS=0: LEVELS must be 1 to 16", "LEVELS=17: LEVELS must be 1 to 16"}},
    {"min_pc_arbiter",
     {{"WARP_SIZE", 4, 64, {4, 5, 7, 32, 63, 64}}, {"LEVELS", 1, 16, {1, 2, 3, 8, 15, 16}}},
     {"WARP_SIZE=3: WARP_SIZE must be 4 to 64", "WARP_SIZE=65: WARP_SIZE must be 4 to 64",
      "LEVELS=0: LEVELS must be 1 to 16", "LEVELS=17: LEVELS must be 1 to 16"}},
    {"first_ready_arbiter",
     {{"WARP_SIZE", 4, 64, {4, 5, 7, 32, 63, 64}}, {"LEVELS", 1, 16, {1, 2, 3, 8, 15, 16}}},
     {"WARP_SIZE=3: WARP_SIZE must be 4 to 64", "WARP_SIZE=65: WARP_SIZE must be 4 to 64",
      "LEVELS=0: LEVELS must be 1 to 16", "LEVELS=17: LEVELS must be 1 to 16"}},
    {"miss_registers",
     {{"MSHRS", 1, 64, {1, 3, 64}}, {"MERGES", 1, 64, {1, 64}}, {"LINE_BITS", 1, 32, {1, 32}}},
     {"MSHRS=0: MSHRS must be 1 to 64", "MSHRS=65: MSHRS must be 1 to 64", "MERGES=0: MERGES must be 1 to 64",
      "MERGES=65: MERGES must be 1 to 64", "LINE_BITS=0: LINE_BITS must be 1 to 32",
      "LINE_BITS=33: LINE_BITS must be 1 to 32", "REQUEST_BITS=0: REQUEST_BITS must be 1 to 32",
      "REQUEST_BITS=33: REQUEST_BITS must be 1 to 32"}},
    {"writeback_arbiter",
     {{"WARPS", 1, 128, {1, 5, 64, 128}}, {"WRITE_PORTS", 1, 16, {1, 16}}, {"VTPO_LINES", 1, 8, {1, 8}}},
     {"WARPS=0: WARPS must be 1 to 128", "WARPS=129: WARPS must be 1 to 128",
      "WRITE_PORTS=0: WRITE_PORTS must be 1 to 16", "WRITE_PORTS=17: WRITE_PORTS must be 1 to 16",
      "VTPO_LINES=0: VTPO_LINES must be 1 to 8", "VTPO_LINES=9: VTPO_LINES must be 1 to 8"}},
    {"barrier_table",
     {{"WARPS", 1, 128, {1, 3, 64, 128}},
      {"WARP_SIZE", 4, 64, {4, 7, 64}},
      {"GROUPS", 1, 64, {1, 3, 8}},
      {"SCALAR", 0, 1, {0, 1}}},
     {"WARPS=0: WARPS must be 1 to 128", "WARPS=129: WARPS must be 1 to 128",
      "WARP_SIZE=3: WARP_SIZE must be 4 to 64", "WARP_SIZE=65: WARP_SIZE must be 4 to 64",
      "GROUPS=0: GROUPS must be 1 to 64", "GROUPS=65: GROUPS must be 1 to 64",
      "SCALAR=2: SCALAR must be 0 or 1"}},
    {"subwarp_dispatcher",
     {{"WARPS", 1, 128, {1, 3, 64, 128}},
      {"WARP_SIZE", 4, 64, {4, 7, 12, 32, 63, 64}},
      {"LANES", 1, 16, {1, 2, 3, 4, 7, 16}}},
     {"WARPS=0: WARPS must be 1 to 128", "WARPS=129: WARPS must be 1 to 128",
      "WARP_SIZE=3 LANES=1: WARP_SIZE must be 4 to 64", "WARP_SIZE=68: WARP_SIZE must be 4 to 64",
      "LANES=0: LANES must be 1 to 32", "LANES=33: LANES must be 1 to 32",
      "LANES=5: WARP_SIZE must be a multiple of LANES",
      "WARP_SIZE=4 LANES=8: WARP_SIZE must be a multiple of LANES"}},
    {"thread_descriptor_table",
     {{"WARPS", 1, 128, {1, 3, 65}},
      {"WARP_SIZE", 4, 64, {4, 7, 64}},
      {"LANES", 1, 16, {1, 4, 16}},
      {"LEVELS", 1, 16, {1, 16}},
      {"CYCLIC", 0, 1, {0, 1}}},
     {"WARPS=0: WARPS must be 1 to 128", "WARPS=129: WARPS must be 1 to 128",
      "WARP_SIZE=3 LANES=1: WARP_SIZE must be 4 to 64", "LANES=0: LANES must be 1 to 32 and divide WARP_SIZE",
      "LANES=33: LANES must be 1 to 32 and divide WARP_SIZE",
      "LANES=5: LANES must be 1 to 32 and divide WARP_SIZE", "LEVELS=0: LEVELS must be 1 to 16",
      "LEVELS=17: LEVELS must be 1 to 16", "CYCLIC=2: CYCLIC must be 0 or 1"}},
};
#define BLOCKS (sizeof blocks / sizeof *blocks)

/* --- combinations --- */

/* Returns the n-th value of a parameter; false if there are no more. */
static bool value_of(const struct values *p, unsigned n, bool all, unsigned *value) {
    *value = all ? p->first + n : n < 8 ? p->some[n] : 0;
    return all ? *value <= p->last : n < 8 && (*value || (n == 0 && p->first == 0));
}

static bool is_legal(const struct block *b, const unsigned value[]) {
    unsigned size = 0, lanes = 0, warps = 0, active = 0;
    for (unsigned n = 0; n < MOST_PARAMETERS && b->parameter[n].name; ++n) {
        const char *name = b->parameter[n].name;
        if (strcmp(name, "WARP_SIZE") == 0) size = value[n];
        if (strcmp(name, "LANES") == 0) lanes = value[n];
        if (strcmp(name, "WARPS") == 0) warps = value[n];
        if (strcmp(name, "ACTIVE") == 0) active = value[n];
    }
    return (!lanes || size % lanes == 0) && active <= warps + (active == 0);
}

static struct spawned lint(const struct block *b, const char *file, char *const option[]) {
    char *source = spawn_text("%s/rtl/%s.sv", spawn_source(), b->module);
    char *named = getenv("VERILATOR");
    char *argv[24] = {named ? named : "verilator", "--lint-only",    "-Wall", "-Wno-PINMISSING",
                      "-Wno-DECLFILENAME",         "--unroll-count", "128",   source};
    unsigned n = 8;
    if (file) argv[n++] = (char *)file;
    while (*option) argv[n++] = *option++;
    struct spawned s = spawn(fixture_folder, argv);
    free(source);
    return s;
}

/* Instances that wait to be elaborated together. */
struct instances {
    const struct block *block;
    char *text;
    unsigned waiting, count;
};
#define TOGETHER 25

static void elaborate(struct instances *i) {
    char *text = spawn_text("module all;\n%sendmodule\n", i->text);
    free(fixture_file("all.sv", text, 0644));
    struct spawned s = lint(i->block, "all.sv", (char *[]){"--top-module", "all", NULL});
    if (s.status != 0 || *s.err)
        fail_msg("%s: exit status %d\n%s\n%s", i->block->module, s.status, s.err, text);
    spawn_free(&s);
    free(text);
    *i->text = '\0';
    i->waiting = 0;
}

static void add_instance(struct instances *i, const unsigned value[]) {
    const struct block *b = i->block;
    char *at = i->text + strlen(i->text);
    at += sprintf(at, "  %s #(", b->module);
    for (unsigned n = 0; n < MOST_PARAMETERS && b->parameter[n].name; ++n)
        at += sprintf(at, "%s.%s(%u)", n ? ", " : "", b->parameter[n].name, value[n]);
    sprintf(at, ") instance_%u ();\n", i->count++);
    if (++i->waiting == TOGETHER) elaborate(i);
}

/* An instance of each legal combination of values; of parameter `whole` every value. */
static void add_combinations(struct instances *i, unsigned whole) {
    const struct block *b = i->block;
    unsigned at[MOST_PARAMETERS] = {0}, value[MOST_PARAMETERS], count = 0;
    while (count < MOST_PARAMETERS && b->parameter[count].name) ++count;
    for (unsigned n;;) {
        for (n = 0; n < count; ++n) value_of(&b->parameter[n], at[n], n == whole, &value[n]);
        if (is_legal(b, value)) add_instance(i, value);
        for (n = 0; n < count && !value_of(&b->parameter[n], ++at[n], n == whole, &value[n]); ++n) at[n] = 0;
        if (n == count) return;
    }
}

static void every_legal_combination_elaborates(void **state) {
    (void)state;
    char *text = calloc(TOGETHER, 256);
    for (const struct block *b = blocks; b < blocks + BLOCKS; ++b) {
        struct instances i = {.block = b, .text = text};
        if (!is_long()) add_combinations(&i, MOST_PARAMETERS);
        for (unsigned whole = 0; is_long() && whole < MOST_PARAMETERS && b->parameter[whole].name; ++whole)
            add_combinations(&i, whole);
        if (i.waiting) elaborate(&i);
        print_message("%s: %u combinations\n", b->module, i.count);
        assert_true(i.count >= 7);
    }
    free(text);
}

static void others_fail_with_the_reason(void **state) {
    (void)state;
    for (const struct block *b = blocks; b < blocks + BLOCKS; ++b)
        for (unsigned n = 0; n < 16 && b->illegal[n]; ++n) {
            char *settings = strdup(b->illegal[n]), *colon = strchr(settings, ':'), *option[4] = {NULL};
            char *reason = spawn_text("%s: %s\n", b->module, colon + 2);
            unsigned count = 0;
            *colon = '\0';
            for (char *word = strtok(settings, " "); word; word = strtok(NULL, " "))
                option[count++] = spawn_text("-G%s", word);
            struct spawned s = lint(b, NULL, option);
            if (s.status == 0 || !strstr(s.err, reason))
                fail_msg("%s, %s:\n%s", b->module, b->illegal[n], s.err);
            spawn_free(&s);
            while (count) free(option[--count]);
            free(settings);
            free(reason);
        }
}

/* --- machines --- */

static void the_configuration_refuses_what_blocks_cannot_be(void **state) {
    (void)state;
    static char *const refused[] = {
        "simt.warp_size=2",
        "simt.warp_size=128",
        "simt.warp_size=5",
        "cluster.lanes=3",
        "simt.priority_levels=0",
        "simt.priority_levels=17",
        "simt.active_warps=0",
        "simt.active_warps=129",
        "simt.warp_size=4 cluster.lanes=16",                             /* lanes without a thread */
        "simt.warp_size=4 cluster.lanes=1 cluster.threads_per_lane=1",   /* no warp */
        "simt.warp_size=4 cluster.lanes=4 cluster.threads_per_lane=256", /* 256 warps */
    };
    for (unsigned k = 0; k < sizeof refused / sizeof *refused; ++k) {
        struct spawned s = fixture_run(NULL, refused[k], "", "tests/hosts/vector_add");
        assert_status(&s, EXIT_USER);
        assert_says(s.err, "lockstep: ");
        spawn_free(&s);
    }
}

/* One warp of 4 threads in a lane, with one level; 64 warps of 4, and of 64 with all lanes and levels; … */
static const char *const machines[] = {
    "cluster.lanes=1 cluster.threads_per_lane=4 simt.warp_size=4 simt.priority_levels=1 cluster.count=1",
    "cluster.lanes=16 cluster.threads_per_lane=256 simt.warp_size=64 simt.priority_levels=16 "
    "simt.lane_map=cyclic",
    "cluster.lanes=4 cluster.threads_per_lane=64 simt.warp_size=4 simt.priority_levels=3 cluster.count=2",
    "cluster.lanes=16 cluster.threads_per_lane=4 simt.warp_size=64 simt.priority_levels=1 cluster.count=1",
    "cluster.lanes=2 cluster.threads_per_lane=64 simt.warp_size=32 simt.priority_levels=5 "
    "simt.lane_map=cyclic",
};

static const char *const fillings[] = {
    "simt.scheduler=round_robin simt.pc_policy=ics_first",
    "simt.scheduler=two_level simt.pc_policy=min_pc",
    "simt.scheduler=greedy_oldest simt.pc_policy=first_ready",
};

/* Work-groups of 1,024 work-items are in all warps of it. */
static void a_machine_of_128_warps_runs(void **state) {
    (void)state;
    struct spawned s =
        fixture_run(NULL,
                    "simt.warp_size=8 cluster.threads_per_lane=256 l1d.size=65536 "
                    "simt.scheduler=two_level simt.active_warps=100",
                    "--rtl check --rtl simt_coprocessor=check", "tests/hosts/large_groups 1024");
    assert_status(&s, EXIT_SOUND);
    assert_says(s.out, "large_groups: PASS");
    spawn_free(&s);
}

static void run_machine(unsigned machine, unsigned filling, const char *name) {
    char *settings = spawn_text("%s %s", machines[machine], fillings[filling]);
    char *program = spawn_text("tests/hosts/%s", name);
    struct spawned s = fixture_run(NULL, settings, "--rtl check", program);
    if (s.status != EXIT_SOUND)
        fail_msg("%s on machine %u, filling %u: exit status %d\n%s%s", name, machine, filling, s.status,
                 s.out, s.err);
    spawn_free(&s);
    free(settings);
    free(program);
}

/* The programs check their results; their work-groups have at most 4 work-items on the smallest machine. */
static void machines_at_the_ends_run(void **state) {
    (void)state;
    const unsigned count = sizeof machines / sizeof *machines;
    for (unsigned m = 0; m < (is_long() ? count : 2); ++m)
        for (unsigned f = 0; f < 3; ++f)
            if (is_long() || f == m + 1) run_machine(m, f, "vector_add");
    for (unsigned m = 1; is_long() && m < count; ++m)
        for (unsigned f = 0; f < 3; ++f) {
            run_machine(m, f, "divergence");
            run_machine(m, f, "barrier_loop");
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(every_legal_combination_elaborates),
        TEST(others_fail_with_the_reason),
        TEST(the_configuration_refuses_what_blocks_cannot_be),
        TEST(machines_at_the_ends_run),
        TEST(a_machine_of_128_warps_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
