#include "tests/reckoning/sms.h"

#include "model/sm/scalar_units.h"
#include "model/sm/sm_divergence.h"
#include "model/sm/sm_parts.h"
#include "tests/reckoning/sms_issue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sms_reckoning {
    struct sms *sms;
    struct sms_shadow *shadow; /* of each SM */
    struct reckoning_place *place;
    unsigned places;
};

static void reset(void *context) {
    const struct reckoning_place *p = context;
    if (p->number == 0) shadow_reset(p->shadow);
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
    if (t != h->cycle) shadow_begin_cycle(h, t);
    shadow_observe(h);
    switch (block) {
    case CLUSTER_BLOCK_SCOREBOARD:
        check_turn(h, p);
        shadow_scoreboard(h, p->number);
        break;
    case CLUSTER_BLOCK_SCHEDULER: shadow_scheduler(h, p->number); break;
    case CLUSTER_BLOCK_COALESCER:
        if (p->number) break;
        shadow_called(h);
        shadow_check_threads(h);
        break;
    case CLUSTER_BLOCK_BARRIERS: shadow_barriers(h); break;
    default: break;
    }
}

/* Every place of an SM that can have twins: its schedulers. */
static void attach_sm(struct sms_reckoning *r, unsigned k) {
    struct sm *s = &r->sms->sm[k];
    struct sms_shadow *h = &r->shadow[k];
    h->s = s;
    for (unsigned n = 0; n < s->schedulers; ++n) {
        struct reckoning_place *p = &r->place[r->places++];
        p->shadow = h;
        p->number = n;
        p->error = &s->error;
        snprintf(p->name, sizeof p->name, "SM %u, scheduler %u", k, n);
        p->hook = (struct cluster_twins){.context = p, .reset = reset, .cycle = cycle, .end = UINT64_MAX};
        static const enum cluster_block blocks[] = {CLUSTER_BLOCK_SCHEDULER, CLUSTER_BLOCK_SCOREBOARD,
                                                    CLUSTER_BLOCK_BARRIERS, CLUSTER_BLOCK_COALESCER};
        for (unsigned b = 0; b < sizeof blocks / sizeof *blocks; ++b) p->hook.attached[blocks[b]] = true;
        s->twins[n] = &p->hook;
    }
}

void *sms_reckoning_create(struct machine *m) {
    struct sms_reckoning *r = calloc(1, sizeof *r);
    require_memory(r);
    r->sms = machine_sms(m);
    r->shadow = calloc(r->sms->count, sizeof *r->shadow);
    r->place = calloc(r->sms->count * SM_MAX_SCHEDULERS, sizeof *r->place);
    require_memory(r->shadow && r->place);
    r->sms->watched = UINT64_MAX;
    for (unsigned k = 0; k < r->sms->count; ++k) attach_sm(r, k);
    return r;
}

void sms_reckoning_destroy(void *context) {
    struct sms_reckoning *r = context;
    for (unsigned k = 0; k < r->sms->count; ++k) {
        for (unsigned n = 0; n < SM_MAX_SCHEDULERS; ++n) r->sms->sm[k].twins[n] = NULL;
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
