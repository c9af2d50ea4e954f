/* Values of a launch; accesses anywhere in a stack, at its ends and near the last word that is held; a few to
 * another thread's stack, a few to none. */
#ifndef TB_STIMULUS_TPO_ADDRESS_H
#define TB_STIMULUS_TPO_ADDRESS_H

#include "tb/stimulus/stimulus.h"

static struct tpo_address stimulus_address;
static unsigned stimulus_contexts_bits; /* upper limit of the bits of contexts */

static inline void stimulus_launch(struct seed *s) {
    struct tpo_address_in *in = &stimulus_address.in;
    const unsigned objects = seed_below(s, 4) ? 100 : (1u << 23) - ARM_REGISTERS;
    in->rounds_bits = seed_below(s, 7);
    in->contexts_bits = in->rounds_bits + seed_below(s, stimulus_contexts_bits + 1 - in->rounds_bits);
    in->stack_bits = 8 + seed_below(s, 12);
    in->n_tpo = ARM_REGISTERS + seed_below(s, objects);
    if (stimulus_rare(s, 16)) in->n_tpo = (1u << 23) - 1 - seed_below(s, 64);
    in->top = (1 + seed_below(s, 15)) << (in->stack_bits + in->contexts_bits);
}

static inline void start_tpo_address(struct seed *s, const struct rtl_size *size) {
    stimulus_contexts_bits = rtl_size_of(size, "CONTEXTS") > 512 ? 10 : 9;
    stimulus_launch(s);
}

static inline bool drive_tpo_address(struct seed *s) {
    struct tpo_address_in *in = &stimulus_address.in;
    if (seed_below(s, 64) == 0) stimulus_launch(s);
    const uint32_t size = UINT32_C(1) << in->stack_bits, contexts = UINT32_C(1) << in->contexts_bits;
    const uint32_t depth[] = {seed_below(s, size + 8), seed_below(s, 16), size + 4 - seed_below(s, 20),
                              4 * (in->n_tpo - ARM_REGISTERS) - 8 + seed_below(s, 16)};
    in->context = stimulus_one_of(s, contexts);
    in->base = tpo_base(UINT32_C(1) << in->rounds_bits, in->n_tpo, in->context);
    in->access = seed_below(s, 8) != 0;
    in->object = seed_below(s, in->n_tpo);
    in->bytes = 1 + seed_below(s, 8);
    const uint32_t whose = seed_below(s, 8) ? in->context : seed_below(s, contexts);
    in->address = in->top - whose * size - depth[seed_below(s, 4)];
    if (seed_below(s, 32) == 0) in->address = (uint32_t)seed_next(s);
    tpo_address_eval(&stimulus_address);
    return false;
}

static const struct stimulus_corner tpo_address_corner[] = {
    {"the last context", NULL},
    {"as many contexts as there can be", NULL},
    {"an access that begins in the TPM and ends in memory", NULL},
    {"the last word of a stack", NULL},
    {"another thread's stack", NULL},
    {"the largest number of words", NULL},
    {NULL, NULL},
};

static inline uint64_t corners_tpo_address(void) {
    const struct tpo_address_in *in = &stimulus_address.in;
    const struct tpo_address_out *out = &stimulus_address.out;
    return STIMULUS_CORNERS(in->context == (UINT32_C(1) << in->contexts_bits) - 1,
                            in->contexts_bits == stimulus_contexts_bits,
                            in->access && out->words && out->memory,
                            in->access && out->own && ((in->address ^ in->top) & 3) == 0 && out->words,
                            in->access && !out->own, in->n_tpo >= (1u << 22));
}

static const struct stimulus_block tpo_address_stimulus = {
    "tpo_address", "tpo_address",         CLUSTER_BLOCK_ADDRESS, &stimulus_address.in,
    NULL,          &stimulus_address.out, start_tpo_address,     drive_tpo_address,
    NULL,          tpo_address_corner,    corners_tpo_address,
};

#endif
