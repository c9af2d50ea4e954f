/* core_parts: what the files of the core say to each other. */
#ifndef MODEL_CORE_PARTS_H
#define MODEL_CORE_PARTS_H

#include "model/core/core.h"

static inline void core_later(uint64_t *t, uint64_t candidate) {
    if (candidate > *t) *t = candidate;
}

/* First cycle in which all that the instruction needs is there. */
uint64_t core_operands_ready(const struct core *c, const struct arm_instruction *i);

/* What the instruction writes may be used from cycle t on. */
static inline void core_set_ready(struct core *c, const struct arm_instruction *i, uint64_t t) {
    for (uint64_t rest = i->destinations; rest; rest &= rest - 1) c->ready[__builtin_ctzll(rest)] = t;
    if (i->sets_flags) c->ready[ARM_RESOURCE_NZCV] = t;
    if (i->writes_fpscr) c->ready[ARM_RESOURCE_FPSCR] = t;
}

/* The instruction has loaded or computed the PC; its target is known in cycle `known`. */
static inline void core_branch(struct core *c, uint64_t known) {
    const uint64_t issued = c->next;
    core_later(&c->next, known);
    c->next += c->config->core.branch_penalty_cycles;
    c->account[MACHINE_CAUSE_BRANCH] += c->next - issued;
}

/* The line that the PC has entered, in cycle `next`. */
void core_fetch_line(struct core *c);

/* Takes the request as soon as the L2 can: nothing else of this core waits meanwhile. The cycle at whose end
 * the data are there. */
uint64_t core_l2_done(struct core *c, uint32_t address, bool store, uint64_t t);

/* Instructions from `first` on, up to `end`, have been executed. */
static inline void core_count(struct core *c, const struct machine_code *code,
                              const struct arm_instruction *first, const struct arm_instruction *end) {
    if (__builtin_expect(!c->executions, 1)) return;
    ++c->executions[first - code->decoded];
    --c->executions[end - code->decoded];
}

/* The accesses of a load or store that has been executed in cycle t: sets `next` and ready times, or `access`
 * where there is more to do later. */
void core_access_memory(struct core *c, const struct arm_instruction *i, uint32_t address, uint64_t t);
/* The same, but nothing has been done yet: `access` waits for cycle `next`. */
void core_put_off_access(struct core *c, const struct arm_instruction *i, uint32_t address);
/* What `access` does in cycle `next`: its translation, or what falls into the cycle. */
void core_continue_access(struct core *c);
/* Does nobody else see that? */
bool core_continues_alone(struct core *c);

#endif
