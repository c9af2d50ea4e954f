/*
 * thread_descriptor_table: the descriptors of every CPU thread of a cluster (dual-mode §3.2, Fig. 3, Fig. 4).
 *
 * In hardware one table per lane; here the rows of a warp lie side by side, positions k = 0 … warp_size − 1
 * (equation 4 or its cyclic twin says which lane and round holds position k). States are one bit mask a state
 * and warp; a thread in none of them is Idle. Priorities are one mask a level (one-hot per thread) kept from
 * an 8-bit level counter: priority = min(level, levels − 1).
 *
 * Transitions: start Idle→Ready · schedule Ready→Execution · commit Execution→Ready · wait Execution→Barrier
 * · release Barrier→Ready · exit Execution→Idle. Any other is an invariant failure where it happens.
 */
#ifndef MODEL_THREAD_DESCRIPTOR_TABLE_H
#define MODEL_THREAD_DESCRIPTOR_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#define TDT_MAX_WARPS     64
#define TDT_MAX_WARP_SIZE 64
#define TDT_MAX_LEVELS    16
#define TDT_MAX_LEVEL     255 /* the level counter has 8 bits */

typedef uint32_t tdt_row[TDT_MAX_WARP_SIZE] __attribute__((aligned(64)));

struct warp_descriptors {
    uint64_t ready, execution, barrier;
    uint64_t priority[TDT_MAX_LEVELS];
    uint8_t level[TDT_MAX_WARP_SIZE];
    bool one_pc; /* every live thread has the same PC: a shortcut for the arbiter, never a state of the
                    machine */
    tdt_row pc, barrier_pc;
    tdt_row local_id[3];              /* x, y, z of the work-item */
    tdt_row n, z, c, v, q, ge, fpscr; /* flags, in the form of struct arm_threads */
    tdt_row stack_top;
};

struct thread_descriptor_table {
    unsigned warps, warp_size, levels;
    uint64_t all; /* mask of the positions of a warp */
    struct warp_descriptors warp[TDT_MAX_WARPS];
};

void thread_descriptor_table_init(struct thread_descriptor_table *t, unsigned warps, unsigned warp_size,
                                  unsigned levels);

static inline uint64_t tdt_live(const struct warp_descriptors *w) {
    return w->ready | w->execution | w->barrier;
}

/* Idle→Ready: PC, outermost priority, flags 0 (coprocessor.md C, MCRR c1). local_id is packed x, y, z × 10
 * bits. */
void tdt_start(struct thread_descriptor_table *t, unsigned warp, unsigned position, uint32_t pc,
               uint32_t local_id, uint32_t stack_top);
void tdt_schedule(struct warp_descriptors *w, uint64_t threads); /* Ready→Execution */
void tdt_commit(struct warp_descriptors *w, uint64_t threads);   /* Execution→Ready */
void tdt_wait(struct warp_descriptors *w, uint64_t threads);     /* Execution→Barrier */
void tdt_release(struct warp_descriptors *w, uint64_t threads);  /* Barrier→Ready */
void tdt_exit(struct warp_descriptors *w, uint64_t threads);     /* Execution→Idle */

enum priority_operation { PRIORITY_RAISE, PRIORITY_LOWER, PRIORITY_OUTERMOST };
/* Changes the priority of threads; `by` is the number of levels to lower. False if a level would leave 0 …
 * 255; the first such position is then in *position and that thread unchanged. */
bool tdt_priority(struct thread_descriptor_table *t, unsigned warp, uint64_t threads,
                  enum priority_operation op, unsigned by, unsigned *position);

/* Highest level at which one of the threads stands; 0 if there are none. */
unsigned tdt_highest_level(const struct thread_descriptor_table *t, unsigned warp, uint64_t threads);

#endif
