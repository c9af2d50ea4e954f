/* uniform_choice: uniform values of a random machine. */
#ifndef TESTS_ATTACKS_UNIFORM_CHOICE_H
#define TESTS_ATTACKS_UNIFORM_CHOICE_H

#include "model/config/machine_config.h"
#include "tests/seed.h"

/* Chooses storage and use of uniform values, with few or many registers and entries for them. */
static inline void uniform_choose(struct seed *s, struct machine_config *c) {
    const unsigned use = 1 + (unsigned)seed_below(s, 3);
    c->uniform.storage = seed_below(s, 2) ? UNIFORM_TOKEN : UNIFORM_SRF;
    c->uniform.intra = use & 1;
    c->uniform.inter = use >> 1;
    c->uniform.srf_registers = 8u << seed_below(s, 6);
    c->uniform.irb_tag_bits = 1 + (unsigned)seed_below(s, 10);
    c->uniform.broadcast_cycles = (unsigned)seed_below(s, 3);
}

#endif
