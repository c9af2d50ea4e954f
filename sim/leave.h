/*
 * leave: ends the process in the midst of its work, for a reason that is no panic.
 */
#ifndef SIM_LEAVE_H
#define SIM_LEAVE_H

#include "sim/error.h"

/* Prints "lockstep: MESSAGE", calls what error_at_panic() has registered, and leaves with a status. A signal
 * handler may call it where what was interrupted is not ours: if a lock that it holds stops the functions,
 * the process leaves after ten seconds all the same. Never returns. */
_Noreturn void error_leave(enum exit_status status, const char *message);

#endif
