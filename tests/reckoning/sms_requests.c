#include "tests/reckoning/sms_requests.h"

#include "model/sm/sm_ldst.h"
#include "model/sm/sm_parts.h"

#define SAME(input, is) reckon(h->told, "misses: " #input, h->cycle, m->in.input, is)

/* --- requesters --- */

void shadow_before_requests(struct sms_shadow *h) {
    const struct scalar_units *u = h->s->scalar;
    h->asks_for_scalars = 0;
    for (unsigned n = 0; u && n < u->units; ++n) {
        const struct scalar_unit *x = &u->unit[n];
        if (!x->count || h->cycle % u->divisor || x->part[x->first].from > h->cycle) continue;
        h->part[n] = x->part[x->first];
        h->part_at[n] = x->first;
        h->asks_for_scalars |= 1u << n;
    }
}

/* Returns the request of a load-store unit to the L1D, which accepts one in each cycle; *taken: whether it
 * has. */
static const struct shadow_request *asked_by_sender(const struct sms_shadow *h, bool *taken) {
    const struct sm_ldst *l = h->s->ldst;
    for (unsigned n = 0; n < l->senders; ++n) {
        const unsigned k = (unsigned)((h->cycle + n) % l->senders);
        const struct shadow_sender *x = &h->sender[k];
        if (!x->sends || x->sent == x->requests || h->cycle < x->from) continue;
        *taken = l->sender[k].sent_cycle == h->cycle;
        if (x->request[x->sent].cache == SM_L1D) return &x->request[x->sent];
    }
    return NULL;
}

/* Does the same for a scalar unit, if no load-store unit has made a request. */
static bool asked_by_scalar(const struct sms_shadow *h, struct shadow_request *r, bool *taken) {
    const struct scalar_units *u = h->s->scalar;
    for (unsigned n = 0; h->asks_for_scalars && n < u->units; ++n) {
        const unsigned k = (unsigned)((h->cycle / u->divisor + n) % u->units);
        const struct scalar_part *p = &h->part[k];
        if (!(h->asks_for_scalars >> k & 1) || p->cache != SM_L1D) continue;
        const unsigned place = SM_STORES_OF_SCALARS + u->access[p->access].slot;
        *taken = u->unit[k].first != h->part_at[k];
        *r = (struct shadow_request){.address = p->address, .bytes = p->bytes, .kind = p->kind};
        r->tag = p->kind == CACHE_STORE ? h->s->ldst->stores[place].threads << 8 | place
                                        : SCALAR_L1D_TAG + p->access;
        return true;
    }
    return false;
}

/* --- the miss registers --- */

static bool is_held(const struct sms_shadow *h, const struct shadow_request *r) {
    struct masked_cache *lines = &h->s->ldst->cache[SM_L1D].lines;
    const struct cache_line *l = cache_peek(&lines->tags, r->address);
    return l && masked_cache_holds(lines, l, r->address, r->bytes);
}

/* Checks the room in the queue, counted before and after the cycle: the order within the cycle is unknown. */
static void check_room(struct sms_shadow *h) {
    const struct miss_registers *m = &h->s->ldst->misses;
    const struct cluster_port *p = h->s->ldst->port;
    const bool room = p->taken < p->places;
    if (room || p->taken - (uint32_t)(p->sent - h->packets) >= p->places) SAME(room, room);
}

/* Checks an answer: its register is free now, or has been allocated again. */
static void check_fill(struct sms_shadow *h) {
    const struct miss_registers *m = &h->s->ldst->misses;
    const struct non_blocking_cache *c = &h->s->ldst->cache[SM_L1D];
    uint64_t now = 0;
    for (unsigned n = 0; n < c->mshrs; ++n) now |= (uint64_t)c->mshr[n].taken << n;
    const uint64_t again = m->out.take ? bit_of(m->out.index) : 0, filled = h->misses & (~now | again);
    SAME(fill, filled != 0);
    if (filled) SAME(filled, (unsigned)__builtin_ctzll(filled));
    h->misses = now;
}

void shadow_misses(struct sms_shadow *h) {
    const struct miss_registers *m = &h->s->ldst->misses;
    struct shadow_request of_scalar;
    bool taken = false;
    if (!h->s->groups_used) { /* answers of accesses after the end of all work-groups */
        h->misses &= ~(m->in.fill ? bit_of(m->in.filled) : 0);
        return;
    }
    const struct shadow_request *r = asked_by_sender(h, &taken);
    if (!r && asked_by_scalar(h, &of_scalar, &taken)) r = &of_scalar;
    const bool load = r && r->kind == CACHE_LOAD && !is_held(h, r),
               store = r && r->kind == CACHE_STORE && taken;
    const bool alone = r && (r->kind == CACHE_EXCLUSIVE_LOAD || r->kind == CACHE_EXCLUSIVE_STORE);
    SAME(load, load);
    SAME(alone, alone);
    SAME(store, store);
    if (r) check_room(h);
    if (load || alone || store) {
        SAME(line, r->address / h->s->config->l1d.line_bytes);
        SAME(request, r->tag);
        if (!store)
            reckon(h->told, "misses: the L1D has taken it", h->cycle, taken, m->out.join || m->out.take);
    }
    check_fill(h);
}

/* --- sent requests --- */

void shadow_after_requests(struct sms_shadow *h) {
    const struct sm_ldst *l = h->s->ldst;
    for (unsigned n = 0; n < l->senders; ++n) {
        struct shadow_sender *x = &h->sender[n];
        const struct sm_sender *is = &l->sender[n];
        if (is->sent_cycle != h->cycle) continue;
        const bool some = x->sends && x->sent < x->requests;
        reckon_of(h->told, "requests of load-store unit", n, h->cycle, true, some);
        if (!some) continue;
        reckon_of(h->told, "address that is sent by load-store unit", n, h->cycle, is->sent_address,
                  x->request[x->sent].address);
        reckon_of(h->told, "cache that is asked by load-store unit", n, h->cycle, is->sent_to,
                  x->request[x->sent].cache);
        ++x->sent;
    }
    h->packets = l->port->sent;
}
