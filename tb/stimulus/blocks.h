/* blocks: constrained random inputs for every module of rtl/ that has a C model, and a cycle of model and
 * Verilog.
 *
 * A block consists of one file, NAME.h (with its own `static` model and struct stimulus_block NAME_stimulus),
 * and one row of the table below. `lockstep rtl-test`, random lockstep (test_rtl_lockstep.c), mutants,
 * coverage and bench_rtl need nothing else. */
#ifndef TB_STIMULUS_BLOCKS_H
#define TB_STIMULUS_BLOCKS_H

#include "tb/stimulus/stimulus.h"

#include "tb/stimulus/bank_conflict_resolver.h"
#include "tb/stimulus/barrier_table.h"
#include "tb/stimulus/branch_predictor.h"
#include "tb/stimulus/coalescer.h"
#include "tb/stimulus/dram_scheduler.h"
#include "tb/stimulus/exclusive_monitor.h"
#include "tb/stimulus/harp_scheduler.h"
#include "tb/stimulus/instruction_reuse_buffer.h"
#include "tb/stimulus/issue_select.h"
#include "tb/stimulus/lane_scheduler.h"
#include "tb/stimulus/load_store_queue.h"
#include "tb/stimulus/local_memory_arbiter.h"
#include "tb/stimulus/miss_registers.h"
#include "tb/stimulus/operand_collector.h"
#include "tb/stimulus/re_convergence_barriers.h"
#include "tb/stimulus/re_convergence_stack.h"
#include "tb/stimulus/round_compactor.h"
#include "tb/stimulus/scalar_scheduler.h"
#include "tb/stimulus/scoreboard.h"
#include "tb/stimulus/second_level.h"
#include "tb/stimulus/simt_coprocessor.h"
#include "tb/stimulus/snoop_directory.h"
#include "tb/stimulus/srf_rename.h"
#include "tb/stimulus/tpo_address.h"
#include "tb/stimulus/subwarp_dispatcher.h"
#include "tb/stimulus/subwarp_packer.h"
#include "tb/stimulus/token_file.h"
#include "tb/stimulus/thread_descriptor_table.h"
#include "tb/stimulus/warp_formation_table.h"
#include "tb/stimulus/warp_lookup.h"
#include "tb/stimulus/warp_pc_arbiter.h"
#include "tb/stimulus/warp_scheduler.h"
#include "tb/stimulus/work_group_dispatcher.h"
#include "tb/stimulus/writeback_arbiter.h"

static const struct stimulus_block *const stimulus_blocks[] = {
    &warp_scheduler_stimulus,
#define STIMULUS(name, upper) &name##_scheduler_stimulus,
    SCHEDULER_TWINS(STIMULUS)
#undef STIMULUS
        & warp_pc_arbiter_stimulus,
    &min_pc_arbiter_stimulus,
    &first_ready_arbiter_stimulus,
    &subwarp_dispatcher_stimulus,
    &barrier_table_stimulus,
    &tpo_address_stimulus,
    &operand_collector_stimulus,
    &writeback_arbiter_stimulus,
    &token_file_stimulus,
    &srf_rename_stimulus,
    &instruction_reuse_buffer_stimulus,
    &thread_descriptor_table_stimulus,
    &simt_coprocessor_stimulus,
    &coalescer_stimulus,
    &bank_conflict_resolver_stimulus,
    &dram_scheduler_stimulus,
    &scoreboard_stimulus,
    &miss_registers_stimulus,
    &round_compactor_stimulus,
    &lane_scheduler_stimulus,
    &local_memory_arbiter_stimulus,
    &scalar_scheduler_stimulus,
    &re_convergence_stack_stimulus,
    &subwarp_packer_stimulus,
    &warp_lookup_stimulus,
    &second_level_stimulus,
    &warp_formation_table_stimulus,
    &re_convergence_barriers_stimulus,
    &harp_scheduler_stimulus,
    &exclusive_monitor_stimulus,
    &work_group_dispatcher_stimulus,
    &snoop_directory_stimulus,
    &branch_predictor_stimulus,
    &issue_select_stimulus,
    &load_store_queue_stimulus,
};

#define STIMULUS_BLOCKS (sizeof stimulus_blocks / sizeof stimulus_blocks[0])

/* Returns a block by name; NULL if there is no such block. */
static inline const struct stimulus_block *stimulus_find(const char *name) {
    for (unsigned n = 0; n < STIMULUS_BLOCKS; ++n)
        if (strcmp(stimulus_blocks[n]->name, name) == 0) return stimulus_blocks[n];
    return NULL;
}

#endif
