#include "model/uniform/fault.h"

#include "model/config/lanes_config.h"
#include "model/uniform/reuse_operands.h"

#include <stdio.h>

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

/* Draws a number below n from the random number of the fault. */
static unsigned take(struct fault *f, unsigned n) {
    const uint64_t random = f->random;
    f->random = random / n;
    return (unsigned)(random % n);
}

static unsigned nth_of(uint64_t mask, uint64_t n) {
    for (; n; --n) mask &= mask - 1;
    return (unsigned)__builtin_ctzll(mask);
}

/* --- scalars --- */

/* Returns whether each uniform instruction executes for one thread only. */
static bool spares_threads(const struct fault_unit *u) {
    return u->config->uniform.intra && u->config->uniform.intra_only == UNIFORM_ONLY_NOT;
}

/* Returns whether a warp instruction has two lanes or more. */
static bool has_second_lane(const struct fault_unit *u) {
    return u->config->cluster.lanes / machine_lane_groups(u->config) > 1;
}

/* Returns whether two lanes execute each uniform instruction, for comparison. */
static bool computes_twice(const struct fault_unit *u) {
    return spares_threads(u) && has_second_lane(u);
}

static bool keeps_twice(const struct fault_unit *u) {
    return spares_threads(u) && (has_second_lane(u) || u->config->uniform.storage == UNIFORM_SRF);
}

static bool is_scalar(const struct fault_unit *u, unsigned warp, unsigned row) {
    return u->uniform->on && spares_threads(u) && uniform_tokens_of(u->uniform, warp) & bit(row);
}

/* Returns the position of the second copy: the thread of lane 1 in the round that contains the first copy in
 * lane 0. */
static unsigned second_copy(const struct machine_config *c) {
    return uniform_position(c) + (c->simt.lane_map == LANE_MAP_BLOCK && c->lanes.kind == LANES_SPATIAL
                                      ? c->simt.warp_size / c->cluster.lanes
                                      : 1);
}

/* Returns which copy of a scalar the word of a position holds; −1 if none. */
static int copy_of(const struct fault_unit *u, unsigned position) {
    if (u->config->uniform.storage == UNIFORM_SRF) return position == 0 ? 1 : -1;
    if (position == uniform_position(u->config)) return 0;
    return has_second_lane(u) && position == second_copy(u->config) ? 1 : -1;
}

static struct arm_threads *threads_of(const struct fault_unit *u, unsigned warp) {
    return u->threads(u->owner, warp);
}

static uint64_t live_of(const struct fault_unit *u, unsigned warp) {
    return u->live(u->owner, warp);
}

static void flip_all(const struct fault_unit *u, unsigned warp, unsigned row, uint32_t bits) {
    struct arm_threads *t = threads_of(u, warp);
    for (unsigned k = 0; k < t->positions; ++k) t->registers[row * t->positions + k] ^= bits;
}

static void strike_scalar(struct fault *f, const struct fault_unit *u, unsigned warp, unsigned row,
                          unsigned copy, unsigned n) {
    const struct arm_threads *t = threads_of(u, warp);
    f->state = FAULT_AT_LARGE;
    if (!keeps_twice(u)) {
        flip_all(u, warp, row, (uint32_t)bit(n));
        return;
    }
    const uint32_t value = t->registers[row * t->positions + (unsigned)__builtin_ctzll(live_of(u, warp))];
    f->waiting = true;
    f->warp = warp;
    f->row = row;
    f->group = u->groups_done;
    scalar_pair_write(&f->pair, value, value);
    f->pair.value[copy] ^= (uint32_t)bit(n);
}

/* --- strikes in a cycle --- */

/* Returns a random bit number of a mask; −1 if the mask is empty. */
static int one_of(struct fault *f, uint64_t mask) {
    return mask ? (int)nth_of(mask, take(f, (unsigned)__builtin_popcountll(mask))) : -1;
}

static warp_set live_warps(const struct fault_unit *u) {
    warp_set live = 0;
    for (unsigned w = 0; w < u->warps; ++w) live |= (warp_set)(live_of(u, w) != 0) << w;
    return live;
}

/* Returns a random warp of a set; −1 if the set is empty. */
static int one_warp(struct fault *f, warp_set warps) {
    if (!warps) return -1;
    for (unsigned n = take(f, warp_set_count(warps)); n; --n) warps &= warps - 1;
    return (int)warp_set_first(warps);
}

static void strike_register(struct fault *f, const struct fault_unit *u) {
    const int warp = one_warp(f, live_warps(u)), row = one_of(f, f->used & UNIFORM_REGISTERS);
    if (warp < 0 || row < 0) return;
    const unsigned position = (unsigned)one_of(f, live_of(u, (unsigned)warp)), n = take(f, 32);
    if (!is_scalar(u, (unsigned)warp, (unsigned)row)) {
        struct arm_threads *t = threads_of(u, (unsigned)warp);
        t->registers[(unsigned)row * t->positions + position] ^= (uint32_t)bit(n);
        f->state = FAULT_AT_LARGE;
    } else if (copy_of(u, position) >= 0) {
        strike_scalar(f, u, (unsigned)warp, (unsigned)row, (unsigned)copy_of(u, position), n);
    }
}

/* Finds the mapped scalar register number `wanted`, and counts those before it. Returns whether it exists. */
static bool find_mapped(const struct fault_unit *u, unsigned wanted, unsigned *count, unsigned *warp,
                        unsigned *row) {
    *count = 0;
    for (warp_set live = live_warps(u); live; live &= live - 1) {
        *warp = warp_set_first(live);
        for (*row = 0; *row < ARM_REGISTERS; ++*row)
            if (srf_rename_scalar(&u->uniform->rename, *warp, *row) >= 0 && (*count)++ == wanted) return true;
    }
    return false;
}

static void strike_srf(struct fault *f, const struct fault_unit *u) {
    unsigned warp, row, count;
    if (find_mapped(u, UINT32_MAX, &count, &warp, &row) || !count) return;
    find_mapped(u, take(f, count), &count, &warp, &row);
    strike_scalar(f, u, warp, row, 0, take(f, 32));
}

static void strike_irb(struct fault *f, struct instruction_reuse_buffer *b) {
    unsigned valid = 0, entry = 0;
    for (unsigned e = 0; e < b->cfg.entries; ++e) valid += b->valid[e];
    if (!valid) return;
    for (unsigned left = take(f, valid); !b->valid[entry] || left--;) ++entry;
    instruction_reuse_buffer_flip(b, entry, take(f, instruction_reuse_buffer_bits(b)));
    f->state = FAULT_AT_LARGE;
}

uint64_t fault_due_in(const struct fault *f, uint64_t passed) {
    const bool awaited = f->state == FAULT_TO_COME && f->place != FAULT_ALU;
    return !awaited ? UINT64_MAX : f->at > passed ? f->at - passed : 0;
}

void fault_strike(struct fault *f, const struct fault_unit *u) {
    f->state = FAULT_NOWHERE;
    switch (f->place) {
    case FAULT_REGISTER: strike_register(f, u); return;
    case FAULT_SRF: strike_srf(f, u); return;
    default: strike_irb(f, &u->uniform->reuse); return;
    }
}

/* --- strikes in instructions --- */

/* Returns whether a struck scalar of this warp has not been read yet. Clears `waiting` if the scalar has
 * gone. */
static bool is_awaited(struct fault *f, const struct fault_unit *u, unsigned warp) {
    if (!f->waiting || f->warp != warp) return false;
    f->waiting = f->group == u->groups_done && is_scalar(u, warp, f->row);
    return f->waiting;
}

void fault_reads(struct fault *f, const struct fault_unit *u, const struct fault_instruction *x) {
    uint32_t value;
    if (x->i) f->used |= x->i->sources | x->i->destinations;
    if (!x->i || !(x->i->sources & bit(f->row)) || !is_awaited(f, u, x->warp)) return;
    f->waiting = false;
    if (scalar_pair_read(&f->pair, &value) == SCALAR_PAIR_CORRECTED) {
        struct arm_threads *t = threads_of(u, x->warp);
        for (uint64_t live = live_of(u, x->warp); live; live &= live - 1)
            t->registers[f->row * t->positions + (unsigned)__builtin_ctzll(live)] = value;
        f->state = FAULT_CORRECTED;
        return;
    }
    char does[80];
    snprintf(does, sizeof does, "reads a scalar with different copies: 0x%x and 0x%x", f->pair.value[0],
             f->pair.value[1]);
    f->state = FAULT_DETECTED;
    u->detected(u->owner, x->warp, (unsigned)__builtin_ctzll(x->participating), x->pc, does);
}

void fault_writes(struct fault *f, const struct fault_unit *u, const struct fault_instruction *x) {
    if (!x->passed || !(x->i->destinations & bit(f->row)) || !is_awaited(f, u, x->warp)) return;
    f->waiting = false;
    f->state = FAULT_NOWHERE;
}

void fault_reused(struct fault *f, const struct uniform *u) {
    if (f->place == FAULT_IRB && f->state == FAULT_AT_LARGE && u->reuse.out.parity)
        f->state = FAULT_CORRECTED;
}

/* Flips a random bit of a thread's result: of a register, else of NZCV or the FPSCR flags. Returns false if
 * there is no result. */
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

/* Strikes a result that one lane computes for all threads of a warp. */
static void strike_once(struct fault *f, const struct fault_unit *u, const struct fault_instruction *x,
                        unsigned position) {
    const uint64_t random = f->random;
    bool any = false;
    for (uint64_t rest = x->passed; rest; rest &= rest - 1) {
        f->random = random; /* the same bit for all threads */
        any = flip_result(f, threads_of(u, x->warp), x->i, (unsigned)__builtin_ctzll(rest));
    }
    f->state = any ? FAULT_AT_LARGE : FAULT_NOWHERE;
    if (!any || !computes_twice(u)) return;
    f->state = FAULT_DETECTED;
    u->detected(u->owner, x->warp, position, x->pc, "gets different results from two lanes");
}

static void strike_result(struct fault *f, const struct fault_unit *u, const struct fault_instruction *x,
                          unsigned position) {
    unsigned warp = x->warp;
    if (x->form == UNIFORM_REUSED) {
        f->state = FAULT_NOWHERE;
        return;
    }
    if (x->form == UNIFORM_SCALAR) {
        strike_once(f, u, x, position);
        return;
    }
    if (x->threads) {
        warp = x->threads[position] / u->config->simt.warp_size;
        position = x->threads[position] % u->config->simt.warp_size;
    }
    f->state = flip_result(f, threads_of(u, warp), x->i, position) ? FAULT_AT_LARGE : FAULT_NOWHERE;
}

void fault_executed(struct fault *f, const struct fault_unit *u, const struct fault_instruction *x) {
    if (x->form == UNIFORM_COPY || !reuse_is_alu(x->i)) return;
    const uint64_t before = f->operations;
    f->operations += (unsigned)__builtin_popcountll(x->passed);
    if (f->place != FAULT_ALU || f->state != FAULT_TO_COME || f->at >= f->operations) return;
    strike_result(f, u, x, nth_of(x->passed, f->at - before));
}
