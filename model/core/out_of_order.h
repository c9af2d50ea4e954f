/* out_of_order: the window and the load-store queue of an out-of-order core (out_of_order_kind.c), for
 * inspection. */
#ifndef MODEL_CORE_OUT_OF_ORDER_H
#define MODEL_CORE_OUT_OF_ORDER_H

#include "model/control/issue_select.h"
#include "model/control/load_store_queue.h"
#include "model/core/slot_set.h"
#include "model/core/superscalar.h"

/* Resource of a ready instruction. Loads wait for older stores, stores do not. */
enum ready_kind { READY_INTEGER, READY_VFP, READY_LOAD, READY_STORE, READY_KINDS };

/* An instruction between dispatch and commit. */
struct window_entry {
    uint64_t number; /* number of the instruction in program order, from 1; 0: unused slot */
    const struct arm_instruction *i;
    uint64_t ready_at; /* first cycle in which its operands with known times are usable */
    uint64_t selected; /* cycle of the selection; 0: not selected */
    uint64_t base;     /* first cycle in which the written-back base is usable */
    uint64_t done;     /* first cycle in which the result is usable; SUPERSCALAR_NEVER: unknown */
    struct slot_set wait_for_result, wait_for_base; /* entries that wait for the result, or for the base */
    uint32_t pc, address, target;
    uint16_t bytes;
    uint8_t waits;         /* operands whose cycle is unknown */
    uint8_t accesses_made; /* accesses made of a multiple access */
    uint8_t ready;         /* enum ready_kind */
    bool accesses;         /* load or store whose condition held */
    bool passed;           /* the condition held */
    bool wrong;            /* branch with a wrong prediction */
    bool missed;           /* data come from beyond the L1D */
    bool translated;       /* the DTLB look-up is done */
    bool in_kernel;
};

/* A store between dispatch and the end of its write. */
struct window_store {
    uint64_t number;
    const struct arm_instruction *i;
    uint32_t address;
    uint16_t bytes;
    uint8_t written; /* accesses made */
};

struct window {
    struct window_entry entry[WINDOW_SLOTS];
    uint64_t first, end;                  /* numbers of the oldest instruction and of the next one */
    uint64_t producer[ARM_RESOURCES + 1]; /* last writer of each resource: 2 × number, + 1 for a written-back
                                             base; 0: none. Last element: Q and GE */
    struct slot_set waking;               /* entries that become ready in a known cycle */
    uint64_t wake;                        /* first of the cycles of `waking` */
    struct slot_set ready[READY_KINDS];   /* entries that may be selected, by resource */
    struct slot_set soon[READY_KINDS];    /* entries that may be selected from the next cycle on */
    struct slot_set unaddressed;          /* stores that have not been selected */
    struct window_store store[CORE_MAX_LSQ]; /* a ring */
    unsigned first_store, stores;
    unsigned committed_stores; /* number of `stores` that have committed, the oldest ones */
    uint64_t write_next;       /* first cycle in which the next store may be in X */
    unsigned queued, released; /* used entries of the load-store queue; those free in the next cycle */
    uint64_t multiple;         /* number of the multiple load in progress; 0: none */
    uint64_t alone;            /* number of the instruction that issues alone; 0: none */

    /* State of the core's cycle: */
    uint64_t begun;     /* the cycle that has begun, plus 1 */
    unsigned committed; /* instructions committed in the cycle */
    unsigned selected;
    bool loads; /* a load has its address in X */
    bool waits_for_unit;
    bool acted; /* another event has occurred */

    /* Counters: */
    uint64_t loads_forwarded;   /* loads that took their data from an older store */
    uint64_t loads_held;        /* cycles in which a load waited for the address of an older store */
    uint64_t loads_partial;     /* cycles in which a load waited for a store with a part of its data */
    uint64_t loads_refused;     /* loads that waited for a miss register */
    struct histogram occupancy; /* used entries at the end of a cycle */

    /* Used while something runs beside them: */
    struct issue_select block;
    struct load_store_queue queue;
    unsigned told_store; /* `first_store`, as the queue knows it */
};

/* Returns whether one of the stores is older than the entry. */
static inline bool window_follows(const struct window *w, const struct window_entry *e,
                                  const struct slot_set *stores) {
    if (slot_set_is_empty(stores)) return false;
    struct slot_set ages = slot_set_by_age(stores, w->first);
    return w->first + slot_set_take_first(&ages) < e->number;
}

#endif
