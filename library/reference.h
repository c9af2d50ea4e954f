/*
 * reference: a whole machine as the reference for another bench: it runs kernels compiled by lockstep-cc, and
 * shows the inputs and outputs of a cluster's block in every cycle.
 *
 * A launch in steps visits every cycle and takes the same number of cycles. A function that fails returns
 * false (NULL, 0) and fills the error unless it is already filled; a launch that fails (EXIT_PROGRAM_FAULT:
 * access outside the buffers, deadlock, …) has a message in terms of the kernel.
 *
 * One host thread at a time may use a reference; different references are independent.
 */
#ifndef LIBRARY_REFERENCE_H
#define LIBRARY_REFERENCE_H

#include "model/cluster/cluster.h"
#include "model/machine/machine.h"

struct reference;

/* --- life --- */

/* Builds a machine of this configuration with the program in an image: `lockstep-cc -o IMAGE KERNELS.cl`;
 * NULL: none, for reference_program(). */
struct reference *reference_create(const struct machine_config *c, const char *image, struct error *e);
/* Builds a machine: the configuration is a file, or NULL for the base machine, followed by settings
 * "FIELD=VALUE", separated by blanks. */
struct reference *reference_create_from(const char *config, const char *settings, const char *image,
                                        struct error *e);
/* Destroys a machine; stops a launch in steps. NULL is allowed. */
void reference_destroy(struct reference *r);
/* While a reference is held, reference_destroy() ends what runs, but leaves the memory to the last
 * reference_release(). */
void reference_hold(struct reference *r);
void reference_release(struct reference *r);

struct machine *reference_machine(struct reference *r);

/* --- buffers, kernels and arguments --- */

/* Returns the address, on the device, of a new buffer of at least 1 byte, all 0, and its memory, which host
 * and kernels share until the reference is destroyed. */
uint32_t reference_buffer(struct reference *r, uint32_t size_bytes, uint8_t **host, struct error *e);
/* Does the same for memory of the caller. */
uint32_t reference_buffer_of(struct reference *r, uint8_t *host, uint32_t size_bytes, struct error *e);

/* Selects the kernel of the next launch, and forgets earlier arguments. */
bool reference_kernel(struct reference *r, const char *name, struct error *e);
/* Set the next argument: a value, an address in a buffer, or `size_bytes` bytes of local memory. */
bool reference_value(struct reference *r, const void *value, size_t size_bytes, struct error *e);
bool reference_pointer(struct reference *r, uint32_t address, struct error *e);
bool reference_local(struct reference *r, uint32_t size_bytes, struct error *e);

/* --- launches --- */

/* Numbers of all work-items and of those in a work-group, in up to three dimensions; 0 counts as 1. */
struct reference_range {
    uint32_t global[3], local[3];
};
/* Runs a launch to its end. The kernel's printf goes to standard output. */
bool reference_run(struct reference *r, const struct reference_range *range, struct machine_result *result,
                   struct error *e);

/* Begins a launch in steps, for the blocks of one cluster. */
bool reference_begin(struct reference *r, const struct reference_range *range, unsigned cluster,
                     struct error *e);
/* Continues to the next cycle in which the cluster evaluates the block: every cycle in SIMT mode, and for
 * some blocks (cluster_starts()) those in which contexts start. Returns false if the launch has ended;
 * reference_end() has the result. */
bool reference_step(struct reference *r, enum cluster_block block, uint64_t *cycle);
/* Returns the block's model in that cluster (a struct warp_scheduler, …), NULL before the first
 * reference_begin(). After a step of that block it has the ports and flip-flops of that cycle, before its
 * edge. It must not be changed. */
const void *reference_block(const struct reference *r, enum cluster_block block);
/* Ends a launch in steps, running it to its end if necessary. */
bool reference_end(struct reference *r, struct machine_result *result, struct error *e);

/* --- launches that another design executes --- */

/* Returns the launch with this range, or of the waiting program, with its arguments in memory until
 * reference_return(). Returns NULL with *e if there is none. */
const struct machine_launch *reference_lend(struct reference *r, const struct reference_range *range,
                                            struct error *e);
/* Ends that launch; whole: every work-item has ended. */
void reference_return(struct reference *r, bool whole);
/* Returns a number that is equal until the lent launch is returned, by the reference too: its program has
 * gone on, or it has been destroyed. */
uint64_t reference_lendings(const struct reference *r);

/* Starts an OpenCL program, whose launches other designs execute. The reference has no image. */
bool reference_program(struct reference *r, char *const argv[], struct error *e);
/* Continues to its next launch; a launch without reference_return() fails. Returns false if the program has
 * ended. */
bool reference_program_launch(struct reference *r);
/* *status: its exit status, 128 and more if a signal ended it. Returns false with *e if it could not run to
 * its end. */
bool reference_program_end(struct reference *r, int *status, struct error *e);

#endif
