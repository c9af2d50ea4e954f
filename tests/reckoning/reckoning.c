#include "tests/reckoning/reckoning.h"

#include "sim/error.h"
#include "tests/reckoning/base_machine.h"
#include "tests/reckoning/shared.h"
#include "tests/reckoning/sms.h"

#include <stdlib.h>

struct reckoning {
    void *sms, *base; /* one of the two, by the kind of the machine; the other is NULL */
    void *shared;
};

struct reckoning *reckoning_attach(struct machine *m) {
    struct reckoning *r = calloc(1, sizeof *r);
    require_memory(r);
    if (machine_configuration(m)->contexts == CONTEXTS_VRF)
        r->sms = sms_reckoning_create(m);
    else
        r->base = base_reckoning_create(m);
    r->shared = shared_reckoning_create(m);
    return r;
}

void reckoning_detach(struct reckoning *r) {
    if (r->sms)
        sms_reckoning_destroy(r->sms);
    else
        base_reckoning_destroy(r->base);
    shared_reckoning_destroy(r->shared);
    free(r);
}

uint64_t reckoning_comparisons(const struct reckoning *r) {
    return shared_reckoning_comparisons(r->shared) +
           (r->sms ? sms_reckoning_comparisons(r->sms) : base_reckoning_comparisons(r->base));
}
