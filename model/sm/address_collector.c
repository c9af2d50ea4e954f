/* Memory instructions of lane groups (lanes.md §2). The address collector of each lane group has the
 * addresses of an instruction round by round. Local memory serves the rounds that the groups present. The
 * remaining accesses go to the load-store unit, oldest instruction first. */
#include "model/sm/sm_ldst.h"
#include "model/sm/sm_parts.h"

#define WORD 4

/* Returns the number of words that the access of thread k touches. */
static unsigned words_of(const struct sm_flight *f, unsigned k) {
    return (f->address[k] % WORD + f->i->access_bytes + WORD - 1) / WORD;
}

void sm_begin_addresses(struct sm *s, struct sm_flight *f) {
    const struct sm_spaces spaces = sm_ldst_spaces(s, f);
    struct sm_address_collector *a = &s->lanes.address_collector[f->lane_group];
    unsigned words = 0;
    *a = (struct sm_address_collector){
        .flight = (uint16_t)(f - s->flight), .local = spaces.local, .presented = SM_NEVER};
    for (uint64_t rest = spaces.local; rest; rest &= rest - 1) {
        const unsigned of_thread = words_of(f, (unsigned)__builtin_ctzll(rest));
        words = of_thread > words ? of_thread : words;
    }
    a->words = (uint16_t)(words * f->of_beat);
    f->served = 0;
    /* written with the round that has been served: not a scalar that all threads load, nor vectors that one
     * thread loads for all */
    const uint64_t apart = f->uniform.form == UNIFORM_SCALAR ? f->destinations & ~f->uniform.scalars
                                                             : f->destinations & f->uniform.scalars;
    f->by_round = spaces.local == sm_accessing(f) && words == 1 && f->i->is_load && f->destinations &&
                  !apart && !f->flags && f->effect == SM_NO_EFFECT;
}

/* Returns the first position of the round that an address collector presents next. */
static unsigned first_of(const struct sm *s, const struct sm_flight *f,
                         const struct sm_address_collector *a) {
    const unsigned width = s->lanes.width;
    const bool one = f->uniform.form == UNIFORM_SCALAR && a->local;
    return (one ? (unsigned)__builtin_ctzll(a->local) / width : f->place[a->served % f->of_beat]) * width;
}

/* Returns the threads of the round that an address collector presents next. */
static uint64_t of_round(const struct sm *s, const struct sm_flight *f,
                         const struct sm_address_collector *a) {
    const unsigned width = s->lanes.width, first = first_of(s, f, a);
    uint64_t threads = (a->local >> first & (bit_of(width) - 1)) << first;
    if (s->lanes.packs && f->uniform.form != UNIFORM_SCALAR)
        threads = a->local & sm_packed_threads(width, f->passed, a->served % f->of_beat);
    for (uint64_t rest = threads; rest; rest &= rest - 1)
        if (words_of(f, (unsigned)__builtin_ctzll(rest)) <= a->served / f->of_beat)
            threads &= ~(rest & -rest);
    return threads;
}

/* Ends a round in cycle t: all its threads have been served, or none accesses a word in it. */
static void end_round(struct sm *s, struct sm_flight *f, struct sm_address_collector *a, uint64_t t) {
    const uint64_t due = t + s->config->local.latency_cycles + 1;
    ++a->served;
    if (!f->by_round) return;
    f->x_at[f->served++] = t;
    if (f->served == 1) {
        f->w_next = due;
        sm_to_write(s, f);
    }
    sm_write_by(s, f, due);
}

/* Returns whether an address collector has a round with known addresses for local memory. Skips rounds
 * without an access to local memory. */
static bool presents(struct sm *s, struct sm_address_collector *a) {
    if (a->flight == SM_NO_FLIGHT) return false;
    struct sm_flight *f = &s->flight[a->flight];
    const unsigned beats = f->reads / f->of_beat, bytes = f->i->access_bytes / beats;
    while (a->served < a->words) {
        const unsigned word = a->served / f->of_beat * WORD / bytes, beat = word < beats ? word : beats - 1;
        if (beat * f->of_beat + a->served % f->of_beat >= a->arrived) return false;
        if (!a->left) a->left = of_round(s, f, a);
        if (a->left) return true;
        end_round(s, f, a, s->now);
    }
    return false;
}

/* Presents a group's unserved threads to the arbiter, with the words they access in the local memory of their
 * work-group. */
static void ask(struct sm *s, unsigned group) {
    struct sm_lanes *l = &s->lanes;
    const struct sm_address_collector *a = &l->address_collector[group];
    const struct sm_flight *f = &s->flight[a->flight];
    const uint32_t whose = s->warp[f->warp].group;
    for (uint64_t rest = a->left; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest), lane = group * l->width + k % l->width;
        const uint32_t word = (f->address[k] - MEMORY_LOCAL_BASE) / WORD + a->served / f->of_beat;
        l->word[lane] = whose << 18 | (word & 0x3ffff);
        l->arbiter.in.active |= 1u << lane;
    }
}

static void serve(struct sm *s, unsigned group, uint64_t t) {
    struct sm_lanes *l = &s->lanes;
    struct sm_address_collector *a = &l->address_collector[group];
    struct sm_flight *f = &s->flight[a->flight];
    const uint64_t lanes = l->arbiter.out.served >> group * l->width & (bit_of(l->width) - 1);
    for (uint64_t rest = a->left; rest; rest &= rest - 1) /* each in a lane of its own */
        if (lanes >> (unsigned)__builtin_ctzll(rest) % l->width & 1) a->left &= ~(rest & -rest);
    sm_ldst_count_local(s, f, lanes, a->left != 0);
    l->robbed += l->arbiter.out.robbed >> group & 1;
    f->data = t + s->config->local.latency_cycles;
    a->presented = t;
    a->waits = a->left != 0;
    if (!a->left) end_round(s, f, a, t);
}

/* Steps the twins of the arbiter. A driving twin may serve no thread in a cycle; the livelock watch limits
 * how long. */
static void ask_twin(struct sm *s, uint64_t t) {
    struct local_memory_arbiter *a = &s->lanes.arbiter;
    block_twins_cycle(s->twins[0], CLUSTER_BLOCK_LOCAL, t);
    a->out.served &= a->in.active;
    sm_watch_for_livelock(
        s, &s->lanes.unserved, a->in.active && !a->out.served,
        &(struct sm_refusal){"local_memory_arbiter", "served no thread", "some ask for a word"}, t);
}

/* Records the banks of the served words, for the scalar units, which use the other banks. */
static void note_banks(struct sm_lanes *l, unsigned banks, uint64_t t) {
    l->banks_at = t;
    l->banks = 0;
    for (uint32_t rest = l->arbiter.out.served; rest; rest &= rest - 1)
        l->banks |= bit_of(l->word[__builtin_ctz(rest)] % banks);
}

static void step_local_memory(struct sm *s, uint64_t t) {
    struct sm_lanes *l = &s->lanes;
    uint32_t presenting = 0;
    l->arbiter.in.active = 0;
    for (unsigned g = 0; g < l->groups; ++g) {
        if (!presents(s, &l->address_collector[g])) continue;
        presenting |= 1u << g;
        ask(s, g);
    }
    if (!presenting && !s->stepped) return;
    l->arbiter.in.turn = (uint32_t)(t % l->groups);
    l->arbiter.in.word = l->word;
    local_memory_arbiter_eval(&l->arbiter);
    if (s->twins[0]) ask_twin(s, t);
    if (s->scalar) note_banks(l, s->config->local.banks, t);
    for (unsigned g = 0; g < l->groups; ++g)
        if (presenting >> g & 1) serve(s, g, t);
}

/* Returns whether all rounds have arrived and all accesses to local memory have been served. */
static bool has_all_addresses(const struct sm *s, const struct sm_address_collector *a) {
    const struct sm_flight *f = &s->flight[a->flight];
    return f->x_round == f->rounds && a->served == a->words;
}

/* Completes instructions that access local memory only. Passes the oldest of the others to the load-store
 * unit, if that is idle. */
static void hand_over(struct sm *s, uint64_t t) {
    struct sm_lanes *l = &s->lanes;
    struct sm_address_collector *oldest = NULL;
    for (unsigned g = 0; g < l->groups; ++g) {
        struct sm_address_collector *a = &l->address_collector[g];
        if (a->flight == SM_NO_FLIGHT || a->sends || !has_all_addresses(s, a)) continue;
        if (a->local == sm_accessing(&s->flight[a->flight])) {
            sm_ldst_all_local(s, &s->flight[a->flight]);
            a->flight = SM_NO_FLIGHT;
        } else if (!oldest || s->flight[a->flight].age < s->flight[oldest->flight].age) {
            oldest = a;
        }
    }
    if (!oldest || !sm_ldst_idle(s)) return;
    sm_ldst_take(s, &s->flight[oldest->flight], t);
    if (s->config->ldst.overlap)
        oldest->flight = SM_NO_FLIGHT;
    else
        oldest->sends = true;
}

void sm_addresses_sent(struct sm *s, const struct sm_flight *f) {
    s->lanes.address_collector[f->lane_group].flight = SM_NO_FLIGHT;
}

uint64_t sm_collect_addresses(struct sm *s, uint64_t t) {
    struct sm_lanes *l = &s->lanes;
    bool any = false;
    for (unsigned g = 0; g < l->groups; ++g) any = any || l->address_collector[g].flight != SM_NO_FLIGHT;
    if (!any && !s->stepped) return SM_NEVER;
    step_local_memory(s, t);
    if (!any) return SM_NEVER;
    hand_over(s, t);
    for (unsigned g = 0; g < l->groups; ++g) {
        struct sm_address_collector *a = &l->address_collector[g];
        if (a->flight != SM_NO_FLIGHT) a->arrived = s->flight[a->flight].x_round;
    }
    return t + 1;
}
