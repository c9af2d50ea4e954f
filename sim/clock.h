/*
 * clock: a periodic source of rising and falling edges with a rational period of numerator/denominator
 * picoseconds (3 GHz: 1000/3). Every edge is at the whole picosecond at or below its exact time, computed
 * from its number, never accumulated. Edges without listeners cost nothing. There are no edges beyond the
 * end of 64-bit time.
 */
#ifndef SIM_CLOCK_H
#define SIM_CLOCK_H

#include "sim/time.h"

#include <stdbool.h>

struct clock;
struct event;
struct kernel;

/* Rising edge n is at n periods, and the clock is high for half a period. The period is at least 1 ps. */
struct clock *clock_create(struct kernel *k, const char *name, uint64_t numerator, uint64_t denominator);

struct clock_shape {
    uint64_t period_numerator, period_denominator; /* ps: at least 1, both below 2^62 */
    uint32_t duty_numerator, duty_denominator; /* share of the period for which the clock is high: between 0
                                                  and 1 */
    sim_time start;                            /* time of the first edge */
    bool falls_first;                          /* the first edge falls: the clock is high before */
};
struct clock *clock_create_shaped(struct kernel *k, const char *name, const struct clock_shape *shape);

struct event *clock_posedge(struct clock *c);
struct event *clock_negedge(struct clock *c);

const char *clock_name(const struct clock *c);
sim_time clock_edge(const struct clock *c, uint64_t n); /* time of rising edge n ≥ 0; beyond time: a panic */
sim_time clock_fall(const struct clock *c, uint64_t n);   /* time of falling edge n ≥ 0 */
uint64_t clock_cycles(const struct clock *c, sim_time t); /* number of the last rising edge at or before t; 0
                                                             also before the first */
bool clock_level(const struct clock *c, sim_time t);      /* high at t, edges at t included */
/* Returns the time of the first edge, rising or falling, after t; SIM_TIME_NEVER without one. */
sim_time clock_next_edge(const struct clock *c, sim_time t);

#endif
