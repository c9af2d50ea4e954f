/* arm_corner: operands of decoded instructions, and the classes of values that each operand must take in a
 * test: zero, one, the largest, NaNs, shifts by 32 and so on. A value belongs to exactly one class of its
 * kind.
 *
 * Values are drawn from random_seed of arm_random.h. */
#ifndef TESTS_ARM_ARM_CORNER_H
#define TESTS_ARM_ARM_CORNER_H

#include "model/arm/arm_table.h"

enum arm_corner_kind {
    ARM_CORNER_INTEGER,
    ARM_CORNER_SHIFT, /* a register with a shift amount */
    ARM_CORNER_SINGLE,
    ARM_CORNER_DOUBLE,
    ARM_CORNER_KINDS
};

#define ARM_CORNER_CLASSES  16 /* upper limit for every kind */
#define ARM_CORNER_OPERANDS 4

/* An operand that a test may choose: a register row, not the PC, not an address. */
struct arm_operand {
    enum arm_corner_kind kind;
    unsigned row; /* a double's low word */
};

/* Finds the register operands of an instruction, in the order of its row's effects. Returns their number. */
unsigned arm_operands(const struct arm_instruction *i, struct arm_operand out[ARM_CORNER_OPERANDS]);

unsigned arm_corner_classes(enum arm_corner_kind kind);
const char *arm_corner_name(enum arm_corner_kind kind, unsigned class);

/* Return a random value of a class; the class of a value. */
uint64_t arm_corner_draw(enum arm_corner_kind kind, unsigned class);
unsigned arm_corner_class(enum arm_corner_kind kind, uint64_t value);

/* Reads and writes an operand in a thread's registers (one word per row). */
uint64_t arm_operand_get(const struct arm_operand *o, const uint32_t *registers);
void arm_operand_set(const struct arm_operand *o, uint32_t *registers, uint64_t value);

#endif
