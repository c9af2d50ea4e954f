/* `lockstep figures`: the benchmarks on the machines that a paper compares, and the paper's figures from
 * that. */
#include "lockstep/figures_values.h"

#include "lockstep/command.h"
#include "lockstep/machine_options.h"
#include "lockstep/output.h"
#include "lockstep/simulation.h"
#include "model/machine/sms.h"
#include "sim/part.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIGURES_SCHEMA_VERSION 1

enum { KEY_OUT = 256, KEY_BENCHMARK, KEY_FIGURE, KEY_QUIET };

/* A report has a machine, which --config and --set change, and a form for either kind of machine. One that
 * has the same form for both says in its variants what it needs. */
static const struct report {
    const char *machine; /* of configs/ */
    const struct figures_paper *base, *gpu_like;
} reports[] = {{"gtx285-like.yaml", &figures_uniform, &figures_uniform_gpu},
               {"fermi-like.yaml", &figures_harp, &figures_harp},
               {"dual-mode-4.yaml", &figures_dual_mode, &figures_dual_mode},
               {"stsimt-30x8.yaml", &figures_stsimt, &figures_stsimt}};
#define REPORTS        (sizeof reports / sizeof reports[0])
#define MAX_BENCHMARKS 24

struct options {
    struct machine_options machine;
    const char *folder;
    const struct report *report;
    const char *chosen[MAX_BENCHMARKS]; /* NULL after the last; none: all */
    size_t chosen_count;
    const char *figure; /* its number in the paper, with or without a letter; NULL: all */
    bool quiet;
};

struct figures {
    struct options options;
    struct tools tools;
    const struct figures_paper *paper;
    struct machine_config *configs; /* of the variants */
    char *machine;                  /* path of the report's own; NULL: another is named */
    FILE *out;
    struct part log; /* what the benchmarks print; it stands for our standard output then */
    bool logged;     /* it is open */
    const char *rows[MAX_BENCHMARKS];
    const struct figures_benchmark *row_benchmark[MAX_BENCHMARKS];
    size_t row_count;
    char *program[MAX_BENCHMARKS], *sweep_program[FIGURES_MAX_SWEEPS];
    bool in_group[FIGURE_GROUPS][MAX_BENCHMARKS]; /* rows that it has */
    double **values;                              /* of each figure: [row][series] */
};

/* --- the command line --- */

static void choose_report(struct options *o, const char *name, struct argp_state *state) {
    if (o->report) argp_error(state, "one report at a time: '%s' is too many", name);
    for (size_t i = 0; i < REPORTS; i++)
        if (strcmp(reports[i].base->name, name) == 0) o->report = &reports[i];
    if (!o->report)
        argp_error(state, "no report is called '%s': there are uniform, harp, dual-mode and stsimt", name);
}

static void choose_benchmark(struct options *o, const char *name, struct argp_state *state) {
    if (o->chosen_count == MAX_BENCHMARKS) argp_error(state, "--benchmark %s: these are too many", name);
    o->chosen[o->chosen_count++] = name;
}

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->machine;
        o->folder = "figures";
        return 0;
    case KEY_OUT: o->folder = argument; return 0;
    case KEY_BENCHMARK: choose_benchmark(o, argument, state); return 0;
    case KEY_FIGURE: o->figure = argument; return 0;
    case KEY_QUIET: o->quiet = true; return 0;
    case ARGP_KEY_ARG: choose_report(o, argument, state); return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "which report? There are uniform, harp, dual-mode and stsimt");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option option_table[] = {
    {"out", KEY_OUT, "DIR", 0, "Folder for the report (default: figures)", 0},
    {"benchmark", KEY_BENCHMARK, "NAME", 0,
     "Run this one only; again: this one, too (default: all of the report)", 0},
    {"figure", KEY_FIGURE, "NUMBER", 0,
     "Only what belongs to this figure of the paper: 13, 13b; machines that it does not show are not run "
     "(default: "
     "all of the report)",
     0},
    {"quiet", KEY_QUIET, NULL, 0, "Do not tell on standard error what is being done", 0},
    {0},
};

static const struct argp_child children[] = {{&machine_options_argp, 0, NULL, 0}, {0}};

static const struct argp figures_argp = {
    .options = option_table,
    .parser = parse,
    .children = children,
    .args_doc = "uniform|harp|dual-mode|stsimt",
    .doc =
        "Runs the benchmarks on the machines that a paper compares, and prints the paper's figures for them "
        "beside the paper's numbers."
        "\v"
        "uniform: Xiang et al., Exploiting Uniform Vector Instructions, ICS 2013: Figs. 2, 5 to 16.\n"
        "harp: Lashgar et al., HARP: Harnessing Inactive Threads in Many-Core Processors: Figs. 3, 4, 11 to "
        "13, 15, 16.\n"
        "dual-mode: Chen and Chen, Enabling SIMT Execution Model on Homogeneous Multi-Core System: Fig. 13.\n"
        "stsimt: Lucas et al., Spatiotemporal SIMT and Scalarization, TACO 2015: Figs. 4 to 12, Table IV.\n"
        "\n"
        "The tables go to standard output and to DIR/REPORT.txt, all values to DIR/REPORT.json, a plot of "
        "each "
        "figure to DIR/REPORT-FIGURE.svg (by gnuplot). What the benchmarks print goes to DIR/programs.log; "
        "if "
        "one fails, to DIR/programs.log.part. "
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
        "  lockstep figures uniform --benchmark path_finder --set simt.collectors=4 --out four\n"
        "  lockstep figures harp\n"
        "  lockstep figures dual-mode --figure 13\n"
        "\n"
        "Exit status: 0; 125 a mistake in the command line; that of a benchmark that failed.",
};

/* --- before anything runs --- */

/* Of a figure; NULL: it has a row for each benchmark. */
static const struct figures_sweep *sweep_of(const struct figures *f, size_t figure) {
    const struct figures_paper *p = f->paper;
    for (const struct figures_sweep *s = p->sweeps; s < p->sweeps + p->sweep_count; s++)
        if (strcmp(s->figure, p->figures[figure].figure.name) == 0) return s;
    return NULL;
}

/* "fig13b" is figure 13 and figure 13b, but not 1. */
static bool shows(const struct figures *f, size_t figure) {
    const char *wanted = f->options.figure, *name = f->paper->figures[figure].figure.name;
    if (!wanted) return true;
    const size_t length = strlen(wanted);
    if (strncmp(name, "fig", 3) == 0) name += 3;
    return length && strncmp(name, wanted, length) == 0 && !(name[length] >= '0' && name[length] <= '9');
}

static bool check_figure(const struct figures *f, struct error *e) {
    for (size_t i = 0; i < f->paper->figure_count; i++)
        if (shows(f, i)) return true;
    return error_set(e, EXIT_USER, "--figure %s: the report '%s' has no such figure", f->options.figure,
                     f->paper->name);
}

/* Does a figure that is shown show the machine, or something over it? */
static bool needs(const struct figures *f, size_t variant) {
    if (f->paper->variants[variant].of_sweeps) return false;
    for (size_t i = 0; i < f->paper->figure_count; i++)
        for (size_t s = 0; shows(f, i) && !sweep_of(f, i) && s < f->paper->figures[i].figure.series_count;
             s++) {
            const struct figures_series *series = &f->paper->figures[i].series[s];
            if (series->variant == variant || series->base == variant) return true;
        }
    return false;
}

static bool make_config(const struct figures *f, size_t variant, struct error *e) {
    const struct figures_variant *v = &f->paper->variants[variant];
    struct machine_config *c = &f->configs[variant];
    struct error why = {0};
    if (!machine_options_resolve(&f->options.machine, c, e)) return false;
    for (size_t i = 0; v->set[i]; i++)
        if (!config_set(&machine_config_table, c, v->set[i], e)) return false;
    if (!config_check(&machine_config_table, c, &why))
        return error_set(e, why.status, "variant '%s': %s", v->name, why.message);
    return c->mode == MODE_SIMT ||
           error_set(e, EXIT_USER, "figures %s: these ideas are about SIMT mode, but mode is mimd",
                     f->paper->name);
}

static bool is_chosen(const struct options *o, const char *name) {
    for (size_t i = 0; i < o->chosen_count; i++)
        if (strcmp(o->chosen[i], name) == 0) return true;
    return o->chosen_count == 0;
}

/* Is anything known of a figure, with the benchmarks that were chosen? */
static bool is_shown(const struct figures *f, size_t figure) {
    const struct figures_sweep *sweep = sweep_of(f, figure);
    return shows(f, figure) && (sweep ? is_chosen(&f->options, sweep->program.name) : f->row_count > 0);
}

static bool has_benchmark(const struct figures_paper *p, const char *name) {
    for (size_t n = 0; n < p->benchmark_count; n++)
        if (strcmp(p->benchmarks[n].name, name) == 0) return true;
    for (size_t n = 0; n < p->sweep_count; n++)
        if (strcmp(p->sweeps[n].program.name, name) == 0) return true;
    return false;
}

static bool check_chosen(const struct figures *f, struct error *e) {
    for (size_t i = 0; i < f->options.chosen_count; i++)
        if (!has_benchmark(f->paper, f->options.chosen[i]))
            return error_set(e, EXIT_USER, "--benchmark %s: there is no such benchmark in this report",
                             f->options.chosen[i]);
    return true;
}

/* A benchmark lies beside the command. False and *e: it is not there. */
static bool find_program(const struct figures *f, const char *name, char **path, struct error *e) {
    require_memory(asprintf(path, "%.*s/benchmarks/%s",
                            (int)(strrchr(f->tools.compiler, '/') - f->tools.compiler), f->tools.compiler,
                            name) >= 0);
    if (access(*path, F_OK) != 0)
        return error_set(e, EXIT_USER,
                         "%s is missing: an installation has no benchmarks; run build/lockstep figures where "
                         "Lockstep was built (make)",
                         *path);
    return tools_check_program(*path, e);
}

static bool find_programs(struct figures *f, struct error *e) {
    const struct figures_paper *p = f->paper;
    for (size_t i = 0; i < p->benchmark_count; i++) {
        if (!is_chosen(&f->options, p->benchmarks[i].name)) continue;
        char **program = &f->program[f->row_count];
        f->row_benchmark[f->row_count] = &p->benchmarks[i];
        f->rows[f->row_count++] = p->benchmarks[i].name;
        if (!find_program(f, p->benchmarks[i].name, program, e)) return false;
    }
    for (size_t n = 0; n < p->sweep_count; n++)
        if (is_chosen(&f->options, p->sweeps[n].program.name) &&
            !find_program(f, p->sweeps[n].program.name, &f->sweep_program[n], e))
            return false;
    return true;
}

static char *in_folder(const struct figures *f, const char *name) {
    char *path;
    require_memory(asprintf(&path, "%s/%s", f->options.folder, name) >= 0);
    return path;
}

/* Standard output of the programs is the log from now on; ours is f->out. */
static bool open_folder(struct figures *f, struct error *e) {
    if (mkdir(f->options.folder, 0777) != 0 && errno != EEXIST)
        return error_set(e, EXIT_USER, "--out %s: %s", f->options.folder, strerror(errno));
    char *path = in_folder(f, "programs.log");
    f->out = output_take(e);
    f->logged = f->out && part_open(&f->log, path, e) && dup2(fileno(f->log.file), STDOUT_FILENO) >= 0;
    free(path);
    return f->logged;
}

/* The machine, and the report's form for it. */
static bool find_machine(struct figures *f, struct error *e) {
    struct machine_options *o = &f->options.machine;
    struct machine_config c;
    if (!o->config_path) {
        require_memory(asprintf(&f->machine, "%s/%s", f->tools.configs, f->options.report->machine) >= 0);
        o->config_path = f->machine;
    }
    if (!machine_options_resolve(o, &c, e)) return false;
    f->paper = c.contexts == CONTEXTS_VRF ? f->options.report->gpu_like : f->options.report->base;
    return check_chosen(f, e) && check_figure(f, e);
}

static bool prepare(struct figures *f, struct error *e) {
    if (!tools_find(&f->tools, e) || !find_machine(f, e)) return false;
    const struct figures_paper *p = f->paper;
    f->configs = calloc(p->variant_count, sizeof *f->configs);
    f->values = calloc(p->figure_count, sizeof *f->values);
    require_memory(f->configs && f->values);
    for (size_t i = 0; i < p->figure_count; i++) {
        const struct figures_sweep *sweep = sweep_of(f, i);
        const size_t rows = sweep ? sweep->row_count : p->benchmark_count;
        f->values[i] = calloc(rows * p->figures[i].figure.series_count, sizeof **f->values);
        require_memory(f->values[i]);
    }
    for (size_t v = 0; v < p->variant_count; v++)
        if ((p->variants[v].of_sweeps || needs(f, v)) && !make_config(f, v, e)) return false;
    return find_programs(f, e) && open_folder(f, e);
}

/* --- the runs --- */

/* The values of all series that show this variant. */
static void take_values(struct figures *f, size_t row, size_t variant, const struct figures_runs *runs) {
    const struct figures_paper *p = f->paper;
    for (size_t i = 0; i < p->figure_count; i++) {
        const size_t count = shows(f, i) ? p->figures[i].figure.series_count : 0;
        for (size_t s = 0; s < count && !sweep_of(f, i); s++)
            if (p->figures[i].series[s].variant == variant)
                f->values[i][row * count + s] = figures_value(&p->figures[i].series[s], runs);
    }
}

static bool shows_energy(const struct figures_paper *p) {
    for (size_t i = 0; i < p->figure_count; i++)
        for (size_t s = 0; s < p->figures[i].figure.series_count; s++)
            if (p->figures[i].series[s].energy) return true;
    return false;
}

/* What is done with a run that was sound. */
typedef void take_run(struct figures *f, const struct simulation *s, char *const *argv, void *context);

/* A benchmark on a variant; `program`: its path, `interval`: of lane groups, 0: none. */
static int run(struct figures *f, const struct figures_benchmark *b, char *program, size_t variant,
               uint64_t interval, take_run *take, void *context) {
    const struct execution_options execution = {.redundancy = f->paper->variants[variant].redundancy,
                                                .events = shows_energy(f->paper)};
    char *argv[FIGURES_MAX_ARGUMENTS + 2] = {program};
    struct simulation s;
    struct error e = {0};
    for (size_t i = 0; b->arguments[i]; i++)
        argv[i + 1] = b->arguments[i][0] == '%' ? in_folder(f, b->arguments[i] + 2) : strdup(b->arguments[i]);
    int status;
    if (simulation_create(&s, &f->configs[variant], &execution, &f->tools, &e)) {
        machine_set_lane_interval(s.machine, interval);
        simulation_run(&s, argv);
        simulation_print_messages(&s, argv[0]);
        status = s.status;
        if (!status) take(f, &s, argv, context);
    } else {
        status = command_fail(&e);
    }
    simulation_free(&s);
    for (size_t i = 1; argv[i]; i++) free(argv[i]);
    if (status)
        fprintf(stderr, "lockstep figures: %s failed on variant '%s'\n", b->name,
                f->paper->variants[variant].name);
    return status;
}

/* A benchmark's runs so far. */
struct row {
    size_t number, variant;
    struct figures_runs runs;
};

static void take_row(struct figures *f, const struct simulation *s, char *const *argv, void *context) {
    struct row *row = context;
    row->runs.record = &s->record;
    row->runs.cycles[row->variant] = run_record_totals(&s->record).cycles;
    if (shows_energy(f->paper)) figures_take_energy(&row->runs.energy[row->variant], s, argv);
    take_values(f, row->number, row->variant, &row->runs);
}

/* --- sweeps --- */

struct sweep_run {
    const struct figures_sweep *sweep;
    size_t series_count;
    double *values; /* [row][series] */
};

static double sweep_value(const struct sweep_run *x, const struct simulation *s, size_t row, size_t series) {
    const struct figures_sweep *sweep = x->sweep;
    if (sweep->kind == FIGURES_LAUNCHES) {
        const size_t launch = series * sweep->row_count + row;
        invariant(launch < s->record.launch_count, "%s has fewer launches than %s shows", sweep->program.name,
                  sweep->figure);
        const struct launch_record *l = &s->record.launches[launch];
        return (double)l->thread_instructions / (double)l->result.cycles;
    }
    const struct sm_lanes *lanes = &machine_sms(s->machine)->sm[0].lanes;
    return row < lanes->intervals ? (double)lanes->over_time[row][series] / (double)sweep->interval : 0;
}

static void take_sweep(struct figures *f, const struct simulation *s, char *const *argv, void *context) {
    const struct sweep_run *x = context;
    (void)f;
    (void)argv;
    for (size_t i = 0; i < x->series_count * x->sweep->row_count; i++)
        x->values[i] = sweep_value(x, s, i / x->series_count, i % x->series_count);
}

static const double *values_of(const struct figures *f, const char *figure) {
    size_t i = 0;
    while (strcmp(f->paper->figures[i].figure.name, figure) != 0) i++;
    return f->values[i];
}

static int run_sweep(struct figures *f, size_t figure) {
    const struct figures_sweep *sweep = sweep_of(f, figure);
    struct sweep_run x = {sweep, f->paper->figures[figure].figure.series_count, f->values[figure]};
    if (sweep->over[0]) {
        const double *of = values_of(f, sweep->over[0]), *over = values_of(f, sweep->over[1]);
        for (size_t i = 0; i < x.series_count * sweep->row_count; i++) x.values[i] = of[i] / over[i];
        return 0;
    }
    progress_note("%s: %s, %s", sweep->figure, sweep->program.name, f->paper->variants[sweep->variant].name);
    return run(f, &sweep->program, f->sweep_program[sweep - f->paper->sweeps], sweep->variant,
               sweep->interval, take_sweep, &x);
}

/* Is it shown, or part of a quotient that is? */
static bool needs_sweep(const struct figures *f, size_t figure) {
    const char *name = f->paper->figures[figure].figure.name;
    bool needed = is_shown(f, figure);
    for (size_t i = 0; i < f->paper->figure_count; i++) {
        const struct figures_sweep *s = sweep_of(f, i);
        if (s && s->over[0] && is_shown(f, i))
            needed = needed || strcmp(s->over[0], name) == 0 || strcmp(s->over[1], name) == 0;
    }
    return needed;
}

static int run_sweeps(struct figures *f) {
    int status = 0;
    for (size_t i = 0; i < f->paper->figure_count && !status; i++)
        if (sweep_of(f, i) && needs_sweep(f, i)) status = run_sweep(f, i);
    return status;
}

/* --- all of them --- */

static int run_all(struct figures *f) {
    const struct figures_paper *p = f->paper;
    const bool terminal = !f->options.quiet && isatty(STDERR_FILENO);
    progress_begin(f->options.quiet, PROGRESS_SECONDS);
    size_t machines = 0;
    for (size_t v = 0; v < p->variant_count; v++) machines += needs(f, v);
    progress_step("%zu benchmarks run on %zu machines each", f->row_count, machines);
    for (size_t row = 0; row < f->row_count; row++) {
        struct row runs = {.number = row};
        for (size_t v = 0; v < p->variant_count; v++) {
            if (!needs(f, v)) continue;
            progress_note("%zu of %zu: %s, %s", row * p->variant_count + v + 1,
                          f->row_count * p->variant_count, f->rows[row], p->variants[v].name);
            if (terminal)
                fprintf(stderr, "\r\033[K%zu of %zu: %s, %s", row * p->variant_count + v + 1,
                        f->row_count * p->variant_count, f->rows[row], p->variants[v].name);
            runs.variant = v;
            const int status = run(f, f->row_benchmark[row], f->program[row], v, 0, take_row, &runs);
            if (status) return status;
        }
    }
    if (terminal) fputs("\r\033[K", stderr);
    return run_sweeps(f);
}

/* --- the report --- */

static bool has_groups(const struct figures *f) {
    return f->paper->first_group_below > 0 && is_shown(f, 0);
}

static struct figure figure_of(const struct figures *f, size_t i, struct figure_series *series) {
    const struct figures_definition *d = &f->paper->figures[i];
    struct figure figure = d->figure;
    for (size_t s = 0; s < figure.series_count; s++) series[s] = d->series[s].series;
    figure.series = series;
    const struct figures_sweep *sweep = sweep_of(f, i);
    figure.rows = sweep ? sweep->rows : f->rows;
    figure.row_count = sweep ? sweep->row_count : f->row_count;
    figure.values = f->values[i];
    for (size_t g = 0; g < FIGURE_GROUPS && has_groups(f) && !sweep; g++)
        figure.group[figure.group_count++] = (struct figure_group){f->paper->group_names[g], f->in_group[g]};
    return figure;
}

/* By the first series of the first figure. */
static void find_groups(struct figures *f) {
    const size_t series = f->paper->figures[0].figure.series_count;
    for (size_t row = 0; row < f->row_count; row++)
        f->in_group[f->values[0][row * series] >= f->paper->first_group_below][row] = true;
}

static void print_report(const struct figures *f, FILE *out, json_t *documents) {
    const struct figures_paper *p = f->paper;
    fprintf(out, "%s\n", p->title);
    for (size_t i = 0; i < p->figure_count; i++) {
        if (!is_shown(f, i)) continue;
        struct figure_series series[p->figures[i].figure.series_count];
        const struct figure figure = figure_of(f, i, series);
        figure_print(&figure, out);
        if (documents) json_array_append_new(documents, figure_document(&figure));
    }
}

static bool write_file(const struct figures *f, const char *ending, const char *text, struct error *e) {
    struct part part;
    char *name;
    require_memory(asprintf(&name, "%s%s", f->paper->name, ending) >= 0);
    char *path = in_folder(f, name);
    const bool opened = part_open(&part, path, e);
    if (opened) fputs(text, part.file);
    free(path);
    free(name);
    return opened && part_finish(&part, e);
}

static bool plot_all(const struct figures *f, struct error *e) {
    const struct figures_paper *p = f->paper;
    bool good = true;
    for (size_t i = 0; i < p->figure_count && good; i++) {
        if (!is_shown(f, i)) continue;
        struct figure_series series[p->figures[i].figure.series_count];
        const struct figure figure = figure_of(f, i, series);
        char *name;
        require_memory(asprintf(&name, "%s-%s.svg", p->name, figure.name) >= 0);
        char *path = in_folder(f, name);
        good = figure_plot(&figure, path, e);
        free(path);
        free(name);
    }
    return good;
}

static bool report(const struct figures *f, struct error *e) {
    char *text = NULL;
    size_t size;
    json_t *document = json_object(), *documents = json_array();
    FILE *out = open_memstream(&text, &size);
    require_memory(out);
    print_report(f, out, documents);
    fclose(out);
    json_object_set_new(document, "schema", json_string("lockstep-figures"));
    json_object_set_new(document, "schema_version", json_integer(FIGURES_SCHEMA_VERSION));
    json_object_set_new(document, "report", json_string(f->paper->name));
    json_object_set_new(document, "figures", documents);
    char *json = json_dumps(document, JSON_INDENT(2));
    const bool good = write_file(f, ".txt", text, e) && write_file(f, ".json", json, e) && plot_all(f, e);
    fputs(text, f->out);
    free(json);
    json_decref(document);
    free(text);
    return good;
}

static int execute(struct figures *f) {
    struct error e = {0};
    int status = run_all(f);
    if (!status) find_groups(f);
    if (!status && !report(f, &e)) status = command_fail(&e);
    struct error closing = {0};
    if (!output_close(f->out, &closing)) status = command_fail(&closing);
    closing = (struct error){0};
    f->logged = false;
    if (!(status ? part_leave(&f->log, &closing) : part_finish(&f->log, &closing)))
        status = command_fail(&closing);
    return status;
}

static void release(struct figures *f) {
    progress_end();
    if (f->logged) part_abandon(&f->log);
    for (size_t i = 0; f->values && i < f->paper->figure_count; i++) free(f->values[i]);
    for (size_t i = 0; i < f->row_count; i++) free(f->program[i]);
    for (size_t i = 0; i < FIGURES_MAX_SWEEPS; i++) free(f->sweep_program[i]);
    free(f->values);
    free(f->configs);
    free(f->machine);
    machine_options_free(&f->options.machine);
}

int figures_command(int argc, char **argv) {
    struct figures f = {0};
    struct error e = {0};
    argp_parse(&figures_argp, argc, argv, 0, NULL, &f.options);
    const int status = prepare(&f, &e) ? execute(&f) : command_fail(&e);
    release(&f);
    return status;
}
