#include "lockstep/output/comparison.h"

#include "lockstep/output/report.h"
#include "lockstep/run/stats.h"
#include "lockstep/output/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void comparison_fill(struct comparison_row *row, const struct simulation *s, char *const *argv) {
    const struct run_record *r = &s->record;
    const struct run_totals t = run_record_totals(r);
    const struct machine_config *c = machine_configuration(s->machine);
    const struct stats_facts facts = stats_facts(s, argv);
    const uint64_t warp = run_record_sum(r, "", "warp_instructions");
    *row = (struct comparison_row){
        .name = row->name,
        .ran = true,
        .cycles = t.cycles,
        .time = t.time,
        .instructions = (c->mode == MODE_SIMT ? 0 : t.kernel_instructions) +
                        (c->mode == MODE_MIMD ? 0 : run_record_sum(r, "", "thread_instructions")),
        .memory_instructions = run_record_sum(r, "", "memory_instructions"),
        .warp_instructions = warp,
        .lane_slots = t.mixed ? 0 : warp * c->simt.warp_size, /* not defined for a mix of modes */
        .l2_misses = run_record_sum(r, "l2", "misses"),
        .without_work = t.unit_cycles ? (double)t.cause[MACHINE_CAUSE_NO_GROUP] / (double)t.unit_cycles : 0,
        .outcome = s->outcome.name,
        .exit_status = s->status,
        .document = stats_document(&facts, r),
    };
}

/* Returns the simulated time of the first row divided by that of row i; 0 if one of the two failed or took no
 * time. */
static double speedup_of(const struct comparison *c, size_t i) {
    const struct comparison_row *first = &c->rows[0], *row = &c->rows[i];
    const bool sound = first->ran && row->ran && !first->exit_status && !row->exit_status;
    return sound && row->time ? (double)first->time / (double)row->time : 0;
}

int comparison_status(const struct comparison *c, size_t count) {
    for (size_t p = 0; p < count; p++)
        for (size_t i = 0; i < c[p].count; i++)
            if (c[p].rows[i].exit_status) return c[p].rows[i].exit_status;
    return 0;
}

void comparison_free(struct comparison *c) {
    for (size_t i = 0; i < c->count; i++) json_decref(c->rows[i].document);
    free(c->rows);
}

/* Returns the geometric mean of a variant's simulated times, in ps; 0 if it failed with a program. */
static double mean_time(const struct comparison *c, size_t count, size_t i) {
    double sum = 0;
    for (size_t p = 0; p < count; p++) {
        const struct comparison_row *row = &c[p].rows[i];
        if (!row->ran || row->exit_status || !row->time) return 0;
        sum += log((double)row->time);
    }
    return exp(sum / (double)count);
}

/* Returns the speed-up of a variant's mean over that of the first; 0 if one of the two is unknown. */
static double mean_speedup(const struct comparison *c, size_t count, size_t i) {
    const double first = mean_time(c, count, 0), time = mean_time(c, count, i);
    return time > 0 ? first / time : 0;
}

/* Returns the program's name without its folder, and its arguments; to be freed. */
static char *program_text(const struct comparison *c) {
    char *text;
    size_t size;
    const char *slash = strrchr(c->argv[0], '/');
    FILE *out = open_memstream(&text, &size);
    require_memory(out);
    fputs(slash ? slash + 1 : c->argv[0], out);
    for (char *const *word = c->argv + 1; *word; word++) fprintf(out, " %s", *word);
    fclose(out);
    return text;
}

#define NOTED_WITHOUT_WORK (1.0 / 3)

/* --- table --- */

static void add_count(struct table *t, uint64_t n) {
    char text[32];
    table_add(t, "%s", n ? report_number(n, text) : "-");
}

static void add_ratio(struct table *t, double ratio, int digits, const char *unit) {
    if (ratio > 0)
        table_add(t, "%.*f%s", digits, ratio, unit);
    else
        table_add(t, "-");
}

static double efficiency(const struct comparison_row *r) {
    return r->lane_slots ? (double)r->instructions / (double)r->lane_slots : 0;
}

static void add_verdict(struct table *t, const struct comparison_row *r) {
    if (!r->ran)
        table_add(t, "not run");
    else if (!r->exit_status)
        table_add(t, "success");
    else
        table_add(t, "%s, exit status %d", r->outcome, r->exit_status);
}

static void add_row(struct table *t, const struct comparison *c, size_t i) {
    const struct comparison_row *r = &c->rows[i];
    char text[32];
    table_add(t, "%s", r->name);
    add_count(t, r->cycles);
    table_add(t, "%s", r->time ? report_time(r->time, text) : "-");
    add_ratio(t, speedup_of(c, i), 3, "");
    add_count(t, r->instructions);
    add_count(t, r->memory_instructions);
    add_count(t, r->warp_instructions);
    add_ratio(t, 100 * efficiency(r), 2, " %");
    add_count(t, r->l2_misses);
    add_verdict(t, r);
}

static void add_mean(struct table *t, const struct comparison *c, size_t count, size_t i) {
    const double time = mean_time(c, count, i);
    char text[32];
    table_add(t, "%s", i ? "" : "geometric mean");
    table_add(t, "%s", c->rows[i].name);
    table_add(t, "-");
    table_add(t, "%s", time > 0 ? report_time((sim_time)(time + 0.5), text) : "-");
    add_ratio(t, mean_speedup(c, count, i), 3, "");
    for (unsigned n = 0; n < 5; n++) table_add(t, "-");
    table_add(t, "%s", time > 0 ? "success" : "not of all programs");
}

static void add_program(struct table *t, const struct comparison *c, size_t count) {
    char *name = program_text(c);
    for (size_t i = 0; i < c->count; i++) {
        if (count > 1) table_add(t, "%s", i ? "" : name);
        add_row(t, c, i);
    }
    free(name);
}

void comparison_print_table(const struct comparison *c, size_t count, FILE *out) {
    static const char *const titles[] = {"variant",      "cycles",        "time",        "speed-up",
                                         "instructions", "memory instr.", "warp instr.", "SIMD eff.",
                                         "L2 misses",    "program"};
    const size_t columns = sizeof titles / sizeof *titles;
    struct table t;
    table_init(&t, count > 1 ? "llrrrrrrrrl" : "lrrrrrrrrl");
    if (count > 1) table_add(&t, "program");
    for (size_t n = 0; n < columns; n++)
        table_add(&t, "%s", count > 1 && n + 1 == columns ? "result" : titles[n]);
    for (size_t p = 0; p < count; p++) add_program(&t, &c[p], count);
    for (size_t i = 0; count > 1 && i < c->count; i++) add_mean(&t, c, count, i);
    fputc('\n', out);
    table_print(&t, 2, out);
    table_free(&t);
}

static void print_note(const struct comparison *c, size_t count, const struct comparison_row *r, FILE *out) {
    char *name = program_text(c);
    fprintf(
        out,
        "  %s%s%s: its units had no work-group in %.0f %% of their cycles (cause '%s'): there are too few "
        "work-groups for all of them\n",
        count > 1 ? name : "", count > 1 ? ", " : "", r->name, 100 * r->without_work,
        machine_cause_name[MACHINE_CAUSE_NO_GROUP]);
    free(name);
}

void comparison_print_notes(const struct comparison *c, size_t count, FILE *out) {
    for (size_t p = 0; p < count; p++)
        for (size_t i = 0; i < c[p].count; i++)
            if (c[p].rows[i].without_work > NOTED_WITHOUT_WORK) print_note(&c[p], count, &c[p].rows[i], out);
}

/* --- comma-separated values (RFC 4180, but for its line ends) --- */

static void print_quoted(const char *text, FILE *out) {
    if (!strpbrk(text, ",\"\n\r")) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"') fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

static void print_csv_row(const struct comparison *c, size_t i, FILE *out) {
    const struct comparison_row *r = &c->rows[i];
    const double speedup = speedup_of(c, i);
    print_quoted(r->name, out);
    if (!r->ran) {
        fputs(",,,,,,,,,not-run,\n", out);
        return;
    }
    fprintf(out, ",%" PRIu64 ",%" PRIu64 ",", r->cycles, r->time);
    if (speedup > 0) fprintf(out, "%.6f", speedup);
    fprintf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",", r->instructions, r->memory_instructions,
            r->warp_instructions);
    if (r->lane_slots) fprintf(out, "%.6f", efficiency(r));
    fprintf(out, ",%" PRIu64 ",%s,%d\n", r->l2_misses, r->outcome, r->exit_status);
}

static void print_csv_mean(const struct comparison *c, size_t count, size_t i, FILE *out) {
    const double time = mean_time(c, count, i), speedup = mean_speedup(c, count, i);
    fputs("geometric mean,", out);
    print_quoted(c->rows[i].name, out);
    fputs(",,", out);
    if (time > 0) fprintf(out, "%.0f", time);
    fputc(',', out);
    if (speedup > 0) fprintf(out, "%.6f", speedup);
    fputs(",,,,,,,\n", out);
}

void comparison_print_csv(const struct comparison *c, size_t count, FILE *out) {
    fprintf(out,
            "%svariant,cycles,time_ps,speedup,instructions,memory_instructions,warp_instructions,"
            "simd_efficiency,l2_misses,outcome,exit_status\n",
            count > 1 ? "program," : "");
    for (size_t p = 0; p < count; p++) {
        char *name = program_text(&c[p]);
        for (size_t i = 0; i < c[p].count; i++) {
            if (count > 1) print_quoted(name, out);
            if (count > 1) fputc(',', out);
            print_csv_row(&c[p], i, out);
        }
        free(name);
    }
    for (size_t i = 0; count > 1 && i < c->count; i++) print_csv_mean(c, count, i, out);
}

/* --- JSON --- */

static json_t *variant(const struct comparison *c, size_t i) {
    const struct comparison_row *r = &c->rows[i];
    const double speedup = speedup_of(c, i);
    json_t *j = json_object();
    json_object_set_new(j, "name", stats_text(r->name));
    json_object_set_new(j, "speedup", speedup > 0 ? json_real(speedup) : json_null());
    json_object_set_new(j, "simd_efficiency", r->lane_slots ? json_real(efficiency(r)) : json_null());
    json_object_set(j, "run", r->ran ? r->document : json_null());
    return j;
}

static json_t *variants_of(const struct comparison *c) {
    json_t *variants = json_array();
    for (size_t i = 0; i < c->count; i++) json_array_append_new(variants, variant(c, i));
    return variants;
}

static json_t *program_of(const struct comparison *c) {
    char *name = program_text(c);
    json_t *j = json_object();
    json_object_set_new(j, "program", stats_text(name));
    json_object_set_new(j, "variants", variants_of(c));
    free(name);
    return j;
}

static json_t *mean_of(const struct comparison *c, size_t count, size_t i) {
    const double time = mean_time(c, count, i), speedup = mean_speedup(c, count, i);
    json_t *j = json_object();
    json_object_set_new(j, "name", stats_text(c->rows[i].name));
    json_object_set_new(j, "time_ps", time > 0 ? json_real(time) : json_null());
    json_object_set_new(j, "speedup", speedup > 0 ? json_real(speedup) : json_null());
    return j;
}

/* Prints one program with its variants as an object; several programs as `programs`, and the means of each
 * variant. */
void comparison_print_json(const struct comparison *c, size_t count, FILE *out) {
    json_t *j = json_object(), *programs = json_array(), *means = json_array();
    json_object_set_new(j, "schema", json_string("lockstep-compare"));
    json_object_set_new(j, "schema_version", json_integer(COMPARISON_SCHEMA_VERSION));
    json_object_set_new(j, "exit_status", json_integer(comparison_status(c, count)));
    for (size_t p = 0; count > 1 && p < count; p++) json_array_append_new(programs, program_of(&c[p]));
    for (size_t i = 0; count > 1 && i < c->count; i++) json_array_append_new(means, mean_of(c, count, i));
    if (count > 1) json_object_set(j, "programs", programs);
    if (count > 1) json_object_set(j, "geometric_means", means);
    if (count == 1) json_object_set_new(j, "variants", variants_of(c));
    json_dumpf(j, out, JSON_INDENT(2));
    fputc('\n', out);
    json_decref(programs);
    json_decref(means);
    json_decref(j);
}
