/* blocks: constrained random inputs for every module of rtl/ that has a C model, and a cycle of model and
 * Verilog.
 *
 * A block consists of one file, NAME.h, with its own `static` model and struct stimulus_block NAME_stimulus.
 * One without a slot in a machine lies in without_slot/, with its ports (STIMULUS_ROW).
 * `lockstep rtl-test`, random lockstep (test_rtl_lockstep.c), mutants, coverage and bench_rtl need nothing
 * else. */
#ifndef TB_STIMULUS_BLOCKS_H
#define TB_STIMULUS_BLOCKS_H

#include "generated/stimulus_list.h"
#include "tb/stimulus/stimulus.h"

static const struct stimulus_block *const stimulus_blocks[] = {
#define STIMULUS(name) &name##_stimulus,
    STIMULUS_LIST(STIMULUS)
#undef STIMULUS
};

#define STIMULUS_BLOCKS (sizeof stimulus_blocks / sizeof stimulus_blocks[0])

/* Returns the ports of a block: its own, or those of the module of its slot. */
static inline const struct twin_block *stimulus_row(const struct stimulus_block *b) {
#define ROW(name)                                                                                            \
    if (b == &name##_stimulus) return &name##_row;
    STIMULUS_ROW_LIST(ROW)
#undef ROW
    return twin_block_called(b->name);
}

/* Returns a block by name; NULL if there is no such block. */
static inline const struct stimulus_block *stimulus_find(const char *name) {
    for (unsigned n = 0; n < STIMULUS_BLOCKS; ++n)
        if (strcmp(stimulus_blocks[n]->name, name) == 0) return stimulus_blocks[n];
    return NULL;
}

#endif
