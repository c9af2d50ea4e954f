/*
 * connection: the driver's connection to the simulator. It is opened by the first call that needs it: to
 * the simulator that LOCKSTEP_SOCKET names, or to one that is started for this program (`lockstep serve`,
 * found beside the driver). All functions are called under the driver's lock.
 */
#ifndef RUNTIME_OPENCL_CONNECTION_H
#define RUNTIME_OPENCL_CONNECTION_H

#include "runtime/protocol.h"

/* Opens the connection if it is not open. Returns false, once with a message on standard error, if there is
 * no simulator. */
bool connection_open(void);

/* Returns the simulator's description of the device; valid after connection_open(). */
const struct protocol_device *connection_device(void);

/* Returns the program's time in picoseconds: the machine's time in the last reply plus the time of
 * transfers. */
uint64_t connection_now(void);
uint64_t connection_time(uint64_t machine_ps); /* program's time at a time of the machine */
/* Adds the time of moving bytes: host.latency, and the bytes by host.bandwidth. Returns the time then. */
uint64_t connection_transfer(uint64_t bytes);

#define CONNECTION_LOST UINT32_MAX
/* Sends a request (and frees it) and reads the reply up to its text, to which *text points if text is not
 * NULL. Returns an enum protocol_status or CONNECTION_LOST. Free *reply in either case. */
uint32_t connection_request(struct protocol_message *request, struct protocol_message *reply,
                            const char **text);

/* Called in the child of a fork: the connection belongs to the parent; a new one is opened when needed. */
void connection_forked(void);

#endif
