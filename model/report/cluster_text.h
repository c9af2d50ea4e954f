/*
 * cluster_text: parts of a cluster's diagnoses, appended to a text of fixed size, which is cut off when it is
 * full.
 */
#ifndef MODEL_REPORT_CLUSTER_TEXT_H
#define MODEL_REPORT_CLUSTER_TEXT_H

#include "model/cluster/cluster.h"
#include "model/report/text.h"

/* Appends, in one line, what a warp waits for, and the threads that block it. */
void cluster_put_wait(struct text *out, const struct cluster *c, unsigned warp, uint64_t t);
/* Appends lines about the short loop that a warp has executed last, if there is one, and the data that it
 * reads. */
void cluster_put_loop(struct text *out, const struct cluster *c, unsigned warp);
/* Appends the same for the loop that a core in MIMD mode repeats while the data that it reads stay the
 * same. */
void cluster_put_core_loop(struct text *out, const struct cluster *c, unsigned core);

#endif
