/*
 * arm_semantics_memory: the meaning of each load and store, written once (arm_lanes.h has the macros).
 * Included by arm_warp.c and arm_thread.c only.
 *
 * All addresses are checked first: a fault leaves every thread unchanged. Usually all threads access the
 * region that the instruction accessed last, which takes one comparison per thread; else each thread finds
 * its own.
 */
#ifndef MODEL_ARM_ARM_SEMANTICS_MEMORY_H
#define MODEL_ARM_ARM_SEMANTICS_MEMORY_H

#include "model/arm/arm_lanes.h"
#include "model/control/exclusive_monitor.h"
#include "model/memory/store_log.h"

typedef uint32_t __attribute__((aligned(1), may_alias)) memory_word;
typedef uint16_t __attribute__((aligned(1), may_alias)) memory_half;

#ifndef ARM_THREAD
#include "model/arm/arm_stack_objects.h"
#endif

/* Places of the threads' data in host memory. */
struct access {
    bool one_region;
    bool side_by_side, same; /* full mask: the data are adjacent in the order of threads; all at one place */
    uint8_t *host;           /* one region: host address of the simulated address `base` */
    uint32_t base;
    enum memory_kind kind;   /* one region: its kind */
    uint8_t *each[LANE_ROW]; /* otherwise: place of each thread's data */
#ifndef ARM_THREAD
    struct stack_access stack; /* otherwise, if not empty: data in TPOs */
#endif
};

/* Writes the address of every lane to x->address, and the new base registers to `updated`. */
INLINE void addresses(const struct arm_instruction *i, const struct arm_threads *t, struct arm_execution *x,
                      uint32_t *updated) {
    const uint32_t *n = ROW(i->rn);
    uint32_t *address = x->address;
    if (!i->register_offset) {
        const uint32_t offset = i->immediate, before = i->pre_index ? offset : 0;
        ALL_LANES(address[k] = n[k] + before;);
        if (LANE_ROW == 1 || i->write_back) ALL_LANES(updated[k] = n[k] + offset;);
        return;
    }
    uint32_t shifted[LANE_ROW];
    const uint32_t *m = ROW(i->rm);
    if (i->shift != ARM_SHIFT_NONE) {
        shift_rows(i, t, shifted);
        m = shifted;
    }
    const uint32_t negative = i->subtract ? ~0u : 0, before = i->pre_index ? ~0u : 0;
    ALL_LANES(const uint32_t offset = (m[k] ^ negative) - negative; address[k] = n[k] + (offset & before);
              updated[k] = n[k] + offset;);
}

INLINE void write_back(const struct arm_instruction *i, struct arm_threads *t, uint64_t mask,
                       const uint32_t *updated) {
    uint32_t *n = ROW(i->rn);
    if (i->write_back) LANES(PUT(n, updated[k]););
}

/* Checks whether one thread may access its address; if so, returns its place and the kind of memory, and
 * remembers the region. */
static inline enum arm_fault access_one(struct arm_instruction *i, const struct arm_threads *t, unsigned k,
                                        uint32_t address, uint32_t bytes, uint32_t align_bits, uint8_t **host,
                                        enum memory_kind *kind) {
    if (address & align_bits) return ARM_FAULT_MISALIGNED;
    int index = memory_find(t->memory, address, bytes);
    if (index < 0) index = memory_find_outside(t->memory, i->pc, i->is_store, address, bytes);
    if (index < 0) return ARM_FAULT_UNMAPPED;
    const struct memory_region *r = &t->memory->region[index];
    if (i->is_store && !r->writable && !memory_write_passes(t->memory, index, i->pc, address, bytes))
        return ARM_FAULT_READ_ONLY;
    *kind = r->kind;
    if (r->kind == MEMORY_STACK && t->stack_top && t->stack_top[k] - bytes - address > t->stack_size - bytes)
        return ARM_FAULT_FOREIGN_STACK;
    __atomic_store_n(&i->hint, (uint16_t)index, __ATOMIC_RELAXED); /* other host threads may write, too */
    *host = r->host + (address - r->base);
    return ARM_FAULT_NONE;
}

#ifdef ARM_THREAD
INLINE bool inside(const struct arm_threads *t, uint64_t mask, const uint32_t *address, uint32_t bytes,
                   uint32_t align_bits, uint32_t base, uint32_t most, struct access *a) {
    (void)t, (void)mask, (void)bytes, (void)a;
    return address[0] - base <= most && !(address[0] & align_bits);
}
#else
INLINE bool inside(const struct arm_threads *t, uint64_t mask, const uint32_t *address, uint32_t bytes,
                   uint32_t align_bits, uint32_t base, uint32_t most, struct access *a) {
    const unsigned lanes = COUNT(t);
    uint32_t outside = 0, apart = 0, strewn = 0;
    if (mask == full_mask(lanes)) {
        const uint32_t first = address[0];
        EACH_LANE(lanes, outside |= (address[k] - base > most ? 1 : 0) | (address[k] & align_bits);
                  apart |= address[k] ^ first; strewn |= address[k] ^ (first + k * bytes));
        a->same = !apart;
        a->side_by_side = !strewn;
    } else {
        uint32_t lane_mask[LANE_ROW];
        spread_mask(mask, lanes, lane_mask);
        for (unsigned k = 0; k < lanes; k++)
            outside |= ((address[k] - base > most ? 1 : 0) | (address[k] & align_bits)) & lane_mask[k];
    }
    return !outside;
}
#endif

/* Returns whether all threads access their own stacks, if the region is of stacks. */
INLINE bool own_stacks(const struct arm_threads *t, uint64_t mask, const uint32_t *address, uint32_t bytes) {
    const uint32_t *top = t->stack_top, depth = t->stack_size - bytes;
    uint64_t own = 0;
    TRUE_LANES(own, top[k] - bytes - address[k] <= depth);
    return !(mask & ~own);
}

/* Returns whether all threads of the mask access the region accessed last. */
INLINE bool access_hinted(const struct arm_instruction *i, const struct arm_threads *t, uint64_t mask,
                          const uint32_t *address, uint32_t bytes, uint32_t align_bits, struct access *a) {
    const struct memory_region *r = &t->memory->region[__atomic_load_n(&i->hint, __ATOMIC_RELAXED)];
    a->base = r->base;
    a->host = r->host;
    a->kind = r->kind;
    a->side_by_side = a->same = false;
    if (r->size_bytes < bytes || (i->is_store && !r->writable)) return false;
    if (!inside(t, mask, address, bytes, align_bits, r->base, r->size_bytes - bytes, a)) return false;
    return r->kind != MEMORY_STACK || !t->stack_top || own_stacks(t, mask, address, bytes);
}

/* Returns whether other SMs see memory of this kind. */
static inline bool is_shared(enum memory_kind kind) {
    return kind != MEMORY_LOCAL && kind != MEMORY_STACK;
}

/* Finds the region of each thread of the mask. `in_stack` gets the threads that access their stacks, `shared`
 * threads that access memory that other SMs see. */
INLINE bool access_each(struct arm_instruction *i, const struct arm_threads *t, uint64_t mask,
                        struct arm_execution *x, uint32_t bytes, uint32_t align_bits, struct access *a,
                        uint64_t *in_stack, uint64_t *shared) {
    PASSED_LANES(enum memory_kind of; enum arm_fault kind = access_one(i, t, k, x->address[k], bytes,
                                                                       align_bits, &a->each[k], &of);
                 if (kind != ARM_FAULT_NONE) {
                     fault(x, kind, k, x->address[k]);
                     return false;
                 } if (of == MEMORY_STACK && t->stack_top) *in_stack |= UINT64_C(1) << k;
                 if (is_shared(of)) *shared |= UINT64_C(1) << k;);
    return true;
}

/* Makes the access through the log of stores that are not in memory yet: stores of the `shared` threads go
 * into the log, and loads return memory with the logged stores applied. */
static __attribute__((noinline)) void through_log(const struct arm_instruction *i,
                                                  const struct arm_threads *t, uint64_t mask,
                                                  const uint32_t *address, uint32_t bytes, uint64_t shared,
                                                  struct access *a) {
    struct store_log *const log = t->log;
    const unsigned lanes = COUNT(t);
    bool logged = i->is_store;
    if (i->is_store) store_log_reserve(log, lanes, (size_t)lanes * bytes);
    if (i->is_store && a->one_region && a->side_by_side) {
        a->host = store_log_add(log, a->host + (address[0] - a->base), lanes * bytes);
        a->base = address[0];
        return;
    }
    for (uint64_t left = mask; left; left &= left - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(left);
        if (a->one_region) a->each[k] = a->host + (address[k] - a->base);
        if (!(shared >> k & 1)) continue;
        if (i->is_store) {
            a->each[k] = store_log_add(log, a->each[k], bytes);
        } else if (store_log_may_have(log, a->each[k], bytes)) {
            store_log_read(log, a->each[k], bytes, log->read[k]);
            a->each[k] = log->read[k];
            logged = true;
        }
    }
    if (logged) a->one_region = false;
}

/* Makes the access through the log, if there is one and the access concerns it. */
INLINE void access_log(const struct arm_instruction *i, const struct arm_threads *t, uint64_t mask,
                       const uint32_t *address, uint32_t bytes, uint64_t shared, struct access *a) {
    if (!t->log || (!i->is_store && !t->log->count)) return;
    if (a->one_region) shared = is_shared(a->kind) ? mask : 0;
    if (shared) through_log(i, t, mask, address, bytes, shared, a);
}

/* Checks the accesses of the mask's threads to x->address. Returns false with the fault in x. */
#ifdef ARM_THREAD
INLINE bool access_check(struct arm_instruction *i, const struct arm_threads *t, uint64_t mask,
                         struct arm_execution *x, uint32_t bytes, uint32_t align_bits, struct access *a) {
    uint64_t in_stack = 0, shared = 0;
    a->one_region = access_hinted(i, t, mask, x->address, bytes, align_bits, a);
    if (!a->one_region && !access_each(i, t, mask, x, bytes, align_bits, a, &in_stack, &shared)) return false;
    access_log(i, t, mask, x->address, bytes, shared, a);
    return true;
}
#else
INLINE bool access_check(struct arm_instruction *i, const struct arm_threads *t, uint64_t mask,
                         struct arm_execution *x, uint32_t bytes, uint32_t align_bits, struct access *a) {
    uint64_t in_stack = 0, shared = 0;
    a->stack.row = NULL;
    a->stack.step = 4;
    a->stack.copied = 0;
    a->one_region = access_hinted(i, t, mask, x->address, bytes, align_bits, a);
    if (!a->one_region) {
        if (!access_each(i, t, mask, x, bytes, align_bits, a, &in_stack, &shared)) return false;
    } else if (a->kind == MEMORY_STACK && t->stack_top) {
        in_stack = mask;
    }
    x->in_stack = in_stack;
    if (UNLIKELY(in_stack) && t->stack_objects) {
        const bool rows = in_stack == mask && stack_rows(&a->stack, t, mask, x->address, bytes);
        if (!rows && a->one_region) PASSED_LANES(a->each[k] = a->host + (x->address[k] - a->base););
        if (rows || stack_access_begin(&a->stack, t, in_stack, x->address, bytes, i->is_load, a->each))
            a->one_region = false;
    }
    access_log(i, t, mask, x->address, bytes, shared, a);
    return true;
}
#endif

#ifdef ARM_THREAD
#define TRANSFER(...)                                                                                        \
    do {                                                                                                     \
        const unsigned k = 0;                                                                                \
        uint8_t *const p = at.one_region ? at.host + (x->address[0] - at.base) : at.each[0];                 \
        __VA_ARGS__                                                                                          \
    } while (0)
#define LOAD_TRANSFER(bytes, ...)  TRANSFER(__VA_ARGS__)
#define STORE_TRANSFER(bytes, ...) TRANSFER(__VA_ARGS__)
#define WORD(p, index)             (((memory_word *)(p))[index])
#else
/* Stores in the order of positions, so that the highest one wins if threads store to the same place. */
#define TRANSFER(...)                                                                                        \
    do {                                                                                                     \
        const unsigned lanes_ = COUNT(t);                                                                    \
        if (at.one_region && mask == full_mask(lanes_)) {                                                    \
            const uint32_t *const address_ = x->address;                                                     \
            uint8_t *const host_ = at.host;                                                                  \
            const uint32_t base_ = at.base;                                                                  \
            for (unsigned k = 0; k < lanes_; k++) {                                                          \
                uint8_t *const p = host_ + (address_[k] - base_);                                            \
                __VA_ARGS__                                                                                  \
            }                                                                                                \
        } else {                                                                                             \
            PASSED_LANES(uint8_t *const p = at.one_region  ? at.host + (x->address[k] - at.base)             \
                                            : at.stack.row ? at.stack.row + (size_t)k * 4                    \
                                                           : at.each[k];                                     \
                         __VA_ARGS__);                                                                       \
        }                                                                                                    \
    } while (0)

/* Adjacent data are one vector; rows of registers are neither in simulated memory nor stack objects. */
#define SIDE_BY_SIDE(first, bytes, ...)                                                                      \
    do {                                                                                                     \
        const unsigned lanes_ = COUNT(t);                                                                    \
        uint8_t *const first_ = (first);                                                                     \
        EACH_LANE(lanes_, uint8_t *const p = first_ + k * (bytes); __VA_ARGS__)                              \
    } while (0)
#define FIRST_DATUM (at.host + (x->address[0] - at.base))
#define LOAD_TRANSFER(bytes, ...)                                                                            \
    do {                                                                                                     \
        if (at.one_region && at.side_by_side)                                                                \
            SIDE_BY_SIDE(FIRST_DATUM, bytes, __VA_ARGS__);                                                   \
        else if (at.one_region && at.same)                                                                   \
            SIDE_BY_SIDE(FIRST_DATUM, 0, __VA_ARGS__);                                                       \
        else if (at.stack.row && mask == full_mask(COUNT(t)))                                                \
            SIDE_BY_SIDE(at.stack.row, 4, __VA_ARGS__);                                                      \
        else                                                                                                 \
            TRANSFER(__VA_ARGS__);                                                                           \
    } while (0)
#define STORE_TRANSFER(bytes, ...)                                                                           \
    do {                                                                                                     \
        if (at.one_region && at.side_by_side)                                                                \
            SIDE_BY_SIDE(FIRST_DATUM, bytes, __VA_ARGS__);                                                   \
        else if (at.stack.row && mask == full_mask(COUNT(t)))                                                \
            SIDE_BY_SIDE(at.stack.row, 4, __VA_ARGS__);                                                      \
        else                                                                                                 \
            TRANSFER(__VA_ARGS__);                                                                           \
    } while (0)
/* The words of one access are not adjacent in TPOs. */
#define WORD(p, index) (*(memory_word *)((p) + (ptrdiff_t)(index)*at.stack.step))
#endif

/* Writes copies of stack objects to their places after the threads have stored. */
INLINE void access_end(const struct access *a, const struct arm_threads *t, const struct arm_execution *x,
                       uint32_t bytes) {
#ifdef ARM_THREAD
    (void)a, (void)t, (void)x, (void)bytes;
#else
    if (UNLIKELY(a->stack.copied & x->stored)) stack_access_end(&a->stack, t, x->stored, x->address, bytes);
#endif
}

/* Clears other threads' reservations of the stored places. */
INLINE void stored(const struct arm_instruction *i, const struct access *a, struct arm_threads *t,
                   uint64_t mask, struct arm_execution *x, uint32_t bytes) {
    x->stored = mask;
    access_end(a, t, x, bytes);
    if (!t->monitor || !(t->monitor->reserved | t->monitor->asking)) return;
    t->monitor->pc = i->pc;
    PASSED_LANES(exclusive_monitor_store(t->monitor, t->first_thread + k, x->address[k], bytes););
}

/* Returns whether a core's store must wait for a thread that holds one of its granules. The instruction has
 * then not executed. */
INLINE bool must_wait(struct arm_threads *t, struct arm_execution *x, uint32_t bytes) {
#ifdef ARM_THREAD
    if (!UNLIKELY(t->waits && t->monitor && t->monitor->asking)) return false;
    if (!exclusive_monitor_waits(t->monitor, t->first_thread, x->address[0], bytes)) return false;
    x->fault = ARM_FAULT_HELD;
    return true;
#else
    (void)t, (void)x, (void)bytes;
    return false;
#endif
}

#define LOAD(name, bytes, align_bits, ...) LOAD_CHECKED(name, bytes, align_bits, true, __VA_ARGS__)
#define LOAD_CHECKED(name, bytes, align_bits, check, ...)                                                    \
    ARM_OPERATION(name) {                                                                                    \
        BEGIN;                                                                                               \
        uint32_t updated[LANE_ROW];                                                                          \
        struct access at;                                                                                    \
        addresses(i, t, x, updated);                                                                         \
        if (!access_check(i, t, mask, x, bytes, align_bits, &at)) return;                                    \
        uint32_t *const d = ROW(i->rd), *const d2 = ROW(i->rd + 1);                                          \
        (void)d2;                                                                                            \
        LOAD_TRANSFER(bytes, __VA_ARGS__);                                                                   \
        if (!(check)) return;                                                                                \
        write_back(i, t, mask, updated);                                                                     \
    }
#define STORE(name, bytes, align_bits, ...)                                                                  \
    ARM_OPERATION(name) {                                                                                    \
        BEGIN;                                                                                               \
        uint32_t updated[LANE_ROW];                                                                          \
        struct access at;                                                                                    \
        addresses(i, t, x, updated);                                                                         \
        if (!access_check(i, t, mask, x, bytes, align_bits, &at) || must_wait(t, x, bytes)) return;          \
        const uint32_t *const d = ROW(i->rd), *const d2 = ROW(i->rd + 1);                                    \
        (void)d2;                                                                                            \
        STORE_TRANSFER(bytes, __VA_ARGS__);                                                                  \
        stored(i, &at, t, mask, x, bytes);                                                                   \
        write_back(i, t, mask, updated);                                                                     \
    }
#define HALF(p) (*(memory_half *)(p))

LOAD(ldr, 4, 0, d[k] = WORD(p, 0);)
LOAD_CHECKED(ldr_pc, 4, 3, targets_are_arm(d, mask, x), d[k] = WORD(p, 0);)
LOAD(ldrb, 1, 0, d[k] = *p;)
LOAD(ldrh, 2, 0, d[k] = HALF(p);)
LOAD(ldrsb, 1, 0, d[k] = (uint32_t)(int8_t)*p;)
LOAD(ldrsh, 2, 0, d[k] = (uint32_t)(int16_t)HALF(p);)
LOAD(ldrd, 8, 3, d[k] = WORD(p, 0); d2[k] = WORD(p, 1);)
LOAD(vldr_f32, 4, 3, d[k] = WORD(p, 0);)
LOAD(vldr_f64, 8, 3, d[k] = WORD(p, 0); d2[k] = WORD(p, 1);)
STORE(str, 4, 0, WORD(p, 0) = d[k];)
STORE(strb, 1, 0, *p = (uint8_t)d[k];)
STORE(strh, 2, 0, HALF(p) = (uint16_t)d[k];)
STORE(strd, 8, 3, WORD(p, 0) = d[k]; WORD(p, 1) = d2[k];)
STORE(vstr_f32, 4, 3, WORD(p, 0) = d[k];)
STORE(vstr_f64, 8, 3, WORD(p, 0) = d[k]; WORD(p, 1) = d2[k];)

/* --- multiple --- */

/* The immediate is the offset of the lowest address from the base. The register list has core registers (rows
 * of the list's bits) or VFP registers (rows from rd). */

INLINE void block_addresses(const struct arm_instruction *i, const struct arm_threads *t,
                            struct arm_execution *x, uint32_t *updated) {
    const uint32_t *n = ROW(i->rn), lowest = i->immediate;
    const uint32_t words = i->shift_amount, step = i->subtract ? 0u - words * 4 : words * 4;
    uint32_t *address = x->address;
    ALL_LANES(const uint32_t base = n[k]; address[k] = base + lowest; updated[k] = base + step;);
}

#define BLOCK_BEGIN                                                                                          \
    BEGIN;                                                                                                   \
    uint32_t updated[LANE_ROW];                                                                              \
    struct access at;                                                                                        \
    block_addresses(i, t, x, updated);                                                                       \
    if (!access_check(i, t, mask, x, i->access_bytes, 3, &at)) return

ARM_OPERATION(ldm) {
    BLOCK_BEGIN;
    unsigned word = 0;
    if (i->writes_pc) {
        uint32_t *const pc = ROW(15);
        TRANSFER(pc[k] = WORD(p, i->access_count - 1););
        if (!targets_are_arm(pc, mask, x)) return;
    }
    for (unsigned list = i->register_list; list; list &= list - 1, word++) {
        uint32_t *const d = ROW(__builtin_ctz(list));
        LOAD_TRANSFER(i->access_bytes, d[k] = WORD(p, word););
    }
    write_back(i, t, mask, updated);
}

ARM_OPERATION(stm) {
    BLOCK_BEGIN;
    if (must_wait(t, x, i->access_bytes)) return;
    uint8_t row[16];
    unsigned words = 0;
    for (unsigned list = i->register_list; list; list &= list - 1)
        row[words++] = (uint8_t)__builtin_ctz(list);
    STORE_TRANSFER(i->access_bytes, for (unsigned w = 0; w < words; w++) WORD(p, w) = ROW(row[w])[k];);
    stored(i, &at, t, mask, x, i->access_bytes);
    write_back(i, t, mask, updated);
}

ARM_OPERATION(vldm) {
    BLOCK_BEGIN;
    for (unsigned w = 0; w < i->access_count; w++) {
        uint32_t *const d = ROW(i->rd + w);
        LOAD_TRANSFER(i->access_bytes, d[k] = WORD(p, w););
    }
    write_back(i, t, mask, updated);
}

ARM_OPERATION(vstm) {
    BLOCK_BEGIN;
    if (must_wait(t, x, i->access_bytes)) return;
    STORE_TRANSFER(i->access_bytes,
                   for (unsigned w = 0; w < i->access_count; w++) WORD(p, w) = ROW(i->rd + w)[k];);
    stored(i, &at, t, mask, x, i->access_bytes);
    write_back(i, t, mask, updated);
}

/* --- exclusives --- */

/* Makes the reservations. The other threads of the warp, which runs without them, lose their turns, unless
 * they run at the same time (`apart`). */
static inline void reserve(struct arm_threads *t, uint64_t mask, const struct arm_execution *x) {
    if (!t->monitor) return;
    const bool together = !t->monitor->apart;
    for (unsigned k = 0; together && k < t->positions && t->monitor->asking; k++)
        if (!(mask >> k & 1)) exclusive_monitor_give_up(t->monitor, t->first_thread + k);
    PASSED_LANES(exclusive_monitor_reserve(t->monitor, t->first_thread + k, x->address[k]););
}

/* Ends the asks of threads whose condition fails. */
static void give_up(const struct arm_instruction *i, const struct arm_threads *t, uint64_t mask) {
    if (!t->monitor || !t->monitor->asking) return;
    for (uint64_t rest = mask & ~passed_threads(i, t, mask); rest; rest &= rest - 1)
        exclusive_monitor_give_up(t->monitor, t->first_thread + (uint32_t)__builtin_ctzll(rest));
}

#define LOAD_EXCLUSIVE(name, bytes, ...)                                                                     \
    ARM_OPERATION(name) {                                                                                    \
        BEGIN;                                                                                               \
        uint32_t updated[LANE_ROW];                                                                          \
        struct access at;                                                                                    \
        addresses(i, t, x, updated);                                                                         \
        if (!access_check(i, t, mask, x, bytes, (bytes)-1, &at)) return;                                     \
        uint32_t *const d = ROW(i->rd), *const d2 = ROW(i->rd + 1);                                          \
        (void)d2;                                                                                            \
        TRANSFER(__VA_ARGS__);                                                                               \
        reserve(t, mask, x);                                                                                 \
    }
/* Executes one thread after the other: a store clears the reservations of later threads. */
#define STORE_EXCLUSIVE(name, bytes, ...)                                                                    \
    ARM_OPERATION(name) {                                                                                    \
        if (i->condition != 14) give_up(i, t, mask);                                                         \
        BEGIN;                                                                                               \
        uint32_t updated[LANE_ROW];                                                                          \
        struct access at;                                                                                    \
        addresses(i, t, x, updated);                                                                         \
        if (!access_check(i, t, mask, x, bytes, (bytes)-1, &at)) return;                                     \
        uint32_t *const status = ROW(i->rd);                                                                 \
        const uint32_t *const m = ROW(i->rm), *const m2 = ROW(i->rm + 1);                                    \
        (void)m2;                                                                                            \
        if (t->monitor) t->monitor->pc = i->pc;                                                              \
        TRANSFER(                                                                                            \
            if (t->monitor && !exclusive_monitor_spend(t->monitor, t->first_thread + k, x->address[k])) {    \
                status[k] = 1;                                                                               \
            } else {                                                                                         \
                __VA_ARGS__ status[k] = 0;                                                                   \
                x->stored |= UINT64_C(1) << k;                                                               \
                if (t->monitor)                                                                              \
                    exclusive_monitor_store(t->monitor, t->first_thread + k, x->address[k], bytes);          \
            });                                                                                              \
        access_end(&at, t, x, bytes);                                                                        \
    }
LOAD_EXCLUSIVE(ldrex, 4, d[k] = WORD(p, 0);)
LOAD_EXCLUSIVE(ldrexb, 1, d[k] = *p;)
LOAD_EXCLUSIVE(ldrexh, 2, d[k] = HALF(p);)
LOAD_EXCLUSIVE(ldrexd, 8, d[k] = WORD(p, 0); d2[k] = WORD(p, 1);)
STORE_EXCLUSIVE(strex, 4, WORD(p, 0) = m[k];)
STORE_EXCLUSIVE(strexb, 1, *p = (uint8_t)m[k];)
STORE_EXCLUSIVE(strexh, 2, HALF(p) = (uint16_t)m[k];)
STORE_EXCLUSIVE(strexd, 8, WORD(p, 0) = m[k]; WORD(p, 1) = m2[k];)

#endif
