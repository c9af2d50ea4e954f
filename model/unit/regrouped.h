/*
 * regrouped: flights with threads of several warps, for engines that form warps (divergence.md §4.10).
 *
 * A thread's home is its warp and position in the TPMs, where its context stays. An engine names a thread by
 * row and lane (regrouped_warp.h). If the engine's warps have `width` simt.warp_size, a row is a home warp,
 * and a lane is a position. If they are as wide as the cluster's lanes, a row is a round of a home warp.
 * Either way a thread is executed in the lane of its home.
 *
 * A flight has the home of the thread in each of its positions. A home warp with threads in a flight is a
 * part of it.
 */
#ifndef MODEL_UNIT_REGROUPED_H
#define MODEL_UNIT_REGROUPED_H

#include "model/divergence/regrouped_warp.h"
#include "model/unit/unit.h"

struct unit_regrouped {
    unsigned width;                          /* threads of a row and of the engine's warps */
    uint16_t (*home)[MACHINE_MAX_WARP_SIZE]; /* homes of each flight's threads: warp · warp size + position */
    struct warp_wait *wait;                  /* last wait of each thread, by home */
    uint8_t position[REGROUPED_MAX_LANES];   /* position in a flight of each lane of the engine's warps */
};

/* The threads of a flight in one home warp. */
struct unit_part {
    unsigned warp;
    uint64_t threads;   /* as positions of the home warp */
    uint64_t positions; /* as positions of the flight */
};

void unit_regroup(struct unit *u, unsigned width);
void unit_regroup_free(struct unit *u);

/* Calls `begin` for each row with threads at the begin of a stay in SIMT mode. */
void unit_start_regrouped(struct unit *u, void (*begin)(struct unit *u, const struct regrouped_warp *w));

/* Gives a flight the threads of an engine's warp, in S. */
void unit_take_regrouped(struct unit *u, struct unit_flight *f, const struct regrouped_warp *w);
/* Does so with the homes of threads in some positions, which are at one PC. */
void unit_take_homes(struct unit *u, struct unit_flight *f, uint32_t pc, uint64_t positions,
                     const uint16_t *home);
/* Lets the threads of a flight execute, at the end of A (divergence_slot.next). */
void unit_schedule_regrouped(struct unit *u, struct unit_flight *f, uint64_t t);

/* Takes the part with the first of some positions from *rest. */
struct unit_part unit_next_part(const struct unit *u, const struct unit_flight *f, uint64_t *rest);
/* Returns, for threads of a part that are marked in the home warp, their positions in the flight. */
uint64_t unit_part_positions(const struct unit *u, const struct unit_flight *f, const struct unit_part *p,
                             uint64_t threads);

/* Returns the threads of a part whose condition held, as positions of the home warp. */
uint64_t unit_part_passed(const struct unit *u, const struct unit_flight *f, const struct unit_part *p);

/* Returns the position in the TPMs of a flight's first thread, whose warp is that of the flight. */
unsigned unit_first_position(const struct unit *u, const struct unit_flight *f);

/* Returns the lines of the TPM that hold a register of some threads, in the lane with most of them. */
unsigned unit_lines_of(const struct unit *u, const struct unit_flight *f, uint64_t positions);

/* Moves the threads of a written flight to their next PCs; threads that exit have PC 0. */
void unit_land_regrouped(struct unit *u, const struct unit_flight *f);
/* Commits the threads of an engine's warp in cycle t, whose flights have been written. Fills in the outcome.
 */
void unit_commit_regrouped(struct unit *u, const struct regrouped_warp *w, struct regrouped_outcome *o,
                           uint64_t t);

/* Commits threads of a home warp. `leaving`: these wait at a barrier, or exit. */
void unit_commit_part(struct unit *u, const struct simt_instruction *n, uint64_t leaving, uint64_t t);

/* Notes that the Ready threads of a home warp are ready from cycle `since` on. */
void unit_wait_regrouped(struct unit *u, unsigned warp, uint64_t since, enum machine_cause cause,
                         uint32_t pc);

#endif
