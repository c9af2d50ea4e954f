/* The watch for launches that repeat for ever. A first watch is cheap; a second, strict one decides
 * (model/core/spin_watch.h). */
#include "model/machine/machine_parts.h"

#define LONGEST_GAP (UINT64_C(1) << 26) /* largest distance of two checks in cycles */
#define SAMPLE      4096                /* cycles after which a watch is evaluated */

/* Sets the cycle of the next check. */
static void look_after(struct machine *m, uint64_t cycles) {
    const struct spin_kind *kind = m->fabric->spin;
    m->spin_at += cycles;
    if (kind->end_of_step) m->spin_at = kind->end_of_step(m, m->spin_at - 1);
}

void machine_spin_begin(struct machine *m) {
    m->spin = SPIN_IDLE;
    m->spin_at = m->cycle;
    if (m->fabric->spin->can(m))
        look_after(m, m->fabric->spin->first_look);
    else
        m->spin_at = UINT64_MAX;
}

void machine_spin_end(struct machine *m) {
    if (m->spin != SPIN_IDLE) m->fabric->spin->end(m);
    m->spin = SPIN_IDLE;
}

static void end_watch(struct machine *m) {
    const uint64_t passed = m->spin_at - m->first_cycle;
    machine_spin_end(m);
    look_after(m, passed < LONGEST_GAP ? passed : LONGEST_GAP);
}

static void begin_watch(struct machine *m, bool strict) {
    m->fabric->spin->begin(m, strict);
    m->spin = strict ? SPIN_STRICT : SPIN_FIRST;
    look_after(m, SAMPLE);
}

bool machine_goes_round(struct machine *m) {
    const struct spin_kind *kind = m->fabric->spin;
    while (m->cycle >= m->spin_at) {
        if (m->spin == SPIN_IDLE)
            begin_watch(m, false);
        else if (kind->fails(m))
            end_watch(m);
        else if (!kind->all_go_round(m))
            look_after(m, SAMPLE);
        else if (m->spin == SPIN_FIRST)
            begin_watch(m, true);
        else {
            m->cycle = m->spin_at;
            return true;
        }
    }
    return false;
}
