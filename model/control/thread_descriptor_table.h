/*
 * thread_descriptor_table: the descriptors of every CPU thread of a cluster (dual-mode §3.2, Fig. 3, Fig. 4).
 *
 * Hardware has one table per lane; here the rows of a warp are adjacent, positions k = 0 … warp_size − 1
 * (equation 4 or its cyclic variant says which lane and round holds position k). Each state is a bit mask for
 * each warp; a thread in none of the masks is Idle. Each priority level is a mask (one-hot per thread),
 * derived from an 8-bit level counter: priority = min(level, levels − 1).
 *
 * Transitions: start Idle→Ready · schedule Ready→Execution · commit Execution→Ready · wait Execution→Barrier
 * · release Barrier→Ready · exit Execution→Idle. Any other transition fails an invariant.
 *
 * The machine changes rows by tdt_*(), in the order of events in a cycle. As a block the table has ports
 * (rtl/thread_descriptor_table.sv describes them, its flip-flops and its memories):
 * thread_descriptor_table_eval() and _clock() make a cycle by the ports alone. With a twin, the machine also
 * notes the events of a cycle in the ports (`in`, and the outputs of a commit); _note() and _edge() do the
 * rest. Flags, local ids and stacks belong to a context and are not part of the block.
 */
#ifndef MODEL_CONTROL_THREAD_DESCRIPTOR_TABLE_H
#define MODEL_CONTROL_THREAD_DESCRIPTOR_TABLE_H

#include "generated/thread_descriptor_table_ports.h"
#include "model/control/block_twins.h"
#include "model/control/thread_levels.h"
#include "model/control/warp_set.h"
#include "sim/error.h"

#define TDT_MAX_WARP_SIZE MACHINE_MAX_WARP_SIZE
#define TDT_MAX_LANES     MACHINE_MAX_LANES

typedef uint32_t tdt_row[TDT_MAX_WARP_SIZE] __attribute__((aligned(64)));

/* Effect of an instruction on the threads that execute it, besides registers. */
enum thread_operation {
    THREAD_NONE,
    THREAD_RAISE,
    THREAD_LOWER,
    THREAD_OUTERMOST,
    THREAD_BARRIER,
    THREAD_EXIT
};

#define thread_descriptor_table_row warp_descriptors /* name in the list of ports */
struct warp_descriptors {
    _Alignas(64) uint64_t ready, execution, barrier;
    /* Threads whose PC is together_pc, whatever their words in `pc` are (tdt_pc()); 0: all PCs are in `pc`.
     * Before cycle `apart`, no other live thread has together_pc. Where blocks
     * decide (--exact-steps, twins), there are none. */
    uint64_t together;
    uint32_t together_pc, apart;
    bool leads; /* one of them gives the warp PC as long as levels and Ready threads are the same */
    /* of the instruction in flight; only kept when the ports are in use: these and next_pc */
    uint8_t passed_count, operation, by;
    uint32_t warp_pc;
    uint64_t passed;
    /* Rows of a context's state, with one word for each thread of the warp: */
    uint32_t *barrier_pc;
    uint32_t *local_id[3];                    /* x, y, z of the work-item */
    uint32_t *n, *z, *c, *v, *q, *ge, *fpscr; /* flags, in the form of struct arm_threads */
    uint32_t *stack_top;
    uint64_t priority[TDT_MAX_LEVELS];
    uint8_t level[TDT_MAX_WARP_SIZE];
    tdt_row pc, next_pc;
};
#define TDT_ROWS 12 /* number of rows of a warp */

/* Returns the distance of these rows in words: each begins at a line of the host's cache. */
static inline unsigned tdt_row_words(unsigned warp_size) {
    return (warp_size + 15) & ~15u;
}

/* --- parameters, ports and flip-flops --- */

struct thread_descriptor_table {
    unsigned warps, warp_size, lanes, levels;
    bool cyclic;
    uint64_t all; /* mask of the positions of a warp */
    /* Storage of the owner, set before initialisation: descriptors of `warps` warps, and their rows, TDT_ROWS
     * · tdt_row_words() words for each. */
    struct warp_descriptors *warp;
    uint32_t *rows;
    struct thread_descriptor_table_in in;
    struct thread_descriptor_table_out out;
    struct thread_descriptor_table_state q, d;
    block_rows written; /* warps whose rows change in this cycle */
    uint32_t start_context[TDT_MAX_LANES], start_pc[TDT_MAX_LANES]; /* arrays for pointers of `in` */
    uint64_t priority[TDT_MAX_LEVELS]; /* arrays for pointers of `out` after _edge(); else `out` points to the
                                          row that is read */
    tdt_row pc;
};

/* Storage for the largest table. */
struct tdt_room {
    struct warp_descriptors warp[TDT_MAX_WARPS];
    tdt_row row[TDT_MAX_WARPS * TDT_ROWS];
};

/* --- functions --- */

/* Initialises the table. One lane starts contexts, until _lanes() sets the number of lanes, which divides the
 * warp size, and simt.lane_map. */
void thread_descriptor_table_init(struct thread_descriptor_table *t, unsigned warps, unsigned warp_size,
                                  unsigned levels);
void thread_descriptor_table_lanes(struct thread_descriptor_table *t, unsigned lanes, bool cyclic);

/* Returns the position of the thread that lane i executes in round v (machine.md §1). */
static inline unsigned tdt_position(const struct thread_descriptor_table *t, unsigned lane, unsigned round) {
    return t->cyclic ? round * t->lanes + lane : lane * (t->warp_size / t->lanes) + round;
}

/* Make a cycle by the ports: in, q, rows → out, d, written; then the edge, which clears `in` and sets the
 * registered outputs of the next cycle. An illegal cycle has no edge. */
void thread_descriptor_table_eval(struct thread_descriptor_table *t);
void thread_descriptor_table_clock(struct thread_descriptor_table *t);

/* Notes in the ports and the row what the instruction of a warp will do. targets: a row with the next PCs of
 * the threads that passed, if the instruction jumps. */
void tdt_execute(struct thread_descriptor_table *t, unsigned warp, uint64_t passed, const uint32_t *targets,
                 bool jumps, enum thread_operation operation, unsigned by);
/* Called after the rows have changed as `in` says and the outputs of a commit are set: q → d, written. */
void thread_descriptor_table_note(struct thread_descriptor_table *t);
void thread_descriptor_table_edge(struct thread_descriptor_table *t);

static inline uint64_t tdt_live(const struct warp_descriptors *w) {
    return w->ready | w->execution | w->barrier;
}

static inline uint32_t tdt_pc(const struct warp_descriptors *w, unsigned position) {
    return w->together >> position & 1 ? w->together_pc : w->pc[position];
}

/* Writes all PCs of a warp to its `pc`. */
void tdt_settle(struct thread_descriptor_table *t, unsigned warp);
/* Marks threads of a warp as together at one PC. Their PCs are in `pc`, or they were together before. */
void tdt_gather(struct thread_descriptor_table *t, unsigned warp, uint64_t threads, uint32_t pc);

/* Idle→Ready: sets the PC, clears flags; the thread is at the outermost level (coprocessor.md §C, MCRR c1).
 * local_id is packed x, y, z × 10 bits. */
void tdt_start(struct thread_descriptor_table *t, unsigned warp, unsigned position, uint32_t pc,
               uint32_t local_id, uint32_t stack_top);
/* Ready→Execution */
static inline void tdt_schedule(struct warp_descriptors *w, uint64_t threads) {
    invariant((w->ready & threads) == threads, "Ready→Execution of threads %#llx, of which %#llx are Ready",
              (unsigned long long)threads, (unsigned long long)(w->ready & threads));
    w->ready &= ~threads;
    w->execution |= threads;
}

static inline void tdt_leave_execution(struct warp_descriptors *w, uint64_t threads) {
    invariant((w->execution & threads) == threads, "threads %#llx leave Execution, of which %#llx are in it",
              (unsigned long long)threads, (unsigned long long)(w->execution & threads));
    w->execution &= ~threads;
}

/* Execution→Ready */
static inline void tdt_commit(struct warp_descriptors *w, uint64_t threads) {
    tdt_leave_execution(w, threads);
    w->ready |= threads;
}
void tdt_wait(struct warp_descriptors *w, uint64_t threads);    /* Execution→Barrier */
void tdt_release(struct warp_descriptors *w, uint64_t threads); /* Barrier→Ready */
void tdt_exit(struct warp_descriptors *w,
              uint64_t threads); /* Execution→Idle, at the outermost level again */

/* Returns the levels of a warp's threads. */
static inline struct thread_levels tdt_levels(const struct thread_descriptor_table *t, unsigned warp) {
    struct warp_descriptors *w = &t->warp[warp];
    return (struct thread_levels){t->levels, t->warp_size, w->priority, w->level};
}
/* Changes the priority of threads as thread_levels_change(). */
bool tdt_priority(struct thread_descriptor_table *t, unsigned warp, uint64_t threads,
                  enum priority_operation op, unsigned by, unsigned *position);

/* Returns the highest level of the threads; 0 if there are none. */
unsigned tdt_highest_level(const struct thread_descriptor_table *t, unsigned warp, uint64_t threads);

#endif
