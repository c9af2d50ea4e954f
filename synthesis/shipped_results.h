/*
 * shipped_results: results of synthesis that come with Lockstep, in results.json of the folder of the
 * Verilog: one for every block and size of its configurations and explorations (`make synthesis-results`).
 *
 * The file is an array. A line is a result: key (the hash of all that it depends on), module and parameters
 * (for readers), and what netlist_result_json() makes.
 */
#ifndef SYNTHESIS_SHIPPED_RESULTS_H
#define SYNTHESIS_SHIPPED_RESULTS_H

#include <jansson.h>

#define SHIPPED_RESULTS_FILE "results.json"

/* Returns a folder's result of this key, or NULL. It belongs to this unit. */
json_t *shipped_results_find(const char *folder, const char *hash);

/* Estimates the processor's seconds for a block: those of a result of the module with most parameters in
 * common, whatever its key is; without one a rough guess. */
double shipped_results_seconds(const char *folder, const char *module, const char *parameters);

#endif
