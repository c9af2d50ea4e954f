/*
 * transfer: commands that move bytes between memory objects, or between a memory object and the program's
 * memory. Each moves a box of rows, of one row if it is linear. The fields host.bandwidth and host.latency
 * set its time (connection_transfer()): none by default, because the simulated machine's memory is the
 * host's.
 */
#ifndef RUNTIME_OPENCL_TRANSFER_H
#define RUNTIME_OPENCL_TRANSFER_H

#include "runtime/opencl/command.h"

/* Position of a box in a memory object or in the program's memory. */
struct box {
    size_t offset, row_pitch, slice_pitch; /* bytes */
};

struct transfer {
    struct command command;
    cl_mem from, to; /* NULL: the program's memory */
    const uint8_t *source;
    uint8_t *target;
    struct box source_box, target_box;
    size_t region[3]; /* size in bytes, rows, slices */
};

/* Enqueues a command for the transfer *what: from, to, boxes and region are filled in; host is the
 * program's memory. The boxes have been checked. */
cl_int transfer_enqueue(cl_command_queue queue, cl_command_type type, const struct transfer *what, void *host,
                        cl_bool blocking, cl_uint wait_count, const cl_event *waits, cl_event *event);

/* Makes the checks that all commands on a memory object of one kind have in common. */
cl_int transfer_check(cl_command_queue queue, cl_mem m, enum object_kind kind, cl_uint wait_count,
                      const cl_event *waits);

/* Returns whether `size` bytes, at least one, at an offset lie in the object. */
bool transfer_within(const struct _cl_mem *m, size_t offset, size_t size);

#endif
