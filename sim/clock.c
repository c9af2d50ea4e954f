/* Clocks: edges at the whole picosecond of offset + n·period, computed exactly. Only edges with listeners
 * are visited. */
#include "sim/kernel_private.h"

typedef unsigned __int128 wide;

static sim_time edge_time(const struct clock_edge *e, uint64_t n) {
    const wide time = (e->offset + (wide)n * e->clock->period) / e->clock->units;
    invariant(time < SIM_TIME_NEVER, "edge %lu of clock '%s' is beyond the end of time", n, e->clock->name);
    return (sim_time)time;
}

/* Returns the number of edges at or before t. */
static uint64_t edges_until(const struct clock_edge *e, sim_time t) {
    const wide after = ((wide)t + 1) * e->clock->units; /* first time beyond t */
    return after <= e->offset ? 0 : (uint64_t)((after - e->offset - 1) / e->clock->period + 1);
}

sim_time clock_edge(const struct clock *c, uint64_t n) {
    return edge_time(&c->rising, n);
}

sim_time clock_fall(const struct clock *c, uint64_t n) {
    return edge_time(&c->falling, n);
}

uint64_t clock_cycles(const struct clock *c, sim_time t) {
    const uint64_t edges = edges_until(&c->rising, t);
    return edges ? edges - 1 : 0;
}

bool clock_level(const struct clock *c, sim_time t) {
    const uint64_t rises = edges_until(&c->rising, t), falls = edges_until(&c->falling, t);
    return c->falls_first ? rises == falls : rises > falls;
}

/* Returns the exact time of the first edge after t, in units. */
static wide first_after(const struct clock_edge *e, sim_time t) {
    return e->offset + (wide)edges_until(e, t) * e->clock->period;
}

static sim_time time_of(const struct clock_edge *e, wide units) {
    const wide time = units / e->clock->units;
    return time < SIM_TIME_NEVER ? (sim_time)time : SIM_TIME_NEVER;
}

sim_time clock_next_edge(const struct clock *c, sim_time t) {
    const sim_time rises = time_of(&c->rising, first_after(&c->rising, t)),
                   falls = time_of(&c->falling, first_after(&c->falling, t));
    return rises < falls ? rises : falls;
}

const char *clock_name(const struct clock *c) {
    return c->name;
}

/* --- stepping --- */

/* Sets the edge to its first time after t. */
static void seek(struct clock_edge *e, sim_time t) {
    const wide units = first_after(e, t);
    e->time = time_of(e, units);
    e->remainder = (uint64_t)(units % e->clock->units);
}

static void step(struct clock_edge *e) {
    const struct clock *c = e->clock;
    if (__builtin_expect(e->time >= SIM_TIME_NEVER - 1 - c->step, 0)) {
        e->time = SIM_TIME_NEVER; /* this was the last edge */
        return;
    }
    e->time += c->step;
    e->remainder += c->step_remainder;
    if (e->remainder >= c->units) {
        e->remainder -= c->units;
        e->time++;
    }
}

static void set_next_edge(struct kernel *k) {
    sim_time next = SIM_TIME_NEVER;
    for (uint32_t i = 0; i < k->edge_count; i++)
        if (k->edge_time[i] < next) next = k->edge_time[i];
    k->next_edge = next;
}

void clock_edge_listen(struct clock_edge *e) {
    struct kernel *k = e->clock->kernel;
    if (e->listeners++) return;
    if (k->arrived && e->time <= k->now) step(e); /* the only edge in most cases */
    if (k->arrived && e->time <= k->now) seek(e, k->now);
    k->edge_time[e->place] = e->time;
    if (e->time < k->next_edge) k->next_edge = e->time;
}

void clock_edge_unlisten(struct clock_edge *e) {
    if (--e->listeners) return;
    struct kernel *k = e->clock->kernel;
    k->edge_time[e->place] = SIM_TIME_NEVER;
    if (e->time == k->next_edge) set_next_edge(k);
}

/* Passes an edge of the present time and returns its event. */
static struct event *pass(struct kernel *k, uint32_t i) {
    struct clock_edge *e = k->edges[i];
    step(e);
    k->edge_time[i] = e->time;
    return e->event;
}

/* Returns whether only one edge is at the present time and all its listeners are a group; *next is the time
 * of the next edge. */
static bool only_group_edge(const struct kernel *k, uint32_t *edge, sim_time *next) {
    uint32_t due = 0;
    *next = SIM_TIME_NEVER;
    for (uint32_t i = 0; i < k->edge_count; i++) {
        if (k->edge_time[i] == k->now) {
            *edge = i;
            due++;
        } else if (k->edge_time[i] < *next) {
            *next = k->edge_time[i];
        }
    }
    const struct event *e = k->edges[*edge]->event;
    return due == 1 && e->group && !e->waiting;
}

/* Visits the edges of the present time in the order in which the clocks were made, rising before falling.
 * If the only effect is that a group runs, returns this group, to be run. */
struct event *kernel_step_clocks(struct kernel *k) {
    uint32_t edge = 0;
    sim_time next;
    if (only_group_edge(k, &edge, &next)) {
        struct event *e = pass(k, edge);
        k->next_edge = k->edge_time[edge] < next ? k->edge_time[edge] : next;
        if (timed_queue_next(&k->timed) != k->now && !k->stop) return e;
        event_trigger(k, e);
        return NULL;
    }
    for (uint32_t i = 0; i < k->edge_count; i++)
        if (k->edge_time[i] == k->now)
            event_trigger(k, pass(k, i)); /* its listener does not listen any
                                             more */
    set_next_edge(k);
    return NULL;
}

/* --- creation --- */

static void make_edge(struct clock *c, struct clock_edge *e, wide offset, const char *name) {
    struct kernel *k = c->kernel;
    uint32_t capacity = k->edge_count, same = capacity;
    k->edges = kernel_grow(k->edges, k->edge_count, &capacity, sizeof(struct clock_edge *));
    k->edge_time = kernel_grow(k->edge_time, k->edge_count, &same, sizeof(sim_time));
    *e = (struct clock_edge){.event = event_create_unnamed(k, c->name, name),
                             .clock = c,
                             .offset = offset,
                             .place = k->edge_count};
    e->event->edge = e;
    e->time = time_of(e, offset);
    e->remainder = (uint64_t)(offset % c->units);
    k->edges[k->edge_count] = e;
    k->edge_time[k->edge_count++] = SIM_TIME_NEVER;
}

static void check_shape(const char *name, const struct clock_shape *s) {
    const uint64_t duties = s->duty_denominator, most = UINT64_C(1) << 63;
    invariant(s->period_denominator > 0 && s->period_numerator >= s->period_denominator,
              "clock '%s' has a period of %lu/%lu ps: less than a picosecond", name, s->period_numerator,
              s->period_denominator);
    invariant(s->duty_numerator > 0 && s->duty_numerator < duties,
              "clock '%s' is high for %u/%u of its period: never, or always", name, s->duty_numerator,
              s->duty_denominator);
    invariant((wide)s->period_numerator * duties < most,
              "clock '%s' has a period of %lu/%lu ps and a duty of %u/%u: too long, or too fine", name,
              s->period_numerator, s->period_denominator, s->duty_numerator, s->duty_denominator);
    invariant(s->start < SIM_TIME_NEVER, "clock '%s' starts beyond the end of time", name);
}

struct clock *clock_create_shaped(struct kernel *k, const char *name, const struct clock_shape *shape) {
    invariant(!k->initialized, "clock '%s' is created after the simulation has begun", name);
    check_shape(name, shape);
    struct clock *c = arena_allocate(&k->rest, sizeof *c);
    c->kernel = k;
    c->name = object_register(k, OBJECT_CLOCK, name, c);
    c->period = shape->period_numerator * shape->duty_denominator;
    c->units = shape->period_denominator * shape->duty_denominator;
    c->step = c->period / c->units;
    c->step_remainder = c->period % c->units;
    c->falls_first = shape->falls_first;
    const wide start = (wide)shape->start * c->units,
               high = (wide)shape->period_numerator * shape->duty_numerator;
    make_edge(c, &c->rising, c->falls_first ? start + c->period - high : start, "posedge");
    make_edge(c, &c->falling, c->falls_first ? start : start + high, "negedge");
    return c;
}

struct clock *clock_create(struct kernel *k, const char *name, uint64_t numerator, uint64_t denominator) {
    return clock_create_shaped(k, name, &(struct clock_shape){numerator, denominator, 1, 2, 0, false});
}

struct event *clock_posedge(struct clock *c) {
    return c->rising.event;
}
struct event *clock_negedge(struct clock *c) {
    return c->falling.event;
}
