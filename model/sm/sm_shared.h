/*
 * sm_shared: parts shared by the SMs of a GPU-like machine, in addition to memory: the work-groups of the
 * launch, and the exclusive monitor of all threads.
 *
 * Thread k of warp w of SM n has the number (n · warps + w) · warp_size + k.
 */
#ifndef MODEL_SM_SM_SHARED_H
#define MODEL_SM_SM_SHARED_H

#include "model/control/work_group_dispatcher.h"
#include "model/config/machine_config.h"
#include "model/control/exclusive_monitor.h"

struct sm_shared {
    struct work_group_dispatcher groups;
    struct exclusive_monitor monitor;
};

#endif
