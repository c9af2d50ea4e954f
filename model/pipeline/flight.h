/*
 * flight: one warp instruction on its way through a path, from its selection to its commit (timing.md).
 *
 * Every stage leaves a stamp, the cycle in which something happens to the flight. A stamp that is a sum or a
 * maximum of others is known before its cycle comes; FLIGHT_NEVER stands for one that depends on what has not
 * been decided yet.
 */
#ifndef MODEL_PIPELINE_FLIGHT_H
#define MODEL_PIPELINE_FLIGHT_H

#include "model/arm/arm.h"
#include "model/uniform/uniform.h"

#define FLIGHT_NEVER UINT64_MAX

struct flight {
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
    uint64_t result;    /* the last result is there at its end, or the last store accepted; FLIGHT_NEVER: all
                           rounds have started, but accesses are held; then so far: */
    uint64_t made;
    unsigned held;               /* accesses that wait for translations */
    unsigned writes_left;        /* vTPO lines still to write, */
    unsigned scalar_writes_left; /* and scalar registers */
    unsigned rounds;             /* in which it is executed */
    unsigned network;    /* cycles that its operands, and its results, take to the lanes of other threads */
    unsigned collects;   /* cycles of O */
    unsigned read_lines; /* lines, of each lane, that its operands are in */
    unsigned reads;      /* of the TPM, for these */
    bool executed;       /* ahead of its cluster's turn (path_execute_own) */
    struct uniform_flight uniform;
    struct arm_execution execution;
};

/* Is it executed for one thread, and that by lane 0? */
static inline bool flight_is_scalar(const struct flight *f) {
    return f->uniform.form == UNIFORM_SCALAR;
}

static inline bool flight_is_written(const struct flight *f) {
    return !f->writes_left && !f->scalar_writes_left;
}

/* The first cycle in which W or C has something to do for a flight that has left X. */
static inline uint64_t flight_due(const struct flight *f) {
    return f->result == FLIGHT_NEVER ? FLIGHT_NEVER : f->result + !flight_is_written(f);
}

static inline bool flight_accesses_memory(const struct flight *f) {
    return (f->i->is_load || f->i->is_store) && f->execution.passed;
}

#endif
