/*
 * cluster: the cores of a cluster and the SIMT co-processor that drives them, cycle by cycle (dual-mode §3;
 * machine.md §2, §3; timing.md).
 *
 * In a SIMT launch the cores run the start-up code (mode CORES) and start a context for each work-item of a
 * work-group; when all have raised their SIMT-mode registers the co-processor runs warps (mode SIMT) until
 * every thread is Idle; then the cores go on. In a MIMD launch (mode MIMD, cluster_mimd.c) each core takes
 * work-groups of its own and runs the kernel's twin. cluster_step(t) does everything that happens in cycle t,
 * the handovers, commits and transitions at its end included, and what follows before the cycle `until`, and
 * says in which cycle there is something to do again. Skipping the cycles between changes nothing but host
 * time: with `exact` every cycle is visited, and the blocks of model/control/ take every decision.
 *
 * The stages of timing.md are in model/unit/ and model/slots/, and once more, computed ahead for the base
 * machine, in model/fast/: S picks a warp; A arbitrates its PC; F fetches; D
 * decodes; the dispatch queue; O collects operands; X starts rounds; W writes back; C commits. A warp has at
 * most one instruction in flight (barrel issue).
 *
 * Stack objects: an access of a thread to words of its stack that are TPOs (tpo_address.h) is an access of
 * its lane's TPM in X: no L2, no DTLB (the segment descriptor tells stacks apart, dual-mode §3.6). In that
 * cycle it takes a read port (load) or write port (store) for each word; all accesses of a round are one, as
 * all lanes' vTPO lines are in O and W. Loads come before O, which stands still in a cycle in which it does
 * not get all the ports it can use; stores come after W. A load's word is there after tpm.latency, a store's
 * at once.
 *
 * An access that misses its lane's DTLB is held until the walk has ended (page_walk.h), and is then made as
 * if its round were in X: the warp waits, the rounds go on.
 *
 * Known inaccuracies: registers are written when the first round starts, not at W (nobody can tell: the warp
 * is in Execution until C); when a MIMD launch fails, the other cores' counters may be up to 1,024 cycles
 * ahead, and of the cycles that an instruction would have taken after the end, those of waits are left out
 * first.
 */
#ifndef MODEL_CLUSTER_CLUSTER_H
#define MODEL_CLUSTER_CLUSTER_H

#include "model/config/lane_map.h"
#include "model/core/core.h"
#include "model/core/access_values.h"
#include "model/core/execution_trail.h"
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

/* What waits for the ports of the TPM, and why. */
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

/* Blocks of model/control/ that a pipeline has one of. */
struct cluster_blocks {
    struct warp_scheduler scheduler;
    struct warp_pc_arbiter arbiter;
    /* evaluated where blocks decide */
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
    struct uncore *uncore;  /* what it shares with the others */
    unsigned lanes, rounds; /* SIMD_width, N_it */
    struct lane_map map;
    uint64_t of_lane[MACHINE_MAX_LANES]; /* each lane's positions of a warp, */
    uint64_t *of_round;                  /* and each round's */
    unsigned vtpo_lines;                 /* cache lines of one vTPO */
    bool exact;                          /* visit every cycle, not only those that are traced */
    bool check_levels;                   /* threads must end at the outermost priority */
    bool watched; /* set at the start of a stay in SIMT mode: somebody sees what is executed */

    struct memory *memory; /* what all threads see, and the cores in a SIMT launch */
    struct memory *own;    /* what of it no other cluster can change; NULL: there is none */
    struct core *core;     /* of each lane */
    struct snoop_bus bus;
    struct thread_descriptor_table descriptors;
    struct cluster_blocks blocks;
    struct unit *unit; /* the pipeline in SIMT mode, */
    struct fast fast;  /* and the base machine's, computed ahead */
    struct tpo_address
        address; /* evaluated and used where blocks decide: else what it says is computed ahead */
    struct simt_coprocessor coprocessor; /* kept beside twins only */
    uint64_t address_cycle;              /* in which `address` was evaluated last */
    uint32_t *tpm;               /* all lanes' TPMs: warp m's row d begins at (m · n_tpo + d) · warp_size */
    uint32_t *next_pc;           /* a row of each warp, as in the table of descriptors */
    struct arm_threads *threads; /* of each warp */

    /* the launch */
    uint32_t launch_block; /* address */
    uint32_t n_act, n_tpo;
    uint32_t stack_top, stack_segment; /* of lane 0's segment; bytes between those of lanes */
    bool has_next;                     /* a work-group has been taken that has not begun: */
    struct work_group next;
    uint32_t group[3]; /* id of the work-group in flight */
    uint64_t first_cycle;
    uint64_t until; /* set before a step: another cluster's turn, which may come nearer while it is taken; */
    uint64_t horizon; /* and no core gets as far as this one, */
    uint64_t far;     /* no cluster, with what nobody else sees, as far as this */
    uint64_t asks;    /* the cycle in which it makes accesses now */
    bool ahead;       /* in a step: other clusters may be behind, what they share must not be touched */
    bool fetch_waits; /* of `fast`: for its turn, the fetch of the flight in F, whose instruction is not in
                         the L1I */

    enum cluster_mode mode;
    uint64_t resume; /* ENTER, LEAVE: first cycle of what follows */
    unsigned live;   /* threads that are not Idle */

    uint64_t barrier_release; /* cycle at whose end the open barrier's threads are released, CLUSTER_NEVER if
                                 none */
    uint64_t livelock_cycles; /* so many without a commit are too many */
    struct execution_trail *trail; /* of each warp */
    void *storage; /* one allocation of what is sized by the configuration: cores, TPMs, and all of warps and
                      flights */

    uint64_t alternate_instructions;    /* of the threads of mixed flights (simt.mitigation alt) */
    uint64_t stack_held, stack_spilled; /* accesses of threads to their stacks */
    uint64_t tpm_wait[CLUSTER_TPM_WAIT_COUNT];
    struct histogram queue_occupancy;
    struct histogram rounds_started;  /* simt.multi_issue: rounds that start in a cycle of SIMT mode */
    uint64_t late_places, late_units; /* likewise: instructions that found the lanes full, or no unit, last */
    int left_warp;         /* whose threads reached a barrier or exited last; CLUSTER_NONE: none yet */
    uint64_t start_cycles; /* in which contexts were started while something ran beside the blocks */
    uint64_t simt_first, simt_cycles;  /* first cycle of this stay in SIMT mode; cycles of all that ended */
    const struct cluster_twins *twins; /* NULL: none */
    struct cluster_trace *trace;       /* NULL: untraced */
    uint64_t trace_first, trace_last;  /* the window that is traced, or the next; CLUSTER_NEVER: no more */
    const struct machine_window *trace_windows, *trace_windows_end; /* those after it */
};

/* --- life and launches --- */

void cluster_init(struct cluster *c, unsigned index, const struct machine_config *config,
                  struct memory *memory, struct uncore *uncore);
void cluster_free(struct cluster *c);
void cluster_register_counters(struct cluster *c, struct counter_registry *r);

/* Begins a launch in cycle t (uncore_begin_launch() has been called): every core at the start-up code.
 * core_stack_top and core_stack_size as in the block. `memory`: what the threads see; `own`: what of it no
 * other cluster can change (memory_own()), NULL: there is none. */
void cluster_launch(struct cluster *c, const struct machine_launch *l, uint32_t launch_block_address,
                    const struct launch_block *block, struct memory *memory, struct memory *own, uint64_t t,
                    struct error *e);

/* The same for a MIMD launch: each core sees its own memory, with its own stack and local memory in it;
 * core_own: what of it no other core can change (mimd_memory.h). */
void cluster_launch_mimd(struct cluster *c, const struct machine_launch *l, uint32_t launch_block_address,
                         const struct launch_block *block, struct memory *core_memory,
                         struct memory *core_own, uint64_t t, struct error *e);

/* A launch has ended, or was stopped: the first cycle after all that have a cause, before them `before`. */
uint64_t cluster_charged_until(const struct cluster *c, const uint64_t before[MACHINE_CAUSE_COUNT]);
/* All cycles up to `end` get a cause and none after it keeps one; those of a MIMD launch's cores get into
 * `cause`. */
void cluster_settle(struct cluster *c, const uint64_t before[MACHINE_CAUSE_COUNT], uint64_t end);

/* --- cycles --- */

/* Cycle t. Returns the next cycle with something to do; CLUSTER_NEVER when the launch has ended (mode IDLE:
 * its last cycle was `now`) or has failed (*e filled). */
uint64_t cluster_step(struct cluster *c, uint64_t t);
/* Finishes, for one of several clusters that have been stepped up to cycle `end`, what it has put off. */
void cluster_catch_up(struct cluster *c, uint64_t end);

/* What every warp, or every core, is doing: several lines, for diagnoses. Writes at most
 * size − 1 characters. */
void cluster_report(const struct cluster *c, uint64_t t, char *out, size_t size);

/* --- lanes, rounds and twins --- */

/* Position of the thread that lane i executes in round v (machine.md §1, simt.lane_map). */
static inline unsigned cluster_position(const struct cluster *c, unsigned lane, unsigned round) {
    return lane_map_position(c->map, lane, round);
}

/* Instructions of its warps that can be in flight at once: two of each with simt.mitigation dpe. */
static inline unsigned cluster_flights(const struct cluster *c) {
    return c->config->simt.mitigation == MITIGATION_DPE ? 2 * c->warps : c->warps;
}

/* Returns whether an instruction of some threads may take fewer rounds than one of all. */
static inline bool cluster_saves_rounds(const struct cluster *c) {
    return c->config->simt.mitigation == MITIGATION_SKIP || c->config->simt.mitigation == MITIGATION_SLP;
}

/* The rounds that a vector instruction of these threads takes: all; with simt.mitigation skip those in which
 * one of them is; with slp those of the lane that has most of them. */
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

/* Returns the position of lane i in the v-th round that simt.mitigation skip leaves; -1: it leaves fewer. */
static inline int cluster_executes_unskipped(const struct cluster *c, uint64_t participating, unsigned lane,
                                             unsigned v) {
    for (unsigned round = 0; round < c->rounds; ++round)
        if (participating & c->of_round[round] && v-- == 0) return (int)cluster_position(c, lane, round);
    return -1;
}

/* The position that lane i executes in round v of a vector instruction of these threads: with simt.mitigation
 * skip that of the v-th round that has one of them, with slp the v-th of them that the lane has, in ascending
 * order; -1: there are no more. */
static inline int cluster_executes(const struct cluster *c, uint64_t participating, unsigned lane,
                                   unsigned round) {
    if (__builtin_expect(!cluster_saves_rounds(c), 1)) return (int)cluster_position(c, lane, round);
    if (c->config->simt.mitigation == MITIGATION_SKIP)
        return cluster_executes_unskipped(c, participating, lane, round);
    uint64_t own = participating & c->of_lane[lane];
    for (; round && own; --round) own &= own - 1;
    return own ? __builtin_ctzll(own) : -1;
}

/* Is it noted in the ports of the descriptors what happens to them? They and the co-processor need it. */
static inline bool cluster_notes_descriptors(const struct cluster *c) {
    return __builtin_expect(c->twins != NULL, 0) &&
           (c->twins->attached[CLUSTER_BLOCK_DESCRIPTORS] || c->twins->attached[CLUSTER_BLOCK_COPROCESSOR]);
}

static inline void cluster_stop_twins(const struct cluster *c) {
    if (c->twins && c->twins->stop) c->twins->stop(c->twins->context);
}

/* Is the block evaluated in cycles in which contexts start, too? */
static inline bool cluster_starts(enum cluster_block b) {
    return b == CLUSTER_BLOCK_SCHEDULER || b == CLUSTER_BLOCK_DESCRIPTORS || b == CLUSTER_BLOCK_COPROCESSOR;
}
/* The scheduler's cycle outside SIMT mode: nobody is ready, all are stalled. One is as good as many. */
void cluster_rest_scheduler(struct cluster *c, uint64_t t);
/* The end of a cycle of the descriptors that have a twin. */
void cluster_descriptors_cycle(struct cluster *c, uint64_t t);
/* With twins, the end of a cycle in which contexts start. */
void cluster_start_cycle(struct cluster *c, uint64_t t);

/* Goes on to the first window that ends in cycle t or later. */
void cluster_next_window(struct cluster *c, uint64_t t);

static inline bool cluster_traced(struct cluster *c, uint64_t t) {
    if (__builtin_expect(t > c->trace_last, 0)) cluster_next_window(c, t);
    return t >= c->trace_first;
}

/* May cycles in which nothing happens be skipped? A trace shows what time alone changes. */
static inline bool cluster_skips(struct cluster *c, uint64_t t) {
    return !c->exact && !cluster_traced(c, t);
}

/* Nothing happens after cycle t until cycle `next`: the cycle to step next, not later
 * than a window begins. */
static inline uint64_t cluster_skip_to(struct cluster *c, uint64_t t, uint64_t next) {
    if (!cluster_skips(c, t)) return t + 1;
    return next < c->trace_first || c->trace_first <= t ? next : c->trace_first;
}

/* --- between the files of the cluster --- */
/* The instruction at pc as text, a co-processor's with its name: "barrier: mcr 7, 0, …". */
void cluster_instruction_text(const struct cluster *c, uint32_t pc, char *out, size_t size);
uint64_t cluster_simt_step(struct cluster *c, uint64_t t);
/* The last cycle in which an instruction was committed. */
uint64_t cluster_committed(const struct cluster *c);
uint64_t cluster_mimd_step(struct cluster *c, uint64_t t);
/* What the lanes do in cycle t, after the last one stepped, with the instruction at *pc, whose rounds started
 * last. */
enum machine_cause cluster_lanes_cause(const struct cluster *c, uint64_t t, uint32_t *pc);
/* Before another cluster takes a line away, or shares it. Then uncore->asked may say that the cluster has a
 * turn in cycle cluster_late(): accesses that it has put off. */
void cluster_is_asked(void *cluster, uint32_t line);
uint64_t cluster_late(const struct cluster *c);
/* Does what every launch begins with. */
void cluster_begin_launch(struct cluster *c, const struct machine_launch *l, uint32_t launch_block_address,
                          uint64_t t, struct error *e);
/* Core i at the start of a launch, its local memory window at an offset. */
void cluster_start_core(struct cluster *c, unsigned i, uint32_t pc, const struct launch_block *block,
                        uint32_t local_offset, uint64_t t);
/* Core k begins to drain or invalidate its L1D in cycle t. */
void cluster_maintain(struct cluster *c, struct core *k, uint64_t t);
void cluster_simt_begin(struct cluster *c, uint64_t t); /* first cycle in SIMT mode */
/* SIMT mode ends with cycle t; the instruction at pc was the last one, and the lanes have been free from
 * cycle `free` on. */
void cluster_simt_end(struct cluster *c, uint32_t pc, uint64_t free, uint64_t t);
warp_set cluster_live_warps(const struct cluster *c);
/* Returns whether a block of uniform instructions has inputs for the next cycle. */
static inline bool cluster_uniform_due(const struct cluster *c) {
    const struct uniform *u = &c->uniform;
    return u->looks_up || u->reuse.in.insert || u->rename.in.release;
}
/* Stamps of the instruction whose rounds end a gap in the lanes. */
struct lane_gap {
    uint64_t since;           /* first cycle in which its warp was ready-to-run */
    uint64_t f, fetched, o;   /* first cycle of F, last cycle of F, first cycle of O */
    enum machine_cause cause; /* cause of the warp's wait before `since` */
    uint32_t wait_pc, pc;     /* PC that the wait is charged to; PC of the instruction */
};

/* Charges the cycles from t to before `until`, in which the lanes stood still, each to the stage that the
 * instruction was then in. */
void cluster_charge_gap(struct cluster *c, uint64_t t, uint64_t until, const struct lane_gap *g);
/* Executes a co-processor instruction's register read for the threads of a warp, or for a core (threads of
 * one position; core then is it). False: the operation is undefined or of the other mode. */
bool cluster_read_identity(struct cluster *c, const struct arm_instruction *i, struct arm_threads *t,
                           int warp, unsigned core, uint64_t mask, uint64_t cycle);
/* Fill the launch's error with a diagnosis of a core in MIMD mode, in start-up code or a twin; of the fault
 * of an execution. */
void cluster_diagnose(struct cluster *c, unsigned core, uint32_t pc, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void cluster_diagnose_fault(struct cluster *c, unsigned core, uint32_t pc, const struct arm_instruction *i,
                            const struct arm_execution *x);
void cluster_diagnose_deadlock(struct cluster *c, uint64_t t);
void cluster_diagnose_livelock(struct cluster *c, uint64_t t);
/* So many cycles without a commit are too many. */
uint64_t cluster_livelock_cycles(const struct machine_config *c);
/* A barrier opens although work-items of its work-group have ended: the launch's first goes to
 * c->short_barrier. */
void cluster_note_short_barrier(struct cluster *c, uint32_t pc);
struct cluster_trace *cluster_trace_create(struct cluster *c, struct trace *t,
                                           sim_time (*time)(const void *, uint64_t),
                                           const void *time_context);
void cluster_trace_free(struct cluster_trace *t);
/* What cycle t shows, called after the steps of all clusters in it: what the stages do at its edge, then what
 * the registers hold after the next. */
void cluster_trace_stages(struct cluster *c, uint64_t t);
void cluster_trace_registers(struct cluster *c, uint64_t t);
void cluster_trace_launch(struct cluster *c, uint64_t t);
void cluster_trace_end(struct cluster *c, uint64_t t);

#endif
