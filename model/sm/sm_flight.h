/*
 * sm_flight: a warp instruction of an SM from its issue to its last write (gpu-like.md §3).
 *
 * An instruction of R rounds and B beats (a multiple access has one for each register, others have one)
 * passes its unit in R · B rounds, beat by beat. On lane groups, the special function units process threads
 * in place of rounds (lanes.md §2). An instruction executed for one thread (uniform.intra) has R = 1.
 */
#ifndef MODEL_SM_SM_FLIGHT_H
#define MODEL_SM_SM_FLIGHT_H

#include "model/arm/arm.h"
#include "model/core/launch.h"
#include "model/uniform/uniform.h"

#define SM_MAX_ROUNDS 64 /* rounds of an instruction in a unit: warp size over lanes */
#define SM_NO_FLIGHT  UINT16_MAX
#define SM_EACH_APART UINT64_MAX

enum sm_effect { SM_NO_EFFECT, SM_BRANCH, SM_BARRIER, SM_EXIT };

/* The threads of a flight: those of a warp of the register file, or any threads. */
struct sm_threads {
    uint32_t warp; /* number in the engine */
    bool regrouped;
    bool in_place;                  /* regrouped: adjacent in the flight's warp of the register file */
    uint8_t first;                  /* place of the first position there, active or not */
    uint16_t at[ARM_MAX_POSITIONS]; /* regrouped, not in place: for each position, the thread's warp of the
                                       register file times the warp size, plus its position there */
};

/* Fields that every stage reads come first, adjacent in the host's cache. */
struct sm_flight {
    const struct arm_instruction *i;
    uint32_t pc;
    uint16_t next;            /* next flight in its list */
    uint8_t warp;             /* warp of the register file of the first thread */
    uint8_t unit, kind;       /* enum sm_unit_kind */
    uint8_t effect;           /* enum sm_effect */
    uint8_t lane_group, bank; /* bank of register 0 in round 0 */
    uint16_t latency, occupancy;
    uint16_t of_beat; /* R: 1 if executed for one thread */
    uint16_t reads;   /* R · B: rounds to collect */
    uint16_t rounds;  /* rounds that pass the unit */
    uint16_t o_round; /* O: rounds collected */
    uint16_t x_round; /* X: rounds started */
    uint16_t served;  /* LDST, by_round: rounds served */
    uint16_t w_round; /* W, with a bank: rounds written */
    uint16_t answers; /* LDST: transactions without answer */
    bool all_sent;
    bool by_round;    /* loads from local memory only, with rounds written one by one */
    bool from_memory; /* writes answers of memory, in the cycles from w_first on */
    bool commits;     /* barrel: its warp is committed with it */

    /* W */
    uint64_t w_next;       /* lower bound of the cycle of its next write */
    uint64_t destinations; /* registers still to write */
    uint64_t flags;        /* resources without a bank still to be written, with the last round */
    uint64_t w_bank;       /* bank of the only register that it writes; 0: other results */
    uint64_t w_first;      /* loads: cycle of the first round's write */

    /* O */
    uint64_t o_from;           /* first cycle of O */
    uint64_t o_left;           /* registers of the next round still to be read */
    uint64_t o_whole, o_banks; /* registers of every round, and their banks; SM_EACH_APART: rounds differ */
    uint64_t unread;           /* registers with pending reads */
    uint64_t age;              /* number of the instruction in order of issue */
    uint64_t issue;            /* cycle of the issue */
    uint64_t x_first, x_last;  /* cycles in which the first and the last round start */
    uint64_t participating, passed;
    uint64_t taken; /* bit for each place */
    uint64_t saved; /* registers that it saves or restores in scalarized code: not operands */
    const struct machine_scalarized *scalarized; /* NULL: the code was not scalarized */
    uint64_t chained;                            /* registers that older instructions have still to write */
    uint64_t follows;                            /* rounds of which these were written in earlier cycles */
    uint64_t data;                               /* LDST: cycle at whose end the data so far are present */
    uint64_t in_stack;                           /* LDST */
    struct uniform_flight uniform;               /* all 0 without uniform values */
    uint8_t renames, renamed;       /* cycles in which its results get scalar registers: all; so far */
    uint8_t in_order;               /* number of elements of `place` with place[n] = n */
    uint64_t x_at[SM_MAX_ROUNDS];   /* X: by_round: cycle in which local memory has served it */
    uint64_t w_left[ARM_REGISTERS]; /* W: for each destination: rounds still to be written */

    struct sm_threads threads;
    uint32_t address[ARM_MAX_POSITIONS]; /* LDST */
    uint8_t place[SM_MAX_ROUNDS]; /* for each of R rounds: round v has the positions from place · width on */
    uint16_t producer[ARM_REGISTERS]; /* producer of each chained register */
};

#endif
