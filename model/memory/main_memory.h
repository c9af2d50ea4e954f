/*
 * main_memory: the memory behind all caches, in time: a latency and a bandwidth.
 *
 * A line occupies the memory for its transfer, line bytes / `mem.bandwidth` cycles. A line that is read
 * arrives `mem.latency` cycles after its transfer's first cycle. Written-back lines are transfers that no
 * request waits for. Tests can keep a version for each line.
 */
#ifndef MODEL_MEMORY_MAIN_MEMORY_H
#define MODEL_MEMORY_MAIN_MEMORY_H

#include "model/memory/calendar.h"
#include "model/config/machine_config.h"

struct main_memory {
    struct calendar transfers;
    unsigned latency_cycles, transfer_cycles;
    uint32_t *version; /* version of each line up to the highest that a test uses; NULL: no versions */
    uint64_t reads, writes, wait_cycles;
};

void main_memory_init(struct main_memory *m, const struct machine_config *c);

/* Reads a line from cycle t on. Returns the first cycle in which it is present. */
uint64_t main_memory_read(struct main_memory *m, uint32_t line, uint64_t t, uint32_t *version);
/* Writes a line from cycle t on. */
void main_memory_write(struct main_memory *m, uint32_t line, uint64_t t, uint32_t version);

#endif
