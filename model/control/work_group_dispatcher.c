#include "model/control/work_group_dispatcher.h"

#include <string.h>

void work_group_dispatcher_reset(struct work_group_dispatcher *w) {
    *w = (struct work_group_dispatcher){.requests = w->requests};
    block_requests_reset(&w->requests);
}

/* Returns the work-group after that of q: its number, with digits below the count of each dimension. */
static struct work_group_dispatcher_state next(const struct work_group_dispatcher_state *q) {
    struct work_group_dispatcher_state d = *q;
    if (++d.x == q->count_x) {
        d.x = 0;
        if (++d.y == q->count_y) {
            d.y = 0;
            if (++d.z == q->count_z) d.z = 0;
        }
    }
    d.left = d.x || d.y || d.z;
    d.number = d.left ? q->number + 1 : 0;
    return d;
}

void work_group_dispatcher_eval(struct work_group_dispatcher *w) {
    const struct work_group_dispatcher_in *in = &w->in;
    const struct work_group_dispatcher_state *q = &w->q;
    w->out = (struct work_group_dispatcher_out){q->left, q->number, q->x, q->y, q->z};
    w->d = *q;
    if (in->begin)
        w->d = (struct work_group_dispatcher_state){
            .left = true, .count_x = in->count_x, .count_y = in->count_y, .count_z = in->count_z};
    else if (in->take && q->left)
        w->d = next(q);
}

void work_group_dispatcher_clock(struct work_group_dispatcher *w) {
    w->q = w->d;
}

static void request(struct work_group_dispatcher *w, struct work_group_dispatcher_in in) {
    w->in = in;
    work_group_dispatcher_eval(w);
    block_requests_cycle(&w->requests, CLUSTER_BLOCK_GROUPS);
    work_group_dispatcher_clock(w);
}

void work_group_dispatcher_begin(struct work_group_dispatcher *w, const uint32_t count[3]) {
    work_group_dispatcher_reset(w);
    memcpy(w->count, count, sizeof w->count);
    request(w, (struct work_group_dispatcher_in){
                   .begin = true, .count_x = count[0], .count_y = count[1], .count_z = count[2]});
}

bool work_group_dispatcher_take(struct work_group_dispatcher *w, struct work_group *group) {
    if (!w->q.left) return false;
    request(w, (struct work_group_dispatcher_in){.take = true});
    *group = (struct work_group){w->out.number, {w->out.x, w->out.y, w->out.z}};
    return w->out.valid;
}
