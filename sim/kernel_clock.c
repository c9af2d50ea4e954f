/* Clocks: edges at the whole picosecond of n·period, computed exactly. Only edges that somebody listens to
 * are visited. */
#include "sim/kernel_private.h"

typedef unsigned __int128 wide;

static uint64_t units(const struct clock *c) {
    return 2 * c->denominator;
} /* in a picosecond */

/* Half period h begins h·numerator units after time 0. */
static sim_time half_period(const struct clock *c, wide h) {
    wide time = h * c->numerator / units(c);
    invariant(time < SIM_TIME_NEVER, "a clock edge beyond the end of time");
    return (sim_time)time;
}

sim_time clock_edge(const struct clock *c, uint64_t n) {
    return half_period(c, (wide)2 * n);
}

uint64_t clock_cycles(const struct clock *c, sim_time t) {
    /* ⌊n·numerator/denominator⌋ ≤ t exactly if n·numerator < (t + 1)·denominator */
    return (uint64_t)((((wide)t + 1) * c->denominator - 1) / c->numerator);
}

/* Sets the edge to its first time after t. */
static void seek(struct clock_edge *e, sim_time t) {
    const struct clock *c = e->clock;
    wide h = (((wide)t + 1) * units(c) + c->numerator - 1) / c->numerator; /* first half period after t */
    if ((h & 1) != e->phase) h++;
    e->time = half_period(c, h);
    e->remainder = (uint64_t)(h * c->numerator % units(c));
}

static void step(struct clock_edge *e) {
    const struct clock *c = e->clock;
    e->time += c->step;
    e->remainder += c->step_remainder;
    if (e->remainder >= units(c)) {
        e->remainder -= units(c);
        e->time++;
    }
}

void clock_edge_listen(struct clock_edge *e) {
    struct kernel *k = e->clock->kernel;
    if (e->listeners++) return;
    if (k->arrived && e->time <= k->now) step(e); /* most often this is the one */
    if (k->arrived && e->time <= k->now) seek(e, k->now);
    k->edge_time[e->place] = e->time;
}

void clock_edge_unlisten(struct clock_edge *e) {
    if (--e->listeners == 0) e->clock->kernel->edge_time[e->place] = SIM_TIME_NEVER;
}

/* Triggers the edges of the present time, in the order in which the clocks were made, rising before falling.
 */
void kernel_step_clocks(struct kernel *k) {
    for (uint32_t i = 0; i < k->edge_count; i++) {
        if (k->edge_time[i] != k->now) continue;
        struct clock_edge *e = k->edges[i];
        step(e);
        k->edge_time[i] = e->time;
        event_trigger(k, e->event); /* who waited for this edge only does not listen any more */
    }
}

static void make_edge(struct clock *c, struct clock_edge *e, uint32_t phase, const char *name) {
    struct kernel *k = c->kernel;
    uint32_t capacity = k->edge_count, same = capacity;
    k->edges = kernel_grow(k->edges, k->edge_count, &capacity, sizeof(struct clock_edge *));
    k->edge_time = kernel_grow(k->edge_time, k->edge_count, &same, sizeof(sim_time));
    *e = (struct clock_edge){
        .event = event_create(k, name), .clock = c, .place = k->edge_count, .phase = phase};
    e->event->edge = e;
    e->time = half_period(c, phase);
    e->remainder = phase * c->numerator % units(c);
    k->edges[k->edge_count] = e;
    k->edge_time[k->edge_count++] = SIM_TIME_NEVER;
}

struct clock *clock_create(struct kernel *k, const char *name, uint64_t numerator, uint64_t denominator) {
    invariant(!k->initialized, "clock '%s' is created after the simulation has begun", name);
    invariant(denominator > 0 && numerator >= denominator && numerator < UINT64_C(1) << 62,
              "clock '%s' has a period of %lu/%lu ps: less than a picosecond, or too long", name, numerator,
              denominator);
    struct clock *c = kernel_allocate(k, sizeof *c);
    c->kernel = k;
    c->numerator = numerator;
    c->denominator = denominator;
    c->step = numerator / denominator;
    c->step_remainder = 2 * (numerator % denominator);
    make_edge(c, &c->rising, 0, name);
    make_edge(c, &c->falling, 1, name);
    return c;
}

struct event *clock_posedge(struct clock *c) {
    return c->rising.event;
}
struct event *clock_negedge(struct clock *c) {
    return c->falling.event;
}
