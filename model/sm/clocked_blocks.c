#include "model/sm/clocked_blocks.h"

#include "model/sm/sm_divergence.h"

#include <stdlib.h>

void *sm_clocked_model(struct sm *s, unsigned scheduler, enum cluster_block b) {
    struct sm_clocked_block *x = &s->clocked[scheduler][b];
    if (x->model || !s->divergence->clocked) return x->model;
    *x = (struct sm_clocked_block){.sm = s, .scheduler = scheduler, .block = b};
    x->model = s->divergence->clocked(s, x);
    return x->model;
}

void sm_clocked_free(struct sm *s) {
    for (unsigned n = 0; n < s->schedulers; ++n)
        for (enum cluster_block b = 0; b < CLUSTER_BLOCK_COUNT; ++b) free(s->clocked[n][b].model);
}

void sm_clocked_cycle(void *context) {
    struct sm_clocked_block *x = context;
    const struct cluster_twins *twins = x->sm->twins[x->scheduler];
    x->cycles += twins != NULL;
    block_twins_cycle(twins, x->block, x->sm->now);
}
