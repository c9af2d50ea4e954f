/* O: operand collectors read the banks of the vector register file (gpu-like.md §3). */
#include "model/sm/sm_parts.h"

/* Of a multiple access the base is read with the first beat, of a store each beat's registers with it. */
uint64_t sm_sources(const struct sm *s, const struct sm_flight *f, unsigned round) {
    const struct arm_instruction *i = f->i;
    const unsigned rounds = s->rounds[f->kind], beat = round / rounds;
    if (i->access_count <= 1) return i->sources;
    const uint64_t base = bit_of(i->rn);
    uint64_t data = i->is_store ? i->sources & ~base : 0, of_beat = beat == 0 ? i->sources & base : 0;
    if (!data) return of_beat;
    const unsigned each = (unsigned)__builtin_popcountll(data) / i->access_count;
    for (unsigned n = 0; n < beat * each; ++n) data &= data - 1;
    for (unsigned n = 0; n < each && data; ++n, data &= data - 1) of_beat |= data & -data;
    return of_beat;
}

/* Registers that flights of a warp have still to read: a writer of one waits. */
static void update_unread(struct sm *s, unsigned warp) {
    uint64_t unread = 0;
    for (unsigned n = 0; n < s->collecting_count; ++n) {
        const struct sm_flight *f = &s->flight[s->collecting[n]];
        if (f->warp == warp) unread |= f->unread;
    }
    if (unread == s->warp[warp].unread) return;
    s->warp[warp].unread = unread;
    s->changed |= bit_of(warp);
}

/* The registers of a round whose banks are free. Returns those that are left. */
static uint64_t read_banks(struct sm *s, const struct sm_flight *f) {
    uint64_t left = 0;
    for (uint64_t rest = f->o_left; rest; rest &= rest - 1) {
        const unsigned d = (unsigned)__builtin_ctzll(rest);
        const uint64_t bank = s->banks ? bit_of((d + f->warp) % s->banks) : 0;
        if (s->banks_taken & bank) {
            left |= rest & -rest;
            continue;
        }
        s->banks_taken |= bank;
        ++s->vrf_reads;
    }
    return left;
}

static void collect(struct sm *s, struct sm_flight *f) {
    const uint64_t left = read_banks(s, f), read = f->o_left & ~left;
    const unsigned rounds = s->rounds[f->kind];
    const bool last = f->o_round % rounds == rounds - 1; /* of its beat */
    s->vrf_conflict_cycles += left != 0;
    f->o_left = left;
    if (!left && ++f->o_round < f->rounds) f->o_left = sm_sources(s, f, f->o_round);
    if (!last || !read) return;
    f->unread &= ~read;
    update_unread(s, f->warp);
}

uint64_t sm_collect(struct sm *s, uint64_t t) {
    unsigned kept = 0;
    uint64_t next = SM_NEVER;
    for (unsigned n = 0; n < s->collecting_count; ++n) {
        const uint16_t number = s->collecting[n];
        struct sm_flight *f = &s->flight[number];
        if (f->o_from <= t) collect(s, f);
        if (f->o_round == f->rounds) continue;
        s->collecting[kept++] = number;
        next = t + 1;
    }
    s->collecting_count = kept;
    return next;
}
