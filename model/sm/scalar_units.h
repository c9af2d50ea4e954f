/*
 * scalar_units: the scalar units of an SM (scalar.mode: own): small cores beside the SPs, each of which runs
 * scalar threads, one of each work-group, with an instruction stream of their own (scalar-unit.md).
 *
 * The scalar thread of the work-group in slot g runs on unit g mod scalar.units, from the cycle in which the
 * SIMT threads start, too, until it exits; neither side waits for the other at its end. A unit works in the
 * cycles of the cluster that are multiples of scalar.clock_divisor; "t + n" below counts its own.
 *
 *   F, D    as a warp's, two instructions at a time, after all warps' fetches (scalar_issue.c)
 *   I   t   one instruction of one thread, the ready ones in turn (control/scalar_scheduler.h): all earlier
 *           results that it reads or writes are there, but for loads into what it only writes; registers,
 *           flags and memory change now
 *       t + latency + 2   its result may be used; VDIV holds the unit for its occupancy, as other classes do
 *       t + 3   a branch, a barrier or an exit takes effect; behind a branch follow F and D
 *       t + 3   the first access of a load or store, one in a cycle, in order (scalar_memory.c): to a cache
 *               that the load-store unit does not ask in the cycle, to a bank of local memory that it does
 *               not use; a word of private memory at a time
 *
 * Of a scalar kernel that only loads ahead (machine_launch.prefetches), loads outside every buffer and in
 * others' private memory read 0, are not sent, and are counted.
 *
 * A load stops its thread where its result is used, the base that it updates is a result like others'. One
 * whose register is written again before it is there is dropped when it comes. A clock waits for all that the
 * thread has in flight, a memory barrier for its accesses, an exit for its stores, and until its loads have
 * been sent: what they bring nobody uses.
 */
#ifndef MODEL_SM_SCALAR_UNITS_H
#define MODEL_SM_SCALAR_UNITS_H

#include "model/control/scalar_scheduler.h"
#include "model/sm/sm.h"

#define SCALAR_RESOURCES (ARM_REGISTERS + 3) /* registers, NZCV, FPSCR's flags and modes */
#define SCALAR_NOTED     65                  /* numbers that are told apart, from 0; the last: and more */
#define SCALAR_L1I_TAG   SM_MAX_WARPS        /* of a fetch for the thread in slot 0 */
#define SCALAR_L1D_TAG   0x10000u            /* of an access of scalar_access 0: flights have smaller ones */

struct scalar_thread {
    struct arm_threads threads; /* of one position */
    bool live;                  /* it has started and not exited */
    bool waits;                 /* it has arrived at a barrier */
    uint32_t pc;                /* of the next instruction */
    uint8_t buffered;           /* instructions in its buffer, from pc on */
    bool fetching;              /* the L1I has been asked for them */
    uint64_t buffer_at;         /* first cycle in which they may issue */
    uint64_t fetch_from;        /* first cycle of F */
    enum sm_effect effect;      /* in flight: no other instruction issues */
    uint64_t effect_at;         /* at whose end it takes effect; SM_NEVER: a PC is being loaded */
    uint32_t effect_pc;
    uint64_t ready[SCALAR_RESOURCES];  /* cycle from which on each may be used; SM_NEVER: it is loaded */
    uint16_t loader[SCALAR_RESOURCES]; /* what loads each: 1 + its access; 0: the last that wrote it was no
                                          load */
    uint64_t settled;                  /* all results of instructions that do not load are there */
    unsigned in_memory;                /* loads and stores in flight */
    unsigned unsent;                   /* of these, stores, and loads that have not been sent as a whole */
    uint32_t number;                   /* of the threads that have run in this slot */
};

/* A load or store in flight, from its issue to its last answer. */
struct scalar_access {
    uint64_t writes; /* resources that it loads */
    uint64_t data;   /* cycle at whose end the data so far are there */
    uint16_t left;   /* parts that have not been answered, or not been accepted */
    uint16_t unsent; /* parts that have not been accepted */
    uint16_t next;   /* of those that are free */
    uint32_t thread; /* its number in the slot: loads may come behind their thread's end */
    uint8_t slot;
    bool loads_pc, is_store;
};

/* A part of one: what a cache, or local memory, is asked in one cycle. */
struct scalar_part {
    uint64_t from; /* first cycle */
    uint32_t address;
    uint16_t bytes;
    uint16_t access;
    uint8_t cache; /* enum sm_cache; SM_CACHES: local memory */
    uint8_t kind;  /* enum cache_request_kind */
};

struct scalar_unit {
    struct scalar_scheduler scheduler; /* of its threads: thread n is that of slot n · units + unit */
    const struct cluster_twins *twins; /* of the scheduler; NULL: none */
    uint64_t watched;                  /* cycles beside them; the latest of these in which it took none of */
    uint64_t refused;                  /* the threads that were ready */
    uint64_t next;                     /* first cycle in which an instruction may issue */
    struct scalar_part *part;          /* a ring: what is still to be asked */
    unsigned first, count, room;
    uint64_t cause_cycle; /* for waves: the cycle stepped last, and what it was for; the last in which it
                             issued, and what */
    enum scalar_cause cause;
    uint64_t issue_cycle;
    uint32_t issue_pc;
    uint8_t issue_slot;
    uint64_t cycles[SCALAR_CAUSE_COUNT]; /* its own, by cause */
};

struct scalar_units {
    unsigned units, divisor, threads; /* threads: one a slot of a work-group */
    struct scalar_unit unit[SCALAR_MAX_UNITS];
    struct scalar_thread *thread;
    uint32_t *rows;
    struct memory *nothing; /* what loads outside every buffer find that may read 0 */
    uint8_t zeros[256];     /* more than one instruction reads */
    struct scalar_access *access;
    unsigned access_room;
    uint16_t access_free; /* first of the free ones */
    unsigned fetch_turn;  /* the slot that fetched last */
    uint32_t registers_left;
    unsigned live; /* threads */

    /* counters */
    uint64_t cause[SCALAR_CAUSE_COUNT];
    uint64_t instructions, condition_failed, threads_started, shared_groups, loads, stores, outside;
    uint64_t registers_read, registers_written;
    uint64_t class_instructions[ARM_CLASS_COUNT];
    uint64_t l1d_accesses, l1d_misses, local_accesses, refused_cycles;
    struct histogram noted; /* what they noted: lockstep_note() */
    uint64_t simt_waits;    /* cycles: a work-group's SIMT threads wait for its scalar thread */
};

/* Of a unit's scheduler. */
struct scalar_scheduler_config scalar_unit_config(const struct sm *s, unsigned unit);
struct scalar_units *scalar_units_create(struct sm *s);
void scalar_units_free(struct sm *s);
void scalar_units_register_counters(struct sm *s, struct counter_registry *r);
void scalar_units_launch(struct sm *s);

/* Has the launch a scalar thread for each work-group? */
static inline bool scalar_units_used(const struct sm *s) {
    return s->scalar && s->launch->scalar_thunk;
}
/* Are the launch's work-groups, of one work-item each, shared out to warps and scalar threads
 * (scalar.share_groups)? */
static inline bool scalar_units_share(const struct sm *s) {
    return s->scalar && s->config->scalar.share_groups && s->group_threads == 1 && !s->launch->scalar_thunk;
}
/* Registers that a work-group's scalar thread takes; 0: no work-group has one. */
uint32_t scalar_units_registers(const struct sm *s);
bool scalar_units_have_room(const struct sm *s);
/* The scalar thread of the work-group in a slot starts in cycle t, beside its warps or in their place. */
void scalar_units_start(struct sm *s, unsigned slot, uint64_t t);
bool scalar_units_live(const struct sm *s, unsigned slot);

/* Cycle t, part by part; each returns the next one in which it has something to do. */
uint64_t scalar_units_fetch(struct sm *s, uint64_t t);
uint64_t scalar_units_issue(struct sm *s, uint64_t t);
uint64_t scalar_units_send(struct sm *s, uint64_t t);
/* Barriers and exits of the cycle become inputs of the barrier table. */
uint64_t scalar_units_take_effect(struct sm *s, uint64_t t);
/* Threads of these work-groups are released at the end of cycle t. */
void scalar_units_release(struct sm *s, uint64_t groups, uint64_t t);

/* The L1I, or a data cache, has answered at the end of cycle t: with a tag of a scalar thread's. */
void scalar_units_fetched(struct sm *s, uint32_t tag, uint64_t t);
void scalar_units_answered(struct sm *s, uint32_t tag, uint64_t t);

/* The cycles from `from` on, up to `to`, in which nothing has changed, have their cause. */
void scalar_units_charge(struct sm *s, uint64_t from, uint64_t to);
/* What a thread is waiting for in cycle t; EMPTY: it does not live; ISSUE: for nothing but its turn. */
enum scalar_cause scalar_thread_cause(const struct sm *s, unsigned slot, uint64_t t);
/* Why a unit does not issue in cycle t, and at which instruction; 0: it has no thread. */
enum scalar_cause scalar_units_idle_cause(const struct sm *s, unsigned unit, uint64_t t, uint32_t *pc);

/* Several lines, for diagnoses: what each scalar thread does in cycle t. */
struct text;
void scalar_units_report(const struct sm *s, uint64_t t, struct text *out);

/* Waves. */
struct scalar_trace;
struct scalar_trace *scalar_trace_create(const struct sm *s, struct trace *t);
void scalar_trace_free(struct scalar_trace *v);
void scalar_trace_stages(struct scalar_trace *v, uint64_t t, sim_time at);
void scalar_trace_registers(struct scalar_trace *v, uint64_t t, sim_time at);

#endif
