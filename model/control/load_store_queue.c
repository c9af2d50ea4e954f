#include "model/control/load_store_queue.h"

#include "sim/error.h"

#include <string.h>

static void show_state(struct load_store_queue *s) {
    s->q.head = s->now.head;
    s->q.end = s->now.end;
    s->q.loads = s->now.loads;
    s->q.known = s->now.known;
}

void load_store_queue_reset(struct load_store_queue *s) {
    memset(&s->now, 0, sizeof s->now);
    memset(&s->in, 0, sizeof s->in);
    show_state(s);
}

void load_store_queue_init(struct load_store_queue *s, unsigned queue) {
    invariant(queue >= 1 && queue <= CORE_MAX_LSQ, "a load-store queue of %u entries", queue);
    *s = (struct load_store_queue){.queue = queue, .q = {.first = s->now.first, .last = s->now.last}};
}

static unsigned stores_between(const struct load_store_queue *s, unsigned from, unsigned to) {
    return to >= from ? to - from : to + 2 * s->queue - from;
}

unsigned load_store_queue_stores(const struct load_store_queue *s) {
    return stores_between(s, s->now.head, s->now.end);
}

unsigned load_store_queue_later(const struct load_store_queue *s, unsigned position, unsigned stores) {
    return (position + stores) % (2 * s->queue);
}

/* Goes through the older stores of the load, the oldest first. */
static void search(struct load_store_queue *s) {
    bool overlaps = false, covers = false, unknown = false;
    unsigned slot = s->now.head % s->queue;
    for (unsigned n = stores_between(s, s->now.head, s->in.position); n; --n, slot = (slot + 1) % s->queue) {
        if (!(s->now.known >> slot & 1)) {
            unknown = true;
        } else if (s->now.first[slot] <= s->in.last && s->in.first <= s->now.last[slot]) {
            overlaps = true;
            covers = s->now.first[slot] <= s->in.first && s->in.last <= s->now.last[slot];
            s->out.slot = slot;
        }
    }
    s->out.forward = covers && !unknown;
    s->out.wait = unknown || (overlaps && !covers);
    if (!s->out.forward) s->out.slot = 0;
}

void load_store_queue_eval(struct load_store_queue *s) {
    const unsigned oldest = s->now.head % s->queue;
    s->out = (struct load_store_queue_out){.room = s->queue - s->now.loads - load_store_queue_stores(s),
                                           .end = s->now.end,
                                           .oldest = s->now.known >> oldest & 1};
    if (s->out.oldest) {
        s->out.oldest_first = s->now.first[oldest];
        s->out.oldest_last = s->now.last[oldest];
    }
    if (s->in.search) search(s);
}

void load_store_queue_clock(struct load_store_queue *s) {
    struct load_store_queue_values *v = &s->now;
    if (s->in.known) {
        v->known |= UINT64_C(1) << s->in.known_slot;
        v->first[s->in.known_slot] = s->in.first;
        v->last[s->in.known_slot] = s->in.last;
    }
    if (s->in.written) v->known &= ~(UINT64_C(1) << v->head % s->queue);
    v->head = load_store_queue_later(s, v->head, s->in.written);
    v->end = load_store_queue_later(s, v->end, s->in.stores);
    v->loads += s->in.loads - s->in.leave;
    show_state(s);
    memset(&s->in, 0, sizeof s->in);
}
