/* The warp picked last while it is ready, else the lowest-numbered ready warp. */
#include "model/slots/shared/scheduler_block.h"

UNIT_ROW const struct scheduler_slot scheduler_greedy_oldest = {.pick = scheduler_block_pick};
