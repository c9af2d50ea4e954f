/* Stores that the L2 has not accepted yet. Memory barriers and the end of a launch wait for them (gpu-like.md
 * §4). */
#include "model/sm/sm_ldst.h"
#include "model/sm/sm_parts.h"

void sm_stores_begin(struct sm *s, unsigned place) {
    ++s->ldst->stores[place].threads;
    s->ldst->stores[place].untaken = 0;
}

uint32_t sm_stores_tag(const struct sm *s, unsigned place) {
    return s->ldst->stores[place].threads << 8 | place;
}

void sm_stores_sent(struct sm *s, unsigned place) {
    ++s->ldst->stores[place].untaken;
    ++s->ldst->untaken;
}

bool sm_has_ended(const struct sm *s) {
    return !s->groups_used && !s->ldst->untaken;
}

bool sm_stores_on_the_way(const struct sm *s, unsigned place) {
    return s->ldst->stores[place].untaken != 0;
}

unsigned sm_stores_place(const struct sm *s, const struct sm_flight *f) {
    return f->threads.regrouped ? SM_STORES_OF_SCHEDULERS + f->warp % s->schedulers : f->warp;
}

void sm_stores_taken(struct sm *s, uint32_t tag, uint64_t t) {
    const unsigned place = tag & 0xff;
    if (!--s->ldst->untaken && t > s->ended) s->ended = t;
    if (tag != sm_stores_tag(s, place) || --s->ldst->stores[place].untaken) return;
    if (place < SM_STORES_OF_SCHEDULERS) sm_refresh(s, place);
}
