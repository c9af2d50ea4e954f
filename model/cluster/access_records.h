/*
 * access_records: records of the memory accesses of a cluster's threads in SIMT mode (recorder.h). A record
 * has the address, the value, and the level of memory that the access hits.
 */
#ifndef MODEL_CLUSTER_ACCESS_RECORDS_H
#define MODEL_CLUSTER_ACCESS_RECORDS_H

#include "model/cluster/cluster.h"

/* One access: its instruction, warp, execution, position in the warp, and beat of a multiple access. `home`:
 * warp and position of each thread (model/unit/regrouped.h); NULL if all are those of `warp`. */
struct access_of {
    const struct arm_instruction *i;
    const struct arm_execution *x;
    unsigned warp, position, beat;
    const uint16_t *home;
};

/* Calls held_accesses_reach() and records the access. */
bool access_records_reach(struct cluster *c, struct held_accesses *h, const struct held_access *a,
                          const struct access_of *of, uint64_t t, uint64_t *done);
/* Calls held_accesses_retry() and records the access if it is made. `of` names the instruction of the first
 * access of the queue; position and beat are found by the address. */
bool access_records_retry(struct cluster *c, struct held_accesses *h, const struct access_of *of, uint64_t t,
                          struct held_access *a, uint64_t *done);
/* Records the access of a lane to its TPM in cycle t. */
void access_records_tpm(struct cluster *c, unsigned lane, const struct access_of *of, uint64_t t);
/* Keeps the values of a load or store after its execution. */
void access_records_note(struct cluster *c, unsigned warp, const struct arm_instruction *i,
                         const struct arm_execution *x);

#endif
