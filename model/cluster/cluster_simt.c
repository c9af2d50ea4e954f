/* The SIMT pipeline of a cluster: its cycle, and the stages of timing.md up to the collected operands. */
#include "model/cluster/cluster_simt.h"

/* --- who is ready to run --- */

void cluster_update_ready(struct cluster *c, unsigned warp, uint64_t since, enum machine_cause cause,
                          uint32_t pc) {
    const struct warp_descriptors *w = &c->descriptors.warp[warp];
    const bool ready = w->ready && !w->execution && !(c->front_end & warp_bit(warp));
    if (w->ready | w->execution)
        c->stalled &= ~warp_bit(warp);
    else
        c->stalled |= warp_bit(warp);
    if (ready && !(c->ready_to_run & warp_bit(warp))) c->wait[warp] = (struct warp_wait){since, cause, pc};
    if (ready)
        c->ready_to_run |= warp_bit(warp);
    else
        c->ready_to_run &= ~warp_bit(warp);
}

void cluster_simt_begin(struct cluster *c, uint64_t t) {
    c->mode = CLUSTER_SIMT;
    if (!c->twins) cluster_rest_scheduler(c, t);
    c->simt_first = t;
    c->stepped = c->exact || c->twins;
    c->a_warp = c->f_warp = c->d_warp = c->x_warp = c->shown_x_warp = c->left_warp = CLUSTER_NO_WARP;
    c->queue_count = c->collected_count = c->landing_count = 0;
    c->o_free = c->x_free = t;
    c->x_last = 0;
    c->read_ports.cycle = c->write_ports.cycle = c->address_cycle = CLUSTER_NEVER;
    c->o_stood = c->x_stood = CLUSTER_NEVER;
    c->front_end = c->ready_to_run = c->stalled = 0;
    c->committed = t;
    c->fetch_waits = false;
    c->barrier_release = c->landed = c->held_next = CLUSTER_NEVER;
    c->held_first = c->held_end = 0;
    c->barriers.in.start = true;
    c->barriers.in.start_live = c->live;
    for (unsigned w = 0; w < c->warps; ++w)
        cluster_update_ready(c, w, t, MACHINE_CAUSE_FRONT_END, c->launch->thunk);
    if (c->uniform.on) cluster_uniform_begin(c, t);
    if (c->redundancy) redundancy_start(c->redundancy, cluster_live_warps(c));
}
/* --- O: operand collection --- */

static void stand_still(struct cluster *c, uint64_t t) {
    ++c->tpm_wait[CLUSTER_TPM_WAIT_LOADS];
    ++c->o_since;
    c->o_stood = t;
}

/* The read ports that others have taken in cycle t may delay the collection in progress. */
void cluster_delay_collection(struct cluster *c, uint64_t t) {
    const unsigned ports = c->config->tpm.read_ports;
    if (t >= c->o_free || t != c->read_ports.cycle || c->twins) return;
    const unsigned read = (unsigned)((t - c->o_since) / c->config->tpm.latency_cycles) * ports;
    const unsigned left = read < c->o_lines ? c->o_lines - read : 0, wanted = left < ports ? left : ports;
    if (c->read_ports.taken + wanted <= ports) return;
    stand_still(c, t);
    ++c->o_free;
    ++c->flight[c->collected[c->collected_count - 1]].collected;
}

static unsigned collection_cycles(struct cluster *c) {
    const unsigned latency = c->config->tpm.latency_cycles, ports = c->config->tpm.read_ports;
    const unsigned reads = (c->o_lines + ports - 1) / ports;
    if (!reads) return 1;
    c->tpm_wait[CLUSTER_TPM_WAIT_OPERANDS] += reads - 1;
    c->tpm_wait[CLUSTER_TPM_WAIT_LATENCY] += reads * (latency - 1);
    return reads * latency;
}

static void start_collection(struct cluster *c, uint64_t t) {
    const unsigned warp = c->queue[0];
    struct warp_flight *f = &c->flight[warp];
    for (unsigned n = 1; n < c->queue_count; ++n) c->queue[n - 1] = c->queue[n];
    --c->queue_count;
    f->o = t;
    c->o_since = t;
    c->o_lines = f->read_lines;
    f->collected = t + collection_cycles(c) - 1;
    c->o_free = f->collected + 1;
    c->collected[c->collected_count++] = warp;
    cluster_delay_collection(c, t);
    if (c->uniform.on && f->i && (f->uniform.uniform || c->config->uniform.broadcast_cycles))
        cluster_uniform_collect(c, warp);
}

static void offer_operands(struct cluster *c, struct operand_collector_in *in) {
    const struct warp_flight *f = &c->flight[c->queue[0]];
    in->valid = true;
    in->warp = c->queue[0];
    if (!f->i) return;
    const uint64_t scalars = c->uniform.on ? f->i->sources & f->uniform.tokens : 0;
    const bool elsewhere = !c->uniform.registers.scalar_lines; /* in a file of their own */
    in->sources = elsewhere ? f->i->sources & ~scalars : f->i->sources;
    in->scalars = elsewhere ? 0 : scalars;
}

/* Beside twins: what operand_collector says, cycle by cycle. Scalars are then brought to the lanes. */
static bool collect_as_told(struct cluster *c, uint64_t t) {
    struct operand_collector *o = &c->collector;
    const bool goes_on = o->q.busy;
    o->in = (struct operand_collector_in){
        .take = c->shown_x_warp >= 0 && c->flight[c->shown_x_warp].x == t,
        .hold = t <= c->x_last,
        .taken = c->read_ports.cycle == t ? c->read_ports.taken : 0,
    };
    if (c->queue_count && t >= c->o_free) offer_operands(c, &o->in);
    operand_collector_eval(o);
    cluster_run_twin(c, CLUSTER_BLOCK_COLLECTOR, t);
    operand_collector_clock(o);
    if (o->out.start) start_collection(c, t);
    if (o->out.stall) stand_still(c, t);
    if (!goes_on && !o->out.start) return false;
    struct warp_flight *f = &c->flight[c->collected[c->collected_count - 1]];
    c->o_free = o->out.done ? t + 1 + f->uniform.broadcast : CLUSTER_NEVER;
    f->collected = c->o_free - 1;
    return true;
}

static bool collect(struct cluster *c, uint64_t t) {
    if (__builtin_expect(c->twins != NULL, 0)) return collect_as_told(c, t);
    const unsigned held = c->collected_count + (t <= c->x_last);
    if (!c->queue_count || t < c->o_free || held >= c->config->simt.collectors) return false;
    start_collection(c, t);
    return true;
}

/* --- S, A, F, D: the front end, handed over at the end of the cycle --- */

static void fetch(struct cluster *c, unsigned warp, uint64_t t) {
    struct warp_flight *f = &c->flight[warp];
    const struct machine_code *code = c->launch->code;
    const uint32_t offset = f->pc - code->text_base;
    f->f = t;
    f->fetched = t;
    f->i = offset < code->text_bytes && offset % 4 == 0 ? &code->decoded[offset / 4] : NULL;
    if (!f->i) return;
    c->fetch_waits = c->ahead && !core_fetches_alone(&c->core[0], f->pc);
    if (!c->fetch_waits) f->fetched = core_fetch(&c->core[0], f->pc, t);
}

static void arbitrate(struct cluster *c, unsigned warp, uint64_t t) {
    struct warp_descriptors *w = &c->descriptors.warp[warp];
    struct warp_flight *f = &c->flight[warp];
    warp_pc_arbiter_read(&c->arbiter, w);
    warp_pc_arbiter_eval(&c->arbiter);
    cluster_run_twin(c, CLUSTER_BLOCK_ARBITER, t);
    f->pc = c->arbiter.out.pc;
    f->participating = c->arbiter.out.participating;
    tdt_schedule(w, f->participating);
    if (__builtin_expect(c->twins != NULL, 0)) {
        struct thread_descriptor_table_in *in = &c->descriptors.in;
        w->warp_pc = in->schedule_pc = f->pc;
        in->schedule_threads = f->participating;
        in->schedule = true;
    }
    c->front_end &= ~warp_bit(warp);
}

/* D: how the instruction will be executed. */
static void decode(struct cluster *c, unsigned warp) {
    struct warp_flight *f = &c->flight[warp];
    f->rounds = c->rounds;
    f->read_lines = f->i ? (unsigned)__builtin_popcountll(f->i->sources) * c->vtpo_lines : 0;
    f->uniform.form = UNIFORM_VECTOR;
    f->uniform.inserts = false;
    f->uniform.broadcast = 0;
    if (c->uniform.on && f->i) cluster_uniform_decode(c, warp);
}

/* The scheduler's cycle t; did it pick a warp, or move otherwise? */
static bool schedule(struct cluster *c, bool a_leaves, uint64_t t) {
    struct warp_scheduler *s = &c->scheduler;
    s->in.ready = c->ready_to_run;
    s->in.stalled = c->stalled;
    s->in.take = c->a_warp < 0 || a_leaves;
    if (!s->in.take && !s->out.valid && !c->twins && s->cfg.policy != SCHEDULER_TWO_LEVEL) return false;
    warp_scheduler_eval(s);
    cluster_run_twin(c, CLUSTER_BLOCK_SCHEDULER, t);
    const bool moves = warp_scheduler_moves(s);
    warp_scheduler_clock(s);
    return moves || s->out.valid;
}

/* From D to C a warp with a load or store waits for memory. */
static void note_stall(struct cluster *c, unsigned warp) {
    const struct arm_instruction *i = c->flight[warp].i;
    if (i && (i->is_load || i->is_store)) c->stalled |= warp_bit(warp);
}

/* The first cycle in which A can hand its warp over. */
static uint64_t arbitrated(const struct cluster *c) {
    return c->a_warp < 0 ? CLUSTER_NEVER : c->flight[c->a_warp].s + c->config->simt.arbitrate_cycles;
}

static bool hand_over(struct cluster *c, uint64_t t) {
    const bool f_leaves = c->f_warp >= 0 && c->flight[c->f_warp].fetched <= t &&
                          c->queue_count + (c->d_warp >= 0) < c->config->simt.queue_entries;
    const bool a_leaves = t >= arbitrated(c) && (c->f_warp < 0 || f_leaves);
    const bool moved = schedule(c, a_leaves, t) || c->d_warp >= 0 || f_leaves || a_leaves;
    if (c->d_warp >= 0) {
        decode(c, (unsigned)c->d_warp);
        note_stall(c, (unsigned)c->d_warp);
        c->queue[c->queue_count++] = (unsigned)c->d_warp;
        histogram_add(&c->queue_occupancy, c->queue_count);
    }
    c->d_warp = CLUSTER_NO_WARP;
    if (f_leaves) {
        c->d_warp = c->f_warp;
        c->f_warp = CLUSTER_NO_WARP;
    }
    c->arbiter.in.ready = 0; /* the arbiter sees a warp in the cycle in which A hands it over */
    if (a_leaves) {
        arbitrate(c, (unsigned)c->a_warp, t);
        fetch(c, (unsigned)c->a_warp, t + 1);
        c->f_warp = c->a_warp;
        c->a_warp = CLUSTER_NO_WARP;
    } else if (c->twins) {
        warp_pc_arbiter_eval(&c->arbiter);
        cluster_run_twin(c, CLUSTER_BLOCK_ARBITER, t);
    }
    if (c->scheduler.out.valid) {
        c->descriptors.in.select = true;
        c->descriptors.in.select_warp = c->scheduler.out.warp;
        c->a_warp = (int)c->scheduler.out.warp;
        c->flight[c->a_warp].s = t;
        c->front_end |= warp_bit((unsigned)c->a_warp);
        c->ready_to_run &= ~warp_bit((unsigned)c->a_warp);
    }
    return moved;
}

/* --- the cycle --- */

static void earliest(uint64_t *next, uint64_t candidate, uint64_t t) {
    if (candidate > t && candidate < *next) *next = candidate;
}

/* Nothing moved in cycle t: the first cycle in which time alone changes that. */
static uint64_t next_timer(const struct cluster *c, uint64_t t) {
    uint64_t next = CLUSTER_NEVER;
    earliest(&next, c->barrier_release, t);
    earliest(&next, c->held_next, t);
    earliest(&next, arbitrated(c), t);
    if (c->f_warp >= 0) earliest(&next, c->flight[c->f_warp].fetched, t);
    if (c->x_warp >= 0) earliest(&next, c->x_next, t);
    if (c->collected_count) {
        earliest(&next, c->x_free, t);
        earliest(&next, c->flight[c->collected[0]].collected + 1, t);
    }
    if (c->queue_count) {
        earliest(&next, c->o_free, t);
        if (c->x_last != CLUSTER_NEVER) earliest(&next, c->x_last + 1, t);
    }
    for (unsigned n = 0; n < c->landing_count; ++n) {
        const struct warp_flight *f = &c->flight[c->landing[n]];
        earliest(&next, f->result + !warp_flight_is_written(f), t);
    }
    return next;
}

/* The last thread has exited, and the lanes are free at the end of cycle t. The instruction that started
 * rounds last was its exit. */
static uint64_t leave_simt(struct cluster *c, uint64_t t) {
    const uint64_t end = t + 1;
    cluster_charge(c, MACHINE_CAUSE_LATENCY, c->flight[c->shown_x_warp].pc, end - c->x_free);
    c->mode = CLUSTER_LEAVE;
    cluster_stop_twins(c);
    c->simt_cycles += t + 1 - c->simt_first;
    c->resume = end + c->config->simt.leave_cycles - 1;
    c->cause[MACHINE_CAUSE_MODE_SWITCH] += c->resume - end;
    return cluster_skip_to(c, t, c->resume);
}

/* The fetch of this cycle, now that it is this cluster's turn. */
static uint64_t fetch_in_turn(struct cluster *c, uint64_t t) {
    fetch(c, (unsigned)c->f_warp, t + 1);
    return t + 1;
}

uint64_t cluster_simt_step(struct cluster *c, uint64_t t) {
    if (__builtin_expect(c->fetch_waits, 0)) return fetch_in_turn(c, t);
    if (__builtin_expect(c->fault != NULL, 0)) fault_step(c, t);
    bool moved = t >= c->landed && cluster_write_back(c, t);
    if (t >= c->held_next) moved |= cluster_make_held(c, t);
    if (c->stepped)
        moved |= cluster_step_dispatcher(c, t);
    else if (cluster_lanes_due(c, t))
        moved |= cluster_run_lanes(c, t);
    moved |= collect(c, t);
    moved |= hand_over(c, t);
    if (c->uniform.on) cluster_uniform_step(c, t);
    if (t >= c->landed) moved |= cluster_commit_landed(c, t);
    if (barrier_table_active(&c->barriers) || c->twins) moved |= cluster_step_barriers(c, t);
    if (__builtin_expect(c->twins != NULL, 0)) {
        cluster_locate_operand(c, t);
        cluster_coprocessor_cycle(c, t);
        cluster_descriptors_cycle(c, t);
    }
    if (c->error->status != EXIT_SOUND) return CLUSTER_NEVER;
    if (!c->live) return t + 1 < c->x_free ? t + 1 : leave_simt(c, t);
    if (__builtin_expect(c->fetch_waits, 0)) return t;
    if (__builtin_expect(t - c->committed >= c->livelock_cycles, 0)) {
        cluster_diagnose_livelock(c, t);
        return CLUSTER_NEVER;
    }
    if (moved) return t + 1;
    uint64_t next = next_timer(c, t);
    if (next == CLUSTER_NEVER && c->ready_to_run) return t + 1; /* the scheduler has let a cycle pass */
    if (next == CLUSTER_NEVER) {
        cluster_diagnose_deadlock(c, t);
        return CLUSTER_NEVER;
    }
    earliest(&next, c->committed + c->livelock_cycles, t);
    return c->twins ? t + 1 : cluster_skip_to(c, t, next);
}
