/* Registers are lines of the TPM of each lane. The TPM has a number of read and write ports. */
#include "model/unit/services.h"

/* --- O --- */

UNIT_STAGE void tpm_reads(const struct unit *u, struct unit_flight *f) {
    const unsigned ports = u->read_ports;
    f->reads = (uint16_t)(ports == 1 ? f->read_lines : (f->read_lines + ports - 1) / ports);
    f->collects = f->reads ? f->reads * u->tpm_latency + f->network : 1;
}

/* Stalls the collection in cycle t if accesses of the lanes leave too few ports. */
static __attribute__((noinline)) void stall(struct unit *u, struct unit_flight *f, uint64_t t) {
    const unsigned ports = u->read_ports;
    const unsigned read = (unsigned)((t - u->o_since) / u->tpm_latency) * ports;
    const unsigned rest = read < u->o_lines ? u->o_lines - read : 0, wanted = rest < ports ? rest : ports;
    if (!wanted || u->read_port.taken + wanted <= ports) return;
    ++u->cluster->tpm_wait[CLUSTER_TPM_WAIT_LOADS];
    ++u->o_since;
    u->o_stood = t;
    if (unit_recorder(u)) unit_record_stall(u, RECORD_STAGE_OPERANDS, f, t, t + 1);
    ++f->collected;
    ++u->o_free;
}

/* Continues in a cycle in which O starts no flight. Returns the next cycle with work of O or X. */
static inline uint64_t go_on(struct unit *u, uint64_t next, uint64_t t) {
    u->o_next = next;
    if (u->read_port.cycle != t || t >= u->o_free || u->collecting == u->started) return next;
    stall(u, nth(u, u->collecting - 1), t);
    u->o_next = next = unit_o_due(u);
    earlier(&next, unit_x_due(u));
    return next;
}

UNIT_STAGE uint64_t tpm_collect(struct unit *u, uint64_t t) {
    if (t < u->o_next && __builtin_expect(u->read_port.cycle != t, 1)) return u->o_next;
    uint64_t next = unit_o_due(u);
    if (t < next) return go_on(u, next, t);
    struct unit_flight *f = unit_start_collection(u, t);
    if (__builtin_expect(u->read_port.cycle == t, 0)) stall(u, f, t);
    if (unit_is_uniform(u)) unit_uniform_collect(u, f);
    u->front_next = 0; /* the queue has room */
    u->o_next = next = unit_o_due(u);
    earlier(&next, unit_x_due(u));
    return next;
}

/* --- W: the oldest flight writes its lines first --- */

/* Returns the oldest flight with a result to write in cycle t; NULL if there is none. *several becomes true
 * if there are more. */
static inline struct unit_flight *oldest_to_write(struct unit *u, bool scalar, uint64_t t, bool *several) {
    struct unit_flight *best = NULL;
    *several = false;
    for (unsigned n = 0; n < u->landing_count; ++n) {
        struct unit_flight *f = &u->flight[u->landing[n]];
        if (u->landing_due[n] > t || f->result >= t || !(scalar ? f->scalar_writes_left : f->writes_left))
            continue;
        *several |= best != NULL;
        if (!best || f->s < best->s) best = f;
    }
    return best;
}

static inline unsigned write_through(struct unit *u, unsigned ports, bool scalar, uint64_t t) {
    struct unit_flight *f;
    bool several = true;
    while (ports && several && (f = oldest_to_write(u, scalar, t, &several)) != NULL) {
        const unsigned left = scalar ? f->scalar_writes_left : f->writes_left;
        const unsigned count = left < ports ? left : ports;
        unit_write_result(u, f, scalar ? 0 : count, scalar ? count : 0, t);
        ports -= count;
    }
    return ports;
}

UNIT_STAGE uint64_t tpm_write(struct unit *u, uint64_t t) {
    u->write_port.cycle = t;
    u->write_port.taken = u->write_ports - write_through(u, u->write_ports, false, t);
    if (unit_is_uniform(u)) write_through(u, 1, true, t);
    return UNIT_NEVER;
}

/* --- C --- */

UNIT_STAGE uint64_t tpm_commit(struct unit *u, uint64_t t) {
    uint64_t next = UNIT_NEVER;
    for (unsigned n = 0; n < u->landing_count;) {
        if (u->landing_due[n] > t || !unit_is_written(&u->flight[u->landing[n]]))
            earlier(&next, u->landing_due[n++]);
        else
            unit_commit(u, n, t);
    }
    u->landed = next;
    return unit_wake_front(u, next, t);
}

UNIT_ROW const struct contexts_slot contexts_tpm = {
    .reads = tpm_reads, .collect = tpm_collect, .write = tpm_write, .commit = tpm_commit};
