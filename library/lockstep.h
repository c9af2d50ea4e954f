/*
 * lockstep: Lockstep's models for other benches (docs/library.md): the blocks of the co-processor, whole
 * machines that run compiled kernels, and the lockstep of a block's Verilog with its model.
 *
 * The library exports all that these headers declare, and nothing else. Names begin with the stem of their
 * header, but for tdt_ (thread_descriptor_table).
 */
#ifndef LIBRARY_LOCKSTEP_H
#define LIBRARY_LOCKSTEP_H

#ifdef __cplusplus
#error "these headers are C: include them from a C file of the bench"
#endif

#include "library/reference.h"
#include "model/control/barrier_table.h"
#include "model/cluster/cluster.h"
#include "model/control/instruction_reuse_buffer.h"
#include "model/machine/machine.h"
#include "model/control/operand_collector.h"
#include "model/control/srf_rename.h"
#include "model/control/subwarp_dispatcher.h"
#include "model/control/thread_descriptor_table.h"
#include "model/control/token_file.h"
#include "model/control/tpo_address.h"
#include "model/control/warp_pc_arbiter.h"
#include "model/control/warp_scheduler.h"
#include "model/control/writeback_arbiter.h"
#include "runtime/image_code.h"
#include "tb/twin.h"

#endif
