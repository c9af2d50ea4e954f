#include "model/arm/arm.h"

#include "model/arm/arm_table.h"

uint32_t arm_next_pc(const struct arm_threads *t, const struct arm_instruction *i, uint32_t pc,
                     uint64_t passed, unsigned position) {
    return i->writes_pc && passed >> position & 1 ? t->next_pc[position] : pc + 4;
}

uint32_t arm_get_apsr(const struct arm_threads *t, unsigned position) {
    return (t->n[position] & 1u << 31) | (t->z[position] ? 0 : 1u << 30) | (t->c[position] & 1u << 29) |
           (t->v[position] >> 31) << 28 | t->q[position] << 27 | t->ge[position] << 16;
}

void arm_set_apsr(struct arm_threads *t, unsigned position, uint32_t apsr) {
    t->n[position] = apsr;
    t->z[position] = ~apsr & 1u << 30;
    t->c[position] = 0u - (apsr >> 29 & 1);
    t->v[position] = apsr << 3;
    t->q[position] = apsr >> 27 & 1;
    t->ge[position] = apsr >> 16 & 15;
}

bool arm_condition_holds(unsigned condition, uint32_t apsr) {
    const bool n = apsr >> 31, z = apsr >> 30 & 1, c = apsr >> 29 & 1, v = apsr >> 28 & 1;
    const bool holds[8] = {z, c, n, v, c && !z, n == v, n == v && !z, true};
    return holds[condition >> 1] != (condition & 1);
}

static uint32_t offset_register(const struct arm_instruction *i, uint32_t m, uint32_t carry) {
    const unsigned a = i->shift_amount;
    switch (i->shift) {
    case ARM_SHIFT_LSL: return m << a;
    case ARM_SHIFT_LSR: return m >> (a - 1) >> 1;
    case ARM_SHIFT_ASR: return (uint32_t)((int32_t)m >> (a - 1) >> 1);
    case ARM_SHIFT_ROR: return m >> a | m << (32 - a);
    case ARM_SHIFT_RRX: return m >> 1 | (carry & 1u << 31);
    default: return m;
    }
}

uint32_t arm_access_address(const struct arm_instruction *i, const struct arm_threads *t, unsigned position,
                            uint32_t pc) {
    const uint32_t *column = t->registers + position;
    const uint32_t base = i->rn == 15 ? (pc + 8) & ~3u : column[(size_t)i->rn * t->positions];
    const bool block = i->row->form == ARM_FORM_BLOCK || i->row->form == ARM_FORM_BLOCK_DOUBLE ||
                       i->row->form == ARM_FORM_BLOCK_SINGLE;
    if (block) return base + i->immediate;
    if (!i->pre_index) return base;
    if (!i->register_offset) return base + i->immediate;
    const uint32_t offset = offset_register(i, column[(size_t)i->rm * t->positions], t->c[position]);
    return i->subtract ? base - offset : base + offset;
}
