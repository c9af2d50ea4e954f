/*
 * load_search: the load-store queue of an out-of-order core while something, such as Verilog, runs beside its
 * block (model/control/load_store_queue.h). The core asks the block what a load does, and tells it in each
 * cycle what has changed in the queue.
 */
#ifndef MODEL_CORE_LOAD_SEARCH_H
#define MODEL_CORE_LOAD_SEARCH_H

#include "model/core/core.h"
#include "model/core/out_of_order.h"

/* Empties the block at the start of the core. */
void load_search_start(struct core *c);
/* Asks the block about a load. Returns the store that forwards; NULL without one. *wait: the load waits.
 * Wrong answers of a block make a load wait. */
const struct window_store *load_search_ask(struct core *c, const struct window_entry *e, bool *wait);
/* Tells the block what has changed in the core's queue in cycle t. */
void load_search_end(struct core *c, uint64_t t);

#endif
