/* Collects the contents of all stages of a unit. */
#include "model/unit/view.h"

#include "model/unit/regrouped_parts.h"
#include "model/unit/services.h"

#include <stddef.h>
#include <string.h>

static struct unit_view_flight shown(const struct unit *u, const struct unit_flight *f,
                                     enum unit_stage_name stage) {
    const bool uniform = u->uniform && stage <= UNIT_STAGE_QUEUE;
    return (struct unit_view_flight){.stage = stage,
                                     .i = f->i,
                                     .pc = f->pc,
                                     .warp = f->warp,
                                     .passed = f->passed,
                                     .fetched = f->fetched,
                                     .collected = f->collected,
                                     .x = f->x,
                                     .last = f->last,
                                     .result = f->result,
                                     .tokens = uniform ? u->uniform[f - u->flight].tokens : 0,
                                     .writes_left = f->writes_left,
                                     .form = uniform ? u->uniform[f - u->flight].form : UNIFORM_VECTOR};
}

/* Adds a flight. If a warp has two flights, the first one has the number of the warp. */
static const struct unit_view_flight *add(struct unit_view *v, const struct unit *u,
                                          const struct unit_flight *f, enum unit_stage_name stage) {
    struct unit_view_flight *x = &v->flight[v->flights++];
    *x = shown(u, f, stage);
    if (u->regrouped) {
        for (uint64_t rest = f->participating; rest;) {
            const struct unit_part p = unit_next_part(u, f, &rest);
            if (!v->of_warp[p.warp]) v->of_warp[p.warp] = x;
        }
    } else if (!v->of_warp[f->warp] || f->number == f->warp) {
        v->of_warp[f->warp] = x;
    }
    return x;
}

/* Adds the warps of a flight's threads. */
static void add_warps(warp_set *s, const struct unit *u, const struct unit_flight *f) {
    for (uint64_t rest = f->participating; rest;) warp_set_add(s, unit_next_part(u, f, &rest).warp);
}

static void add_front(struct unit_view *v, const struct unit *u) {
    for (uint32_t n = u->started; n != u->selected; ++n) {
        const struct unit_flight *f = unit_nth(u, n);
        const uint32_t from = n - u->started; /* counters wrap around */
        if (from < u->collecting - u->started) {
            v->collect = add(v, u, f, UNIT_STAGE_COLLECTED);
        } else if (from < u->decoded - u->started) {
            add(v, u, f, UNIT_STAGE_QUEUE);
        } else if (from < u->left - u->started) {
            v->decode = add(v, u, f, UNIT_STAGE_DECODE);
        } else if (from < u->arbitrated - u->started) {
            v->fetch = add(v, u, f, UNIT_STAGE_FETCH);
        } else {
            v->arbitrate = add(v, u, f, UNIT_STAGE_ARBITRATE);
            if (u->regrouped) add_warps(&v->front_end, u, f);
        }
    }
    v->queue_count = u->decoded - u->collecting;
    v->collected_count = u->collecting - u->started;
}

static void add_back(struct unit_view *v, const struct unit *u) {
    const struct unit_flight *in_x = u->shown == UNIT_NONE ? NULL : &u->flight[u->shown];
    unsigned starting = 0;
    for (unsigned n = 0; n < u->landing_count; ++n) {
        const struct unit_flight *f = &u->flight[u->landing[n]];
        const bool starts = v->cycle < (u->several ? f->last : u->x_last) && (u->several || f == in_x);
        const struct unit_view_flight *shown_as =
            add(v, u, f, u->several && starts ? UNIT_STAGE_LANES : UNIT_STAGE_LANDED);
        if (starts) v->starting = shown_as;
        starting += starts;
    }
    v->landing_count = u->landing_count - starting;
    if (u->several) v->in_lanes = u->slots->lanes->several->in_use(u, v->cycle);
    if (u->x_flight != UNIT_NONE) v->execute = add(v, u, &u->flight[u->x_flight], UNIT_STAGE_LANES);
    v->any_started = u->shown != UNIT_NONE;
    if (v->any_started) v->started = shown(u, &u->flight[u->shown], UNIT_STAGE_LANES);
}

/* Adds the mixed flights behind X, which are in no list. */
static void add_mixed(struct unit_view *v, const struct unit *u) {
    for (warp_set rest = u->mixed_flights; rest; rest &= rest - 1) {
        const struct unit_flight *f = &u->flight[warp_set_first(rest)];
        if (!v->of_warp[f->warp]) add(v, u, f, UNIT_STAGE_QUEUE);
    }
}

static void add_decisions(struct unit_view *v, const struct unit *u) {
    const struct warp_scheduler *s = &u->blocks->scheduler;
    const struct unit_flight *newest = u->selected ? unit_nth(u, u->selected - 1) : NULL;
    const struct unit_flight *fetched = u->arbitrated != u->started ? unit_nth(u, u->arbitrated - 1) : NULL;
    v->grant = newest && newest->s == v->cycle ? warp_bit(newest->warp) : 0;
    v->refused = (u->ports || u->slots->scheduler->looks) && u->ready && s->in.take && !s->out.valid;
    v->arbitrates = fetched && fetched->f == v->cycle + 1;
}

/* Adds the warps with threads that wait for their selection. */
static void add_ready(struct unit_view *v, const struct unit *u) {
    const struct thread_descriptor_table *d = &u->cluster->descriptors;
    if (!u->regrouped) {
        v->ready = u->ready;
        for (warp_set rest = u->ready; rest; rest &= rest - 1)
            v->since[warp_set_first(rest)] = u->wait[warp_set_first(rest)].since;
        return;
    }
    for (unsigned n = 0; n < u->cluster->warps; ++n) {
        if (!d->warp[n].ready) continue;
        warp_set_add(&v->ready, n);
        v->since[n] = UNIT_NEVER;
        for (uint64_t rest = d->warp[n].ready; rest; rest &= rest - 1)
            earlier(&v->since[n],
                    u->regrouped->wait[n * d->warp_size + (unsigned)__builtin_ctzll(rest)].since);
    }
}

static void view(const struct unit *u, struct unit_view *v) {
    add_ready(v, u);
    v->front_end = u->front_end;
    v->o_since = u->o_since;
    v->o_stood = u->o_stood;
    v->x_stood = u->x_stood;
    v->x_last = u->x_last;
    v->x_free = u->x_free;
    v->x_next = u->x_next;
    v->x_beat = u->x_beat;
    v->committed = u->committed;
    v->left_pc = u->left_pc;
    add_decisions(v, u);
    add_front(v, u);
    add_back(v, u);
    add_mixed(v, u);
}

void unit_view(const struct cluster *c, uint64_t t, struct unit_view *v) {
    memset(v, 0, offsetof(struct unit_view, flight));
    v->cycle = t;
    if (c->fast.on) fast_show(&c->fast, t + 1);
    view(c->unit, v);
}
