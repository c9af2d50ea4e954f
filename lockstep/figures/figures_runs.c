/* The runs for the figures of a report: points (points.h), and the values from them. */
#include "lockstep/figures/figures_parts.h"
#include "sim/part.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool shows_energy(const struct figures_paper *p) {
    for (size_t i = 0; i < p->figure_count; i++)
        for (size_t s = 0; s < p->figures[i].figure.series_count; s++)
            if (p->figures[i].series[s].energy) return true;
    return false;
}

/* --- the key of a run --- */

/* Returns a file in a program's kernel folder, benchmarks/NAME/NAME<ending>; to be freed. */
static char *beside_kernel(const char *program, const char *ending) {
    const char *name = strrchr(program, '/') + 1;
    char *path;
    require_memory(asprintf(&path, "%.*s../../benchmarks/%s/%s%s", (int)(name - program), program, name,
                            *ending ? name : "", ending) >= 0);
    return path;
}

/* Returns the path of the kernel with a hand-written scalar thread; NULL if the program has none. To be
 * freed. */
static char *helped_kernel(const char *program) {
    char *path = beside_kernel(program, "_scalar.cl");
    if (access(path, R_OK) == 0) return path;
    free(path);
    return NULL;
}

/* Adds name and bytes of the files of a folder whose names have a beginning and ending, in the order of
 * names. */
static bool hash_files(struct points_hash *h, const char *folder, const char *begin, const char *ending,
                       struct error *e) {
    struct dirent **files;
    const int count = scandir(folder, &files, NULL, alphasort);
    bool good = true;
    for (int n = 0; n < count; n++) {
        const char *name = files[n]->d_name;
        const size_t length = strlen(name), end = strlen(ending);
        if (strncmp(name, begin, strlen(begin)) == 0 && length > end &&
            strcmp(name + length - end, ending) == 0 && good) {
            char *path;
            require_memory(asprintf(&path, "%s/%s", folder, name) >= 0);
            points_hash_text(h, name);
            good = points_hash_file(h, path, e);
            free(path);
        }
        free(files[n]);
    }
    if (count >= 0) free(files);
    return good;
}

/* Adds the program, its kernels, and the input that is made for it. */
static bool hash_program(struct points_hash *h, const char *program, struct error *e) {
    const char *name = strrchr(program, '/') + 1;
    char *kernels = beside_kernel(program, ""), *data;
    require_memory(asprintf(&data, "%.*sdata", (int)(name - program), program) >= 0);
    const bool good = points_hash_file(h, program, e) && hash_files(h, kernels, "", ".cl", e) &&
                      hash_files(h, data, name, "", e);
    free(kernels);
    free(data);
    return good;
}

static void hash_machine(struct points_hash *h, const struct machine_config *c) {
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    require_memory(out);
    config_write(&machine_config_table, c, out);
    fclose(out);
    points_hash_text(h, text);
    free(text);
}

/* Returns the arguments by which a variant changes its program, NULL after the last. */
static const char *const *changed_arguments(const struct figures_point *p, const struct figures_variant *v) {
    static const char *const none[] = {NULL};
    return v->changed ? p->benchmark->changed[v->changed - 1] : none;
}

static bool find_key(const struct figures *f, struct figures_point *p, struct error *e) {
    const struct figures_variant *v = &f->paper->variants[p->variant];
    char options[80];
    snprintf(options, sizeof options, "%d %d %d %d %" PRIu64, shows_energy(f->paper), v->redundancy, v->idle,
             v->helped, p->interval);
    struct points_hash *h = points_hash_begin(&f->points);
    hash_machine(h, &f->configs[p->variant]);
    points_hash_text(h, options);
    for (const char *const *a = p->benchmark->arguments; *a; a++) points_hash_text(h, *a);
    for (const char *const *a = changed_arguments(p, v); *a; a++) points_hash_text(h, *a);
    const bool good = hash_program(h, p->program, e);
    points_hash_end(h, p->key);
    return good;
}

/* --- the list of runs --- */

static bool add_point(struct figures *f, const struct figures_point *p, struct error *e) {
    f->point = realloc(f->point, (f->point_count + 1) * sizeof *f->point);
    require_memory(f->point);
    f->point[f->point_count] = *p;
    return find_key(f, &f->point[f->point_count++], e);
}

/* Adds the points of the benchmarks, row by row, then those of sweeps. */
static bool add_points(struct figures *f, struct error *e) {
    const struct figures_paper *p = f->paper;
    bool good = true;
    for (size_t row = 0; row < f->row_count; row++)
        for (size_t v = 0; v < p->variant_count && good; v++)
            if (figures_row_needs(f, f->rows[row], v))
                good = add_point(f, &(struct figures_point){f->row_benchmark[row], f->program[row], v, 0, ""},
                                 e);
    for (size_t i = 0; i < p->figure_count && good; i++) {
        const struct figures_sweep *s = figures_sweep_of(f, i);
        if (s && !s->over[0] && figures_needs_sweep(f, i))
            good = add_point(f,
                             &(struct figures_point){&s->program, f->sweep_program[s - p->sweeps], s->variant,
                                                     s->interval, ""},
                             e);
    }
    return good;
}

static bool key_of(void *context, size_t point, char key[POINT_KEY], struct error *e) {
    const struct figures *f = context;
    (void)e;
    memcpy(key, f->point[point].key, POINT_KEY);
    return true;
}

/* --- a run --- */

/* Writes the machine to WORK/machine.yaml; returns the path, to be freed. */
static char *write_machine(const struct machine_config *c, const char *work, struct error *e) {
    struct part part;
    char *path;
    require_memory(asprintf(&path, "%s/machine.yaml", work) >= 0);
    if (part_open(&part, path, e)) {
        config_write(&machine_config_table, c, part.file);
        part_finish(&part, e);
    }
    return path;
}

/* Runs a point in its own folder, so that no file of the current folder is mistaken for a kernel. */
static struct points_outcome run(const struct figures *f, const struct figures_point *p, const char *work,
                                 const char *machine) {
    const struct figures_variant *v = &f->paper->variants[p->variant];
    char *options[10] = {"--config", (char *)machine},
         *words[FIGURES_MAX_ARGUMENTS + FIGURES_MAX_CHANGED + 6] = {"--"}, number[24];
    size_t n = 2, count = 2;
    if (shows_energy(f->paper)) options[n++] = "--events";
    if (v->redundancy) options[n++] = "--redundancy";
    if (v->idle) options[n++] = "--idle";
    snprintf(number, sizeof number, "%" PRIu64, p->interval);
    if (p->interval) options[n++] = "--lane-interval";
    if (p->interval) options[n++] = number;
    words[1] = (char *)p->program;
    char *made = NULL, *kernel = v->helped ? helped_kernel(p->program) : NULL;
    for (const char *const *a = p->benchmark->arguments; *a; a++) {
        if (**a == '%') require_memory(asprintf(&made, "%s%s", work, *a + 1) >= 0);
        words[count++] = **a == '%' ? made : (char *)*a;
    }
    for (const char *const *a = changed_arguments(p, v); *a; a++) words[count++] = (char *)*a;
    if (kernel) words[count++] = "--kernel";
    if (kernel) words[count++] = kernel;
    struct points_outcome o = {.status = EXIT_USER, .host_failed = true};
    if (chdir(work) == 0) o = points_run(&f->points, p->key, options, words);
    free(made);
    free(kernel);
    return o;
}

static void refuse(const struct figures *f, const struct figures_point *p, const struct points_outcome *o,
                   struct error *e) {
    char *reason = points_reason(&f->points, p->key, o),
         *log = point_store_path(&f->points.store, "logs", p->key, ".txt");
    const int status = o->host_failed ? EXIT_USER : o->status;
    error_set(e, (enum exit_status)status, "%s failed on variant '%s': %s\nall that it printed is in %s",
              p->benchmark->name, f->paper->variants[p->variant].name, reason, log);
    free(reason);
    free(log);
}

/* Runs a point and returns its result; NULL if the run has failed. */
static json_t *make(void *context, size_t point, const char *key, struct error *e) {
    const struct figures *f = context;
    const struct figures_point *p = &f->point[point];
    char *work = points_begin_work(&f->points, key),
         *machine = write_machine(&f->configs[p->variant], work, e);
    struct points_outcome o = {0};
    if (e->status == EXIT_SOUND) {
        o = run(f, p, work, machine);
        if (!o.statistics) refuse(f, p, &o, e);
    }
    points_end_work(&f->points, key);
    free(machine);
    free(work);
    return o.statistics ? figures_run_trim(o.statistics) : NULL;
}

/* --- the values --- */

/* Sets the values of all series that show this variant. */
static void take_values(struct figures *f, size_t row, size_t variant, const struct figures_runs *runs) {
    const struct figures_paper *p = f->paper;
    for (size_t i = 0; i < p->figure_count; i++) {
        const size_t count = figures_shows(f, i) ? p->figures[i].figure.series_count : 0;
        for (size_t s = 0; s < count && !figures_sweep_of(f, i); s++)
            if (p->figures[i].series[s].variant == variant)
                f->values[i][row * count + s] = figures_value(&p->figures[i].series[s], runs);
    }
}

static bool read_point(const struct figures *f, const struct figures_point *p, struct figures_run *r,
                       struct error *e) {
    json_t *statistics = point_store_read(&f->points.store, p->key);
    if (!statistics)
        return error_set(e, EXIT_USER, "%s/points/%s.json, the run of %s on variant '%s', cannot be read",
                         f->points.store.folder, p->key, p->benchmark->name,
                         f->paper->variants[p->variant].name);
    figures_run_read(r, statistics);
    return true;
}

static bool take_benchmarks(struct figures *f, const struct figures_point **next, struct error *e) {
    for (size_t row = 0; row < f->row_count; row++) {
        struct figures_runs runs = {0};
        bool good = true;
        for (size_t v = 0; v < f->paper->variant_count && good; v++) {
            if (!figures_row_needs(f, f->rows[row], v)) continue;
            good = read_point(f, (*next)++, &runs.run[v], e);
            if (good && shows_energy(f->paper)) figures_take_energy(&runs.energy[v], &runs.run[v]);
        }
        for (size_t v = 0; v < f->paper->variant_count && good; v++)
            if (runs.run[v].statistics) take_values(f, row, v, &runs);
        for (size_t v = 0; v < f->paper->variant_count; v++)
            if (runs.run[v].statistics) figures_run_free(&runs.run[v]);
        if (!good) return false;
    }
    return true;
}

static double sweep_value(const struct figures_sweep *sweep, const struct figures_run *r, size_t row,
                          size_t series) {
    if (sweep->kind == FIGURES_LANE_GROUPS) return figures_run_lane(r, row, series) / (double)sweep->interval;
    const size_t launch = series * sweep->row_count + row;
    invariant(launch < r->launch_count, "%s has fewer launches than %s shows", sweep->program.name,
              sweep->figure);
    const struct launch_record *l = &r->launches[launch];
    return (double)l->thread_instructions / (double)l->result.cycles;
}

static const double *values_of(const struct figures *f, const char *figure) {
    size_t i = 0;
    while (strcmp(f->paper->figures[i].figure.name, figure) != 0) i++;
    return f->values[i];
}

static bool take_sweep(struct figures *f, size_t figure, const struct figures_point **next, struct error *e) {
    const struct figures_sweep *sweep = figures_sweep_of(f, figure);
    const size_t series = f->paper->figures[figure].figure.series_count, count = series * sweep->row_count;
    double *values = f->values[figure];
    struct figures_run r;
    if (sweep->over[0]) {
        const double *of = values_of(f, sweep->over[0]), *over = values_of(f, sweep->over[1]);
        for (size_t i = 0; i < count; i++) values[i] = of[i] / over[i];
        return true;
    }
    if (!read_point(f, (*next)++, &r, e)) return false;
    for (size_t i = 0; i < count; i++) values[i] = sweep_value(sweep, &r, i / series, i % series);
    figures_run_free(&r);
    return true;
}

bool figures_run_all(struct figures *f, struct error *e) {
    if (!add_points(f, e)) return false;
    const struct points_list list = {
        .points = &f->points, .count = f->point_count, .context = f, .key = key_of, .make = make};
    const size_t done = points_done(&list);
    progress_begin(f->options.quiet, PROGRESS_SECONDS);
    progress_step("%s: %zu benchmarks, %zu runs, of which %zu are in %s", f->paper->name, f->row_count,
                  f->point_count, done, f->points.store.folder);
    const bool ran = points_run_workers(&list, f->options.jobs, e);
    progress_end();
    if (!ran) return false;
    const struct figures_point *next = f->point;
    bool good = take_benchmarks(f, &next, e);
    for (size_t i = 0; i < f->paper->figure_count && good; i++)
        if (figures_sweep_of(f, i) && figures_needs_sweep(f, i)) good = take_sweep(f, i, &next, e);
    return good;
}
