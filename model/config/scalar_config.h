/*
 * scalar_config: what the fields scalar.* make of a machine (scalar-unit.md §1).
 */
#ifndef MODEL_CONFIG_SCALAR_CONFIG_H
#define MODEL_CONFIG_SCALAR_CONFIG_H

#include "model/config/machine_config.h"

extern const char *const scalar_mode_name[]; /* of enum scalar_mode; NULL at the end */

/* Threads of a cluster with a stack: with contexts vrf a scalar one of each work-group, too. */
uint32_t machine_stacks(const struct machine_config *c);

/* False, and *e: the rest of the machine cannot have the scalar units that are asked for. */
bool scalar_config_check(const struct machine_config *c, struct error *e);

#endif
