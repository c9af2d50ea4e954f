/*
 * semaphore: a count of what is free, shared by threads. Posting notifies all who wait, immediately; they try
 * in the order in which they asked.
 */
#ifndef SIM_SEMAPHORE_H
#define SIM_SEMAPHORE_H

#include "sim/kernel.h"

struct semaphore;

struct semaphore *semaphore_create(struct kernel *k, const char *name, unsigned count);
void semaphore_wait(struct semaphore *s, struct process *p); /* the running thread waits for a count > 0 and
                                                                takes one */
bool semaphore_try_wait(struct semaphore *s);                /* false if the count is 0 */
void semaphore_post(struct semaphore *s);                    /* one more; 2^32 − 1 at most */
unsigned semaphore_count(const struct semaphore *s);

#endif
