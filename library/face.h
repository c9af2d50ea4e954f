/*
 * face: a block's model behind a handle, for benches in C, C++, Python and SystemVerilog: its parameters are
 * checked, and its ports and flip-flops are copied from and to the bench's. A breach of its protocol is an
 * error instead of the end of the process.
 *
 * The file of each block (build/library/blocks/) is generated from the ports of its Verilog: tables, and
 * functions that call those below. */
#ifndef LIBRARY_FACE_H
#define LIBRARY_FACE_H

#include "sim/error.h"

#include <stddef.h>
#include <stdint.h>

enum face_kind { FACE_IN, FACE_OUT, FACE_STATE };

struct face_parameter {
    const char *name;
    unsigned most;
    size_t at; /* offset of its value (unsigned) in the handle */
};

struct face_signal {
    const char *name;
    enum face_kind kind;
    unsigned bits, count; /* bits of an element; elements */
    unsigned bytes;       /* bytes of an element, in the model and in the bench's struct: 1, 4, 8 or 16 */
    size_t model;         /* offset in the handle, of the value or of a pointer to the elements */
    size_t bench;         /* offset in the bench's struct of its kind */
    bool array;           /* the model has a pointer to the elements */
    size_t own;           /* input arrays outside the model: offset of the elements in the handle */
};

/* A part of a model's state. */
struct face_region {
    void *at;
    size_t bytes;
};
#define FACE_REGIONS 8 /* largest number for a model */

/* Fields of every handle in addition to its model. */
struct face_kept {
    char *bytes;        /* the regions after the latest edge */
    struct error error; /* error of the latest evaluation or edge; after a failed edge only a reset helps */
    bool failed;        /* an edge has failed */
};

struct face {
    const char *block;
    size_t bytes, kept; /* bytes of a handle; offset of its struct face_kept */
    const struct face_parameter *parameter;
    const unsigned *least; /* smallest value of each parameter */
    unsigned parameters;
    const struct face_signal *signal; /* inputs, outputs, flip-flops */
    unsigned signals;
    void (*build)(void *handle);              /* makes the model in the state after a reset */
    void (*release)(void *handle);            /* frees its allocations; also accepts zeros */
    bool (*fits)(const void *handle);         /* checks that the parameters fit each other */
    const char *(*wrong)(const void *handle); /* input that must not be evaluated; NULL: none */
    void (*evaluate)(void *handle);
    void (*edge)(void *handle); /* NULL: no clock */
    /* Returns the state of a model that changes it in its evaluation, as regions; returns their number. */
    unsigned (*regions)(void *handle, struct face_region region[FACE_REGIONS]);
};

/* Each function that fails returns NULL or false, and lockstep_error() has the reason. A handle of NULL is an
 * error, except in face_destroy(). */
void *face_create(const struct face *f, const unsigned *values);
void face_destroy(const struct face *f, void *handle);
bool face_reset(const struct face *f, void *handle);

/* Does the first half of a cycle, with structs of the block's header. */
bool face_eval(const struct face *f, void *handle, const void *in, void *out);
/* Does the edge, with the inputs of the latest evaluation, which must not have failed. */
bool face_clock(const struct face *f, void *handle);

/* Reads the present ports and flip-flops of a handle or of a cluster's block. NULL: not wanted. */
void face_read(const struct face *f, const void *block, void *in, void *out, void *state);

/* For DPI-C: `at` has a pointer for each of `count` signals from the first on: to an unsigned char for one
 * bit, else to words, the lowest first, with elements adjacent and without gaps. */
void face_take_bits(const struct face *f, void *handle, const void *const *at);
bool face_settle(const struct face *f, void *handle);
void face_give_bits(const struct face *f, const void *block, enum face_kind first, void *const *at);

/* Sets the text of lockstep_error(). Returns false. */
bool face_tell(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
