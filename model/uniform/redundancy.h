/*
 * redundancy: how many of the scalar operations of a run are redundant (uniform Fig. 2), whatever the machine
 * makes of it.
 *
 * Every instruction of a warp is as many scalar operations as threads execute it. Of an intra-warp uniform
 * one all but one are redundant; of one that is uniform and finds its result in a reuse buffer (inter-warp)
 * all are, where intra-warp redundancy is not counted as well, and one more where it is. What is uniform is
 * found as by tokens (uniform.h), inter-warp by a buffer as the machine's (uniform.irb_entries,
 * uniform.irb_tag_bits) that has every result at once. Branches, loads and stores are not redundant (uniform
 * §2), nor are hints and co-processor instructions, which are no ALU's work; all are among the operations.
 */
#ifndef MODEL_UNIFORM_REDUNDANCY_H
#define MODEL_UNIFORM_REDUNDANCY_H

#include "model/uniform/uniform.h"

struct redundancy {
    struct machine_config config; /* configuration of the machine, with tokens and a reuse buffer */
    struct uniform uniform;
    struct uniform_flight flight; /* state of the executing instruction */
    uint64_t operations, intra, inter, both;
};

/* Initialises in place: the structure must not be copied. */
void redundancy_init(struct redundancy *r, const struct machine_config *config, unsigned warps);
void redundancy_free(struct redundancy *r);
void redundancy_register_counters(struct redundancy *r, const char *cluster,
                                  struct counter_registry *registry);

void redundancy_reset(struct redundancy *r);                 /* a launch begins */
void redundancy_start(struct redundancy *r, warp_set warps); /* a work-group begins, in these warps */

/* Called before and after a warp executes i. */
void redundancy_before(struct redundancy *r, const struct uniform_warp *w, uint32_t pc,
                       const struct arm_instruction *i);
void redundancy_after(struct redundancy *r, const struct uniform_warp *w, uint32_t pc,
                      const struct arm_instruction *i, const struct arm_execution *x);

#endif
