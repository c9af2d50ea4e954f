/*
 * crossbar: one of the two networks between clusters and slices, in time (gpu-like.md §5). All times are
 * cycles of its clock.
 *
 * A source sends its packets in the order of crossbar_send(), one flit a cycle. A flit arrives at the end of
 * the cycle `latency` after the one in which it is sent. A destination takes one flit a cycle, and whole
 * packets, in the order of their first flits' arrival; within a cycle, the lower source goes first. Other
 * packets wait.
 *
 * Packets may be sent ahead of time and in any order of sources, as long as none arrives at a destination
 * before a packet that has been taken there.
 */
#ifndef MODEL_MEMORY_CROSSBAR_H
#define MODEL_MEMORY_CROSSBAR_H

#include "model/memory/packet_pool.h"

struct crossbar_source {
    uint64_t free; /* first cycle in which the source sends nothing yet */
};

struct crossbar_destination {
    uint64_t free;        /* first cycle in which the destination takes nothing yet */
    uint32_t first, last; /* list of packets, in the order in which they are taken */
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

/* Sends a packet of `flits` flits, in `cycle` at the earliest. */
void crossbar_send(struct crossbar *x, unsigned source, unsigned destination, uint32_t packet, unsigned flits,
                   uint64_t cycle);

/* Return times of a destination's next packet: the cycle at whose end its first flit arrives; the first cycle
 * at whose end it may have been taken whole. UINT64_MAX if there is no packet. */
static inline uint64_t crossbar_arrival(const struct crossbar *x, unsigned destination) {
    const uint32_t first = x->destination[destination].first;
    return first == PACKET_NONE ? UINT64_MAX : x->pool->packet[first].at;
}
uint64_t crossbar_next(const struct crossbar *x, unsigned destination);

/* Takes the next packet whole at the end of `cycle`, which is not before crossbar_next(). Returns the
 * packet. */
uint32_t crossbar_take(struct crossbar *x, unsigned destination, uint64_t cycle);

#endif
