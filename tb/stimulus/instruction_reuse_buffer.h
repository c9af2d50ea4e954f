/* Instructions of a small stock that changes slowly. Many of them differ in one bit only, so that lookups
 * hit. Includes occasional wrong parity bits. */
#ifndef TB_STIMULUS_INSTRUCTION_REUSE_BUFFER_H
#define TB_STIMULUS_INSTRUCTION_REUSE_BUFFER_H

#include "tb/stimulus/stimulus.h"

enum { STIMULUS_INSTRUCTIONS = 600 };

struct stimulus_instruction {
    uint32_t tag, opcode, source[3], flags;
};

static struct instruction_reuse_buffer stimulus_reuse;
static struct stimulus_instruction stimulus_stock[STIMULUS_INSTRUCTIONS];
static unsigned stimulus_stock_size;

/* Replaces an element of the stock by a random one, or by another one with one bit changed. */
static inline void stimulus_stock_renew(struct seed *s, unsigned n) {
    const struct instruction_reuse_buffer *b = &stimulus_reuse;
    struct stimulus_instruction *i = &stimulus_stock[n];
    if (seed_below(s, 3)) {
        *i = stimulus_stock[seed_below(s, stimulus_stock_size)];
        switch (seed_below(s, 6)) {
        case 0: i->tag ^= 1u << seed_below(s, b->cfg.tag_bits); return;
        case 1: i->opcode ^= 1u << seed_below(s, b->cfg.opcode_bits); return;
        case 2: i->flags ^= 1u << seed_below(s, 9); return;
        default: i->source[seed_below(s, 3)] ^= 1u << seed_below(s, 32); return;
        }
    }
    i->tag = (uint32_t)seed_next(s) & ((1u << b->cfg.tag_bits) - 1);
    i->opcode = (uint32_t)seed_next(s) & ((1u << b->cfg.opcode_bits) - 1);
    for (unsigned k = 0; k < 3; ++k) i->source[k] = (uint32_t)seed_next(s);
    i->flags = (uint32_t)seed_next(s) & 0x1ff;
}

static inline void start_instruction_reuse_buffer(struct seed *s, const struct rtl_size *size) {
    instruction_reuse_buffer_init(&stimulus_reuse, rtl_size_of(size, "ENTRIES"),
                                  rtl_size_of(size, "TAG_BITS"), rtl_size_of(size, "OPCODE_BITS"));
    stimulus_stock_size = 2 * stimulus_reuse.cfg.entries + 1;
    memset(stimulus_stock, 0, sizeof stimulus_stock); /* the others have another size */
    for (unsigned n = 0; n < stimulus_stock_size; ++n) stimulus_stock_renew(s, n);
}

static inline const struct stimulus_instruction *stimulus_instruction_of(struct seed *s) {
    return &stimulus_stock[seed_below(s, stimulus_stock_size)];
}

static inline void stimulus_look_up(struct seed *s, struct instruction_reuse_buffer_in *in) {
    const struct stimulus_instruction *i = stimulus_instruction_of(s);
    in->lookup = seed_below(s, 4) != 0;
    in->lookup_tag = i->tag;
    in->lookup_opcode = i->opcode;
    in->lookup_source0 = i->source[0];
    in->lookup_source1 = i->source[1];
    in->lookup_source2 = i->source[2];
    in->lookup_flags = i->flags;
}

static inline void stimulus_insert(struct seed *s, struct instruction_reuse_buffer_in *in) {
    const struct stimulus_instruction *i = stimulus_instruction_of(s);
    in->insert = seed_below(s, 3) == 0;
    in->insert_tag = i->tag;
    in->insert_opcode = i->opcode;
    in->insert_source0 = i->source[0];
    in->insert_source1 = i->source[1];
    in->insert_source2 = i->source[2];
    in->insert_flags = i->flags;
    in->insert_result = (uint32_t)seed_next(s);
    in->insert_result_flags = seed_below(s, 16);
    in->insert_poison = seed_below(s, 16) == 0;
}

static inline bool drive_instruction_reuse_buffer(struct seed *s) {
    struct instruction_reuse_buffer *b = &stimulus_reuse;
    const bool reset = seed_below(s, 4096) == 0;
    if (reset) instruction_reuse_buffer_reset(b);
    if (seed_below(s, 16) == 0) stimulus_stock_renew(s, seed_below(s, stimulus_stock_size));
    stimulus_look_up(s, &b->in);
    stimulus_insert(s, &b->in);
    if (stimulus_rare(s, 16)) { /* the same instruction at both ports */
        b->in.insert_tag = b->in.lookup_tag;
        b->in.insert_opcode = b->in.lookup_opcode;
        b->in.insert_source0 = b->in.lookup_source0;
        b->in.insert_source1 = b->in.lookup_source1;
        b->in.insert_source2 = b->in.lookup_source2;
        b->in.insert_flags = b->in.lookup_flags;
    }
    instruction_reuse_buffer_eval(b);
    return reset;
}

static inline void clock_instruction_reuse_buffer(void) {
    instruction_reuse_buffer_clock(&stimulus_reuse);
}

static inline bool stimulus_reuse_full(void) {
    bool full = true;
    for (unsigned n = 0; n < stimulus_reuse.cfg.entries; ++n) full &= stimulus_reuse.q.valid[n];
    return full;
}

static const struct stimulus_corner instruction_reuse_buffer_corner[] = {
    {"a hit", NULL},
    {"all entries are valid", NULL},
    {"an entry is evicted", NULL},
    {"bad parity", NULL},
    {"the instruction that is looked up is inserted in the same cycle", NULL},
    {"an operand with bit 31", NULL},
    {NULL, NULL},
};

static inline uint64_t corners_instruction_reuse_buffer(void) {
    const struct instruction_reuse_buffer *b = &stimulus_reuse;
    const struct instruction_reuse_buffer_in *in = &b->in;
    return STIMULUS_CORNERS(b->out.hit, stimulus_reuse_full(), b->out.evicted, b->out.parity,
                            in->lookup && in->insert && in->lookup_tag == in->insert_tag &&
                                in->lookup_opcode == in->insert_opcode &&
                                in->lookup_source0 == in->insert_source0,
                            b->out.hit && in->lookup_source2 >> 31);
}

static const struct stimulus_block instruction_reuse_buffer_stimulus = {
    "instruction_reuse_buffer",
    "instruction_reuse_buffer",
    CLUSTER_BLOCK_REUSE,
    &stimulus_reuse.in,
    &stimulus_reuse.q,
    &stimulus_reuse.out,
    start_instruction_reuse_buffer,
    drive_instruction_reuse_buffer,
    clock_instruction_reuse_buffer,
    instruction_reuse_buffer_corner,
    corners_instruction_reuse_buffer,
};

#endif
