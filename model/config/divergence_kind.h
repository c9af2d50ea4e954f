/* divergence_kind: the values of simt.divergence, in the order of their names. Few files include this, since
 * a new engine changes it. */
#ifndef MODEL_CONFIG_DIVERGENCE_KIND_H
#define MODEL_CONFIG_DIVERGENCE_KIND_H

#include "generated/divergence_list.h"

#define KIND(name) DIVERGENCE_##name,
enum divergence_kind { DIVERGENCE_LIST(KIND) DIVERGENCE_KINDS };
#undef KIND

#endif
