/*
 * arm_disassemble: fills in the texts of the table. Escapes: %c condition, %f "s" if flags are set; %d %n %m
 * %s core registers, %Sd %Dd %Wd (likewise n, m, e, g) VFP registers and scalars; %i %I %k %K immediates as
 * they stand, modified, VFP constant, fraction bits; %o shifted operand; %a address; %l %v register lists, %w
 * "!" of write-back, %M mode of a block transfer, %V its alias push or pop; %t branch target; %b bit field;
 * %e rotation; %q bits to saturate to; %h %y %x %r letters of multiplications; %g fields of the APSR; %B
 * barrier option; %p co-processor operands; %F fixed-point type. Advanced SIMD: %Qd %Xd registers as in
 * effects; %# %@ bits of an element, and twice as many; %U "s" or "u"; %J constant; %T table; %A address.
 */
#include "model/arm/arm_table.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct text {
    char *out;
    size_t size, length;
    const struct arm_row *row;
    uint32_t encoding, pc;
};

static const char *const register_name[16] = {"r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7",
                                              "r8", "r9", "sl", "fp", "ip", "sp", "lr", "pc"};
static const char *const condition_name[16] = {"eq", "ne", "cs", "cc", "mi", "pl", "vs", "vc",
                                               "hi", "ls", "ge", "lt", "gt", "le", "",   ""};

__attribute__((format(printf, 2, 3))) static void put(struct text *t, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    size_t room = t->size > t->length ? t->size - t->length : 0;
    int n = vsnprintf(room ? t->out + t->length : NULL, room, format, arguments);
    va_end(arguments);
    if (n > 0) t->length += (size_t)n;
}

static uint32_t field(const struct text *t, char letter) {
    return arm_field(t->row, letter, t->encoding);
}
static bool has(const struct text *t, char letter) {
    return arm_has_field(t->row, letter);
}

static void put_register(struct text *t, char letter) {
    put(t, "%s", register_name[field(t, letter) & 15]);
}

static const char *const shift_name[4] = {"lsl", "lsr", "asr", "ror"};

/* Appends ", lsl #3" after a register; nothing if it is not shifted. */
static void put_shift(struct text *t) {
    uint32_t amount;
    const enum arm_shift shift = arm_shift_of(t->row, t->encoding, &amount);
    if (shift == ARM_SHIFT_RRX)
        put(t, ", rrx");
    else if (shift != ARM_SHIFT_NONE)
        put(t, ", %s #%u", shift_name[shift - ARM_SHIFT_LSL], amount);
}

static void put_operand(struct text *t) {
    put_register(t, 'm');
    if (t->row->form == ARM_FORM_SHIFTED_REGISTER)
        put(t, ", %s %s", shift_name[field(t, 't')], register_name[field(t, 's')]);
    else
        put_shift(t);
}

/* Appends the value, and the rotation if a smaller one gives the same value. */
static void put_modified(struct text *t) {
    uint32_t bits = field(t, 'i') & 255, rotation = (field(t, 'i') >> 8) * 2;
    uint32_t value = arm_modified_immediate(field(t, 'i')), least = 0;
    while (least < 32 && (value << least | (uint32_t)((uint64_t)value >> (32 - least))) > 255) least += 2;
    if (least == rotation)
        put(t, "#%d", (int32_t)value);
    else
        put(t, "#%u, %u", bits, rotation);
}

static void put_address(struct text *t) {
    const bool pre = t->encoding & ARM_BIT_P || t->row->class == ARM_CLASS_HINT, up = t->encoding & ARM_BIT_U;
    const bool update = pre && t->encoding & ARM_BIT_W;
    const char *minus = up ? "" : "-";
    put(t, "[%s%s", register_name[field(t, 'n')], pre ? "" : "]");
    if (t->row->form == ARM_FORM_OFFSET_REGISTER) {
        put(t, ", %s%s", minus, register_name[field(t, 'm')]);
        put_shift(t);
    } else {
        uint32_t offset = field(t, 'i') * (t->row->form == ARM_FORM_OFFSET_WORDS ? 4 : 1);
        if (offset || !up || !pre || update) put(t, ", #%s%u", minus, offset);
    }
    if (pre) put(t, "]%s", update ? "!" : "");
}

static void put_list(struct text *t) {
    const char *separator = "";
    put(t, "{");
    for (unsigned r = 0; r < 16; r++) {
        if (!(field(t, 'l') >> r & 1)) continue;
        put(t, "%s%s", separator, register_name[r]);
        separator = ", ";
    }
    put(t, "}");
}

/* Returns the number of a D register. */
static unsigned double_of(const struct text *t, char letter) {
    return field(t, letter) + field(t, (char)(letter - 'a' + 'A')) * 16;
}

static void put_doubles(struct text *t, unsigned first, unsigned count, unsigned spacing, const char *after) {
    put(t, "{d%u%s", first, after);
    if (spacing == 1 && count > 1)
        put(t, "-d%u%s", first + count - 1, after);
    else
        for (unsigned n = 1; n < count; n++) put(t, ",d%u", first + n * spacing);
    put(t, "}");
}

/* Appends the list of VLD or VST. */
static void put_structures(struct text *t) {
    static const uint8_t count_of[16] = {4, 4, 4, 4, 3, 3, 3, 1, 2, 2, 2};
    const unsigned type = t->encoding >> 8 & 15, first = double_of(t, 'd');
    if (t->row->form == ARM_FORM_NEON_ALL)
        put_doubles(t, first, 1 + field(t, 'x'), 1, "[]");
    else
        put_doubles(t, first, count_of[type], type == 1 || type == 5 || type == 9 ? 2 : 1, "");
}

static void put_vfp_list(struct text *t) {
    bool doubles = t->row->form == ARM_FORM_BLOCK_DOUBLE;
    if (t->row->form >= ARM_FORM_NEON) {
        put_structures(t);
        return;
    }
    unsigned first = doubles ? double_of(t, 'd') : field(t, 'd') * 2 + field(t, 'D');
    unsigned count = field(t, 'i');
    char kind = doubles ? 'd' : 's';
    if (count == 1)
        put(t, "{%c%u}", kind, first);
    else
        put(t, "{%c%u-%c%u}", kind, first, kind, first + count - 1);
}

static void put_vfp_register(struct text *t, char kind, char letter) {
    char base = letter == 'e' ? 'd' : letter == 'g' ? 'm' : letter;
    if (kind == 'S') {
        put(t, "s%u", arm_vfp_register(t->row, 'S', base, t->encoding) - 16 + (base != letter));
        return;
    }
    if (kind == 'X' || (kind == 'Q' && field(t, 'q')))
        put(t, "q%u", double_of(t, base) / 2);
    else
        put(t, "d%u", double_of(t, base));
    if (kind == 'W') put(t, "[%u]", field(t, 'i'));
}

/* Returns the number of bits of an element. */
static unsigned element_bits(const struct text *t) {
    return t->row->bytes ? t->row->bytes * 8u : 8u << field(t, 'z');
}

/* Appends the address of VLD or VST: base, alignment in bits, increment of the base. */
static void put_structure_address(struct text *t) {
    const unsigned align = field(t, 'a'), post = field(t, 'm');
    const unsigned bits = t->row->form == ARM_FORM_NEON_LIST ? 32u << align : element_bits(t);
    put(t, "[%s", register_name[field(t, 'n')]);
    if (align) put(t, " :%u", bits);
    put(t, "]%s", post == 13 ? "!" : "");
    if (post < 13 || post == 14) put(t, ", %s", register_name[post]);
}

/* Appends a constant of Advanced SIMD: a shift, an index, or expanded. */
static void put_neon_constant(struct text *t) {
    struct arm_instruction i;
    arm_decode(t->encoding, t->pc, &i);
    float number;
    memcpy(&number, &i.immediate, sizeof number);
    if (t->row->form != ARM_FORM_NEON_CONSTANT)
        put(t, "%u", i.immediate);
    else if (strstr(t->row->text, "f32"))
        put(t, "%.9g", (double)number);
    else if (t->row->bytes == 8)
        put(t, "0x%08x%08x", i.immediate_high, i.immediate);
    else if (t->row->bytes == 4)
        put(t, "%d", (int32_t)i.immediate);
    else
        put(t, "%u", i.immediate & ((1u << t->row->bytes * 8) - 1));
}

static void put_constant(struct text *t) {
    put(t, "#%u", field(t, 'i'));
}

static void put_barrier(struct text *t) {
    static const char *const option[16] = {
        [1] = "oshld", [2] = "oshst",  [3] = "osh",  [5] = "nshld", [6] = "unst", [7] = "un",
        [9] = "ishld", [10] = "ishst", [11] = "ish", [13] = "ld",   [14] = "st",  [15] = "sy"};
    uint32_t o = field(t, 'o');
    bool is_isb = (t->encoding & 0xf0) == 0x60;
    if (option[o] && (!is_isb || o == 15))
        put(t, "%s", option[o]);
    else
        put(t, "#%u", o);
}

static void put_coprocessor(struct text *t) {
    put(t, "7, %u, %s", field(t, 'o'), register_name[field(t, 'd')]);
    if (has(t, 'n')) {
        put(t, ", %s, cr%u", register_name[field(t, 'n')], field(t, 'M'));
        return;
    }
    put(t, ", cr%u, cr%u, {%u}", field(t, 'N'), field(t, 'M'), field(t, 'e'));
}

static void put_apsr_fields(struct text *t) {
    uint32_t o = field(t, 'o');
    put(t, "%s%s%s%s", o & 8 ? "f" : "", o & 4 ? "s" : "", o & 2 ? "x" : "", o & 1 ? "c" : "");
}

static void put_halves(struct text *t, char escape) {
    bool x = field(t, 'x'), y = field(t, 'y');
    switch (escape) {
    case 'H': put(t, "%c%c", x ? 't' : 'b', y ? 't' : 'b'); break;
    case 'y': put(t, "%c", y ? 't' : 'b'); break;
    default: put(t, "%s", x ? (escape == 'x' ? "x" : "r") : ""); break;
    }
}

static void put_block_mode(struct text *t) {
    static const char *const mode[4] = {"da", "", "db", "ib"};
    unsigned m = field(t, 'p') * 2 + field(t, 'u');
    put(t, "%s", m == 1 && t->row->operation == ARM_OP_stm && field(t, 'w') ? "ia" : mode[m]);
}

static void put_bits(struct text *t) {
    uint32_t least = field(t, 'a'), i = field(t, 'i');
    put(t, "#%u, #%u", least, t->row->form == ARM_FORM_BIT_INSERT ? i + 1 - least : i + 1);
}

static void put_saturation(struct text *t) {
    bool is_signed = t->row->operation == ARM_OP_ssat || t->row->operation == ARM_OP_ssat16;
    put(t, "#%u", field(t, 'i') + is_signed);
}

static void put_escape(struct text *t, char escape) {
    switch (escape) {
    case 'c': put(t, "%s", condition_name[t->encoding >> 28]); break;
    case 'f': put(t, "%s", field(t, 'S') ? "s" : ""); break;
    case 'd':
    case 'n':
    case 'm':
    case 's': put_register(t, escape); break;
    case 'i': put(t, "#%u", field(t, 'i')); break;
    case 'I': put_modified(t); break;
    case 'k': put_constant(t); break;
    case 'K': put(t, "#%u", (field(t, 'x') ? 32 : 16) - (field(t, 'i') << 1 | field(t, 'k'))); break;
    case 'o': put_operand(t); break;
    case 'a': put_address(t); break;
    case 'l': put_list(t); break;
    case 'v': put_vfp_list(t); break;
    case 'w': put(t, "%s", field(t, 'w') ? "!" : ""); break;
    case 'M': put_block_mode(t); break;
    case 't': put(t, "0x%x", t->pc + 8 + (uint32_t)((int32_t)(field(t, 'i') << 8) >> 6)); break;
    case 'b': put_bits(t); break;
    case 'e':
        if (field(t, 'a')) put(t, ", ror #%u", field(t, 'a') * 8);
        break;
    case 'q': put_saturation(t); break;
    case 'g': put_apsr_fields(t); break;
    case 'h': put(t, "%u", t->encoding & (has(t, 'o') ? 15 : 255)); break;
    case 'z': put(t, ".word 0x%08x", t->encoding); break;
    case 'Z': put(t, "0x%08x", field(t, 'i')); break;
    case 'B': put_barrier(t); break;
    case '#': put(t, "%u", element_bits(t)); break;
    case '@': put(t, "%u", 2 * element_bits(t)); break;
    case 'U': put(t, "%c", field(t, 'y') ? 'u' : 's'); break;
    case 'A': put_structure_address(t); break;
    case 'J': put_neon_constant(t); break;
    case 'T': put_doubles(t, double_of(t, 'n'), t->row->bytes, 1, ""); break;
    case 'p': put_coprocessor(t); break;
    case 'F': put(t, "%c%u", field(t, 'y') ? 'u' : 's', field(t, 'x') ? 32 : 16); break;
    default: put_halves(t, escape); break;
    }
}

static void put_text(struct text *t, const char *format) {
    for (const char *p = format; *p; p++) {
        if (*p != '%') {
            put(t, "%c", *p);
        } else if (*++p == 'S' || *p == 'D' || *p == 'W' || *p == 'Q' || *p == 'X') {
            put_vfp_register(t, *p, p[1]);
            p++;
        } else if (*p != 'V') {
            put_escape(t, *p);
        }
    }
}

/* Returns whether the instruction is FLDMX or FSTMX: an odd number of words. */
static bool is_old(const struct text *t) {
    return t->row->form == ARM_FORM_BLOCK_DOUBLE && t->encoding & 1;
}

/* Returns the assembler's other name of an instruction: shifts for MOV of a shifted register, push and pop,
 * nop. */
static const char *alias(const struct text *t) {
    uint32_t e = t->encoding;
    bool single = t->row->form == ARM_FORM_BLOCK && __builtin_popcount(field(t, 'l')) == 1;
    switch (t->row->operation) {
    case ARM_OP_hint:
        return e == 0xe320f014u ? "csdb" : e == 0xf57ff040u ? "ssbb" : e == 0xf57ff044u ? "pssbb" : NULL;
    case ARM_OP_mov_register: return (e & 0x0fffffffu) == 0x01a00000u ? "nop%c" : NULL;
    case ARM_OP_ldr: return (e & 0x0fff0fffu) == 0x049d0004u ? "pop%c {%d}" : NULL;
    case ARM_OP_str: return (e & 0x0fff0fffu) == 0x052d0004u ? "push%c {%d}" : NULL;
    case ARM_OP_ldm:
        if ((e & 0x0fff0000u) != 0x08bd0000u) return NULL;
        return single ? "ldmfd%c sp!, %l" : "pop%c %l";
    case ARM_OP_stm:
        if ((e & 0x0fff0000u) != 0x092d0000u) return NULL;
        return single ? "stmfd%c sp!, %l" : "push%c %l";
    case ARM_OP_vldm: return (e & 0x0fbf0000u) == 0x0cbd0000u && !is_old(t) ? "vpop%c %v" : NULL;
    case ARM_OP_vstm: return (e & 0x0fbf0000u) == 0x0d2d0000u && !is_old(t) ? "vpush%c %v" : NULL;
    default: return NULL;
    }
}

static void put_shifted_move(struct text *t) {
    uint32_t amount = 0;
    bool by_register = t->row->form == ARM_FORM_SHIFTED_REGISTER;
    enum arm_shift shift = by_register ? ARM_SHIFT_NONE : arm_shift_of(t->row, t->encoding, &amount);
    put(t, "%s", shift == ARM_SHIFT_RRX ? "rrx" : shift_name[field(t, 't')]);
    put_text(t, "%f%c %d, %m");
    if (by_register)
        put(t, ", %s", register_name[field(t, 's')]);
    else if (shift != ARM_SHIFT_RRX)
        put(t, ", #%u", amount);
}

size_t arm_disassemble(uint32_t encoding, uint32_t pc, char *out, size_t size) {
    struct text t = {out, size, 0, arm_row_find(encoding), encoding, pc};
    if (size) out[0] = '\0';
    if (!t.row || arm_refusal(encoding)) {
        put(&t, ".word 0x%08x", encoding);
        return t.length;
    }
    bool shifts = t.row->form == ARM_FORM_SHIFTED_REGISTER || field(&t, 't') || field(&t, 'a');
    const char *other = alias(&t);
    if (t.row->operation == ARM_OP_mov_register && shifts)
        put_shifted_move(&t);
    else
        put_text(&t, other ? other : t.row->text);
    return t.length;
}
