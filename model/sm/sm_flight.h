/*
 * sm_flight: a warp instruction of an SM from its issue to its last write (gpu-like.md §3).
 *
 * An instruction of R rounds and B beats (a multiple access has one for each register, others have one) goes
 * through its unit in R · B rounds, beat by beat; on lane groups the special function units take threads in
 * place of rounds (lanes.md §2); one executed for one thread (uniform.intra) has R = 1.
 */
#ifndef MODEL_SM_SM_FLIGHT_H
#define MODEL_SM_SM_FLIGHT_H

#include "model/arm/arm.h"
#include "model/core/launch.h"
#include "model/uniform/uniform.h"

#define SM_MAX_ROUNDS 64 /* of an instruction, in a unit: warp size over lanes */
#define SM_NO_FLIGHT  UINT16_MAX
#define SM_EACH_APART UINT64_MAX

enum sm_effect { SM_NO_EFFECT, SM_BRANCH, SM_BARRIER, SM_EXIT };

/* The threads of a flight: those of a warp of the register file, or any. */
struct sm_threads {
    uint32_t warp; /* as the engine numbers it */
    bool regrouped;
    bool in_place; /* regrouped: they are side by side in the flight's warp of the register file, */
    uint8_t first; /* that of the first position, whether it takes part or not, in this place of it */
    uint16_t at[ARM_MAX_POSITIONS]; /* regrouped, not in place: of each position: the thread's warp of the
                                       register file times the warp size, plus its position there */
};

/* What every stage looks at comes first and lies together in the host's cache. */
struct sm_flight {
    const struct arm_instruction *i;
    uint32_t pc;
    uint16_t next;            /* in the list it is in */
    uint8_t warp;             /* of the register file: of the first thread */
    uint8_t unit, kind;       /* enum sm_unit_kind */
    uint8_t effect;           /* enum sm_effect */
    uint8_t lane_group, bank; /* of register 0 in round 0 */
    uint16_t latency, occupancy;
    uint16_t of_beat; /* R: 1 if it is executed for one thread */
    uint16_t reads;   /* R · B: rounds to collect */
    uint16_t rounds;  /* that go through the unit */
    uint16_t o_round; /* O: rounds collected */
    uint16_t x_round; /* X: rounds started */
    uint16_t served;  /* LDST, by_round: so many have been served */
    uint16_t w_round; /* W, with a bank: rounds written */
    uint16_t answers; /* LDST: transactions that have not been answered */
    bool all_sent;
    bool by_round;    /* it loads from local memory alone, whose rounds are written one by one */
    bool from_memory; /* it writes what memory answers, in the cycles from w_first on */
    bool commits;     /* barrel: its warp is committed with it */

    /* W */
    uint64_t w_next;       /* no write of it is due before this cycle */
    uint64_t destinations; /* registers still to write */
    uint64_t flags;        /* resources without a bank that it has still to write: with the last round */
    uint64_t w_bank;  /* it writes one register, and nothing else, to this bank; 0: it is not so simple */
    uint64_t w_first; /* loads: cycle of the first round's */

    /* O */
    uint64_t o_from;           /* first cycle of O */
    uint64_t o_left;           /* registers of the next round still to read */
    uint64_t o_whole, o_banks; /* those of every round, which are in so many banks; SM_EACH_APART: there is no
                                  such */
    uint64_t unread;           /* registers with reads left */
    uint64_t age;              /* the n-th instruction issued */
    uint64_t issue;            /* its cycle */
    uint64_t participating, passed;
    uint64_t taken; /* bit per place */
    uint64_t saved; /* registers that it saves or restores: no operands, of code that was scalarized */
    const struct machine_scalarized *scalarized; /* NULL: the code was not */
    uint64_t chained;                            /* registers that older instructions have still to write, */
    uint64_t follows;               /* and the rounds of which those have been written in earlier cycles */
    uint64_t data;                  /* LDST: cycle at whose end the data so far are there */
    uint64_t in_stack;              /* LDST */
    struct uniform_flight uniform;  /* all 0 where nothing is uniform */
    uint8_t renames, renamed;       /* cycles in which its results get scalar registers, all and so far */
    uint8_t in_order;               /* so many of `place` are n */
    uint64_t x_at[SM_MAX_ROUNDS];   /* X: by_round: when local memory has served it */
    uint64_t w_left[ARM_REGISTERS]; /* W: of each destination: rounds still to write */

    struct sm_threads threads;
    uint32_t address[ARM_MAX_POSITIONS]; /* LDST */
    uint8_t place[SM_MAX_ROUNDS]; /* of each of the R: round v is that of the positions place · width on */
    uint16_t producer[ARM_REGISTERS]; /* of each of the chained ones */
};

#endif
