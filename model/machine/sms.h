/*
 * sms: the clusters of a GPU-like machine (contexts: vrf), the dispatcher of work-groups, and the memory
 * behind the crossbar, in one simulated time (gpu-like.md §2, §5).
 *
 * The SMs share nothing but the crossbar and the dispatcher. So each runs ahead by itself for as many cycles
 * as nothing that the others send can reach it (partitioned_memory_lookahead()); then the memory follows. The
 * dispatcher looks at one SM a cycle, in turn: an SM with room for a work-group stops there until all with
 * earlier turns have passed theirs. What comes of it does not depend on how far anybody runs ahead.
 *
 * Threads of different SMs that write and read the same memory without atomic operations between them see
 * each other's stores when all SMs have come to the end of a lookahead, in the order of the SMs
 * (store_log.h): up to a lookahead later than the machine would show them (OpenCL 1.2 leaves that undefined
 * within a kernel). In a launch with atomic operations the SMs run one after the other within a lookahead,
 * and each sees all that those before it have stored.
 */
#ifndef MODEL_MACHINE_SMS_H
#define MODEL_MACHINE_SMS_H

#include "model/memory/partitioned_memory.h"
#include "model/sm/sm.h"

struct crew;
typedef sim_time sms_time_function(const void *context, uint64_t cycle);

/* What every SM is asked for in every step: side by side, since SMs themselves lie far apart. */
struct sms_seen {
    bool stopped, has_room; /* for a work-group of the launch */
};

struct sms {
    const struct machine_config *config;
    unsigned count;
    struct sm *sm;
    uint64_t *next; /* of each SM: the cycle to step next */
    uint64_t *at;   /* all cycles before it have been stepped */
    uint64_t *turn; /* in which it waits for a work-group; SM_NEVER: it does not */
    struct sm_shared shared;
    struct partitioned_memory *memory;
    uint64_t first_cycle;
    uint64_t last_turn;      /* in which a work-group was handed out, or the first cycle */
    uint64_t tail;           /* cycles after the last of a launch was, in all launches */
    bool exact;              /* every cycle is visited */
    uint64_t watched;        /* the cycles before this one are, by twins: they are all visited */
    struct sm_trace **trace; /* of each SM; NULL: untraced */
    struct trace *traced_in;
    const struct machine_window *window, *windows_end; /* the window at hand, or the next */
    sms_time_function *time;
    const void *time_context;
    bool stuck;            /* it has ended because nothing could happen any more */
    struct error *error;   /* of the launch; NULL: there was none yet */
    struct error *errors;  /* of each SM in it */
    struct sms_seen *seen; /* of each SM, when it was left last */
    struct crew *crew;     /* host threads for the SMs; NULL: one */
    const char *alone;     /* why the launch has one all the same; NULL: it has not */
    uint64_t end;          /* of the step at hand */
    uint64_t seen_from;    /* the cycle from which on all see the stores in the SMs' logs */
    unsigned *ready;       /* SMs that run in it side by side */
    unsigned ready_count;
    uint64_t spin_at; /* cycle before which to look whether the launch goes round for ever */
    enum { SPIN_IDLE, SPIN_FIRST, SPIN_STRICT } spin; /* which watch is under way */
};

struct sms *sms_create(const struct machine_config *c);
void sms_free(struct sms *s);
void sms_register_counters(struct sms *s, struct counter_registry *r);

/* The SMs run on so many host threads, 1 or more, within a step side by side. */
void sms_set_threads(struct sms *s, unsigned threads);

/* The cycle in which a launch can begin if the last one has ended before cycle t: no cache
 * waits for a line. */
uint64_t sms_ready(struct sms *s, uint64_t t);
/* Begins a launch in that cycle. `memory`: what all threads see. */
void sms_launch(struct sms *s, const struct machine_launch *l, const struct memory *memory,
                uint32_t stack_size, struct machine_profile *profile, uint64_t t, struct error *e);

/* Cycles from t on, none from `until` on. Returns the next cycle with something to do; SM_NEVER when the
 * launch has ended (its last cycle was sms_last()) or has failed. */
uint64_t sms_step(struct sms *s, uint64_t t, uint64_t until);
uint64_t sms_last(const struct sms *s);

/* The launch has ended before cycle `end`: all cycles have their causes, counters are up to date. */
void sms_settle(struct sms *s, uint64_t end);
/* Declares all variables; the windows stay the caller's; `time` says when a cycle begins. What is traced
 * changes nothing: an SM shows its cycles as it steps them, and the trace holds them until all SMs have come
 * as far. */
void sms_trace(struct sms *s, struct trace *t, const struct machine_window *windows, size_t count,
               sms_time_function *time, const void *time_context);
/* Is a cycle, of the step at hand or a later one, traced? */
bool sms_traced(const struct sms *s, uint64_t t);

/* Every now and then, longer and longer apart, whether the launch goes round for ever (spin_watch.h): of all
 * cycles before t. Changes nothing. If it does, that was known before sms_watched_until(). */
bool sms_go_round(struct sms *s, uint64_t t);
uint64_t sms_watched_until(const struct sms *s);

uint64_t sms_groups_done(const struct sms *s);
void sms_report(const struct sms *s, uint64_t t, char *out, size_t size);

#endif
