/*
 * cluster: the cores of a cluster and the SIMT co-processor that drives them, cycle by cycle (dual-mode §3;
 * machine.md §2, §3; timing.md).
 *
 * In a SIMT launch the cores first run the start-up code (mode CORES), which starts a context for each
 * work-item of a work-group. When all cores have raised their SIMT-mode registers, the co-processor runs
 * warps (mode SIMT) until every thread is Idle. Then the cores continue. In a MIMD launch (mode MIMD,
 * cluster_mimd.c) each core takes work-groups of its own and runs the kernel's twin.
 *
 * cluster_step(t) does all work of cycle t, including the handovers, commits and transitions at its end. It
 * may also do work of later cycles before `until`. It returns the next cycle with work. Skipping idle cycles
 * has no effect on results. With `exact` every cycle is visited, and the blocks of model/control/ make every
 * decision.
 *
 * The stages of timing.md are in model/unit/ and model/slots/ and, computed ahead for the base machine, in
 * model/fast/: S selects a warp; A arbitrates its PC; F fetches; D decodes into the dispatch queue; O
 * collects operands; X starts rounds; W writes back; C commits. A warp has at most one instruction in flight
 * (barrel issue).
 *
 * Stack objects: an access to words of a thread's stack that are TPOs (tpo_address.h) goes to the TPM of the
 * thread's lane in X. It uses neither L2 nor DTLB, since the segment descriptor identifies stacks (dual-mode
 * §3.6). In that cycle each word takes a read port (load) or a write port (store). All accesses of a round
 * count as one, as the vTPO lines of all lanes do in O and W. Loads have priority over O, which stalls in a
 * cycle in which it does not get all ports that it can use; stores come after W. The word of a load is ready
 * after tpm.latency, the word of a store at once.
 *
 * An access that misses the DTLB of its lane is held until the page walk ends (page_walk.h). Then it is made
 * as if its round were in X. The warp waits for it; later rounds do not.
 *
 * Known inaccuracies:
 * - Registers are written when the first round starts, not in W. This has no visible effect, since the warp
 *   stays in Execution until C.
 * - When a MIMD launch fails, the counters of other cores may be up to 1,024 cycles ahead.
 * - Of the cycles charged beyond the end of such a launch, cycles of waits are taken back first.
 */
#ifndef MODEL_CLUSTER_CLUSTER_H
#define MODEL_CLUSTER_CLUSTER_H

#include "model/config/lane_map.h"
#include "model/core/core.h"
#include "model/core/access_values.h"
#include "model/core/launch.h"
#include "model/control/operand_collector.h"
#include "model/control/subwarp_dispatcher.h"
#include "model/control/thread_descriptor_table.h"
#include "model/control/warp_pc_arbiter.h"
#include "model/control/warp_scheduler.h"
#include "model/control/writeback_arbiter.h"
#include "model/fast/fast.h"
#include "model/simt/simt.h"
#include "model/control/simt_coprocessor.h"
#include "model/control/block_twins.h"
#include "model/memory/snoop_bus.h"
#include "model/control/tpo_address.h"
#include "model/uniform/uniform.h"
#include "model/cluster/uncore.h"
#include "sim/trace.h"

#define CLUSTER_NEVER UINT64_MAX
#define CLUSTER_NONE  (-1)

/* --- state --- */

enum cluster_mode {
    CLUSTER_IDLE,
    CLUSTER_CORES,
    CLUSTER_ENTER,
    CLUSTER_SIMT,
    CLUSTER_LEAVE,
    CLUSTER_MIMD,
    CLUSTER_MODE_COUNT
};
extern const char *const cluster_mode_name[CLUSTER_MODE_COUNT];

/* Reasons for which TPM ports limit the pipeline. */
enum cluster_tpm_wait {
#define CLUSTER_TPM_WAITS(X)                                                                                 \
    X(OPERANDS, "operand_cycles", "of collecting operands, since they have more lines than tpm.read_ports")  \
    X(LATENCY, "latency_cycles", "of collecting operands, since a read takes tpm.latency cycles")            \
    X(LOADS, "load_cycles", "collecting operands has stood while loads of stack objects had the read ports") \
    X(RESULTS, "result_cycles", "results have waited for write ports: for others, or their own lines")       \
    X(STORES, "store_cycles", "rounds of stores to stack objects have waited while results were written")    \
    X(WORDS, "word_cycles", "rounds have been held since a stack access has more words than there are ports")
#define X(id, name, what) CLUSTER_TPM_WAIT_##id,
    CLUSTER_TPM_WAITS(X)
#undef X
        CLUSTER_TPM_WAIT_COUNT
};

/* Blocks of model/control/ with one instance in each pipeline. */
struct cluster_blocks {
    struct warp_scheduler scheduler;
    struct warp_pc_arbiter arbiter;
    /* evaluated only where blocks make the decisions */
    struct operand_collector collector;
    struct subwarp_dispatcher dispatcher;
    struct writeback_arbiter writeback;
};

struct unit;
struct cluster {
    union {
        struct simt simt;
        struct {
            SIMT_MEMBERS
        };
    };
    /* Parts that all clusters of the machine share. */
    struct uncore *uncore;
    unsigned lanes, rounds; /* SIMD_width, N_it */
    struct lane_map map;
    uint64_t of_lane[MACHINE_MAX_LANES]; /* positions of a warp that each lane executes, as bits */
    uint64_t *of_round;                  /* positions of a warp in each round, as bits */
    unsigned vtpo_lines;                 /* cache lines of one vTPO */
    bool exact;                          /* every cycle is visited, not only traced cycles */
    bool watched; /* observers, checks, a profile or `spin` need each execution; set when SIMT mode begins */

    /* Memory as seen by all threads and, in a SIMT launch, by the cores. */
    struct memory *memory;
    /* Parts of `memory` that no other cluster can change; NULL if there are none. */
    struct memory *own;
    struct core *core; /* cores, one for each lane */
    struct snoop_bus bus;
    struct thread_descriptor_table descriptors;
    struct cluster_blocks blocks;
    struct unit *unit; /* pipeline in SIMT mode */
    /* Pipeline of the base machine, computed ahead. */
    struct fast fast;
    /* Block of the address mapping; evaluated only where blocks make the decisions. */
    struct tpo_address address;
    struct simt_coprocessor coprocessor; /* stepped only with twins */
    uint64_t address_cycle;              /* cycle of the last evaluation of `address` */
    uint32_t *tpm;     /* TPMs of all lanes; row d of warp m begins at (m · n_tpo + d) · warp_size */
    uint32_t *next_pc; /* next PCs of threads, a row for each warp as in the table of descriptors */
    struct arm_threads *threads; /* threads of each warp */

    /* the launch */
    uint32_t launch_block; /* address */
    uint32_t n_act, n_tpo;
    uint32_t stack_top, stack_segment; /* top of lane 0's first stack; distance in bytes between the stack
                                          segments of neighbouring lanes */
    bool has_next;                     /* `next` is a work-group that has been taken, but has not begun */
    struct work_group next;
    uint32_t group[3]; /* id of the work-group in flight */
    uint64_t first_cycle;
    /* First cycle that this step may not reach, because it is another cluster's turn; may become earlier
     * during the step. */
    uint64_t until;
    /* First cycle that no core may reach in this step. */
    uint64_t horizon;
    /* First cycle that no step without effects on other clusters may reach. */
    uint64_t far;
    uint64_t asks; /* cycle of the memory accesses that the cluster makes now */
    /* The cluster steps ahead: other clusters may be behind, so shared state must not be accessed. */
    bool ahead;
    /* In `fast`: the flight in F misses the L1I, and its fetch waits for the cluster's turn. */
    bool fetch_waits;

    enum cluster_mode mode;
    uint64_t resume; /* modes ENTER and LEAVE: first cycle of the next mode */
    unsigned live;   /* threads that are not Idle */

    uint64_t barrier_release; /* cycle at whose end the open barrier releases its threads; CLUSTER_NEVER if
                                 none is open */
    uint64_t livelock_cycles; /* cycles without a commit that count as a livelock */
    /* Allocation of all arrays whose sizes depend on the configuration: cores, TPMs, warps, flights. */
    void *storage;

    uint64_t alternate_instructions;    /* thread-instructions of mixed flights (simt.mitigation alt) */
    uint64_t stack_held, stack_spilled; /* accesses of threads to their stacks: to TPOs; to memory */
    uint64_t tpm_wait[CLUSTER_TPM_WAIT_COUNT];
    struct histogram queue_occupancy;
    struct histogram rounds_started; /* rounds that start in each cycle of SIMT mode (simt.multi_issue) */
    /* Instructions for which the last cause of a wait was: the lanes were full; no unit was free
     * (simt.multi_issue). */
    uint64_t late_places, late_units;
    int left_warp;         /* warp whose threads last reached a barrier or exited; CLUSTER_NONE if none yet */
    uint64_t start_cycles; /* cycles in which contexts were started with twins attached */
    uint64_t simt_first, simt_cycles; /* first cycle of this stay in SIMT mode; cycles of all earlier stays */
    const struct cluster_twins *twins; /* NULL: none */
    struct cluster_trace *trace;       /* NULL: untraced */
    /* First and last cycle of the current or next traced window; CLUSTER_NEVER if none is left. */
    uint64_t trace_first, trace_last;
    /* Later windows, from the first to behind the last. */
    const struct machine_window *trace_windows, *trace_windows_end;
};

/* --- life and launches --- */

void cluster_init(struct cluster *c, unsigned index, const struct machine_config *config,
                  struct memory *memory, struct uncore *uncore);
void cluster_free(struct cluster *c);
void cluster_register_counters(struct cluster *c, struct counter_registry *r);

/* Begins a launch in cycle t, with every core at the start-up code. uncore_begin_launch() must have been
 * called. The stacks of the cores are those of the launch block. `memory` is the memory that the threads see,
 * `own` the parts of it that no other cluster can change (memory_own()); NULL if there are none. */
void cluster_launch(struct cluster *c, const struct machine_launch *l, uint32_t launch_block_address,
                    const struct launch_block *block, struct memory *memory, struct memory *own, uint64_t t,
                    struct error *e);

/* Begins a MIMD launch in cycle t. Each core sees its own memory, which contains its stack and local memory.
 * `core_own` is the part of each that no other core can change (mimd_memory.h). */
void cluster_launch_mimd(struct cluster *c, const struct machine_launch *l, uint32_t launch_block_address,
                         const struct launch_block *block, struct memory *core_memory,
                         struct memory *core_own, uint64_t t, struct error *e);

/* Returns the first cycle without a cause after a launch has ended or was stopped. `before` holds the counts
 * of the causes before the launch. */
uint64_t cluster_charged_until(const struct cluster *c, const uint64_t before[MACHINE_CAUSE_COUNT]);
/* Charges all cycles of the launch before `end` to causes and takes back charges of later cycles. The
 * accounts of the cores of a MIMD launch are added to `cause`. */
void cluster_settle(struct cluster *c, const uint64_t before[MACHINE_CAUSE_COUNT], uint64_t end);

/* --- cycles --- */

/* Steps cycle t. Returns the next cycle with work; CLUSTER_NEVER when the launch has ended (mode IDLE, last
 * cycle in `now`) or has failed (*e filled). */
uint64_t cluster_step(struct cluster *c, uint64_t t);
/* Completes the postponed work of a cluster that has been stepped up to cycle `end`. */
void cluster_catch_up(struct cluster *c, uint64_t end);

/* The unit's `pc` (thread_pc.c). */
uint32_t cluster_thread_pc(const struct simt *u, unsigned warp, unsigned position);
void cluster_report(const struct simt *u, uint64_t t, char *out, size_t size);

/* --- lanes, rounds and twins --- */

/* Returns the position of the thread that a lane executes in a round (machine.md §1, simt.lane_map). */
static inline unsigned cluster_position(const struct cluster *c, unsigned lane, unsigned round) {
    return lane_map_position(c->map, lane, round);
}

/* Returns the largest number of instructions in flight: one for each warp, two with simt.mitigation dpe. */
static inline unsigned cluster_flights(const struct cluster *c) {
    return c->config->simt.mitigation == MITIGATION_DPE ? 2 * c->warps : c->warps;
}

/* Returns whether an instruction of some threads may take fewer rounds than an instruction of all threads. */
static inline bool cluster_saves_rounds(const struct cluster *c) {
    return c->config->simt.mitigation == MITIGATION_SKIP || c->config->simt.mitigation == MITIGATION_SLP;
}

/* Returns the rounds of a vector instruction of these threads: all rounds; with simt.mitigation skip those
 * with a participating thread; with slp the largest number of participating threads in a lane. */
static inline unsigned cluster_rounds_of(const struct cluster *c, uint64_t participating) {
    unsigned most = 0;
    if (__builtin_expect(!cluster_saves_rounds(c), 1)) return c->rounds;
    if (c->config->simt.mitigation == MITIGATION_SKIP) {
        for (unsigned round = 0; round < c->rounds; ++round)
            most += (participating & c->of_round[round]) != 0;
        return most;
    }
    for (unsigned lane = 0; lane < c->lanes; ++lane) {
        const unsigned own = (unsigned)__builtin_popcountll(participating & c->of_lane[lane]);
        if (own > most) most = own;
    }
    return most;
}

/* Returns the position that a lane executes in the v-th round that simt.mitigation skip does not skip; −1 if
 * fewer rounds remain. */
static inline int cluster_executes_unskipped(const struct cluster *c, uint64_t participating, unsigned lane,
                                             unsigned v) {
    for (unsigned round = 0; round < c->rounds; ++round)
        if (participating & c->of_round[round] && v-- == 0) return (int)cluster_position(c, lane, round);
    return -1;
}

/* Returns the position that a lane executes in a round of a vector instruction of these threads. With
 * simt.mitigation skip, skipped rounds are not counted; with slp, the lane's participating threads come in
 * ascending order. −1 if none is left. */
static inline int cluster_executes(const struct cluster *c, uint64_t participating, unsigned lane,
                                   unsigned round) {
    if (__builtin_expect(!cluster_saves_rounds(c), 1)) return (int)cluster_position(c, lane, round);
    if (c->config->simt.mitigation == MITIGATION_SKIP)
        return cluster_executes_unskipped(c, participating, lane, round);
    uint64_t own = participating & c->of_lane[lane];
    for (; round && own; --round) own &= own - 1;
    return own ? __builtin_ctzll(own) : -1;
}

/* Returns whether the changes of descriptors are noted at their ports, for the twins of the descriptors and
 * the co-processor. */
static inline bool cluster_notes_descriptors(const struct cluster *c) {
    return __builtin_expect(c->twins != NULL, 0) &&
           (c->twins->attached[CLUSTER_BLOCK_DESCRIPTORS] || c->twins->attached[CLUSTER_BLOCK_COPROCESSOR]);
}

static inline void cluster_stop_twins(const struct cluster *c) {
    if (c->twins && c->twins->stop) c->twins->stop(c->twins->context);
}

/* Returns whether the block is also evaluated in cycles in which contexts start. */
static inline bool cluster_starts(enum cluster_block b) {
    return b == CLUSTER_BLOCK_SCHEDULER || b == CLUSTER_BLOCK_DESCRIPTORS || b == CLUSTER_BLOCK_COPROCESSOR;
}
/* Steps the scheduler outside SIMT mode with no warp ready and all stalled. One such cycle has the effect of
 * many. */
void cluster_rest_scheduler(struct cluster *c, uint64_t t);
/* Ends a cycle of the descriptors, which have a twin. */
void cluster_descriptors_cycle(struct cluster *c, uint64_t t);
/* Ends a cycle in which contexts start, with twins. */
void cluster_start_cycle(struct cluster *c, uint64_t t);

/* Makes the first window that ends in cycle t or later the current one. */
void cluster_next_window(struct cluster *c, uint64_t t);

static inline bool cluster_traced(struct cluster *c, uint64_t t) {
    if (__builtin_expect(t > c->trace_last, 0)) cluster_next_window(c, t);
    return t >= c->trace_first;
}

/* Returns whether cycles without events may be skipped. Traced cycles may not, because time alone changes
 * traced values. */
static inline bool cluster_skips(struct cluster *c, uint64_t t) {
    return !c->exact && !cluster_traced(c, t);
}

/* Returns the next cycle to step if nothing happens after cycle t and before `next`: not later than the
 * beginning of a window. */
static inline uint64_t cluster_skip_to(struct cluster *c, uint64_t t, uint64_t next) {
    if (!cluster_skips(c, t)) return t + 1;
    return next < c->trace_first || c->trace_first <= t ? next : c->trace_first;
}

/* --- between the files of the cluster --- */
extern const struct simt_spin cluster_spin;
/* Sets c->watched. */
void cluster_set_watched(struct cluster *c);
/* Sets the functions that the cores call in a MIMD launch, for checks and the watch. */
void cluster_set_calls(struct cluster *c);
/* Writes the instruction at pc as text, with the name of a co-processor operation in front: "barrier: mcr 7,
 * 0, …". */
void cluster_instruction_text(const struct cluster *c, uint32_t pc, char *out, size_t size);
uint64_t cluster_simt_step(struct cluster *c, uint64_t t);
/* Returns the last cycle with a commit. */
uint64_t cluster_committed(const struct cluster *c);
uint64_t cluster_mimd_step(struct cluster *c, uint64_t t);
/* Returns the state of the lanes in cycle t, after the last stepped cycle. *pc becomes the PC of the
 * instruction whose rounds started last. */
enum machine_cause cluster_lanes_cause(const struct cluster *c, uint64_t t, uint32_t *pc);
/* Called before another cluster invalidates or shares a line of this cluster. Afterwards uncore->asked may
 * contain this cluster: it then has a turn in cycle cluster_late() for postponed accesses. */
void cluster_is_asked(void *cluster, uint32_t line);
uint64_t cluster_late(const struct cluster *c);
/* Does the part that all launches have in common. */
void cluster_begin_launch(struct cluster *c, const struct machine_launch *l, uint32_t launch_block_address,
                          uint64_t t, struct error *e);
/* Starts core i at a PC for a launch. local_offset is the offset of its local memory window in bytes. */
void cluster_start_core(struct cluster *c, unsigned i, uint32_t pc, const struct launch_block *block,
                        uint32_t local_offset, uint64_t t);
/* Begins to clean or invalidate the L1D of core k in cycle t. */
void cluster_maintain(struct cluster *c, struct core *k, uint64_t t);
void cluster_simt_begin(struct cluster *c, uint64_t t); /* Begins SIMT mode with cycle t. */
/* Ends SIMT mode with cycle t. pc: last instruction; `free`: first cycle in which the lanes were free. */
void cluster_simt_end(struct cluster *c, uint32_t pc, uint64_t free, uint64_t t);
warp_set cluster_live_warps(const struct cluster *c);
/* Returns whether a block of uniform instructions has inputs for the next cycle. */
static inline bool cluster_uniform_due(const struct cluster *c) {
    const struct uniform *u = &c->uniform;
    return u->looks_up || u->reuse.in.insert || u->rename.in.release;
}
/* Stamps of the instruction whose rounds end a gap in the lanes. */
struct lane_gap {
    struct warp_wait wait;  /* its warp's wait before its selection */
    uint64_t f, fetched, o; /* first cycle of F, last cycle of F, first cycle of O */
    uint32_t pc;
};

/* Charges the cycles from t to before `until`, in which the lanes were idle, each to the stage in which the
 * instruction was. */
void cluster_charge_gap(struct cluster *c, uint64_t t, uint64_t until, const struct lane_gap *g);
/* Executes a co-processor instruction of core k that reads a register. Returns false if the operation is
 * undefined or belongs to SIMT mode. */
bool cluster_read_identity(const struct cluster *c, struct core *k, const struct arm_instruction *i,
                           uint64_t t);
/* Fill the launch's error with a diagnosis of a core that runs start-up code or a twin: with a text; with the
 * fault of an execution. */
void cluster_diagnose(struct cluster *c, unsigned core, uint32_t pc, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void cluster_diagnose_outside_object(struct cluster *c, unsigned core, uint32_t pc,
                                     const struct arm_instruction *i, const struct memory_fault *f);
void cluster_diagnose_fault(struct cluster *c, unsigned core, uint32_t pc, const struct arm_instruction *i,
                            const struct arm_execution *x);
void cluster_diagnose_deadlock(struct cluster *c, uint64_t t);
void cluster_diagnose_livelock(struct cluster *c, uint64_t t);
/* Returns the number of cycles without a commit that count as a livelock. */
uint64_t cluster_livelock_cycles(const struct machine_config *c);
/* Notes in c->short_barrier, once a launch, that a barrier opens after work-items of its work-group have
 * ended. */
void cluster_note_short_barrier(struct cluster *c, uint32_t pc);
struct cluster_trace *cluster_trace_create(struct cluster *c, struct trace *t,
                                           sim_time (*time)(const void *, uint64_t),
                                           const void *time_context);
void cluster_trace_free(struct cluster_trace *t);
/* Trace cycle t, after all clusters have been stepped in it: the stages at its edge; the registers after it;
 * the launch; the end of the trace. */
void cluster_trace_stages(struct cluster *c, uint64_t t);
void cluster_trace_registers(struct cluster *c, uint64_t t);
void cluster_trace_launch(struct cluster *c, uint64_t t);
void cluster_trace_end(struct cluster *c, uint64_t t);

#endif
