/* The blocks of the load-store units, cycle by cycle, for --exact-steps and twins. The coalescer computes a
 * transaction in the cycle in which it is first sent; the bank conflict resolver computes a pass in the first
 * cycle of the pass. */
#include "model/sm/sm_ldst.h"
#include "model/sm/sm_parts.h"

#include "sim/error.h"

#include <inttypes.h>
#include <string.h>

/* Returns the request that the block serves in cycle t, or NULL. */
static const struct sm_beat *asked(const struct sm_sender *x, bool local, uint64_t t) {
    if (x->flight == SM_NO_FLIGHT || x->beat_at == x->beats || t < x->from || x->sent < x->sends) return NULL;
    const struct sm_beat *b = &x->beat[x->beat_at];
    return b->local == local ? b : NULL;
}

/* The inputs keep the last request while the port is idle. */
static const uint32_t *show(uint32_t shown[ARM_MAX_POSITIONS], const struct sm_beat *b) {
    if (b) memcpy(shown, b->address, sizeof b->address);
    return shown;
}

static void end_beat(struct sm_sender *x, bool last) {
    if (!last && ++x->answers < COALESCER_MOST) return; /* limit for a driving twin that never sets `last` */
    ++x->beat_at;
    x->answers = 0;
}

static void step_resolver(const struct sm *s, struct sm_sender *x, unsigned n, uint64_t t) {
    const struct sm_beat *b = asked(x, true, t);
    struct bank_conflict_resolver *r = &x->resolver;
    r->in.word = show(x->words, b);
    r->in.valid = b != NULL;
    if (b) r->in.active = b->active;
    bank_conflict_resolver_eval(r);
    block_twins_cycle(s->twins[n], CLUSTER_BLOCK_RESOLVER, t);
    if (b) {
        x->held_until = t + sm_local_pass_cycles(s, &s->flight[x->flight]) - 1;
        x->from = x->held_until + 1;
        s->flight[x->flight].data = x->held_until + s->config->local.latency_cycles;
        end_beat(x, r->out.last);
    }
    bank_conflict_resolver_clock(r);
}

static void add_transaction(struct sm *s, struct sm_sender *x, const struct sm_beat *b,
                            const struct coalescer_out *out) {
    const uint32_t length = out->length < COALESCER_LINE ? out->length : COALESCER_LINE;
    const struct coalescer_transaction t = {.address = out->address,
                                            .length = (uint16_t)length,
                                            .bytes = (uint16_t)out->bytes,
                                            .pieces = (uint8_t)out->pieces,
                                            .threads = out->threads};
    sm_add_lines(s->ldst, x, &t, b, s->flight[x->flight].i->is_store, x->flight);
}

static void step_coalescer(struct sm *s, struct sm_sender *x, unsigned n, uint64_t t) {
    const struct sm_beat *b = asked(x, false, t);
    struct coalescer *c = &x->coalescer;
    c->in.address = show(x->addresses, b);
    c->in.valid = b != NULL;
    if (b) {
        c->in.store = s->flight[x->flight].i->is_store;
        c->in.bytes = b->bytes;
        c->in.active = b->active;
    }
    coalescer_eval(c);
    block_twins_cycle(s->twins[n], CLUSTER_BLOCK_COALESCER, t);
    if (b) {
        x->sends = x->sent = 0; /* the earlier transactions have been sent */
        if (c->out.valid) add_transaction(s, x, b, &c->out);
        end_beat(x, c->out.last);
    }
    coalescer_clock(c);
}

/* --- the L1D's miss registers --- */

void sm_follow_misses(struct sm *s) {
    const struct machine_config *c = s->config;
    struct sm_ldst *l = s->ldst;
    l->follows = s->stepped && c->l1d_misses.mshrs <= MISS_REGISTERS_MAX &&
                 c->icnt.clock_mhz <= c->clock_mhz; /* otherwise two answers could come in one cycle */
    if (l->follows) miss_registers_init(&l->misses, c->l1d_misses.mshrs, c->l1d_misses.requests);
}

/* Checks the answer of the cache against the miss registers. */
static void check_answer(const struct miss_registers *m, enum cache_result result) {
    const struct miss_registers_out *out = &m->out;
    const enum cache_result said = out->join || out->take ? CACHE_MISS
                                   : out->full            ? CACHE_NO_MSHR
                                   : out->crowded         ? CACHE_NO_MERGE
                                                          : CACHE_NO_ROOM;
    invariant(said == result, "the L1D answers %d where its miss registers say %d", result, said);
}

enum cache_result sm_ask_followed(struct sm *s, const struct cache_request *r, uint64_t t, uint64_t *done) {
    struct miss_registers *m = &s->ldst->misses;
    struct non_blocking_cache *c = &s->ldst->cache[SM_L1D];
    m->in.room = cluster_port_has_room(c->port, t);
    const enum cache_result result = non_blocking_cache_request(c, r, t, done);
    m->in.load = r->kind == CACHE_LOAD && result != CACHE_HIT;
    m->in.alone = r->kind == CACHE_EXCLUSIVE_LOAD || r->kind == CACHE_EXCLUSIVE_STORE;
    m->in.store = r->kind == CACHE_STORE && result == CACHE_HIT;
    m->in.line = r->address >> c->lines.tags.line_shift;
    m->in.request = r->tag;
    miss_registers_eval(m);
    if (m->in.load || m->in.alone) check_answer(m, result);
    return result;
}

void sm_note_fill(struct sm *s, unsigned mshr, uint64_t t) {
    struct miss_registers_in *in = &s->ldst->misses.in;
    invariant(!in->fill, "two answers to the L1D of SM %u in cycle %" PRIu64, s->index, t);
    in->fill = true;
    in->filled = mshr;
    if (!s->groups_used) sm_step_misses(s, t);
}

void sm_step_misses(struct sm *s, uint64_t t) {
    struct miss_registers *m = &s->ldst->misses;
    if (!s->ldst->follows) return;
    s->ldst->watched += s->twins[0] != NULL;
    miss_registers_eval(m);
    miss_registers_write(m);
    block_twins_cycle(s->twins[0], CLUSTER_BLOCK_MISSES, t);
    miss_registers_clock(m);
}

/* --- a cycle --- */

void sm_step_blocks(struct sm *s, unsigned n, uint64_t t) {
    struct sm_sender *x = &s->ldst->sender[n];
    step_coalescer(s, x, n, t); /* an access that needs both blocks uses them in different cycles */
    step_resolver(s, x, n, t);
}
