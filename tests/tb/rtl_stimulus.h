/*
 * rtl_stimulus: constrained random inputs for every module of rtl/ that has a C model, and a cycle of both.
 *
 * A block is one file, stimulus/NAME.h (a model of its own, `static`, and struct stimulus_block
 * NAME_stimulus), and one row of the table below: that is all that random lockstep (test_rtl_lockstep.c),
 * mutants, coverage and bench_rtl need to know of it.
 */
#ifndef TESTS_TB_RTL_STIMULUS_H
#define TESTS_TB_RTL_STIMULUS_H

#include "tests/stimulus/stimulus.h"

#include "tests/stimulus/barrier_table.h"
#include "tests/stimulus/instruction_reuse_buffer.h"
#include "tests/stimulus/operand_collector.h"
#include "tests/stimulus/simt_coprocessor.h"
#include "tests/stimulus/srf_rename.h"
#include "tests/stimulus/tpo_address.h"
#include "tests/stimulus/subwarp_dispatcher.h"
#include "tests/stimulus/token_file.h"
#include "tests/stimulus/thread_descriptor_table.h"
#include "tests/stimulus/warp_pc_arbiter.h"
#include "tests/stimulus/warp_scheduler.h"

static const struct stimulus_block *const stimulus_blocks[] = {
    &warp_scheduler_stimulus,
    &greedy_oldest_scheduler_stimulus,
    &two_level_scheduler_stimulus,
    &warp_pc_arbiter_stimulus,
    &min_pc_arbiter_stimulus,
    &first_ready_arbiter_stimulus,
    &subwarp_dispatcher_stimulus,
    &barrier_table_stimulus,
    &tpo_address_stimulus,
    &operand_collector_stimulus,
    &token_file_stimulus,
    &srf_rename_stimulus,
    &instruction_reuse_buffer_stimulus,
    &thread_descriptor_table_stimulus,
    &simt_coprocessor_stimulus,
};

#define STIMULUS_BLOCKS (sizeof stimulus_blocks / sizeof stimulus_blocks[0])

/* NULL: there is no such block. */
static inline const struct stimulus_block *stimulus_find(const char *name) {
    for (unsigned n = 0; n < STIMULUS_BLOCKS; ++n)
        if (strcmp(stimulus_blocks[n]->name, name) == 0) return stimulus_blocks[n];
    return NULL;
}

#endif
