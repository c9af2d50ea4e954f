/* The engines of simt.divergence: files NAME.c of model/slots/divergence/, and files divergence_NAME.c of
 * this folder, for SMs. */
#include "generated/divergence_sm_list.h"
#include "model/config/divergence_engine.h"
#include "model/config/divergence_kind.h"
#include "model/sm/regrouped.h"

#define ROW(name) extern const struct divergence_engine divergence_engine_##name;
DIVERGENCE_LIST(ROW)
#undef ROW
#define ROW(name) &divergence_engine_##name,
const struct divergence_engine *const divergence_engines[] = {DIVERGENCE_LIST(ROW)};
#undef ROW
#define NAME(name) #name,
const char *const divergence_names[] = {DIVERGENCE_LIST(NAME) NULL};
#undef NAME

const char *divergence_doc(uint32_t kind) {
    return divergence_engines[kind]->doc;
}

#define ROW(name) extern const struct sm_divergence sm_divergence_##name;
DIVERGENCE_SM_LIST(ROW)
#undef ROW
#define ROW(name) [DIVERGENCE_##name] = &sm_divergence_##name,
const struct sm_divergence *sm_divergence_of(const struct machine_config *c) {
    static const struct sm_divergence *const engines[DIVERGENCE_KINDS] = {DIVERGENCE_SM_LIST(ROW)};
    const struct sm_divergence *own = engines[c->simt.divergence];
    return own ? own : &sm_divergence_formed;
}
#undef ROW

bool sm_ready_moves(const struct sm *s, unsigned scheduler, bool free) {
    return free && (sm_ready(s, scheduler) || s->scheduler[scheduler].moves);
}
