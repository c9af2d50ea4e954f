/*
 * cluster_simt: what the files of the SIMT pipeline share: cluster_simt.c (the cycle; S, A, F, D, O),
 * cluster_lanes.c and cluster_execute.c (X), cluster_commit.c (W, C).
 */
#ifndef MODEL_CLUSTER_CLUSTER_SIMT_H
#define MODEL_CLUSTER_CLUSTER_SIMT_H

#include "model/cluster/cluster.h"

static inline uint64_t warp_bit(unsigned warp) {
    return 1ull << warp;
}

/* Between a model's evaluation and its edge. */
static inline void cluster_run_twin(struct cluster *c, enum cluster_block block, uint64_t t) {
    if (__builtin_expect(c->twins != NULL, 0)) c->twins->cycle(c->twins->context, block, t);
}

/* Is it executed for one thread, and that by lane 0? */
static inline bool warp_flight_is_scalar(const struct warp_flight *f) {
    return f->uniform.form == UNIFORM_SCALAR;
}

static inline bool warp_flight_is_written(const struct warp_flight *f) {
    return !f->writes_left && !f->scalar_writes_left;
}

/* O: the read ports that others have taken in cycle t may delay the collection in progress. */
void cluster_delay_collection(struct cluster *c, uint64_t t);

/* Can something happen in X in cycle t, where it is computed ahead? */
static inline bool cluster_lanes_due(const struct cluster *c, uint64_t t) {
    return c->x_warp == CLUSTER_NO_WARP ? t >= c->x_free && c->collected_count : t >= c->x_next;
}
/* X of cycle t, computed ahead (only if it is due), or as the dispatcher says; did anything move? */
bool cluster_run_lanes(struct cluster *c, uint64_t t);
bool cluster_step_dispatcher(struct cluster *c, uint64_t t);
/* Accesses whose translations have come by cycle t are made; did any wait? */
bool cluster_make_held(struct cluster *c, uint64_t t);
/* The instruction of a warp is executed for all its threads. False: it fails, and is diagnosed. */
bool cluster_execute(struct cluster *c, unsigned warp, uint64_t t);
/* Beside twins, where no access has started in cycle t: tpo_address has the first operand that is read. */
void cluster_locate_operand(struct cluster *c, uint64_t t);

/* The scheduler's cycle t outside SIMT mode: nobody is ready, all are stalled. One is as good as many. */
void cluster_rest_scheduler(struct cluster *c, uint64_t t);

/* Beside twins, the end of cycle t: what the descriptors have been told, and what the co-processor did. */
void cluster_descriptors_cycle(struct cluster *c, uint64_t t);
void cluster_coprocessor_cycle(struct cluster *c, uint64_t t);

/* All rounds of a warp's instruction have started; its last result is there at the end of cycle `result`. */
void cluster_land(struct cluster *c, unsigned warp, uint64_t result);
/* W and C of cycle t, from c->landed on; barriers, if they are active or have a twin; did anything move? */
bool cluster_write_back(struct cluster *c, uint64_t t);
bool cluster_commit_landed(struct cluster *c, uint64_t t);
bool cluster_step_barriers(struct cluster *c, uint64_t t);

#endif
