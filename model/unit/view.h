/*
 * view: the contents of all stages of a cluster in SIMT mode after a cycle. Waves, diagnoses and reports read
 * it instead of the pipeline.
 */
#ifndef MODEL_UNIT_VIEW_H
#define MODEL_UNIT_VIEW_H

#include "model/cluster/cluster.h"

/* Stage of a flight; flights of an earlier stage come later in this list. */
enum unit_stage_name {
    UNIT_STAGE_LANDED,    /* behind X, not committed */
    UNIT_STAGE_LANES,     /* X */
    UNIT_STAGE_COLLECTED, /* collected, or still in O */
    UNIT_STAGE_QUEUE,     /* waiting in the dispatch queue */
    UNIT_STAGE_DECODE,
    UNIT_STAGE_FETCH,
    UNIT_STAGE_ARBITRATE
};

struct unit_view_flight {
    enum unit_stage_name stage;
    const struct arm_instruction *i; /* NULL if not fetched, or if the PC is outside the text */
    uint32_t pc;                     /* known from F on */
    unsigned warp;
    uint64_t passed;    /* threads whose condition held */
    uint64_t fetched;   /* last cycle of the fetch */
    uint64_t collected; /* last cycle of O */
    uint64_t x, last;   /* cycles in which its first and its last round start */
    uint64_t result;    /* last cycle of its results */
    uint64_t tokens;    /* tokens of the warp when the flight was decoded; 0 without uniform.storage */
    unsigned writes_left;
    enum uniform_form form;
};

struct unit_view {
    uint64_t cycle;
    warp_set ready, front_end;
    warp_set grant; /* the warp that S selected in the cycle */
    bool refused; /* the scheduler selected no warp, although warps are ready and the front end accepts one */
    bool arbitrates; /* A handed over a warp in the cycle, from the arbiter's outputs */
    const struct unit_view_flight *arbitrate, *fetch, *decode; /* NULL: none */
    const struct unit_view_flight
        *collect; /* the flight collected last that waits for the lanes, or is in O */
    const struct unit_view_flight *execute; /* flight in X; NULL also for one whose rounds are known ahead */
    unsigned queue_count, collected_count, landing_count;
    unsigned in_lanes;               /* instructions in the lanes in the cycle; 0 without simt.multi_issue */
    struct unit_view_flight started; /* the flight whose rounds started last, also after its commit */
    bool any_started;
    uint64_t o_since, o_stood, x_stood, x_last, x_free, x_next;
    unsigned x_beat;
    uint64_t committed; /* the last cycle with a commit */
    uint32_t left_pc;   /* PC of the instruction with which threads last reached a barrier or exited */
    /* First flight of each warp; NULL if it has none. */
    const struct unit_view_flight *of_warp[TDT_MAX_WARPS];
    uint64_t since[TDT_MAX_WARPS]; /* first cycle in which each ready warp was ready */
    /* Landed flight whose rounds are still starting; NULL if there is none. */
    const struct unit_view_flight *starting;
    unsigned flights;
    struct unit_view_flight flight[TDT_MAX_WARPS];
};

/* Fills *v with the contents of a cluster in SIMT mode after cycle t. */
void unit_view(const struct cluster *c, uint64_t t, struct unit_view *v);

#endif
