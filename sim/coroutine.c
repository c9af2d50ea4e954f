#include "sim/coroutine.h"

#include "sim/error.h"

#include <stdint.h>
#include <stdlib.h>

/* Marks reused stack memory as addressable for the sanitizer. */
static void forget_frames(const struct coroutine_stack *s) {
#if COROUTINE_SANITIZED
    __asan_unpoison_memory_region(s->low, s->size);
#else
    (void)s;
#endif
}

#if COROUTINE_NATIVE

/* Lays out the frame that a call of entry(c) would leave: c is the first argument at every switch. */
void coroutine_create(struct coroutine *c, struct coroutine_stack *s, size_t skip,
                      void (*entry)(struct coroutine *c)) {
    forget_frames(s);
    uintptr_t *top = (uintptr_t *)(void *)(s->low + s->size - skip) - 1;
    *top = 0; /* end of the call chain for debuggers */
    *c = (struct coroutine){.stack_pointer = top, .resume = __extension__(void *) entry};
}

void coroutine_destroy(struct coroutine *c, struct coroutine_stack *s) {
    (void)c;
    (void)s;
}

#else

#include <ucontext.h>

struct portable {
    ucontext_t context;
    void (*entry)(struct coroutine *c);
    struct coroutine *coroutine;
};

/* makecontext() passes integers only. */
static void begin_entry(unsigned high, unsigned low) {
    struct portable *p = (struct portable *)((uintptr_t)((uint64_t)high << 32 | low)); // NOLINT
    p->entry(p->coroutine);
}

static struct portable *make_context(struct coroutine *c) {
    struct portable *p = calloc(1, sizeof *p);
    require_memory(p);
    p->coroutine = c;
    c->resume = p;
    return p;
}

void coroutine_create(struct coroutine *c, struct coroutine_stack *s, size_t skip,
                      void (*entry)(struct coroutine *c)) {
    forget_frames(s);
    struct portable *p = make_context(c);
    p->entry = entry;
    invariant(getcontext(&p->context) == 0, "getcontext() fails");
    p->context.uc_stack.ss_sp = s->low;
    p->context.uc_stack.ss_size = s->size - skip;
    const uint64_t address = (uintptr_t)p;
    makecontext(&p->context, (void (*)(void))begin_entry, 2, (unsigned)(address >> 32), (unsigned)address);
}

void coroutine_destroy(struct coroutine *c, struct coroutine_stack *s) {
    (void)s;
    free(c->resume);
    c->resume = NULL;
}

void coroutine_switch_portable(struct coroutine *from, struct coroutine *to) {
    struct portable *f = from->resume ? from->resume : make_context(from), *t = to->resume;
    invariant(swapcontext(&f->context, &t->context) == 0, "swapcontext() fails");
}

#endif
