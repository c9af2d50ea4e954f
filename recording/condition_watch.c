#include "recording/condition_watch.h"

#include "recording/recording_parts.h"
#include "recording/wave_changes.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 128 /* records of a unit that are taken together */
/* A launch is evaluated before its end after so many changes or cycles, */
#define PENDING (UINT64_C(1) << 20)
#define CYCLES  UINT64_C(1000000)
/* up to so many cycles before the last record: an instruction is recorded when it commits, and none takes so
 * long. */
#define BEHIND UINT64_C(200000)

struct unit {
    struct recorder recorder; /* first member, so that `full` finds the unit */
    struct recorder *to;      /* NULL: none */
    struct condition_watch *watch;
    unsigned number;
    uint64_t last; /* last cycle of the last record */
    struct record room[ROOM];
};

struct condition_watch {
    struct recording r; /* head and launches of the run */
    size_t *code_of;    /* number of each launch's code */
    struct wave_changes w;
    struct condition *condition;
    struct condition_search_state state;
    struct condition_result result;
    void (*on_first)(uint64_t cycle);
    uint64_t asked;        /* changes with which the condition is evaluated next */
    pthread_mutex_t mutex; /* protects all fields above */
    struct unit **unit;
};

struct condition_watch *condition_watch_create(const char *text, const json_t *head,
                                               void (*on_first)(uint64_t cycle), struct error *e) {
    struct condition_watch *w = calloc(1, sizeof *w);
    require_memory(w);
    pthread_mutex_init(&w->mutex, NULL);
    w->r = (struct recording){.path = "", .fd = -1, .head = json_deep_copy(head), .end = UINT64_MAX / 2};
    w->w = (struct wave_changes){.r = &w->r, .last = UINT64_MAX / 2};
    w->result.first = UINT64_MAX;
    w->on_first = on_first;
    w->asked = PENDING;
    invariant(w->r.head && recording_take_head(&w->r), "the head of a recording is refused");
    w->unit = calloc(w->r.unit_count, sizeof *w->unit);
    require_memory(w->unit);
    w->condition = condition_prepare(text, &w->w, e);
    if (w->condition) {
        wave_changes_begin(&w->w);
        return w;
    }
    condition_watch_free(w);
    return NULL;
}

void condition_watch_free(struct condition_watch *w) {
    if (!w) return;
    for (size_t n = 0; n < w->r.unit_count; ++n) free(w->unit[n]);
    free(w->unit);
    free(w->code_of);
    condition_free(w->condition);
    wave_changes_free(&w->w);
    recording_free_notes(&w->r);
    pthread_mutex_destroy(&w->mutex);
    free(w);
}

/* Evaluates the condition up to a cycle. */
static void evaluate(struct condition_watch *w, uint64_t last) {
    const bool first = w->result.first == UINT64_MAX;
    changes_sort(&w->w.changes);
    invariant(!w->w.changes.count || w->w.changes.change->cycle >= w->state.cycle,
              "cycle %llu changes after the condition was evaluated in it",
              (unsigned long long)w->w.changes.change->cycle);
    condition_continue(&w->state, w->condition, &w->w, last, &w->result);
    if (first && w->result.first != UINT64_MAX && w->on_first) w->on_first(w->result.first);
    w->asked = w->w.changes.count + PENDING;
}

/* Evaluates cycles of a launch that goes on. Runs of cores are recorded when their repetition ends, which may
 * be any time later. */
static void evaluate_early(struct condition_watch *w) {
    const struct recording_launch *l = &w->r.launches[w->r.launch_count - 1];
    uint64_t last = UINT64_MAX;
    if (strcmp(l->mode, "mimd") == 0) return;
    for (size_t n = 0; n < w->r.unit_count; ++n)
        if (w->unit[n] && w->unit[n]->last < last) last = w->unit[n]->last;
    if (last > BEHIND && last - BEHIND > w->state.cycle) evaluate(w, last - BEHIND);
}

static void take_records(struct recorder *recorder) {
    struct unit *u = (struct unit *)recorder;
    struct condition_watch *w = u->watch;
    pthread_mutex_lock(&w->mutex);
    for (const struct record *r = u->room; r < recorder->next; ++r) {
        wave_changes_add(&w->w, u->number, r);
        if (record_last(r) > u->last) u->last = record_last(r);
    }
    if (w->r.launch_count && (w->w.changes.count > w->asked || u->last > w->state.cycle + CYCLES))
        evaluate_early(w);
    pthread_mutex_unlock(&w->mutex);
    for (const struct record *r = u->room; u->to && r < recorder->next; ++r) *recorder_add(u->to) = *r;
    recorder->next = u->room;
}

struct recorder *condition_watch_unit(struct condition_watch *w, unsigned unit, struct recorder *to) {
    struct unit *u = calloc(1, sizeof *u);
    require_memory(u);
    *u = (struct unit){.to = to, .watch = w, .number = unit};
    u->recorder =
        (struct recorder){.first = u->room, .next = u->room, .end = u->room + ROOM, .full = take_records};
    if (to) {
        u->recorder.accesses_first = to->accesses_first;
        u->recorder.accesses_end = to->accesses_end;
    }
    w->unit[unit] = u;
    return &u->recorder;
}

/* The lists of launches and codes may have moved. */
static void find_codes(struct condition_watch *w) {
    const size_t n = w->r.launch_count - 1;
    w->code_of = realloc(w->code_of, (n + 1) * sizeof *w->code_of);
    require_memory(w->code_of);
    w->code_of[n] = (size_t)(uintptr_t)w->r.launches[n].code;
    for (size_t k = 0; k <= n; ++k) w->r.launches[k].code = &w->r.codes[w->code_of[k]];
}

static void take_all(struct condition_watch *w) {
    for (size_t n = 0; n < w->r.unit_count; ++n)
        if (w->unit[n]) take_records(&w->unit[n]->recorder);
}

void condition_watch_note(struct condition_watch *w, const json_t *note) {
    const size_t launches = w->r.launch_count;
    take_all(w);
    json_t *copy = json_deep_copy(note); /* the names of launches are in it */
    invariant(copy && recording_take_note(&w->r, copy), "a note of a recording is refused");
    if (!w->r.notes) w->r.notes = json_array();
    json_array_append_new(w->r.notes, copy);
    if (w->r.launch_count > launches) find_codes(w);
    if (!w->r.launch_count) return;
    const struct recording_launch *l = &w->r.launches[w->r.launch_count - 1];
    if (w->r.launch_count > launches || json_object_get(note, "launch_end"))
        wave_changes_add_launch(&w->w, l);
    if (l->ended && l->end && json_object_get(note, "launch_end")) evaluate(w, l->end - 1);
}

struct condition_result condition_watch_end(struct condition_watch *w) {
    uint64_t last = w->state.cycle;
    take_all(w);
    for (size_t n = 0; n < w->w.changes.count; ++n)
        if (w->w.changes.change[n].cycle > last) last = w->w.changes.change[n].cycle;
    if (w->w.changes.count) evaluate(w, last);
    return w->result;
}
