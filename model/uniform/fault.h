/* fault: one particle that strikes a cluster or an SM, and the effect of error detection (uniform §3.3;
 * machine.md §9).
 *
 * Places of the struck bit:
 *   alu       the result that a lane computes: the written row, or NZCV if no row is written
 *   register  a row of a live thread in the TPM or in the vector register file that the program has used
 *   srf       a mapped scalar register (uniform.storage srf)
 *   irb       a valid entry of the instruction reuse buffer, except its rank (uniform.inter)
 * Unused bits are left out: faults there would all be masked.
 *
 * Detection exists with uniform.intra and costs nothing, since uniform values leave lanes and words idle. An
 * ALU operation that is executed once for all threads is executed by two lanes; if their results differ, the
 * launch is stopped (FAULT_DETECTED). A scalar is stored twice, each copy with a parity bit (scalar_pair.h):
 * with storage token by the threads of the last round in lanes 0 and 1; with srf in the scalar register and
 * by thread 0. A wrong copy is noticed and corrected at the next read (FAULT_CORRECTED). The other threads'
 * words of a register with a scalar are unused: a particle there has no effect. With uniform.inter, entries
 * of the reuse buffer have parity: a bad one is not used, and the instruction executes (FAULT_CORRECTED).
 *
 * Time: an ALU fault strikes a given operation of a thread, counted as in the program: an operation executed
 * once counts for all its threads; operations whose result is in the reuse buffer are not executed at all.
 * Other faults strike in a given cycle of SIMT mode; on an SM, of the cycles with work-groups.
 *
 * Without a fault, struct fault only counts operations. */
#ifndef MODEL_UNIFORM_FAULT_H
#define MODEL_UNIFORM_FAULT_H

#include "model/config/machine_config.h"
#include "model/uniform/scalar_pair.h"
#include "model/uniform/uniform.h"

#define FAULT_PLACES(X)                                                                                      \
    X(ALU, "alu", "result of an ALU operation")                                                              \
    X(REGISTER, "register", "bit of a thread's register")                                                    \
    X(SRF, "srf", "bit of the scalar register file")                                                         \
    X(IRB, "irb", "bit of the instruction reuse buffer")
enum fault_place {
#define X(id, name, what) FAULT_##id,
    FAULT_PLACES(X)
#undef X
        FAULT_PLACE_COUNT
};
extern const char *const fault_place_name[FAULT_PLACE_COUNT];
extern const char *const fault_place_description[FAULT_PLACE_COUNT];

enum fault_state {
    FAULT_NONE,     /* no fault */
    FAULT_TO_COME,  /* not struck yet */
    FAULT_NOWHERE,  /* unused bits were struck, or the struck bit was overwritten */
    FAULT_AT_LARGE, /* a bit has been changed, without detection */
    FAULT_DETECTED,
    FAULT_CORRECTED
};

struct fault {
    enum fault_place place;
    uint64_t at;     /* operation of a thread, from 0; else cycle, from 0, over all launches */
    uint64_t random; /* selects bit, register and thread */
    enum fault_state state;
    uint64_t operations; /* operations of threads so far */
    uint64_t used;       /* rows that instructions have read or written so far */
    /* State of a scalar with a wrong copy. */
    bool waiting;
    unsigned warp, row;
    uint64_t group; /* number of ended work-groups at the strike */
    struct scalar_pair pair;
};

/* The target of the fault: a cluster, or an SM. */
struct fault_unit {
    const struct machine_config *config;
    struct uniform *uniform;
    unsigned warps;
    uint64_t groups_done;
    void *owner;
    struct arm_threads *(*threads)(void *owner, unsigned warp);
    uint64_t (*live)(const void *owner, unsigned warp); /* threads that have not exited */
    /* Stops the launch with a message about a thread of a warp at an address. */
    void (*detected)(void *owner, unsigned warp, unsigned position, uint32_t pc, const char *does);
};

/* An instruction of a warp. */
struct fault_instruction {
    const struct arm_instruction *i;
    unsigned warp;
    uint32_t pc;
    uint64_t participating, passed;
    enum uniform_form form;
    const uint16_t
        *threads; /* for each position, if the threads are of any warps: warp · simt.warp_size + position */
};

/* Returns why a machine does not have a place; NULL if it does. */
const char *fault_place_missing(const struct machine_config *c, enum fault_place place);

/* --- for the cluster or SM with a fault --- */

/* Returns the cycle of the strike, counted after `passed` cycles, if a cycle determines it; else
 * UINT64_MAX. */
uint64_t fault_due_in(const struct fault *f, uint64_t passed);
/* Strikes, except in the ALU. */
void fault_strike(struct fault *f, const struct fault_unit *u);
/* Called before an instruction executes (i NULL: none); after it has executed. */
void fault_reads(struct fault *f, const struct fault_unit *u, const struct fault_instruction *x);
void fault_writes(struct fault *f, const struct fault_unit *u, const struct fault_instruction *x);
/* Called when the form of its execution is known. */
void fault_executed(struct fault *f, const struct fault_unit *u, const struct fault_instruction *x);
/* Called when the reuse buffer has been evaluated. */
void fault_reused(struct fault *f, const struct uniform *u);

#endif
