/*
 * site: places in the program's code, for messages about what the program did there. Called under the
 * driver's lock.
 */
#ifndef RUNTIME_OPENCL_SITE_H
#define RUNTIME_OPENCL_SITE_H

#include <stddef.h>

#define SITE_NAME_BYTES 4200

/* Writes the name of the code behind a return address: "PATH+0xOFFSET" (runtime/call_site.h); "" if
 * unknown. */
void site_name(const void *return_address, char *name, size_t size);

/* Writes the same in words, which the simulator finds: "host.c:77 (main)". */
void site_describe(const void *return_address, char *text, size_t size);

#endif
