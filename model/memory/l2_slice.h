/*
 * l2_slice: a slice of the L2 and the channel of DRAM behind it, in time (gpu-like.md §5). All times are
 * cycles of the crossbar's clock, except those of the channel.
 *
 * A packet from the crossbar is looked up for `l2.latency` cycles, from the cycle after its last flit was
 * taken; one request a cycle. Tags and miss registers are read in the last cycle. A hit's reply can be sent
 * from the next cycle on. A miss takes a register and requests the whole line from the channel, `dram.pipe`
 * cycles later; any number of reads of a line in flight wait for it. Replies can be sent in the first cycle
 * that begins when the data are complete. At that time the line replaces the least recently used line of its
 * set.
 *
 * A write to a line that is not present allocates it; the line then holds only the written bytes, and a read
 * of others is a miss. When a written line is evicted, the bursts with written bytes are written.
 *
 * A request that cannot proceed stops the slice: a miss without a free register, or a request for the channel
 * when the way to it is full (`dram.pipe` and four requests). The request is retried in each cycle. Later
 * requests wait in the pipeline, which holds one request for each of its cycles, then in the crossbar. A line
 * that arrives from the channel never waits: the line that it evicts goes to the channel even if the way is
 * full.
 */
#ifndef MODEL_MEMORY_L2_SLICE_H
#define MODEL_MEMORY_L2_SLICE_H

#include "model/memory/clock_crossing.h"
#include "model/memory/crossbar.h"
#include "model/memory/dram_channel.h"
#include "model/memory/masked_cache.h"

/* Parts that all slices share. */
struct l2_surroundings {
    struct packet_pool *pool;
    struct crossbar *requests, *replies;
    struct cluster_port *port; /* one port for each cluster */
    unsigned share;            /* clusters that share a port of the crossbar */
    unsigned channels, flit_bytes;
    struct clock_crossing to_cluster, to_dram, from_dram;
    uint64_t *news; /* number of events that a cluster may wait for: answers, and the first free place of a
                       full queue */
};

/* A miss: its line, and the waiting packets as a list by `next`. */
struct l2_mshr {
    uint32_t line;
    uint32_t first, last;
    bool taken;
};

enum l2_stop { L2_RUNS, L2_NO_MSHR, L2_NO_WAY };

struct l2_slice {
    const struct l2_surroundings *around;
    unsigned number, latency_cycles, pipe_cycles, way_limit, burst_bytes;
    struct masked_cache lines;
    struct dram_channel channel;
    uint32_t *pipe; /* ring of packets; `at` is the earliest cycle of a packet's look-up */
    uint32_t pipe_mask, pipe_first, pipe_count;
    uint64_t look_up; /* cycle of the first packet's look-up; UINT64_MAX if there is none */
    uint64_t now;     /* last cycle with an event */
    enum l2_stop stop;
    struct l2_mshr *mshr;
    unsigned mshrs, outstanding;
    uint64_t next; /* cycle of the next event */
    uint64_t reads, writes, misses, ahead_misses, partial, merged, stopped_cycles, writebacks;
};

void l2_slice_init(struct l2_slice *s, unsigned number, const struct machine_config *c,
                   const struct l2_surroundings *around);
void l2_slice_free(struct l2_slice *s);

/* Drops the line of an address (the cluster's, not the slice's) after another writer has changed the DRAM. */
void l2_slice_drop(struct l2_slice *s, uint32_t address);

/* Does all events of cycles up to `last`; the crossbar has all packets that arrive in them. */
void l2_slice_run(struct l2_slice *s, uint64_t last);

/* Return the slice of an address, and the address within the slice. */
static inline unsigned l2_slice_of(const struct l2_surroundings *a, uint32_t address) {
    return (address >> 8) % a->channels;
}
static inline uint32_t l2_slice_address(const struct l2_surroundings *a, uint32_t address) {
    return (address >> 8) / a->channels << 8 | (address & 0xff);
}

#endif
