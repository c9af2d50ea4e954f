/*
 * printf_calls: turns a kernel's calls of printf into the reservation of a record in the launch's buffer
 * (abi/printf_buffer.h) and a store of each argument. The runtime formats the records after the launch
 * (runtime/printf_text.h). No branch is added, so a call costs about 30 instructions and 2 more for each
 * argument. printf returns 0, or −1 if the buffer is full.
 */
#ifndef COMPILER_PRINTF_CALLS_H
#define COMPILER_PRINTF_CALLS_H

#include "compiler/ir/module.h"

/* To be called before linking with the device library. Refuses a call whose record would be too large. Sets
 * m->prints. */
void printf_calls_lower(struct module *m);

#endif
