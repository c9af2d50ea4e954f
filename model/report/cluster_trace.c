/*
 * The waves of a cluster. A stage's work in cycle t is shown from t's edge; the registers' new values from
 * the edge of t + 1.
 */
#include "model/cluster/cluster.h"
#include "model/core/out_of_order.h"
#include "model/report/shown.h"
#include "model/unit/services.h"
#include "model/unit/view.h"
#include "recording/wave_signals.h"

#include "sim/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WARP_STATES(X)                                                                                       \
    X(IDLE, "Idle")                                                                                          \
    X(READY, "Ready")                                                                                        \
    X(EXECUTION, "Execution")                                                                                \
    X(BARRIER, "Barrier")                                                                                    \
    X(READY_BARRIER, "Ready+Barrier")                                                                        \
    X(EXECUTION_READY, "Execution+Ready")                                                                    \
    X(EXECUTION_BARRIER, "Execution+Barrier")                                                                \
    X(ALL, "Execution+Ready+Barrier")

#define X(id, name) WARP_STATE_##id,
enum warp_state { WARP_STATES(X) WARP_STATE_COUNT };
#undef X
#define X(id, name) name,
static const char *const warp_state_name[] = {WARP_STATES(X)};
static const char *const warp_reason_name[] = {WAVE_NOWS(X)};
#undef X

#define GROUP_UNKNOWN (~0ull)
#define GROUP_NONE    (~0ull - 1)

/* A variable for a set of warps and its last value. */
struct shown_set {
    trace_variable variable;
    warp_set value;
};

struct cluster_trace {
    struct trace *trace;
    sim_time (*time)(const void *, uint64_t);
    const void *time_context;
    trace_variable kernel, work_group, instruction;
    struct shown mode, live;
    struct shown_set scheduler_ready, scheduler_grant;
    struct shown arbiter_warp, arbiter_pc, arbiter_wtid, arbiter_participating, arbiter_level;
    struct shown fetch_warp, fetch_pc, fetch_miss;
    struct shown collect_warp, collect_objects, collect_stall, collect_waiting;
    struct shown queue_count, execute_busy, execute_warp, execute_pc, execute_passed;
    struct shown in_lanes;     /* only with simt.multi_issue */
    struct shown execute_form; /* only with uniform.storage, as are the tokens of warps */
    struct shown write_waiting, barrier_waiting, barrier_pc, barrier_opens;
    struct warp_shown {
        struct shown state, reason, pc, participating, level, ready, barrier, tokens;
        bool shown; /* all values have been shown in this stay in SIMT mode */
    } warp[TDT_MAX_WARPS];
    struct core_shown {
        struct shown state, pc;
        trace_variable instruction, work_group;
        uint64_t group; /* work-group shown last, in a MIMD launch */
        struct shown issued, fetch_pc, fetch_rests, fetch_queue, lsq, window, branches, wrong;
    } core[MACHINE_MAX_LANES];
    const struct machine_launch *launch; /* launch whose name is shown */
    char **text;                         /* texts of the launch's instructions, NULL until shown */
    uint32_t text_count;
    uint64_t cycle; /* cycle shown last; first cycle of the next window */
    sim_time next;
    bool goes_on;    /* the cycle follows the previous one, in the same launch and mode */
    warp_set flying; /* warps shown between selection and commit */
    struct shown_numbers warps;
};

/* --- declaration --- */

static void declare_set(struct cluster_trace *v, struct shown_set *s, const char *name, unsigned warps) {
    s->variable = trace_declare(v->trace, name, warps, TRACE_BINARY);
    s->value = ~(warp_set)0;
}

static void declare_front_end(struct cluster_trace *v, const struct cluster *c) {
    const unsigned threads = c->config->simt.warp_size;
    trace_scope(v->trace, "warp_scheduler");
    declare_set(v, &v->scheduler_ready, "ready_i", c->warps);
    declare_set(v, &v->scheduler_grant, "grant_o", c->warps);
    trace_upscope(v->trace);
    trace_scope(v->trace, "warp_pc_arbiter");
    v->arbiter_warp = shown_declare_number(v->trace, "warp", &v->warps);
    v->arbiter_level = shown_declare(v->trace, "level_o", 4, TRACE_DECIMAL);
    v->arbiter_wtid = shown_declare(v->trace, "wtid_o", threads, TRACE_HEX);
    v->arbiter_pc = shown_declare(v->trace, "pc_o", 32, TRACE_HEX);
    v->arbiter_participating = shown_declare(v->trace, "participating_o", threads, TRACE_HEX);
    trace_upscope(v->trace);
    trace_scope(v->trace, "fetch");
    v->fetch_warp = shown_declare_number(v->trace, "warp", &v->warps);
    v->fetch_pc = shown_declare(v->trace, "pc", 32, TRACE_HEX);
    v->fetch_miss = shown_declare(v->trace, "miss", 1, TRACE_BINARY);
    trace_upscope(v->trace);
}

static void declare_dispatcher(struct cluster_trace *v, const struct cluster *c) {
    const unsigned threads = c->config->simt.warp_size;
    trace_scope(v->trace, "operand_collector");
    v->collect_warp = shown_declare_number(v->trace, "warp", &v->warps);
    v->collect_objects =
        shown_declare(v->trace, "objects_o", arm_set_bits(machine_registers(c->config)), TRACE_HEX);
    v->collect_stall = shown_declare(v->trace, "stall_o", 1, TRACE_BINARY);
    v->collect_waiting = shown_declare(v->trace, "waiting", 8, TRACE_DECIMAL);
    trace_upscope(v->trace);
    trace_scope(v->trace, "dispatcher");
    v->queue_count = shown_declare(v->trace, "queue", 8, TRACE_DECIMAL);
    v->execute_busy = shown_declare(v->trace, "busy", 1, TRACE_BINARY);
    v->execute_warp = shown_declare_number(v->trace, "warp", &v->warps);
    v->instruction = trace_declare(v->trace, "instruction", 0, TRACE_STRING);
    v->execute_pc = shown_declare(v->trace, "pc", 32, TRACE_HEX);
    v->execute_passed = shown_declare(v->trace, "passed", threads, TRACE_HEX);
    if (c->config->simt.multi_issue) v->in_lanes = shown_declare(v->trace, "in_lanes", 4, TRACE_DECIMAL);
    if (c->uniform.on)
        v->execute_form =
            shown_declare_enum(v->trace, "form", "uniform_form", UNIFORM_FORM_COUNT, uniform_form_name);
    v->write_waiting = shown_declare(v->trace, "landing", 8, TRACE_DECIMAL);
    trace_upscope(v->trace);
    trace_scope(v->trace, "barrier_table");
    v->live = shown_declare(v->trace, "live", 16, TRACE_DECIMAL);
    v->barrier_waiting = shown_declare(v->trace, "waiting", 16, TRACE_DECIMAL);
    v->barrier_pc = shown_declare(v->trace, "pc", 32, TRACE_HEX);
    v->barrier_opens = shown_declare(v->trace, "opens_o", 1, TRACE_BINARY);
    trace_upscope(v->trace);
}

static void declare_warp(struct cluster_trace *v, const struct cluster *c, unsigned w) {
    const unsigned threads = c->config->simt.warp_size;
    struct warp_shown *s = &v->warp[w];
    char name[16];
    snprintf(name, sizeof name, "warp%u", w);
    trace_scope(v->trace, name);
    s->state = shown_declare_enum(v->trace, "state", "warp_state", WARP_STATE_COUNT, warp_state_name);
    s->reason = shown_declare_enum(v->trace, "waits_for", "warp_reason", WAVE_NOW_COUNT, warp_reason_name);
    s->pc = shown_declare(v->trace, "pc", 32, TRACE_HEX);
    s->participating = shown_declare(v->trace, "participating", threads, TRACE_HEX);
    s->level = shown_declare(v->trace, "priority", 4, TRACE_DECIMAL);
    s->ready = shown_declare(v->trace, "ready", threads, TRACE_HEX);
    s->barrier = shown_declare(v->trace, "barrier", threads, TRACE_HEX);
    if (c->uniform.on) s->tokens = shown_declare(v->trace, "tokens", TOKEN_REGISTERS, TRACE_HEX);
    trace_hide(v->trace, s->ready.variable);
    trace_hide(v->trace, s->barrier.variable);
    trace_upscope(v->trace);
}

static void declare_superscalar(struct cluster_trace *v, struct core_shown *s, const struct superscalar *p) {
    s->issued = shown_declare(v->trace, "issued", 3, TRACE_DECIMAL);
    s->fetch_pc = shown_declare(v->trace, "fetch_pc", 32, TRACE_HEX);
    s->fetch_rests = shown_declare(v->trace, "fetch_rests", 1, TRACE_BINARY);
    s->fetch_queue = shown_declare(v->trace, "fetch_queue", 16, TRACE_DECIMAL);
    s->lsq = shown_declare(v->trace, "lsq", 8, TRACE_DECIMAL);
    if (p->window) s->window = shown_declare(v->trace, "window", 8, TRACE_DECIMAL);
    s->branches = shown_declare(v->trace, "branches", 64, TRACE_DECIMAL);
    s->wrong = shown_declare(v->trace, "branches_wrong", 64, TRACE_DECIMAL);
}

static void declare_core(struct cluster_trace *v, const struct core *k, unsigned i) {
    struct core_shown *s = &v->core[i];
    char name[16];
    snprintf(name, sizeof name, "core%u", i);
    trace_scope(v->trace, name);
    s->state = shown_declare_enum(v->trace, "state", "core_state", CORE_STATE_COUNT, core_state_name);
    s->pc = shown_declare(v->trace, "pc", 32, TRACE_HEX);
    s->instruction = trace_declare(v->trace, "instruction", 0, TRACE_STRING);
    s->work_group = trace_declare(v->trace, "work_group", 0, TRACE_STRING);
    s->group = GROUP_UNKNOWN;
    if (k->superscalar) declare_superscalar(v, s, k->superscalar);
    trace_upscope(v->trace);
}

struct cluster_trace *cluster_trace_create(struct cluster *c, struct trace *t,
                                           sim_time (*time)(const void *, uint64_t),
                                           const void *time_context) {
    struct cluster_trace *v = calloc(1, sizeof *v);
    require_memory(v);
    v->trace = t;
    v->time = time;
    v->time_context = time_context;
    char name[16];
    snprintf(name, sizeof name, "cluster%u", c->index);
    trace_scope(t, name);
    v->kernel = trace_declare(t, "kernel", 0, TRACE_STRING);
    v->work_group = trace_declare(t, "work_group", 0, TRACE_STRING);
    v->mode = shown_declare_enum(v->trace, "mode", "cluster_mode", CLUSTER_MODE_COUNT, cluster_mode_name);
    shown_name_numbers(&v->warps, "warp_number", c->warps);
    declare_front_end(v, c);
    declare_dispatcher(v, c);
    for (unsigned w = 0; w < c->warps; ++w) declare_warp(v, c, w);
    for (unsigned i = 0; i < c->lanes; ++i) declare_core(v, &c->core[i], i);
    trace_upscope(t);
    return v;
}

void cluster_next_window(struct cluster *c, uint64_t t) {
    while (c->trace_windows < c->trace_windows_end && c->trace_windows->last < t) ++c->trace_windows;
    const bool more = c->trace_windows < c->trace_windows_end;
    c->trace_first = more ? c->trace_windows->first : CLUSTER_NEVER;
    c->trace_last = more ? c->trace_windows->last : CLUSTER_NEVER;
}

static void forget_texts(struct cluster_trace *v) {
    for (uint32_t i = 0; i < v->text_count; ++i) free(v->text[i]);
    free(v->text);
    v->text = NULL;
    v->text_count = 0;
}

void cluster_trace_free(struct cluster_trace *t) {
    if (!t) return;
    forget_texts(t);
    free(t);
}

/* --- values --- */

static void show_set(struct cluster_trace *v, struct shown_set *s, sim_time at, warp_set warps) {
    if (s->value == warps) return;
    s->value = warps;
    trace_wide(v->trace, s->variable, at, (uint64_t[]){(uint64_t)warps, (uint64_t)(warps >> 64)});
}

static enum warp_state state_of(const struct warp_descriptors *w) {
    static const enum warp_state by_kind[8] = {WARP_STATE_IDLE,
                                               WARP_STATE_READY,
                                               WARP_STATE_BARRIER,
                                               WARP_STATE_READY_BARRIER,
                                               WARP_STATE_EXECUTION,
                                               WARP_STATE_EXECUTION_READY,
                                               WARP_STATE_EXECUTION_BARRIER,
                                               WARP_STATE_ALL};
    return by_kind[(w->ready ? 1 : 0) | (w->barrier ? 2 : 0) | (w->execution ? 4 : 0)];
}

/* In X, O or W. */
static bool waits_for_ports(const struct unit_view *v, const struct unit_view_flight *f) {
    if (f == v->execute) return v->x_stood == v->cycle;
    if (f->stage == UNIT_STAGE_LANDED) return f->writes_left && f->result < v->cycle;
    return f == v->collect && v->o_stood == v->cycle;
}

static enum wave_now reason_of_flight(const struct unit_view *v, const struct unit_view_flight *f) {
    const bool accesses = f->i && (f->i->is_load || f->i->is_store);
    if (f == v->fetch) return WAVE_NOW_FETCH;
    if (waits_for_ports(v, f)) return WAVE_NOW_TPM;
    if (f == v->execute)
        return v->x_next > v->cycle + 1 && v->x_beat == 0 && accesses && f->passed ? WAVE_NOW_MSHR
                                                                                   : WAVE_NOW_ROUNDS;
    if (f->stage == UNIT_STAGE_LANES) return WAVE_NOW_ROUNDS;
    if (f->stage != UNIT_STAGE_LANDED)
        return f->stage == UNIT_STAGE_COLLECTED ? WAVE_NOW_OPERANDS : WAVE_NOW_QUEUE;
    if (f == v->starting) return WAVE_NOW_ROUNDS;
    return accesses ? WAVE_NOW_MEMORY : WAVE_NOW_RESULT;
}

static enum wave_now reason_of(const struct cluster *c, const struct unit_view *v, unsigned warp) {
    const struct warp_descriptors *w = &c->descriptors.warp[warp];
    const struct unit_view_flight *f = v->of_warp[warp];
    if (!tdt_live(w)) return WAVE_NOW_IDLE;
    if (f && (f == v->arbitrate || f == v->decode)) return WAVE_NOW_FRONT_END;
    if (!w->execution) return unit_runs(c->unit, warp) ? WAVE_NOW_SELECTABLE : WAVE_NOW_BARRIER;
    return f ? reason_of_flight(v, f) : WAVE_NOW_QUEUE;
}

/* Shows a warp. PCs and priorities change only if a commit changes the states, too; the wait reason changes
 * with time. */
static void show_warp(struct cluster_trace *v, const struct cluster *c, const struct unit_view *view,
                      unsigned warp, sim_time at) {
    const struct warp_descriptors *w = &c->descriptors.warp[warp];
    struct warp_shown *s = &v->warp[warp];
    const enum wave_now reason = reason_of(c, view, warp);
    show(&s->reason, at, reason);
    if (c->uniform.on) show(&s->tokens, at, uniform_tokens_of(&c->uniform, warp));
    if (w->execution || reason == WAVE_NOW_FRONT_END)
        warp_set_add(&v->flying, warp);
    else
        warp_set_remove(&v->flying, warp);
    if (s->shown && w->execution == s->participating.value && w->ready == s->ready.value &&
        w->barrier == s->barrier.value)
        return;
    s->shown = true;
    const uint64_t leading = w->execution ? w->execution : w->ready ? w->ready : w->barrier;
    show(&s->state, at, state_of(w));
    show(&s->pc, at, leading ? tdt_pc(w, (unsigned)__builtin_ctzll(leading)) : 0);
    show(&s->participating, at, w->execution);
    show(&s->level, at, leading ? tdt_highest_level(&c->descriptors, warp, leading) : 0);
    show(&s->ready, at, w->ready);
    show(&s->barrier, at, w->barrier);
}

/* Shows every warp, or only warps that can have changed since the cycle before: warps in flight, and all
 * after a barrier has opened. */
static void show_warps(struct cluster_trace *v, const struct cluster *c, const struct unit_view *view,
                       bool all, sim_time at) {
    warp_set warps = all ? warp_set_all(c->warps) : v->flying | view->front_end;
    for (; warps; warps &= warps - 1) {
        const unsigned w = warp_set_first(warps);
        if (all) v->warp[w].shown = false;
        show_warp(v, c, view, w, at);
    }
}

static void show_text(struct cluster_trace *v, const struct cluster *c, uint32_t pc, trace_variable variable,
                      sim_time at) {
    const uint32_t index = (pc - c->launch->code->text_base) / 4;
    char instruction[128];
    if (index < v->text_count && v->text[index]) {
        trace_string(v->trace, variable, at, v->text[index]);
        return;
    }
    cluster_instruction_text(c, pc, instruction, sizeof instruction);
    if (index < v->text_count && pc % 4 == 0) v->text[index] = strdup(instruction);
    trace_string(v->trace, variable, at, instruction);
}

/* Returns the vTPOs whose lines O reads for an instruction, computed ahead like operand_collector. */
static uint64_t objects_read(const struct cluster *c, const struct unit_view *view,
                             const struct unit_view_flight *f) {
    const struct machine_config *config = c->config;
    const uint64_t batch = (view->cycle - view->o_since) / config->tpm.latency_cycles;
    if (view->o_stood == view->cycle || !f->i) return 0;
    return operand_collector_batch(f->i->sources, f->tokens, c->vtpo_lines,
                                   (unsigned)batch * config->tpm.read_ports, config->tpm.read_ports);
}

static void show_collector(struct cluster_trace *v, const struct cluster *c, const struct unit_view *view,
                           sim_time at) {
    const struct unit_view_flight *f = view->collect;
    const bool collecting = f && f->collected >= view->cycle;
    show(&v->collect_warp, at, collecting ? f->warp : v->warps.none);
    show(&v->collect_objects, at, collecting ? objects_read(c, view, f) : 0);
    show(&v->collect_stall, at, view->o_stood == view->cycle);
}

static void show_stages(struct cluster_trace *v, const struct cluster *c, const struct unit_view *view,
                        sim_time at) {
    show_set(v, &v->scheduler_grant, at, view->grant);
    show_collector(v, c, view, at);
    const bool busy = view->any_started && (view->execute || view->cycle < view->x_free);
    show(&v->execute_busy, at, busy);
    if (c->config->simt.multi_issue) show(&v->in_lanes, at, view->in_lanes);
    if (!busy) show(&v->execute_warp, at, v->warps.none);
    const struct unit_view_flight *f = &view->started;
    if (!busy || f->x != view->cycle) return;
    show(&v->execute_warp, at, f->warp);
    if (v->execute_pc.value != f->pc) show_text(v, c, f->pc, v->instruction, at);
    show(&v->execute_pc, at, f->pc);
    show(&v->execute_passed, at, f->passed);
    if (c->uniform.on) show(&v->execute_form, at, f->form);
}

static void show_registers(struct cluster_trace *v, const struct cluster *c, const struct unit_view *view,
                           bool all, sim_time at) {
    const struct warp_pc_arbiter_out *arbiter = &c->blocks.arbiter.out;
    const struct unit_view_flight *a = view->arbitrate, *f = view->fetch, *o = view->collect;
    show_set(v, &v->scheduler_ready, at, view->ready);
    show(&v->arbiter_warp, at, a ? a->warp : v->warps.none);
    if (view->arbitrates) {
        show(&v->arbiter_pc, at, arbiter->pc);
        show(&v->arbiter_wtid, at, arbiter->wtid);
        show(&v->arbiter_participating, at, arbiter->participating);
        show(&v->arbiter_level, at, arbiter->level);
    }
    show(&v->fetch_warp, at, f ? f->warp : v->warps.none);
    if (f) show(&v->fetch_pc, at, f->pc);
    show(&v->fetch_miss, at, f && f->fetched > view->cycle + 1);
    show(&v->queue_count, at, view->queue_count);
    const unsigned n = view->collected_count;
    show(&v->collect_waiting, at, n && o->collected > view->cycle ? n - 1 : n);
    show(&v->write_waiting, at, view->landing_count);
    show(&v->live, at, c->live);
    show(&v->barrier_waiting, at, c->barriers.q.waiting[0]);
    if (c->barriers.q.waiting[0]) show(&v->barrier_pc, at, c->barriers.q.pc[0]);
    const bool opens = c->barrier_release != CLUSTER_NEVER;
    show_warps(v, c, view, all || opens != v->barrier_opens.value, at);
    show(&v->barrier_opens, at, opens);
}

static void group_text(const uint32_t id[3], char text[48]) {
    snprintf(text, 48, "(%u, %u, %u)", id[0], id[1], id[2]);
}

/* Shows a core in a MIMD launch, which runs its own work-groups. */
static void show_core_group(struct cluster_trace *v, const struct cluster *c, const struct core *k,
                            sim_time at) {
    struct core_shown *s = &v->core[k->index];
    const uint32_t *id = k->group, *count = c->uncore->groups.count;
    const uint64_t group =
        k->has_group ? id[0] + count[0] * (id[1] + (uint64_t)count[1] * id[2]) : GROUP_NONE;
    char text[48] = "";
    if (s->group == group) return;
    s->group = group;
    if (k->has_group) group_text(id, text);
    trace_string(v->trace, s->work_group, at, text);
}

/* Shows the state after the cycle. */
static void show_superscalar(struct cluster_trace *v, struct core_shown *s, const struct core *k,
                             sim_time at) {
    const struct superscalar *p = k->superscalar;
    const struct window *w = p->window;
    show(&s->issued, at, p->last_cycle == v->cycle ? p->last_issued : 0);
    show(&s->fetch_pc, at, p->front.pc);
    show(&s->fetch_rests, at, p->front.next == SUPERSCALAR_NEVER);
    show(&s->fetch_queue, at, p->front.instructions);
    show(&s->lsq, at, w ? w->queued : superscalar_queued(p, v->cycle));
    if (w) show(&s->window, at, w->end - w->first);
    show(&s->branches, at, p->branches);
    show(&s->wrong, at, p->wrong);
}

static void show_cores(struct cluster_trace *v, const struct cluster *c, sim_time at) {
    for (unsigned i = 0; i < c->lanes; ++i) {
        const struct core *k = &c->core[i];
        struct core_shown *s = &v->core[i];
        show(&s->state, at, k->state);
        show_core_group(v, c, k, at);
        if (k->superscalar) show_superscalar(v, s, k, at);
        if (s->pc.value == k->pc) continue;
        show(&s->pc, at, k->pc);
        show_text(v, c, k->pc, s->instruction, at);
    }
}

static void show_group(struct cluster_trace *v, const struct cluster *c, sim_time at) {
    char text[48];
    group_text(c->group, text);
    trace_string(v->trace, v->work_group, at, text);
}

static bool shows_simt(const struct cluster *c) {
    return c->mode == CLUSTER_SIMT || c->trace->mode.value == CLUSTER_SIMT;
}

void cluster_trace_stages(struct cluster *c, uint64_t t) {
    struct cluster_trace *v = c->trace;
    v->goes_on = v->cycle + 1 == t && v->mode.value == c->mode && v->launch == c->launch;
    const sim_time now = v->goes_on ? v->next : v->time(v->time_context, t);
    v->cycle = t;
    v->next = v->time(v->time_context, t + 1);
    if (v->launch != c->launch) cluster_trace_launch(c, t); /* the window began in this cycle */
    if (!shows_simt(c)) return;
    struct unit_view view;
    unit_view(c, t, &view);
    show_stages(v, c, &view, now);
}

void cluster_trace_registers(struct cluster *c, uint64_t t) {
    struct cluster_trace *v = c->trace;
    const sim_time after = v->next;
    const bool simt = shows_simt(c);
    if (c->mode == CLUSTER_ENTER && v->mode.value != CLUSTER_ENTER) show_group(v, c, after);
    show(&v->mode, after, c->mode);
    if (simt) {
        struct unit_view view;
        unit_view(c, t, &view);
        show_registers(v, c, &view, !v->goes_on, after);
    }
    if (c->mode != CLUSTER_SIMT) show_cores(v, c, after);
}

/* Shows that no warp has threads: outside of SIMT mode, even if a window begins while contexts start. */
static void show_no_warps(struct cluster_trace *v, const struct cluster *c, sim_time at) {
    for (unsigned n = 0; n < c->warps; ++n) {
        struct warp_shown *s = &v->warp[n];
        struct shown *const all[] = {&s->pc, &s->participating, &s->level, &s->ready, &s->barrier};
        for (unsigned k = 0; k < sizeof all / sizeof all[0]; ++k) show(all[k], at, 0);
        show(&s->reason, at, WAVE_NOW_IDLE);
        show(&s->state, at, WARP_STATE_IDLE);
        if (c->uniform.on) show(&s->tokens, at, uniform_tokens_of(&c->uniform, n));
        s->shown = false;
    }
    v->flying = 0;
}

/* Shows that no variable has a value before the first traced launch. */
static void show_reset(struct cluster_trace *v, sim_time at) {
    struct shown *const all[] = {&v->arbiter_pc,      &v->arbiter_wtid,  &v->arbiter_participating,
                                 &v->arbiter_level,   &v->fetch_pc,      &v->fetch_miss,
                                 &v->collect_objects, &v->collect_stall, &v->collect_waiting,
                                 &v->queue_count,     &v->execute_busy,  &v->execute_pc,
                                 &v->execute_passed,  &v->write_waiting, &v->live,
                                 &v->barrier_waiting, &v->barrier_pc,    &v->barrier_opens};
    struct shown *const warps[] = {&v->arbiter_warp, &v->fetch_warp, &v->collect_warp, &v->execute_warp};
    show_set(v, &v->scheduler_ready, at, 0);
    show_set(v, &v->scheduler_grant, at, 0);
    for (unsigned n = 0; n < sizeof all / sizeof all[0]; ++n) show(all[n], at, 0);
    for (unsigned n = 0; n < sizeof warps / sizeof warps[0]; ++n) show(warps[n], at, v->warps.none);
    trace_string(v->trace, v->instruction, at, "");
    trace_string(v->trace, v->work_group, at, "");
}

void cluster_trace_launch(struct cluster *c, uint64_t t) {
    struct cluster_trace *v = c->trace;
    const sim_time at = v->time(v->time_context, t);
    struct unit_view view;
    if (v->mode.value == ~0ull) show_reset(v, at);
    forget_texts(v);
    v->text_count = c->launch->code->text_bytes / 4;
    v->text = calloc(v->text_count + 1, sizeof *v->text);
    require_memory(v->text);
    if (shows_simt(c)) {
        unit_view(c, t, &view);
        show_warps(v, c, &view, true, at);
    } else {
        show_no_warps(v, c, at);
    }
    trace_string(v->trace, v->kernel, at, c->launch->kernel);
    show(&v->mode, at, c->mode);
    show_cores(v, c, at);
    v->launch = c->launch;
}

void cluster_trace_end(struct cluster *c, uint64_t t) {
    struct cluster_trace *v = c->trace;
    trace_string(v->trace, v->kernel, v->time(v->time_context, t), "");
    v->launch = NULL;
}
