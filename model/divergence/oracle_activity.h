/*
 * oracle_activity: how few issues would do if threads could be regrouped at will (harp Fig. 4; divergence.md
 * §4, oracle): a bound, not a machine.
 *
 * Threads keep their lanes. What a work-group's threads execute of one instruction takes as many issues as
 * the lane that executes it most often; no order of the program is looked at. So no engine that keeps lanes
 * and does not mix work-groups has fewer issues, and lane activity, executions by lanes and issues, is
 * highest here.
 *
 * SMs with `simt.divergence: oracle` have one (model/sm/divergence_oracle.c).
 */
#ifndef MODEL_DIVERGENCE_ORACLE_ACTIVITY_H
#define MODEL_DIVERGENCE_ORACLE_ACTIVITY_H

#include <stdint.h>

struct oracle_activity {
    struct {
        unsigned instructions; /* of the code */
        unsigned lanes;        /* 1–64 */
        unsigned groups;       /* work-groups at once: slots */
    } cfg;
    uint32_t *count;      /* of the slot's work-group: executions by instruction and lane */
    uint64_t *issues;     /* by instruction, of work-groups that have ended */
    uint64_t *executions; /* likewise, of threads */
};

void oracle_activity_init(struct oracle_activity *o, unsigned instructions, unsigned lanes, unsigned groups);
void oracle_activity_free(struct oracle_activity *o);

/* A thread of a work-group in each of some lanes has executed an instruction. */
void oracle_activity_count(struct oracle_activity *o, unsigned group, unsigned instruction, uint64_t lanes);
/* The work-group in a slot has ended. */
void oracle_activity_end(struct oracle_activity *o, unsigned group);

struct oracle_total {
    uint64_t issues, executions;
};
struct oracle_total oracle_activity_total(const struct oracle_activity *o);

#endif
