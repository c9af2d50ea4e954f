/* The end of the SIMT pipeline: results are written back (W), instructions commit (C), barriers open. */
#include "model/cluster/cluster_simt.h"
#include "model/arm/coprocessor.h"

#include "sim/error.h"

/* --- C: commit --- */

static void step_pcs(struct cluster *c, unsigned warp, const struct warp_flight *f) {
    uint32_t *restrict pc = c->descriptors.warp[warp].pc;
    const uint32_t *restrict next = c->next_pc[warp];
    const unsigned warp_size = c->descriptors.warp_size;
    const uint64_t jump = f->i->writes_pc ? f->execution.passed : 0, step = f->participating & ~jump;
    if (step == c->descriptors.all)
        for (unsigned k = 0; k < warp_size; ++k) pc[k] += 4;
    else
        for (unsigned k = 0; k < warp_size; ++k)
            pc[k] = jump >> k & 1 ? next[k] : pc[k] + (uint32_t)((step >> k & 1) << 2);
}

static bool same_pc(const struct warp_descriptors *w, uint64_t threads, unsigned warp_size) {
    const uint32_t first = threads ? w->pc[__builtin_ctzll(threads)] : 0;
    uint32_t different = 0;
    for (unsigned k = 0; k < warp_size; ++k) different |= (w->pc[k] ^ first) & -(uint32_t)(threads >> k & 1);
    return !different;
}

static void change_priority(struct cluster *c, unsigned warp, const struct warp_flight *f,
                            struct coprocessor_decoded op) {
    const enum priority_operation p = op.operation == COPROCESSOR_RAISE   ? PRIORITY_RAISE
                                      : op.operation == COPROCESSOR_LOWER ? PRIORITY_LOWER
                                                                          : PRIORITY_OUTERMOST;
    unsigned position;
    if (tdt_priority(&c->descriptors, warp, f->execution.passed, p, op.index, &position)) return;
    c->descriptors.out.overflow = true;
    cluster_diagnose(c, (int)warp, position, f->pc,
                     p == PRIORITY_RAISE ? "raises its priority above level 255"
                                         : "lowers its priority below the outermost level");
}

static void check_levels(struct cluster *c, unsigned warp, const struct warp_flight *f) {
    for (uint64_t rest = f->execution.passed; rest; rest &= rest - 1) {
        const unsigned position = (unsigned)__builtin_ctzll(rest);
        const unsigned level = c->descriptors.warp[warp].level[position];
        if (level == 0) continue;
        cluster_diagnose(c, (int)warp, position, f->pc, "ends at priority level %u, not at the outermost",
                         level);
        return;
    }
}

/* Threads of `passed` that stop here: at a barrier or for good. Both are of one instruction class, take the
 * same time and so never commit in one cycle with another. */
static void leave(struct cluster *c, unsigned warp, const struct warp_flight *f, bool barrier) {
    struct warp_descriptors *w = &c->descriptors.warp[warp];
    const uint64_t threads = f->execution.passed;
    const unsigned count = (unsigned)__builtin_popcountll(threads);
    struct barrier_table_in *table = &c->barriers.in;
    c->left_warp = (int)warp;
    invariant(!table->arrive_count && !table->exit_count, "two warps reach barriers or exits in one cycle");
    if (barrier) {
        tdt_wait(w, threads);
        for (uint64_t rest = threads; rest; rest &= rest - 1) w->barrier_pc[__builtin_ctzll(rest)] = f->pc;
        table->arrive_count = c->descriptors.out.arrive_count = count;
        table->arrive_pc = c->descriptors.out.arrive_pc = f->pc;
    } else {
        if (c->check_levels) check_levels(c, warp, f);
        tdt_exit(w, threads);
        c->live -= count;
        table->exit_count = c->descriptors.out.exit_count = count;
        if (c->uniform.on && !tdt_live(w)) uniform_released(&c->uniform, warp);
    }
}

/* At the end of cycle t the instruction of a warp has left the machine: PCs, priorities and states change. */
static void commit(struct cluster *c, unsigned warp, uint64_t t) {
    struct warp_flight *f = &c->flight[warp];
    struct warp_descriptors *w = &c->descriptors.warp[warp];
    c->committed = t;
    c->descriptors.in.commit |= warp_bit(warp);
    if (f->uniform.form == UNIFORM_COPY) {
        tdt_commit(w, f->participating);
        cluster_update_ready(c, warp, t + 1, MACHINE_CAUSE_LATENCY, f->pc);
        return;
    }
    if (f->uniform.inserts) cluster_uniform_committed(c, warp);
    const struct coprocessor_decoded op = f->i->is_coprocessor
                                              ? coprocessor_decode(f->i)
                                              : (struct coprocessor_decoded){COPROCESSOR_UNDEFINED, 0};
    const bool all = f->participating == tdt_live(w), straight = !f->i->writes_pc || !f->execution.passed;
    step_pcs(c, warp, f);
    uint64_t stay = f->participating;
    if (op.operation == COPROCESSOR_BARRIER || op.operation == COPROCESSOR_EXIT) {
        leave(c, warp, f, op.operation == COPROCESSOR_BARRIER);
        stay &= ~f->execution.passed;
    } else if (op.operation >= COPROCESSOR_RAISE && op.operation <= COPROCESSOR_OUTERMOST) {
        change_priority(c, warp, f, op);
    }
    tdt_commit(w, stay);
    if (!(w->one_pc && all && straight)) w->one_pc = same_pc(w, tdt_live(w), c->descriptors.warp_size);
    cluster_update_ready(c, warp, t + 1,
                         f->i->is_load || f->i->is_store ? MACHINE_CAUSE_MEMORY : MACHINE_CAUSE_LATENCY,
                         f->pc);
}

static void release_barrier(struct cluster *c, uint64_t t) {
    c->barrier_release = CLUSTER_NEVER;
    c->descriptors.in.release = true;
    for (unsigned w = 0; w < c->warps; ++w) {
        struct warp_descriptors *d = &c->descriptors.warp[w];
        if (!d->barrier) continue;
        const uint32_t pc = d->barrier_pc[__builtin_ctzll(d->barrier)];
        if (c->barriers.out.exited) cluster_note_short_barrier(c, pc);
        tdt_release(d, d->barrier);
        cluster_update_ready(c, w, t + 1, MACHINE_CAUSE_BARRIER, pc);
    }
}

/* The commits of cycle t have been counted. */
bool cluster_step_barriers(struct cluster *c, uint64_t t) {
    struct barrier_table *b = &c->barriers;
    const bool active = barrier_table_active(b);
    barrier_table_eval(b);
    cluster_run_twin(c, CLUSTER_BLOCK_BARRIERS, t);
    if (b->out.release) release_barrier(c, t);
    if (b->out.opens) c->barrier_release = t + 1;
    barrier_table_clock(b);
    return active;
}

/* --- W: write back, one port for each line, one for scalar registers; the oldest instruction goes first ---
 */

static bool commits_at(const struct warp_flight *f, uint64_t t) {
    return warp_flight_is_written(f) && f->result <= t;
}

static unsigned *left_of(struct warp_flight *f, bool scalar) {
    return scalar ? &f->scalar_writes_left : &f->writes_left;
}

static struct warp_flight *oldest_to_write(struct cluster *c, bool scalar, uint64_t t) {
    struct warp_flight *best = NULL;
    for (unsigned n = 0; n < c->landing_count; ++n) {
        struct warp_flight *f = &c->flight[c->landing[n]];
        if (*left_of(f, scalar) && f->result < t && (!best || f->s < best->s)) best = f;
    }
    return best;
}

/* Returns the ports that are left. */
static unsigned write_through(struct cluster *c, unsigned ports, bool scalar, uint64_t t) {
    struct warp_flight *f;
    while (ports && (f = oldest_to_write(c, scalar, t)) != NULL) {
        unsigned *left = left_of(f, scalar);
        const unsigned lines = *left < ports ? *left : ports;
        *left -= lines;
        ports -= lines;
        if (!warp_flight_is_written(f)) continue;
        c->tpm_wait[CLUSTER_TPM_WAIT_RESULTS] += t - f->result - 1;
        f->result = t;
    }
    return ports;
}

bool cluster_write_back(struct cluster *c, uint64_t t) {
    const unsigned ports = c->config->tpm.write_ports;
    c->write_ports.cycle = t;
    c->write_ports.taken = ports - write_through(c, ports, false, t);
    const bool scalar = c->uniform.on && !write_through(c, 1, true, t);
    return c->write_ports.taken || scalar;
}

bool cluster_commit_landed(struct cluster *c, uint64_t t) {
    bool moved = false;
    c->landed = CLUSTER_NEVER;
    for (unsigned n = 0; n < c->landing_count;) {
        const unsigned warp = c->landing[n];
        if (!commits_at(&c->flight[warp], t)) {
            if (c->flight[warp].result < c->landed) c->landed = c->flight[warp].result;
            ++n;
            continue;
        }
        c->landing[n] = c->landing[--c->landing_count];
        commit(c, warp, t);
        moved = true;
    }
    return moved;
}

/* All rounds have started; of uniform instructions it is known what is written where. */
void cluster_land(struct cluster *c, unsigned warp, uint64_t result) {
    struct warp_flight *f = &c->flight[warp];
    f->result = result;
    f->writes_left = f->scalar_writes_left = 0;
    if (c->uniform.on) {
        f->writes_left = f->uniform.write_lines;
        f->scalar_writes_left = f->uniform.scalar_writes;
    } else if (f->execution.passed) {
        f->writes_left = (unsigned)__builtin_popcountll(f->i->destinations) * c->vtpo_lines;
    }
    c->landing[c->landing_count++] = warp;
    if (result < c->landed) c->landed = result;
}
