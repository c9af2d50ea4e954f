/* A lane is a core: accesses go to its DTLB and L2, or to stack objects in its TPM; fetches to lane 0's L1I.
 */
#include "model/cluster/access_records.h"
#include "model/control/tpo_address.h"
#include "model/unit/services.h"

#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

#define NO_THREAD (-1)

/* Returns whether the lane's L2 could refuse a request now. */
static bool may_refuse(const struct private_l2 *l) {
    return l->outstanding + 2 > l->mshrs || l->outstanding + 2 > l->tags.ways;
}

/* The position of the thread that accesses memory in a lane in this round, or NO_THREAD. */
static inline int accessing(struct unit *u, const struct unit_flight *f, unsigned lane) {
    if (UNIT_GENERAL && unit_form(u, f) == UNIFORM_SCALAR)
        return lane ? NO_THREAD : __builtin_ctzll(f->passed);
    const bool saves = SLOTS(u)->mitigation->saves;
    const int k = saves ? cluster_executes(u->cluster, f->participating, lane, u->x_round)
                        : (int)cluster_position(u->cluster, lane, u->x_round);
    return (!saves || k >= 0) && f->passed >> k & 1 ? k : NO_THREAD;
}

/* Returns the address that thread k of a lane accesses in this beat, and sets the bytes in memory and the
 * words in the TPM. */
static inline __attribute__((always_inline)) uint32_t beat_of(struct unit *u, const struct unit_flight *f,
                                                              unsigned lane, unsigned k, uint32_t *in_memory,
                                                              unsigned *words) {
    const uint32_t address = u->execution[f - u->flight].address[k] + u->x_beat * u->x_bytes;
    if (unit_has_ports(u) && lane == 0) {
        *words = u->cluster->address.out.words;
        *in_memory = u->cluster->address.out.memory;
        return address;
    }
    *in_memory = u->x_bytes;
    *words = 0;
    if (f->in_stack >> k & 1) {
        const struct arm_threads *t = &u->cluster->threads[f->warp];
        *words = tpo_stack_words(t->stack_size, t->stack_objects, address, u->x_bytes, in_memory);
    }
    return address;
}

/* --- ports: tpo_address for lane 0, in every cycle --- */

static void run_address(struct unit *u, uint64_t t) {
    struct tpo_address *a = &u->cluster->address;
    a->in.base = tpo_base(u->cluster->rounds, a->in.n_tpo, a->in.context);
    tpo_address_eval(a);
    unit_run_twin(u, CLUSTER_BLOCK_ADDRESS, t);
    u->cluster->address_cycle = t;
}

/* The access of the beat that starts. */
static __attribute__((unused)) void locate_access(struct unit *u, const struct unit_flight *f, uint64_t t) {
    struct tpo_address_in *in = &u->cluster->address.in;
    const struct lane_map map = u->cluster->map;
    const int accesses = accessing(u, f, 0);
    const unsigned k = accesses == NO_THREAD ? lane_map_position(map, 0, u->x_round) : (unsigned)accesses;
    const unsigned lane = lane_map_lane(map, k); /* with the stacks: of a scalar any lane */
    in->context = f->warp * map.rounds + lane_map_round(map, k);
    in->top = u->cluster->stack_top + (lane << (in->stack_bits + in->contexts_bits));
    in->object = f->i->rd;
    in->access = accesses != NO_THREAD;
    if (in->access) in->address = u->execution[f - u->flight].address[k] + u->x_beat * u->x_bytes;
    in->bytes = u->x_bytes;
    run_address(u, t);
}

/* No access starts: the first operand that is read, of the warp's first thread in the lane. */
static void in_lane_locate(struct unit *u, uint64_t t) {
    struct tpo_address_in *in = &u->cluster->address.in;
    const struct operand_collector_out *o = &u->blocks->collector.out;
    if (u->cluster->address_cycle == t) return;
    in->access = false;
    if (o->objects) {
        in->context = o->warp * u->cluster->rounds;
        in->object = (unsigned)__builtin_ctzll(o->objects);
    }
    run_address(u, t);
}

/* --- memory --- */

/* A beat of a round starts only if every lane's L2 takes its requests. Returns the cycle to try again, or 0.
 */
static uint64_t refused_until(struct unit *u, const struct unit_flight *f, uint64_t t) {
    uint64_t latest = 0;
    unsigned words;
    uint32_t bytes;
    for (unsigned lane = 0; lane < u->cluster->lanes; ++lane) {
        struct core *core = &u->cluster->core[lane];
        struct private_l2 *l2 = &core->l2;
        if (!may_refuse(l2)) continue;
        const int k = accessing(u, f, lane);
        if (k == NO_THREAD) continue;
        const uint32_t address = beat_of(u, f, lane, (unsigned)k, &bytes, &words);
        if (!bytes) continue;
        const uint64_t again =
            private_l2_refuses(l2, core_physical(core, address), bytes, f->i->is_store, t + 1);
        if (again > latest) latest = again;
    }
    return latest > t + 1 ? latest - 1 : 0;
}

/* --- accesses that wait for their translations, the oldest first --- */

static void end_instruction(struct unit *u, struct unit_flight *f, uint64_t result, uint64_t t) {
    f->result = result;
    unit_landed_until(u, f, t);
    histogram_add(&u->cluster->memory_latency, result + 1 - f->x);
}

static void made_held(struct unit *u, struct unit_flight *f, uint64_t done, uint64_t t) {
    uint64_t *result = f->result == UNIT_NEVER ? &f->made : &f->result;
    if (done > *result) *result = done;
    if (!--f->held && f->result == UNIT_NEVER) end_instruction(u, f, f->made, t);
}

/* Does held_accesses_retry(). */
static inline bool retry(struct unit *u, uint64_t t, struct held_access *a, uint64_t *done) {
    if (__builtin_expect(!recorder_wants_access(unit_recorder(u), t), 1))
        return held_accesses_retry(&u->held, u->cluster->core, t, a, done);
    const unsigned number = u->held.entry[u->held.first].flight;
    const struct access_of of = {u->flight[number].i, &u->execution[number], u->flight[number].warp, 0, 0};
    return access_records_retry(u->cluster, &u->held, &of, t, a, done);
}

UNIT_STAGE uint64_t in_lane_answers(struct unit *u, uint64_t t) {
    while (u->held.next <= t) {
        struct held_access a;
        uint64_t done;
        if (!retry(u, t, &a, &done)) continue;
        struct unit_flight *f = &u->flight[a.flight];
        if (unit_is_mixed(u, f))
            SLOTS(u)->mitigation->mixed->made(u, f, a.round, done);
        else
            made_held(u, f, done, t);
    }
    return u->held.next;
}

static bool in_lane_reach(struct unit *u, const struct held_access *a, uint64_t t, uint64_t *done) {
    return held_accesses_reach(&u->held, &u->cluster->core[a->lane], a, t, done);
}

static inline struct access_of access_of(const struct unit *u, const struct unit_flight *f, int position) {
    return (struct access_of){f->i, &u->execution[f - u->flight], f->warp, (unsigned)position, u->x_beat};
}

/* Records the accesses of a round that are to TPMs alone. */
static __attribute__((noinline)) void record_words(struct unit *u, const struct unit_flight *f, uint64_t t) {
    unsigned words;
    uint32_t bytes;
    for (unsigned lane = 0; lane < u->cluster->lanes; ++lane) {
        const int k = accessing(u, f, lane);
        if (k == NO_THREAD) continue;
        beat_of(u, f, lane, (unsigned)k, &bytes, &words);
        const struct access_of of = access_of(u, f, k);
        if (!bytes) access_records_tpm(u->cluster, lane, &of, t);
    }
}

/* Does held_accesses_reach() of thread k. */
static inline bool reach(struct unit *u, const struct unit_flight *f, unsigned k, const struct held_access *a,
                         uint64_t t, uint64_t *done) {
    if (__builtin_expect(!recorder_wants_access(unit_recorder(u), t), 1))
        return held_accesses_reach(&u->held, &u->cluster->core[a->lane], a, t, done);
    const struct access_of of = access_of(u, f, (int)k);
    return access_records_reach(u->cluster, &u->held, a, &of, t, done);
}

/* The access of thread k in cycle t. */
static inline void access_lane(struct unit *u, struct unit_flight *f, unsigned lane, unsigned k,
                               uint32_t address, uint32_t bytes, uint64_t t) {
    const struct held_access a = {.address = address,
                                  .bytes = bytes,
                                  .lane = (uint8_t)lane,
                                  .flight = (uint8_t)u->x_flight,
                                  .store = f->i->is_store};
    uint64_t done;
    if (!reach(u, f, k, &a, t, &done))
        ++f->held;
    else if (done > f->result)
        f->result = done;
}

static inline void access_round(struct unit *u, struct unit_flight *f, uint64_t t) {
    const bool in_stack = f->in_stack || unit_has_ports(u);
    unsigned words;
    uint32_t bytes;
    if (in_stack && recorder_wants_access(unit_recorder(u), t)) record_words(u, f, t);
    for (unsigned lane = 0; lane < u->cluster->lanes; ++lane) {
        const int k = accessing(u, f, lane);
        if (k == NO_THREAD) continue;
        const uint32_t address = beat_of(u, f, lane, (unsigned)k, &bytes, &words);
        if (in_stack) {
            u->cluster->stack_held += words != 0;
            u->cluster->stack_spilled += bytes && f->in_stack >> k & 1;
        }
        if (bytes) access_lane(u, f, lane, (unsigned)k, address, bytes, t);
    }
}

static unsigned most_words(struct unit *u, const struct unit_flight *f) {
    unsigned most = 0, words;
    uint32_t bytes;
    for (unsigned lane = 0; lane < u->cluster->lanes; ++lane) {
        const int k = accessing(u, f, lane);
        if (k == NO_THREAD || !(f->in_stack >> k & 1)) continue;
        beat_of(u, f, lane, (unsigned)k, &bytes, &words);
        if (words > most) most = words;
    }
    return most;
}

static inline unsigned free_ports(const struct unit *u, bool store, uint64_t t) {
    if (!store) return u->read_ports;
    return u->write_ports - (u->write_port.cycle == t ? u->write_port.taken : 0);
}

static inline void access_tpm(struct unit *u, struct unit_flight *f, uint64_t t) {
    const bool store = f->i->is_store;
    const unsigned ports = free_ports(u, store, t), taken = u->x_words < ports ? u->x_words : ports;
    const uint64_t done = store ? t : t + u->tpm_latency - 1;
    if (done > f->result) f->result = done;
    u->x_words -= taken;
    if (store) return;
    u->read_port.cycle = t;
    u->read_port.taken = taken;
}

/* The beat stands still for so many cycles. */
static inline void charge_stall(struct unit *u, const struct unit_flight *f, enum machine_cause cause,
                                uint64_t cycles, uint64_t t) {
    if (unit_starts_several(u))
        SLOTS(u)->lanes->several->beat(u, cause, cycles, t);
    else
        cluster_charge(u->cluster, cause, f->pc, cycles);
}

/* The beat takes so many cycles. */
static inline void charge_beat(struct unit *u, const struct unit_flight *f, unsigned cycles, uint64_t t) {
    const enum machine_cause cause = u->x_beat ? MACHINE_CAUSE_OCCUPIED : MACHINE_CAUSE_EXECUTE;
    if (unit_starts_several(u)) {
        SLOTS(u)->lanes->several->beat(u, cause, cycles, t);
        return;
    }
    cluster_charge(u->cluster, cause, f->pc, 1);
    cluster_charge(u->cluster, MACHINE_CAUSE_OCCUPIED, f->pc, cycles - 1);
}

static void wait_for_ports(struct unit *u, const struct unit_flight *f, uint64_t t) {
    const bool others = f->i->is_store && u->write_port.cycle == t && u->write_port.taken;
    ++u->cluster->tpm_wait[others ? CLUSTER_TPM_WAIT_STORES : CLUSTER_TPM_WAIT_WORDS];
    charge_stall(u, f, MACHINE_CAUSE_TPM, 1, t);
    if (unit_recorder(u)) unit_record_stall(u, RECORD_STAGE_TPM, f, t, t + 1);
    u->x_stood = t;
    u->x_next = t + 1;
}

static unsigned lanes_in_tpm(struct unit *u, const struct unit_flight *f, unsigned *most) {
    unsigned count = 0, words;
    uint32_t bytes;
    *most = 0;
    for (unsigned lane = 0; lane < u->cluster->lanes; ++lane) {
        const int k = accessing(u, f, lane);
        if (k == NO_THREAD) continue;
        beat_of(u, f, lane, (unsigned)k, &bytes, &words);
        if (bytes) return 0;
        *most = words > *most ? words : *most;
        ++count;
    }
    return count;
}

static inline bool start_words(struct unit *u, const struct unit_flight *f, uint64_t t) {
    const unsigned count = (unsigned)__builtin_popcountll(f->passed & u->cluster->of_round[u->x_round]);
    if (count && !free_ports(u, f->i->is_store, t)) {
        wait_for_ports(u, f, t);
        return false;
    }
    u->cluster->stack_held += count;
    u->x_words = count != 0;
    if (recorder_wants_access(unit_recorder(u), t)) record_words(u, f, t);
    return true;
}

static inline bool start_beat(struct unit *u, struct unit_flight *f, uint64_t t) {
    unsigned most;
    if (u->x_one_word) return start_words(u, f, t);
    if (unit_has_ports(u)) locate_access(u, f, t);
    const unsigned in_tpm = f->in_stack ? lanes_in_tpm(u, f, &most) : 0;
    if (in_tpm && free_ports(u, f->i->is_store, t)) {
        u->cluster->stack_held += in_tpm;
        u->x_words = most;
        if (recorder_wants_access(unit_recorder(u), t)) record_words(u, f, t);
        return true;
    }
    const uint64_t again = refused_until(u, f, t);
    if (again) {
        charge_stall(u, f, MACHINE_CAUSE_MSHR, again - t, t);
        if (unit_recorder(u)) unit_record_stall(u, RECORD_STAGE_MSHR, f, t, again);
        u->x_next = u->x_refused = again;
        return false;
    }
    const unsigned words = f->in_stack ? most_words(u, f) : 0;
    if (words && !free_ports(u, f->i->is_store, t)) {
        wait_for_ports(u, f, t);
        return false;
    }
    access_round(u, f, t);
    u->x_words = words;
    return true;
}

/* The last round has been started in cycle t. */
static inline void end_accesses(struct unit *u, struct unit_flight *f, uint64_t t) {
    const unsigned number = (unsigned)u->x_flight;
    u->x_free = u->x_next;
    u->x_last = f->last = t;
    u->o_next = 0;
    u->x_flight = UNIT_NONE;
    f->made = f->result;
    if (unit_is_uniform(u)) unit_uniform_executed(u, f);
    unit_land(u, number, UNIT_NEVER);
    if (!f->held) end_instruction(u, f, f->made, t);
}

/* A beat: what each thread of the round accesses in one cycle, a register of a multiple access or all. */
static inline bool access_beat(struct unit *u, struct unit_flight *f, uint64_t t) {
    if (!u->x_words && !start_beat(u, f, t)) return false;
    if (u->x_words) access_tpm(u, f, t);
    if (u->x_words) {
        wait_for_ports(u, f, t);
        return false;
    }
    const unsigned occupancy = unit_occupancy(u, f);
    charge_beat(u, f, occupancy, t);
    u->x_next = t + occupancy;
    if (unit_is_uniform(u) && u->x_round + 1 == f->rounds) unit_uniform_write_beat(u, f);
    return true;
}

UNIT_STAGE bool in_lane_access(struct unit *u, struct unit_flight *f, uint64_t t) {
    if (!access_beat(u, f, t)) return false;
    if (++u->x_beat < f->i->access_count) return true;
    u->x_beat = 0;
    if (unit_has_ports(u)) return true; /* the dispatcher counts rounds */
    if (++u->x_round == f->rounds) end_accesses(u, f, t);
    return true;
}

static void in_lane_end(struct unit *u, struct unit_flight *f, uint64_t t) {
    end_accesses(u, f, t);
}

/* Notes whether all that an instruction accesses is in TPMs, and whether it is a word of each thread in each
 * beat. */
static inline void look_for_tpm(struct unit *u, const struct unit_flight *f) {
    const struct arm_execution *x = &u->execution[f - u->flight];
    const struct arm_threads *t = &u->cluster->threads[f->warp];
    uint32_t unaligned = u->x_bytes ^ 4, beyond = 0;
    u->x_in_tpm = u->x_one_word = false;
    if (f->in_stack != f->passed) return;
    for (uint64_t rest = f->passed; rest; rest &= rest - 1) {
        const uint32_t address = x->address[__builtin_ctzll(rest)];
        unaligned |= address & 3;
        beyond |= tpo_stack_index(t->stack_size, address) >= t->stack_objects;
    }
    u->x_in_tpm = !beyond;
    u->x_one_word = !beyond && !unaligned && !SLOTS(u)->mitigation->saves && !unit_has_ports(u) &&
                    unit_form(u, f) != UNIFORM_SCALAR;
}

UNIT_STAGE void in_lane_begin(struct unit *u, unsigned number, uint64_t t) {
    struct unit_flight *f = &u->flight[number];
    f->in_stack = u->execution[number].in_stack;
    if (UNIT_GENERAL && unit_form(u, f) == UNIFORM_SCALAR && f->in_stack) {
        u->uniform[number].form = UNIFORM_VECTOR; /* only the thread's lane has its stack */
        SLOTS(u)->mitigation->rounds(u, f);
    }
    u->cluster->memory_instructions += (unsigned)__builtin_popcountll(f->passed);
    u->x_flight = (int)number;
    u->x_last = u->x_free = UNIT_NEVER;
    u->x_round = u->x_beat = u->x_words = 0;
    u->x_refused = 0;
    f->held = 0;
    u->x_bytes = f->i->access_bytes / f->i->access_count;
    look_for_tpm(u, f);
    f->result = t;
    u->x_next = t;
}

/* --- fetches --- */

/* Where there are several clusters a warp's rows have left the host's caches since its last instruction. */
static inline void prefetch_rows(const struct cluster *c, const struct unit_flight *f) {
    const char *rows = (const char *)c->threads[f->warp].registers;
    const unsigned bytes = c->threads[f->warp].positions * 4;
    for (uint64_t rest = f->i->sources | f->i->destinations; rest; rest &= rest - 1)
        for (unsigned b = 0; b < bytes; b += 64)
            __builtin_prefetch(rows + (size_t)__builtin_ctzll(rest) * bytes + b);
}

UNIT_STAGE void in_lane_fetch(struct unit *u, struct unit_flight *f, uint64_t t) {
    struct cluster *c = u->cluster;
    f->f = f->fetched = t;
    f->left = UNIT_NEVER;
    f->i = machine_code_at(c->launch->code, f->pc);
    SLOTS(u)->mitigation->rounds(u, f);
    f->read_lines = f->i ? (uint16_t)(arm_rows_of(f->i->sources) * c->vtpo_lines) : 0;
    SLOTS(u)->contexts->reads(u, f);
    if (unit_is_uniform(u)) {
        struct uniform_flight *x = &u->uniform[f - u->flight];
        x->form = UNIFORM_VECTOR;
        x->inserts = false;
        x->broadcast = 0;
    }
    if (c->uncore->several && f->i) prefetch_rows(c, f);
    u->fetch_waits = false;
    if (!f->i || core_fetch_hits(&c->core[0], f->pc, t, &f->fetched)) return;
    if (c->ahead && !core_fetches_alone(&c->core[0], f->pc)) {
        u->fetch_waits = true;
        f->fetched = UNIT_NEVER;
        return;
    }
    f->fetched = core_fetch(&c->core[0], f->pc, t);
}

UNIT_ROW const struct home_slot home_in_lane = {.fetch = in_lane_fetch,
                                                .begin = in_lane_begin,
                                                .access = in_lane_access,
                                                .end = in_lane_end,
                                                .reach = in_lane_reach,
                                                .answers = in_lane_answers,
                                                .locate = in_lane_locate,
                                                .charge = by_lanes_charge};
