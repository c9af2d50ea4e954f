/* Scalarized code (abi/scalar_note.h; lanes.md §3, §4): instructions that one thread executes for all,
 * registers that a warp has only once, and --check-scalar, which checks both against the values that the
 * threads compute. */
#include "abi/scalar_note.h"
#include "model/sm/sm_parts.h"

#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

/* --- I --- */

void sm_scalarized_decode(const struct sm *s, struct sm_flight *f) {
    const struct machine_code *code = s->launch->code;
    const struct machine_scalarized *m = s->scalarized ? &s->scalarized[f->i - code->decoded] : NULL;
    uint64_t operands = 0;
    f->scalarized = m;
    f->saved = 0;
    f->uniform.form = m && m->scalar ? UNIFORM_SCALAR : UNIFORM_VECTOR;
    f->uniform.tokens = f->uniform.scalars = 0;
    if (!m) return;
    for (unsigned n = 0; n < m->reads + m->writes; ++n) {
        const struct machine_operand *o = &code->operands[m->first + n];
        operands |= bit_of(o->architectural);
        if (o->vector || o->architectural >= ARM_REGISTERS) continue;
        if (n < m->reads)
            f->uniform.tokens |= bit_of(o->architectural);
        else
            f->uniform.scalars |= bit_of(o->architectural);
    }
    f->saved = (f->i->sources | f->i->destinations) & (bit_of(ARM_REGISTERS) - 1) & ~operands;
}

/* --- --check-scalar --- */

/* Word of each scalar register of each warp, and whether the warp has written it since it started. */
struct sm_scalars {
    uint32_t *word;
    bool *known;
    uint32_t of_warp; /* words */
};

void sm_set_check_scalar(struct sm *s, bool check) {
    if (check == (s->scalars != NULL)) return;
    sm_check_scalar_free(s);
    if (!check) return;
    s->scalars = calloc(1, sizeof *s->scalars);
    require_memory(s->scalars);
}

void sm_check_scalar_free(struct sm *s) {
    if (!s->scalars) return;
    free(s->scalars->word);
    free(s->scalars->known);
    free(s->scalars);
    s->scalars = NULL;
}

void sm_check_scalar_launch(struct sm *s) {
    struct sm_scalars *c = s->scalars;
    c->of_warp = s->launch->scalars;
    c->word = realloc(c->word, ((size_t)c->of_warp * s->warps + 1) * sizeof *c->word);
    c->known = realloc(c->known, (size_t)c->of_warp * s->warps + 1);
    require_memory(c->word);
    require_memory(c->known);
}

void sm_check_scalar_start(struct sm *s, unsigned warp) {
    memset(s->scalars->known + (size_t)warp * s->scalars->of_warp, 0, s->scalars->of_warp);
}

static uint32_t value_of(const struct arm_threads *t, unsigned architectural, unsigned k) {
    if (architectural == SCALAR_NOTE_NZCV) return arm_get_apsr(t, k) >> 28;
    if (architectural == SCALAR_NOTE_FPSCR_FLAGS) return t->fpscr[k] >> 28;
    return t->registers[architectural * t->positions + k];
}

/* Checks that all `threads` hold the word of a scalar. The first write or read defines the word. */
static void compare(struct sm *s, const struct sm_flight *f, const struct machine_operand *o,
                    uint64_t threads, bool writes) {
    struct sm_scalars *c = s->scalars;
    invariant(o->number < c->of_warp, "scalar register %u of %u at %#x", o->number, c->of_warp, f->pc);
    const size_t n = (size_t)f->warp * c->of_warp + o->number;
    for (uint64_t rest = threads; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        const uint32_t value = value_of(&s->warp[f->warp].threads, o->architectural, k);
        if (!c->known[n] || (writes && rest == threads)) c->word[n] = value;
        c->known[n] = true;
        invariant(
            c->word[n] == value,
            "the instruction at %#x %s register %u as scalar register %u: thread %u of warp %u has %#x, "
            "another %#x",
            f->pc, writes ? "writes" : "reads", o->architectural, o->number, k, f->warp, value, c->word[n]);
    }
}

void sm_check_scalar_reads(struct sm *s, const struct sm_flight *f) {
    const struct machine_scalarized *m = f->scalarized;
    const uint64_t active = sm_active_threads(s, f->warp, f->i);
    for (unsigned n = 0; m && n < m->reads; ++n) {
        const struct machine_operand *o = &s->launch->code->operands[m->first + n];
        const bool condition = o->architectural == SCALAR_NOTE_NZCV;
        if (!o->vector) compare(s, f, o, condition ? f->participating : active, false);
    }
}

void sm_check_scalar_writes(struct sm *s, const struct sm_flight *f) {
    const struct machine_scalarized *m = f->scalarized;
    for (unsigned n = 0; m && n < m->writes; ++n) {
        const struct machine_operand *o = &s->launch->code->operands[m->first + m->reads + n];
        if (!o->vector) compare(s, f, o, f->passed, true);
    }
}
