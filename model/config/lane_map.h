/*
 * lane_map: the lane and the round in which each position of a warp executes (machine.md §1, dual-mode
 * equation 4).
 *
 * With `block`, a lane has adjacent positions; with `cyclic`, a round has. `balanced` permutes the threads of
 * each cyclic round, so that neither adjacent threads nor threads a power of two apart share a lane (Rhu and
 * Erez, 2013): lane(k) is the exclusive or of the digits of k in base `lanes`. Cores start the contexts of a
 * cyclic map; the co-processor then moves each to its lane, and no data cross lanes later.
 */
#ifndef MODEL_CONFIG_LANE_MAP_H
#define MODEL_CONFIG_LANE_MAP_H

#include "abi/launch_block.h"

struct lane_map {
    enum lane_map_kind kind;
    unsigned lanes, rounds; /* powers of two; a warp has lanes · rounds positions */
};

/* Returns the exclusive or of the digits of a round's number, which permutes the lanes of its threads. */
static inline unsigned lane_map_turn(unsigned lanes, unsigned round) {
    unsigned turn = 0;
    for (; lanes > 1 && round; round /= lanes) turn ^= round;
    return turn & (lanes - 1);
}

/* Returns the position of the thread that a lane executes in a round. */
static inline unsigned lane_map_position(struct lane_map m, unsigned lane, unsigned round) {
    if (m.kind == LANE_MAP_BLOCK) return lane * m.rounds + round;
    if (m.kind == LANE_MAP_BALANCED) lane ^= lane_map_turn(m.lanes, round);
    return round * m.lanes + lane;
}

static inline unsigned lane_map_round(struct lane_map m, unsigned position) {
    return m.kind == LANE_MAP_BLOCK ? position % m.rounds : position / m.lanes;
}

static inline unsigned lane_map_lane(struct lane_map m, unsigned position) {
    if (m.kind == LANE_MAP_BLOCK) return position / m.rounds;
    const unsigned place = position % m.lanes;
    return m.kind == LANE_MAP_BALANCED ? place ^ lane_map_turn(m.lanes, position / m.lanes) : place;
}

#endif
