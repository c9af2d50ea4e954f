/* atomic: the 32-bit atomics on global and local memory, under both their names (atomic_, atom_). */
#include "atomic_loop.h"

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
