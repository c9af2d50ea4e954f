/* Several rounds start in the lanes in a cycle (simt.multi_issue). With `warps`: one round of each of up to
 * simt.issue_width instructions of different warps. With `rounds`: as many rounds of one instruction as its
 * class has units.
 *
 * An instruction holds an issue slot of the lanes and a unit of its class from its first round until its
 * occupancy after the last round ends. Multiplications and divisions need the first unit of their kind. The
 * oldest collected instruction for which a slot and a unit are free starts; age is that of its selection in
 * S. An older instruction without slot or unit does not block it. Therefore a started instruction stalls only
 * for its accesses.
 *
 * Cycles are charged afterwards, since several instructions may use the same one. A cycle is charged to the
 * oldest instruction that starts a round in it or, if none does, to the oldest in the lanes. */
#include "model/core/functional_units.h"
#include "model/unit/services.h"

#include "sim/error.h"

#include <stdlib.h>

/* Capacity of the list: instructions in the lanes, and instructions that have just left them. */
enum { MOST = 2 * CORE_MAX_ISSUE_WIDTH };

struct in_lanes {
    uint64_t s, x, last; /* cycles of its selection, its first round and its last round */
    /* First cycle in which slot and unit are free; UNIT_NEVER if it, and `last`, are not known. */
    uint64_t end;
    uint32_t pc;
    /* Rounds in all; rounds that start together; cycles from one such group to the next. */
    unsigned rounds, together, occupancy;
    enum unit_kind kind;
    bool first;    /* needs the first unit of its kind */
    bool accesses; /* its beats are charged as they begin */
};

struct unit_several {
    bool rounds;              /* several rounds of one instruction start in a cycle */
    unsigned width;           /* issue slots of the lanes */
    unsigned units[3];        /* number of units by kind */
    uint64_t charged;         /* first cycle that has not been charged */
    uint64_t beat, beat_end;  /* first cycle of the last beat; first cycle after it */
    enum machine_cause cause; /* cause of the last beat's cycles */
    unsigned count;
    struct in_lanes at[MOST];
};

static struct unit_several *create(const struct machine_config *config) {
    struct unit_several *s = calloc(1, sizeof *s);
    require_memory(s);
    s->rounds = config->simt.multi_issue == MULTI_ISSUE_ROUNDS;
    s->width = s->rounds ? 1 : config->simt.issue_width;
    s->units[UNIT_INTEGER] = config->core.integer_units;
    s->units[UNIT_VFP] = config->core.vfp_units;
    s->units[UNIT_LOAD_STORE] = 1;
    return s;
}

static void several_begin(struct unit *u, uint64_t t) {
    u->several->count = 0;
    u->several->charged = t;
}

/* --- the account --- */

/* Returns the cause of cycle t for an instruction in the lanes, and sets the number of its rounds that start
 * then. */
static enum machine_cause cause_of(const struct unit_several *s, const struct in_lanes *i, uint64_t t,
                                   unsigned *rounds) {
    *rounds = 0;
    if (i->accesses) {
        if (t >= s->beat_end || (s->cause == MACHINE_CAUSE_EXECUTE && t != s->beat))
            return MACHINE_CAUSE_OCCUPIED;
        *rounds = s->cause == MACHINE_CAUSE_EXECUTE;
        return s->cause;
    }
    if ((t - i->x) % i->occupancy || t > i->last) return MACHINE_CAUSE_OCCUPIED;
    const unsigned before = (unsigned)(t - i->x) / i->occupancy * i->together, left = i->rounds - before;
    *rounds = left < i->together ? left : i->together;
    return MACHINE_CAUSE_EXECUTE;
}

/* Returns whether a cycle is charged to instruction i rather than to `other`. */
static bool goes_before(const struct in_lanes *i, bool starts, const struct in_lanes *other,
                        bool other_starts) {
    if (!other) return true;
    return starts == other_starts ? i->s < other->s : starts;
}

/* Charges the cycles before t, up to the first in which the lanes were idle. */
static void charge_used(struct unit *u, uint64_t t) {
    struct unit_several *s = u->several;
    for (; s->charged < t; ++s->charged) {
        const struct in_lanes *owner = NULL;
        enum machine_cause cause = MACHINE_CAUSE_OCCUPIED;
        unsigned started = 0, rounds;
        for (const struct in_lanes *i = s->at; i < s->at + s->count; ++i) {
            if (i->end <= s->charged) continue;
            const enum machine_cause own = cause_of(s, i, s->charged, &rounds);
            started += rounds;
            if (!goes_before(i, rounds != 0, owner, cause == MACHINE_CAUSE_EXECUTE)) continue;
            owner = i;
            cause = own;
        }
        if (!owner) return;
        simt_charge(&u->cluster->simt, cause, owner->pc, 1);
        histogram_count(&u->cluster->rounds_started, started);
    }
}

static void skip_unused(struct unit *u, uint64_t t) {
    struct unit_several *s = u->several;
    if (s->charged >= t) return;
    u->cluster->rounds_started.bucket[0] += t - s->charged;
    s->charged = t;
}

/* Charges the cycles before t, the cycle in which a flight starts. */
static void charge(struct unit *u, const struct unit_flight *f, uint64_t t) {
    charge_used(u, t);
    u->x_free = u->several->charged;
    if (u->x_free < t) SLOTS(u)->home->charge(u, f, t);
    u->x_free = t;
    skip_unused(u, t);
}

static void several_settle(struct unit *u, uint64_t t) {
    charge_used(u, t);
    skip_unused(u, t);
}

static void several_beat(struct unit *u, enum machine_cause cause, uint64_t cycles, uint64_t t) {
    struct unit_several *s = u->several;
    charge_used(u, t);
    s->cause = cause;
    s->beat = t;
    s->beat_end = t + cycles;
}

/* --- places and units --- */

static enum unit_kind kind_of(const struct unit_flight *f) {
    return f->i ? unit_of(f->i->class) : UNIT_INTEGER;
}
static bool is_first(const struct unit_flight *f) {
    return f->i && needs_first_unit(f->i->class);
}

/* Returns the n-th largest of `count` cycles, counted from 1; 0 if there are fewer. */
static uint64_t nth_largest(uint64_t *cycle, unsigned count, unsigned n) {
    uint64_t most = 0;
    for (; n; --n) {
        unsigned at = 0;
        if (!count) return 0;
        for (unsigned k = 1; k < count; ++k)
            if (cycle[k] > cycle[at]) at = k;
        most = cycle[at];
        cycle[at] = cycle[--count];
    }
    return most;
}

/* Returns the first cycle in which a flight's rounds may start; UNIT_NEVER if that depends on accesses. */
static uint64_t may_start(const struct unit *u, const struct unit_flight *f) {
    const struct unit_several *s = u->several;
    const enum unit_kind kind = kind_of(f);
    const bool first = is_first(f);
    uint64_t place[MOST], unit[MOST], first_unit[MOST], from = f->collected + 1;
    unsigned places = 0, units = 0, first_units = 0;
    for (unsigned n = 0; n < s->count; ++n) {
        const struct in_lanes *i = &s->at[n];
        place[places++] = i->end;
        if (i->kind == kind) unit[units++] = i->end;
        if (i->kind == kind && i->first && first) first_unit[first_units++] = i->end;
    }
    later(&from, nth_largest(place, places, s->width));
    later(&from, nth_largest(unit, units, s->units[kind]));
    later(&from, nth_largest(first_unit, first_units, 1));
    return from;
}

static uint64_t several_due(const struct unit *u) {
    uint64_t due = u->x_flight == UNIT_NONE ? UNIT_NEVER : u->x_next;
    for (uint32_t n = u->started; n != u->collecting; ++n) earlier(&due, may_start(u, unit_nth(u, n)));
    return due;
}

/* Returns the first cycle with a free collector. A collector is free when the last round of its flight has
 * started. */
static uint64_t several_room(const struct unit *u) {
    const struct unit_several *s = u->several;
    const unsigned waiting = u->collecting - u->started;
    uint64_t held[MOST], due = unit_nth(u, u->collecting)->left + 2;
    if (waiting >= u->collectors) return UNIT_NEVER;
    for (unsigned n = 0; n < s->count; ++n)
        held[n] = s->at[n].last == UNIT_NEVER ? UNIT_NEVER : s->at[n].last + 1;
    later(&due, u->o_free);
    later(&due, nth_largest(held, s->count, u->collectors - waiting));
    return due;
}

static unsigned several_in_use(const struct unit *u, uint64_t t) {
    unsigned count = 0;
    for (unsigned n = 0; n < u->several->count; ++n) {
        const struct in_lanes *i = &u->several->at[n];
        count += i->x <= t && t < i->end;
    }
    return count;
}

/* --- X --- */

/* Sets the first cycle in which the lanes are free: all instructions have left them. */
static void note_free(struct unit *u) {
    const struct unit_several *s = u->several;
    u->x_free = 0;
    for (unsigned n = 0; n < s->count; ++n) later(&u->x_free, s->at[n].end);
}

static void forget_left(struct unit *u, uint64_t t) {
    struct unit_several *s = u->several;
    unsigned kept = 0;
    for (unsigned n = 0; n < s->count; ++n)
        if (s->at[n].end >= t) s->at[kept++] = s->at[n];
    s->count = kept;
}

static void access(struct unit *u, uint64_t t) {
    struct unit_several *s = u->several;
    struct unit_flight *f = &u->flight[u->x_flight];
    SLOTS(u)->home->access(u, f, t);
    for (unsigned n = 0; u->x_flight == UNIT_NONE && n < s->count; ++n) {
        if (s->at[n].end != UNIT_NEVER) continue;
        s->at[n].last = t;
        s->at[n].end = u->x_next;
    }
    note_free(u);
}

/* Makes the flight the oldest one that waits for the lanes. */
static void bring_forward(struct unit *u, uint32_t n) {
    const uint8_t number = u->order[n % UNIT_RING];
    for (; n != u->started; --n) u->order[n % UNIT_RING] = u->order[(n - 1) % UNIT_RING];
    u->order[n % UNIT_RING] = number;
}

static void note_late(struct unit *u, const struct unit_flight *f, uint64_t t) {
    if (f->collected + 1 == t) return;
    if (several_in_use(u, t - 1) >= u->several->width)
        ++u->cluster->late_places;
    else
        ++u->cluster->late_units;
}

/* Sets the cycles of a flight that does not access memory; all its rounds are known. */
static void start_rounds(struct unit *u, struct unit_flight *f, struct in_lanes *i) {
    i->last = i->x + (uint64_t)((i->rounds - 1) / i->together) * i->occupancy;
    i->end = i->last + i->occupancy;
    f->last = i->last;
    u->x_last = i->last;
    unit_land(u, (unsigned)(f - u->flight), i->last + unit_latency(u, f) - 1);
}

/* Starts flight n in cycle t. Returns false if it fails. */
static bool start(struct unit *u, uint32_t n, uint64_t t) {
    struct unit_several *s = u->several;
    bring_forward(u, n);
    struct unit_flight *f = nth(u, u->started);
    const unsigned number = (unsigned)(f - u->flight);
    note_late(u, f, t);
    charge(u, f, t);
    if (!unit_take_collected(u, t)) return false;
    struct in_lanes *i = &s->at[s->count++];
    *i = (struct in_lanes){.s = f->s,
                           .x = t,
                           .last = UNIT_NEVER,
                           .end = UNIT_NEVER,
                           .pc = f->pc,
                           .rounds = f->rounds,
                           .occupancy = unit_occupancy(u, f),
                           .kind = kind_of(f),
                           .first = is_first(f),
                           .accesses = unit_accesses_memory(f)};
    i->together = s->rounds && !i->first ? s->units[i->kind] : 1;
    if (i->accesses) {
        SLOTS(u)->home->begin(u, number, t);
        access(u, t);
        return true;
    }
    start_rounds(u, f, i);
    note_free(u);
    return true;
}

/* Returns the oldest flight that may start in cycle t; u->collecting if there is none. */
static uint32_t startable(const struct unit *u, uint64_t t) {
    uint32_t n = u->started;
    while (n != u->collecting && may_start(u, unit_nth(u, n)) > t) ++n;
    return n;
}

static uint64_t several_execute(struct unit *u, uint64_t t) {
    uint64_t next = several_due(u);
    if (t >= next) {
        charge_used(u, t);
        forget_left(u, t);
        if (u->x_flight != UNIT_NONE && t >= u->x_next) access(u, t);
        for (uint32_t n; (n = startable(u, t)) != u->collecting;)
            if (!start(u, n, t)) break;
        next = several_due(u);
    }
    earlier(&next, u->held.next);
    return next;
}

static const struct several_slot several = {.create = create,
                                            .begin = several_begin,
                                            .due = several_due,
                                            .room = several_room,
                                            .beat = several_beat,
                                            .settle = several_settle,
                                            .in_use = several_in_use};

const struct lanes_slot lanes_multi_warps = {.execute = several_execute, .several = &several};
const struct lanes_slot lanes_multi_rounds = {.execute = several_execute, .several = &several};
