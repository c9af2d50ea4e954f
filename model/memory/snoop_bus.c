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

/* One L2's share of a snoop. */
static void snoop_one(struct snoop_bus *b, struct private_l2 *l2, enum moesi_event event, uint32_t line,
                      struct snooped *s) {
    struct cache_line *l = cache_look(&l2->tags, line << l2->tags.line_shift);
    const unsigned state = l ? l->state : MOESI_I;
    const struct moesi_row *row = moesi_apply(b->table, state, event, line);
    ++b->covered[state][event];
    invariant(row->action == MOESI_NOTHING ||
                  (row->action == MOESI_SUPPLY && event != MOESI_SNOOP_UPGRADE && state != MOESI_I),
              "%s of line 0x%x has action %u", moesi_event_name[event], line, row->action);
    if (row->action == MOESI_SUPPLY && (!s->supplied || moesi_dirty(state))) {
        s->supplied = true;
        s->present = l->present;
        s->version = l->version;
    }
    invariant(l || row->next == MOESI_I, "line 0x%x, which is not there, goes to state %s", line,
              moesi_state_name[row->next]);
    if (!l) return;
    ++s->holders;
    s->alone |= moesi_alone(state);
    s->dirty |= moesi_dirty(state);
    l->state = row->next;
    if (l->state == MOESI_I) private_l2_lose(l2, line);
}

static struct snooped snoop(struct snoop_bus *b, const struct private_l2 *who, enum moesi_event event,
                            uint32_t line) {
    struct snooped s = {0};
    for (unsigned n = 0; n < b->count; ++n)
        if (b->l2[n] != who) snoop_one(b, b->l2[n], event, line, &s);
    return s;
}

static uint64_t later(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

/* Must other clusters be asked? Not where a neighbour's copy shows that they have none, and not for a line
 * that is there to be read. */
static bool asks_directory(const struct snoop_bus *b, enum moesi_action request, const struct snooped *s) {
    return b->directory && !s->alone && (request != MOESI_READ || !s->holders);
}

/* What the directory adds: neighbours that hold the line supply it all the same. */
static void ask_directory(struct snoop_bus *b, enum moesi_action request, uint32_t line, uint64_t t,
                          struct snooped *s, struct snoop_answer *a) {
    const enum directory_event event = request == MOESI_UPGRADE || s->holders ? DIRECTORY_UPGRADE
                                       : request == MOESI_READ                ? DIRECTORY_READ
                                                                              : DIRECTORY_WRITE;
    const struct directory_answer d = directory_request(b->directory, b->cluster, event, line, t);
    a->ready = later(a->ready, d.ready);
    if (d.data) a->version = d.version;
    if (request == MOESI_READ && !d.alone) a->fill = MOESI_FILL_SHARED;
}

struct snoop_answer snoop_bus_request(struct snoop_bus *b, const struct private_l2 *who,
                                      enum moesi_action request, uint32_t line, uint64_t t) {
    static const enum moesi_event event[] = {[MOESI_READ] = MOESI_SNOOP_READ,
                                             [MOESI_WRITE] = MOESI_SNOOP_WRITE,
                                             [MOESI_UPGRADE] = MOESI_SNOOP_UPGRADE};
    invariant(request == MOESI_READ || request == MOESI_WRITE || request == MOESI_UPGRADE,
              "an L2 asks for line 0x%x with action %d", line, (int)request);
    const uint64_t start = take_turn(b, t), answered = start + b->latency_cycles;
    struct snooped s = snoop(b, who, event[request], line);
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
        ask_directory(b, request, line, answered, &s, &a);
    else if (!s.supplied && request != MOESI_UPGRADE)
        a.ready = main_memory_read(b->memory, line, start, &a.version);
    return a;
}

static bool held(const struct snoop_bus *b, uint32_t line) {
    for (unsigned n = 0; n < b->count; ++n)
        if (cache_look(&b->l2[n]->tags, line << b->l2[n]->tags.line_shift)) return true;
    return false;
}

void snoop_bus_evicted(struct snoop_bus *b, bool dirty, bool alone, uint32_t line, uint64_t t,
                       uint32_t version) {
    if (dirty) {
        main_memory_write(b->memory, line, take_turn(b, t), version);
        if (b->directory) directory_write_back(b->directory, b->cluster, line);
    }
    if (b->directory && (alone || !held(b, line))) directory_leave(b->directory, b->cluster, line);
}

static void overwrite(struct snoop_bus *b, uint32_t line) {
    const bool was_held = b->directory && held(b, line);
    bool dirty = false;
    for (unsigned n = 0; n < b->count; ++n) dirty |= private_l2_overwrite(b->l2[n], line);
    if (!was_held) return;
    if (dirty) directory_write_back(b->directory, b->cluster, line);
    directory_leave(b->directory, b->cluster, line);
}

/* Of more lines than an L2 holds only those are looked at that it does. */
void snoop_bus_overwrite(struct snoop_bus *b, uint32_t first, uint32_t last) {
    const struct cache *any = &b->l2[0]->tags;
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
                                 uint64_t *ready) {
    if (b->before_forward) b->before_forward(b->context, line);
    const uint64_t start = take_turn(b, t);
    const struct snooped s = snoop(b, NULL, event, line);
    *ready = later(s.present, start) + b->latency_cycles;
    return s;
}
