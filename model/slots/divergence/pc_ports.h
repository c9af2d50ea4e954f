/*
 * pc_ports: the arbiter's cycle in which A hands over no warp. Only twins see it.
 */
#ifndef MODEL_SLOTS_DIVERGENCE_PC_PORTS_H
#define MODEL_SLOTS_DIVERGENCE_PC_PORTS_H

#include "model/unit/services.h"

void pc_ports_rest(struct unit *u, uint64_t t);

#endif
