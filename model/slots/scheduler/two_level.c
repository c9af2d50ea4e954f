/* A few active warps take turns; a stalled one gives its place to a pending warp. */
#include "model/slots/shared/scheduler_block.h"

UNIT_ROW const struct scheduler_slot scheduler_two_level = {.pick = scheduler_block_pick, .looks = true};
