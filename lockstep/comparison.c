#include "lockstep/comparison.h"

#include "lockstep/report.h"
#include "lockstep/stats.h"
#include "lockstep/table.h"

#include <inttypes.h>
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
        .instructions = (c->mode == MODE_SIMT ? 0 : t.cause[MACHINE_CAUSE_ISSUE]) +
                        (c->mode == MODE_MIMD ? 0 : run_record_sum(r, "", "thread_instructions")),
        .memory_instructions = run_record_sum(r, "", "memory_instructions"),
        .warp_instructions = warp,
        .lane_slots =
            t.mixed ? 0 : warp * c->simt.warp_size, /* mixed: the instructions are not of lanes only */
        .l2_misses = run_record_sum(r, "l2", "misses"),
        .without_work = t.unit_cycles ? (double)t.cause[MACHINE_CAUSE_NO_GROUP] / (double)t.unit_cycles : 0,
        .outcome = s->outcome.name,
        .exit_status = s->status,
        .document = stats_document(&facts, r),
    };
}

/* Simulated time of the first row over that of row i; 0 where one of the two did not succeed
 * or took no time. */
static double speedup_of(const struct comparison *c, size_t i) {
    const struct comparison_row *first = &c->rows[0], *row = &c->rows[i];
    const bool sound = first->ran && row->ran && !first->exit_status && !row->exit_status;
    return sound && row->time ? (double)first->time / (double)row->time : 0;
}

int comparison_status(const struct comparison *c) {
    for (size_t i = 0; i < c->count; i++)
        if (c->rows[i].exit_status) return c->rows[i].exit_status;
    return 0;
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

void comparison_print_table(const struct comparison *c, FILE *out) {
    static const char *const titles[] = {"variant",      "cycles",        "time",        "speed-up",
                                         "instructions", "memory instr.", "warp instr.", "SIMD eff.",
                                         "L2 misses",    "program"};
    struct table t;
    table_init(&t, "lrrrrrrrrl");
    for (size_t n = 0; n < sizeof titles / sizeof *titles; n++) table_add(&t, "%s", titles[n]);
    for (size_t i = 0; i < c->count; i++) add_row(&t, c, i);
    fputc('\n', out);
    table_print(&t, 2, out);
    table_free(&t);
}

void comparison_print_notes(const struct comparison *c, FILE *out) {
    for (size_t i = 0; i < c->count; i++)
        if (c->rows[i].without_work > NOTED_WITHOUT_WORK)
            fprintf(out,
                    "  %s: its units had no work-group in %.0f %% of their cycles (cause '%s'): there are "
                    "too few "
                    "work-groups for all of them\n",
                    c->rows[i].name, 100 * c->rows[i].without_work,
                    machine_cause_name[MACHINE_CAUSE_NO_GROUP]);
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

void comparison_print_csv(const struct comparison *c, FILE *out) {
    fputs("variant,cycles,time_ps,speedup,instructions,memory_instructions,warp_instructions,"
          "simd_efficiency,l2_misses,outcome,exit_status\n",
          out);
    for (size_t i = 0; i < c->count; i++) {
        const struct comparison_row *r = &c->rows[i];
        const double speedup = speedup_of(c, i);
        print_quoted(r->name, out);
        if (!r->ran) {
            fputs(",,,,,,,,,not-run,\n", out);
            continue;
        }
        fprintf(out, ",%" PRIu64 ",%" PRIu64 ",", r->cycles, r->time);
        if (speedup > 0) fprintf(out, "%.6f", speedup);
        fprintf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",", r->instructions, r->memory_instructions,
                r->warp_instructions);
        if (r->lane_slots) fprintf(out, "%.6f", efficiency(r));
        fprintf(out, ",%" PRIu64 ",%s,%d\n", r->l2_misses, r->outcome, r->exit_status);
    }
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

void comparison_print_json(const struct comparison *c, FILE *out) {
    json_t *j = json_object(), *variants = json_array();
    for (size_t i = 0; i < c->count; i++) json_array_append_new(variants, variant(c, i));
    json_object_set_new(j, "schema", json_string("lockstep-compare"));
    json_object_set_new(j, "schema_version", json_integer(COMPARISON_SCHEMA_VERSION));
    json_object_set_new(j, "exit_status", json_integer(comparison_status(c)));
    json_object_set_new(j, "variants", variants);
    json_dumpf(j, out, JSON_INDENT(2));
    fputc('\n', out);
    json_decref(j);
}
