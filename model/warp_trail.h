/*
 * warp_trail: what a warp has executed lately, and which work-item last changed a word by an exclusive store:
 * it may hold a lock. For diagnoses; nothing that is simulated depends on it.
 */
#ifndef MODEL_WARP_TRAIL_H
#define MODEL_WARP_TRAIL_H

#include <stdbool.h>
#include <stdint.h>

#define WARP_TRAIL  32 /* instructions remembered: a loop of up to half as many is seen */
#define WARP_CLAIMS 16 /* words remembered; the oldest claim is forgotten */

struct warp_trail {
    uint32_t count, pc[WARP_TRAIL]; /* a ring: `count` modulo its size is the oldest */
    uint32_t load_pc, load_address; /* of the last load, its first thread's; load_pc 0: none */
};

struct warp_claim {
    uint32_t address, value; /* what was stored; a word that has another value by now was stored to since */
    uint8_t warp, position;
    bool used;
};

struct warp_claims {
    unsigned next; /* to be replaced */
    struct warp_claim claim[WARP_CLAIMS];
};

static inline void warp_trail_add(struct warp_trail *t, uint32_t pc) {
    t->pc[t->count++ % WARP_TRAIL] = pc;
}

/* A thread has stored `value` exclusively. A store of what is there already claims nothing: so spins who
 * exchanges for a lock that another holds. */
void warp_claims_store(struct warp_claims *c, uint32_t address, uint32_t value, unsigned warp,
                       unsigned position);
/* NULL: nobody is known. */
const struct warp_claim *warp_claims_find(const struct warp_claims *c, uint32_t address);

#endif
