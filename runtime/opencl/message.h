/*
 * message: the driver's messages to the user on standard error, each line once, and to a context's
 * notification function. Called under the driver's lock.
 */
#ifndef RUNTIME_OPENCL_MESSAGE_H
#define RUNTIME_OPENCL_MESSAGE_H

#include "runtime/opencl/objects.h"

/* Prints "lockstep OpenCL driver: CALL at PLACE: …" for the call in progress. The same message from the
 * same place is printed once, and at most 50 messages in all. */
void message_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Queues a call of the context's notification function, if it has one. */
void message_notify(cl_context context, const char *text);

#endif
