/* O: operand collectors read the banks of the vector register file (gpu-like.md §3). */
#include "model/sm/sm_parts.h"

/* Returns the registers read in a round. A multiple access reads its base with the first beat; a store reads
 * the data registers of each beat with that beat. */
static uint64_t of_round(const struct sm_flight *f, unsigned round) {
    const struct arm_instruction *i = f->i;
    const unsigned beat = round / f->of_beat;
    if (i->access_count <= 1) return i->sources;
    const uint64_t base = bit_of(i->rn); /* read with the first beat */
    uint64_t data = i->is_store ? i->sources & ~base : 0, of_beat = beat == 0 ? i->sources & base : 0;
    if (!data) return of_beat;
    const unsigned each = (unsigned)__builtin_popcountll(data) / i->access_count;
    for (unsigned n = 0; n < beat * each; ++n) data &= data - 1;
    for (unsigned n = 0; n < each && data; ++n, data &= data - 1) of_beat |= data & -data;
    return of_beat;
}

static bool has_scalar_file(const struct sm *s) {
    return s->config->uniform.storage == UNIFORM_SRF || s->lanes.scalar_unit;
}

/* Returns the vector registers read in a round. Scalar operands come from the scalar register file, or are
 * read in the first round of a beat for all threads. */
uint64_t sm_sources(const struct sm *s, const struct sm_flight *f, unsigned round) {
    const uint64_t all = of_round(f, round) & ~f->saved;
    const bool read = !has_scalar_file(s) && round % f->of_beat == 0;
    return read ? all : all & ~f->uniform.tokens;
}

/* Updates the registers that flights of a warp still have to read, and that younger instructions must not
 * write. */
static __attribute__((noinline)) void update_unread(struct sm *s, unsigned warp) {
    uint64_t unread = 0;
    for (unsigned n = 0; n < s->collecting_count; ++n) {
        const struct sm_flight *f = &s->flight[s->collecting[n]];
        if (f->warp == warp) unread |= f->unread;
    }
    const uint64_t read = s->warp[warp].unread & ~unread;
    s->warp[warp].unread = unread;
    if (!read || !sm_concerns(s, &s->warp[warp], read)) return;
    if (s->lanes.in_turn)
        sm_refresh(s, warp); /* I follows O in the same cycle */
    else
        warp_set_add(&s->changed, warp);
}

void sm_begin_collection(const struct sm *s, struct sm_flight *f) {
    uint64_t banks = 0;
    f->o_left = sm_sources(s, f, 0);
    f->o_whole = SM_EACH_APART;
    if (f->i->access_count > 1 || f->scalarized || s->uniform.on || s->lanes.in_turn || s->lanes.chaining)
        return;
    for (uint64_t rest = f->o_left; rest; rest &= rest - 1) {
        const uint64_t bank = sm_bank(s, f, (unsigned)__builtin_ctzll(rest), 0, false);
        if (banks & bank) return;
        banks |= bank;
    }
    f->o_whole = f->o_left;
    f->o_banks = banks;
}

/* Reads all operands of a round at once. Returns false if a bank is taken, or if the flight's
 * rounds differ. */
static inline bool collect_whole(struct sm *s, struct sm_flight *f) {
    uint64_t *taken = &s->banks_taken[0];
    if (f->o_left != f->o_whole || *taken & f->o_banks) return false;
    *taken |= f->o_banks;
    s->vrf_reads += (unsigned)__builtin_popcountll(f->o_whole);
    if (++f->o_round < f->reads || !f->unread) return true;
    f->unread = 0;
    update_unread(s, f->warp);
    return true;
}

/* Reads the operands of a round whose banks are free. Returns the remaining ones. */
static uint64_t read_banks(struct sm *s, const struct sm_flight *f, unsigned round) {
    uint64_t left = 0;
    for (uint64_t rest = f->o_left; rest; rest &= rest - 1) {
        if (!sm_take_banks(s, f, (unsigned)__builtin_ctzll(rest), round, false)) {
            left |= rest & -rest;
            continue;
        }
        ++s->vrf_reads;
    }
    return left;
}

/* Returns whether all operands of the round are in the collector. */
static bool collect(struct sm *s, struct sm_flight *f, bool first) {
    const unsigned round = f->o_round < f->of_beat ? f->o_round : f->o_round % f->of_beat;
    if (f->chained && !(f->follows >> round & 1)) return false;
    const uint64_t left = read_banks(s, f, round), read = f->o_left & ~left;
    s->vrf_conflict_cycles += first && left != 0;
    f->o_left = left;
    const bool comes = !left && f->uniform.broadcast; /* a scalar is on its way to the lanes */
    if (comes)
        --f->uniform.broadcast;
    else if (!left && ++f->o_round < f->reads)
        f->o_left = f->o_whole != SM_EACH_APART ? f->o_whole : sm_sources(s, f, f->o_round);
    const uint64_t done = round + 1 == f->of_beat ? read : read & f->uniform.tokens; /* the last round of
                                                                                      * a beat */
    if (done) {
        f->unread &= ~done;
        update_unread(s, f->warp);
    }
    return !left && !comes;
}

/* Reads round by round. A function of its own keeps the common case of sm_collect() fast. */
static __attribute__((noinline)) void collect_rounds(struct sm *s, struct sm_flight *f) {
    const unsigned most = s->lanes.by_round ? SM_LANE_READS : 1;
    unsigned n = 0;
    while (n < most && f->o_round < f->reads && collect(s, f, n == 0)) ++n;
    if (f->chained) sm_follow(s, f);
    const bool beside = s->lanes.apart && f->kind == SM_SCALAR;
    if (s->lanes.in_turn && !beside && f->o_round == f->reads) s->lanes.reading &= ~(1u << f->lane_group);
}

/* Reads the scalar operands at once: the scalar register file has a port for each. */
static __attribute__((noinline)) void begin_scalars(struct sm *s, struct sm_flight *f, uint64_t t) {
    if (s->uniform.on) sm_scalars_collect(s, f, t);
    if (!has_scalar_file(s) || !(f->unread & f->uniform.tokens)) return;
    f->unread &= ~f->uniform.tokens;
    update_unread(s, f->warp);
}

uint64_t sm_collect(struct sm *s, uint64_t t) {
    const bool scalars = !s->plain && (s->uniform.on || s->lanes.scalar_unit);
    unsigned kept = 0;
    for (unsigned n = 0; n < s->collecting_count; ++n) {
        const uint16_t number = s->collecting[n];
        struct sm_flight *f = &s->flight[number];
        if (scalars && f->o_from == t) begin_scalars(s, f, t);
        if (f->o_from <= t && !collect_whole(s, f)) collect_rounds(s, f);
        s->collecting[kept] = number;
        kept += f->o_round != f->reads;
    }
    s->collecting_count = kept;
    return kept ? t + 1 : SM_NEVER;
}
