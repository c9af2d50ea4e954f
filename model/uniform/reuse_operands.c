#include "model/uniform/reuse_operands.h"

#include "model/arm/arm_table.h"

#include <string.h>

#define MOST_ROWS      512
#define ROW_BITS       9
#define KIND_BITS      3
#define FPSCR_MODES    22          /* lowest bit of RMode, FZ, DN, AHP */
#define FPSCR_VECTORS  0x00370000u /* Stride, Len; VFP operations with these are refused */
#define CARRY_OVERFLOW 3u          /* flags of NZCV that operations read or keep */

/* Operands of the encodings of a row of the decode table. */
struct shape {
    bool known, fits;
    uint8_t words;  /* number of registers read, 0 to 3 */
    char letter[3]; /* register fields; a capital stands for the register after that of the small letter */
    uint32_t rest;  /* bits of the encoding that are a source or distinguish the kind */
};

static bool is_rest(char c) {
    return strchr("01cSdnmsDNM.", c) == NULL;
}

static uint32_t rest_of(const char *pattern) {
    uint32_t rest = 0;
    unsigned bit = 31;
    bool should = false;
    for (const char *p = pattern; *p; ++p) {
        if (*p == '(' || *p == ')') should = *p == '(';
        if (*p == ' ' || *p == '(' || *p == ')') continue;
        if (!should && is_rest(*p)) rest |= 1u << bit;
        --bit;
    }
    return rest;
}

static bool add_word(struct shape *s, char letter) {
    if (s->words == 3) return false;
    s->letter[s->words++] = letter;
    return true;
}

/* Reads the registers after the colon of a row's effects; e and g stand for the registers after d and m.
 * Returns false if there are more than fit. */
static bool find_words(struct shape *s, const char *effects) {
    for (const char *e = strchr(effects, ':') + 1; *e; ++e) {
        const char kind = *e == 'S' || *e == 'D' || *e == 'W' ? *e++ : 'r';
        const char letter = *e == 'e' ? 'D' : *e == 'g' ? 'M' : *e;
        if (!strchr("dnmsDM", letter) || !add_word(s, letter)) return false;
        if (kind == 'D' && !add_word(s, (char)(letter - 'a' + 'A'))) return false;
    }
    return true;
}

static const struct shape *shape_of(const struct arm_row *row) {
    static struct shape shapes[MOST_ROWS];
    struct shape *s = &shapes[row - arm_rows];
    if (s->known) return s;
    s->known = true;
    s->rest = rest_of(row->pattern);
    s->fits =
        find_words(s, row->effects) && (s->words < 3 || (unsigned)__builtin_popcount(s->rest) <= KIND_BITS);
    return s;
}

static uint32_t word_of(const struct arm_instruction *i, const struct arm_threads *t, char letter,
                        unsigned position) {
    const bool next = letter < 'a';
    const char field = next ? (char)(letter - 'A' + 'a') : letter;
    const unsigned r = field == 'd' ? i->rd : field == 'n' ? i->rn : field == 'm' ? i->rm : i->rs;
    return t->registers[(r + next) * t->positions + position];
}

/* Returns the bits of a value that a mask selects, packed. */
static uint32_t gather(uint32_t value, uint32_t mask) {
    uint32_t out = 0;
    for (unsigned n = 0; mask; mask &= mask - 1, ++n) out |= (value >> __builtin_ctz(mask) & 1) << n;
    return out;
}

static uint32_t flags_read(const struct arm_instruction *i, const struct arm_threads *t, unsigned position) {
    const uint32_t fpscr = t->fpscr[position];
    uint32_t flags = 0;
    if (i->reads & ARM_STATE_NZCV) flags = arm_get_apsr(t, position) >> 28 & CARRY_OVERFLOW;
    if (i->reads & ARM_STATE_FPSCR_FLAGS) flags = fpscr >> 28;
    if (i->reads & ARM_STATE_FPSCR_MODES) flags |= (fpscr >> FPSCR_MODES & 31) << 4;
    return flags;
}

bool reuse_operands_of(const struct arm_instruction *i, const struct arm_threads *t, unsigned position,
                       struct reuse_operands *o) {
    const uint64_t other = ARM_STATE_OTHER | ARM_STATE_FPSCR_MODES;
    if (!reuse_is_alu(i) || !i->row || i->body_warp || i->writes & other || i->reads & ARM_STATE_OTHER)
        return false;
    if (i->destinations & (i->destinations - 1)) return false;
    if (i->reads & ARM_STATE_FPSCR_MODES && (t->cumulative_flags || t->fpscr[position] & FPSCR_VECTORS))
        return false;
    const struct shape *s = shape_of(i->row);
    if (!s->fits) return false;
    *o = (struct reuse_operands){.flags = flags_read(i, t, position)};
    for (unsigned n = 0; n < s->words; ++n) o->source[n] = word_of(i, t, s->letter[n], position);
    uint32_t kind = 0;
    if (s->words < 3)
        o->source[s->words] = i->encoding & s->rest;
    else
        kind = gather(i->encoding, s->rest);
    o->opcode =
        (uint32_t)(i->row - arm_rows) | kind << ROW_BITS | (uint32_t)i->sets_flags << (ROW_BITS + KIND_BITS);
    return true;
}

struct reuse_result reuse_result_of(const struct arm_instruction *i, const struct arm_threads *t,
                                    unsigned position) {
    struct reuse_result r = {0, 0};
    if (i->destinations)
        r.value = t->registers[(unsigned)__builtin_ctzll(i->destinations) * t->positions + position];
    if (i->writes & ARM_STATE_NZCV) r.flags = arm_get_apsr(t, position) >> 28;
    if (i->writes & ARM_STATE_FPSCR_FLAGS) r.flags = t->fpscr[position] >> 28;
    return r;
}

static void put(uint32_t *row, unsigned positions, uint64_t mask, uint32_t kept, uint32_t value) {
    for (unsigned k = 0; k < positions; ++k) {
        const uint32_t change = -(uint32_t)(mask >> k & 1) & ~kept;
        row[k] = (row[k] & ~change) | (value & change);
    }
}

void reuse_result_put(const struct arm_instruction *i, struct arm_threads *t, uint64_t mask,
                      struct reuse_result r) {
    const unsigned n = t->positions;
    if (i->destinations)
        put(t->registers + (unsigned)__builtin_ctzll(i->destinations) * n, n, mask, 0, r.value);
    if (i->writes & ARM_STATE_NZCV) {
        put(t->n, n, mask, 0, r.flags << 28);
        put(t->z, n, mask, 0, ~r.flags & 4);
        put(t->c, n, mask, 0, 0u - (r.flags >> 1 & 1));
        put(t->v, n, mask, 0, r.flags << 31);
    }
    if (i->writes & ARM_STATE_FPSCR_FLAGS) put(t->fpscr, n, mask, 0x0fffffffu, r.flags << 28);
}
