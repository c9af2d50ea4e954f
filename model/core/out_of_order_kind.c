/*
 * out_of_order: the core kind that dispatches instructions in program order into a window of `core.window`
 * entries, reorder buffer and scheduler in one, and selects them when their operands are ready
 * (superscalar.h).
 *
 * In a cycle the core commits, selects, writes a store and dispatches, in this order. Commit: up to
 * `core.commit_width` of the oldest instructions whose results are usable; their entries are free in the next
 * cycle. The branch predictor learns here. Select: up to `core.issue_width` instructions with usable operands
 * and a free unit, the oldest first. Registers are renamed without limit. A conditional instruction also
 * needs the old values of its destinations. The base that an access writes back is the result of an addition.
 * Loads wait until all older stores have been selected. The youngest older unwritten store that overlaps
 * decides: if it has all bytes of the load, it forwards them; else the load waits for its write. Other loads
 * use the L1D; misses do not block other loads while there are miss registers. Stores are written in order
 * after their commit, one access a cycle, in cycles in which no load has its address in X. Their entries of
 * the load-store queue (`core.lsq`) are free afterwards, those of loads after the commit. Dispatch: up to
 * `core.issue_width`, while window and load-store queue have room. An instruction that issues alone waits
 * until both are empty, and the next one until it has committed.
 *
 * Known inaccuracies: the registers of a multiple load are usable together. An instruction whose condition
 * fails uses its unit like an addition, and a load or store no entry of the load-store queue.
 */
#include "model/core/out_of_order.h"
#include "model/control/exclusive_monitor.h"
#include "model/core/issue_choice.h"
#include "model/core/load_search.h"
#include "model/core/superscalar_parts.h"

#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

INLINE struct window_entry *entry_of(struct window *w, uint64_t number) {
    return &w->entry[number % WINDOW_SLOTS];
}

/* --- waking --- */

/* Wakes the entry in cycle `ready_at`, in which all its operands are usable. */
INLINE void wake_at(struct window *w, const struct window_entry *e) {
    const unsigned slot = (unsigned)(e->number % WINDOW_SLOTS);
    if (e->ready_at <= w->begun) {
        slot_set_add(&w->soon[e->ready], slot);
        return;
    }
    slot_set_add(&w->waking, slot);
    if (e->ready_at < w->wake) w->wake = e->ready_at;
}

/* Makes the operand of these entries usable in cycle t. */
static void provide(struct window *w, struct slot_set *waiting, uint64_t t) {
    while (!slot_set_is_empty(waiting)) {
        struct window_entry *e = &w->entry[slot_set_take_first(waiting)];
        core_later(&e->ready_at, t);
        if (!--e->waits) wake_at(w, e);
    }
}

/* Makes the entries that wait for cycle t ready. */
static void wake(struct window *w, uint64_t t) {
    struct slot_set rest = w->waking;
    w->wake = SUPERSCALAR_NEVER;
    while (!slot_set_is_empty(&rest)) {
        const unsigned slot = slot_set_take_first(&rest);
        const uint64_t at = w->entry[slot].ready_at;
        if (at > t) {
            if (at < w->wake) w->wake = at;
            continue;
        }
        slot_set_take(&w->waking, slot);
        slot_set_add(&w->ready[w->entry[slot].ready], slot);
    }
}

/* Makes the result of the entry usable in cycle `done`. */
static void finish(struct core *c, struct window_entry *e, uint64_t done) {
    e->done = done;
    provide(c->superscalar->window, &e->wait_for_result, done);
    if (e->wrong) c->superscalar->front.next = done;
}

/* --- commit --- */

static void commit_branch(struct core *c, const struct window_entry *e) {
    struct superscalar *s = c->superscalar;
    const bool conditional = e->i->condition != 14;
    branch_tables_learn(&s->front.predictor, e->pc, conditional, e->passed, e->target);
}

static void commit(struct core *c, uint64_t t) {
    struct window *w = c->superscalar->window;
    w->committed = 0;
    for (; w->committed < c->config->core.commit_width && w->first < w->end; ++w->first, ++w->committed) {
        const struct window_entry *e = entry_of(w, w->first);
        if (!e->selected || e->done > t) return;
        if (e->i->writes_pc) commit_branch(c, e);
        if (e->accesses && e->i->is_store) ++w->committed_stores;
        if (e->accesses && e->i->is_load) ++w->released;
        if (w->alone == w->first) w->alone = 0;
    }
}

/* --- loads and stores --- */

/* Returns the youngest unwritten store that is older than the load and overlaps it; NULL if there is none. */
static const struct window_store *overlapping(const struct window *w, const struct window_entry *e) {
    for (unsigned n = w->stores; n--;) {
        const struct window_store *s = &w->store[(w->first_store + n) % CORE_MAX_LSQ];
        if (s->number > e->number) continue;
        if (s->address <= e->address + e->bytes - 1 && e->address <= s->address + s->bytes - 1) return s;
    }
    return NULL;
}

static bool covers(const struct window_store *s, const struct window_entry *e) {
    return s->address <= e->address && e->address + e->bytes - 1 <= s->address + s->bytes - 1;
}

static bool crosses_line(const struct core *c, uint32_t address, unsigned bytes) {
    return (address ^ (address + bytes - 1)) >> c->l1d.tags.line_shift;
}

/* Makes the next access of a load with its address in X in cycle t. */
static void make_load(struct core *c, struct window_entry *e, uint64_t t) {
    struct superscalar *s = c->superscalar;
    const struct arm_instruction *i = e->i;
    const unsigned bytes = e->bytes / i->access_count;
    uint64_t result;
    if (c->caches_data) {
        const uint32_t address = core_physical(c, e->address + e->accesses_made * bytes);
        const struct access_time a = core_access_once(c, i, address, bytes, t);
        s->load_store = t + c->config->core.occupancy_cycles[i->class] + crosses_line(c, address, bytes);
        e->missed |= a.blocked > 0;
        result = a.result;
    } else {
        result = s->load_store = t + core_access_l2(c, i, core_physical(c, e->address), t);
        e->accesses_made = i->access_count - 1;
        e->missed = true;
    }
    s->window->loads = true;
    core_later(&e->ready_at, result);
    s->window->multiple = ++e->accesses_made < i->access_count ? e->number : 0;
    if (!s->window->multiple) finish(c, e, e->ready_at);
}

/* Takes the load's data from an older store. */
static void forward(struct core *c, struct window_entry *e, uint64_t t) {
    struct superscalar *s = c->superscalar;
    const unsigned more = e->i->access_count - 1;
    s->load_store = t + c->config->core.occupancy_cycles[e->i->class] + more;
    ++s->window->loads_forwarded;
    finish(c, e, t + c->config->core.latency_cycles[e->i->class] + more);
}

/* Puts the selection of the entry off until cycle t. */
static void put_off(struct window *w, struct window_entry *e, uint64_t t) {
    slot_set_take(&w->ready[e->ready], (unsigned)(e->number % WINDOW_SLOTS));
    e->ready_at = t;
    wake_at(w, e);
    w->acted = true;
}

/* Returns whether a load needs a miss register and none is free; the load is then put off. */
static bool is_refused(struct core *c, struct window_entry *e, uint64_t t) {
    const uint32_t address = core_physical(c, e->address);
    const unsigned bytes = e->bytes / e->i->access_count, before = 1 + c->l1d.latency_cycles;
    if (!c->caches_data || cache_peek(&c->l1d.tags, address)) return false;
    const uint64_t from = private_l2_refuses(&c->l2, address, bytes, false, t + before);
    if (!from) return false;
    ++c->superscalar->window->loads_refused;
    put_off(c->superscalar->window, e, from > t + before ? from - before : t + 1);
    return true;
}

/* Returns the store that forwards the data of a load; NULL without one. *wait: the load waits for a store. */
static const struct window_store *search(struct core *c, const struct window_entry *e, bool *wait) {
    const struct window *w = c->superscalar->window;
    if (__builtin_expect(w->queue.requests.twins != NULL, 0)) return load_search_ask(c, e, wait);
    const struct window_store *store = overlapping(w, e);
    *wait = store && !covers(store, e);
    return store;
}

/* Returns whether the access has been selected in cycle t. */
static bool select_access(struct core *c, struct window_entry *e, uint64_t t) {
    struct superscalar *s = c->superscalar;
    struct window *w = s->window;
    const struct arm_instruction *i = e->i;
    const struct window_store *store = NULL;
    if (i->is_load) {
        bool wait;
        store = search(c, e, &wait);
        if (wait) return ++w->loads_partial, false;
    }
    if (s->load_store > t) return w->waits_for_unit = true, false;
    if (!e->translated) {
        e->translated = true;
        const uint64_t there = core_translate(c, &c->dtlb, e->address, t);
        if (there > t) {
            s->load_store = t + 1;
            put_off(w, e, there);
            return false;
        }
    }
    if (i->is_load && !store && is_refused(c, e, t)) return false;
    if (i->write_back) {
        e->base = t + c->config->core.latency_cycles[ARM_CLASS_ALU];
        provide(w, &e->wait_for_base, e->base);
    }
    e->selected = t;
    if (store) {
        forward(c, e, t);
    } else if (i->is_load) {
        e->ready_at = t;
        make_load(c, e, t);
    } else {
        const unsigned more = i->access_count - 1;
        s->load_store = t + (uint64_t)c->config->core.occupancy_cycles[i->class] * i->access_count;
        slot_set_take(&w->unaddressed, (unsigned)(e->number % WINDOW_SLOTS));
        finish(c, e, t + c->config->core.latency_cycles[i->class] + more);
    }
    return true;
}

/* Writes a store that has committed, if the L1D is free. */
static void write_store(struct core *c, uint64_t t) {
    struct window *w = c->superscalar->window;
    if (!w->committed_stores || w->loads || w->write_next > t) return;
    struct window_store *s = &w->store[w->first_store];
    const unsigned bytes = s->bytes / s->i->access_count;
    w->acted = true;
    if (c->caches_data) {
        const uint32_t address = core_physical(c, s->address + s->written * bytes);
        w->write_next = core_access_once(c, s->i, address, bytes, t).next;
    } else {
        core_access_l2(c, s->i, core_physical(c, s->address), t);
        w->write_next = t + s->i->access_count;
        s->written = (uint8_t)(s->i->access_count - 1);
    }
    if (++s->written < s->i->access_count) return;
    w->first_store = (w->first_store + 1) % CORE_MAX_LSQ;
    --w->stores;
    --w->committed_stores;
    ++w->released;
}

/* --- select --- */

/* Selects an instruction that makes no access in cycle t. */
INLINE void select_in_unit(struct core *c, struct window_entry *e, uint64_t *unit, uint64_t t) {
    const unsigned class = e->i->class;
    *unit = t + (e->passed ? c->config->core.occupancy_cycles[class] : 1);
    e->selected = t;
    finish(c, e, t + c->config->core.latency_cycles[e->passed ? class : ARM_CLASS_ALU]);
}

/* Returns whether an instruction that makes no access has been selected in cycle t. */
INLINE bool select_operation(struct core *c, struct window_entry *e, uint64_t t) {
    uint64_t until, *unit = free_unit(c, e->i, t, &until);
    if (!unit) return c->superscalar->window->waits_for_unit = true, false;
    select_in_unit(c, e, unit, t);
    return true;
}

/* Returns whether a unit of the kind is free in cycle t. */
INLINE bool has_free_unit(const struct core *c, unsigned kind, uint64_t t) {
    const struct superscalar *s = c->superscalar;
    if (kind >= READY_LOAD) return s->load_store <= t;
    const uint64_t *unit = kind == READY_VFP ? s->vfp : s->integer;
    unsigned n = kind == READY_VFP ? c->config->core.vfp_units : c->config->core.integer_units;
    while (n--)
        if (unit[n] <= t) return true;
    return false;
}

/* Selects the oldest entries, of those for which a unit is free. */
static void select_ready(struct core *c, uint64_t t) {
    struct window *w = c->superscalar->window;
    const struct slot_set unaddressed = w->unaddressed;
    struct slot_set rest[READY_KINDS];
    uint64_t oldest[READY_KINDS]; /* UINT64_MAX: none */
    for (unsigned k = 0; k < READY_KINDS; ++k) {
        rest[k] = slot_set_by_age(&w->ready[k], w->first);
        oldest[k] = slot_set_is_empty(&rest[k]) ? UINT64_MAX : slot_set_take_first(&rest[k]);
    }
    while (w->selected < c->config->core.issue_width) {
        unsigned k = READY_INTEGER;
        for (unsigned other = READY_VFP; other < READY_KINDS; ++other)
            if (oldest[other] < oldest[k]) k = other;
        if (oldest[k] == UINT64_MAX) return;
        if (!has_free_unit(c, k, t)) {
            w->waits_for_unit = true;
            oldest[k] = UINT64_MAX;
            continue;
        }
        struct window_entry *e = entry_of(w, w->first + oldest[k]);
        if (k == READY_LOAD && window_follows(w, e, &unaddressed)) { /* as do all younger loads */
            ++w->loads_held;
            oldest[k] = UINT64_MAX;
            continue;
        }
        if (e->accesses ? select_access(c, e, t) : select_operation(c, e, t)) {
            slot_set_take(&w->ready[k], (unsigned)(e->number % WINDOW_SLOTS));
            ++w->selected;
        }
        oldest[k] = slot_set_is_empty(&rest[k]) ? UINT64_MAX : slot_set_take_first(&rest[k]);
    }
    for (unsigned k = 0; k < READY_KINDS; ++k) w->waits_for_unit |= oldest[k] != UINT64_MAX;
}

/* Makes the access that the block has chosen. Returns false if it is turned away. */
static bool access_chosen(struct core *c, struct issue_choice *choice, uint64_t t) {
    struct window *w = c->superscalar->window;
    uint64_t *unit;
    for (unsigned n = 0; n < w->block.cfg.issue_width; ++n) {
        struct window_entry *e = issue_choice_entry(choice, c, n, &unit, t);
        if (!e || !e->accesses) continue;
        if (select_access(c, e, t)) {
            slot_set_take(&w->ready[e->ready], (unsigned)(e->number % WINDOW_SLOTS));
            ++w->selected;
            continue;
        }
        issue_choice_turn_away(choice, c, e, t);
        return false;
    }
    return true;
}

/* Selects the entries that the block chooses. */
static void select_chosen(struct core *c, uint64_t t) {
    struct window *w = c->superscalar->window;
    struct issue_choice choice;
    uint64_t *unit;
    if (!issue_choice_begin(&choice, c, t)) return;
    do issue_choice_ask(&choice, c, t);
    while (!access_chosen(c, &choice, t));
    for (unsigned n = 0; n < w->block.cfg.issue_width; ++n) {
        struct window_entry *e = issue_choice_entry(&choice, c, n, &unit, t);
        if (!e || e->accesses) continue;
        select_in_unit(c, e, unit, t);
        slot_set_take(&w->ready[e->ready], (unsigned)(e->number % WINDOW_SLOTS));
        ++w->selected;
    }
    issue_choice_end(&choice, c, t);
}

/* Does the core's work of cycle t before the dispatch. */
static void begin_cycle(struct core *c, uint64_t t) {
    struct superscalar *s = c->superscalar;
    struct window *w = s->window;
    w->begun = t + 1;
    w->queued -= w->released;
    w->released = w->selected = 0;
    w->loads = w->waits_for_unit = w->acted = false;
    commit(c, t);
    for (unsigned k = 0; k < READY_KINDS; ++k) {
        w->ready[k].word[0] |= w->soon[k].word[0];
        w->ready[k].word[1] |= w->soon[k].word[1];
        w->soon[k] = (struct slot_set){0};
    }
    if (t >= w->wake) wake(w, t);
    if (w->multiple && s->load_store <= t) make_load(c, entry_of(w, w->multiple), t);
    if (__builtin_expect(w->block.requests.twins != NULL, 0))
        select_chosen(c, t);
    else
        select_ready(c, t);
    write_store(c, t);
    c->account[MACHINE_CAUSE_ISSUE] += w->selected > 0;
}

/* --- dispatch --- */

/* Makes the entry wait for the result of instruction `producer`. */
INLINE void need(struct window *w, struct window_entry *e, uint64_t producer) {
    const uint64_t number = producer / 2;
    if (number < w->first) return; /* no producer, or one that has committed */
    struct window_entry *p = entry_of(w, number);
    const bool base = producer & 1;
    const uint64_t at = base ? p->base : p->done;
    struct slot_set *waiting = base ? &p->wait_for_base : &p->wait_for_result;
    const unsigned slot = (unsigned)(e->number % WINDOW_SLOTS);
    if (at != SUPERSCALAR_NEVER) {
        core_later(&e->ready_at, at);
    } else if (!slot_set_has(waiting, slot)) {
        slot_set_add(waiting, slot);
        ++e->waits;
    }
}

static void need_rows(struct window *w, struct window_entry *e, uint64_t rows) {
    for (; rows; rows &= rows - 1) need(w, e, w->producer[__builtin_ctzll(rows)]);
}

INLINE void rename_sources(struct window *w, struct window_entry *e) {
    const struct arm_instruction *i = e->i;
    if (__builtin_expect(i->lists_all, 1)) {
        for (unsigned n = 0; n < sizeof i->waits_for; ++n) need(w, e, w->producer[i->waits_for[n]]);
    } else {
        need_rows(w, e, i->sources);
        if (i->condition != 14) need(w, e, w->producer[ARM_RESOURCE_NZCV]);
        if (i->reads_fpscr) need(w, e, w->producer[ARM_RESOURCE_FPSCR]);
    }
    if (reads_carry(i)) need(w, e, w->producer[ARM_RESOURCE_NZCV]);
    if (reads_other(i)) need(w, e, w->producer[ARM_RESOURCES]);
    if (i->condition == 14) return;
    need_rows(w, e, i->destinations);
    if (i->sets_flags) need(w, e, w->producer[ARM_RESOURCE_NZCV]);
    if (i->writes_fpscr) need(w, e, w->producer[ARM_RESOURCE_FPSCR]);
}

INLINE void rename_results(struct window *w, const struct window_entry *e) {
    const struct arm_instruction *i = e->i;
    const uint64_t producer = 2 * e->number;
    if (__builtin_expect(i->lists_all, 1)) {
        for (unsigned n = 0; n < sizeof i->results_in; ++n) w->producer[i->results_in[n]] = producer;
    } else {
        for (uint64_t rest = i->destinations; rest; rest &= rest - 1)
            w->producer[__builtin_ctzll(rest)] = producer;
        if (i->sets_flags) w->producer[ARM_RESOURCE_NZCV] = producer;
        if (i->writes_fpscr) w->producer[ARM_RESOURCE_FPSCR] = producer;
    }
    if (i->write_back && e->accesses) w->producer[i->rn] = producer + 1;
    if (writes_other(i)) w->producer[ARM_RESOURCES] = producer;
}

static void queue_access(struct core *c, struct window_entry *e, uint32_t address) {
    struct window *w = c->superscalar->window;
    e->accesses = true;
    e->address = address;
    e->bytes = e->i->access_bytes;
    ++w->queued;
    c->memory_instructions += c->in_kernel;
    if (!e->i->is_store) return;
    slot_set_add(&w->unaddressed, (unsigned)(e->number % WINDOW_SLOTS));
    w->store[(w->first_store + w->stores++) % CORE_MAX_LSQ] =
        (struct window_store){e->number, e->i, address, e->bytes, 0};
}

static void count_branch(struct superscalar *s, const struct window_entry *e, bool wrong) {
    const struct branch_prediction p =
        branch_tables_predict(&s->front.predictor, e->pc, e->i->condition != 14);
    ++s->branches;
    s->taken += e->passed;
    s->btb_hits += p.hit;
    s->wrong += wrong;
    s->wrong_target += wrong && e->passed && p.taken;
}

/* Returns the resource that the instruction needs: none for a load or store without an access. */
INLINE enum ready_kind ready_kind(const struct arm_instruction *i, bool passed) {
    switch (unit_of(i->class)) {
    case UNIT_INTEGER: return READY_INTEGER;
    case UNIT_VFP: return READY_VFP;
    default: return i->is_load && passed ? READY_LOAD : READY_STORE;
    }
}

/* Puts an instruction that has executed in cycle t into the window. */
INLINE void enter(struct core *c, const struct arm_instruction *i, const struct arm_execution *x,
                  uint64_t t) {
    struct superscalar *s = c->superscalar;
    struct window *w = s->window;
    struct window_entry *e = entry_of(w, w->end);
    *e = (struct window_entry){.number = w->end++,
                               .i = i,
                               .ready_at = t + 1,
                               .base = SUPERSCALAR_NEVER,
                               .done = SUPERSCALAR_NEVER,
                               .pc = c->pc,
                               .passed = x->passed,
                               .ready = ready_kind(i, x->passed),
                               .in_kernel = c->in_kernel};
    c->pc = e->target = i->writes_pc && x->passed ? c->next_pc : c->pc + 4;
    if (i->access_count && x->passed) queue_access(c, e, x->address[0]);
    rename_sources(w, e);
    rename_results(w, e);
    if (!e->waits) wake_at(w, e);
    if (issues_alone(i)) w->alone = e->number;
    front_end_take(&s->front);
    if (!i->writes_pc) return;
    e->wrong = front_end_predicted(&s->front) != c->pc;
    count_branch(s, e, e->wrong);
    if (e->wrong) front_end_redirect(&s->front, c->pc, SUPERSCALAR_NEVER);
}

INLINE bool stop(struct superscalar *s, enum machine_cause cause) {
    s->ended = true;
    s->cause = cause;
    return false;
}

/* Returns whether window and load-store queue have room for the instruction. */
INLINE bool has_room(struct core *c, const struct arm_instruction *i) {
    struct superscalar *s = c->superscalar;
    const struct window *w = s->window;
    const uint64_t used = w->end - w->first + w->committed;
    if (used >= c->config->core.window) return stop(s, MACHINE_CAUSE_WINDOW);
    if (w->alone || (issues_alone(i) && (used || w->queued))) return stop(s, MACHINE_CAUSE_SERIAL);
    if (i->access_count && w->queued >= c->config->core.lsq) return stop(s, MACHINE_CAUSE_LSQ);
    return true;
}

/* Dispatches the next instruction in the core's cycle; STEP_STALLED: no more are dispatched. */
INLINE enum step dispatch_one(struct core *c, const struct machine_code *code, uint64_t turn, bool inside,
                              struct arm_instruction **out, struct arm_execution *x) {
    struct superscalar *s = c->superscalar;
    const uint64_t t = c->next;
    if (s->ended) return STEP_STALLED;
    if (s->slot == c->config->core.issue_width || !front_end_ready(&s->front, t)) {
        if (!s->front.groups && s->front.next != SUPERSCALAR_NEVER && !machine_code_at(code, c->pc))
            return inside ? STEP_TURN : STEP_FAULTED;
        stop(s, s->front.cause);
        return STEP_STALLED;
    }
    struct arm_instruction *i = *out = &code->decoded[(c->pc - code->text_base) / 4];
    if (!has_room(c, i)) return STEP_STALLED;
    if (__builtin_expect(inside && i->stops, 0)) return STEP_TURN;
    if (inside && !i->is_private &&
        (!i->is_access || t >= turn || (i->is_store && c->threads.monitor && c->threads.monitor->asking)))
        return STEP_TURN;
    if (!inside && c->executes) c->executes(c, i);
    i->thread(i, &c->threads, 1, x);
    if (__builtin_expect(x->fault != ARM_FAULT_NONE, 0)) {
        if (inside) return STEP_TURN; /* core_issue() repeats it and reports */
        if (x->fault != ARM_FAULT_HELD) return STEP_FAULTED;
        stop(s, MACHINE_CAUSE_MEMORY);
        s->window->acted = true;
        return STEP_STALLED;
    }
    note_instruction(c, code, i, c->pc);
    ++s->slot;
    enter(c, i, x, t);
    return STEP_ISSUED;
}

/* --- cycles --- */

/* Returns the reason why no instruction has been selected. */
static enum machine_cause stall_cause(struct superscalar *s) {
    struct window *w = s->window;
    const enum machine_cause blocked = s->ended ? s->cause : MACHINE_CAUSE_FRONT_END;
    if (w->first == w->end) return blocked;
    if (blocked == MACHINE_CAUSE_WINDOW || blocked == MACHINE_CAUSE_LSQ) return blocked;
    const struct window_entry *e = entry_of(w, w->first);
    if (e->missed || (e->selected && e->done == SUPERSCALAR_NEVER)) return MACHINE_CAUSE_MEMORY;
    if (w->waits_for_unit) return MACHINE_CAUSE_OCCUPIED;
    return MACHINE_CAUSE_LATENCY;
}

/* Returns the next cycle after t with an event. */
static uint64_t next_cycle(const struct core *c, const struct machine_code *code, uint64_t t) {
    const struct superscalar *s = c->superscalar;
    struct window *w = s->window;
    if (s->slot || w->selected || w->committed || w->released || w->acted || w->waits_for_unit || w->multiple)
        return t + 1;
    uint64_t next = front_end_next(c, code, t);
    if (w->wake < next) next = w->wake;
    if (w->committed_stores && w->write_next < next) next = w->write_next;
    if (w->first < w->end && entry_of(w, w->first)->done < next) next = entry_of(w, w->first)->done;
    return next > t ? next : t + 1;
}

INLINE enum step finish_cycle(struct core *c, const struct machine_code *code, uint64_t turn) {
    struct superscalar *s = c->superscalar;
    struct window *w = s->window;
    const uint64_t t = c->next;
    if (front_end_may_fetch(&s->front, t) && !front_end_fetch(c, code, t, t < turn)) return STEP_TURN;
    const uint64_t next = next_cycle(c, code, t);
    w->occupancy.bucket[w->end - w->first] += next - t;
    if (__builtin_expect(w->queue.requests.twins != NULL, 0)) load_search_end(c, t);
    end_cycle(c, next, w->selected, stall_cause(s), w->queued);
    return STEP_STALLED;
}

INLINE enum step step(struct core *c, const struct machine_code *code, uint64_t turn, bool inside,
                      struct arm_instruction **out, struct arm_execution *x) {
    struct window *w = c->superscalar->window;
    core_cross(c);
    if (w->begun != c->next + 1) {
        if (c->next >= turn && w->queued) return STEP_TURN;
        begin_cycle(c, c->next);
    }
    const enum step done = dispatch_one(c, code, turn, inside, out, x);
    return done == STEP_STALLED ? finish_cycle(c, code, turn) : done;
}

static enum step finish_alone(struct core *c, const struct machine_code *code, uint64_t turn) {
    stop(c->superscalar, MACHINE_CAUSE_SERIAL);
    return finish_cycle(c, code, turn);
}

static enum core_issue issue(struct core *c, const struct machine_code *code, uint64_t t,
                             struct arm_instruction **i, struct arm_execution *x) {
    return superscalar_issue(c, code, t, i, x, step, finish_alone);
}

static void run(struct core *c, const struct machine_code *code, uint64_t turn, uint64_t horizon) {
    superscalar_run(c, code, turn, horizon, step);
}

/* Returns the PC of the oldest instruction in the window if it belongs to the running code, kernel or
 * start-up. */
static uint32_t working_pc(const struct core *c) {
    struct window *w = c->superscalar->window;
    const struct window_entry *e = entry_of(w, w->first);
    return w->first < w->end && e->in_kernel == c->in_kernel ? e->pc : c->pc;
}

/* --- building --- */

static void init(struct core *c) {
    superscalar_init(c, c->config->core.front_stages - 1);
    struct window *w = calloc(1, sizeof *w);
    require_memory(w);
    c->superscalar->window = w;
    w->first = w->end = 1;
    histogram_init_counts(&w->occupancy, 0, WINDOW_SLOTS + 1);
    issue_select_init(
        &w->block, &(struct issue_select_config){c->config->core.window, c->config->core.issue_width,
                                                 c->config->core.integer_units, c->config->core.vfp_units});
    load_store_queue_init(&w->queue, c->config->core.lsq);
}

static void start(struct core *c, uint32_t pc, uint64_t t) {
    struct window *w = c->superscalar->window;
    superscalar_start(c, pc, t);
    w->first = w->end;
    memset(w->ready, 0, sizeof w->ready);
    memset(&w->waking, 0, sizeof w->waking);
    memset(w->soon, 0, sizeof w->soon);
    memset(&w->unaddressed, 0, sizeof w->unaddressed);
    w->wake = SUPERSCALAR_NEVER;
    w->stores = w->committed_stores = w->queued = w->released = 0;
    w->write_next = w->multiple = w->alone = w->begun = 0;
    load_search_start(c);
}

static bool check(const struct machine_config *c, struct error *e) {
    if (!superscalar_check(c, e)) return false;
    return c->core.front_stages >= 2 ||
           error_set(e, EXIT_USER,
                     "core.front_stages is 1, but core.kind is out_of_order, which dispatches an "
                     "instruction a cycle before its first issue; set it to 2 at least");
}

const struct core_kind core_out_of_order = {.doc = "several a cycle, out of order",
                                            .superscalar = true,
                                            .window = true,
                                            .check = check,
                                            .init = init,
                                            .free = superscalar_free,
                                            .start = start,
                                            .issue = issue,
                                            .run = run,
                                            .working_pc = working_pc};
