/* Writes diagnoses of a thread of a warp, in terms of the program: kernel, work-item, PC, source line. */
#include "model/report/object_name.h"
#include "model/report/text.h"
#include "model/simt/simt.h"

#include <stdarg.h>
#include <stdio.h>

void text_work_item(struct text *out, const struct machine_launch *l, const uint32_t group[3],
                    const uint32_t local[3]) {
    uint32_t id[3];
    for (unsigned d = 0; d < 3; ++d) id[d] = machine_global_id(l, d, group[d], local[d]);
    text_put(out, "work-item (%u, %u, %u)", id[0], id[1], id[2]);
}

void text_thread(struct text *out, const struct simt *u, unsigned warp, unsigned position) {
    const struct simt_warp w = simt_warp_of(u, warp);
    const uint32_t local[3] = {w.local_id[0][position], w.local_id[1][position], w.local_id[2][position]};
    text_work_item(out, u->launch, w.group, local);
}

void text_whole_thread(struct text *out, const struct simt *u, unsigned warp, unsigned position) {
    const struct simt_warp w = simt_warp_of(u, warp);
    text_put(out, "kernel '%s', ", u->launch->kernel);
    text_thread(out, u, warp, position);
    text_put(out, " (local (%u, %u, %u) of work-group (%u, %u, %u))", w.local_id[0][position],
             w.local_id[1][position], w.local_id[2][position], w.group[0], w.group[1], w.group[2]);
}

void simt_diagnose(struct simt *u, unsigned warp, unsigned position, uint32_t pc, const char *format, ...) {
    char who[1200];
    struct text out = {who, sizeof who};
    va_list arguments;
    va_start(arguments, format);
    text_whole_thread(&out, u, warp, position);
    text_fail(u->error, u->launch->code, who, pc, format, arguments);
    va_end(arguments);
}

void simt_diagnose_fault(struct simt *u, unsigned warp, uint32_t pc, const struct arm_instruction *i,
                         const struct arm_execution *x) {
    const struct arm_threads *t = simt_warp_of(u, warp).threads;
    char what[TEXT_MESSAGE_BYTES];
    struct text out = {what, sizeof what};
    text_fault(&out, t->memory, i, x, t->stack_size, false);
    simt_diagnose(u, warp, x->fault_position, pc, "%s", what);
}

void simt_diagnose_outside_object(struct simt *u, unsigned warp, uint32_t pc, const struct arm_instruction *i,
                                  const struct memory_fault *f) {
    char what[TEXT_MESSAGE_BYTES];
    struct text out = {what, sizeof what};
    text_outside_object(&out, u->launch, i, f);
    simt_diagnose(u, warp, f->position, pc, "%s", what);
}
