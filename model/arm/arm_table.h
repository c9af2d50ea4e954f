/*
 * arm_table: the encodings of the A32 and VFPv3-D16 instructions that are modelled, with one row for each, in
 * the notation of the architecture manual, and the encodings refused with a reason. Used by decoder and
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

/* Interpretation of the fields other than registers. */
enum arm_form {
    ARM_FORM_PLAIN,
    ARM_FORM_MODIFIED,         /* i: 8 bits rotated by twice the upper four */
    ARM_FORM_SHIFTED,          /* t, a: register shifted by a constant */
    ARM_FORM_SHIFTED_REGISTER, /* t: register shifted by a register */
    ARM_FORM_IMMEDIATE,        /* i: as encoded */
    ARM_FORM_BRANCH,           /* i: signed words */
    ARM_FORM_OFFSET,           /* p, u, w, i: load and store with a constant offset in bytes */
    ARM_FORM_OFFSET_WORDS,     /* offset in words (VLDR, VSTR) */
    ARM_FORM_OFFSET_REGISTER,  /* p, u, w, t, a: with a register offset */
    ARM_FORM_BLOCK,            /* p, u, w, l: load and store multiple */
    ARM_FORM_BLOCK_SINGLE,     /* p, u, w, i: i single registers from d */
    ARM_FORM_BLOCK_DOUBLE,     /* p, u, w, i: i/2 double registers from d */
    ARM_FORM_EXTEND,           /* a: rotation in bytes */
    ARM_FORM_SATURATE,         /* i: bits (signed: less one); t, a: shift */
    ARM_FORM_BIT_FIELD,        /* a: least significant bit, i: width less one */
    ARM_FORM_BIT_INSERT,       /* a: least significant bit, i: most significant bit */
    ARM_FORM_HALVES,           /* x, y: upper half of the first, second operand; x: exchange or round */
    ARM_FORM_COPROCESSOR,      /* o, e: opc1, opc2; N, M: CRn, CRm */
    ARM_FORM_CONSTANT,         /* i: VFP constant */
    ARM_FORM_FIXED, /* i: fraction bits subtracted from the size; x: 32 bits, not 16; y: unsigned */
    ARM_FORM_LANE,  /* i: index of the scalar, of 32 bits */
    /* Advanced SIMD (arm_table_neon.h), up to the last: */
    ARM_FORM_NEON,          /* i: constant as encoded, or none */
    ARM_FORM_NEON_RIGHT,    /* i: element size minus the constant */
    ARM_FORM_NEON_CONSTANT, /* i: 8 bits, expanded according to the mode */
    ARM_FORM_NEON_SCALAR,   /* i: index of the element of Dm used for all elements */
    ARM_FORM_NEON_ELEMENT,  /* i: index of an element of a register */
    ARM_FORM_NEON_LIST,     /* z, a: registers whose elements may be interleaved */
    ARM_FORM_NEON_LANE,     /* i, a: one element of a register */
    ARM_FORM_NEON_ALL,      /* z, a: one element copied to all elements of one register or (x) two */
};

/*
 * pattern: bit 31 first; 0 and 1 are fixed, `.` is any value, letters are fields (c: condition, S: sets
 * flags, d n m s: registers; D N M: their extra bit in a VFP register number). If bits in parentheses have
 * other values, the encoding is unpredictable. Bits 24, 23 and 21 of loads and stores are always P, U and W.
 * text: assembly; %letter stands for an operand (see arm_disassemble.c), `%c` for the condition. effects:
 * registers written, a colon, registers read; `e` is the register after d, `g` the one after m, `14` the link
 * register, `Sd`, `Dd` are VFP registers, `l` is the register list, `v` a list of VFP registers, `Wd` the
 * word of Dd that holds the scalar. arm_table_neon.h has the letters of Advanced SIMD.
 */
struct arm_row {
    const char *pattern, *text, *effects;
    uint16_t operation; /* enum arm_operation; the next one if S is set */
    uint8_t class, form;
    uint8_t bytes; /* memory: bytes accessed by one thread, 0: by the register list; Advanced SIMD: bytes of
                      an element, 0: by field z; VTBL: doublewords of the table */
    /* Fields and values that belong to another row if all match ("n15", "p0w1"); or NULL. */
    const char *except;
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
extern const struct arm_refused arm_refused_rows[]; /* searched in order if no row matches */
extern const unsigned arm_refused_count;

struct arm_match arm_pattern_match(const char *pattern);

bool arm_row_matches(const struct arm_row *row, uint32_t encoding);

/* Returns the row's pattern; it may contain encodings of another row. */
struct arm_match arm_row_pattern(const struct arm_row *row);

/* Returns the mask and value of the encodings that `except` takes out of the row; mask 0 if there are
 * none. */
struct arm_match arm_row_exception(const struct arm_row *row);

/* Return whether a row is a load or store; whether such an encoding writes its base register back. */
bool arm_row_is_memory(const struct arm_row *row);
bool arm_writes_back(const struct arm_row *row, uint32_t encoding);

/* Returns why an encoding of the row is refused (unpredictable…); NULL if it is not. */
const char *arm_row_refusal(const struct arm_row *row, uint32_t encoding);

/* Returns the row of an encoding, NULL if there is none. The encoding may still be refused (arm_refusal). */
const struct arm_row *arm_row_find(uint32_t encoding);

/* Returns whether a letter of the effects is the kind of the register named by the next letter. */
static inline bool arm_effect_kind(char c) {
    return c >= 'A' && c <= 'Z';
}

/* Returns the value of a field: the bits of the encoding where the pattern has the letter; 0 if it has
 * none. */
uint32_t arm_field(const struct arm_row *row, char letter, uint32_t encoding);
bool arm_has_field(const struct arm_row *row, char letter);

/* Returns the VFP register row (16–79) for field d, n or m of the row; kind 'S', 'D', or 'W' (the word of the
 * scalar). */
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

/* Returns the shift type and amount (1–32; 0 for none and RRX) of fields t and a. */
enum arm_shift arm_shift_of(const struct arm_row *row, uint32_t encoding, uint32_t *amount);

/* Returns field i of ARM_FORM_MODIFIED, expanded. */
uint32_t arm_modified_immediate(uint32_t i);

#endif
