/*
 * partitioned_memory: all that is behind the caches of a GPU-like machine's clusters, in time (gpu-like.md
 * §5): the crossbar with its two networks, the slices of the L2, and the channel of DRAM behind each.
 *
 *   lookahead = partitioned_memory_lookahead(m);
 *   for (cycle = 0; …; cycle += lookahead) {
 *       each cluster runs the cycles [cycle, cycle + lookahead): its caches send packets to its port, and it
 *       takes the answers that cluster_port_answer() has for it;
 *       partitioned_memory_advance(m, cycle + lookahead);
 *   }
 *
 * Steps may be shorter than the lookahead, and of any lengths: every time comes out the same. All times at
 * the ports are cycles of the clusters' clock; inside, each domain has its own (clock_crossing.h).
 *
 * Work is done for packets, misses and DRAM commands only; a slice that has nothing to do costs a comparison
 * in each step.
 *
 * Decided where gpu-like.md is silent:
 *   - A port sends its clusters' packets in the order of their cycles, of one cycle the lower cluster's
 * first. A destination takes packets whole, in the order in which their first flits arrive, ties to the lower
 *     port; what it cannot take waits in the crossbar. What bounds it is the places of cluster_port.h, and
 * for replies the clusters' miss registers.
 *   - Slice, row, bank and column: slice = (address / 256) mod channels; the local address (address / 256 /
 *     channels) × 256 + address mod 256 gives the L2's set, and row : bank : column.
 */
#ifndef MODEL_MEMORY_PARTITIONED_MEMORY_H
#define MODEL_MEMORY_PARTITIONED_MEMORY_H

#include "model/config/machine_config.h"
#include "model/memory/cluster_port.h"

#include <stdint.h>

struct counter_registry;
struct partitioned_memory;
struct dram_channel;

/* A cluster has an L1D, an L1I and a cache of constants. The configuration must outlive it. */
struct partitioned_memory *partitioned_memory_create(const struct machine_config *c);
void partitioned_memory_destroy(struct partitioned_memory *m);

struct cluster_port *partitioned_memory_port(struct partitioned_memory *m, unsigned cluster);

/* For so many cycles, 1 at least, clusters may run without hearing what became of packets handed in in these
 * cycles: no answer to them comes, and no place becomes free, any sooner. */
uint64_t partitioned_memory_lookahead(const struct partitioned_memory *m);

/* All clusters have done the cycles before `to`: their packets with these cycles are there. After it, all
 * answers are known that are there at the end of a cycle before to + lookahead − 1. */
void partitioned_memory_advance(struct partitioned_memory *m, uint64_t to);

/* No cluster hands in a packet with a cycle before `limit`, or before it hears anything new: advances until
 * an answer is known to a cluster that was not known before, or a place to one that has none, or to the
 * limit, or until nothing is on its way. Returns the cycle to which it has advanced, before which nobody
 * hears anything new. */
uint64_t partitioned_memory_idle(struct partitioned_memory *m, uint64_t limit);

/* partitioned_memory_advance() to any cycle before this one does nothing; UINT64_MAX: nothing
 * is on its way. */
uint64_t partitioned_memory_next_event(const struct partitioned_memory *m);

/* The host has written these bytes: no slice has their lines any more. */
void partitioned_memory_overwrite(struct partitioned_memory *m, uint32_t address, uint32_t size_bytes);

/* The channel of DRAM behind a slice: for what runs beside it. */
struct dram_channel *partitioned_memory_channel(struct partitioned_memory *m, unsigned n);

/* Counters of crossbar, L2 and DRAM, in the scopes icnt, l2 and dram; of
 * slices and channels together. */
void partitioned_memory_register(const struct partitioned_memory *m, struct counter_registry *registry);
/* Brings them up to date: before they are read. */
void partitioned_memory_count(struct partitioned_memory *m);

#endif
