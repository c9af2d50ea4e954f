/* The start of O, for all rows of the TPM. */
#include "model/unit/services.h"

UNIT_SERVICE struct unit_flight *unit_start_collection(struct unit *u, uint64_t t) {
    struct cluster *c = u->cluster;
    struct unit_flight *f = nth(u, u->collecting++);
    f->o = u->o_since = t;
    u->o_lines = f->read_lines;
    if (f->reads) {
        c->tpm_wait[CLUSTER_TPM_WAIT_OPERANDS] += f->reads - 1u;
        c->tpm_wait[CLUSTER_TPM_WAIT_LATENCY] += f->collects - f->network - f->reads;
    }
    f->collected = t + f->collects - 1;
    u->o_free = f->collected + 1;
    return f;
}
