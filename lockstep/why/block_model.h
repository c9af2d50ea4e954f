/*
 * block_model: the C models of the co-processor and its blocks, set to a cycle of a history, and their ports,
 * flip-flops and memories as bits. It can be one other block instead, in Verilog. Bits can be inverted before
 * the evaluation.
 */
#ifndef LOCKSTEP_BLOCK_MODEL_H
#define LOCKSTEP_BLOCK_MODEL_H

#include "lockstep/why/block_history.h"
#include "lockstep/why/lone_block.h"
#include "tb/twins/coprocessor_models.h"
#include "tb/twins/twin.h"

struct block_signal {
    unsigned block;
    const char *name; /* without suffix */
    enum verilog_kind kind;
    unsigned rows;     /* rows of a memory; else 1 */
    unsigned stride;   /* bytes from row to row */
    unsigned elements; /* elements of an array; else 1 */
    unsigned bits;     /* bits of an element */
    unsigned bytes;    /* bytes of an element in the model */
    bool array;        /* `at` is a pointer to the elements, or they begin there, in a row of a memory */
    char *at;
};

struct block_model {
    const struct block_history *history; /* NULL: of one block */
    struct lone_block *lone;             /* this block; else NULL. Its signals are of block 0 */
    struct coprocessor_models models;
    uint32_t execute_target[TDT_MAX_WARP_SIZE];
    struct block_signal *signal; /* signals of all blocks, in the order of the blocks */
    size_t signals;
};

/* Reads the widths of all signals from the Verilog in a folder. Returns false with *e (EXIT_USER) if there is
 * no Verilator, or it refuses a module. `m` must not move; free it in either case. */
bool block_model_open(struct block_model *m, const struct block_history *h, const char *folder,
                      struct error *e);
/* The same of one block, which is already open. */
void block_model_open_lone(struct block_model *m, struct lone_block *l);
void block_model_free(struct block_model *m);

/* Number of cycles; cycle `n`; the first one that was asked for; whether cycle n - 1 is the one before cycle
 * n. */
static inline size_t block_model_cycles(const struct block_model *m) {
    return m->lone ? m->lone->count : m->history->count;
}
static inline uint64_t block_model_cycle(const struct block_model *m, size_t n) {
    return m->lone ? m->lone->cycle[n] : m->history->cycle[n].cycle;
}
static inline uint64_t block_model_first(const struct block_model *m) {
    return m->lone ? m->lone->first : m->history->sizes.first;
}
static inline bool block_model_follows(const struct block_model *m, size_t n) {
    return m->lone ? n > 0 && !m->lone->begins[n] : block_history_follows(m->history, n);
}
/* Returns the index of a cycle; the number of cycles if it is not among them. */
size_t block_model_find(const struct block_model *m, uint64_t cycle);

/* Returns whether a name begins with that of the co-processor or of one of its blocks. */
bool block_model_has(const char *name);
/* Name of a block in the names of its signals: warp_scheduler. */
const char *block_model_name(const struct block_model *m, unsigned block);

/* A part of a signal: an element, or some of its bits. */
struct block_bits {
    unsigned signal, row, element, first, count; /* first: first bit; count: 1 to 128 */
};

/* Returns the value of bits. */
twin_value block_model_get(const struct block_model *m, const struct block_bits *b);

/* Steps of a cycle, for block_model_run(). */
enum block_step {
    BLOCK_EVALUATE, /* all blocks and wires of the cycle are evaluated */
    BLOCK_ALONE,    /* one block is evaluated again, after that */
    BLOCK_EDGE      /* its flip-flops change, after that */
};

/* Sets the models to cycle `n`, inverts bits and evaluates. If `block` is a part of the co-processor that is
 * evaluated alone, bits of its signals are inverted before that. All other bits are inverted before the
 * evaluation of the whole. Returns false if the models refuse these values, which cannot occur. */
bool block_model_run(struct block_model *m, size_t n, unsigned block, enum block_step last,
                     const struct block_bits *inverted, unsigned count);

#endif
