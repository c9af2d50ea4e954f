#include "tests/library/commit_design.h"

#include "model/arm/coprocessor.h"
#include "model/machine/mimd_memory.h"

#include <stdlib.h>
#include <string.h>

#define MEANINGLESS 0xa5a5a5a5u /* reported value of a thread that did not pass */

struct design_unit {
    struct arm_threads threads;
    uint32_t rows[ROWS * ARM_MAX_POSITIONS];
    uint64_t live, waits; /* threads that have begun and not ended; that wait at a barrier */
    uint64_t group;       /* number of the work-group */
    struct memory memory;
    int local_region;
};

static uint32_t *row(struct design_unit *u, unsigned n) {
    return &u->rows[n * u->threads.positions];
}

/* --- the beginning --- */

static void map(struct design *d, unsigned n, enum memory_kind kind, uint32_t base, uint32_t bytes) {
    struct memory *m = &d->unit[n].memory;
    const int old = memory_find(m, base, 1);
    if (!bytes) return;
    if (old >= 0) memory_remove(m, old);
    memory_add(m, kind, base, bytes, lockstep_checker_memory(d->checker, n, base, bytes), true, "design");
}

static void begin_unit(struct design *d, unsigned n) {
    struct design_unit *u = &d->unit[n];
    struct lockstep_checker *c = d->checker;
    u->threads = c->unit[n].threads;
    u->threads.registers = u->rows;
    uint32_t **at[] = {&u->threads.n,  &u->threads.z,     &u->threads.c,  &u->threads.v,      &u->threads.q,
                       &u->threads.ge, &u->threads.fpscr, &u->threads.pc, &u->threads.next_pc};
    for (unsigned k = 0; k < sizeof at / sizeof *at; ++k) *at[k] = row(u, ROW_N + k);
    u->threads.stack_top = NULL;
    u->threads.memory = &u->memory;
    u->threads.monitor = d->monitor;
    u->threads.first_thread = n * d->threads;
    memory_copy(&u->memory, machine_memory(reference_machine(c->reference)));
    map(d, n, MEMORY_LAUNCH, MEMORY_LAUNCH_BASE, sizeof c->block);
    if (d->mimd)
        map(d, n, MEMORY_LAUNCH, MIMD_STACKS_BASE + n * c->stack_bytes, c->stack_bytes);
    else
        map(d, n, MEMORY_STACK, MEMORY_STACK_BASE, c->stack_bytes * d->units * d->threads);
    map(d, n, MEMORY_LOCAL, MEMORY_LOCAL_BASE, c->launch->local_bytes);
}

static void take_registers(struct design *d, unsigned n) {
    struct design_unit *u = &d->unit[n];
    u->live = u->waits = 0;
    for (unsigned k = 0; k < d->threads; ++k) {
        const uint32_t pc = lockstep_checker_pc(d->checker, n, k);
        u->live |= (uint64_t)(pc != 1) << k;
        row(u, ROW_PC)[k] = pc;
        for (unsigned r = 0; r < ARM_REGISTERS; ++r)
            if (r != 15) row(u, r)[k] = lockstep_checker_register(d->checker, n, k, r);
        arm_set_apsr(&u->threads, k, lockstep_checker_register(d->checker, n, k, LOCKSTEP_NZCV));
        row(u, ROW_FPSCR)[k] = lockstep_checker_register(d->checker, n, k, LOCKSTEP_FPSCR);
    }
}

/* Starts the next work-items, if there are any, in a warp that has none. */
static void start(struct design *d, unsigned n) {
    const struct lockstep_checker *c = d->checker;
    uint32_t group[3];
    if (d->next_item >= c->group_count * c->group_items || (d->one_warp && d->next_item)) return;
    const uint64_t number = d->next_item / c->group_items, first = d->next_item % c->group_items;
    commit_group_ids(c, number, group);
    if (!lockstep_checker_start(d->checker, n, group, (uint32_t)first)) abort();
    d->unit[n].group = number;
    d->next_item += c->group_items - first < d->threads ? c->group_items - first : d->threads;
    map(d, n, MEMORY_LOCAL, MEMORY_LOCAL_BASE, c->launch->local_bytes);
    take_registers(d, n);
}

/* --- an instruction --- */

/* Returns a register's value. */
static uint32_t value(struct design_unit *u, unsigned number, unsigned thread) {
    if (number == LOCKSTEP_NZCV) return arm_get_apsr(&u->threads, thread) & 0xf0000000u;
    return row(u, number == LOCKSTEP_FPSCR ? (unsigned)ROW_FPSCR : number)[thread];
}

static void tell_values(struct design *d, struct design_unit *u, const struct arm_instruction *i,
                        struct design_commit *t) {
    t->told.destinations =
        t->told.passed ? i->destinations & ((UINT64_C(1) << 48) - 1) & ~(UINT64_C(1) << 15) : 0;
    if (t->told.passed && i->sets_flags) t->told.destinations |= UINT64_C(1) << LOCKSTEP_NZCV;
    if (t->told.passed && i->writes & ARM_STATE_FPSCR_FLAGS)
        t->told.destinations |= UINT64_C(1) << LOCKSTEP_FPSCR;
    uint32_t *out = t->values;
    for (uint64_t rest = t->told.destinations; rest; rest &= rest - 1, out += d->threads)
        for (unsigned k = 0; k < d->threads; ++k)
            out[k] = t->told.passed >> k & 1 ? value(u, (unsigned)__builtin_ctzll(rest), k) : MEANINGLESS;
    t->told.values = t->values;
}

static void tell_access(struct design *d, struct design_unit *u, const struct arm_instruction *i,
                        const struct arm_execution *x, struct design_commit *t) {
    t->told.addresses = t->told.data = NULL;
    if (!i->access_bytes) return;
    for (unsigned k = 0; k < d->threads; ++k)
        t->addresses[k] = x->passed >> k & 1 ? x->address[k] : MEANINGLESS;
    t->told.addresses = t->addresses;
    if (!i->is_store) return;
    memset(t->data, 0xa5, sizeof t->data);
    t->told.data = t->data;
    if (i->is_access && i->access_bytes <= 4 && !i->register_list && i->rd < 16) { /* the whole register */
        for (uint64_t rest = x->stored; rest; rest &= rest - 1) {
            const unsigned k = (unsigned)__builtin_ctzll(rest);
            t->data[k] = row(u, i->rd)[k];
        }
        return;
    }
    for (uint64_t rest = x->stored; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        const int n = memory_find(&u->memory, x->address[k], i->access_bytes);
        const uint8_t *host = u->memory.region[n].host + (x->address[k] - u->memory.region[n].base);
        for (unsigned at = 0; at < i->access_bytes; at += 4)
            memcpy(&t->data[at / 4 * d->threads + k], host + at, i->access_bytes < 4 ? i->access_bytes : 4);
    }
}

static void coprocessor(struct design *d, unsigned n, const struct arm_instruction *i, uint64_t passed) {
    struct design_unit *u = &d->unit[n];
    const enum coprocessor_operation op = coprocessor_decode(i).operation;
    if (op == COPROCESSOR_EXIT) u->live &= ~passed;
    if (op == COPROCESSOR_BARRIER) u->waits |= passed;
    for (uint64_t rest = i->coprocessor_reads ? passed : 0; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        row(u, i->rd)[k] = lockstep_checker_coprocessor(d->checker, n, k, i->encoding);
    }
}

static bool tell(struct design *d, struct design_commit *t, const struct arm_instruction *i) {
    ++d->commits;
    if (d->fault) d->fault(d, t, i);
    return d->commit ? d->commit(d, t) : lockstep_commit(d->checker, &t->told, 1);
}

static bool step(struct design *d, unsigned n) {
    static struct design_commit t;
    struct design_unit *u = &d->unit[n];
    struct arm_execution x;
    uint32_t pc = UINT32_MAX;
    uint64_t mask = 0;
    for (unsigned k = 0; k < d->threads; ++k) {
        if (!((u->live & ~u->waits) >> k & 1) || row(u, ROW_PC)[k] > pc) continue;
        if (row(u, ROW_PC)[k] < pc) mask = 0;
        pc = row(u, ROW_PC)[k];
        mask |= UINT64_C(1) << k;
    }
    if (d->monitor) d->monitor->now = d->commits;
    struct arm_instruction *i = machine_code_at(d->checker->launch->code, pc);
    arm_execute(i, &u->threads, mask, &x);
    if (x.passed && x.fault) abort();
    t.told = (struct lockstep_committed){.unit = n, .pc = pc, .mask = mask, .passed = x.passed};
    if (i->is_coprocessor) coprocessor(d, n, i, x.passed);
    tell_values(d, u, i, &t);
    tell_access(d, u, i, &x, &t);
    for (uint64_t rest = mask; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        row(u, ROW_PC)[k] = i->writes_pc && x.passed >> k & 1 ? row(u, ROW_NEXT_PC)[k] : pc + 4;
    }
    if (i->is_wait && d->mimd) u->live = 0;
    return tell(d, &t, i);
}

/* --- a launch --- */

/* Opens the barrier of work-groups in which all threads wait. */
static void open_barriers(struct design *d) {
    for (unsigned n = 0; n < d->units; ++n) {
        bool all = d->unit[n].waits != 0;
        for (unsigned k = 0; k < d->units; ++k)
            if (d->unit[k].live && d->unit[k].group == d->unit[n].group)
                all &= d->unit[k].waits == d->unit[k].live;
        /* Warps of the work-group that have not started yet arrive later. */
        all &= d->next_item >= (d->unit[n].group + 1) * d->checker->group_items;
        for (unsigned k = 0; all && k < d->units; ++k)
            if (d->unit[k].group == d->unit[n].group) d->unit[k].waits = 0;
    }
}

bool design_run(struct design *d, struct lockstep_checker *c, unsigned units) {
    d->checker = c;
    d->mimd = c->mimd;
    d->units = units;
    d->next_item = 0;
    d->threads = c->threads;
    d->unit = calloc(units, sizeof *d->unit);
    require_memory(d->unit);
    for (unsigned n = 0; n < units; ++n) {
        begin_unit(d, n);
        if (c->mimd) take_registers(d, n);
    }
    return design_go_on(d);
}

bool design_go_on(struct design *d) {
    for (bool running = true; running;) {
        running = false;
        for (unsigned n = 0; n < d->units; ++n) {
            struct design_unit *u = &d->unit[n];
            if (!u->live && !d->mimd) start(d, n);
            running |= u->live != 0;
            for (unsigned k = 0; k < (d->turn ? d->turn : 7) && u->live & ~u->waits; ++k)
                if (!step(d, n)) return false;
        }
        if (!d->mimd) open_barriers(d);
    }
    return true;
}

bool design_again(struct design *d, unsigned unit, unsigned count) {
    take_registers(d, unit);
    for (unsigned n = 0; n < count && d->unit[unit].live; ++n, d->unit[unit].waits = 0)
        if (!step(d, unit)) return false;
    return true;
}

void design_free(struct design *d) {
    free(d->unit);
    d->unit = NULL;
}
