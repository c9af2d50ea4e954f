/*
 * atomic: the 32-bit atomics on global and local memory, under both their names (atomic_, atom_).
 *
 * Each is a loop of LDREX and STREX. All threads of a warp take their reservations with one LDREX; of those that
 * share an address one STREX succeeds and clears the reservations of the others, which go round again: one thread
 * per address and round is done, so a warp needs as many rounds as it has threads on its most wanted address. A
 * STREX fails only because another store to the granule took place, hence somebody always makes progress, also
 * between warps and clusters. ICS-First raises the priority around the loop: threads that are done wait behind
 * those still trying and all leave together.
 * (A lock that a kernel builds by spinning on these is another matter: the spinning threads of a warp outrank the
 * one that got the lock, as on every SIMT machine. Kernels must not wait inside a warp.)
 */
#include "builtin.h"

#define ATOMIC_LOOP(p, old, new_value)                                                                         \
    uint old, failed;                                                                                          \
    do {                                                                                                       \
        __asm__ volatile("ldrex %0, [%1]" : "=&r"(old) : "r"(p) : "memory");                                   \
        const uint desired = (uint)(new_value);                                                                \
        __asm__ volatile("strex %0, %1, [%2]" : "=&r"(failed) : "r"(desired), "r"(p) : "memory");              \
    } while (failed != 0);

#define ATOMIC_OPERATION(prefix, space, T, operation, new_value)                                               \
    T OVERLOAD prefix##operation(volatile space T *p, T value) {                                               \
        ATOMIC_LOOP(p, old, new_value)                                                                         \
        return (T)old;                                                                                         \
    }
#define ATOMIC_STEP(prefix, space, T, operation, new_value)                                                    \
    T OVERLOAD prefix##operation(volatile space T *p) {                                                        \
        ATOMIC_LOOP(p, old, new_value)                                                                         \
        return (T)old;                                                                                         \
    }
/* Stores the old value back where the comparison fails: a plain exit would leave the reservation set. */
#define ATOMIC_COMPARE(prefix, space, T)                                                                       \
    T OVERLOAD prefix##cmpxchg(volatile space T *p, T expected, T value) {                                     \
        ATOMIC_LOOP(p, old, (T)old == expected ? (uint)value : old)                                            \
        return (T)old;                                                                                         \
    }

#define ATOMICS_OF(prefix, space, T)                                                                           \
    ATOMIC_OPERATION(prefix, space, T, add, old + (uint)value)                                                 \
    ATOMIC_OPERATION(prefix, space, T, sub, old - (uint)value)                                                 \
    ATOMIC_OPERATION(prefix, space, T, xchg, value)                                                            \
    ATOMIC_OPERATION(prefix, space, T, min, (T)old < value ? (T)old : value)                                   \
    ATOMIC_OPERATION(prefix, space, T, max, (T)old > value ? (T)old : value)                                   \
    ATOMIC_OPERATION(prefix, space, T, and, old & (uint)value)                                                 \
    ATOMIC_OPERATION(prefix, space, T, or, old | (uint)value)                                                  \
    ATOMIC_OPERATION(prefix, space, T, xor, old ^ (uint)value)                                                 \
    ATOMIC_STEP(prefix, space, T, inc, old + 1)                                                                \
    ATOMIC_STEP(prefix, space, T, dec, old - 1)                                                                \
    ATOMIC_COMPARE(prefix, space, T)
#define ATOMICS(prefix)                                                                                        \
    ATOMICS_OF(prefix, global, int)                                                                            \
    ATOMICS_OF(prefix, global, uint)                                                                           \
    ATOMICS_OF(prefix, local, int)                                                                             \
    ATOMICS_OF(prefix, local, uint)
ATOMICS(atomic_)
ATOMICS(atom_)

float OVERLOAD atomic_xchg(volatile global float *p, float value) {
    return as_float(atomic_xchg((volatile global uint *)p, as_uint(value)));
}
float OVERLOAD atomic_xchg(volatile local float *p, float value) {
    return as_float(atomic_xchg((volatile local uint *)p, as_uint(value)));
}
