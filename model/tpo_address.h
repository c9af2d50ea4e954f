/*
 * tpo_address: where a thread-privatisation object lies in its lane's L1 data cache (dual-mode §3.5,
 * equations 1 and 2; machine.md §4).
 *
 * TPO(i, j, d) = TPM_i[(m · n_tpo + d) · N_it + v], with m = j / N_it and v = j mod N_it: the N_it words of
 * one (m, d), a vTPO, lie side by side and are read or written in one access of a cache line. The host keeps
 * the lanes' arrays interleaved, all words of one vTPO of all lanes in a row, so that a warp instruction is
 * one vector loop; the two are the same words.
 */
#ifndef MODEL_TPO_ADDRESS_H
#define MODEL_TPO_ADDRESS_H

#include <stdint.h>

/* Word of a lane's TPM that holds object d of context j. rounds: N_it. */
static inline uint32_t tpo_address(uint32_t rounds, uint32_t n_tpo, uint32_t context, uint32_t object) {
    return (context / rounds * n_tpo + object) * rounds + context % rounds;
}

/* vTPO (row) and round of a word of a lane's TPM. */
static inline uint32_t tpo_row(uint32_t rounds, uint32_t word) {
    return word / rounds;
}

static inline uint32_t tpo_round(uint32_t rounds, uint32_t word) {
    return word % rounds;
}

#endif
