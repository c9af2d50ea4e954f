#include "model/arm/arm_table.h"
#include "model/arm/coprocessor.h"
#include "model/arm/arm_vfp.h"

#include <stdlib.h>
#include <string.h>

const char *const arm_class_name[ARM_CLASS_COUNT] = {
#define X(id, name, what) name,
    ARM_CLASSES(X)
#undef X
};

const char *const arm_class_description[ARM_CLASS_COUNT] = {
#define X(id, name, what) what,
    ARM_CLASSES(X)
#undef X
};

#define ALWAYS   14
#define MAX_ROWS 1024

/* Matches of the rows and their exceptions, built once before main. */
static struct arm_match matches[MAX_ROWS], exceptions[MAX_ROWS];

static bool is_bit(char c) {
    return c != ' ' && c != '(' && c != ')';
}

struct arm_match arm_pattern_match(const char *pattern) {
    struct arm_match m = {0};
    bool should = false;
    for (const char *p = pattern; *p; p++) {
        if (!is_bit(*p)) {
            if (*p != ' ') should = *p == '(';
            continue;
        }
        const uint32_t fixed = *p == '0' || *p == '1', one = *p == '1';
        m.mask = m.mask << 1 | (should ? 0 : fixed);
        m.value = m.value << 1 | (should ? 0 : one);
        m.should_mask = m.should_mask << 1 | (should ? fixed : 0);
        m.should_value = m.should_value << 1 | (should ? one : 0);
    }
    return m;
}

/* Returns the encoding's bits where the pattern has the letter. */
static uint32_t pattern_field(const char *pattern, char letter, uint32_t encoding) {
    uint32_t value = 0;
    unsigned bit = 31;
    for (const char *p = pattern; *p; p++) {
        if (!is_bit(*p)) continue;
        if (*p == letter) value = value << 1 | (encoding >> bit & 1);
        bit--;
    }
    return value;
}

/* Puts a value into the bits where the pattern has the letter. */
static void match_field(const char *pattern, char letter, uint32_t value, struct arm_match *m) {
    unsigned bit = 0;
    for (size_t at = strlen(pattern); at-- > 0;) {
        if (!is_bit(pattern[at])) continue;
        if (pattern[at] == letter) {
            m->mask |= 1u << bit;
            m->value |= (value & 1) << bit;
            value >>= 1;
        }
        bit++;
    }
}

static struct arm_match exception_match(const struct arm_row *row) {
    struct arm_match m = {0};
    for (const char *e = row->except; e && *e;) {
        char *end;
        const char letter = *e++;
        match_field(row->pattern, letter, (uint32_t)strtoul(e, &end, 10), &m);
        e = end;
    }
    return m;
}

__attribute__((constructor)) static void build_matches(void) {
    for (unsigned r = 0; r < arm_row_count; r++) {
        matches[r] = arm_pattern_match(arm_rows[r].pattern);
        exceptions[r] = exception_match(&arm_rows[r]);
    }
}

struct arm_match arm_row_pattern(const struct arm_row *row) {
    return matches[row - arm_rows];
}

struct arm_match arm_row_exception(const struct arm_row *row) {
    return exceptions[row - arm_rows];
}

uint32_t arm_field(const struct arm_row *row, char letter, uint32_t encoding) {
    return pattern_field(row->pattern, letter, encoding);
}

bool arm_has_field(const struct arm_row *row, char letter) {
    return strchr(row->pattern, letter) != NULL;
}

bool arm_row_matches(const struct arm_row *row, uint32_t encoding) {
    const struct arm_match *m = &matches[row - arm_rows], *e = &exceptions[row - arm_rows];
    if ((encoding & m->mask) != m->value) return false;
    if (row->pattern[0] == 'c' && encoding >> 28 == 15) return false;
    return !e->mask || (encoding & e->mask) != e->value;
}

const struct arm_row *arm_row_find(uint32_t encoding) {
    for (unsigned r = 0; r < arm_row_count; r++)
        if (arm_row_matches(&arm_rows[r], encoding)) return &arm_rows[r];
    return NULL;
}

unsigned arm_vfp_register(const struct arm_row *row, char kind, char letter, uint32_t encoding) {
    uint32_t number = arm_field(row, letter, encoding);
    if (kind == 'S') return 16 + number * 2 + arm_field(row, (char)(letter - 'a' + 'A'), encoding);
    const unsigned high = arm_field(row, (char)(letter - 'a' + 'A'), encoding),
                   low = 16 + (high * 16 + number) * 2;
    if (kind == 'D') return low;
    const unsigned elements = row->bytes && row->bytes < 4 ? 4u / row->bytes : 1; /* elements of a word */
    return low + arm_field(row, 'i', encoding) / elements;                        /* word with the scalar */
}

enum arm_shift arm_shift_of(const struct arm_row *row, uint32_t encoding, uint32_t *amount) {
    uint32_t type = arm_field(row, 't', encoding);
    if (row->operation == ARM_OP_pkhtb || (row->form == ARM_FORM_SATURATE && type)) type = 2;
    *amount = arm_field(row, 'a', encoding);
    if (type == 0) return *amount ? ARM_SHIFT_LSL : ARM_SHIFT_NONE;
    if (type == 3) return *amount ? ARM_SHIFT_ROR : ARM_SHIFT_RRX;
    if (*amount == 0) *amount = 32;
    return type == 1 ? ARM_SHIFT_LSR : ARM_SHIFT_ASR;
}

uint32_t arm_modified_immediate(uint32_t i) {
    const uint32_t bits = i & 255, rotation = (i >> 8) * 2;
    return bits >> rotation | (uint32_t)((uint64_t)bits << (32 - rotation));
}

static uint32_t vfp_constant_single(uint32_t abcdefgh) {
    uint32_t b = abcdefgh >> 6 & 1;
    return (abcdefgh >> 7) << 31 | (b ^ 1) << 30 | (b ? 31u : 0) << 25 | (abcdefgh & 63) << 19;
}

/* Constants of VMOV (immediate): abcdefgh expanded to a single, and to the high word of a double. */
static uint32_t vfp_constant_double(uint32_t abcdefgh) {
    uint32_t b = abcdefgh >> 6 & 1;
    return (abcdefgh >> 7) << 31 | (b ^ 1) << 30 | (b ? 255u : 0) << 22 | (abcdefgh & 63) << 16;
}

bool arm_row_is_memory(const struct arm_row *row) {
    return (row->class >= ARM_CLASS_LOAD && row->class <= ARM_CLASS_STORE_MULTIPLE) ||
           row->class == ARM_CLASS_NEON_LOAD || row->class == ARM_CLASS_NEON_STORE;
}

bool arm_writes_back(const struct arm_row *row, uint32_t encoding) {
    if (!arm_row_is_memory(row) || row->form == ARM_FORM_PLAIN) return false;
    if (row->form >= ARM_FORM_NEON) return arm_field(row, 'm', encoding) != 15;
    const bool block = row->form >= ARM_FORM_BLOCK && row->form <= ARM_FORM_BLOCK_DOUBLE;
    return encoding & ARM_BIT_W || (!block && !(encoding & ARM_BIT_P));
}

/* --- fields into the instruction --- */

static void decode_shift(struct arm_instruction *out) {
    uint32_t amount;
    out->shift = (uint8_t)arm_shift_of(out->row, out->encoding, &amount);
    out->shift_amount = (uint8_t)amount;
}

static void decode_offset(struct arm_instruction *out, unsigned scale) {
    const uint32_t e = out->encoding, offset = arm_field(out->row, 'i', e) * scale;
    out->subtract = !(e & ARM_BIT_U);
    out->pre_index = (e & ARM_BIT_P) != 0;
    out->write_back = arm_writes_back(out->row, e);
    out->immediate = out->subtract ? 0u - offset : offset;
}

/* The immediate is the lowest address, shift_amount the words added to the base: FLDMX and FSTMX add one more
 * than they transfer. */
static void decode_block(struct arm_instruction *out) {
    const struct arm_row *row = out->row;
    const uint32_t e = out->encoding, i = arm_field(row, 'i', e);
    const bool up = e & ARM_BIT_U, before = e & ARM_BIT_P, core = row->form == ARM_FORM_BLOCK;
    out->register_list = (uint16_t)arm_field(row, 'l', e);
    out->access_count = (uint8_t)(core ? (uint32_t)__builtin_popcount(out->register_list)
                                       : i * (row->form == ARM_FORM_BLOCK_DOUBLE ? 2 : 1));
    out->access_bytes = (uint8_t)(out->access_count * 4);
    out->shift_amount = (uint8_t)(core ? out->access_count : e & 255);
    out->subtract = !up;
    out->write_back = arm_writes_back(row, e);
    out->immediate = (up ? 0 : 0u - out->shift_amount * 4) + (before == up && core ? 4 : 0);
}

static void decode_halves(struct arm_instruction *out) {
    uint32_t x = arm_field(out->row, 'x', out->encoding), y = arm_field(out->row, 'y', out->encoding);
    out->shift = x ? 0 : 16;
    out->shift_amount = y ? 0 : 16;
    out->immediate = x ? 0x80000000u : 0;
    if (!arm_has_field(out->row, 'y')) out->shift_amount = x ? 16 : 0;
}

static void decode_bits(struct arm_instruction *out) {
    uint32_t least = arm_field(out->row, 'a', out->encoding), i = arm_field(out->row, 'i', out->encoding);
    if (out->row->form == ARM_FORM_BIT_INSERT) {
        out->shift = (uint8_t)least;
        out->immediate = (~0u >> (31 - i)) & (~0u << least);
    } else {
        out->shift = (uint8_t)(31 - i - least);
        out->shift_amount = (uint8_t)(31 - i);
    }
}

static void decode_fixed(struct arm_instruction *out) {
    unsigned size = arm_field(out->row, 'x', out->encoding) ? 32 : 16;
    out->immediate =
        size - (arm_field(out->row, 'i', out->encoding) << 1 | arm_field(out->row, 'k', out->encoding));
    out->shift = (uint8_t)size;
    out->shift_amount = (uint8_t)arm_field(out->row, 'y', out->encoding);
}

/* --- Advanced SIMD --- */

/* Decodes the constant of VMOV, VORR, VMVN, VBIC (immediate): AdvSIMDExpandImm. */
static void decode_constant(struct arm_instruction *out, uint32_t i) {
    const uint32_t mode = out->encoding >> 8 & 15, op = out->encoding >> 5 & 1;
    uint32_t low = i, high;
    if (mode == 15)
        low = vfp_constant_single(i);
    else if (mode == 14 && !op)
        low = i * 0x01010101u;
    else if (mode >= 12)
        low = mode == 12 ? i << 8 | 0xff : i << 16 | 0xffff;
    else if (mode >= 8)
        low = (i << (mode & 2) * 4) * 0x10001u;
    else
        low = i << (mode & 6) * 4;
    high = low;
    if (mode == 14 && op) {
        low = high = 0;
        for (unsigned b = 0; b < 4; b++) {
            low |= (i >> b & 1) * 255u << b * 8;
            high |= (i >> (b + 4) & 1) * 255u << b * 8;
        }
    }
    out->immediate = low;
    out->immediate_high = high;
}

/* Sets structure, groups and spacing by the type of the encoding. */
static void decode_structure(struct arm_instruction *out) {
    static const uint8_t list_of[16][3] = {
        [0] = {4, 1, 1}, [1] = {4, 1, 2}, [2] = {1, 4, 1}, [3] = {2, 2, 2}, [4] = {3, 1, 1}, [5] = {3, 1, 2},
        [6] = {1, 3, 1}, [7] = {1, 1, 1}, [8] = {2, 1, 1}, [9] = {2, 1, 2}, [10] = {1, 2, 1}};
    const uint8_t *const l = list_of[out->encoding >> 8 & 15];
    out->structure = l[0], out->groups = l[1], out->spacing = l[2];
}

/* Decodes a load or store; the immediate is added to the base. */
static void decode_neon_access(struct arm_instruction *out) {
    const struct arm_row *row = out->row;
    const uint32_t e = out->encoding, align = arm_field(row, 'a', e), post = arm_field(row, 'm', e);
    unsigned bytes = 1u << (out->element & 3);
    out->align_bits = (uint8_t)(align ? bytes - 1 : 0);
    out->shift_amount = (uint8_t)(arm_field(row, 'i', e) & (4u / bytes - 1));
    out->structure = out->groups = out->spacing = 1;
    if (row->form == ARM_FORM_NEON_LIST) {
        decode_structure(out);
        bytes = 8u * out->structure * out->groups;
        out->align_bits = (uint8_t)(align ? (4u << align) - 1 : 0);
    } else if (row->form == ARM_FORM_NEON_ALL) {
        out->groups = (uint8_t)(1 + arm_field(row, 'x', e));
    }
    out->immediate = bytes;
    out->access_bytes = (uint8_t)bytes;
    out->access_count = (uint8_t)((bytes + 7) / 8);
    out->write_back = post != 15;
    out->register_offset = post < 13 || post == 14;
}

/* Changes the class to that of quadwords, which follows that of doublewords. */
static void decode_quad(struct arm_instruction *out) {
    const char *const effects = out->row->effects;
    const bool quad = effects[0] == 'X' || (arm_field(out->row, 'q', out->encoding) && strchr(effects, 'Q'));
    if (quad && !arm_row_is_memory(out->row)) out->class ++;
}

static void decode_neon(struct arm_instruction *out) {
    const struct arm_row *row = out->row;
    const uint32_t e = out->encoding, i = arm_field(row, 'i', e);
    out->element = (uint8_t)(row->bytes ? (unsigned)__builtin_ctz(row->bytes) : arm_field(row, 'z', e));
    out->is_unsigned = arm_field(row, 'y', e);
    out->immediate = i;
    out->has_two_results = row->operation >= ARM_OP_neon_vswp && row->operation <= ARM_OP_neon_vzip;
    decode_quad(out);
    switch ((enum arm_form)row->form) {
    case ARM_FORM_NEON_RIGHT: out->immediate = (8u << out->element) - i; break;
    case ARM_FORM_NEON_CONSTANT: decode_constant(out, i); break;
    case ARM_FORM_NEON_SCALAR:
        out->is_scalar = true;
        out->immediate = i & (4u / row->bytes - 1);
        break;
    case ARM_FORM_NEON_ELEMENT: out->immediate = i & (4u / row->bytes - 1); break;
    case ARM_FORM_NEON_LIST:
    case ARM_FORM_NEON_LANE:
    case ARM_FORM_NEON_ALL: decode_neon_access(out); break;
    default: break;
    }
}

static void decode_form(struct arm_instruction *out) {
    const struct arm_row *row = out->row;
    uint32_t e = out->encoding, i = arm_field(row, 'i', e);
    switch ((enum arm_form)row->form) {
    case ARM_FORM_PLAIN: break;
    case ARM_FORM_MODIFIED:
        out->rs = i >> 8 != 0; /* rotated: bit 31 is the carry out */
        out->immediate = arm_modified_immediate(i);
        break;
    case ARM_FORM_SHIFTED: decode_shift(out); break;
    case ARM_FORM_SHIFTED_REGISTER:
        out->shift = (uint8_t)(ARM_SHIFT_LSL_REGISTER + arm_field(row, 't', e));
        break;
    case ARM_FORM_IMMEDIATE: out->immediate = i; break;
    case ARM_FORM_BRANCH: out->immediate = (uint32_t)((int32_t)(i << 8) >> 6); break;
    case ARM_FORM_OFFSET: decode_offset(out, 1); break;
    case ARM_FORM_OFFSET_WORDS: decode_offset(out, 4); break;
    case ARM_FORM_OFFSET_REGISTER:
        decode_offset(out, 1);
        decode_shift(out);
        out->register_offset = true;
        break;
    case ARM_FORM_BLOCK:
    case ARM_FORM_BLOCK_SINGLE:
    case ARM_FORM_BLOCK_DOUBLE: decode_block(out); break;
    case ARM_FORM_EXTEND: out->shift_amount = (uint8_t)(arm_field(row, 'a', e) * 8); break;
    case ARM_FORM_SATURATE:
        decode_shift(out);
        if (row->operation == ARM_OP_ssat16 || row->operation == ARM_OP_usat16) out->shift = ARM_SHIFT_NONE;
        out->immediate = (1u << i) - 1;
        break;
    case ARM_FORM_BIT_FIELD:
    case ARM_FORM_BIT_INSERT: decode_bits(out); break;
    case ARM_FORM_HALVES: decode_halves(out); break;
    case ARM_FORM_COPROCESSOR:
        out->is_coprocessor = true;
        out->coprocessor_two = arm_has_field(row, 'n');
        out->coprocessor_reads = row->effects[0] != ':';
        out->opc1 = (uint8_t)arm_field(row, 'o', e);
        out->opc2 = (uint8_t)arm_field(row, 'e', e);
        out->crn = (uint8_t)arm_field(row, 'N', e);
        out->crm = (uint8_t)arm_field(row, 'M', e);
        break;
    case ARM_FORM_CONSTANT:
        out->immediate =
            row->operation == ARM_OP_vmov_immediate_f32 ? vfp_constant_single(i) : vfp_constant_double(i);
        break;
    case ARM_FORM_FIXED: decode_fixed(out); break;
    case ARM_FORM_LANE: break;
    default: decode_neon(out);
    }
}

/* --- registers read and written --- */

static void set_register(struct arm_instruction *out, char letter, unsigned number) {
    switch (letter) {
    case 'd': out->rd = (uint8_t)number; break;
    case 'n': out->rn = (uint8_t)number; break;
    case 'm': out->rm = (uint8_t)number; break;
    case 's': out->rs = (uint8_t)number; break;
    default: break;
    }
}

static void set_words(struct arm_instruction *out, char letter, unsigned words) {
    switch (letter) {
    case 'd': out->words_d = (uint8_t)words; break;
    case 'n': out->words_n = (uint8_t)words; break;
    default: out->words_m = (uint8_t)words; break;
    }
}

/* Returns the register that is added to the base after an access; rm has the offset. */
static uint64_t post_index_rows(struct arm_instruction *out) {
    out->rm = (uint8_t)arm_field(out->row, 'm', out->encoding);
    return out->register_offset ? UINT64_C(1) << out->rm : 0;
}

/* Returns the registers of a list of VLDM and VSTM, or of VLD and VST. */
static uint64_t list_rows(struct arm_instruction *out) {
    const struct arm_row *row = out->row;
    uint64_t rows = 0;
    out->rd =
        (uint8_t)arm_vfp_register(row, row->form == ARM_FORM_BLOCK_SINGLE ? 'S' : 'D', 'd', out->encoding);
    if (row->form < ARM_FORM_NEON) return arm_row_bits(out->rd, out->access_count);
    for (unsigned r = 0; r < out->structure; r++)
        rows |= arm_row_bits(out->rd + r * out->spacing * 2, out->groups * 2u);
    out->words_d = (uint8_t)(out->groups * 2u);
    return rows;
}

static uint64_t vfp_rows(struct arm_instruction *out, char kind, char letter) {
    const bool next = letter == 'e' || letter == 'g', quad = arm_field(out->row, 'q', out->encoding);
    const char base = letter == 'e' ? 'd' : letter == 'g' ? 'm' : letter;
    const char of = kind == 'Q' || kind == 'X' ? 'D' : kind;
    const unsigned words = kind == 'X' || (kind == 'Q' && quad) ? 4 : kind == 'Q' || kind == 'D' ? 2 : 1;
    const unsigned number = arm_vfp_register(out->row, of, base, out->encoding);
    if (!next) set_register(out, letter, number);
    set_words(out, base, words);
    /* A single word of D16–D31: the other word keeps its value, but has no bit of its own. */
    if (kind == 'W' && number >= ARM_REGISTERS) out->sources |= arm_row_bit(number);
    return arm_row_bits(number + next, words);
}

/* Returns the registers of one token of the effects, and advances past it. Letters e and g: the register
 * after d, m. */
static uint64_t effect_rows(struct arm_instruction *out, const char **effects) {
    const char *e = *effects;
    const char kind = arm_effect_kind(*e) ? *e++ : 'r', letter = kind == 'T' || kind == 'P' ? kind : *e++;
    *effects = e;
    switch (letter) {
    case '1': *effects = e + 1; return UINT64_C(1) << 14; /* "14" */
    case 'l': return out->register_list;
    case 'v': return list_rows(out);
    case 'P': return post_index_rows(out);
    case 'T':
        out->rn = (uint8_t)arm_vfp_register(out->row, 'D', 'n', out->encoding);
        out->words_n = (uint8_t)(out->row->bytes * 2);
        return arm_row_bits(out->rn, out->words_n);
    default: break;
    }
    if (kind != 'r') return vfp_rows(out, kind, letter);
    const bool next = letter == 'e' || letter == 'g';
    const unsigned number = arm_field(out->row,
                                      letter == 'e'   ? 'd'
                                      : letter == 'g' ? 'm'
                                                      : letter,
                                      out->encoding);
    if (!next) set_register(out, letter, number);
    if (!next) set_words(out, letter, 1);
    return UINT64_C(1) << (number + next);
}

static void decode_effects(struct arm_instruction *out) {
    uint64_t *into = &out->destinations;
    for (const char *e = out->row->effects; *e;) {
        if (*e == ':') {
            into = &out->sources;
            e++;
            continue;
        }
        *into |= effect_rows(out, &e);
    }
    if (out->write_back) out->destinations |= UINT64_C(1) << out->rn;
}

static bool row_sets_flags(const struct arm_row *row, uint32_t encoding) {
    unsigned op = row->operation;
    if (arm_field(row, 'S', encoding)) return true;
    if (op >= ARM_OP_tst_immediate && op <= ARM_OP_cmn_register) return true;
    return op == ARM_OP_vmrs_flags || op == ARM_OP_msr_register || op == ARM_OP_msr_immediate;
}

static void decode_fpscr(struct arm_instruction *out, unsigned operation) {
    out->reads_fpscr = operation == ARM_OP_vmrs || operation == ARM_OP_vmrs_flags;
    out->writes_fpscr =
        operation == ARM_OP_vmsr || (operation >= ARM_OP_vcmp_f32 && operation <= ARM_OP_vcmpe_zero_f64);
}

static void decode_memory(struct arm_instruction *out) {
    uint8_t class = out->class;
    if (!arm_row_is_memory(out->row)) return;
    out->is_load =
        class == ARM_CLASS_LOAD || class == ARM_CLASS_LOAD_MULTIPLE || class == ARM_CLASS_NEON_LOAD;
    out->is_store = !out->is_load;
    if (!out->row->bytes || out->row->form >= ARM_FORM_NEON) return;
    out->access_bytes = out->row->bytes;
    out->access_count = class == ARM_CLASS_LOAD_MULTIPLE || class == ARM_CLASS_STORE_MULTIPLE ? 2 : 1;
}

static bool between(unsigned operation, enum arm_operation first, enum arm_operation last) {
    return operation >= first && operation <= last;
}

/* Returns whether the operation keeps some of NZCV, or uses the carry. Only logical operations, which keep V,
 * and multiplications set flags without setting each. */
static bool reads_nzcv(const struct arm_instruction *out, unsigned operation) {
    const enum arm_form form = out->row->form;
    if (between(operation, ARM_OP_adc_immediate, ARM_OP_rsc_register_s) || operation == ARM_OP_mrs)
        return true;
    if ((form == ARM_FORM_SHIFTED || form == ARM_FORM_OFFSET_REGISTER) && out->shift == ARM_SHIFT_RRX)
        return true;
    if (!out->sets_flags || operation == ARM_OP_vmrs_flags) return false;
    if (operation == ARM_OP_msr_register || operation == ARM_OP_msr_immediate) return !(out->opc1 & 2);
    return !between(operation, ARM_OP_sub_immediate, ARM_OP_rsc_register_s) &&
           !between(operation, ARM_OP_cmp_immediate, ARM_OP_cmn_register);
}

static bool reads_other(unsigned operation) {
    return operation == ARM_OP_sel || operation == ARM_OP_mrs || operation == ARM_OP_vmrs ||
           operation == ARM_OP_clrex || between(operation, ARM_OP_ldrex, ARM_OP_strexd);
}

static bool writes_other(unsigned operation) {
    return operation == ARM_OP_smlaxy || operation == ARM_OP_smlawy ||
           between(operation, ARM_OP_smuad, ARM_OP_smlsd) || between(operation, ARM_OP_qadd, ARM_OP_usat16) ||
           between(operation, ARM_OP_sadd16, ARM_OP_usub8) || operation == ARM_OP_msr_register ||
           operation == ARM_OP_msr_immediate || operation == ARM_OP_vmsr ||
           between(operation, ARM_OP_ldrex, ARM_OP_strexd);
}

static void decode_state(struct arm_instruction *out, unsigned operation) {
    const bool calculates =
        out->class >= ARM_CLASS_VFP_ADD_SINGLE && out->class <= ARM_CLASS_VFP_DIVIDE_DOUBLE;
    const uint64_t low = (UINT64_C(1) << ARM_REGISTERS) - 1;
    out->reads = (out->sources & low) | (out->sources & ~low ? ARM_STATE_D16_D31 : 0) |
                 (reads_nzcv(out, operation) ? ARM_STATE_NZCV : 0) |
                 (out->reads_fpscr ? ARM_STATE_FPSCR_FLAGS : 0) |
                 (calculates || operation == ARM_OP_vmrs ? ARM_STATE_FPSCR_MODES : 0) |
                 (reads_other(operation) ? ARM_STATE_OTHER : 0);
    out->writes = (out->destinations & low) | (out->destinations & ~low ? ARM_STATE_D16_D31 : 0) |
                  (out->sets_flags ? ARM_STATE_NZCV : 0) | (out->writes_fpscr ? ARM_STATE_FPSCR_FLAGS : 0) |
                  (operation == ARM_OP_vmsr ? ARM_STATE_FPSCR_MODES : 0) |
                  (writes_other(operation) ? ARM_STATE_OTHER : 0);
}

#define PC_BIT (UINT64_C(1) << 15)

static void decode_pc(struct arm_instruction *out, unsigned operation) {
    out->writes_pc = out->class == ARM_CLASS_BRANCH || out->destinations & PC_BIT;
    if (!((out->sources | out->destinations) & PC_BIT) || operation == ARM_OP_coprocessor) return;
    if (out->destinations & PC_BIT && out->class <= ARM_CLASS_SHIFT) out->class = ARM_CLASS_BRANCH;
    out->sources &= ~PC_BIT;
    out->destinations &= ~PC_BIT;
    out->body_warp = out->warp;
    out->body_thread = out->thread;
    out->warp = arm_warp_function[ARM_OP_with_pc];
    out->thread = arm_thread_function[ARM_OP_with_pc];
}

static bool decode_private(const struct arm_instruction *out, unsigned operation) {
    if (out->is_load || out->is_store || out->is_coprocessor || out->is_wait || operation == ARM_OP_clrex ||
        operation == ARM_OP_svc)
        return false;
    return !out->writes_pc || !out->body_thread || !out->sets_flags;
}

/* Lists the numbers of the rows and flags in `room` elements, filled up with `filler`. Returns false if there
 * is no room for all. */
static bool list(uint8_t *list_of, unsigned room, uint64_t rows, bool nzcv, bool fpscr,
                 enum arm_resource filler) {
    unsigned n = 0, wanted = (unsigned)__builtin_popcountll(rows) + nzcv + fpscr;
    for (; rows && n < room; rows &= rows - 1) list_of[n++] = (uint8_t)__builtin_ctzll(rows);
    if (nzcv && n < room) list_of[n++] = ARM_RESOURCE_NZCV;
    if (fpscr && n < room) list_of[n++] = ARM_RESOURCE_FPSCR;
    while (n < room) list_of[n++] = filler;
    return wanted <= room;
}

static void decode_lists(struct arm_instruction *out) {
    const bool reads = list(out->waits_for, sizeof out->waits_for, out->sources, out->condition != ALWAYS,
                            out->reads_fpscr, ARM_RESOURCE_UNREAD);
    const bool writes = list(out->results_in, sizeof out->results_in, out->destinations, out->sets_flags,
                             out->writes_fpscr, ARM_RESOURCE_UNWRITTEN);
    out->lists_all = reads && writes;
}

/* Returns whether the instruction processes data with a shifted register. A shift alone (MOV) is as fast as
 * any other operation. */
static bool has_shifted_operand(const struct arm_instruction *out) {
    if (out->class != ARM_CLASS_ALU || out->row->operation == ARM_OP_mov_register) return false;
    return (out->row->form == ARM_FORM_SHIFTED || out->row->form == ARM_FORM_SATURATE) &&
           out->shift != ARM_SHIFT_NONE;
}

void arm_refuse(struct arm_instruction *out) {
    *out = (struct arm_instruction){
        .encoding = out->encoding,
        .pc = out->pc,
        .class = ARM_CLASS_HINT,
        .condition = out->encoding >> 28 == 15 ? ALWAYS : (uint8_t)(out->encoding >> 28),
        .warp = arm_warp_function[ARM_OP_undefined],
        .thread = arm_thread_function[ARM_OP_undefined],
    };
}

void arm_decode(uint32_t encoding, uint32_t pc, struct arm_instruction *out) {
    *out = (struct arm_instruction){.encoding = encoding, .pc = pc, .condition = ALWAYS};
    const struct arm_row *row = arm_row_find(encoding);
    if (!row || arm_row_refusal(row, encoding)) {
        arm_refuse(out);
        return;
    }
    out->row = row;
    out->class = row->class;
    if (arm_has_field(row, 'c')) out->condition = (uint8_t)(encoding >> 28);
    unsigned operation = row->operation + arm_field(row, 'S', encoding);
    if (operation == ARM_OP_ldr && arm_field(row, 'd', encoding) == 15) operation = ARM_OP_ldr_pc;
    out->warp = arm_warp_function[operation];
    out->thread = arm_thread_function[operation];
    decode_form(out);
    decode_effects(out);
    out->needs_simd = row->form >= ARM_FORM_NEON || (out->sources | out->destinations) >> ARM_REGISTERS;
    decode_memory(out);
    if (has_shifted_operand(out)) out->class = ARM_CLASS_SHIFT;
    if (operation == ARM_OP_msr_register || operation == ARM_OP_msr_immediate)
        out->opc1 = (uint8_t)(arm_field(row, 'o', encoding) >> 2);
    out->sets_flags = row_sets_flags(row, encoding);
    decode_fpscr(out, operation);
    out->is_wait = operation == ARM_OP_hint && (encoding & 0x0fffffffu) == 0x0320f003u;
    decode_pc(out, operation);
    decode_state(out, operation);
    out->is_private = decode_private(out, operation);
    out->is_access = out->access_count && !between(operation, ARM_OP_ldrex, ARM_OP_strexd);
    decode_lists(out);
    if (out->is_coprocessor) {
        const struct coprocessor_decoded operation_of = coprocessor_find(out);
        out->coprocessor_operation = (uint8_t)operation_of.operation;
        out->coprocessor_index = (uint8_t)operation_of.index;
    }
}
