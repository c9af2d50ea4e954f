/*
 * scalar_units: the scalar units of an SM (scalar.mode: own): small cores in addition to the SPs, each of
 * which runs scalar threads, one for each work-group, with their own instruction stream (scalar-unit.md).
 *
 * The scalar thread of the work-group in slot g runs on unit g mod scalar.units, from the cycle in which the
 * SIMT threads start until it exits. Neither side waits for the other at its end. A unit works in the cycles
 * of the cluster that are multiples of scalar.clock_divisor; "t + n" below counts its own.
 *
 *   F, D    as a warp's, two instructions at a time, after all warps' fetches (scalar_issue.c); with barrel
 *           issue simt.fetches of them in a cycle
 *   I   t   one instruction of one thread, the ready ones in turn (control/scalar_scheduler.h): all earlier
 *           results that it reads or writes are there, but for loads into what it only writes; registers,
 *           flags and memory change now
 *       t + latency + 2   its result may be used; VDIV holds the unit for its occupancy, as other classes do
 *       t + 3   a branch, a barrier or an exit takes effect; behind a branch follow F and D
 *       t + 3   the first access of a load or store, one in a cycle, in order (scalar_memory.c): to a cache
 *               that the load-store unit does not ask in the cycle, to a bank of local memory that it does
 *               not use; a word of private memory at a time
 *
 * In a scalar kernel that only prefetches (machine_launch.prefetches), loads outside every buffer and in
 * other threads' private memory read 0, are not sent, and are counted.
 *
 * A load stalls its thread at the first use of its result; an updated base is an ordinary result. If the
 * register is written again before the data arrive, the data are dropped. A clock reading waits for all
 * instructions of the thread in flight, a memory barrier for its accesses, an exit for its stores and until
 * its loads have been sent: their data are not used. */
#ifndef MODEL_SM_SCALAR_UNITS_H
#define MODEL_SM_SCALAR_UNITS_H

#include "model/control/scalar_scheduler.h"
#include "model/sm/sm.h"

#define SCALAR_RESOURCES (ARM_REGISTERS + 3) /* registers, NZCV, FPSCR's flags and modes */
#define SCALAR_NOTED     65           /* histogram of noted numbers, from 0; the last bucket: larger ones */
#define SCALAR_L1I_TAG   SM_MAX_WARPS /* tag of a fetch for the thread in slot 0 */
#define SCALAR_L1D_TAG   0x10000u     /* tag of an access of scalar_access 0: flights have smaller ones */

struct scalar_thread {
    struct arm_threads threads; /* registers, with one position */
    bool live;                  /* started and not exited */
    bool waits;                 /* waiting at a barrier */
    uint32_t pc;                /* PC of the next instruction */
    uint8_t buffered;           /* instructions in the buffer, from pc on */
    bool fetching;              /* a fetch from the L1I is pending */
    uint64_t buffer_at;         /* first cycle in which buffered instructions may issue */
    uint64_t fetch_from;        /* first cycle of F */
    enum sm_effect effect;      /* effect in flight: no other instruction issues */
    uint64_t effect_at;         /* cycle at whose end it takes effect; SM_NEVER: a PC is being loaded */
    uint32_t effect_pc;
    uint64_t ready[SCALAR_RESOURCES];  /* cycle from which on each is usable; SM_NEVER: being loaded */
    uint16_t loader[SCALAR_RESOURCES]; /* loader of each: 1 + its access; 0: the last writer was not a load */
    uint64_t settled;   /* cycle from which on all results of other instructions than loads are usable */
    unsigned in_memory; /* loads and stores in flight */
    unsigned unsent;    /* stores, and loads not sent completely, among in_memory */
    uint32_t number;    /* number of the thread in the order of all that have run in this slot */
};

/* A load or store in flight, from its issue to its last answer. */
struct scalar_access {
    uint64_t writes; /* resources that it loads */
    uint64_t data;   /* cycle at whose end the data so far are present */
    uint16_t left;   /* parts not answered, or not accepted */
    uint16_t unsent; /* parts that have not been accepted */
    uint16_t next;   /* next free entry */
    uint32_t thread; /* number of the thread in the slot: loads may arrive after their thread has ended */
    uint8_t slot;
    bool loads_pc, is_store;
};

/* A part of an access: the request to a cache, or to local memory, in one cycle. */
struct scalar_part {
    uint64_t from; /* first cycle of the request */
    uint32_t address;
    uint16_t bytes;
    uint16_t access;
    uint8_t cache; /* enum sm_cache; SM_CACHES: local memory */
    uint8_t kind;  /* enum cache_request_kind */
};

struct scalar_unit {
    struct scalar_scheduler scheduler; /* scheduler; its thread n is that of slot n · units + unit */
    const struct cluster_twins *twins; /* twins of the scheduler; NULL: none */
    uint64_t watched;         /* cycles compared; the latest of these in which the scheduler took no */
    uint64_t refused;         /* ready thread */
    uint64_t next;            /* first cycle in which an instruction may issue */
    struct scalar_part *part; /* ring of pending requests */
    unsigned first, count, room;
    uint64_t cause_cycle; /* for waves: last cycle stepped and its cause; last cycle with an issue and the
                             instruction */
    enum scalar_cause cause;
    uint64_t issue_cycle;
    uint32_t issue_pc;
    uint8_t issue_slot;
    uint64_t cycles[SCALAR_CAUSE_COUNT]; /* the unit's own cycles by cause */
};

struct scalar_units {
    unsigned units, divisor, threads; /* threads: one for each slot of a work-group */
    struct scalar_unit unit[SCALAR_MAX_UNITS];
    struct scalar_thread *thread;
    uint32_t *rows;
    struct memory *nothing; /* memory for loads outside every buffer that may read 0 */
    uint8_t zeros[256];     /* more bytes than one instruction reads */
    struct scalar_access *access;
    unsigned access_room;
    uint16_t access_free; /* first free access */
    unsigned fetch_turn;  /* slot of the last fetch */
    uint32_t registers_left;
    unsigned live; /* live threads */

    /* counters */
    uint64_t cause[SCALAR_CAUSE_COUNT];
    uint64_t instructions, condition_failed, threads_started, shared_groups, loads, stores, outside;
    uint64_t registers_read, registers_written;
    uint64_t class_instructions[ARM_CLASS_COUNT];
    uint64_t l1d_accesses, l1d_misses, local_accesses, refused_cycles;
    struct histogram noted; /* numbers from lockstep_note() */
    uint64_t simt_waits;    /* cycles in which a work-group's SIMT threads wait for its scalar thread */
};

/* Returns the configuration of a unit's scheduler. */
struct scalar_scheduler_config scalar_unit_config(const struct sm *s, unsigned unit);
struct scalar_units *scalar_units_create(struct sm *s);
void scalar_units_free(struct sm *s);
void scalar_units_register_counters(struct sm *s, struct counter_registry *r);
void scalar_units_launch(struct sm *s);

/* Returns whether the launch has a scalar thread for each work-group. */
static inline bool scalar_units_used(const struct sm *s) {
    return s->scalar && s->launch->scalar_thunk;
}
/* Returns whether the launch's work-groups, of one work-item each, are distributed to warps and scalar
 * threads (scalar.share_groups). */
static inline bool scalar_units_share(const struct sm *s) {
    return s->scalar && s->config->scalar.share_groups && s->group_threads == 1 && !s->launch->scalar_thunk;
}
/* Returns the registers of a work-group's scalar thread; 0 if work-groups have none. */
uint32_t scalar_units_registers(const struct sm *s);
bool scalar_units_have_room(const struct sm *s);
/* Starts the scalar thread of the work-group in a slot in cycle t, in addition to its warps or in their
 * place. */
void scalar_units_start(struct sm *s, unsigned slot, uint64_t t);
bool scalar_units_live(const struct sm *s, unsigned slot);

/* Do the parts of cycle t; each returns the next cycle with work. */
uint64_t scalar_units_fetch(struct sm *s, uint64_t t);
uint64_t scalar_units_issue(struct sm *s, uint64_t t);
uint64_t scalar_units_send(struct sm *s, uint64_t t);
/* Turns barriers and exits of the cycle into inputs of the barrier table. */
uint64_t scalar_units_end_cycle(struct sm *s, uint64_t t);
/* Releases the threads of these work-groups at the end of cycle t. */
void scalar_units_release(struct sm *s, uint64_t groups, uint64_t t);

/* Handle answers of the L1I, or of a data cache, at the end of cycle t, with a tag of a scalar thread. */
void scalar_units_fetched(struct sm *s, uint32_t tag, uint64_t t);
void scalar_units_answered(struct sm *s, uint32_t tag, uint64_t t);

/* Charges the cycles from `from` to before `to`, in which nothing has changed. */
void scalar_units_charge(struct sm *s, uint64_t from, uint64_t to);
/* Returns what a thread waits for in cycle t; EMPTY: not live; ISSUE: only its turn. */
enum scalar_cause scalar_thread_cause(const struct sm *s, unsigned slot, uint64_t t);
/* Returns why a unit does not issue in cycle t, and the PC of the instruction; 0 if it has no thread. */
enum scalar_cause scalar_units_idle_cause(const struct sm *s, unsigned unit, uint64_t t, uint32_t *pc);

/* Appends several lines about each scalar thread in cycle t, for diagnoses. */
struct text;
void scalar_units_report(const struct sm *s, uint64_t t, struct text *out);

/* Functions for waves. */
struct scalar_trace;
struct scalar_trace *scalar_trace_create(const struct sm *s, struct trace *t);
void scalar_trace_free(struct scalar_trace *v);
void scalar_trace_stages(struct scalar_trace *v, uint64_t t, sim_time at);
void scalar_trace_registers(struct scalar_trace *v, uint64_t t, sim_time at);

#endif
