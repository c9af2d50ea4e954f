/*
 * stack_limit: room on the stack, of which simulator and compiler need more than some shells leave.
 */
#ifndef SIM_STACK_LIMIT_H
#define SIM_STACK_LIMIT_H

/* First in main(), before anything deep: raises the soft limit, as far as the hard one lets it, to 8 MB. If
 * less than 512 KB are left, says so (`name` begins the message) and leaves with `status`. */
void stack_limit_raise(const char *name, int status);

/* Between fork() and exec(): programs get the limit that the process was started with. */
void stack_limit_restore(void);

#endif
