#include "model/control/issue_select.h"

#include "sim/error.h"

#include <string.h>

void issue_select_init(struct issue_select *s, const struct issue_select_config *cfg) {
    invariant(cfg->window >= 1 && cfg->window <= CORE_MAX_WINDOW && cfg->issue_width >= 1 &&
                  cfg->issue_width <= CORE_MAX_ISSUE_WIDTH && cfg->integer_units >= 1 &&
                  cfg->integer_units <= CORE_MAX_UNITS && cfg->vfp_units >= 1 &&
                  cfg->vfp_units <= CORE_MAX_UNITS,
              "issue_select: %u of %u, with %u and %u units", cfg->issue_width, cfg->window,
              cfg->integer_units, cfg->vfp_units);
    *s = (struct issue_select){.cfg = *cfg};
    s->out.slot = s->slot;
    s->out.unit = s->unit;
}

/* Takes the last free unit of a kind, or the first one if only that will do. Returns false if it is taken. */
static bool take_unit(uint32_t *free, unsigned first, unsigned count, bool needs_first, uint32_t *unit) {
    unsigned n = needs_first ? 1 : count;
    while (n--) {
        if (!(*free >> (first + n) & 1)) continue;
        *free &= ~(1u << (first + n));
        *unit = first + n;
        return true;
    }
    return false;
}

void issue_select_eval(struct issue_select *s) {
    const struct issue_select_in *in = &s->in;
    uint32_t free = in->free;
    bool unknown = false; /* an older store has not been chosen */
    unsigned count = 0;
    memset(s->slot, 0, sizeof s->slot);
    memset(s->unit, 0, sizeof s->unit);
    for (unsigned age = 0; age < s->cfg.window && count < s->cfg.issue_width; ++age) {
        const unsigned slot = (in->first + age) % s->cfg.window;
        const unsigned __int128 bit = issue_select_slot(slot);
        const bool needs_first = (in->needs_first & bit) != 0;
        const bool is_access = in->store & bit || (in->load & bit && !unknown);
        uint32_t *unit = &s->unit[count];
        if ((in->integer & bit && take_unit(&free, 0, s->cfg.integer_units, needs_first, unit)) ||
            (in->vfp & bit && take_unit(&free, s->cfg.integer_units, s->cfg.vfp_units, needs_first, unit)) ||
            (is_access && take_unit(&free, issue_select_load_store(s), 1, false, unit)))
            s->slot[count++] = slot;
        unknown |= (in->unknown & bit) != 0;
    }
    s->out.issue = (1u << count) - 1;
}
