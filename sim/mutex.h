/*
 * mutex: a lock between threads. Unlocking notifies all who wait, immediately; they try in the order in which
 * they asked, so that it goes to the first of them unless a process that runs before takes it.
 */
#ifndef SIM_MUTEX_H
#define SIM_MUTEX_H

#include "sim/kernel.h"

struct mutex;

struct mutex *mutex_create(struct kernel *k, const char *name); /* lives as long as the kernel */
void mutex_lock(struct mutex *m, struct process *p);     /* the running thread waits until it owns it; whoever
                                                            owns it already: a panic */
bool mutex_try_lock(struct mutex *m, struct process *p); /* threads and methods; false if it is owned */
bool mutex_unlock(struct mutex *m, struct process *p);   /* false, and nothing changes, unless p owns it */
struct process *mutex_owner(const struct mutex *m);      /* NULL: free */

#endif
