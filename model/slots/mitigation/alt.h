/*
 * alt: what alternate execution keeps of flights whose threads have several instructions. No other filling
 * reads it.
 */
#ifndef MODEL_SLOTS_MITIGATION_ALT_H
#define MODEL_SLOTS_MITIGATION_ALT_H

#include "model/unit/unit.h"

#define ALT_MAX_ROUNDS 64

struct alt_flight {
    struct alt_group {
        struct arm_instruction *i; /* NULL: the PC is outside the text */
        uint32_t pc;
        uint64_t mask, passed; /* threads; those whose condition held */
    } group[ARM_MAX_POSITIONS];
    unsigned groups;
    uint8_t of[ARM_MAX_POSITIONS]; /* the group of each thread */

    unsigned f_round; /* the round that is fetched last, or has been */
    uint64_t fetched[ALT_MAX_ROUNDS];

    unsigned o_round, o_left; /* the next round to collect; reads left of the one that has begun */
    unsigned o_phase;         /* cycles of the read under way */
    bool o_begun;
    uint64_t collected[ALT_MAX_ROUNDS]; /* last cycle of O of each round before o_round */

    unsigned x_round, x_beat, x_beats, x_loads,
        x_stores;         /* words in TPMs that the beat has still to access */
    unsigned x_occupancy; /* of a beat */
    bool x_begun;         /* the beat has */
    uint64_t x_until;     /* first cycle of the next round */

    uint64_t result[ALT_MAX_ROUNDS]; /* the last result of a round so far */
    uint8_t held[ALT_MAX_ROUNDS];    /* its accesses that wait for translations */
    uint8_t words[ALT_MAX_ROUNDS];   /* that the lane with most of them has still to write */
    unsigned w_round;
    uint64_t last;      /* the last W or X so far */
    bool started;       /* all rounds have been */
    unsigned committed; /* groups; those before it in the list have */
    uint64_t stay; /* threads of the committed groups that do not wait at a barrier and have not exited */
};

/* All mixed flights of a unit. */
struct mixed_flights {
    int fetching, collecting; /* of these, the one in F or O, or UNIT_NONE */
    struct alt_flight state[TDT_MAX_WARPS];
};

#endif
