#include "model/unit/regrouped.h"

#include "model/arm/coprocessor.h"
#include "model/unit/services.h"

#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

void unit_regroup(struct unit *u, unsigned width) {
    const struct cluster *c = u->cluster;
    struct unit_regrouped *r = calloc(1, sizeof *r);
    require_memory(r);
    r->width = width;
    r->home = calloc(u->flights, sizeof *r->home);
    r->wait = calloc((size_t)c->warps * c->descriptors.warp_size, sizeof *r->wait);
    require_memory(r->home);
    require_memory(r->wait);
    for (unsigned lane = 0; lane < width; ++lane)
        r->position[lane] =
            (uint8_t)(width == c->descriptors.warp_size ? lane : cluster_position(c, lane, 0));
    u->regrouped = r;
}

void unit_regroup_free(struct unit *u) {
    struct unit_regrouped *r = u->regrouped;
    free(r->home);
    free(r->wait);
    free(r);
}

/* Returns the home of the thread in a row and lane. */
static unsigned home_of(const struct unit *u, unsigned row, unsigned lane) {
    const struct cluster *c = u->cluster;
    const unsigned size = c->descriptors.warp_size;
    if (u->regrouped->width == size) return row * size + lane;
    return row / c->rounds * size + cluster_position(c, lane, row % c->rounds);
}

/* --- the begin of a stay in SIMT mode --- */

void unit_start_regrouped(struct unit *u, void (*begin)(struct unit *u, const struct regrouped_warp *w)) {
    struct cluster *c = u->cluster;
    const unsigned size = c->descriptors.warp_size, width = u->regrouped->width;
    for (unsigned n = 0; n < c->warps; ++n) tdt_settle(&c->descriptors, n);
    for (unsigned row = 0; row < c->warps * size / width; ++row) {
        struct regrouped_warp w = {.in_row = true};
        for (unsigned lane = 0; lane < width; ++lane) {
            const unsigned home = home_of(u, row, lane);
            const struct warp_descriptors *d = &c->descriptors.warp[home / size];
            w.row[lane] = (uint16_t)row;
            if (!(d->ready >> home % size & 1)) continue;
            invariant(!w.valid || w.pc == d->pc[home % size], "row %u begins at several PCs", row);
            w.pc = d->pc[home % size];
            w.valid |= UINT64_C(1) << lane;
        }
        if (w.valid) begin(u, &w);
    }
}

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

void unit_take_regrouped(struct unit *u, struct unit_flight *f, const struct regrouped_warp *w) {
    uint16_t home[MACHINE_MAX_WARP_SIZE] = {0};
    uint64_t positions = 0;
    for (uint64_t rest = w->valid; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(rest), k = u->regrouped->position[lane];
        home[k] = (uint16_t)home_of(u, w->row[lane], lane);
        positions |= UINT64_C(1) << k;
    }
    unit_take_homes(u, f, w->pc, positions, home);
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
    const bool exits = f->i->is_coprocessor && coprocessor_decode(f->i).operation == COPROCESSOR_EXIT;
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

void unit_commit_regrouped(struct unit *u, const struct regrouped_warp *w, struct regrouped_outcome *o,
                           uint64_t t) {
    const struct cluster *c = u->cluster;
    const unsigned size = c->descriptors.warp_size;
    struct arm_instruction *i = machine_code_at(c->launch->code, w->pc);
    const enum coprocessor_operation op =
        i->is_coprocessor ? coprocessor_decode(i).operation : COPROCESSOR_UNDEFINED;
    uint16_t home[REGROUPED_MAX_LANES];
    uint64_t ended = 0;
    o->meeting = machine_meeting(c->launch->code, w->pc);
    o->waits = op == COPROCESSOR_BARRIER;
    o->together = i->writes_pc || op == COPROCESSOR_EXIT ? 0 : w->pc + 4;
    for (uint64_t rest = w->valid; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(rest);
        home[lane] = (uint16_t)home_of(u, w->row[lane], lane);
        o->next[lane] = c->descriptors.warp[home[lane] / size].pc[home[lane] % size];
        if (op == COPROCESSOR_EXIT && !o->next[lane]) ended |= rest & -rest;
    }
    for (uint64_t rest = w->valid; rest;) {
        struct unit_part p = part_of(home, size, &rest);
        const struct simt_instruction n = {i, p.warp, w->pc, p.threads};
        uint64_t at = p.positions & (o->waits ? w->valid : ended), leaving = 0;
        for (; at; at &= at - 1) leaving |= UINT64_C(1) << home[__builtin_ctzll(at)] % size;
        unit_commit_part(u, &n, leaving, t);
    }
    u->committed = t;
}
