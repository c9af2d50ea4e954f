/* Uniform instructions in an SM (gpu-like.md §3; docs/uniform.md). Tokens, or the map of scalar registers,
 * are read and written when an instruction issues. An instruction looks up the reuse buffer in its first
 * cycle of O and writes its result there in the cycle after its last W. At most one instruction issues in a
 * cycle: each block has one port. With barrel issue, "issues" in this file means the first cycle of O. */
#include "model/sm/sm_parts.h"

#include "sim/error.h"

/* Returns whether threads are all of one warp of the register file. They are then in their places there, as a
 * flight has as many positions as a warp. */
static bool have_one_warp(const struct sm *s, const struct sm_threads *threads, uint64_t participating) {
    const unsigned first = (unsigned)__builtin_ctzll(participating);
    if (!threads->regrouped || threads->in_place) return true;
    for (uint64_t rest = participating; rest; rest &= rest - 1)
        if (threads->at[__builtin_ctzll(rest)] / s->warp_size != threads->at[first] / s->warp_size)
            return false;
    return true;
}

/* Returns the warp of a flight; without participating threads if these are of several warps. */
static struct uniform_warp warp_of(struct sm *s, const struct sm_flight *f) {
    struct sm_warp *w = &s->warp[f->warp];
    const bool one = have_one_warp(s, &f->threads, f->participating);
    return (struct uniform_warp){f->warp, one ? f->participating : 0, w->live, &w->threads};
}

/* --- I --- */

/* Returns a warp before its next instruction. */
static struct uniform_warp next_of(const struct sm *s, unsigned warp) {
    const struct sm_warp *w = &s->warp[warp];
    return (struct uniform_warp){warp, sm_participating(s, warp), w->live, (struct arm_threads *)&w->threads};
}

bool sm_copies_first(struct sm *s, unsigned warp, const struct arm_instruction *i) {
    const struct uniform_warp w = next_of(s, warp);
    return s->uniform.on && uniform_copies_first(&s->uniform, &w, i);
}

bool sm_is_vector(const struct sm *s, unsigned warp, const struct arm_instruction *i) {
    const struct uniform_warp w = next_of(s, warp);
    return !s->uniform.on ||
           !(uniform_copies_first(&s->uniform, &w, i) || uniform_would_be(&s->uniform, &w, i));
}

void sm_scalars_decode(struct sm *s, struct sm_flight *f) {
    const struct uniform_warp w = warp_of(s, f);
    struct arm_instruction *i = (struct arm_instruction *)f->i;
    uniform_read(&s->uniform, &w, i);
    uniform_decoded(&s->uniform, &i, &f->uniform);
    f->i = i;
    if (f->uniform.form != UNIFORM_COPY) uniform_operands(&s->uniform, &w, i, &f->uniform);
}

static bool has_srf(const struct sm *s) {
    return s->config->uniform.storage == UNIFORM_SRF;
}

/* Clocks the tokens or the map, in a cycle in which all inputs have come. With twins, there is one edge in
 * every cycle. */
static void edge(struct sm *s) {
    simt_uniform_edge(&s->simt, s->twins[0], s->now);
    s->scalars_at = s->now;
}

/* Writes the results of a beat to tokens or map. In the token design, a result that may come from the reuse
 * buffer is counted after the lookup. */
static void write(struct sm *s, struct sm_flight *f, unsigned beat) {
    struct uniform *u = &s->uniform;
    const struct uniform_warp w = warp_of(s, f);
    if (!s->twins[0] && uniform_keeps_tokens(u, f->warp, f->i, &f->uniform)) {
        uniform_written_plainly(u, f->i, &f->uniform);
        return;
    }
    uniform_write(u, &w, f->i, f->passed, f->address, &f->uniform, beat);
    if (!u->writes) return;
    uniform_eval(u);
    if (has_srf(s) || !f->uniform.inserts) uniform_written(u, &w, f->i, &f->uniform);
    edge(s);
    if (s->check_uniform) uniform_check(u, &w, f->pc);
}

void sm_scalars_write(struct sm *s, struct sm_flight *f, uint64_t t) {
    const struct uniform_warp w = warp_of(s, f);
    if (!w.participating) {
        if (f->passed) uniform_written_plainly(&s->uniform, f->i, &f->uniform);
        return;
    }
    if (f->passed) {
        const unsigned last = f->i->access_count ? f->i->access_count - 1u : 0;
        f->renames = (uint8_t)uniform_writes(&s->uniform, &w, f->i, f->passed, f->address, &f->uniform);
        f->renamed = 1;
        write(s, f, f->renames > 1 ? 0 : last);
        if (f->renames > 1) s->renaming = (uint16_t)(f - s->flight);
    }
    if (f->uniform.inserts)
        f->uniform.result = reuse_result_of(f->i, w.threads, (unsigned)__builtin_ctzll(f->participating));
    else
        uniform_executed(&s->uniform, &w, f->i, f->passed, &f->uniform, t);
}

void sm_rename_next(struct sm *s) {
    struct sm_flight *f = &s->flight[s->renaming];
    write(s, f, f->renamed++);
    if (f->renamed == f->renames) s->renaming = SM_NO_FLIGHT;
}

/* --- regrouped threads --- */

void sm_scalars_copy(struct sm *s, struct sm_flight *f, const struct sm_copied *copied) {
    uniform_copy(&s->uniform, copied->warp, copied->reg, copied->source, &f->i, &f->uniform);
}

/* Returns the tokens of a warp that must be cleared before threads of several warps execute an instruction:
 * of all registers that it reads or writes, and of the state that it writes. */
static uniform_tokens tokens_in_the_way(const struct sm *s, unsigned warp, const struct arm_instruction *i) {
    return uniform_tokens_of(&s->uniform, warp) &
           ((i->sources & UNIFORM_REGISTERS) | (i->writes & UNIFORM_TOKENS));
}

/* Clears these tokens of a warp, registers one by one by copy instructions. Returns whether there are any. */
static bool clear(struct sm *s, const struct sm_selected *x, unsigned warp, uniform_tokens tokens,
                  struct sm_unit *u, uint64_t t) {
    const uint64_t registers = tokens & UNIFORM_REGISTERS;
    if (registers) {
        const unsigned reg = (unsigned)__builtin_ctzll(registers);
        const bool source = sm_instruction(s, x->flight->pc)->sources >> reg & 1;
        sm_begin_copy(s, x, &(struct sm_copied){warp, reg, source}, u, t);
    } else if (tokens) {
        uniform_clear(&s->uniform, warp, tokens);
        uniform_eval(&s->uniform);
        edge(s);
    }
    return tokens != 0;
}

bool sm_scalars_wait(struct sm *s, const struct sm_selected *x, struct sm_unit *u, uint64_t t) {
    const struct arm_instruction *i = sm_instruction(s, x->flight->pc);
    if (!i) return false; /* the flight faults */
    if (have_one_warp(s, &x->threads, x->flight->participating)) {
        struct sm_warp *w = &s->warp[x->flight->warp];
        const struct uniform_warp before = {x->flight->warp, x->flight->participating, w->live, &w->threads};
        if (clear(s, x, x->flight->warp, uniform_copies(&s->uniform, &before, i), u, t)) return true;
        return s->copies != 0;
    }
    for (uint64_t rest = x->flight->participating; rest; rest &= rest - 1) {
        const unsigned warp = x->threads.at[__builtin_ctzll(rest)] / s->warp_size;
        if (clear(s, x, warp, tokens_in_the_way(s, warp, i), u, t)) return true;
    }
    return s->copies != 0;
}

void sm_scalars_part(struct sm *s, struct sm_flight *f, unsigned warp, uint64_t passed, uint64_t t) {
    struct sm_warp *p = &s->warp[warp];
    const struct uniform_warp w = {warp, 0, p->live, &p->threads};
    uniform_executed(&s->uniform, &w, f->i, passed, &f->uniform, t);
    if (s->check_uniform) uniform_check(&s->uniform, &w, f->pc);
}

/* --- work-groups --- */

void sm_scalars_release(struct sm *s, unsigned warp) {
    if (has_srf(s) && s->uniform.rename.in.release)
        warp_set_add(&s->releasing, warp);
    else
        uniform_released(&s->uniform, warp);
}

void sm_scalars_release_next(struct sm *s) {
    if (s->uniform.rename.in.release) return;
    uniform_released(&s->uniform, warp_set_first(s->releasing));
    s->releasing &= s->releasing - 1;
}

/* Does the releases that are left, before a work-group starts on an SM without one. */
static void release_all(struct sm *s) {
    while (s->releasing) {
        if (s->uniform.rename.in.release) {
            uniform_eval(&s->uniform);
            edge(s);
        }
        sm_scalars_release_next(s);
    }
}

void sm_scalars_start(struct sm *s, warp_set warps, uint64_t t) {
    release_all(s);
    if (s->uniform.on) uniform_start(&s->uniform, warps, t);
    if (s->redundancy) redundancy_start(s->redundancy, warps);
}

void sm_scalars_step(struct sm *s) {
    const bool watched = s->twins[0] && s->uniform.on && s->scalars_at != s->now;
    if (!watched && !uniform_waits(&s->uniform)) return;
    uniform_eval(&s->uniform);
    edge(s);
}

/* --- O --- */

/* Takes the result that another warp has left in the reuse buffer. The instruction occupies its unit for one
 * cycle and has its result at the end of that cycle. */
static void reuse(struct sm *s, struct sm_flight *f, struct reuse_result own) {
    const struct reuse_result r = f->uniform.result;
    invariant(!s->check_uniform || (r.value == own.value && r.flags == own.flags),
              "at %#x the reuse buffer has %#x, flags %#x for warp %u, but the result is %#x, %#x", f->pc,
              r.value, r.flags, f->warp, own.value, own.flags);
    reuse_result_put(f->i, &s->warp[f->warp].threads, f->participating, r);
    f->of_beat = f->reads = f->rounds = f->latency = f->occupancy = 1;
    f->o_left = sm_sources(s, f, 0);
    for (uint64_t rest = f->destinations; rest; rest &= rest - 1) f->w_left[__builtin_ctzll(rest)] = 1;
}

void sm_scalars_collect(struct sm *s, struct sm_flight *f, uint64_t t) {
    struct uniform *u = &s->uniform;
    const bool asks = f->uniform.inserts;
    const struct uniform_warp w = warp_of(s, f);
    const struct reuse_result own = f->uniform.result;
    uniform_collected(u, f->pc, f->i, &f->uniform);
    if (!asks) return;
    if (f->uniform.form == UNIFORM_REUSED) reuse(s, f, own);
    if (__builtin_expect(s->fault != NULL, 0)) {
        sm_fault(s, f, f->passed, fault_executed);
        if (f->uniform.form != UNIFORM_REUSED) /* the fault may have changed the result */
            f->uniform.result = reuse_result_of(f->i, w.threads, (unsigned)__builtin_ctzll(f->participating));
    }
    if (!has_srf(s)) uniform_written(u, &w, f->i, &f->uniform);
    uniform_executed(u, &w, f->i, f->passed, &f->uniform, t);
}

void sm_scalars_step_reuse(struct sm *s) {
    const bool watched = s->twins[0] && s->config->uniform.inter;
    if (watched || s->uniform.looks_up || s->uniform.reuse.in.insert)
        simt_uniform_edge_reuse(&s->simt, s->twins[0], s->now);
}
