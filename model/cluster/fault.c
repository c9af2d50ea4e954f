#include "model/cluster/fault.h"

#include "model/cluster/cluster.h"

const char *const fault_place_name[FAULT_PLACE_COUNT] = {
#define X(id, name, what) name,
    FAULT_PLACES(X)
#undef X
};
const char *const fault_place_description[FAULT_PLACE_COUNT] = {
#define X(id, name, what) what,
    FAULT_PLACES(X)
#undef X
};

const char *fault_place_missing(const struct machine_config *c, enum fault_place place) {
    if (c->mode != MODE_SIMT) return "mode: simt";
    if (place == FAULT_SRF && c->uniform.storage != UNIFORM_SRF) return "uniform.storage: srf";
    if (place == FAULT_IRB && !c->uniform.inter) return "uniform.inter: on";
    return NULL;
}

static uint64_t bit(unsigned n) {
    return UINT64_C(1) << n;
}

/* Below n, of the fault's random number. */
static unsigned take(struct fault *f, unsigned n) {
    const uint64_t random = f->random;
    f->random = random / n;
    return (unsigned)(random % n);
}

static unsigned nth_of(uint64_t mask, uint64_t n) {
    for (; n; --n) mask &= mask - 1;
    return (unsigned)__builtin_ctzll(mask);
}

/* --- scalars ----------------------------------------------------------------------------------------------
 */

/* Every uniform instruction is executed for one thread. */
static bool spares_threads(const struct cluster *c) {
    return c->config->uniform.intra && c->config->uniform.intra_only == UNIFORM_ONLY_NOT;
}

/* Two lanes, or two words, for what one thread would do. */
static bool computes_twice(const struct cluster *c) {
    return spares_threads(c) && c->lanes > 1;
}

static bool keeps_twice(const struct cluster *c) {
    return spares_threads(c) && (c->lanes > 1 || c->config->uniform.storage == UNIFORM_SRF);
}

static bool is_scalar(const struct cluster *c, unsigned warp, unsigned row) {
    return c->uniform.on && spares_threads(c) && uniform_tokens_of(&c->uniform, warp) & bit(row);
}

/* Which copy of a scalar a thread's word is; −1: it holds nothing. */
static int copy_of(const struct cluster *c, unsigned position) {
    if (c->config->uniform.storage == UNIFORM_SRF) return position == 0 ? 1 : -1;
    if (position == uniform_position(c->config)) return 0;
    return c->lanes > 1 && position == cluster_position(c, 1, c->rounds - 1) ? 1 : -1;
}

static void flip_all(struct cluster *c, unsigned warp, unsigned row, uint32_t bits) {
    struct arm_threads *t = &c->threads[warp];
    for (unsigned k = 0; k < t->positions; ++k) t->registers[row * t->positions + k] ^= bits;
}

static void strike_scalar(struct cluster *c, unsigned warp, unsigned row, unsigned copy, unsigned n) {
    struct fault *f = c->fault;
    const struct arm_threads *t = &c->threads[warp];
    const uint64_t live = tdt_live(&c->descriptors.warp[warp]);
    f->state = FAULT_AT_LARGE;
    if (!keeps_twice(c)) {
        flip_all(c, warp, row, (uint32_t)bit(n));
        return;
    }
    const uint32_t value = t->registers[row * t->positions + (unsigned)__builtin_ctzll(live)];
    f->waiting = true;
    f->warp = warp;
    f->row = row;
    f->group = c->groups_done;
    scalar_pair_write(&f->pair, value, value);
    f->pair.value[copy] ^= (uint32_t)bit(n);
}

/* --- strikes in a cycle
 * ------------------------------------------------------------------------------------- */

/* One of a mask; −1 of an empty one. */
static int one_of(struct fault *f, uint64_t mask) {
    return mask ? (int)nth_of(mask, take(f, (unsigned)__builtin_popcountll(mask))) : -1;
}

static uint64_t live_warps(const struct cluster *c) {
    uint64_t live = 0;
    for (unsigned w = 0; w < c->warps; ++w) live |= (uint64_t)(tdt_live(&c->descriptors.warp[w]) != 0) << w;
    return live;
}

static void strike_register(struct cluster *c) {
    struct fault *f = c->fault;
    const int warp = one_of(f, live_warps(c)), row = one_of(f, f->used & UNIFORM_REGISTERS);
    if (warp < 0 || row < 0) return;
    const unsigned position = (unsigned)one_of(f, tdt_live(&c->descriptors.warp[warp])), n = take(f, 32);
    if (!is_scalar(c, (unsigned)warp, (unsigned)row)) {
        struct arm_threads *t = &c->threads[warp];
        t->registers[(unsigned)row * t->positions + position] ^= (uint32_t)bit(n);
        f->state = FAULT_AT_LARGE;
    } else if (copy_of(c, position) >= 0) {
        strike_scalar(c, (unsigned)warp, (unsigned)row, (unsigned)copy_of(c, position), n);
    }
}

/* Counts the scalar registers that are mapped, until it comes to number `wanted`: true. */
static bool find_mapped(const struct cluster *c, unsigned wanted, unsigned *count, unsigned *warp,
                        unsigned *row) {
    *count = 0;
    for (uint64_t live = live_warps(c); live; live &= live - 1) {
        *warp = (unsigned)__builtin_ctzll(live);
        for (*row = 0; *row < ARM_REGISTERS; ++*row)
            if (srf_rename_scalar(&c->uniform.rename, *warp, *row) >= 0 && (*count)++ == wanted) return true;
    }
    return false;
}

static void strike_srf(struct cluster *c) {
    struct fault *f = c->fault;
    unsigned warp, row, count;
    if (find_mapped(c, UINT32_MAX, &count, &warp, &row) || !count) return;
    find_mapped(c, take(f, count), &count, &warp, &row);
    strike_scalar(c, warp, row, 0, take(f, 32));
}

static void strike_irb(struct cluster *c) {
    struct instruction_reuse_buffer *b = &c->uniform.reuse;
    struct fault *f = c->fault;
    unsigned valid = 0, entry = 0;
    for (unsigned e = 0; e < b->cfg.entries; ++e) valid += b->valid[e];
    if (!valid) return;
    for (unsigned left = take(f, valid); !b->valid[entry] || left--;) ++entry;
    instruction_reuse_buffer_flip(b, entry, take(f, instruction_reuse_buffer_bits(b)));
    f->state = FAULT_AT_LARGE;
}

uint64_t fault_due(const struct cluster *c) {
    const struct fault *f = c->fault;
    const bool awaited = f->state == FAULT_TO_COME && f->place != FAULT_ALU;
    return awaited ? c->simt_first + f->at - c->simt_cycles : UINT64_MAX;
}

void fault_step(struct cluster *c, uint64_t t) {
    struct fault *f = c->fault;
    if (fault_due(c) > t) return;
    f->state = FAULT_NOWHERE;
    switch (f->place) {
    case FAULT_REGISTER: strike_register(c); return;
    case FAULT_SRF: strike_srf(c); return;
    default: strike_irb(c); return;
    }
}

/* --- what instructions do
 * ------------------------------------------------------------------------------------ */

/* The scalar that waits is of this warp, which goes on as before. */
static bool is_awaited(struct cluster *c, unsigned warp) {
    struct fault *f = c->fault;
    if (!f->waiting || f->warp != warp) return false;
    f->waiting = f->group == c->groups_done && is_scalar(c, warp, f->row);
    return f->waiting;
}

void fault_reads(struct cluster *c, unsigned warp) {
    struct fault *f = c->fault;
    const struct flight *flight = &c->path.flight[warp];
    uint32_t value;
    if (flight->i) f->used |= flight->i->sources | flight->i->destinations;
    if (!flight->i || !(flight->i->sources & bit(f->row)) || !is_awaited(c, warp)) return;
    f->waiting = false;
    if (scalar_pair_read(&f->pair, &value) == SCALAR_PAIR_CORRECTED) {
        struct arm_threads *t = &c->threads[warp];
        for (uint64_t live = tdt_live(&c->descriptors.warp[warp]); live; live &= live - 1)
            t->registers[f->row * t->positions + (unsigned)__builtin_ctzll(live)] = value;
        f->state = FAULT_CORRECTED;
        return;
    }
    f->state = FAULT_DETECTED;
    cluster_diagnose(c, (int)warp, (unsigned)__builtin_ctzll(flight->participating), flight->pc,
                     "reads a scalar whose copies differ: 0x%x and 0x%x", f->pair.value[0], f->pair.value[1]);
}

void fault_writes(struct cluster *c, unsigned warp) {
    struct fault *f = c->fault;
    const struct flight *flight = &c->path.flight[warp];
    if (!flight->execution.passed || !(flight->i->destinations & bit(f->row)) || !is_awaited(c, warp)) return;
    f->waiting = false;
    f->state = FAULT_NOWHERE;
}

void fault_reused(struct cluster *c) {
    struct fault *f = c->fault;
    if (f->place == FAULT_IRB && f->state == FAULT_AT_LARGE && c->uniform.reuse.out.parity)
        f->state = FAULT_CORRECTED;
}

/* The bit of a thread's result: of a row, else of NZCV or FPSCR's flags. False: there is no result. */
static bool flip_result(struct fault *f, struct arm_threads *t, const struct arm_instruction *i,
                        unsigned position) {
    const uint64_t rows = i->destinations & UNIFORM_REGISTERS;
    if (rows) {
        const unsigned row = nth_of(rows, take(f, (unsigned)__builtin_popcountll(rows)));
        t->registers[row * t->positions + position] ^= (uint32_t)bit(take(f, 32));
    } else if (i->writes & ARM_STATE_NZCV) {
        arm_set_apsr(t, position, arm_get_apsr(t, position) ^ (uint32_t)bit(28 + take(f, 4)));
    } else if (i->writes & ARM_STATE_FPSCR_FLAGS) {
        t->fpscr[position] ^= (uint32_t)bit(28 + take(f, 4));
    } else {
        return false;
    }
    return true;
}

/* One lane has computed for all threads of the warp. */
static void strike_once(struct cluster *c, unsigned warp, unsigned position) {
    struct fault *f = c->fault;
    const struct flight *flight = &c->path.flight[warp];
    const uint64_t random = f->random;
    bool any = false;
    for (uint64_t rest = flight->execution.passed; rest; rest &= rest - 1) {
        f->random = random; /* the same bit */
        any = flip_result(f, &c->threads[warp], flight->i, (unsigned)__builtin_ctzll(rest));
    }
    f->state = any ? FAULT_AT_LARGE : FAULT_NOWHERE;
    if (!any || !computes_twice(c)) return;
    f->state = FAULT_DETECTED;
    cluster_diagnose(c, (int)warp, position, flight->pc, "gets different results from two lanes");
}

static void strike_result(struct cluster *c, unsigned warp, unsigned position) {
    struct fault *f = c->fault;
    const struct flight *flight = &c->path.flight[warp];
    if (flight->uniform.form == UNIFORM_REUSED)
        f->state = FAULT_NOWHERE;
    else if (flight->uniform.form == UNIFORM_SCALAR)
        strike_once(c, warp, position);
    else
        f->state = flip_result(f, &c->threads[warp], flight->i, position) ? FAULT_AT_LARGE : FAULT_NOWHERE;
}

void fault_executed(struct cluster *c, unsigned warp) {
    struct fault *f = c->fault;
    const struct flight *flight = &c->path.flight[warp];
    if (flight->uniform.form == UNIFORM_COPY || !reuse_is_alu(flight->i)) return;
    const uint64_t before = f->operations;
    f->operations += (unsigned)__builtin_popcountll(flight->execution.passed);
    if (f->place != FAULT_ALU || f->state != FAULT_TO_COME || f->at >= f->operations) return;
    strike_result(c, warp, nth_of(flight->execution.passed, f->at - before));
}
