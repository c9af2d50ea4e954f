/* The blocks of the load-store units, cycle by cycle: --exact-steps, and beside twins. The coalescer makes a
 * transaction in the cycle in which it is sent for the first time, the bank conflict resolver a pass in its
 * first. */
#include "model/sm/sm_ldst.h"
#include "model/sm/sm_parts.h"

#include <string.h>

/* A unit has come to what the block is to be asked for next; NULL: to nothing of its kind. */
static const struct sm_beat *asked(const struct sm_sender *x, bool local, uint64_t t) {
    if (x->flight == SM_NO_FLIGHT || x->beat_at == x->beats || t < x->from || x->sent < x->sends) return NULL;
    const struct sm_beat *b = &x->beat[x->beat_at];
    return b->local == local ? b : NULL;
}

/* What is asked stays at the inputs, also when nothing is. */
static const uint32_t *show(uint32_t shown[ARM_MAX_POSITIONS], const struct sm_beat *b) {
    if (b) memcpy(shown, b->address, sizeof b->address);
    return shown;
}

static void end_beat(struct sm_sender *x, bool last) {
    if (!last && ++x->answers < COALESCER_MOST) return; /* Verilog that drives may never say its last */
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
        x->sends = x->sent = 0; /* those before have been sent */
        if (c->out.valid) add_transaction(s, x, b, &c->out);
        end_beat(x, c->out.last);
    }
    coalescer_clock(c);
}

void sm_step_blocks(struct sm *s, unsigned n, uint64_t t) {
    struct sm_sender *x = &s->ldst->sender[n];
    step_coalescer(s, x, n, t); /* an access of both asks in different cycles */
    step_resolver(s, x, n, t);
}
