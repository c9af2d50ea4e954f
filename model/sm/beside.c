#include "model/sm/beside.h"

#include "model/sm/sm_divergence.h"

#include <stdlib.h>

void *sm_beside_model(struct sm *s, unsigned scheduler, enum cluster_block b) {
    struct sm_beside *x = &s->beside[scheduler][b];
    if (x->model || !s->divergence->beside) return x->model;
    *x = (struct sm_beside){.sm = s, .scheduler = scheduler, .block = b};
    x->model = s->divergence->beside(s, x);
    return x->model;
}

void sm_beside_free(struct sm *s) {
    for (unsigned n = 0; n < s->schedulers; ++n)
        for (enum cluster_block b = 0; b < CLUSTER_BLOCK_COUNT; ++b) free(s->beside[n][b].model);
}

void sm_beside_cycle(void *context) {
    struct sm_beside *x = context;
    const struct cluster_twins *twins = x->sm->twins[x->scheduler];
    x->cycles += twins != NULL;
    block_twins_cycle(twins, x->block, x->sm->now);
}
