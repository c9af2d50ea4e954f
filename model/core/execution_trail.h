/*
 * execution_trail: what a warp has executed lately; and which work-item, or which core in MIMD mode, last
 * changed a word by an exclusive store: it may hold a lock. For diagnoses; nothing that is simulated depends
 * on it.
 */
#ifndef MODEL_CORE_EXECUTION_TRAIL_H
#define MODEL_CORE_EXECUTION_TRAIL_H

#include <stdbool.h>
#include <stdint.h>

#define EXECUTION_TRAIL  32 /* instructions remembered: a loop of up to half as many is seen */
#define EXCLUSIVE_CLAIMS 16 /* words remembered; the oldest claim is forgotten */

struct execution_trail {
    uint32_t count, pc[EXECUTION_TRAIL]; /* a ring: `count` modulo its size is the oldest */
    uint32_t load_pc, load_address;      /* of the last load, its first thread's; load_pc 0: none */
};

struct cluster;

struct exclusive_claim {
    uint32_t address, value; /* what was stored; a word that has another value by now was stored to since */
    const struct cluster *cluster; /* of who stored it; NULL: an unused entry */
    uint8_t warp, position;        /* in MIMD mode: the core, and 0 */
    uint32_t group[3];             /* its work-group */
};

struct exclusive_claims {
    unsigned next; /* to be replaced */
    struct exclusive_claim claim[EXCLUSIVE_CLAIMS];
};

static inline void execution_trail_add(struct execution_trail *t, uint32_t pc) {
    t->pc[t->count++ % EXECUTION_TRAIL] = pc;
}

/* Somebody has stored exclusively at an address of the machine (core_physical). A store of what is there
 * already claims nothing: so spins who exchanges for a lock that another holds. */
void exclusive_claims_store(struct exclusive_claims *c, const struct exclusive_claim *claim);
/* NULL: nobody is known. */
const struct exclusive_claim *exclusive_claims_find(const struct exclusive_claims *c, uint32_t address);

#endif
