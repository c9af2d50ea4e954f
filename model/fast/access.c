/* Memory accesses of the lanes in X: beats, lines, TPM ports, and accesses that wait for translations. */
#include "model/fast/parts.h"
#include "model/cluster/access_records.h"
#include "model/control/tpo_address.h"

#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

#define NO_THREAD (-1)

/* Returns the position of the thread that accesses memory in a lane in the current round; NO_THREAD if none
 * does. */
static inline int beats_thread(const struct fast *p, const struct fast_flight *f, unsigned lane) {
    const int k = (int)cluster_position(p->cluster, lane, p->x_round);
    return f->execution.passed >> k & 1 ? k : NO_THREAD;
}

#define BEATS                            struct fast
#define BEATS_FLIGHT                     struct fast_flight
#define BEATS_PASSED(f)                  ((f)->execution.passed)
#define BEATS_IN_STACK(f)                ((f)->execution.in_stack)
#define BEATS_EXECUTION(p, f)            (&(f)->execution)
#define BEATS_READ(p)                    ((p)->read_ports)
#define BEATS_WRITE(p)                   ((p)->write_ports)
#define BEATS_READS(p)                   ((p)->cluster->config->tpm.read_ports)
#define BEATS_WRITES(p)                  ((p)->cluster->config->tpm.write_ports)
#define BEATS_LATENCY(p)                 ((p)->cluster->config->tpm.latency_cycles)
#define BEATS_PORTS(p)                   false
#define BEATS_WORDS(p, f)                true
#define BEATS_LOCATE(p, f, t)            ((void)0)
#define BEATS_RECORDER(p)                fast_recorder(p)
#define BEATS_HOME(p, f)                 NULL
#define BEATS_LATER(p, cause, cycles, t) false
#define BEATS_STALL(p, stage, f, first, end)                                                                 \
    if (fast_recorder(p)) recorder_stall(fast_recorder(p), stage, first, (end) - (first), (f)->warp)
#define BEATS_LANDED(p, f, t)       fast_landed_until(p, (unsigned)((f) - (p)->flight), t)
#define BEATS_OCCUPANCY(p, f)       fast_occupancy(p, f)
#define BEATS_NEVER                 FAST_NEVER
#define BEATS_TOOK_READ_PORTS(p, t) took_read_ports(p, t)

/* Starts the collections that are due up to cycle t, in which a beat has taken read ports: O gets the ports
 * that are left. */
static void took_read_ports(struct fast *p, uint64_t t) {
    fast_catch_up(p, t - 1);
    fast_delay_collection(p, t);
    fast_catch_up(p, t);
}

#include "model/slots/shared/beats.h"

void fast_make_held(struct fast *p, uint64_t t) {
    while (p->held.next <= t) {
        struct held_access a;
        uint64_t done;
        if (retry(p, t, &a, &done)) made_held(p, &p->flight[a.flight], done, t);
    }
}

__attribute__((noinline)) void fast_begin_accesses(struct fast *p, unsigned warp, uint64_t t) {
    struct fast_flight *f = &p->flight[warp];
    p->cluster->memory_instructions += (unsigned)__builtin_popcountll(f->execution.passed);
    fast_enter_lanes(p, warp);
    p->x_round = p->x_beat = p->x_words = 0;
    p->x_refused = 0;
    p->x_own = f->executed;
    p->x_rows.sought = false;
    f->held = 0;
    p->x_bytes = f->i->access_bytes / f->i->access_count;
    look_for_tpm(p, f);
    f->result = t;
    fast_await_beats(p, t);
}

bool fast_access_beat(struct fast *p, struct fast_flight *f, uint64_t t) {
    return access_beat(p, f, t);
}

/* Returns the number of equal beats from cycle x_next to before `end`: in each, every thread loads one word
 * of its TPM. *waits becomes true if O waits for ports in all of them; otherwise it waits in none. */
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
    simt_charge(&c->simt, MACHINE_CAUSE_EXECUTE, f->pc, beats);
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

/* Ends the accesses of a warp, whose last round has started in cycle t. */
void fast_end_accesses(struct fast *p, unsigned warp, uint64_t t) {
    struct fast_flight *f = &p->flight[warp];
    p->x_free = p->x_next;
    p->x_flight = FAST_NONE;
    f->made = f->result;
    fast_land(p, warp, FAST_NEVER);
    if (!f->held) end_instruction(p, f, f->made, t);
    fast_end_rounds(p, f, t);
}
