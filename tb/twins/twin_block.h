/*
 * twin_block: the blocks with a twin in Verilog: the module for each slot and policy, and the place of each
 * signal in the C model. Generated from the Verilog (build/generated/).
 */
#ifndef TB_TWIN_BLOCK_H
#define TB_TWIN_BLOCK_H

#include "model/cluster/cluster.h"
#include "tb/ports/verilog_module.h"

#include <string.h>

struct twin_signal {
    const char *name; /* name of the signal without its suffix */
    enum verilog_kind kind;
    unsigned offset, bytes; /* place in the model's struct of its kind; bytes of an element for an array */
    bool array;             /* the model has a pointer to the elements; in a row of a memory, the elements */
};

struct twin_block {
    enum cluster_block slot; /* CLUSTER_BLOCK_COUNT: no slot */
    unsigned policy;         /* policy of the machine with which this module fills the slot */
    const char *name;        /* stem of model/control/NAME.h */
    const char *module;      /* stem of rtl/MODULE.sv */
    const struct twin_signal *signal;
    unsigned count;
    size_t model;      /* offset of the model in a cluster (0 on GPU-like machines, and without a slot) */
    size_t in, out, q; /* offsets of the model's ports and flip-flops; q is 0 without flip-flops */
    /* Memories: offset of the first row, distance of rows (0: none), offset of the block_rows that this cycle
     * has written. */
    size_t rows, stride, written;
    bool apart; /* `rows`: offset of a pointer to the first row */
};

/* Returns the first row of the memories of a model at `base`. */
static inline const void *twin_block_rows(const struct twin_block *b, const char *base) {
    const void *rows = base + b->rows;
    if (b->apart) memcpy(&rows, base + b->rows, sizeof rows);
    return rows;
}

/* Every slot with the module of the base machine, or of a GPU-like one, by its number; then the alternatives,
 * which have the same ports. */
extern const struct twin_block twin_block[];
extern const unsigned twin_block_count;
extern const char *const twin_suffix[]; /* suffix for each kind of signal: _i, _o, _q, _q */

/* Returns the module for a slot of a machine, by its configuration. */
const struct twin_block *twin_block_of(const struct machine_config *c, enum cluster_block slot);
/* Returns whether the slot is of a divergence engine. */
static inline bool twin_block_of_engine(enum cluster_block slot) {
    return slot >= CLUSTER_BLOCK_STACK && slot <= CLUSTER_BLOCK_HARP;
}
/* Returns NULL if a machine has the slot; else the field and value that it needs. */
const char *twin_block_absent(const struct machine_config *c, enum cluster_block slot);
/* Returns the field that makes a block of the machine's divergence engine too large for its Verilog; NULL if
 * none. */
const char *twin_block_too_large(const struct machine_config *c, enum cluster_block slot);
/* Returns the parts of a block that consists of others (simt_coprocessor, harp_scheduler),
 * CLUSTER_BLOCK_COUNT after the last; none for other blocks. */
const enum cluster_block *twin_block_parts(enum cluster_block whole);
/* Returns whether the machine's next action depends on the block's outputs. Otherwise the action is done when
 * they become known. */
bool twin_block_decides(enum cluster_block slot);
/* Returns whether all state of our Verilog is in compared flip-flops and memories. A whole has parts with
 * state of their own. */
bool twin_block_is_pure(enum cluster_block slot);
/* Returns whether the block is of a core, or shared by a machine's clusters or its SMs (shared_place.h): each
 * request is one of its cycles. */
bool twin_block_is_shared(enum cluster_block slot);
/* Returns the block with a module's name; NULL if there is none. */
const struct twin_block *twin_block_called(const char *module);

/* Returns a slot by name; CLUSTER_BLOCK_COUNT if there is no such block. */
enum cluster_block twin_block_find(const char *name, size_t length);

/* Returns all names: "a, b and c". */
const char *twin_block_names(void);

#endif
