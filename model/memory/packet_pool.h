/*
 * packet_pool: the packets between the clusters and the DRAM. A packet keeps its place here from the
 * cluster's port to its slice, and a read on to its answer; what handles it passes its number on. The place
 * that was given back last is taken first, so that few places are in use and stay in the host's cache.
 */
#ifndef MODEL_MEMORY_PACKET_POOL_H
#define MODEL_MEMORY_PACKET_POOL_H

#include "model/memory/cluster_port.h"

#define PACKET_NONE UINT32_MAX

struct pooled_packet {
    struct memory_packet packet;
    uint64_t at;    /* the cycle of icnt that who has it waits for: where it has it, it says what for */
    uint32_t from;  /* source of the network that it is on */
    uint32_t flits; /* that it has there */
    uint32_t next, previous;
};

struct packet_pool {
    struct pooled_packet *packet;
    uint32_t unused, size, taken; /* unused: the first of a list by `next` */
};

void packet_pool_init(struct packet_pool *p, uint32_t size);
void packet_pool_free(struct packet_pool *p);

uint32_t packet_pool_take(struct packet_pool *p);
void packet_pool_give_back(struct packet_pool *p, uint32_t packet);

#endif
