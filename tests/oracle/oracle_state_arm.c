/* oracle_state: see oracle_state.h. Built for ARM; runs under qemu-arm or on an ARM machine. */
#include "tests/oracle/oracle_state.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define LDR_PC_NEXT 0xe51ff004u /* ldr pc, [pc, #-4]: the next word */

/* Third argument of a signal handler on ARM Linux, up to the last field used. */
struct frame {
    uint32_t flags, link, stack[3];
    uint32_t trap, error, old_mask;
    uint32_t r[16], cpsr;
};

/* oracle_state_gate.S */
void gate_enter(struct oracle_state *s);
extern uint8_t gate_leave[];

_Static_assert(offsetof(struct oracle_state, registers) == 4 && offsetof(struct oracle_state, apsr) == 324 &&
                   offsetof(struct oracle_state, fpscr) == 328,
               "the gate's offsets");

static struct oracle_state state;
static uint8_t handler_stack[65536] __attribute__((aligned(8)));

static void on_signal(int number, siginfo_t *info, void *argument) {
    struct frame *f = argument;
    (void)info;
    state.signal = (uint32_t)number;
    state.signal_pc = f->r[15];
    f->r[15] = (uint32_t)(uintptr_t)gate_leave;
    f->cpsr &= ~0x20u;
}

static void catch_signals(void) {
    static const int signals[] = {SIGILL, SIGSEGV, SIGBUS, SIGFPE, SIGTRAP};
    const stack_t stack = {.ss_sp = handler_stack, .ss_size = sizeof handler_stack};
    struct sigaction a = {.sa_flags = SA_SIGINFO | SA_ONSTACK};
    a.sa_sigaction = on_signal;
    sigaltstack(&stack, NULL);
    for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++) sigaction(signals[i], &a, NULL);
}

static uint8_t *map(uint32_t base, uint32_t size_bytes) {
    void *at = (void *)(uintptr_t)base;
    if (mmap(at, size_bytes, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
             0) != at) {
        fprintf(stderr, "oracle_state: no memory at %#x\n", base);
        exit(1);
    }
    return at;
}

int main(int argc, char **argv) {
    FILE *in = argc == 3 ? fopen(argv[1], "rb") : NULL, *out = argc == 3 ? fopen(argv[2], "wb") : NULL;
    if (!in || !out) {
        fprintf(stderr, "usage: oracle_state INPUT OUTPUT\n");
        return 1;
    }
    uint8_t *const page = map(ORACLE_STATE_PAGE, sizeof state.page);
    map(ORACLE_STATE_CODE, ORACLE_STATE_REGION);
    catch_signals();
    while (fread(&state, sizeof state, 1, in) == 1) {
        uint32_t *const text = (uint32_t *)(uintptr_t)state.base;
        state.text[ORACLE_STATE_LEAVE / 4] = LDR_PC_NEXT;
        state.text[ORACLE_STATE_LEAVE / 4 + 1] = (uint32_t)(uintptr_t)gate_leave;
        memcpy(text, state.text, sizeof state.text);
        memcpy(page, state.page, sizeof state.page);
        __builtin___clear_cache((char *)text, (char *)text + sizeof state.text);
        gate_enter(&state);
        memcpy(state.text, text, sizeof state.text);
        memcpy(state.page, page, sizeof state.page);
        if (fwrite(&state, sizeof state, 1, out) != 1) return 1;
    }
    return fclose(out) != 0;
}
