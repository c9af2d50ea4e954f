/* arm_coverage: which rows of the decode table and classes of operands (arm_corner.h) a test has covered. */
#ifndef TESTS_ARM_ARM_COVERAGE_H
#define TESTS_ARM_ARM_COVERAGE_H

#include "tests/arm/arm_corner.h"

/* Executions of one row: passed and failed conditions, and operands of executions with a true condition. */
struct arm_coverage {
    uint64_t passed, failed;
    uint64_t conditions; /* bit c: passed, 16 + c: failed */
    uint32_t corner[ARM_CORNER_OPERANDS][ARM_CORNER_CLASSES];
    uint32_t pair[ARM_CORNER_CLASSES][ARM_CORNER_CLASSES]; /* first two operands */
    uint32_t mode[16];                                     /* FPSCR bits 25:22 */
    unsigned turn;                                         /* counter for the choice of refreshed operands */
};

/* Returns whether an instruction leaves an emulator: p7, SVC, WFI, WFE, YIELD. */
bool arm_coverage_is_exit(const struct arm_instruction *i);

/* Notes an execution of a row: its operands with their classes, FPSCR before it,
 * whether its condition held. */
void arm_coverage_note(struct arm_coverage *c, const struct arm_instruction *i, const struct arm_operand *o,
                       unsigned count, const unsigned *class, uint32_t fpscr, bool passed);

/* Prints the coverage and fails the test if it is incomplete. `coverage` has an entry for each row; exits:
 * rows of arm_coverage_is_exit() are required, too. Every row must have passed once. From
 * ARM_COVERAGE_CORNERS on, every free operand must have had every class, and VFP arithmetic must have run in
 * every mode. With ARM_COVERAGE_PAIRS, the first two operands must have had every pair of classes. */
enum arm_coverage_demand { ARM_COVERAGE_ROWS, ARM_COVERAGE_CORNERS, ARM_COVERAGE_PAIRS };
void arm_coverage_report(const struct arm_coverage *coverage, bool exits, enum arm_coverage_demand demand);

#endif
