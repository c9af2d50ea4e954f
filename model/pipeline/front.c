/* The front of a path: who is ready to run, S, A, F, D and O, and the stamps of
 * these stages, computed ahead. */
#include "model/pipeline/pipeline.h"

#include <string.h>

/* --- who is ready to run --- */

/* May a warp have a second instruction in flight (simt.mitigation dpe)? Its threads then stand at the warp's
 * highest level: who waits behind a conditional statement has a lower one than both of its sides, and waits
 * on.
 */
static bool has_second_path(const struct path *p, unsigned warp) {
    const struct cluster *c = p->cluster;
    const struct warp_descriptors *w = &c->descriptors.warp[warp];
    if (!path_mitigates(p, MITIGATION_DPE)) return false;
    if (warp_set_has(p->flying, warp) && warp_set_has(p->flying, warp + c->warps)) return false;
    return tdt_highest_level(&c->descriptors, warp, w->ready) >=
           tdt_highest_level(&c->descriptors, warp, w->execution);
}

static void note_ready(struct path *p, unsigned warp, uint64_t since, enum machine_cause cause, uint32_t pc) {
    const struct warp_descriptors *w = &p->cluster->descriptors.warp[warp];
    const bool ready =
        w->ready && !warp_set_has(p->front_end, warp) && (!w->execution || has_second_path(p, warp));
    earlier(&p->select_due, since);
    if (!ready) {
        path_remove(&p->ready_to_run, warp);
        return;
    }
    if (!warp_set_has(p->ready_to_run, warp)) p->wait[warp] = (struct warp_wait){since, cause, pc};
    path_add(&p->ready_to_run, warp);
}

/* Is a flight one of memory, and in D or behind it? */
static bool waits_for_memory(const struct path *p, unsigned number) {
    const struct arm_instruction *i = p->flight[number].i;
    if (!warp_set_has(p->flying, number)) return false;
    for (uint32_t n = p->selected; n != p->decoded;)
        if (path_flight_number(p, --n) == number) return false; /* not yet in D */
    return i && (i->is_load || i->is_store);
}

/* A warp whose instruction has been committed still waits for memory if that is what its other one does. */
static bool second_waits(const struct path *p, unsigned warp) {
    if (!path_mitigates(p, MITIGATION_DPE)) return false;
    return waits_for_memory(p, warp) || waits_for_memory(p, warp + p->warps);
}

void path_update_ready(struct path *p, unsigned warp, uint64_t since, enum machine_cause cause, uint32_t pc) {
    const struct warp_descriptors *w = &p->cluster->descriptors.warp[warp];
    if (!PATH_IS_BASE) { /* whose scheduler does not ask who is stalled */
        if ((w->ready | w->execution) && !second_waits(p, warp))
            warp_set_remove(&p->stalled, warp);
        else
            warp_set_add(&p->stalled, warp);
    }
    note_ready(p, warp, since, cause, pc);
}

void path_begin(struct path *p, uint64_t t) {
    const struct machine_config *config = p->cluster->config;
    p->x_flight = p->shown_x_flight = p->fetching = p->collecting_mixed = PATH_NONE;
    p->mixed = 0;
    p->selected = p->arbitrated = p->left = p->decoded = p->collecting = p->started = p->planned = 0;
    memset(p->o_at, 0, sizeof p->o_at);
    memset(p->x_last_at, 0, sizeof p->x_last_at);
    p->queue_head = 0;
    p->leaves = false;
    p->queue_entries = config->simt.queue_entries;
    p->collectors = config->simt.collectors;
    p->arbitrate_cycles = config->simt.arbitrate_cycles;
    p->landing_count = 0;
    p->stuck = false;
    p->o_free = p->x_free = t;
    p->f_left = p->x_last = 0;
    p->read_ports.cycle = p->write_ports.cycle = FLIGHT_NEVER;
    p->o_stood = p->x_stood = FLIGHT_NEVER;
    p->front_end = p->ready_to_run = p->stalled = p->flying = 0;
    p->warps = p->cluster->warps;
    for (unsigned n = 0; n < cluster_flights(p->cluster); ++n) p->flight[n].warp = n % p->warps;
    p->select_due = p->committed = t;
    p->landed = p->held_next = p->x_due = FLIGHT_NEVER;
    p->held_first = p->held_end = 0;
    p->hits_end = 0;
    p->x_miss = FLIGHT_NEVER;
}

/* --- O --- */

void path_stand_still(struct path *p, uint64_t first, unsigned cycles) {
    p->cluster->tpm_wait[CLUSTER_TPM_WAIT_LOADS] += cycles;
    p->o_since += cycles;
    p->o_stood = first + cycles - 1;
}

/* Forgets the plans of flights that O has not started, and plans these flights anew. */
static void plan_anew(struct path *p) {
    for (uint32_t n = p->collecting; n != p->arbitrated; ++n) p->o_at[n % PATH_RING] = FLIGHT_NEVER;
    for (uint32_t n = p->left; n != p->arbitrated; ++n) path_flight(p, n)->left = FLIGHT_NEVER;
    if (p->left != p->arbitrated) p->f_left = FLIGHT_NEVER;
    p->planned = p->collecting;
    path_plan(p);
}

unsigned path_collection_wants(const struct path *p, uint64_t t) {
    const struct machine_config *config = p->cluster->config;
    const unsigned ports = config->tpm.read_ports;
    if (p->collecting == p->started || t > p->flight[path_last_collected(p)].collected) return 0;
    const unsigned read = (unsigned)((t - p->o_since) / config->tpm.latency_cycles) * ports;
    const unsigned left = read < p->o_lines ? p->o_lines - read : 0;
    return left < ports ? left : ports;
}

void path_put_off_collection(struct path *p, uint64_t first, unsigned cycles) {
    struct flight *f = path_flight(p, p->collecting - 1);
    path_stand_still(p, first, cycles);
    f->collected += cycles;
    p->o_free = f->collected + 1;
    plan_anew(p);
}

void path_delay_collection(struct path *p, uint64_t t) {
    if (path_stepped(p) || t != p->read_ports.cycle) return;
    const unsigned wanted = path_collection_wants(p, t);
    if (wanted && p->read_ports.taken + wanted > p->cluster->config->tpm.read_ports)
        path_put_off_collection(p, t, 1);
}

void path_count_reads(const struct path *p, struct flight *f) {
    const struct machine_config *config = p->cluster->config;
    const unsigned ports = config->tpm.read_ports;
    f->reads = ports == 1 ? f->read_lines : (f->read_lines + ports - 1) / ports;
    f->collects = f->reads ? f->reads * config->tpm.latency_cycles + f->network : 1;
}

/* O starts in cycle t, with the next flight. */
void path_start_collection(struct path *p, uint64_t t) {
    struct cluster *c = p->cluster;
    const unsigned warp = path_flight_number(p, p->collecting++);
    struct flight *f = &p->flight[warp];
    p->o_at[(p->collecting - 1) % PATH_RING] = f->o = t;
    p->o_since = t;
    p->o_lines = f->read_lines;
    if (f->reads) {
        c->tpm_wait[CLUSTER_TPM_WAIT_OPERANDS] += f->reads - 1;
        c->tpm_wait[CLUSTER_TPM_WAIT_LATENCY] += f->collects - f->network - f->reads;
    }
    if (path_uniform(p) || path_stepped(p)) {
        f->collected = t + f->collects - 1;
        p->o_free = f->collected + 1;
    }
    if (__builtin_expect(p->read_ports.cycle == t, 0)) path_delay_collection(p, t);
    if (path_uniform(p) && f->i && (f->uniform.uniform || c->config->uniform.broadcast_cycles))
        cluster_uniform_collect(c, warp);
}

/* --- D --- */

/* From D to C a warp with a load or store waits for memory. */
static void note_stall(struct path *p, unsigned number) {
    const struct flight *f = &p->flight[number];
    const bool accesses =
        path_is_mixed(p, number) ? alternate_stalls(p, number) : f->i && (f->i->is_load || f->i->is_store);
    if (accesses) warp_set_add(&p->stalled, f->warp);
}

/* simt.slp any: a network brings the operands of threads to any lanes. Not those of loads and stores: a lane
 * has the stacks of its threads, and their translations. */
static void spread(const struct cluster *c, struct flight *f) {
    if (!f->i || f->i->access_count) return;
    f->rounds = ((unsigned)__builtin_popcountll(f->participating) + c->lanes - 1) / c->lanes;
    f->network = c->config->simt.network_cycles;
}

/* How the instruction will be executed, as far as it alone says it. */
static void prepare(struct path *p, struct flight *f) {
    struct cluster *c = p->cluster;
    f->rounds = path_rounds_of(p, f->participating);
    f->network = 0;
    if (path_mitigates(p, MITIGATION_SLP) && c->config->simt.slp == SLP_ANY) spread(c, f);
    f->read_lines = f->i ? (unsigned)__builtin_popcountll(f->i->sources) * c->vtpo_lines : 0;
    path_count_reads(p, f);
    f->executed = false;
    if (PATH_IS_BASE) return; /* where no flight is another's */
    f->uniform.form = UNIFORM_VECTOR;
    f->uniform.inserts = false;
    f->uniform.broadcast = 0;
}

/* Instructions in the dispatch queue when flight n enters it in cycle t, itself included. */
static unsigned queued(struct path *p, uint32_t n, uint64_t t) {
    if (n - p->queue_head >= p->queue_entries)
        p->queue_head = n + 1 - p->queue_entries; /* it holds no more */
    while (p->queue_head != n && p->o_at[p->queue_head % PATH_RING] <= t) ++p->queue_head;
    return n + 1 - p->queue_head;
}

/* D has flight n, which is in the queue after the cycle. */
void path_decode(struct path *p, uint32_t n) {
    struct cluster *c = p->cluster;
    const unsigned warp = path_flight_number(p, n);
    if (path_uniform(p) && p->flight[warp].i) cluster_uniform_decode(c, warp);
    if (!PATH_IS_BASE) note_stall(p, warp);
    histogram_count(&c->queue_occupancy, queued(p, n, p->flight[warp].left + 1));
    if (path_is_two_level(p)) earlier(&p->select_due, p->flight[warp].left + 2);
    p->decoded = n + 1;
}

/* --- what is known ahead --- */

static inline void plan_leaving(struct path *p, uint32_t n, struct flight *f) {
    const uint64_t room = p->o_at[(n - p->queue_entries) % PATH_RING];
    if (f->left != FLIGHT_NEVER || room == FLIGHT_NEVER || f->fetched == FLIGHT_NEVER) return;
    f->left = f->fetched > room ? f->fetched : room;
    if (n + 1 == p->arbitrated) p->f_left = f->left;
}

/* Plans the flights that A has handed over; when all but the last leave F is known already. */
static inline __attribute__((always_inline)) void plan(struct path *p, const bool uniform) {
    const uint32_t last = p->arbitrated - 1;
    for (; p->planned != p->arbitrated; ++p->planned) {
        const uint32_t n = p->planned;
        if (uniform && (int32_t)(p->collecting - n) > 0)
            continue; /* with uniform instructions O says how long it takes */
        const uint64_t buffer = p->x_last_at[(n - p->collectors) % PATH_RING];
        if (buffer == FLIGHT_NEVER || (uniform && (int32_t)(p->decoded - n) <= 0)) break;
        struct flight *f = path_flight(p, n);
        if (n == last) plan_leaving(p, n, f);
        if (f->left == FLIGHT_NEVER) break;
        uint64_t o = f->left + 2;
        later(&o, p->o_free);
        later(&o, buffer + 1);
        p->o_at[n % PATH_RING] = f->o = o;
        if (uniform) break;
        f->collected = o + f->collects - 1;
        p->o_free = f->collected + 1;
    }
    if (p->planned != p->arbitrated && p->f_left == FLIGHT_NEVER) plan_leaving(p, last, path_flight(p, last));
}

void path_plan(struct path *p) {
    if (path_uniform(p))
        plan(p, true);
    else
        plan(p, false);
}

/* A has handed over a flight. A flight before it that is not planned yet waits for a collector, of which
 * nothing new is known. */
static inline void plan_last(struct path *p) {
    const uint32_t last = p->arbitrated - 1;
    if (path_uniform(p))
        plan(p, true);
    else if (p->planned == last)
        plan(p, false);
    else
        plan_leaving(p, last, path_flight(p, last));
}

void path_catch_up(struct path *p, uint64_t t) {
    while (p->collecting != p->arbitrated && p->o_at[p->collecting % PATH_RING] <= t) {
        path_start_collection(p, p->o_at[p->collecting % PATH_RING]);
        if (path_uniform(p)) path_plan(p);
    }
    while (p->left != p->arbitrated && path_flight(p, p->left)->left <= t) ++p->left;
}

void path_pass(struct path *p, uint32_t n) {
    if (p->left == n) p->left = n + 1;
    if (p->decoded == n) path_decode(p, n);
    if (p->collecting == n) path_start_collection(p, p->o_at[n % PATH_RING]);
}

void path_catch_up_decode(struct path *p, uint64_t t) {
    if (p->decoded == p->left) return;
    while (p->decoded != p->left && path_flight(p, p->decoded)->left < t) path_decode(p, p->decoded);
    if (path_uniform(p)) path_plan(p);
}

/* --- S, A, F --- */

void path_rest_scheduler(struct path *p, uint64_t t) {
    struct cluster *c = p->cluster;
    struct warp_scheduler *s = &p->scheduler;
    s->in = (struct warp_scheduler_in){.stalled = warp_set_all(c->warps)};
    warp_scheduler_eval(s);
    path_run_twin(p, CLUSTER_BLOCK_SCHEDULER, t);
    warp_scheduler_clock(s);
}

/* Where there are several clusters a warp's rows have left the host's caches since its last instruction. */
static void prefetch_rows(const struct cluster *c, const struct flight *f) {
    if (!c->uncore->several || !f->i) return;
    const char *rows = (const char *)c->threads[f->warp].registers;
    const unsigned bytes = c->threads[f->warp].positions * 4;
    for (uint64_t rest = f->i->sources | f->i->destinations; rest; rest &= rest - 1)
        for (unsigned b = 0; b < bytes; b += 64)
            __builtin_prefetch(rows + (size_t)__builtin_ctzll(rest) * bytes + b);
}

/* The fetch of a flight reaches lane 0's L1I in cycle t. */
void path_fetch(struct path *p, struct flight *f, uint64_t t) {
    struct cluster *c = p->cluster;
    f->f = f->fetched = t;
    f->left = FLIGHT_NEVER;
    f->i = machine_code_at(c->launch->code, f->pc);
    prepare(p, f);
    prefetch_rows(c, f);
    c->fetch_waits = false;
    if (!f->i || core_fetch_hits(&c->core[0], f->pc, t, &f->fetched)) return;
    const bool alone = !(c->ahead || p->x_flight != PATH_NONE) || core_fetches_alone(&c->core[0], f->pc);
    c->fetch_waits = c->ahead && !alone;
    if (c->fetch_waits) {
        f->fetched = FLIGHT_NEVER;
        return;
    }
    if (!alone) path_flush(p, t - 1);
    f->fetched = core_fetch(&c->core[0], f->pc, t);
    if (!alone && p->x_next < p->hits_end) path_await_beats(p, p->x_next);
}

void path_fetch_in_turn(struct path *p, uint64_t t) {
    path_fetch(p, path_flight(p, p->arbitrated - 1), t);
    if (!path_stepped(p)) path_plan(p);
}

/* A hands its warp over at the end of cycle t, with a PC and who participates. */
static inline void leave_arbitrate(struct path *p, struct flight *f, uint64_t t) {
    struct cluster *c = p->cluster;
    const unsigned warp = f->warp;
    struct warp_descriptors *w = &c->descriptors.warp[warp];
    const unsigned number = path_flight_number(p, p->arbitrated++);
    const uint64_t together = path_alternate(p) ? alternate_together(p, warp) : 0;
    const bool mixed = (together & ~f->participating) != 0;
    if (mixed) f->participating = together;
    tdt_schedule(w, f->participating);
    if (path_notes_descriptors(p)) {
        struct thread_descriptor_table_in *in = &c->descriptors.in;
        w->warp_pc = in->schedule_pc = f->pc;
        in->schedule_threads = f->participating;
        in->schedule = true;
    }
    path_remove(&p->front_end, warp);
    if (path_mitigates(p, MITIGATION_DPE) && w->ready)
        note_ready(p, warp, t + 1, MACHINE_CAUSE_FRONT_END, f->pc);
    p->f_left = FLIGHT_NEVER;
    if (mixed)
        alternate_begin(p, number, t + 1);
    else
        path_fetch(p, f, t + 1);
}

void path_leave_arbitrate(struct path *p, uint64_t t) {
    struct flight *f = path_flight(p, p->arbitrated);
    f->pc = p->arbiter.out.pc;
    f->participating = p->arbiter.out.participating;
    leave_arbitrate(p, f, t);
}

/* path_arbitrate() of the base machine: threads that have run together go on together until others are where
 * they are, or come first. */
static inline void arbitrate_together(struct path *p, struct flight *f, uint64_t t) {
    struct thread_descriptor_table *table = &p->cluster->descriptors;
    struct warp_descriptors *w = &table->warp[f->warp];
    const bool alone = w->together == w->ready,
               known = w->together && (alone || (!(w->together & ~w->ready) && w->together_pc < w->apart));
    if (!known || (!alone && !w->leads && !(w->leads = warp_pc_arbiter_leads(&p->arbiter, w, w->together)))) {
        tdt_settle(table, f->warp);
        warp_pc_arbiter_read(&p->arbiter, w);
        p->arbiter.one_pc = false;
        warp_pc_arbiter_eval(&p->arbiter);
        tdt_gather(table, f->warp, p->arbiter.out.participating, p->arbiter.out.pc);
        w->leads = p->arbiter.cfg.policy != PC_MIN_PC;
    }
    f->pc = w->together_pc;
    f->participating = w->together;
    leave_arbitrate(p, f, t);
}

void path_arbitrate(struct path *p, uint64_t t) {
    struct cluster *c = p->cluster;
    struct flight *f = path_flight(p, p->arbitrated);
    struct warp_descriptors *w = &c->descriptors.warp[f->warp];
    if (PATH_IS_BASE) {
        arbitrate_together(p, f, t);
        return;
    }
    if (w->one_pc && !path_shows(p)) { /* nobody looks at the rest of what the arbiter says */
        f->pc = w->pc[__builtin_ctzll(w->ready)];
        f->participating = w->ready;
        leave_arbitrate(p, f, t);
        return;
    }
    warp_pc_arbiter_read(&p->arbiter, w);
    warp_pc_arbiter_eval(&p->arbiter);
    path_run_twin(p, CLUSTER_BLOCK_ARBITER, t);
    path_leave_arbitrate(p, t);
}

/* S picks a warp in cycle t. */
void path_select(struct path *p, unsigned warp, uint64_t t) {
    const uint32_t n = p->selected++;
    const unsigned number = PATH_IS_BASE ? warp : path_free_flight(p, warp);
    p->order[n % PATH_RING] = (uint8_t)number;
    p->o_at[n % PATH_RING] = p->x_last_at[n % PATH_RING] = FLIGHT_NEVER;
    p->flight[number].s = t;
    p->a_held = t + p->arbitrate_cycles;
    path_add(&p->flying, number);
    p->chosen[number] = p->wait[warp];
    path_add(&p->front_end, warp);
    path_remove(&p->ready_to_run, warp);
}

void path_hand_over(struct path *p, uint64_t t) {
    const bool a_holds = p->selected != p->arbitrated, a_leaves = a_holds && path_arbitrated(p) <= t;
    struct warp_scheduler *s = &p->scheduler;
    s->in.take = !a_holds || a_leaves;
    s->out.valid = false;
    if ((s->in.take && path_any(p->ready_to_run)) || path_is_two_level(p)) {
        s->in.ready = p->ready_to_run;
        if (path_is_two_level(p)) s->in.stalled = p->stalled; /* no other looks at it */
        p->select_due = warp_scheduler_step(s) ? t + 1 : FLIGHT_NEVER;
    }
    p->arbiter.in.ready = 0; /* the arbiter sees a warp in the cycle in which A hands it over */
    if (a_leaves) {
        path_arbitrate(p, t);
        plan_last(p);
    }
    if (s->out.valid) path_select(p, s->out.warp, t);
}

uint64_t path_front_due(const struct path *p) {
    const bool two_level = path_is_two_level(p), uniform = path_uniform(p);
    uint64_t due = path_hand_over_due(p);
    if (__builtin_expect(!two_level && !uniform, 1)) return due;
    if (two_level) earlier(&due, p->select_due);
    if (p->decoded != p->arbitrated) {
        const uint64_t left = p->flight[path_flight_number(p, p->decoded)].left;
        if (left != FLIGHT_NEVER) earlier(&due, left + 1);
    }
    if (uniform && p->collecting != p->arbitrated) earlier(&due, p->o_at[p->collecting % PATH_RING]);
    return due;
}
