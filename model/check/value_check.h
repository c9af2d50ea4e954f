/*
 * value_check: uses of values that have not been written in a launch (docs/checks.md).
 *
 * Local and private memory have no value when a work-group begins, nor has a buffer until the program or a
 * kernel writes it. The shadow has a bit for each such byte, and for each bit of a register of each thread.
 * Loads, operations and stores propagate it. A finding is a branch, an address or a store to a buffer that
 * depends on such a value; afterwards the value counts as written. Scalar threads' stores count as written.
 *
 * Known inaccuracies: a value chosen by a condition without a value has none, although both choices may be
 * equal. In sums and products, all bits above the lowest one without a value have none. In MIMD mode, the
 * private memory of a work-item has the values that earlier work-items of the group have written in the same
 * place.
 */
#ifndef MODEL_CHECK_VALUE_CHECK_H
#define MODEL_CHECK_VALUE_CHECK_H

#include "model/check/access.h"

#define VALUE_FINDINGS 64 /* findings of a launch that are kept apart */

enum value_use { VALUE_BRANCH, VALUE_ADDRESS, VALUE_STORE };

/* Uses by one instruction: data of the first. */
struct value_finding {
    uint32_t pc;
    enum value_use use;
    uint32_t group, item; /* linear numbers; item NO_ITEM: unknown */
    uint32_t origin;      /* address from which the value was loaded; 0: never in memory; PC of a variable's
                             mark (compiler/ir/unwritten.h) */
    uint32_t address;     /* address of a store */
    uint64_t count;       /* number of threads */
};

struct value_check;

/* A unit has `slots` of consecutive numbers for its work-groups in flight, which share its warps. positions:
 * threads of a warp. */
struct value_check *value_check_create(unsigned units, unsigned slots, unsigned warps, unsigned positions);
void value_check_destroy(struct value_check *v);

void value_check_launch(struct value_check *v, const struct machine_launch *l);
/* Reports that a work-group begins in a slot. */
void value_check_group(struct value_check *v, unsigned slot, uint64_t number);
/* Reports that a warp of the work-group in a slot begins, with its threads in their initial state. Position
 * 0's work-item has the linear number first_item. */
void value_check_warp(struct value_check *v, unsigned slot, unsigned warp, const struct arm_threads *t,
                      uint32_t first_item);
/* Reports that a core, the owner of a slot, enters the kernel's twin in MIMD mode. */
void value_check_core(struct value_check *v, unsigned slot, const struct arm_threads *core);
/* Reports an instruction that a warp, or a core as warp 0, is about to execute for these threads. */
void value_check_instruction(struct value_check *v, unsigned slot, unsigned warp, const struct arm_threads *t,
                             const struct arm_instruction *i, uint32_t pc, uint64_t threads);

/* Mark memory of a buffer as without a value; with a value. The last one also marks local memory of the
 * work-group in a slot. */
void value_check_forget(struct value_check *v, uint32_t address, uint32_t size);
void value_check_write(struct value_check *v, uint32_t address, uint32_t size);
void value_check_store(struct value_check *v, unsigned slot, uint32_t address, uint32_t size);

/* Returns the findings of the last launch. */
const struct value_finding *value_check_findings(const struct value_check *v, size_t *count);

#endif
