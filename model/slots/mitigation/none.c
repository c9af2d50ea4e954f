/* Each instruction takes all rounds. */
#include "model/unit/services.h"

UNIT_STAGE void none_rounds(const struct unit *u, struct unit_flight *f) {
    f->rounds = (uint8_t)u->cluster->rounds;
    f->network = 0;
}

UNIT_ROW const struct mitigation_slot mitigation_none = {.rounds = none_rounds};
