/*
 * exclusive_monitor: the reservations that LDREX makes and STREX uses up, one for each thread context of the
 * machine, and the turns of threads that contend for a granule.
 *
 * A reservation covers one granule of memory. A store to the granule by another thread clears it, as does the
 * thread's own STREX (whether it stored or not) and CLREX; the thread's own plain stores do not. Reports are
 * cheap while nothing is reserved: callers test `reserved` before they report stores one by one.
 *
 * LDREX also makes its thread ask for the granule. A thread asks until its STREX stores, until CLREX or a
 * STREX whose condition fails, until it asks for another granule, until its warp runs an LDREX without it
 * (unless `apart`), or until `hold` cycles have passed since its last LDREX. The thread that asked first
 * holds the granule: STREX of every other thread fails, and a plain store of another core (in MIMD mode)
 * waits. A store that waits asks, too. A thread that no longer asks but has its reservation keeps its turn
 * for the STREX: only older asks make it fail. Therefore threads are served in the order of their first asks,
 * and none starves. If each of n threads repeats its loop of LDREX and STREX in less than `hold` cycles, each
 * stores within 2 · n · `hold` cycles. If a thread's loop takes longer, others no longer fail because of it,
 * and its next LDREX gives the thread its old place. Therefore the oldest asking thread is refused only if
 * another thread has stored, however long loops take.
 *
 * The monitor notes how long STREX has failed (struct exclusive_failures): a launch in which exclusive stores
 * go on and none succeeds is a livelock, which the machine ends.
 *
 * Known inaccuracies: plain stores of warps do not wait; endless stores can starve an exclusive store,
 * which is such a livelock (docs/policies.md has a kernel). If a warp's threads run together, an LDREX of
 * some threads ends the turns of the others, unless they may run at the same time (`apart`).
 *
 * The contexts are in banks, each a block with ports (rtl/exclusive_monitor.sv). A cycle of a bank is a
 * request that concerns it: one of its own threads, a store while it has reservations, or a query for older
 * asks whose answer is yes. The remaining time of a thread's ask is kept outside the banks.
 */
#ifndef MODEL_CONTROL_EXCLUSIVE_MONITOR_H
#define MODEL_CONTROL_EXCLUSIVE_MONITOR_H

#include "generated/exclusive_monitor_ports.h"
#include "model/control/block_twins.h"

#include <stdbool.h>
#include <stdint.h>

#define EXCLUSIVE_MONITOR_BINS  256      /* bins of the counting filter over granules */
#define EXCLUSIVE_MONITOR_BANK  64       /* contexts of a bank */
#define EXCLUSIVE_MONITOR_LIMIT 10000000 /* least limit of failures, in cycles */

/* --- a bank: ports and flip-flops --- */

struct exclusive_bank {
    struct exclusive_monitor_in in;
    struct exclusive_monitor_out out;
    struct exclusive_monitor_state q; /* `granule` and `ticket` point to the arrays below */
    struct {
        uint64_t holds, asks;
    } d;
    uint32_t granule[EXCLUSIVE_MONITOR_BANK], ticket[EXCLUSIVE_MONITOR_BANK];
    struct block_requests requests;
};

/* Resets in place, with nothing reserved: the structure points to itself and must not be copied. Twins stay
 * attached. */
void exclusive_bank_reset(struct exclusive_bank *b);
void exclusive_bank_eval(struct exclusive_bank *b);  /* in, q → out, d */
void exclusive_bank_clock(struct exclusive_bank *b); /* in, d → q: the edge */

/* --- the monitor of a machine --- */

/* A thread's ask, in the list of its bin, which is in order of age, the oldest first. */
struct exclusive_ask {
    uint64_t until; /* first cycle in which the ask no longer counts */
    uint32_t before, after;
    bool late; /* dropped when its time was over: the thread's next ask for the granule keeps its ticket */
};

/* The STREX that have failed since the last one that stored, or since a pause in which none failed. */
struct exclusive_failures {
    uint64_t first, last;         /* cycles of the first and of the last */
    uint64_t count;               /* 0: none, and the other fields have no meaning */
    uint32_t thread, address;     /* those of the last */
    uint32_t pc;                  /* PC of the last */
    uint64_t struck;              /* plain stores since the first that cleared a reservation */
    uint32_t striker, striker_pc; /* thread and PC of the last such store, if there is one */
};

struct exclusive_monitor {
    uint32_t threads;      /* number of thread contexts; threads have the numbers 0 to threads − 1 */
    uint32_t banks;        /* thread n is in bank n / EXCLUSIVE_MONITOR_BANK */
    uint32_t reserved;     /* number of reservations held */
    uint32_t asking;       /* number of threads that ask */
    uint32_t tickets;      /* asks so far */
    uint64_t now, hold;    /* cycle of the request; cycles for which an ask counts */
    uint32_t pc;           /* PC of the instruction that stores, for diagnoses */
    uint64_t limit;        /* cycles of failures that are a livelock */
    unsigned granule_bits; /* log2 of the granule's bytes */
    bool apart; /* threads of a warp may run at the same time: LDREX of some does not end the turns of others
                 */
    struct exclusive_bank *bank;
    uint32_t window, window_bytes;        /* range of addresses that each thread maps to a place of its own */
    uint32_t *offset;                     /* for each thread: distance to that place */
    uint32_t bin[EXCLUSIVE_MONITOR_BINS]; /* reservations by granule modulo the number of bins */
    struct exclusive_ask *ask;            /* for each thread */
    uint32_t oldest[EXCLUSIVE_MONITOR_BINS], newest[EXCLUSIVE_MONITOR_BINS]; /* asks, by bin */
    struct exclusive_failures failures;
};

/* Initialises with nothing reserved. granule_bytes: a power of two, 8 to 2048. hold: cycles, at least 1. The
 * limit is large: EXCLUSIVE_MONITOR_LIMIT cycles, or more on machines with a long hold. Allocates storage;
 * exits if memory is out. */
void exclusive_monitor_init(struct exclusive_monitor *m, uint32_t threads, uint32_t granule_bytes,
                            uint64_t hold);
void exclusive_monitor_free(struct exclusive_monitor *m);
/* Clears all reservations when a launch begins. */
void exclusive_monitor_reset(struct exclusive_monitor *m);

/* Sets the addresses [window, window + window_bytes) to be a view of each thread's own memory, such as local
 * memory, `offset` bytes further on. Offsets are 0 until they are set. */
void exclusive_monitor_window(struct exclusive_monitor *m, uint32_t window, uint32_t window_bytes);
void exclusive_monitor_offset(struct exclusive_monitor *m, uint32_t thread, uint32_t offset);

/* LDREX: moves the thread's reservation to the granule of `address`. */
void exclusive_monitor_reserve(struct exclusive_monitor *m, uint32_t thread, uint32_t address);

/* STREX: returns whether the thread may store, and clears its reservation. The store itself is reported
 * apart. */
bool exclusive_monitor_spend(struct exclusive_monitor *m, uint32_t thread, uint32_t address);

/* Ends the thread's ask: its STREX fails its condition, or other threads of its warp run an LDREX. */
void exclusive_monitor_give_up(struct exclusive_monitor *m, uint32_t thread);

/* Returns whether a plain store of the thread to [address, address + size_bytes) must wait for another
 * thread, which holds one of its granules. The thread then asks, and must try again. */
bool exclusive_monitor_waits(struct exclusive_monitor *m, uint32_t thread, uint32_t address,
                             uint32_t size_bytes);

/* CLREX. */
void exclusive_monitor_clear(struct exclusive_monitor *m, uint32_t thread);

/* Returns the cycle in which the failures up to now become a livelock if no STREX stores before; UINT64_MAX
 * if none has failed. */
uint64_t exclusive_monitor_deadline(const struct exclusive_monitor *m);
/* Returns whether there is a livelock before cycle t, after all requests of the cycles before t: STREX have
 * failed for `limit` cycles, without a pause, and none has stored. */
bool exclusive_monitor_is_livelock(const struct exclusive_monitor *m, uint64_t t);

/* Reports a store of the thread to [address, address + size_bytes): clears other threads' reservations there.
 * Ends the ask of a store that waited. */
void exclusive_monitor_store(struct exclusive_monitor *m, uint32_t thread, uint32_t address,
                             uint32_t size_bytes);

#endif
