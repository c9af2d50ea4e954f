/* core_parts: declarations shared by the files of the core. */
#ifndef MODEL_CORE_PARTS_H
#define MODEL_CORE_PARTS_H

#include "model/core/core.h"

static inline void core_later(uint64_t *t, uint64_t candidate) {
    if (candidate > *t) *t = candidate;
}

/* Does core_run() for the kind `single`. */
void single_run(struct core *c, const struct machine_code *code, uint64_t turn, uint64_t horizon);

/* Returns the first cycle in which all operands of the instruction are ready. */
uint64_t core_operands_ready(const struct core *c, const struct arm_instruction *i);

/* Makes the results of the instruction usable from cycle t on. */
static inline void core_set_ready(struct core *c, const struct arm_instruction *i, uint64_t t) {
    for (uint64_t rest = i->destinations; rest; rest &= rest - 1) c->ready[__builtin_ctzll(rest)] = t;
    if (i->sets_flags) c->ready[ARM_RESOURCE_NZCV] = t;
    if (i->writes_fpscr) c->ready[ARM_RESOURCE_FPSCR] = t;
}

/* Handles a taken branch or a load of the PC; the target is known in cycle `known`. */
static inline void core_branch(struct core *c, uint64_t known) {
    const uint64_t issued = c->next;
    core_later(&c->next, known);
    c->next += c->config->core.branch_penalty_cycles;
    c->account[MACHINE_CAUSE_BRANCH] += c->next - issued;
}

/* Fetches the line that the PC has entered, in cycle `next`. */
void core_fetch_line(struct core *c);

/* Makes a request as soon as the L2 can take it; the core makes no other request meanwhile. Returns the cycle
 * at whose end the data are present. */
uint64_t core_l2_done(struct core *c, uint32_t address, bool store, uint64_t t);

/* Counts the execution of the instructions in [first, end). */
static inline void core_count(struct core *c, const struct machine_code *code,
                              const struct arm_instruction *first, const struct arm_instruction *end) {
    if (__builtin_expect(!c->executions, 1)) return;
    ++c->executions[first - code->decoded];
    --c->executions[end - code->decoded];
}

/* Times after an access. */
struct access_time {
    uint64_t next;    /* first cycle for the core's next access or instruction */
    uint64_t result;  /* first cycle in which the data may be used */
    uint64_t blocked; /* cycles of waiting for a line */
    uint64_t full;    /* cycles of waiting for the write buffer */
};

/* Makes an ordinary access, or that of one register, in a MIMD launch, with the address in X in cycle t. */
struct access_time core_access_once(struct core *c, const struct arm_instruction *i, uint32_t address,
                                    unsigned bytes, uint64_t t);
/* Makes an access in a SIMT launch: one request a cycle for each of its lines. Returns the cycles for which
 * it blocks the core. */
uint64_t core_access_l2(struct core *c, const struct arm_instruction *i, uint32_t address, uint64_t t);
/* Returns the accesses of an instruction at pc, none of them made. */
struct core_access core_access_of(const struct arm_instruction *i, uint32_t pc, uint32_t address);

/* Makes the accesses of a load or store that has executed in cycle t: sets `next` and ready times, or
 * `access` if work is left for later cycles. */
void core_access_memory(struct core *c, const struct arm_instruction *i, uint32_t address, uint64_t t);
/* Like core_access_memory(), but makes no access yet: `access` waits for cycle `next`. */
void core_put_off_access(struct core *c, const struct arm_instruction *i, uint32_t address);
/* Continues `access` in cycle `next`: its translation, or its accesses of the cycle. */
void core_continue_access(struct core *c);
/* Returns whether core_continue_access() would be invisible to other cores. */
bool core_continues_alone(struct core *c);

#endif
