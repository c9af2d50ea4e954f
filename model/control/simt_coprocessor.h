/*
 * simt_coprocessor: the whole SIMT co-processor as one block with ports (dual-mode §3.3, Fig. 3; timing.md).
 *
 * The block consists of the models of the deciding blocks and of the registers between them: A, F, D, the
 * dispatch queue, O, and the instructions that wait for the lanes. The actions of the lanes, of lane 0's L1I
 * and of the TPMs are inputs. A cluster has a faster pipeline (model/unit/), which knows these actions;
 * with twins it notes the events of a cycle here (ports.c). simt_coprocessor_eval() and
 * _clock() make a cycle by the ports alone, for tests and for benches without a cluster.
 *
 * The inputs must be possible for the rest of a cluster:
 * - collect: only an offered instruction, and only when O is free.
 * - collected: only the instruction in O, from the cycle on in which it starts.
 * - At most `collectors` instructions are collected or in O.
 * - execute_passed: only threads of the instruction that is taken (out.first).
 * - commit: only warps whose instruction has been taken and whose results are ready; of warps with a barrier,
 *   an exit or a level at most one a cycle.
 * - Contexts start outside SIMT mode only.
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
    unsigned queue_entries, collectors; /* both at least 1 */
};

/* Blocks of one cluster, or of a test, initialised for the same warps, warp size, lanes and levels. */
struct simt_coprocessor_blocks {
    struct warp_scheduler *scheduler;
    struct warp_pc_arbiter *arbiter;
    struct thread_descriptor_table *descriptors;
    struct barrier_table *barriers; /* one work-group, no scalar thread */
    struct subwarp_dispatcher *dispatcher;
};

/* Fields of one word for each entry of the queues. */
struct simt_coprocessor_words {
    uint32_t queue[MACHINE_MAX_QUEUE], waiting[MACHINE_MAX_COLLECTORS];
};

struct simt_coprocessor;

/* A choice in place of the scheduler's and the arbiter's, for a co-processor with a policy of its own. */
struct simt_coprocessor_policy {
    /* Chooses for S and A of a cycle in SIMT mode; NULL: the blocks choose. A choice may depend on
     * flip-flops, in.fetched, in.collect, the scheduler's in.ready (warps that S may take) and the arbiter's
     * inputs (the threads of the warp in A; without a warp none is Ready). Fills in out.select and
     * out.select_warp, and out.fetch with its fields; a scheduler and an arbiter must be able to make the
     * same choice. */
    void (*choose)(void *context, struct simt_coprocessor *s);
    void *context;
};

/* --- parameters, ports and flip-flops --- */

struct simt_coprocessor {
    struct simt_coprocessor_config cfg;
    struct simt_coprocessor_blocks blocks;
    struct simt_coprocessor_policy policy; /* none after simt_coprocessor_init(); kept by a reset */
    struct simt_coprocessor_in in;         /* ports and flip-flops are described in rtl/simt_coprocessor.sv */
    struct simt_coprocessor_out out;
    struct simt_coprocessor_state q, d; /* points to `now`; d points to `next` */
    struct simt_coprocessor_words now, next;
};

/* --- functions --- */

/* Initialises in place: the structure points to itself and must not be copied. The blocks must outlive it. */
void simt_coprocessor_init(struct simt_coprocessor *s, const struct simt_coprocessor_config *config,
                           const struct simt_coprocessor_blocks *blocks);
void simt_coprocessor_reset(
    struct simt_coprocessor *s); /* resets its own registers and ports, not the blocks */

/* in, q, blocks → out, d; evaluates the blocks. Some inputs follow from outputs: the lanes say what `first`
 * executes. Therefore several evaluations in a cycle are allowed, with different inputs. */
void simt_coprocessor_eval(struct simt_coprocessor *s);
void simt_coprocessor_clock(struct simt_coprocessor *s); /* d → q, blocks: the edge */

/* Returns whether the warp in F leaves it in this cycle. in.fetched and in.collect are known. */
bool simt_coprocessor_f_leaves(const struct simt_coprocessor *s);

/* Calls the policy, whose choice becomes the scheduler's and the arbiter's outputs. Returns whether the warp
 * in A leaves it. */
bool simt_coprocessor_choose(struct simt_coprocessor *s);

/* For callers that evaluate the blocks and fill d and next: q and the blocks' outputs of a cycle in SIMT mode
 * → out; then d → q. */
void simt_coprocessor_tell(struct simt_coprocessor *s);
void simt_coprocessor_edge(struct simt_coprocessor *s);

#endif
