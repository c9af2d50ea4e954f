/* oracle_activity: the smallest number of issues if threads could be regrouped freely (harp Fig. 4;
 * divergence.md §4, oracle): a bound, not a machine.
 *
 * Threads keep their lanes. The executions of an instruction by a work-group's threads need as many issues as
 * the lane with most executions; the order of the program is ignored. No engine that keeps lanes and does not
 * mix work-groups has fewer issues. Lane activity, the ratio of executions to lanes · issues, is therefore at
 * its maximum here.
 *
 * One for each SM or cluster with `simt.divergence: oracle`. */
#ifndef MODEL_DIVERGENCE_ORACLE_ACTIVITY_H
#define MODEL_DIVERGENCE_ORACLE_ACTIVITY_H

#include "sim/counter.h"

struct oracle_activity {
    struct {
        unsigned instructions; /* instructions of the code */
        unsigned lanes;        /* 1–64 */
        unsigned groups;       /* most work-groups at the same time: slots */
    } cfg;
    uint32_t *count;      /* executions by the slot's work-group, by instruction and lane */
    uint64_t *issues;     /* issues of each instruction, for ended work-groups */
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

/* --- all launches of a unit --- */

struct oracle_activity_sums {
    struct oracle_activity activity; /* activity of the launch; no work-group is in flight between launches */
    uint64_t issues, executions, lane_slots; /* sums over all launches */
};

/* Makes room for the code of a launch. */
void oracle_activity_launch(struct oracle_activity_sums *o, uint32_t text_bytes, unsigned lanes,
                            unsigned groups);
/* Counts an instruction of threads of a warp, which has `rows` rows of lanes. */
void oracle_activity_note(struct oracle_activity_sums *o, unsigned group, uint32_t text_offset,
                          uint64_t threads, unsigned rows);
void oracle_activity_end_group(struct oracle_activity_sums *o, unsigned group);
void oracle_activity_register(struct oracle_activity_sums *o, const char *scope, unsigned lanes,
                              struct counter_registry *r);

#endif
