#include "model/sm/sm_divergence.h"

const struct sm_divergence *sm_divergence_of(const struct machine_config *c) {
    static const struct sm_divergence *const engines[] = {
        [DIVERGENCE_PC] = &sm_divergence_pc,     [DIVERGENCE_SBR] = &sm_divergence_sbr,
        [DIVERGENCE_LWM] = &sm_divergence_lwm,   [DIVERGENCE_DWF] = &sm_divergence_dwf,
        [DIVERGENCE_HARP] = &sm_divergence_harp, [DIVERGENCE_ORACLE] = &sm_divergence_oracle,
        [DIVERGENCE_TBC] = &sm_divergence_tbc,
    };
    return engines[c->simt.divergence];
}
