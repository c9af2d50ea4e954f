/*
 * block_twins: the blocks that can have a twin, such as their Verilog, and the calls that the model makes to
 * a twin. A cluster of cores has the blocks up to the co-processor. GPU-like machines have those of an SM's
 * scheduler with its load-store unit, and of a DRAM channel.
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
    CLUSTER_BLOCK_TOKENS,      /* only with uniform.storage token */
    CLUSTER_BLOCK_RENAME,      /* only with uniform.storage srf */
    CLUSTER_BLOCK_REUSE,       /* only with uniform.inter */
    CLUSTER_BLOCK_COPROCESSOR, /* composed of some of the blocks above */
    CLUSTER_BLOCK_COALESCER,   /* from here on: blocks of GPU-like machines */
    CLUSTER_BLOCK_RESOLVER,
    CHANNEL_BLOCK_DRAM,       /* scheduler of a DRAM channel, in no cluster */
    CLUSTER_BLOCK_SCOREBOARD, /* only with simt.issue scoreboard */
    CLUSTER_BLOCK_SCALAR,     /* a scalar unit's scheduler, with scalar.mode own */
    CLUSTER_BLOCK_LANES,      /* lane scheduler of lane groups */
    CLUSTER_BLOCK_LOCAL,      /* local memory arbiter of lane groups */
    CLUSTER_BLOCK_COMPACTOR,  /* one for each unit, with simt.compaction round */
    CLUSTER_BLOCK_MISSES,     /* miss registers of an SM's L1D */
    CLUSTER_BLOCK_STACK,      /* from here on: blocks of divergence engines */
    CLUSTER_BLOCK_PACKER,
    CLUSTER_BLOCK_READY_LOOKUP,
    CLUSTER_BLOCK_WAITING_LOOKUP,
    CLUSTER_BLOCK_FORMATION,
    CLUSTER_BLOCK_SECOND_LEVEL,
    CLUSTER_BLOCK_MEETINGS, /* re_convergence_barriers */
    CLUSTER_BLOCK_HARP,     /* HARP scheduler, composed of some of the blocks above */
    CLUSTER_BLOCK_MONITOR,  /* from here on: blocks with a cycle for each request: of cores, or shared by
                               clusters or SMs */
    CLUSTER_BLOCK_GROUPS,
    CLUSTER_BLOCK_PROTOCOL,  /* snoop_directory, in clusters of cores */
    CLUSTER_BLOCK_PREDICTOR, /* branch_predictor, in each superscalar core */
    CLUSTER_BLOCK_SELECT,    /* issue_select, in each core out of order */
    CLUSTER_BLOCK_QUEUE,     /* load_store_queue, in each core out of order */
    CLUSTER_BLOCK_COUNT
};

/* Set of rows of a block's memories, at most 128; bit n stands for row n. */
typedef unsigned __int128 block_rows;

/* State of an idle block. While it is unchanged, a twin at rest needs no call of cycle(). */
struct block_rest {
    /* Compares inputs, outputs and flip-flops with `kept`; NULL: the twin never rests. */
    bool (*same)(const char *kept, const void *in, const void *out, const void *q);
    const char *kept;
    const void *in, *out, *q;
    const block_rows *written;    /* rows written in this cycle; 0 if none */
    uint64_t *comparisons, *last; /* number of cycles compared; the latest of them */
};

/* The twins of one place's models. While there are any, every cycle of the models is visited and every
 * attached block is evaluated in it. In a cluster of cores, descriptors, scheduler and co-processor are also
 * evaluated in every cycle in which contexts start (cluster_starts()). */
struct cluster_twins {
    void *context;
    bool attached[CLUSTER_BLOCK_COUNT]; /* blocks for which cycle() is called */
    bool replaced[CLUSTER_BLOCK_COUNT]; /* blocks driven by a replacement, with a policy of its own */
    void (*reset)(void *context);       /* called when a launch begins, after the reset of the models */
    /* Called when the cluster uses outputs of a block that depend on flip-flops alone, before the inputs of
     * the cycle are known. May replace the model's outputs. May be NULL. */
    void (*registered)(void *context, enum cluster_block block);
    /* Called in cycle t of a block, between the evaluation of its model and the edge. May replace the model's
     * outputs. To stop the launch it fills the cluster's error, for example if an output that the cluster has
     * already used (the dispatcher's beat, before the lanes answer with hold) differs from the model's. */
    void (*cycle)(void *context, enum cluster_block block, uint64_t t);
    struct block_rest rest[CLUSTER_BLOCK_COUNT];
    unsigned *untimed; /* cycles left in which blocks may rest; the block that finds 1 calls cycle() */
    /* Called between two cycles, when the cluster leaves SIMT mode or its launch ends for any reason:
     * compares state that is not compared in every cycle, and fills the cluster's error. In a GPU-like
     * machine the call comes at the end of a launch, which a difference may have stopped, and fills the
     * launch's error. May be NULL. */
    void (*stop)(void *context);
    uint64_t end; /* first cycle of a GPU-like machine in which the twins no longer run */
};

/* Compares a cycle of a block with its twin. If the twin rests and nothing has changed since the cycle
 * before, the cycle only counts as compared; else cycle() is called. */
static inline void block_twins_run(const struct cluster_twins *w, enum cluster_block block, uint64_t t) {
    const struct block_rest *r = &w->rest[block];
    if (r->same && --*w->untimed && !*r->written && r->same(r->kept, r->in, r->out, r->q)) {
        ++*r->comparisons;
        *r->last = t;
    } else {
        w->cycle(w->context, block, t);
    }
}

/* Compares a cycle, between a block's evaluation and its edge. `w` may be NULL: no twins. */
static inline void block_twins_cycle(const struct cluster_twins *w, enum cluster_block block, uint64_t t) {
    if (__builtin_expect(w != NULL, 0) && w->attached[block]) block_twins_run(w, block, t);
}

/* The twin of a block that serves single requests: each request is one cycle of the block. */
struct block_requests {
    const struct cluster_twins *twins; /* NULL: no twin, or its comparison has ended */
    uint64_t count;                    /* cycles compared */
};

static inline void block_requests_cycle(struct block_requests *r, enum cluster_block block) {
    if (__builtin_expect(r->twins == NULL, 1)) return;
    if (r->count < r->twins->end)
        block_twins_run(r->twins, block, r->count++);
    else
        r->twins = NULL;
}

/* Ends the comparison after a launch has ended or failed. */
static inline void block_requests_stop(const struct block_requests *r) {
    if (r->twins && r->twins->stop) r->twins->stop(r->twins->context);
}

/* Resets the twin after a reset of the model. */
static inline void block_requests_reset(const struct block_requests *r) {
    if (r->twins) r->twins->reset(r->twins->context);
}

#endif
