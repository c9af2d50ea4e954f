/*
 * contract: the rules for any Verilog in a slot, independent of its policy, checked in every cycle.
 *
 * The rules are the properties called contract in tb/STEM_props.sv, with the same names. There they are
 * proved for our own blocks under the inputs of a machine (every Ready thread has a level). The rest of the
 * machine depends on these rules; the choice among several allowed answers is the policy, and is free. A slot
 * without rules here has one right answer in every cycle: its model's outputs. */
#ifndef TB_CONTRACT_H
#define TB_CONTRACT_H

#include "model/cluster/cluster.h"

struct contract_rule {
    const char *name, *broken; /* broken: message for a violation */
};

/* Memory of a slot's inputs: each work-group at the barrier table, and which have existed; the launch at the
 * dispatcher of work-groups. All 0 after a reset. */
struct contract_group {
    uint32_t live, waiting, pc;
    bool mixed, with; /* the threads wait at different PCs; the barrier includes the scalar thread */
    bool scalar_live, scalar_waits;
};
struct contract_launch {
    uint32_t count[3]; /* number of work-groups */
    uint64_t left;     /* work-groups left */
    uint64_t *given;   /* a bit for each dispatched work-group; NULL: no launch */
};
/* Limits of a scheduler's delays: cycles without a grant, and turns of others. */
struct contract_waits {
    warp_set waiting; /* warps that have been ready without a grant since `grants` was 0 */
    unsigned grants;  /* grants since then */
    unsigned idle;    /* cycles since the latest grant in which a warp could have been granted */
    unsigned held;    /* cycles in which a warp could have left A, in the whole co-processor */
};
struct contract_state {
    struct contract_waits waits;
    struct contract_launch launch;
    uint64_t used, opened, opened_scalar, exited; /* a bit for each work-group, as in the outputs */
    uint64_t left, gone; /* work-groups with exited SIMT threads; with an exited scalar thread */
    struct contract_group group[64];
    const struct contract_rule *choice; /* rule that the whole co-processor broke in this cycle, or NULL */
    /* Not reset: depends on the block in the slot. */
    unsigned fair; /* number of warps among which turns must be fair; 0: the policy may starve a warp */
};
/* Resets the state, or frees it. */
void contract_forget(struct contract_state *s);

/* A valid answer must come within this number of cycles; a warp that stays ready must be granted within this
 * number of grants for each warp. Violations are found after half these numbers at the earliest. */
#define CONTRACT_MOST_IDLE  4096
#define CONTRACT_MOST_TURNS 64

/* The time at which outputs of a slot are due, for people: outputs, and time. */
struct contract_time {
    const char *outputs, *due;
};
/* Returns the n-th row of a slot; NULL after the last. */
const struct contract_time *contract_time(enum cluster_block b, unsigned n);
/* Returns the effect of `replace` in a slot whose outputs the machine does not use, with the reason; NULL if
 * it uses them. */
const char *contract_unused(enum cluster_block b);

struct contract {
    const struct contract_rule *rule;
    unsigned count; /* 0: the model's outputs are the contract */
    bool rest;      /* outputs without rules are the model's, which follows the other outputs */
    /* Checks one cycle, with ports as the model's. Returns the broken rule; NULL if none. */
    const struct contract_rule *(*check)(struct contract_state *s, const void *in, const void *out);
};

extern const struct contract contract[CLUSTER_BLOCK_COUNT + 1]; /* last: for blocks without a slot */

/* Checks the choice of a whole co-processor in S and A before the cycle's other inputs are known. Returns the
 * broken rule, which is then also the cycle's. */
const struct contract_rule *contract_choice(struct contract_state *s, const struct simt_coprocessor *model,
                                            const struct simt_coprocessor_out *out);

#define CONTRACT_MAX_BYTES 160 /* limit of the output ports of a slot with rules, and of their arrays */

#endif
