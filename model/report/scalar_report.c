/* Writes diagnoses of scalar threads in terms of the program: kernels, work-group, PC, source line. */
#include "model/report/text.h"
#include "model/sm/scalar_parts.h"

#include <stdarg.h>
#include <stdio.h>

static void put_group(struct text *out, const struct sm *s, unsigned slot) {
    const struct sm_group *g = &s->group[slot];
    text_put(out, "work-group (%u, %u, %u)", g->id[0], g->id[1], g->id[2]);
}

/* Appends "kernel 'k', the scalar thread ('p') of work-group (0, 0, 0)". */
static void put_thread(struct text *out, const struct sm *s, unsigned slot) {
    text_put(out, "kernel '%s', the scalar thread", s->launch->kernel);
    if (s->launch->scalar_kernel) text_put(out, " ('%s')", s->launch->scalar_kernel);
    text_put(out, " of ");
    put_group(out, s, slot);
}

void scalar_diagnose(struct sm *s, unsigned slot, uint32_t pc, const char *format, ...) {
    char who[1200];
    struct text out = {who, sizeof who};
    va_list arguments;
    va_start(arguments, format);
    put_thread(&out, s, slot);
    text_fail(s->error, s->launch->code, who, pc, format, arguments);
    va_end(arguments);
}

void scalar_diagnose_fault(struct sm *s, unsigned slot, const struct arm_instruction *i,
                           const struct arm_execution *x) {
    char what[TEXT_MESSAGE_BYTES];
    struct text out = {what, sizeof what};
    text_fault(&out, &s->group[slot].memory, i, x, s->stack_size, false);
    scalar_diagnose(s, slot, i->pc, "%s", what);
}

void scalar_note_short_barrier(struct sm *s, unsigned slot) {
    struct text out = {s->short_barrier, sizeof s->short_barrier};
    if (s->short_barrier[0]) return;
    put_thread(&out, s, slot);
    text_put(&out, ": ");
    text_place(&out, s->launch->code, s->scalar->thread[slot].effect_pc);
}

static const char *doing(enum scalar_cause cause) {
    switch (cause) {
    case SCALAR_CAUSE_DEPENDENCY: return "waiting for a result";
    case SCALAR_CAUSE_MEMORY: return "waiting for memory";
    case SCALAR_CAUSE_FETCH: return "fetching, or a branch in flight";
    case SCALAR_CAUSE_BARRIER: return "waiting for the SIMT threads at lockstep_sync(1)";
    default: return "ready";
    }
}

void scalar_units_report(const struct sm *s, uint64_t t, struct text *out) {
    const struct scalar_units *u = s->scalar;
    for (unsigned slot = 0; u && slot < u->threads; ++slot) {
        const struct scalar_thread *h = &u->thread[slot];
        if (!h->live) continue;
        const uint32_t pc = h->waits ? h->effect_pc : h->pc;
        text_put(out, "  scalar thread of ");
        put_group(out, s, slot);
        text_put(out, " on unit %u: %s, ", scalar_unit_of(u, slot), doing(scalar_thread_cause(s, slot, t)));
        text_instruction_at(out, s->launch->code, pc);
        text_put(out, "\n");
    }
}
