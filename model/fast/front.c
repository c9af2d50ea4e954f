/* The front of the fast pipeline: ready warps, S, A, F, D and O, and the stamps of these stages. */
#include "model/fast/parts.h"

#include <string.h>

/* --- warps that are ready to run --- */

void fast_update_ready(struct fast *p, unsigned warp, uint64_t since, enum machine_cause cause, uint32_t pc) {
    const struct warp_descriptors *w = &p->cluster->descriptors.warp[warp];
    const bool ready = w->ready && !w->execution && !(p->front_end >> warp & 1);
    earlier(&p->select_due, since);
    if (!ready) {
        p->ready_to_run &= ~(UINT64_C(1) << warp);
        return;
    }
    if (!(p->ready_to_run >> warp & 1)) p->wait[warp] = (struct warp_wait){since, cause, pc};
    p->ready_to_run |= UINT64_C(1) << warp;
}

void fast_begin(struct fast *p, uint64_t t) {
    const struct machine_config *config = p->cluster->config;
    p->x_flight = p->shown_x_flight = FAST_NONE;
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
    p->read_ports.cycle = p->write_ports.cycle = FAST_NEVER;
    p->o_stood = p->x_stood = FAST_NEVER;
    p->front_end = p->ready_to_run = 0;
    p->warps = p->cluster->warps;
    for (unsigned n = 0; n < p->warps; ++n) p->flight[n].warp = n;
    p->select_due = p->committed = t;
    p->landed = p->x_due = FAST_NEVER;
    held_accesses_clear(&p->held);
    p->hits_end = 0;
    p->x_miss = FAST_NEVER;
}

/* --- O --- */

void fast_stand_still(struct fast *p, uint64_t first, unsigned cycles) {
    p->cluster->tpm_wait[CLUSTER_TPM_WAIT_LOADS] += cycles;
    p->o_since += cycles;
    p->o_stood = first + cycles - 1;
    if (fast_recorder(p))
        recorder_stall(fast_recorder(p), RECORD_STAGE_OPERANDS, first, cycles,
                       fast_flight(p, p->collecting - 1)->warp);
}

/* Discards the plans of flights that O has not started, and plans these flights again. */
static void plan_anew(struct fast *p) {
    for (uint32_t n = p->collecting; n != p->arbitrated; ++n) p->o_at[n % FAST_RING] = FAST_NEVER;
    for (uint32_t n = p->left; n != p->arbitrated; ++n) fast_flight(p, n)->left = FAST_NEVER;
    if (p->left != p->arbitrated) p->f_left = FAST_NEVER;
    p->planned = p->collecting;
    fast_plan(p);
}

unsigned fast_collection_wants(const struct fast *p, uint64_t t) {
    const struct machine_config *config = p->cluster->config;
    const unsigned ports = config->tpm.read_ports;
    if (p->collecting == p->started || t > p->flight[fast_last_collected(p)].collected) return 0;
    const unsigned read = (unsigned)((t - p->o_since) / config->tpm.latency_cycles) * ports;
    const unsigned left = read < p->o_lines ? p->o_lines - read : 0;
    return left < ports ? left : ports;
}

void fast_put_off_collection(struct fast *p, uint64_t first, unsigned cycles) {
    struct fast_flight *f = fast_flight(p, p->collecting - 1);
    fast_stand_still(p, first, cycles);
    f->collected += cycles;
    p->o_free = f->collected + 1;
    plan_anew(p);
}

void fast_delay_collection(struct fast *p, uint64_t t) {
    if (t != p->read_ports.cycle) return;
    const unsigned wanted = fast_collection_wants(p, t);
    if (wanted && p->read_ports.taken + wanted > p->cluster->config->tpm.read_ports)
        fast_put_off_collection(p, t, 1);
}

void fast_count_reads(const struct fast *p, struct fast_flight *f) {
    const struct machine_config *config = p->cluster->config;
    const unsigned ports = config->tpm.read_ports;
    f->reads = ports == 1 ? f->read_lines : (f->read_lines + ports - 1) / ports;
    f->collects = f->reads ? f->reads * config->tpm.latency_cycles : 1;
}

/* Starts the collection of the next flight in cycle t. */
void fast_start_collection(struct fast *p, uint64_t t) {
    struct cluster *c = p->cluster;
    const unsigned warp = fast_flight_number(p, p->collecting++);
    struct fast_flight *f = &p->flight[warp];
    p->o_at[(p->collecting - 1) % FAST_RING] = f->o = t;
    p->o_since = t;
    p->o_lines = f->read_lines;
    if (f->reads) {
        c->tpm_wait[CLUSTER_TPM_WAIT_OPERANDS] += f->reads - 1;
        c->tpm_wait[CLUSTER_TPM_WAIT_LATENCY] += f->collects - f->reads;
    }
    if (__builtin_expect(p->read_ports.cycle == t, 0)) fast_delay_collection(p, t);
}

/* --- D --- */

/* Sets the parts of a flight that depend on its instruction alone. */
static void prepare(struct fast *p, struct fast_flight *f) {
    struct cluster *c = p->cluster;
    f->rounds = c->rounds;
    f->read_lines = f->i ? arm_rows_of(f->i->sources) * c->vtpo_lines : 0;
    fast_count_reads(p, f);
    f->executed = false;
}

/* Returns the number of instructions in the dispatch queue after flight n has entered it in cycle t. */
static unsigned queued(struct fast *p, uint32_t n, uint64_t t) {
    if (n - p->queue_head >= p->queue_entries)
        p->queue_head = n + 1 - p->queue_entries; /* the capacity of the queue */
    while (p->queue_head != n && p->o_at[p->queue_head % FAST_RING] <= t) ++p->queue_head;
    return n + 1 - p->queue_head;
}

/* Decodes flight n, which is in the queue after the cycle. */
void fast_decode(struct fast *p, uint32_t n) {
    struct cluster *c = p->cluster;
    const unsigned warp = fast_flight_number(p, n);
    histogram_count(&c->queue_occupancy, queued(p, n, p->flight[warp].left + 1));
    p->decoded = n + 1;
}

/* --- what is known ahead --- */

static inline void plan_leaving(struct fast *p, uint32_t n, struct fast_flight *f) {
    const uint64_t room = p->o_at[(n - p->queue_entries) % FAST_RING];
    if (f->left != FAST_NEVER || room == FAST_NEVER || f->fetched == FAST_NEVER) return;
    f->left = f->fetched > room ? f->fetched : room;
    if (n + 1 == p->arbitrated) p->f_left = f->left;
}

/* Computes the stamps of flights that A has handed over, as far as they are known. If a flight must wait,
 * only its successors' time in F is left open. */
void fast_plan(struct fast *p) {
    const uint32_t last = p->arbitrated - 1;
    for (; p->planned != p->arbitrated; ++p->planned) {
        const uint32_t n = p->planned;
        const uint64_t buffer = p->x_last_at[(n - p->collectors) % FAST_RING];
        if (buffer == FAST_NEVER) break;
        struct fast_flight *f = fast_flight(p, n);
        if (n == last) plan_leaving(p, n, f);
        if (f->left == FAST_NEVER) break;
        uint64_t o = f->left + 2;
        later(&o, p->o_free);
        later(&o, buffer + 1);
        p->o_at[n % FAST_RING] = f->o = o;
        f->collected = o + f->collects - 1;
        p->o_free = f->collected + 1;
    }
    if (p->planned != p->arbitrated && p->f_left == FAST_NEVER) plan_leaving(p, last, fast_flight(p, last));
}

/* Plans the flight that A has just handed over. An earlier unplanned flight waits for a collector; nothing
 * new is known about it. */
static inline void plan_last(struct fast *p) {
    const uint32_t last = p->arbitrated - 1;
    if (p->planned == last)
        fast_plan(p);
    else
        plan_leaving(p, last, fast_flight(p, last));
}

void fast_catch_up(struct fast *p, uint64_t t) {
    while (p->collecting != p->arbitrated && p->o_at[p->collecting % FAST_RING] <= t)
        fast_start_collection(p, p->o_at[p->collecting % FAST_RING]);
    while (p->left != p->arbitrated && fast_flight(p, p->left)->left <= t) ++p->left;
}

void fast_pass(struct fast *p, uint32_t n) {
    if (p->left == n) p->left = n + 1;
    if (p->decoded == n) fast_decode(p, n);
    if (p->collecting == n) fast_start_collection(p, p->o_at[n % FAST_RING]);
}

void fast_catch_up_decode(struct fast *p, uint64_t t) {
    while (p->decoded != p->left && fast_flight(p, p->decoded)->left < t) fast_decode(p, p->decoded);
}

/* --- S, A, F --- */

/* Fetches a flight, which reaches lane 0's L1I in cycle t. */
void fast_fetch(struct fast *p, struct fast_flight *f, uint64_t t) {
    struct cluster *c = p->cluster;
    f->f = f->fetched = t;
    f->left = FAST_NEVER;
    f->i = machine_code_at(c->launch->code, f->pc);
    prepare(p, f);
    cluster_prefetch_rows(c, f->warp, f->i);
    c->fetch_waits = false;
    if (!f->i || core_fetch_hits(&c->core[0], f->pc, t, &f->fetched)) return;
    const bool alone = !(c->ahead || p->x_flight != FAST_NONE) || core_fetches_alone(&c->core[0], f->pc);
    c->fetch_waits = c->ahead && !alone;
    if (c->fetch_waits) {
        f->fetched = FAST_NEVER;
        return;
    }
    if (!alone) fast_flush(p, t - 1);
    f->fetched = core_fetch(&c->core[0], f->pc, t);
    if (!alone && p->x_next < p->hits_end) fast_await_beats(p, p->x_next);
}

void fast_fetch_in_turn(struct fast *p, uint64_t t) {
    fast_fetch(p, fast_flight(p, p->arbitrated - 1), t);
    fast_plan(p);
}

/* Ends A for a flight at the end of cycle t: its PC and its threads are known. */
static inline void leave_arbitrate(struct fast *p, struct fast_flight *f, uint64_t t) {
    struct cluster *c = p->cluster;
    const unsigned warp = f->warp;
    struct warp_descriptors *w = &c->descriptors.warp[warp];
    ++p->arbitrated;
    tdt_schedule(w, f->participating);
    p->front_end &= ~(UINT64_C(1) << warp);
    p->f_left = FAST_NEVER;
    fast_fetch(p, f, t + 1);
}

/* Arbitrates flight `arbitrated`. Threads that ran together stay together until other threads reach their PC
 * or have priority. */
static inline void arbitrate(struct fast *p, uint64_t t) {
    struct fast_flight *f = fast_flight(p, p->arbitrated);
    const struct warp_descriptors *w = &p->cluster->descriptors.warp[f->warp];
    cluster_arbitrate(p->cluster, f->warp, false);
    f->pc = w->together_pc;
    f->participating = w->together;
    leave_arbitrate(p, f, t);
}

/* Selects a warp in cycle t. */
static inline void select_warp(struct fast *p, unsigned warp, uint64_t t) {
    const uint32_t n = p->selected++;
    p->order[n % FAST_RING] = (uint8_t)warp;
    p->o_at[n % FAST_RING] = p->x_last_at[n % FAST_RING] = FAST_NEVER;
    p->flight[warp].s = t;
    p->a_held = t + p->arbitrate_cycles;
    p->chosen[warp] = p->wait[warp];
    p->front_end |= UINT64_C(1) << warp;
    p->ready_to_run &= ~(UINT64_C(1) << warp);
}

void fast_hand_over(struct fast *p, uint64_t t) {
    const bool a_holds = p->selected != p->arbitrated, a_leaves = a_holds && fast_arbitrated(p) <= t;
    struct warp_scheduler *s = &p->cluster->blocks.scheduler;
    s->in.take = !a_holds || a_leaves;
    s->out.valid = false;
    if (s->in.take && p->ready_to_run) {
        s->in.ready = p->ready_to_run;
        p->select_due = warp_scheduler_step(s) ? t + 1 : FAST_NEVER;
    }
    p->cluster->blocks.arbiter.in.ready =
        0; /* the arbiter sees a warp in the cycle in which A hands it over */
    if (a_leaves) {
        arbitrate(p, t);
        plan_last(p);
    }
    if (s->out.valid) select_warp(p, s->out.warp, t);
}
