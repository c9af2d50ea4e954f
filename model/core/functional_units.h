/*
 * functional_units: the functional unit that executes each class of instructions (dual-mode Table 3).
 */
#ifndef MODEL_CORE_FUNCTIONAL_UNITS_H
#define MODEL_CORE_FUNCTIONAL_UNITS_H

#include "model/config/arm_classes.h"

#include <stdbool.h>

enum unit_kind { UNIT_INTEGER, UNIT_VFP, UNIT_LOAD_STORE };

static inline enum unit_kind unit_of(unsigned class) {
    switch (class) {
    case ARM_CLASS_ALU:
    case ARM_CLASS_SHIFT:
    case ARM_CLASS_MULTIPLY:
    case ARM_CLASS_DIVIDE:
    case ARM_CLASS_BRANCH:
    case ARM_CLASS_COPROCESSOR:
    case ARM_CLASS_HINT: return UNIT_INTEGER;
    case ARM_CLASS_LOAD:
    case ARM_CLASS_STORE:
    case ARM_CLASS_LOAD_MULTIPLE:
    case ARM_CLASS_STORE_MULTIPLE:
    case ARM_CLASS_NEON_LOAD:
    case ARM_CLASS_NEON_STORE: return UNIT_LOAD_STORE;
    default: return UNIT_VFP;
    }
}

/* Returns whether only the first unit of its kind executes the class. */
static inline bool needs_first_unit(unsigned class) {
    return class == ARM_CLASS_MULTIPLY || class == ARM_CLASS_DIVIDE || class == ARM_CLASS_VFP_DIVIDE_SINGLE ||
           class == ARM_CLASS_VFP_DIVIDE_DOUBLE;
}

#endif
