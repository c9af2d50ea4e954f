/*
 * verilated_seal: a checksum at the end of cached builds. A truncated or damaged library is not loaded (the
 * dynamic linker would crash) but built again.
 */
#ifndef TB_VERILATED_SEAL_H
#define TB_VERILATED_SEAL_H

#include "sim/error.h"

/* Appends the checksum to a file, which linkers ignore, and makes it writable by its user only. Returns false
 * with *e (EXIT_USER) on failure. */
bool verilated_seal(const char *path, struct error *e);

/* Returns whether the file exists, belongs to this user alone (cache_folder.h), and has a valid checksum. */
bool verilated_sealed(const char *path);

#endif
