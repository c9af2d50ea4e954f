/* A path whose blocks are evaluated in every cycle and take every decision:
 * --exact-steps, and beside twins. */
#include "model/pipeline/pipeline.h"
#include "model/arm/coprocessor.h"

/* --- O, as operand_collector says; scalars are then brought to the lanes --- */

static void offer_operands(const struct path *p, struct operand_collector_in *in) {
    const struct cluster *c = p->cluster;
    const struct flight *f = &p->flight[path_flight_number(p, p->collecting)];
    in->valid = true;
    in->warp = f->warp;
    if (!f->i) return;
    const uint64_t scalars = c->uniform.on ? f->i->sources & f->uniform.tokens : 0;
    const bool elsewhere = !c->uniform.registers.scalar_lines; /* in a file of their own */
    if (alternate_is(p, path_flight_number(p, p->collecting)))
        return; /* its rounds have operands of their own */
    in->sources = elsewhere ? f->i->sources & ~scalars : f->i->sources;
    in->scalars = elsewhere ? 0 : scalars;
}

void path_clock_collector(struct path *p, uint64_t t) {
    struct operand_collector *o = &p->collector;
    const bool goes_on = o->q.busy;
    o->in = (struct operand_collector_in){
        .take = p->shown_x_flight >= 0 && p->flight[p->shown_x_flight].x == t,
        .hold = t <= p->x_last,
        .taken = p->read_ports.cycle == t ? p->read_ports.taken : 0,
    };
    if (p->collecting != p->decoded && t >= p->o_free) offer_operands(p, &o->in);
    operand_collector_eval(o);
    cluster_run_twin(p->cluster, CLUSTER_BLOCK_COLLECTOR, t);
    operand_collector_clock(o);
    if (o->out.start) path_start_collection(p, t);
    if (o->out.stall) path_stand_still(p, t, 1);
    if (!goes_on && !o->out.start) {
        alternate_step_operands(p, t);
        return;
    }
    struct flight *f = path_flight(p, p->collecting - 1);
    if (alternate_is(p, (unsigned)(f - p->flight))) {
        p->collecting_mixed = (int)(f - p->flight);
        p->o_free = f->collected = FLIGHT_NEVER;
        alternate_step_operands(p, t);
        return;
    }
    p->o_free = o->out.done ? t + 1 + f->uniform.broadcast + (f->reads ? f->network : 0) : FLIGHT_NEVER;
    f->collected = p->o_free - 1;
}

/* --- S, A, F, D --- */

/* Instructions that are decoded, or in the dispatch queue. */
static unsigned waiting_for_operands(const struct path *p) {
    return p->left - p->collecting;
}

static void clock_scheduler(struct path *p, bool a_leaves, uint64_t t) {
    struct warp_scheduler *s = &p->scheduler;
    s->in.ready = p->ready_to_run;
    s->in.stalled = p->stalled;
    s->in.take = p->arbitrated == p->selected || a_leaves;
    warp_scheduler_eval(s);
    cluster_run_twin(p->cluster, CLUSTER_BLOCK_SCHEDULER, t);
    warp_scheduler_clock(s);
}

/* A, as our arbiter says. */
static void clock_arbiter(struct path *p, bool a_leaves, uint64_t t) {
    p->arbiter.in.ready = 0; /* the arbiter sees a warp in the cycle in which A hands it over */
    if (a_leaves) {
        path_arbitrate(p, t);
    } else {
        warp_pc_arbiter_eval(&p->arbiter);
        cluster_run_twin(p->cluster, CLUSTER_BLOCK_ARBITER, t);
    }
}

void path_clock_front(struct path *p, uint64_t t) {
    struct cluster *c = p->cluster;
    const int f = path_in_fetch(p), a = path_in_arbitrate(p);
    const bool f_leaves =
        f != PATH_NONE && p->flight[f].fetched <= t && waiting_for_operands(p) < p->queue_entries;
    const bool chosen = c->coprocessor.policy.choose != NULL;
    const bool f_free = alternate_step_fetch(p, t) && (f == PATH_NONE || f_leaves);
    bool a_leaves = a != PATH_NONE && t >= p->flight[a].s + p->arbitrate_cycles && f_free;
    if (chosen)
        a_leaves = cluster_whole_chooses(c, t);
    else
        clock_scheduler(p, a_leaves, t);
    if (p->decoded != p->left) path_decode(p, p->decoded);
    if (f_leaves) {
        p->flight[f].left = t;
        ++p->left;
    }
    if (!chosen)
        clock_arbiter(p, a_leaves, t);
    else if (a_leaves)
        path_leave_arbitrate(p, t);
    if (!p->scheduler.out.valid) return;
    c->descriptors.in.select = true;
    c->descriptors.in.select_warp = p->scheduler.out.warp;
    path_select(p, p->scheduler.out.warp, t);
}

/* --- W and C, as writeback_arbiter says --- */

/* Those that have landed and have their last result before cycle t. */
static warp_set landed_before(const struct path *p, uint64_t t) {
    warp_set warps = 0;
    for (unsigned n = 0; n < p->landing_count; ++n)
        if (p->flight[p->landing[n]].result < t) warp_set_add(&warps, p->landing[n]);
    return warps;
}

static struct flight *oldest_of(struct path *p, warp_set warps) {
    struct flight *oldest = NULL;
    for (; warps; warps &= warps - 1) {
        struct flight *f = &p->flight[warp_set_first(warps)];
        if (!oldest || f->s < oldest->s) oldest = f;
    }
    return oldest;
}

/* Results of these warps are written, through so many ports. */
static void write_results(struct path *p, warp_set warps, unsigned ports, bool scalar, uint64_t t) {
    while (warps && ports) {
        struct flight *f = oldest_of(p, warps);
        unsigned *left = scalar ? &f->scalar_writes_left : &f->writes_left;
        const unsigned count = *left < ports ? *left : ports;
        warp_set_remove(&warps, (unsigned)(f - p->flight));
        if (count) path_write_result(p, f, left, count, t);
        ports -= count;
    }
}

/* What the arbiter is told is known at the cycle's end, but who writes depends on its flip-flops alone. */
void path_clock_write_back(struct path *p, uint64_t t) {
    struct writeback_arbiter *a = &p->writeback;
    const unsigned ports = p->cluster->config->tpm.write_ports;
    writeback_arbiter_eval(a);
    cluster_run_registered(p->cluster, CLUSTER_BLOCK_WRITEBACK);
    p->write_ports.cycle = t;
    p->write_ports.taken = a->out.ports < ports ? a->out.ports : ports;
    if (!p->landing_count) return;
    const warp_set landed = landed_before(p, t);
    write_results(p, a->out.write & landed, p->write_ports.taken, false, t);
    write_results(p, a->out.scalar & landed, 1, true, t);
}

/* One that reaches a barrier or an exit in the cycle of another one does not: Verilog that
 * drives may say so. */
static bool may_commit(const struct path *p, const struct flight *f) {
    const struct barrier_table_in *table = &p->cluster->barriers.in;
    if (!table->arrive_count && !table->exit_count) return true;
    const enum coprocessor_operation o =
        f->i->is_coprocessor ? coprocessor_decode(f->i).operation : COPROCESSOR_UNDEFINED;
    return o != COPROCESSOR_BARRIER && o != COPROCESSOR_EXIT;
}

void path_clock_commit(struct path *p, uint64_t t) {
    struct writeback_arbiter *a = &p->writeback;
    a->in.result = landed_before(p, t + 1);
    writeback_arbiter_eval(a);
    cluster_run_twin(p->cluster, CLUSTER_BLOCK_WRITEBACK, t);
    const warp_set commits = a->out.commit & a->in.result;
    for (unsigned n = 0; commits && n < p->landing_count;)
        if (warp_set_has(commits, p->landing[n]) && may_commit(p, &p->flight[p->landing[n]]))
            path_commit(p, n, t);
        else
            ++n;
    writeback_arbiter_clock(a);
    a->in.land = false;
}

static void tell_landed(struct path *p, unsigned warp) {
    const struct flight *f = &p->flight[warp];
    struct writeback_arbiter_in *in = &p->writeback.in;
    in->land = true;
    in->warp = warp;
    in->lines = f->writes_left;
    in->scalars = f->scalar_writes_left;
}

/* --- X, as the dispatcher says --- */

/* The oldest collected instruction. How many rounds and beats it has is known once it is executed. */
static void offer(struct path *p, uint64_t t) {
    struct subwarp_dispatcher_in *in = &p->dispatcher.in;
    *in = (struct subwarp_dispatcher_in){.rounds = p->cluster->rounds, .beats = 1, .occupancy = 1};
    if (p->started == p->collecting) return;
    const struct flight *f = &p->flight[path_flight_number(p, p->started)];
    in->valid = f->collected < t && (!p->alternate || t >= p->x_free);
    if (!in->valid) return;
    in->warp = f->warp;
    if (f->i) in->occupancy = path_occupancy(p, f);
}

/* The dispatcher takes it. False: it fails. */
static bool take_offered(struct path *p, uint64_t t) {
    struct subwarp_dispatcher_in *in = &p->dispatcher.in;
    const unsigned number = path_flight_number(p, p->started);
    struct flight *f = &p->flight[number];
    if (!path_take_collected(p, t)) return false;
    if (flight_accesses_memory(f)) {
        in->beats = f->i->access_count;
        path_begin_accesses(p, number, t);
        in->rounds = f->rounds;
        return true;
    }
    if (p->cluster->uniform.on) path_execute_uniform(p, number);
    in->rounds = f->rounds;
    in->occupancy = path_occupancy(p, f);
    path_enter_lanes(p, number);
    p->x_next = t + (uint64_t)in->rounds * in->occupancy;
    path_charge_rounds(p, f);
    return true;
}

/* Do the lanes finish the beat that is made in cycle t? */
static bool finish_beat(struct path *p, uint64_t t) {
    const struct subwarp_dispatcher_out *out = &p->dispatcher.out;
    if (p->x_flight == PATH_NONE) return true;
    struct flight *f = &p->flight[p->x_flight];
    if (!flight_accesses_memory(f)) return true;
    if (t < p->x_next) return false;
    const unsigned rounds = p->cluster->rounds, v = out->context % rounds, first = rounds - f->rounds;
    p->x_round = v < first ? 0 : v - first;
    p->x_beat = out->beat;
    if (!path_access_beat(p, f, t)) return false;
    if (++p->x_beat == f->i->access_count) p->x_beat = 0;
    return true;
}

/* After the dispatcher's evaluation. The lanes stand while it makes no beat although it could. */
static void end_beat(struct path *p, uint64_t t) {
    const struct subwarp_dispatcher *d = &p->dispatcher;
    const unsigned warp = (unsigned)p->x_flight;
    struct flight *f = &p->flight[warp];
    if (t >= p->x_next) {
        cluster_charge(p->cluster, MACHINE_CAUSE_OCCUPIED, f->pc, 1);
        p->x_next = t + 1;
    }
    if (!d->out.valid || d->in.hold || !d->out.last) return;
    if (flight_accesses_memory(f)) {
        path_end_accesses(p, warp, t);
        tell_landed(p, warp);
        return;
    }
    p->x_free = p->x_next;
    p->x_flight = PATH_NONE;
    path_end_rounds(p, t);
    path_land(p, warp, t + path_latency(p, f) - 1);
    tell_landed(p, warp);
}

void path_clock_lanes(struct path *p, uint64_t t) {
    struct subwarp_dispatcher *d = &p->dispatcher;
    if (p->mixed && alternate_step_lanes(p, t))
        d->in = (struct subwarp_dispatcher_in){.rounds = p->cluster->rounds, .beats = 1, .occupancy = 1};
    else
        offer(p, t);
    subwarp_dispatcher_eval(d);
    if (d->out.first && d->in.valid && p->x_flight == PATH_NONE && !take_offered(p, t)) return;
    const bool own = p->x_flight != PATH_NONE && !alternate_is(p, (unsigned)p->x_flight);
    d->in.hold = d->out.valid && own && !finish_beat(p, t);
    subwarp_dispatcher_eval(d);
    cluster_run_twin(p->cluster, CLUSTER_BLOCK_DISPATCHER, t);
    if (own) end_beat(p, t);
    subwarp_dispatcher_clock(d);
}
