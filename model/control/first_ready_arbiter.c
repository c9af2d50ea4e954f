#include "model/control/first_ready_arbiter.h"

uint64_t first_ready_arbiter_candidates(const struct warp_pc_arbiter *a) {
    return a->in.ready;
}
