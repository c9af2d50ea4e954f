/*
 * twins: the blocks of a machine bound to their C model, to the model and its Verilog in lockstep, to the
 * Verilog with the model compared, or to a user's Verilog of another policy.
 *
 * Each cluster's blocks have twins of their own. A block exists in the cycles in which its cluster is in SIMT
 * mode, the thread descriptor table also in those in which contexts start; it is compared in each of them,
 * and twins_judge() says so if it was not. In every cycle it is held to its slot's contract (contract.h), in
 * mode replace to nothing else. The first difference, or rule broken, stops the launch with
 * EXIT_TWINS_DISAGREE; nothing is resynchronised or masked.
 */
#ifndef TB_TWINS_H
#define TB_TWINS_H

#include "model/machine/machine.h"
#include "tb/toggles.h"
#include "tb/twin_block.h"

/* --- options --- */

enum twins_mode { TWINS_OFF, TWINS_CHECK, TWINS_DRIVE, TWINS_REPLACE };
#define TWINS_MODES 4
extern const char *const twins_mode_name[TWINS_MODES]; /* "off", "check", … */

struct twins_options {
    enum twins_mode mode[CLUSTER_BLOCK_COUNT]; /* of blocks that the machine has; */
    bool named[CLUSTER_BLOCK_COUNT];           /* which it must */
    /* The user's Verilog of a block, top NULL: called as the block; no files: ours. */
    struct verilog_source source[CLUSTER_BLOCK_COUNT];
    unsigned limit;       /* seconds of processor time that a design may work without a cycle; 0: any */
    int seed;             /* of flip-flops without a value at reset: 1 or more */
    bool toggles;         /* of the inputs of our own Verilog of clusters are counted */
    uint64_t cycles;      /* work-groups that begin later are not compared; 0: all are */
    const char *folder;   /* where our Verilog is */
    const char *window;   /* the waveform written on a mismatch, NAME.fst */
    char *const *command; /* said to replay it; NULL: nothing is said */
    /* Called before a block is built, which takes seconds, with its name and its
     * first file; NULL: nothing. */
    void (*on_build)(const char *block, const char *file);
    /* Called when a user's design has been built, with what is to be said of it; NULL: nothing. */
    void (*on_notices)(const char *block, const char *top, const struct verilog_notices *n);
};

/* --- functions --- */

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
    const struct twin_block *block;
    const char *source; /* the (first) file */
    const char *top;
    const char *left_out; /* memories of a user's that the trace is without; NULL: none */
    bool own;             /* ours */
    enum twins_mode mode;
    uint64_t comparisons, mismatches;
    uint64_t evaluated; /* of the comparisons, those for which the Verilog was evaluated */
};
/* Of the n-th block that is not off, in all clusters; false if there are not so many. */
bool twins_count(const struct twins *t, unsigned n, struct twins_count *count);
/* Of its n-th input port, in all clusters; false if there are not so many, or nothing was to be counted. */
bool twins_toggles(const struct twins *t, const struct twin_block *b, unsigned n,
                   struct toggles_count *count);
int twins_seed(const struct twins *t);

/* What the Verilog and the comparison took of the host's time, from a sample of their cycles. */
double twins_seconds(const struct twins *t);

/* What becomes of a flip-flop of the model, a signal of that block. */
enum twins_internal { TWINS_COMPARED, TWINS_NOT_THERE, TWINS_OTHER_WIDTH, TWINS_FREE };
enum twins_internal twins_internal(const struct twins *t, const struct twin_block *b, unsigned signal);

/* After sound launches: did no block that drives differ from its model, was every block compared in every
 * cycle in which it existed, and in any at all? False and *e otherwise. */
bool twins_judge(const struct twins *t, struct error *e);

#endif
