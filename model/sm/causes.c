/* Attributes each cycle of each scheduler to one cause (gpu-like.md §8). */
#include "model/sm/idle.h"
#include "model/sm/scalar_units.h"
#include "model/sm/sm_divergence.h"
#include "model/sm/sm_parts.h"

enum machine_cause sm_issue_cause(enum sm_unit_kind kind) {
    return kind == SM_SFU    ? MACHINE_CAUSE_ISSUE_SFU
           : kind == SM_LDST ? MACHINE_CAUSE_ISSUE_LDST
                             : MACHINE_CAUSE_ISSUE_SP; /* includes the scalar unit */
}

/* Returns why instructions without a data hazard do not issue: no collector of their kind is free, or the
 * instruction register of their lane group is occupied. `loads` are the warps whose instruction is a load or
 * store. */
static enum machine_cause held_by(const struct sm *s, unsigned scheduler, uint64_t loads) {
    if (s->lanes.in_turn) loads &= ~sm_lanes_reading(s);
    return loads ? sm_ldst_held(s, scheduler) : MACHINE_CAUSE_COLLECTOR;
}

/* Returns which result the scoreboard waits for, for the lowest-numbered of `warps`. */
static enum machine_cause stopped_by(const struct sm *s, unsigned scheduler, uint64_t warps) {
    const unsigned n = (unsigned)__builtin_ctzll(warps);
    const struct sm_warp *w = &s->warp[n * s->schedulers + scheduler];
    const struct arm_instruction *i = sm_instruction(s, w->buffer_pc);
    const uint64_t needs = sm_needs(i);
    if (needs & w->pending[SM_LDST]) return MACHINE_CAUSE_AWAITS_LOAD;
    if (needs & w->pending[SM_SFU]) return MACHINE_CAUSE_AWAITS_SFU;
    if (needs & (w->pending[SM_SP] | w->pending[SM_SCALAR])) return MACHINE_CAUSE_AWAITS_SP;
    return i->destinations & w->unread ? MACHINE_CAUSE_WAR : MACHINE_CAUSE_DRAIN;
}

/* Returns the PC of the lowest-numbered of `warps`, or the PC of the exit if all its threads have exited. */
static uint32_t pc_of(const struct sm *s, unsigned scheduler, uint64_t warps) {
    const uint32_t pc = s->divergence->where(s, (unsigned)__builtin_ctzll(warps) * s->schedulers + scheduler);
    return pc ? pc : s->exit_pc;
}

static uint32_t barrier_of(const struct sm *s, unsigned scheduler, uint64_t warps) {
    return s->warp[(unsigned)__builtin_ctzll(warps) * s->schedulers + scheduler].barrier_pc;
}

/* Cause of an idle cycle, and the warps that the scheduler waits for. */
struct standstill {
    enum machine_cause cause;
    uint64_t warps;
};

static struct standstill standstill_of(const struct sm *s, unsigned scheduler) {
    const struct sm_scheduler *q = &s->scheduler[scheduler];
    const uint64_t runs = q->live & ~q->barrier, decoded = q->decoded & ~q->unresolved & ~q->barrier;
    const uint64_t held = decoded & q->clear, fetched = runs & ~q->unresolved;
    if (!q->live)
        return (struct standstill){s->groups_used ? MACHINE_CAUSE_NO_WARP : MACHINE_CAUSE_NO_GROUP, 0};
    if (!runs) return (struct standstill){MACHINE_CAUSE_BARRIER, q->live};
    if (s->barrel) return (struct standstill){sm_barrel_idle_cause(s, scheduler), runs};
    if (held) return (struct standstill){held_by(s, scheduler, held & q->by_unit[SM_LDST]), held};
    if (decoded) return (struct standstill){stopped_by(s, scheduler, decoded), decoded};
    if (fetched) return (struct standstill){MACHINE_CAUSE_FETCH, fetched};
    return (struct standstill){MACHINE_CAUSE_PARTING, runs};
}

static inline __attribute__((always_inline)) enum machine_cause idle_cause(const struct sm *s,
                                                                           unsigned scheduler, uint32_t *pc) {
    if (s->renaming != SM_NO_FLIGHT && !s->barrel) {
        if (pc) *pc = s->flight[s->renaming].pc;
        return MACHINE_CAUSE_COLLECTOR;
    }
    const struct standstill still = standstill_of(s, scheduler);
    if (pc)
        *pc = !still.warps                           ? 0
              : still.cause == MACHINE_CAUSE_BARRIER ? barrier_of(s, scheduler, still.warps)
                                                     : pc_of(s, scheduler, still.warps);
    return still.cause;
}

enum machine_cause sm_idle_cause(const struct sm *s, unsigned scheduler, uint32_t *pc) {
    return idle_cause(s, scheduler, pc);
}

static bool issues(enum machine_cause cause) {
    return cause == MACHINE_CAUSE_ISSUE_SP || cause == MACHINE_CAUSE_ISSUE_SFU ||
           cause == MACHINE_CAUSE_ISSUE_LDST;
}

void sm_count_cycles(struct sm *s, enum machine_cause cause, uint32_t pc, uint64_t cycles) {
    simt_charge(&s->simt, cause, pc, cycles);
    if (cause != MACHINE_CAUSE_NO_GROUP) s->scheduler_cycles += cycles;
    if (!issues(cause) && !s->barrel) histogram_add_times(&s->issue_threads, 0, cycles);
}

/* Counts idle cycles of a scheduler in its present state and returns their cause. */
static enum machine_cause charge_idle(struct sm *s, unsigned scheduler, uint64_t cycles) {
    uint32_t pc = 0;
    const enum machine_cause cause = __builtin_expect(s->profile != NULL, 0)
                                         ? sm_idle_cause(s, scheduler, &pc)
                                         : idle_cause(s, scheduler, NULL);
    sm_count_cycles(s, cause, pc, cycles);
    if (__builtin_expect(s->idle != NULL, 0)) sm_idle_note(s, scheduler, cycles);
    return cause;
}

void sm_note_idle(struct sm *s, unsigned scheduler) {
    s->scheduler[scheduler].cause = charge_idle(s, scheduler, 1);
}

void sm_count_residents(struct sm *s) {
    histogram_add_times(&s->resident_warps, sm_resident_warps(s), s->charged - s->counted);
    s->counted = s->charged;
}

void sm_charge(struct sm *s, uint64_t t) {
    const uint64_t cycles = t - s->charged;
    for (unsigned n = 0; cycles && n < s->schedulers; ++n) charge_idle(s, n, cycles);
    if (s->lanes.apart) sm_lanes_count(s, cycles);
    if (s->scalar) scalar_units_charge(s, s->charged, t);
    s->charged = t;
}
