/*
 * packet_pool: the packets between the clusters and the DRAM. A packet keeps its place here from the
 * cluster's port to its slice, a read until its answer; the units pass its number on. The place freed last is
 * taken first, so that few places are in use and stay in the host's cache.
 */
#ifndef MODEL_MEMORY_PACKET_POOL_H
#define MODEL_MEMORY_PACKET_POOL_H

#include "model/memory/cluster_port.h"

#define PACKET_NONE UINT32_MAX

struct pooled_packet {
    struct memory_packet packet;
    uint64_t at; /* cycle of icnt that the packet waits for; the meaning depends on the unit that holds it */
    uint32_t from;  /* source on the packet's network */
    uint32_t flits; /* number of flits on that network */
    uint32_t next, previous;
};

struct packet_pool {
    struct pooled_packet *packet;
    uint32_t unused, size, taken; /* `unused`: first of a list by `next` */
};

void packet_pool_init(struct packet_pool *p, uint32_t size);
void packet_pool_free(struct packet_pool *p);

uint32_t packet_pool_take(struct packet_pool *p);
void packet_pool_give_back(struct packet_pool *p, uint32_t packet);

#endif
