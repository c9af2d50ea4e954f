/*
 * plain: the beginning and the end of a plain instance of a cycle. Its file defines UNIT_PLAIN_ROWS after the
 * source files of its fillings. The compiler then knows all rows and inlines their functions.
 */
#define UNIT_SERVICE static __attribute__((unused))
#define UNIT_STAGE   static inline __attribute__((always_inline))
#define UNIT_ROW     static
#define UNIT_GENERAL false
#define SLOTS(u)     (&plain_rows)

#include "model/unit/unit.h"
static const struct slots plain_rows;
#include "model/unit/services.h"

/* NOLINTBEGIN(bugprone-suspicious-include): they are meant */
#include "model/unit/flights.c"
#include "model/unit/execute.c"
#include "model/unit/commit.c"
#include "model/slots/shared/collection.c"
#include "model/slots/scheduler/round_robin.c"
#include "model/slots/front/select_first.c"
#include "model/slots/issue/barrel.c"
#include "model/slots/divergence/pc.c"
#include "model/slots/contexts/tpm.c"
#include "model/slots/lanes/spatial.c"
#include "model/slots/home/in_lane.c"
/* NOLINTEND(bugprone-suspicious-include) */
#include "model/unit/cycle.h"

#define UNIT_PLAIN(step, saving)                                                                             \
    static const struct slots plain_rows = {.scheduler = &scheduler_round_robin,                             \
                                            .front = &front_select_first,                                    \
                                            .issue = &issue_barrel,                                          \
                                            .divergence = &divergence_pc,                                    \
                                            .mitigation = &(saving),                                         \
                                            .contexts = &contexts_tpm,                                       \
                                            .lanes = &lanes_spatial,                                         \
                                            .home = &home_in_lane};                                          \
    uint64_t step(struct unit *u, uint64_t t) {                                                              \
        uint64_t next = u->committed + u->cluster->livelock_cycles;                                          \
        UNIT_BARREL_FIRST(UNIT_CALL_DUE, UNIT_CALL_ALWAYS)                                                   \
        UNIT_BARREL_COMMIT(UNIT_CALL_DUE)                                                                    \
        UNIT_BARREL_LAST(UNIT_CALL_DUE)                                                                      \
        return next > t ? next : t + 1;                                                                      \
    }
