/* dynamic_warp_formation: a pool of warps. After each instruction, threads form new warps with threads that
 * wait at the same PC (divergence.md §4, dwf; Fung et al. 2007).
 *
 * Each warp of the pool has one PC. A table (LUT) with 4 ways, tagged by PC and work-group, holds the
 * youngest warp of the pool for a PC that has not been issued. Threads that reach this PC take the free lanes
 * of that warp. Threads whose lane is occupied form a new warp, which replaces the old one in the table. An
 * eviction (of the least recently used way) only loses chances to merge. Warps that wait at a barrier are not
 * in the table, neither before nor after it opens; they continue unchanged, in the order of arrival.
 *
 * Selection (majority): the PC of the previous warp is kept while a ready warp has it; otherwise the PC with
 * most threads in ready warps is selected, the smaller of equals. The oldest warp of this PC is issued.
 *
 * One for each scheduler of an SM (model/sm/divergence_dwf.c), or for a cluster of cores
 * (model/slots/divergence/dwf.c), with `simt.divergence: dwf`. */
#ifndef MODEL_DIVERGENCE_DYNAMIC_WARP_FORMATION_H
#define MODEL_DIVERGENCE_DYNAMIC_WARP_FORMATION_H

#include "model/divergence/regrouped_warp.h"
#include "model/divergence/warp_formation_table.h"
#include "sim/counter.h"

enum warp_formation_state {
    WARP_FORMATION_FREE,
    WARP_FORMATION_READY,
    WARP_FORMATION_ISSUED,
    WARP_FORMATION_WAITING
};

struct dynamic_warp_formation {
    struct {
        unsigned threads; /* most live threads: the pool has as many warps */
    } cfg;
    struct warp_formation_warp {
        struct regrouped_warp warp;
        enum warp_formation_state state;
        uint64_t age; /* smaller values are older: time of creation, or of arrival at a barrier */
        int next;     /* next ready warp at its PC, or next free one; −1: none */
    } * pool;
    int free;                  /* first free warp of the pool; −1: none */
    struct warp_formation_pc { /* each PC of ready warps, in no order */
        uint32_t pc;
        unsigned threads; /* threads in its warps */
        int oldest, youngest;
    } * at;
    unsigned pcs;
    struct warp_formation_table table;
    uint32_t pc;   /* PC of the warp issued last */
    uint64_t time; /* counter of events, for ages */
    struct {
        uint64_t formed; /* warps formed since the table had no room or no entry */
        uint64_t joined; /* threads that joined a warp */
        uint64_t taken;  /* threads whose lane was taken in the warp */
        uint64_t lost;   /* entries evicted for others */
    } counted;
};

void dynamic_warp_formation_init(struct dynamic_warp_formation *f, unsigned threads, unsigned lut);
void dynamic_warp_formation_free(struct dynamic_warp_formation *f);
/* Empties the pool and the table; counters are kept. */
void dynamic_warp_formation_clear(struct dynamic_warp_formation *f);

/* Adds a new warp. */
void dynamic_warp_formation_start(struct dynamic_warp_formation *f, const struct regrouped_warp *w);

/* Returns the warp to issue, a number of the pool; −1 if none is ready. */
int dynamic_warp_formation_select(struct dynamic_warp_formation *f);

static inline bool dynamic_warp_formation_ready(const struct dynamic_warp_formation *f) {
    return f->pcs;
}

static inline const struct regrouped_warp *dynamic_warp_formation_warp(const struct dynamic_warp_formation *f,
                                                                       unsigned warp) {
    return &f->pool[warp].warp;
}

/* Commits an executed warp: its threads move to other warps at their next PCs. */
void dynamic_warp_formation_commit(struct dynamic_warp_formation *f, unsigned warp,
                                   const struct regrouped_outcome *o);

/* Opens the barrier of a work-group. */
void dynamic_warp_formation_release(struct dynamic_warp_formation *f, unsigned group);

/* Registers the counters of the n-th pool of a unit. */
void dynamic_warp_formation_register(struct dynamic_warp_formation *f, const char *scope, unsigned n,
                                     struct counter_registry *r);

#endif
