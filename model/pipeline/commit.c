/* The end of the SIMT pipeline: results are written back (W), instructions commit (C), barriers open. */
#include "model/pipeline/pipeline.h"
#include "model/arm/coprocessor.h"

#include "model/control/thread_vector.h"

#include "sim/error.h"

/* --- C: commit --- */

/* Have some threads the same word of a row? */
static __attribute__((noinline)) bool same_words(const uint32_t *row, uint64_t threads, unsigned warp_size) {
    const uint32_t first = threads ? row[__builtin_ctzll(threads)] : 0;
    uint64_t same = 0;
    unsigned k = 0;
    for (; k + THREAD_VECTOR <= warp_size; k += THREAD_VECTOR)
        same |= (uint64_t)thread_vector_equal(row + k, first) << k;
    for (; k < warp_size; ++k) same |= (uint64_t)(row[k] == first) << k;
    return !(threads & ~same);
}

static void step_pcs(struct cluster *c, unsigned warp, const struct flight *f) {
    uint32_t *pc = c->descriptors.warp[warp].pc;
    const uint32_t *next = c->threads[warp].next_pc;
    const unsigned warp_size = c->descriptors.warp_size;
    const uint64_t jump = f->i->writes_pc ? f->execution.passed : 0, step = f->participating & ~jump;
    unsigned k = 0;
    if (step == c->descriptors.all) {
        for (; k < warp_size; ++k) pc[k] += 4;
        return;
    }
    for (; k + THREAD_VECTOR <= warp_size; k += THREAD_VECTOR)
        thread_vector_choose(pc + k, (uint32_t)(jump >> k), next + k, (uint32_t)(step >> k), f->pc + 4,
                             pc + k);
    for (; k < warp_size; ++k) pc[k] = jump >> k & 1 ? next[k] : step >> k & 1 ? f->pc + 4 : pc[k];
}

/* Threads that were together part, or jump to several PCs. */
static __attribute__((noinline)) void part(struct cluster *c, unsigned warp, const struct flight *f) {
    tdt_settle(&c->descriptors, warp);
    step_pcs(c, warp, f);
}

/* The same of the base machine, where the threads of a flight are together. */
static inline void step_together(struct cluster *c, unsigned warp, const struct flight *f) {
    const uint32_t *next = c->threads[warp].next_pc;
    const uint64_t jump = f->i->writes_pc ? f->execution.passed : 0;
    invariant(c->descriptors.warp[warp].together == f->participating, "a flight's threads are not together");
    if (__builtin_expect(!jump, 1)) {
        c->descriptors.warp[warp].together_pc = f->pc + 4;
    } else if (jump == f->participating && same_words(next, jump, c->descriptors.warp_size)) {
        tdt_gather(&c->descriptors, warp, jump, next[__builtin_ctzll(jump)]);
    } else {
        part(c, warp, f);
    }
}

static void change_priority(struct cluster *c, unsigned warp, const struct flight *f,
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

static void check_levels(struct cluster *c, unsigned warp, const struct flight *f) {
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
static void leave(struct path *p, unsigned warp, const struct flight *f, bool barrier) {
    struct cluster *c = p->cluster;
    struct warp_descriptors *w = &c->descriptors.warp[warp];
    const uint64_t threads = f->execution.passed;
    const unsigned count = (unsigned)__builtin_popcountll(threads);
    struct barrier_table_in *table = &c->barriers.in;
    c->left_warp = (int)warp;
    p->leaves = true;
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
        if (path_uniform(p) && !tdt_live(w)) uniform_released(&c->uniform, warp);
    }
}

static inline uint64_t commit_threads(struct path *p, const struct flight *f) {
    struct cluster *c = p->cluster;
    if (PATH_IS_BASE)
        step_together(c, f->warp, f);
    else
        step_pcs(c, f->warp, f);
    if (__builtin_expect(!f->i->is_coprocessor, 1)) return f->participating;
    const struct coprocessor_decoded op = coprocessor_decode(f->i);
    if (op.operation == COPROCESSOR_BARRIER || op.operation == COPROCESSOR_EXIT) {
        leave(p, f->warp, f, op.operation == COPROCESSOR_BARRIER);
        return f->participating & ~f->execution.passed;
    }
    if (op.operation >= COPROCESSOR_RAISE && op.operation <= COPROCESSOR_OUTERMOST)
        change_priority(c, f->warp, f, op);
    return f->participating;
}

uint64_t path_commit_threads(struct path *p, const struct flight *f) {
    return commit_threads(p, f);
}

/* At the end of cycle t the instruction of a warp has left the machine: PCs, priorities and states change. */
static void commit(struct path *p, unsigned number, uint64_t t) {
    struct cluster *c = p->cluster;
    struct flight *f = &p->flight[number];
    const unsigned warp = f->warp;
    struct warp_descriptors *w = &c->descriptors.warp[warp];
    p->committed = t;
    path_remove(&p->flying, number);
    if (!PATH_IS_BASE) warp_set_add(&c->descriptors.in.commit, warp);
    if (path_is_copy(f)) {
        tdt_commit(w, f->participating);
        path_update_ready(p, warp, t + 1, MACHINE_CAUSE_LATENCY, f->pc);
        return;
    }
    if (path_uniform(p) && f->uniform.inserts) cluster_uniform_committed(c, warp);
    const bool all = f->participating == tdt_live(w), straight = !f->i->writes_pc || !f->execution.passed;
    tdt_commit(w, commit_threads(p, f));
    if (!PATH_IS_BASE && !(w->one_pc && all && straight))
        w->one_pc = same_words(w->pc, tdt_live(w), c->descriptors.warp_size);
    path_update_ready(p, warp, t + 1,
                      f->i->is_load || f->i->is_store ? MACHINE_CAUSE_MEMORY : MACHINE_CAUSE_LATENCY, f->pc);
}

void path_end_commit(struct path *p, unsigned number, uint64_t stay, bool memory, uint64_t t) {
    struct cluster *c = p->cluster;
    const struct flight *f = &p->flight[number];
    struct warp_descriptors *w = &c->descriptors.warp[f->warp];
    p->committed = t;
    warp_set_remove(&p->flying, number);
    tdt_commit(w, stay);
    w->one_pc = same_words(w->pc, tdt_live(w), c->descriptors.warp_size);
    path_update_ready(p, f->warp, t + 1, memory ? MACHINE_CAUSE_MEMORY : MACHINE_CAUSE_LATENCY, f->pc);
}

static void release_barrier(struct path *p, uint64_t t) {
    struct cluster *c = p->cluster;
    c->barrier_release = FLIGHT_NEVER;
    c->descriptors.in.release = true;
    for (unsigned w = 0; w < c->warps; ++w) {
        struct warp_descriptors *d = &c->descriptors.warp[w];
        if (!d->barrier) continue;
        const uint32_t pc = d->barrier_pc[__builtin_ctzll(d->barrier)];
        if (c->barriers.out.exited) cluster_note_short_barrier(c, pc);
        tdt_release(d, d->barrier);
        path_update_ready(p, w, t + 1, MACHINE_CAUSE_BARRIER, pc);
    }
}

/* The commits of cycle t have been counted. */
void path_step_barriers(struct path *p, uint64_t t) {
    struct cluster *c = p->cluster;
    struct barrier_table *b = &c->barriers;
    p->leaves = false;
    barrier_table_eval(b);
    path_run_twin(p, CLUSTER_BLOCK_BARRIERS, t);
    if (b->out.release) release_barrier(p, t);
    if (b->out.opens) c->barrier_release = t + 1;
    barrier_table_clock(b);
}

/* --- W: writing back, one port a line and one for scalar registers, the oldest instruction first --- */

static unsigned *left_of(struct flight *f, bool scalar) {
    return scalar ? &f->scalar_writes_left : &f->writes_left;
}

/* The oldest flight whose result is to be written in cycle t; *several: there are more. */
static struct flight *oldest_to_write(struct path *p, bool scalar, uint64_t t, bool *several) {
    struct flight *best = NULL;
    *several = false;
    for (unsigned n = 0; n < p->landing_count; ++n) {
        struct flight *f = &p->flight[p->landing[n]];
        if (p->landing_due[n] > t || f->result >= t || !*left_of(f, scalar)) continue;
        *several |= best != NULL;
        if (!best || f->s < best->s) best = f;
    }
    return best;
}

void path_write_result(struct path *p, struct flight *f, unsigned *left, unsigned count, uint64_t t) {
    *left -= count;
    if (!flight_is_written(f)) return;
    p->cluster->tpm_wait[CLUSTER_TPM_WAIT_RESULTS] += t - f->result - 1;
    f->result = t;
}

/* Returns the ports that are left. */
static unsigned write_through(struct path *p, unsigned ports, bool scalar, uint64_t t) {
    struct flight *f;
    bool several = true;
    while (ports && several && (f = oldest_to_write(p, scalar, t, &several)) != NULL) {
        unsigned *left = left_of(f, scalar);
        const unsigned lines = *left < ports ? *left : ports;
        path_write_result(p, f, left, lines, t);
        ports -= lines;
    }
    return ports;
}

void path_write_back(struct path *p, uint64_t t) {
    const unsigned ports = p->cluster->config->tpm.write_ports;
    p->write_ports.cycle = t;
    p->write_ports.taken = ports - write_through(p, ports, false, t);
    if (path_uniform(p)) write_through(p, 1, true, t);
}

/* It leaves those that have landed; the last of the others takes its place. */
void path_commit(struct path *p, unsigned n, uint64_t t) {
    const unsigned warp = p->landing[n];
    --p->landing_count;
    p->landing[n] = p->landing[p->landing_count];
    p->landing_due[n] = p->landing_due[p->landing_count];
    commit(p, warp, t);
}

void path_commit_landed(struct path *p, uint64_t t) {
    p->landed = FLIGHT_NEVER;
    for (unsigned n = 0; n < p->landing_count;) {
        if (p->landing_due[n] <= t && flight_is_written(&p->flight[p->landing[n]]))
            path_commit(p, n, t);
        else
            earlier(&p->landed, p->landing_due[n++]);
    }
}

bool path_commit_one(struct path *p, uint64_t t) {
    unsigned due = 0, one = 0;
    uint64_t next = FLIGHT_NEVER;
    for (unsigned n = 0; n < p->landing_count; ++n) {
        const bool now = p->landing_due[n] <= t;
        due += now;
        one = now ? n : one;
        earlier(&next, now ? FLIGHT_NEVER : p->landing_due[n]);
    }
    if (due != 1) return false;
    const unsigned ports = p->cluster->config->tpm.write_ports;
    struct flight *f = &p->flight[p->landing[one]];
    if (f->writes_left > ports) return false;
    if (f->writes_left) path_write_result(p, f, &f->writes_left, f->writes_left, t);
    p->landed = next;
    path_commit(p, one, t);
    return true;
}

/* All rounds have started; of uniform instructions it is known what is written where. */
void path_land(struct path *p, unsigned warp, uint64_t result) {
    const struct cluster *c = p->cluster;
    struct flight *f = &p->flight[warp];
    f->result = result;
    f->writes_left = path_uniform(p) ? f->uniform.write_lines
                     : f->execution.passed
                         ? (unsigned)__builtin_popcountll(f->i->destinations) * c->vtpo_lines
                         : 0;
    f->scalar_writes_left = path_uniform(p) ? f->uniform.scalar_writes : 0;
    const uint64_t due = flight_due(f);
    p->landing[p->landing_count] = warp;
    p->landing_due[p->landing_count++] = due;
    earlier(&p->landed, due);
}

void path_landed_until(struct path *p, unsigned warp, uint64_t t) {
    const struct flight *f = &p->flight[warp];
    unsigned n = 0;
    while (p->landing[n] != warp) ++n;
    p->landing_due[n] = flight_due(f);
    later(&p->landing_due[n], t + !flight_is_written(f)); /* W of cycle t was before */
    earlier(&p->landed, p->landing_due[n]);
}
