/* The runs that the figures of a report are of. */
#include "lockstep/command.h"
#include "lockstep/figures_parts.h"
#include "lockstep/simulation.h"
#include "model/machine/sms.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The values of all series that show this variant. */
static void take_values(struct figures *f, size_t row, size_t variant, const struct figures_runs *runs) {
    const struct figures_paper *p = f->paper;
    for (size_t i = 0; i < p->figure_count; i++) {
        const size_t count = figures_shows(f, i) ? p->figures[i].figure.series_count : 0;
        for (size_t s = 0; s < count && !figures_sweep_of(f, i); s++)
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

/* The path of the kernel that is helped, beside a program's own; NULL: there is none. To be freed. */
static char *helped_kernel(const char *program) {
    const char *name = strrchr(program, '/') + 1;
    char *path;
    require_memory(asprintf(&path, "%.*s../../benchmarks/%s/%s_scalar.cl", (int)(name - program), program,
                            name, name) >= 0);
    if (access(path, R_OK) == 0) return path;
    free(path);
    return NULL;
}

/* A benchmark on a variant; `program`: its path, `interval`: of lane groups, 0: none. */
static int run(struct figures *f, const struct figures_benchmark *b, char *program, size_t variant,
               uint64_t interval, take_run *take, void *context) {
    const struct execution_options execution = {.redundancy = f->paper->variants[variant].redundancy,
                                                .idle = f->paper->variants[variant].idle,
                                                .events = shows_energy(f->paper)};
    char *argv[FIGURES_MAX_ARGUMENTS + 4] = {program};
    struct simulation s;
    struct error e = {0};
    size_t count = 1;
    for (size_t i = 0; b->arguments[i]; i++)
        argv[count++] =
            b->arguments[i][0] == '%' ? figures_in_folder(f, b->arguments[i] + 2) : strdup(b->arguments[i]);
    char *kernel = f->paper->variants[variant].helped ? helped_kernel(program) : NULL;
    if (kernel) argv[count++] = strdup("--kernel");
    if (kernel) argv[count++] = kernel;
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
    const struct figures_sweep *sweep = figures_sweep_of(f, figure);
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

static int run_sweeps(struct figures *f) {
    size_t count = 0;
    int status = 0;
    for (size_t i = 0; i < f->paper->figure_count; i++)
        count += figures_sweep_of(f, i) && figures_needs_sweep(f, i);
    if (count) progress_step("%zu figures are of launches of one program each", count);
    for (size_t i = 0; i < f->paper->figure_count && !status; i++)
        if (figures_sweep_of(f, i) && figures_needs_sweep(f, i)) status = run_sweep(f, i);
    return status;
}

/* --- all of them --- */

static int run_benchmarks(struct figures *f) {
    const struct figures_paper *p = f->paper;
    const bool terminal = !f->options.quiet && isatty(STDERR_FILENO);
    size_t machines = 0, number = 0, all = 0;
    int status = 0;
    for (size_t v = 0; v < p->variant_count; v++) machines += figures_needs(f, v);
    for (size_t row = 0; row < f->row_count; row++)
        for (size_t v = 0; v < p->variant_count; v++) all += figures_row_needs(f, f->rows[row], v);
    if (!all) return 0;
    if (all == f->row_count * machines)
        progress_step("%zu benchmarks run on %zu machines each", f->row_count, machines);
    else
        progress_step("%zu benchmarks run on up to %zu machines each: %zu runs", f->row_count, machines, all);
    for (size_t row = 0; row < f->row_count && !status; row++) {
        struct row runs = {.number = row};
        for (size_t v = 0; v < p->variant_count && !status; v++) {
            if (!figures_row_needs(f, f->rows[row], v)) continue;
            progress_note("%zu of %zu: %s, %s", ++number, all, f->rows[row], p->variants[v].name);
            if (terminal)
                fprintf(stderr, "\r\033[K%zu of %zu: %s, %s", number, all, f->rows[row], p->variants[v].name);
            runs.variant = v;
            status = run(f, f->row_benchmark[row], f->program[row], v, 0, take_row, &runs);
        }
    }
    if (terminal) fputs("\r\033[K", stderr);
    return status;
}

int figures_run_all(struct figures *f) {
    progress_begin(f->options.quiet, PROGRESS_SECONDS);
    const int status = run_benchmarks(f);
    return status ? status : run_sweeps(f);
}
