/* thread_block_compaction: one re-convergence stack for all threads of a work-group, which form new warps
 * when they diverge (divergence.md §4, tbc; Fung and Aamodt 2011).
 *
 * The entries are those of re_convergence_stack.h, {PC, RPC, threads, call}. The threads at the top run as
 * warps: a warp has in each lane the remaining thread in the lowest row. One warp is formed in each cycle,
 * for the work-group whose entry became the top first. Each warp runs alone until it has executed an
 * instruction after which threads may diverge, or a call, or has reached RPC. There it waits for the other
 * warps. When all have arrived and no thread is without a warp, all threads are committed together: they
 * diverge, call, or continue as the same warps if the entry stays.
 *
 * Warps arrive at a work-group barrier one by one. If all warps of the top wait at one, another entry becomes
 * the top: the highest one below with threads of its own that do not wait, none of which is in an entry
 * above.
 *
 * An entry knows its parent, from which its threads come; a thread knows its innermost entry. So a stack may
 * have any number of threads in a work-group.
 *
 * One for each scheduler of an SM (model/sm/divergence_tbc.c), or for a cluster of cores
 * (model/slots/divergence/tbc.c), with `simt.divergence: tbc`. */
#ifndef MODEL_DIVERGENCE_THREAD_BLOCK_COMPACTION_H
#define MODEL_DIVERGENCE_THREAD_BLOCK_COMPACTION_H

#include "model/arm/arm.h"
#include "model/divergence/regrouped_warp.h"
#include "sim/counter.h"

#define COMPACTION_MAX_ROWS COMPACTION_MAX_WARPS

/* Effect of an instruction on the stack: threads may diverge after it; a BL calls. */
enum compaction_kind { COMPACTION_STRAIGHT, COMPACTION_PARTS, COMPACTION_CALLS };

enum compaction_state {
    COMPACTION_FREE,
    COMPACTION_READY,
    COMPACTION_ISSUED,
    COMPACTION_BARRIER, /* waits at a barrier of its work-group */
    COMPACTION_ARRIVED  /* waits for the other warps of its entry */
};

struct compaction_entry {
    uint32_t pc, rpc; /* rpc 0: none */
    bool call;
    bool waits;        /* the entry's threads wait at a barrier; it is no longer at the top */
    unsigned all, own; /* number of its threads; of those in no higher entry */
    int parent, below; /* entries; −1: none */
};

struct thread_block_compaction {
    struct {
        unsigned rows;   /* rows of threads, 1–64: at most as many warps */
        unsigned width;  /* threads of a row and of a warp, 1–64 */
        unsigned groups; /* most work-groups at the same time */
        unsigned calls;  /* largest number of entries of calls in a stack */
    } cfg;
    struct compaction_warp {
        struct regrouped_warp warp;
        enum compaction_state state;
    } warp[COMPACTION_MAX_ROWS]; /* the warps of a work-group have the numbers of its rows */
    uint64_t ready;              /* a bit for each warp */
    struct compaction_block {
        uint64_t rows;     /* rows of its threads */
        int top;           /* top entry; −1: no threads */
        unsigned depth;    /* number of entries */
        unsigned calls;    /* number of entries of calls */
        bool entered;      /* the forming of the top's warps has begun */
        uint64_t since;    /* time at which it began: smaller values are older */
        unsigned unformed; /* threads in no warp yet */
        uint32_t pc;       /* PC of the instruction with which its warps arrived */
        uint32_t meeting;  /* reconvergence PC of threads that diverge at it */
        bool calling;      /* the instruction is a BL */
    } * block;             /* indices: slots of work-groups */
    struct compaction_entry *entry;
    int free; /* first free entry; the next one is in `below` */
    struct compaction_thread {
        int entry;                          /* −1: not live */
        uint32_t next;                      /* next PC */
    } * thread;                             /* index: row · width + lane */
    uint64_t unformed[COMPACTION_MAX_ROWS]; /* lanes of each row: threads of a top in no warp yet */
    unsigned forming;                       /* number of these in all work-groups */
    uint32_t *target;                       /* next PCs of groups of threads, for a commit */
    uint64_t time;                          /* counter of tops */
    struct {
        uint64_t formed;              /* warps */
        uint64_t divergences, groups; /* instructions after which threads diverged; their groups */
        uint64_t moves;               /* entries moved up at barriers */
        unsigned deepest;             /* most entries in one stack */
    } counted;
};

void thread_block_compaction_init(struct thread_block_compaction *c, unsigned rows, unsigned width,
                                  unsigned groups, unsigned calls);
void thread_block_compaction_free(struct thread_block_compaction *c);
/* Removes all threads; counters are kept. */
void thread_block_compaction_clear(struct thread_block_compaction *c);

/* Adds a row of a work-group; all rows are added before the first warp is formed. */
void thread_block_compaction_start(struct thread_block_compaction *c, const struct regrouped_warp *row);

/* Does a cycle: forms a warp if there are threads for one. */
void thread_block_compaction_form(struct thread_block_compaction *c);
/* Returns whether there are threads to form. */
static inline bool thread_block_compaction_forms(const struct thread_block_compaction *c) {
    return c->forming;
}

/* Issues a ready warp. */
const struct regrouped_warp *thread_block_compaction_issue(struct thread_block_compaction *c, unsigned warp);

/* Commits an executed warp. Returns false if there is no room for another call; the threads then do not
 * continue. */
bool thread_block_compaction_commit(struct thread_block_compaction *c, unsigned warp,
                                    const struct regrouped_outcome *o, enum compaction_kind kind);

/* Opens the barrier of a work-group. */
void thread_block_compaction_release(struct thread_block_compaction *c, unsigned group);

/* Message about a thread that calls without room. */
#define COMPACTION_FULL                                                                                      \
    "calls a function, but %u calls are in flight in its work-group, of threads that have "                  \
    "parted, too: the re-convergence stack has no room for one more; raise simt.stack_calls"
/* Returns the effect of an instruction. `parts`: threads may part after it. */
enum compaction_kind compaction_kind_of(const struct arm_instruction *i, bool parts);
/* Registers the counters of the n-th of a unit. */
void thread_block_compaction_register(struct thread_block_compaction *c, const char *scope, unsigned n,
                                      struct counter_registry *r);

#endif
