/* A particle strike in an SM (model/uniform/fault.h). */
#include "model/sm/sm_parts.h"

static struct arm_threads *threads_of(void *owner, unsigned warp) {
    return &((struct sm *)owner)->warp[warp].threads;
}

static uint64_t live_of(const void *owner, unsigned warp) {
    return ((const struct sm *)owner)->warp[warp].live;
}

static void detected(void *owner, unsigned warp, unsigned position, uint32_t pc, const char *does) {
    sm_diagnose(owner, warp, position, pc, "%s", does);
}

static struct fault_unit unit_of(struct sm *s) {
    return (struct fault_unit){.config = s->config,
                               .uniform = &s->uniform,
                               .warps = s->warps,
                               .groups_done = s->groups_done,
                               .owner = s,
                               .threads = threads_of,
                               .live = live_of,
                               .detected = detected};
}

/* Describes an instruction for the fault model. `at` receives its threads, if they are regrouped. */
static struct fault_instruction instruction_of(const struct sm *s, const struct sm_flight *f, uint64_t passed,
                                               uint16_t *at) {
    for (unsigned n = 0; f->threads.regrouped && n < s->positions; ++n) {
        const struct sm_thread thread = sm_thread_of(s, f, n);
        at[n] = (uint16_t)(thread.warp * s->warp_size + thread.position);
    }
    return (struct fault_instruction){.i = f->i,
                                      .warp = f->warp,
                                      .pc = f->pc,
                                      .participating = f->participating,
                                      .passed = passed,
                                      .form = f->uniform.form,
                                      .threads = f->threads.regrouped ? at : NULL};
}

uint64_t sm_group_cycles(const struct sm *s) {
    return s->scheduler_cycles / s->schedulers;
}

uint64_t sm_fault_due(const struct sm *s, uint64_t t) {
    const uint64_t left = fault_due_in(s->fault, sm_group_cycles(s));
    return left == UINT64_MAX ? SM_NEVER : t + left;
}

void sm_fault_step(struct sm *s) {
    const struct fault_unit u = unit_of(s);
    if (!fault_due_in(s->fault, sm_group_cycles(s))) fault_strike(s->fault, &u);
}

void sm_fault_reads(struct sm *s, const struct sm_flight *f) {
    const struct fault_unit u = unit_of(s);
    uint16_t at[ARM_MAX_POSITIONS];
    const struct fault_instruction x = instruction_of(s, f, 0, at);
    fault_reads(s->fault, &u, &x);
}

void sm_fault_writes(struct sm *s, const struct sm_flight *f, uint64_t passed) {
    const struct fault_unit u = unit_of(s);
    uint16_t at[ARM_MAX_POSITIONS];
    const struct fault_instruction x = instruction_of(s, f, passed, at);
    fault_writes(s->fault, &u, &x);
}

void sm_fault_executed(struct sm *s, const struct sm_flight *f) {
    const struct fault_unit u = unit_of(s);
    uint16_t at[ARM_MAX_POSITIONS];
    const struct fault_instruction x = instruction_of(s, f, f->passed, at);
    fault_executed(s->fault, &u, &x);
}
