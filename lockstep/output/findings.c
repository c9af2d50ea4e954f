#include "lockstep/output/findings.h"

#include "lockstep/output/report.h"
#include "model/report/object_name.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- work-items and places --- */

static void put_id(const uint32_t id[3], FILE *out) {
    fprintf(out, "(%u,%u,%u)", id[0], id[1], id[2]);
}

static void group_id(const struct machine_launch *l, uint32_t number, uint32_t id[3]) {
    uint32_t count[3];
    machine_launch_groups(l, count);
    id[0] = number % count[0];
    id[1] = number / count[0] % count[1];
    id[2] = number / count[0] / count[1];
}

/* Prints a work-item. number, item: linear numbers of its work-group, and of the item in it; NO_ITEM: some
 * item. */
static void put_item(const struct machine_launch *l, uint32_t number, uint32_t item, FILE *out) {
    uint32_t group[3], id[3];
    if (item == NO_ITEM) {
        group_id(l, number, group);
        fputs("a work-item of work-group ", out);
        put_id(group, out);
        return;
    }
    const uint32_t *size = l->local_size;
    const uint32_t local[3] = {item % size[0], item / size[0] % size[1], item / size[0] / size[1]};
    group_id(l, number, group);
    for (unsigned d = 0; d < 3; d++) id[d] = machine_global_id(l, d, group[d], local[d]);
    fputs("work-item ", out);
    put_id(id, out);
}

/* Prints a line of the kernel's source without surrounding blanks; nothing if the file is another one. */
static void put_source(const struct machine_code *code, const char *file, unsigned line, FILE *out) {
    const char *at = code->source;
    if (!at || !code->source_name || strcmp(code->source_name, file) != 0) return;
    for (; line > 1 && at; line--) at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL;
    if (!at) return;
    at += strspn(at, " \t");
    size_t size = strcspn(at, "\r\n");
    while (size > 0 && (at[size - 1] == ' ' || at[size - 1] == '\t')) size--;
    if (size) fprintf(out, ": %.*s", (int)size, at);
}

static void put_object(const struct machine_launch *l, uint32_t address, FILE *out) {
    char name[500] = "";
    struct text text = {name, sizeof name};
    text_object(&text, l, address);
    fputs(name, out);
}

static void put_side(const struct machine_launch *l, const struct race_side *s, bool other, FILE *out) {
    const struct machine_code *code = l->code;
    const char *file = "?";
    unsigned line = 0;
    if (code->line && code->line(code->line_context, s->pc, &file, &line))
        fprintf(out, "  %s:%u  ", file, line);
    else
        fprintf(out, "  pc 0x%x  ", s->pc);
    if (other)
        fputs("another work-item", out);
    else
        put_item(l, s->group, s->item, out);
    fprintf(out, " %s it%s", s->store ? "writes" : "reads", s->atomic ? " by an atomic operation" : "");
    put_source(code, file, line, out);
    fputc('\n', out);
}

static void put_reason(const struct race_pair *p, FILE *out) {
    if (p->side[0].group != p->side[1].group)
        fputs("nothing orders the two work-groups\n", out);
    else if (p->local)
        fputs("no barrier that fences local memory lies between\n", out);
    else
        fputs("no barrier that fences global memory lies between\n", out);
}

static void put_groups(const struct machine_launch *l, const struct race_pair *p, FILE *out) {
    uint32_t id[2][3];
    char count[32];
    for (unsigned n = 0; n < 2; n++) group_id(l, p->side[n].group, id[n]);
    if (p->side[0].group == p->side[1].group) {
        fputs("both of work-group ", out);
        put_id(id[0], out);
    } else {
        fputs("of work-groups ", out);
        put_id(id[0], out);
        fputs(" and ", out);
        put_id(id[1], out);
    }
    fprintf(out, "; %s pair%s of accesses at these places\n", report_number(p->count, count),
            p->count == 1 ? "" : "s");
}

static void put_pair(const struct machine_launch *l, const struct race_pair *p, size_t number, bool race,
                     FILE *out) {
    fprintf(out, "kernel %s, launch %zu: %s on ", l->kernel, number,
            race ? "a race" : "note: a race of stores of the same value");
    put_object(l, p->address, out);
    fputs(": ", out);
    put_reason(p, out);
    for (unsigned n = 0; n < 2; n++) put_side(l, &p->side[n], n == 0 && p->other, out);
    put_groups(l, p, out);
}

/* --- races --- */

/* Writes "x.cl:8 writes". */
static void place_text(const struct machine_code *code, const struct race_side *s, char text[PATH_MAX + 32]) {
    const char *file;
    unsigned line;
    if (code->line && code->line(code->line_context, s->pc, &file, &line))
        snprintf(text, PATH_MAX + 32, "%s:%u %s", file, line, s->store ? "writes" : "reads");
    else
        snprintf(text, PATH_MAX + 32, "pc 0x%x %s", s->pc, s->store ? "writes" : "reads");
}

/* Returns a text that is equal for two pairs of accesses at the same two lines; the caller frees it. */
static char *pair_text(const struct machine_launch *l, const struct race_pair *p, bool race) {
    char place[2][PATH_MAX + 32], *text;
    for (unsigned n = 0; n < 2; n++) place_text(l->code, &p->side[n], place[n]);
    const bool swap = strcmp(place[0], place[1]) > 0;
    if (asprintf(&text, "%s %s %s %d", l->kernel, place[swap], place[!swap], race) < 0) text = NULL;
    require_memory(text);
    return text;
}

static bool is_race(const struct findings *f, const struct race_pair *p) {
    return f->strict || p->equal < p->count;
}

/* Adds a text, which then belongs to the list of reported locations. Returns false if it was in the list. */
static bool add(struct findings_kind *k, char *text) {
    for (size_t i = 0; i < k->seen_count; i++)
        if (strcmp(k->seen[i], text) == 0) {
            free(text);
            return false;
        }
    k->seen = realloc(k->seen, (k->seen_count + 1) * sizeof *k->seen);
    require_memory(k->seen);
    k->seen[k->seen_count++] = text;
    if (k->seen_count == FINDINGS_TOLD + 1)
        fprintf(stderr, "lockstep: there are more such places, which are counted only\n");
    return true;
}

static void tell_race(struct findings *f, const struct machine_launch *l, const struct race_pair *p,
                      size_t number) {
    const bool race = is_race(f, p);
    if (race) f->races.count += p->count;
    if (!add(&f->races, pair_text(l, p, race))) return;
    f->races.places += race;
    if (f->races.seen_count <= FINDINGS_TOLD) put_pair(l, p, number, race, stderr);
}

/* Merges pairs of instructions with the same two lines. */
static size_t merge(const struct findings *f, const struct machine_launch *l, const struct race_pair *pairs,
                    size_t count, struct race_pair *merged) {
    char **text = calloc(count + 1, sizeof(char *));
    size_t kept = 0;
    require_memory(text);
    for (size_t i = 0; i < count; i++) {
        char *own = pair_text(l, &pairs[i], is_race(f, &pairs[i]));
        size_t n = 0;
        while (n < kept && strcmp(text[n], own) != 0) n++;
        if (n < kept) {
            merged[n].count += pairs[i].count;
            merged[n].equal += pairs[i].equal;
            free(own);
        } else {
            text[kept] = own;
            merged[kept++] = pairs[i];
        }
    }
    for (size_t n = 0; n < kept; n++) free(text[n]);
    free(text);
    return kept;
}

static void report_races(struct findings *f, const struct race_check *check,
                         const struct machine_launch *launch, size_t number) {
    struct race_pair merged[RACE_PAIRS];
    size_t count;
    uint64_t more;
    const struct race_pair *pairs = race_check_pairs(check, &count, &more);
    count = merge(f, launch, pairs, count, merged);
    for (size_t i = 0; i < count; i++) tell_race(f, launch, &merged[i], number);
    f->races.count += more;
}

/* --- reads of write-only buffers --- */

static void put_read(const struct machine_launch *l, const struct memory_finding *m, size_t number,
                     FILE *out) {
    const char *file = "?";
    unsigned line = 0;
    fprintf(out, "kernel %s, launch %zu: ", l->kernel, number);
    put_item(l, m->group, m->item, out);
    fputs(" reads ", out);
    put_object(l, m->address, out);
    fputs(", which the program made CL_MEM_WRITE_ONLY\n", out);
    if (!l->code->line || !l->code->line(l->code->line_context, m->pc, &file, &line)) return;
    fprintf(out, "  %s:%u", file, line);
    put_source(l->code, file, line, out);
    fputc('\n', out);
}

static void tell_read(struct findings *f, const struct machine_launch *l, const struct memory_finding *m,
                      size_t number) {
    const char *file = "?";
    unsigned line = m->pc;
    char *text;
    f->reads.count += m->count;
    if (l->code->line) l->code->line(l->code->line_context, m->pc, &file, &line);
    if (asprintf(&text, "%s %s:%u", l->kernel, file, line) < 0) text = NULL;
    require_memory(text);
    if (!add(&f->reads, text)) return;
    f->reads.places++;
    if (f->reads.seen_count <= FINDINGS_TOLD) put_read(l, m, number, stderr);
}

static void report_reads(struct findings *f, const struct memory_check *check,
                         const struct machine_launch *launch, size_t number) {
    size_t count;
    const struct memory_finding *m = memory_check_findings(check, &count);
    for (size_t i = 0; i < count; i++) tell_read(f, launch, &m[i], number);
}

/* --- values that nothing has written --- */

static void put_origin(const struct machine_launch *l, uint32_t origin, FILE *out) {
    const bool in_stack = (origin >= MEMORY_STACK_BASE && origin < MEMORY_BUFFER_BASE) ||
                          (origin >= MEMORY_LAUNCH_BASE && origin < MEMORY_LOCAL_BASE); /* cores' stacks */
    if (origin < MEMORY_LAUNCH_BASE) {
        const struct arm_instruction *mark = origin ? machine_code_at(l->code, origin + 4) : NULL;
        fputs("a variable", out);
        if (mark && mark->immediate) fprintf(out, " (declared in line %u)", mark->immediate & 0xffff);
    } else if (in_stack) {
        fputs("private memory", out);
    } else {
        put_object(l, origin, out);
    }
}

static void put_value(const struct machine_launch *l, const struct value_finding *v, size_t number,
                      FILE *out) {
    static const char *const uses[] = {[VALUE_BRANCH] = " branches on ",
                                       [VALUE_ADDRESS] = " takes for an address or an index ",
                                       [VALUE_STORE] = " stores "};
    const char *file = "?";
    unsigned line = 0;
    fprintf(out, "kernel %s, launch %zu: ", l->kernel, number);
    put_item(l, v->group, v->item, out);
    fputs(uses[v->use], out);
    put_origin(l, v->origin, out);
    fputs(", which has no value", out);
    if (v->use == VALUE_STORE) {
        fputs(", to ", out);
        put_object(l, v->address, out);
    }
    fputc('\n', out);
    if (!l->code->line || !l->code->line(l->code->line_context, v->pc, &file, &line)) return;
    fprintf(out, "  %s:%u", file, line);
    put_source(l->code, file, line, out);
    fputc('\n', out);
}

static void tell_value(struct findings *f, const struct machine_launch *l, const struct value_finding *v,
                       size_t number) {
    const char *file = "?";
    unsigned line = v->pc;
    char *text;
    f->values.count += v->count;
    if (l->code->line) l->code->line(l->code->line_context, v->pc, &file, &line);
    if (asprintf(&text, "%s %s:%u %d", l->kernel, file, line, v->use) < 0) text = NULL;
    require_memory(text);
    if (!add(&f->values, text)) return;
    f->values.places++;
    if (f->values.seen_count <= FINDINGS_TOLD) put_value(l, v, number, stderr);
}

static void report_values(struct findings *f, const struct value_check *check,
                          const struct machine_launch *launch, size_t number) {
    size_t count;
    const struct value_finding *v = value_check_findings(check, &count);
    for (size_t i = 0; i < count; i++) tell_value(f, launch, &v[i], number);
}

/* --- a run --- */

void findings_report(struct findings *f, const struct checks *checks, const struct machine_launch *launch,
                     size_t number) {
    if (checks->races) report_races(f, checks->races, launch, number);
    if (checks->memory) report_reads(f, checks->memory, launch, number);
    if (checks->values) report_values(f, checks->values, launch, number);
}

/* Writes "12 pairs of accesses race, at 1 pair of places (--check-races)"; "" if no accesses race. */
static void races_text(const struct findings_kind *k, char text[200]) {
    char count[32];
    text[0] = 0;
    if (!k->count) return;
    snprintf(text, 200, "%s pair%s of accesses race%s, at %zu pair%s of places (--check-races)",
             report_number(k->count, count), k->count == 1 ? "" : "s", k->count == 1 ? "s" : "", k->places,
             k->places == 1 ? "" : "s");
}

static void reads_text(const struct findings_kind *k, char text[200]) {
    char count[32];
    text[0] = 0;
    if (!k->count) return;
    snprintf(text, 200, "%s read%s of write-only buffers, at %zu place%s (--check-memory)",
             report_number(k->count, count), k->count == 1 ? "" : "s", k->places, k->places == 1 ? "" : "s");
}

static void values_text(const struct findings_kind *k, char text[200]) {
    char count[32];
    text[0] = 0;
    if (!k->count) return;
    snprintf(text, 200, "%s use%s of values that nothing has written, at %zu place%s (--check-memory)",
             report_number(k->count, count), k->count == 1 ? "" : "s", k->places, k->places == 1 ? "" : "s");
}

void findings_judge(const struct findings *f, int exit_status, struct outcome *o, struct error *e) {
    static const char *const names[] = {"races", "wrong-access", "no-value"};
    char text[3][200], all[620] = "";
    const char *name = NULL;
    races_text(&f->races, text[0]);
    reads_text(&f->reads, text[1]);
    values_text(&f->values, text[2]);
    for (unsigned n = 0; n < 3; n++) {
        if (!text[n][0]) continue;
        if (name) strcat(all, "; ");
        strcat(all, text[n]);
        if (!name) name = names[n];
    }
    if (!name || !o->sound) return;
    if (exit_status) {
        fprintf(stderr, "lockstep: %s\n", all);
        return;
    }
    error_set(e, EXIT_PROGRAM_FAULT, "%s: see the messages above", all);
    *o = (struct outcome){name, false};
}

static void free_kind(struct findings_kind *k) {
    for (size_t i = 0; i < k->seen_count; i++) free(k->seen[i]);
    free(k->seen);
}

void findings_free(struct findings *f) {
    free_kind(&f->races);
    free_kind(&f->reads);
    free_kind(&f->values);
    *f = (struct findings){0};
}
