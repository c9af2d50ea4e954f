/*
 * scope: the hierarchy of names. Objects created between scope_enter() and scope_leave() have names below
 * the scope: "top.fifo.not_empty". A full name that exists already is a panic. A name is not empty and has
 * no dot. A scope can be entered again.
 */
#ifndef SIM_SCOPE_H
#define SIM_SCOPE_H

#include <stddef.h>

struct kernel;
struct event;
struct process;
struct signal;
struct clock;

void scope_enter(struct kernel *k, const char *name);
void scope_leave(struct kernel *k);

enum object_kind {
    OBJECT_SCOPE,
    OBJECT_EVENT,
    OBJECT_PROCESS,
    OBJECT_SIGNAL,
    OBJECT_CLOCK,
    OBJECT_MUTEX,
    OBJECT_SEMAPHORE
};

struct object {
    enum object_kind kind;
    const char *name; /* the full name */
    void *address;    /* struct event *, …; NULL for a scope */
};

/* Return the objects with a name, in the order of creation (a scope: first entered). */
size_t object_count(const struct kernel *k);
const struct object *object_at(const struct kernel *k, size_t i);
/* Finds an object by its full name; NULL if there is none. */
const struct object *object_find(const struct kernel *k, const char *name);
/* Does the same; also returns NULL if the object is of another kind. */
struct event *event_find(const struct kernel *k, const char *name);
struct process *process_find(const struct kernel *k, const char *name);
struct signal *signal_find(const struct kernel *k, const char *name);
struct clock *clock_find(const struct kernel *k, const char *name);

#endif
