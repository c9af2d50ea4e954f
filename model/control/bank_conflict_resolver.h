/*
 * bank_conflict_resolver: number of passes that one warp's access to the banked local memory takes
 * (gpu-like.md §4). The word at an address lies in bank (address / 4) mod banks. A bank reads one word in a
 * pass.
 *
 * Threads are served in parts of `banks` threads: a half-warp with 16 banks, the warp with 32. In a pass each
 * bank serves the lowest thread of the part that still needs a word of that bank. With broadcast `any`
 * (cc20), the word goes to all threads that need it: a part takes as many passes as there are different words
 * in its fullest bank. With `one` (cc13), only one word a pass is broadcast: the word of the part's lowest
 * thread that has not been served. One thread is served of every other word, so equal words count apart.
 *
 * An unaligned access, with bytes in two words, needs both words: first all first words are read, then the
 * second words of the threads that have one.
 *
 * The block makes one pass in each cycle with a request (in, q → out, d). bank_conflict_resolver_passes()
 * counts the passes of an access at once, for machines that compute ahead.
 */
#ifndef MODEL_CONTROL_BANK_CONFLICT_RESOLVER_H
#define MODEL_CONTROL_BANK_CONFLICT_RESOLVER_H

#include "generated/bank_conflict_resolver_ports.h"
#include "model/config/machine_config.h"

#include <stdint.h>

#define BANK_CONFLICT_RESOLVER_BANKS 64 /* largest number of banks */

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

/* Returns the number of passes in which the threads `active` load or store 1, 2 or 4 bytes from
 * address[thread] on. */
unsigned bank_conflict_resolver_passes(const struct bank_conflict_resolver_config *c, const uint32_t *address,
                                       unsigned bytes, uint64_t active);
/* Returns the same number; banks[n] gets the banks that pass n reads, one bit each. */
unsigned bank_conflict_resolver_banks(const struct bank_conflict_resolver_config *c, const uint32_t *address,
                                      unsigned bytes, uint64_t active, uint64_t *banks);

#endif
