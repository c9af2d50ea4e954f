/*
 * message: what the driver tells the user on standard error, each line once, and what it tells a context's
 * notification function. Called under the driver's lock.
 */
#ifndef RUNTIME_OPENCL_MESSAGE_H
#define RUNTIME_OPENCL_MESSAGE_H

#include "runtime/opencl/objects.h"

/* Prints "lockstep OpenCL driver: CALL at PLACE: …" for the call in progress. The same from the same place is
 * printed once; so are at most 50 in all. */
void message_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Queues a call of the context's notification function, if it has one. */
void message_notify(cl_context context, const char *text);

#endif
