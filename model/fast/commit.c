/* The end of the fast pipeline: W writes results back, C commits instructions, barriers open. */
#include "model/fast/parts.h"

#include "sim/error.h"

/* --- C: commit --- */

/* Records the flight, which commits in cycle t. Not inlined, so that the caller keeps its registers. */
static __attribute__((noinline)) void record(struct cluster *c, const struct fast_flight *f, uint64_t t) {
    struct record *r = recorder_add(c->recorder);
    const struct simt_instruction n = fast_instruction(f);
    simt_fill_flight(r, &n, f->execution.passed, UNIFORM_VECTOR, f->s);
    record_stamps(r, CLUSTER_STAMPS(f, t));
}

static inline uint64_t commit_threads(struct fast *p, const struct fast_flight *f) {
    struct cluster *c = p->cluster;
    const struct simt_instruction n = fast_instruction(f);
    invariant(c->descriptors.warp[f->warp].together == f->participating,
              "a flight's threads are not together");
    cluster_go_on(c, &n, f->execution.passed);
    if (__builtin_expect(!f->i->is_coprocessor, 1)) return f->participating;
    return cluster_commit_operation(c, &n, f->execution.passed, &p->leaves, c->asks + 1);
}

/* Commits an instruction at the end of cycle t: PCs, priorities and states of its threads change. */
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

static void release(void *p, unsigned warp, uint64_t since, enum machine_cause cause, uint32_t pc) {
    fast_update_ready(p, warp, since, cause, pc);
}

/* Steps the barrier table in cycle t, after all commits of the cycle. */
void fast_step_barriers(struct fast *p, uint64_t t) {
    struct cluster *c = p->cluster;
    struct barrier_table *b = &c->barriers;
    p->leaves = false;
    barrier_table_eval(b);
    if (b->out.release) cluster_release_barrier(c, release, p, t + 1);
    if (b->out.opens) c->barrier_release = t + 1;
    barrier_table_clock(b);
}

/* --- W: writing back, one port a line, the oldest instruction first --- */

/* Returns the oldest flight with a result to write in cycle t; NULL if there is none. *several becomes true
 * if there are more. */
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

/* Records that the result of a flight behind X has waited for a write port until cycle t. */
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

/* Writes results in cycle t, the oldest first. Returns the number of ports left. */
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

/* Removes flight n of landing[], which the last one replaces, and commits it. */
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
    later(&p->landing_due[n], t + !fast_flight_is_written(f)); /* W of cycle t has already run */
    earlier(&p->landed, p->landing_due[n]);
}
