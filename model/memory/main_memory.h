/*
 * main_memory: the memory behind all caches, in time: a latency and a bandwidth.
 *
 * A line occupies the memory for its transfer, line bytes / `mem.bandwidth` cycles, and the line read is
 * there `mem.latency` cycles after its transfer's first cycle. Lines written back are transfers that nobody
 * waits for. Tests can keep a version for each line.
 */
#ifndef MODEL_MEMORY_MAIN_MEMORY_H
#define MODEL_MEMORY_MAIN_MEMORY_H

#include "model/memory/calendar.h"
#include "model/config/machine_config.h"

struct main_memory {
    struct calendar transfers;
    unsigned latency_cycles, transfer_cycles;
    uint32_t *version; /* of each line up to the highest that a test uses; NULL: none are kept */
    uint64_t reads, writes, wait_cycles;
};

void main_memory_init(struct main_memory *m, const struct machine_config *c);

/* A line asked for in cycle t: the first cycle in which it is there. */
uint64_t main_memory_read(struct main_memory *m, uint32_t line, uint64_t t, uint32_t *version);
/* A line that is to be written from cycle t on. */
void main_memory_write(struct main_memory *m, uint32_t line, uint64_t t, uint32_t version);

#endif
