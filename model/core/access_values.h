/*
 * access_values: the values that the loads and stores of threads have moved, for recordings of accesses
 * (recorder.h). They are read as the threads see them, right after the instruction has executed, and kept
 * until another instruction takes its number.
 */
#ifndef MODEL_CORE_ACCESS_VALUES_H
#define MODEL_CORE_ACCESS_VALUES_H

#include "model/arm/arm.h"

#define ACCESS_VALUES_BEATS 32 /* most accesses of a thread in one instruction */

struct access_values {
    unsigned positions; /* threads of an instruction; 0: no values are kept */
    unsigned room;      /* number of instructions in `value` */
    uint64_t *value;    /* values, one for each instruction, position and beat */
};

void access_values_init(struct access_values *v, unsigned positions);
void access_values_free(struct access_values *v);

/* Returns the value of `bytes` bytes, or of the first eight, as a thread sees them; 0 if they are in no
 * region. */
uint64_t access_values_at(const struct arm_threads *t, unsigned position, uint32_t address, unsigned bytes);
/* Keeps the values of an executed load or store. */
void access_values_note(struct access_values *v, unsigned instruction, const struct arm_instruction *i,
                        const struct arm_threads *t, uint64_t threads, const uint32_t *address);

static inline uint64_t access_values_of(const struct access_values *v, unsigned instruction,
                                        unsigned position, unsigned beat) {
    return v->value[((size_t)instruction * v->positions + position) * ACCESS_VALUES_BEATS +
                    beat % ACCESS_VALUES_BEATS];
}

#endif
