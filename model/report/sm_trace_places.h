/*
 * sm_trace_places: waves of an SM's divergence engine (sm_divergence.h): for each scheduler the number of
 * threads in places of each state, and its tables, entry by entry, as text: "[3] 0x10040 2:0-7,5:8" for entry
 * 3 with threads 0 to 7 of warp 2 and thread 8 of warp 5 of the register file at that PC.
 */
#ifndef MODEL_REPORT_SM_TRACE_PLACES_H
#define MODEL_REPORT_SM_TRACE_PLACES_H

#include "model/sm/sm_divergence.h"
#include "sim/trace.h"

struct sm_trace_places;

/* Declares the variables of a scheduler in the current scope. */
struct sm_trace_places *sm_trace_places_create(const struct sm *s, unsigned scheduler, struct trace *t);
void sm_trace_places_free(struct sm_trace_places *v);
/* Traces the present state, from time `at` on. */
void sm_trace_places_show(struct sm_trace_places *v, sim_time at);

#endif
