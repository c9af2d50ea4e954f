/*
 * regrouped_parts: flights of a cluster of cores with threads of several home warps (regrouped.h). A home
 * warp with threads in a flight is a part of it.
 */
#ifndef MODEL_UNIT_REGROUPED_PARTS_H
#define MODEL_UNIT_REGROUPED_PARTS_H

#include "model/unit/regrouped.h"

/* The threads of a flight in one home warp. */
struct unit_part {
    unsigned warp;
    uint64_t threads;   /* as positions of the home warp */
    uint64_t positions; /* as positions of the flight */
};

/* Makes u->regrouped. */
void unit_regroup_cluster(struct unit *u);
/* Gives a flight the threads with these homes in some positions, which are at one PC. */
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
/* Tells the engine that a flight has been written, in cycle t; commits its warp if that is its time. */
void unit_written_regrouped(struct unit *u, struct unit_flight *f, uint64_t t);
/* Commits threads of a home warp. `leaving`: these wait at a barrier, or exit. */
void unit_commit_part(struct unit *u, const struct simt_instruction *n, uint64_t leaving, uint64_t t);

/* Notes that the Ready threads of a home warp are ready from cycle `since` on. */
void unit_wait_regrouped(struct unit *u, unsigned warp, uint64_t since, enum machine_cause cause,
                         uint32_t pc);

#endif
