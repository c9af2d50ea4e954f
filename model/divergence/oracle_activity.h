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
        unsigned instructions; /* instructions of the code */
        unsigned lanes;        /* 1–64 */
        unsigned groups;       /* most work-groups at the same time: slots */
    } cfg;
    uint32_t *count;      /* executions by the slot's work-group, by instruction and lane */
    uint64_t *issues;     /* by instruction, for ended work-groups */
    uint64_t *executions; /* executions by threads, likewise */
};

void oracle_activity_init(struct oracle_activity *o, unsigned instructions, unsigned lanes, unsigned groups);
void oracle_activity_free(struct oracle_activity *o);

/* Counts an instruction executed by one thread of a work-group in each of some lanes. */
void oracle_activity_count(struct oracle_activity *o, unsigned group, unsigned instruction, uint64_t lanes);
/* Ends the work-group in a slot. */
void oracle_activity_end(struct oracle_activity *o, unsigned group);

struct oracle_total {
    uint64_t issues, executions;
};
struct oracle_total oracle_activity_total(const struct oracle_activity *o);

#endif
