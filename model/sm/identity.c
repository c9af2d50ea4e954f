/* Values that kernels read about themselves: the identity registers of the co-processor (coprocessor.md §A,
 * §B). */
#include "model/arm/coprocessor.h"
#include "model/sm/scalar_units.h"
#include "model/sm/sm_parts.h"

struct identity sm_identity(const struct sm *s, const struct sm_group *g, const struct sm_warp *w,
                            unsigned lane_group) {
    struct identity d = {.config = s->config,
                         .launch = s->launch,
                         .cluster = s->index,
                         .first_lane = lane_group * s->lanes.width,
                         .map = w ? (struct lane_map){LANE_MAP_CYCLIC, s->lanes.width, 1}
                                  : (struct lane_map){LANE_MAP_BLOCK, 1, 1},
                         .contexts =
                             s->groups_that_fit * s->group_warps * s->warp_size / s->config->cluster.lanes,
                         .groups_in_flight = s->config->cluster.count * s->groups_that_fit,
                         .group = g->id};
    for (unsigned n = 0; n < 3 && w; ++n) d.local_id[n] = w->local_id[n];
    return d;
}

struct identity sm_warp_identity(const struct simt *u, unsigned warp) {
    struct sm *s = (struct sm *)u;
    const struct sm_warp *w = &s->warp[warp];
    const unsigned lane_group = s->lanes.apart ? sm_lanes_unit(s, warp, SM_SP)->group : 0;
    return sm_identity(s, &s->group[w->group], w, lane_group);
}

bool sm_may_sync(struct sm *s, const struct simt_instruction *n, uint64_t passed) {
    if (!passed || scalar_units_used(s) || coprocessor_decode(n->i).operation != COPROCESSOR_SYNC)
        return true;
    simt_diagnose(&s->simt, n->warp, (unsigned)__builtin_ctzll(passed), n->pc, SM_SYNC_ALONE,
                  s->launch->kernel);
    return false;
}
