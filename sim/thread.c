/* Threads: stacks, switching, and the scheduler's work that a waiting thread does itself. */
#include "sim/kernel_private.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LEAST_STACK = 16 * 1024, COLOURS = 32, COLOUR_BYTES = 128 };

/* --- stacks --- */

static void thread_begin(struct coroutine *c);

static size_t page_size(void) {
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* Returns the size of a thread's stack, in whole pages. */
static size_t stack_size(const struct process *p) {
    const size_t page = page_size(), size = p->stack.size > LEAST_STACK ? p->stack.size : LEAST_STACK;
    invariant(size < SIZE_MAX / 2, "thread '%s' asks for a stack of %zu bytes", p->name, size);
    /* frames are several times as large under the sanitizer */
    return (size * (COROUTINE_SANITIZED ? 4 : 1) + COLOURS * COLOUR_BYTES + page - 1) / page * page;
}

/* Makes one mapping for all: guard page, stack, guard page, … Threads begin at different places in their
 * highest page; otherwise they would compete for the same cache lines. */
void kernel_create_stacks(struct kernel *k) {
    const size_t page = page_size();
    size_t size = 0;
    unsigned threads = 0;
    for (uint32_t i = 0; i < k->process_count; i++) {
        const struct process *p = k->processes[i];
        if (!p->is_thread) continue;
        size += page + stack_size(p);
        threads++;
    }
    if (!threads) return;
    k->stacks = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    invariant(k->stacks != MAP_FAILED, "no room for the stacks of %u threads, %zu bytes: %s", threads, size,
              strerror(errno));
    k->stacks_size = size;
    char *low = k->stacks;
    unsigned colour = 0;
    for (uint32_t i = 0; i < k->process_count; i++) {
        struct process *p = k->processes[i];
        if (!p->is_thread) continue;
        invariant(mprotect(low, page, PROT_NONE) == 0, "no guard page for thread '%s', one of %u: %s",
                  p->name, threads, strerror(errno));
        p->stack.size = stack_size(p);
        p->stack.low = low + page;
        low = p->stack.low + p->stack.size;
        coroutine_create(&p->coroutine, &p->stack, colour++ % COLOURS * COLOUR_BYTES, thread_begin);
    }
}

void kernel_free_stacks(struct kernel *k) {
    if (!k->stacks) return;
    for (uint32_t i = 0; i < k->process_count; i++)
        if (k->processes[i]->is_thread)
            coroutine_destroy(&k->processes[i]->coroutine, &k->processes[i]->stack);
    coroutine_destroy(&k->scheduler, &k->scheduler_stack);
    munmap(k->stacks, k->stacks_size);
}

/* --- switching --- */

static struct process *process_of(struct coroutine *c) {
    return (struct process *)((char *)c - offsetof(struct process, coroutine));
}

/* The kernel whose thread runs on this host thread: a prediction that avoids a dependent memory access, and
 * is checked. */
static __attribute__((tls_model("initial-exec"))) _Thread_local struct kernel *current;

void thread_enter(struct kernel *k, struct process *p) {
    struct kernel *const before = current; /* kernel of the thread that switches here */
    current = k;
    process_begin(k, p);
    coroutine_announce(&k->scheduler_stack, &p->stack, false);
    coroutine_switch(&k->scheduler, &p->coroutine);
    current = before;
    coroutine_arrive(&k->scheduler_stack, NULL);
    k->running = NULL;
}

/* Begins the next delta cycle after an evaluation, if there is one and no special case applies. */
static bool begin_cycle(struct kernel *k) {
    if (!k->grouped || k->watch_count || !(k->delta_count || k->updates.end != k->written)) return false;
    k->cycles++;
    k->ran = false;
    kernel_notify(k);
    return k->head != k->tail;
}

/* Returns the thread that waits for the only event of the next delta cycle, without the queues, if the
 * evaluation has ended. */
static inline struct process *take_direct(struct kernel *k) {
    if (k->head != k->tail || k->delta_count != 1 || k->updates.end != k->written || !k->grouped) return NULL;
    struct notification *n = k->deltas[0];
    if (!n || n->is_process) return NULL;
    struct process *p = event_take_only_waiter((struct event *)n);
    if (!p) return NULL;
    n->kind = NOTIFY_NOTHING;
    k->delta_count = 0;
    k->cycles++;
    if (p->is_thread) {
        k->left--;
        return p;
    }
    process_make_runnable(k, p);
    return NULL;
}

/* Prefetches a process that runs soon, and the stack of a thread. The ring is full of processes and events,
 * also past its end; a wrong prefetch is harmless. */
static inline __attribute__((always_inline)) void prefetch(const struct kernel *k) {
    enum { SOON = 4, LATER = 8 };
    const uintptr_t soon = k->ring[(k->head + SOON) & k->mask];
    __builtin_prefetch(
        (const void *)k->ring[(k->head + LATER) & k->mask]); // NOLINT(performance-no-int-to-ptr)
    const struct process *p =
        (const struct process *)(soon & ~(uintptr_t)1); // NOLINT(performance-no-int-to-ptr)
    __builtin_prefetch(p->coroutine.stack_pointer);
}

/* Returns the thread that runs next, so that it can be switched to at once. Returns NULL if the scheduler
 * must continue: a method is next, time advances, or a special case applies. */
static inline struct process *take_next(struct kernel *k) {
    if (__builtin_expect(k->stop, 0)) return NULL;
    if (k->head == k->end) {
        if (__builtin_expect(k->left <= LOOP_SEEN, 0)) return NULL;
        struct process *direct = take_direct(k);
        if (direct) return direct;
        if (k->head == k->tail && !begin_cycle(k)) return NULL;
        k->left--;
        k->ran = true;
        k->end = k->tail;
    }
    const uintptr_t entry = k->ring[k->head & k->mask];
    struct process *p = (struct process *)entry; // NOLINT(performance-no-int-to-ptr)
    if (entry & 1 || !p->is_thread) return NULL;
    k->head++;
    prefetch(k);
    return p;
}

/* Chooses the thread that continues after the running thread has made its request. */
static inline struct process_switch go_on(struct kernel *k, struct process *p) {
    struct process *next = take_next(k);
    if (!next) return (struct process_switch){&p->coroutine, &k->scheduler};
    process_begin(k, next);
    return (struct process_switch){&p->coroutine, &next->coroutine};
}

static inline struct process_switch leave(struct kernel *k, struct process *p) {
    process_finish(p);
    return go_on(k, p);
}

static inline void check_running(const struct process *p) {
    invariant(p->is_thread && p->kernel->running == p, "'%s' waits, but %s", p->name,
              p->is_thread ? "is not running" : "is a method: use process_next_trigger…()");
}

struct process_switch process_leave(struct process *p) {
    check_running(p);
    return leave(p->kernel, p);
}

static __attribute__((noinline)) struct process_switch leave_for(struct process *p, struct event *e) {
    check_running(p);
    process_next_trigger(p, e);
    return leave(p->kernel, p);
}

struct process_switch process_leave_for(struct process *p, struct event *e) {
    struct kernel *k = current;
    if (__builtin_expect(!k || k->running != p || !p->is_thread || e->kernel != k ||
                             p->state & PROCESS_DYNAMIC || e->waiting || !e->bare || !p->sleeps,
                         0))
        return leave_for(p, e);
    p->state = PROCESS_DYNAMIC;
    p->waiter.event = e;
    p->waiter.next = p->waiter.previous = &p->waiter;
    e->waiting = &p->waiter;
    return go_on(k, p);
}

static struct coroutine_stack *stack_of(struct kernel *k, struct coroutine *c) {
    return c == &k->scheduler ? &k->scheduler_stack : &process_of(c)->stack;
}

void process_switch_announced(struct process_switch s) {
    struct process *p = process_of(s.from);
    coroutine_announce(&p->stack, stack_of(p->kernel, s.to), p->state & PROCESS_ENDED);
    coroutine_switch(s.from, s.to);
    coroutine_arrive(&p->stack, NULL);
}

static void thread_begin(struct coroutine *c) {
    struct process *p = process_of(c);
    struct kernel *k = p->kernel;
    coroutine_arrive(&p->stack, k->scheduler_stack.low ? NULL : &k->scheduler_stack);
    p->body.function(p->body.context);
    if (p->state & PROCESS_DYNAMIC) process_forget(p);
    p->state |= PROCESS_ENDED;
    process_go(leave(k, p));
    error_panic(__FILE__, __LINE__, "thread '%s' goes on after its end", p->name);
}
