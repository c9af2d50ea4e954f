/* The engine packs threads into rounds: an instruction takes rounds up to the last one with a thread. */
#include "model/unit/services.h"
#include "model/unit/slots.h"

static void packed_rounds(const struct unit *u, struct unit_flight *f) {
    const struct cluster *c = u->cluster;
    unsigned rounds = c->rounds;
    while (!(f->participating & c->of_round[rounds - 1])) --rounds;
    f->rounds = (uint8_t)rounds;
    f->network = 0;
}

const struct mitigation_slot mitigation_packed = {.rounds = packed_rounds};
