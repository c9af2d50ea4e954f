/*
 * identity: values of the co-processor's identity registers (coprocessor.md §A), on every machine and for
 * every reader: a warp of the base machine or of an SM, a core, a scalar thread.
 *
 * The number of a lane is that of the lane that executes the thread's instruction: on the base machine the
 * core that is the lane, with lane groups the lane in its group, with several SP groups the lane in its SP
 * group. Contexts are counted for one such number.
 */
#ifndef MODEL_CORE_IDENTITY_H
#define MODEL_CORE_IDENTITY_H

#include "model/arm/coprocessor.h"
#include "model/config/lane_map.h"
#include "model/config/machine_config.h"
#include "model/core/launch.h"

struct identity {
    const struct machine_config *config;
    const struct machine_launch *launch;
    uint32_t cluster;
    uint32_t first_lane;         /* position k is executed by lane first_lane + lane_map_lane(map, k) */
    struct lane_map map;         /* map of lanes; for a single reader: one lane, one round */
    uint32_t contexts;           /* contexts of a lane that the launch can use at once: n_act */
    uint32_t groups_in_flight;   /* work-groups of the launch that the machine holds at once */
    const uint32_t *group;       /* id of the work-group, in three dimensions */
    const uint32_t *local_id[3]; /* ids of the thread in each position; NULL: 0 */
};

/* Executes an instruction with `coprocessor_reads` for the threads of `mask` in cycle t. */
void identity_read(const struct identity *d, const struct arm_instruction *i, struct arm_threads *threads,
                   uint64_t mask, uint64_t t);

#endif
