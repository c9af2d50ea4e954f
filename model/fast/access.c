/* The memory accesses of rounds: beats, lines, TPM ports, and accesses that wait for their translations. */
#include "model/fast/parts.h"
#include "model/cluster/access_records.h"
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
static inline int accessing(const struct fast *p, const struct fast_flight *f, unsigned lane) {
    const int k = (int)cluster_position(p->cluster, lane, p->x_round);
    return f->execution.passed >> k & 1 ? k : NO_THREAD;
}

/* Returns the address that thread k of a lane accesses in this beat, and sets the bytes in memory and the
 * words in the TPM. */
static inline __attribute__((always_inline)) uint32_t
beat_of(const struct fast *p, const struct fast_flight *f, unsigned k, uint32_t *in_memory, unsigned *words) {
    const uint32_t address = f->execution.address[k] + p->x_beat * p->x_bytes;
    *in_memory = p->x_bytes;
    *words = 0;
    if (f->execution.in_stack >> k & 1) {
        const struct arm_threads *t = &p->cluster->threads[f->warp];
        *words = tpo_stack_words(t->stack_size, t->stack_objects, address, p->x_bytes, in_memory);
    }
    return address;
}

/* A beat of a round starts only if every lane's L2 takes its requests: the cycle to try again, or 0. */
static uint64_t refused_until(struct fast *p, const struct fast_flight *f, uint64_t t) {
    uint64_t later = 0;
    unsigned words;
    uint32_t bytes;
    for (unsigned lane = 0; lane < p->cluster->lanes; ++lane) {
        struct core *core = &p->cluster->core[lane];
        struct private_l2 *l2 = &core->l2;
        if (!may_refuse(l2)) continue;
        const int k = accessing(p, f, lane);
        if (k == NO_THREAD) continue;
        const uint32_t address = beat_of(p, f, (unsigned)k, &bytes, &words);
        if (!bytes) continue;
        const uint64_t again =
            private_l2_refuses(l2, core_physical(core, address), bytes, f->i->is_store, t + 1);
        if (again > later) later = again;
    }
    return later > t + 1 ? later - 1 : 0;
}

/* --- accesses that wait for their translations, the oldest first --- */

/* An instruction whose rounds have all started has its last result in cycle `result`: so it is known in cycle
 * t. */
static void end_instruction(struct fast *p, struct fast_flight *f, uint64_t result, uint64_t t) {
    f->result = result;
    fast_landed_until(p, (unsigned)(f - p->flight), t);
    histogram_add(&p->cluster->memory_latency, result + 1 - f->x);
}

static void made_held(struct fast *p, struct fast_flight *f, uint64_t done, uint64_t t) {
    uint64_t *result = f->result == FAST_NEVER ? &f->made : &f->result;
    if (done > *result) *result = done;
    if (!--f->held && f->result == FAST_NEVER) end_instruction(p, f, f->made, t);
}

/* Does held_accesses_retry(). */
static inline bool retry(struct fast *p, uint64_t t, struct held_access *a, uint64_t *done) {
    if (__builtin_expect(!recorder_wants_access(fast_recorder(p), t), 1))
        return held_accesses_retry(&p->held, p->cluster->core, t, a, done);
    const struct fast_flight *f = &p->flight[p->held.entry[p->held.first].flight];
    const struct access_of of = {f->i, &f->execution, f->warp, 0, 0};
    return access_records_retry(p->cluster, &p->held, &of, t, a, done);
}

void fast_make_held(struct fast *p, uint64_t t) {
    while (p->held.next <= t) {
        struct held_access a;
        uint64_t done;
        if (retry(p, t, &a, &done)) made_held(p, &p->flight[a.flight], done, t);
    }
}

static struct access_of access_of(const struct fast *p, const struct fast_flight *f, int position) {
    return (struct access_of){f->i, &f->execution, f->warp, (unsigned)position, p->x_beat};
}

/* Records the accesses of a round that are to TPMs alone. */
static __attribute__((noinline)) void record_words(const struct fast *p, const struct fast_flight *f,
                                                   uint64_t t) {
    unsigned words;
    uint32_t bytes;
    for (unsigned lane = 0; lane < p->cluster->lanes; ++lane) {
        const int k = accessing(p, f, lane);
        if (k == NO_THREAD) continue;
        beat_of(p, f, (unsigned)k, &bytes, &words);
        const struct access_of of = access_of(p, f, k);
        if (!bytes) access_records_tpm(p->cluster, lane, &of, t);
    }
}

/* Does held_accesses_reach() of thread k. */
static inline __attribute__((always_inline)) bool reach(struct fast *p, const struct fast_flight *f,
                                                        unsigned k, const struct held_access *a, uint64_t t,
                                                        uint64_t *done) {
    if (__builtin_expect(!recorder_wants_access(fast_recorder(p), t), 1))
        return held_accesses_reach(&p->held, &p->cluster->core[a->lane], a, t, done);
    const struct access_of of = access_of(p, f, (int)k);
    return access_records_reach(p->cluster, &p->held, a, &of, t, done);
}

/* The access of thread k in cycle t. */
static void access_lane(struct fast *p, struct fast_flight *f, unsigned lane, unsigned k, uint32_t address,
                        uint32_t bytes, uint64_t t) {
    const struct held_access a = {.address = address,
                                  .bytes = bytes,
                                  .lane = (uint8_t)lane,
                                  .flight = (uint8_t)p->x_flight,
                                  .store = f->i->is_store};
    uint64_t done;
    if (!reach(p, f, k, &a, t, &done))
        ++f->held;
    else if (done > f->result)
        f->result = done;
}

static void access_round(struct fast *p, struct fast_flight *f, uint64_t t) {
    const bool in_stack = f->execution.in_stack;
    unsigned words;
    uint32_t bytes;
    if (in_stack && recorder_wants_access(fast_recorder(p), t)) record_words(p, f, t);
    for (unsigned lane = 0; lane < p->cluster->lanes; ++lane) {
        const int k = accessing(p, f, lane);
        if (k == NO_THREAD) continue;
        const uint32_t address = beat_of(p, f, (unsigned)k, &bytes, &words);
        if (in_stack) {
            p->cluster->stack_held += words != 0;
            p->cluster->stack_spilled += bytes && f->execution.in_stack >> k & 1;
        }
        if (!bytes) continue;
        access_lane(p, f, lane, (unsigned)k, address, bytes, t);
    }
}

/* The most words that a lane accesses in its TPM in this beat. */
static unsigned most_words(const struct fast *p, const struct fast_flight *f) {
    unsigned most = 0, words;
    uint32_t bytes;
    for (unsigned lane = 0; lane < p->cluster->lanes; ++lane) {
        const int k = accessing(p, f, lane);
        if (k == NO_THREAD || !(f->execution.in_stack >> k & 1)) continue;
        beat_of(p, f, (unsigned)k, &bytes, &words);
        if (words > most) most = words;
    }
    return most;
}

/* Ports that a beat may have in cycle t. */
static unsigned free_ports(const struct fast *p, bool store, uint64_t t) {
    if (!store) return p->cluster->config->tpm.read_ports;
    return p->cluster->config->tpm.write_ports - (p->write_ports.cycle == t ? p->write_ports.taken : 0);
}

/* The beat's words in the TPM, as many as there are ports in cycle t. */
static void access_tpm(struct fast *p, struct fast_flight *f, uint64_t t) {
    const bool store = f->i->is_store;
    const unsigned ports = free_ports(p, store, t), taken = p->x_words < ports ? p->x_words : ports;
    const uint64_t done = store ? t : t + p->cluster->config->tpm.latency_cycles - 1;
    if (done > f->result) f->result = done;
    p->x_words -= taken;
    if (store) return;
    p->read_ports.cycle = t;
    p->read_ports.taken = taken;
    fast_catch_up(p, t - 1);
    fast_delay_collection(p, t);
    fast_catch_up(p, t); /* O may start in this cycle, with the ports that are left */
}

/* The rest of a beat waits for ports until the next cycle. */
static void wait_for_ports(struct fast *p, const struct fast_flight *f, uint64_t t) {
    const bool others = f->i->is_store && p->write_ports.cycle == t && p->write_ports.taken;
    ++p->cluster->tpm_wait[others ? CLUSTER_TPM_WAIT_STORES : CLUSTER_TPM_WAIT_WORDS];
    cluster_charge(p->cluster, MACHINE_CAUSE_TPM, f->pc, 1);
    if (fast_recorder(p)) recorder_stall(fast_recorder(p), RECORD_STAGE_TPM, t, 1, f->warp);
    p->x_stood = t;
    p->x_next = t + 1;
}

/* How many lanes access words of their TPMs in this beat, and the most that one does; 0: one accesses memory,
 * or none anything. */
static unsigned lanes_in_tpm(const struct fast *p, const struct fast_flight *f, unsigned *most) {
    unsigned count = 0, words;
    uint32_t bytes;
    *most = 0;
    for (unsigned lane = 0; lane < p->cluster->lanes; ++lane) {
        const int k = accessing(p, f, lane);
        if (k == NO_THREAD) continue;
        beat_of(p, f, (unsigned)k, &bytes, &words);
        if (bytes) return 0;
        *most = words > *most ? words : *most;
        ++count;
    }
    return count;
}

/* start_beat() of one word of each thread that accesses its TPM. */
static bool start_words(struct fast *p, const struct fast_flight *f, uint64_t t) {
    const unsigned count =
        (unsigned)__builtin_popcountll(f->execution.passed & p->cluster->of_round[p->x_round]);
    if (count && !free_ports(p, f->i->is_store, t)) {
        wait_for_ports(p, f, t);
        return false;
    }
    p->cluster->stack_held += count;
    p->x_words = count != 0;
    if (recorder_wants_access(fast_recorder(p), t)) record_words(p, f, t);
    return true;
}

/* The accesses of a round start together. False: not in cycle t. */
static bool start_beat(struct fast *p, struct fast_flight *f, uint64_t t) {
    unsigned most;
    if (p->x_one_word) return start_words(p, f, t);
    const unsigned in_tpm = f->execution.in_stack ? lanes_in_tpm(p, f, &most) : 0;
    if (in_tpm && free_ports(p, f->i->is_store, t)) {
        p->cluster->stack_held += in_tpm;
        p->x_words = most;
        if (recorder_wants_access(fast_recorder(p), t)) record_words(p, f, t);
        return true;
    }
    const uint64_t again = refused_until(p, f, t);
    if (again) {
        cluster_charge(p->cluster, MACHINE_CAUSE_MSHR, f->pc, again - t);
        if (fast_recorder(p)) recorder_stall(fast_recorder(p), RECORD_STAGE_MSHR, t, again - t, f->warp);
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

/* A beat: what each thread of the round accesses in one cycle, a register of a multiple access or all. False:
 * it cannot end in cycle t. */
bool fast_access_beat(struct fast *p, struct fast_flight *f, uint64_t t) {
    if (!p->x_words && !start_beat(p, f, t)) return false;
    if (p->x_words) access_tpm(p, f, t);
    if (p->x_words) {
        wait_for_ports(p, f, t);
        return false;
    }
    const unsigned occupancy = fast_occupancy(p, f);
    cluster_charge(p->cluster, p->x_beat ? MACHINE_CAUSE_OCCUPIED : MACHINE_CAUSE_EXECUTE, f->pc, 1);
    cluster_charge(p->cluster, MACHINE_CAUSE_OCCUPIED, f->pc, occupancy - 1);
    p->x_next = t + occupancy;
    return true;
}

/* How many beats from x_next to before `end` are alike: what each thread loads is one word of its TPM, which
 * O waits for in each of them (*waits), or in none. */
static unsigned loads_alike(struct fast *p, const struct fast_flight *f, uint64_t end, bool *waits) {
    fast_catch_up(p, p->x_next - 1);
    const unsigned wanted = fast_collection_wants(p, p->x_next);
    const uint64_t *of_round = &p->cluster->of_round[p->x_round];
    unsigned beats = 0;
    *waits = wanted != 0;
    if (!wanted) {
        if (p->collecting != p->arbitrated) earlier(&end, p->o_at[p->collecting % FAST_RING]);
    } else if (wanted < p->cluster->config->tpm.read_ports) {
        return 0;
    } else if (p->left != p->arbitrated) {
        earlier(&end, fast_flight(p, p->left)->left);
    }
    while (p->x_next + beats < end && f->execution.passed & of_round[beats]) ++beats;
    return beats;
}

bool fast_make_words(struct fast *p, uint64_t last) {
    struct fast_flight *f = &p->flight[p->x_flight];
    struct cluster *c = p->cluster;
    const bool store = f->i->is_store;
    uint64_t end = last + 1;
    bool waits = false;
    if (recorder_wants_any(fast_recorder(p), p->x_next, last)) return false;
    if (!p->x_one_word || p->x_words || f->i->access_count != 1 || fast_occupancy(p, f) != 1 ||
        !free_ports(p, store, p->x_next))
        return false;
    earlier(&end, p->held.next);
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
        if (waits) fast_put_off_collection(p, first, beats);
        fast_catch_up(p, p->x_next - 1);
    }
    if (p->x_round == f->rounds)
        fast_end_accesses(p, (unsigned)p->x_flight, p->x_next - 1);
    else
        fast_await_beats(p, p->x_next);
    return true;
}

/* The last round has been started in cycle t. */
void fast_end_accesses(struct fast *p, unsigned warp, uint64_t t) {
    struct fast_flight *f = &p->flight[warp];
    p->x_free = p->x_next;
    p->x_flight = FAST_NONE;
    f->made = f->result;
    fast_land(p, warp, FAST_NEVER);
    if (!f->held) end_instruction(p, f, f->made, t);
    fast_end_rounds(p, f, t);
}
