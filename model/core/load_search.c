#include "model/core/load_search.h"

#include "sim/error.h"

void load_search_start(struct core *c) {
    struct window *w = c->superscalar->window;
    w->told_store = w->first_store;
    load_store_queue_reset(&w->queue);
    block_requests_reset(&w->queue.requests);
}

static void cycle(struct load_store_queue *q) {
    load_store_queue_eval(q);
    block_requests_cycle(&q->requests, CLUSTER_BLOCK_QUEUE);
}

static const struct window_store *store_of(const struct window *w, unsigned n) {
    return &w->store[(w->first_store + n) % CORE_MAX_LSQ];
}

const struct window_store *load_search_ask(struct core *c, const struct window_entry *e, bool *wait) {
    const struct window *w = c->superscalar->window;
    struct load_store_queue *q = &c->superscalar->window->queue;
    unsigned older = 0;
    while (older < w->stores && store_of(w, older)->number < e->number) ++older;
    q->in.search = true;
    q->in.position = load_store_queue_later(q, q->now.head, older);
    q->in.first = e->address;
    q->in.last = e->address + e->bytes - 1;
    cycle(q);
    const struct load_store_queue_out out = q->out;
    load_store_queue_clock(q);
    const unsigned n = (out.slot + q->queue - q->now.head % q->queue) % q->queue;
    *wait = out.wait || (out.forward && n >= older);
    return out.forward && !*wait ? store_of(w, n) : NULL;
}

/* Notes the store that has been selected in cycle t. */
static void note_address(struct core *c, uint64_t t) {
    const struct window *w = c->superscalar->window;
    struct load_store_queue *q = &c->superscalar->window->queue;
    for (unsigned n = 0; n < w->stores; ++n) {
        const struct window_store *s = store_of(w, n);
        const struct window_entry *e = &w->entry[s->number % WINDOW_SLOTS];
        if (e->number != s->number || !e->selected || e->selected != t) continue;
        q->in.known = true;
        q->in.known_slot = load_store_queue_later(q, q->now.head, n + q->in.written) % q->queue;
        q->in.first = s->address;
        q->in.last = s->address + s->bytes - 1;
    }
}

void load_search_end(struct core *c, uint64_t t) {
    struct window *w = c->superscalar->window;
    struct load_store_queue *q = &w->queue;
    const unsigned written = (w->first_store + CORE_MAX_LSQ - w->told_store) % CORE_MAX_LSQ,
                   loads = w->queued - w->released - w->stores;
    const struct window_store *oldest = &w->store[w->told_store];
    q->in.written = written;
    q->in.stores = w->stores + written - load_store_queue_stores(q);
    q->in.leave = w->released - written;
    q->in.loads = loads + q->in.leave - q->now.loads;
    note_address(c, t);
    w->told_store = w->first_store;
    if (!q->in.written && !q->in.stores && !q->in.leave && !q->in.loads && !q->in.known) return;
    cycle(q);
    invariant(!q->in.written || (q->out.oldest && q->out.oldest_first == oldest->address),
              "a store at 0x%x is written that is not the oldest in the queue", oldest->address);
    load_store_queue_clock(q);
}
