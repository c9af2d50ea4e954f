/*
 * leave: ends the process during its work, for a reason that is no panic.
 */
#ifndef SIM_LEAVE_H
#define SIM_LEAVE_H

#include "sim/error.h"

/* Prints "lockstep: MESSAGE", calls the functions registered with error_at_panic(), and leaves with a
 * status. A signal handler may call it while foreign code is interrupted: if a lock of that code blocks the
 * functions, the process leaves after ten seconds. Never returns. */
_Noreturn void error_leave(enum exit_status status, const char *message);

#endif
