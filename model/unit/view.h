/*
 * view: what every stage of a cluster in SIMT mode holds after a cycle. Waves, diagnoses and reports read it,
 * and not the pipeline.
 */
#ifndef MODEL_UNIT_VIEW_H
#define MODEL_UNIT_VIEW_H

#include "model/cluster/cluster.h"

/* Where a flight is; flights of an earlier stage come later in this list. */
enum unit_stage_name {
    UNIT_STAGE_LANDED,    /* has left X and is not committed */
    UNIT_STAGE_LANES,     /* X */
    UNIT_STAGE_COLLECTED, /* in O, or waits for the lanes */
    UNIT_STAGE_QUEUE,     /* in the dispatch queue */
    UNIT_STAGE_DECODE,
    UNIT_STAGE_FETCH,
    UNIT_STAGE_ARBITRATE
};

struct unit_view_flight {
    enum unit_stage_name stage;
    const struct arm_instruction *i; /* NULL: not fetched, or the PC is outside the text */
    uint32_t pc;                     /* known from F on */
    unsigned warp;
    uint64_t passed;    /* threads whose condition held */
    uint64_t fetched;   /* last cycle of the fetch */
    uint64_t collected; /* last cycle of O */
    uint64_t x, last;   /* cycles in which its first and its last round start */
    uint64_t result;    /* last cycle of its results */
    uint64_t tokens;    /* of its warp, when it was decoded; 0 without uniform.storage */
    unsigned writes_left;
    enum uniform_form form;
};

struct unit_view {
    uint64_t cycle;
    warp_set ready, front_end;
    warp_set grant; /* the warp that S picked in the cycle */
    bool
        refused; /* the scheduler picked no warp, although there are ready ones and the front end takes one */
    bool arbitrates; /* A handed over a warp in the cycle: the arbiter's outputs are its */
    const struct unit_view_flight *arbitrate, *fetch, *decode; /* NULL: none */
    const struct unit_view_flight
        *collect; /* the flight collected last that waits for the lanes, or is in O */
    const struct unit_view_flight *execute; /* in X; NULL also for one whose rounds are known ahead */
    unsigned queue_count, collected_count, landing_count;
    unsigned in_lanes;               /* instructions in the lanes in the cycle; 0 without simt.multi_issue */
    struct unit_view_flight started; /* the flight whose rounds started last, also after its commit */
    bool any_started;
    uint64_t o_since, o_stood, x_stood, x_last, x_free, x_next;
    unsigned x_beat;
    uint64_t committed; /* the last cycle with a commit */
    uint32_t left_pc;   /* of the instruction with which threads reached a barrier or exited last */
    const struct unit_view_flight *of_warp[TDT_MAX_WARPS]; /* the first flight of a warp; NULL: none */
    uint64_t since[TDT_MAX_WARPS];                         /* first cycle in which a ready warp was ready */
    const struct unit_view_flight *starting; /* landed, but its rounds still start; NULL: none */
    unsigned flights;
    struct unit_view_flight flight[TDT_MAX_WARPS];
};

/* Fills *v with what the cluster, in SIMT mode, holds after cycle t. */
void unit_view(const struct cluster *c, uint64_t t, struct unit_view *v);

#endif
