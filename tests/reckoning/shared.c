#include "tests/reckoning/shared.h"

#include "model/cluster/cluster.h"
#include "model/cluster/uncore.h"
#include "model/machine/sms.h"
#include "model/memory/dram_channel.h"
#include "model/memory/partitioned_memory.h"
#include "tests/reckoning/place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAME(x, input, t, is) reckon(&(x)->place, #input, t, in->input, is)

/* Requests in transit to a channel, first in first out, and their total number. */
struct shared_channel {
    struct reckoning_place place;
    struct shared_reckoning *all;
    struct dram_channel *channel;
    uint64_t offered;
};

struct shared_reckoning {
    struct machine *machine;
    struct error *error; /* error of the launch */
    struct reckoning_place groups;
    struct work_group_dispatcher *dispatcher;
    uint64_t taken, before; /* numbers of work-groups: of the launch; of earlier launches */
    unsigned channels;
    struct shared_channel channel[];
};

/* --- work-groups --- */

static uint64_t begun(struct machine *m) {
    uint64_t count = 0;
    for (unsigned k = 0; k < machine_configuration(m)->cluster.count; ++k) {
        const struct sm *s = (const struct sm *)machine_unit(m, k);
        count += s->groups_used + s->groups_done;
    }
    return count;
}

static void cycle_of_groups(void *context, enum cluster_block block, uint64_t t) {
    struct reckoning_place *p = context;
    struct shared_reckoning *r = p->shadow;
    const struct work_group_dispatcher_in *in = &r->dispatcher->in;
    const struct machine_launch *l = machine_running(r->machine);
    const bool sms = r->channels != 0;
    (void)block;
    r->error = machine_error(r->machine);
    if (in->begin) {
        const uint32_t *const count[] = {&in->count_x, &in->count_y, &in->count_z};
        for (unsigned d = 0; d < 3; ++d)
            reckon_of(p, "work-groups in dimension", d, t, *count[d], l->global_size[d] / l->local_size[d]);
        r->taken = 0;
        r->before = sms ? begun(r->machine) : 0;
    }
    reckon(p, "begin, else take", t, in->begin, !in->take);
    if (!in->take) return;
    if (sms) reckon(p, "work-groups that have begun", t, begun(r->machine), r->before + r->taken);
    reckon(p, "a work-group is left", t, r->dispatcher->q.left,
           r->taken < work_group_dispatcher_all(r->dispatcher));
    ++r->taken;
}

/* --- channels of DRAM --- */

static void cycle_of_channel(void *context, enum cluster_block block, uint64_t t) {
    struct reckoning_place *p = context;
    struct shared_channel *x = p->shadow;
    const struct dram_channel *c = x->channel;
    const struct dram_scheduler_in *in = &c->scheduler.in;
    const struct machine_dram_config *m = &machine_configuration(x->all->machine)->dram;
    (void)block;
    x->all->error = machine_error(x->all->machine);
    const bool offered = c->way_first != (x->offered & c->way_mask); /* a request has been taken */
    const struct dram_request *r = &c->way[x->offered & c->way_mask];
    const bool room = c->scheduler.q.count < m->queue_entries;
    const bool there = (offered || c->way_count) && r->cycle <= t;
    SAME(x, valid, t, there && room);
    x->offered += offered;
    if (!in->valid) return;
    SAME(x, rcd, t, m->rcd);
    SAME(x, rp, t, m->rp);
    SAME(x, cl, t, m->cl);
    SAME(x, ras, t, m->ras);
    SAME(x, rrd, t, m->rrd);
    SAME(x, rc, t, m->rc);
    SAME(x, ccd, t, m->ccd);
    SAME(x, wl, t, m->wl);
    SAME(x, cdlr, t, m->cdlr);
    SAME(x, wr, t, m->wr);
    SAME(x, burst, t, m->burst_cycles);
    SAME(x, write, t, r->write);
    SAME(x, bank, t, r->address / m->row_bytes % m->banks);
    SAME(x, row, t, r->address / m->row_bytes / m->banks);
    SAME(x, bursts, t, r->bursts);
    SAME(x, tag, t, r->tag);
}

/* --- places --- */

static void nothing(void *context) {
    (void)context;
}

static void attach(struct shared_reckoning *r, struct reckoning_place *p, void *shadow,
                   void (*cycle)(void *context, enum cluster_block block, uint64_t t)) {
    p->shadow = shadow;
    p->error = &r->error;
    p->hook = (struct cluster_twins){
        .context = p, .cycle = cycle, .reset = nothing, .stop = nothing, .end = UINT64_MAX};
    for (enum cluster_block b = 0; b < CLUSTER_BLOCK_COUNT; ++b) p->hook.attached[b] = true;
}

static void attach_channel(struct shared_reckoning *r, unsigned n) {
    struct shared_channel *x = &r->channel[n];
    x->all = r;
    x->channel = machine_channel(r->machine, n);
    x->offered = x->channel->way_first;
    attach(r, &x->place, x, cycle_of_channel);
    snprintf(x->place.name, sizeof x->place.name, "channel %u of DRAM", n);
    x->channel->twins = &x->place.hook;
}

void *shared_reckoning_create(struct machine *m) {
    unsigned channels = 0;
    while (machine_channel(m, channels)) ++channels;
    struct shared_reckoning *r = calloc(1, sizeof *r + channels * sizeof r->channel[0]);
    require_memory(r);
    r->machine = m;
    r->channels = channels;
    r->dispatcher = machine_groups(m);
    attach(r, &r->groups, r, cycle_of_groups);
    snprintf(r->groups.name, sizeof r->groups.name, "work_group_dispatcher");
    r->dispatcher->requests.twins = &r->groups.hook;
    for (unsigned n = 0; n < channels; ++n) attach_channel(r, n);
    return r;
}

void shared_reckoning_destroy(void *context) {
    struct shared_reckoning *r = context;
    r->dispatcher->requests.twins = NULL;
    for (unsigned n = 0; n < r->channels; ++n) r->channel[n].channel->twins = NULL;
    free(r);
}

uint64_t shared_reckoning_comparisons(const void *context) {
    const struct shared_reckoning *r = context;
    uint64_t count = r->groups.comparisons;
    for (unsigned n = 0; n < r->channels; ++n) count += r->channel[n].place.comparisons;
    return count;
}
