/* Terms of instructions of a streaming multiprocessor (docs/gpu-like.md §3). */
#include "recording/causes_terms.h"

#define FRONT_CYCLES 4    /* barrel issue: from S to O, if nothing is held */
#define FAR          2048 /* flights before another one among which its producers and its unit's flights are */

static const struct recording_operands *operands_at(const struct causes *c, size_t n) {
    const struct record *f = &c->flight[n];
    const struct recording_launch *l = recording_launch_at(c->r, f->cycle);
    return l ? recording_operands_of(l->code, f->pc) : NULL;
}

/* Returns the flight of the same warp that was selected before; SIZE_MAX: none is known. */
static size_t own_before(const struct causes *c, size_t n) {
    const unsigned warp = c->flight[n].place;
    for (size_t m = n; m-- > 0 && n - m < FAR;)
        if (c->flight[m].place == warp) return m;
    return SIZE_MAX;
}

static bool same_scheduler(const struct causes *c, size_t n, size_t m) {
    return c->flight[n].place % c->schedulers == c->flight[m].place % c->schedulers;
}

static bool same_kind(const struct causes *c, size_t n, size_t m) {
    return (c->flight[n].flags & RECORD_ACCESSES) == (c->flight[m].flags & RECORD_ACCESSES);
}

/* Names the lowest register of a set. */
static void name_register(uint64_t set, char text[16]) {
    const unsigned n = (unsigned)__builtin_ctzll(set);
    if (n < 16)
        snprintf(text, 16, "r%u", n);
    else if (n < 48)
        snprintf(text, 16, "s%u", n - 16);
    else
        snprintf(text, 16, n < 51 ? "the flags" : n == 52 ? "d16 to d31" : "other state");
}

#define OF_PC   (UINT64_C(1) << 15)
#define TRACKED (((UINT64_C(1) << 51) - 1) & ~OF_PC) /* resources of the scoreboard */

/* Adds terms of the scoreboard: the last result of an older instruction that this one reads or writes, and
 * the last read of a register that this one writes. */
static void hazard_terms(const struct causes *c, size_t n, struct terms *t) {
    const struct recording_operands *own = operands_at(c, n), *of;
    size_t producer = SIZE_MAX, reader = SIZE_MAX;
    uint64_t produced = 0, read = 0;
    for (size_t m = own_before(c, n); own && m != SIZE_MAX && n - m < FAR; m = own_before(c, m)) {
        if (!(of = operands_at(c, m))) break;
        const uint64_t needs = of->writes & (own->reads | own->writes) & TRACKED;
        const uint64_t kept = of->reads & own->writes & TRACKED;
        if (needs && stamp_at(c, m, RECORD_COMMIT) <= c->flight[n].cycle &&
            (producer == SIZE_MAX || stamp_at(c, m, RECORD_COMMIT) > stamp_at(c, producer, RECORD_COMMIT))) {
            producer = m;
            produced = needs;
        }
        if (kept && stamp_at(c, m, RECORD_LAST) <= c->flight[n].cycle &&
            (reader == SIZE_MAX || stamp_at(c, m, RECORD_LAST) > stamp_at(c, reader, RECORD_LAST))) {
            reader = m;
            read = kept;
        }
    }
    char name[16];
    if (producer != SIZE_MAX) {
        struct term *x = terms_add(t, stamp_at(c, producer, RECORD_COMMIT), producer, RECORD_COMMIT);
        name_register(produced, name);
        snprintf(x->text, sizeof x->text, "0x%" PRIx32 " writes %s", c->flight[producer].pc, name);
    }
    if (reader != SIZE_MAX) {
        struct term *x = terms_add(t, stamp_at(c, reader, RECORD_LAST), reader, RECORD_LAST);
        name_register(read, name);
        snprintf(x->text, sizeof x->text, "0x%" PRIx32 " has read %s", c->flight[reader].pc, name);
    }
}

/* Returns a flight that leaves a unit, so that this one can take its place; SIZE_MAX: none. */
static size_t leaves_before(const struct causes *c, size_t n, uint64_t cycle) {
    for (size_t m = n; m-- > 0 && n - m < FAR;)
        if (same_kind(c, n, m) && stamp_at(c, m, RECORD_LAST) + 1 == cycle) return m;
    return SIZE_MAX;
}

/* Returns the flight of the same scheduler that was selected so many before another one; SIZE_MAX: none is
 * known. */
static size_t of_scheduler_before(const struct causes *c, size_t n, unsigned count) {
    for (size_t m = n; m-- > 0 && n - m < FAR;)
        if (same_scheduler(c, n, m) && --count == 0) return m;
    return SIZE_MAX;
}

/* A selection with barrel issue. A, F, D and the dispatch queue are in front of the collectors. */
static void barrel_terms(const struct causes *c, size_t n, struct terms *t) {
    const size_t before = own_before(c, n), front = of_scheduler_before(c, n, c->queue + 2);
    struct term *x;
    if (before != SIZE_MAX) {
        x = terms_add(t, stamp_at(c, before, RECORD_COMMIT) + 1, before, RECORD_COMMIT);
        snprintf(x->text, sizeof x->text, "its instruction before commits");
    }
    if (front == SIZE_MAX) return;
    x = terms_add(t, stamp_at(c, front, RECORD_O), front, RECORD_O);
    snprintf(x->text, sizeof x->text, "the front end is full until warp %u starts O", c->flight[front].place);
}

/* Returns whether an instruction holds its warp until its last round. */
static bool holds_warp(const struct recording_operands *of) {
    return of && (of->kind == 'b' || of->kind == 'p' || of->writes & OF_PC);
}

static void scoreboard_terms(const struct causes *c, size_t n, struct terms *t) {
    const size_t before = own_before(c, n), other = leaves_before(c, n, c->flight[n].cycle);
    struct term *x;
    if (before != SIZE_MAX) {
        const struct recording_operands *of = operands_at(c, before);
        x = terms_add(t, stamp_at(c, before, CAUSES_S) + c->issues_one, before, CAUSES_S);
        snprintf(x->text, sizeof x->text, "its instruction before is issued");
        if (holds_warp(of)) {
            const unsigned stamp = of->kind == 'l' ? RECORD_COMMIT : RECORD_LAST;
            x = terms_add(t, stamp_at(c, before, stamp) + 1, before, stamp);
            snprintf(x->text, sizeof x->text, "its branch or barrier before is decided");
        }
    }
    hazard_terms(c, n, t);
    if (other == SIZE_MAX) return;
    x = terms_add(t, c->flight[n].cycle, other, RECORD_LAST);
    snprintf(x->text, sizeof x->text, "an operand collector is held by warp %u", c->flight[other].place);
}

static void issue_terms(const struct causes *c, size_t n, struct terms *t) {
    const struct record *event = causes_last_event(c, c->flight[n].place, c->flight[n].cycle);
    const size_t before = own_before(c, n);
    if (event && (before == SIZE_MAX || c->flight[before].cycle < event->cycle))
        causes_event_terms(c, n, event, t);
    (c->barrel ? barrel_terms : scoreboard_terms)(c, n, t);
}

static void round_terms(const struct causes *c, size_t n, struct terms *t) {
    const uint64_t x_first = stamp_at(c, n, RECORD_X), o = stamp_at(c, n, RECORD_O);
    const size_t other = leaves_before(c, n, x_first);
    struct term *x = terms_add(t, o + 1, n, RECORD_O);
    snprintf(x->text, sizeof x->text, "the operands of its first round are there");
    if (other == SIZE_MAX || x_first == o + 1) return;
    x = terms_add(t, x_first, other, RECORD_LAST);
    snprintf(x->text, sizeof x->text, "its unit is held by warp %u", c->flight[other].place);
}

static void collect_terms(const struct causes *c, size_t n, struct terms *t) {
    const size_t other = c->barrel ? of_scheduler_before(c, n, c->collectors) : SIZE_MAX;
    struct term *x = terms_add(t, stamp_at(c, n, CAUSES_S) + (c->barrel ? FRONT_CYCLES : 1), n, CAUSES_S);
    snprintf(x->text, sizeof x->text, "%s", c->barrel ? "it has passed A, F and D" : "it is issued");
    if (other == SIZE_MAX) return;
    x = terms_add(t, stamp_at(c, other, RECORD_LAST) + 1, other, RECORD_LAST);
    snprintf(x->text, sizeof x->text, "an operand collector is held by warp %u", c->flight[other].place);
}

void causes_sm_terms(const struct causes *c, struct causes_at a, struct terms *t) {
    struct term *x;
    switch (a.stamp) {
    case CAUSES_S: issue_terms(c, a.flight, t); return;
    case RECORD_O: collect_terms(c, a.flight, t); return;
    case RECORD_X: round_terms(c, a.flight, t); return;
    case RECORD_F:
    case RECORD_FETCHED:
    case RECORD_LEFT: /* these are not recorded, and equal the selection */
        x = terms_add(t, causes_cycle(c, a), a.flight, CAUSES_S);
        snprintf(x->text, sizeof x->text, "it is issued");
        return;
    default: return;
    }
}
