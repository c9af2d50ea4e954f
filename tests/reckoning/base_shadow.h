/* base_shadow: a shadow of a cluster in SIMT mode: a pipeline of its own by the rules of timing.md. Its
 * inputs are outputs of blocks (the warp that the scheduler picks, the PC that the arbiter selects, the
 * progress of dispatcher, collector and write-back arbiter), and events from elsewhere: fetched instructions,
 * conditions and targets of threads, answers of memory, uniform values. All else is computed: the inputs of
 * each block, and the states of all threads.
 *
 * In a cycle, blocks are evaluated in the order of unit_step_ports(): address (if an access starts),
 * dispatcher, collector, scheduler, arbiter, write-back, barriers, address (else),
 * co-processor, descriptors. */
#ifndef TESTS_RECKONING_BASE_SHADOW_H
#define TESTS_RECKONING_BASE_SHADOW_H

#include "model/arm/coprocessor.h"
#include "model/cluster/cluster.h"
#include "model/slots/mitigation/alt.h"
#include "tests/reckoning/place.h"
#include "tests/reckoning/sms_stacks.h"
#include "tests/reckoning/uniform_told.h"

#define NEVER     UINT64_MAX
#define NOBODY    (-1)
#define QUEUE_MAX (MACHINE_MAX_QUEUE + MACHINE_MAX_COLLECTORS + 4)

/* Facts about a flight that are taken from the machine when they are needed. */
struct flown {
    const struct arm_instruction *i;
    uint32_t pc;
    unsigned warp, rounds;
    uint64_t participating, fetched, result;
    const struct arm_execution *execution;
    struct uniform_flight uniform;
};

/* An instruction from S to C; its number is the one on the ports of the blocks. */
struct flying {
    bool used, landed, stalls;
    unsigned warp;
    uint64_t s, participating, collected, result;
    uint32_t pc;
    bool uniform;             /* found in D */
    uint64_t loads;           /* registers still to be loaded */
    struct reuse_told reuses; /* looked up in O; after a miss, its result is inserted */
    bool mixed;               /* simt.mitigation alt: its threads have several PCs */
    unsigned committed;       /* number of PCs whose threads have been committed */
};

struct queue {
    int flight[QUEUE_MAX]; /* numbers of the flights, the oldest first */
    unsigned count;
};

struct threads {
    uint64_t ready, execution, barrier;
    uint32_t pc[TDT_MAX_WARP_SIZE], barrier_pc[TDT_MAX_WARP_SIZE];
    uint8_t level[TDT_MAX_WARP_SIZE];
};

struct base_shadow {
    struct cluster *c;
    struct reckoning_place place;
    bool simt;     /* the last cycle was in SIMT mode */
    uint64_t done; /* last cycle whose front end has been computed */
    struct threads warp[TDT_MAX_WARPS];
    bool stacks; /* each warp has a stack: that of the same number here, and nothing else of it */
    struct shadow_warp stack[TDT_MAX_WARPS];
    struct formed *formed; /* base_formed.h; NULL if the engine forms no warps */
    struct flying flying[2 * TDT_MAX_WARPS];
    struct flown flown[2 * TDT_MAX_WARPS];
    int a, f, d, x; /* numbers of the flights in these stages */
    struct queue queue, collected;
    int o;            /* number of the flight in O, which is the last of `collected` */
    uint64_t o_free;  /* first cycle in which O can start the next flight */
    bool o_ends;      /* the last operand arrives in this cycle */
    int taken;        /* number of the flight that enters X in this cycle */
    bool ends, lands; /* X starts its last round in this cycle; a flight lands in it */
    unsigned landing; /* number of the flight that lands */
    unsigned words;   /* words of the TPM that the present beat still has to access */
    bool begun;       /* the present beat has accessed its first word */
    unsigned reads;   /* accesses to the TPM by loads in this cycle */
    bool a_leaves, f_leaves, collects, fetched, decodes_memory;
    int handed_over; /* number of the flight that leaves A in this cycle */
    bool releases;
    warp_set commits;
    unsigned arrive, leave;
    uint32_t arrive_pc;
    unsigned live;
    bool opened;                     /* a barrier, in the last cycle */
    uint64_t started[TDT_MAX_WARPS]; /* contexts that the cores have started */
    struct uniform_told told;        /* inputs of this cycle */
    struct reuse_told lookup, insert;
    int fetching, gathering;   /* numbers of the mixed flights in F and in O */
    unsigned f_round;          /* latest round that is fetched, of the flight `fetching` */
    unsigned o_round, o_words; /* next round, and words left to read, of the flight `gathering` */
    unsigned o_phase;          /* cycles of its present read */
    bool o_begun;              /* round `o_round` has begun */
    uint64_t x_free;           /* first cycle in which X can start another flight */
    int decoded, asks;         /* numbers of the flights in D and in the first cycle of O */
    int released;              /* warp whose last thread has exited in the last cycle */
};

#define SAME(h, input, t, said, reckoned) reckon(&(h)->place, input, t, said, reckoned)

/* --- base_machine.c --- */
unsigned base_priority(const struct base_shadow *h, unsigned level);
/* Commits a thread: it continues after the instruction of a flight, waits, or exits. */
void base_commit_thread(struct base_shadow *h, const struct flown *f, struct threads *w, unsigned k);

/* Returns the index of the machine's flight with a number, the latest of that number. */
unsigned base_place(const struct base_shadow *h, int number);
const struct flown *base_flight(struct base_shadow *h, int number);

static inline unsigned base_flights(const struct base_shadow *h) {
    const unsigned each = h->c->config->simt.mitigation == MITIGATION_DPE ? 2 : 1;
    return each * h->c->warps;
}

static inline uint64_t base_live(const struct threads *w) {
    return w->ready | w->execution | w->barrier;
}

static inline bool base_accesses(const struct flown *f) {
    return f->i && (f->i->is_load || f->i->is_store);
}

static inline enum coprocessor_operation base_operation(const struct arm_instruction *i) {
    return i->is_coprocessor ? coprocessor_decode(i).operation : COPROCESSOR_UNDEFINED;
}

#endif
