/* Functions of sbr, for engines that extend sbr. */
#ifndef MODEL_SM_DIVERGENCE_SBR_H
#define MODEL_SM_DIVERGENCE_SBR_H

#include "model/sm/sm_divergence.h"
#include "model/sm/stacks.h"

void sm_sbr_create(struct sm *s);
void sm_sbr_free(struct sm *s);
void sm_sbr_start(struct sm *s, unsigned group);
bool sm_sbr_select(struct sm *s, unsigned scheduler, uint64_t t, bool free, struct sm_selected *x);
void sm_sbr_arbitrate(struct sm *s, struct sm_selected *x);
void sm_sbr_commit(struct sm *s, struct sm_flight *f);
uint32_t sm_sbr_where(const struct sm *s, unsigned warp);
void sm_sbr_places(const struct sm *s, unsigned scheduler, thread_place_visitor *visit, void *context);

#endif
