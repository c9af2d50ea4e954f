/* Barrel issue of warps that the divergence engine forms. It knows which of them are ready to run. */
#include "model/unit/regrouped_parts.h"
#include "model/unit/services.h"

static void formed_take(struct unit *u, struct unit_flight *f) {
    f->formed = f->warp;
    f->reported = false;
    SLOTS(u)->divergence->take(u, f);
}

static void formed_arbitrated(struct unit *u, struct unit_flight *f, uint64_t t) {
    (void)u, (void)f, (void)t;
}

static void formed_release(struct unit *u, unsigned warp, uint64_t since, enum machine_cause cause,
                           uint32_t pc) {
    unit_wait_regrouped(u, warp, since, cause, pc);
}

const struct issue_slot issue_formed = {
    .take = formed_take, .arbitrated = formed_arbitrated, .release = formed_release};
