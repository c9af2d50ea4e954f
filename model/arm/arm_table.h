/*
 * arm_table: the encodings of the A32 and VFPv3-D16 instructions that are modelled, one row each, as the
 * architecture manual draws them, and the encodings refused with a reason. Shared by decoder and
 * disassembler.
 */
#ifndef MODEL_ARM_ARM_TABLE_H
#define MODEL_ARM_ARM_TABLE_H

#include "model/arm/arm.h"
#include "model/arm/arm_operations.h"

enum arm_operation {
#define X(name) ARM_OP_##name,
    ARM_OPERATIONS(X)
#undef X
        ARM_OPERATION_COUNT
};

extern arm_function *const arm_warp_function[ARM_OPERATION_COUNT];
extern arm_function *const arm_thread_function[ARM_OPERATION_COUNT];

/* How the fields beside the registers are to be read. */
enum arm_form {
    ARM_FORM_PLAIN,
    ARM_FORM_MODIFIED,         /* i: 8 bits rotated by twice the upper four */
    ARM_FORM_SHIFTED,          /* t, a: register shifted by a constant */
    ARM_FORM_SHIFTED_REGISTER, /* t: register shifted by a register */
    ARM_FORM_IMMEDIATE,        /* i: as it stands */
    ARM_FORM_BRANCH,           /* i: signed words */
    ARM_FORM_OFFSET,           /* p, u, w, i: load and store with a constant offset in bytes */
    ARM_FORM_OFFSET_WORDS,     /* likewise, in words (VLDR, VSTR) */
    ARM_FORM_OFFSET_REGISTER,  /* p, u, w, t, a: with a register offset */
    ARM_FORM_BLOCK,            /* p, u, w, l: load and store multiple */
    ARM_FORM_BLOCK_SINGLE,     /* p, u, w, i: of i single registers from d */
    ARM_FORM_BLOCK_DOUBLE,     /* p, u, w, i: of i/2 double registers from d */
    ARM_FORM_EXTEND,           /* a: rotation in bytes */
    ARM_FORM_SATURATE,         /* i: bits (signed: less one); t, a: shift */
    ARM_FORM_BIT_FIELD,        /* a: least significant bit, i: width less one */
    ARM_FORM_BIT_INSERT,       /* a: least significant bit, i: most significant bit */
    ARM_FORM_HALVES,           /* x, y: upper half of the first, second operand; x: exchange or round */
    ARM_FORM_COPROCESSOR,      /* o, e: opc1, opc2; N, M: CRn, CRm */
    ARM_FORM_CONSTANT,         /* i: VFP constant */
    ARM_FORM_FIXED, /* i: fraction bits subtracted from the size; x: 32 bits, not 16; y: unsigned */
    ARM_FORM_LANE,  /* i: index of the scalar, of 32 bits */
};

/*
 * pattern: bit 31 first; 0 and 1 are fixed, `.` is any, letters are fields (c: condition, S: sets flags,
 * d n m s: registers; D N M beside them: the extra bit of a VFP register number). Bits in parentheses should
 * be as they are: else the encoding is unpredictable. Bits 24, 23 and 21 of loads and stores are always P, U
 * and W.
 * text: assembly; %letter stands for an operand (see arm_disassemble.c), `%c` for the condition.
 * effects: registers written, a colon, registers read; `e` is the register after d, `g` the one after m, `14`
 * the link register, `Sd`, `Dd` are VFP registers, `l` is the register list, `v` a list of VFP registers,
 * `Wd` the word of Dd that holds the scalar.
 */
struct arm_row {
    const char *pattern, *text, *effects;
    uint16_t operation; /* enum arm_operation; with S set, the next */
    uint8_t class, form;
    uint8_t bytes;      /* memory: bytes accessed by one thread, 0: as the register list says */
    const char *except; /* fields and the values they must not all have ("n15", "p0w1"), for that is another
                           row; or NULL */
};

struct arm_refused {
    const char *pattern, *reason;
};

/* Mask and value of a pattern: an encoding belongs to it if (encoding & mask) == value; it is unpredictable
 * unless (encoding & should_mask) == should_value. */
struct arm_match {
    uint32_t mask, value, should_mask, should_value;
};

#define ARM_BIT_P (1u << 24)
#define ARM_BIT_U (1u << 23)
#define ARM_BIT_W (1u << 21)

extern const struct arm_row arm_rows[];
extern const unsigned arm_row_count;
extern const struct arm_refused arm_refused_rows[]; /* looked up in order, where no row matches */
extern const unsigned arm_refused_count;

struct arm_match arm_pattern_match(const char *pattern);

bool arm_row_matches(const struct arm_row *row, uint32_t encoding);

/* The row's pattern; it may contain encodings that are another row's. */
struct arm_match arm_row_pattern(const struct arm_row *row);

/* Mask and value of the encodings that `except` takes out of the row: mask 0 if it takes none. */
struct arm_match arm_row_exception(const struct arm_row *row);

/* Whether a row is a load or store; whether such an encoding writes its base register back. */
bool arm_row_is_memory(const struct arm_row *row);
bool arm_writes_back(const struct arm_row *row, uint32_t encoding);

/* Why an encoding of the row is refused (unpredictable…), NULL if it is not. */
const char *arm_row_refusal(const struct arm_row *row, uint32_t encoding);

/* The row an encoding belongs to, NULL if to none. It may still be refused (arm_refusal). */
const struct arm_row *arm_row_find(uint32_t encoding);

/* Value of a field: the bits of the encoding where the pattern has the letter; 0 if it has none. */
uint32_t arm_field(const struct arm_row *row, char letter, uint32_t encoding);
bool arm_has_field(const struct arm_row *row, char letter);

/* A VFP register row (16–47) for field d, n or m of the row: kind 'S' or 'D'. */
unsigned arm_vfp_register(const struct arm_row *row, char kind, char letter, uint32_t encoding);

/* Shifts, in the encoding's order; ARM_SHIFT_NONE is a plain register. */
enum arm_shift {
    ARM_SHIFT_NONE,
    ARM_SHIFT_LSL,
    ARM_SHIFT_LSR,
    ARM_SHIFT_ASR,
    ARM_SHIFT_ROR,
    ARM_SHIFT_RRX,
    ARM_SHIFT_LSL_REGISTER,
    ARM_SHIFT_LSR_REGISTER,
    ARM_SHIFT_ASR_REGISTER,
    ARM_SHIFT_ROR_REGISTER,
};

/* Shift type and amount (1–32; none and RRX: 0) that fields t and a stand for. */
enum arm_shift arm_shift_of(const struct arm_row *row, uint32_t encoding, uint32_t *amount);

/* Field i of ARM_FORM_MODIFIED, expanded. */
uint32_t arm_modified_immediate(uint32_t i);

#endif
