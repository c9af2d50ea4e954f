/*
 * coroutine: a function on a stack of its own, to and from which the host thread switches.
 *
 * On x86-64 a switch saves the stack and the frame pointer and where to go on, and tells the compiler that
 * all other registers are lost: so it saves what it needs, and only that. The floating-point control words
 * are not switched: they are the process's. Elsewhere, and with -DCOROUTINE_PORTABLE, it is swapcontext().
 * The address sanitizer is told of each switch.
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

/* Where a coroutine goes on. */
struct coroutine {
    void *stack_pointer, *frame_pointer, *resume;
};

struct coroutine_stack {
    char *low; /* the lowest address */
    size_t size;
    void *hidden; /* of the sanitizer, or the portable context */
};

/* Makes a coroutine that begins with entry(c) when it is first switched to; entry must never return, and
 * first of all calls coroutine_arrive(). The stack's highest `skip` bytes stay unused (a multiple of 64). */
void coroutine_create(struct coroutine *c, struct coroutine_stack *s, size_t skip,
                      void (*entry)(struct coroutine *c));
/* Before its stack is freed. */
void coroutine_destroy(struct coroutine *c, struct coroutine_stack *s);

void coroutine_switch_portable(struct coroutine *from, struct coroutine *to);

/* Goes on with `to`; returns when somebody switches to `from`. */
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

/* The address sanitizer is told before and after each switch. */
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

/* `s` is the stack now in use; *from, unless NULL, learns the bounds of the one that was left. */
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
