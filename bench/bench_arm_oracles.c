/*
 * bench_arm_oracles: one program on the model, functionally, as a single thread and as a warp, and in the
 * same run on Unicorn (stepped and run through) and under qemu-arm. Each figure is the median of five runs;
 * every run must leave the same result.
 */
#include "model/arm/arm.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unicorn/unicorn.h>
#include <unistd.h>

#define RUNS      5
#define WARP      32
#define CODE      0x00010000u
#define CODE_SIZE 0x1000u
#define DATA      0x60000000u
#define DATA_SIZE 0x1000u
#define COUNT     9 /* the register that counts the turns, and the result's */
#define RESULT    7
#define TURN      12u /* instructions of a turn */

/* A mix of integer, float, flags and memory in a loop. The first two words are completed with the number of
 * turns; SVC ends it, with the lowest byte of the result as a Linux program's exit status. */
static const uint32_t program[] = {
    0xe3009000, /* movw r9, #turns */
    0xe3409000, /* movt r9, #turns >> 16 */
    0xe3002000, /* movw r2, #0 */
    0xe3462000, /* movt r2, #0x6000: r2 = DATA */
    0xe3a03003, /* mov r3, #3 */
    0xe3a00000, /* mov r0, #0 */
    0xeeb78a00, /* vmov.f32 s16, #1.0 */
    0xeef78a00, /* vmov.f32 s17, #1.0 */
    0xeeb71a00, /* vmov.f32 s2, #1.0 */
    0xe5924000, /* loop: ldr r4, [r2] */
    0xe0845003, /* add r5, r4, r3 */
    0xed920a01, /* vldr s0, [r2, #4] */
    0xee680a28, /* vmul.f32 s1, s16, s17 */
    0xe2506001, /* subs r6, r0, #1 */
    0xee081a28, /* vmla.f32 s2, s16, s17 */
    0xe1a07104, /* lsl r7, r4, #2 */
    0xe0877005, /* add r7, r7, r5 */
    0xe3570010, /* cmp r7, #16 */
    0xe5827000, /* str r7, [r2] */
    0xe2599001, /* subs r9, r9, #1 */
    0x1afffff3, /* bne loop */
    0xe20700ff, /* and r0, r7, #255 */
    0xe3a07001, /* mov r7, #1: exit */
    0xef000000, /* svc 0 */
};
#define WORDS  (sizeof program / sizeof *program)
#define END    (CODE + 4 * (WORDS - 3)) /* the result is in r7 */
#define BEFORE 9u                       /* instructions before the loop */

static void fail(const char *what) {
    fprintf(stderr, "bench_arm_oracles: %s\n", what);
    exit(1);
}

static void make_program(uint32_t *code, uint32_t turns) {
    memcpy(code, program, sizeof program);
    code[0] |= (turns >> 12 & 15) << 16 | (turns & 0xfff);
    code[1] |= turns >> 28 << 16 | (turns >> 16 & 0xfff);
}

/* r7 = 4·[r2] + [r2] + 3, turn after turn, from 0. */
static uint32_t expected(uint32_t turns) {
    uint32_t r = 0;
    while (turns--) r = 5 * r + 3;
    return r;
}

/* --- the model --- */

static struct memory memory;
static uint8_t data[DATA_SIZE];
static uint32_t rows[(ARM_REGISTERS + 10) * WARP];

static struct arm_threads threads(uint32_t positions) {
    uint32_t *row = rows + ARM_REGISTERS * positions;
    struct arm_threads t = {.positions = positions, .registers = rows, .memory = &memory};
    uint32_t **const special[] = {&t.pc, &t.next_pc, &t.n, &t.z, &t.c, &t.v, &t.q, &t.ge, &t.fpscr};
    memset(rows, 0, sizeof rows);
    memset(data, 0, sizeof data);
    for (unsigned s = 0; s < sizeof special / sizeof *special; s++) *special[s] = row + s * positions;
    return t;
}

/* All threads of the mask take the same way: the lowest one's PC is that of all. A warp's threads have their
 * data side by side. */
static void run_model(uint32_t positions, uint64_t mask, uint32_t turns) {
    static struct arm_execution x;
    static struct arm_instruction decoded[WORDS];
    uint32_t code[WORDS];
    struct arm_threads t = threads(positions);
    make_program(code, turns);
    for (unsigned n = 0; n < WORDS; n++) arm_decode(code[n], CODE + 4 * n, &decoded[n]);
    for (uint32_t pc = CODE; pc != END; pc = t.next_pc[0]) {
        for (unsigned k = 0; k < positions; k++) t.next_pc[k] = pc + 4;
        arm_execute(&decoded[(pc - CODE) / 4], &t, mask, &x);
        if (x.fault != ARM_FAULT_NONE) fail("a fault");
        if (pc == CODE + 12 && positions > 1)
            for (unsigned k = 0; k < positions; k++) rows[2 * positions + k] += 4 * k;
    }
    for (unsigned k = 0; k < positions; k++)
        if (mask >> k & 1 && rows[RESULT * positions + k] != expected(turns))
            fail("the model's result is wrong");
}
static void run_thread(uint32_t turns) {
    run_model(1, 1, turns);
}
static void run_warp(uint32_t turns) {
    run_model(WARP, 0xffffffff, turns);
}
static void run_half(uint32_t turns) {
    run_model(WARP, 0x55555555, turns);
}

/* --- Unicorn --- */

static uc_engine *unicorn(uint32_t turns) {
    uc_engine *uc;
    uint32_t code[WORDS];
    const uint32_t enable = 1u << 30;
    uc_arm_cp_reg access = {15, 0, 0, 1, 0, 0, 2, 0x00f00000};
    make_program(code, turns);
    if (uc_open(UC_ARCH_ARM, UC_MODE_ARM, &uc) || uc_ctl_set_cpu_model(uc, UC_CPU_ARM_CORTEX_A15) ||
        uc_mem_map(uc, CODE, CODE_SIZE, UC_PROT_ALL) || uc_mem_map(uc, DATA, DATA_SIZE, UC_PROT_ALL) ||
        uc_mem_write(uc, CODE, code, sizeof code) || uc_reg_write(uc, UC_ARM_REG_CP_REG, &access) ||
        uc_reg_write(uc, UC_ARM_REG_FPEXC, &enable))
        fail("Unicorn does not start");
    return uc;
}

static void end_unicorn(uc_engine *uc, uint32_t turns) {
    uint32_t result;
    uc_reg_read(uc, UC_ARM_REG_R7, &result);
    if (result != expected(turns)) fail("Unicorn's result is wrong");
    uc_close(uc);
}

/* A hook on each instruction, as a comparison needs it. */
static void on_instruction(uc_engine *uc, uint64_t address, uint32_t size, void *user) {
    (void)uc, (void)address, (void)size;
    ++*(uint64_t *)user;
}

static void run_unicorn_stepped(uint32_t turns) {
    uc_engine *uc = unicorn(turns);
    uint64_t steps = 0;
    uc_hook hook;
    if (uc_hook_add(uc, &hook, UC_HOOK_CODE, (void *)on_instruction, &steps, 1, 0))
        fail("Unicorn takes no hook");
    if (uc_emu_start(uc, CODE, END, 0, 0)) fail("Unicorn stops");
    if (steps < (uint64_t)turns * TURN + BEFORE) fail("Unicorn's hook was not called for each instruction");
    end_unicorn(uc, turns);
}

static void run_unicorn_through(uint32_t turns) {
    uc_engine *uc = unicorn(turns);
    if (uc_emu_start(uc, CODE, END, 0, 0)) fail("Unicorn stops");
    end_unicorn(uc, turns);
}

/* --- qemu-arm: the program as an ELF file --- */

static char elf_path[] = "/tmp/bench_arm_oracles-XXXXXX";

static void write_elf(uint32_t turns) {
    static uint8_t file[CODE_SIZE];
    const Elf32_Ehdr head = {
        .e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS32, ELFDATA2LSB, EV_CURRENT},
        .e_type = ET_EXEC,
        .e_machine = EM_ARM,
        .e_version = EV_CURRENT,
        .e_entry = CODE + 512,
        .e_phoff = sizeof head,
        .e_flags = EF_ARM_EABI_VER5,
        .e_ehsize = sizeof head,
        .e_phentsize = sizeof(Elf32_Phdr),
        .e_phnum = 2};
    const Elf32_Phdr segment[2] = {
        {PT_LOAD, 0, CODE, CODE, CODE_SIZE, CODE_SIZE, PF_R | PF_X, 0x1000},
        {PT_LOAD, 0, DATA, DATA, 0, DATA_SIZE, PF_R | PF_W, 0x1000},
    };
    uint32_t code[WORDS];
    make_program(code, turns);
    memcpy(file, &head, sizeof head);
    memcpy(file + sizeof head, segment, sizeof segment);
    memcpy(file + 512, code, sizeof code);
    FILE *f = fopen(elf_path, "wb");
    if (!f || fwrite(file, sizeof file, 1, f) != 1 || fclose(f) != 0) fail("/tmp cannot be written");
}

static int spawn_qemu(void) {
    char *const arguments[] = {"qemu-arm", elf_path, NULL};
    extern char **environ;
    pid_t child;
    int status;
    const int error = posix_spawnp(&child, "qemu-arm", NULL, NULL, arguments, environ);
    if (error) return -error;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void run_qemu(uint32_t turns) {
    write_elf(turns);
    if (spawn_qemu() != (int)(expected(turns) & 255)) fail("qemu-arm's result is wrong");
}

static bool have_qemu(void) {
    const int fd = mkstemp(elf_path);
    if (fd < 0 || fchmod(fd, 0700) || close(fd)) fail("/tmp cannot be written");
    write_elf(1);
    return spawn_qemu() == (int)expected(1);
}

/* --- measuring --- */

/* Processor time of this process and of those that have ended. */
static double seconds(void) {
    struct timespec now;
    struct rusage ended;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    getrusage(RUSAGE_CHILDREN, &ended);
    const double children = (double)(ended.ru_utime.tv_sec + ended.ru_stime.tv_sec) +
                            (double)(ended.ru_utime.tv_usec + ended.ru_stime.tv_usec) * 1e-6;
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9 + children;
}

static int by_value(const void *a, const void *b) {
    const double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

/* Million thread-instructions per second. */
static void measure(const char *name, void (*run)(uint32_t turns), uint32_t turns, unsigned threads_) {
    double rate[RUNS];
    for (unsigned n = 0; n < RUNS; n++) {
        const double before = seconds();
        run(turns);
        rate[n] = ((double)turns * TURN + BEFORE) * threads_ / (seconds() - before) * 1e-6;
    }
    qsort(rate, RUNS, sizeof *rate, by_value);
    printf("%-40s %10.1f\n", name, rate[RUNS / 2]);
}

int main(void) {
    memory_init(&memory);
    memory_add(&memory, MEMORY_BUFFER, DATA, DATA_SIZE, data, true, "data");
    printf("one program: million thread-instructions per second of processor time\n");
    measure("the model, single thread", run_thread, 1000000, 1);
    measure("the model, warp of 32, full mask", run_warp, 200000, WARP);
    measure("the model, warp of 32, every 2nd thread", run_half, 200000, WARP / 2);
    measure("Unicorn, stepped (a hook on each)", run_unicorn_stepped, 500000, 1);
    measure("Unicorn, run through", run_unicorn_through, 5000000, 1);
    if (have_qemu())
        measure("qemu-arm", run_qemu, 10000000, 1);
    else
        printf("%-40s is not installed: no figure\n", "qemu-arm");
    unlink(elf_path);
    return 0;
}
