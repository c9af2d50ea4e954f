/*
 * cluster_text: the words of a cluster's diagnoses, shared by those that make them: appended to a text of
 * fixed size, which is cut off when it is full.
 */
#ifndef MODEL_REPORT_CLUSTER_TEXT_H
#define MODEL_REPORT_CLUSTER_TEXT_H

#include "model/cluster/cluster.h"
#include "model/report/text.h"

/* "pc 0x10040, x.cl:12 in 'f', inlined at x.cl:20 in 'k'". */
void cluster_put_place(struct text *out, const struct cluster *c, uint32_t pc);
/* "work-item (5, 0, 0)". */
void cluster_put_work_item(struct text *out, const struct cluster *c, unsigned warp, unsigned position);

/* What a warp waits for, and who holds it up; in a line. */
void cluster_put_wait(struct text *out, const struct cluster *c, unsigned warp, uint64_t t);
/* Lines: the loop that a warp has been in lately, if it is a short one, and what that reads. */
void cluster_put_loop(struct text *out, const struct cluster *c, unsigned warp);
/* Likewise the loop that a core in MIMD mode goes round, if what it reads stays as it is. */
void cluster_put_core_loop(struct text *out, const struct cluster *c, unsigned core);

#endif
