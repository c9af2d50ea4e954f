/* Construction of an SM, launches, work-groups, and the order of steps in a cycle. */
#include "model/config/divergence_engine.h"
#include "model/config/lanes_config.h"
#include "model/config/scalar_config.h"
#include "model/divergence/re_convergence_stack_cycle.h"
#include "model/sm/scalar_units.h"
#include "model/sm/regrouped.h"
#include "model/sm/sm_ldst.h"
#include "model/sm/sm_parts.h"

#include "sim/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- construction --- */

enum { FLAG_ROWS = 7, THREAD_ROWS = 3 + FLAG_ROWS + 3 }; /* pc, next_pc, stack_top; flags; local ids */

static uint32_t words_of_warp(const struct sm *s) {
    return (ARM_REGISTERS + THREAD_ROWS) * s->warp_size;
}

static void bind_rows(struct sm *s, unsigned warp) {
    struct sm_warp *w = &s->warp[warp];
    uint32_t *row = s->rows + (size_t)warp * words_of_warp(s);
    uint32_t **rows[THREAD_ROWS] = {
        &w->threads.pc,  &w->threads.next_pc, NULL,           &w->threads.n,  &w->threads.z,
        &w->threads.c,   &w->threads.v,       &w->threads.q,  &w->threads.ge, &w->threads.fpscr,
        &w->local_id[0], &w->local_id[1],     &w->local_id[2]};
    w->scheduler = (uint8_t)(warp % s->schedulers);
    w->bit = bit_of(warp / s->schedulers);
    if (s->banks) w->bank = (uint8_t)((s->lanes.by_round ? warp / s->lanes.groups : warp) % s->banks);
    w->threads.positions = s->warp_size;
    w->threads.stack_row = ARM_REGISTERS;
    w->threads.registers = row;
    row += ARM_REGISTERS * s->warp_size;
    for (unsigned n = 0; n < THREAD_ROWS; ++n, row += s->warp_size) {
        if (rows[n])
            *rows[n] = row;
        else
            w->threads.stack_top = row;
    }
    w->threads.first_thread = (s->index * s->warps + warp) * s->warp_size;
    w->threads.cumulative_flags = s->config->arm.cumulative_flags;
    w->threads.monitor = &s->shared->monitor;
}

static void set_width(struct sm *s, enum sm_unit_kind kind, unsigned lanes) {
    s->width[kind] = lanes;
    s->rounds[kind] = (s->positions + lanes - 1) / lanes;
}

static void add_units(struct sm *s, unsigned count, enum sm_unit_kind kind, unsigned lanes) {
    const unsigned of_ldst = s->config->ldst.collectors,
                   collectors = kind == SM_LDST && of_ldst ? of_ldst : s->config->simt.collectors;
    const bool apart = s->lanes.apart && kind != SM_SCALAR; /* scalar units are beside the lane groups */
    for (unsigned n = 0; n < count; ++n)
        s->unit[s->units++] = (struct sm_unit){
            .kind = kind, .lanes = lanes, .group = apart ? (uint8_t)n : 0, .collectors = collectors};
    for (unsigned k = kind; k < SM_UNIT_KINDS; ++k) s->first_unit[k + 1] = s->units;
    set_width(s, kind, lanes);
}

/* Adds units for lane groups, whose lanes bring the operands to every kind of unit. */
static void add_all_units(struct sm *s) {
    const struct machine_config *c = s->config;
    const unsigned groups = s->lanes.groups, width = s->lanes.width;
    const bool apart = s->lanes.apart;
    add_units(s, apart ? groups : c->cluster.sp_groups, SM_SP, width);
    if (c->cluster.sfu_lanes) add_units(s, groups, SM_SFU, apart ? width : c->cluster.sfu_lanes);
    if (s->barrel)
        set_width(s, SM_LDST, width); /* a scheduler's lanes execute all kinds */
    else
        add_units(s, groups, SM_LDST, apart ? width : c->cluster.ldst_lanes);
    if (s->lanes.scalar_unit) /* executes a warp's scalar instruction in one round */
        add_units(s, machine_warp_scalar_units(c), SM_SCALAR, s->warp_size);
}

static void init_schedulers(struct sm *s) {
    for (unsigned n = 0; n < s->schedulers; ++n) {
        s->scheduler[n] = (struct sm_scheduler){.issue_cycle = SM_NEVER, .decode_at = SM_NEVER};
        warp_scheduler_init_of(&s->scheduler[n].policy, s->config,
                               (s->warps + s->schedulers - 1 - n) / s->schedulers);
        scoreboard_init(&s->scheduler[n].board, s->scheduler[n].policy.cfg.warps, SM_RESOURCES);
    }
}

static struct simt_warp warp_of(struct simt *u, unsigned warp) {
    struct sm *s = (struct sm *)u;
    struct sm_warp *w = &s->warp[warp];
    return (struct simt_warp){
        &w->threads, w->live, w->waiting, w->local_id, s->group[w->group].id, sm_check_slot(s, w->group),
        s->issued};
}

static uint64_t fault_cycles(const struct simt *u, uint64_t t) {
    const struct sm *s = (const struct sm *)u;
    (void)t; /* all cycles before t are charged */
    return s->scheduler_cycles / s->schedulers;
}

static struct simt_parts parts_of(const struct simt *u) {
    return (struct simt_parts){.load_store_units = ((const struct sm *)u)->ldst->senders};
}

static bool runs_warps(const struct simt *u) {
    (void)u;
    return true;
}

static const struct simt_kind kind = {.name = "sm",
                                      .spin = &sm_spin,
                                      .parts = parts_of,
                                      .runs_warps = runs_warps,
                                      .pc = sm_thread_pc,
                                      .warp = warp_of,
                                      .fault_cycles = fault_cycles,
                                      .identity = sm_warp_identity,
                                      .syncs = true,
                                      .report = sm_report};

void sm_init(struct sm *s, unsigned index, const struct machine_config *c, struct sm_shared *shared,
             struct cluster_port *port) {
    memset(s, 0, sizeof *s);
    s->index = index;
    s->config = c;
    s->kind = &kind;
    s->shared = shared;
    s->divergence = sm_divergence_of(c);
    s->formed = s->divergence == &sm_divergence_formed ? unit_divergence_of(c) : NULL;
    s->positions = divergence_engines[c->simt.divergence]->as_wide_as_lanes ? machine_lane_group_width(c)
                                                                            : c->simt.warp_size;
    store_log_init(&s->stores, ARM_MAX_POSITIONS);
    s->whole = s->positions == 64 ? ~UINT64_C(0) : bit_of(s->positions) - 1;
    s->warp_size = c->simt.warp_size;
    s->rows_whole = s->warp_size % s->positions == 0;
    s->regroups = divergence_engines[c->simt.divergence]->regroups;
    s->warps = c->cluster.threads / s->warp_size;
    s->schedulers = c->cluster.schedulers;
    s->groups = c->cluster.groups;
    s->banks = c->vrf.banks;
    s->barrel = c->simt.issue == ISSUE_BARREL;
    sm_lanes_init(s);
    s->row_lanes = s->barrel ? s->lanes.width : c->cluster.lanes;
    s->whole_rounds = (s->positions + s->row_lanes - 1) / s->row_lanes;
    s->stack_warps = s->warps;
    s->shares = s->barrel ? s->schedulers : c->lanes.bound ? s->lanes.groups : 1;
    init_schedulers(s);
    add_all_units(s);
    s->rows = aligned_alloc(64, ((size_t)s->warps * words_of_warp(s) * sizeof *s->rows + 63) / 64 * 64);
    s->group = calloc(s->groups, sizeof *s->group);
    s->trail = calloc(s->warps, sizeof *s->trail);
    require_memory(s->rows);
    require_memory(s->group);
    require_memory(s->trail);
    memset(s->rows, 0, (size_t)s->warps * words_of_warp(s) * sizeof *s->rows);
    for (unsigned w = 0; w < s->warps; ++w) bind_rows(s, w);
    for (unsigned w = 0; w < s->warps; ++w) warp_set_add(&s->of_share[w % s->shares], w);
    for (unsigned n = 0; n < SM_BANKS && s->banks; ++n) s->bank[n] = bit_of(n % s->banks);
    for (unsigned g = 0; g < s->groups; ++g) {
        s->group[g].local_memory = calloc(1, c->cluster.local_bytes);
        require_memory(s->group[g].local_memory);
    }
    sm_barrel_create(s);
    s->divergence->create(s);
    s->scalar = scalar_units_create(s);
    barrier_table_init(&s->barriers, s->groups, s->scalar);
    s->flight_free = SM_NO_FLIGHT;
    uniform_init(&s->uniform, c,
                 (struct uniform_registers){s->lanes.width, s->warp_size, s->rounds[SM_SP], 1}, s->warps);
    histogram_init_linear(&s->active_threads, 1, 1, s->positions);
    histogram_init_linear(&s->issue_threads, 0, 1, s->positions + 1);
    histogram_init_linear(&s->resident_warps, 0, 1, s->warps + 1);
    histogram_init_powers(&s->memory_latency, 16);
    sm_ldst_init(s, port);
}

void sm_free(struct sm *s) {
    sm_clocked_free(s);
    sm_ldst_free(s);
    sm_check_scalar_free(s);
    simt_free(&s->simt);
    free(s->idle);
    if (s->divergence->free) s->divergence->free(s);
    scalar_units_free(s);
    sm_lanes_free(s);
    sm_barrel_free(s);
    for (unsigned g = 0; g < s->groups; ++g) free(s->group[g].local_memory);
    free(s->group);
    free(s->flight);
    free(s->writing);
    free(s->finished);
    free(s->rows);
    free(s->trail);
    store_log_free(&s->stores);
}

/* --- a launch --- */

static uint32_t round_up(uint32_t n, uint32_t unit) {
    return (n + unit - 1) / unit * unit;
}

/* Checks that a work-group fits. Scalarization renumbers registers, of which there may be more than
 * architectural ones; with barrel issue, each scheduler has only its part of the registers for a whole
 * work-group. */
static void check_room(struct sm *s) {
    const struct machine_launch *l = s->launch;
    struct sm_placement place;
    if (s->config->kernel.scalarize != SCALARIZE_OFF && !s->scalarized)
        error_set(s->error, EXIT_USER,
                  "kernel '%s' is of a program image that was built without kernel.scalarize; build it again",
                  l->kernel);
    else if (s->scalarized && !sm_place(s, &place))
        error_set(
            s->error, EXIT_USER,
            "kernel '%s': a cluster has no room for the %u warps of a work-group, of %u vector registers a "
            "thread and %u scalar registers each: raise vrf.registers%s",
            l->kernel, s->group_warps, l->vectors, l->scalars,
            s->config->scalar.mode == SCALAR_GCN ? " or scalar.registers"
            : s->lanes.scalar_unit               ? " or lanes.scalar_registers"
                                                 : "");
    else if (!sm_place(s, &place))
        error_set(s->error, EXIT_USER,
                  "kernel '%s': a scheduler has no room for the %u warps of a work-group, of %u registers a "
                  "thread: it has %u words of vrf.registers %u; raise them",
                  l->kernel, s->group_warps, s->group_registers, s->registers_left[0],
                  s->config->vrf.registers);
}

static bool has_twins(const struct sm *s) {
    bool twins = false;
    for (unsigned n = 0; n < s->schedulers; ++n) twins |= s->twins[n] != NULL;
    return twins;
}

static bool is_plain(const struct sm *s) {
    const struct sm_lanes *l = &s->lanes;
    const bool twins = has_twins(s);
    return !(s->barrel || s->stepped || twins || s->scalar || s->uniform.on || l->apart || l->in_turn ||
             l->by_round || l->chaining || l->compaction || l->scalar_unit);
}

void sm_launch(struct sm *s, const struct machine_launch *l, const struct memory *memory, uint32_t stack_size,
               uint64_t t, struct error *e) {
    simt_launch(&s->simt, l, e);
    s->scalarized = s->config->kernel.scalarize == SCALARIZE_OFF ? NULL : l->code->scalarized;
    s->ended = s->charged = s->counted = t;
    s->stack_size = stack_size;
    s->group_threads = l->local_size[0] * l->local_size[1] * l->local_size[2];
    s->group_warps = (s->group_threads + s->warp_size - 1) / s->warp_size;
    s->group_registers = round_up(s->scalarized  ? l->vectors
                                  : l->registers ? l->registers
                                                 : ARM_REGISTERS,
                                  s->config->vrf.allocation_unit);
    s->group_scalars = s->scalarized ? l->scalars : 0;
    s->group_words = 0;
    for (unsigned n = 0; n < s->group_warps; ++n) s->group_words += sm_words(s, n);
    for (unsigned n = 0; n < s->shares; ++n) s->registers_left[n] = s->config->vrf.registers / s->shares;
    s->scalars_left = machine_warp_scalar_registers(s->config);
    s->local_left = s->config->local.size_bytes;
    s->groups_used = 0;
    s->crowded = false;
    s->free_warps = warp_set_all(s->stack_warps);
    s->fetch_turn = s->warps - 1;
    s->wants_fetch = s->starting = s->changed = 0;
    s->given_back = 0;
    s->used = 0;
    s->collecting_count = s->writing_count = s->finishes = s->partings = s->leavers = 0;
    s->flights = 0;
    s->writes_at = 0;
    s->renaming = SM_NO_FLIGHT;
    s->scalars_at = SM_NEVER;
    s->copies = 0;
    s->copying = 0;
    s->releasing = 0;
    s->flight_free = SM_NO_FLIGHT;
    for (unsigned n = s->flight_room; n-- > 0;) {
        s->flight[n].next = s->flight_free;
        s->flight_free = (uint16_t)n;
    }
    for (unsigned n = 0; n < s->units; ++n) {
        struct sm_unit *u = &s->unit[n];
        *u = (struct sm_unit){.kind = u->kind,
                              .lanes = u->lanes,
                              .group = u->group,
                              .collectors = u->collectors,
                              .current = -1,
                              .round_cycle = SM_NEVER,
                              .twins = u->twins,
                              .watched = u->watched};
        round_compactor_init(&u->compactor,
                             &(struct round_compactor_config){s->positions, s->width[u->kind]});
    }
    for (unsigned k = 0; k < SM_UNIT_KINDS; ++k) sm_note_room(s, k);
    init_schedulers(s);
    for (unsigned g = 0; g < s->groups; ++g) {
        s->group[g].used = false;
        memory_copy(&s->group[g].memory, memory);
        s->group[g].local = -1;
        if (!l->local_bytes) continue;
        s->group[g].local = memory_add(&s->group[g].memory, MEMORY_LOCAL, MEMORY_LOCAL_BASE, l->local_bytes,
                                       s->group[g].local_memory, true, "local memory");
        if (s->group[g].local < 0)
            error_set(e, EXIT_USER, "kernel '%s': %u memory objects are too many for a launch; release some",
                      l->kernel, memory->used);
    }
    for (unsigned w = 0; w < s->warps; ++w) {
        s->warp[w].live = s->warp[w].waiting = 0;
        s->warp[w].next.known = false;
        s->warp[w].threads.stack_size = stack_size;
    }
    sm_lanes_launch(s);
    check_room(s);
    if (s->scalars) sm_check_scalar_launch(s);
    sm_barrel_launch(s);
    if (s->divergence->launch) s->divergence->launch(s);
    sm_ldst_launch(s, memory);
    scalar_units_launch(s);
    s->plain = is_plain(s);
    s->always_ends = s->scalar || (s->formed && s->formed->end) || has_twins(s);
    s->groups_that_fit = sm_groups_that_fit(s);
    if (s->stack.cycle) re_convergence_stack_cycle_reset(s->stack.cycle);
    for (unsigned n = 0; n < s->schedulers; ++n)
        if (s->twins[n]) s->twins[n]->reset(s->twins[n]->context);
    for (unsigned n = 0; n < s->units; ++n)
        if (s->unit[n].twins) s->unit[n].twins->reset(s->unit[n].twins->context);
}

bool sm_has_room(struct sm *s) {
    struct sm_placement place;
    if (s->releasing && s->groups_used) return false;
    if (!s->scalar) {
        if (!s->crowded)
            s->crowded =
                s->groups_used == s->groups || s->local_left < s->launch->local_bytes || !sm_place(s, &place);
        return !s->crowded;
    }
    if (s->groups_used == s->groups || s->local_left < s->launch->local_bytes) return false;
    if (scalar_units_share(s)) return scalar_units_have_room(s) || sm_place(s, &place);
    return scalar_units_have_room(s) && sm_place(s, &place);
}

/* Returns whether the scalar unit runs a work-group: it runs the odd-numbered ones, and others if the SIMT
 * side is full. If the scalar units are full, the SIMT side takes an odd one. */
static bool runs_on_scalar_unit(const struct sm *s, uint64_t number) {
    struct sm_placement place;
    if (!scalar_units_share(s)) return false;
    return number & 1 ? scalar_units_have_room(s) : !sm_place(s, &place);
}

static void fill_row(uint32_t *row, unsigned count, uint32_t value) {
    for (unsigned k = 0; k < count; ++k) row[k] = value;
}

/* Starts a warp; its first thread has the linear number `first` in the work-group. */
static void start_warp(struct sm *s, unsigned warp, unsigned group, uint32_t first) {
    struct sm_warp *w = &s->warp[warp];
    struct sm_scheduler *q = sm_scheduler_of(s, warp);
    const struct machine_launch *l = s->launch;
    const uint32_t left = s->group_threads - first, count = left < s->warp_size ? left : s->warp_size;
    const uint32_t number = w->threads.first_thread;
    const uint32_t stack = (s->index * s->stack_warps + warp) * s->warp_size;
    uint32_t *stack_top = (uint32_t *)w->threads.stack_top;
    memset(w->threads.registers, 0, (size_t)words_of_warp(s) * sizeof *s->rows);
    fill_row(w->threads.registers, count, l->argument_block);
    fill_row(w->threads.z, s->warp_size, 1); /* Z is clear */
    for (unsigned k = 0; k < s->warp_size; ++k) {
        const uint32_t n = first + k;
        stack_top[k] = MEMORY_STACK_BASE + (stack + k + 1) * s->stack_size;
        w->threads.registers[13 * s->warp_size + k] = stack_top[k];
        w->local_id[0][k] = n % l->local_size[0];
        w->local_id[1][k] = n / l->local_size[0] % l->local_size[1];
        w->local_id[2][k] = n / l->local_size[0] / l->local_size[1];
        exclusive_monitor_offset(&s->shared->monitor, number + k,
                                 (s->index * s->groups + group) * machine_local_stride(s->config));
    }
    if (s->scalars) sm_check_scalar_start(s, warp);
    if (s->checks) checks_warp(s->checks, sm_check_slot(s, group), warp, &w->threads, first);
    s->trail[warp].count = 0;
    w->threads.memory = &s->group[group].memory;
    w->threads.log = s->log;
    w->group = (uint8_t)group;
    w->live = count == 64 ? ~UINT64_C(0) : bit_of(count) - 1;
    w->waiting = 0;
    simt_record(&s->simt, RECORD_START, s->now + 1, warp, w->live, l->thunk);
    w->buffered = 0;
    memset(w->pending, 0, sizeof w->pending);
    w->unread = 0;
    w->in_flight = w->loads = w->stores = 0;
    q->loading &= ~w->bit;
    sm_stores_begin(s, warp);
    sm_count_residents(s);
    q->live |= sm_scheduler_bit(s, warp);
    warp_set_add(&s->starting, warp);
    s->work_items += count;
}

static void start_warps(struct sm *s, unsigned group) {
    struct sm_group *g = &s->group[group];
    struct sm_placement place;
    invariant(sm_place(s, &place), "a work-group comes to SM %u, which has no room for it", s->index);
    s->lanes.turn = place.turn;
    g->live = s->group_threads;
    for (unsigned n = 0; n < s->group_warps; ++n) {
        const unsigned warp = place.warp[n];
        warp_set_remove(&s->free_warps, warp);
        s->warp[warp].words = sm_words(s, n);
        s->registers_left[warp % s->shares] -= s->warp[warp].words;
        s->scalars_left -= s->group_scalars;
        warp_set_add(&g->warps, warp);
        start_warp(s, warp, group, n * s->warp_size);
    }
}

void sm_take_group(struct sm *s, const struct work_group *taken, uint64_t t) {
    unsigned group = 0;
    sm_charge(s, t);
    s->now = t; /* twins of the engine's blocks see the start in this cycle */
    while (s->group[group].used) ++group;
    struct sm_group *g = &s->group[group];
    const bool alone = runs_on_scalar_unit(s, taken->number);
    g->used = true;
    g->number = taken->number;
    memcpy(g->id, taken->id, sizeof g->id);
    if (s->recorder) recorder_group(s->recorder, t + 1, group, g->id);
    g->live = 0;
    g->warps = 0;
    memset(g->local_memory, 0, s->launch->local_bytes);
    if (!alone) start_warps(s, group);
    s->work_items += alone;
    if (s->checks) checks_group(s->checks, sm_check_slot(s, group), taken->number);
    s->divergence->start(s, group);
    sm_scalars_start(s, g->warps, t);
    ++s->groups_used;
    s->local_left -= s->launch->local_bytes;
    s->barriers.in.start = true;
    s->barriers.in.start_group = group;
    s->barriers.in.start_live = g->live;
    if (alone || scalar_units_used(s)) scalar_units_start(s, group, t);
}

/* --- cycles --- */

/* Detaches twins whose time has ended and counts the cycles of the others. */
static void watch_twins(struct sm *s, uint64_t t) {
    for (unsigned n = 0; n < s->schedulers; ++n) {
        if (s->twins[n] && t >= s->twins[n]->end) s->twins[n] = NULL;
        s->watched[n] += s->twins[n] != NULL;
    }
    for (unsigned n = 0; s->stepped && n < s->units; ++n) {
        struct sm_unit *u = &s->unit[n];
        if (u->twins && t >= u->twins->end) u->twins = NULL;
        u->watched += u->twins != NULL;
    }
}

static inline __attribute__((always_inline)) uint64_t step(struct sm *s, uint64_t t, bool plain) {
    const bool scalar = !plain && s->scalar, uniform = !plain && s->uniform.on;
    const bool barrel = !plain && s->barrel, in_turn = !plain && s->lanes.in_turn && !barrel;
    const bool stepped = !plain && s->stepped;
    uint64_t next = SM_NEVER;
    if (s->groups_used && s->charged < t)
        sm_charge(s, t); /* before answers change the state that the idle
                          * cycles are charged to */
    if (sm_ldst_next(s) <= t) sm_ldst_answers(s, t);
    if (!s->groups_used) return sm_ldst_next(s);
    s->now = t;
    if (__builtin_expect(s->fault != NULL, 0)) simt_fault_step(&s->simt, t);
    if (!plain) watch_twins(s, t);
    if (uniform && s->releasing) {
        sm_scalars_release_next(s);
        next = t + 1;
    }
    sm_write(s, t);
    if (s->wants_fetch || scalar)
        sm_earlier(&next, sm_fetch(s, t)); /* before I: F and I see the
                                            * same state */
    if (scalar && !barrel) sm_earlier(&next, scalar_units_fetch(s, t));
    if (!barrel && !in_turn) sm_earlier(&next, sm_issue(s, t));
    if (uniform && !barrel && !in_turn) sm_scalars_step(s);
    if (scalar && !barrel) sm_earlier(&next, scalar_units_issue(s, t));
    sm_earlier(&next, sm_execute(s, t));
    sm_earlier(&next, s->writes_at);
    if (stepped && s->lanes.compaction) sm_step_compactors(s, t);
    if (barrel) sm_earlier(&next, sm_step_barrel(s, t)); /* behind X: O of this pipeline is in this cycle */
    if (s->error->status != EXIT_SOUND) return SM_NEVER;
    if (uniform && barrel) sm_scalars_step(s);                         /* the barrel step includes O */
    if (scalar && barrel) sm_earlier(&next, scalar_units_fetch(s, t)); /* behind the F of warps */
    if (scalar && barrel) sm_earlier(&next, scalar_units_issue(s, t));
    sm_earlier(&next, sm_collect(s, t));
    if (in_turn) sm_earlier(&next, sm_issue(s, t)); /* behind O: a register that has been read is free */
    if (!plain && s->error->status != EXIT_SOUND) return SM_NEVER;
    if (uniform && in_turn) sm_scalars_step(s);
    if (uniform) sm_scalars_step_reuse(s);
    if (!sm_ldst_rests(s)) sm_earlier(&next, sm_ldst_step(s, t));
    if (scalar) sm_earlier(&next, scalar_units_send(s, t));
    if (stepped) sm_step_misses(s, t);
    if ((!plain && s->always_ends) || sm_ends_something(s)) sm_earlier(&next, sm_end_cycle(s, t));
    sm_earlier(&next, sm_ldst_next(s));
    if (__builtin_expect(s->fault != NULL, 0)) sm_earlier(&next, simt_fault_due(&s->simt, t + 1));
    if (s->checks_places && s->error->status == EXIT_SOUND) sm_check_places(s);
    return s->error->status == EXIT_SOUND ? next : SM_NEVER;
}

uint64_t sm_step(struct sm *s, uint64_t t) {
    return s->plain ? step(s, t, true) : step(s, t, false);
}

uint64_t sm_next_answer(const struct sm *s) {
    return sm_ldst_next(s);
}

void sm_drop_answers(struct sm *s, uint64_t t) {
    sm_ldst_answers(s, t);
}

void sm_settle(struct sm *s, uint64_t t) {
    if (t > s->charged) sm_charge(s, t);
    sm_count_residents(s);
}
