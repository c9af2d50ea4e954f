/*
 * kernel_features: counts of a work-item's optimised code, on which mode auto bases its choice.
 *
 * The note of an image has rows of counts (member "features" of a kernel): {"trips": [offset, …], "counts":
 * [number, …]}. The offsets are those of arguments in the argument block that are trip counts of loops. A
 * launch multiplies the counts of each row by the values of these arguments, and adds the rows.
 *
 * A block counts once for each iteration of the loops around it. The number of iterations is the trip count
 * if it is constant or an argument, and FEATURES_TRIPS otherwise. Behind each branch with two ways a block
 * counts half. Strides are the distances between neighbouring work-items in dimension 0. A bound is a
 * comparison of a uniform value with a global id, or a value that grows with it.
 */
#ifndef ABI_KERNEL_FEATURES_H
#define ABI_KERNEL_FEATURES_H

#define FEATURES_TRIPS      16 /* assumed number of iterations of a loop with unknown trip count */
#define FEATURES_TRIPS_MOST (1u << 20)
#define FEATURES_UNIT_BYTES 16 /* longest stride of class unit, in bytes */
#define FEATURES_ARGUMENTS  4  /* largest number of arguments that are trip counts of a row */

/* Counts of a row, in their order. */
#define KERNEL_COUNTS(X)                                                                                     \
    X(INSTRUCTIONS, "instructions")                                                                          \
    X(DIVERGENT, "divergent") /* instructions under a condition that may differ; bounds do not count */      \
    X(BARRIERS, "barriers")                                                                                  \
    X(UNIFORM, "uniform") /* loads and stores with stride 0 */                                               \
    X(UNIT, "unit")       /* loads and stores with a stride up to FEATURES_UNIT_BYTES */                     \
    X(STRIDED, "strided") /* loads and stores with a longer stride, or a multiple of an argument */          \
    X(GATHER, "gather")   /* loads and stores with an unknown stride */                                      \
    X(LOADS, "loads")                                                                                        \
    X(COLUMNS, "columns") /* loads of stride unit that a loop moves by a line or more */                     \
    X(ROWS, "rows")       /* loads with a stride of a line or more, moved by up to FEATURES_UNIT_BYTES */    \
    X(CALLS, "calls")     /* calls of exp, log, pow and similar, by their share of the source's code */

enum kernel_count {
#define X(id, name) KERNEL_COUNT_##id,
    KERNEL_COUNTS(X)
#undef X
        KERNEL_COUNTS_ALL
};

/* Features of a launch, on which mode auto bases its choice: sums of the counts of its rows, for I
 * instructions of a work-item. "per thousand" means log2(1 + 1000 n / I). */
#define MODE_FEATURES(X)                                                                                     \
    X(BARRIERS, "barriers")     /* per thousand */                                                           \
    X(REPLICATED, "replicated") /* words of the twin for a work-item, times barriers, per thousand */        \
    X(DIVERGENT, "divergent")   /* divided by I, as the next four features */                                \
    X(UNIFORM, "uniform")                                                                                    \
    X(UNIT, "unit")                                                                                          \
    X(STRIDED, "strided")                                                                                    \
    X(GATHER, "gather")                                                                                      \
    X(COLUMNS, "columns") /* divided by loads, as the next feature */                                        \
    X(ROWS, "rows")                                                                                          \
    X(LENGTH, "length") /* log2(I) */                                                                        \
    X(GROUPS, "groups") /* log2(work-groups / cores) */                                                      \
    X(FEW, "few")       /* 1 if there are fewer work-groups than cores; else 0 */                            \
    X(FILLED, "filled") /* work-items of a work-group / threads of its warps */                              \
    X(CALLS, "calls")   /* per thousand */

enum mode_feature {
#define X(id, name) MODE_FEATURE_##id,
    MODE_FEATURES(X)
#undef X
        MODE_FEATURES_ALL
};

#endif
