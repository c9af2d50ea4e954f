/*
 * flight: one warp instruction on its way through the fast pipeline, from its selection to its commit
 * (timing.md).
 *
 * Every stage leaves a stamp, the cycle in which something happens to the flight. A stamp that is a sum or a
 * maximum of others is known before its cycle comes; FAST_NEVER stands for one that depends on what has not
 * been decided yet.
 */
#ifndef MODEL_FAST_FLIGHT_H
#define MODEL_FAST_FLIGHT_H

#include "model/arm/arm.h"

#define FAST_NEVER UINT64_MAX

struct fast_flight {
    _Alignas(64) struct arm_instruction *i; /* NULL: the PC is outside the text */
    uint64_t participating;                 /* P: the threads of the bundle, positions of the warp */
    uint32_t pc;
    unsigned warp;
    uint64_t s;         /* S picks the warp */
    uint64_t f;         /* first cycle in F */
    uint64_t fetched;   /* the instruction is there at its end */
    uint64_t left;      /* last cycle in F; D has the instruction in the next one, then the dispatch queue */
    uint64_t o;         /* first cycle of O */
    uint64_t collected; /* last cycle of O */
    uint64_t x;         /* its first round starts */
    uint64_t last;      /* its last round starts */
    uint64_t result;    /* the last result is there at its end, or the last store accepted; FAST_NEVER: all
                           rounds have started, but accesses are held; then so far: */
    uint64_t made;
    unsigned held;        /* accesses that wait for translations */
    unsigned writes_left; /* vTPO lines still to write */
    unsigned rounds;      /* in which it is executed */
    unsigned collects;    /* cycles of O */
    unsigned read_lines;  /* lines, of each lane, that its operands are in */
    unsigned reads;       /* of the TPM, for these */
    bool executed;        /* ahead of its cluster's turn (fast_execute_own) */
    struct arm_execution execution;
};

static inline bool fast_flight_is_written(const struct fast_flight *f) {
    return !f->writes_left;
}

/* The first cycle in which W or C has something to do for a flight that has left X. */
static inline uint64_t fast_flight_due(const struct fast_flight *f) {
    return f->result == FAST_NEVER ? FAST_NEVER : f->result + !fast_flight_is_written(f);
}

static inline bool fast_flight_accesses_memory(const struct fast_flight *f) {
    return (f->i->is_load || f->i->is_store) && f->execution.passed;
}

#endif
