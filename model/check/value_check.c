#include "model/check/value_check.h"

#include "model/arm/arm_table.h"

#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

#define PAGE_SHIFT          12
#define PAGES               (1u << (32 - PAGE_SHIFT))
#define PAGE_BYTES          (1u << PAGE_SHIFT)
#define STACK_BASE_REGISTER 13
#define LINK_REGISTER       14

/* The bytes of a page, with a bit each: no value. */
struct value_page {
    uint8_t unwritten[PAGE_BYTES / 8];
};

struct value_warp {
    uint64_t any[ARM_REGISTERS]; /* for each register: threads with bits without a value */
    uint64_t flags, fpscr;       /* threads without a value of N, Z, C and V; of those of FPSCR */
    uint32_t *bits;              /* rows of masks of bits without a value, used where `any` is set */
    uint32_t *origin;       /* rows of addresses from which the values were loaded, used where `any` is set */
    uint32_t *flags_origin; /* for each thread */
    uint32_t first_item;    /* linear number of position 0's work-item in its work-group; a core: NO_ITEM */
};

struct value_slot {
    uint32_t group;
    struct value_warp *warp; /* the unit's warps */
    uint8_t *local;          /* a bit for each byte of local memory: nothing has written it */
};

struct value_check {
    const struct machine_launch *launch;
    unsigned slots, warps, positions; /* slots and warps of all units */
    struct value_slot *slot;
    struct value_warp *warp;
    struct value_page **page; /* NULL: all bytes have values */
    struct value_finding finding[VALUE_FINDINGS];
    size_t findings;
};

static void *zeroed(size_t count, size_t bytes) {
    void *p = calloc(count, bytes);
    require_memory(p);
    return p;
}

struct value_check *value_check_create(unsigned units, unsigned slots, unsigned warps, unsigned positions) {
    struct value_check *v = zeroed(1, sizeof *v);
    v->slots = units * slots;
    v->warps = units * warps;
    v->positions = positions;
    v->slot = zeroed(v->slots, sizeof *v->slot);
    v->warp = zeroed(v->warps, sizeof *v->warp);
    v->page = zeroed(PAGES, sizeof(struct value_page *));
    for (unsigned s = 0; s < v->slots; ++s) v->slot[s].warp = &v->warp[s / slots * warps];
    for (unsigned w = 0; w < v->warps; ++w) {
        struct value_warp *x = &v->warp[w];
        x->bits = zeroed((size_t)ARM_REGISTERS * positions, sizeof *x->bits);
        x->origin = zeroed((size_t)ARM_REGISTERS * positions, sizeof *x->origin);
        x->flags_origin = zeroed(positions, sizeof *x->flags_origin);
    }
    return v;
}

void value_check_destroy(struct value_check *v) {
    if (!v) return;
    for (unsigned w = 0; w < v->warps; ++w) {
        free(v->warp[w].bits);
        free(v->warp[w].origin);
        free(v->warp[w].flags_origin);
    }
    for (unsigned s = 0; s < v->slots; ++s) free(v->slot[s].local);
    free(v->warp);
    for (uint32_t n = 0; n < PAGES; ++n) free(v->page[n]);
    free(v->slot);
    free(v->page);
    free(v);
}

const struct value_finding *value_check_findings(const struct value_check *v, size_t *count) {
    *count = v->findings;
    return v->finding;
}

/* --- memory --- */

static void set_bits(uint8_t *bits, uint32_t first, uint32_t count, bool value) {
    for (; count && first % 8; ++first, --count)
        bits[first / 8] = (uint8_t)((bits[first / 8] & ~(1u << first % 8)) | (unsigned)value << first % 8);
    memset(bits + first / 8, value ? 0xff : 0, count / 8);
    for (first += count / 8 * 8, count %= 8; count; ++first, --count)
        bits[first / 8] = (uint8_t)((bits[first / 8] & ~(1u << first % 8)) | (unsigned)value << first % 8);
}

static void mark(struct value_check *v, uint32_t address, uint32_t size, bool unwritten) {
    while (size) {
        const uint32_t at = address % PAGE_BYTES, left = PAGE_BYTES - at, n = size < left ? size : left;
        struct value_page **p = &v->page[address >> PAGE_SHIFT];
        if (!*p && unwritten) *p = zeroed(1, sizeof **p);
        if (*p) set_bits((*p)->unwritten, at, n, unwritten);
        address += n;
        size -= n;
    }
}

void value_check_forget(struct value_check *v, uint32_t address, uint32_t size) {
    mark(v, address, size, true);
}

void value_check_write(struct value_check *v, uint32_t address, uint32_t size) {
    mark(v, address, size, false);
}

void value_check_store(struct value_check *v, unsigned slot, uint32_t address, uint32_t size) {
    const uint32_t local = address - MEMORY_LOCAL_BASE;
    if (local < v->launch->local_bytes)
        set_bits(v->slot[slot].local, local, size, false);
    else
        mark(v, address, size, false);
}

/* Returns the byte with an address's bit; NULL if the address has a value. */
static inline uint8_t *shadow_of(const struct value_check *v, const struct value_slot *s, uint32_t address,
                                 bool makes) {
    const uint32_t local = address - MEMORY_LOCAL_BASE;
    if (local < v->launch->local_bytes) return &s->local[local / 8];
    struct value_page **p = &v->page[address >> PAGE_SHIFT];
    if (!*p && !makes) return NULL;
    if (!*p) *p = zeroed(1, sizeof **p);
    return &(*p)->unwritten[address % PAGE_BYTES / 8];
}

/* Returns the bits without a value of up to four bytes. */
static inline uint32_t load_bits(const struct value_check *v, const struct value_slot *s, uint32_t address,
                                 unsigned bytes) {
    uint32_t bits = 0;
    if (!(address & 3) && bytes == 4) {
        const uint8_t *shadow = shadow_of(v, s, address, false);
        if (!shadow || !(*shadow >> (address & 7) & 15)) return 0;
    }
    for (unsigned n = 0; n < bytes; ++n) {
        const uint8_t *shadow = shadow_of(v, s, address + n, false);
        if (shadow && *shadow >> ((address + n) & 7) & 1) bits |= 0xffu << 8 * n;
    }
    return bits;
}

static inline void store_bits(const struct value_check *v, const struct value_slot *s, uint32_t address,
                              unsigned bytes, uint32_t bits) {
    if (!(address & 3) && bytes == 4 && !bits) {
        uint8_t *shadow = shadow_of(v, s, address, false);
        if (shadow) *shadow = (uint8_t)(*shadow & ~(15u << (address & 7)));
        return;
    }
    for (unsigned n = 0; n < bytes; ++n) {
        const bool unwritten = bits >> 8 * n & 0xff;
        uint8_t *shadow = shadow_of(v, s, address + n, unwritten);
        const unsigned bit = 1u << ((address + n) & 7);
        if (shadow) *shadow = (uint8_t)(unwritten ? *shadow | bit : *shadow & ~bit);
    }
}

/* --- launches and work-groups --- */

void value_check_launch(struct value_check *v, const struct machine_launch *l) {
    v->launch = l;
    v->findings = 0;
    for (unsigned s = 0; s < v->slots; ++s) {
        free(v->slot[s].local);
        v->slot[s].local = zeroed(l->local_bytes / 8 + 2, 1);
    }
}

static void begin_warp(struct value_check *v, struct value_warp *w, const struct arm_threads *t, uint64_t all,
                       uint32_t first_item) {
    const size_t words = (size_t)ARM_REGISTERS * v->positions;
    memset(w->bits, 0xff, words * sizeof *w->bits);
    memset(w->origin, 0, words * sizeof *w->origin);
    w->first_item = first_item;
    for (unsigned d = 0; d < ARM_REGISTERS; ++d) w->any[d] = all;
    w->any[0] = w->any[STACK_BASE_REGISTER] = w->flags = w->fpscr = 0;
    for (unsigned k = 0; t->stack_top && v->launch->stack_bytes && k < v->positions; ++k)
        if (t->stack_top[k]) mark(v, t->stack_top[k] - t->stack_size, t->stack_size, true);
}

void value_check_group(struct value_check *v, unsigned slot, uint64_t number) {
    struct value_slot *s = &v->slot[slot];
    s->group = (uint32_t)number;
    memset(s->local, 0xff, v->launch->local_bytes / 8 + 1);
}

void value_check_warp(struct value_check *v, unsigned slot, unsigned warp, const struct arm_threads *t,
                      uint32_t first_item) {
    const uint64_t all = v->positions == 64 ? ~UINT64_C(0) : (UINT64_C(1) << v->positions) - 1;
    begin_warp(v, &v->slot[slot].warp[warp], t, all, first_item);
}

void value_check_core(struct value_check *v, unsigned slot, const struct arm_threads *core) {
    const struct machine_launch *l = v->launch;
    const uint32_t *size = l->local_size, items = size[0] * size[1] * size[2],
                   stack_bytes = l->twin_stack_bytes + items * l->twin_item_bytes;
    struct value_slot *s = &v->slot[slot];
    begin_warp(v, &s->warp[0], core, 1, NO_ITEM);
    s->warp[0].any[LINK_REGISTER] = 0;
    mark(v, core->registers[STACK_BASE_REGISTER] - stack_bytes, stack_bytes, true);
}

/* --- an instruction --- */

struct value_step {
    struct value_check *v;
    struct value_slot *s;
    struct value_warp *w;
    const struct arm_threads *t;
    const struct arm_instruction *i;
    uint32_t pc;
    uint64_t threads; /* participating threads */
    uint64_t passed;  /* threads whose condition holds; all with flags without a value */
};

static inline uint32_t *bits_of(const struct value_step *x, unsigned row, unsigned k) {
    return &x->w->bits[(size_t)row * x->v->positions + k];
}

static inline uint32_t *origin_of(const struct value_step *x, unsigned row, unsigned k) {
    return &x->w->origin[(size_t)row * x->v->positions + k];
}

static inline uint32_t get(const struct value_step *x, unsigned row, unsigned k) {
    return x->w->any[row] >> k & 1 ? *bits_of(x, row, k) : 0;
}

static inline void put(const struct value_step *x, unsigned row, unsigned k, uint32_t bits, uint32_t origin) {
    const uint64_t bit = UINT64_C(1) << k;
    if (!bits) {
        x->w->any[row] &= ~bit;
        return;
    }
    x->w->any[row] |= bit;
    *bits_of(x, row, k) = bits;
    *origin_of(x, row, k) = origin;
}

static void note(const struct value_step *x, enum value_use use, unsigned k, uint32_t origin,
                 uint32_t address) {
    struct value_check *v = x->v;
    size_t n = 0;
    while (n < v->findings && (v->finding[n].pc != x->pc || v->finding[n].use != use)) ++n;
    if (n == VALUE_FINDINGS) return;
    if (n == v->findings) {
        ++v->findings;
        const uint32_t first = x->w->first_item, item = first == NO_ITEM ? NO_ITEM : first + k;
        v->finding[n] = (struct value_finding){x->pc, use, x->s->group, item, origin, address, 0};
    }
    ++v->finding[n].count;
}

/* Returns the threads in which one of these registers has bits without a value. */
static inline uint64_t any_of(const struct value_warp *w, uint64_t rows) {
    uint64_t any = 0;
    for (; rows; rows &= rows - 1) any |= w->any[__builtin_ctzll(rows)];
    return any;
}

/* Returns the origin of the missing value of one of these registers. */
static uint32_t origin_among(const struct value_step *x, uint64_t rows, unsigned k) {
    for (; rows; rows &= rows - 1) {
        const unsigned row = (unsigned)__builtin_ctzll(rows);
        if (x->w->any[row] >> k & 1) return *origin_of(x, row, k);
    }
    return x->w->flags >> k & 1 ? x->w->flags_origin[k] : 0;
}

/* Reports all threads of `bad`, in which these registers have no value, and marks the registers as
 * written. */
static void report(const struct value_step *x, enum value_use use, uint64_t bad, uint64_t rows) {
    for (uint64_t rest = bad; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        note(x, use, k, origin_among(x, rows, k), 0);
    }
    for (; rows; rows &= rows - 1) x->w->any[__builtin_ctzll(rows)] &= ~bad;
}

/* --- loads and stores --- */

/* Returns the register of the n-th word of an access. */
static unsigned row_of(const struct arm_instruction *i, unsigned n) {
    unsigned list = i->register_list;
    if (!list) return i->rd + n;
    for (; n; --n) list &= list - 1;
    return (unsigned)__builtin_ctz(list);
}

static bool is_signed(const struct arm_instruction *i) {
    return i->row->operation == ARM_OP_ldrsb || i->row->operation == ARM_OP_ldrsh;
}

static void load(const struct value_step *x, unsigned k, uint32_t address) {
    const struct arm_instruction *i = x->i;
    for (unsigned n = 0, at = 0; at < i->access_bytes; ++n, at += 4) {
        const unsigned bytes = i->access_bytes - at < 4 ? i->access_bytes - at : 4, row = row_of(i, n);
        uint32_t bits = load_bits(x->v, x->s, address + at, bytes);
        if (bytes < 4 && is_signed(i) && bits >> (8 * bytes - 1) & 1) bits |= ~0u << 8 * bytes;
        if (row < ARM_REGISTERS) put(x, row, k, bits, address + at);
    }
}

static void store(const struct value_step *x, unsigned k, uint32_t address) {
    const struct arm_instruction *i = x->i;
    const bool exclusive = arm_stores_exclusively(i);
    for (unsigned n = 0, at = 0; at < i->access_bytes; ++n, at += 4) {
        const unsigned bytes = i->access_bytes - at < 4 ? i->access_bytes - at : 4,
                       row = exclusive ? i->rm + n : row_of(i, n);
        uint32_t bits = get(x, row, k);
        if (bytes < 4) bits &= (1u << 8 * bytes) - 1;
        if (bits && address + at >= MEMORY_BUFFER_BASE) {
            note(x, VALUE_STORE, k, *origin_of(x, row, k), address + at);
            bits = 0;
        }
        store_bits(x->v, x->s, address + at, bytes, bits);
    }
    if (exclusive) put(x, i->rd, k, 0, 0);
}

static void access_memory(const struct value_step *x) {
    const struct arm_instruction *i = x->i;
    const uint64_t rows = UINT64_C(1) << i->rn | (i->register_offset ? UINT64_C(1) << i->rm : 0);
    const uint64_t bad = any_of(x->w, rows) & x->passed;
    if (i->rn != 15 && bad) report(x, VALUE_ADDRESS, bad, rows);
    for (uint64_t rest = x->passed; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        (i->is_load ? load : store)(x, k, arm_access_address(i, x->t, k, x->pc));
    }
}

/* --- operations --- */

static uint32_t value(const struct value_step *x, unsigned row, unsigned k) {
    return row == 15 ? x->pc + 8 : x->t->registers[(size_t)row * x->t->positions + k];
}

static uint32_t shifted(unsigned shift, uint32_t word, unsigned by) {
    if (!by) return word;
    switch (shift) {
    case ARM_SHIFT_LSL:
    case ARM_SHIFT_LSL_REGISTER: return by < 32 ? word << by : 0;
    case ARM_SHIFT_LSR:
    case ARM_SHIFT_LSR_REGISTER: return by < 32 ? word >> by : 0;
    case ARM_SHIFT_ASR:
    case ARM_SHIFT_ASR_REGISTER: return (uint32_t)((int32_t)word >> (by < 32 ? by : 31));
    default: return by % 32 ? word >> by % 32 | word << (32 - by % 32) : word;
    }
}

/* An operand: its bits without a value, and the value of the others. */
struct value_operand {
    uint32_t bits, value;
};

static struct value_operand second(const struct value_step *x, unsigned k, bool immediate) {
    const struct arm_instruction *i = x->i;
    if (immediate) return (struct value_operand){0, i->immediate};
    struct value_operand o = {get(x, i->rm, k), value(x, i->rm, k)};
    const bool by_register = i->shift >= ARM_SHIFT_LSL_REGISTER;
    if (i->shift == ARM_SHIFT_NONE) return o;
    if (i->shift == ARM_SHIFT_RRX) return (struct value_operand){o.bits >> 1, o.value >> 1};
    if (by_register && get(x, i->rs, k) & 0xff) return (struct value_operand){~0u, 0};
    const unsigned by = by_register ? value(x, i->rs, k) & 0xff : i->shift_amount;
    return (struct value_operand){shifted(i->shift, o.bits, by), shifted(i->shift, o.value, by)};
}

/* Returns all bits from the lowest set bit on. */
static uint32_t upwards(uint32_t bits) {
    return bits | (0u - bits);
}

#define EITHER(name) ARM_OP_##name##_immediate : case ARM_OP_##name##_register

static bool has_immediate(unsigned operation) {
    switch (operation) {
    case ARM_OP_and_immediate:
    case ARM_OP_tst_immediate:
    case ARM_OP_orr_immediate:
    case ARM_OP_bic_immediate:
    case ARM_OP_eor_immediate:
    case ARM_OP_teq_immediate:
    case ARM_OP_mov_immediate:
    case ARM_OP_mvn_immediate:
    case ARM_OP_add_immediate:
    case ARM_OP_sub_immediate:
    case ARM_OP_rsb_immediate:
    case ARM_OP_cmp_immediate:
    case ARM_OP_cmn_immediate: return true;
    default: return false;
    }
}

/* Returns in *bits the result's bits without a value if they can be determined one by one; else returns
 * false. */
static bool result_bits(const struct value_step *x, unsigned k, uint32_t *bits) {
    const struct arm_instruction *i = x->i;
    const unsigned operation = i->row->operation;
    const struct value_operand a = {get(x, i->rn, k), value(x, i->rn, k)};
    struct value_operand b;
    switch (operation) {
    case ARM_OP_uxtb: *bits = shifted(ARM_SHIFT_ROR, get(x, i->rm, k), i->shift_amount) & 0xff; return true;
    case ARM_OP_uxth: *bits = shifted(ARM_SHIFT_ROR, get(x, i->rm, k), i->shift_amount) & 0xffff; return true;
    case EITHER(mov):
    case EITHER(mvn): *bits = second(x, k, has_immediate(operation)).bits; return true;
    case EITHER(and):
    case EITHER(tst):
    case EITHER(bic):
        b = second(x, k, has_immediate(operation));
        if (operation == ARM_OP_bic_immediate || operation == ARM_OP_bic_register) b.value = ~b.value;
        *bits = (a.bits & b.bits) | (a.bits & b.value) | (b.bits & a.value);
        return true;
    case EITHER(orr):
        b = second(x, k, has_immediate(operation));
        *bits = (a.bits & b.bits) | (a.bits & ~b.value) | (b.bits & ~a.value);
        return true;
    case EITHER(eor):
    case EITHER(teq): *bits = a.bits | second(x, k, has_immediate(operation)).bits; return true;
    case EITHER(add):
    case EITHER(sub):
    case EITHER(rsb):
    case EITHER(cmp):
    case EITHER(cmn): *bits = upwards(a.bits | second(x, k, has_immediate(operation)).bits); return true;
    default: return false;
    }
}

/* Executes an operation that reads or replaces a register without a value. `bad`: threads whose sources lack
 * values. */
static void operate(const struct value_step *x, uint64_t bad) {
    const struct arm_instruction *i = x->i;
    struct value_warp *w = x->w;
    const uint64_t guessed = i->condition != 14 ? w->flags & x->threads : 0; /* the condition has no value */
    for (uint64_t rest = x->passed; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        const uint64_t bit = UINT64_C(1) << k;
        const uint32_t origin = bad & bit ? origin_among(x, i->sources, k) : w->flags_origin[k];
        uint32_t bits = 0;
        if (bad & bit && !result_bits(x, k, &bits)) bits = ~0u;
        if (guessed & bit) bits = ~0u;
        for (uint64_t rows = i->destinations; rows; rows &= rows - 1)
            put(x, (unsigned)__builtin_ctzll(rows), k, bits, origin);
        if (i->writes & ARM_STATE_NZCV) {
            w->flags = bits ? w->flags | bit : w->flags & ~bit;
            w->flags_origin[k] = origin;
        }
        if (i->writes & ARM_STATE_FPSCR_FLAGS) {
            w->fpscr = bits ? w->fpscr | bit : w->fpscr & ~bit;
            w->flags_origin[k] = origin;
        }
    }
}

/* Returns the threads whose condition holds: all if nothing depends on it. */
static uint64_t passed_of(const struct value_step *x) {
    uint64_t passed = 0;
    if (x->i->condition == 14) return x->threads;
    for (uint64_t rest = x->threads; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        if (x->w->flags >> k & 1 || arm_condition_holds(x->i->condition, arm_get_apsr(x->t, k)))
            passed |= UINT64_C(1) << k;
    }
    return passed;
}

/* Returns whether an instruction marks its register as unwritten: compiler/ir/unwritten.h. */
static inline bool is_mark(const struct arm_instruction *i) {
    return (i->encoding & 0xfff00ff0) == 0xe1800000 && i->rd == i->rn && i->rd == i->rm;
}

static __attribute__((noinline)) void mark_variable(const struct value_step *x) {
    for (uint64_t rest = x->threads; rest; rest &= rest - 1)
        put(x, x->i->rd, (unsigned)__builtin_ctzll(rest), ~0u, x->pc);
}

void value_check_instruction(struct value_check *v, unsigned slot, unsigned warp, const struct arm_threads *t,
                             const struct arm_instruction *i, uint32_t pc, uint64_t threads) {
    struct value_warp *w = &v->slot[slot].warp[warp];
    const bool accesses = i->is_load || i->is_store, chosen = i->condition != 14 && w->flags & threads;
    uint64_t bad = accesses ? 0 : any_of(w, i->sources & ~(UINT64_C(1) << 15)) & threads;
    if (i->reads & ARM_STATE_NZCV) bad |= w->flags & threads;
    if (i->reads & ARM_STATE_FPSCR_FLAGS) bad |= w->fpscr & threads;
    const bool replaces = any_of(w, i->destinations) & threads ||
                          (i->writes & ARM_STATE_NZCV && w->flags & threads) ||
                          (i->writes & ARM_STATE_FPSCR_FLAGS && w->fpscr & threads);
    const bool marks = is_mark(i);
    if (!accesses && !bad && !chosen && !replaces && !marks) return;
    struct value_step x = {.v = v, .s = &v->slot[slot], .w = w, .t = t, .i = i, .pc = pc, .threads = threads};
    if (marks) {
        mark_variable(&x);
        return;
    }
    if ((accesses || i->writes_pc) && chosen) {
        report(&x, VALUE_BRANCH, w->flags & threads, 0);
        w->flags &= ~threads;
    }
    if (i->writes_pc && !accesses && bad) {
        report(&x, VALUE_BRANCH, bad, i->sources);
        bad = 0;
    }
    x.passed = passed_of(&x);
    if (accesses)
        access_memory(&x);
    else
        operate(&x, bad);
}
