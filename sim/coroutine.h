/*
 * coroutine: a function on a stack of its own, to and from which the host thread switches.
 *
 * On x86-64 a switch saves the stack pointer, the frame pointer and the address to resume at, and declares
 * all other registers as lost. So the compiler saves only the registers that it needs. The floating-point
 * control words belong to the process and are not switched. Elsewhere, and with -DCOROUTINE_PORTABLE, a
 * switch is swapcontext(). Each switch is announced to the address sanitizer.
 */
#ifndef SIM_COROUTINE_H
#define SIM_COROUTINE_H

#include <stdbool.h>
#include <stddef.h>

#if defined(__x86_64__) && !defined(COROUTINE_PORTABLE)
#define COROUTINE_NATIVE 1
#else
#define COROUTINE_NATIVE 0
#endif

#if defined(__SANITIZE_ADDRESS__)
#define COROUTINE_SANITIZED 1
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#else
#define COROUTINE_SANITIZED 0
#endif

/* Saved state of a coroutine that does not run. */
struct coroutine {
    void *stack_pointer, *frame_pointer, *resume;
};

struct coroutine_stack {
    char *low; /* lowest address of the stack */
    size_t size;
    void *hidden; /* state of the sanitizer, or the portable context */
};

/* Makes a coroutine that begins with entry(c) at the first switch to it. entry must never return, and must
 * first call coroutine_arrive(). The stack's highest `skip` bytes, a multiple of 64, stay unused. */
void coroutine_create(struct coroutine *c, struct coroutine_stack *s, size_t skip,
                      void (*entry)(struct coroutine *c));
/* Must be called before the stack is freed. */
void coroutine_destroy(struct coroutine *c, struct coroutine_stack *s);

void coroutine_switch_portable(struct coroutine *from, struct coroutine *to);

/* Resumes `to`; returns after a switch to `from`. */
static inline __attribute__((always_inline)) void coroutine_switch(struct coroutine *from,
                                                                   struct coroutine *to) {
#if COROUTINE_NATIVE
    __asm__ volatile("leaq 1f(%%rip), %%rax\n\t"
                     "movq %%rsp, (%%rsi)\n\t"
                     "movq %%rbp, 8(%%rsi)\n\t"
                     "movq %%rax, 16(%%rsi)\n\t"
                     "movq (%%rdi), %%rsp\n\t"
                     "movq 8(%%rdi), %%rbp\n\t"
                     "jmpq *16(%%rdi)\n\t"
                     "1:\n\t"
                     : "+D"(to), "+S"(from)
                     :
                     : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
                       "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
                       "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15",
#ifdef __AVX512F__
                       "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24",
                       "xmm25", "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k0", "k1", "k2", "k3",
                       "k4", "k5", "k6", "k7",
#endif
                       "mm0", "mm1", "mm2", "mm3", "mm4", "mm5", "mm6", "mm7", "st", "st(1)", "st(2)",
                       "st(3)", "st(4)", "st(5)", "st(6)", "st(7)", "cc", "memory");
#else
    coroutine_switch_portable(from, to);
#endif
}

/* Announces a switch to the address sanitizer, before it. */
static inline void coroutine_announce(struct coroutine_stack *from, const struct coroutine_stack *to,
                                      bool ends) {
#if COROUTINE_SANITIZED
    __sanitizer_start_switch_fiber(ends ? NULL : &from->hidden, to->low, to->size);
#else
    (void)from;
    (void)to;
    (void)ends;
#endif
}

/* Announces a switch after it. `s`: the stack now in use; *from, unless NULL, gets the bounds of the stack
 * that was left. */
static inline void coroutine_arrive(const struct coroutine_stack *s, struct coroutine_stack *from) {
#if COROUTINE_SANITIZED
    const void *low;
    size_t size;
    __sanitizer_finish_switch_fiber(s->hidden, &low, &size);
    if (from) *from = (struct coroutine_stack){(char *)low, size, from->hidden};
#else
    (void)s;
    (void)from;
#endif
}

#endif
