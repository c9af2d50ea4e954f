#include "model/memory/crossbar.h"

#include "sim/error.h"

#include <stdlib.h>

void crossbar_init(struct crossbar *x, unsigned sources, unsigned destinations, unsigned latency_cycles,
                   struct packet_pool *pool) {
    *x = (struct crossbar){.pool = pool,
                           .sources = sources,
                           .destinations = destinations,
                           .latency_cycles = latency_cycles,
                           .source = calloc(sources, sizeof *x->source),
                           .destination = calloc(destinations, sizeof *x->destination)};
    require_memory(x->source && x->destination);
    for (unsigned n = 0; n < destinations; ++n)
        x->destination[n].first = x->destination[n].last = PACKET_NONE;
}

void crossbar_free(struct crossbar *x) {
    free(x->source);
    free(x->destination);
}

/* Inserts a packet by the order of arrival at the destination. */
static void insert(struct crossbar *x, struct crossbar_destination *d, uint32_t packet) {
    struct pooled_packet *all = x->pool->packet, *p = &all[packet];
    uint32_t before = d->last;
    while (before != PACKET_NONE &&
           (all[before].at > p->at || (all[before].at == p->at && all[before].from > p->from)))
        before = all[before].previous;
    p->previous = before;
    p->next = before == PACKET_NONE ? d->first : all[before].next;
    *(before == PACKET_NONE ? &d->first : &all[before].next) = packet;
    *(p->next == PACKET_NONE ? &d->last : &all[p->next].previous) = packet;
}

void crossbar_send(struct crossbar *x, unsigned source, unsigned destination, uint32_t packet, unsigned flits,
                   uint64_t cycle) {
    struct crossbar_source *s = &x->source[source];
    const uint64_t sent = cycle < s->free ? s->free : cycle;
    struct pooled_packet *p = &x->pool->packet[packet];
    s->free = sent + flits;
    p->at = sent + x->latency_cycles;
    p->from = source;
    p->flits = flits;
    insert(x, &x->destination[destination], packet);
    ++x->packets;
    x->flits += flits;
    x->source_wait_cycles += sent - cycle;
}

uint64_t crossbar_next(const struct crossbar *x, unsigned destination) {
    const struct crossbar_destination *d = &x->destination[destination];
    if (d->first == PACKET_NONE) return UINT64_MAX;
    const struct pooled_packet *p = &x->pool->packet[d->first];
    return (p->at < d->free ? d->free : p->at) + p->flits - 1;
}

uint32_t crossbar_take(struct crossbar *x, unsigned destination, uint64_t cycle) {
    struct crossbar_destination *d = &x->destination[destination];
    const uint32_t packet = d->first;
    const struct pooled_packet *p = &x->pool->packet[packet];
    invariant(cycle >= crossbar_next(x, destination), "a packet is taken before it has come");
    x->destination_wait_cycles += cycle - (p->at + p->flits - 1);
    d->free = cycle + 1;
    d->first = p->next;
    *(d->first == PACKET_NONE ? &d->last : &x->pool->packet[d->first].previous) = PACKET_NONE;
    return packet;
}
