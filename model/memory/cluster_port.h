/*
 * cluster_port: the port between a cluster and the crossbar (gpu-like.md §5): packets that the caches send,
 * in the order of their cycles, and answers. All times are cycles of the cluster's clock.
 *
 * The injection queue has `icnt.queue` places. A packet keeps its place until the slice has taken it from the
 * crossbar and has reported this, which takes `icnt.latency` as every crossing does. Therefore the number of
 * packets in flight is bounded, a stalled slice stalls its senders, and clusters can run ahead of the memory
 * for twice that latency (partitioned_memory_lookahead()). A line that an answer evicts from a cache cannot
 * wait: its packet is taken beyond the last place, and later packets wait longer.
 */
#ifndef MODEL_MEMORY_CLUSTER_PORT_H
#define MODEL_MEMORY_CLUSTER_PORT_H

#include "model/config/limits.h"

#include <stdbool.h>
#include <stdint.h>

#define PACKET_MASKS (CACHE_MAX_LINE_BYTES / 64)

enum packet_kind {
    PACKET_READ,      /* answered with data */
    PACKET_WRITE,     /* answered when the slice has taken it */
    PACKET_EXCHANGE,  /* write answered with a result: an exclusive store */
    PACKET_WRITE_BACK /* write without an answer: a line evicted from a cache */
};

struct memory_packet {
    uint32_t address;               /* address of the first byte, within a line of the L2 */
    uint16_t bytes;                 /* bytes requested or covered by the write */
    uint16_t moved;                 /* bytes that cross the crossbar with the packet or its answer */
    uint8_t kind, source;           /* enum packet_kind; cache that sends the packet */
    bool ahead;                     /* load of a scalar thread */
    uint32_t tag;                   /* copied to the answer */
    uint32_t cluster;               /* sending cluster; set by the port */
    uint64_t cycle;                 /* cycle at whose end the packet is in the injection queue */
    uint64_t written[PACKET_MASKS]; /* writes only; bit n: the byte at address + n is written */
};

enum answer_kind { ANSWER_DATA, ANSWER_TAKEN };

struct memory_answer {
    uint64_t cycle; /* cycle at whose end the answer arrives */
    uint64_t order; /* order among answers of one kind and cycle */
    uint32_t tag;
    uint8_t kind, source; /* enum answer_kind; source of the packet */
};

/* A ring of answers in the order of their cycles. */
struct answer_ring {
    struct memory_answer *entry;
    uint32_t mask, first, count;
};

struct cluster_port {
    struct memory_packet *packet; /* ring, earliest first: packets not yet seen by the memory */
    uint32_t mask, first, count;
    uint32_t cluster, places;
    uint32_t taken;           /* places taken by packets that no slice is known to have taken */
    struct answer_ring freed; /* cycles after which a place is free again */
    struct answer_ring data, stores;
    uint64_t sent, refused; /* packets sent; requests that found no place */
};

/* `beyond`: number of packets that take no place. */
void cluster_port_init(struct cluster_port *p, unsigned cluster, unsigned places, unsigned beyond,
                       unsigned reads);
void cluster_port_free(struct cluster_port *p);

/* --- for caches --- */

/* Returns whether the injection queue has a free place in this cycle. */
bool cluster_port_has_room(struct cluster_port *p, uint64_t cycle);
/* Puts a packet into the queue at the end of packet.cycle, behind packets of that cycle and earlier. */
void cluster_port_send(struct cluster_port *p, struct memory_packet packet);

/* --- for the cluster --- */

/* Returns the cycle at whose end the next known answer arrives; UINT64_MAX if none is known. */
static inline uint64_t cluster_port_next(const struct cluster_port *p) {
    const uint64_t data = p->data.count ? p->data.entry[p->data.first].cycle : UINT64_MAX;
    const uint64_t stores = p->stores.count ? p->stores.entry[p->stores.first].cycle : UINT64_MAX;
    return data < stores ? data : stores;
}
/* If there is no place, returns the cycle at whose end one is known to be free again; UINT64_MAX if
 * unknown. */
uint64_t cluster_port_next_place(const struct cluster_port *p);
/* Returns whether slices are known to have taken all packets before this cycle. */
bool cluster_port_drained(struct cluster_port *p, uint64_t cycle);
/* Takes the next answer that has arrived by the end of `cycle`. Data come before taken stores. */
bool cluster_port_answer(struct cluster_port *p, uint64_t cycle, struct memory_answer *answer);

/* --- for the memory --- */

void cluster_port_free_place(struct cluster_port *p, uint64_t cycle);
void cluster_port_deliver(struct cluster_port *p, struct memory_answer answer);

#endif
