/* Executed instructions as lines of a log, in the order of their execution. */
#include "recording/log_line.h"
#include "recording/timeline.h"

#include <stdlib.h>

/* Returns the cycle in which an item is executed: on a cluster that of its first round, on an SM the first of
 * O, of a core its first. */
static uint64_t executes(const struct timeline *t, const struct timeline_item *i) {
    const struct record *r = &i->record;
    if (r->kind != RECORD_FLIGHT) return r->cycle;
    return r->cycle + r->after[t->recording->units[i->unit].sm ? RECORD_O : RECORD_X];
}

struct line {
    uint64_t cycle;
    const struct timeline_item *item;
};

static int by_cycle(const void *a, const void *b) {
    const struct line *x = a, *y = b;
    if (x->cycle != y->cycle) return x->cycle < y->cycle ? -1 : 1;
    if (x->item->place != y->item->place) return x->item->place < y->item->place ? -1 : 1;
    return (x->item > y->item) - (x->item < y->item);
}

/* Returns the id of the work-group of a warp or core in a cycle, NULL if there is none. */
static const uint32_t *group_at(const struct timeline *t, size_t place, uint64_t cycle) {
    size_t from = 0, to = t->groups;
    while (from < to) {
        const size_t middle = (from + to) / 2;
        const struct timeline_group *g = &t->group[middle];
        if (g->place < place || (g->place == place && g->first <= cycle))
            from = middle + 1;
        else
            to = middle;
    }
    return from && t->group[from - 1].place == place ? t->group[from - 1].id : NULL;
}

static void write_line(const struct timeline *t, const struct line *l, FILE *out) {
    const struct timeline_item *i = l->item;
    const struct record *r = &i->record;
    const struct recording_unit *u = &t->recording->units[i->unit];
    const struct recording_launch *launch = recording_launch_at(t->recording, r->cycle);
    const struct recording_code *code = launch ? launch->code : NULL;
    const bool flight = r->kind == RECORD_FLIGHT;
    char text[LOG_LINE_BYTES];
    const size_t length = log_line_write(&(struct log_line){.cycle = l->cycle,
                                                            .unit = u->name,
                                                            .kind = flight ? "warp" : "core",
                                                            .place = r->place,
                                                            .group = group_at(t, i->place, r->cycle),
                                                            .pc = r->pc,
                                                            .positions = flight ? u->warp_size : 1,
                                                            .participating = flight ? r->threads : 1,
                                                            .passed = flight ? r->passed : 1,
                                                            .text = recording_text(code, r->pc),
                                                            .file = code ? code->file : "",
                                                            .line = recording_line(code, r->pc)},
                                         text);
    fwrite(text, 1, length, out);
    if (!flight && r->threads > 1) fprintf(out, ", and %llu after it", (unsigned long long)r->threads - 1);
    if (!flight && r->after[1] > 1) fprintf(out, ", %u times", r->after[1]);
    fputc('\n', out);
}

void timeline_lines(const struct timeline *t, FILE *out) {
    struct line *line = malloc((t->count + 1) * sizeof *line);
    size_t count = 0;
    require_memory(line);
    for (size_t n = 0; n < t->count; ++n)
        if (t->item[n].record.kind == RECORD_RUN || t->item[n].record.form != RECORDING_COPIES)
            line[count++] = (struct line){executes(t, &t->item[n]), &t->item[n]};
    qsort(line, count, sizeof *line, by_cycle);
    log_line_head(out);
    for (size_t n = 0; n < count; ++n) write_line(t, &line[n], out);
    free(line);
}
