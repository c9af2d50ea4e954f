#include "lockstep/explore/searches.h"

#include "lockstep/explore/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SEARCHES = 100, STEP = 16, MAX_FIELDS = 64 };
#define WANTED 0.99
#define BEYOND 0.1 /* distance of the reference point, as a share of the front's extent */

struct space {
    struct sweep sweep; /* only the numbers of values of fields are used */
    struct sweep_field fields[MAX_FIELDS];
    size_t counts[MAX_FIELDS];
    struct genetic_individual *machines; /* machines in the order of combinations */
    size_t count, programs;
    double reference[2], wanted; /* hypervolume to be reached */
};

/* --- the whole space --- */

/* Returns the number of values of a field in all points. */
static size_t count_values(const json_t *points, const char *field) {
    json_t *seen = json_object(), *row;
    size_t n;
    json_array_foreach(points, n, row) {
        const char *value = json_string_value(json_object_get(json_object_get(row, "fields"), field));
        json_object_set_new(seen, value ? value : "", json_true());
    }
    n = json_object_size(seen);
    json_decref(seen);
    return n;
}

static size_t count_programs(const json_t *points) {
    const json_t *first = json_object_get(json_array_get(points, 0), "fields");
    size_t n = 0;
    while (n < json_array_size(points) &&
           json_equal(first, json_object_get(json_array_get(points, n), "fields")))
        n++;
    return n;
}

static bool read_fields(struct space *s, const char *folder, const json_t *points, struct error *e) {
    json_t *fields = json_object_get(json_array_get(points, 0), "fields"), *value;
    const char *name;
    s->count = 1;
    s->sweep.fields = s->fields;
    if (json_object_size(fields) > MAX_FIELDS)
        return error_set(e, EXIT_USER, "%s: there are more than %d fields", folder, MAX_FIELDS);
    json_object_foreach(fields, name, value) {
        const size_t count = s->counts[s->sweep.field_count] = count_values(points, name);
        s->fields[s->sweep.field_count++].count = count;
        if (__builtin_mul_overflow(s->count, count, &s->count)) s->count = SIZE_MAX / 2;
    }
    s->programs = count_programs(points);
    if (s->programs && json_array_size(points) % s->programs == 0 &&
        json_array_size(points) / s->programs == s->count)
        return true;
    return error_set(
        e, EXIT_USER,
        "%s: this is not the whole of a space (%zu points, %zu combinations of values): searches are "
        "compared on an exploration without sample",
        folder, json_array_size(points), s->count);
}

/* Computes geometric means over the programs. Points are sorted by combination, then by program. */
static void read_machine(struct space *s, const json_t *points, size_t combination, bool areas) {
    double logarithms[2] = {0};
    bool complete = true;
    for (size_t p = 0; p < s->programs; p++) {
        const json_t *row = json_array_get(points, combination * s->programs + p);
        const char *status = json_string_value(json_object_get(row, "status"));
        complete &= status && strcmp(status, "complete") == 0;
        logarithms[0] += log(json_number_value(json_object_get(row, "time_ns")));
        logarithms[1] += log(json_number_value(json_object_get(row, areas ? "mm2" : "energy_nj_horowitz")));
    }
    complete &= isfinite(logarithms[0]) && isfinite(logarithms[1]);
    s->machines[combination].combination = combination;
    for (unsigned k = 0; k < 2; k++)
        s->machines[combination].objective[k] =
            complete ? exp(logarithms[k] / (double)s->programs) : INFINITY;
}

static bool have_areas(const json_t *points) {
    const json_t *row;
    size_t n;
    json_array_foreach(points, n, row) if (json_object_get(row, "mm2")) return true;
    return false;
}

/* --- hypervolume --- */

static int by_objectives(const void *a, const void *b) {
    const double *x = ((const struct genetic_individual *)a)->objective,
                 *y = ((const struct genetic_individual *)b)->objective;
    if (x[0] != y[0]) return x[0] < y[0] ? -1 : 1;
    return (x[1] > y[1]) - (x[1] < y[1]);
}

double searches_hypervolume(struct genetic_individual *individuals, size_t count, const double reference[2]) {
    double volume = 0, least = reference[1];
    qsort(individuals, count, sizeof *individuals, by_objectives);
    for (size_t n = 0; n < count && individuals[n].objective[0] < reference[0]; n++) {
        if (individuals[n].objective[1] >= least) continue;
        volume += (reference[0] - individuals[n].objective[0]) * (least - individuals[n].objective[1]);
        least = individuals[n].objective[1];
    }
    return volume;
}

/* Finds the reference point and the wanted hypervolume. Returns false if no machine is complete. */
static bool measure(struct space *s) {
    struct genetic_member *best = calloc(s->count + 1, sizeof *best);
    struct genetic_individual *all = calloc(s->count + 1, sizeof *all);
    double least[2] = {INFINITY, INFINITY}, most[2] = {-INFINITY, -INFINITY};
    require_memory(best && all);
    const size_t count = genetic_select(s->machines, s->count, s->count, best);
    for (size_t n = 0; n < count && best[n].rank == 0; n++)
        for (unsigned k = 0; k < 2; k++) {
            least[k] = fmin(least[k], best[n].individual.objective[k]);
            most[k] = fmax(most[k], best[n].individual.objective[k]);
        }
    const bool complete = isfinite(least[0]);
    /* A front of one machine has no extent. */
    for (unsigned k = 0; k < 2; k++)
        s->reference[k] = most[k] + BEYOND * (most[k] > least[k] ? most[k] - least[k] : most[k]);
    memcpy(all, s->machines, s->count * sizeof *all);
    s->wanted = complete ? WANTED * searches_hypervolume(all, s->count, s->reference) : 0;
    free(all);
    free(best);
    return complete;
}

/* --- searches --- */

static bool is_good(const struct space *s, struct genetic_individual *found) {
    for (size_t n = 0; n < s->sweep.configuration_count; n++)
        found[n] = s->machines[s->sweep.configurations[n]];
    return searches_hypervolume(found, s->sweep.configuration_count, s->reference) >= s->wanted;
}

/* Tries samples of 16, 32, … points. Returns the number of machines in the first good one. */
static size_t run_samples(struct space *s, struct genetic_individual *found, struct error *e) {
    for (s->sweep.sample_points = STEP; s->sweep.sample_points < 16 * s->count;
         s->sweep.sample_points += STEP)
        if (!sweep_choose(&s->sweep, e) || is_good(s, found)) break;
    return s->sweep.configuration_count;
}

static size_t run_genetic(struct space *s, struct genetic_individual *found, struct error *e) {
    const struct genetic_space space = {.counts = s->counts, .fields = s->sweep.field_count};
    size_t next[STEP], chosen = 1;
    s->sweep.population = STEP;
    /* If the sample had as many points as the space, the first generation would be the whole space. */
    s->sweep.sample_points = s->count > STEP ? s->count - 1 : s->count;
    if (!sweep_choose(&s->sweep, e)) return 0;
    while (chosen && !is_good(s, found)) {
        chosen = genetic_next(&space, found, s->sweep.configuration_count, STEP, s->sweep.seed, next);
        if (chosen) sweep_add(&s->sweep, next, chosen);
    }
    return s->sweep.configuration_count;
}

static int ascending(const void *a, const void *b) {
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

static bool print_kind(struct space *s, const char *name, enum sweep_sample kind, FILE *out,
                       struct error *e) {
    size_t machines[SEARCHES];
    struct genetic_individual *found = calloc(16 * s->count + STEP, sizeof *found);
    require_memory(found);
    s->sweep.sample = kind;
    for (unsigned n = 0; n < SEARCHES; n++) {
        s->sweep.seed = n + 1;
        machines[n] = kind == SWEEP_GENETIC ? run_genetic(s, found, e) : run_samples(s, found, e);
    }
    free(found);
    if (e->status != EXIT_SOUND) return false;
    qsort(machines, SEARCHES, sizeof *machines, ascending);
    const size_t half = machines[SEARCHES / 2 - 1], most = machines[SEARCHES * 9 / 10 - 1];
    fprintf(out, "| `%s` | %zu | %.1f %% | %zu | %.1f %% |\n", name, half,
            100 * (double)half / (double)s->count, most, 100 * (double)most / (double)s->count);
    return true;
}

bool searches_print(const char *folder, const json_t *points, FILE *out, struct error *e) {
    struct space s = {0};
    s.sweep.path = (char *)folder;
    if (!read_fields(&s, folder, points, e)) return false;
    const bool areas = have_areas(points);
    s.machines = calloc(s.count + 1, sizeof *s.machines);
    require_memory(s.machines);
    for (size_t n = 0; n < s.count; n++) read_machine(&s, points, n, areas);
    bool good =
        measure(&s) ||
        error_set(e, EXIT_USER, "%s: no machine has completed all programs: there is no front", folder);
    if (good) {
        fputs("| sample | half of 100 searches | of the space | 90 of 100 searches | of the space |\n"
              "|---|---|---|---|---|\n",
              out);
        good = print_kind(&s, "random", SWEEP_RANDOM, out, e) &&
               print_kind(&s, "latin_hypercube", SWEEP_LATIN_HYPERCUBE, out, e) &&
               print_kind(&s, "genetic", SWEEP_GENETIC, out, e);
    }
    free(s.sweep.configurations);
    free(s.machines);
    return good;
}
