#include "model/core/execution_trail.h"

#include <stddef.h>

const struct exclusive_claim *exclusive_claims_find(const struct exclusive_claims *c, uint32_t address) {
    for (unsigned n = 0; n < EXCLUSIVE_CLAIMS; ++n)
        if (c->claim[n].cluster && c->claim[n].address == address) return &c->claim[n];
    return NULL;
}

void exclusive_claims_store(struct exclusive_claims *c, const struct exclusive_claim *claim) {
    const struct exclusive_claim *known = exclusive_claims_find(c, claim->address);
    if (known && known->value == claim->value) return;
    c->claim[known ? (unsigned)(known - c->claim) : c->next++ % EXCLUSIVE_CLAIMS] = *claim;
}
