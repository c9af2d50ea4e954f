#include "model/memory/directory.h"

#include "model/memory/snoop_bus.h"
#include "model/memory/snoop_directory.h"

#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

void directory_init(struct directory *d, const struct machine_config *c, struct main_memory *memory) {
    memset(d, 0, sizeof *d);
    d->table = &directory_table;
    d->clusters = c->cluster.count;
    d->hop_cycles = c->directory.hop_cycles;
    d->latency_cycles = c->directory.latency_cycles;
    d->occupancy_cycles = c->directory.occupancy_cycles;
    d->memory = memory;
    const uint64_t lines =
        (uint64_t)c->cluster.count * c->cluster.lanes * (c->l2.size_bytes / c->l2.line_bytes);
    uint64_t size = 64;
    while (size < 2 * lines) size *= 2;
    d->entry_mask = (uint32_t)(size - 1);
    d->entry = calloc(size, sizeof *d->entry);
    require_memory(d->entry);
}

void directory_free(struct directory *d) {
    free(d->entry);
}

/* --- entries --- */

/* Returns the preferred index of a line's entry. Entries of eight adjacent lines are in two lines of the
 * host's cache. */
static uint32_t home(const struct directory *d, uint32_t line) {
    return ((line >> 3) * 0x9e3779b1u >> 7 << 3 | line % 8) & d->entry_mask;
}

/* Returns the place of the line's entry, existing or new. */
static struct directory_entry *slot(const struct directory *d, uint32_t line) {
    uint32_t at = home(d, line);
    while (d->entry[at].sharers && d->entry[at].line != line) at = (at + 1) & d->entry_mask;
    return &d->entry[at];
}

const struct directory_entry *directory_find(const struct directory *d, uint32_t line) {
    const struct directory_entry *e = slot(d, line);
    return e->sharers ? e : NULL;
}

/* Removes an entry, and moves up entries that could otherwise not be found behind the gap. */
static void erase(struct directory *d, struct directory_entry *e) {
    uint32_t gap = (uint32_t)(e - d->entry), at = gap;
    for (;;) {
        at = (at + 1) & d->entry_mask;
        if (!d->entry[at].sharers) break;
        const uint32_t from = home(d, d->entry[at].line);
        if (((at - from) & d->entry_mask) < ((at - gap) & d->entry_mask)) continue;
        d->entry[gap] = d->entry[at];
        gap = at;
    }
    d->entry[gap] = (struct directory_entry){0};
    --d->entries;
}

static const struct directory_row *apply(struct directory *d, unsigned state, enum directory_event event,
                                         uint32_t line) {
    ++d->covered[state][event];
    return directory_apply(d->table, state, event, line);
}

/* Returns the next state after an event that needs no action of the directory. */
static uint8_t note(struct directory *d, unsigned state, enum directory_event event, uint32_t line) {
    const struct directory_row *row = apply(d, state, event, line);
    invariant(row->action == DIRECTORY_NOTHING, "directory: %s of line 0x%x has action %u",
              directory_event_name[event], line, row->action);
    return row->next;
}

/* --- requests --- */

/* A request: requester, line, cycle of the look-up, source of the decision (`says`; NULL: the table), and the
 * answer. */
struct request {
    unsigned cluster;
    uint32_t line;
    uint64_t looked_up;
    const struct snoop_directory *says;
    struct directory_answer *answer;
};

static void answers_by(const struct request *r, uint64_t ready) {
    if (ready > r->answer->ready) r->answer->ready = ready;
}

static void from_memory(struct directory *d, const struct request *r) {
    answers_by(r, main_memory_read(d->memory, r->line, r->looked_up, &r->answer->version) + d->hop_cycles);
    r->answer->data = true;
}

/* Sends the line from the owner's cluster to the requester's. */
static struct snooped from_owner(struct directory *d, const struct request *r, unsigned owner,
                                 enum moesi_event event) {
    uint64_t ready;
    ++d->forwards;
    const struct snooped s =
        snoop_bus_forward(d->bus[owner], event, r->line, r->looked_up + d->hop_cycles, r->says, &ready);
    invariant(s.supplied || r->says, "directory: cluster %u, the owner, does not have line 0x%x", owner,
              r->line);
    answers_by(r, ready + d->hop_cycles);
    r->answer->version = s.version;
    r->answer->data = true;
    return s;
}

static void invalidate(struct directory *d, const struct request *r, uint64_t clusters) {
    for (; clusters; clusters &= clusters - 1) {
        uint64_t ready;
        ++d->invalidations;
        snoop_bus_forward(d->bus[__builtin_ctzll(clusters)], MOESI_SNOOP_WRITE, r->line,
                          r->looked_up + d->hop_cycles, r->says, &ready);
        answers_by(r, ready + d->hop_cycles);
    }
}

static uint64_t bit(unsigned cluster) {
    return UINT64_C(1) << cluster;
}

/* Carries out the row's action. Returns the entry's new state. */
static unsigned carry_out(struct directory *d, const struct request *r, struct directory_entry *e,
                          const struct directory_row *row) {
    const uint64_t others = e->sharers & ~bit(r->cluster), owner = bit(e->owner);
    switch (row->action) {
    case DIRECTORY_MEMORY: from_memory(d, r); break;
    case DIRECTORY_MEMORY_INVALIDATE:
        invariant(others, "directory: line 0x%x is to be invalidated where nobody has it", r->line);
        from_memory(d, r);
        invalidate(d, r, others);
        break;
    case DIRECTORY_FORWARD: {
        const struct snooped s = from_owner(d, r, e->owner, MOESI_SNOOP_READ);
        invariant(s.dirty || e->state == DIRECTORY_X, "directory: line 0x%x is owned and as in memory",
                  r->line);
        return note(d, row->next, s.dirty ? DIRECTORY_DIRTY : DIRECTORY_CLEAN, r->line);
    }
    case DIRECTORY_FORWARD_INVALIDATE:
        from_owner(d, r, e->owner, MOESI_SNOOP_WRITE);
        invalidate(d, r, others & ~owner);
        break;
    case DIRECTORY_INVALIDATE: invalidate(d, r, others); break;
    default:
        invariant(row->action == DIRECTORY_NOTHING, "directory: a request for line 0x%x has action %u",
                  r->line, row->action);
    }
    return row->next;
}

/* Handles a request by the table and changes the entry. */
static void decide(struct directory *d, const struct request *r, struct directory_entry *e,
                   enum directory_event event) {
    const bool has = e->sharers & bit(r->cluster);
    invariant(has == (event == DIRECTORY_UPGRADE),
              "directory: %s of line 0x%x by cluster %u, which %s copies", directory_event_name[event],
              r->line, r->cluster, has ? "has" : "has no");
    const struct directory_row *row = apply(d, e->state, event, r->line);
    invariant(e->state != DIRECTORY_X || event != DIRECTORY_UPGRADE || e->owner == r->cluster,
              "directory: upgrade of line 0x%x by cluster %u, but only cluster %u has it", r->line,
              r->cluster, e->owner);
    e->state = (uint8_t)carry_out(d, r, e, row);
    if (e->state == DIRECTORY_X) e->sharers = 0;
    if (e->state == DIRECTORY_X) e->owner = (uint8_t)r->cluster;
    e->sharers |= bit(r->cluster);
}

static void take_entry(struct directory_entry *e, const struct snoop_directory *says) {
    e->state = (uint8_t)says->out.entry;
    e->owner = (uint8_t)says->out.owner;
    e->sharers = snoop_directory_sharers(says);
}

/* Handles a request by the block's outputs, regardless of the table. */
static void follow(struct directory *d, const struct request *r, struct directory_entry *e) {
    const struct snoop_directory_out *out = &r->says->out;
    const uint64_t asked = out->asked & ~bit(r->cluster),
                   giver = out->supplied ? asked & bit(out->supplier_cluster) : 0;
    const bool read = r->says->in.request == SNOOP_DIRECTORY_READ;
    if (out->memory) from_memory(d, r);
    if (giver) from_owner(d, r, out->supplier_cluster, read ? MOESI_SNOOP_READ : MOESI_SNOOP_WRITE);
    invalidate(d, r, asked & ~giver);
    take_entry(e, r->says);
    e->sharers |= bit(r->cluster); /* the requester takes the line in any case */
}

struct directory_answer directory_request(struct directory *d, unsigned cluster, enum directory_event event,
                                          uint32_t line, uint64_t t, const struct snoop_directory *says) {
    const uint64_t arrives = t + d->hop_cycles,
                   start = calendar_reserve(&d->lookups, arrives, d->occupancy_cycles);
    struct directory_answer a = {0};
    const struct request r = {cluster, line, start + d->latency_cycles, says, &a};
    struct directory_entry *e = slot(d, line);
    if (!e->sharers) {
        *e = (struct directory_entry){.line = line, .state = DIRECTORY_U};
        ++d->entries;
    }
    ++d->requests;
    d->wait_cycles += start - arrives;
    answers_by(&r, r.looked_up + d->hop_cycles);
    if (says)
        follow(d, &r, e);
    else
        decide(d, &r, e, event);
    a.alone = e->sharers == bit(cluster);
    return a;
}

/* --- what clusters tell --- */

void directory_follow(struct directory *d, uint32_t line, const struct snoop_directory *says) {
    struct directory_entry *e = slot(d, line);
    if (!e->sharers) return;
    take_entry(e, says);
    if (!e->sharers) erase(d, e);
}

static struct directory_entry *entry_of(struct directory *d, unsigned cluster, uint32_t line) {
    struct directory_entry *e = slot(d, line);
    invariant(e->sharers & bit(cluster), "directory: cluster %u gives up line 0x%x, which it does not have",
              cluster, line);
    return e;
}

void directory_write_back(struct directory *d, unsigned cluster, uint32_t line) {
    struct directory_entry *e = entry_of(d, cluster, line);
    const uint8_t next = note(d, e->state, DIRECTORY_WRITE_BACK, line);
    invariant(e->owner == cluster, "directory: cluster %u writes back line 0x%x, which cluster %u owns",
              cluster, line, e->owner);
    e->state = next;
}

void directory_leave(struct directory *d, unsigned cluster, uint32_t line) {
    struct directory_entry *e = entry_of(d, cluster, line);
    const bool last = e->sharers == bit(cluster);
    invariant(last || !directory_owned(e->state) || e->owner != cluster,
              "directory: cluster %u leaves line 0x%x, which it owns", cluster, line);
    e->state = note(d, e->state, last ? DIRECTORY_LAST_LEAVES : DIRECTORY_LEAVE, line);
    e->sharers &= ~bit(cluster);
    invariant((e->state == DIRECTORY_U) == !e->sharers, "directory: line 0x%x in state %s has sharers 0x%llx",
              line, directory_state_name[e->state], (unsigned long long)e->sharers);
    if (!e->sharers) erase(d, e);
}
