/* Threads: stacks, switching, and what a thread can do of the scheduler's work when it waits. */
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

/* The size of its stack, in whole pages. */
static size_t stack_size(const struct process *p) {
    const size_t page = page_size(), size = p->stack.size > LEAST_STACK ? p->stack.size : LEAST_STACK;
    invariant(size < SIZE_MAX / 2, "thread '%s' asks for a stack of %zu bytes", p->name, size);
    /* frames are several times as large under the sanitizer */
    return (size * (COROUTINE_SANITIZED ? 4 : 1) + COLOURS * COLOUR_BYTES + page - 1) / page * page;
}

/* One mapping for all: a guard page, a stack, a guard page, … Threads begin at different places in their
 * highest page, or all would fight for the same lines of the cache. */
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

void thread_enter(struct kernel *k, struct process *p) {
    process_begin(k, p);
    coroutine_switch(&k->scheduler, &k->scheduler_stack, &p->coroutine, &p->stack, 0);
    coroutine_arrive(&k->scheduler_stack, &(struct coroutine_stack){0});
    k->running = NULL;
}

/* The thread that runs next, so that it can be switched to at once; NULL if the scheduler has to go on: where
 * a method is next, time advances, or something out of the ordinary is to be done. Delta cycles end here. */
static struct process *take_next(struct kernel *k) {
    for (;;) {
        if (k->head == k->end) {
            if (k->stop || k->left <= LOOP_SEEN) return NULL;
            if (k->head == k->tail) {
                if (!k->grouped || k->watch_count || !(k->delta_count || k->updates.end != k->written))
                    return NULL;
                k->cycles++;
                k->ran = false;
                kernel_notify(k);
                if (k->head == k->tail) return NULL;
            }
            k->left--;
            k->ran = true;
            k->end = k->tail;
        }
        const uintptr_t entry = k->ring[k->head & k->mask];
        struct process *p = (struct process *)entry; // NOLINT(performance-no-int-to-ptr)
        if (entry & 1 || !p->is_thread || k->stop == STOP_NOW) return NULL;
        k->head++;
        return p;
    }
}

/* The running thread waits, or has ended; another goes on. */
static void leave(struct kernel *k, struct process *p, bool ends) {
    process_finish(p);
    struct process *next = take_next(k);
    if (next) process_begin(k, next);
    if (next == p) return;
    if (next)
        coroutine_switch(&p->coroutine, &p->stack, &next->coroutine, &next->stack, ends);
    else
        coroutine_switch(&p->coroutine, &p->stack, &k->scheduler, &k->scheduler_stack, ends);
    coroutine_arrive(&p->stack, &(struct coroutine_stack){0});
}

static void thread_begin(struct coroutine *c) {
    struct process *p = (struct process *)((char *)c - offsetof(struct process, coroutine));
    struct kernel *k = p->kernel;
    coroutine_arrive(&p->stack, k->scheduler_stack.low ? &(struct coroutine_stack){0} : &k->scheduler_stack);
    p->body.function(p->body.context);
    if (p->state & PROCESS_DYNAMIC) process_forget(p);
    p->state |= PROCESS_ENDED;
    leave(k, p, true);
    error_panic(__FILE__, __LINE__, "thread '%s' goes on after its end", p->name);
}

/* --- waiting --- */

void process_wait(struct process *p) {
    struct kernel *k = p->kernel;
    invariant(p->is_thread && k->running == p, "'%s' waits, but %s", p->name,
              p->is_thread ? "is not running" : "is a method: use process_next_trigger…()");
    leave(k, p, false);
}

void process_wait_event(struct process *p, struct event *e) {
    process_next_trigger(p, e);
    process_wait(p);
}

void process_wait_after(struct process *p, sim_time delay) {
    process_next_trigger_after(p, delay);
    process_wait(p);
}

void process_wait_at(struct process *p, sim_time t) {
    process_next_trigger_at(p, t);
    process_wait(p);
}

void process_wait_any(struct process *p, struct event *const *events, size_t n, sim_time timeout) {
    process_next_trigger_any(p, events, n, timeout);
    process_wait(p);
}

void process_wait_all(struct process *p, struct event *const *events, size_t n, sim_time timeout) {
    process_next_trigger_all(p, events, n, timeout);
    process_wait(p);
}

bool process_wait_timeout(struct process *p, struct event *e, sim_time timeout) {
    process_wait_any(p, &e, 1, timeout);
    return !p->timed_out;
}
