#include "tests/arm/arm_program.h"

#include "model/arm/arm.h"
#include "model/control/exclusive_monitor.h"

#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define STACK_BASE  0x7f000000u
#define STACK_BYTES (1u << 20)
#define CALL_EXIT   1
#define CALL_WRITE  4
#define GRANULE     64

struct thread {
    struct memory memory;
    struct exclusive_monitor monitor;
    uint32_t registers[ARM_NEON_REGISTERS], pc, next_pc, n, z, c, v, q, ge, fpscr;
    struct arm_threads threads;
    struct arm_execution x;
    uint8_t *segment[8];
    unsigned segments;
    struct arm_instruction *decoded; /* decoded instructions of the executable segment */
    uint32_t text_base, text_words;
};

static uint8_t *read_file(const char *path) {
    FILE *f = fopen(path, "rb");
    if (!f) fail_msg("%s: cannot be opened", path);
    fseek(f, 0, SEEK_END);
    const size_t size = (size_t)ftell(f);
    uint8_t *bytes = malloc(size);
    rewind(f);
    assert_int_equal(fread(bytes, 1, size, f), size);
    fclose(f);
    return bytes;
}

static void load_segment(struct thread *t, const uint8_t *file, const Elf32_Phdr *p) {
    const uint32_t base = p->p_vaddr & ~63u, size = p->p_vaddr + p->p_memsz - base;
    uint8_t *host = aligned_alloc(64, (size + 63u) & ~63u);
    memset(host, 0, size);
    memcpy(host + (p->p_vaddr - base), file + p->p_offset, p->p_filesz);
    t->segment[t->segments++] = host;
    memory_add(&t->memory, p->p_flags & PF_W ? MEMORY_BUFFER : MEMORY_CODE, base, size, host,
               p->p_flags & PF_W, "segment");
    if (!(p->p_flags & PF_X)) return;
    t->text_base = base;
    t->text_words = size / 4;
    t->decoded = aligned_alloc(64, t->text_words * sizeof *t->decoded);
    for (uint32_t n = 0; n < t->text_words; n++) {
        uint32_t word;
        memcpy(&word, host + 4 * n, sizeof word);
        arm_decode(word, base + 4 * n, &t->decoded[n]);
    }
}

/* Sets up the stack as Linux does: the number of arguments, their addresses, the texts above. */
static void set_up_stack(struct thread *t, uint32_t count, uint32_t seed) {
    uint8_t *host = aligned_alloc(64, STACK_BYTES);
    char text[2][16] = {{0}};
    const uint32_t top = STACK_BASE + STACK_BYTES - 64, words[5] = {3, top + 32, top + 32, top + 48, 0};
    snprintf(text[0], sizeof text[0], "%u", count);
    snprintf(text[1], sizeof text[1], "%u", seed);
    memset(host, 0, STACK_BYTES);
    memcpy(host + STACK_BYTES - 64, words, sizeof words);
    memcpy(host + STACK_BYTES - 32, text, sizeof text);
    t->segment[t->segments++] = host;
    memory_add(&t->memory, MEMORY_BUFFER, STACK_BASE, STACK_BYTES, host, true, "stack");
    t->registers[13] = top;
}

static void start(struct thread *t, const char *path, uint32_t count, uint32_t seed) {
    uint8_t *file = read_file(path);
    const Elf32_Ehdr *head = (const Elf32_Ehdr *)file;
    memset(t, 0, sizeof *t);
    memory_init(&t->memory);
    exclusive_monitor_init(&t->monitor, 1, GRANULE, 1);
    assert_memory_equal(head->e_ident, ELFMAG, SELFMAG);
    for (unsigned n = 0; n < head->e_phnum; n++) {
        const Elf32_Phdr *p = (const Elf32_Phdr *)(file + head->e_phoff) + n;
        if (p->p_type == PT_LOAD && p->p_memsz) load_segment(t, file, p);
    }
    t->threads = (struct arm_threads){.positions = 1,
                                      .registers = t->registers,
                                      .pc = &t->pc,
                                      .next_pc = &t->next_pc,
                                      .n = &t->n,
                                      .z = &t->z,
                                      .c = &t->c,
                                      .v = &t->v,
                                      .q = &t->q,
                                      .ge = &t->ge,
                                      .fpscr = &t->fpscr,
                                      .memory = &t->memory,
                                      .monitor = &t->monitor};
    arm_set_apsr(&t->threads, 0, 0);
    set_up_stack(t, count, seed);
    t->pc = head->e_entry;
    free(file);
}

static void stop(struct thread *t) {
    for (unsigned n = 0; n < t->segments; n++) free(t->segment[n]);
    free(t->decoded);
    exclusive_monitor_free(&t->monitor);
}

/* Executes a system call. Returns false for exit. */
static bool call(struct thread *t, arm_program_output *output, void *user) {
    if (t->registers[7] == CALL_EXIT) return false;
    assert_int_equal(t->registers[7], CALL_WRITE);
    assert_int_equal(t->registers[0], 1);
    const int index = memory_find(&t->memory, t->registers[1], t->registers[2]);
    assert_true(index >= 0);
    const struct memory_region *r = &t->memory.region[index];
    output(r->host + (t->registers[1] - r->base), t->registers[2], user);
    t->registers[0] = t->registers[2];
    return true;
}

struct arm_program_end arm_program_run(const char *path, uint32_t count, uint32_t seed,
                                       arm_program_output *output, void *user) {
    static struct thread thread;
    struct thread *t = &thread;
    struct arm_program_end end = {.status = -1};
    start(t, path, count, seed);
    for (;; t->pc = t->next_pc) {
        const uint32_t n = (t->pc - t->text_base) / 4;
        if (n >= t->text_words) {
            snprintf(end.fault, sizeof end.fault, "PC %#x outside the text", t->pc);
            break;
        }
        t->next_pc = t->pc + 4;
        arm_execute(&t->decoded[n], &t->threads, 1, &t->x);
        end.executed++;
        if (__builtin_expect(t->x.fault == ARM_FAULT_NONE, 1)) continue;
        if (t->x.fault == ARM_FAULT_SUPERVISOR_CALL) {
            if (call(t, output, user)) continue;
            end.status = (int)t->registers[0];
            break;
        }
        char text[80];
        arm_disassemble(t->decoded[n].encoding, t->pc, text, sizeof text);
        snprintf(end.fault, sizeof end.fault, "fault %d at %#x: %s, address %#x", t->x.fault, t->pc, text,
                 t->x.fault_address);
        break;
    }
    stop(t);
    return end;
}
