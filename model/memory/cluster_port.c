#include "model/memory/cluster_port.h"

#include "model/memory/ring.h"
#include "sim/error.h"

#include <stdlib.h>

static void ring_init(struct answer_ring *r, unsigned entries) {
    const uint32_t size = ring_size(entries);
    *r = (struct answer_ring){.entry = malloc(size * sizeof *r->entry), .mask = size - 1};
    require_memory(r->entry);
}

static inline bool is_before(const struct memory_answer *a, const struct memory_answer *b) {
    return a->cycle < b->cycle || (a->cycle == b->cycle && a->order < b->order);
}

static void ring_put(struct answer_ring *r, struct memory_answer a) {
    invariant(r->count <= r->mask, "a cluster has more than %u answers to come", r->mask + 1);
    uint32_t n = r->count++;
    for (; n && is_before(&a, &r->entry[(r->first + n - 1) & r->mask]); --n)
        r->entry[(r->first + n) & r->mask] = r->entry[(r->first + n - 1) & r->mask];
    r->entry[(r->first + n) & r->mask] = a;
}

static inline uint64_t ring_next(const struct answer_ring *r) {
    return r->count ? r->entry[r->first].cycle : UINT64_MAX;
}

static inline struct memory_answer ring_take(struct answer_ring *r) {
    const struct memory_answer a = r->entry[r->first];
    r->first = (r->first + 1) & r->mask;
    --r->count;
    return a;
}

void cluster_port_init(struct cluster_port *p, unsigned cluster, unsigned places, unsigned beyond,
                       unsigned reads) {
    const uint32_t size = ring_size(places + beyond);
    *p = (struct cluster_port){
        .packet = malloc(size * sizeof *p->packet), .mask = size - 1, .cluster = cluster, .places = places};
    require_memory(p->packet);
    ring_init(&p->freed, places + beyond);
    ring_init(&p->data, reads);
    ring_init(&p->stores, places + beyond);
}

void cluster_port_free(struct cluster_port *p) {
    free(p->packet);
    free(p->freed.entry);
    free(p->data.entry);
    free(p->stores.entry);
}

static void free_places(struct cluster_port *p, uint64_t cycle) {
    while (ring_next(&p->freed) < cycle) {
        ring_take(&p->freed);
        --p->taken;
    }
}

bool cluster_port_has_room(struct cluster_port *p, uint64_t cycle) {
    if (p->taken < p->places) return true;
    free_places(p, cycle);
    return p->taken < p->places;
}

bool cluster_port_drained(struct cluster_port *p, uint64_t cycle) {
    free_places(p, cycle);
    return !p->taken;
}

void cluster_port_send(struct cluster_port *p, struct memory_packet packet) {
    invariant(p->count <= p->mask, "cluster %u has more than %u packets in its injection queue", p->cluster,
              p->mask + 1);
    packet.cluster = p->cluster;
    uint32_t n = p->count++;
    for (; n && p->packet[(p->first + n - 1) & p->mask].cycle > packet.cycle; --n)
        p->packet[(p->first + n) & p->mask] = p->packet[(p->first + n - 1) & p->mask];
    p->packet[(p->first + n) & p->mask] = packet;
    ++p->taken;
    ++p->sent;
}

uint64_t cluster_port_next_place(const struct cluster_port *p) {
    if (p->taken < p->places) return 0;
    const uint32_t lacking = p->taken - p->places; /* packets beyond the last place */
    if (lacking >= p->freed.count) return UINT64_MAX;
    return p->freed.entry[(p->freed.first + lacking) & p->freed.mask].cycle;
}

bool cluster_port_answer(struct cluster_port *p, uint64_t cycle, struct memory_answer *answer) {
    if (cluster_port_next(p) > cycle) return false;
    *answer = ring_take(ring_next(&p->data) <= ring_next(&p->stores) ? &p->data : &p->stores);
    return true;
}

void cluster_port_free_place(struct cluster_port *p, uint64_t cycle) {
    ring_put(&p->freed, (struct memory_answer){.cycle = cycle});
}

void cluster_port_deliver(struct cluster_port *p, struct memory_answer answer) {
    ring_put(answer.kind == ANSWER_DATA ? &p->data : &p->stores, answer);
}
