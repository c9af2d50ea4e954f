/* `lockstep energy`: the energy of a run, by structure and event. */
#include "lockstep/commands/arguments.h"
#include "lockstep/commands/command.h"
#include "lockstep/energy/logic_energy.h"
#include "lockstep/run/machine_options.h"
#include "lockstep/output/output.h"
#include "lockstep/run/simulation.h"
#include "lockstep/run/stats.h"
#include "lockstep/output/table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define ENERGY_SCHEMA_VERSION 1

enum { KEY_CONSTANTS = 256, KEY_JSON, KEY_LIBERTY, KEY_LEF };

struct options {
    struct machine_options machine;
    struct execution_options execution;
    const char *constants; /* name or path of the set of constants; NULL: all sets */
    const char *liberty, *lef;
    /* Json: prints a document; runs: argv is a program, given after --. */
    bool json, runs;
    char **argv;
};

struct command {
    struct options options;
    struct energy_constants sets[ENERGY_SETS];
    size_t set_count;
    struct energy energies[ENERGY_SETS];
    struct simulation simulation;
    FILE *out;
};

/* Returns whether an option is given that applies only to the run of a program. */
static bool is_for_a_run(const struct options *o) {
    const struct execution_options *x = &o->execution;
    return o->machine.config_path || o->machine.set_count || o->machine.mode || x->max_cycles ||
           x->exact_steps || x->check_levels || x->check_uniform || x->check_scalar || x->races ||
           x->memory || x->tolerate_outside || x->redundancy || x->idle || x->threads || x->events;
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->machine;
        state->child_inputs[1] = &o->execution;
        return 0;
    case KEY_CONSTANTS: o->constants = argument; return 0;
    case KEY_JSON: o->json = true; return 0;
    case KEY_LIBERTY: o->liberty = argument; return 0;
    case KEY_LEF: o->lef = argument; return 0;
    case ARGP_KEY_ARG:
        o->runs = strcmp(state->argv[state->next - 2], "--") == 0;
        o->argv = &state->argv[state->next - 1];
        if (!o->runs && state->next < state->argc)
            argp_error(state, "one file of statistics at a time, or -- PROGRAM: '%s' is too many",
                       state->argv[state->next]);
        state->next = state->argc;
        return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, "which run? STATS.json, or -- PROGRAM"); return 0;
    case ARGP_KEY_END:
        if (!o->runs && is_for_a_run(o))
            argp_error(state,
                       "%s says itself what machine it was and what ran: options of a machine or a run go "
                       "with -- PROGRAM",
                       o->argv[0]);
        if (o->lef && !o->liberty)
            argp_error(state, "--lef %s: of which library? It needs --liberty", o->lef);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option option_table[] = {
    {"constants", KEY_CONSTANTS, "horowitz|mcpat|FILE", 0,
     "Energy of an event (default: both sets, side by side)", 0},
    {"liberty", KEY_LIBERTY, "FILE", 0,
     "Library of cells for the logic of a run with --rtl, .lib or .lib.gz (default: OSU 0.18 um)", 0},
    {"lef", KEY_LEF, "FILE", 0, "Take the areas of the library's cells from this", 0},
    {"json", KEY_JSON, NULL, 0, "Print JSON", 0},
    {0},
};

static const struct argp_child children[] = {
    {&machine_options_argp, 0, NULL, 0}, {&execution_options_argp, 0, NULL, 0}, {0}};

static const struct argp energy_argp = {
    .options = option_table,
    .parser = parse_option,
    .children = children,
    .args_doc = "STATS.json\n-- PROGRAM [ARGUMENT...]",
    .doc = "Prints the energy of a run: for each structure the number of events times the energy of one, and "
           "leakage. The run is that of STATS.json (`lockstep run --events --stats STATS.json`) or a new one "
           "of PROGRAM."
           "\v"
           "Published constants differ by a factor of 10 to 100, so no figure is reliable by itself. Compare "
           "ratios, in both sets. A FILE of your own has lines `name: picojoules`; docs/energy.md lists the "
           "names, the sources and the parts left out. For a run with --rtl the Verilog is synthesised, and "
           "OpenSTA estimates the energy of the logic from the activity of its ports.\n"
           "\n"
           "Examples:\n"
           "  lockstep energy -- ./my_program input.txt\n"
           "  lockstep run --events --stats my.json -- ./my_program input.txt\n"
           "  lockstep energy --constants horowitz my.json\n"
           "  lockstep run --rtl check --events --stats my.json -- ./my_program\n"
           "\n"
           "Exit status: 0; 125 a mistake in the command line or a file; of PROGRAM as of `lockstep run`.",
};

static bool read_constants(struct command *c, struct error *e) {
    c->set_count = c->options.constants ? 1 : ENERGY_SETS;
    if (c->options.constants) return energy_constants_read(&c->sets[0], c->options.constants, e);
    memcpy(c->sets, energy_sets, sizeof c->sets);
    return true;
}

/* --- printing --- */

static void print_totals(const struct command *c, struct table *t) {
    static const char *const names[] = {"dynamic", "leakage", "all"};
    for (unsigned k = 0; k < 3; k++) {
        table_add(t, "%s", names[k]);
        table_add(t, "%s", "");
        table_add(t, "%s", "");
        for (size_t s = 0; s < c->set_count; s++) {
            const struct energy *x = &c->energies[s];
            table_add(t, "%s", "");
            table_add(t, "%.1f",
                      k == 0   ? x->dynamic_nj
                      : k == 1 ? x->leakage_nj
                               : x->dynamic_nj + x->leakage_nj);
            table_add(t, "%s", "");
        }
    }
}

static void print_table(const struct command *c) {
    struct table t;
    char align[4 + 3 * ENERGY_SETS] = "llr";
    for (size_t s = 0; s < c->set_count; s++) strcat(align, "rrl");
    table_init(&t, align);
    table_add(&t, "structure");
    table_add(&t, "event");
    table_add(&t, "number");
    for (size_t s = 0; s < c->set_count; s++) {
        table_add(&t, "pJ each");
        table_add(&t, "nJ, %s", c->sets[s].name);
        table_add(&t, "source");
    }
    for (size_t n = 0; n < c->energies[0].row_count; n++) {
        const struct energy_row *first = &c->energies[0].rows[n];
        table_add(&t, "%s", first->structure);
        table_add(&t, "%s", first->event);
        table_add(&t, "%.0f", first->count);
        for (size_t s = 0; s < c->set_count; s++) {
            const struct energy_row *r = &c->energies[s].rows[n];
            table_add(&t, "%.3g", r->pj);
            table_add(&t, "%.1f", r->count * r->pj * 1e-3);
            table_add(&t, "%s", r->source);
        }
    }
    print_totals(c, &t);
    table_print(&t, 2, c->out);
    table_free(&t);
    fputc('\n', c->out);
    for (size_t s = 0; s < c->set_count; s++) {
        const struct energy *x = &c->energies[s];
        const double nj = x->dynamic_nj + x->leakage_nj;
        fprintf(c->out, "  %s: %.4g uJ in %.4g ms, %.4g mW, energy x delay %.4g nJ s\n    %s\n",
                c->sets[s].name, nj * 1e-3, x->seconds * 1e3, x->seconds > 0 ? nj * 1e-6 / x->seconds : 0,
                x->edp_js * 1e9, c->sets[s].source);
    }
    fprintf(c->out,
            "  CACTI: memories at 40 nm (synthesis/sram.h): errors of 16 %% in read and 7 %% in write energy "
            "beside CACTI's own, which its objective moves by 1.9\n");
}

static void print_json(const struct command *c, const struct logic_energy *logic) {
    json_t *sets = json_array();
    for (size_t s = 0; s < c->set_count; s++) {
        const struct energy *x = &c->energies[s];
        json_t *rows = json_array();
        for (size_t n = 0; n < x->row_count; n++)
            json_array_append_new(rows,
                                  json_pack("{s:s, s:s, s:f, s:f, s:s}", "structure", x->rows[n].structure,
                                            "event", x->rows[n].event, "count", x->rows[n].count, "pj",
                                            x->rows[n].pj, "source", x->rows[n].source));
        json_array_append_new(sets,
                              json_pack("{s:s, s:s, s:o, s:f, s:f, s:f, s:f, s:f}", "constants",
                                        c->sets[s].name, "source", c->sets[s].source, "events", rows,
                                        "seconds", x->seconds, "dynamic_nj", x->dynamic_nj, "leakage_nj",
                                        x->leakage_nj, "leakage_mw", x->leakage_mw, "edp_js", x->edp_js));
    }
    json_t *j =
        json_pack("{s:s, s:i, s:o, s:o*}", "schema", "lockstep-energy", "schema_version",
                  ENERGY_SCHEMA_VERSION, "sets", sets, "logic", logic ? logic_energy_json(logic) : NULL);
    json_dumpf(j, c->out, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    fputc('\n', c->out);
    json_decref(j);
}

/* --- the run --- */

static void tell(const char *top) {
    progress_step("%s is synthesised", top);
}

/* Computes the energy of the logic of a run with counted toggles. */
static bool account_logic(struct logic_energy *x, const struct energy_counts *n, const struct options *o,
                          const char *name, struct error *e) {
    struct tools tools;
    if (o->liberty && !logic_energy_counted(n))
        return error_set(e, EXIT_USER,
                         "--liberty: %s has no toggles of Verilog: repeat it with --rtl check --events",
                         name);
    if (!logic_energy_counted(n)) return true;
    if (!tools_find(&tools, e)) return false;
    const struct logic_energy_options options = {
        .rtl = tools.rtl, .liberty = o->liberty, .lef = o->lef, .on_run = tell};
    progress_begin(o->execution.quiet, PROGRESS_SECONDS);
    const bool good = logic_energy_of(x, n, &options, e);
    progress_end();
    return good;
}

static bool account(struct command *c, json_t *statistics, const char *name, struct error *e) {
    struct energy_counts n;
    struct logic_energy logic = {0};
    bool good =
        energy_counts_read(&n, statistics, name, e) && account_logic(&logic, &n, &c->options, name, e);
    const struct logic_energy *shown = good && logic.row_count ? &logic : NULL;
    for (size_t s = 0; good && s < c->set_count; s++) energy_of(&c->energies[s], &n, &c->sets[s]);
    if (good && c->options.json) print_json(c, shown);
    if (good && !c->options.json) print_table(c);
    if (shown && !c->options.json) logic_energy_print(&logic, c->out);
    logic_energy_free(&logic);
    return good;
}

static bool account_file(struct command *c, struct error *e) {
    json_error_t why;
    const char *path = c->options.argv[0];
    struct stat s;
    if (stat(path, &s) == 0 && S_ISDIR(s.st_mode))
        return error_set(e, EXIT_USER, "%s cannot be read: %s", path, strerror(EISDIR));
    json_t *statistics = json_load_file(path, 0, &why);
    if (!statistics)
        return error_set(e, EXIT_USER, "%s: %s%s", path, why.text,
                         why.line > 0 ? ": this is not what `lockstep run --stats` writes" : "");
    c->out = stdout;
    const bool good = account(c, statistics, path, e);
    json_decref(statistics);
    return good;
}

static bool prepare(struct command *c, struct error *e) {
    struct options *o = &c->options;
    struct machine_config config;
    struct tools tools;
    o->execution.events = true;
    return machine_options_resolve(&o->machine, &config, e) && tools_check_program(o->argv[0], e) &&
           tools_find(&tools, e) && (c->out = output_take(e)) &&
           simulation_create(&c->simulation, &config, &o->execution, &tools, e);
}

static int run(struct command *c) {
    struct simulation *s = &c->simulation;
    struct error e = {0};
    progress_begin(c->options.execution.quiet, PROGRESS_SECONDS);
    simulation_run(s, c->options.argv);
    progress_end();
    const struct stats_facts facts = stats_facts(s, c->options.argv);
    json_t *statistics = stats_document(&facts, &s->record);
    bool good = account(c, statistics, "the run", &e);
    json_decref(statistics);
    good &= output_close(c->out, &e);
    simulation_print_messages(s, c->options.argv[0]);
    if (!good) command_fail(&e);
    return good || s->status ? s->status : (int)e.status;
}

static int command(int argc, char **argv) {
    struct command c = {0};
    struct error e = {0};
    arguments_parse(&energy_argp, argc, argv, ARGP_IN_ORDER, &c.options);
    int status = EXIT_SOUND;
    if (!read_constants(&c, &e) || !(c.options.runs ? prepare(&c, &e) : account_file(&c, &e)))
        status = command_fail(&e);
    else if (c.options.runs)
        status = run(&c);
    simulation_free(&c.simulation);
    machine_options_free(&c.options.machine);
    return status;
}

const struct command_row command_energy = {70, "energy of a run, by structure and event", command};
