/*
 * dynamic_warp_formation: after each instruction its threads form new warps with those that wait at the same
 * PC (divergence.md §4, dwf; Fung et al. 2007).
 *
 * A pool of warps, each at one PC. A table (LUT) with 4 ways, tagged by PC and work-group, names the pool's
 * youngest warp there that has not been issued: threads that come to this PC take its free lanes; those whose
 * lane is taken make a new warp, which the table names from then on. What the table loses (the way used
 * longest ago makes room) is only a chance. Warps that wait at a barrier are not in it, nor are they after
 * it; they are as they were, in the order in which they arrived.
 *
 * Which warp is issued (majority): the PC of the one before is kept while a ready warp has it; else it is the
 * one with the most threads in ready warps, the smaller of equals. Of its warps the oldest goes first.
 *
 * The schedulers of SMs with `simt.divergence: dwf` have one each (model/sm/divergence_dwf.c).
 */
#ifndef MODEL_DIVERGENCE_DYNAMIC_WARP_FORMATION_H
#define MODEL_DIVERGENCE_DYNAMIC_WARP_FORMATION_H

#include "model/divergence/regrouped_warp.h"
#include "model/divergence/warp_formation_table.h"

enum warp_formation_state {
    WARP_FORMATION_FREE,
    WARP_FORMATION_READY,
    WARP_FORMATION_ISSUED,
    WARP_FORMATION_WAITING
};

struct dynamic_warp_formation {
    struct {
        unsigned threads; /* at once: the pool has as many warps */
    } cfg;
    struct warp_formation_warp {
        struct regrouped_warp warp;
        enum warp_formation_state state;
        uint64_t age; /* the smaller the older: when it was made, or came to a barrier */
        int next;     /* of those ready at its PC, or of those that are free; −1: none */
    } * pool;
    int free;                  /* the first of the pool that is; −1: none */
    struct warp_formation_pc { /* each PC of ready warps, in no order */
        uint32_t pc;
        unsigned threads; /* in its warps */
        int oldest, youngest;
    } * at;
    unsigned pcs;
    struct warp_formation_table table;
    uint32_t pc;   /* of the warp issued last */
    uint64_t time; /* counts what has happened, for ages */
    struct {
        uint64_t formed; /* warps made of what the table had no room for, or did not know */
        uint64_t joined; /* threads that joined a warp */
        uint64_t taken;  /* threads whose lane was taken there */
        uint64_t lost;   /* entries that made room for others */
    } counted;
};

void dynamic_warp_formation_init(struct dynamic_warp_formation *f, unsigned threads, unsigned lut);
void dynamic_warp_formation_free(struct dynamic_warp_formation *f);
/* No warp is in the pool or the table, as at first; what has been counted stays. */
void dynamic_warp_formation_clear(struct dynamic_warp_formation *f);

/* A warp begins. */
void dynamic_warp_formation_start(struct dynamic_warp_formation *f, const struct regrouped_warp *w);

/* The warp that is issued, a number of the pool; −1: none is ready. */
int dynamic_warp_formation_select(struct dynamic_warp_formation *f);

static inline bool dynamic_warp_formation_ready(const struct dynamic_warp_formation *f) {
    return f->pcs;
}

static inline const struct regrouped_warp *dynamic_warp_formation_warp(const struct dynamic_warp_formation *f,
                                                                       unsigned warp) {
    return &f->pool[warp].warp;
}

/* It has been executed: its threads go where they go, in other warps. */
void dynamic_warp_formation_commit(struct dynamic_warp_formation *f, unsigned warp,
                                   const struct regrouped_outcome *o);

/* The barrier of a work-group opens. */
void dynamic_warp_formation_release(struct dynamic_warp_formation *f, unsigned group);

#endif
