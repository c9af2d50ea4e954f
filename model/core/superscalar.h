/*
 * superscalar: common parts of the core kinds in_order and out_of_order: fetch with a branch predictor into a
 * queue, functional units, causes of cycles, counters.
 *
 * Fetch. In a cycle the core fetches the instructions from its fetch PC to the end of the aligned block of
 * `core.fetch_width`, up to the first branch that is predicted taken. They pass the stages of the front end,
 * which hold a fetch each, into the fetch queue; while both are full, the core does not fetch. A miss in the
 * ITLB or L1I holds the fetch until it is answered. An instruction may issue (in_order) `core.front_stages`
 * cycles after its fetch, or be dispatched (out_of_order) one cycle earlier. An instruction executes
 * functionally when it issues or is dispatched, in program order. If it is a branch that was predicted wrong,
 * the queue behind it is dropped and the fetch stops until the branch is resolved: to the end of the cycles
 * of its class, or until its data are there. So no instruction of a wrong path issues, but the wrong path
 * uses L1I and ITLB until then.
 *
 * Units. Additions, shifts and branches use any of the integer units, multiplications and divisions the first
 * one; VFP instructions any of the VFP units, divisions and square roots the first one; loads and stores the
 * one load-store unit. A unit is held for the occupancy of the instruction's class. If several are free, an
 * instruction takes the last one.
 *
 * Instructions that issue alone and in order: those of the co-processor, exclusive accesses, barriers (DMB,
 * DSB, ISB), CLREX, VMSR, SVC, WFI, and undecoded ones.
 *
 * Known inaccuracies: the wrong path uses no window, unit or L1D; a fetch that is dropped while it waits for
 * its line no longer occupies anything.
 */
#ifndef MODEL_CORE_SUPERSCALAR_H
#define MODEL_CORE_SUPERSCALAR_H

#include "model/core/branch_tables.h"
#include "model/core/core.h"
#include "sim/histogram.h"

#define SUPERSCALAR_NEVER (UINT64_MAX / 2) /* an unknown cycle; latencies may be added to it */

/* --- fetch queue --- */

/* Instructions fetched in one cycle. */
struct fetch_group {
    uint32_t pc, count;
    uint64_t ready; /* first cycle in which they may issue or be dispatched */
};

#define FETCH_GROUPS 256 /* not less than the entries of the queue and the stages */
_Static_assert(FETCH_GROUPS >= CORE_MAX_FETCH_QUEUE + CORE_MAX_FRONT_STAGES, "each may hold a group");

struct front_end {
    struct branch_tables predictor;
    struct fetch_group group[FETCH_GROUPS]; /* ring of the groups in the stages and in the queue */
    unsigned first, groups, instructions;
    uint32_t pc;              /* PC of the next fetch */
    uint64_t next;            /* cycle of the next fetch; SUPERSCALAR_NEVER: waits for a branch */
    unsigned stages;          /* cycles from a fetch to issue or dispatch */
    enum machine_cause cause; /* reason for an empty queue */
    unsigned most_instructions, most_groups; /* largest numbers that leave room for another fetch */
    uint32_t looked_up;                      /* address >> line shift of the line fetched last; ~0: none */
};

/* --- state --- */

struct window; /* out_of_order.h */

struct superscalar {
    struct front_end front;
    uint64_t integer[CORE_MAX_UNITS], vfp[CORE_MAX_UNITS]; /* first cycle in which each unit is free */
    uint64_t load_store; /* first cycle in which the load-store unit is free */

    /* State of the core's cycle `next`, which is partly done: */
    unsigned slot;            /* instructions issued or dispatched */
    bool ended;               /* no more instructions issue */
    enum machine_cause cause; /* reason for the end */
    uint64_t retry;           /* first cycle in which the next instruction may issue */

    uint64_t other;                  /* first cycle in which Q and GE are usable */
    uint64_t all;                    /* first cycle in which all results of the past are usable */
    uint64_t written[ARM_RESOURCES]; /* cycle of the last issue of an instruction that writes each resource */
    uint64_t missed;                 /* first cycle in which the data of the last missing load are usable */
    uint64_t blocked; /* in_order: the next instruction does not issue before this cycle unless an access is
                         made */
    struct core_access queue[CORE_MAX_LSQ]; /* in_order: ring of pending accesses */
    unsigned first_access, accesses;
    uint64_t access_next;  /* first cycle in which the next access may be in X */
    struct window *window; /* NULL: in_order */
    uint64_t last_cycle;   /* last cycle that ended, or the first of several equal ones */
    unsigned last_issued;  /* instructions issued or selected in that cycle */
    uint32_t recorded_pc;  /* address of the first instruction issued in a cycle */
    unsigned recorded;     /* number of instructions issued in that cycle */

    /* Counters: */
    uint64_t kernel_instructions;
    uint64_t branches, taken, wrong, wrong_target, btb_hits;
    struct histogram issued;          /* instructions issued (in_order) or selected in a cycle */
    struct histogram queue_occupancy; /* instructions in the fetch queue at the end of a cycle */
    struct histogram lsq_occupancy;   /* entries of the load-store queue in use at the end of a cycle */
};

/* Returns the used entries of an in-order core's load-store queue in cycle t. */
static inline unsigned superscalar_queued(const struct superscalar *s, uint64_t t) {
    return s->accesses + (s->access_next > t);
}

#endif
