/*
 * kernel_features: counts of a work-item's optimised code, from which mode auto chooses.
 *
 * The image's note has rows of counts (member "features" of a kernel): {"trips": [offset, …], "counts":
 * [number, …]}. A launch multiplies each row by the values of the arguments at its offsets in the argument
 * block, which are trip counts of loops, and adds the rows.
 *
 * A block counts once for each turn of the loops around it: the trip count if it is constant or an
 * argument, else FEATURES_TRIPS. It counts half behind each branch with two ways. Strides are those between
 * neighbouring work-items in dimension 0. A bound is a comparison of a global id, or of a value that grows
 * with it, with a uniform value.
 */
#ifndef ABI_KERNEL_FEATURES_H
#define ABI_KERNEL_FEATURES_H

#define FEATURES_TRIPS      16 /* assumed turns of a loop with an unknown number */
#define FEATURES_TRIPS_MOST (1u << 20)
#define FEATURES_UNIT_BYTES 16 /* longest stride of class unit, bytes */
#define FEATURES_ARGUMENTS  4  /* most trip counts of a row that are arguments */

/* Counts of a row, in their order. */
#define KERNEL_COUNTS(X)                                                                                     \
    X(INSTRUCTIONS, "instructions")                                                                          \
    X(DIVERGENT, "divergent") /* under a condition that may differ between neighbours, but for bounds */     \
    X(BARRIERS, "barriers")                                                                                  \
    X(UNIFORM, "uniform") /* loads and stores: stride 0, */                                                  \
    X(UNIT, "unit")       /* stride up to FEATURES_UNIT_BYTES, */                                            \
    X(STRIDED, "strided") /* more, or a multiple of an argument, */                                          \
    X(GATHER, "gather")   /* unknown */                                                                      \
    X(LOADS, "loads")                                                                                        \
    X(COLUMNS, "columns") /* loads of stride unit that a loop moves by a line or more in each turn */        \
    X(ROWS, "rows")       /* loads of a stride of a line or more that a loop moves by at most a unit */      \
    X(CALLS, "calls")     /* exp, log, pow and their like: calls in the source over code, times code */

enum kernel_count {
#define X(id, name) KERNEL_COUNT_##id,
    KERNEL_COUNTS(X)
#undef X
        KERNEL_COUNTS_ALL
};

/* Features of a launch, from which mode auto chooses: sums of the counts of its rows, for I instructions of
 * a work-item. "a thousand" means log2(1 + 1000 n / I). */
#define MODE_FEATURES(X)                                                                                     \
    X(BARRIERS, "barriers")     /* a thousand */                                                             \
    X(REPLICATED, "replicated") /* words that the twin keeps for a work-item, times barriers, a thousand */  \
    X(DIVERGENT, "divergent")   /* over I; so are the next four */                                           \
    X(UNIFORM, "uniform")                                                                                    \
    X(UNIT, "unit")                                                                                          \
    X(STRIDED, "strided")                                                                                    \
    X(GATHER, "gather")                                                                                      \
    X(COLUMNS, "columns") /* over loads; so is the next */                                                   \
    X(ROWS, "rows")                                                                                          \
    X(LENGTH, "length") /* log2(I) */                                                                        \
    X(GROUPS, "groups") /* log2 of work-groups over cores */                                                 \
    X(FEW, "few")       /* 1: there are fewer work-groups than cores; else 0 */                              \
    X(FILLED, "filled") /* work-items of a work-group over threads of its warps */                           \
    X(CALLS, "calls")   /* a thousand */

enum mode_feature {
#define X(id, name) MODE_FEATURE_##id,
    MODE_FEATURES(X)
#undef X
        MODE_FEATURES_ALL
};

#endif
