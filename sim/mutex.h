/*
 * mutex: a lock between threads. Unlocking notifies all waiting threads immediately. They try in the order
 * of their requests, so the first one gets the lock unless a process that runs earlier takes it.
 */
#ifndef SIM_MUTEX_H
#define SIM_MUTEX_H

#include "sim/kernel.h"

struct mutex;

struct mutex *mutex_create(struct kernel *k, const char *name); /* lives as long as the kernel */
void mutex_lock(struct mutex *m, struct process *p);     /* makes the running thread wait until it owns the
                                                            mutex; a panic if it owns it already */
bool mutex_try_lock(struct mutex *m, struct process *p); /* for threads and methods; false if the mutex is
                                                            owned */
bool mutex_unlock(struct mutex *m, struct process *p);   /* false, with no effect, unless p owns the mutex
                                                          */
struct process *mutex_owner(const struct mutex *m);      /* NULL: free */

#endif
