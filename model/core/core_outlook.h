/*
 * core_outlook: what a core in a MIMD launch would execute next if it were alone, for diagnoses: nothing that
 * is simulated changes by it.
 *
 * The instructions are executed on a copy of the core's registers and stack; no other store is made, and
 * every exclusive store succeeds. It ends before an instruction that only the machine can execute (the
 * co-processor's), before one that faults, and after CORE_OUTLOOK instructions.
 */
#ifndef MODEL_CORE_CORE_OUTLOOK_H
#define MODEL_CORE_CORE_OUTLOOK_H

#include "model/core/core.h"
#include "model/core/execution_trail.h"

#define CORE_OUTLOOK 256 /* instructions */

void core_outlook(const struct core *k, const struct machine_code *code, struct execution_trail *t);

#endif
