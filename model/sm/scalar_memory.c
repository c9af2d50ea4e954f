/* The load-store unit of a scalar unit: serves accesses in order, one part in each cycle (scalar-unit.md
 * §4.1). */
#include "abi/memory_map.h"
#include "model/sm/scalar_parts.h"
#include "model/sm/sm_ldst.h"

#include "sim/error.h"

#include <stdlib.h>

#define WORD 4

/* --- accesses in flight --- */

static uint16_t allocate(struct scalar_units *u) {
    if (u->access_free == SM_NO_FLIGHT) {
        const unsigned room = u->access_room;
        u->access_room = 2 * room + 32;
        u->access = realloc(u->access, u->access_room * sizeof *u->access);
        require_memory(u->access);
        for (unsigned n = u->access_room; n-- > room;) {
            u->access[n].next = u->access_free;
            u->access_free = (uint16_t)n;
        }
    }
    const uint16_t number = u->access_free;
    u->access_free = u->access[number].next;
    return number;
}

void scalar_memory_launch(struct sm *s) {
    struct scalar_units *u = s->scalar;
    u->access_free = SM_NO_FLIGHT;
    for (unsigned n = u->access_room; n-- > 0;) {
        u->access[n].next = u->access_free;
        u->access_free = (uint16_t)n;
    }
    for (unsigned n = 0; n < u->units; ++n) u->unit[n].first = u->unit[n].count = 0;
}

static void complete(struct sm *s, uint16_t number) {
    struct scalar_units *u = s->scalar;
    struct scalar_access *a = &u->access[number];
    struct scalar_thread *h = &u->thread[a->slot];
    a->next = u->access_free;
    u->access_free = number;
    if (a->thread != h->number) return;
    for (uint64_t rest = a->writes; rest; rest &= rest - 1) {
        const unsigned r = (unsigned)__builtin_ctzll(rest);
        if (h->loader[r] == number + 1) h->ready[r] = a->data + 1;
    }
    if (a->loads_pc) h->effect_at = scalar_cycle(u, a->data + 1);
    --h->in_memory;
    h->unsent -= a->is_store;
    if (a->data + 1 > h->settled) h->settled = a->data + 1;
}

/* Notes that a part has its data, or has been accepted, at the end of a cycle. */
static void answered(struct sm *s, uint16_t number, uint64_t cycle) {
    struct scalar_access *a = &s->scalar->access[number];
    if (cycle > a->data) a->data = cycle;
    if (!--a->left) complete(s, number);
}

void scalar_units_answered(struct sm *s, uint32_t tag, uint64_t t) {
    answered(s, (uint16_t)(tag - SCALAR_L1D_TAG), t);
}

/* --- parts --- */

static void add(struct sm *s, uint16_t number, struct scalar_part p) {
    struct scalar_units *u = s->scalar;
    struct scalar_unit *x = &u->unit[scalar_unit_of(u, u->access[number].slot)];
    if (x->count == x->room) {
        const unsigned room = x->room;
        x->room = room ? 2 * room : 64;
        x->part = realloc(x->part, x->room * sizeof *x->part);
        require_memory(x->part);
        for (unsigned n = 0; n < x->first; ++n)
            x->part[room + n] = x->part[n]; /* unrolls the ring into the new
                                             * space */
    }
    p.access = number;
    x->part[(x->first + x->count++) % x->room] = p;
    ++u->access[number].left;
    ++u->access[number].unsent;
}

/* Returns the interleaved address of a word of private memory: word n of all scalar threads of the SM is
 * contiguous. */
static uint32_t interleaved(const struct sm *s, unsigned slot, uint32_t address) {
    const struct scalar_thread *h = &s->scalar->thread[slot];
    const uint32_t base = h->threads.stack_top[0] - (slot + 1) * s->stack_size,
                   offset = address - (h->threads.stack_top[0] - s->stack_size);
    return base + (offset / WORD * s->scalar->threads + slot) * WORD + offset % WORD;
}

static uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

/* Splits an access into parts, each within `unit` aligned bytes. */
static void add_each(struct sm *s, uint16_t number, struct scalar_part p, uint32_t unit, uint32_t end) {
    const unsigned slot = s->scalar->access[number].slot;
    const bool private = p.address >= MEMORY_STACK_BASE && p.address < MEMORY_BUFFER_BASE;
    for (uint32_t at = p.address; at < end; at += p.bytes) {
        p.address = private ? interleaved(s, slot, at) : at;
        p.bytes = (uint16_t)least(unit - at % unit, end - at);
        add(s, number, p);
    }
}

static void add_beat(struct sm *s, uint16_t number, const struct arm_instruction *i, uint32_t address,
                     uint32_t bytes, uint64_t from) {
    const bool exclusive = sm_is_exclusive(i), store = i->is_store;
    struct scalar_part p = {.from = from, .address = address, .cache = SM_L1D};
    uint32_t unit = s->config->l1d.line_bytes;
    p.kind = exclusive ? store ? CACHE_EXCLUSIVE_STORE : CACHE_EXCLUSIVE_LOAD
             : store   ? (uint8_t)write_policies[s->config->l1d_write_policy].store
                       : CACHE_LOAD;
    if (address >= MEMORY_STACK_BASE && address < MEMORY_BUFFER_BASE) {
        unit = WORD;
        if (store) p.kind = CACHE_PRIVATE_STORE;
    } else if (sm_in_local(address)) {
        unit = WORD;
        p.cache = SM_CACHES;
    } else if (!store && !exclusive && sm_in_constants(s->ldst, address)) {
        unit = s->config->constant.line_bytes;
        p.cache = SM_CONSTANT;
    }
    add_each(s, number, p, unit, address + bytes);
}

void scalar_memory_begin(struct sm *s, unsigned slot, const struct arm_instruction *i, uint32_t address,
                         uint64_t writes, uint64_t t) {
    struct scalar_units *u = s->scalar;
    const uint16_t number = allocate(u);
    const uint32_t bytes = i->access_bytes / i->access_count;
    u->access[number] = (struct scalar_access){.writes = writes,
                                               .thread = u->thread[slot].number,
                                               .slot = (uint8_t)slot,
                                               .loads_pc = i->writes_pc,
                                               .is_store = i->is_store};
    for (uint64_t rest = writes; rest; rest &= rest - 1)
        u->thread[slot].loader[__builtin_ctzll(rest)] = (uint16_t)(number + 1);
    for (unsigned beat = 0; beat < i->access_count; ++beat)
        add_beat(s, number, i, address + beat * bytes, bytes, t + 3 * u->divisor);
    ++u->thread[slot].in_memory;
    ++u->thread[slot].unsent;
    ++*(i->is_store ? &u->stores : &u->loads);
}

/* --- requests --- */

/* Notes that a part has been accepted. Its answer may have come in the same cycle. */
static void sent(struct sm *s, uint16_t number) {
    struct scalar_access *a = &s->scalar->access[number];
    if (!--a->unsent && !a->is_store) --s->scalar->thread[a->slot].unsent;
}

/* Returns false if the bank is in use in cycle t. */
static bool ask_local(struct sm *s, const struct scalar_part *p, uint64_t t, uint64_t *banks) {
    const uint64_t bank = bit_of(p->address / WORD % s->config->local.banks);
    if ((*banks | sm_ldst_banks(s, t)) & bank) return false;
    *banks |= bank;
    ++s->scalar->local_accesses;
    answered(s, p->access, s->scalar->access[p->access].is_store ? t : t + s->config->local.latency_cycles);
    return true;
}

/* Returns false if the cache accepts no request of the unit in cycle t. */
static bool ask_cache(struct sm *s, const struct scalar_part *p, uint64_t t) {
    struct sm_ldst *l = s->ldst;
    const bool store =
        p->kind == CACHE_STORE || p->kind == CACHE_PRIVATE_STORE || p->kind == CACHE_KEPT_STORE;
    const unsigned stores = SM_STORES_OF_SCALARS + s->scalar->access[p->access].slot;
    const struct cache_request r = {.address = p->address,
                                    .bytes = p->bytes,
                                    .kind = p->kind,
                                    .ahead = true,
                                    .tag = p->kind == CACHE_STORE ? sm_stores_tag(s, stores)
                                                                  : SCALAR_L1D_TAG + p->access};
    uint64_t done = t;
    if (l->asked[p->cache]) return false;
    l->asked[p->cache] = true;
    switch (sm_ask_cache(s, p->cache, &r, t, &done)) {
    case CACHE_HIT: answered(s, p->access, store ? t : done); break;
    case CACHE_MISS: s->scalar->l1d_misses += p->cache == SM_L1D; break;
    default: return false;
    }
    s->scalar->l1d_accesses += p->cache == SM_L1D;
    if (p->kind == CACHE_STORE) sm_stores_sent(s, stores);
    return true;
}

uint64_t scalar_units_send(struct sm *s, uint64_t t) {
    struct scalar_units *u = s->scalar;
    uint64_t next = SM_NEVER, banks = 0;
    for (unsigned n = 0; n < u->units; ++n) { /* round robin */
        struct scalar_unit *x = &u->unit[(t / u->divisor + n) % u->units];
        if (!x->count) continue;
        const struct scalar_part p = x->part[x->first];
        if (scalar_is_cycle(u, t) && p.from <= t) {
            if (p.cache == SM_CACHES ? ask_local(s, &p, t, &banks) : ask_cache(s, &p, t)) {
                sent(s, p.access);
                x->first = (x->first + 1) % x->room;
                --x->count;
                sm_earlier(&next, t + 1); /* data may be ready then */
            } else {
                ++u->refused_cycles;
            }
        }
        if (!x->count) continue;
        const uint64_t from = x->part[x->first].from;
        sm_earlier(&next, scalar_cycle(u, from > t ? from : t + 1));
    }
    return next;
}
