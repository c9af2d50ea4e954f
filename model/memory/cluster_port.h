/*
 * cluster_port: where a cluster meets the crossbar (gpu-like.md §5): the packets that its caches send, in the
 * order of their cycles, and the answers that come back. All times are cycles of the cluster's clock.
 *
 * The injection queue has `icnt.queue` places. A packet has its place until the slice has taken it from the
 * crossbar and has said so, which takes `icnt.latency` as every crossing does: so what is on its way is
 * bounded, a slice that stands still is felt by those who send to it, and clusters can run ahead of the
 * memory for twice that latency (partitioned_memory_lookahead()). A line that an answer drives out of a cache
 * cannot wait: its packet is taken beyond the last place, and others wait the longer.
 */
#ifndef MODEL_MEMORY_CLUSTER_PORT_H
#define MODEL_MEMORY_CLUSTER_PORT_H

#include "model/config/limits.h"

#include <stdbool.h>
#include <stdint.h>

#define PACKET_MASKS (CACHE_MAX_LINE_BYTES / 64)

enum packet_kind {
    PACKET_READ,      /* answered with the data */
    PACKET_WRITE,     /* answered when its slice has taken it */
    PACKET_EXCHANGE,  /* a write that is answered with a result: an exclusive store */
    PACKET_WRITE_BACK /* a write that nobody waits for: a line that a cache loses */
};

struct memory_packet {
    uint32_t address;               /* of what it asks for, within a line of the L2 */
    uint16_t bytes;                 /* from there on that it asks for, or writes bytes of */
    uint16_t moved;                 /* bytes that cross the crossbar with it, or with its answer */
    uint8_t kind, source;           /* enum packet_kind; the cache that sends it */
    bool ahead;                     /* for a scalar thread */
    uint32_t tag;                   /* comes back with the answer */
    uint32_t cluster;               /* that sends it; the port fills it in */
    uint64_t cycle;                 /* at whose end it is in the injection queue */
    uint64_t written[PACKET_MASKS]; /* of a write: bit n: the byte at address + n */
};

enum answer_kind { ANSWER_DATA, ANSWER_TAKEN };

struct memory_answer {
    uint64_t cycle; /* at whose end it is there */
    uint64_t order; /* among answers of one kind and cycle */
    uint32_t tag;
    uint8_t kind, source; /* enum answer_kind; of the packet */
};

/* A ring of answers, in the order of their cycles. */
struct answer_ring {
    struct memory_answer *entry;
    uint32_t mask, first, count;
};

struct cluster_port {
    struct memory_packet *packet; /* a ring, earliest first: handed in, not yet seen by the memory */
    uint32_t mask, first, count;
    uint32_t cluster, places;
    uint32_t taken;           /* places, by packets that no slice is known to have taken */
    struct answer_ring freed; /* from the end of which cycle on a place is free again */
    struct answer_ring data, stores;
    uint64_t sent, refused; /* packets; requests that found no place */
};

/* With room for `beyond` packets that take no place. */
void cluster_port_init(struct cluster_port *p, unsigned cluster, unsigned places, unsigned beyond,
                       unsigned reads);
void cluster_port_free(struct cluster_port *p);

/* --- for caches --- */

/* Is there a place in the injection queue in this cycle? */
bool cluster_port_has_room(struct cluster_port *p, uint64_t cycle);
/* Puts a packet into the queue at the end of packet.cycle, behind those of that cycle and before. */
void cluster_port_send(struct cluster_port *p, struct memory_packet packet);

/* --- for the cluster --- */

/* The cycle at whose end the next answer that is known is there; UINT64_MAX: none is known. */
static inline uint64_t cluster_port_next(const struct cluster_port *p) {
    const uint64_t data = p->data.count ? p->data.entry[p->data.first].cycle : UINT64_MAX;
    const uint64_t stores = p->stores.count ? p->stores.entry[p->stores.first].cycle : UINT64_MAX;
    return data < stores ? data : stores;
}
/* Where there is no place: the cycle at whose end one is known to be free again; UINT64_MAX:
 * it is not known. */
uint64_t cluster_port_next_place(const struct cluster_port *p);
/* Takes the next answer that is there at the end of `cycle`. Data go before stores that were taken. */
bool cluster_port_answer(struct cluster_port *p, uint64_t cycle, struct memory_answer *answer);

/* --- for the memory --- */

void cluster_port_free_place(struct cluster_port *p, uint64_t cycle);
void cluster_port_deliver(struct cluster_port *p, struct memory_answer answer);

#endif
