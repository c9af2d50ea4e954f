/* Construction of a unit, its stays in SIMT mode, and its turns. */
#include "model/unit/unit.h"

#include "model/unit/regrouped_parts.h"
#include "model/unit/services.h"

#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

#define VISITS_TOGETHER 1024 /* cycles visited between two checks of the interrupt flag */

/* --- life --- */

static void *create_lines(size_t bytes) {
    void *lines = aligned_alloc(64, (bytes + 63) / 64 * 64);
    require_memory(lines);
    return memset(lines, 0, bytes);
}

struct unit *unit_create_path(struct simt *s, unsigned path, unsigned flights) {
    struct unit *u = create_lines(sizeof *u);
    u->simt = s;
    u->path = path;
    u->flights = flights;
    u->flight = create_lines(flights * sizeof *u->flight);
    return u;
}

/* Returns the instance that steps a cycle without an observer. */
static unit_stage *plain_of(const struct unit *u) {
    const struct cluster *c = u->cluster;
    const struct machine_config *config = c->config;
    if (c->blocks.scheduler.cfg.policy != &scheduler_policy_round_robin || c->warps > 64 ||
        config->uniform.storage || config->simt.multi_issue || unit_has_stacks(u) || u->regrouped)
        return unit_step;
    switch (config->simt.mitigation) {
    case MITIGATION_NONE: return unit_step_plain;
    case MITIGATION_SKIP: return unit_step_plain_skip;
    case MITIGATION_SLP: return unit_step_plain_slp;
    default: return unit_step;
    }
}

/* Returns the flights of an engine that forms warps: a warp has at least one thread, and one flight. */
static unsigned most_flights(const struct cluster *c) {
    const unsigned threads = c->warps * c->descriptors.warp_size;
    return threads < TDT_MAX_WARPS ? threads : TDT_MAX_WARPS;
}

struct unit *unit_create(struct cluster *c) {
    struct slots rows, port_rows;
    unit_choose(&rows, &port_rows, c->config);
    const unsigned flights = rows.divergence->take ? most_flights(c) : cluster_flights(c);
    struct unit *u = unit_create_path(&c->simt, 0, flights);
    u->cluster = c;
    u->queue_occupancy = &c->queue_occupancy;
    u->blocks = &c->blocks;
    u->rows = rows;
    u->port_rows = port_rows;
    u->slots = &u->rows;
    u->x_flight = u->shown = UNIT_NONE;
    if (rows.divergence->take) unit_regroup_cluster(u);
    if (rows.divergence->create) rows.divergence->create(u);
    u->plain = plain_of(u);
    u->execution = create_lines(flights * sizeof *u->execution);
    if (u->slots->lanes->several) u->several = u->slots->lanes->several->create(c->config);
    if (u->slots->mitigation->mixed) u->mixed = u->slots->mitigation->mixed->create();
    if (c->config->uniform.storage) u->uniform = create_lines(flights * sizeof *u->uniform);
    return u;
}

void unit_free(struct unit *u) {
    if (!u) return;
    held_accesses_free(&u->held);
    if (u->rows.divergence && u->rows.divergence->free) u->rows.divergence->free(u);
    unit_regroup_free(u);
    for (enum cluster_block b = 0; b < CLUSTER_BLOCK_COUNT; ++b) free(u->clocked[b].model);
    free(u->flight);
    free(u->execution);
    free(u->uniform);
    free(u->several);
    free(u->mixed);
    free(u);
}

/* --- a stay in SIMT mode --- */

/* Starts the threads in an engine that forms warps. */
static void start_formed(struct unit *u) {
    for (unsigned n = 0; n < u->cluster->warps; ++n) tdt_settle(&u->cluster->descriptors, n);
    if (u->rows.divergence->start_warps)
        u->rows.divergence->start_warps(u, warp_set_all(u->cluster->warps));
    else
        unit_start_rows(u, 0, u->regrouped->rows, 0);
    if (u->rows.divergence->commits) u->ready = u->rows.divergence->moves(u, true);
}

void unit_begin(struct unit *u, uint64_t t) {
    struct cluster *c = u->cluster;
    const struct machine_config *config = c->config;
    unit_begin_flights(u);
    u->ports = !u->several && !u->regrouped && (c->exact || c->twins || u->mixed);
    if (u->mixed) u->slots->mitigation->mixed->reset(u);
    u->slots = u->ports ? &u->port_rows : &u->rows;
    u->read_ports = config->tpm.read_ports;
    u->write_ports = config->tpm.write_ports;
    u->tpm_latency = config->tpm.latency_cycles;
    u->o_free = u->x_free = t;
    u->o_lines = 0;
    u->read_port.cycle = u->write_port.cycle = UNIT_NEVER;
    u->o_stood = u->x_stood = UNIT_NEVER;
    u->x_flight = u->shown = UNIT_NONE;
    u->x_last = u->x_refused = 0;
    u->landing_count = 0;
    u->landed = UNIT_NEVER;
    held_accesses_clear(&u->held);
    if (u->several) u->slots->lanes->several->begin(u, t);
    u->committed = t;
    u->barriers_next = u->o_next = u->front_next = 0;
    u->stuck = false;
    if (u->slots->divergence->begin) u->slots->divergence->begin(u);
    if (u->regrouped) start_formed(u);
    for (unsigned w = 0; w < c->warps; ++w)
        u->slots->issue->release(u, w, t, MACHINE_CAUSE_FRONT_END, c->launch->thunk);
    if (c->uniform.on) unit_uniform_begin(u, t);
    if (c->redundancy) redundancy_start(c->redundancy, cluster_live_warps(c));
}

void unit_settle(struct unit *u, uint64_t end) {
    if (u->several) u->slots->lanes->several->settle(u, end);
}

/* Ends SIMT mode: the last thread has exited, and the lanes are free at the end of cycle t. The exit was the
 * instruction whose rounds started last. */
static uint64_t leave_simt(struct unit *u, uint64_t t) {
    struct cluster *c = u->cluster;
    unit_settle(u, t + 1);
    cluster_simt_end(c, u->flight[u->shown].pc, u->x_free, t);
    return cluster_skip_to(c, t, c->resume);
}

enum machine_cause unit_lanes_cause(const struct unit *u, uint64_t t, uint32_t *pc) {
    const struct unit_flight *f = &u->flight[u->shown];
    *pc = f->pc;
    if (unit_accesses_memory(f)) return t < u->x_refused ? MACHINE_CAUSE_MSHR : MACHINE_CAUSE_OCCUPIED;
    return (t - f->x) % unit_occupancy(u, f) ? MACHINE_CAUSE_OCCUPIED : MACHINE_CAUSE_EXECUTE;
}

/* Returns whether no pending event can make a warp ready. */
static bool is_stuck(const struct unit *u) {
    return !u->ready && u->selected == u->started && u->x_flight == UNIT_NONE && !u->landing_count &&
           u->cluster->barrier_release == UNIT_NEVER && !u->mixed_flights;
}

/* Ends cycle t, after which `next` is due; returns the next cycle, or UNIT_NEVER. */
static inline uint64_t end_cycle(struct unit *u, uint64_t t, uint64_t next) {
    struct cluster *c = u->cluster;
    if (__builtin_expect(c->error->status != EXIT_SOUND, 0)) return UNIT_NEVER;
    if (__builtin_expect(!c->live, 0)) {
        if (t + 1 >= u->x_free) return leave_simt(u, t);
        return cluster_skips(c, t) ? u->x_free - 1 : t + 1;
    }
    if (__builtin_expect(u->fetch_waits, 0)) return t;
    if (__builtin_expect(t - u->committed >= c->livelock_cycles, 0)) {
        cluster_diagnose_livelock(c, t);
        return UNIT_NEVER;
    }
    if (__builtin_expect(!u->landing_count, 0) && is_stuck(u)) {
        if (u->stuck) {
            cluster_diagnose_deadlock(c, t);
            return UNIT_NEVER;
        }
        u->stuck = true;
        return t + 1;
    }
    return next;
}

/* Steps cycle t by its blocks, or for observers. */
static uint64_t step_shown(struct unit *u, uint64_t t) {
    struct cluster *c = u->cluster;
    c->ahead = false;
    c->now = c->asks = t;
    u->shows = true;
    u->front_next = 0;
    const uint64_t next = end_cycle(u, t, (u->ports ? unit_step_ports : unit_step)(u, t));
    return next == UNIT_NEVER || c->mode != CLUSTER_SIMT || u->fetch_waits ? next : t + 1;
}

/* Returns whether cycle t accesses no state that clusters share. A fetch that misses the L1I waits for the
 * cluster's turn. */
static inline bool steps_alone(struct unit *u, uint64_t t) {
    if (t >= u->held.next) return false;
    if (u->x_flight != UNIT_NONE) return t < u->x_next || u->x_in_tpm;
    if (u->started == u->collecting || t < u->x_free) return true;
    const struct unit_flight *f = nth(u, u->started);
    return t <= f->collected || (f->i && !f->i->access_count);
}

/* Makes the fetch that has waited for the cluster's turn. */
static uint64_t fetch_in_turn(struct unit *u) {
    struct cluster *c = u->cluster;
    if (c->now >= c->until) return c->now;
    c->ahead = false;
    c->asks = c->now;
    u->slots->home->fetch(u, nth(u, u->arbitrated - 1), c->now + 1);
    u->front_next = 0;
    return c->now + 1;
}

void unit_catch_up(struct unit *u, uint64_t end) {
    if (u->decoded != u->left && nth(u, u->decoded)->left + 1 < end) unit_decode(u, end - 1);
}

uint64_t unit_simt_step(struct unit *u, uint64_t t) {
    struct cluster *c = u->cluster;
    if (u->fetch_waits) return fetch_in_turn(u);
    if (u->ports || !cluster_skips(c, t)) return step_shown(u, t);
    unit_stage *const step = c->watched || c->recorder || c->debugger ? unit_step : u->plain;
    u->shows = false;
    earlier(&c->until, c->trace_first);
    for (unsigned n = 0; n < VISITS_TOGETHER; ++n) {
        c->ahead = t >= c->until;
        if (c->ahead && (u->several || t >= c->far || !steps_alone(u, t))) break;
        c->now = c->asks = t;
        t = end_cycle(u, t, step(u, t));
        if (t == UNIT_NEVER || c->mode != CLUSTER_SIMT || u->fetch_waits) return t;
    }
    if (!c->uncore->several && t >= c->until) unit_catch_up(u, c->until);
    return cluster_skip_to(c, c->now, t);
}
