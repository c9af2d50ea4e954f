/*
 * exclusive_monitor: the reservations that LDREX makes and STREX spends, one per thread context of the
 * machine, and the turns of threads that contend for a granule.
 *
 * A reservation covers one granule of memory. A store to the granule by another thread clears it, as does the
 * thread's own STREX (whether it stored or not) and CLREX; the thread's own plain stores do not. Reports are
 * cheap while nothing is reserved: callers test `reserved` before they report stores one by one.
 *
 * LDREX also makes its thread ask for the granule. A thread asks until its STREX stores, until CLREX or a
 * STREX whose condition fails, until it asks for another granule, until its warp runs an LDREX without it
 * (unless `regroups`), or until `hold` cycles have passed since its last LDREX. The thread that asked first
 * holds the granule: STREX of every other thread fails, and a plain store of another core (in MIMD mode)
 * waits. A store that waits asks, too. A thread that asks no longer but has its reservation keeps its turn
 * for the STREX: only older asks make it fail. So threads are served in the order in which they first asked,
 * and none starves. If each of n threads goes round its loop of LDREX and STREX in less than `hold` cycles,
 * each stores within 2 · n · `hold` cycles. If loops take longer, turns can be lost, but some thread still
 * stores.
 *
 * Known inaccuracies: plain stores of warps do not wait. If they go on for ever, they can starve an exclusive
 * store (docs/policies.md has such a kernel). If a warp's threads run together, an LDREX without some of them
 * takes the turns of these. An engine that regroups threads sets `regroups`: there they keep them.
 *
 * The contexts are in banks, each a block with ports (rtl/exclusive_monitor.sv); a cycle of one is a request
 * that concerns it: of a thread of its own, a store while it has reservations, or the question for an older
 * ask if the answer is yes. The time that a thread has left is kept outside the banks.
 */
#ifndef MODEL_CONTROL_EXCLUSIVE_MONITOR_H
#define MODEL_CONTROL_EXCLUSIVE_MONITOR_H

#include "generated/exclusive_monitor_ports.h"
#include "model/control/block_twins.h"

#include <stdbool.h>
#include <stdint.h>

#define EXCLUSIVE_MONITOR_BINS 256 /* of the counting filter over granules */
#define EXCLUSIVE_MONITOR_BANK 64  /* contexts of a bank */

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

/* In place, nothing reserved: it points to itself and must not be copied. What runs beside it stays. */
void exclusive_bank_reset(struct exclusive_bank *b);
void exclusive_bank_eval(struct exclusive_bank *b);  /* in, q → out, d */
void exclusive_bank_clock(struct exclusive_bank *b); /* in, d → q: the edge */

/* --- the monitor of a machine --- */

/* A thread's ask, in the list of those of its bin, the oldest first. */
struct exclusive_ask {
    uint64_t until; /* first cycle in which it does not count any more */
    uint32_t before, after;
};

struct exclusive_monitor {
    uint32_t threads;      /* thread contexts watched: numbers 0 to threads − 1 */
    uint32_t banks;        /* thread n is in bank n / EXCLUSIVE_MONITOR_BANK */
    uint32_t reserved;     /* reservations held now */
    uint32_t asking;       /* threads that ask now */
    uint32_t tickets;      /* asks so far */
    uint64_t now, hold;    /* cycle of the request; cycles that an ask counts */
    unsigned granule_bits; /* log2 of the granule's bytes */
    bool regroups;         /* threads of a warp run apart: LDREX of some leaves the others their turns */
    struct exclusive_bank *bank;
    uint32_t window, window_bytes;        /* addresses that mean another place for each thread */
    uint32_t *offset;                     /* per thread: to that place */
    uint32_t bin[EXCLUSIVE_MONITOR_BINS]; /* reservations by granule modulo the number of bins */
    struct exclusive_ask *ask;            /* per thread */
    uint32_t oldest[EXCLUSIVE_MONITOR_BINS], newest[EXCLUSIVE_MONITOR_BINS]; /* asks, by bin */
};

/* Nothing reserved. granule_bytes: a power of two, 8 to 2048. hold: in cycles, at least 1. Storage is
 * allocated here (exits if there is none). */
void exclusive_monitor_init(struct exclusive_monitor *m, uint32_t threads, uint32_t granule_bytes,
                            uint64_t hold);
void exclusive_monitor_free(struct exclusive_monitor *m);
/* A launch begins: nothing is reserved any more. */
void exclusive_monitor_reset(struct exclusive_monitor *m);

/* Addresses [window, window + window_bytes) are a view of memory of each thread's own, such as local memory,
 * offset bytes further on. All threads have offset 0 until they are given another. */
void exclusive_monitor_window(struct exclusive_monitor *m, uint32_t window, uint32_t window_bytes);
void exclusive_monitor_offset(struct exclusive_monitor *m, uint32_t thread, uint32_t offset);

/* LDREX: the thread's reservation is now the granule of address (an earlier one is forgotten). */
void exclusive_monitor_reserve(struct exclusive_monitor *m, uint32_t thread, uint32_t address);

/* STREX: whether the thread may store; its reservation is gone afterwards. The store itself is reported
 * apart. */
bool exclusive_monitor_spend(struct exclusive_monitor *m, uint32_t thread, uint32_t address);

/* A STREX whose condition fails, or an LDREX of other threads of its warp: the thread asks no longer. */
void exclusive_monitor_give_up(struct exclusive_monitor *m, uint32_t thread);

/* Whether a plain store of the thread to [address, address + size_bytes) must wait for another thread, which
 * holds a granule of it. The thread asks then; it must try again. */
bool exclusive_monitor_waits(struct exclusive_monitor *m, uint32_t thread, uint32_t address,
                             uint32_t size_bytes);

/* CLREX. */
void exclusive_monitor_clear(struct exclusive_monitor *m, uint32_t thread);

/* The thread stored to [address, address + size_bytes): clears what others reserved there. A store that
 * waited asks no longer. */
void exclusive_monitor_store(struct exclusive_monitor *m, uint32_t thread, uint32_t address,
                             uint32_t size_bytes);

#endif
