/*
 * arm_stack_objects: where a warp's loads and stores find the words of stacks that are thread-privatisation
 * objects (dual-mode §3.6; tpo_address.h). Part of arm_semantics_memory.h in its warp form.
 *
 * The word of index n is in row ARM_REGISTERS + n, as long as n is below stack_objects; deeper ones are in
 * memory. As a rule all threads access the same words: then a warp's data lie side by side in one row, and
 * each further word of a multiple access in the row before. Else each thread has a place of its own: the
 * word, if it needs no other, or a copy of all that it accesses, gathered before and, of a store, scattered
 * after.
 */
#ifndef MODEL_ARM_ARM_STACK_OBJECTS_H
#define MODEL_ARM_ARM_STACK_OBJECTS_H

#include "model/arm/arm_lanes.h"
#include "model/control/tpo_address.h"

#define STACK_ACCESS_BYTES 128 /* of the largest access: VLDM of 32 words */

struct stack_access {
    uint8_t *row;    /* of position 0, if all threads of the mask access the same words; NULL: they do not */
    int32_t step;    /* bytes from a word of an access to the next */
    uint64_t copied; /* threads that access a copy; of these: */
    uint8_t *memory[ARM_MAX_POSITIONS]; /* where their data would be in memory */
    uint8_t copy[ARM_MAX_POSITIONS][STACK_ACCESS_BYTES];
};

/* The byte at an address of a thread's stack, if it is in an object; else NULL. */
static inline uint8_t *stack_object(const struct arm_threads *t, unsigned k, uint32_t address) {
    const uint32_t index = tpo_stack_index(t->stack_size, address);
    if (index >= t->stack_objects) return NULL;
    return (uint8_t *)&t->registers[(ARM_REGISTERS + index) * t->positions + k] + (address & 3);
}

/* Calls for each piece of an access that lies in one word: where it is, how far into the access, how long. */
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

/* All threads of the mask access the same words, in objects: they lie in rows. */
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

/* Places of the accesses of the threads `in_stack`, which access their own stacks; `each` are their places in
 * memory and become the others. False: they stay, none is an object. */
static __attribute__((noinline)) bool stack_access_begin(struct stack_access *a, const struct arm_threads *t,
                                                         uint64_t in_stack, const uint32_t *address,
                                                         uint32_t bytes, bool gather, uint8_t **each) {
    bool any = false;
    for (uint64_t left = in_stack; left; left &= left - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(left);
        uint8_t *const last = stack_object(t, k, address[k] + bytes - 1);
        if (!last) continue; /* and so is what lies deeper */
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
