/* redundancy: counts redundant scalar operations of a run (uniform Fig. 2), independently of the machine's
 * treatment of uniform values.
 *
 * An instruction of a warp counts as one scalar operation for each executing thread. In an intra-warp uniform
 * instruction, all but one are redundant. A uniform instruction that finds its result in a reuse buffer
 * (inter-warp) is entirely redundant if intra-warp redundancy is not counted; otherwise it adds one. Uniform
 * instructions are found with tokens (uniform.h), inter-warp redundancy with a buffer of the machine's size
 * (uniform.irb_entries, uniform.irb_tag_bits) whose results are available immediately. Branches, loads and
 * stores are not redundant (uniform §2), nor are hints and co-processor instructions, which do not use an
 * ALU; all count as operations. */
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

void redundancy_reset(struct redundancy *r);                 /* clears r at the beginning of a launch */
void redundancy_start(struct redundancy *r, warp_set warps); /* begins a work-group in these warps */

/* Called before and after a warp executes i. */
void redundancy_before(struct redundancy *r, const struct uniform_warp *w, uint32_t pc,
                       const struct arm_instruction *i);
void redundancy_after(struct redundancy *r, const struct uniform_warp *w, uint32_t pc,
                      const struct arm_instruction *i, const struct arm_execution *x);

#endif
