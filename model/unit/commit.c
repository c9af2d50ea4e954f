/* The end of a flight: it lands when its rounds have started, and commits when its results are written.
 * Barriers. */
#include "model/unit/regrouped_parts.h"
#include "model/unit/services.h"

#include "sim/error.h"

/* --- landing --- */

/* Returns the first cycle in which W or C has work for a flight that has landed. */
static inline uint64_t due_of(const struct unit_flight *f) {
    return f->result == UNIT_NEVER ? UNIT_NEVER : f->result + !unit_is_written(f);
}

static inline unsigned lines_to_write(const struct unit *u, const struct unit_flight *f) {
    if (unit_is_uniform(u)) return u->uniform[f - u->flight].write_lines;
    if (!f->passed) return 0;
    if (UNIT_GENERAL && u->regrouped) return arm_rows_of(f->i->destinations) * unit_lines_of(u, f, f->passed);
    return arm_rows_of(f->i->destinations) * u->cluster->vtpo_lines;
}

UNIT_SERVICE void unit_land(struct unit *u, unsigned number, uint64_t result) {
    struct unit_flight *f = &u->flight[number];
    f->result = result;
    f->writes_left = (uint16_t)lines_to_write(u, f);
    f->scalar_writes_left = unit_is_uniform(u) ? (uint8_t)u->uniform[number].scalar_writes : 0;
    const uint64_t due = due_of(f);
    u->landing[u->landing_count] = (uint8_t)number;
    u->landing_due[u->landing_count++] = due;
    earlier(&u->landed, due);
}

UNIT_SERVICE void unit_landed_until(struct unit *u, struct unit_flight *f, uint64_t t) {
    const unsigned number = (unsigned)(f - u->flight);
    unsigned n = 0;
    while (u->landing[n] != number) ++n;
    u->landing_due[n] = due_of(f);
    later(&u->landing_due[n], t + !unit_is_written(f)); /* W of cycle t has already run */
    earlier(&u->landed, u->landing_due[n]);
}

UNIT_SERVICE void unit_write_result(struct unit *u, struct unit_flight *f, unsigned lines, unsigned scalars,
                                    uint64_t t) {
    f->writes_left -= (uint16_t)lines;
    if (UNIT_GENERAL) f->scalar_writes_left -= (uint8_t)scalars;
    if (!unit_is_written(f)) return;
    u->cluster->tpm_wait[CLUSTER_TPM_WAIT_RESULTS] += t - f->result - 1;
    if (unit_recorder(u) && t > f->result + 1)
        unit_record_stall(u, RECORD_STAGE_TPM, f, f->result < f->last ? f->last : f->result + 1, t);
    f->result = t;
}

/* --- commit --- */

UNIT_SERVICE void unit_end_commit(struct unit *u, struct unit_flight *f, uint64_t stay,
                                  enum machine_cause cause, uint64_t t) {
    u->committed = t;
    if (UNIT_GENERAL && SLOTS(u)->mitigation->second) warp_set_remove(&u->flying, f->number);
    tdt_commit(&u->cluster->descriptors.warp[f->warp], stay);
    SLOTS(u)->issue->release(u, f->warp, t + 1, cause, f->pc);
    unit_drop(u, f);
}

/* Removes flight n of landing[], which the last one replaces, and commits it. */
UNIT_SERVICE void unit_commit(struct unit *u, unsigned n, uint64_t t) {
    struct unit_flight *f = &u->flight[u->landing[n]];
    --u->landing_count;
    u->landing[n] = u->landing[u->landing_count];
    u->landing_due[n] = u->landing_due[u->landing_count];
    if (unit_recorder(u)) unit_record_commit(u, f, t);
    if (unit_has_ports(u)) warp_set_add(&u->cluster->descriptors.in.commit, f->warp);
    if (UNIT_GENERAL && unit_form(u, f) == UNIFORM_COPY) { /* its threads stay at the same PC */
        warp_set_remove(&u->copying, f->warp);
        unit_end_commit(u, f, f->participating, MACHINE_CAUSE_LATENCY, t);
        return;
    }
    const bool memory = f->i->is_load || f->i->is_store;
    if (unit_is_uniform(u) && u->uniform[f - u->flight].inserts) unit_uniform_committed(u, f);
    if (UNIT_GENERAL && u->regrouped) { /* the threads have several warps */
        unit_written_regrouped(u, f, t);
        u->committed = t;
        unit_drop(u, f);
        return;
    }
    const uint64_t stay = SLOTS(u)->divergence->commit(u, f, t);
    unit_end_commit(u, f, stay, memory ? MACHINE_CAUSE_MEMORY : MACHINE_CAUSE_LATENCY, t);
}

/* --- barriers --- */

static void release(void *u, unsigned warp, uint64_t since, enum machine_cause cause, uint32_t pc) {
    SLOTS((struct unit *)u)->issue->release(u, warp, since, cause, pc);
}

static __attribute__((noinline)) void release_barrier(struct unit *u, uint64_t t) {
    if (unit_has_ports(u)) u->cluster->descriptors.in.release = true;
    cluster_release_barrier(u->cluster, release, u, t + 1);
    if (SLOTS(u)->divergence->release) SLOTS(u)->divergence->release(u, 0);
}

UNIT_SERVICE uint64_t unit_step_barriers(struct unit *u, uint64_t t) {
    struct cluster *c = u->cluster;
    struct barrier_table *b = &c->barriers;
    barrier_table_eval(b);
    unit_run_twin(u, CLUSTER_BLOCK_BARRIERS, t);
    if (b->out.release) release_barrier(u, t);
    if (b->out.opens) c->barrier_release = t + 1;
    barrier_table_clock(b);
    u->barriers_next = barrier_table_active(b) ? t + 1 : c->barrier_release;
    return unit_wake_front(u, u->barriers_next, t);
}
