/*
 * strides: the difference of a value between neighbouring work-items in dimension 0, or between iterations of
 * a loop, by an affine walk of its operands. Work-items are assumed to be in the same iteration of each loop.
 */
#ifndef COMPILER_STRIDES_H
#define COMPILER_STRIDES_H

#include "compiler/ir/loops.h"
#include "compiler/ir/uniformity.h"

enum stride_kind {
    STRIDE_KNOWN,    /* constant number of bytes, or constant increment */
    STRIDE_MULTIPLE, /* multiple of a number known only at run time */
    STRIDE_UNKNOWN
};

struct stride {
    enum stride_kind kind;
    double bytes; /* only STRIDE_KNOWN */
    bool local;   /* depends, at least partly, on local ids */
};

/* Returns the stride between neighbouring work-items, or between iterations of `loop` if it is not NULL. */
struct stride stride_of(const struct uniformity *u, const struct loops *loops, const struct loop *loop,
                        LLVMValueRef value);

static inline bool stride_is_zero(struct stride s) {
    return s.kind == STRIDE_KNOWN && s.bytes == 0;
}

#endif
