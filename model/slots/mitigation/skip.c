/* Rounds without a participating thread are skipped. */
#include "model/unit/services.h"

UNIT_STAGE void skip_rounds(const struct unit *u, struct unit_flight *f) {
    f->rounds = (uint8_t)cluster_rounds_of(u->cluster, f->participating);
    f->network = 0;
}

UNIT_ROW const struct mitigation_slot mitigation_skip = {.rounds = skip_rounds, .saves = true};
