/* A lane is a core: accesses use its DTLB and L2, or stack objects in its TPM; fetches use the L1I of lane
 * 0. */
#include "model/control/tpo_address.h"
#include "model/unit/regrouped_parts.h"
#include "model/unit/services.h"

#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

#define NO_THREAD (-1)

/* Returns the position of the thread that accesses memory in a lane in the current round; NO_THREAD if none
 * does. */
static inline int beats_thread(struct unit *u, const struct unit_flight *f, unsigned lane) {
    if (UNIT_GENERAL && unit_form(u, f) == UNIFORM_SCALAR)
        return lane ? NO_THREAD : __builtin_ctzll(f->passed);
    const bool saves = SLOTS(u)->mitigation->saves;
    const int k = saves ? cluster_executes(u->cluster, f->participating, lane, u->x_round)
                        : (int)cluster_position(u->cluster, lane, u->x_round);
    return (!saves || k >= 0) && f->passed >> k & 1 ? k : NO_THREAD;
}

/* --- ports: tpo_address for lane 0, in every cycle --- */

static void run_address(struct unit *u, uint64_t t) {
    struct tpo_address *a = &u->cluster->address;
    a->in.base = tpo_base(u->cluster->rounds, a->in.n_tpo, a->in.context);
    tpo_address_eval(a);
    unit_run_twin(u, CLUSTER_BLOCK_ADDRESS, t);
    u->cluster->address_cycle = t;
}

/* Evaluates the address mapping for the access of the beat that starts. */
static __attribute__((unused)) void locate_access(struct unit *u, const struct unit_flight *f, uint64_t t) {
    struct tpo_address_in *in = &u->cluster->address.in;
    const struct lane_map map = u->cluster->map;
    const int accesses = beats_thread(u, f, 0);
    const unsigned k = accesses == NO_THREAD ? lane_map_position(map, 0, u->x_round) : (unsigned)accesses;
    const unsigned lane =
        lane_map_lane(map, k); /* the lane with the thread's stacks; a uniform access may be in any lane */
    in->context = f->warp * map.rounds + lane_map_round(map, k);
    in->top = u->cluster->stack_top + (lane << (in->stack_bits + in->contexts_bits));
    in->object = f->i->rd;
    in->access = accesses != NO_THREAD;
    if (in->access) in->address = u->execution[f - u->flight].address[k] + u->x_beat * u->x_bytes;
    in->bytes = u->x_bytes;
    run_address(u, t);
}

/* Evaluates the address mapping in a cycle without accesses: for the first operand that is read, of the
 * warp's first thread in the lane. */
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

#define BEATS                 struct unit
#define BEATS_FLIGHT          struct unit_flight
#define BEATS_PASSED(f)       ((f)->passed)
#define BEATS_IN_STACK(f)     ((f)->in_stack)
#define BEATS_EXECUTION(u, f) (&(u)->execution[(f) - (u)->flight])
#define BEATS_READ(u)         ((u)->read_port)
#define BEATS_WRITE(u)        ((u)->write_port)
#define BEATS_READS(u)        ((u)->read_ports)
#define BEATS_WRITES(u)       ((u)->write_ports)
#define BEATS_LATENCY(u)      ((u)->tpm_latency)
#define BEATS_PORTS(u)        unit_has_ports(u)
#define BEATS_WORDS(u, f)                                                                                    \
    (!SLOTS(u)->mitigation->saves && !unit_has_ports(u) && unit_form(u, f) != UNIFORM_SCALAR)
#define BEATS_LOCATE(u, f, t) locate_access(u, f, t)
#define BEATS_RECORDER(u)     unit_recorder(u)
#define BEATS_HOME(u, f)      ((u)->regrouped ? (u)->regrouped->home[(f) - (u)->flight] : NULL)
#define BEATS_LATER(u, cause, cycles, t)                                                                     \
    (unit_starts_several(u) && (SLOTS(u)->lanes->several->beat(u, cause, cycles, t), true))
#define BEATS_STALL(u, stage, f, first, end)                                                                 \
    if (unit_recorder(u)) unit_record_stall(u, stage, f, first, end)
#define BEATS_LANDED(u, f, t)       unit_landed_until(u, f, t)
#define BEATS_TOOK_READ_PORTS(u, t) ((void)0)
#define BEATS_OCCUPANCY(u, f)       unit_occupancy(u, f)
#define BEATS_NEVER                 UNIT_NEVER
#include "model/slots/shared/beats.h"

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

/* Ends the accesses of a flight, whose last round has started in cycle t. */
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

UNIT_STAGE bool in_lane_access(struct unit *u, struct unit_flight *f, uint64_t t) {
    if (!access_beat(u, f, t)) return false;
    if (unit_is_uniform(u) && u->x_round + 1 == f->rounds) unit_uniform_write_beat(u, f);
    if (++u->x_beat < f->i->access_count) return true;
    u->x_beat = 0;
    if (unit_has_ports(u)) return true; /* the dispatcher counts rounds */
    if (++u->x_round == f->rounds) end_accesses(u, f, t);
    return true;
}

static void in_lane_end(struct unit *u, struct unit_flight *f, uint64_t t) {
    end_accesses(u, f, t);
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
    if (UNIT_GENERAL && SLOTS(u)->divergence->accesses && !u->x_in_tpm) {
        SLOTS(u)->divergence->accesses(u, f->formed);
        f->formed = REGROUPED_AWAY;
    }
}

/* --- account: a cycle has the cause for which the lanes were idle --- */

static __attribute__((noinline)) void in_lane_charge(struct unit *u, const struct unit_flight *f,
                                                     uint64_t until) {
    const struct lane_gap gap = {{f->since, f->cause, f->wait_pc}, f->f, f->fetched, f->o, f->pc};
    cluster_charge_gap(u->cluster, u->x_free, until, &gap);
}

/* --- fetches --- */

UNIT_STAGE void in_lane_fetch(struct unit *u, struct unit_flight *f, uint64_t t) {
    struct cluster *c = u->cluster;
    f->f = f->fetched = t;
    f->left = UNIT_NEVER;
    f->i = machine_code_at(c->launch->code, f->pc);
    SLOTS(u)->mitigation->rounds(u, f);
    const unsigned lines =
        UNIT_GENERAL && u->regrouped ? unit_lines_of(u, f, f->participating) : c->vtpo_lines;
    f->read_lines = f->i ? (uint16_t)(arm_rows_of(f->i->sources) * lines) : 0;
    SLOTS(u)->contexts->reads(u, f);
    if (unit_is_uniform(u)) {
        struct uniform_flight *x = &u->uniform[f - u->flight];
        x->form = UNIFORM_VECTOR;
        x->inserts = false;
        x->broadcast = 0;
    }
    cluster_prefetch_rows(c, f->warp, f->i);
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
                                                .charge = in_lane_charge};
