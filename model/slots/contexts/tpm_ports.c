/* tpm with decisions by the blocks operand_collector and writeback_arbiter. */
#include "model/arm/coprocessor.h"
#include "model/unit/services.h"
#include "model/unit/slots.h"

/* --- O; scalars are brought to the lanes after it --- */

static void offer_operands(struct unit *u, struct operand_collector_in *in) {
    const struct cluster *c = u->cluster;
    const struct unit_flight *f = nth(u, u->collecting);
    in->valid = true;
    in->warp = f->warp;
    if (!f->i || unit_is_mixed(u, f)) return; /* the rounds of a mixed flight have their own operands */
    const uint64_t scalars = c->uniform.on ? f->i->sources & u->uniform[f - u->flight].tokens : 0;
    const bool elsewhere = !c->uniform.registers.scalar_lines; /* scalars are in a separate file */
    in->sources = elsewhere ? f->i->sources & ~scalars : f->i->sources;
    in->scalars = elsewhere ? 0 : scalars;
}

static uint64_t tpm_ports_collect(struct unit *u, uint64_t t) {
    struct operand_collector *o = &u->blocks->collector;
    const bool goes_on = o->q.busy;
    o->in = (struct operand_collector_in){
        .take = u->shown != UNIT_NONE && u->flight[u->shown].x == t,
        .hold = t <= u->x_last,
        .taken = u->read_port.cycle == t ? u->read_port.taken : 0,
    };
    if (u->collecting != u->decoded && t >= u->o_free) offer_operands(u, &o->in);
    operand_collector_eval(o);
    unit_run_twin(u, CLUSTER_BLOCK_COLLECTOR, t);
    operand_collector_clock(o);
    if (o->out.start) {
        struct unit_flight *f = unit_start_collection(u, t);
        if (unit_is_uniform(u)) unit_uniform_collect(u, f);
    }
    if (o->out.stall) {
        ++u->cluster->tpm_wait[CLUSTER_TPM_WAIT_LOADS];
        ++u->o_since;
        u->o_stood = t;
        if (unit_recorder(u))
            unit_record_stall(u, RECORD_STAGE_OPERANDS, nth(u, u->collecting - 1), t, t + 1);
    }
    const struct mixed_slot *mixed = u->slots->mitigation->mixed;
    if (!goes_on && !o->out.start) {
        if (mixed) mixed->operands(u, t);
        return t + 1;
    }
    struct unit_flight *f = nth(u, u->collecting - 1);
    if (unit_is_mixed(u, f)) {
        mixed->collect(u, f);
        mixed->operands(u, t);
        return t + 1;
    }
    const unsigned broadcast = unit_is_uniform(u) ? u->uniform[f - u->flight].broadcast : 0;
    u->o_free = o->out.done ? t + 1 + broadcast + (f->reads ? f->network : 0) : UNIT_NEVER;
    f->collected = u->o_free - 1;
    return t + 1;
}

/* --- W and C --- */

/* Returns the numbers of flights that have landed and have their last result before cycle t. */
static warp_set landed_before(const struct unit *u, uint64_t t) {
    warp_set landed = 0;
    for (unsigned n = 0; n < u->landing_count; ++n) {
        const struct unit_flight *f = &u->flight[u->landing[n]];
        if (f->result < t) warp_set_add(&landed, f->number);
    }
    return landed;
}

static struct unit_flight *oldest_of(struct unit *u, warp_set numbers) {
    struct unit_flight *oldest = NULL;
    for (unsigned n = 0; n < u->landing_count; ++n) {
        struct unit_flight *f = &u->flight[u->landing[n]];
        if (warp_set_has(numbers, f->number) && (!oldest || f->s < oldest->s)) oldest = f;
    }
    return oldest;
}

/* Writes results of these flights through `ports` ports. */
static void write_results(struct unit *u, warp_set numbers, unsigned ports, bool scalar, uint64_t t) {
    while (numbers && ports) {
        struct unit_flight *f = oldest_of(u, numbers);
        const unsigned left = scalar ? f->scalar_writes_left : f->writes_left;
        const unsigned count = left < ports ? left : ports;
        warp_set_remove(&numbers, f->number);
        if (count) unit_write_result(u, f, scalar ? 0 : count, scalar ? count : 0, t);
        ports -= count;
    }
}

/* Evaluates the arbiter with inputs of the end of the cycle; its grants depend on its flip-flops alone. */
static uint64_t tpm_ports_write(struct unit *u, uint64_t t) {
    struct writeback_arbiter *a = &u->blocks->writeback;
    const struct cluster_twins *twins = u->cluster->twins;
    writeback_arbiter_eval(a);
    if (twins && twins->attached[CLUSTER_BLOCK_WRITEBACK] && twins->registered)
        twins->registered(twins->context, CLUSTER_BLOCK_WRITEBACK);
    u->write_port.cycle = t;
    u->write_port.taken = a->out.ports < u->write_ports ? a->out.ports : u->write_ports;
    if (u->landing_count) {
        const warp_set landed = landed_before(u, t);
        write_results(u, a->out.write & landed, u->write_port.taken, false, t);
        write_results(u, a->out.scalar & landed, 1, true, t);
    }
    if (u->mixed) u->slots->mitigation->mixed->write(u, t);
    return t + 1;
}

/* Returns whether a flight may commit. A flight that reaches a barrier or an exit in the cycle of another one
 * waits: Verilog that drives may commit both. */
static bool may_commit(const struct unit *u, const struct unit_flight *f) {
    const struct barrier_table_in *table = &u->cluster->barriers.in;
    if (!table->arrive_count && !table->exit_count) return true;
    const enum coprocessor_operation o = coprocessor_operation_of(f->i);
    return o != COPROCESSOR_BARRIER && o != COPROCESSOR_EXIT;
}

static uint64_t tpm_ports_commit(struct unit *u, uint64_t t) {
    struct writeback_arbiter *a = &u->blocks->writeback;
    a->in.result = landed_before(u, t + 1);
    writeback_arbiter_eval(a);
    unit_run_twin(u, CLUSTER_BLOCK_WRITEBACK, t);
    const warp_set commits = a->out.commit & a->in.result;
    for (unsigned n = 0; commits && n < u->landing_count;) {
        const struct unit_flight *f = &u->flight[u->landing[n]];
        if (warp_set_has(commits, f->number) && may_commit(u, f))
            unit_commit(u, n, t);
        else
            ++n;
    }
    writeback_arbiter_clock(a);
    a->in.land = false;
    if (u->mixed) u->slots->mitigation->mixed->commit(u, t);
    return t + 1;
}

static void tpm_ports_reads(const struct unit *u, struct unit_flight *f) {
    contexts_tpm.reads(u, f);
}

const struct contexts_slot contexts_tpm_ports = {.reads = tpm_ports_reads,
                                                 .collect = tpm_ports_collect,
                                                 .write = tpm_ports_write,
                                                 .commit = tpm_ports_commit};
