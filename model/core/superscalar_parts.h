/* superscalar_parts: declarations shared by the files of the kinds in_order and out_of_order. */
#ifndef MODEL_CORE_SUPERSCALAR_PARTS_H
#define MODEL_CORE_SUPERSCALAR_PARTS_H

#include "model/core/core_parts.h"
#include "model/core/functional_units.h"
#include "model/core/superscalar.h"

#define INLINE static inline __attribute__((always_inline))

/* Result of an attempt to proceed. */
enum step {
    STEP_ISSUED,  /* an instruction has executed */
    STEP_STALLED, /* another event has occurred; `next` may be later */
    STEP_FAULTED,
    STEP_TURN /* no event: the rest of the cycle needs the core's turn, or core_issue() */
};

/* Checks for features that superscalar kinds do not have. */
bool superscalar_check(const struct machine_config *c, struct error *e);
void superscalar_init(struct core *c, unsigned stages);
void superscalar_free(struct core *c);
void superscalar_start(struct core *c, uint32_t pc, uint64_t t);

/* --- instructions --- */

/* Returns whether the instruction issues alone. */
INLINE bool issues_alone(const struct arm_instruction *i) {
    if (!i->is_private) return !i->is_access;
    return (i->class == ARM_CLASS_HINT && (i->encoding & 0xffffff00) == 0xf57ff000) ||
           (i->class == ARM_CLASS_VFP_MOVE && (i->encoding & 0x0fff0fff) == 0x0ee10a10);
}

/* Returns whether the instruction reads NZCV in addition to its condition. */
INLINE bool reads_carry(const struct arm_instruction *i) {
    return i->reads & ARM_STATE_NZCV;
}
/* Return whether the instruction reads, or writes, Q or GE. */
INLINE bool reads_other(const struct arm_instruction *i) {
    return i->reads & ARM_STATE_OTHER;
}
INLINE bool writes_other(const struct arm_instruction *i) {
    return i->writes & ARM_STATE_OTHER;
}

/* Returns the unit that executes the instruction, if one is free in cycle t; else NULL, and *until is the
 * first cycle in which one is. */
INLINE uint64_t *free_unit(struct core *c, const struct arm_instruction *i, uint64_t t, uint64_t *until) {
    struct superscalar *s = c->superscalar;
    uint64_t *unit = &s->load_store;
    unsigned count = 1;
    switch (unit_of(i->class)) {
    case UNIT_INTEGER: unit = s->integer, count = c->config->core.integer_units; break;
    case UNIT_VFP: unit = s->vfp, count = c->config->core.vfp_units; break;
    case UNIT_LOAD_STORE: break;
    }
    if (needs_first_unit(i->class)) count = 1;
    *until = SUPERSCALAR_NEVER;
    while (count--) {
        if (unit[count] <= t) return &unit[count];
        if (unit[count] < *until) *until = unit[count];
    }
    return NULL;
}

/* --- front end --- */

/* Returns whether the front end fetches in cycle t, if stages and queue have room. */
INLINE bool front_end_may_fetch(const struct front_end *f, uint64_t t) {
    return f->next <= t && f->instructions <= f->most_instructions && f->groups <= f->most_groups;
}

/* Fetches in cycle t, unless the PC is outside the code. Returns false if the fetch needs the core's turn;
 * `turn`: the core has it. */
bool front_end_fetch(struct core *c, const struct machine_code *code, uint64_t t, bool turn);

/* Returns the first group of the queue if its instructions may issue in cycle t, else NULL. */
INLINE struct fetch_group *front_end_ready(struct front_end *f, uint64_t t) {
    struct fetch_group *g = &f->group[f->first];
    return f->groups && g->ready <= t ? g : NULL;
}

/* Returns the next cycle after t in which the front end changes while the core does nothing;
 * SUPERSCALAR_NEVER if there is none. */
uint64_t front_end_next(const struct core *c, const struct machine_code *code, uint64_t t);

/* Takes the instruction at the PC out of the queue. */
INLINE void front_end_take(struct front_end *f) {
    struct fetch_group *g = &f->group[f->first];
    g->pc += 4;
    --f->instructions;
    f->cause = MACHINE_CAUSE_FRONT_END;
    if (--g->count) return;
    f->first = (f->first + 1) % FETCH_GROUPS;
    --f->groups;
}

/* Returns the PC that the front end predicts to follow the instruction taken last. */
INLINE uint32_t front_end_predicted(const struct front_end *f) {
    return f->groups ? f->group[f->first].pc : f->pc;
}

/* Drops the queue after a wrong prediction of the branch taken last. The fetch continues at pc in cycle t. */
void front_end_redirect(struct front_end *f, uint32_t pc, uint64_t t);

/* --- cycles --- */

/* Notes an instruction that has been issued or dispatched in the core's cycle. */
INLINE void note_instruction(struct core *c, const struct machine_code *code, const struct arm_instruction *i,
                             uint32_t pc) {
    struct superscalar *s = c->superscalar;
    ++c->instructions;
    s->kernel_instructions += c->in_kernel;
    core_count(c, code, i, i + 1);
    if (__builtin_expect(c->record.recorder != NULL, 0)) {
        if (s->recorded && s->recorded_pc + 4 * s->recorded != pc) {
            core_record_run(&c->record, s->recorded_pc, s->recorded, c->next, c->next + 1);
            s->recorded = 0;
        }
        if (!s->recorded++) s->recorded_pc = pc;
    }
}

/* Ends the core's cycle; the next one is `next`. If no instruction has issued, the cycles are charged to
 * `cause`. */
INLINE void end_cycle(struct core *c, uint64_t next, unsigned issued, enum machine_cause cause,
                      unsigned lsq_entries) {
    struct superscalar *s = c->superscalar;
    const uint64_t cycles = next - c->next;
    if (__builtin_expect(s->recorded, 0)) {
        core_record_run(&c->record, s->recorded_pc, s->recorded, c->next, c->next + 1);
        s->recorded = 0;
    } else {
        c->record.waits = (uint8_t)(cause + 1);
    }
    if (!issued) c->account[cause] += cycles;
    s->issued.bucket[issued] += issued ? 1 : cycles;
    const unsigned queue = c->config->core.fetch_queue, fetched = s->front.instructions;
    s->queue_occupancy.bucket[fetched < queue ? fetched : queue] += cycles;
    s->lsq_occupancy.bucket[lsq_entries] += cycles;
    if (__builtin_expect(s->front.predictor.learned, 0)) branch_tables_end(&s->front.predictor);
    s->last_cycle = c->next;
    s->last_issued = issued;
    s->slot = 0;
    s->ended = false;
    c->next = next;
}

/* --- functions of a kind --- */

/* Does the next event of the core's cycle. The core has its turn before cycle `turn`. `inside`: called by
 * run(), which leaves instructions that the cluster must see to issue(). */
typedef enum step superscalar_step(struct core *c, const struct machine_code *code, uint64_t turn,
                                   bool inside, struct arm_instruction **i, struct arm_execution *x);
/* Ends the core's cycle, in which no more instructions issue. */
typedef enum step superscalar_finish(struct core *c, const struct machine_code *code, uint64_t turn);

/* Implements the kind's issue() (core.h) with its step; `finish` ends the cycle of an instruction that issues
 * alone. */
INLINE enum core_issue superscalar_issue(struct core *c, const struct machine_code *code, uint64_t t,
                                         struct arm_instruction **i, struct arm_execution *x,
                                         superscalar_step *step, superscalar_finish *finish) {
    *i = NULL;
    switch (step(c, code, t + 1, false, i, x)) {
    case STEP_ISSUED: break;
    case STEP_FAULTED: return CORE_FAULTED;
    default: return CORE_STALLED;
    }
    if (!issues_alone(*i)) return CORE_ISSUED;
    /* The cycle has ended, so that the cluster may stop the core. */
    c->superscalar->front.looked_up = ~0u;
    finish(c, code, t + 1);
    if ((*i)->is_wait && x->passed && !c->in_kernel) {
        c->state = CORE_ASLEEP;
        c->asleep_since = c->next;
    }
    return CORE_ISSUED;
}

/* Implements the kind's run() (core.h) with its step. */
INLINE void superscalar_run(struct core *c, const struct machine_code *code, uint64_t turn, uint64_t horizon,
                            superscalar_step *step) {
    struct arm_instruction *i;
    struct arm_execution x;
    while (c->next < horizon && step(c, code, turn, true, &i, &x) != STEP_TURN) continue;
}

#endif
