/*
 * scalar_config: effects of the fields scalar.* on a machine (scalar-unit.md §4).
 */
#ifndef MODEL_CONFIG_SCALAR_CONFIG_H
#define MODEL_CONFIG_SCALAR_CONFIG_H

#include "model/config/machine_config.h"

extern const char *const scalar_mode_name[]; /* names of enum scalar_mode; NULL at the end */

extern const char *const kernel_scalar_name[]; /* names of enum kernel_scalar; NULL at the end */

/* Returns the number of a cluster's threads with a stack, the scalar threads of its work-groups included. */
uint32_t machine_stacks(const struct machine_config *c);

/* Return the number of units for scalar instructions of warps (spatial lanes: scalar.mode gcn, or the one of
 * lanes.scalar_unit; lanes.md §4), 0 if none; and the registers of their file. */
unsigned machine_warp_scalar_units(const struct machine_config *c);
uint32_t machine_warp_scalar_registers(const struct machine_config *c);

/* Checks that the machine can have the configured scalar units. Returns false with *e if not. */
bool scalar_config_check(const struct machine_config *c, struct error *e);

#endif
