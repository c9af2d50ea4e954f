/*
 * simt_coprocessor: the whole of it, as one block with ports (dual-mode §3.3, Fig. 3; timing.md).
 *
 * The models of the blocks that decide, and the registers between them: A, F, D, the dispatch queue, O and
 * what waits for the lanes. What the lanes, lane 0's L1I and the TPMs do is an input. A cluster has its own
 * pipeline (model/pipeline/), which knows what happens there and is fast; beside twins it notes here what it
 * did in a cycle (cluster_coprocessor.c). simt_coprocessor_eval() and _clock() are a cycle by the ports
 * alone: for tests, and for benches that want the co-processor without a cluster.
 *
 * The inputs must be what the rest of a cluster can do: collect only what is offered, and when O is free;
 * collected only of what is in O (from the cycle on in which it starts); no more instructions collected or in
 * O than `collectors`; execute_passed only threads of the instruction that is taken (out.first); commit only
 * warps whose instruction has been taken, with results that are there, and of those with a barrier, an exit
 * or a level at most one a cycle; contexts start outside SIMT mode only.
 */
#ifndef MODEL_CONTROL_SIMT_COPROCESSOR_H
#define MODEL_CONTROL_SIMT_COPROCESSOR_H

#include "generated/simt_coprocessor_ports.h"
#include "model/control/barrier_table.h"
#include "model/control/subwarp_dispatcher.h"
#include "model/control/thread_descriptor_table.h"
#include "model/control/warp_pc_arbiter.h"
#include "model/control/warp_scheduler.h"

struct simt_coprocessor_config {
    unsigned queue_entries, collectors; /* at least 1 */
};

/* Of one cluster, or of a test: initialised for the same warps, warp size, lanes and levels. */
struct simt_coprocessor_blocks {
    struct warp_scheduler *scheduler;
    struct warp_pc_arbiter *arbiter;
    struct thread_descriptor_table *descriptors;
    struct barrier_table *barriers; /* one work-group, no scalar thread */
    struct subwarp_dispatcher *dispatcher;
};

/* What entries of the queues have. */
struct simt_coprocessor_words {
    uint32_t queue[MACHINE_MAX_QUEUE], waiting[MACHINE_MAX_COLLECTORS];
};

struct simt_coprocessor;

/* Who chooses in place of the scheduler and the arbiter: a whole with a policy of its own. */
struct simt_coprocessor_policy {
    /* S and A of a cycle in SIMT mode. A choice may depend on flip-flops, in.fetched and in.collect; known
     * are these, the scheduler's in.ready (warps that S may take) and the arbiter's inputs (the threads of
     * the warp in A; nobody is Ready without one). Fills out.select and out.select_warp, out.fetch and what
     * goes with it; they must be what a scheduler and an arbiter could choose. NULL: the blocks choose. */
    void (*choose)(void *context, struct simt_coprocessor *s);
    void *context;
};

/* --- parameters, ports and flip-flops --- */

struct simt_coprocessor {
    struct simt_coprocessor_config cfg;
    struct simt_coprocessor_blocks blocks;
    struct simt_coprocessor_policy policy; /* none after simt_coprocessor_init(); a reset leaves it */
    struct simt_coprocessor_in in;         /* ports and flip-flops are described in rtl/simt_coprocessor.sv */
    struct simt_coprocessor_out out;
    struct simt_coprocessor_state q, d; /* with pointers to `now`: */
    struct simt_coprocessor_words now, next;
};

/* --- functions --- */

/* In place: it points to itself and must not be copied. The blocks must outlive it. */
void simt_coprocessor_init(struct simt_coprocessor *s, const struct simt_coprocessor_config *config,
                           const struct simt_coprocessor_blocks *blocks);
void simt_coprocessor_reset(
    struct simt_coprocessor *s); /* its own registers and ports; the blocks have theirs */

/* in, q, blocks → out, d; the blocks are evaluated. Some inputs follow from outputs: the lanes say what
 * `first` executes. It may be evaluated again in a cycle, with others. */
void simt_coprocessor_eval(struct simt_coprocessor *s);
void simt_coprocessor_clock(struct simt_coprocessor *s); /* d → q, blocks: the edge */

/* Does the warp in F leave it in this cycle? in.fetched and in.collect are known. */
bool simt_coprocessor_f_leaves(const struct simt_coprocessor *s);

/* Has the policy choose; the scheduler's and the arbiter's outputs are its choice then. Does the warp in A
 * leave it? */
bool simt_coprocessor_choose(struct simt_coprocessor *s);

/* For who evaluates the blocks and fills d and next: q and the blocks' outputs of a cycle in SIMT mode →
 * out; then d → q. */
void simt_coprocessor_tell(struct simt_coprocessor *s);
void simt_coprocessor_edge(struct simt_coprocessor *s);

#endif
