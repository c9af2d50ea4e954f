#include "model/core/spin_watch.h"

#include "model/memory/memory.h"
#include "model/memory/store_log.h"
#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

enum { FLAG_ROWS = 7 };

struct spin_watch *spin_watch_create(unsigned warps, unsigned positions, uint32_t longest) {
    struct spin_watch *w = calloc(1, sizeof *w);
    require_memory(w);
    w->warps = warps;
    w->longest = longest;
    w->row_words = (size_t)(ARM_NEON_REGISTERS + FLAG_ROWS) * positions;
    w->warp = calloc(warps, sizeof *w->warp);
    w->memory = calloc(1, sizeof *w->memory);
    require_memory(w->warp && w->memory ? w : NULL);
    for (unsigned n = 0; n < warps; ++n) {
        w->warp[n].rows = calloc(w->row_words, sizeof *w->warp[n].rows);
        require_memory(w->warp[n].rows);
    }
    return w;
}

void spin_watch_destroy(struct spin_watch *w) {
    if (!w) return;
    for (unsigned n = 0; n < w->warps; ++n) free(w->warp[n].rows);
    free(w->warp);
    free(w->memory);
    free(w);
}

void spin_watch_begin(struct spin_watch *w, bool strict) {
    w->strict = strict;
    w->failed = false;
    w->store.threads = 0;
    for (unsigned n = 0; n < w->warps; ++n) w->warp[n].seen = w->warp[n].returned = false;
}

/* --- registers and flags --- */

/* Copies the rows of a warp, or only compares them. Returns whether all are equal to the copy. */
static bool visit_rows(const struct spin_watch *w, struct spin_warp *x, const struct arm_threads *t,
                       bool copies) {
    const size_t row = t->positions * sizeof *x->rows, registers = t->stack_row * row;
    const uint32_t *const flags[FLAG_ROWS] = {t->n, t->z, t->c, t->v, t->q, t->ge, t->fpscr};
    uint32_t *saved = x->rows + (size_t)t->stack_row * t->positions;
    invariant(registers + FLAG_ROWS * row <= w->row_words * sizeof *x->rows, "a warp of %u threads",
              t->positions);
    if (copies)
        memcpy(x->rows, t->registers, registers);
    else if (memcmp(x->rows, t->registers, registers) != 0)
        return false;
    for (unsigned n = 0; n < FLAG_ROWS; ++n, saved += t->positions) {
        if (copies)
            memcpy(saved, flags[n], row);
        else if (memcmp(saved, flags[n], row) != 0)
            return false;
    }
    return true;
}

static void visit(struct spin_watch *w, struct spin_warp *x, const struct arm_threads *t, uint32_t pc,
                  const void *place, size_t bytes) {
    if (!x->seen) {
        x->seen = true;
        x->instructions = 0;
        x->pc = pc;
        x->place_bytes = bytes;
        memcpy(x->place, place, bytes);
        visit_rows(w, x, t, true);
        return;
    }
    if (x->pc == pc && x->place_bytes == bytes && memcmp(x->place, place, bytes) == 0)
        x->returned = visit_rows(w, x, t, false);
    if (!x->returned && ++x->instructions > w->longest) w->failed = true;
}

/* --- stores --- */

/* Reads the bytes that a thread's store will overwrite; returns false if they are unknown. */
static bool read_stored(const struct spin_watch *w, const struct arm_threads *t, unsigned k, uint8_t *value) {
    const int index = memory_find(t->memory, w->store.address[k], w->store.bytes);
    if (index < 0 || (t->stack_objects && t->memory->region[index].kind == MEMORY_STACK)) return false;
    const uint8_t *at = t->memory->region[index].host + (w->store.address[k] - t->memory->region[index].base);
    if (t->log)
        store_log_read(t->log, at, w->store.bytes, value);
    else
        memcpy(value, at, w->store.bytes);
    return true;
}

/* Finds the addresses of a store by executing it on memory that is not writable. */
static void note_store(struct spin_watch *w, struct arm_instruction *i, const struct arm_threads *t,
                       uint64_t mask) {
    struct arm_threads blind = *t;
    struct arm_execution x = {0};
    memory_copy(w->memory, t->memory);
    w->memory->outside = NULL;
    for (unsigned n = 0; n < w->memory->used; ++n) w->memory->region[w->memory->order[n]].writable = false;
    blind.memory = w->memory;
    blind.monitor = NULL;
    arm_execute(i, &blind, mask, &x);
    w->store.threads = x.passed;
    w->store.bytes = i->access_bytes;
    memcpy(w->store.address, x.address, t->positions * sizeof x.address[0]);
    for (uint64_t rest = x.passed; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        w->failed |= !read_stored(w, t, k, w->store.before[k]);
    }
}

void spin_watch_before(struct spin_watch *w, unsigned warp, struct arm_instruction *i,
                       const struct arm_threads *t, uint64_t mask, uint32_t pc, const void *place,
                       size_t bytes) {
    if (w->failed) return;
    /* A held store is repeated in the same state, which is no loop: none is the first instruction visited. */
    const bool visits = !w->warp[warp].returned && (w->warp[warp].seen || !i->is_store);
    if (visits) visit(w, &w->warp[warp], t, pc, place, bytes);
    if (w->strict && i->is_store) note_store(w, i, t, mask);
}

void spin_watch_after(struct spin_watch *w, const struct arm_threads *t, const struct arm_instruction *i,
                      const struct arm_execution *x) {
    w->failed |= arm_stores_exclusively(i) && x->stored != x->passed;
    for (uint64_t rest = w->failed ? 0 : w->store.threads; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        uint8_t now[SPIN_WATCH_STORE];
        w->failed |= !read_stored(w, t, k, now) || memcmp(w->store.before[k], now, w->store.bytes) != 0;
    }
    w->store.threads = 0;
}
