/*
 * Random sequences of every row of the decode table, on our single thread and on Unicorn, compared after each
 * instruction: core and VFP registers, NZCVQ and GE, FPSCR with its cumulative flags, PC, memory.
 * Usage: test_arm_against_unicorn [thousands of instructions]; docs/arm.md has the disagreements.
 */
#include "tests/arm/arm_random.h"
#include "tests/arm/arm_sequence.h"

#include <stdio.h>
#include <stdlib.h>
#include <unicorn/unicorn.h>

#define CODE_BYTES     (32u << 20) /* addresses are used once: nothing is translated twice */
#define STATES         6u          /* initial states of each sequence */
#define NEVER          0xfffff000u
#define COMPARED_APSR  0xf80f0000u
#define COMPARED_FPSCR 0xfff7009fu
#define Q_FLAG         0x08000000u
#define ROUNDING       0x00c00000u
#define SHORT          1000u /* thousands of instructions */
#define LONG           16000u

struct bench {
    uc_engine *uc;
    uint8_t *code, *page; /* Unicorn's */
    struct arm_side side, scratch;
    struct arm_sequence sequence;
    struct arm_coverage *coverage;
    uint64_t executed;
    struct arm_instruction *last; /* latest instruction on our side; NULL: none */
    uint32_t before[ARM_NEON_REGISTERS], fpscr_before, apsr_before;
    bool done, failed, left; /* left: Unicorn has stopped after the last instruction */
    char complaint[200];
};

static struct bench bench;

static const int core_register[15] = {UC_ARM_REG_R0,  UC_ARM_REG_R1,  UC_ARM_REG_R2,  UC_ARM_REG_R3,
                                      UC_ARM_REG_R4,  UC_ARM_REG_R5,  UC_ARM_REG_R6,  UC_ARM_REG_R7,
                                      UC_ARM_REG_R8,  UC_ARM_REG_R9,  UC_ARM_REG_R10, UC_ARM_REG_R11,
                                      UC_ARM_REG_R12, UC_ARM_REG_R13, UC_ARM_REG_R14};

static void need(uc_err e, const char *what) {
    if (e != UC_ERR_OK) fail_msg("unicorn: %s: %s", what, uc_strerror(e));
}

/* --- comparing --- */

static void complain(struct bench *b, const char *what, uint32_t ours, uint32_t theirs) {
    char text[80];
    if (b->failed) return;
    arm_disassemble(b->last->encoding, b->last->pc, text, sizeof text);
    snprintf(b->complaint, sizeof b->complaint, "%08x %s: %s: ours %08x, Unicorn's %08x", b->last->encoding,
             text, what, ours, theirs);
    b->failed = true;
}

static void compare_register(struct bench *b, unsigned r, uint32_t theirs) {
    char name[16];
    const uint32_t ours = b->side.registers[r];
    snprintf(name, sizeof name, r < 15 ? "r%u" : "s%u", r < 15 ? r : r - 16);
    if (ours != theirs) complain(b, name, ours, theirs);
    if (ours != b->before[r] && !(b->last->destinations & arm_row_bit(r)))
        complain(b, "not among the destinations", r, 0);
}

static void compare_memory(struct bench *b) {
    const struct arm_instruction *i = b->last;
    const uint32_t at = b->side.x.address[0], in_page = at - ARM_SEQUENCE_PAGE,
                   in_text = at - b->sequence.base;
    if (!i->is_store || !b->side.x.passed) return;
    const bool page = in_page < sizeof b->side.page;
    const uint8_t *ours = page ? &b->side.page[in_page] : (uint8_t *)b->side.text + in_text;
    const uint8_t *theirs = page ? &b->page[in_page] : &b->code[at - ARM_SEQUENCE_CODE];
    if (memcmp(ours, theirs, i->access_bytes) != 0) complain(b, "memory", *ours, *theirs);
}

/* Copies our result of MRS. The manual leaves all but the APSR unknown to a program in User mode; QEMU shows
 * more of the CPSR. */
static void forgive_mrs(struct bench *b) {
    if (b->last->row->operation != ARM_OP_mrs || !b->side.x.passed) return;
    const uint32_t ours = b->side.registers[b->last->rd];
    uint32_t theirs;
    uc_reg_read(b->uc, core_register[b->last->rd], &theirs);
    if ((ours ^ theirs) & COMPARED_APSR) complain(b, "MRS", ours, theirs);
    uc_reg_write(b->uc, core_register[b->last->rd], &ours);
}

/* SMLAD: the manual sets Q if the sum of both products and the accumulator overflows. Unicorn 2.0.1 also sets
 * it if the sum of the products alone overflows, which only four halves of -32768 do. */
static void forgive_smlad(struct bench *b) {
    const struct arm_instruction *i = b->last;
    uint32_t cpsr;
    if (i->row->operation != ARM_OP_smlad || !b->side.x.passed) return;
    if (b->before[i->rm] != 0x80008000 || b->before[i->rs] != 0x80008000) return;
    uc_reg_read(b->uc, UC_ARM_REG_CPSR, &cpsr);
    cpsr = (cpsr & ~Q_FLAG) | (arm_get_apsr(&b->side.threads, 0) & Q_FLAG);
    uc_reg_write(b->uc, UC_ARM_REG_APSR, &cpsr);
}

/* Returns whether a conversion from fixed point is rounded by FPSCR. The manual requires rounding to nearest,
 * but Unicorn 2.0.1 uses FPSCR's mode. So the mode is set to nearest for this instruction. */
static bool rounds_wrongly(const struct bench *b) {
    return b->last->row->operation == ARM_OP_vcvt_from_fixed_f32 && b->fpscr_before & ROUNDING;
}
static void ask_for_nearest(struct bench *b, bool before) {
    uint32_t fpscr;
    if (!rounds_wrongly(b)) return;
    uc_reg_read(b->uc, UC_ARM_REG_FPSCR, &fpscr);
    fpscr = (fpscr & ~ROUNDING) | (before ? 0 : b->fpscr_before & ROUNDING);
    uc_reg_write(b->uc, UC_ARM_REG_FPSCR, &fpscr);
}

/* Unicorn's state, after the instruction executed last and before the one at pc, with ours. */
static void compare(struct bench *b, uint32_t pc) {
    uint32_t core[15], cpsr, fpscr, s[2];
    const uint32_t apsr = arm_get_apsr(&b->side.threads, 0);
    if (pc != b->side.pc) complain(b, "PC", b->side.pc, pc);
    if (arm_coverage_is_exit(b->last) && !b->left && b->side.x.passed && !b->last->is_wait &&
        b->last->class != ARM_CLASS_HINT)
        complain(b, "Unicorn did not stop", 0, 0);
    forgive_mrs(b);
    forgive_smlad(b);
    ask_for_nearest(b, false);
    for (unsigned r = 0; r < 15; r++) {
        uc_reg_read(b->uc, core_register[r], &core[r]);
        compare_register(b, r, core[r]);
    }
    for (unsigned d = 0; d < 32; d++) {
        uc_reg_read(b->uc, UC_ARM_REG_D0 + (int)d, s);
        compare_register(b, 16 + 2 * d, s[0]);
        compare_register(b, 17 + 2 * d, s[1]);
    }
    uc_reg_read(b->uc, UC_ARM_REG_CPSR, &cpsr);
    uc_reg_read(b->uc, UC_ARM_REG_FPSCR, &fpscr);
    if ((cpsr & COMPARED_APSR) != apsr) complain(b, "APSR", apsr, cpsr & COMPARED_APSR);
    if ((fpscr ^ b->side.fpscr) & COMPARED_FPSCR) complain(b, "FPSCR", b->side.fpscr, fpscr);
    compare_memory(b);
}

/* --- running --- */

static void write_state(struct bench *b, bool changed_only) {
    const uint32_t cpsr =
        0x10 | arm_get_apsr(&b->side.threads, 0); /* user mode; first, for modes bank registers */
    uc_reg_write(b->uc, changed_only ? UC_ARM_REG_APSR : UC_ARM_REG_CPSR, &cpsr);
    for (unsigned r = 0; r < 15; r++)
        if (!changed_only || b->side.registers[r] != b->before[r])
            uc_reg_write(b->uc, core_register[r], &b->side.registers[r]);
    for (unsigned r = 16; r < ARM_NEON_REGISTERS; r += 2)
        if (!changed_only || memcmp(&b->side.registers[r], &b->before[r], 8) != 0)
            uc_reg_write(b->uc, UC_ARM_REG_D0 + (int)(r - 16) / 2, &b->side.registers[r]);
    uc_reg_write(b->uc, UC_ARM_REG_FPSCR, &b->side.fpscr);
}

/* Runs before each of Unicorn's instructions: compares the results of its latest instruction with ours, then
 * executes ours. */
static void on_instruction(uc_engine *uc, uint64_t address, uint32_t size, void *user) {
    struct bench *b = user;
    (void)size;
    if (b->last) compare(b, (uint32_t)address);
    b->done = address == b->sequence.end;
    if (b->done || b->failed) {
        b->done = true;
        uc_emu_stop(uc);
        return;
    }
    if (b->sequence.refreshed) {
        memcpy(b->before, b->side.registers, sizeof b->before);
        arm_sequence_refresh(&b->sequence, &b->side, b->coverage);
        write_state(b, true);
    }
    memcpy(b->before, b->side.registers, sizeof b->before);
    b->fpscr_before = b->side.fpscr;
    b->apsr_before = arm_get_apsr(&b->side.threads, 0);
    b->left = false;
    b->last = arm_sequence_step(&b->sequence, &b->side, b->coverage);
    if (!b->side.sources_suffice) complain(b, "reads more than its sources", 0, 0);
    ask_for_nearest(b, true);
    b->executed++;
    if (b->side.x.fault != ARM_FAULT_NONE && b->side.x.fault != ARM_FAULT_SUPERVISOR_CALL)
        complain(b, "our fault", b->side.x.fault, b->side.x.fault_address);
}

static void start(struct bench *b) {
    uc_hook hook;
    need(uc_open(UC_ARCH_ARM, UC_MODE_ARM, &b->uc), "open");
    need(uc_ctl_set_cpu_model(b->uc, UC_CPU_ARM_CORTEX_A15), "cpu model");
    need(uc_mem_map_ptr(b->uc, ARM_SEQUENCE_CODE, CODE_BYTES, UC_PROT_ALL, b->code), "map code");
    need(uc_mem_map_ptr(b->uc, ARM_SEQUENCE_PAGE, sizeof b->side.page, UC_PROT_READ | UC_PROT_WRITE, b->page),
         "map page");
    uc_arm_cp_reg access = {15, 0, 0, 1, 0, 0, 2, 0x00f00000};
    need(uc_reg_write(b->uc, UC_ARM_REG_CP_REG, &access), "CPACR");
    const uint32_t enable = 1u << 30;
    need(uc_reg_write(b->uc, UC_ARM_REG_FPEXC, &enable), "FPEXC");
    need(uc_hook_add(b->uc, &hook, UC_HOOK_CODE, (void *)on_instruction, b, 1, 0), "hook");
}

static void report(struct bench *b) {
    char text[80];
    for (unsigned n = 0; n < b->sequence.length; n++) {
        const struct arm_instruction *i = &b->sequence.decoded[n];
        arm_disassemble(i->encoding, i->pc, text, sizeof text);
        print_message("%c %08x: %08x %s\n", i == b->last ? '>' : ' ', i->pc, i->encoding, text);
    }
    for (unsigned r = 0; r < ARM_NEON_REGISTERS; r++)
        if ((b->last->sources | b->last->destinations) & arm_row_bit(r))
            print_message("%c%u: %08x -> %08x\n", r < 16 ? 'r' : 's', r < 16 ? r : r - 16, b->before[r],
                          b->side.registers[r]);
    print_message("before: APSR %08x, FPSCR %08x\n", b->apsr_before, b->fpscr_before);
    fail_msg("%s", b->complaint);
}

static void run_state(struct bench *b) {
    arm_sequence_begin(&b->sequence, &b->side);
    memcpy(b->page, b->side.page, sizeof b->side.page);
    memcpy(b->code + (b->sequence.base - ARM_SEQUENCE_CODE), b->side.text, sizeof b->side.text);
    write_state(b, false);
    b->last = NULL;
    b->done = b->failed = false;
    while (!b->done) {
        const uc_err e = uc_emu_start(b->uc, b->side.pc, NEVER, 0, 0);
        if (b->done || b->failed) break;
        if (!b->last || !arm_coverage_is_exit(b->last) || !b->side.x.passed)
            complain(b, uc_strerror(e), 0, 0);
        b->left = true;
        if (b->failed) break;
    }
    if (!b->failed && memcmp(b->page, b->side.page, sizeof b->side.page) != 0) complain(b, "page", 0, 0);
    if (b->failed) report(b);
}

/* Read by the leak sanitizer: Unicorn itself frees less than it takes when code is stored to. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:libunicorn";
}

static unsigned thousands;

static void agrees_with_unicorn(void **state) {
    struct bench *b = &bench;
    const uint64_t wanted = UINT64_C(1000) * thousands;
    (void)state;
    random_seed = seed_start();
    arm_side_start(&b->side), arm_side_start(&b->scratch);
    b->coverage = calloc(arm_row_count, sizeof *b->coverage);
    b->code = aligned_alloc(4096, CODE_BYTES);
    b->page = aligned_alloc(4096, sizeof b->side.page);
    uint32_t base = ARM_SEQUENCE_CODE + CODE_BYTES;
    for (unsigned n = 0; b->executed < wanted; n++, base += ARM_SEQUENCE_BYTES) {
        if (base == ARM_SEQUENCE_CODE + CODE_BYTES) {
            if (b->uc) uc_close(b->uc);
            start(b);
            base = ARM_SEQUENCE_CODE;
        }
        arm_sequence_generate(&b->sequence, &b->scratch, base, n % 2, true);
        for (unsigned k = 0; k < STATES; k++) run_state(b);
    }
    arm_coverage_report(b->coverage, true, ARM_COVERAGE_PAIRS);
    uc_close(b->uc);
    free(b->coverage), free(b->code), free(b->page);
    arm_side_end(&b->side), arm_side_end(&b->scratch);
}

int main(int argc, char **argv) {
    thousands = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : getenv("LOCKSTEP_LONG") ? LONG : SHORT;
    const struct CMUnitTest tests[] = {cmocka_unit_test(agrees_with_unicorn)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
