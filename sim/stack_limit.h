/*
 * stack_limit: raises the stack limit, because simulator and compiler need more stack than some shells
 * allow.
 */
#ifndef SIM_STACK_LIMIT_H
#define SIM_STACK_LIMIT_H

/* Raises the soft limit to 8 MB, as far as the hard limit allows; to be called first in main(). If less
 * than 512 KB are left, prints a message that begins with `name` and exits with `status`. */
void stack_limit_raise(const char *name, int status);

/* Restores the limit with which the process was started; for programs, between fork() and exec(). */
void stack_limit_restore(void);

#endif
