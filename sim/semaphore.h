/*
 * semaphore: a count of free resources, shared by threads. Posting notifies all waiting threads
 * immediately; they try in the order of their requests.
 */
#ifndef SIM_SEMAPHORE_H
#define SIM_SEMAPHORE_H

#include "sim/kernel.h"

struct semaphore;

struct semaphore *semaphore_create(struct kernel *k, const char *name, unsigned count);
void semaphore_wait(struct semaphore *s, struct process *p); /* makes the running thread wait for a count >
                                                                0, and decrements it */
bool semaphore_try_wait(struct semaphore *s);                /* false if the count is 0 */
void semaphore_post(struct semaphore *s);                    /* increments the count, to at most 2^32 − 1 */
unsigned semaphore_count(const struct semaphore *s);

#endif
