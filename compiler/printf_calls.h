/*
 * printf_calls: what becomes of a kernel's calls of printf: room for a record in the launch's buffer
 * (abi/printf_buffer.h) and a store of each argument; the runtime formats them after the launch
 * (runtime/printf_text.h). No branch is added, so a call costs about 30 instructions and 2 more for each
 * argument; printf is 0, or −1 where the record found no room.
 */
#ifndef COMPILER_PRINTF_CALLS_H
#define COMPILER_PRINTF_CALLS_H

#include "compiler/module.h"

/* Before the device library is linked. Refuses a call whose record would be too large. Sets m->prints. */
void printf_calls_lower(struct module *m);

#endif
