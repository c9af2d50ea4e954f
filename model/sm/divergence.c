/* The engines of simt.divergence: the files divergence_NAME.c of this folder. */
#include "model/config/divergence_engine.h"
#include "model/config/divergence_kind.h"
#include "model/sm/sm_divergence.h"

#define ROW(name)                                                                                            \
    extern const struct sm_divergence sm_divergence_##name;                                                  \
    extern const struct divergence_engine divergence_engine_##name;
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

#define ROW(name) &sm_divergence_##name,
const struct sm_divergence *sm_divergence_of(const struct machine_config *c) {
    static const struct sm_divergence *const engines[] = {DIVERGENCE_LIST(ROW)};
    return engines[c->simt.divergence];
}
#undef ROW

bool sm_ready_moves(const struct sm *s, unsigned scheduler, bool free) {
    return free && (sm_ready(s, scheduler) || s->scheduler[scheduler].moves);
}
