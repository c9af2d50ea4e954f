/*
 * twin_block: the blocks that have a twin in Verilog, which module fills a slot with which policy, and where
 * the C model keeps each of their signals. Made from the Verilog (build/generated/).
 */
#ifndef TB_TWIN_BLOCK_H
#define TB_TWIN_BLOCK_H

#include "model/cluster/cluster.h"
#include "tb/ports/verilog_module.h"

#include <string.h>

struct twin_signal {
    const char *name; /* without its suffix */
    enum verilog_kind kind;
    unsigned offset, bytes; /* in the model's struct of its kind; of an element if it is an array */
    bool array;             /* the model has a pointer to the elements; in a row of a memory, the elements */
};

struct twin_block {
    enum cluster_block slot; /* CLUSTER_BLOCK_COUNT: none of struct cluster */
    unsigned policy;         /* of the machine, with which this is what fills the slot */
    const char *name;        /* of the slot: the stem, of model/control/NAME.h */
    const char *module;      /* what fills it: of rtl/MODULE.sv */
    const struct twin_signal *signal;
    unsigned count;
    size_t model;      /* where a cluster has its model (of GPU-like machines, or without a slot: 0), */
    size_t in, out, q; /* and the model's ports and flip-flops; q is 0 without flip-flops */
    /* Of memories: the first row, from one to the next (0: none), the block_rows that this cycle has
     * written. */
    size_t rows, stride, written;
    bool apart; /* `rows`: where the model has a pointer to the first row */
};

/* The first row of the memories of what has its offsets from `base` on. */
static inline const void *twin_block_rows(const struct twin_block *b, const char *base) {
    const void *rows = base + b->rows;
    if (b->apart) memcpy(&rows, base + b->rows, sizeof rows);
    return rows;
}

/* Every slot as the base machine, or a GPU-like one, fills it, by its number; then the rivals, which have the
 * same ports. */
#define TWIN_BLOCK_COUNT (CLUSTER_BLOCK_COUNT + 4)
extern const struct twin_block twin_block[TWIN_BLOCK_COUNT];
extern const char *const twin_suffix[]; /* of a kind of signal: _i, _o, _q, _q */

/* What fills a slot of a machine, by its configuration. */
const struct twin_block *twin_block_of(const struct machine_config *c, enum cluster_block slot);
/* NULL if a machine has the slot; else the field and value with which it would. */
const char *twin_block_absent(const struct machine_config *c, enum cluster_block slot);
/* The field that makes a block of a machine's divergence engine larger than its Verilog
 * can be; NULL: none. */
const char *twin_block_too_large(const struct machine_config *c, enum cluster_block slot);
/* The blocks that a whole (simt_coprocessor, harp_scheduler) is made of, CLUSTER_BLOCK_COUNT after the last;
 * of any other block there are none. */
const enum cluster_block *twin_block_parts(enum cluster_block whole);
/* Does the machine take what it does next from the block's outputs? Else it has done it
 * when they are known. */
bool twin_block_decides(enum cluster_block slot);
/* Is the state of our Verilog in flip-flops and memories that are compared? The whole
 * has parts with theirs. */
bool twin_block_is_pure(enum cluster_block slot);
/* Is it of what a machine's clusters, or its SMs, share (shared_place.h)? Each request is a
 * cycle of its own. */
bool twin_block_is_shared(enum cluster_block slot);
/* By the name of its module; NULL if there is none. */
const struct twin_block *twin_block_called(const char *module);

/* A slot by its name. CLUSTER_BLOCK_COUNT if there is no such block. */
enum cluster_block twin_block_find(const char *name, size_t length);

/* The names of all: "a, b and c". */
const char *twin_block_names(void);

/* The parameters that blocks of a machine have: names and values; returns how many. A block takes those it
 * has. */
unsigned twin_block_settings(const struct cluster *c,
                             struct verilog_setting settings[VERILOG_MAX_PARAMETERS]);

#endif
