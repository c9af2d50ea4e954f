/*
 * code_positions: the source position of each instruction of an image, from its DWARF: file, line, column and
 * call of an inlined function.
 */
#ifndef COMPILER_CODE_POSITIONS_H
#define COMPILER_CODE_POSITIONS_H

#include "compiler/code/code_section.h"
#include "compiler/source/meeting_source.h"

#define CODE_NO_CALL SIZE_MAX

/* A function, or an inlined call. */
struct code_call {
    size_t caller;              /* CODE_NO_CALL: a function that is not inlined */
    struct meeting_place place; /* place of the call */
};

struct code_position {
    struct meeting_place place; /* file NULL: unknown */
    size_t call;                /* CODE_NO_CALL: in no function known to DWARF */
};

struct code_positions {
    uint32_t base;
    struct code_position *positions; /* one for each word of the code */
    size_t count;
    struct code_call *calls;
    size_t call_count;
    char **files;
    size_t file_count;
};

void code_positions_read(struct code_positions *p, const struct text *image, const struct code_section *code);
void code_positions_free(struct code_positions *p);

/* Returns the position of the instruction at an address. */
struct code_position code_positions_at(const struct code_positions *p, uint32_t address);

#endif
