/* re_convergence_stack: a stack for each warp, which determines the running threads, their PC, and the
 * threads that wait for them (divergence.md §4, sbr; harp §2.2; Fung et al. 2007).
 *
 * An entry is {PC, RPC, mask, call}. Its threads have this PC, unless an entry above contains them, too. At
 * RPC, the re-convergence PC, they wait for the other threads of the entry below (RPC 0: none). The warp runs
 * the top entry. `call` marks the entry of a called function: its RPC is the return address.
 *
 * A warp instruction is committed by one of: `advance`, `jump`, `call` if all threads of the top have one
 * next PC, `diverge` if they have several, `exit` if they end. Afterwards the top is removed while its PC is
 * its RPC or its mask is empty: threads reconverge. If all live threads of the top wait at a work-group
 * barrier, `barrier` moves an entry that can run to the top.
 *
 * There is room for 2 · warp_size entries besides those of calls. This suffices for every program: the
 * entries form a tree in which each entry has fewer threads than its parent. The number of call entries is
 * limited to `calls`; deeper calls are refused (false).
 *
 * The top is stored separately from the entries below, since nearly every instruction reads and writes it.
 *
 * One for each SM of machines with `simt.divergence: sbr`. */
#ifndef MODEL_DIVERGENCE_RE_CONVERGENCE_STACK_H
#define MODEL_DIVERGENCE_RE_CONVERGENCE_STACK_H

#include "model/arm/arm.h"
#include "model/config/limits.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RE_CONVERGENCE_STACK_MAX_WARP_SIZE LWM_MAX_THREADS

/* Threads of a warp, or of a large one (lwm); bit k: thread k. */
typedef unsigned __int128 re_convergence_mask;

/* Returns the first thread of a mask, which is not 0. */
static inline unsigned re_convergence_first(re_convergence_mask mask) {
    return (uint64_t)mask ? (unsigned)__builtin_ctzll((uint64_t)mask)
                          : 64 + (unsigned)__builtin_ctzll((uint64_t)(mask >> 64));
}

/* --- state --- */

struct re_convergence_entry {
    re_convergence_mask mask; /* live threads */
    uint32_t pc, rpc;         /* rpc 0: none */
    bool call;
};

/* Threads of a warp that go to one PC; `call`: by a BL, so that they return to the next instruction. */
struct re_convergence_group {
    re_convergence_mask mask;
    uint32_t pc;
    bool call;
};

struct re_convergence_stack {
    struct {
        unsigned warps;     /* 1–128 */
        unsigned warp_size; /* 1–128 */
        unsigned calls;     /* largest number of entries of calls in a stack */
    } cfg;
    struct re_convergence_warp {
        struct re_convergence_entry top; /* mask 0: the stack is empty */
        unsigned depth;                  /* entries, including the top */
        unsigned calls;                  /* entries of calls among these */
    } * warp;
    struct re_convergence_entry *below; /* 2 · warp_size + calls entries for each warp, the lowest first */
    struct {                            /* counters, not hardware */
        uint64_t divergences, groups;   /* instructions after which threads diverged; their groups */
        uint64_t moves;                 /* entries moved up at barriers */
        unsigned deepest;               /* most entries in one stack */
    } counted;
    struct re_convergence_stack_cycle *cycle; /* each operation is a cycle of it; NULL: none */
};

/* Message about a thread that calls a function without room in its stack; with cfg.calls. */
#define RE_CONVERGENCE_STACK_FULL                                                                            \
    "calls a function, but %u calls are in flight in its warp, of threads that have parted, too: the "       \
    "re-convergence stack has no room for one more; raise simt.stack_calls"

/* --- functions --- */

void re_convergence_stack_init(struct re_convergence_stack *s, unsigned warps, unsigned warp_size,
                               unsigned calls);
void re_convergence_stack_free(struct re_convergence_stack *s);

/* Starts the warp's threads `mask` at `pc`; mask 0: empties the stack. */
void re_convergence_stack_start(struct re_convergence_stack *s, unsigned warp, uint32_t pc,
                                re_convergence_mask mask);

/* Return the running threads (of a warp of at most 64) and their PC; mask 0: the warp has ended. */
static inline uint64_t re_convergence_stack_mask(const struct re_convergence_stack *s, unsigned warp) {
    return (uint64_t)s->warp[warp].top.mask;
}

static inline uint32_t re_convergence_stack_pc(const struct re_convergence_stack *s, unsigned warp) {
    return s->warp[warp].top.pc;
}

/* Removes the top while its PC is its RPC or its mask is empty; for the functions below. */
void re_convergence_stack_pop(struct re_convergence_stack *s, unsigned warp);

/* Does `jump` as a cycle; for the functions below. */
void re_convergence_stack_jump_cycle(struct re_convergence_stack *s, unsigned warp, uint32_t pc);

/* Moves all threads of the top to `pc`, not by a call. */
static inline void re_convergence_stack_jump(struct re_convergence_stack *s, unsigned warp, uint32_t pc) {
    struct re_convergence_entry *top = &s->warp[warp].top;
    if (__builtin_expect(s->cycle != NULL, false)) {
        re_convergence_stack_jump_cycle(s, warp, pc);
        return;
    }
    top->pc = pc;
    if (__builtin_expect(pc == top->rpc, false)) re_convergence_stack_pop(s, warp);
}

/* Moves all threads of the top to the next instruction. */
static inline void re_convergence_stack_advance(struct re_convergence_stack *s, unsigned warp) {
    re_convergence_stack_jump(s, warp, s->warp[warp].top.pc + 4);
}

/* Calls the function at `target`, which will return to `back`, for all threads of the top. Returns false,
 * with nothing changed, if there is no room for another call. */
bool re_convergence_stack_call(struct re_convergence_stack *s, unsigned warp, uint32_t target, uint32_t back);

/* Divides the threads of the top into `count` ≥ 2 groups: first the threads that do not branch, then by
 * ascending PC; together they are the top's. `meeting`: reconvergence PC, 0 if only at the return of the
 * innermost call, or never. The first group that is not yet at the reconvergence PC runs first. Returns
 * false, with nothing changed, if there is no room for another call. */
bool re_convergence_stack_diverge(struct re_convergence_stack *s, unsigned warp,
                                  const struct re_convergence_group *groups, unsigned count,
                                  uint32_t meeting);

/* Groups the threads `mask` of an instruction at `pc` by their next PCs, next[k] for thread k, in the order
 * of `diverge`. Returns the number of groups, none marked as a call. */
unsigned re_convergence_groups(uint32_t pc, re_convergence_mask mask, const uint32_t *next,
                               struct re_convergence_group *groups);

/* Ends threads: no entry waits for them. */
void re_convergence_stack_exit(struct re_convergence_stack *s, unsigned warp, re_convergence_mask mask);

/* Handles a top whose threads all wait at a work-group barrier: moves entries (below) until it has a ready
 * thread. Returns false if there is none. */
bool re_convergence_stack_barrier(struct re_convergence_stack *s, unsigned warp, re_convergence_mask ready);

/* Separates the `waiting` threads of the top from the others, if it has both: they wait at a barrier and have
 * met the others at a re-convergence point. The others run on without them until the next such point. */
void re_convergence_stack_separate(struct re_convergence_stack *s, unsigned warp,
                                   re_convergence_mask waiting);

/* An instruction of a warp, executed by the threads of its top. */
struct re_convergence_commit {
    unsigned warp;
    const struct arm_instruction *i;
    uint32_t pc, meeting;              /* meeting: as in `diverge` */
    re_convergence_mask participating; /* its threads */
    re_convergence_mask left;          /* threads that exit, or wait at a barrier */
    bool exits;                        /* threads exit */
    re_convergence_mask barrier;       /* threads of the warp that wait at a barrier afterwards */
    re_convergence_mask ready;         /* threads of the warp that can run afterwards */
    const uint32_t *next;              /* next PC of each participating thread; read if `i` writes the PC */
};
/* Moves the threads of an instruction: they continue, part, call, wait or exit. Returns false if there is no
 * room for another call. */
bool re_convergence_stack_commit(struct re_convergence_stack *s, const struct re_convergence_commit *c);

/* --- operations of the hardware in one cycle (rtl/re_convergence_stack.sv, re_convergence_stack_cycle.h)
 * --- */

/* Reads the top entry of a warp's stack. Changes no state, but counts as one cycle of the block. */
void re_convergence_stack_read(struct re_convergence_stack *s, unsigned warp);

/* Does `diverge` for the last two groups of an instruction; then, in a cycle each, for the group before.
 * Returns false, with nothing changed, if there is no room for another call. */
bool re_convergence_stack_part(struct re_convergence_stack *s, unsigned warp,
                               const struct re_convergence_group *groups, uint32_t meeting);
void re_convergence_stack_more(struct re_convergence_stack *s, unsigned warp,
                               struct re_convergence_group group);

/* Makes the highest entry below the top with one of the `ready` threads, and none that a higher entry has,
 * the top; removes it if it is at its RPC. Returns false if there is none. */
bool re_convergence_stack_move(struct re_convergence_stack *s, unsigned warp, re_convergence_mask ready);

/* --- for waves and diagnoses --- */

static inline unsigned re_convergence_stack_depth(const struct re_convergence_stack *s, unsigned warp) {
    return s->warp[warp].depth;
}

/* Returns entry n of `depth`, from the lowest, 0, to the top. */
struct re_convergence_entry re_convergence_stack_entry(const struct re_convergence_stack *s, unsigned warp,
                                                       unsigned n);

#endif
