/* core_kinds: the values of core.kind, in the order of their names. Few files include this, since a new kind
 * changes it. */
#ifndef MODEL_CONFIG_CORE_KINDS_H
#define MODEL_CONFIG_CORE_KINDS_H

#include "generated/core_list.h"

#define KIND(name) CORE_##name,
enum core_kinds { CORE_LIST(KIND) CORE_KINDS };
#undef KIND

#endif
