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
 * transactions go to the caches and the memory behind the crossbar (model/memory/). These model time only:
 * data are read and written at I.
 *
 * Within a cycle W comes first, since its banks and releases are visible at once. I and F see the state at
 * the end of the cycle before; X sees the operands that were present then; O follows. Branches, barriers and
 * exits take effect at the end of the cycle of their last round (cycle_end.c). Uniform values
 * (uniform.storage) are also read and written at I (scalars.c). The slot simt.divergence decides which
 * threads run together (sm_divergence.h).
 *
 * sm_step(t) does all events of cycle t and returns the next cycle with a possible event: the cycles in
 * between change nothing and have the same causes.
 */
#ifndef MODEL_SM_SM_H
#define MODEL_SM_SM_H

#include "model/control/round_compactor.h"
#include "model/control/block_twins.h"
#include "model/sm/clocked_blocks.h"
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
#include "model/simt/simt.h"
#include "sim/trace.h"

#define SM_MAX_UNITS (3 * SM_MAX_LANE_GROUPS + SCALAR_MAX_UNITS) /* those of lane groups, and beside them */
#define SM_BANKS     (ARM_REGISTERS + 64 + SM_MAX_ROUNDS) /* sums of a register, a first bank and a round */
#define SM_NEVER     UINT64_MAX
#define SM_BUFFER    2 /* instructions in a warp's buffer */

/* --- state --- */

enum sm_unit_kind { SM_SP, SM_SFU, SM_LDST, SM_SCALAR, SM_UNIT_KINDS };

/* Properties of the first instruction in a warp's buffer, computed once. */
struct sm_next {
    struct arm_instruction *i; /* NULL: outside the code */
    uint32_t pc;
    bool known;
    uint8_t kind;                                                       /* enum sm_unit_kind */
    enum { SM_DRAINS_NOTHING, SM_DRAINS_MEMORY, SM_DRAINS_ALL } drains; /* flights that must end before */
    uint64_t needs;  /* resources that no instruction in flight may be about to write */
    uint64_t writes; /* registers that no instruction in flight may be about to read */
};

/* The state of a warp's threads, and the hazards of its next instruction. */
struct sm_warp {
    _Alignas(64) uint64_t live; /* threads that have not exited */
    uint64_t waiting;           /* live threads at a barrier */
    uint64_t bit;               /* bit in its scheduler's masks */
    uint8_t scheduler;          /* number of its scheduler */
    uint8_t group;              /* slot of its work-group */
    uint8_t bank;               /* bank of register 0 in round 0 */

    uint8_t buffered;   /* instructions in the buffer */
    uint32_t buffer_pc; /* PC of the first buffered instruction */
    uint64_t buffer_at; /* first cycle in which buffered instructions may issue */
    struct sm_next next;

    uint64_t pending[SM_UNIT_KINDS]; /* resources that instructions of each kind in flight will write */
    uint64_t unread;                 /* registers that they have still to read */
    uint16_t in_flight;              /* instructions in flight */
    uint16_t loads, stores;          /* loads and stores among in_flight */
    struct arm_threads threads;
    uint32_t *local_id[3]; /* rows */
    uint32_t barrier_pc;
    uint32_t words;                   /* words of the register file */
    uint16_t producer[ARM_REGISTERS]; /* chaining: for each pending register, the flight that writes it */
};

/* A scheduler and its warps, at most 64: warp w of the cluster is bit w / schedulers of scheduler w mod
 * schedulers. */
struct sm_scheduler {
    struct warp_scheduler policy;
    uint64_t issue_cycle; /* for waves: last cycle with an issue, and the instruction */
    uint32_t issue_pc;
    uint16_t issue_warp;
    enum machine_cause cause;        /* cause of the last cycle */
    bool moves;                      /* a warp was picked, or the next cycle will differ */
    uint64_t live;                   /* warps with threads that have not exited */
    uint64_t decoded;                /* warps whose next instruction is in the buffer */
    uint64_t decoding;               /* warps whose next instruction will be there at buffer_at */
    uint64_t decode_at;              /* lower bound of these cycles */
    uint64_t clear;                  /* warps without a hazard in the scoreboard */
    uint64_t barrier;                /* warps whose threads all wait at a barrier */
    uint64_t unresolved;             /* warps with a branch, barrier or exit in flight */
    uint64_t loading;                /* warps with a load in flight */
    uint64_t by_unit[SM_UNIT_KINDS]; /* decoded warps by the unit of their next instruction */
    struct scoreboard board;         /* evaluated every cycle with scoreboard issue if `stepped` */
};

struct sm_unit {
    enum sm_unit_kind kind;
    unsigned lanes;
    uint8_t group;                              /* lane group whose instructions it executes */
    uint16_t collector[MACHINE_MAX_COLLECTORS]; /* flights with a collector, in order of issue */
    unsigned collectors, collected;             /* number of collectors; number of used ones */
    unsigned taken; /* used collectors for the schedulers: a freed one counts until the end of the cycle */
    uint64_t round_cycle; /* for waves: last cycle in which a round started, and the round */
    uint32_t round_pc;
    uint16_t round_warp, round, round_form;
    uint64_t round_taken;              /* bit for each round that the instruction takes */
    uint64_t round_threads;            /* positions with threads in the round */
    int current;                       /* flight whose rounds have begun; −1: none */
    uint64_t next;                     /* first cycle in which a round may start */
    struct round_compactor compactor;  /* evaluated every cycle if rounds are skipped and `stepped` */
    const struct cluster_twins *twins; /* twins; NULL: none */
    uint64_t watched;                  /* cycles compared with the twins */
};

/* A warp instruction before it executes. Its PC and threads are valid from A on. */
struct unit_flight;
struct sm_selected {
    _Alignas(64) struct unit_flight *flight;
    bool split, more; /* the threads of its next flight are known; more flights follow that one */
    struct sm_threads threads;
};
/* Barrel issue: the stages S, A, F, D and the dispatch queue of a scheduler, and what an SM adds to each of
 * their flights. */
struct unit;
struct sm_front {
    struct unit *unit;
    struct sm_selected *selected;
    uint64_t busy; /* warps between S and C, for engines with fixed warps */
    bool fetching; /* the L1I has still to answer for the flight in F */
};

/* A work-group in flight. */
struct sm_group {
    bool used;
    uint64_t number;
    uint32_t id[3];
    uint32_t live; /* threads that have not exited */
    warp_set warps;
    struct memory memory; /* memory of its threads: all, and a local memory of its own */
    int local;            /* region of the local memory; −1: none */
    uint8_t *local_memory;
};

struct sm_divergence;
struct divergence_slot;

struct sm {
    union {
        struct simt simt;
        struct {
            SIMT_MEMBERS
        };
    };
    struct sm_shared *shared;
    struct store_log stores, *log; /* log of the step; NULL: none, since the launch has atomic operations */
    const struct sm_divergence *divergence;
    const struct divergence_slot *formed; /* engine of each scheduler's unit (formed.c), or NULL */
    void *engine;                         /* state of another engine */
    uint16_t granted; /* flight that may arrive at a barrier or exit (formed.c); SM_NO_FLIGHT: none */
    unsigned warp_size, schedulers, units, groups, banks;
    uint64_t whole;        /* mask of all positions */
    unsigned row_lanes;    /* lanes of a counted round: of the cluster; with barrel issue, of a scheduler */
    unsigned whole_rounds; /* rounds of the SPs for all positions */
    bool rows_whole;       /* a row of threads is in one warp of the register file */
    bool regroups;         /* warps of the engine have threads of several warps of the register file */
    unsigned rounds[SM_UNIT_KINDS], width[SM_UNIT_KINDS]; /* rounds of a full flight; positions of a round */
    bool checks_places; /* checks after each cycle that every thread is in exactly one place */

    struct sm_scheduler scheduler[SM_MAX_SCHEDULERS];
    struct sm_warp warp[SM_MAX_WARPS];
    struct sm_front front[SM_MAX_SCHEDULERS]; /* barrel issue only */
    struct sm_unit unit[SM_MAX_UNITS];
    unsigned first_unit[SM_UNIT_KINDS + 1]; /* first unit of each kind, up to that of the next */
    struct sm_group *group;
    struct re_convergence_stack stack;
    bool barrel;
    uint64_t bank[SM_BANKS]; /* bit of bank n mod vrf.banks; 0 without banks */
    struct sm_lanes lanes;
    /* Warps and registers are divided into shares: one for each scheduler with its own lanes, or lane group;
     * else one share. */
    unsigned shares;
    warp_set of_share[SM_MAX_LANE_GROUPS];       /* warps of each share */
    uint32_t registers_left[SM_MAX_LANE_GROUPS]; /* free registers of each share */
    uint32_t local_left;
    unsigned groups_used;
    warp_set free_warps;
    bool crowded;   /* no room for a work-group was found, and nothing has been freed since */
    uint32_t *rows; /* registers, flags, PCs and ids of all warps */

    /* F, D */
    unsigned fetch_turn;   /* warp of the last fetch */
    warp_set wants_fetch;  /* warps with an empty buffer and a known PC */
    unsigned fetches_left; /* fetches left for the cluster in this cycle */
    warp_set starting;     /* warps that began in this cycle */

    /* flights */
    struct sm_flight *flight;
    unsigned flight_room, flights;                              /* allocated; in flight */
    uint16_t flight_free;                                       /* first free flight; SM_NO_FLIGHT: none */
    uint64_t issued;                                            /* instructions issued so far: their ages */
    uint16_t collecting[SM_MAX_UNITS * MACHINE_MAX_COLLECTORS]; /* flights in O, in order of issue */
    unsigned collecting_count;
    uint16_t *writing; /* flights with results to write, in order of issue */
    unsigned writing_count;
    uint64_t writes_at; /* lower bound of the cycles of these writes */
    /* Banks taken in this cycle by W and older instructions, for each lane group. */
    uint64_t banks_taken[SM_MAX_LANE_GROUPS];
    uint64_t lane_banks_taken[MACHINE_MAX_LANES]; /* the same for each lane, if its rows differ (by_lane) */
    warp_set changed;                             /* warps whose hazards may be different after this cycle */
    uint16_t *finished; /* flights that leave the pipeline at the end of the cycle */
    unsigned finishes;
    uint16_t parting[SM_MAX_WARPS]; /* branches that are resolved at the end of the cycle */
    unsigned partings;
    uint64_t given_back;            /* units with a collector that is freed at the end of the cycle */
    uint64_t room[SM_UNIT_KINDS];   /* for each kind: ~0 if a unit has a free collector for the schedulers */
    uint64_t used;                  /* units with instructions in their collectors */
    uint16_t leaving[SM_MAX_WARPS]; /* barriers and exits that wait for their turn, the oldest first */
    unsigned leavers;

    uint64_t scalars_at;  /* last cycle in which tokens or map had their edge */
    unsigned copies;      /* copy instructions in flight that regrouped threads wait for */
    warp_set copying;     /* barrel: other warps with a copy instruction in flight */
    warp_set releasing;   /* warps without threads whose scalar registers are still to be released */
    uint16_t renaming;    /* multiple load whose registers still get scalar ones; no instruction issues */
    bool srf_taken;       /* the write port of the scalar registers is taken in this cycle */
    struct sm_idle *idle; /* see idle.h; NULL: not counted */

    struct sm_ldst *ldst;        /* caches, local memory and their queues */
    struct scalar_units *scalar; /* see scalar_units.h; NULL: none */

    /* Property of the launch: scoreboard issue, lanes in one group, and no rare features: the stages skip
     * checks for these. */
    bool plain;
    bool always_ends; /* property of the launch: any cycle may have effects at its end */
    bool shown;       /* shown in waves: each round starts in its own cycle */
    /* Every cycle is stepped, and the blocks decide: with --exact-steps, and with twins. */
    bool stepped;
    const struct cluster_twins
        *twins[SM_MAX_SCHEDULERS]; /* twins of a scheduler and its load-store unit; NULL: none */
    struct sm_clocked_block clocked[SM_MAX_SCHEDULERS][CLUSTER_BLOCK_COUNT];
    uint64_t watched[SM_MAX_SCHEDULERS]; /* cycles with work-groups that were compared */
    uint64_t picks[SM_MAX_SCHEDULERS];   /* compared cycles in which the scheduler may pick */
    uint64_t refused[SM_MAX_SCHEDULERS]; /* latest of these in which it granted no ready warp */

    /* launch */
    uint32_t group_registers, group_warps, group_threads; /* registers: for each thread */
    uint32_t group_words;                                 /* words of the register file */
    const struct machine_scalarized *scalarized;          /* scalarized instructions of the code;
                                                           * NULL: none */
    uint32_t group_scalars;                               /* scalar registers of a warp */
    uint32_t scalars_left;                                /* free words of the scalar register file */
    struct sm_scalars *scalars;                           /* --check-scalar; NULL: not requested */
    uint32_t groups_that_fit;
    uint32_t stack_size;
    unsigned stack_warps; /* number of the first warps, which have stacks */
    uint64_t
        ended; /* latest cycle in which a work-group ended, or the L2 was known to have taken every store */
    uint32_t exit_pc; /* PC of the last exit of regrouped threads, whose rows have no PC then */

    /* counters */
    uint64_t charged; /* first cycle without a cause */
    uint64_t counted; /* first cycle whose resident warps are not in the histogram */
    uint64_t active_rounds, lane_slots, scheduler_cycles;
    uint64_t class_instructions[ARM_CLASS_COUNT];
    uint64_t vrf_reads, vrf_writes, vrf_conflict_cycles;
    uint64_t spills; /* loads and stores of private memory */
    struct histogram resident_warps;
    struct histogram issue_threads; /* scoreboard issue: threads in each cycle of each scheduler; 0: idle */
};

/* --- life --- */

/* `port`: between the SM's caches and the crossbar. */
void sm_init(struct sm *s, unsigned index, const struct machine_config *c, struct sm_shared *shared,
             struct cluster_port *port);
void sm_free(struct sm *s);
/* Gives the warp of the register file, and the position there, of a thread in a position of a flight. */
void sm_flight_thread(const struct sm *s, const struct sm_flight *f, unsigned position, unsigned *warp,
                      unsigned *at);
void sm_register_counters(struct sm *s, struct counter_registry *r);

/* Compares scalarized values with those of the threads (--check-scalar); panics if they differ. */
void sm_set_check_scalar(struct sm *s, bool check);

/* --- launches --- */

/* Begins a launch in cycle t, with nothing in flight. The kernel must fit (machine_max_work_group()). */
void sm_launch(struct sm *s, const struct machine_launch *l, const struct memory *memory, uint32_t stack_size,
               uint64_t t, struct error *e);

/* Returns whether there is room for a work-group of the launch in the next cycle. */
bool sm_has_room(struct sm *s);
/* Takes a work-group in that cycle, t, before its step: the threads are Ready in the next cycle. */
void sm_take_group(struct sm *s, const struct work_group *taken, uint64_t t);

/* Does cycle t; returns the next cycle with work, SM_NEVER if there is none until a work-group is taken or
 * memory answers. On failure fills the launch's error and returns SM_NEVER. */
uint64_t sm_step(struct sm *s, uint64_t t);

/* Returns whether the SM has no work-group, and the L2 has taken all its stores. */
bool sm_has_ended(const struct sm *s);
/* Writes a line of the L1D to the L2 (l1d.write_policy: write_back) in cycle t, after the end of all SMs.
 * Returns false when the L2 has taken all lines; else cycle t becomes the SM's last. */
bool sm_write_back(struct sm *s, uint64_t t);
/* Returns the cycle of the next known answer of memory; SM_NEVER if none is known. */
uint64_t sm_next_answer(const struct sm *s);
/* Returns whether a cache waits for a line, or a store is in flight, between launches. */
bool sm_waits(const struct sm *s);
/* Takes the answers known by cycle t. */
void sm_drop_answers(struct sm *s, uint64_t t);

/* Ends the accounting after the launch has ended before cycle t: all earlier cycles have a cause. */
void sm_settle(struct sm *s, uint64_t t);

/* --- diagnoses and waves --- */

/* Reports a deadlock: what each live thread waits for, when no event is possible. */
void sm_diagnose_deadlock(struct sm *s, uint64_t t);
/* The unit's `pc` (thread_pc.c). */
uint32_t sm_thread_pc(const struct simt *u, unsigned warp, unsigned position);
void sm_report(const struct simt *u, uint64_t t, char *out, size_t size);

/* Declares the SM's variables in a scope of its own: each scheduler's issue, or the reason for none; rounds
 * in the units; transactions; each warp's state, PC, threads and stack. */
struct sm_trace;
struct sm_trace *sm_trace_create(const struct sm *s, struct trace *t);
void sm_trace_free(struct sm_trace *v);
/* Show cycle t: the work of the stages from its edge on (time `at`); the SM's state in cycle t, from its edge
 * on. Values that depend on the cycle use t, whichever cycle was stepped last. */
void sm_trace_stages(struct sm_trace *v, uint64_t t, sim_time at);
void sm_trace_registers(struct sm_trace *v, uint64_t t, sim_time at);
/* Ends the launch; with `traced`, shows that no kernel runs from `at` on. */
void sm_trace_end(struct sm_trace *v, bool traced, sim_time at);

#endif
