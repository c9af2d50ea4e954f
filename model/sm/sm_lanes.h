/*
 * sm_lanes: the lanes of an SM (lanes.md §1, §2). Spatial: one group of all lanes; a warp instruction takes a
 * round for each part of the warp with the unit's width. Temporal and spatio-temporal: lane groups, each with
 * its own slice of the register file, collectors and instruction register, which execute instructions of
 * different warps in parallel.
 *
 * Warp w is in lane group w mod groups, in its slot w / groups. Register d of the positions of round q is in
 * bank (d + slot + q) mod banks of the group's slice. Up to two rounds are read in a cycle.
 *
 * The special function units and local memory are shared by the cluster: the former execute one instruction
 * at a time, thread by thread; the latter serves the groups' rounds bank by bank (local_memory_arbiter). The
 * load-store unit collects the addresses of one instruction for each group. The group delivers the addresses
 * of its next instruction when the first has begun to send its transactions; without ldst.overlap, when it
 * has sent the last.
 *
 * In scalarized code (lanes.md §3, §4) an instruction may be scalar. Lanes execute it in one round with one
 * thread, or a scalar unit in addition to spatial lanes executes it. In lanes, scalar register s is one word
 * of a warp in bank (s + slot) mod banks. A vector instruction reads scalars once, with its first round. The
 * scoreboard uses the registers' names in the code.
 *
 * With chaining, an instruction may issue when the first round of its operands has been written, if both
 * instructions have the same active threads. It reads round v after round v has been written. Flags must be
 * complete. */
#ifndef MODEL_SM_SM_LANES_H
#define MODEL_SM_SM_LANES_H

#include "model/config/limits.h"
#include "model/control/lane_scheduler.h"
#include "model/control/local_memory_arbiter.h"

#include <stdbool.h>
#include <stdint.h>

#define SM_LANE_READS 2 /* rounds that a lane group reads in a cycle, if banks allow */

/* The memory instruction whose addresses a lane group delivers. */
struct sm_address_collector {
    uint16_t flight;    /* SM_NO_FLIGHT: none */
    bool sends;         /* complete: the load-store unit sends its transactions */
    uint64_t local;     /* threads that access local memory */
    uint16_t words;     /* rounds of one word each for these */
    uint16_t served;    /* rounds served */
    uint64_t left;      /* threads of the next round still to be served */
    uint16_t arrived;   /* rounds of addresses present at the end of the last cycle */
    uint64_t presented; /* for waves: last cycle in which a round was presented */
    bool waits;         /* presenting, and not served completely */
};

struct sm_lanes {
    unsigned groups, width; /* 1 and all lanes: spatial */
    bool apart;             /* groups with their own registers */
    bool chaining, compaction;
    bool packs;       /* simt.mitigation slp: lanes execute their own active threads without gaps */
    bool by_round;    /* banks by vrf.bank_map round */
    bool by_lane;     /* both: in a round each lane has a row of its own, in a bank of its own */
    bool in_turn;     /* operands are read one instruction after the other, from an instruction register */
    bool scalar_unit; /* scalar instructions and registers have their own unit */
    unsigned turn;    /* group for the next warp, if it has room */
    uint32_t reading; /* groups whose instruction register still has reads */
    struct lane_scheduler scheduler;
    struct local_memory_arbiter arbiter;
    uint64_t withheld, unserved; /* cycles in which Verilog granted no warp; served no thread */
    uint32_t word[32];           /* words requested from the arbiter */
    uint64_t banks_at, banks;    /* last cycle in which it served threads; their banks */
    struct sm_address_collector address_collector[SM_MAX_LANE_GROUPS];
    int sfu;           /* flight in the special function units; −1: none */
    uint64_t sfu_next; /* first cycle in which the units take threads */

    /* counters */
    uint64_t rounds, skipped, scalar_instructions;
    uint64_t scalar_reads, scalar_writes;                                  /* kernel.scalarize */
    uint64_t scalar_mix[ARM_CLASS_COUNT], scalar_threads[ARM_CLASS_COUNT]; /* kernel.scalarize */
    uint64_t conflicts[3];               /* cycles in which 1, 2, 3 or more groups waited for the issue */
    uint64_t with_warp, with_ready_warp; /* groups, summed over cycles */
    uint64_t robbed; /* rounds of local memory that waited for another group, for each cycle */
    uint64_t warps_instructions[SM_MAX_LANE_GROUPS], threads_instructions[SM_MAX_LANE_GROUPS];
    uint64_t warps; /* warps of the cluster, summed over cycles */

    /* Record of the last launch: in each interval of `interval` cycles (0: none), the threads for which each
     * group's instructions were issued. */
    uint64_t interval, began;
    uint32_t (*over_time)[SM_MAX_LANE_GROUPS];
    size_t intervals, interval_room;
};

#endif
