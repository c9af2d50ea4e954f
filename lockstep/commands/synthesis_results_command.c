/* `lockstep synthesis-results`: the results of synthesis that are shipped (synthesis/shipped_results.h). */
#include "lockstep/commands/arguments.h"
#include "lockstep/commands/command.h"
#include "lockstep/run/machine_options.h"
#include "lockstep/explore/points.h"
#include "lockstep/output/progress.h"
#include "lockstep/explore/sweep.h"
#include "lockstep/explore/synthesis_workers.h"
#include "sim/part.h"
#include "synthesis/area.h"
#include "synthesis/shipped_results.h"

#include <stdlib.h>
#include <string.h>

enum { KEY_CHECK = 256, KEY_JOBS };

struct options {
    char **files;
    unsigned count, jobs;
    bool check;
};

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct options *o = state->input;
    switch (key) {
    case KEY_CHECK: o->check = true; return 0;
    case KEY_JOBS:
        if (!(o->jobs = points_parse_jobs(argument)))
            argp_error(state, "--jobs %s: a number from 1 to %d is needed", argument, POINTS_MOST_JOBS);
        return 0;
    case ARGP_KEY_ARGS:
        o->files = state->argv + state->next;
        o->count = (unsigned)(state->argc - state->next);
        return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, "which machines? Configurations or sweeps are needed"); return 0;
    case ARGP_KEY_END:
        if (!o->jobs) o->jobs = points_default_jobs();
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option option_table[] = {
    {"check", KEY_CHECK, NULL, 0, "Only print the blocks without a result", 0},
    {"jobs", KEY_JOBS, "N", 0, "Blocks that are synthesised at a time (default: one a processor)", 0},
    {0},
};

static const struct argp synthesis_results_argp = {
    .options = option_table,
    .parser = parse_option,
    .args_doc = "CONFIGURATION.yaml|SWEEP.yaml...",
    .doc = "Synthesises every block of these machines that has no shipped result, and writes all results to "
           "rtl/results.json, where `area` and `explore` find them."
           "\v"
           "Results are kept in the cache when they are made: after Ctrl-C the same command goes on. "
           "`make synthesis-results` calls this command for all machines and explorations of Lockstep.",
};

/* --- the machines --- */

static bool is_sweep(const char *path) {
    char *line = NULL;
    size_t capacity = 0;
    bool found = false;
    FILE *in = fopen(path, "r");
    while (in && !found && getline(&line, &capacity, in) >= 0) found = strncmp(line, "programs:", 9) == 0;
    free(line);
    if (in) fclose(in);
    return found;
}

/* Returns whether a machine exceeds the sweep's area limit even without its Verilog; explore skips such
 * machines. */
static bool is_too_large(const struct sweep *s, const struct machine_config *c, const struct technology *t,
                         struct area_options o) {
    struct area a = {0};
    struct error ignored = {0};
    o.no_period = o.no_blocks = true;
    const bool large = s->most_mm2 > 0 && area_of(&a, c, t, &o, &ignored) && a.mm2 > s->most_mm2;
    area_free(&a);
    return large;
}

static bool add_sweep(struct netlist_jobs *jobs, const char *path, struct area_options o, struct error *e) {
    struct sweep s;
    bool good = sweep_read(&s, path, e);
    o.effort = s.area == SWEEP_AREA_FULL ? SYNTHESIS_FULL : SYNTHESIS_FAST;
    o.no_period = !s.period_from_area;
    for (size_t n = 0; good && s.area != SWEEP_AREA_OFF && n < s.configuration_count; n++) {
        struct machine_config c;
        struct error refused = {0};
        if (sweep_configure(&s, s.configurations[n], &c, &refused) &&
            !is_too_large(&s, &c, jobs->technology, o))
            good = area_list_jobs(jobs, &c, &o, e);
    }
    sweep_free(&s);
    return good;
}

static bool add_machines(struct netlist_jobs *jobs, const struct options *o, const char *rtl,
                         struct error *e) {
    const struct area_options options = {.rtl = rtl};
    for (unsigned n = 0; n < o->count; n++) {
        struct machine_config c;
        config_defaults(&machine_config_table, &c);
        const bool good = is_sweep(o->files[n]) ? add_sweep(jobs, o->files[n], options, e)
                                                : machine_options_read(&c, o->files[n], e) &&
                                                      config_check(&machine_config_table, &c, e) &&
                                                      area_list_jobs(jobs, &c, &options, e);
        if (!good) return false;
    }
    return true;
}

/* --- the file --- */

static bool is_shipped(const struct netlist_job *job) {
    return shipped_results_find(job->request.folder, job->hash) != NULL;
}

static int by_module(const void *a, const void *b) {
    const struct netlist_job *x = *(const struct netlist_job *const *)a,
                             *y = *(const struct netlist_job *const *)b;
    const int module = strcmp(x->request.top, y->request.top);
    if (module) return module;
    const int parameters = strcmp(x->result.parameters, y->result.parameters);
    return parameters ? parameters : strcmp(x->hash, y->hash);
}

/* Writes a line for each job that has a result. */
static bool write_results(const struct netlist_jobs *jobs, const char *rtl, struct error *e) {
    const struct netlist_job **sorted = calloc(jobs->count + 1, sizeof *sorted);
    struct part part;
    char path[PATH_MAX + 32];
    require_memory(sorted);
    for (size_t n = 0; n < jobs->count; n++) sorted[n] = &jobs->job[n];
    qsort(sorted, jobs->count, sizeof *sorted, by_module);
    snprintf(path, sizeof path, "%s/%s", rtl, SHIPPED_RESULTS_FILE);
    const bool opened = part_open(&part, path, e);
    const char *comma = "[";
    for (size_t n = 0; opened && n < jobs->count; n++) {
        struct netlist_result result;
        enum netlist_state state;
        char hash[SYNTHESIS_HASH];
        const struct netlist_request *r = &sorted[n]->request;
        if (!netlist_find(r, jobs->technology, &result, hash, &state, e) || state != NETLIST_KNOWN) continue;
        json_t *j = json_pack("{s:s, s:s, s:s}", "module", r->top, "parameters", result.parameters, "key",
                              hash),
               *figures = netlist_result_json(&result);
        if (!r->stages) json_object_del(figures, "stages");
        json_object_update(j, figures);
        char *line = json_dumps(j, JSON_COMPACT | JSON_REAL_PRECISION(9));
        require_memory(line);
        fprintf(part.file, "%s\n%s", comma, line);
        comma = ",";
        free(line);
        json_decref(figures);
        json_decref(j);
    }
    free(sorted);
    if (opened) fprintf(part.file, "%s\n]\n", *comma == '[' ? "[" : "");
    return opened && part_finish(&part, e);
}

static size_t print_missing(const struct netlist_jobs *jobs) {
    size_t missing = 0;
    for (size_t n = 0; n < jobs->count; n++) {
        if (is_shipped(&jobs->job[n])) continue;
        printf("%s %s: no shipped result\n", jobs->job[n].request.top, jobs->job[n].result.parameters);
        missing++;
    }
    if (missing)
        printf("%zu of %zu blocks have no shipped result: make synthesis-results\n", missing, jobs->count);
    return missing;
}

/* --- the whole --- */

static bool make_results(const struct options *o, const char *rtl, const struct technology *t,
                         struct error *e) {
    struct netlist_jobs all = {.technology = t}, missing = {.technology = t};
    struct error unmade = {0};
    bool good = add_machines(&all, o, rtl, e);
    if (good && o->check) {
        print_missing(&all);
    } else if (good) {
        progress_begin(false, PROGRESS_SECONDS);
        good = add_machines(&missing, o, rtl, e);
        const bool made = good && synthesis_workers_run(&missing, o->jobs, &unmade);
        progress_end();
        good = good && write_results(&all, rtl, e);
        if (good && !made) good = error_set(e, unmade.status, "%s", unmade.message);
    }
    netlist_jobs_free(&all);
    netlist_jobs_free(&missing);
    return good;
}

static int command(int argc, char **argv) {
    struct options o = {0};
    struct error e = {0};
    struct tools tools;
    struct technology t = {0};
    arguments_parse(&synthesis_results_argp, argc, argv, 0, &o);
    const bool good =
        tools_find(&tools, &e) && technology_read(&t, NULL, NULL, &e) && make_results(&o, tools.rtl, &t, &e);
    technology_free(&t);
    return good ? EXIT_SOUND : command_fail(&e);
}

const struct command_row command_synthesis_results = {170, "make the results of synthesis that are shipped",
                                                      command};
