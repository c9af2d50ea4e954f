/* `lockstep figures`: runs the benchmarks on the machines that a paper compares, and makes the paper's
 * figures. */
#include "lockstep/commands/arguments.h"
#include "lockstep/figures/figures_parts.h"
#include "lockstep/run/execution_options.h"

#include "lockstep/commands/command.h"
#include "sim/nearest.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KEY_OUT = 256, KEY_JOBS, KEY_BENCHMARK, KEY_FIGURE, KEY_TABLE, KEY_SIZE, KEY_QUIET };

static const struct figures_form reports[] = {
    {"gtx285-like.yaml", {&figures_uniform, &figures_uniform_gpu}, NULL},
    {"fermi-like.yaml", {&figures_harp, &figures_harp}, NULL},
    {"dual-mode-4.yaml", {&figures_dual_mode, &figures_dual_mode}, &figures_dual_mode_full},
    {"stsimt-30x8.yaml", {&figures_stsimt, &figures_stsimt}, NULL},
    {"gt640-like.yaml", {&figures_scalar, &figures_scalar}, NULL}};
#define REPORTS (sizeof reports / sizeof reports[0])

/* --- the command line --- */

static void choose_report(struct figures_options *o, const char *name, struct argp_state *state) {
    if (o->report) argp_error(state, "one report at a time: '%s' is too many", name);
    for (size_t i = 0; i < REPORTS; i++)
        if (strcmp(reports[i].paper[0]->name, name) == 0) o->report = &reports[i];
    if (!o->report)
        argp_error(state,
                   "no report is called '%s'%s: there are uniform, harp, dual-mode, stsimt and scalar-unit",
                   name, nearest_hint(name, strlen(name), "uniform, harp, dual-mode, stsimt, scalar-unit"));
}

static void choose_benchmark(struct figures_options *o, const char *name, struct argp_state *state) {
    if (o->chosen_count == FIGURES_MAX_BENCHMARKS)
        argp_error(state, "--benchmark %s: these are too many", name);
    o->chosen[o->chosen_count++] = name;
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct figures_options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->machine;
        o->jobs = points_default_jobs();
        return 0;
    case KEY_OUT: o->folder = argument; return 0;
    case KEY_JOBS:
        if (!(o->jobs = points_parse_jobs(argument)))
            argp_error(state, "--jobs %s: a number from 1 to %d is needed", argument, POINTS_MOST_JOBS);
        return 0;
    case KEY_BENCHMARK: choose_benchmark(o, argument, state); return 0;
    case KEY_FIGURE:
        o->figure = argument;
        *o->table = '\0';
        return 0;
    case KEY_TABLE:
        snprintf(o->table, sizeof o->table, "table%s", argument);
        o->figure = o->table;
        return 0;
    case KEY_SIZE:
        o->full = strcmp(argument, "full") == 0;
        o->has_size = true;
        if (!o->full && strcmp(argument, "small") != 0)
            argp_error(state, "--size %s: the sizes are small and full", argument);
        return 0;
    case KEY_QUIET: o->quiet = true; return 0;
    case ARGP_KEY_ARG: choose_report(o, argument, state); return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "which report? There are uniform, harp, dual-mode, stsimt and scalar-unit");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option option_table[] = {
    {"out", KEY_OUT, "DIR", 0,
     "Folder for the report and the results of its runs (default: build/figures, or figures in the current "
     "folder if the command is installed)",
     0},
    {"jobs", KEY_JOBS, "N", 0, "Runs at a time (default: one a processor)", 0},
    {"benchmark", KEY_BENCHMARK, "NAME", 0,
     "Run this one only; again: this one, too (default: all of the report)", 0},
    {"figure", KEY_FIGURE, "NUMBER", 0,
     "Only what belongs to this figure of the paper: 13, 13b; machines that it does not show are not run "
     "(default: "
     "all of the report)",
     0},
    {"table", KEY_TABLE, "NUMBER", 0, "Likewise of this table of the paper: 4", 0},
    {"size", KEY_SIZE, "small|full", 0,
     "Inputs of dual-mode's programs: small (default), or full, the paper's, some 20 times as large", 0},
    {"quiet", KEY_QUIET, NULL, 0, "Do not tell on standard error what is being done", 0},
    {0},
};

static const struct argp_child children[] = {{&machine_options_argp, 0, NULL, 0}, {0}};

static const struct argp figures_argp = {
    .options = option_table,
    .parser = parse_option,
    .children = children,
    .args_doc = "uniform|harp|dual-mode|stsimt|scalar-unit",
    .doc =
        "Runs the benchmarks on the machines that a paper compares, and prints the paper's figures for them "
        "beside the paper's numbers."
        "\v"
        "uniform: Xiang et al., Exploiting Uniform Vector Instructions, ICS 2013: Figs. 2, 5 to 16.\n"
        "harp: Lashgar et al., HARP: Harnessing Inactive Threads in Many-Core Processors: Figs. 3 to 5, 11 "
        "to 16, Table 6.\n"
        "dual-mode: Chen and Chen, Enabling SIMT Execution Model on Homogeneous Multi-Core System: Figs. 1, "
        "10 to 17, Table 4.\n"
        "stsimt: Lucas et al., Spatiotemporal SIMT and Scalarization, TACO 2015: Figs. 4 to 12, Table IV.\n"
        "scalar-unit: Yang et al., A Case for a Flexible Scalar Unit in SIMT Architecture, 2014: Figs. 7 to "
        "9, 13, "
        "15.\n"
        "\n"
        "The tables go to standard output and to DIR/REPORT.txt, all values to DIR/REPORT.json, a plot of "
        "each figure to DIR/REPORT-FIGURE.svg (by gnuplot). Each run's result is a file in DIR/points, and "
        "what "
        "it printed is in DIR/logs. A run with a result is not run again, unless the simulator, the kernel "
        "compiler, the program, its kernel or the machine has changed: after Ctrl-C or a failure the same "
        "command "
        "goes on. "
        "--config, --set and --mode describe the machine that the paper's ideas are added to: the paper's "
        "own, "
        "configs/gtx285-like.yaml, configs/fermi-like.yaml, configs/dual-mode-4.yaml or "
        "configs/stsimt-30x8.yaml, unless --config "
        "names another. On the base "
        "machine "
        "(contexts: tpm) uniform has other machines and programs, and harp and stsimt are refused, as "
        "dual-mode is on "
        "others.\n"
        "\n"
        "Examples:\n"
        "  lockstep figures uniform\n"
        "  lockstep figures uniform --config configs/dual-mode-4.yaml\n"
        "  lockstep figures uniform --benchmark path_finder --set simt.collectors=4 --out build/four\n"
        "  lockstep figures harp\n"
        "  lockstep figures dual-mode --figure 13\n"
        "  lockstep figures dual-mode --table 4 --size full\n"
        "\n"
        "Exit status: 0; 125 a mistake in the command line; that of a benchmark that failed.",
};

/* --- before anything runs --- */

static bool make_config(const struct figures *f, size_t variant, struct error *e) {
    const struct figures_variant *v = &f->paper->variants[variant];
    struct machine_config *c = &f->configs[variant];
    const struct execution_options options = {.redundancy = v->redundancy, .idle = v->idle};
    struct error why = {0};
    if (!machine_options_read_all(&f->options.machine, c, e)) return false;
    for (size_t i = 0; v->set[i]; i++)
        if (!config_set(&machine_config_table, c, v->set[i], e)) return false;
    if (!config_check(&machine_config_table, c, &why) || !execution_options_fit(&options, c, &why))
        return error_set(e, why.status, "variant '%s': %s", v->name, why.message);
    return true;
}

/* Sets *e to a message for an unknown name, with the list of names. Returns false. */
static bool refuse(const struct figures *f, const char *option, const char *name, const char *what,
                   const char *(*of)(const struct figures_paper *p, size_t n), struct error *e) {
    char *names = NULL;
    size_t size;
    FILE *out = open_memstream(&names, &size);
    require_memory(out);
    for (size_t n = 0; of(f->paper, n); n++) fprintf(out, "%s%s", n ? ", " : "", of(f->paper, n));
    fclose(out);
    error_set(e, EXIT_USER, "%s %s: the report '%s' has no such %s%s, but %s", option, name, f->paper->name,
              what, nearest_hint(name, strlen(name), names), names);
    free(names);
    return false;
}

/* Returns the name of figure n; NULL after the last. */
static const char *figure_name(const struct figures_paper *p, size_t n) {
    return n < p->figure_count ? p->figures[n].figure.name : NULL;
}

/* Returns a benchmark's name; those of sweeps come last, without repetitions. */
static const char *benchmark_name(const struct figures_paper *p, size_t n) {
    if (n < p->benchmark_count) return p->benchmarks[n].name;
    size_t others = n - p->benchmark_count;
    for (size_t i = 0; i < p->sweep_count; i++) {
        size_t first = 0;
        while (strcmp(p->sweeps[first].program.name, p->sweeps[i].program.name) != 0) first++;
        if (first == i && others-- == 0) return p->sweeps[i].program.name;
    }
    return NULL;
}

static bool check_figure(const struct figures *f, struct error *e) {
    for (size_t i = 0; i < f->paper->figure_count; i++)
        if (figures_shows(f, i)) return true;
    const bool table = *f->options.table;
    return refuse(f, table ? "--table" : "--figure", f->options.figure + (table ? strlen("table") : 0),
                  "figure", figure_name, e);
}

static bool check_chosen(const struct figures *f, struct error *e) {
    for (size_t i = 0; i < f->options.chosen_count; i++) {
        size_t n = 0;
        for (const char *name; (name = benchmark_name(f->paper, n)) != NULL; n++)
            if (strcmp(name, f->options.chosen[i]) == 0) break;
        if (!benchmark_name(f->paper, n))
            return refuse(f, "--benchmark", f->options.chosen[i], "benchmark", benchmark_name, e);
    }
    return true;
}

/* Returns false with *e if --figure and --benchmark together select nothing. */
static bool check_rest(const struct figures *f, struct error *e) {
    for (size_t i = 0; i < f->paper->figure_count; i++)
        if (figures_is_shown(f, i)) return true;
    return error_set(e, EXIT_USER, "figure %s is of none of the benchmarks that --benchmark names",
                     f->options.figure);
}

/* Finds a benchmark in the command's folder. Returns false with *e if it is missing. */
static bool find_program(const struct figures *f, const char *name, char **path, struct error *e) {
    require_memory(asprintf(path, "%.*s/benchmarks/%s",
                            (int)(strrchr(f->tools.compiler, '/') - f->tools.compiler), f->tools.compiler,
                            name) >= 0);
    if (access(*path, F_OK) != 0)
        return error_set(e, EXIT_USER,
                         "%s is missing: benchmarks lie beside the command; build or install Lockstep again",
                         *path);
    return tools_check_program(*path, e);
}

static bool find_programs(struct figures *f, struct error *e) {
    const struct figures_paper *p = f->paper;
    for (size_t i = 0; i < p->benchmark_count; i++) {
        if (!figures_is_chosen(f, p->benchmarks[i].name)) continue;
        char **program = &f->program[f->row_count];
        f->row_benchmark[f->row_count] = &p->benchmarks[i];
        f->rows[f->row_count++] = p->benchmarks[i].name;
        if (!find_program(f, p->benchmarks[i].name, program, e)) return false;
    }
    for (size_t n = 0; n < p->sweep_count; n++)
        if (figures_is_chosen(f, p->sweeps[n].program.name) &&
            !find_program(f, p->sweeps[n].program.name, &f->sweep_program[n], e))
            return false;
    return true;
}

char *figures_in_folder(const struct figures *f, const char *name) {
    char *path;
    require_memory(asprintf(&path, "%s/%s", f->points.store.folder, name) >= 0);
    return path;
}

/* Opens the folder of the report and of its runs' results. An installation (bin/lockstep) keeps no
 * results. */
static bool open_folder(struct figures *f, struct error *e) {
    char *folder = NULL;
    if (!f->options.folder) {
        const char *compiler = f->tools.compiler, *name = strrchr(compiler, '/');
        const bool installed = name - compiler >= 4 && strncmp(name - 4, "/bin", 4) == 0;
        require_memory(
            asprintf(&folder, "%.*sfigures", installed ? 0 : (int)(name - compiler) + 1, compiler) >= 0);
    }
    const bool opened = points_open(&f->points, folder ? folder : f->options.folder, e);
    free(folder);
    return opened;
}

/* Finds the machine, and the report's form for this kind of machine. */
static bool find_machine(struct figures *f, struct error *e) {
    struct machine_options *o = &f->options.machine;
    struct machine_config c;
    if (!o->config_path) {
        require_memory(asprintf(&f->machine, "%s/%s", f->tools.configs, f->options.report->machine) >= 0);
        o->config_path = f->machine;
    }
    if (!machine_options_read_all(o, &c, e)) return false;
    if (c.mode != MODE_SIMT)
        return error_set(e, EXIT_USER, "figures %s: these ideas are about SIMT mode, but mode is %s",
                         f->options.report->paper[0]->name, c.mode == MODE_MIMD ? "mimd" : "auto");
    const struct figures_form *form = f->options.report;
    if (f->options.has_size && !form->full)
        return error_set(e, EXIT_USER, "figures %s: --size is of dual-mode, whose programs have two sizes",
                         form->paper[0]->name);
    f->paper = f->options.full ? form->full : form->paper[c.contexts];
    return check_chosen(f, e) && check_figure(f, e);
}

static bool is_needed(const struct figures *f, size_t variant) {
    return f->paper->variants[variant].of_sweeps || figures_needs(f, variant);
}

/* Checks that a --set has an effect on one of the machines. */
static bool check_matters(const struct figures *f, const char *assignment, struct error *e) {
    struct error why = {0};
    for (size_t v = 0; v < f->paper->variant_count; v++)
        if (is_needed(f, v) && config_matters(&machine_config_table, &f->configs[v], assignment, &why))
            return true;
    return error_set(e, why.status, "%s", why.message);
}

static bool prepare(struct figures *f, struct error *e) {
    if (!tools_find(&f->tools, e) || !find_machine(f, e)) return false;
    const struct figures_paper *p = f->paper;
    f->configs = calloc(p->variant_count, sizeof *f->configs);
    f->values = calloc(p->figure_count, sizeof *f->values);
    require_memory(f->configs && f->values);
    for (size_t i = 0; i < p->figure_count; i++) {
        const struct figures_sweep *sweep = figures_sweep_of(f, i);
        const size_t rows = sweep ? sweep->row_count : p->benchmark_count;
        f->values[i] = calloc(rows * p->figures[i].figure.series_count, sizeof **f->values);
        require_memory(f->values[i]);
    }
    for (size_t v = 0; v < p->variant_count; v++)
        if (is_needed(f, v) && !make_config(f, v, e)) return false;
    for (size_t i = 0; i < f->options.machine.set_count; i++)
        if (!check_matters(f, f->options.machine.set[i], e)) return false;
    return find_programs(f, e) && check_rest(f, e) && open_folder(f, e);
}

/* --- all of it --- */

static void release(struct figures *f) {
    points_free(&f->points);
    free(f->point);
    for (size_t i = 0; f->values && i < f->paper->figure_count; i++) free(f->values[i]);
    for (size_t i = 0; i < f->row_count; i++) free(f->program[i]);
    for (size_t i = 0; i < FIGURES_MAX_SWEEPS; i++) free(f->sweep_program[i]);
    free(f->values);
    free(f->configs);
    free(f->machine);
    machine_options_free(&f->options.machine);
}

static int command(int argc, char **argv) {
    struct figures f = {0};
    struct error e = {0};
    arguments_parse(&figures_argp, argc, argv, 0, &f.options);
    const bool good = prepare(&f, &e) && figures_run_all(&f, &e) && figures_report(&f, &e);
    release(&f);
    return good ? EXIT_SOUND : command_fail(&e);
}

const struct command_row command_figures = {50, "run the benchmarks as a paper did; its figures and ours",
                                            command};
