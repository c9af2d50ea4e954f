/* Declarations shared by the files of the scalar units. */
#ifndef MODEL_SM_SCALAR_PARTS_H
#define MODEL_SM_SCALAR_PARTS_H

#include "model/sm/scalar_units.h"
#include "model/sm/sm_parts.h"

/* Returns the first cycle of a unit from t on. */
static inline uint64_t scalar_cycle(const struct scalar_units *u, uint64_t t) {
    const uint64_t past = t & (u->divisor - 1);
    return t == SM_NEVER || !past ? t : t + u->divisor - past;
}
static inline bool scalar_is_cycle(const struct scalar_units *u, uint64_t t) {
    return (t & (u->divisor - 1)) == 0;
}
static inline unsigned scalar_unit_of(const struct scalar_units *u, unsigned slot) {
    return slot % u->units;
}

/* Passes a load or store that a thread has executed in cycle t to the unit's queue. */
void scalar_memory_begin(struct sm *s, unsigned slot, const struct arm_instruction *i, uint32_t address,
                         uint64_t writes, uint64_t t);
void scalar_memory_launch(struct sm *s);

/* Fills the launch's error with a message about the thread in a slot at an instruction. */
void scalar_diagnose(struct sm *s, unsigned slot, uint32_t pc, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void scalar_diagnose_fault(struct sm *s, unsigned slot, const struct arm_instruction *i,
                           const struct arm_execution *x);

/* Does sm_note_short_barrier() for the thread in a slot, which is released. */
void scalar_note_short_barrier(struct sm *s, unsigned slot);

#endif
