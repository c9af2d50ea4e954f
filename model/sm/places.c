/* Checks that every live thread is in exactly one place of its scheduler's engine, in every cycle. */
#include "model/sm/sm_divergence.h"
#include "model/sm/sm_parts.h"

#include "sim/error.h"

#include <string.h>

struct places {
    const struct sm *s;
    uint64_t seen[SM_MAX_WARPS];
};

static void see(void *context, const struct thread_place *p) {
    struct places *l = context;
    const unsigned size = l->s->warp_size;
    for (unsigned n = 0; n < p->count; ++n) {
        const struct sm_warp *w = &l->s->warp[p->thread[n] / size];
        uint64_t *seen = &l->seen[p->thread[n] / size];
        const uint64_t bit = bit_of(p->thread[n] % size);
        invariant(w->live & bit && !(*seen & bit), "thread %u of warp %u is in %s[%u], and %s",
                  p->thread[n] % size, p->thread[n] / size, p->table, p->entry,
                  w->live & bit ? "elsewhere" : "has ended");
        invariant((p->state == PLACE_BARRIER) == ((w->waiting & bit) != 0),
                  "thread %u of warp %u, in %s[%u], %s at a barrier", p->thread[n] % size,
                  p->thread[n] / size, p->table, p->entry, w->waiting & bit ? "waits" : "does not wait");
        *seen |= bit;
    }
}

void sm_check_places(const struct sm *s) {
    struct places l = {.s = s};
    for (unsigned n = 0; n < s->schedulers; ++n) s->divergence->places(s, n, see, &l);
    for (unsigned w = 0; w < s->warps; ++w)
        invariant(l.seen[w] == s->warp[w].live, "threads 0x%llx of warp %u are nowhere",
                  (unsigned long long)(s->warp[w].live & ~l.seen[w]), w);
}
