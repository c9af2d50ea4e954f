/*
 * alt: state of mixed flights, whose threads have several instructions (alternate execution). No other
 * filling reads it.
 */
#ifndef MODEL_SLOTS_MITIGATION_ALT_H
#define MODEL_SLOTS_MITIGATION_ALT_H

#include "model/unit/unit.h"

#define ALT_MAX_ROUNDS 64

struct alt_flight {
    struct alt_group {
        struct arm_instruction *i; /* NULL if the PC is outside the text */
        uint32_t pc;
        uint64_t mask, passed; /* threads of the group; threads whose condition held */
    } group[ARM_MAX_POSITIONS];
    unsigned groups;
    uint8_t of[ARM_MAX_POSITIONS]; /* group of each thread */

    unsigned f_round; /* the last round whose fetch has begun */
    uint64_t fetched[ALT_MAX_ROUNDS];

    unsigned o_round, o_left; /* the next round to collect; its words left to read */
    unsigned o_phase;         /* cycles so far of the current read */
    bool o_begun;
    uint64_t collected[ALT_MAX_ROUNDS]; /* last cycle of O of each round before o_round */

    /* The round in X; its current beat; its number of beats; words in TPMs that the beat has still to load
     * and to store. */
    unsigned x_round, x_beat, x_beats, x_loads, x_stores;
    unsigned x_occupancy; /* cycles from a beat to the next */
    bool x_begun;         /* the current beat has started */
    uint64_t x_until;     /* first cycle of the next round */

    uint64_t result[ALT_MAX_ROUNDS]; /* the latest result of each round so far */
    uint8_t held[ALT_MAX_ROUNDS];    /* accesses of each round that wait for translations */
    uint8_t words[ALT_MAX_ROUNDS];   /* words left to write for each round: those of the busiest lane */
    unsigned w_round;
    uint64_t last;      /* the latest cycle of W or X so far */
    bool started;       /* all rounds have started */
    unsigned committed; /* committed groups, the first ones of the list */
    uint64_t stay;      /* threads of the committed groups that neither wait at a barrier nor have exited */
};

/* All mixed flights of a unit. */
struct mixed_flights {
    int fetching, collecting; /* numbers of the mixed flights in F and in O, or UNIT_NONE */
    struct alt_flight state[TDT_MAX_WARPS];
};

#endif
