/*
 * image: a compiled OpenCL program as the machine loads it: an ELF32 ARM executable with DWARF lines and a
 * note (abi/image_note.h).
 */
#ifndef RUNTIME_IMAGE_H
#define RUNTIME_IMAGE_H

#include "abi/image_note.h"
#include "abi/kernel_features.h"
#include "sim/error.h"

#include <stddef.h>
#include <stdint.h>

/* --- what an image says --- */

/* Kind of an argument: an address space of OpenCL C, or a kind of its own. IMAGE_OTHER: an image that is
 * not 2-D, for which no argument can be given. */
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

/* Counts of a work-item's code, to be multiplied with the arguments at these offsets:
 * abi/kernel_features.h. */
struct image_features {
    uint32_t trips[FEATURES_ARGUMENTS], trip_count;
    double count[KERNEL_COUNTS_ALL];
};

/* A variable in local or private memory, from the note's "variables". */
#define IMAGE_VARIABLE_DIMENSIONS 4
struct image_variable {
    char *name, *file;   /* file and line of the declaration; file "": unknown */
    uint32_t is_private; /* 0 or 1 */
    uint32_t line, base, offset, stride, size_bytes, element_bytes;
    uint32_t dimensions, dimension[IMAGE_VARIABLE_DIMENSIONS]; /* dimensions of an array */
};

struct image_kernel {
    char *name, *attributes, *file;
    unsigned line;
    uint32_t thunk; /* address of the kernel's entry for SIMT mode, r0 = address of the argument block; 0:
                       none */
    uint32_t twin;  /* address of the function that runs a whole work-group in MIMD mode, r0 likewise; 0:
                       none */
    uint32_t thunk_bytes, twin_bytes;     /* sizes of their code */
    uint32_t thunk_objects, twin_objects; /* 1 + number of the set of all their objects; 0: unknown */
    uint32_t argument_block_bytes, local_bytes, stack_bytes;
    uint32_t twin_stack_bytes, twin_item_bytes;
    uint32_t vector_registers, scalar_registers; /* numbers of registers, set in an image with scalars */
    uint32_t registers, conditional_returns, barriers, replicated, divergent_branches, prints;
    uint32_t reqd_work_group_size[3]; /* zeros: none */
    char *scalar;                     /* name of the kernel's scalar kernel; "": none */
    uint32_t prefetches;              /* 1: a scalar kernel that only prefetches */
    uint32_t synchronises;            /* 1: waits at barriers that include a scalar thread */
    uint32_t stores;                  /* 1: stores into global or local memory */
    struct image_argument *arguments;
    size_t argument_count;
    struct image_variable *variables;
    size_t variable_count;
    struct image_variable *twin_variables;
    size_t twin_variable_count;
    struct image_features *features; /* set in an image for both modes */
    size_t feature_count;
};

/* A set of objects, from the note's "objects". */
struct image_object_set {
    uint32_t kernel, count;
    int32_t object[IMAGE_MOST_OBJECTS]; /* number of an argument, then of a variable of the twin; or -1 minus
                                           that of a variable */
};

struct image_branch {
    uint32_t address, meeting;
};

/* An instruction of abi/scalar_note.h; operands that are read come before operands that are written. */
struct image_scalar {
    uint32_t address, first; /* address; index of the first operand */
    uint8_t reads, writes;
    bool scalar;
};

/* The compiler's options on which code depends, by their names in the note's "build". */
#define IMAGE_OPTIONS(X)                                                                                     \
    X(PRIORITIES, "priorities")                                                                              \
    X(COALESCING, "coalescing")                                                                              \
    X(MATH, "math")                                                                                          \
    X(SCALAR, "scalar") X(SCALARIZE, "scalarize") X(IDS, "ids") X(STARTUP, "startup") X(ISA, "isa")
enum image_option {
#define X(id, name) IMAGE_OPTION_##id,
    IMAGE_OPTIONS(X)
#undef X
        IMAGE_OPTION_COUNT
};
extern const char *const image_option_name[IMAGE_OPTION_COUNT];

struct image {
    uint32_t code_base, code_bytes; /* span of all PT_LOAD segments */
    uint8_t *code;                  /* contents of the span; read-only for the machine */
    uint32_t text_base, text_bytes; /* executable part of the span, which is fetched and decoded */
    uint32_t startup;               /* address of the cores' start-up code */
    uint32_t startup_mimd;          /* address of the start-up code for MIMD launches, the symbol that ends
                                       in _mimd */
    uint32_t local_bytes;           /* bytes of static local memory of all kernels, which share one layout
                                     */
    char *option[IMAGE_OPTION_COUNT];
    uint32_t priority_levels;
    struct image_kernel *kernels;
    size_t kernel_count;
    struct image_branch *branches;
    size_t branch_count;
    struct image_object_set *object_sets;
    size_t object_set_count;
    struct image_scalar *scalars; /* NULL: compiled without scalars */
    size_t scalar_count;
    uint32_t *operands;
    struct image_lines *lines; /* DWARF; private */
};

/* --- functions --- */

/* Loads and checks an image from memory. Returns NULL with *e (EXIT_USER) if it is not a whole image of
 * this version. */
struct image *image_load(const void *bytes, size_t size, struct error *e);
void image_free(struct image *i);
const struct image_kernel *image_find(const struct image *i, const char *name);

/* Returns the branch at an address, or NULL if threads do not diverge there. */
const struct image_branch *image_branch(const struct image *i, uint32_t address);

/* Finds the source position of an instruction. Returns false (file "?", line 0) if it is unknown. The
 * strings live as long as the image. */
bool image_line(const struct image *i, uint32_t pc, const char **file, unsigned *line);
/* Returns column and discriminator of an instruction in the line table (abi/image_note.h); 0: unknown. */
unsigned image_column(const struct image *i, uint32_t pc);
unsigned image_discriminator(const struct image *i, uint32_t pc);
/* Writes the functions around an instruction: " in 'f', inlined at k.cl:9 in 'k'"; "" if none is known. */
void image_callers(const struct image *i, uint32_t pc, char *text, size_t size);
/* Returns the function that holds an instruction, or "?". */
const char *image_function(const struct image *i, uint32_t pc);

#endif
