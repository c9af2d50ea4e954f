/*
 * sm: a cluster of a GPU-like machine (contexts: vrf), a streaming multiprocessor, cycle by cycle
 * (gpu-like.md): work-groups start without cores, their registers are in a banked vector register file, and a
 * scoreboard lets several instructions of a warp be in flight.
 *
 * An instruction goes through the stages
 *
 *   F fetch     two instructions of a warp whose buffer is empty (fetch.c)
 *   D decode    in the next cycle; they may issue in the one after
 *   I issue     the scheduler's warp issues; registers, flags and memory change now, in issue order (issue.c)
 *   O operands  the collector reads one register of a bank a cycle, round by round (operands.c)
 *   X execute   a round starts in its unit: SPs, SFU or LDST (units.c)
 *   W write     one register of a bank a cycle; the scoreboard releases it after the last round (units.c)
 *
 * (with simt.issue: barrel through S, A, F, D in front of O: barrel.c) and through LDST (ldst.c), whose
 * transactions ask the caches and the memory behind the crossbar (model/memory/). Memory only says when: data
 * are read and written at I.
 *
 * Inside a cycle W comes first, since its banks and what it releases are seen at once; I and F see the state
 * at the end of the cycle before; X sees the operands that were there then; O follows. Branches, barriers and
 * exits take effect at the end of the cycle of their last round (effects.c). What is uniform
 * (uniform.storage) is read and written at I as well (scalars.c). Which threads run together is said in the
 * slot simt.divergence (sm_divergence.h).
 *
 * sm_step(t) does everything that happens in cycle t and returns the next cycle in which something can
 * happen: those between change nothing and have the same causes.
 */
#ifndef MODEL_SM_SM_H
#define MODEL_SM_SM_H

#include "model/control/round_compactor.h"
#include "model/control/barrier_table.h"
#include "model/control/block_twins.h"
#include "model/sm/beside.h"
#include "model/config/limits.h"
#include "model/control/scoreboard.h"
#include "model/control/warp_scheduler.h"
#include "model/core/launch.h"
#include "model/divergence/re_convergence_stack.h"
#include "model/memory/cluster_port.h"
#include "model/memory/store_log.h"
#include "model/sm/sm_flight.h"
#include "model/sm/sm_lanes.h"
#include "model/sm/sm_shared.h"
#include "model/uniform/fault.h"
#include "model/uniform/redundancy.h"
#include "sim/counter.h"
#include "sim/error.h"
#include "sim/histogram.h"
#include "sim/trace.h"

#define SM_MAX_UNITS (3 * SM_MAX_LANE_GROUPS)             /* SP groups and two more are fewer */
#define SM_BANKS     (ARM_REGISTERS + 64 + SM_MAX_ROUNDS) /* a register, a warp's first bank, a round */
#define SM_NEVER     UINT64_MAX
#define SM_BUFFER    2 /* instructions of a warp */

/* --- state --- */

enum sm_unit_kind { SM_SP, SM_SFU, SM_LDST, SM_SCALAR, SM_UNIT_KINDS };

/* What is asked of the first instruction in a warp's buffer: looked up once. */
struct sm_next {
    struct arm_instruction *i; /* NULL: it is outside the code */
    uint32_t pc;
    bool known;
    uint8_t kind;                                                       /* enum sm_unit_kind */
    enum { SM_DRAINS_NOTHING, SM_DRAINS_MEMORY, SM_DRAINS_ALL } drains; /* what has to leave before */
    uint64_t needs;  /* resources that nothing in flight may be about to write, */
    uint64_t writes; /* nor to read */
};

/* Where the threads of a warp are, and what stops its next instruction. */
struct sm_warp {
    uint64_t live;     /* threads that have not exited */
    uint64_t waiting;  /* of these, at a barrier */
    uint64_t bit;      /* of the scheduler that it belongs to */
    uint8_t scheduler; /* which that is */
    uint8_t group;     /* slot of its work-group */
    uint8_t bank;      /* of its register 0, in round 0 */

    uint8_t buffered;   /* instructions in the buffer */
    uint32_t buffer_pc; /* of the first of them */
    uint64_t buffer_at; /* first cycle in which they may issue */
    struct sm_next next;

    uint64_t pending[SM_UNIT_KINDS]; /* resources that instructions of each kind in flight will write */
    uint64_t unread;                 /* registers that they have still to read */
    uint16_t in_flight;              /* instructions */
    uint16_t loads, stores;          /* of these, of memory */
    struct arm_threads threads;
    uint32_t *local_id[3]; /* rows */
    uint32_t barrier_pc;
    uint32_t words; /* of the register file that it has */
    uint16_t
        producer[ARM_REGISTERS]; /* chaining: of each register that is pending, the flight that writes it */
};

/* A scheduler and its warps, at most 64: warp w of the cluster is bit w / schedulers of scheduler w mod
 * schedulers. */
struct sm_scheduler {
    struct warp_scheduler policy;
    uint64_t issue_cycle; /* for waves: the last in which it issued, and what */
    uint32_t issue_pc;
    uint16_t issue_warp;
    enum machine_cause cause;        /* of the cycle stepped last */
    bool moves;                      /* it has picked a warp, or will do something else in the next cycle */
    uint64_t live;                   /* warps with threads that have not exited */
    uint64_t decoded;                /* their next instruction is in the buffer, */
    uint64_t decoding;               /* or will be at buffer_at, */
    uint64_t decode_at;              /* of none before this cycle */
    uint64_t clear;                  /* the scoreboard lets it issue */
    uint64_t barrier;                /* all their threads wait at a barrier */
    uint64_t unresolved;             /* a branch, barrier or exit is in flight */
    uint64_t loading;                /* a load is */
    uint64_t by_unit[SM_UNIT_KINDS]; /* of those decoded: what the next instruction is executed by */
    struct scoreboard board;         /* stepped, with scoreboard issue */
};

struct sm_unit {
    enum sm_unit_kind kind;
    unsigned lanes;
    uint8_t group;                              /* lane group whose instructions it takes */
    uint16_t collector[MACHINE_MAX_COLLECTORS]; /* flights that hold one, in the order of their issue */
    unsigned collectors, collected;             /* how many there are; how many are held */
    unsigned taken; /* as the schedulers see it: those given back in this cycle are taken until its end */
    uint64_t round_cycle; /* for waves: the last in which a round started, and which */
    uint32_t round_pc;
    uint16_t round_warp, round, round_form;
    uint64_t round_taken;              /* bit per round that the instruction takes */
    uint64_t round_threads;            /* positions that take part in it */
    int current;                       /* the flight whose rounds have begun; -1: none */
    uint64_t next;                     /* first cycle in which a round may start */
    struct round_compactor compactor;  /* stepped, if rounds are skipped */
    const struct cluster_twins *twins; /* beside it; NULL: nothing */
    uint64_t watched;                  /* cycles in which something was */
};

/* Barrel issue: a warp on its way to a collector, and the registers of the stages it goes through. */
enum sm_stage { SM_A, SM_F, SM_D, SM_STAGES };
#define SM_ITEMS   32 /* a power of two, more than the stages and the queue hold */
#define SM_NO_ITEM SM_ITEMS
struct sm_selected {
    uint16_t warp;
    bool asked;        /* the L1I has taken the fetch */
    uint32_t pc;       /* from A on, as what follows */
    uint64_t selected; /* cycle of S */
    uint64_t there;    /* the instruction is there at its end; SM_NEVER: not known yet */
    uint64_t participating;
    struct sm_threads threads;
};
struct sm_front {
    struct sm_selected item[SM_ITEMS]; /* a ring, in which they stay: they leave in the order of S */
    uint8_t selected;                  /* where the next one comes */
    uint8_t stage[SM_STAGES];          /* what each holds; SM_NO_ITEM: nothing */
    uint8_t queue, queued;             /* the dispatch queue's oldest, and how many it has */
    uint64_t
        busy; /* warps of the scheduler that are somewhere between S and C, where warps stay themselves */
};

/* A work-group in flight. */
struct sm_group {
    bool used;
    uint64_t number;
    uint32_t id[3];
    uint32_t live; /* threads that have not exited */
    warp_set warps;
    struct memory memory; /* what its threads see: all, and a local memory of their own */
    int local;            /* its region in it; -1: none */
    uint8_t *local_memory;
};

struct sm_divergence;

struct sm {
    unsigned index;
    const struct machine_config *config;
    struct sm_shared *shared;
    struct store_log stores, *log; /* of the step at hand; NULL: the launch has atomic operations, and none */
    const struct sm_divergence *divergence;
    void *engine; /* its state */
    unsigned warp_size, warps, schedulers, units, groups, banks;
    unsigned positions;    /* of a flight */
    uint64_t whole;        /* all of them */
    unsigned whole_rounds; /* of the SPs, for all of them */
    bool rows_whole;       /* so many threads, a row, lie in one warp of the register file */
    unsigned rounds[SM_UNIT_KINDS], width[SM_UNIT_KINDS]; /* of a full flight; positions of one */
    uint64_t now;                                         /* the cycle stepped last */
    bool checks; /* after each cycle: every thread is in exactly one place */

    struct sm_scheduler scheduler[SM_MAX_SCHEDULERS];
    struct sm_warp warp[SM_MAX_WARPS];
    struct sm_front front[SM_MAX_SCHEDULERS]; /* barrel issue */
    struct sm_unit unit[SM_MAX_UNITS];
    unsigned first_unit[SM_UNIT_KINDS + 1]; /* of each kind: up to the first of the next */
    struct sm_group *group;
    struct re_convergence_stack stack;
    struct barrier_table barriers;
    bool barrel;
    uint64_t bank[SM_BANKS]; /* bit of bank n mod vrf.banks; 0 where there are none */
    struct sm_lanes lanes;
    /* Warps and registers are shared out to schedulers that have lanes of their own, or to lane groups, or
     * are one share. */
    unsigned shares;
    warp_set of_share[SM_MAX_LANE_GROUPS];       /* warps of each share, */
    uint32_t registers_left[SM_MAX_LANE_GROUPS]; /* and its free registers */
    uint32_t local_left;
    unsigned groups_used;
    warp_set free_warps;
    bool crowded;   /* it has been found to have no room for a work-group, and nothing has been freed since */
    uint32_t *rows; /* registers, flags, PCs and ids of all warps */

    /* F, D */
    unsigned fetch_turn;   /* the warp that fetched last */
    warp_set wants_fetch;  /* warps whose buffer is empty and whose PC is known */
    unsigned fetches_left; /* that the cluster can still make in this cycle */
    warp_set starting;     /* warps that began in this cycle */

    /* flights */
    struct sm_flight *flight;
    unsigned flight_room, flights; /* allocated; in flight */
    uint16_t flight_free;          /* first of those that are free; SM_NO_FLIGHT: none is */
    uint64_t issued;               /* instructions so far: their ages */
    uint16_t collecting[SM_MAX_UNITS * MACHINE_MAX_COLLECTORS]; /* in O, in the order of their issue */
    unsigned collecting_count;
    uint16_t *writing; /* with something to write, in the order of their issue */
    unsigned writing_count;
    uint64_t writes_at; /* nothing of these is due before this cycle */
    /* In this cycle, by W and older instructions, in each lane group. */
    uint64_t banks_taken[SM_MAX_LANE_GROUPS];
    warp_set changed;   /* warps whose next instruction may be stopped by something else after this cycle */
    uint16_t *finished; /* flights that leave the pipeline at the end of the cycle, */
    unsigned finishes;
    uint16_t parting[SM_MAX_WARPS]; /* and branches that are resolved then */
    unsigned partings;
    uint64_t given_back;            /* units of which a collector is given back then */
    uint64_t room[SM_UNIT_KINDS];   /* of kinds of which a unit has a free collector for the schedulers ~0 */
    uint64_t used;                  /* units with instructions in their collectors */
    uint16_t leaving[SM_MAX_WARPS]; /* barriers and exits that wait for their turn, the oldest first */
    unsigned leavers;

    struct uniform uniform;        /* tokens or scalar registers, reuse buffer: scalars.c */
    uint64_t scalars_at;           /* the last cycle in which tokens or map had their edge */
    uint16_t renaming;             /* a multiple load whose registers still get scalar ones; nothing issues */
    bool srf_taken;                /* the one write port of these, in this cycle */
    bool check_uniform;            /* what has its token must be uniform */
    struct redundancy *redundancy; /* NULL: not counted */
    struct sm_idle *idle;          /* idle.h; likewise */
    struct fault *fault;           /* NULL: none; set before a launch */

    struct sm_ldst *ldst;        /* caches, local memory and what waits for them */
    struct scalar_units *scalar; /* scalar_units.h; NULL: there are none */

    /* Of the launch: with scoreboard issue, lanes in one group, and nothing of what few machines have: what
     * the stages then need not look at is left out. */
    bool plain;
    bool always_ends; /* likewise: something may take effect at the end of any cycle */
    bool shown;       /* in waves: each round starts in its own cycle */
    /* Every cycle is stepped, and the blocks take the decisions: --exact-steps, and beside twins. */
    bool stepped;
    const struct cluster_twins
        *twins[SM_MAX_SCHEDULERS]; /* of a scheduler and its load-store unit; NULL: none */
    struct sm_beside beside[SM_MAX_SCHEDULERS][CLUSTER_BLOCK_COUNT];
    uint64_t watched[SM_MAX_SCHEDULERS]; /* cycles with work-groups beside them */
    uint64_t picks[SM_MAX_SCHEDULERS];   /* of these, those in which the scheduler may pick */
    uint64_t refused[SM_MAX_SCHEDULERS]; /* the latest of these, in which it granted none that could issue */

    /* the launch */
    const struct machine_launch *launch;
    struct error *error;
    uint32_t group_registers, group_warps, group_threads; /* registers: of a thread */
    uint32_t group_words;                                 /* of the register file */
    const struct machine_scalarized *scalarized;          /* of the code; NULL: nothing */
    uint32_t group_scalars;                               /* of a warp */
    uint32_t scalars_left;                                /* in the scalar register file */
    struct sm_scalars *scalars;                           /* --check-scalar; NULL: it is not asked for */
    uint32_t groups_that_fit;
    uint32_t stack_size;
    unsigned stack_warps; /* the first warps, which have stacks */
    uint64_t
        ended; /* latest cycle in which a work-group left, or the L2 was known to have taken every store */
    uint64_t groups_done;
    char short_barrier[MACHINE_SHORT_BARRIER_BYTES];
    struct spin_watch *spin; /* NULL: nobody looks whether warps go round for ever */
    struct machine_profile *profile;
    uint32_t exit_pc;    /* PC of the exit carried out last by regrouped threads: their rows have none then */
    int64_t *executions; /* of each instruction, for a thread whose PC matched; NULL: not counted */

    /* counters */
    uint64_t cause[MACHINE_CAUSE_COUNT];
    uint64_t charged; /* first cycle that has no cause yet */
    uint64_t counted; /* first cycle whose resident warps are not in the histogram yet */
    uint64_t active_rounds, lane_slots, scheduler_cycles;
    uint64_t warp_instructions, thread_instructions, condition_failed, memory_instructions, work_items;
    uint64_t class_instructions[ARM_CLASS_COUNT];
    uint64_t vrf_reads, vrf_writes, vrf_conflict_cycles;
    uint64_t spills; /* loads and stores of private memory */
    struct histogram active_threads, resident_warps, memory_latency;
    struct histogram issue_threads; /* scoreboard issue: in each cycle of each scheduler; 0: it is idle */
};

/* --- life --- */

/* `port`: where its caches meet the crossbar. */
void sm_init(struct sm *s, unsigned index, const struct machine_config *c, struct sm_shared *shared,
             struct cluster_port *port);
void sm_free(struct sm *s);
void sm_register_counters(struct sm *s, struct counter_registry *r);
/* Counts redundant operations from now on, in a scope of their own. */
void sm_count_redundancy(struct sm *s, struct counter_registry *r);

/* Holds what was scalarized to what the threads compute (--check-scalar): a panic if they differ. */
void sm_set_check_scalar(struct sm *s, bool check);

/* --- launches --- */

/* Begins a launch in cycle t: nothing is in flight. The kernel must fit (machine_max_work_group()). */
void sm_launch(struct sm *s, const struct machine_launch *l, const struct memory *memory, uint32_t stack_size,
               uint64_t t, struct error *e);

/* Is there room for a work-group of the launch in the cycle to step next? */
bool sm_has_room(struct sm *s);
/* Takes one in that cycle, t, before its step: the threads are Ready in the next. */
void sm_take_group(struct sm *s, const struct work_group *taken, uint64_t t);

/* Cycle t; returns the next one with something to do, SM_NEVER if there is none until a work-group is taken
 * or memory answers. Fills the launch's error and returns SM_NEVER if it fails. */
uint64_t sm_step(struct sm *s, uint64_t t);

/* Has it no work-group, and has the L2 taken all its stores? */
bool sm_has_ended(const struct sm *s);
/* The cycle in which it takes the next answer of memory that is known; SM_NEVER: none is. */
uint64_t sm_next_answer(const struct sm *s);
/* Cycles so far in which it had work-groups: those in which a fault may strike. */
uint64_t sm_group_cycles(const struct sm *s);
/* Between launches: does a cache wait for a line, or is a store on its way? */
bool sm_waits(const struct sm *s);
/* Takes what is known of it by cycle t. */
void sm_drop_answers(struct sm *s, uint64_t t);

/* The launch has ended before cycle t: all cycles before it have a cause. */
void sm_settle(struct sm *s, uint64_t t);

/* --- diagnoses and waves --- */

/* Nothing can happen any more, but threads live: says who waits for whom. */
void sm_diagnose_deadlock(struct sm *s, uint64_t t);
/* What every warp is doing: several lines, for diagnoses. */
void sm_report(const struct sm *s, uint64_t t, char *out, size_t size);

/* Waves: what each scheduler issues, or why it does not; rounds in the units; transactions; each warp's
 * state, PC, threads and stack. Declares the SM's variables in a scope of its own. */
struct sm_trace;
struct sm_trace *sm_trace_create(const struct sm *s, struct trace *t);
void sm_trace_free(struct sm_trace *v);
/* What cycle t shows: what the stages do from its edge on (time `at`); then what the SM holds in cycle t,
 * from its edge on. Where the value depends on the cycle, too, t is the cycle, whichever cycle was stepped
 * last. */
void sm_trace_stages(struct sm_trace *v, uint64_t t, sim_time at);
void sm_trace_registers(struct sm_trace *v, uint64_t t, sim_time at);

/* --- do its warps go round for ever (model/core/spin_watch.h)? --- */

/* Of this machine that can be told. */
bool sm_can_watch_spin(const struct sm *s);
void sm_watch_spin(struct sm *s, bool strict);
void sm_end_watch(struct sm *s);
/* While it is watched: a warp does not. */
bool sm_spin_failed(const struct sm *s);
/* All warps that can run do; *any is set if one can. If none can, stores may still be on their way. */
bool sm_goes_round(const struct sm *s, bool *any);

#endif
