/*
 * arm_execute_fixture: a small machine of one thread or a warp of four, to run single instructions on.
 */
#ifndef TESTS_ARM_ARM_EXECUTE_FIXTURE_H
#define TESTS_ARM_ARM_EXECUTE_FIXTURE_H

#include "model/arm/arm.h"
#include "model/arm/arm_vfp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define HERE       0x00010000u
#define BUFFER     0x60000000u
#define SIZE       256u
#define READ_ONLY  0x60001000u
#define STACKS     0x50000000u
#define STACK_SIZE 64u
#define WARP       4u

struct machine {
    struct memory memory;
    uint8_t buffer[SIZE], constant[SIZE], stacks[SIZE];
    uint32_t registers[ARM_NEON_REGISTERS * WARP];
    uint32_t pc[WARP], next_pc[WARP], n[WARP], z[WARP], c[WARP], v[WARP], q[WARP], ge[WARP], fpscr[WARP],
        top[WARP];
    struct arm_threads t;
    struct arm_execution x;
    struct arm_instruction i;
};

static struct machine machine;

/* A fresh machine of 1 or WARP threads, registers 0. */
static inline struct machine *fresh(uint32_t positions) {
    struct machine *m = &machine;
    memset(m, 0, sizeof *m);
    memory_init(&m->memory);
    memory_add(&m->memory, MEMORY_BUFFER, BUFFER, SIZE, m->buffer, true, "buffer");
    memory_add(&m->memory, MEMORY_CODE, READ_ONLY, SIZE, m->constant, false, "constants");
    memory_add(&m->memory, MEMORY_STACK, STACKS, SIZE, m->stacks, true, "stacks");
    for (unsigned k = 0; k < WARP; k++) {
        m->pc[k] = HERE;
        m->next_pc[k] = HERE + 4;
        m->top[k] = STACKS + SIZE - k * STACK_SIZE;
    }
    m->t = (struct arm_threads){.positions = positions, .registers = m->registers, .pc = m->pc};
    m->t.next_pc = m->next_pc, m->t.n = m->n, m->t.z = m->z, m->t.c = m->c, m->t.v = m->v, m->t.q = m->q;
    m->t.ge = m->ge, m->t.fpscr = m->fpscr, m->t.stack_top = m->top, m->t.stack_size = STACK_SIZE;
    m->t.memory = &m->memory;
    for (unsigned k = 0; k < positions; k++) arm_set_apsr(&m->t, k, 0);
    return m;
}

static inline uint32_t *reg(struct machine *m, unsigned r, unsigned k) {
    return &m->registers[r * m->t.positions + k];
}
static inline uint32_t *single(struct machine *m, unsigned s) {
    return reg(m, 16 + s, 0);
}
static inline uint32_t word(const uint8_t *bytes) {
    uint32_t w;
    memcpy(&w, bytes, sizeof w);
    return w;
}

/* Executes an encoding and checks its disassembly against `text`. */
static inline enum arm_fault run(struct machine *m, const char *text, uint32_t encoding, uint64_t mask) {
    char ours[80];
    arm_disassemble(encoding, HERE, ours, sizeof ours);
    assert_string_equal(ours, text);
    arm_decode(encoding, HERE, &m->i);
    arm_execute(&m->i, &m->t, mask, &m->x);
    return m->x.fault;
}

#endif
