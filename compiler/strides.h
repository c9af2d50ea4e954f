/*
 * strides: how a value changes from one work-item to its neighbour in dimension 0, and from one turn of a
 * loop to the next, by an affine walk of what it is computed from. Work-items are taken to be in the same
 * turn of each loop.
 */
#ifndef COMPILER_STRIDES_H
#define COMPILER_STRIDES_H

#include "compiler/loops.h"
#include "compiler/uniformity.h"

enum stride_kind {
    STRIDE_KNOWN,    /* so many bytes, or more by so many */
    STRIDE_MULTIPLE, /* a multiple of a number that is known only when the kernel runs */
    STRIDE_UNKNOWN
};

struct stride {
    enum stride_kind kind;
    double bytes; /* of STRIDE_KNOWN */
    bool local;   /* it comes from local ids, at least in part */
};

/* Between neighbouring work-items, or (`loop` not NULL) between turns of the loop. */
struct stride stride_of(const struct uniformity *u, const struct loops *loops, const struct loop *loop,
                        LLVMValueRef value);

static inline bool stride_is_zero(struct stride s) {
    return s.kind == STRIDE_KNOWN && s.bytes == 0;
}

#endif
