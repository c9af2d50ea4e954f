/* replacement_kind: the values of l1d.replacement and so on, in the order of their names. Few files include
 * this, since a new policy changes it. */
#ifndef MODEL_REPLACEMENT_REPLACEMENT_KIND_H
#define MODEL_REPLACEMENT_REPLACEMENT_KIND_H

#include "generated/replacement_list.h"

#define KIND(name) REPLACEMENT_##name,
enum replacement_kind { REPLACEMENT_LIST(KIND) REPLACEMENT_KINDS };
#undef KIND

#endif
