/*
 * sm_lanes: the lanes of an SM (lanes.md §1, §2): one group of all, side by side, whose warp instructions
 * take a round for each part of the warp as wide as their unit (spatial); or lane groups, each with a slice
 * of the register file, collectors and an instruction register of its own (temporal, spatio-temporal), of
 * which each executes instructions of its own warps while the others execute theirs.
 *
 * Warp w is in lane group w mod groups, in its slot w / groups. Register d of the positions of round q is in
 * bank (d + slot + q) mod banks of the group's slice, and up to two rounds are read in a cycle.
 *
 * The special function units and local memory are the cluster's: the former execute one instruction at a
 * time, thread by thread; the latter serves the rounds that the groups present bank by bank
 * (local_memory_arbiter). The load-store unit assembles one instruction for each group, which delivers the
 * addresses of the next when that has begun to send its transactions; without ldst.overlap, when it has sent
 * the last.
 *
 * Of code that was scalarized (lanes.md §3, §4) an instruction may be scalar: lanes execute it in one round
 * of one thread, and a scalar register is one word of a warp, number s of which is in bank (s + slot) mod
 * banks; or a scalar unit beside spatial lanes does. A vector instruction reads scalars once, with its first
 * round. The scoreboard knows registers by the names that they have in the code.
 *
 * With chaining an instruction may issue when the first round of what it uses has been written, if both have
 * the same active threads; it reads round v after round v of that has been written. Flags are awaited whole.
 */
#ifndef MODEL_SM_SM_LANES_H
#define MODEL_SM_SM_LANES_H

#include "model/config/limits.h"
#include "model/control/lane_scheduler.h"
#include "model/control/local_memory_arbiter.h"

#include <stdbool.h>
#include <stdint.h>

#define SM_LANE_READS 2 /* rounds that a lane group reads in a cycle, where banks allow */

/* The memory instruction whose addresses a lane group delivers. */
struct sm_assembler {
    uint16_t flight;    /* SM_NO_FLIGHT: none */
    bool sends;         /* all of it is there: the load-store unit sends its transactions */
    uint64_t local;     /* its threads that access local memory, */
    uint16_t words;     /* rounds of a word each that they take, */
    uint16_t served;    /* and how many have been served; */
    uint64_t left;      /* threads that the next has still to serve */
    uint16_t arrived;   /* rounds of addresses that were there at the end of the last cycle */
    uint64_t presented; /* for waves: the last cycle in which it presented a round, */
    bool waits;         /* and not all of that was served */
};

struct sm_lanes {
    unsigned groups, width; /* 1 and all lanes: spatial */
    bool apart;             /* they are groups with registers of their own */
    bool chaining, compaction;
    bool by_round;    /* banks are those of vrf.bank_map round */
    bool in_turn;     /* an instruction register: operands of one instruction after the other are read */
    bool scalar_unit; /* scalar instructions and registers are beside the lanes */
    unsigned turn;    /* group that the next warp is placed in, if it has room */
    uint32_t reading; /* groups whose instruction register holds what has still to be read */
    struct lane_scheduler scheduler;
    struct local_memory_arbiter arbiter;
    uint64_t withheld, unserved; /* cycles in which Verilog has let no warp issue, has served no thread */
    uint32_t word[32];           /* that the arbiter is asked for */
    struct sm_assembler assembler[SM_MAX_LANE_GROUPS];
    int sfu;           /* the flight in the special function units; -1: none */
    uint64_t sfu_next; /* first cycle in which they take threads */

    /* counters */
    uint64_t rounds, skipped, scalar_instructions;
    uint64_t scalar_reads, scalar_writes;                                  /* kernel.scalarize */
    uint64_t scalar_mix[ARM_CLASS_COUNT], scalar_threads[ARM_CLASS_COUNT]; /* likewise */
    uint64_t conflicts[3];               /* cycles in which 1, 2, 3 or more groups waited for the issue */
    uint64_t with_warp, with_ready_warp; /* groups, added up over cycles */
    uint64_t robbed; /* rounds of local memory that waited for another group, a cycle each */
    uint64_t warps_instructions[SM_MAX_LANE_GROUPS], threads_instructions[SM_MAX_LANE_GROUPS];
    uint64_t warps; /* of the cluster, added up over cycles */

    /* Over time, of the launch that began last: in each interval of so many cycles (0: nothing is noted) the
     * threads for which each group's instructions were issued. */
    uint64_t interval, began;
    uint32_t (*over_time)[SM_MAX_LANE_GROUPS];
    size_t intervals, interval_room;
};

#endif
