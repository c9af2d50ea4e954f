/*
 * twins: the blocks of a machine bound to their C model, to the model and its Verilog in lockstep, or to the
 * Verilog with the model compared.
 *
 * Each cluster's blocks have twins of their own. A block exists in the cycles in which its cluster is in SIMT
 * mode; it is compared in each of them, and twins_judge() says so if it was not. The first difference stops
 * the launch with EXIT_TWINS_DISAGREE; nothing is resynchronised or masked.
 */
#ifndef TB_TWINS_H
#define TB_TWINS_H

#include "model/machine.h"
#include "tb/twin_block.h"

enum twins_mode { TWINS_OFF, TWINS_CHECK, TWINS_DRIVE };
extern const char *const twins_mode_name[]; /* "off", "check", "drive" */

struct twins_options {
    enum twins_mode mode[CLUSTER_BLOCK_COUNT];
    const char *source[CLUSTER_BLOCK_COUNT]; /* Verilog file of a block; NULL: ours */
    const char *folder;                      /* where our Verilog is */
    const char *window;                      /* the waveform written on a mismatch, NAME.fst */
    char *const *command;                    /* said to replay it; NULL: nothing is said */
};

struct twins;

/* Builds or loads the Verilog of every block that is not off and attaches it to the machine, before its first
 * launch. NULL and *e (EXIT_USER) if that fails. `o` and what it points to must outlive the twins, the
 * machine too. */
struct twins *twins_create(const struct twins_options *o, struct machine *m, struct error *e);
void twins_destroy(struct twins *t);

/* Declares scope rtl in a trace (rtl0, rtl1 … with several clusters), after machine_trace(); values are
 * written in the cycles that are traced. */
void twins_trace(struct twins *t, struct trace *trace);

struct twins_count {
    const char *block, *source;
    enum twins_mode mode;
    uint64_t comparisons, mismatches;
};
/* Of the n-th block that is not off, in all clusters; false if there are not so many. */
bool twins_count(const struct twins *t, unsigned n, struct twins_count *count);

/* After sound launches: was every block compared in every cycle in which it existed, and in any at all? False
 * and *e otherwise. */
bool twins_judge(const struct twins *t, struct error *e);

#endif
