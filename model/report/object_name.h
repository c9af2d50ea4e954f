/*
 * object_name: the source's name of an address in the memory of a launch: "ta[0][3] (local memory)".
 */
#ifndef MODEL_REPORT_OBJECT_NAME_H
#define MODEL_REPORT_OBJECT_NAME_H

#include "model/check/memory_check.h"
#include "model/report/text.h"

/* Appends the name of an address, and the kind of memory. */
void text_object(struct text *out, const struct machine_launch *l, uint32_t address);
/* Appends the effect of an access outside its objects: "writes s[32]; s has 32 elements (local memory,
 * x.cl:2)". */
void text_outside_object(struct text *out, const struct machine_launch *l, const struct arm_instruction *i,
                         const struct memory_fault *f);

#endif
