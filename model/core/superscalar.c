#include "model/core/superscalar_parts.h"

#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

bool superscalar_check(const struct machine_config *c, struct error *e) {
    return !c->core.hit_under_miss ||
           error_set(e, EXIT_USER,
                     "core.hit_under_miss is %u, but core.kind is %s: its load-store queue says which "
                     "accesses wait for others; set it to 0",
                     c->core.hit_under_miss, core_kind_names[c->core.kind]);
}

void superscalar_init(struct core *c, unsigned stages) {
    struct superscalar *s = calloc(1, sizeof *s);
    require_memory(s);
    c->superscalar = s;
    s->front.stages = stages;
    s->front.most_groups = c->config->core.fetch_queue + stages - 1;
    s->front.most_instructions = c->config->core.fetch_queue + (stages - 1) * c->config->core.fetch_width;
    branch_tables_init(&s->front.predictor, c->config->core.predictor_counters, c->config->core.btb_entries,
                       c->config->core.fetch_width, c->kind->window ? c->config->core.commit_width : 1);
    histogram_init_counts(&s->issued, 0, CORE_MAX_ISSUE_WIDTH + 1);
    histogram_init_counts(&s->queue_occupancy, 0, CORE_MAX_FETCH_QUEUE + 1);
    histogram_init_counts(&s->lsq_occupancy, 0, CORE_MAX_LSQ + 1);
}

void superscalar_free(struct core *c) {
    if (!c->superscalar) return;
    branch_tables_free(&c->superscalar->front.predictor);
    free(c->superscalar->window);
    free(c->superscalar);
}

void superscalar_start(struct core *c, uint32_t pc, uint64_t t) {
    struct superscalar *s = c->superscalar;
    memset(s->integer, 0, sizeof s->integer);
    memset(s->vfp, 0, sizeof s->vfp);
    memset(s->written, 0, sizeof s->written);
    s->load_store = s->other = s->all = s->access_next = s->missed = s->blocked = 0;
    s->slot = s->accesses = s->recorded = 0;
    s->ended = false;
    front_end_redirect(&s->front, pc, t);
    s->front.cause = MACHINE_CAUSE_FRONT_END;
    s->front.looked_up = ~0u;
    if (s->front.predictor.learned) branch_tables_end(&s->front.predictor);
}

/* --- front end --- */

void front_end_redirect(struct front_end *f, uint32_t pc, uint64_t t) {
    f->groups = f->instructions = 0;
    f->pc = pc;
    f->next = t;
    f->cause = MACHINE_CAUSE_BRANCH;
}

/* Looks the fetch PC up in cycle t. Returns the cycle of the L1I's answer without its latency;
 * SUPERSCALAR_NEVER if the look-up needs the core's turn. */
static uint64_t look_up(struct core *c, uint64_t t, bool turn) {
    struct front_end *f = &c->superscalar->front;
    uint64_t fetched;
    if (f->pc >> c->l1i.line_shift == f->looked_up && t < c->itlb.next_end) {
        ++c->itlb.accesses;
        ++c->l1i.accesses;
        return t;
    }
    if (!core_fetch_hits(c, f->pc, t, &fetched)) {
        if (!turn && !core_fetches_alone(c, f->pc)) return SUPERSCALAR_NEVER;
        fetched = core_fetch(c, f->pc, t);
    }
    f->looked_up = f->pc >> c->l1i.line_shift;
    return fetched - c->config->l1i.latency_cycles + 1;
}

/* The fetch of `count` instructions ends with the first branch that is predicted taken. Returns how many it
 * has, and the PC of the next one. */
static unsigned predict(struct front_end *f, const struct arm_instruction *i, unsigned count,
                        uint32_t *next) {
    *next = f->pc + 4 * count;
    for (unsigned n = 0; n < count; ++n) {
        if (!i[n].writes_pc) continue;
        const struct branch_prediction p =
            branch_tables_predict(&f->predictor, f->pc + 4 * n, i[n].condition != 14);
        if (!p.taken) continue;
        *next = p.target;
        return n + 1;
    }
    return count;
}

/* The same, as the block says beside which something runs. */
static unsigned ask_predictor(struct front_end *f, const struct arm_instruction *i, unsigned count,
                              uint32_t *next) {
    uint32_t branches = 0, conditional = 0;
    for (unsigned n = 0; n < count; ++n) {
        branches |= (uint32_t)i[n].writes_pc << n;
        conditional |= (uint32_t)(i[n].writes_pc && i[n].condition != 14) << n;
    }
    *next = f->pc + 4 * count;
    const unsigned last = branch_tables_fetch(&f->predictor, f->pc, count, branches, conditional, next);
    return last < count ? last + 1 : count;
}

bool front_end_fetch(struct core *c, const struct machine_code *code, uint64_t t, bool turn) {
    struct front_end *f = &c->superscalar->front;
    const uint32_t offset = f->pc - code->text_base, width = c->config->core.fetch_width;
    unsigned count = width - f->pc / 4 % width;
    if (offset >= code->text_bytes || offset % 4) return true;
    const uint64_t at = look_up(c, t, turn);
    if (at == SUPERSCALAR_NEVER) return false;
    if (at > t) f->cause = MACHINE_CAUSE_FETCH;
    if (count > (code->text_bytes - offset) / 4) count = (code->text_bytes - offset) / 4;
    const struct arm_instruction *i = &code->decoded[offset / 4];
    uint32_t next;
    count = branch_tables_watched(&f->predictor) ? ask_predictor(f, i, count, &next)
                                                 : predict(f, i, count, &next);
    f->group[(f->first + f->groups++) % FETCH_GROUPS] = (struct fetch_group){f->pc, count, at + f->stages};
    f->instructions += count;
    f->pc = next;
    f->next = at + 1;
    return true;
}

uint64_t front_end_next(const struct core *c, const struct machine_code *code, uint64_t t) {
    const struct front_end *f = &c->superscalar->front;
    const uint32_t offset = f->pc - code->text_base;
    const bool fetches = front_end_may_fetch(f, UINT64_MAX) && offset < code->text_bytes && offset % 4 == 0;
    uint64_t next = fetches ? f->next : SUPERSCALAR_NEVER;
    if (f->groups && f->group[f->first].ready < next && f->group[f->first].ready > t)
        next = f->group[f->first].ready;
    return next > t ? next : t + 1;
}
