/* The policies of simt.scheduler: the files of this folder. */
#include "model/config/scheduler_kind.h"
#include "model/config/scheduler_policy.h"

#include <stddef.h>

#define ROW(name) extern const struct scheduler_policy scheduler_policy_##name;
SCHEDULER_LIST(ROW)
#undef ROW
#define ROW(name) &scheduler_policy_##name,
const struct scheduler_policy *const scheduler_policies[] = {SCHEDULER_LIST(ROW)};
#undef ROW
#define NAME(name) #name,
const char *const scheduler_names[] = {SCHEDULER_LIST(NAME) NULL};
#undef NAME

const char *scheduler_doc(uint32_t kind) {
    return scheduler_policies[kind]->doc;
}

const struct scheduler_policy *scheduler_policy_coded(uint32_t code) {
    for (unsigned n = 0; n < SCHEDULER_KINDS; n++)
        if (scheduler_policies[n]->code == code) return scheduler_policies[n];
    return NULL;
}
