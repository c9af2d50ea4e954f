/* Between the files of model/sm/. */
#ifndef MODEL_SM_SM_PARTS_H
#define MODEL_SM_SM_PARTS_H

#include "model/core/identity.h"
#include "model/sm/sm.h"

#include <string.h>

/* Registers of a thread, and the flags that are ordered like them: the scoreboard's. */
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

/* The instruction at an address; NULL: it is outside the code. */
static inline struct arm_instruction *sm_instruction(const struct sm *s, uint32_t pc) {
    return machine_code_at(s->launch->code, pc);
}

/* Threads of a warp that run together next: those at the top of its stack that do not wait at a barrier. */
static inline uint64_t sm_participating(const struct sm *s, unsigned warp) {
    return re_convergence_stack_mask(&s->stack, warp) & ~s->warp[warp].waiting;
}

/* Resources that instructions of a warp in flight have still to write. */
static inline uint64_t sm_pending(const struct sm_warp *w) {
    return w->pending[SM_SP] | w->pending[SM_SFU] | w->pending[SM_LDST] | w->pending[SM_SCALAR];
}

/* May the next instruction of a warp be stopped by something else, since some of these resources have been
 * read or written? */
static inline bool sm_concerns(const struct sm *s, const struct sm_warp *w, uint64_t resources) {
    const struct sm_next *x = &w->next;
    return !x->known || x->pc != w->buffer_pc || ((x->needs | x->writes) & resources) || s->uniform.on ||
           s->lanes.chaining;
}

/* May threads part behind an instruction? */
static inline bool sm_parts(const struct sm *s, uint32_t pc) {
    const struct machine_code *code = s->launch->code;
    return code->meeting && code->meeting[(pc - code->text_base) / 4] != MACHINE_TOGETHER;
}

/* Where threads that part behind an instruction meet again; 0: nowhere in its function. */
static inline uint32_t sm_meeting(const struct sm *s, uint32_t pc) {
    const struct machine_code *code = s->launch->code;
    return sm_parts(s, pc) ? code->meeting[(pc - code->text_base) / 4] : 0;
}

static inline void sm_copy_threads(struct sm_threads *to, const struct sm_threads *from) {
    to->warp = from->warp;
    to->regrouped = from->regrouped;
    to->in_place = from->in_place;
    to->first = from->first;
    if (from->regrouped && !from->in_place) memcpy(to->at, from->at, sizeof to->at);
}

/* A thread: a warp of the register file, and its position there. */
struct sm_thread {
    unsigned warp, position;
};
/* The thread in a position of `t`; `warp`: that of its first thread. */
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

/* --- F, D (fetch.c): each returns the next cycle in which it has something to do --- */
uint64_t sm_fetch(struct sm *s, uint64_t t);
/* What is in the buffer of a warp is decoded by cycle t, in which it may issue. */
static inline void sm_decode_by(struct sm *s, unsigned warp, uint64_t t) {
    struct sm_scheduler *q = sm_scheduler_of(s, warp);
    s->warp[warp].buffer_at = t;
    q->decoding |= sm_scheduler_bit(s, warp);
    sm_earlier(&q->decode_at, t);
}
/* The threads of a warp go on somewhere: what the buffer holds for it stays, or it is fetched anew. */
void sm_redirect(struct sm *s, unsigned warp);
/* The L1I has answered: the instructions are there at the end of cycle t. */
void sm_fetched(struct sm *s, unsigned warp, uint64_t t);

/* --- I (issue.c) --- */
uint64_t sm_issue(struct sm *s, uint64_t t);
/* Registers and flags of which the scoreboard must know nothing before the instruction issues. */
uint64_t sm_needs(const struct arm_instruction *i);
/* DMB and DSB. */
bool sm_is_memory_barrier(const struct arm_instruction *i);
enum sm_unit_kind sm_kind_of(const struct sm *s, const struct arm_instruction *i);
/* The scheduler's choice among the warps that are ready: its number there. False: none. */
bool sm_pick_some(struct sm *s, unsigned scheduler, uint64_t ready, uint64_t t, unsigned *n);
static inline bool sm_pick(struct sm *s, unsigned scheduler, uint64_t ready, uint64_t t, unsigned *n) {
    struct sm_scheduler *q = &s->scheduler[scheduler];
    q->moves = false;
    if (!ready && q->policy.cfg.policy != SCHEDULER_TWO_LEVEL && !s->stepped) return false;
    return sm_pick_some(s, scheduler, ready, t, n);
}
/* A cycle of a scheduler, t, in which the instruction of a warp at `pc` issues, or none
 * does, has its cause. */
void sm_note_issue(struct sm *s, unsigned scheduler, unsigned warp, uint32_t pc, enum sm_unit_kind kind,
                   uint64_t t);
void sm_note_idle(struct sm *s, unsigned scheduler);
/* The instruction that a warp has been selected for is carried out and goes into a collector of the unit, in
 * which it is in O from cycle t on. False: the launch has failed. */
bool sm_begin_flight(struct sm *s, const struct sm_selected *x, struct sm_unit *u, uint64_t t);
/* The threads of a flight that have any registers execute its instruction (regrouped.c). False: the launch
 * has failed. */
bool sm_execute_regrouped(struct sm *s, struct sm_flight *f, uint64_t t);
/* A flight is about to be executed, has been executed (spinning.c): while s->spin. */
void sm_spin_before(struct sm *s, const struct sm_flight *f);
void sm_spin_after(struct sm *s, const struct sm_flight *f, const struct arm_execution *x);
/* The last collector of a unit of a kind may have been taken. */
void sm_note_room(struct sm *s, enum sm_unit_kind kind);
/* What stops the next instruction of a warp may have changed. */
void sm_refresh(struct sm *s, unsigned warp);

/* --- what is uniform (scalars.c) --- */
/* Must a copy instruction come before the next one of a warp? */
bool sm_copies_first(struct sm *s, unsigned warp, const struct arm_instruction *i);
/* I: the form in which an instruction is executed; f->i is a copy instruction where one must come first. */
void sm_scalars_decode(struct sm *s, struct sm_flight *f);
/* I: its results are there. */
void sm_scalars_write(struct sm *s, struct sm_flight *f, const struct arm_execution *x, uint64_t t);
/* The load s->renaming gets its next scalar register. */
void sm_rename_next(struct sm *s);
/* A work-group begins in these warps. */
void sm_scalars_start(struct sm *s, warp_set warps, uint64_t t);
/* Starts and releases of a cycle in which nothing has issued; beside twins every cycle. */
void sm_scalars_step(struct sm *s);
/* First cycle of O, t. */
void sm_scalars_collect(struct sm *s, struct sm_flight *f, uint64_t t);
/* The reuse buffer's edge. */
void sm_scalars_step_reuse(struct sm *s);
/* Threads that a load or store accesses memory for. */
static inline uint64_t sm_accessing(const struct sm_flight *f) {
    return f->uniform.form == UNIFORM_SCALAR ? f->passed & -f->passed : f->passed;
}

/* --- faults, where there is one (sm_fault.c) --- */
/* The step of a cycle begins, whose causes are charged so far; in cycle t: when it strikes, if a cycle says
 * that. */
void sm_fault_step(struct sm *s);
uint64_t sm_fault_due(const struct sm *s, uint64_t t);
/* An instruction is about to be executed, has been executed by some threads; it is known in which form. */
void sm_fault_reads(struct sm *s, const struct sm_flight *f);
void sm_fault_writes(struct sm *s, const struct sm_flight *f, uint64_t passed);
void sm_fault_executed(struct sm *s, const struct sm_flight *f);

/* --- S, A, F, D of barrel issue (barrel.c) --- */
void sm_barrel_launch(struct sm *s);
uint64_t sm_step_barrel(struct sm *s, uint64_t t);
void sm_barrel_fetched(struct sm *s, unsigned warp, uint64_t t);
enum machine_cause sm_barrel_idle_cause(const struct sm *s, unsigned scheduler);

/* --- O (operands.c) --- */
uint64_t sm_collect(struct sm *s, uint64_t t);
/* What a flight reads in its first round, and in all if that is the same. */
void sm_begin_collection(const struct sm *s, struct sm_flight *f);
/* Registers that the flight reads in a round. */
uint64_t sm_sources(const struct sm *s, const struct sm_flight *f, unsigned round);

/* --- X, W (units.c) --- */
uint64_t sm_execute(struct sm *s, uint64_t t);
void sm_start_round(struct sm *s, struct sm_unit *u, struct sm_flight *f, uint64_t t);
/* The next cycle in which a write is due is s->writes_at then. */
void sm_write(struct sm *s, uint64_t t);
/* A flight has something to write from cycle f->w_next on. */
void sm_to_write(struct sm *s, struct sm_flight *f);
/* Another of its writes is due in cycle t. */
static inline void sm_write_by(struct sm *s, struct sm_flight *f, uint64_t t) {
    sm_earlier(&f->w_next, t);
    sm_earlier(&s->writes_at, t);
}
/* At the end of cycle t it has left the pipeline. */
void sm_end_flight(struct sm *s, struct sm_flight *f);

/* --- stores on their way to the L2 (stores.c); places: sm_ldst.h --- */
/* Threads begin in a place: none of their stores is on its way. */
void sm_stores_begin(struct sm *s, unsigned place);
/* The place of a flight's stores. */
unsigned sm_stores_place(const struct sm *s, const struct sm_flight *f);
/* The tag of a store's packet; one has been sent; the L2 has taken one, as is known in cycle t. */
uint32_t sm_stores_tag(const struct sm *s, unsigned place);
void sm_stores_sent(struct sm *s, unsigned place);
void sm_stores_taken(struct sm *s, uint32_t tag, uint64_t t);
/* Are there some that it has not taken? */
bool sm_stores_on_the_way(const struct sm *s, unsigned place);

/* --- LDST (ldst.c) --- */
void sm_ldst_init(struct sm *s, struct cluster_port *port);
void sm_ldst_free(struct sm *s);
void sm_ldst_launch(struct sm *s, const struct memory *memory);
/* Answers that were there at the end of cycle t − 1; the next that is known: sm_ldst.h. */
void sm_ldst_answers(struct sm *s, uint64_t t);
uint64_t sm_ldst_step(struct sm *s, uint64_t t);
/* Stepped: the L1D's miss registers, when all that comes to them in cycle t has come. */
void sm_step_misses(struct sm *s, uint64_t t);
/* Can the load-store unit of a flight take its first round in cycle t? */
bool sm_ldst_takes(const struct sm *s, const struct sm_flight *f, uint64_t t);
/* The addresses of a flight are there at the end of cycle t; its transactions are sent from the next on, or
 * after those of the flight before. */
void sm_ldst_take(struct sm *s, struct sm_flight *f, uint64_t t);
/* What a load-store unit sends holds it: passes of local memory, or else transactions; or nothing. */
enum machine_cause sm_ldst_held(const struct sm *s, unsigned scheduler);

/* The threads of a memory instruction by what they access. */
struct sm_spaces {
    uint64_t local, constant, private, rest;
};
struct sm_spaces sm_ldst_spaces(const struct sm *s, const struct sm_flight *f);
/* Lane groups: has the load-store unit nothing to send? Of a flight all of whose accesses were to local
 * memory the last has been served; a round of it, in which these threads were, and others wait. */
bool sm_ldst_idle(const struct sm *s);
void sm_ldst_all_local(struct sm *s, struct sm_flight *f);
void sm_ldst_count_local(struct sm *s, uint64_t threads, bool waits);

/* --- lanes (lanes.c) --- */
void sm_lanes_init(struct sm *s);
void sm_lanes_launch(struct sm *s);
/* The rounds of a unit's instructions come from a round compactor; its cycle: stepped, and beside twins. */
bool sm_unit_compacts(const struct sm *s, const struct sm_unit *u);
void sm_step_compactors(struct sm *s, uint64_t t);
void sm_lanes_free(struct sm *s);
/* A group has issued an instruction for these threads; for over_time. */
void sm_lanes_note(struct sm *s, unsigned group, uint64_t threads);
/* The rounds of a flight whose active threads are known. */
void sm_set_rounds(struct sm *s, struct sm_flight *f);
/* The bank in which register d of a flight's round is, that it reads or writes: its bit; 0: in none. */
uint64_t sm_scalarized_bank(const struct sm *s, const struct sm_flight *f, unsigned d, unsigned round,
                            bool writes);
static inline uint64_t sm_bank(const struct sm *s, const struct sm_flight *f, unsigned d, unsigned round,
                               bool writes) {
    if (f->scalarized) return sm_scalarized_bank(s, f, d, round, writes);
    return s->bank[d + f->bank + (s->lanes.by_round ? f->place[round] : 0u)];
}
/* Lane groups: cycles, in which nothing has changed, are counted for those with warps. */
void sm_lanes_count(struct sm *s, uint64_t cycles);
/* Lane groups: of the warps that nothing else stops, those whose group takes their instruction; the unit that
 * one of them goes to; the groups that wait, as the former has found, though an instruction issues. */
uint64_t sm_lanes_eligible(struct sm *s, const struct sm_scheduler *q, uint64_t ready);
struct sm_unit *sm_lanes_unit(struct sm *s, unsigned warp, enum sm_unit_kind kind);
void sm_lanes_count_issue(struct sm *s);
/* Warps whose group's instruction register is taken. */
uint64_t sm_lanes_reading(const struct sm *s);
/* X of the special function units that the groups share; in which of its cycles a round is executed. */
uint64_t sm_lanes_execute_sfu(struct sm *s, uint64_t t);
unsigned sm_lanes_sfu_cycle(const struct sm *s, const struct sm_flight *f, unsigned round);
/* The threads of a warp for which an instruction would be executed if it issued now. */
uint64_t sm_active_threads(const struct sm *s, unsigned warp, const struct arm_instruction *i);
/* Chaining: can an instruction of a warp issue though these resources are pending? A flight that is issued
 * chains on what it needs; which rounds of that have been written by the end of a cycle. */
bool sm_chains(const struct sm *s, unsigned warp, const struct arm_instruction *i, uint64_t blocked);
void sm_chain(const struct sm *s, struct sm_flight *f);
void sm_follow(const struct sm *s, struct sm_flight *f);

/* --- code that was scalarized (scalarized.c) --- */
/* What of a flight's operands is scalar, and whether it is itself; nothing where the
 * code was not scalarized. */
void sm_scalarized_decode(const struct sm *s, struct sm_flight *f);
/* --check-scalar: a launch begins; a warp starts; before and after an instruction is carried out. */
void sm_check_scalar_free(struct sm *s);
void sm_check_scalar_launch(struct sm *s);
void sm_check_scalar_start(struct sm *s, unsigned warp);
void sm_check_scalar_reads(struct sm *s, const struct sm_flight *f);
void sm_check_scalar_writes(struct sm *s, const struct sm_flight *f);

/* --- memory instructions of lane groups (assemble.c) --- */
/* The addresses of a flight begin to arrive. */
void sm_assemble_begin(struct sm *s, struct sm_flight *f);
uint64_t sm_assemble(struct sm *s, uint64_t t);
/* The last of a flight's transactions has been sent: its lane group may deliver the next one's addresses. */
void sm_assembly_sent(struct sm *s, const struct sm_flight *f);

/* --- where warps are placed (placement.c) --- */
/* Where the next work-group's warps would be, and which lane group's turn it is then. */
struct sm_placement {
    uint8_t warp[SM_MAX_WARPS];
    unsigned turn;
};
/* False: it has no room. */
bool sm_place(const struct sm *s, struct sm_placement *p);
/* Registers that the n-th warp of a work-group takes. */
uint32_t sm_words(const struct sm *s, unsigned n);
/* A warp's slot and registers are free. */
void sm_free_warp(struct sm *s, unsigned warp);
/* Work-groups of the launch that are in flight at most; none is yet. */
uint32_t sm_groups_that_fit(struct sm *s);

/* --- ends of cycles (effects.c) --- */
/* Threads of a warp end; the warp does. */
void sm_exit_threads(struct sm *s, unsigned warp, uint64_t threads);
void sm_end_warp(struct sm *s, unsigned warp);
/* Do any of its threads live? Do all that do wait at a barrier? Of engines without stacks. */
void sm_update_warp(struct sm *s, unsigned warp);
/* The flight whose turn it is to arrive at a barrier or to exit; SM_NO_FLIGHT: none. It has had its turn. */
uint16_t sm_next_leaver(const struct sm *s);
void sm_leave(struct sm *s, struct sm_flight *f);
/* Plain: does something take effect in this cycle? */
static inline bool sm_ends_something(const struct sm *s) {
    return (s->partings | s->leavers | s->finishes) || (s->given_back | s->changed | s->starting) ||
           barrier_table_active(&s->barriers);
}
/* Branches, barriers and exits whose last round was in cycle t, and releases. */
uint64_t sm_take_effect(struct sm *s, uint64_t t);
/* A work-group leaves, whose last thread has exited and whose warps are free. */
void sm_end_group(struct sm *s, unsigned group);

/* Each thread that lives is in exactly one place of its engine's, or the process ends (places.c). */
void sm_check_places(const struct sm *s);

/* --- identity registers (identity.c): false: the operation does not exist here --- */
bool sm_read_identity(struct sm *s, unsigned warp, const struct arm_instruction *i, uint64_t mask,
                      uint64_t t);
/* What the threads of a warp read in a lane group; NULL: the scalar thread of the work-group. */
struct identity sm_identity(const struct sm *s, const struct sm_group *g, const struct sm_warp *w,
                            unsigned lane_group);

/* --- causes (causes.c) --- */
/* The cause of a scheduler's cycle in which an instruction issues. */
enum machine_cause sm_issue_cause(enum sm_unit_kind kind);
/* The cause of one in which none issues, as the scheduler stands now. *pc: where the instruction is that is
 * stopped, 0: there is none; pc may be NULL. */
enum machine_cause sm_idle_cause(const struct sm *s, unsigned scheduler, uint32_t *pc);
/* Cycles of a scheduler have a cause, for the instruction at pc (0: none). */
void sm_count_cycles(struct sm *s, enum machine_cause cause, uint32_t pc, uint64_t cycles);
/* The cycles before t that have no cause get it: nothing has happened in them. */
void sm_charge(struct sm *s, uint64_t t);

/* The resident warps of all cycles that have a cause are in the histogram: before there are others. */
void sm_count_residents(struct sm *s);
static inline unsigned sm_resident_warps(const struct sm *s) {
    unsigned warps = 0;
    for (unsigned n = 0; n < s->schedulers; ++n)
        warps += (unsigned)__builtin_popcountll(s->scheduler[n].live);
    return warps;
}

/* --- diagnoses (sm_report.c): they fill the launch's error --- */
/* What is wrong with lockstep_sync(1) where there is no scalar thread: of a kernel. */
#define SM_SYNC_ALONE                                                                                        \
    "executes lockstep_sync(1), a barrier with a scalar thread, but the kernel has none: no kernel of its "  \
    "program is LOCKSTEP_SCALAR_OF(%s)"
void sm_diagnose(struct sm *s, unsigned warp, unsigned position, uint32_t pc, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* A barrier opens although threads of its work-group have ended. */
void sm_note_short_barrier(struct sm *s, unsigned warp);
/* The Verilog of a block has refused for so many cycles what it was asked for. */
struct sm_refusal {
    const char *block, *refused, *although;
};
void sm_diagnose_refusal(struct sm *s, const struct sm_refusal *r, uint64_t cycles, uint64_t t);
/* Verilog of another policy may let cycles pass, but not for ever: *count cycles so far, of which this is one
 * if it refused. */
void sm_watch_for_livelock(struct sm *s, uint64_t *count, bool refused, const struct sm_refusal *r,
                           uint64_t t);
void sm_diagnose_fault(struct sm *s, unsigned warp, uint32_t pc, const struct arm_instruction *i,
                       const struct arm_execution *x);

#endif
