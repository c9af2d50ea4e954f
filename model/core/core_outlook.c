#include "model/core/core_outlook.h"

#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

/* Returns a read-only copy of the core's memory, with a writable copy of its stack. */
static struct memory *copy_memory(const struct core *k, uint8_t **stack) {
    struct memory *m = calloc(1, sizeof *m);
    require_memory(m);
    memory_copy(m, k->threads.memory);
    m->outside = NULL;
    for (unsigned n = 0; n < m->used; ++n) m->region[m->order[n]].writable = false;
    const int index = memory_find(m, k->registers[13] - 4, 4);
    if (index < 0) return m;
    struct memory_region *r = &m->region[index];
    *stack = malloc(r->size_bytes);
    require_memory(*stack);
    memcpy(*stack, r->host, r->size_bytes);
    r->host = *stack;
    r->writable = true;
    return m;
}

static struct arm_threads threads_of(struct core *copy, struct memory *m) {
    struct arm_threads t = copy->threads;
    t.registers = copy->registers;
    t.pc = &copy->pc;
    t.next_pc = &copy->next_pc;
    t.n = &copy->n;
    t.z = &copy->z;
    t.c = &copy->c;
    t.v = &copy->v;
    t.q = &copy->q;
    t.ge = &copy->ge;
    t.fpscr = &copy->fpscr;
    t.memory = m;
    t.monitor = NULL;
    return t;
}

/* Executes one instruction; returns false if the outlook ends before it. */
static bool step(struct core *copy, struct arm_threads *threads, const struct machine_code *code,
                 struct execution_trail *t) {
    struct arm_instruction *i = machine_code_at(code, copy->pc);
    struct arm_execution x;
    if (!i || i->is_coprocessor) return false;
    arm_execute(i, threads, 1, &x);
    const bool unmade = x.fault == ARM_FAULT_READ_ONLY && !i->write_back;
    if (x.fault != ARM_FAULT_NONE && !unmade) return false;
    if (unmade && arm_stores_exclusively(i)) copy->registers[i->rd] = 0;
    execution_trail_add(t, copy->pc);
    if (i->is_load && x.passed) {
        t->load_pc = copy->pc;
        t->load_address = x.address[0] & ~3u;
    }
    copy->pc = i->writes_pc && x.passed ? copy->next_pc : copy->pc + 4;
    return true;
}

void core_outlook(const struct core *k, const struct machine_code *code, struct execution_trail *t) {
    struct core copy = *k;
    uint8_t *stack = NULL;
    struct memory *m = copy_memory(k, &stack);
    struct arm_threads threads = threads_of(&copy, m);
    *t = (struct execution_trail){0};
    while (t->count < CORE_OUTLOOK && step(&copy, &threads, code, t)) continue;
    free(stack);
    free(m);
}
