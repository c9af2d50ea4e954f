/*
 * checks: the enabled checks of a machine's kernels, called by each pipeline. Each may be NULL: disabled.
 */
#ifndef MODEL_CHECK_CHECKS_H
#define MODEL_CHECK_CHECKS_H

#include "model/check/memory_check.h"
#include "model/check/race_check.h"
#include "model/check/value_check.h"

struct checks {
    struct race_check *races;
    struct memory_check *memory;
    struct value_check *values;
};

void checks_launch(const struct checks *c, const struct machine_launch *l);
/* Report that a work-group begins in a slot; that its threads leave the barrier at pc. */
void checks_group(const struct checks *c, unsigned slot, uint64_t number);
void checks_barrier(const struct checks *c, unsigned slot, uint32_t pc);
/* Reports an access. Returns false if a thread has left the objects of its access: the launch has failed. */
bool checks_access(const struct checks *c, unsigned slot, const struct checked_access *a,
                   struct memory_fault *f);
/* Reports the initial state of the threads of a warp; position 0's work-item has the linear number
 * first_item. */
static inline void checks_warp(const struct checks *c, unsigned slot, unsigned warp,
                               const struct arm_threads *t, uint32_t first_item) {
    if (c->values) value_check_warp(c->values, slot, warp, t, first_item);
}
/* Reports that a core in MIMD mode enters the kernel's twin with a work-group. */
void checks_core(const struct checks *c, unsigned slot, const struct arm_threads *core);
/* Reports an instruction that a warp, or a core as warp 0, is about to execute for these threads. */
static inline void checks_instruction(const struct checks *c, unsigned slot, unsigned warp,
                                      const struct arm_threads *t, const struct arm_instruction *i,
                                      uint32_t pc, uint64_t threads) {
    if (c->values) value_check_instruction(c->values, slot, warp, t, i, pc, threads);
}
/* Reports a store of a scalar thread of the work-group in a slot. */
void checks_store(const struct checks *c, unsigned slot, uint32_t address, uint32_t bytes);
void checks_destroy(struct checks *c);

#endif
