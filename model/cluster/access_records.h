/*
 * access_records: records of the accesses that the threads of a cluster make in SIMT mode (recorder.h): of
 * each lane the address, the value, and where the access hits.
 */
#ifndef MODEL_CLUSTER_ACCESS_RECORDS_H
#define MODEL_CLUSTER_ACCESS_RECORDS_H

#include "model/cluster/cluster.h"

/* A load or store whose rounds are in X. */
struct access_of {
    const struct arm_instruction *i;
    const struct arm_execution *x;
    unsigned warp, position, beat;
};

/* Does held_accesses_reach(), and records the access. */
bool access_records_reach(struct cluster *c, struct held_accesses *h, const struct held_access *a,
                          const struct access_of *of, uint64_t t, uint64_t *done);
/* Does held_accesses_retry(), and records the access if it is made. `of` is the instruction of the first
 * access of the queue; its position and beat are found by the address. */
bool access_records_retry(struct cluster *c, struct held_accesses *h, const struct access_of *of, uint64_t t,
                          struct held_access *a, uint64_t *done);
/* Records an access of a lane to its TPM in cycle t. */
void access_records_tpm(struct cluster *c, unsigned lane, const struct access_of *of, uint64_t t);
/* Keeps the values of a load or store that has executed. */
void access_records_note(struct cluster *c, unsigned warp, const struct arm_instruction *i,
                         const struct arm_execution *x);

#endif
