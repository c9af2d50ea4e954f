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
 * A thread whose bytes lie in two words (it is not aligned) wants both; where a bank is asked for both kinds,
 * the first words of threads go before the second ones.
 */
#ifndef MODEL_CONTROL_BANK_CONFLICT_RESOLVER_H
#define MODEL_CONTROL_BANK_CONFLICT_RESOLVER_H

#include "model/config/machine_config.h"

#include <stdint.h>

#define BANK_CONFLICT_RESOLVER_BANKS 64 /* most */

struct bank_conflict_resolver_config {
    unsigned warp_size; /* 4 to 64 */
    unsigned banks;     /* 1 to 64, a power of two */
    enum local_broadcast broadcast;
};

/* The passes of the threads `active` that load or store 1, 2 or 4 bytes from address[thread] on. */
unsigned bank_conflict_resolver_passes(const struct bank_conflict_resolver_config *c, const uint32_t *address,
                                       unsigned bytes, uint64_t active);

#endif
