/*
 * simt: the part of a unit that does not depend on its pipeline. A unit executes warps: a cluster in SIMT
 * mode, or an SM. This part contains the launch, the observers and the counts that all units have in common.
 *
 * The members are also members of struct cluster and of struct sm, each of which begins with them:
 *
 *     union {
 *         struct simt simt;
 *         struct {
 *             SIMT_MEMBERS
 *         };
 *     };
 */
#ifndef MODEL_SIMT_SIMT_H
#define MODEL_SIMT_SIMT_H

#include "model/check/checks.h"
#include "model/check/debugger.h"
#include "model/check/observer.h"
#include "model/config/limits.h"
#include "model/control/barrier_table.h"
#include "model/core/access_values.h"
#include "model/core/execution_trail.h"
#include "model/core/identity.h"
#include "model/core/launch.h"
#include "model/uniform/fault.h"
#include "model/uniform/redundancy.h"
#include "recording/recorder.h"
#include "sim/counter.h"
#include "sim/error.h"
#include "sim/histogram.h"

/* `cause`: cycles of all launches, by cause. `work_items`: number of threads started. `memory_latency`:
 * durations of loads and stores in cycles. `now`: last cycle stepped. `short_barrier`: as in struct
 * machine_result. `check_uniform`: the values of registers with a token are compared. `check_levels`: threads
 * must end at the outermost level. Observers are NULL if not in use. `fault` is set before a launch.
 * `profile` and `executions` have an element for each instruction of the launch. `trail` has an element for
 * each warp, in an SM only for a debugger. `access_values`, if accesses are recorded, has an entry for each
 * warp of a cluster, or for each flight of an SM. */
#define SIMT_MEMBERS                                                                                         \
    unsigned index, warps, positions; /* positions: of a flight */                                           \
    bool check_uniform, check_levels;                                                                        \
    const struct machine_config *config;                                                                     \
    const struct simt_kind *kind;                                                                            \
    const struct machine_launch *launch;                                                                     \
    struct error *error;                                                                                     \
    uint64_t now;                                                                                            \
    struct barrier_table barriers;                                                                           \
    struct uniform uniform;                                                                                  \
    struct redundancy *redundancy;                                                                           \
    const struct checks *checks;                                                                             \
    const struct debugger *debugger;                                                                         \
    const struct observer *observer;                                                                         \
    struct fault *fault;                                                                                     \
    struct recorder *recorder;                                                                               \
    struct spin_watch *spin; /* watch for endless repetition */                                              \
    struct execution_trail *trail;                                                                           \
    struct access_values access_values;                                                                      \
    struct machine_profile *profile;                                                                         \
    int64_t *executions; /* executions by threads */                                                         \
    uint64_t cause[MACHINE_CAUSE_COUNT];                                                                     \
    uint64_t warp_instructions, thread_instructions, condition_failed, memory_instructions;                  \
    uint64_t groups_done, work_items;                                                                        \
    struct histogram active_threads, memory_latency;                                                         \
    char short_barrier[MACHINE_SHORT_BARRIER_BYTES];

struct spin_watch;
struct simt_kind;
struct simt {
    SIMT_MEMBERS
};

/* A warp of a work-group. */
struct simt_warp {
    struct arm_threads *threads;
    uint64_t live, waiting;    /* threads that have not exited; of these, threads at a barrier */
    uint32_t *const *local_id; /* ids of the work-items in three rows, by position */
    const uint32_t *group;     /* id of the work-group */
    unsigned slot;             /* slot of the work-group in checks */
    uint64_t moment; /* number of the instruction in execution; later instructions have larger numbers */
};

/* The watch for endless repetition (model/core/spin_watch.h) of units of one kind. */
struct simt_spin {
    uint32_t longest; /* instructions of the longest loop that is found */
    bool (*can)(const struct simt *u);
    void (*changed)(struct simt *u); /* called after the begin and the end of a watch; NULL: nothing to do */
    /* Returns a hash of the state of a warp's control flow, in addition to the running threads. */
    uint64_t (*flow)(const struct simt *u, unsigned warp);
    /* Returns whether every warp, or core, that can run repeats; sets *any if there is one. */
    bool (*goes_round)(const struct simt *u, bool *any);
};

/* Numbers of a unit's parts. */
struct simt_parts {
    unsigned cores, load_store_units;
};

/* The functions in which units differ. */
struct simt_kind {
    const char *name; /* name in recordings: "cluster" or "sm" */
    const struct simt_spin *spin;
    struct simt_parts (*parts)(const struct simt *u);
    /* Returns whether the unit executes warps now: false if its cores do something else. */
    bool (*runs_warps)(const struct simt *u);
    /* Returns the PC of a live thread of a warp: of its instruction in flight, or of its next one. */
    uint32_t (*pc)(const struct simt *u, unsigned warp, unsigned position);
    struct simt_warp (*warp)(struct simt *u, unsigned warp);
    /* Returns the number of cycles before cycle t in which a fault can strike. */
    uint64_t (*fault_cycles)(const struct simt *u, uint64_t t);
    /* Returns the values of the identity registers of a warp's threads. */
    struct identity (*identity)(const struct simt *u, unsigned warp);
    bool syncs; /* a warp may wait for a scalar thread */
    /* Writes several lines about every warp or core with work, for diagnoses: at most size − 1 characters. */
    void (*report)(const struct simt *u, uint64_t t, char *out, size_t size);
};

static inline struct simt_warp simt_warp_of(const struct simt *u, unsigned warp) {
    return u->kind->warp((struct simt *)u, warp);
}

static inline void later(uint64_t *t, uint64_t candidate) {
    if (candidate > *t) *t = candidate;
}
static inline void earlier(uint64_t *t, uint64_t candidate) {
    if (candidate < *t) *t = candidate;
}

/* --- life and launches --- */

void simt_free(struct simt *u);
/* Registers the counters that all units have; the histograms have their own descriptions. */
void simt_register_counters(struct simt *u, const char *scope, struct counter_registry *r);
/* Counts redundant operations from the next launch on. */
void simt_count_redundancy(struct simt *u, struct counter_registry *r);
void simt_launch(struct simt *u, const struct machine_launch *l, struct error *e);

/* --- records --- */

/* Records an event of threads of a warp, or of a place alone, visible from cycle t on. */
static inline void simt_record(const struct simt *u, enum record_kind kind, uint64_t t, unsigned warp,
                               uint64_t threads, uint32_t pc) {
    if (__builtin_expect(u->recorder != NULL, 0)) recorder_event(u->recorder, kind, t, warp, threads, pc);
}

/* --- causes and profile --- */

/* Returns the profile's row of the instruction at pc; NULL outside the text. */
static inline struct machine_profile *simt_profile_row(const struct simt *u, uint32_t pc) {
    const uint32_t offset = pc - u->launch->code->text_base;
    return offset < u->launch->code->text_bytes ? &u->profile[offset / 4] : NULL;
}
/* Charges cycles to a cause, for the instruction at pc. */
static inline void simt_charge(struct simt *u, enum machine_cause cause, uint32_t pc, uint64_t cycles) {
    u->cause[cause] += cycles;
    if (__builtin_expect(!u->profile, 1)) return;
    struct machine_profile *row = simt_profile_row(u, pc);
    if (row) row->cycles[cause] += cycles;
}

/* Charges the rounds of an instruction without accesses to memory. */
static inline void simt_charge_rounds(struct simt *u, uint32_t pc, unsigned rounds, unsigned occupancy) {
    simt_charge(u, MACHINE_CAUSE_EXECUTE, pc, rounds);
    if (occupancy > 1) simt_charge(u, MACHINE_CAUSE_OCCUPIED, pc, (uint64_t)rounds * (occupancy - 1));
}

/* --- what is watched (watch.c) --- */

/* An instruction of a warp. */
struct simt_instruction {
    struct arm_instruction *i;
    unsigned warp;
    uint32_t pc;
    uint64_t participating;
};
/* Fills the record of a flight that has been selected in cycle `selected`, but for its stamps
 * (record_stamps()). */
static inline void simt_fill_flight(struct record *r, const struct simt_instruction *n, uint64_t passed,
                                    enum uniform_form form, uint64_t selected) {
    r->cycle = selected;
    r->threads = n->participating;
    r->passed = passed;
    r->pc = n->pc;
    r->place = (uint16_t)n->warp;
    r->kind = RECORD_FLIGHT;
    r->form = (uint8_t)form;
    r->flags = n->i && (n->i->is_load || n->i->is_store) ? RECORD_ACCESSES : 0;
}

/* Begin a watch for endless repetition, or begin it again; end it (spinning.c). */
void simt_watch_spin(struct simt *u, bool strict);
void simt_end_watch(struct simt *u);
void simt_spin_before(struct simt *u, const struct simt_instruction *n);
/* Returns a hash of the stack of a warp, mixed into the hash h. */
struct re_convergence_stack;
uint64_t simt_hash_of_stack(const struct re_convergence_stack *s, unsigned warp, uint64_t h);

/* Called before an instruction executes, and after it has executed, for redundant operations, checks of
 * values, endless repetition, and the profile's accesses to memory. */
void simt_watch_start(struct simt *u, const struct simt_instruction *n);
void simt_watch_end(struct simt *u, const struct simt_instruction *n, const struct arm_execution *x);
static inline void simt_watch_before(struct simt *u, const struct simt_instruction *n) {
    if (u->redundancy || u->spin || (u->checks && u->checks->values)) simt_watch_start(u, n);
}
static inline void simt_watch_after(struct simt *u, const struct simt_instruction *n,
                                    const struct arm_execution *execution) {
    if (u->redundancy || u->spin || u->profile) simt_watch_end(u, n, execution);
}
/* Adds an execution by `threads` threads to the profile and to the counts of executions. */
static inline void simt_note_execution(struct simt *u, uint32_t pc, unsigned threads) {
    struct machine_profile *row = u->profile ? simt_profile_row(u, pc) : NULL;
    if (row) row->executions += threads;
    if (u->executions) u->executions[(pc - u->launch->code->text_base) / 4] += threads;
}
/* Reports an instruction executed in cycle t to the observer. `threads`: registers, NULL if the instruction
 * has threads of several warps; `f`: flight of an SM, or NULL. */
void simt_show_execution(const struct simt *u, const struct simt_instruction *n, uint64_t passed,
                         const uint32_t *address, const struct arm_threads *threads,
                         const struct sm_flight *f, uint64_t t);
/* Checks the accesses of an instruction. Returns false if a thread accesses memory outside its object; the
 * launch has then failed. */
bool simt_check_accesses(struct simt *u, const struct simt_instruction *n, const struct arm_execution *x);
static inline bool simt_check_access(struct simt *u, const struct simt_instruction *n,
                                     const struct arm_execution *execution) {
    return !u->checks || !(n->i->is_load || n->i->is_store) || simt_check_accesses(u, n, execution);
}

/* Begins cycle t of a unit with a fault. Returns the cycle of the strike if a cycle determines it; else
 * UINT64_MAX. */
uint64_t simt_fault_step(struct simt *u, uint64_t t);
uint64_t simt_fault_due(const struct simt *u, uint64_t t);
/* Calls fault_reads(), fault_writes() or fault_executed(). `threads`: as in struct fault_instruction, NULL if
 * all threads are of n->warp. */
typedef void fault_event(struct fault *f, const struct fault_unit *u, const struct fault_instruction *x);
void simt_fault(struct simt *u, fault_event *event, const struct simt_instruction *n, uint64_t passed,
                enum uniform_form form, const uint16_t *threads);

/* --- diagnoses (model/report/simt_report.c): they fill the launch's error --- */

/* Message about barriers that some threads cannot reach, since others wait at them. */
#define SIMT_DEADLOCK "work-items wait for each other at barriers that not all of their work-group reach"
void simt_diagnose(struct simt *u, unsigned warp, unsigned position, uint32_t pc, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* Reports the fault of an execution. */
void simt_diagnose_fault(struct simt *u, unsigned warp, uint32_t pc, const struct arm_instruction *i,
                         const struct arm_execution *x);
/* Reports that a thread has accessed memory outside its object. */
void simt_diagnose_outside_object(struct simt *u, unsigned warp, uint32_t pc, const struct arm_instruction *i,
                                  const struct memory_fault *f);

#endif
