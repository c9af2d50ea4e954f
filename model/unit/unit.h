/*
 * unit: a cluster in SIMT mode as a stepped pipeline that skips idle cycles (timing.md). Each part that
 * machines do differently is a slot. A row of constants and functions fills a slot.
 *
 * A flight is one warp instruction on its way from its selection to its commit. Flights lie in a pool and are
 * named by their number there. They are selected, arbitrated, fetched, decoded, collected and executed in one
 * order: flight n is the n-th that S has selected. Only with simt.multi_issue may the lanes take a collected
 * flight before older ones, which then follow it. Six counters hold the progress of the stages. After cycle t
 *
 *   A has flight `arbitrated`, if it is not `selected`;
 *   F has flight `left`, if it is not `arbitrated`;
 *   D has flight `decoded`, if it is not `left`;
 *   the dispatch queue has flights from `collecting` to before `decoded`;
 *   O and the collectors have flights from `started` to before `collecting`.
 *
 * unit->step(u, t) does everything of cycle t, stage by stage (cycle.h), and returns the earliest later cycle
 * in which a stage may have something to do. A stage with a due cycle in a field of the unit is not called
 * before that cycle: a function that changes the inputs of such a stage sets its due cycle to 0.
 *
 * The same source files make several instances. The general one calls through the rows of the unit and serves
 * every machine, with every observer: waves, records, checks, profiles. The rows of a plain one
 * (model/slots/plain/) are known when it is compiled, and it serves a unit without an observer. All instances
 * keep the same state, and may take turns from cycle to cycle.
 *
 * With `ports` every cycle is visited and the blocks of model/control/ take every decision (--exact-steps,
 * twins).
 */
#ifndef MODEL_UNIT_UNIT_H
#define MODEL_UNIT_UNIT_H

#include "model/divergence/re_convergence_stack.h"
#include "model/fast/fast.h"
#include "model/simt/simt.h"
#include "model/unit/thread_place.h"

/* Flights between S and X: more than A, F, D, the dispatch queue and the collectors hold. */
#define UNIT_RING  64
#define UNIT_NONE  (-1)
#define UNIT_NEVER UINT64_MAX

/* --- flights --- */

/* Fields that the stages read: three lines of the host's cache. */
struct unit_flight {
    _Alignas(64) struct arm_instruction *i; /* NULL if the PC is outside the text */
    uint64_t participating;                 /* threads of the bundle, as positions of the warp */
    uint64_t passed;                        /* participating threads whose condition held; valid from X on */
    uint32_t pc;
    uint16_t warp;
    uint16_t next;          /* the next free flight of the pool */
    uint64_t s;             /* cycle in which S selects the warp */
    uint64_t f;             /* first cycle in F */
    uint64_t fetched, left; /* last cycle of the fetch; last cycle in F */
    uint64_t in_stack;      /* threads of `passed` whose access begins in a stack object */
    uint64_t o, collected;  /* first and last cycle of O */
    uint64_t x, last;       /* cycles in which its first and its last round start */
    uint64_t result;        /* last cycle of its results; UNIT_NEVER if some accesses are held */
    uint64_t made;          /* last cycle of the accesses made so far, while some are held */
    uint64_t since;         /* first cycle in which its warp was ready to run */
    uint32_t wait_pc;       /* PC of the instruction that its warp waited for before */
    uint8_t cause;          /* cause of this wait, a machine_cause */
    uint8_t rounds;         /* rounds in which it is executed */
    uint8_t network;        /* cycles of operands on their way to the lanes of other threads */
    uint8_t number;         /* number on the ports of blocks: its warp; warp + warps for a second flight */
    uint16_t held;          /* accesses that wait for translations */
    uint16_t writes_left;   /* vTPO lines still to be written */
    uint16_t read_lines, reads; /* lines of operands, for each lane; reads of the TPM for them */
    uint32_t collects;          /* cycles of O */
    uint8_t scalar_writes_left; /* scalar registers still to be written */
    bool reported;              /* an engine that forms warps knows that it has been written */
    uint32_t formed;            /* number of its warp in such an engine (regrouped.h) */
};
_Static_assert(sizeof(struct unit_flight) == 192, "three lines of the host's cache");

/* --- slots --- */

struct unit;
struct regrouped_warp;
typedef uint64_t unit_stage(struct unit *u, uint64_t t);

/* Selects a warp for S. */
struct scheduler_slot {
    /* Returns a warp of `ready`, or UNIT_NONE. With `take` the front end takes it. */
    int (*pick)(struct unit *u, warp_set ready, bool take, uint64_t t, uint64_t *next);
    bool looks; /* its state depends on the stalled warps in every cycle of S or D */
};

/* S, A, F, D and the hand-overs between them. */
struct front_slot {
    unit_stage *step;
};

/* The warps that may issue. */
struct issue_slot {
    void (*take)(struct unit *u, struct unit_flight *f);
    /* Called when a flight has left A at the end of cycle t. */
    void (*arbitrated)(struct unit *u, struct unit_flight *f, uint64_t t);
    /* Updates whether a warp is ready to run, from cycle `since` on, after a change of its state. */
    void (*release)(struct unit *u, unsigned warp, uint64_t since, enum machine_cause cause, uint32_t pc);
};

/* A block of a divergence engine, with a model that has its ports. */
struct unit_clocked {
    struct unit *unit;
    enum cluster_block block;
    void *model;     /* NULL if there is none */
    uint64_t cycles; /* evaluated with twins */
};

/* The threads of a warp that run together, and their PCs after a commit. */
struct divergence_slot {
    /* Make the state of the engine; free it; begin a stay in SIMT mode. NULL: nothing to do. */
    void (*create)(struct unit *u);
    void (*free)(struct unit *u);
    void (*begin)(struct unit *u);
    void (*launch)(struct unit *u); /* called at the begin of a launch; may be NULL */
    void (*next)(struct unit *u, struct unit_flight *f, uint64_t t);
    /* Returns the threads that stay ready. */
    uint64_t (*commit)(struct unit *u, struct unit_flight *f, uint64_t t);
    /* Returns the ready threads of a warp that can run next. NULL: all ready threads can run. */
    uint64_t (*runs)(const struct unit *u, unsigned warp);
    void (*register_counters)(struct unit *u, const char *scope,
                              struct counter_registry *r); /* may be NULL */
    /* Allocates the model of one of its blocks, which calls `evaluated` in each further cycle. Returns NULL
     * if it has no such block. May be NULL. */
    void *(*clocked)(struct unit *u, enum cluster_block b, void (*evaluated)(void *context), void *context);
    const struct divergence_slot *ports; /* row with decisions by blocks; NULL: this one */

    /* --- engines that form warps (regrouped.h): `take` is not NULL. A number of theirs is not a warp's. A
     * cluster of cores is a unit with one work-group, 0. Each scheduler of an SM has a unit, and an engine of
     * its own (model/sm/formed.c). `ready` has the numbers that S can select, and is not 0 if the engine
     * selects itself and has a warp. --- */

    void (*start)(struct unit *u, const struct regrouped_warp *w); /* adds an initial warp of a work-group */
    /* Selects a warp in S, if A is `free`. Returns its number; UNIT_NONE if none is ready. NULL:
     * simt.scheduler selects. With `commits` called in each cycle; a cluster may leave out cycles in which A
     * is not free. */
    int (*pick)(struct unit *u, bool free, uint64_t t);
    /* Gives a flight the threads of the warp `formed`, and removes that from the ready ones. */
    void (*take)(struct unit *u, struct unit_flight *f);
    /* Commits the threads of a warp whose flight has been written. */
    void (*commit_formed)(struct unit *u, unsigned number, uint64_t t);
    void (*release)(struct unit *u, unsigned group); /* called after the barrier of a work-group has opened */
    void (*end)(struct unit *u, uint64_t t);         /* ends a cycle; may be NULL */
    /* Returns whether S may select a warp in the next cycle, if A is `free`, or the engine has other work.
     * NULL: if A is free and a warp is ready. Not NULL with `end`. */
    bool (*moves)(const struct unit *u, bool free);

    /* Engines that choose the cycle of a commit, with `pick`. Note that the flight of a warp has been
     * written. Note that the accesses of a flight begin, at least one of them outside TPMs and local memory;
     * that such a flight of a thread has been written. Commit a warp in cycle t, before `end`;
     * return its number, REGROUPED_AWAY if there is none or its accesses left. */
    void (*written)(struct unit *u, unsigned number, uint64_t t);
    void (*accesses)(struct unit *u, unsigned number);
    void (*accessed)(struct unit *u, unsigned row, unsigned lane);
    unsigned (*commits)(struct unit *u, uint64_t t);

    /* Engines of large warps, each of several home warps (struct regrouped_large), with a number of one of
     * these: start the threads of home warps; begin the instruction of a large warp, and return its PC. */
    void (*start_warps)(struct unit *u, warp_set warps);
    uint32_t (*open)(struct unit *u, unsigned number);
    /* Forms the next sub-warp of the instruction: the homes of threads in some lanes. Returns whether more
     * follow. */
    bool (*subwarp)(struct unit *u, unsigned number, uint64_t *lanes, uint16_t *home);
    /* Notes threads of a home warp whose condition held, of a written flight; then that the flight has been
     * written. Returns whether it is the last one of the instruction, and so commits the large warp. */
    void (*passed)(struct unit *u, unsigned number, unsigned warp, uint64_t threads);
    bool (*ends)(struct unit *u, unsigned number);
    const struct regrouped_large *(*large)(const struct unit *u, unsigned number); /* NULL: there is none */

    /* Waves and diagnoses of an SM: the names of tables, NULL after the last; the places of threads. */
    const char *const *tables;
    void (*places)(const struct unit *u, thread_place_visitor *visit, void *context);
};

/* Flights whose threads have several instructions. Units that have such flights have ports. */
struct mixed_flights;
struct mixed_slot {
    struct mixed_flights *(*create)(void);
    void (*reset)(struct unit *u);
    uint64_t (*together)(const struct unit *u, unsigned warp); /* threads that may be in a flight together */
    /* Fetches the first round of a flight in cycle t. Returns false if the flight is not mixed. */
    bool (*begin)(struct unit *u, struct unit_flight *f, uint64_t t);
    bool (*fetch)(struct unit *u, uint64_t t); /* returns whether F is free for another flight */
    /* Returns whether a load or store is in the flight. */
    bool (*stalls)(const struct unit *u, const struct unit_flight *f);
    void (*collect)(struct unit *u, struct unit_flight *f); /* O begins */
    void (*operands)(struct unit *u, uint64_t t);           /* does O of cycle t */
    /* Does X of cycle t. Returns whether the lanes have, or could start, such a flight. */
    bool (*lanes)(struct unit *u, uint64_t t);
    bool (*execute)(struct unit *u, struct unit_flight *f, uint64_t t);
    void (*made)(struct unit *u, const struct unit_flight *f, unsigned round, uint64_t done);
    void (*write)(struct unit *u, uint64_t t); /* does W and C of cycle t, after those of other flights */
    void (*commit)(struct unit *u, uint64_t t);
};

/* The mitigation of the cost of divergence. */
struct mitigation_slot {
    void (*rounds)(const struct unit *u, struct unit_flight *f);
    /* Returns whether a warp with an instruction in flight may have a second one. NULL: never. */
    bool (*second)(const struct unit *u, unsigned warp);
    const struct mixed_slot *mixed; /* NULL: all threads of a flight have one instruction */
    bool saves; /* an instruction of some threads may take fewer rounds than one of all threads */
};

/* The place of registers: the cost of operands and results. */
struct contexts_slot {
    void (*reads)(const struct unit *u, struct unit_flight *f); /* sets the cycles of O from read_lines */
    unit_stage *collect, *write, *commit;
};

/* Lanes in which several rounds start in a cycle (simt.multi_issue). */
struct unit_several;
struct several_slot {
    struct unit_several *(*create)(const struct machine_config *config);
    void (*begin)(struct unit *u, uint64_t t); /* begins SIMT mode in cycle t */
    uint64_t (*due)(const struct unit *u);     /* returns the first cycle in which X has work */
    /* Returns the first cycle with a collector for the next flight of O. */
    uint64_t (*room)(const struct unit *u);
    /* Notes that a beat of accesses begins, or stalls, in cycle t, and the cause of its `cycles` cycles. The
     * first cycle of a beat with cause EXECUTE starts a round; its other cycles are OCCUPIED. */
    void (*beat)(struct unit *u, enum machine_cause cause, uint64_t cycles, uint64_t t);
    void (*settle)(struct unit *u,
                   uint64_t t); /* charges the cycles before t in which the lanes were in use */
    /* Returns the number of instructions in the lanes in cycle t. */
    unsigned (*in_use)(const struct unit *u, uint64_t t);
};

/* Rounds in the lanes. */
struct lanes_slot {
    unit_stage *execute;
    const struct several_slot *several; /* NULL if at most one round starts in a cycle */
};

/* Memory, fetches and the account of cycles, which depend on the location of the contexts. */
struct home_slot {
    void (*fetch)(struct unit *u, struct unit_flight *f, uint64_t t);
    void (*begin)(struct unit *u, unsigned flight, uint64_t t); /* begins the accesses of a flight */
    /* Does the beat of cycle t. Returns false if it cannot end in this cycle. */
    bool (*access)(struct unit *u, struct unit_flight *f, uint64_t t);
    void (*end)(struct unit *u, struct unit_flight *f,
                uint64_t t); /* notes that the last beat was in cycle t; needed with ports */
    /* Makes an access to memory in cycle t and sets *done, the cycle at whose end a load is done or a store
     * is accepted. Returns false if the access waits for its translation. */
    bool (*reach)(struct unit *u, const struct held_access *a, uint64_t t, uint64_t *done);
    unit_stage *answers; /* retries accesses that waited for their translations */
    /* With ports: evaluates the address mapping in a cycle without accesses. */
    void (*locate)(struct unit *u, uint64_t t);
    void (*charge)(struct unit *u, const struct unit_flight *f, uint64_t until);
};

struct slots {
    const struct scheduler_slot *scheduler;
    const struct front_slot *front;
    const struct issue_slot *issue;
    const struct divergence_slot *divergence;
    const struct mitigation_slot *mitigation;
    const struct contexts_slot *contexts;
    const struct lanes_slot *lanes;
    const struct home_slot *home;
};

/* --- the unit --- */

struct unit {
    /* S, A, F, D and the dispatch queue: all that the front of an SM's scheduler has */
    struct simt *simt;
    unsigned path; /* scheduler of an SM */
    uint32_t selected, arbitrated, left, decoded, collecting, started;
    unsigned queue_entries, arbitrate_cycles;
    bool fetch_waits;                  /* the fetch of the flight in F has still to be made */
    uint16_t free;                     /* the first free flight */
    unsigned flights;                  /* flights of the pool */
    struct unit_flight *flight;        /* the pool */
    uint64_t o_next, front_next;       /* due cycles of stages */
    struct histogram *queue_occupancy; /* instructions in the dispatch queue and D; NULL: not counted */
    uint8_t order[UNIT_RING];          /* flight n is flight[order[n % UNIT_RING]] */

    const struct slots *slots; /* rows in use: `rows`, or with ports `port_rows` */
    struct slots rows, port_rows;
    struct cluster *cluster;       /* the cluster */
    struct cluster_blocks *blocks; /* its blocks */
    bool ports;                    /* blocks take the decisions, and every cycle is visited */
    bool shows;                    /* waves or records show the cycle that is stepped */

    warp_set ready;     /* warps that are ready to run */
    warp_set front_end; /* warps between S and the end of A */
    warp_set stalled;   /* warps with a load or store in D or behind it, or with no thread that can run */
    warp_set flying;    /* numbers of flights on the ports; kept where a warp may have two flights */
    warp_set copying;   /* warps with a copy instruction between D and C; kept there as well */
    unsigned collectors, read_ports, write_ports, tpm_latency;
    struct warp_wait wait[TDT_MAX_WARPS];

    /* O */
    uint64_t o_free;  /* first cycle in which O may start a flight */
    uint64_t o_since; /* cycle in which O started, plus its stalled cycles since then */
    uint64_t o_stood; /* last cycle in which O stalled */
    unsigned o_lines; /* lines that O reads in all */
    struct tpm_ports read_port, write_port;

    /* X */
    int x_flight; /* flight whose accesses are being started, with ports any flight; UNIT_NONE if there is
                     none */
    int shown;    /* flight whose rounds started last, or UNIT_NONE */
    unsigned x_round, x_beat;
    unsigned x_bytes;   /* bytes of a thread in a beat */
    unsigned x_words;   /* words of the TPM that the beat has still to access */
    bool x_in_tpm;      /* the flight accesses only words in TPMs */
    bool x_one_word;    /* likewise, one word for each thread in a beat */
    uint64_t x_next;    /* cycle of the next beat */
    uint64_t x_free;    /* first cycle in which the next flight's rounds may start */
    uint64_t x_last;    /* cycle of the last round of the flight in X; UNIT_NEVER if it is not known */
    uint64_t x_stood;   /* last cycle in which a beat waited for ports of the TPM */
    uint64_t x_refused; /* first cycle in which miss registers may be free for the beat */

    /* W, C */
    unsigned landing_count; /* flights that have left X and are not committed */
    uint64_t landed;        /* no flight in landing[] is written or commits before this cycle */
    uint8_t landing[TDT_MAX_WARPS];
    uint64_t landing_due[TDT_MAX_WARPS];
    uint64_t committed; /* the last cycle in which a flight was committed */
    uint32_t left_pc;   /* PC of the last instruction with which threads reached a barrier or exited */
    bool stuck;         /* after the previous cycle, nothing under way could make a warp ready */

    struct held_accesses held; /* accesses that wait for translations */

    uint64_t barriers_next; /* due cycle of the barriers */

    struct arm_execution *execution;   /* execution of each flight */
    struct uniform_flight *uniform;    /* uniform state of each flight; NULL if uniform.storage is none */
    struct unit_several *several;      /* NULL if at most one round starts in a cycle */
    struct mixed_flights *mixed;       /* NULL if no flight is mixed */
    warp_set mixed_flights;            /* flights that are mixed */
    unit_stage *plain;                 /* instance for cycles without an observer */
    struct re_convergence_stack stack; /* engines with stacks; else empty */
    struct unit_clocked clocked[CLUSTER_BLOCK_COUNT];
    void *engine;                     /* other state of the engine of simt.divergence */
    struct unit_regrouped *regrouped; /* threads of flights; NULL if the engine forms no warps */
};

/* Returns the row of simt.divergence; NULL if it has none. */
const struct divergence_slot *unit_divergence_of(const struct machine_config *config);
/* Chooses the rows for a configuration. */
void unit_choose(struct slots *rows, struct slots *port_rows, const struct machine_config *config);

/* Step a cycle: through the rows; with blocks that decide; of the base machine; of the base machine with
 * skipped rounds (skip, slp). */
uint64_t unit_step(struct unit *u, uint64_t t);
uint64_t unit_step_ports(struct unit *u, uint64_t t);
uint64_t unit_step_plain(struct unit *u, uint64_t t);
uint64_t unit_step_plain_skip(struct unit *u, uint64_t t);
uint64_t unit_step_plain_slp(struct unit *u, uint64_t t);

/* Returns whether warps have re-convergence stacks, and not a PC for each thread alone. */
static inline bool unit_has_stacks(const struct unit *u) {
    return u->stack.warp != NULL;
}

struct unit *unit_create(struct cluster *c);
/* Creates the front of an SM's scheduler, with a pool of flights. */
struct unit *unit_create_path(struct simt *s, unsigned path, unsigned flights);
void unit_free(struct unit *u);

/* Resets the blocks that only units have, at the begin of a launch. */
void unit_launch(struct unit *u);
/* Returns the model with ports of a block of the divergence engine, with which it works from now on; NULL if
 * it has no such block. */
void *unit_clocked_model(struct unit *u, enum cluster_block b);
/* Compares a cycle of such a block with its twin, between evaluation and edge. context: its unit_clocked. */
void unit_clocked_cycle(void *context);

/* Begins a stay in SIMT mode in cycle t. */
void unit_begin(struct unit *u, uint64_t t);
/* Does the work from cycle t on. Returns the next cycle with work (cluster_step()). */
uint64_t unit_simt_step(struct unit *u, uint64_t t);
/* Does the postponed work of cycles before `end`. */
void unit_catch_up(struct unit *u, uint64_t end);
/* Charges the cycles before `end` in which the lanes were in use, whose causes become known only
 * afterwards. */
void unit_settle(struct unit *u, uint64_t end);
/* Returns the state of the lanes in cycle t, after the last cycle stepped, and sets *pc of their instruction.
 */
enum machine_cause unit_lanes_cause(const struct unit *u, uint64_t t, uint32_t *pc);

static inline const struct unit_flight *unit_nth(const struct unit *u, uint32_t n) {
    return &u->flight[u->order[n % UNIT_RING]];
}

#endif
