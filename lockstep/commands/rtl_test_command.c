/* `lockstep rtl-test`: a single block, Verilog compared with its C model, with constrained random inputs. */
#include "lockstep/commands/arguments.h"
#include "lockstep/commands/command.h"
#include "lockstep/output/junit.h"
#include "lockstep/run/machine_options.h"
#include "lockstep/output/outputs.h"
#include "lockstep/output/progress.h"
#include "lockstep/output/report.h"
#include "lockstep/rtl/rtl_coverage.h"
#include "lockstep/rtl/rtl_items.h"
#include "lockstep/commands/rtl_lint.h"
#include "lockstep/commands/tools.h"
#include "model/config/lanes_config.h"
#include "model/machine/machine.h"
#include "sim/nearest.h"
#include "sim/trace.h"
#include "tb/twins/place.h"
#include "tb/twins/mismatch.h"
#include "tb/stimulus/random_lockstep.h"
#include "tb/twins/twin_source.h"
#include "tb/verilated/verilog_guard.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_SIZES 16
#define MOST_SEED  INT_MAX

enum {
    KEY_CYCLES = 256,
    KEY_COVERAGE,
    KEY_ANNOTATE,
    KEY_SEED,
    KEY_SIZES,
    KEY_WINDOW,
    KEY_LIMIT,
    KEY_QUIET,
    KEY_JUNIT
};

struct options {
    const struct stimulus_block *block;
    enum twins_mode mode;
    struct verilog_source source;
    struct machine_options machine; /* machine whose sizes are used, unless: */
    const char *sizes[MOST_SIZES];
    unsigned size_count;
    bool base_only; /* --sizes base */
    bool coverage;
    const char *annotate; /* folder; NULL: none */
    uint64_t cycles;
    int seed;
    unsigned limit;
    const char *window;
    const char *junit; /* file of results; NULL: none */
    bool window_given, quiet, lint;
    char *const *argv;
};

struct test {
    const struct options *options;
    const struct twin_block *block;
    struct tools tools;
    struct twin_source source;
    struct rtl_size base;               /* size of all blocks in the machine */
    struct rtl_size others[MOST_SIZES]; /* sizes of rtl/sizes */
    unsigned other_count;
    /* Number of tested sizes; number of sizes for which the user's Verilog cannot be built. */
    unsigned run, refused;
    uint64_t reached[RANDOM_LOCKSTEP_CORNERS]; /* cycles in which each rare case occurred, over all sizes */
    struct rtl_coverage coverage;
    struct junit junit;
    bool exists[RANDOM_LOCKSTEP_CORNERS];     /* the rare case can occur at one of the sizes */
    char parameters[sizeof(struct rtl_size)]; /* " NAME NAME ": parameters of the block */
};

/* --- the command line --- */

/* Parses BLOCK=MODE[:FILE] and the items after it. */
static void parse_block(struct options *o, const char *argument, struct argp_state *state) {
    const struct rtl_items items = {"", argument, state};
    const size_t name = strcspn(argument, "=,");
    if (o->block) argp_error(state, "'%s' is too much: one block at a time", argument);
    o->block = random_lockstep_find(argument, name);
    if (!o->block)
        argp_error(state, "no block is called '%.*s'%s: there are %s", (int)name, argument,
                   nearest_hint(argument, name, random_lockstep_names()), random_lockstep_names());
    if (argument[name] != '=')
        argp_error(state, "%s: how? %.*s=check, or %.*s=replace:FILE.sv", argument, (int)name, argument,
                   (int)name, argument);
    const char *word = argument + name + 1;
    for (bool first = true;; first = false) {
        const size_t length = strcspn(word, ",");
        if (first)
            o->mode =
                rtl_items_first(&items, random_lockstep_twin(o->block)->module, &o->source, word, length);
        else if (o->source.count == 0)
            argp_error(state, "%s: a file is missing before '%s'", argument, word);
        else
            rtl_items_next(&items, &o->source, word, length);
        word += length;
        if (!*word++) break;
    }
    if (o->mode != TWINS_CHECK && o->mode != TWINS_REPLACE)
        argp_error(state, "%s: a block alone drives nothing: check or replace", argument);
}

static void parse_size(struct options *o, const char *argument, struct argp_state *state) {
    if (strcmp(argument, "base") == 0) {
        o->base_only = true;
        return;
    }
    if (o->size_count == MOST_SIZES) argp_error(state, "more than %u sizes", MOST_SIZES);
    o->sizes[o->size_count++] = argument;
}

/* Checks that the waveform and its view overwrite no input file. */
static void check_window_spares(const struct options *o, struct argp_state *state) {
    struct error e = {0};
    char *view = trace_view_path(o->window);
    const struct output_name outputs[] = {
        {"--window", o->window}, {"the view of --window,", view}, {"--junit", o->junit}};
    bool good = outputs_check(outputs, 3, &e) &&
                outputs_spare(outputs, 3, "the configuration", o->machine.config_path, &e);
    for (unsigned f = 0; good && f < o->source.count; f++)
        good = outputs_spare(outputs, 3, "Verilog that is read", o->source.item[f].text, &e);
    if (!good) argp_error(state, "%s", e.message);
    free(view);
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct options *o = state->input;
    switch (key) {
    case KEY_CYCLES: o->cycles = rtl_items_number("--cycles", argument, 1, UINT32_MAX, state); return 0;
    case KEY_SEED: o->seed = (int)rtl_items_number("--seed", argument, 1, MOST_SEED, state); return 0;
    case KEY_SIZES: parse_size(o, argument, state); return 0;
    case KEY_LIMIT: o->limit = rtl_items_limit(argument, state); return 0;
    case KEY_WINDOW:
        o->window = rtl_items_window("--window", argument, state);
        o->window_given = true;
        return 0;
    case KEY_QUIET: o->quiet = true; return 0;
    case KEY_JUNIT: o->junit = argument; return 0;
    case KEY_ANNOTATE: o->annotate = argument; /* fallthrough */
    case KEY_COVERAGE: o->coverage = true; return 0;
    case ARGP_KEY_END: check_window_spares(o, state); return 0;
    case ARGP_KEY_INIT: state->child_inputs[0] = &o->machine; return 0;
    case ARGP_KEY_ARG: parse_block(o, argument, state); return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "a block is missing: BLOCK=check or BLOCK=replace:FILE.sv; there are %s",
                   random_lockstep_names());
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option option_table[] = {
    {"cycles", KEY_CYCLES, "N", 0,
     "Cycles at the first size, and at each that --sizes names (default: 100,000); at the others a fifth of "
     "them",
     0},
    {"seed", KEY_SEED, "S", 0,
     "Seed of the inputs and of values that the Verilog does not reset (default: 1)", 0},
    {"sizes", KEY_SIZES, "base|NAME=VALUE[,...]", 0,
     "base: the first size only. NAME=VALUE: parameters that differ from the machine's; repeatable, each is "
     "a "
     "test of its own (default: every size of rtl/sizes, the base machine's first; with --config or --set "
     "that machine's)",
     0},
    {"coverage", KEY_COVERAGE, NULL, 0,
     "Print which lines and toggles of the Verilog were reached, at all sizes together; takes ten times as "
     "long",
     0},
    {"annotate", KEY_ANNOTATE, "FOLDER", 0,
     "As --coverage; write the Verilog with the count of each line to FOLDER", 0},
    {"rtl-limit", KEY_LIMIT, "SECONDS", 0, RTL_LIMIT_HELP, 0},
    {"junit", KEY_JUNIT, "FILE.xml", 0, "Write the result of each size as JUnit's XML", 0},
    {"window", KEY_WINDOW, "FILE.fst", 0,
     "Where the waveform of a mismatch goes, FILE.gtkw beside it (default: mismatch.fst)", 0},
    {"quiet", KEY_QUIET, NULL, 0, "Do not tell on standard error what is being done", 0},
    {0},
};

static const struct argp_child children[] = {
    {&machine_options_argp, 0, "The machine that the block's sizes are of (default: rtl/sizes):", 1}, {0}};

static const struct argp test_argp = {
    .options = option_table,
    .children = children,
    .parser = parse_option,
    .args_doc = "BLOCK=check[:FILE.sv[,ITEM...]]\nBLOCK=replace:FILE.sv[,ITEM...]",
    .doc =
        "Runs a block alone, in Verilog beside its C model, with random inputs such as a cluster could give. "
        "check compares them in every cycle; replace checks the contract of the block's slot. A failure is "
        "reduced: fewer cycles, fewer inputs that are not 0. Without a file it is our own Verilog. The rare "
        "cases that inputs reached are counted at the end."
        "\v" RTL_ITEMS_HELP
        ". BLOCK may be a policy of a slot, such as min_pc_arbiter; its model is used then.\n"
        "\n"
        "Examples:\n"
        "  lockstep rtl-test barrier_table=check:mine.sv\n"
        "  lockstep rtl-test warp_scheduler=replace:mine.sv,my_module --cycles 1000000\n"
        "  lockstep rtl-test barrier_table=check:mine.sv --coverage --annotate covered\n"
        "  lockstep rtl-test barrier_table=check:mine.sv --sizes WARPS=2,WARP_SIZE=8 --sizes WARPS=64\n"
        "  lockstep rtl-test warp_scheduler=check:mine.sv --config mine.yaml --set simt.warp_size=16\n"
        "\n"
        "Exit status: 0 no difference, 121 a difference, 125 a mistake in the command line or the Verilog.",
};

static const struct argp_option lint_options[] = {
    {"sizes", KEY_SIZES, "NAME=VALUE[,...]", 0,
     "Parameters that differ from the machine's; repeatable, each is a size of its own", 0},
    {"rtl-limit", KEY_LIMIT, "SECONDS", 0, RTL_LIMIT_HELP, 0},
    {"quiet", KEY_QUIET, NULL, 0, "Do not tell on standard error what is being done", 0},
    {0},
};

static const struct argp lint_argp = {
    .options = lint_options,
    .children = children,
    .parser = parse_option,
    .args_doc = "BLOCK=check[:FILE.sv[,ITEM...]]\nBLOCK=replace:FILE.sv[,ITEM...]",
    .doc =
        "Lists, without a program, what is to be known of Verilog in a slot before it runs. Errors and "
        "warnings: "
        "by name and place, with what each means here. Latches, Z, random values without a seed, modules "
        "that "
        "nothing instantiates. State that no reset sets, and outputs that depend on it: the block runs with "
        "random inputs from several reset values."
        "\v" RTL_ITEMS_HELP ".\n"
        "\n"
        "Example:\n"
        "  lockstep rtl-lint warp_scheduler=replace:theirs.sv,my_wrapper.sv,my_wrapper,-Itheirs\n"
        "\n"
        "Exit status: 0 the design can run, 125 it cannot.",
};

/* --- sizes --- */

/* Reads the parameters of our module. */
static bool read_parameters(struct test *t, struct error *e) {
    static const char mark[] = "parameter ";
    char path[PATH_MAX + VERILOG_MAX_NAME + 8], *line = NULL;
    size_t capacity = 0, used = 1;
    snprintf(path, sizeof path, "%s/%s.sv", t->tools.rtl, t->block->module);
    FILE *in = fopen(path, "r");
    if (!in) return error_set(e, EXIT_USER, "%s: our Verilog cannot be read", path);
    strcpy(t->parameters, " ");
    while (getline(&line, &capacity, in) > 0 && strcmp(line, ") (\n") != 0) {
        const char *at = strstr(line, mark), *end = at ? strchr(at, '=') : NULL;
        if (!end) continue;
        while (end[-1] == ' ') end--;
        const char *name = end;
        while (name[-1] != ' ') name--;
        used += (size_t)snprintf(t->parameters + used, sizeof t->parameters - used, "%.*s ",
                                 (int)(end - name), name);
    }
    free(line);
    fclose(in);
    return true;
}

static bool is_parameter(const struct test *t, const char *name, size_t length) {
    char word[VERILOG_MAX_NAME + 2];
    snprintf(word, sizeof word, " %.*s ", (int)length, name);
    return strstr(t->parameters, word) != NULL;
}

static const char *end_of_word(const char *text) {
    return text + strcspn(text, ",");
}

/* Returns the last value that `text` gives a parameter; NULL if none. */
static const char *given(const char *text, const char *name) {
    const size_t length = strlen(name);
    const char *value = NULL;
    for (; text && *text; text = end_of_word(text), text += *text == ',')
        if (strncmp(text, name, length) == 0 && text[length] == '=') value = text + length + 1;
    return value;
}

/* Checks that all of --sizes are NAME=VALUE with parameters of this block. */
static bool check_size(const struct test *t, const char *text, struct error *e) {
    for (const char *word = text; word && *word; word = end_of_word(word), word += *word == ',') {
        const size_t name = strcspn(word, "=,"),
                     digits = word[name] == '=' ? strspn(word + name + 1, "0123456789") : 0;
        if (!digits || digits > 6 || word + name + 1 + digits != end_of_word(word))
            return error_set(e, EXIT_USER, "--sizes %s: '%.*s' is not NAME=VALUE, a number", text,
                             (int)(end_of_word(word) - word), word);
        if (!is_parameter(t, word, name))
            return error_set(e, EXIT_USER, "--sizes %s: %s has no parameter %.*s: it has%.*s", text,
                             t->block->module, (int)name, word, (int)strlen(t->parameters) - 1,
                             t->parameters);
        if (t->options->mode == TWINS_REPLACE && t->block->slot == CLUSTER_BLOCK_BARRIERS &&
            ((strncmp(word, "GROUPS=", 7) == 0 && strtoul(word + 7, NULL, 10) != 1) ||
             (strncmp(word, "SCALAR=", 7) == 0 && strtoul(word + 7, NULL, 10) != 0)))
            return error_set(
                e, EXIT_USER,
                "--sizes %s: the contract of %s speaks of one work-group without a scalar thread: "
                "GROUPS=1,SCALAR=0; other sizes can be checked",
                text, t->block->name);
    }
    return true;
}

/* Writes the parameters of an SM's blocks that belong to no slot. Returns their number. */
static unsigned sm_settings(const struct machine_config *c,
                            struct verilog_setting settings[VERILOG_MAX_PARAMETERS]) {
    const struct verilog_setting all[] = {
        {"WARP_SIZE", c->simt.warp_size},
        {"BANKS", c->local.banks},
        {"BROADCAST", c->local.broadcast},
        {"WARPS", c->cluster.threads / c->simt.warp_size},
    };
    memcpy(settings, all, sizeof all);
    return sizeof all / sizeof all[0];
}

static bool asks_for_machine(const struct options *o) {
    return o->machine.config_path || o->machine.set_count || o->machine.mode;
}

/* Replaces the base machine's sizes by those of the given machine. */
static bool take_machine(struct test *t, struct error *e) {
    const struct machine_options *o = &t->options->machine;
    struct verilog_setting settings[VERILOG_MAX_PARAMETERS];
    struct machine_config c;
    if (!asks_for_machine(t->options)) return true;
    if (!machine_options_resolve(o, &c, e)) return false;
    const char *field = twin_block_absent(&c, t->block->slot);
    if (field) return error_set(e, EXIT_USER, "%s is in machines with %s only", t->block->name, field);
    struct machine *m = machine_create(&c, e);
    if (!m) return false;
    const unsigned count = t->block->slot == CLUSTER_BLOCK_COUNT
                               ? sm_settings(&c, settings)
                               : twin_places_settings(m, t->block->slot, settings);
    machine_destroy(m);
    for (unsigned n = 0; n < t->base.count; n++)
        for (unsigned k = 0; k < count; k++)
            if (strcmp(t->base.setting[n].name, settings[k].name) == 0)
                t->base.setting[n].value = settings[k].value;
    return true;
}

/* Makes the size of the machine with the given changes; `text` may be NULL. */
static bool make_size(const struct test *t, const char *text, struct rtl_size *size, struct error *e) {
    char all[sizeof size->text] = "";
    size_t used = 0;
    if (!check_size(t, text, e)) return false;
    for (unsigned n = 0; n < t->base.count; n++) {
        const char *value = given(text, t->base.setting[n].name);
        used += (size_t)snprintf(all + used, sizeof all - used, "%s=%lu ", t->base.setting[n].name,
                                 value ? strtoul(value, NULL, 10) : t->base.setting[n].value);
        if (used >= sizeof all)
            return error_set(e, EXIT_USER, "--sizes %s: numbers that are too large", text);
    }
    return rtl_size_read(size, all);
}

struct size_text {
    char text[sizeof(struct rtl_size)];
};

/* Returns the block's own parameters as text: "WARPS=16 WARP_SIZE=32". */
static const char *size_text(const struct test *t, const struct rtl_size *size, struct size_text *own) {
    size_t used = 0;
    own->text[0] = '\0';
    for (unsigned n = 0; n < size->count; n++)
        if (is_parameter(t, size->setting[n].name, strlen(size->setting[n].name)))
            used += (size_t)snprintf(own->text + used, sizeof own->text - used, "%s%s=%u", used ? " " : "",
                                     size->setting[n].name, size->setting[n].value);
    return own->text[0] ? own->text : "no parameters";
}

static bool same_size(const struct test *t, const struct rtl_size *a, const struct rtl_size *b) {
    struct size_text x, y;
    return strcmp(size_text(t, a, &x), size_text(t, b, &y)) == 0;
}

/* Limits the sizes for a replacement of a barrier table to the base machine's: one work-group, no scalar
 * thread. */
static void simplify(const struct test *t, struct rtl_size *size) {
    if (t->options->mode != TWINS_REPLACE || t->block->slot != CLUSTER_BLOCK_BARRIERS) return;
    for (unsigned n = 0; n < size->count; n++) {
        if (strcmp(size->setting[n].name, "GROUPS") == 0) size->setting[n].value = 1;
        if (strcmp(size->setting[n].name, "SCALAR") == 0) size->setting[n].value = 0;
    }
}

static bool take_size(const struct test *t, struct rtl_size *size, const char *text) {
    if (!rtl_size_read(size, text)) return false;
    rtl_size_for(size, t->block->module);
    simplify(t, size);
    return true;
}

/* Keeps the sizes of rtl/sizes at which the block differs. */
static bool read_others(struct test *t, const char *path) {
    unsigned count = rtl_sizes_read(t->others, MOST_SIZES, path), kept = 0;
    for (unsigned n = 0; n < count; n++) {
        rtl_size_for(&t->others[n], t->block->module);
        simplify(t, &t->others[n]);
    }
    for (unsigned n = 0; n < count; n++) {
        bool seen = same_size(t, &t->others[n], &t->base);
        for (unsigned k = 0; k < kept; k++) seen |= same_size(t, &t->others[n], &t->others[k]);
        if (!seen && kept != n) take_size(t, &t->others[kept], t->others[n].text);
        kept += !seen;
    }
    t->other_count = kept;
    return count > 0;
}

/* --- a test --- */

static void tell_of_build(const char *block, const char *file) {
    progress_step("building the Verilog of %s (%s), to be kept for later runs", block, file);
}

static void report(const struct test *t, struct random_lockstep *r, const struct random_failure *f,
                   struct error *e) {
    char where[1000], a[32], b[32], c[32], d[32];
    struct size_text size;
    if (f->lost) {
        error_set(e, EXIT_TWINS_DISAGREE,
                  "the Verilog of %s failed with random inputs of seed %d, %s, in cycle %s, but does not "
                  "fail with the same inputs again. It has state that a reset does not set (static variables "
                  "of C functions, $random)",
                  t->block->name, t->options->seed, size_text(t, &r->size, &size),
                  report_number(f->found, a));
        return;
    }
    const int n = snprintf(where, sizeof where, "random inputs of seed %d, %s, cycle %s", t->options->seed,
                           size_text(t, &r->size, &size), report_number(f->found, a));
    if (f->reduced)
        snprintf(where + n, sizeof where - (size_t)n,
                 "\n  reduced    to %s cycles with %s values of inputs that are not 0, from %s with %s",
                 report_number(f->cycles, a), report_number(f->active, b), report_number(f->found + 1, c),
                 report_number(f->before, d));
    struct mismatch m = {
        .where = where,
        .block = t->block->slot,
        .port = r->different,
        .rule = r->twin.broken,
        .source = verilog_source_file(&t->source.verilog),
        .window = t->options->window,
        .command = t->options->argv,
    };
    m.twin[m.block] = &r->twin;
    if (m.rule || r->twin.stopped) m.port = NULL;
    mismatch_report(&m, e);
}

/* Reports a size for which the user's Verilog cannot be built; not a failure if another size can be built. */
static bool say_refused(struct test *t, const struct rtl_size *size, struct error *why) {
    struct size_text text;
    printf("%s: %s: not run: %.*s\n", t->block->module, size_text(t, size, &text),
           (int)strcspn(why->message, "\n"), why->message);
    junit_skip(&t->junit, t->block->module, text.text, why->message);
    *why = (struct error){0};
    t->refused++;
    return true;
}

static void add_corners(struct test *t, const struct random_lockstep *r) {
    bool exists = false;
    for (unsigned n = 0; random_lockstep_corner(r->block, n, &r->size, &exists); n++) {
        t->reached[n] += r->reached[n];
        t->exists[n] |= exists;
    }
}

static bool add_coverage(struct test *t, const struct random_lockstep *r, struct error *e) {
    char path[] = "/tmp/lockstep-coverage-XXXXXX";
    const int file = mkstemp(path);
    if (file < 0) return error_set(e, EXIT_USER, "%s: it cannot be written", path);
    close(file);
    const bool good = random_lockstep_coverage(r, path) && rtl_coverage_add(&t->coverage, path, e);
    unlink(path);
    return good;
}

/* Lints the design at one size. Warnings of our own Verilog are printed like those of a user's design. */
static bool lint_size(const struct test *t, const struct verilated_request *request,
                      const struct rtl_size *size, struct error *e) {
    struct verilated_request as_users = *request;
    struct size_text text;
    as_users.slot = t->source.slot;
    as_users.on_notices = NULL;
    printf("%s: ", size_text(t, size, &text));
    return rtl_lint(&as_users, t->options->block, size, e);
}

/* Tests at the size in r->size. Returns false with *e on failure. `other`: the user has not named the
 * size. */
static bool test_size(struct test *t, struct random_lockstep *r, bool other, struct error *e) {
    const struct options *o = t->options;
    const uint64_t cycles = other ? (o->cycles + 4) / 5 : o->cycles;
    struct random_failure f;
    struct size_text size;
    char number[32];
    r->block = o->block;
    r->seed = (uint64_t)o->seed;
    r->initial = o->seed;
    const struct verilated_request request = {.block = t->block,
                                              .source = &t->source.verilog,
                                              .slot = t->source.own ? NULL : t->source.slot,
                                              .settings = r->size.setting,
                                              .count = r->size.count,
                                              .on_build = tell_of_build,
                                              .on_notices = rtl_lint_tell,
                                              .optimize = other || o->coverage ? "0" : NULL,
                                              .many = other};
    if (o->lint) return lint_size(t, &request, &r->size, e);
    const bool opened = random_lockstep_open(r, &request, o->mode == TWINS_REPLACE, e);
    progress_note("%s", "");
    if (!opened) return other && !t->source.own && say_refused(t, &r->size, e);
    const bool sound = random_lockstep_run(r, cycles, &f);
    if (sound)
        printf("%s: %s: %s cycles, %s\n", t->block->module, size_text(t, &r->size, &size),
               report_number(cycles, number),
               o->mode == TWINS_REPLACE ? "within its contract" : "no difference");
    else
        report(t, r, &f, e);
    fflush(stdout);
    t->run++;
    add_corners(t, r);
    junit_add(&t->junit, t->block->module, size_text(t, &r->size, &size), e);
    const bool counted = !sound || !o->coverage || add_coverage(t, r, e);
    random_lockstep_close(r);
    return sound && counted;
}

/* Prints the rare cases, and for each the number of cycles in which the inputs reached it. */
static void print_corners(const struct test *t) {
    char number[32];
    unsigned never = 0;
    const char *name;
    bool exists;
    printf("\n  %-66s %12s\n", "corner", "cycles");
    for (unsigned n = 0; (name = random_lockstep_corner(t->options->block, n, &t->base, &exists)); n++) {
        const bool missed = t->exists[n] && !t->reached[n];
        printf("  %-66s %12s\n", name,
               missed          ? "never"
               : !t->exists[n] ? "-"
                               : report_number(t->reached[n], number));
        never += missed;
    }
    if (never)
        printf("\nnever reached: %u of the corners; more --cycles, another --seed or every size may reach "
               "them\n",
               never);
}

/* Tests the requested size or, if none is given, the base machine's and then the others of rtl/sizes. */
static bool test_sizes(struct test *t, struct error *e) {
    static struct random_lockstep r;
    const struct options *o = t->options;
    const bool all = !o->lint && !o->size_count && !o->base_only && !asks_for_machine(o);
    for (unsigned n = 0; n < o->size_count || n == 0; n++) {
        r = (struct random_lockstep){0};
        if (!make_size(t, o->sizes[n], &r.size, e) || !test_size(t, &r, false, e)) return false;
    }
    for (unsigned n = 0; all && n < t->other_count; n++) {
        r = (struct random_lockstep){0};
        take_size(t, &r.size, t->others[n].text);
        if (!test_size(t, &r, true, e)) return false;
    }
    if (o->lint) return true;
    print_corners(t);
    if (o->coverage) rtl_coverage_print(&t->coverage);
    return !o->annotate || rtl_coverage_annotate(&t->coverage, o->annotate, e);
}

static bool run(struct test *t, struct error *e) {
    const struct options *o = t->options;
    char path[PATH_MAX + 8];
    t->block = random_lockstep_twin(o->block);
    if (!tools_find(&t->tools, e) || !read_parameters(t, e)) return false;
    snprintf(path, sizeof path, "%s/sizes", t->tools.rtl);
    if (!rtl_sizes_first(&t->base, path) || !read_others(t, path))
        return error_set(e, EXIT_USER, "%s cannot be read: build or install Lockstep again", path);
    if (!take_machine(t, e)) return false;
    if (!twin_source_find(&t->source, &o->source, t->block, t->tools.rtl, e)) return false;
    if (o->coverage && !rtl_coverage_prepare(&t->source.verilog, t->tools.rtl, e)) return false;
    return test_sizes(t, e);
}

static int test_command(int argc, char **argv, const struct argp *argp, bool lint) {
    static struct test t;
    struct options o = {.cycles = 100000,
                        .seed = 1,
                        .limit = VERILOG_GUARD_SECONDS,
                        .window = "mismatch.fst",
                        .argv = argv,
                        .lint = lint};
    t.options = &o;
    struct error e = {0};
    arguments_parse(argp, argc, argv, 0, &o);
    progress_begin(o.quiet, PROGRESS_SECONDS);
    verilog_guard_start(o.limit, argv);
    bool good = (!o.window_given || outputs_can_write("--window", o.window, &e)) &&
                junit_open(&t.junit, o.junit, &e) && run(&t, &e);
    if (!good && !t.junit.count) junit_add(&t.junit, "rtl-test", t.block ? t.block->module : "test", &e);
    good &= junit_close(&t.junit, good ? &e : &(struct error){0});
    verilog_guard_stop();
    progress_end();
    twin_source_free(&t.source);
    rtl_coverage_free(&t.coverage);
    verilog_source_free(&o.source);
    machine_options_free(&o.machine);
    return good ? EXIT_SOUND : command_fail(&e);
}

static int command(int argc, char **argv) {
    return test_command(argc, argv, &test_argp, false);
}

int rtl_test_lint(int argc, char **argv) {
    return test_command(argc, argv, &lint_argp, true);
}

const struct command_row command_rtl_test = {140, "run a block in Verilog alone, with random inputs",
                                             command};
