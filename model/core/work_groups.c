#include "model/core/work_groups.h"

void work_groups_begin(struct work_groups *w, const struct machine_launch *l) {
    w->count = 1;
    w->begun = 0;
    for (unsigned d = 0; d < 3; ++d) {
        w->per_dimension[d] = l->global_size[d] / l->local_size[d];
        w->count *= w->per_dimension[d];
    }
}

bool work_groups_take(struct work_groups *w, uint64_t *number) {
    if (w->begun == w->count) return false;
    *number = w->begun++;
    return true;
}

void work_groups_id(const struct work_groups *w, uint64_t number, uint32_t id[3]) {
    for (unsigned d = 0; d < 3; ++d) {
        id[d] = (uint32_t)(number % w->per_dimension[d]);
        number /= w->per_dimension[d];
    }
}
