#include "model/control/local_memory_arbiter.h"

void local_memory_arbiter_init(struct local_memory_arbiter *a,
                               const struct local_memory_arbiter_config *config) {
    *a = (struct local_memory_arbiter){.cfg = *config};
}

void local_memory_arbiter_eval(struct local_memory_arbiter *a) {
    const struct local_memory_arbiter_config *c = &a->cfg;
    const unsigned group = c->lanes / c->groups;
    const uint64_t of_group = (UINT64_C(1) << group) - 1;
    uint32_t chosen[LOCAL_MEMORY_ARBITER_BANKS]; /* word for which each bank has been taken */
    uint8_t taker[LOCAL_MEMORY_ARBITER_BANKS];   /* group that has taken each bank */
    uint64_t taken = 0, served = 0;
    a->out.done = a->out.robbed = 0;
    for (unsigned n = 0; n < c->groups; ++n) {
        const unsigned l = (a->in.turn + n) % c->groups;
        const uint64_t active = a->in.active & of_group << l * group;
        for (uint64_t rest = active; rest; rest &= rest - 1) {
            const uint32_t word = a->in.word[__builtin_ctzll(rest)];
            const unsigned bank = word & (c->banks - 1);
            if (!(taken >> bank & 1)) {
                taken |= UINT64_C(1) << bank;
                chosen[bank] = word;
                taker[bank] = (uint8_t)l;
            }
            if (chosen[bank] == word)
                served |= rest & -rest;
            else if (taker[bank] != l)
                a->out.robbed |= 1u << l;
        }
        if (active && !(active & ~served)) a->out.done |= 1u << l;
    }
    a->out.served = (uint32_t)served;
}
