/*
 * branch_tables: the tables of a superscalar core that predict branches (dual-mode Table 3): counters of 2
 * bits and a direct-mapped branch target buffer (BTB), both read and written by the address of the branch.
 *
 * A branch is predicted taken if the BTB has its address and, if it is conditional, its counter is 2 or 3;
 * the target is the one of its last taken execution. Counters begin at 1. A taken branch counts its counter
 * up and writes its target; a branch that is not taken counts down. Counters stay within 0 to 3, and those of
 * unconditional branches do not change.
 *
 * Without a BTB (0 entries) no branch is predicted taken. There is no return stack: the predicted target of a
 * return is its last one.
 *
 * While Verilog runs with the block (model/control/branch_predictor.h), the block gets the rows as they
 * were before the cycle of the core, and its outputs decide the fetch.
 */
#ifndef MODEL_CORE_BRANCH_TABLES_H
#define MODEL_CORE_BRANCH_TABLES_H

#include "model/control/branch_predictor.h"

struct branch_target {
    uint32_t pc; /* address of the branch; BRANCH_TARGET_NONE: empty entry */
    uint32_t target;
};
#define BRANCH_TARGET_NONE 1u /* not an address of an instruction */

struct branch_tables {
    uint32_t counters, entries; /* powers of two; `entries`, those of the BTB, may be 0 */
    uint8_t *counter;           /* 0 to 3 */
    struct branch_target *btb;
    struct branch_predictor block;
    /* While the block is watched: */
    unsigned learned;                                    /* branches learned in the core's cycle */
    struct branch_target replaced[CORE_MAX_ISSUE_WIDTH]; /* row of each of them before the cycle */
};

struct branch_prediction {
    bool hit;        /* the BTB has the branch */
    bool taken;      /* prediction */
    uint32_t target; /* predicted target of a taken branch */
};

/* In place: it points to itself and must not be copied. `fetch_width`, `commits`: instructions of a fetch,
 * branches that are learned in a cycle. */
void branch_tables_init(struct branch_tables *p, unsigned counters, unsigned entries, unsigned fetch_width,
                        unsigned commits);
void branch_tables_free(struct branch_tables *p);

/* Bits of an address that a row of the BTB has. */
static inline unsigned branch_tables_tag_bits(unsigned entries) {
    return 30 - (entries ? (unsigned)__builtin_ctz(entries) : 0);
}

/* Predicts the branch at pc. */
static inline struct branch_prediction branch_tables_predict(const struct branch_tables *p, uint32_t pc,
                                                             bool conditional) {
    if (!p->entries) return (struct branch_prediction){0};
    const struct branch_target *b = &p->btb[pc / 4 & (p->entries - 1)];
    const bool hit = b->pc == pc;
    return (struct branch_prediction){.hit = hit,
                                      .taken = hit &&
                                               (!conditional || p->counter[pc / 4 & (p->counters - 1)] >= 2),
                                      .target = b->target};
}

/* Returns whether Verilog, or a test, runs with the block. */
static inline bool branch_tables_watched(const struct branch_tables *p) {
    return __builtin_expect(p->block.requests.twins != NULL, 0);
}

/* --- while the block is watched --- */

/* Notes a branch of the core's cycle before the rows are written. */
void branch_tables_note(struct branch_tables *p, uint32_t pc, bool conditional, bool taken, uint32_t target);
/* Predicts a fetch of `count` instructions at pc, which is the last action of the core's cycle. Bit n of the
 * sets stands for the instruction at pc + 4 n. Returns the number of the instruction that is predicted taken,
 * and its target; `count` if none is. */
unsigned branch_tables_fetch(struct branch_tables *p, uint32_t pc, unsigned count, uint32_t branches,
                             uint32_t conditional, uint32_t *target);
/* Ends the core's cycle; called if branches have been learned in it. */
void branch_tables_end(struct branch_tables *p);

/* --- learning --- */

/* Updates the tables after the branch has executed. */
static inline void branch_tables_learn(struct branch_tables *p, uint32_t pc, bool conditional, bool taken,
                                       uint32_t target) {
    if (branch_tables_watched(p)) branch_tables_note(p, pc, conditional, taken, target);
    uint8_t *counter = &p->counter[pc / 4 & (p->counters - 1)];
    if (conditional && taken && *counter < 3) ++*counter;
    if (conditional && !taken && *counter > 0) --*counter;
    if (taken && p->entries) p->btb[pc / 4 & (p->entries - 1)] = (struct branch_target){pc, target};
}

#endif
