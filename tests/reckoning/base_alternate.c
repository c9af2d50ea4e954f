#include "tests/reckoning/base_alternate.h"

#include "tests/reckoning/base_lanes.h"

const struct alt_flight *base_mixed(const struct base_shadow *h, int flight) {
    return &h->c->unit->mixed->state[base_place(h, flight)];
}

static const struct arm_instruction *instruction_of(const struct base_shadow *h, int flight, unsigned k) {
    return machine_code_at(h->c->launch->code, h->warp[h->flying[flight].warp].pc[k]);
}

/* --- A, F, D --- */

void base_mixed_begin(struct base_shadow *h, struct flying *x, int number) {
    const struct threads *w = &h->warp[x->warp];
    unsigned highest = 0;
    uint64_t together = 0;
    if (h->c->config->simt.mitigation != MITIGATION_ALT) return;
    for (uint64_t rest = w->ready; rest; rest &= rest - 1) {
        const unsigned level = base_priority(h, w->level[__builtin_ctzll(rest)]);
        highest = level > highest ? level : highest;
    }
    for (uint64_t rest = w->ready; rest; rest &= rest - 1)
        if (!highest || base_priority(h, w->level[__builtin_ctzll(rest)]) == highest)
            together |= rest & -rest;
    x->mixed = (together & ~x->participating) != 0;
    if (!x->mixed) return;
    x->participating = together;
    h->fetching = number;
    h->f_round = 0;
}

bool base_fetch_is_free(struct base_shadow *h, uint64_t t) {
    if (h->fetching == NOBODY) return true;
    if (base_mixed(h, h->fetching)->fetched[h->f_round] > t) return false;
    if (++h->f_round < h->c->rounds) return false;
    h->fetching = NOBODY;
    return true;
}

bool base_mixed_accesses(const struct base_shadow *h, int flight) {
    for (uint64_t rest = h->flying[flight].participating; rest; rest &= rest - 1) {
        const struct arm_instruction *i = instruction_of(h, flight, (unsigned)__builtin_ctzll(rest));
        if (i && (i->is_load || i->is_store)) return true;
    }
    return false;
}

/* --- O --- */

/* Returns the largest number of words that a lane reads for a round. */
static unsigned words_of_round(const struct base_shadow *h, int flight, unsigned round) {
    unsigned most = 0;
    for (unsigned lane = 0; lane < h->c->lanes; ++lane) {
        const unsigned k = base_position(h, lane, round);
        const struct arm_instruction *i =
            h->flying[flight].participating >> k & 1 ? instruction_of(h, flight, k) : NULL;
        const unsigned words = i ? (unsigned)__builtin_popcountll(i->sources) : 0;
        most = words > most ? words : most;
    }
    return most;
}

void base_mixed_operands(struct base_shadow *h, uint64_t t) {
    const struct machine_config *m = h->c->config;
    const int flight = h->gathering;
    if (flight == NOBODY) return;
    if (!h->o_begun) {
        const bool fetches = h->fetching == flight && h->o_round > h->f_round;
        if (fetches || base_mixed(h, flight)->fetched[h->o_round] + 1 >= t) return;
        h->o_begun = true;
        h->o_words = words_of_round(h, flight, h->o_round);
    }
    const unsigned ports = m->tpm.read_ports, wanted = h->o_words < ports ? h->o_words : ports;
    if (h->reads + wanted > ports || (++h->o_phase < m->tpm.latency_cycles && wanted)) return;
    h->o_phase = 0;
    h->o_words -= wanted;
    if (h->o_words) return;
    h->o_begun = false;
    if (h->o_round++ == 0) h->flying[flight].collected = t;
    if (h->o_round < h->c->rounds) return;
    h->o_free = t + 1;
    h->gathering = NOBODY;
}

/* --- C --- */

/* Commits the threads at one PC. Threads that neither wait nor exit continue with all others of
 * the flight. */
static void commit_group(struct base_shadow *h, int flight, const struct alt_group *g, uint64_t t) {
    const struct flying *x = &h->flying[flight];
    struct threads *w = &h->warp[x->warp];
    const struct arm_execution execution = {.passed = g->passed};
    struct flown f = {
        .i = g->i, .pc = g->pc, .warp = x->warp, .participating = g->mask, .execution = &execution};
    uint64_t its = 0;
    for (uint64_t rest = x->participating & w->execution; rest; rest &= rest - 1)
        if (w->pc[__builtin_ctzll(rest)] == g->pc) its |= rest & -rest;
    reckon_of(&h->place, "commit: threads at one PC of flight", (unsigned)flight, t, g->mask & ~its, 0);
    for (uint64_t rest = g->mask; rest; rest &= rest - 1)
        base_commit_thread(h, &f, w, (unsigned)__builtin_ctzll(rest));
    w->execution |= w->ready & g->mask;
    w->ready &= ~g->mask;
}

void base_mixed_commit(struct base_shadow *h, uint64_t t) {
    for (unsigned n = 0; n < h->c->warps; ++n) {
        struct flying *x = &h->flying[n];
        const struct alt_flight *a = x->mixed ? base_mixed(h, (int)n) : NULL;
        if (!a || !a->started) continue;
        for (; x->committed < a->committed; ++x->committed)
            commit_group(h, (int)n, &a->group[x->committed], t);
        if (warp_set_has(h->c->unit->mixed_flights, base_place(h, (int)n))) continue;
        struct threads *w = &h->warp[x->warp];
        w->ready |= w->execution & x->participating;
        w->execution &= ~x->participating;
        warp_set_add(&h->commits, x->warp);
        *x = (struct flying){.used = false};
    }
}
