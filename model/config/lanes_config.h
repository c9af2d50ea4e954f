/*
 * lanes_config: effects of the fields lanes.* and simt.compaction on a machine's lanes (lanes.md §1, §2).
 */
#ifndef MODEL_CONFIG_LANES_CONFIG_H
#define MODEL_CONFIG_LANES_CONFIG_H

#include "model/config/machine_config.h"

extern const char *const lanes_kind_name[]; /* names of enum lanes_kind; NULL at the end */

/* Returns the number of lane groups of a cluster, 1 with spatial lanes. */
unsigned machine_lane_groups(const struct machine_config *c);
/* Returns the number of lanes of each. */
unsigned machine_lane_group_width(const struct machine_config *c);
/* Returns whether a consumer chains to its producer. */
bool machine_chains(const struct machine_config *c);
/* Returns whether rounds without an active thread are skipped. */
bool machine_compacts(const struct machine_config *c);
/* Returns whether the rounds of a register are in different banks. */
bool machine_banks_by_round(const struct machine_config *c);

/* Checks the fields against each other and the rest of the machine. Returns false with *e if they
 * conflict. */
bool lanes_config_check(const struct machine_config *c, struct error *e);

#endif
