/*
 * thread_block_compaction: all threads of a work-group go by one re-convergence stack, and where they part
 * they form new warps (divergence.md §4, tbc; Fung and Aamodt 2011).
 *
 * The entries are those of re_convergence_stack.h, {PC, RPC, threads, call}. The threads at the top run as
 * warps: in each lane the thread in the lowest row that is left. A warp is formed in a cycle, of the entries
 * that are at the top of a work-group's stack the one that came there first. Each warp runs alone until it
 * has executed an instruction behind which threads may part, or a call, or stands at RPC. There it waits for
 * the others; when all do, and all have been formed, all threads are committed together: they part, call, or
 * go on as the warps that they are, if the entry stays.
 *
 * Barriers of the work-group are arrived at warp by warp. If all warps of the top wait at one, the highest
 * entry below that has threads of its own that do not, and none that entries above it have, comes to the top.
 *
 * An entry knows its parent, whose threads it has some of; a thread knows the highest entry that it is in.
 * So a stack has as many threads as a work-group can have.
 *
 * The schedulers of SMs with `simt.divergence: tbc` have one each (model/sm/divergence_tbc.c).
 */
#ifndef MODEL_DIVERGENCE_THREAD_BLOCK_COMPACTION_H
#define MODEL_DIVERGENCE_THREAD_BLOCK_COMPACTION_H

#include "model/divergence/regrouped_warp.h"

#define COMPACTION_MAX_ROWS 64

/* What an instruction is to the stack: threads may part behind it; a BL calls. */
enum compaction_kind { COMPACTION_STRAIGHT, COMPACTION_PARTS, COMPACTION_CALLS };

enum compaction_state {
    COMPACTION_FREE,
    COMPACTION_READY,
    COMPACTION_ISSUED,
    COMPACTION_BARRIER, /* it waits at one of its work-group */
    COMPACTION_ARRIVED  /* it waits for the other warps of its entry */
};

struct compaction_entry {
    uint32_t pc, rpc; /* rpc 0: none */
    bool call;
    bool waits;        /* no longer at the top: its threads wait at a barrier */
    unsigned all, own; /* its threads; those that no entry above it has */
    int parent, below; /* entries; −1: none */
};

struct thread_block_compaction {
    struct {
        unsigned rows;   /* of threads, 1–64: at most as many warps */
        unsigned width;  /* threads of a row and of a warp, 1–64 */
        unsigned groups; /* work-groups at once */
        unsigned calls;  /* entries of calls in a stack, 0 or more */
    } cfg;
    struct compaction_warp {
        struct regrouped_warp warp;
        enum compaction_state state;
    } warp[COMPACTION_MAX_ROWS]; /* those of a work-group have the numbers of its rows */
    uint64_t ready;              /* bit per warp */
    struct compaction_block {
        uint64_t rows;     /* of its threads */
        int top;           /* an entry; −1: it has no threads */
        unsigned depth;    /* entries, */
        unsigned calls;    /* of them, of calls */
        bool entered;      /* the warps of the top are being formed, or have been */
        uint64_t since;    /* when they began to be: the smaller the longer ago */
        unsigned unformed; /* its threads that are in no warp yet */
        uint32_t pc;       /* of the instruction with which its warps arrived, */
        uint32_t meeting;  /* where threads that part at it meet again, */
        bool calling;      /* and whether it is a BL */
    } * block;             /* by the slot of a work-group */
    struct compaction_entry *entry;
    int free; /* the first entry that is; the next is `below` it */
    struct compaction_thread {
        int entry;                          /* −1: it does not live */
        uint32_t next;                      /* where it stands */
    } * thread;                             /* row · width + lane */
    uint64_t unformed[COMPACTION_MAX_ROWS]; /* lanes of each row: threads of a top that are in no warp yet */
    unsigned forming;                       /* they, of all work-groups */
    uint32_t *target;                       /* where groups of threads go: for a commit */
    uint64_t time;                          /* counts tops */
    struct {
        uint64_t formed;              /* warps */
        uint64_t divergences, groups; /* instructions after which threads parted; their groups */
        uint64_t moves;               /* entries brought up at barriers */
        unsigned deepest;             /* most entries in one stack */
    } counted;
};

void thread_block_compaction_init(struct thread_block_compaction *c, unsigned rows, unsigned width,
                                  unsigned groups, unsigned calls);
void thread_block_compaction_free(struct thread_block_compaction *c);
/* No thread lives, as at first; what has been counted stays. */
void thread_block_compaction_clear(struct thread_block_compaction *c);

/* A row of a work-group begins, all of them before the first warp is formed. */
void thread_block_compaction_start(struct thread_block_compaction *c, const struct regrouped_warp *row);

/* A cycle: a warp is formed, if there are threads for one. */
void thread_block_compaction_form(struct thread_block_compaction *c);
/* Is there anything to form? */
static inline bool thread_block_compaction_forms(const struct thread_block_compaction *c) {
    return c->forming;
}

/* A ready warp is issued. */
const struct regrouped_warp *thread_block_compaction_issue(struct thread_block_compaction *c, unsigned warp);

/* It has been executed. False: there is no room for one more call, and the threads do not go on. */
bool thread_block_compaction_commit(struct thread_block_compaction *c, unsigned warp,
                                    const struct regrouped_outcome *o, enum compaction_kind kind);

/* The barrier of a work-group opens. */
void thread_block_compaction_release(struct thread_block_compaction *c, unsigned group);

#endif
