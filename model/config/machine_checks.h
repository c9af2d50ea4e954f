/*
 * machine_checks: conditions between fields of a machine. The range of each single field is in the table of
 * machine_config.c.
 */
#ifndef MODEL_CONFIG_MACHINE_CHECKS_H
#define MODEL_CONFIG_MACHINE_CHECKS_H

#include "model/config/machine_config.h"

/* Names of choices in the order of their values; NULL after the last. */
extern const char *const machine_lane_maps[], *const machine_mitigations[], *const machine_multi_issues[],
                                                                                *const machine_storages[];

/* Checks a struct machine_config whose fields are in their ranges. Returns false with *e (EXIT_USER), which
 * names the fields and the reason, if they conflict. */
bool machine_config_check(const void *config, struct error *e);

#endif
