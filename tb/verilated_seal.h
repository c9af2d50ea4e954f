/*
 * verilated_seal: a checksum behind what was built and is kept. A library that was cut or damaged is not
 * loaded (the dynamic linker would crash) but built again.
 */
#ifndef TB_VERILATED_SEAL_H
#define TB_VERILATED_SEAL_H

#include "sim/error.h"

/* Puts the checksum at the end of a file, which linkers ignore, and leaves it writable by its user only.
 * False and *e (EXIT_USER). */
bool verilated_seal(const char *path, struct error *e);

/* Whether the file is there, is of this user alone (cache_folder.h), and is what was sealed. */
bool verilated_sealed(const char *path);

#endif
