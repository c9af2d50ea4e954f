#include "sim/mutex.h"

#include "sim/kernel_private.h"

struct mutex {
    const char *name;
    struct process *owner;
    struct event *freed;
};

struct mutex *mutex_create(struct kernel *k, const char *name) {
    struct mutex *m = arena_allocate(&k->rest, sizeof *m);
    m->name = object_register(k, OBJECT_MUTEX, name, m);
    m->freed = event_create_unnamed(k, m->name, "freed");
    return m;
}

void mutex_lock(struct mutex *m, struct process *p) {
    invariant(m->owner != p, "thread '%s' locks mutex '%s' twice", p->name, m->name);
    while (m->owner) process_wait_event(p, m->freed);
    m->owner = p;
}

bool mutex_try_lock(struct mutex *m, struct process *p) {
    if (m->owner) return false;
    m->owner = p;
    return true;
}

bool mutex_unlock(struct mutex *m, struct process *p) {
    if (m->owner != p) return false;
    m->owner = NULL;
    event_notify(m->freed);
    return true;
}

struct process *mutex_owner(const struct mutex *m) {
    return m->owner;
}
