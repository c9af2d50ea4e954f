/*
 * bank_conflict_resolver: how many passes one warp's access to the banked local memory takes (gpu-like.md
 * §4). The word at an address lies in bank (address / 4) mod banks; a bank reads one word in a pass.
 *
 * Threads are served by parts of as many as there are banks: a half-warp with 16, the warp with 32. In a pass
 * each bank serves the lowest thread of the part that wants a word of it. With broadcast `any` (cc20) a word
 * that is read goes to all who want it: the passes of a part are the most different words in one bank. With
 * `one` (cc13) that is so of one word only, that of the part's lowest thread left; of other words one thread
 * is served, and equal ones count apart.
 *
 * A thread whose bytes lie in two words (it is not aligned) wants both: the access is made for all first
 * words, then for the second words of those who have one.
 *
 * The block makes a pass in each cycle in which one is asked for (in, q → out, d);
 * bank_conflict_resolver_passes() counts those of an access at once, which is what a machine asks that
 * computes ahead.
 */
#ifndef MODEL_CONTROL_BANK_CONFLICT_RESOLVER_H
#define MODEL_CONTROL_BANK_CONFLICT_RESOLVER_H

#include "generated/bank_conflict_resolver_ports.h"
#include "model/config/machine_config.h"

#include <stdint.h>

#define BANK_CONFLICT_RESOLVER_BANKS 64 /* most */

/* --- parameters, ports and flip-flops --- */

struct bank_conflict_resolver_config { /* the parameters of rtl/bank_conflict_resolver.sv */
    unsigned warp_size;                /* 4 to 64 */
    unsigned banks;                    /* 1 to 64, a power of two */
    enum local_broadcast broadcast;
};

struct bank_conflict_resolver {
    struct bank_conflict_resolver_config cfg;
    struct bank_conflict_resolver_in in; /* ports and flip-flops: rtl/bank_conflict_resolver.sv */
    struct bank_conflict_resolver_out out;
    struct bank_conflict_resolver_state q, d;
};

/* --- functions --- */

void bank_conflict_resolver_init(struct bank_conflict_resolver *b,
                                 const struct bank_conflict_resolver_config *config);
void bank_conflict_resolver_eval(struct bank_conflict_resolver *b);  /* in, q → out, d */
void bank_conflict_resolver_clock(struct bank_conflict_resolver *b); /* d → q: the edge */

/* The passes of the threads `active` that load or store 1, 2 or 4 bytes from address[thread] on. */
unsigned bank_conflict_resolver_passes(const struct bank_conflict_resolver_config *c, const uint32_t *address,
                                       unsigned bytes, uint64_t active);
/* The same, and in banks[n] the banks that pass n reads, a bit each. */
unsigned bank_conflict_resolver_banks(const struct bank_conflict_resolver_config *c, const uint32_t *address,
                                      unsigned bytes, uint64_t active, uint64_t *banks);

#endif
