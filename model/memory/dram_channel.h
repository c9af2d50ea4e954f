/*
 * dram_channel: a channel of DRAM in time, in cycles of its command clock (gpu-like.md §5): the requests of a
 * slice of the L2 in flight to the queue; the queue, the banks and the commands (dram_scheduler.h); and the
 * data of reads. One request a cycle enters the queue, if there is room.
 *
 * A local address (partitioned_memory.h) is row : bank : column. Work is done only in cycles with an event.
 */
#ifndef MODEL_MEMORY_DRAM_CHANNEL_H
#define MODEL_MEMORY_DRAM_CHANNEL_H

#include "model/control/block_twins.h"
#include "model/control/dram_scheduler.h"
#include "model/memory/clock_crossing.h"
#include "recording/recorder.h"

struct dram_request {
    uint64_t cycle;   /* cycle in which the request reaches the queue */
    uint32_t address; /* local address */
    uint32_t bursts;  /* 1 or more */
    uint32_t tag;     /* reads: less than the number of reads */
    bool write;
};

struct dram_answer {
    uint64_t cycle; /* cycle at whose end the data are complete */
    uint32_t tag;
};

struct dram_channel {
    struct dram_scheduler scheduler;
    uint64_t now;  /* first cycle that the scheduler has not done yet */
    uint64_t next; /* cycle of the next event; UINT64_MAX: never */
    uint32_t column_bits, bank_bits;
    struct dram_request *way; /* requests on their way to the queue: a ring buffer, oldest first */
    uint32_t way_mask, way_first, way_count;
    struct dram_answer *answer; /* answers to be sent: a ring buffer, oldest first */
    uint32_t answer_mask, answer_first, answer_count;
    uint64_t busy_since;               /* first of the cycles in which the channel is busy */
    bool busy;                         /* a request is in the queue or in a bank */
    const struct cluster_twins *twins; /* twins of the scheduler, run in every cycle; NULL: none */
    uint64_t watched;                  /* cycles compared with the twins */
    struct recorder *recorder;         /* takes the commands; NULL: none */
    unsigned number;                   /* number of the channel, and the clock of the recorder: */
    struct clock_crossing to_cluster;
    uint64_t reads, writes, read_bursts, write_bursts, row_hits, activates, busy_cycles;
};

/* way: most requests in flight to the queue. reads: most reads, in flight and in the channel. */
void dram_channel_init(struct dram_channel *c, const struct machine_dram_config *config, unsigned way,
                       unsigned reads);
void dram_channel_free(struct dram_channel *c);

/* Adds a request, whose cycle is not before that of the previous one. */
void dram_channel_put(struct dram_channel *c, struct dram_request r);

/* Does the events of cycle c->next. */
void dram_channel_step(struct dram_channel *c);
/* Passes the cycles before `end`, in which nothing happens; twins compare them. */
void dram_channel_pass(struct dram_channel *c, uint64_t end);

/* Returns the first read whose data are known to be complete and that has not been taken; NULL if there is
 * none. */
static inline const struct dram_answer *dram_channel_answer(const struct dram_channel *c) {
    return c->answer_count ? &c->answer[c->answer_first] : NULL;
}
void dram_channel_take(struct dram_channel *c); /* takes the first answer */

#endif
