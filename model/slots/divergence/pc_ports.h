/*
 * pc_ports: the row with decisions by blocks; and the arbiter's cycle in which A hands over no warp, which
 * concerns twins alone.
 */
#ifndef MODEL_SLOTS_DIVERGENCE_PC_PORTS_H
#define MODEL_SLOTS_DIVERGENCE_PC_PORTS_H

#include "model/unit/services.h"

extern const struct divergence_slot divergence_pc_ports;

void pc_ports_rest(struct unit *u, uint64_t t);

#endif
