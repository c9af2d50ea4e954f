#include "model/warp_trail.h"

#include <stddef.h>

const struct warp_claim *warp_claims_find(const struct warp_claims *c, uint32_t address) {
    for (unsigned n = 0; n < WARP_CLAIMS; ++n)
        if (c->claim[n].used && c->claim[n].address == address) return &c->claim[n];
    return NULL;
}

void warp_claims_store(struct warp_claims *c, uint32_t address, uint32_t value, unsigned warp,
                       unsigned position) {
    const struct warp_claim *known = warp_claims_find(c, address);
    if (known && known->value == value) return;
    const unsigned n = known ? (unsigned)(known - c->claim) : c->next++ % WARP_CLAIMS;
    c->claim[n] = (struct warp_claim){address, value, (uint8_t)warp, (uint8_t)position, true};
}
