#include "model/control/lane_scheduler.h"

void lane_scheduler_init(struct lane_scheduler *s, const struct lane_scheduler_config *config) {
    *s = (struct lane_scheduler){.cfg = *config};
}

/* Returns the warps whose group is in `groups`. */
static warp_set warps_of(const struct lane_scheduler_config *c, warp_set warps, uint64_t groups) {
    warp_set found = 0;
    if (!c->bound) return groups ? warps : 0;
    for (warp_set rest = warps; rest; rest &= rest - 1)
        if (groups >> warp_set_first(rest) % c->groups & 1) found |= rest & -rest;
    return found;
}

void lane_scheduler_eval(struct lane_scheduler *s) {
    const struct lane_scheduler_in *in = &s->in;
    const warp_set warps[3] = {in->sp, in->sfu, in->ldst};
    const uint64_t room[3] = {in->sp_room, in->sfu_room, in->ldst_room};
    warp_set eligible = 0;
    uint64_t groups = 0;
    for (unsigned kind = 0; kind < 3; ++kind) {
        const uint64_t takes = room[kind] & in->registers;
        const warp_set can = warps_of(&s->cfg, warps[kind], takes);
        eligible |= can;
        if (!s->cfg.bound && can) groups |= takes;
    }
    for (warp_set rest = s->cfg.bound ? eligible : 0; rest; rest &= rest - 1)
        groups |= UINT64_C(1) << warp_set_first(rest) % s->cfg.groups;
    unsigned waiting = (unsigned)__builtin_popcountll(groups);
    const unsigned ready = warp_set_count(eligible);
    if (ready < waiting) waiting = ready; /* bound: no effect, each group has a warp */
    s->out.eligible = eligible;
    s->out.groups = (uint32_t)groups;
    s->out.conflicts = waiting > 3 ? 3 : waiting ? waiting - 1 : 0;
}
