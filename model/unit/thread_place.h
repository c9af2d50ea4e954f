/*
 * thread_place: the places of live threads in a divergence engine, for waves, diagnoses, the debugger and the
 * states of idle threads. Each thread is in exactly one place.
 */
#ifndef MODEL_UNIT_THREAD_PLACE_H
#define MODEL_UNIT_THREAD_PLACE_H

#include "model/config/limits.h"

#include <stdint.h>

enum thread_place_state {
    PLACE_READY,    /* selectable */
    PLACE_FLIGHT,   /* instruction in flight */
    PLACE_MEMORY,   /* instruction in flight that accesses memory */
    PLACE_INACTIVE, /* waiting for other threads of a divergence, or in a table for threads to join */
    PLACE_MEETING,  /* waiting at a reconvergence point */
    PLACE_BARRIER,  /* waiting at the barrier of their work-group */
    PLACE_STATES
};
struct thread_place {
    enum thread_place_state state;
    const char *table; /* name of one of the engine's tables */
    unsigned entry;    /* entry of the table */
    int warp;          /* owner of the table; −1: all warps */
    uint32_t pc;
    unsigned count;
    uint16_t thread[LWM_MAX_THREADS]; /* homes: for each thread, its warp times the warp size, plus its
                                       * position there */
};
typedef void thread_place_visitor(void *context, const struct thread_place *p);

#endif
