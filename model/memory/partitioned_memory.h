/*
 * partitioned_memory: the memory system behind the caches of a GPU-like machine's clusters, in time
 * (gpu-like.md §5): the crossbar with its two networks, the slices of the L2, and the channel of DRAM behind
 * each.
 *
 *   lookahead = partitioned_memory_lookahead(m);
 *   for (cycle = 0; …; cycle += lookahead) {
 *       each cluster runs the cycles [cycle, cycle + lookahead): its caches send packets to its port, and it
 *       takes the answers that cluster_port_answer() has for it;
 *       partitioned_memory_advance(m, cycle + lookahead);
 *   }
 *
 * Steps may have any length up to the lookahead; the times do not depend on it. All times at the ports are
 * cycles of the clusters' clock; inside, each domain has its own (clock_crossing.h).
 *
 * Host time is spent on packets, misses and DRAM commands only; an idle slice costs one comparison a step.
 *
 * Details that gpu-like.md leaves open:
 * - A port sends its clusters' packets in the order of their cycles; within a cycle the lower cluster goes
 *   first. A destination takes whole packets in the order in which their first flits arrive, and the lower
 *   port first. Other packets wait in the crossbar. Their number is bounded by the places of cluster_port.h,
 *   for replies by the clusters' miss registers.
 * - Slice, row, bank and column: slice = (address / 256) mod channels. The local address (address / 256 /
 *   channels) × 256 + address mod 256 gives the L2's set, and row : bank : column.
 */
#ifndef MODEL_MEMORY_PARTITIONED_MEMORY_H
#define MODEL_MEMORY_PARTITIONED_MEMORY_H

#include "model/config/machine_config.h"
#include "model/memory/cluster_port.h"

#include <stdint.h>

struct counter_registry;
struct recorder;
struct partitioned_memory;
struct dram_channel;

/* A cluster has an L1D, an L1I and a cache of constants. The configuration must outlive it. */
struct partitioned_memory *partitioned_memory_create(const struct machine_config *c);
void partitioned_memory_destroy(struct partitioned_memory *m);

struct cluster_port *partitioned_memory_port(struct partitioned_memory *m, unsigned cluster);

/* Returns the number of cycles, at least 1, for which clusters may run without news of packets sent in these
 * cycles: answers and free places come later. */
uint64_t partitioned_memory_lookahead(const struct partitioned_memory *m);

/* Advances to cycle `to`. All clusters have done the cycles before it and have sent their packets. Afterwards
 * all answers that arrive at the end of a cycle before to + lookahead − 1 are known. */
void partitioned_memory_advance(struct partitioned_memory *m, uint64_t to);

/* Advances while no cluster sends a packet, up to `limit`: until an answer is known to a cluster that was not
 * known before, a place is free for a cluster without one, or nothing is in flight. Returns the cycle
 * reached; there is no news for any cluster before it. */
uint64_t partitioned_memory_idle(struct partitioned_memory *m, uint64_t limit);

/* Returns the first cycle to which partitioned_memory_advance() has work to do; UINT64_MAX if nothing is in
 * flight. */
uint64_t partitioned_memory_next_event(const struct partitioned_memory *m);

/* Drops the lines of these bytes from all slices, after the host has written them. */
void partitioned_memory_overwrite(struct partitioned_memory *m, uint32_t address, uint32_t size_bytes);

/* Returns the DRAM channel behind slice n, for its twins. */
struct dram_channel *partitioned_memory_channel(struct partitioned_memory *m, unsigned n);

/* Passes the commands of all channels to a recorder that wants accesses, in partitioned_memory_advance() and
 * _idle(). */
void partitioned_memory_record(struct partitioned_memory *m, struct recorder *r);

/* Registers the counters of crossbar, L2 and DRAM, summed over slices and channels, in the scopes icnt, l2
 * and dram. */
void partitioned_memory_register(const struct partitioned_memory *m, struct counter_registry *registry);
/* Updates the counters before they are read. */
void partitioned_memory_count(struct partitioned_memory *m);

#endif
