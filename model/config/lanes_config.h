/*
 * lanes_config: what the fields lanes.* and simt.compaction make of a machine's lanes (lanes.md §1, §2).
 */
#ifndef MODEL_CONFIG_LANES_CONFIG_H
#define MODEL_CONFIG_LANES_CONFIG_H

#include "model/config/machine_config.h"

extern const char *const lanes_kind_name[]; /* of enum lanes_kind; NULL at the end */

/* Lane groups of a cluster: 1 with spatial lanes. Does a consumer chain on its producer; are rounds without
 * an active thread skipped? */
unsigned machine_lane_groups(const struct machine_config *c);
bool machine_chains(const struct machine_config *c);
bool machine_compacts(const struct machine_config *c);
/* Are the rounds of a register in different banks? */
bool machine_banks_by_round(const struct machine_config *c);

/* False, and *e: the fields contradict each other or the rest of the machine. */
bool lanes_config_check(const struct machine_config *c, struct error *e);

#endif
