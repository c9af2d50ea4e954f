/*
 * arm_sequence: random sequences of instructions that use every row of the decode table, and the single
 * thread that our model runs them on.
 *
 * Two kinds. In a dependent sequence each instruction works on what those before it left. Addresses and
 * branch targets are put into registers by MOVW and MOVT. Conditional branches go forward, loops are counted,
 * exclusives come in pairs after a CLREX. In a refreshed sequence the operands of each instruction are set
 * before it runs, so that each row meets every class of operand (arm_corner.h), pairs of them in turn.
 *
 * Memory as both sides have it, at addresses of its own for each sequence's code: code slots, the last one
 * the end, then as many words to load and store relative to the PC. Then a page with data, two granules for
 * exclusives, and tables of branch targets: table g holds one address of the code after slot 8·g + 7, in
 * every word. */
#ifndef TESTS_ARM_ARM_SEQUENCE_H
#define TESTS_ARM_ARM_SEQUENCE_H

#include "model/control/exclusive_monitor.h"
#include "tests/arm/arm_coverage.h"

#define ARM_SEQUENCE_SLOTS    64u
#define ARM_SEQUENCE_CODE     0x00010000u
#define ARM_SEQUENCE_BYTES    512u /* code and the words after it */
#define ARM_SEQUENCE_PAGE     0x60000000u
#define ARM_SEQUENCE_PAGE_END 0x60001000u
#define ARM_SEQUENCE_MONITOR  0x400u /* offsets in the page */
#define ARM_SEQUENCE_TABLES   0x800u

struct arm_sequence {
    uint32_t base, end; /* addresses of the first instruction and of the slot after the last one */
    unsigned length;
    bool refreshed;
    uint32_t code[ARM_SEQUENCE_SLOTS];
    struct arm_instruction decoded[ARM_SEQUENCE_SLOTS];
    uint32_t table[8]; /* targets */
};

/* Our side: one thread and its memory. */
struct arm_side {
    struct memory memory;
    struct exclusive_monitor monitor;
    int code_region;
    uint32_t registers[ARM_NEON_REGISTERS], pc, next_pc, n, z, c, v, q, ge, fpscr;
    struct arm_threads threads;
    struct arm_execution x;
    bool sources_suffice; /* refreshed: the latest instruction reads no register outside its sources */
    _Alignas(64) uint8_t page[ARM_SEQUENCE_PAGE_END - ARM_SEQUENCE_PAGE];
    uint32_t text[ARM_SEQUENCE_BYTES / 4];
};

void arm_side_start(struct arm_side *s);
void arm_side_end(struct arm_side *s);

/* A new sequence at `base`; exits: with rows that leave an emulator. */
void arm_sequence_generate(struct arm_sequence *q, struct arm_side *scratch, uint32_t base, bool refreshed,
                           bool exits);

/* Random registers, flags, FPSCR and memory for the sequence, the PC at its beginning. */
void arm_sequence_begin(const struct arm_sequence *q, struct arm_side *s);

/* Operands for the instruction at the PC, in a refreshed sequence. */
void arm_sequence_refresh(struct arm_sequence *q, struct arm_side *s, struct arm_coverage *coverage);

/* Executes the instruction at the PC, fills s->x and advances the PC. Records the coverage in coverage[row].
 * Returns the instruction. */
struct arm_instruction *arm_sequence_step(struct arm_sequence *q, struct arm_side *s,
                                          struct arm_coverage *coverage);

#endif
