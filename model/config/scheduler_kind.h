/* scheduler_kind: the values of simt.scheduler, in the order of their names. Few files include this, since a
 * new policy changes it. */
#ifndef MODEL_CONFIG_SCHEDULER_KIND_H
#define MODEL_CONFIG_SCHEDULER_KIND_H

#include "generated/scheduler_list.h"

#define KIND(name) SCHEDULER_##name,
enum scheduler_kind { SCHEDULER_LIST(KIND) SCHEDULER_KINDS };
#undef KIND

#endif
