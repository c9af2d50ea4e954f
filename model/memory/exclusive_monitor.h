/*
 * exclusive_monitor: the reservations that LDREX makes and STREX spends, one per thread context of the
 * machine.
 *
 * A reservation covers one granule of memory. A store to the granule by another thread clears it, as does the
 * thread's own STREX (whether it stored or not) and CLREX; the thread's own plain stores do not. Asking is
 * cheap while nothing is reserved: callers test `reserved` before they report stores one by one.
 */
#ifndef MODEL_MEMORY_EXCLUSIVE_MONITOR_H
#define MODEL_MEMORY_EXCLUSIVE_MONITOR_H

#include <stdbool.h>
#include <stdint.h>

#define EXCLUSIVE_MONITOR_BINS 256 /* of the counting filter over granules */

struct exclusive_monitor {
    uint32_t threads;                     /* thread contexts watched: numbers 0 to threads − 1 */
    uint32_t reserved;                    /* reservations held now */
    unsigned granule_bits;                /* log2 of the granule's bytes */
    uint32_t *granule;                    /* per thread: the granule it reserved */
    uint64_t *holds;                      /* bit set over threads: who has a reservation */
    uint32_t window, window_bytes;        /* addresses that mean another place for each thread */
    uint32_t *offset;                     /* per thread: to that place */
    uint32_t bin[EXCLUSIVE_MONITOR_BINS]; /* reservations by granule modulo the number of bins */
};

/* Nothing reserved. granule_bytes: a power of two, 8 to 2048. Storage is allocated here (exits if there is
 * none). */
void exclusive_monitor_init(struct exclusive_monitor *m, uint32_t threads, uint32_t granule_bytes);
void exclusive_monitor_free(struct exclusive_monitor *m);

/* Addresses [window, window + window_bytes) are a view of memory of each thread's own, such as local memory,
 * offset bytes further on. All threads have offset 0 until they are given another. */
void exclusive_monitor_window(struct exclusive_monitor *m, uint32_t window, uint32_t window_bytes);
void exclusive_monitor_offset(struct exclusive_monitor *m, uint32_t thread, uint32_t offset);

/* LDREX: the thread's reservation is now the granule of address (an earlier one is forgotten). */
void exclusive_monitor_reserve(struct exclusive_monitor *m, uint32_t thread, uint32_t address);

/* STREX: whether the thread may store; its reservation is gone afterwards. The store itself is reported
 * apart. */
bool exclusive_monitor_spend(struct exclusive_monitor *m, uint32_t thread, uint32_t address);

/* CLREX. */
void exclusive_monitor_clear(struct exclusive_monitor *m, uint32_t thread);

/* The thread stored to [address, address + size_bytes): clears what others reserved there. */
void exclusive_monitor_store(struct exclusive_monitor *m, uint32_t thread, uint32_t address,
                             uint32_t size_bytes);

#endif
