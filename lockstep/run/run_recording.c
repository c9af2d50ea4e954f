#include "lockstep/run/run_recording.h"

#include "lockstep/commands/command.h"
#include "lockstep/output/progress.h"
#include "lockstep/output/report.h"
#include "lockstep/run/repetition.h"
#include "lockstep/run/stats.h"
#include "model/cluster/cluster.h"
#include "model/report/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static json_t *number(uint64_t n) {
    return json_integer((json_int_t)n);
}

static json_t *three(const uint32_t n[3]) {
    return json_pack("[I, I, I]", (json_int_t)n[0], (json_int_t)n[1], (json_int_t)n[2]);
}

/* --- the head --- */

static json_t *unit(struct machine *m, unsigned n) {
    const struct simt *u = machine_unit(m, n);
    const struct simt_parts parts = u->kind->parts(u);
    char name[24];
    snprintf(name, sizeof name, "cluster%u", n); /* names as in waveforms of --trace */
    return json_pack("{ss ss sI sI sI sI}", "name", name, "kind", u->kind->name, "warps",
                     (json_int_t)u->warps, "warp_size", (json_int_t)machine_configuration(m)->simt.warp_size,
                     "cores", (json_int_t)parts.cores, "load_store_units",
                     (json_int_t)parts.load_store_units);
}

static json_t *head(const struct run_recording *r, struct machine *m, char *const line[],
                    char *const argv[]) {
    const struct machine_config *c = machine_configuration(m);
    json_t *command = json_array(), *units = json_array(), *modes = json_array(), *causes = json_array(),
           *again = repetition_note(line, argv);
    for (unsigned n = 0; n < CLUSTER_MODE_COUNT; ++n)
        json_array_append_new(modes, json_string(cluster_mode_name[n]));
    for (unsigned n = 0; n < MACHINE_BASE_CAUSE_COUNT; ++n)
        json_array_append_new(causes, json_string(machine_cause_name[n]));
    for (; *argv; ++argv) json_array_append_new(command, stats_text(*argv));
    for (unsigned n = 0; n < c->cluster.count; ++n) json_array_append_new(units, unit(m, n));
    json_t *window =
        r->accesses.last < r->accesses.first
            ? NULL
            : json_pack("[I, I]", (json_int_t)r->accesses.first,
                        (json_int_t)(r->accesses.last < INT64_MAX ? r->accesses.last : INT64_MAX));
    return json_pack("{ss sI so so so so so so so*}", "lockstep", LOCKSTEP_VERSION, "clock_mhz",
                     (json_int_t)c->clock_mhz, "command", command, "again", again, "units", units, "modes",
                     modes, "causes", causes, "configuration", stats_configuration(c), "accesses", window);
}

/* --- launches --- */

/* Returns the letter of an instruction's kind (docs/recording.md). */
static char kind_of(const struct arm_instruction *i) {
    return i->is_load ? 'l' : i->is_store ? 's' : i->is_coprocessor ? 'p' : i->writes_pc ? 'b' : 'c';
}

static json_t *code(const struct machine_config *config, const struct machine_code *c, size_t number_of_it) {
    json_t *lines = json_array(), *texts = json_array(), *reads = json_array(), *writes = json_array(),
           *latencies = json_array(), *occupancies = json_array();
    const char *name = c->source_name ? c->source_name : "";
    char *kinds = calloc(c->text_bytes / 4 + 1, 1);
    require_memory(kinds);
    for (uint32_t pc = c->text_base; pc - c->text_base < c->text_bytes; pc += 4) {
        const struct arm_instruction *i = &c->decoded[(pc - c->text_base) / 4];
        char instruction[128];
        const char *file;
        unsigned line = 0;
        if (!c->line || !c->line(c->line_context, pc, &file, &line) || strcmp(file, name) != 0) line = 0;
        text_instruction(&(struct text){instruction, sizeof instruction}, c, pc);
        json_array_append_new(lines, json_integer(line));
        json_array_append_new(texts, stats_text(instruction));
        json_array_append_new(reads, number(i->reads | (i->condition != 14 ? ARM_STATE_NZCV : 0)));
        json_array_append_new(writes, number(i->writes));
        json_array_append_new(latencies, number(config->core.latency_cycles[i->class]));
        json_array_append_new(occupancies, number(config->core.occupancy_cycles[i->class]));
        kinds[(pc - c->text_base) / 4] = kind_of(i);
    }
    json_t *letters = json_string(kinds);
    free(kinds);
    return json_pack("{sI sI so so so so so so so so}", "code", (json_int_t)number_of_it, "base",
                     (json_int_t)c->text_base, "file", stats_text(name), "lines", lines, "text", texts,
                     "reads", reads, "writes", writes, "kinds", letters, "latencies", latencies,
                     "occupancies", occupancies);
}

/* Passes a note on, and drops it. */
static void add_note(struct run_recording *r, json_t *note) {
    if (r->watch) condition_watch_note(r->watch, note);
    if (r->writer)
        recording_writer_note(r->writer, note);
    else
        json_decref(note);
}

/* Returns the number of the code, which is written at its first launch. */
static size_t code_number(struct run_recording *r, const struct machine_code *c) {
    const uint64_t hash = XXH3_64bits_withSeed(c->text, c->text_bytes, c->text_base);
    for (size_t n = 0; n < r->code_count; ++n)
        if (r->codes[n] == hash) return n;
    r->codes = realloc(r->codes, (r->code_count + 1) * sizeof *r->codes);
    require_memory(r->codes);
    r->codes[r->code_count] = hash;
    add_note(r, code(r->config, c, r->code_count));
    return r->code_count++;
}

static void begins(void *context, const struct machine_launch *l, enum machine_mode mode, uint64_t cycle) {
    struct run_recording *r = context;
    uint32_t groups[3];
    const size_t its_code = code_number(r, l->code);
    machine_launch_groups(l, groups);
    add_note(r, json_pack("{sI so ss so so so so sI so}", "launch", (json_int_t)r->launches, "kernel",
                          stats_text(l->kernel), "mode", mode == MODE_MIMD ? "mimd" : "simt", "global",
                          three(l->global_size), "local", three(l->local_size), "groups", three(groups),
                          "offset", three(l->global_offset), "code", (json_int_t)its_code, "first",
                          number(cycle)));
}

static void ends(void *context, uint64_t cycle, const struct error *e) {
    struct run_recording *r = context;
    json_t *note = json_pack("{sI so}", "launch_end", (json_int_t)r->launches++, "end", number(cycle));
    if (e->status != EXIT_SOUND) json_object_set_new(note, "error", stats_text(e->message));
    add_note(r, note);
}

static struct recorder *recorder_of(void *context, unsigned n) {
    const struct run_recording *r = context;
    struct recorder *unit = r->writer ? recording_writer_unit(r->writer, n) : NULL;
    if (unit && r->accesses.first <= r->accesses.last) {
        unit->accesses_first = r->accesses.first;
        unit->accesses_end = r->accesses.last < UINT64_MAX ? r->accesses.last + 1 : UINT64_MAX;
    }
    return r->watch ? condition_watch_unit(r->watch, n, unit) : unit;
}

static void tell_first(uint64_t cycle) {
    char number[32];
    progress_erase();
    fprintf(stderr, "lockstep: the condition of --when holds first in cycle %s\n",
            report_number(cycle, number));
}

bool run_recording_begin(struct run_recording *r, const struct run_recording_options *o, struct machine *m,
                         char *const command[], char *const argv[], struct error *e) {
    const struct machine_config *c = machine_configuration(m);
    if (o->accesses && c->simt.mitigation == MITIGATION_ALT)
        return error_set(e, EXIT_USER,
                         "--record-accesses: not with simt.mitigation alt; choose another mitigation");
    r->config = c;
    r->accesses = o->accesses ? *o->accesses : (struct machine_window){1, 0};
    json_t *h = head(r, m, command, argv);
    require_memory(h);
    const bool good = (!o->when || (r->watch = condition_watch_create(o->when, h, tell_first, e))) &&
                      (!o->path || (r->writer = recording_writer_open(o->path, h, c->cluster.count, e)));
    json_decref(h);
    if (good) machine_record(m, &(struct machine_recorder){recorder_of, begins, ends, r});
    return good;
}

void run_recording_when(struct run_recording *r, const char *text, const char *recording) {
    if (!r->watch) return;
    const struct condition_result found = condition_watch_end(r->watch);
    char a[32], b[32];
    if (!found.times)
        fprintf(stderr, "\n  condition  %s: it never holds\n", text);
    else
        fprintf(stderr, "\n  condition  %s: it begins to hold %s times, first in cycle %s\n", text,
                report_number(found.times, a), report_number(found.first, b));
    if (found.times && recording)
        fprintf(stderr, "  look with  lockstep waves %s --at %" PRIu64 "\n", recording, found.first);
}

bool run_recording_finish(struct run_recording *r, struct error *e) {
    struct recording_writer *w = r->writer;
    r->writer = NULL;
    return recording_writer_finish(w, &r->records, e);
}

void run_recording_free(struct run_recording *r) {
    if (r->writer) recording_writer_abandon(r->writer);
    condition_watch_free(r->watch);
    free(r->codes);
}
