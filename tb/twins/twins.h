/*
 * twins: the blocks of a machine, bound to one of: the C model; model and Verilog in lockstep; the Verilog,
 * with the model compared; a user's Verilog of another policy.
 *
 * Each cluster's blocks have twins of their own. A block exists in the cycles in which its cluster is in SIMT
 * mode, the thread descriptor table also in those in which contexts start. It is compared in each of them,
 * and twins_judge() reports a missing comparison. In every cycle its slot's contract is checked (contract.h),
 * in mode replace nothing else. The first difference, or rule broken, stops the launch with
 * EXIT_TWINS_DISAGREE; nothing is resynchronised or masked. */
#ifndef TB_TWINS_H
#define TB_TWINS_H

#include "model/machine/machine.h"
#include "tb/verilated/toggles.h"
#include "tb/twins/twin_block.h"

/* --- options --- */

enum twins_mode { TWINS_OFF, TWINS_CHECK, TWINS_DRIVE, TWINS_REPLACE };
#define TWINS_MODES 4
extern const char *const twins_mode_name[TWINS_MODES]; /* "off", "check", … */

struct twins_options {
    enum twins_mode mode[CLUSTER_BLOCK_COUNT]; /* mode of each block */
    bool named[CLUSTER_BLOCK_COUNT];           /* blocks named by the user, which the machine must have */
    /* The user's Verilog of a block; top NULL: the block's name; no files: ours. */
    struct verilog_source source[CLUSTER_BLOCK_COUNT];
    unsigned limit;       /* seconds of CPU time that a design may take for a cycle; 0: unlimited */
    int seed;             /* seed of flip-flops without a value at reset: at least 1 */
    bool toggles;         /* counts toggles of the inputs of our own Verilog of clusters */
    uint64_t cycles;      /* work-groups that begin in later cycles are not compared; 0: all are */
    const char *folder;   /* folder of our Verilog */
    const char *window;   /* waveform written on a mismatch, NAME.fst */
    char *const *command; /* command that replays it; NULL: not printed */
    /* Called before a block is built, which takes seconds, with its name and its first file; may be NULL. */
    void (*on_build)(const char *block, const char *file);
    /* Called when a user's design has been built, with messages about it; may be NULL. */
    void (*on_notices)(const char *block, const char *top, const struct verilog_notices *n);
};

/* --- functions --- */

struct twins;

/* Builds or loads the Verilog of every block that is not off and attaches it to the machine, before its first
 * launch. Returns NULL with *e (EXIT_USER) on failure. `o`, its pointers, and the machine must outlive the
 * twins. */
struct twins *twins_create(const struct twins_options *o, struct machine *m, struct error *e);
void twins_destroy(struct twins *t);

/* Declares scope rtl in a trace (rtl0, rtl1 … with several clusters), after machine_trace(); values are
 * traced in the traced cycles. */
void twins_trace(struct twins *t, struct trace *trace);

struct twins_count {
    const struct twin_block *block;
    const char *source; /* first file */
    const char *top;
    const char *left_out; /* memories of a user's design that are not in the trace; NULL: none */
    bool own;             /* our own Verilog */
    enum twins_mode mode;
    uint64_t comparisons, mismatches;
    uint64_t evaluated; /* comparisons for which the Verilog was evaluated */
};
/* Returns the counts of the n-th block that is not off, over all clusters; false after the last. */
bool twins_count(const struct twins *t, unsigned n, struct twins_count *count);
/* Returns the counts of its n-th input port, over all clusters; false after the last, or without counting. */
bool twins_toggles(const struct twins *t, const struct twin_block *b, unsigned n,
                   struct toggles_count *count);
int twins_seed(const struct twins *t);

/* Returns an estimate of the host time of Verilog and comparison, from a sample of cycles. */
double twins_seconds(const struct twins *t);

/* Returns whether a flip-flop of the model (signal `signal` of a block) is compared with the Verilog and, if
 * not, why. */
enum twins_internal { TWINS_COMPARED, TWINS_NOT_THERE, TWINS_OTHER_WIDTH, TWINS_FREE };
enum twins_internal twins_internal(const struct twins *t, const struct twin_block *b, unsigned signal);

/* Returns why a block is compared in no cycle. */
const char *twins_idle(const struct twin_block *b);

/* Judges sound launches: no driving block differed from its model, and every block was compared in each of
 * its cycles. At least one was compared, and each named by the user. Returns false with *e otherwise. */
bool twins_judge(const struct twins *t, struct error *e);

#endif
