/*
 * dram_channel: a channel of DRAM in time, in cycles of its command clock (gpu-like.md §5): the requests of a
 * slice of the L2, on their way to the queue; the queue, the banks and the commands, which dram_scheduler.h
 * has; and the data that come back. One request a cycle comes from the way into the queue, if that has room.
 *
 * A local address (partitioned_memory.h) is row : bank : column. Work is done only in cycles in which
 * something happens.
 */
#ifndef MODEL_MEMORY_DRAM_CHANNEL_H
#define MODEL_MEMORY_DRAM_CHANNEL_H

#include "model/control/block_twins.h"
#include "model/control/dram_scheduler.h"

struct dram_request {
    uint64_t cycle;   /* in which it is at the queue */
    uint32_t address; /* local */
    uint32_t bursts;  /* 1 at least */
    uint32_t tag;     /* of a read, below the number of reads */
    bool write;
};

struct dram_answer {
    uint64_t cycle; /* at whose end the data are complete */
    uint32_t tag;
};

struct dram_channel {
    struct dram_scheduler scheduler;
    uint64_t now;  /* the scheduler has done the cycles before it */
    uint64_t next; /* in which something happens; UINT64_MAX: never */
    uint32_t column_bits, bank_bits;
    struct dram_request *way; /* a ring, first come first */
    uint32_t way_mask, way_first, way_count;
    struct dram_answer *answer; /* likewise */
    uint32_t answer_mask, answer_first, answer_count;
    uint64_t busy_since;               /* the first cycle of those in which it is not idle */
    bool busy;                         /* a request is in its queue or in a bank */
    const struct cluster_twins *twins; /* beside the scheduler, in every cycle; NULL: none */
    uint64_t watched;                  /* cycles beside them */
    uint64_t reads, writes, read_bursts, write_bursts, row_hits, activates, busy_cycles;
};

/* `way` requests are on their way at most, and `reads` of them and of those that it has want data. */
void dram_channel_init(struct dram_channel *c, const struct machine_dram_config *config, unsigned way,
                       unsigned reads);
void dram_channel_free(struct dram_channel *c);

/* A request; its cycle is not before that of the last one. */
void dram_channel_put(struct dram_channel *c, struct dram_request r);

/* Does what happens in cycle c->next. */
void dram_channel_step(struct dram_channel *c);
/* The cycles before `end` in which nothing happens pass beside twins, too. */
void dram_channel_pass(struct dram_channel *c, uint64_t end);

/* The first read of which the data are known to be complete at the end of a cycle, and which has not been
 * taken; NULL: there is none. */
static inline const struct dram_answer *dram_channel_answer(const struct dram_channel *c) {
    return c->answer_count ? &c->answer[c->answer_first] : NULL;
}
void dram_channel_take(struct dram_channel *c); /* takes it */

#endif
