/*
 * lone_block: one block of a cluster or SM with its Verilog, which is set by force to the inputs and
 * flip-flops that the block had in a cycle of a run. A run writes them to a file; `lockstep why` reads it in
 * the same build of the command. These are the blocks whose inputs other C functions make; those of the SIMT
 * co-processor are wired to each other (block_history.h).
 */
#ifndef LOCKSTEP_LONE_BLOCK_H
#define LOCKSTEP_LONE_BLOCK_H

#include "lockstep/why/block_history.h"
#include "tb/twins/place.h"
#include "tb/twins/twin.h"

/* --- writing --- */

struct lone_block_writer;

/* Writes the cycles of a window of the block of a unit, [PLACE.]NAME: scheduler1.coalescer. The place may be
 * missing if only one of the unit has the block. `folder` has our Verilog. Called before the first launch;
 * every cycle is then visited. Returns NULL with *e (EXIT_USER) if there is no such block, it is composed of
 * others or has memories, or the file cannot be made. */
struct lone_block_writer *lone_block_begin(struct machine *m, unsigned unit, const char *name,
                                           struct machine_window window, const char *folder, const char *path,
                                           struct error *e);
/* Closes the file. Returns false with *e (EXIT_USER) if it could not be written. `w` may be NULL. */
bool lone_block_finish(struct lone_block_writer *w, struct error *e);

/* Returns whether a name, up to its last dot, ends with that of a block. */
bool lone_block_is_port(const char *name);

/* --- reading --- */

struct lone_block {
    char name[2 * TWIN_PLACE_NAME]; /* name with its place: scheduler1.coalescer */
    uint64_t first;                 /* first cycle that was asked for */
    size_t count;                   /* cycles */
    uint64_t *cycle;
    bool *begins;                   /* the block has been reset before this cycle */
    size_t bytes;                   /* bytes of the values of a cycle */
    char *kept;                     /* inputs and flip-flops of each cycle, and the outputs of the model */
    char *value;                    /* values of the cycle to which the Verilog is set */
    char *put;                      /* values in the Verilog */
    bool is_put;                    /* there are any */
    size_t at[VERILOG_MAX_SIGNALS]; /* place of each port of the twin among the values */
    struct twin twin;
};

/* Reads a file, and builds the block's Verilog. Returns false with *e (EXIT_USER) if the block has no cycle
 * in the window, or there is no Verilator. Free it in either case. */
bool lone_block_open(struct lone_block *l, const char *path, const char *folder, struct error *e);
void lone_block_free(struct lone_block *l);

/* Sets the values to those of cycle `n`. */
void lone_block_load(struct lone_block *l, size_t n);
/* Evaluates the Verilog with the values, then makes its edge if wanted: outputs and flip-flops are those of
 * the Verilog. Returns false if it stops, since such values cannot occur. */
bool lone_block_evaluate(struct lone_block *l, bool edge);

#endif
