/* The lanes (X): rounds of warp instructions and their memory accesses, computed ahead or, where every cycle
 * is visited, step by step. */
#include "model/cluster/cluster_simt.h"
#include "model/control/tpo_address.h"

#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

/* The cycles in which the lanes stood still before this instruction, each charged to what it then waited for.
 */
static void charge_gap(struct cluster *c, unsigned warp, uint64_t until) {
    const struct warp_flight *f = &c->flight[warp];
    const struct warp_wait *w = &c->wait[warp];
    uint64_t t = c->x_free;
    const struct {
        uint64_t end;
        enum machine_cause cause;
        uint32_t pc;
    } phase[] = {
        {w->since, w->cause, w->pc},
        {f->f + 1, MACHINE_CAUSE_FRONT_END, f->pc},
        {f->fetched + 1, MACHINE_CAUSE_FETCH, f->pc},
        {f->o, MACHINE_CAUSE_FRONT_END, f->pc},
        {until, MACHINE_CAUSE_OPERANDS, f->pc},
    };
    for (unsigned p = 0; p < sizeof phase / sizeof phase[0] && t < until; ++p) {
        const uint64_t end = phase[p].end < until ? phase[p].end : until;
        if (end <= t) continue;
        cluster_charge(c, phase[p].cause, phase[p].pc, end - t);
        t = end;
    }
}

/* A result that is there already is in the lanes for a cycle. */
static unsigned occupancy_of(const struct cluster *c, const struct warp_flight *f) {
    return f->uniform.form == UNIFORM_REUSED ? 1 : c->config->core.occupancy_cycles[f->i->class];
}

static unsigned latency_of(const struct cluster *c, const struct warp_flight *f) {
    return f->uniform.form == UNIFORM_REUSED ? 1 : c->config->core.latency_cycles[f->i->class];
}

/* Of an instruction without memory accesses. */
static void charge_rounds(struct cluster *c, const struct warp_flight *f) {
    cluster_charge(c, MACHINE_CAUSE_EXECUTE, f->pc, f->rounds);
    cluster_charge(c, MACHINE_CAUSE_OCCUPIED, f->pc, (uint64_t)f->rounds * (occupancy_of(c, f) - 1));
}

/* An instruction without memory accesses: all its rounds are known now. */
static void run_rounds(struct cluster *c, unsigned warp, uint64_t t) {
    const struct warp_flight *f = &c->flight[warp];
    const unsigned occupancy = occupancy_of(c, f);
    c->x_last = t + (uint64_t)(f->rounds - 1) * occupancy;
    c->x_free = c->x_last + occupancy;
    charge_rounds(c, f);
    cluster_land(c, warp, c->x_last + latency_of(c, f) - 1);
}

#define NO_THREAD (-1)

/* Could the lane's L2 refuse a request now? Only then is the round's start a question. */
static bool may_refuse(const struct private_l2 *l) {
    return l->outstanding + 2 > l->mshrs || l->outstanding + 2 > l->tags.ways;
}

/* The thread that accesses memory in a lane in this round: its position, or NO_THREAD. */
static int accessing(const struct cluster *c, const struct warp_flight *f, unsigned lane) {
    if (warp_flight_is_scalar(f)) return lane == 0 ? __builtin_ctzll(f->execution.passed) : NO_THREAD;
    const unsigned k = cluster_position(c, lane, c->x_round);
    return f->execution.passed >> k & 1 ? (int)k : NO_THREAD;
}

/* What a lane's thread k of a warp accesses in this beat: bytes in memory from an address, words in its TPM.
 */
static uint32_t beat_of(const struct cluster *c, const struct warp_flight *f, unsigned lane, unsigned k,
                        uint32_t *in_memory, unsigned *words) {
    const uint32_t address = f->execution.address[k] + c->x_beat * c->x_bytes;
    if (__builtin_expect(c->twins && lane == 0, 0)) {
        *words = c->address.out.words;
        *in_memory = c->address.out.memory;
        return address;
    }
    *in_memory = c->x_bytes;
    *words = 0;
    if (f->execution.in_stack >> k & 1) {
        const struct arm_threads *t = &c->threads[c->x_warp];
        *words = tpo_stack_words(t->stack_size, t->stack_objects, address, c->x_bytes, in_memory);
    }
    return address;
}

/* --- beside twins: tpo_address for lane 0, in every cycle --- */

static void run_address(struct cluster *c, uint64_t t) {
    tpo_address_eval(&c->address);
    cluster_run_twin(c, CLUSTER_BLOCK_ADDRESS, t);
    c->address_cycle = t;
}

/* The access of the beat that starts. */
static void locate_access(struct cluster *c, const struct warp_flight *f, uint64_t t) {
    struct tpo_address_in *in = &c->address.in;
    const int accesses = accessing(c, f, 0);
    const unsigned k = accesses == NO_THREAD ? cluster_position(c, 0, c->x_round) : (unsigned)accesses;
    const bool block = c->config->simt.lane_map == LANE_MAP_BLOCK;
    const unsigned lane = block ? k / c->rounds : k % c->lanes; /* whose stacks: a scalar's may be any */
    in->context = (unsigned)c->x_warp * c->rounds + (block ? k % c->rounds : k / c->lanes);
    in->top = c->stack_top + (lane << (in->stack_bits + in->contexts_bits));
    in->object = f->i->rd;
    in->access = accesses != NO_THREAD;
    if (in->access) in->address = f->execution.address[k] + c->x_beat * c->x_bytes;
    in->bytes = c->x_bytes;
    run_address(c, t);
}

/* No access starts: the first operand that is read, of the warp's first thread in the lane. */
void cluster_locate_operand(struct cluster *c, uint64_t t) {
    struct tpo_address_in *in = &c->address.in;
    const struct operand_collector_out *o = &c->collector.out;
    if (c->address_cycle == t) return;
    in->access = false;
    if (o->objects) {
        in->context = o->warp * c->rounds;
        in->object = (unsigned)__builtin_ctzll(o->objects);
    }
    run_address(c, t);
}

/* A beat of a round starts only if every lane's L2 takes its requests: the cycle to try again, or 0. */
static uint64_t refused_until(struct cluster *c, const struct warp_flight *f, uint64_t t) {
    uint64_t later = 0;
    unsigned words;
    uint32_t bytes;
    for (unsigned lane = 0; lane < c->lanes; ++lane) {
        struct core *core = &c->core[lane];
        struct private_l2 *l2 = &core->l2;
        if (!may_refuse(l2)) continue;
        const int k = accessing(c, f, lane);
        if (k == NO_THREAD) continue;
        const uint32_t address = beat_of(c, f, lane, (unsigned)k, &bytes, &words);
        if (!bytes) continue;
        const uint64_t again =
            private_l2_refuses(l2, core_physical(core, address), bytes, f->i->is_store, t + 1);
        if (again > later) later = again;
    }
    return later > t + 1 ? later - 1 : 0;
}

/* --- accesses that wait for their translations, the oldest first --- */

static void make_room(struct cluster *c) {
    if (c->held_first) {
        c->held_end -= c->held_first;
        memmove(c->held, c->held + c->held_first, c->held_end * sizeof *c->held);
        c->held_first = 0;
        return;
    }
    c->held_room = 2 * c->held_room + 64;
    c->held = realloc(c->held, c->held_room * sizeof *c->held);
    require_memory(c->held);
}

static void hold(struct cluster *c, struct held_access a) {
    if (c->held_end == c->held_room) make_room(c);
    unsigned n = c->held_end++;
    for (; n > c->held_first && c->held[n - 1].at > a.at; --n) c->held[n] = c->held[n - 1];
    c->held[n] = a;
    c->held_next = c->held[c->held_first].at;
}

/* A translated access with its round in X in cycle t; the cycle at whose end it is done (a load) or accepted
 * (a store). */
static uint64_t make_access(struct core *core, bool store, uint32_t address, uint32_t bytes, uint64_t t) {
    const unsigned shift = core->l2.tags.line_shift;
    const uint32_t last = (address + bytes - 1) >> shift;
    uint64_t done, latest = t;
    for (uint32_t line = address >> shift; line <= last; ++line) {
        ++t;
        while (!private_l2_access(&core->l2, line << shift, store, t, &done)) t = done;
        if (done > latest) latest = done;
    }
    return store ? t : latest;
}

/* An instruction whose rounds have all started has its last result in cycle `result`. */
static void end_instruction(struct cluster *c, struct warp_flight *f, uint64_t result) {
    f->result = result;
    if (result < c->landed) c->landed = result;
    histogram_add(&c->memory_latency, result + 1 - f->x);
}

static void made_held(struct cluster *c, struct warp_flight *f, uint64_t done) {
    uint64_t *result = f->result == CLUSTER_NEVER ? &f->made : &f->result;
    if (done > *result) *result = done;
    if (!--f->held && f->result == CLUSTER_NEVER) end_instruction(c, f, f->made);
}

bool cluster_make_held(struct cluster *c, uint64_t t) {
    while (c->held_next <= t) {
        struct held_access a = c->held[c->held_first++];
        struct core *core = &c->core[a.lane];
        c->held_next = c->held_first < c->held_end ? c->held[c->held_first].at : CLUSTER_NEVER;
        const uint64_t again = private_l2_refuses(&core->l2, a.address, a.bytes, a.store, t + 1);
        if (again > t + 1) {
            a.at = again - 1;
            hold(c, a);
        } else {
            made_held(c, &c->flight[a.warp], make_access(core, a.store, a.address, a.bytes, t));
        }
    }
    return true;
}

/* One thread's access in cycle t. */
static void access_lane(struct cluster *c, struct warp_flight *f, unsigned lane, uint32_t address,
                        uint32_t bytes, uint64_t t) {
    struct core *core = &c->core[lane];
    const uint64_t there = core_translate(core, &core->dtlb, address, t + 1);
    address = core_physical(core, address);
    if (there > t + 1) {
        ++f->held;
        hold(c, (struct held_access){there - 1, address, bytes, (uint8_t)lane, (uint8_t)c->x_warp,
                                     f->i->is_store});
        return;
    }
    const uint64_t done = make_access(core, f->i->is_store, address, bytes, t);
    if (done > f->result) f->result = done;
}

static void access_round(struct cluster *c, struct warp_flight *f, uint64_t t) {
    unsigned words;
    uint32_t bytes;
    for (unsigned lane = 0; lane < c->lanes; ++lane) {
        const int k = accessing(c, f, lane);
        if (k == NO_THREAD) continue;
        const uint32_t address = beat_of(c, f, lane, (unsigned)k, &bytes, &words);
        c->stack_held += words != 0;
        c->stack_spilled += bytes && f->execution.in_stack >> k & 1;
        if (!bytes) continue;
        access_lane(c, f, lane, address, bytes, t);
    }
}

/* The most words that a lane accesses in its TPM in this beat. */
static unsigned most_words(const struct cluster *c, const struct warp_flight *f) {
    unsigned most = 0, words;
    uint32_t bytes;
    for (unsigned lane = 0; lane < c->lanes; ++lane) {
        const int k = accessing(c, f, lane);
        if (k == NO_THREAD || !(f->execution.in_stack >> k & 1)) continue;
        beat_of(c, f, lane, (unsigned)k, &bytes, &words);
        if (words > most) most = words;
    }
    return most;
}

/* Ports that a beat may have in cycle t. */
static unsigned free_ports(const struct cluster *c, bool store, uint64_t t) {
    if (!store) return c->config->tpm.read_ports;
    return c->config->tpm.write_ports - (c->write_ports.cycle == t ? c->write_ports.taken : 0);
}

/* The beat's words in the TPM, as many as there are ports in cycle t. */
static void access_tpm(struct cluster *c, struct warp_flight *f, uint64_t t) {
    const bool store = f->i->is_store;
    const unsigned ports = free_ports(c, store, t), taken = c->x_words < ports ? c->x_words : ports;
    const uint64_t done = store ? t : t + c->config->tpm.latency_cycles - 1;
    if (done > f->result) f->result = done;
    c->x_words -= taken;
    if (store) return;
    c->read_ports.cycle = t;
    c->read_ports.taken = taken;
    cluster_delay_collection(c, t);
}

/* The rest of a beat waits for ports until the next cycle. */
static void wait_for_ports(struct cluster *c, const struct warp_flight *f, uint64_t t) {
    const bool others = f->i->is_store && c->write_ports.cycle == t && c->write_ports.taken;
    ++c->tpm_wait[others ? CLUSTER_TPM_WAIT_STORES : CLUSTER_TPM_WAIT_WORDS];
    cluster_charge(c, MACHINE_CAUSE_TPM, f->pc, 1);
    c->x_stood = t;
    c->x_next = t + 1;
}

/* The accesses of a round start together. False: not in cycle t. */
static bool start_beat(struct cluster *c, struct warp_flight *f, uint64_t t) {
    if (__builtin_expect(c->twins != NULL, 0)) locate_access(c, f, t);
    const uint64_t again = refused_until(c, f, t);
    if (again) {
        cluster_charge(c, MACHINE_CAUSE_MSHR, f->pc, again - t);
        c->x_next = c->x_refused = again;
        return false;
    }
    const unsigned words = f->execution.in_stack ? most_words(c, f) : 0;
    if (words && !free_ports(c, f->i->is_store, t)) {
        wait_for_ports(c, f, t);
        return false;
    }
    access_round(c, f, t);
    c->x_words = words;
    return true;
}

/* A beat of the last round: a load has a register for it, a store may write its base back in the end. */
static void write_beat(struct cluster *c, unsigned warp) {
    const struct arm_instruction *i = c->flight[warp].i;
    if (i->is_store && c->x_beat + 1 < i->access_count) return;
    cluster_uniform_write(c, warp, c->x_beat);
}

/* A beat: what each thread of the round accesses in one cycle, a register of a multiple access or all. False:
 * it cannot end in cycle t. */
static bool access_beat(struct cluster *c, struct warp_flight *f, uint64_t t) {
    if (!c->x_words && !start_beat(c, f, t)) return false;
    if (c->x_words) access_tpm(c, f, t);
    if (c->x_words) {
        wait_for_ports(c, f, t);
        return false;
    }
    const unsigned occupancy = occupancy_of(c, f);
    cluster_charge(c, c->x_beat ? MACHINE_CAUSE_OCCUPIED : MACHINE_CAUSE_EXECUTE, f->pc, 1);
    cluster_charge(c, MACHINE_CAUSE_OCCUPIED, f->pc, occupancy - 1);
    c->x_next = t + occupancy;
    if (c->uniform.on && c->x_round + 1 == f->rounds) write_beat(c, (unsigned)c->x_warp);
    return true;
}

/* The last round has been started in cycle t. */
static void end_accesses(struct cluster *c, unsigned warp, uint64_t t) {
    struct warp_flight *f = &c->flight[warp];
    c->x_last = t;
    c->x_free = c->x_next;
    c->x_warp = CLUSTER_NO_WARP;
    f->made = f->result;
    if (c->uniform.on) cluster_uniform_executed(c, warp);
    cluster_land(c, warp, CLUSTER_NEVER);
    if (!f->held) end_instruction(c, f, f->made);
}

static void run_beat(struct cluster *c, uint64_t t) {
    struct warp_flight *f = &c->flight[c->x_warp];
    if (!access_beat(c, f, t) || ++c->x_beat < f->i->access_count) return;
    c->x_beat = 0;
    if (++c->x_round == f->rounds) end_accesses(c, (unsigned)c->x_warp, t);
}

static bool accesses_memory(const struct warp_flight *f) {
    return (f->i->is_load || f->i->is_store) && f->execution.passed;
}

enum machine_cause cluster_lanes_cause(const struct cluster *c, uint64_t t) {
    const struct warp_flight *f = &c->flight[c->shown_x_warp];
    if (accesses_memory(f)) return t < c->x_refused ? MACHINE_CAUSE_MSHR : MACHINE_CAUSE_OCCUPIED;
    return (t - f->x) % occupancy_of(c, f) ? MACHINE_CAUSE_OCCUPIED : MACHINE_CAUSE_EXECUTE;
}

static void enter_lanes(struct cluster *c, unsigned warp) {
    c->x_warp = (int)warp;
    c->x_last = CLUSTER_NEVER;
    c->x_free = CLUSTER_NEVER;
}

/* A thread alone in its warp accesses its stack: only its lane has it. */
static void run_as_vector(const struct cluster *c, struct warp_flight *f) {
    f->rounds = c->rounds;
    f->uniform.form = UNIFORM_VECTOR;
}

static void begin_accesses(struct cluster *c, unsigned warp, uint64_t t) {
    struct warp_flight *f = &c->flight[warp];
    if (warp_flight_is_scalar(f) && f->execution.in_stack) run_as_vector(c, f);
    c->memory_instructions += (unsigned)__builtin_popcountll(f->execution.passed);
    enter_lanes(c, warp);
    c->x_round = c->x_beat = c->x_words = 0;
    c->x_refused = 0;
    f->held = 0;
    c->x_bytes = f->i->access_bytes / f->i->access_count;
    f->result = t;
}

static bool is_collected(const struct cluster *c, uint64_t t) {
    return c->collected_count && c->flight[c->collected[0]].collected < t;
}

/* The oldest collected instruction goes to the lanes. False: it fails. */
static bool take_collected(struct cluster *c, uint64_t t) {
    const unsigned warp = c->collected[0];
    charge_gap(c, warp, t);
    for (unsigned n = 1; n < c->collected_count; ++n) c->collected[n - 1] = c->collected[n];
    --c->collected_count;
    c->flight[warp].x = t;
    c->shown_x_warp = (int)warp;
    if (!cluster_execute(c, warp, t)) return false;
    if (__builtin_expect(c->fault != NULL, 0) && !c->uniform.on) fault_executed(c, warp);
    return true;
}

/* What is no load or store writes all its results at once. */
static void execute_uniform(struct cluster *c, unsigned warp) {
    if (c->flight[warp].execution.passed) cluster_uniform_write(c, warp, 0);
    if (__builtin_expect(c->fault != NULL, 0)) fault_executed(c, warp);
    cluster_uniform_executed(c, warp);
}

static bool start_rounds(struct cluster *c, uint64_t t) {
    if (!is_collected(c, t)) return false;
    const unsigned warp = c->collected[0];
    if (!take_collected(c, t)) return true;
    if (accesses_memory(&c->flight[warp])) {
        begin_accesses(c, warp, t);
        run_beat(c, t);
    } else {
        if (c->uniform.on) execute_uniform(c, warp);
        run_rounds(c, warp, t);
    }
    return true;
}

bool cluster_run_lanes(struct cluster *c, uint64_t t) {
    if (c->x_warp == CLUSTER_NO_WARP) return start_rounds(c, t);
    run_beat(c, t);
    return true;
}

/* --- X, step by step: the same, as the dispatcher says --- */

/* The oldest collected instruction. How many rounds and beats it has is known once it is executed. */
static void offer(struct cluster *c, uint64_t t) {
    struct subwarp_dispatcher_in *in = &c->dispatcher.in;
    *in = (struct subwarp_dispatcher_in){.rounds = c->rounds, .beats = 1, .occupancy = 1};
    in->valid = is_collected(c, t);
    if (!in->valid) return;
    const struct warp_flight *f = &c->flight[c->collected[0]];
    in->warp = c->collected[0];
    if (f->i) in->occupancy = occupancy_of(c, f);
}

/* The dispatcher takes it. False: it fails. */
static bool take_offered(struct cluster *c, uint64_t t) {
    struct subwarp_dispatcher_in *in = &c->dispatcher.in;
    struct warp_flight *f = &c->flight[in->warp];
    if (!take_collected(c, t)) return false;
    if (accesses_memory(f)) {
        in->beats = f->i->access_count;
        c->x_next = t;
        begin_accesses(c, in->warp, t);
        in->rounds = f->rounds;
        return true;
    }
    if (c->uniform.on) execute_uniform(c, in->warp);
    in->rounds = f->rounds;
    in->occupancy = occupancy_of(c, f);
    enter_lanes(c, in->warp);
    c->x_next = t + (uint64_t)in->rounds * in->occupancy;
    charge_rounds(c, f);
    return true;
}

/* Do the lanes finish the beat that is made in cycle t? */
static bool finish_beat(struct cluster *c, uint64_t t) {
    const struct subwarp_dispatcher_out *out = &c->dispatcher.out;
    if (c->x_warp == CLUSTER_NO_WARP) return true;
    struct warp_flight *f = &c->flight[c->x_warp];
    if (!accesses_memory(f)) return true;
    if (t < c->x_next) return false;
    const unsigned v = out->context % c->rounds, first = c->rounds - f->rounds;
    c->x_round = v < first ? 0 : v - first;
    c->x_beat = out->beat;
    if (!access_beat(c, f, t)) return false;
    if (++c->x_beat == f->i->access_count) c->x_beat = 0;
    return true;
}

/* After the dispatcher's evaluation. The lanes stand while it makes no beat although it could. */
static void end_beat(struct cluster *c, uint64_t t) {
    const struct subwarp_dispatcher *d = &c->dispatcher;
    const unsigned warp = (unsigned)c->x_warp;
    struct warp_flight *f = &c->flight[warp];
    if (t >= c->x_next) {
        cluster_charge(c, MACHINE_CAUSE_OCCUPIED, f->pc, 1);
        c->x_next = t + 1;
    }
    if (!d->out.valid || d->in.hold || !d->out.last) return;
    if (accesses_memory(f)) {
        end_accesses(c, warp, t);
        return;
    }
    c->x_last = t;
    c->x_free = c->x_next;
    c->x_warp = CLUSTER_NO_WARP;
    cluster_land(c, warp, t + latency_of(c, f) - 1);
}

bool cluster_step_dispatcher(struct cluster *c, uint64_t t) {
    struct subwarp_dispatcher *d = &c->dispatcher;
    offer(c, t);
    subwarp_dispatcher_eval(d);
    if (d->out.first && d->in.valid && c->x_warp == CLUSTER_NO_WARP && !take_offered(c, t)) return true;
    d->in.hold = d->out.valid && !finish_beat(c, t);
    subwarp_dispatcher_eval(d);
    cluster_run_twin(c, CLUSTER_BLOCK_DISPATCHER, t);
    if (c->x_warp != CLUSTER_NO_WARP) end_beat(c, t);
    subwarp_dispatcher_clock(d);
    return d->in.valid || d->out.busy;
}
