/*
 * cluster_fault: a particle that hits a cluster in SIMT mode (model/uniform/fault.h), where the pipeline
 * tells of it.
 */
#ifndef MODEL_CLUSTER_CLUSTER_FAULT_H
#define MODEL_CLUSTER_CLUSTER_FAULT_H

#include "model/uniform/fault.h"

struct cluster;

/* The step of cycle t begins. */
void cluster_fault_step(struct cluster *c, uint64_t t);
/* The cycle in which it strikes, if that is said by a cycle; else UINT64_MAX. */
uint64_t cluster_fault_due(const struct cluster *c);
/* An instruction is about to be executed, has been executed; it is known in which form. */
void cluster_fault_reads(struct cluster *c, struct fault_instruction x);
void cluster_fault_writes(struct cluster *c, struct fault_instruction x);
void cluster_fault_executed(struct cluster *c, struct fault_instruction x);

#endif
