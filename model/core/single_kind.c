/* single: the core kind that issues one instruction a cycle, in order (core.h). */
#include "model/core/core_parts.h"

static inline void issue_unit(struct core *c, const struct arm_instruction *i, uint64_t t) {
    const unsigned occupancy = c->config->core.occupancy_cycles[i->class];
    c->next = t + occupancy;
    if (occupancy > 1) c->account[MACHINE_CAUSE_OCCUPIED] += occupancy - 1;
    core_set_ready(c, i, t + c->config->core.latency_cycles[i->class]);
}

static inline void finish(struct core *c, const struct arm_instruction *i, const struct arm_execution *x,
                          uint64_t t) {
    ++c->instructions;
    ++c->account[MACHINE_CAUSE_ISSUE];
    c->next = t + 1;
    if (x->passed) {
        if (i->access_count) {
            c->memory_instructions += c->in_kernel;
            core_access_memory(c, i, x->address[0], t);
        } else {
            issue_unit(c, i, t);
            if (i->writes_pc) core_branch(c, 0);
        }
    }
    c->pc = i->writes_pc && x->passed ? c->next_pc : c->pc + 4;
}

/* Returns the instruction at the PC, NULL if there is none, and sets `next` to the cycle in which it can
 * issue. */
static inline struct arm_instruction *prepare(struct core *c, const struct machine_code *code) {
    struct arm_instruction *i = machine_code_at(code, c->pc);
    if (!i) return NULL;
    core_cross(c);
    if (c->pc >> c->l1i.line_shift != c->fetched_line) core_fetch_line(c);
    const uint64_t ready = core_operands_ready(c, i);
    if (ready > c->next) {
        c->account[MACHINE_CAUSE_LATENCY] += ready - c->next;
        if (__builtin_expect(c->record.recorder != NULL, 0))
            core_record_run(&c->record, c->pc, 0, c->next, ready);
        c->next = ready;
    }
    return i;
}

static enum core_issue issue(struct core *c, const struct machine_code *code, uint64_t t,
                             struct arm_instruction **i, struct arm_execution *x) {
    *i = NULL;
    if (c->access.i) {
        core_continue_access(c);
        return CORE_STALLED;
    }
    *i = prepare(c, code);
    if (!*i) return CORE_FAULTED;
    if (c->next > t) return CORE_STALLED;
    if (__builtin_expect(c->executes != NULL, 0)) c->executes(c, *i);
    arm_execute(*i, &c->threads, 1, x);
    if (x->fault == ARM_FAULT_HELD) {
        ++c->account[MACHINE_CAUSE_MEMORY];
        c->next = t + 1;
        return CORE_STALLED;
    }
    if (x->fault != ARM_FAULT_NONE) return CORE_FAULTED;
    finish(c, *i, x, t);
    core_count(c, code, *i, *i + 1);
    if ((*i)->is_wait && x->passed && !c->in_kernel) {
        c->state = CORE_ASLEEP;
        c->asleep_since = c->next;
    }
    return CORE_ISSUED;
}

static uint32_t working_pc(const struct core *c) {
    return c->access.i ? c->access.pc : c->pc;
}

const struct core_kind core_single = {
    .doc = "one a cycle", .issue = issue, .run = single_run, .run_calls = true, .working_pc = working_pc};
