/*
 * connection: the driver's line to the simulator. It is opened at the first call that needs it: to the
 * simulator that LOCKSTEP_SOCKET names, or to one that is started for this program (`lockstep serve`, found
 * beside the driver). All functions are called under the driver's lock.
 */
#ifndef RUNTIME_OPENCL_CONNECTION_H
#define RUNTIME_OPENCL_CONNECTION_H

#include "runtime/protocol.h"

/* Opens the line if it is not open. False, once with a message on standard error, if
 * there is no simulator. */
bool connection_open(void);

/* The device, as the simulator described it; valid after connection_open(). */
const struct protocol_device *connection_device(void);

/* The program's time, in picoseconds: the machine's, as the last reply told it, and what transfers have
 * taken. */
uint64_t connection_now(void);
uint64_t connection_time(uint64_t machine_ps); /* now, when it was so late for the machine */
/* Lets pass what moving so many bytes takes: host.latency and the bytes by host.bandwidth. Returns the time
 * then. */
uint64_t connection_transfer(uint64_t bytes);

#define CONNECTION_LOST UINT32_MAX
/* Sends a request (and frees it) and reads the reply up to its text, which *text points to if text is not
 * NULL. Returns an enum protocol_status or CONNECTION_LOST. Free *reply afterwards in every case. */
uint32_t connection_request(struct protocol_message *request, struct protocol_message *reply,
                            const char **text);

/* In the child of a fork: the line belongs to the parent; a new one is opened when needed. */
void connection_forked(void);

#endif
