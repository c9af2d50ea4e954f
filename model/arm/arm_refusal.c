/* arm_refusal: encodings that are not executed, with reasons: those without a row, and encodings that the
 * manual calls unpredictable. */
#include "model/arm/arm_table.h"

struct fields {
    const struct arm_row *row;
    uint32_t encoding;
    uint32_t d, n, m, s; /* 0 if the row does not have the field */
};

static uint32_t field(const struct fields *f, char letter) {
    return arm_field(f->row, letter, f->encoding);
}
static bool is(const struct fields *f, char letter, uint32_t value) {
    return arm_has_field(f->row, letter) && field(f, letter) == value;
}
static bool is_vfp(const struct fields *f, char letter) {
    for (const char *e = f->row->effects; *e; e++)
        if (arm_effect_kind(*e) && e[1] == letter) return true;
    return false;
}
static bool is_pc(const struct fields *f, char letter) {
    return is(f, letter, 15) && !is_vfp(f, letter);
}
static bool writes_back(const struct fields *f) {
    return arm_writes_back(f->row, f->encoding);
}
static bool is_operation(const struct fields *f, unsigned first, unsigned last) {
    return f->row->operation >= first && f->row->operation <= last;
}

static const char pc_operand[] = "unpredictable: the PC as an operand";
static const char pc_based[] = "unpredictable: write-back to the PC";
static const char same[] = "unpredictable: two results in one register";

/* --- data processing: what may be the PC --- */

static const char *refuse_pc(const struct fields *f) {
    const bool d = is_pc(f, 'd'), n = is_pc(f, 'n'), m = is_pc(f, 'm'), s = is_pc(f, 's');
    const bool packing = is_operation(f, ARM_OP_pkhbt, ARM_OP_pkhtb);
    if (f->row->operation == ARM_OP_bx) return NULL;
    switch (f->row->form) {
    case ARM_FORM_MODIFIED:
    case ARM_FORM_SHIFTED:
        if (packing) break;
        return d && field(f, 'S') ? "exception return: unpredictable in User mode" : NULL;
    case ARM_FORM_OFFSET_WORDS: return NULL;
    case ARM_FORM_COPROCESSOR:
        if (d && !arm_has_field(f->row, 'n') && f->row->effects[0] == 'd')
            return "MRC to the flags: the co-processor p7 gives none";
        break;
    default: break;
    }
    return d || n || m || s ? pc_operand : NULL;
}

/* --- loads and stores --- */

static bool is_preload(const struct fields *f) {
    return f->row->class == ARM_CLASS_HINT;
}

/* Returns whether the instruction has two registers from d: even, and not the link register with the PC. */
static bool is_pair(const struct fields *f) {
    return is_operation(f, ARM_OP_ldrd, ARM_OP_ldrd) || is_operation(f, ARM_OP_strd, ARM_OP_strd);
}

static const char *refuse_address_pc(const struct fields *f) {
    const bool unprivileged = !(f->encoding & ARM_BIT_P) && f->encoding & ARM_BIT_W;
    const bool store_word = f->row->operation == ARM_OP_str;
    const bool load_word = f->row->operation == ARM_OP_ldr && !unprivileged;
    if (is_pc(f, 'm')) return pc_operand;
    if (is_pc(f, 'd') && !store_word && !load_word) return pc_operand;
    if (is_preload(f)) /* PLDW (P set, bit 22 clear) has no form with the PC */
        return is_pc(f, 'n') && (f->encoding & (ARM_BIT_P | 1u << 22)) == ARM_BIT_P ? pc_operand : NULL;
    return is_pc(f, 'n') && writes_back(f) ? pc_based : NULL;
}

static const char *refuse_address(const struct fields *f) {
    const bool pair = is_pair(f), load = f->row->operation == ARM_OP_ldrd;
    const char *why = refuse_address_pc(f);
    if (why || is_preload(f)) return why;
    if (pair && !(f->encoding & ARM_BIT_P) && f->encoding & ARM_BIT_W)
        return "unpredictable: LDRD and STRD have no unprivileged form";
    if (pair && (f->d & 1 || f->d == 14)) return "unpredictable: a pair that does not begin even, below r14";
    if (load && (is(f, 'm', f->d) || is(f, 'm', f->d + 1)))
        return "unpredictable: the offset register is loaded";
    if (writes_back(f) && (f->n == f->d || (pair && f->n == f->d + 1)))
        return "unpredictable: write-back to a register that is transferred";
    return NULL;
}

static const char *refuse_exclusive(const struct fields *f) {
    const bool load = f->row->class == ARM_CLASS_LOAD, pair = f->row->bytes == 8;
    const uint32_t first = load ? f->d : f->m;
    if (is_pc(f, 'd') || is_pc(f, 'n') || is_pc(f, 'm')) return pc_operand;
    if (pair && (first & 1 || first == 14))
        return "unpredictable: a pair that does not begin even, below r14";
    if (!load && (f->d == f->n || f->d == f->m || (pair && f->d == f->m + 1)))
        return "unpredictable: the status register is an operand";
    return NULL;
}

static const char *refuse_block(const struct fields *f) {
    const uint32_t list = field(f, 'l');
    if (!list) return "unpredictable: no registers";
    if (f->n == 15) return "unpredictable: the PC as the base";
    if (f->row->operation == ARM_OP_ldm && writes_back(f) && list >> f->n & 1)
        return "unpredictable: write-back to a register that is loaded";
    return NULL;
}

/* Returns the number of a D register. */
static uint32_t double_of(const struct fields *f, char letter) {
    return field(f, letter) + field(f, (char)(letter - 'a' + 'A')) * 16;
}

static const char *refuse_vfp_block(const struct fields *f) {
    const bool doubles = f->row->form == ARM_FORM_BLOCK_DOUBLE;
    const uint32_t count = field(f, 'i'), first = doubles ? double_of(f, 'd') : f->d * 2 + field(f, 'D');
    if (f->n == 15 && writes_back(f)) return pc_based;
    if (!count) return "unpredictable: no registers";
    if (first + count > 32 || (doubles && count > 16)) return "unpredictable: registers beyond the last";
    return NULL;
}

/* --- Advanced SIMD --- */

static const char beyond[] = "unpredictable: registers beyond the last";

/* Checks the register list of a load or store: its last register and its alignment. */
static const char *refuse_list(const struct fields *f) {
    static const uint8_t last[16] = {3, 6, 3, 3, 2, 4, 2, 0, 1, 2, 1}; /* D register, relative to the first */
    const uint32_t type = f->encoding >> 8 & 15, align = field(f, 'a');
    const bool odd = type == 7 || type == 6 || type == 4 || type == 5, two = type >= 8;
    if ((odd && align & 2) || (two && align == 3)) return "undefined";
    return double_of(f, 'd') + last[type] > 31 ? beyond : NULL;
}

static const char *refuse_neon_access(const struct fields *f) {
    if (f->n == 15) return "unpredictable: the PC as the base";
    switch (f->row->form) {
    case ARM_FORM_NEON_LIST: return refuse_list(f);
    case ARM_FORM_NEON_LANE:
        return f->row->bytes == 4 && (field(f, 'a') == 1 || field(f, 'a') == 2) ? "undefined" : NULL;
    default:
        if (field(f, 'a') && !field(f, 'z')) return "undefined";
        return double_of(f, 'd') + field(f, 'x') > 31 ? beyond : NULL;
    }
}

static const char *refuse_neon(const struct fields *f) {
    const bool quad = field(f, 'q'), two = f->row->effects[2] == 'Q';
    if (arm_row_is_memory(f->row)) return refuse_neon_access(f);
    for (const char *e = f->row->effects; *e; e++) {
        if ((*e == 'X' || (*e == 'Q' && quad)) && field(f, e[1]) & 1) return "undefined";
        if (*e == 'T' && double_of(f, 'n') + f->row->bytes > 32) return beyond;
    }
    if (is_operation(f, ARM_OP_neon_vuzp, ARM_OP_neon_vzip) && field(f, 'z') == 2 && !quad)
        return "undefined";
    if (two && double_of(f, 'd') == double_of(f, 'm')) return same;
    return is_pc(f, 'd') || is_pc(f, 'm') ? pc_operand : NULL;
}

/* --- the rest --- */

static bool has_two_results(const struct fields *f) {
    switch (f->row->operation) {
    case ARM_OP_umull:
    case ARM_OP_umlal:
    case ARM_OP_smull:
    case ARM_OP_smlal:
    case ARM_OP_umaal:
    case ARM_OP_smlalxy:
    case ARM_OP_smlald:
    case ARM_OP_smlsld:
    case ARM_OP_vmov_to_core_two: return true;
    case ARM_OP_coprocessor: return f->row->effects[0] == 'd' && arm_has_field(f->row, 'n');
    default: return false;
    }
}

static const char *refuse_msr(const struct fields *f) {
    const uint32_t fields = field(f, 'o');
    if (!fields) return "unpredictable: MSR of no field";
    return fields & 2 ? "MSR of CPSR_x: big-endian data are not modelled" : NULL;
}

static const char *refuse_other(const struct fields *f) {
    switch (f->row->form) {
    case ARM_FORM_BIT_INSERT:
        return field(f, 'i') < field(f, 'a') ? "unpredictable: a field that ends before it begins" : NULL;
    case ARM_FORM_BIT_FIELD:
        return field(f, 'i') + field(f, 'a') > 31 ? "unpredictable: a field beyond bit 31" : NULL;
    case ARM_FORM_FIXED:
        if (!field(f, 'x') && (field(f, 'i') << 1 | field(f, 'k')) > 16)
            return "unpredictable: fewer than no fraction bits";
        return NULL;
    default: break;
    }
    if (is_operation(f, ARM_OP_msr_register, ARM_OP_msr_immediate)) return refuse_msr(f);
    if (has_two_results(f) && f->d == f->n) return same;
    if ((is_vfp(f, 'g') && f->m == 15 && field(f, 'M')) || (is_vfp(f, 'e') && f->d == 15 && field(f, 'D')))
        return "unpredictable: registers beyond the last";
    return NULL;
}

static const char *refuse_form(const struct fields *f) {
    switch (f->row->form) {
    case ARM_FORM_BLOCK: return refuse_block(f);
    case ARM_FORM_BLOCK_SINGLE:
    case ARM_FORM_BLOCK_DOUBLE: return refuse_vfp_block(f);
    case ARM_FORM_OFFSET:
    case ARM_FORM_OFFSET_REGISTER: return refuse_address(f);
    default: break;
    }
    if (f->row->form >= ARM_FORM_NEON) return refuse_neon(f);
    if (is_operation(f, ARM_OP_ldrex, ARM_OP_strexd)) return refuse_exclusive(f);
    const char *why = refuse_pc(f);
    return why ? why : refuse_other(f);
}

const char *arm_row_refusal(const struct arm_row *row, uint32_t encoding) {
    const struct arm_match m = arm_row_pattern(row);
    struct fields f = {row, encoding, 0, 0, 0, 0};
    if ((encoding & m.should_mask) != m.should_value)
        return "unpredictable: bits that should be one or zero are not";
    f.d = field(&f, 'd'), f.n = field(&f, 'n'), f.m = field(&f, 'm'), f.s = field(&f, 's');
    return refuse_form(&f);
}

const char *arm_refusal(uint32_t encoding) {
    const struct arm_row *row = arm_row_find(encoding);
    if (row) return arm_row_refusal(row, encoding);
    for (unsigned r = 0; r < arm_refused_count; r++) {
        struct arm_match m = arm_pattern_match(arm_refused_rows[r].pattern);
        if ((encoding & m.mask) == m.value) return arm_refused_rows[r].reason;
    }
    return "undefined";
}
