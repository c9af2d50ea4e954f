#include "recording/timeline.h"

#include <stdlib.h>
#include <string.h>

uint64_t timeline_end(const struct record *r) {
    return r->cycle + (r->kind == RECORD_FLIGHT ? r->after[RECORD_COMMIT] + UINT64_C(1) : r->after[0]);
}

void timeline_name(const struct timeline *t, const struct timeline_item *i, char name[64]) {
    snprintf(name, 64, "%s.%s%u", t->recording->units[i->unit].name,
             i->record.kind == RECORD_FLIGHT ? "warp" : "core", i->record.place);
}

static void keep_event(struct timeline *t, unsigned unit, const struct record *r) {
    if (!t->item || r->cycle < t->window.first || r->cycle > t->window.last) return;
    if (r->place >= t->recording->units[unit].warps) return;
    if (t->events == t->event_room) {
        t->event_room = t->event_room ? 2 * t->event_room : 256;
        t->event = realloc(t->event, t->event_room * sizeof *t->event);
        require_memory(t->event);
    }
    t->event[t->events++] = (struct timeline_item){.record = *r, .unit = unit};
}

/* Notes that a work-group begins on a place of a unit. */
static void keep_group(struct timeline *t, unsigned unit, const struct record *r, size_t place) {
    if (!t->item) return;
    if (t->groups == t->group_room) {
        t->group_room = t->group_room ? 2 * t->group_room : 256;
        t->group = realloc(t->group, t->group_room * sizeof *t->group);
        require_memory(t->group);
    }
    t->group[t->groups++] = (struct timeline_group){.place = t->first_place[unit] + place,
                                                    .first = r->cycle - 1,
                                                    .id = {t->begun[0], t->begun[1], t->begun[2]}};
}

/* Notes the warps, or the core in MIMD mode, of a work-group. */
static void visit_group(struct timeline *t, unsigned unit, const struct record *r) {
    const struct recording_unit *u = &t->recording->units[unit];
    if (r->kind == RECORD_START) {
        if (r->place < u->warps) keep_group(t, unit, r, r->place);
        return;
    }
    const struct recording_launch *l = recording_launch_at(t->recording, r->cycle);
    memcpy(t->begun, r->after, sizeof t->begun);
    if (l && strcmp(l->mode, "mimd") == 0 && r->place < u->cores) keep_group(t, unit, r, u->warps + r->place);
}

static void visit_record(void *context, unsigned unit, const struct record *r) {
    struct timeline *t = context;
    if (r->kind == RECORD_ARRIVE || r->kind == RECORD_EXIT || r->kind == RECORD_RELEASE)
        keep_event(t, unit, r);
    if (r->kind == RECORD_GROUP || r->kind == RECORD_START) visit_group(t, unit, r);
    if (r->kind != RECORD_FLIGHT && r->kind != RECORD_RUN) return;
    const struct recording_unit *u = &t->recording->units[unit];
    if (r->place >= (r->kind == RECORD_FLIGHT ? u->warps : u->cores)) return;
    if (r->cycle > t->window.last || timeline_end(r) <= t->window.first) return;
    if (t->count++ >= t->room) return; /* without room, items are only counted */
    t->item[t->count - 1] = (struct timeline_item){.record = *r, .unit = unit};
}

static int by_cycle(const void *a, const void *b) {
    const struct timeline_item *x = a, *y = b;
    if (x->record.cycle != y->record.cycle) return x->record.cycle < y->record.cycle ? -1 : 1;
    if (x->unit != y->unit) return x->unit < y->unit ? -1 : 1;
    return (x->record.place > y->record.place) - (x->record.place < y->record.place);
}

static int by_place(const void *a, const void *b) {
    const struct timeline_group *x = a, *y = b;
    if (x->place != y->place) return x->place < y->place ? -1 : 1;
    return (x->first > y->first) - (x->first < y->first);
}

/* Returns for each unit the number of places before its own, and at the end the number of all places. */
static size_t *first_places(const struct recording *r) {
    size_t *first = calloc(r->unit_count + 1, sizeof *first);
    require_memory(first);
    for (size_t u = 0; u < r->unit_count; ++u)
        first[u + 1] = first[u] + r->units[u].warps + r->units[u].cores;
    return first;
}

/* Gives each item its place, and the first free slot there. */
static void give_places(struct timeline *t) {
    const size_t *first = t->first_place;
    t->places = first[t->recording->unit_count];
    uint64_t(*free_at)[TIMELINE_SLOTS] = calloc(t->places, sizeof *free_at);
    require_memory(free_at);
    for (size_t n = 0; n < t->count; ++n) {
        struct timeline_item *i = &t->item[n];
        const struct recording_unit *u = &t->recording->units[i->unit];
        i->place =
            (uint32_t)(first[i->unit] + (i->record.kind == RECORD_FLIGHT ? 0 : u->warps) + i->record.place);
        while (i->slot + 1 < TIMELINE_SLOTS && free_at[i->place][i->slot] > i->record.cycle) ++i->slot;
        free_at[i->place][i->slot] = timeline_end(&i->record);
    }
    free(free_at);
}

bool timeline_read(struct timeline *t, const struct recording *r, const struct window *w, bool all,
                   struct error *e) {
    *t = (struct timeline){.recording = r, .window = *w};
    if (!recording_records(r, w->first, w->last, visit_record, t, e)) return false;
    if (t->count > TIMELINE_MOST && !all)
        return error_set(
            e, EXIT_USER,
            "%zu instructions are in these cycles, which viewers hardly load: choose fewer cycles "
            "(--cycles, --work-group), or add --all",
            t->count);
    t->first_place = first_places(r);
    t->room = t->count;
    t->count = 0;
    t->item = malloc((t->room + 1) * sizeof *t->item);
    require_memory(t->item);
    if (!recording_records(r, w->first, w->last, visit_record, t, e)) return false;
    qsort(t->item, t->count, sizeof *t->item, by_cycle);
    if (t->groups) qsort(t->group, t->groups, sizeof *t->group, by_place);
    give_places(t);
    return true;
}

void timeline_free(struct timeline *t) {
    free(t->item);
    free(t->event);
    free(t->group);
    free(t->first_place);
}
