/*
 * block_twins: the blocks beside which a twin can run, such as their Verilog, and what the model calls when
 * one does. A cluster of cores has those up to the co-processor; a scheduler of an SM, with its load-store
 * unit, and a channel of DRAM have those of GPU-like machines.
 */
#ifndef MODEL_CONTROL_BLOCK_TWINS_H
#define MODEL_CONTROL_BLOCK_TWINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cluster_block {
    CLUSTER_BLOCK_SCHEDULER,
    CLUSTER_BLOCK_ARBITER,
    CLUSTER_BLOCK_DISPATCHER,
    CLUSTER_BLOCK_BARRIERS,
    CLUSTER_BLOCK_DESCRIPTORS,
    CLUSTER_BLOCK_ADDRESS,
    CLUSTER_BLOCK_COLLECTOR,
    CLUSTER_BLOCK_WRITEBACK,
    CLUSTER_BLOCK_TOKENS,      /* with uniform.storage token */
    CLUSTER_BLOCK_RENAME,      /* with uniform.storage srf */
    CLUSTER_BLOCK_REUSE,       /* with uniform.inter */
    CLUSTER_BLOCK_COPROCESSOR, /* the whole that some of the others make */
    CLUSTER_BLOCK_COALESCER,   /* from here on: of GPU-like machines */
    CLUSTER_BLOCK_RESOLVER,
    CLUSTER_BLOCK_DRAM,
    CLUSTER_BLOCK_SCOREBOARD, /* with simt.issue scoreboard */
    CLUSTER_BLOCK_SCALAR,     /* of a scalar unit, with scalar.mode own */
    CLUSTER_BLOCK_LANES,      /* of lane groups: the lane scheduler, */
    CLUSTER_BLOCK_LOCAL,      /* and the arbiter of local memory */
    CLUSTER_BLOCK_COMPACTOR,  /* with simt.compaction round: of each unit */
    CLUSTER_BLOCK_MISSES,     /* of an SM's L1D */
    CLUSTER_BLOCK_STACK,      /* from here on: of divergence engines */
    CLUSTER_BLOCK_PACKER,
    CLUSTER_BLOCK_READY_LOOKUP,
    CLUSTER_BLOCK_WAITING_LOOKUP,
    CLUSTER_BLOCK_FORMATION,
    CLUSTER_BLOCK_SECOND_LEVEL,
    CLUSTER_BLOCK_MEETINGS, /* re_convergence_barriers */
    CLUSTER_BLOCK_HARP,     /* the whole that some of the others make */
    CLUSTER_BLOCK_MONITOR,  /* from here on: of what a machine's clusters, or its SMs, share */
    CLUSTER_BLOCK_GROUPS,
    CLUSTER_BLOCK_PROTOCOL, /* snoop_directory: of clusters of cores */
    CLUSTER_BLOCK_COUNT
};

/* Rows of a block's memories, of which there are at most 128; bit n: row n. */
typedef unsigned __int128 block_rows;

/* Where a twin rests, cycle() is not called while the block's inputs, outputs and flip-flops are these. */
struct block_rest {
    bool (*same)(const char *kept, const void *in, const void *out, const void *q); /* NULL: it does not */
    const char *kept;
    const void *in, *out, *q;
    const block_rows *written;    /* in this cycle; where none is, 0 */
    uint64_t *comparisons, *last; /* cycles that there have been, and the latest */
};

/* What runs beside the models of one place. While there is something, every cycle in which they exist is
 * visited and every block that is attached evaluated in it; in a cluster of cores descriptors, scheduler and
 * co-processor also in every cycle in which contexts start (cluster_starts()). */
struct cluster_twins {
    void *context;
    bool attached[CLUSTER_BLOCK_COUNT]; /* of no other block cycle() is called */
    bool replaced[CLUSTER_BLOCK_COUNT]; /* something else than the model drives, of a policy of its own */
    void (*reset)(void *context);       /* a launch begins: the models have been reset */
    /* The inputs of a block's cycle are not known yet, but the cluster makes use of outputs that depend on
     * flip-flops alone: may replace the model's. NULL: does not. */
    void (*registered)(void *context, enum cluster_block block);
    /* Cycle t of a block, after the evaluation of its model and before the edge. May replace the model's
     * outputs; fills the cluster's error to stop the launch, as it does if an output of which the cluster has
     * made use before (the dispatcher's beat, before the lanes say that they hold it) is not the model's. */
    void (*cycle)(void *context, enum cluster_block block, uint64_t t);
    struct block_rest rest[CLUSTER_BLOCK_COUNT];
    unsigned *untimed; /* counts down the cycles of blocks that rest; the one that finds 1 calls cycle() */
    /* The cluster leaves SIMT mode, or its launch ends, for whatever reason, between two cycles: what is not
     * compared in every cycle is compared now. Fills the cluster's error. Of a GPU-like machine its launch
     * ends, and may have been stopped for a difference that was kept: fills the launch's error. NULL: there
     * is nothing. */
    void (*stop)(void *context);
    uint64_t end; /* of a GPU-like machine: from this cycle on nothing runs beside the place */
};

/* A cycle of a block beside which something runs: it is compared at once if its twin rests and nothing is
 * other than in the cycle before, else cycle() is called. */
static inline void block_twins_run(const struct cluster_twins *w, enum cluster_block block, uint64_t t) {
    const struct block_rest *r = &w->rest[block];
    if (r->same && --*w->untimed && !*r->written && r->same(r->kept, r->in, r->out, r->q)) {
        ++*r->comparisons;
        *r->last = t;
    } else {
        w->cycle(w->context, block, t);
    }
}

/* Between a block's evaluation and its edge; NULL: nothing runs beside it. */
static inline void block_twins_cycle(const struct cluster_twins *w, enum cluster_block block, uint64_t t) {
    if (__builtin_expect(w != NULL, 0) && w->attached[block]) block_twins_run(w, block, t);
}

/* Of a block that is asked now and then: each request is a cycle of its own. */
struct block_requests {
    const struct cluster_twins *twins; /* NULL: nothing runs beside it, or nothing any more */
    uint64_t count;                    /* cycles in which something did */
};

static inline void block_requests_cycle(struct block_requests *r, enum cluster_block block) {
    if (__builtin_expect(r->twins == NULL, 1)) return;
    if (r->count < r->twins->end)
        block_twins_run(r->twins, block, r->count++);
    else
        r->twins = NULL;
}

/* The launch has ended, or has failed. */
static inline void block_requests_stop(const struct block_requests *r) {
    if (r->twins && r->twins->stop) r->twins->stop(r->twins->context);
}

/* The model has been reset. */
static inline void block_requests_reset(const struct block_requests *r) {
    if (r->twins) r->twins->reset(r->twins->context);
}

#endif
