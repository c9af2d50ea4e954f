/*
 * machine_checks: what fields of a machine must be for each other; each one's own range is in the table of
 * machine_config.c.
 */
#ifndef MODEL_CONFIG_MACHINE_CHECKS_H
#define MODEL_CONFIG_MACHINE_CHECKS_H

#include "model/config/machine_config.h"

/* The words of choices, by their values, NULL after the last. */
extern const char *const machine_divergences[], *const machine_schedulers[],
                                                    *const machine_lane_maps[], *const machine_mitigations[],
                                                                                    *const machine_storages[];

/* `config`: a struct machine_config whose fields are in their ranges. False and *e (EXIT_USER), which names
 * the fields and the reason, where they do not go together. */
bool machine_config_check(const void *config, struct error *e);

#endif
