/*
 * core_outlook: the instructions that a core in a MIMD launch would execute next without other cores, for
 * diagnoses. Nothing that is simulated changes.
 *
 * The instructions execute on a copy of the core's registers and stack; no other store is made, and every
 * exclusive store succeeds. The outlook ends before an instruction that only the machine can execute (the
 * co-processor's), before a fault, and after CORE_OUTLOOK instructions.
 */
#ifndef MODEL_CORE_CORE_OUTLOOK_H
#define MODEL_CORE_CORE_OUTLOOK_H

#include "model/core/core.h"
#include "model/core/execution_trail.h"

#define CORE_OUTLOOK 256 /* instructions */

void core_outlook(const struct core *k, const struct machine_code *code, struct execution_trail *t);

#endif
