/*
 * flight: one warp instruction on its way through the fast pipeline, from its selection to its commit
 * (timing.md).
 *
 * Every stage has a stamp: the cycle of its event. A stamp that is a sum or a maximum of others is known
 * before its cycle. The value FAST_NEVER means that the stamp depends on a decision that has not been made.
 */
#ifndef MODEL_FAST_FLIGHT_H
#define MODEL_FAST_FLIGHT_H

#include "model/arm/arm.h"

#define FAST_NEVER UINT64_MAX

struct fast_flight {
    _Alignas(64) struct arm_instruction *i; /* NULL if the PC is outside the text */
    uint64_t participating;                 /* threads of the bundle, as positions of the warp */
    uint32_t pc;
    unsigned warp;
    uint64_t s;       /* cycle in which S selects the warp */
    uint64_t f;       /* first cycle in F */
    uint64_t fetched; /* last cycle of the fetch */
    /* Last cycle in F. D has the instruction in the next cycle, then the dispatch queue. */
    uint64_t left;
    uint64_t o;         /* first cycle of O */
    uint64_t collected; /* last cycle of O */
    uint64_t x;         /* cycle in which the first round starts */
    uint64_t last;      /* cycle in which the last round starts */
    /* Cycle at whose end the last result is ready or the last store accepted; FAST_NEVER if all rounds have
     * started and accesses are held. Then `made` holds the latest cycle of the other accesses. */
    uint64_t result;
    uint64_t made;
    unsigned held;        /* accesses that wait for translations */
    unsigned writes_left; /* vTPO lines still to write */
    unsigned rounds;      /* rounds of its execution */
    unsigned collects;    /* cycles of O */
    unsigned read_lines;  /* lines of operands, for each lane */
    unsigned reads;       /* consecutive reads of the TPM for these lines */
    bool executed;        /* already executed, ahead of the cluster's turn (fast_execute_own) */
    struct arm_execution execution;
};

static inline bool fast_flight_is_written(const struct fast_flight *f) {
    return !f->writes_left;
}

/* Returns the first cycle in which W or C has work for a flight that has left X. */
static inline uint64_t fast_flight_due(const struct fast_flight *f) {
    return f->result == FAST_NEVER ? FAST_NEVER : f->result + !fast_flight_is_written(f);
}

static inline bool fast_flight_accesses_memory(const struct fast_flight *f) {
    return (f->i->is_load || f->i->is_store) && f->execution.passed;
}

#endif
