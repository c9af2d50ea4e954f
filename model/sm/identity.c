/* What kernels read of themselves: the co-processor's identity registers (coprocessor.md A, B). */
#include "model/arm/coprocessor.h"
#include "model/sm/sm_parts.h"

static void fill(struct arm_threads *t, unsigned row, uint64_t mask, uint32_t value) {
    for (uint64_t rest = mask; rest; rest &= rest - 1)
        t->registers[row * t->positions + (unsigned)__builtin_ctzll(rest)] = value;
}

static void fill_ids(struct sm_warp *w, unsigned row, uint64_t mask, unsigned d, uint32_t base) {
    for (uint64_t rest = mask; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        w->threads.registers[row * w->threads.positions + k] = base + w->local_id[d][k];
    }
}

static uint32_t constant(const struct sm *s, unsigned index) {
    const uint32_t value[8] = {0,
                               s->index,
                               s->config->cluster.lanes,
                               s->warp_size,
                               s->config->cluster.threads,
                               s->group_warps * s->warp_size,
                               s->config->simt.priority_levels,
                               COPROCESSOR_VERSION};
    return value[index];
}

uint32_t sm_geometry(const struct sm *s, const struct sm_group *g, struct coprocessor_decoded op) {
    const struct machine_launch *l = s->launch;
    switch (op.operation) {
    case COPROCESSOR_CONSTANT: return constant(s, op.index);
    case COPROCESSOR_GROUPS_IN_FLIGHT: return s->config->cluster.count * s->groups_that_fit;
    case COPROCESSOR_GROUP_ID: return g->id[op.index];
    case COPROCESSOR_NUM_GROUPS: return s->shared->groups.count[op.index];
    case COPROCESSOR_LOCAL_SIZE: return l->local_size[op.index];
    case COPROCESSOR_GLOBAL_SIZE: return l->global_size[op.index];
    case COPROCESSOR_GLOBAL_OFFSET: return l->global_offset[op.index];
    default: return l->work_dim;
    }
}

bool sm_read_identity(struct sm *s, unsigned warp, const struct arm_instruction *i, uint64_t mask,
                      uint64_t t) {
    const struct coprocessor_decoded op = coprocessor_decode(i);
    struct sm_warp *w = &s->warp[warp];
    const struct sm_group *g = &s->group[w->group];
    const unsigned d = op.index;
    if (op.operation == COPROCESSOR_UNDEFINED || op.operation == COPROCESSOR_NOTE ||
        coprocessor_mimd_only(op.operation))
        return false;
    if (!i->coprocessor_reads) return true; /* carried out at its end; priorities mean nothing here */
    if (op.operation == COPROCESSOR_CYCLES) {
        fill(&w->threads, i->rd, mask, (uint32_t)t);
        fill(&w->threads, i->rn, mask, (uint32_t)(t >> 32));
    } else if (op.operation == COPROCESSOR_LOCAL_ID) {
        fill_ids(w, i->rd, mask, d, 0);
    } else if (op.operation == COPROCESSOR_GLOBAL_ID) {
        fill_ids(w, i->rd, mask, d, g->id[d] * s->launch->local_size[d] + s->launch->global_offset[d]);
    } else if (op.operation == COPROCESSOR_CONSTANT && d == 0) {
        for (uint64_t rest = mask; rest; rest &= rest - 1) /* the number of its lane */
            fill(&w->threads, i->rd, rest & -rest,
                 (unsigned)__builtin_ctzll(rest) % s->config->cluster.lanes);
    } else {
        fill(&w->threads, i->rd, mask, sm_geometry(s, g, op));
    }
    return true;
}
