/* Dual-path execution: both sides of a conditional statement of a warp are in flight at once. */
#include "model/unit/services.h"

static void dpe_rounds(const struct unit *u, struct unit_flight *f) {
    f->rounds = (uint8_t)u->cluster->rounds;
    f->network = 0;
}

/* Returns whether a warp may get another flight: it has at most one, and its ready threads have at least the
 * highest level of those in execution. A thread behind the conditional statement has a lower level than both
 * sides, and waits for both. */
static bool dpe_second(const struct unit *u, unsigned warp) {
    const struct thread_descriptor_table *table = &u->cluster->descriptors;
    const struct warp_descriptors *w = &table->warp[warp];
    if (warp_set_has(u->flying, warp) && warp_set_has(u->flying, warp + u->cluster->warps)) return false;
    return tdt_highest_level(table, warp, w->ready) >= tdt_highest_level(table, warp, w->execution);
}

const struct mitigation_slot mitigation_dpe = {.rounds = dpe_rounds, .second = dpe_second};
