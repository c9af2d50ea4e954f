#include "model/memory/non_blocking_cache.h"

#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

const struct write_policy write_policies[] = {
    [WRITE_THROUGH] = {CACHE_STORE, false},
    [WRITE_BACK] = {CACHE_KEPT_STORE, true},
};

#define WRITTEN_BYTES                                                                                        \
    32 /* granularity of writes: a packet brings the pieces of a line with written bytes                     \
        */

void non_blocking_cache_init(struct non_blocking_cache *c, const struct machine_cache_config *config,
                             const struct machine_mshr_config *misses, struct cluster_port *port,
                             unsigned source, uint32_t seed) {
    memset(c, 0, sizeof *c);
    masked_cache_init(&c->lines, config, seed);
    c->port = port;
    c->source = source;
    c->latency_cycles = config->latency_cycles;
    c->mshrs = misses->mshrs;
    c->requests = misses->requests;
    c->mshr = calloc(c->mshrs, sizeof *c->mshr);
    c->waiting = calloc((size_t)c->mshrs * c->requests, sizeof *c->waiting);
    require_memory(c->mshr && c->waiting);
}

void non_blocking_cache_free(struct non_blocking_cache *c) {
    masked_cache_free(&c->lines);
    free(c->mshr);
    free(c->waiting);
}

static inline uint32_t line_of(const struct non_blocking_cache *c, uint32_t address) {
    return address >> c->lines.tags.line_shift;
}

/* Returns the register of the line that later requests may join; NULL if there is none. */
static struct cache_mshr *find_mshr(const struct non_blocking_cache *c, uint32_t line) {
    unsigned left = c->outstanding;
    for (struct cache_mshr *m = c->mshr; left; ++m) {
        if (m->taken && m->merges && m->line == line) return m;
        left -= m->taken;
    }
    return NULL;
}

static void join(struct non_blocking_cache *c, struct cache_mshr *m, uint32_t tag) {
    c->waiting[(size_t)(m - c->mshr) * c->requests + m->count++] = tag;
}

/* --- what a request would be told --- */

static enum cache_result needs_room(const struct non_blocking_cache *c, uint64_t cycle,
                                    enum cache_result otherwise) {
    return cluster_port_has_room(c->port, cycle) ? otherwise : CACHE_NO_ROOM;
}

static enum cache_result needs_register(const struct non_blocking_cache *c, uint64_t cycle) {
    return c->outstanding == c->mshrs ? CACHE_NO_MSHR : needs_room(c, cycle, CACHE_MISS);
}

static enum cache_result load_outlook(struct non_blocking_cache *c, const struct cache_request *r,
                                      uint64_t cycle) {
    const struct cache_line *l = cache_peek(&c->lines.tags, r->address);
    if (l && masked_cache_holds(&c->lines, l, r->address, r->bytes)) return CACHE_HIT;
    const struct cache_mshr *m = find_mshr(c, line_of(c, r->address));
    if (m) return m->count < c->requests ? CACHE_MISS : CACHE_NO_MERGE;
    return needs_register(c, cycle);
}

static enum cache_result private_outlook(struct non_blocking_cache *c, const struct cache_request *r,
                                         uint64_t cycle) {
    if (cache_peek(&c->lines.tags, r->address)) return CACHE_HIT;
    const struct cache_line *l = masked_cache_victim(&c->lines, r->address);
    return l->state && masked_cache_is_dirty(&c->lines, l) ? needs_room(c, cycle, CACHE_HIT) : CACHE_HIT;
}

enum cache_result non_blocking_cache_outlook(struct non_blocking_cache *c, const struct cache_request *r,
                                             uint64_t cycle) {
    switch ((enum cache_request_kind)r->kind) {
    case CACHE_LOAD: return load_outlook(c, r, cycle);
    case CACHE_STORE: return needs_room(c, cycle, CACHE_HIT);
    case CACHE_PRIVATE_STORE:
    case CACHE_KEPT_STORE: return private_outlook(c, r, cycle);
    case CACHE_EXCLUSIVE_LOAD:
    case CACHE_EXCLUSIVE_STORE: break;
    }
    return needs_register(c, cycle);
}

/* --- what is done --- */

/* Returns the packet of a request after its look-up. */
static struct memory_packet packet_of(const struct non_blocking_cache *c, const struct cache_request *r,
                                      enum packet_kind kind, uint64_t cycle) {
    return (struct memory_packet){.address = r->address,
                                  .bytes = r->bytes,
                                  .moved = r->moved ? r->moved : r->bytes,
                                  .kind = (uint8_t)kind,
                                  .source = (uint8_t)c->source,
                                  .ahead = r->ahead,
                                  .tag = r->tag,
                                  .cycle = cycle + c->latency_cycles - 1};
}

static void set_written(struct memory_packet *p, const struct cache_request *r) {
    for (unsigned n = 0; n < PACKET_MASKS && n * 64 < r->bytes; ++n)
        p->written[n] = r->written ? r->written[n] : ~0ull;
}

/* Sends a written line to the L2 at the end of `cycle`. */
static void write_back(struct non_blocking_cache *c, const struct cache_line *l, uint64_t cycle) {
    const struct masked_line *m = masked_cache_mask(&c->lines, l);
    struct memory_packet p = {.address = masked_cache_address(&c->lines, l),
                              .bytes = (uint16_t)(1u << c->lines.tags.line_shift),
                              .moved = (uint16_t)(WRITTEN_BYTES * masked_cache_pieces(m, WRITTEN_BYTES)),
                              .kind = PACKET_WRITE_BACK,
                              .source = (uint8_t)c->source,
                              .cycle = cycle};
    memcpy(p.written, m->written, sizeof p.written);
    cluster_port_send(c->port, p);
    ++c->writebacks;
    c->written -= m->kept;
}

/* Puts the address's line into the cache; a written victim goes to the L2 at the end of `cycle`. */
static struct cache_line *put(struct non_blocking_cache *c, uint32_t address, bool whole, uint64_t cycle) {
    struct cache_line *l = masked_cache_victim(&c->lines, address);
    if (l->state && masked_cache_is_dirty(&c->lines, l)) write_back(c, l, cycle);
    masked_cache_put(&c->lines, l, address, whole);
    return l;
}

static struct cache_mshr *take_register(struct non_blocking_cache *c, uint32_t address, bool merges) {
    struct cache_mshr *m = c->mshr;
    while (m->taken) ++m;
    *m = (struct cache_mshr){.line = line_of(c, address), .merges = merges, .taken = true};
    ++c->outstanding;
    return m;
}

/* Counts a load of a line that only scalar threads have requested before. */
static inline void use(struct non_blocking_cache *c, bool *ahead, const struct cache_request *r) {
    if (__builtin_expect(!*ahead || r->ahead, 1)) return;
    *ahead = false;
    ++c->ahead_useful;
}

/* Takes a request that does not hit. */
static void miss(struct non_blocking_cache *c, const struct cache_request *r, uint64_t cycle) {
    cache_find(&c->lines.tags, r->address);
    struct cache_mshr *m = find_mshr(c, line_of(c, r->address));
    if (m) {
        join(c, m, r->tag);
        ++c->merged;
        c->ahead_late += m->ahead && !r->ahead;
        use(c, &m->ahead, r);
        return;
    }
    const uint32_t line = 1u << c->lines.tags.line_shift;
    const struct cache_request whole = {
        .address = r->address & ~(line - 1), .bytes = (uint16_t)line, .ahead = r->ahead};
    struct memory_packet p = packet_of(c, &whole, PACKET_READ, cycle);
    m = take_register(c, r->address, true);
    m->ahead = r->ahead;
    c->ahead += r->ahead;
    p.tag = (uint32_t)(m - c->mshr);
    join(c, m, r->tag);
    cluster_port_send(c->port, p);
    ++c->misses;
}

/* Drops a line that only the L2 may hold: a line in flight will not be kept either. */
static void drop(struct non_blocking_cache *c, uint32_t address, uint64_t cycle) {
    struct cache_line *l = cache_look(&c->lines.tags, address);
    if (l && masked_cache_mask(&c->lines, l)->kept) write_back(c, l, cycle + c->latency_cycles - 1);
    if (l) l->state = 0;
    struct cache_mshr *m = find_mshr(c, line_of(c, address));
    if (m) m->merges = false;
}

static void store(struct non_blocking_cache *c, const struct cache_request *r, uint64_t cycle) {
    struct memory_packet p = packet_of(c, r, PACKET_WRITE, cycle);
    drop(c, r->address, cycle);
    set_written(&p, r);
    cluster_port_send(c->port, p);
}

static void private_store(struct non_blocking_cache *c, const struct cache_request *r, uint64_t cycle) {
    const struct cache_line *l = cache_find(&c->lines.tags, r->address);
    if (!l) l = put(c, r->address, false, cycle + c->latency_cycles - 1);
    masked_cache_write(&c->lines, l, r->address, r->bytes, r->written);
    if (r->kind != CACHE_KEPT_STORE) return;
    struct masked_line *m = masked_cache_mask(&c->lines, l);
    c->written += !m->kept;
    m->kept = true;
}

static void exclusive(struct non_blocking_cache *c, const struct cache_request *r, uint64_t cycle) {
    const bool is_store = r->kind == CACHE_EXCLUSIVE_STORE;
    struct memory_packet p = packet_of(c, r, is_store ? PACKET_EXCHANGE : PACKET_READ, cycle);
    drop(c, r->address, cycle);
    if (is_store) set_written(&p, r);
    struct cache_mshr *m = take_register(c, r->address, false);
    p.tag = (uint32_t)(m - c->mshr);
    join(c, m, r->tag);
    cluster_port_send(c->port, p);
    ++c->misses;
}

/* Returns whether a load hits; if so its line becomes the most recently used. */
static inline bool hits(struct non_blocking_cache *c, const struct cache_request *r) {
    struct cache_line *l = cache_peek(&c->lines.tags, r->address);
    if (!l || !masked_cache_holds(&c->lines, l, r->address, r->bytes)) return false;
    cache_touch(&c->lines.tags, l, 1);
    use(c, &masked_cache_mask(&c->lines, l)->ahead, r);
    return true;
}

/* Returns whether a refused request is repeated without a change in the cache since. */
static inline bool is_refused_again(const struct non_blocking_cache *c, const struct cache_request *r) {
    return c->refused != CACHE_HIT && c->refused_address == r->address && c->refused_bytes == r->bytes &&
           c->refused_kind == r->kind;
}

static enum cache_result refuse(struct non_blocking_cache *c, const struct cache_request *r,
                                enum cache_result why) {
    if (why != CACHE_NO_ROOM) {
        c->refused = why;
        c->refused_address = r->address;
        c->refused_bytes = r->bytes;
        c->refused_kind = r->kind;
    }
    ++*(why == CACHE_NO_MSHR    ? &c->refused_mshr
        : why == CACHE_NO_MERGE ? &c->refused_merge
                                : &c->refused_room);
    return why;
}

enum cache_result non_blocking_cache_request(struct non_blocking_cache *c, const struct cache_request *r,
                                             uint64_t cycle, uint64_t *done) {
    if (is_refused_again(c, r)) return refuse(c, r, c->refused);
    if (r->kind == CACHE_LOAD && hits(c, r)) {
        *done = cycle + c->latency_cycles - 1;
        ++c->accesses;
        return CACHE_HIT;
    }
    const enum cache_result result = non_blocking_cache_outlook(c, r, cycle);
    if (result > CACHE_MISS) return refuse(c, r, result);
    c->refused = CACHE_HIT;
    *done = cycle;
    ++c->accesses;
    switch ((enum cache_request_kind)r->kind) {
    case CACHE_LOAD: miss(c, r, cycle); break;
    case CACHE_STORE: store(c, r, cycle); break;
    case CACHE_PRIVATE_STORE:
    case CACHE_KEPT_STORE: private_store(c, r, cycle); break;
    case CACHE_EXCLUSIVE_LOAD:
    case CACHE_EXCLUSIVE_STORE: exclusive(c, r, cycle); break;
    }
    return result;
}

unsigned non_blocking_cache_fill(struct non_blocking_cache *c, const struct memory_answer *answer,
                                 const uint32_t **waiting) {
    struct cache_mshr *m = &c->mshr[answer->tag];
    invariant(answer->tag < c->mshrs && m->taken,
              "an answer to the miss register %u of cache %u, which waits for none", answer->tag, c->source);
    const uint32_t address = m->line << c->lines.tags.line_shift;
    if (m->merges) {
        const struct cache_line *l = cache_find(&c->lines.tags, address);
        if (!l) l = put(c, address, true, answer->cycle + 1);
        masked_cache_mask(&c->lines, l)->whole = true;
        masked_cache_mask(&c->lines, l)->ahead = m->ahead;
    }
    m->taken = false;
    --c->outstanding;
    c->refused = CACHE_HIT;
    *waiting = &c->waiting[(size_t)answer->tag * c->requests];
    return m->count;
}

void non_blocking_cache_invalidate(struct non_blocking_cache *c) {
    invariant(!c->outstanding, "a launch while %u misses of cache %u are in flight", c->outstanding,
              c->source);
    masked_cache_invalidate(&c->lines);
    c->refused = CACHE_HIT;
    c->written = c->write_next = 0;
}

void non_blocking_cache_write_back(struct non_blocking_cache *c, uint64_t cycle) {
    const struct cache *tags = &c->lines.tags;
    if (!c->written || !cluster_port_has_room(c->port, cycle)) return;
    for (;; ++c->write_next) {
        const unsigned set = c->write_next / tags->ways, way = c->write_next % tags->ways;
        const struct cache_line *l = &tags->line[way * tags->sets + set];
        struct masked_line *m = masked_cache_mask(&c->lines, l);
        if (!l->state || !m->kept) continue;
        write_back(c, l, cycle);
        *m = (struct masked_line){.whole = m->whole, .ahead = m->ahead};
        ++c->written_at_end;
        return;
    }
}
