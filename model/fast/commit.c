/* The end of the SIMT pipeline: results are written back (W), instructions commit (C), barriers open. */
#include "model/fast/parts.h"
#include "model/arm/coprocessor.h"

#include "model/control/thread_vector.h"

#include "sim/error.h"

/* --- C: commit --- */

static void step_pcs(struct cluster *c, unsigned warp, const struct fast_flight *f) {
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

/* Records the flight, which commits in cycle t. Not inlined: the caller keeps its registers. */
static __attribute__((noinline)) void record(struct cluster *c, const struct fast_flight *f, uint64_t t) {
    struct record *r = recorder_add(c->recorder);
    r->cycle = f->s;
    r->threads = f->participating;
    r->passed = f->execution.passed;
    r->pc = f->pc;
    r->place = (uint16_t)f->warp;
    r->kind = RECORD_FLIGHT;
    r->form = UNIFORM_VECTOR;
    r->flags = f->i && (f->i->is_load || f->i->is_store) ? RECORD_ACCESSES : 0;
    r->after[RECORD_F] = (uint32_t)(f->f - f->s);
    r->after[RECORD_FETCHED] = (uint32_t)(f->fetched - f->s);
    r->after[RECORD_LEFT] = (uint32_t)(f->left - f->s);
    r->after[RECORD_O] = (uint32_t)(f->o - f->s);
    r->after[RECORD_COLLECTED] = (uint32_t)(f->collected - f->s);
    r->after[RECORD_X] = (uint32_t)(f->x - f->s);
    r->after[RECORD_LAST] = (uint32_t)(f->last - f->s);
    r->after[RECORD_RESULT] = (uint32_t)(f->result - f->s);
    r->after[RECORD_COMMIT] = (uint32_t)(t - f->s);
}

/* Records an event of threads of a warp, which its registers show after the cycle that is stepped. */
static void record_threads(const struct fast *p, enum record_kind kind, unsigned warp, uint64_t threads,
                           uint32_t pc) {
    if (fast_recorder(p)) recorder_event(fast_recorder(p), kind, p->cluster->asks + 1, warp, threads, pc);
}

/* Threads that were together part, or jump to several PCs. */
static __attribute__((noinline)) void part(struct cluster *c, unsigned warp, const struct fast_flight *f) {
    tdt_settle(&c->descriptors, warp);
    step_pcs(c, warp, f);
}

/* The same of the base machine, where the threads of a flight are together. */
static inline void step_together(struct cluster *c, unsigned warp, const struct fast_flight *f) {
    const uint32_t *next = c->threads[warp].next_pc;
    const uint64_t jump = f->i->writes_pc ? f->execution.passed : 0;
    invariant(c->descriptors.warp[warp].together == f->participating, "a flight's threads are not together");
    if (__builtin_expect(!jump, 1)) {
        c->descriptors.warp[warp].together_pc = f->pc + 4;
    } else if (jump == f->participating && thread_vector_same(next, jump, c->descriptors.warp_size)) {
        tdt_gather(&c->descriptors, warp, jump, next[__builtin_ctzll(jump)]);
    } else {
        part(c, warp, f);
    }
}

static void change_priority(struct cluster *c, unsigned warp, const struct fast_flight *f,
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

static void check_levels(struct cluster *c, unsigned warp, const struct fast_flight *f) {
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
static void leave(struct fast *p, unsigned warp, const struct fast_flight *f, bool barrier) {
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
        record_threads(p, RECORD_ARRIVE, warp, threads, f->pc);
        for (uint64_t rest = threads; rest; rest &= rest - 1) w->barrier_pc[__builtin_ctzll(rest)] = f->pc;
        table->arrive_count = c->descriptors.out.arrive_count = count;
        table->arrive_pc = c->descriptors.out.arrive_pc = f->pc;
    } else {
        if (c->check_levels) check_levels(c, warp, f);
        tdt_exit(w, threads);
        record_threads(p, RECORD_EXIT, warp, threads, f->pc);
        c->live -= count;
        table->exit_count = c->descriptors.out.exit_count = count;
    }
}

static inline uint64_t commit_threads(struct fast *p, const struct fast_flight *f) {
    struct cluster *c = p->cluster;
    step_together(c, f->warp, f);
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

/* At the end of cycle t the instruction of a warp has left the machine: PCs, priorities and states change. */
static void commit(struct fast *p, unsigned number, uint64_t t) {
    struct cluster *c = p->cluster;
    struct fast_flight *f = &p->flight[number];
    const unsigned warp = f->warp;
    struct warp_descriptors *w = &c->descriptors.warp[warp];
    p->committed = t;
    if (fast_recorder(p)) record(c, f, t);
    tdt_commit(w, commit_threads(p, f));
    fast_update_ready(p, warp, t + 1,
                      f->i->is_load || f->i->is_store ? MACHINE_CAUSE_MEMORY : MACHINE_CAUSE_LATENCY, f->pc);
}

static void release_barrier(struct fast *p, uint64_t t) {
    struct cluster *c = p->cluster;
    c->barrier_release = FAST_NEVER;
    bool checked = !fast_watched(p) || !c->checks;
    for (unsigned w = 0; w < c->warps; ++w) {
        struct warp_descriptors *d = &c->descriptors.warp[w];
        if (!d->barrier) continue;
        const uint32_t pc = d->barrier_pc[__builtin_ctzll(d->barrier)];
        if (!checked) checks_barrier(c->checks, c->index, pc);
        checked = true;
        if (c->barriers.out.exited) cluster_note_short_barrier(c, pc);
        if (fast_recorder(p)) recorder_event(c->recorder, RECORD_RELEASE, t + 1, w, d->barrier, pc);
        tdt_release(d, d->barrier);
        fast_update_ready(p, w, t + 1, MACHINE_CAUSE_BARRIER, pc);
    }
}

/* The commits of cycle t have been counted. */
void fast_step_barriers(struct fast *p, uint64_t t) {
    struct cluster *c = p->cluster;
    struct barrier_table *b = &c->barriers;
    p->leaves = false;
    barrier_table_eval(b);
    if (b->out.release) release_barrier(p, t);
    if (b->out.opens) c->barrier_release = t + 1;
    barrier_table_clock(b);
}

/* --- W: writing back, one port a line, the oldest instruction first --- */

/* The oldest flight whose result is to be written in cycle t; *several: there are more. */
static struct fast_flight *oldest_to_write(struct fast *p, uint64_t t, bool *several) {
    struct fast_flight *best = NULL;
    *several = false;
    for (unsigned n = 0; n < p->landing_count; ++n) {
        struct fast_flight *f = &p->flight[p->landing[n]];
        if (p->landing_due[n] > t || f->result >= t || !f->writes_left) continue;
        *several |= best != NULL;
        if (!best || f->s < best->s) best = f;
    }
    return best;
}

/* Records that a result, of a flight that has left X, has waited for a port until cycle t. */
static __attribute__((noinline)) void record_wait(struct cluster *c, const struct fast_flight *f,
                                                  uint64_t t) {
    const uint64_t first = f->result < f->last ? f->last : f->result + 1;
    if (first < t) recorder_stall(c->recorder, RECORD_STAGE_TPM, first, t - first, f->warp);
}

static inline void write_result(struct fast *p, struct fast_flight *f, unsigned lines, uint64_t t) {
    f->writes_left -= lines;
    if (!fast_flight_is_written(f)) return;
    const uint64_t waited = t - f->result - 1;
    p->cluster->tpm_wait[CLUSTER_TPM_WAIT_RESULTS] += waited;
    if (__builtin_expect(waited, 0) && fast_recorder(p)) record_wait(p->cluster, f, t);
    f->result = t;
}

/* Returns the ports that are left. */
static unsigned write_through(struct fast *p, unsigned ports, uint64_t t) {
    struct fast_flight *f;
    bool several = true;
    while (ports && several && (f = oldest_to_write(p, t, &several)) != NULL) {
        const unsigned lines = f->writes_left < ports ? f->writes_left : ports;
        write_result(p, f, lines, t);
        ports -= lines;
    }
    return ports;
}

void fast_write_back(struct fast *p, uint64_t t) {
    const unsigned ports = p->cluster->config->tpm.write_ports;
    p->write_ports.cycle = t;
    p->write_ports.taken = ports - write_through(p, ports, t);
}

/* It leaves those that have landed; the last of the others takes its place. */
static inline void commit_landed(struct fast *p, unsigned n, uint64_t t) {
    const unsigned warp = p->landing[n];
    --p->landing_count;
    p->landing[n] = p->landing[p->landing_count];
    p->landing_due[n] = p->landing_due[p->landing_count];
    commit(p, warp, t);
}

void fast_commit_landed(struct fast *p, uint64_t t) {
    p->landed = FAST_NEVER;
    for (unsigned n = 0; n < p->landing_count;) {
        if (p->landing_due[n] <= t && fast_flight_is_written(&p->flight[p->landing[n]]))
            commit_landed(p, n, t);
        else
            earlier(&p->landed, p->landing_due[n++]);
    }
}

bool fast_commit_one(struct fast *p, uint64_t t) {
    unsigned due = 0, one = 0;
    uint64_t next = FAST_NEVER;
    for (unsigned n = 0; n < p->landing_count; ++n) {
        const bool now = p->landing_due[n] <= t;
        due += now;
        one = now ? n : one;
        earlier(&next, now ? FAST_NEVER : p->landing_due[n]);
    }
    if (due != 1) return false;
    const unsigned ports = p->cluster->config->tpm.write_ports;
    struct fast_flight *f = &p->flight[p->landing[one]];
    if (f->writes_left > ports) return false;
    if (f->writes_left) write_result(p, f, f->writes_left, t);
    p->landed = next;
    commit_landed(p, one, t);
    return true;
}

void fast_land(struct fast *p, unsigned warp, uint64_t result) {
    const struct cluster *c = p->cluster;
    struct fast_flight *f = &p->flight[warp];
    f->result = result;
    f->writes_left = f->execution.passed ? arm_rows_of(f->i->destinations) * c->vtpo_lines : 0;
    const uint64_t due = fast_flight_due(f);
    p->landing[p->landing_count] = warp;
    p->landing_due[p->landing_count++] = due;
    earlier(&p->landed, due);
}

void fast_landed_until(struct fast *p, unsigned warp, uint64_t t) {
    const struct fast_flight *f = &p->flight[warp];
    unsigned n = 0;
    while (p->landing[n] != warp) ++n;
    p->landing_due[n] = fast_flight_due(f);
    later(&p->landing_due[n], t + !fast_flight_is_written(f)); /* W of cycle t was before */
    earlier(&p->landed, p->landing_due[n]);
}
