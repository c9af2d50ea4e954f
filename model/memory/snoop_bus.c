#include "model/memory/snoop_bus.h"

#include "model/memory/private_l2.h"

#include "sim/error.h"

#include <string.h>

void snoop_bus_init(struct snoop_bus *b, unsigned cluster, const struct machine_config *c,
                    struct main_memory *memory, struct directory *directory) {
    memset(b, 0, sizeof *b);
    b->table = &moesi_table;
    b->cluster = cluster;
    b->memory = memory;
    b->directory = directory;
    b->latency_cycles = c->snoop.latency_cycles;
    b->occupancy_cycles = c->snoop.occupancy_cycles;
    if (directory) directory->bus[cluster] = b;
}

static uint64_t take_turn(struct snoop_bus *b, uint64_t t) {
    const uint64_t start = calendar_reserve(&b->turns, t, b->occupancy_cycles);
    b->wait_cycles += start - t;
    return start;
}

static struct cache_line *line_in(const struct private_l2 *l2, uint32_t line) {
    return cache_look(&l2->tags, line << l2->tags.line_shift);
}

/* Returns the table's row for a snoop of `count` L2s that have the line in one state. */
static inline struct moesi_row row_of(struct snoop_bus *b, unsigned state, enum moesi_event event,
                                      uint32_t line, unsigned count) {
    const struct moesi_row row = *moesi_apply(b->table, state, event, line);
    b->covered[state][event] += count;
    invariant(row.action == MOESI_NOTHING ||
                  (row.action == MOESI_SUPPLY && event != MOESI_SNOOP_UPGRADE && state != MOESI_I),
              "%s of line 0x%x has action %u", moesi_event_name[event], line, row.action);
    invariant(state != MOESI_I || row.next == MOESI_I, "line 0x%x, which is not there, goes to state %s",
              line, moesi_state_name[row.next]);
    return row;
}

/* Returns the row with the supplier and the next state by the block. If a cluster only gives up its copies,
 * it answers when the first of them, or the one newer than memory, is available, as with the table. */
static struct moesi_row row_said(const struct snoop_directory *says, const struct snoop_bus *b, unsigned n,
                                 enum moesi_event event, bool forwarded) {
    const bool gives_up = forwarded && event != MOESI_SNOOP_UPGRADE &&
                          !(says->out.supplied && says->out.supplier_cluster == b->cluster);
    const bool supplies = gives_up || snoop_directory_supplies(says, b->cluster, n);
    return (struct moesi_row){supplies ? MOESI_SUPPLY : MOESI_NOTHING,
                              (uint8_t)snoop_directory_next(says, b->cluster, n)};
}

/* Does the part of L2 n, which holds the line, in a snoop by a neighbour or by the directory. */
static void snoop_holder(struct snoop_bus *b, unsigned n, enum moesi_event event, bool forwarded,
                         struct cache_line *l, const struct snoop_directory *says, struct snooped *s) {
    const uint32_t line = l->tag;
    const unsigned state = l->state;
    const struct moesi_row row =
        says ? row_said(says, b, n, event, forwarded) : row_of(b, state, event, line, 1);
    if (row.action == MOESI_SUPPLY && (!s->supplied || moesi_dirty(state))) {
        s->supplied = true;
        s->present = l->present;
        s->version = l->version;
    }
    ++s->holders;
    s->alone |= moesi_alone(state);
    s->dirty |= moesi_dirty(state);
    l->state = row.next < MOESI_STATE_COUNT ? row.next : MOESI_I;
    if (l->state == MOESI_I) private_l2_lose(b->l2[n], line);
}

static struct snooped snoop(struct snoop_bus *b, const struct private_l2 *who, enum moesi_event event,
                            uint32_t line, const struct snoop_directory *says) {
    struct snooped s = {0};
    unsigned without = 0;
    for (unsigned n = 0; n < b->count; ++n) {
        if (b->l2[n] == who) continue;
        struct cache_line *l = line_in(b->l2[n], line);
        if (l)
            snoop_holder(b, n, event, !who, l, says, &s);
        else
            ++without;
    }
    if (without && !says) row_of(b, MOESI_I, event, line, without);
    return s;
}

/* Returns the block's decision on a request, or on the eviction of a line in this state; NULL if the tables
 * decide. */
static const struct snoop_directory *ask(const struct snoop_bus *b, const struct private_l2 *who,
                                         enum snoop_directory_request request, unsigned state,
                                         uint32_t line) {
    struct snoop_directory *d = b->protocol;
    if (!snoop_directory_decides(d)) return NULL;
    for (unsigned c = 0; c < d->clusters; ++c) {
        const struct snoop_bus *bus = b->directory ? b->directory->bus[c] : b;
        if (bus != b && bus->before_forward) bus->before_forward(bus->context, line);
        for (unsigned n = 0; n < d->l2s; ++n) {
            const struct cache_line *l = line_in(bus->l2[n], line);
            d->state[c * d->l2s + n] = bus->l2[n] == who ? state : l ? l->state : MOESI_I;
        }
    }
    const struct directory_entry *e = b->directory ? directory_find(b->directory, line) : NULL;
    d->in = (struct snoop_directory_in){.request = request,
                                        .cluster = b->cluster,
                                        .l2 = who->number,
                                        .state = d->state,
                                        .entry = e ? e->state : DIRECTORY_U,
                                        .owner = e && directory_owned(e->state) ? e->owner : 0};
    snoop_directory_eval(d);
    block_requests_cycle(&d->requests, CLUSTER_BLOCK_PROTOCOL);
    return d;
}

static uint64_t later(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

/* Returns whether other clusters get the request. They do not if a neighbour's copy shows that they have
 * none, or if a line to be read is in the cluster. */
static bool asks_directory(const struct snoop_bus *b, enum moesi_action request, const struct snooped *s) {
    return b->directory && !s->alone && (request != MOESI_READ || !s->holders);
}

/* Adds the directory's answer; neighbours that hold the line supply it in any case. */
static void ask_directory(struct snoop_bus *b, enum moesi_action request, uint32_t line, uint64_t t,
                          const struct snooped *s, const struct snoop_directory *says,
                          struct snoop_answer *a) {
    const enum directory_event event = request == MOESI_UPGRADE || s->holders ? DIRECTORY_UPGRADE
                                       : request == MOESI_READ                ? DIRECTORY_READ
                                                                              : DIRECTORY_WRITE;
    const struct directory_answer d = directory_request(b->directory, b->cluster, event, line, t, says);
    a->ready = later(a->ready, d.ready);
    if (d.data) a->version = d.version;
    if (request == MOESI_READ && !d.alone) a->fill = MOESI_FILL_SHARED;
}

/* Returns the event that takes the requester's line to the state of the block. */
static enum moesi_event fill_to(unsigned next, enum moesi_action request) {
    return request == MOESI_UPGRADE ? MOESI_GRANT
           : next == MOESI_M        ? MOESI_FILL_WRITE
           : next == MOESI_E        ? MOESI_FILL_ALONE
                                    : MOESI_FILL_SHARED;
}

struct snoop_answer snoop_bus_request(struct snoop_bus *b, const struct private_l2 *who,
                                      enum moesi_action request, unsigned state, uint32_t line, uint64_t t) {
    static const enum moesi_event event[] = {[MOESI_READ] = MOESI_SNOOP_READ,
                                             [MOESI_WRITE] = MOESI_SNOOP_WRITE,
                                             [MOESI_UPGRADE] = MOESI_SNOOP_UPGRADE};
    static const enum snoop_directory_request asked[] = {[MOESI_READ] = SNOOP_DIRECTORY_READ,
                                                         [MOESI_WRITE] = SNOOP_DIRECTORY_WRITE,
                                                         [MOESI_UPGRADE] = SNOOP_DIRECTORY_UPGRADE};
    invariant(request == MOESI_READ || request == MOESI_WRITE || request == MOESI_UPGRADE,
              "an L2 asks for line 0x%x with action %d", line, (int)request);
    const uint64_t start = take_turn(b, t), answered = start + b->latency_cycles;
    const struct snoop_directory *says = ask(b, who, asked[request], state, line);
    const struct snooped s = snoop(b, who, event[request], line, says);
    ++b->requests;
    b->supplied += s.supplied;
    b->upgrades += request == MOESI_UPGRADE;
    struct snoop_answer a = {.ready = answered, .version = s.version};
    a.fill = request == MOESI_UPGRADE ? MOESI_GRANT
             : request == MOESI_WRITE ? MOESI_FILL_WRITE
             : s.holders              ? MOESI_FILL_SHARED
                                      : MOESI_FILL_ALONE;
    if (s.supplied) a.ready = later(s.present, start) + b->latency_cycles;
    if (asks_directory(b, request, &s))
        ask_directory(b, request, line, answered, &s, says, &a);
    else if (says ? says->out.memory : !s.supplied && request != MOESI_UPGRADE)
        a.ready = main_memory_read(b->memory, line, start, &a.version);
    if (says) a.fill = fill_to(snoop_directory_next(says, b->cluster, who->number), request);
    return a;
}

static bool held(const struct snoop_bus *b, uint32_t line) {
    for (unsigned n = 0; n < b->count; ++n)
        if (line_in(b->l2[n], line)) return true;
    return false;
}

bool snoop_bus_evicted(struct snoop_bus *b, const struct private_l2 *who, const struct cache_line *victim,
                       bool dirty, uint64_t t) {
    const uint32_t line = victim->tag;
    const struct snoop_directory *says = ask(b, who, SNOOP_DIRECTORY_EVICT, victim->state, line);
    if (says) dirty = says->out.write_back;
    if (dirty) main_memory_write(b->memory, line, take_turn(b, t), victim->version);
    if (!b->directory) return dirty;
    if (says) {
        directory_follow(b->directory, line, says);
        return dirty;
    }
    if (dirty) directory_write_back(b->directory, b->cluster, line);
    if (moesi_alone(victim->state) || !held(b, line)) directory_leave(b->directory, b->cluster, line);
    return dirty;
}

static void overwrite(struct snoop_bus *b, uint32_t line) {
    const bool was_held = b->directory && held(b, line);
    bool dirty = false;
    for (unsigned n = 0; n < b->count; ++n) dirty |= private_l2_overwrite(b->l2[n], line);
    if (!was_held) return;
    if (dirty) directory_write_back(b->directory, b->cluster, line);
    directory_leave(b->directory, b->cluster, line);
}

/* Returns whether an L2 of the bus has ever held a line. */
static bool is_used(const struct snoop_bus *b) {
    for (unsigned n = 0; n < b->count; ++n)
        if (b->l2[n]->tags.uses) return true;
    return false;
}

/* If there are more lines than an L2 holds, only the L2s' lines are visited. */
void snoop_bus_overwrite(struct snoop_bus *b, uint32_t first, uint32_t last) {
    const struct cache *any = &b->l2[0]->tags;
    if (!is_used(b)) return;
    const uint32_t places = any->sets * any->ways;
    if (last - first < places) {
        for (uint32_t line = first; line <= last; ++line) overwrite(b, line);
        return;
    }
    for (unsigned n = 0; n < b->count; ++n)
        for (uint32_t at = 0; at < places; ++at) {
            const struct cache_line *held_line = &b->l2[n]->tags.line[at];
            if (held_line->state && held_line->tag - first <= last - first) overwrite(b, held_line->tag);
        }
}

struct snooped snoop_bus_forward(struct snoop_bus *b, enum moesi_event event, uint32_t line, uint64_t t,
                                 const struct snoop_directory *says, uint64_t *ready) {
    if (b->before_forward) b->before_forward(b->context, line);
    const uint64_t start = take_turn(b, t);
    const struct snooped s = snoop(b, NULL, event, line, says);
    *ready = later(s.present, start) + b->latency_cycles;
    return s;
}
