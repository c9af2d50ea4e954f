/*
 * arm_stack_objects: the places of stack words that are thread-privatisation objects, for a warp's loads and
 * stores (dual-mode §3.6; tpo_address.h). Part of arm_semantics_memory.h in its warp form.
 *
 * The word of index n is in row stack_row + n if n is below stack_objects; deeper words are in memory.
 * Usually all threads access the same words: then a warp's data are adjacent in one row, and each further
 * word of a multiple access is in the row before. Otherwise each thread has its own place: the word, if it
 * accesses one only, or a copy of all accessed bytes, gathered before and, for a store, scattered after the
 * access.
 */
#ifndef MODEL_ARM_ARM_STACK_OBJECTS_H
#define MODEL_ARM_ARM_STACK_OBJECTS_H

#include "model/arm/arm_lanes.h"
#include "model/control/tpo_address.h"

#define STACK_ACCESS_BYTES 128 /* bytes of the largest access: VLDM of 32 words */

struct stack_access {
    uint8_t *row;    /* place for position 0 if all threads of the mask access the same words; else NULL */
    int32_t step;    /* distance in bytes from a word of an access to the next */
    uint64_t copied; /* threads that access a copy, and for these: */
    uint8_t *memory[ARM_MAX_POSITIONS]; /* places of their data in memory */
    uint8_t copy[ARM_MAX_POSITIONS][STACK_ACCESS_BYTES];
};

/* Returns the host address of a byte of a thread's stack if it is in an object; else NULL. */
static inline uint8_t *stack_object(const struct arm_threads *t, unsigned k, uint32_t address) {
    const uint32_t index = tpo_stack_index(t->stack_size, address);
    if (index >= t->stack_objects) return NULL;
    return (uint8_t *)&t->registers[(t->stack_row + index) * t->positions + k] + (address & 3);
}

/* Executes the arguments for each piece of an access within one word, with `place`, `at_` (offset in the
 * access) and `length`. */
#define EACH_PIECE(...)                                                                                      \
    for (uint32_t at_ = 0, length; at_ < bytes; at_ += length) {                                             \
        const uint32_t rest_ = bytes - at_, in_word_ = 4 - ((address + at_) & 3);                            \
        length = rest_ < in_word_ ? rest_ : in_word_;                                                        \
        uint8_t *const object_ = stack_object(t, k, address + at_);                                          \
        uint8_t *const place = object_ ? object_ : a->memory[k] + at_;                                       \
        __VA_ARGS__;                                                                                         \
    }

static inline void stack_gather(const struct stack_access *a, const struct arm_threads *t, unsigned k,
                                uint32_t address, uint32_t bytes, uint8_t *copy_) {
    EACH_PIECE(memcpy(copy_ + at_, place, length));
}

/* Sets the row if all threads of the mask access the same words, which are in objects; else returns false. */
static inline bool stack_rows(struct stack_access *a, const struct arm_threads *t, uint64_t mask,
                              const uint32_t *address, uint32_t bytes) {
    const uint32_t first = address[__builtin_ctzll(mask)], inside = t->stack_size - 1;
    uint64_t same = 0;
    if ((first & 3) + bytes > 4 && first & 3) return false;
    if (tpo_stack_index(t->stack_size, first) >= t->stack_objects) return false;
    TRUE_LANES(same, !((address[k] ^ first) & inside));
    if (mask & ~same) return false;
    a->row = stack_object(t, 0, first);
    a->step = -4 * (int32_t)t->positions;
    return true;
}

/* Sets the places of the accesses of the threads `in_stack`, which access their own stacks. `each` has their
 * places in memory and gets the new places. Returns false if none is in an object; `each` is unchanged. */
static __attribute__((noinline)) bool stack_access_begin(struct stack_access *a, const struct arm_threads *t,
                                                         uint64_t in_stack, const uint32_t *address,
                                                         uint32_t bytes, bool gather, uint8_t **each) {
    bool any = false;
    for (uint64_t left = in_stack; left; left &= left - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(left);
        uint8_t *const last = stack_object(t, k, address[k] + bytes - 1);
        if (!last) continue; /* the whole access is deeper than the objects */
        any = true;
        if ((address[k] & 3) + bytes <= 4) {
            each[k] = last - (bytes - 1);
            continue;
        }
        a->copied |= UINT64_C(1) << k;
        a->memory[k] = each[k];
        each[k] = a->copy[k];
        if (gather) stack_gather(a, t, k, address[k], bytes, a->copy[k]);
    }
    return any;
}

static __attribute__((noinline)) void stack_access_end(const struct stack_access *a,
                                                       const struct arm_threads *t, uint64_t stored,
                                                       const uint32_t *addresses, uint32_t bytes) {
    for (uint64_t left = a->copied & stored; left; left &= left - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(left);
        const uint32_t address = addresses[k];
        const uint8_t *const copy_ = a->copy[k];
        EACH_PIECE(memcpy(place, copy_ + at_, length));
    }
}

#endif
