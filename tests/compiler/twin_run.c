#include "tests/compiler/twin_run.h"

#include "model/memory/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unicorn/unicorn.h>

enum {
    PAGE = 4096,
    LOCAL_BYTES = 32768,
    RETURN = 0x08000000,
    STACK_TOP = 0x58000000,
    MAX_INSTRUCTIONS = 50000000
};

#define SUPERVISOR_CALL 2 /* exception number */

struct run {
    struct twin_run *request;
    uc_engine *uc;
    uint8_t *code;
    uint32_t code_bytes; /* whole pages */
    uint32_t group[3];
    char message[256];
};

static void say(struct run *x, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(struct run *x, const char *format, ...) {
    va_list list;
    if (x->message[0]) return;
    va_start(list, format);
    vsnprintf(x->message, sizeof x->message, format, list);
    va_end(list);
}

static bool good(struct run *x, uc_err e, const char *what) {
    if (e != UC_ERR_OK) say(x, "%s: %s", what, uc_strerror(e));
    return e == UC_ERR_OK;
}

static uint32_t round_up(uint32_t bytes) {
    return (bytes + PAGE - 1) / PAGE * PAGE;
}

/* MRC p7, 0, Rt, cN, cM, op2 with its fields into SVC: N, M, Rt, op2, four bits each. */
static void replace_reads(struct run *x) {
    uint32_t *word = (uint32_t *)(void *)x->code;
    for (uint32_t i = 0; i < x->code_bytes / 4; i++) {
        if ((word[i] & 0x0ff00f10) != 0x0e100710) continue;
        uint32_t n = word[i] >> 16 & 15, m = word[i] & 15, t = word[i] >> 12 & 15, op2 = word[i] >> 5 & 7;
        word[i] = (word[i] & 0xf0000000) | 0x0f000000 | n << 12 | m << 8 | t << 4 | op2;
    }
}

/* Reads a value of coprocessor.md §A, in MIMD mode: c2 only. */
static uint32_t read_value(struct run *x, uint32_t n, uint32_t m, uint32_t op2) {
    const struct twin_run *r = x->request;
    if (n == 2 && m == 3 && op2 == 0) return r->work_dim;
    if (n != 2 || m > 2 || op2 > 4) {
        say(x, "reads p7 c%u, c%u, %u, which MIMD mode does not have", n, m, op2);
        uc_emu_stop(x->uc);
        return 0;
    }
    const uint32_t values[] = {x->group[m], r->global_size[m] / r->local_size[m], r->local_size[m],
                               r->global_size[m], r->global_offset[m]};
    return values[op2];
}

static void on_exception(uc_engine *uc, uint32_t exception, void *context) {
    struct run *x = context;
    uint32_t pc, word;
    uc_reg_read(uc, UC_ARM_REG_PC, &pc);
    if (exception != SUPERVISOR_CALL) {
        say(x, "exception %u at %08x", exception, pc);
        uc_emu_stop(uc);
        return;
    }
    memcpy(&word, x->code + (pc - 4 - x->request->image->code_base), sizeof word);
    uint32_t value = read_value(x, word >> 12 & 15, word >> 8 & 15, word & 15);
    int target = (int)(word >> 4 & 15);
    uc_reg_write(uc, target == 14 ? UC_ARM_REG_LR : UC_ARM_REG_R0 + target, &value);
}

static void on_instruction(uc_engine *uc, uint64_t address, uint32_t size, void *context) {
    struct run *x = context;
    (void)address;
    x->request->instructions += size / 4; /* instructions of a block */
    if (x->request->instructions < MAX_INSTRUCTIONS) return;
    say(x, "does not end");
    uc_emu_stop(uc);
}

static bool start(struct run *x, uint32_t stack) {
    const struct twin_run *r = x->request;
    uc_hook exception, block;
    uc_arm_cp_reg access = {15, 0, 0, 1, 0, 0, 2, 0x00f00000};
    uint32_t enable = 1u << 30;
    x->code_bytes = round_up(r->image->code_bytes);
    x->code = aligned_alloc(PAGE, x->code_bytes);
    memset(x->code, 0, x->code_bytes);
    memcpy(x->code, r->image->code, r->image->code_bytes);
    replace_reads(x);
    bool ok =
        good(x, uc_open(UC_ARCH_ARM, UC_MODE_ARM, &x->uc), "open") &&
        good(x, uc_ctl_set_cpu_model(x->uc, UC_CPU_ARM_CORTEX_A15), "cpu model") &&
        good(x,
             uc_mem_map_ptr(x->uc, r->image->code_base, x->code_bytes, UC_PROT_READ | UC_PROT_EXEC, x->code),
             "code") &&
        good(x, uc_mem_map(x->uc, RETURN, PAGE, UC_PROT_ALL), "return") &&
        good(x, uc_mem_map(x->uc, MEMORY_LOCAL_BASE, LOCAL_BYTES, UC_PROT_READ | UC_PROT_WRITE), "local") &&
        good(x, uc_mem_map(x->uc, STACK_TOP - round_up(stack), round_up(stack), UC_PROT_READ | UC_PROT_WRITE),
             "stack");
    for (size_t i = 0; ok && i < 2; i++)
        ok = good(x,
                  uc_mem_map_ptr(x->uc, r->memory[i].base, r->memory[i].bytes, UC_PROT_READ | UC_PROT_WRITE,
                                 r->memory[i].contents),
                  "memory");
    return ok && good(x, uc_reg_write(x->uc, UC_ARM_REG_CP_REG, &access), "CPACR") &&
           good(x, uc_reg_write(x->uc, UC_ARM_REG_FPEXC, &enable), "FPEXC") &&
           good(x, uc_hook_add(x->uc, &exception, UC_HOOK_INTR, (void *)on_exception, x, 1, 0), "hook") &&
           good(x, uc_hook_add(x->uc, &block, UC_HOOK_BLOCK, (void *)on_instruction, x, 1, 0), "hook");
}

static bool run_group(struct run *x, const struct image_kernel *k, uint32_t stack) {
    /* The stack ends at the end of its page, so that accesses below it are detected. */
    uint32_t sp = STACK_TOP - round_up(stack) + stack, link = RETURN, argument = x->request->argument_block,
             left, pc;
    uint32_t saved[8];
    for (uint32_t i = 0; i < 8; i++) {
        saved[i] = 0x1234567u * (i + 1);
        uc_reg_write(x->uc, UC_ARM_REG_R4 + (int)i, &saved[i]);
    }
    uc_reg_write(x->uc, UC_ARM_REG_SP, &sp);
    uc_reg_write(x->uc, UC_ARM_REG_LR, &link);
    uc_reg_write(x->uc, UC_ARM_REG_R0, &argument);
    uc_err e = uc_emu_start(x->uc, k->twin, RETURN, 0, 0);
    uc_reg_read(x->uc, UC_ARM_REG_PC, &pc);
    if (e != UC_ERR_OK) say(x, "%s at %08x", uc_strerror(e), pc);
    if (pc != RETURN) say(x, "ends at %08x", pc);
    uc_reg_read(x->uc, UC_ARM_REG_SP, &left);
    if (left != sp) say(x, "leaves SP at %08x instead of %08x", left, sp);
    for (uint32_t i = 0; i < 8; i++) {
        uc_reg_read(x->uc, UC_ARM_REG_R4 + (int)i, &left);
        if (left != saved[i]) say(x, "does not restore r%u", i + 4);
    }
    return !x->message[0];
}

const char *twin_run(struct twin_run *r, const struct image_kernel *k) {
    static struct run x;
    const uint32_t items = r->local_size[0] * r->local_size[1] * r->local_size[2];
    const uint32_t stack = (k->twin_stack_bytes + k->twin_item_bytes * items + 7) & ~7u;
    x = (struct run){.request = r};
    r->instructions = 0;
    bool ok = start(&x, stack);
    for (uint32_t z = 0; ok && z < r->global_size[2] / r->local_size[2]; z++)
        for (uint32_t y = 0; ok && y < r->global_size[1] / r->local_size[1]; y++)
            for (uint32_t i = 0; ok && i < r->global_size[0] / r->local_size[0]; i++) {
                x.group[0] = i, x.group[1] = y, x.group[2] = z;
                ok = run_group(&x, k, stack);
            }
    if (x.uc) uc_close(x.uc);
    free(x.code);
    return x.message[0] ? x.message : NULL;
}
