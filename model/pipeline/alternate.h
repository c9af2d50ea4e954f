/*
 * alternate: alternate execution (simt.mitigation alt; divergence.md §4; dual-mode §5.3): if the ready
 * threads at the highest level of the selected warp stand at several PCs all of them take part, each with its
 * own instruction. Who waits behind a conditional statement has a lower level than both of its sides, and
 * waits on; without levels (other policies than ICS-First) all ready threads take part. Such a flight is
 * mixed. Each stage takes its rounds one after the other:
 *
 *   F   each lane fetches through its own ITLB and L1I: a cycle, or until the slowest is there
 *   D   in the cycle after F, round by round; the flight has one entry of the dispatch queue, and one
 *       collector
 *   O   each thread's own words: as many reads of the TPM as the lane with most sources needs, at least a
 *       cycle
 *   X   after O, and after the longest occupancy of the round before; a beat of all lanes' accesses a cycle
 *   W   each lane's own words, through the ports that W of other flights leaves in the cycle
 *   C   after the last W or X. Threads that reach a barrier, or exit, at different PCs do so one PC a cycle,
 *       after other flights of the cycle
 *
 * A path with such flights is clocked, whoever looks.
 */
#ifndef MODEL_PIPELINE_ALTERNATE_H
#define MODEL_PIPELINE_ALTERNATE_H

#include "model/pipeline/path.h"

#define ALTERNATE_MAX_ROUNDS 64

struct alternate {
    struct alternate_group {
        struct arm_instruction *i; /* NULL: the PC is outside the text */
        uint32_t pc;
        uint64_t mask, passed; /* threads; those whose condition held */
    } group[ARM_MAX_POSITIONS];
    unsigned groups;
    uint8_t of[ARM_MAX_POSITIONS]; /* the group of each thread */

    unsigned f_round; /* the round that is fetched last, or has been */
    uint64_t fetched[ALTERNATE_MAX_ROUNDS];

    unsigned o_round, o_left; /* the next round to collect; reads left of the one that has begun */
    unsigned o_phase;         /* cycles of the read under way */
    bool o_begun;
    uint64_t collected[ALTERNATE_MAX_ROUNDS]; /* last cycle of O of each round before o_round */

    unsigned x_round, x_beat, x_beats, x_loads,
        x_stores;         /* words in TPMs that the beat has still to access */
    unsigned x_occupancy; /* of a beat */
    bool x_begun;         /* the beat has */
    uint64_t x_until;     /* first cycle of the next round */

    uint64_t result[ALTERNATE_MAX_ROUNDS]; /* the last result of a round so far */
    uint8_t held[ALTERNATE_MAX_ROUNDS];    /* its accesses that wait for translations */
    uint8_t words[ALTERNATE_MAX_ROUNDS];   /* that the lane with most of them has still to write */
    unsigned w_round;
    uint64_t last;      /* the last W or X so far */
    bool started;       /* all rounds have been */
    unsigned committed; /* groups; those before it in the list have */
    uint64_t stay;      /* of their threads those that neither wait nor have ended */
};

/* Is a flight a mixed one? */
static inline bool alternate_is(const struct path *p, unsigned flight) {
    return __builtin_expect(p->mixed != 0, 0) && warp_set_has(p->mixed, flight);
}

/* The ready threads of a warp that may take part in a flight together. */
uint64_t alternate_together(const struct path *p, unsigned warp);
/* A hands over a warp whose ready threads have several PCs: all take part. The first round is fetched in
 * cycle t. */
void alternate_begin(struct path *p, unsigned flight, uint64_t t);

/* At the end of cycle t: the next round is fetched. Is F free for another flight from the next cycle on? */
bool alternate_step_fetch(struct path *p, uint64_t t);
/* D: a load or a store is among its instructions. */
bool alternate_stalls(const struct path *p, unsigned flight);
/* O of cycle t, of the flight that has begun it last. */
void alternate_step_operands(struct path *p, uint64_t t);
/* X. False: the lanes have no mixed flight in cycle t, nor could start one. */
bool alternate_step_lanes(struct path *p, uint64_t t);
/* Its instructions are executed, PC by PC. False: one fails, and is diagnosed. */
bool alternate_execute(struct path *p, unsigned flight, uint64_t t);
/* An access that waited for its translation is done. */
void alternate_made(struct path *p, unsigned flight, unsigned round, uint64_t done);
/* W and C of cycle t, after those of other flights. */
void alternate_write(struct path *p, uint64_t t);
void alternate_commit(struct path *p, uint64_t t);

#endif
