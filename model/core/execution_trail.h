/*
 * execution_trail: the last instructions of a warp; and the work-item, or in MIMD mode the core, that last
 * changed a word by an exclusive store, and so may hold a lock. For diagnoses; nothing that is simulated
 * depends on it.
 */
#ifndef MODEL_CORE_EXECUTION_TRAIL_H
#define MODEL_CORE_EXECUTION_TRAIL_H

#include <stdbool.h>
#include <stdint.h>

#define EXECUTION_TRAIL  32 /* instructions remembered: loops of up to half as many are recognised */
#define EXCLUSIVE_CLAIMS 16 /* words remembered; the oldest claim is replaced */

struct execution_trail {
    uint32_t count, pc[EXECUTION_TRAIL]; /* ring; index `count` modulo its size is the oldest */
    uint32_t load_pc, load_address;      /* last load, of its first thread; load_pc 0: none */
};

struct cluster;

struct exclusive_claim {
    uint32_t address, value;       /* stored value; a different value in memory shows a later store */
    const struct cluster *cluster; /* cluster of the storing thread; NULL: unused entry */
    uint8_t warp, position;        /* MIMD mode: number of the core, and 0 */
    uint32_t group[3];             /* id of the work-group */
};

struct exclusive_claims {
    unsigned next; /* entry to be replaced next */
    struct exclusive_claim claim[EXCLUSIVE_CLAIMS];
};

static inline void execution_trail_add(struct execution_trail *t, uint32_t pc) {
    t->pc[t->count++ % EXECUTION_TRAIL] = pc;
}

/* Notes an exclusive store at an address of the machine (core_physical). A store that does not change the
 * value claims nothing: a thread that spins with an exchange on a held lock makes such stores. */
void exclusive_claims_store(struct exclusive_claims *c, const struct exclusive_claim *claim);
/* Returns the claim of a word; NULL if none is known. */
const struct exclusive_claim *exclusive_claims_find(const struct exclusive_claims *c, uint32_t address);

#endif
