/*
 * image: a compiled OpenCL program as the machine loads it: an ELF32 ARM executable with DWARF lines and a
 * note (abi/image_note.h).
 */
#ifndef RUNTIME_IMAGE_H
#define RUNTIME_IMAGE_H

#include "abi/kernel_features.h"
#include "sim/error.h"

#include <stddef.h>
#include <stdint.h>

/* --- what an image says --- */

/* The kind of an argument: one of OpenCL C's address spaces, or a kind of its own. IMAGE_OTHER: an
 * image of other than two dimensions, which nothing can be given for. */
enum image_space {
    IMAGE_GLOBAL,
    IMAGE_CONSTANT,
    IMAGE_LOCAL,
    IMAGE_PRIVATE,
    IMAGE_IMAGE2D,
    IMAGE_SAMPLER,
    IMAGE_OTHER
};

struct image_argument {
    char *name, *type, *access, *qualifiers;
    enum image_space space;
    uint32_t offset, size_bytes, alignment;
};

/* Counts of a work-item's code, to be multiplied with the arguments at these offsets: abi/kernel_features.h.
 */
struct image_features {
    uint32_t trips[FEATURES_ARGUMENTS], trip_count;
    double count[KERNEL_COUNTS_ALL];
};

struct image_kernel {
    char *name, *attributes, *file;
    unsigned line;
    uint32_t thunk; /* address of its entry, r0 = address of the argument block; 0: not for SIMT mode */
    uint32_t twin;  /* that of the function that runs a whole work-group, r0 likewise; 0: not for MIMD mode */
    uint32_t argument_block_bytes, local_bytes, stack_bytes;
    uint32_t twin_stack_bytes, twin_item_bytes;
    uint32_t vector_registers, scalar_registers; /* of an image with scalars */
    uint32_t registers, conditional_returns, barriers, replicated, divergent_branches, prints;
    uint32_t reqd_work_group_size[3]; /* zeros: none */
    char *scalar;                     /* the name of its scalar kernel; "": it has none */
    uint32_t prefetches;              /* it is a scalar kernel that only loads ahead */
    uint32_t synchronises;            /* it waits at barriers that include a scalar thread */
    uint32_t stores;                  /* into global or local memory */
    struct image_argument *arguments;
    size_t argument_count;
    struct image_features *features; /* of an image for both modes */
    size_t feature_count;
};

struct image_branch {
    uint32_t address, meeting;
};

/* abi/scalar_note.h; those that are read stand before those that are written. */
struct image_scalar {
    uint32_t address, first; /* of its operands */
    uint8_t reads, writes;
    bool scalar;
};

/* The compiler's options that code depends on, as the note's "build" names them. */
#define IMAGE_OPTIONS(X)                                                                                     \
    X(PRIORITIES, "priorities")                                                                              \
    X(COALESCING, "coalescing")                                                                              \
    X(MATH, "math") X(SCALAR, "scalar") X(SCALARIZE, "scalarize") X(IDS, "ids") X(STARTUP, "startup")
enum image_option {
#define X(id, name) IMAGE_OPTION_##id,
    IMAGE_OPTIONS(X)
#undef X
        IMAGE_OPTION_COUNT
};
extern const char *const image_option_name[IMAGE_OPTION_COUNT];

struct image {
    uint32_t code_base, code_bytes; /* all PT_LOAD segments, one span */
    uint8_t *code;                  /* its contents; read-only to the machine */
    uint32_t text_base, text_bytes; /* the executable part of the span: what may be fetched and is decoded */
    uint32_t startup;               /* address of the cores' start-up code */
    uint32_t startup_mimd;          /* and of that for MIMD launches, the symbol whose name ends in _mimd */
    uint32_t local_bytes;           /* static local memory of all kernels together (they share one layout) */
    char *option[IMAGE_OPTION_COUNT];
    uint32_t priority_levels;
    struct image_kernel *kernels;
    size_t kernel_count;
    struct image_branch *branches;
    size_t branch_count;
    struct image_scalar *scalars; /* NULL: it was not */
    size_t scalar_count;
    uint32_t *operands;
    struct image_lines *lines; /* private: DWARF */
};

/* --- functions --- */

/* Loads and checks an image from memory. NULL and *e (EXIT_USER) if it is not a whole
 * image of this version. */
struct image *image_load(const void *bytes, size_t size, struct error *e);
void image_free(struct image *i);
const struct image_kernel *image_find(const struct image *i, const char *name);

/* The branch at an address; NULL: threads do not part there. */
const struct image_branch *image_branch(const struct image *i, uint32_t address);

/* Source position of an instruction. False (file "?", line 0) if unknown. The strings live as long as the
 * image. */
bool image_line(const struct image *i, uint32_t pc, const char **file, unsigned *line);
/* Puts the functions around an instruction into text[]: " in 'f', inlined at k.cl:9 in 'k'"; "" if none is
 * known. */
void image_callers(const struct image *i, uint32_t pc, char *text, size_t size);
/* Function that holds an instruction, "?" if unknown. */
const char *image_function(const struct image *i, uint32_t pc);

#endif
