/*
 * atomic_loop: the loop of LDREX and STREX that every atomic operation is.
 *
 * All threads of a warp take their reservations with one LDREX. In each round one STREX for each address
 * succeeds and clears the reservations of the other threads with this address, which try again. So a warp
 * needs as many rounds as the largest number of its threads with the same address. A STREX fails only because
 * of another store to the granule, so one thread always makes progress, also between warps and clusters.
 * ICS-First raises the priority around the loop: finished threads wait for the threads that still try, and
 * all leave together.
 *
 * A comparison that fails stores nothing, so it does not make other stores fail: threads that update a word
 * by compare and exchange cost one store each, for any number of threads.
 *
 * A kernel must not build a lock by spinning on these functions within a warp: the spinning threads have a
 * higher priority than the thread with the lock, as on every SIMT machine.
 */
#ifndef RUNTIME_DEVICE_ATOMIC_LOOP_H
#define RUNTIME_DEVICE_ATOMIC_LOOP_H

#include "builtin.h"

/* Replaces the U at p by new_value, an expression of what was there: `old`, which it declares. */
#define EXCLUSIVE_LOOP(U, load, store, p, old, new_value)                                                    \
    U old;                                                                                                   \
    uint failed;                                                                                             \
    do {                                                                                                     \
        __asm__ volatile(load : "=&r"(old) : "r"(p) : "memory");                                             \
        const U desired = (U)(new_value);                                                                    \
        __asm__ volatile(store : "=&r"(failed) : "r"(desired), "r"(p) : "memory");                           \
    } while (failed != 0);
#define ATOMIC_LOOP(p, old, new_value)                                                                       \
    EXCLUSIVE_LOOP(uint, "ldrex %0, [%1]", "strex %0, %1, [%2]", p, old, new_value)
#define ATOMIC_LOOP_64(p, old, new_value)                                                                    \
    EXCLUSIVE_LOOP(ulong, "ldrexd %0, %H0, [%1]", "strexd %0, %1, %H1, [%2]", p, old, new_value)

/* Replaces the U at p by `value` if it is `expected`. Reservations that were not needed are cleared. */
#define COMPARE_LOOP(U, load, compare, store, p, old, expected, value)                                       \
    U old;                                                                                                   \
    uint failed;                                                                                             \
    do {                                                                                                     \
        __asm__ volatile(load : "=&r"(old) : "r"(p) : "memory");                                             \
        __asm__ volatile("mov %0, #0\n" compare "\n" store                                                   \
                         : "=&r"(failed)                                                                     \
                         : "r"((U)(value)), "r"(p), "r"(old), "r"((U)(expected))                             \
                         : "memory", "cc");                                                                  \
    } while (failed != 0);                                                                                   \
    __asm__ volatile("clrex" : : : "memory");
#define ATOMIC_LOOP_COMPARE(p, old, expected, value)                                                         \
    COMPARE_LOOP(uint, "ldrex %0, [%1]", "cmp %3, %4", "strexeq %0, %1, [%2]", p, old, expected, value)
#define ATOMIC_LOOP_64_COMPARE(p, old, expected, value)                                                      \
    COMPARE_LOOP(ulong, "ldrexd %0, %H0, [%1]", "cmp %Q3, %Q4\ncmpeq %R3, %R4",                              \
                 "strexdeq %0, %1, %H1, [%2]", p, old, expected, value)

#endif
