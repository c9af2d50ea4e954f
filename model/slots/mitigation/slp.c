/* Rounds of an instruction: the largest number of participating threads in a lane; with simt.slp any, enough
 * rounds to fill all lanes. */
#include "model/unit/services.h"

/* Sets the rounds of a flight. A network brings the operands of threads to any lanes. Loads and stores stay
 * in their lanes, which have the stacks of their threads and their translations. */
UNIT_STAGE void slp_rounds(const struct unit *u, struct unit_flight *f) {
    const struct cluster *c = u->cluster;
    f->rounds = (uint8_t)cluster_rounds_of(c, f->participating);
    f->network = 0;
    if (c->config->simt.slp != SLP_ANY || !f->i || f->i->access_count) return;
    f->rounds = (uint8_t)(((unsigned)__builtin_popcountll(f->participating) + c->lanes - 1) / c->lanes);
    f->network = (uint8_t)c->config->simt.network_cycles;
}

UNIT_ROW const struct mitigation_slot mitigation_slp = {.rounds = slp_rounds, .saves = true};
