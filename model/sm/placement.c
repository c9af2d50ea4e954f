/* Placement: the slots of a work-group's warps (gpu-like.md §2; lanes.md §1). */
#include "model/sm/scalar_units.h"
#include "model/sm/sm_parts.h"

#include <string.h>

static uint32_t threads_of(const struct sm *s, unsigned n) {
    const uint32_t left = s->group_threads - n * s->warp_size;
    return left < s->warp_size ? left : s->warp_size;
}

/* Returns the register words of a warp of `threads` threads. Scalars count unless the scalar unit has its own
 * register file. */
static uint32_t words_of(const struct sm *s, uint32_t threads) {
    return s->group_registers * threads + (s->lanes.scalar_unit ? 0 : s->group_scalars);
}

uint32_t sm_words(const struct sm *s, unsigned n) {
    return words_of(s, s->config->lanes.exact_allocation ? threads_of(s, n) : s->warp_size);
}

void sm_free_warp(struct sm *s, unsigned warp) {
    s->registers_left[warp % s->shares] += s->warp[warp].words;
    s->scalars_left += s->group_scalars;
    warp_set_add(&s->free_warps, warp);
    s->crowded = false;
}

/* Returns the free warps of a share. */
static warp_set free_warps(const struct sm *s, warp_set free, unsigned share) {
    return free & s->of_share[share];
}

/* Places all warps in one share with enough room: the share with most free warps, the lowest of several. */
static bool place_whole(const struct sm *s, struct sm_placement *p) {
    unsigned best = s->shares, most = 0;
    for (unsigned n = 0; n < s->shares; ++n) {
        const unsigned warps = warp_set_count(free_warps(s, s->free_warps, n));
        if (warps < s->group_warps || s->registers_left[n] < s->group_words || warps <= most) continue;
        best = n;
        most = warps;
    }
    if (best == s->shares) return false;
    warp_set free = free_warps(s, s->free_warps, best);
    for (unsigned n = 0; n < s->group_warps; ++n, free &= free - 1)
        p->warp[n] = (uint8_t)warp_set_first(free);
    return true;
}

/* Returns the lane group that holds a partly filled warp, has room for another and has most free words (the
 * lowest of several); `shares` if there is none. */
static unsigned beside_partly_filled(const struct sm *s, const bool *room, const uint32_t *left) {
    const uint32_t whole = words_of(s, s->warp_size);
    unsigned best = s->shares;
    bool stands[SM_MAX_LANE_GROUPS] = {false};
    for (warp_set rest = ~s->free_warps & warp_set_all(s->stack_warps); rest; rest &= rest - 1) {
        const unsigned w = warp_set_first(rest);
        if (s->warp[w].words < whole) stands[w % s->shares] = true;
    }
    for (unsigned n = 0; n < s->shares; ++n)
        if (stands[n] && room[n] && (best == s->shares || left[n] > left[best])) best = n;
    return best;
}

/* Places the warps one by one, each in the next lane group with room, round robin. */
static bool place_in_turn(const struct sm *s, struct sm_placement *p) {
    uint32_t left[SM_MAX_LANE_GROUPS];
    warp_set free = s->free_warps;
    memcpy(left, s->registers_left, sizeof left);
    for (unsigned n = 0; n < s->group_warps; ++n) {
        const uint32_t words = sm_words(s, n);
        bool room[SM_MAX_LANE_GROUPS];
        unsigned share = s->shares;
        for (unsigned k = 0; k < s->shares; ++k) room[k] = left[k] >= words && free_warps(s, free, k);
        if (s->config->lanes.exact_allocation && threads_of(s, n) < s->warp_size)
            share = beside_partly_filled(s, room, left);
        for (unsigned k = 0; share == s->shares && k < s->shares; ++k) {
            const unsigned next = (p->turn + k) % s->shares;
            if (!room[next]) continue;
            share = next;
            p->turn = (next + 1) % s->shares;
            break;
        }
        if (share == s->shares) return false;
        p->warp[n] = (uint8_t)warp_set_first(free_warps(s, free, share));
        warp_set_remove(&free, p->warp[n]);
        left[share] -= words;
    }
    return true;
}

bool sm_place(const struct sm *s, struct sm_placement *p) {
    p->turn = s->lanes.turn;
    if (warp_set_count(s->free_warps) < s->group_warps) return false;
    if (s->lanes.scalar_unit && s->scalars_left < s->group_scalars * s->group_warps) return false;
    return s->lanes.apart && s->config->lanes.bound ? place_in_turn(s, p) : place_whole(s, p);
}

uint32_t sm_groups_that_fit(struct sm *s) {
    uint32_t left[SM_MAX_LANE_GROUPS], count = 0;
    const uint32_t local = s->launch->local_bytes, scalar = scalar_units_registers(s),
                   threads = scalar ? s->config->scalar.registers / scalar : s->groups;
    const warp_set free = s->free_warps;
    const unsigned turn = s->lanes.turn;
    const uint32_t scalars = s->scalars_left;
    struct sm_placement p;
    memcpy(left, s->registers_left, sizeof left);
    uint32_t most = local && s->local_left / local < s->groups ? s->local_left / local : s->groups;
    if (!scalar_units_share(s) && threads < most) most = threads;
    while (count < most && sm_place(s, &p)) {
        for (unsigned n = 0; n < s->group_warps; ++n) {
            warp_set_remove(&s->free_warps, p.warp[n]);
            s->warp[p.warp[n]].words = sm_words(s, n);
            s->registers_left[p.warp[n] % s->shares] -= sm_words(s, n);
        }
        s->lanes.turn = p.turn;
        s->scalars_left -= s->group_scalars * s->group_warps;
        ++count;
    }
    memcpy(s->registers_left, left, sizeof left);
    s->free_warps = free;
    s->lanes.turn = turn;
    s->scalars_left = scalars;
    if (scalar_units_share(s)) count += threads < most - count ? threads : most - count;
    return count;
}
