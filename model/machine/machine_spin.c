/* The watch for launches that repeat for ever. A first watch is cheap; a second, strict one decides
 * (model/core/spin_watch.h). */
#include "model/core/spin_watch.h"
#include "model/machine/machine_parts.h"

#define LONGEST_GAP (UINT64_C(1) << 26) /* largest distance of two checks in cycles */
#define SAMPLE      4096                /* cycles after which a watch is evaluated */

/* Sets the cycle of the next check. */
static void look_after(struct machine *m, uint64_t cycles) {
    m->spin_at += cycles;
    if (m->fabric->end_of_step) m->spin_at = m->fabric->end_of_step(m, m->spin_at - 1);
}

void machine_spin_begin(struct machine *m) {
    m->spin = SPIN_IDLE;
    m->spin_at = m->cycle;
    if (m->unit[0]->kind->spin->can(m->unit[0]))
        look_after(m, m->fabric->first_look);
    else
        m->spin_at = UINT64_MAX;
}

void machine_spin_end(struct machine *m) {
    for (unsigned k = 0; k < m->units && m->spin != SPIN_IDLE; ++k) simt_end_watch(m->unit[k]);
    m->spin = SPIN_IDLE;
}

static void end_watch(struct machine *m) {
    const uint64_t passed = m->spin_at - m->first_cycle;
    machine_spin_end(m);
    look_after(m, passed < LONGEST_GAP ? passed : LONGEST_GAP);
}

static void begin_watch(struct machine *m, bool strict) {
    for (unsigned k = 0; k < m->units; ++k) simt_watch_spin(m->unit[k], strict);
    m->spin = strict ? SPIN_STRICT : SPIN_FIRST;
    look_after(m, SAMPLE);
}

/* Returns whether a watch has failed: a unit does not repeat, or new work can begin. */
static bool fails(const struct machine *m) {
    for (unsigned k = 0; k < m->units; ++k)
        if (m->unit[k]->spin->failed) return true;
    return m->fabric->work_begins && m->fabric->work_begins(m);
}

static bool all_go_round(const struct machine *m) {
    bool any = false;
    for (unsigned k = 0; k < m->units; ++k)
        if (!m->unit[k]->kind->spin->goes_round(m->unit[k], &any)) return false;
    return any;
}

bool machine_goes_round(struct machine *m) {
    while (m->cycle >= m->spin_at) {
        if (m->spin == SPIN_IDLE)
            begin_watch(m, false);
        else if (fails(m))
            end_watch(m);
        else if (!all_go_round(m))
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
