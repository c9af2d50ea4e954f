/* S selects a warp, A arbitrates its PC, F fetches, D decodes. Each stage hands over at the end of a
 * cycle. */
#include "model/unit/front.h"

/* Returns the next cycle in which F or A can hand over. S is due only when the state of a warp changes. */
static inline uint64_t hand_over_due(struct unit *u, uint64_t next, uint64_t t) {
    if (u->left != u->arbitrated) {
        const uint64_t fetched = nth(u, u->left)->fetched;
        if (u->left - u->collecting < u->queue_entries) earlier(&next, fetched > t ? fetched : t + 1);
    } else if (u->arbitrated != u->selected) {
        const uint64_t at = nth(u, u->arbitrated)->s + u->arbitrate_cycles;
        earlier(&next, at > t ? at : t + 1);
    }
    return next;
}

/* Returns whether S is due in the next cycle: the flight in A may be handed over then, and its warp may
 * become ready to issue a second one (simt.mitigation dpe). */
static inline bool readies(const struct unit *u) {
    return UNIT_GENERAL && SLOTS(u)->mitigation->second && unit_any(u->ready) && u->arbitrated == u->selected;
}

UNIT_STAGE uint64_t select_first_step(struct unit *u, uint64_t t) {
    const bool f_holds = u->left != u->arbitrated, a_holds = u->arbitrated != u->selected;
    struct unit_flight *f = nth(u, u->left), *a = nth(u, u->arbitrated);
    const bool f_leaves =
        f_holds && !unit_holds(u, f) && f->fetched <= t && u->left - u->collecting < u->queue_entries;
    const bool a_leaves = a_holds && (!f_holds || f_leaves) && a->s + u->arbitrate_cycles <= t;
    const bool looks = SLOTS(u)->scheduler->looks, take = !a_holds || a_leaves;
    const bool prompt = looks || unit_is_uniform(u); /* D is visited in its own cycle */
    uint64_t next = UNIT_NEVER;
    int pick = UNIT_NONE;
    if (looks || (take && unit_any(u->ready))) pick = SLOTS(u)->scheduler->pick(u, u->ready, take, t, &next);
    if (u->decoded != u->left) {
        unit_decode(u, t);
        if (looks) next = t + 1;
    }
    if (f_leaves) {
        f->left = t;
        ++u->left;
        u->o_next = unit_o_due(u);
        if (prompt) next = t + 1;
    }
    if (a_leaves) unit_leave_arbitrate(u, a, t);
    if (pick != UNIT_NONE) unit_select(u, (unsigned)pick, t);
    if (readies(u)) next = t + 1;
    u->front_next = next = hand_over_due(u, next, t);
    return f_leaves && u->o_next < next ? u->o_next : next;
}

UNIT_ROW const struct front_slot front_select_first = {.step = select_first_step};
