/*
 * scalar_config: what the fields scalar.* make of a machine (scalar-unit.md §4).
 */
#ifndef MODEL_CONFIG_SCALAR_CONFIG_H
#define MODEL_CONFIG_SCALAR_CONFIG_H

#include "model/config/machine_config.h"

extern const char *const scalar_mode_name[]; /* of enum scalar_mode; NULL at the end */

extern const char *const kernel_scalar_name[]; /* of enum kernel_scalar; likewise */

/* Threads of a cluster with a stack: with contexts vrf a scalar one of each work-group, too. */
uint32_t machine_stacks(const struct machine_config *c);

/* Units that execute the scalar instructions of warps (spatial lanes: scalar.mode gcn, or the one of
 * lanes.scalar_unit; lanes.md §4), and the registers of their file; 0 units: there are none. */
unsigned machine_warp_scalar_units(const struct machine_config *c);
uint32_t machine_warp_scalar_registers(const struct machine_config *c);

/* False, and *e: the rest of the machine cannot have the scalar units that are asked for. */
bool scalar_config_check(const struct machine_config *c, struct error *e);

#endif
