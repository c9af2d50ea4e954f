/*
 * image: a compiled OpenCL program as the machine loads it: an ELF32 ARM executable with DWARF lines and one
 * note section, .note.lockstep (name "Lockstep", type IMAGE_NOTE_TYPE), whose descriptor is the JSON text
 * below.
 *
 * {"checksum":"…" (image_checksum.h), "version": 6, "priority_levels": 8, "startup": "<symbol of the start-up
 * code>", "local_limit_bytes": 32768, "branches": [[address, meeting], …], "kernels": [{"name": "reduce",
 * "thunk": "<symbol>", "file": "reduce.cl", "line": 12, "argument_block_bytes": 24, "local_bytes": 1024
 * (static), "attributes": "text of the kernel's attributes", "reqd_work_group_size": [x, y, z] (zeros: none),
 * "stack_bytes": n (estimate; 0 unknown), "twin": "<symbol>", "twin_stack_bytes": n, "twin_item_bytes": n,
 * "registers": n, "barriers": n, "replicated": n, "divergent_branches": n, "prints": 0|1, "arguments":
 * [{"name": "in", "type": "float*", "space": "global|constant|local|private", "access":
 * "none|read_only|write_only|read_write", "qualifiers": "const restrict volatile", "offset": 0, "size": 4 (in
 * the block), "alignment": 4}]}]}
 *
 * Arguments are as clang's metadata has them. A 2-D image is one whose access is not "none": the block holds
 * the device address of its struct image_object (device/image_object.h). A sampler is one of type
 * "sampler_t" in private space: the block holds its bits.
 *
 * The twin runs a whole work-group as one thread (MIMD mode): void twin(const void *argument_block), an
 * ordinary function under AAPCS that returns. It needs twin_stack_bytes of stack and twin_item_bytes more per
 * work-item of the group. registers: core and VFP registers (32-bit ones) that the SIMT code uses; barriers:
 * in the source, inlined helpers included; replicated: values that the twin keeps per work-item across
 * barriers; divergent_branches: conditional branches whose condition may differ within a work-group; prints:
 * the program calls printf, so the kernel may need a printf buffer (device/printf_buffer.h).
 *
 * branches, in the order of their addresses: the instructions of the SIMT code after which threads may stand
 * at different places (conditional branches and returns, table jumps), and the immediate post-dominator of
 * each, the first instruction that all paths from it to the function's end pass; 0: there is none before the
 * end.
 *
 * The segments: code and constants at MEMORY_CODE_BASE and up (PT_LOAD, read-only); section .local, NOBITS,
 * at MEMORY_LOCAL_BASE (the static local variables; not loaded: the window is per work-group). OpenCL has no
 * other writable globals; an image with another writable segment is refused.
 */
#ifndef RUNTIME_IMAGE_H
#define RUNTIME_IMAGE_H

#include "sim/error.h"

#include <stddef.h>
#include <stdint.h>

#define IMAGE_NOTE_TYPE 1
#define IMAGE_VERSION   6

/* What an argument is: one of OpenCL C's address spaces, or an argument of a kind of its own. IMAGE_OTHER: an
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

struct image_kernel {
    char *name, *attributes, *file;
    unsigned line;
    uint32_t thunk; /* address of its entry, r0 = address of the argument block */
    uint32_t twin;  /* address of the function that runs a whole work-group, r0 likewise */
    uint32_t argument_block_bytes, local_bytes, stack_bytes;
    uint32_t twin_stack_bytes, twin_item_bytes;
    uint32_t registers, barriers, replicated, divergent_branches, prints;
    uint32_t reqd_work_group_size[3]; /* zeros: none */
    struct image_argument *arguments;
    size_t argument_count;
};

struct image_branch {
    uint32_t address, meeting;
};

struct image {
    uint32_t code_base, code_bytes; /* all PT_LOAD segments, one span */
    uint8_t *code;                  /* its contents; read-only to the machine */
    uint32_t text_base, text_bytes; /* the executable part of the span: what may be fetched and is decoded */
    uint32_t startup;               /* address of the cores' start-up code */
    uint32_t startup_mimd;          /* and of that for MIMD launches, the symbol whose name ends in _mimd */
    uint32_t local_bytes;           /* static local memory of all kernels together (they share one layout) */
    uint32_t priority_levels;
    struct image_kernel *kernels;
    size_t kernel_count;
    struct image_branch *branches;
    size_t branch_count;
    struct image_lines *lines; /* private: DWARF */
};

/* Loads and checks an image from memory. NULL and *e (EXIT_USER) if it is not a whole image of this version.
 */
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
