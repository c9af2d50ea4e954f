#include "lockstep/figures/figures_run.h"

#include <stdlib.h>
#include <string.h>

static json_t *get(const json_t *j, const char *name) {
    return json_object_get(j, name);
}

/* --- what is stored --- */

/* Removes rows whose `field` is 0, and descriptions from the others. */
static void trim(json_t *rows, const char *field) {
    for (size_t n = json_array_size(rows); n-- > 0;) {
        json_t *row = json_array_get(rows, n);
        json_object_del(row, "unit");
        json_object_del(row, "description");
        if (json_number_value(get(row, field)) == 0) json_array_remove(rows, n);
    }
}

json_t *figures_run_trim(json_t *statistics) {
    json_object_del(statistics, "host");
    json_object_del(statistics, "ratios");
    trim(get(statistics, "counters"), "value");
    trim(get(statistics, "histograms"), "total");
    return statistics;
}

/* --- reading --- */

static void read_launch(struct launch_record *l, const json_t *j) {
    l->kernel = (char *)json_string_value(get(j, "kernel"));
    l->result.cycles = (uint64_t)json_integer_value(get(j, "cycles"));
    l->thread_instructions = (uint64_t)json_integer_value(get(j, "thread_instructions"));
    l->vectors = (uint32_t)json_integer_value(get(j, "vector_registers"));
    l->scalars = (uint32_t)json_integer_value(get(j, "scalar_registers"));
    l->code_instructions = (uint32_t)json_integer_value(get(j, "code_instructions"));
    l->code_scalars = (uint32_t)json_integer_value(get(j, "code_scalar_instructions"));
}

void figures_run_read(struct figures_run *r, json_t *statistics) {
    const json_t *counters = get(statistics, "counters"), *launches = get(statistics, "launches");
    *r = (struct figures_run){.statistics = statistics,
                              .counter_count = json_array_size(counters),
                              .launch_count = json_array_size(launches)};
    r->counters = calloc(r->counter_count + 1, sizeof *r->counters);
    r->launches = calloc(r->launch_count + 1, sizeof *r->launches);
    require_memory(r->counters && r->launches);
    for (size_t n = 0; n < r->counter_count; n++) {
        const json_t *j = json_array_get(counters, n);
        r->counters[n] =
            (struct figures_counter){json_string_value(get(j, "scope")), json_string_value(get(j, "name")),
                                     json_number_value(get(j, "value"))};
    }
    for (size_t n = 0; n < r->launch_count; n++) read_launch(&r->launches[n], json_array_get(launches, n));
    r->cycles = (uint64_t)json_integer_value(get(get(statistics, "totals"), "cycles"));
}

void figures_run_free(struct figures_run *r) {
    free(r->counters);
    free(r->launches);
    json_decref(r->statistics);
}

static bool ends_in(const char *text, const char *suffix) {
    const size_t length = strlen(text), n = strlen(suffix);
    return length >= n && strcmp(text + length - n, suffix) == 0;
}

double figures_run_sum(const struct figures_run *r, const char *suffix, const char *name) {
    double sum = 0;
    for (const struct figures_counter *c = r->counters; c < r->counters + r->counter_count; c++)
        if (strcmp(c->name, name) == 0 && ends_in(c->scope, suffix)) sum += c->value;
    return sum;
}

double figures_run_counted(const struct figures_run *r, const char *name, unsigned from, unsigned to) {
    double sum = 0;
    size_t n, k;
    json_t *histogram, *bucket;
    json_array_foreach(get(r->statistics, "histograms"), n, histogram) {
        if (strcmp(json_string_value(get(histogram, "name")), name) != 0) continue;
        json_array_foreach(get(histogram, "buckets"), k, bucket) {
            const json_int_t value = json_integer_value(get(bucket, "from"));
            if (value >= from && value <= to) sum += json_number_value(get(bucket, "count"));
        }
    }
    return sum;
}

double figures_run_lane(const struct figures_run *r, size_t interval, size_t group) {
    const json_t *rows = get(get(r->statistics, "lanes_over_time"), "thread_instructions");
    return json_number_value(json_array_get(json_array_get(rows, interval), group));
}
