#include "lockstep/run/stats.h"

#include "lockstep/rtl/rtl_report.h"
#include "model/sm/sm_lanes.h"
#include "runtime/mode_choice.h"
#include "sim/part.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct stats_file {
    struct part part;
    /* Prints only the counters; NULL: the whole document as JSON. */
    void (*print)(const struct counter_registry *r, const uint64_t *values, FILE *out);
};

static bool ends_in(const char *path, const char *ending) {
    const size_t length = strlen(path), n = strlen(ending);
    return length > n && strcmp(path + length - n, ending) == 0;
}

struct stats_file *stats_open(const char *path, struct error *e) {
    struct error why = {0};
    struct stats_file *s = calloc(1, sizeof *s);
    require_memory(s);
    s->print = ends_in(path, ".csv") ? counter_print_csv : ends_in(path, ".txt") ? counter_print_table : NULL;
    if (part_open(&s->part, path, &why)) return s;
    error_set(e, why.status, "--stats %s: %s", path, why.message);
    free(s);
    return NULL;
}

void stats_begin(struct stats_file *s) {
    unlink(s->part.path);
}

static json_t *number(uint64_t n) {
    return json_integer((json_int_t)n);
}

json_t *stats_configuration(const struct machine_config *c) {
    json_t *fields = json_object();
    for (size_t i = 0; i < machine_config_table.count; i++) {
        const struct config_field *f = &machine_config_table.fields[i];
        uint32_t value;
        memcpy(&value, (const char *)c + f->offset, sizeof value);
        json_t *j = f->type == CONFIG_CHOICE ? json_string(f->choices[value])
                    : f->type == CONFIG_FLAG ? json_boolean(value)
                                             : number(value);
        json_object_set_new(fields, f->name, j);
    }
    return fields;
}

/* Returns an object with the causes that the machine can have. */
static json_t *causes(const uint64_t *cause, bool schedulers) {
    json_t *j = json_object();
    for (unsigned c = 0; c < MACHINE_CAUSE_COUNT; c++)
        if (machine_cause_is_of(schedulers, c))
            json_object_set_new(j, machine_cause_name[c], number(cause[c]));
    return j;
}

static json_t *sizes(const uint32_t size[3]) {
    return json_pack("[I, I, I]", (json_int_t)size[0], (json_int_t)size[1], (json_int_t)size[2]);
}

/* Returns the reasons of mode auto. */
static json_t *choice(const struct machine_choice *c) {
    json_t *features = json_object();
    for (unsigned n = 0; n < MODE_FEATURES_ALL; n++)
        json_object_set_new(features, mode_feature_name[n], json_real(c->feature[n]));
    return json_pack("{sf ss so}", "expected_ratio", exp(c->gain), "reason", c->reason, "features", features);
}

static json_t *launch(const struct launch_record *l, bool schedulers) {
    const struct machine_result *r = &l->result;
    json_t *j = json_object();
    json_object_set_new(j, "kernel", json_string(l->kernel));
    json_object_set_new(j, "whole", json_boolean(l->whole));
    json_object_set_new(j, "work_dim", number(l->work_dim));
    json_object_set_new(j, "global_size", sizes(l->global_size));
    json_object_set_new(j, "local_size", sizes(l->local_size));
    json_object_set_new(j, "work_groups", number(r->work_groups));
    json_object_set_new(j, "work_items", number(r->work_items));
    json_object_set_new(j, "first_cycle", number(r->first_cycle));
    json_object_set_new(j, "cycles", number(r->cycles));
    json_object_set_new(j, "start_ps", number(r->start));
    json_object_set_new(j, "end_ps", number(r->end));
    json_object_set_new(j, "warp_instructions", number(l->warp_instructions));
    json_object_set_new(j, "thread_instructions", number(l->thread_instructions));
    json_object_set_new(j, "core_instructions", number(l->core_instructions));
    json_object_set_new(j, "mode", json_string(r->mode == MODE_MIMD ? "mimd" : "simt"));
    if (l->chosen) json_object_set_new(j, "choice", choice(&l->choice));
    json_object_set_new(j, "unit_cycles", number(r->cycles * r->units));
    json_object_set_new(j, "cycles_by_cause", causes(r->cause, schedulers));
    if (l->code_instructions == 0) return j;
    json_object_set_new(j, "vector_registers", number(l->vectors));
    json_object_set_new(j, "scalar_registers", number(l->scalars));
    json_object_set_new(j, "code_instructions", number(l->code_instructions));
    json_object_set_new(j, "code_scalar_instructions", number(l->code_scalars));
    return j;
}

static json_t *launches(const struct run_record *r) {
    const bool schedulers = contexts_kind(machine_configuration(r->machine))->scheduler_cycles;
    json_t *j = json_array();
    for (size_t i = 0; i < r->launch_count; i++)
        json_array_append_new(j, launch(&r->launches[i], schedulers));
    return j;
}

static json_t *totals(const struct run_totals *t) {
    json_t *j = json_object();
    json_object_set_new(j, "cycles", number(t->cycles));
    json_object_set_new(j, "time_ps", number(t->time));
    json_object_set_new(j, "work_groups", number(t->work_groups));
    json_object_set_new(j, "work_items", number(t->work_items));
    json_object_set_new(j, "unit_cycles", number(t->unit_cycles));
    json_object_set_new(j, "cycles_by_cause", causes(t->cause, t->scheduler_cycles));
    return j;
}

/* Returns the record of the first cluster's last launch: rows are intervals, columns lane groups. */
static json_t *lanes_over_time(const struct sm_lanes *l) {
    json_t *rows = json_array();
    for (size_t n = 0; n < l->intervals; n++) {
        json_t *row = json_array();
        for (unsigned g = 0; g < l->groups; g++) json_array_append_new(row, number(l->over_time[n][g]));
        json_array_append_new(rows, row);
    }
    return json_pack("{s:I, s:o}", "cycles", (json_int_t)l->interval, "thread_instructions", rows);
}

/* Adds the objects "counters", "ratios" and "histograms" of the registry. */
static void add_counters(json_t *document, const struct run_record *r) {
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    require_memory(out);
    counter_print_json(machine_counters(r->machine), r->values, out);
    fclose(out);
    json_t *j = json_loads(text, 0, NULL);
    invariant(j, "counters are printed as no JSON");
    json_object_update(document, j);
    json_decref(j);
    free(text);
}

/* Adds "…_per_second" of a count, by wall-clock and CPU time. */
static void add_rates(json_t *j, const char *name, uint64_t count, const struct run_totals *t) {
    char field[64];
    if (t->host_seconds > 0) {
        snprintf(field, sizeof field, "%s_per_second", name);
        json_object_set_new(j, field, json_real((double)count / t->host_seconds));
    }
    if (t->host_cpu_seconds > 0) {
        snprintf(field, sizeof field, "%s_per_cpu_second", name);
        json_object_set_new(j, field, json_real((double)count / t->host_cpu_seconds));
    }
}

static json_t *host(const struct run_record *r, const struct run_totals *t) {
    json_t *seconds = json_array(), *cpu_seconds = json_array();
    for (size_t i = 0; i < r->launch_count; i++) {
        json_array_append_new(seconds, json_real(r->launches[i].result.host_seconds));
        json_array_append_new(cpu_seconds, json_real(r->launches[i].result.host_cpu_seconds));
    }
    json_t *j =
        json_pack("{s:f, s:f, s:o, s:o}", "seconds_simulating", t->host_seconds, "cpu_seconds_simulating",
                  t->host_cpu_seconds, "launch_seconds", seconds, "launch_cpu_seconds", cpu_seconds);
    add_rates(j, "thread_instructions", run_record_sum(r, "", "thread_instructions"), t);
    add_rates(j, "core_instructions", run_record_sum(r, "", "scalar_instructions"), t);
    return j;
}

json_t *stats_text(const char *t) {
    json_t *j = json_string(t);
    return j ? j : json_string("(not UTF-8)");
}

static json_t *program(char *const *argv) {
    json_t *j = json_array();
    for (; *argv; argv++) json_array_append_new(j, stats_text(*argv));
    return j;
}

struct stats_facts stats_facts(const struct simulation *s, char *const *argv) {
    return (struct stats_facts){.outcome = s->outcome.name,
                                .exit_status = s->status,
                                .message = s->error.status ? s->error.message : NULL,
                                .argv = argv,
                                .sound = s->outcome.sound,
                                .events = s->counts_events ? &s->events : NULL};
}

json_t *stats_document(const struct stats_facts *facts, const struct run_record *r) {
    struct run_totals t = run_record_totals(r);
    json_t *j = json_object();
    json_object_set_new(j, "schema", json_string("lockstep-stats"));
    json_object_set_new(j, "schema_version", number(STATS_SCHEMA_VERSION));
    json_object_set_new(j, "outcome", json_string(facts->outcome));
    json_object_set_new(j, "exit_status", json_integer(facts->exit_status));
    if (facts->message) json_object_set_new(j, "message", stats_text(facts->message));
    json_object_set_new(j, "program", program(facts->argv));
    json_object_set_new(j, "configuration", stats_configuration(machine_configuration(r->machine)));
    json_object_set_new(j, "totals", totals(&t));
    json_object_set_new(j, "launches", launches(r));
    add_counters(j, r);
    const struct sm_lanes *lanes = machine_lanes_over_time(r->machine);
    if (lanes) json_object_set_new(j, "lanes_over_time", lanes_over_time(lanes));
    if (facts->events) json_object_set_new(j, "events", events_document(facts->events));
    if (facts->twins) json_object_set_new(j, "rtl", rtl_report_json(facts->twins));
    json_object_set_new(j, "host", host(r, &t));
    return j;
}

static void write_json(FILE *out, const struct stats_facts *facts, const struct run_record *r) {
    json_t *j = stats_document(facts, r);
    json_dumpf(j, out, JSON_INDENT(2));
    fputc('\n', out);
    json_decref(j);
}

bool stats_write(struct stats_file *s, const struct stats_facts *facts, const struct run_record *r,
                 struct error *e) {
    struct error why = {0};
    if (s->print)
        s->print(machine_counters(r->machine), r->values, s->part.file);
    else
        write_json(s->part.file, facts, r);
    const bool written = facts->sound ? part_finish(&s->part, &why) : part_leave(&s->part, &why);
    free(s);
    return written || error_set(e, why.status, "--stats: %s", why.message);
}

void stats_abandon(struct stats_file *s) {
    part_abandon(&s->part);
    free(s);
}
