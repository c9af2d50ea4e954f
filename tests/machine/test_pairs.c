/* Every pair of values of six options: 99 of 16 values, apart from defaults. A pair runs, or is refused with
 * a reason: for ever, as no machine could have both, or until it is built. The numbers of the three are
 * exact: a pair that begins to run, or no longer runs, fails the test until its row here is changed.
 *
 * A pair that runs does so on three kernels. Memory afterwards equals that of the base machine, and the
 * causes of cycles add up to the cycles. Exact steps change no counter. A counter of each option is not 0.
 * The cycles, or the counter of the other option, differ from those with one option alone, if a machine can
 * have it. Each field that the pair sets is read: another value changes the cycles, a counter or memory, or
 * is refused. */
#include "tests/kernel_run.h"
#include "tests/spawn.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { WORDS = 1024, SETTINGS = 32, RUNNING = 69, LATER = 0, NEVER = 30, KERNELS = 3 };

/* --- the options --- */

enum option { DIVERGENCE, ISSUE, LANES, UNIFORM, SCALAR, MITIGATION };

static const struct value {
    enum option option;
    const char *name, *settings;
    const char *scope, *counter; /* not 0 if the option does something */
} values[] = {
    {DIVERGENCE, "sbr", "simt.divergence=sbr", "", "active_rounds"},
    {DIVERGENCE, "oracle", "simt.divergence=oracle", "cluster0.oracle", "issues"},
    {DIVERGENCE, "lwm", "simt.divergence=lwm simt.warp_size=8 cluster.threads=512", "", "active_rounds"},
    {DIVERGENCE, "dwf", "simt.divergence=dwf", "", "formed"},
    {DIVERGENCE, "harp", "simt.divergence=harp simt.warp_size=8 cluster.threads=512", "", "groups"},
    {DIVERGENCE, "tbc", "simt.divergence=tbc", "", "formed"},
    {ISSUE, "barrel", "simt.issue=barrel", "", "warp_instructions"},
    {LANES, "temporal", "lanes.kind=temporal", "cluster0.lanes", "rounds"},
    {LANES, "spatio_temporal", "lanes.kind=spatio_temporal lanes.group=4", "cluster0.lanes", "rounds"},
    {UNIFORM, "token", "uniform.storage=token uniform.intra=on uniform.inter=on", "cluster0.uniform",
     "scalar"},
    {UNIFORM, "srf", "uniform.storage=srf uniform.intra=on uniform.inter=on", "cluster0.uniform", "scalar"},
    {SCALAR, "own", "scalar.mode=own", "cluster0.scalar", "instructions"},
    {SCALAR, "gcn", "scalar.mode=gcn kernel.scalarize=wide", "cluster0.lanes", "scalar"},
    {MITIGATION, "slp", "simt.mitigation=slp", "", "execute"},
    {MITIGATION, "dpe", "simt.mitigation=dpe", "", "execute"},
    {MITIGATION, "alt", "simt.mitigation=alt", "", "execute"},
};
enum { VALUES = sizeof values / sizeof *values };

#define ENGINES          "sbr oracle lwm dwf harp tbc"
#define REGROUPING       "lwm dwf harp tbc"
#define FORMING_ON_CORES "dwf tbc"

/* A refusal says `says`. NULL: the pair runs. */
static const struct verdict {
    const char *some, *others;
    const char *says;
    bool never;
} verdicts[] = {
    {"sbr oracle lwm dwf tbc", "temporal", NULL, false},
    {"harp", "temporal", "a warp as wide as one lane is one thread", true},
    {ENGINES, "spatio_temporal", NULL, false},
    {ENGINES, "token srf", NULL, false},
    {ENGINES, "own", NULL, false},
    {"sbr oracle", "gcn", NULL, false},
    {REGROUPING, "gcn", "parts of a warp execute an instruction at different times, with different scalars",
     true},
    {"sbr oracle dwf tbc", "slp", NULL, false},
    {"lwm", "slp", "its sub-warps are packed already", true},
    {"harp", "slp", "has one round, and there are none to save", true},
    {"sbr oracle", "dpe", "a re-convergence stack has one runnable path", true},
    {REGROUPING, "dpe", "its engine has the sides of a branch as warps of their own", true},
    {ENGINES, "alt", "mixes instructions by the PC of each thread", true},
    {ENGINES " temporal spatio_temporal token srf own gcn slp dpe", "barrel", NULL, false},
    {"alt", "barrel", "needs an L1I for each lane", true},
    {"temporal spatio_temporal", "token srf own gcn", NULL, false},
    {"temporal", "slp", "all threads of a warp have one lane", true},
    {"temporal spatio_temporal", "alt", "needs an L1I for each lane", true},
    {"temporal spatio_temporal", "dpe", NULL, false},
    {"spatio_temporal", "slp", NULL, false},
    {"token srf", "own", NULL, false},
    {"token srf", "gcn", "a register has one number", true},
    {"token srf", "slp dpe", NULL, false},
    {"token srf", "alt", "an instruction in the lanes is of several instructions", true},
    {"own gcn", "slp", NULL, false},
    {"own", "dpe", NULL, false},
    {"gcn", "dpe alt", "two sides of a branch run at once, with different scalars", true},
    {"own", "alt", "no machine has both", true},
};

static bool names(const char *list, const char *name) {
    const size_t length = strlen(name);
    for (const char *at = list; (at = strstr(at, name)) != NULL; at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || !at[length])) return true;
    return false;
}

static const struct verdict *verdict_of(const struct value *a, const struct value *b) {
    const struct verdict *found = NULL;
    for (unsigned n = 0; n < sizeof verdicts / sizeof *verdicts; ++n) {
        const struct verdict *v = &verdicts[n];
        const bool is = (names(v->some, a->name) && names(v->others, b->name)) ||
                        (names(v->some, b->name) && names(v->others, a->name));
        if (is && found) fail_msg("two rows for %s with %s", a->name, b->name);
        if (is) found = v;
    }
    if (!found) fail_msg("no row for %s with %s", a->name, b->name);
    return found;
}

/* --- machines --- */

/* A machine with the values that are not NULL. */
struct choice {
    const struct value *a, *b;
    const char *engine; /* without a value of simt.divergence */
};

static const struct value *value_of(const struct choice *c, enum option o) {
    return c->a && c->a->option == o ? c->a : c->b && c->b->option == o ? c->b : NULL;
}

static bool on_cores; /* pairs of both kinds of machines are tried on cores */

/* Returns whether the machine has cores: of the mitigations, only with uniform values or alone. */
static bool has_cores(const struct choice *c) {
    if (on_cores) return true;
    const struct value *others = c->a && c->a->option != MITIGATION ? c->a : c->b;
    if (!value_of(c, MITIGATION)) return false;
    return !others || others->option == UNIFORM || others->option == MITIGATION;
}

static const char *further = ""; /* settings after those of a choice */

static bool is(const struct value *v, const char *name) {
    return v && strcmp(v->name, name) == 0;
}

/* Returns the settings, separated by blanks; to be freed. Barrel issue has fields of its own. */
static char *settings_of(const struct choice *c, bool cores) {
    const char *first = c->a ? c->a->settings : "", *second = c->b ? c->b->settings : "";
    if (cores) return spawn_text("cluster.stack_size=256 l1d.size=65536 %s %s %s", first, second, further);
    const struct value *engine = value_of(c, DIVERGENCE), *mitigation = value_of(c, MITIGATION),
                       *lanes = value_of(c, LANES);
    const bool pcs = mitigation && strcmp(mitigation->name, "slp") != 0; /* dpe and alt have no stacks */
    const char *name = engine ? engine->name : pcs ? "pc" : c->engine;
    const bool barrel = value_of(c, ISSUE) || strcmp(name, "sbr") != 0;
    return spawn_text("cluster.count=1 simt.divergence=%s %s %s %s %s %s %s", name,
                      strcmp(name, "pc") == 0 && !is(mitigation, "dpe") ? "simt.pc_policy=min_pc" : "",
                      barrel ? "simt.issue=barrel cluster.sfu_lanes=0 cluster.ldst_lanes=8 vrf.banks=0" : "",
                      !barrel || !lanes                      ? ""
                      : strcmp(lanes->name, "temporal") == 0 ? "cluster.schedulers=8"
                                                             : "cluster.schedulers=2",
                      first, second, further);
}

static struct machine_config config; /* that of the latest is_accepted() */

static bool is_accepted(const struct choice *c, bool cores, struct error *e) {
    char *text = settings_of(c, cores), *path = spawn_text("%s/configs/stsimt-30x8.yaml", spawn_source());
    config_defaults(&machine_config_table, &config);
    if (!cores && !config_read(&machine_config_table, &config, path, e)) fail_msg("%s", e->message);
    for (char *s = strtok(text, " "); s; s = strtok(NULL, " "))
        if (!config_set(&machine_config_table, &config, s, e)) fail_msg("%s", e->message);
    free(path);
    free(text);
    return config_check(&machine_config_table, &config, e);
}

/* --- runs --- */

static const struct {
    const char *name;
    uint32_t items, group;
} kernels[KERNELS] = {{"parts", 256, 128}, {"leaves", 256, 64}, {"loads", 256, 64}};

/* Compiled when they are first run: for cores; for SMs; for SMs that know levels; with scalar threads (and
 * levels, which most of these machines ignore); with scalar instructions. */
enum { FOR_CORES, FOR_SMS, WITH_LEVELS, WITH_THREADS, SCALARIZED, IMAGES };
static struct kernel_run image[IMAGES];

static struct kernel_run *image_of(const struct choice *c, bool cores) {
    static const char *const option[IMAGES] = {[FOR_SMS] = "--priorities=off",
                                               [WITH_THREADS] = "--scalar=prefetch",
                                               [SCALARIZED] = "--scalarize=wide"};
    const struct value *scalar = value_of(c, SCALAR);
    const unsigned n = cores                                ? FOR_CORES
                       : is(scalar, "own")                  ? WITH_THREADS
                       : scalar                             ? SCALARIZED
                       : is(value_of(c, MITIGATION), "dpe") ? WITH_LEVELS
                                                            : FOR_SMS;
    if (!image[n].image) {
        char *file = spawn_text("%s/tests/kernels/reckoning.cl", spawn_source()),
             *with = option[n] ? spawn_text("%s", option[n]) : NULL;
        kernel_run_open_for(&image[n], file, n == FOR_CORES || n == WITH_LEVELS ? "-DLEVELS" : "", with);
        free(with);
        free(file);
    }
    return &image[n];
}

static struct machine *running;
static bool exact;

/* Contents, cycles and counters after a run. */
struct outcome {
    uint32_t buffer[WORDS];
    uint64_t cycles, causes;
    unsigned schedulers; /* each has a cause in each cycle */
    uint64_t counter[2]; /* counters of the two values */
    size_t cells;
    uint64_t *cell; /* all counters */
};
static struct outcome *to;
static const struct choice *chosen;

static void begin(struct machine *m) {
    running = m;
    machine_set_exact_steps(m, exact);
    machine_set_check_uniform(m, true);
}

/* On SMs slp and dpe have other counters than on cores. */
static uint64_t count_of(const struct value *v, const struct counter_registry *r) {
    const bool cores = has_cores(chosen), saved = is(v, "slp") && !cores;
    const char *counter = saved                    ? "skipped"
                          : is(v, "dpe") && !cores ? "second_paths"
                          : is(v, "sbr") && cores  ? "warp_instructions"
                                                   : v->counter;
    return counter_sum(r, to->cell, saved ? "cluster0.lanes" : v->scope, counter);
}

static void end(struct error *e) {
    (void)e;
    const struct counter_registry *r = machine_counters(running);
    const struct value *const value[2] = {chosen->a, chosen->b};
    to->schedulers = machine_configuration(running)->cluster.schedulers;
    to->cells = counter_cells(r);
    to->cell = calloc(to->cells, sizeof *to->cell);
    assert_non_null(to->cell);
    counter_snapshot(r, to->cell);
    for (unsigned n = 0; n < 2; ++n)
        if (value[n]) to->counter[n] = count_of(value[n], r);
    for (size_t n = 0; n < counter_count(r); ++n) {
        const struct counter *c = counter_at(r, n);
        if (c->kind == COUNTER_COUNT && strcmp(c->scope, "cluster0.cycles") == 0) to->causes += *c->value;
    }
}

/* Runs a kernel on the machine of a choice. The counters are those of the pair `of`. */
static void run(const struct choice *c, bool cores, unsigned kernel, bool exactly, struct outcome *o,
                const struct choice *of) {
    const char *settings[SETTINGS + 1] = {NULL};
    char *text = settings_of(c, cores), *whole = strdup(text);
    unsigned count = 0;
    struct error e = {0};
    struct kernel_run_figures f;
    const struct kernel_run_work w = {.machine = cores ? NULL : "stsimt-30x8",
                                      .kernel = kernels[kernel].name,
                                      .items = kernels[kernel].items,
                                      .group = kernels[kernel].group,
                                      .numbers = {7},
                                      .begin = begin,
                                      .end = end};
    *o = (struct outcome){.cycles = 0};
    to = o;
    chosen = of;
    exact = exactly;
    for (char *s = strtok(text, " "); s && count < SETTINGS; s = strtok(NULL, " ")) settings[count++] = s;
    for (unsigned n = 0; n < WORDS; ++n) o->buffer[n] = n * n % 97;
    if (!kernel_run_measured(image_of(c, cores), &w, settings, o->buffer, WORDS, &f, &e))
        fail_msg("%s of %s: %s", w.kernel, whole, e.message);
    o->cycles = f.cycles;
    free(whole);
    free(text);
}

/* Checks that a machine with one of the values, number `n` of the pair, has other cycles, or another counter
 * of the value that it lacks. A machine cannot have some values alone. */
static void differs_from(const struct choice *c, unsigned n, const char *engine, bool cores, uint64_t cycles,
                         const uint64_t counter[2]) {
    const struct choice one = {n ? c->b : c->a, NULL, engine};
    struct error e = {0};
    char *pair = settings_of(c, cores), *alone = settings_of(&one, cores);
    uint64_t other_cycles = 0, other_counter = 0;
    const bool has_both = value_of(c, ISSUE) && one.a->option != ISSUE && !is(one.a, "sbr") &&
                          (one.a->option == DIVERGENCE || is(one.a, "dpe")); /* these need barrel issue */
    for (unsigned k = 0; k < KERNELS && !has_both && is_accepted(&one, cores, &e); ++k) {
        static struct outcome o;
        run(&one, cores, k, false, &o, c);
        other_cycles += o.cycles;
        other_counter += o.counter[1 - n];
        free(o.cell);
    }
    if (other_cycles == cycles && other_counter == counter[1 - n])
        fail_msg("%s has the cycles and the counter of %s", pair, alone);
    free(pair);
    free(alone);
}

/* --- every field that a pair sets is read --- */

/* Returns whether a kernel of the pair ends otherwise with a further setting. */
static bool changes(const struct choice *c, bool cores, const struct outcome whole[KERNELS]) {
    static struct outcome o;
    bool differs = false;
    for (unsigned k = 0; k < KERNELS && !differs; ++k) {
        run(c, cores, k, false, &o, c);
        differs = o.cycles != whole[k].cycles || o.cells != whole[k].cells ||
                  memcmp(o.cell, whole[k].cell, o.cells * sizeof *o.cell) != 0 ||
                  memcmp(o.buffer, whole[k].buffer, sizeof o.buffer) != 0;
        free(o.cell);
    }
    return differs;
}

/* Returns whether the machine reads a field of the pair. With another value, the results differ; or a check
 * refuses all others. */
static bool is_read(const struct choice *c, bool cores, const char *setting,
                    const struct outcome whole[KERNELS]) {
    const size_t length = strcspn(setting, "=");
    const struct config_field *f = machine_config_table.fields;
    while (strncmp(f->name, setting, length) != 0 || f->name[length]) ++f;
    uint32_t now, count = 0;
    struct error e = {0};
    assert_true(is_accepted(c, cores, &e));
    if (!config_matters(&machine_config_table, &config, setting, &e))
        fail_msg("%s with %s: %s", c->a->name, c->b->name, e.message);
    memcpy(&now, (const char *)&config + f->offset, sizeof now);
    while (f->type == CONFIG_CHOICE && f->choices[count]) ++count;
    bool refused = true, read = false;
    for (uint32_t n = 0; n < (count ? count : 2) && !read; ++n) {
        char text[80];
        if (count && n == now) continue;
        if (count)
            snprintf(text, sizeof text, "%s=%s", f->name, f->choices[n]);
        else
            snprintf(text, sizeof text, "%s=%u", f->name, n ? now / 2 : 2 * now);
        further = text;
        if (is_accepted(c, cores, &e)) {
            refused = false;
            read = changes(c, cores, whole);
        }
        further = "";
    }
    return read || refused;
}

/* Returns whether the compiler reads the setting: other machines do not run the code. */
static bool is_of_the_code(const char *setting) {
    return names("scalar.mode=own scalar.mode=gcn kernel.scalarize=wide", setting);
}

static void every_field_is_read(const struct choice *c, bool cores, const struct outcome whole[KERNELS]) {
    for (unsigned n = 0; n < 2; ++n) {
        char *list = spawn_text("%s", n ? c->b->settings : c->a->settings), *rest = list;
        for (char *setting; (setting = strsep(&rest, " ")) != NULL;)
            if (!is_of_the_code(setting) && !is_read(c, cores, setting, whole))
                fail_msg("%s with %s: nothing reads %s", c->a->name, c->b->name, setting);
        free(list);
    }
}

static void try(const struct choice *c) {
    static uint32_t base[KERNELS][WORDS];
    static bool has_base;
    static struct outcome whole[KERNELS], o, again;
    const bool cores = has_cores(c);
    uint64_t cycles = 0, counter[2] = {0};
    for (unsigned k = 0; k < KERNELS && !has_base; ++k) {
        run(&(struct choice){NULL, NULL, "pc"}, true, k, false, &o, c);
        memcpy(base[k], o.buffer, sizeof base[k]);
        free(o.cell);
    }
    has_base = true;
    for (unsigned k = 0; k < KERNELS; ++k) {
        run(c, cores, k, false, &o, c);
        if (memcmp(o.buffer, base[k], sizeof base[k]) != 0)
            fail_msg("%s with %s: memory after %s is not the base machine's", c->a->name, c->b->name,
                     kernels[k].name);
        if (o.causes != o.cycles * o.schedulers)
            fail_msg("%s with %s: causes of %llu cycles of %u schedulers, of %llu each, in %s", c->a->name,
                     c->b->name, (unsigned long long)o.causes, o.schedulers, (unsigned long long)o.cycles,
                     kernels[k].name);
        run(c, cores, k, true, &again, c);
        assert_int_equal(again.cycles, o.cycles);
        assert_int_equal(again.cells, o.cells);
        assert_memory_equal(again.cell, o.cell, o.cells * sizeof *o.cell);
        assert_memory_equal(again.buffer, o.buffer, sizeof o.buffer);
        free(again.cell);
        cycles += o.cycles;
        for (unsigned n = 0; n < 2; ++n) counter[n] += o.counter[n];
        whole[k] = o;
    }
    every_field_is_read(c, cores, whole);
    for (unsigned k = 0; k < KERNELS; ++k) free(whole[k].cell);
    for (unsigned n = 0; n < 2; ++n)
        if (!counter[n]) fail_msg("%s with %s: %s is 0", c->a->name, c->b->name, (n ? c->b : c->a)->counter);
    /* alone: sbr is an option of machines of SMs, where a PC for each thread is the other */
    const bool stacks = strcmp(c->a->name, "sbr") == 0 || strcmp(c->b->name, "sbr") == 0;
    differs_from(c, 0, "sbr", cores, cycles, counter);
    differs_from(c, 1, stacks ? "pc" : "sbr", cores, cycles, counter);
}

static void every_pair(void **state) {
    (void)state;
    unsigned running_pairs = 0, later = 0, never = 0;
    for (unsigned n = 0; n < VALUES; ++n)
        for (unsigned m = n + 1; m < VALUES; ++m) {
            const struct choice c = {&values[n], &values[m], "sbr"};
            struct error e = {0};
            if (c.a->option == c.b->option) continue;
            const struct verdict *v = verdict_of(c.a, c.b);
            const bool accepted = is_accepted(&c, has_cores(&c), &e);
            if (accepted && v->says) fail_msg("%s with %s runs now", c.a->name, c.b->name);
            if (!accepted && !v->says) fail_msg("%s with %s: %s", c.a->name, c.b->name, e.message);
            if (!accepted && !strstr(e.message, v->says))
                fail_msg("%s with %s: '%s' is not in: %s", c.a->name, c.b->name, v->says, e.message);
            running_pairs += accepted;
            later += v->says && !v->never;
            never += v->never;
            if (getenv("PAIRS") && v->says && !v->never)
                print_message("later: %s with %s\n", c.a->name, c.b->name);
            if (accepted) try(&c);
        }
    print_message("%u pairs run, %u do not yet, %u never will\n", running_pairs, later, never);
    assert_int_equal(running_pairs, RUNNING);
    assert_int_equal(later, LATER);
    assert_int_equal(never, NEVER);
}

/* The engines on clusters of cores. Those that form warps have no uniform values there. */
static void pairs_of_engines_on_cores(void **state) {
    (void)state;
    static const char *const others[] = {"token", "srf", "slp"};
    on_cores = true;
    for (unsigned n = 0; n < VALUES; ++n)
        for (unsigned m = n + 1; m < VALUES; ++m)
            for (unsigned k = 0; k < sizeof others / sizeof *others; ++k) {
                const struct choice c = {&values[n], &values[m], "pc"};
                struct error e = {0};
                const bool forms = names(FORMING_ON_CORES, c.a->name);
                if (!forms && !names("sbr oracle", c.a->name)) continue;
                if (strcmp(c.b->name, others[k]) != 0 || (forms && c.b->option == UNIFORM)) continue;
                if (!is_accepted(&c, true, &e)) fail_msg("%s with %s: %s", c.a->name, c.b->name, e.message);
                try(&c);
            }
    on_cores = false;
}

static int close_images(void **state) {
    (void)state;
    for (unsigned n = 0; n < IMAGES; ++n)
        if (image[n].image) kernel_run_close(&image[n]);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pair),
        cmocka_unit_test(pairs_of_engines_on_cores),
    };
    return cmocka_run_group_tests(tests, NULL, close_images);
}
