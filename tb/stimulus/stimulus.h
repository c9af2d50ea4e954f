/*
 * stimulus: what the random inputs of all blocks have in common, see blocks.h.
 */
#ifndef TB_STIMULUS_STIMULUS_H
#define TB_STIMULUS_STIMULUS_H

#include "tb/twins/twin.h"
#include "tb/stimulus/sizes.h"
#include "sim/seed.h"

/* A corner: a rare case of inputs and state, of which some faults need one. */
struct stimulus_corner {
    const char *name; /* NULL ends a list */
    const char *when; /* "NAME>VALUE" or "NAME<VALUE": sizes that have the case; NULL: all sizes */
};

struct stimulus_block {
    const char *name;        /* name of the Verilog: rtl/NAME.sv */
    const char *model;       /* name of the C model: model/ROOM/MODEL.c, tested by tests/ROOM/test_MODEL.c */
    enum cluster_block slot; /* slot with the block's ports; CLUSTER_BLOCK_COUNT: none */
    const void *in, *q;      /* structs of the model below; q is NULL without flip-flops */
    void *out;
    void (*start)(struct seed *, const struct rtl_size *); /* the model anew, as after a reset */
    bool (*drive)(struct seed *); /* inputs of a cycle, and the evaluation. True: there was a reset before */
    void (*clock)(void);          /* the edge; NULL without flip-flops */
    const struct stimulus_corner *corner;
    uint64_t (*corners)(void); /* bit n: the cycle that was driven has corner[n] */
};

/* Defines NAME_row, the ports of a block without a slot, from struct NAME with `in`, `out` and `q`. UPPER:
 * the name in capitals. */
#define STIMULUS_SIGNAL(kind, part, name, type, array)                                                       \
    {#name, kind, offsetof(struct part, name), sizeof(type), array},
#define STIMULUS_ROW(block, UPPER)                                                                           \
    static const struct twin_signal block##_signal[] = {UPPER##_SIGNALS(STIMULUS_SIGNAL)};                   \
    static const struct twin_block block##_row = {                                                           \
        .slot = CLUSTER_BLOCK_COUNT,                                                                         \
        .name = #block,                                                                                      \
        .module = #block,                                                                                    \
        .signal = block##_signal,                                                                            \
        .count = sizeof block##_signal / sizeof *block##_signal,                                             \
        .in = offsetof(struct block, in),                                                                    \
        .out = offsetof(struct block, out),                                                                  \
        .q = offsetof(struct block, q),                                                                      \
    };

/* Inputs are random only: none leads to a corner. For comparison with inputs that do. */
static bool stimulus_plain;

/* Returns whether inputs should lead to a corner, which happens once in `odds` cycles. */
static inline bool stimulus_rare(struct seed *s, unsigned odds) {
    return !stimulus_plain && seed_below(s, odds) == 0;
}

static inline uint64_t stimulus_set(const bool *bit, unsigned count) {
    uint64_t set = 0;
    for (unsigned n = 0; n < count; ++n) set |= (uint64_t)bit[n] << n;
    return set;
}
#define STIMULUS_CORNERS(...)                                                                                \
    stimulus_set((const bool[]){__VA_ARGS__}, sizeof((const bool[]){__VA_ARGS__}) / sizeof(bool))

/* The set of all of n threads, and of all of n warps. */
static inline uint64_t stimulus_all(unsigned n) {
    return ~0ull >> (64 - n);
}
static inline warp_set stimulus_all_warps(unsigned n) {
    return ~(warp_set)0 >> (128 - n);
}

/* The memories of a model, which lie as in a cluster; after its edge. */
static inline const struct twin_port *stimulus_rows(const struct stimulus_block *b, struct twin *t) {
    const struct twin_block *slot = &twin_block[b->slot];
    if (b->slot == CLUSTER_BLOCK_COUNT) return NULL;
    char *cluster = (char *)b->out - slot->out;
    const block_rows *written = (const void *)(cluster + slot->written);
    if (!slot->stride || !*written) return NULL;
    return twin_rows(t, twin_block_rows(slot, cluster), slot->stride, *written);
}

/* Returns whether a condition "NAME>VALUE" holds for a size. */
static inline bool stimulus_exceeds(const struct rtl_size *size, const char *when) {
    char name[VERILOG_MAX_NAME];
    const size_t length = strcspn(when, "<>");
    snprintf(name, sizeof name, "%.*s", (int)length, when);
    const unsigned long value = rtl_size_of(size, name), limit = strtoul(when + length + 1, NULL, 10);
    return when[length] == '>' ? value > limit : value < limit;
}

/* Runs one cycle of a block, model and twin (NULL: model only). Returns the first signal that differs, or
 * NULL. *corners: the corners of the cycle. */
static inline const struct twin_port *stimulus_cycle(const struct stimulus_block *b, struct seed *seed,
                                                     struct twin *t, uint64_t cycle, uint64_t *corners) {
    const bool reset = b->drive(seed);
    if (corners) *corners = b->corners();
    if (t && reset) twin_reset(t);
    const struct twin_port *different = t && !twin_rests(t, cycle, b->in, b->out, b->q)
                                            ? twin_cycle(t, cycle, b->in, b->out, b->q, false)
                                            : NULL;
    if (b->clock) b->clock();
    return t && !different ? stimulus_rows(b, t) : different;
}

/* Bits of a mask of n, sparse, even or dense. */
static inline uint64_t stimulus_mask(struct seed *s, unsigned n) {
    const uint64_t all = stimulus_all(n);
    uint64_t mask = seed_next(s);
    if (stimulus_rare(s, 16)) return seed_below(s, 2) ? 1ull << (n - 1) : all & ~(1ull << seed_below(s, n));
    switch (seed_below(s, 6)) {
    case 0: return 0;
    case 1: return all;
    case 2: return mask & seed_next(s) & seed_next(s) & all;
    case 3: return (mask | seed_next(s)) & all;
    case 4: return 1ull << seed_below(s, n);
    default: return mask & all;
    }
}

/* Returns a random set of n warps, with the same special cases as stimulus_mask(). */
static inline warp_set stimulus_warps(struct seed *s, unsigned n) {
    if (n <= 64) return stimulus_mask(s, n);
    const warp_set low = stimulus_mask(s, 64), high = stimulus_mask(s, n - 64);
    if (stimulus_rare(s, 16)) return seed_below(s, 2) ? stimulus_all_warps(n) : (warp_set)1 << (n - 1);
    switch (seed_below(s, 4)) {
    case 0: return low;
    case 1: return high << 64;
    default: return low | high << 64;
    }
}

/* A number below n, which is often the last one. */
static inline unsigned stimulus_one_of(struct seed *s, unsigned n) {
    return stimulus_rare(s, 16) ? n - 1 : (unsigned)seed_below(s, n);
}

/* A PC: any, or one of which many low bits are 1, so that what is added to it is carried far. */
static inline uint32_t stimulus_pc(struct seed *s) {
    const uint32_t pc = (uint32_t)seed_next(s);
    if (stimulus_rare(s, 16)) return (UINT32_C(1) << (3 + seed_below(s, 30)) % 32) - 4;
    return seed_below(s, 4) ? pc : pc | (UINT32_MAX >> seed_below(s, 30));
}

#endif
