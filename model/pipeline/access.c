/* The memory accesses of rounds: beats, lines, TPM ports, and accesses that wait for their translations. */
#include "model/pipeline/pipeline.h"
#include "model/control/tpo_address.h"

#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

#define NO_THREAD (-1)

/* Could the lane's L2 refuse a request now? Only then is the round's start a question. */
static bool may_refuse(const struct private_l2 *l) {
    return l->outstanding + 2 > l->mshrs || l->outstanding + 2 > l->tags.ways;
}

/* The thread that accesses memory in a lane in this round: its position, or NO_THREAD. */
static inline int accessing(const struct path *p, const struct flight *f, unsigned lane) {
    if (path_is_scalar(f)) return lane == 0 ? __builtin_ctzll(f->execution.passed) : NO_THREAD;
    const int k = cluster_executes(p->cluster, f->participating, lane, p->x_round);
    return k >= 0 && f->execution.passed >> k & 1 ? k : NO_THREAD;
}

/* What a lane's thread k of a warp accesses in this beat: bytes in memory from an address,
 * words in its TPM. */
static inline __attribute__((always_inline)) uint32_t beat_of(const struct path *p, const struct flight *f,
                                                              unsigned lane, unsigned k, uint32_t *in_memory,
                                                              unsigned *words) {
    const uint32_t address = f->execution.address[k] + p->x_beat * p->x_bytes;
    if (path_stepped(p) && lane == 0) {
        *words = p->cluster->address.out.words;
        *in_memory = p->cluster->address.out.memory;
        return address;
    }
    *in_memory = p->x_bytes;
    *words = 0;
    if (f->execution.in_stack >> k & 1) {
        const struct arm_threads *t = &p->cluster->threads[f->warp];
        *words = tpo_stack_words(t->stack_size, t->stack_objects, address, p->x_bytes, in_memory);
    }
    return address;
}

/* --- clocked: tpo_address for lane 0, in every cycle --- */

static void run_address(struct path *p, uint64_t t) {
    struct tpo_address_in *in = &p->cluster->address.in;
    in->base = tpo_base(p->cluster->rounds, in->n_tpo, in->context);
    tpo_address_eval(&p->cluster->address);
    cluster_run_twin(p->cluster, CLUSTER_BLOCK_ADDRESS, t);
    p->cluster->address_cycle = t;
}

/* The access of the beat that starts. */
static void locate_access(struct path *p, const struct flight *f, uint64_t t) {
    struct tpo_address_in *in = &p->cluster->address.in;
    const struct lane_map map = p->cluster->map;
    const int accesses = accessing(p, f, 0);
    const unsigned k = accesses == NO_THREAD ? lane_map_position(map, 0, p->x_round) : (unsigned)accesses;
    const unsigned lane = lane_map_lane(map, k); /* whose stacks: a scalar's may be any */
    in->context = f->warp * map.rounds + lane_map_round(map, k);
    in->top = p->cluster->stack_top + (lane << (in->stack_bits + in->contexts_bits));
    in->object = f->i->rd;
    in->access = accesses != NO_THREAD;
    if (in->access) in->address = f->execution.address[k] + p->x_beat * p->x_bytes;
    in->bytes = p->x_bytes;
    run_address(p, t);
}

/* No access starts: the first operand that is read, of the warp's first thread in the lane. */
void path_locate_operand(struct path *p, uint64_t t) {
    struct tpo_address_in *in = &p->cluster->address.in;
    const struct operand_collector_out *o = &p->collector.out;
    if (p->cluster->address_cycle == t) return;
    in->access = false;
    if (o->objects) {
        in->context = o->warp * p->cluster->rounds;
        in->object = (unsigned)__builtin_ctzll(o->objects);
    }
    run_address(p, t);
}

/* A beat of a round starts only if every lane's L2 takes its requests: the cycle to try again, or 0. */
static uint64_t refused_until(struct path *p, const struct flight *f, uint64_t t) {
    uint64_t later = 0;
    unsigned words;
    uint32_t bytes;
    for (unsigned lane = 0; lane < p->cluster->lanes; ++lane) {
        struct core *core = &p->cluster->core[lane];
        struct private_l2 *l2 = &core->l2;
        if (!may_refuse(l2)) continue;
        const int k = accessing(p, f, lane);
        if (k == NO_THREAD) continue;
        const uint32_t address = beat_of(p, f, lane, (unsigned)k, &bytes, &words);
        if (!bytes) continue;
        const uint64_t again =
            private_l2_refuses(l2, core_physical(core, address), bytes, f->i->is_store, t + 1);
        if (again > later) later = again;
    }
    return later > t + 1 ? later - 1 : 0;
}

/* --- accesses that wait for their translations, the oldest first --- */

static void make_room(struct path *p) {
    if (p->held_first) {
        p->held_end -= p->held_first;
        memmove(p->held, p->held + p->held_first, p->held_end * sizeof *p->held);
        p->held_first = 0;
        return;
    }
    p->held_room = 2 * p->held_room + 64;
    p->held = realloc(p->held, p->held_room * sizeof *p->held);
    require_memory(p->held);
}

static void hold(struct path *p, struct held_access a) {
    if (p->held_end == p->held_room) make_room(p);
    unsigned n = p->held_end++;
    for (; n > p->held_first && p->held[n - 1].at > a.at; --n) p->held[n] = p->held[n - 1];
    p->held[n] = a;
    p->held_next = p->held[p->held_first].at;
}

/* The oldest, which has been taken out, waits longer. */
static void hold_on(struct path *p, struct held_access a) {
    unsigned n = --p->held_first;
    for (; n + 1 < p->held_end && p->held[n + 1].at <= a.at; ++n) p->held[n] = p->held[n + 1];
    p->held[n] = a;
    p->held_next = p->held[p->held_first].at;
}

/* make_access() of several lines, or when the first has been refused until then. */
static __attribute__((noinline)) uint64_t access_lines(struct core *core, bool store, uint32_t address,
                                                       uint32_t bytes, uint64_t t) {
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

/* A translated access with its round in X in cycle t; the cycle at whose end it is done (a load) or accepted
 * (a store). */
static inline uint64_t make_access(struct core *core, bool store, uint32_t address, uint32_t bytes,
                                   uint64_t t) {
    const unsigned shift = core->l2.tags.line_shift;
    const bool one_line = address >> shift == (address + bytes - 1) >> shift;
    uint64_t done = t + 1;
    if (one_line && private_l2_access(&core->l2, address, store, t + 1, &done)) return store ? t + 1 : done;
    return access_lines(core, store, address, bytes, done - 1);
}

/* An instruction whose rounds have all started has its last result in cycle `result`: so it is known in cycle
 * t. */
static void end_instruction(struct path *p, struct flight *f, uint64_t result, uint64_t t) {
    f->result = result;
    path_landed_until(p, (unsigned)(f - p->flight), t);
    histogram_add(&p->cluster->memory_latency, result + 1 - f->x);
}

static void made_held(struct path *p, struct flight *f, uint64_t done, uint64_t t) {
    uint64_t *result = f->result == FLIGHT_NEVER ? &f->made : &f->result;
    if (done > *result) *result = done;
    if (!--f->held && f->result == FLIGHT_NEVER) end_instruction(p, f, f->made, t);
}

void path_make_held(struct path *p, uint64_t t) {
    while (p->held_next <= t) {
        struct held_access a = p->held[p->held_first++];
        struct core *core = &p->cluster->core[a.lane];
        p->held_next = p->held_first < p->held_end ? p->held[p->held_first].at : FLIGHT_NEVER;
        const uint64_t again = private_l2_refuses(&core->l2, a.address, a.bytes, a.store, t + 1);
        if (again > t + 1) {
            a.at = again - 1;
            hold_on(p, a);
        } else {
            const uint64_t done = make_access(core, a.store, a.address, a.bytes, t);
            if (path_is_mixed(p, a.flight))
                alternate_made(p, a.flight, a.round, done);
            else
                made_held(p, &p->flight[a.flight], done, t);
        }
    }
}

/* The access is read field by field: a copy of what has just been written would make the host wait. */
bool path_access_memory(struct path *p, const struct held_access *a, uint64_t t, uint64_t *done) {
    struct core *core = &p->cluster->core[a->lane];
    const uint64_t there = core_translate(core, &core->dtlb, a->address, t + 1);
    const uint32_t address = core_physical(core, a->address);
    if (__builtin_expect(there > t + 1, 0)) {
        struct held_access held = *a;
        held.address = address;
        held.at = there - 1;
        hold(p, held);
        return false;
    }
    *done = make_access(core, a->store, address, a->bytes, t);
    return true;
}

/* One thread's access in cycle t. */
static void access_lane(struct path *p, struct flight *f, unsigned lane, uint32_t address, uint32_t bytes,
                        uint64_t t) {
    const struct held_access a = {.address = address,
                                  .bytes = bytes,
                                  .lane = (uint8_t)lane,
                                  .flight = (uint8_t)p->x_flight,
                                  .store = f->i->is_store};
    uint64_t done;
    if (!path_access_memory(p, &a, t, &done))
        ++f->held;
    else if (done > f->result)
        f->result = done;
}

static void access_round(struct path *p, struct flight *f, uint64_t t) {
    const bool in_stack = f->execution.in_stack || path_stepped(p);
    unsigned words;
    uint32_t bytes;
    for (unsigned lane = 0; lane < p->cluster->lanes; ++lane) {
        const int k = accessing(p, f, lane);
        if (k == NO_THREAD) continue;
        const uint32_t address = beat_of(p, f, lane, (unsigned)k, &bytes, &words);
        if (in_stack) {
            p->cluster->stack_held += words != 0;
            p->cluster->stack_spilled += bytes && f->execution.in_stack >> k & 1;
        }
        if (!bytes) continue;
        access_lane(p, f, lane, address, bytes, t);
    }
}

/* The most words that a lane accesses in its TPM in this beat. */
static unsigned most_words(const struct path *p, const struct flight *f) {
    unsigned most = 0, words;
    uint32_t bytes;
    for (unsigned lane = 0; lane < p->cluster->lanes; ++lane) {
        const int k = accessing(p, f, lane);
        if (k == NO_THREAD || !(f->execution.in_stack >> k & 1)) continue;
        beat_of(p, f, lane, (unsigned)k, &bytes, &words);
        if (words > most) most = words;
    }
    return most;
}

/* Ports that a beat may have in cycle t. */
static unsigned free_ports(const struct path *p, bool store, uint64_t t) {
    if (!store) return p->cluster->config->tpm.read_ports;
    return p->cluster->config->tpm.write_ports - (p->write_ports.cycle == t ? p->write_ports.taken : 0);
}

/* The beat's words in the TPM, as many as there are ports in cycle t. */
static void access_tpm(struct path *p, struct flight *f, uint64_t t) {
    const bool store = f->i->is_store;
    const unsigned ports = free_ports(p, store, t), taken = p->x_words < ports ? p->x_words : ports;
    const uint64_t done = store ? t : t + p->cluster->config->tpm.latency_cycles - 1;
    if (done > f->result) f->result = done;
    p->x_words -= taken;
    if (store) return;
    p->read_ports.cycle = t;
    p->read_ports.taken = taken;
    if (!path_stepped(p)) path_catch_up(p, t - 1);
    path_delay_collection(p, t);
    if (!path_stepped(p)) path_catch_up(p, t); /* O may start in this cycle, with the ports that are left */
}

/* The rest of a beat waits for ports until the next cycle. */
static void wait_for_ports(struct path *p, const struct flight *f, uint64_t t) {
    const bool others = f->i->is_store && p->write_ports.cycle == t && p->write_ports.taken;
    ++p->cluster->tpm_wait[others ? CLUSTER_TPM_WAIT_STORES : CLUSTER_TPM_WAIT_WORDS];
    cluster_charge(p->cluster, MACHINE_CAUSE_TPM, f->pc, 1);
    p->x_stood = t;
    p->x_next = t + 1;
}

/* How many lanes access words of their TPMs in this beat, and the most that one does; 0: one accesses memory,
 * or none anything. */
static unsigned lanes_in_tpm(const struct path *p, const struct flight *f, unsigned *most) {
    unsigned count = 0, words;
    uint32_t bytes;
    *most = 0;
    for (unsigned lane = 0; lane < p->cluster->lanes; ++lane) {
        const int k = accessing(p, f, lane);
        if (k == NO_THREAD) continue;
        beat_of(p, f, lane, (unsigned)k, &bytes, &words);
        if (bytes) return 0;
        *most = words > *most ? words : *most;
        ++count;
    }
    return count;
}

/* start_beat() of one word of each thread that accesses its TPM. */
static bool start_words(struct path *p, const struct flight *f, uint64_t t) {
    const unsigned count =
        (unsigned)__builtin_popcountll(f->execution.passed & p->cluster->of_round[p->x_round]);
    if (count && !free_ports(p, f->i->is_store, t)) {
        wait_for_ports(p, f, t);
        return false;
    }
    p->cluster->stack_held += count;
    p->x_words = count != 0;
    return true;
}

/* The accesses of a round start together. False: not in cycle t. */
static bool start_beat(struct path *p, struct flight *f, uint64_t t) {
    unsigned most;
    if (p->x_one_word) return start_words(p, f, t);
    if (path_stepped(p)) locate_access(p, f, t);
    const unsigned in_tpm = f->execution.in_stack ? lanes_in_tpm(p, f, &most) : 0;
    if (in_tpm && free_ports(p, f->i->is_store, t)) {
        p->cluster->stack_held += in_tpm;
        p->x_words = most;
        return true;
    }
    const uint64_t again = refused_until(p, f, t);
    if (again) {
        cluster_charge(p->cluster, MACHINE_CAUSE_MSHR, f->pc, again - t);
        p->x_next = p->x_refused = again;
        return false;
    }
    const unsigned words = f->execution.in_stack ? most_words(p, f) : 0;
    if (words && !free_ports(p, f->i->is_store, t)) {
        wait_for_ports(p, f, t);
        return false;
    }
    access_round(p, f, t);
    p->x_words = words;
    return true;
}

/* A beat of the last round: a load has a register for it, a store may write its base back in the end. */
void path_write_beat(struct path *p, unsigned warp) {
    const struct arm_instruction *i = p->flight[warp].i;
    if (i->is_store && p->x_beat + 1 < i->access_count) return;
    cluster_uniform_write(p->cluster, warp, p->x_beat);
}

/* A beat: what each thread of the round accesses in one cycle, a register of a multiple access or all. False:
 * it cannot end in cycle t. */
bool path_access_beat(struct path *p, struct flight *f, uint64_t t) {
    if (!p->x_words && !start_beat(p, f, t)) return false;
    if (p->x_words) access_tpm(p, f, t);
    if (p->x_words) {
        wait_for_ports(p, f, t);
        return false;
    }
    const unsigned occupancy = path_occupancy(p, f);
    cluster_charge(p->cluster, p->x_beat ? MACHINE_CAUSE_OCCUPIED : MACHINE_CAUSE_EXECUTE, f->pc, 1);
    cluster_charge(p->cluster, MACHINE_CAUSE_OCCUPIED, f->pc, occupancy - 1);
    p->x_next = t + occupancy;
    if (path_uniform(p) && p->x_round + 1 == f->rounds) path_write_beat(p, (unsigned)p->x_flight);
    return true;
}

/* How many beats from x_next to before `end` are alike: what each thread loads is one word of its TPM, which
 * O waits for in each of them (*waits), or in none. */
static unsigned loads_alike(struct path *p, const struct flight *f, uint64_t end, bool *waits) {
    path_catch_up(p, p->x_next - 1);
    const unsigned wanted = path_collection_wants(p, p->x_next);
    const uint64_t *of_round = &p->cluster->of_round[p->x_round];
    unsigned beats = 0;
    *waits = wanted != 0;
    if (!wanted) {
        if (p->collecting != p->arbitrated) earlier(&end, p->o_at[p->collecting % PATH_RING]);
    } else if (wanted < p->cluster->config->tpm.read_ports) {
        return 0;
    } else if (p->left != p->arbitrated) {
        earlier(&end, path_flight(p, p->left)->left);
    }
    while (p->x_next + beats < end && f->execution.passed & of_round[beats]) ++beats;
    return beats;
}

bool path_make_words(struct path *p, uint64_t last) {
    struct flight *f = &p->flight[p->x_flight];
    struct cluster *c = p->cluster;
    const bool store = f->i->is_store;
    uint64_t end = last + 1;
    bool waits = false;
    if (!p->x_one_word || p->x_words || path_uniform(p) || f->i->access_count != 1 ||
        path_occupancy(p, f) != 1 || !free_ports(p, store, p->x_next))
        return false;
    earlier(&end, p->held_next);
    earlier(&end, p->x_next + f->rounds - p->x_round);
    if (end < p->x_next + 2) return false;
    const unsigned beats = store ? (unsigned)(end - p->x_next) : loads_alike(p, f, end, &waits);
    if (beats < 2) return false;
    for (unsigned n = 0; n < beats; ++n) {
        const uint64_t threads = f->execution.passed & c->of_round[p->x_round + n];
        c->stack_held += (unsigned)__builtin_popcountll(threads);
        if (threads) later(&f->result, p->x_next + n + (store ? 0 : c->config->tpm.latency_cycles - 1));
    }
    const uint64_t first = p->x_next;
    p->x_next += beats;
    p->x_round += beats;
    cluster_charge(c, MACHINE_CAUSE_EXECUTE, f->pc, beats);
    if (!store) {
        p->read_ports.cycle = p->x_next - 1;
        p->read_ports.taken = 1;
        if (waits) path_put_off_collection(p, first, beats);
        path_catch_up(p, p->x_next - 1);
    }
    if (p->x_round == f->rounds)
        path_end_accesses(p, (unsigned)p->x_flight, p->x_next - 1);
    else
        path_await_beats(p, p->x_next);
    return true;
}

/* The last round has been started in cycle t. */
void path_end_accesses(struct path *p, unsigned warp, uint64_t t) {
    struct flight *f = &p->flight[warp];
    p->x_free = p->x_next;
    p->x_flight = PATH_NONE;
    f->made = f->result;
    if (path_uniform(p)) cluster_uniform_executed(p->cluster, warp);
    path_land(p, warp, FLIGHT_NEVER);
    if (!f->held) end_instruction(p, f, f->made, t);
    path_end_rounds(p, t);
}
