/*
 * memory_check: accesses of a launch outside their objects, and reads of write-only buffers of the program
 * (docs/checks.md).
 *
 * For most loads and stores the compiler records the objects of the source that they may access: local
 * variables, and the targets of arguments. An access outside all of them is a fault, also in private memory,
 * except for accesses at a constant distance from the stack pointer: they may be the compiler's own. An
 * instruction that accesses several words may have been several accesses in the source, of adjacent objects:
 * then its address is always the same. So the first or the last word must be inside; all words must be if
 * the instruction has had another address before, or in another thread.
 *
 * Known inaccuracy: in MIMD mode, variables that all work-items of a group have at the same time are an array
 * (struct machine_object: stride). An access may be to that of any work-item.
 */
#ifndef MODEL_CHECK_MEMORY_CHECK_H
#define MODEL_CHECK_MEMORY_CHECK_H

#include "model/check/access.h"
#include "sim/counter.h"

#define MEMORY_FINDINGS 64 /* findings of a launch that are kept apart */

/* Reads of a write-only buffer by one instruction: data of the first. */
struct memory_finding {
    uint32_t pc, address;
    uint32_t group, item; /* linear numbers; item NO_ITEM: unknown */
    uint64_t count;
};

/* An access outside its objects. */
struct memory_fault {
    unsigned position;                   /* position of the thread */
    uint32_t address;                    /* distance from the object's base if the object is private */
    uint32_t bytes;                      /* bytes outside, from the address on */
    const struct machine_object *object; /* first object that the access may concern */
};

/* Returns whether an object is a private variable: its address is a distance from a register. */
static inline bool memory_check_is_private(const struct machine_object *o) {
    return !o->local && !o->argument;
}

struct memory_check;

/* wrong_way: reads of write-only buffers are noted. slots: see race_check_create(). */
struct memory_check *memory_check_create(unsigned slots, bool wrong_way);
void memory_check_destroy(struct memory_check *m);

void memory_check_launch(struct memory_check *m, const struct machine_launch *l);
void memory_check_group(struct memory_check *m, unsigned slot, uint64_t number);
/* Checks an access. Returns false with *f for the first thread outside the objects of its access. */
bool memory_check_access(struct memory_check *m, unsigned slot, const struct checked_access *a,
                         struct memory_fault *f);

/* Returns the findings of the last launch. */
const struct memory_finding *memory_check_findings(const struct memory_check *m, size_t *count);
/* Registers the number of accesses, and of those with known objects. */
void memory_check_register_counters(struct memory_check *m, struct counter_registry *r);

#endif
