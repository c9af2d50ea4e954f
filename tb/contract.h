/*
 * contract: what any Verilog in a slot must hold to, whatever its policy, checked in every cycle that it
 * runs.
 *
 * The rules are the properties that tb/STEM_props.sv calls the contract, by the same names; there they are
 * proved of our own blocks, for what a machine can give them (every Ready thread has a level). They say what
 * the rest of the machine relies on; which of several right answers is given is the policy, and free. A slot
 * without rules here has one right answer in every cycle: its model's outputs.
 */
#ifndef TB_CONTRACT_H
#define TB_CONTRACT_H

#include "model/cluster/cluster.h"

struct contract_rule {
    const char *name, *broken; /* broken: what is wrong then */
};

/* What a slot must remember of its inputs: of each work-group at the barrier table, and which have been
 * there; the launch at the dispatcher of work-groups. Zeroed: after a reset. */
struct contract_group {
    uint32_t live, waiting, pc;
    bool mixed, with; /* not all wait at `pc`; it includes the scalar thread */
    bool scalar_live, scalar_waits;
};
struct contract_launch {
    uint32_t count[3]; /* of work-groups */
    uint64_t left;     /* of them */
    uint64_t *given;   /* a bit for each that has been handed out; NULL: there was no launch */
};
/* The time that a scheduler may take: cycles without a grant, and turns of others. */
struct contract_waits {
    warp_set waiting; /* warps that have been ready, without a grant, since `grants` was 0 */
    unsigned grants;  /* since then */
    unsigned idle;    /* cycles since the latest grant in which a warp could have been granted */
    unsigned held;    /* the same of what leaves A, in the whole */
};
struct contract_state {
    struct contract_waits waits;
    struct contract_launch launch;
    uint64_t used, opened, opened_scalar, exited; /* bit per work-group, as the outputs */
    uint64_t left, gone; /* work-groups of which SIMT threads, of which the scalar thread has exited */
    struct contract_group group[64];
    const struct contract_rule *choice; /* that the whole co-processor has broken in this cycle; NULL: none */
    /* Not forgotten: of the block in the slot. */
    unsigned fair; /* warps among which turns must be fair; 0: the policy may let a warp wait for ever */
};
/* After a reset, or for good. */
void contract_forget(struct contract_state *s);

/* A valid answer may be withheld for fewer than so many cycles; and the grants of others, for each warp, that
 * a warp which stays ready waits at most. Half as many are the least after which a warp is found that waits.
 */
#define CONTRACT_MOST_IDLE  4096
#define CONTRACT_MOST_TURNS 64

/* When outputs of a slot are due, for people: which outputs, and when. */
struct contract_time {
    const char *outputs, *due;
};
/* Returns the n-th row of a slot; NULL: there are no more. */
const struct contract_time *contract_time(enum cluster_block b, unsigned n);
/* Returns what `replace` does in a slot whose outputs the machine does not take from the Verilog, and why;
 * NULL: it takes them. */
const char *contract_unused(enum cluster_block b);

struct contract {
    const struct contract_rule *rule;
    unsigned count; /* 0: its model's outputs are the contract */
    bool rest;      /* outputs that the rules leave alone are the model's, which does what the others say */
    /* One cycle, with ports as the model's. The rule that is broken; NULL: none. */
    const struct contract_rule *(*check)(struct contract_state *s, const void *in, const void *out);
};

extern const struct contract contract[CLUSTER_BLOCK_COUNT + 1]; /* the last: of what has no slot */

/* Before the cycle's other inputs are known, what a whole co-processor chooses in S and A: the rule that it
 * breaks, which is then the cycle's, too. */
const struct contract_rule *contract_choice(struct contract_state *s, const struct simt_coprocessor *model,
                                            const struct simt_coprocessor_out *out);

#define CONTRACT_MAX_BYTES 160 /* of the output ports of a slot that has rules */

#endif
