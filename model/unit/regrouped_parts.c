/* Threads of formed warps in a cluster of cores: what an SM has in model/sm/formed.c. */
#include "model/unit/regrouped_parts.h"

#include "model/arm/coprocessor.h"
#include "model/config/divergence_engine.h"
#include "model/unit/services.h"

#include "sim/error.h"

#include <stdlib.h>

/* --- S and A --- */

void unit_take_homes(struct unit *u, struct unit_flight *f, uint32_t pc, uint64_t positions,
                     const uint16_t *home) {
    const struct unit_regrouped *r = u->regrouped;
    f->pc = pc;
    f->participating = positions;
    f->since = 0;
    for (uint64_t rest = positions; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        const struct warp_wait *wait = &r->wait[home[k]];
        r->home[f - u->flight][k] = home[k];
        if (f->since && wait->since <= f->since) continue;
        f->since = wait->since;
        f->cause = (uint8_t)wait->cause;
        f->wait_pc = wait->pc;
    }
    f->warp = (uint16_t)(home[__builtin_ctzll(positions)] / u->cluster->descriptors.warp_size);
}

static void take(struct unit *u, struct unit_flight *f, const struct regrouped_warp *w) {
    uint16_t home[MACHINE_MAX_WARP_SIZE] = {0};
    uint64_t positions = 0;
    for (uint64_t rest = w->valid; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(rest), k = u->regrouped->place[lane];
        home[k] = (uint16_t)unit_home(u, w->row[lane], lane);
        positions |= UINT64_C(1) << k;
    }
    unit_take_homes(u, f, w->pc, positions, home);
}

static void take_subwarps(struct unit *u, struct unit_flight *f) {
    const struct unit_regrouped *r = u->regrouped;
    uint16_t home[MACHINE_MAX_WARP_SIZE] = {0}, at[REGROUPED_MAX_LANES];
    uint64_t positions = 0, lanes;
    bool more = true;
    for (unsigned first = 0; first < r->size && more; first += r->width) {
        more = u->rows.divergence->subwarp(u, f->formed, &lanes, at);
        for (; lanes; lanes &= lanes - 1) {
            const unsigned lane = (unsigned)__builtin_ctzll(lanes), k = r->place[first + lane];
            home[k] = at[lane];
            positions |= UINT64_C(1) << k;
        }
    }
    unit_take_homes(u, f, re_convergence_stack_pc(&u->stack, f->formed), positions, home);
}

void unit_schedule_regrouped(struct unit *u, struct unit_flight *f, uint64_t t) {
    (void)t;
    for (uint64_t rest = f->participating; rest;) {
        const struct unit_part p = unit_next_part(u, f, &rest);
        tdt_schedule(&u->cluster->descriptors.warp[p.warp], p.threads);
    }
}

/* --- parts --- */

/* Takes the part with the first of some positions, of threads with these homes, from *rest. */
static struct unit_part part_of(const uint16_t *home, unsigned size, uint64_t *rest) {
    struct unit_part p = {.warp = home[__builtin_ctzll(*rest)] / size};
    for (uint64_t at = *rest; at; at &= at - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(at);
        if (home[k] / size != p.warp) continue;
        p.threads |= UINT64_C(1) << home[k] % size;
        p.positions |= UINT64_C(1) << k;
    }
    *rest &= ~p.positions;
    return p;
}

struct unit_part unit_next_part(const struct unit *u, const struct unit_flight *f, uint64_t *rest) {
    return part_of(u->regrouped->home[f - u->flight], u->cluster->descriptors.warp_size, rest);
}

uint64_t unit_part_positions(const struct unit *u, const struct unit_flight *f, const struct unit_part *p,
                             uint64_t threads) {
    const uint16_t *home = u->regrouped->home[f - u->flight];
    const unsigned size = u->cluster->descriptors.warp_size;
    uint64_t positions = 0;
    for (uint64_t rest = p->positions; rest; rest &= rest - 1)
        if (threads >> home[__builtin_ctzll(rest)] % size & 1) positions |= rest & -rest;
    return positions;
}

uint64_t unit_part_passed(const struct unit *u, const struct unit_flight *f, const struct unit_part *p) {
    const uint16_t *home = u->regrouped->home[f - u->flight];
    uint64_t passed = 0;
    for (uint64_t rest = f->passed & p->positions; rest; rest &= rest - 1)
        passed |= UINT64_C(1) << home[__builtin_ctzll(rest)] % u->cluster->descriptors.warp_size;
    return passed;
}

unsigned unit_first_position(const struct unit *u, const struct unit_flight *f) {
    const uint16_t *home = u->regrouped->home[f - u->flight];
    return home[__builtin_ctzll(f->participating)] % u->cluster->descriptors.warp_size;
}

/* --- O and W --- */

unsigned unit_lines_of(const struct unit *u, const struct unit_flight *f, uint64_t positions) {
    const struct cluster *c = u->cluster;
    const uint16_t *home = u->regrouped->home[f - u->flight];
    const unsigned size = c->descriptors.warp_size, words = c->config->l1d.line_bytes / 4;
    unsigned most = 0;
    for (unsigned lane = 0; lane < c->lanes; ++lane) {
        unsigned line[MACHINE_MAX_WARP_SIZE], count = 0;
        for (uint64_t rest = positions & c->of_lane[lane]; rest; rest &= rest - 1) {
            const unsigned h = home[__builtin_ctzll(rest)], round = lane_map_round(c->map, h % size);
            const unsigned its = h / size * c->vtpo_lines + round / words;
            unsigned n = 0;
            while (n < count && line[n] != its) ++n;
            line[n] = its;
            count += n == count;
        }
        most = count > most ? count : most;
    }
    return most;
}

/* --- C --- */

void unit_wait_regrouped(struct unit *u, unsigned warp, uint64_t since, enum machine_cause cause,
                         uint32_t pc) {
    const struct thread_descriptor_table *d = &u->cluster->descriptors;
    for (uint64_t rest = d->warp[warp].ready; rest; rest &= rest - 1)
        u->regrouped->wait[warp * d->warp_size + (unsigned)__builtin_ctzll(rest)] =
            (struct warp_wait){since, cause, pc};
}

void unit_land_regrouped(struct unit *u, const struct unit_flight *f) {
    struct cluster *c = u->cluster;
    const bool exits = coprocessor_operation_of(f->i) == COPROCESSOR_EXIT;
    for (uint64_t rest = f->participating; rest;) {
        const struct unit_part p = unit_next_part(u, f, &rest);
        const struct simt_instruction n = {f->i, p.warp, f->pc, p.threads};
        uint64_t passed = unit_part_passed(u, f, &p);
        cluster_part(c, &n, passed);
        for (; exits && passed; passed &= passed - 1)
            c->descriptors.warp[p.warp].pc[__builtin_ctzll(passed)] = 0;
    }
}

void unit_commit_part(struct unit *u, const struct simt_instruction *n, uint64_t leaving, uint64_t t) {
    struct cluster *c = u->cluster;
    const bool memory = n->i->is_load || n->i->is_store;
    const struct warp_wait wait = {t + 1, memory ? MACHINE_CAUSE_MEMORY : MACHINE_CAUSE_LATENCY, n->pc};
    uint64_t stay = n->participating;
    bool leaves = false;
    if (leaving) stay = cluster_commit_part(c, n, leaving, &leaves, t + 1);
    if (leaves) {
        u->barriers_next = 0;
        u->left_pc = n->pc;
    }
    tdt_commit(&c->descriptors.warp[n->warp], stay);
    for (; stay; stay &= stay - 1)
        u->regrouped->wait[n->warp * c->descriptors.warp_size + (unsigned)__builtin_ctzll(stay)] = wait;
}

static void commit(struct unit *u, const struct regrouped_warp *w, const struct regrouped_outcome *o,
                   uint64_t leaving, uint64_t t) {
    const unsigned size = u->regrouped->size;
    struct arm_instruction *i = machine_code_at(u->simt->launch->code, w->pc);
    uint16_t home[REGROUPED_MAX_LANES];
    (void)o;
    for (uint64_t rest = w->valid; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(rest);
        home[lane] = (uint16_t)unit_home(u, w->row[lane], lane);
    }
    for (uint64_t rest = w->valid; rest;) {
        struct unit_part p = part_of(home, size, &rest);
        const struct simt_instruction n = {i, p.warp, w->pc, p.threads};
        uint64_t its = 0;
        for (uint64_t at = p.positions & leaving; at; at &= at - 1)
            its |= UINT64_C(1) << home[__builtin_ctzll(at)] % size;
        unit_commit_part(u, &n, its, t);
    }
    u->committed = t;
}

static uint64_t ready(const struct unit *u, unsigned warp) {
    return u->cluster->descriptors.warp[warp].ready;
}

static const uint32_t *pcs(const struct unit *u, unsigned warp) {
    return u->cluster->descriptors.warp[warp].pc;
}

static uint64_t waiting(const struct unit *u, unsigned warp) {
    return u->cluster->descriptors.warp[warp].barrier;
}

static struct re_convergence_stack *stacks(const struct unit *u) {
    return (struct re_convergence_stack *)&u->stack;
}

static void commit_large(struct unit *u, const struct regrouped_large *w, uint64_t t) {
    const struct machine_code *code = u->simt->launch->code;
    const unsigned size = u->regrouped->size;
    const uint32_t its = re_convergence_stack_pc(&u->stack, w->number);
    struct arm_instruction *i = machine_code_at(code, its);
    const enum coprocessor_operation op = coprocessor_operation_of(i);
    const re_convergence_mask leaving = op == COPROCESSOR_EXIT || op == COPROCESSOR_BARRIER ? w->passed : 0;
    uint64_t threads[REGROUPED_MAX_PARTS] = {0}, gone[REGROUPED_MAX_PARTS] = {0};
    uint32_t next[LWM_MAX_THREADS];
    for (re_convergence_mask rest = w->participating; rest; rest &= rest - 1) {
        const unsigned n = re_convergence_first(rest), home = unit_large_home(u, w, n);
        next[n] = pcs(u, home / size)[home % size];
        threads[n / size] |= UINT64_C(1) << home % size;
        gone[n / size] |= (uint64_t)(leaving >> n & 1) << home % size;
    }
    for (unsigned n = 0; n < w->parts; ++n) {
        const struct simt_instruction part = {i, w->part[n], its, threads[n]};
        if (threads[n]) unit_commit_part(u, &part, gone[n], t);
    }
    u->committed = t;
    const struct re_convergence_commit c = {.warp = w->number,
                                            .i = i,
                                            .pc = its,
                                            .meeting = machine_meeting(code, its),
                                            .participating = w->participating,
                                            .left = leaving,
                                            .exits = op == COPROCESSOR_EXIT && leaving,
                                            .barrier = unit_large_threads(u, w, waiting),
                                            .ready = unit_large_threads(u, w, ready),
                                            .next = next};
    const unsigned first = unit_large_home(u, w, re_convergence_first(w->participating));
    if (!re_convergence_stack_commit(&u->stack, &c))
        simt_diagnose(u->simt, first / size, first % size, its, RE_CONVERGENCE_STACK_FULL,
                      u->simt->config->simt.stack_calls);
}

void unit_written_regrouped(struct unit *u, struct unit_flight *f, uint64_t t) {
    const struct divergence_slot *d = u->slots->divergence;
    if (f->reported) return;
    f->reported = true;
    unit_land_regrouped(u, f);
    for (uint64_t rest = d->passed ? f->participating : 0; rest;) {
        const struct unit_part p = unit_next_part(u, f, &rest);
        d->passed(u, f->formed, p.warp, unit_part_passed(u, f, &p));
    }
    if (d->ends && !d->ends(u, f->formed)) return;
    if (!d->commits)
        d->commit_formed(u, f->formed, t);
    else if (f->formed != REGROUPED_AWAY)
        d->written(u, f->formed, t);
    else
        for (uint64_t rest = f->participating; rest; rest &= rest - 1)
            unit_accessed(u, u->regrouped->home[f - u->flight][__builtin_ctzll(rest)]);
}

/* --- the machine --- */

void unit_regroup_cluster(struct unit *u) {
    static const struct regrouped_machine machine = {take,    ready,  pcs,           commit,
                                                     waiting, stacks, take_subwarps, commit_large};
    const struct cluster *c = u->cluster;
    const unsigned size = c->descriptors.warp_size;
    const bool narrow = divergence_engines[c->config->simt.divergence]->as_wide_as_lanes;
    struct unit_regrouped r = {.machine = &machine,
                               .width = narrow ? c->lanes : size,
                               .size = size,
                               .schedulers = 1,
                               .groups = 1,
                               .whole = !narrow};
    r.rows = c->warps * size / r.width;
    r.home = calloc(u->flights, sizeof *r.home);
    r.wait = calloc((size_t)c->warps * size, sizeof *r.wait);
    require_memory(r.home);
    require_memory(r.wait);
    for (unsigned n = 0; n < size; ++n)
        r.place[n] = (uint8_t)(narrow ? cluster_position(c, n % c->lanes, n / c->lanes) : n);
    unit_regroup(u, &r);
}
