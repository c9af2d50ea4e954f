#include "tests/arm/arm_sequence.h"

#include "tests/arm/arm_random.h"

#define MOVW          0xe3000000u
#define MOVT          0xe3400000u
#define NOP           0xe320f000u
#define CLREX         0xf57ff01fu
#define GRANULE       64u
#define FPSCR_WRITTEN 0xffc0009fu /* bits that VMSR sets; LEN and STRIDE other than 0 are refused */

/* --- kinds of instruction --- */

static bool is_exclusive(const struct arm_row *row) {
    return row->operation >= ARM_OP_ldrex && row->operation <= ARM_OP_strexd;
}
static bool is_branch(const struct arm_row *row) {
    return row->operation == ARM_OP_b || row->operation == ARM_OP_bl;
}
static bool is_memory(const struct arm_instruction *i) {
    return i->is_load || i->is_store;
}
/* Takes its target from rm. */
static bool is_register_branch(const struct arm_instruction *i) {
    const unsigned op = i->row->operation;
    return op == ARM_OP_bx || op == ARM_OP_blx;
}
/* --- our side --- */

void arm_side_start(struct arm_side *s) {
    memset(s, 0, sizeof *s);
    memory_init(&s->memory);
    s->code_region = memory_add(&s->memory, MEMORY_BUFFER, ARM_SEQUENCE_CODE, ARM_SEQUENCE_BYTES,
                                (uint8_t *)s->text, true, "code");
    memory_add(&s->memory, MEMORY_BUFFER, ARM_SEQUENCE_PAGE, sizeof s->page, s->page, true, "page");
    exclusive_monitor_init(&s->monitor, 1, GRANULE, 1);
    s->threads = (struct arm_threads){.positions = 1,
                                      .registers = s->registers,
                                      .pc = &s->pc,
                                      .next_pc = &s->next_pc,
                                      .n = &s->n,
                                      .z = &s->z,
                                      .c = &s->c,
                                      .v = &s->v,
                                      .q = &s->q,
                                      .ge = &s->ge,
                                      .fpscr = &s->fpscr,
                                      .memory = &s->memory,
                                      .monitor = &s->monitor};
}

void arm_side_end(struct arm_side *s) {
    exclusive_monitor_free(&s->monitor);
}

/* --- addresses --- */

/* Returns the address that an instruction would access with a base register of 0 and a true condition. */
static uint32_t address_from_zero(const struct arm_instruction *i, const struct arm_side *s) {
    static struct memory empty;
    uint32_t registers[ARM_NEON_REGISTERS], spare = 0, fpscr = s->fpscr, c = s->c;
    struct arm_threads t = s->threads;
    struct arm_instruction copy = *i;
    struct arm_execution x;
    memcpy(registers, s->registers, sizeof registers);
    if (i->rn != 15) registers[i->rn] = 0;
    t.registers = registers, t.memory = &empty, t.monitor = NULL;
    t.n = t.z = t.v = t.q = t.ge = t.next_pc = &spare;
    t.c = &c, t.fpscr = &fpscr;
    copy.condition = 14;
    arm_execute(&copy, &t, 1, &x);
    return x.address[0];
}

static bool in_words_after_code(const struct arm_instruction *i, uint32_t base, uint32_t address) {
    const uint32_t from = base + ARM_SEQUENCE_SLOTS * 4 + 8, to = base + ARM_SEQUENCE_BYTES - 4;
    return address >= from && address + i->access_bytes <= to;
}

static bool aligned_only(const struct arm_instruction *i) {
    if (i->row->form >= ARM_FORM_NEON) return false;
    return i->access_bytes > 4 || i->access_count > 1 || i->rd >= 16 || is_exclusive(i->row) ||
           i->class == ARM_CLASS_LOAD_MULTIPLE || i->class == ARM_CLASS_STORE_MULTIPLE;
}

/* Returns a random address for a memory instruction at a slot. */
static uint32_t random_address(const struct arm_instruction *i, unsigned slot) {
    if (i->writes_pc)
        return ARM_SEQUENCE_PAGE + ARM_SEQUENCE_TABLES + slot / 8 * 256 + 96 + random_below(16) * 4;
    if (is_exclusive(i->row))
        return ARM_SEQUENCE_PAGE + ARM_SEQUENCE_MONITOR +
               random_below(2 * GRANULE / i->access_bytes) * i->access_bytes;
    const uint32_t at = ARM_SEQUENCE_PAGE + 256 + random_below(60) * 8;
    return (aligned_only(i) || random_below(2) ? at : at + random_below(8)) & ~(uint32_t)i->align_bits;
}

/* --- encodings --- */

/* Returns whether an instruction relative to the PC accesses the words after the code, or can be changed to
 * do so. */
static bool literal_fits(const struct arm_instruction *i, uint32_t base, const struct arm_side *scratch) {
    if (i->register_offset) return i->shift == ARM_SHIFT_NONE;
    if (i->writes_pc) return false;
    const uint32_t address = address_from_zero(i, scratch);
    return in_words_after_code(i, base, address) && !(aligned_only(i) && address & 3);
}

/* --- ALU instructions that write the PC --- */

static bool leads_to(const struct arm_instruction *i, const struct arm_side *s, uint32_t *registers,
                     uint32_t target) {
    uint32_t spare[6], c = s->c, next_pc = 0;
    struct arm_threads t = s->threads;
    struct arm_instruction copy = *i;
    struct arm_execution x;
    t.registers = registers, t.next_pc = &next_pc, t.c = &c;
    t.n = &spare[0], t.z = &spare[1], t.v = &spare[2], t.q = &spare[3], t.ge = &spare[4], t.fpscr = &spare[5];
    copy.condition = 14;
    arm_execute(&copy, &t, 1, &x);
    return x.fault == ARM_FAULT_NONE && next_pc == target;
}

/* Returns the result of the instruction, whether or not it is a valid target. */
static uint32_t result_of(const struct arm_instruction *i, const struct arm_side *s, uint32_t *registers) {
    leads_to(i, s, registers, 0);
    return registers[15];
}

/* Finds values of an instruction's core registers with which it branches to the target, and stores them in
 * `registers` (unless NULL). Returns whether there are any. */
static bool solve_target(const struct arm_instruction *i, const struct arm_side *s, uint32_t target,
                         uint32_t *registers) {
    const uint32_t factors[] = {registers ? s->registers[i->rm] : 0, 0, 0xffffffff, target, ~target};
    const bool shifted = i->row->form == ARM_FORM_SHIFTED_REGISTER;
    for (unsigned f = registers || !shifted ? 0 : 5; f < 10; f++) {
        uint32_t r[ARM_NEON_REGISTERS];
        memcpy(r, s->registers, sizeof r);
        if (f >= 5 && shifted) r[i->rs] = 0;
        if (i->row->form != ARM_FORM_MODIFIED) r[i->rm] = factors[f % 5];
        r[i->rn] = 0;
        const uint32_t zero = result_of(i, s, r);
        const uint32_t values[] = {target - zero, zero - target, target ^ zero, target, ~target};
        for (unsigned v = 0; v < 5; v++) {
            r[i->rn] = values[v];
            if (!leads_to(i, s, r, target)) continue;
            if (registers) memcpy(registers, r, 15 * sizeof *r);
            return true;
        }
    }
    return false;
}

/* Returns whether only one value of the carry, which is random, leads to the target. */
static bool needs_its_carry(const struct arm_instruction *i) {
    const unsigned op = i->row->operation;
    return i->shift == ARM_SHIFT_RRX ||
           (i->rn == 15 && op >= ARM_OP_adc_immediate && op <= ARM_OP_rsc_register_s);
}

/* Returns whether a sequence may contain an instruction: no register has two conflicting roles, and no PC
 * operand leads to a wrong address. */
static bool is_usable(const struct arm_instruction *i, uint32_t base, const struct arm_side *scratch,
                      bool refreshed) {
    if (is_memory(i)) {
        if (i->register_offset && i->rn == i->rm) return false;
        if (!refreshed && i->register_offset && i->shift == ARM_SHIFT_RRX) return false; /* the carry */
        return i->rn != 15 || literal_fits(i, base, scratch);
    }
    if (is_register_branch(i)) return i->rm != 15;
    if (!i->writes_pc || is_branch(i->row)) return true;
    if (refreshed) return !needs_its_carry(i) && solve_target(i, scratch, i->pc + 4, NULL);
    return i->row->operation == ARM_OP_mov_register && i->row->form == ARM_FORM_SHIFTED &&
           i->shift == ARM_SHIFT_NONE && i->rm != 15;
}

static bool distinct_operands(const struct arm_instruction *i) {
    struct arm_operand o[ARM_CORNER_OPERANDS];
    const unsigned count = arm_operands(i, o);
    for (unsigned a = 0; a < count; a++)
        for (unsigned b = 0; b < a; b++)
            if (o[a].row == o[b].row || (is_memory(i) && o[a].row == i->rn)) return false;
    return true;
}

/* Returns the registers that are set before the instruction. */
static uint64_t prepared(const struct arm_instruction *i) {
    if (is_memory(i)) return UINT64_C(1) << i->rn | (i->register_offset ? UINT64_C(1) << i->rm : 0);
    return i->writes_pc || i->row->operation == ARM_OP_vmsr ? UINT64_C(1) << i->rm : 0;
}

/* Chooses a random instruction of the row for address pc. Returns false if none is found. */
static bool choose(const struct arm_row *row, uint32_t pc, uint32_t base, const struct arm_side *scratch,
                   bool refreshed, uint64_t spared, struct arm_instruction *out) {
    const bool apart = random_below(8) != 0;
    for (unsigned attempt = 0; attempt < 300; attempt++) {
        arm_decode(random_encoding(row), pc, out);
        if (out->row != row || (out->destinations | prepared(out)) & spared) continue;
        if (apart && attempt < 30 && !distinct_operands(out)) continue;
        if (is_usable(out, base, scratch, refreshed)) return true;
    }
    return false;
}

/* --- building --- */

#define MOST_UNITS 64

struct unit {
    unsigned slot, loop; /* number of the loop; 0: none */
};
struct fixup {
    unsigned slot, unit, loop;
    bool in_registers; /* a MOVW at the slot and a MOVT after it, else the offset of a branch */
};
struct builder {
    struct arm_sequence *q;
    struct arm_side *scratch;
    unsigned slot, loop, loops;
    uint64_t spared; /* registers that count loops */
    struct unit unit[MOST_UNITS];
    unsigned units;
    struct fixup fixup[MOST_UNITS];
    unsigned fixups;
    bool exits;
};

static uint32_t here(const struct builder *b) {
    return b->q->base + b->slot * 4;
}
static void emit(struct builder *b, uint32_t word) {
    b->q->code[b->slot++] = word;
}
static uint32_t move_word(uint32_t opcode, unsigned r, uint32_t half) {
    return opcode | (half >> 12 & 15) << 16 | r << 12 | (half & 0xfff);
}
static void emit_value(struct builder *b, unsigned r, uint32_t value) {
    emit(b, move_word(MOVW, r, value & 0xffff));
    emit(b, move_word(MOVT, r, value >> 16));
    b->scratch->registers[r] = value;
}

static void begin_unit(struct builder *b) {
    b->unit[b->units++] = (struct unit){b->slot, b->loop};
}
static void fix_later(struct builder *b, bool in_registers) {
    b->fixup[b->fixups++] = (struct fixup){b->slot, b->units, b->loop, in_registers};
}

/* Returns a unit within a short distance after the fixup's own that is not inside another loop. */
static uint32_t target_of(const struct builder *b, const struct fixup *f) {
    unsigned found[4], count = 0;
    for (unsigned u = f->unit; u < b->units && count < 4; u++)
        if (b->unit[u].loop == 0 || b->unit[u].loop == f->loop) found[count++] = b->unit[u].slot;
    return count ? b->q->base + found[random_below(count)] * 4 : b->q->end;
}

static void resolve(struct builder *b) {
    struct arm_sequence *q = b->q;
    for (unsigned n = 0; n < b->fixups; n++) {
        const struct fixup *f = &b->fixup[n];
        const uint32_t target = target_of(b, f), from = q->base + f->slot * 4 + 8;
        uint32_t *word = &q->code[f->slot];
        if (f->in_registers) {
            word[0] = (word[0] & 0xfff0f000) | (target >> 12 & 15) << 16 | (target & 0xfff);
            word[1] = (word[1] & 0xfff0f000) | (target >> 28) << 16 | (target >> 16 & 0xfff);
        } else {
            *word = (*word & 0xff000000) | ((target - from) >> 2 & 0xffffff);
        }
    }
    for (unsigned g = 0; g < 8; g++) {
        q->table[g] = q->end;
        for (unsigned u = b->units; u-- > 0;)
            if (b->unit[u].slot >= 8 * g + 8 && b->unit[u].loop == 0)
                q->table[g] = q->base + b->unit[u].slot * 4;
    }
}

/* The base register of a memory instruction, so that it accesses `address`. */
static void emit_base(struct builder *b, const struct arm_instruction *i, uint32_t address) {
    if (i->rn == 15) {
        const uint32_t offset = address - (here(b) + 16); /* past MOVW, MOVT */
        if (i->register_offset) emit_value(b, i->rm, i->subtract ? 0u - offset : offset);
        return;
    }
    if (i->register_offset) emit_value(b, i->rm, random_value());
    emit_value(b, i->rn, address - address_from_zero(i, b->scratch));
}

static void emit_memory(struct builder *b, const struct arm_instruction *i) {
    uint32_t address = random_address(i, b->slot + 4);
    if (i->rn == 15) address = b->q->base + ARM_SEQUENCE_SLOTS * 4 + 16 + random_below(24) * 8;
    if (i->rn == 15 && i->register_offset && i->writes_pc) return;
    emit_base(b, i, address);
    emit(b, i->encoding);
}

/* CLREX, a load, now and then something between, a store: to the same place, or not. */
static void emit_exclusive(struct builder *b, const struct arm_row *load) {
    struct arm_instruction l, s;
    if (!choose(load, 0, b->q->base, b->scratch, false, b->spared, &l) ||
        !choose(load + 1, 0, b->q->base, b->scratch, false, b->spared, &s))
        return;
    uint32_t address = random_address(&l, 0);
    emit(b, CLREX);
    emit_base(b, &l, address);
    emit(b, l.encoding);
    if (random_below(8) == 0) emit(b, CLREX);
    if (random_below(8) == 0) address ^= GRANULE;
    emit_base(b, &s, address);
    emit(b, s.encoding);
    if (random_below(4) == 0) emit(b, s.encoding); /* has no reservation: the first store has cleared it */
}

static const struct arm_row *load_exclusive(const struct arm_row *row) {
    return row->operation >= ARM_OP_strex ? row - 1 : row;
}

/* Clears the lower half of a register. A program in User mode knows only the APSR of MRS's result. */
static void emit_upper_half(struct builder *b, unsigned r) {
    emit(b, 0xe1a00820u | r << 12 | r); /* mov r, r, lsr #16 */
    emit(b, 0xe1a00800u | r << 12 | r); /* mov r, r, lsl #16 */
}

static void emit_row(struct builder *b, const struct arm_row *row) {
    struct arm_instruction i;
    if (is_exclusive(row)) {
        emit_exclusive(b, load_exclusive(row));
        return;
    }
    /* Relative to the PC: the instruction is preceded by two that set a register offset, or by none. */
    if (!choose(row, here(b), b->q->base, b->scratch, false, b->spared, &i)) return;
    if (!b->exits && arm_coverage_is_exit(&i)) return;
    if (is_memory(&i)) {
        emit_memory(b, &i);
    } else if (is_branch(row)) {
        fix_later(b, false);
        emit(b, i.encoding);
    } else if (i.writes_pc) {
        fix_later(b, true);
        emit_value(b, i.rm, 0);
        emit(b, i.encoding);
    } else {
        if (row->operation == ARM_OP_vmsr) emit_value(b, i.rm, random_word() & FPSCR_WRITTEN);
        emit(b, i.encoding);
        if (row->operation == ARM_OP_mrs) emit_upper_half(b, i.rd);
    }
}

/* Emits a loop: MOVW r, #2…4; …; SUBS r, r, #1; BNE. The body does not change r. */
static void emit_loop(struct builder *b, const struct arm_row *(*next)(void)) {
    const unsigned r = random_below(13), units = 1 + random_below(3);
    emit(b, move_word(MOVW, r, 2 + random_below(3)));
    b->loop = ++b->loops;
    b->spared = UINT64_C(1) << r;
    const unsigned first = b->slot;
    for (unsigned n = 0; n < units; n++) {
        begin_unit(b);
        emit_row(b, next());
    }
    begin_unit(b);
    emit(b, 0xe2500001u | r << 16 | r << 12);
    emit(b, 0x1a000000u | ((first - b->slot - 2) & 0xffffff));
    b->loop = 0;
    b->spared = 0;
}

/* Returns the next row. Each round visits all rows in another order, with occasional branches in between. */
static const struct arm_row *next_row(void) {
    static uint16_t order[1024];
    static unsigned at, branch;
    if (!order[0] && !order[1])
        for (unsigned r = 0; r < arm_row_count; r++) {
            order[r] = (uint16_t)r;
            if (arm_rows[r].operation == ARM_OP_b) branch = r;
        }
    if (random_below(24) == 0) return &arm_rows[branch + random_below(2)];
    const unsigned other = at + random_below(arm_row_count - at);
    const uint16_t chosen = order[other];
    order[other] = order[at], order[at] = chosen;
    at = (at + 1) % arm_row_count;
    return &arm_rows[chosen];
}

static void generate_dependent(struct builder *b, unsigned slots) {
    while (b->slot + 10 < slots) {
        begin_unit(b);
        if (random_below(12) == 0 && b->slot + 32 < slots)
            emit_loop(b, next_row);
        else
            emit_row(b, next_row());
    }
}

/* Targets of branches are one or two instructions on. */
static void emit_refreshed(struct builder *b, const struct arm_row *row) {
    struct arm_instruction i;
    if (!choose(row, here(b), b->q->base, b->scratch, true, 0, &i)) return;
    if (!b->exits && arm_coverage_is_exit(&i)) return;
    if (is_exclusive(row)) {
        const struct arm_row *load = load_exclusive(row);
        emit(b, CLREX);
        emit(b, row == load ? i.encoding : random_encoding(load));
        if (row == load && !choose(row + 1, here(b), b->q->base, b->scratch, true, 0, &i)) return;
        emit(b, i.encoding);
        return;
    }
    emit(b,
         is_branch(row) ? (i.encoding & 0xff000000) | (0xffffff + random_below(2)) % 0x1000000 : i.encoding);
    if (is_branch(row)) emit(b, NOP);
}

static void generate_refreshed(struct builder *b, unsigned slots) {
    while (b->slot + 4 < slots) {
        begin_unit(b);
        emit_refreshed(b, next_row());
    }
}

void arm_sequence_generate(struct arm_sequence *q, struct arm_side *scratch, uint32_t base, bool refreshed,
                           bool exits) {
    struct builder b = {.q = q, .scratch = scratch, .exits = exits};
    q->base = base;
    q->refreshed = refreshed;
    scratch->memory.region[scratch->code_region].base = base;
    if (refreshed)
        generate_refreshed(&b, ARM_SEQUENCE_SLOTS);
    else
        generate_dependent(&b, ARM_SEQUENCE_SLOTS);
    q->length = b.slot;
    q->end = base + b.slot * 4;
    emit(&b, NOP);
    resolve(&b);
    for (unsigned n = 0; n < b.slot; n++) arm_decode(q->code[n], base + n * 4, &q->decoded[n]);
}

/* --- states --- */

static uint32_t random_mode(void) {
    return random_below(2) ? 0 : random_below(16) << 22;
}

static void random_status(struct arm_side *s) {
    arm_set_apsr(&s->threads, 0, random_word() & 0xf80f0000);
    s->fpscr = (random_word() & 0xf800009f & (random_below(2) ? ~0u : 0xf0000000)) | random_mode();
}

void arm_sequence_begin(const struct arm_sequence *q, struct arm_side *s) {
    for (unsigned r = 0; r < ARM_NEON_REGISTERS; r++) s->registers[r] = random_value();
    for (unsigned d = 16; d < ARM_NEON_REGISTERS; d += 2) {
        const struct arm_operand o = {random_below(2) ? ARM_CORNER_DOUBLE : ARM_CORNER_SINGLE, d};
        arm_operand_set(&o, s->registers, arm_corner_draw(o.kind, random_below(arm_corner_classes(o.kind))));
    }
    random_status(s);
    s->pc = q->base;
    s->memory.region[s->code_region].base = q->base;
    memcpy(s->text, q->code, sizeof q->code);
    for (unsigned w = ARM_SEQUENCE_SLOTS; w < ARM_SEQUENCE_BYTES / 4; w++) s->text[w] = random_value();
    uint32_t *const words = (uint32_t *)s->page;
    for (unsigned w = 0; w < (ARM_SEQUENCE_MONITOR + 2 * GRANULE) / 4; w++) words[w] = random_value();
    for (unsigned w = 0; w < 8 * 64; w++) words[ARM_SEQUENCE_TABLES / 4 + w] = q->table[w / 64];
    exclusive_monitor_clear(&s->monitor, 0);
}

static void refresh_memory(const struct arm_instruction *i, struct arm_side *s, unsigned slot,
                           uint32_t base) {
    if (i->rn != 15) {
        const uint32_t address =
            is_exclusive(i->row) ? ARM_SEQUENCE_PAGE + ARM_SEQUENCE_MONITOR : random_address(i, slot);
        s->registers[i->rn] = address - address_from_zero(i, s);
    } else if (i->register_offset) {
        const uint32_t offset = base + ARM_SEQUENCE_SLOTS * 4 + 16 + random_below(24) * 8 - (i->pc + 8);
        s->registers[i->rm] = i->subtract ? 0u - offset : offset;
    }
}

void arm_sequence_refresh(struct arm_sequence *q, struct arm_side *s, struct arm_coverage *coverage) {
    const unsigned slot = (s->pc - q->base) / 4;
    const struct arm_instruction *i = &q->decoded[slot];
    struct arm_operand o[ARM_CORNER_OPERANDS];
    const unsigned count = arm_operands(i, o);
    unsigned turn = coverage[i->row - arm_rows].turn, sum = 0;
    for (unsigned n = 0; n < count; n++) { /* all combinations in turn; thus each class of each operand occurs
                                            * early */
        const unsigned classes = arm_corner_classes(o[n].kind);
        sum += turn % classes;
        arm_operand_set(&o[n], s->registers, arm_corner_draw(o[n].kind, sum % classes));
        turn /= classes;
    }
    random_status(s);
    if (is_memory(i))
        refresh_memory(i, s, slot, q->base);
    else if (is_register_branch(i))
        s->registers[i->rm] = s->pc + 4;
    else if (i->writes_pc && !is_branch(i->row))
        solve_target(i, s, s->pc + 4, s->registers);
    else if (i->row->operation == ARM_OP_vmsr)
        s->registers[i->rm] &= FPSCR_WRITTEN;
}

/* --- executing --- */

/* Executes the instruction again with other values in all registers outside its sources. Returns whether the
 * results are equal. `before` and `apsr` are registers and flags before the instruction. */
static bool sources_suffice(const struct arm_instruction *i, const struct arm_side *s, const uint32_t *before,
                            uint32_t apsr) {
    uint32_t r[ARM_NEON_REGISTERS], flags[6], next_pc, fpscr = s->fpscr;
    struct arm_threads t = s->threads;
    struct arm_instruction copy = *i;
    struct arm_execution x;
    if (!s->x.passed || i->is_store || i->writes_pc || is_exclusive(i->row) || arm_coverage_is_exit(i))
        return true;
    for (unsigned n = 0; n < ARM_NEON_REGISTERS; n++)
        r[n] = i->sources & arm_row_bit(n) ? before[n] : random_word();
    t.registers = r, t.next_pc = &next_pc, t.fpscr = &fpscr;
    t.n = &flags[0], t.z = &flags[1], t.c = &flags[2], t.v = &flags[3], t.q = &flags[4], t.ge = &flags[5];
    arm_set_apsr(&t, 0, apsr);
    copy.condition = 14;
    arm_execute(&copy, &t, 1, &x);
    if (x.fault != ARM_FAULT_NONE) return false;
    for (unsigned n = 0; n < ARM_NEON_REGISTERS; n++)
        if (i->destinations & arm_row_bit(n) && r[n] != s->registers[n]) return false;
    return true;
}

struct arm_instruction *arm_sequence_step(struct arm_sequence *q, struct arm_side *s,
                                          struct arm_coverage *coverage) {
    struct arm_instruction *i = &q->decoded[(s->pc - q->base) / 4];
    struct arm_coverage *c = &coverage[i->row - arm_rows];
    struct arm_operand o[ARM_CORNER_OPERANDS];
    unsigned class[ARM_CORNER_OPERANDS];
    const unsigned count = arm_operands(i, o);
    const uint32_t fpscr = s->fpscr, apsr = arm_get_apsr(&s->threads, 0);
    uint32_t before[ARM_NEON_REGISTERS];
    memcpy(before, s->registers, sizeof before);
    for (unsigned n = 0; n < count; n++)
        class[n] = arm_corner_class(o[n].kind, arm_operand_get(&o[n], s->registers));
    s->next_pc = s->pc + 4;
    arm_execute(i, &s->threads, 1, &s->x);
    arm_coverage_note(c, i, o, count, class, fpscr, s->x.passed);
    if (q->refreshed && s->x.passed && distinct_operands(i)) c->turn++;
    s->sources_suffice = !q->refreshed || sources_suffice(i, s, before, apsr);
    s->pc = s->next_pc;
    return i;
}
