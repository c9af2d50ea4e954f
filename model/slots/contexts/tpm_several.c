/* tpm for lanes in which several rounds start in a cycle (simt.multi_issue). Up to core.commit_width flights
 * commit in a cycle, the oldest first; at most one of them reaches a barrier or exits. */
#include "model/arm/coprocessor.h"
#include "model/unit/services.h"
#include "model/unit/slots.h"

static void tpm_several_reads(const struct unit *u, struct unit_flight *f) {
    contexts_tpm.reads(u, f);
}
static uint64_t tpm_several_collect(struct unit *u, uint64_t t) {
    return contexts_tpm.collect(u, t);
}
static uint64_t tpm_several_write(struct unit *u, uint64_t t) {
    return contexts_tpm.write(u, t);
}

static bool leaves(const struct unit_flight *f) {
    const enum coprocessor_operation o = coprocessor_operation_of(f->i);
    return o == COPROCESSOR_BARRIER || o == COPROCESSOR_EXIT;
}

/* Returns the index in landing[] of the oldest flight that may commit in cycle t; landing_count if none
 * may. */
static unsigned oldest(const struct unit *u, uint64_t t) {
    const struct barrier_table_in *in = &u->cluster->barriers.in;
    const bool left = in->arrive_count || in->exit_count; /* a flight has already done so in this cycle */
    unsigned found = u->landing_count;
    for (unsigned n = 0; n < u->landing_count; ++n) {
        const struct unit_flight *f = &u->flight[u->landing[n]];
        if (u->landing_due[n] > t || !unit_is_written(f) || (left && leaves(f))) continue;
        if (found == u->landing_count || f->s < u->flight[u->landing[found]].s) found = n;
    }
    return found;
}

static uint64_t tpm_several_commit(struct unit *u, uint64_t t) {
    uint64_t next = UNIT_NEVER;
    for (unsigned left = u->cluster->config->core.commit_width, n; left; --left) {
        if ((n = oldest(u, t)) == u->landing_count) break;
        unit_commit(u, n, t);
    }
    for (unsigned n = 0; n < u->landing_count; ++n) earlier(&next, u->landing_due[n]);
    if (next <= t) next = t + 1;
    u->landed = next;
    return unit_wake_front(u, next, t);
}

const struct contexts_slot contexts_tpm_several = {.reads = tpm_several_reads,
                                                   .collect = tpm_several_collect,
                                                   .write = tpm_several_write,
                                                   .commit = tpm_several_commit};
