/* Construction of the scalar units of an SM, launches, start and end of scalar threads. */
#include "model/sm/scalar_parts.h"
#include "model/sm/sm_ldst.h"

#include "abi/memory_map.h"
#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

/* --- construction --- */

enum { ROWS = ARM_REGISTERS + 10 }; /* pc, next_pc, stack_top, n, z, c, v, q, ge, fpscr */

static void bind(struct sm *s, unsigned slot) {
    const struct machine_config *c = s->config;
    uint32_t *row = s->scalar->rows + slot * ROWS;
    s->scalar->thread[slot].threads = (struct arm_threads){
        .positions = 1,
        .stack_row = ARM_REGISTERS,
        .registers = row,
        .pc = row + ARM_REGISTERS,
        .next_pc = row + ARM_REGISTERS + 1,
        .stack_top = row + ARM_REGISTERS + 2,
        .n = row + ARM_REGISTERS + 3,
        .z = row + ARM_REGISTERS + 4,
        .c = row + ARM_REGISTERS + 5,
        .v = row + ARM_REGISTERS + 6,
        .q = row + ARM_REGISTERS + 7,
        .ge = row + ARM_REGISTERS + 8,
        .fpscr = row + ARM_REGISTERS + 9,
        .first_thread = c->cluster.count * c->cluster.threads + s->index * s->groups + slot,
        .cumulative_flags = c->arm.cumulative_flags,
        .monitor = &s->shared->monitor,
    };
}

struct scalar_scheduler_config scalar_unit_config(const struct sm *s, unsigned unit) {
    const struct scalar_units *u = s->scalar;
    return (struct scalar_scheduler_config){(u->threads + u->units - 1 - unit) / u->units, u->divisor};
}

struct scalar_units *scalar_units_create(struct sm *s) {
    const struct machine_config *c = s->config;
    if (c->scalar.mode != SCALAR_OWN) return NULL;
    struct scalar_units *u = calloc(1, sizeof *u);
    require_memory(u);
    s->scalar = u;
    u->units = c->scalar.units;
    u->divisor = c->scalar.clock_divisor;
    u->threads = s->groups;
    u->access_free = SM_NO_FLIGHT;
    histogram_init_linear(&u->noted, 0, 1, SCALAR_NOTED);
    u->thread = calloc(u->threads, sizeof *u->thread);
    u->rows = calloc((size_t)u->threads * ROWS, sizeof *u->rows);
    require_memory(u->thread);
    u->nothing = calloc(1, sizeof *u->nothing);
    require_memory(u->rows);
    require_memory(u->nothing);
    memory_init(u->nothing);
    for (unsigned slot = 0; slot < u->threads; ++slot) bind(s, slot);
    return u;
}

void scalar_units_free(struct sm *s) {
    struct scalar_units *u = s->scalar;
    if (!u) return;
    for (unsigned n = 0; n < u->units; ++n) free(u->unit[n].part);
    free(u->access);
    free(u->nothing);
    free(u->rows);
    free(u->thread);
    free(u);
}

/* Registers counters of accesses by SIMT threads to lines that scalar threads have loaded before. */
static void register_fetched_lines(struct sm *s, const char *scope, struct counter_registry *r) {
    struct non_blocking_cache *l1d = &s->ldst->cache[SM_L1D];
    counter_register(r, scope, "prefetches", "lines", "that loads of scalar threads fetched into the L1D",
                     &l1d->ahead);
    counter_register(r, scope, "prefetches_useful", "lines",
                     "of these, those that a load of a SIMT thread asked for before they were driven out",
                     &l1d->ahead_useful);
    counter_register(r, scope, "prefetches_late", "lines",
                     "of these, those that were still on their way then", &l1d->ahead_late);
    counter_register_ratio(r, scope, "prefetches_useless", "%",
                           "share of the prefetches that no SIMT thread's load has asked for",
                           "100 * (prefetches - prefetches_useful) / prefetches");
}

void scalar_units_register_counters(struct sm *s, struct counter_registry *r) {
    struct scalar_units *u = s->scalar;
    char scope[32], sub[48];
    if (!u) return;
    snprintf(scope, sizeof scope, "cluster%u.scalar", s->index);
    counter_register(r, scope, "instructions", "instructions", "that scalar threads have issued",
                     &u->instructions);
    counter_register(r, scope, "condition_failed", "instructions", "of these, those whose condition failed",
                     &u->condition_failed);
    counter_register(r, scope, "threads", "threads", "scalar threads started", &u->threads_started);
    if (s->config->scalar.share_groups)
        counter_register(r, scope, "shared_groups", "groups",
                         "of these, work-groups that they run in the place of a warp", &u->shared_groups);
    counter_register(r, scope, "loads", "instructions", "load instructions executed", &u->loads);
    counter_register(r, scope, "stores", "instructions", "store instructions executed", &u->stores);
    counter_register(r, scope, "outside", "instructions",
                     "of these loads, those outside every buffer, of scalar kernels that only load ahead: "
                     "they read 0 and are not sent",
                     &u->outside);
    counter_register(r, scope, "l1d_accesses", "accesses", "requests of scalar threads that the L1D took",
                     &u->l1d_accesses);
    counter_register(r, scope, "l1d_misses", "accesses",
                     "of these, those that missed or joined a miss on its way", &u->l1d_misses);
    counter_register(r, scope, "registers_read", "registers", "of the scalar register file read",
                     &u->registers_read);
    counter_register(r, scope, "registers_written", "registers", "likewise, written", &u->registers_written);
    register_fetched_lines(s, scope, r);
    counter_register(r, scope, "local_accesses", "accesses", "words of local memory read or written",
                     &u->local_accesses);
    counter_register(r, scope, "refused_cycles", "cycles",
                     "an access waits for a cache, a bank of local memory or a miss register",
                     &u->refused_cycles);
    counter_register(r, scope, "simt_waits", "cycles",
                     "all SIMT threads of a work-group wait at a barrier that its scalar thread has still to "
                     "reach (of each work-group)",
                     &u->simt_waits);
    counter_register_histogram(
        r, scope, "noted", "numbers",
        "that scalar threads noted with lockstep_note(); of generated prefetches: how many "
        "turns of their loop the last step skipped to",
        &u->noted);
    snprintf(sub, sizeof sub, "%s.cycles", scope);
    for (unsigned n = 0; n < SCALAR_CAUSE_COUNT; ++n)
        counter_register(r, sub, scalar_cause_name[n], "cycles", scalar_cause_description[n], &u->cause[n]);
    for (unsigned unit = 0; unit < u->units; ++unit) {
        snprintf(sub, sizeof sub, "%s.unit%u", scope, unit);
        for (unsigned n = 0; n < SCALAR_CAUSE_COUNT; ++n)
            counter_register(r, sub, scalar_cause_name[n], "cycles", scalar_cause_description[n],
                             &u->unit[unit].cycles[n]);
    }
    snprintf(sub, sizeof sub, "%s.mix", scope);
    for (unsigned n = 0; n < ARM_CLASS_COUNT; ++n)
        counter_register(r, sub, arm_class_name[n], "instructions", arm_class_description[n],
                         &u->class_instructions[n]);
    snprintf(sub, sizeof sub, "cluster%u", s->index);
    counter_register_ratio(r, sub, "scalar_share", "%",
                           "share of scalar threads' instructions in all thread-instructions",
                           "100 * scalar.instructions / (thread_instructions + scalar.instructions)");
}

/* --- launches, threads --- */

void scalar_units_launch(struct sm *s) {
    struct scalar_units *u = s->scalar;
    if (!u) return;
    u->registers_left = s->config->scalar.registers;
    u->fetch_turn = u->threads - 1;
    u->live = 0;
    for (unsigned n = 0; n < u->units; ++n) {
        const struct scalar_scheduler_config c = scalar_unit_config(s, n);
        u->unit[n].next = 0;
        u->unit[n].issue_cycle = u->unit[n].cause_cycle = SM_NEVER;
        if (c.threads) scalar_scheduler_init(&u->unit[n].scheduler, &c);
        if (u->unit[n].twins) u->unit[n].twins->reset(u->unit[n].twins->context);
    }
    for (unsigned slot = 0; slot < u->threads; ++slot) {
        u->thread[slot].live = u->thread[slot].waits = false;
        u->thread[slot].threads.stack_size = s->stack_size;
    }
    scalar_memory_launch(s);
}

uint32_t scalar_units_registers(const struct sm *s) {
    const struct machine_launch *l = s->launch;
    const uint32_t registers = scalar_units_share(s) ? l->registers : l->scalar_registers;
    if (!scalar_units_share(s) && !scalar_units_used(s)) return 0;
    return registers ? registers : ARM_REGISTERS;
}

bool scalar_units_have_room(const struct sm *s) {
    return !s->scalar || s->scalar->registers_left >= scalar_units_registers(s);
}

bool scalar_units_live(const struct sm *s, unsigned slot) {
    return s->scalar && s->scalar->thread[slot].live;
}

void scalar_units_start(struct sm *s, unsigned slot, uint64_t t) {
    struct scalar_units *u = s->scalar;
    const bool shared = scalar_units_share(s);
    struct scalar_thread *h = &u->thread[slot];
    uint32_t *stack_top = (uint32_t *)h->threads.stack_top;
    memset(h->threads.registers, 0, ROWS * sizeof *u->rows);
    memset(h->ready, 0, sizeof h->ready);
    memset(h->loader, 0, sizeof h->loader);
    h->threads.memory = &s->group[slot].memory;
    h->threads.log = s->log;
    stack_top[0] = MEMORY_STACK_BASE + (s->config->cluster.count * s->stack_warps * s->warp_size +
                                        s->index * s->groups + slot + 1) *
                                           s->stack_size;
    h->threads.registers[0] = s->launch->argument_block;
    h->threads.registers[13] = stack_top[0];
    h->threads.z[0] = 1; /* Z is clear */
    exclusive_monitor_offset(&s->shared->monitor, h->threads.first_thread,
                             (s->index * s->groups + slot) * machine_local_stride(s->config));
    h->live = true;
    h->waits = h->fetching = false;
    h->buffered = 0;
    h->in_memory = h->unsent = 0;
    ++h->number;
    sm_stores_begin(s, SM_STORES_OF_SCALARS + slot);
    h->settled = 0;
    h->effect = SM_NO_EFFECT;
    h->pc = shared ? s->launch->thunk : s->launch->scalar_thunk;
    h->fetch_from = t + 1;
    u->registers_left -= scalar_units_registers(s);
    ++u->live;
    ++u->threads_started;
    u->shared_groups += shared;
    s->barriers.in.start_scalar = true;
}

/* --- the end of a cycle --- */

static void branch(struct scalar_thread *h, uint64_t t) {
    h->pc = h->threads.next_pc[0];
    h->fetch_from = t + 1;
}

static void arrive(struct sm *s, unsigned slot) {
    s->scalar->thread[slot].waits = true;
    s->barriers.in.scalar_arrives |= bit_of(slot);
}

static void leave(struct sm *s, unsigned slot) {
    struct scalar_units *u = s->scalar;
    struct scalar_thread *h = &u->thread[slot];
    h->live = false;
    exclusive_monitor_clear(&s->shared->monitor, h->threads.first_thread);
    s->barriers.in.scalar_exits |= bit_of(slot);
    u->registers_left += scalar_units_registers(s);
    --u->live;
    if (!s->group[slot].live && !s->group[slot].warps) sm_end_group(s, slot);
}

uint64_t scalar_units_end_cycle(struct sm *s, uint64_t t) {
    struct scalar_units *u = s->scalar;
    uint64_t next = SM_NEVER;
    for (unsigned slot = 0; u->live && slot < u->threads; ++slot) {
        struct scalar_thread *h = &u->thread[slot];
        if (!h->live || h->effect == SM_NO_EFFECT) continue;
        if (h->effect_at > t) {
            sm_earlier(&next, h->effect_at);
            continue;
        }
        const enum sm_effect effect = h->effect;
        h->effect = SM_NO_EFFECT;
        next = t + 1;
        if (effect == SM_BRANCH)
            branch(h, t);
        else if (effect == SM_BARRIER)
            arrive(s, slot);
        else
            leave(s, slot);
    }
    return next;
}

void scalar_units_release(struct sm *s, uint64_t groups, uint64_t t) {
    for (uint64_t rest = groups; rest; rest &= rest - 1) {
        const unsigned slot = (unsigned)__builtin_ctzll(rest);
        struct scalar_thread *h = &s->scalar->thread[slot];
        if (s->barriers.out.exited >> slot & 1) scalar_note_short_barrier(s, slot);
        h->waits = false;
        if (t + 1 > h->buffer_at) h->buffer_at = t + 1;
    }
}
