#include "model/memory/packet_pool.h"

#include "sim/error.h"

#include <stdlib.h>

void packet_pool_init(struct packet_pool *p, uint32_t size) {
    *p = (struct packet_pool){.packet = malloc(size * sizeof *p->packet), .size = size};
    require_memory(p->packet);
    for (uint32_t n = 0; n < size; ++n) p->packet[n].next = n + 1 < size ? n + 1 : PACKET_NONE;
}

void packet_pool_free(struct packet_pool *p) {
    free(p->packet);
}

uint32_t packet_pool_take(struct packet_pool *p) {
    const uint32_t n = p->unused;
    invariant(n != PACKET_NONE, "more than %u packets between the clusters and the DRAM", p->size);
    p->unused = p->packet[n].next;
    ++p->taken;
    return n;
}

void packet_pool_give_back(struct packet_pool *p, uint32_t packet) {
    p->packet[packet].next = p->unused;
    p->unused = packet;
    --p->taken;
}
