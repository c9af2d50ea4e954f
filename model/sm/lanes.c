/* Lane groups: eligible instructions, rounds, and the special function units that the groups share (lanes.md
 * §2). */
#include "model/config/lanes_config.h"
#include "model/config/scalar_config.h"
#include "model/control/round_compactor.h"
#include "model/sm/sm_parts.h"

#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

#define BANK_REGISTERS (bit_of(ARM_REGISTERS) - 1)

void sm_lanes_init(struct sm *s) {
    const struct machine_config *c = s->config;
    struct sm_lanes *l = &s->lanes;
    l->apart = c->lanes.kind != LANES_SPATIAL;
    l->groups = machine_lane_groups(c);
    l->width = c->cluster.lanes / l->groups;
    l->chaining = machine_chains(c);
    l->compaction = machine_compacts(c);
    l->packs = c->simt.mitigation == MITIGATION_SLP;
    l->by_round = machine_banks_by_round(c);
    l->by_lane = l->packs && l->by_round && c->vrf.banks;
    l->in_turn = l->apart || l->by_round;
    l->scalar_unit = machine_warp_scalar_units(c);
    lane_scheduler_init(&l->scheduler, &(struct lane_scheduler_config){s->warps, l->groups, c->lanes.bound});
    local_memory_arbiter_init(
        &l->arbiter, &(struct local_memory_arbiter_config){c->cluster.lanes, l->groups, c->local.banks});
}

void sm_lanes_launch(struct sm *s) {
    struct sm_lanes *l = &s->lanes;
    l->turn = 0;
    l->reading = 0;
    l->sfu = -1;
    l->sfu_next = 0;
    l->intervals = 0;
    l->began = l->banks_at = SM_NEVER;
    memset(l->address_collector, 0, sizeof l->address_collector);
    for (unsigned g = 0; g < l->groups; ++g) l->address_collector[g].flight = SM_NO_FLIGHT;
}

/* --- I --- */

uint64_t sm_lanes_eligible(struct sm *s, const struct sm_scheduler *q, uint64_t ready) {
    struct sm_lanes *l = &s->lanes;
    struct lane_scheduler_in *in = &l->scheduler.in;
    in->sp = ready & q->by_unit[SM_SP];
    in->sfu = ready & q->by_unit[SM_SFU];
    in->ldst = ready & q->by_unit[SM_LDST];
    in->sp_room = in->sfu_room = in->ldst_room = 0;
    for (unsigned n = 0; n < s->first_unit[SM_SCALAR]; ++n) {
        const struct sm_unit *u = &s->unit[n];
        const bool room = u->taken < u->collectors;
        uint32_t *of_kind = u->kind == SM_SP    ? &in->sp_room
                            : u->kind == SM_SFU ? &in->sfu_room
                                                : &in->ldst_room;
        *of_kind |= (uint32_t)room << u->group;
    }
    in->registers = ~l->reading & (uint32_t)(bit_of(l->groups) - 1);
    lane_scheduler_eval(&l->scheduler);
    const uint64_t beside = ready & q->by_unit[SM_SCALAR] & s->room[SM_SCALAR]; /* for scalar units */
    if (!s->twins[0]) return (uint64_t)l->scheduler.out.eligible | beside;
    const uint64_t possible = (uint64_t)l->scheduler.out.eligible; /* limit for the twin: other warps have no
                                                                    * lane group with room */
    block_twins_cycle(s->twins[0], CLUSTER_BLOCK_LANES, s->now);
    const uint64_t eligible = (uint64_t)l->scheduler.out.eligible & possible;
    sm_watch_for_livelock(
        s, &l->withheld, possible && !eligible,
        &(struct sm_refusal){"lane_scheduler", "let no warp issue", "some have a lane group with room"},
        s->now);
    return eligible | beside;
}

void sm_lanes_count_issue(struct sm *s) {
    const uint32_t waiting = s->lanes.scheduler.out.conflicts;
    if (waiting) ++s->lanes.conflicts[waiting - 1];
}

struct sm_unit *sm_lanes_unit(struct sm *s, unsigned warp, enum sm_unit_kind kind) {
    const struct lane_scheduler_in *in = &s->lanes.scheduler.in;
    const uint32_t room = kind == SM_SP ? in->sp_room : kind == SM_SFU ? in->sfu_room : in->ldst_room;
    const unsigned group =
        s->config->lanes.bound ? warp % s->lanes.groups : (unsigned)__builtin_ctz(room & in->registers);
    unsigned n = 0;
    while (s->unit[n].kind != kind || s->unit[n].group != group) ++n;
    return &s->unit[n];
}

uint64_t sm_lanes_reading(const struct sm *s) {
    uint64_t warps = 0;
    for (unsigned w = 0; s->config->lanes.bound && w < s->warps; ++w)
        if (s->lanes.reading >> w % s->lanes.groups & 1) warps |= bit_of(w);
    return warps;
}

void sm_lanes_count(struct sm *s, uint64_t cycles) {
    struct sm_lanes *l = &s->lanes;
    uint32_t warps = 0, ready = 0;
    l->warps += cycles * sm_resident_warps(s);
    for (unsigned n = 0; n < s->schedulers; ++n)
        for (uint64_t rest = s->scheduler[n].live; rest; rest &= rest - 1) {
            const unsigned w = (unsigned)__builtin_ctzll(rest) * s->schedulers + n;
            warps |= 1u << w % l->groups;
            if (!s->warp[w].loads) ready |= 1u << w % l->groups;
        }
    l->with_warp += cycles * (unsigned)__builtin_popcount(warps);
    l->with_ready_warp += cycles * (unsigned)__builtin_popcount(ready);
}

/* --- rounds in X, cycle by cycle --- */

bool sm_unit_compacts(const struct sm *s, const struct sm_unit *u) {
    return s->lanes.compaction && u->kind != SM_SCALAR && !(s->lanes.apart && u->kind == SM_SFU);
}

/* Checks that each started round is the one that was computed when the instruction issued. */
void sm_step_compactors(struct sm *s, uint64_t t) {
    for (unsigned n = 0; n < s->units; ++n) {
        struct sm_unit *u = &s->unit[n];
        struct round_compactor *r = &u->compactor;
        if (!sm_unit_compacts(s, u)) continue;
        round_compactor_eval(r);
        block_twins_cycle(u->twins, CLUSTER_BLOCK_COMPACTOR, t);
        invariant(!r->in.take || (r->out.valid && r->out.round == u->round),
                  "SM %u, unit %u: round %u instead of %u", s->index, n, u->round, r->out.round);
        round_compactor_clock(r);
        r->in.load = r->in.take = false;
    }
}

/* --- over time --- */

void sm_lanes_free(struct sm *s) {
    free(s->lanes.over_time);
}

void sm_lanes_note(struct sm *s, unsigned group, uint64_t threads) {
    struct sm_lanes *l = &s->lanes;
    if (l->began == SM_NEVER) l->began = s->now;
    const size_t n = (s->now - l->began) / l->interval;
    if (n >= l->interval_room) {
        l->interval_room = 2 * n + 64;
        l->over_time = realloc(l->over_time, l->interval_room * sizeof *l->over_time);
        require_memory(l->over_time);
    }
    for (; l->intervals <= n; ++l->intervals) memset(l->over_time[l->intervals], 0, sizeof *l->over_time);
    l->over_time[n][group] += (unsigned)__builtin_popcountll(threads);
}

/* --- rounds --- */

/* Counts instructions that execute once, the threads for which they do, and accesses to scalar registers. */
static void count_scalars(struct sm_lanes *l, const struct sm_flight *f) {
    l->scalar_reads += (unsigned)__builtin_popcountll(f->uniform.tokens);
    if (f->passed) l->scalar_writes += (unsigned)__builtin_popcountll(f->uniform.scalars);
    if (f->uniform.form != UNIFORM_SCALAR) return;
    ++l->scalar_mix[f->i->class];
    l->scalar_threads[f->i->class] += (unsigned)__builtin_popcountll(f->participating);
}

unsigned sm_packed_rounds(unsigned width, uint64_t threads) {
    unsigned most = 1;
    for (unsigned lane = 0; lane < width; ++lane) {
        unsigned own = 0;
        for (unsigned k = lane; k < ARM_MAX_POSITIONS; k += width) own += threads >> k & 1;
        if (own > most) most = own;
    }
    return most;
}

uint64_t sm_packed_threads(unsigned width, uint64_t threads, unsigned round) {
    uint64_t its = 0;
    for (unsigned lane = 0; lane < width; ++lane) {
        unsigned before = 0;
        for (unsigned k = lane; k < ARM_MAX_POSITIONS; k += width)
            if (threads >> k & 1 && before++ == round) its |= bit_of(k);
    }
    return its;
}

void sm_set_rounds(struct sm *s, struct sm_flight *f) {
    struct sm_lanes *l = &s->lanes;
    const bool scalar = f->uniform.form == UNIFORM_SCALAR;
    const unsigned beats = f->i->access_count > 1 ? f->i->access_count : 1,
                   all = scalar ? 1 : s->rounds[f->kind];
    unsigned count = 0;
    if (l->compaction) {
        f->taken = round_compactor_rounds(s->width[f->kind], sm_taking_part(s, f));
        for (uint64_t rest = f->taken; rest; rest &= rest - 1)
            f->place[count++] = (uint8_t)__builtin_ctzll(rest);
        f->in_order = 0;
    } else {
        count = l->packs ? sm_packed_rounds(s->width[f->kind], f->passed) : s->rounds[f->kind];
        for (; f->in_order < count; ++f->in_order) f->place[f->in_order] = f->in_order;
        f->taken = count < 64 ? bit_of(count) - 1 : ~UINT64_C(0);
    }
    if (scalar) { /* `place` keeps all rounds, for the results of a load that become vectors */
        f->taken &= -f->taken;
        count = 1;
    }
    if (f->scalarized && scalar && f->passed) {
        f->place[0] = (uint8_t)((unsigned)__builtin_ctzll(f->passed) / s->width[f->kind]);
        f->taken = bit_of(f->place[0]);
        f->in_order = 0;
    }
    l->scalar_instructions += scalar;
    if (f->scalarized) count_scalars(l, f);
    f->of_beat = (uint16_t)count;
    f->reads = f->rounds = (uint16_t)(count * beats);
    s->lanes.rounds += f->reads;
    s->lanes.skipped += (uint64_t)(all - count) * beats;
    if (!l->apart || f->kind != SM_SFU || scalar) return;
    const bool skips = l->compaction || l->packs;
    const unsigned threads = skips ? (unsigned)__builtin_popcountll(f->passed) : s->warp_size;
    const unsigned lanes = s->config->cluster.sfu_lanes;
    f->rounds = (uint16_t)(threads > lanes ? (threads + lanes - 1) / lanes : 1);
}

/* Returns the number of the register that holds an operand, and whether it has a word for each thread. */
static struct machine_operand operand_of(const struct sm *s, const struct sm_flight *f, unsigned d,
                                         bool writes) {
    const struct machine_scalarized *m = f->scalarized;
    const unsigned first = m->first + (writes ? m->reads : 0), count = writes ? m->writes : m->reads;
    const struct machine_operand *o = &s->launch->code->operands[first];
    for (unsigned n = 0; n < count; ++n)
        if (o[n].architectural == d) return o[n];
    return (struct machine_operand){.vector = true, .number = (uint16_t)d};
}

uint64_t sm_scalarized_bank(const struct sm *s, const struct sm_flight *f, unsigned d, unsigned round,
                            bool writes) {
    const struct machine_operand o = operand_of(s, f, d, writes);
    if (!s->banks) return 0;
    return bit_of((o.number + f->bank + (s->lanes.by_round && o.vector ? f->place[round] : 0u)) % s->banks);
}

bool sm_take_lane_banks(struct sm *s, const struct sm_flight *f, unsigned d, unsigned round, bool writes) {
    const unsigned width = s->width[f->kind];
    struct machine_operand o = {.vector = !((writes ? f->uniform.scalars : f->uniform.tokens) >> d & 1),
                                .number = (uint16_t)d};
    if (f->scalarized) o = operand_of(s, f, d, writes);
    const uint64_t threads = o.vector ? sm_packed_threads(width, f->passed, round) : 1;
    uint64_t *taken = &s->lane_banks_taken[f->lane_group * s->lanes.width];
    uint64_t bank[MACHINE_MAX_LANES] = {0};
    for (uint64_t rest = threads; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest), lane = k % width;
        bank[lane] = bit_of((o.number + f->bank + k / width) % s->banks);
        if (taken[lane] & bank[lane]) return false;
    }
    for (uint64_t rest = threads; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(rest) % width;
        taken[lane] |= bank[lane];
    }
    return true;
}

/* --- special function units --- */

/* Returns the oldest instruction whose operands have been read, or -1. */
static int oldest_read(const struct sm *s) {
    int oldest = -1;
    for (unsigned n = 0; n < s->units; ++n) {
        const struct sm_unit *u = &s->unit[n];
        for (unsigned k = 0; u->kind == SM_SFU && k < u->collected; ++k) {
            const struct sm_flight *f = &s->flight[u->collector[k]];
            if (f->o_round == f->reads && (oldest < 0 || f->age < s->flight[oldest].age))
                oldest = u->collector[k];
        }
    }
    return oldest;
}

uint64_t sm_lanes_execute_sfu(struct sm *s, uint64_t t) {
    struct sm_lanes *l = &s->lanes;
    if (l->sfu_next <= t) {
        if (l->sfu < 0) l->sfu = oldest_read(s);
        if (l->sfu >= 0) {
            struct sm_flight *f = &s->flight[l->sfu];
            l->sfu_next = t + f->occupancy;
            sm_start_round(s, &s->unit[f->unit], f, t);
            if (f->x_round == f->rounds) l->sfu = -1;
        }
    }
    for (unsigned n = 0; n < s->units; ++n)
        if (s->unit[n].kind == SM_SFU && s->unit[n].collected) return l->sfu_next > t ? l->sfu_next : t + 1;
    return SM_NEVER;
}

unsigned sm_lanes_sfu_cycle(const struct sm *s, const struct sm_flight *f, unsigned round) {
    if (f->uniform.form == UNIFORM_SCALAR || f->uniform.form == UNIFORM_REUSED) return 0;
    const unsigned end = (f->place[round] + 1u) * s->lanes.width;
    const uint64_t before = end < 64 ? bit_of(end) - 1 : ~UINT64_C(0);
    unsigned threads = s->lanes.compaction ? (unsigned)__builtin_popcountll(f->passed & before) : end;
    if (s->lanes.packs) {
        threads = 0;
        for (unsigned v = 0; v <= round; ++v)
            threads += (unsigned)__builtin_popcountll(sm_packed_threads(s->lanes.width, f->passed, v));
    }
    return threads ? (threads - 1) / s->config->cluster.sfu_lanes : 0;
}

/* --- chaining --- */

uint64_t sm_active_threads(const struct sm *s, unsigned warp, const struct arm_instruction *i) {
    uint64_t active = sm_participating(s, warp);
    if (i->condition == 14) return active;
    for (uint64_t rest = active; rest; rest &= rest - 1) {
        const uint32_t apsr = arm_get_apsr(&s->warp[warp].threads, (unsigned)__builtin_ctzll(rest));
        if (!arm_condition_holds(i->condition, apsr)) active &= ~(rest & -rest);
    }
    return active;
}

bool sm_chains(const struct sm *s, unsigned warp, const struct arm_instruction *i, uint64_t blocked) {
    if (!s->lanes.chaining || blocked & ~BANK_REGISTERS || !sm_is_vector(s, warp, i)) return false;
    const uint64_t active = sm_active_threads(s, warp, i);
    const unsigned width = s->width[sm_kind_of(s, i)];
    const bool scalar = s->scalarized && s->scalarized[i - s->launch->code->decoded].scalar;
    for (uint64_t rest = blocked; rest; rest &= rest - 1) {
        const unsigned d = (unsigned)__builtin_ctzll(rest);
        const struct sm_flight *f = &s->flight[s->warp[warp].producer[d]];
        if (f->passed != active || s->width[f->kind] != width || f->w_left[d] & 1) return false;
        if (scalar != (f->uniform.form == UNIFORM_SCALAR)) return false; /* their rounds differ */
        if (f->uniform.scalars >> d & 1) return false;                   /* one word, written last */
    }
    return true;
}

void sm_chain(const struct sm *s, struct sm_flight *f) {
    const struct sm_warp *w = &s->warp[f->warp];
    f->chained = sm_needs(f->i) & ~f->saved & sm_pending(w);
    for (uint64_t rest = f->chained; rest; rest &= rest - 1) {
        const unsigned d = (unsigned)__builtin_ctzll(rest);
        f->producer[d] = w->producer[d];
    }
    sm_follow(s, f);
}

void sm_follow(const struct sm *s, struct sm_flight *f) {
    f->follows = ~UINT64_C(0);
    for (uint64_t rest = f->chained; rest; rest &= rest - 1) {
        const unsigned d = (unsigned)__builtin_ctzll(rest);
        const uint64_t left = s->flight[f->producer[d]].w_left[d];
        f->follows &= ~left;
        if (!left) f->chained &= ~bit_of(d); /* the producer may have left in the next cycle */
    }
}
