#include "tests/reckoning/reckoning.h"

#include "sim/error.h"
#include "tests/reckoning/sms.h"

#include <stdlib.h>

struct reckoning {
    void *sms;
};

struct reckoning *reckoning_attach(struct machine *m) {
    struct reckoning *r = calloc(1, sizeof *r);
    require_memory(r);
    r->sms = sms_reckoning_create(m);
    return r;
}

void reckoning_detach(struct reckoning *r) {
    sms_reckoning_destroy(r->sms);
    free(r);
}

uint64_t reckoning_comparisons(const struct reckoning *r) {
    return sms_reckoning_comparisons(r->sms);
}
