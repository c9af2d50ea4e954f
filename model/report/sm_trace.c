/*
 * The waves of an SM. The stages' work in cycle t (I, X, transactions) is shown from t's edge, the state
 * after it from the edge of t + 1.
 */
#include "model/report/shown.h"
#include "model/report/sm_trace_places.h"
#include "model/sm/scalar_units.h"
#include "model/sm/sm_ldst.h"
#include "model/sm/sm_divergence.h"
#include "model/sm/sm_parts.h"

#include "sim/error.h"

#include <stdio.h>
#include <stdlib.h>

#define WARP_STATES(X)                                                                                       \
    X(NONE, "no thread")                                                                                     \
    X(FETCH, "fetch, decode")                                                                                \
    X(READY, "ready")                                                                                        \
    X(LOAD, "awaits load")                                                                                   \
    X(SFU, "awaits SFU")                                                                                     \
    X(SP, "awaits SP")                                                                                       \
    X(OTHER, "WAR, drain")                                                                                   \
    X(PARTING, "branch in flight")                                                                           \
    X(FLIGHT, "in flight")                                                                                   \
    X(BARRIER, "barrier")

#define X(id, name) WARP_##id,
enum warp_state { WARP_STATES(X) WARP_STATE_COUNT };
#undef X
#define X(id, name) name,
static const char *const warp_state_names[] = {WARP_STATES(X)};
#undef X
static const char *const local_names[] = {"none", "served", "waits"};
static const char *const cache_names[] = {"L1I", "L1D", "constant", "none"};

struct sm_trace {
    struct trace *trace;
    const struct sm *sm;
    struct scalar_trace *scalar; /* NULL: no scalar units */
    struct shown work_groups, warps, l1d_misses, l1i_misses;
    struct scheduler_shown {
        struct shown warp, cause;
        struct shown_instruction issued;
        struct sm_trace_places *places;
    } scheduler[SM_MAX_SCHEDULERS];
    struct unit_shown {
        struct shown warp, pc, round, threads, form, skipped;
    } unit[SM_MAX_UNITS];
    struct lane_group_shown {
        struct shown reads, local;
    } lane_group[SM_MAX_LANE_GROUPS];
    struct sender_shown {
        struct shown warp, address, cache;
    } sender[SM_MAX_SCHEDULERS];
    struct warp_shown {
        struct shown state, pc, threads, depth, in_flight, work_group, tokens;
    } warp[SM_MAX_WARPS];
    struct shown_numbers numbers;
    trace_variable kernel;
    const struct machine_launch *launch; /* launch whose name is shown */
};

/* --- declaration --- */

/* Returns whether an instruction can be executed for one thread. */
static bool shows_forms(const struct sm *s) {
    return s->uniform.on || s->config->kernel.scalarize != SCALARIZE_OFF;
}

static void declare_units(struct sm_trace *v) {
    static const char *const kinds[] = {"sp", "sfu", "ldst", "scalar"};
    unsigned number[SM_UNIT_KINDS] = {0};
    for (unsigned n = 0; n < v->sm->units; ++n) {
        char name[16];
        const enum sm_unit_kind kind = v->sm->unit[n].kind;
        snprintf(name, sizeof name, "%s%u", kinds[kind], number[kind]++);
        trace_scope(v->trace, name);
        v->unit[n].warp = shown_declare_number(v->trace, "warp", &v->numbers);
        v->unit[n].pc = shown_declare(v->trace, "pc", 32, TRACE_HEX);
        v->unit[n].round = shown_declare(v->trace, "round", 8, TRACE_DECIMAL);
        v->unit[n].threads = shown_declare(v->trace, "threads", v->sm->positions, TRACE_HEX);
        if (v->sm->lanes.compaction)
            v->unit[n].skipped = shown_declare(v->trace, "skipped", v->sm->rounds[kind], TRACE_HEX);
        if (shows_forms(v->sm))
            v->unit[n].form =
                shown_declare_enum(v->trace, "form", "uniform_form", UNIFORM_FORM_COUNT, uniform_form_name);
        trace_upscope(v->trace);
    }
}

/* Declares, for each lane group, the warp whose instruction is in its register, and local memory's service of
 * its round. */
static void declare_lane_groups(struct sm_trace *v) {
    for (unsigned g = 0; v->sm->lanes.apart && g < v->sm->lanes.groups; ++g) {
        char name[24];
        snprintf(name, sizeof name, "lane_group%u", g);
        trace_scope(v->trace, name);
        v->lane_group[g].reads = shown_declare_number(v->trace, "reads", &v->numbers);
        v->lane_group[g].local = shown_declare_enum(v->trace, "local", "sm_local_round", 3, local_names);
        trace_upscope(v->trace);
    }
}

static void declare_warps(struct sm_trace *v) {
    for (unsigned w = 0; w < v->sm->warps; ++w) {
        char name[16];
        snprintf(name, sizeof name, "warp%u", w);
        trace_scope(v->trace, name);
        v->warp[w].state =
            shown_declare_enum(v->trace, "state", "sm_warp_state", WARP_STATE_COUNT, warp_state_names);
        v->warp[w].pc = shown_declare(v->trace, "pc", 32, TRACE_HEX);
        v->warp[w].threads = shown_declare(v->trace, "threads", v->sm->warp_size, TRACE_HEX);
        v->warp[w].depth = shown_declare(v->trace, "stack_depth", 8, TRACE_DECIMAL);
        v->warp[w].in_flight = shown_declare(v->trace, "in_flight", 8, TRACE_DECIMAL);
        v->warp[w].work_group = shown_declare(v->trace, "work_group", 64, TRACE_DECIMAL);
        if (v->sm->uniform.on)
            v->warp[w].tokens = shown_declare(v->trace, "tokens", TOKEN_REGISTERS, TRACE_HEX);
        trace_upscope(v->trace);
    }
}

struct sm_trace *sm_trace_create(const struct sm *s, struct trace *t) {
    struct sm_trace *v = calloc(1, sizeof *v);
    char name[24];
    require_memory(v);
    v->trace = t;
    v->sm = s;
    shown_name_numbers(&v->numbers, "warp_number", s->warps);
    snprintf(name, sizeof name, "cluster%u", s->index);
    trace_scope(t, name);
    v->kernel = trace_declare(t, "kernel", 0, TRACE_STRING);
    v->work_groups = shown_declare(v->trace, "work_groups", 8, TRACE_DECIMAL);
    v->warps = shown_declare(v->trace, "warps", 8, TRACE_DECIMAL);
    for (unsigned n = 0; n < s->schedulers; ++n) {
        snprintf(name, sizeof name, "scheduler%u", n);
        trace_scope(t, name);
        v->scheduler[n].warp = shown_declare_number(v->trace, "warp", &v->numbers);
        v->scheduler[n].issued = shown_declare_instruction(t);
        v->scheduler[n].cause =
            shown_declare_enum(v->trace, "cause", "sm_cause", MACHINE_CAUSE_COUNT, machine_cause_name);
        v->scheduler[n].places = sm_trace_places_create(s, n, t);
        trace_upscope(t);
    }
    declare_units(v);
    declare_lane_groups(v);
    for (unsigned n = 0; n < s->ldst->senders; ++n) {
        snprintf(name, sizeof name, "transactions%u", n);
        trace_scope(t, name);
        v->sender[n].warp = shown_declare_number(v->trace, "warp", &v->numbers);
        v->sender[n].address = shown_declare(v->trace, "address", 32, TRACE_HEX);
        v->sender[n].cache = shown_declare_enum(v->trace, "cache", "sm_cache", SM_CACHES + 1, cache_names);
        trace_upscope(t);
    }
    v->l1i_misses = shown_declare(v->trace, "l1i_misses", 8, TRACE_DECIMAL);
    v->l1d_misses = shown_declare(v->trace, "l1d_misses", 8, TRACE_DECIMAL);
    declare_warps(v);
    v->scalar = scalar_trace_create(s, t);
    trace_upscope(t);
    return v;
}

void sm_trace_free(struct sm_trace *v) {
    scalar_trace_free(v->scalar);
    for (unsigned n = 0; n < SM_MAX_SCHEDULERS; ++n) sm_trace_places_free(v->scheduler[n].places);
    free(v);
}

/* --- values --- */

static void show_schedulers(struct sm_trace *v, uint64_t t, sim_time at) {
    const struct sm *s = v->sm;
    for (unsigned n = 0; n < s->schedulers; ++n) {
        const struct sm_scheduler *q = &s->scheduler[n];
        struct scheduler_shown *o = &v->scheduler[n];
        const bool issues = q->issue_cycle == t;
        const bool stepped = s->now == t; /* the SM had a work-group, which may have ended in this cycle */
        show(&o->warp, at, issues ? q->issue_warp : s->warps);
        show(&o->cause, at, stepped ? q->cause : sm_idle_cause(s, n, NULL));
        if (issues) show_instruction(&o->issued, at, s->launch->code, q->issue_pc);
    }
}

static void show_units(struct sm_trace *v, uint64_t t, sim_time at) {
    const struct sm *s = v->sm;
    for (unsigned n = 0; n < s->units; ++n) {
        const struct sm_unit *u = &s->unit[n];
        const bool starts = u->round_cycle == t;
        show(&v->unit[n].warp, at, starts ? u->round_warp : s->warps);
        if (!starts) continue;
        show(&v->unit[n].pc, at, u->round_pc);
        show(&v->unit[n].round, at, u->round);
        show(&v->unit[n].threads, at, u->round_threads);
        if (!s->lanes.compaction) continue;
        const unsigned rounds = s->rounds[u->kind];
        const uint64_t all = rounds < 64 ? (UINT64_C(1) << rounds) - 1 : ~UINT64_C(0);
        show(&v->unit[n].skipped, at, all & ~u->round_taken);
        if (shows_forms(s)) show(&v->unit[n].form, at, u->round_form);
    }
    for (unsigned n = 0; n < s->ldst->senders; ++n) {
        const struct sm_sender *x = &s->ldst->sender[n];
        const bool sends = x->sent_cycle == t;
        show(&v->sender[n].cache, at, sends ? (uint64_t)x->sent_to : SM_CACHES);
        show(&v->sender[n].warp, at, sends ? x->sent_warp : s->warps);
        if (sends) show(&v->sender[n].address, at, x->sent_address);
    }
}

static void show_instruction_registers(struct sm_trace *v, sim_time at) {
    const struct sm *s = v->sm;
    unsigned warp[SM_MAX_LANE_GROUPS];
    for (unsigned g = 0; g < s->lanes.groups; ++g) warp[g] = s->warps;
    for (unsigned n = 0; n < s->collecting_count; ++n) {
        const struct sm_flight *f = &s->flight[s->collecting[n]];
        warp[f->lane_group] = f->warp;
    }
    for (unsigned g = 0; s->lanes.apart && g < s->lanes.groups; ++g)
        show(&v->lane_group[g].reads, at, warp[g]);
}

static void show_local_rounds(struct sm_trace *v, uint64_t t, sim_time at) {
    const struct sm *s = v->sm;
    for (unsigned g = 0; s->lanes.apart && g < s->lanes.groups; ++g) {
        const struct sm_address_collector *a = &s->lanes.address_collector[g];
        show(&v->lane_group[g].local, at, a->presented != t ? 0 : a->waits ? 2 : 1);
    }
}

static enum warp_state state_of(const struct sm *s, unsigned warp) {
    const struct sm_scheduler *q = &s->scheduler[warp % s->schedulers];
    const uint64_t bit = UINT64_C(1) << warp / s->schedulers;
    const struct sm_warp *w = &s->warp[warp];
    if (!w->live) return WARP_NONE;
    if (q->barrier & bit) return WARP_BARRIER;
    if (s->barrel) return s->front[warp % s->schedulers].busy & bit ? WARP_FLIGHT : WARP_READY;
    if (q->unresolved & bit) return WARP_PARTING;
    if (!(q->decoded & bit)) return WARP_FETCH;
    if (q->clear & bit) return WARP_READY;
    const uint64_t needs = sm_needs(sm_instruction(s, w->buffer_pc));
    return needs & w->pending[SM_LDST]  ? WARP_LOAD
           : needs & w->pending[SM_SFU] ? WARP_SFU
           : needs & w->pending[SM_SP]  ? WARP_SP
                                        : WARP_OTHER;
}

static void show_warps(struct sm_trace *v, sim_time at) {
    const struct sm *s = v->sm;
    for (unsigned n = 0; n < s->warps; ++n) {
        struct warp_shown *o = &v->warp[n];
        const struct sm_warp *w = &s->warp[n];
        show(&o->state, at, state_of(s, n));
        show(&o->in_flight, at, w->live ? w->in_flight : 0);
        show(&o->threads, at,
             !w->live              ? 0
             : s->divergence->runs ? s->divergence->runs(s, n)
                                   : w->live & ~w->waiting);
        if (!w->live) continue;
        show(&o->pc, at, s->divergence->where(s, n));
        show(&o->depth, at, s->stack.warp ? re_convergence_stack_depth(&s->stack, n) : 0);
        show(&o->work_group, at, s->group[w->group].number);
        if (s->uniform.on) show(&o->tokens, at, uniform_tokens_of(&s->uniform, n));
    }
}

void sm_trace_stages(struct sm_trace *v, uint64_t t, sim_time at) {
    if (v->launch != v->sm->launch) {
        v->launch = v->sm->launch;
        trace_string(v->trace, v->kernel, at, v->launch->kernel);
    }
    show_schedulers(v, t, at);
    show_units(v, t, at);
    show_local_rounds(v, t, at);
    if (v->scalar) scalar_trace_stages(v->scalar, t, at);
}

void sm_trace_end(struct sm_trace *v, bool traced, sim_time at) {
    if (traced) trace_string(v->trace, v->kernel, at, "");
    v->launch = NULL;
}

void sm_trace_registers(struct sm_trace *v, uint64_t t, sim_time at) {
    const struct sm *s = v->sm;
    show(&v->work_groups, at, s->groups_used);
    show(&v->warps, at, sm_resident_warps(s));
    show(&v->l1i_misses, at, s->ldst->cache[SM_L1I].outstanding);
    show(&v->l1d_misses, at, s->ldst->cache[SM_L1D].outstanding);
    show_instruction_registers(v, at);
    show_warps(v, at);
    if (v->scalar) scalar_trace_registers(v->scalar, t, at);
    for (unsigned n = 0; n < s->schedulers; ++n) sm_trace_places_show(v->scheduler[n].places, at);
}
