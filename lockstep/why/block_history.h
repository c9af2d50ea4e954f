/*
 * block_history: the flip-flops and inputs of a cluster's co-processor in consecutive cycles of SIMT mode. A
 * run writes them to a file; `lockstep why` reads it in the same build of the command.
 */
#ifndef LOCKSTEP_BLOCK_HISTORY_H
#define LOCKSTEP_BLOCK_HISTORY_H

#include "model/machine/machine.h"
#include "tb/twins/twin_block.h"

/* Blocks of the history: the parts of the co-processor, and the whole. */
enum {
    BLOCK_SCHEDULER,
    BLOCK_ARBITER,
    BLOCK_DISPATCHER,
    BLOCK_BARRIERS,
    BLOCK_DESCRIPTORS,
    BLOCK_WHOLE,
    BLOCK_COUNT
};

struct block_setting {
    char name[VERILOG_MAX_NAME];
    unsigned value;
};

/* The machine's sizes. */
struct block_sizes {
    uint64_t first; /* first cycle that was asked for */
    unsigned warps, warp_size, lanes, levels, active_warps, scheduler, queue_entries, collectors;
    enum pc_policy pc_policy;
    bool cyclic;
    unsigned block[BLOCK_COUNT]; /* index of each block in twin_block[] */
    unsigned settings;
    struct block_setting setting[VERILOG_MAX_PARAMETERS]; /* parameters of the Verilog */
};

/* Inputs and flip-flops of a cycle, before its edge. Pointers in them have no meaning. */
struct block_cycle {
    uint64_t cycle;
    struct simt_coprocessor_in in;
    uint32_t execute_target[TDT_MAX_WARP_SIZE];
    struct simt_coprocessor_state q;
    struct simt_coprocessor_words words;
    union warp_scheduler_states scheduler;
    struct subwarp_dispatcher_state dispatcher;
    struct barrier_table_state barriers;
    struct barrier_table_words groups;
    struct thread_descriptor_table_state descriptors;
    block_rows changed; /* warps whose descriptors differ from those of the cycle before in the file */
};

/* --- writing --- */

struct block_history_writer;

/* Writes the cycles of a window of one cluster. Called before the first launch; every cycle is then visited.
 * Returns NULL with *e (EXIT_USER) if the file cannot be made, or if the machine's co-processor has no
 * Verilog. */
struct block_history_writer *block_history_begin(struct machine *m, unsigned unit,
                                                 struct machine_window window, const char *path,
                                                 struct error *e);
/* Closes the file. Returns false with *e (EXIT_USER) if it could not be written. `w` may be NULL. */
bool block_history_finish(struct block_history_writer *w, struct error *e);

/* --- reading --- */

struct block_history {
    struct block_sizes sizes;
    struct block_cycle *cycle;
    size_t count;
    struct warp_descriptors *row; /* all versions of the descriptors of warps */
    uint32_t *version;            /* index in `row` for each cycle and warp */
};

bool block_history_read(struct block_history *h, const char *path, struct error *e);
void block_history_free(struct block_history *h);

/* Returns whether the cycle before cycle `n` of the history is in it. */
static inline bool block_history_follows(const struct block_history *h, size_t n) {
    return n > 0 && h->cycle[n - 1].cycle + 1 == h->cycle[n].cycle;
}

#endif
