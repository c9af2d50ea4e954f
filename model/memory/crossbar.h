/*
 * crossbar: one of the two networks between clusters and slices, in time (gpu-like.md §5). All times are
 * cycles of its clock.
 *
 * A source sends its packets in the order in which they are handed in, a flit a cycle. A flit is at the
 * destination at the end of the cycle `latency` after that in which it is sent; a destination takes a flit a
 * cycle, and packets whole, in the order in which their first flits come, of one cycle that of the lower
 * source first. What it does not take waits.
 *
 * Packets may be handed in for cycles far ahead and in any order of sources, as long as no packet comes to a
 * destination before one that has been taken there.
 */
#ifndef MODEL_MEMORY_CROSSBAR_H
#define MODEL_MEMORY_CROSSBAR_H

#include "model/memory/packet_pool.h"

struct crossbar_source {
    uint64_t free; /* the first cycle in which it sends nothing yet */
};

struct crossbar_destination {
    uint64_t free;        /* the first cycle in which it takes nothing yet */
    uint32_t first, last; /* of a list of packets, in the order in which they are taken */
};

struct crossbar {
    struct packet_pool *pool;
    unsigned sources, destinations, latency_cycles;
    struct crossbar_source *source;
    struct crossbar_destination *destination;
    uint64_t packets, flits, source_wait_cycles, destination_wait_cycles;
};

void crossbar_init(struct crossbar *x, unsigned sources, unsigned destinations, unsigned latency_cycles,
                   struct packet_pool *pool);
void crossbar_free(struct crossbar *x);

/* A packet of so many flits is at its source in a cycle, in which it can be sent at the earliest. */
void crossbar_send(struct crossbar *x, unsigned source, unsigned destination, uint32_t packet, unsigned flits,
                   uint64_t cycle);

/* The next packet of a destination: the cycle at whose end its first flit has come; the first cycle at whose
 * end it may have been taken whole. UINT64_MAX: there is none. */
static inline uint64_t crossbar_arrival(const struct crossbar *x, unsigned destination) {
    const uint32_t first = x->destination[destination].first;
    return first == PACKET_NONE ? UINT64_MAX : x->pool->packet[first].at;
}
uint64_t crossbar_next(const struct crossbar *x, unsigned destination);

/* It is taken whole at the end of a cycle, not before that of crossbar_next(). */
uint32_t crossbar_take(struct crossbar *x, unsigned destination, uint64_t cycle);

#endif
