/*
 * reference: a whole machine as the reference of another bench: it runs kernels that lockstep-cc has
 * compiled, and shows in every cycle what a block of a cluster gets and does.
 *
 *   reference_create() · reference_buffer() for each buffer · for each launch: reference_kernel(), the
 *   arguments in their order, then reference_run(), or reference_begin() and reference_step() until it
 * returns false · reference_destroy()
 *
 * A launch that is stepped visits every cycle and takes as many as one that runs. Where a function fails it
 * returns false (NULL, 0) and fills the error, if that is not filled already; a launch that fails
 * (EXIT_PROGRAM_FAULT: access outside the buffers, deadlock, …) says so in the kernel's terms.
 *
 * One host thread at a time may use a reference; several of them have nothing in common.
 */
#ifndef LIBRARY_REFERENCE_H
#define LIBRARY_REFERENCE_H

#include "model/cluster/cluster.h"
#include "model/machine/machine.h"

struct reference;

/* --- life --- */

/* A machine of this configuration and the program in an image: `lockstep-cc -o IMAGE KERNELS.cl`. */
struct reference *reference_create(const struct machine_config *c, const char *image, struct error *e);
/* The configuration is a file, or NULL for the base machine, and then "FIELD=VALUE", separated by blanks. */
struct reference *reference_create_from(const char *config, const char *settings, const char *image,
                                        struct error *e);
/* Stops a launch that is being stepped. NULL: nothing. */
void reference_destroy(struct reference *r);

struct machine *reference_machine(struct reference *r);

/* --- buffers, kernels and arguments --- */

/* A buffer of zeros of 1 byte or more: its address on the device, and its memory, which host and kernels
 * share for as long as the reference lives. */
uint32_t reference_buffer(struct reference *r, uint32_t size_bytes, uint8_t **host, struct error *e);

/* The kernel that is launched next; its arguments so far are forgotten. */
bool reference_kernel(struct reference *r, const char *name, struct error *e);
/* The next argument: a value, the address of a buffer (or of something in it), so many
 * bytes of local memory. */
bool reference_value(struct reference *r, const void *value, size_t size_bytes, struct error *e);
bool reference_pointer(struct reference *r, uint32_t address, struct error *e);
bool reference_local(struct reference *r, uint32_t size_bytes, struct error *e);

/* --- launches --- */

/* Work-items in all and of a work-group, in up to three dimensions; what is 0 counts as 1. */
struct reference_range {
    uint32_t global[3], local[3];
};
/* Runs a launch to its end. Standard output takes what the kernel prints. */
bool reference_run(struct reference *r, const struct reference_range *range, struct machine_result *result,
                   struct error *e);

/* In steps, of the blocks of one cluster. */
bool reference_begin(struct reference *r, const struct reference_range *range, unsigned cluster,
                     struct error *e);
/* Goes on to the next cycle in which the cluster evaluates the block: in every cycle that it is in SIMT mode,
 * and for some (cluster_starts()) in those in which contexts start. False: the launch has ended, and
 * reference_end() says how. */
bool reference_step(struct reference *r, enum cluster_block block, uint64_t *cycle);
/* The block's model in that cluster (a struct warp_scheduler, …), NULL before the first reference_begin().
 * After a step of that block it has the ports and flip-flops of that cycle, before its edge; it must not be
 * changed. */
const void *reference_block(const struct reference *r, enum cluster_block block);
/* Ends the launch that was stepped; one that is not at its end goes on to it, by itself. */
bool reference_end(struct reference *r, struct machine_result *result, struct error *e);

#endif
