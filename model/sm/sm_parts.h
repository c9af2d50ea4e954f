/* Declarations shared by the files of model/sm/. */
#ifndef MODEL_SM_SM_PARTS_H
#define MODEL_SM_SM_PARTS_H

#include "model/simt/execute.h"
#include "model/sm/sm.h"
#include "model/unit/unit.h"

#include <string.h>

/* Resources of the scoreboard: registers of a thread, and the flags that are ordered like them. */
#define SM_RESOURCES (ARM_REGISTERS + 3)

static inline uint64_t bit_of(unsigned n) {
    return UINT64_C(1) << n;
}
static inline void sm_earlier(uint64_t *next, uint64_t t) {
    *next = t < *next ? t : *next;
}
static inline struct sm_scheduler *sm_scheduler_of(struct sm *s, unsigned warp) {
    return &s->scheduler[s->warp[warp].scheduler];
}
static inline uint64_t sm_scheduler_bit(const struct sm *s, unsigned warp) {
    return s->warp[warp].bit;
}

/* Returns the instruction at an address; NULL if it is outside the code. */
static inline struct arm_instruction *sm_instruction(const struct sm *s, uint32_t pc) {
    return machine_code_at(s->launch->code, pc);
}

/* Returns the threads of a warp that run together next: those at the top of its stack that do not wait at a
 * barrier. */
static inline uint64_t sm_participating(const struct sm *s, unsigned warp) {
    return re_convergence_stack_mask(&s->stack, warp) & ~s->warp[warp].waiting;
}

/* Returns the resources that instructions of a warp in flight have still to write. */
static inline uint64_t sm_pending(const struct sm_warp *w) {
    return w->pending[SM_SP] | w->pending[SM_SFU] | w->pending[SM_LDST] | w->pending[SM_SCALAR];
}

/* Returns whether a read or write of these resources may have changed the hazards of a warp's next
 * instruction. */
static inline bool sm_concerns(const struct sm *s, const struct sm_warp *w, uint64_t resources) {
    const struct sm_next *x = &w->next;
    return !x->known || x->pc != w->buffer_pc || ((x->needs | x->writes) & resources) || s->uniform.on ||
           s->lanes.chaining;
}

static inline void sm_copy_threads(struct sm_threads *to, const struct sm_threads *from) {
    to->warp = from->warp;
    to->regrouped = from->regrouped;
    to->in_place = from->in_place;
    to->first = from->first;
    if (from->regrouped && !from->in_place) memcpy(to->at, from->at, sizeof to->at);
}

/* A thread: warp of the register file, and position there. */
struct sm_thread {
    unsigned warp, position;
};
/* Returns the thread in a position of `t`; `warp`: that of its first thread. */
static inline struct sm_thread sm_selected_thread(const struct sm *s, unsigned warp,
                                                  const struct sm_threads *t, unsigned position) {
    if (!t->regrouped) return (struct sm_thread){warp, position};
    if (t->in_place) return (struct sm_thread){warp, t->first + position};
    return (struct sm_thread){t->at[position] / s->warp_size, t->at[position] % s->warp_size};
}
static inline struct sm_thread sm_thread_of(const struct sm *s, const struct sm_flight *f,
                                            unsigned position) {
    return sm_selected_thread(s, f->warp, &f->threads, position);
}

/* --- F, D (fetch.c): each returns the next cycle with work --- */
uint64_t sm_fetch(struct sm *s, uint64_t t);
/* Marks the buffer of a warp as decoded from cycle t on, in which it may issue. */
static inline void sm_decode_by(struct sm *s, unsigned warp, uint64_t t) {
    struct sm_scheduler *q = sm_scheduler_of(s, warp);
    s->warp[warp].buffer_at = t;
    q->decoding |= sm_scheduler_bit(s, warp);
    sm_earlier(&q->decode_at, t);
}
/* Continues a warp at another PC: the buffer is kept if it has the instruction, or fetched again. */
void sm_redirect(struct sm *s, unsigned warp);
/* Handles the L1I's answer: the instructions are present at the end of cycle t. */
void sm_fetched(struct sm *s, unsigned warp, uint64_t t);

/* --- I (issue.c) --- */
uint64_t sm_issue(struct sm *s, uint64_t t);
/* Returns the registers and flags that must not be pending when the instruction issues. */
uint64_t sm_needs(const struct arm_instruction *i);
enum sm_effect sm_effect_of(const struct arm_instruction *i);
/* Returns whether the instruction is DMB or DSB. */
bool sm_is_memory_barrier(const struct arm_instruction *i);
enum sm_unit_kind sm_kind_of(const struct sm *s, const struct arm_instruction *i);
/* Picks one of the ready warps by the scheduler's policy: its number there. Returns false if there is
 * none. */
bool sm_pick_some(struct sm *s, unsigned scheduler, uint64_t ready, uint64_t t, unsigned *n);
static inline bool sm_pick(struct sm *s, unsigned scheduler, uint64_t ready, uint64_t t, unsigned *n) {
    struct sm_scheduler *q = &s->scheduler[scheduler];
    q->moves = false;
    if (!ready && !q->policy.cfg.policy->moves && !s->stepped) return false;
    return sm_pick_some(s, scheduler, ready, t, n);
}
/* Note the cause of cycle t of a scheduler: an issue of a warp's instruction at `pc`; no issue. */
void sm_note_issue(struct sm *s, unsigned scheduler, unsigned warp, uint32_t pc, enum sm_unit_kind kind,
                   uint64_t t);
void sm_note_idle(struct sm *s, unsigned scheduler);
/* Executes the instruction of a selected warp, or the copy instruction that comes before it, and puts it into
 * a collector of the unit, in O from cycle t on. Returns false if the launch has failed. */
bool sm_begin_flight(struct sm *s, const struct sm_selected *x, struct sm_unit *u, uint64_t t);
/* Does the same with a copy instruction of a register of a warp, for the selected warp, which waits. */
struct sm_copied {
    unsigned warp, reg;
    bool source; /* the instruction of the selected warp reads the register */
};
bool sm_begin_copy(struct sm *s, const struct sm_selected *x, const struct sm_copied *copied,
                   struct sm_unit *u, uint64_t t);
/* Executes the instruction of a flight whose threads have any registers (regrouped.c). Returns false if the
 * launch has failed. */
bool sm_execute_regrouped(struct sm *s, struct sm_flight *f, uint64_t t);
/* Returns whether threads that would wait for their scalar thread have one; else the launch has failed. */
bool sm_may_sync(struct sm *s, const struct simt_instruction *n, uint64_t passed);
/* Execute an instruction for threads of one warp of the register file; complete the execution. The second one
 * returns false if the launch has failed. */
static inline void sm_execute_threads(struct sm *s, const struct simt_instruction *n,
                                      struct arm_execution *x) {
    if (__builtin_expect(debugger_asks(s->debugger, n->i), 0))
        s->debugger->warp(s->debugger->context, &s->simt, n, x);
    else
        arm_execute(n->i, &s->warp[n->warp].threads, n->participating, x);
}
static inline bool sm_executed(struct sm *s, const struct simt_instruction *n, const struct arm_execution *x,
                               uint64_t t) {
    if (n->i->is_coprocessor && !sm_may_sync(s, n, x->passed)) return false;
    if (__builtin_expect(s->debugger != NULL, 0)) execution_trail_add(&s->trail[n->warp], n->pc);
    return simt_executed(&s->simt, n, x, __builtin_expect(s->checks || s->profile || s->executions, 0), t);
}
/* Returns the slot of a work-group in s->checks. */
static inline unsigned sm_check_slot(const struct sm *s, unsigned group) {
    return s->index * s->groups + group;
}
extern const struct simt_spin sm_spin;
/* Returns the unit of a kind, for a warp's instruction, with most free collectors, the lowest of them; NULL:
 * none has one. */
struct sm_unit *sm_free_unit(struct sm *s, unsigned warp, enum sm_unit_kind kind);
/* Notes that the last free collector of a kind of units may have been taken. */
void sm_note_room(struct sm *s, enum sm_unit_kind kind);
/* Updates the hazards of a warp's next instruction. */
void sm_refresh(struct sm *s, unsigned warp);

/* --- uniform values (scalars.c); with barrel issue I means the first cycle of O --- */

/* Returns whether the warp needs a copy instruction before its next instruction. */
bool sm_copies_first(struct sm *s, unsigned warp, const struct arm_instruction *i);
/* Returns whether all threads execute the warp's next instruction, on operands that are not all uniform. */
bool sm_is_vector(const struct sm *s, unsigned warp, const struct arm_instruction *i);
/* I: sets the form of an instruction's execution; f->i is a copy instruction if one is needed first. */
void sm_scalars_decode(struct sm *s, struct sm_flight *f);
/* Sets the form of a copy instruction's execution. */
void sm_scalars_copy(struct sm *s, struct sm_flight *f, const struct sm_copied *copied);
/* Regrouping engines, before the first cycle of O: makes one of the changes of tokens that the selected
 * threads need first (uniform.md §7.2), if any is left. Returns whether the threads wait in this cycle. */
bool sm_scalars_wait(struct sm *s, const struct sm_selected *x, struct sm_unit *u, uint64_t t);
/* Regrouped threads: notes the results of those in one warp of the register file, if there are several. */
void sm_scalars_part(struct sm *s, struct sm_flight *f, unsigned warp, uint64_t passed, uint64_t t);
/* Releases the scalar registers of a warp without threads, of one warp in a cycle; those of the next warp
 * that waits for this. */
void sm_scalars_release(struct sm *s, unsigned warp);
void sm_scalars_release_next(struct sm *s);
/* I: notes the results of an instruction. */
void sm_scalars_write(struct sm *s, struct sm_flight *f, uint64_t t);
/* Gives the load s->renaming its next scalar register. */
void sm_rename_next(struct sm *s);
/* Handles the beginning of a work-group in these warps. */
void sm_scalars_start(struct sm *s, warp_set warps, uint64_t t);
/* Does starts and releases of a cycle without an issue; with twins of every cycle. */
void sm_scalars_step(struct sm *s);
/* Handles the first cycle of O, t. */
void sm_scalars_collect(struct sm *s, struct sm_flight *f, uint64_t t);
/* Does the reuse buffer's edge. */
void sm_scalars_step_reuse(struct sm *s);
/* Returns the threads for which a load or store accesses memory. */
static inline uint64_t sm_accessing(const struct sm_flight *f) {
    return f->uniform.form == UNIFORM_SCALAR ? f->passed & -f->passed : f->passed;
}

/* Calls fault_reads() before a flight executes, fault_writes() after some threads have executed it, or
 * fault_executed() when its form is known. */
void sm_fault(struct sm *s, const struct sm_flight *f, uint64_t passed, fault_event *event);

/* --- S, A, F, D of barrel issue (barrel.c) --- */
void sm_barrel_create(struct sm *s);
void sm_barrel_free(struct sm *s);
void sm_barrel_launch(struct sm *s);
uint64_t sm_step_barrel(struct sm *s, uint64_t t);
void sm_barrel_fetched(struct sm *s, unsigned warp, uint64_t t);
enum machine_cause sm_barrel_idle_cause(const struct sm *s, unsigned scheduler);

/* --- O (operands.c) --- */
uint64_t sm_collect(struct sm *s, uint64_t t);
/* Sets the registers that a flight reads in its first round, and in all rounds if these are equal. */
void sm_begin_collection(const struct sm *s, struct sm_flight *f);
/* Returns the registers that the flight reads in a round. */
uint64_t sm_sources(const struct sm *s, const struct sm_flight *f, unsigned round);

/* --- X, W (units.c) --- */
uint64_t sm_execute(struct sm *s, uint64_t t);
void sm_start_round(struct sm *s, struct sm_unit *u, struct sm_flight *f, uint64_t t);
/* Does W of cycle t; s->writes_at becomes the next cycle with a write. */
void sm_write(struct sm *s, uint64_t t);
/* Adds a flight with writes from cycle f->w_next on. */
void sm_to_write(struct sm *s, struct sm_flight *f);
/* Adds a write of a flight in cycle t. */
static inline void sm_write_by(struct sm *s, struct sm_flight *f, uint64_t t) {
    sm_earlier(&f->w_next, t);
    sm_earlier(&s->writes_at, t);
}
/* Removes a flight from the pipeline at the end of cycle t. */
void sm_end_flight(struct sm *s, struct sm_flight *f);

/* --- stores in flight to the L2 (stores.c); places: sm_ldst.h --- */
/* Starts threads in a place, with no stores in flight. */
void sm_stores_begin(struct sm *s, unsigned place);
/* Returns the place of a flight's stores. */
unsigned sm_stores_place(const struct sm *s, const struct sm_flight *f);
/* Return the tag of a store's packet; note that one has been sent; that the L2 has taken one, known in cycle
 * t. */
uint32_t sm_stores_tag(const struct sm *s, unsigned place);
void sm_stores_sent(struct sm *s, unsigned place);
void sm_stores_taken(struct sm *s, uint32_t tag, uint64_t t);
/* Returns whether the L2 has not taken all stores. */
bool sm_stores_on_the_way(const struct sm *s, unsigned place);

/* --- LDST (ldst.c) --- */
void sm_ldst_init(struct sm *s, struct cluster_port *port);
void sm_ldst_free(struct sm *s);
void sm_ldst_launch(struct sm *s, const struct memory *memory);
/* Handles answers that arrived at the end of cycle t − 1; for the next known one see sm_ldst.h. */
void sm_ldst_answers(struct sm *s, uint64_t t);
uint64_t sm_ldst_step(struct sm *s, uint64_t t);
/* Stepped: does cycle t of the L1D's miss registers after all requests and answers of the cycle. */
void sm_step_misses(struct sm *s, uint64_t t);
/* Returns whether the load-store unit of a flight can take its first round in cycle t. */
bool sm_ldst_takes(const struct sm *s, const struct sm_flight *f, uint64_t t);
/* Takes the addresses of a flight at the end of cycle t; its transactions are sent from the next cycle on, or
 * after those of the previous flight. */
void sm_ldst_take(struct sm *s, struct sm_flight *f, uint64_t t);
/* Returns what holds the load-store unit: passes of local memory, or transactions; or nothing. */
enum machine_cause sm_ldst_held(const struct sm *s, unsigned scheduler);

/* The threads of a memory instruction by the kind of memory. */
struct sm_spaces {
    uint64_t local, constant, private, rest;
};
struct sm_spaces sm_ldst_spaces(const struct sm *s, const struct sm_flight *f);
/* Lane groups: return whether the load-store unit has nothing to send; end a flight with accesses to local
 * memory only, after the last one was served. The third function counts a round with these threads, some of
 * which may wait. */
bool sm_ldst_idle(const struct sm *s);
void sm_ldst_all_local(struct sm *s, struct sm_flight *f);
void sm_ldst_count_local(struct sm *s, const struct sm_flight *f, uint64_t threads, bool waits);

/* --- lanes (lanes.c) --- */
void sm_lanes_init(struct sm *s);
void sm_lanes_launch(struct sm *s);
/* Return whether the rounds of a unit's instructions come from a round compactor; do its cycle (stepped, and
 * with twins). */
bool sm_unit_compacts(const struct sm *s, const struct sm_unit *u);
void sm_step_compactors(struct sm *s, uint64_t t);
void sm_lanes_free(struct sm *s);
/* Notes the issue of an instruction of a group for these threads, for over_time. */
void sm_lanes_note(struct sm *s, unsigned group, uint64_t threads);
/* Sets the rounds of a flight from its active threads. */
void sm_set_rounds(struct sm *s, struct sm_flight *f);
/* Returns the rounds that an instruction for these threads takes in a unit of `width` lanes with
 * simt.mitigation slp: the largest number of threads of a lane, at least 1. */
unsigned sm_packed_rounds(unsigned width, uint64_t threads);
/* Returns the threads of one of these rounds: of each lane, the thread with so many before it. */
uint64_t sm_packed_threads(unsigned width, uint64_t threads, unsigned round);
/* Returns the positions whose rounds a flight takes. With banks by round a scalar of the token design is the
 * word of position 0, and round 0 is not skipped if all live threads take part: their result may become
 * scalar. */
static inline uint64_t sm_taking_part(const struct sm *s, const struct sm_flight *f) {
    const bool keeps = s->lanes.in_turn && s->uniform.on && s->config->uniform.storage == UNIFORM_TOKEN;
    return keeps && f->passed == s->warp[f->warp].live ? f->passed | 1 : f->passed;
}
/* Returns the bit of the bank with register d of a flight's round, read or written; 0 if none. The word of a
 * scalar is in the bank of round 0. */
uint64_t sm_scalarized_bank(const struct sm *s, const struct sm_flight *f, unsigned d, unsigned round,
                            bool writes);
static inline uint64_t sm_bank(const struct sm *s, const struct sm_flight *f, unsigned d, unsigned round,
                               bool writes) {
    if (f->scalarized) return sm_scalarized_bank(s, f, d, round, writes);
    if (!s->lanes.by_round) return s->bank[d + f->bank];
    const uint64_t scalars = writes ? f->uniform.scalars : f->uniform.tokens;
    return s->bank[d + f->bank + (scalars >> d & 1 ? 0u : f->place[round])];
}
/* Takes the banks of register d in a round of a flight for this cycle. Returns false if one is taken.
 * `by_lane`: the bank of each lane's row; the word of a scalar is in lane 0. */
bool sm_take_lane_banks(struct sm *s, const struct sm_flight *f, unsigned d, unsigned round, bool writes);
static inline bool sm_take_banks(struct sm *s, const struct sm_flight *f, unsigned d, unsigned round,
                                 bool writes) {
    if (s->lanes.by_lane) return sm_take_lane_banks(s, f, d, round, writes);
    const uint64_t bank = sm_bank(s, f, d, round, writes);
    uint64_t *taken = &s->banks_taken[f->lane_group];
    if (*taken & bank) return false;
    *taken |= bank;
    return true;
}
/* Lane groups: counts cycles in which nothing has changed, for groups with warps. */
void sm_lanes_count(struct sm *s, uint64_t cycles);
/* Lane groups: return the warps without other hazards whose group can take their instruction; the unit for
 * one of them; count the waiting groups of sm_lanes_eligible() in spite of an issue. */
uint64_t sm_lanes_eligible(struct sm *s, const struct sm_scheduler *q, uint64_t ready);
struct sm_unit *sm_lanes_unit(struct sm *s, unsigned warp, enum sm_unit_kind kind);
void sm_lanes_count_issue(struct sm *s);
/* Returns the warps whose group's instruction register is taken. */
uint64_t sm_lanes_reading(const struct sm *s);
/* Do X of the shared special function units; return the cycle of theirs in which a round executes. */
uint64_t sm_lanes_execute_sfu(struct sm *s, uint64_t t);
unsigned sm_lanes_sfu_cycle(const struct sm *s, const struct sm_flight *f, unsigned round);
/* Returns the threads of a warp for which an instruction would execute if it issued now. */
uint64_t sm_active_threads(const struct sm *s, unsigned warp, const struct arm_instruction *i);
/* With chaining. Return whether an instruction of a warp can issue with these pending resources. Link an
 * issued flight to its producers. Update the producers' written rounds at the end of a cycle. */
bool sm_chains(const struct sm *s, unsigned warp, const struct arm_instruction *i, uint64_t blocked);
void sm_chain(const struct sm *s, struct sm_flight *f);
void sm_follow(const struct sm *s, struct sm_flight *f);

/* --- code that was scalarized (scalarized.c) --- */
/* Sets the scalar operands of a flight, and whether it is scalar; does nothing if the code was not
 * scalarized. */
void sm_scalarized_decode(const struct sm *s, struct sm_flight *f);
/* --check-scalar: at a launch; at a warp's start; before and after the execution of an instruction. */
void sm_check_scalar_free(struct sm *s);
void sm_check_scalar_launch(struct sm *s);
void sm_check_scalar_start(struct sm *s, unsigned warp);
void sm_check_scalar_reads(struct sm *s, const struct sm_flight *f);
void sm_check_scalar_writes(struct sm *s, const struct sm_flight *f);

/* --- memory instructions of lane groups (address_collector.c) --- */
/* Starts the arrival of a flight's addresses. */
void sm_begin_addresses(struct sm *s, struct sm_flight *f);
uint64_t sm_collect_addresses(struct sm *s, uint64_t t);
/* Notes that a flight's last transaction has been sent: its lane group may deliver the next addresses. */
void sm_addresses_sent(struct sm *s, const struct sm_flight *f);

/* --- placement of warps (placement.c) --- */
/* Places of the next work-group's warps, and the lane group that is next afterwards. */
struct sm_placement {
    uint8_t warp[SM_MAX_WARPS];
    unsigned turn;
};
/* Finds places. Returns false if there is no room. */
bool sm_place(const struct sm *s, struct sm_placement *p);
/* Returns the registers of the n-th warp of a work-group. */
uint32_t sm_words(const struct sm *s, unsigned n);
/* Frees a warp's slot and registers. */
void sm_free_warp(struct sm *s, unsigned warp);
/* Returns the largest number of work-groups of the launch in flight; none is in flight yet. */
uint32_t sm_groups_that_fit(struct sm *s);

/* --- ends of cycles (cycle_end.c) --- */
/* Note that threads of a warp wait at the barrier at pc; tell the barrier table of `count` threads of a
 * work-group that arrive with instruction i, or that exit. */
void sm_wait(struct sm *s, unsigned warp, uint64_t threads, uint32_t pc);
void sm_tell_arrival(struct sm *s, unsigned group, unsigned count, const struct arm_instruction *i);
void sm_tell_exit(struct sm *s, unsigned group, unsigned count);
/* End threads of a warp; end the warp. */
void sm_exit_threads(struct sm *s, unsigned warp, uint64_t threads);
void sm_end_warp(struct sm *s, unsigned warp);
/* Updates a warp after changes of its threads, for engines without stacks: whether threads live, and whether
 * all wait at a barrier. */
void sm_update_warp(struct sm *s, unsigned warp);
/* Return the flight whose turn it is to arrive at a barrier or to exit, or SM_NO_FLIGHT; end its turn. */
uint16_t sm_next_leaver(const struct sm *s);
void sm_leave(struct sm *s, struct sm_flight *f);
/* Plain: returns whether the cycle has effects at its end. */
static inline bool sm_ends_something(const struct sm *s) {
    return (s->partings | s->leavers | s->finishes) || (s->given_back | s->changed | s->starting) ||
           barrier_table_active(&s->barriers);
}
/* Applies branches, barriers and exits whose last round was in cycle t, and releases. */
uint64_t sm_end_cycle(struct sm *s, uint64_t t);
/* Retires a work-group after its last thread has exited and its warps are free. */
void sm_end_group(struct sm *s, unsigned group);

/* Checks that each live thread is in exactly one place of its engine; if not, the process ends (places.c). */
void sm_check_places(const struct sm *s);

/* --- instructions of the co-processor (identity.c) --- */

/* Returns the identity of a warp's threads in a lane group; `w` NULL: of the work-group's scalar thread. */
struct identity sm_identity(const struct sm *s, const struct sm_group *g, const struct sm_warp *w,
                            unsigned lane_group);
struct identity sm_warp_identity(const struct simt *u, unsigned warp);

/* --- causes (causes.c) --- */
/* Returns the cause of a scheduler's cycle with an issue. */
enum machine_cause sm_issue_cause(enum sm_unit_kind kind);
/* Returns the cause of a cycle without an issue, from the scheduler's state. *pc: PC of the stalled
 * instruction, 0: none; pc may be NULL. */
enum machine_cause sm_idle_cause(const struct sm *s, unsigned scheduler, uint32_t *pc);
/* Counts cycles of a scheduler with a cause, for the instruction at pc (0: none). */
void sm_count_cycles(struct sm *s, enum machine_cause cause, uint32_t pc, uint64_t cycles);
/* Charges the cycles before t without a cause, in which nothing has happened. */
void sm_charge(struct sm *s, uint64_t t);

/* Adds the resident warps of all charged cycles to the histogram, before their number changes. */
void sm_count_residents(struct sm *s);
static inline unsigned sm_resident_warps(const struct sm *s) {
    unsigned warps = 0;
    for (unsigned n = 0; n < s->schedulers; ++n)
        warps += (unsigned)__builtin_popcountll(s->scheduler[n].live);
    return warps;
}

/* --- diagnoses (sm_report.c): they fill the launch's error --- */
/* Message about lockstep_sync(1) in a kernel without a scalar thread. */
#define SM_SYNC_ALONE                                                                                        \
    "executes lockstep_sync(1), a barrier with a scalar thread, but the kernel has none: no kernel of its "  \
    "program is LOCKSTEP_SCALAR_OF(%s)"
/* Notes a barrier that opens although threads of its work-group have ended. */
void sm_note_short_barrier(struct sm *s, unsigned warp);
/* A refusal of a block's Verilog for several cycles. */
struct sm_refusal {
    const char *block, *refused, *although;
};
void sm_diagnose_refusal(struct sm *s, const struct sm_refusal *r, uint64_t cycles, uint64_t t);
/* Detects a livelock: Verilog of another policy may refuse for some cycles, but not for ever. *count:
 * refusals so far; `refused`: also in this cycle. */
void sm_watch_for_livelock(struct sm *s, uint64_t *count, bool refused, const struct sm_refusal *r,
                           uint64_t t);

#endif
