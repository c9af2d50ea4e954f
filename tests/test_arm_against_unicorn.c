/*
 * Random instructions of every row, one at a time, on our single-thread form and on Unicorn: registers,
 * NZCV, VFP registers and memory must agree. Usage: test_arm_against_unicorn [instructions]
 */
#include "tests/arm_random.h"

#include <stdio.h>
#include <stdlib.h>
#include <unicorn/unicorn.h>

#define CODE      0x00010000u
#define CODE_SIZE 0x00400000u /* each instruction has an address of its own: nothing translated twice */
#define TARGETS   (CODE + CODE_SIZE - 0x400) /* of branches through registers: code that was never run */
#define DATA      0x60000000u
#define DATA_SIZE 0x4000u
#define MIDDLE    (DATA + DATA_SIZE / 2)

static unsigned instructions = 300000;

struct machine {
    uc_engine *uc;
    struct memory memory;
    uint8_t data[DATA_SIZE], other[DATA_SIZE] __attribute__((aligned(4096)));
    uint32_t code[CODE_SIZE / 4] __attribute__((aligned(4096)));
    uint32_t done; /* instructions tried */
    uint32_t registers[ARM_REGISTERS], pc, next_pc, n, z, c, v, q, ge, fpscr;
    struct arm_threads threads;
};

static void need(uc_err e, const char *what) {
    if (e != UC_ERR_OK) fail_msg("unicorn: %s: %s", what, uc_strerror(e));
}

static void start(struct machine *m) {
    need(uc_open(UC_ARCH_ARM, UC_MODE_ARM, &m->uc), "open");
    need(uc_ctl_set_cpu_model(m->uc, UC_CPU_ARM_CORTEX_A15), "cpu model");
    need(uc_mem_map_ptr(m->uc, CODE, CODE_SIZE, UC_PROT_ALL, m->code), "map code");
    need(uc_mem_map_ptr(m->uc, DATA, DATA_SIZE, UC_PROT_READ | UC_PROT_WRITE, m->other), "map data");
    uc_arm_cp_reg access = {15, 0, 0, 1, 0, 0, 2, 0x00f00000};
    need(uc_reg_write(m->uc, UC_ARM_REG_CP_REG, &access), "CPACR");
    uint32_t enable = 1u << 30;
    need(uc_reg_write(m->uc, UC_ARM_REG_FPEXC, &enable), "FPEXC");
    memory_init(&m->memory);
    memory_add(&m->memory, MEMORY_BUFFER, DATA, DATA_SIZE, m->data, true, "data");
    m->threads = (struct arm_threads){.positions = 1,
                                      .registers = m->registers,
                                      .pc = &m->pc,
                                      .next_pc = &m->next_pc,
                                      .n = &m->n,
                                      .z = &m->z,
                                      .c = &m->c,
                                      .v = &m->v,
                                      .q = &m->q,
                                      .ge = &m->ge,
                                      .fpscr = &m->fpscr,
                                      .memory = &m->memory};
}

/* Values that lead to something: addresses in the base, small offsets, branch targets. */
static void randomize(struct machine *m, const struct arm_instruction *i) {
    for (unsigned r = 0; r < ARM_REGISTERS; r++) m->registers[r] = random_value();
    if (i->row->effects[0] == 'S' || random_below(4) == 0) /* operands near each other */
        m->registers[16 + random_below(32)] = m->registers[16 + random_below(32)];
    bool memory = i->is_load || i->is_store;
    if (memory) {
        if (i->register_offset) m->registers[i->rm] = random_below(256) << random_below(3);
        unsigned unaligned = i->class == ARM_CLASS_LOAD || i->class == ARM_CLASS_STORE ? random_below(4) : 0;
        if (i->row->bytes == 8 || i->rd >= 16 || i->row->form == ARM_FORM_PLAIN) unaligned = 0;
        uint32_t base = MIDDLE + (random_below(512) - 256) * 8 + unaligned;
        if (i->rn != 15) m->registers[i->rn] = base;
    }
    if (i->row->operation == ARM_OP_bx || i->row->operation == ARM_OP_blx)
        m->registers[i->rm] = TARGETS + random_below(256) * 4;
    for (unsigned k = 0; k < DATA_SIZE / 4; k += 1 + random_below(64))
        ((uint32_t *)m->data)[k] = memory && i->writes_pc ? TARGETS + random_below(256) * 4 : random_value();
    arm_set_apsr(&m->threads, 0, random_word() & 0xf80f0000);
    m->fpscr = random_word() & 0xf0000000;
    if (random_below(4) == 0) m->fpscr |= random_word() & 0x03c00000;
    /* The manual: fixed point to floating point rounds to nearest; Unicorn 2.0.1 rounds as FPSCR says. */
    if (i->row->operation == ARM_OP_vcvt_from_fixed_f32) m->fpscr &= ~0x00c00000u;
}

static const int core_register[16] = {UC_ARM_REG_R0,  UC_ARM_REG_R1,  UC_ARM_REG_R2,  UC_ARM_REG_R3,
                                      UC_ARM_REG_R4,  UC_ARM_REG_R5,  UC_ARM_REG_R6,  UC_ARM_REG_R7,
                                      UC_ARM_REG_R8,  UC_ARM_REG_R9,  UC_ARM_REG_R10, UC_ARM_REG_R11,
                                      UC_ARM_REG_R12, UC_ARM_REG_R13, UC_ARM_REG_R14, UC_ARM_REG_R15};

static void write_state(struct machine *m, uint32_t encoding) {
    uint32_t cpsr = 0x10 | /* user mode; before the registers, which modes bank */
                    arm_get_apsr(&m->threads, 0);
    uc_reg_write(m->uc, UC_ARM_REG_CPSR, &cpsr);
    for (int r = 0; r < 15; r++) uc_reg_write(m->uc, core_register[r], &m->registers[r]);
    for (int r = 0; r < 16; r++) uc_reg_write(m->uc, UC_ARM_REG_D0 + r, &m->registers[16 + 2 * r]);
    uc_reg_write(m->uc, UC_ARM_REG_FPSCR, &m->fpscr);
    m->code[(m->pc - CODE) / 4] = encoding;
    memcpy(m->other, m->data, DATA_SIZE);
}

static uint32_t before[ARM_REGISTERS], fpscr_before;

static void complain(const struct machine *m, uint32_t encoding, const char *what, uint32_t ours,
                     uint32_t theirs) {
    char text[80];
    struct arm_instruction i;
    arm_disassemble(encoding, m->pc, text, sizeof text);
    arm_decode(encoding, m->pc, &i);
    for (unsigned r = 0; r < ARM_REGISTERS; r++)
        if ((i.sources | i.destinations) >> r & 1)
            print_message("%c%u: %08x -> %08x\n", r < 16 ? 'r' : 's', r % 16 + (r >= 32) * 16, before[r],
                          m->registers[r]);
    print_message("FPSCR before: %08x\n", fpscr_before);
    fail_msg("%08x %s: %s: ours %08x, Unicorn's %08x", encoding, text, what, ours, theirs);
}

static void compare(struct machine *m, uint32_t encoding, const struct arm_instruction *i) {
    char name[16];
    for (unsigned r = 0; r < ARM_REGISTERS; r++) {
        uint32_t theirs[2];
        if (r == 15) continue;
        if (r < 15)
            uc_reg_read(m->uc, core_register[r], theirs);
        else
            uc_reg_read(m->uc, UC_ARM_REG_D0 + (int)(r - 16) / 2, theirs);
        uint32_t their = r < 15 ? theirs[0] : theirs[r & 1];
        snprintf(name, sizeof name, r < 15 ? "r%u" : "s%u", r < 15 ? r : r - 16);
        if (m->registers[r] != their) complain(m, encoding, name, m->registers[r], their);
        if (m->registers[r] != before[r] && !(i->destinations >> r & 1))
            complain(m, encoding, "not among the destinations", r, 0);
    }
    uint32_t cpsr, fpscr, pc, apsr = arm_get_apsr(&m->threads, 0);
    uc_reg_read(m->uc, UC_ARM_REG_CPSR, &cpsr);
    uc_reg_read(m->uc, UC_ARM_REG_FPSCR, &fpscr);
    uc_reg_read(m->uc, UC_ARM_REG_PC, &pc);
    if ((cpsr & 0xf80f0000) != apsr) complain(m, encoding, "APSR", apsr, cpsr & 0xf80f0000);
    if ((fpscr & 0xf3c00000) != (m->fpscr & 0xf3c00000)) complain(m, encoding, "FPSCR", m->fpscr, fpscr);
    if (pc != m->next_pc) complain(m, encoding, "PC", m->next_pc, pc);
    if (memcmp(m->data, m->other, DATA_SIZE) != 0) complain(m, encoding, "memory", 0, 0);
}

/* What Unicorn does otherwise than the architecture, or what is outside of one instruction. */
static bool left_out(const struct arm_row *row, const struct arm_instruction *i) {
    unsigned op = row->operation;
    if (i->is_coprocessor || i->class == ARM_CLASS_HINT) return true;
    if (op >= ARM_OP_ldrex && op <= ARM_OP_strexd) return true; /* own tests */
    if (op == ARM_OP_mrs) return true;                          /* mode bits */
    return op == ARM_OP_vmsr;
}

static bool one(struct machine *m, const struct arm_row *row) {
    struct arm_instruction i;
    struct arm_execution x;
    uint32_t encoding = random_encoding(row);
    m->pc = CODE + m->done++ * 4 % CODE_SIZE;
    arm_decode(encoding, m->pc, &i);
    if (i.row != row) fail_msg("%08x is not decoded by its row %s", encoding, row->pattern);
    if (left_out(row, &i)) return false;
    randomize(m, &i);
    m->next_pc = m->pc + 4;
    memcpy(before, m->registers, sizeof before);
    fpscr_before = m->fpscr;
    write_state(m, encoding);
    arm_execute(&i, &m->threads, 1, &x);
    if (x.fault != ARM_FAULT_NONE) {
        if (memcmp(before, m->registers, 15 * 4) != 0 || memcmp(before + 16, m->registers + 16, 32 * 4) != 0)
            complain(m, encoding, "a fault changed registers", x.fault, x.fault_address);
        return false;
    }
    /* Unicorn stops only at what it has not translated yet. */
    if (i.writes_pc && m->next_pc - CODE <= m->pc - CODE) return false;
    uc_err e = uc_emu_start(m->uc, m->pc, m->next_pc, 0, 0); /* a count would flush its translations */
    bool jumped = i.writes_pc && e == UC_ERR_FETCH_UNMAPPED; /* done, and stopped at the target */
    if (e != UC_ERR_OK && !jumped) complain(m, encoding, uc_strerror(e), 0, 0);
    compare(m, encoding, &i);
    return true;
}

static void agrees_with_unicorn(void **state) {
    (void)state;
    static struct machine m;
    random_seed = seed_start();
    start(&m);
    unsigned compared = 0, faults = 0, *of_row = calloc(arm_row_count, sizeof *of_row);
    for (unsigned k = 0; k < instructions; k++) {
        unsigned r = k % arm_row_count;
        if (one(&m, &arm_rows[r]))
            compared++, of_row[r]++;
        else
            faults++;
    }
    print_message("%u instructions compared, %u left out or at fault\n", compared, faults);
    for (unsigned r = 0; r < arm_row_count; r++) {
        struct arm_instruction i;
        arm_decode(random_encoding(&arm_rows[r]), 0, &i);
        if (!of_row[r] && !left_out(&arm_rows[r], &i))
            fail_msg("row never compared: %s", arm_rows[r].pattern);
    }
    free(of_row);
    uc_close(m.uc);
}

int main(int argc, char **argv) {
    if (argc > 1) instructions = (unsigned)strtoul(argv[1], NULL, 0);
    const struct CMUnitTest tests[] = {cmocka_unit_test(agrees_with_unicorn)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
