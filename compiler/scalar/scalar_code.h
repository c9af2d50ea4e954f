/*
 * scalar_code: the SIMT code of an image for scalarization (lanes.md §3): the instructions of all functions
 * that kernels reach, as nodes of a graph, with the architectural registers that each reads and writes.
 * Registers are numbered as abi/scalar_note.h numbers them, in sets of bits.
 *
 * A function's instructions are followed by its end and by a node for each call that is conditional or takes
 * the place of a return: such an instruction branches to a call that always happens. So a node is a call or a
 * branch, never both.
 */
#ifndef COMPILER_SCALAR_CODE_H
#define COMPILER_SCALAR_CODE_H

#include "abi/scalar_note.h"
#include "compiler/code/code_flow.h"
#include "compiler/driver/text.h"

#include <jansson.h>

#define SCALAR_NONE ((size_t)-1)

#define SCALAR_SP (UINT64_C(1) << 13)
#define SCALAR_LR (UINT64_C(1) << 14)
/* Registers that a call leaves undefined, except results: r0–r3, r12, LR, s0–s15, flags. */
#define SCALAR_CALL_KILLS                                                                                    \
    (UINT64_C(0xf) | UINT64_C(1) << 12 | SCALAR_LR | UINT64_C(0xffff) << 16 |                                \
     UINT64_C(1) << SCALAR_NOTE_NZCV | UINT64_C(1) << SCALAR_NOTE_FPSCR_FLAGS)
/* Registers that a function preserves: r4–r11, s16–s31. */
#define SCALAR_CALL_KEEPS (UINT64_C(0xff0) | UINT64_C(0xffff) << 32)

struct scalar_node {
    uint32_t address; /* address of the instruction, also for its call node; 0: a function's end, or data */
    uint64_t reads, writes; /* operands; for a call those of the instruction itself */
    uint64_t keeps;         /* subset of `writes`: some threads, or some bits, keep the old value */
    uint64_t pairs;         /* subset of `reads`: for bit r, r and r + 1 are one operand */
    size_t function, callee;
    size_t meeting; /* reconvergence node of a branch; the function's end if there is none before */
    size_t successor, successors;   /* range in scalar_code.successors */
    bool table_jump;                /* branch by its operands, not by a condition */
    bool is_instruction, tail_call; /* tail_call: takes the place of a return */
    bool varies;                    /* result differs between threads for any operands */
    bool conditional, barrier, ends_thread;
};

struct scalar_function {
    size_t begin, instructions, end, limit; /* nodes: first, number, the function's end, end of its calls */
    const char *name;
    bool reached;
    bool *calls;      /* for each function: itself and its direct and indirect callees */
    bool has_barrier; /* the function or a callee has one */
};

struct scalar_code {
    struct code_section section;
    struct scalar_node *nodes;
    size_t node_count;
    size_t *successors;
    struct scalar_function *functions;
    size_t function_count;
    size_t *order; /* functions that kernels reach, callers before callees */
    size_t ordered;
    size_t *thunks; /* function of each kernel's thunk */
    size_t thunk_count;
};

/* `image` must stay in memory as long as the code is used. `kernels`: objects of the image's note. */
void scalar_code_read(struct scalar_code *c, const struct text *image, const json_t *kernels);
void scalar_code_free(struct scalar_code *c);

#endif
