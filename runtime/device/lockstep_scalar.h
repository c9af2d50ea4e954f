/*
 * lockstep_scalar.h: scalar kernels (docs/scalar-unit.md), for OpenCL C. Lockstep finds it by itself:
 * #include <lockstep_scalar.h>. It compiles on other platforms, too, where LOCKSTEP_SCALAR is 0: there a
 * scalar kernel is an ordinary one, which the host does not launch.
 *
 *   LOCKSTEP_SCALAR_OF(kernel)   before a kernel with the same parameters: it is the other's scalar kernel;
 *                                one thread of each work-group runs it beside the work-items
 *   LOCKSTEP_PREFETCH_OF(kernel) likewise, of one that only loads ahead: it stores nothing, and nothing that
 *                                it loads decides what it does or where it loads; what it loads outside
 *                                every buffer is 0
 *   LOCKSTEP_SHARED              before a __local variable of a kernel, and before one of the same name and
 *                                type of its scalar kernel: they are one
 *   void lockstep_sync(k)        k a constant; 0: barrier(CLK_LOCAL_MEM_FENCE); else a barrier of the
 *                                work-items and the scalar thread, which both sides call
 *   ulong lockstep_clock()       cycles of the cluster's clock: read when all that the thread has begun is
 *                                there
 *   uint lockstep_groups_in_flight()   work-groups of this launch that the machine holds at once
 *   void lockstep_note(uint n)   of a scalar thread: counts n in the statistics (histogram 'noted')
 */
#ifndef LOCKSTEP_SCALAR_H
#define LOCKSTEP_SCALAR_H

#ifdef __LOCKSTEP__

#define LOCKSTEP_SCALAR            1
#define LOCKSTEP_SCALAR_OF(kernel) __attribute__((annotate("lockstep.scalar_of=" #kernel)))
#define LOCKSTEP_PREFETCH_OF(kernel)                                                                         \
    __attribute__((annotate("lockstep.scalar_of=" #kernel), annotate("lockstep.prefetch")))

#define LOCKSTEP_SHARED __attribute__((annotate("lockstep.shared")))

#define lockstep_sync(k)                                                                                     \
    __builtin_choose_expr((k) != 0, lockstep_sync_with_scalar(), barrier(CLK_LOCAL_MEM_FENCE))

static inline void lockstep_sync_with_scalar(void) {
    __asm__ volatile("mcr p7, 0, r0, c4, c0, 1" ::: "memory");
}

static inline ulong lockstep_clock(void) {
    uint low, high;
    __asm__ volatile("mrrc p7, 8, %0, %1, c8" : "=r"(low), "=r"(high)::"memory");
    return (ulong)high << 32 | low;
}

static inline uint lockstep_groups_in_flight(void) {
    uint groups;
    __asm__("mrc p7, 0, %0, c2, c3, 1" : "=r"(groups));
    return groups;
}

static inline void lockstep_note(uint n) {
    __asm__ volatile("mcr p7, 0, %0, c4, c0, 2" ::"r"(n));
}

#else

#define LOCKSTEP_SCALAR 0
#define LOCKSTEP_SCALAR_OF(kernel)
#define LOCKSTEP_PREFETCH_OF(kernel)
#define LOCKSTEP_SHARED
#define lockstep_sync(k)            barrier(CLK_LOCAL_MEM_FENCE)
#define lockstep_clock()            ((ulong)0)
#define lockstep_groups_in_flight() ((uint)1)
#define lockstep_note(n)            ((void)(n))

#endif
#endif
