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

/* Returns false if the operation does not exist in this mode. */
static bool read_identity(struct sm *s, unsigned warp, const struct arm_instruction *i, uint64_t mask,
                          uint64_t t) {
    const struct coprocessor_decoded op = coprocessor_decode(i);
    struct sm_warp *w = &s->warp[warp];
    if (op.operation == COPROCESSOR_UNDEFINED || op.operation == COPROCESSOR_NOTE ||
        coprocessor_mimd_only(op.operation))
        return false;
    if (!i->coprocessor_reads) return true; /* no result; priorities have no effect here */
    const unsigned lane_group = s->lanes.apart ? sm_lanes_unit(s, warp, SM_SP)->group : 0;
    const struct identity d = sm_identity(s, &s->group[w->group], w, lane_group);
    identity_read(&d, i, &w->threads, mask, t);
    return true;
}

bool sm_coprocess(struct sm *s, unsigned warp, const struct sm_flight *f, uint64_t threads, uint64_t passed,
                  uint64_t t) {
    if (passed && !scalar_units_used(s) && coprocessor_decode(f->i).operation == COPROCESSOR_SYNC) {
        simt_diagnose(&s->simt, warp, (unsigned)__builtin_ctzll(passed), f->pc, SM_SYNC_ALONE,
                      s->launch->kernel);
        return false;
    }
    if (read_identity(s, warp, f->i, passed, t)) return true;
    simt_diagnose(&s->simt, warp, (unsigned)__builtin_ctzll(threads), f->pc,
                  "executes a co-processor instruction that does not exist on this machine");
    return false;
}
