/* The end of a flight: it lands when its rounds have started, and commits when its results are written;
 * barriers. */
#include "model/unit/services.h"

#include "sim/error.h"

/* --- landing --- */

/* First cycle in which W or C has something to do for a flight that has landed. */
static inline uint64_t due_of(const struct unit_flight *f) {
    return f->result == UNIT_NEVER ? UNIT_NEVER : f->result + !unit_is_written(f);
}

static inline unsigned lines_to_write(const struct unit *u, const struct unit_flight *f) {
    if (unit_is_uniform(u)) return u->uniform[f - u->flight].write_lines;
    return f->passed ? arm_rows_of(f->i->destinations) * u->cluster->vtpo_lines : 0;
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
    later(&u->landing_due[n], t + !unit_is_written(f)); /* W of cycle t was before */
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
    f->next = u->free;
    u->free = (uint16_t)(f - u->flight);
}

/* The flight leaves those that have landed; the last of the others takes its place. */
UNIT_SERVICE void unit_commit(struct unit *u, unsigned n, uint64_t t) {
    struct unit_flight *f = &u->flight[u->landing[n]];
    --u->landing_count;
    u->landing[n] = u->landing[u->landing_count];
    u->landing_due[n] = u->landing_due[u->landing_count];
    if (unit_recorder(u)) unit_record_commit(u, f, t);
    if (unit_has_ports(u)) warp_set_add(&u->cluster->descriptors.in.commit, f->warp);
    if (UNIT_GENERAL && unit_form(u, f) == UNIFORM_COPY) { /* its threads are where they were */
        unit_end_commit(u, f, f->participating, MACHINE_CAUSE_LATENCY, t);
        return;
    }
    const bool memory = f->i->is_load || f->i->is_store;
    if (unit_is_uniform(u) && u->uniform[f - u->flight].inserts) unit_uniform_committed(u, f);
    unit_end_commit(u, f, SLOTS(u)->divergence->commit(u, f, t),
                    memory ? MACHINE_CAUSE_MEMORY : MACHINE_CAUSE_LATENCY, t);
}

/* --- barriers and exits --- */

static void check_levels(struct cluster *c, const struct unit_flight *f) {
    for (uint64_t rest = f->passed; rest; rest &= rest - 1) {
        const unsigned position = (unsigned)__builtin_ctzll(rest);
        const unsigned level = c->descriptors.warp[f->warp].level[position];
        if (level == 0) continue;
        cluster_diagnose(c, (int)f->warp, position, f->pc, "ends at priority level %u, not at the outermost",
                         level);
        return;
    }
}

/* Barriers and exits are of one instruction class, take the same time, and so never commit in one cycle. */
UNIT_SERVICE __attribute__((noinline)) void unit_leave(struct unit *u, const struct unit_flight *f,
                                                       bool barrier) {
    struct cluster *c = u->cluster;
    struct warp_descriptors *w = &c->descriptors.warp[f->warp];
    const unsigned count = (unsigned)__builtin_popcountll(f->passed);
    struct barrier_table_in *table = &c->barriers.in;
    invariant(!table->arrive_count && !table->exit_count, "two warps reach barriers or exits in one cycle");
    u->leaves = true;
    u->barriers_next = 0;
    c->left_warp = (int)f->warp;
    u->left_pc = f->pc;
    if (unit_recorder(u)) unit_record_leave(u, f, barrier);
    if (barrier) {
        tdt_wait(w, f->passed);
        for (uint64_t rest = f->passed; rest; rest &= rest - 1) w->barrier_pc[__builtin_ctzll(rest)] = f->pc;
        table->arrive_count = c->descriptors.out.arrive_count = count;
        table->arrive_pc = c->descriptors.out.arrive_pc = f->pc;
        return;
    }
    if (c->check_levels) check_levels(c, f);
    tdt_exit(w, f->passed);
    c->live -= count;
    table->exit_count = c->descriptors.out.exit_count = count;
    if (unit_is_uniform(u) && !tdt_live(w)) uniform_released(&c->uniform, f->warp);
}

static __attribute__((noinline)) void release_barrier(struct unit *u, uint64_t t) {
    struct cluster *c = u->cluster;
    c->barrier_release = UNIT_NEVER;
    if (unit_has_ports(u)) c->descriptors.in.release = true;
    bool checked = !c->checks;
    for (unsigned w = 0; w < c->warps; ++w) {
        struct warp_descriptors *d = &c->descriptors.warp[w];
        if (!d->barrier) continue;
        const uint32_t pc = d->barrier_pc[__builtin_ctzll(d->barrier)];
        if (!checked) checks_barrier(c->checks, c->index, pc);
        checked = true;
        if (c->barriers.out.exited) cluster_note_short_barrier(c, pc);
        if (unit_recorder(u)) recorder_event(c->recorder, RECORD_RELEASE, t + 1, w, d->barrier, pc);
        tdt_release(d, d->barrier);
        SLOTS(u)->issue->release(u, w, t + 1, MACHINE_CAUSE_BARRIER, pc);
    }
}

UNIT_SERVICE uint64_t unit_step_barriers(struct unit *u, uint64_t t) {
    struct cluster *c = u->cluster;
    struct barrier_table *b = &c->barriers;
    u->leaves = false;
    barrier_table_eval(b);
    unit_run_twin(u, CLUSTER_BLOCK_BARRIERS, t);
    if (b->out.release) release_barrier(u, t);
    if (b->out.opens) c->barrier_release = t + 1;
    barrier_table_clock(b);
    u->barriers_next = barrier_table_active(b) ? t + 1 : c->barrier_release;
    return unit_wake_front(u, u->barriers_next, t);
}
