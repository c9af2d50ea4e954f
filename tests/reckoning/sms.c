#include "tests/reckoning/sms.h"

#include "model/sm/scalar_units.h"
#include "model/sm/sm_divergence.h"
#include "model/sm/sm_parts.h"
#include "tests/reckoning/sms_engines.h"
#include "tests/reckoning/sms_issue.h"
#include "tests/reckoning/sms_memory.h"
#include "tests/reckoning/sms_requests.h"
#include "tests/reckoning/sms_scalar.h"
#include "tests/reckoning/sms_uniform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sms_reckoning {
    unsigned count;
    struct sms_shadow *shadow; /* one for each SM */
    struct reckoning_place *place;
    unsigned places;
};

static void reset(void *context) {
    const struct reckoning_place *p = context;
    shadow_reset(p->shadow);
}

/* The order of turns: in cycle t from scheduler t mod schedulers on. */
static void check_turn(struct sms_shadow *h, struct reckoning_place *p) {
    const unsigned schedulers = h->s->schedulers;
    reckon(p, "scheduler that has its turn", h->cycle, p->number, (h->cycle + h->called) % schedulers);
    ++h->called;
}

static void cycle(void *context, enum cluster_block block, uint64_t t) {
    struct reckoning_place *p = context;
    struct sms_shadow *h = p->shadow;
    h->told = p;
    if (shadow_is_engine(block) && shadow_engine_starts(h, block, p->number, t)) return;
    if (t != h->cycle) shadow_begin_cycle(h, t);
    if (block == CLUSTER_BLOCK_TOKENS || block == CLUSTER_BLOCK_RENAME) { /* during I */
        shadow_tokens(h);
        return;
    }
    if (shadow_is_engine(block)) {
        shadow_engine(h, block, p->number);
        return;
    }
    shadow_observe(h);
    switch (block) {
    case CLUSTER_BLOCK_SCOREBOARD:
        check_turn(h, p);
        shadow_scoreboard(h, p->number);
        break;
    case CLUSTER_BLOCK_SCHEDULER: shadow_scheduler(h, p->number); break;
    case CLUSTER_BLOCK_LANES: shadow_lanes(h); break;
    case CLUSTER_BLOCK_SCALAR: shadow_scalar(h, p->number); break;
    case CLUSTER_BLOCK_COMPACTOR: shadow_compactor(h, p->number); break;
    case CLUSTER_BLOCK_REUSE: shadow_reuse(h); break;
    case CLUSTER_BLOCK_LOCAL: shadow_local(h); break;
    case CLUSTER_BLOCK_RESOLVER: shadow_resolver(h, p->number); break;
    case CLUSTER_BLOCK_COALESCER:
        if (p->number == 0) shadow_called(h);
        if (p->number == 0) shadow_engines_called(h);
        if (p->number == 0) shadow_check_threads(h);
        if (p->number == 0) shadow_before_requests(h);
        shadow_coalescer(h, p->number);
        break;
    case CLUSTER_BLOCK_MISSES: shadow_misses(h); break;
    case CLUSTER_BLOCK_BARRIERS:
        shadow_after_requests(h);
        shadow_barriers(h);
        break;
    default: break;
    }
}

/* Adds a place of an SM: the n-th scheduler, unit or scalar unit. */
static const struct cluster_twins *add_place(struct sms_reckoning *r, struct sms_shadow *h, const char *what,
                                             unsigned n) {
    struct reckoning_place *p = &r->place[r->places++];
    p->shadow = h;
    p->number = n;
    p->error = &h->s->error;
    snprintf(p->name, sizeof p->name, "SM %u, %s %u", h->s->index, what, n);
    p->hook = (struct cluster_twins){.context = p, .cycle = cycle, .reset = reset, .end = UINT64_MAX};
    for (enum cluster_block b = 0; b < CLUSTER_BLOCK_COUNT; ++b) p->hook.attached[b] = true;
    return &p->hook;
}

static void attach_sm(struct sms_reckoning *r, struct sms_shadow *h, struct sm *s) {
    h->s = s;
    shadow_engines_attach(s);
    for (unsigned n = 0; n < s->schedulers; ++n) s->twins[n] = add_place(r, h, "scheduler", n);
    for (unsigned n = 0; n < s->units; ++n) s->unit[n].twins = add_place(r, h, "unit", n);
    for (unsigned n = 0; s->scalar && n < s->scalar->units; ++n)
        s->scalar->unit[n].twins = add_place(r, h, "scalar unit", n);
}

void *sms_reckoning_create(struct machine *m) {
    struct sms_reckoning *r = calloc(1, sizeof *r);
    require_memory(r);
    r->count = machine_configuration(m)->cluster.count;
    r->shadow = calloc(r->count, sizeof *r->shadow);
    r->place = calloc(r->count * (SM_MAX_SCHEDULERS + SM_MAX_UNITS + SCALAR_MAX_UNITS), sizeof *r->place);
    require_memory(r->shadow && r->place);
    machine_watch(m, UINT64_MAX);
    for (unsigned k = 0; k < r->count; ++k) attach_sm(r, &r->shadow[k], (struct sm *)machine_unit(m, k));
    return r;
}

void sms_reckoning_destroy(void *context) {
    struct sms_reckoning *r = context;
    for (unsigned k = 0; k < r->count; ++k) {
        struct sm *s = r->shadow[k].s;
        for (unsigned n = 0; n < s->schedulers; ++n) s->twins[n] = NULL;
        for (unsigned n = 0; n < s->units; ++n) s->unit[n].twins = NULL;
        for (unsigned n = 0; s->scalar && n < s->scalar->units; ++n) s->scalar->unit[n].twins = NULL;
        free(r->shadow[k].flight);
        free(r->shadow[k].flying);
    }
    free(r->shadow);
    free(r->place);
    free(r);
}

uint64_t sms_reckoning_comparisons(const void *context) {
    const struct sms_reckoning *r = context;
    uint64_t count = 0;
    for (unsigned n = 0; n < r->places; ++n) count += r->place[n].comparisons;
    return count;
}
