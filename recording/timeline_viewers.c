/* Timelines for other viewers: Perfetto and Konata. */
#include "recording/timeline.h"

#include <stdlib.h>
#include <string.h>

#define FLOW_CYCLES 2000 /* longest arriving instruction that an arrow begins at */

/* Returns microseconds since the run's start. */
static double microseconds(const struct timeline *t, uint64_t cycle) {
    return (double)recording_time(t->recording, cycle) * 1e-6;
}

static const struct recording_code *code_of(const struct timeline *t, uint64_t cycle) {
    const struct recording_launch *l = recording_launch_at(t->recording, cycle);
    return l ? l->code : NULL;
}

/* --- log --- */

/* Threads that take part, then those whose condition holds; position 0 is the lowest bit. */
void timeline_log(const struct timeline *t, FILE *out) {
    fprintf(out, "%-12s  %-18s  %-10s  %-16s  %-16s  %-5s  %s\n", "cycle", "warp", "pc", "threads", "passed",
            "line", "instruction");
    for (size_t n = 0; n < t->count; ++n) {
        const struct record *r = &t->item[n].record;
        const struct recording_code *code = code_of(t, r->cycle);
        const bool flight = r->kind == RECORD_FLIGHT;
        char name[64];
        timeline_name(t, &t->item[n], name);
        fprintf(out, "%-12llu  %-18s  0x%08x  %016llx  %016llx  %-5u  %s", (unsigned long long)r->cycle, name,
                r->pc, flight ? (unsigned long long)r->threads : 1,
                flight ? (unsigned long long)r->passed : 1, recording_line(code, r->pc),
                recording_text(code, r->pc));
        if (!flight && r->threads > 1)
            fprintf(out, ", and %llu after it", (unsigned long long)r->threads - 1);
        fputc('\n', out);
    }
}

/* --- Perfetto --- */

static size_t track_of(const struct timeline_item *i) {
    return (size_t)i->place * TIMELINE_SLOTS + i->slot;
}

static void write_item(const struct timeline *t, const struct timeline_item *i, FILE *out) {
    const struct record *r = &i->record;
    const struct recording_code *code = code_of(t, r->cycle);
    json_t *event = json_pack("{ss ss sf sf sI sI s{sI sI sI}}", "ph", "X", "name",
                              recording_text(code, r->pc), "ts", microseconds(t, r->cycle), "dur",
                              microseconds(t, timeline_end(r)) - microseconds(t, r->cycle), "pid",
                              (json_int_t)i->unit, "tid", (json_int_t)track_of(i), "args", "line",
                              (json_int_t)recording_line(code, r->pc), "pc", (json_int_t)r->pc, "threads",
                              (json_int_t)(r->kind == RECORD_FLIGHT ? __builtin_popcountll(r->threads) : 1));
    require_memory(event);
    fputs(",\n", out);
    json_dumpf(event, out, JSON_COMPACT | JSON_REAL_PRECISION(15));
    json_decref(event);
}

static void name_tracks(const struct timeline *t, FILE *out) {
    bool *named = calloc(t->places * TIMELINE_SLOTS + 1, sizeof *named);
    require_memory(named);
    for (size_t u = 0; u < t->recording->unit_count; ++u)
        fprintf(out, "%s\n{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%zu,\"args\":{\"name\":\"%s\"}}",
                u ? "," : "", u, t->recording->units[u].name);
    for (size_t n = 0; n < t->count; ++n) {
        char name[64];
        const size_t track = track_of(&t->item[n]);
        if (named[track]) continue;
        named[track] = true;
        timeline_name(t, &t->item[n], name);
        fprintf(
            out,
            ",\n{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%u,\"tid\":%zu,\"args\":{\"name\":\"%s\"}}",
            t->item[n].unit, track, strchr(name, '.') + 1);
    }
    free(named);
}

/* Returns the first item of a warp from a cycle on, NULL if there is none. */
static const struct timeline_item *item_from(const struct timeline *t, unsigned unit, unsigned warp,
                                             uint64_t cycle) {
    size_t from = 0, to = t->count;
    while (from < to) {
        const size_t middle = (from + to) / 2;
        if (t->item[middle].record.cycle < cycle)
            from = middle + 1;
        else
            to = middle;
    }
    for (const struct timeline_item *i = t->item + from; i < t->item + t->count; ++i)
        if (i->unit == unit && i->record.kind == RECORD_FLIGHT && i->record.place == warp) return i;
    return NULL;
}

/* Returns the item of a warp that ends before a cycle begins, NULL if there is none. */
static const struct timeline_item *item_until(const struct timeline *t, unsigned unit, unsigned warp,
                                              uint64_t cycle) {
    const struct timeline_item *found = NULL;
    const uint64_t first = cycle > FLOW_CYCLES ? cycle - FLOW_CYCLES : 0;
    for (const struct timeline_item *i = item_from(t, unit, warp, first);
         i && i < t->item + t->count && i->record.cycle < cycle; ++i)
        if (i->unit == unit && i->record.kind == RECORD_FLIGHT && i->record.place == warp &&
            timeline_end(&i->record) == cycle)
            found = i;
    return found;
}

static void write_flow_end(const struct timeline *t, const struct timeline_item *i, const char *phase,
                           size_t number, FILE *out) {
    fprintf(out,
            ",\n{\"ph\":\"%s\",\"id\":%zu,\"name\":\"barrier\",\"cat\":\"barrier\",\"pid\":%u,\"tid\":%zu,"
            "\"ts\":%.15g,\"bp\":\"e\"}",
            phase, number, i->unit, track_of(i), microseconds(t, i->record.cycle));
}

void timeline_flows(const struct timeline *t, timeline_flow *visit, void *context) {
    for (size_t n = 0; n < t->events; ++n) {
        const struct timeline_item *release = &t->event[n], *last = NULL;
        if (release->record.kind != RECORD_RELEASE) continue;
        for (size_t e = n; !last && e-- > 0 && t->event[e].unit == release->unit;)
            if (t->event[e].record.kind != RECORD_RELEASE && t->event[e].record.cycle < release->record.cycle)
                last = &t->event[e];
        const struct timeline_item *from = last ? item_until(t, last->unit, last->record.place,
                                                             last->record.cycle)
                                                : NULL,
                                   *to = item_from(t, release->unit, release->record.place,
                                                   release->record.cycle - 1);
        if (from && to) visit(t, from, to, context);
    }
}

struct arrows {
    FILE *out;
    size_t count;
};

static void write_flow(const struct timeline *t, const struct timeline_item *from,
                       const struct timeline_item *to, void *context) {
    struct arrows *a = context;
    write_flow_end(t, from, "s", a->count, a->out);
    write_flow_end(t, to, "f", a->count++, a->out);
}

void timeline_perfetto(const struct timeline *t, FILE *out) {
    fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[", out);
    name_tracks(t, out);
    for (size_t n = 0; n < t->count; ++n) write_item(t, &t->item[n], out);
    timeline_flows(t, write_flow, &(struct arrows){out, 0});
    fputs("\n]}\n", out);
}

/* --- Kanata --- */

/* A command of an instruction in a cycle. */
struct command {
    uint64_t cycle;
    size_t item;
    const char *stage; /* stage that begins; "": the instruction retires */
    size_t number;     /* number of the command, for the order within a cycle */
};

static int by_cycle(const void *a, const void *b) {
    const struct command *x = a, *y = b;
    if (x->cycle != y->cycle) return x->cycle < y->cycle ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* Adds the stages with the cycles in which they work. A stage that would begin together with the next one
 * is left out. Instructions of a core that issue one behind the other have one stage, I. */
static size_t stages(const struct record *r, size_t item, struct command *c) {
    if (r->kind != RECORD_FLIGHT) {
        c[0] = (struct command){r->cycle, item, "I", 0};
        c[1] = (struct command){timeline_end(r), item, "", 0};
        return 2;
    }
    const struct command all[] = {
        {r->cycle, item, "S", 0},
        {r->cycle + 1, item, "A", 0},
        {r->cycle + r->after[RECORD_F], item, "F", 0},
        {r->cycle + r->after[RECORD_LEFT] + 1, item, "D", 0},
        {r->cycle + r->after[RECORD_LEFT] + 2, item, "Q", 0},
        {r->cycle + r->after[RECORD_O], item, "O", 0},
        {r->cycle + r->after[RECORD_X], item, "X", 0},
        {r->cycle + r->after[RECORD_LAST] + 1, item, r->flags & RECORD_ACCESSES ? "M" : "W", 0},
        {r->cycle + r->after[RECORD_COMMIT] + 1, item, "", 0}};
    size_t count = 0;
    for (size_t n = 0; n < sizeof all / sizeof *all; ++n)
        if (!*all[n].stage || all[n].cycle < all[n + 1].cycle) c[count++] = all[n];
    return count;
}

static void write_command(const struct timeline *t, const struct command *c, bool first, FILE *out) {
    const struct timeline_item *i = &t->item[c->item];
    const struct record *r = &i->record;
    const struct recording_code *code = code_of(t, r->cycle);
    char name[64];
    if (first) {
        timeline_name(t, i, name);
        fprintf(out, "I\t%zu\t%zu\t%u\n", c->item, c->item, i->unit * 4096 + r->place);
        fprintf(out, "L\t%zu\t0\t%s %s\n", c->item, name, recording_text(code, r->pc));
        fprintf(out, "L\t%zu\t1\tline %u, pc 0x%x, ", c->item, recording_line(code, r->pc), r->pc);
        if (r->kind == RECORD_FLIGHT)
            fprintf(out, "threads 0x%llx, passed 0x%llx\n", (unsigned long long)r->threads,
                    (unsigned long long)r->passed);
        else
            fprintf(out, "instructions %llu\n", (unsigned long long)r->threads);
    }
    if (*c->stage)
        fprintf(out, "S\t%zu\t0\t%s\n", c->item, c->stage);
    else
        fprintf(out, "R\t%zu\t%zu\t0\n", c->item, c->item);
}

void timeline_kanata(const struct timeline *t, FILE *out) {
    struct command *c = malloc((9 * t->count + 1) * sizeof *c);
    bool *begun = calloc(t->count + 1, sizeof *begun);
    size_t count = 0;
    require_memory(c && begun);
    for (size_t n = 0; n < t->count; ++n) count += stages(&t->item[n].record, n, &c[count]);
    for (size_t n = 0; n < count; ++n) c[n].number = n;
    qsort(c, count, sizeof *c, by_cycle);
    uint64_t now = count ? c[0].cycle : 0;
    fprintf(out, "Kanata\t0004\nC=\t%llu\n", (unsigned long long)now);
    for (size_t n = 0; n < count; ++n) {
        if (c[n].cycle > now) fprintf(out, "C\t%llu\n", (unsigned long long)(c[n].cycle - now));
        now = c[n].cycle;
        write_command(t, &c[n], !begun[c[n].item], out);
        begun[c[n].item] = true;
    }
    free(begun);
    free(c);
}
