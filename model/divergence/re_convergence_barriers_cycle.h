/* re_convergence_barriers_cycle: re-convergence barriers with the ports and flip-flops of their Verilog, one
 * operation in each cycle, for twins (block_twins.h).
 *
 * If it exists, each function of the barriers is a cycle: threads reserve slots, arrive at a PC, or exit; a
 * complete barrier fires. There are at most 128 barriers, 16 in a set, for at most 32 lanes. */
#ifndef MODEL_DIVERGENCE_RE_CONVERGENCE_BARRIERS_CYCLE_H
#define MODEL_DIVERGENCE_RE_CONVERGENCE_BARRIERS_CYCLE_H

#include "generated/re_convergence_barriers_ports.h"
#include "model/config/limits.h"
#include "model/divergence/re_convergence_barriers.h"

#define RE_CONVERGENCE_BARRIERS_CYCLE_MAX_WAYS 16
#define RE_CONVERGENCE_BARRIERS_CYCLE_MAX      128

struct re_convergence_barriers_cycle {
    struct re_convergence_barriers *barriers;
    unsigned lanes;                       /* 1–32 */
    struct re_convergence_barriers_in in; /* ports and flip-flops: rtl/re_convergence_barriers.sv */
    struct re_convergence_barriers_out out;
    struct re_convergence_barriers_state q; /* points to the arrays below, one element for each barrier */
    uint32_t rows[MACHINE_MAX_LANES], rows_out[MACHINE_MAX_LANES]; /* arrays for `in` and `out` */
    uint32_t rpc[RE_CONVERGENCE_BARRIERS_CYCLE_MAX], group[RE_CONVERGENCE_BARRIERS_CYCLE_MAX],
        mask[RE_CONVERGENCE_BARRIERS_CYCLE_MAX], reached[RE_CONVERGENCE_BARRIERS_CYCLE_MAX];
    uint32_t row[RE_CONVERGENCE_BARRIERS_CYCLE_MAX * MACHINE_MAX_LANES];
    void (*evaluated)(void *context); /* called between evaluation and edge; may be NULL */
    void *context;
};

/* Initialises in place the clocked form of free barriers, which from now on work through it. */
void re_convergence_barriers_cycle_init(struct re_convergence_barriers_cycle *c,
                                        struct re_convergence_barriers *b, unsigned lanes);
void re_convergence_barriers_cycle_reset(struct re_convergence_barriers_cycle *c);

/* in, barriers → out, barriers; q is unchanged. */
void re_convergence_barriers_cycle_eval(struct re_convergence_barriers_cycle *c);
/* Does the edge: q becomes the barriers' state; clears the inputs. */
void re_convergence_barriers_cycle_clock(struct re_convergence_barriers_cycle *c);

/* Operations, as cycles: see re_convergence_barriers.h. */
void re_convergence_barriers_cycle_reserve(struct re_convergence_barriers_cycle *c,
                                           const struct regrouped_warp *w, uint64_t lanes, uint32_t rpc,
                                           int gone);
uint64_t re_convergence_barriers_cycle_arrive(struct re_convergence_barriers_cycle *c,
                                              const struct regrouped_warp *w, uint64_t lanes, uint32_t pc);
void re_convergence_barriers_cycle_exit(struct re_convergence_barriers_cycle *c,
                                        const struct regrouped_warp *w, uint64_t lanes);
void re_convergence_barriers_cycle_fire(struct re_convergence_barriers_cycle *c);

#endif
