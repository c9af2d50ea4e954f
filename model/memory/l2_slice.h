/*
 * l2_slice: a slice of the L2 and the channel of DRAM behind it, in time (gpu-like.md §5). All times are
 * cycles of the crossbar's clock, but for those of the channel.
 *
 * What the crossbar brings is looked up for `l2.latency` cycles, from the one after its last flit was taken;
 * one request a cycle. Tags and miss registers are looked at in the last one. A hit's reply can be sent from
 * the next cycle on. A miss takes a register and asks the channel for the whole line, `dram.pipe` cycles
 * later; reads of a line on its way wait for it, however many. Replies can be sent in the first cycle that
 * begins when the data are complete; the line gets its place then, that of the least recently used line of
 * its set.
 *
 * A write makes a place for a line that is not there, which then holds what was written and no other bytes: a
 * read of others is a miss. Of a written line that must go those bursts are written of which bytes were.
 *
 * What cannot be done (a miss without a free register; a request for the channel, when the way to it is full:
 * it holds `dram.pipe` and four requests) stops the slice: it is tried again in each cycle. What follows
 * waits in the pipeline, which holds as many requests as it has cycles, then in the crossbar. A line that the
 * channel brings never waits: the one that it drives out goes on the way even when that is full.
 */
#ifndef MODEL_MEMORY_L2_SLICE_H
#define MODEL_MEMORY_L2_SLICE_H

#include "model/memory/clock_crossing.h"
#include "model/memory/crossbar.h"
#include "model/memory/dram_channel.h"
#include "model/memory/masked_cache.h"

/* What all slices share. */
struct l2_surroundings {
    struct packet_pool *pool;
    struct crossbar *requests, *replies;
    struct cluster_port *port; /* of each cluster */
    unsigned share;            /* clusters to a port of the crossbar */
    unsigned channels, flit_bytes;
    struct clock_crossing to_cluster, to_dram, from_dram;
    uint64_t *news; /* counts what a cluster may wait for: answers, and places where there was none */
};

/* A miss: the line that it waits for, and who waits: a list of packets by `next`. */
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
    uint32_t *pipe; /* a ring of packets, whose `at` is the cycle in which they are looked up, or later */
    uint32_t pipe_mask, pipe_first, pipe_count;
    uint64_t look_up; /* the cycle in which the first of them is; UINT64_MAX: there is none */
    uint64_t now;     /* the last cycle in which something has been done */
    enum l2_stop stop;
    struct l2_mshr *mshr;
    unsigned mshrs, outstanding;
    uint64_t next; /* nothing happens in a cycle before it */
    uint64_t reads, writes, misses, ahead_misses, partial, merged, stopped_cycles, writebacks;
};

void l2_slice_init(struct l2_slice *s, unsigned number, const struct machine_config *c,
                   const struct l2_surroundings *around);
void l2_slice_free(struct l2_slice *s);

/* The line of an address (of the cluster's, not the slice's) is not there any more: the DRAM has been written
 * by others. */
void l2_slice_drop(struct l2_slice *s, uint32_t address);

/* Does all that happens in cycles up to `last`; the crossbar has all packets that come in them. */
void l2_slice_run(struct l2_slice *s, uint64_t last);

/* The slice of an address, and the address in it. */
static inline unsigned l2_slice_of(const struct l2_surroundings *a, uint32_t address) {
    return (address >> 8) % a->channels;
}
static inline uint32_t l2_slice_address(const struct l2_surroundings *a, uint32_t address) {
    return (address >> 8) / a->channels << 8 | (address & 0xff);
}

#endif
