/*
 * work_groups: the work-groups of a launch, handed out in the order of their linear number to whoever asks
 * first in simulated time (of those that ask in one cycle: the lower cluster, then the lower core).
 */
#ifndef MODEL_CORE_WORK_GROUPS_H
#define MODEL_CORE_WORK_GROUPS_H

#include "model/core/launch.h"

struct work_groups {
    uint64_t count, begun;
    uint32_t per_dimension[3];
};

void work_groups_begin(struct work_groups *w, const struct machine_launch *l);
/* The next one's number. False: there is none left. */
bool work_groups_take(struct work_groups *w, uint64_t *number);
void work_groups_id(const struct work_groups *w, uint64_t number, uint32_t id[3]);

#endif
