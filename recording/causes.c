#include "recording/causes_terms.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- reading --- */

static void *room_for(void *items, size_t count, size_t *room) {
    if (count < *room) return items;
    *room = *room ? 2 * *room : 1024;
    items = realloc(items, *room * sizeof(struct record));
    require_memory(items);
    return items;
}

static void keep(void *context, unsigned unit, const struct record *x) {
    struct causes *c = context;
    if (unit != c->unit || x->place >= c->r->units[unit].warps || x->cycle < c->first) return;
    if (x->kind == RECORD_FLIGHT) {
        c->flight = room_for(c->flight, c->count, &c->room);
        c->flight[c->count++] = *x;
    } else if (x->kind >= RECORD_START && x->kind <= RECORD_RELEASE) {
        c->event = room_for(c->event, c->events, &c->event_room);
        c->event[c->events++] = *x;
    }
}

static int by_cycle(const void *a, const void *b) {
    const struct record *x = a, *y = b;
    if (x->cycle != y->cycle) return x->cycle < y->cycle ? -1 : 1;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    return (x->pc > y->pc) - (x->pc < y->pc); /* two instructions of a warp */
}

static unsigned field(const struct recording *r, const char *name, unsigned otherwise) {
    const json_t *value = json_object_get(json_object_get(r->head, "configuration"), name);
    return json_is_integer(value) ? (unsigned)json_integer_value(value) : otherwise;
}

/* Returns whether a field of the configuration has a name, and not this one. */
static bool is_not(const struct recording *r, const char *name, const char *value) {
    const char *text = json_string_value(json_object_get(json_object_get(r->head, "configuration"), name));
    return text && strcmp(text, value) != 0;
}

static bool has_operands(const struct recording *r) {
    for (size_t n = 0; n < r->code_count; ++n)
        if (!r->codes[n].operands) return false;
    return true;
}

bool causes_read(struct causes *c, const struct recording *r, unsigned unit, uint64_t cycle,
                 struct error *e) {
    *c = (struct causes){.r = r,
                         .unit = unit,
                         .first = cycle > CAUSES_CYCLES ? cycle - CAUSES_CYCLES : 0,
                         .arbitrate = field(r, "simt.arbitrate_cycles", 1),
                         .queue = field(r, "simt.queue_entries", 2),
                         .collectors = field(r, "simt.collectors", 1),
                         .several = is_not(r, "simt.multi_issue", "off"),
                         .sm = r->units[unit].sm,
                         .barrel = r->units[unit].barrel,
                         .issues_one = r->units[unit].issues_one,
                         .schedulers = r->units[unit].schedulers};
    if (c->sm && !has_operands(r))
        return error_set(
            e, EXIT_USER,
            "%s: an older lockstep has made it, without the operands of instructions: record the "
            "run again",
            r->path);
    if (!recording_records(r, c->first, cycle + CAUSES_CYCLES, keep, c, e)) return false;
    if (c->count) qsort(c->flight, c->count, sizeof *c->flight, by_cycle);
    if (c->events) qsort(c->event, c->events, sizeof *c->event, by_cycle);
    return true;
}

void causes_free(struct causes *c) {
    free(c->flight);
    free(c->event);
}

uint64_t causes_cycle(const struct causes *c, struct causes_at at) {
    const struct record *f = &c->flight[at.flight];
    return at.stamp == CAUSES_S ? f->cycle : f->cycle + f->after[at.stamp];
}

bool causes_awaited(const struct causes *c, unsigned warp, uint64_t cycle, struct causes_at *at) {
    static const unsigned order[] = {CAUSES_S,      RECORD_F,         RECORD_FETCHED, RECORD_LEFT,
                                     RECORD_O,      RECORD_COLLECTED, RECORD_X,       RECORD_LAST,
                                     RECORD_RESULT, RECORD_COMMIT};
    /* several instructions of a warp are in flight at once: it waits for the next one */
    for (size_t n = 0; c->sm && n < c->count; ++n) {
        *at = (struct causes_at){n, CAUSES_S};
        if (c->flight[n].place == warp && c->flight[n].cycle >= cycle) return true;
    }
    for (size_t n = 0; n < c->count; ++n) {
        if (c->flight[n].place != warp) continue;
        for (unsigned s = 0; s < sizeof order / sizeof *order; ++s) {
            *at = (struct causes_at){n, order[s]};
            if (causes_cycle(c, *at) >= cycle) return true;
        }
    }
    return false;
}

bool causes_event(const struct causes *c, unsigned warp, unsigned stamp, uint64_t cycle,
                  struct causes_at *at) {
    for (size_t n = 0; n < c->count; ++n) {
        *at = (struct causes_at){n, stamp};
        if (c->flight[n].place == warp && causes_cycle(c, *at) >= cycle) return true;
    }
    return false;
}

/* --- terms --- */

const struct record *causes_last_event(const struct causes *c, unsigned warp, uint64_t cycle) {
    const struct record *last = NULL;
    for (size_t n = 0; n < c->events && c->event[n].cycle <= cycle + 1; ++n)
        if (c->event[n].place == warp &&
            (c->event[n].kind == RECORD_START || c->event[n].kind == RECORD_RELEASE))
            last = &c->event[n];
    return last;
}

/* Returns whether threads of a warp leave a barrier in a cycle. */
static bool is_released(const struct causes *c, unsigned warp, uint64_t cycle) {
    for (size_t n = 0; n < c->events && c->event[n].cycle <= cycle; ++n)
        if (c->event[n].cycle == cycle && c->event[n].kind == RECORD_RELEASE && c->event[n].place == warp)
            return true;
    return false;
}

/* A streaming multiprocessor has several work-groups: those of the warps that are released are meant. */
size_t causes_last_arrival(const struct causes *c, uint64_t release) {
    const struct record *last = NULL;
    for (size_t n = 0; n < c->events && c->event[n].cycle < release; ++n)
        if ((c->event[n].kind == RECORD_ARRIVE || c->event[n].kind == RECORD_EXIT) &&
            (!c->sm || is_released(c, c->event[n].place, release)))
            last = &c->event[n];
    for (size_t n = c->count; last && n-- > 0;)
        if (c->flight[n].place == last->place &&
            (c->sm ? c->flight[n].cycle < last->cycle : stamp_at(c, n, RECORD_COMMIT) + 1 == last->cycle))
            return n;
    return SIZE_MAX;
}

static void selection_terms(const struct causes *c, size_t n, struct terms *t) {
    const struct record *f = &c->flight[n], *event = causes_last_event(c, f->place, f->cycle);
    size_t own = n;
    while (own > 0 && c->flight[own - 1].place != f->place) --own;
    struct term *x;
    if (own > 0) {
        x = terms_add(t, stamp_at(c, own - 1, RECORD_COMMIT) + 1, own - 1, RECORD_COMMIT);
        snprintf(x->text, sizeof x->text, "its instruction before commits");
    }
    if (n > 0) {
        x = terms_add(t, stamp_at(c, n - 1, RECORD_F) - 1, n - 1, RECORD_F);
        snprintf(x->text, sizeof x->text, "the front end is held until warp %u enters F",
                 c->flight[n - 1].place);
    }
    if (event) causes_event_terms(c, n, event, t);
}

void causes_event_terms(const struct causes *c, size_t n, const struct record *event, struct terms *t) {
    const struct record *f = &c->flight[n];
    struct term *x;
    if (event->kind == RECORD_START) {
        x = terms_add(t, event->cycle - 1, n, CAUSES_S);
        x->is_stop = true;
        snprintf(x->text, sizeof x->text, "its work-group begins");
        return;
    }
    const size_t arrival = causes_last_arrival(c, event->cycle);
    x = terms_add(t, event->cycle, arrival == SIZE_MAX ? n : arrival,
                  arrival == SIZE_MAX ? CAUSES_S : RECORD_COMMIT);
    x->is_stop = arrival == SIZE_MAX;
    snprintf(x->text, sizeof x->text, "the barrier opens, to which warp %u came last",
             (arrival == SIZE_MAX ? f : &c->flight[arrival])->place);
}

static void front_terms(const struct causes *c, size_t n, unsigned stamp, struct terms *t) {
    struct term *x;
    if (stamp == RECORD_F) {
        x = terms_add(t, stamp_at(c, n, CAUSES_S) + 1 + c->arbitrate, n, CAUSES_S);
        snprintf(x->text, sizeof x->text, "its PC has been arbitrated");
        if (n == 0) return;
        x = terms_add(t, stamp_at(c, n - 1, RECORD_LEFT) + 1, n - 1, RECORD_LEFT);
        snprintf(x->text, sizeof x->text, "F is held by warp %u", c->flight[n - 1].place);
    } else if (stamp == RECORD_FETCHED) {
        const uint64_t cycles = stamp_at(c, n, RECORD_FETCHED) - stamp_at(c, n, RECORD_F);
        x = terms_add(t, stamp_at(c, n, RECORD_FETCHED), n, RECORD_F);
        x->is_stop = cycles > 0;
        if (cycles)
            snprintf(x->text, sizeof x->text, "the L1I or the ITLB has missed: %" PRIu64 " cycles", cycles);
        else
            snprintf(x->text, sizeof x->text, "F has begun, and hits");
    } else {
        x = terms_add(t, stamp_at(c, n, RECORD_FETCHED), n, RECORD_FETCHED);
        snprintf(x->text, sizeof x->text, "the instruction is there");
        if (n < c->queue) return;
        x = terms_add(t, stamp_at(c, n - c->queue, RECORD_O), n - c->queue, RECORD_O);
        snprintf(x->text, sizeof x->text, "the dispatch queue is full until warp %u starts O",
                 c->flight[n - c->queue].place);
    }
}

/* The flight, selected not long before or after another one, whose last round ends before a cycle; SIZE_MAX
 * if there is none. */
static size_t ends_before(const struct causes *c, size_t n, uint64_t cycle) {
    const size_t from = n < CAUSES_NEAR ? 0 : n - CAUSES_NEAR,
                 to = c->count < n + CAUSES_NEAR ? c->count : n + CAUSES_NEAR;
    for (size_t m = from; m < to; ++m)
        if (m != n && stamp_at(c, m, RECORD_LAST) + 1 == cycle) return m;
    return SIZE_MAX;
}

/* O and X where several instructions are in the lanes at once. */
static void several_terms(const struct causes *c, size_t n, unsigned stamp, struct terms *t) {
    const bool collects = stamp == RECORD_O;
    const unsigned before = collects ? RECORD_LEFT : RECORD_COLLECTED;
    const size_t other = ends_before(c, n, stamp_at(c, n, stamp));
    struct term *x = terms_add(t, stamp_at(c, n, before) + (collects ? 2 : 1), n, before);
    snprintf(x->text, sizeof x->text, "%s", collects ? "it is decoded" : "its operands are there");
    if (collects && n > 0) {
        x = terms_add(t, stamp_at(c, n - 1, RECORD_COLLECTED) + 1, n - 1, RECORD_COLLECTED);
        snprintf(x->text, sizeof x->text, "operands are read for warp %u", c->flight[n - 1].place);
    }
    if (other == SIZE_MAX) return;
    x = terms_add(t, stamp_at(c, n, stamp), other, RECORD_LAST);
    snprintf(x->text, sizeof x->text, "%s held by warp %u",
             collects ? "an operand collector is" : "a place in the lanes or a unit is",
             c->flight[other].place);
}

static void operand_terms(const struct causes *c, size_t n, unsigned stamp, struct terms *t) {
    struct term *x;
    if (stamp == RECORD_O) {
        x = terms_add(t, stamp_at(c, n, RECORD_LEFT) + 2, n, RECORD_LEFT);
        snprintf(x->text, sizeof x->text, "it is decoded");
        if (n == 0) return;
        const bool one = c->collectors < 2;
        x = terms_add(t, stamp_at(c, n - 1, one ? RECORD_LAST : RECORD_X) + one, n - 1,
                      one ? RECORD_LAST : RECORD_X);
        snprintf(x->text, sizeof x->text, "the operand collector is held by warp %u", c->flight[n - 1].place);
    } else if (stamp == RECORD_COLLECTED) {
        x = terms_add(t, stamp_at(c, n, RECORD_COLLECTED), n, RECORD_O);
        snprintf(x->text, sizeof x->text, "operands are read in %" PRIu64 " cycles",
                 stamp_at(c, n, RECORD_COLLECTED) + 1 - stamp_at(c, n, RECORD_O));
    } else {
        x = terms_add(t, stamp_at(c, n, RECORD_COLLECTED) + 1, n, RECORD_COLLECTED);
        snprintf(x->text, sizeof x->text, "its operands are there");
        if (n == 0) return;
        x = terms_add(t, stamp_at(c, n - 1, RECORD_LAST) + 1, n - 1, RECORD_LAST);
        snprintf(x->text, sizeof x->text, "the lanes are held by warp %u", c->flight[n - 1].place);
    }
}

static void result_terms(const struct causes *c, size_t n, unsigned stamp, struct terms *t) {
    const bool accesses = c->flight[n].flags & RECORD_ACCESSES;
    struct term *x;
    if (stamp == RECORD_LAST) {
        x = terms_add(t, stamp_at(c, n, RECORD_LAST), n, RECORD_X);
        snprintf(x->text, sizeof x->text, "its rounds start from the first one on, in %" PRIu64 " cycles",
                 stamp_at(c, n, RECORD_LAST) + 1 - stamp_at(c, n, RECORD_X));
    } else if (stamp == RECORD_RESULT) {
        const uint64_t last = stamp_at(c, n, RECORD_LAST), result = stamp_at(c, n, RECORD_RESULT);
        x = terms_add(t, result, n, result < last ? RECORD_X : RECORD_LAST);
        x->is_stop = accesses && result > last + 1;
        if (result < last)
            snprintf(x->text, sizeof x->text, "nothing is awaited of its last rounds");
        else
            snprintf(x->text, sizeof x->text, "%s %" PRIu64 " cycles after its last round",
                     accesses ? "memory answers" : "its result is there", result - last);
    } else {
        x = terms_add(t, stamp_at(c, n, RECORD_COMMIT), n, RECORD_RESULT);
        snprintf(x->text, sizeof x->text, "its result is there");
    }
}

static void terms_of(const struct causes *c, struct causes_at a, struct terms *t) {
    t->count = 0;
    if (c->sm && (a.stamp == CAUSES_S || (a.stamp <= RECORD_X && a.stamp != RECORD_COLLECTED))) {
        causes_sm_terms(c, a, t);
        return;
    }
    switch (a.stamp) {
    case CAUSES_S: selection_terms(c, a.flight, t); return;
    case RECORD_F:
    case RECORD_FETCHED:
    case RECORD_LEFT: front_terms(c, a.flight, a.stamp, t); return;
    case RECORD_O:
    case RECORD_X:
        if (c->several) {
            several_terms(c, a.flight, a.stamp, t);
            return;
        }
        operand_terms(c, a.flight, a.stamp, t);
        return;
    case RECORD_COLLECTED: operand_terms(c, a.flight, a.stamp, t); return;
    default: result_terms(c, a.flight, a.stamp, t);
    }
}

/* The latest term; the first of equals. */
static const struct term *winner(const struct terms *t) {
    const struct term *most = NULL;
    for (unsigned n = 0; n < t->count; ++n)
        if (!most || t->term[n].cycle > most->cycle) most = &t->term[n];
    return most;
}

bool causes_known(const struct causes *c, struct causes_at a) {
    struct terms t;
    terms_of(c, a, &t);
    const struct term *w = winner(&t);
    return w && w->cycle == causes_cycle(c, a);
}

/* Returns the flight that the scheduler has selected instead of one; SIZE_MAX: none is known. */
static size_t chosen_before(const struct causes *c, size_t n) {
    if (!c->sm) return n > 0 ? n - 1 : SIZE_MAX;
    for (size_t m = n; m-- > 0 && c->flight[m].cycle + 1 >= c->flight[n].cycle;)
        if (c->flight[m].cycle + 1 == c->flight[n].cycle &&
            c->flight[m].place % c->schedulers == c->flight[n].place % c->schedulers)
            return m;
    return SIZE_MAX;
}

bool causes_of(const struct causes *c, struct causes_at a, char text[CAUSES_TEXT], struct causes_at *before) {
    struct terms t;
    terms_of(c, a, &t);
    const struct term *w = winner(&t);
    const uint64_t cycle = causes_cycle(c, a);
    if (w && w->cycle == cycle) {
        snprintf(text, CAUSES_TEXT, "%s", w->text);
        *before = w->before;
        return !w->is_stop;
    }
    const size_t chosen =
        w && w->cycle < cycle && a.stamp == CAUSES_S ? chosen_before(c, a.flight) : SIZE_MAX;
    if (chosen != SIZE_MAX) {
        snprintf(text, CAUSES_TEXT, "it is ready since %" PRIu64 "; the scheduler selects warp %u before",
                 w->cycle, c->flight[chosen].place);
        *before = (struct causes_at){chosen, CAUSES_S};
        return true;
    }
    if (c->sm && w && w->cycle < cycle) { /* fetches, banks and transactions have no records */
        snprintf(text, CAUSES_TEXT, "%.160s in %" PRIu64 "; then %s", w->text, w->cycle,
                 a.stamp == RECORD_X   ? "banks or its unit are busy"
                 : a.stamp == RECORD_O ? "it is fetched, or the dispatch queue is full"
                                       : "it is fetched, or has no operand collector");
        *before = w->before;
        return !w->is_stop;
    }
    snprintf(text, CAUSES_TEXT, "the records do not say why");
    return false;
}
