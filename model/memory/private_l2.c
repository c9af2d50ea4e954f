#include "model/memory/private_l2.h"

#include "sim/error.h"

#include <string.h>

void private_l2_init(struct private_l2 *l, const struct machine_config *c, struct snoop_bus *bus) {
    memset(l, 0, sizeof *l);
    cache_init(&l->tags, &c->l2, c->mem.replacement_seed);
    l->table = bus->table;
    l->bus = bus;
    l->latency_cycles = c->l2.latency_cycles;
    l->mshrs = c->mem.mshrs;
    l->ports = c->l2_ports;
    l->bank_mask = c->l2_banks - 1;
    l->number = bus->count;
    bus->l2[bus->count++] = l;
    histogram_init_linear(&l->in_flight, 1, 1, l->mshrs);
}

void private_l2_free(struct private_l2 *l) {
    cache_free(&l->tags);
}

/* --- ports --- */

/* Returns the first cycle from t on in which a port is free. */
static uint64_t port_free(const struct l2_port *p, uint64_t t) {
    if (t > p->last || p->last - t >= 64) return t; /* older cycles are not recorded */
    const uint64_t free_before = ~p->taken & ((2ull << (p->last - t)) - 1);
    return free_before ? p->last - (63 - (unsigned)__builtin_clzll(free_before)) : p->last + 1;
}

static void port_take(struct l2_port *p, uint64_t t) {
    if (t > p->last) {
        p->taken = t - p->last < 64 ? p->taken << (t - p->last) | 1 : 1;
        p->last = t;
    } else if (p->last - t < 64) {
        p->taken |= 1ull << (p->last - t);
    }
}

uint64_t private_l2_wait_port(struct private_l2 *l, unsigned bank, uint64_t t) {
    struct l2_port *best = &l->port[bank];
    uint64_t start = port_free(best, t);
    for (unsigned n = 1; n < l->ports && start > t; ++n) {
        const uint64_t other = port_free(&l->port[bank + n], t);
        if (other >= start) continue;
        start = other;
        best = &l->port[bank + n];
    }
    port_take(best, start);
    l->port_wait_cycles += start - t;
    return start;
}

/* --- miss registers --- */

#define NO_LINE UINT32_MAX /* larger than any line number */

static struct l2_mshr *mshr(struct private_l2 *l, unsigned n) {
    return &l->mshr[(l->first + n) % L2_MAX_MSHRS];
}

static void retire(struct private_l2 *l, uint64_t t) {
    if (t > l->retired) l->retired = t;
    while (l->outstanding && mshr(l, 0)->done < t) {
        l->first = (l->first + 1) % L2_MAX_MSHRS;
        --l->outstanding;
    }
}

/* Inserts a miss. The ring is sorted, since misses end in another order than they begin. */
static void add_miss(struct private_l2 *l, struct l2_mshr miss) {
    unsigned n = l->outstanding++;
    for (; n && mshr(l, n - 1)->done > miss.done; --n) *mshr(l, n) = *mshr(l, n - 1);
    *mshr(l, n) = miss;
    histogram_add(&l->in_flight, l->outstanding);
}

unsigned private_l2_pending(const struct private_l2 *l, uint64_t t) {
    unsigned count = 0;
    for (unsigned n = 0; n < l->outstanding; ++n) count += l->mshr[(l->first + n) % L2_MAX_MSHRS].done >= t;
    return count;
}

/* Returns the pending miss that a request for a line absent from the tags can join; NULL if there is none. */
static const struct l2_mshr *joins(const struct private_l2 *l, uint32_t line, bool store) {
    for (unsigned n = 0; n < l->outstanding; ++n) {
        const struct l2_mshr *m = &l->mshr[(l->first + n) % L2_MAX_MSHRS];
        if (m->line == line && m->write >= store) return m;
    }
    return NULL;
}

uint64_t private_l2_joins(const struct private_l2 *l, uint32_t line, bool store) {
    const struct l2_mshr *miss = joins(l, line, store);
    return miss ? miss->done : 0;
}

static bool refuse(struct private_l2 *l, uint64_t *done) {
    ++l->refused;
    *done = mshr(l, 0)->done + 1;
    return false;
}

/* --- misses --- */

/* Drops a line from the L1D when the L2 evicts it (inclusion). */
static void drop_above(struct private_l2 *l, uint32_t line) {
    if (!l->l1d) return;
    const uint32_t base = line << l->tags.line_shift;
    for (uint32_t offset = 0; offset < 1u << l->tags.line_shift; offset += 1u << l->l1d->line_shift) {
        struct cache_line *above = cache_look(l->l1d, base + offset);
        if (above) above->state = 0;
    }
}

void private_l2_lose(struct private_l2 *l, uint32_t line) {
    ++l->lost;
    drop_above(l, line);
}

bool private_l2_overwrite(struct private_l2 *l, uint32_t line) {
    struct cache_line *mine = cache_peek(&l->tags, line << l->tags.line_shift);
    for (unsigned n = 0; n < l->outstanding; ++n)
        if (mshr(l, n)->line == line) mshr(l, n)->line = NO_LINE; /* later requests do not join the miss */
    if (!mine) return false;
    const bool dirty = moesi_dirty(mine->state);
    mine->state = MOESI_I;
    ++l->overwritten;
    drop_above(l, line);
    return dirty;
}

/* Evicts the line of a place that another line takes. */
static void evict(struct private_l2 *l, const struct cache_line *victim, uint64_t t) {
    const struct moesi_row *row = moesi_apply(l->table, victim->state, MOESI_EVICT, victim->tag);
    const bool dirty = row->action == MOESI_WRITE_BACK;
    ++l->bus->covered[victim->state][MOESI_EVICT];
    invariant(row->next == MOESI_I && (dirty || row->action == MOESI_NOTHING),
              "line 0x%x is evicted to state %s with action %u", victim->tag, moesi_state_name[row->next],
              row->action);
    drop_above(l, victim->tag);
    l->writebacks += snoop_bus_evicted(l->bus, l, victim, dirty, t);
}

/* Makes a request to the bus after the look-up, for a line that has its place or for the right to write
 * it. */
static void ask(struct private_l2 *l, struct cache_line *line, bool store, uint64_t looked_up) {
    const enum moesi_event event = store ? MOESI_STORE : MOESI_LOAD;
    const struct moesi_row *row = moesi_apply(l->table, line->state, event, line->tag);
    ++l->bus->covered[line->state][event];
    const struct snoop_answer a =
        snoop_bus_request(l->bus, l, row->action, line->state, line->tag, looked_up);
    invariant(row->next == line->state, "line 0x%x changes from %s to %s before its request is answered",
              line->tag, moesi_state_name[line->state], moesi_state_name[row->next]);
    row = moesi_apply(l->table, line->state, a.fill, line->tag);
    ++l->bus->covered[line->state][a.fill];
    invariant(row->action == MOESI_NOTHING, "%s of line 0x%x has action %u", moesi_event_name[a.fill],
              line->tag, row->action);
    if (!line->state) line->version = a.version;
    line->version += store;
    line->state = row->next;
    if (a.ready > line->present) line->present = a.ready;
    add_miss(l, (struct l2_mshr){line->present - 1, line->tag, store});
}

/* Serves a request for a line that has been promised to another L2 by the pending miss. */
static bool join(struct private_l2 *l, const struct l2_mshr *miss, uint32_t address, bool store, uint64_t t,
                 uint64_t *done) {
    const uint64_t hit = private_l2_take_port(l, address, t) + l->latency_cycles - 1;
    ++l->tags.accesses;
    l->stores += store;
    ++l->joined;
    *done = miss->done > hit ? miss->done : hit;
    return true;
}

bool private_l2_miss(struct private_l2 *l, struct cache_line *line, uint32_t address, bool store, uint64_t t,
                     uint64_t *done) {
    const uint32_t tag = address >> l->tags.line_shift;
    retire(l, t);
    const struct l2_mshr *miss = line ? NULL : joins(l, tag, store);
    if (miss) return join(l, miss, address, store, t, done);
    struct cache_line *place = line ? line : cache_victim(&l->tags, address, t);
    if (l->outstanding == l->mshrs || !place) return refuse(l, done);
    const uint64_t looked_up = private_l2_take_port(l, address, t) + l->latency_cycles;
    const struct cache_line victim = *place;
    if (!line) cache_put(&l->tags, place, (struct cache_line){.tag = tag});
    ask(l, place, store, looked_up);
    if (!line && victim.state) evict(l, &victim, looked_up);
    ++l->tags.accesses;
    l->stores += store;
    l->tags.misses += !line;
    l->upgrades += line != NULL;
    *done = place->present - 1;
    return true;
}

/* --- asking first --- */

/* Returns whether all ways of a set may be in flight in cycle t. Each such way has a miss register, unless
 * later cycles are already known. */
static bool may_be_full(const struct private_l2 *l, uint64_t t) {
    return l->outstanding >= l->tags.ways || t < l->retired;
}

/* Returns whether all ways of a line's set are in flight. */
static bool is_full(const struct private_l2 *l, uint32_t line, uint64_t t) {
    const struct cache *c = &l->tags;
    if (!may_be_full(l, t)) return false;
    for (unsigned way = 0; way < c->ways; ++way) {
        const struct cache_line *p = cache_place(c, line, way);
        if (!p->state || p->present <= t) return false;
    }
    return true;
}

/* Returns whether the line needs a miss register at cycle t. *set_full: its set cannot take it then. */
static bool needs_register(struct private_l2 *l, uint32_t line, bool store, uint64_t t, bool *set_full) {
    const struct cache_line *there = cache_peek(&l->tags, line << l->tags.line_shift);
    if (there) return l->table->row[there->state][store ? MOESI_STORE : MOESI_LOAD].action != MOESI_HIT;
    if (joins(l, line, store)) return false;
    *set_full |= is_full(l, line, t);
    return true;
}

static __attribute__((noinline)) uint64_t refuses_lines(struct private_l2 *l, uint32_t first, uint32_t last,
                                                        bool store, uint64_t t) {
    unsigned needed = 0;
    bool set_full = false;
    for (uint32_t line = first; line <= last; ++line) needed += needs_register(l, line, store, t, &set_full);
    if (!needed || (!set_full && l->outstanding + needed <= l->mshrs)) return 0;
    invariant(needed <= l->mshrs, "an access of %u lines needs more miss registers than the %u there are",
              needed, l->mshrs);
    return mshr(l, 0)->done + 1;
}

uint64_t private_l2_refuses(struct private_l2 *l, uint32_t address, unsigned size, bool store, uint64_t t) {
    const uint32_t first = address >> l->tags.line_shift, last = (address + size - 1) >> l->tags.line_shift;
    retire(l, t);
    if (l->outstanding + (last - first + 1) <= l->mshrs && !may_be_full(l, t)) return 0;
    return refuses_lines(l, first, last, store, t);
}
