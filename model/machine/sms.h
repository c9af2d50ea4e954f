/*
 * sms: the clusters of a GPU-like machine (contexts: vrf), the dispatcher of work-groups, and the memory
 * behind the crossbar, in one simulated time (gpu-like.md §2, §5).
 *
 * The SMs share only the crossbar and the dispatcher. Therefore each runs ahead for as many cycles as no
 * packet of another SM can reach it (partitioned_memory_lookahead()); then the memory follows. The dispatcher
 * visits one SM a cycle, in turn: an SM with room for a work-group stops there until all SMs with earlier
 * turns have passed theirs. Results do not depend on how far an SM runs ahead.
 *
 * If threads of different SMs write and read the same memory without atomic operations, they see each other's
 * stores when all SMs have reached the end of a lookahead, in the order of the SMs (store_log.h). This is up
 * to a lookahead later than in the machine; OpenCL 1.2 leaves it undefined within a kernel. In a launch with
 * atomic operations the SMs run one after the other within a lookahead, and each sees the stores of those
 * before it.
 */
#ifndef MODEL_MACHINE_SMS_H
#define MODEL_MACHINE_SMS_H

#include "model/memory/partitioned_memory.h"
#include "model/sm/sm.h"

struct crew;
typedef sim_time sms_time_function(const void *context, uint64_t cycle);

/* State of each SM that every step reads: in one array, since SMs are far apart in memory. */
struct sms_seen {
    bool stopped, has_room; /* stopped; has room for a work-group of the launch */
};

struct sms {
    const struct machine_config *config;
    unsigned count;
    struct sm *sm;
    uint64_t *next; /* next cycle of each SM */
    uint64_t *at;   /* for each SM, the first cycle that has not been stepped */
    uint64_t *turn; /* cycle in which each SM waits for a work-group; SM_NEVER: it does not */
    struct sm_shared shared;
    struct partitioned_memory *memory;
    uint64_t first_cycle;
    uint64_t last_turn;      /* cycle of the last dispatch of a work-group, or the first cycle */
    uint64_t tail;           /* cycles after the last one of a launch, in all launches */
    bool exact;              /* every cycle is visited */
    uint64_t watched;        /* first cycle that the twins need not visit */
    struct sm_trace **trace; /* trace of each SM; NULL: untraced */
    struct trace *traced_in;
    const struct machine_window *window, *windows_end; /* current or next window */
    sms_time_function *time;
    const void *time_context;
    bool stuck;            /* the launch ended because no more events were possible */
    struct error *error;   /* error of the launch; NULL before the first launch */
    struct error *errors;  /* error of each SM in the launch */
    struct sms_seen *seen; /* state of each SM after its last run */
    struct crew *crew;     /* host threads for the SMs; NULL: one */
    const char *alone;     /* why the launch runs on one thread in spite of `crew`; NULL: it does not */
    uint64_t end;          /* end of the current step */
    uint64_t seen_from;    /* cycle from which on all SMs see the stores in the logs */
    unsigned *ready;       /* SMs that run in the step in parallel */
    unsigned ready_count;
};

static inline bool sms_groups_left(const struct sms *s) {
    return s->shared.groups.q.left;
}
/* Returns whether every cycle of a step with cycle t is visited. */
static inline bool sms_steps_all(const struct sms *s, uint64_t t) {
    return s->exact || t < s->watched;
}

/* Steps cycles from t to before `until`. Returns the next cycle with an event; SM_NEVER when the launch has
 * ended (its last cycle was sms_last()) or has failed. */
uint64_t sms_step(struct sms *s, uint64_t t, uint64_t until);
uint64_t sms_last(const struct sms *s);
/* Returns the end of the step with cycle t: the first cycle of the next one. */
uint64_t sms_end_of_step(const struct sms *s, uint64_t t);
/* Returns whether a cycle of the current step or a later one is traced. */
bool sms_traced(const struct sms *s, uint64_t t);

/* Keeps a copy of the state of SM k that other SMs read in their next step. */
void sms_look(struct sms *s, unsigned k);
/* Sets the launch's error to the earliest of all SMs; of equal cycles, the lowest SM's. */
bool sms_has_failed(struct sms *s);
/* Makes all stores visible to all SMs. */
void sms_store_all(struct sms *s);

#endif
