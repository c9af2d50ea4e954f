/* X and W: rounds start in their units; results are written to the banks (gpu-like.md §3). */
#include "model/sm/regrouped.h"
#include "model/sm/sm_parts.h"

#include "sim/error.h"

#include <string.h>

/* --- W --- */

/* Returns the cycle in which the result of a round may be written. Rounds of a load follow one another; with
 * barrel issue they are written together. */
static uint64_t write_due(const struct sm *s, const struct sm_flight *f, unsigned round) {
    if (f->by_round)
        return round < f->served ? f->x_at[round] + s->config->local.latency_cycles + 1 : SM_NEVER;
    if (f->from_memory) return f->w_first + (s->barrel ? 0 : round);
    const unsigned x = s->lanes.apart && f->kind == SM_SFU ? sm_lanes_sfu_cycle(s, f, round) : round;
    return x < f->x_round ? f->x_at[x] + f->latency : SM_NEVER;
}

/* Clears `resources` of the scoreboard. A register that a younger instruction of the same kind will write
 * stays pending. */
static void release(struct sm *s, struct sm_flight *f, uint64_t resources) {
    struct sm_warp *w = &s->warp[f->warp];
    for (uint64_t rest = s->lanes.chaining ? resources & (bit_of(ARM_REGISTERS) - 1) : 0; rest;
         rest &= rest - 1) {
        const struct sm_flight *last = &s->flight[w->producer[__builtin_ctzll(rest)]];
        if (last != f && last->kind == f->kind) resources &= ~(rest & -rest);
    }
    w->pending[f->kind] &= ~resources;
    if (sm_concerns(s, w, resources)) sm_refresh(s, f->warp);
}

/* Writes the rounds of register d that are due and whose banks are free. The scalar register file has one
 * port. Returns the cycle of the next attempt; SM_NEVER if that depends on the start of another round. */
static uint64_t write_rounds(struct sm *s, struct sm_flight *f, unsigned d, uint64_t t) {
    const bool scalar = f->uniform.scalars >> d & 1, beside = scalar && s->lanes.scalar_unit;
    const bool srf = scalar && s->config->uniform.storage == UNIFORM_SRF;
    uint64_t next = SM_NEVER;
    bool waits = false;
    for (uint64_t rest = f->w_left[d]; rest; rest &= rest - 1) {
        const unsigned round = (unsigned)__builtin_ctzll(rest);
        const uint64_t due = write_due(s, f, round);
        if (due > t) {
            sm_earlier(&next, due);
            break;
        }
        if (srf ? s->srf_taken : !beside && !sm_take_banks(s, f, d, round, true)) {
            waits = true;
            if (!s->lanes.by_round) break; /* all rounds write the same bank */
            continue;
        }
        s->srf_taken |= srf;
        s->vrf_writes += !srf && !beside;
        f->w_left[d] &= ~(rest & -rest);
    }
    s->vrf_conflict_cycles += waits && !srf;
    return waits ? t + 1 : next;
}

/* Writes the due rounds of register d and releases the register after its last round. */
static void write_register(struct sm *s, struct sm_flight *f, unsigned d, uint64_t t) {
    const bool waits_for_first = f->w_left[d] & 1;
    sm_earlier(&f->w_next, write_rounds(s, f, d, t));
    if (!f->w_left[d]) {
        f->destinations &= ~bit_of(d);
        release(s, f, bit_of(d));
    } else if (s->lanes.chaining && waits_for_first && !(f->w_left[d] & 1)) {
        sm_refresh(s, f->warp);
    }
}

static void write_flags(struct sm *s, struct sm_flight *f, uint64_t t) {
    const uint64_t due = f->x_round == f->rounds ? write_due(s, f, f->of_beat - 1u) : SM_NEVER;
    if (due <= t && s->barrel && sm_is_memory_barrier(f->i) &&
        sm_stores_on_the_way(s, sm_stores_place(s, f))) {
        f->w_next = t + 1; /* a memory barrier waits until the L2 has accepted the stores */
    } else if (due <= t) {
        const uint64_t flags = f->flags;
        f->flags = 0;
        release(s, f, flags);
    } else {
        sm_earlier(&f->w_next, due);
    }
}

/* Returns whether a flight has passed all stages but the end of the cycle. */
static bool is_done(const struct sm_flight *f) {
    return f->x_round == f->rounds && !f->destinations && !f->flags && f->all_sent && !f->answers;
}

/* Returns the bank that a flight writes, if it writes one register, all of whose rounds are in one bank; 0
 * otherwise. */
static uint64_t one_bank(const struct sm *s, const struct sm_flight *f) {
    if (f->flags || f->destinations & (f->destinations - 1)) return 0;
    if (f->scalarized || s->uniform.on || s->lanes.by_round || s->lanes.chaining) return 0;
    return s->bank[(unsigned)__builtin_ctzll(f->destinations) + f->bank];
}

void sm_to_write(struct sm *s, struct sm_flight *f) {
    const uint16_t number = (uint16_t)(f - s->flight);
    unsigned n = s->writing_count++;
    f->w_bank = one_bank(s, f);
    f->w_round = 0;
    sm_earlier(&s->writes_at, f->w_next);
    for (; n && s->flight[s->writing[n - 1]].age > f->age; --n) s->writing[n] = s->writing[n - 1];
    s->writing[n] = number;
}

/* Releases the register of a flight with a single bank after its last round. Returns whether no result is
 * left. */
static __attribute__((noinline)) bool end_writes(struct sm *s, struct sm_flight *f) {
    const uint64_t written = f->destinations;
    f->w_left[__builtin_ctzll(written)] = f->destinations = 0;
    release(s, f, written);
    if (is_done(f)) sm_end_flight(s, f);
    return true;
}

/* Writes the due round of a flight with a single bank. Returns whether no result is left. */
static inline bool write_one_bank(struct sm *s, struct sm_flight *f, uint64_t t) {
    uint64_t *taken = &s->banks_taken[f->lane_group], due = t;
    if (!(*taken & f->w_bank)) {
        *taken |= f->w_bank;
        ++s->vrf_writes;
        if (++f->w_round == f->of_beat) return end_writes(s, f);
        due = write_due(s, f, f->w_round);
    }
    s->vrf_conflict_cycles += due <= t; /* a bank conflict in this cycle */
    f->w_next = due <= t ? t + 1 : due;
    return false;
}

/* Writes the due results of a flight with several banks. Returns whether no result is left. */
static __attribute__((noinline)) bool write_results(struct sm *s, struct sm_flight *f, uint64_t t) {
    f->w_next = SM_NEVER;
    for (uint64_t rest = f->destinations; rest; rest &= rest - 1)
        write_register(s, f, (unsigned)__builtin_ctzll(rest), t);
    if (f->flags) write_flags(s, f, t);
    if (f->destinations || f->flags) return false;
    if (is_done(f)) sm_end_flight(s, f);
    return true;
}

void sm_write(struct sm *s, uint64_t t) {
    uint64_t next = SM_NEVER;
    unsigned kept = 0;
    s->banks_taken[0] = 0;
    for (unsigned g = 1; g < s->lanes.groups; ++g) s->banks_taken[g] = 0;
    if (s->lanes.by_lane) memset(s->lane_banks_taken, 0, sizeof s->lane_banks_taken);
    s->srf_taken = false;
    if (s->writes_at > t) return;
    for (unsigned n = 0; n < s->writing_count; ++n) {
        struct sm_flight *f = &s->flight[s->writing[n]];
        if (f->w_next <= t && (f->w_bank ? write_one_bank(s, f, t) : write_results(s, f, t))) continue;
        s->writing[kept++] = s->writing[n];
        sm_earlier(&next, f->w_next);
    }
    s->writing_count = kept;
    s->writes_at = next;
}

/* --- X --- */

/* Returns the oldest instruction of a unit with at least one collected round, or -1. */
static int oldest_collected(const struct sm *s, const struct sm_unit *u) {
    for (unsigned n = 0; n < u->collected; ++n)
        if (s->flight[u->collector[n]].o_round) return u->collector[n];
    return -1;
}

static void give_back(struct sm_unit *u, uint16_t number) {
    unsigned n = 0;
    while (u->collector[n] != number) ++n;
    --u->collected;
    for (; n < u->collected; ++n) u->collector[n] = u->collector[n + 1];
}

/* Ends a flight's time in its unit. Its last round started in cycle t. */
static void end_rounds(struct sm *s, struct sm_unit *u, struct sm_flight *f, uint64_t t) {
    f->x_last = t;
    give_back(u, (uint16_t)(f - s->flight));
    if (!u->collected) s->used &= ~bit_of((unsigned)(u - s->unit));
    s->given_back |= bit_of((unsigned)(u - s->unit));
    u->current = -1;
    if (f->kind == SM_LDST && f->passed) {
        if (!s->lanes.apart) sm_ldst_take(s, f, t); /* lane groups collect addresses instead */
        return;
    }
    f->all_sent = true;
    if (!s->barrel && (f->effect == SM_BARRIER || f->effect == SM_EXIT)) {
        s->leaving[s->leavers++] = (uint16_t)(f - s->flight);
        return;
    }
    if (!s->barrel && f->effect == SM_BRANCH) s->parting[s->partings++] = (uint16_t)(f - s->flight);
    if (is_done(f)) sm_end_flight(s, f);
}

/* Returns whether a memory instruction may start: the load-store unit has room for it. */
static bool may_begin(const struct sm *s, const struct sm_flight *f, uint64_t t) {
    if (f->x_round || f->kind != SM_LDST) return true;
    return s->lanes.apart ? s->lanes.address_collector[f->lane_group].flight == SM_NO_FLIGHT
                          : sm_ldst_takes(s, f, t);
}

/* Sets the inputs of the compactor for a round that starts. With the first round of a beat, the mask of all
 * threads is loaded. */
static void ask_compactor(const struct sm *s, struct sm_unit *u, const struct sm_flight *f) {
    struct round_compactor_in *in = &u->compactor.in;
    const bool scalar = f->uniform.form == UNIFORM_SCALAR;
    in->load = f->x_round % f->of_beat == 0;
    in->take = true;
    if (in->load) in->active = scalar ? bit_of(f->place[0] * s->width[u->kind]) : sm_taking_part(s, f);
}

/* Starts the first round of a flight. */
static void begin_rounds(struct sm *s, struct sm_unit *u, struct sm_flight *f) {
    if (f->kind == SM_LDST && s->lanes.apart && f->passed) sm_begin_addresses(s, f);
    if (!f->from_memory && (f->destinations || f->flags)) {
        f->w_next = SM_NEVER;
        sm_to_write(s, f);
    }
    u->round_pc = f->pc;
    u->round_warp = f->warp;
    u->round_form = (uint16_t)f->uniform.form;
    u->round_taken = f->taken;
    u->round_threads = f->participating;
    if (s->formed && s->formed->accesses) sm_formed_executes(s, f);
}

/* Starts the collected rounds that follow the one of cycle t, which nothing can delay: sets their cycles in
 * advance. The last round is left out, since the flight leaves the unit with it. */
static inline void start_ahead(struct sm_unit *u, struct sm_flight *f) {
    const unsigned end = f->o_round < f->rounds ? f->o_round : f->rounds - 1u;
    for (; f->x_round < end; ++f->x_round, u->next += f->occupancy)
        if (!f->from_memory && f->x_round < SM_MAX_ROUNDS) f->x_at[f->x_round] = u->next;
}

static inline __attribute__((always_inline)) void start_round(struct sm *s, struct sm_unit *u,
                                                              struct sm_flight *f, uint64_t t, bool plain) {
    if (f->x_round == 0) {
        f->x_first = t;
        begin_rounds(s, u, f);
    }
    if (!f->from_memory) {
        if (f->x_round < SM_MAX_ROUNDS) f->x_at[f->x_round] = t;
        if (f->destinations || f->x_round + 1 == f->rounds) sm_write_by(s, f, t + f->latency);
    }
    u->round_cycle = t;
    const bool by_thread = !plain && s->lanes.apart && f->kind == SM_SFU;
    const bool compacts = !plain && s->lanes.compaction && !by_thread;
    u->round = compacts ? f->place[f->x_round % f->of_beat] : f->x_round;
    if (!plain && s->stepped && !by_thread) ask_compactor(s, u, f);
    ++f->x_round;
    u->next = t + f->occupancy;
    if (f->x_round == f->rounds)
        end_rounds(s, u, f, t);
    else if (plain && !s->shown)
        start_ahead(u, f);
}

void sm_start_round(struct sm *s, struct sm_unit *u, struct sm_flight *f, uint64_t t) {
    start_round(s, u, f, t, false);
}

static inline __attribute__((always_inline)) uint64_t execute(struct sm *s, uint64_t t, bool plain) {
    const bool apart = !plain && s->lanes.apart;
    uint64_t next = apart ? sm_lanes_execute_sfu(s, t) : SM_NEVER;
    for (uint64_t rest = s->used; rest; rest &= rest - 1) {
        struct sm_unit *u = &s->unit[__builtin_ctzll(rest)];
        if (apart && u->kind == SM_SFU) continue;
        if (u->next <= t) {
            if (u->current < 0) u->current = oldest_collected(s, u);
            if (u->current >= 0) {
                struct sm_flight *f = &s->flight[u->current];
                if (f->o_round > f->x_round && may_begin(s, f, t)) start_round(s, u, f, t, plain);
            }
            if (!u->collected) continue;
        }
        sm_earlier(&next, u->next > t ? u->next : t + 1);
    }
    return next;
}

uint64_t sm_execute(struct sm *s, uint64_t t) {
    return s->plain ? execute(s, t, true) : execute(s, t, false);
}
