#include "model/core/identity.h"

#include "model/config/contexts_kind.h"

static uint32_t lane_of(const struct identity *d, unsigned position) {
    return d->first_lane + lane_map_lane(d->map, position);
}

static uint32_t constant(const struct identity *d, unsigned index, unsigned position) {
    const struct machine_config *c = d->config;
    switch (index) {
    case 0: return lane_of(d, position);
    case 1: return d->cluster;
    case 2: return c->cluster.lanes;
    case 3: return c->simt.warp_size;
    case 4: return machine_threads(c) / c->cluster.lanes;
    case 5: return d->contexts;
    case 6: return c->simt.priority_levels;
    default: return COPROCESSOR_VERSION;
    }
}

static uint32_t local_id(const struct identity *d, unsigned dimension, unsigned position) {
    return d->local_id[dimension] ? d->local_id[dimension][position] : 0;
}

static uint32_t value_of(const struct identity *d, struct coprocessor_decoded op, unsigned position) {
    const struct machine_launch *l = d->launch;
    const unsigned n = op.index;
    switch (op.operation) {
    case COPROCESSOR_CONSTANT: return constant(d, n, position);
    case COPROCESSOR_LOCAL_ID: return local_id(d, n, position);
    case COPROCESSOR_GLOBAL_ID: return machine_global_id(l, n, d->group[n], local_id(d, n, position));
    case COPROCESSOR_GROUP_ID: return d->group[n];
    case COPROCESSOR_NUM_GROUPS: return l->global_size[n] / l->local_size[n];
    case COPROCESSOR_LOCAL_SIZE: return l->local_size[n];
    case COPROCESSOR_GLOBAL_SIZE: return l->global_size[n];
    case COPROCESSOR_GLOBAL_OFFSET: return l->global_offset[n];
    case COPROCESSOR_GROUPS_IN_FLIGHT: return d->groups_in_flight;
    default: return l->work_dim;
    }
}

void identity_read(const struct identity *d, const struct arm_instruction *i, struct arm_threads *threads,
                   uint64_t mask, uint64_t t) {
    const struct coprocessor_decoded op = coprocessor_decode(i);
    uint32_t *row = &threads->registers[i->rd * threads->positions];
    for (uint64_t rest = mask; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        if (op.operation != COPROCESSOR_CYCLES) {
            row[k] = value_of(d, op, k);
            continue;
        }
        row[k] = (uint32_t)t;
        threads->registers[i->rn * threads->positions + k] = (uint32_t)(t >> 32);
    }
}
