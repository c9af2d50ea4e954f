#include "sim/semaphore.h"

#include "sim/kernel_private.h"

struct semaphore {
    const char *name;
    unsigned count;
    struct event *posted;
};

struct semaphore *semaphore_create(struct kernel *k, const char *name, unsigned count) {
    struct semaphore *s = arena_allocate(&k->rest, sizeof *s);
    s->name = object_register(k, OBJECT_SEMAPHORE, name, s);
    s->count = count;
    s->posted = event_create_unnamed(k, s->name, "posted");
    return s;
}

void semaphore_wait(struct semaphore *s, struct process *p) {
    while (!s->count) process_wait_event(p, s->posted);
    s->count--;
}

bool semaphore_try_wait(struct semaphore *s) {
    if (!s->count) return false;
    s->count--;
    return true;
}

void semaphore_post(struct semaphore *s) {
    invariant(s->count < UINT32_MAX, "semaphore '%s' is posted too often", s->name);
    s->count++;
    event_notify(s->posted);
}

unsigned semaphore_count(const struct semaphore *s) {
    return s->count;
}
