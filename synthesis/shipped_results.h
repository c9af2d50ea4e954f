/*
 * shipped_results: results of synthesis that come with Lockstep, in results.json of the folder of the
 * Verilog: one for every block and size of its configurations and explorations (`make synthesis-results`).
 *
 * The file is an array with one result a line: the key (the hash of all that the result depends on), module
 * and parameters (for readers), and the fields that netlist_result_json() makes.
 */
#ifndef SYNTHESIS_SHIPPED_RESULTS_H
#define SYNTHESIS_SHIPPED_RESULTS_H

#include <jansson.h>

#define SHIPPED_RESULTS_FILE "results.json"

/* Returns a folder's result with this key, or NULL. The result belongs to this unit. */
json_t *shipped_results_find(const char *folder, const char *hash);

/* Returns an estimate of the CPU seconds for a block: those of the result of the same module with most
 * parameters in common, with any key; a rough guess without one. */
double shipped_results_seconds(const char *folder, const char *module, const char *parameters);

#endif
