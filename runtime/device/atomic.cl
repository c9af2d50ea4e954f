/* atomic: atomics on global and local memory: of 32 bits under both their names (atomic_, atom_), of 64 as atom_. */
#include "atomic_loop.h"

#define ATOMIC_OPERATION(loop, U, prefix, space, T, operation, new_value)                                      \
    T OVERLOAD prefix##operation(volatile space T *p, T value) {                                               \
        loop(p, old, new_value)                                                                                \
        return (T)old;                                                                                         \
    }
#define ATOMIC_STEP(loop, U, prefix, space, T, operation, new_value)                                           \
    T OVERLOAD prefix##operation(volatile space T *p) {                                                        \
        loop(p, old, new_value)                                                                                \
        return (T)old;                                                                                         \
    }
#define ATOMIC_COMPARE(loop, U, prefix, space, T)                                                              \
    T OVERLOAD prefix##cmpxchg(volatile space T *p, T expected, T value) {                                     \
        loop##_COMPARE(p, old, expected, value)                                                                \
        return (T)old;                                                                                         \
    }

#define ATOMICS_OF(loop, U, prefix, space, T)                                                                  \
    ATOMIC_OPERATION(loop, U, prefix, space, T, add, old + (U)value)                                           \
    ATOMIC_OPERATION(loop, U, prefix, space, T, sub, old - (U)value)                                           \
    ATOMIC_OPERATION(loop, U, prefix, space, T, xchg, value)                                                   \
    ATOMIC_OPERATION(loop, U, prefix, space, T, min, (T)old < value ? (T)old : value)                          \
    ATOMIC_OPERATION(loop, U, prefix, space, T, max, (T)old > value ? (T)old : value)                          \
    ATOMIC_OPERATION(loop, U, prefix, space, T, and, old & (U)value)                                           \
    ATOMIC_OPERATION(loop, U, prefix, space, T, or, old | (U)value)                                            \
    ATOMIC_OPERATION(loop, U, prefix, space, T, xor, old ^ (U)value)                                           \
    ATOMIC_STEP(loop, U, prefix, space, T, inc, old + 1)                                                       \
    ATOMIC_STEP(loop, U, prefix, space, T, dec, old - 1)                                                       \
    ATOMIC_COMPARE(loop, U, prefix, space, T)
#define ATOMICS(loop, U, S, prefix)                                                                            \
    ATOMICS_OF(loop, U, prefix, global, S)                                                                     \
    ATOMICS_OF(loop, U, prefix, global, U)                                                                     \
    ATOMICS_OF(loop, U, prefix, local, S)                                                                      \
    ATOMICS_OF(loop, U, prefix, local, U)
ATOMICS(ATOMIC_LOOP, uint, int, atomic_)
ATOMICS(ATOMIC_LOOP, uint, int, atom_)
ATOMICS(ATOMIC_LOOP_64, ulong, long, atom_)

float OVERLOAD atomic_xchg(volatile global float *p, float value) {
    return as_float(atomic_xchg((volatile global uint *)p, as_uint(value)));
}
float OVERLOAD atomic_xchg(volatile local float *p, float value) {
    return as_float(atomic_xchg((volatile local uint *)p, as_uint(value)));
}
