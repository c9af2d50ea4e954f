#include "tests/reckoning/sms_uniform.h"

#include "model/sm/sm_parts.h"

#include <string.h>

static bool has_map(const struct sms_shadow *h) {
    return h->s->config->uniform.storage == UNIFORM_SRF;
}

void shadow_read_tokens(struct sms_shadow *h, unsigned warp) {
    const struct sm *s = h->s;
    const struct arm_instruction *i = machine_code_at(s->launch->code, s->warp[warp].buffer_pc);
    const struct shadow_warp *w = &h->warp[warp];
    uint32_t pc;
    if (!s->uniform.on || !i) return;
    const struct arm_threads *t = &s->warp[warp].threads;
    uniform_told_read(&h->uniform, i, warp, shadow_runs(h, warp, &pc) == w->live, w->live, t);
    /* the block tells later whether it is uniform */
    h->asks = uniform_told_operands(&s->uniform, i, s->warp[warp].buffer_pc, true, w->live, t);
}

void shadow_read_next(struct sms_shadow *h) {
    const struct sm *s = h->s;
    const struct unit *u = s->front[0].unit;
    const struct unit_flight *f = u->collecting != u->selected ? unit_nth(u, u->collecting) : NULL;
    const struct shadow_choice *c = f ? &h->scheduler[0].choice[f - u->flight] : NULL;
    const struct arm_instruction *i = c && c->threads ? machine_code_at(s->launch->code, c->pc) : NULL;
    h->next = (struct uniform_told){0};
    h->next_asks.is = false;
    if (!s->uniform.on || !i) return;
    const struct arm_threads *t = &s->warp[f->warp].threads;
    const uint64_t live = h->warp[f->warp].live;
    uniform_told_read(&h->next, i, f->warp, c->threads == live, live, t);
    h->next_asks = uniform_told_operands(&s->uniform, i, c->pc, true, live, t);
}

/* Returns the flight that is being executed; NULL if none. */
static const struct sm_flight *newest(const struct sms_shadow *h) {
    const struct sm *s = h->s;
    for (unsigned n = 0; n < s->flight_room; ++n)
        if (s->flight[n].age + 1 == s->issued &&
            (s->barrel ? s->flight[n].o_from : s->flight[n].issue) == h->cycle)
            return &s->flight[n];
    return NULL;
}

static void write(struct sms_shadow *h, const struct sm_flight *f, uint64_t to, bool uniform) {
    struct arm_execution x = {.passed = f->passed};
    const bool full = f->passed == h->warp[f->warp].live && f->uniform.form != UNIFORM_COPY;
    if (f->i->is_load) memcpy(x.address, f->address, sizeof x.address);
    if (to) uniform_told_write(&h->uniform, f->i, f->warp, to, full, uniform, &x);
}

/* Records the results of an instruction at its execution. A multiple load whose registers get scalar ones
 * writes one register in each cycle, and its base with the last. */
static void write_results(struct sms_shadow *h, const struct sm_flight *f, bool uniform) {
    const struct arm_instruction *i = f->i;
    const uint64_t base = i->is_load && i->write_back ? bit_of(i->rn) : 0;
    uint64_t to = i->is_load ? uniform_told_loads(i) | base : uniform_told_results(i), same = 1;
    if (!f->passed) return;
    for (uint64_t rest = i->is_load ? f->passed : 0; rest; rest &= rest - 1)
        same &= f->address[__builtin_ctzll(rest)] == f->address[__builtin_ctzll(f->passed)];
    if (has_map(h) && i->is_load && i->access_count > 1 && f->passed == h->warp[f->warp].live &&
        (uniform || same)) {
        h->renaming = (int)(f - h->s->flight);
        h->loads_left = to;
        h->renames_uniform = uniform;
        to = uniform_told_loads(i);
        to &= -to;
        h->loads_left &= ~to;
        h->beats_left = i->access_count - 1u;
    }
    write(h, f, to, uniform);
}

static void rename_next(struct sms_shadow *h) {
    const struct sm_flight *f = &h->s->flight[h->renaming];
    uint64_t to = h->loads_left;
    if (--h->beats_left) {
        to &= uniform_told_loads(f->i);
        to &= -to;
    } else {
        h->renaming = -1;
    }
    h->loads_left &= ~to;
    write(h, f, to, h->renames_uniform);
}

void shadow_tokens(struct sms_shadow *h) {
    struct sm *s = h->s;
    const struct uniform *u = &s->uniform;
    const struct sm_flight *f = h->renaming < 0 ? newest(h) : NULL;
    const bool uniform = has_map(h) ? u->rename.out.uniform : u->tokens.out.uniform;
    if (s->barrel && f) {
        h->uniform = h->next;
        h->asks = h->next_asks;
    }
    if (h->renaming >= 0)
        rename_next(h);
    else if (f)
        write_results(h, f, uniform);
    if (!uniform || (f && f->uniform.form == UNIFORM_COPY) || (has_map(h) && u->rename.out.refused))
        h->asks.is = false;
    h->uniform.starts = h->begun != 0;
    h->uniform.start_warps = h->begun;
    h->uniform.release = has_map(h) && h->released >= 0;
    if (h->uniform.release) h->uniform.release_warp = (unsigned)h->released;
    h->released = -1;
    uniform_told_compare(h->told, u, &h->uniform, h->cycle);
}

void shadow_reuse(struct sms_shadow *h) {
    const struct sm *s = h->s;
    struct reuse_told lookup = {.is = false};
    for (unsigned n = 0; n < h->flying_count; ++n) {
        const unsigned k = h->flying[n];
        if (s->flight[k].o_from != h->cycle || !h->flight[k].reuses.is) continue;
        lookup = h->flight[k].reuses;
        if (s->uniform.reuse.out.hit) h->flight[k].reuses.is = false;
    }
    uniform_told_compare_reuse(h->told, &s->uniform, &lookup, &h->insert, h->cycle);
    h->insert.is = false;
}
