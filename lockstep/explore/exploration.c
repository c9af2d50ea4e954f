#include "lockstep/explore/exploration.h"

#include "lockstep/energy/energy.h"
#include "lockstep/run/origin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_ARGUMENTS = 256 };

bool exploration_open(struct exploration *x, const char *sweep, const char *folder, struct error *e) {
    *x = (struct exploration){0};
    if (!sweep_read(&x->sweep, sweep, e)) return false;
    for (size_t p = 0; p < x->sweep.program_count; p++)
        if (!tools_check_program(x->sweep.programs[p].argv[0], e)) return false;
    if (!points_open(&x->points, folder, e)) return false;
    return x->sweep.area == SWEEP_AREA_OFF || technology_read(&x->technology, NULL, NULL, e);
}

void exploration_free(struct exploration *x) {
    if (x->area_known) area_free(&x->area);
    netlist_jobs_free(&x->blocks);
    technology_free(&x->technology);
    free(x->keys);
    sweep_free(&x->sweep);
    points_free(&x->points);
}

/* --- points --- */

size_t exploration_points(const struct exploration *x) {
    return x->sweep.configuration_count * x->sweep.program_count;
}

static size_t combination_of(const struct exploration *x, size_t point) {
    return x->sweep.configurations[point / x->sweep.program_count];
}

static const struct sweep_program *program_of(const struct exploration *x, size_t point) {
    return &x->sweep.programs[point % x->sweep.program_count];
}

static void hash_configuration(const struct exploration *x, size_t point, struct points_hash *hash) {
    struct machine_config c;
    struct error why = {0};
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    require_memory(out);
    if (sweep_configure(&x->sweep, combination_of(x, point), &c, &why))
        config_write(&machine_config_table, &c, out);
    else
        fputs(why.message, out);
    const struct sweep *s = &x->sweep;
    /* A refused machine has no configuration in the key; its assignments distinguish it. */
    for (size_t f = 0; f < s->field_count; f++) {
        char *assignment = sweep_assignment(s, combination_of(x, point), f);
        fprintf(out, "%s ", why.status ? assignment : s->fields[f].name);
        free(assignment);
    }
    fprintf(out, "%d %.9g %d %u %.9g", s->period_from_area, s->memory_ns, s->area, s->least_n_tpo,
            s->most_mm2);
    fclose(out);
    points_hash_text(hash, text);
    free(text);
}

/* Computes the key of a point. For a program found on PATH the key contains only the name. */
static bool compute_key(const struct exploration *x, size_t point, char key[POINT_KEY], struct error *e) {
    const struct sweep_program *p = program_of(x, point);
    struct points_hash *hash = points_hash_begin(&x->points);
    hash_configuration(x, point, hash);
    for (char **word = p->argv; *word; word++) points_hash_text(hash, *word);
    const bool good = !strchr(p->argv[0], '/') || points_hash_file(hash, p->argv[0], e);
    points_hash_end(hash, key);
    return good;
}

/* Returns a point's key. Keys are computed once, before workers are forked, since points are counted
 * often. */
static bool key_of(void *context, size_t point, char key[POINT_KEY], struct error *e) {
    struct exploration *x = context;
    if (x->keys_of != x->sweep.configuration_count) {
        free(x->keys);
        x->keys = calloc(exploration_points(x) + 1, sizeof *x->keys);
        require_memory(x->keys);
        x->keys_of = x->sweep.configuration_count;
    }
    if (!*x->keys[point] && !compute_key(x, point, x->keys[point], e)) {
        *x->keys[point] = '\0';
        return false;
    }
    memcpy(key, x->keys[point], POINT_KEY);
    return true;
}

bool exploration_points_list(struct exploration *x, struct points_list *l) {
    *l = (struct points_list){
        .points = &x->points, .count = exploration_points(x), .context = x, .key = key_of};
    return true;
}

size_t exploration_done(struct exploration *x) {
    struct points_list l;
    return exploration_points_list(x, &l) ? points_sound(&l) : 0;
}

/* --- one point --- */

/* Makes the command that runs a point, to be freed word by word; a % that begins a word becomes `work`. */
static void make_command(const struct exploration *x, size_t point, const struct machine_config *c,
                         const char *work, char *argv[MAX_ARGUMENTS]) {
    const struct sweep *s = &x->sweep;
    size_t n = 0;
    argv[n++] = strdup("run");
    if (s->machine) {
        argv[n++] = strdup("--config");
        argv[n++] = strdup(s->machine);
    }
    for (size_t f = 0; f < s->field_count && n < MAX_ARGUMENTS / 2; f++) {
        char *assignment = sweep_assignment(s, combination_of(x, point), f);
        struct error ignored = {0};
        if (config_matters(&machine_config_table, c, assignment, &ignored)) {
            argv[n++] = strdup("--set");
            argv[n++] = assignment;
        } else {
            free(assignment); /* no error: some machines of the sweep lack the field */
        }
    }
    const struct {
        bool wanted;
        const char *name;
        unsigned value;
    } derived[] = {{s->period_from_area, "cluster.clock_mhz", c->clock_mhz},
                   {s->memory_ns > 0, "mem.latency", c->mem.latency_cycles}};
    for (size_t k = 0; k < 2; k++)
        if (derived[k].wanted) {
            argv[n++] = strdup("--set");
            require_memory(asprintf(&argv[n++], "%s=%u", derived[k].name, derived[k].value) >= 0);
        }
    argv[n++] = strdup("--");
    for (char **word = program_of(x, point)->argv; *word && n < MAX_ARGUMENTS - 1; word++)
        if ((*word)[0] == '%')
            require_memory(asprintf(&argv[n++], "%s%s", work, *word + 1) >= 0);
        else
            argv[n++] = strdup(*word);
    argv[n] = NULL;
    for (size_t k = 0; k < n; k++) require_memory(argv[k]);
}

static void free_command(char *argv[]) {
    for (; *argv; argv++) free(*argv);
}

/* Returns the command in a shell's notation. */
static json_t *command_text(char *const argv[]) {
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    require_memory(out);
    fputs("lockstep", out);
    for (; *argv; argv++) {
        const bool plain =
            (*argv)[strspn(*argv, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                  "-_./=,:%+@")] == '\0' &&
            **argv;
        fputs(plain ? " " : " '", out);
        for (const char *c = *argv; *c; c++) fputs(*c == '\'' ? "'\\''" : (char[]){*c, '\0'}, out);
        if (!plain) fputc('\'', out);
    }
    fclose(out);
    json_t *j = json_string(text);
    free(text);
    return j ? j : json_string("(not UTF-8)");
}

static void add_energy(json_t *j, json_t *statistics) {
    struct energy_counts n;
    struct error why = {0};
    if (!energy_counts_read(&n, statistics, "statistics", &why)) return;
    for (size_t s = 0; s < ENERGY_SETS; s++) {
        struct energy x;
        char name[64];
        energy_of(&x, &n, &energy_sets[s]);
        snprintf(name, sizeof name, "energy_nj_%s", energy_sets[s].name);
        json_object_set_new(j, name, json_real(x.dynamic_nj + x.leakage_nj));
    }
}

/* Copies the deterministic statistics, without host times. */
static void add_statistics(json_t *j, json_t *statistics) {
    json_t *totals = json_object_get(statistics, "totals");
    json_object_set(j, "cycles", json_object_get(totals, "cycles"));
    json_object_set_new(j, "time_ns",
                        json_real(json_number_value(json_object_get(totals, "time_ps")) * 1e-3));
    json_object_set(j, "causes", json_object_get(totals, "cycles_by_cause"));
    add_energy(j, statistics);
}

static void add_area(json_t *j, const struct area *a) {
    json_t *parts = json_object();
    json_object_set_new(j, "mm2", json_real(a->mm2));
    if (a->period_ns > 0) json_object_set_new(j, "period_ns", json_real(a->period_ns));
    for (const struct area_part *p = a->parts; p < a->parts + a->part_count; p++)
        json_object_set_new(parts, p->name, json_real(p->count * p->mm2));
    json_object_set_new(j, "areas", parts);
}

/* --- areas --- */

static struct area_options area_options_of(const struct exploration *x) {
    return (struct area_options){
        .rtl = x->points.tools.rtl,
        .effort = x->sweep.area == SWEEP_AREA_FULL ? SYNTHESIS_FULL : SYNTHESIS_FAST,
        .no_period = !x->sweep.period_from_area,
    };
}

/* Returns whether the results of all blocks of a machine are known. */
static bool knows_blocks(const struct exploration *x, const struct machine_config *c) {
    struct netlist_jobs jobs = {.technology = &x->technology};
    const struct area_options o = area_options_of(x);
    struct error ignored = {0};
    const bool listed = area_list_jobs(&jobs, c, &o, &ignored);
    netlist_jobs_drop_known(&jobs);
    const bool known = listed && jobs.count == 0;
    netlist_jobs_free(&jobs);
    return known;
}

/* Finds the area of a combination in x->area. `wait`: synthesises its blocks. Returns false if it is unknown;
 * with *e (EXIT_USER) if it cannot be computed. */
static bool find_area(struct exploration *x, size_t combination, const struct machine_config *c, bool wait,
                      struct error *e) {
    if (x->area_known && x->area_of == combination && (x->area_found || !wait)) return x->area_found;
    if (x->area_known) area_free(&x->area);
    x->area = (struct area){0};
    x->area_known = true;
    x->area_of = combination;
    const struct area_options o = area_options_of(x);
    x->area_found = (wait || knows_blocks(x, c)) && area_of(&x->area, c, &x->technology, &o, e);
    return x->area_found;
}

static double least_mm2(const struct exploration *x, const struct machine_config *c) {
    const struct area_options o = {.rtl = x->points.tools.rtl, .no_period = true, .no_blocks = true};
    struct area a;
    struct error ignored = {0};
    const double mm2 = area_of(&a, c, &x->technology, &o, &ignored) ? a.mm2 : 0;
    area_free(&a);
    return mm2;
}

double exploration_least_mm2(const struct exploration *x, size_t combination) {
    struct machine_config c;
    struct error ignored = {0};
    return sweep_configure(&x->sweep, combination, &c, &ignored) ? least_mm2(x, &c) : 0;
}

static bool has_field(const struct machine_config *c, const char *name) {
    return config_has_effect(&machine_config_table, c, name);
}

static bool has_tpo(const struct machine_config *c) {
    return has_field(c, "cluster.threads_per_lane");
}

static unsigned n_tpo_of(const struct machine_config *c) {
    return c->l1d.size_bytes / (c->cluster.threads_per_lane * 4);
}

static bool is_too_large(const struct exploration *x, double mm2) {
    return x->sweep.most_mm2 > 0 && mm2 > x->sweep.most_mm2;
}

/* Returns the status of a point whose machine is outside the sweep's limits even without its Verilog; NULL if
 * it may run. */
static const char *constrain(const struct exploration *x, const struct machine_config *c, char message[256]) {
    const struct sweep *s = &x->sweep;
    const char *foreign = s->least_n_tpo && !has_tpo(c)                      ? "n_tpo"
                          : s->memory_ns > 0 && !has_field(c, "mem.latency") ? "memory_ns"
                                                                             : NULL;
    if (foreign) {
        snprintf(message, 256, "%s is for machines with contexts: tpm", foreign);
        return "refused";
    }
    if (s->least_n_tpo && n_tpo_of(c) < s->least_n_tpo) {
        snprintf(message, 256, "n_tpo is %u, at least %u is wanted", n_tpo_of(c), s->least_n_tpo);
        return "constraint";
    }
    const double mm2 = s->most_mm2 > 0 ? least_mm2(x, c) : 0;
    if (!is_too_large(x, mm2)) return NULL;
    snprintf(message, 256, "%.3f mm2 without its Verilog, at most %.3f are wanted", mm2, s->most_mm2);
    return "constraint";
}

/* --- results --- */

/* Removes the results of a machine that turns out to be too large, whether or not its programs have run. */
static void refuse(const struct exploration *x, json_t *row) {
    static const char *const of_run[] = {"cycles",      "time_ns",   "causes",       "command",
                                         "exit_status", "clock_mhz", "memory_cycles"};
    char message[256];
    for (size_t n = 0; n < sizeof of_run / sizeof *of_run; n++) json_object_del(row, of_run[n]);
    for (size_t n = 0; n < ENERGY_SETS; n++) {
        snprintf(message, sizeof message, "energy_nj_%s", energy_sets[n].name);
        json_object_del(row, message);
    }
    snprintf(message, sizeof message, "%.3f mm2, at most %.3f are wanted", x->area.mm2, x->sweep.most_mm2);
    json_object_set_new(row, "status", json_string("constraint"));
    json_object_set_new(row, "message", json_string(message));
}

static bool is_run(const json_t *row) {
    const char *status = json_string_value(json_object_get(row, "status"));
    return status && (strcmp(status, "complete") == 0 || strcmp(status, "failed") == 0 ||
                      strcmp(status, "too large") == 0);
}

json_t *exploration_result(struct exploration *x, size_t point, struct error *e) {
    char key[POINT_KEY];
    struct machine_config c;
    struct error ignored = {0};
    json_t *row = key_of(x, point, key, e) ? point_store_read(&x->points.store, key) : NULL;
    if (!row || x->sweep.area == SWEEP_AREA_OFF || !is_run(row)) return row;
    if (!sweep_configure(&x->sweep, combination_of(x, point), &c, &ignored) ||
        !find_area(x, combination_of(x, point), &c, false, &ignored))
        return row;
    add_area(row, &x->area);
    if (is_too_large(x, x->area.mm2)) refuse(x, row);
    return row;
}

bool exploration_lacks_areas(struct exploration *x) {
    for (size_t n = 0; n < x->sweep.configuration_count && x->sweep.area != SWEEP_AREA_OFF; n++) {
        struct error ignored = {0};
        json_t *row = exploration_result(x, n * x->sweep.program_count, &ignored);
        const bool lacks = is_run(row) && !json_object_get(row, "mm2");
        json_decref(row);
        if (lacks) return true;
    }
    return false;
}

/* Status of a point that failed because of the computer; `message` has the reason. Such a point has no
 * result. */
static const char no_result[] = "no result";

/* Sets clock and memory latency of a point's machine. Returns the status of a point that must not run;
 * otherwise NULL. */
static const char *prepare(struct exploration *x, size_t point, struct machine_config *c, json_t *j,
                           char message[256]) {
    const struct sweep *s = &x->sweep;
    if (has_tpo(c)) json_object_set_new(j, "n_tpo", json_integer(n_tpo_of(c)));
    const char *status = constrain(x, c, message);
    if (status) return status;
    struct error why = {0};
    const bool wants = s->period_from_area || s->most_mm2 > 0;
    const bool found = wants && find_area(x, combination_of(x, point), c, s->period_from_area, &why);
    if (s->period_from_area && !found) {
        snprintf(message, 256, "%.255s", why.message);
        return no_result;
    }
    if (found && is_too_large(x, x->area.mm2)) return "too large"; /* exploration_result() reports the size */
    if (s->period_from_area) c->clock_mhz = (uint32_t)fmax(1, floor(1e3 / x->area.period_ns));
    if (s->memory_ns > 0) c->mem.latency_cycles = (uint32_t)fmax(1, ceil(s->memory_ns * c->clock_mhz * 1e-3));
    json_object_set_new(j, "clock_mhz", json_integer(c->clock_mhz));
    if (has_field(c, "mem.latency"))
        json_object_set_new(j, "memory_cycles", json_integer(c->mem.latency_cycles));
    return NULL;
}

static const char *run_point(struct exploration *x, size_t point, const char *key, struct machine_config *c,
                             json_t *j, char message[256]) {
    char *argv[MAX_ARGUMENTS], *shown[MAX_ARGUMENTS], *options[] = {"--events", NULL};
    char *work = points_begin_work(&x->points, key);
    make_command(x, point, c, work, argv);
    make_command(x, point, c, ".", shown);
    json_object_set_new(j, "command", command_text(shown));
    const struct points_outcome o = points_run(&x->points, key, options, argv + 1);
    json_object_set_new(j, "exit_status", json_integer(o.status));
    if (o.statistics) {
        add_statistics(j, o.statistics);
    } else {
        char *reason = points_reason(&x->points, key, &o);
        snprintf(message, 256, "%.255s", reason);
        free(reason);
    }
    json_decref(o.statistics);
    free_command(argv);
    free_command(shown);
    points_end_work(&x->points, key);
    free(work);
    return o.host_failed ? no_result : o.status ? "failed" : "complete";
}

/* Runs a point and returns its result. If the computer has failed, prints this and returns NULL. */
static json_t *make_result(void *context, size_t point, const char *key, struct error *e) {
    (void)e;
    struct exploration *x = context;
    const struct sweep *s = &x->sweep;
    struct machine_config c;
    struct error why = {0};
    char message[256] = "";
    json_t *fields = json_object(),
           *j = json_pack("{s:s, s:i}", "schema", "lockstep-point", "schema_version", POINT_SCHEMA_VERSION);
    for (size_t f = 0; f < s->field_count; f++)
        json_object_set_new(fields, s->fields[f].name,
                            json_string(s->fields[f].values[sweep_value(s, combination_of(x, point), f)]));
    json_object_set_new(j, "fields", fields);
    json_object_set_new(j, "program", json_string(program_of(x, point)->text));
    json_object_set_new(j, "origin", origin_now(x->points.self));
    const char *status = NULL;
    if (!sweep_configure(s, combination_of(x, point), &c, &why)) {
        status = "refused";
        snprintf(message, sizeof message, "%.255s", why.message);
    }
    if (!status) status = prepare(x, point, &c, j, message);
    if (!status) status = run_point(x, point, key, &c, j, message);
    json_object_set_new(j, "status", json_string(status));
    json_t *text = json_string(message);
    json_object_set_new(j, "message", text ? text : json_string("(not UTF-8)"));
    if (status != no_result) return j;
    fprintf(stderr, "lockstep: point %zu has no result, since this computer failed: %s\n", point, message);
    json_decref(j);
    return NULL;
}

/* --- blocks --- */

static bool block_key(void *context, size_t block, char key[POINT_KEY], struct error *e) {
    (void)e;
    snprintf(key, POINT_KEY, "%s", ((struct exploration *)context)->blocks.job[block].hash);
    return true;
}

/* Synthesises a block. Returns NULL if another command is synthesising it. */
static json_t *make_block(void *context, size_t block, const char *key, struct error *e) {
    struct exploration *x = context;
    const struct netlist_job *job = &x->blocks.job[block];
    struct netlist_result result;
    (void)key;
    if (!netlist_jobs_make(&x->blocks, block, &result, e)) return NULL;
    json_t *j = netlist_result_json(&result);
    json_object_set_new(j, "schema", json_string("lockstep-netlist"));
    json_object_set_new(j, "module", json_string(job->request.top));
    json_object_set_new(j, "parameters", json_string(result.parameters));
    return j;
}

static bool make_blocks(void *context, struct error *e) {
    struct exploration *x = context;
    const struct points_list l = {
        .points = &x->points, .count = x->blocks.count, .context = x, .key = block_key, .make = make_block};
    return points_work(&l, 0, e);
}

bool exploration_collect_blocks(struct exploration *x, struct error *e) {
    bool good = true;
    for (size_t n = 0; good && n < x->blocks.count; n++) {
        struct netlist_result result;
        const struct netlist_request *r = &x->blocks.job[n].request;
        json_t *j = point_store_read(&x->points.store, x->blocks.job[n].hash);
        if (j) netlist_keep(r, &x->technology, j);
        json_decref(j);
        good = netlist_make(r, &x->technology, NULL, &result, e);
    }
    if (x->area_known) area_free(&x->area);
    x->area_known = false;
    return good;
}

static bool list_blocks(struct exploration *x, struct error *e) {
    const struct area_options o = area_options_of(x);
    bool good = true;
    netlist_jobs_free(&x->blocks);
    x->blocks.technology = &x->technology;
    for (size_t n = 0; good && n < x->sweep.configuration_count; n++) {
        struct machine_config c;
        struct error ignored = {0};
        char message[256];
        if (sweep_configure(&x->sweep, x->sweep.configurations[n], &c, &ignored) &&
            !constrain(x, &c, message))
            good = area_list_jobs(&x->blocks, &c, &o, e);
    }
    netlist_jobs_drop_known(&x->blocks);
    netlist_jobs_share(&x->blocks);
    return good;
}

bool exploration_list(struct exploration *x, struct points_list *l, struct error *e) {
    const bool areas = x->sweep.area != SWEEP_AREA_OFF;
    if (areas && !list_blocks(x, e)) return false;
    *l = (struct points_list){.points = &x->points,
                              .count = exploration_points(x),
                              .context = x,
                              .key = key_of,
                              .make = make_result,
                              .before = areas && x->sweep.period_from_area ? make_blocks : NULL,
                              .after = areas && !x->sweep.period_from_area ? make_blocks : NULL};
    return true;
}
